//! Which commits can change a type, as far as trees and texts tell without an index.
//!
//! Owns: a superset of the changes that can matter. Must not know: what they do to the type.

use std::collections::BTreeSet;

use cortex_git::{FileChange, GitError, ReadBlob, Repository, TreeFile};
use cortex_index::Snapshot;
use cortex_look::QueryError;
use cortex_model::{BlobId, RepoPath, TreeId, TypeKey};
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
const DECLARING: [&str; 6] = ["class", "struct", "interface", "enum", "record", "delegate"];

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
        self.names.extend(other.names.iter().cloned());
    }

    fn add_words(&mut self, text: &[u8]) {
        self.names
            .extend(words(text).map(|word| String::from_utf8_lossy(word).into_owned()));
    }

    /// Whether what differs between two trees may change the type.
    pub(crate) fn may_differ(
        &self,
        repo: &Repository,
        trees: [TreeId; 2],
    ) -> Result<bool, GitError> {
        let mut reader = repo.blobs();
        let changes = repo.diff_trees(Some(trees[0]), Some(trees[1]))?;
        for change in &changes {
            if self.may_matter(change, &mut reader) {
                return Ok(true);
            }
        }
        // Namespaces that begin or end.
        for change in &changes {
            if !is_source(change.path()) {
                continue;
            }
            let sides = [&change.old, &change.new].map(|side| {
                let text = side.as_ref().map(|side| reader.read_blob(side.blob));
                text.transpose()
                    .map(|text| namespaces(&text.unwrap_or_default()))
            });
            let [Ok(old), Ok(new)] = sides else {
                return Ok(true);
            };
            let is_nested = old.len() > 1 || new.len() > 1;
            for namespace in old.symmetric_difference(&new) {
                if !self.is_any_named(namespace) {
                    continue;
                }
                // What stands behind the word is the whole name where no other namespace is around it.
                if is_nested || !has_neighbor(repo, trees, change.path(), namespace, &changes)? {
                    return Ok(true);
                }
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
        for side in [&change.old, &change.new].into_iter().flatten() {
            if !side.mode.is_file() {
                return true;
            }
            // What cannot be read may say anything.
            let Ok(text) = reader.read_blob(side.blob) else {
                return true;
            };
            let may_matter = match is_source(path) {
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

    /// Whether a source may declare a type of one of the names, or what counts for every file of a project.
    fn is_declared_in(&self, text: &[u8]) -> bool {
        // Not in an encoding in which words are their bytes.
        if text.contains(&0) || contains(text, b"InternalsVisibleTo") {
            return true;
        }
        let text = without_comment_lines(text);
        let mut at = 0;
        while let Some((start, end)) = word_from(&text, at) {
            at = end;
            let word = &text[start..end];
            if word == b"global" && text[end..].trim_ascii_start().starts_with(b"using") {
                return true;
            }
            if !DECLARING.iter().any(|it| it.as_bytes() == word) {
                continue;
            }
            let may_be_named = match word {
                b"delegate" => self.is_any_named(until_end(&text[end..])),
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

fn is_source(path: &RepoPath) -> bool {
    path.extension().eq_ignore_ascii_case("cs")
}

/// A text without lines that are a comment and nothing else.
fn without_comment_lines(text: &[u8]) -> Vec<u8> {
    let lines = text.split_inclusive(|&b| matches!(b, b'\n' | b'\r'));
    let is_comment = |line: &[u8]| {
        let line = line.trim_ascii_start();
        // In a literal, the line may go on behind it.
        line.starts_with(b"//") && !line.contains(&b'"')
    };
    let lines = lines.filter(|line| !is_comment(line));
    lines.flatten().copied().collect()
}

/// What stands behind each `namespace` of a source.
fn namespaces(text: &[u8]) -> BTreeSet<Vec<u8>> {
    let text = without_comment_lines(text);
    let mut out = BTreeSet::new();
    let mut at = 0;
    while let Some((start, end)) = word_from(&text, at) {
        at = end;
        if &text[start..end] == b"namespace" {
            out.insert(until_end(&text[end..]).trim_ascii().to_vec());
        }
    }
    out
}

/// Whether a file beside another one declares a namespace in both trees: the same content in both.
fn has_neighbor(
    repo: &Repository,
    [old, new]: [TreeId; 2],
    path: &RepoPath,
    namespace: &[u8],
    changes: &[FileChange],
) -> Result<bool, GitError> {
    let text = path.as_str();
    let (Some((root, _)), Some((folder, _))) = (text.split_once('/'), text.rsplit_once('/')) else {
        return Ok(false);
    };
    let before = repo.folder_files(old, root)?;
    let after = repo.folder_files(new, root)?;
    let after: FxHashSet<(&RepoPath, BlobId)> =
        after.iter().map(|file| (&file.path, file.blob)).collect();
    let is_changed = |file: &TreeFile| changes.iter().any(|change| change.path() == &file.path);
    let is_beside = |file: &&TreeFile| {
        let rest = file.path.as_str().strip_prefix(folder);
        let name = rest.and_then(|rest| rest.strip_prefix('/'));
        name.is_some_and(|name| !name.contains('/')) && is_source(&file.path)
    };
    let mut reader = repo.blobs();
    let known = before
        .iter()
        .filter(is_beside)
        .filter(|file| !is_changed(file) && after.contains(&(&file.path, file.blob)));
    for file in known.take(MAX_NEIGHBORS) {
        let text = reader.read_blob(file.blob)?;
        // Conditional code may be compiled in one tree alone.
        if !contains(&text, b"#if") && declares_alone(&text, namespace) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a source declares a namespace at the start of a line, and none beside it.
fn declares_alone(text: &[u8], namespace: &[u8]) -> bool {
    let found = namespaces(text);
    let mut lines = text.split(|&b| matches!(b, b'\n' | b'\r'));
    let mut is_comment = false;
    let is_declared = lines.any(|line| {
        is_comment = is_comment && !contains(line, b"*/") || contains(line, b"/*");
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        !is_comment && line.starts_with(b"namespace")
    });
    is_declared && found.len() == 1 && found.contains(namespace)
}

/// So many files are read to see whether a namespace goes on.
const MAX_NEIGHBORS: usize = 3;

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
            "// a class Order",
            "namespace A.Ns;",
        ];
        for text in others {
            assert!(!watched.is_declared_in(text.as_bytes()), "{text}");
        }
    }
}
