//! Which area a question is about.
//!
//! Rules alone. Each term of the question speaks for areas by what is known of them: that its symbols or files are
//! called so, that its files have the word, that the word is of its language, that its folders are called so, that
//! it changed lately. A term that is everywhere says little.

use crate::{
    area::Area,
    terms::{Terms, humps, singular},
    vocabulary::Vocabulary,
};

/// What is known of an area.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Signals {
    /// For each term.
    pub terms: Vec<TermSignals>,
    /// How many files it has.
    pub n_files: usize,
    /// How well its best file fits the whole question, in the scale of [`Signals::best`] of the other areas.
    pub best: f64,
    /// The part of the files that changed lately that are its own, 0 to 1.
    pub recent: f64,
}

/// What is known of an area and a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TermSignals {
    /// How many of its symbols are called so.
    pub n_symbols: usize,
    /// How many of its files are called so.
    pub n_names: usize,
    /// How many of its files have the word.
    pub n_files: usize,
    /// How many further files have only the parts of the word, somewhere.
    pub n_parts: usize,
}

// Symbols are known of C# alone: more would draw every question there.
const SYMBOLS: f64 = 1.0;
const NAMES: f64 = 2.0;
const CONTENTS: f64 = 1.5;
const PARTS: f64 = 0.5;
// One file that has all of a question says more than many that have a word of it.
const BEST: f64 = 3.0;
const WORDS: f64 = 2.0;
const FOLDERS: f64 = 1.0;
const OWN_FOLDER: f64 = 4.0;
const LANGUAGE: f64 = 4.0;
const SPELLING: f64 = 2.5;
const RECENT: f64 = 0.2;

/// The best area is ahead where it has so many times what the next one has.
const AHEAD: f64 = 1.2;

/// How well each area fits, by what is known of it. `signals` are of the areas, in their order.
pub fn route(
    terms: &Terms,
    areas: &[Area],
    signals: &[Signals],
    vocabulary: &Vocabulary,
) -> Vec<f64> {
    let mut scores = vec![0.0; areas.len()];
    let all_files: usize = signals.iter().map(|it| it.n_files).sum();
    for (nth, term) in terms.words.iter().enumerate() {
        let of = |area: usize| signals[area].terms.get(nth).copied().unwrap_or_default();
        let total = |what: fn(&TermSignals) -> usize| -> f64 {
            (0..areas.len()).map(|area| what(&of(area)) as f64).sum()
        };
        let (n_symbols, n_names, n_files, n_parts) = (
            total(|it| it.n_symbols),
            total(|it| it.n_names),
            total(|it| it.n_files),
            total(|it| it.n_parts),
        );
        let is_known = n_symbols + n_names + n_files > 0.0;
        // From 1 for what one file has to 0 for what all have.
        let rarity = |n: f64| {
            let all = (all_files.max(2)) as f64;
            (1.0 - (n.max(1.0)).ln() / all.ln()).max(0.05)
        };
        let lower = term.to_lowercase();
        let said_of = vocabulary.n_languages(&lower);
        for (area, score) in scores.iter_mut().enumerate() {
            let evidence = of(area);
            let share = |n: usize, total: f64| if total > 0.0 { n as f64 / total } else { 0.0 };
            *score += SYMBOLS * rarity(n_symbols) * share(evidence.n_symbols, n_symbols);
            // The part of an area that has the word says more than how large the area is.
            let dense = |what: fn(&TermSignals) -> usize| {
                let density = |it: &Signals| {
                    let n = it.terms.get(nth).map_or(0, what);
                    share(n, it.n_files.max(1) as f64)
                };
                let all: f64 = signals.iter().map(density).sum();
                if all > 0.0 {
                    density(&signals[area]) / all
                } else {
                    0.0
                }
            };
            let weigh = |what: fn(&TermSignals) -> usize, total: f64| {
                rarity(total) * (dense(what) + share(what(&evidence), total)) / 2.0
            };
            *score += NAMES * weigh(|it| it.n_names, n_names);
            *score += CONTENTS * weigh(|it| it.n_files, n_files);
            *score += PARTS * weigh(|it| it.n_parts, n_parts);
            if vocabulary.has(&areas[area].language, &lower) {
                *score += WORDS / said_of.max(1) as f64;
            }
            // How a name is spelled says where to look only as long as it is not known where it is.
            let has_it = evidence.n_symbols + evidence.n_names + evidence.n_files > 0;
            if (has_it || !is_known) && is_spelled_as_in(&areas[area].language, term) {
                *score += SPELLING;
            }
        }
    }
    let best = signals.iter().map(|it| it.best).fold(0.0, f64::max);
    if best > 0.0 {
        for (signals, score) in signals.iter().zip(&mut scores) {
            *score += BEST * (signals.best / best).powi(2);
        }
    }
    for (area, score) in areas.iter().zip(&mut scores) {
        let mut folders = area.root.rsplit('/');
        *score += OWN_FOLDER * said_of(folders.next().unwrap_or_default(), &terms.words);
        *score += FOLDERS
            * folders
                .map(|it| said_of(it, &terms.words))
                .fold(0.0, f64::max);
        if terms.languages.contains(&area.language) {
            *score += LANGUAGE;
        }
    }
    if scores.iter().any(|score| *score > 0.0) {
        for (score, signals) in scores.iter_mut().zip(signals) {
            if *score > 0.0 {
                *score += RECENT * signals.recent;
            }
        }
    }
    scores
}

/// The area that a question is about, by the scores of all, where one is clearly ahead.
pub fn winner(scores: &[f64]) -> Option<usize> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
    match order.as_slice() {
        [] => None,
        [only] => Some(*only),
        [best, next, ..] => {
            (scores[*best] > 0.0 && scores[*best] >= AHEAD * scores[*next]).then_some(*best)
        }
    }
}

/// Folders that nearly every repository has.
const ANYWHERE: &[&str] = &[
    "app", "apps", "lib", "libs", "package", "packages", "sample", "samples", "source", "src",
    "test", "tests",
];

/// How many terms are in the name of a folder, one by one or two as one word, less where most of the name is said by
/// none.
fn said_of(folder: &str, terms: &[String]) -> f64 {
    let parts = humps(folder);
    let terms: Vec<String> = terms.iter().map(|term| term.to_lowercase()).collect();
    let mut is_said = vec![false; terms.len()];
    let mut is_covered = vec![false; parts.len()];
    for (at, term) in terms.iter().enumerate() {
        let pair = terms.get(at + 1).map(|next| format!("{term}{next}"));
        for (said, n_terms) in [(Some(term), 1), (pair.as_ref(), 2)] {
            let Some(said) = said.filter(|said| !ANYWHERE.contains(&said.as_str())) else {
                continue;
            };
            for n_parts in 1..=2 {
                for (start, name) in parts.windows(n_parts).enumerate() {
                    let name = name.concat();
                    if name == *said || Some(&name) == singular(said).as_ref() {
                        is_said[at..at + n_terms].fill(true);
                        is_covered[start..start + n_parts].fill(true);
                    }
                }
            }
        }
    }
    let n = |of: &[bool]| of.iter().filter(|it| **it).count() as f64;
    n(&is_said) * f64::sqrt(n(&is_covered) / parts.len().max(1) as f64)
}

/// Whether a name is spelled as names of a language are, and not of most others.
fn is_spelled_as_in(language: &str, term: &str) -> bool {
    let inner = term.trim_matches('_');
    let has_mark = inner.contains('_')
        && inner
            .chars()
            .all(|c| c == '_' || c.is_lowercase() || c.is_numeric());
    let snake = ["python", "ruby", "rust", "php", "elixir", "cpp"];
    has_mark && snake.contains(&language)
}
