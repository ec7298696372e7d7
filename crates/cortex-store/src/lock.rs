//! The locks: many readers, or one writer for the time of a transaction, among processes.
//!
//! redb locks its file for as long as it is open; these locks come first, on files of their own, so
//! that the database can be moved aside or replaced by a rename with nobody in between. The system
//! releases them when a process ends, in whatever way. All of the locking is in this file.
//!
//! Whoever wants to change the store takes the *right to write*, one process at a time in the order
//! of asking, and can then prepare the change while others read. For the change itself it takes the
//! *main lock* alone. It does that holding the *turn*, through which every reader has to pass too:
//! so readers that come while a writer waits come after it, and those that came before it are told
//! by [`WriterWatch`] to make room. No number of readers can keep a writer from its turn, nor
//! writers a reader.
//!
//! A command holds the *answer lock*, shared, from its first access to its end. Who takes something out of the store
//! needs it alone, so that an answer that began before a collection ends as if there had been none.
//!
//! Beside these, who works for minutes on what only its own memory relies on *defers* collections
//! that nobody asked for.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::StoreError;

const MAIN_FILE: &str = "index.lock";
const TURN_FILE: &str = "index.turn";
const RIGHT_FILE: &str = "index.writer";
const BULK_FILE: &str = "index.bulk";
const ANSWER_FILE: &str = "index.answers";
const ANSWER_TURN_FILE: &str = "index.answers-turn";
/// The pid of who has the right to write, and how many died with it in a row before. Still there when
/// nobody has it, it says that one more died.
const PID_FILE: &str = "index.pid";
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

/// A deadline for one or several waits.
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

    fn left(&self) -> Duration {
        self.deadline.map_or(Duration::MAX, |end| {
            end.saturating_duration_since(Instant::now())
        })
    }

    /// Sleeps before another attempt at something that cannot be waited for, each time longer;
    /// false when the time is over.
    pub(crate) fn wait(&mut self) -> bool {
        let left = self.left();
        if left.is_zero() {
            return false;
        }
        thread::sleep(self.sleep.min(left));
        self.sleep = (2 * self.sleep).min(LONGEST_SLEEP);
        true
    }
}

/// What became of the last one that had the right to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LastWriter {
    /// It gave the right back, or there was none.
    Finished,
    /// It ended with the right in its hands, as so many in a row did.
    Died { in_a_row: u32 },
}

/// The right to write; dropping it gives it back.
#[derive(Debug)]
pub(crate) struct WriteRight {
    // Held for its lock. Dropped after the pid file is gone.
    _file: File,
    pid_file: PathBuf,
    /// How many died in a row, until that is taken.
    n_died: AtomicU32,
}

impl WriteRight {
    /// Waits for the right to write in a folder.
    pub(crate) fn acquire(folder: &Path, patience: &Patience) -> Result<Self, StoreError> {
        let file = open(folder, RIGHT_FILE)?;
        let file = lock(file, Mode::Write, patience)?.ok_or_else(|| busy(folder))?;
        let pid_file = folder.join(PID_FILE);
        let n_died: u32 = match fs::read_to_string(&pid_file) {
            // What cannot be read was cut short by a death.
            Ok(text) => 1 + number(&text, 1).unwrap_or(0),
            Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
            Err(_) => 1,
        };
        fs::write(&pid_file, format!("{} {n_died}", std::process::id()))?;
        Ok(Self {
            _file: file,
            pid_file,
            n_died: AtomicU32::new(n_died),
        })
    }

    /// What became of the last writer: says that it died once only.
    pub(crate) fn take_last_writer(&self) -> LastWriter {
        match self.n_died.swap(0, Ordering::Relaxed) {
            0 => LastWriter::Finished,
            in_a_row => LastWriter::Died { in_a_row },
        }
    }
}

impl Drop for WriteRight {
    fn drop(&mut self) {
        // A pid that stays costs the next writer a check of the database.
        let _ = fs::remove_file(&self.pid_file);
    }
}

/// The main lock of a folder; dropping it releases it.
#[derive(Debug)]
pub(crate) struct StoreLock {
    // Held for its lock.
    _file: File,
}

impl StoreLock {
    /// Waits for the lock that readers share.
    pub(crate) fn share(folder: &Path, patience: &Patience) -> Result<Self, StoreError> {
        Self::take(folder, MAIN_FILES, Mode::Read, patience)?.ok_or_else(|| busy(folder))
    }

    /// Waits for the lock alone, before all readers that ask later. Only for who has the right.
    pub(crate) fn alone(
        folder: &Path,
        _right: &WriteRight,
        patience: &Patience,
    ) -> Result<Self, StoreError> {
        // The right is the caller's own: who keeps it waiting is reading, and not recorded.
        let lock = Self::take(folder, MAIN_FILES, Mode::Write, patience)?;
        lock.ok_or(StoreError::Busy { pid: None })
    }

    fn take(
        folder: &Path,
        [turn, main]: [&str; 2],
        mode: Mode,
        patience: &Patience,
    ) -> io::Result<Option<Self>> {
        // Held until the lock itself is there.
        let Some(_turn) = lock(open(folder, turn)?, mode, patience)? else {
            return Ok(None);
        };
        let file = lock(open(folder, main)?, mode, patience)?;
        Ok(file.map(|file| Self { _file: file }))
    }
}

/// A file whose lock is wanted, after the file of the turn to ask for it.
const MAIN_FILES: [&str; 2] = [TURN_FILE, MAIN_FILE];
const ANSWER_FILES: [&str; 2] = [ANSWER_TURN_FILE, ANSWER_FILE];

/// The answer lock of a folder; dropping it releases it.
#[derive(Debug)]
pub(crate) struct AnswerLock {
    // Held for its lock.
    _lock: StoreLock,
}

impl AnswerLock {
    /// Keeps everything in the store that is there now.
    pub(crate) fn share(folder: &Path, patience: &Patience) -> Result<Self, StoreError> {
        let lock = StoreLock::take(folder, ANSWER_FILES, Mode::Read, patience)?;
        let lock = lock.ok_or_else(|| busy(folder))?;
        Ok(Self { _lock: lock })
    }

    /// Waits until nobody is in the middle of an answer; those who begin meanwhile wait. `None` when the time is over.
    pub(crate) fn alone(folder: &Path, patience: &Patience) -> io::Result<Option<Self>> {
        let lock = StoreLock::take(folder, ANSWER_FILES, Mode::Write, patience)?;
        Ok(lock.map(|lock| Self { _lock: lock }))
    }
}

/// Defers collections of other processes; dropping it ends that.
#[derive(Debug)]
pub struct GcDeferral {
    // Held for its lock: shared by those who defer.
    _file: Option<File>,
}

impl GcDeferral {
    /// Defers from the end of the collection that is under way. Who has no patience for that goes on:
    /// what it drops is made again.
    pub(crate) fn begin(folder: &Path, patience: &Patience) -> io::Result<Self> {
        let file = lock(open(folder, BULK_FILE)?, Mode::Read, patience)?;
        Ok(Self { _file: file })
    }

    /// Keeps others from deferring, if nobody does.
    pub(crate) fn none(folder: &Path) -> io::Result<Option<Self>> {
        let file = lock(
            open(folder, BULK_FILE)?,
            Mode::Write,
            &Patience::new(Duration::ZERO),
        )?;
        Ok(file.map(|file| Self { _file: Some(file) }))
    }
}

/// Looks whether somebody waits to be alone with the store. Creates nothing: who asks may do so while the folder is
/// removed.
pub(crate) struct WriterWatch {
    folder: PathBuf,
    /// Open from the first look on: the file stays as long as the folder does.
    turn: Option<File>,
}

impl WriterWatch {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder, turn: None }
    }

    pub(crate) fn is_writer_waiting(&mut self) -> bool {
        if self.turn.is_none() {
            self.turn = File::open(self.folder.join(TURN_FILE)).ok();
        }
        let Some(turn) = &self.turn else {
            return false;
        };
        match turn.try_lock_shared() {
            Err(TryLockError::WouldBlock) => true,
            Err(TryLockError::Error(_)) => false,
            Ok(()) => {
                // What cannot be unlocked is closed.
                if turn.unlock().is_err() {
                    self.turn = None;
                }
                false
            }
        }
    }
}

/// The error for a lock that another process holds.
pub(crate) fn busy(folder: &Path) -> StoreError {
    let right = open(folder, RIGHT_FILE);
    let is_held = right.is_ok_and(|right| right.try_lock_shared().is_err());
    let pid = fs::read_to_string(folder.join(PID_FILE)).ok();
    let pid = pid.and_then(|text| number(&text, 0));
    StoreError::Busy {
        pid: pid.filter(|_| is_held),
    }
}

/// A number of the pid file by its place.
fn number(text: &str, place: usize) -> Option<u32> {
    text.split_whitespace().nth(place)?.parse().ok()
}

fn open(folder: &Path, name: &str) -> io::Result<File> {
    File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(folder.join(name))
}

/// Locks a file, waiting in the queue of the system; `None` when the time is over.
fn lock(file: File, mode: Mode, patience: &Patience) -> io::Result<Option<File>> {
    let locked = match mode {
        Mode::Read => file.try_lock_shared(),
        Mode::Write => file.try_lock(),
    };
    match locked {
        Ok(()) => return Ok(Some(file)),
        Err(TryLockError::WouldBlock) => {}
        Err(TryLockError::Error(error)) => return Err(error),
    }
    let left = patience.left();
    if left.is_zero() {
        return Ok(None);
    }
    // The system knows no wait with an end. A thread that nobody waits for any more closes the
    // file, and releases the lock by that, as soon as it gets it.
    let (sender, receiver) = sync_channel(1);
    thread::Builder::new()
        .name("lock".to_owned())
        .spawn(move || {
            let locked = loop {
                let locked = match mode {
                    Mode::Read => file.lock_shared(),
                    Mode::Write => file.lock(),
                };
                match locked {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    locked => break locked,
                }
            };
            // Fails when nobody waits any more.
            let _ = sender.send(locked.map(|()| file));
        })?;
    match receiver.recv_timeout(left) {
        Ok(locked) => locked.map(Some),
        Err(RecvTimeoutError::Timeout) => Ok(None),
        Err(RecvTimeoutError::Disconnected) => Err(io::Error::other("the lock's thread ended")),
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
    use std::sync::atomic::AtomicBool;

    use super::*;

    fn patience(millis: u64) -> Patience {
        Patience::new(Duration::from_millis(millis))
    }

    fn share(folder: &Path, millis: u64) -> Result<StoreLock, StoreError> {
        StoreLock::share(folder, &patience(millis))
    }

    fn right(folder: &Path, millis: u64) -> Result<WriteRight, StoreError> {
        WriteRight::acquire(folder, &patience(millis))
    }

    fn alone(folder: &Path, right: &WriteRight, millis: u64) -> Result<StoreLock, StoreError> {
        StoreLock::alone(folder, right, &patience(millis))
    }

    #[test]
    fn asking_for_a_writer_creates_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(!WriterWatch::new(folder.path().to_owned()).is_writer_waiting());
        let n_files = fs::read_dir(folder.path()).expect("readable").count();
        assert_eq!(n_files, 0);
    }

    #[test]
    fn readers_share_and_a_writer_is_alone_and_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        let readers = [share(folder, 0), share(folder, 0)];
        assert!(readers.iter().all(Result::is_ok));
        let this_process = std::process::id();
        let right_to_write = right(folder, 0).expect("nobody has it");
        alone(folder, &right_to_write, 5).expect_err("readers hold the lock");
        let refused = right(folder, 5).expect_err("it is given to one");
        assert!(matches!(refused, StoreError::Busy { pid: Some(pid) } if pid == this_process));
        assert!(share(folder, 0).is_ok(), "the right alone keeps nobody out");
        drop(readers);
        let writer = alone(folder, &right_to_write, 0).expect("free");
        let refused = share(folder, 5).expect_err("a writer holds it");
        assert!(matches!(refused, StoreError::Busy { pid: Some(pid) } if pid == this_process));
        drop(writer);
        assert!(share(folder, 0).is_ok());
    }

    #[test]
    fn a_waiting_process_gets_the_lock_when_it_is_free() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path();
        let right_to_write = right(path, 0).expect("free");
        let writer = alone(path, &right_to_write, 0).expect("free");
        thread::scope(|scope| {
            let reader = scope.spawn(|| share(path, 10_000).is_ok());
            let next = scope.spawn(|| right(path, 10_000).is_ok());
            thread::sleep(Duration::from_millis(20));
            drop((writer, right_to_write));
            assert!(reader.join().expect("no panic"));
            assert!(next.join().expect("no panic"));
        });
    }

    #[test]
    fn a_wait_that_was_given_up_takes_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        let reader = share(folder, 0).expect("free");
        let right_to_write = right(folder, 0).expect("free");
        alone(folder, &right_to_write, 5).expect_err("it is read");
        drop((reader, right_to_write));
        let right_to_write = right(folder, 1000).expect("given back");
        drop(alone(folder, &right_to_write, 1000).expect("given back"));
        share(folder, 1000).expect("given back");
    }

    #[test]
    fn readers_without_end_do_not_keep_a_writer_waiting_nor_writers_a_reader() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path();
        let n_written = AtomicU32::new(0);
        let n_read = AtomicU32::new(0);
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            for _ in 0..6 {
                // At any time one of them is reading.
                scope.spawn(|| {
                    while !is_over.load(Ordering::Relaxed) {
                        let reader = share(path, 10_000).expect("its turn comes");
                        thread::sleep(Duration::from_millis(3));
                        drop(reader);
                        n_read.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
            let writers = [(); 2].map(|()| {
                scope.spawn(|| {
                    for _ in 0..20 {
                        let right_to_write = right(path, 10_000).expect("its turn comes");
                        let writer = alone(path, &right_to_write, 10_000).expect("its turn comes");
                        thread::sleep(Duration::from_millis(1));
                        drop((writer, right_to_write));
                        n_written.fetch_add(1, Ordering::Relaxed);
                    }
                })
            });
            for writer in writers {
                writer.join().expect("no panic");
            }
            is_over.store(true, Ordering::Relaxed);
        });
        assert_eq!(n_written.into_inner(), 40);
        let n_read = n_read.into_inner();
        assert!(n_read >= 40, "{n_read} reads beside 40 writes");
    }

    #[test]
    fn readers_are_told_of_a_writer_that_waits() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path();
        let reader = share(path, 0).expect("free");
        let mut watch = WriterWatch::new(path.to_owned());
        assert!(!watch.is_writer_waiting());
        thread::scope(|scope| {
            let writer = scope.spawn(|| {
                let right = right(path, 10_000)?;
                alone(path, &right, 10_000).map(drop)
            });
            while !watch.is_writer_waiting() {
                thread::sleep(Duration::from_millis(1));
            }
            drop(reader);
            writer.join().expect("no panic").expect("room was made");
        });
        assert!(!watch.is_writer_waiting());
    }

    #[test]
    fn the_pid_of_a_killed_writer_is_forgotten_but_not_that_it_died() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        fs::write(folder.join(PID_FILE), "123").expect("writable");
        assert!(matches!(busy(folder), StoreError::Busy { pid: None }));
        let next = |last_writer| {
            let right = right(folder, 0).expect("free");
            assert_eq!(right.take_last_writer(), last_writer);
            assert_eq!(right.take_last_writer(), LastWriter::Finished);
            fs::read(folder.join(PID_FILE)).expect("it has the right")
        };
        let left = next(LastWriter::Died { in_a_row: 1 });
        next(LastWriter::Finished);
        fs::write(folder.join(PID_FILE), left).expect("writable");
        next(LastWriter::Died { in_a_row: 2 });
        next(LastWriter::Finished);
    }
}
