//! The areas of a side, kept from question to question.
//!
//! Owns: for how long what is kept holds. Must not know: how areas are detected, what they are for.
//!
//! What is kept is tied to the id of a tree. For another tree it holds as long as no file differs that detection
//! looks at, and, where files were sampled, none came or went: the difference of the two trees tells, in proportion
//! to what differs, and from then on the new id is known. What was detected of a work tree in which such files differ
//! from its commit is kept beside it, with what differs: it holds for that alone.

use crate::{DerivedError, files::Candidate};
use cortex_area::{
    Area, AreaConfig, DetectOptions, detect, is_looked_at, is_sentinel, read_config,
};
use cortex_git::{FileChange, ReadBlob};
use cortex_index::{Index, IndexedSide, UnreadFile};
use cortex_model::TreeId;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;

/// Under this name; of work trees with files of their own that matter under the other.
const NAME: &str = "areas";
const NAME_ON_TOP: &str = "areas/top";

/// The version of the form of what is kept, and of how areas are detected.
const VERSION: u32 = 6;

/// Sentinels of more bytes say what their names say.
const MAX_BYTES: u64 = 1 << 20;

/// The configuration of the repository.
pub(crate) const CONFIG: &str = ".context/config.toml";

#[derive(Serialize, Deserialize)]
struct Kept {
    version: u32,
    tree: String,
    /// What differs in the work tree and matters.
    on_top: Vec<String>,
    sample_limit: usize,
    exclude_dirs: Vec<String>,
    areas: Vec<Area>,
    diagnostics: Vec<String>,
}

/// The areas of a side.
#[derive(Clone, PartialEq, Debug)]
pub struct SideAreas {
    /// By root, then language.
    pub areas: Vec<Area>,
    /// What went otherwise than expected.
    pub diagnostics: Vec<String>,
    /// Whether they were kept from an earlier question.
    pub is_kept: bool,
}

/// The areas of a side, from what is kept where that holds.
///
/// # Errors
/// Those of reading the side.
pub fn side_areas(
    index: &Index,
    side: &IndexedSide,
    options: &DetectOptions,
) -> Result<SideAreas, DerivedError> {
    let tree = match side.commit {
        Some(commit) => Some(index.repo.commit(commit)?.tree),
        None => None,
    };
    for name in [NAME, NAME_ON_TOP] {
        let kept = read(side, name).filter(|kept| {
            kept.sample_limit == options.sample_limit && kept.exclude_dirs == options.exclude_dirs
        });
        let Some(kept) = kept else { continue };
        let is_sampled = is_sampled(&kept.areas);
        if on_top(side, is_sampled) != kept.on_top {
            continue;
        }
        let is_same = tree.is_some_and(|tree| tree.to_string() == kept.tree);
        let holds = is_same || {
            let old = id_of(&kept.tree);
            // A tree that was collected is one that nothing is known of.
            let changes = old.and_then(|old| index.repo.diff_trees(Some(old), tree).ok());
            changes.is_some_and(|all| !all.iter().any(|it| matters(it, is_sampled)))
        };
        if !holds {
            continue;
        }
        if !is_same && let Some(tree) = tree {
            write(side, tree, options, &kept.areas, &kept.diagnostics);
        }
        return Ok(SideAreas {
            areas: kept.areas,
            diagnostics: kept.diagnostics,
            is_kept: true,
        });
    }
    let all = crate::files::all(index, side)?;
    let (areas, diagnostics, unread) = detected(index, side, &all, options);
    // What git cannot read now may say something else later.
    if let Some(tree) = tree.filter(|_| unread.is_empty()) {
        write(side, tree, options, &areas, &diagnostics);
    }
    index.unread.note_files(unread);
    Ok(SideAreas {
        areas,
        diagnostics,
        is_kept: false,
    })
}

fn is_sampled(areas: &[Area]) -> bool {
    areas.is_empty() || areas.iter().any(Area::is_sampled)
}

/// What differs in the work tree and matters: paths and contents, in their order.
fn on_top(side: &IndexedSide, is_sampled: bool) -> Vec<String> {
    let changes = side.overlay.iter().flat_map(|overlay| &overlay.changes);
    changes
        .filter(|it| matters(it, is_sampled))
        .map(|it| match &it.new {
            Some(new) if is_looked_at(new.path.as_str()) => format!("{} {}", new.blob, new.path),
            Some(new) => format!("+ {}", new.path),
            None => format!("- {}", it.path()),
        })
        .collect()
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

/// Whether this version reads what is stored under a name.
pub(crate) fn is_current(name: &str) -> bool {
    [NAME, NAME_ON_TOP].contains(&name)
}

fn id_of(hex: &str) -> Option<TreeId> {
    cortex_model::ObjectId::from_hex(hex).map(TreeId)
}

fn read(side: &IndexedSide, name: &str) -> Option<Kept> {
    let (_, bytes) = side.snapshot.kept(name)?;
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
        on_top: on_top(side, is_sampled(areas)),
        sample_limit: options.sample_limit,
        exclude_dirs: options.exclude_dirs.clone(),
        areas: areas.to_vec(),
        diagnostics: diagnostics.to_vec(),
    };
    let name = match kept.on_top.is_empty() {
        true => NAME,
        false => NAME_ON_TOP,
    };
    if let Ok(bytes) = serde_json::to_vec(&kept) {
        side.snapshot.keep(&[(name, &bytes)]);
    }
}

fn detected(
    index: &Index,
    side: &IndexedSide,
    all: &[Candidate],
    options: &DetectOptions,
) -> (Vec<Area>, Vec<String>, Vec<UnreadFile>) {
    let mut diagnostics = Vec::new();
    let mut unread = Vec::new();
    let text = config_text(index, side, all).unwrap_or_else(|file| {
        unread.push(file);
        None
    });
    let configured: Vec<AreaConfig> = match text {
        Some(text) => {
            let (areas, problems) = read_config(&text);
            let each = problems.into_iter();
            diagnostics.extend(each.map(|problem| format!("areas of `{CONFIG}`: {problem}")));
            areas
        }
        None => Vec::new(),
    };
    let paths: Vec<&str> = all.iter().map(|file| file.path.as_str()).collect();
    let reader = RefCell::new(index.blobs(side));
    let unread = RefCell::new(unread);
    let read = |path: &str| {
        let at = all
            .binary_search_by(|file| file.path.as_str().cmp(path))
            .ok()?;
        let text = text_of(reader.borrow_mut().as_mut(), &all[at]);
        text.unwrap_or_else(|file| {
            unread.borrow_mut().push(file);
            None
        })
    };
    let areas = detect(&paths, &read, &configured, options);
    (areas, diagnostics, unread.into_inner())
}

/// A sentinel's text, none of one that is too large; or the file, if git cannot read it.
fn text_of(reader: &mut dyn ReadBlob, file: &Candidate) -> Result<Option<String>, UnreadFile> {
    if !is_sentinel(file.path.as_str()) && file.path.as_str() != CONFIG {
        return Ok(None);
    }
    let size = reader.blob_size(file.blob);
    let bytes = size.and_then(|size| match size > MAX_BYTES {
        true => Ok(None),
        false => reader.read_blob(file.blob).map(Some),
    });
    match bytes {
        Ok(bytes) => Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned())),
        // What vanished meanwhile is not there.
        Err(error) => UnreadFile::of(&file.path, file.blob, &error).map_or(Ok(None), Err),
    }
}

/// The text of the configuration, where there is one; or the file, if git cannot read it.
fn config_text(
    index: &Index,
    side: &IndexedSide,
    all: &[Candidate],
) -> Result<Option<String>, UnreadFile> {
    let Ok(at) = all.binary_search_by(|file| file.path.as_str().cmp(CONFIG)) else {
        return Ok(None);
    };
    text_of(index.blobs(side).as_mut(), &all[at])
}

/// The text of the configuration, where there is one. A file that git cannot read is noted.
pub fn configuration(index: &Index, side: &IndexedSide, all: &[Candidate]) -> Option<String> {
    config_text(index, side, all).unwrap_or_else(|unread| {
        index.unread.note_files([unread]);
        None
    })
}
