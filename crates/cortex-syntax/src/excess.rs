//! What no compiled program has, and what would cost whoever binds it more than its length.
//!
//! Owns: the limits on one source text. Must not know: what is done with a text that exceeds them.
//!
//! A name is part of the names of everything inside of it, an overload is compared with the other overloads, and a
//! name is looked up in every namespace that a using directive imports. Without limits, a text of a megabyte makes
//! gigabytes of these.

use cortex_model::{DeclKind, Modifier};
use rustc_hash::FxHashMap;

use crate::facts::{DeclId, FileFacts, NameId};

/// The longest identifier, in bytes: assemblies hold no longer names of types and members (CS7013).
pub(crate) const MAX_NAME: usize = 1_023;

/// The longest name with everything around it, in bytes.
pub(crate) const MAX_QUALIFIED_NAME: usize = 4_096;

/// The most members of one name in one declaration of a type, and extension methods of one name in a file.
pub(crate) const MAX_OVERLOADS: u32 = 2_000;

/// The most look-ups that using directives ask for: directives times names.
const MAX_LOOKUPS: usize = 5_000_000;

/// With so few using directives there may be any number of names.
const FEW_USINGS: usize = 50;

/// What a text has too much of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Excess {
    /// A name is longer than [`MAX_NAME`] or [`MAX_QUALIFIED_NAME`].
    Name,
    /// More than [`MAX_OVERLOADS`] members have one name.
    Overloads,
    /// Using directives for more look-ups than a text may ask for.
    Usings,
}

impl FileFacts {
    /// What the text has too much of, if anything. O(declarations + names).
    pub fn excess(&self) -> Option<Excess> {
        if self.has_long_name() {
            Some(Excess::Name)
        } else if self.has_many_overloads() {
            Some(Excess::Overloads)
        } else if self.has_many_lookups() {
            Some(Excess::Usings)
        } else {
            None
        }
    }

    fn has_long_name(&self) -> bool {
        let mut lengths: Vec<usize> = Vec::with_capacity(self.decls.len());
        for decl in &self.decls {
            // A namespace may be declared with dots in its name.
            let name = self.name(decl.name);
            let around = decl.parent.map_or(0, |parent| lengths[parent as usize] + 1);
            let length = around + name.len();
            if length > MAX_QUALIFIED_NAME || name.split('.').any(|part| part.len() > MAX_NAME) {
                return true;
            }
            lengths.push(length);
        }
        let mut references = self.refs.iter().map(|reference| reference.name);
        references.any(|name| self.name(name).len() > MAX_NAME)
    }

    fn has_many_overloads(&self) -> bool {
        let mut members: FxHashMap<(Option<DeclId>, NameId), u32> = FxHashMap::default();
        let mut extensions: FxHashMap<NameId, u32> = FxHashMap::default();
        let is_over = |count: &mut u32| {
            *count += 1;
            *count > MAX_OVERLOADS
        };
        self.decls.iter().any(|decl| {
            let is_overloaded = matches!(
                decl.kind,
                DeclKind::Method
                    | DeclKind::Constructor
                    | DeclKind::Indexer
                    | DeclKind::Operator
                    | DeclKind::Conversion
            );
            let receiver = decl.params.as_ref().and_then(|params| params.first());
            let is_extension = receiver.is_some_and(|it| it.modifiers.contains(Modifier::This));
            is_overloaded && is_over(members.entry((decl.parent, decl.name)).or_default())
                || is_extension && is_over(extensions.entry(decl.name).or_default())
        })
    }

    fn has_many_lookups(&self) -> bool {
        if self.usings.len() <= FEW_USINGS {
            return false;
        }
        let mut names: Vec<NameId> = self.refs.iter().map(|reference| reference.name).collect();
        names.sort_unstable();
        names.dedup();
        names.len().saturating_mul(self.usings.len()) > MAX_LOOKUPS
    }
}

#[cfg(test)]
mod tests {
    use super::Excess;
    use crate::{Extractor, ParseOptions};

    fn excess(text: &str) -> Option<Excess> {
        let facts = Extractor::default().facts(text.as_bytes(), &ParseOptions::default());
        facts.excess()
    }

    #[test]
    fn names_that_no_assembly_holds_are_too_long() {
        let name = |length: usize| "A".repeat(length);
        assert_eq!(excess(&format!("class {} {{ }}", name(1_023))), None);
        for text in [
            format!("class {} {{ }}", name(1_024)),
            format!("class C {{ void {}() {{ }} }}", name(1_024)),
            format!("class C {{ {} field; }}", name(1_024)),
            format!("namespace {}A;", "A.".repeat(2_100)),
            format!(
                "{}class C {{ }}{}",
                "namespace A { ".repeat(2_100),
                "}".repeat(2_100)
            ),
        ] {
            assert_eq!(excess(&text), Some(Excess::Name), "{:.40}", text);
        }
    }

    #[test]
    fn members_of_one_name_are_counted() {
        let class = |method: &str, n: usize| format!("static class C {{ {} }}", method.repeat(n));
        assert_eq!(excess(&class("void M(int a) { }", 2_000)), None);
        let many = class("void M(int a) { }", 2_001);
        assert_eq!(excess(&many), Some(Excess::Overloads));
        let one = "static class C { static void M(this int a) { } }\n";
        assert_eq!(excess(&one.repeat(2_000)), None);
        assert_eq!(excess(&one.repeat(2_001)), Some(Excess::Overloads));
        assert_eq!(excess(&"class C { void M() { } }\n".repeat(2_001)), None);
    }

    #[test]
    fn using_directives_are_weighed_with_the_names_that_they_look_up() {
        let usings: String = (0..3_000).map(|n| format!("using N{n};\n")).collect();
        assert_eq!(excess(&usings), Some(Excess::Usings));
        let fields: String = (0..10_000).map(|n| format!("T{n} f{n};\n")).collect();
        let few: String = (0..50).map(|n| format!("using N{n};\n")).collect();
        assert_eq!(excess(&format!("{few}class C {{ {fields} }}")), None);
    }
}
