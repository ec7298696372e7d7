//! The names in documentation: `cref`, bound as annex D.4.2 of the C# specification says.
//!
//! A parameter list decides among overloads. Without one, a reference to several goes to the first that is declared
//! (warning CS0419 of the compiler). Where that depends on the order of files, or where a type in a list is unknown, it
//! says so.

use cortex_model::EdgeKind;
use cortex_syntax::{CrefSignature, DeclId, Part, RefContext, TypeSyntax};
use smallvec::SmallVec;

use super::File;
use crate::{
    local_names::{LocalName, LocalRole, LocalSymbol, Recording},
    name::Name,
    names::{Access, Ignore, Meaning, MemberLookup, Position, Scope},
    output::{Certainty, Findings, Ref, Target},
    symbol::{MemberOrigin, RefKind, Sym, TypeId, TypeParamId},
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

/// A parameter list, and what names in braces before it mean.
struct Signature<'f> {
    written: &'f CrefSignature,
    /// Type parameters of the types before the member.
    of_types: Vec<(Name, TypeParamId)>,
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
            let signature = self.signature(index, |id| meant.get(id.checked_sub(first)?));
            let called = (name, reference.arity, signature.as_ref());
            let (target, several, meaning) = match left {
                None => self.simple(&scope, called),
                Some(Left::Nothing) => (None, false, Left::Nothing),
                Some(Left::Meaning(left)) => self.dotted(&scope, &left, called),
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

    /// The parameter list behind a reference. `meant`: what a reference before it means.
    fn signature<'m>(
        &self,
        index: usize,
        meant: impl Fn(usize) -> Option<&'m Left>,
    ) -> Option<Signature<'_>> {
        let all = &self.facts.cref_signatures;
        let at = all.binary_search_by_key(&index, |it| it.reference as usize);
        let written = &all[at.ok()?];
        let mut of_types = Vec::new();
        for (reference, names) in &written.type_params {
            let Some(Left::Meaning(meaning)) = meant(*reference as usize) else {
                continue;
            };
            let Some(def) = self.def_meant(meaning) else {
                continue;
            };
            let def = self.c.def(def);
            let own = def.type_params.len() - usize::from(def.arity);
            of_types.extend(self.declared(names, &def.type_params[own..]));
        }
        Some(Signature { written, of_types })
    }

    /// Names in braces with the type parameters that they stand for, in order.
    fn declared(
        &self,
        names: &[cortex_syntax::NameId],
        params: &[TypeParamId],
    ) -> Vec<(Name, TypeParamId)> {
        let names = names.iter().map(|&name| self.names[name as usize]);
        names.zip(params.iter().copied()).collect()
    }

    fn simple(&self, scope: &Scope, called: Called<'_>) -> (Option<Target>, bool, Left) {
        // Members of the types around first, then types and namespaces.
        let mut around = scope.container;
        while let Some(def) = around {
            let ty = self.c.instance_type(def);
            if let Some(found) = self.member_of(ty, scope, called) {
                return found;
            }
            around = self.c.def(def).outer;
        }
        let meaning = self.c.lookup_type_name(scope, called.0, called.1);
        self.named(meaning)
    }

    fn dotted(
        &self,
        scope: &Scope,
        left: &Meaning,
        called: Called<'_>,
    ) -> (Option<Target>, bool, Left) {
        let ty = match left {
            Meaning::Type { def, .. } => Some(self.c.instance_type(*def)),
            Meaning::Alias(ty) => Some(*ty),
            _ => None,
        };
        if let Some(found) = ty.and_then(|ty| self.member_of(ty, scope, called)) {
            return found;
        }
        let left = match ty {
            Some(ty) => Meaning::Alias(ty),
            None => left.clone(),
        };
        self.named(self.c.lookup_qualified(scope, &left, called.0, called.1))
    }

    fn named(&self, meaning: Meaning) -> (Option<Target>, bool, Left) {
        let def = self.def_meant(&meaning);
        (def.map(Target::Type), false, Left::Meaning(meaning))
    }

    fn def_meant(&self, meaning: &Meaning) -> Option<TypeId> {
        match meaning {
            Meaning::Type { def, .. } => Some(*def),
            Meaning::Alias(ty) => self.c.def_of(*ty),
            _ => None,
        }
    }

    fn member_of(
        &self,
        ty: Ty,
        scope: &Scope,
        (name, arity, signature): Called<'_>,
    ) -> Option<(Option<Target>, bool, Left)> {
        let from = Access {
            container: scope.container,
            project: scope.project,
            through: None,
        };
        // Documentation sees private members of other types (Roslyn, `Binder.IsCrefAccessible`).
        let found = match self.c.lookup_member(ty, name, None, from) {
            MemberLookup::None => {
                let container = self.c.def_of(ty);
                let inside = Access { container, ..from };
                self.c.lookup_member(ty, name, None, inside)
            }
            found => found,
        };
        let found: SmallVec<[Sym; 4]> = match found {
            MemberLookup::Methods(found) | MemberLookup::Ambiguous(found) => found,
            MemberLookup::Member(sym) => SmallVec::from_slice(&[sym]),
            _ => return None,
        };
        let member = |sym: &Sym| Some(Target::Member(sym.member));
        let Some(signature) = signature else {
            // Without type arguments, generic methods are meant where there are no others.
            let has_arity = |sym: &&Sym| self.own_type_params(**sym).len() == usize::from(arity);
            let mut meant: SmallVec<[&Sym; 4]> = found.iter().filter(has_arity).collect();
            if meant.is_empty() {
                meant = found.iter().collect();
            }
            let first = meant.first().and_then(|sym| member(sym));
            let is_certain = meant.len() == 1 || self.are_in_one_declaration(&meant);
            return Some((first, !is_certain, Left::Nothing));
        };
        let fits: Vec<(&Sym, Fit)> = (found.iter())
            .map(|sym| (sym, self.fit(scope, *sym, arity, signature)))
            .filter(|(_, fit)| *fit != Fit::No)
            .collect();
        let certain = fits.iter().find(|(_, fit)| *fit == Fit::Yes);
        let (target, several) = match (certain, fits.first()) {
            (Some((sym, _)), _) => (member(sym), false),
            (None, Some((sym, _))) => (member(sym), fits.len() > 1),
            (None, None) => (None, false),
        };
        Some((target, several, Left::Nothing))
    }

    /// Whether members stand in one file and one type, where the compiler takes the first that is written.
    fn are_in_one_declaration(&self, members: &[&Sym]) -> bool {
        let place = |sym: &&Sym| match self.c.member(sym.member).origin {
            MemberOrigin::Source(unit, _) => Some((unit, sym.container)),
            _ => None,
        };
        let first = members.first().and_then(place);
        first.is_some() && members.iter().all(|sym| place(sym) == first)
    }

    /// The type parameters of a method itself, without those of an extension block around it.
    fn own_type_params(&self, sym: Sym) -> &[TypeParamId] {
        let signature = &self.c.member(sym.member).signature;
        (signature.type_params)
            .get(usize::from(signature.block_arity)..)
            .unwrap_or_default()
    }

    /// Whether a member has the parameters of a list.
    fn fit(&self, scope: &Scope, sym: Sym, arity: u16, signature: &Signature<'_>) -> Fit {
        let types = &signature.written.params;
        let own = self.own_type_params(sym);
        let params = self.c.params_of(sym);
        if params.len() != types.len() || own.len() != usize::from(arity) {
            return Fit::No;
        }
        let mut inside = scope.clone();
        inside.type_params.extend(&signature.of_types);
        let of_method = (signature.written.type_params.iter())
            .find(|(reference, _)| *reference == signature.written.reference);
        if let Some((_, names)) = of_method {
            inside.type_params.extend(self.declared(names, own));
        }
        let mut fit = Fit::Yes;
        for (param, written) in params.iter().zip(types) {
            let (written, is_ref) = match written {
                TypeSyntax::Ref(inner) => (&**inner, true),
                ty => (ty, false),
            };
            let ty = self.c.bind_type(&inside, self.facts, written, &mut Ignore);
            let [ty, expected] = [ty, param.ty].map(|ty| self.c.without_names(ty));
            if is_ref != (param.ref_kind != RefKind::None) {
                return Fit::No;
            }
            if [ty, expected]
                .into_iter()
                .any(|ty| self.c.is_partly_unknown(ty))
            {
                fit = Fit::Maybe;
            } else if ty != expected {
                return Fit::No;
            }
        }
        fit
    }
}

/// What a reference says: a name, how many type arguments, and the parameter list.
type Called<'s> = (Name, u16, Option<&'s Signature<'s>>);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fit {
    No,
    /// A type is unknown.
    Maybe,
    Yes,
}
