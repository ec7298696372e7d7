//! The store: opening it, and reading from it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, Weak,
};
use std::time::Duration;

use redb::ReadableTable;

use crate::damage::{Suspects, contain};
use crate::keys::name_key;
use crate::link::{Connector, Files, Medium};
use crate::lock::{AnswerLock, GcDeferral, Patience, WriteRight};
use crate::memory::Memory;
use crate::merkle::{PageHash, PageSource};
use crate::reader::{Caches, Lookup, PageLookup, Reader};
use crate::tables::{META, unseal};
use crate::waiting::Waiting;
use crate::watch::Link;
use crate::{Batch, FactsKey, Notice, Snapshot, SnapshotKey, StoreError, snapshot};

/// How a store is opened.
#[derive(Debug, Clone)]
pub struct OpenOptions {
    /// How long to wait for another process (10 seconds).
    pub lock_timeout: Duration,
    /// The cache of the database engine while it writes, in bytes (32 MiB).
    pub cache_bytes: usize,
    /// The cache of decoded pages, in bytes (16 MiB, a quarter of it for blocks of them at most).
    pub page_cache_bytes: usize,
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self {
            lock_timeout: Duration::from_secs(10),
            cache_bytes: 32 << 20,
            page_cache_bytes: 16 << 20,
        }
    }
}

/// The store of one folder.
///
/// It is open for reading, among other readers of other processes, and makes room by itself when one
/// of them waits to write; it is open for writing, alone, only while a batch is committed. It is
/// opened again when it is needed, and [`Self::release`] closes it at once.
pub struct Store {
    pub(crate) connector: Connector,
    link: Arc<RwLock<Link>>,
    pub(crate) caches: Caches,
    memory: Memory,
    suspects: Mutex<Suspects>,
    notices: Mutex<Vec<Notice>>,
    waiting: Mutex<Waiting>,
    /// When snapshots were used, where that is not written yet.
    uses: Mutex<Uses>,
    /// The right to write while a [`Hold`] keeps it.
    held: Mutex<Weak<WriteRight>>,
    /// Keeps what the answer under way may read, from the first access on.
    answer: Mutex<Option<AnswerLock>>,
    /// Held by the thread that commits, collects or compacts, as the right may be held for several.
    change: Mutex<()>,
}

/// When snapshots were used last, by their keys.
pub(crate) type Uses = BTreeMap<Vec<u8>, i64>;

/// Keeps others from writing ([`Store::hold`]).
pub struct Hold {
    _right: Arc<WriteRight>,
}

/// Keeps others from writing, and from deferring collections ([`Store::try_claim_gc`]).
pub struct GcClaim {
    _hold: Hold,
    _sole: GcDeferral,
}

impl Store {
    /// Opens the store of a folder, and makes both if they do not exist.
    ///
    /// A database that cannot be read is moved aside and replaced by an empty one, an older one is
    /// migrated: [`Self::take_notices`] tells. Fails with [`StoreError::Busy`] when another process
    /// writes for longer than the timeout, and with [`StoreError::Newer`].
    pub fn open(folder: &Path, options: &OpenOptions) -> Result<Self, StoreError> {
        Self::open_on(folder, options, Arc::new(Files))
    }

    pub(crate) fn open_on(
        folder: &Path,
        options: &OpenOptions,
        medium: Arc<dyn Medium>,
    ) -> Result<Self, StoreError> {
        std::fs::create_dir_all(folder)?;
        refuse_links(folder)?;
        let store = Self {
            connector: Connector {
                folder: folder.to_owned(),
                lock_timeout: options.lock_timeout,
                cache_bytes: options.cache_bytes,
                medium,
            },
            link: Arc::default(),
            caches: Caches::new(options.page_cache_bytes)?,
            memory: Memory::default(),
            suspects: Mutex::default(),
            notices: Mutex::default(),
            waiting: Mutex::default(),
            uses: Mutex::default(),
            held: Mutex::default(),
            answer: Mutex::default(),
            change: Mutex::default(),
        };
        store.epoch()?;
        Ok(store)
    }

    /// The folder of the store.
    pub fn folder(&self) -> &Path {
        &self.connector.folder
    }

    /// Decoded values that are kept as long as the store is open.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Closes the database and lets go of the lock until the next access.
    pub fn release(&self) {
        self.write_link().close();
    }

    /// Says that the answer is complete: what others collect from now on may be gone. For processes that live on; the
    /// next access begins another answer.
    pub fn end_answer(&self) {
        self.release();
        *self.answer() = None;
    }

    fn answer(&self) -> MutexGuard<'_, Option<AnswerLock>> {
        self.answer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was mended since the last call.
    pub fn take_notices(&self) -> Vec<Notice> {
        std::mem::take(&mut self.notices())
    }

    /// Whether no damage was met since the database was last written anew. Answers that were made
    /// while some was met may lack what was damaged.
    pub fn is_sound(&self) -> bool {
        *self.suspects() == Suspects::default()
    }

    /// The facts of one text; `None` if they are not there or were damaged.
    pub fn fact(&self, key: &FactsKey) -> Result<Option<Vec<u8>>, StoreError> {
        let mut found = self.facts(std::slice::from_ref(key))?;
        Ok(found.pop().flatten())
    }

    /// Keeps decoded pages of at least so many bytes from now on; see [`OpenOptions::page_cache_bytes`]. For work
    /// that reads much of a snapshot again and again, out of order.
    pub fn keep_pages(&self, n_bytes: usize) {
        self.caches.grow(n_bytes);
    }

    /// The facts of several texts, in the order of the keys; keys in ascending order read fastest.
    pub fn facts(&self, keys: &[FactsKey]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        let keys: Vec<Vec<u8>> = keys.iter().map(|key| key.to_bytes()).collect();
        let found = self.read(|reader| {
            keys.iter()
                .map(|key| reader.fact(key, &self.caches))
                .collect::<Result<Vec<_>, _>>()
        })?;
        let Some(found) = found else {
            return Ok(vec![None; keys.len()]);
        };
        let found = found.into_iter().zip(keys);
        Ok(found
            .map(|(found, key)| self.sound(found, "facts", |suspects| suspects.facts.insert(key)))
            .collect())
    }

    /// Whether there are facts of a text. Does not read, hence not check, them.
    pub fn has_facts(&self, key: &FactsKey) -> Result<bool, StoreError> {
        let key = key.to_bytes();
        if self.suspects().facts.contains(&key) {
            return Ok(false);
        }
        let found = self.read(|reader| Ok(reader.facts.get(key.as_slice())?.is_some()))?;
        Ok(found.unwrap_or(false))
    }

    /// A snapshot; `None` if it is not there or was damaged.
    pub fn snapshot(&self, key: &SnapshotKey) -> Result<Option<Snapshot>, StoreError> {
        let key = key.to_bytes();
        let found = self.read(|reader| reader.snapshot(&key))?;
        let found = match found.unwrap_or(Lookup::Absent) {
            Lookup::Found(record) => {
                match snapshot::decode(&record, |block| self.caches.decode(block)) {
                    Some(snapshot) => Lookup::Found(snapshot),
                    None => Lookup::Damaged,
                }
            }
            Lookup::Absent => Lookup::Absent,
            Lookup::Damaged => Lookup::Damaged,
        };
        Ok(self.sound(found, "snapshot", |suspects| suspects.snapshots.insert(key)))
    }

    /// All snapshots that are not damaged, in the order of their keys.
    pub fn snapshots(&self) -> Result<Vec<(SnapshotKey, Snapshot)>, StoreError> {
        let all = self.read(|reader| snapshots(reader, &self.caches))?;
        Ok(all.unwrap_or_default())
    }

    /// A named value; `None` if it is not there or was damaged.
    pub fn name(&self, namespace: &str, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let key = name_key(namespace, name);
        let found = self.read(|reader| reader.name(&key))?;
        let found = found.unwrap_or(Lookup::Absent);
        Ok(self.sound(found, namespace, |suspects| suspects.names.insert(key)))
    }

    /// The names of a namespace with their values, in order. Damaged ones are left out.
    pub fn names(&self, namespace: &str) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        let start = name_key(namespace, "");
        let found = self.read(|reader| {
            let mut found = Vec::new();
            for entry in reader.names.range(start.as_slice()..)? {
                let (key, value) = entry?;
                let (key, value) = (key.value(), value.value());
                let Some(name) = key.strip_prefix(start.as_slice()) else {
                    break;
                };
                let value = unseal(key, value).map(<[u8]>::to_vec);
                found.push((name.to_vec(), value));
            }
            Ok(found)
        })?;
        let mut sound = Vec::new();
        for (name, value) in found.unwrap_or_default() {
            match (String::from_utf8(name), value) {
                (Ok(name), Some(value)) => sound.push((name, value)),
                (name, _) => {
                    let name = name.unwrap_or_else(|error| {
                        String::from_utf8_lossy(error.as_bytes()).into_owned()
                    });
                    let key = name_key(namespace, &name);
                    self.suspect(namespace, |suspects| suspects.names.insert(key));
                }
            }
        }
        Ok(sound)
    }

    /// The names of a namespace, in order. Values are not read.
    pub fn names_in(&self, namespace: &str) -> Result<Vec<String>, StoreError> {
        let start = name_key(namespace, "");
        let found = self.read(|reader| {
            let mut found = Vec::new();
            for entry in reader.names.range(start.as_slice()..)? {
                let (key, _) = entry?;
                let Some(name) = key.value().strip_prefix(start.as_slice()) else {
                    break;
                };
                found.extend(String::from_utf8(name.to_vec()));
            }
            Ok(found)
        })?;
        Ok(found.unwrap_or_default())
    }

    /// The namespaces that have names, with how many, the store's own left out.
    pub fn namespaces(&self) -> Result<BTreeMap<String, u64>, StoreError> {
        let found = self.read(|reader| {
            let mut found = BTreeMap::new();
            for entry in reader.names.iter()? {
                let (key, _) = entry?;
                let namespace = key.value().split(|&byte| byte == 0).next();
                let namespace = String::from_utf8_lossy(namespace.unwrap_or_default());
                if namespace != META {
                    *found.entry(namespace.into_owned()).or_default() += 1;
                }
            }
            Ok(found)
        })?;
        Ok(found.unwrap_or_default())
    }

    /// Begins a batch of changes. Nothing is written, and nobody waits, until it is committed;
    /// unless damage was found: then what is sound of the database is written anew at first.
    pub fn begin_write(&self) -> Result<Batch<'_>, StoreError> {
        if !self.is_sound() {
            self.compact()?;
        }
        Batch::new(self, self.epoch()?)
    }

    /// Begins a batch whose pages wait in the store until some batch of this kind is committed: the
    /// process reads them before, and the snapshots of several batches can be written together
    /// ([`Batch::absorb`]). Only such a batch may change a map that another one of them made. Memory
    /// grows until then: see [`Self::waiting_bytes`]. Who does much in this way does it under
    /// [`Self::defer_gc`].
    pub fn begin_bulk(&self) -> Result<Batch<'_>, StoreError> {
        if !self.is_sound() {
            self.compact()?;
        }
        // Nobody else sets the epoch of what waits between the two.
        let mut waiting = self.waiting();
        let epoch = self.epoch()?;
        waiting.begin(epoch);
        Ok(Batch::bulk(self, epoch))
    }

    /// How many bytes of pages wait to be written.
    pub fn waiting_bytes(&self) -> usize {
        self.waiting().n_bytes()
    }

    /// Forgets the pages that wait, of batches that will not be committed.
    pub fn forget_waiting(&self) {
        self.waiting().clear();
    }

    /// Keeps all others from writing, hence from collecting, until what is returned is dropped; they
    /// read all the same.
    pub fn hold(&self) -> Result<Hold, StoreError> {
        self.hold_within(self.connector.lock_timeout)
    }

    fn hold_within(&self, timeout: Duration) -> Result<Hold, StoreError> {
        // A thread that waits for the right while this one has it would wait for the hold to end.
        let _change = self.change();
        let right = self.right_within(&Patience::new(timeout))?;
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        *held = Arc::downgrade(&right);
        Ok(Hold { _right: right })
    }

    /// Asks other processes not to collect by themselves until what is returned is dropped, as work
    /// that goes on for minutes would have to be done again from what it has committed.
    pub fn defer_gc(&self) -> Result<GcDeferral, StoreError> {
        // It may be waiting for this process.
        self.release();
        Ok(GcDeferral::begin(
            self.folder(),
            &self.connector.patience(),
        )?)
    }

    /// The right to collect without having been asked to, if nobody deferred that and nobody writes.
    pub fn try_claim_gc(&self) -> Result<Option<GcClaim>, StoreError> {
        let Some(sole) = GcDeferral::none(self.folder())? else {
            return Ok(None);
        };
        match self.hold_within(Duration::ZERO) {
            Ok(hold) => Ok(Some(GcClaim {
                _hold: hold,
                _sole: sole,
            })),
            Err(StoreError::Busy { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Remembers that a snapshot is used: it is written with the next batch, or by
    /// [`Self::write_uses`].
    pub fn note_use(&self, key: &SnapshotKey, now: i64) {
        self.uses().insert(key.to_bytes(), now);
    }

    /// Writes what was noted, if there is something and nobody else has the store open: a note is not
    /// worth that anybody waits.
    pub fn write_uses(&self) -> Result<(), StoreError> {
        if self.uses().is_empty() || !self.is_sound() {
            return Ok(());
        }
        match Batch::new(self, self.epoch()?)?.commit_within(Duration::ZERO) {
            Err(StoreError::Busy { .. }) => Ok(()),
            outcome => outcome,
        }
    }

    pub(crate) fn change(&self) -> MutexGuard<'_, ()> {
        self.change.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn uses(&self) -> MutexGuard<'_, Uses> {
        self.uses.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the store has a sound page, as far as is known without reading it.
    pub(crate) fn has_page(&self, hash: PageHash) -> Result<bool, StoreError> {
        let at = self.read(|reader| reader.page_at(hash))?.flatten();
        let suspects = self.suspects();
        Ok(at.is_some_and(|at| {
            !suspects.pages.contains(&hash) && !suspects.blocks.contains(&at.block.offset)
        }))
    }

    /// The epoch of the store: a number that changes when something is taken out of it, be it
    /// collected or damaged.
    pub fn epoch(&self) -> Result<u64, StoreError> {
        loop {
            if let Some(reading) = self.read_link().reading() {
                return Ok(reading.reader().1);
            }
            self.connect()?;
        }
    }

    /// Reads from the last committed state; `None` if the database turned out to be damaged and an
    /// empty one takes its place.
    pub(crate) fn read<T>(
        &self,
        access: impl FnOnce(&Reader) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        loop {
            let link = self.read_link();
            let Some(reading) = link.reading() else {
                drop(link);
                self.connect()?;
                continue;
            };
            let (reader, epoch) = reading.reader();
            let outcome = contain(|| access(reader));
            drop(link);
            return match outcome {
                Ok(found) => Ok(Some(found)),
                Err(StoreError::Damaged(reason)) => {
                    self.replace_damaged(epoch, reason)?;
                    Ok(None)
                }
                Err(error @ StoreError::Io(_)) => {
                    // The engine refuses everything after a failure, until it is opened again.
                    self.release();
                    Err(error)
                }
                Err(error) => Err(error),
            };
        }
    }

    /// Moves the damaged database aside, unless that was done meanwhile.
    fn replace_damaged(&self, epoch: u64, reason: String) -> Result<(), StoreError> {
        let right = self.right()?;
        self.replace_damaged_with(&right, epoch, reason)
    }

    /// The same with the right to write.
    pub(crate) fn replace_damaged_with(
        &self,
        right: &WriteRight,
        epoch: u64,
        reason: String,
    ) -> Result<(), StoreError> {
        self.release();
        self.noting(|notices| self.connector.quarantine(right, epoch, reason, notices))?;
        *self.suspects() = Suspects::default();
        Ok(())
    }

    /// Opens the database for reading, if it is not.
    fn connect(&self) -> Result<(), StoreError> {
        {
            let mut answer = self.answer();
            if answer.is_none() {
                *answer = Some(AnswerLock::share(
                    self.folder(),
                    &self.connector.patience(),
                )?);
            }
        }
        let mut link = self.write_link();
        if link.reading().is_some() {
            return Ok(());
        }
        self.caches.forget_blocks();
        let reading =
            self.noting(|notices| self.connector.read(self.held().as_deref(), notices))?;
        let folder = self.connector.folder.clone();
        link.open(reading, folder, Arc::downgrade(&self.link));
        Ok(())
    }

    /// Waits for the right to write. What is open is closed, as this process would wait for itself.
    pub(crate) fn right(&self) -> Result<Arc<WriteRight>, StoreError> {
        self.right_within(&self.connector.patience())
    }

    /// The same, as long as there is patience.
    pub(crate) fn right_within(&self, patience: &Patience) -> Result<Arc<WriteRight>, StoreError> {
        self.release();
        match self.held() {
            Some(right) => Ok(right),
            None => Ok(Arc::new(self.connector.right(patience)?)),
        }
    }

    pub(crate) fn held(&self) -> Option<Arc<WriteRight>> {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.upgrade()
    }

    /// Keeps the notices of an access, also of one that failed.
    pub(crate) fn noting<T>(&self, access: impl FnOnce(&mut Vec<Notice>) -> T) -> T {
        let mut notices = Vec::new();
        let outcome = access(&mut notices);
        self.notices().extend(notices);
        outcome
    }

    fn sound<T>(
        &self,
        found: Lookup<T>,
        kind: &str,
        mark: impl FnOnce(&mut Suspects) -> bool,
    ) -> Option<T> {
        match found {
            Lookup::Found(value) => Some(value),
            Lookup::Absent => None,
            Lookup::Damaged => {
                self.suspect(kind, mark);
                None
            }
        }
    }

    /// Remembers a damaged entry and tells of it once.
    fn suspect(&self, kind: &str, mark: impl FnOnce(&mut Suspects) -> bool) {
        if mark(&mut self.suspects()) {
            let kind = kind.to_owned();
            self.notices().push(Notice::DroppedEntry { kind });
        }
    }

    pub(crate) fn suspects(&self) -> MutexGuard<'_, Suspects> {
        self.suspects.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn notices(&self) -> MutexGuard<'_, Vec<Notice>> {
        self.notices.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read_link(&self) -> RwLockReadGuard<'_, Link> {
        self.link.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write_link(&self) -> RwLockWriteGuard<'_, Link> {
        self.link.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        self.write_link().close();
    }
}

impl PageSource for Store {
    fn page(&self, hash: PageHash) -> Result<Arc<[u8]>, StoreError> {
        if let Some(page) = self.caches.page(hash) {
            return Ok(page);
        }
        if let Some(page) = self.waiting().get(hash) {
            return Ok(page);
        }
        match self.read(|reader| reader.page(hash, &self.caches))? {
            Some(PageLookup::Found(page)) => return Ok(page),
            Some(PageLookup::DamagedBlock(offset)) => {
                self.suspect("page", |suspects| {
                    suspects.pages.insert(hash);
                    suspects.blocks.insert(offset)
                });
            }
            Some(PageLookup::Absent) | None => {}
        }
        Err(StoreError::DamagedPage(hash))
    }
}

/// A link in the folder would let whoever put it there choose what is overwritten.
fn refuse_links(folder: &Path) -> Result<(), StoreError> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_symlink() {
            return Err(StoreError::Link { path: entry.path() });
        }
    }
    Ok(())
}

/// Whether the files that a store has in a folder can be written. Fails with the first one that cannot.
pub fn require_writable(folder: &Path) -> Result<(), (std::path::PathBuf, std::io::Error)> {
    for name in ["index.redb", "index.lock", "index.turn", "index.writer"] {
        let path = folder.join(name);
        match std::fs::File::options().write(true).open(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err((path, error));
            }
            _ => {}
        }
    }
    Ok(())
}

/// All sound snapshots of a state, in the order of their keys.
pub(crate) fn snapshots(
    reader: &Reader,
    caches: &Caches,
) -> Result<Vec<(SnapshotKey, Snapshot)>, StoreError> {
    let mut all = Vec::new();
    for entry in reader.snapshots.iter()? {
        let (key, value) = entry?;
        let record = unseal(key.value(), value.value());
        let snapshot = record.and_then(|record| snapshot::decode(record, |b| caches.decode(b)));
        all.extend(SnapshotKey::from_bytes(key.value()).zip(snapshot));
    }
    Ok(all)
}
