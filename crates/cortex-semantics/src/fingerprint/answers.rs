//! Symbols and types as texts that are equal on both sides of an edit.
//!
//! Must not know: which decisions there are.

use std::{fmt::Write as _, sync::Arc};

use cortex_model::{Hash, RepoPath};
use cortex_syntax::{DeclId, FileFacts};
use rustc_hash::FxHashMap;

use super::{CARRIED, Fingerprints, is_named_by_runtime};
use crate::{
    local_names::LocalSymbol,
    output::Target,
    symbol::{
        MemberFlags, MemberId, MemberOrigin, TypeId, TypeOrigin, TypeParamId, TypeParamOwner,
        UnitId,
    },
    ty::{Ty, TyKind},
    types::display::MAX_DEPTH,
    world::UnitKey,
};

/// What was written already.
#[derive(Default)]
pub(super) struct Answers {
    types: FxHashMap<Ty, (Hash, Arc<str>)>,
    targets: FxHashMap<Target, (Hash, Arc<str>)>,
    definitions: FxHashMap<TypeId, Arc<str>>,
}

// Symbols are written by where they are declared.
impl Fingerprints<'_, '_> {
    pub(super) fn target(&self, target: Target) -> (Hash, Arc<str>) {
        if let Some(found) = self.answers.borrow().targets.get(&target) {
            return found.clone();
        }
        let mut out = String::new();
        let shown = match target {
            Target::Type(id) => {
                self.write_definition(&mut out, id);
                let short = self.c.display_type(self.c.instance_type(id));
                self.qualified(id, short)
            }
            Target::Member(id) => {
                self.write_member(&mut out, id);
                let short = self.c.display_member(id);
                self.qualified(self.c.member(id).owner, short)
            }
        };
        let made = (Hash::of(out.as_bytes()), Arc::from(shown));
        (self.answers.borrow_mut().targets).insert(target, made.clone());
        made
    }

    /// A type, or a member of it, with what is around the type: what differs often has the same short name.
    fn qualified(&self, id: TypeId, short: String) -> String {
        let def = self.c.def(id);
        match (def.outer, self.c.text(def.namespace)) {
            (Some(outer), _) => {
                let around = self.c.display_type(self.c.instance_type(outer));
                self.qualified(outer, format!("{around}.{short}"))
            }
            (None, "") => short,
            (None, namespace) => format!("{namespace}.{short}"),
        }
    }

    pub(super) fn ty(&self, ty: Ty) -> (Hash, Arc<str>) {
        if let Some(found) = self.answers.borrow().types.get(&ty) {
            return found.clone();
        }
        let mut out = String::new();
        self.write_type(&mut out, ty, 0);
        let made = (Hash::of(out.as_bytes()), Arc::from(self.c.display_type(ty)));
        (self.answers.borrow_mut().types).insert(ty, made.clone());
        made
    }

    pub(super) fn local(&self, unit: UnitId, symbol: LocalSymbol) -> (Hash, Arc<str>) {
        let mut out = String::new();
        let mut shown = String::new();
        match symbol {
            LocalSymbol::Declared(offset) => {
                self.write_place(&mut out, &self.c.unit(unit).key.path, offset);
                shown.push_str("a local symbol");
            }
            LocalSymbol::Parameter(member, at) => {
                self.write_member(&mut out, member);
                match self.parameter(member, at) {
                    Some(at) => push(&mut out, format_args!(" parameter {at}")),
                    None => {
                        let path = &self.c.unit(unit).key.path;
                        let side = self.positions.of_file(path).side;
                        push(&mut out, format_args!(" {side} parameter {at}"));
                    }
                }
                shown = format!("parameter {at} of {}", self.c.display_member(member));
            }
            LocalSymbol::Receiver(member) => {
                self.write_member(&mut out, member);
                out.push_str(" receiver");
                shown.push_str("the receiver of the extension block");
            }
            LocalSymbol::TypeParameter(param) => {
                self.write_type_param(&mut out, param);
                shown.push_str("a type parameter");
            }
            LocalSymbol::Alias(unit, at) => {
                self.write_alias(&mut out, unit, at);
                shown.push_str("an alias");
            }
            LocalSymbol::Namespace(name) => {
                out.push_str("namespace ");
                out.push_str(&self.positions.namespace(self.c.text(name)));
                shown = format!("the namespace {}", self.c.text(name));
            }
            LocalSymbol::Implicit => {
                out.push_str("implicit");
                shown.push_str("an implicit variable");
            }
            LocalSymbol::Element(at) => {
                push(&mut out, format_args!("element {at}"));
                shown = format!("element {} of a tuple or an anonymous object", at + 1);
            }
        }
        (Hash::of(out.as_bytes()), Arc::from(shown))
    }

    /// The member whose name a call in a declaration passes on.
    pub(super) fn caller(
        &self,
        (unit, facts): (UnitId, &FileFacts),
        decl: Option<DeclId>,
    ) -> (Hash, Arc<str>) {
        let Some(decl) = decl else {
            return (Hash::ZERO, Arc::from("no member"));
        };
        let declared = &facts.decls[decl as usize];
        let mut out = String::new();
        match is_named_by_runtime(declared.kind) {
            true => push(&mut out, format_args!("{:?}", declared.kind)),
            false => self.write_declaration(&mut out, unit, decl),
        }
        let shown = format!("the name of `{}`", facts.name(declared.name));
        (Hash::of(out.as_bytes()), shown.into())
    }

    /// An alias by where its directive is; by its position among the directives where the edit writes these.
    fn write_alias(&self, out: &mut String, unit: UnitId, at: u32) {
        let unit = self.c.unit(unit);
        let there = self.positions.of_file(&unit.key.path);
        let facts = unit.facts(self.c);
        let directive = facts.usings.get(at as usize).map(|it| it.range.start);
        match directive.and_then(|it| (there.offset)(it)) {
            Some(offset) => push(out, format_args!("alias at {offset} of {}", there.path)),
            None => push(out, format_args!("alias {at} of {}", there.path)),
        }
    }

    /// Which parameter it is on the common side.
    fn parameter(&self, member: MemberId, at: u16) -> Option<u16> {
        let MemberOrigin::Source(unit, decl) = self.c.member(member).origin else {
            return Some(at);
        };
        let unit = self.c.unit(unit);
        let facts = unit.facts(self.c);
        let name = facts.decls[decl as usize].name_range.start;
        self.positions.parameter(&unit.key.path, name, at)
    }

    fn write_place(&self, out: &mut String, path: &RepoPath, offset: u32) {
        let there = self.positions.of_file(path);
        match (there.offset)(offset) {
            Some(offset) if offset >= CARRIED => push(out, format_args!("carried@{offset}")),
            Some(offset) => push(out, format_args!("{}@{offset}", there.path)),
            // Declared by text that only one side has: equal to nothing on the other one.
            None => push(out, format_args!("{} {path}@{offset}", there.side)),
        }
    }

    /// A type definition: of the repository by its first declaration, of the outside by its documentation id.
    pub(super) fn write_definition(&self, out: &mut String, id: TypeId) {
        if let Some(found) = self.answers.borrow().definitions.get(&id) {
            out.push_str(found);
            return;
        }
        let mut own = String::new();
        match &self.c.def(id).origin {
            TypeOrigin::External { assembly, .. } => {
                let assembly = &self.c.world.externals()[assembly.index()];
                push(
                    &mut own,
                    format_args!("{}!{}", assembly.name(), self.c.type_doc_id(id)),
                );
            }
            TypeOrigin::Source { key, project, .. } => {
                let units = self.c.world.units_of(*key);
                let places = self.places_of(id, &units);
                let project = &self.c.project(*project).path;
                let project = match units.first() {
                    Some(unit) => self.positions.project(&unit.path, project),
                    None => project,
                };
                push(&mut own, format_args!("{project}!"));
                match places.into_iter().min() {
                    Some((path, offset)) => push(&mut own, format_args!("{path}@{offset}")),
                    // The compiler makes it: the class around top-level statements.
                    None => own.push_str(&self.c.type_doc_id(id)),
                }
            }
        }
        let own: Arc<str> = own.into();
        (self.answers.borrow_mut().definitions).insert(id, own.clone());
        out.push_str(&own);
    }

    /// Where a type's declarations are on the common side.
    fn places_of(&self, id: TypeId, units: &[UnitKey]) -> Vec<(RepoPath, u32)> {
        let mut places = Vec::new();
        for key in units {
            let there = self.positions.of_file(&key.path);
            let unit = self.c.unit(self.c.unit_id(key));
            let declarations = unit.head(self.c).declarations(id).to_vec();
            let facts = unit.facts(self.c);
            for decl in declarations {
                let offset = facts.decls[decl as usize].name_range.start;
                places.extend(
                    (there.offset)(offset).map(|offset| match offset >= CARRIED {
                        true => (RepoPath::from(""), offset),
                        false => (there.path.clone(), offset),
                    }),
                );
            }
        }
        places
    }

    fn write_member(&self, out: &mut String, id: MemberId) {
        let member = self.c.member(id);
        if !self.is_carried(id) {
            self.write_definition(out, member.owner);
        }
        match member.origin {
            MemberOrigin::External => {
                out.push(' ');
                out.push_str(&self.c.member_doc_id(id));
            }
            MemberOrigin::Source(unit, decl) => {
                let there = self.c.unit(unit);
                let name = there.facts(self.c).decls[decl as usize].name_range.start;
                let kind = (self.positions).kind(&there.key.path, name, member.kind);
                push(out, format_args!(" {kind:?} "));
                let made = [
                    MemberFlags::SYNTHESIZED,
                    MemberFlags::POSITIONAL,
                    MemberFlags::PRIMARY,
                ];
                if made.iter().any(|&flag| member.is(flag)) {
                    let all = self.c.members(member.owner).all.iter();
                    let same = all.filter(|&&other| {
                        self.c.member(other).flags == member.flags
                            && self.c.member(other).kind == member.kind
                    });
                    let at = same.take_while(|&&other| other != id).count();
                    push(out, format_args!("made {:?} {at}", member.flags));
                    return;
                }
                self.write_declaration(out, unit, decl);
            }
        }
    }

    /// Whether the declaration of a member goes to another type: its place tells it apart, wherever that is.
    fn is_carried(&self, id: MemberId) -> bool {
        let MemberOrigin::Source(unit, decl) = self.c.member(id).origin else {
            return false;
        };
        let unit = self.c.unit(unit);
        let name = unit.facts(self.c).decls[decl as usize].name_range.start;
        let there = self.positions.of_file(&unit.key.path);
        (there.offset)(name).is_some_and(|offset| offset >= CARRIED)
    }

    fn write_declaration(&self, out: &mut String, unit: UnitId, decl: DeclId) {
        let unit = self.c.unit(unit);
        let facts = unit.facts(self.c);
        let offset = facts.decls[decl as usize].name_range.start;
        self.write_place(out, &unit.key.path, offset);
    }

    fn write_type_param(&self, out: &mut String, id: TypeParamId) {
        let param = self.c.type_param(id);
        if let TypeParamOwner::Type(owner) = param.owner
            && let Some((project, (path, name, at))) = self.twin_of(owner, param.index)
        {
            push(
                out,
                format_args!("{project}!{path}@{name} type parameter {at}"),
            );
            return;
        }
        match param.owner {
            TypeParamOwner::Type(owner) => self.write_definition(out, owner),
            TypeParamOwner::Method(owner) => match self.c.try_member(owner) {
                Some(member) => match self.method_twin_of(member.origin, param.index) {
                    Some((path, name, at)) => {
                        self.write_definition(out, member.owner);
                        let kind = member.kind;
                        let twin = format_args!(" {kind:?} {path}@{name} type parameter {at}");
                        return push(out, twin);
                    }
                    None => self.write_member(out, member.id),
                },
                None => out.push_str("method"),
            },
            TypeParamOwner::Local(_) => out.push_str("local function"),
        }
        push(out, format_args!(" type parameter {}", param.index));
    }

    /// The type parameter that one of a type stands for, with the project of the type.
    fn twin_of(&self, owner: TypeId, at: u16) -> Option<(&RepoPath, (RepoPath, u32, u16))> {
        let TypeOrigin::Source { key, project, .. } = &self.c.def(owner).origin else {
            return None;
        };
        let twin = self.c.world.units_of(*key).iter().find_map(|key| {
            let unit = self.c.unit(self.c.unit_id(key));
            let declarations = unit.head(self.c).declarations(owner).to_vec();
            let facts = unit.facts(self.c);
            declarations.into_iter().find_map(|decl| {
                let name = facts.decls[decl as usize].name_range.start;
                self.positions.type_parameter(&key.path, name, at)
            })
        });
        Some((&self.c.project(*project).path, twin?))
    }

    /// The type parameter that one of a method stands for.
    fn method_twin_of(&self, origin: MemberOrigin, at: u16) -> Option<(RepoPath, u32, u16)> {
        let MemberOrigin::Source(unit, decl) = origin else {
            return None;
        };
        let unit = self.c.unit(unit);
        let name = unit.facts(self.c).decls[decl as usize].name_range.start;
        self.positions.type_parameter(&unit.key.path, name, at)
    }

    fn write_type(&self, out: &mut String, ty: Ty, depth: u32) {
        if depth > MAX_DEPTH {
            return;
        }
        let write_all = |out: &mut String, types: &[Ty]| {
            for &ty in types {
                self.write_type(out, ty, depth + 1);
                out.push(',');
            }
        };
        match self.c.kind(ty) {
            TyKind::Error => out.push_str("unknown"),
            TyKind::Dynamic => out.push_str("dynamic"),
            TyKind::None => out.push_str("none"),
            TyKind::Named { def, args } => {
                self.write_definition(out, *def);
                out.push('<');
                write_all(out, args);
                out.push('>');
            }
            TyKind::Unbound(def) => {
                self.write_definition(out, *def);
                out.push_str("<>");
            }
            TyKind::Param(id) => self.write_type_param(out, *id),
            TyKind::Array(element, rank) => {
                self.write_type(out, *element, depth + 1);
                push(out, format_args!("[{rank}]"));
            }
            TyKind::Pointer(element) => {
                self.write_type(out, *element, depth + 1);
                out.push('*');
            }
            TyKind::FunctionPointer(parts) => {
                out.push_str("delegate*(");
                write_all(out, parts);
                out.push(')');
            }
            TyKind::Tuple { elements, names } => {
                for (&element, name) in elements.iter().zip(names) {
                    self.write_type(out, element, depth + 1);
                    let name = name.map(|name| self.c.text(name));
                    let name = name.map_or("_", |name| self.positions.element(name));
                    push(out, format_args!(" {name},"));
                }
            }
            TyKind::Anonymous(members) => {
                out.push_str("new{");
                for &(name, ty) in members {
                    push(out, format_args!("{} = ", self.c.text(name)));
                    self.write_type(out, ty, depth + 1);
                    out.push(',');
                }
                out.push('}');
            }
        }
    }
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("a string takes everything");
}
