//! Which of several members a call means (C# specification, §12.6), calls of every kind.
//! STUB (owner: OVERLOAD)

use cortex_syntax::BodyId;

use crate::{
    binder::Binder,
    expr::{Arg, Expr, MethodGroup},
    name::Name,
    output::How,
    symbol::Sym,
    ty::Ty,
};

/// A member that a call means, with everything inferred.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// The member and its constructed container.
    pub sym: Sym,
    /// Type arguments of the method (of a member of an extension block, the block's first).
    pub method_args: Box<[Ty]>,
    /// By argument: the type that it converts to, constructed; in the expanded form, the element's.
    pub targets: Box<[Ty]>,
    /// The result type, constructed.
    pub ty: Ty,
    /// Whether the language was certain: otherwise the name and type are, and the overload is the likeliest.
    pub is_exact: bool,
}

/// How a chosen member is recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recorded {
    /// By its name, at this offset.
    Named(u32),
    /// As a use without a name, at this offset.
    Hidden(u32, How),
    /// Not at all.
    Nowhere,
}

impl Binder<'_, '_> {
    /// §12.6.2: the arguments of an `Arguments` node, bound without their parameters.
    pub(crate) fn bind_arguments(&mut self, _node: BodyId) -> Vec<Arg> {
        Vec::new()
    }
    /// §12.6.4: the best of several members for arguments. Type arguments are inferred (§12.6.3) where none
    /// are given. Records nothing. `None`: no candidate is applicable.
    pub(crate) fn resolve(
        &mut self,
        _candidates: &[Sym],
        _type_args: &[Ty],
        _args: &[Arg],
    ) -> Option<Resolved> {
        None
    }
    /// Converts the arguments to what the chosen member takes.
    pub(crate) fn finish_arguments(&mut self, _args: Vec<Arg>, _resolved: &Resolved) {}
    /// `callee(args)`: §12.8.10: methods, extension methods, delegates, `nameof`, local functions.
    pub(crate) fn bind_invocation(&mut self, node: BodyId) -> Expr {
        Expr::error(node)
    }
    /// A method group called with arguments; extension methods where it allows them.
    pub(crate) fn call_group(
        &mut self,
        node: BodyId,
        _group: &MethodGroup,
        _args: Vec<Arg>,
        _recorded: Recorded,
    ) -> Expr {
        Expr::error(node)
    }
    /// A member of a name called on a value, extension methods included: query operators, `Add`,
    /// `Deconstruct`, `GetAwaiter`, …. `None`: there is none; then nothing is recorded.
    pub(crate) fn call_by_name(
        &mut self,
        _receiver: &Expr,
        _name: Name,
        _args: Vec<Arg>,
        _recorded: Recorded,
    ) -> Option<Expr> {
        None
    }
    /// A constructor called: its use is recorded at `offset` as `How::New`.
    pub(crate) fn call_constructor(&mut self, _ty: Ty, _args: Vec<Arg>, _offset: u32) {}
    /// `receiver[args]`: §12.8.12: arrays, pointers, strings and spans by `int`, ranges and indices, indexers
    /// (recorded at `offset` as `How::Index`).
    pub(crate) fn bind_element_access(
        &mut self,
        receiver: Expr,
        _args: BodyId,
        _offset: u32,
    ) -> Expr {
        receiver
    }
    /// §10.8: the method of a group that a delegate type means. Records nothing.
    pub(crate) fn group_conversion(
        &mut self,
        _group: &MethodGroup,
        _delegate: Ty,
    ) -> Option<Resolved> {
        None
    }
    /// Finishes a group as a delegate type: records the chosen method by its name.
    pub(crate) fn finish_group(&mut self, _group: &MethodGroup, _delegate: Option<Ty>) {}
    /// Extension properties and the like: a member of an extension block by name on a receiver (value or
    /// type), not called.
    pub(crate) fn extension_property(
        &mut self,
        _receiver: &Expr,
        _name: Name,
    ) -> Option<(Sym, Ty)> {
        None
    }
}
