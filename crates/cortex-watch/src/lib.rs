//! Whether anything changed since an earlier request: what lets a long-lived process answer from memory.
//!
//! Owns: notifications of the file system, and what they cannot tell. Must not know: what is made of files, protocols.
//!
//! A notification says that something changed, never what: whoever hears of one looks again as if nothing were known. A
//! request asks for the generation, a number that grows with the notifications. So that none is on its way still, the
//! question writes a file of its own and waits until that is notified: notifications arrive in the order of the changes.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use cortex_git::Repository;
use cortex_service::{Current, Freshness, Workspace, WorkspaceOptions};
use notify::{
    Config, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher,
    event::{AccessKind, AccessMode},
};
use tempfile::TempDir;

/// For so long the notification of a question's own file is waited for. Without it, nothing is known.
const PATIENCE: Duration = Duration::from_millis(500);

/// More folders than this are not watched: each costs memory of the system, which limits them.
const MAX_FOLDERS: usize = 60_000;

/// Watches what the answers about a repository are made of.
pub struct Watch {
    watcher: Mutex<RecommendedWatcher>,
    watched: Mutex<BTreeSet<PathBuf>>,
    state: Arc<State>,
    // Where questions write their files.
    cookies: TempDir,
    n_questions: AtomicU64,
    // Files of git's and the user's configuration.
    configuration: Arc<Mutex<BTreeSet<PathBuf>>>,
}

/// What the notifications told so far.
#[derive(Default)]
struct State {
    // Grows with each notification.
    generation: AtomicU64,
    // Grows with each notification about a file of the configuration.
    configured: AtomicU64,
    // A notification was lost, or a folder could not be watched: nothing is known from now on.
    is_blind: AtomicBool,
    // The last question whose file was notified.
    answered: Mutex<u64>,
    arrived: Condvar,
}

impl Watch {
    /// Watches nothing yet.
    ///
    /// # Errors
    /// Where the system has no notifications, or no folder for temporary files.
    pub fn new() -> std::io::Result<Self> {
        let cookies = tempfile::Builder::new().prefix("git-cortex-").tempdir()?;
        // As notifications name it.
        let folder = cookies.path().canonicalize()?;
        let state = Arc::new(State::default());
        let configuration: Arc<Mutex<BTreeSet<PathBuf>>> = Arc::default();
        let (heard, files, inside) = (state.clone(), configuration.clone(), folder.clone());
        let mut watcher = RecommendedWatcher::new(
            move |event| heard.hear(event, &inside, &files),
            Config::default().with_follow_symlinks(false),
        )
        .map_err(std::io::Error::other)?;
        (watcher.watch(&folder, RecursiveMode::NonRecursive)).map_err(std::io::Error::other)?;
        Ok(Self {
            watcher: Mutex::new(watcher),
            watched: Mutex::default(),
            state,
            cookies,
            n_questions: AtomicU64::new(0),
            configuration,
        })
    }

    /// Watches the git directory of a repository, and the files of the user's configuration.
    pub fn watch_git(&self, repo: &Repository, configuration: &[PathBuf]) {
        let mut folders = BTreeSet::new();
        for dir in [repo.git_dir(), repo.common_dir()] {
            folders.insert(dir.to_path_buf());
            folders.insert(dir.join("info"));
            add_all_below(&dir.join("refs"), &mut folders);
        }
        let mut files: BTreeSet<PathBuf> = configuration.iter().cloned().collect();
        for dir in [repo.git_dir(), repo.common_dir()] {
            files.extend(["config", "config.worktree", "shallow"].map(|name| dir.join(name)));
        }
        for objects in repo.object_dirs() {
            files.insert(objects.join("info/alternates"));
            // A missing object may come alone.
            add_all_below(&objects, &mut folders);
        }
        folders.extend(
            files
                .iter()
                .filter_map(|file| file.parent())
                .map(Path::to_path_buf),
        );
        self.configuration
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .extend(files);
        let folders: Vec<PathBuf> = folders.into_iter().collect();
        self.watch(&folders);
    }

    /// A number that grows when a file of git's or the user's configuration changes.
    pub fn configured(&self) -> u64 {
        self.state.configured.load(Ordering::SeqCst)
    }

    /// Watches one folder; `false` where it was watched before.
    fn add(&self, folder: &Path, watched: &mut BTreeSet<PathBuf>) -> bool {
        // What does not exist appears in the nearest folder that does.
        let folder = folder.ancestors().find(|it| it.is_dir());
        let Some(folder) = folder.filter(|it| !watched.contains(*it)) else {
            return false;
        };
        let mut watcher = self.watcher.lock().unwrap_or_else(PoisonError::into_inner);
        let result = match watched.len() < MAX_FOLDERS {
            true => watcher.watch(folder, RecursiveMode::NonRecursive).is_ok(),
            false => false,
        };
        // A folder that went meanwhile is a change that its parent notifies.
        if !result && folder.is_dir() {
            self.state.is_blind.store(true, Ordering::SeqCst);
        }
        watched.insert(folder.to_path_buf());
        true
    }
}

impl Freshness for Watch {
    fn generation(&self) -> Option<u64> {
        if self.state.is_blind.load(Ordering::SeqCst) {
            return None;
        }
        let question = self.n_questions.fetch_add(1, Ordering::SeqCst) + 1;
        let cookie = self.cookies.path().join(question.to_string());
        fs::write(&cookie, []).ok()?;
        let is_answered = self.state.wait(question);
        // Nobody waits for what this notifies.
        let _ = fs::remove_file(&cookie);
        let is_blind = self.state.is_blind.load(Ordering::SeqCst);
        (is_answered && !is_blind).then(|| self.state.generation.load(Ordering::SeqCst))
    }

    fn watch(&self, folders: &[PathBuf]) -> bool {
        let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        let mut n_new = 0;
        for folder in folders {
            n_new += usize::from(self.add(folder, &mut watched));
        }
        n_new == 0
    }
}

impl State {
    fn hear(
        &self,
        event: notify::Result<Event>,
        cookies: &Path,
        configuration: &Mutex<BTreeSet<PathBuf>>,
    ) {
        let Ok(event) = event else {
            self.is_blind.store(true, Ordering::SeqCst);
            return;
        };
        if event.need_rescan() {
            // Something was lost: all that is known is that something changed.
            self.generation.fetch_add(1, Ordering::SeqCst);
            self.configured.fetch_add(1, Ordering::SeqCst);
            return;
        }
        if is_reading(event.kind) {
            return;
        }
        let is_cookie = |path: &PathBuf| path.parent() == Some(cookies);
        if event.paths.iter().all(is_cookie) && !event.paths.is_empty() {
            if let EventKind::Create(_) = event.kind {
                self.note_answers(&event.paths);
            }
            return;
        }
        let files = configuration.lock().unwrap_or_else(PoisonError::into_inner);
        if event.paths.iter().any(|path| files.contains(path)) {
            self.configured.fetch_add(1, Ordering::SeqCst);
        }
        self.generation.fetch_add(1, Ordering::SeqCst);
    }

    fn note_answers(&self, paths: &[PathBuf]) {
        let names = paths.iter().filter_map(|path| path.file_name()?.to_str());
        let last = names.filter_map(|name| name.parse().ok()).max();
        let mut answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        // Files of several questions are notified in the order in which they were made, not in that of their numbers;
        // each has seen what was notified before it.
        *answered = (*answered).max(last.unwrap_or_default());
        drop(answered);
        self.arrived.notify_all();
    }

    /// Waits for the notification of a question; `false` where it does not come.
    fn wait(&self, question: u64) -> bool {
        let answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        let waited =
            (self.arrived).wait_timeout_while(answered, PATIENCE, |answered| *answered < question);
        let (answered, _) = waited.unwrap_or_else(PoisonError::into_inner);
        *answered >= question
    }
}

/// Whether a file was only read.
fn is_reading(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => false,
        EventKind::Access(_) => true,
        _ => false,
    }
}

fn add_all_below(folder: &Path, folders: &mut BTreeSet<PathBuf>) {
    let mut stack = vec![folder.to_path_buf()];
    while let Some(folder) = stack.pop() {
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        stack.extend(
            entries
                .filter(|entry| entry.file_type().is_ok_and(|it| it.is_dir()))
                .map(|entry| entry.path()),
        );
        folders.insert(folder);
    }
}

/// Where the user's configuration of git and of this program may be: each of these files, existing or not.
fn configuration(variables: &cortex_service::Variables) -> Vec<PathBuf> {
    let home = variables("HOME").map(PathBuf::from);
    let xdg = variables("XDG_CONFIG_HOME").map(PathBuf::from);
    let xdg = xdg.or_else(|| home.as_ref().map(|home| home.join(".config")));
    let mut files = vec![PathBuf::from("/etc/gitconfig")];
    files.extend(home.map(|home| home.join(".gitconfig")));
    for (folder, name) in [
        ("git", "config"),
        ("git", "ignore"),
        ("git", "attributes"),
        ("git-cortex", "config.toml"),
    ] {
        files.extend(xdg.as_ref().map(|xdg| xdg.join(folder).join(name)));
    }
    files
}

/// The workspace of a repository in a process that lives long: the same one as long as the configuration is.
pub struct Watched {
    start: PathBuf,
    options: WorkspaceOptions,
    watch: Option<Arc<Watch>>,
    current: Mutex<Option<(u64, Arc<Workspace>)>>,
}

impl Watched {
    /// Nothing is opened yet. Where the system has no notifications, every request looks for itself.
    pub fn new(start: impl Into<PathBuf>, options: WorkspaceOptions) -> Self {
        Self {
            start: start.into(),
            options,
            watch: Watch::new().ok().map(Arc::new),
            current: Mutex::default(),
        }
    }

    /// The workspace for a request that begins now.
    pub fn current(&self) -> Current {
        let Some(watch) = &self.watch else {
            return Current::unwatched(self.first());
        };
        // Notifications that are on their way arrive first.
        let generation = watch.generation();
        let configured = watch.configured();
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((since, workspace)) = &*current
            && *since == configured
        {
            return Current {
                workspace: workspace.clone(),
                generation,
            };
        }
        let options = WorkspaceOptions {
            freshness: Some(watch.clone()),
            ..self.options.clone()
        };
        let workspace = Arc::new(Workspace::new(&self.start, options));
        if let Ok(repo) = workspace.repo() {
            watch.watch_git(repo, &configuration(&self.options.variables));
            *current = Some((configured, workspace.clone()));
        }
        // What was not watched when the generation was asked for may have changed since.
        Current::unwatched(workspace)
    }

    fn first(&self) -> Arc<Workspace> {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, workspace) = current.get_or_insert_with(|| {
            let workspace = Workspace::new(&self.start, self.options.clone());
            (0, Arc::new(workspace))
        });
        workspace.clone()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use cortex_service::Freshness;

    use super::Watch;

    #[test]
    fn what_was_written_before_the_question_makes_another_generation() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let folder = folder.path().canonicalize().expect("it exists");
        let inside = folder.join("inside");
        fs::create_dir(&inside).expect("it is new");
        fs::write(inside.join("a.cs"), "class A {}").expect("it can be written");
        let watch = Watch::new().expect("the system has notifications");
        assert!(!watch.watch(&[folder.clone(), inside.clone()]));
        assert!(watch.watch(&[folder.clone(), inside.clone()]));
        let mut before = watch.generation().expect("all is watched");
        for round in 0..50 {
            assert_eq!(watch.generation(), Some(before), "nothing was written");
            let other = inside.join(format!("b{round}.cs"));
            match round % 4 {
                0 => fs::write(inside.join("a.cs"), format!("class A{round} {{}}")),
                1 => fs::write(&other, "class B {}"),
                2 => fs::rename(inside.join("a.cs"), &other),
                _ => fs::create_dir(folder.join(format!("new{round}"))),
            }
            .expect("it can be written");
            if round % 4 == 2 {
                fs::rename(&other, inside.join("a.cs")).expect("it can be renamed");
            }
            let after = watch.generation().expect("all is watched");
            assert_ne!(after, before, "round {round}");
            before = after;
        }
        fs::read(inside.join("a.cs")).expect("it can be read");
        assert_eq!(watch.generation(), Some(before), "it was only read");
    }
}
