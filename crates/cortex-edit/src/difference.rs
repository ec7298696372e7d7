//! The edits between two texts, token by token: what both have keeps its place.
//!
//! Must not know: what the tokens mean.

use cortex_model::ByteRange;

use crate::{
    identifier::is_structural,
    text_edit::{StartIs, TextEdit, TextEdits},
};

/// The edits that make one text of another. Where a word takes the place of a word, it is taken for another name of
/// the same.
pub(crate) fn edits_between(old: &str, new: &str) -> TextEdits {
    let (old_tokens, new_tokens) = (tokens(old), tokens(new));
    let listed = |text: &str, tokens: &[ByteRange]| {
        let mut out = String::with_capacity(text.len() * 2);
        for token in tokens {
            let token = &text[token.as_usize()];
            out.push_str(&token.replace('\n', "\u{1}").replace('\r', "\u{2}"));
            out.push('\n');
        }
        out
    };
    let (old_list, new_list) = (listed(old, &old_tokens), listed(new, &new_tokens));
    let mut options = diffy::DiffOptions::new();
    options.set_context_len(0);
    let patch = options.create_patch(&old_list, &new_list);
    let edits = patch.hunks().iter().map(|hunk| {
        let range = |range: diffy::HunkRange, tokens: &[ByteRange], len: usize| {
            // A range of nothing is told by the line before it.
            let first = match range.is_empty() {
                true => range.start(),
                false => range.start() - 1,
            };
            let end = first + range.len();
            let at = |token: usize| tokens.get(token).map_or(len as u32, |it| it.start);
            ByteRange {
                start: at(first),
                end: at(end),
            }
        };
        let range_before = range(hunk.old_range(), &old_tokens, old.len());
        let range_after = range(hunk.new_range(), &new_tokens, new.len());
        let text = &new[range_after.as_usize()];
        let mut replaced = [&old[range_before.as_usize()], text].into_iter();
        let is_name = replaced.all(|it| is_word(it) && !is_structural(it));
        TextEdit {
            range: range_before,
            text: text.to_owned(),
            start: if is_name { StartIs::Kept } else { StartIs::New },
        }
    });
    TextEdits::new(edits.collect()).expect("a token that both have stands between two edits")
}

/// Words, runs of white space, and every other character, in order; they cover the text.
fn tokens(text: &str) -> Vec<ByteRange> {
    let mut out: Vec<ByteRange> = Vec::new();
    let mut before = Sort::Other;
    for (start, character) in text.char_indices() {
        let sort = match character {
            it if it.is_alphanumeric() || it == '_' || it == '@' => Sort::Word,
            '\n' | '\r' => Sort::Line,
            it if it.is_whitespace() => Sort::White,
            _ => Sort::Other,
        };
        let end = (start + character.len_utf8()) as u32;
        match out.last_mut() {
            Some(last) if sort == before && sort != Sort::Other => last.end = end,
            _ => out.push(ByteRange {
                start: start as u32,
                end,
            }),
        }
        before = sort;
    }
    out
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Word,
    White,
    Line,
    Other,
}

fn is_word(text: &str) -> bool {
    let mut characters = text.chars();
    let is_start = |it: char| it.is_alphabetic() || it == '_' || it == '@';
    characters.next().is_some_and(is_start)
        && characters.all(|it| it.is_alphanumeric() || it == '_')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::edits_between;

    proptest! {
        #[test]
        fn the_edits_make_the_one_text_of_the_other(
            old in "([ab]{1,2}|[ \n;]){0,20}",
            new in "([ab]{1,2}|[ \n;]){0,20}",
        ) {
            let edits = edits_between(&old, &new);
            let made = edits.apply(old.as_bytes()).expect("UTF-8 takes everything");
            prop_assert_eq!(String::from_utf8_lossy(&made), new);
        }
    }
}
