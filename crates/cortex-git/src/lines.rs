//! The difference of two texts, line by line, as git sees lines.

use std::ops::Range;

use gix::diff::blob::{Algorithm, Diff, InternedInput};

/// Up to this product of hunks and lines, hunks are moved to natural places. Moving them can cost that much, and
/// texts of many equal lines do bring it about: this is a tenth of a second.
const MAX_MOVING: u64 = 1_000_000_000;

/// Lines that replace others. Lines are counted from 0 and end at LF alone, as in git's own differences.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineHunk {
    /// The lines that go, half-open; empty for an insertion before `old.start`.
    pub old: Range<u32>,
    /// The lines that come, half-open; empty for a removal.
    pub new: Range<u32>,
}

/// The difference of two texts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LineDiff {
    /// What differs, ascending and without overlap; between two hunks lies at least one equal line.
    pub hunks: Vec<LineHunk>,
    /// How many lines come.
    pub n_added: u32,
    /// How many lines go.
    pub n_deleted: u32,
}

/// Compares two texts line by line.
///
/// The algorithm is git's default: Myers with its heuristics, hunks moved to natural places by indentation (but not
/// where there are too many of them). Work is bounded by the input, not by a clock: equal input gives equal output,
/// hostile input included.
pub fn diff_lines(old: &[u8], new: &[u8]) -> LineDiff {
    if old == new {
        return LineDiff::default();
    }
    let input = InternedInput::new(old, new);
    let mut diff = Diff::compute(Algorithm::Myers, &input);
    let n_lines = (input.before.len() + input.after.len()) as u64;
    if diff.hunks().count() as u64 * n_lines <= MAX_MOVING {
        diff.postprocess_lines(&input);
    }
    LineDiff {
        hunks: diff
            .hunks()
            .map(|hunk| LineHunk {
                old: hunk.before,
                new: hunk.after,
            })
            .collect(),
        n_added: diff.count_additions(),
        n_deleted: diff.count_removals(),
    }
}

/// Whether git takes a content for binary: a zero byte among the first 8,000.
pub fn is_binary(content: &[u8]) -> bool {
    content[..content.len().min(8000)].contains(&0)
}

#[cfg(test)]
mod tests {
    use super::{LineHunk, diff_lines, is_binary};

    #[track_caller]
    fn check_rebuilds(old: &str, new: &str) {
        let diff = diff_lines(old.as_bytes(), new.as_bytes());
        let old_lines: Vec<&str> = old.split_inclusive('\n').collect();
        let new_lines: Vec<&str> = new.split_inclusive('\n').collect();
        let (mut rebuilt, mut at) = (Vec::new(), 0);
        for LineHunk { old, new } in &diff.hunks {
            rebuilt.extend_from_slice(&old_lines[at..old.start as usize]);
            rebuilt.extend_from_slice(&new_lines[new.start as usize..new.end as usize]);
            at = old.end as usize;
        }
        rebuilt.extend_from_slice(&old_lines[at..]);
        assert_eq!(rebuilt.concat(), new);
        let n_added: u32 = diff.hunks.iter().map(|hunk| hunk.new.len() as u32).sum();
        assert_eq!(diff.n_added, n_added);
        let n_deleted: u32 = diff.hunks.iter().map(|hunk| hunk.old.len() as u32).sum();
        assert_eq!(diff.n_deleted, n_deleted);
    }

    #[test]
    fn hunks_turn_the_old_text_into_the_new_one() {
        check_rebuilds("", "a\n");
        check_rebuilds("a\n", "");
        check_rebuilds("a\nb\nc\n", "a\nx\nc\ny");
        check_rebuilds("a\r\nb\r\n", "a\nb\n");
        check_rebuilds("a\nb", "a\nb\n");
        check_rebuilds(&"x\ny\n".repeat(500), &"y\nx\nx\n".repeat(400));
    }

    #[test]
    fn equal_texts_have_no_hunks() {
        assert_eq!(diff_lines(b"a\nb\n", b"a\nb\n").hunks, []);
    }

    #[test]
    fn repeated_lines_do_not_cost_a_square() {
        let old = "{\n}\n".repeat(100_000);
        let new = "}\n\n{\n".repeat(70_000);
        check_rebuilds(&old, &new);
    }

    #[test]
    fn a_zero_byte_makes_binary_only_near_the_start() {
        let mut content = vec![b'a'; 8001];
        content[8000] = 0;
        assert!(!is_binary(&content));
        content[7999] = 0;
        assert!(is_binary(&content));
    }
}
