//! Values of constants, default values and attribute arguments, worked out from their tokens (C# specification,
//! §12.23).
//!
//! What is not understood stays as its text, so that equal text is equal and nothing is lost. Must not know:
//! what they are compared for.

mod names;
mod tokens;

use cortex_syntax::DeclId;

pub(crate) use self::names::{member, value_of};
use self::tokens::{Token, Tokens};
use crate::{
    compilation::Compilation,
    names::{Position, Scope},
    symbol::{MemberId, UnitId},
};

/// A constant.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// `null`, or `default` of a type that is not known here.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// An integer, a character's number, or an enum member's value.
    Integer(i64),
    /// A string.
    Text(String),
    /// `typeof`: the documentation id of the type.
    Type(String),
    /// An array or collection.
    Array(Vec<Value>),
    /// Anything else, by its tokens.
    Source(String),
}

/// Constants that name each other are followed this far.
const MAX_DEPTH: u32 = 32;

/// The longest text that operators may put together, in bytes.
const MAX_TEXT: usize = 8 << 10;

/// The value of an expression by its tokens.
pub(super) fn value(c: &Compilation<'_>, scope: &Scope, text: &str) -> Value {
    value_at(c, scope, text, 0)
}

impl Compilation<'_> {
    /// The value of a constant that a declaration of a file says, by its text. Local names are not known: they would be
    /// read as those of members.
    pub fn constant_value(&self, unit: UnitId, decl: Option<DeclId>, text: &str) -> Value {
        value(self, &self.scope_of(unit, decl, Position::Body), text)
    }
}

fn value_at(c: &Compilation<'_>, scope: &Scope, text: &str, depth: u32) -> Value {
    evaluate(c, scope, text, depth, &mut Vec::new())
}

/// The value of an expression. `constants` gets the constants that it names.
fn evaluate(
    c: &Compilation<'_>,
    scope: &Scope,
    text: &str,
    depth: u32,
    constants: &mut Vec<Constant>,
) -> Value {
    let mut reader = Reader {
        c,
        scope,
        tokens: Tokens::new(text),
        depth,
        constants,
    };
    let found = reader.expression(0);
    match found {
        Some(value) if reader.tokens.peek().is_none() => value,
        _ => Value::Source(text.to_owned()),
    }
}

/// A constant with its value.
pub(super) type Constant = (MemberId, Value);

/// An argument for a parameter of a constructor.
pub(super) struct Argument<'a> {
    /// The parameter, where it is written: `name: value`.
    pub(super) name: Option<&'a str>,
    /// What it gets.
    pub(super) value: Value,
}

/// The arguments of an attribute.
#[derive(Default)]
pub(super) struct Arguments<'a> {
    /// Those of its constructor, as written.
    pub(super) written: Vec<Argument<'a>>,
    /// Those that set a field or property.
    pub(super) named: Vec<(String, Value)>,
    /// The constants that they name, in their order.
    pub(super) constants: Vec<Constant>,
}

/// The arguments of an attribute from their text.
pub(super) fn arguments<'a>(c: &Compilation<'_>, scope: &Scope, text: &'a str) -> Arguments<'a> {
    let mut out = Arguments::default();
    for part in tokens::split(text) {
        let part = part.trim();
        if part.is_empty() {
            continue;
        }
        let (name, expression) = match tokens::assigned(part) {
            Some((name, '=', expression)) => {
                let value = evaluate(c, scope, expression, 0, &mut out.constants);
                out.named.push((name.to_owned(), value));
                continue;
            }
            Some((name, _, expression)) => (Some(name), expression),
            None => (None, part),
        };
        let value = evaluate(c, scope, expression, 0, &mut out.constants);
        out.written.push(Argument { name, value });
    }
    out
}

struct Reader<'a, 'c, 'w> {
    c: &'c Compilation<'w>,
    scope: &'a Scope,
    tokens: Tokens<'a>,
    depth: u32,
    constants: &'a mut Vec<Constant>,
}

/// Parentheses are followed this far.
const MAX_NESTING: u32 = 64;

impl<'a> Reader<'a, '_, '_> {
    fn expression(&mut self, nesting: u32) -> Option<Value> {
        self.binary(0, nesting)
    }

    /// Operators by precedence, loosest first: `|`, `&`, shifts, `+ -`, `*`.
    fn binary(&mut self, level: usize, nesting: u32) -> Option<Value> {
        const LEVELS: [&[&str]; 6] = [&["|"], &["^"], &["&"], &["<<", ">>"], &["+", "-"], &["*"]];
        let Some(operators) = LEVELS.get(level) else {
            return self.unary(nesting);
        };
        let mut left = self.binary(level + 1, nesting)?;
        while let Some(operator) = self.tokens.take_operator(operators) {
            let right = self.binary(level + 1, nesting)?;
            left = fold(left, operator, right)?;
        }
        Some(left)
    }

    fn unary(&mut self, nesting: u32) -> Option<Value> {
        if nesting > MAX_NESTING {
            return None;
        }
        match self.tokens.next()? {
            Token::Integer(value) => Some(Value::Integer(value)),
            Token::Text(text) => Some(Value::Text(text)),
            Token::Operator("-") => match self.unary(nesting + 1)? {
                Value::Integer(value) => Some(Value::Integer(value.wrapping_neg())),
                Value::Source(text) => Some(Value::Source(format!("-{text}"))),
                _ => None,
            },
            Token::Operator("~") => match self.unary(nesting + 1)? {
                Value::Integer(value) => Some(Value::Integer(!value)),
                _ => None,
            },
            Token::Operator("!") => match self.unary(nesting + 1)? {
                Value::Boolean(value) => Some(Value::Boolean(!value)),
                _ => None,
            },
            Token::Operator("(") => self.parenthesized(nesting + 1),
            Token::Operator("[") => self.elements("]", nesting + 1),
            Token::Number(text) => Some(Value::Source(text.to_owned())),
            Token::Word(word) => self.word(word, nesting + 1),
            Token::Operator(_) => None,
        }
    }

    /// `(expression)`, or a cast, which changes nothing that matters.
    fn parenthesized(&mut self, nesting: u32) -> Option<Value> {
        let before = self.tokens.clone();
        let inner = self.expression(nesting);
        if inner.is_some() && self.tokens.accept(")") {
            let is_operand = matches!(
                self.tokens.peek(),
                Some(Token::Word(_) | Token::Integer(_) | Token::Text(_) | Token::Number(_))
            ) || self.tokens.peek() == Some(Token::Operator("("));
            if !is_operand {
                return inner;
            }
        }
        self.tokens = before;
        self.tokens.skip_to(")")?;
        self.unary(nesting)
    }

    /// What stands between brackets or braces.
    fn elements(&mut self, close: &'static str, nesting: u32) -> Option<Value> {
        let mut out = Vec::new();
        while !self.tokens.accept(close) {
            out.push(self.expression(nesting)?);
            if !self.tokens.accept(",") && self.tokens.peek() != Some(Token::Operator(close)) {
                return None;
            }
        }
        Some(Value::Array(out))
    }

    fn word(&mut self, word: &str, nesting: u32) -> Option<Value> {
        match word {
            "true" => Some(Value::Boolean(true)),
            "false" => Some(Value::Boolean(false)),
            "null" => Some(Value::Null),
            "default" => {
                if self.tokens.accept("(") {
                    let inside = self.tokens.skip_to(")")?;
                    return Some(Value::Source(format!("default({inside})")));
                }
                Some(Value::Null)
            }
            "typeof" => {
                let inside = self.inside_of_parentheses()?;
                Some(names::type_value(self.c, self.scope, inside))
            }
            "nameof" => {
                let inside = self.inside_of_parentheses()?;
                let last = inside.rsplit(['.', ':']).next()?;
                Some(Value::Text(last.split('<').next()?.trim().to_owned()))
            }
            "new" => {
                self.tokens.skip_to("{")?;
                self.elements("}", nesting)
            }
            _ => self.path(word),
        }
    }

    fn inside_of_parentheses(&mut self) -> Option<&'a str> {
        self.tokens.accept("(").then_some(())?;
        self.tokens.skip_to(")")
    }

    /// A name with dots: a constant or an enum member.
    fn path(&mut self, first: &str) -> Option<Value> {
        let mut path = vec![first.to_owned()];
        while self.tokens.accept(".") || self.tokens.accept("::") {
            let Some(Token::Word(word)) = self.tokens.next() else {
                return None;
            };
            path.push(word.to_owned());
        }
        if matches!(self.tokens.peek(), Some(Token::Operator("(" | "<" | "["))) {
            return None;
        }
        let is_shallow = self.depth < MAX_DEPTH;
        let known = is_shallow.then(|| names::constant(self.c, self.scope, &path, self.depth));
        let Some((constant, value)) = known.flatten() else {
            return Some(Value::Source(path.join(".")));
        };
        self.constants.push((constant, value.clone()));
        Some(value)
    }
}

fn fold(left: Value, operator: &str, right: Value) -> Option<Value> {
    use Value as V;
    Some(match (left, operator, right) {
        (V::Text(a), "+", V::Text(b)) if a.len() + b.len() > MAX_TEXT => return None,
        (V::Text(a), "+", V::Text(b)) => V::Text(a + &b),
        (V::Text(a), "+", V::Null) | (V::Null, "+", V::Text(a)) => V::Text(a),
        (V::Integer(a), operator, V::Integer(b)) => V::Integer(match operator {
            "|" => a | b,
            "&" => a & b,
            "^" => a ^ b,
            "+" => a.wrapping_add(b),
            "-" => a.wrapping_sub(b),
            "*" => a.wrapping_mul(b),
            "<<" => a.checked_shl(u32::try_from(b).ok()?)?,
            _ => a.checked_shr(u32::try_from(b).ok()?)?,
        }),
        (V::Boolean(a), "|", V::Boolean(b)) => V::Boolean(a | b),
        (V::Boolean(a), "&", V::Boolean(b)) => V::Boolean(a & b),
        (a @ (V::Source(_) | V::Integer(_)), operator, b @ (V::Source(_) | V::Integer(_))) => {
            let text = format!("{}{operator}{}", a.text(), b.text());
            V::Source(Some(text).filter(|text| text.len() <= MAX_TEXT)?)
        }
        _ => return None,
    })
}

impl Value {
    /// As C# writes it, more or less.
    pub fn text(&self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Boolean(value) => value.to_string(),
            Self::Integer(value) => value.to_string(),
            Self::Text(text) => format!("{text:?}"),
            Self::Type(id) => format!("typeof({})", id.strip_prefix("T:").unwrap_or(id)),
            Self::Array(values) => {
                let values: Vec<String> = values.iter().map(Self::text).collect();
                format!("[{}]", values.join(", "))
            }
            Self::Source(text) => text.clone(),
        }
    }
}
