//! Members that differ between the two sides of a type.

use cortex_bind::{MemberDetail, MemberNode, TypeNode};
use cortex_index::Snapshot;
use cortex_model::{DeclKind, RepoPath, member_short_id};

use crate::{
    QueryError,
    answer::{MemberChange, MemberChangeKind},
    code,
    diff_context::Compared,
};

/// One side of a type with the details of its members.
pub(crate) struct Side<'a> {
    node: &'a TypeNode,
    details: Vec<MemberDetail>,
}

impl<'a> Side<'a> {
    pub(crate) fn new(snapshot: &Snapshot, node: &'a TypeNode) -> Result<Self, QueryError> {
        Ok(Self {
            node,
            details: snapshot.member_details(node)?,
        })
    }

    fn halves(side: Option<&'a Self>) -> Vec<Half<'a>> {
        let Some(side) = side else { return Vec::new() };
        let members = side.node.members.iter().zip(&side.details);
        members
            .map(|(member, detail)| Half {
                node: side.node,
                member,
                detail,
            })
            .collect()
    }
}

/// A member on one side.
#[derive(Clone, Copy)]
struct Half<'a> {
    node: &'a TypeNode,
    member: &'a MemberNode,
    detail: &'a MemberDetail,
}

impl Half<'_> {
    /// Equal identities are one member. A renamed type's constructors keep theirs.
    fn is_same(&self, other: &Half<'_>) -> bool {
        let (a, b) = (self.member, other.member);
        let name = a.name == b.name || a.kind == DeclKind::Constructor;
        name && a.kind == b.kind
            && a.accessibility == b.accessibility
            && a.head == b.head
            && a.tail == b.tail
    }

    fn path(&self) -> RepoPath {
        let part = self.node.parts.get(self.member.part as usize);
        part.map_or_else(|| RepoPath::from(""), |part| part.path.clone())
    }

    /// The member with its documentation, which belongs to what a reader wants to see.
    fn place(&self) -> code::Place {
        let MemberDetail {
            range, doc_range, ..
        } = self.detail;
        let start = if doc_range.end > doc_range.start {
            doc_range.start
        } else {
            range.start
        };
        code::Place {
            path: self.path(),
            start: start.min(range.start),
            end: range.end,
        }
    }
}

/// The changed members of a type: removed, added, then changed; each by path and line.
pub(crate) fn member_changes(
    compared: &Compared,
    old: Option<&Side<'_>>,
    new: Option<&Side<'_>>,
) -> Vec<MemberChange> {
    let before = Side::halves(old);
    let after = Side::halves(new);
    let mut came = after.clone();
    let mut gone: Vec<Half<'_>> = Vec::new();
    let mut pairs: Vec<(Half<'_>, Half<'_>)> = Vec::new();
    for half in &before {
        match came.iter().position(|other| half.is_same(other)) {
            Some(at) => pairs.push((*half, came.remove(at))),
            None => gone.push(*half),
        }
    }
    // One of a name left over on each side: its signature changed.
    gone.retain(|half| {
        let same_name = |other: &&Half<'_>| {
            other.member.kind == half.member.kind && other.member.name == half.member.name
        };
        let alone = before.iter().filter(same_name).count() == 1
            || came.iter().filter(same_name).count() == 1;
        match came
            .iter()
            .position(|other| same_name(&other))
            .filter(|_| alone)
        {
            Some(at) => {
                pairs.push((*half, came.remove(at)));
                false
            }
            None => true,
        }
    });
    let mut out = Vec::new();
    for half in gone {
        out.push(change(
            compared,
            MemberChangeKind::Removed,
            Some(half),
            None,
        ));
    }
    for half in came {
        out.push(change(compared, MemberChangeKind::Added, None, Some(half)));
    }
    for (before, after) in pairs {
        let kind = if !before.is_same(&after) {
            MemberChangeKind::Signature
        } else if before.member.shape != after.member.shape
            || before.detail.params != after.detail.params
        {
            MemberChangeKind::Shape
        } else if before.detail.impl_hash != after.detail.impl_hash {
            MemberChangeKind::Body
        } else if before.detail.doc_hash != after.detail.doc_hash {
            MemberChangeKind::Docs
        } else {
            continue;
        };
        out.push(change(compared, kind, Some(before), Some(after)));
    }
    out.sort_by(|a, b| {
        (a.change, &a.path, a.line, &a.name).cmp(&(b.change, &b.path, b.line, &b.name))
    });
    out
}

fn change(
    compared: &Compared,
    kind: MemberChangeKind,
    old: Option<Half<'_>>,
    new: Option<Half<'_>>,
) -> MemberChange {
    let half = new.or(old).expect("a changed member has a side");
    let mut notes = Vec::new();
    if let (Some(before), Some(after)) = (old, new) {
        if before.detail.params != after.detail.params {
            notes.push(format!(
                "parameters `{}` → `{}`",
                before.detail.params, after.detail.params
            ));
        }
        if before.member.shape != after.member.shape {
            notes.push(format!(
                "`{}` → `{}`",
                before.member.shape, after.member.shape
            ));
        }
        if kind < MemberChangeKind::Body && before.detail.impl_hash != after.detail.impl_hash {
            notes.push("body changed too".to_owned());
        }
    }
    let signature = |half: Half<'_>| half.node.member_signature(half.member);
    MemberChange {
        change: kind,
        kind: half.member.kind,
        name: half.member.name.clone(),
        id: member_short_id(&signature(half)),
        accessibility: half.member.accessibility,
        old_signature: old.map(signature),
        new_signature: new.map(signature),
        notes,
        path: half.path(),
        line: half.detail.line,
        // The properties of a positional record have no text but their parameter, which the
        // constructor shows.
        code: if half.member.primary && half.member.kind == DeclKind::Property {
            Vec::new()
        } else {
            code::member_code(
                compared,
                old.map(|half| half.place()),
                new.map(|half| half.place()),
            )
        },
    }
}
