//! What binding decides about two sides, compared.
//!
//! Owns: which files are bound, what counts as another decision. Must not know: how tokens were aligned.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

use cortex_index::{
    ComparedSide, Index, IndexError, IndexedSide, Progress, Symbols, compare_fingerprints,
    whole_file,
};
use cortex_look::QueryError;
use cortex_model::RepoPath;
use cortex_semantics::{Certainty, Decision, Positions, Question, Why};
use rustc_hash::FxHashSet;

use super::alignment::Alignment;

/// One decision that differs.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Differing {
    /// What is decided otherwise, in words.
    pub(super) question: &'static str,
    /// Whether it is about a type or member.
    pub(super) is_of_names: bool,
    pub(super) before: Option<String>,
    pub(super) after: Option<String>,
}

/// What was compared for one target framework, and found.
#[derive(Default)]
pub(super) struct Comparison {
    /// By the number of a token of changed files.
    pub(super) differing: BTreeMap<u32, Differing>,
    /// Numbers of tokens that mean the same symbol on both sides.
    pub(super) alike: FxHashSet<u32>,
    /// Numbers of tokens about which nothing certain is known.
    pub(super) unknown: FxHashSet<u32>,
    /// Where files mean something else whose text is the same, by path and offset.
    pub(super) elsewhere: BTreeMap<(RepoPath, u32), Differing>,
    /// Pairs of files, by index, that some project compiles on both sides.
    pub(super) compiled: FxHashSet<(usize, usize)>,
    pub(super) n_files: u64,
    pub(super) n_decisions: u64,
}

impl Comparison {
    /// What was found for two target frameworks.
    pub(super) fn and(mut self, other: Self) -> Self {
        self.differing.extend(other.differing);
        self.alike.extend(other.alike);
        self.unknown.extend(other.unknown);
        self.elsewhere.extend(other.elsewhere);
        self.compiled.extend(other.compiled);
        self.n_files += other.n_files;
        self.n_decisions += other.n_decisions;
        self
    }
}

/// One framework's view of both sides.
pub(super) struct FrameworkSides<'a> {
    /// The index of this framework.
    pub(super) index: &'a Index,
    /// The older side, and the newer one.
    pub(super) sides: [&'a IndexedSide; 2],
}

/// Binds both sides and compares. `names`: what was declared, is declared now, or has another header.
pub(super) fn compare(
    seen: &FrameworkSides<'_>,
    alignment: &Alignment<'_>,
    names: &BTreeSet<String>,
    progress: &dyn Progress,
) -> Result<Comparison, QueryError> {
    let [old, new] = seen.sides;
    let old_symbols = seen.index.symbols(old, None)?;
    let new_symbols = seen.index.symbols(new, Some(&old_symbols))?;
    let symbols = [&old_symbols, &new_symbols];
    let mut found = Comparison::default();
    compare_changed(seen, alignment, symbols, progress, &mut found)?;
    compare_unchanged(seen, alignment, symbols, (names, progress), &mut found)?;
    Ok(found)
}

/// Indices of one project on both sides, by its path.
fn common_projects(symbols: [&Symbols; 2]) -> BTreeMap<&RepoPath, [usize; 2]> {
    let all = symbols[0].projects().iter().enumerate();
    all.filter_map(|(at, record)| {
        let path = &record.project.path;
        Some((path, [at, symbols[1].project_index(path)?]))
    })
    .collect()
}

fn compare_changed(
    seen: &FrameworkSides<'_>,
    alignment: &Alignment<'_>,
    symbols: [&Symbols; 2],
    progress: &dyn Progress,
    found: &mut Comparison,
) -> Result<(), QueryError> {
    let projects = common_projects(symbols);
    let mut prints: Vec<BTreeMap<usize, Vec<Decision>>> = Vec::new();
    let mut compiled_by: [BTreeMap<usize, BTreeSet<usize>>; 2] = Default::default();
    let mut declared: [FxHashSet<u32>; 2] = Default::default();
    for side in 0..2 {
        let mut units = Vec::new();
        let mut homes = Vec::new();
        for (file, source) in alignment.files[side].iter().enumerate() {
            let Some(summary) = seen.sides[side].snapshot.file(&source.path)? else {
                continue;
            };
            for project in &summary.projects {
                if let Some(at) = projects.get(project) {
                    units.push((source.path.clone(), at[side]));
                    homes.push(at[0]);
                    compiled_by[side].entry(file).or_default().insert(at[0]);
                }
            }
        }
        let positions = alignment.positions(side);
        declared[side] = declared_parts(alignment, side, symbols[side], &units);
        let all = symbols[side].fingerprints(&units, &positions, seen.index.parallel)?;
        if progress.interrupted() {
            return Err(IndexError::Interrupted.into());
        }
        found.n_files += if side == 0 { all.len() as u64 } else { 0 };
        let mut by_project: BTreeMap<usize, Vec<Decision>> = BTreeMap::new();
        for (print, home) in all.into_iter().zip(homes) {
            by_project.entry(home).or_default().extend(print.decisions);
        }
        for decisions in by_project.values_mut() {
            decisions.sort_unstable_by_key(Decision::key);
            decisions.dedup_by_key(|decision| decision.key());
        }
        prints.push(by_project);
    }
    // What declares a parameter is the parameter, whatever it is called: its uses are compared.
    let [old_parts, new_parts] = declared;
    (found.alike).extend(old_parts.intersection(&new_parts));
    for (a, ours) in &compiled_by[0] {
        for (b, theirs) in &compiled_by[1] {
            if !ours.is_disjoint(theirs) {
                found.compiled.insert((*a, *b));
            }
        }
    }
    let none = Vec::new();
    for (project, before) in &prints[0] {
        let after = prints[1].get(project).unwrap_or(&none);
        let (mut told, alike) = difference(before, after);
        found.n_decisions += before.len() as u64;
        // A namespace with another name: the names behind it tell whether it is another one.
        let namespaces = [before, after].map(|all| {
            let all = all.iter().filter(|it| it.question == Question::Namespace);
            all.map(|it| it.offset).collect::<FxHashSet<u32>>()
        });
        for number in namespaces[0].intersection(&namespaces[1]) {
            told.remove(number);
            found.alike.insert(*number);
        }
        for decision in alike {
            match decision.question {
                Question::Name(_, certainty) if certainty != Certainty::OverloadSet => {
                    found.alike.insert(decision.offset);
                }
                Question::Local(_) => {
                    found.alike.insert(decision.offset);
                }
                Question::Unbound(
                    Why::UnknownReceiver | Why::NotFound | Why::Ambiguous | Why::NoOverload,
                ) => {
                    found.unknown.insert(decision.offset);
                }
                _ => {}
            }
        }
        for (offset, differing) in told {
            found.differing.entry(offset).or_insert(differing);
        }
    }
    Ok(())
}

/// The numbers of the names that declare parameters, type parameters and labels.
fn declared_parts(
    alignment: &Alignment<'_>,
    side: usize,
    symbols: &Symbols,
    units: &[(RepoPath, usize)],
) -> FxHashSet<u32> {
    let positions = alignment.positions(side);
    let mut found = FxHashSet::default();
    for (path, project) in units {
        let files = alignment.files[side];
        let Ok(at) = files.binary_search_by(|file| file.path.cmp(path)) else {
            continue;
        };
        let identifiers = symbols.identifiers(&files[at].text, *project);
        let parts = identifiers.parameters.iter();
        let parts = parts.chain(&identifiers.type_parameters);
        let names = parts.map(|part| part.range).chain(identifiers.labels);
        let there = positions.of_file(path);
        found.extend(names.filter_map(|name| (there.offset)(name.start)));
    }
    found
}

fn compare_unchanged(
    seen: &FrameworkSides<'_>,
    alignment: &Alignment<'_>,
    symbols: [&Symbols; 2],
    (names, progress): (&BTreeSet<String>, &dyn Progress),
    found: &mut Comparison,
) -> Result<(), QueryError> {
    let [old, new] = seen.sides;
    let changed: [BTreeSet<&RepoPath>; 2] = [0, 1].map(|side| {
        alignment.files[side]
            .iter()
            .map(|file| &file.path)
            .collect()
    });
    let snapshots = [&old.snapshot, &new.snapshot];
    let mut units: BTreeSet<(RepoPath, RepoPath)> = BTreeSet::new();
    let [before, after] =
        cortex_index::Snapshot::files_bound_otherwise(snapshots[0], snapshots[1])?;
    for file in before.into_iter().chain(after) {
        let path = file.path;
        units.extend(file.projects.into_iter().map(|it| (path.clone(), it)));
    }
    for name in names {
        for file in old.snapshot.files_mentioning(name)? {
            let path = file.path;
            units.extend(file.projects.into_iter().map(|it| (path.clone(), it)));
        }
    }
    let is_changed = |path: &RepoPath| changed.iter().any(|paths| paths.contains(path));
    units.retain(|(path, _)| !is_changed(path));
    let projects = common_projects(symbols);
    let pairs: Vec<[(RepoPath, usize); 2]> = (units.iter())
        .filter_map(|(path, project)| {
            let at = projects.get(project)?;
            Some([(path.clone(), at[0]), (path.clone(), at[1])])
        })
        .collect();
    let positions = [0, 1].map(|side| alignment.positions(side));
    let sides = [0, 1].map(|side| ComparedSide {
        symbols: symbols[side],
        positions: &positions[side],
        part: &whole_file,
    });
    let compared = compare_fingerprints(
        sides,
        &pairs,
        seen.index.parallel,
        &|| progress.interrupted(),
        &|before, after| {
            let (told, _) = difference(&before.decisions, &after.decisions);
            (before.decisions.len() as u64, told)
        },
    )?;
    for ([(path, _), _], (n_decisions, told)) in pairs.iter().zip(compared) {
        found.n_decisions += n_decisions;
        for (offset, differing) in told {
            let key = (path.clone(), offset);
            found.elsewhere.entry(key).or_insert(differing);
        }
    }
    found.n_files += pairs.len() as u64;
    Ok(())
}

/// What differs between two sorted lists, one for each place, and what both have.
fn difference<'d>(
    old: &'d [Decision],
    new: &'d [Decision],
) -> (BTreeMap<u32, Differing>, Vec<&'d Decision>) {
    let (mut gone, mut come, mut alike) = (Vec::new(), Vec::new(), Vec::new());
    let (mut a, mut b) = (0, 0);
    loop {
        let order = match (old.get(a), new.get(b)) {
            (None, None) => break,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(old), Some(new)) => old.key().cmp(&new.key()),
        };
        match order {
            Ordering::Less => gone.push(&old[a]),
            Ordering::Greater => come.push(&new[b]),
            Ordering::Equal => alike.push(&old[a]),
        }
        a += usize::from(order != Ordering::Greater);
        b += usize::from(order != Ordering::Less);
    }
    let mut told: BTreeMap<u32, Differing> = BTreeMap::new();
    let mut instead: BTreeMap<u32, &Decision> = BTreeMap::new();
    for decision in &come {
        instead.entry(decision.offset).or_insert(decision);
    }
    for decision in gone.into_iter().filter(|it| it.question != Question::Gap) {
        let after = instead.get(&decision.offset);
        told.entry(decision.offset).or_insert_with(|| Differing {
            question: decision.question.words(),
            is_of_names: !matches!(
                decision.question,
                Question::Type | Question::Conversion | Question::Local(_)
            ),
            before: Some(decision.shown.to_string()),
            after: after.map(|it| it.shown.to_string()),
        });
    }
    for decision in come {
        told.entry(decision.offset).or_insert_with(|| Differing {
            question: decision.question.words(),
            is_of_names: !matches!(
                decision.question,
                Question::Type | Question::Conversion | Question::Local(_)
            ),
            before: None,
            after: Some(decision.shown.to_string()),
        });
    }
    (told, alike)
}
