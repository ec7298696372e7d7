//! The parts of a value in positional and list patterns (C# specification, §11.2.5; list patterns).

use cortex_syntax::{BodyId, BodyKind};

use super::deconstruction::PartName;
use crate::{
    binder::Binder,
    expr::{Arg, Expr},
    name::known,
    names::MemberLookup,
    output::{How, Misfit, Why},
    special::Special,
    symbol::RefKind,
    ty::{Ty, TyKind},
};

impl Binder<'_, '_> {
    /// The types of some positions of a value: a tuple's elements, the `out` parameters of `Deconstruct`,
    /// or `object`, through `ITuple`.
    pub(super) fn positions(
        &mut self,
        node: BodyId,
        ty: Ty,
        names: &[PartName],
        offset: u32,
    ) -> Vec<Ty> {
        let count = names.len();
        let ty = self.c.nullable_underlying(ty).unwrap_or(ty);
        let object = self.c.special(Special::Object);
        let is_tuple = |it: Ty| self.c.is_special(it, Special::ITuple);
        if self.c.is_special(ty, Special::Object) || is_tuple(ty) {
            return vec![object; count];
        }
        // The patterns of the language have no place for what they call.
        let found = self.try_deconstruct(&Expr::value(node, ty), names, offset, How::Other);
        found.unwrap_or_else(|| {
            let why = match ty.is_error() {
                true => Why::UnknownReceiver,
                false => Why::NotFound,
            };
            for &(_, offset) in names.iter().flatten() {
                self.record_unbound(offset, why);
            }
            let through_tuple = self.c.all_interfaces(ty).iter().any(|&it| is_tuple(it));
            vec![if through_tuple { object } else { Ty::ERROR }; count]
        })
    }

    /// `[a, .. b, c] x`.
    pub(super) fn list_pattern(&mut self, node: BodyId, input: Ty) -> Ty {
        let ty = self.c.nullable_underlying(input).unwrap_or(input);
        let offset = self.node(node).offset;
        let mut element = None;
        if let Some(count) = self.counted_by(ty) {
            self.record_hidden(offset, count, How::Other);
        } else if self.is_known(&Expr::value(node, ty))
            && matches!(self.c.kind(ty), TyKind::Named { .. })
        {
            self.record_misfit_at(offset, Misfit::Elements);
        }
        for child in self.children(node) {
            match self.body_kind(child) {
                BodyKind::SlicePattern => {
                    if let Some(inner) = self.first(child) {
                        let slice = self.slice_type(node, ty, offset);
                        self.pattern(inner, slice);
                    }
                }
                BodyKind::SingleDesignation | BodyKind::DiscardDesignation => {
                    self.designation(Some(child), ty);
                }
                BodyKind::DiscardPattern => {}
                _ => {
                    let element =
                        *element.get_or_insert_with(|| self.element_type(node, ty, offset));
                    self.pattern(child, element);
                }
            }
        }
        ty
    }

    /// What `[^1]` gives: an indexer by `Index`, or one by `int` beside `Length` or `Count`.
    fn element_type(&mut self, node: BodyId, ty: Ty, offset: u32) -> Ty {
        match *self.c.kind(ty) {
            TyKind::Array(element, 1) => return element,
            TyKind::Error | TyKind::None | TyKind::Dynamic => return Ty::ERROR,
            _ if self.c.is_special(ty, Special::String) => return self.c.special(Special::Char),
            _ => {}
        }
        self.indexed(node, ty, Special::Index, offset)
            .or_else(|| self.indexed(node, ty, Special::Int32, offset))
            .unwrap_or(Ty::ERROR)
    }

    /// What `[1..]` gives: an indexer by `Range`, or `Slice(int, int)`.
    fn slice_type(&mut self, node: BodyId, ty: Ty, offset: u32) -> Ty {
        match *self.c.kind(ty) {
            TyKind::Array(_, 1) => return ty,
            TyKind::Error | TyKind::None | TyKind::Dynamic => return Ty::ERROR,
            _ if self.c.is_special(ty, Special::String) => return ty,
            _ => {}
        }
        if let Some(found) = self.indexed(node, ty, Special::Range, offset) {
            return found;
        }
        let access = self.access(Some(ty));
        let MemberLookup::Methods(methods) =
            self.c.lookup_member(ty, known::SLICE, Some(0), access)
        else {
            return Ty::ERROR;
        };
        let args = [
            self.index_arg(node, Special::Int32),
            self.index_arg(node, Special::Int32),
        ];
        match self.resolve(&methods, &[], &args) {
            Some(resolved) => {
                self.record_hidden(offset, resolved.sym, How::Other);
                resolved.ty
            }
            None => Ty::ERROR,
        }
    }

    fn indexed(&mut self, node: BodyId, ty: Ty, by: Special, offset: u32) -> Option<Ty> {
        let access = self.access(Some(ty));
        let indexers = self.c.indexers(ty, access);
        // Only one that takes this very type: an `Index` converts to nothing else.
        let wanted = self.c.special(by);
        let takes = |sym: &crate::symbol::Sym| matches!(&*self.c.params_of(*sym), [param] if param.ty == wanted);
        let candidates: Vec<_> = indexers.into_iter().filter(takes).collect();
        if candidates.is_empty() {
            return None;
        }
        let resolved = self.resolve(&candidates, &[], &[self.index_arg(node, by)])?;
        self.record_hidden(offset, resolved.sym, How::Other);
        Some(resolved.ty)
    }

    fn index_arg(&self, node: BodyId, ty: Special) -> Arg {
        Arg {
            name: None,
            ref_kind: RefKind::None,
            expr: Expr::value(node, self.c.special(ty)),
        }
    }
}
