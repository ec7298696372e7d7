//! The text that a line must contain to match a query, so that files without it are not searched.
//!
//! Must not know: how the content of files is indexed.

use regex_syntax::{
    ParserBuilder,
    hir::{Hir, HirKind},
};

use crate::pattern::{Case, Mode, Query};

/// A necessary condition of a query: every matching line satisfies it, but a line that satisfies it may not match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Need {
    /// No condition is known.
    Nothing,
    /// A piece of text.
    Piece(Piece),
    /// All of these conditions.
    All(Vec<Need>),
    /// At least one of these conditions.
    Any(Vec<Need>),
}

/// A piece of text that a line contains.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The text, not empty.
    pub text: String,
    /// Whether the case of letters counts.
    pub case: Case,
    /// Whether the piece is a whole word: no letter, digit or `_` precedes or follows it.
    pub is_whole: bool,
}

impl Need {
    /// The necessary condition of a query; [`Need::Nothing`] for one that does not compile.
    pub fn of(query: &Query) -> Self {
        let text = match query.mode {
            Mode::Regex => return expression_need(&query.text, query.case),
            Mode::Identifier => query.text.strip_prefix('@').unwrap_or(&query.text),
            Mode::Plain | Mode::Word => &query.text,
        };
        match text.is_empty() {
            true => Self::Nothing,
            false => Self::Piece(Piece {
                text: text.to_owned(),
                case: query.case,
                is_whole: query.mode != Mode::Plain,
            }),
        }
    }

    fn all(mut needs: Vec<Self>) -> Self {
        needs.retain(|need| *need != Self::Nothing);
        match needs.len() {
            0 => Self::Nothing,
            1 => needs.remove(0),
            _ => Self::All(needs),
        }
    }
}

/// The necessary condition of a regular expression: the literals that no alternative or repetition can skip.
fn expression_need(text: &str, case: Case) -> Need {
    // Parsed with case, because ignoring case would turn letters into classes; pieces are compared without case instead.
    let parsed = ParserBuilder::new()
        .multi_line(true)
        .crlf(true)
        .utf8(false)
        .build()
        .parse(text);
    parsed.map_or(Need::Nothing, |hir| hir_need(&hir, case))
}

fn hir_need(hir: &Hir, case: Case) -> Need {
    match hir.kind() {
        HirKind::Literal(literal) => literal_need(&literal.0, case),
        HirKind::Capture(capture) => hir_need(&capture.sub, case),
        HirKind::Repetition(repetition) if repetition.min > 0 => hir_need(&repetition.sub, case),
        HirKind::Concat(parts) => Need::all(parts.iter().map(|it| hir_need(it, case)).collect()),
        HirKind::Alternation(ways) => Need::Any(ways.iter().map(|it| hir_need(it, case)).collect()),
        HirKind::Empty | HirKind::Class(_) | HirKind::Look(_) | HirKind::Repetition(_) => {
            Need::Nothing
        }
    }
}

fn literal_need(literal: &[u8], case: Case) -> Need {
    match std::str::from_utf8(literal) {
        Ok(text) if !text.is_empty() => Need::Piece(Piece {
            text: text.to_owned(),
            case,
            is_whole: false,
        }),
        _ => Need::Nothing,
    }
}
