//! Types that differ between two snapshots, and how.

use std::collections::BTreeMap;

use cortex_bind::TypeNode;
use cortex_index::Snapshot;
use cortex_model::{ChangeClass, RepoPath, TypeKey};

use crate::{
    QueryError,
    answer::{TypeChange, TypeRef},
    diff_context::{Compared, Limited},
    members::{self, Side},
    renames::Aliases,
};

/// A type with both its sides.
pub(crate) struct ChangedType {
    pub(crate) key: TypeKey,
    pub(crate) old: Option<TypeNode>,
    pub(crate) new: Option<TypeNode>,
    pub(crate) class: ChangeClass,
}

impl ChangedType {
    /// The newer side.
    pub(crate) fn node(&self) -> &TypeNode {
        self.new
            .as_ref()
            .or(self.old.as_ref())
            .expect("a changed type has a side")
    }
}

/// Every type whose hashes differ, by key. O(differing pages).
pub(crate) fn changed_types(compared: &Compared) -> Result<Vec<ChangedType>, QueryError> {
    let mut out = Vec::new();
    Snapshot::differing_types(&compared.old, &compared.new, &mut |key, old, new| {
        let class = class(old.as_ref(), new.as_ref());
        if class != ChangeClass::Unchanged {
            out.push(ChangedType {
                key,
                old,
                new,
                class,
            });
        }
    })?;
    let in_paths = |node: &TypeNode| {
        let changed = |path: &RepoPath| {
            compared.files.iter().any(|file| {
                [&file.old, &file.new]
                    .into_iter()
                    .flatten()
                    .any(|side| side.path == *path)
            })
        };
        node.parts.iter().any(|part| changed(&part.path))
    };
    // A type may also differ because a name in it means something else now: that counts wherever
    // the text stands, unless the question is limited to paths.
    out.retain(|ty| {
        in_paths(ty.node())
            || ty.old.as_ref().is_some_and(in_paths)
            || compared.limited == Limited::No
    });
    Ok(out)
}

fn class(old: Option<&TypeNode>, new: Option<&TypeNode>) -> ChangeClass {
    let (Some(old), Some(new)) = (old, new) else {
        return if old.is_none() {
            ChangeClass::Added
        } else {
            ChangeClass::Removed
        };
    };
    if old.hashes.structure != new.hashes.structure {
        ChangeClass::Structure
    } else if old.hashes.public_impl != new.hashes.public_impl {
        ChangeClass::PublicBehavior
    } else if old.hashes.internal_impl != new.hashes.internal_impl {
        ChangeClass::Internal
    } else if old.hashes.docs != new.hashes.docs {
        ChangeClass::Docs
    } else if old.hashes.text != new.hashes.text {
        ChangeClass::Cosmetic
    } else {
        ChangeClass::Unchanged
    }
}

/// Describes the changed types, most important first: product before tests, then by urgency, most
/// dependents first, then name.
pub(crate) fn describe(
    compared: &Compared,
    changed: &[ChangedType],
    aliases: &Aliases,
) -> Result<Vec<TypeChange>, QueryError> {
    let mut tests: BTreeMap<RepoPath, bool> = BTreeMap::new();
    for snapshot in [&compared.old, &compared.new] {
        if !changed.is_empty() {
            tests.extend(
                snapshot
                    .projects()?
                    .into_iter()
                    .map(|record| (record.project.path, record.project.is_test)),
            );
        }
    }
    let mut out = Vec::new();
    for ty in changed {
        if aliases.is_old_half(ty.key) {
            continue;
        }
        let partner = aliases
            .old_of(ty.key)
            .and_then(|key| changed.iter().find(|other| other.key == key));
        let old = ty
            .old
            .as_ref()
            .or(partner.and_then(|partner| partner.old.as_ref()));
        let new = ty.new.as_ref();
        let node = ty.node();
        let snapshot = if new.is_some() {
            &compared.new
        } else {
            &compared.old
        };
        let signatures = match (old, new) {
            (Some(old), Some(new)) if old.signature == new.signature => (None, None),
            (old, new) => (
                old.map(|old| old.signature.clone()),
                new.map(|new| new.signature.clone()),
            ),
        };
        let files: Vec<RepoPath> = distinct(node.parts.iter().map(|part| part.path.clone()));
        let old_files = distinct(
            old.into_iter()
                .flat_map(|old| &old.parts)
                .map(|part| part.path.clone()),
        );
        let moved =
            new.is_some() && old.is_some() && !old_files.iter().any(|path| files.contains(path));
        out.push(TypeChange {
            ty: type_ref(snapshot, ty.key, node)?,
            renamed_from: partner
                .and_then(|partner| partner.old.as_ref())
                .map(|old| old.fqn.clone()),
            moved_from: if moved { old_files } else { Vec::new() },
            class: match (partner, old, new) {
                (Some(_), Some(_), Some(_)) => ChangeClass::Structure,
                _ => ty.class,
            },
            accessibility: node.effective,
            project: node.project.clone(),
            is_test: tests.get(&node.project).copied().unwrap_or(false),
            line: node.parts.first().map_or(1, |part| part.line),
            files,
            old_signature: signatures.0,
            new_signature: signatures.1,
            members: members::member_changes(
                compared,
                old.map(|node| Side::new(&compared.old, node))
                    .transpose()?
                    .as_ref(),
                new.map(|node| Side::new(&compared.new, node))
                    .transpose()?
                    .as_ref(),
            ),
            n_dependents: snapshot.dependents(ty.key)?.len(),
        });
    }
    out.sort_by(|a, b| {
        let rank = |ty: &TypeChange| {
            (
                ty.is_test,
                urgency(ty.class),
                std::cmp::Reverse(ty.n_dependents),
                ty.ty.name.clone(),
                ty.project.clone(),
            )
        };
        rank(a).cmp(&rank(b))
    });
    Ok(out)
}

/// What a reviewer asks first comes first: what may break others, what behaves otherwise, what is
/// new, what stays inside.
fn urgency(class: ChangeClass) -> u8 {
    match class {
        ChangeClass::Structure | ChangeClass::Removed => 0,
        ChangeClass::PublicBehavior => 1,
        ChangeClass::Added => 2,
        ChangeClass::Internal => 3,
        ChangeClass::Docs => 4,
        ChangeClass::Cosmetic | ChangeClass::Unchanged => 5,
    }
}

/// A type by name and id.
pub(crate) fn type_ref(
    snapshot: &Snapshot,
    key: TypeKey,
    node: &TypeNode,
) -> Result<TypeRef, QueryError> {
    Ok(TypeRef {
        name: node.fqn.clone(),
        id: snapshot.display_id(key)?,
        kind: node.kind,
    })
}

fn distinct(paths: impl Iterator<Item = RepoPath>) -> Vec<RepoPath> {
    let mut out: Vec<RepoPath> = Vec::new();
    for path in paths {
        if !out.contains(&path) {
            out.push(path);
        }
    }
    out
}
