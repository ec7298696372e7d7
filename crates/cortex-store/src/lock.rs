//! The lock: many readers or one writer, among processes.
//!
//! redb locks its file for as long as it is open; this lock comes first, on a file of its own, so
//! that the database can be moved aside or replaced by a rename with nobody in between. The system
//! releases it when a process ends, in whatever way. All of the locking is in this file.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::StoreError;

const LOCK_FILE: &str = "index.lock";
/// The pid of the writer. Still there without a writer, it says that one died.
const PID_FILE: &str = "index.pid";
const NOBODY: u32 = 0;
const FIRST_SLEEP: Duration = Duration::from_millis(1);
const LONGEST_SLEEP: Duration = Duration::from_millis(40);

/// How a store is locked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Shared with other readers.
    Read,
    /// Alone.
    Write,
}

/// Attempts until a deadline, with short and growing sleeps between them.
pub(crate) struct Patience {
    deadline: Option<Instant>,
    sleep: Duration,
}

impl Patience {
    pub(crate) fn new(timeout: Duration) -> Self {
        Self {
            deadline: Instant::now().checked_add(timeout),
            sleep: FIRST_SLEEP,
        }
    }

    /// Sleeps before another attempt; false when the time is over.
    pub(crate) fn wait(&mut self) -> bool {
        let left = self.deadline.map_or(LONGEST_SLEEP, |end| {
            end.saturating_duration_since(Instant::now())
        });
        if left.is_zero() {
            return false;
        }
        std::thread::sleep(self.sleep.min(left));
        self.sleep = (2 * self.sleep).min(LONGEST_SLEEP);
        true
    }
}

/// What became of the last writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LastWriter {
    /// It let go of the lock, or there was none.
    Finished,
    /// It ended with the lock in its hands.
    Died,
}

/// A held lock; dropping it releases it.
#[derive(Debug)]
pub(crate) struct StoreLock {
    // Held for its lock. Dropped after the pid file is gone.
    _file: File,
    pid_file: Option<PathBuf>,
    last_writer: LastWriter,
}

impl StoreLock {
    /// Waits for the lock of a folder.
    pub(crate) fn acquire(
        folder: &Path,
        mode: Mode,
        patience: &mut Patience,
    ) -> Result<Self, StoreError> {
        let file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(folder.join(LOCK_FILE))?;
        loop {
            let locked = match mode {
                Mode::Read => file.try_lock_shared(),
                Mode::Write => file.try_lock(),
            };
            match locked {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if patience.wait() => {}
                Err(TryLockError::WouldBlock) => return Err(busy(folder)),
                Err(TryLockError::Error(error)) => return Err(error.into()),
            }
        }
        let pid_file = folder.join(PID_FILE);
        let last_writer = match pid_file.exists() {
            true => LastWriter::Died,
            false => LastWriter::Finished,
        };
        let pid = match (mode, last_writer) {
            (Mode::Write, _) => Some(std::process::id()),
            // No writer holds the lock now. That one died is for the next one to know.
            (Mode::Read, LastWriter::Died) => Some(NOBODY),
            (Mode::Read, LastWriter::Finished) => None,
        };
        if let Some(pid) = pid {
            fs::write(&pid_file, pid.to_string())?;
        }
        Ok(Self {
            _file: file,
            pid_file: (mode == Mode::Write).then_some(pid_file),
            last_writer,
        })
    }

    /// What became of the writer before this lock was taken.
    pub(crate) fn last_writer(&self) -> LastWriter {
        self.last_writer
    }
}

impl Drop for StoreLock {
    fn drop(&mut self) {
        if let Some(pid_file) = &self.pid_file {
            // A pid that stays costs the next writer a check of the database.
            let _ = fs::remove_file(pid_file);
        }
    }
}

/// The error for a lock that another process holds.
pub(crate) fn busy(folder: &Path) -> StoreError {
    let pid = fs::read_to_string(folder.join(PID_FILE)).ok();
    let pid = pid.and_then(|pid| pid.trim().parse().ok());
    StoreError::Busy {
        pid: pid.filter(|pid| *pid != NOBODY),
    }
}

/// Removes a file that may be absent.
pub(crate) fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lock(folder: &Path, mode: Mode, millis: u64) -> Result<StoreLock, StoreError> {
        let mut patience = Patience::new(Duration::from_millis(millis));
        StoreLock::acquire(folder, mode, &mut patience)
    }

    #[test]
    fn readers_share_and_a_writer_is_alone_and_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        let readers = [lock(folder, Mode::Read, 0), lock(folder, Mode::Read, 0)];
        assert!(readers.iter().all(Result::is_ok));
        let refused = lock(folder, Mode::Write, 5).expect_err("readers hold it");
        assert!(matches!(refused, StoreError::Busy { pid: None }));
        drop(readers);
        let writer = lock(folder, Mode::Write, 0).expect("free");
        let own = std::process::id();
        for mode in [Mode::Read, Mode::Write] {
            let refused = lock(folder, mode, 5).expect_err("a writer holds it");
            assert!(matches!(refused, StoreError::Busy { pid: Some(pid) } if pid == own));
        }
        drop(writer);
        assert!(lock(folder, Mode::Read, 0).is_ok());
    }

    #[test]
    fn a_waiting_process_gets_the_lock_when_it_is_free() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path();
        let writer = lock(path, Mode::Write, 0).expect("free");
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| lock(path, Mode::Write, 10_000).is_ok());
            std::thread::sleep(Duration::from_millis(20));
            drop(writer);
            assert!(waiting.join().expect("no panic"));
        });
    }

    #[test]
    fn the_pid_of_a_killed_writer_is_forgotten_but_not_that_it_died() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        fs::write(folder.join(PID_FILE), "123").expect("writable");
        let reader = lock(folder, Mode::Read, 0).expect("free");
        let refused = lock(folder, Mode::Write, 0).expect_err("read");
        assert!(matches!(refused, StoreError::Busy { pid: None }));
        drop(reader);
        for last_writer in [LastWriter::Died, LastWriter::Finished] {
            let writer = lock(folder, Mode::Write, 0).expect("free");
            assert_eq!(writer.last_writer(), last_writer);
        }
    }
}
