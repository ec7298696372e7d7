//! A generated program whose files depend on each other by what their expressions mean.
//!
//! One text with alternatives: `‹one¦another›` is one of them at a time, and an edit is another choice. Every
//! use is there at all times, so that each edit meets every way in which a file can depend on it.

use proptest::{collection::vec, prelude::*};

use crate::harness::Tree;

const TEXT: &str = include_str!("program.txt");

/// A text between the alternatives, or alternatives.
enum Piece {
    Fixed(&'static str),
    Choice(Vec<&'static str>),
}

fn pieces() -> Vec<Piece> {
    let mut out = Vec::new();
    let mut rest = TEXT;
    while let Some((before, after)) = rest.split_once('‹') {
        let (choice, after) = after.split_once('›').expect("alternatives end");
        out.push(Piece::Fixed(before));
        out.push(Piece::Choice(choice.split('¦').collect()));
        rest = after;
    }
    out.push(Piece::Fixed(rest));
    out
}

/// The files under some choices; each choice counts round among its alternatives.
fn tree(pieces: &[Piece], choices: &[u8]) -> Tree {
    let mut text = String::new();
    let mut choices = choices.iter();
    for piece in pieces {
        text.push_str(match piece {
            Piece::Fixed(text) => text,
            Piece::Choice(all) => {
                let choice = choices.next().copied().unwrap_or(0);
                all[usize::from(choice) % all.len()]
            }
        });
    }
    let mut tree = Tree::new();
    for file in text.split("//- ").skip(1) {
        let (path, content) = file.split_once('\n').expect("a path ends its line");
        if !path.is_empty() {
            tree.entry(path.to_owned()).or_default().push_str(content);
        }
    }
    tree
}

/// A program and what edits make of it, one or two choices at a time.
pub(crate) fn programs(commits: usize) -> impl Strategy<Value = Vec<Tree>> {
    let pieces = pieces();
    let count = pieces
        .iter()
        .filter(|piece| matches!(piece, Piece::Choice(_)))
        .count();
    let mostly_first = prop_oneof![2 => Just(0), 1 => any::<u8>()];
    let edit = vec((0..count, 1u8..6), 1..3);
    (vec(mostly_first, count), vec(edit, 1..commits)).prop_map(move |(mut choices, edits)| {
        let mut trees = vec![tree(&pieces, &choices)];
        for edit in edits {
            for (at, by) in edit {
                choices[at] = choices[at].wrapping_add(by);
            }
            trees.push(tree(&pieces, &choices));
        }
        trees
    })
}
