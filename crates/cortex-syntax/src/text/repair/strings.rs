//! Interpolated strings that the grammar's scanner loses its way in.

use super::{RepairKind, Rewriter};
use crate::text::lexer::TokenKind;
use cortex_model::ByteRange;

impl Rewriter<'_> {
    /// `$""` loses its `$`.
    pub(super) fn empty_interpolation(&mut self, i: usize) {
        let tokens = self.tokens;
        if tokens.is(i, b"$\"") && tokens.kind(i + 1) == TokenKind::InterpolationEnd {
            let start = tokens.range(i).start;
            let dollar = ByteRange {
                start,
                end: start + 1,
            };
            self.write(dollar, b"");
            self.note(dollar, RepairKind::EmptyInterpolation);
        }
    }

    /// Doubled quotes in verbatim text, and braces right before a hole, become other characters.
    pub(super) fn interpolation_text(&mut self, i: usize) {
        let tokens = self.tokens;
        let text = tokens.text(i);
        let range = tokens.range(i);
        let is_before_hole = tokens.kind(i + 1) == TokenKind::HoleOpen;
        let is_quoted = tokens.kind(i) == TokenKind::VerbatimInterpolationText;
        let braces = if is_before_hole {
            text.iter().rev().take_while(|&&byte| byte == b'{').count()
        } else {
            0
        };
        let mut is_written = braces > 0;
        let written = &mut self.text[range.as_usize()];
        written[text.len() - braces..].fill(b'(');
        if is_quoted {
            for at in memchr::memchr_iter(b'"', text) {
                written[at] = b'\'';
                is_written = true;
            }
        }
        if is_written {
            self.note(range, RepairKind::InterpolationText);
        }
    }
}
