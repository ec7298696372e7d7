//! White space beyond what the grammar knows, line separators among it.

use super::{RepairKind, Rewriter};
use crate::text::lexer::{comment_length, line_break_length, wide_blank_length};
use cortex_model::ByteRange;

impl Rewriter<'_> {
    /// Blanks become spaces; a line break becomes spaces and a line feed, so that the next line
    /// starts where it did and a comment ends where it did.
    pub(super) fn white_space(&mut self) {
        for i in 0..=self.tokens.len() {
            let gap = self.tokens.gap_before(i);
            let bytes = self.tokens.bytes(gap);
            if bytes.is_ascii() {
                continue;
            }
            let mut at = 0;
            while at < bytes.len() {
                let rest = &bytes[at..];
                let blank = wide_blank_length(rest);
                if blank > 0 && !is_known(rest) {
                    let start = gap.start + at as u32;
                    let range = ByteRange {
                        start,
                        end: start + blank as u32,
                    };
                    self.write(range, b"");
                    if line_break_length(rest) > 0 {
                        self.text[range.end as usize - 1] = b'\n';
                    }
                    self.note(range, RepairKind::WhiteSpace);
                }
                at += blank.max(comment_length(rest)).max(1);
            }
        }
    }
}

/// The three that the grammar lists beside ASCII's.
fn is_known(text: &[u8]) -> bool {
    [&b"\xC2\xA0"[..], b"\xE3\x80\x80", b"\xEF\xBB\xBF"]
        .iter()
        .any(|known| text.starts_with(known))
}
