//! The question of `areas`.

use crate::QueryError;
use cortex_area::{Area, Confidence, DetectOptions};
use cortex_derived::areas::side_areas;
use cortex_index::{Index, IndexedSide};
use cortex_wire::{AreaConfidence, AreasAnswer, CodeArea};

/// How areas are looked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AreasQuestion {
    /// See [`DetectOptions`]; the default is its own.
    pub sample_limit: Option<usize>,
    /// Further folders that are not looked at.
    pub exclude_dirs: Vec<String>,
}

/// The answer of `areas`, and whether they were cached.
#[derive(Clone, PartialEq, Debug)]
pub struct FoundAreas {
    /// The answer.
    pub answer: AreasAnswer,
    /// Whether they were cached.
    pub is_cached: bool,
}

/// Areas as answers name them.
pub(crate) fn code_areas(areas: Vec<Area>) -> Vec<CodeArea> {
    let areas = areas.into_iter().map(|area| CodeArea {
        name: area.name,
        language: area.language,
        root: area.root,
        confidence: match area.confidence {
            Confidence::Low => AreaConfidence::Low,
            Confidence::Medium => AreaConfidence::Medium,
            Confidence::High => AreaConfidence::High,
        },
        evidence: area.evidence,
        suggested_globs: area.suggested_globs,
        exclude_globs: area.exclude_globs,
    });
    areas.collect()
}

/// Detects the areas of a side.
///
/// # Errors
/// Those of reading the side.
pub fn areas(
    index: &Index,
    side: &IndexedSide,
    question: &AreasQuestion,
) -> Result<FoundAreas, QueryError> {
    let options = DetectOptions {
        sample_limit: question
            .sample_limit
            .unwrap_or(DetectOptions::default().sample_limit),
        exclude_dirs: question.exclude_dirs.clone(),
    };
    let found = side_areas(index, side, &options)?;
    Ok(FoundAreas {
        answer: AreasAnswer {
            areas: code_areas(found.areas),
            diagnostics: found.diagnostics,
        },
        is_cached: found.is_kept,
    })
}
