//! A repository whose work tree is edited.

use std::{collections::BTreeMap, fs, path::Path, sync::Arc};

use cortex_edit::{
    Allowed, Edit, EditError, Foreign, MemberAction, MemberEdit, Rename, ReviewNeeded, Staging,
    apply, batch, edit, op::Op, op::Ops, undo,
};
use cortex_fixture::Fixture;
use cortex_git::{ConfigScope, Repository, Side};
use cortex_index::{
    Index, IndexOptions, Launcher, Progress, References, Roots, Stage, UnreadFiles,
};
use cortex_look::{Filter, Limits, viewpoint::Viewpoint};
use cortex_store::{OpenOptions, Store};
use cortex_wire::{EditVerdict, WarningReason};
use tempfile::TempDir;

/// What the new text of a type of a fixture is told to be: what is not proven is told as not allowed, in these words.
pub(crate) fn verdict_of_new(fixture: &str, (ty, text): (&str, &str), words: &str) -> EditVerdict {
    let answer = World::new(fixture).edited(ty, add(text)).answer;
    if answer.verdict == EditVerdict::NotProven {
        let mut warnings = answer.warnings.iter();
        let is_told =
            warnings.any(|it| it.reason == WarningReason::NotAllowed && it.name.contains(words));
        assert!(is_told, "{ty}: {text}: {answer:#?}");
    }
    answer.verdict
}

/// Checks what new texts of types of a fixture are told to be; what is not proven is told as not allowed.
#[track_caller]
pub(crate) fn check_new(fixture: &str, expected: EditVerdict, cases: &[(&str, &str)]) {
    let verdicts = cases
        .iter()
        .map(|&case| (case, verdict_of_new(fixture, case, "")));
    let others: Vec<_> = verdicts.filter(|it| it.1 != expected).collect();
    assert!(others.is_empty(), "{others:#?}");
}

/// The lines at which code that an edit of a declaration does not write changes its meaning.
#[track_caller]
pub(crate) fn changed_lines(fixture: &str, symbol: &str, text: &str) -> Vec<String> {
    let answer = World::new(fixture).edited(symbol, replace(text)).answer;
    assert_ne!(answer.verdict, EditVerdict::NotProven, "{answer:#?}");
    let differences = answer.differences.iter();
    let mut found: Vec<String> = differences
        .map(|it| format!("{}:{}", it.file, it.line))
        .collect();
    found.dedup();
    found
}

pub(crate) struct Silent;

impl Progress for Silent {
    fn report(&self, _: Stage, _: usize, _: usize) {}
}

/// See the module's first line.
pub(crate) struct World {
    folder: TempDir,
    pub(crate) index: Index,
    pub(crate) ops: Ops,
}

fn open(work: &Path, store: &Path) -> Index {
    Index {
        repo: Repository::open_with(work, ConfigScope::RepositoryOnly).expect("it opens"),
        store: Arc::new(Store::open(store, &OpenOptions::default()).expect("the store opens")),
        options: IndexOptions::default(),
        launcher: Launcher::InProcess,
        references: References::new(Roots::default()),
        parallel: 1,
        now: 1_700_000_000,
        unread: UnreadFiles::default(),
        interrupt: Default::default(),
    }
}

impl World {
    /// A repository with one commit of a fixture.
    pub(crate) fn new(fixture: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let work = folder.path().join("work");
        fs::create_dir(&work).expect("the folder is new");
        let tree: BTreeMap<String, String> = Fixture::parse(fixture).tree().into_iter().collect();
        Fixture::commit_all_into(&[tree], &work).expect("git commits");
        Fixture::git(&work, &["reset", "-q", "--hard"]).expect("git checks out");
        let store = folder.path().join("store");
        let index = open(&work, &store);
        Self {
            ops: Ops::beside(&store),
            index,
            folder,
        }
    }

    pub(crate) fn work(&self) -> std::path::PathBuf {
        self.folder.path().join("work")
    }

    /// Plans an edit.
    pub(crate) fn one(&self, request: &Edit<'_>) -> Result<Op, EditError> {
        self.plan(|view| edit(&[view], &self.ops, request, &Silent))
    }

    /// Plans a rename.
    pub(crate) fn rename(&self, symbol: &str, to: &str) -> Result<Op, EditError> {
        let request = Rename {
            symbol,
            to,
            keep_file: false,
            also: &[],
        };
        self.one(&Edit::Rename(request))
    }

    /// Plans an edit of a member.
    pub(crate) fn edit(&self, request: &MemberEdit<'_>) -> Result<Op, EditError> {
        self.one(&Edit::Member(request.clone()))
    }

    /// Plans an edit of a member, which has to be possible.
    #[track_caller]
    pub(crate) fn edited(&self, symbol: &str, action: MemberAction<'_>) -> Op {
        let request = MemberEdit {
            symbol,
            file: None,
            action,
        };
        match self.edit(&request) {
            Ok(op) => op,
            Err(error) => panic!("it is not planned: {error}"),
        }
    }

    /// Lets each project compile what is in its folder.
    pub(crate) fn with_globs(self) -> Self {
        for path in self.files().keys().filter(|it| it.ends_with(".csproj")) {
            let project = "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup></Project>";
            fs::write(self.work().join(path), project).expect("it is a file");
        }
        self
    }

    /// Plans what a diff changes.
    pub(crate) fn patch(&self, diff: &str) -> Result<Op, EditError> {
        self.foreign(Foreign::Diff(diff.as_bytes()))
    }

    /// Plans what a diff or texts of files change.
    pub(crate) fn foreign(&self, foreign: Foreign<'_>) -> Result<Op, EditError> {
        self.one(&Edit::Patch(foreign))
    }

    /// Plans several edits as one.
    pub(crate) fn batch(&self, steps: &[Edit<'_>]) -> Result<Op, EditError> {
        self.plan(|view| batch(&[view], &self.ops, steps, &Silent))
    }

    /// Plans an edit as each of some target frameworks sees the work tree.
    pub(crate) fn in_frameworks(
        &self,
        frameworks: &[&str],
        request: &Edit<'_>,
    ) -> Result<Op, EditError> {
        let index = |framework: &&str| Index {
            repo: Repository::open_with(&self.work(), ConfigScope::RepositoryOnly)
                .expect("it opens"),
            store: Arc::clone(&self.index.store),
            options: IndexOptions {
                tfm: Some((*framework).to_owned()),
                ..IndexOptions::default()
            },
            launcher: Launcher::InProcess,
            references: References::new(Roots::default()),
            parallel: 1,
            now: self.index.now,
            unread: UnreadFiles::default(),
            interrupt: Default::default(),
        };
        let indexes: Vec<Index> = frameworks.iter().map(index).collect();
        let sides = indexes.iter().map(|it| it.side(Side::WorkTree, &Silent));
        let sides = sides.collect::<Result<Vec<_>, _>>()?;
        let filter = Filter::everything();
        let views = indexes
            .iter()
            .zip(&sides)
            .map(|(index, (side, _))| Viewpoint {
                index,
                side,
                filter: &filter,
                limits: Limits {
                    n_items: usize::MAX,
                    until: None,
                },
            });
        edit(&views.collect::<Vec<_>>(), &self.ops, request, &Silent)
    }

    /// Plans something on the work tree.
    pub(crate) fn plan<T>(
        &self,
        plan: impl FnOnce(Viewpoint<'_>) -> Result<T, EditError>,
    ) -> Result<T, EditError> {
        let (side, _) = self.index.side(Side::WorkTree, &Silent)?;
        let filter = Filter::everything();
        plan(Viewpoint {
            index: &self.index,
            side: &side,
            filter: &filter,
            limits: Limits {
                n_items: usize::MAX,
                until: None,
            },
        })
    }

    /// Applies an operation that nobody reviewed.
    pub(crate) fn apply(&self, op: &mut Op) -> Result<(), EditError> {
        let allowed = Allowed {
            unproven: true,
            changed_meaning: false,
            review: ReviewNeeded::Nothing,
        };
        apply(&self.index.repo, &self.ops, op, (&allowed, &Staging::No), 1)
    }

    pub(crate) fn undo(&self, op: &mut Op) -> Result<(), EditError> {
        undo(&self.index.repo, &self.ops, op, 2)
    }

    /// Every file of the work tree.
    pub(crate) fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut out = BTreeMap::new();
        collect(&self.work(), &self.work(), &mut out);
        out
    }

    /// The root of the snapshot of the work tree, made from nothing.
    pub(crate) fn root_from_nothing(&self) -> cortex_model::Hash {
        let store = tempfile::tempdir().expect("a temporary folder can be made");
        let index = open(&self.work(), store.path());
        let (side, _) = index.side(Side::WorkTree, &Silent).expect("it is indexed");
        side.snapshot.root_hash()
    }

    /// The root of the snapshot of the work tree, as it is kept.
    pub(crate) fn root(&self) -> cortex_model::Hash {
        let (side, _) = (self.index.side(Side::WorkTree, &Silent)).expect("it is indexed");
        side.snapshot.root_hash()
    }
}

fn collect(root: &Path, folder: &Path, out: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if entry.file_name() == ".git" {
            continue;
        }
        if path.is_dir() {
            collect(root, &path, out);
        } else {
            let name = path.strip_prefix(root).expect("inside").to_string_lossy();
            out.insert(name.replace('\\', "/"), fs::read(&path).expect("a file"));
        }
    }
}

/// Members that a type gets.
pub(crate) fn add(text: &str) -> MemberAction<'_> {
    MemberAction::Add { text }
}

/// What a declaration becomes.
pub(crate) fn replace(text: &str) -> MemberAction<'_> {
    MemberAction::Replace { text }
}
