//! A writer that is killed in the middle of its work loses nothing that it committed.
//!
//! The writer is this test program itself, started again with a folder in its environment.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use cortex_model::{BlobId, Hash, ObjectId};
use cortex_store::merkle::{self, MapRoot, PageHash};
use cortex_store::{FactsKey, OpenOptions, Store};

const FOLDER: &str = "CORTEX_STORE_TEST_FOLDER";

/// `CORTEX_KILLS`, or so many as take some seconds.
fn n_rounds() -> u32 {
    env::var("CORTEX_KILLS").map_or(20, |rounds| rounds.parse().expect("a number"))
}

fn key(number: u32) -> FactsKey {
    let id = Hash::of(&number.to_le_bytes());
    FactsKey {
        version: 1,
        options: 0,
        blob: BlobId(ObjectId::from_slice(&id.as_bytes()[..20]).expect("20 bytes")),
    }
}

fn value(number: u32) -> Vec<u8> {
    let part = Hash::of(&number.to_be_bytes());
    part.as_bytes().repeat(50 + number as usize % 400)
}

fn open(folder: &Path) -> Store {
    Store::open(folder, &OpenOptions::default()).expect("a usable folder")
}

fn root_of(store: &Store) -> MapRoot {
    let root = store.name("aliases", "root").expect("readable");
    let root = root.map(|root| PageHash::from_bytes(root.try_into().expect("a hash")));
    MapRoot::new(root)
}

/// Commits numbered content without end, and writes each number when its commit is done.
#[test]
fn write_until_killed() {
    let Some(folder) = env::var_os(FOLDER).map(PathBuf::from) else {
        return;
    };
    let store = open(&folder);
    let mut root = root_of(&store);
    let mut number = merkle::len(root, &store).expect("sound") as u32;
    let mut out = std::io::stdout();
    loop {
        let mut batch = store.begin_write().expect("open");
        batch.put_facts([(key(number), value(number))]);
        let entry = (
            number.to_be_bytes().to_vec(),
            Some(value(number)[..99].to_vec()),
        );
        root = batch.update_map(root, &[entry]).expect("sound");
        let page = root.page().expect("not empty");
        batch.put_name("aliases", "root", page.as_bytes());
        batch.commit().expect("space");
        writeln!(out, "committed {number}").expect("the parent listens");
        if number % 9 == 8 {
            store.compact().expect("space");
        }
        if number % 7 == 6 {
            store.release();
        }
        number += 1;
    }
}

#[test]
fn what_a_killed_writer_committed_is_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = env::current_exe().expect("known");
    let mut total = 0;
    let mut slowest = Duration::ZERO;
    for round in 0..n_rounds() {
        let mut child = Command::new(&program)
            .args(["--exact", "write_until_killed", "--nocapture"])
            .env(FOLDER, folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it runs already");
        let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        let mut last = None;
        let mut left = 3 + round % 5;
        for line in lines {
            // The test harness writes too, and the last line may be cut.
            let line = line.expect("text");
            let number = line
                .split_once("committed ")
                .and_then(|(_, n)| n.parse::<u32>().ok());
            last = number.or(last);
            left = left.saturating_sub(u32::from(number.is_some()));
            if left == 0 {
                sleep(Duration::from_micros(u64::from(round % 20) * 433));
                child.kill().expect("it runs");
                left = u32::MAX;
            }
        }
        child.wait().expect("killed");
        let last = last.expect("some commits");
        let start = Instant::now();
        let store = open(folder.path());
        slowest = slowest.max(start.elapsed());
        let root = root_of(&store);
        let n_entries = merkle::len(root, &store).expect("sound") as u32;
        assert!(n_entries > last, "{n_entries} entries after commit {last}");
        for number in 0..n_entries {
            assert_eq!(
                store.fact(&key(number)).expect("readable"),
                Some(value(number))
            );
            let entry = merkle::get(root, &number.to_be_bytes(), &store).expect("sound");
            assert_eq!(entry.as_deref(), Some(&value(number)[..99]));
        }
        assert_eq!(store.take_notices(), []);
        assert!(n_entries > total);
        total = n_entries;
    }
    assert!(slowest < Duration::from_secs(1), "opened in {slowest:?}");
}
