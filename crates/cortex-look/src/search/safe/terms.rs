//! What each file has to do with the terms of a question, before any is read.
//!
//! Must not know: areas, lines.

use crate::QueryError;
use cortex_derived::{
    contents::Contents,
    files::Candidate,
    words::{Word, WordIndex},
};

use std::collections::BTreeSet;

use cortex_area::{TermSignals, Terms, humps, singular};
use memchr::memmem::Finder;
use rustc_hash::{FxHashMap, FxHashSet};

/// The terms of a question, in the forms in which they are looked for.
pub(crate) struct Sought {
    terms: Terms,
    forms: Vec<Forms>,
}

/// One term.
struct Forms {
    /// Its letters and digits in lower case, with and without the `s` of a plural.
    whole: Vec<String>,
    /// Its humps, where there are several.
    humps: Vec<String>,
}

/// A shorter term is looked for as a whole hump alone: it stands in many words by chance.
const MIN_PART: usize = 4;

impl Sought {
    pub(crate) fn of(question: &str) -> Self {
        let terms = Terms::of(question);
        let forms = terms.words.iter().map(|word| {
            let humps = humps(word);
            let whole = humps.concat();
            let mut all = vec![whole];
            all.extend(singular(&all[0]));
            Forms {
                whole: all,
                humps: if humps.len() > 1 { humps } else { Vec::new() },
            }
        });
        Self {
            forms: forms.collect(),
            terms,
        }
    }

    /// What routing weighs.
    pub(crate) fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The terms as written.
    pub(crate) fn words(&self) -> &[String] {
        &self.terms.words
    }

    pub(crate) fn is_identifier(&self) -> bool {
        self.terms.is_identifier
    }

    /// An expression that matches any of the terms, and neighbors as one name.
    pub(crate) fn expression(&self) -> String {
        let mut all: BTreeSet<String> = BTreeSet::new();
        for forms in &self.forms {
            for whole in &forms.whole {
                all.insert(match whole.chars().count() < MIN_PART {
                    // Where a hump starts or a word ends cannot be told without case: words that start so.
                    true => format!(r"\b{whole}"),
                    false => whole.clone(),
                });
            }
            if !forms.humps.is_empty() {
                all.insert(forms.humps.join("[_-]?"));
            }
        }
        for pair in self.forms.windows(2) {
            all.insert(format!("{}[ _.-]?{}", pair[0].whole[0], pair[1].whole[0]));
        }
        let all: Vec<String> = all.into_iter().rev().collect();
        all.join("|")
    }

    /// Which of the terms a text has, as places in the list of terms.
    pub(crate) fn found_in(&self, text: &str) -> Vec<usize> {
        let folded = fold(text);
        let has = |forms: &Forms| {
            forms
                .whole
                .iter()
                .any(|whole| folded.contains(whole.as_str()))
        };
        let each = self.forms.iter().enumerate();
        each.filter(|(_, forms)| has(forms))
            .map(|(at, _)| at)
            .collect()
    }

    /// Whether a name is one of the terms, whole, or several of them in a row.
    pub(crate) fn is_named(&self, name: &str) -> bool {
        let folded = humps(name).concat();
        let is_term = |forms: &Forms| forms.whole.contains(&folded);
        self.forms.iter().any(is_term)
            || (self.forms.len() > 1
                && (0..self.forms.len()).any(|start| {
                    let mut joined = String::new();
                    self.forms[start..].iter().any(|forms| {
                        joined.push_str(&forms.whole[0]);
                        joined == folded
                    })
                }))
    }
}

/// How well a file has a term.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug, Default)]
struct Fit {
    content: f32,
    name: f32,
    symbol: f32,
}

/// What each file has to do with each term.
pub(crate) struct Matches {
    /// By term, then file.
    fits: Vec<FxHashMap<usize, Fit>>,
    scores: FxHashMap<usize, Score>,
}

/// How well a file fits.
#[derive(Clone, Copy, Default)]
struct Score {
    /// By all that is known of it.
    all: f64,
    /// By what is known of files of every language.
    alike: f64,
}

/// What files have of a term: its name, a part of one, the humps somewhere.
const WHOLE: f32 = 1.0;
const HUMPS: f32 = 0.35;
const NEIGHBORS: f32 = 1.5;

/// Names that hold a term say more than contents.
const IN_NAME: f32 = 1.2;
const IN_FOLDER: f32 = 0.6;
const IS_SYMBOL: f32 = 2.0;

/// Tests speak of everything.
const IN_TEST: f64 = 0.7;

impl Matches {
    /// Looks all terms up.
    pub(crate) fn of(
        sought: &Sought,
        contents: &Contents<'_>,
        index: &WordIndex<'_>,
        all: &[Candidate],
    ) -> Result<Self, QueryError> {
        let numbers: Vec<Option<u32>> = all.iter().map(|file| index.number(file.blob)).collect();
        let mut by_number: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for (at, number) in numbers.iter().enumerate() {
            if let Some(number) = number {
                by_number.entry(*number).or_default().push(at);
            }
        }
        let having = |word: &str| -> Vec<usize> {
            let word = Word::folded(word);
            let known = index.having(word).unwrap_or_default();
            let known = known
                .iter()
                .filter_map(|number| by_number.get(number))
                .flatten();
            known.copied().collect()
        };
        let folded: Vec<String> = all.iter().map(|file| fold(file.path.as_str())).collect();
        let mut parts: Vec<Option<Parts>> = all.iter().map(|_| None).collect();
        let mut fits: Vec<FxHashMap<usize, Fit>> = Vec::new();
        for (nth, forms) in sought.forms.iter().enumerate() {
            let mut own: FxHashMap<usize, Fit> = FxHashMap::default();
            let mut content = |files: Vec<usize>, weight: f32| {
                for at in files {
                    let fit = own.entry(at).or_default();
                    fit.content = fit.content.max(weight);
                }
            };
            for whole in &forms.whole {
                content(having(whole), WHOLE);
            }
            if let Some((first, rest)) = forms.humps.split_first() {
                let mut all_humps = having(first);
                for hump in rest.iter().filter(|hump| hump.len() > 1) {
                    let more: FxHashSet<usize> = having(hump).into_iter().collect();
                    all_humps.retain(|at| more.contains(at));
                }
                content(all_humps, HUMPS);
            }
            for neighbor in [nth.checked_sub(1), Some(nth)].into_iter().flatten() {
                if let [left, right] = sought.forms.get(neighbor..neighbor + 2).unwrap_or_default()
                {
                    content(
                        having(&format!("{}{}", left.whole[0], right.whole[0])),
                        NEIGHBORS,
                    );
                }
            }
            let finders: Vec<Finder<'_>> = forms.whole.iter().map(Finder::new).collect();
            for (at, folded) in folded.iter().enumerate() {
                if !finders
                    .iter()
                    .any(|finder| finder.find(folded.as_bytes()).is_some())
                {
                    continue;
                }
                let Parts { name, folders } =
                    parts[at].get_or_insert_with(|| Parts::of(all[at].path.as_str()));
                let is_in = |parts: &[String]| -> bool {
                    parts.iter().any(|part| forms.whole.contains(part))
                        || !forms.humps.is_empty()
                            && parts.windows(forms.humps.len()).any(|it| it == forms.humps)
                };
                if is_in(name) {
                    own.entry(at).or_default().name = IN_NAME;
                } else if is_in(folders) {
                    own.entry(at).or_default().name = IN_FOLDER;
                }
            }
            for whole in &forms.whole {
                for symbol in contents.side.snapshot.types_named(whole)? {
                    let node = contents.side.snapshot.type_header(symbol.key)?;
                    for part in node.iter().flat_map(|node| &node.parts) {
                        if let Ok(at) = all.binary_search_by(|it| it.path.cmp(&part.path)) {
                            own.entry(at).or_default().symbol = IS_SYMBOL;
                        }
                    }
                }
            }
            fits.push(own);
        }
        let scores = scores(&fits, &folded);
        Ok(Self { fits, scores })
    }

    /// How well a file fits; 0 where nothing speaks for it.
    pub(crate) fn score(&self, at: usize) -> f64 {
        self.scores.get(&at).map_or(0.0, |score| score.all)
    }

    /// How well the best of some files fits, by what is known of files of every language.
    pub(crate) fn best(&self, own: &[usize]) -> f64 {
        let scores = own.iter().filter_map(|at| self.scores.get(at));
        scores.map(|score| score.alike).fold(0.0, f64::max)
    }

    /// What some files have, by term.
    pub(crate) fn signals(&self, own: &[usize]) -> Vec<TermSignals> {
        let each = self.fits.iter().map(|fits| {
            let mut out = TermSignals::default();
            for fit in own.iter().filter_map(|at| fits.get(at)) {
                out.n_files += usize::from(fit.content > HUMPS);
                out.n_parts += usize::from(fit.content > 0.0 && fit.content <= HUMPS);
                out.n_names += usize::from(fit.name >= IN_NAME);
                out.n_symbols += usize::from(fit.symbol > 0.0);
            }
            out
        });
        each.collect()
    }
}

/// How well files fit: terms count by how rare they are, and by what part of them a file has. `folded`: the paths of
/// all files, as they are searched.
fn scores(fits: &[FxHashMap<usize, Fit>], folded: &[String]) -> FxHashMap<usize, Score> {
    let mut scores: FxHashMap<usize, Score> = FxHashMap::default();
    let mut n_terms: FxHashMap<usize, usize> = FxHashMap::default();
    let mut is_more: FxHashSet<usize> = FxHashSet::default();
    for own in fits {
        let rarity = (1.0 + folded.len() as f64 / (1.0 + own.len() as f64)).ln();
        #[expect(
            clippy::iter_over_hash_type,
            reason = "each file has a score of its own"
        )]
        for (at, fit) in own {
            let score = scores.entry(*at).or_default();
            score.all += rarity * f64::from(fit.content + fit.name + fit.symbol);
            score.alike += rarity * f64::from(fit.content + fit.name);
            *n_terms.entry(*at).or_default() += 1;
            if fit.content > 0.0 || fit.name >= IN_NAME || fit.symbol > 0.0 {
                is_more.insert(*at);
            }
        }
    }
    // The names of folders alone are no evidence of anything.
    scores.retain(|at, _| is_more.contains(at));
    let test = Finder::new("test");
    #[expect(
        clippy::iter_over_hash_type,
        reason = "each file has a score of its own"
    )]
    for (at, score) in &mut scores {
        let part = n_terms[at] as f64 / fits.len().max(1) as f64;
        let mut factor = part * part;
        if test.find(folded[*at].as_bytes()).is_some() {
            factor *= IN_TEST;
        }
        score.all *= factor;
        score.alike *= factor;
    }
    scores
}

/// The humps of a path.
struct Parts {
    /// Of the file's name without its ending, and that whole.
    name: Vec<String>,
    folders: Vec<String>,
}

impl Parts {
    fn of(path: &str) -> Self {
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let mut name = humps(stem);
        if name.len() > 1 {
            name.push(name.concat());
        }
        Self {
            name,
            folders: folders.split('/').flat_map(humps).collect(),
        }
    }
}

/// The letters and digits of a text, in lower case.
fn fold(text: &str) -> String {
    if text.is_ascii() {
        let mut letters = text.as_bytes().to_vec();
        letters.retain(u8::is_ascii_alphanumeric);
        letters.make_ascii_lowercase();
        return String::from_utf8(letters).unwrap_or_default();
    }
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}
