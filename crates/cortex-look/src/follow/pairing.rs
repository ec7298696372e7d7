//! Which member of one snapshot is which of another.

use crate::{QueryError, follow::overloads::pair_overloads};
use cortex_bind::{MemberDetail, MemberNode, TypeNode};
use cortex_index::{MemberDetails, Snapshot};
use cortex_model::{DeclKind, RepoPath};
use std::collections::BTreeMap;

/// One side of a type with the details of its members.
pub struct Side<'a> {
    /// The type.
    pub node: &'a TypeNode,
    /// Details of its members, in their order.
    pub details: Vec<MemberDetail>,
}

impl<'a> Side<'a> {
    /// Of a type of a snapshot.
    pub fn new(snapshot: &Snapshot, node: &'a TypeNode) -> Result<Self, QueryError> {
        Self::of(&mut MemberDetails::new(snapshot), node)
    }

    /// One of many types of a snapshot.
    pub fn of(details: &mut MemberDetails<'_>, node: &'a TypeNode) -> Result<Self, QueryError> {
        Ok(Self {
            node,
            details: details.of(node)?,
        })
    }

    /// The type.
    pub fn node(&self) -> &'a TypeNode {
        self.node
    }

    /// The names and default values of the parameters of members, in the order of the members.
    pub fn params(&self) -> impl Iterator<Item = &str> {
        self.details.iter().map(|detail| detail.params.as_str())
    }

    /// What the bodies of members are told apart by, in the order of the members; 0 for none.
    pub fn bodies(&self) -> impl Iterator<Item = u64> + '_ {
        self.details.iter().map(|detail| detail.impl_hash)
    }

    /// The members of a side; none where there is no side.
    pub fn halves(side: Option<&'a Self>) -> Vec<Half<'a>> {
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
pub struct Half<'a> {
    /// The type that declares it.
    pub node: &'a TypeNode,
    /// The member.
    pub member: &'a MemberNode,
    /// Its details.
    pub detail: &'a MemberDetail,
}

impl Half<'_> {
    /// The file that declares it.
    pub fn path(&self) -> RepoPath {
        let part = self.node.parts.get(self.member.part as usize);
        part.map_or_else(|| RepoPath::from(""), |part| part.path.clone())
    }

    /// The member with its documentation, which belongs to what a reader wants to see.
    pub fn place(&self) -> crate::follow::place::Place {
        let MemberDetail {
            range, doc_range, ..
        } = self.detail;
        let start = if doc_range.end > doc_range.start {
            doc_range.start
        } else {
            range.start
        };
        crate::follow::place::Place {
            path: self.path(),
            start: start.min(range.start),
            end: range.end,
        }
    }
}

/// Which member of one side is which of the other; by index.
#[derive(Default)]
pub struct Pairing {
    /// The same member, its signature perhaps another.
    pub pairs: Vec<(usize, usize)>,
    /// Only on the old side, ascending.
    pub gone: Vec<usize>,
    /// Only on the new side, ascending.
    pub came: Vec<usize>,
}

impl Pairing {
    /// Pairs equal members, then overloads whose signatures changed.
    pub fn new(before: &[&MemberNode], after: &[&MemberNode]) -> Self {
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
    pub fn join_overloads(&mut self, before: &[&MemberNode], after: &[&MemberNode]) {
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
    pub fn join(&mut self, found: Vec<(usize, usize)>) {
        self.gone
            .retain(|old| found.iter().all(|(other, _)| other != old));
        self.came
            .retain(|new| found.iter().all(|(_, other)| other != new));
        self.pairs.extend(found);
    }

    /// Pairs what is left over and has the same kind and types under another name: those with the same body, then
    /// those without one whose names are alike; each only where it is the only one on either side. `before` and
    /// `after`: the members with what their bodies are told apart by.
    pub fn join_renamed(&mut self, before: &[(&MemberNode, u64)], after: &[(&MemberNode, u64)]) {
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
            if n_own.count() == 1
                && (has_body || are_names_alike(&before[old].0.name, &after[new].0.name))
            {
                found.push((old, new));
            }
        }
        self.join(found);
    }
}

/// Whether half of the longer name at most has to be written anew.
pub fn are_names_alike(old: &str, new: &str) -> bool {
    let longer = old.chars().count().max(new.chars().count());
    cortex_model::edit_distance(old, new, longer / 2).is_some()
}

/// Equal identities are one member. A renamed type's constructors keep theirs.
pub fn is_same(a: &MemberNode, b: &MemberNode) -> bool {
    let name = a.name == b.name || a.kind == DeclKind::Constructor;
    name && a.kind == b.kind
        && a.accessibility == b.accessibility
        && a.has_head_of(b)
        && a.has_tail_of(b)
}
