//! The connection to the database file: opened for reading or for writing, created, repaired,
//! migrated or moved aside as it needs.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use redb::{
    Database, DatabaseError, ReadOnlyDatabase, ReadTransaction, ReadableDatabase, TableError,
    WriteTransaction,
};

use crate::damage::{contain, discard, last_moved_aside, move_aside};
use crate::keys::name_key;
use crate::lock::{LastWriter, Patience, StoreLock, WriteRight, remove_if_there};
use crate::reader::{Reader, meta};
use crate::tables::{
    FACTS, LOG, META, META_EPOCH, META_SCHEMA, NAMES, PAGES, SCHEMA, SNAPSHOTS, seal,
};
use crate::{Notice, StoreError};

const DATABASE: &str = "index.redb";
const REPLACEMENT: &str = "index.redb.new";

/// What the engine keeps of what it reads. Pages that are decoded are kept elsewhere: of the engine's own, those at the
/// top of its trees are read again and again, and memory that is let go of is used for the next ones. New memory costs
/// more than a page that the system has.
const READ_CACHE: usize = 512 << 10;

/// How database files are opened: the file system, or a faulty one in tests.
pub(crate) trait Medium: Send + Sync {
    fn open_write(&self, path: &Path, cache_bytes: usize) -> Result<Database, DatabaseError>;
    fn open_read(&self, path: &Path, cache_bytes: usize)
    -> Result<ReadOnlyDatabase, DatabaseError>;
}

/// The file system.
pub(crate) struct Files;

impl Medium for Files {
    fn open_write(&self, path: &Path, cache_bytes: usize) -> Result<Database, DatabaseError> {
        Database::builder().set_cache_size(cache_bytes).create(path)
    }

    fn open_read(
        &self,
        path: &Path,
        cache_bytes: usize,
    ) -> Result<ReadOnlyDatabase, DatabaseError> {
        Database::builder()
            .set_cache_size(cache_bytes.min(READ_CACHE))
            .open_read_only(path)
    }
}

/// A database that is open for reading. The lock is dropped, hence released, last.
pub(crate) struct Reading {
    reader: Reader,
    epoch: u64,
    // Open for the reader.
    _database: Readable,
    _lock: StoreLock,
    _right: Option<WriteRight>,
}

enum Readable {
    Shared {
        _database: ReadOnlyDatabase,
    },
    /// Where it cannot be opened for reading alone.
    Alone {
        _database: Database,
    },
}

impl Reading {
    /// The last committed state when it was opened, and its epoch.
    pub(crate) fn reader(&self) -> (&Reader, u64) {
        (&self.reader, self.epoch)
    }
}

/// A database that is open for writing, under a lock of its own.
pub(crate) struct Writing {
    /// The last committed state; `None` after a commit, until it is read again.
    pub(crate) reader: Option<Reader>,
    pub(crate) epoch: u64,
    pub(crate) database: Database,
}

impl Writing {
    /// The tables of the last committed state.
    pub(crate) fn reader(&mut self) -> Result<&Reader, StoreError> {
        if self.reader.is_none() {
            self.reader = Some(Reader::new(&self.database.begin_read()?)?);
        }
        Ok(self.reader.as_ref().expect("just set"))
    }
}

/// Starts a durable transaction after which a crash needs no long repair.
pub(crate) fn begin(database: &Database) -> Result<WriteTransaction, StoreError> {
    let mut transaction = database.begin_write()?;
    transaction.set_quick_repair(true);
    Ok(transaction)
}

/// Writes a number of the store's own.
pub(crate) fn put_meta(
    transaction: &WriteTransaction,
    name: &str,
    number: u64,
) -> Result<(), StoreError> {
    let key = name_key(META, name);
    let sealed = seal(&key, &number.to_le_bytes());
    let mut names = transaction.open_table(NAMES)?;
    names.insert(key.as_slice(), sealed.as_slice())?;
    Ok(())
}

/// Creates all tables that are missing.
pub(crate) fn create_tables(transaction: &WriteTransaction) -> Result<(), StoreError> {
    transaction.open_table(FACTS)?;
    transaction.open_table(PAGES)?;
    transaction.open_table(LOG)?;
    transaction.open_table(SNAPSHOTS)?;
    transaction.open_table(NAMES)?;
    Ok(())
}

/// Opens links to the database of one folder.
pub(crate) struct Connector {
    pub(crate) folder: PathBuf,
    pub(crate) lock_timeout: Duration,
    pub(crate) cache_bytes: usize,
    pub(crate) medium: Arc<dyn Medium>,
}

impl Connector {
    pub(crate) fn database(&self) -> PathBuf {
        self.folder.join(DATABASE)
    }

    /// Where a new database is written before it takes the place of the old one.
    pub(crate) fn replacement(&self) -> PathBuf {
        self.folder.join(REPLACEMENT)
    }

    /// As much as a command has.
    pub(crate) fn patience(&self) -> Patience {
        Patience::new(self.lock_timeout)
    }

    /// Waits for the right to write.
    pub(crate) fn right(&self, patience: &Patience) -> Result<WriteRight, StoreError> {
        WriteRight::acquire(&self.folder, patience)
    }

    /// Waits until no other process has the database open, nor can open it.
    pub(crate) fn alone(&self, right: &WriteRight) -> Result<StoreLock, StoreError> {
        StoreLock::alone(&self.folder, right, &self.patience())
    }

    /// Opens the database for reading; creates, repairs or migrates it first if it needs that, with
    /// the right that the caller holds or its own.
    pub(crate) fn read(
        &self,
        held: Option<&WriteRight>,
        notices: &mut Vec<Notice>,
    ) -> Result<Reading, StoreError> {
        let mut patience = self.patience();
        let mut is_prepared = false;
        loop {
            let lock = StoreLock::share(&self.folder, &patience)?;
            match self.open_reader() {
                Ok(Some((reader, epoch, database))) => {
                    return Ok(Reading {
                        reader,
                        epoch,
                        _database: Readable::Shared {
                            _database: database,
                        },
                        _lock: lock,
                        _right: None,
                    });
                }
                Ok(None) | Err(StoreError::Damaged(_)) => {}
                // The engine's own lock: of a process that is just ending.
                Err(StoreError::Busy { .. }) => {
                    drop(lock);
                    self.wait(&mut patience)?;
                    continue;
                }
                Err(error) => return Err(error),
            }
            drop(lock);
            let acquired = match held {
                Some(_) => None,
                None => Some(WriteRight::acquire(&self.folder, &patience)?),
            };
            let right = held.or(acquired.as_ref()).expect("one of them is there");
            let (mut writing, lock) = self.write(right, notices)?;
            if is_prepared {
                return match contain(|| writing.reader().map(drop)) {
                    Ok(()) => Ok(Reading {
                        reader: writing.reader.expect("just read"),
                        epoch: writing.epoch,
                        _database: Readable::Alone {
                            _database: writing.database,
                        },
                        _lock: lock,
                        _right: acquired,
                    }),
                    Err(error) => {
                        discard((writing, lock));
                        Err(error)
                    }
                };
            }
            discard((writing, lock));
            is_prepared = true;
        }
    }

    /// Opens the database for writing, waiting until no other process has it open.
    pub(crate) fn write(
        &self,
        right: &WriteRight,
        notices: &mut Vec<Notice>,
    ) -> Result<(Writing, StoreLock), StoreError> {
        self.write_within(self.patience(), right, notices)
    }

    /// The same, as long as there is patience.
    pub(crate) fn write_within(
        &self,
        mut patience: Patience,
        right: &WriteRight,
        notices: &mut Vec<Notice>,
    ) -> Result<(Writing, StoreLock), StoreError> {
        let mut n_moved = 0;
        loop {
            let lock = StoreLock::alone(&self.folder, right, &patience)?;
            match self.open_writer(right.take_last_writer(), notices) {
                Ok(writing) => return Ok((writing, lock)),
                Err(StoreError::Damaged(reason)) if n_moved < 3 => {
                    n_moved += 1;
                    self.set_aside(reason, lock, notices)?;
                }
                Err(StoreError::Busy { .. }) => {
                    drop(lock);
                    self.wait(&mut patience)?;
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn wait(&self, patience: &mut Patience) -> Result<(), StoreError> {
        match patience.wait() {
            true => Ok(()),
            // It holds the locks: the engine's own lock is of a process that is just ending.
            false => Err(StoreError::Busy { pid: None }),
        }
    }

    /// Moves the database aside, if it is still the one of this epoch.
    pub(crate) fn quarantine(
        &self,
        right: &WriteRight,
        epoch: u64,
        reason: String,
        notices: &mut Vec<Notice>,
    ) -> Result<(), StoreError> {
        let lock = self.alone(right)?;
        let replaced = self.open_file().and_then(|database| {
            let now = contain(|| {
                let names = database.begin_read()?.open_table(NAMES)?;
                meta(&names, META_EPOCH)
            });
            discard(database);
            Ok(now? != epoch)
        });
        if replaced.unwrap_or(false) {
            return Ok(());
        }
        self.set_aside(reason, lock, notices)
    }

    fn set_aside(
        &self,
        reason: String,
        lock: StoreLock,
        notices: &mut Vec<Notice>,
    ) -> Result<(), StoreError> {
        let to = move_aside(&self.database())?;
        drop(lock);
        notices.push(Notice::MovedAside { to, reason });
        Ok(())
    }

    fn open_writer(
        &self,
        last_writer: LastWriter,
        notices: &mut Vec<Notice>,
    ) -> Result<Writing, StoreError> {
        remove_if_there(&self.replacement())?;
        let mut database = self.open_file()?;
        // What is open is dropped after a panic has been contained, not by it.
        let prepared = contain(|| {
            // It may have died of damage, as the engine can panic in a way that cannot be contained.
            // The check reads the whole file, so that a large one is believed once.
            if let LastWriter::Died { in_a_row } = last_writer
                && (in_a_row > 1 || file_len(&self.database()) <= CHECKED_AT_ONCE)
            {
                database.check_integrity()?;
            }
            let from = prepare(&database, &self.database())?;
            let reader = Reader::new(&database.begin_read()?)?;
            Ok((from, meta(&reader.names, META_EPOCH)?, reader))
        });
        match prepared {
            Ok((from, epoch, reader)) => {
                notices.extend(from.map(|from| Notice::Migrated { from }));
                Ok(Writing {
                    reader: Some(reader),
                    epoch,
                    database,
                })
            }
            Err(error) => {
                discard(database);
                Err(error)
            }
        }
    }

    fn open_file(&self) -> Result<Database, StoreError> {
        contain(|| Ok(self.medium.open_write(&self.database(), self.cache_bytes)?))
    }

    /// `None` if it must be created, repaired or migrated first.
    fn open_reader(&self) -> Result<Option<(Reader, u64, ReadOnlyDatabase)>, StoreError> {
        let path = self.database();
        if file_len(&path) == 0 {
            return Ok(None);
        }
        let database = contain(|| match self.medium.open_read(&path, self.cache_bytes) {
            Err(DatabaseError::RepairAborted) => Ok(None),
            database => Ok(Some(database?)),
        })?;
        let Some(database) = database else {
            return Ok(None);
        };
        let prepared = contain(|| {
            let transaction = database.begin_read()?;
            if schema_of(&transaction)? != Some(SCHEMA) {
                return Ok(None);
            }
            let reader = Reader::new(&transaction)?;
            Ok(Some((meta(&reader.names, META_EPOCH)?, reader)))
        });
        match prepared {
            Ok(Some((epoch, reader))) => Ok(Some((reader, epoch, database))),
            Ok(None) => Ok(None),
            Err(error) => {
                discard(database);
                Err(error)
            }
        }
    }
}

/// A database of so many bytes is checked whenever a writer died: that takes a fraction of a second.
const CHECKED_AT_ONCE: u64 = 64 << 20;

/// The bytes of a file, 0 if there is none.
fn file_len(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |file| file.len())
}

/// Makes an open database one of this schema; gives the older one that it was migrated from.
fn prepare(database: &Database, path: &Path) -> Result<Option<u32>, StoreError> {
    let transaction = database.begin_read()?;
    let Some(found) = schema_of(&transaction)? else {
        let transaction = begin(database)?;
        create_tables(&transaction)?;
        put_meta(&transaction, META_SCHEMA, u64::from(SCHEMA))?;
        // A database in place of one that was moved aside has an epoch of its own.
        let epoch = u64::from(last_moved_aside(path)?) << 32;
        put_meta(&transaction, META_EPOCH, epoch)?;
        transaction.commit()?;
        return Ok(None);
    };
    if found == SCHEMA {
        return Ok(None);
    }
    let epoch = meta(&transaction.open_table(NAMES)?, META_EPOCH)?;
    drop(transaction);
    let transaction = begin(database)?;
    // What can be computed again goes; names (pins, reviews, aliases) stay.
    transaction.delete_table(FACTS)?;
    transaction.delete_table(PAGES)?;
    transaction.delete_table(LOG)?;
    transaction.delete_table(SNAPSHOTS)?;
    create_tables(&transaction)?;
    put_meta(&transaction, META_SCHEMA, u64::from(SCHEMA))?;
    put_meta(&transaction, META_EPOCH, epoch.wrapping_add(1))?;
    transaction.commit()?;
    Ok(Some(found))
}

/// The schema of the database, not newer than this program's; `None` if it has no tables yet.
/// Reads the table of names only, which is the same in all schemas.
fn schema_of(transaction: &ReadTransaction) -> Result<Option<u32>, StoreError> {
    let names = match transaction.open_table(NAMES) {
        Err(TableError::TableDoesNotExist(_)) => return Ok(None),
        names => names?,
    };
    let found = u32::try_from(meta(&names, META_SCHEMA)?)
        .map_err(|_| StoreError::Damaged("no sound value of `schema`".to_owned()))?;
    if found > SCHEMA {
        return Err(StoreError::Newer {
            found,
            supported: SCHEMA,
        });
    }
    Ok(Some(found))
}
