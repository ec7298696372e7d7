//! Bodies in which a member that came or went stands for its own expression.
//!
//! Owns: which members only stand for an expression, and which bodies are the same once it is written out. Must not know:
//! how a change is told.

use cortex_model::{Accessibility, DeclKind};
use cortex_syntax::text::{CodeTokenKind, tokens};
use cortex_wire::{CodeLineKind, MemberChange, MemberChangeKind};

use super::side_of;

/// Expressions of more tokens are not written out.
const MAX_TOKENS: usize = 200;

/// A token with whether it is a name or a literal.
#[derive(Clone, PartialEq, Eq)]
struct Token {
    text: String,
    is_operand: bool,
}

/// A member that is nothing but an expression: a private property or a private method without parameters that has only
/// that, or a constant.
struct Standing {
    name: String,
    is_method: bool,
    expression: Vec<Token>,
}

/// Notes the bodies that run the same: a member that came or went along with them stands for its own expression there.
pub(super) fn mark(members: &mut [MemberChange]) {
    let of_side = |change: MemberChangeKind| -> Vec<Standing> {
        let all = members.iter().filter(|it| it.change == change);
        all.filter_map(Standing::of).collect()
    };
    let (gone, came) = (
        of_side(MemberChangeKind::Removed),
        of_side(MemberChangeKind::Added),
    );
    if gone.is_empty() && came.is_empty() {
        return;
    }
    for member in members {
        let is_noted = member.follows_moves || member.is_unnoticed();
        if member.change != MemberChangeKind::Body || is_noted || member.code.is_empty() {
            continue;
        }
        let sides = [CodeLineKind::Added, CodeLineKind::Removed];
        let [old, new] = sides.map(|other| read(&side_of(&member.code, other)));
        if is_written_out(&gone, &old, &new) || is_written_out(&came, &new, &old) {
            member.notes.push(MemberChange::ONLY_SPELLING.to_owned());
        }
    }
}

impl Standing {
    fn of(member: &MemberChange) -> Option<Self> {
        let is_constant = member.kind == DeclKind::Constant;
        let is_private = member.accessibility == Accessibility::Private
            && matches!(member.kind, DeclKind::Property | DeclKind::Method)
            && member.modifiers.iter().all(|it| it == "static");
        if !(is_constant || is_private) {
            return None;
        }
        let lines: Vec<&str> = member.code.iter().map(|line| line.text.as_str()).collect();
        let all = read(&lines.join("\n"));
        let at = all.iter().position(|it| it.text == member.name)?;
        let (is_method, begins) = match (member.kind, all.get(at + 1..)?) {
            (DeclKind::Method, [open, close, arrow, ..]) => {
                let is_it = [open, close, arrow].map(|it| it.text.as_str()) == ["(", ")", "=>"];
                (true, is_it.then_some(at + 4)?)
            }
            (DeclKind::Method, _) => return None,
            (_, [sign, ..]) => {
                let begins = if is_constant { "=" } else { "=>" };
                (false, (sign.text == begins).then_some(at + 2)?)
            }
            _ => return None,
        };
        let (end, expression) = all.get(begins..)?.split_last()?;
        let is_one = end.text == ";" && !expression.iter().any(|it| it.text == ";");
        let is_alone = !is_constant || !has_at_top(expression, |it| it.text == ",");
        let is_it = is_one && is_alone && (1..=MAX_TOKENS).contains(&expression.len());
        let ty = at.checked_sub(1).map(|at| all[at].text.as_str())?;
        (is_it && is_of_type(ty, expression)).then(|| Self {
            name: member.name.clone(),
            is_method,
            expression: expression.to_vec(),
        })
    }

    /// How many tokens of these name it; `None` where they do not, or another member behind a dot.
    fn is_named_by(&self, tokens: &[Token], at: usize) -> Option<usize> {
        let text = |at: usize| tokens.get(at).map_or("", |it| it.text.as_str());
        let is_own = text(at) == "this" && text(at + 1) == ".";
        let name = if is_own { at + 2 } else { at };
        let before = at.checked_sub(1).map_or("", text);
        if text(name) != self.name || matches!(before, "." | "?." | "->" | "::") {
            return None;
        }
        let n = name + 1 - at;
        match self.is_method {
            true => (text(name + 1) == "(" && text(name + 2) == ")").then_some(n + 2),
            false => Some(n),
        }
    }

    /// How many tokens at a place are its expression, in parentheses where these are needed between what stands around it.
    fn is_written_by(&self, tokens: &[Token], around: [&str; 2]) -> Option<usize> {
        let n = self.expression.len();
        let is_open = tokens.first().is_some_and(|it| it.text == "(");
        let is_closed = tokens.get(n + 1).is_some_and(|it| it.text == ")");
        if is_open && is_closed && tokens[1..=n] == self.expression {
            return Some(n + 2);
        }
        let is_primary = !has_at_top(&self.expression, |it| {
            !it.is_operand && !matches!(it.text.as_str(), "." | "?." | "(" | "[" | "!")
        }) && self
            .expression
            .first()
            .is_some_and(|it| it.is_operand && !is_operator(&it.text));
        let is_enclosed = matches!(around[0], "return" | "=" | "=>" | "(" | "," | "[")
            && matches!(around[1], ";" | ")" | "," | "]");
        let is_it = tokens.get(..n).is_some_and(|it| it == self.expression);
        (is_it && (is_primary || is_enclosed)).then_some(n)
    }
}

/// Whether the tokens of one side are those of the other once the members that only it has are written out.
fn is_written_out(members: &[Standing], short: &[Token], long: &[Token]) -> bool {
    let (mut at, mut other) = (0, 0);
    let mut n_written = 0;
    while at < short.len() {
        let named = members.iter().find_map(|member| {
            let n = member.is_named_by(short, at)?;
            let before = at.checked_sub(1).map_or("", |at| short[at].text.as_str());
            let after = short.get(at + n).map_or("", |it| it.text.as_str());
            let n_long = member.is_written_by(long.get(other..)?, [before, after])?;
            Some((n, n_long))
        });
        match named {
            Some((n, n_long)) => {
                (at, other) = (at + n, other + n_long);
                n_written += 1;
            }
            None if long.get(other) == Some(&short[at]) => (at, other) = (at + 1, other + 1),
            None => return false,
        }
    }
    other == long.len() && n_written > 0
}

/// Whether an expression surely has the type of the member that it stands for: written out, another one may divide by an
/// integer, or choose another overload.
fn is_of_type(ty: &str, expression: &[Token]) -> bool {
    let is_digits = |it: &Token| it.text.bytes().all(|byte| byte.is_ascii_digit());
    let is_string = |it: &Token| it.text.starts_with(['"', '@']) || it.text == "+";
    let is_character = |it: &Token| it.text.starts_with('\'');
    match (ty, expression) {
        ("bool", [one]) => one.text != "default",
        ("bool", _) => true,
        ("int", [one]) => is_digits(one),
        ("char", [one]) => is_character(one),
        ("string", _) => expression.iter().all(is_string),
        _ => false,
    }
}

/// Whether a word is an operator.
fn is_operator(word: &str) -> bool {
    matches!(
        word,
        "as" | "await" | "from" | "is" | "new" | "not" | "switch" | "throw" | "with"
    )
}

/// Whether a token outside of all brackets has to do with something. Opening brackets stand outside.
fn has_at_top(tokens: &[Token], is_wanted: impl Fn(&Token) -> bool) -> bool {
    let mut depth = 0_usize;
    tokens.iter().any(|token| {
        let is_closing = matches!(token.text.as_str(), ")" | "]" | "}");
        if is_closing {
            depth = depth.saturating_sub(1);
            return false;
        }
        let is_top = depth == 0;
        depth += usize::from(matches!(token.text.as_str(), "(" | "[" | "{"));
        is_top && (is_wanted(token) || is_operator(&token.text))
    })
}

fn read(text: &str) -> Vec<Token> {
    let all = tokens(text.as_bytes()).into_iter();
    all.map(|token| Token {
        text: text[token.range.start as usize..token.range.end as usize].to_owned(),
        is_operand: matches!(token.kind, CodeTokenKind::Word | CodeTokenKind::Literal),
    })
    .collect()
}
