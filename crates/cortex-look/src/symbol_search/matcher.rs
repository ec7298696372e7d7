//! Which names a query means, and how well: the habits of "Go to Symbol".
//!
//! Owns: camel humps, prefixes, middles, wildcards, qualifiers, and their worth. Must not know: where names are from.
//!
//! A character of a query matches at the start of a hump, whatever its case, or right behind the character before it:
//! there a capital matches the same capital alone, so that `NS` asks for two humps. A query may run from the name of a
//! type into that of a member: `NSGN`, `nsGetN` for `NodeStore.GetNode`. Where it has capitals the member begins at one
//! of them: `DbContext` is no `DbContextOptions.ToString`. Where nothing fits, its letters may have gaps between them.

use std::ops::RangeInclusive;

/// A query, told apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Query {
    /// What stands before the last dot: each must match a part of the container, in this order.
    qualifiers: Vec<Word>,
    last: Word,
}

/// One part of a query.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Word {
    chars: Vec<char>,
    /// In lower case, one to one.
    lower: Vec<char>,
    /// The letters of what follows each character, itself among them; those of them that are capitals.
    letters: Vec<(Letters, Letters)>,
    /// Where the name of a type may end before a character, and that of a member begin with it.
    splits: Vec<usize>,
    matching: Matching,
}

/// How the characters of a word match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Matching {
    /// At humps, or right behind one another.
    Humps,
    /// As a pattern with `*` and `?`.
    Wildcards,
    /// In their order, with gaps: `OrdSvc` for `OrderService`.
    Gaps,
}

/// Which letters a text has, without their case: a name that lacks one of a query's cannot fit it.
type Letters = u64;

const fn letter(byte: u8) -> Letters {
    match byte {
        b'a'..=b'z' => 1 << (byte - b'a'),
        b'A'..=b'Z' => 1 << (byte - b'A'),
        b'0'..=b'9' => 1 << (26 + byte - b'0'),
        b'_' => 1 << 36,
        // What is not ASCII changes its length with its case, and is not told apart.
        _ => 0,
    }
}

/// The letter of every byte.
const LETTERS: [Letters; 256] = {
    let mut out = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        out[byte] = letter(byte as u8);
        byte += 1;
    }
    out
};

/// The letters of a name, and those of them that may start a hump or are capitals.
///
/// Names come in order: what one shares with the one before is not looked at again.
#[derive(Default)]
pub(crate) struct LettersOfNames {
    /// Of what ends before each byte, and of the whole name.
    prefixes: Vec<(Letters, Letters)>,
}

impl LettersOfNames {
    /// `n_shared`: so many bytes the name shares with the one before.
    fn of(&mut self, name: &[u8], n_shared: usize) -> (Letters, Letters) {
        self.prefixes.truncate(n_shared + 1);
        if self.prefixes.is_empty() {
            self.prefixes.push((0, 0));
        }
        let from = self.prefixes.len() - 1;
        let (mut all, mut starts) = self.prefixes[from];
        let mut is_inside = from > 0 && name[from - 1].is_ascii_alphabetic();
        for &byte in &name[from..] {
            let letter = LETTERS[usize::from(byte)];
            all |= letter;
            if !is_inside || byte.is_ascii_uppercase() {
                starts |= letter;
            }
            is_inside = byte.is_ascii_alphabetic();
            self.prefixes.push((all, starts));
        }
        (all, starts)
    }
}

/// Whether a text has another one in it, ASCII in any case.
fn contains_ignoring_case(text: &[u8], part: &[u8]) -> bool {
    text.len() >= part.len()
        && text
            .windows(part.len())
            .any(|it| it.eq_ignore_ascii_case(part))
}

/// The best score.
pub(crate) const BEST: u32 = 100;
const EXACT_IGNORING_CASE: u32 = 97;
const PREFIX: u32 = 90;
const PREFIX_IGNORING_CASE: u32 = 87;
const HUMPS: u32 = 80;
const GLOB: u32 = 70;
/// A pattern with a leading `*` that fits all but the end of a name.
const GLOB_PREFIX: u32 = 68;
const ACROSS: u32 = 65;
const MIDDLE: u32 = 55;
const MIDDLE_HUMPS: u32 = 45;
/// With gaps; less for each of them.
const GAPS: u32 = 44;
/// So many are few.
const MAX_FEW_GAPS: u32 = 2;
/// So many humps that are passed over make a difference.
const MAX_SKIPPED: u32 = 9;

/// What follows in a longer name is not looked at.
const MAX_NAME: usize = 255;

/// What the letters of a name tell of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fit {
    /// It fits in no way.
    No,
    /// It does not fit by itself; these are its [`Query::tails`].
    Tails(u64),
    /// It has to be looked at.
    Maybe,
}

/// A name, told apart.
pub(crate) struct Name {
    chars: Vec<char>,
    lower: Vec<char>,
    /// Whether a hump starts at each character.
    humps: Vec<bool>,
}

impl Name {
    pub(crate) fn new(text: &str) -> Self {
        let mut out = Self {
            chars: Vec::new(),
            lower: Vec::new(),
            humps: Vec::new(),
        };
        out.set(text);
        out
    }

    /// Takes another text in, in the same memory.
    pub(crate) fn set(&mut self, text: &str) {
        self.chars.clear();
        self.chars.extend(text.chars().take(MAX_NAME));
        self.lower.clear();
        self.lower.extend(self.chars.iter().map(|&c| lower(c)));
        self.humps.clear();
        for at in 0..self.chars.len() {
            self.humps.push(is_hump(&self.chars, at));
        }
    }

    /// Where a match counts as one from the start: at the first character, and at the first letter.
    fn starts(&self) -> RangeInclusive<usize> {
        let first = self.chars.iter().position(|c| c.is_alphanumeric());
        0..=first.unwrap_or(0)
    }
}

/// One character in lower case; as it is where Unicode would make several of it, or ASCII of what is none.
fn lower(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    let mut all = c.to_lowercase();
    match (all.next(), all.next()) {
        (Some(one), None) if !one.is_ascii() => one,
        _ => c,
    }
}

fn is_hump(chars: &[char], at: usize) -> bool {
    let c = chars[at];
    let Some(before) = at.checked_sub(1).map(|it| chars[it]) else {
        return true;
    };
    if !before.is_alphanumeric() {
        return true;
    }
    if c.is_numeric() || before.is_numeric() {
        return c.is_numeric() != before.is_numeric();
    }
    let next_is_lower = chars.get(at + 1).is_some_and(|next| next.is_lowercase());
    c.is_uppercase() && (!before.is_uppercase() || next_is_lower)
}

impl Word {
    fn new(text: &str) -> Self {
        let chars: Vec<char> = text.chars().collect();
        let is_glob = chars.iter().any(|c| matches!(c, '*' | '?'));
        let matching = match is_glob {
            true => Matching::Wildcards,
            false => Matching::Humps,
        };
        let mut letters: Vec<(Letters, Letters)> = Vec::with_capacity(chars.len());
        for &c in chars.iter().rev() {
            let (all, capitals) = letters.last().copied().unwrap_or((0, 0));
            let own = u8::try_from(c).map_or(0, letter);
            let capital = if c.is_ascii_uppercase() && !is_glob {
                own
            } else {
                0
            };
            letters.push((all | own, capitals | capital));
        }
        letters.reverse();
        // A query that has capitals says where names and their humps begin.
        let has_capitals = chars.iter().any(|c| c.is_uppercase());
        let may_split = |at: &usize| !has_capitals || !chars[*at].is_lowercase();
        Self {
            splits: (1..chars.len()).filter(may_split).collect(),
            letters,
            lower: chars.iter().map(|&c| lower(c)).collect(),
            matching,
            chars,
        }
    }

    /// A pattern is of the whole name; one that begins with `*` may leave the end of it out, as in an IDE.
    fn score_wildcards(&self, name: &Name) -> Option<u32> {
        if glob(&name.lower, &self.lower) {
            return Some(GLOB);
        }
        let is_open = self.lower.first() == Some(&'*');
        let open: Vec<char> = self.lower.iter().copied().chain(['*']).collect();
        (is_open && glob(&name.lower, &open)).then_some(GLOB_PREFIX)
    }

    /// How well the whole word fits a name.
    fn score(&self, name: &Name) -> Option<u32> {
        match self.matching {
            Matching::Humps => {}
            Matching::Wildcards => return self.score_wildcards(name),
            Matching::Gaps => {
                let cost = gaps(&self.lower, name)?;
                return Some(GAPS.saturating_sub(cost).max(1));
            }
        }
        if self.chars.len() > name.chars.len() {
            return None;
        }
        for start in name.starts() {
            let (rest, rest_lower) = (&name.chars[start..], &name.lower[start..]);
            if !rest_lower.starts_with(&self.lower) {
                continue;
            }
            let is_same = rest.starts_with(&self.chars);
            let is_whole = rest.len() == self.chars.len();
            return Some(match (is_whole, is_same) {
                (true, true) if start == 0 => BEST,
                (true, _) => EXACT_IGNORING_CASE,
                (false, true) => PREFIX,
                (false, false) => PREFIX_IGNORING_CASE,
            });
        }
        if let Some(skipped) = humps(&self.chars, &self.lower, name, &From::Start) {
            return Some(HUMPS - skipped.min(MAX_SKIPPED));
        }
        let is_middle = (1..name.chars.len())
            .any(|at| name.humps[at] && name.lower[at..].starts_with(&self.lower));
        if is_middle {
            return Some(MIDDLE);
        }
        let skipped = humps(&self.chars, &self.lower, name, &From::AnyHump)?;
        Some(MIDDLE_HUMPS - skipped.min(MAX_SKIPPED))
    }
}

/// Where the first character of a query may match.
enum From {
    Start,
    AnyHump,
}

/// Whether a query fits the humps of a name: the fewest humps that are passed over. O(query × name).
fn humps(query: &[char], query_lower: &[char], name: &Name, from: &From) -> Option<u32> {
    let n = name.chars.len();
    let may_begin = |at: &usize| query_lower.first() == Some(&name.lower[*at]);
    let begins = match from {
        From::Start => name.starts().filter(|&at| at < n).any(|at| may_begin(&at)),
        From::AnyHump => (0..n).filter(|&at| name.humps[at]).any(|at| may_begin(&at)),
    };
    if !begins {
        return None;
    }
    // By how many characters of the name are used up: the fewest humps passed over so far.
    let (mut costs, mut next) = ([NONE; MAX_NAME + 1], [NONE; MAX_NAME + 1]);
    for (nth, (&c, &l)) in query.iter().zip(query_lower).enumerate() {
        next[..=n].fill(NONE);
        // What it takes to come here over humps.
        let mut jump = NONE;
        for at in 0..n {
            if nth == 0 {
                let may_start = match from {
                    From::Start => name.starts().contains(&at),
                    From::AnyHump => name.humps[at],
                };
                if may_start && name.lower[at] == l {
                    next[at + 1] = 0;
                }
                continue;
            }
            if name.lower[at] == l {
                let is_hump = name.humps[at];
                if is_hump || !c.is_uppercase() || name.chars[at] == c {
                    next[at + 1] = costs[at];
                }
                if is_hump {
                    next[at + 1] = next[at + 1].min(jump);
                }
            }
            jump = jump.min(costs[at]);
            if name.humps[at] {
                jump = jump.saturating_add(1);
            }
        }
        if next[..=n].iter().all(|&cost| cost == NONE) {
            return None;
        }
        std::mem::swap(&mut costs, &mut next);
    }
    costs[..=n].iter().min().map(|&cost| u32::from(cost))
}

/// What a gap costs, wherever it ends.
const GAP: u16 = 1;

/// The least that the gaps cost between the characters of a query, all in lower case, in a name: the first one begins
/// the name or a hump. O(query × name).
fn gaps(query: &[char], name: &Name) -> Option<u32> {
    let n = name.chars.len();
    // By the character of the name that was matched last.
    let (mut costs, mut next) = ([NONE; MAX_NAME], [NONE; MAX_NAME]);
    for (nth, &c) in query.iter().enumerate() {
        // The least of all before the previous character: what a gap starts from.
        let mut before = NONE;
        for at in 0..n {
            next[at] = NONE;
            if at > 1 {
                before = before.min(costs[at - 2]);
            }
            if name.lower[at] != c {
                continue;
            }
            next[at] = match nth {
                0 if name.starts().contains(&at) => 0,
                0 if name.humps[at] => GAP,
                0 => NONE,
                _ => {
                    let adjacent = at.checked_sub(1).map_or(NONE, |it| costs[it]);
                    adjacent.min(before.saturating_add(GAP))
                }
            };
        }
        std::mem::swap(&mut costs, &mut next);
    }
    // Humps behind the last letter count as gaps: `LogEvtProp` is `LogEventProperty` rather than `LogEventPropertyValue`.
    let mut n_humps = 0;
    let mut least = NONE;
    for at in (0..n).rev() {
        least = least.min(costs[at].saturating_add(n_humps * GAP));
        n_humps += u16::from(name.humps[at]);
    }
    (least != NONE).then_some(u32::from(least))
}

/// No match.
const NONE: u16 = u16::MAX;

/// Whether a name fits a pattern of `*` and `?`, both in lower case.
fn glob(name: &[char], pattern: &[char]) -> bool {
    let (mut t, mut p) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < name.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(&c) if c == '?' || c == name[t] => (t, p) = (t + 1, p + 1),
            _ => match star {
                Some((at, from)) => {
                    star = Some((at, from + 1));
                    (t, p) = (from + 1, at + 1);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

/// The characters of a name that a match from the start may begin with, in lower case.
fn first_letters(name: &str) -> impl Iterator<Item = char> {
    let end = name.find(|c: char| c.is_alphanumeric()).unwrap_or(0);
    let all = name.char_indices().take_while(move |(at, _)| *at <= end);
    all.map(|(_, c)| lower(c))
}

/// A shorter query is not looked for with gaps.
const MIN_GAPS: usize = 3;

/// A longer query is not looked for across type and member.
const MAX_ACROSS: usize = 60;

impl Query {
    /// Reads a query; `None` where nothing is asked for.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let text = text.strip_prefix("global::").unwrap_or(text);
        let text = text.split('(').next().unwrap_or(text);
        let mut bare = String::with_capacity(text.len());
        let mut depth = 0_usize;
        for c in text.chars() {
            match c {
                '<' => depth += 1,
                '>' => depth = depth.saturating_sub(1),
                c if depth == 0 => bare.push(c),
                _ => {}
            }
        }
        let words = bare.replace("::", ".");
        let mut words: Vec<Word> = (words.split(['.', '+', ' ']))
            .map(|word| word.split('`').next().unwrap_or(word))
            .filter(|word| !word.is_empty())
            .map(Word::new)
            .collect();
        let last = words.pop()?;
        Some(Self {
            qualifiers: words,
            last,
        })
    }

    /// The same query with gaps between its letters; `None` where that would find what any name has.
    pub(crate) fn with_gaps(&self) -> Option<Self> {
        let is_long = self.last.chars.len() >= MIN_GAPS;
        (is_long && self.last.matching == Matching::Humps).then(|| Self {
            qualifiers: self.qualifiers.clone(),
            last: Word {
                matching: Matching::Gaps,
                ..self.last.clone()
            },
        })
    }

    /// Whether a name can fit, or be that of a member whose type fits the start of the query: told by its letters.
    ///
    /// `n_shared`: so many bytes the name shares with the one that `letters` was asked about before.
    pub(crate) fn fit(&self, name: &[u8], n_shared: usize, letters: &mut LettersOfNames) -> Fit {
        let word = &self.last;
        let Some(&whole) = word.letters.first() else {
            return Fit::Maybe;
        };
        let (all, starts) = letters.of(name, n_shared);
        if word.matching == Matching::Gaps {
            return match whole.0 & !all {
                0 => Fit::Maybe,
                _ => Fit::No,
            };
        }
        let has =
            |(wanted, capitals): (Letters, Letters)| wanted & !all == 0 && capitals & !starts == 0;
        if has(whole) {
            return Fit::Maybe;
        }
        // A whole word in capitals fits in any case.
        if whole.1 != 0 && whole.0 & !all == 0 {
            let text: String = word.chars.iter().collect();
            if !text.is_ascii() || contains_ignoring_case(name, text.as_bytes()) {
                return Fit::Maybe;
            }
        }
        if !self.may_cross() {
            return Fit::No;
        }
        let end = name
            .iter()
            .position(|b| b.is_ascii_alphanumeric() || *b >= 0x80);
        let mut tails = 0_u64;
        for &start in &name[..end.map_or(name.len(), |at| at + 1)] {
            if start >= 0x80 {
                return Fit::Maybe;
            }
            let start = lower(char::from(start));
            for &at in &word.splits {
                if word.lower[at] == start && has(word.letters[at]) {
                    tails |= 1 << at;
                }
            }
        }
        match tails {
            0 => Fit::No,
            // One character at the start of a name is all of the match.
            tails if tails == 1 << (word.lower.len() - 1) => Fit::Tails(tails),
            _ => Fit::Maybe,
        }
    }

    /// Whether the name of a type can fit the start of the query.
    pub(crate) fn may_start(&self, name: &str) -> bool {
        let first = self.last.lower[0];
        first_letters(name).any(|start| start == first || !start.is_ascii())
    }

    /// How well the last part fits a simple name.
    pub(crate) fn score(&self, name: &Name) -> Option<u32> {
        self.last.score(name)
    }

    /// Whether a query without qualifiers may run from a type's name into a member's.
    pub(crate) fn may_cross(&self) -> bool {
        let n = self.last.chars.len();
        self.qualifiers.is_empty()
            && self.last.matching == Matching::Humps
            && (2..=MAX_ACROSS).contains(&n)
    }

    /// Bit `i`: the first `i` characters fit the start of a type's name.
    pub(crate) fn heads(&self, name: &Name) -> u64 {
        self.bits(|at| (0, at), name)
    }

    /// Bit `i`: the characters from `i` on fit the start of a member's name.
    pub(crate) fn tails(&self, name: &Name) -> u64 {
        self.bits(|at| (at, self.last.chars.len()), name)
    }

    fn bits(&self, part: impl Fn(usize) -> (usize, usize), name: &Name) -> u64 {
        let word = &self.last;
        let mut out = 0;
        for &at in &word.splits {
            let (from, to) = part(at);
            let first = word.lower[from];
            if !name
                .starts()
                .any(|start| name.lower.get(start) == Some(&first))
            {
                continue;
            }
            let (chars, lower) = (&word.chars[from..to], &word.lower[from..to]);
            if humps(chars, lower, name, &From::Start).is_some() {
                out |= 1 << at;
            }
        }
        out
    }

    /// What a match across type and member is worth.
    pub(crate) const fn across(&self) -> u32 {
        ACROSS
    }

    /// Whether a match with gaps has few of them.
    pub(crate) const fn has_few_gaps(&self, score: u32) -> bool {
        score + MAX_FEW_GAPS >= GAPS
    }

    /// How much a container takes off the score: its parts are those of the namespace, then types from outside in.
    /// `None` where a qualifier fits none.
    pub(crate) fn qualified<'n>(
        &self,
        parts: impl DoubleEndedIterator<Item = &'n str>,
    ) -> Option<u32> {
        let mut wanted = self.qualifiers.iter().rev().peekable();
        let mut cost = 0;
        for part in parts.rev() {
            let Some(word) = wanted.peek() else { break };
            match word.score(&Name::new(part)) {
                Some(score) if score >= MIDDLE => {
                    cost += u32::from(score < EXACT_IGNORING_CASE);
                    wanted.next();
                }
                _ => cost += 1,
            }
        }
        wanted.peek().is_none().then_some(cost.min(MAX_SKIPPED))
    }

    /// Whether there are qualifiers.
    pub(crate) fn is_qualified(&self) -> bool {
        !self.qualifiers.is_empty()
    }
}

#[cfg(test)]
mod tests;
