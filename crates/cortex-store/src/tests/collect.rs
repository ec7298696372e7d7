//! Collection keeps exactly what is reached.

use super::*;
use crate::merkle::PageHash;
use crate::{Notice, Retain, Retention};

/// Keeps the snapshots of some numbers, each with its own four facts.
pub(super) struct Numbers(pub(super) Vec<u32>);

impl Retention for Numbers {
    fn snapshot(&mut self, key: &SnapshotKey, _: &Snapshot) -> Retain {
        if self.0.iter().any(|number| snapshot_key(*number) == *key) {
            Retain::Keep
        } else {
            Retain::Drop
        }
    }

    fn roots(&mut self, value: &[u8]) -> Vec<MapRoot> {
        let hash = value.try_into().expect("the value is a hash");
        vec![MapRoot::new(Some(PageHash::from_bytes(hash)))]
    }

    fn facts(
        &mut self,
        value: &[u8],
        pages: &dyn PageSource,
        each: &mut dyn FnMut(&FactsKey),
    ) -> Result<(), StoreError> {
        for root in self.roots(value) {
            entries_of(root, pages)?;
        }
        for number in &self.0 {
            (4 * number..4 * number + 4).for_each(|n| each(&facts_key(n)));
        }
        Ok(())
    }
}

#[test]
fn what_no_snapshot_reaches_goes_and_the_rest_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let mut expected = Expected::default();
    for number in 0..40 {
        let mut batch = store.begin_write().expect("open");
        expected.put(&mut batch, number).expect("staged");
        batch.commit().expect("written");
    }
    let mut stale = store.begin_write().expect("open");
    let (root, _) = expected.maps.last().expect("forty were put");
    stale
        .put_snapshot(&snapshot_key(99), &snapshot_of(*root))
        .expect("staged");
    let mut independent = store.begin_write().expect("open");
    independent.put_facts([(facts_key(999), facts_value(999))]);
    let retained = Numbers(vec![3, 17, 39]);
    let collected = store
        .gc(&mut Numbers(retained.0.clone()), None)
        .expect("collected");
    assert_eq!(collected.after, store.stats().expect("open"));
    assert!(collected.after.file_bytes < collected.before.file_bytes / 2);
    assert_eq!(collected.after.snapshots.entries, 3);
    assert_eq!(collected.after.facts.entries, 12);
    // Nothing dead is left in the log.
    let live = collected.after.facts.bytes + collected.after.pages.bytes;
    assert_eq!(collected.after.log_bytes, live);
    for &number in &retained.0 {
        let (root, entries) = &expected.maps[number as usize];
        assert_eq!(entries_of(*root, &store).expect("kept"), *entries);
        for n in 4 * number..4 * number + 4 {
            assert_eq!(
                store.fact(&facts_key(n)).expect("open"),
                Some(facts_value(n))
            );
        }
    }
    let n_pages = collected.after.pages.entries;
    let mut reached = std::collections::BTreeSet::new();
    for &number in &retained.0 {
        let (root, _) = expected.maps[number as usize];
        crate::merkle::walk_pages(root, &store, &mut |hash| {
            reached.insert(hash);
            crate::merkle::Walk::Enter
        })
        .expect("kept");
    }
    assert_eq!(reached.len() as u64, n_pages);
    assert!(matches!(stale.commit(), Err(StoreError::Stale)));
    let again = store
        .gc(&mut Numbers(retained.0), None)
        .expect("nothing to do");
    assert_eq!(again.before, again.after);
    independent.commit().expect("it relies on no page");
    store
        .begin_write()
        .expect("open")
        .commit()
        .expect("not stale");
}

#[test]
fn a_snapshot_with_missing_pages_is_dropped_and_told_of() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let mut expected = Expected::default();
    let mut batch = store.begin_write().expect("open");
    expected.put(&mut batch, 0).expect("staged");
    let lost = MapRoot::new(Some(PageHash::of(b"never stored")));
    batch
        .put_snapshot(&snapshot_key(1), &snapshot_of(lost))
        .expect("staged");
    batch.commit().expect("written");
    store.gc(&mut Numbers(vec![0, 1]), None).expect("collected");
    let kind = "snapshot".to_owned();
    assert_eq!(store.take_notices(), [Notice::DroppedEntry { kind }]);
    assert_eq!(store.snapshot(&snapshot_key(1)).expect("open"), None);
    expected.check_all(&store);
}

#[test]
fn where_there_is_no_room_those_used_last_stay() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let mut expected = Expected::default();
    for number in 0..12 {
        let mut batch = store.begin_write().expect("open");
        expected.put(&mut batch, number).expect("staged");
        // The older, the later used.
        batch.touch_snapshot(&snapshot_key(number), 100 - i64::from(number));
        batch.commit().expect("written");
    }
    let mut all = Numbers((0..12).collect());
    let whole = store.gc(&mut all, None).expect("collected").after;
    assert_eq!(whole.snapshots.entries, 12);
    let room = whole.payload_bytes() * 7 / 8;
    let left = store.gc(&mut all, Some(room)).expect("collected").after;
    let n_left = left.snapshots.entries as u32;
    assert!(
        left.payload_bytes() <= room && (1..12).contains(&n_left),
        "{left:?}"
    );
    for number in 0..12 {
        let snapshot = store.snapshot(&snapshot_key(number)).expect("open");
        assert_eq!(snapshot.is_some(), number < n_left, "snapshot {number}");
    }
    let least = store.gc(&mut all, Some(1)).expect("collected").after;
    assert_eq!(least.snapshots.entries, 1, "one always stays");
}

#[test]
fn a_collection_is_due_after_new_snapshots_or_beyond_a_size() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let mut expected = Expected::default();
    for number in 0..3 {
        let mut batch = store.begin_write().expect("open");
        expected.put(&mut batch, number).expect("staged");
        batch.commit().expect("written");
    }
    let is_due = |n_new, max_bytes| store.is_gc_due(n_new, max_bytes).expect("open");
    assert!(is_due(3, None) && !is_due(4, None) && !is_due(0, None));
    assert!(is_due(0, Some(1)) && !is_due(0, Some(1 << 30)));
    store
        .gc(&mut Numbers(vec![0, 1, 2]), None)
        .expect("collected");
    assert!(!is_due(3, None), "they are not new any more");
}
