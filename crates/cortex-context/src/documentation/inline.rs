//! Running text of documentation.

use cortex_wire::DocInline;

use super::{DocStyle, code};
use crate::text::{Piece, line, pieces, without_markup};

/// Running text; line breaks in it are those that its author wants.
pub(super) fn inlines(all: &[DocInline], style: DocStyle) -> String {
    let mut out = String::new();
    for inline in all {
        match inline {
            DocInline::Text(text) => out.push_str(&words(text, style)),
            DocInline::Code(text) => out.push_str(&code(text, style)),
            DocInline::Symbol { name, text, .. } => {
                let text = inlines(text, style);
                let name = code(name, style);
                let is_same = text.trim_matches('`') == name.trim_matches('`');
                match text.trim().is_empty() || is_same {
                    true => out.push_str(&name),
                    false => out.push_str(&format!("{text} ({name})")),
                }
            }
            DocInline::Link { href, text } => {
                out.push_str(&link(href, &inlines(text, style), style))
            }
            DocInline::Strong(text) => out.push_str(&marked(&inlines(text, style), "**", style)),
            DocInline::Emphasis(text) => out.push_str(&marked(&inlines(text, style), "*", style)),
            DocInline::Break => {
                out.truncate(out.trim_end_matches(' ').len());
                out.push_str(if style == DocStyle::Markdown {
                    "\\\n"
                } else {
                    "\n"
                });
            }
        }
    }
    out
}

/// Marks stand at words: white space stays outside of them.
fn marked(text: &str, mark: &str, style: DocStyle) -> String {
    let inner = text.trim();
    if style == DocStyle::Text || inner.is_empty() {
        return text.to_owned();
    }
    let before = &text[..text.len() - text.trim_start().len()];
    let after = &text[text.trim_end().len()..];
    format!("{before}{mark}{inner}{mark}{after}")
}

/// Words that nothing of Markdown can start in.
fn words(text: &str, style: DocStyle) -> String {
    if style == DocStyle::Text {
        return line(text).into_owned();
    }
    let mut out = String::with_capacity(text.len());
    for piece in pieces(&line(text)) {
        let text = match piece {
            Piece::Live(text) => {
                out.push_str(&code(text, style));
                continue;
            }
            Piece::Plain(text) => without_markup(text),
        };
        for c in text.chars() {
            if matches!(c, '*' | '`') {
                out.push('\\');
            }
            out.push(c);
        }
    }
    out
}

/// Whether a paragraph that starts like this would be a heading, a list, a quotation, code or a rule.
pub(super) fn is_block_opener(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    let digits = first.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = digits.len() < first.len() && digits.starts_with(['.', ')']);
    // A number cannot be escaped itself; its dot can, and the words stay the same without that.
    !is_numbered
        && (first.starts_with(['#', '>', '=', '~'])
            || first.starts_with(['-', '+']) && first[1..].starts_with([' ', '-', '+'])
            || first == "-"
            || first == "+")
}

/// Only what a browser may follow without harm is a link.
fn link(href: &str, text: &str, style: DocStyle) -> String {
    let is_web = ["https://", "http://", "mailto:"]
        .iter()
        .any(|it| href.starts_with(it));
    let is_plain = href
        .chars()
        .all(|c| c.is_ascii_graphic() && !matches!(c, '<' | '>' | '(' | ')' | '\\' | '`' | '"'));
    let text = text.trim();
    match style {
        _ if !is_web || !is_plain => match text.is_empty() {
            true => code(href, style),
            false => format!("{text} ({})", code(href, style)),
        },
        DocStyle::Markdown if text.is_empty() => format!("<{href}>"),
        DocStyle::Markdown => format!("[{}]({href})", text.replace(['[', ']'], "")),
        DocStyle::Text if text.is_empty() => href.to_owned(),
        DocStyle::Text => format!("{text} ({href})"),
    }
}
