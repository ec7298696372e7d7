//! Code of which another spelling means the same.
//!
//! Owns: what makes no difference at run time: a comma before the end of a list, and `!` behind a value. Must not know:
//! how a change is told.

use cortex_syntax::text::{CodeToken, CodeTokenKind, tokens};

/// Words that are no values: `!` behind them negates.
const NO_VALUES: [&str; 16] = [
    "and", "await", "case", "do", "else", "in", "is", "not", "or", "return", "select", "throw",
    "when", "where", "while", "yield",
];

/// Whether two texts of code are the same but for white space, comments and what makes no difference. O(their lengths).
pub(super) fn is_spelling_alone(old: &str, new: &str) -> bool {
    meaningful(old) == meaningful(new)
}

/// The tokens of a text that make a difference.
fn meaningful(text: &str) -> Vec<&str> {
    let all = tokens(text.as_bytes());
    let text_of = |token: &CodeToken| &text[token.range.start as usize..token.range.end as usize];
    let mut out: Vec<&str> = Vec::with_capacity(all.len());
    for (at, token) in all.iter().enumerate() {
        let (own, next) = (text_of(token), all.get(at + 1));
        let is_before_end = next.is_some_and(|next| matches!(text_of(next), "}" | "]"));
        let is_joined = next.is_some_and(|next| {
            next.range.start == token.range.end && text_of(next).starts_with('=')
        });
        let is_behind_value = at.checked_sub(1).is_some_and(|before| {
            let before = &all[before];
            match before.kind {
                CodeTokenKind::Word => !NO_VALUES.contains(&text_of(before)),
                CodeTokenKind::Literal => true,
                _ => matches!(text_of(before), ")" | "]" | "}" | ">"),
            }
        });
        match own {
            // `[,]` is a rank, and `[a,]` names no element.
            "," if is_before_end && out.last().is_none_or(|last| !matches!(*last, "[" | ",")) => {}
            "!" if is_behind_value && !is_joined => {}
            _ => out.push(own),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::is_spelling_alone;

    #[test]
    fn only_commas_at_an_end_and_marks_against_null_make_no_difference() {
        for (old, new) in [
            ("new A { B = 1, C = 2, }", "new A { B = 1, C = 2 }"),
            ("x!.Y(z!)", "x.Y( z )"),
            ("a[0]!.B", "a[0].B"),
            ("F<T>()! == 1", "F<T>() == 1"),
        ] {
            assert!(is_spelling_alone(old, new), "{old} → {new}");
        }
        for (old, new) in [
            ("return !a;", "return a;"),
            ("f(!a)", "f(a)"),
            ("a != b", "a == b"),
            ("a!=b", "a=b"),
            ("x is not !y", "x is not y"),
            ("int[,] a", "int[] a"),
            ("F(a, b)", "F(a b)"),
            ("a && !b", "a && b"),
        ] {
            assert!(!is_spelling_alone(old, new), "{old} → {new}");
        }
    }
}
