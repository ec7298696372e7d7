//! Which commits can change a type, as far as trees and texts tell without an index.
//!
//! Owns: a superset of the changes that can matter. Must not know: what they do to the type.

use std::collections::BTreeSet;

use cortex_git::{FileChange, GitError, ReadBlob, Repository};
use cortex_index::Snapshot;
use cortex_look::QueryError;
use cortex_model::{RepoPath, TreeId, TypeKey};
use rustc_hash::FxHashSet;

/// What decides about a type as a snapshot has it: while no file of these changes, and none that declares a type or
/// namespace of these names, its record stays as it is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watched {
    /// The files that declare it.
    files: BTreeSet<RepoPath>,
    /// Every word of these files, and the types that those inherit from which it depends on.
    names: FxHashSet<String>,
}

/// Words behind which a declared name stands.
const DECLARING: [&str; 7] = [
    "class",
    "struct",
    "interface",
    "enum",
    "record",
    "namespace",
    "delegate",
];

impl Watched {
    /// What decides about a type. `known`: what decided about it in other snapshots, or its name alone; these are its
    /// names where the snapshot does not have it.
    pub(crate) fn of(
        snapshot: &Snapshot,
        repo: &Repository,
        key: TypeKey,
        known: &Self,
    ) -> Result<Self, QueryError> {
        let mut out = Self::default();
        let Some(node) = snapshot.type_node(key)? else {
            out.names.clone_from(&known.names);
            return Ok(out);
        };
        out.add_words(node.fqn.as_bytes());
        let mut reader = repo.blobs();
        for part in &node.parts {
            if !out.files.insert(part.path.clone()) {
                continue;
            }
            if let Some(file) = snapshot.file(&part.path)? {
                out.add_words(&reader.read_blob(file.blob)?);
            }
        }
        // A name may mean a type that is declared in a base of what it depends on.
        let edges = snapshot.edges(key)?;
        let mut next: Vec<TypeKey> = edges.source.iter().map(|edge| edge.target).collect();
        next.extend(&node.bases);
        let mut seen: FxHashSet<TypeKey> = FxHashSet::default();
        while let Some(key) = next.pop() {
            if !seen.insert(key) {
                continue;
            }
            if let Some(header) = snapshot.type_header(key)? {
                out.add_words(header.fqn.as_bytes());
                next.extend(&header.bases);
            }
        }
        Ok(out)
    }

    /// What decides about a type of which nothing but the name is known.
    pub(crate) fn of_name(name: &str) -> Self {
        let mut out = Self::default();
        out.add_words(name.as_bytes());
        out
    }

    /// Adds the names of another state of the type.
    pub(crate) fn add_names(&mut self, other: &Self) {
        for name in &other.names {
            if !self.names.contains(name) {
                self.names.insert(name.clone());
            }
        }
    }

    fn add_words(&mut self, text: &[u8]) {
        self.names
            .extend(words(text).map(|word| String::from_utf8_lossy(word).into_owned()));
    }

    /// Whether what differs between two trees may change the type.
    pub(crate) fn may_differ(
        &self,
        repo: &Repository,
        [old, new]: [TreeId; 2],
    ) -> Result<bool, GitError> {
        let mut reader = repo.blobs();
        for change in repo.diff_trees(Some(old), Some(new))? {
            if self.may_matter(&change, &mut reader) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn may_matter(&self, change: &FileChange, reader: &mut dyn ReadBlob) -> bool {
        let path = change.path();
        if self.files.contains(path)
            || cortex_project::is_project_file(path)
            || cortex_project::is_library(path)
        {
            return true;
        }
        let is_source = path.extension().eq_ignore_ascii_case("cs");
        for side in [&change.old, &change.new].into_iter().flatten() {
            if !side.mode.is_file() {
                return true;
            }
            // What cannot be read may say anything.
            let Ok(text) = reader.read_blob(side.blob) else {
                return true;
            };
            let may_matter = match is_source {
                true => self.is_declared_in(&text),
                // Projects import files of any name.
                false => contains(&text, b"<Project"),
            };
            if may_matter {
                return true;
            }
        }
        false
    }

    /// Whether a source may declare a type or namespace of one of the names, or what counts for every file of a project.
    fn is_declared_in(&self, text: &[u8]) -> bool {
        // Not in an encoding in which words are their bytes.
        if text.contains(&0) || contains(text, b"InternalsVisibleTo") {
            return true;
        }
        let mut at = 0;
        while let Some((start, end)) = word_from(text, at) {
            at = end;
            let word = &text[start..end];
            if word == b"global" && text[end..].trim_ascii_start().starts_with(b"using") {
                return true;
            }
            if !DECLARING.iter().any(|it| it.as_bytes() == word) {
                continue;
            }
            let may_be_named = match word {
                b"delegate" | b"namespace" => self.is_any_named(until_end(&text[end..])),
                _ => self.is_named_next(&text[end..]),
            };
            if may_be_named {
                return true;
            }
        }
        false
    }

    /// Whether the declaration that goes on here may have one of the names.
    fn is_named_next(&self, text: &[u8]) -> bool {
        let rest = text.trim_ascii_start();
        let rest = rest.strip_prefix(b"@").unwrap_or(rest);
        match rest.first() {
            // A comment, a directive or an escape stands before the name or in it.
            Some(b'/' | b'#' | b'\\') => return true,
            Some(&first) if is_part(first) => {}
            _ => return false,
        }
        let Some((0, end)) = word_from(rest, 0) else {
            return false;
        };
        let word = &rest[..end];
        match word {
            // `record struct X`.
            b"struct" | b"class" => self.is_named_next(&rest[end..]),
            _ => rest.get(end) == Some(&b'\\') || self.has(word),
        }
    }

    fn is_any_named(&self, text: &[u8]) -> bool {
        text.contains(&b'\\') || words(text).any(|word| self.has(word))
    }

    fn has(&self, word: &[u8]) -> bool {
        // Formatting characters are no part of a name.
        !word.is_ascii() || std::str::from_utf8(word).is_ok_and(|word| self.names.contains(word))
    }
}

/// What stands before the end of a declaration's head.
fn until_end(text: &[u8]) -> &[u8] {
    let end = text.iter().position(|b| matches!(b, b'{' | b';'));
    &text[..end.unwrap_or(text.len())]
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// The first word at or after an offset.
fn word_from(text: &[u8], from: usize) -> Option<(usize, usize)> {
    let start = from + text.get(from..)?.iter().position(|&b| is_part(b))?;
    let len = text[start..].iter().position(|&b| !is_part(b));
    Some((start, len.map_or(text.len(), |len| start + len)))
}

fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|&b| !is_part(b)).filter(|word| !word.is_empty())
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

#[cfg(test)]
mod tests {
    use super::Watched;

    fn watched(names: &str) -> Watched {
        Watched::of_name(names)
    }

    #[test]
    fn a_source_matters_that_may_declare_a_name() {
        let watched = watched("Order Ns");
        let matters = [
            "class Order { }",
            "record struct @Order(int A);",
            "public delegate System.Func<Order> Make();",
            "namespace A.Ns;",
            "class /* of */ Order;",
            "class Or\\u0064er { }",
            "class Or\u{200d}der { }",
            "global using A;",
            "[assembly: InternalsVisibleTo(\"B\")]",
            "c\0l\0a\0s\0s\0",
        ];
        for text in matters {
            assert!(watched.is_declared_in(text.as_bytes()), "{text}");
        }
        let others = [
            "class Other : Order { Order M() => new Order(); }",
            "class A<T> where T : class, Order { }",
            "namespace B { enum Orders { Order } }",
            "using Ns;",
        ];
        for text in others {
            assert!(!watched.is_declared_in(text.as_bytes()), "{text}");
        }
    }
}
