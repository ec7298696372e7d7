//! The question of `api`: what two commits' assemblies are to those who use them, compared by the rules of the
//! .NET SDK's compatibility check and by rules of our own beyond them.
//!
//! Owns: which assemblies and types are compared, and what could not be decided. Must not know: how answers are
//! rendered, which of them a gate lets pass.

mod answer;
mod attributes;
mod candidates;
mod constraints;
mod forwards;
mod hierarchy;
mod identity;
mod members;
mod own;
mod rules;
mod suppressions;
mod told;
mod types;
mod undecided;

use cortex_git::RangeSpec;
use cortex_index::{Index, IndexOutcome, IndexedSide, Progress, Symbols};
use cortex_semantics::{Compilation, TypeId};
use rustc_hash::FxHashSet;

use crate::{QueryError, changes::ChangedType};
pub use answer::{
    ApiAnswer, ApiDifference, AssemblyDifferences, LoneAssembly, Mode, Severity, Undecided, What,
};
use candidates::Candidates;
use forwards::Forwards;
use rules::{Pair, Sides};
pub use rules::{RULES, Rule};
pub use suppressions::{Allowed, SuppressionError};
pub(crate) use told::api_changes;

/// What is asked.
#[derive(Clone, Debug, Default)]
pub struct ApiQuestion {
    /// The range, as `git diff` takes it.
    pub range: RangeSpec,
    /// The assemblies to compare, by name; all libraries where none is named.
    pub assemblies: Vec<String>,
}

/// Answers `api`: indexes what is missing, then compares what changed. Costs in proportion to the types that
/// changed and those that derive from them.
pub fn api(
    index: &Index,
    question: &ApiQuestion,
    progress: &dyn Progress,
) -> Result<(ApiAnswer, IndexOutcome), QueryError> {
    let range = index.repo.resolve_range(&question.range)?;
    let (old, mut outcome) = index.side(range.old, progress)?;
    let (new, second) = index.side(range.new, progress)?;
    outcome.add(second);
    let answer = compare(index, [&old, &new], question, None)?;
    Ok((answer, outcome))
}

/// Compares the assemblies of two sides; the range of the question is not looked at. `differing`: the types that
/// differ between them, where they are known.
pub(crate) fn compare(
    index: &Index,
    sides: [&IndexedSide; 2],
    question: &ApiQuestion,
    differing: Option<&[ChangedType]>,
) -> Result<ApiAnswer, QueryError> {
    let old = index.symbols(sides[0], None)?;
    let new = index.symbols(sides[1], Some(&old))?;
    let mut answer = candidates::assemblies([&old, &new], question)?;
    let sides = [&old, &new];
    let forwards = [Forwards::read(&old)?, Forwards::read(&new)?];
    let wanted = candidates::types(sides, &forwards, &answer, differing)?;
    differences(sides, &forwards, &wanted, &mut answer)?;
    identity::compare(sides, &mut answer)?;
    undecided::find(sides, &mut answer)?;
    answer::sort(&mut answer);
    Ok(answer)
}

/// Compares types, by assembly, and adds what differs to the answer.
fn differences(
    [old, new]: [&Symbols; 2],
    forwards: &[Forwards; 2],
    wanted: &Candidates,
    answer: &mut ApiAnswer,
) -> Result<(), QueryError> {
    let chunks = candidates::chunks(wanted);
    let run = |chunk: &candidates::Chunk<'_>| {
        old.read(|old| new.read(|new| Ok(compare_chunk([old, new], forwards, chunk))))
    };
    let found: Vec<Found> = match chunks.as_slice() {
        [] => Vec::new(),
        [only] => vec![run(only)?],
        [first, rest @ ..] => std::thread::scope(|scope| {
            let others: Vec<_> = rest
                .iter()
                .map(|chunk| scope.spawn(|| run(chunk)))
                .collect();
            let mut found = vec![run(first)];
            let others = others.into_iter().map(|it| it.join().expect("no panic"));
            found.extend(others);
            found.into_iter().collect::<Result<_, _>>()
        })?,
    };
    for found in found {
        for (assembly, difference) in found.differences {
            answer::add(answer, &assembly, difference);
        }
        for (assembly, it) in found.undecided {
            answer::add_undecided(answer, &assembly, it);
        }
    }
    Ok(())
}

#[derive(Default)]
struct Found {
    differences: Vec<(String, ApiDifference)>,
    undecided: Vec<(String, Undecided)>,
}

fn compare_chunk(
    [old, new]: [&Compilation<'_>; 2],
    forwards: &[Forwards; 2],
    chunk: &candidates::Chunk<'_>,
) -> Found {
    let mut found = Found::default();
    let mut seen: FxHashSet<(&str, [String; 2])> = FxHashSet::default();
    for (assembly, key, extent) in &chunk.types {
        let sides = Sides {
            old,
            new,
            forwards,
            assembly,
        };
        let Some(counterparts) = sides.counterparts(*key) else {
            continue;
        };
        let [left, right] = counterparts.ids;
        let name = |c: &Compilation<'_>, id: TypeId| c.definition_key(id);
        let names = [
            left.map_or_else(String::new, |id| name(old, id)),
            right.map_or_else(String::new, |id| name(new, id)),
        ];
        if !seen.insert((*assembly, names)) {
            continue;
        }
        let pair = Pair::read(&sides, counterparts, *extent);
        let assembly = (*assembly).to_owned();
        if let Some(it) = undecided::of_pair(&pair) {
            found.undecided.push((assembly.clone(), it));
        }
        let all = rules::run(&sides, &pair).into_iter();
        found
            .differences
            .extend(all.map(|it| (assembly.clone(), it)));
    }
    found
}
