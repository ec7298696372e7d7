//! Laws of the search, against matchers that are slow and plain.

use std::{convert::Infallible, num::NonZeroUsize};

use cortex_model::{ByteRange, Stop};
use proptest::prelude::*;

use crate::{
    Case, FoundText, Hit, Mode, Outcome, Pattern, PatternError, Query, SearchOptions, TextRead,
    Texts, is_binary, search, utf16_len,
};

struct InMemory<'t>(&'t [String]);

impl Texts for InMemory<'_> {
    type Reader = ();
    type Note = u32;
    type Error = Infallible;

    fn n_texts(&self) -> usize {
        self.0.len()
    }

    fn open(&self) {}

    fn read(&self, (): &mut (), nth: usize, text: &mut Vec<u8>) -> Result<TextRead, Infallible> {
        text.extend_from_slice(self.0[nth].as_bytes());
        Ok(match is_binary(text) {
            true => TextRead::Binary,
            false => TextRead::Text,
        })
    }

    fn note(&self, _: usize, text: &str, hits: &[Hit]) -> Result<Vec<u32>, Infallible> {
        let line = |hit: &Hit| 1 + text[..hit.range.start as usize].matches('\n').count() as u32;
        Ok(hits.iter().map(line).collect())
    }
}

/// Texts of which only a range each counts.
struct InPart<'t>(&'t [String], &'t [ByteRange]);

impl Texts for InPart<'_> {
    type Reader = ();
    type Note = u32;
    type Error = Infallible;

    fn n_texts(&self) -> usize {
        self.0.len()
    }

    fn open(&self) {}

    fn read(&self, (): &mut (), nth: usize, text: &mut Vec<u8>) -> Result<TextRead, Infallible> {
        InMemory(self.0).read(&mut (), nth, text)
    }

    fn is_selective(&self, _nth: usize) -> bool {
        true
    }

    fn note(&self, nth: usize, text: &str, hits: &[Hit]) -> Result<Vec<u32>, Infallible> {
        InMemory(self.0).note(nth, text, hits)
    }

    fn select(&self, text: &str, found: &mut FoundText<u32>) -> Result<(), Infallible> {
        let part = self.1[found.nth];
        found.hits.retain_mut(|hit| {
            let is_in = part.contains(hit.range.start) && hit.range.end <= part.end;
            if is_in {
                hit.cut(text, part);
            }
            is_in
        });
        Ok(())
    }
}

fn query(text: &str, mode: Mode) -> Query {
    Query {
        text: text.to_owned(),
        mode,
        case: Case::Sensitive,
    }
}

fn run(
    texts: &[String],
    query: &Query,
    max_hits: usize,
    n_context: usize,
    n: usize,
) -> Outcome<u32> {
    let pattern = Pattern::compile(query).expect("a good query");
    let options = SearchOptions {
        n_context,
        max_hits,
        n_threads: NonZeroUsize::new(n).expect("threads"),
        stop: &|| None,
    };
    match search(&InMemory(texts), &pattern, &options) {
        Ok(outcome) => outcome,
        Err(never) => match never {},
    }
}

fn all_hits(found: &[FoundText<u32>]) -> Vec<(usize, &Hit)> {
    let each = found.iter();
    each.flat_map(|it| it.hits.iter().map(|hit| (it.nth, hit)))
        .collect()
}

/// Where a word stands in a text, found letter by letter: text, line, column, byte.
fn naive(texts: &[String], word: &str, is_whole: bool) -> Vec<(usize, u32, u32, u32)> {
    let goes_on = |c: Option<char>| c.is_some_and(|c| c == '_' || c.is_alphanumeric());
    let mut out = Vec::new();
    for (nth, text) in texts.iter().enumerate() {
        let mut start = 0;
        for (at, line) in text.split('\n').enumerate() {
            let mut from = 0;
            while let Some(found) = line[from..].find(word).map(|it| it + from) {
                let after = found + word.len();
                let before = line[..found].chars().next_back();
                let is_taken =
                    !is_whole || !goes_on(before) && !goes_on(line[after..].chars().next());
                if is_taken {
                    let column = 1 + utf16_len(&line[..found]);
                    out.push((nth, at as u32 + 1, column, (start + found) as u32));
                    from = after;
                } else {
                    from = found + line[found..].chars().next().map_or(1, char::len_utf8);
                }
            }
            start += line.len() + 1;
        }
    }
    out
}

fn places(found: &[FoundText<u32>]) -> Vec<(usize, u32, u32, u32)> {
    let each = all_hits(found).into_iter();
    each.map(|(nth, hit)| (nth, hit.line, hit.column, hit.range.start))
        .collect()
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    let piece = prop_oneof![
        Just("a"),
        Just("ab"),
        Just("b"),
        Just("_"),
        Just(" "),
        Just("\n"),
        Just("\r\n"),
        Just("é"),
        Just("𝄞"),
        Just("."),
        Just("1")
    ];
    let text = proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat());
    proptest::collection::vec(text, 0..8)
}

proptest! {
    #[test]
    fn what_is_found_is_what_a_naive_matcher_finds(
        texts in texts(),
        word in prop_oneof![Just("a"), Just("ab"), Just("b"), Just("a "), Just("aé"), Just("𝄞"), Just(".")],
        n_threads in 1_usize..4,
    ) {
        let found = run(&texts, &query(word, Mode::Plain), usize::MAX - 1, 0, n_threads);
        prop_assert_eq!(places(&found.found), naive(&texts, word, false));
        prop_assert!(!found.probably_has_more);
        prop_assert_eq!(found.n_searched, texts.len());
    }

    #[test]
    fn words_and_identifiers_are_whole(
        texts in texts(),
        word in prop_oneof![Just("a"), Just("ab"), Just("aab"), Just("b")],
    ) {
        let expected = naive(&texts, word, true);
        for mode in [Mode::Word, Mode::Identifier] {
            let found = run(&texts, &query(word, mode), usize::MAX - 1, 0, 2);
            prop_assert_eq!(places(&found.found), expected.clone());
        }
    }

    /// The first hits in order, exactly as many as wanted, whatever threads do.
    #[test]
    fn a_limit_is_exact_and_takes_the_first(texts in texts(), max in 0_usize..12, n_threads in 1_usize..4) {
        let all = run(&texts, &query("a", Mode::Plain), usize::MAX - 1, 0, 1);
        let some = run(&texts, &query("a", Mode::Plain), max, 0, n_threads);
        let expected: Vec<_> = all_hits(&all.found).into_iter().take(max).collect();
        prop_assert_eq!(all_hits(&some.found), expected);
        prop_assert_eq!(some.n_hits, max.min(all.n_hits));
        prop_assert_eq!(some.probably_has_more, all.n_hits > max);
        for it in &some.found {
            let lines: Vec<u32> = it.hits.iter().map(|hit| hit.line).collect();
            prop_assert_eq!(&it.notes, &lines);
        }
    }

    #[test]
    fn threads_change_nothing(
        mut texts in texts(),
        binary in proptest::collection::vec(any::<bool>(), 8),
        max in 0_usize..12,
        n_context in 0_usize..3,
    ) {
        for (text, _) in texts.iter_mut().zip(binary).filter(|(_, is_binary)| *is_binary) {
            text.insert(0, '\0');
        }
        let one = run(&texts, &query("ab", Mode::Plain), max, n_context, 1);
        let three = run(&texts, &query("ab", Mode::Plain), max, n_context, 3);
        prop_assert_eq!(one, three);
    }

    /// Each line around a hit, no other, and never one that has a hit itself.
    #[test]
    fn context_is_the_lines_around(texts in texts(), n_context in 0_usize..4) {
        let found = run(&texts, &query("ab", Mode::Plain), usize::MAX - 1, n_context, 2);
        for it in &found.found {
            let n_lines = texts[it.nth].lines().count() as u32;
            let with_hits: Vec<u32> = it.hits.iter().map(|hit| hit.line).collect();
            let n = n_context as u32;
            let around: Vec<u32> = (1..=n_lines)
                .filter(|line| !with_hits.contains(line) && with_hits.iter().any(|hit| hit.abs_diff(*line) <= n))
                .collect();
            let told: Vec<u32> = it.context.iter().map(|context| context.line).collect();
            prop_assert_eq!(told, around);
        }
    }

    /// Hits that do not count are none for the limit, and of lines that are cut nothing else is shown.
    #[test]
    fn of_a_part_the_first_hits_are_told_and_nothing_around_it(
        texts in texts(),
        ends in proptest::collection::vec((0_usize..40, 0_usize..40), 8),
        max in 0_usize..6,
        n_threads in 1_usize..4,
    ) {
        let parts: Vec<ByteRange> = texts
            .iter()
            .zip(ends)
            .map(|(text, (a, b))| {
                let at = |nth: usize| {
                    let mut all = text.char_indices().map(|(at, _)| at);
                    all.nth(nth).unwrap_or(text.len()) as u32
                };
                ByteRange { start: at(a.min(b)), end: at(a.max(b)) }
            })
            .collect();
        let pattern = Pattern::compile(&query("a", Mode::Plain)).expect("a good query");
        let options = SearchOptions {
            n_context: 0,
            max_hits: max,
            n_threads: NonZeroUsize::new(n_threads).expect("threads"),
            stop: &|| None,
        };
        let Ok(found) = search(&InPart(&texts, &parts), &pattern, &options);
        let expected: Vec<(usize, u32, u32, u32)> = naive(&texts, "a", false)
            .into_iter()
            .filter(|(nth, _, _, at)| parts[*nth].contains(*at))
            .collect();
        prop_assert_eq!(found.probably_has_more, expected.len() > max);
        let first: Vec<_> = expected.into_iter().take(max).collect();
        prop_assert_eq!(places(&found.found), first);
        for (nth, hit) in all_hits(&found.found) {
            let (text, part) = (&texts[nth], parts[nth]);
            let inside = &text[part.as_usize()];
            let before = &text[..hit.range.start as usize];
            let line_start = before.rfind('\n').map_or(0, |at| at + 1);
            let shown_start = line_start.max(part.start as usize);
            let line_end = text[shown_start..].find('\n').map_or(text.len(), |at| shown_start + at);
            let line = text[shown_start..line_end.min(part.end as usize)].trim_end_matches('\r');
            prop_assert_eq!(&hit.text.text, line);
            prop_assert!(inside.contains(line));
            prop_assert_eq!(hit.text.first_column, 1 + utf16_len(&text[line_start..shown_start]));
            let whole = text[line_start..].split('\n').next().unwrap_or_default();
            let is_cut = line.len() < whole.trim_end_matches('\r').len();
            prop_assert_eq!(hit.text.is_cut, is_cut);
        }
    }

    /// A limit takes with a hit what is around it alone; what lies behind the first hit left out need not be known.
    #[test]
    fn context_is_around_the_hits_that_are_told(texts in texts(), n_context in 1_usize..4, max in 1_usize..5) {
        let all = run(&texts, &query("ab", Mode::Plain), usize::MAX - 1, n_context, 1);
        let some = run(&texts, &query("ab", Mode::Plain), max, n_context, 2);
        for it in &some.found {
            let Some(whole) = all.found.iter().find(|whole| whole.nth == it.nth) else {
                return Err(TestCaseError::fail("it was found before"));
            };
            let left_out = whole.hits.get(it.hits.len()).map_or(u32::MAX, |hit| hit.line);
            let is_near = |line: u32| it.hits.iter().any(|hit| hit.line.abs_diff(line) <= n_context as u32);
            let lines = |found: &FoundText<u32>| -> Vec<u32> { found.context.iter().map(|it| it.line).collect() };
            let told = lines(it);
            prop_assert!(told.iter().all(|line| is_near(*line)), "{:?}", told);
            let expected = lines(whole).into_iter().filter(|line| is_near(*line) && *line < left_out);
            prop_assert!(expected.clone().all(|line| told.contains(&line)), "{:?}", told);
            prop_assert!(told.iter().all(|line| lines(whole).contains(line)));
        }
    }

    /// What an expression matches is what the library of regular expressions matches line by line.
    #[test]
    fn an_expression_matches_line_by_line(texts in texts(), which in 0_usize..5) {
        let expression = ["a+", "a|b", r"^a", r"b$", r"\ba."][which];
        let naive = regex_lines(&texts, expression);
        let found = run(&texts, &query(expression, Mode::Regex), usize::MAX - 1, 0, 2);
        let lines: Vec<(usize, u32)> = all_hits(&found.found).into_iter().map(|(nth, hit)| (nth, hit.line)).collect();
        prop_assert_eq!(lines, naive);
    }
}

fn regex_lines(texts: &[String], expression: &str) -> Vec<(usize, u32)> {
    use grep_matcher::Matcher;
    let matcher = grep_regex::RegexMatcher::new(expression).expect("an expression");
    let mut out = Vec::new();
    for (nth, text) in texts.iter().enumerate() {
        for (at, line) in text.lines().enumerate() {
            let _ = matcher.find_iter(line.as_bytes(), |_| {
                out.push((nth, at as u32 + 1));
                true
            });
        }
    }
    out
}

#[test]
fn columns_are_utf16_units_and_a_byte_order_mark_is_none() {
    let texts = ["\u{FEFF}𝄞é x\r\nx".to_owned()];
    let found = run(&texts, &query("x", Mode::Plain), 10, 0, 1);
    let hits = &found.found[0].hits;
    assert_eq!((hits[0].line, hits[0].column, hits[0].length), (1, 5, 1));
    assert_eq!(hits[0].range.start, 10);
    assert_eq!(hits[0].text.text, "𝄞é x");
    assert_eq!((hits[1].line, hits[1].column), (2, 1));
    let first = run(&texts, &query("^.", Mode::Regex), 10, 0, 1);
    let hit = &first.found[0].hits[0];
    assert_eq!((hit.column, hit.length, hit.range.start), (1, 2, 3));
    let found = run(
        &["\u{FEFF}x yz".to_owned()],
        &query("x", Mode::Plain),
        10,
        0,
        1,
    );
    let hit = &found.found[0].hits[0];
    assert_eq!((hit.column, hit.length), (1, 1));
}

#[test]
fn matches_of_nothing_count_where_a_line_has_no_other() {
    let texts = ["bab\nb".to_owned()];
    let found = run(&texts, &query("a*", Mode::Regex), 10, 0, 1);
    let told = all_hits(&found.found).into_iter();
    let told: Vec<_> = told
        .map(|(_, hit)| (hit.line, hit.column, hit.length))
        .collect();
    assert_eq!(told, [(1, 2, 1), (2, 1, 0)]);
}

/// Texts that cannot be read from one on.
struct Failing;

impl Texts for Failing {
    type Reader = ();
    type Note = ();
    type Error = usize;

    fn n_texts(&self) -> usize {
        5
    }

    fn open(&self) {}

    fn read(&self, (): &mut (), nth: usize, text: &mut Vec<u8>) -> Result<TextRead, usize> {
        text.push(b'a');
        match nth {
            0 | 1 => Ok(TextRead::Text),
            failing => Err(failing),
        }
    }

    fn note(&self, _: usize, _: &str, hits: &[Hit]) -> Result<Vec<()>, usize> {
        Ok(vec![(); hits.len()])
    }
}

#[test]
fn the_first_text_that_cannot_be_read_ends_the_search_unless_there_was_enough() {
    let pattern = Pattern::compile(&query("a", Mode::Plain)).expect("a query");
    let of = |max_hits| {
        let options = SearchOptions {
            n_context: 0,
            max_hits,
            n_threads: NonZeroUsize::MIN,
            stop: &|| None,
        };
        search(&Failing, &pattern, &options).map(|found| found.n_hits)
    };
    assert_eq!(of(10), Err(2));
    assert_eq!(of(2), Err(2));
    assert_eq!(of(1), Ok(1));
}

#[test]
fn a_long_line_is_cut_around_its_match() {
    let long = format!("{}needle{}", "é".repeat(2_000), "b".repeat(2_000));
    let found = run(&[long], &query("needle", Mode::Plain), 10, 0, 1);
    let hit = &found.found[0].hits[0];
    assert_eq!(hit.column, 2_001);
    assert_eq!(hit.text.text.chars().count(), crate::MAX_LINE_CHARS);
    assert_eq!(hit.text.first_column, 1_901);
    assert!(hit.text.is_cut && hit.text.text.contains("needle"));
    // One that begins where the line would be cut.
    let long = format!("{}needle", "b".repeat(crate::MAX_LINE_CHARS));
    let found = run(&[long], &query("needle", Mode::Plain), 10, 0, 1);
    assert!(found.found[0].hits[0].text.text.ends_with("bneedle"));
}

/// Beside what is not shown, the edges of characters and the mark at the start of a text are kept.
#[test]
fn a_line_is_cut_to_a_part_of_its_text() {
    let texts = ["\u{FEFF}ab\u{e9}x yz\r\nx".to_owned()];
    let found = run(&texts, &query("x", Mode::Plain), 10, 0, 1);
    let shown = |nth: usize, start: u32, end: u32| {
        let mut hit = found.found[0].hits[nth].clone();
        hit.cut(&texts[0], ByteRange { start, end });
        (hit.text.text, hit.text.first_column, hit.text.is_cut)
    };
    assert_eq!(shown(0, 0, 99), ("ab\u{e9}x yz".to_owned(), 1, false));
    assert_eq!(shown(0, 3, 11), ("ab\u{e9}x yz".to_owned(), 1, false));
    assert_eq!(shown(0, 4, 9), ("b\u{e9}x ".to_owned(), 2, true));
    // From the middle of a character on, and up to it.
    assert_eq!(shown(0, 6, 8), ("x".to_owned(), 4, true));
    assert_eq!(shown(0, 7, 9), ("x ".to_owned(), 4, true));
    assert_eq!(shown(1, 0, 99), ("x".to_owned(), 1, false));
    let long = [format!("{}needle{}", "b".repeat(900), "c".repeat(900))];
    let found = run(&long, &query("needle", Mode::Plain), 10, 0, 1);
    let mut hit = found.found[0].hits[0].clone();
    hit.cut(
        &long[0],
        ByteRange {
            start: 890,
            end: 1_700,
        },
    );
    assert!(hit.text.text.starts_with("bbbbbbbbbbneedlec") && hit.text.is_cut);
    assert_eq!((hit.text.first_column, hit.text.text.len()), (891, 500));
}

#[test]
fn case_counts_unless_it_does_not() {
    let texts = ["Order ORDER order".to_owned()];
    let mut insensitive = query("order", Mode::Word);
    assert_eq!(run(&texts, &insensitive, 10, 0, 1).n_hits, 1);
    insensitive.case = Case::Insensitive;
    assert_eq!(run(&texts, &insensitive, 10, 0, 1).n_hits, 3);
}

#[test]
fn what_cannot_be_searched_for_is_told() {
    let fault = |text: &str, mode| Pattern::compile(&query(text, mode)).err();
    assert_eq!(fault("", Mode::Plain), Some(PatternError::Empty));
    assert_eq!(fault("@", Mode::Identifier), Some(PatternError::Empty));
    assert_eq!(fault("a\nb", Mode::Plain), Some(PatternError::LineBreak));
    assert_eq!(
        fault("a b", Mode::Identifier),
        Some(PatternError::NoIdentifier("a b".to_owned()))
    );
    assert!(matches!(
        fault("(", Mode::Regex),
        Some(PatternError::Regex(_))
    ));
    assert!(matches!(
        fault(r"a\nb", Mode::Regex),
        Some(PatternError::Regex(_))
    ));
    assert_eq!(fault("@class", Mode::Identifier), None);
}

#[test]
fn binary_texts_are_passed_over_and_told() {
    let texts = ["a\0b".to_owned(), "a".to_owned()];
    let found = run(&texts, &query("a", Mode::Plain), 10, 0, 1);
    assert_eq!(
        (found.binary, found.n_hits, found.n_searched),
        (vec![0], 1, 1)
    );
}

#[test]
fn a_search_that_is_stopped_tells_what_it_has() {
    let texts = ["a".to_owned(), "a".to_owned(), "a".to_owned()];
    let asked = std::sync::atomic::AtomicUsize::new(0);
    let stop = || {
        let n = asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        (n >= 2).then_some(Stop::TimedOut)
    };
    let pattern = Pattern::compile(&query("a", Mode::Plain)).expect("a query");
    let options = SearchOptions {
        n_context: 0,
        max_hits: 10,
        n_threads: NonZeroUsize::MIN,
        stop: &stop,
    };
    let Ok(found) = search(&InMemory(&texts), &pattern, &options);
    assert!(found.timed_out && found.probably_has_more && !found.canceled);
    assert_eq!((found.n_hits, found.n_left), (2, 1));
}

/// A text of one line of `a`, of which every letter is a hit.
fn one_line(len: usize) -> Vec<String> {
    vec!["a".repeat(len)]
}

#[test]
fn a_line_of_many_hits_is_searched_in_linear_time_and_bounded_memory() {
    let texts = one_line(1 << 20);
    let outcome = run(&texts, &query("a", Mode::Plain), usize::MAX, 0, 1);
    assert!(outcome.probably_has_more && outcome.n_hits > 50_000);
    let last = outcome.found[0].hits.last().expect("a hit");
    assert_eq!(last.column, last.range.start + 1);
    let size = |hit: &Hit| hit.text.text.len();
    let n_bytes: usize = outcome.found[0].hits.iter().map(size).sum();
    assert!(n_bytes <= 64 << 20, "{n_bytes}");
}

#[test]
fn a_search_stops_inside_a_line() {
    let n_asked = std::sync::atomic::AtomicUsize::new(0);
    let pattern = Pattern::compile(&query("a", Mode::Plain)).expect("a good query");
    let options = SearchOptions {
        n_context: 0,
        max_hits: usize::MAX,
        n_threads: NonZeroUsize::MIN,
        // Asked before the text, then inside of its only line.
        stop: &|| {
            let n = n_asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            (n > 0).then_some(Stop::TimedOut)
        },
    };
    let texts = one_line(1 << 18);
    let outcome = match search(&InMemory(&texts), &pattern, &options) {
        Ok(outcome) => outcome,
        Err(never) => match never {},
    };
    assert!(outcome.timed_out && outcome.probably_has_more);
    assert!((1..1 << 18).contains(&outcome.n_hits), "{}", outcome.n_hits);
}

#[test]
fn a_long_text_is_found_as_fast_as_a_short_one() {
    let texts = one_line(1 << 20);
    let long = query(&"a".repeat(10_000), Mode::Plain);
    let outcome = run(&texts, &long, usize::MAX, 0, 1);
    assert_eq!(outcome.n_hits, (1 << 20) / 10_000);
    for mode in [Mode::Word, Mode::Regex] {
        let long = query(&"a".repeat(10_000), mode);
        assert_eq!(
            Pattern::compile(&long).err(),
            Some(PatternError::TooLong),
            "{mode:?}"
        );
    }
    let repeated = query("a{10000}", Mode::Regex);
    assert_eq!(
        Pattern::compile(&repeated).err(),
        Some(PatternError::TooLong)
    );
}
