//! Strings that a change replaces and that stand unchanged elsewhere.
//!
//! Owns: which strings are names of something (a key, a price, a path), not words for people. Must not know: what they
//! name.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use cortex_derived::{
    doc_ids::DocIds,
    words::{Word, WordIndex},
};
use cortex_git::ReadBlob;
use cortex_index::FileSummary;
use cortex_look::QueryError;
use cortex_model::{LineTable, RepoPath};
use cortex_syntax::text::decode;
use cortex_wire::{CodePlace, LeftValue};
use rayon::prelude::*;

use crate::{
    diff_context::{
        blobs::{BlobSource, Reader},
        compared::Compared,
    },
    impact::{
        around::Declared,
        strings::{HOLE, strings},
    },
};

/// A shorter string names nothing by itself.
const MIN_LETTERS: usize = 6;

/// Of more changed files, a few strings say nothing.
const MAX_FILES: usize = 400;

/// So many strings are looked for.
const MAX_VALUES: usize = 4;

/// What stands on more lines is no value of one thing.
const MAX_PLACES: usize = 24;

/// So many texts are read by one thread.
const N_TOGETHER: usize = 32;

/// The strings of the product that changed lines had and have no longer, where others took their places, with the
/// unchanged lines of the product that have them; by value. Where there are any, reads the files that have their words
/// as far as these are kept, else all of the product.
pub(crate) fn left_values(
    compared: &Compared,
    source: BlobSource<'_>,
) -> Result<Vec<LeftValue>, QueryError> {
    if compared.files.len() > MAX_FILES {
        return Ok(Vec::new());
    }
    let replaced = replaced(compared)?;
    if replaced.is_empty() || replaced.len() > MAX_VALUES {
        return Ok(Vec::new());
    }
    let files = candidates(compared, &replaced)?;
    let found = files.par_chunks(N_TOGETHER).flat_map_iter(|files| {
        let mut reader = source.open();
        let found = files
            .iter()
            .map(|file| places(compared, &mut reader, file, &replaced));
        found.collect::<Vec<_>>()
    });
    let mut by_value: BTreeMap<String, BTreeSet<CodePlace>> = BTreeMap::new();
    for found in found.collect::<Result<Vec<_>, QueryError>>()? {
        for (value, place) in found {
            by_value.entry(value).or_default().insert(place);
        }
    }
    by_value.retain(|_, places| places.len() <= MAX_PLACES);
    let values = by_value.into_iter().map(|(value, places)| LeftValue {
        value,
        places: places.into_iter().collect(),
    });
    Ok(values.collect())
}

/// Strings that lines of changed files have no longer which other lines replace.
fn replaced(compared: &Compared) -> Result<BTreeSet<String>, QueryError> {
    let (mut gone, mut there) = (BTreeSet::new(), BTreeSet::new());
    for file in &compared.files {
        let (Some(old), Some(new)) = (&file.old, &file.new) else {
            continue;
        };
        if !is_of_product(compared, &new.path)? {
            continue;
        }
        let [before, after] =
            [old, new].map(|side| decode(compared.texts.get(side.blob)).as_bytes().to_vec());
        let hunks = cortex_git::diff_lines(&before, &after).hunks;
        let replaced = hunks.iter().filter(|hunk| !hunk.new.is_empty());
        let (old, new): (Vec<_>, Vec<_>) = replaced
            .map(|hunk| (hunk.old.clone(), hunk.new.clone()))
            .unzip();
        gone.extend(strings_on(&before, &old));
        there.extend(strings_on(&after, &new));
    }
    gone.retain(|value| is_name(value) && !there.contains(value));
    Ok(gone)
}

/// The strings that begin on some lines, from 0. `lines`: ascending.
fn strings_on(text: &[u8], lines: &[Range<u32>]) -> Vec<String> {
    if lines.is_empty() {
        return Vec::new();
    }
    let table = LineTable::new(text);
    let is_on = |at: usize| {
        let line = table.position(at as u32).line.saturating_sub(1);
        let next = lines.partition_point(|range| range.end <= line);
        lines.get(next).is_some_and(|range| range.start <= line)
    };
    let on = strings(text).into_iter().filter(|it| is_on(it.start));
    on.map(|it| it.said).collect()
}

/// Whether a string is the name of something: no space, and more than one word.
fn is_name(text: &str) -> bool {
    let is_sign = |c: char| matches!(c, '-' | '_' | '.' | ':' | '/');
    let is_part = |c: char| c.is_alphanumeric() || is_sign(c);
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let has_sign = text.trim_matches(is_sign).contains(is_sign);
    letters >= MIN_LETTERS && has_sign && !text.contains(HOLE) && text.chars().all(is_part)
}

fn is_of_product(compared: &Compared, path: &RepoPath) -> Result<bool, QueryError> {
    let file = compared.new.file(path)?;
    let projects = file.into_iter().flat_map(|file| file.projects);
    Ok(projects
        .into_iter()
        .any(|project| !compared.is_of_tests(&project)))
}

/// The files of the product that may have one of some strings.
fn candidates(
    compared: &Compared,
    values: &BTreeSet<String>,
) -> Result<Vec<FileSummary>, QueryError> {
    let mut files = compared.new.files()?;
    files.retain(|file| {
        file.projects
            .iter()
            .any(|project| !compared.is_of_tests(project))
    });
    let longest = |value: &String| {
        let words = value.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        let word = words.max_by_key(|word| word.len()).unwrap_or_default();
        Word::exact(word)
    };
    let wanted: Vec<Word> = values.iter().map(longest).collect();
    if let Some(words) = WordIndex::cached(&compared.new)
        && let Some(having) = words.having_any(&wanted)
    {
        files.retain(|file| {
            let number = words.number(file.blob);
            number.is_none_or(|number| having.contains(&number))
        });
    }
    Ok(files)
}

/// The places of some strings on unchanged lines of a file.
fn places(
    compared: &Compared,
    reader: &mut Reader<'_>,
    file: &FileSummary,
    values: &BTreeSet<String>,
) -> Result<Vec<(String, CodePlace)>, QueryError> {
    let text = decode(&reader.read_blob(file.blob)?).as_bytes().to_vec();
    let has = |value: &String| memchr::memmem::find(&text, value.as_bytes()).is_some();
    if !values.iter().any(has) {
        return Ok(Vec::new());
    }
    let product = file.projects.iter().find(|it| !compared.is_of_tests(it));
    let Some(project) = product else {
        return Ok(Vec::new());
    };
    let declared = Declared::of(&compared.new, file, project)?;
    let mut ids = DocIds::new(&compared.new);
    let lines = LineTable::new(&text);
    let mut out = Vec::new();
    for found in strings(&text)
        .into_iter()
        .filter(|it| values.contains(&it.said))
    {
        let at = found.start as u32;
        let inside = match declared.around(at) {
            Some((key, tag)) => ids.of(key, tag)?,
            None => None,
        };
        let place = CodePlace {
            path: file.path.clone(),
            line: lines.position(at).line,
            inside,
        };
        out.push((found.said, place));
    }
    Ok(out)
}
