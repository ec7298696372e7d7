//! Work side by side: bulk batches, holds, collections and uses of one store do not undo each other.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::collect::Numbers;
use super::*;

#[test]
fn who_finds_its_work_collected_leaves_that_of_others_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let (store, other) = (open(folder.path()), open(folder.path()));
    let mut dropped = other.begin_write().expect("open");
    Expected::default().put(&mut dropped, 90).expect("staged");
    dropped.commit().expect("written");
    let mut late = store.begin_bulk().expect("open");
    Expected::default().put(&mut late, 0).expect("staged");
    // Else the collection waits for it.
    store.end_answer();
    other.gc(&mut Numbers(Vec::new()), None).expect("collected");
    // Another thread of the same work has begun anew already.
    let mut anew = store.begin_bulk().expect("open");
    let mut expected = Expected::default();
    expected.put(&mut anew, 0).expect("staged");
    assert!(matches!(late.commit(), Err(StoreError::Stale)));
    anew.commit().expect("nothing was collected since");
    drop(store);
    expected.check_all(&open(folder.path()));
}

#[test]
fn an_answer_that_began_before_a_collection_ends_as_if_there_had_been_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let mut batch = store.begin_write().expect("open");
    let mut expected = Expected::default();
    for number in 0..20 {
        expected.put(&mut batch, number).expect("staged");
    }
    batch.commit().expect("written");
    drop(store);
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let collector = scope.spawn(|| {
            let store = open(folder.path());
            let collected = store.gc(&mut Numbers(Vec::new()), None).expect("collected");
            assert!(is_over.load(Ordering::Relaxed), "it came between");
            assert_eq!(collected.after.snapshots.entries, 0);
            assert_eq!(store.take_notices(), []);
        });
        let reader = open(folder.path());
        // Before the collection, or after all of it.
        if reader.snapshots().expect("open").is_empty() {
            is_over.store(true, Ordering::Relaxed);
            return;
        }
        for _ in 0..20 {
            expected.check_all(&reader);
            reader.release();
            std::thread::sleep(Duration::from_millis(30));
        }
        is_over.store(true, Ordering::Relaxed);
        reader.end_answer();
        collector.join().expect("no panic");
    });
}

#[test]
fn a_collection_gives_up_beside_answers_without_end_and_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let reader = open(folder.path());
    let mut batch = reader.begin_write().expect("open");
    let mut expected = Expected::default();
    expected.put(&mut batch, 0).expect("staged");
    batch.commit().expect("written");
    let options = OpenOptions {
        lock_timeout: Duration::from_millis(500),
        ..OpenOptions::default()
    };
    let store = Store::open(folder.path(), &options).expect("a usable folder");
    store.gc(&mut Numbers(Vec::new()), None).expect("no error");
    assert_eq!(store.take_notices(), [crate::Notice::CollectionDeferred]);
    expected.check_all(&reader);
}

#[test]
fn a_hold_and_commits_of_other_threads_do_not_wait_for_each_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let begin = Instant::now();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let store = &store;
            scope.spawn(move || {
                for number in 0..12 {
                    let _hold = (thread % 2 == 0).then(|| store.hold().expect("its turn comes"));
                    let mut batch = store.begin_write().expect("open");
                    batch.put_name("access", &format!("{thread} {number}"), b"");
                    batch.commit().expect("its turn comes");
                }
            });
        }
    });
    assert_eq!(store.names("access").expect("open").len(), 48);
    let took = begin.elapsed();
    assert!(took < OpenOptions::default().lock_timeout, "{took:?}");
}

#[test]
fn a_collection_that_nobody_asked_for_waits_for_bulk_work_and_writers() {
    let folder = tempfile::tempdir().expect("a folder");
    let (store, other) = (open(folder.path()), open(folder.path()));
    let can_claim = || other.try_claim_gc().expect("open").is_some();
    assert!(can_claim());
    let deferral = store.defer_gc().expect("open");
    assert!(!can_claim());
    drop(deferral);
    let hold = store.hold().expect("open");
    assert!(!can_claim());
    drop(hold);
    let claim = other.try_claim_gc().expect("open");
    assert!(claim.is_some());
    let collected = other.gc(&mut Numbers(Vec::new()), None);
    collected.expect("it has the right to collect");
}

#[test]
fn a_use_that_is_noted_while_others_are_written_is_not_forgotten() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let mut batch = store.begin_write().expect("open");
    let mut expected = Expected::default();
    for number in 0..40 {
        expected.put(&mut batch, number).expect("staged");
    }
    batch.commit().expect("written");
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (store, is_over) = (&store, &is_over);
        scope.spawn(move || {
            while !is_over.load(Ordering::Relaxed) {
                store.write_uses().expect("open");
            }
        });
        for number in 0..40 {
            store.note_use(&snapshot_key(number), 1000);
            std::thread::sleep(Duration::from_millis(1));
        }
        is_over.store(true, Ordering::Relaxed);
    });
    store.write_uses().expect("open");
    let used = store.snapshots().expect("open");
    assert!(used.iter().all(|(_, snapshot)| snapshot.last_used == 1000));
}
