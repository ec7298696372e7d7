//! Assemblies in a form that outlives the process: what they are called and who has what, so that a later
//! process opens only the files that it really asks.
//!
//! Must not know: where it is kept, how long it holds.

use std::{path::PathBuf, sync::Arc};

use cortex_model::Hash;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::{
    assemblies::{Assemblies, HashIndex, Indexes},
    assembly::Assembly,
    table::MetadataTable,
};

/// Assemblies with their indexes, as they are kept.
#[derive(Serialize, Deserialize)]
pub struct KeptAssemblies {
    all: Vec<KeptAssembly>,
    types: KeptIndex,
    extensions: KeptIndex,
    namespaces: Vec<(Box<str>, Vec<u32>)>,
}

#[derive(Serialize, Deserialize)]
struct KeptAssembly {
    /// `None` for one of the built-in table.
    path: Option<PathBuf>,
    name: Box<str>,
    version: [u16; 4],
    digest: Hash,
}

/// The entries by column, so that they pack well: of the difference of each hash to the one before the low byte
/// and what is over it, then the assembly, the last two as LEB128.
#[derive(Default, Serialize, Deserialize)]
struct KeptIndex {
    #[serde(with = "serde_bytes")]
    low: Vec<u8>,
    #[serde(with = "serde_bytes")]
    high: Vec<u8>,
    #[serde(with = "serde_bytes")]
    assemblies: Vec<u8>,
}

impl KeptAssemblies {
    /// Of assemblies that are files or built in; `None` where one is something else. Makes their indexes.
    pub fn of(assemblies: &Assemblies) -> Option<Self> {
        let all = assemblies.iter().map(|assembly| {
            let path = assembly.path().map(PathBuf::from);
            let is_known = path.is_some() || built_in(assembly.digest()).is_some();
            is_known.then(|| KeptAssembly {
                path,
                name: (**assembly.name()).into(),
                version: assembly.version(),
                digest: assembly.digest(),
            })
        });
        let all = all.collect::<Option<Vec<_>>>()?;
        let indexes = assemblies.indexes();
        let mut namespaces: Vec<_> = indexes.namespaces.clone().into_iter().collect();
        namespaces.sort_unstable();
        Some(Self {
            all,
            types: KeptIndex::of(&indexes.types),
            extensions: KeptIndex::of(&indexes.extensions),
            namespaces,
        })
    }

    /// The assemblies; `None` where they are not what this program can open. Opens no file: one that is not what
    /// it was is [lost](Assemblies::is_any_lost) when it is asked.
    pub fn open(self) -> Option<Assemblies> {
        let n_assemblies = self.all.len();
        let all = self.all.into_iter().map(|kept| match kept.path {
            Some(path) => {
                let assembly = Assembly::later(path, &kept.name, kept.version, kept.digest);
                Some(Arc::new(assembly))
            }
            None => built_in(kept.digest).cloned(),
        });
        let all = all.collect::<Option<Vec<_>>>()?;
        let indexes = Indexes {
            types: self.types.index(n_assemblies)?,
            extensions: self.extensions.index(n_assemblies)?,
            namespaces: self.namespaces.into_iter().collect::<FxHashMap<_, _>>(),
        };
        let mut places = indexes.namespaces.values().flatten();
        places
            .all(|&place| (place as usize) < n_assemblies)
            .then(|| Assemblies::with_indexes(all, indexes))
    }
}

fn built_in(digest: Hash) -> Option<&'static Arc<Assembly>> {
    let mut all = MetadataTable::built_in()?.assemblies();
    all.find(|assembly| assembly.digest() == digest)
}

impl KeptIndex {
    fn of(index: &HashIndex) -> Self {
        let mut kept = Self::default();
        let mut before = 0;
        for &(hash, assembly) in &index.0 {
            let difference = hash - before;
            kept.low.push(difference as u8);
            put(&mut kept.high, difference >> 8);
            put(&mut kept.assemblies, assembly);
            before = hash;
        }
        kept
    }

    fn index(&self, n_assemblies: usize) -> Option<HashIndex> {
        let (mut high, mut assemblies) = (self.high.as_slice(), self.assemblies.as_slice());
        let mut entries = Vec::with_capacity(self.low.len());
        let mut hash = 0_u32;
        for &low in &self.low {
            let difference = take(&mut high)?.checked_mul(1 << 8)? | u32::from(low);
            hash = hash.checked_add(difference)?;
            let assembly = take(&mut assemblies)?;
            if assembly as usize >= n_assemblies {
                return None;
            }
            entries.push((hash, assembly));
        }
        Some(HashIndex(entries))
    }
}

fn put(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn take(input: &mut &[u8]) -> Option<u32> {
    let mut number = 0_u32;
    for shift in (0..32).step_by(7) {
        let (&byte, rest) = input.split_first()?;
        *input = rest;
        number |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{ProjectRequest, References, Roots};

    proptest! {
        #[test]
        fn an_index_is_read_as_it_was_written(
            mut entries in proptest::collection::vec((any::<u32>(), 0..300_u32), 0..200),
        ) {
            entries.sort_unstable();
            entries.dedup();
            let index = HashIndex(entries);
            prop_assert_eq!(KeptIndex::of(&index).index(300), Some(index));
        }

        #[test]
        fn no_bytes_make_an_index_of_assemblies_that_are_not_there(
            [low, high, assemblies] in [0..40_usize, 0..40, 0..40]
                .map(|n| proptest::collection::vec(any::<u8>(), n)),
        ) {
            let index = KeptIndex { low, high, assemblies }.index(5).unwrap_or_default();
            prop_assert!(index.0.iter().all(|&(_, assembly)| assembly < 5));
        }
    }

    /// Kept assemblies answer what the same ones answer that were opened.
    #[test]
    fn kept_assemblies_answer_alike() {
        let references = References::new(Roots::default());
        let closure = references.closure(&ProjectRequest {
            framework: "net10.0",
            ..ProjectRequest::default()
        });
        let opened = Assemblies::new(closure.assemblies.clone());
        let kept = KeptAssemblies::of(&opened).and_then(KeptAssemblies::open);
        let kept = kept.expect("all are built in");
        for (one, other) in opened.iter().zip(kept.iter()) {
            assert_eq!(one.digest(), other.digest());
            for namespace in one.namespaces() {
                assert_eq!(
                    opened.with_namespace(namespace),
                    kept.with_namespace(namespace)
                );
            }
            for (namespace, name) in one.type_names() {
                let rows = |of: &Assemblies| of.named(namespace, name).collect::<Vec<_>>();
                assert_eq!(rows(&opened), rows(&kept));
            }
        }
        let extending = |of: &Assemblies| of.extending("Select").collect::<Vec<_>>();
        assert_eq!(extending(&opened), extending(&kept));
        assert!(!extending(&kept).is_empty());
    }

    #[test]
    fn a_file_that_is_another_one_than_it_was_is_lost_when_asked() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.dll");
        std::fs::write(&path, "no assembly").expect("a file");
        let digest = cortex_model::Hasher::new("test").finish();
        let later = Assembly::later(path, "a", [1, 0, 0, 0], digest);
        let assemblies = Assemblies::new(vec![Arc::new(later)]);
        assert_eq!(&**assemblies[0].name(), "a");
        assert!(!assemblies.is_any_lost());
        assert_eq!(assemblies[0].find("System", "String", 0), None);
        assert!(assemblies.is_any_lost());
    }
}
