//! Members that differ between the two sides of a type.

use std::collections::BTreeMap;

use cortex_bind::{MemberDetail, MemberNode, TypeNode};
use cortex_index::{MemberDetails, Snapshot};
use cortex_model::{DeclKind, RepoPath, member_short_id};

use crate::{
    QueryError,
    answer::{CodeLine, MemberChange, MemberChangeKind},
    code,
    overloads::pair_overloads,
};

/// Gives the text of a member from where it stands before and after.
pub(crate) type MemberCode<'c> =
    dyn Fn(Option<code::Place>, Option<code::Place>) -> Vec<CodeLine> + 'c;

/// One side of a type with the details of its members.
pub(crate) struct Side<'a> {
    node: &'a TypeNode,
    details: Vec<MemberDetail>,
}

impl<'a> Side<'a> {
    pub(crate) fn new(snapshot: &Snapshot, node: &'a TypeNode) -> Result<Self, QueryError> {
        Self::of(&mut MemberDetails::new(snapshot), node)
    }

    /// One of many types of a snapshot.
    pub(crate) fn of(
        details: &mut MemberDetails<'_>,
        node: &'a TypeNode,
    ) -> Result<Self, QueryError> {
        Ok(Self {
            node,
            details: details.of(node)?,
        })
    }

    /// The type.
    pub(crate) fn node(&self) -> &'a TypeNode {
        self.node
    }

    /// The names and default values of the parameters of members, in the order of the members.
    pub(crate) fn params(&self) -> impl Iterator<Item = &str> {
        self.details.iter().map(|detail| detail.params.as_str())
    }

    /// What the bodies of members are told apart by, in the order of the members; 0 for none.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = u64> + '_ {
        self.details.iter().map(|detail| detail.impl_hash)
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

/// Which member of one side is which of the other; by index.
#[derive(Default)]
pub(crate) struct Pairing {
    /// The same member, its signature perhaps another.
    pub(crate) pairs: Vec<(usize, usize)>,
    /// Only on the old side, ascending.
    pub(crate) gone: Vec<usize>,
    /// Only on the new side, ascending.
    pub(crate) came: Vec<usize>,
}

impl Pairing {
    pub(crate) fn new(before: &[&MemberNode], after: &[&MemberNode]) -> Self {
        let mut out = Self {
            came: (0..after.len()).collect(),
            ..Self::default()
        };
        for (at, member) in before.iter().enumerate() {
            let found = (out.came.iter()).position(|&other| is_same(member, after[other]));
            match found {
                Some(found) => out.pairs.push((at, out.came.remove(found))),
                None => out.gone.push(at),
            }
        }
        out.join_overloads(before, after);
        out
    }
}

impl Pairing {
    /// Pairs what is left over of one name and kind: its signature changed.
    fn join_overloads(&mut self, before: &[&MemberNode], after: &[&MemberNode]) {
        let of_name = |members: &[&MemberNode], left: &[usize]| {
            let mut out: BTreeMap<(String, DeclKind), Vec<usize>> = BTreeMap::new();
            for &at in left {
                // Constructors of a renamed type have its name.
                let name = match members[at].kind {
                    DeclKind::Constructor => String::new(),
                    _ => members[at].name.clone(),
                };
                let name = (name, members[at].kind);
                out.entry(name).or_default().push(at);
            }
            out
        };
        let came = of_name(after, &self.came);
        let mut found = Vec::new();
        for (name, gone) in of_name(before, &self.gone) {
            let Some(came) = came.get(&name) else {
                continue;
            };
            let texts = |members: &[&MemberNode], all: &[usize]| -> Vec<String> {
                all.iter().map(|&at| members[at].tail()).collect()
            };
            let (old, new) = (texts(before, &gone), texts(after, came));
            let [old, new] =
                [&old, &new].map(|it| it.iter().map(String::as_str).collect::<Vec<_>>());
            let pairs = pair_overloads(&old, &new).into_iter();
            found.extend(pairs.map(|(at, to)| (gone[at], came[to])));
        }
        found.sort_unstable();
        self.join(found);
    }

    /// Takes pairs of what is left over.
    fn join(&mut self, found: Vec<(usize, usize)>) {
        self.gone
            .retain(|old| found.iter().all(|(other, _)| other != old));
        self.came
            .retain(|new| found.iter().all(|(_, other)| other != new));
        self.pairs.extend(found);
    }

    /// Pairs what is left over and has the same kind and types under another name: those with the same body, then
    /// those without one whose names are alike; each only where it is the only one on either side. `before` and
    /// `after`: the members with what their bodies are told apart by.
    pub(crate) fn join_renamed(
        &mut self,
        before: &[(&MemberNode, u64)],
        after: &[(&MemberNode, u64)],
    ) {
        let is_alike = |(old, old_body): (&MemberNode, u64),
                        (new, new_body): (&MemberNode, u64)| {
            old.kind == new.kind
                && old.has_head_of(new)
                && old.has_tail_of(new)
                && old_body == new_body
                && !matches!(
                    old.kind,
                    DeclKind::Constructor | DeclKind::StaticConstructor
                )
                && !(old.primary || new.primary)
        };
        let mut found: Vec<(usize, usize)> = Vec::new();
        for &old in &self.gone {
            let mut partners = (self.came.iter()).filter(|&&new| is_alike(before[old], after[new]));
            let Some(&new) = partners.next().filter(|_| partners.next().is_none()) else {
                continue;
            };
            let n_own = self.gone.iter();
            let n_own = n_own.filter(|&&other| is_alike(before[other], after[new]));
            let has_body = before[old].1 != 0;
            if n_own.count() == 1 && (has_body || are_names_alike(before[old].0, after[new].0)) {
                found.push((old, new));
            }
        }
        self.join(found);
    }
}

/// Whether half of the longer name at most has to be written anew.
fn are_names_alike(old: &MemberNode, new: &MemberNode) -> bool {
    let longer = old.name.chars().count().max(new.name.chars().count());
    cortex_model::edit_distance(&old.name, &new.name, longer / 2).is_some()
}

/// Equal identities are one member. A renamed type's constructors keep theirs.
pub(crate) fn is_same(a: &MemberNode, b: &MemberNode) -> bool {
    let name = a.name == b.name || a.kind == DeclKind::Constructor;
    name && a.kind == b.kind
        && a.accessibility == b.accessibility
        && a.has_head_of(b)
        && a.has_tail_of(b)
}

/// The changed members of a type: removed, added, then changed; each by path and line.
pub(crate) fn member_changes<'a>(
    old: Option<&'a Side<'a>>,
    new: Option<&'a Side<'a>>,
    code: &MemberCode<'_>,
) -> Vec<MemberChange> {
    let before = Side::halves(old);
    let after = Side::halves(new);
    let nodes = |halves: &[Half<'a>]| halves.iter().map(|half| half.member).collect::<Vec<_>>();
    let bodies = |halves: &[Half<'a>]| {
        let all = halves.iter();
        all.map(|half| (half.member, half.detail.impl_hash))
            .collect::<Vec<_>>()
    };
    let mut pairing = Pairing::new(&nodes(&before), &nodes(&after));
    pairing.join_renamed(&bodies(&before), &bodies(&after));
    let mut out = Vec::new();
    for at in pairing.gone {
        let half = Some(before[at]);
        out.push(change(code, MemberChangeKind::Removed, half, None));
    }
    for at in pairing.came {
        let half = Some(after[at]);
        out.push(change(code, MemberChangeKind::Added, None, half));
    }
    for (old, new) in pairing.pairs {
        let (before, after) = (before[old], after[new]);
        let kind = if !is_same(before.member, after.member) {
            MemberChangeKind::Signature
        } else if !before.member.has_shape_of(after.member)
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
        out.push(change(code, kind, Some(before), Some(after)));
    }
    out.sort_by(|a, b| {
        (a.change, &a.path, a.line, &a.name).cmp(&(b.change, &b.path, b.line, &b.name))
    });
    out
}

/// What differs between two shapes: attributes that came and went, and the rest where it does.
fn shape_notes(before: &MemberNode, after: &MemberNode) -> Vec<String> {
    let texts = |member: &MemberNode| -> Vec<String> {
        member.attributes.iter().map(ToString::to_string).collect()
    };
    let (mut gone, mut came) = (texts(before), texts(after));
    gone.retain(|attribute| {
        let same = came.iter().position(|other| other == attribute);
        same.map(|at| came.remove(at)).is_none()
    });
    let mut out = Vec::new();
    for (all, what) in [(gone, "removed"), (came, "added")] {
        out.extend(all.iter().map(|attribute| format!("`{attribute}` {what}")));
    }
    let (old, new) = (
        before.shape_without_attributes(),
        after.shape_without_attributes(),
    );
    if old != new {
        out.push(format!("`{old}` → `{new}`"));
    }
    out
}

fn change(
    code: &MemberCode<'_>,
    kind: MemberChangeKind,
    old: Option<Half<'_>>,
    new: Option<Half<'_>>,
) -> MemberChange {
    let half = new.or(old).expect("a changed member has a side");
    let mut notes = Vec::new();
    if let (Some(before), Some(after)) = (old, new) {
        if before.member.name != after.member.name && after.member.kind != DeclKind::Constructor {
            notes.push(format!("renamed from `{}`", before.member.name));
        }
        if before.detail.params != after.detail.params {
            notes.push(format!(
                "parameters `{}` → `{}`",
                before.detail.params, after.detail.params
            ));
        }
        if !before.member.has_shape_of(after.member) {
            notes.extend(shape_notes(before.member, after.member));
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
        doc_id: None,
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
            code(old.map(|half| half.place()), new.map(|half| half.place()))
        },
    }
}

#[cfg(test)]
mod tests {
    use cortex_bind::{AccessorNode, AttributeNode, MemberNode};
    use cortex_model::{Accessibility, AccessorKind, DeclKind, Modifiers};
    use cortex_syntax::AttributeTarget;

    use super::shape_notes;

    fn property(attributes: &[(&str, &str)], accessors: &[AccessorKind]) -> MemberNode {
        let attributes = attributes.iter().map(|&(name, arguments)| AttributeNode {
            target: AttributeTarget::Declaration,
            name: name.to_owned(),
            arguments: (!arguments.is_empty()).then(|| arguments.to_owned()),
        });
        let accessors = accessors.iter().map(|&kind| AccessorNode {
            kind,
            accessibility: None,
            modifiers: Modifiers::EMPTY,
        });
        MemberNode {
            kind: DeclKind::Property,
            accessibility: Accessibility::Public,
            modifiers: Modifiers::EMPTY,
            ty: Some("int".to_owned()),
            name: "P".to_owned(),
            interface_len: 0,
            params: None,
            type_params: Vec::new(),
            attributes: attributes.collect(),
            accessors: accessors.collect(),
            part: 0,
            decl: 0,
            primary: false,
        }
    }

    #[test]
    fn attributes_that_stay_are_left_out_of_the_notes() {
        let both = [AccessorKind::Get, AccessorKind::Set];
        let data = |first| {
            [
                ("InlineData", first),
                ("InlineData", "\"b\""),
                ("Theory", ""),
            ]
        };
        let (before, after) = (data("\"a]\", 1"), data("\"a]\", 2"));
        assert_eq!(
            shape_notes(&property(&before, &both), &property(&after, &both)),
            [
                r#"`[InlineData("a]", 1)]` removed"#,
                r#"`[InlineData("a]", 2)]` added"#,
            ]
        );
        let after = property(&[("A", "")], &[AccessorKind::Get]);
        assert_eq!(
            shape_notes(&property(&[], &both), &after),
            ["`[A]` added", "`get;set;` → `get;`"]
        );
    }
}
