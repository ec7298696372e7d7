//! Deconstruction (C# specification, §12.7): a value taken apart into several targets.

use cortex_syntax::{BodyId, BodyKind};

use crate::{
    binder::Binder,
    expr::{Arg, Expr, ExprKind},
    expressions::Given,
    local_names::{LocalRole, LocalSymbol, Recording},
    name::{Name, known},
    names::MemberLookup,
    output::{How, Misfit, Why},
    overload::Recorded,
    symbol::{RefKind, Sym},
    ty::{Ty, TyKind},
};

/// The name of a part before a colon and where it is: positional patterns alone have some.
pub(super) type PartName = Option<(Name, u32)>;

/// How a part is assigned.
#[derive(Clone, Copy)]
struct Assigning {
    /// Of `=` or `foreach`.
    offset: u32,
    /// How `Deconstruct` is recorded: inner ones have no place of their own.
    how: How,
    value: Written,
}

/// Whether a value is an expression of the program, so that its conversion has a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Written {
    Yes,
    No,
}

impl Binder<'_, '_> {
    /// §12.7: the types of the parts that a value is taken apart into; `Deconstruct` recorded at `offset`, and what
    /// the names of parts mean at these. `None` where there is no such tuple and no such method.
    pub(super) fn try_deconstruct(
        &mut self,
        value: &Expr,
        names: &[PartName],
        offset: u32,
        how: How,
    ) -> Option<Vec<Ty>> {
        match self.c.kind(value.ty) {
            TyKind::Tuple { elements, .. } if elements.len() == names.len() => {
                self.record_element_names(value.ty, names);
                return Some(elements.to_vec());
            }
            TyKind::Error | TyKind::None | TyKind::Dynamic => return None,
            _ => {}
        }
        // The out arguments are locals of unknown type: binding the call gives them their types.
        let first = self.locals.len();
        let args = names
            .iter()
            .map(|&name| {
                let local = self.declare(known::EMPTY, Ty::NONE, LocalSymbol::Implicit);
                Arg {
                    name,
                    ref_kind: RefKind::Out,
                    expr: Expr::of(value.node, Ty::NONE, ExprKind::ImplicitOut(local)),
                }
            })
            .collect();
        let recorded = Recorded::Hidden(offset, how);
        let called = self.call_by_name(value, known::DECONSTRUCT, args, recorded);
        if called.is_some()
            && self.recording == Recording::On
            && self.has_several_ways(value.ty, names)
        {
            self.out.misfits.push((offset, Misfit::Arguments));
        }
        let types = self.locals[first..]
            .iter()
            .map(|local| match local.ty {
                Ty::NONE => Ty::ERROR,
                ty => ty,
            })
            .take(names.len())
            .collect();
        self.locals.truncate(first);
        called.map(|_| types)
    }

    /// Whether a type declares several methods `Deconstruct` that give as many parts: types of parts choose none of them.
    fn has_several_ways(&self, ty: Ty, names: &[PartName]) -> bool {
        let found = (self.c).lookup_member(ty, known::DECONSTRUCT, None, self.access(Some(ty)));
        let MemberLookup::Methods(methods) = found else {
            return false;
        };
        let gives_parts = |sym: &&Sym| {
            let method = self.c.member(sym.member);
            let params = &method.signature.params;
            !method.is_static()
                && params.len() == names.len()
                && params.iter().all(|it| it.ref_kind == RefKind::Out)
        };
        let mut fitting = methods.iter().filter(gives_parts);
        let nearest = fitting.next().map(|sym| sym.container);
        fitting.any(|sym| Some(sym.container) == nearest)
    }

    /// Records which elements of a tuple the names of its parts mean (§11.2.5).
    fn record_element_names(&mut self, tuple: Ty, names: &[PartName]) {
        for &(name, offset) in names.iter().flatten() {
            match self.element_of_value(tuple, name) {
                Some((at, _)) => {
                    self.record_local(offset, LocalSymbol::Element(at), LocalRole::Use);
                }
                None => self.record_unbound(offset, Why::NotFound),
            }
        }
    }

    /// `(a, var b) = e`, `var (a, b) = e`: the left side's node, the value, the offset of `=`.
    pub(crate) fn bind_deconstruction(&mut self, left: BodyId, value: Expr, offset: u32) -> Expr {
        let node = value.node;
        let at = Assigning {
            offset,
            how: How::Deconstruct,
            value: Written::Yes,
        };
        let ty = self.assign_part(left, value, at);
        Expr::value(node, ty)
    }

    /// Assigns a value to a target, which may be taken apart itself; the type of the target.
    fn assign_part(&mut self, target: BodyId, value: Expr, at: Assigning) -> Ty {
        self.deeper(|binder| binder.assign_at(target, value, at))
            .unwrap_or(Ty::ERROR)
    }

    fn assign_at(&mut self, target: BodyId, value: Expr, at: Assigning) -> Ty {
        let parts: Vec<BodyId> = match self.body_kind(target) {
            BodyKind::Tuple => {
                let args = self.children(target);
                args.map(|arg| self.first(arg).unwrap_or(arg)).collect()
            }
            BodyKind::ParenthesizedDesignation => self.children(target).collect(),
            BodyKind::DeclarationExpression => return self.declare_part(target, value, at),
            BodyKind::SingleDesignation => {
                let ty = self.finished_type(value);
                self.declare_at(target, ty);
                return ty;
            }
            BodyKind::DiscardDesignation => return self.finished_type(value),
            _ => {
                let to = self.bind(target);
                self.mark_written(target);
                if matches!(to.kind, ExprKind::Discard) {
                    return self.finished_type(value);
                }
                self.check_written(&to, Given::Assigned);
                return self.assign_value(value, to.ty, at);
            }
        };
        // A tuple literal goes element by element, each to its target.
        if let ExprKind::Tuple(elements) = &value.kind
            && elements.len() == parts.len()
        {
            let elements = elements.clone();
            let inner = Assigning {
                how: How::Other,
                ..at
            };
            let pairs = parts.iter().zip(elements.iter());
            let types = pairs
                .map(|(&part, (element, _))| self.assign_part(part, element.clone(), inner))
                .collect();
            return self.tuple_type(types);
        }
        let value = self.finish(value);
        let types = self.try_deconstruct(&value, &vec![None; parts.len()], at.offset, at.how);
        if types.is_none() && self.is_known(&value) && value.ty != Ty::DYNAMIC {
            self.record_misfit_at(at.offset, Misfit::Arguments);
        }
        let types = types.unwrap_or_else(|| vec![Ty::ERROR; parts.len()]);
        let inner = Assigning {
            how: How::Other,
            value: Written::No,
            ..at
        };
        let types = parts
            .iter()
            .zip(types)
            .map(|(&part, ty)| self.assign_part(part, Expr::value(value.node, ty), inner))
            .collect();
        self.tuple_type(types)
    }

    /// `T x`, `var x`, `var (x, y)`, `T _`.
    fn declare_part(&mut self, node: BodyId, value: Expr, at: Assigning) -> Ty {
        let mut children = self.children(node);
        let (Some(written), Some(designation)) = (children.next(), children.next()) else {
            return self.finished_type(value);
        };
        let Some(ty) = self.written_type(written) else {
            return self.assign_part(designation, value, at);
        };
        if self.body_kind(designation) == BodyKind::SingleDesignation {
            self.declare_at(designation, ty);
        }
        self.assign_value(value, ty, at)
    }

    fn assign_value(&mut self, value: Expr, ty: Ty, at: Assigning) -> Ty {
        if at.value == Written::Yes {
            self.convert(value, ty);
        }
        ty
    }

    fn finished_type(&mut self, value: Expr) -> Ty {
        match self.finish(value).ty {
            Ty::NONE => Ty::ERROR,
            ty => ty,
        }
    }

    fn tuple_type(&self, elements: Vec<Ty>) -> Ty {
        self.c.intern(TyKind::Tuple {
            names: elements.iter().map(|_| None).collect(),
            elements: elements.into(),
        })
    }
}
