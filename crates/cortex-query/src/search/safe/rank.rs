//! The best lines of a file, how well it answers, and what to ask next.
//!
//! Must not know: how files were chosen.

use std::collections::BTreeMap;

use super::{AppliedArea, Coverage, SafeFile, SafeMode, SafeQuestion, Sought};
use crate::search::{TextHit, TextHits};

/// How well a line answers: the terms that it has, and whether it is where something of that name is declared.
fn line_score(hit: &TextHit, sought: &Sought) -> f64 {
    let n_terms = sought.found_in(&hit.text).len() as f64;
    let name = hit.symbol.as_deref().and_then(|it| it.rsplit('.').next());
    let is_declared = name.is_some_and(|name| {
        sought.is_named(name) && hit.text.contains(name) && hit.context == Some("code")
    });
    let is_comment = hit.context == Some("comment");
    n_terms + if is_declared { 1.5 } else { 0.0 } - if is_comment { 0.25 } else { 0.0 }
}

/// How well a file answers, from what was known before and from its lines.
pub(super) fn score_of(before: f64, hits: &TextHits, sought: Option<&Sought>) -> f64 {
    let Some(sought) = sought else {
        return (1.0 + hits.hits.len() as f64).ln();
    };
    let best = hits.hits.iter().map(|hit| line_score(hit, sought));
    let best = best.fold(0.0, f64::max);
    let n_terms = sought.words().len().max(1) as f64;
    before * (0.5 + best / n_terms) + (1.0 + hits.hits.len() as f64).ln() * 0.1
}

/// The best lines, each once, by place.
pub(super) fn best_lines(hits: Vec<TextHit>, sought: Option<&Sought>, n: usize) -> Vec<TextHit> {
    let mut lines: Vec<TextHit> = Vec::new();
    for hit in hits {
        if lines.last().is_none_or(|last| last.line != hit.line) {
            lines.push(hit);
        }
    }
    if let Some(sought) = sought {
        let mut order: Vec<usize> = (0..lines.len()).collect();
        let scores: Vec<f64> = lines.iter().map(|hit| line_score(hit, sought)).collect();
        order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
        // Lines that say the same tell nothing more, and those in order are read best.
        let mut chosen: Vec<usize> = Vec::new();
        for at in order {
            let is_said = chosen
                .iter()
                .any(|it| lines[*it].text.trim() == lines[at].text.trim());
            if chosen.len() < n && !is_said {
                chosen.push(at);
            }
        }
        let mut at = 0;
        lines.retain(|_| {
            at += 1;
            chosen.contains(&(at - 1))
        });
    }
    lines.truncate(n);
    lines
}

/// A folder is worth narrowing to with so much of the hits.
const MOST: f64 = 0.6;

/// So many files are needed for a folder to say something.
const MIN_FILES: usize = 3;

/// What to ask next, the most useful first.
pub(super) fn next_steps(
    question: &SafeQuestion,
    found: &[SafeFile],
    applied: &[AppliedArea],
    coverage: &Coverage,
) -> Vec<String> {
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
        out.push(format!("narrow to {folder}: {n} of {n_all} hits"));
    }
    if coverage.limited_by == Some("time") {
        out.push(
            "the time was over: ask again with a longer --timeout, or for one area (--area)"
                .to_owned(),
        );
    }
    let left = coverage
        .candidate_files
        .saturating_sub(coverage.scanned_files);
    if coverage.limited_by == Some("files") && left > 0 {
        let more = match (question.max_files, question.mode) {
            (None, SafeMode::Conservative | SafeMode::Balanced) => "--mode broad",
            _ => "a larger --max-files",
        };
        out.push(format!(
            "{left} more files have words of the question and were not searched: add a word, or {more}"
        ));
    }
    if found.is_empty() {
        out.push(match applied.is_empty() {
            true => "no file has any of these words: try another word for it, or a part of one"
                .to_owned(),
            false => "no line has these words: try `git cortex search text` with a part of one"
                .to_owned(),
        });
    }
    out
}
