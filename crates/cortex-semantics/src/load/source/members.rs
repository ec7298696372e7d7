//! The members of a type, over all its declarations.

use cortex_model::{DeclKind, Modifier, TypeKind};
use cortex_syntax::{Decl, DeclId, FileFacts};
use rustc_hash::FxHashMap;

use super::{
    Part, children, constants,
    member::{Site, has_body, is_initialized, member},
    parts, records, signature, synthesized, variant_parts,
};
use crate::{
    compilation::Compilation,
    load::table,
    name::Name,
    names::{Position, Scope},
    symbol::{
        Member, MemberFlags, MemberOrigin, MemberTable, Param, ProjectId, Signature, TypeDef,
        TypeOrigin, UnitId,
    },
    ty::Ty,
    types::signature::same_declaration,
};

pub(crate) fn members(c: &Compilation<'_>, def: &TypeDef) -> MemberTable {
    // A base list that loops through records asks for its own members.
    if c.caches.loading_members.borrow().contains(&def.id) {
        return MemberTable::default();
    }
    c.caches.loading_members.borrow_mut().push(def.id);
    let parts = parts(c, def);
    let mut loader = Loader {
        c,
        def,
        members: Vec::new(),
        partials: Vec::new(),
        constants: FxHashMap::default(),
        has_static_initializer: false,
        primary: None,
        variants: None,
    };
    for &part in &parts {
        loader.part(part);
    }
    loader.primary();
    synthesized::add(&mut loader, &parts);
    loader.variants(&parts, &variant_parts(c, def));
    let Loader { members, .. } = loader;
    let ids = members.into_iter().map(|member| c.set_member(member));
    let ids = ids.collect();
    c.caches.loading_members.borrow_mut().pop();
    table(c, ids)
}

/// Gathers the members of one type.
pub(super) struct Loader<'c, 'w> {
    pub(super) c: &'c Compilation<'w>,
    pub(super) def: &'c TypeDef,
    /// Not set yet: partial declarations are merged first.
    pub(super) members: Vec<Member>,
    /// Indices of partial members.
    partials: Vec<usize>,
    /// Constants so far.
    constants: FxHashMap<Name, i64>,
    /// Whether a static field or property has a value where it is declared.
    pub(super) has_static_initializer: bool,
    /// The part that has a parameter list, and those parameters.
    pub(super) primary: Option<(Part, Box<[Param]>)>,
    /// While parts are read as another variant of the project sees them: the members so far.
    variants: Option<Variants>,
}

/// The members of a type while those of other variants of its project are added.
struct Variants {
    /// By name, as indices.
    by_name: FxHashMap<Name, Vec<usize>>,
    /// By member, as an index: the projects that have it.
    projects: FxHashMap<usize, Vec<ProjectId>>,
}

impl Loader<'_, '_> {
    fn part(&mut self, part: Part) {
        let c = self.c;
        let facts = c.unit(part.unit).facts(c);
        let decl = &facts.decls[part.decl as usize];
        if decl.kind == DeclKind::TopLevel {
            if self.variants.is_none() {
                synthesized::add_main(self, part);
            }
            return;
        }
        if let (Some(params), None, None) = (&decl.params, &self.primary, &self.variants) {
            let scope = c.scope_of(part.unit, Some(part.decl), Position::Header);
            let params = params.iter();
            let params = params.map(|it| signature::param(c, &scope, &facts, it));
            self.primary = Some((part, params.collect()));
        }
        if decl.kind == DeclKind::Delegate {
            return;
        }
        let mut scope: Option<Scope> = None;
        let mut previous = None;
        for (id, child) in children(&facts, part.decl) {
            if child.kind == DeclKind::Extension {
                for (id, member) in children(&facts, id) {
                    if member.kind.is_member() {
                        let site = Site {
                            unit: part.unit,
                            facts: &facts,
                            decl: id,
                            block: Some(child),
                        };
                        self.member(&site, part, &mut scope, &mut previous);
                    }
                }
            } else if child.kind.is_member() {
                let site = Site {
                    unit: part.unit,
                    facts: &facts,
                    decl: id,
                    block: None,
                };
                self.member(&site, part, &mut scope, &mut previous);
            }
        }
    }

    fn member(
        &mut self,
        site: &Site<'_>,
        part: Part,
        scope: &mut Option<Scope>,
        previous: &mut Option<i64>,
    ) {
        let c = self.c;
        let scope =
            scope.get_or_insert_with(|| c.scope_of(part.unit, Some(part.decl), Position::Body));
        let mut member = member(c, self.def, site, scope);
        let decl = &site.facts.decls[site.decl as usize];
        let is_static = member.is_static();
        let of_variant = self.variants.is_some();
        self.has_static_initializer |= !of_variant && is_static && is_initialized(decl);
        if matches!(member.kind, DeclKind::Constant | DeclKind::EnumMember) {
            let value = self.constant(site.facts, decl, member.kind, *previous);
            member.signature.constant = value;
            // Without a value, the next one is one more; an unknown one makes it unknown.
            *previous = value;
            if let Some(value) = value {
                self.constants.insert(member.name, value);
            }
            if value.is_none() && member.kind == DeclKind::EnumMember {
                *previous = Some(i64::MIN);
            }
        }
        if of_variant {
            return self.variant_member(site, member);
        }
        if decl.modifiers.contains(Modifier::Partial) {
            if let Some(other) = self.other_part(&member) {
                self.merge(other, member, decl, site.unit, site.decl);
                return;
            }
            self.partials.push(self.members.len());
        }
        self.remember(site.unit, site.decl, &member);
        self.members.push(member);
    }

    /// Adds what only other variants of the project declare: files, and stretches of files, of their own. A member
    /// that is known already gets one more declaration.
    fn variants(&mut self, parts: &[Part], others: &[Part]) {
        let TypeOrigin::Source { project, .. } = self.def.origin else {
            return;
        };
        if others.is_empty() {
            return;
        }
        let mut variants = Variants {
            by_name: FxHashMap::default(),
            projects: FxHashMap::default(),
        };
        let is_here = |unit: UnitId| parts.iter().any(|part| part.unit == unit);
        for (at, member) in self.members.iter().enumerate() {
            variants.by_name.entry(member.name).or_default().push(at);
            let is_declared =
                !member.is(MemberFlags::SYNTHESIZED) && !member.is(MemberFlags::PRIMARY);
            if let MemberOrigin::Source(unit, _) = member.origin
                && is_declared
                && is_here(unit)
            {
                variants.projects.insert(at, vec![project]);
            }
        }
        self.variants = Some(variants);
        for &part in others {
            self.part(part);
        }
        let found = self.variants.take();
        let mut known = self.c.caches.variants_of_member.borrow_mut();
        let count = {
            let mut all: Vec<ProjectId> = others
                .iter()
                .map(|part| self.c.unit(part.unit).key.project)
                .chain([project])
                .collect();
            all.sort_unstable();
            all.dedup();
            all.len()
        };
        for (at, projects) in found.into_iter().flat_map(|it| it.projects) {
            // What every variant has is seen from all of them.
            if projects.len() < count {
                known.insert(self.members[at].id, projects.into());
            }
        }
    }

    /// A member as another variant declares it.
    fn variant_member(&mut self, site: &Site<'_>, member: Member) {
        let c = self.c;
        let Some(variants) = &mut self.variants else {
            return;
        };
        let project = c.unit(site.unit).key.project;
        let named = variants.by_name.entry(member.name).or_default();
        let known = named.iter().copied().find(|&at| {
            let known = &self.members[at];
            same_declaration(c, known, &member) || same_texts(c, known, &member)
        });
        if let Some(at) = known
            && self.members[at].signature.params != member.signature.params
        {
            let mut params = member.signature.params.clone();
            // The type parameters in scope are those of the declaration that speaks for the member.
            if !member.signature.type_params.is_empty() {
                for (param, known) in params.iter_mut().zip(&self.members[at].signature.params) {
                    param.ty = known.ty;
                }
            }
            let mut known = c.caches.params_of_part.borrow_mut();
            known.insert((site.unit, site.decl), params);
        }
        let at = known.unwrap_or_else(|| {
            named.push(self.members.len());
            self.members.push(member);
            self.members.len() - 1
        });
        let is_new = known.is_none();
        if let Some(projects) = match is_new {
            true => Some(variants.projects.entry(at).or_default()),
            false => variants.projects.get_mut(&at),
        } && !projects.contains(&project)
        {
            projects.push(project);
        }
        let id = self.members[at].id;
        let mut map = c.caches.member_of_decl.borrow_mut();
        map.insert((site.unit, site.decl), id);
    }

    /// The value of a constant. `previous`: of the enum member before it, `i64::MIN` for unknown.
    fn constant(
        &self,
        facts: &FileFacts,
        decl: &Decl,
        kind: DeclKind,
        previous: Option<i64>,
    ) -> Option<i64> {
        match decl.value {
            Some(text) => constants::value(facts.name(text), &|name| {
                self.constants.get(&self.c.name(name)).copied()
            }),
            None if kind == DeclKind::EnumMember => match previous {
                Some(i64::MIN) => None,
                Some(value) => Some(value.wrapping_add(1)),
                None => Some(0),
            },
            None => None,
        }
    }

    /// The partial member of the same signature (§15.6.9).
    fn other_part(&self, member: &Member) -> Option<usize> {
        let mut partials = self.partials.iter().copied();
        partials.find(|&at| same_declaration(self.c, &self.members[at], member))
    }

    /// Makes two declarations one member, at home where its body is. Callers name its parameters as the declaration
    /// without a body does (C# specification, §15.6.9), the body as its own does.
    fn merge(&mut self, at: usize, member: Member, decl: &Decl, unit: UnitId, id: DeclId) {
        let first = &mut self.members[at];
        let flags = first.flags.with(member.flags);
        let is_implementation = has_body(decl) || decl.modifiers.contains(Modifier::Extern);
        let mut own = first.signature.params.clone();
        let mut has_own_names = false;
        let params = first.signature.params.iter_mut().zip(&mut own);
        for ((param, own), other) in params.zip(&member.signature.params) {
            param.is_optional |= other.is_optional;
            has_own_names |= param.name != other.name;
            match is_implementation {
                true => own.name = other.name,
                false => param.name = other.name,
            }
        }
        if is_implementation {
            first.origin = member.origin;
        }
        if has_own_names && let MemberOrigin::Source(unit, decl) = first.origin {
            let mut known = self.c.caches.params_of_part.borrow_mut();
            known.insert((unit, decl), own);
        }
        first.flags = flags.without(MemberFlags::PARTIAL_DEFINITION);
        let first = first.id;
        self.c
            .caches
            .member_of_decl
            .borrow_mut()
            .insert((unit, id), first);
    }

    pub(super) fn remember(&self, unit: UnitId, decl: DeclId, member: &Member) {
        let mut map = self.c.caches.member_of_decl.borrow_mut();
        map.insert((unit, decl), member.id);
    }

    /// The constructor made from the parameter list of a type, and the members of a record.
    fn primary(&mut self) {
        if self.def.kind == TypeKind::Delegate {
            return;
        }
        if let Some((part, params)) = self.primary.take() {
            synthesized::add_primary(self, part, &params);
            if matches!(self.def.kind, TypeKind::Record | TypeKind::RecordStruct) {
                records::add_positional(self, part, &params);
            }
            self.primary = Some((part, params));
        }
    }

    /// Adds a member that has no declaration of its own.
    pub(super) fn add(&mut self, made: Made<'_>) {
        let c = self.c;
        let id = c.reserve_member();
        self.members.push(Member {
            id,
            name: made.name,
            kind: made.kind,
            owner: self.def.id,
            accessibility: made.accessibility,
            flags: made.flags,
            origin: MemberOrigin::Source(made.at.unit, made.at.decl),
            signature: Signature {
                params: made.params.into(),
                ..Signature::of_type(made.ty)
            },
        });
    }

    /// Whether a member of this name, kind and parameter types is declared.
    pub(super) fn declares(&self, name: Name, kind: DeclKind, params: &[Ty]) -> bool {
        self.members.iter().any(|member| {
            let types = member.signature.params.iter().map(|param| param.ty);
            member.name == name
                && member.kind == kind
                && member.signature.params.len() == params.len()
                && member.signature.type_params.is_empty()
                && !member.is(MemberFlags::EXPLICIT)
                && types
                    .zip(params)
                    .all(|(a, &b)| a == b || self.c.without_names(a) == self.c.without_names(b))
        })
    }
}

/// Whether two members have the same parameters by the names of their types: variants of a project may see a type of
/// the framework in assemblies of different names.
fn same_texts(c: &Compilation<'_>, a: &Member, b: &Member) -> bool {
    let text = |ty: Ty| {
        let mut out = String::new();
        c.write_exact(&mut out, ty);
        out
    };
    let (left, right) = (&a.signature, &b.signature);
    let same = |l: &Param, r: &Param| l.ref_kind == r.ref_kind && text(l.ty) == text(r.ty);
    // Type parameters of members that are being loaded have no text yet.
    let is_generic = !left.type_params.is_empty() || !right.type_params.is_empty();
    a.kind == b.kind
        && !is_generic
        && a.is(MemberFlags::STATIC) == b.is(MemberFlags::STATIC)
        && left.params.len() == right.params.len()
        && left.explicit.map(text) == right.explicit.map(text)
        && left.receiver.map(|it| text(it.ty)) == right.receiver.map(|it| text(it.ty))
        && (left.params.iter().zip(&right.params)).all(|(l, r)| same(l, r))
}

/// A member that has no declaration of its own.
pub(super) struct Made<'a> {
    pub(super) name: Name,
    pub(super) kind: DeclKind,
    pub(super) accessibility: cortex_model::Accessibility,
    pub(super) flags: MemberFlags,
    pub(super) params: &'a [Param],
    pub(super) ty: Ty,
    /// The declaration of the type that it comes from.
    pub(super) at: Part,
}
