//! What cannot get another value: constants, readonly fields, properties without `set`, variables of `foreach` and `using`,
//! `in` parameters, `this` and its parts in readonly members of structs, parts of values that are no variables, and what is no
//! variable at all.
//!
//! Of what is not known, nothing is said. Source: C# specification, §12.21.2, §12.8.16, §13.9.5, §13.14, §15.5.3, §15.6.2,
//! §15.7.3; *Init only setters*, *Readonly instance members*.

use cortex_model::{DeclKind, TypeKind};
use cortex_syntax::{BodyId, BodyKind, Op};

use super::setters::Setter;
use crate::{
    binder::{Binder, Initializes},
    expr::{Expr, ExprKind},
    local_names::{LocalSymbol, Recording},
    output::{How, Misfit, Target},
    symbol::{Member, MemberFlags, MemberId, RefKind, TypeFlags},
    ty::Ty,
};

/// How something gets a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Given {
    /// By an assignment, `++`, `--` or as a part of a deconstruction.
    Assigned,
    /// By whoever it is passed to, `ref` or `out`: there has to be a variable.
    Passed,
    /// By a part of it, which it holds itself: it is a struct.
    InPart,
    /// By a part of it that an accessor sets which leaves the struct as it is: any variable will do.
    Behind,
}

/// What an expression names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Named {
    Local(u32),
    Member(MemberId),
    /// A parameter of the primary constructor of the type around.
    Captured,
    /// An element of a tuple; members of anonymous types get no values anyway.
    Element,
    This,
    Unknown,
}

/// How many names may stand between that of a target and the end of what is recorded.
const N_RECENT: usize = 64;

impl Binder<'_, '_> {
    /// Records a target that cannot get a value; it was bound just now.
    pub(crate) fn check_written(&mut self, target: &Expr, given: Given) {
        if self.recording == Recording::On && !self.may_be_written(target, given) {
            let name = self.name_offset(target.node);
            let offset = name.unwrap_or_else(|| self.start_of(target.node));
            self.record_misfit_at(offset, Misfit::ReadOnly);
        }
    }

    /// Records what a `ref` variable would let code write and that cannot get a value; it was bound just now.
    pub(crate) fn check_alias(&mut self, initial: Option<BodyId>, ref_kind: RefKind) {
        let is_reference = |it: &BodyId| self.body_kind(*it) == BodyKind::RefExpression;
        let target = initial.filter(is_reference).and_then(|it| self.first(it));
        if let Some(target) = target
            && ref_kind == RefKind::Ref
            && self.recording == Recording::On
            && !self.is_writable(target, Given::Passed)
        {
            self.record_misfit_at(self.start_of(target), Misfit::ReadOnly);
        }
    }

    fn may_be_written(&self, target: &Expr, given: Given) -> bool {
        match &target.kind {
            ExprKind::Methods(_) | ExprKind::Lambda | ExprKind::Null => return false,
            ExprKind::Value if target.is_error() || target.ty == Ty::DYNAMIC => return true,
            ExprKind::Value | ExprKind::Variable => {}
            _ => return true,
        }
        self.is_writable(target.node, given) && !self.is_only_value(target.node)
    }

    /// Whether the value of an expression is in no variable, whatever it names.
    fn is_only_value(&self, node: BodyId) -> bool {
        match self.body_kind(node) {
            BodyKind::Parenthesized | BodyKind::SuppressNull => {
                self.first(node).is_some_and(|it| self.is_only_value(it))
            }
            BodyKind::Unary => self.node(node).flags != Op::Dereference as u8,
            BodyKind::Literal
            | BodyKind::Binary
            | BodyKind::Postfix
            | BodyKind::Cast
            | BodyKind::Is
            | BodyKind::As
            | BodyKind::ObjectCreation
            | BodyKind::ImplicitCreation
            | BodyKind::AnonymousObject
            | BodyKind::TypeOf
            | BodyKind::SizeOf
            | BodyKind::Default
            | BodyKind::InterpolatedString
            | BodyKind::SwitchExpression
            | BodyKind::With
            | BodyKind::Await => true,
            BodyKind::Conditional => {
                let branch = self.children(node).nth(1).map(|it| self.body_kind(it));
                branch != Some(BodyKind::RefExpression)
            }
            _ => false,
        }
    }

    /// Whether what an expression names may get a value.
    fn is_writable(&self, node: BodyId, given: Given) -> bool {
        match self.body_kind(node) {
            BodyKind::Parenthesized | BodyKind::SuppressNull => self
                .first(node)
                .is_none_or(|it| self.is_writable(it, given)),
            BodyKind::Name | BodyKind::GenericName | BodyKind::MemberAccess => {
                match self.named(node) {
                    Named::Local(local) => self.may_write_local(local, given),
                    Named::Member(member) => self.may_write_member(node, member, given),
                    Named::Captured => given == Given::Behind || !self.is_this_fixed,
                    Named::Element => self.may_write_inside(node, given),
                    Named::This | Named::Unknown => true,
                }
            }
            BodyKind::ElementAccess => self.may_write_element(node, given),
            BodyKind::Invocation => !self.is_called_by_value(node),
            BodyKind::This => match given {
                Given::Behind => true,
                Given::InPart => !self.is_this_fixed,
                Given::Assigned | Given::Passed => !self.is_this_fixed && !self.is_this_readonly(),
            },
            _ => true,
        }
    }

    fn may_write_local(&self, local: u32, given: Given) -> bool {
        let local = &self.locals[local as usize];
        match given {
            Given::Assigned | Given::Passed => !local.is_readonly,
            // What a pointer or reference leads to is not its own.
            Given::InPart => !local.is_readonly || !self.c.is_value_type(local.ty),
            Given::Behind => true,
        }
    }

    /// What a name, or the last name of a member access, means, as it was recorded.
    fn named(&self, node: BodyId) -> Named {
        if self.body_kind(node) == BodyKind::This {
            return Named::This;
        }
        let is_alone = matches!(self.body_kind(node), BodyKind::Name);
        if is_alone && let Some(local) = self.local(self.name_of(node)) {
            return Named::Local(local);
        }
        let offset = self.name_offset(node);
        let member = offset.and_then(|offset| self.recorded_member(offset));
        member.map_or_else(|| self.named_local(node), Named::Member)
    }

    /// What a name means that is no member and no local of the function.
    fn named_local(&self, node: BodyId) -> Named {
        let Some(offset) = self.name_offset(node) else {
            return Named::Unknown;
        };
        let mut recent = self.out.locals.iter().rev().take(N_RECENT);
        match recent.find(|it| it.offset == offset).map(|it| it.symbol) {
            Some(LocalSymbol::Parameter(..)) => Named::Captured,
            Some(LocalSymbol::Element(_)) => Named::Element,
            _ => Named::Unknown,
        }
    }

    /// The member that the name at an offset means, as it was recorded a short while ago.
    pub(super) fn recorded_member(&self, offset: u32) -> Option<MemberId> {
        let mut recent = self.out.refs.iter().rev().take(N_RECENT);
        match recent.find(|it| it.offset == offset)?.target {
            Target::Member(member) => Some(member),
            _ => None,
        }
    }

    fn may_write_member(&self, node: BodyId, id: MemberId, given: Given) -> bool {
        let member = self.c.member(id);
        let is_own = || self.is_initialized_here(node, member);
        let is_fixed = || self.is_this_fixed && self.is_of_this(node, member);
        let may = match (member.kind, member.signature.ref_kind) {
            (DeclKind::Constant | DeclKind::EnumMember, _) => given == Given::InPart,
            (DeclKind::Field, RefKind::None) => {
                let may_change = !member.is(MemberFlags::READONLY) || is_own();
                given == Given::Behind || may_change && !is_fixed()
            }
            (DeclKind::Property | DeclKind::Indexer, RefKind::None) => match given {
                Given::Assigned => self.c.setter(member) == Setter::Set || is_own(),
                Given::Passed | Given::InPart | Given::Behind => false,
            },
            (DeclKind::Event, RefKind::None) => !is_fixed(),
            // What a reference leads to is no part of what has the reference.
            (_, RefKind::RefReadonly | RefKind::In) => return given == Given::Behind,
            (_, RefKind::Ref | RefKind::Out) => return true,
            _ => true,
        };
        may && self.may_write_part(node, member, given)
    }

    /// Whether a member gets its first value here: it is one of the object that a constructor or `init` makes, or of the
    /// type whose static constructor runs.
    fn is_initialized_here(&self, node: BodyId, member: &Member) -> bool {
        let is_of_this = member.is_static() || self.is_of_this(node, member);
        let is_made_by = match self.initializes {
            Initializes::Nothing => false,
            Initializes::Statics => member.is_static(),
            Initializes::Object => !member.is_static(),
        };
        // Setters that are `init` are inherited, and properties without one get their value from constructors alone.
        let is_init = self.c.setter(member) != Setter::None;
        let in_constructor = || {
            let around = self.member.map(|it| self.c.member(it).kind);
            member.kind == DeclKind::Field
                || matches!(
                    around,
                    Some(DeclKind::Constructor | DeclKind::StaticConstructor)
                ) && self.c.has_own_field(member)
        };
        let is_own = || self.scope.container == Some(member.owner) && in_constructor();
        is_of_this && is_made_by && !self.is_in_lambda() && (is_init || is_own())
    }

    /// Whether a name means a member of `this`.
    fn is_of_this(&self, node: BodyId, member: &Member) -> bool {
        let is_named_alone = self.body_kind(node) != BodyKind::MemberAccess;
        let receiver = self.first(node).map(|it| self.body_kind(it));
        let is_this = matches!(receiver, Some(BodyKind::This | BodyKind::Base));
        !member.is_static() && (is_named_alone || is_this)
    }

    /// Whether what holds a part of a struct is a variable that may get another value.
    fn may_write_part(&self, node: BodyId, member: &Member, given: Given) -> bool {
        let owner = self.c.def(member.owner).kind;
        let is_of_struct = matches!(owner, TypeKind::Struct | TypeKind::RecordStruct);
        if member.is_static() || !is_of_struct {
            return true;
        }
        let is_set = given == Given::Assigned
            && matches!(member.kind, DeclKind::Property | DeclKind::Indexer);
        let given = match is_set && self.c.is_set_readonly(member) {
            true => Given::Behind,
            false => given,
        };
        match self.body_kind(node) {
            BodyKind::MemberAccess | BodyKind::ElementAccess => self.may_write_inside(node, given),
            _ => given == Given::Behind || !self.is_this_fixed,
        }
    }

    /// Whether the struct before a dot or bracket is in a variable that may get another value.
    fn may_write_inside(&self, node: BodyId, given: Given) -> bool {
        // What a pointer leads to is no part of what has the pointer.
        if self.body_kind(node) == BodyKind::MemberAccess && self.node(node).flags & 1 != 0 {
            return true;
        }
        let given = match given {
            Given::Behind => Given::Behind,
            _ => Given::InPart,
        };
        let is_writable = |it| !self.is_only_value(it) && self.is_writable(it, given);
        self.first(node).is_none_or(is_writable)
    }

    /// Whether an element may get a value: an indexer's is that of a property, one of an inline array or a buffer of a
    /// fixed size a part of the struct that has it.
    fn may_write_element(&self, node: BodyId, given: Given) -> bool {
        let offset = self.node(node).offset;
        let mut held = self.held_elements.iter().rev().take(N_RECENT);
        if held.any(|&it| it == offset) || self.is_of_buffer(node) {
            return self.may_write_inside(node, given);
        }
        let mut recent = self.out.uses.iter().rev().take(N_RECENT);
        let found = recent.find(|it| it.offset == offset && it.how == How::Index);
        found.is_none_or(|it| {
            let member = self.c.member(it.target);
            match (given, member.signature.ref_kind) {
                (Given::Behind, RefKind::RefReadonly | RefKind::In) => true,
                (_, RefKind::RefReadonly | RefKind::In) => false,
                (Given::Assigned, RefKind::None) => {
                    let is_set = self.c.setter(member) == Setter::Set;
                    is_set && self.may_write_part(node, member, given)
                }
                (_, RefKind::None) => member.kind != DeclKind::Indexer,
                _ => true,
            }
        })
    }

    /// Whether an element is one of a buffer of a fixed size.
    fn is_of_buffer(&self, node: BodyId) -> bool {
        let array = self.first(node).map(|it| self.named(it));
        matches!(array, Some(Named::Member(id)) if self.c.is_fixed_buffer(self.c.member(id)))
    }

    /// Whether a call gives back a value, not a reference.
    fn is_called_by_value(&self, node: BodyId) -> bool {
        let mut given = self.given_values.iter().rev().take(N_RECENT);
        if given.any(|&it| it == node) {
            return true;
        }
        let callee = self.first(node);
        match callee.map(|it| self.named(it)) {
            Some(Named::Member(member)) => {
                let member = self.c.member(member);
                member.kind == DeclKind::Method && member.signature.ref_kind == RefKind::None
            }
            _ => false,
        }
    }

    /// Whether `this` cannot get another value: that of a class.
    fn is_this_readonly(&self) -> bool {
        let Some(def) = self.scope.container else {
            return false;
        };
        let is_class = matches!(self.c.def(def).kind, TypeKind::Class | TypeKind::Record);
        let is_static = self.c.header(def).flags.has(TypeFlags::STATIC);
        is_class && !is_static
    }

    /// Records a member of an object that an initializer cannot give a value.
    pub(super) fn check_initialized(&mut self, target: BodyId) {
        if self.recording == Recording::Off {
            return;
        }
        let offset = self.node(target).offset;
        let Some(member) = self.recorded_member(offset) else {
            return;
        };
        let member = self.c.member(member);
        let may = match (member.kind, member.signature.ref_kind) {
            (DeclKind::Field, RefKind::None) => !member.is(MemberFlags::READONLY),
            (DeclKind::Property, RefKind::None) => self.c.setter(member) != Setter::None,
            (DeclKind::Constant, _) => false,
            _ => true,
        };
        if !may {
            self.record_misfit_at(offset, Misfit::ReadOnly);
        }
    }
}
