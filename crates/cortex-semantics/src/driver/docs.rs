//! The names in documentation: `cref`, bound as annex D.4.2 of the C# specification says.
//!
//! A reference to a method without a parameter list, or to one of several overloads, goes to the first that is
//! declared, and says so.

use cortex_model::EdgeKind;
use cortex_syntax::{DeclId, Part, RefContext};
use smallvec::SmallVec;

use super::File;
use crate::{
    local_names::{LocalName, LocalRole, LocalSymbol, Recording},
    name::Name,
    names::{Access, Meaning, MemberLookup, Position, Scope},
    output::{Certainty, Findings, Ref, Target},
    symbol::{MemberId, TypeId},
    ty::Ty,
};

/// What the left part of a dotted name means.
#[derive(Clone)]
enum Left {
    /// A namespace or type.
    Meaning(Meaning),
    /// Nothing that has members.
    Nothing,
}

impl File<'_, '_> {
    /// Binds the names in the documentation of a part's declarations, in the order of references.
    pub(super) fn bind_docs(&self, part: &Part) -> Vec<(DeclId, Findings)> {
        let mut out: Vec<(DeclId, Findings)> = Vec::new();
        let refs = &self.facts.refs;
        let first = refs.partition_point(|it| it.context != RefContext::Doc);
        let mut meant: Vec<Left> = Vec::with_capacity(refs.len() - first);
        let mut at: Option<(DeclId, Scope)> = None;
        let mut decls = self.facts.decls.iter().enumerate().peekable();
        for (index, reference) in refs.iter().enumerate().skip(first) {
            // Documentation stands in the order of its declarations.
            let is_before = |decl: &cortex_syntax::Decl| {
                decl.doc_range.end == decl.doc_range.start || decl.doc_range.end <= reference.offset
            };
            while decls.next_if(|(_, decl)| is_before(decl)).is_some() {}
            let Some((id, decl)) = decls.peek() else {
                break;
            };
            if !decl.doc_range.contains(reference.offset) || !part.has(*id as DeclId) {
                meant.push(Left::Nothing);
                continue;
            }
            let decl = *id as DeclId;
            let scope = match &at {
                Some((known, scope)) if *known == decl => scope.clone(),
                _ => {
                    let scope = self.scope(Some(decl), Position::Body);
                    at = Some((decl, scope.clone()));
                    scope
                }
            };
            let left = (reference.qualifier > 0)
                .then(|| (index - reference.qualifier as usize).checked_sub(first))
                .flatten()
                .map(|left| meant[left].clone());
            let name = self.names[reference.name as usize];
            let (target, several, meaning) = match left {
                None => self.simple(&scope, name, reference.arity),
                Some(Left::Nothing) => (None, false, Left::Nothing),
                Some(Left::Meaning(left)) => self.dotted(&scope, &left, name, reference.arity),
            };
            let local = self.local_in_docs(&scope, name, &meaning, reference.qualifier == 0);
            meant.push(meaning);
            if local.is_none() && target.is_none() {
                continue;
            }
            if out.last().is_none_or(|(last, _)| *last != decl) {
                out.push((decl, Findings::default()));
            }
            let findings = &mut out.last_mut().expect("just pushed").1;
            if let Some(symbol) = local {
                findings.locals.push(LocalName {
                    offset: reference.offset,
                    symbol,
                    role: LocalRole::Documentation,
                });
            }
            if let Some(target) = target {
                findings.refs.push(Ref {
                    offset: reference.offset,
                    target,
                    kind: EdgeKind::Doc,
                    certainty: if several {
                        Certainty::OverloadSet
                    } else {
                        Certainty::Exact
                    },
                });
            }
        }
        out
    }

    /// The local symbol that a name refers to, where these are recorded.
    fn local_in_docs(
        &self,
        scope: &Scope,
        name: Name,
        left: &Left,
        is_simple: bool,
    ) -> Option<LocalSymbol> {
        match left {
            Left::Meaning(meaning) if self.recording == Recording::On => {
                self.c.local_meaning(scope, name, meaning, is_simple)
            }
            _ => None,
        }
    }

    fn simple(&self, scope: &Scope, name: Name, arity: u16) -> (Option<Target>, bool, Left) {
        // Members of the types around first, then types and namespaces.
        let mut around = scope.container;
        while let Some(def) = around {
            let ty = self.c.instance_type(def);
            if let Some(found) = self.member_of(ty, scope, name) {
                return found;
            }
            around = self.c.def(def).outer;
        }
        let meaning = self.c.lookup_type_name(scope, name, arity);
        self.named(meaning)
    }

    fn dotted(
        &self,
        scope: &Scope,
        left: &Meaning,
        name: Name,
        arity: u16,
    ) -> (Option<Target>, bool, Left) {
        let ty = match left {
            Meaning::Type { def, .. } => Some(self.c.instance_type(*def)),
            Meaning::Alias(ty) => Some(*ty),
            _ => None,
        };
        if let Some(found) = ty.and_then(|ty| self.member_of(ty, scope, name)) {
            return found;
        }
        let left = match ty {
            Some(ty) => Meaning::Alias(ty),
            None => left.clone(),
        };
        self.named(self.c.lookup_qualified(scope, &left, name, arity))
    }

    fn named(&self, meaning: Meaning) -> (Option<Target>, bool, Left) {
        let def: Option<TypeId> = match &meaning {
            Meaning::Type { def, .. } => Some(*def),
            Meaning::Alias(ty) => self.c.def_of(*ty),
            _ => None,
        };
        (def.map(Target::Type), false, Left::Meaning(meaning))
    }

    fn member_of(&self, ty: Ty, scope: &Scope, name: Name) -> Option<(Option<Target>, bool, Left)> {
        let from = Access {
            container: scope.container,
            project: scope.project,
            through: None,
        };
        let found: SmallVec<[MemberId; 4]> = match self.c.lookup_member(ty, name, None, from) {
            MemberLookup::Methods(found) | MemberLookup::Ambiguous(found) => {
                found.iter().map(|sym| sym.member).collect()
            }
            MemberLookup::Member(sym) => SmallVec::from_slice(&[sym.member]),
            _ => return None,
        };
        let first = *found.first()?;
        Some((Some(Target::Member(first)), found.len() > 1, Left::Nothing))
    }
}
