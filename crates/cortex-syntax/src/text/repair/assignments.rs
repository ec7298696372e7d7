//! Assignments whose target the grammar does not take for a variable.

use super::tokens::{NOWHERE, is_statement_head};
use super::{RepairKind, Rewriter};
use crate::text::lexer::TokenKind;
use cortex_model::ByteRange;

impl Rewriter<'_> {
    pub(super) fn assignment(&mut self, i: usize) {
        let tokens = self.tokens;
        if !is_assignment(tokens.text(i)) || i < 2 || i == self.stored {
            return;
        }
        let last = i - 1;
        match tokens.text(last) {
            b")" if self.is_unassignable(last) => self.assign_to_member(i),
            b"++" | b"--" => self.assign_to_member(i),
            b"!" if tokens.ends_expression(last - 1) => {
                self.replace(last, b"", RepairKind::SuppressedTarget);
            }
            b"]" => {
                let open = tokens.partner(last);
                if open != NOWHERE && open > 0 && tokens.is(open - 1, b"?") {
                    self.replace(open - 1, b"", RepairKind::NullConditionalAssignment);
                }
            }
            _ if tokens.is_word(last) && i >= 4 => {
                let is_conditional = tokens.is(last - 1, b".") && tokens.is(last - 2, b"?");
                if is_conditional {
                    self.replace(last - 2, b"", RepairKind::NullConditionalAssignment);
                }
            }
            _ => {}
        }
    }

    /// Whether the parentheses that end at `close` are a call's or hold no variable by form.
    fn is_unassignable(&self, close: usize) -> bool {
        let tokens = self.tokens;
        let open = tokens.partner(close);
        if open == NOWHERE || open == 0 {
            return false;
        }
        let before = open - 1;
        match tokens.text(before) {
            b"var" => false,
            b">" | b"this" => true,
            b")" | b"]" => {
                let head = tokens.partner(before).wrapping_sub(1);
                !is_statement_head(tokens.text(head))
            }
            b"*" => before == 0 || !tokens.ends_expression(before - 1),
            _ if tokens.is_name(before) => true,
            _ => self.holds_ref(open, close),
        }
    }

    /// `(c ? ref a : ref b)`.
    fn holds_ref(&self, open: usize, close: usize) -> bool {
        let tokens = self.tokens;
        let mut at = open + 1;
        let mut is_conditional = false;
        while at < close {
            match tokens.text(at) {
                b"?" => is_conditional = true,
                b"ref" if is_conditional => return true,
                _ => {}
            }
            at = match tokens.kind(at) {
                TokenKind::Open => tokens.partner(at).min(close) + 1,
                _ => at + 1,
            };
        }
        false
    }

    /// `F(0) = x` becomes `F(0).x=x`, in the bytes of the operator and the blanks around it.
    fn assign_to_member(&mut self, i: usize) {
        let places = self.places_around(i);
        let &[dot, name, sign, ..] = &places[..] else {
            return;
        };
        let operator = self.tokens.range(i);
        if operator.start > name {
            // The operator stays as it is.
            self.text[dot as usize] = b'.';
            self.text[name as usize] = b'X';
        } else {
            self.write(operator, b"");
            self.text[dot as usize] = b'.';
            self.text[name as usize] = b'X';
            self.text[sign as usize] = b'=';
        }
        let range = ByteRange {
            start: dot,
            end: operator.end.max(sign + 1),
        };
        self.note(range, RepairKind::AssignmentTarget);
    }

    /// The offsets of the spaces before, the bytes of, and the spaces after an operator, where
    /// nothing else stands there.
    pub(super) fn places_around(&self, i: usize) -> Vec<u32> {
        let tokens = self.tokens;
        let mut places = Vec::new();
        for (range, is_gap) in [
            (tokens.gap_before(i), true),
            (tokens.range(i), false),
            (tokens.gap_before(i + 1), true),
        ] {
            let bytes = tokens.bytes(range);
            if is_gap && !bytes.trim_ascii().is_empty() {
                continue;
            }
            let blank = |byte: u8| matches!(byte, b' ' | b'\t');
            places.extend(
                (range.start..range.end)
                    .zip(bytes)
                    .filter(|&(_, &byte)| !is_gap || blank(byte))
                    .map(|(at, _)| at)
                    .take(4),
            );
        }
        places
    }
}

pub(super) fn is_assignment(operator: &[u8]) -> bool {
    matches!(
        operator,
        b"=" | b"+=" | b"-=" | b"*=" | b"/=" | b"%=" | b"&=" | b"|=" | b"^=" | b"<<=" | b"??="
    )
}
