//! What became of edits, counted.

use std::{collections::BTreeMap, fmt};

use cortex_service::ServiceError;
use cortex_wire::{EditAnswer, EditVerdict};

use super::{Asked, Candidate, CandidateKind};

/// Counts of one kind of symbol.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rows {
    /// How many edits were planned.
    pub n: usize,
    /// How many are proven.
    pub n_proven: usize,
    /// How many are not proven.
    pub n_not_proven: usize,
    /// How many change what code means.
    pub n_changed: usize,
    /// How many are refused.
    pub n_refused: usize,
}

/// What became of edits.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// By kind of symbol.
    pub kinds: BTreeMap<CandidateKind, Rows>,
    /// Why some are not proven: how many have such a place.
    pub doubts: BTreeMap<String, usize>,
    /// Why some are refused.
    pub refusals: BTreeMap<String, usize>,
    /// How many proven ones were compared with an index that is made from nothing.
    pub n_proven_compared: usize,
    /// How many others were.
    pub n_unproven_compared: usize,
    /// How many proven ones that index contradicts.
    pub n_wrong: usize,
    /// How many others it contradicts.
    pub n_unproven_wrong: usize,
}

impl Report {
    /// Counts one edit; returns what is to be told of it at once.
    pub(super) fn add(
        &mut self,
        candidate: &Candidate,
        planned: &Result<EditAnswer, ServiceError>,
        asked: Asked,
    ) -> Option<String> {
        let row = self.kinds.entry(candidate.kind).or_default();
        row.n += 1;
        let answer = match planned {
            Ok(answer) => answer,
            Err(error) => {
                row.n_refused += 1;
                let message = &error.wire().message;
                *self.refusals.entry(cause_of(message)).or_default() += 1;
                return Some(format!("refused: {message}"));
            }
        };
        match answer.verdict {
            EditVerdict::Proven => {
                row.n_proven += 1;
                None
            }
            EditVerdict::NotProven => {
                row.n_not_proven += 1;
                let mut reasons: Vec<String> = (answer.doubts.iter())
                    .map(|doubt| format!("{:?}", doubt.reason))
                    .collect();
                reasons.sort();
                reasons.dedup();
                *self.doubts.entry(reasons.join(" + ")).or_default() += 1;
                let first = answer.doubts.first()?;
                Some(format!(
                    "not proven: {:?} at {}:{}",
                    first.reason, first.file, first.line
                ))
            }
            EditVerdict::ChangedMeaning => {
                row.n_changed += 1;
                let first = answer.differences.first()?;
                (asked.keeps_meaning()).then(|| format!("changed meaning: {first:?}"))
            }
        }
    }

    /// Counts one comparison.
    pub(super) fn add_oracle(&mut self, is_proven: bool, is_wrong: bool) {
        let (n, n_wrong) = match is_proven {
            true => (&mut self.n_proven_compared, &mut self.n_wrong),
            false => (&mut self.n_unproven_compared, &mut self.n_unproven_wrong),
        };
        *n += 1;
        *n_wrong += usize::from(is_wrong);
    }

    /// All kinds together.
    pub fn total(&self) -> Rows {
        let mut total = Rows::default();
        for row in self.kinds.values() {
            total.n += row.n;
            total.n_proven += row.n_proven;
            total.n_not_proven += row.n_not_proven;
            total.n_changed += row.n_changed;
            total.n_refused += row.n_refused;
        }
        total
    }
}

/// The reason that a message ends with, without what it quotes.
fn cause_of(message: &str) -> String {
    let reason = message
        .rsplit_once("`: ")
        .map_or(message, |(_, reason)| reason);
    match (reason.find('`'), reason.rfind('`')) {
        (Some(first), Some(last)) => format!("{}…{}", &reason[..first], &reason[last + 1..]),
        _ => reason.to_owned(),
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<10} {:>8} {:>8} {:>11} {:>8} {:>8}",
            "", "edits", "proven", "not proven", "changed", "refused"
        )?;
        let kinds = self
            .kinds
            .iter()
            .map(|(kind, row)| (kind.word(), row.clone()));
        for (word, row) in kinds.chain([("all", self.total())]) {
            writeln!(
                f,
                "{word:<10} {:>8} {:>8} {:>11} {:>8} {:>8}",
                row.n, row.n_proven, row.n_not_proven, row.n_changed, row.n_refused
            )?;
        }
        for (title, causes) in [("not proven", &self.doubts), ("refused", &self.refusals)] {
            for (cause, n) in causes {
                writeln!(f, "{title}: {n:>5}  {cause}")?;
            }
        }
        writeln!(
            f,
            "compared with an index made from nothing: {} proven, {} wrong; {} not proven, {} wrong",
            self.n_proven_compared, self.n_wrong, self.n_unproven_compared, self.n_unproven_wrong
        )
    }
}
