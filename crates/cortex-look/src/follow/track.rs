//! A symbol on its way through snapshots: what it is called one commit earlier or later.

use crate::{
    QueryError,
    follow::{
        differing::ChangedType,
        pairing::{Pairing, Side, is_same},
        renames::{self, Aliases},
    },
    symbol::resolved::{Symbol, SymbolPart},
};

use cortex_bind::{MemberNode, TypeNode};
use cortex_git::{RenameOptions, Repository, find_renames};
use cortex_index::Snapshot;
use cortex_model::{ChangeClass, DeclKind, TypeKey};

/// What is followed: what a symbol is called at one commit, or was when it was last there.
#[derive(Clone, PartialEq, Debug)]
pub struct Tracked {
    /// The type, or the one that declares the member.
    pub key: TypeKey,
    /// What of it is followed.
    pub part: TrackedPart,
}

/// What of the type is followed.
#[derive(Clone, PartialEq, Debug)]
pub enum TrackedPart {
    /// The type.
    Whole,
    /// Every member of a name.
    Group {
        /// The name; that of the type for constructors.
        name: String,
        /// Whether it is the constructors.
        kind: GroupKind,
    },
    /// One member.
    Member(Box<MemberNode>),
}

/// Whether the name of a group is the type's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GroupKind {
    /// It is.
    Constructors,
    /// It is not.
    Others,
}

/// The two sides of a step at which the symbol's type differs.
pub struct Difference {
    /// The older side.
    pub old: Option<TypeNode>,
    /// The newer side.
    pub new: Option<TypeNode>,
    /// The key of the newer side that exists.
    pub key: TypeKey,
    /// Its class, were there no rename.
    pub class: ChangeClass,
    /// What the type became, where it goes on under another name that is not followed.
    pub renamed_to: Option<String>,
    /// What the member was called, where it was renamed.
    pub member_was: Option<MemberNode>,
}

impl Tracked {
    /// Begins with a symbol of a snapshot.
    pub fn new(symbol: &Symbol) -> Self {
        let part = match &symbol.part {
            SymbolPart::Whole => TrackedPart::Whole,
            SymbolPart::Member(at) => {
                TrackedPart::Member(Box::new(symbol.node.members[*at].clone()))
            }
            SymbolPart::Group(all) => {
                let first = &symbol.node.members[all[0]];
                TrackedPart::Group {
                    name: first.name.clone(),
                    kind: if first.kind == DeclKind::Constructor {
                        GroupKind::Constructors
                    } else {
                        GroupKind::Others
                    },
                }
            }
        };
        Self {
            key: symbol.key,
            part,
        }
    }

    /// The symbol in a snapshot that has it.
    pub fn find(&self, snapshot: &Snapshot) -> Result<Option<Symbol>, QueryError> {
        let Some(node) = snapshot.type_node(self.key)? else {
            return Ok(None);
        };
        let all = self.part.members(&node);
        let part = match (&self.part, all.as_slice()) {
            (TrackedPart::Whole, _) => SymbolPart::Whole,
            (_, []) => return Ok(None),
            (_, [one]) => SymbolPart::Member(*one),
            _ => SymbolPart::Group(all),
        };
        Ok(Some(Symbol {
            key: self.key,
            node,
            part,
        }))
    }

    /// What the symbol is called in the older of two neighboring snapshots, and how its type differs; `None`
    /// where it does not.
    pub fn step_back(
        &self,
        repo: &Repository,
        old: &Snapshot,
        new: &Snapshot,
    ) -> Result<(Self, Option<Difference>), QueryError> {
        if old.has_same_type(new, self.key)? {
            return Ok((self.clone(), None));
        }
        let (before, after) = (old.type_node(self.key)?, new.type_node(self.key)?);
        let mut difference = Difference {
            class: crate::follow::differing::class(before.as_ref(), after.as_ref()),
            old: before,
            new: after,
            key: self.key,
            renamed_to: None,
            member_was: None,
        };
        let mut older = self.clone();
        match (&difference.old, &difference.new) {
            (None, Some(_)) => {
                let (changed, aliases) = aliases(repo, old, new)?;
                if let Some(key) = aliases.old_of(self.key) {
                    older.key = key;
                    difference.old = side(&changed, key, |ty| ty.old.as_ref());
                }
            }
            (Some(_), None) => {
                let (changed, aliases) = aliases(repo, old, new)?;
                let key = aliases.new_of(self.key);
                let now = key.and_then(|key| side(&changed, key, |ty| ty.new.as_ref()));
                difference.renamed_to = now.map(|node| node.fqn);
            }
            _ => {}
        }
        if let (Some(before), Some(after)) = (&difference.old, &difference.new) {
            let (part, was) = self.part.follow([(old, before), (new, after)], Way::Back)?;
            (older.part, difference.member_was) = (part, was);
        }
        Ok((older, Some(difference)))
    }

    /// What the symbol is called in the newer of two neighboring snapshots.
    pub fn step_forward(
        &self,
        repo: &Repository,
        old: &Snapshot,
        new: &Snapshot,
    ) -> Result<Self, QueryError> {
        if old.has_same_type(new, self.key)? {
            return Ok(self.clone());
        }
        let mut newer = self.clone();
        let Some(before) = old.type_node(self.key)? else {
            return Ok(newer);
        };
        let mut after = new.type_node(self.key)?;
        if after.is_none() {
            let (changed, aliases) = aliases(repo, old, new)?;
            if let Some(key) = aliases.new_of(self.key) {
                newer.key = key;
                after = side(&changed, key, |ty| ty.new.as_ref());
            }
        }
        if let Some(after) = &after {
            (newer.part, _) = self
                .part
                .follow([(old, &before), (new, after)], Way::Forward)?;
        }
        Ok(newer)
    }
}

/// Which side a part is known on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// The new one.
    Back,
    /// The old one.
    Forward,
}

impl TrackedPart {
    /// Whether a member is followed.
    pub fn is_meant(&self, member: &MemberNode) -> bool {
        match self {
            Self::Whole => false,
            Self::Group {
                kind: GroupKind::Constructors,
                ..
            } => member.kind == DeclKind::Constructor,
            Self::Group { name, .. } => member.name == *name,
            Self::Member(one) => is_same(one, member),
        }
    }

    fn members(&self, node: &TypeNode) -> Vec<usize> {
        let all = node.members.iter().enumerate();
        all.filter(|(_, member)| self.is_meant(member))
            .map(|(at, _)| at)
            .collect()
    }

    /// What is followed on the other side of a step, and the older member of a rename.
    fn follow(
        &self,
        sides: [(&Snapshot, &TypeNode); 2],
        way: Way,
    ) -> Result<(Self, Option<MemberNode>), QueryError> {
        let [(_, before), (_, after)] = sides;
        let (here, there) = match way {
            Way::Back => (after, before),
            Way::Forward => (before, after),
        };
        let own = self.members(here);
        let Some(&first) = own.first() else {
            return Ok((self.clone(), None));
        };
        if let Self::Member(_) = self {
            let pairing = Pairing::new(&nodes_of(before), &nodes_of(after));
            let partner = pairing.pairs.iter().find_map(|&(old, new)| match way {
                Way::Back => (new == first).then_some(old),
                Way::Forward => (old == first).then_some(new),
            });
            if let Some(partner) = partner {
                let partner = there.members[partner].clone();
                return Ok((Self::Member(Box::new(partner)), None));
            }
        } else if matches!(self, Self::Whole) || !self.members(there).is_empty() {
            return Ok((self.clone(), None));
        }
        let Some(other) = renamed(sides, way, first)? else {
            return Ok((self.clone(), None));
        };
        let was = match way {
            Way::Back => other.clone(),
            Way::Forward => here.members[first].clone(),
        };
        let part = match self {
            Self::Group { kind, .. } => Self::Group {
                name: other.name,
                kind: *kind,
            },
            _ => Self::Member(Box::new(other)),
        };
        Ok((part, Some(was)))
    }
}

fn nodes_of(node: &TypeNode) -> Vec<&MemberNode> {
    node.members.iter().collect()
}

/// The member of the other side that is the same under another name.
fn renamed(
    [(old, before), (new, after)]: [(&Snapshot, &TypeNode); 2],
    way: Way,
    at: usize,
) -> Result<Option<MemberNode>, QueryError> {
    let (before_side, after_side) = (Side::new(old, before)?, Side::new(new, after)?);
    let mut pairing = Pairing::new(&nodes_of(before), &nodes_of(after));
    let n_same = pairing.pairs.len();
    let olds: Vec<_> = before.members.iter().zip(before_side.bodies()).collect();
    let news: Vec<_> = after.members.iter().zip(after_side.bodies()).collect();
    pairing.join_renamed(&olds, &news);
    let found = pairing.pairs[n_same..]
        .iter()
        .find_map(|&(old, new)| match way {
            Way::Back => (new == at).then(|| before.members[old].clone()),
            Way::Forward => (old == at).then(|| after.members[new].clone()),
        });
    Ok(found)
}

/// Types that changed between two neighboring snapshots, and which of them are the same.
fn aliases(
    repo: &Repository,
    old: &Snapshot,
    new: &Snapshot,
) -> Result<(Vec<ChangedType>, Aliases), QueryError> {
    let changed = crate::follow::differing::differing_types(old, new)?;
    let files = repo.diff_trees(old.side().tree(), new.side().tree())?;
    let files = find_renames(files, &mut repo.blobs(), &RenameOptions::default()).changes;
    let aliases = renames::find(&changed, &files);
    Ok((changed, aliases))
}

fn side(
    changed: &[ChangedType],
    key: TypeKey,
    side: impl Fn(&ChangedType) -> Option<&TypeNode>,
) -> Option<TypeNode> {
    let ty = changed.iter().find(|ty| ty.key == key)?;
    side(ty).cloned()
}
