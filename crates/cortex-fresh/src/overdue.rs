//! Which files were stale some days ago already.

use std::collections::BTreeSet;

use cortex_derived::source::Source;
use cortex_git::Side;
use cortex_index::{Index, IndexedSide, Progress};
use cortex_model::{BlobId, RepoPath};
use cortex_wire::CheckRule;

use crate::{FreshError, committed::Committed, semantics};

const SECONDS_PER_DAY: i64 = 86_400;

/// Semantics files that are stale for longer than tolerated.
pub(crate) enum Overdue {
    /// These, with the bytes that they had and have.
    Files(BTreeSet<(RepoPath, BlobId)>),
    /// The history that is here does not reach back far enough.
    Unknown,
}

/// The semantics files that were stale in the commit that was the newest so many days before a side: before its commit
/// time, or before now for what is not committed. Only that commit is indexed.
pub(crate) fn overdue(
    index: &Index,
    side: &IndexedSide,
    days: u64,
    progress: &dyn Progress,
) -> Result<Overdue, FreshError> {
    let Some(newest) = side.commit else {
        return Ok(Overdue::Files(BTreeSet::new()));
    };
    let time = match side.overlay {
        Some(_) => index.now,
        None => index.repo.commit(newest)?.time,
    };
    let days = i64::try_from(days).unwrap_or(i64::MAX);
    let latest = time.saturating_sub(days.saturating_mul(SECONDS_PER_DAY));
    for id in index.repo.first_parents(newest) {
        let commit = index.repo.commit(id?)?;
        if commit.time > latest {
            continue;
        }
        let (commit, tree) = (commit.id, commit.tree);
        let (side, _) = index.side(Side::Commit { commit, tree }, progress)?;
        let source = Source { index, side: &side };
        let committed = Committed::read(index, &side)?;
        let stale = semantics::check(source, &committed)?;
        let stale = stale
            .iter()
            .filter(|finding| finding.rule == CheckRule::SemanticStale);
        let files = stale.map(|finding| (finding.file.path.clone(), finding.file.blob));
        return Ok(Overdue::Files(files.collect()));
    }
    Ok(match index.repo.is_shallow() {
        true => Overdue::Unknown,
        false => Overdue::Files(BTreeSet::new()),
    })
}
