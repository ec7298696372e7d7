//! Facts of blobs: from the store where they are, from the parser pool where not.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use cortex_git::{ReadBlob, Repository};
use cortex_model::BlobId;
use cortex_sandbox::{Job, Launcher, Limits, Loaded, Loader, Outcome, SkipReason, parse_all};
use cortex_store::{Batch, FactsKey, Store, StoreError};
use cortex_syntax::{
    FACTS_VERSION, FileFacts, ParseOptions, Sections, decode_facts, is_neutral, is_project_wide,
};
use rustc_hash::FxHashMap;

use crate::{
    IndexError,
    packed::{Packed, Spill},
    unread::{Unread, UnreadReason},
    update::{Progress, Stage},
};

/// Facts as kept: how far one text was understood under one set of options.
#[derive(Clone)]
pub(crate) enum Stored {
    /// Encoded facts.
    Facts(Arc<Packed>),
    /// None, and why.
    Skipped(SkipReason),
}

const TAG_FACTS: u8 = 1;
const TAG_SKIPPED: u8 = 2;

impl Stored {
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        match bytes.split_first()? {
            (&TAG_FACTS, rest) => Some(Self::Facts(Arc::new(Packed::Plain(rest.to_vec())))),
            (&TAG_SKIPPED, [reason]) => SkipReason::ALL
                .into_iter()
                .find(|&r| r as u8 == *reason)
                .map(Self::Skipped),
            _ => None,
        }
    }

    /// The same, put away.
    fn spilled(self, spill: &Arc<Spill>) -> Self {
        match self {
            Self::Facts(packed) => {
                let bytes = Arc::unwrap_or_clone(packed).into_bytes();
                Self::Facts(Arc::new(spill.put(bytes)))
            }
            skipped => skipped,
        }
    }

    fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Facts(packed) => [&[TAG_FACTS], &*packed.bytes()].concat(),
            Self::Skipped(reason) => vec![TAG_SKIPPED, *reason as u8],
        }
    }

    /// Whether the text has a `global using` or grants a friend access.
    pub(crate) fn is_project_wide(&self) -> bool {
        match self {
            Self::Facts(packed) => is_project_wide(&packed.bytes()),
            Self::Skipped(_) => false,
        }
    }

    /// The facts; empty ones for a skipped text and for damaged bytes.
    pub(crate) fn facts(&self, sections: Sections) -> FileFacts {
        match self {
            Self::Facts(packed) => decode_facts(&packed.bytes(), sections).unwrap_or_default(),
            Self::Skipped(_) => FileFacts::default(),
        }
    }
}

/// Whether a snapshot is written by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Writes {
    /// In a transaction of its own.
    Alone,
    /// With others, later: its pages wait in the store.
    Together,
}

/// Where texts come from and how they are parsed.
pub(crate) struct FactsSource<'s, 'b> {
    pub(crate) store: &'s Store,
    repo: &'s Repository,
    launcher: &'s Launcher,
    limits: &'s Limits,
    parallel: usize,
    writes: Writes,
    /// Opens a reader of blobs for one thread.
    pub(crate) blobs: &'b (dyn Fn() -> Box<dyn ReadBlob + 'b> + Sync),
    /// Where what is needed later is put away.
    pub(crate) spill: Arc<Spill>,
    sets: Vec<ParseOptions>,
    digests: Vec<u64>,
    // By blob and option set; option set `NEUTRAL` where `#if` has no say.
    known: FxHashMap<(BlobId, u32), Stored>,
    pub(crate) parsed: usize,
    // Texts that git cannot read, and why.
    unread: Mutex<FxHashMap<BlobId, UnreadReason>>,
    // Whether the store did not have what it should have had.
    is_lacking: AtomicBool,
}

/// Facts that are the same under every option set.
const NEUTRAL: u32 = u32::MAX;

/// From this many texts on, their facts are put away.
const SPILL_FROM: usize = 500;

/// Facts are committed in batches of this many texts, so that an interrupted run keeps them.
const BATCH: usize = 2_000;

impl<'s, 'b> FactsSource<'s, 'b> {
    pub(crate) fn new(
        store: &'s Store,
        repo: &'s Repository,
        launcher: &'s Launcher,
        limits: &'s Limits,
        parallel: usize,
        writes: Writes,
        blobs: &'b (dyn Fn() -> Box<dyn ReadBlob + 'b> + Sync),
    ) -> Self {
        Self {
            store,
            repo,
            launcher,
            limits,
            parallel,
            writes,
            blobs,
            spill: Spill::new(store.folder()),
            sets: Vec::new(),
            digests: Vec::new(),
            known: FxHashMap::default(),
            parsed: 0,
            unread: Mutex::default(),
            is_lacking: AtomicBool::new(false),
        }
    }

    /// Begins the batch of a snapshot.
    pub(crate) fn begin_snapshot(&self) -> Result<Batch<'s>, StoreError> {
        match self.writes {
            Writes::Alone => self.store.begin_write(),
            Writes::Together => self.store.begin_bulk(),
        }
    }

    /// Starts no more than so many parsers side by side.
    pub(crate) fn limit_parallel(&mut self, parallel: usize) {
        self.parallel = self.parallel.min(parallel);
    }

    /// Takes over what the base was made without. It stays so for the whole update: both sides of a file that did not
    /// change must be the same.
    pub(crate) fn assume_unread(&mut self, base: &Unread) {
        let unread = self
            .unread
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner);
        unread.extend(base.sources.iter().map(|file| (file.blob, file.reason)));
    }

    /// Why git could not read a text, if it could not.
    pub(crate) fn unread_reason(&self, blob: BlobId) -> Option<UnreadReason> {
        let unread = self.unread.lock().unwrap_or_else(PoisonError::into_inner);
        unread.get(&blob).copied()
    }

    /// How many threads may work side by side.
    pub(crate) fn parallel(&self) -> usize {
        self.parallel
    }

    /// The number of an option set.
    pub(crate) fn set(&mut self, options: ParseOptions) -> u32 {
        if let Some(known) = self.sets.iter().position(|set| *set == options) {
            return known as u32;
        }
        self.digests.push(options.digest());
        self.sets.push(options);
        (self.sets.len() - 1) as u32
    }

    /// The facts of a text that [`FactsSource::fetch`] was asked for.
    pub(crate) fn get(&self, blob: BlobId, set: u32) -> Stored {
        let found = self
            .known
            .get(&(blob, NEUTRAL))
            .or_else(|| self.known.get(&(blob, set)));
        found
            .cloned()
            .unwrap_or(Stored::Skipped(SkipReason::ParserDied))
    }

    /// Whether facts were missing that belong to the base: what was made without them is not right.
    pub(crate) fn is_lacking(&self) -> bool {
        self.is_lacking.load(Ordering::Relaxed)
    }

    /// The facts of a text of the base, known or kept by the store. Where neither has them they are as
    /// those of a skipped text, and [`FactsSource::is_lacking`].
    pub(crate) fn read(&self, blob: BlobId, set: u32) -> Stored {
        let known = self
            .known
            .get(&(blob, NEUTRAL))
            .or_else(|| self.known.get(&(blob, set)));
        if let Some(known) = known {
            return known.clone();
        }
        let kept = |options| {
            let bytes = self.store.fact(&facts_key(blob, options)).ok().flatten();
            bytes.and_then(|bytes| Stored::from_bytes(&bytes))
        };
        let found = kept(0).or_else(|| kept(self.digests[set as usize]));
        found.unwrap_or_else(|| {
            self.is_lacking.store(true, Ordering::Relaxed);
            Stored::Skipped(SkipReason::ParserDied)
        })
    }

    /// Makes the facts of these texts known, parsing what the store does not have.
    pub(crate) fn fetch(
        &mut self,
        mut wanted: Vec<(BlobId, u32)>,
        progress: &dyn Progress,
    ) -> Result<(), IndexError> {
        wanted.retain(|&(blob, set)| {
            !self.known.contains_key(&(blob, NEUTRAL)) && !self.known.contains_key(&(blob, set))
        });
        let mut seen = rustc_hash::FxHashSet::default();
        // In the order asked for, which is by path: neighbors in the store are neighbors in the tree.
        wanted.retain(|&key| seen.insert(key));
        let mut missing = Vec::new();
        let is_spilled = wanted.len() > SPILL_FROM;
        for &(blob, set) in &wanted {
            if self.unread_reason(blob).is_some() {
                let unread = Stored::Skipped(SkipReason::Unread);
                self.known.insert((blob, set), unread);
                continue;
            }
            let neutral = self.store.fact(&facts_key(blob, 0))?;
            let (stored, at) = match neutral {
                Some(bytes) => (Stored::from_bytes(&bytes), NEUTRAL),
                None => {
                    let bytes = self
                        .store
                        .fact(&facts_key(blob, self.digests[set as usize]))?;
                    (bytes.and_then(|bytes| Stored::from_bytes(&bytes)), set)
                }
            };
            match stored {
                // Perhaps it can be read now.
                Some(Stored::Skipped(SkipReason::Unread)) | None => missing.push((blob, set)),
                Some(stored) => {
                    let stored = if is_spilled {
                        stored.spilled(&self.spill)
                    } else {
                        stored
                    };
                    self.known.insert((blob, at), stored);
                }
            }
        }
        self.parse(&missing, progress)
    }

    fn parse(
        &mut self,
        missing: &[(BlobId, u32)],
        progress: &dyn Progress,
    ) -> Result<(), IndexError> {
        if missing.is_empty() {
            return Ok(());
        }
        // Other processes may use the store while this one parses.
        self.store.release();
        let jobs: Vec<Job> = missing
            .iter()
            .map(|&(_, set)| Job { options: set })
            .collect();
        let parallel = self.parallel.min(missing.len().div_ceil(4));
        let mut batch: Vec<(FactsKey, Vec<u8>)> = Vec::new();
        let is_spilled = missing.len() > SPILL_FROM;
        let mut done = 0;
        let (known, digests, store) = (&mut self.known, &self.digests, self.store);
        let spill = &self.spill;
        let (blobs, unread, max_bytes) = (self.blobs, &self.unread, self.limits.file_bytes);
        let open = || -> Loader<'_, IndexError> {
            let mut reader = blobs();
            Box::new(move |job| {
                let blob = missing[job].0;
                let error = match reader.blob_size(blob) {
                    Ok(size) if size > max_bytes => {
                        return Ok(Loaded::Skipped(SkipReason::TooLarge));
                    }
                    Ok(_) => match reader.read_blob(blob) {
                        Ok(text) => return Ok(Loaded::Text(text)),
                        Err(error) => error,
                    },
                    Err(error) => error,
                };
                // Fatal only if the machine is at fault rather than the object.
                let reason = UnreadReason::of(&error).ok_or(error)?;
                let mut unread = unread.lock().unwrap_or_else(PoisonError::into_inner);
                unread.insert(blob, reason);
                Ok(Loaded::Skipped(SkipReason::Unread))
            })
        };
        let parsed = parse_all(
            self.launcher,
            self.limits,
            &self.sets,
            &jobs,
            parallel,
            &open,
            &mut |job, outcome| {
                let (blob, set) = missing[job];
                let stored = match outcome {
                    Outcome::Facts(bytes) => Stored::Facts(Arc::new(Packed::Plain(bytes))),
                    Outcome::Skipped(reason) => Stored::Skipped(reason),
                };
                let neutral = match &stored {
                    Stored::Facts(packed) => is_neutral(&packed.bytes()),
                    // What is read later under these options takes its place.
                    Stored::Skipped(SkipReason::Unread) => false,
                    Stored::Skipped(_) => true,
                };
                batch.push((
                    facts_key(blob, if neutral { 0 } else { digests[set as usize] }),
                    stored.to_bytes(),
                ));
                let stored = if is_spilled {
                    stored.spilled(spill)
                } else {
                    stored
                };
                known.insert((blob, if neutral { NEUTRAL } else { set }), stored);
                done += 1;
                progress.report(Stage::Parse, done, missing.len());
                if batch.len() >= BATCH {
                    write_batch(store, &mut batch)?;
                }
                if progress.interrupted() {
                    Err(IndexError::Interrupted)
                } else {
                    Ok(())
                }
            },
        );
        // What was parsed is kept, also when the rest was not.
        write_batch(store, &mut batch)?;
        self.parsed += missing.len();
        parsed?;
        if is_spilled {
            self.repo.release_packs()?;
        }
        Ok(())
    }
}

fn write_batch(store: &Store, batch: &mut Vec<(FactsKey, Vec<u8>)>) -> Result<(), IndexError> {
    let mut write = store.begin_write()?;
    write.put_facts(std::mem::take(batch));
    write.commit()?;
    store.release();
    Ok(())
}

/// Option digest 0 stands for "the same under every option set".
pub(crate) fn facts_key(blob: BlobId, options: u64) -> FactsKey {
    FactsKey {
        version: FACTS_VERSION,
        options,
        blob,
    }
}
