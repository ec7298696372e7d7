//! The question of `tests`, from symbols or a range to answers.

use crate::reaching::{
    Look, TestReach,
    answer::Reaching,
    targets::{self, Differing, TextOf},
};
use crate::{
    diff_context::blobs::BlobSource,
    impact::{next::Member, procedures::naming_members},
};
use cortex_derived::{doc_ids::DocIds, target::Target};
use cortex_look::{
    QueryError,
    follow::differing::{ChangedType, differing_types},
};
use cortex_wire::{DeletedTest, ReachedTests, ReachingTest, SubjectTests, UseSide, selected};

use std::{cell::RefCell, collections::BTreeSet};

use cortex_git::{RangeSpec, ReadBlob};
use cortex_index::{Index, IndexedSide, Snapshot};
use rustc_hash::FxHashSet;

/// What is done about a symbol that is not found or may mean several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unknown {
    /// The question fails.
    Fails,
    /// Its answer says so, the others are answered.
    IsTold,
}

/// Which tests reach each of these symbols, one answer for each, in their order; the first `n_paths` tests of
/// each sort with the way.
///
/// # Errors
/// Those of [`cortex_look::symbol::resolve`].
pub fn tests_of_symbols(
    snapshot: &Snapshot,
    symbols: &[String],
    unknown: Unknown,
    n_paths: usize,
    reader: &mut dyn ReadBlob,
) -> Result<Vec<SubjectTests>, QueryError> {
    let mut asked = Vec::with_capacity(symbols.len());
    let mut errors = Vec::with_capacity(symbols.len());
    let mut corrected = Vec::with_capacity(symbols.len());
    for symbol in symbols {
        let (targets, error) = match targets::of_symbol(snapshot, symbol, reader) {
            Err(
                error @ (QueryError::SymbolNotFound { .. }
                | QueryError::AmbiguousSymbol { .. }
                | QueryError::EmptySymbol),
            ) if unknown == Unknown::IsTold => (Vec::new(), Some(format!("failed to {error}"))),
            result => (result?, None),
        };
        corrected.push(match error {
            None => targets::corrected(snapshot, symbol, reader)?,
            Some(_) => None,
        });
        asked.push(targets);
        errors.push(error);
    }
    let reach = TestReach::of(snapshot)?;
    let found = reach.reaching(&asked, n_paths)?;
    let answers = symbols.iter().zip(corrected).zip(errors);
    answers
        .zip(asked.iter().zip(found))
        .map(|(((symbol, corrected_to), error), (targets, found))| {
            Ok(SubjectTests {
                asked: symbol.clone(),
                corrected_to,
                members: names(snapshot, targets)?,
                tests: found.tests,
                set_up: found.set_up,
                n_all: reach.n_tests(),
                n_unseen: 0,
                is_of_types: false,
                error,
            })
        })
        .collect()
}

/// Which tests reach what differs between two snapshots: tests of the newer one. Members that are gone are
/// followed in the older one, to tests that are still there.
///
/// Reads no more than what differs from the snapshot that was asked before, and writes what it takes to do so
/// the next time beside the snapshots.
pub fn tests_of_change(
    index: &Index,
    sides: [&IndexedSide; 2],
    asked: &str,
    n_paths: usize,
    look: Look,
) -> Result<SubjectTests, QueryError> {
    let [old, new] = sides.map(|side| &side.snapshot);
    let reader = RefCell::new(BlobSource { index, sides }.open());
    let texts = |side, path: &_| {
        let snapshot = match side {
            UseSide::Old => old,
            UseSide::New => new,
        };
        let file = snapshot.file(path).ok().flatten()?;
        reader.borrow_mut().read_blob(file.blob).ok()
    };
    let mut differing = targets::differing(old, new, &differing_types(old, new)?, &texts)?;
    differing.add(&naming_members(index, sides)?);
    let mut members = names(new, &differing.new)?;
    members.extend(names(new, &differing.weak)?);
    members.extend(names(old, &differing.old)?);
    members.sort();
    members.dedup();
    let ReachedTests {
        tests,
        set_up,
        n_all,
        n_unseen,
        is_of_types,
        ..
    } = reaching(old, new, &differing, n_paths, look)?.0;
    Ok(SubjectTests {
        asked: asked.to_owned(),
        corrected_to: None,
        members,
        tests,
        set_up,
        n_all,
        n_unseen,
        is_of_types,
        error: None,
    })
}

/// The same of types that are known to differ, and of members that run something else though their code is the same, for
/// answers that have more to tell; and the tests that are gone or have another name.
pub(crate) fn tests_of_types(
    old: &Snapshot,
    new: &Snapshot,
    (changed, others): (&[ChangedType], &[Member]),
    texts: &TextOf<'_>,
    n_paths: usize,
    look: Look,
) -> Result<(ReachedTests, Vec<DeletedTest>), QueryError> {
    let mut differing = targets::differing(old, new, changed, texts)?;
    differing.add(others);
    if differing.is_empty() {
        return Ok((ReachedTests::default(), Vec::new()));
    }
    reaching(old, new, &differing, n_paths, look)
}

/// Where no test reaches what changed, tests of the types that did are told, unless these are more.
const MAX_OF_TYPES: usize = 60;

fn reaching(
    old: &Snapshot,
    new: &Snapshot,
    differing: &Differing,
    n_paths: usize,
    look: Look,
) -> Result<(ReachedTests, Vec<DeletedTest>), QueryError> {
    let mut deleted = Vec::new();
    let reach = TestReach::of(new)?;
    let (own, helpers) = reach.without_helpers(&differing.new)?;
    let (found, mut n_unseen) = reach.reaching_one(&own, n_paths, look, None)?;
    let Reaching {
        mut tests,
        mut set_up,
    } = found;
    let mut by_helpers = match helpers.is_empty() {
        true => Reaching::default(),
        false => {
            let (found, n) = reach.reaching_one(&helpers, n_paths, look, None)?;
            n_unseen = n_unseen.max(n);
            found
        }
    };
    if !differing.old.is_empty() {
        let before = TestReach::of(old)?;
        deleted = before.lacking(&differing.old, &reach)?;
        let (own, helpers) = before.without_helpers(&differing.old)?;
        for (gone, into) in [
            (own, [&mut tests, &mut set_up]),
            (helpers, [&mut by_helpers.tests, &mut by_helpers.set_up]),
        ] {
            if gone.is_empty() {
                continue;
            }
            let (found, n) = before.reaching_one(&gone, n_paths, look, Some(&reach))?;
            n_unseen = n_unseen.max(n);
            let [tests, set_up] = into;
            merge(tests, found.tests);
            merge(set_up, found.set_up);
            set_up.retain(|test| !tests.iter().any(|other| is_same(other, test)));
        }
    }
    if tests.is_empty() && set_up.is_empty() && !differing.weak.is_empty() {
        let (found, n) = reach.reaching_one(&differing.weak, n_paths, look, None)?;
        n_unseen = n_unseen.max(n);
        Reaching { tests, set_up } = found;
    }
    let mut is_of_types = false;
    if tests.is_empty() && set_up.is_empty() && !differing.types.is_empty() {
        let (types, _) = reach.without_helpers(&differing.types)?;
        let (found, n) = reach.reaching_one(&types, n_paths, look, None)?;
        // What every other test makes says nothing.
        if n == 0 && found.tests.len() + found.set_up.len() <= MAX_OF_TYPES {
            is_of_types = !found.tests.is_empty() || !found.set_up.is_empty();
            Reaching { tests, set_up } = found;
        }
    }
    let unreached = match tests.is_empty() && set_up.is_empty() || is_of_types {
        true => Vec::new(),
        false => names(new, &reach.unreached(&differing.new))?,
    };
    add_behind([&mut tests, &mut set_up], by_helpers);
    let n_in_classes = n_in_classes(&reach, &selected(&tests, &set_up))?;
    let reached = ReachedTests {
        tests,
        set_up,
        n_all: reach.n_tests(),
        n_unseen,
        n_in_classes,
        unreached,
        is_of_types,
    };
    Ok((reached, deleted))
}

/// Adds the tests that reach changed code of tests and nothing else that changed.
fn add_behind([tests, set_up]: [&mut Vec<ReachingTest>; 2], by_helpers: Reaching) {
    let known: FxHashSet<(String, String)> = (tests.iter().chain(set_up.iter()))
        .map(|test| (test.class.clone(), test.id.clone()))
        .collect();
    for (into, from) in [(tests, by_helpers.tests), (set_up, by_helpers.set_up)] {
        let others = from.into_iter();
        let others = others.filter(|it| !known.contains(&(it.class.clone(), it.id.clone())));
        into.extend(others.map(|test| ReachingTest {
            is_by_test_code: true,
            ..test
        }));
    }
}

/// How many tests that runners do not leave out the classes of some tests have.
fn n_in_classes(reach: &TestReach<'_>, tests: &[&ReachingTest]) -> Result<usize, QueryError> {
    let classes: BTreeSet<&str> = tests.iter().map(|test| test.class.as_str()).collect();
    let mut indices = BTreeSet::new();
    for class in classes {
        let simple = class.rsplit(['.', '+']).next().unwrap_or(class);
        let simple = simple.split('`').next().unwrap_or(simple);
        let same = reach.snapshot.types_named(simple)?.into_iter();
        let same = same.filter(|ty| ty.fqn == class);
        indices.extend(same.filter_map(|ty| reach.graph.ty(ty.key)));
    }
    let tests = reach.graph.entries.iter();
    let run = tests.filter(|test| !test.is_skipped && indices.contains(&test.class));
    Ok(run.count())
}

/// Adds tests of the older side behind those that are as near.
fn merge(into: &mut Vec<ReachingTest>, from: Vec<ReachingTest>) {
    for test in from {
        if !into.iter().any(|other| is_same(other, &test)) {
            let at = into.partition_point(|other| other.distance <= test.distance);
            into.insert(at, test);
        }
    }
}

fn is_same(a: &ReachingTest, b: &ReachingTest) -> bool {
    (&a.class, &a.id) == (&b.class, &b.id)
}

/// The documentation ids of targets, sorted.
fn names(snapshot: &Snapshot, targets: &[Target]) -> Result<Vec<String>, QueryError> {
    let mut ids = DocIds::new(snapshot);
    let mut out = Vec::new();
    for target in targets {
        out.extend(match *target {
            Target::Type(key) => ids.of(key, None)?,
            Target::Member(key, tag) => ids.of(key, Some(tag))?,
        });
    }
    out.sort();
    out.dedup();
    Ok(out)
}

/// Whether a text names a revision or a range of them.
pub fn is_range(index: &Index, revisions: &[String]) -> bool {
    let spec = RangeSpec {
        revisions: revisions.to_vec(),
        ..RangeSpec::default()
    };
    !revisions.is_empty() && revisions.len() <= 2 && index.repo.resolve_range(&spec).is_ok()
}
