//! Edits that move or copy code, and where its positions are afterwards, so that moved code is compared like code that
//! stays.
//!
//! Must not know: why the code moves.

use std::collections::{BTreeMap, BTreeSet};

use cortex_model::ByteRange;
use cortex_semantics::{Decision, Question};
use cortex_syntax::text::{Lexical, LexicalKind};

use crate::text_edit::{StartIs, TextEdit, TextEdits};

/// A part of the text that an edit writes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Fragment {
    /// Text that was not there.
    New(String),
    /// Text of the file as it is.
    Moved(ByteRange),
}

/// An edit whose text comes in part from the same file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MovingEdit {
    /// What is replaced.
    pub(crate) range: ByteRange,
    /// What takes its place.
    pub(crate) fragments: Vec<Fragment>,
    /// Whether the expression at the start of the range is what the first fragments are now: what its place makes of it
    /// is compared.
    pub(crate) is_same_expression: bool,
}

impl MovingEdit {
    /// One that only takes text away.
    pub(crate) fn removal(range: ByteRange) -> Self {
        Self {
            range,
            fragments: Vec::new(),
            is_same_expression: false,
        }
    }
}

/// Where moved code is, before and after.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MovedText {
    /// Old ranges with where their first copy starts, by old position.
    by_old: Vec<(ByteRange, u32)>,
    /// Where a copy starts in the new text, its length, and where the first copy starts, by new position.
    by_new: Vec<(u32, u32, u32)>,
    /// Old positions of expressions that others take the place of, and where these start.
    old_places: BTreeMap<u32, u32>,
    /// New positions that stand for others of the new text.
    new_places: BTreeMap<u32, u32>,
    /// Old positions at which a decision may go: names that are no longer written.
    pub(crate) replaced: BTreeSet<u32>,
    /// Old positions at which a conversion may go: code that is converted elsewhere now.
    pub(crate) converted_elsewhere: BTreeSet<u32>,
    /// The same of code that is a part of new code, by old position: its place is another one, whatever it makes of it.
    pub(crate) placed_anew: BTreeSet<u32>,
    /// The type of what stood at the old positions that others take the place of, for people.
    pub(crate) old_type: Option<String>,
    /// Where a call starts that takes the place of an expression that moves.
    call: Option<u32>,
    /// Where an expression is that is returned, with its type.
    returned: Option<(u32, String)>,
    /// Old positions of uses of variables that are others afterwards, such as parameters.
    pub(crate) relocated: BTreeSet<u32>,
    /// What of the old text takes part: what is not bound there is not proven.
    pub(crate) involved: Vec<ByteRange>,
}

impl MovedText {
    /// Of an edit after which a declaration at one new position is to other code what the one at another new position was.
    pub(crate) fn standing_for(new: u32, other: u32) -> Self {
        Self {
            new_places: BTreeMap::from([(new, other)]),
            ..Self::default()
        }
    }

    /// Where an old position is in the new text; `None` where the edit tells.
    pub(crate) fn new_position(&self, old: u32) -> Option<u32> {
        if let Some(&place) = self.old_places.get(&old) {
            return Some(place);
        }
        let (range, start) = self.by_old[..self.by_old.partition_point(|it| it.0.start <= old)]
            .last()
            .copied()?;
        range.contains(old).then(|| start + old - range.start)
    }

    /// Says that a call takes the place of an expression that moves: both are compared with what stood there. `shown`: the
    /// type of the expression, which a `return` may convert it to.
    pub(crate) fn join_call(&mut self, old: u32, shown: String) {
        let Some(call) = self.old_places.remove(&old) else {
            return;
        };
        let Some(place) = self.new_position(old) else {
            return;
        };
        for target in self.new_places.values_mut() {
            if *target == call {
                *target = place;
            }
        }
        self.new_places.insert(call, place);
        self.call = Some(call);
        self.returned = Some((place, shown));
    }

    /// Whether a decision of the new text says only how an expression is called or returned.
    pub(crate) fn is_of_call(&self, decision: &Decision) -> bool {
        let is_call = self.call == Some(decision.own_offset);
        match decision.question {
            Question::Type => is_call && &*decision.shown == "?",
            Question::Conversion => (self.returned.as_ref())
                .is_some_and(|(at, shown)| *at == decision.offset && *shown == *decision.shown),
            _ => is_call,
        }
    }

    /// Whether what stood at a position of the new text before had a type.
    pub(crate) fn has_type(&self, new: u32, shown: &str) -> bool {
        self.is_of_old_type(shown) && self.old_places.values().any(|&it| it == new)
    }

    /// Whether a type is that of what stood at the old positions.
    pub(crate) fn is_of_old_type(&self, shown: &str) -> bool {
        let shown = shown.split(" = ").next().unwrap_or_default();
        self.old_type.as_deref() == Some(shown)
    }

    /// Which position stands for one of the new text that the edit wrote, if it was moved.
    pub(crate) fn common_position(&self, new: u32) -> Option<u32> {
        if let Some(&place) = self.new_places.get(&new) {
            return Some(place);
        }
        let (start, len, first) = self.by_new[..self.by_new.partition_point(|it| it.0 <= new)]
            .last()
            .copied()?;
        (new < start + len).then(|| first + new - start)
    }
}

/// A part of a text that moves, its lines at another indentation; those that begin inside of a string stay as they are.
pub(crate) fn laid_anew(text: &str, range: ByteRange, [old, new]: [&str; 2]) -> Vec<Fragment> {
    let lexical = Lexical::of(text.as_bytes());
    let mut out = Vec::new();
    let mut at = range.start;
    while at < range.end {
        let rest = &text[at as usize..range.end as usize];
        let end = rest.find('\n').map_or(range.end, |it| at + it as u32 + 1);
        let is_first = at == range.start;
        let line = &text[at as usize..end as usize];
        let is_string = !is_first && lexical.at(at) == LexicalKind::String;
        let white = match line.strip_prefix(old) {
            Some(_) if !is_first && !is_string && !old.is_empty() => old.len() as u32,
            _ => 0,
        };
        // What ends within a line goes on behind its white space.
        let has_code = !line.trim().is_empty() || !line.ends_with('\n');
        if white > 0 && has_code {
            out.push(Fragment::New(new.to_owned()));
        }
        out.push(Fragment::Moved(ByteRange {
            start: at + white,
            end,
        }));
        at = end;
    }
    out
}

/// Without parts that are empty, and with new text in one part.
pub(crate) fn joined(fragments: Vec<Fragment>) -> Vec<Fragment> {
    let mut out: Vec<Fragment> = Vec::new();
    for fragment in fragments {
        match (out.last_mut(), fragment) {
            (_, Fragment::Moved(range)) if range.start == range.end => {}
            (_, Fragment::New(text)) if text.is_empty() => {}
            (Some(Fragment::New(before)), Fragment::New(text)) => before.push_str(&text),
            (_, fragment) => out.push(fragment),
        }
    }
    out
}

/// The parts of a range between some bounds.
fn pieces(range: ByteRange, bounds: &BTreeSet<u32>) -> Vec<ByteRange> {
    if range.start >= range.end {
        return vec![range];
    }
    let mut out = Vec::new();
    let mut start = range.start;
    for &end in bounds.range(range.start + 1..range.end).chain([&range.end]) {
        out.push(ByteRange { start, end });
        start = end;
    }
    out
}

/// Puts edits of a text together; `None` where they overlap.
pub(crate) fn moving_edits(text: &str, edits: &[MovingEdit]) -> Option<(TextEdits, MovedText)> {
    let mut sorted: Vec<&MovingEdit> = edits.iter().collect();
    sorted.sort_by_key(|edit| edit.range);
    let written = |edit: &MovingEdit| {
        let parts = edit.fragments.iter().map(|fragment| match fragment {
            Fragment::New(new) => new.as_str(),
            Fragment::Moved(range) => &text[range.as_usize()],
        });
        parts.collect::<String>()
    };
    let made = sorted.iter().map(|edit| TextEdit {
        range: edit.range,
        text: written(edit),
        start: StartIs::New,
    });
    let made = TextEdits::new(made.collect())?;
    let mut moved = MovedText::default();
    // Copies of one text may be interrupted at different places.
    let fragments = sorted.iter().flat_map(|edit| &edit.fragments);
    let bounds: BTreeSet<u32> = fragments
        .flat_map(|fragment| match fragment {
            Fragment::New(_) => Vec::new(),
            Fragment::Moved(range) => vec![range.start, range.end],
        })
        .collect();
    let mut first_of: BTreeMap<u32, u32> = BTreeMap::new();
    let mut shift = 0_i64;
    for edit in sorted {
        let start = (i64::from(edit.range.start) + shift) as u32;
        let mut at = start;
        let mut place = None;
        for fragment in &edit.fragments {
            match fragment {
                Fragment::New(new) => at += new.len() as u32,
                Fragment::Moved(range) => {
                    for range in pieces(*range, &bounds) {
                        let first = *first_of.entry(range.start).or_insert_with(|| {
                            moved.by_old.push((range, at));
                            at
                        });
                        let len = range.end - range.start;
                        moved.by_new.push((at, len, first));
                        place.get_or_insert(first);
                        at += len;
                    }
                }
            }
        }
        if edit.is_same_expression {
            let place = place.unwrap_or(start);
            moved.old_places.insert(edit.range.start, place);
            // What parentheses contain has its type at the first of them too.
            let opening = match edit.fragments.first() {
                Some(Fragment::New(new)) if new.starts_with('(') => {
                    new.bytes().take_while(|&it| it == b'(').count() as u32
                }
                Some(Fragment::New(new))
                    if new.starts_with("new ") || edit.fragments.len() == 1 =>
                {
                    1
                }
                _ => 0,
            };
            for offset in start..start + opening {
                moved.new_places.insert(offset, place);
            }
        }
        shift += i64::from(at - start) - i64::from(edit.range.end - edit.range.start);
    }
    moved.by_old.sort_unstable();
    moved.by_new.sort_unstable();
    Some((made, moved))
}
