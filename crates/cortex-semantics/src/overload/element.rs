//! Constructors called (C# specification, §12.8.16.2) and element access (§12.8.12).
//!
//! Must not know: how the best candidate is found.

use cortex_model::{DeclKind, TypeKind};
use cortex_syntax::BodyId;

use super::{
    Recorded,
    call::{Call, Statics},
    invocation::has_doubt,
    resolve::Alternatives,
};
use crate::{
    binder::Binder,
    expr::{Arg, Expr},
    local_names::Recording,
    name::{Name, known},
    names::MemberLookup,
    output::{How, Misfit},
    special::Special,
    symbol::{RefKind, Sym},
    ty::{Ty, TyKind},
};

impl Binder<'_, '_> {
    pub(super) fn constructor_called(&mut self, ty: Ty, args: Vec<Arg>, offset: u32) {
        let c = self.c;
        match (c.kind(ty), c.type_kind(ty)) {
            (_, Some(TypeKind::Delegate)) => {
                let targets = [ty];
                self.finish_with(args, &targets);
                return;
            }
            (TyKind::Named { .. }, _) => {}
            (TyKind::Tuple { elements, .. }, _) => {
                self.finish_with(args, elements);
                return;
            }
            _ => {
                self.finish_with(args, &[]);
                return;
            }
        }
        let constructors = c.constructors(ty, self.access(None));
        let call = Call::of(&args, &[], Statics::Both);
        let found = self.choose(&constructors, &call, Alternatives::None);
        match found {
            Some(choice) => {
                let resolved = choice.resolved(c);
                if !resolved.is_exact && args.iter().all(|arg| self.is_known(&arg.expr)) {
                    self.record_misfit(Recorded::Hidden(offset, How::New));
                }
                let is_certain = constructors.len() == 1
                    || !has_doubt(&args, &resolved.targets)
                    || !self.are_rivals(&constructors, &args);
                if is_certain {
                    self.record_use(offset, resolved.sym.member, How::New);
                }
                self.record_argument_names(&args, resolved.sym.member);
                self.finish_call(args, &resolved, offset);
            }
            None => {
                // Every struct has one without parameters (C# specification, §16.4.9), which metadata leaves out.
                let is_implicit = args.is_empty() && c.is_value_type(ty);
                if !constructors.is_empty() && !is_implicit {
                    self.record_misfit(Recorded::Hidden(offset, How::New));
                }
                let fitting: smallvec::SmallVec<[Sym; 4]> = constructors
                    .iter()
                    .copied()
                    .filter(|sym| c.member(sym.member).signature.params.len() == args.len())
                    .collect();
                match &fitting[..] {
                    [sole] => {
                        self.record_use(offset, sole.member, How::New);
                        self.record_argument_names(&args, sole.member);
                        let params = c.params_of(*sole);
                        let targets: Vec<Ty> = params.iter().map(|param| param.ty).collect();
                        self.finish_as_if(args, &targets);
                    }
                    _ => self.finish_with(args, &[]),
                }
            }
        }
    }

    pub(super) fn element_accessed(&mut self, receiver: Expr, args: BodyId, offset: u32) -> Expr {
        let c = self.c;
        let args = self.bind_arguments(args);
        let node = receiver.node;
        match c.kind(receiver.ty) {
            TyKind::Error | TyKind::None | TyKind::Unbound(_) => {
                self.finish_with(args, &[]);
                return Expr::error(node);
            }
            TyKind::Dynamic => {
                self.finish_with(args, &[]);
                return Expr::value(node, Ty::DYNAMIC);
            }
            TyKind::Array(element, rank) => {
                let is_range = *rank == 1 && self.is_only(&args, Special::Range);
                self.finish_indices(args);
                return if is_range {
                    Expr::value(node, receiver.ty)
                } else {
                    Expr::variable(node, *element)
                };
            }
            TyKind::Pointer(element) => {
                self.finish_indices(args);
                return Expr::variable(node, *element);
            }
            _ => {}
        }
        let through = match receiver.kind {
            crate::expr::ExprKind::Base => None,
            _ => Some(receiver.ty),
        };
        let indexers = c.indexers(receiver.ty, self.access(through));
        let call = Call::of(&args, &[], Statics::Both);
        if let Some(choice) = self.choose(&indexers, &call, Alternatives::None) {
            let is_dynamic = args.iter().any(|arg| arg.expr.ty == Ty::DYNAMIC);
            let is_late = is_dynamic && self.are_rivals(&indexers, &args);
            let resolved = choice.resolved(c);
            if !is_late {
                self.record_use(offset, resolved.sym.member, How::Index);
            }
            self.record_argument_names(&args, resolved.sym.member);
            self.finish_call(args, &resolved, offset);
            let ty = if is_dynamic { Ty::DYNAMIC } else { resolved.ty };
            return self.result(node, resolved.sym.member, ty);
        }
        self.implicit_index(&receiver, &indexers, args, offset)
    }

    fn is_only(&self, args: &[Arg], special: Special) -> bool {
        matches!(args, [arg] if self.c.is_special(arg.expr.ty, special))
    }

    /// Indices of arrays: `int`, `uint`, `long`, `ulong`, `Index` or `Range` as they are, else what
    /// converts to `int`.
    fn finish_indices(&mut self, args: Vec<Arg>) {
        let c = self.c;
        let int = c.special(Special::Int32);
        for arg in args {
            let stays = c.is_value_type(arg.expr.ty) || arg.expr.is_error();
            let is_struct = c.type_kind(arg.expr.ty) == Some(TypeKind::Struct);
            let converts = is_struct && !self.is_index_type(arg.expr.ty);
            if stays && !converts {
                self.finish(arg.expr);
            } else {
                self.convert(arg.expr, int);
            }
        }
    }

    fn is_index_type(&self, ty: Ty) -> bool {
        let all = [
            Special::Int32,
            Special::UInt32,
            Special::Int64,
            Special::UInt64,
            Special::Index,
            Special::Range,
        ];
        all.into_iter()
            .any(|special| self.c.is_special(ty, special))
    }

    /// §12.8.12.5: `Index` and `Range` on what can be counted and indexed or sliced by `int`; inline arrays.
    fn implicit_index(
        &mut self,
        receiver: &Expr,
        indexers: &[Sym],
        args: Vec<Arg>,
        offset: u32,
    ) -> Expr {
        let c = self.c;
        let node = receiver.node;
        let counted_by = match args[..] {
            [_] => self.counted_by(receiver.ty),
            _ => None,
        };
        if self.is_only(&args, Special::Index)
            && let Some(count) = counted_by
        {
            let by_int = indexers.iter().find(|sym| {
                let params = &c.member(sym.member).signature.params;
                matches!(&params[..], [param] if c.is_special(param.ty, Special::Int32))
            });
            if let Some(&sym) = by_int {
                self.record_use(offset, sym.member, How::Index);
                self.record_hidden(offset, count, How::Other);
                self.finish_with(args, &[]);
                let ty = c.type_of(sym);
                return self.result(node, sym.member, ty);
            }
        }
        if self.is_only(&args, Special::Range)
            && let Some(count) = counted_by
        {
            let name = if c.is_special(receiver.ty, Special::String) {
                known::SUBSTRING
            } else {
                known::SLICE
            };
            let int = c.special(Special::Int32);
            let by_two = [Expr::value(node, int), Expr::value(node, int)];
            let two = by_two.map(|expr| Arg {
                name: None,
                ref_kind: RefKind::None,
                expr,
            });
            let recorded = Recorded::Hidden(offset, How::Other);
            self.record_hidden(offset, count, How::Other);
            self.finish_with(args, &[]);
            let sliced = self.call_by_name(receiver, name, two.into(), recorded);
            return sliced.unwrap_or_else(|| Expr::error(node));
        }
        let element = self.inline_array_element(receiver.ty);
        let is_range = self.is_only(&args, Special::Range);
        let is_known = |arg: &Arg| self.is_known(&arg.expr) && arg.expr.ty != Ty::DYNAMIC;
        let are_known = self.is_known(receiver) && args.iter().all(is_known);
        self.finish_with(args, &[]);
        match element {
            Some(element) if is_range => Expr::value(node, c.special_of(Special::Span, &[element])),
            Some(element) => {
                if self.recording == Recording::On {
                    self.held_elements.push(offset);
                }
                Expr::variable(node, element)
            }
            None => {
                if are_known {
                    self.record_misfit_at(offset, Misfit::Arguments);
                }
                if !self.c.is_partly_unknown(receiver.ty) {
                    self.note_misfit();
                }
                Expr::error(node)
            }
        }
    }

    /// The `int` property by which a type is counted: `Length`, or else `Count` (C# specification, 18.4.2).
    pub(crate) fn counted_by(&self, ty: Ty) -> Option<Sym> {
        [known::LENGTH, known::COUNT].into_iter().find_map(|name| {
            let access = self.access(Some(ty));
            match self.c.lookup_member(ty, name, Some(0), access) {
                MemberLookup::Member(sym)
                    if (self.c).is_special(self.c.type_of(sym), Special::Int32) =>
                {
                    Some(sym)
                }
                _ => None,
            }
        })
    }

    /// The element type of an inline array: its only instance field's.
    pub(crate) fn inline_array_element(&self, ty: Ty) -> Option<Ty> {
        let c = self.c;
        let def = c.def_of(ty)?;
        if c.def(def).kind != TypeKind::Struct {
            return None;
        }
        let members = c.members(def).all.iter();
        let mut fields = members.copied().filter(|&id| {
            let member = c.member(id);
            member.kind == DeclKind::Field && !member.is_static()
        });
        let field = fields.next()?;
        if fields.next().is_some() {
            return None;
        }
        Some(c.type_of(Sym {
            member: field,
            container: ty,
        }))
    }

    /// An extension property by name on a value or type (C# 14).
    pub(super) fn extension_property_of(
        &mut self,
        receiver: &Expr,
        name: Name,
    ) -> Option<(Sym, Ty)> {
        let c = self.c;
        let (ty, statics) = match receiver.kind {
            crate::expr::ExprKind::Type => (receiver.ty, Statics::Static),
            _ => (receiver.ty, Statics::Instance),
        };
        if ty.is_none() || ty.is_error() {
            return None;
        }
        let value = Expr::value(receiver.node, ty);
        let levels = c.extensions_in_scope(&self.scope, name);
        for level in levels.iter() {
            let properties: smallvec::SmallVec<[Sym; 4]> = level
                .iter()
                .copied()
                .filter(|sym| {
                    let member = c.member(sym.member);
                    member.kind == DeclKind::Property
                        && member.is_static() == (statics == Statics::Static)
                })
                .collect();
            if properties.is_empty() {
                continue;
            }
            let call = Call {
                receiver: Some(&value),
                ..Call::of(&[], &[], Statics::Both)
            };
            if let Some(choice) = self.choose(&properties, &call, Alternatives::Some) {
                let ty = choice.ty;
                return Some((choice.candidate.sym, ty));
            }
        }
        None
    }
}
