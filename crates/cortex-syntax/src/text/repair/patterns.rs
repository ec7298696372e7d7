//! Patterns: `..` in list patterns, `checked` and `unchecked` constants.

use super::tokens::{NOWHERE, Tokens};
use super::{RepairKind, Rewriter};
use crate::text::lexer::TokenKind;
use cortex_model::ByteRange;

// Enough for `is A.B.C {`.
const NAME_REACH: usize = 16;

/// The brackets open at a token, each with whether it belongs to a pattern.
#[derive(Default)]
pub(super) struct Brackets {
    open: Vec<(usize, Role)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Pattern,
    Other,
}

impl Brackets {
    pub(super) fn open(&mut self, tokens: &Tokens<'_>, i: usize) {
        // A bracket without a partner would never be closed.
        if tokens.partner(i) == NOWHERE {
            return;
        }
        let role = if self.role() == Role::Pattern || starts_pattern(tokens, i) {
            Role::Pattern
        } else {
            Role::Other
        };
        self.open.push((i, role));
    }

    pub(super) fn close(&mut self, tokens: &Tokens<'_>, i: usize) {
        if self.innermost() == tokens.partner(i) {
            self.open.pop();
        }
    }

    fn innermost(&self) -> usize {
        self.open.last().map_or(NOWHERE, |&(i, _)| i)
    }

    fn role(&self) -> Role {
        self.open.last().map_or(Role::Other, |&(_, role)| role)
    }
}

fn starts_pattern(tokens: &Tokens<'_>, i: usize) -> bool {
    let is_list = tokens.is(i, b"[");
    let is_arm = !tokens.is(i, b"{")
        && matches!(
            tokens.text(tokens.partner(i) + 1),
            b"=>" | b"when" | b"and" | b"or"
        );
    // Over the type of `is A.B {`.
    let mut at = i;
    while at > 0
        && !is_list
        && i - at < NAME_REACH
        && (tokens.is_name(at - 1) && !precedes_pattern(tokens.text(at - 1))
            || matches!(tokens.text(at - 1), b"." | b"::"))
    {
        at -= 1;
    }
    is_arm || at > 0 && precedes_pattern(tokens.text(at - 1))
}

/// Whether a `[` after token `i` is a rank specifier.
fn ends_type(tokens: &Tokens<'_>, i: usize) -> bool {
    match tokens.kind(i) {
        TokenKind::Word => !precedes_pattern(tokens.text(i)),
        TokenKind::Close => true,
        _ => matches!(tokens.text(i), b">" | b"?" | b"*"),
    }
}

fn is_before_when(tokens: &Tokens<'_>, open: usize) -> bool {
    tokens.is(tokens.partner(open) + 1, b"when")
}

fn precedes_pattern(word: &[u8]) -> bool {
    matches!(word, b"is" | b"not" | b"and" | b"or" | b"case")
}

impl Rewriter<'_> {
    /// `[.., x]` takes a discard, `[x, .. var rest]` loses the `..`.
    pub(super) fn slice(&mut self, i: usize, brackets: &Brackets) {
        let tokens = self.tokens;
        let open = brackets.innermost();
        if !tokens.is(open, b"[") || i == 0 || !matches!(tokens.text(i - 1), b"[" | b",") {
            return;
        }
        let is_bare = matches!(tokens.text(i + 1), b"," | b"]");
        let is_pattern = brackets.role() == Role::Pattern;
        if is_bare {
            let is_index = open > 0 && tokens.ends_expression(open - 1);
            let is_known = tokens.is(i - 1, b",") && !is_before_when(tokens, open);
            if !is_known && (is_pattern || !is_index) {
                self.replace(i, b"_", RepairKind::SlicePattern);
            }
        } else if is_pattern {
            self.replace(i, b"", RepairKind::SlicePattern);
        }
    }

    /// `[x] when y`: the grammar takes `when` for the name of the list.
    pub(super) fn list_pattern(&mut self, i: usize, brackets: &Brackets) {
        let tokens = self.tokens;
        if brackets.innermost() == i
            && brackets.role() == Role::Pattern
            && tokens.is(i, b"[")
            && is_before_when(tokens, i)
            && (i == 0 || !ends_type(tokens, i - 1))
        {
            let (open, close) = (tokens.range(i), tokens.range(tokens.partner(i)));
            self.write(open, b"(");
            self.write(close, b")");
            let range = ByteRange {
                start: open.start,
                end: close.end,
            };
            self.note(range, RepairKind::ListPattern);
        }
    }

    /// `is unchecked((uint)-1)` and `checked(x++);` lose the keyword.
    pub(super) fn checked_operand(&mut self, i: usize, brackets: &Brackets) {
        let tokens = self.tokens;
        let is_checked = matches!(tokens.text(i), b"checked" | b"unchecked");
        if !is_checked || !tokens.is(i + 1, b"(") || i == 0 {
            return;
        }
        let close = tokens.partner(i + 1);
        let before = tokens.text(i - 1);
        let is_arm = matches!(before, b"{" | b",")
            && matches!(tokens.text(close + 1), b"=>" | b"when" | b"and" | b"or");
        let starts_statement =
            matches!(before, b"{" | b"}" | b";" | b"else") || self.is_statement_head_end(i - 1);
        let is_statement = starts_statement && tokens.is(close + 1, b";");
        if is_arm
            || is_statement
            || brackets.role() == Role::Pattern
            || precedes_pattern(before) && before != b"case"
        {
            self.replace(i, b"", RepairKind::CheckedOperand);
        }
    }
}
