//! Simple names: from the innermost scope outwards (§7.8.1 of the C# specification).

use std::sync::Arc;

use cortex_model::DeclKind;
use cortex_syntax::{DeclId, NameId, Reference};

use super::{Bound, Headers, Position};
use crate::symbol::TypeSymbol;

impl Headers<'_> {
    /// §22.3: `[X]` means `XAttribute` or `X`.
    pub(super) fn attribute(&mut self, reference: &Reference, at: DeclId) -> Bound {
        let name = format!("{}Attribute", self.file.facts.name(reference.name));
        let candidates = self.universe.types_named(&name);
        if !candidates.is_empty() {
            let found = self.simple_among(
                &name,
                &candidates,
                reference.arity,
                Some(at),
                Position::Type,
            );
            if found != Bound::Unresolved {
                return found;
            }
        }
        self.simple(reference.name, reference.arity, at, Position::Type)
    }

    pub(super) fn candidates(&mut self, name: NameId) -> Arc<[TypeSymbol]> {
        let universe = self.universe;
        let text = self.file.facts.name(name);
        self.named
            .entry(name)
            .or_insert_with(|| universe.types_named(text))
            .clone()
    }

    /// §7.8.1, a simple name: inner to outer. Memoized by scope, since a file repeats its names.
    pub(super) fn simple(
        &mut self,
        name: NameId,
        arity: u16,
        at: DeclId,
        position: Position,
    ) -> Bound {
        let scope = Some(self.scope_of(at));
        // The header of a member stands in the body of its type.
        let position = if scope == Some(at) {
            position
        } else {
            Position::Type
        };
        if let Some(bound) = self.resolved.get(&(scope, name, arity, position)) {
            return bound.clone();
        }
        let candidates = self.candidates(name);
        let facts = self.file.facts;
        let bound = self.simple_among(facts.name(name), &candidates, arity, scope, position);
        self.resolved
            .insert((scope, name, arity, position), bound.clone());
        bound
    }

    /// The declaration that decides what simple names mean at `at`: a generic method, a type or a namespace.
    fn scope_of(&self, at: DeclId) -> DeclId {
        let decl = &self.file.facts.decls[at as usize];
        let opens_scope = !decl.type_params.is_empty() || !decl.kind.is_member();
        if opens_scope {
            at
        } else {
            decl.parent.unwrap_or(at)
        }
    }

    pub(super) fn simple_among(
        &mut self,
        name: &str,
        candidates: &[TypeSymbol],
        arity: u16,
        at: Option<DeclId>,
        position: Position,
    ) -> Bound {
        let facts = self.file.facts;
        let mut next = at;
        while let Some(id) = next {
            let decl = &facts.decls[id as usize];
            next = decl.parent;
            if arity == 0
                && decl
                    .type_params
                    .iter()
                    .any(|param| facts.name(param.name) == name)
            {
                return Bound::TypeParameter;
            }
            let found = if decl.kind == DeclKind::Namespace {
                self.in_namespace_declaration(name, candidates, arity, id, at)
            } else if let Some(index) =
                self.type_of_decl[id as usize].filter(|&i| self.types[i].decl == id)
            {
                let key = self.types[index].symbol.key;
                match position {
                    Position::Header if Some(id) == at => continue,
                    _ => self.nested(key, candidates, arity, at),
                }
            } else {
                continue;
            };
            if found != Bound::Unresolved {
                return found;
            }
        }
        // The compilation unit: the global namespace, then its usings.
        let found = self.in_namespace("", name, candidates, arity);
        if found != Bound::Unresolved {
            return found;
        }
        self.through_imports(None, name, candidates, arity, at)
    }

    /// `namespace A.B.C` is three namespaces; the directives belong to the innermost.
    fn in_namespace_declaration(
        &mut self,
        name: &str,
        candidates: &[TypeSymbol],
        arity: u16,
        id: DeclId,
        at: Option<DeclId>,
    ) -> Bound {
        let full = self.namespace_of(id);
        let found = self.in_namespace(&full, name, candidates, arity);
        if found != Bound::Unresolved {
            return found;
        }
        let found = self.through_imports(Some(id), name, candidates, arity, at);
        if found != Bound::Unresolved {
            return found;
        }
        self.in_outer_levels(&full, name, candidates, arity, id)
    }

    /// The levels of a dotted namespace declaration outside of its innermost.
    pub(super) fn in_outer_levels(
        &self,
        full: &str,
        name: &str,
        candidates: &[TypeSymbol],
        arity: u16,
        id: DeclId,
    ) -> Bound {
        let outer = self.file.facts.decls[id as usize]
            .parent
            .map_or(0, |parent| self.namespace_of(parent).len());
        let mut rest = full;
        while let Some(end) = rest.rfind('.').filter(|&end| end > outer) {
            rest = &rest[..end];
            let found = self.in_namespace(rest, name, candidates, arity);
            if found != Bound::Unresolved {
                return found;
            }
        }
        Bound::Unresolved
    }

    /// The full name of a namespace declaration.
    pub(super) fn namespace_of(&self, id: DeclId) -> String {
        let facts = self.file.facts;
        let mut parts = Vec::new();
        let mut next = Some(id);
        while let Some(id) = next {
            let decl = &facts.decls[id as usize];
            parts.push(facts.name(decl.name));
            next = decl.parent;
        }
        parts.reverse();
        parts.join(".")
    }
}
