//! Types that disappeared while another appeared: renames and moves (spec 3.4, aliases).

use std::collections::BTreeSet;

use cortex_bind::TypeNode;
use cortex_git::FileChange;
use cortex_model::TypeKey;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::changes::ChangedType;

/// New types by the old ones that they continue.
#[derive(Default)]
pub(crate) struct Aliases {
    old_of: FxHashMap<TypeKey, TypeKey>,
    old: FxHashSet<TypeKey>,
}

impl Aliases {
    pub(crate) fn old_of(&self, new: TypeKey) -> Option<TypeKey> {
        self.old_of.get(&new).copied()
    }

    pub(crate) fn is_old_half(&self, key: TypeKey) -> bool {
        self.old.contains(&key)
    }
}

/// Members are alike from here on.
const MIN_SIMILARITY: f64 = 0.85;

/// No more than this many pairs are compared member by member.
const MAX_PAIRS: usize = 200_000;

/// Pairs removed with added types: by git's renames of the files that declare them, then by the
/// similarity of their visible members. Each type is in at most one pair.
pub(crate) fn find(changed: &[ChangedType], files: &[FileChange]) -> Aliases {
    let removed: Vec<&ChangedType> = changed.iter().filter(|ty| ty.new.is_none()).collect();
    let added: Vec<&ChangedType> = changed.iter().filter(|ty| ty.old.is_none()).collect();
    let mut candidates: Vec<(u64, &ChangedType, &ChangedType)> = Vec::new();
    for (old, new) in removed
        .iter()
        .flat_map(|old| added.iter().map(move |new| (*old, *new)))
        .take(MAX_PAIRS)
    {
        let (before, after) = (old.node(), new.node());
        if before.kind != after.kind {
            continue;
        }
        let same_name = simple_name(before) == simple_name(after);
        let by_file = is_renamed_file(before, after, files);
        let similarity = similarity(before, after);
        if (by_file && (same_name || similarity >= 0.5)) || similarity >= MIN_SIMILARITY {
            let score = (similarity * 1000.0) as u64
                + u64::from(by_file) * 1000
                + u64::from(same_name) * 500;
            candidates.push((score, old, new));
        }
    }
    candidates.sort_by(|a, b| {
        (std::cmp::Reverse(a.0), &a.1.node().fqn, &a.2.node().fqn).cmp(&(
            std::cmp::Reverse(b.0),
            &b.1.node().fqn,
            &b.2.node().fqn,
        ))
    });
    let mut aliases = Aliases::default();
    for (_, old, new) in candidates {
        if !aliases.old.contains(&old.key) && !aliases.old_of.contains_key(&new.key) {
            aliases.old.insert(old.key);
            aliases.old_of.insert(new.key, old.key);
        }
    }
    aliases
}

fn simple_name(node: &TypeNode) -> &str {
    node.fqn.rsplit(['.', '+']).next().unwrap_or(&node.fqn)
}

fn is_renamed_file(old: &TypeNode, new: &TypeNode, files: &[FileChange]) -> bool {
    files.iter().any(|file| match (&file.old, &file.new) {
        (Some(before), Some(after)) => {
            old.parts.iter().any(|part| part.path == before.path)
                && new.parts.iter().any(|part| part.path == after.path)
        }
        _ => false,
    })
}

/// Jaccard similarity of visible members; 0 where counts differ by more than 2 or there are none.
fn similarity(old: &TypeNode, new: &TypeNode) -> f64 {
    let members = |node: &TypeNode| -> BTreeSet<String> {
        let visible = node
            .members
            .iter()
            .filter(|member| member.accessibility.is_visible());
        // The type's own name stands in signatures and in constructors' names.
        let text = |member: &cortex_bind::MemberNode| {
            format!("{}{}{}", member.head, member.name, member.tail)
        };
        visible
            .map(|member| {
                text(member)
                    .replace(&node.fqn, "")
                    .replace(simple_name(node), "")
            })
            .collect()
    };
    let (before, after) = (members(old), members(new));
    if before.is_empty() || before.len().abs_diff(after.len()) > 2 {
        return 0.0;
    }
    let common = before.intersection(&after).count() as f64;
    common / (before.union(&after).count() as f64)
}
