//! Which contents can match a query, by the words that they have.
//!
//! Must not know: how words are kept.

use crate::words::{Word, WordIndex, is_part, is_word};

use cortex_search::{Case, Mode, Need, Pattern, Piece, Query};

/// A part of a word has so many characters: shorter ones are in too many words.
const MIN_PART: usize = 3;

/// A part of more words than that is not looked up: reading the files takes no longer.
const MAX_WORDS: usize = 4_096;

/// Numbers of contents, ascending.
type Numbers = Vec<u32>;

/// The longest run of word characters at a place of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Run<'p> {
    text: &'p str,
    /// Whether words with it begin with it, and end with it.
    is_start: bool,
    is_end: bool,
}

impl WordIndex<'_> {
    /// The numbers of the contents that can have what is needed, among those that are kept; `None` where any can.
    pub fn with(&self, need: &Need) -> Option<Numbers> {
        match need {
            Need::Nothing => None,
            Need::Piece(piece) => self.with_piece(piece),
            Need::All(needs) => {
                let each = needs.iter().filter_map(|need| self.with(need));
                each.reduce(|a, b| common(&a, &b))
            }
            Need::Any(needs) => {
                let each = needs.iter().map(|need| self.with(need));
                Some(united(each.collect::<Option<_>>()?))
            }
        }
    }

    /// The numbers of the contents that are no text; `None` where that is lost, as when another process has just put
    /// other words there.
    pub fn binary(&self) -> Option<Numbers> {
        self.having_each(&[Word::binary()])?.pop()
    }

    fn with_piece(&self, piece: &Piece) -> Option<Numbers> {
        let each = runs(piece);
        let each = each
            .into_iter()
            .filter_map(|run| self.with_run(run, piece.case));
        each.reduce(|a, b| common(&a, &b))
    }

    fn with_run(&self, run: Run<'_>, case: Case) -> Option<Numbers> {
        let is_whole = run.is_start && run.is_end;
        if is_whole && case == Case::Sensitive && is_word(run.text) {
            return self.having_each(&[Word::exact(run.text)])?.pop();
        }
        if !is_whole && run.text.chars().count() < MIN_PART {
            return None;
        }
        let edge = |is_there: bool, edge: &'static str| if is_there { edge } else { "" };
        let pattern = Pattern::compile(&Query {
            // Runs have no character that means anything in an expression.
            text: edge(run.is_start, "^").to_owned() + run.text + edge(run.is_end, "$"),
            mode: Mode::Regex,
            case,
        });
        let mut words = self.matching(&pattern.ok()?)?;
        if words.len() > MAX_WORDS {
            return None;
        }
        words.push(Word::too_long());
        words.sort_unstable_by_key(|word| (word.bucket(), *word));
        self.having_each(&words).map(united)
    }
}

/// The runs of a piece: those in its middle are whole words of every text that has it.
fn runs(piece: &Piece) -> Vec<Run<'_>> {
    let text = piece.text.as_str();
    let mut out = Vec::new();
    let mut at = 0;
    for run in text.split(|c| !is_part(c)) {
        let start = at;
        let end = start + run.len();
        at = end + text[end..].chars().next().map_or(0, char::len_utf8);
        if !run.is_empty() {
            out.push(Run {
                text: run,
                is_start: start > 0 || piece.is_whole,
                is_end: end < text.len() || piece.is_whole,
            });
        }
    }
    out
}

fn common(a: &[u32], b: &[u32]) -> Numbers {
    let both = a.iter().filter(|number| b.binary_search(number).is_ok());
    both.copied().collect()
}

fn united(all: Vec<Numbers>) -> Numbers {
    let mut out = all.concat();
    out.sort_unstable();
    out.dedup();
    out
}

#[cfg(test)]
mod tests {
    use cortex_search::{Case, Mode, Need, Pattern, Query};
    use proptest::prelude::*;
    use rustc_hash::FxHashSet;

    use crate::words::{Parts, buckets, dictionary, words_of};
    use crate::words::{WordIndex, is_part};

    /// The index of texts, numbered in their order.
    fn index(texts: &[String]) -> WordIndex<'static> {
        let mut exact: FxHashSet<&str> = FxHashSet::default();
        let words: Vec<_> = texts
            .iter()
            .map(|text| {
                let mut own = FxHashSet::default();
                let words = words_of(text.as_bytes(), &mut own);
                exact.extend(own);
                words
            })
            .collect();
        let exact = exact.into_iter().map(Box::from).collect();
        WordIndex {
            generation: 7,
            known: (0..).zip(0..texts.len() as u32).collect(),
            fresh: Vec::new(),
            parts: Parts::Made {
                buckets: buckets(7, words.into_iter()),
                dictionary: dictionary::make(7, exact),
            },
        }
    }

    fn query(text: &str, mode: Mode, case: Case) -> Query {
        let text = text.to_owned();
        Query { text, mode, case }
    }

    fn with(texts: &[&str], query: &Query) -> Option<Vec<u32>> {
        let texts: Vec<String> = texts.iter().map(ToString::to_string).collect();
        index(&texts).with(&Need::of(query))
    }

    #[test]
    fn files_are_told_by_parts_of_words() {
        let texts = ["a lazyload x", "lazy loading", "LAZY", "blazy load", "azy"];
        let plain = |text: &str| with(&texts, &query(text, Mode::Plain, Case::Sensitive));
        assert_eq!(plain("lazy"), Some(vec![0, 1, 3]));
        assert_eq!(plain("lazy load"), Some(vec![1, 3]));
        assert_eq!(plain(" lazy load"), Some(vec![1]));
        assert_eq!(plain("lazy loading."), Some(vec![1]));
        assert_eq!(plain("az"), None);
        assert_eq!(plain("=>"), None);
        let folded = |text: &str| with(&texts, &query(text, Mode::Plain, Case::Insensitive));
        assert_eq!(folded("Lazy"), Some(vec![0, 1, 2, 3]));
        let word = |text: &str| with(&texts, &query(text, Mode::Word, Case::Sensitive));
        assert_eq!(word("lazy"), Some(vec![1]));
        let expression = |text: &str| with(&texts, &query(text, Mode::Regex, Case::Sensitive));
        assert_eq!(expression(r"lazy\s+(load|LAZY)"), Some(vec![0, 1, 3]));
        assert_eq!(expression("load(ing)+|LAZY"), Some(vec![1, 2]));
        assert_eq!(expression("LAZY|.*"), None);
        assert_eq!(expression("lazy(load)?"), Some(vec![0, 1, 3]));
    }

    #[test]
    fn a_word_too_long_to_be_kept_is_found_by_its_parts() {
        let long = "x".repeat(200) + "needle";
        let needle = query("needle", Mode::Plain, Case::Sensitive);
        assert_eq!(with(&[&long, "y"], &needle), Some(vec![0]));
        let whole = query(&long, Mode::Word, Case::Sensitive);
        assert_eq!(with(&[&long, "y"], &whole), Some(vec![0]));
    }

    /// What ignoring case makes of a letter is a part of words as it is.
    #[test]
    fn case_moves_no_end_of_a_word() {
        for c in '\0'..=char::MAX {
            for other in c.to_lowercase().chain(c.to_uppercase()) {
                let is_one = c.to_lowercase().count() == 1 && c.to_uppercase().count() == 1;
                assert!(!is_one || is_part(c) == is_part(other), "{c:?} {other:?}");
            }
        }
    }

    fn text() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            4 => "[abAB]{1,3}",
            2 => "[ .\n(]",
            1 => "[_é\u{301}٣ſsKkK]",
            1 => Just("x".repeat(130)),
        ];
        proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
    }

    fn expression() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            "[abAB .ſsKk]{1,4}",
            Just("[ab]".to_owned()),
            Just("(?i)ab".to_owned())
        ];
        leaf.prop_recursive(3, 12, 3, |inner| {
            let more = prop_oneof![
                inner.clone().prop_map(|it| format!("({it})?")),
                inner.clone().prop_map(|it| format!("(?:{it})+")),
                inner.clone().prop_map(|it| format!(r"\b{it}")),
                inner.clone().prop_map(|it| format!("(?i:{it})")),
            ];
            prop_oneof![
                more,
                proptest::collection::vec(inner.clone(), 1..3).prop_map(|all| all.concat()),
                proptest::collection::vec(inner, 1..3)
                    .prop_map(|all| format!("({})", all.join("|"))),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        /// No text that a query matches is left out.
        #[test]
        fn what_matches_is_never_left_out(
            texts in proptest::collection::vec(text(), 1..6),
            plain in "[abAB .(_éſsKkK]{1,6}",
            expression in expression(),
            mode in prop_oneof![Just(Mode::Plain), Just(Mode::Word), Just(Mode::Identifier), Just(Mode::Regex)],
            is_folded in any::<bool>(),
        ) {
            let text = if mode == Mode::Regex { &expression } else { &plain };
            let case = if is_folded { Case::Insensitive } else { Case::Sensitive };
            let query = query(text, mode, case);
            let Ok(pattern) = Pattern::compile(&query) else {
                return Ok(());
            };
            if let Some(with) = index(&texts).with(&Need::of(&query)) {
                for (text, number) in texts.iter().zip(0..) {
                    let is_match = text.lines().any(|line| pattern.is_match(line));
                    prop_assert!(!is_match || with.contains(&number), "{query:?} in {text:?}");
                }
            }
        }
    }
}
