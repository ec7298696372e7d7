//! Types from outside of the repository as declarations name them, and types as text.
//!
//! Owns: the form of a bound type's text. Must not know: assemblies, lookup.

use std::{borrow::Cow, fmt, rc::Rc};

use cortex_syntax::{DeclId, NameSegment};
use serde::{Deserialize, Serialize};

/// A type as bound. What it refers to decides whether two are equal: `int` and `System.Int32` are, and `Timer` of two
/// namespaces is not.
///
/// Types of this repository stand in it by their canonical names. Types from outside do too, with their namespaces
/// between two marks that no identifier has: [`fmt::Display`] leaves those namespaces out.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TypeText(String);

/// Before the namespace of a type from outside.
pub(crate) const OPEN: char = '\u{1}';
/// After it.
pub(crate) const CLOSE: char = '\u{2}';

impl TypeText {
    /// A text of these bytes: written by [`push_namespace`] where it has marks.
    pub fn new(marked: String) -> Self {
        Self(marked)
    }

    /// As people read it: without the namespaces of types from outside.
    pub fn short(&self) -> Cow<'_, str> {
        short(&self.0)
    }

    /// With every namespace.
    pub fn full(&self) -> String {
        full(&self.0)
    }

    /// The simple name of the type, without type arguments.
    pub fn simple_name(&self) -> &str {
        cortex_model::simple_name(&self.0).trim_start_matches(CLOSE)
    }

    pub(crate) fn marked(&self) -> &str {
        &self.0
    }
}

impl From<&str> for TypeText {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl fmt::Display for TypeText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.short())
    }
}

/// Writes the namespace of a type from outside; its name has to follow.
pub fn push_namespace(out: &mut String, namespace: &str) {
    if !namespace.is_empty() {
        out.push(OPEN);
        out.push_str(namespace);
        out.push('.');
        out.push(CLOSE);
    }
}

/// A text without what stands between marks.
pub(crate) fn short(marked: &str) -> Cow<'_, str> {
    if !marked.contains(OPEN) {
        return Cow::Borrowed(marked);
    }
    let mut out = String::with_capacity(marked.len());
    let mut rest = marked;
    while let Some((before, after)) = rest.split_once(OPEN) {
        out.push_str(before);
        rest = after.split_once(CLOSE).map_or(after, |(_, rest)| rest);
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// A text without the marks themselves.
pub(crate) fn full(marked: &str) -> String {
    marked.replace([OPEN, CLOSE], "")
}

/// Text that somebody wrote, without anything that reads as a mark.
pub(crate) fn unmarked(text: &str) -> String {
    text.replace([OPEN, CLOSE], " ")
}

/// A written name of a type.
#[derive(Clone, Copy, Debug)]
pub struct WrittenName<'a> {
    /// The declaration whose head has it.
    pub decl: DeclId,
    /// Its parts.
    pub segments: &'a [NameSegment],
    /// Whether it names the class of an attribute.
    pub is_attribute: bool,
}

/// A type from outside.
#[derive(Clone, Debug)]
pub enum OutsideType {
    /// A definition, to which the written type arguments apply.
    Definition(Rc<OutsideDefinition>),
    /// A type that is complete: one with a keyword, or what an alias stands for.
    Complete(Rc<str>),
}

/// A definition from outside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutsideDefinition {
    /// Its namespace; empty for the global one.
    pub namespace: String,
    /// Its name with its own arity, after those of the types that contain it.
    pub names: Vec<(String, usize)>,
}

/// The types from outside that the names of one file refer to.
pub trait Outside {
    /// The type that a name refers to; `None` where no assembly has it.
    fn type_named(&self, name: WrittenName<'_>) -> Option<OutsideType>;
}

/// No assembly is known.
#[derive(Clone, Copy, Debug)]
pub struct NoOutside;

impl Outside for NoOutside {
    fn type_named(&self, _: WrittenName<'_>) -> Option<OutsideType> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_read_no_namespace_from_outside() {
        let mut text = String::from("N.C<");
        push_namespace(&mut text, "System.Timers");
        text.push_str("Timer>");
        let text = TypeText::new(text);
        assert_eq!(text.to_string(), "N.C<Timer>");
        assert_eq!(text.full(), "N.C<System.Timers.Timer>");
    }
}
