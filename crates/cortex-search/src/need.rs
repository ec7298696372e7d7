//! What a line must have to match a query, so that texts without it need not be searched.
//!
//! Must not know: how it is known which texts have what.

use regex_syntax::{
    ParserBuilder,
    hir::{Hir, HirKind},
};

use crate::pattern::{Case, Mode, Query};

/// What every line that matches a query has. It says less than the query: a line that has it may still not match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Need {
    /// Nothing that is known.
    Nothing,
    /// A piece of text.
    Piece(Piece),
    /// All of them.
    All(Vec<Need>),
    /// One of them at least.
    Any(Vec<Need>),
}

/// A piece of text that stands in a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Not empty.
    pub text: String,
    /// Whether it stands there with upper and lower case as it is.
    pub case: Case,
    /// Whether no letter, digit or `_` stands before or after it.
    pub is_whole: bool,
}

impl Need {
    /// What a query needs. Of what cannot be compiled: nothing.
    pub fn of(query: &Query) -> Self {
        let text = match query.mode {
            Mode::Regex => return of_expression(&query.text, query.case),
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

/// What a regular expression needs: the literals that no alternative and no repetition can leave out.
fn of_expression(text: &str, case: Case) -> Need {
    // Ignoring case makes classes of letters; what is needed is compared without case instead.
    let parsed = ParserBuilder::new()
        .multi_line(true)
        .crlf(true)
        .utf8(false)
        .build()
        .parse(text);
    parsed.map_or(Need::Nothing, |hir| of_hir(&hir, case))
}

fn of_hir(hir: &Hir, case: Case) -> Need {
    match hir.kind() {
        HirKind::Literal(literal) => of_literal(&literal.0, case),
        HirKind::Capture(capture) => of_hir(&capture.sub, case),
        HirKind::Repetition(repetition) if repetition.min > 0 => of_hir(&repetition.sub, case),
        HirKind::Concat(parts) => Need::all(parts.iter().map(|it| of_hir(it, case)).collect()),
        HirKind::Alternation(ways) => Need::Any(ways.iter().map(|it| of_hir(it, case)).collect()),
        HirKind::Empty | HirKind::Class(_) | HirKind::Look(_) | HirKind::Repetition(_) => {
            Need::Nothing
        }
    }
}

fn of_literal(literal: &[u8], case: Case) -> Need {
    match std::str::from_utf8(literal) {
        Ok(text) if !text.is_empty() => Need::Piece(Piece {
            text: text.to_owned(),
            case,
            is_whole: false,
        }),
        _ => Need::Nothing,
    }
}
