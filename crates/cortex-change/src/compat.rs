//! The question of `api`: what two commits' assemblies are to those who use them, compared by the rules of the
//! .NET SDK's compatibility check and by rules of our own beyond them.
//!
//! Owns: which assemblies and types are compared, and what could not be decided. Must not know: how answers are
//! rendered, which of them a gate lets pass.

pub(crate) mod answer;
pub(crate) mod attributes;
pub(crate) mod candidates;
pub(crate) mod constraints;
pub(crate) mod forwards;
pub(crate) mod hierarchy;
pub(crate) mod identity;
pub(crate) mod members;
pub(crate) mod own;
pub mod question;
pub mod rules;
pub(crate) mod run;
pub mod suppressions;
pub(crate) mod told;
pub(crate) mod types;
pub(crate) mod undecided;

use crate::comparison::Comparison;
use crate::compat::{
    candidates::Candidates,
    forwards::Forwards,
    question::ApiQuestion,
    run::{Pair, Sides},
};
use cortex_index::{Index, IndexedSide, Progress, Symbols};
use cortex_look::{QueryError, follow::differing::ChangedType};
use cortex_semantics::{Compilation, TypeId};
use cortex_wire::{ApiAnswer, ApiDifference, Undecided};
use rustc_hash::FxHashSet;

/// Answers `api`: indexes what is missing, then compares what changed. Costs in proportion to the types that
/// changed and those that derive from them.
pub fn api(
    index: &Index,
    question: &ApiQuestion,
    progress: &dyn Progress,
) -> Result<Comparison<ApiAnswer>, QueryError> {
    let range = index.repo.resolve_range(&question.range)?;
    let (old, mut outcome) = index.side(range.old, progress)?;
    let (new, second) = index.side(range.new, progress)?;
    outcome.add(second);
    let answer = compare(index, [&old, &new], question, None)?;
    Ok(Comparison {
        answer,
        sides: [old, new],
        outcome,
    })
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
    answer::tell_moves(&mut answer, new.snapshot())?;
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
