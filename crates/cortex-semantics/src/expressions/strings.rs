//! Interpolated strings (C# specification, §12.8.3, and interpolated string handlers of C# 10).

use cortex_syntax::{BodyId, BodyKind};

use crate::{
    binder::Binder,
    expr::{Arg, Expr, ExprKind},
    name::known,
    names::MemberLookup,
    output::How,
    overload::{Recorded, UNWRITTEN},
    special::Special,
    symbol::{RefKind, TypeFlags},
    ty::Ty,
};

impl Binder<'_, '_> {
    pub(super) fn bind_interpolated_string(&mut self, node: BodyId) -> Expr {
        for hole in self.children(node) {
            for part in self.children(hole) {
                self.bind_value(part);
            }
        }
        let string = self.c.special(Special::String);
        Expr::of(node, string, ExprKind::InterpolatedString)
    }

    /// Finishes an interpolated string as a handler type: its parts through `AppendFormatted`.
    pub(crate) fn finish_interpolated_string(&mut self, expr: Expr, ty: Option<Ty>) -> Expr {
        let node = expr.node;
        let Some(ty) = ty else {
            return Expr::value(node, expr.ty);
        };
        let def = self.c.def_of(ty);
        let is_handler = def.is_some_and(|def| {
            self.c.def(def).is_source() && self.c.header(def).flags.has(TypeFlags::STRING_HANDLER)
        });
        if is_handler && self.body_kind(node) == BodyKind::InterpolatedString {
            self.append_holes(node, ty);
        }
        Expr::value(node, ty)
    }

    /// Records `AppendLiteral`, and the `AppendFormatted` of each hole. The holes' names were recorded when they were bound.
    fn append_holes(&mut self, node: BodyId, handler: Ty) {
        let receiver = Expr::variable(node, handler);
        let access = self.access(Some(handler));
        let literals = (self.c).lookup_member(handler, known::APPEND_LITERAL, Some(0), access);
        if matches!(literals, MemberLookup::Methods(_)) {
            // Whether there is text between the holes is not known.
            let text = Expr::value(node, self.c.special(Special::String));
            let recorded = Recorded::Hidden(self.node(node).offset, How::Other);
            self.call_by_name(
                &receiver,
                known::APPEND_LITERAL,
                vec![by_value(text)],
                recorded,
            );
        }
        for hole in self.children(node) {
            if self.body_kind(hole) != BodyKind::Interpolation {
                continue;
            }
            let mut parts = self.children(hole);
            let Some(value) = parts.next() else { continue };
            let mut args = Vec::with_capacity(3);
            let (value, _) = self.speculate(|binder| binder.bind_value(value));
            args.push(by_value(value));
            // The compiler passes both by name.
            let mut pass = |is_there: bool, name: &str, ty: Special| {
                let mut arg = by_value(Expr::value(hole, self.c.special(ty)));
                arg.name = Some((self.c.name(name), UNWRITTEN));
                args.extend(is_there.then_some(arg));
            };
            pass(parts.next().is_some(), "alignment", Special::Int32);
            pass(self.node(hole).value == 1, "format", Special::String);
            let recorded = Recorded::Hidden(self.node(hole).offset, How::Other);
            self.call_by_name(&receiver, known::APPEND_FORMATTED, args, recorded);
        }
    }
}

/// An argument without a name or modifier.
pub(super) fn by_value(expr: Expr) -> Arg {
    Arg {
        name: None,
        ref_kind: RefKind::None,
        expr,
    }
}
