//! Declarations: extension blocks, operators, constraints, modifiers, lambda parameters.

use super::tokens::{NOWHERE, is_keyword};
use super::{RepairKind, Rewriter};
use crate::text::lexer::TokenKind;
use cortex_model::ByteRange;

// From `operator` to the last token of `operator checked >>>`.
const OPERATOR_REACH: usize = 4;

impl Rewriter<'_> {
    pub(super) fn declaration(&mut self, i: usize) {
        let tokens = self.tokens;
        match tokens.text(i) {
            b"extension" => self.extension(i),
            b"operator" => self.compound_operator(i),
            b"allows" if tokens.is(i + 1, b"ref") && tokens.is(i + 2, b"struct") => {
                self.write(tokens.range(i), b"struct");
                self.write(tokens.range(i + 1), b"");
                self.write(tokens.range(i + 2), b"");
                let range = ByteRange {
                    start: tokens.range(i).start,
                    end: tokens.range(i + 2).end,
                };
                self.note(range, RepairKind::AllowsRefStruct);
            }
            // `new` is the one modifier of that length.
            b"ref" if tokens.is(i + 1, b"partial") && tokens.is(i + 2, b"struct") => {
                self.replace(i, b"new", RepairKind::RefModifier);
            }
            b"union" => self.union(i),
            b"closed" if self.is_closed_modifier(i) => {
                self.replace(i, b"sealed", RepairKind::ClosedModifier);
            }
            b"unsafe" if tokens.is(i + 1, b"extern") && tokens.is(i + 2, b"~") => {
                self.replace(i, b"", RepairKind::FinalizerModifier);
            }
            b"unsafe"
                if tokens.is(i + 1, b"~")
                    && tokens.is_name(i + 2)
                    && tokens.is(i + 3, b"(")
                    && tokens.is(i + 4, b")") =>
            {
                let is_extern = i > 0 && tokens.is(i - 1, b"extern");
                let modifier = if is_extern { b"" } else { &b"extern"[..] };
                self.replace(i, modifier, RepairKind::FinalizerModifier);
            }
            _ => {}
        }
    }

    /// `extension<T>(receiver) where … {` becomes a struct with a primary constructor; a receiver
    /// that is only a type becomes its base.
    fn extension(&mut self, i: usize) {
        let tokens = self.tokens;
        let open = tokens.after_type_arguments(i + 1);
        let close = tokens.partner(open);
        let starts_member = i > 0 && matches!(tokens.text(i - 1), b"{" | b"}" | b";" | b"]");
        let has_body = matches!(tokens.text(close + 1), b"{" | b"where");
        if !tokens.is(open, b"(") || !starts_member || !has_body {
            return;
        }
        self.replace(i, b"struct __", RepairKind::ExtensionBlock);
        if !self.ends_in_parameter_name(open, close) {
            self.turn_into_bases(open, close);
            let is_modifier = |&at: &usize| matches!(tokens.text(at), b"ref" | b"in" | b"readonly");
            for at in (open + 1..close).take_while(is_modifier) {
                self.write(tokens.range(at), b"");
            }
        }
    }

    /// `union Pet(Cat, Dog)` becomes a class with these bases. A method whose type is called
    /// `union` has names in its parentheses, or none.
    fn union(&mut self, i: usize) {
        let tokens = self.tokens;
        let open = tokens.after_type_arguments(i + 2);
        let close = tokens.partner(open);
        let starts_member = i == 0
            || matches!(
                tokens.text(i - 1),
                b"{" | b"}" | b";" | b"]" | b"partial" | b"file"
            )
            || is_keyword(tokens.text(i - 1));
        if tokens.is_name(i + 1)
            && tokens.is(open, b"(")
            && close != open + 1
            && starts_member
            && matches!(tokens.text(close + 1), b";" | b"{" | b":" | b"where")
            && !self.ends_in_parameter_name(open, close)
        {
            self.replace(i, b"class", RepairKind::Union);
            self.turn_into_bases(open, close);
        }
    }

    fn is_closed_modifier(&self, i: usize) -> bool {
        let next = self.tokens.text(i + 1);
        matches!(
            next,
            b"class" | b"partial" | b"record" | b"abstract" | b"public" | b"internal"
        )
    }

    fn turn_into_bases(&mut self, open: usize, close: usize) {
        self.write(self.tokens.range(open), b":");
        self.write(self.tokens.range(close), b"");
    }

    /// Whether the last parameter ends in a name of its own: two words in a row, or a word after `]`, `>`,
    /// `?`, `)` or `*`.
    fn ends_in_parameter_name(&self, open: usize, close: usize) -> bool {
        let tokens = self.tokens;
        let last = close - 1;
        last > open + 1
            && tokens.is_name(last)
            && (matches!(tokens.text(last - 1), b"]" | b">" | b"?" | b")" | b"*")
                || tokens.is_word(last - 1)
                    && !matches!(
                        tokens.text(last - 1),
                        b"ref" | b"in" | b"readonly" | b"scoped"
                    ))
    }

    /// `operator +=` loses its `=`.
    fn compound_operator(&mut self, i: usize) {
        let tokens = self.tokens;
        let first = i + 1 + usize::from(tokens.is(i + 1, b"checked"));
        let mut last = first;
        while tokens.is(last, b">") {
            last += 1;
        }
        let is_compound = match tokens.text(last) {
            b">=" => last > first,
            b"+=" | b"-=" | b"*=" | b"/=" | b"%=" | b"&=" | b"|=" | b"^=" | b"<<=" => true,
            _ => false,
        };
        if is_compound && tokens.is(last + 1, b"(") {
            let range = ByteRange {
                start: tokens.range(first).start,
                end: tokens.range(last).end,
            };
            self.text[range.end as usize - 1] = b' ';
            self.note(range, RepairKind::CompoundAssignmentOperator);
        }
    }

    /// The parameters before a `=>`: `(ref x) =>`, `(in int x) =>`.
    pub(super) fn lambda_parameters(&mut self, arrow: usize) {
        let tokens = self.tokens;
        let Some(close) = arrow.checked_sub(1).filter(|&i| tokens.is(i, b")")) else {
            return;
        };
        let open = tokens.partner(close);
        // A name before the parentheses is a method's.
        if open == NOWHERE || open.checked_sub(1).is_some_and(|i| self.is_method_name(i)) {
            return;
        }
        let mut at = open + 1;
        while at < close {
            if tokens.is(at, b"[") && tokens.partner(at) < close {
                at = tokens.partner(at) + 1;
            }
            let start = at;
            while at < close && is_parameter_modifier(tokens.text(at)) {
                at += 1;
            }
            let is_untyped =
                tokens.is_name(at) && matches!(tokens.text(at + 1), b"," | b")" | b"=");
            for modifier in start..at {
                match tokens.text(modifier) {
                    b"out" if !is_untyped => {
                        self.replace(modifier, b"ref", RepairKind::LambdaParameterModifier);
                    }
                    b"in" => self.replace(modifier, b"", RepairKind::LambdaParameterModifier),
                    _ if is_untyped => {
                        self.replace(modifier, b"", RepairKind::LambdaParameterModifier);
                    }
                    _ => {}
                }
            }
            while at < close && !tokens.is(at, b",") {
                at = match tokens.kind(at) {
                    TokenKind::Open => tokens.partner(at).min(close) + 1,
                    _ => at + 1,
                };
            }
            at += 1;
        }
    }

    fn is_method_name(&self, i: usize) -> bool {
        let tokens = self.tokens;
        tokens.is(i, b">")
            || tokens.is_name(i) && !tokens.is(i, b"async")
            || (i.saturating_sub(OPERATOR_REACH)..i).any(|at| tokens.is(at, b"operator"))
    }
}

fn is_parameter_modifier(word: &[u8]) -> bool {
    matches!(word, b"ref" | b"in" | b"out" | b"scoped" | b"readonly")
}
