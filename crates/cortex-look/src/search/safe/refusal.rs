//! Questions that are not asked, and what could be asked instead.
//!
//! Must not know: how files are searched, how a call is written.

use crate::{
    QueryError,
    search::safe::{SafeQuestion, areas_of, homes::Homes},
};
use cortex_derived::files::Candidate;
use cortex_wire::SafeCall;

use std::collections::BTreeMap;

use cortex_area::{Refusal, humps, refuse};
use cortex_index::{Index, IndexedSide};
use cortex_model::edit_distance;
use cortex_search::{Case, Mode, Pattern, Query};

impl SafeQuestion {
    /// The call that asked this.
    pub(crate) fn call(&self) -> SafeCall {
        SafeCall {
            query: self.query.clone(),
            is_expression: self.is_expression,
            area: self.area.clone(),
            max_files: self.max_files,
        }
    }
}

/// Compiles what is searched for.
pub(crate) fn compiled(question: &SafeQuestion, query: &Query) -> Result<Pattern, QueryError> {
    Pattern::compile(query).map_err(|error| QueryError::Expression {
        error,
        example: Box::new(SafeCall {
            query: escaped(&question.query),
            is_expression: true,
            ..question.call()
        }),
    })
}

/// An expression that matches the first line of a text as it is written.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.lines().next().unwrap_or_default().chars() {
        if r"\.+*?()|[]{}^$".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Refuses a question that would find everything, with one that would not.
pub(crate) fn refuse_broad(
    index: &Index,
    side: &IndexedSide,
    question: &SafeQuestion,
    is_expression: bool,
) -> Result<(), QueryError> {
    let refusal: Option<Refusal> = if is_expression {
        let query = Query {
            text: question.query.clone(),
            mode: Mode::Regex,
            case: Case::Insensitive,
        };
        let pattern = match question.query.is_empty() {
            true => None,
            false => Some(compiled(question, &query)?),
        };
        let matches = |line: &str| pattern.as_ref().is_none_or(|it| it.is_match(line));
        refuse(&question.query, Some(&matches))
    } else {
        refuse(&question.query, None)
    };
    let Some(Refusal { reason, suggestion }) = refusal else {
        return Ok(());
    };
    Err(QueryError::TooBroad {
        query: question.query.clone(),
        reason,
        suggestion,
        example: Box::new(narrower(index, side, question)?),
    })
}

/// So many letters in a row of an expression are worth looking for.
const MIN_LITERAL: usize = 3;

/// A question of the same repository that finds something: what the refused one says, or a name that is typical of
/// its largest area.
fn narrower(
    index: &Index,
    side: &IndexedSide,
    question: &SafeQuestion,
) -> Result<SafeCall, QueryError> {
    let all = cortex_derived::files::all(index, side)?;
    let (areas, _, _) = areas_of(index, side, &all, question)?;
    let homes = Homes::of(&areas)?;
    let known = |name: &&str| areas.iter().any(|area| area.name == **name);
    let only = question.area.as_deref().filter(known);
    let files = homes.sort(&all, only)?;
    let largest = (0..areas.len()).max_by_key(|at| (files[*at].len(), std::cmp::Reverse(*at)));
    let own = largest.map(|at| files[at].as_slice()).unwrap_or_default();
    let words = question
        .query
        .split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let said = words.max_by_key(|word| word.chars().count());
    let literal = said
        .filter(|word| word.chars().count() >= MIN_LITERAL)
        .filter(|word| refuse(word, None).is_none());
    let query = match literal {
        Some(literal) => literal.to_owned(),
        None => typical(&all, own, said.unwrap_or_default()).unwrap_or_default(),
    };
    let is_named = areas.len() > 1 && literal.is_none() || only.is_some();
    Ok(SafeCall {
        query: match query.is_empty() {
            true => "login handler".to_owned(),
            false => query,
        },
        area: largest
            .filter(|_| is_named)
            .map(|at| areas[at].name.clone()),
        max_files: question.max_files,
        ..SafeCall::default()
    })
}

/// The name of a file that has the parts which most names of the area have, one that starts as is said first.
fn typical(all: &[Candidate], own: &[usize], start: &str) -> Option<String> {
    let start = start.to_lowercase();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut names: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for file in own.iter().map(|at| &all[*at]) {
        let name = file.path.file_name();
        let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
        let parts = humps(stem);
        let is_word = stem.chars().all(|c| c.is_alphanumeric() || c == '_');
        if is_word && !parts.is_empty() && !file.path.as_str().to_lowercase().contains("test") {
            for part in &parts {
                *counts.entry(part.clone()).or_default() += 1;
            }
            names.insert(stem, parts);
        }
    }
    let best = names.into_iter().max_by_key(|(name, parts)| {
        let n: usize = parts.iter().filter_map(|part| counts.get(part)).sum();
        let is_started = !start.is_empty() && parts[0].starts_with(&start);
        (
            is_started,
            parts.len() > 1,
            n / parts.len(),
            std::cmp::Reverse(*name),
        )
    });
    best.map(|(name, _)| name.to_owned())
}

/// The name that is most like one that nothing is called.
pub(crate) fn nearest<'k>(name: &str, known: &'k [String]) -> Option<&'k String> {
    let asked = humps(name);
    known.iter().min_by_key(|known| {
        let parts = humps(known);
        let is_shared = |asked: &&String| parts.iter().any(|part| part.starts_with(asked.as_str()));
        let n_shared = asked.iter().filter(is_shared).count();
        let distance = edit_distance(name, known, usize::MAX).unwrap_or(usize::MAX);
        (std::cmp::Reverse(n_shared), distance)
    })
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_area_that_was_meant_is_the_one_with_the_same_parts_or_else_letters() {
        let known = ["other", "api-csharp", "python", "web-typescript"].map(str::to_owned);
        for (name, expected) in [
            ("web", "web-typescript"),
            ("pyth", "python"),
            ("type-script", "web-typescript"),
            ("pyton", "python"),
            ("csharp", "api-csharp"),
            ("Other", "other"),
        ] {
            assert_eq!(nearest(name, &known).map(String::as_str), Some(expected));
        }
    }
}
