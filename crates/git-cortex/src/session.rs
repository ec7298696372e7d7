//! One run of the command: the repository found, the store opened, options gathered.

use std::{
    cell::RefCell,
    path::{Path, PathBuf},
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use anyhow::Context;
use cortex_git::{Commit, Parents, Repository};
use cortex_index::{
    Index, IndexError, IndexOptions, IndexedSide, Keep, Launcher, References, Roots, UnreadFile,
    UnreadReason,
};
use cortex_look::{Filter, FilterOptions, QueryError, Viewpoint};
use cortex_scope::{Counted, Extent, ScopeRequest, extent};
use cortex_store::{Collected, Notice, OpenOptions, Store};

use crate::{
    arguments::{Global, Look},
    commands::{scope, status::side_of},
    config::{Config, Origin, Value},
    failure::Failure,
    harmless::in_text,
    pager,
    progress::Bar,
};

/// Opens the repository that the arguments name.
pub(crate) fn repository(global: &Global) -> Result<Repository, Failure> {
    // What `git --git-dir` and hooks name goes before what is found from the folder.
    let start = match std::env::var_os("GIT_DIR") {
        Some(folder) => global.directory.join(folder),
        None => global.directory.clone(),
    };
    Ok(Repository::open(&start)?)
}

/// The same with its store.
pub(crate) fn open(global: &Global) -> Result<Index, Failure> {
    let repo = repository(global)?;
    pager::choose(&repo, !global.no_pager);
    let config = Config::read(&repo, global);
    let options = OpenOptions {
        lock_timeout: std::time::Duration::from_secs(config.lock_timeout()),
        ..OpenOptions::default()
    };
    let folder = store_folder(&repo, config.dir())?;
    let store = Store::open(&folder, &options)?;
    let tfm = config.tfm();
    let program = std::env::current_exe().context("find this program's own file")?;
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs() as i64);
    Ok(Index {
        repo,
        store: Arc::new(store),
        options: IndexOptions {
            tfm,
            ..IndexOptions::default()
        },
        launcher: Launcher::Processes {
            program,
            arguments: vec!["parse-worker".into()],
        },
        references: References::new(Roots::from_env(|name| std::env::var(name).ok())),
        parallel: std::thread::available_parallelism().map_or(1, usize::from),
        now,
        unread: cortex_index::UnreadFiles::default(),
    })
}

/// Asks a question, and asks again where the store turned out to have lost something that can be
/// made again: what another process collected meanwhile, or what was damaged.
pub(crate) fn mending<T, E: From<IndexError>>(
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
        result = ask();
    }
    if is_lacking(&result) {
        let _hold = index.store.hold().map_err(IndexError::from)?;
        result = ask();
        if is_lacking(&result) {
            index.mend()?;
            result = ask();
        }
    }
    result
}

/// Asks a question about the commit or work tree that `look` names, which is indexed where it is not. Gives the
/// answer with the index, to be settled when the answer is out: its store makes room for whoever waits to write.
pub(crate) fn look<T>(
    global: &Global,
    look: &Look,
    ask: impl Fn(&Viewpoint<'_>) -> Result<T, QueryError>,
) -> Result<(T, Index), Failure> {
    let (scope, request) = scope::read_some(global, look.scope.as_deref())?;
    let filter = FilterOptions {
        scope: request,
        scope_text: scope.clone(),
        ..look.filter()
    };
    let index = open(global)?;
    let (_, side) = side_of(&index, look.at.as_deref())?;
    let bar = Bar::new(global.quiet);
    let warnings = RefCell::new(Vec::new());
    let result = mending(&index, QueryError::is_damage, || {
        let (side, _) = index.side(side, &bar)?;
        let filter = Filter::new(&index, &side, &filter, &bar)?;
        warnings.replace(filter.warnings().to_vec());
        ask(&Viewpoint {
            index: &index,
            side: &side,
            filter: &filter,
            limits: look.limits(),
        })
    });
    bar.finish();
    report_notices(&index, global.quiet);
    for warning in warnings.take() {
        scope::warn(global, &warning);
    }
    let answer = result.map_err(|error| scope::told(error.into(), &scope))?;
    Ok((answer, index))
}

/// What a question is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Depth {
    /// Files and their texts; the graph makes the answer richer.
    Files,
    /// Projects, types, members.
    Graph,
}

impl Depth {
    /// What a question about the files of a scope is about.
    pub(crate) fn of(scope: Option<&ScopeRequest>, counted: Counted) -> Self {
        let extent = scope.map_or(Extent::Paths, |scope| extent(scope, counted));
        match extent {
            Extent::Paths => Self::Files,
            Extent::Projects | Extent::Assemblies => Self::Graph,
        }
    }
}

/// So many sources are read for a question about files, which takes a second or two: no more.
const MAX_READ: usize = 400;

/// Asks a question about one side, the work tree or the commit `at`. Where that is not indexed, it is for questions
/// about the graph, and for those about files if it takes no time to speak of. Gives the answer with the index, whose
/// store is released, to be settled when the answer is out.
pub(crate) fn with_side<T>(
    global: &Global,
    at: Option<&str>,
    depth: Depth,
    ask: impl Fn(&Index, &IndexedSide, &Bar) -> Result<T, QueryError>,
) -> Result<(T, Index), Failure> {
    let index = open(global)?;
    let (_, side) = side_of(&index, at)?;
    let bar = Bar::new(global.quiet);
    let max_read = match depth {
        Depth::Files => MAX_READ,
        Depth::Graph => usize::MAX,
    };
    let result = mending(&index, QueryError::is_damage, || {
        let side = index.listed(side, max_read, &bar)?;
        ask(&index, &side, &bar)
    });
    bar.finish();
    report_notices(&index, global.quiet);
    let answer = result?;
    index.store.release();
    Ok((answer, index))
}

/// The commits of a range, oldest first: `A..B`, or `B` for all that it reaches.
pub(crate) fn commits(
    index: &Index,
    range: &str,
    first_parent: bool,
    max_count: Option<usize>,
) -> Result<Vec<Commit>, Failure> {
    let (old, new) = index.repo.resolve_history(range)?;
    let parents = if first_parent {
        Parents::First
    } else {
        Parents::All
    };
    let max_count = max_count.unwrap_or(usize::MAX);
    Ok(index.repo.history(old, new, parents, max_count)?)
}

/// Ends a run whose answer is out: notes what was used, and collects when it is time to
/// (`cortex.gcAuto` new snapshots, or more than `cortex.maxSize`) and nobody is at work. What fails of
/// it is left for the next run.
pub(crate) fn settle(index: &Index, global: &Global) {
    let collect = || -> Result<Option<Collected>, Failure> {
        index.store.write_uses()?;
        let config = Config::read(&index.repo, global);
        let (n_new, max_bytes) = (config.gc_auto(), config.max_bytes());
        let is_due = || index.store.is_gc_due(n_new, max_bytes);
        if !is_due()? {
            return Ok(None);
        }
        let claim = index.store.try_claim_gc().map_err(IndexError::from)?;
        // Unless another one has done it meanwhile.
        if claim.is_none() || !is_due()? {
            return Ok(None);
        }
        let collected = index.collect(Keep {
            max_age: KEPT_DAYS * DAY,
            max_bytes,
        })?;
        let is_for_size = max_bytes.is_some_and(|max| collected.before.disk_bytes > max);
        Ok(is_for_size.then_some(collected))
    };
    // What fails is not what was asked for, and has to be done again anyway.
    if let Ok(Some(Collected { before, after })) = collect()
        && !global.quiet
        && after.snapshots.entries < before.snapshots.entries
    {
        anstream::eprintln!(
            "note: {} of {} snapshots were dropped, as the index was larger than `cortex.maxSize`",
            before.snapshots.entries - after.snapshots.entries,
            before.snapshots.entries,
        );
    }
    report_notices(index, global.quiet);
}

/// Seconds of a day.
pub(crate) const DAY: i64 = 24 * 3600;

/// For how many days what was used stays.
const KEPT_DAYS: i64 = 30;

/// How large the store may be: `cortex.maxSize`; `None` for any size.
pub(crate) fn max_bytes(index: &Index, global: &Global) -> Option<u64> {
    Config::read(&index.repo, global).max_bytes()
}

/// Prints what happened to the store, once.
pub(crate) fn report_notices(index: &Index, quiet: bool) {
    for notice in index.store.take_notices() {
        if !quiet {
            anstream::eprintln!("note: {}", in_text(&in_words(&notice)));
        }
    }
    let unread = index.unread.take();
    if !quiet && let Some(note) = unread_note(&unread) {
        anstream::eprintln!("note: {}", in_text(&note));
    }
}

/// How many of the files that git could not read are named.
const N_NAMED: usize = 3;

/// What the answer was made without, and how to get it.
fn unread_note(unread: &[UnreadFile]) -> Option<String> {
    let named: Vec<String> = unread
        .iter()
        .take(N_NAMED)
        .map(|file| format!("`{}`", file.path))
        .collect();
    let first = unread.first()?;
    let more = match unread.len() - named.len() {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    let is_absent = unread
        .iter()
        .any(|file| file.reason == UnreadReason::Absent);
    let remedy = if is_absent {
        format!(
            "in a partial clone, `git cat-file -e {}` fetches this one, `git fetch --refetch --no-filter` all",
            first.blob
        )
    } else {
        "the repository is damaged: see `git fsck --full`".to_owned()
    };
    let n = unread.len();
    let files = if n == 1 { "file" } else { "files" };
    Some(format!(
        "{n} {files} could not be read from git and {} left out: {}{more}; {remedy}",
        if n == 1 { "is" } else { "are" },
        named.join(", "),
    ))
}

fn in_words(notice: &Notice) -> String {
    match notice {
        Notice::MovedAside { to, reason } => {
            format!(
                "the index could not be read ({reason}); it is now at `{}`, and a new one was made",
                to.display()
            )
        }
        Notice::DroppedEntry { kind } => {
            format!("a damaged entry of the index ({kind}) was dropped and is made again")
        }
        Notice::Migrated { from } => {
            format!(
                "the index was of an older form ({from}); what can be computed again was dropped"
            )
        }
        Notice::CollectionDeferred => {
            "nothing was dropped, as other commands were reading all the time; try again later"
                .to_owned()
        }
        other => format!("{other:?}"),
    }
}

/// The configured folder; `<git common dir>/cortex` where none is, or a folder of the user's cache where that cannot
/// be written.
fn store_folder(repo: &Repository, dir: &Value) -> Result<PathBuf, Failure> {
    if let Origin::Environment(name) = dir.origin
        && let Some(folder) = std::env::var_os(name)
    {
        return Ok(folder.into());
    }
    let folder = repo.common_dir().join(&dir.text);
    if std::fs::create_dir_all(&folder).is_ok() && is_writable(&folder) {
        return Ok(folder);
    }
    let cache = std::env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::home_dir().map(|home| home.join(".cache")))
        .context("find a folder to keep the index in; set GIT_CORTEX_DIR")?;
    let id = cortex_model::Hash::of(repo.common_dir().as_os_str().as_encoded_bytes()).short();
    Ok(cache.join("git-cortex").join(id))
}

fn is_writable(folder: &Path) -> bool {
    let probe = folder.join(format!(".probe-{}", std::process::id()));
    let written = std::fs::write(&probe, b"").is_ok();
    let _ = std::fs::remove_file(&probe);
    written
}
