//! Conditions of MSBuild: parsed once per file, evaluated against whatever expands their operands.
//!
//! Must not know: properties, files; both are asked for through [`Operands`].

use std::borrow::Cow;

use crate::{
    template::{Template, closing, identifier_end, split_arguments},
    version::{Version, parse_bool, parse_number},
};

/// How deep `!` and parentheses may nest; a deeper condition is not understood.
const MAX_DEPTH: usize = 32;

/// A parsed condition and its source.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Condition {
    pub(crate) source: Box<str>,
    // `None` where the text is no condition.
    expression: Option<Expression>,
}

#[derive(Clone, PartialEq, Debug)]
enum Expression {
    Any(Vec<Expression>),
    All(Vec<Expression>),
    Not(Box<Expression>),
    Truth(Template),
    Compare(Template, Relation, Template),
    Exists(Template),
    HasTrailingSlash(Template),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Relation {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// What a condition asks of its surroundings.
pub(crate) trait Operands {
    /// The value of an operand, escapes undone.
    fn text<'t>(&mut self, operand: &'t Template) -> Cow<'t, str>;
    /// Whether a file or folder exists.
    fn exists(&mut self, path: &str) -> bool;
}

impl Condition {
    pub(crate) fn parse(source: &str) -> Self {
        let mut parser = Parser { rest: source };
        let expression = parser
            .any(0)
            .filter(|_| parser.rest.trim_start().is_empty());
        Self {
            source: source.into(),
            expression,
        }
    }

    /// Evaluates it; `None` where it is not understood: no condition, or operands that have no order.
    pub(crate) fn evaluate(&self, operands: &mut impl Operands) -> Option<bool> {
        if self.source.trim().is_empty() {
            return Some(true);
        }
        self.expression.as_ref()?.evaluate(operands)
    }
}

impl Expression {
    fn evaluate(&self, operands: &mut impl Operands) -> Option<bool> {
        match self {
            Self::Any(terms) => {
                for term in terms {
                    if term.evaluate(operands)? {
                        return Some(true);
                    }
                }
                Some(false)
            }
            Self::All(terms) => {
                for term in terms {
                    if !term.evaluate(operands)? {
                        return Some(false);
                    }
                }
                Some(true)
            }
            Self::Not(term) => term.evaluate(operands).map(|value| !value),
            Self::Truth(operand) => parse_bool(operands.text(operand).trim()),
            Self::Compare(left, relation, right) => {
                let left = operands.text(left);
                let right = operands.text(right);
                relation.holds(&left, &right)
            }
            Self::Exists(path) => {
                let path = operands.text(path);
                Some(!path.trim().is_empty() && operands.exists(path.trim()))
            }
            Self::HasTrailingSlash(path) => Some(operands.text(path).ends_with(['/', '\\'])),
        }
    }
}

impl Relation {
    /// Numbers compare as numbers, truth values as such, all else as text without regard to case;
    /// order needs two numbers or versions.
    fn holds(self, left: &str, right: &str) -> Option<bool> {
        let equal = || {
            if let (Some(left), Some(right)) = (parse_number(left), parse_number(right)) {
                return left == right;
            }
            if let (Some(left), Some(right)) = (parse_bool(left), parse_bool(right)) {
                return left == right;
            }
            left.eq_ignore_ascii_case(right) || left.to_lowercase() == right.to_lowercase()
        };
        let ordering = || match (parse_number(left), parse_number(right)) {
            (Some(left), Some(right)) => left.partial_cmp(&right),
            _ => Some(
                Version::parse(left)?
                    .parts
                    .cmp(&Version::parse(right)?.parts),
            ),
        };
        Some(match self {
            Self::Equal => equal(),
            Self::NotEqual => !equal(),
            Self::Less => ordering()?.is_lt(),
            Self::LessOrEqual => ordering()?.is_le(),
            Self::Greater => ordering()?.is_gt(),
            Self::GreaterOrEqual => ordering()?.is_ge(),
        })
    }
}

struct Parser<'s> {
    rest: &'s str,
}

impl<'s> Parser<'s> {
    fn any(&mut self, depth: usize) -> Option<Expression> {
        let mut terms = vec![self.all(depth)?];
        while self.keyword("or") {
            terms.push(self.all(depth)?);
        }
        Some(single_or(terms, Expression::Any))
    }

    fn all(&mut self, depth: usize) -> Option<Expression> {
        let mut terms = vec![self.factor(depth)?];
        while self.keyword("and") {
            terms.push(self.factor(depth)?);
        }
        Some(single_or(terms, Expression::All))
    }

    fn factor(&mut self, depth: usize) -> Option<Expression> {
        if depth == MAX_DEPTH {
            return None;
        }
        if self.symbol("!") {
            return Some(Expression::Not(Box::new(self.factor(depth + 1)?)));
        }
        if self.symbol("(") {
            let inner = self.any(depth + 1)?;
            return self.symbol(")").then_some(inner);
        }
        if let Some(function) = self.function() {
            return Some(function);
        }
        let left = self.operand()?;
        let Some(relation) = self.relation() else {
            return Some(Expression::Truth(left));
        };
        Some(Expression::Compare(left, relation, self.operand()?))
    }

    fn function(&mut self) -> Option<Expression> {
        let rest = self.rest.trim_start();
        let end = identifier_end(rest);
        let make = match rest[..end].to_ascii_lowercase().as_str() {
            "exists" => Expression::Exists,
            "hastrailingslash" => Expression::HasTrailingSlash,
            _ => return None,
        };
        let after = rest[end..].trim_start();
        if !after.starts_with('(') {
            return None;
        }
        let close = closing(after, 0)?;
        let arguments = split_arguments(&after[1..close]);
        let [argument] = arguments.as_slice() else {
            return None;
        };
        self.rest = &after[close + 1..];
        Some(make(Template::parse(argument)))
    }

    fn relation(&mut self) -> Option<Relation> {
        [
            ("==", Relation::Equal),
            ("!=", Relation::NotEqual),
            ("<=", Relation::LessOrEqual),
            (">=", Relation::GreaterOrEqual),
            ("<", Relation::Less),
            (">", Relation::Greater),
        ]
        .into_iter()
        .find_map(|(symbol, relation)| self.symbol(symbol).then_some(relation))
    }

    /// A quoted text, an expression or a bare word.
    fn operand(&mut self) -> Option<Template> {
        let rest = self.rest.trim_start();
        let (text, after) = if let Some(inner) = rest.strip_prefix('\'') {
            // A quote inside `$(…)` does not end the text.
            let end = quoted_end(inner)?;
            (&inner[..end], &inner[end + 1..])
        } else if rest.starts_with(['$', '@', '%']) && rest[1..].starts_with('(') {
            let end = closing(rest, 1)? + 1;
            (&rest[..end], &rest[end..])
        } else {
            let end = rest
                .find(|c: char| !(c.is_alphanumeric() || "._-+".contains(c)))
                .unwrap_or(rest.len());
            if end == 0 {
                return None;
            }
            (&rest[..end], &rest[end..])
        };
        self.rest = after;
        Some(Template::parse(text))
    }

    fn symbol(&mut self, symbol: &str) -> bool {
        match self.rest.trim_start().strip_prefix(symbol) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn keyword(&mut self, word: &str) -> bool {
        let rest = self.rest.trim_start();
        let end = identifier_end(rest);
        if rest[..end].eq_ignore_ascii_case(word) {
            self.rest = &rest[end..];
            return true;
        }
        false
    }
}

/// Where the quoted text that has begun ends: at a quote outside of `$(…)`, `@(…)` and `%(…)`.
fn quoted_end(inner: &str) -> Option<usize> {
    let bytes = inner.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\'' => return Some(at),
            b'$' | b'@' | b'%' if bytes.get(at + 1) == Some(&b'(') => {
                at = closing(inner, at + 1).unwrap_or(at);
            }
            _ => {}
        }
        at += 1;
    }
    None
}

fn single_or(mut terms: Vec<Expression>, make: fn(Vec<Expression>) -> Expression) -> Expression {
    if terms.len() == 1 {
        return terms.remove(0);
    }
    make(terms)
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::{Condition, Operands};
    use crate::template::Template;

    struct Literal;

    impl Operands for Literal {
        fn text<'t>(&mut self, operand: &'t Template) -> Cow<'t, str> {
            operand.literal().map_or(Cow::Borrowed("?"), Cow::Borrowed)
        }

        fn exists(&mut self, path: &str) -> bool {
            path == "there"
        }
    }

    #[track_caller]
    fn check_condition(source: &str, expected: Option<bool>) {
        assert_eq!(
            Condition::parse(source).evaluate(&mut Literal),
            expected,
            "{source}"
        );
    }

    #[test]
    fn and_binds_tighter_than_or_and_words_know_no_case() {
        check_condition("true or false and false", Some(true));
        check_condition("(true OR false) AND False", Some(false));
        check_condition("!false and !(true and false)", Some(true));
        check_condition("'a' == 'A' Or nonsense", Some(true));
    }

    #[test]
    fn numbers_versions_and_truth_values_compare_as_such() {
        check_condition("'4.0' == '4.00'", Some(true));
        check_condition("'0x10' == 16", Some(true));
        check_condition("'10.0' >= '9.0'", Some(true));
        check_condition("'4.6.1' < '4.10'", Some(true));
        check_condition("'on' == 'true'", Some(true));
        check_condition("'a' != 'b'", Some(true));
        check_condition("'' == ''", Some(true));
    }

    #[test]
    fn what_has_no_order_or_is_no_condition_is_not_understood() {
        check_condition("'a' > '1'", None);
        check_condition("'' > '1'", None);
        check_condition("''", None);
        check_condition("true true", None);
        check_condition("(true", None);
        check_condition("'a' ==", None);
        check_condition("'unclosed", None);
        check_condition(&"!(".repeat(5_000), None);
    }

    #[test]
    fn exists_and_trailing_slashes_are_asked_for() {
        check_condition("Exists('there')", Some(true));
        check_condition("!exists( 'gone' )", Some(true));
        check_condition(r"HasTrailingSlash('a\')", Some(true));
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        check_condition(
            &format!("false{}", " or false".repeat(100_000)),
            Some(false),
        );
    }

    #[test]
    fn a_quote_inside_a_function_does_not_end_the_operand() {
        check_condition("'$(A.Replace('x', 'y'))' == '?'", Some(true));
    }
}
