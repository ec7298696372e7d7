//! What a long-lived process keeps of one repository.
//!
//! Owns: opening, where the store is, asking again after damage, when the store is collected.

use std::{
    ffi::OsString,
    mem,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use cortex_git::{ConfigScope, Ownership, Repository, Side};
use cortex_index::{
    Index, IndexError, IndexOptions, IndexOutcome, IndexedSide, Keep, Launcher, References, Roots,
};
use cortex_look::access::files_of_id;
use cortex_store::{Collected, Notice, OpenOptions, Store, StoreError, require_writable};
use cortex_wire::{ErrorCode, WireError};

use crate::{
    RequestContext, ServiceError,
    access::record,
    config::{Config, DaemonUse, Origin},
    context::{Event, StoreEvent},
    memo::{Known, Memo, Question, Viewed, subject_of},
    operations::follow,
};

/// Seconds of a day.
pub(crate) const DAY: i64 = 24 * 3600;

/// For how many days what was used stays.
const KEPT_DAYS: i64 = 30;

/// How many bytes of decoded pages a process keeps that answers many requests: those that an edit reaches are read again
/// after the next one.
const PAGES_KEPT: usize = 64 << 20;

/// Looks up a variable of the environment.
pub type Variables = Arc<dyn Fn(&str) -> Option<OsString> + Send + Sync>;

/// Knows whether anything may have changed that answers are made of. Without one, every request looks for itself.
pub trait Freshness: Send + Sync {
    /// Another number after every change in a folder that is watched, or in the git directory, that ended before this
    /// call. `None` where that cannot be known.
    fn generation(&self) -> Option<u64>;

    /// Watches folders from now on; returns whether all of them were watched already.
    fn watch(&self, folders: &[PathBuf]) -> bool;
}

/// A workspace at the beginning of a request.
#[derive(Clone)]
pub struct Current {
    /// The repository.
    pub workspace: Arc<Workspace>,
    /// The generation then, where somebody has asked for it; for [`RequestContext::generation`].
    pub generation: Option<u64>,
}

impl Current {
    /// A workspace whose operations ask for the generation, or look for themselves.
    pub fn unwatched(workspace: Arc<Workspace>) -> Self {
        Self {
            workspace,
            generation: None,
        }
    }
}

/// What a workspace needs to know about its process.
#[derive(Clone)]
pub struct WorkspaceOptions {
    /// The environment: where .NET, packages, the index and the user's configuration are.
    pub variables: Variables,
    /// Which configuration of git counts.
    pub config_scope: ConfigScope,
    /// How texts are parsed.
    pub launcher: Launcher,
    /// How many parsers run side by side.
    pub parallel: usize,
    /// What tells that a side which was indexed for an earlier request is still the same.
    pub freshness: Option<Arc<dyn Freshness>>,
}

/// The side of an earlier request, with the generation in which it was looked for.
struct Warm {
    key: WarmKey,
    generation: u64,
    side: IndexedSide,
}

/// What was asked for: the side, and the target framework.
type WarmKey = (Side, Option<String>);

/// So many sides are kept.
const N_WARM: usize = 8;

/// One repository with its index. It is opened when the first request needs it.
pub struct Workspace {
    start: PathBuf,
    options: WorkspaceOptions,
    repo: OnceLock<Repository>,
    store: OnceLock<Arc<Store>>,
    // The sides of earlier requests, the latest last.
    warm: Mutex<Vec<Warm>>,
    memo: Memo,
    // What requests were about that the memo answered, to be recorded.
    views_due: Mutex<Vec<Viewed>>,
    // Invariant: held while the repository or the store is opened, so that each is opened once.
    opening: Mutex<()>,
    /// Whether the file of the prompt window, where there is one, is older than a request.
    is_window_due: AtomicBool,
}

impl Workspace {
    /// The repository at a folder or above it.
    pub fn new(start: impl Into<PathBuf>, options: WorkspaceOptions) -> Self {
        Self {
            start: start.into(),
            options,
            repo: OnceLock::new(),
            store: OnceLock::new(),
            warm: Mutex::default(),
            memo: Memo::default(),
            views_due: Mutex::default(),
            opening: Mutex::new(()),
            is_window_due: AtomicBool::new(false),
        }
    }

    /// The repository, opened with reduced trust.
    ///
    /// # Errors
    /// [`ErrorCode::NotARepository`], and those of reading the repository.
    pub fn repo(&self) -> Result<&Repository, ServiceError> {
        if let Some(repo) = self.repo.get() {
            return Ok(repo);
        }
        let _opening = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(repo) = self.repo.get() {
            return Ok(repo);
        }
        let repo = Repository::open_with(&self.start, self.options.config_scope)?;
        Ok(self.repo.get_or_init(|| repo))
    }

    /// What is configured, for a request.
    pub(crate) fn config(&self, context: &RequestContext<'_>) -> Result<Config, ServiceError> {
        Ok(Config::read(
            self.repo()?,
            &self.options.variables,
            context.tfm.as_deref(),
        ))
    }

    /// The folder of a request, as a path in the repository; its root where the folder is elsewhere.
    pub(crate) fn folder_in(&self, context: &RequestContext<'_>) -> Result<String, ServiceError> {
        let repo = self.repo()?.seen_from(&context.folder);
        let folder = repo.prefix().and_then(|folder| folder.to_str());
        Ok(folder.unwrap_or_default().replace('\\', "/"))
    }

    fn store(&self, config: &Config) -> Result<Arc<Store>, ServiceError> {
        let repo = self.repo()?;
        if let Some(store) = self.store.get() {
            return Ok(store.clone());
        }
        let _opening = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(store) = self.store.get() {
            return Ok(store.clone());
        }
        let options = OpenOptions {
            lock_timeout: Duration::from_secs(config.lock_timeout()),
            page_cache_bytes: match self.options.freshness {
                Some(_) => PAGES_KEPT,
                None => OpenOptions::default().page_cache_bytes,
            },
            ..OpenOptions::default()
        };
        let folder = store_folder(repo, config, &self.options.variables)?;
        let store = Store::open(&folder, &options).map_err(|error| in_folder(error, &folder))?;
        let store = Arc::new(store);
        Ok(self.store.get_or_init(|| store).clone())
    }

    /// Whether commands ask a daemon, as configured.
    ///
    /// # Errors
    /// Those of the repository.
    pub fn daemon_use(&self, context: &RequestContext<'_>) -> Result<DaemonUse, ServiceError> {
        Ok(self.config(context)?.daemon())
    }

    /// The folder of the index.
    ///
    /// # Errors
    /// Those of the repository, and where no folder can be written.
    pub fn index_folder(&self, context: &RequestContext<'_>) -> Result<PathBuf, ServiceError> {
        let config = self.config(context)?;
        store_folder(self.repo()?, &config, &self.options.variables)
    }

    /// The index as one request sees it.
    ///
    /// # Errors
    /// Those of the repository, the configuration and the store.
    pub fn index(&self, context: &RequestContext<'_>) -> Result<Index, ServiceError> {
        let config = self.config(context)?;
        Ok(Index {
            repo: self.repo()?.seen_from(&context.folder),
            store: self.store(&config)?,
            options: IndexOptions {
                tfm: config.tfm(),
                ..IndexOptions::default()
            },
            launcher: self.options.launcher.clone(),
            // Looked for anew by each request: a restore in between must be seen.
            references: References::new(Roots::from_env(|name| {
                (self.options.variables)(name)?.into_string().ok()
            })),
            parallel: self.options.parallel,
            now: context.now,
            unread: cortex_index::UnreadFiles::default(),
            interrupt: context.interrupt(Duration::ZERO),
        })
    }

    /// The snapshot of a side: that of an earlier request where nothing has changed since, else as
    /// [`Index::side`] finds or makes it.
    pub(crate) fn side(
        &self,
        index: &Index,
        side: Side,
        context: &RequestContext<'_>,
    ) -> Result<(IndexedSide, IndexOutcome), IndexError> {
        let Some(freshness) = &self.options.freshness else {
            return index.side(side, context);
        };
        // Asked for before anything is looked at: what changes meanwhile makes another generation.
        let generation = context.generation.or_else(|| freshness.generation());
        let key = (side, index.options.tfm.clone());
        if let Some(found) = self.warm_side(&key, generation) {
            let again = index.again(&found);
            if let Some(again) = again {
                return Ok((again, IndexOutcome::default()));
            }
        }
        let (indexed, outcome) = index.side(side, context)?;
        let is_watched = freshness.watch(&index.folders_of(&indexed));
        if let (true, Some(generation)) = (is_watched, generation) {
            let side = indexed.clone();
            let mut warm = self.warm.lock().unwrap_or_else(PoisonError::into_inner);
            warm.retain(|known| known.key != key);
            if warm.len() >= N_WARM {
                warm.remove(0);
            }
            warm.push(Warm {
                key,
                generation,
                side,
            });
        }
        Ok((indexed, outcome))
    }

    fn warm_side(&self, key: &WarmKey, generation: Option<u64>) -> Option<IndexedSide> {
        let generation = generation?;
        let warm = self.warm.lock().unwrap_or_else(PoisonError::into_inner);
        let found = warm.iter().find(|known| known.key == *key)?;
        (found.generation == generation).then(|| found.side.clone())
    }

    /// The answer of an earlier request where nothing has changed since, else the one that is made now, which is kept for
    /// later ones where it is known what could change it.
    pub(crate) fn known_or(
        &self,
        context: &RequestContext<'_>,
        question: Question,
        make: impl FnOnce() -> Result<String, ServiceError>,
    ) -> Result<Arc<str>, ServiceError> {
        let freshness = self.options.freshness.as_ref();
        let generation = (context.generation).or_else(|| freshness.and_then(|it| it.generation()));
        let Some(generation) = generation else {
            return make().map(Arc::from);
        };
        if let Some(known) = self.memo.get(&question, generation) {
            self.views_due().extend(known.viewed);
            return Ok(known.envelope);
        }
        let envelope: Arc<str> = make()?.into();
        if let Some(viewed) = self.viewed_by(context, &question, generation, &envelope) {
            let envelope = envelope.clone();
            self.memo
                .put(question, generation, Known { envelope, viewed });
        }
        Ok(envelope)
    }

    /// What an answer is about; the outer `None` where the answer must not be kept.
    fn viewed_by(
        &self,
        context: &RequestContext<'_>,
        question: &Question,
        generation: u64,
        envelope: &str,
    ) -> Option<Option<Viewed>> {
        let subject = subject_of(envelope)?;
        let index = self.index(context).ok()?;
        let (_, side) = side_at(&index, question.at()).ok()?;
        let key = (side, index.options.tfm.clone());
        // It is kept only if all that it was made of was watched when the generation was asked for.
        let side = self.warm_side(&key, Some(generation))?;
        let Some(type_id) = subject else {
            return Some(None);
        };
        let files = files_of_id(&side.snapshot, &type_id).ok()?;
        Some(Some((type_id, files)))
    }

    fn views_due(&self) -> MutexGuard<'_, Vec<Viewed>> {
        self.views_due
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Records the requests that were answered by what was known.
    fn record_views(&self, index: &Index, context: &RequestContext<'_>) {
        let views = mem::take(&mut *self.views_due());
        let is_wanted = !views.is_empty()
            && (self.config(context)).is_ok_and(|config| config.records_accesses());
        for viewed in views.into_iter().filter(|_| is_wanted) {
            if record(index, true, Some(viewed)) {
                self.window_is_due();
            }
        }
    }

    /// Forgets the sides of earlier requests, whose pages the store may have lost.
    pub(crate) fn forget_sides(&self) {
        let mut warm = self.warm.lock().unwrap_or_else(PoisonError::into_inner);
        warm.clear();
    }

    /// Notes that a request was recorded, which the window may show.
    pub(crate) fn window_is_due(&self) {
        self.is_window_due.store(true, Ordering::Relaxed);
    }

    /// Ends a request whose answer is out: writes the file of the prompt window anew where there is one, notes what was
    /// used, and collects when it is time to (`cortex.gcAuto` new
    /// snapshots, or more than `cortex.maxSize`) and nobody is at work. What fails of it is left for the next request.
    pub fn settle(&self, context: &RequestContext<'_>) {
        if self.store.get().is_none() {
            return;
        }
        let Ok(index) = self.index(context) else {
            return;
        };
        self.record_views(&index, context);
        if self.is_window_due.swap(false, Ordering::Relaxed) {
            // It is a convenience: whoever wants to know why it fails writes it with the window's own operations.
            let _ = follow(self, context);
        }
        if let Ok(Some(Collected { before, after })) = self.collect_if_due(&index, context)
            && after.snapshots.entries < before.snapshots.entries
        {
            context.watcher.event(Event::Shrunk {
                dropped: before.snapshots.entries - after.snapshots.entries,
                total: before.snapshots.entries,
            });
        }
        report_notices(&index, context);
    }

    fn collect_if_due(
        &self,
        index: &Index,
        context: &RequestContext<'_>,
    ) -> Result<Option<Collected>, ServiceError> {
        index.store.write_uses()?;
        let config = self.config(context)?;
        let (n_new, max_bytes) = (config.gc_auto(), config.max_bytes());
        let is_due = || index.store.is_gc_due(n_new, max_bytes);
        if !is_due()? {
            return Ok(None);
        }
        let claim = index.store.try_claim_gc().map_err(IndexError::from)?;
        // Unless another process has done it meanwhile.
        if claim.is_none() || !is_due()? {
            return Ok(None);
        }
        let collected = index.collect(Keep {
            max_age: KEPT_DAYS * DAY,
            max_bytes,
            reads_derived: cortex_derived::current::is_current,
        })?;
        let is_for_size = max_bytes.is_some_and(|max| collected.before.disk_bytes > max);
        Ok(is_for_size.then_some(collected))
    }
}

/// Asks a question, and asks again where the store turned out to have lost something that can be made again: what
/// another process collected meanwhile, or what was damaged.
pub(crate) fn mending<T, E: From<IndexError>>(
    workspace: &Workspace,
    index: &Index,
    is_damage: impl Fn(&E) -> bool,
    ask: impl Fn() -> Result<T, E>,
) -> Result<T, E> {
    let is_lacking = |result: &Result<T, E>| match result {
        // Facts that do not read leave a gap in an answer, not an error.
        Ok(_) => !index.store.is_sound(),
        Err(error) => is_damage(error),
    };
    let mut result = ask();
    if is_lacking(&result) {
        workspace.forget_sides();
        result = ask();
    }
    if is_lacking(&result) {
        workspace.forget_sides();
        let _hold = index.store.hold().map_err(IndexError::from)?;
        result = ask();
        if is_lacking(&result) {
            index.mend()?;
            result = ask();
        }
    }
    result
}

/// The side that a revision names with its name; the work tree, or `HEAD` of a bare repository, where none is given.
pub(crate) fn side_at(index: &Index, at: Option<&str>) -> Result<(String, Side), ServiceError> {
    if let Some(revision) = at {
        let commit = index.repo.resolve(revision)?;
        let tree = index.repo.commit(commit)?.tree;
        return Ok((revision.to_owned(), Side::Commit { commit, tree }));
    }
    if index.repo.work_dir().is_some() {
        return Ok(("work tree".to_owned(), Side::WorkTree));
    }
    let side = match index.repo.head()? {
        None => Side::Empty,
        Some(commit) => Side::Commit {
            commit,
            tree: index.repo.commit(commit)?.tree,
        },
    };
    Ok(("HEAD".to_owned(), side))
}

/// Reports what happened to the store, once.
pub(crate) fn report_notices(index: &Index, context: &RequestContext<'_>) {
    for notice in index.store.take_notices() {
        let event = match notice {
            Notice::MovedAside { to, reason } => StoreEvent::MovedAside { to, reason },
            Notice::DroppedEntry { kind } => StoreEvent::DroppedEntry { kind },
            Notice::CollectionDeferred => StoreEvent::CollectionDeferred,
            Notice::Migrated { from } => StoreEvent::Migrated { from },
            _ => continue,
        };
        context.watcher.event(Event::Store(event));
    }
}

/// The configured folder; `<git common dir>/cortex` where none is, or a folder of the user's cache where that cannot be
/// written.
fn store_folder(
    repo: &Repository,
    config: &Config,
    variables: &Variables,
) -> Result<PathBuf, ServiceError> {
    let dir = config.dir();
    if let Origin::Environment(name) = dir.origin
        && let Some(folder) = variables(name)
    {
        return Ok(folder.into());
    }
    let folder = repo.common_dir().join(&dir.text);
    // A link that a repository brings would choose where is written to.
    let is_link = folder.starts_with(repo.common_dir())
        && std::fs::symlink_metadata(&folder).is_ok_and(|found| found.is_symlink());
    // Into a repository of another user, nothing is written at all.
    if repo.ownership() == Ownership::Trusted
        && !is_link
        && std::fs::create_dir_all(&folder).is_ok()
        && is_writable(&folder)
    {
        return Ok(folder);
    }
    let cache = variables("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::home_dir().map(|home| home.join(".cache")))
        .ok_or_else(|| {
            let message = "failed to find a folder to keep the index in; set GIT_CORTEX_DIR";
            WireError::new(ErrorCode::AccessDenied, message)
        })?;
    let id = cortex_model::Hash::of(repo.common_dir().as_os_str().as_encoded_bytes()).short();
    Ok(cache.join("git-cortex").join(id))
}

/// An error of opening the index, with the path that is at fault.
fn in_folder(error: StoreError, folder: &Path) -> ServiceError {
    let StoreError::Io(error) = error else {
        return error.into();
    };
    let (path, error) = match require_writable(folder) {
        Err(found) => found,
        Ok(()) => (folder.to_owned(), error),
    };
    let message = format!("failed to open the index at `{}`", path.display());
    WireError::new(ErrorCode::AccessDenied, message)
        .with_causes(vec![error.to_string()])
        .into()
}

fn is_writable(folder: &Path) -> bool {
    let probe = folder.join(format!(".probe-{}", std::process::id()));
    let made = std::fs::File::options()
        .write(true)
        .create_new(true)
        .open(&probe);
    let is_made = made.is_ok();
    if is_made {
        let _ = std::fs::remove_file(&probe);
    }
    is_made && require_writable(folder).is_ok()
}
