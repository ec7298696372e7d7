//! Damage: panics of the database engine become errors, and damaged entries are remembered until
//! the database is written anew without them.

use std::any::Any;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use crate::StoreError;
use crate::merkle::PageHash;

thread_local! {
    /// How many accesses are under way on this thread, one inside of the other.
    static N_CONTAINED: Cell<u32> = const { Cell::new(0) };
}

/// Whether a panic on this thread becomes an error, so that a hook need not report it.
pub fn is_panic_contained() -> bool {
    N_CONTAINED.get() > 0
}

/// Runs an access to the database. redb panics on some kinds of damage: that is damage too.
///
/// Whatever `access` borrows of the database must be dropped by the caller after a failure.
pub(crate) fn contain<T>(access: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
    N_CONTAINED.set(N_CONTAINED.get() + 1);
    let result = catch_unwind(AssertUnwindSafe(access));
    N_CONTAINED.set(N_CONTAINED.get() - 1);
    result.unwrap_or_else(|panic| Err(StoreError::Damaged(message_of(panic.as_ref()))))
}

/// Drops a part of the database, whose engine may panic when it is closed after it panicked before.
pub(crate) fn discard<T>(part: T) {
    // The panic that matters was reported when it was first contained.
    let _ = contain(|| {
        drop(part);
        Ok(())
    });
}

fn message_of(panic: &(dyn Any + Send)) -> String {
    let message = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied());
    // Only the first line: assertions add values that say nothing to a user.
    let line = message.and_then(|message| message.lines().next());
    line.unwrap_or("the database engine panicked").to_owned()
}

/// Entries that failed their check. They read as absent until the database is written anew, with
/// what is sound of it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Suspects {
    pub(crate) facts: BTreeSet<Vec<u8>>,
    pub(crate) pages: BTreeSet<PageHash>,
    /// Offsets of blocks: with one page, all pages of its block are suspect.
    pub(crate) blocks: BTreeSet<u64>,
    pub(crate) snapshots: BTreeSet<Vec<u8>>,
    pub(crate) names: BTreeSet<Vec<u8>>,
}

/// Renames a database that cannot be read, so that a fresh one takes its place. Only the newest of
/// such files is kept.
pub(crate) fn move_aside(database: &Path) -> io::Result<PathBuf> {
    let older = moved_aside(database)?;
    let number = older.iter().map(|(number, _)| number + 1).max();
    let mut name = database.as_os_str().to_owned();
    name.push(format!("{SUFFIX}{}", number.unwrap_or(1)));
    let to = PathBuf::from(name);
    fs::rename(database, &to)?;
    for (_, path) in older {
        fs::remove_file(path)?;
    }
    Ok(to)
}

/// The number of the newest database that was moved aside, 0 if there is none.
pub(crate) fn last_moved_aside(database: &Path) -> io::Result<u32> {
    let all = moved_aside(database)?;
    Ok(all.iter().map(|(number, _)| *number).max().unwrap_or(0))
}

const SUFFIX: &str = ".damaged-";

fn moved_aside(database: &Path) -> io::Result<Vec<(u32, PathBuf)>> {
    let (Some(folder), Some(name)) = (database.parent(), database.file_name()) else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let number = entry.file_name().to_str().and_then(|file| {
            let rest = file.strip_prefix(name.to_str()?)?;
            rest.strip_prefix(SUFFIX)?.parse().ok()
        });
        if let Some(number) = number.filter(|number| *number < u32::MAX) {
            found.push((number, entry.path()));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_with_its_first_line() {
        let number = 7;
        let failed: Result<(), _> = contain(|| {
            assert!(super::is_panic_contained());
            panic!("page {number} is bad\nleft: 1")
        });
        assert!(!super::is_panic_contained());
        let Err(StoreError::Damaged(reason)) = failed else {
            panic!("not contained");
        };
        assert_eq!(reason, "page 7 is bad");
    }

    #[test]
    fn only_the_newest_damaged_database_is_kept_and_numbers_grow() {
        let folder = tempfile::tempdir().expect("a folder");
        let database = folder.path().join("index.redb");
        for number in 1..4 {
            assert_eq!(last_moved_aside(&database).expect("readable"), number - 1);
            fs::write(&database, "x").expect("writable");
            let to = move_aside(&database).expect("renamed");
            assert!(to.ends_with(format!("index.redb.damaged-{number}")));
            assert_eq!(moved_aside(&database).expect("readable").len(), 1);
        }
    }
}
