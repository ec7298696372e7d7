//! A repository with its index, and an export that knows nothing.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
};

use cortex_derived::source::Source;
use cortex_fixture::Fixture;
use cortex_fresh::{
    CheckOptions, FreshError, Policy, check,
    check::{Explain, OpRecords},
    export::render,
    export_context, fixes,
    selection::{Expected, select},
};
use cortex_git::{ConfigScope, Repository, Side};
use cortex_index::{
    Index, IndexOptions, IndexedSide, Launcher, Progress, References, Roots, Stage, UnreadFiles,
};
use cortex_store::{OpenOptions, Store};
use cortex_wire::{CheckAnswer, OutlineSelection};
use tempfile::TempDir;

use crate::program::Program;

/// Outlines by path.
pub(crate) type Outlines = BTreeMap<String, String>;

const PROJECT: &str = "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup>\
<TargetFramework>net8.0</TargetFramework></PropertyGroup></Project>\n";

pub(crate) struct Silent;

impl Progress for Silent {
    fn report(&self, _: Stage, _: usize, _: usize) {}
}

/// A repository.
pub(crate) struct World {
    folder: Arc<TempDir>,
    index: Index,
    /// Removed with the world.
    _store: TempDir,
}

fn open(work: &Path, store: &Path) -> Index {
    let options = OpenOptions {
        cache_bytes: 1 << 20,
        page_cache_bytes: 1 << 20,
        ..OpenOptions::default()
    };
    Index {
        repo: Repository::open_with(work, ConfigScope::RepositoryOnly).expect("it opens"),
        store: Arc::new(Store::open(store, &options).expect("the store opens")),
        options: IndexOptions::default(),
        launcher: Launcher::InProcess,
        references: References::new(Roots::default()),
        parallel: 1,
        now: 0,
        unread: UnreadFiles::default(),
        interrupt: cortex_model::Interrupt::default(),
    }
}

impl World {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let work = folder.path().join("work");
        fs::create_dir(&work).expect("the folder is new");
        Fixture::git(&work, &["init", "-q", "-b", "main"]).expect("git is installed");
        Self::over(Arc::new(folder))
    }

    fn over(folder: Arc<TempDir>) -> Self {
        let store = tempfile::tempdir().expect("a temporary folder can be made");
        let index = open(&folder.path().join("work"), store.path());
        Self {
            folder,
            index,
            _store: store,
        }
    }

    /// The same repository with an empty index.
    pub(crate) fn with_new_index(&self) -> Self {
        Self::over(self.folder.clone())
    }

    /// The same repository with its configuration read again.
    pub(crate) fn reopened(self) -> Self {
        self.with_new_index()
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn git(&self, arguments: &[&str]) {
        let who = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
        let all = [&who, arguments].concat();
        Fixture::git(&self.path(), &all).expect("git succeeds");
    }

    /// A commit of what git makes of merging two branches, without a checkout; `None` where they conflict.
    pub(crate) fn merged(&self, ours: &str, theirs: &str) -> Option<String> {
        let run = |arguments: &[&str]| {
            let mut command = Command::new("git");
            command.arg("-C").arg(self.path());
            command.args(["-c", "user.name=a", "-c", "user.email=a@example.com"]);
            let output = command.args(arguments).output().expect("git is installed");
            let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
            output.status.success().then_some(text)
        };
        let tree = run(&["merge-tree", "--write-tree", ours, theirs])?;
        run(&[
            "commit-tree",
            "-p",
            ours,
            "-p",
            theirs,
            "-m",
            "merge",
            &tree,
        ])
    }

    /// Tracked files that match a pattern.
    pub(crate) fn git_files(&self, pattern: &str) -> Vec<String> {
        let mut command = Command::new("git");
        command.arg("-C").arg(self.path());
        let output = command.args(["ls-files", "--", pattern]).output();
        let text = String::from_utf8(output.expect("git is installed").stdout);
        let text = text.expect("names are text");
        text.lines().map(str::to_owned).collect()
    }

    pub(crate) fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
    }

    /// Commits everything, so many seconds after a day.
    pub(crate) fn commit_at(&self, message: &str, seconds: i64) {
        let time = format!("{} +0000", 1_700_000_000 + seconds);
        self.git(&["add", "-A"]);
        let mut command = Command::new("git");
        command.arg("-C").arg(self.path());
        command.args(["-c", "user.name=a", "-c", "user.email=a@example.com"]);
        command.args(["commit", "-q", "-m", message]);
        command.env("GIT_COMMITTER_DATE", time);
        assert!(command.status().expect("git is installed").success());
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let file = self.path().join(path);
        fs::create_dir_all(file.parent().expect("it is below the root")).expect("it can be made");
        fs::write(file, text).expect("it can be written");
    }

    pub(crate) fn index(&self) -> &Index {
        &self.index
    }

    pub(crate) fn try_read(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.path().join(path)).ok()
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path().join(path)).expect("it is there")
    }

    pub(crate) fn write_program(&self, program: &Program) {
        self.write("src/App.csproj", PROJECT);
        for (path, text) in program.files() {
            let file = self.path().join(&path);
            match text {
                None => _ = fs::remove_file(file),
                // What is equal is not touched, as an editor does.
                Some(text) if fs::read_to_string(&file).ok().as_ref() == Some(&text) => {}
                Some(text) => self.write(&path, &text),
            }
        }
    }

    pub(crate) fn side(&self, side: Side) -> IndexedSide {
        self.index.side(side, &Silent).expect("it can be indexed").0
    }

    /// The commit of `HEAD`.
    pub(crate) fn head(&self) -> Side {
        self.revision("HEAD")
    }

    pub(crate) fn revision(&self, revision: &str) -> Side {
        let commit = self.index.repo.resolve(revision).expect("it exists");
        let tree = self.index.repo.commit(commit).expect("it exists").tree;
        Side::Commit { commit, tree }
    }

    /// Exports all public types; what was written and removed.
    pub(crate) fn export(&self) -> (Vec<String>, Vec<String>) {
        self.try_export().expect("the export succeeds")
    }

    pub(crate) fn try_export(&self) -> Result<(Vec<String>, Vec<String>), FreshError> {
        let side = self.side(Side::WorkTree);
        let selection = OutlineSelection::default();
        let (writes, _) = export_context(&self.index, &side, Some(&selection), &Silent)?;
        writes.apply(&self.index.repo)?;
        let written = writes.files.iter().map(|(path, _)| path.to_string());
        let removed = writes.removed.iter().map(ToString::to_string);
        Ok((written.collect(), removed.collect()))
    }

    pub(crate) fn check(&self, side: Side, base: Option<&str>, policy: &Policy) -> CheckAnswer {
        let side = self.side(side);
        let base = base.map(|base| self.side(self.revision(base)));
        let options = CheckOptions {
            base: base.as_ref(),
            policy,
            explain: Explain::Inputs,
            records: &OpRecords::default(),
        };
        check(&self.index, &side, &options, &Silent)
            .expect("the check succeeds")
            .0
    }

    /// The files that a check reports, each with a reason that fits.
    pub(crate) fn stale(&self, side: Side, base: Option<&str>) -> BTreeSet<String> {
        let answer = self.check(side, base, &Policy::default());
        for problem in &answer.problems {
            if problem.rule == cortex_wire::CheckRule::OutlineStale {
                assert!(!problem.reasons.is_empty(), "{problem:?}");
            }
        }
        let files = answer.problems.into_iter();
        files.map(|problem| problem.file.to_string()).collect()
    }

    /// Mends the work tree.
    pub(crate) fn fix(&self) {
        let side = self.side(Side::WorkTree);
        let options = CheckOptions {
            base: None,
            policy: &Policy::default(),
            explain: Explain::Inputs,
            records: &OpRecords::default(),
        };
        let checked = check(&self.index, &side, &options, &Silent);
        let (_, checked) = checked.expect("the check succeeds");
        let writes = fixes(&self.index, &side, &checked, &Silent).expect("it can be mended");
        writes.apply(&self.index.repo).expect("it can be written");
    }

    /// The outlines of the work tree as files.
    pub(crate) fn outlines_on_disk(&self) -> Outlines {
        let folder = self.path().join(".context/types");
        let mut out = Outlines::new();
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.expect("it can be listed").path();
            let name = path.file_name().expect("it has a name").to_string_lossy();
            let text = fs::read_to_string(&path).expect("it is text");
            out.insert(format!(".context/types/{name}"), text);
        }
        out
    }

    /// The outlines of all public types of the work tree, from an empty index.
    pub(crate) fn oracle(&self) -> Outlines {
        let world = self.with_new_index();
        let side = world.side(Side::WorkTree);
        let source = Source {
            index: &world.index,
            side: &side,
        };
        let selected = select(source, &OutlineSelection::default(), &Silent);
        let selected = selected.expect("it can be selected").outlines;
        let all: Vec<&Expected> = selected.iter().collect();
        let rendered = render(source, &all).expect("it can be rendered");
        let texts = rendered.into_iter().map(|(path, bytes)| {
            let text = String::from_utf8(bytes).expect("outlines are text");
            (path.to_string(), text)
        });
        texts.collect()
    }
}
