//! Documentation comments as Markdown and as text for people.
//!
//! Owns: what a section, a list or a symbol in running text looks like. Must not know: XML, where it was inherited from.

mod inline;
#[cfg(test)]
mod tests;

use cortex_wire::{
    DocBlock, DocItem, DocListKind, DocNote, DocSection, DocSectionKind, Documentation,
};

use crate::text::{Tabs, fence, line, longest_backtick_run, prose, span, visible};
use inline::{inlines, is_block_opener};

/// For whom documentation is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DocStyle {
    /// For models and viewers.
    Markdown,
    /// For terminals.
    Text,
}

/// All of a symbol's documentation; empty where there is none, else with a line break at its end.
pub fn documentation(docs: &Documentation, style: DocStyle) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut before = None;
    for section in &docs.sections {
        let (title, body) = (title(section, style), blocks(&section.blocks, style));
        let is_listed = matches!(
            section.kind,
            DocSectionKind::TypeParam
                | DocSectionKind::Param
                | DocSectionKind::Exception
                | DocSectionKind::SeeAlso
        );
        let text = match title {
            None => body,
            Some(title) if is_listed => item(&title, &body),
            Some(title) if body.contains('\n') => format!("{title}\n\n{body}"),
            Some(title) => format!("{title} {body}").trim_end().to_owned(),
        };
        match parts.last_mut() {
            Some(last) if is_listed && before == Some(section.kind) => {
                last.push('\n');
                last.push_str(&text);
            }
            _ if is_listed => parts.push(format!("{}\n{text}", heading(section.kind, style))),
            _ => parts.push(text),
        }
        before = Some(section.kind);
    }
    parts.extend(docs.notes.iter().map(|it| note(it, style)));
    parts.retain(|part| !part.trim().is_empty());
    let mut out = parts.join("\n\n");
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// The first sentence of the summary, on one line; empty where there is none.
pub fn first_line(docs: &Documentation, style: DocStyle) -> String {
    let first = docs.summary().first();
    let text = match first {
        Some(DocBlock::Paragraph(all)) => inlines(all, style).replace(['\n', '\\'], " "),
        Some(block) => blocks(std::slice::from_ref(block), style),
        None => return String::new(),
    };
    let text = text.lines().next().unwrap_or_default();
    text[..sentence_end(text)].to_owned()
}

/// Where the first sentence ends. What follows a full stop must look like the start of another.
fn sentence_end(text: &str) -> usize {
    let mut from = 0;
    while let Some(at) = text[from..].find(". ") {
        let end = from + at + 1;
        let next = text[end..].trim_start().chars().next();
        let word = text[..end].rsplit(' ').next().unwrap_or_default();
        let is_short = matches!(
            word.trim_start_matches('('),
            "e.g." | "i.e." | "etc." | "vs." | "cf."
        );
        if !is_short && next.is_some_and(|c| !c.is_lowercase()) {
            return end;
        }
        from = end;
    }
    text.len()
}

/// Blocks, a blank line between them.
pub(crate) fn blocks(all: &[DocBlock], style: DocStyle) -> String {
    let shown: Vec<String> = all.iter().map(|it| block(it, style)).collect();
    shown.join("\n\n")
}

fn heading(kind: DocSectionKind, style: DocStyle) -> String {
    let word = match kind {
        DocSectionKind::Summary => "Summary",
        DocSectionKind::TypeParam => "Type parameters",
        DocSectionKind::Param => "Parameters",
        DocSectionKind::Returns => "Returns",
        DocSectionKind::Value => "Value",
        DocSectionKind::Exception => "Exceptions",
        DocSectionKind::Remarks => "Remarks",
        DocSectionKind::Example => "Example",
        DocSectionKind::Other => "Other",
        DocSectionKind::SeeAlso => "See also",
    };
    strong(&format!("{word}:"), style)
}

/// What stands before a section; `None` for the summary.
fn title(section: &DocSection, style: DocStyle) -> Option<String> {
    Some(match section.kind {
        DocSectionKind::Summary => return None,
        DocSectionKind::TypeParam | DocSectionKind::Param | DocSectionKind::Exception => {
            code(&section.name, style)
        }
        DocSectionKind::SeeAlso if section.name.contains("://") => plain(&section.name, style),
        DocSectionKind::SeeAlso => code(&section.name, style),
        DocSectionKind::Other => strong(&format!("{}:", plain(&section.name, style)), style),
        kind => heading(kind, style),
    })
}

fn item(title: &str, body: &str) -> String {
    let text = match (title.is_empty(), body.is_empty()) {
        (_, true) => title.to_owned(),
        (true, _) => body.to_owned(),
        _ => format!("{title}: {body}"),
    };
    format!("- {}", indented(&text, "  "))
}

pub(crate) fn note(note: &DocNote, style: DocStyle) -> String {
    let text = match note {
        DocNote::Inherited(from) => format!("Inherited from {}.", code(from, style)),
        DocNote::NotInherited(Some(from)) => {
            format!(
                "Inherited from {}, which has no documentation in this repository.",
                code(from, style)
            )
        }
        DocNote::NotInherited(None) => {
            "Marked as inherited, but there is nothing to inherit from.".to_owned()
        }
        DocNote::Included { file, path } => format!(
            "Text from {} at {} is not included.",
            code(file, style),
            code(path, style)
        ),
        DocNote::Malformed(why) => {
            format!(
                "Shown as written because its XML is malformed: {}.",
                plain(why, style)
            )
        }
    };
    match style {
        DocStyle::Markdown => format!("*{text}*"),
        DocStyle::Text => format!("({text})"),
    }
}

fn block(block: &DocBlock, style: DocStyle) -> String {
    match block {
        DocBlock::Paragraph(all) => {
            let text = inlines(all, style);
            match style {
                DocStyle::Markdown if is_block_opener(&text) => format!("\\{text}"),
                _ => text,
            }
        }
        DocBlock::Code { language, text } => {
            let lines: Vec<_> = (text.split('\n'))
                .map(|line| visible(line.trim_end_matches('\r'), Tabs::Keep))
                .collect();
            let text = lines.join("\n");
            match style {
                DocStyle::Markdown => {
                    let fence = fence(longest_backtick_run(&text));
                    let language: String = (language.chars())
                        .filter(|c| c.is_ascii_alphanumeric() || matches!(c, '#' | '+' | '-'))
                        .collect();
                    format!("{fence}{}\n{text}\n{fence}", language.to_ascii_lowercase())
                }
                DocStyle::Text => format!("    {}", indented(&text, "    ")),
            }
        }
        DocBlock::List {
            kind: DocListKind::Table,
            header,
            items,
        } if style == DocStyle::Markdown => table(header, items),
        DocBlock::List {
            kind,
            header,
            items,
        } => {
            let mut out: Vec<String> = Vec::new();
            if !header.is_empty() {
                let cells: Vec<String> = header.iter().map(|it| inlines(it, style)).collect();
                out.push(strong(&cells.join(": "), style));
                if style == DocStyle::Markdown {
                    out.push(String::new());
                }
            }
            for (nth, item) in items.iter().enumerate() {
                let marker = match kind {
                    DocListKind::Number(first) => format!("{}. ", first.saturating_add(nth as u32)),
                    DocListKind::Bullet | DocListKind::Table => "- ".to_owned(),
                };
                let indent = " ".repeat(marker.len());
                out.push(format!(
                    "{marker}{}",
                    indented(&list_item(item, style), &indent)
                ));
            }
            out.join("\n")
        }
    }
}

fn list_item(item: &DocItem, style: DocStyle) -> String {
    let terms: Vec<String> = item.terms.iter().map(|it| inlines(it, style)).collect();
    let descriptions: Vec<String> = item
        .descriptions
        .iter()
        .map(|it| blocks(it, style))
        .collect();
    let (term, description) = (terms.join(", "), descriptions.join("\n\n"));
    match (term.is_empty(), description.is_empty()) {
        (true, _) => description,
        (_, true) => strong(&term, style),
        _ => format!("{}: {description}", strong(&term, style)),
    }
}

/// A table of Markdown: rows of the most cells that one has.
fn table(header: &[Vec<cortex_wire::DocInline>], items: &[DocItem]) -> String {
    let style = DocStyle::Markdown;
    let cell = |text: String| {
        text.split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .replace('|', "\\|")
    };
    let mut rows: Vec<Vec<String>> =
        vec![header.iter().map(|it| cell(inlines(it, style))).collect()];
    for item in items {
        let terms = item.terms.iter().map(|it| cell(inlines(it, style)));
        let descriptions = item.descriptions.iter().map(|it| cell(blocks(it, style)));
        rows.push(terms.chain(descriptions).collect());
    }
    let n_columns = rows.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let mut out = Vec::new();
    for (nth, row) in rows.iter().enumerate() {
        let cells = (0..n_columns).map(|at| row.get(at).map_or("", String::as_str));
        out.push(format!("| {} |", cells.collect::<Vec<_>>().join(" | ")));
        if nth == 0 {
            out.push(format!("|{}", "---|".repeat(n_columns)));
        }
    }
    out.join("\n")
}

/// All lines but the first moved in; blank ones stay blank.
fn indented(text: &str, indent: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (nth, line) in text.split('\n').enumerate() {
        if nth > 0 {
            out.push('\n');
            if !line.is_empty() {
                out.push_str(indent);
            }
        }
        out.push_str(line);
    }
    out
}

fn strong(text: &str, style: DocStyle) -> String {
    match style {
        DocStyle::Markdown if !text.is_empty() => format!("**{text}**"),
        _ => text.to_owned(),
    }
}

fn code(text: &str, style: DocStyle) -> String {
    match style {
        _ if text.is_empty() => String::new(),
        DocStyle::Markdown => span(text),
        DocStyle::Text => line(text).into_owned(),
    }
}

fn plain(text: &str, style: DocStyle) -> String {
    match style {
        DocStyle::Markdown => prose(text),
        DocStyle::Text => line(text).into_owned(),
    }
}
