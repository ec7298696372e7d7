//! The code of a symbol: all its declarations, with their documentation and attributes.

use cortex_index::Snapshot;
use cortex_model::{ByteRange, RepoPath};
use serde::Serialize;

use super::{Subject, Viewpoint, find_symbol};
use crate::{
    QueryError,
    documentation::Reader,
    symbol::{Symbol, SymbolPart},
};

/// The version of the answer's form.
const SCHEMA: u32 = 1;

/// The answer of `source`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SourceAnswer {
    /// Version of this form.
    pub schema: u32,
    /// What it is about.
    #[serde(flatten)]
    pub subject: Subject,
    /// Its declarations, by path, then line.
    pub parts: Vec<SourcePart>,
}

/// The lines of one declaration.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SourcePart {
    /// The file.
    pub file: RepoPath,
    /// The 1-based line of the first line of the text.
    pub line: u32,
    /// That of its last line.
    pub end_line: u32,
    /// The line where the declaration itself starts, its documentation counted: later than `line` by the lines of
    /// context.
    pub first: u32,
    /// The line where it ends.
    pub last: u32,
    /// Whole lines, without the break after the last.
    pub text: String,
}

/// Tells the code of a type or member, with `n_context` lines before and after.
///
/// # Errors
/// Those of [`find_symbol`].
pub fn source(
    view: &Viewpoint<'_>,
    text: &str,
    n_context: u32,
) -> Result<SourceAnswer, QueryError> {
    let (symbol, mut subject) = find_symbol(view, text)?;
    // It speaks of the symbol alone, which is asked for.
    subject.limited_to = None;
    let mut blobs = view.blobs();
    let mut reader = Reader::new(view.snapshot(), &mut *blobs);
    Ok(SourceAnswer {
        schema: SCHEMA,
        subject,
        parts: parts_of(view.snapshot(), &symbol, n_context, &mut reader)?,
    })
}

/// The declarations of a symbol, by path, then line.
pub(super) fn parts_of(
    snapshot: &Snapshot,
    symbol: &Symbol,
    n_context: u32,
    reader: &mut Reader<'_, '_>,
) -> Result<Vec<SourcePart>, QueryError> {
    let node = &symbol.node;
    let mut ranges: Vec<(RepoPath, ByteRange)> = Vec::new();
    if symbol.part == SymbolPart::Whole {
        for part in &node.parts {
            ranges.push((part.path.clone(), with_docs(part.range, part.doc_range)));
        }
    }
    for member in symbol.members() {
        let Some(part) = node.parts.get(member.part as usize) else {
            continue;
        };
        let facts = reader.facts(&part.path, &node.project)?;
        let detail = facts
            .as_deref()
            .and_then(|facts| cortex_bind::member_detail(facts, member));
        // What cannot be told apart stands in its type.
        let range = detail.map_or(part.range, |it| with_docs(it.range, it.doc_range));
        ranges.push((part.path.clone(), range));
    }
    let mut out = Vec::new();
    for (path, range) in ranges {
        if snapshot.file(&path)?.is_none() {
            continue;
        }
        let text = reader.text(&path)?;
        out.extend(
            lines_around(&text, range, n_context).map(|found| SourcePart {
                file: path,
                ..found
            }),
        );
    }
    out.sort();
    out.dedup();
    Ok(out)
}

fn with_docs(range: ByteRange, docs: ByteRange) -> ByteRange {
    if docs.end > docs.start {
        ByteRange {
            start: docs.start.min(range.start),
            end: range.end,
        }
    } else {
        range
    }
}

/// The lines that a range covers, with some around; `None` where the text does not have it.
fn lines_around(text: &str, range: ByteRange, n_context: u32) -> Option<SourcePart> {
    let (start, end) = (range.start as usize, range.end as usize);
    let within = text.get(start..end)?;
    let start = start + within.len() - within.trim_start().len();
    let end = start + within.trim().len();
    let first = text[..start].matches('\n').count() as u32 + 1;
    let last = first + text[start..end].matches('\n').count() as u32;
    let from = first.saturating_sub(n_context).max(1);
    let lines: Vec<&str> = (text.lines().skip(from as usize - 1))
        .take((last.saturating_add(n_context) - from + 1) as usize)
        .collect();
    Some(SourcePart {
        file: RepoPath::from(""),
        line: from,
        end_line: from + (lines.len() as u32).saturating_sub(1),
        first,
        last,
        text: lines.join("\n"),
    })
}

#[cfg(test)]
mod tests {
    use super::{ByteRange, lines_around};

    #[test]
    fn lines_are_whole_and_context_ends_with_the_file() {
        let text = "a\n  b {\n  c\n}\nd";
        let of = |start, end, n_context| {
            let found =
                lines_around(text, ByteRange { start, end }, n_context).expect("it is there");
            (
                found.line,
                found.end_line,
                found.first,
                found.last,
                found.text,
            )
        };
        assert_eq!(of(4, 13, 0), (2, 4, 2, 4, "  b {\n  c\n}".to_owned()));
        assert_eq!(of(4, 13, 9), (1, 5, 2, 4, text.to_owned()));
        assert_eq!(of(14, 15, 0), (5, 5, 5, 5, "d".to_owned()));
        assert!(lines_around(text, ByteRange { start: 9, end: 99 }, 0).is_none());
    }
}
