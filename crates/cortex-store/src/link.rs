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

use crate::damage::{contain, last_moved_aside, move_aside};
use crate::keys::name_key;
use crate::lock::{Mode, Patience, StoreLock, busy, remove_if_there};
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

/// An open database, or none. Fields are dropped in this order: the lock is released last.
pub(crate) enum Link {
    Closed,
    Reading {
        reader: Reader,
        epoch: u64,
        _database: ReadOnlyDatabase,
        _lock: StoreLock,
    },
    Writing(Writing),
}

/// A database that is open for writing.
pub(crate) struct Writing {
    /// The last committed state; `None` after a commit, until it is read again.
    pub(crate) reader: Option<Reader>,
    pub(crate) epoch: u64,
    pub(crate) database: Database,
    pub(crate) lock: StoreLock,
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
    pub(crate) fn reader(&self) -> Option<(&Reader, u64)> {
        match self {
            Self::Closed => None,
            Self::Reading { reader, epoch, .. } => Some((reader, *epoch)),
            Self::Writing(writing) => Some((writing.reader.as_ref()?, writing.epoch)),
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
            match (self.open(mode, lock, notices), mode) {
                // Opened for writing only to create or repair it: go on as a reader, once.
                (Ok(Opened::Link(Link::Writing(_))), _) if wanted == Mode::Read && !is_prepared => {
                    is_prepared = true;
                    mode = Mode::Read;
                }
                (Ok(Opened::Link(link)), _) => return Ok(link),
                (Ok(Opened::NeedsWriter), _) | (Err(StoreError::Damaged(_)), Mode::Read) => {
                    mode = Mode::Write;
                }
                (Err(StoreError::Damaged(reason)), Mode::Write) => {
                    n_moved += 1;
                    if n_moved > 3 {
                        return Err(StoreError::Damaged(reason));
                    }
                    let lock = StoreLock::acquire(&self.folder, mode, &mut patience)?;
                    self.set_aside(reason, lock, notices)?;
                }
                // The engine's own lock: of a process that is just ending.
                (Err(StoreError::Busy { .. }), _) => {
                    if !patience.wait() {
                        return Err(busy(&self.folder));
                    }
                }
                (Err(error), _) => return Err(error),
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
        let replaced = contain(|| {
            let database = self.medium.open_write(&self.database(), self.cache_bytes)?;
            let reader = Reader::new(&database.begin_read()?)?;
            Ok(meta(&reader.names, META_EPOCH)? != epoch)
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

    fn open(
        &self,
        mode: Mode,
        lock: StoreLock,
        notices: &mut Vec<Notice>,
    ) -> Result<Opened, StoreError> {
        let path = self.database();
        if mode == Mode::Write {
            remove_if_there(&self.replacement())?;
            let (database, from) = contain(|| self.open_for_writing(&path))?;
            notices.extend(from.map(|from| Notice::Migrated { from }));
            return contain(|| {
                let reader = Reader::new(&database.begin_read()?)?;
                Ok(Opened::Link(Link::Writing(Writing {
                    epoch: meta(&reader.names, META_EPOCH)?,
                    reader: Some(reader),
                    database,
                    lock,
                })))
            });
        }
        if fs::metadata(&path).map_or(0, |file| file.len()) == 0 {
            return Ok(Opened::NeedsWriter);
        }
        contain(|| {
            let database = match self.medium.open_read(&path, self.cache_bytes) {
                Err(DatabaseError::RepairAborted) => return Ok(Opened::NeedsWriter),
                database => database?,
            };
            let transaction = database.begin_read()?;
            if schema_of(&transaction)? != Some(SCHEMA) {
                return Ok(Opened::NeedsWriter);
            }
            let reader = Reader::new(&transaction)?;
            Ok(Opened::Link(Link::Reading {
                epoch: meta(&reader.names, META_EPOCH)?,
                reader,
                _database: database,
                _lock: lock,
            }))
        })
    }

    /// Also gives the older schema that it was migrated from.
    fn open_for_writing(&self, path: &Path) -> Result<(Database, Option<u32>), StoreError> {
        let database = self.medium.open_write(path, self.cache_bytes)?;
        let transaction = database.begin_read()?;
        let Some(found) = schema_of(&transaction)? else {
            let transaction = begin(&database)?;
            create_tables(&transaction)?;
            put_meta(&transaction, META_SCHEMA, u64::from(SCHEMA))?;
            // A database in place of one that was moved aside has an epoch of its own.
            let epoch = u64::from(last_moved_aside(path)?) << 32;
            put_meta(&transaction, META_EPOCH, epoch)?;
            transaction.commit()?;
            return Ok((database, None));
        };
        if found == SCHEMA {
            return Ok((database, None));
        }
        let epoch = meta(&transaction.open_table(NAMES)?, META_EPOCH)?;
        drop(transaction);
        let transaction = begin(&database)?;
        // What can be computed again goes; names (pins, reviews, aliases) stay.
        transaction.delete_table(FACTS)?;
        transaction.delete_table(PAGES)?;
        transaction.delete_table(LOG)?;
        transaction.delete_table(SNAPSHOTS)?;
        create_tables(&transaction)?;
        put_meta(&transaction, META_SCHEMA, u64::from(SCHEMA))?;
        put_meta(&transaction, META_EPOCH, epoch.wrapping_add(1))?;
        transaction.commit()?;
        Ok((database, Some(found)))
    }
}

enum Opened {
    Link(Link),
    /// It must be created, repaired or migrated first.
    NeedsWriter,
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
