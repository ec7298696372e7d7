//! Repositories made by the real `git`, apart from the configuration of whoever runs the tests.

use std::{
    cell::Cell,
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use cortex_git::{ConfigScope, FileChange, OverlayKind, Repository};

/// A repository in a temporary folder.
pub(crate) struct TestRepo {
    folder: tempfile::TempDir,
    work: PathBuf,
    clock: Cell<u64>,
}

impl TestRepo {
    /// An empty repository on the branch `main`.
    pub(crate) fn new() -> Self {
        Self::with_init(&[])
    }

    /// As [`TestRepo::new`], with more options for `git init`.
    pub(crate) fn with_init(options: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let repo = Self {
            work: folder.path().join("work"),
            folder,
            clock: Cell::new(1_700_000_000),
        };
        fs::create_dir(repo.root().join("home")).expect("a new folder");
        fs::create_dir(&repo.work).expect("a new folder");
        let mut args = vec!["init", "-q", "-b", "main"];
        args.extend(options);
        repo.git(&args);
        repo
    }

    /// The folder that holds the work tree and whatever a test puts beside it.
    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    /// The work tree.
    pub(crate) fn work(&self) -> &Path {
        &self.work
    }

    /// Opens the repository as the product does, without the configuration of whoever runs the tests.
    #[track_caller]
    pub(crate) fn open(&self) -> Repository {
        open(&self.work)
    }

    /// Runs `git` in the work tree; it must succeed.
    #[track_caller]
    pub(crate) fn git(&self, args: &[&str]) -> String {
        self.git_in(&self.work, args)
    }

    /// Runs `git` in some folder; it must succeed.
    #[track_caller]
    pub(crate) fn git_in(&self, folder: &Path, args: &[&str]) -> String {
        let output = self.command(folder, args).output().expect("git starts");
        assert!(
            output.status.success(),
            "git {args:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    /// Runs `git` in the work tree, whatever comes of it.
    pub(crate) fn try_git(&self, args: &[&str]) -> Output {
        self.command(&self.work, args).output().expect("git starts")
    }

    /// A `git` that knows no other configuration than the repository's, with a clock of its own.
    pub(crate) fn command(&self, folder: &Path, args: &[&str]) -> Command {
        let now = self.clock.get();
        let mut command = Command::new("git");
        command
            .env_clear()
            .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
            .env("HOME", self.root().join("home"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_AUTHOR_NAME", "A. U. Thor")
            .env("GIT_AUTHOR_EMAIL", "author@example.com")
            .env("GIT_COMMITTER_NAME", "C. O. Mitter")
            .env("GIT_COMMITTER_EMAIL", "committer@example.com")
            .env("GIT_AUTHOR_DATE", format!("{now} +0000"))
            .env("GIT_COMMITTER_DATE", format!("{now} +0000"))
            .env("LC_ALL", "C")
            .args([
                "-c",
                "protocol.file.allow=always",
                "-c",
                "core.quotePath=false",
            ])
            .args(args)
            .current_dir(folder);
        command
    }

    /// Writes a file of the work tree, with its folders.
    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.work.join(path);
        fs::create_dir_all(path.parent().expect("below the root")).expect("folders");
        fs::write(path, content).expect("a written file");
    }

    /// Stages everything and commits it, a minute after the last commit.
    #[track_caller]
    pub(crate) fn commit(&self, subject: &str) -> String {
        self.clock.set(self.clock.get() + 60);
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", subject]);
        self.git(&["rev-parse", "HEAD"]).trim().to_owned()
    }

    /// What `git add -A` would stage, as `git diff-index --raw` against `base` shows it. The index stays as it is.
    #[track_caller]
    pub(crate) fn work_tree_raw(&self, base: &str) -> Vec<String> {
        let git_dir = self.git(&["rev-parse", "--absolute-git-dir"]);
        let index = Path::new(git_dir.trim()).join("index");
        let copy = self.root().join("index-copy");
        let _ = fs::remove_file(&copy);
        if index.exists() {
            fs::copy(&index, &copy).expect("a copied index");
            // Whether a file may have been changed in the moment of staging is told by the time of the index.
            let written = fs::metadata(&index)
                .and_then(|metadata| metadata.modified())
                .expect("a time");
            let copied = fs::File::options().write(true).open(&copy).expect("a file");
            copied.set_modified(written).expect("a set time");
        }
        let run = |args: &[&str]| {
            let mut command = self.command(&self.work, args);
            let output = command
                .env("GIT_INDEX_FILE", &copy)
                .output()
                .expect("git starts");
            assert!(
                output.status.success(),
                "git {args:?}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
            String::from_utf8(output.stdout).expect("UTF-8")
        };
        run(&["-c", "advice.addEmbeddedRepo=false", "add", "-A"]);
        raw_lines(&run(&[
            "diff-index",
            "--cached",
            "--raw",
            "--no-renames",
            "--no-abbrev",
            base,
        ]))
    }
}

/// Opens a repository without the configuration of whoever runs the tests.
#[track_caller]
pub(crate) fn open(path: &Path) -> Repository {
    Repository::open_with(path, ConfigScope::RepositoryOnly).expect("a repository")
}

/// The changes of an overlay over `HEAD`, in the form of [`raw_lines`].
#[track_caller]
pub(crate) fn overlay_raw(repo: &Repository, kind: OverlayKind) -> Vec<String> {
    let head = repo.head().expect("HEAD");
    let tree = head.map(|head| repo.commit(head).expect("a commit").tree);
    changes_raw(&repo.overlay(tree, kind).expect("an overlay").changes)
}

/// Changes as `old-mode new-mode old-id new-id letter path` lines.
pub(crate) fn changes_raw(changes: &[FileChange]) -> Vec<String> {
    let zero = |id_len: usize| "0".repeat(id_len);
    changes
        .iter()
        .map(|change| {
            let side = |side: &Option<cortex_git::FileSide>, len| match side {
                Some(side) => (format!("{:06o}", side.mode.bits()), side.blob.to_string()),
                None => ("000000".into(), zero(len)),
            };
            let len = [&change.old, &change.new]
                .into_iter()
                .flatten()
                .map(|side| side.blob.to_string().len())
                .max()
                .expect("a side");
            let (old_mode, old) = side(&change.old, len);
            let (new_mode, new) = side(&change.new, len);
            let letter = change.status.letter();
            format!(
                "{old_mode} {new_mode} {old} {new} {letter} {}",
                change.path()
            )
        })
        .collect()
}

/// The lines of `git diff --raw`, in the form of [`changes_raw`].
pub(crate) fn raw_lines(raw: &str) -> Vec<String> {
    let mut lines: Vec<_> = raw
        .lines()
        .map(|line| line.trim_start_matches(':').replace('\t', " "))
        .collect();
    lines.sort_by_key(|line| line.split_whitespace().nth(5).map(ToOwned::to_owned));
    lines
}

/// All files below a folder with their bytes.
pub(crate) fn snapshot(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.insert(path.clone(), fs::read(path).expect("a file"));
            }
        }
    }
    files
}
