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
    /// By hash of namespace and name: who has a type of that hash, ascending by hash, then assembly.
    types: OnceLock<Vec<(u64, u32)>>,
    namespaces: OnceLock<FxHashMap<Box<str>, Vec<u32>>>,
    names: OnceLock<FxHashMap<Arc<str>, u32>>,
}

impl Assemblies {
    /// Takes assemblies in their order, which is their index.
    pub fn new(all: Vec<Arc<Assembly>>) -> Self {
        Self {
            all,
            ..Self::default()
        }
    }

    /// The top-level types of a namespace (dotted, empty for the global one) and a simple name, with the index
    /// of their assembly; by assembly, then arity. O(log n) in the number of all types.
    pub fn named(&self, namespace: &str, name: &str) -> impl Iterator<Item = (usize, TypeRow)> {
        let types = self.types.get_or_init(|| {
            let own = self.all.iter().zip(0u32..);
            let mut types: Vec<(u64, u32)> = own
                .flat_map(|(assembly, index)| assembly.type_hashes().map(move |hash| (hash, index)))
                .collect();
            types.sort_unstable();
            types.dedup();
            types
        });
        let hash = crate::names::hash(namespace, name);
        let first = types.partition_point(|&(other, _)| other < hash);
        let places = types[first..]
            .iter()
            .take_while(move |(other, _)| *other == hash);
        places.flat_map(move |&(_, index)| {
            let rows = self.all[index as usize].named(namespace, name);
            rows.map(move |(_, row)| (index as usize, row))
        })
    }

    /// The assemblies that have types in a namespace or below it, ascending. O(1).
    pub fn with_namespace(&self, namespace: &str) -> &[u32] {
        let namespaces = self.namespaces.get_or_init(|| {
            let mut found: FxHashMap<Box<str>, Vec<u32>> = FxHashMap::default();
            for (assembly, index) in self.all.iter().zip(0u32..) {
                for namespace in assembly.namespaces() {
                    match found.get_mut(namespace) {
                        Some(places) => places.push(index),
                        None => drop(found.insert(namespace.into(), vec![index])),
                    }
                }
            }
            found
        });
        namespaces.get(namespace).map_or(&[], Vec::as_slice)
    }

    /// The assembly of a simple name; the last of several. O(1).
    pub fn of_name(&self, name: &str) -> Option<usize> {
        let names = self.names.get_or_init(|| {
            let own = self.all.iter().zip(0u32..);
            own.map(|(assembly, index)| (assembly.name().clone(), index))
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
            let named = set.of_name(assembly.name()).map(|index| set[index].name());
            assert_eq!(named, Some(assembly.name()));
        }
        assert!(n_checked > 10, "the built-in table has these names");
        assert!(set.with_namespace("No.Such").is_empty());
        assert_eq!(set.of_name("NoSuch"), None);
    }
}
