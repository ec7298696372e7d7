//! Strings and comments that a change adds or takes away and that stand elsewhere as well.
//!
//! Owns: which strings are names of something (a key, a price, a path), and which words are so many that the same ones say
//! the same. Must not know: what they name.

mod markup;

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use cortex_look::{QueryError, mentioned::OtherTexts};
use cortex_model::{LineTable, RepoPath};
use cortex_syntax::text::decode;
use cortex_wire::{CodePlace, FileLanguage, LeftValue, TextKind, ValueChange};

use crate::{
    diff_context::{blobs::BlobSource, compared::Compared},
    impact::{
        string_places::{Wanted, longest_word, unchanged_places},
        strings::{HOLE, strings_and_comments},
    },
};

/// A shorter string names nothing by itself; with parts that are put in, what is written may be short.
const MIN_LETTERS: usize = 6;
const MIN_LETTERS_AROUND: usize = 3;

/// What is put in follows so many letters in texts of other languages.
const MIN_LETTERS_BEFORE: usize = 4;

/// So many words are hardly written twice for different things.
const MIN_WORDS: usize = 4;
const MIN_LETTERS_OF_WORDS: usize = 20;

/// Of more changed files, a few strings say nothing.
const MAX_FILES: usize = 400;

/// So many strings are looked for, those first that are gone.
const MAX_VALUES: usize = 12;

/// What stands on more lines is no value of one thing.
const MAX_PLACES: usize = 16;

/// The same of words that are new: more of them are how things are said here.
const MAX_PLACES_OF_NEW: usize = 6;

/// What more lines of tests have is what they are about.
const MAX_PLACES_IN_TESTS: usize = 4;

/// So many lines of words are looked for.
const MAX_WORDINGS: usize = 8;

/// So many strings are told.
const MAX_TOLD: usize = 6;

/// Formats of texts that people read or run by hand, which may say what is gone.
const BY_HAND: [&str; 6] = ["adoc", "env", "md", "rst", "sh", "txt"];

/// Languages in which a program is set up or spoken to: what stands there has to be the same.
const SETTING_UP: &[FileLanguage] = &[
    FileLanguage::Json,
    FileLanguage::Yaml,
    FileLanguage::Xml,
    FileLanguage::PowerShell,
    FileLanguage::Sql,
    FileLanguage::Razor,
];

/// What is looked for, with what the change does with it.
type Sought = BTreeMap<String, (TextKind, ValueChange)>;

/// The strings of the product that changed lines had and have no longer, or newly have, and words of strings and comments
/// that they have no longer, with the unchanged lines of the product and, of names, of texts in other languages that have
/// them, and the lines of documents and scripts that have what is gone: replaced ones first, then by value. Where there are any, reads the files that have their words as far as these are
/// kept, else all of the product.
pub(crate) fn left_values(
    compared: &Compared,
    others: &OtherTexts<'_>,
    source: BlobSource<'_>,
) -> Result<Vec<LeftValue>, QueryError> {
    if compared.files.len() > MAX_FILES {
        return Ok(Vec::new());
    }
    let in_markup = markup::left_markup(compared, others)?;
    let changed = changed(compared)?;
    if changed.is_empty() {
        return Ok(in_markup);
    }
    let wanted = Wanted {
        in_tests: false,
        parts: changed.keys().cloned().collect(),
        name: &|said| changed.contains_key(said).then(|| said.to_owned()),
        comment: &|line| {
            let sought = changed.get(&line.said)?;
            let is_told = sought.0 == TextKind::Wording
                && sought.1 != ValueChange::Added
                && !line.is_documentation;
            is_told.then(|| line.said.clone())
        },
    };
    let mut places = unchanged_places(compared, source, &wanted)?;
    for (value, place) in elsewhere(compared, others, &changed)? {
        places.entry(value).or_default().insert(place);
    }
    for (value, place) in by_hand(compared, others, &changed)? {
        places.entry(value).or_default().insert(place);
    }
    for (value, in_tests) in in_tests(compared, source, &changed)? {
        places.entry(value).or_default().extend(in_tests);
    }
    places.retain(|value, places| {
        let is_new_wording = changed[value] == (TextKind::Wording, ValueChange::Added);
        places.len()
            <= if is_new_wording {
                MAX_PLACES_OF_NEW
            } else {
                MAX_PLACES
            }
    });
    let told = places.into_iter();
    let mut told: Vec<LeftValue> = told
        .map(|(value, places)| LeftValue {
            kind: changed[&value].0,
            change: changed[&value].1,
            value: value.replace(HOLE, "{}"),
            places: places.into_iter().collect(),
        })
        .collect();
    told.extend(in_markup);
    told.sort_by_key(|it| (it.change, it.places.len()));
    told.truncate(MAX_TOLD);
    Ok(told)
}

/// The unchanged lines of tests that have a name which is gone, where these are few: what they expect or ask for may be no
/// longer there.
fn in_tests(
    compared: &Compared,
    source: BlobSource<'_>,
    changed: &Sought,
) -> Result<BTreeMap<String, BTreeSet<CodePlace>>, QueryError> {
    let is_gone = |value: &str| {
        let sought = changed.get(value);
        sought.is_some_and(|it| it.0 == TextKind::Value && it.1 != ValueChange::Added)
    };
    let wanted = Wanted {
        in_tests: true,
        parts: (changed.keys().filter(|it| is_gone(it))).cloned().collect(),
        name: &|said| is_gone(said).then(|| said.to_owned()),
        comment: &|_| None,
    };
    if wanted.parts.is_empty() {
        return Ok(BTreeMap::new());
    }
    let mut places = unchanged_places(compared, source, &wanted)?;
    places.retain(|_, places| places.len() <= MAX_PLACES_IN_TESTS);
    Ok(places)
}

/// The places of strings in texts of other languages that did not change.
fn elsewhere(
    compared: &Compared,
    others: &OtherTexts<'_>,
    values: &Sought,
) -> Result<Vec<(String, CodePlace)>, QueryError> {
    let names = values.iter().filter(|it| it.1.0 == TextKind::Value);
    let mut by_word: BTreeMap<String, Vec<Written<'_>>> = BTreeMap::new();
    for (value, (_, change)) in names {
        let written = Written::of(value, *change != ValueChange::Added);
        if let Some(written) = written {
            let word = longest_word(written.text);
            by_word.entry(word).or_default().push(written);
        }
    }
    if by_word.is_empty() {
        return Ok(Vec::new());
    }
    let mut out = Vec::new();
    let words = by_word.keys().cloned().collect();
    for (word, mention) in others.words_in(&words, SETTING_UP)? {
        let is_changed = compared.new_side(&mention.file).is_some();
        for written in by_word.get(&word).into_iter().flatten() {
            if !is_changed && written.stands_in(&mention.text) {
                let place = CodePlace {
                    path: mention.file.clone(),
                    line: mention.line,
                    inside: None,
                };
                out.push((written.value.to_owned(), place));
            }
        }
    }
    Ok(out)
}

/// The unchanged lines of texts that people read or run by hand which have a name that is gone.
fn by_hand(
    compared: &Compared,
    others: &OtherTexts<'_>,
    values: &Sought,
) -> Result<Vec<(String, CodePlace)>, QueryError> {
    let gone = values
        .iter()
        .filter(|(_, (kind, change))| *kind == TextKind::Value && *change != ValueChange::Added);
    let written: Vec<Written<'_>> = gone
        .filter_map(|(value, _)| Written::of(value, true))
        .collect();
    let texts: BTreeMap<String, String> = (written.iter())
        .map(|it| (it.text.to_owned(), longest_word(it.text)))
        .collect();
    if texts.is_empty() {
        return Ok(Vec::new());
    }
    let is_asked = |path: &RepoPath| {
        let is_format = |it: &&str| path.extension().eq_ignore_ascii_case(it);
        BY_HAND.iter().any(is_format) && compared.new_side(path).is_none()
    };
    let mut out = Vec::new();
    for line in others.lines_with(&texts, &is_asked)? {
        let said = written.iter().filter(|it| it.text == line.text);
        for it in said.filter(|it| it.stands_in(&line.line)) {
            let place = CodePlace {
                path: line.path.clone(),
                line: line.number,
                inside: None,
            };
            out.push((it.value.to_owned(), place));
        }
    }
    Ok(out)
}

/// A string as texts in other languages write it.
struct Written<'v> {
    value: &'v str,
    /// What of it they write.
    text: &'v str,
    /// Whether more follows there: what is put in.
    is_open: bool,
}

impl<'v> Written<'v> {
    /// `None` of one that says too little without what is put in, or that is new with it: what is put in may be anything.
    fn of(value: &'v str, is_gone: bool) -> Option<Self> {
        if !value.contains(HOLE) {
            return Some(Self {
                value,
                text: value,
                is_open: false,
            });
        }
        let (text, _) = value.split_once(HOLE).filter(|_| is_gone)?;
        let letters = text.chars().filter(|c| c.is_alphabetic()).count();
        let is_name = letters >= MIN_LETTERS_BEFORE && text.ends_with(is_sign);
        is_name.then_some(Self {
            value,
            text,
            is_open: true,
        })
    }

    fn stands_in(&self, text: &str) -> bool {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        match self.is_open {
            false => has_whole(text, self.text),
            true => text.match_indices(self.text).any(|(at, _)| {
                let before = text[..at].chars().next_back();
                let behind = text[at + self.text.len()..].chars().next();
                !before.is_some_and(is_part) && behind.is_some_and(|c| !c.is_whitespace())
            }),
        }
    }
}

/// Whether a text has another one that is no part of a longer name.
pub(super) fn has_whole(text: &str, wanted: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    text.match_indices(wanted).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let behind = text[at + wanted.len()..].chars().next();
        !before.is_some_and(is_part) && !behind.is_some_and(is_part)
    })
}

/// What lines of changed files of the product have no longer, or newly have.
fn changed(compared: &Compared) -> Result<Sought, QueryError> {
    let [mut gone, mut replaced, mut there, mut before] = [const { Said::new() }; 4];
    let [mut constants_before, mut constants] = [const { Said::new() }; 2];
    for file in &compared.files {
        let side = file.new.as_ref().or(file.old.as_ref());
        let Some(side) = side.filter(|it| it.path.extension().eq_ignore_ascii_case("cs")) else {
            continue;
        };
        if !is_of_product(compared, &side.path)? {
            continue;
        }
        let texts = [&file.old, &file.new].map(|side| {
            let text = side
                .as_ref()
                .map_or(&[][..], |side| compared.texts.get(side.blob));
            decode(text).as_bytes().to_vec()
        });
        let [old, new] = [0, 1].map(|side| Texts::of(&texts[side]));
        let hunks = cortex_git::diff_lines(old.text, new.text).hunks;
        let (olds, news): (Vec<_>, Vec<_>) = (hunks.iter())
            .map(|hunk| (hunk.old.clone(), hunk.new.clone()))
            .unzip();
        let replacing = hunks.iter().filter(|hunk| !hunk.new.is_empty());
        let replacing: Vec<Range<u32>> = replacing.map(|hunk| hunk.old.clone()).collect();
        for said in old.on(&olds) {
            let is_constant = old.is_of_constant(said);
            constants_before.extend(is_constant.then(|| said.of()));
            gone.insert(said.of());
        }
        replaced.extend(old.on(&replacing).map(SaidAt::of));
        for said in new.on(&news) {
            // What has a name now is said no longer where it was.
            match new.is_of_constant(said) {
                true => constants.insert(said.of()),
                false => there.insert(said.of()),
            };
        }
        before.extend(old.all.iter().map(SaidAt::of));
    }
    // A constant may get another name, and stand elsewhere.
    let is_kept = |it: &&(String, Place)| constants_before.contains(*it) && constants.contains(*it);
    let gone = gone
        .iter()
        .filter(|it| !there.contains(*it) && !is_kept(it));
    let gone = gone.map(|it| match replaced.contains(it) {
        true => (it, ValueChange::Replaced),
        false => (it, ValueChange::Removed),
    });
    let added = there.union(&constants).filter(|it| !before.contains(*it));
    let added = added.map(|it| (it, ValueChange::Added));
    let all: Vec<(&(String, Place), ValueChange)> = gone.chain(added).collect();
    let of_kind = |kind: TextKind, n: usize| {
        let is_of_kind = |((said, place), change): &(&(String, Place), ValueChange)| match kind {
            TextKind::Value => *place == Place::String && is_name(said),
            // Whoever writes a new comment need not know of others like it; who says something anew for the same reason does.
            _ => (*change != ValueChange::Added || *place == Place::String) && is_wording(said),
        };
        let mut out: Vec<(&String, ValueChange)> = (all.iter())
            .filter(|it| is_of_kind(it))
            .map(|((said, _), change)| (said, *change))
            .collect();
        out.sort_by_key(|(said, change)| (*change, *said));
        out.truncate(n);
        let out = out.into_iter();
        out.map(move |(said, change)| (said.clone(), (kind, change)))
    };
    let values = of_kind(TextKind::Value, MAX_VALUES);
    Ok(values
        .chain(of_kind(TextKind::Wording, MAX_WORDINGS))
        .collect())
}

/// Where something is said.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    String,
    Comment,
}

type Said = BTreeSet<(String, Place)>;

/// A text in code.
struct SaidAt {
    /// Where it begins, in bytes.
    start: usize,
    said: String,
    place: Place,
}

impl SaidAt {
    fn of(&self) -> (String, Place) {
        (self.said.clone(), self.place)
    }
}

/// The strings and comments of a text of C#, but for documentation.
struct Texts<'t> {
    text: &'t [u8],
    lines: LineTable,
    all: Vec<SaidAt>,
}

impl<'t> Texts<'t> {
    fn of(text: &'t [u8]) -> Self {
        let (strings, comments) = strings_and_comments(text);
        let strings = strings.into_iter().map(|it| SaidAt {
            start: it.start,
            said: it.said,
            place: Place::String,
        });
        let comments = comments.into_iter().filter(|it| !it.is_documentation);
        let comments = comments.map(|it| SaidAt {
            start: it.start,
            said: it.said,
            place: Place::Comment,
        });
        Self {
            text,
            lines: LineTable::new(text),
            all: strings.chain(comments).collect(),
        }
    }

    /// Those that begin on some lines, which are ascending, from 0.
    fn on(&self, lines: &[Range<u32>]) -> impl Iterator<Item = &SaidAt> {
        self.all.iter().filter(|it| {
            let line = self.lines.position(it.start as u32).line.saturating_sub(1);
            let next = lines.partition_point(|range| range.end <= line);
            lines.get(next).is_some_and(|range| range.start <= line)
        })
    }

    /// Whether a string is what a constant is: `const string Name = "…"`.
    fn is_of_constant(&self, said: &SaidAt) -> bool {
        let before = self.text[..said.start].trim_ascii_end();
        if said.place != Place::String || !before.ends_with(b"=") {
            return false;
        }
        let ends = |it: &u8| matches!(it, b';' | b'{' | b'}');
        let statement = before.rsplit(ends).next().unwrap_or_default();
        let mut words = statement.split(u8::is_ascii_whitespace);
        words.any(|it| it == b"const")
    }
}

/// Whether a text is words that are hardly written twice for different things.
fn is_wording(text: &str) -> bool {
    let words = text
        .split_whitespace()
        .filter(|word| word.contains(char::is_alphabetic));
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    words.count() >= MIN_WORDS && letters >= MIN_LETTERS_OF_WORDS
}

/// Whether a string is the name of something: no space, and more than one word or something put in.
fn is_name(text: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || is_sign(c) || c == HOLE;
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    if !text.chars().all(is_part) || text.starts_with(HOLE) && text.len() < MIN_LETTERS {
        return false;
    }
    if text.contains(HOLE) {
        return letters >= MIN_LETTERS_AROUND;
    }
    let has_sign = text.trim_matches(is_sign).contains(is_sign);
    letters >= MIN_LETTERS && (has_sign || is_camel_case(text))
}

/// Whether a character joins the words of a name.
fn is_sign(c: char) -> bool {
    matches!(c, '-' | '_' | '.' | ':' | '/' | '@')
}

/// Whether a name has several words, each with a capital: `AuthRequest`.
fn is_camel_case(text: &str) -> bool {
    let capitals = text.chars().filter(|c| c.is_uppercase()).count();
    let has_small = text.chars().any(char::is_lowercase);
    has_small && capitals > 1
}

fn is_of_product(compared: &Compared, path: &RepoPath) -> Result<bool, QueryError> {
    for snapshot in [&compared.new, &compared.old] {
        let file = snapshot.file(path)?;
        let mut projects = file.into_iter().flat_map(|file| file.projects);
        if projects.any(|project| !compared.is_of_tests(&project)) {
            return Ok(true);
        }
    }
    Ok(false)
}
