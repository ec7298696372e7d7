//! Laws of the store as a whole.

mod collect;
mod disk;
mod faults;
mod flips;
mod laws;
mod links;
mod neighbors;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use cortex_model::{BlobId, Hash, ObjectId};

use crate::merkle::{Change, MapRoot, PageSource, scan_prefix};
use crate::{Batch, FactsKey, OpenOptions, Snapshot, SnapshotId, SnapshotKey, Store, StoreError};

fn open(folder: &Path) -> Store {
    Store::open(folder, &OpenOptions::default()).expect("a usable folder")
}

fn facts_key(number: u32) -> FactsKey {
    let id = Hash::of(&number.to_le_bytes());
    FactsKey {
        version: 1,
        options: 2,
        blob: BlobId(ObjectId::from_slice(&id.as_bytes()[..20]).expect("20 bytes")),
    }
}

fn facts_value(number: u32) -> Vec<u8> {
    noise(number, 200 + (number as usize * 397) % 5000)
}

/// Bytes that do not compress (xorshift64*). The stores of `fixtures/stores` hold them: they are the same for good.
fn noise(seed: u32, len: usize) -> Vec<u8> {
    let mut state = u64::from(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16) as u8
    };
    (0..len).map(|_| next()).collect()
}

fn snapshot_key(number: u32) -> SnapshotKey {
    SnapshotKey {
        id: SnapshotId::Overlay(Hash::of(&number.to_le_bytes())),
        config: Hash::ZERO,
    }
}

fn snapshot_of(root: MapRoot) -> Snapshot {
    let page = root.page().expect("not empty");
    Snapshot {
        created: 10,
        last_used: 20,
        value: page.as_bytes().to_vec(),
    }
}

fn map_changes(seed: u32, numbers: std::ops::Range<u32>) -> Vec<Change> {
    let entries: BTreeMap<_, _> = numbers
        .map(|number| {
            let key = Hash::of(&number.to_le_bytes()).as_bytes()[..12].to_vec();
            let value = format!("value {seed} of entry {number}").into_bytes();
            (key, Some(value))
        })
        .collect();
    entries.into_iter().collect()
}

type Entries = Vec<(Vec<u8>, Vec<u8>)>;

fn entries_of(root: MapRoot, source: &dyn PageSource) -> Result<Entries, StoreError> {
    let mut entries = Vec::new();
    scan_prefix(root, b"", source, &mut |key, value| {
        entries.push((key.to_vec(), value.to_vec()));
        ControlFlow::Continue(())
    })?;
    Ok(entries)
}

/// What a store should answer.
#[derive(Default, Clone)]
struct Expected {
    facts: Vec<u32>,
    maps: Vec<(MapRoot, Entries)>,
    names: Vec<u32>,
}

impl Expected {
    /// Puts the numbered content into a batch: facts, a new version of a map, its snapshot, a name.
    fn put(&mut self, batch: &mut Batch<'_>, number: u32) -> Result<(), StoreError> {
        let numbers = 4 * number..4 * number + 4;
        batch.put_facts(numbers.clone().map(|n| (facts_key(n), facts_value(n))));
        let (root, entries) = self.maps.last().cloned().unwrap_or_default();
        let start = number * 7 % 300;
        let changes = map_changes(number, start..start + if number == 0 { 600 } else { 5 });
        let root = batch.update_map(root, &changes)?;
        let mut entries: BTreeMap<_, _> = entries.into_iter().collect();
        entries.extend(
            changes
                .into_iter()
                .filter_map(|(key, value)| Some((key, value?))),
        );
        batch.put_snapshot(&snapshot_key(number), &snapshot_of(root))?;
        batch.put_name("access", &format!("name {number}"), &number.to_le_bytes());
        self.facts.extend(numbers);
        self.maps.push((root, entries.into_iter().collect()));
        self.names.push(number);
        Ok(())
    }

    #[track_caller]
    fn check_all(&self, store: &Store) {
        let n_absent = self.check_what_is_there(store);
        assert_eq!(n_absent, 0, "{:?}", store.take_notices());
    }

    /// Whatever is answered must be right; gives how much is not answered.
    #[track_caller]
    fn check_what_is_there(&self, store: &Store) -> usize {
        let mut n_absent = 0;
        for &number in &self.facts {
            match store.fact(&facts_key(number)).expect("no failure") {
                Some(value) => assert!(value == facts_value(number), "facts {number}"),
                None => n_absent += 1,
            }
        }
        for (number, (root, entries)) in (0..).zip(&self.maps) {
            match store.snapshot(&snapshot_key(number)).expect("no failure") {
                Some(snapshot) => assert_eq!(snapshot, snapshot_of(*root)),
                None => n_absent += 1,
            }
            match entries_of(*root, store) {
                Ok(found) => assert!(found == *entries, "map {number}"),
                Err(StoreError::DamagedPage(_)) => n_absent += 1,
                Err(error) => panic!("{error}"),
            }
        }
        for &number in &self.names {
            let name = format!("name {number}");
            match store.name("access", &name).expect("no failure") {
                Some(value) => assert_eq!(value, number.to_le_bytes()),
                None => n_absent += 1,
            }
        }
        n_absent
    }
}
