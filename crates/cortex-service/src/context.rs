//! What one request brings: its folder, its time, who watches it.

use std::{
    path::PathBuf,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use cortex_look::Limits;
use cortex_model::{Interrupt, Stop};

pub use cortex_index::Stage;
pub use cortex_model::CancelToken;

/// Something that happens while a request is answered and that is no part of its answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// Many files were indexed first.
    IndexedFirst {
        /// How many.
        files: usize,
    },
    /// Something happened to the store.
    Store(StoreEvent),
    /// Snapshots were dropped because the store was larger than configured.
    Shrunk {
        /// How many.
        dropped: u64,
        /// Of how many.
        total: u64,
    },
}

/// Something that happened to the store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StoreEvent {
    /// It could not be read: it was moved, and a new one was made.
    MovedAside {
        /// Where it is now.
        to: PathBuf,
        /// Why it could not be read.
        reason: String,
    },
    /// A damaged entry was dropped and is made again.
    DroppedEntry {
        /// What it was.
        kind: String,
    },
    /// Nothing was collected, because other processes were reading all the time.
    CollectionDeferred,
    /// It had an older form: what can be computed again was dropped.
    Migrated {
        /// The version of that form.
        from: u32,
    },
}

/// Hears of a request's progress.
pub trait Watcher: Sync {
    /// `done` of `total` files of a stage are done, commits of [`Stage::History`].
    fn progress(&self, stage: Stage, done: usize, total: usize) {
        let _ = (stage, done, total);
    }

    /// Something happened.
    fn event(&self, event: Event) {
        let _ = event;
    }
}

/// Hears nothing.
#[derive(Clone, Copy, Debug)]
pub struct NoWatcher;

impl Watcher for NoWatcher {}

/// Whether an envelope reports how long its answer took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TimingShown {
    /// It does not: equal requests have equal answers.
    #[default]
    No,
    /// It does.
    Yes,
}

impl TimingShown {
    pub(crate) fn is_shown(self) -> bool {
        self == Self::Yes
    }
}

/// A duration as envelopes report it.
pub(crate) fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

/// Who asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Caller {
    /// A person, or what a person started: the configuration decides whether edits need a review.
    #[default]
    Person,
    /// An agent's client: no edit is applied that no person has approved.
    Agent,
}

/// What one request brings.
#[derive(Clone)]
pub struct RequestContext<'a> {
    /// The folder that relative paths of the request start from.
    pub folder: PathBuf,
    /// Now, in seconds since 1970: when snapshots are noted as made and used.
    pub now: i64,
    /// The target framework to look at where a project has several; as configured where none is given.
    pub tfm: Option<String>,
    /// When the request must end, indexing included.
    pub deadline: Option<Instant>,
    /// Where there is no deadline: how long the answer may take once everything is indexed.
    pub answer_time: Option<Duration>,
    /// Ends the request.
    pub cancel: CancelToken,
    /// The generation of [`crate::Freshness`] when the request began, if somebody has asked for it since; the operation
    /// asks where nobody has.
    pub generation: Option<u64>,
    /// Who asks, which decides whether edits need a review.
    pub caller: Caller,
    /// Whether the envelope reports how long the answer took.
    pub timing: TimingShown,
    /// Hears of its progress.
    pub watcher: &'a dyn Watcher,
}

impl<'a> RequestContext<'a> {
    /// A request from a folder, with the time of this machine and without a deadline.
    pub fn new(folder: impl Into<PathBuf>, watcher: &'a dyn Watcher) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        Self {
            folder: folder.into(),
            now: now.map_or(0, |since| since.as_secs() as i64),
            tfm: None,
            deadline: None,
            answer_time: None,
            cancel: CancelToken::default(),
            generation: None,
            caller: Caller::default(),
            timing: TimingShown::No,
            watcher,
        }
    }

    /// Whether the deadline has passed.
    pub(crate) fn is_over(&self) -> bool {
        self.deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Ends what reads snapshots when the request is canceled, or when its deadline is over for some time.
    pub(crate) fn interrupt(&self, grace: Duration) -> Interrupt {
        let cancel = self.cancel.clone();
        let end = self
            .deadline
            .and_then(|deadline| deadline.checked_add(grace));
        Interrupt::new(move || match end {
            _ if cancel.is_canceled() => Some(Stop::Canceled),
            Some(end) if Instant::now() >= end => Some(Stop::TimedOut),
            _ => None,
        })
    }

    /// How much an answer may have, and until when it may be looked for. Counts from now where there is no deadline.
    pub(crate) fn limits(&self, n_items: usize) -> Limits {
        let until = self.deadline.or_else(|| {
            let time = self.answer_time?;
            Instant::now().checked_add(time)
        });
        Limits { n_items, until }
    }
}

impl cortex_index::Progress for RequestContext<'_> {
    fn report(&self, stage: Stage, done: usize, total: usize) {
        self.watcher.progress(stage, done, total);
    }

    fn interrupted(&self) -> bool {
        self.cancel.is_canceled() || self.is_over()
    }
}
