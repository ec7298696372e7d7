//! The symbol that is declared around a line.

use crate::{
    QueryError,
    symbol::resolved::{Symbol, SymbolPart},
};

use cortex_bind::{PartRef, declared_types};
use cortex_git::ReadBlob;
use cortex_index::Snapshot;
use cortex_model::RepoPath;
use cortex_syntax::{DeclId, Sections, text::decode};

/// The innermost type or member around a 1-based line, or a 1-based column of it in UTF-16 units, once for each assembly that compiles the file.
pub(crate) fn find(
    snapshot: &Snapshot,
    path: &RepoPath,
    (line, column): (u32, Option<u32>),
    reader: &mut dyn ReadBlob,
) -> Result<Vec<Symbol>, QueryError> {
    let Some(file) = snapshot.file(path)? else {
        return Ok(Vec::new());
    };
    let bytes = reader.read_blob(file.blob)?;
    let source = decode(&bytes);
    let text = source.as_bytes();
    let Some(lines) = line_range(text, line) else {
        return Ok(Vec::new());
    };
    let lines = match column {
        Some(column) => at_column(text, lines, column),
        None => lines,
    };
    let mut out: Vec<Symbol> = Vec::new();
    for project in &file.projects {
        let facts = snapshot.facts(&file, project, Sections::Declarations)?;
        let record = snapshot.project(project)?;
        let (Some(facts), Some(record)) = (facts, record) else {
            continue;
        };
        // Children follow their parents, so that the last one is the innermost.
        let around = facts.decls.iter().enumerate().filter(|(_, decl)| {
            let start = match decl.doc_range.end > decl.doc_range.start {
                true => decl.doc_range.start.min(decl.range.start),
                false => decl.range.start,
            };
            start < lines.end && decl.range.end > lines.start
        });
        let around: Vec<DeclId> = around.map(|(at, _)| at as DeclId).collect();
        let types = declared_types(&facts, path, project, &record.project.assembly);
        let mut at = around.last().copied();
        while let Some(decl) = at {
            if let Some(symbol) = declared_by(snapshot, (path, project), decl, &types)? {
                // Only the project that speaks for a file tells the members of one variant from another's.
                match out.iter_mut().find(|other| other.key == symbol.key) {
                    Some(other) if matches!(other.part, SymbolPart::Whole) => *other = symbol,
                    Some(_) => {}
                    None => out.push(symbol),
                }
                break;
            }
            at = facts.decls[decl as usize].parent;
        }
    }
    Ok(out)
}

/// Whether no project of a snapshot compiles what stands at a 1-based line, or a 1-based column of it: `#if` leaves it out.
pub(crate) fn is_left_out(
    snapshot: &Snapshot,
    path: &RepoPath,
    (line, column): (u32, Option<u32>),
    reader: &mut dyn ReadBlob,
) -> Result<bool, QueryError> {
    let Some(file) = snapshot.file(path)?.filter(|file| file.inactive > 0) else {
        return Ok(false);
    };
    let bytes = reader.read_blob(file.blob)?;
    let Some(offset) = offset_at(decode(&bytes).as_bytes(), line, column.unwrap_or(1)) else {
        return Ok(false);
    };
    for project in &file.projects {
        let facts = snapshot.facts(&file, project, Sections::Declarations)?;
        let mut inactive = facts.iter().flat_map(|facts| &facts.inactive);
        if !inactive.any(|it| it.range.contains(offset)) {
            return Ok(false);
        }
    }
    Ok(!file.projects.is_empty())
}

/// The type or member that a declaration makes.
fn declared_by(
    snapshot: &Snapshot,
    (path, project): (&RepoPath, &RepoPath),
    decl: DeclId,
    types: &[cortex_bind::DeclaredType],
) -> Result<Option<Symbol>, QueryError> {
    for ty in types {
        let Some(node) = snapshot.type_node(ty.symbol.key)? else {
            continue;
        };
        let key = ty.symbol.key;
        if ty.decl == decl {
            let part = SymbolPart::Whole;
            return Ok(Some(Symbol { key, node, part }));
        }
        let member = node.members.iter().position(|member| {
            let part = node.parts.get(member.part as usize);
            let is_here = |part: &PartRef| part.path == *path && node.project_of(part) == project;
            member.decl == decl && !member.primary && part.is_some_and(is_here)
        });
        if let Some(at) = member {
            let part = SymbolPart::Member(at);
            return Ok(Some(Symbol { key, node, part }));
        }
    }
    Ok(None)
}

/// The byte at a 1-based column of a line, in UTF-16 units; the nearest one of the line's text where it has none
/// there.
fn at_column(text: &[u8], line: std::ops::Range<u32>, column: u32) -> std::ops::Range<u32> {
    let start = text[..line.start as usize]
        .iter()
        .rposition(|&b| b == b'\n');
    let start = start.map_or(0, |at| at + 1);
    let written = String::from_utf8_lossy(&text[start..line.end as usize]);
    let (mut units, mut offset) = (1, start as u32);
    for c in written.chars() {
        if units >= column {
            break;
        }
        units += c.len_utf16() as u32;
        offset += c.len_utf8() as u32;
    }
    let offset = offset.clamp(line.start, line.end.saturating_sub(1).max(line.start));
    offset..offset + 1
}

/// The offset of a 1-based line and column (in UTF-16 units) in a text; `None` where it has no such line.
pub fn offset_at(text: &[u8], line: u32, column: u32) -> Option<u32> {
    Some(at_column(text, line_range(text, line)?, column).start)
}

/// The bytes of a 1-based line, without the white space around its text.
fn line_range(text: &[u8], line: u32) -> Option<std::ops::Range<u32>> {
    let mut start = 0;
    for (at, content) in text.split_inclusive(|&b| b == b'\n').enumerate() {
        if at + 1 == line as usize {
            let blank = content.len() - content.trim_ascii_start().len();
            let (from, len) = match content.trim_ascii().len() {
                0 => (start, content.len()),
                len => (start + blank, len),
            };
            return Some(from as u32..(from + len) as u32);
        }
        start += content.len();
    }
    None
}
