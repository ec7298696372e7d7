//! Whatever the disk does, what was committed stays readable.

use std::sync::Arc;

use super::disk::{Disk, Fault};
use super::*;

/// Commits until something fails; gives what was committed, and the content whose commit failed,
/// which may have arrived or not.
fn commit_until_failure(store: &Store, n_commits: u32) -> (Expected, Option<StoreError>) {
    let mut committed = Expected::default();
    for number in 0..n_commits {
        let mut next = committed.clone();
        let outcome = store.begin_write().and_then(|mut batch| {
            next.put(&mut batch, number)?;
            batch.commit()
        });
        match outcome {
            Ok(()) => committed = next,
            Err(error) => return (committed, Some(error)),
        }
    }
    (committed, None)
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

fn open_on(folder: &Path, disk: &Disk) -> Result<Store, StoreError> {
    Store::open_on(folder, &OpenOptions::default(), Arc::new(disk.clone()))
}

/// The number of operations that the run without faults takes.
fn n_operations(n_commits: u32) -> usize {
    let (folder, disk) = (folder(), Disk::default());
    disk.set(Fault::None);
    let store = open_on(folder.path(), &disk).expect("a sound disk");
    let (expected, failure) = commit_until_failure(&store, n_commits);
    assert!(failure.is_none());
    drop(store);
    let n_operations = disk.n_operations();
    let store = open_on(folder.path(), &disk).expect("a sound disk");
    expected.check_all(&store);
    n_operations
}

#[test]
fn a_failed_operation_loses_nothing_and_the_store_goes_on() {
    let total = n_operations(3);
    assert!(total > 40, "{total}");
    for at in 0..total {
        let (folder, disk) = (folder(), Disk::default());
        disk.set(Fault::Fail { at });
        let Ok(store) = open_on(folder.path(), &disk) else {
            let store = open_on(folder.path(), &disk).expect("it failed once only");
            assert!(commit_until_failure(&store, 1).1.is_none());
            continue;
        };
        let (expected, failure) = commit_until_failure(&store, 3);
        assert!(
            matches!(failure, None | Some(StoreError::Io(_))),
            "operation {at}: {failure:?}"
        );
        disk.set(Fault::None);
        expected.check_all(&store);
        let mut batch = store.begin_write().expect("open");
        batch.put_name("pins", "after", b"the failure");
        batch.commit().expect("it failed once only");
        drop(store);
        let store = open_on(folder.path(), &disk).expect("a sound disk");
        expected.check_all(&store);
        assert!(store.name("pins", "after").expect("open").is_some());
    }
}

#[test]
fn power_loss_at_any_operation_leaves_the_last_commit() {
    let total = n_operations(2);
    for at in 0..total {
        for seed in 0..3 {
            let (folder, disk) = (folder(), Disk::default());
            let seed = 1000 * seed + at as u64;
            disk.set(Fault::PowerLoss { at, seed });
            let expected = match open_on(folder.path(), &disk) {
                Ok(store) => commit_until_failure(&store, 2).0,
                Err(_) => Expected::default(),
            };
            disk.save(&folder.path().join("index.redb"));
            let store = open(folder.path());
            expected.check_all(&store);
            // A database that was never complete may be replaced; one with commits is not.
            if !expected.facts.is_empty() {
                assert_eq!(store.take_notices(), [], "operation {at}, seed {seed}");
            }
            let mut batch = store.begin_write().expect("open");
            batch.put_name("pins", "after", b"the loss");
            batch.commit().expect("a sound disk");
        }
    }
}

#[test]
fn a_full_disk_is_said_to_be_full_and_what_was_there_is_readable() {
    for kilobytes in (0..400).step_by(12) {
        let (folder, disk) = (folder(), Disk::default());
        let bytes = kilobytes << 10;
        disk.set(Fault::Full { bytes });
        let store = match open_on(folder.path(), &disk) {
            Ok(store) => store,
            Err(error) => {
                assert!(matches!(error, StoreError::Full), "{error:?}");
                disk.set(Fault::None);
                open_on(folder.path(), &disk).expect("there is space again")
            }
        };
        disk.set(Fault::Full { bytes });
        let (expected, failure) = commit_until_failure(&store, 40);
        assert!(matches!(failure, Some(StoreError::Full)), "{failure:?}");
        if bytes > 100 << 10 {
            // A disk so full that it cannot even be noted that the database is open is no reader's.
            disk.set(Fault::None);
            expected.check_all(&store);
        }
        disk.set(Fault::None);
        let mut batch = store.begin_write().expect("open");
        batch.put_name("pins", "after", b"there is space again");
        batch.commit().expect("there is space again");
        expected.check_all(&store);
    }
}
