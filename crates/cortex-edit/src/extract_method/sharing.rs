//! What else reaches a variable than its name: references, pointers and spans over it, and members that run on it.

use cortex_semantics::{MemberId, RefKind, Target, Ty, TypeFlags};
use cortex_syntax::{BodyId, BodyKind, Op, ref_kind};

use super::Extraction;

impl Extraction<'_, '_> {
    /// Whether a use lets a reference, pointer or span stand for the variable, or for a part of it.
    pub(super) fn is_aliased(&self, name: BodyId) -> bool {
        let (tree, bound) = (self.tree(), &self.bound);
        let has_parts = bound.may_be_value(name) && !bound.is_unchangeable(name);
        if has_parts
            && !bound.type_of(name).is_some_and(|ty| self.is_span(ty))
            && self.gives_span(name)
        {
            return true;
        }
        let mut at = name;
        for parent in tree.ancestors(name) {
            let flags = tree.node(parent).flags;
            let is_first = tree.index_in_parent(at) == 0;
            match tree.kind(parent) {
                BodyKind::RefExpression => return true,
                BodyKind::Unary => return flags == Op::AddressOf as u8,
                BodyKind::Parenthesized | BodyKind::SuppressNull | BodyKind::Arguments => {}
                BodyKind::Argument if flags & 7 != ref_kind::NONE => {}
                BodyKind::Argument if self.may_pass_reference(parent) => {}
                BodyKind::MemberAccess | BodyKind::ElementAccess if is_first && has_parts => {
                    if self.gives_span(parent) || self.bound.is_pointer(parent) {
                        return true;
                    }
                }
                // What gets a reference may return it, or keep it in the span that it belongs to.
                BodyKind::Invocation | BodyKind::ObjectCreation | BodyKind::ImplicitCreation => {
                    let object = tree.children(parent + 1).first().copied();
                    let is_call = tree.kind(parent) == BodyKind::Invocation && !is_first;
                    let is_kept = is_call && object.is_some_and(|it| self.gives_span(it));
                    if self.gives_span(parent) || is_kept {
                        return true;
                    }
                }
                _ => return false,
            }
            at = parent;
        }
        false
    }

    /// Whether an argument without `in` may be passed by reference nonetheless.
    fn may_pass_reference(&self, argument: BodyId) -> bool {
        let (tree, c) = (self.tree(), self.bound.compilation);
        let Some(arguments) = tree.parent(argument) else {
            return false;
        };
        let n_arguments = tree.children(arguments).len();
        let takes_reference = |member: MemberId| {
            let params = &c.member(member).signature.params;
            let is_reference = |kind| matches!(kind, RefKind::In | RefKind::RefReadonly);
            params.len() >= n_arguments && params.iter().any(|it| is_reference(it.ref_kind))
        };
        let Some(call) = tree.parent(arguments) else {
            return false;
        };
        if tree.kind(call) == BodyKind::Invocation {
            let targets =
                (call..arguments).filter_map(|it| self.bound.target(tree.node(it).offset));
            let mut members = targets.filter_map(|it| match it {
                Target::Member(member) => Some(member),
                Target::Type(_) => None,
            });
            return members.any(takes_reference);
        }
        let created = self.types_of(call).find_map(|ty| c.def_of(ty));
        let constructors = created.map(|def| c.members(def).named(c.name(".ctor")));
        constructors.is_some_and(|all| all.iter().any(|&it| takes_reference(it)))
    }

    /// Whether an expression, or what it becomes in its place, may hold references to variables.
    fn gives_span(&self, id: BodyId) -> bool {
        self.types_of(id).any(|ty| self.is_span(ty))
    }

    /// The type of an expression on its own, and that which its place gives it.
    fn types_of(&self, id: BodyId) -> impl Iterator<Item = Ty> {
        let converted = (self.bound.expressions.type_of(id)).and_then(|it| it.converted);
        [self.bound.type_of(id), converted].into_iter().flatten()
    }

    /// Whether values of a type may hold references to variables.
    pub(super) fn is_span(&self, ty: Ty) -> bool {
        let c = self.bound.compilation;
        (c.def_of(ty)).is_some_and(|def| c.header(def).flags.has(TypeFlags::REF_LIKE))
    }
}
