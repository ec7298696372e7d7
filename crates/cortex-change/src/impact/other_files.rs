//! Changed texts that are no code, with the files that stand beside them under the same name and the strings of the
//! product that name them: templates, scripts, data, configuration. And texts that are called like changed types.
//!
//! Must not know: what is in them.

use std::collections::{BTreeMap, BTreeSet};

use cortex_look::{QueryError, mentioned::OtherTexts};
use cortex_model::{ChangeClass, RepoPath, simple_name};
use cortex_wire::{ChangedFile, CodePlace, DiffContext, FileKind, FilesOfName};

use super::{
    left_values::has_whole,
    string_places::{Wanted, longest_word, string_places},
};
use crate::{
    diff_context::{blobs::BlobSource, compared::Compared},
    reading::ChangedLines,
};

/// Of more changed files, what names one of them says little.
const MAX_FILES: usize = 60;

/// What more strings name is the name of something else.
const MAX_PLACES: usize = 24;

/// Formats of texts that run files or send people there, and how many lines at most name one.
const NAMING: [&str; 9] = [
    "bat",
    "cmd",
    "dockerfile",
    "md",
    "ps1",
    "psm1",
    "sh",
    "yaml",
    "yml",
];
const MAX_NAMING: usize = 8;

/// Files of JSON that each say what one package is made of.
const MANIFESTS: [&str; 3] = ["global.json", "package.json", "tsconfig.json"];

/// A shorter name, or one of fewer words, is a word of many strings.
const MIN_LETTERS: usize = 8;

/// Formats that people read, that tools write or that razor and the database have their own answers for.
const LEFT_OUT: [&str; 8] = [
    "md",
    "txt",
    "rst",
    "lock",
    "cshtml",
    "razor",
    "sql",
    "editorconfig",
];

/// So many types are looked at, and of so many files of a name one says nothing.
const MAX_TYPES: usize = 100;
const MAX_OF_NAME: usize = 8;

/// Formats whose files are called like types for another reason: their code, tables and projects.
const OF_TYPES: [&str; 6] = ["cs", "sql", "csproj", "md", "txt", "snap"];

/// Unchanged texts of the newer side that are called like changed types of the product; by type. O(files).
pub(crate) fn files_of_name(
    others: &OtherTexts<'_>,
    answer: &DiffContext,
) -> Result<Vec<FilesOfName>, QueryError> {
    let types = (answer.types.iter()).filter(|it| !it.is_test && it.class <= ChangeClass::Internal);
    let types: BTreeMap<&str, &str> = (types.take(MAX_TYPES))
        .map(|it| (simple_name(&it.ty.name), it.ty.name.as_str()))
        .filter(|(name, _)| is_name(name))
        .collect();
    if types.is_empty() {
        return Ok(Vec::new());
    }
    let changed: BTreeSet<&RepoPath> = answer.files.iter().map(|it| &it.path).collect();
    let mut out: BTreeMap<&str, Vec<RepoPath>> = BTreeMap::new();
    for path in others.paths()? {
        let name = Name::of(path);
        let is_other = !OF_TYPES.contains(&name.extension) && !name.extension.is_empty();
        if let Some(ty) = types.get(name.stem).filter(|_| is_other)
            && !changed.contains(path)
        {
            out.entry(ty).or_default().push(path.clone());
        }
    }
    out.retain(|_, files| files.len() <= MAX_OF_NAME);
    let out = out.into_iter().map(|(ty, files)| FilesOfName {
        ty: ty.to_owned(),
        files,
    });
    Ok(out.collect())
}

/// Tells the files what stands beside them and what names them. O(files of the newer side), and the texts that have a
/// word of their names; nothing where no such file changed.
pub(crate) fn tell(
    compared: &Compared,
    others: &OtherTexts<'_>,
    source: BlobSource<'_>,
    files: &mut [ChangedFile],
) -> Result<(), QueryError> {
    let changed: BTreeSet<RepoPath> = files.iter().map(|it| it.path.clone()).collect();
    let mut wanted: Vec<&mut ChangedFile> = (files.iter_mut())
        .filter(|it| it.kind == FileKind::Text && !LEFT_OUT.contains(&it.path.extension()))
        .collect();
    if wanted.is_empty() || wanted.len() > MAX_FILES {
        return Ok(());
    }
    let paths: Vec<RepoPath> = wanted.iter().map(|it| it.path.clone()).collect();
    let mut beside = beside(others, &paths, &changed)?;
    for file in &mut wanted {
        let beside = beside.remove(&Name::of(&file.path));
        file.beside = beside.unwrap_or_default();
    }
    for (path, same) in with_sections(compared, others, &paths, &changed)? {
        if let Some(file) = wanted.iter_mut().find(|it| it.path == path) {
            file.same_section = same;
        }
    }
    for (path, place) in named_elsewhere(others, &paths, &changed)? {
        if let Some(file) = wanted.iter_mut().find(|it| it.path == path) {
            file.named_at.push(place);
        }
    }
    let stems: BTreeSet<String> = (wanted.iter())
        .map(|it| Name::of(&it.path).stem.to_owned())
        .filter(|stem| is_name(stem))
        .collect();
    if stems.is_empty() {
        return Ok(());
    }
    let looked_for = Wanted {
        in_tests: false,
        parts: stems.iter().cloned().collect(),
        name: &|said| named(said, &stems),
        comment: &|_| None,
    };
    let mut places: BTreeMap<String, BTreeSet<CodePlace>> = BTreeMap::new();
    for (stem, place) in string_places(compared, source, &looked_for)? {
        places.entry(stem).or_default().insert(place);
    }
    places.retain(|_, places| places.len() <= MAX_PLACES);
    for file in wanted {
        let places = places.get(Name::of(&file.path).stem);
        file.named_at.extend(places.into_iter().flatten().cloned());
    }
    Ok(())
}

/// The lines of unchanged scripts, settings of builds and documents that have the whole name of a file, where these are few.
fn named_elsewhere(
    others: &OtherTexts<'_>,
    paths: &[RepoPath],
    changed: &BTreeSet<RepoPath>,
) -> Result<Vec<(RepoPath, CodePlace)>, QueryError> {
    let is_long = |path: &&RepoPath| path.file_name().len() >= MIN_LETTERS;
    let files = paths.iter().filter(is_long);
    let mut by_name: BTreeMap<&str, Vec<&RepoPath>> = BTreeMap::new();
    for path in files {
        by_name.entry(path.file_name()).or_default().push(path);
    }
    if by_name.is_empty() {
        return Ok(Vec::new());
    }
    let texts: BTreeMap<String, String> = (by_name.keys())
        .map(|name| ((*name).to_owned(), longest_word(name)))
        .collect();
    let is_asked = |path: &RepoPath| {
        // `Dockerfile` is the name of all of it.
        let names = [path.extension(), path.file_name()];
        let is_format = |it: &&str| names.iter().any(|name| name.eq_ignore_ascii_case(it));
        NAMING.iter().any(is_format) && !changed.contains(path)
    };
    let mut found: BTreeMap<&str, BTreeSet<CodePlace>> = BTreeMap::new();
    for line in others.lines_with(&texts, &is_asked)? {
        if let Some((name, _)) = by_name.get_key_value(line.text.as_str())
            && has_whole(&line.line, name)
        {
            found.entry(name).or_default().insert(CodePlace {
                path: line.path.clone(),
                line: line.number,
                inside: None,
            });
        }
    }
    found.retain(|_, places| places.len() <= MAX_NAMING);
    let found = found.into_iter().flat_map(|(name, places)| {
        let paths = by_name[name].iter();
        paths.flat_map(move |path| {
            places
                .clone()
                .into_iter()
                .map(|place| ((*path).clone(), place))
        })
    });
    Ok(found.collect())
}

/// The unchanged files that are called like changed files of JSON, in other folders, and have a section of these which changed,
/// by changed file: each program has its own `appsettings.json`.
fn with_sections(
    compared: &Compared,
    others: &OtherTexts<'_>,
    paths: &[RepoPath],
    changed: &BTreeSet<RepoPath>,
) -> Result<BTreeMap<RepoPath, Vec<RepoPath>>, QueryError> {
    let is_settings = |path: &&RepoPath| {
        let is_json = path.extension().eq_ignore_ascii_case("json");
        is_json && !MANIFESTS.contains(&path.file_name())
    };
    let of_files = paths.iter().filter(is_settings).map(|path| {
        let keys = sections(compared, path).into_iter();
        (path, keys.map(|key| format!("\"{key}\"")).collect())
    });
    let of_files: BTreeMap<&RepoPath, BTreeSet<String>> = of_files.collect();
    let keys = of_files.values().flatten();
    let keys: BTreeMap<String, String> = keys.map(|key| (key.clone(), longest_word(key))).collect();
    if keys.is_empty() {
        return Ok(BTreeMap::new());
    }
    let names: BTreeSet<&str> = of_files.keys().map(|path| path.file_name()).collect();
    let is_asked = |path: &RepoPath| names.contains(path.file_name()) && !changed.contains(path);
    let mut out: BTreeMap<RepoPath, BTreeSet<RepoPath>> = BTreeMap::new();
    for line in others.lines_with(&keys, &is_asked)? {
        let behind = line.line.split_once(&line.text);
        if !behind.is_some_and(|(_, behind)| behind.trim_start().starts_with(':')) {
            continue;
        }
        for (path, keys) in &of_files {
            let is_same = path.file_name() == line.path.file_name();
            if is_same && path.folder() != line.path.folder() && keys.contains(&line.text) {
                let same = out.entry((*path).clone()).or_default();
                same.insert(line.path.clone());
            }
        }
    }
    out.retain(|_, same| same.len() <= MAX_OF_NAME);
    let out = out.into_iter();
    Ok(out
        .map(|(path, same)| (path, Vec::from_iter(same)))
        .collect())
}

/// The keys of the objects and lists around the changed lines of a file of JSON, each the innermost one.
fn sections(compared: &Compared, path: &RepoPath) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for lines in [
        ChangedLines::of_old(compared, path),
        ChangedLines::of(compared, path),
    ] {
        let Some(lines) = lines else { continue };
        let text = String::from_utf8_lossy(lines.text()).into_owned();
        // The keys of what is open.
        let mut open: Vec<String> = Vec::new();
        for (at, line) in (1..).zip(text.lines()) {
            let written = line.trim().trim_end_matches(',');
            if written.starts_with(['}', ']']) {
                open.pop();
            }
            if lines.has_line(at) {
                let inner = open.iter().rev().find(|key| !key.is_empty());
                out.extend(inner.cloned());
            }
            if written.ends_with(['{', '[']) {
                let key = written
                    .split_once(':')
                    .map(|(key, _)| key.trim().trim_matches('"'));
                open.push(key.unwrap_or_default().to_owned());
            }
        }
    }
    out
}

/// What files have in common that stand beside each other.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Name<'p> {
    folder: &'p str,
    /// The name up to its first point.
    stem: &'p str,
    extension: &'p str,
}

impl<'p> Name<'p> {
    fn of(path: &'p RepoPath) -> Self {
        let name = path.file_name();
        Self {
            folder: path.folder(),
            stem: name.split('.').next().unwrap_or(name),
            extension: path.extension(),
        }
    }
}

/// The unchanged files of the newer side that stand beside some paths, by their common name.
fn beside<'p>(
    others: &OtherTexts<'_>,
    paths: &'p [RepoPath],
    changed: &BTreeSet<RepoPath>,
) -> Result<BTreeMap<Name<'p>, Vec<RepoPath>>, QueryError> {
    let mut out: BTreeMap<Name<'_>, Vec<RepoPath>> = (paths.iter().map(Name::of))
        .filter(|name| !name.stem.is_empty() && !name.extension.is_empty())
        .map(|name| (name, Vec::new()))
        .collect();
    for path in others.paths()?.filter(|path| !changed.contains(*path)) {
        let own = Name::of(path);
        if let Some((_, known)) = out.iter_mut().find(|(name, _)| **name == own) {
            known.push(path.clone());
        }
    }
    Ok(out)
}

/// Whether a name is more than a word.
fn is_name(stem: &str) -> bool {
    let words = stem
        .chars()
        .filter(|c| c.is_uppercase() || matches!(c, '-' | '_'));
    stem.len() >= MIN_LETTERS && words.count() > 1
}

/// Which of some names a string ends with, as the last part of a path or of a resource's name, with an extension or without.
fn named(said: &str, stems: &BTreeSet<String>) -> Option<String> {
    let mut parts = said.rsplit(['/', '\\', '.', '~']).take(3);
    parts.find_map(|part| stems.get(part).cloned())
}
