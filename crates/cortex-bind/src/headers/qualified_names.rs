//! What a namespace and a type have of a name: what stands after a dot, too (§7.8.1, §10.3.5 of the C# specification).

use cortex_model::TypeKey;
use cortex_syntax::{DeclId, RefContext, Reference};

use super::{Bound, Headers};
use crate::symbol::TypeSymbol;

impl Headers<'_> {
    /// The namespace or type `name` of one namespace (§7.8.1: the namespace first).
    pub(super) fn in_namespace(
        &self,
        namespace: &str,
        name: &str,
        candidates: &[TypeSymbol],
        arity: u16,
    ) -> Bound {
        let types = self.choose(candidates.iter().filter(|symbol| {
            symbol.outer.is_none()
                && symbol.arity == u32::from(arity)
                && symbol.namespace() == namespace
        }));
        if types != Bound::Unresolved || arity > 0 {
            return types;
        }
        let child = if namespace.is_empty() {
            name.to_owned()
        } else {
            format!("{namespace}.{name}")
        };
        if self.universe.has_namespace(&child) {
            Bound::Namespace(child.into())
        } else {
            Bound::Unresolved
        }
    }

    pub(super) fn in_namespace_or_child(
        &mut self,
        namespace: &str,
        reference: &Reference,
    ) -> Bound {
        self.with_suffix(reference, |headers, name, candidates| {
            headers.in_namespace(namespace, name, candidates, reference.arity)
        })
    }

    pub(super) fn nested_after_dot(
        &mut self,
        outer: TypeKey,
        reference: &Reference,
        at: DeclId,
    ) -> Bound {
        self.with_suffix(reference, |headers, _, candidates| {
            headers.nested(outer, candidates, reference.arity, Some(at))
        })
    }

    /// Looks a qualified name up, for an attribute with its suffix first (§22.3).
    fn with_suffix(
        &mut self,
        reference: &Reference,
        find: impl Fn(&Self, &str, &[TypeSymbol]) -> Bound,
    ) -> Bound {
        let facts = self.file.facts;
        if reference.context == RefContext::Attribute {
            let name = format!("{}Attribute", facts.name(reference.name));
            let found = find(self, &name, &self.universe.types_named(&name));
            if found != Bound::Unresolved {
                return found;
            }
        }
        let candidates = self.candidates(reference.name);
        find(self, facts.name(reference.name), &candidates)
    }

    /// A nested type of a type or of its bases, nearest first (§7.8.1, §10.3.5).
    pub(super) fn nested(
        &self,
        outer: TypeKey,
        candidates: &[TypeSymbol],
        arity: u16,
        at: Option<DeclId>,
    ) -> Bound {
        if !candidates
            .iter()
            .any(|symbol| symbol.outer.is_some() && symbol.arity == u32::from(arity))
        {
            return Bound::Unresolved;
        }
        for container in self.with_bases(outer) {
            let found = self.nested_in(container, candidates, arity, at);
            if found != Bound::Unresolved {
                return found;
            }
        }
        Bound::Unresolved
    }

    /// An accessible nested type that a type declares itself.
    fn nested_in(
        &self,
        container: TypeKey,
        candidates: &[TypeSymbol],
        arity: u16,
        at: Option<DeclId>,
    ) -> Bound {
        self.choose(candidates.iter().filter(|symbol| {
            symbol.outer == Some(container)
                && symbol.arity == u32::from(arity)
                && self.is_accessible(symbol, container, at)
        }))
    }
}
