//! What binding found, in the form that a snapshot keeps, and the edges that follow from it.

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use cortex_bind::DeclaredType;
use cortex_model::{EdgeKind, EdgeKinds, TypeKey};
use cortex_semantics::{
    BoundUnit, Compilation, Findings, MemberFlags, MemberId, Name, Receiver, Target, Ty, TyKind,
    TypeId, TypeOrigin, UnitId, UnitKey,
};
use cortex_syntax::{Bodies, BodyKind, DeclId, FileFacts};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    bindings::{
        BoundReceiver, BoundRef, BoundTarget, BoundUse, DeclBindings, FileBindings, HiddenUse,
        HiddenUses, MemberTag,
    },
    records::{Edge, ExternalEdge, TypeEdges},
};

/// The members whose tags are not those of their ids, by type: hardly ever any.
pub(super) type Retagged = FxHashMap<TypeKey, Vec<(Box<str>, MemberTag)>>;

/// The ids of a compilation's symbols, each made once.
pub(super) struct NameIds<'c, 'w> {
    c: &'c Compilation<'w>,
    retagged: &'c Retagged,
    members: FxHashMap<MemberId, Option<BoundTarget>>,
    types: FxHashMap<TypeId, BoundTarget>,
}

/// What a part of a type depends on, while it is collected.
#[derive(Default)]
struct PartialEdges {
    source: BTreeMap<TypeKey, (EdgeKinds, u32)>,
    external: BTreeMap<(Box<str>, Box<str>), EdgeKinds>,
}

impl PartialEdges {
    fn of(edges: TypeEdges) -> Self {
        let source = edges.source.into_iter();
        let external = edges.external.into_iter();
        Self {
            source: source.map(|it| (it.target, (it.kinds, it.count))).collect(),
            external: external
                .map(|it| ((it.id, it.assembly), it.kinds))
                .collect(),
        }
    }

    fn merge(&mut self, other: Self) {
        for (target, (kinds, count)) in other.source {
            let entry = self.source.entry(target).or_default();
            entry.0 = entry.0.union(kinds);
            entry.1 += count;
        }
        for (target, kinds) in other.external {
            let entry = self.external.entry(target).or_default();
            *entry = entry.union(kinds);
        }
    }

    fn add(&mut self, target: &BoundTarget, from: TypeKey, kinds: EdgeKinds, count: u32) {
        match target {
            BoundTarget::Type(key) | BoundTarget::Member(key, _) if *key == from => {}
            BoundTarget::Type(key) | BoundTarget::Member(key, _) => {
                let entry = self.source.entry(*key).or_default();
                entry.0 = entry.0.union(kinds);
                entry.1 += count;
            }
            BoundTarget::External(id, assembly) => {
                let entry = self
                    .external
                    .entry((id.clone(), assembly.clone()))
                    .or_default();
                *entry = entry.union(kinds);
            }
        }
    }

    fn finish(self) -> TypeEdges {
        TypeEdges {
            source: self
                .source
                .into_iter()
                .map(|(target, (kinds, count))| Edge {
                    target,
                    kinds,
                    count,
                })
                .collect(),
            external: self
                .external
                .into_iter()
                .map(|((id, assembly), kinds)| ExternalEdge {
                    id,
                    assembly,
                    kinds,
                })
                .collect(),
        }
    }
}

impl<'c, 'w> NameIds<'c, 'w> {
    pub(super) fn new(c: &'c Compilation<'w>, retagged: &'c Retagged) -> Self {
        Self {
            c,
            retagged,
            members: FxHashMap::default(),
            types: FxHashMap::default(),
        }
    }

    fn ty(&mut self, id: TypeId) -> BoundTarget {
        let c = self.c;
        let make = || match c.def(id).origin {
            TypeOrigin::Source { key, .. } => BoundTarget::Type(key),
            TypeOrigin::External { assembly, .. } => {
                let name = c.world().externals()[assembly.index()].name();
                BoundTarget::External(c.type_doc_id(id).into(), (&**name).into())
            }
        };
        self.types.entry(id).or_insert_with(make).clone()
    }

    /// `None` for a local function.
    fn member(&mut self, id: MemberId) -> Option<BoundTarget> {
        if let Some(known) = self.members.get(&id) {
            return known.clone();
        }
        let member = self.c.member(id);
        let found = if member.is(MemberFlags::LOCAL) {
            None
        } else {
            Some(match self.ty(member.owner) {
                BoundTarget::Type(key) => BoundTarget::Member(key, self.tag(key, id)),
                external => external,
            })
        };
        self.members.insert(id, found.clone());
        found
    }

    fn tag(&self, key: TypeKey, member: MemberId) -> MemberTag {
        let id = member_id(self.c, member);
        let mut others = self.retagged.get(&key).into_iter().flatten();
        let other = others.find(|(known, _)| **known == *id);
        other.map_or_else(|| MemberTag::of_id(&id), |(_, tag)| *tag)
    }

    fn target(&mut self, target: Target) -> Option<BoundTarget> {
        match target {
            Target::Type(id) => Some(self.ty(id)),
            Target::Member(id) => self.member(id),
        }
    }

    /// What a declaration declares: a type, a member, or the type around it.
    fn declared(&mut self, unit: UnitId, decl: DeclId) -> Option<BoundTarget> {
        let c = self.c;
        if let Some(ty) = c.type_of_decl(unit, decl) {
            return Some(self.ty(ty));
        }
        match c.member_of_decl(unit, decl) {
            Some(member) => self.member(member),
            None => c.type_around_decl(unit, decl).map(|ty| self.ty(ty)),
        }
    }

    /// The source types that types consist of, constraints of type parameters included.
    fn source_types(&self, mut types: Vec<Ty>) -> BTreeSet<TypeKey> {
        let c = self.c;
        let mut found = BTreeSet::new();
        let mut seen: FxHashSet<Ty> = FxHashSet::default();
        while let Some(ty) = types.pop() {
            if !seen.insert(ty) {
                continue;
            }
            match c.kind(ty) {
                TyKind::Named { def, args } => {
                    types.extend_from_slice(args);
                    if let TypeOrigin::Source { key, .. } = c.def(*def).origin {
                        found.insert(key);
                    }
                }
                TyKind::Unbound(def) => {
                    if let TypeOrigin::Source { key, .. } = c.def(*def).origin {
                        found.insert(key);
                    }
                }
                TyKind::Param(param) => types.extend_from_slice(&c.constraints(*param).types),
                TyKind::Array(element, _) | TyKind::Pointer(element) => types.push(*element),
                TyKind::FunctionPointer(parts) => types.extend_from_slice(parts),
                TyKind::Tuple { elements, .. } => types.extend_from_slice(elements),
                TyKind::Anonymous(members) => types.extend(members.iter().map(|(_, ty)| *ty)),
                TyKind::Error | TyKind::Dynamic | TyKind::None => {}
            }
        }
        found
    }

    /// What overridable members are called on, where that says more than the members do: by offset, the type, then
    /// those of this repository among its type arguments; nothing for `base`.
    fn receivers(&mut self, findings: &Findings) -> BTreeMap<u32, Vec<BoundTarget>> {
        let c = self.c;
        let overridable = [
            MemberFlags::VIRTUAL,
            MemberFlags::ABSTRACT,
            MemberFlags::OVERRIDE,
        ];
        let mut known: FxHashMap<u32, Option<Receiver>> = FxHashMap::default();
        for &(offset, receiver) in &findings.receivers {
            // What is bound more than once may be of several types.
            let known = known.entry(offset).or_insert(Some(receiver));
            *known = known.filter(|known| *known == receiver);
        }
        let mut out = BTreeMap::new();
        for found in &findings.refs {
            let Target::Member(id) = found.target else {
                continue;
            };
            let Some(&Some(receiver)) = known.get(&found.offset) else {
                continue;
            };
            let member = c.member(id);
            let is_overridable = overridable.iter().any(|&it| member.is(it));
            if !is_overridable || !c.def(member.owner).is_source() {
                continue;
            }
            let ty = match receiver {
                Receiver::Of(ty) => ty,
                Receiver::Base => {
                    out.insert(found.offset, Vec::new());
                    continue;
                }
            };
            let TyKind::Named { def, args } = c.kind(ty) else {
                continue;
            };
            let receiver @ BoundTarget::Type(_) = self.ty(*def) else {
                continue;
            };
            let arguments = self.written_types(args);
            if *def != member.owner || !arguments.is_empty() {
                let mut all = vec![receiver];
                all.extend(arguments.into_iter().map(BoundTarget::Type));
                out.insert(found.offset, all);
            }
        }
        out
    }

    /// The source types that types consist of; type parameters may be any.
    fn written_types(&self, types: &[Ty]) -> BTreeSet<TypeKey> {
        let c = self.c;
        let mut found = BTreeSet::new();
        let mut types = types.to_vec();
        while let Some(ty) = types.pop() {
            match c.kind(ty) {
                TyKind::Named { def, args } => {
                    types.extend_from_slice(args);
                    if let TypeOrigin::Source { key, .. } = c.def(*def).origin {
                        found.insert(key);
                    }
                }
                TyKind::Array(element, _) => types.push(*element),
                TyKind::Tuple { elements, .. } => types.extend_from_slice(elements),
                _ => {}
            }
        }
        found
    }

    /// The bindings of a file, and what each of its types depends on.
    pub(super) fn of_unit(
        &mut self,
        unit: &UnitKey,
        facts: &FileFacts,
        bound: &BoundUnit,
    ) -> (FileBindings, Vec<(TypeKey, TypeEdges)>) {
        let c = self.c;
        let id = c.unit_id(unit);
        let mut numbers: FxHashMap<BoundTarget, u32> = FxHashMap::default();
        let mut number = |target: BoundTarget| {
            let next = numbers.len() as u32;
            *numbers.entry(target).or_insert(next)
        };
        let mut outside = 0;
        let mut passes_argument_texts = false;
        let mut decls = Vec::with_capacity(bound.decls.len());
        let mut touched: Vec<Ty> = Vec::new();
        let mut asked: FxHashSet<Name> = FxHashSet::default();
        for (decl, findings) in &bound.decls {
            let mut out = DeclBindings {
                decl: *decl,
                symbol: decl
                    .and_then(|decl| self.declared(id, decl))
                    .map(&mut number),
                unbound: findings.unbound.clone(),
                ..DeclBindings::default()
            };
            let mut externals: BTreeMap<u32, EdgeKinds> = BTreeMap::new();
            for found in &findings.refs {
                let Some(target) = self.target(found.target) else {
                    continue;
                };
                let is_external = matches!(target, BoundTarget::External(..));
                let target = number(target);
                if is_external {
                    outside += 1;
                    let kinds = externals.entry(target).or_default();
                    *kinds = kinds.with(found.kind);
                } else {
                    out.refs.push(BoundRef {
                        offset: found.offset,
                        target,
                        kind: found.kind,
                        certainty: found.certainty,
                    });
                }
            }
            for found in &findings.uses {
                if let Some(target @ BoundTarget::Member(..)) = self.member(found.target) {
                    out.uses.push(BoundUse {
                        offset: found.offset,
                        target: number(target),
                        how: found.how,
                    });
                }
            }
            for (offset, types) in self.receivers(findings) {
                let types = types.into_iter().map(&mut number).collect();
                out.receivers.push(BoundReceiver { offset, types });
            }
            passes_argument_texts |= findings.passes_argument_text();
            touched.extend_from_slice(&findings.touched);
            asked.extend(&findings.asked);
            out.externals = externals.into_iter().collect();
            decls.push(out);
        }
        let types: Vec<DeclaredType> = c
            .unit(id)
            .head(c)
            .types
            .iter()
            .map(|(ty, _)| ty.clone())
            .collect();
        // Members of the types around are found by their simple names.
        for ty in &types {
            number(BoundTarget::Type(ty.symbol.key));
        }
        for key in self.source_types(touched) {
            number(BoundTarget::Type(key));
        }
        let mut bindings = FileBindings {
            targets: Vec::new(),
            hidden: hidden_uses(&facts.bodies),
            passes_argument_texts,
            unmentioned: unmentioned(c, facts, asked),
            decls,
            outside,
        };
        sort_targets(&mut bindings, numbers);
        let edges = edges(facts, &types, &bindings);
        (bindings, edges)
    }
}

/// The names that were looked up and that the references of a file do not have, since a local variable of
/// the declaration has the same name.
fn unmentioned(c: &Compilation<'_>, facts: &FileFacts, asked: FxHashSet<Name>) -> Vec<Box<str>> {
    let used: FxHashSet<u32> = facts.refs.iter().map(|it| it.name).collect();
    let mentioned: FxHashSet<&str> = used.into_iter().map(|name| facts.name(name)).collect();
    let names = asked.into_iter().map(|name| c.text(name));
    let mut found: Vec<Box<str>> = names
        .filter(|name| !mentioned.contains(name))
        .map(Box::from)
        .collect();
    found.sort_unstable();
    found
}

/// The ways in which a file may use extension members that it does not name.
fn hidden_uses(bodies: &Bodies) -> HiddenUses {
    use BodyKind as K;
    let mut found = HiddenUses::default();
    for node in bodies.nodes() {
        let uses: &[HiddenUse] = match node.kind {
            K::ForEach => &[HiddenUse::Foreach, HiddenUse::Await],
            K::ForEachDeconstruct => {
                &[HiddenUse::Foreach, HiddenUse::Await, HiddenUse::Deconstruct]
            }
            K::Spread => &[HiddenUse::Foreach],
            K::Await | K::Using => &[HiddenUse::Await],
            K::PositionalClause | K::ParenthesizedDesignation | K::Tuple => {
                &[HiddenUse::Deconstruct]
            }
            K::CollectionInitializer | K::ElementInitializer | K::CollectionExpression => {
                &[HiddenUse::Foreach, HiddenUse::Add]
            }
            K::Query => &[HiddenUse::Query],
            K::Fixed => &[HiddenUse::Fixed],
            K::Binary | K::Unary | K::Postfix | K::Assignment => &[HiddenUse::Operator],
            _ => &[],
        };
        uses.iter().for_each(|&it| found.insert(it));
    }
    found
}

/// Numbers targets in their own order, so that equal findings are equal bytes.
fn sort_targets(bindings: &mut FileBindings, numbers: FxHashMap<BoundTarget, u32>) {
    let mut sorted: Vec<(BoundTarget, u32)> = numbers.into_iter().collect();
    sorted.sort_unstable();
    let mut new_number = vec![0; sorted.len()];
    for (new, (_, old)) in sorted.iter().enumerate() {
        new_number[*old as usize] = new as u32;
    }
    bindings.targets = sorted.into_iter().map(|(target, _)| target).collect();
    for decl in &mut bindings.decls {
        decl.symbol = decl.symbol.map(|symbol| new_number[symbol as usize]);
        for found in &mut decl.refs {
            found.target = new_number[found.target as usize];
        }
        for found in &mut decl.uses {
            found.target = new_number[found.target as usize];
        }
        for (target, _) in &mut decl.externals {
            *target = new_number[*target as usize];
        }
        for receiver in &mut decl.receivers {
            for ty in &mut receiver.types {
                *ty = new_number[*ty as usize];
            }
        }
        decl.refs.sort_unstable();
        decl.uses.sort_unstable();
        decl.unbound.sort_unstable();
        decl.externals.sort_unstable();
    }
    bindings.decls.retain(|decl| {
        !(decl.refs.is_empty()
            && decl.uses.is_empty()
            && decl.unbound.is_empty()
            && decl.externals.is_empty())
    });
    bindings.decls.sort_unstable_by_key(|decl| decl.decl);
}

/// Adds what another part of a type depends on.
pub(super) fn merge(edges: &mut TypeEdges, other: TypeEdges) {
    if edges.source.is_empty() && edges.external.is_empty() {
        *edges = other;
        return;
    }
    let mut all = PartialEdges::of(std::mem::take(edges));
    all.merge(PartialEdges::of(other));
    *edges = all.finish();
}

/// What each type that a file declares depends on by what is written in that file.
pub(super) fn edges(
    facts: &FileFacts,
    types: &[DeclaredType],
    bindings: &FileBindings,
) -> Vec<(TypeKey, TypeEdges)> {
    let mut out: Vec<(TypeKey, PartialEdges)> = types
        .iter()
        .map(|ty| (ty.symbol.key, PartialEdges::default()))
        .collect();
    for ty in types {
        if let Some(outer) = ty.outer {
            let nested = EdgeKinds::EMPTY.with(EdgeKind::Nested);
            let target = BoundTarget::Type(ty.symbol.key);
            let from = out[outer].0;
            out[outer].1.add(&target, from, nested, 1);
        }
    }
    let type_of_decl = types_of_decls(facts, types);
    for decl in &bindings.decls {
        let around = decl
            .decl
            .and_then(|decl| type_of_decl.get(decl as usize).copied().flatten());
        let Some(around) = around else { continue };
        let from = types[around].symbol.key;
        for found in &decl.refs {
            let target = &bindings.targets[found.target as usize];
            out[around]
                .1
                .add(target, from, EdgeKinds::EMPTY.with(found.kind), 1);
        }
        for (target, kinds) in &decl.externals {
            let target = &bindings.targets[*target as usize];
            out[around].1.add(target, from, *kinds, 1);
        }
    }
    out.into_iter()
        .map(|(key, edges)| (key, edges.finish()))
        .collect()
}

/// By declaration: the innermost type around it, itself included, as an index into `types`.
pub(super) fn types_of_decls(facts: &FileFacts, types: &[DeclaredType]) -> Vec<Option<usize>> {
    let mut out: Vec<Option<usize>> = Vec::with_capacity(facts.decls.len());
    let mut next = 0;
    for (id, decl) in facts.decls.iter().enumerate() {
        let mut ty = decl.parent.and_then(|parent| out[parent as usize]);
        if types.get(next).is_some_and(|ty| ty.decl as usize == id) {
            ty = Some(next);
            next += 1;
        }
        out.push(ty);
    }
    out
}

/// The documentation id of a member without its type's: `M.Add(System.Int32)`.
pub(super) fn member_id(c: &Compilation<'_>, id: MemberId) -> Rc<str> {
    let whole = c.member_doc_id(id);
    let ty = c.type_doc_id(c.member(id).owner);
    let kind = &whole[..1];
    let rest = whole
        .get(ty.len()..)
        .and_then(|rest| rest.strip_prefix('.'))
        .unwrap_or(&whole[2..]);
    format!("{kind}.{rest}").into()
}
