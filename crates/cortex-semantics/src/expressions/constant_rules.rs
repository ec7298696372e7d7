//! Where constants are wanted: that nothing in them is computed when code runs.
//!
//! Says nothing of what is not known, and nothing of the types that constants may have. Source: C# specification, §12.25,
//! §13.6.3, §15.4, §15.6.2, §11.2.3, §23.2.

use cortex_model::DeclKind;
use cortex_syntax::{BodyId, BodyKind, Op};

use crate::{
    binder::Binder,
    local_names::Recording,
    name::known,
    output::Misfit,
    special::Special,
    symbol::{MemberFlags, MemberOrigin},
};

/// What a constant is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ConstantFor {
    /// A constant, a member of an enum or a pattern.
    Value,
    /// A parameter without an argument: new structs as well.
    Default,
    /// An attribute: types and arrays as well.
    Attribute,
}

impl Binder<'_, '_> {
    /// Records an expression, which was bound just now, that is no constant although one is wanted.
    pub(crate) fn check_constant(&mut self, node: BodyId, wanted: ConstantFor) {
        if self.recording == Recording::On && self.is_computed(node, wanted) {
            self.record_misfit_at(self.start_of(node), Misfit::Constant);
        }
    }

    /// Whether something in an expression is certainly computed when code runs.
    fn is_computed(&self, node: BodyId, wanted: ConstantFor) -> bool {
        let any = |skipped: usize| {
            let mut parts = self.children(node).skip(skipped);
            parts.any(|it| self.is_computed(it, wanted))
        };
        match self.body_kind(node) {
            BodyKind::Parenthesized
            | BodyKind::SuppressNull
            | BodyKind::Checked
            | BodyKind::Conditional
            | BodyKind::InterpolatedString
            | BodyKind::Interpolation => any(0),
            BodyKind::Binary => {
                let is_chosen = self.node(node).flags == Op::Coalesce as u8;
                !is_chosen && any(0)
            }
            BodyKind::Unary => {
                const COMPUTED: [Op; 4] =
                    [Op::Increment, Op::Decrement, Op::Dereference, Op::AddressOf];
                let op = self.node(node).flags;
                any(0) || COMPUTED.iter().any(|&it| it as u8 == op)
            }
            BodyKind::Cast => any(1),
            BodyKind::Name | BodyKind::MemberAccess => self.names_computed(node),
            BodyKind::Invocation => {
                let callee = self.first(node);
                let is_name = |it: BodyId| self.body_kind(it) == BodyKind::Name;
                !callee.is_some_and(|it| is_name(it) && self.name_of(it) == known::NAMEOF)
            }
            BodyKind::ArrayCreation | BodyKind::ImplicitArray => wanted != ConstantFor::Attribute,
            BodyKind::TypeOf => wanted != ConstantFor::Attribute,
            BodyKind::ObjectCreation | BodyKind::ImplicitCreation => wanted != ConstantFor::Default,
            BodyKind::AnonymousObject
            | BodyKind::Lambda
            | BodyKind::AnonymousMethod
            | BodyKind::Await
            | BodyKind::This
            | BodyKind::Assignment
            | BodyKind::Postfix
            | BodyKind::ElementAccess
            | BodyKind::SwitchExpression
            | BodyKind::Query
            | BodyKind::With => true,
            _ => false,
        }
    }

    /// Whether a name means a variable or a property.
    fn names_computed(&self, node: BodyId) -> bool {
        if self.body_kind(node) == BodyKind::Name
            && let Some(local) = self.local(self.name_of(node))
        {
            let local = &self.locals[local as usize];
            return !local.is_constant && local.function.is_none();
        }
        let offset = self.name_offset(node);
        let Some(member) = offset.and_then(|offset| self.recorded_member(offset)) else {
            return false;
        };
        let member = self.c.member(member);
        // Metadata has constants of `decimal` as fields.
        let is_decimal = self.c.is_special(member.signature.ty, Special::Decimal);
        let is_variable = match member.kind {
            DeclKind::Field => member.origin != MemberOrigin::External || !is_decimal,
            kind => matches!(kind, DeclKind::Property | DeclKind::Event),
        };
        is_variable && !member.is(MemberFlags::CONST)
    }
}
