//! Replacements in one text, and where its positions are afterwards.
//!
//! Must not know: what an edit is for.

use cortex_model::ByteRange;
use cortex_syntax::text::{Encoding, FileOffsets, decode};

use crate::EditError;

/// A replacement in the decoded text of a file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TextEdit {
    /// What is replaced, in bytes of the decoded text.
    pub range: ByteRange,
    /// What takes its place.
    pub text: String,
    /// What becomes of the position where it starts.
    pub start: StartIs,
}

/// What becomes of the position where an edit starts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum StartIs {
    /// A name takes the place of a name: what is decided there is decided there still.
    Kept,
    /// What stood there is gone, and what stands there is new.
    New,
}

/// The edits of one text, by position, no two of which overlap. What is inserted comes before what takes the place of the
/// text there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TextEdits {
    edits: Vec<TextEdit>,
    /// Where each one starts in the new text.
    new_starts: Vec<u32>,
}

impl TextEdits {
    /// Takes edits in any order; equal ones count once. `None` where two overlap, or two insert at one place.
    pub fn new(mut edits: Vec<TextEdit>) -> Option<Self> {
        edits.sort();
        edits.dedup();
        let is_apart = |pair: &[TextEdit]| {
            pair[0].range.end < pair[1].range.start
                || pair[0].range.end == pair[1].range.start && pair[0].range != pair[1].range
        };
        if !edits.windows(2).all(is_apart) {
            return None;
        }
        let mut moved = 0;
        let mut new_starts = Vec::with_capacity(edits.len());
        for edit in &edits {
            new_starts.push((i64::from(edit.range.start) + moved) as u32);
            moved += edit.text.len() as i64 - i64::from(edit.range.end - edit.range.start);
        }
        Some(Self { edits, new_starts })
    }

    /// The edits, by position.
    pub fn all(&self) -> &[TextEdit] {
        &self.edits
    }

    /// Where the text starts afterwards that an edit writes; `None` for one that is not among these.
    pub fn new_start(&self, edit: &TextEdit) -> Option<u32> {
        let at = self.edits.binary_search(edit).ok()?;
        Some(self.new_starts[at])
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// The bytes of the file afterwards: of the same encoding, and the same where no edit is. O(bytes).
    ///
    /// # Errors
    /// [`EditError::Encoding`] for text that the encoding of the file cannot say.
    pub fn apply(&self, bytes: &[u8]) -> Result<Vec<u8>, EditError> {
        let source = decode(bytes);
        let offsets = FileOffsets::new(&source, bytes.len());
        let mut out = Vec::with_capacity(bytes.len());
        let mut at = 0;
        for edit in &self.edits {
            let range = offsets.file_range(edit.range).as_usize();
            out.extend_from_slice(&bytes[at..range.start]);
            encode(&edit.text, source.encoding(), &mut out)?;
            at = range.end;
        }
        out.extend_from_slice(&bytes[at..]);
        Ok(out)
    }

    /// Where a position of the old text is in the new one; `None` for one that an edit removed. O(log edits).
    pub fn new_position(&self, offset: u32) -> Option<u32> {
        let Some(last) = (self.edits)
            .partition_point(|edit| edit.range.start <= offset)
            .checked_sub(1)
        else {
            return Some(offset);
        };
        let (edit, new_start) = (&self.edits[last], self.new_starts[last]);
        if offset == edit.range.start && edit.start == StartIs::Kept {
            return Some(new_start);
        }
        let behind = offset.checked_sub(edit.range.end)?;
        Some(new_start + edit.text.len() as u32 + behind)
    }

    /// The first edit that writes what is at a position of the new text; one that gives a name another text does so at
    /// its start alone. O(log edits).
    pub fn writing(&self, new_offset: u32) -> Option<&TextEdit> {
        let behind = self
            .new_starts
            .partition_point(|&start| start <= new_offset);
        let at = self.new_starts[..behind].last().map_or(0, |&last| {
            self.new_starts.partition_point(|&start| start < last)
        });
        (at..behind)
            .map(|at| (&self.edits[at], self.new_starts[at]))
            .find(|(edit, start)| match edit.start {
                StartIs::Kept => *start == new_offset,
                StartIs::New => new_offset < start + edit.text.len() as u32,
            })
            .map(|(edit, _)| edit)
    }

    /// Whether an edit takes the place of what stands at a position of the old text. O(log edits).
    pub fn is_edited(&self, offset: u32) -> bool {
        let before = (self.edits).partition_point(|edit| edit.range.start <= offset);
        self.edits[..before]
            .last()
            .is_some_and(|edit| edit.range.contains(offset))
    }

    /// Where a position of the new text was in the old one; `None` for one in a text that an edit wrote. O(log edits).
    pub fn old_position(&self, new_offset: u32) -> Option<u32> {
        let behind = self
            .new_starts
            .partition_point(|&start| start <= new_offset);
        let Some(last) = behind.checked_sub(1) else {
            return Some(new_offset);
        };
        let (edit, start) = (&self.edits[last], self.new_starts[last]);
        if new_offset == start && edit.start == StartIs::Kept {
            return Some(edit.range.start);
        }
        let end = start + edit.text.len() as u32;
        Some(edit.range.end + new_offset.checked_sub(end)?)
    }

    /// Whether a position of the new text was in the old one as well. O(log edits).
    pub fn was_there(&self, new_offset: u32) -> bool {
        let before = self
            .new_starts
            .partition_point(|&start| start <= new_offset);
        // An edit that only removes starts where the next one may.
        let mut last = before;
        while let Some(at) = last.checked_sub(1) {
            let (edit, start) = (&self.edits[at], self.new_starts[at]);
            if new_offset < start + edit.text.len() as u32 {
                return new_offset == start && edit.start == StartIs::Kept;
            }
            if start < new_offset {
                break;
            }
            last = at;
        }
        true
    }
}

fn encode(text: &str, encoding: Encoding, out: &mut Vec<u8>) -> Result<(), EditError> {
    match encoding {
        Encoding::Utf8 | Encoding::Utf8Bom => out.extend_from_slice(text.as_bytes()),
        Encoding::Utf16Le => out.extend(text.encode_utf16().flat_map(u16::to_le_bytes)),
        Encoding::Utf16Be => out.extend(text.encode_utf16().flat_map(u16::to_be_bytes)),
        Encoding::Windows1252Guessed => {
            // What is not ASCII differs between the encodings that this one is guessed for.
            if !text.is_ascii() {
                return Err(EditError::Encoding {
                    text: text.to_owned(),
                });
            }
            out.extend_from_slice(text.as_bytes());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use cortex_model::ByteRange;
    use proptest::prelude::*;

    use super::{StartIs, TextEdit, TextEdits};

    /// Random edits of a text of letters: each replaces a stretch of up to three by up to three others.
    fn edits() -> impl Strategy<Value = (String, TextEdits)> {
        let edit = (0_u32..40, 0_u32..4, "[A-Z]{0,3}", any::<bool>());
        ("[a-z]{40}", prop::collection::vec(edit, 0..6)).prop_map(|(text, edits)| {
            let mut all = Vec::new();
            let mut at = 0;
            for (skip, len, new, is_kept) in edits {
                let start = at + skip % 8;
                // Two insertions at one place are none.
                let is_behind_insertion = (all.last())
                    .is_some_and(|it: &TextEdit| it.range == ByteRange { start, end: start });
                let end = (start + len.max(u32::from(is_behind_insertion))).min(40);
                if start >= 40 {
                    break;
                }
                let is_kept = is_kept && end > start && !new.is_empty();
                all.push(TextEdit {
                    range: ByteRange { start, end },
                    text: new,
                    start: if is_kept { StartIs::Kept } else { StartIs::New },
                });
                at = end;
            }
            (text, TextEdits::new(all).expect("edits are apart"))
        })
    }

    proptest! {
        #[test]
        fn what_no_edit_touches_is_found_where_it_says((text, edits) in edits()) {
            let new = edits.apply(text.as_bytes()).expect("UTF-8 takes everything");
            let mut n_found = 0;
            for (offset, byte) in text.bytes().enumerate() {
                let inside = edits.all().iter().find(|edit| edit.range.contains(offset as u32));
                match edits.new_position(offset as u32) {
                    Some(at) => {
                        prop_assert!(edits.was_there(at));
                        if inside.is_none() {
                            prop_assert_eq!(new[at as usize], byte);
                            n_found += 1;
                        }
                    }
                    None => prop_assert!(inside.is_some()),
                }
            }
            let n_new: usize = edits.all().iter().map(|edit| edit.text.len()).sum();
            prop_assert_eq!(new.len(), n_found + n_new);
            let n_there = (0..new.len() as u32).filter(|&at| edits.was_there(at)).count();
            let kept = edits.all().iter().filter(|edit| edit.start == StartIs::Kept);
            prop_assert_eq!(n_there, n_found + kept.count());
        }
    }

    #[test]
    fn edits_that_overlap_are_none() {
        let edit = |start, end, text: &str| TextEdit {
            range: ByteRange { start, end },
            text: text.to_owned(),
            start: StartIs::New,
        };
        assert!(TextEdits::new(vec![edit(0, 2, "a"), edit(1, 3, "b")]).is_none());
        assert!(TextEdits::new(vec![edit(1, 1, "a"), edit(1, 1, "b")]).is_none());
        assert!(TextEdits::new(vec![edit(0, 2, "a"), edit(0, 2, "a")]).is_some());
        assert!(TextEdits::new(vec![edit(0, 2, "a"), edit(2, 3, "b")]).is_some());
    }

    #[test]
    fn every_encoding_keeps_its_bytes_around_an_edit() {
        let text = "ä x ü";
        let utf16: Vec<u8> = [0xFF, 0xFE]
            .into_iter()
            .chain(text.encode_utf16().flat_map(u16::to_le_bytes))
            .collect();
        let at = 3;
        let edits = TextEdits::new(vec![TextEdit {
            range: ByteRange {
                start: at,
                end: at + 1,
            },
            text: "größe".to_owned(),
            start: StartIs::Kept,
        }])
        .expect("one edit");
        let new = edits.apply(&utf16).expect("UTF-16 takes everything");
        let expected: Vec<u8> = [0xFF, 0xFE]
            .into_iter()
            .chain("ä größe ü".encode_utf16().flat_map(u16::to_le_bytes))
            .collect();
        assert_eq!(new, expected);
    }
}
