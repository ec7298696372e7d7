//! Outlines as files of the work tree.

use cortex_bind::TypeNode;
use cortex_derived::source::Source;
use cortex_index::{Index, IndexedSide, Progress};
use cortex_model::{BlobId, RepoPath};
use cortex_wire::{ExportContextAnswer, OutlineSelection};
use rayon::prelude::*;

use crate::{
    FreshError,
    committed::Committed,
    outline::{
        sheet::{SheetReader, n_together},
        text::outline_text,
    },
    selection::{Expected, SELECTION, recorded, select, selection_text},
    write::Writes,
};

/// The version of the answer's form.
const SCHEMA: u32 = 1;

/// What a reader of the folder should know.
const README: &str = include_str!("export/README.md");

/// What git and forges should know of the files.
const ATTRIBUTES: &str = "types/*.outline.md text eol=lf linguist-generated=true\n\
packs/*.md text eol=lf linguist-generated=true\n";

/// Files that are written where they are missing, and left alone otherwise.
const ONCE: [(&str, &str); 2] = [
    (".context/README.md", README),
    (".context/.gitattributes", ATTRIBUTES),
];

/// What an export writes, and its answer.
///
/// # Errors
/// Those of reading the side, and of the scope.
pub fn export_context(
    index: &Index,
    side: &IndexedSide,
    selection: Option<&OutlineSelection>,
    progress: &dyn Progress,
) -> Result<(Writes, ExportContextAnswer), FreshError> {
    let source = Source { index, side };
    let committed = Committed::read(source.index, source.side)?;
    let selection = match selection {
        Some(selection) => normal(selection),
        None => recorded(source.index, source.side, &committed)?.unwrap_or_default(),
    };
    let selected = select(source, &selection, progress)?;
    if let Some(name) = selected.unknown.first() {
        return Err(FreshError::Query(cortex_look::QueryError::SymbolNotFound {
            symbol: name.clone(),
            suggestions: Vec::new(),
            further: None,
        }));
    }
    let mut writes = outline_writes(source, &committed, &selected.outlines)?;
    let record = selection_text(&selection);
    let known = committed.text(source.index, source.side, SELECTION)?;
    if known.as_ref() != Some(&record) {
        writes
            .files
            .push((RepoPath::from(SELECTION), record.into_bytes()));
    }
    for (path, text) in ONCE {
        let path = RepoPath::from(path);
        if !committed.files.contains_key(&path) {
            writes.files.push((path, text.as_bytes().to_vec()));
        }
    }
    writes.files.sort();
    let answer = ExportContextAnswer {
        schema: SCHEMA,
        total: selected.outlines.len() as u64,
        bytes: total_bytes(source, &committed, &selected.outlines, &writes)?,
        written: writes.files.iter().map(|(path, _)| path.clone()).collect(),
        removed: writes.removed.clone(),
        selection,
        dry_run: false,
    };
    Ok((writes, answer))
}

/// The same selection written in one way.
fn normal(selection: &OutlineSelection) -> OutlineSelection {
    let mut out = selection.clone();
    out.only.sort();
    out.only.dedup();
    out
}

/// What makes the committed outlines of a side those that are expected.
///
/// # Errors
/// Those of reading the side.
pub fn outline_writes(
    source: Source<'_>,
    committed: &Committed,
    expected: &[Expected],
) -> Result<Writes, FreshError> {
    let differing: Vec<&Expected> = (expected.iter())
        .filter(|outline| {
            let file = committed.files.get(&outline.path);
            file.is_none_or(|file| file.blob != outline.blob || !file.mode.is_file())
        })
        .collect();
    let is_expected = |path: &RepoPath| {
        let at = expected.binary_search_by(|outline| outline.path.cmp(path));
        at.is_ok()
    };
    let orphaned = committed.outlines().map(|file| &file.path);
    let removed = orphaned.filter(|path| !is_expected(path)).cloned();
    Ok(Writes {
        removed: removed.collect(),
        files: render(source, &differing)?,
    })
}

/// The bytes of outlines.
///
/// # Errors
/// Those of reading the side.
pub fn render(
    source: Source<'_>,
    outlines: &[&Expected],
) -> Result<Vec<(RepoPath, Vec<u8>)>, FreshError> {
    let snapshot = source.snapshot();
    let mut nodes: Vec<(&Expected, TypeNode)> = Vec::with_capacity(outlines.len());
    for outline in outlines {
        if let Some(node) = snapshot.type_node(outline.key)? {
            nodes.push((outline, node));
        }
    }
    nodes.sort_by(|(_, a), (_, b)| {
        let file = |node: &TypeNode| node.parts.first().map(|part| part.path.clone());
        file(a).cmp(&file(b))
    });
    let chunks = nodes.par_chunks(n_together(nodes.len())).map(|nodes| {
        let mut reader = SheetReader::new(snapshot, source.blobs());
        let mut out = Vec::with_capacity(nodes.len());
        for (outline, node) in nodes {
            if let Some(sheet) = reader.read(outline.key, node)? {
                out.push((outline.path.clone(), outline_text(&sheet).into_bytes()));
            }
        }
        Ok(out)
    });
    let chunks = chunks.collect::<Result<Vec<_>, FreshError>>()?;
    let mut out: Vec<_> = chunks.into_iter().flatten().collect();
    out.sort();
    Ok(out)
}

/// How many bytes all outlines have.
fn total_bytes(
    source: Source<'_>,
    committed: &Committed,
    expected: &[Expected],
    writes: &Writes,
) -> Result<u64, FreshError> {
    let mut blobs = source.blobs();
    let mut n_bytes = 0;
    for outline in expected {
        let at = writes
            .files
            .binary_search_by(|(path, _)| path.cmp(&outline.path));
        n_bytes += match (at, committed.files.get(&outline.path)) {
            (Ok(at), _) => writes.files[at].1.len() as u64,
            (Err(_), Some(file)) => size_of_blob(&mut *blobs, file.blob)?,
            (Err(_), None) => 0,
        };
    }
    Ok(n_bytes)
}

fn size_of_blob(blobs: &mut dyn cortex_git::ReadBlob, blob: BlobId) -> Result<u64, FreshError> {
    Ok(blobs.blob_size(blob)?)
}
