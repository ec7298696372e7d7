//! A repository with its index, in a temporary folder and in this process.

use std::{collections::BTreeMap, fs, path::Path, sync::Arc};

use cortex_fixture::Fixture;
use cortex_git::{ConfigScope, Repository as GitRepository, Side};
use cortex_index::{
    Index, IndexOptions, IndexedSide, Launcher, Progress, References, Roots, Stage, UnreadFiles,
};
use cortex_store::{OpenOptions, Store};
use tempfile::TempDir;

/// A repository whose commits are fixtures, indexed on demand. Independent of the machine's configuration and packages.
pub struct Repository {
    /// Removed with the repository.
    folder: TempDir,
    pub(crate) index: Index,
}

/// Ignores progress.
pub(crate) struct Silent;

impl Progress for Silent {
    fn report(&self, _: Stage, _: usize, _: usize) {}
}

/// Path to content.
type Tree = BTreeMap<String, String>;

impl Repository {
    /// Creates a repository with one commit, from a text in the fixture language.
    #[track_caller]
    pub fn parse(fixture: &str) -> Self {
        Self::commit(&[tree(fixture)])
    }

    /// Creates a repository with one commit for each fixture, oldest first.
    #[track_caller]
    pub fn history(fixtures: &[&str]) -> Self {
        let trees: Vec<Tree> = fixtures.iter().map(|fixture| tree(fixture)).collect();
        Self::commit(&trees)
    }

    /// Creates a repository with two commits, the second of which replaces a text that occurs in the fixture.
    #[track_caller]
    pub fn edited(fixture: &str, old: &str, new: &str) -> Self {
        assert!(fixture.contains(old), "the fixture has no `{old}`");
        Self::history(&[fixture, &fixture.replacen(old, new, 1)])
    }

    #[track_caller]
    fn commit(trees: &[Tree]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be created");
        let work = folder.path().join("work");
        fs::create_dir(&work).expect("the folder is new");
        Fixture::commit_all_into(trees, &work).expect("git creates the commits");
        let index = open(&work, &folder.path().join("store"));
        Self { folder, index }
    }

    /// The same repository with an empty index.
    pub fn with_new_index(&self) -> Self {
        let work = self.folder.path().join("work");
        let folder = tempfile::tempdir().expect("a temporary folder can be created");
        let index = open(&work, &folder.path().join("store"));
        Self { folder, index }
    }

    /// Indexes a commit.
    #[track_caller]
    pub(crate) fn side(&self, revision: &str) -> IndexedSide {
        let commit = self.index.repo.resolve(revision);
        let commit = commit.expect("the revision exists");
        let tree = self
            .index
            .repo
            .commit(commit)
            .expect("the commit exists")
            .tree;
        let side = self.index.side(Side::Commit { commit, tree }, &Silent);
        side.expect("the commit can be indexed").0
    }
}

#[track_caller]
fn tree(fixture: &str) -> Tree {
    Fixture::parse(fixture).tree().into_iter().collect()
}

fn open(work: &Path, store: &Path) -> Index {
    let options = OpenOptions {
        cache_bytes: 1 << 20,
        page_cache_bytes: 1 << 20,
        ..OpenOptions::default()
    };
    Index {
        repo: GitRepository::open_with(work, ConfigScope::RepositoryOnly)
            .expect("the repository opens"),
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
