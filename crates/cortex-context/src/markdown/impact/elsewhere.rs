//! Rows for the lines of a symbol whose text is not shown below it.
//!
//! Such a line names another changed symbol, stands below one already, or belongs to the new type that declares the
//! symbol. It counts as any other.

use std::collections::BTreeSet;

use cortex_wire::LineUse;

use super::rows::{Row, SureUse, listed, member_name, member_with_type, path_after};
use crate::{markdown::plan::counted, text::line};

/// The rows: lines through other changed symbols by that symbol, then the places of all others; product before tests.
///
/// The numbers of lines of all rows add up to the uses.
pub(super) fn rows(uses: &[SureUse<'_>], changed: &BTreeSet<&str>) -> Vec<Row> {
    let mut out = Vec::new();
    for is_test in [false, true] {
        let uses = uses.iter().map(|(used, _)| *used);
        let uses = uses.filter(|used| used.is_test == is_test);
        let through = |used: &&LineUse| {
            let via = used.via.as_ref();
            via.is_some_and(|via| changed.contains(via.to.as_str()))
        };
        let (through, others): (Vec<_>, Vec<_>) = uses.partition(through);
        out.extend(through_rows(&through));
        out.extend(places_row(&others));
    }
    out
}

/// How many lines lead to the symbol through each of the others.
fn through_rows(uses: &[&LineUse]) -> Vec<Row> {
    let mut symbols: Vec<(&str, usize)> = Vec::new();
    for used in uses {
        let Some(via) = &used.via else { continue };
        match symbols.iter_mut().find(|(to, _)| *to == via.to) {
            Some((_, n)) => *n += 1,
            None => symbols.push((&via.to, 1)),
        }
    }
    let row = |(to, n): (&str, usize)| {
        let (lines, to) = (counted(n, "line", "lines"), member_with_type(to));
        Row {
            text: format!("also {lines} through {}", line(&to)),
            n_lines: n,
            is_test: uses[0].is_test,
        }
    };
    symbols.into_iter().map(row).collect()
}

/// So many places of tests are named.
const MAX_TESTS: usize = 2;

/// Where the lines are; of many in tests how many there are.
fn places_row(uses: &[&LineUse]) -> Option<Row> {
    let first = uses.first()?;
    if first.is_test && uses.len() > MAX_TESTS {
        return Some(Row {
            text: format!("also {} in tests", counted(uses.len(), "line", "lines")),
            n_lines: uses.len(),
            is_test: true,
        });
    }
    let mut before = None;
    let mut places = Vec::new();
    for used in uses {
        let inside = used.inside.as_deref().and_then(member_name);
        let inside = inside.map_or_else(String::new, |name| format!(" in {}", line(name)));
        places.push(format!(
            "{}:{}{inside}",
            path_after(used, before),
            used.at.line
        ));
        before = Some(&used.path);
    }
    Some(Row {
        text: format!("also {}", listed(&places, ", ")),
        n_lines: uses.len(),
        is_test: first.is_test,
    })
}
