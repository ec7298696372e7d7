//! Positions in one source text: byte offsets inside, lines and UTF-16 columns for users.

use serde::{Deserialize, Serialize};

/// Byte offsets, half-open: in the decoded text of a file as facts and bindings have them, in the bytes of the file
/// where that is said.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    Default,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
pub struct ByteRange {
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl ByteRange {
    /// Whether `offset` lies inside.
    pub fn contains(&self, offset: u32) -> bool {
        self.start <= offset && offset < self.end
    }

    /// Whether the two share a byte.
    pub fn overlaps(&self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// The range as an index into a byte slice.
    pub fn as_usize(&self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A position as editors show it: both numbers 1-based, the column counted in UTF-16 code units.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
pub struct LineColumn {
    /// 1-based line. Lines end at CR, LF, CRLF, U+0085, U+2028 and U+2029 (C# specification, §6.3.2).
    pub line: u32,
    /// 1-based column in UTF-16 code units.
    pub column: u32,
}

/// Where the lines of a text start, and where its columns differ from its bytes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LineTable {
    // Invariant: ascending; the first line starts at 0 and is not listed.
    starts: Vec<u32>,
    // Invariant: ascending offsets of characters whose UTF-8 length differs from their UTF-16
    // length, each with the difference.
    wide: Vec<(u32, u8)>,
}

impl LineTable {
    /// Reads the table off UTF-8 `text`. Invalid sequences count one column per byte.
    pub fn new(text: &[u8]) -> Self {
        let mut table = Self::default();
        let mut i = 0;
        while i < text.len() {
            let byte = text[i];
            let next = i + 1;
            match byte {
                b'\n' => table.starts.push(next as u32),
                b'\r' if text.get(next) != Some(&b'\n') => table.starts.push(next as u32),
                0xC2 if text.get(next) == Some(&0x85) => table.starts.push(next as u32 + 1),
                0xE2 if matches!(text.get(next..next + 2), Some([0x80, 0xA8 | 0xA9])) => {
                    table.starts.push(next as u32 + 2);
                }
                _ => {}
            }
            i = next;
            if byte >= 0xC0 {
                let len = if byte >= 0xF0 {
                    4
                } else if byte >= 0xE0 {
                    3
                } else {
                    2
                };
                let tail = &text[next..text.len().min(next + len - 1)];
                if tail.len() == len - 1 && tail.iter().all(|b| b & 0xC0 == 0x80) {
                    let utf16 = match &text[i - 1..next + len - 1] {
                        // A byte order mark is no part of the text.
                        [0xEF, 0xBB, 0xBF] if next == 1 => 0,
                        _ if len == 4 => 2,
                        _ => 1,
                    };
                    table.wide.push((next as u32 - 1, (len - utf16) as u8));
                    i += len - 1;
                }
            }
        }
        table
    }

    /// How many lines there are; a text that ends in a line break has an empty last line.
    pub fn n_lines(&self) -> u32 {
        self.starts.len() as u32 + 1
    }

    /// The position of a byte offset. O(log lines + wide characters of the line).
    pub fn position(&self, offset: u32) -> LineColumn {
        let line = self.starts.partition_point(|&start| start <= offset);
        let start = if line == 0 { 0 } else { self.starts[line - 1] };
        let from = self.wide.partition_point(|&(at, _)| at < start);
        let narrower: u32 = self.wide[from..]
            .iter()
            .take_while(|&&(at, _)| at < offset)
            .map(|&(_, difference)| u32::from(difference))
            .sum();
        LineColumn {
            line: line as u32 + 1,
            column: (offset - start).saturating_sub(narrower) + 1,
        }
    }

    /// The byte offset at which a 1-based line starts; `None` past the last line.
    pub fn line_start(&self, line: u32) -> Option<u32> {
        match line {
            0 => None,
            1 => Some(0),
            _ => self.starts.get(line as usize - 2).copied(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LineColumn, LineTable};

    #[track_caller]
    fn check_position(text: &str, needle: &str, line: u32, column: u32) {
        let offset = text.find(needle).expect("needle") as u32;
        let table = LineTable::new(text.as_bytes());
        assert_eq!(table.position(offset), LineColumn { line, column });
    }

    #[test]
    fn lines_end_where_csharp_says() {
        check_position("a\nX", "X", 2, 1);
        check_position("a\r\nX", "X", 2, 1);
        check_position("a\rX", "X", 2, 1);
        check_position("a\u{85}X", "X", 2, 1);
        check_position("a\u{2028}b\u{2029} X", "X", 3, 2);
    }

    #[test]
    fn columns_count_utf16_code_units() {
        check_position("é = X", "X", 1, 5);
        check_position("\n“𝄞” X", "X", 2, 6);
        check_position("\u{feff}a X\u{feff} Y", "X", 1, 3);
        check_position("\u{feff}a X\u{feff} Y", "Y", 1, 6);
    }
}
