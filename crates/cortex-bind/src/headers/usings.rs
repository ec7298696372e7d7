//! Using directives and aliases (§14.4–14.8 of the C# specification).

use std::rc::Rc;

use cortex_model::TypeKey;
use cortex_syntax::{DeclId, FileFacts, Reference, TypeSyntax, UsingKind};

use super::{Bound, Headers, Position, as_type};
use crate::{
    scope::{GlobalUsing, dotted_name},
    symbol::TypeSymbol,
};

/// What the using directives of one namespace declaration bring in.
#[derive(Default)]
pub(super) struct Imports {
    namespaces: Vec<Rc<str>>,
    statics: Vec<TypeKey>,
    aliases: Vec<(String, Bound)>,
}

impl Headers<'_> {
    /// Aliases, then the types of imported namespaces and static types (§7.8.1, second half).
    pub(super) fn through_imports(
        &mut self,
        of: Option<DeclId>,
        name: &str,
        candidates: &[TypeSymbol],
        arity: u16,
        at: Option<DeclId>,
    ) -> Bound {
        let imports = self.imports(of);
        if arity == 0
            && let Some((_, bound)) = imports.aliases.iter().find(|(alias, _)| alias == name)
        {
            return bound.clone();
        }
        if candidates.is_empty() {
            return Bound::Unresolved;
        }
        self.choose(candidates.iter().filter(|symbol| {
            symbol.arity == u32::from(arity)
                && match symbol.outer {
                    None => imports
                        .namespaces
                        .iter()
                        .any(|namespace| **namespace == *symbol.namespace()),
                    Some(outer) => {
                        imports
                            .statics
                            .iter()
                            .any(|&ty| self.with_bases(ty).any(|key| key == outer))
                            && self.is_accessible(symbol, outer, at)
                    }
                }
        }))
    }

    /// What the directives of a namespace declaration or of the file bring in.
    fn imports(&mut self, of: Option<DeclId>) -> Rc<Imports> {
        if let Some(imports) = self.imports.get(&of) {
            return imports.clone();
        }
        // Outermost first, since the targets of inner directives are found through outer ones.
        let mut scopes = vec![None];
        let mut next = of;
        while let Some(id) = next {
            scopes.insert(1, Some(id));
            next = self.file.facts.decls[id as usize].parent;
        }
        for scope in scopes {
            if !self.imports.contains_key(&scope) {
                let imports = Rc::new(self.read_imports(scope));
                self.imports.insert(scope, imports);
            }
        }
        self.imports[&of].clone()
    }

    fn read_imports(&mut self, of: Option<DeclId>) -> Imports {
        let mut imports = Imports::default();
        let facts = self.file.facts;
        for using in facts
            .usings
            .iter()
            .filter(|using| using.scope == of && !using.global)
        {
            let Some(target) = dotted_name(facts, &using.target) else {
                if let UsingKind::Alias(alias) = using.kind {
                    imports
                        .aliases
                        .push((facts.name(alias).to_owned(), Bound::Unresolved));
                }
                continue;
            };
            let from = if is_global(facts, &using.target) {
                None
            } else {
                of
            };
            let bound = self.target(&target, from);
            match using.kind {
                UsingKind::Namespace => match bound {
                    Bound::Namespace(namespace) => imports.namespaces.push(namespace),
                    _ => imports.namespaces.push(target.as_str().into()),
                },
                UsingKind::Static => imports.statics.extend(as_type(&bound)),
                UsingKind::Alias(alias) => {
                    imports.aliases.push((facts.name(alias).to_owned(), bound))
                }
                UsingKind::ExternAlias(_) => {}
            }
        }
        if of.is_none() {
            for using in &self.file.project.usings {
                match using {
                    GlobalUsing::Namespace(namespace) => {
                        imports.namespaces.push(namespace.as_str().into())
                    }
                    GlobalUsing::Static(target) => {
                        let bound = self.target(target, None);
                        imports.statics.extend(as_type(&bound));
                    }
                    GlobalUsing::Alias(alias, target) => {
                        let bound = self.target(target, None);
                        imports.aliases.push((alias.clone(), bound));
                    }
                }
            }
        }
        imports
    }

    /// What ``A.B`2.C`` means in a directive of `of` (§14.5): without the directives beside it, but
    /// with those of the declarations around.
    fn target(&mut self, name: &str, of: Option<DeclId>) -> Bound {
        let mut segments = name.split('.');
        let (first, arity) = split_arity(segments.next().unwrap_or(name));
        let candidates = self.universe.types_named(first);
        let mut bound = match of {
            None => self.in_namespace("", first, &candidates, arity),
            Some(id) => {
                let full = self.namespace_of(id);
                match self.in_namespace(&full, first, &candidates, arity) {
                    Bound::Unresolved => self.in_outer_levels(&full, first, &candidates, arity, id),
                    found => found,
                }
            }
        };
        if let (Bound::Unresolved, Some(id)) = (&bound, of) {
            let around = self.file.facts.decls[id as usize].parent;
            bound = self.simple_among(first, &candidates, arity, around, Position::Type);
        }
        for segment in segments {
            bound = match bound {
                Bound::Namespace(current) => self.segment_in(&current, segment),
                Bound::Type(outer) => {
                    let (name, arity) = split_arity(segment);
                    self.nested(outer, &self.universe.types_named(name), arity, None)
                }
                _ => return Bound::Unresolved,
            };
        }
        bound
    }

    fn segment_in(&self, namespace: &str, segment: &str) -> Bound {
        let (name, arity) = split_arity(segment);
        self.in_namespace(namespace, name, &self.universe.types_named(name), arity)
    }

    /// §14.8: `global::` and names of extern aliases and using aliases.
    pub(super) fn alias(&mut self, reference: &Reference, at: DeclId) -> Bound {
        let name = self.file.facts.name(reference.name);
        if name == "global" {
            return Bound::Namespace("".into());
        }
        self.simple(reference.name, 0, at, Position::Type)
    }
}

/// Whether a written name starts with `global::`.
fn is_global(facts: &FileFacts, ty: &TypeSyntax) -> bool {
    let TypeSyntax::Named(segments) = ty else {
        return false;
    };
    let first = segments
        .first()
        .and_then(|segment| facts.refs.get(segment.reference as usize));
    segments.len() > 1 && first.is_some_and(|reference| facts.name(reference.name) == "global")
}

fn split_arity(segment: &str) -> (&str, u16) {
    match segment.split_once('`') {
        Some((name, arity)) => (name, arity.parse().unwrap_or(0)),
        None => (segment, 0),
    }
}
