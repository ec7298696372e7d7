//! Types that disappeared while another appeared: renames and moves.

use crate::follow::differing::ChangedType;

use std::collections::BTreeSet;

use cortex_bind::TypeNode;
use cortex_git::FileChange;
use cortex_model::{Hash, TypeKey};
use rustc_hash::{FxHashMap, FxHashSet};

/// New types by the old ones that they continue.
#[derive(Default)]
pub struct Aliases {
    old_of: FxHashMap<TypeKey, TypeKey>,
    new_of: FxHashMap<TypeKey, TypeKey>,
}

impl Aliases {
    /// The type that a new one continues.
    pub fn old_of(&self, new: TypeKey) -> Option<TypeKey> {
        self.old_of.get(&new).copied()
    }

    /// The type that continues an old one.
    pub fn new_of(&self, old: TypeKey) -> Option<TypeKey> {
        self.new_of.get(&old).copied()
    }

    /// Whether a type that is gone goes on as another.
    pub fn is_old_half(&self, key: TypeKey) -> bool {
        self.new_of.contains_key(&key)
    }
}

/// Members are alike from here on.
const MIN_SIMILARITY: f64 = 0.85;

/// Types of renamed files are the same from here on, whatever their names.
const MIN_SIMILARITY_OF_FILES: f64 = 0.5;

/// No more than this many pairs are compared at all.
const MAX_PAIRS: usize = 2_000_000;

/// No more than this many pairs with nothing in common but their kind are compared member by member.
const MAX_COMPARED: usize = 200_000;

/// Pairs removed with added types: by their full names (another kind of type, another assembly), by git's
/// renames of the files that declare them, where their names or members are alike or both are called as their
/// files are, then by the similarity of their visible members. Each type is in
/// at most one pair.
pub fn find(changed: &[ChangedType], files: &[FileChange]) -> Aliases {
    let removed = changed.iter().filter(|ty| ty.new.is_none());
    let added = changed.iter().filter(|ty| ty.old.is_none());
    let removed: Vec<Half<'_>> = removed.map(Half::new).collect();
    let added: Vec<Half<'_>> = added.map(Half::new).collect();
    let renamed: FxHashSet<(&str, &str)> = (files.iter())
        .filter_map(|file| Some((file.old.as_ref()?, file.new.as_ref()?)))
        .map(|(old, new)| (old.path.as_str(), new.path.as_str()))
        .collect();
    let mut candidates: Vec<(u64, &Half<'_>, &Half<'_>)> = Vec::new();
    let mut n_compared = 0;
    for (old, new) in removed
        .iter()
        .flat_map(|old| added.iter().map(move |new| (old, new)))
        .take(MAX_PAIRS)
    {
        let same_fqn = old.node.fqn == new.node.fqn;
        if old.node.kind != new.node.kind && !same_fqn {
            continue;
        }
        let same_name = name_with_arity(old.node) == name_with_arity(new.node);
        let by_file = old.is_renamed_to(new, &renamed);
        if !(same_name || by_file) {
            n_compared += 1;
            if n_compared > MAX_COMPARED {
                continue;
            }
        }
        let similarity = old.similarity(new);
        let same_arity = old.node.arity == new.node.arity;
        let is_file_alike = by_file
            && (same_name
                || similarity >= MIN_SIMILARITY_OF_FILES
                || (same_arity && old.is_named_as_its_file() && new.is_named_as_its_file()));
        if same_fqn || is_file_alike || similarity >= MIN_SIMILARITY {
            let score = (similarity * 1000.0) as u64
                + u64::from(by_file) * 1000
                + u64::from(same_name) * 500
                + u64::from(same_fqn) * 2000;
            candidates.push((score, old, new));
        }
    }
    candidates.sort_by(|a, b| {
        (
            std::cmp::Reverse(a.0),
            &a.1.node.fqn,
            &a.2.node.fqn,
            a.1.key,
            a.2.key,
        )
            .cmp(&(
                std::cmp::Reverse(b.0),
                &b.1.node.fqn,
                &b.2.node.fqn,
                b.1.key,
                b.2.key,
            ))
    });
    let mut aliases = Aliases::default();
    for (_, old, new) in candidates {
        if !aliases.new_of.contains_key(&old.key) && !aliases.old_of.contains_key(&new.key) {
            aliases.new_of.insert(old.key, new.key);
            aliases.old_of.insert(new.key, old.key);
        }
    }
    aliases
}

/// One half of a possible pair.
struct Half<'a> {
    key: TypeKey,
    node: &'a TypeNode,
    /// Its visible members without the type's own name, which stands in signatures and in constructors' names.
    members: BTreeSet<u64>,
}

impl<'a> Half<'a> {
    fn new(ty: &'a ChangedType) -> Self {
        let node = ty.node();
        let visible = (node.members.iter()).filter(|member| member.accessibility.is_visible());
        let text = |member: &cortex_bind::MemberNode| {
            format!("{}{}{}", member.head(), member.name, member.tail())
                .replace(&node.fqn, "")
                .replace(name_with_arity(node), "")
        };
        Self {
            key: ty.key,
            node,
            members: visible
                .map(|member| Hash::of(text(member).as_bytes()).to_u64())
                .collect(),
        }
    }

    fn is_renamed_to(&self, new: &Self, renamed: &FxHashSet<(&str, &str)>) -> bool {
        let mut pairs = (self.node.parts.iter())
            .flat_map(|old| new.node.parts.iter().map(move |new| (old, new)));
        pairs.any(|(old, new)| renamed.contains(&(old.path.as_str(), new.path.as_str())))
    }

    /// Whether one of its files is called `Type.cs`, or `Type.Something.cs`: then the file's rename is meant to be
    /// the type's.
    fn is_named_as_its_file(&self) -> bool {
        let name = name_with_arity(self.node);
        let name = name.split('`').next().unwrap_or(name);
        (self.node.parts.iter()).any(|part| part.path.file_name().split('.').next() == Some(name))
    }

    /// Jaccard similarity of visible members; 0 where counts differ by more than 2 or there are none.
    fn similarity(&self, new: &Self) -> f64 {
        let (before, after) = (&self.members, &new.members);
        if before.is_empty() || before.len().abs_diff(after.len()) > 2 {
            return 0.0;
        }
        let common = before.intersection(after).count();
        common as f64 / (before.len() + after.len() - common) as f64
    }
}

fn name_with_arity(node: &TypeNode) -> &str {
    node.fqn.rsplit(['.', '+']).next().unwrap_or(&node.fqn)
}
