//! Parts of a type to one node, with its hashes (spec 3.4).

use cortex_model::{DeclKind, EdgeKinds, Hasher, TypeKey, TypeKind};

use crate::{
    file::BoundPart,
    graph::{Edge, MemberNode, TypeHashes, TypeNode},
    signature::modifiers,
};

/// Merges the declarations of one type; `parts` must all have its key. The order does not matter.
///
/// # Panics
/// When `parts` is empty.
pub fn merge_parts(mut parts: Vec<BoundPart>, assembly: &str) -> TypeNode {
    parts.sort_by(|a, b| a.place.cmp(&b.place));
    let first = parts.first().expect("a type has at least one declaration").clone();
    let mut node = TypeNode {
        fqn: first.symbol.fqn.clone(),
        kind: first.symbol.kind,
        arity: first.symbol.arity,
        accessibility: first.symbol.accessibility,
        effective: first.effective,
        modifiers: first.modifiers,
        project: first.symbol.project.clone(),
        assembly: assembly.to_owned(),
        parts: Vec::new(),
        signature: String::new(),
        bases: Vec::new(),
        members: Vec::new(),
        edges: Vec::new(),
        hashes: TypeHashes::default(),
        degraded: false,
    };
    let mut base_texts: Vec<String> = Vec::new();
    let mut shapes: Vec<&str> = Vec::new();
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
        node.members.extend(part.members.iter().map(|member| MemberNode { part: index as u32, ..member.clone() }));
    }
    // Which part names which base means nothing.
    if parts.len() > 1 {
        base_texts.sort();
        shapes.sort_unstable();
    }
    node.signature = signature(&node, &base_texts, &shapes);
    node.edges = merge_edges(&parts);
    let ordered = order_hash(&node, &shapes);
    merge_partial_members(&mut node.members);
    node.hashes = hashes(&node, &parts, ordered);
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

fn merge_edges(parts: &[BoundPart]) -> Vec<Edge> {
    let mut all: Vec<(TypeKey, EdgeKinds, u32)> = parts.iter().flat_map(|part| part.edges.iter().copied()).collect();
    all.sort_unstable_by_key(|&(to, ..)| to);
    let mut out: Vec<Edge> = Vec::with_capacity(all.len());
    for (target, kinds, count) in all {
        match out.last_mut().filter(|last| last.target == target) {
            Some(last) => {
                last.kinds = last.kinds.union(kinds);
                last.count += count;
            }
            None => out.push(Edge { target, kinds, count }),
        }
    }
    out
}

/// A hash of declaration order where C# gives it meaning: enum members, and fields in memory order.
fn order_hash(node: &TypeNode, shapes: &[&str]) -> u64 {
    let is_enum = node.kind == TypeKind::Enum;
    if !is_enum && !shapes.iter().any(|shape| shape.contains("StructLayout")) {
        return 0;
    }
    let mut hasher = Hasher::new("order-v1");
    let ordered = |kind| matches!(kind, DeclKind::EnumMember | DeclKind::Field);
    for member in node.members.iter().filter(|member| ordered(member.kind)) {
        hasher.field(member.name.as_bytes());
    }
    hasher.finish().to_u64()
}

/// Canonical order (spec 3.4): field, property, event, method, constructor; then signature, position.
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
fn merge_partial_members(members: &mut Vec<MemberNode>) {
    members.sort_by(|a, b| {
        (rank(a.kind), &a.signature, a.part, a.range).cmp(&(rank(b.kind), &b.signature, b.part, b.range))
    });
    members.dedup_by(|half, kept| {
        if half.kind != kept.kind || half.signature != kept.signature {
            return false;
        }
        // The implementing half is where a reader wants to go.
        if kept.impl_hash == 0 && half.impl_hash != 0 {
            kept.part = half.part;
            kept.range = half.range;
            kept.line = half.line;
            kept.impl_hash = half.impl_hash;
        }
        if kept.doc_hash == 0 {
            kept.doc_hash = half.doc_hash;
            kept.doc_range = half.doc_range;
        }
        if half.shape > kept.shape {
            kept.shape.clone_from(&half.shape);
        }
        true
    });
}

fn hashes(node: &TypeNode, parts: &[BoundPart], ordered: u64) -> TypeHashes {
    let mut structure = Hasher::new("structure-v1");
    let mut public = Hasher::new("public-impl-v1");
    let mut internal = Hasher::new("internal-impl-v1");
    let mut docs = Hasher::new("docs-v1");
    let mut text = Hasher::new("text-v1");
    structure.field(node.signature.as_bytes());
    public.number(ordered);
    for member in &node.members {
        let id = member.signature.as_bytes();
        if member.accessibility.is_visible() {
            structure.field(id).field(member.shape.as_bytes());
            if member.impl_hash != 0 || !member.params.is_empty() {
                public.field(id).field(member.params.as_bytes()).number(member.impl_hash);
            }
        } else {
            internal.field(id).field(member.shape.as_bytes()).field(member.params.as_bytes()).number(member.impl_hash);
        }
        if member.doc_hash != 0 {
            docs.field(id).number(member.doc_hash);
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
        text: text.finish(),
    }
}
