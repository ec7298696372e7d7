//! The question of `tests`, from symbols or a range to answers.

use crate::reaching::{
    Look, Seeds, TestReach,
    answer::Reaching,
    doubles::Doubles,
    order::{Key, key},
    running_otherwise::running_between,
    targets::{self, Differing, TextOf},
};
use crate::{
    diff_context::blobs::BlobSource,
    impact::{generic_callers::Running, next::Member},
};
use cortex_derived::{doc_ids::DocIds, target::Target};
use cortex_look::{
    QueryError,
    follow::differing::{ChangedType, differing_types},
};
use cortex_model::RepoPath;
use cortex_wire::{
    Certainty, DeletedTest, ReachedTests, ReachingTest, SubjectTests, UseSide, selected,
};

use std::{cell::RefCell, collections::BTreeSet};

use cortex_git::{RangeSpec, ReadBlob};
use cortex_index::{Index, IndexedSide, Snapshot};
use rustc_hash::{FxHashMap, FxHashSet};

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
    differing.running = running_between(index, sides, &differing.new)?;
    let mut members = names(new, &differing.new)?;
    members.extend(names(new, &running(&differing).concat())?);
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
    (changed, running): (&[ChangedType], Running),
    texts: &TextOf<'_>,
    n_paths: usize,
    look: Look,
) -> Result<(ReachedTests, Vec<DeletedTest>), QueryError> {
    let mut differing = targets::differing(old, new, changed, texts)?;
    differing.running = running;
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
    let mut search = Search {
        reach: &reach,
        before: None,
        n_paths,
        changed: FxHashSet::default(),
        look,
        n_unseen: 0,
    };
    let mut seeds = reach.seeds(&differing.new)?;
    let [code, contracts] = running(differing);
    seeds.code.extend(code);
    seeds.contracts.extend(contracts);
    let before = match differing.old.is_empty() {
        true => None,
        false => Some(TestReach::of(old)?),
    };
    let mut gone = Seeds::default();
    if let Some(before) = &before {
        deleted = before.lacking(&differing.old, &reach)?;
        gone = before.seeds(&differing.old)?;
        search.before = Some(before);
    }
    let changed = search.reaching(&seeds.tests, &gone.tests)?;
    search.changed = changed
        .tests
        .iter()
        .chain(&changed.set_up)
        .map(key)
        .collect();
    let real = search.reaching(&seeds.code, &gone.code)?;
    let contracts = search.reaching(&seeds.contracts, &gone.contracts)?;
    let by_helpers = search.reaching(&seeds.helpers, &gone.helpers)?;
    let mut doubles = Doubles::default();
    let mut found = together(real, contracts, changed, &mut |project| {
        Ok(doubles.in_project(new, project)?)
    })?;
    if found.is_empty() && !differing.weak.is_empty() {
        // Who reads a new value of test code changed as well.
        let weak = reach.seeds(&differing.weak)?;
        found = search.reaching(&weak.all_but_helpers(), &[])?;
    }
    let mut is_of_types = false;
    if found.is_empty() && !differing.types.is_empty() {
        let n_unseen = std::mem::take(&mut search.n_unseen);
        let types = reach.seeds(&differing.types)?;
        let of_types = search.reaching(&types.all_but_helpers(), &[])?;
        // What every other test makes says nothing.
        if search.n_unseen == 0 && of_types.tests.len() + of_types.set_up.len() <= MAX_OF_TYPES {
            is_of_types = !of_types.is_empty();
            found = of_types;
        }
        search.n_unseen = n_unseen;
    }
    let unreached = match found.is_empty() || is_of_types {
        true => Vec::new(),
        false => names(new, &reach.unreached(&differing.new))?,
    };
    let n_unseen = search.n_unseen;
    add_behind(&mut found, by_helpers);
    let Reaching { tests, set_up } = found;
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

/// The members that run something else though their code is the same: for sure, and where a double may stand.
fn running(differing: &Differing) -> [Vec<Target>; 2] {
    let Running {
        code,
        through_contracts,
    } = &differing.running;
    let target = |&(key, tag): &Member| Target::Member(key, tag);
    [code, through_contracts].map(|members| members.iter().map(target).collect())
}

/// A search for tests of the newer side.
struct Search<'r, 's> {
    reach: &'r TestReach<'s>,
    before: Option<&'r TestReach<'s>>,
    n_paths: usize,
    /// The tests that changed, which are all told with the way.
    changed: FxHashSet<Key>,
    look: Look,
    /// How many candidates were not looked at, of the search that left most.
    n_unseen: usize,
}

impl Search<'_, '_> {
    /// The tests that reach some targets of the newer side, or did reach some that are gone.
    fn reaching(&mut self, targets: &[Target], gone: &[Target]) -> Result<Reaching, QueryError> {
        let mut out = Reaching::default();
        let told = (self.n_paths, &self.changed);
        if !targets.is_empty() {
            let found = self.reach.reaching_one(targets, told, self.look, None)?;
            self.n_unseen = self.n_unseen.max(found.1);
            out = found.0;
        }
        if let Some(before) = self.before.filter(|_| !gone.is_empty()) {
            let also = Some(self.reach);
            let (found, n) = before.reaching_one(gone, told, self.look, also)?;
            self.n_unseen = self.n_unseen.max(n);
            let Reaching { tests, set_up } = &mut out;
            merge(tests, found.tests);
            merge(set_up, found.set_up);
            set_up.retain(|test| !tests.iter().any(|other| is_same(other, test)));
        }
        Ok(out)
    }
}

/// Where a way ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    /// Code of the product.
    Code,
    /// A contract of it, for which a double may stand.
    Contract,
    /// The test itself, or its class.
    Own,
}

/// The tests that reach changed code of the product, a changed contract of it or code of their own class that changed:
/// those that changed first, each with its way to the product where there is one; those whose way ends in a contract
/// behind those that run code, where the project makes doubles.
fn together(
    real: Reaching,
    contracts: Reaching,
    changed: Reaching,
    makes_doubles: &mut dyn FnMut(&RepoPath) -> Result<bool, QueryError>,
) -> Result<Reaching, QueryError> {
    let is_changed: FxHashSet<Key> = changed
        .tests
        .iter()
        .chain(&changed.set_up)
        .map(key)
        .collect();
    let mut all: Vec<(End, bool, ReachingTest)> = Vec::new();
    for (end, found) in [
        (End::Code, real),
        (End::Contract, contracts),
        (End::Own, changed),
    ] {
        let lists = [(false, found.tests), (true, found.set_up)].into_iter();
        all.extend(lists.flat_map(|(is_set_up, tests)| {
            let tests = tests.into_iter();
            tests.map(move |test| (end, is_set_up, test))
        }));
    }
    // Of the ways of one test that which is surest, then that to the product.
    let mut best: FxHashMap<Key, (bool, Certainty, End)> = FxHashMap::default();
    let rank =
        |(end, is_set_up, test): &(End, bool, ReachingTest)| (*is_set_up, test.certainty, *end);
    for it in &all {
        let known = best.entry(key(&it.2)).or_insert_with(|| rank(it));
        *known = (*known).min(rank(it));
    }
    all.retain(|it| best[&key(&it.2)] == rank(it));
    let mut ranked: Vec<(End, bool, ReachingTest)> = Vec::new();
    let mut n_code = 0;
    for (end, is_set_up, mut test) in all {
        test.is_changed = is_changed.contains(&key(&test));
        if end == End::Contract && !makes_doubles(&test.project)? {
            // What runs there is no double.
            let is_farther =
                |it: &(End, bool, ReachingTest)| it.1 == is_set_up && it.2.distance > test.distance;
            let at = ranked[..n_code].iter().position(is_farther);
            ranked.insert(at.unwrap_or(n_code), (End::Code, is_set_up, test));
            n_code += 1;
        } else {
            n_code += usize::from(end == End::Code);
            ranked.push((end, is_set_up, test));
        }
    }
    ranked.sort_by_key(|(end, _, test)| (!test.is_changed, *end));
    let mut out = Reaching::default();
    for (_, is_set_up, test) in ranked {
        match is_set_up {
            true => out.set_up.push(test),
            false => out.tests.push(test),
        }
    }
    Ok(out)
}

/// Adds the tests that reach changed code of tests and nothing else that changed.
fn add_behind(into: &mut Reaching, by_helpers: Reaching) {
    let known: FxHashSet<Key> = into.tests.iter().chain(&into.set_up).map(key).collect();
    for (into, from) in [
        (&mut into.tests, by_helpers.tests),
        (&mut into.set_up, by_helpers.set_up),
    ] {
        let others = from.into_iter().filter(|it| !known.contains(&key(it)));
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
