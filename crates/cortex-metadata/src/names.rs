//! The names of one assembly's types, for lookup.
//!
//! Must not know: where they were read from.

use std::{
    cmp::Ordering,
    hash::{Hash, Hasher},
    iter,
    ops::Range,
};

use rustc_hash::{FxHashSet, FxHasher};

use crate::model::TypeRow;

/// Names beyond this many bytes of text are not kept: they could all share a few bytes of the file.
const MAX_TEXT_BYTES: usize = 64 << 20;

/// A type that other assemblies may name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TypeEntry<'a> {
    pub(crate) row: u32,
    pub(crate) namespace: &'a str,
    pub(crate) name: &'a str,
    pub(crate) arity: u16,
    /// The row of the enclosing type.
    pub(crate) outer: Option<u32>,
}

/// A type that another assembly defines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ForwardEntry<'a> {
    pub(crate) namespace: &'a str,
    pub(crate) name: &'a str,
    pub(crate) arity: u16,
    pub(crate) assembly: &'a str,
}

/// Lookup tables over the names of an assembly.
pub(crate) struct Names {
    /// All text that is referred to.
    text: String,
    /// Sorted, with every enclosing namespace, without repetition.
    namespaces: Vec<Box<str>>,
    /// Sorted by hash, namespace, name, forwarded or not, arity, row.
    entries: Vec<Entry>,
    /// Where the entries start whose hash starts with a number.
    buckets: Vec<u32>,
    bucket_bits: u32,
    nested: Vec<TypeRow>,
    /// Enclosing row and its part of `nested`, sorted.
    nested_of: Vec<(u32, Range<u32>)>,
}

struct Entry {
    hash: u64,
    namespace: Range<u32>,
    name: Range<u32>,
    arity: u16,
    target: Target,
}

enum Target {
    Here(TypeRow),
    /// The assembly's name.
    There(Range<u32>),
}

impl Names {
    /// Of no types.
    pub(crate) fn none() -> Self {
        Self::new(iter::empty(), iter::empty(), iter::empty())
    }

    /// Builds the tables. O(n log n).
    pub(crate) fn new<'a>(
        types: impl Iterator<Item = TypeEntry<'a>>,
        forwards: impl Iterator<Item = ForwardEntry<'a>>,
        namespaces: impl Iterator<Item = &'a str>,
    ) -> Self {
        let mut names = Self {
            text: String::new(),
            namespaces: with_parents(namespaces),
            entries: Vec::new(),
            buckets: Vec::new(),
            bucket_bits: 0,
            nested: Vec::new(),
            nested_of: Vec::new(),
        };
        let mut inner: Vec<(u32, u32)> = Vec::new();
        // Once each, so that the types below one are a tree.
        let mut seen = FxHashSet::default();
        for entry in types {
            if !seen.insert(entry.row) {
                continue;
            }
            match entry.outer {
                Some(outer) => inner.push((outer, entry.row)),
                None => {
                    let target = Target::Here(TypeRow(entry.row));
                    names.push(entry.namespace, entry.name, entry.arity, target);
                }
            }
        }
        for entry in forwards {
            let target = Target::There(names.keep(entry.assembly));
            names.push(entry.namespace, entry.name, entry.arity, target);
        }
        names.sort();
        inner.sort_unstable();
        for group in inner.chunk_by(|a, b| a.0 == b.0) {
            let start = index(names.nested.len());
            names
                .nested
                .extend(group.iter().map(|&(_, row)| TypeRow(row)));
            let range = start..index(names.nested.len());
            names.nested_of.push((group[0].0, range));
        }
        names
    }

    pub(crate) fn find(&self, namespace: &str, name: &str, arity: u16) -> Option<TypeRow> {
        self.named(namespace, name)
            .find_map(|(found, row)| (found == arity).then_some(row))
    }

    /// The types of a name, by arity.
    pub(crate) fn named(
        &self,
        namespace: &str,
        name: &str,
    ) -> impl Iterator<Item = (u16, TypeRow)> + use<'_> {
        self.run(namespace, name)
            .iter()
            .filter_map(|entry| match entry.target {
                Target::Here(row) => Some((entry.arity, row)),
                Target::There(_) => None,
            })
    }

    pub(crate) fn forwarded(&self, namespace: &str, name: &str, arity: u16) -> Option<&str> {
        self.run(namespace, name)
            .iter()
            .find_map(|entry| match &entry.target {
                Target::There(assembly) if entry.arity == arity => Some(self.str(assembly)),
                _ => None,
            })
    }

    pub(crate) fn nested(&self, outer: TypeRow) -> &[TypeRow] {
        match self
            .nested_of
            .binary_search_by_key(&outer.0, |group| group.0)
        {
            Ok(place) => {
                let range = &self.nested_of[place].1;
                &self.nested[range.start as usize..range.end as usize]
            }
            Err(_) => &[],
        }
    }

    pub(crate) fn has_namespace(&self, namespace: &str) -> bool {
        let found = self
            .namespaces
            .binary_search_by(|known| (**known).cmp(namespace));
        found.is_ok()
    }

    pub(crate) fn namespaces(&self) -> impl Iterator<Item = &str> {
        self.namespaces.iter().map(|namespace| &**namespace)
    }

    /// Every top-level type: namespace, name, arity, row; in no meaningful order.
    pub(crate) fn types(&self) -> impl Iterator<Item = TypeEntry<'_>> {
        self.entries.iter().filter_map(|entry| match entry.target {
            Target::Here(TypeRow(row)) => Some(TypeEntry {
                row,
                namespace: self.str(&entry.namespace),
                name: self.str(&entry.name),
                arity: entry.arity,
                outer: None,
            }),
            Target::There(_) => None,
        })
    }

    /// Every forwarded type, in no meaningful order.
    pub(crate) fn forwards(&self) -> impl Iterator<Item = ForwardEntry<'_>> {
        self.entries.iter().filter_map(|entry| match &entry.target {
            Target::There(assembly) => Some(ForwardEntry {
                namespace: self.str(&entry.namespace),
                name: self.str(&entry.name),
                arity: entry.arity,
                assembly: self.str(assembly),
            }),
            Target::Here(_) => None,
        })
    }

    /// The entries of a name. O(1) but for crowded buckets, in which it is O(log n).
    fn run(&self, namespace: &str, name: &str) -> &[Entry] {
        let hash = hash(namespace, name);
        let bucket = bucket(hash, self.bucket_bits);
        let (Some(&start), Some(&end)) = (self.buckets.get(bucket), self.buckets.get(bucket + 1))
        else {
            return &[];
        };
        let entries = &self.entries[start as usize..end as usize];
        let order = |entry: &Entry| {
            entry
                .hash
                .cmp(&hash)
                .then_with(|| self.str(&entry.namespace).cmp(namespace))
                .then_with(|| self.str(&entry.name).cmp(name))
        };
        let first = entries.partition_point(|entry| order(entry) == Ordering::Less);
        let count = entries[first..].partition_point(|entry| order(entry) == Ordering::Equal);
        &entries[first..first + count]
    }

    fn push(&mut self, namespace: &str, name: &str, arity: u16, target: Target) {
        if self.text.len() > MAX_TEXT_BYTES {
            return;
        }
        let namespace_text = match self.entries.last() {
            Some(last) if self.str(&last.namespace) == namespace => last.namespace.clone(),
            _ => self.keep(namespace),
        };
        let name_text = self.keep(name);
        self.entries.push(Entry {
            hash: hash(namespace, name),
            namespace: namespace_text,
            name: name_text,
            arity,
            target,
        });
    }

    fn keep(&mut self, text: &str) -> Range<u32> {
        let start = index(self.text.len());
        self.text.push_str(text);
        start..index(self.text.len())
    }

    fn str(&self, range: &Range<u32>) -> &str {
        &self.text[range.start as usize..range.end as usize]
    }

    fn sort(&mut self) {
        let mut entries = std::mem::take(&mut self.entries);
        let place = |target: &Target| match target {
            Target::Here(row) => (0, row.0),
            Target::There(assembly) => (1, assembly.start),
        };
        entries.sort_unstable_by(|a, b| {
            a.hash
                .cmp(&b.hash)
                .then_with(|| self.str(&a.namespace).cmp(self.str(&b.namespace)))
                .then_with(|| self.str(&a.name).cmp(self.str(&b.name)))
                .then_with(|| (a.arity, place(&a.target)).cmp(&(b.arity, place(&b.target))))
        });
        self.bucket_bits = entries.len().max(1).ilog2();
        let count = 1_usize << self.bucket_bits;
        self.buckets = Vec::with_capacity(count + 1);
        for number in 0..=count {
            let start =
                entries.partition_point(|entry| bucket(entry.hash, self.bucket_bits) < number);
            self.buckets.push(index(start));
        }
        self.entries = entries;
    }
}

/// The hash by which a name is found.
pub(crate) fn hash(namespace: &str, name: &str) -> u64 {
    let mut hasher = FxHasher::default();
    namespace.hash(&mut hasher);
    name.hash(&mut hasher);
    hasher.finish()
}

fn bucket(hash: u64, bits: u32) -> usize {
    match bits {
        0 => 0,
        // At most 24 bits: an assembly has no more rows.
        _ => (hash >> (64 - bits)) as usize,
    }
}

/// Text is bounded, and so are the rows of a table.
fn index(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

fn with_parents<'a>(namespaces: impl Iterator<Item = &'a str>) -> Vec<Box<str>> {
    let mut all: Vec<Box<str>> = Vec::new();
    let mut last = "";
    for namespace in namespaces {
        if namespace == last || namespace.is_empty() {
            continue;
        }
        last = namespace;
        all.push(namespace.into());
    }
    all.sort_unstable();
    all.dedup();
    let mut parents: Vec<Box<str>> = Vec::new();
    for namespace in &all {
        let mut rest: &str = namespace;
        while let Some((parent, _)) = rest.rsplit_once('.') {
            if parents.last().is_some_and(|known| &**known == parent) {
                break;
            }
            parents.push(parent.into());
            rest = parent;
        }
    }
    all.extend(parents);
    all.sort_unstable();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry<'a>(row: u32, namespace: &'a str, name: &'a str, arity: u16) -> TypeEntry<'a> {
        TypeEntry {
            row,
            namespace,
            name,
            arity,
            outer: None,
        }
    }

    #[test]
    fn a_type_is_found_by_namespace_name_and_arity() {
        let many: Vec<String> = (0..500).map(|number| format!("T{number}")).collect();
        let types = many
            .iter()
            .enumerate()
            .map(|(row, name)| entry(row as u32 + 10, "N.M", name, 0))
            .chain([entry(1, "N", "List", 1), entry(2, "N", "List", 0)])
            .chain([TypeEntry {
                outer: Some(1),
                ..entry(3, "N", "Inner", 0)
            }]);
        let forward = ForwardEntry {
            namespace: "N",
            name: "Gone",
            arity: 2,
            assembly: "Other",
        };
        let names = Names::new(
            types,
            std::iter::once(forward),
            ["N.M", "A.B.C"].into_iter(),
        );
        assert_eq!(names.find("N", "List", 1), Some(TypeRow(1)));
        assert_eq!(names.find("N", "List", 2), None);
        let arities: Vec<_> = names.named("N", "List").collect();
        assert_eq!(arities, [(0, TypeRow(2)), (1, TypeRow(1))]);
        assert_eq!(names.find("N", "Inner", 0), None, "nested");
        assert_eq!(names.nested(TypeRow(1)), [TypeRow(3)]);
        assert_eq!(names.forwarded("N", "Gone", 2), Some("Other"));
        assert_eq!(names.find("N", "Gone", 2), None);
        for (row, name) in many.iter().enumerate() {
            assert_eq!(names.find("N.M", name, 0), Some(TypeRow(row as u32 + 10)));
        }
        assert_eq!(names.types().count(), 502);
    }

    #[test]
    fn a_namespace_encloses_those_below_it() {
        let names = Names::new(
            std::iter::empty(),
            std::iter::empty(),
            ["A.B.C", "", "A.D", "A.B.E"].into_iter(),
        );
        let all: Vec<_> = names.namespaces().collect();
        assert_eq!(all, ["A", "A.B", "A.B.C", "A.B.E", "A.D"]);
        assert!(names.has_namespace("A.B"));
        assert!(!names.has_namespace("A.BC"));
        assert!(!names.has_namespace(""));
    }
}
