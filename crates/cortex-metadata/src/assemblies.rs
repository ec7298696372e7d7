//! Several assemblies that are looked through together: which of them has a type, a namespace, a name.
//!
//! Must not know: which project sees which of them.

use std::{
    ops::Deref,
    sync::{Arc, OnceLock},
};

use rustc_hash::FxHashMap;

use crate::{assembly::Assembly, model::TypeRow};

/// Assemblies by index. Indexes over them are made when first asked for and then kept, so one value serves
/// every binding that sees the same assemblies.
#[derive(Default)]
pub struct Assemblies {
    all: Vec<Arc<Assembly>>,
    indexes: OnceLock<Indexes>,
    names: OnceLock<FxHashMap<Arc<str>, u32>>,
}

/// Who has what. Hashes only narrow the search down, and stay the same from process to process.
pub(crate) struct Indexes {
    /// Of namespace and name of each top-level type.
    pub(crate) types: HashIndex,
    /// Of the name of each extension member.
    pub(crate) extensions: HashIndex,
    /// Who has types in a namespace or below it, ascending.
    pub(crate) namespaces: FxHashMap<Box<str>, Vec<u32>>,
}

/// Hashes with the assemblies that have something of that hash, ascending, without repetition.
#[derive(Default, PartialEq, Eq, Debug)]
pub(crate) struct HashIndex(pub(crate) Vec<(u32, u32)>);

impl HashIndex {
    fn new(mut entries: Vec<(u32, u32)>) -> Self {
        entries.sort_unstable();
        entries.dedup();
        Self(entries)
    }

    fn of(&self, hash: u32) -> impl Iterator<Item = usize> {
        let first = self.0.partition_point(|&(other, _)| other < hash);
        let found = self.0[first..].iter();
        found
            .take_while(move |(other, _)| *other == hash)
            .map(|&(_, assembly)| assembly as usize)
    }
}

impl Indexes {
    fn new(all: &[Arc<Assembly>]) -> Self {
        let (mut types, mut extensions) = (Vec::new(), Vec::new());
        let mut namespaces: FxHashMap<Box<str>, Vec<u32>> = FxHashMap::default();
        for (assembly, index) in all.iter().zip(0u32..) {
            let named = assembly.type_names();
            types.extend(named.map(|(namespace, name)| (hash(&[namespace, name]), index)));
            let named = assembly.listed_extension_members().into_iter();
            extensions.extend(named.map(|(name, _)| (hash(&[name]), index)));
            for namespace in assembly.namespaces() {
                match namespaces.get_mut(namespace) {
                    Some(places) => places.push(index),
                    None => drop(namespaces.insert(namespace.into(), vec![index])),
                }
            }
        }
        Self {
            types: HashIndex::new(types),
            extensions: HashIndex::new(extensions),
            namespaces,
        }
    }
}

/// FNV-1a of texts, each with an end, folded to 24 bits: one of 500 names that nobody has is looked for in vain.
fn hash(texts: &[&str]) -> u32 {
    let bytes = texts.iter().flat_map(|text| text.bytes().chain([0]));
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (hash ^ (hash >> 24) ^ (hash >> 48)) as u32 & 0xff_ffff
}

impl Assemblies {
    /// Takes assemblies in their order, which is their index.
    pub fn new(all: Vec<Arc<Assembly>>) -> Self {
        Self {
            all,
            ..Self::default()
        }
    }

    /// Assemblies with indexes that were made of the same ones.
    pub(crate) fn with_indexes(all: Vec<Arc<Assembly>>, indexes: Indexes) -> Self {
        Self {
            all,
            indexes: indexes.into(),
            ..Self::default()
        }
    }

    /// Made when first asked for, from all assemblies.
    pub(crate) fn indexes(&self) -> &Indexes {
        self.indexes.get_or_init(|| Indexes::new(&self.all))
    }

    /// Whether the file of one of them turned out to be another one than it was: what was answered may be wrong.
    pub fn is_any_lost(&self) -> bool {
        self.all.iter().any(|assembly| assembly.is_lost())
    }

    /// The top-level types of a namespace (dotted, empty for the global one) and a simple name, with the index
    /// of their assembly; by assembly, then arity. O(log n) in the number of all types.
    pub fn named(&self, namespace: &str, name: &str) -> impl Iterator<Item = (usize, TypeRow)> {
        let places = self.indexes().types.of(hash(&[namespace, name]));
        places.flat_map(move |index| {
            let rows = self.all[index].named(namespace, name);
            rows.map(move |(_, row)| (index, row))
        })
    }

    /// The assemblies that may declare an extension member of a name, ascending: all that do, and hardly any other.
    pub fn extending(&self, name: &str) -> impl Iterator<Item = usize> {
        self.indexes().extensions.of(hash(&[name]))
    }

    /// The assemblies that have types in a namespace or below it, ascending. O(1).
    pub fn with_namespace(&self, namespace: &str) -> &[u32] {
        let found = self.indexes().namespaces.get(namespace);
        found.map_or(&[], Vec::as_slice)
    }

    /// The assembly of a simple name; the last of several. O(1).
    pub fn of_name(&self, name: &str) -> Option<usize> {
        let names = self.names.get_or_init(|| {
            let numbered = self.all.iter().zip(0u32..);
            numbered
                .map(|(assembly, index)| (assembly.name().clone(), index))
                .collect()
        });
        names.get(name).map(|&index| index as usize)
    }
}

impl Deref for Assemblies {
    type Target = [Arc<Assembly>];

    fn deref(&self) -> &Self::Target {
        &self.all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ProjectRequest, References, Roots};

    /// What an index says is what asking each assembly says.
    #[test]
    fn indexes_agree_with_the_assemblies() {
        let references = References::new(Roots::default());
        let closure = references.closure(&ProjectRequest {
            framework: "net10.0",
            ..ProjectRequest::default()
        });
        let set = Assemblies::new(closure.assemblies.clone());
        let mut n_checked = 0;
        for assembly in set.iter() {
            for namespace in assembly.namespaces() {
                let each = set.iter().zip(0u32..);
                let having = each.filter(|(other, _)| other.has_namespace(namespace));
                let having: Vec<u32> = having.map(|(_, index)| index).collect();
                assert_eq!(set.with_namespace(namespace), having);
                for name in ["List", "Enumerable", "Action", "Nothing", "IDisposable"] {
                    let each = set.iter().enumerate();
                    let expected: Vec<(usize, TypeRow)> = each
                        .flat_map(|(index, other)| {
                            let rows = other.named(namespace, name);
                            rows.map(move |(_, row)| (index, row))
                        })
                        .collect();
                    let found: Vec<(usize, TypeRow)> = set.named(namespace, name).collect();
                    assert_eq!(found, expected, "{namespace}.{name}");
                    n_checked += found.len();
                }
            }
            for (name, _) in assembly.listed_extension_members() {
                let each = set.iter().enumerate();
                let having = each.filter(|(_, other)| !other.extension_methods(name).is_empty());
                let found: Vec<usize> = set.extending(name).collect();
                assert!(having.into_iter().all(|(index, _)| found.contains(&index)));
            }
            let named = set.of_name(assembly.name()).map(|index| set[index].name());
            assert_eq!(named, Some(assembly.name()));
        }
        assert!(n_checked > 10, "the built-in table has these names");
        assert!(set.with_namespace("No.Such").is_empty());
        assert_eq!(set.of_name("NoSuch"), None);
    }
}
