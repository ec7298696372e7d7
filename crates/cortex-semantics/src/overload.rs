//! Which of several members a call means (C# specification, §12.6), calls of every kind.
//!
//! Owns: candidates, inference, betterness, and what a call gives. Must not know: how members are found
//! by name, what converts to what.

mod arguments;
mod better;
mod call;
mod candidate;
mod constraints;
mod element;
mod failed;
mod group;
mod infer;
mod invocation;
mod mapping;
mod name_of;
mod resolve;

use cortex_model::EdgeKind;
use cortex_syntax::BodyId;

pub use self::constraints::ArgumentTraits;

pub(crate) use self::arguments::UNWRITTEN;
use self::{
    call::{Call, Statics},
    resolve::Alternatives,
};
use crate::{
    binder::Binder,
    expr::{Arg, Expr, MethodGroup},
    name::Name,
    output::{Certainty, How},
    symbol::Sym,
    ty::Ty,
};

/// A member that a call means, with everything inferred.
#[derive(Clone, Debug)]
pub(crate) struct Resolved {
    /// The member and its constructed container.
    pub sym: Sym,
    /// By argument: the type that it converts to, constructed; in the expanded form, the element's.
    pub targets: Box<[Ty]>,
    /// The result type, constructed.
    pub ty: Ty,
    /// Whether the language was certain: otherwise the name and type are, and the overload is the likeliest.
    pub is_exact: bool,
    /// The type arguments of a method, written or inferred.
    pub type_args: Box<[Ty]>,
    /// The collection that the call makes of arguments.
    pub collected: Option<Collected>,
}

/// The collection of a `params` parameter in the expanded form that is not an array (C# 13, params collections).
#[derive(Clone, Debug)]
pub(crate) struct Collected {
    /// Its type, constructed.
    pub ty: Ty,
    /// By argument: whether it is an element.
    pub is_element: Box<[bool]>,
}

/// How a chosen member is recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Recorded {
    /// By its name, at this offset.
    Named(u32),
    /// As a use without a name, at this offset.
    Hidden(u32, How),
}

impl Recorded {
    /// Where it is recorded.
    pub(crate) fn offset(self) -> u32 {
        let (Self::Named(offset) | Self::Hidden(offset, _)) = self;
        offset
    }
}

impl Binder<'_, '_> {
    /// §12.6.2: the arguments of an `Arguments` node, bound without their parameters.
    pub(crate) fn bind_arguments(&mut self, node: BodyId) -> Vec<Arg> {
        self.bound_arguments(node)
    }

    /// §12.6.4: the best of several members for arguments. Type arguments are inferred (§12.6.3) where none
    /// are given. Records nothing. `None`: no candidate is applicable.
    pub(crate) fn resolve(
        &mut self,
        candidates: &[Sym],
        type_args: &[Ty],
        args: &[Arg],
    ) -> Option<Resolved> {
        let call = Call::of(args, type_args, Statics::Both);
        let choice = self.choose(candidates, &call, Alternatives::Some)?;
        Some(choice.resolved(self.c))
    }

    /// `callee(args)`: §12.8.10: methods, extension methods, delegates, `nameof`, local functions.
    pub(crate) fn bind_invocation(&mut self, node: BodyId) -> Expr {
        self.invocation(node)
    }

    /// A method group called with arguments; extension methods where it allows them.
    pub(crate) fn call_group(
        &mut self,
        node: BodyId,
        group: &MethodGroup,
        args: Vec<Arg>,
        recorded: Recorded,
    ) -> Expr {
        self.group_called(node, group, args, recorded)
    }

    /// A member of a name called on a value, extension methods included: query operators, `Add`,
    /// `Deconstruct`, `GetAwaiter`, …. `None`: there is none; then nothing is recorded.
    pub(crate) fn call_by_name(
        &mut self,
        receiver: &Expr,
        name: Name,
        args: Vec<Arg>,
        recorded: Recorded,
    ) -> Option<Expr> {
        self.named_called(receiver, name, args, recorded)
    }

    /// A constructor called: its use is recorded at `offset` as `How::New`.
    pub(crate) fn call_constructor(&mut self, ty: Ty, args: Vec<Arg>, offset: u32) {
        self.constructor_called(ty, args, offset);
    }

    /// A constructor called without being named: what makes the collection of its `params` parameter is recorded at
    /// `offset`. The call itself is not.
    pub(crate) fn call_implicitly(&mut self, ty: Ty, offset: u32) {
        let constructors = self.c.constructors(ty, self.access(None));
        let called = self.resolve(&constructors, &[], &[]);
        if let Some(collected) = called.and_then(|it| it.collected) {
            self.fill_collection(collected.ty, &[], offset);
        }
    }

    /// `receiver[args]`: §12.8.12: arrays, pointers, strings and spans by `int`, ranges and indices, indexers
    /// (recorded at `offset` as `How::Index`).
    pub(crate) fn bind_element_access(
        &mut self,
        receiver: Expr,
        args: BodyId,
        offset: u32,
    ) -> Expr {
        self.element_accessed(receiver, args, offset)
    }

    /// §10.8: the method of a group that a delegate type means. Records nothing.
    pub(crate) fn group_conversion(
        &mut self,
        group: &MethodGroup,
        delegate: Ty,
    ) -> Option<Resolved> {
        let found = self.method_for_delegate(group, delegate)?;
        Some(found.resolved)
    }

    /// Finishes a group as a delegate type: records the chosen method by its name.
    pub(crate) fn finish_group(&mut self, group: &MethodGroup, delegate: Option<Ty>) {
        let found = delegate.and_then(|ty| self.method_for_delegate(group, ty));
        if let Some(delegate) = delegate
            && !(self.c).becomes_delegate(found.as_ref().map(|it| &it.resolved), delegate)
        {
            self.record_misfit(Recorded::Named(group.offset));
        }
        let Some(found) = found else {
            return self.record_group(group, EdgeKind::Calls);
        };
        let member = found.resolved.sym.member;
        let certainty = if found.resolved.is_exact {
            Certainty::Exact
        } else {
            Certainty::OverloadSet
        };
        self.settle_group(group, member);
        let recorded = Recorded::Named(group.offset);
        self.record_called(recorded, member, found.called, certainty);
        if group.receiver.is_none() {
            self.check_named_alone(group.offset, member);
        }
    }

    /// Extension properties and the like: a member of an extension block by name on a receiver (value or
    /// type), not called.
    pub(crate) fn extension_property(&mut self, receiver: &Expr, name: Name) -> Option<(Sym, Ty)> {
        self.extension_property_of(receiver, name)
    }
}
