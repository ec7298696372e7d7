//! Parts of a type to one node, with its hashes.

use cortex_model::{DeclKind, Hasher, RepoPath, TypeKind};

use crate::{
    file::BoundPart,
    graph::{MemberDetail, MemberNode, TypeHashes, TypeNode},
    signature::modifiers,
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
        signature: String::new(),
        bases: Vec::new(),
        members: Vec::new(),
        hashes: TypeHashes::default(),
        degraded: false,
    };
    let mut base_texts: Vec<String> = Vec::new();
    let mut shapes: Vec<&str> = Vec::new();
    let mut members: Vec<(MemberNode, MemberDetail)> = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        // Only one part needs to say its accessibility (C# specification, §15.2.7).
        node.accessibility = node.accessibility.max(part.symbol.accessibility);
        node.effective = node.effective.max(part.effective);
        node.modifiers = node.modifiers.union(part.modifiers);
        node.degraded |= part.degraded;
        node.parts.push(part.place.clone());
        for &base in &part.bases {
            if !node.bases.contains(&base) {
                node.bases.push(base);
            }
        }
        for text in &part.base_texts {
            if !base_texts.contains(text) {
                base_texts.push(text.clone());
            }
        }
        if !part.shape.is_empty() && !shapes.contains(&part.shape.as_str()) {
            shapes.push(&part.shape);
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
        base_texts.sort();
        shapes.sort_unstable();
    }
    node.signature = signature(&node, &base_texts, &shapes);
    let ordered = order_hash(node.kind, &members, &shapes);
    merge_partial_members(&mut members);
    node.hashes = hashes(&node, &members, &parts, ordered);
    node.members = members.into_iter().map(|(member, _)| member).collect();
    node
}

fn signature(node: &TypeNode, bases: &[String], shapes: &[&str]) -> String {
    let mut out = format!("{} ", node.accessibility);
    modifiers(&mut out, node.modifiers);
    out.push_str(node.kind.name());
    out.push(' ');
    out.push_str(&node.fqn);
    if !bases.is_empty() {
        out.push_str(" : ");
        out.push_str(&bases.join(", "));
    }
    for shape in shapes {
        out.push(' ');
        out.push_str(shape);
    }
    out
}

/// A hash of declaration order where C# gives it meaning: enum members, and fields in memory order.
fn order_hash(kind: TypeKind, members: &[(MemberNode, MemberDetail)], shapes: &[&str]) -> u64 {
    let is_enum = kind == TypeKind::Enum;
    if !is_enum && !shapes.iter().any(|shape| shape.contains("StructLayout")) {
        return 0;
    }
    let mut hasher = Hasher::new("order-v1");
    let ordered = |kind| matches!(kind, DeclKind::EnumMember | DeclKind::Field);
    for (member, _) in members.iter().filter(|(member, _)| ordered(member.kind)) {
        hasher.field(member.name.as_bytes());
    }
    hasher.finish().to_u64()
}

/// Canonical order: field, property, event, method, constructor; then signature, position.
fn rank(kind: DeclKind) -> u8 {
    match kind {
        DeclKind::Field | DeclKind::Constant | DeclKind::EnumMember => 0,
        DeclKind::Property | DeclKind::Indexer => 1,
        DeclKind::Event => 2,
        DeclKind::Constructor | DeclKind::StaticConstructor => 4,
        _ => 3,
    }
}

/// Sorts members and joins the two halves of partial members (C# specification, §15.6.9).
fn merge_partial_members(members: &mut Vec<(MemberNode, MemberDetail)>) {
    let identity = |member: &MemberNode| {
        (
            rank(member.kind),
            member.kind,
            member.accessibility,
            member.head.clone(),
            member.name.clone(),
            member.tail.clone(),
        )
    };
    members.sort_by(|(a, at_a), (b, at_b)| {
        identity(a)
            .cmp(&identity(b))
            .then_with(|| (a.part, at_a.range).cmp(&(b.part, at_b.range)))
    });
    members.dedup_by(|(half, detail), (kept, kept_detail)| {
        if identity(half) != identity(kept) {
            return false;
        }
        // The implementing half is where a reader wants to go.
        if kept_detail.impl_hash == 0 && detail.impl_hash != 0 {
            kept.part = half.part;
            kept.decl = half.decl;
            kept_detail.impl_hash = detail.impl_hash;
        }
        if kept_detail.doc_hash == 0 {
            kept_detail.doc_hash = detail.doc_hash;
        }
        if half.shape > kept.shape {
            kept.shape.clone_from(&half.shape);
        }
        true
    });
}

fn hashes(
    node: &TypeNode,
    members: &[(MemberNode, MemberDetail)],
    parts: &[BoundPart],
    ordered: u64,
) -> TypeHashes {
    let mut structure = Hasher::new("structure-v1");
    let mut public = Hasher::new("public-impl-v1");
    let mut internal = Hasher::new("internal-impl-v1");
    let mut docs = Hasher::new("docs-v1");
    let mut text = Hasher::new("text-v1");
    structure.field(node.signature.as_bytes());
    public.number(ordered);
    for (member, detail) in members {
        let signature = node.member_signature(member);
        let id = signature.as_bytes();
        if member.accessibility.is_visible() {
            structure.field(id).field(member.shape.as_bytes());
            if detail.impl_hash != 0 || !detail.params.is_empty() {
                public
                    .field(id)
                    .field(detail.params.as_bytes())
                    .number(detail.impl_hash);
            }
        } else {
            internal
                .field(id)
                .field(member.shape.as_bytes())
                .field(detail.params.as_bytes())
                .number(detail.impl_hash);
        }
        if detail.doc_hash != 0 {
            docs.field(id).number(detail.doc_hash);
        }
    }
    for part in parts {
        if part.doc_hash != 0 {
            docs.number(part.doc_hash);
        }
        text.number(part.text_hash);
    }
    TypeHashes {
        structure: structure.finish(),
        public_impl: public.finish(),
        internal_impl: internal.finish(),
        docs: docs.finish(),
        text: text.finish().to_u64(),
    }
}
