//! The members of a type, over all its declarations.

use cortex_model::{DeclKind, Modifier, TypeKind};
use cortex_syntax::{Decl, DeclId, FileFacts};
use rustc_hash::FxHashMap;

use super::{
    Part, children, constants,
    member::{Site, has_body, is_initialized, member},
    parts, records, signature, synthesized,
};
use crate::{
    compilation::Compilation,
    load::table,
    name::Name,
    names::{Position, Scope},
    symbol::{Member, MemberFlags, MemberOrigin, MemberTable, Param, Signature, TypeDef, UnitId},
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
    };
    for &part in &parts {
        loader.part(part);
    }
    loader.primary();
    synthesized::add(&mut loader, &parts);
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
}

impl Loader<'_, '_> {
    fn part(&mut self, part: Part) {
        let c = self.c;
        let facts = c.unit(part.unit).facts(c);
        let decl = &facts.decls[part.decl as usize];
        if decl.kind == DeclKind::TopLevel {
            synthesized::add_main(self, part);
            return;
        }
        if let (Some(params), None) = (&decl.params, &self.primary) {
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
        self.has_static_initializer |= is_static && is_initialized(decl);
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

    /// Makes two declarations one member, at home where its body is.
    fn merge(&mut self, at: usize, member: Member, decl: &Decl, unit: UnitId, id: DeclId) {
        let first = &mut self.members[at];
        let flags = first.flags.with(member.flags);
        let is_implementation = has_body(decl) || decl.modifiers.contains(Modifier::Extern);
        for (param, other) in first
            .signature
            .params
            .iter_mut()
            .zip(&member.signature.params)
        {
            param.is_optional |= other.is_optional;
            if is_implementation {
                param.name = other.name;
            }
        }
        if is_implementation {
            first.origin = member.origin;
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
