//! Deconstruction (C# specification, §12.7): a value taken apart into several targets.

use cortex_syntax::{BodyId, BodyKind};

use crate::{
    binder::Binder,
    expr::{Arg, Expr, ExprKind},
    local_names::LocalSymbol,
    name::known,
    output::How,
    overload::Recorded,
    symbol::RefKind,
    ty::{Ty, TyKind},
};

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
    /// §12.7: the types that a value is taken apart into, `count` of them; `Deconstruct` recorded at
    /// `offset`. `None` where there is no such tuple and no such method.
    pub(super) fn try_deconstruct(
        &mut self,
        value: &Expr,
        count: usize,
        offset: u32,
        how: How,
    ) -> Option<Vec<Ty>> {
        match self.c.kind(value.ty) {
            TyKind::Tuple { elements, .. } if elements.len() == count => {
                return Some(elements.to_vec());
            }
            TyKind::Error | TyKind::None | TyKind::Dynamic => return None,
            _ => {}
        }
        // The out arguments are locals of unknown type: binding the call gives them their types.
        let first = self.locals.len();
        let args = (0..count)
            .map(|_| {
                let local = self.declare(known::EMPTY, Ty::NONE, LocalSymbol::Implicit);
                Arg {
                    name: None,
                    ref_kind: RefKind::Out,
                    expr: Expr::of(value.node, Ty::NONE, ExprKind::ImplicitOut(local)),
                }
            })
            .collect();
        let recorded = Recorded::Hidden(offset, how);
        let called = self.call_by_name(value, known::DECONSTRUCT, args, recorded);
        let types = self.locals[first..]
            .iter()
            .map(|local| match local.ty {
                Ty::NONE => Ty::ERROR,
                ty => ty,
            })
            .take(count)
            .collect();
        self.locals.truncate(first);
        called.map(|_| types)
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
        let types = self
            .try_deconstruct(&value, parts.len(), at.offset, at.how)
            .unwrap_or_else(|| vec![Ty::ERROR; parts.len()]);
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
