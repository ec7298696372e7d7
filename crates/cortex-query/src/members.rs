//! Members that differ between the two sides of a type.

use cortex_bind::{MemberNode, TypeNode};
use cortex_model::{RepoPath, member_short_id};

use crate::{
    answer::{MemberChange, MemberChangeKind},
    code,
    diff_context::Compared,
};

/// The changed members of a type: removed, added, then changed; each in canonical order.
pub(crate) fn member_changes(compared: &Compared, old: Option<&TypeNode>, new: Option<&TypeNode>) -> Vec<MemberChange> {
    let before = old.map_or(&[][..], |old| &old.members);
    let after = new.map_or(&[][..], |new| &new.members);
    // Equal signatures are one member. A renamed type changes every signature: its name is left out.
    let identity = |node: Option<&TypeNode>, member: &MemberNode| {
        let fqn = node.map_or("", |node| node.fqn.as_str());
        (member.kind, member.signature.replacen(fqn, "", 1))
    };
    let mut gone: Vec<&MemberNode> = Vec::new();
    let mut came: Vec<&MemberNode> = after.iter().collect();
    let mut pairs: Vec<(&MemberNode, &MemberNode)> = Vec::new();
    for member in before {
        let id = identity(old, member);
        match came.iter().position(|other| identity(new, other) == id) {
            Some(at) => pairs.push((member, came.remove(at))),
            None => gone.push(member),
        }
    }
    // One of a name left over on each side: its signature changed.
    gone.retain(|member| {
        let same_name = |other: &&MemberNode| other.kind == member.kind && other.name == member.name;
        let alone = before.iter().filter(|other| same_name(other)).count() == 1
            || came.iter().filter(|other| same_name(other)).count() == 1;
        match came.iter().position(same_name).filter(|_| alone) {
            Some(at) => {
                pairs.push((member, came.remove(at)));
                false
            }
            None => true,
        }
    });
    let mut out = Vec::new();
    for member in gone {
        out.push(change(compared, MemberChangeKind::Removed, Some((old, member)), None));
    }
    for member in came {
        out.push(change(compared, MemberChangeKind::Added, None, Some((new, member))));
    }
    for (before, after) in pairs {
        let kind = if identity(old, before) != identity(new, after) {
            MemberChangeKind::Signature
        } else if before.shape != after.shape || before.params != after.params {
            MemberChangeKind::Shape
        } else if before.impl_hash != after.impl_hash {
            MemberChangeKind::Body
        } else if before.doc_hash != after.doc_hash {
            MemberChangeKind::Docs
        } else {
            continue;
        };
        out.push(change(compared, kind, Some((old, before)), Some((new, after))));
    }
    out.sort_by(|a, b| (a.change, &a.path, a.line, &a.name).cmp(&(b.change, &b.path, b.line, &b.name)));
    out
}

type Half<'a> = Option<(Option<&'a TypeNode>, &'a MemberNode)>;

fn change(compared: &Compared, kind: MemberChangeKind, old: Half<'_>, new: Half<'_>) -> MemberChange {
    let (node, member) = new.or(old).expect("a changed member has a side");
    let mut notes = Vec::new();
    if let (Some((_, before)), Some((_, after))) = (old, new) {
        if before.params != after.params {
            notes.push(format!("parameters `{}` → `{}`", before.params, after.params));
        }
        if before.shape != after.shape {
            notes.push(format!("`{}` → `{}`", before.shape, after.shape));
        }
        if kind < MemberChangeKind::Body && before.impl_hash != after.impl_hash {
            notes.push("body changed too".to_owned());
        }
    }
    MemberChange {
        change: kind,
        kind: member.kind,
        name: member.name.clone(),
        id: member_short_id(&member.signature),
        accessibility: member.accessibility,
        old_signature: old.map(|(_, member)| member.signature.clone()),
        new_signature: new.map(|(_, member)| member.signature.clone()),
        notes,
        path: path(node, member),
        line: member.line,
        code: code::member_code(compared, half_place(old), half_place(new)),
    }
}

fn path(node: Option<&TypeNode>, member: &MemberNode) -> RepoPath {
    let part = node.and_then(|node| node.parts.get(member.part as usize));
    part.map_or_else(|| RepoPath::from(""), |part| part.path.clone())
}

fn half_place(half: Half<'_>) -> Option<code::Place> {
    let (node, member) = half?;
    // Documentation belongs to what a reader wants to see.
    let start = if member.doc_range.end > member.doc_range.start { member.doc_range.start } else { member.range.start };
    Some(code::Place { path: path(node, member), start: start.min(member.range.start), end: member.range.end })
}
