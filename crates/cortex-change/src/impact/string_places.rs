//! Where strings and comments of the product stand.
//!
//! Must not know: which ones are looked for, and why.

use std::collections::{BTreeMap, BTreeSet};

use cortex_derived::{
    doc_ids::DocIds,
    words::{Word, WordIndex},
};
use cortex_git::ReadBlob;
use cortex_index::FileSummary;
use cortex_look::QueryError;
use cortex_model::{LineTable, RepoPath};
use cortex_syntax::text::decode;
use cortex_wire::CodePlace;
use memchr::memmem;
use rayon::prelude::*;

use crate::{
    diff_context::{
        blobs::{BlobSource, Reader},
        compared::Compared,
    },
    impact::{
        around::Declared,
        strings::{CommentText, HOLE, strings_and_comments},
    },
    reading::ChangedLines,
};

/// So many texts are read by one thread.
const N_TOGETHER: usize = 32;

/// The strings that are looked for.
pub(super) struct Wanted<'w> {
    /// Whether in tests, and not in the product.
    pub(super) in_tests: bool,
    /// Texts of which each of them has one.
    pub(super) parts: Vec<String>,
    /// What a string is known as, by what it says; nothing where it is not looked for.
    pub(super) name: &'w (dyn Fn(&str) -> Option<String> + Sync),
    /// The same of a line of a comment.
    pub(super) comment: &'w (dyn Fn(&CommentText) -> Option<String> + Sync),
}

/// The places of the strings and comments of the newer side's product, or of its tests, that are looked for, each with its
/// name; by path, those of strings first, and position.
/// Reads the files that have a word of each part as far as words are kept, else all of these.
pub(super) fn string_places(
    compared: &Compared,
    source: BlobSource<'_>,
    wanted: &Wanted<'_>,
) -> Result<Vec<(String, CodePlace)>, QueryError> {
    let files = candidates(compared, &wanted.parts, |project| {
        compared.is_of_tests(project) == wanted.in_tests
    })?;
    let found = files.par_chunks(N_TOGETHER).map(|files| {
        let mut reader = source.open();
        let mut out = Vec::new();
        for file in files {
            out.extend(places(compared, &mut reader, file, wanted)?);
        }
        Ok(out)
    });
    let found = found.collect::<Result<Vec<_>, QueryError>>()?;
    Ok(found.into_iter().flatten().collect())
}

/// The same on lines that did not change, by name.
pub(super) fn unchanged_places(
    compared: &Compared,
    source: BlobSource<'_>,
    wanted: &Wanted<'_>,
) -> Result<BTreeMap<String, BTreeSet<CodePlace>>, QueryError> {
    let mut out: BTreeMap<String, BTreeSet<CodePlace>> = BTreeMap::new();
    let mut lines: BTreeMap<RepoPath, Option<ChangedLines>> = BTreeMap::new();
    for (name, place) in string_places(compared, source, wanted)? {
        let changed = lines.entry(place.path.clone());
        let changed = changed.or_insert_with(|| ChangedLines::of(compared, &place.path));
        if !changed.as_ref().is_some_and(|it| it.has_line(place.line)) {
            out.entry(name).or_default().insert(place);
        }
    }
    Ok(out)
}

/// The longest word of a text.
pub(super) fn longest_word(text: &str) -> String {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let word = words.max_by_key(|word| word.len()).unwrap_or_default();
    word.to_owned()
}

/// So many words of a text are looked up, the longest ones.
const MAX_WORDS: usize = 3;

/// The longest words of a text; those behind what a string may write by an escape are left out, where there are others.
fn telling_words(text: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let words = text.split(|c| !is_part(c)).filter(|it| !it.is_empty());
    let (mut sure, others): (Vec<&str>, Vec<&str>) = words.partition(|word| {
        let at = word.as_ptr() as usize - text.as_ptr() as usize;
        let before = text[..at].chars().next_back();
        before.is_none_or(|c| c == HOLE || !c.is_control() && !matches!(c, '"' | '\'' | '\\'))
    });
    sure.sort_by_key(|word| std::cmp::Reverse(word.len()));
    sure.truncate(MAX_WORDS);
    match sure.is_empty() {
        true => others
            .into_iter()
            .max_by_key(|word| word.len())
            .into_iter()
            .collect(),
        false => sure,
    }
}

/// The files of some projects that may have one of some texts: all of its longest words.
pub(super) fn candidates(
    compared: &Compared,
    parts: &[String],
    is_of: impl Fn(&RepoPath) -> bool,
) -> Result<Vec<FileSummary>, QueryError> {
    let mut files = compared.new.files()?;
    files.retain(|file| file.projects.iter().any(&is_of));
    let wanted = parts.iter().map(|part| {
        let words = telling_words(part).into_iter();
        words.map(Word::exact).collect()
    });
    let wanted: Vec<Vec<Word>> = wanted.collect();
    if let Some(words) = WordIndex::cached(&compared.new)
        && let Some(having) = words.having_all_of_any(&wanted)
    {
        files.retain(|file| {
            let number = words.number(file.blob);
            number.is_none_or(|number| having.contains(&number))
        });
    }
    Ok(files)
}

fn places(
    compared: &Compared,
    reader: &mut Reader<'_>,
    file: &FileSummary,
    wanted: &Wanted<'_>,
) -> Result<Vec<(String, CodePlace)>, QueryError> {
    let text = decode(&reader.read_blob(file.blob)?).as_bytes().to_vec();
    let is_in = |word: &str| memmem::find(&text, word.as_bytes()).is_some();
    let has = |part: &String| telling_words(part).into_iter().all(is_in);
    let mut projects = file.projects.iter();
    let project = projects.find(|it| compared.is_of_tests(it) == wanted.in_tests);
    let Some(project) = project.filter(|_| wanted.parts.iter().any(has)) else {
        return Ok(Vec::new());
    };
    let declared = Declared::of(&compared.new, file, project)?;
    let mut ids = DocIds::new(&compared.new);
    let lines = LineTable::new(&text);
    let mut out = Vec::new();
    let (strings, comments) = strings_and_comments(&text);
    let strings = strings.iter();
    let strings = strings.map(|it| ((wanted.name)(&it.said), it.start));
    let comments = comments.iter();
    let comments = comments.map(|it| ((wanted.comment)(it), it.start));
    for (name, start) in strings.chain(comments) {
        let Some(name) = name else {
            continue;
        };
        let at = start as u32;
        let inside = match declared.around(at) {
            Some((key, tag)) => ids.of(key, tag)?,
            None => None,
        };
        let place = CodePlace {
            path: file.path.clone(),
            line: lines.position(at).line,
            inside,
        };
        out.push((name, place));
    }
    Ok(out)
}
