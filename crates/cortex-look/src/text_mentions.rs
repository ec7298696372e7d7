//! Names in the comments and strings of C# files: texts that mention a symbol without being bound.
//!
//! Must not know: why a name is searched for.

use crate::{QueryError, viewpoint::Viewpoint};
use cortex_derived::{
    contents::Contents,
    files::Candidate,
    words::{Word, WordIndex},
};
use cortex_model::{ByteRange, LineTable, RepoPath};
use cortex_search::TextRead;
use cortex_syntax::text::{Lexical, LexicalKind, decode};

use std::collections::BTreeSet;

use rayon::prelude::*;
use rustc_hash::FxHashSet;

/// One thread reads so many files with one reader.
const N_TOGETHER: usize = 32;

/// A comment or string that has a name as a word of its own.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TextMention {
    /// The file.
    pub file: RepoPath,
    /// The name, in bytes of the decoded text.
    pub range: ByteRange,
    /// The 1-based line.
    pub line: u32,
    /// Whether it is in a string; otherwise in a comment.
    pub is_string: bool,
    /// The line, trimmed and cut.
    pub text: String,
}

/// The comments and strings of C# files that have a name as a word, by file and position. `only`: the files to read;
/// all files of the side otherwise. What the documentation refers to (`cref`, `name`) is bound like code and is not
/// among them.
///
/// Reads the files that are given, or those that have the word according to the cached words; without these, every file.
///
/// # Errors
/// Those of the repository and the index.
pub fn mentions_in_csharp(
    view: &Viewpoint<'_>,
    name: &str,
    only: Option<&BTreeSet<RepoPath>>,
) -> Result<Vec<TextMention>, QueryError> {
    match only {
        Some(only) => mentions_in_files(view, name, only),
        None => mentions_everywhere(view, name),
    }
}

/// Those of some files: O(bytes of these).
fn mentions_in_files(
    view: &Viewpoint<'_>,
    name: &str,
    only: &BTreeSet<RepoPath>,
) -> Result<Vec<TextMention>, QueryError> {
    let mut reader = view.blobs();
    let mut out = Vec::new();
    for path in only {
        if let Some(file) = view.snapshot().file(path)? {
            let bytes = reader.read_blob(file.blob)?;
            mentions_in_text(path, decode(&bytes).as_str(), name, &mut out);
        }
    }
    out.sort();
    Ok(out)
}

fn mentions_everywhere(view: &Viewpoint<'_>, name: &str) -> Result<Vec<TextMention>, QueryError> {
    let all = cortex_derived::files::all(view.index, view.side)?;
    let contents = Contents::of(view.index, view.side, &all)?;
    let words = WordIndex::cached(view.snapshot());
    let having: Option<(WordIndex<'_>, FxHashSet<u32>)> = words.and_then(|words| {
        let last = name.rsplit('.').next().unwrap_or(name);
        let numbers = words.having_any(&[Word::exact(last)])?;
        Some((words, numbers))
    });
    let may_have = |file: &Candidate| {
        let Some((words, having)) = &having else {
            return true;
        };
        let number = words.number(file.blob);
        number.is_none_or(|number| having.contains(&number))
    };
    let files: Vec<&Candidate> = (all.iter())
        .filter(|file| file.is_csharp() && may_have(file))
        .collect();
    let found = files.par_chunks(N_TOGETHER).map(|files| {
        let mut reader = contents.reader();
        let mut bytes = Vec::new();
        let mut out = Vec::new();
        for file in files {
            bytes.clear();
            if reader.read(file, &mut bytes)? == TextRead::Text {
                mentions_in_text(&file.path, decode(&bytes).as_str(), name, &mut out);
            }
        }
        Ok(out)
    });
    let found = found.collect::<Result<Vec<_>, QueryError>>()?;
    let mut found: Vec<TextMention> = found.into_iter().flatten().collect();
    found.sort();
    Ok(found)
}

/// Adds the comments and strings of one text that have the name.
fn mentions_in_text(path: &RepoPath, text: &str, name: &str, out: &mut Vec<TextMention>) {
    let mut places = words_in(text, name).peekable();
    if places.peek().is_none() {
        return;
    }
    let lexical = Lexical::of(text.as_bytes());
    let lines = LineTable::new(text.as_bytes());
    for start in places {
        let is_string = match lexical.at(start) {
            LexicalKind::Code => continue,
            LexicalKind::Comment if is_bound_reference(text, start) => continue,
            LexicalKind::Comment => false,
            LexicalKind::String => true,
        };
        out.push(TextMention {
            file: path.clone(),
            range: ByteRange {
                start,
                end: start + name.len() as u32,
            },
            line: lines.position(start).line,
            is_string,
            text: line_around(text, start as usize),
        });
    }
}

/// The offsets at which a text has a name as a word of its own, ascending; a name with dots, not at the end of a longer one.
pub fn words_in<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = u32> + 't {
    let is_part = |c: char| c == '_' || c.is_alphanumeric();
    let places = text.match_indices(name).filter(move |(at, found)| {
        let (before, after) = (&text[..*at], &text[at + found.len()..]);
        let is_end = found.contains('.') && before.ends_with('.');
        !found.is_empty() && !is_end && !before.ends_with(is_part) && !after.starts_with(is_part)
    });
    places.map(|(at, _)| at as u32)
}

/// Whether a place in a comment is the value of a `cref` or `name` in documentation (C# specification, annex D.3).
fn is_bound_reference(text: &str, at: u32) -> bool {
    let before = &text[..at as usize];
    let line = &before[before.rfind('\n').map_or(0, |end| end + 1)..];
    let Some(open) = line.rfind(['"', '\'']) else {
        return false;
    };
    let attribute = line[..open].trim_end();
    let Some(attribute) = attribute.strip_suffix('=') else {
        return false;
    };
    let attribute = attribute.trim_end();
    let is_in_tag = attribute.rfind('<') > attribute.rfind('>');
    let word = attribute.rsplit(|c: char| c.is_whitespace()).next();
    is_in_tag && matches!(word, Some("cref" | "name"))
}

/// A line that is shown has at most so many characters.
const MAX_SHOWN: usize = 160;

/// The line around an offset, trimmed and cut around it.
fn line_around(text: &str, at: usize) -> String {
    let start = text[..at].rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let end = text[at..]
        .find(['\n', '\r'])
        .map_or(text.len(), |end| at + end);
    let mut start = start.max(at.saturating_sub(MAX_SHOWN / 2));
    while !text.is_char_boundary(start) {
        start += 1;
    }
    text[start..end].trim().chars().take(MAX_SHOWN).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mentions(text: &str, name: &str) -> Vec<(u32, bool)> {
        let mut out = Vec::new();
        mentions_in_text(&RepoPath::from("A.cs"), text, name, &mut out);
        out.iter()
            .map(|it| (it.range.start, it.is_string))
            .collect()
    }

    #[test]
    fn comments_and_strings_have_a_name_as_a_word_and_code_does_not_count() {
        let text =
            "// Order, Orders\nclass Order { string s = \"an Order\" + $\"{Order.X} Order\"; }";
        assert_eq!(
            mentions(text, "Order"),
            [(3, false), (46, true), (67, true)]
        );
    }

    #[test]
    fn what_documentation_refers_to_is_code() {
        let text = "/// <see cref=\"Order\"/> an Order <param name='Order'>\n/// cref=\"Order\"\nclass A { }";
        assert_eq!(mentions(text, "Order"), [(27, false), (64, false)]);
    }
}
