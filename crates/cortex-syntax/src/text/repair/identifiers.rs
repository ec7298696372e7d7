//! Names where the grammar has none: contextual keywords, labels of `break` and `continue`, soft hyphens.

use super::tokens::{NOWHERE, is_predefined_type};
use super::{RepairKind, Rewriter};
use crate::text::lexer::TokenKind;
use cortex_model::ByteRange;

/// A formatting character (C# specification, §6.4.3) that the grammar does not take for one, as others.
const SOFT_HYPHEN: &[u8] = "\u{ad}".as_bytes();

impl Rewriter<'_> {
    pub(super) fn identifier(&mut self, i: usize) {
        let tokens = self.tokens;
        for at in memchr::memmem::find_iter(tokens.text(i), SOFT_HYPHEN) {
            let start = tokens.range(i).start + at as u32;
            let range = ByteRange {
                start,
                end: start + SOFT_HYPHEN.len() as u32,
            };
            self.write(range, b"__");
            self.note(range, RepairKind::SoftHyphen);
        }
        if matches!(tokens.text(i), b"break" | b"continue")
            && tokens.is_name(i + 1)
            && tokens.is(i + 2, b";")
        {
            self.replace(i + 1, b"", RepairKind::JumpLabel);
        }
        if !self.is_contextual_name(i) {
            return;
        }
        let mut name = tokens.text(i).to_vec();
        // No keyword has a capital letter.
        name[0] = match name[0] {
            b'_' => b'X',
            first => first.to_ascii_uppercase(),
        };
        self.replace(i, &name, RepairKind::ContextualIdentifier);
    }

    fn is_contextual_name(&self, i: usize) -> bool {
        let tokens = self.tokens;
        let next = tokens.text(i + 1);
        match tokens.text(i) {
            b"async" => match tokens.kind(i + 1) {
                // `async Task { get; }`: a type of that name.
                TokenKind::Word => {
                    is_after_operand(next)
                        || tokens.is_name(i + 1) && matches!(tokens.text(i + 2), b"{" | b"=" | b";")
                }
                _ if next == b"(" => !self.is_lambda_or_type(i + 1),
                _ => true,
            },
            b"required" | b"partial" => match tokens.kind(i + 1) {
                TokenKind::Word => is_after_operand(next),
                _ if next == b"(" => !self.is_type(i + 1),
                _ => true,
            },
            b"await" => match tokens.kind(i + 1) {
                TokenKind::Word => is_after_operand(next),
                TokenKind::Operator => match next {
                    b"-" | b"+" | b"!" | b"~" | b"*" | b"&" | b"^" | b"::" => false,
                    b"++" | b"--" => matches!(tokens.text(i + 2), b";" | b")" | b","),
                    _ => true,
                },
                TokenKind::Close => true,
                _ => false,
            },
            b"with" => next != b"{",
            b"and" | b"or" | b"not" => match tokens.kind(i + 1) {
                TokenKind::Operator => !matches!(
                    next,
                    b"<" | b">" | b"<=" | b">=" | b"-" | b"+" | b"~" | b".."
                ),
                kind => kind == TokenKind::Close,
            },
            b"record" => match tokens.kind(i + 1) {
                TokenKind::Word if next == b"class" || next == b"struct" => false,
                TokenKind::Word => is_after_operand(next) || self.is_type_of_member(i),
                _ => true,
            },
            b"nint" | b"nuint" => self.is_numeric_name(i),
            b"_" => {
                tokens.is(i + 1, b"in")
                    && (1..3)
                        .any(|back| i >= back && matches!(tokens.text(i - back), b"from" | b"join"))
            }
            b"field" | b"method" | b"param" | b"property" | b"type" | b"typevar" | b"assembly"
            | b"module" => i > 0 && tokens.is(i - 1, b"[") && next != b":",
            _ => false,
        }
    }

    /// Whether the parentheses at `open` are a lambda's, or a tuple type before a name.
    fn is_lambda_or_type(&self, open: usize) -> bool {
        match self.tokens.partner(open) {
            NOWHERE => true,
            close => self.tokens.is(close + 1, b"=>") || self.is_type(open),
        }
    }

    fn is_type(&self, open: usize) -> bool {
        match self.tokens.partner(open) {
            NOWHERE => true,
            close => {
                let mut at = close + 1;
                while matches!(self.tokens.text(at), b"?" | b"[") {
                    at = match self.tokens.partner(at) {
                        NOWHERE => at + 1,
                        partner => partner + 1,
                    };
                }
                self.tokens.is_name(at) && !is_after_operand(self.tokens.text(at))
            }
        }
    }

    /// `record M() => …` and `record x = …`: a type of that name, from before there were records.
    fn is_type_of_member(&self, i: usize) -> bool {
        let tokens = self.tokens;
        match tokens.text(i + 2) {
            b"(" => tokens.is(tokens.partner(i + 2) + 1, b"=>"),
            b"=" | b"=>" => true,
            _ => i > 0 && matches!(tokens.text(i - 1), b"(" | b",") && tokens.is(i + 2, b")"),
        }
    }

    /// `nint` as a name: declared after a type, or where no type can stand.
    fn is_numeric_name(&self, i: usize) -> bool {
        let tokens = self.tokens;
        let next = tokens.text(i + 1);
        let before = i.checked_sub(1).map_or(&b""[..], |at| tokens.text(at));
        let ends = matches!(next, b";" | b"," | b")" | b"]" | b"}" | b"?" | b":");
        let is_operand = matches!(
            next,
            b"=" | b"+="
                | b"-="
                | b"*="
                | b"/="
                | b"+"
                | b"-"
                | b"/"
                | b"%"
                | b"=="
                | b"!="
                | b"<="
                | b">="
                | b"&&"
                | b"||"
                | b"??"
                | b"++"
                | b"--"
                | b":"
        ) || next == b"*" && tokens.kind(i + 2) == TokenKind::Number;
        let is_declared = is_predefined_type(before) || before == b"var";
        let is_after_operator = matches!(
            before,
            b")" | b":"
                | b"+"
                | b"-"
                | b"*"
                | b"/"
                | b"%"
                | b"=="
                | b"!="
                | b"&&"
                | b"||"
                | b"return"
        );
        let is_first_argument = before == b"("
            && i > 1
            && tokens.is_name(i - 2)
            && !matches!(
                tokens.text(i - 2),
                b"async" | b"partial" | b"required" | b"extension"
            );
        is_operand || ends && (is_declared || is_after_operator || is_first_argument)
    }
}

/// Words that follow an operand and never a modifier.
fn is_after_operand(word: &[u8]) -> bool {
    matches!(
        word,
        b"is" | b"as" | b"in" | b"switch" | b"and" | b"or" | b"when" | b"equals" | b"into"
    )
}
