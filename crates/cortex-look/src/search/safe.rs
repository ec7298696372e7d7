//! Searching for what a question is about, with few files and few lines.
//!
//! Owns: how files and lines are ranked, and what an answer tells of how it came to be. Must not know: how areas are
//! detected and budgets shared (`cortex-area`), how a text is searched.
//!
//! How it is done. The terms of a question are looked up among the words that are kept of every content
//! (`words.rs`), the names of files and the names of types: without reading a file that gives what each file has to
//! do with the question. From it the areas are weighed, the budget is shared, and the best files of each area are
//! read and searched. A question that is an expression has no terms: all files of the areas are searched, and the
//! budget limits how many of them are told.

pub(crate) mod homes;
pub(crate) mod rank;
pub(crate) mod refusal;
pub(crate) mod terms;

use crate::bounded::Bounded;
use crate::{
    QueryError,
    search::{
        areas::code_areas,
        safe::{
            homes::Homes,
            rank::{best_lines, line_scores, score_of},
            refusal::{compiled, nearest, refuse_broad},
            terms::{Matches, Sought},
        },
        text::{Asked, Within, search_candidates},
    },
};
use cortex_area::{
    Area, AreaConfig, Budget, DetectOptions, Signals, TermSignals, Terms, Vocabulary, detect,
    route, share, winner,
};
use cortex_derived::{
    areas::{configuration, side_areas},
    contents::Contents,
    files::Candidate,
    limits::Limits,
    words::WordIndex,
};
use cortex_index::{Index, IndexedSide};
use cortex_model::{CancelToken, RepoPath};
use cortex_search::{Case, Mode, Pattern, Query};
use cortex_wire::{
    AppliedArea, Coverage, LimitedBy, ReadAs, SafeAnswer, SafeCall, SafeFile, TextAnswer, TextHits,
};
use std::time::{Duration, Instant};

/// What is asked, and how much may be looked at.
#[derive(Clone, PartialEq, Debug)]
pub struct SafeQuestion {
    /// Words, an identifier, or an expression.
    pub query: String,
    /// Whether the query is an expression though it does not look like one.
    pub is_expression: bool,
    /// Only this area, by name; the best ones where there is none.
    pub area: Option<String>,
    /// Areas instead of those that are detected.
    pub include_areas: Vec<AreaConfig>,
    /// How many files in all; by the mode where there is none.
    pub max_files: Option<usize>,
    /// How many files of each area.
    pub mode: SafeMode,
    /// Whether more files than the budget has are an error.
    pub is_strict: bool,
    /// How many files are told.
    pub n_shown: usize,
    /// How many lines of the best files are told; of the others one.
    pub n_lines: usize,
}

/// How much is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SafeMode {
    /// 20 files of each area.
    Conservative,
    /// 30 files of each area, 50 of a single one.
    #[default]
    Balanced,
    /// 50 files of each area.
    Broad,
}

impl SafeMode {
    fn files(self, n_areas: usize) -> usize {
        let n_each = match self {
            Self::Conservative => 20,
            Self::Balanced if n_areas <= 1 => 50,
            Self::Balanced => 30,
            Self::Broad => 50,
        };
        (n_each * n_areas.max(1)).min(MAX_FILES)
    }
}

/// More files are never searched.
pub const MAX_FILES: usize = 1_000;

/// More hits of one file are not looked at.
const MAX_HITS: usize = 20_000;

/// The answer of `search-safe`, and how it came about.
#[derive(Clone, PartialEq, Debug)]
pub struct SafeFound {
    /// The answer.
    pub found: Bounded<SafeAnswer>,
    /// The time to detect and weigh areas, beyond listing and searching files.
    pub overhead: Duration,
    /// Whether the areas were cached.
    pub is_cached: bool,
}

/// Searches for what a question is about.
///
/// # Errors
/// [`QueryError::TooBroad`], [`QueryError::UnknownArea`], [`QueryError::FileLimit`] where the question is strict,
/// [`QueryError::Expression`], those of reading.
pub fn search_safe(
    index: &Index,
    side: &IndexedSide,
    question: &SafeQuestion,
    limits: Limits,
    cancel: &CancelToken,
) -> Result<SafeFound, QueryError> {
    let is_expression = question.is_expression || looks_like_expression(&question.query);
    let sought = match is_expression {
        true => None,
        false => Some(Sought::of(&question.query)),
    };
    let query = Query {
        text: match &sought {
            Some(sought) => sought.expression(),
            None => question.query.clone(),
        },
        mode: Mode::Regex,
        case: Case::Insensitive,
    };
    refuse_broad(index, side, question, is_expression)?;
    let pattern = compiled(question, &query)?;
    let all = cortex_derived::files::all(index, side)?;
    let contents = Contents::of(index, side, &all)?;
    // Any search does what was done until here.
    let start = Instant::now();
    let (detected, is_cached, mut diagnostics) = areas_of(index, side, &all, question)?;
    let homes = Homes::of(&detected)?;
    let of_area = files_of_areas(&homes, &all, question)?;
    let vocabulary = Vocabulary::new(configuration(index, side, &all).as_deref());
    let named: Vec<Area> = homes.named();
    let search = Search {
        contents: &contents,
        all: &all,
        query: &query,
        pattern: &pattern,
        limits,
        cancel,
    };
    let mut candidates = Candidates::of(&search, sought.as_ref(), &of_area)?;
    let scores = area_scores(&AreaEvidence {
        question,
        sought: sought.as_ref(),
        candidates: &candidates,
        of_area: &of_area,
        named: &named,
        vocabulary: &vocabulary,
        recent: &|own| recent(side, &all, own),
    });
    // Where there are areas, what is of none is never what a question is about.
    let winner = winner(&scores).filter(|winner| winner + 1 < named.len());
    let budgets = budgets(question, &candidates, &scores, winner)?;
    let overhead = start.elapsed().saturating_sub(candidates.searching);
    let Found {
        files: mut found,
        applied,
        limited_by,
        limits: mut missing,
        diagnostics: of_searches,
    } = candidates.search(
        &search,
        &Routed {
            question,
            sought: sought.as_ref(),
            named: &named,
            scores: &scores,
            winner,
            budgets: &budgets,
        },
    )?;
    diagnostics.extend(of_searches);
    found.sort_by(by_score);
    let next_steps_of = found.clone();
    let n_found = found.len();
    keep_best(&mut found, question);
    let applied_patterns = globs_of(&applied, &named);
    let coverage = Coverage {
        files: of_area.iter().map(Vec::len).sum(),
        candidate_files: candidates.counts.iter().sum(),
        scanned_files: applied.iter().map(|area| area.scanned_files).sum(),
        limited_by,
    };
    diagnostics.sort();
    diagnostics.dedup();
    missing.cut = n_found > found.len();
    let answer = SafeAnswer {
        query: question.query.clone(),
        read_as: read_as(sought.as_ref()),
        terms: sought.map_or_else(Vec::new, |sought| sought.words().to_vec()),
        detected_areas: code_areas(detected),
        applied_patterns,
        total_results: applied.iter().map(|area| area.found_matches).sum(),
        next_steps: rank::next_steps(question, &next_steps_of, &applied, &coverage),
        routed_to: winner.map(|winner| named[winner].name.clone()),
        applied_areas: applied,
        coverage,
        more_files: n_found - found.len(),
        files: found,
        diagnostics,
    };
    Ok(SafeFound {
        found: Bounded {
            answer,
            limits: missing,
        },
        overhead,
        is_cached,
    })
}

/// The globs of the areas that were searched.
fn globs_of(applied: &[AppliedArea], named: &[Area]) -> Vec<String> {
    applied
        .iter()
        .filter_map(|applied| named.iter().find(|area| area.name == applied.name))
        .flat_map(|area| area.suggested_globs.iter().cloned())
        .collect()
}

/// What a query was understood as.
fn read_as(sought: Option<&Sought>) -> ReadAs {
    match sought {
        None => ReadAs::Expression,
        Some(sought) if sought.is_identifier() => ReadAs::Identifier,
        Some(_) => ReadAs::Words,
    }
}

/// The files of each area in question.
fn files_of_areas(
    homes: &Homes<'_>,
    all: &[Candidate],
    question: &SafeQuestion,
) -> Result<Vec<Vec<usize>>, QueryError> {
    let sorted = homes.sort(all, question.area.as_deref());
    sorted.map_err(|error| match error {
        QueryError::UnknownArea { name, known, .. } => QueryError::UnknownArea {
            example: Some(Box::new(SafeCall {
                area: nearest(&name, &known).cloned(),
                ..question.call()
            })),
            name,
            known,
        },
        error => error,
    })
}

/// How many files of each area are searched.
fn budgets(
    question: &SafeQuestion,
    candidates: &Candidates,
    scores: &[f64],
    winner: Option<usize>,
) -> Result<Vec<usize>, QueryError> {
    let counts = &candidates.counts;
    let n_with = counts.iter().filter(|n| **n > 0).count();
    let n_files = question
        .max_files
        .unwrap_or_else(|| question.mode.files(n_with))
        .clamp(1, MAX_FILES);
    let n_all: usize = counts.iter().sum();
    if question.is_strict && n_all > n_files {
        return Err(QueryError::FileLimit {
            files_processed: n_all,
            max_files: n_files,
            example: Box::new(SafeCall {
                // With more files than may ever be searched the answer can only be partial.
                max_files: (n_all <= MAX_FILES).then_some(n_all),
                ..question.call()
            }),
        });
    }
    let shares = share(&Budget {
        n_files,
        scores,
        winner,
        wanted: counts,
    });
    Ok(shares.iter().map(|share| share.files).collect())
}

/// The files that may have to do with a question, by area.
struct Candidates {
    /// Best first, where the question has terms.
    by_area: Vec<Vec<usize>>,
    /// How many there are.
    counts: Vec<usize>,
    /// What the files of an area have, where all were searched to learn that.
    searched: Vec<Option<Searched>>,
    searching: Duration,
    /// How well files fit, where the question has terms.
    matches: Option<Matches>,
}

impl Candidates {
    /// Looks the terms of a question up. A question without terms is an expression: of it nothing is known before all
    /// files of the areas are searched.
    fn of(
        search: &Search<'_>,
        sought: Option<&Sought>,
        of_area: &[Vec<usize>],
    ) -> Result<Self, QueryError> {
        let mut out = Self {
            by_area: of_area.to_vec(),
            counts: vec![0; of_area.len()],
            searched: of_area.iter().map(|_| None).collect(),
            searching: Duration::ZERO,
            matches: None,
        };
        let all = search.all;
        let Some(sought) = sought else {
            for (area, files) in of_area.iter().enumerate() {
                if files.is_empty() {
                    continue;
                }
                let searched = search.run(files)?;
                out.counts[area] = searched.found.answer.files.len();
                out.searching += searched.time;
                out.searched[area] = Some(searched);
            }
            return Ok(out);
        };
        let words = WordIndex::open(search.contents, all)?;
        let matches = Matches::of(sought, search.contents, &words, all)?;
        for (files, count) in out.by_area.iter_mut().zip(&mut out.counts) {
            files.retain(|at| matches.score(*at) > 0.0);
            files.sort_by(|a, b| {
                let by_score = matches.score(*b).total_cmp(&matches.score(*a));
                by_score.then_with(|| all[*a].path.cmp(&all[*b].path))
            });
            *count = files.len();
        }
        out.matches = Some(matches);
        Ok(out)
    }

    /// Searches the best files of each area, the area that the question is about first.
    fn search(&mut self, search: &Search<'_>, routed: &Routed<'_>) -> Result<Found, QueryError> {
        let Routed { scores, winner, .. } = *routed;
        let mut order: Vec<usize> = (0..routed.named.len()).collect();
        order.sort_by(|a, b| {
            let by_score = scores[*b].total_cmp(&scores[*a]);
            (winner == Some(*b))
                .cmp(&(winner == Some(*a)))
                .then(by_score)
                .then(a.cmp(b))
        });
        let mut out = Found::default();
        for area in order {
            let n_budget = routed.budgets[area];
            let searched = match self.searched[area].take() {
                Some(searched) => searched,
                None if self.counts[area] == 0 => continue,
                None => search.run(&self.by_area[area][..n_budget])?,
            };
            let Bounded { answer, limits } = searched.found;
            if n_budget < self.counts[area] {
                out.limited_by = out.limited_by.or(Some(LimitedBy::Files));
            }
            out.limits.timed_out |= limits.timed_out;
            out.limits.canceled |= limits.canceled;
            if limits.timed_out || limits.canceled {
                out.limited_by = Some(LimitedBy::Time);
            }
            let name = &routed.named[area].name;
            let ranked = answer.files.into_iter().map(|hits| {
                let at = search.all.binary_search_by(|it| it.path.cmp(&hits.file));
                let score = match (&self.matches, at) {
                    (Some(matches), Ok(at)) => matches.score(at),
                    _ => 0.0,
                };
                let score = match winner == Some(area) {
                    true => score * CHOSEN,
                    false => score,
                };
                told(hits, name, score, routed.sought, routed.question)
            });
            let mut files: Vec<SafeFile> = ranked.collect();
            files.sort_by(by_score);
            let found_matches = files.iter().map(|file| file.n_hits).sum();
            files.truncate(n_budget);
            out.applied.push(AppliedArea {
                name: name.clone(),
                score: rounded(scores[area]),
                candidate_files: self.counts[area],
                budget_files: n_budget,
                scanned_files: answer.n_read,
                found_matches,
            });
            out.diagnostics.extend(answer.diagnostics);
            out.files.extend(files);
        }
        Ok(out)
    }
}

/// Where a question is searched for.
struct Routed<'a> {
    question: &'a SafeQuestion,
    sought: Option<&'a Sought>,
    named: &'a [Area],
    scores: &'a [f64],
    /// The area that the question is about, if it is about one.
    winner: Option<usize>,
    /// How many files of each area are searched.
    budgets: &'a [usize],
}

/// What was found in all areas.
#[derive(Default)]
struct Found {
    files: Vec<SafeFile>,
    applied: Vec<AppliedArea>,
    limited_by: Option<LimitedBy>,
    limits: cortex_wire::Limits,
    diagnostics: Vec<String>,
}

/// What tells which areas a question is about.
struct AreaEvidence<'a> {
    question: &'a SafeQuestion,
    sought: Option<&'a Sought>,
    candidates: &'a Candidates,
    of_area: &'a [Vec<usize>],
    named: &'a [Area],
    vocabulary: &'a Vocabulary,
    /// The part of the recent changes that some files have.
    recent: &'a dyn Fn(&[usize]) -> f64,
}

/// How much a question is about each area.
fn area_scores(evidence: &AreaEvidence<'_>) -> Vec<f64> {
    let AreaEvidence {
        candidates, named, ..
    } = evidence;
    let signals: Vec<Signals> = (0..named.len())
        .map(|area| Signals {
            terms: match &candidates.matches {
                Some(matches) => matches.signals(&candidates.by_area[area]),
                None => vec![TermSignals {
                    n_files: candidates.counts[area],
                    ..TermSignals::default()
                }],
            },
            n_files: evidence.of_area[area].len(),
            best: match &candidates.matches {
                // What is of no area, such as a list of changes, may speak of everything.
                Some(matches) if area + 1 < named.len() => matches.best(&candidates.by_area[area]),
                _ => 0.0,
            },
            recent: (evidence.recent)(&evidence.of_area[area]),
        })
        .collect();
    let terms = match evidence.sought {
        Some(sought) => sought.terms().clone(),
        None => Terms {
            words: vec![evidence.question.query.clone()],
            ..Terms::default()
        },
    };
    let mut scores = route(&terms, named, &signals, evidence.vocabulary);
    if let Some(other) = scores.last_mut() {
        *other *= OTHER;
    }
    scores
}

/// How files are searched.
struct Search<'a> {
    contents: &'a Contents<'a>,
    all: &'a [Candidate],
    query: &'a Query,
    pattern: &'a Pattern,
    limits: Limits,
    cancel: &'a CancelToken,
}

/// What some files have, and how long it took to find that.
struct Searched {
    found: Bounded<TextAnswer>,
    time: Duration,
}

impl Search<'_> {
    fn run(&self, files: &[usize]) -> Result<Searched, QueryError> {
        let start = Instant::now();
        let mut files = files.to_vec();
        files.sort_unstable();
        let asked = Asked {
            query: self.query,
            pattern: self.pattern,
            n_context: 0,
            within: Within::Any,
            limits: Limits {
                n_items: MAX_HITS,
                ..self.limits
            },
            cancel: self.cancel,
        };
        let chosen = files.iter().map(|at| self.all[*at].clone()).collect();
        let found = search_candidates(self.contents, self.all, chosen, &asked)?;
        Ok(Searched {
            found,
            time: start.elapsed(),
        })
    }
}

fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// So many files are told with several lines.
const N_BEST: usize = 5;

/// A file that fits less than this part of the best is told only where there are few.
const MIN_PART: f64 = 0.1;

/// Leaves the files that are told, with fewer lines of those further down.
fn keep_best(found: &mut Vec<SafeFile>, question: &SafeQuestion) {
    let best = found.first().map_or(0.0, |file| file.score);
    let mut at = 0;
    found.retain(|file| {
        at += 1;
        at <= N_BEST || at <= question.n_shown && file.score >= MIN_PART * best
    });
    found.truncate(question.n_shown.max(1));
    for file in found.iter_mut().skip(N_BEST) {
        file.hits.truncate(1);
    }
}

/// Files of the area that a question is about count so many times as much as others.
const CHOSEN: f64 = 1.5;

/// What the files of no area count.
const OTHER: f64 = 0.5;

fn by_score(a: &SafeFile, b: &SafeFile) -> std::cmp::Ordering {
    b.score
        .total_cmp(&a.score)
        .then_with(|| a.file.cmp(&b.file))
}

/// Whether a question has what words do not have.
fn looks_like_expression(query: &str) -> bool {
    ["\\", ".*", ".+", "|", "[", "^"]
        .iter()
        .any(|mark| query.contains(mark))
}

/// The areas that a question is asked of, and whether these were known.
pub(crate) fn areas_of(
    index: &Index,
    side: &IndexedSide,
    all: &[Candidate],
    question: &SafeQuestion,
) -> Result<(Vec<Area>, bool, Vec<String>), QueryError> {
    if !question.include_areas.is_empty() {
        let paths: Vec<&str> = all.iter().map(|file| file.path.as_str()).collect();
        let options = DetectOptions {
            sample_limit: 0,
            ..DetectOptions::default()
        };
        let mut areas = detect(&paths, &|_| None, &question.include_areas, &options);
        areas.retain(|area| area.evidence == ["configured"]);
        return Ok((areas, false, Vec::new()));
    }
    let found = side_areas(index, side, &DetectOptions::default())?;
    Ok((found.areas, found.is_kept, found.diagnostics))
}

/// The part of what differs from the commit that is an area's.
fn recent(side: &IndexedSide, all: &[Candidate], own: &[usize]) -> f64 {
    let Some(overlay) = &side.overlay else {
        return 0.0;
    };
    if overlay.changes.is_empty() {
        return 0.0;
    }
    let is_own = |path: &RepoPath| own.binary_search_by(|at| all[*at].path.cmp(path)).is_ok();
    let n = overlay
        .changes
        .iter()
        .filter(|it| is_own(it.path()))
        .count();
    n as f64 / overlay.changes.len() as f64
}

fn told(
    hits: TextHits,
    area: &str,
    before: f64,
    sought: Option<&Sought>,
    question: &SafeQuestion,
) -> SafeFile {
    let n_hits = hits.hits.len();
    let scores = sought.map(|sought| line_scores(&hits.hits, sought));
    let score = match (&scores, sought) {
        (Some(scores), Some(sought)) => score_of(before, scores, sought.words().len()),
        _ => (1.0 + n_hits as f64).ln(),
    };
    SafeFile {
        file: hits.file,
        area: area.to_owned(),
        score: rounded(score),
        n_hits,
        hits: best_lines(hits.hits, scores, question.n_lines),
    }
}
