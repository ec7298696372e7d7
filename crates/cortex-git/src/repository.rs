//! Opening a repository: the one place where it happens, always with reduced trust.

use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use gix::bstr::ByteSlice;

use crate::error::{Advice, GitError};

/// Bytes that one object, or the index, may take in memory. A larger one is refused rather than read.
const MAX_OBJECT_BYTES: &str = "268435456";

/// A value of git's configuration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigValue {
    /// The value. Data of the repository where that is its owner: not to be trusted.
    pub text: String,
    /// Who wrote it.
    pub owner: ConfigOwner,
    /// The file that it stands in, if it stands in one.
    pub file: Option<PathBuf>,
}

/// Who wrote a value of git's configuration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConfigOwner {
    /// Whoever set up the machine.
    System,
    /// The user, for all repositories.
    User,
    /// The repository.
    Repository,
    /// Whoever started the process, by its environment.
    Caller,
}

/// Which configuration files are read besides the repository's own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConfigScope {
    /// Also those of the user and of the system, and the environment, as git does.
    UserAndRepository,
    /// The repository's own alone; the environment is not looked at.
    RepositoryOnly,
}

/// A git repository, open for reading. Can be shared between threads.
///
/// It is opened with reduced trust whoever owns it: its configuration is read for plain values only.
pub struct Repository {
    shared: RwLock<gix::ThreadSafeRepository>,
    scope: ConfigScope,
    git_dir: PathBuf,
    work_dir: Option<PathBuf>,
    common_dir: PathBuf,
    prefix: Option<PathBuf>,
    completeness: Completeness,
    ownership: Ownership,
}

/// Who owns a repository.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ownership {
    /// This user, or the user trusts it (`safe.directory`).
    Trusted,
    /// Another user: git refuses it. It can be read; nothing must be written into it.
    Foreign,
}

/// Which objects may be absent without damage.
#[derive(Clone, Copy)]
pub(crate) enum Completeness {
    Full,
    Shallow,
    Partial,
}

impl Repository {
    /// Finds the repository that holds `start`, searching upwards, and opens it.
    ///
    /// `start` may also be a git directory itself. `GIT_DIR` is not looked at: pass it as `start`. `GIT_WORK_TREE` and
    /// `GIT_INDEX_FILE`, which git sets for its hooks, are honored.
    ///
    /// # Errors
    /// [`GitError::NotARepository`] where there is none; [`GitError::Unsupported`] for reference storage other
    /// than files; [`GitError::Engine`] for a repository that is damaged or too new.
    pub fn open(start: &Path) -> Result<Self, GitError> {
        Self::open_with(start, ConfigScope::UserAndRepository)
    }

    /// As [`Repository::open`], with a say in which configuration is read.
    ///
    /// # Errors
    /// Those of [`Repository::open`].
    pub fn open_with(start: &Path, scope: ConfigScope) -> Result<Self, GitError> {
        let discovery = gix::discover::upwards::Options {
            trust: gix::discover::upwards::TrustPolicy::Assume(gix::sec::Trust::Reduced),
            ..Default::default()
        };
        // From inside of a git directory a relative path leads nowhere: its parent is not part of it.
        let inside = gix::discover::is_git(start).ok();
        let inside = inside.and_then(|_| start.canonicalize().ok());
        let start = inside.as_deref().unwrap_or(start);
        let (found, _) = gix::discover::upwards_opts(start, discovery).map_err(|_| {
            GitError::NotARepository {
                start: start.to_owned(),
            }
        })?;
        let (git_dir, work_dir) = found.into_repository_and_work_tree_directories();
        let shared = open_reduced(work_dir.as_deref().unwrap_or(&git_dir), scope)?;
        let local = shared.to_thread_local();
        let config = local.config_snapshot();
        let storage = config.string("extensions.refStorage");
        if let Some(storage) = storage.filter(|storage| !storage.eq_ignore_ascii_case(b"files")) {
            return Err(GitError::Unsupported {
                what: format!("reference storage of the kind `{storage}`"),
                advice: Advice::ConvertReferences,
            });
        }
        refuse_unknown_formats(&config)?;
        local.shallow_commits().map_err(|error| {
            GitError::engine("read the list of commits of a shallow clone", error)
        })?;
        let completeness =
            if config.string("extensions.partialClone").is_some() || has_promisor_remote(&config) {
                Completeness::Partial
            } else if local.is_shallow().unwrap_or(false) {
                Completeness::Shallow
            } else {
                Completeness::Full
            };
        let prefix = prefix_of(&local, start);
        let places = [
            Some(local.git_dir()),
            local.workdir(),
            Some(local.common_dir()),
        ];
        let ownership = ownership(&config, &places);
        Ok(Self {
            ownership,
            common_dir: local.common_dir().to_owned(),
            prefix,
            completeness,
            scope,
            git_dir: shared.git_dir().to_owned(),
            work_dir: shared.work_dir().map(Path::to_owned),
            shared: RwLock::new(shared),
        })
    }

    /// The folder that linked work trees share: objects, references, configuration.
    pub fn common_dir(&self) -> &Path {
        &self.common_dir
    }

    /// The folders of objects: that of this repository and those that it borrows from. What cannot be followed is left
    /// out.
    pub fn object_dirs(&self) -> Vec<PathBuf> {
        let objects = self.common_dir.join("objects");
        let borrowed = gix::odb::alternate::resolve(objects.clone(), &self.common_dir);
        let mut dirs = vec![objects];
        dirs.extend(borrowed.unwrap_or_default());
        dirs
    }

    /// The folder of this work tree's own state: `HEAD` and the index.
    pub fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    /// The root of the checked-out files; `None` in a bare repository.
    pub fn work_dir(&self) -> Option<&Path> {
        self.work_dir.as_deref()
    }

    /// Whether git would refuse the repository, as it belongs to another user.
    pub fn ownership(&self) -> Ownership {
        self.ownership
    }

    /// Whether there is no work tree.
    pub fn is_bare(&self) -> bool {
        self.work_dir().is_none()
    }

    /// Whether history was cut off by `--depth` or the like.
    pub fn is_shallow(&self) -> bool {
        self.local().is_shallow().unwrap_or(false)
    }

    /// Lets go of the packs that were read from: they are mapped into memory, and stay so otherwise. For after bulk
    /// work; readers that are still there keep theirs. Costs what opening the repository costs.
    ///
    /// # Errors
    /// [`GitError::Engine`] where the repository cannot be opened any more.
    pub fn release_packs(&self) -> Result<(), GitError> {
        let path = self.work_dir.as_deref().unwrap_or(&self.git_dir);
        let fresh = open_reduced(path, self.scope)?;
        *self.shared.write().unwrap_or_else(PoisonError::into_inner) = fresh;
        Ok(())
    }

    /// The last value of a configuration key, such as `cortex.dir`, from all files in git's order.
    ///
    /// The value may come from the repository itself: never take it for the name of a program.
    pub fn config_string(&self, key: &str) -> Option<String> {
        let local = self.local();
        let value = local.config_snapshot().string(key)?;
        Some(value.to_str_lossy().into_owned())
    }

    /// The last value of a configuration key from the files of the user and of the system: never from the
    /// repository's own configuration, nor from files that it includes.
    pub fn user_config_string(&self, key: &str) -> Option<String> {
        let local = self.local();
        let snapshot = local.config_snapshot();
        let is_users = |meta: &gix::config::file::Metadata| {
            matches!(
                meta.source.kind(),
                gix::config::source::Kind::System | gix::config::source::Kind::Global
            )
        };
        let value = snapshot.plumbing().string_filter(key, is_users)?;
        Some(value.to_str_lossy().into_owned())
    }

    /// Every value of a configuration key, given as section and name, in git's order: the last one counts.
    ///
    /// Those of [`ConfigOwner::Repository`] come from the repository itself or from what it includes: never take
    /// one for the name of a program or for a place to write to.
    pub fn config_values(&self, section: &str, name: &str) -> Vec<ConfigValue> {
        self.config_values_below((section, None), name)
    }

    /// The same for a key of a subsection, such as `gpg.ssh.program`.
    pub fn config_values_below(
        &self,
        (section, subsection): (&str, Option<&str>),
        name: &str,
    ) -> Vec<ConfigValue> {
        use gix::config::source::Kind;
        let local = self.local();
        let snapshot = local.config_snapshot();
        let sections = snapshot.plumbing().sections_by_name(section);
        let mut out = Vec::new();
        for section in sections.into_iter().flatten() {
            let below = section.header().subsection_name();
            if below.map(|it| it.to_str_lossy()).as_deref() != subsection {
                continue;
            }
            let meta = section.meta();
            let values = section.body().values(name).into_iter();
            out.extend(values.map(|value| ConfigValue {
                text: value.to_str_lossy().into_owned(),
                owner: match meta.source.kind() {
                    Kind::GitInstallation | Kind::System => ConfigOwner::System,
                    Kind::Global => ConfigOwner::User,
                    Kind::Repository => ConfigOwner::Repository,
                    Kind::Override => ConfigOwner::Caller,
                },
                file: meta.path.clone(),
            }));
        }
        out
    }

    /// Where `start` lies below the root of the work tree; `None` if elsewhere.
    pub fn prefix(&self) -> Option<&Path> {
        self.prefix.as_deref()
    }

    /// The same repository, seen from another folder. Opens nothing again.
    pub fn seen_from(&self, folder: &Path) -> Self {
        let shared = self.shared.read().unwrap_or_else(PoisonError::into_inner);
        Self {
            prefix: prefix_of(&shared.to_thread_local(), folder),
            shared: RwLock::new(shared.clone()),
            scope: self.scope,
            git_dir: self.git_dir.clone(),
            work_dir: self.work_dir.clone(),
            common_dir: self.common_dir.clone(),
            completeness: self.completeness,
            ownership: self.ownership,
        }
    }

    /// A handle for this thread.
    pub(crate) fn local(&self) -> gix::Repository {
        let shared = self.shared.read().unwrap_or_else(PoisonError::into_inner);
        shared.to_thread_local()
    }

    pub(crate) fn completeness(&self) -> Completeness {
        self.completeness
    }
}

/// Where a folder lies below the root of the work tree; `None` if elsewhere.
fn prefix_of(local: &gix::Repository, start: &Path) -> Option<PathBuf> {
    let root = local.workdir()?.canonicalize().ok()?;
    let start = start.canonicalize().ok()?;
    // What lies in the git directory is no place in the work tree.
    let git_dir = local.git_dir().canonicalize().ok()?;
    if start.starts_with(git_dir) {
        return None;
    }
    Some(start.strip_prefix(root).ok()?.to_owned())
}

/// Opens exactly the repository at `path`, a work tree or a git directory.
pub(crate) fn open_reduced(
    path: &Path,
    scope: ConfigScope,
) -> Result<gix::ThreadSafeRepository, GitError> {
    let permissions = match scope {
        ConfigScope::UserAndRepository => gix::open::Permissions::secure(),
        ConfigScope::RepositoryOnly => gix::open::Permissions::isolated(),
    };
    let mut overrides = vec![format!("gitoxide.objects.allocLimit={MAX_OBJECT_BYTES}")];
    if scope == ConfigScope::UserAndRepository {
        overrides.extend(crate::parameters::of_caller());
    }
    let opened = gix::open::Options::default()
        .permissions(permissions)
        .with(gix::sec::Trust::Reduced)
        // The user's `safe.directory` raises the trust again, so that it does not count: what comes from a repository
        // is never trusted.
        .filter_config_section(|section| {
            section.source.kind() != gix::config::source::Kind::Repository
        })
        .config_overrides(overrides)
        .open(path)
        .map_err(|error| {
            GitError::engine(
                format!("open the repository at `{}`", path.display()),
                error,
            )
        })?;
    Ok(opened)
}

/// The extensions of git's repository format that are understood here, or change nothing for a reader.
const EXTENSIONS: [&str; 9] = [
    "noop",
    "noop-v1",
    "partialclone",
    "preciousobjects",
    "objectformat",
    "compatobjectformat",
    "refstorage",
    "worktreeconfig",
    "relativeworktrees",
];

/// Refuses what git refuses: a repository of a newer format may mean something else than it seems to.
fn refuse_unknown_formats(config: &gix::config::Snapshot<'_>) -> Result<(), GitError> {
    let version = config.integer("core.repositoryFormatVersion").unwrap_or(0);
    let unsupported = |what: String| GitError::Unsupported {
        what,
        advice: Advice::text("a newer version of `git cortex` may read it"),
    };
    if version > 1 {
        return Err(unsupported(format!("repository format version {version}")));
    }
    if version < 1 {
        return Ok(());
    }
    let sections = config.plumbing().sections_by_name("extensions");
    for section in sections.into_iter().flatten() {
        let is_local = section.meta().source.kind() == gix::config::source::Kind::Repository;
        for name in section.body().value_names().filter(|_| is_local) {
            let name = name.to_string();
            if !EXTENSIONS.contains(&name.to_ascii_lowercase().as_str()) {
                return Err(unsupported(format!("the repository extension `{name}`")));
            }
        }
    }
    Ok(())
}

/// As git decides whether to work in a repository: who owns its folders, and `safe.directory` of the user, the system
/// and the command line.
fn ownership(config: &gix::config::Snapshot<'_>, places: &[Option<&Path>]) -> Ownership {
    let is_own = |place: &&Path| gix::sec::identity::is_path_owned_by_current_user(place);
    // What cannot be told counts as the user's, as on file systems without owners.
    if (places.iter().flatten()).all(|place| is_own(place).unwrap_or(true)) {
        return Ownership::Trusted;
    }
    let mut ownership = Ownership::Foreign;
    let places: Vec<PathBuf> = (places.iter().flatten())
        .filter_map(|place| place.canonicalize().ok())
        .collect();
    let sections = config.plumbing().sections_by_name("safe");
    for section in sections.into_iter().flatten() {
        if section.meta().source.kind() == gix::config::source::Kind::Repository {
            continue;
        }
        for value in section.body().values("directory") {
            let value = value.to_str_lossy();
            let is_meant = match value.strip_suffix("/*") {
                Some(folder) => places.iter().any(|place| place.starts_with(folder)),
                None => value == "*" || places.iter().any(|place| *place == Path::new(&*value)),
            };
            if value.is_empty() {
                // It takes back what came before.
                ownership = Ownership::Foreign;
            } else if is_meant {
                ownership = Ownership::Trusted;
            }
        }
    }
    ownership
}

fn has_promisor_remote(config: &gix::config::Snapshot<'_>) -> bool {
    config
        .plumbing()
        .sections_by_name("remote")
        .into_iter()
        .flatten()
        .any(|section| {
            section
                .value("promisor")
                .is_some_and(|value| value == "true")
        })
}
