//! Flipped bits: answers are right or absent.
//!
//! The engine can panic while it unwinds from a panic, which ends the process. So the rounds run in
//! a process of their own: it may die, but then the next one has to mend what it died of.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::*;
use crate::Notice;

const FOLDER: &str = "CORTEX_STORE_TEST_FLIPS";
const MAX_DEATHS: u32 = 8;

/// `CORTEX_FLIPS`, or so many as take some seconds.
fn n_rounds() -> u32 {
    env::var("CORTEX_FLIPS").map_or(100, |rounds| rounds.parse().expect("a number"))
}

#[test]
fn whatever_bit_flips_no_answer_is_wrong() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    put_six(&store).expect("written").check_all(&store);
    store.compact().expect("space");
    drop(store);
    fs::rename(
        folder.path().join("index.redb"),
        folder.path().join("image"),
    )
    .expect("closed");

    let progress = folder.path().join("round");
    let mut last = None;
    for _ in 0..=MAX_DEATHS.max(n_rounds() / 25) {
        let output = Command::new(env::current_exe().expect("known"))
            .args(["--exact", "tests::flips::rounds", "--nocapture"])
            .env(FOLDER, folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .output()
            .expect("it runs already");
        if output.status.success() {
            return;
        }
        let errors = String::from_utf8_lossy(&output.stderr);
        let round = fs::read_to_string(&progress).expect("it began");
        let died = errors.contains("panic in a destructor during cleanup");
        assert!(
            died && Some(&round) != last.as_ref(),
            "round {round}: {errors}"
        );
        last = Some(round);
    }
    panic!("it died too often");
}

/// Six commits' content in one.
fn put_six(store: &Store) -> Result<Expected, StoreError> {
    let mut expected = Expected::default();
    let mut batch = store.begin_write()?;
    (0..6).try_for_each(|number| expected.put(&mut batch, number))?;
    batch.commit()?;
    Ok(expected)
}

/// All rounds from where the last process died: with the database that it left.
#[test]
fn rounds() {
    let Some(folder) = env::var_os(FOLDER).map(PathBuf::from) else {
        return;
    };
    let image = fs::read(folder.join("image")).expect("written before");
    let progress = folder.join("round");
    let interrupted: Option<u32> = fs::read_to_string(&progress)
        .ok()
        .and_then(|round| round.parse().ok());
    let sound = tempfile::tempdir().expect("a folder");
    let expected = put_six(&open(sound.path())).expect("written");

    for round in interrupted.unwrap_or(0)..n_rounds() {
        let place = folder.join(round.to_string());
        if interrupted != Some(round) {
            fs::create_dir_all(&place).expect("writable");
            let damaged = damage(image.clone(), round);
            fs::write(place.join("index.redb"), damaged).expect("writable");
            fs::write(&progress, round.to_string()).expect("writable");
        }
        let store = open(&place);
        expected.check_what_is_there(&store);
        // Everything can be computed again, and then is there. Damage shows when it is met, so
        // this may take a second attempt.
        let mut left = usize::MAX;
        for _ in 0..4 {
            match put_six(&store) {
                Ok(again) => left = again.check_what_is_there(&store),
                Err(StoreError::Stale | StoreError::DamagedPage(_)) => {}
                Err(error) => panic!("round {round}: {error}"),
            }
            if left == 0 {
                break;
            }
        }
        assert_eq!(left, 0, "round {round}: {:?}", store.take_notices());
        drop(store);
        fs::remove_dir_all(&place).expect("closed");
    }
}

fn damage(mut image: Vec<u8>, round: u32) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(u64::from(round));
    for _ in 0..1 + round % 5 {
        // A third of the flips where much of the structure is.
        let range = if random.usize(..3) == 0 {
            64 << 10
        } else {
            image.len()
        };
        let byte = random.usize(..range.min(image.len()));
        image[byte] ^= 1 << random.usize(..8);
    }
    image
}

#[test]
fn no_database_at_all_is_moved_aside() {
    for content in [
        b"not a database".to_vec(),
        vec![0; 100_000],
        vec![0xff; 4096],
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("index.redb"), &content).expect("writable");
        let store = open(folder.path());
        let to = folder.path().join("index.redb.damaged-1");
        let notices = store.take_notices();
        assert!(
            matches!(notices.as_slice(), [Notice::MovedAside { to: path, .. }] if *path == to),
            "{notices:?}"
        );
        assert_eq!(fs::read(to).expect("kept"), content);
        let mut batch = store.begin_write().expect("open");
        let mut expected = Expected::default();
        expected.put(&mut batch, 0).expect("staged");
        batch.commit().expect("written");
        expected.check_all(&store);
    }
}
