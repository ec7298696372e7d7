//! Words of pages and templates that a change takes away and that other ones still say.
//!
//! Owns: which words of markup people read. Must not know: what they are about.

use std::collections::{BTreeMap, BTreeSet};

use cortex_look::{QueryError, mentioned::OtherTexts};
use cortex_model::RepoPath;
use cortex_syntax::text::decode;
use cortex_wire::{CodePlace, LeftValue, TextKind, ValueChange};

use super::has_whole;
use crate::{diff_context::compared::Compared, impact::string_places::longest_word};

/// Formats of pages and templates.
const FORMATS: [&str; 7] = ["axaml", "cshtml", "hbs", "html", "razor", "vbhtml", "xaml"];

/// Fewer words, or letters, say nothing of their own.
const MIN_WORDS: usize = 2;
const MIN_LETTERS: usize = 12;

/// So many words are looked for, the longest first.
const MAX_ASKED: usize = 12;

/// What stands at more places is what pages say.
const MAX_PLACES: usize = 4;

/// Attributes that say how something looks.
const OF_LOOKS: [&str; 2] = ["class", "style"];

/// The words on lines that changed pages have no longer, nor any other changed page, with the lines of unchanged ones that
/// have them; by value. Reads what has their words.
pub(super) fn left_markup(
    compared: &Compared,
    others: &OtherTexts<'_>,
) -> Result<Vec<LeftValue>, QueryError> {
    let (mut gone, mut there) = (BTreeSet::new(), BTreeSet::new());
    for file in &compared.files {
        let is_wanted = |path: &RepoPath| is_page(path);
        let [old, new] = [&file.old, &file.new].map(|side| {
            let side = side.as_ref().filter(|side| is_wanted(&side.path));
            let text = side.map_or(&[][..], |side| compared.texts.get(side.blob));
            String::from_utf8_lossy(decode(text).as_bytes()).into_owned()
        });
        gone.extend(said(&old));
        there.extend(said(&new));
    }
    let mut asked: Vec<String> = gone.difference(&there).cloned().collect();
    asked.sort_by_key(|it| (std::cmp::Reverse(it.len()), it.clone()));
    asked.truncate(MAX_ASKED);
    if asked.is_empty() {
        return Ok(Vec::new());
    }
    let texts = asked.iter().map(|it| (it.clone(), longest_word(it)));
    let is_asked = |path: &RepoPath| is_page(path) && compared.new_side(path).is_none();
    let mut places: BTreeMap<String, BTreeSet<CodePlace>> = BTreeMap::new();
    for found in others.lines_with(&texts.collect(), &is_asked)? {
        if has_whole(&found.line, &found.text) {
            places.entry(found.text).or_default().insert(CodePlace {
                path: found.path,
                line: found.number,
                inside: None,
            });
        }
    }
    places.retain(|_, places| places.len() <= MAX_PLACES);
    let told = places.into_iter().map(|(value, places)| LeftValue {
        kind: TextKind::Wording,
        change: ValueChange::Removed,
        value,
        places: places.into_iter().collect(),
    });
    Ok(told.collect())
}

fn is_page(path: &RepoPath) -> bool {
    let extension = path.extension();
    FORMATS.iter().any(|it| extension.eq_ignore_ascii_case(it))
}

/// The words that people read in markup: strings of attributes and text between tags, without what code puts in.
fn said(markup: &str) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for line in markup.lines() {
        let mut rest = line;
        while let Some(at) = rest.find(['"', '<', '>']) {
            let (before, from) = rest.split_at(at);
            add(before, &mut out);
            rest = &from[1..];
            let is_value = from.starts_with('"') && before.ends_with('=');
            let Some(end) = rest.find('"').filter(|_| is_value) else {
                continue;
            };
            let attribute = before[..before.len() - 1].rsplit([' ', '\t']).next();
            if !OF_LOOKS.contains(&attribute.unwrap_or_default()) {
                add(&rest[..end], &mut out);
            }
            rest = &rest[end + 1..];
        }
        add(rest, &mut out);
    }
    out
}

/// Adds words if they are a few and no code.
fn add(text: &str, out: &mut BTreeSet<String>) {
    let text = text.trim();
    let is_code = |c: char| matches!(c, '@' | '{' | '}' | '(' | ')' | ';' | '=' | '/' | '&' | '|');
    let words = text.split_whitespace();
    let words = words.filter(|word| word.contains(char::is_alphabetic));
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    if words.count() >= MIN_WORDS && letters >= MIN_LETTERS && !text.contains(is_code) {
        out.insert(text.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::said;

    #[test]
    fn words_of_attributes_and_between_tags_are_told_from_code_and_looks() {
        let said = |markup: &str| said(markup).into_iter().collect::<Vec<String>>();
        assert_eq!(
            said("<i class=\"fa fa-plus fa-fw wide\" title=\"No Additional Storage\"></i>"),
            ["No Additional Storage"]
        );
        assert_eq!(
            said("<p>Your account is locked</p>"),
            ["Your account is locked"]
        );
        assert_eq!(said("Bare words of a page"), ["Bare words of a page"]);
        for nothing in [
            "@if (user.Max > 1 && other)",
            "title=\"Storage, @(org.Max - 1) GB\"",
            "<p>Locked</p>",
        ] {
            assert!(said(nothing).is_empty(), "{nothing}");
        }
    }
}
