//! What a comparison could not decide: a gate must not pass because something was not understood.

use crate::compat::{candidates, run::Pair};
use cortex_look::QueryError;
use cortex_wire::{ApiAnswer, Undecided};

use cortex_index::{FileStatus, FileSummary, Symbols};
use rustc_hash::FxHashMap;

/// Why a type that was compared may differ in more than was found, if it may.
pub(crate) fn of_pair(pair: &Pair) -> Option<Undecided> {
    let surface = pair.surface()?;
    let sides = [&pair.left, &pair.right].into_iter().flatten();
    let mut sides = sides.map(|(_, surface)| surface);
    let is_unknown = sides.any(|side| side.has_unknown);
    is_unknown.then(|| Undecided {
        symbol: surface.id.clone(),
        reason: "a base, an interface or an attribute could not be resolved".to_owned(),
    })
}

/// Files of compared assemblies that differ and were not read as a whole.
pub(crate) fn find([old, new]: [&Symbols; 2], answer: &mut ApiAnswer) -> Result<(), QueryError> {
    let is_whole = |file: &FileSummary| file.status == FileStatus::Indexed;
    let parted = |symbols: &Symbols| -> Result<Vec<FileSummary>, QueryError> {
        let stats = symbols.snapshot().stats();
        if stats.degraded + stats.skipped == 0 {
            return Ok(Vec::new());
        }
        let files = symbols.snapshot().files()?.into_iter();
        Ok(files.filter(|file| !is_whole(file)).collect())
    };
    let (before, after) = (parted(old)?, parted(new)?);
    let blobs: FxHashMap<_, _> = before.iter().map(|file| (&file.path, file.blob)).collect();
    let same: Vec<_> = (after.iter())
        .filter(|file| blobs.get(&file.path) == Some(&file.blob))
        .map(|file| file.path.clone())
        .collect();
    for (symbols, files) in [(old, &before), (new, &after)] {
        let assemblies = candidates::assemblies_by_project(symbols);
        for file in files.iter().filter(|file| !same.contains(&file.path)) {
            let reason = match file.status.skip_reason() {
                Some(reason) => format!("skipped: {}", reason.text()),
                None => "parsed only in part".to_owned(),
            };
            for project in &file.projects {
                if let Some(assembly) = assemblies.get(project) {
                    let undecided = Undecided {
                        symbol: file.path.to_string(),
                        reason: reason.clone(),
                    };
                    crate::compat::answer::add_undecided(answer, assembly, undecided);
                }
            }
        }
    }
    Ok(())
}
