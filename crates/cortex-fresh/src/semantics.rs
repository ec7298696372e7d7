//! Semantics files: whether the hashes that they were written from are those of today.

pub(crate) mod text;

use cortex_derived::source::Source;
use cortex_git::TreeFile;
use cortex_model::TypeKey;
use cortex_wire::{CheckInput, CheckReason, CheckRule};
use rustc_hash::FxHashMap;

use crate::{
    FreshError,
    committed::{Committed, text_of},
    outline::table::outlines,
    reasons::{hashes, words},
};

/// Where semantics files are.
pub(crate) const FOLDERS: [&str; 2] = [".context/semantic/", ".context/types/"];

/// What a semantics file says it was written from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SemanticHeader {
    /// The short ids of the types that it is about.
    pub types: Vec<String>,
    /// The hash of their structure.
    pub structure: Option<String>,
    /// The hash of their code.
    pub implementation: Option<String>,
}

impl SemanticHeader {
    /// Reads the lines before the first section; `None` where they name no type and no hash.
    pub fn read(text: &str) -> Option<Self> {
        let mut out = Self::default();
        for line in text.lines().map(str::trim) {
            if line == "ROLE:" {
                break;
            }
            let value = |name: &str| {
                let rest = line.strip_prefix(name)?.strip_prefix(':')?.trim();
                (!rest.is_empty()).then(|| rest.to_owned())
            };
            if let Some(title) = line.strip_prefix("# ") {
                let id = title.split_whitespace().find(|word| word.starts_with("T_"));
                out.types.extend(id.map(str::to_owned));
            } else if let Some(types) = value("Types") {
                let ids = types.split([',', ' ']).filter(|id| !id.is_empty());
                out.types = ids.map(str::to_owned).collect();
            } else if let Some(hash) = value("StructureHash") {
                out.structure = Some(hash);
            } else if let Some(hash) = value("ImplHash") {
                out.implementation = Some(hash);
            }
        }
        (!out.types.is_empty() && out.structure.is_some()).then_some(out)
    }
}

/// What is wrong with a semantics file.
pub(crate) struct SemanticFinding<'c> {
    pub(crate) rule: CheckRule,
    pub(crate) file: &'c TreeFile,
    pub(crate) key: Option<TypeKey>,
    pub(crate) reasons: Vec<CheckReason>,
}

/// The semantics files of a context.
pub(crate) fn files(committed: &Committed) -> impl Iterator<Item = &TreeFile> {
    let files = FOLDERS
        .into_iter()
        .flat_map(|folder| committed.below(folder));
    files.filter(|file| {
        let path = file.path.as_str();
        path.ends_with(".semantic.md") || path.starts_with(FOLDERS[0]) && path.ends_with(".md")
    })
}

/// What is wrong with the semantics files of a context.
pub(crate) fn check<'c>(
    source: Source<'_>,
    committed: &'c Committed,
) -> Result<Vec<SemanticFinding<'c>>, FreshError> {
    let mut out = Vec::new();
    let mut by_id: Option<FxHashMap<String, TypeKey>> = None;
    for file in files(committed) {
        let text = text_of(source.index, source.side, file)?;
        let Some(header) = text.as_deref().and_then(SemanticHeader::read) else {
            out.push(SemanticFinding {
                rule: CheckRule::SemanticUnreadable,
                file,
                key: None,
                reasons: vec![words(CheckInput::Text, "no type and hash at its start")],
            });
            continue;
        };
        if by_id.is_none() {
            let table = outlines(source)?;
            let rows = table.rows.iter();
            by_id = Some(rows.map(|row| (row.key.short_id(8), row.key)).collect());
        }
        let known = by_id.as_ref().expect("it was filled above");
        out.extend(finding(source, file, &header, known)?);
    }
    Ok(out)
}

fn finding<'c>(
    source: Source<'_>,
    file: &'c TreeFile,
    header: &SemanticHeader,
    known: &FxHashMap<String, TypeKey>,
) -> Result<Option<SemanticFinding<'c>>, FreshError> {
    let mut keys = Vec::new();
    for id in &header.types {
        let bare = id.split('@').next().unwrap_or(id);
        let Some(key) = known.get(bare) else {
            return Ok(Some(SemanticFinding {
                rule: CheckRule::SemanticOrphaned,
                file,
                key: None,
                reasons: vec![words(CheckInput::Type, format!("type {id} does not exist"))],
            }));
        };
        keys.push(*key);
    }
    // The hashes of a group are those of its types, one after another.
    let (mut structure, mut implementation) = (Vec::new(), Vec::new());
    for key in &keys {
        if let Some(node) = source.snapshot().type_node(*key)? {
            structure.push(node.structure().short());
            implementation.push(node.hashes.implementation.to_string());
        }
    }
    let mut reasons = Vec::new();
    let pairs = [
        (CheckInput::Structure, &header.structure, structure),
        (
            CheckInput::Implementation,
            &header.implementation,
            implementation,
        ),
    ];
    for (input, written, now) in pairs {
        let now = now.join(",");
        if let Some(written) = written.as_ref().filter(|written| **written != now) {
            reasons.push(hashes(input, written, &now));
        }
    }
    Ok((!reasons.is_empty()).then(|| SemanticFinding {
        rule: CheckRule::SemanticStale,
        file,
        key: keys.first().copied(),
        reasons,
    }))
}
