//! The code of a symbol: all its declarations, with their documentation and attributes.

use crate::{
    QueryError,
    documentation::inherit::Reader,
    subject::{find_symbol, outside},
    symbol::resolved::{Symbol, SymbolPart},
    viewpoint::Viewpoint,
};
use cortex_wire::{SourceAnswer, SourcePart};

use cortex_model::{ByteRange, RepoPath};

/// Tells the code of a type or member, with `n_context` lines before and after.
///
/// # Errors
/// Those of [`find_symbol`].
pub fn source(
    view: &Viewpoint<'_>,
    text: &str,
    n_context: u32,
) -> Result<SourceAnswer, QueryError> {
    let (symbol, subject) = find_symbol(view, text)?;
    let mut blobs = view.blobs();
    let mut reader = Reader::new(view.snapshot(), &mut *blobs);
    let parts = parts_of(view, &symbol, n_context, &mut reader)?;
    if parts.is_empty() && !view.filter.is_everything() {
        return Err(outside(view, &subject));
    }
    Ok(SourceAnswer { subject, parts })
}

/// The declarations of a symbol as far as they pass the filter, by path, then line.
pub(crate) fn parts_of(
    view: &Viewpoint<'_>,
    symbol: &Symbol,
    n_context: u32,
    reader: &mut Reader<'_, '_>,
) -> Result<Vec<SourcePart>, QueryError> {
    let (snapshot, node) = (view.snapshot(), &symbol.node);
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
        let facts = reader.facts(&part.path, node.project_of(part))?;
        let detail = facts
            .as_deref()
            .and_then(|facts| cortex_bind::member_detail(facts, member));
        // What cannot be told apart stands in its type.
        let range = detail.map_or(part.range, |it| with_docs(it.range, it.doc_range));
        ranges.push((part.path.clone(), range));
    }
    let mut out = Vec::new();
    for (path, range) in ranges {
        if snapshot.file(&path)?.is_none() || !view.filter.has(&path, node.project_in(&path)) {
            continue;
        }
        let text = reader.text(&path)?;
        let Some(found) = lines_around(&text, range, n_context) else {
            continue;
        };
        let found = match view.filter.ranges(&path) {
            None => vec![found],
            Some(_) => runs(&found, |line| {
                view.filter.has_line(&path, node.project_in(&path), line)
            }),
        };
        out.extend(found.into_iter().map(|part| SourcePart {
            file: path.clone(),
            ..part
        }));
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
        frameworks: Vec::new(),
        file: RepoPath::from(""),
        line: from,
        end_line: from + (lines.len() as u32).saturating_sub(1),
        first,
        last,
        text: lines.join("\n"),
    })
}

/// The lines of a declaration that pass, with what passes around them: each run of them for itself.
fn runs(part: &SourcePart, passes: impl Fn(u32) -> bool) -> Vec<SourcePart> {
    let lines: Vec<&str> = part.text.lines().collect();
    let numbers = (0..lines.len()).map(|at| part.line + at as u32);
    let passing: Vec<u32> = numbers.filter(|line| passes(*line)).collect();
    let text_of = |line: u32| lines[(line - part.line) as usize];
    let mut out: Vec<(u32, u32)> = Vec::new();
    for line in passing {
        match out.last_mut() {
            // White space is nobody's.
            Some((_, last)) if (*last + 1..line).all(|it| text_of(it).trim().is_empty()) => {
                *last = line;
            }
            _ => out.push((line, line)),
        }
    }
    let is_declared = |(from, to): &(u32, u32)| *from <= part.last && *to >= part.first;
    let of_run = |(from, to): (u32, u32)| SourcePart {
        frameworks: Vec::new(),
        file: part.file.clone(),
        line: from,
        end_line: to,
        first: part.first.max(from),
        last: part.last.min(to),
        text: (from..=to).map(text_of).collect::<Vec<_>>().join("\n"),
    };
    out.into_iter().filter(is_declared).map(of_run).collect()
}

#[cfg(test)]
mod tests {
    use super::{ByteRange, RepoPath, SourcePart, lines_around, runs};

    #[test]
    fn only_lines_that_pass_are_told_each_run_for_itself() {
        let part = SourcePart {
            frameworks: Vec::new(),
            file: RepoPath::from("a"),
            line: 3,
            end_line: 8,
            first: 4,
            last: 7,
            text: "before\n{\n\n a\n}\nafter".to_owned(),
        };
        let of = |passing: &[u32]| -> Vec<(u32, u32, u32, u32, String)> {
            let told = runs(&part, |line| passing.contains(&line));
            let told = told.into_iter();
            told.map(|it| (it.line, it.end_line, it.first, it.last, it.text))
                .collect()
        };
        assert_eq!(of(&[3, 4, 6, 7, 8]), [(3, 8, 4, 7, part.text.clone())]);
        assert_eq!(of(&[4, 6]), [(4, 6, 4, 6, "{\n\n a".to_owned())]);
        assert_eq!(
            of(&[4, 7, 8]),
            [
                (4, 4, 4, 4, "{".to_owned()),
                (7, 8, 7, 7, "}\nafter".to_owned())
            ]
        );
        assert_eq!(of(&[3, 8]), []);
    }

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
