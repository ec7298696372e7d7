//! The areas of a side, kept from question to question.
//!
//! Owns: for how long what is kept holds. Must not know: how areas are detected, what they are for.
//!
//! What is kept is tied to the id of a tree. For another tree it holds as long as no file differs that detection
//! looks at, and, where files were sampled, none came or went: the difference of the two trees tells, in proportion
//! to what differs, and from then on the new id is known.

use std::time::Instant;

use cortex_area::{
    Area, AreaConfig, Confidence, DetectOptions, detect, is_looked_at, is_sentinel, read_config,
};
use cortex_git::{FileChange, ReadBlob};
use cortex_index::{Index, IndexedSide};
use cortex_model::TreeId;
use serde::{Deserialize, Serialize};

use super::candidates::{self, Candidate};
use crate::QueryError;

/// Under this name.
const NAME: &str = "areas";

/// The version of the form of what is kept, and of how areas are detected.
const VERSION: u32 = 3;

/// Sentinels of more bytes say what their names say.
const MAX_BYTES: u64 = 1 << 20;

/// The configuration of the repository.
pub(super) const CONFIG: &str = ".context/config.toml";

/// How areas are looked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AreasQuestion {
    /// See [`DetectOptions`]; the default is its own.
    pub sample_limit: Option<usize>,
    /// Further folders that are not looked at.
    pub exclude_dirs: Vec<String>,
}

/// The answer of `areas`.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AreasAnswer {
    /// By root, then language.
    #[serde(serialize_with = "in_camel_case")]
    pub areas: Vec<Area>,
    /// `hit` where what was kept holds, else `miss`.
    pub cache_status: &'static str,
    /// How long that took.
    pub analysis_time_ms: f64,
    /// What went otherwise than expected.
    pub diagnostics: Vec<String>,
}

fn in_camel_case<S: serde::Serializer>(areas: &[Area], serializer: S) -> Result<S::Ok, S::Error> {
    let each = areas.iter().map(|area| {
        serde_json::json!({
            "name": area.name,
            "language": area.language,
            "root": area.root,
            "confidence": area.confidence,
            "evidence": area.evidence,
            "suggestedGlobs": area.suggested_globs,
            "excludeGlobs": area.exclude_globs,
        })
    });
    serializer.collect_seq(each)
}

#[derive(Serialize, Deserialize)]
struct Kept {
    version: u32,
    tree: String,
    sample_limit: usize,
    exclude_dirs: Vec<String>,
    areas: Vec<Area>,
    diagnostics: Vec<String>,
}

/// Detects the areas of a side.
///
/// # Errors
/// Those of reading the side.
pub fn areas(
    index: &Index,
    side: &IndexedSide,
    question: &AreasQuestion,
) -> Result<AreasAnswer, QueryError> {
    let start = Instant::now();
    let options = DetectOptions {
        sample_limit: question
            .sample_limit
            .unwrap_or(DetectOptions::default().sample_limit),
        exclude_dirs: question.exclude_dirs.clone(),
    };
    let tree = match side.commit {
        Some(commit) => Some(index.repo.commit(commit)?.tree),
        None => None,
    };
    let kept = read(side).filter(|kept| {
        kept.sample_limit == options.sample_limit && kept.exclude_dirs == options.exclude_dirs
    });
    if let Some(kept) = kept {
        let is_sampled = kept
            .areas
            .iter()
            .any(|area| area.confidence < Confidence::High);
        let holds = |changes: &[FileChange]| !changes.iter().any(|it| matters(it, is_sampled));
        let on_top = side.overlay.as_ref();
        let holds_on_top = on_top.is_none_or(|overlay| holds(&overlay.changes));
        let is_same = tree.is_some_and(|tree| tree.to_string() == kept.tree);
        let holds_below = is_same || {
            let old = id_of(&kept.tree);
            // A tree that was collected is one that nothing is known of.
            let changes = old.and_then(|old| index.repo.diff_trees(Some(old), tree).ok());
            changes.is_some_and(|changes| holds(&changes))
        };
        if holds_on_top && holds_below {
            if !is_same && let Some(tree) = tree {
                write(side, tree, &options, &kept.areas, &kept.diagnostics);
            }
            return Ok(AreasAnswer {
                areas: kept.areas,
                cache_status: "hit",
                analysis_time_ms: millis(start),
                diagnostics: kept.diagnostics,
            });
        }
    }
    let all = candidates::all(index, side)?;
    let (areas, diagnostics) = detected(index, side, &all, &options)?;
    // What lies on top may be gone the next time.
    let is_clean = side
        .overlay
        .as_ref()
        .is_none_or(|overlay| !overlay.changes.iter().any(|it| matters(it, true)));
    if is_clean && let Some(tree) = tree {
        write(side, tree, &options, &areas, &diagnostics);
    }
    Ok(AreasAnswer {
        areas,
        cache_status: "miss",
        analysis_time_ms: millis(start),
        diagnostics,
    })
}

pub(super) fn millis(start: Instant) -> f64 {
    (start.elapsed().as_secs_f64() * 1e5).round() / 100.0
}

/// Whether detection may give something else after a change.
fn matters(change: &FileChange, is_sampled: bool) -> bool {
    let sides = [&change.old, &change.new];
    let is_move = change.old.as_ref().map(|it| &it.path) != change.new.as_ref().map(|it| &it.path);
    is_sampled && is_move
        || sides
            .into_iter()
            .flatten()
            .any(|side| is_looked_at(side.path.as_str()))
}

fn id_of(hex: &str) -> Option<TreeId> {
    cortex_model::ObjectId::from_hex(hex).map(TreeId)
}

fn read(side: &IndexedSide) -> Option<Kept> {
    let (_, bytes) = side.snapshot.kept(NAME)?;
    let kept: Kept = serde_json::from_slice(&bytes).ok()?;
    (kept.version == VERSION).then_some(kept)
}

fn write(
    side: &IndexedSide,
    tree: TreeId,
    options: &DetectOptions,
    areas: &[Area],
    diagnostics: &[String],
) {
    let kept = Kept {
        version: VERSION,
        tree: tree.to_string(),
        sample_limit: options.sample_limit,
        exclude_dirs: options.exclude_dirs.clone(),
        areas: areas.to_vec(),
        diagnostics: diagnostics.to_vec(),
    };
    if let Ok(bytes) = serde_json::to_vec(&kept) {
        side.snapshot.keep(&[(NAME, &bytes)]);
    }
}

fn detected(
    index: &Index,
    side: &IndexedSide,
    all: &[Candidate],
    options: &DetectOptions,
) -> Result<(Vec<Area>, Vec<String>), QueryError> {
    let mut diagnostics = Vec::new();
    let configured = configuration(index, side, all)?.map(|text| read_config(&text));
    let configured: Vec<AreaConfig> = match configured {
        Some(Err(error)) => {
            diagnostics.push(format!("{CONFIG} has no areas that can be read: {error}"));
            Vec::new()
        }
        Some(Ok(configured)) => configured,
        None => Vec::new(),
    };
    let paths: Vec<&str> = all.iter().map(|file| file.path.as_str()).collect();
    let reader = std::cell::RefCell::new(index.blobs(side));
    let read = |path: &str| {
        let at = all
            .binary_search_by(|file| file.path.as_str().cmp(path))
            .ok()?;
        text_of(reader.borrow_mut().as_mut(), &all[at])
    };
    Ok((detect(&paths, &read, &configured, options), diagnostics))
}

/// A sentinel's text; none where it cannot be had.
fn text_of(reader: &mut dyn ReadBlob, file: &Candidate) -> Option<String> {
    if !is_sentinel(file.path.as_str()) && file.path.as_str() != CONFIG
        || reader.blob_size(file.blob).ok()? > MAX_BYTES
    {
        return None;
    }
    let bytes = reader.read_blob(file.blob).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The text of the configuration, where there is one.
pub(super) fn configuration(
    index: &Index,
    side: &IndexedSide,
    all: &[Candidate],
) -> Result<Option<String>, QueryError> {
    let found = all.iter().find(|file| file.path.as_str() == CONFIG);
    Ok(found.and_then(|file| text_of(index.blobs(side).as_mut(), file)))
}
