//! The process: what its clients share, who may connect, when it ends.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use cortex_git::Repository;
use cortex_service::{Current, ServiceError, Workspace, WorkspaceOptions};
use cortex_watch::Watched;
use cortex_wire::{ErrorCode, WireError};
use tokio::{io::BufReader, sync::Notify};

use crate::{
    connection,
    message::{PROTOCOL, Welcome},
    place::{Place, environment_digest},
    transport::Listener,
};

/// How a daemon serves.
#[derive(Clone)]
pub struct ServeOptions {
    /// The folder that relative paths start from where a request names none.
    pub folder: PathBuf,
    /// What its workspaces need to know of the process.
    pub workspace: WorkspaceOptions,
    /// It ends after this time without a request.
    pub idle: Duration,
    /// The version of the program.
    pub version: String,
}

/// So many work trees of one repository are kept.
const MAX_FOLDERS: usize = 16;

/// So many clients are served at a time.
const MAX_CLIENTS: usize = 512;

/// So many requests are answered at a time.
const MAX_THREADS: usize = 64;

/// What all clients share.
pub(crate) struct Shared {
    options: ServeOptions,
    common_dir: PathBuf,
    environment: String,
    since: Instant,
    // By the roots of their work trees, or git directories.
    watched: Mutex<BTreeMap<PathBuf, Arc<Watched>>>,
    writing: Mutex<()>,
    n_requests: AtomicU64,
    n_at_work: AtomicU64,
    last: Mutex<Instant>,
    is_ending: AtomicBool,
    ending: Notify,
}

impl Shared {
    fn new(options: ServeOptions) -> Result<Self, ServiceError> {
        let workspace = Workspace::new(&options.folder, options.workspace.clone());
        let common_dir = workspace.repo()?.common_dir().to_path_buf();
        Ok(Self {
            environment: environment_digest(&options.workspace.variables),
            common_dir,
            options,
            since: Instant::now(),
            watched: Mutex::default(),
            writing: Mutex::default(),
            n_requests: AtomicU64::new(0),
            n_at_work: AtomicU64::new(0),
            last: Mutex::new(Instant::now()),
            is_ending: AtomicBool::new(false),
            ending: Notify::new(),
        })
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.options.folder
    }

    /// The workspace of the work tree that a folder is in.
    ///
    /// # Errors
    /// Where it is in another repository.
    pub(crate) fn current(&self, folder: &Path) -> Result<Current, ServiceError> {
        let watched = self.watched(folder)?;
        Ok(watched.current())
    }

    fn watched(&self, folder: &Path) -> Result<Arc<Watched>, ServiceError> {
        let lock = || self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        // The folder of an earlier request, without opening the repository.
        if let Some(found) = lock().get(folder) {
            return Ok(found.clone());
        }
        let repo = Repository::open_with(folder, self.options.workspace.config_scope)?;
        if repo.common_dir() != self.common_dir {
            let message = format!(
                "`{}` is in another repository than the one that this daemon serves",
                folder.display()
            );
            return Err(WireError::new(ErrorCode::InvalidRequest, message).into());
        }
        let root = repo.work_dir().unwrap_or(repo.git_dir()).to_path_buf();
        let mut all = lock();
        let found = all
            .get(&root)
            .cloned()
            .unwrap_or_else(|| Arc::new(Watched::new(&root, self.options.workspace.clone())));
        while all.len() >= MAX_FOLDERS {
            all.pop_first();
        }
        all.insert(root, found.clone());
        all.insert(folder.to_path_buf(), found.clone());
        Ok(found)
    }

    pub(crate) fn welcome(&self) -> Welcome {
        let watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        Welcome {
            protocol: PROTOCOL,
            version: self.options.version.clone(),
            pid: std::process::id(),
            environment: self.environment.clone(),
            uptime_seconds: self.since.elapsed().as_secs(),
            requests: self.n_requests.load(Ordering::Relaxed),
            folders: watched.keys().cloned().collect(),
        }
    }

    /// The turn of a request that writes.
    pub(crate) fn turn(&self) -> MutexGuard<'_, ()> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn begin(&self) {
        self.n_requests.fetch_add(1, Ordering::Relaxed);
        self.n_at_work.fetch_add(1, Ordering::SeqCst);
    }

    pub(crate) fn done(&self) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        self.n_at_work.fetch_sub(1, Ordering::SeqCst);
    }

    pub(crate) fn end(&self) {
        self.is_ending.store(true, Ordering::SeqCst);
        self.ending.notify_one();
    }

    pub(crate) fn is_ending(&self) -> bool {
        self.is_ending.load(Ordering::SeqCst)
    }

    /// Ends when the daemon is to: on request, or after some time without any.
    async fn over(&self) {
        loop {
            let last = *self.last.lock().unwrap_or_else(PoisonError::into_inner);
            let left = self.options.idle.saturating_sub(last.elapsed());
            let is_idle = self.n_at_work.load(Ordering::SeqCst) == 0;
            if self.is_ending() || (is_idle && left.is_zero()) {
                return;
            }
            let wait = left.max(Duration::from_millis(200));
            tokio::select! {
                () = self.ending.notified() => {}
                () = tokio::time::sleep(wait) => {}
            }
        }
    }
}

fn runtime() -> io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(MAX_THREADS)
        .enable_all()
        .build()
}

/// Serves one client over standard input and output, until it closes them.
///
/// # Errors
/// Where the folder is in no repository, or the streams fail.
pub fn serve_stdio(options: ServeOptions) -> Result<(), ServiceError> {
    let shared = Arc::new(Shared::new(options)?);
    let failed = |error: io::Error| {
        let message = "failed to serve over standard input and output";
        WireError::new(ErrorCode::AccessDenied, message).with_causes(vec![error.to_string()])
    };
    let runtime = runtime().map_err(failed)?;
    let input = BufReader::new(tokio::io::stdin());
    let served = runtime.block_on(connection::serve(&shared, input, tokio::io::stdout()));
    // A read of standard input that nobody ends must not keep the process.
    runtime.shutdown_background();
    Ok(served.map_err(failed)?)
}

/// Serves the clients of a place until it is to end.
///
/// # Errors
/// [`ErrorCode::Conflict`] where a daemon is at work there; where nobody could connect.
pub fn serve(options: ServeOptions, place: &Place) -> Result<(), ServiceError> {
    let shared = Arc::new(Shared::new(options)?);
    let failed = |error: io::Error| {
        let message = format!("failed to serve at `{}`", place.address.display());
        WireError::new(ErrorCode::AccessDenied, message).with_causes(vec![error.to_string()])
    };
    let Some(claim) = place.claim().map_err(failed)? else {
        let message = "failed to start a daemon: one is at work for this repository";
        return Err(WireError::new(ErrorCode::Conflict, message).into());
    };
    let runtime = runtime().map_err(failed)?;
    let served = runtime.block_on(async {
        let mut listener = Listener::bind(&place.address, &claim)?;
        tokio::select! {
            () = shared.over() => Ok(()),
            result = accept(&shared, &mut listener) => result,
        }
    });
    // Replies that are on their way go out.
    runtime.shutdown_timeout(Duration::from_millis(500));
    Ok(served.map_err(failed)?)
}

async fn accept(shared: &Arc<Shared>, listener: &mut Listener) -> io::Result<()> {
    let places = Arc::new(tokio::sync::Semaphore::new(MAX_CLIENTS));
    loop {
        let client = match listener.accept().await {
            Ok(client) => client,
            Err(_) => {
                // Too many files are open, most likely: some are closed in a moment.
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let place = places.clone().try_acquire_owned();
        // Others are closed without a word.
        if let (Some((input, output)), Ok(place)) = (client, place) {
            let shared = shared.clone();
            tokio::spawn(async move {
                let _ = connection::serve(&shared, BufReader::new(input), output).await;
                drop(place);
            });
        }
    }
}
