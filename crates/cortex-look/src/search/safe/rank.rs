//! The best lines of a file, how well it answers, and what to ask next.
//!
//! Must not know: how files were chosen.

use crate::search::safe::{SafeMode, SafeQuestion, terms::Sought};
use cortex_wire::{AppliedArea, Coverage, SafeFile, TextHit};

use cortex_wire::{LimitedBy, SafeStep, TextContext};
use std::collections::BTreeMap;

/// How well the line of each hit answers: the terms that it has, and whether it is where something of that name is
/// declared.
pub(crate) fn line_scores(hits: &[TextHit], sought: &Sought) -> Vec<f64> {
    let mut line = None;
    let mut n_terms = 0.0;
    let each = hits.iter().map(|hit| {
        if line != Some(hit.line) {
            line = Some(hit.line);
            n_terms = sought.found_in(&hit.text).len() as f64;
        }
        let name = hit.symbol.as_deref().and_then(|it| it.rsplit('.').next());
        let is_declared = hit.context == Some(TextContext::Code)
            && name.is_some_and(|name| hit.text.contains(name) && sought.is_named(name));
        let is_comment = hit.context == Some(TextContext::Comment);
        n_terms + if is_declared { 1.5 } else { 0.0 } - if is_comment { 0.25 } else { 0.0 }
    });
    each.collect()
}

/// How well a file answers, from what was known before and from its lines.
pub(crate) fn score_of(before: f64, scores: &[f64], n_terms: usize) -> f64 {
    let best = scores.iter().copied().fold(0.0, f64::max);
    before * (0.5 + best / n_terms.max(1) as f64) + (1.0 + scores.len() as f64).ln() * 0.1
}

/// The best lines by their scores, each once, by place; the first ones where there are no scores.
pub(crate) fn best_lines(hits: Vec<TextHit>, scores: Option<Vec<f64>>, n: usize) -> Vec<TextHit> {
    let mut lines: Vec<(TextHit, f64)> = Vec::new();
    let scores = scores.unwrap_or_else(|| vec![0.0; hits.len()]);
    for (hit, score) in hits.into_iter().zip(scores) {
        if lines.last().is_none_or(|(last, _)| last.line != hit.line) {
            lines.push((hit, score));
        }
    }
    let mut order: Vec<usize> = (0..lines.len()).collect();
    // What a file imports says less of it than any other line.
    let is_import = |at: &usize| is_import(&lines[*at].0.text);
    order.sort_by(|a, b| {
        let by_score = lines[*b].1.total_cmp(&lines[*a].1);
        (is_import(a).cmp(&is_import(b)))
            .then(by_score)
            .then(a.cmp(b))
    });
    // Lines that say the same tell nothing more, and those in order are read best.
    let mut chosen: Vec<usize> = Vec::new();
    for at in order {
        if chosen.len() == n {
            break;
        }
        let text = |at: usize| lines[at].0.text.trim();
        if chosen.iter().all(|it| text(*it) != text(at)) {
            chosen.push(at);
        }
    }
    chosen.sort_unstable();
    let mut at = 0;
    lines.retain(|_| {
        at += 1;
        chosen.binary_search(&(at - 1)).is_ok()
    });
    lines.into_iter().map(|(hit, _)| hit).collect()
}

/// Whether a line is a using directive.
fn is_import(text: &str) -> bool {
    let text = text.trim();
    let text = text.strip_prefix("global ").unwrap_or(text);
    let rest = text.strip_prefix("using ");
    rest.is_some_and(|rest| {
        rest.ends_with(';') && !rest.contains(['(', ')', '{']) && !rest.starts_with("var ")
    })
}

/// A folder is worth narrowing to with so much of the hits.
const MOST: f64 = 0.6;

/// So many files are needed for a folder to say something.
const MIN_FILES: usize = 3;

/// What to ask next, the most useful first.
pub(crate) fn next_steps(
    question: &SafeQuestion,
    found: &[SafeFile],
    applied: &[AppliedArea],
    coverage: &Coverage,
) -> Vec<SafeStep> {
    let mut out = Vec::new();
    let n_all: usize = found.iter().map(|file| file.n_hits).sum();
    let mut by_folder: BTreeMap<&str, usize> = BTreeMap::new();
    for file in found {
        let mut folder = file.file.folder();
        while !folder.is_empty() {
            *by_folder.entry(folder).or_default() += file.n_hits;
            folder = folder.rsplit_once('/').map_or("", |(outer, _)| outer);
        }
    }
    // The innermost folder with most of the hits.
    let narrow = by_folder
        .iter()
        .filter(|(_, n)| **n as f64 >= MOST * n_all as f64)
        .max_by_key(|(folder, _)| (folder.matches('/').count(), std::cmp::Reverse(**folder)));
    if let Some((folder, n)) = narrow
        && found.len() >= MIN_FILES
    {
        out.push(SafeStep::NarrowToFolder {
            folder: (*folder).to_owned(),
            hits: *n,
            total: n_all,
        });
    }
    if coverage.limited_by == Some(LimitedBy::Time) {
        out.push(SafeStep::MoreTime);
    }
    let left = coverage
        .candidate_files
        .saturating_sub(coverage.scanned_files);
    if coverage.limited_by == Some(LimitedBy::Files) && left > 0 {
        out.push(SafeStep::MoreFiles {
            left,
            is_broader: matches!(
                (question.max_files, question.mode),
                (None, SafeMode::Conservative | SafeMode::Balanced)
            ),
        });
    }
    if found.is_empty() && coverage.limited_by != Some(LimitedBy::Time) {
        out.push(match (&question.area, coverage.files) {
            (None, 0) => SafeStep::NoFiles,
            (Some(area), 0) => SafeStep::EmptyArea { area: area.clone() },
            (Some(area), _) => SafeStep::OtherAreas { area: area.clone() },
            (None, _) if applied.is_empty() => SafeStep::OtherWords,
            (None, _) => SafeStep::PartOfWord,
        });
    }
    out
}
