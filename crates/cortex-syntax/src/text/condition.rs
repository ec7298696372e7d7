//! The expressions of `#if` and `#elif` (C# specification, §6.5.3).
//!
//! Must not know: directives, regions, files.

/// What a condition came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    True,
    False,
    /// Not an expression; the compiler reports an error and takes it as false.
    IllFormed,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token<'a> {
    Symbol(&'a str),
    Constant(bool),
    Operator(Operator),
    Open,
    Close,
    Bad,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Operator {
    Or,
    And,
    Equal,
    NotEqual,
    Not,
}

impl Operator {
    fn precedence(self) -> u8 {
        match self {
            Self::Or => 0,
            Self::And => 1,
            Self::Equal | Self::NotEqual => 2,
            Self::Not => 3,
        }
    }
}

/// Evaluates a condition. `text` is the rest of the directive's line, comment included.
///
/// O(bytes) in time and memory, without recursion.
pub(super) fn evaluate(text: &[u8], is_defined: &mut dyn FnMut(&str) -> bool) -> Outcome {
    try_evaluate(text, is_defined).map_or(Outcome::IllFormed, |value| {
        if value { Outcome::True } else { Outcome::False }
    })
}

/// The symbols a condition names, in order of appearance, ill-formed conditions included.
pub(super) fn symbols(text: &[u8]) -> impl Iterator<Item = &str> {
    tokens(text).filter_map(|token| match token {
        Token::Symbol(name) => Some(name),
        _ => None,
    })
}

// `None` in `pending` stands for an open parenthesis.
fn try_evaluate(text: &[u8], is_defined: &mut dyn FnMut(&str) -> bool) -> Option<bool> {
    let mut values: Vec<bool> = Vec::new();
    let mut pending: Vec<Option<Operator>> = Vec::new();
    let mut expects_operand = true;
    for token in tokens(text) {
        match (token, expects_operand) {
            (Token::Symbol(name), true) => {
                values.push(is_defined(name));
                expects_operand = false;
            }
            (Token::Constant(value), true) => {
                values.push(value);
                expects_operand = false;
            }
            (Token::Operator(Operator::Not), true) => pending.push(Some(Operator::Not)),
            (Token::Open, true) => pending.push(None),
            (Token::Close, false) => {
                while let Some(operator) = pending.pop()? {
                    apply(operator, &mut values)?;
                }
            }
            (Token::Operator(operator), false) if operator != Operator::Not => {
                while let Some(&Some(top)) = pending.last() {
                    if top.precedence() < operator.precedence() {
                        break;
                    }
                    apply(top, &mut values)?;
                    pending.pop();
                }
                pending.push(Some(operator));
                expects_operand = true;
            }
            _ => return None,
        }
    }
    if expects_operand {
        return None;
    }
    while let Some(top) = pending.pop() {
        apply(top?, &mut values)?;
    }
    values.pop()
}

fn apply(operator: Operator, values: &mut Vec<bool>) -> Option<()> {
    let right = values.pop()?;
    let value = match operator {
        Operator::Not => !right,
        Operator::Or => values.pop()? | right,
        Operator::And => values.pop()? & right,
        Operator::Equal => values.pop()? == right,
        Operator::NotEqual => values.pop()? != right,
    };
    values.push(value);
    Some(())
}

fn tokens(text: &[u8]) -> impl Iterator<Item = Token<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_ascii_start();
        let (token, len) = match rest {
            [] | [b'/', b'/', ..] => return None,
            [b'(', ..] => (Token::Open, 1),
            [b')', ..] => (Token::Close, 1),
            [b'|', b'|', ..] => (Token::Operator(Operator::Or), 2),
            [b'&', b'&', ..] => (Token::Operator(Operator::And), 2),
            [b'=', b'=', ..] => (Token::Operator(Operator::Equal), 2),
            [b'!', b'=', ..] => (Token::Operator(Operator::NotEqual), 2),
            [b'!', ..] => (Token::Operator(Operator::Not), 1),
            [first, ..] if is_symbol_byte(*first) => {
                let len = rest
                    .iter()
                    .position(|&byte| !is_symbol_byte(byte))
                    .unwrap_or(rest.len());
                let token = match &rest[..len] {
                    b"true" => Token::Constant(true),
                    b"false" => Token::Constant(false),
                    name => std::str::from_utf8(name).map_or(Token::Bad, Token::Symbol),
                };
                (token, len)
            }
            _ => (Token::Bad, 1),
        };
        rest = &rest[len..];
        Some(token)
    })
}

fn is_symbol_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::{Outcome, evaluate, symbols};
    use proptest::prelude::*;

    fn outcome(condition: &str) -> Outcome {
        evaluate(condition.as_bytes(), &mut |name| matches!(name, "A" | "B"))
    }

    #[track_caller]
    fn check_outcome(condition: &str, expected: Outcome) {
        assert_eq!(outcome(condition), expected, "{condition}");
    }

    #[test]
    fn operators_bind_as_the_specification_says() {
        for condition in [
            "A",
            "!C",
            "!!A",
            "A && B",
            "C || B",
            "C && C || A",
            "A || C && C",
            "C == D",
            "A != C",
            "!(A && C)",
            "A == true // why",
            "C == C && A",
            "! C&&(A)",
        ] {
            check_outcome(condition, Outcome::True);
        }
        for condition in [
            "C",
            "false",
            "A && C",
            "!A",
            "A == C",
            "!A || C",
            "(C || D) && A",
        ] {
            check_outcome(condition, Outcome::False);
        }
    }

    #[test]
    fn what_is_not_an_expression_is_ill_formed() {
        for condition in [
            "", "A B", "A &&", "(A", "A)", "A & B", "\"A\"", "()", "!", "A ! B",
        ] {
            check_outcome(condition, Outcome::IllFormed);
        }
    }

    #[test]
    fn symbols_are_read_even_from_an_ill_formed_condition() {
        let names: Vec<&str> = symbols(b"(A && !true || B_1 ,C // D").collect();
        assert_eq!(names, ["A", "B_1", "C"]);
    }

    #[test]
    fn depth_does_not_matter() {
        let deep = format!("{}A{}", "(!".repeat(1_000_000), ")".repeat(1_000_000));
        check_outcome(&deep, Outcome::True);
    }

    // An independent reading: a recursive descent over generated trees.
    #[derive(Clone, Debug)]
    enum Tree {
        Leaf(bool),
        Not(Box<Tree>),
        Binary(Box<Tree>, &'static str, Box<Tree>),
    }

    impl Tree {
        fn value(&self) -> bool {
            match self {
                Self::Leaf(value) => *value,
                Self::Not(inner) => !inner.value(),
                Self::Binary(left, operator, right) => match *operator {
                    "&&" => left.value() && right.value(),
                    "||" => left.value() || right.value(),
                    "==" => left.value() == right.value(),
                    _ => left.value() != right.value(),
                },
            }
        }

        fn render(&self) -> String {
            match self {
                Self::Leaf(value) => String::from(if *value { "A" } else { "false" }),
                Self::Not(inner) => format!("!({})", inner.render()),
                Self::Binary(left, operator, right) => {
                    format!("({}) {operator} ({})", left.render(), right.render())
                }
            }
        }
    }

    fn any_tree() -> impl Strategy<Value = Tree> {
        any::<bool>()
            .prop_map(Tree::Leaf)
            .prop_recursive(6, 40, 2, |inner| {
                prop_oneof![
                    inner.clone().prop_map(|tree| Tree::Not(Box::new(tree))),
                    (
                        inner.clone(),
                        prop::sample::select(vec!["&&", "||", "==", "!="]),
                        inner
                    )
                        .prop_map(|(left, operator, right)| Tree::Binary(
                            Box::new(left),
                            operator,
                            Box::new(right)
                        )),
                ]
            })
    }

    proptest! {
        #[test]
        fn evaluation_agrees_with_the_tree(tree in any_tree()) {
            let expected = if tree.value() { Outcome::True } else { Outcome::False };
            prop_assert_eq!(outcome(&tree.render()), expected);
        }
    }
}
