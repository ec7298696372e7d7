//! Packs as files: written, listed, compared, removed.

use cortex_derived::source::Source;
use cortex_index::{Index, IndexedSide, Progress};
use cortex_look::{access::types_of_id, pack_type_ids};
use cortex_model::{RepoPath, TypeKey};
use cortex_wire::{PackAnswer, PackEntry, PackListAnswer, PackState};

use super::{
    build::{Pack, build},
    filter::parse,
    manifest::{BUDGET, FORMAT, Manifest, PACKS, pack_name, pack_path, tokenizer},
    universe::is_stable,
};
use crate::{FreshError, committed::Committed, reasons::unified, write::Writes};

/// The version of the form of answers.
const SCHEMA: u32 = 1;

/// What of a pack is given anew.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PackChange {
    /// Which types; as recorded where it is not given.
    pub filter: Option<String>,
    /// How many tokens.
    pub budget: Option<usize>,
    /// How tokens are counted.
    pub tokenizer: Option<String>,
    /// Whether dependencies belong to it.
    pub dependencies: Option<bool>,
}

/// A pack and what would write it.
///
/// # Errors
/// [`FreshError::PackName`], [`FreshError::NoPack`] where no filter is given or recorded, those of [`build`].
pub fn build_pack(
    index: &Index,
    side: &IndexedSide,
    name: &str,
    change: &PackChange,
    progress: &dyn Progress,
) -> Result<(Writes, PackAnswer), FreshError> {
    let source = Source { index, side };
    let committed = Committed::read(index, side)?;
    let path = path_of(name)?;
    let text = committed.text(index, side, path.as_str())?;
    let other = names(&committed)
        .into_iter()
        .find(|other| other != name && other.eq_ignore_ascii_case(name));
    if other.is_some() {
        return Err(FreshError::Unsafe {
            path,
            reason: "the name of another pack differs by case alone",
        });
    }
    let recorded = text.as_deref().map(Manifest::read);
    let recorded = match (recorded, &change.filter) {
        (Some(Ok(manifest)), _) => Some(manifest),
        (Some(Err(reason)), None) => return Err(FreshError::Selection { path, reason }),
        (Some(Err(_)) | None, Some(_)) => None,
        (None, None) => return Err(no_pack(name, &committed)),
    };
    let default = recorded.unwrap_or(Manifest {
        format: FORMAT,
        filter: String::new(),
        budget: BUDGET,
        tokenizer: "o200k_base".to_owned(),
        dependencies: true,
    });
    let manifest = Manifest {
        format: FORMAT,
        filter: change.filter.clone().unwrap_or(default.filter),
        budget: change.budget.unwrap_or(default.budget),
        tokenizer: change.tokenizer.clone().unwrap_or(default.tokenizer),
        dependencies: change.dependencies.unwrap_or(default.dependencies),
    };
    if tokenizer(&manifest.tokenizer).is_none() {
        return Err(FreshError::Selection {
            path,
            reason: format!("unknown tokenizer `{}`", manifest.tokenizer),
        });
    }
    let pack = build(source, name, &manifest, progress)?;
    let is_same = text.as_ref() == Some(&pack.text);
    let mut writes = Writes::default();
    if !is_same {
        let bytes = pack.text.clone().into_bytes();
        writes.files.push((path.clone(), bytes));
    }
    let state = match is_same {
        true => PackState::Fresh,
        false => PackState::Written,
    };
    Ok((writes, answer(name, path, &manifest, pack, state)))
}

fn answer(
    name: &str,
    file: RepoPath,
    manifest: &Manifest,
    pack: Pack,
    state: PackState,
) -> PackAnswer {
    PackAnswer {
        schema: SCHEMA,
        name: name.to_owned(),
        file,
        filter: manifest.filter.clone(),
        budget: manifest.budget as u64,
        tokens: pack.tokens as u64,
        types: pack.types,
        left_out: pack.left_out,
        state,
        text: pack.text,
        diff: None,
    }
}

fn path_of(name: &str) -> Result<RepoPath, FreshError> {
    let path = pack_path(name).ok_or_else(|| FreshError::PackName {
        name: name.to_owned(),
    })?;
    Ok(RepoPath::from(path.as_str()))
}

fn no_pack(name: &str, committed: &Committed) -> FreshError {
    FreshError::NoPack {
        name: name.to_owned(),
        known: names(committed),
    }
}

/// The names of the packs of a context.
pub fn names(committed: &Committed) -> Vec<String> {
    let files = committed.below(PACKS);
    let names = files.filter_map(|file| pack_name(file.path.as_str()));
    names.map(str::to_owned).collect()
}

/// The packs of a side.
///
/// # Errors
/// Those of reading the side.
pub fn list_packs(
    index: &Index,
    side: &IndexedSide,
    progress: &dyn Progress,
) -> Result<PackListAnswer, FreshError> {
    let committed = Committed::read(index, side)?;
    let mut packs = Vec::new();
    for name in names(&committed) {
        let file = path_of(&name)?;
        let text = committed.text(index, side, file.as_str())?;
        let text = text.unwrap_or_default();
        let manifest = Manifest::read(&text);
        let (state, problem) = match &manifest {
            Err(reason) => (PackState::Unreadable, Some(reason.clone())),
            Ok(manifest) => {
                let source = Source { index, side };
                let (state, problem, _) = compared(source, &name, manifest, &text, progress)?;
                (state, problem)
            }
        };
        let manifest = manifest.ok();
        packs.push(PackEntry {
            name,
            file,
            filter: manifest
                .as_ref()
                .map(|it| it.filter.clone())
                .unwrap_or_default(),
            budget: manifest.map_or(0, |it| it.budget as u64),
            state,
            problem,
        });
    }
    Ok(PackListAnswer {
        schema: SCHEMA,
        packs,
    })
}

/// How a pack compares with what the sources say, why it cannot be compared, and the text that a stale one should have.
pub(crate) fn compared(
    source: Source<'_>,
    name: &str,
    manifest: &Manifest,
    text: &str,
    progress: &dyn Progress,
) -> Result<(PackState, Option<String>, Option<String>), FreshError> {
    match build(source, name, manifest, progress) {
        Ok(pack) if pack.text == text => Ok((PackState::Fresh, None, None)),
        Ok(pack) => Ok((PackState::Stale, None, Some(pack.text))),
        Err(
            error @ (FreshError::Filter { .. }
            | FreshError::EmptyPack { .. }
            | FreshError::SmallBudget { .. }),
        ) => {
            let cause = std::error::Error::source(&error);
            let cause = cause.map_or(String::new(), |cause| format!(": {cause}"));
            let problem = format!("{error}{cause}");
            Ok((PackState::Unreadable, Some(problem), None))
        }
        Err(error) => Err(error),
    }
}

/// The types that a pack lists; none where there is no such pack.
///
/// # Errors
/// Those of reading the side.
pub fn pack_types(
    source: Source<'_>,
    committed: &Committed,
    name: &str,
) -> Result<Vec<TypeKey>, FreshError> {
    let Some(path) = pack_path(name) else {
        return Ok(Vec::new());
    };
    let text = committed.text(source.index, source.side, &path)?;
    let mut out = Vec::new();
    for id in pack_type_ids(&text.unwrap_or_default()) {
        out.extend(types_of_id(source.snapshot(), &id)?);
    }
    Ok(out)
}

/// Whether the filter of a manifest selects the same types of one commit at any time.
pub(crate) fn is_decidable(manifest: &Manifest) -> bool {
    parse(&manifest.filter).is_ok_and(|steps| is_stable(&steps))
}

/// A pack as its file has it, compared with what the sources say.
///
/// # Errors
/// [`FreshError::NoPack`], and those of [`build`].
pub fn show_pack(
    index: &Index,
    side: &IndexedSide,
    name: &str,
    progress: &dyn Progress,
) -> Result<PackAnswer, FreshError> {
    let committed = Committed::read(index, side)?;
    let path = path_of(name)?;
    let text = committed.text(index, side, path.as_str())?;
    let text = text.ok_or_else(|| no_pack(name, &committed))?;
    let read = Manifest::read(&text);
    let manifest = read.map_err(|reason| FreshError::Selection {
        path: path.clone(),
        reason,
    })?;
    let pack = build(Source { index, side }, name, &manifest, progress)?;
    let diff = unified(&text, &pack.text);
    let state = match diff.is_empty() && pack.text == text {
        true => PackState::Fresh,
        false => PackState::Stale,
    };
    let mut out = answer(name, path, &manifest, pack, state);
    out.text = text;
    out.diff = (state == PackState::Stale).then_some(diff);
    Ok(out)
}

/// What removes a pack.
///
/// # Errors
/// [`FreshError::NoPack`].
pub fn remove_pack(
    index: &Index,
    side: &IndexedSide,
    name: &str,
) -> Result<(Writes, PackListAnswer), FreshError> {
    let committed = Committed::read(index, side)?;
    let path = path_of(name)?;
    if !committed.files.contains_key(&path) {
        return Err(no_pack(name, &committed));
    }
    let text = committed.text(index, side, path.as_str())?;
    let manifest = text.as_deref().and_then(|text| Manifest::read(text).ok());
    let writes = Writes {
        files: Vec::new(),
        removed: vec![path.clone()],
    };
    let entry = PackEntry {
        name: name.to_owned(),
        file: path,
        filter: manifest
            .as_ref()
            .map(|it| it.filter.clone())
            .unwrap_or_default(),
        budget: manifest.map_or(0, |it| it.budget as u64),
        state: PackState::Removed,
        problem: None,
    };
    let answer = PackListAnswer {
        schema: SCHEMA,
        packs: vec![entry],
    };
    Ok((writes, answer))
}
