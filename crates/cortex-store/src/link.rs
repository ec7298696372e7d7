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
use crate::lock::{LastWriter, Mode, Patience, StoreLock, busy, remove_if_there};
use crate::reader::{Reader, meta};
use crate::tables::{
    FACTS, LOG, META, META_EPOCH, META_SCHEMA, NAMES, PAGES, SCHEMA, SNAPSHOTS, seal,
};
use crate::{Notice, StoreError};

const DATABASE: &str = "index.redb";
const REPLACEMENT: &str = "index.redb.new";

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
            .set_cache_size(cache_bytes)
            .open_read_only(path)
    }
}

/// An open database with its lock, or none. The lock is dropped, hence released, last.
pub(crate) enum Link {
    Closed,
    Reading { reading: Reading, _lock: StoreLock },
    Writing(Writing, StoreLock),
}

/// A database that is open for reading.
pub(crate) struct Reading {
    reader: Reader,
    epoch: u64,
    // Open for the reader.
    _database: ReadOnlyDatabase,
}

/// A database that is open for writing.
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

impl Link {
    /// Closes the database and releases the lock.
    pub(crate) fn close(&mut self) {
        discard(std::mem::replace(self, Self::Closed));
    }

    /// The last committed state and its epoch, if it is open.
    pub(crate) fn reader(&self) -> Option<(&Reader, u64)> {
        match self {
            Self::Closed => None,
            Self::Reading { reading, .. } => Some((&reading.reader, reading.epoch)),
            Self::Writing(writing, _) => Some((writing.reader.as_ref()?, writing.epoch)),
        }
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

    /// Opens the database, waiting for the lock. A link for writing also serves readers.
    pub(crate) fn connect(
        &self,
        wanted: Mode,
        notices: &mut Vec<Notice>,
    ) -> Result<Link, StoreError> {
        let mut patience = Patience::new(self.lock_timeout);
        let mut mode = wanted;
        let mut n_moved = 0;
        let mut is_prepared = false;
        loop {
            let lock = StoreLock::acquire(&self.folder, mode, &mut patience)?;
            let opened = match mode {
                Mode::Read => self.open_reader(),
                Mode::Write => self
                    .open_writer(lock.last_writer(), notices)
                    .map(Opened::Writing),
            };
            match opened {
                Ok(Opened::Reading(reading)) => {
                    let _lock = lock;
                    return Ok(Link::Reading { reading, _lock });
                }
                // Opened for writing only to create or repair it: go on as a reader, once.
                Ok(Opened::Writing(writing)) if wanted == Mode::Read && !is_prepared => {
                    discard(writing);
                    is_prepared = true;
                    mode = Mode::Read;
                }
                Ok(Opened::Writing(writing)) => return Ok(Link::Writing(writing, lock)),
                Ok(Opened::NeedsWriter) => mode = Mode::Write,
                Err(StoreError::Damaged(_)) if mode == Mode::Read => mode = Mode::Write,
                Err(StoreError::Damaged(reason)) if n_moved < 3 => {
                    n_moved += 1;
                    self.set_aside(reason, lock, notices)?;
                }
                // The engine's own lock: of a process that is just ending.
                Err(StoreError::Busy { .. }) => {
                    drop(lock);
                    if !patience.wait() {
                        return Err(busy(&self.folder));
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Moves the database aside, if it is still the one of this epoch.
    pub(crate) fn quarantine(
        &self,
        epoch: u64,
        reason: String,
        notices: &mut Vec<Notice>,
    ) -> Result<(), StoreError> {
        let mut patience = Patience::new(self.lock_timeout);
        let lock = StoreLock::acquire(&self.folder, Mode::Write, &mut patience)?;
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
            // It may have died of damage, as the engine can panic in a way that cannot be
            // contained. The check reads the whole file.
            if last_writer == LastWriter::Died {
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

    fn open_reader(&self) -> Result<Opened, StoreError> {
        let path = self.database();
        if fs::metadata(&path).map_or(0, |file| file.len()) == 0 {
            return Ok(Opened::NeedsWriter);
        }
        let database = contain(|| match self.medium.open_read(&path, self.cache_bytes) {
            Err(DatabaseError::RepairAborted) => Ok(None),
            database => Ok(Some(database?)),
        })?;
        let Some(database) = database else {
            return Ok(Opened::NeedsWriter);
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
            Ok(Some((epoch, reader))) => Ok(Opened::Reading(Reading {
                reader,
                epoch,
                _database: database,
            })),
            Ok(None) => Ok(Opened::NeedsWriter),
            Err(error) => {
                discard(database);
                Err(error)
            }
        }
    }
}

enum Opened {
    Reading(Reading),
    Writing(Writing),
    /// It must be created, repaired or migrated first.
    NeedsWriter,
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
