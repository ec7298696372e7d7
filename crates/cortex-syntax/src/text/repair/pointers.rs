//! The prefix `*`, which the grammar takes only before a variable.

use super::assignments::is_assignment;
use super::tokens::{NOWHERE, REACH, is_predefined_type, is_statement_head};
use super::{RepairKind, Rewriter};
use crate::text::lexer::TokenKind;
use cortex_model::ByteRange;

impl Rewriter<'_> {
    /// A run of `*` that starts at `i`.
    pub(super) fn indirection(&mut self, i: usize) {
        let tokens = self.tokens;
        if i > 0 && tokens.is(i - 1, b"*") {
            return;
        }
        let mut operand = i + 1;
        while tokens.is(operand, b"*") {
            operand += 1;
        }
        if !self.is_prefix(i, operand) {
            // `a * *(int*)p`
            if operand > i + 1 && tokens.is(operand, b"(") {
                self.replace(operand - 1, b"~", RepairKind::PointerIndirection);
            }
            return;
        }
        match self.assignment_after(i, operand) {
            Some(operator) => self.store(i, operand, operator),
            None if self.is_unreadable(operand) => {
                for star in i..operand {
                    self.replace(star, b"~", RepairKind::PointerIndirection);
                }
            }
            None => {}
        }
    }

    fn is_prefix(&self, i: usize, operand: usize) -> bool {
        let tokens = self.tokens;
        let Some(before) = i.checked_sub(1) else {
            return true;
        };
        match tokens.kind(before) {
            TokenKind::Word => {
                !tokens.ends_expression(before)
                    && !is_predefined_type(tokens.text(before))
                    && !matches!(tokens.text(before), b"delegate" | b"operator")
            }
            TokenKind::Close if tokens.is(before, b")") => {
                self.is_cast(before) || self.is_statement_head_end(before)
            }
            TokenKind::Operator => {
                !matches!(tokens.text(before), b">" | b"?" | b"++" | b"--" | b"!")
            }
            // The end of a block, or of an initializer that is multiplied.
            TokenKind::Close => {
                tokens.is(before, b"}") && self.assignment_after(i, operand).is_some()
            }
            TokenKind::Open | TokenKind::HoleOpen => true,
            _ => false,
        }
    }

    pub(super) fn is_statement_head_end(&self, close: usize) -> bool {
        let open = self.tokens.partner(close);
        open != NOWHERE && open > 0 && is_statement_head(self.tokens.text(open - 1))
    }

    /// `(int)` or `(T*)`: parentheses that can only be a cast.
    fn is_cast(&self, close: usize) -> bool {
        let tokens = self.tokens;
        match tokens.partner(close) {
            NOWHERE => false,
            open => {
                let is_pointer = close > open + 2 && tokens.is(close - 1, b"*");
                let is_predefined = close == open + 2 && is_predefined_type(tokens.text(open + 1));
                let is_operand =
                    open > 0 && matches!(tokens.text(open - 1), b"sizeof" | b"typeof" | b"default");
                !is_operand && (is_pointer || is_predefined)
            }
        }
    }

    /// The assignment operator of the statement that starts with the `*` at `i`.
    fn assignment_after(&self, i: usize, operand: usize) -> Option<usize> {
        let tokens = self.tokens;
        let starts_statement = i == 0
            || matches!(
                tokens.text(i - 1),
                b";" | b"{" | b"}" | b":" | b"=>" | b"else" | b"do"
            )
            || self.is_statement_head_end(i - 1)
            || matches!(tokens.text(i - 1), b"(" | b",") && self.is_plain_operand(operand);
        if !starts_statement {
            return None;
        }
        let mut at = operand;
        for _ in 0..REACH {
            match tokens.kind(at) {
                TokenKind::Open => match tokens.partner(at) {
                    NOWHERE => return None,
                    close => at = close,
                },
                TokenKind::Close => return None,
                TokenKind::Operator => match tokens.text(at) {
                    operator if is_assignment(operator) => return Some(at),
                    b"." | b"->" | b"++" | b"--" | b"!" | b"<" | b">" | b"::" | b"&" | b"-" => {}
                    _ => return None,
                },
                _ => {}
            }
            at += 1;
        }
        None
    }

    fn is_plain_operand(&self, operand: usize) -> bool {
        self.tokens.is_word(operand)
    }

    /// Whether the grammar refuses `*` before the operand: anything but a chain of names.
    fn is_unreadable(&self, operand: usize) -> bool {
        let tokens = self.tokens;
        if !tokens.is_word(operand) {
            return true;
        }
        let mut at = operand;
        for _ in 0..REACH {
            if !tokens.is_word(at) {
                return true;
            }
            at = tokens.after_type_arguments(at + 1);
            while tokens.is(at, b"[") && tokens.partner(at) != NOWHERE {
                at = tokens.partner(at) + 1;
            }
            match tokens.text(at) {
                b"." | b"->" => at += 1,
                b"(" | b"++" | b"--" | b"!" => return true,
                _ => return false,
            }
        }
        true
    }

    /// `*(int*)p = x` becomes `_=(int*)p ??x`, `*&p[0] = x` becomes `_=&p[0] ??x`; other targets are [`Rewriter::assignment`]'s.
    fn store(&mut self, i: usize, operand: usize, operator: usize) {
        let tokens = self.tokens;
        let star = tokens.range(i);
        let close = tokens.partner(operand);
        let is_cast = tokens.is(operand, b"(") && close != NOWHERE && self.is_cast(close);
        let is_operator = tokens.kind(operand) == TokenKind::Operator;
        // No comment ends in a blank that no line break follows.
        let before = star.start.checked_sub(1).filter(|&at| {
            tokens.gap_before(i).contains(at) && matches!(self.text[at as usize], b' ' | b'\t')
        });
        let places = self.places_around(operator);
        let pair = places
            .windows(2)
            .find(|pair| pair[0] + 1 == pair[1])
            .map(|pair| ByteRange {
                start: pair[0],
                end: pair[1] + 1,
            });
        let (true, Some(blank), Some(pair)) = (is_cast || is_operator, before, pair) else {
            return;
        };
        self.stored = operator;
        let first = ByteRange {
            start: blank,
            end: star.end,
        };
        self.write(first, b"_=");
        self.note(first, RepairKind::PointerStore);
        for inner in i + 1..operand {
            self.replace(inner, b"~", RepairKind::PointerIndirection);
        }
        let written = tokens.range(operator);
        self.write(written, b"");
        self.write(pair, b"??");
        let range = ByteRange {
            start: pair.start.min(written.start),
            end: pair.end.max(written.end),
        };
        self.note(range, RepairKind::PointerStore);
    }
}
