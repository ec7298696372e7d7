//! What is put is read, in this process and the next; sizes; versions.

use std::time::Duration;

use redb::ReadableDatabase;

use super::*;
use crate::link::{begin, put_meta};
use crate::tables::META_SCHEMA;
use crate::{Notice, Stats};

#[test]
fn what_is_committed_is_read_before_and_after_reopening() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let mut expected = Expected::default();
    for number in 0..12 {
        let mut batch = store.begin_write().expect("open");
        expected.put(&mut batch, number).expect("staged");
        if number % 5 == 4 {
            store.release();
        }
        batch.commit().expect("written");
        expected.check_all(&store);
    }
    drop(store);
    let store = open(folder.path());
    expected.check_all(&store);
    store.compact().expect("space");
    expected.check_all(&store);
    assert_eq!(store.snapshots().expect("open").len(), 12);
    assert_eq!(store.names("access").expect("open").len(), 12);
    assert_eq!(store.take_notices(), []);
}

#[test]
fn a_dropped_batch_changes_nothing_and_deletions_delete() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let mut expected = Expected::default();
    let mut batch = store.begin_write().expect("open");
    expected.put(&mut batch, 0).expect("staged");
    drop(batch);
    assert!(!store.has_facts(&facts_key(0)).expect("open"));
    assert_eq!(store.fact(&facts_key(0)).expect("open"), None);

    let mut expected = Expected::default();
    let mut batch = store.begin_write().expect("open");
    expected.put(&mut batch, 0).expect("staged");
    batch.touch_snapshot(&snapshot_key(0), 99);
    batch.commit().expect("written");
    assert!(store.has_facts(&facts_key(0)).expect("open"));
    let mut batch = store.begin_write().expect("open");
    batch.delete_facts(&facts_key(1));
    batch.delete_name("access", "name 0");
    batch.touch_snapshot(&snapshot_key(0), 100);
    batch.touch_snapshot(&snapshot_key(1), 100);
    batch.commit().expect("written");
    let facts = store.facts(&[facts_key(0), facts_key(1)]).expect("open");
    assert!(matches!(facts.as_slice(), [Some(_), None]));
    assert_eq!(store.name("access", "name 0").expect("open"), None);
    let snapshot = store.snapshot(&snapshot_key(0)).expect("open");
    assert_eq!(snapshot.map(|snapshot| snapshot.last_used), Some(100));
    assert_eq!(store.snapshot(&snapshot_key(1)).expect("open"), None);
    let mut batch = store.begin_write().expect("open");
    batch.delete_snapshot(&snapshot_key(0));
    batch.commit().expect("written");
    assert_eq!(store.snapshots().expect("open"), []);
}

#[test]
fn a_batch_reads_its_own_pages_and_stores_none_twice() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let batch = store.begin_write().expect("open");
    let first = batch
        .update_map(MapRoot::EMPTY, &map_changes(1, 0..900))
        .expect("staged");
    let second = batch
        .update_map(first, &map_changes(2, 100..110))
        .expect("staged");
    let listed = entries_of(second, &batch.pages()).expect("staged pages");
    batch.commit().expect("written");
    assert_eq!(entries_of(second, &store).expect("stored pages"), listed);
    let n_pages = store.stats().expect("open").pages;
    let batch = store.begin_write().expect("open");
    let again = batch
        .update_map(MapRoot::EMPTY, &map_changes(1, 0..900))
        .expect("staged");
    assert_eq!(again, first);
    batch.commit().expect("written");
    assert_eq!(store.stats().expect("open").pages, n_pages);
}

#[test]
fn after_a_bulk_build_the_file_is_a_tenth_larger_than_its_content_at_most() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let mut batch = store.begin_write().expect("open");
    batch.put_facts((0..1500).map(|n| (facts_key(n), noise(n, 2000 + n as usize % 1000))));
    let entries: BTreeMap<_, _> = (0..12_000)
        .map(|n| (noise(n, 16), Some(noise(n / 4, 100))))
        .collect();
    let entries: Vec<Change> = entries.into_iter().collect();
    batch.update_map(MapRoot::EMPTY, &entries).expect("staged");
    batch.commit().expect("written");
    store.compact().expect("space");
    let Stats {
        file_bytes,
        disk_bytes,
        ..
    } = store.stats().expect("open");
    let payload = store.stats().expect("open").payload_bytes();
    assert!(payload > 3_700_000, "{payload}");
    assert!(file_bytes * 10 <= payload * 11, "{file_bytes} of {payload}");
    assert!(disk_bytes <= file_bytes + 8192);
}

#[test]
fn chunks_fill_their_pages() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let mut batch = store.begin_write().expect("open");
    batch.put_facts((0..100).map(|n| (facts_key(n), noise(n, 16_000))));
    batch.commit().expect("written");
    let wasted = store
        .read(|reader| {
            use redb::ReadableTableMetadata;
            Ok(reader.log.stats()?.fragmented_bytes())
        })
        .expect("open");
    assert!(wasted.expect("sound") < 40_000, "{wasted:?}");
}

#[test]
fn an_idle_reader_makes_room_for_a_writer_and_reads_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let (reader, writer) = (open(folder.path()), open(folder.path()));
    assert_eq!(reader.fact(&facts_key(0)).expect("open"), None);
    for number in 0..5 {
        let mut batch = writer.begin_write().expect("open");
        batch.put_facts([(facts_key(number), facts_value(number))]);
        batch.commit().expect("room is made");
        let found = reader.fact(&facts_key(number)).expect("open");
        assert_eq!(found, Some(facts_value(number)));
    }
}

#[test]
fn another_process_is_waited_for_and_then_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let impatient = OpenOptions {
        lock_timeout: Duration::from_millis(30),
        ..OpenOptions::default()
    };
    let reader = Store::open(folder.path(), &impatient).expect("free");
    reader.release();
    let right = reader.right().expect("free");
    let alone = reader.connector.alone(&right).expect("free");
    let refused = reader.fact(&facts_key(0)).expect_err("written meanwhile");
    let this_process = std::process::id();
    assert!(matches!(refused, StoreError::Busy { pid: Some(pid) } if pid == this_process));
    drop((alone, right));
    assert_eq!(reader.fact(&facts_key(0)).expect("free"), None);
}

#[test]
fn who_reads_does_not_wait_for_a_compaction() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let mut batch = store.begin_write().expect("open");
    let mut expected = Expected::default();
    expected.put(&mut batch, 0).expect("staged");
    batch.commit().expect("written");
    // What a compaction holds while it copies.
    let right = store.right().expect("free");
    let reading = store.connector.read(Some(&right), &mut Vec::new());
    let other = open(folder.path());
    expected.check_all(&other);
    drop(reading);
    store.compact_with(&right).expect("the other makes room");
    expected.check_all(&other);
}

#[test]
fn two_writers_that_take_turns_both_succeed() {
    let folder = tempfile::tempdir().expect("a folder");
    std::thread::scope(|scope| {
        for half in 0..2 {
            let path = folder.path();
            scope.spawn(move || {
                let store = open(path);
                for n in 0..10 {
                    let mut batch = store.begin_write().expect("open");
                    let n = 2 * n + half;
                    batch.put_facts([(facts_key(n), facts_value(n))]);
                    batch.commit().expect("its turn");
                    store.release();
                }
            });
        }
    });
    let store = open(folder.path());
    for n in 0..20 {
        assert_eq!(
            store.fact(&facts_key(n)).expect("open"),
            Some(facts_value(n))
        );
    }
}

fn set_schema(folder: &Path, schema: u64) {
    let database = redb::Database::create(folder.join("index.redb")).expect("closed");
    let transaction = begin(&database).expect("open");
    put_meta(&transaction, META_SCHEMA, schema).expect("open");
    transaction.commit().expect("open");
    drop(database.begin_read());
}

#[test]
fn a_newer_schema_is_refused_and_an_older_one_keeps_its_names() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let mut batch = store.begin_write().expect("open");
    let mut expected = Expected::default();
    expected.put(&mut batch, 0).expect("staged");
    batch.commit().expect("written");
    drop(store);

    set_schema(folder.path(), 7);
    let refused = Store::open(folder.path(), &OpenOptions::default()).err();
    assert!(matches!(
        refused,
        Some(StoreError::Newer {
            found: 7,
            supported: 1
        })
    ));
    set_schema(folder.path(), 1);
    let store = open(folder.path());
    expected.check_all(&store);
    drop(store);

    set_schema(folder.path(), 0);
    let store = open(folder.path());
    assert_eq!(store.take_notices(), [Notice::Migrated { from: 0 }]);
    assert_eq!(store.fact(&facts_key(0)).expect("open"), None);
    let name = store.name("access", "name 0").expect("open");
    assert_eq!(name, Some(0u32.to_le_bytes().to_vec()));
}

#[test]
fn stores_and_batches_are_shared_among_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Store>();
    shared::<Batch<'_>>();
}

#[test]
fn bulk_batches_are_read_before_they_are_written_and_lost_with_the_process() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut expected = Expected::default();
    {
        let store = open(folder.path());
        let mut all = store.begin_bulk().expect("open");
        for number in 0..30 {
            let mut next = store.begin_bulk().expect("open");
            expected.put(&mut next, number).expect("staged");
            let (root, entries) = &expected.maps[number as usize];
            assert_eq!(entries_of(*root, &store).expect("waits"), *entries);
            all.absorb(next).expect("of one store");
        }
        assert!(store.waiting_bytes() > 0);
        // A batch of its own does not rely on what only waits.
        let mut late = store.begin_write().expect("open");
        expected = Expected::default();
        expected.put(&mut late, 0).expect("staged");
        late.commit().expect("written");
    }
    let store = open(folder.path());
    assert_eq!(store.snapshots().expect("open").len(), 1);
    expected.check_all(&store);

    let mut all = store.begin_bulk().expect("open");
    let mut expected = Expected::default();
    for number in 0..30 {
        let mut next = store.begin_bulk().expect("open");
        expected.put(&mut next, number).expect("staged");
        all.absorb(next).expect("of one store");
    }
    all.commit().expect("written");
    assert_eq!(store.waiting_bytes(), 0);
    drop(store);
    expected.check_all(&open(folder.path()));
}

#[test]
fn states_of_a_map_over_time_take_little_more_than_one_when_written_together() {
    let entries: BTreeMap<_, _> = (0..3_000)
        .map(|n| (noise(n, 16), Some(noise(n, 60))))
        .collect();
    let entries: Vec<Change> = entries.into_iter().collect();
    let bytes_of_states = |together: bool| {
        let folder = tempfile::tempdir().expect("a folder");
        let store = open(folder.path());
        let batch = store.begin_write().expect("open");
        let mut root = batch.update_map(MapRoot::EMPTY, &entries).expect("staged");
        batch.commit().expect("written");
        let before = store.stats().expect("open").pages.bytes;
        let mut all = store.begin_bulk().expect("open");
        for state in 0..60 {
            // Mostly the same places, as the same files are worked on for a while.
            let change = (
                entries[state % 7 * 400].0.clone(),
                Some(noise(state as u32, 60)),
            );
            let next = match together {
                true => store.begin_bulk(),
                false => store.begin_write(),
            };
            let next = next.expect("open");
            root = next.update_map(root, &[change]).expect("staged");
            match together {
                true => all.absorb(next).expect("of one store"),
                false => next.commit().expect("written"),
            }
        }
        all.commit().expect("written");
        store.stats().expect("open").pages.bytes - before
    };
    let (together, alone) = (bytes_of_states(true), bytes_of_states(false));
    assert!(together * 4 < alone, "{together} together, {alone} alone");
}

/// A store as the first version of the schema wrote it. `CORTEX_WRITE_FIXTURE=1` writes it anew.
#[test]
fn a_store_of_schema_1_is_read() {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/stores/schema-1.redb");
    let folder = tempfile::tempdir().expect("a folder");
    let database = folder.path().join("index.redb");
    // Roots of maps are functions of their content.
    let mut expected = Expected::default();
    let put = |expected: &mut Expected, folder: &Path| {
        let store = open(folder);
        let mut batch = store.begin_write().expect("open");
        (0..3).try_for_each(|number| expected.put(&mut batch, number))?;
        batch.put_name("pins", "main", b"kept in all schemas");
        batch.commit()?;
        store.compact()
    };
    if std::env::var_os("CORTEX_WRITE_FIXTURE").is_some() {
        put(&mut expected.clone(), folder.path()).expect("space");
        std::fs::copy(&database, &fixture).expect("writable");
    }
    let other = tempfile::tempdir().expect("a folder");
    put(&mut expected, other.path()).expect("space");
    std::fs::copy(&fixture, &database).expect("it is there");
    let pin = |store: &Store| store.name("pins", "main").expect("open");
    {
        let store = open(folder.path());
        expected.check_all(&store);
        assert_eq!(store.take_notices(), []);
        assert_eq!(pin(&store), Some(b"kept in all schemas".to_vec()));
    }
    set_schema(folder.path(), 0);
    let store = open(folder.path());
    assert_eq!(store.take_notices(), [Notice::Migrated { from: 0 }]);
    assert_eq!(store.snapshots().expect("open"), []);
    assert_eq!(pin(&store), Some(b"kept in all schemas".to_vec()));
    drop(store);
    set_schema(folder.path(), 9);
    let before = std::fs::read(&database).expect("closed");
    let refused = Store::open(folder.path(), &OpenOptions::default()).err();
    assert!(matches!(refused, Some(StoreError::Newer { found: 9, .. })));
    assert!(
        std::fs::read(&database).expect("closed") == before,
        "it is untouched"
    );
}
