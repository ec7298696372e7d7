//! Parts of a type to one node, with its hashes.

use cortex_model::{Accessibility, DeclKind, Hasher, Modifier, RepoPath, TypeKind};

use crate::{
    file::BoundPart,
    graph::{MemberDetail, PartRef, TypeHashes, TypeNode},
    member::{MemberNode, TypeShape},
    speakers::Speakers,
};

/// Merges the declarations of one type; `parts` must all have its key. The order does not matter.
///
/// A file that several projects of one assembly name compile declares its types once, as [`Speakers`] says;
/// `rank` gives the order of preference of projects.
///
/// # Panics
/// When `parts` is empty.
pub fn merge_parts(
    mut parts: Vec<BoundPart>,
    assembly: &str,
    rank: &dyn Fn(&RepoPath) -> u32,
) -> TypeNode {
    let speakers = Speakers::of(
        parts
            .iter()
            .map(|part| (&part.place.path, rank(&part.symbol.project))),
    );
    let leader = speakers.leader();
    let counts: Vec<bool> = parts
        .iter()
        .map(|part| speakers.counts(&part.place.path, rank(&part.symbol.project)))
        .collect();
    let mut counts = counts.into_iter();
    parts.retain(|_| counts.next().unwrap_or(false));
    parts.sort_by(|a, b| a.place.cmp(&b.place));
    let of_leader = |part: &&BoundPart| rank(&part.symbol.project) == leader;
    let project = parts.iter().find(of_leader);
    let project = project.map(|part| part.symbol.project.clone());
    let first = parts
        .first()
        .expect("a type has at least one declaration")
        .clone();
    let mut node = TypeNode {
        fqn: first.symbol.fqn.clone(),
        kind: first.symbol.kind,
        arity: first.symbol.arity,
        accessibility: first.symbol.accessibility,
        effective: first.effective,
        modifiers: first.modifiers,
        project: project.unwrap_or_else(|| first.symbol.project.clone()),
        assembly: assembly.to_owned(),
        parts: Vec::new(),
        base_list: Vec::new(),
        shapes: Vec::new(),
        bases: Vec::new(),
        members: Vec::new(),
        hashes: TypeHashes::default(),
        degraded: false,
    };
    // By text, so that an equal one is found and the order is that of the texts.
    let mut shapes: Vec<(String, TypeShape)> = Vec::new();
    let mut members: Vec<(MemberNode, MemberDetail)> = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        // Only one part needs to say its accessibility (C# specification, §15.2.7).
        node.accessibility = node.accessibility.max(part.symbol.accessibility);
        node.effective = node.effective.max(part.effective);
        node.modifiers = node.modifiers.union(part.modifiers);
        node.degraded |= part.degraded;
        let project = &part.symbol.project;
        node.parts.push(PartRef {
            project: (*project != node.project).then(|| project.clone()),
            ..part.place.clone()
        });
        for &base in &part.bases {
            if !node.bases.contains(&base) {
                node.bases.push(base);
            }
        }
        for text in &part.base_texts {
            if !node.base_list.contains(text) {
                node.base_list.push(text.clone());
            }
        }
        let shape = part.shape.marked();
        if !shape.is_empty() && shapes.iter().all(|(known, _)| *known != shape) {
            shapes.push((shape, part.shape.clone()));
        }
        members.extend(part.members.iter().map(|(member, detail)| {
            (
                MemberNode {
                    part: index as u32,
                    ..member.clone()
                },
                detail.clone(),
            )
        }));
    }
    // Which part names which base means nothing.
    if parts.len() > 1 {
        node.base_list.sort();
        shapes.sort_by(|(a, _), (b, _)| a.cmp(b));
    }
    node.shapes = shapes.into_iter().map(|(_, shape)| shape).collect();
    let ordered = order_hash(&node, &members);
    let members = merge_partial_members(members);
    node.hashes = hashes(&node, &members, &parts, ordered);
    node.members = members.into_iter().map(|it| it.member).collect();
    node
}

/// A hash of declaration order where C# gives it meaning: enum members without values, and fields in memory order.
fn order_hash(node: &TypeNode, members: &[(MemberNode, MemberDetail)]) -> u64 {
    let has_layout = || {
        let mut names = node.attributes().map(|attribute| attribute.simple_name());
        names.any(|name| matches!(name, "StructLayout" | "StructLayoutAttribute"))
    };
    if node.kind != TypeKind::Enum && !has_layout() {
        return 0;
    }
    let mut hasher = Hasher::new("order-v2");
    if node.kind == TypeKind::Enum {
        // A member without a value has the next one after the member before it; where the others stand means nothing.
        let mut after: Vec<(&str, &str)> = Vec::new();
        let mut previous = "";
        for (member, detail) in (members.iter()).filter(|(it, _)| it.kind == DeclKind::EnumMember) {
            if detail.impl_hash == 0 {
                after.push((&member.name, previous));
            }
            previous = &member.name;
        }
        after.sort_unstable();
        for (member, previous) in after {
            hasher.field(member.as_bytes()).field(previous.as_bytes());
        }
        return hasher.finish().to_u64();
    }
    let fields = members.iter().map(|(member, _)| member);
    for field in fields.filter(|it| it.kind == DeclKind::Field && !it.has(Modifier::Static)) {
        hasher.field(field.name.as_bytes());
    }
    hasher.finish().to_u64()
}

/// Where a kind stands in canonical order.
fn rank(kind: DeclKind) -> u8 {
    match kind {
        DeclKind::Field | DeclKind::Constant | DeclKind::EnumMember => 0,
        DeclKind::Property | DeclKind::Indexer => 1,
        DeclKind::Event => 2,
        DeclKind::Constructor | DeclKind::StaticConstructor => 4,
        _ => 3,
    }
}

/// A member with the texts that its identity consists of.
struct Texts {
    member: MemberNode,
    detail: MemberDetail,
    head: String,
    tail: String,
    shape: String,
}

impl Texts {
    /// What is equal for the two halves of a partial member, in canonical order: field, property, event, method,
    /// constructor; then by signature.
    fn identity(&self) -> (u8, DeclKind, Accessibility, &str, &str, &str) {
        let Self { member, .. } = self;
        let rank = rank(member.kind);
        let (head, tail) = (self.head.as_str(), self.tail.as_str());
        (
            rank,
            member.kind,
            member.accessibility,
            head,
            member.name.as_str(),
            tail,
        )
    }
}

/// Sorts members and joins the two halves of partial members (C# specification, §15.6.9).
fn merge_partial_members(members: Vec<(MemberNode, MemberDetail)>) -> Vec<Texts> {
    let texts = members.into_iter().map(|(member, detail)| Texts {
        head: member.marked_head(),
        tail: member.marked_tail(),
        shape: member.marked_shape(),
        member,
        detail,
    });
    let mut members: Vec<Texts> = texts.collect();
    members.sort_by(|a, b| {
        let place = |it: &Texts| (it.member.part, it.detail.range);
        (a.identity().cmp(&b.identity())).then_with(|| place(a).cmp(&place(b)))
    });
    members.dedup_by(|half, kept| {
        if half.identity() != kept.identity() {
            return false;
        }
        // The implementing half is where a reader wants to go.
        if kept.detail.impl_hash == 0 && half.detail.impl_hash != 0 {
            kept.member.part = half.member.part;
            kept.member.decl = half.member.decl;
            kept.detail.impl_hash = half.detail.impl_hash;
        }
        if kept.detail.doc_hash == 0 {
            kept.detail.doc_hash = half.detail.doc_hash;
        }
        kept.member.modifiers = kept.member.modifiers.union(half.member.modifiers);
        if half.shape > kept.shape {
            kept.member.attributes = std::mem::take(&mut half.member.attributes);
            kept.member.type_params = std::mem::take(&mut half.member.type_params);
            kept.member.accessors = std::mem::take(&mut half.member.accessors);
            kept.shape = std::mem::take(&mut half.shape);
        }
        true
    });
    members
}

fn hashes(node: &TypeNode, members: &[Texts], parts: &[BoundPart], ordered: u64) -> TypeHashes {
    let mut public = Hasher::new("public-impl-v2");
    let mut internal = Hasher::new("internal-impl-v2");
    let mut docs = Hasher::new("docs-v2");
    let mut text = Hasher::new("text-v1");
    public.number(ordered);
    for it in members {
        let Texts {
            member,
            detail,
            shape,
            ..
        } = it;
        let signature = node.marked_member_signature(member);
        let id = signature.as_bytes();
        if member.accessibility.is_visible() {
            if detail.impl_hash != 0 || !detail.params.is_empty() {
                public
                    .field(id)
                    .field(detail.params.as_bytes())
                    .number(detail.impl_hash);
            }
        } else {
            internal
                .field(id)
                .field(shape.as_bytes())
                .field(detail.params.as_bytes())
                .number(detail.impl_hash);
        }
        if detail.doc_hash != 0 {
            docs.field(id).number(detail.doc_hash);
        }
    }
    let mut orders: Vec<u64> = parts.iter().map(|part| part.initializer_order).collect();
    orders.retain(|order| *order != 0);
    orders.sort_unstable();
    for order in orders {
        internal.number(order);
    }
    for part in parts {
        if part.doc_hash != 0 {
            docs.number(part.doc_hash);
        }
        text.number(part.text_hash);
    }
    TypeHashes::new(
        public.finish(),
        internal.finish(),
        docs.finish(),
        text.finish(),
    )
}
