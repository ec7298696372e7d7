//! Stretches of code that went from one member to another.
//!
//! Owns: what counts as moved, line by line, as `git diff --color-moved` does. Must not know: how it is shown.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
};

use cortex_wire::{CodeLine, CodeLineKind, DiffContext, MemberChange};

use super::is_comment;
use crate::markdown::names::Names;

/// So many lines that follow one another find the same lines elsewhere.
const N_SEED: usize = 3;

/// So many lines of code make a stretch that moved; of fewer, each can be written again by chance.
const MIN_LINES: usize = 6;

/// So many places of the same lines are compared.
const MAX_PLACES: usize = 8;

/// A member, by the indices of its type and of itself.
type Member = (usize, usize);

/// What of all members' code moved.
#[derive(Default)]
pub(in crate::markdown) struct Moves {
    of: BTreeMap<Member, Moved>,
}

/// What of one member's code stands, or stood, in another one.
#[derive(Default)]
pub(super) struct Moved {
    /// By line: which of `others` has it.
    lines: Vec<Option<u32>>,
    others: Vec<String>,
}

impl Moved {
    /// The name of the member that has or had the line of this index.
    pub(super) fn other(&self, line: usize) -> Option<&str> {
        let other = (*self.lines.get(line)?)?;
        Some(&self.others[other as usize])
    }

    /// How many of the changed lines of code are moved ones, in percent.
    pub(super) fn percent_of(&self, code: &[CodeLine]) -> usize {
        let is_changed = |line: &&CodeLine| line.kind != CodeLineKind::Context && !is_comment(line);
        let n_changed = code.iter().filter(is_changed).count();
        let n_moved = self.lines.iter().flatten().count();
        n_moved * 100 / n_changed.max(1)
    }
}

/// The lines of one side of a member, without blank ones.
struct Side<'a> {
    member: Member,
    kind: CodeLineKind,
    lines: Vec<Line<'a>>,
}

struct Line<'a> {
    index: usize,
    text: Cow<'a, str>,
    /// Whether the other side of the member lacks it.
    is_own: bool,
}

impl<'a> Side<'a> {
    /// `kind`: what only this side has. `None` where it has too little for a move.
    fn new(of: Member, code: &'a [CodeLine], kind: CodeLineKind) -> Option<Self> {
        let lines = code.iter().enumerate().map(|(index, line)| Line {
            index,
            text: without_prefixes(line.text.trim()),
            is_own: line.kind == kind,
        });
        let is_of_side =
            |line: &Line<'_>| line.is_own || code[line.index].kind == CodeLineKind::Context;
        let lines = lines.filter(|line| is_of_side(line) && !line.text.is_empty());
        let lines: Vec<Line<'_>> = lines.collect();
        let n_own = lines.iter().filter(|line| line.is_own).count();
        (n_own >= MIN_LINES).then_some(Self {
            member: of,
            kind,
            lines,
        })
    }

    /// What a stretch that starts at the line `at` is found by: begins with what only this side has.
    fn seed(&self, at: usize) -> Option<[&str; N_SEED]> {
        let lines = self.lines.get(at..at + N_SEED)?;
        let is_telling = |line: &Line<'_>| line.is_own && says_something(&line.text);
        (lines[0].is_own && lines.iter().any(is_telling))
            .then(|| std::array::from_fn(|i| lines[i].text.as_ref()))
    }
}

impl Moves {
    /// Finds what moved between any two members of an answer. Takes time in proportion to the number of lines.
    pub(in crate::markdown) fn new(answer: &DiffContext, names: &Names) -> Self {
        let sides = |kind| -> Vec<Side<'_>> {
            let all = members(answer);
            let sides = all.map(|(of, member)| Side::new(of, &member.code, kind));
            sides.flatten().collect()
        };
        let [old, new] = [CodeLineKind::Removed, CodeLineKind::Added].map(sides);
        let mut seeds: HashMap<[&str; N_SEED], Vec<(usize, usize)>> = HashMap::new();
        for (s, side) in old.iter().enumerate() {
            for at in 0..side.lines.len() {
                if let Some(seed) = side.seed(at) {
                    let places = seeds.entry(seed).or_default();
                    if places.len() < MAX_PLACES {
                        places.push((s, at));
                    }
                }
            }
        }
        let mut moves = Self::default();
        for to in &new {
            let mut at = 0;
            while at < to.lines.len() {
                at += match longest(&old, to, at, to.seed(at).and_then(|seed| seeds.get(&seed))) {
                    Some((from, start, n)) => {
                        moves.note(answer, names, [from, to], [start, at], n);
                        n
                    }
                    None => 1,
                };
            }
        }
        moves
    }

    /// What of a member's code moved, if any did.
    pub(super) fn of(&self, member: Member) -> Option<&Moved> {
        self.of.get(&member)
    }

    /// Notes on both sides that `n` lines are the same.
    fn note(
        &mut self,
        answer: &DiffContext,
        names: &Names,
        sides: [&Side<'_>; 2],
        starts: [usize; 2],
        n: usize,
    ) {
        for (i, other) in [(0, 1), (1, 0)] {
            let side = sides[i];
            let (t, m) = side.member;
            let code = &answer.types[t].members[m].code;
            let moved = self.of.entry((t, m)).or_default();
            moved.lines.resize(code.len(), None);
            let name = label(answer, names, sides[other].member, t);
            let known = moved.others.iter().position(|it| *it == name);
            let index = known.unwrap_or(moved.others.len());
            if known.is_none() {
                moved.others.push(name);
            }
            let lines = &side.lines[starts[i]..starts[i] + n];
            let range = lines[0].index..lines[n - 1].index + 1;
            let marks = moved.lines[range.clone()].iter_mut().zip(&code[range]);
            for (mark, _) in marks.filter(|(_, line)| line.kind == side.kind) {
                *mark = Some(index as u32);
            }
        }
    }
}

/// The longest stretch of `to` from the line `at` that another member has on the old side, as that one, its start there
/// and its length.
fn longest<'s, 'a>(
    old: &'s [Side<'a>],
    to: &Side<'a>,
    at: usize,
    places: Option<&Vec<(usize, usize)>>,
) -> Option<(&'s Side<'a>, usize, usize)> {
    let places = places.into_iter().flatten();
    let stretches = places.filter_map(|&(s, start)| {
        let from = &old[s];
        if from.member == to.member {
            return None;
        }
        let pairs = from.lines[start..].iter().zip(&to.lines[at..]);
        let same = pairs.take_while(|(old, new)| old.text == new.text);
        // Lines that one side has as well did not move.
        let moved = same
            .enumerate()
            .filter(|(_, (old, new))| old.is_own && new.is_own);
        let (mut n, mut n_telling) = (0, 0);
        for (i, (line, _)) in moved {
            n = i + 1;
            n_telling += usize::from(says_something(&line.text));
        }
        (n_telling >= MIN_LINES).then_some((from, start, n))
    });
    // The first one of equally long ones.
    stretches.reduce(|best, next| if next.2 > best.2 { next } else { best })
}

/// A line without the underscores that names of fields start with: what a class keeps in fields, another one has in
/// parameters of its constructor.
fn without_prefixes(text: &str) -> Cow<'_, str> {
    if !text.contains('_') {
        return Cow::Borrowed(text);
    }
    let mut before = ' ';
    let is_kept = |c: &char| {
        let is_first = *c == '_' && !before.is_alphanumeric();
        before = *c;
        !is_first
    };
    Cow::Owned(text.chars().filter(is_kept).collect())
}

/// Whether a line is more than braces.
fn says_something(text: &str) -> bool {
    text.chars().filter(|c| c.is_alphanumeric()).count() > 2
}

/// The name of a member, with its type's where that is another one than `t`.
fn label(answer: &DiffContext, names: &Names, (other, m): Member, t: usize) -> String {
    let change = &answer.types[other];
    let name = &change.members[m].name;
    match other == t {
        true => name.clone(),
        false => format!("{}.{name}", names.listed(&change.ty.name)),
    }
}

fn members(answer: &DiffContext) -> impl Iterator<Item = (Member, &MemberChange)> {
    let types = answer.types.iter().enumerate();
    types.flat_map(|(t, change)| {
        let members = change.members.iter().enumerate();
        members.map(move |(m, member)| ((t, m), member))
    })
}
