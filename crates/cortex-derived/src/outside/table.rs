//! Which words stand how often in which contents, as it is kept: a list of contents, and the words in buckets of which
//! a question reads one or two. All parts carry one generation, that of the list; parts of another are as good as
//! lost.

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::Snapshot;
use cortex_model::TreeId;
use cortex_wire::FileLanguage;
use rustc_hash::FxHashMap;

use crate::{
    outside::{
        ContentKey, Spellings,
        tree::{self, N_TREES, TreeFiles},
    },
    words::{put, take},
};

/// Under this name, and with the number of a bucket.
pub(super) const NAME: &str = "outside";

/// The version of the form of what is kept, and of what a word is.
const VERSION: u8 = 1;

/// Words are spread over no more parts than that.
const MAX_BUCKETS: u32 = 64;

/// About so many bytes are in one part.
const BUCKET_BYTES: usize = 16 << 10;

/// Contents that no file has any more go when there are more of them than that, and than of the others.
const MAX_UNUSED: usize = 256;

/// Where words stand: for each the numbers of contents, with how often.
pub(super) type Postings = BTreeMap<String, Vec<(u32, u32)>>;

/// Which words stand how often in which contents.
#[derive(Default, PartialEq, Eq, Debug)]
pub(super) struct Table {
    keys: Vec<ContentKey>,
    words: Postings,
}

impl Table {
    /// All of what is kept; `None` where a part is lost.
    pub(super) fn kept(snapshot: &Snapshot) -> Option<Self> {
        let (n_buckets, keys) = decode_keys(&snapshot.kept(NAME)?.1)?;
        let generation = generation(&keys);
        let mut words = Postings::new();
        for nth in 0..n_buckets {
            let (_, bytes) = snapshot.kept(&bucket_name(nth))?;
            decode_bucket(&bytes, generation, &mut |word, places| {
                words.insert(word.to_owned(), places()?);
                Some(())
            })?;
        }
        Some(Self { keys, words })
    }

    /// The number of each content.
    pub(super) fn numbers(&self) -> FxHashMap<ContentKey, u32> {
        self.keys.iter().copied().zip(0..).collect()
    }

    /// What ties other parts to this list of contents.
    pub(super) fn generation(&self) -> u64 {
        generation(&self.keys)
    }

    /// Over how many buckets the words are spread.
    pub(super) fn n_buckets(&self) -> u32 {
        let words = self.words.iter();
        let n_bytes: usize = words
            .map(|(word, places)| word.len() + 2 + 3 * places.len())
            .sum();
        let n = n_bytes.div_ceil(BUCKET_BYTES).next_power_of_two();
        u32::try_from(n).map_or(MAX_BUCKETS, |n| n.clamp(1, MAX_BUCKETS))
    }

    /// Adds a content that is not there yet.
    pub(super) fn add(&mut self, key: ContentKey, words: Vec<(String, u32)>) {
        let number = self.keys.len() as u32;
        self.keys.push(key);
        for (word, n) in words {
            self.words.entry(word).or_default().push((number, n));
        }
    }

    /// Drops contents that are not needed, where there are many; whether there were.
    pub(super) fn retain(&mut self, needed: &BTreeSet<ContentKey>) -> bool {
        let n_unused = self.keys.iter().filter(|key| !needed.contains(key)).count();
        if n_unused <= MAX_UNUSED || n_unused <= needed.len() {
            return false;
        }
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        let mut keys = Vec::new();
        for (key, old) in self.keys.iter().zip(0..) {
            if needed.contains(key) {
                numbers.insert(old, keys.len() as u32);
                keys.push(*key);
            }
        }
        self.keys = keys;
        self.words.retain(|_, places| {
            places.retain_mut(|(number, _)| match numbers.get(number) {
                Some(new) => {
                    *number = *new;
                    true
                }
                None => false,
            });
            !places.is_empty()
        });
        true
    }

    /// Where some words stand.
    pub(super) fn postings(&self, spellings: &Spellings) -> Postings {
        let found = spellings
            .keys()
            .filter_map(|it| self.words.get_key_value(it));
        found
            .map(|(word, places)| (word.clone(), places.clone()))
            .collect()
    }

    fn encode_keys(&self) -> Vec<u8> {
        let mut out = vec![VERSION];
        put(&mut out, self.n_buckets());
        for (key, language) in &self.keys {
            out.extend(key.to_be_bytes());
            put(&mut out, number_of(*language));
        }
        out
    }

    fn encode_buckets(&self) -> Vec<Vec<u8>> {
        let n_buckets = self.n_buckets();
        let generation = self.generation().to_be_bytes().to_vec();
        let mut out = vec![generation; n_buckets as usize];
        let mut encoded = Vec::new();
        for (word, places) in &self.words {
            let out = &mut out[bucket_of(word, n_buckets) as usize];
            put(out, word.len() as u32);
            out.extend(word.as_bytes());
            encoded.clear();
            let mut last = 0;
            for (number, n) in places {
                put(&mut encoded, number - last);
                last = *number;
                put(&mut encoded, *n);
            }
            put(out, encoded.len() as u32);
            out.extend(&encoded);
        }
        out
    }
}

/// Keeps a table where there is a new one, and the files of a tree.
pub(super) fn keep(
    snapshot: &Snapshot,
    table: Option<&Table>,
    files: Option<(TreeId, &TreeFiles)>,
) {
    let mut values: Vec<(String, Vec<u8>)> = Vec::new();
    if let Some(table) = table {
        values.push((NAME.to_owned(), table.encode_keys()));
        let buckets = table.encode_buckets();
        values.extend((0..).map(bucket_name).zip(buckets));
    }
    if let Some((tree, files)) = files {
        values.push((tree::name(tree), files.encode(tree)));
    }
    let values: Vec<(&str, &[u8])> = (values.iter())
        .map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
        .collect();
    if !values.is_empty() {
        snapshot.keep(&values);
    }
}

/// Where some words stand, as it is kept beside the files of a tree; `None` where it is of other contents or lost.
pub(super) fn kept_postings(
    snapshot: &Snapshot,
    files: &TreeFiles,
    spellings: &Spellings,
) -> Option<Postings> {
    let mut wanted: BTreeMap<u32, BTreeSet<&str>> = BTreeMap::new();
    for word in spellings.keys() {
        let bucket = bucket_of(word, files.n_buckets);
        wanted.entry(bucket).or_default().insert(word);
    }
    let mut out = Postings::new();
    for (bucket, wanted) in wanted {
        let (_, bytes) = snapshot.kept(&bucket_name(bucket))?;
        decode_bucket(&bytes, files.generation, &mut |word, places| {
            if wanted.contains(word) {
                out.insert(word.to_owned(), places()?);
            }
            Some(())
        })?;
    }
    Some(out)
}

/// The numbers of the contents; `None` where they are of another generation.
pub(super) fn kept_numbers(snapshot: &Snapshot, wanted: u64) -> Option<FxHashMap<ContentKey, u32>> {
    let (_, keys) = decode_keys(&snapshot.kept(NAME)?.1)?;
    (generation(&keys) == wanted).then(|| keys.into_iter().zip(0..).collect())
}

/// Whether this version reads what is stored under a name.
pub(crate) fn is_current(name: &str) -> bool {
    let Some(rest) = name.strip_prefix(NAME) else {
        return false;
    };
    let Some(rest) = rest.strip_prefix('/') else {
        return rest.is_empty();
    };
    match rest.strip_prefix("tree/") {
        Some(nth) => nth.parse().is_ok_and(|nth: u8| nth < N_TREES),
        None => rest.parse().is_ok_and(|nth: u32| nth < MAX_BUCKETS),
    }
}

/// The number that stands for a language.
pub(super) fn number_of(language: FileLanguage) -> u32 {
    let all = FileLanguage::ALL.iter();
    all.zip(0..)
        .find(|it| *it.0 == language)
        .map_or(0, |it| it.1)
}

/// The same back.
pub(super) fn language_of(number: u32) -> Option<FileLanguage> {
    FileLanguage::ALL.get(number as usize).copied()
}

fn bucket_name(nth: u32) -> String {
    format!("{NAME}/{nth}")
}

/// FNV-1a, folded.
fn bucket_of(word: &str, n_buckets: u32) -> u32 {
    let hash = word.bytes().fold(0x811c_9dc5_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    (hash ^ (hash >> 15)) % n_buckets.max(1)
}

fn generation(keys: &[ContentKey]) -> u64 {
    keys.iter().fold(keys.len() as u64, |sum, (key, language)| {
        (sum ^ key ^ u64::from(number_of(*language)))
            .wrapping_mul(0x0100_0000_01b3)
            .rotate_left(23)
    })
}

fn decode_keys(bytes: &[u8]) -> Option<(u32, Vec<ContentKey>)> {
    let mut rest = bytes.strip_prefix(&[VERSION])?;
    let n_buckets = take(&mut rest)?;
    let mut keys = Vec::new();
    while !rest.is_empty() {
        let (key, after) = rest.split_first_chunk::<8>()?;
        rest = after;
        keys.push((u64::from_be_bytes(*key), language_of(take(&mut rest)?)?));
    }
    (n_buckets <= MAX_BUCKETS).then_some((n_buckets, keys))
}

/// Where a word stands: decoded where it is asked for.
type Places<'p> = &'p dyn Fn() -> Option<Vec<(u32, u32)>>;

/// Goes through the words of a bucket; `None` where it is of another generation or damaged, or the visitor says so.
fn decode_bucket(
    bytes: &[u8],
    generation: u64,
    visit: &mut dyn FnMut(&str, Places<'_>) -> Option<()>,
) -> Option<()> {
    let (own, mut rest) = bytes.split_first_chunk::<8>()?;
    if u64::from_be_bytes(*own) != generation {
        return None;
    }
    while !rest.is_empty() {
        let n = take(&mut rest)? as usize;
        let (word, after) = rest.split_at_checked(n)?;
        rest = after;
        let n = take(&mut rest)? as usize;
        let (places, after) = rest.split_at_checked(n)?;
        rest = after;
        visit(std::str::from_utf8(word).ok()?, &|| decode_places(places))?;
    }
    Some(())
}

fn decode_places(mut rest: &[u8]) -> Option<Vec<(u32, u32)>> {
    let mut number = 0_u32;
    let mut out = Vec::new();
    while !rest.is_empty() {
        number = number.checked_add(take(&mut rest)?)?;
        out.push((number, take(&mut rest)?));
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use cortex_model::{ObjectId, TreeId};
    use cortex_wire::FileLanguage;
    use proptest::prelude::*;

    use super::{Postings, Table, decode_bucket, decode_keys, generation};
    use crate::outside::tree::TreeFiles;

    fn table(n_contents: u64) -> Table {
        let mut table = Table::default();
        for nth in 0..n_contents {
            let words = [("Order".to_owned(), 2), (format!("N{}", nth % 7), 1)];
            table.add((nth, FileLanguage::Sql), words.into());
        }
        table
    }

    fn decoded(table: &Table) -> Postings {
        let mut out = Postings::new();
        for bucket in table.encode_buckets() {
            decode_bucket(&bucket, table.generation(), &mut |word, places| {
                out.insert(word.to_owned(), places()?);
                Some(())
            })
            .expect("it was encoded just now");
        }
        out
    }

    #[test]
    fn contents_that_no_file_has_go_where_there_are_many() {
        let mut table = table(1000);
        let needed: BTreeSet<_> = (0..300).map(|nth| (nth * 3, FileLanguage::Sql)).collect();
        assert!(table.retain(&needed));
        assert!(!table.retain(&needed));
        assert_eq!(table.keys.len(), 300);
        let places = &table.words["Order"];
        assert_eq!(places.len(), 300);
        assert_eq!((places[0], places[299]), ((0, 2), (299, 2)));
    }

    proptest! {
        #[test]
        fn what_is_kept_comes_back(n in 0..400_u64, bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            let table = table(n);
            prop_assert_eq!(decoded(&table), table.words.clone());
            let (n_buckets, keys) = decode_keys(&table.encode_keys()).expect("it was encoded just now");
            prop_assert_eq!(n_buckets, table.n_buckets());
            prop_assert_eq!(generation(&keys), table.generation());
            let tree = TreeId(ObjectId::from_hex(&"1f".repeat(20)).expect("it is hex"));
            let of_tree: Vec<_> = keys.iter().chain(keys.first()).copied().collect();
            let others = [("md".to_owned(), 3)].into();
            let files = TreeFiles::new(&table, &of_tree, others, Vec::new()).expect("all are known");
            let kept = TreeFiles::decode(&files.encode(tree), tree);
            prop_assert_eq!(kept, Some(files));
            // Any bytes are that or nothing.
            decode_keys(&bytes);
            TreeFiles::decode(&bytes, tree);
            let first = bytes.first_chunk::<8>().map_or(0, |it| u64::from_be_bytes(*it));
            decode_bucket(&bytes, first, &mut |_, places| places().map(drop));
        }
    }
}
