//! Which declarations of two sides are one: equal in what tells them from others, in their text, or nearly so.
//!
//! Owns: pairs of types and members. Must not know: what names mean. Whether a pair means the same is proven elsewhere:
//! a wrong pair costs a proof, never its truth.

use std::{collections::BTreeMap, ops::ControlFlow};

use cortex_model::RepoPath;
use rustc_hash::FxHashMap;

use super::source::SourceFile;

/// A file, and a declaration of it.
pub(super) type DeclAt = (usize, u32);

/// A type or member of one side, with all its parts.
pub(super) struct Entity {
    key: String,
    /// File and declaration of each part, in the order of the files.
    pub(super) parts: Vec<DeclAt>,
    /// Indices of what it declares.
    pub(super) children: Vec<usize>,
}

/// All types and members of one side.
pub(super) struct Entities {
    pub(super) all: Vec<Entity>,
    /// Indices of the types outside of types.
    roots: Vec<usize>,
}

/// What two sides have in common.
#[derive(Default)]
pub(super) struct Pairs {
    /// Indices into [`Entities::all`] of each side.
    pub(super) pairs: Vec<(usize, usize)>,
    pub(super) only_old: Vec<usize>,
    pub(super) only_new: Vec<usize>,
}

/// So many comparisons are made to find what is nearly equal.
const MAX_COMPARED: usize = 20_000;

/// What is nearly equal has so many tokens in common, in percent of all of both.
const MIN_ALIKE: usize = 60;

impl Entities {
    /// Those of some files.
    pub(super) fn of(files: &[SourceFile]) -> Self {
        let mut all: Vec<Entity> = Vec::new();
        let mut roots = Vec::new();
        let mut known: FxHashMap<(Option<usize>, &str), usize> = FxHashMap::default();
        for (at, file) in files.iter().enumerate() {
            let mut entity_of: Vec<usize> = Vec::with_capacity(file.decls.len());
            for (decl, declared) in file.decls.iter().enumerate() {
                let parent = declared.parent.map(|parent| entity_of[parent as usize]);
                let entity = *known.entry((parent, &declared.key)).or_insert_with(|| {
                    all.push(Entity {
                        key: declared.key.clone(),
                        parts: Vec::new(),
                        children: Vec::new(),
                    });
                    let entity = all.len() - 1;
                    match parent {
                        Some(parent) => all[parent].children.push(entity),
                        None => roots.push(entity),
                    }
                    entity
                });
                all[entity].parts.push((at, decl as u32));
                entity_of.push(entity);
            }
        }
        Self { all, roots }
    }
}

/// One side.
pub(super) struct PairingSide<'a> {
    pub(super) files: &'a [SourceFile],
    pub(super) entities: &'a Entities,
}

impl PairingSide<'_> {
    fn kind(&self, entity: usize) -> &'static str {
        let (file, decl) = self.entities.all[entity].parts[0];
        let kind = self.files[file].decls[decl as usize].kind;
        match kind.type_kind() {
            Some(_) => "type",
            None => kind.name(),
        }
    }

    fn name(&self, entity: usize) -> &str {
        let (file, decl) = self.entities.all[entity].parts[0];
        &self.files[file].decls[decl as usize].name
    }

    fn nameless(&self, entity: usize) -> Vec<&[u8]> {
        let parts = self.entities.all[entity].parts.iter();
        parts
            .flat_map(|&(file, decl)| self.files[file].nameless(decl))
            .collect()
    }
}

/// Pairs what two sides declare.
pub(super) fn pair(old: &PairingSide<'_>, new: &PairingSide<'_>) -> Pairs {
    let mut found = Pairs::default();
    let mut todo = vec![(old.entities.roots.clone(), new.entities.roots.clone())];
    while let Some((olds, news)) = todo.pop() {
        let begin = found.pairs.len();
        pair_children(old, new, (olds, news), &mut found);
        for &(a, b) in &found.pairs[begin..] {
            let children =
                |side: &PairingSide<'_>, at: usize| side.entities.all[at].children.clone();
            todo.push((children(old, a), children(new, b)));
        }
    }
    found
}

/// Pairs what one container declares on both sides.
fn pair_children(
    old: &PairingSide<'_>,
    new: &PairingSide<'_>,
    (mut olds, mut news): (Vec<usize>, Vec<usize>),
    found: &mut Pairs,
) {
    take_equal(&mut olds, &mut news, found, |side, at| {
        let side = [old, new][side];
        Some(side.entities.all[at].key.clone())
    });
    // Another name, and nothing else.
    take_equal(&mut olds, &mut news, found, |side, at| {
        let side = [old, new][side];
        Some((side.kind(at), side.nameless(at)))
    });
    // Other parameters.
    let is_only = |side: &PairingSide<'_>, all: &[usize], at: usize| {
        let same = all
            .iter()
            .filter(|&&it| (side.kind(it), side.name(it)) == (side.kind(at), side.name(at)));
        same.count() == 1
    };
    let (all_olds, all_news) = (olds.clone(), news.clone());
    take_equal(&mut olds, &mut news, found, |side, at| {
        let (side, all) = [(old, &all_olds), (new, &all_news)][side];
        is_only(side, all, at).then(|| (side.kind(at), side.name(at).to_owned()))
    });
    take_alike(old, new, (&mut olds, &mut news), found);
    found.only_old.extend(olds);
    found.only_new.extend(news);
}

/// Pairs those with an equal key; where several have one, each with the one at the same place among them, if both sides
/// have as many.
fn take_equal<K: Ord>(
    olds: &mut Vec<usize>,
    news: &mut Vec<usize>,
    found: &mut Pairs,
    key: impl Fn(usize, usize) -> Option<K>,
) {
    if olds.is_empty() || news.is_empty() {
        return;
    }
    let mut by_key: BTreeMap<K, [Vec<usize>; 2]> = BTreeMap::new();
    for (side, all) in [&*olds, &*news].into_iter().enumerate() {
        for &at in all {
            if let Some(key) = key(side, at) {
                by_key.entry(key).or_default()[side].push(at);
            }
        }
    }
    let begin = found.pairs.len();
    for [a, b] in by_key.into_values() {
        if a.len() == b.len() {
            found.pairs.extend(a.into_iter().zip(b));
        }
    }
    found.pairs[begin..].sort_unstable();
    let taken = &found.pairs[begin..];
    olds.retain(|at| taken.iter().all(|(old, _)| old != at));
    news.retain(|at| taken.iter().all(|(_, new)| new != at));
}

/// Pairs those with nearly equal tokens, the most alike first.
fn take_alike(
    old: &PairingSide<'_>,
    new: &PairingSide<'_>,
    (olds, news): (&mut Vec<usize>, &mut Vec<usize>),
    found: &mut Pairs,
) {
    if olds.len() * news.len() > MAX_COMPARED {
        return;
    }
    let counts = |side: &PairingSide<'_>, at: usize| {
        let mut counts: FxHashMap<Vec<u8>, usize> = FxHashMap::default();
        for token in side.nameless(at) {
            *counts.entry(token.to_vec()).or_default() += 1;
        }
        counts
    };
    let new_counts: Vec<_> = news.iter().map(|&at| counts(new, at)).collect();
    let mut alike: Vec<(usize, usize, usize)> = Vec::new();
    for &a in &*olds {
        let ours = counts(old, a);
        let n_ours: usize = ours.values().sum();
        for (&b, theirs) in news.iter().zip(&new_counts) {
            if old.kind(a) != new.kind(b) {
                continue;
            }
            let n_theirs: usize = theirs.values().sum();
            let common = ours
                .iter()
                .map(|(token, n)| *n.min(theirs.get(token).unwrap_or(&0)));
            let n_common: usize = common.sum();
            let n_all = n_ours + n_theirs - n_common;
            let percent = n_common * 100 / n_all.max(1);
            if percent >= MIN_ALIKE {
                alike.push((100 - percent, a, b));
            }
        }
    }
    alike.sort_unstable();
    let _: ControlFlow<()> = alike.into_iter().try_for_each(|(_, a, b)| {
        if olds.contains(&a) && news.contains(&b) {
            found.pairs.push((a, b));
            olds.retain(|&it| it != a);
            news.retain(|&it| it != b);
        }
        match olds.is_empty() || news.is_empty() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
}

/// Pairs the parts of one entity: those in one file first, the rest in their order. What is left is of one side.
pub(super) fn pair_parts(
    (old, new): (&[SourceFile], &[SourceFile]),
    (olds, news): (&[DeclAt], &[DeclAt]),
    renamed: &BTreeMap<RepoPath, RepoPath>,
) -> (Vec<[DeclAt; 2]>, [Vec<DeclAt>; 2]) {
    let mut pairs = Vec::new();
    let mut left = olds.to_vec();
    let mut right = news.to_vec();
    left.retain(|&a| {
        let path = &old[a.0].path;
        let path = renamed.get(path).unwrap_or(path);
        match right.iter().position(|&b| new[b.0].path == *path) {
            Some(at) => {
                pairs.push([a, right.remove(at)]);
                false
            }
            None => true,
        }
    });
    let n = left.len().min(right.len());
    pairs.extend(left.drain(..n).zip(right.drain(..n)).map(|(a, b)| [a, b]));
    (pairs, [left, right])
}
