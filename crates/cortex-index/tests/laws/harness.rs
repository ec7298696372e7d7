//! Repositories of generated trees and what an index says of their commits.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use cortex_fixture::Fixture;
use cortex_git::{ConfigScope, Repository, Side};
use cortex_index::{
    BoundTarget, Index, IndexOptions, IndexOutcome, Launcher, MemberTag, Progress, References,
    Roots, Snapshot, Stage,
};
use cortex_store::{OpenOptions, Store};
use proptest::test_runner::Config;
use tempfile::TempDir;

/// Path to content.
pub(crate) type Tree = BTreeMap<String, String>;

pub(crate) struct Silent;

impl Progress for Silent {
    fn report(&self, _: Stage, _: usize, _: usize) {}
}

/// As many cases as `PROPTEST_CASES` says, else so many.
pub(crate) fn cases(default: u32) -> Config {
    let config = Config {
        failure_persistence: None,
        max_shrink_iters: 2_000,
        ..Config::default()
    };
    if std::env::var_os("PROPTEST_CASES").is_some() {
        config
    } else {
        Config {
            cases: default,
            ..config
        }
    }
}

/// A repository with a history, and stores beside it.
pub(crate) struct History {
    folder: TempDir,
    len: usize,
}

impl History {
    pub(crate) fn new(trees: &[Tree]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let work = folder.path().join("work");
        std::fs::create_dir(&work).expect("a new folder");
        Fixture::commit_all_into(trees, &work).expect("git makes the history");
        Self {
            folder,
            len: trees.len(),
        }
    }

    pub(crate) fn work(&self) -> std::path::PathBuf {
        self.folder.path().join("work")
    }

    /// An index of the history over the store of this name, which is made if it is new.
    pub(crate) fn index(&self, store: &str) -> Index {
        index(&self.work(), &self.folder.path().join(store))
    }

    /// The commit of the tree with this number.
    pub(crate) fn side(&self, index: &Index, number: usize) -> Side {
        let commit = index
            .repo
            .resolve(&format!("refs/heads/main~{}", self.len - 1 - number))
            .expect("the commit exists");
        let tree = index.repo.commit(commit).expect("the commit exists").tree;
        Side::Commit { commit, tree }
    }

    pub(crate) fn snapshot(&self, index: &Index, number: usize) -> (Snapshot, IndexOutcome) {
        let (side, outcome) = index
            .side(self.side(index, number), &Silent)
            .expect("the commit can be indexed");
        (side.snapshot, outcome)
    }
}

fn index(work: &Path, folder: &Path) -> Index {
    let options = OpenOptions {
        cache_bytes: 1 << 20,
        page_cache_bytes: 1 << 20,
        ..OpenOptions::default()
    };
    Index {
        repo: Repository::open_with(work, ConfigScope::RepositoryOnly)
            .expect("the repository opens"),
        store: Arc::new(Store::open(folder, &options).expect("the store opens")),
        options: IndexOptions::default(),
        launcher: Launcher::InProcess,
        references: References::new(Roots::default()),
        parallel: 1,
        now: 0,
        unread: cortex_index::UnreadFiles::default(),
        interrupt: cortex_model::Interrupt::default(),
    }
}

/// Everything that a snapshot says, as sorted lines: what the message of a failed law shows.
pub(crate) fn dump(snapshot: &Snapshot) -> Vec<String> {
    let mut out = vec![format!("{:?}", snapshot.stats())];
    let names: BTreeMap<_, _> = snapshot
        .types()
        .expect("types")
        .into_iter()
        .map(|(key, node)| (key, node.fqn))
        .collect();
    for (key, node) in snapshot.types().expect("types") {
        let fqn = &node.fqn;
        let edges: Vec<_> = (snapshot.edges(key).expect("edges").source.iter())
            .map(|edge| {
                (
                    names.get(&edge.target).cloned().unwrap_or_default(),
                    edge.kinds,
                    edge.count,
                )
            })
            .collect();
        out.push(format!(
            "type {fqn} {:?} edges {edges:?} node {node:?}",
            node.project
        ));
        out.push(format!(
            "symbols {fqn} {:?}",
            snapshot.symbols(key).expect("symbols")
        ));
        let referrers = snapshot.referrers(key, None).expect("referrers");
        let referrers: Vec<_> = referrers.iter().map(|file| &file.path).collect();
        out.push(format!("referrers {fqn} {referrers:?}"));
        for (user, kinds) in snapshot.dependents(key).expect("dependents") {
            out.push(format!(
                "dependent {fqn} <- {:?} {kinds:?}",
                names.get(&user)
            ));
        }
        let simple = fqn.rsplit(['.', '+']).next().unwrap_or(fqn);
        let named = snapshot
            .types_named(simple.split('`').next().unwrap_or(simple))
            .expect("names");
        out.extend(named.iter().map(|symbol| format!("name {symbol:?}")));
    }
    for file in snapshot.files().expect("files") {
        for project in &file.projects {
            let bindings = snapshot.bindings(&file.path, project).expect("bindings");
            let named = |target: u32| match &bindings.targets[target as usize] {
                BoundTarget::Type(key) => format!("{:?}", names.get(key)),
                BoundTarget::Member(key, tag) => format!("{:?} {tag:?}", names.get(key)),
                BoundTarget::External(id, _) => id.to_string(),
            };
            for decl in &bindings.decls {
                let refs = decl
                    .refs
                    .iter()
                    .map(|it| (it.offset, named(it.target), it.kind));
                let uses = decl
                    .uses
                    .iter()
                    .map(|it| (it.offset, named(it.target), it.how));
                out.push(format!(
                    "bound {} {project:?} {:?} {:?} {:?} {:?}",
                    file.path,
                    decl.decl,
                    refs.collect::<Vec<_>>(),
                    uses.collect::<Vec<_>>(),
                    decl.unbound,
                ));
            }
            let targets = 0..bindings.targets.len() as u32;
            let targets: Vec<_> = targets.map(named).collect();
            out.push(format!("targets {} {project:?} {targets:?}", file.path));
        }
        out.push(format!("file {file:?}"));
    }
    out.extend(
        snapshot
            .projects()
            .expect("projects")
            .iter()
            .map(|project| format!("project {project:?}")),
    );
    for namespace in ["N", "M", "N.M", "N.A", "M.B", "A", "N.M.K"] {
        out.push(format!(
            "namespace {namespace} {}",
            snapshot.has_namespace(namespace).expect("namespaces")
        ));
    }
    out.sort();
    out.dedup();
    out
}

/// Nothing where two snapshots are equal; else what differs.
pub(crate) fn difference(incremental: &Snapshot, full: &Snapshot) -> Option<String> {
    check_records(incremental);
    if incremental.root_hash() == full.root_hash() && incremental.stats() == full.stats() {
        return None;
    }
    let (a, b) = (dump(incremental), dump(full));
    let mut out = String::new();
    for line in a.iter().filter(|line| !b.contains(line)) {
        out.push_str(&format!("only incremental: {line}\n"));
    }
    for line in b.iter().filter(|line| !a.contains(line)) {
        out.push_str(&format!("only full: {line}\n"));
    }
    out.push_str(&format!("{incremental:?}\n{full:?}\n"));
    Some(out)
}

/// Indexes a history in some order of its commits and compares each with an index of its own.
#[track_caller]
pub(crate) fn check_order(trees: &[Tree], order: &[usize]) {
    let history = History::new(trees);
    let index = history.index("incremental");
    for (step, &number) in order.iter().enumerate() {
        let (incremental, _) = history.snapshot(&index, number);
        let fresh = history.index(&format!("fresh-{step}"));
        let (full, _) = history.snapshot(&fresh, number);
        if let Some(difference) = difference(&incremental, &full) {
            let mut texts = String::new();
            for number in order[..=step].iter().rev().take(2).rev() {
                texts.push_str(&format!("=== tree {number}\n"));
                for (path, text) in &trees[*number] {
                    texts.push_str(&format!("--- {path}\n{text}"));
                }
            }
            panic!("step {step} of {order:?} (tree {number}) differs:\n{difference}\n{texts}");
        }
    }
}

/// What is read of a part of a record is what the whole record says; every member that is written is described,
/// and has a tag of its own.
#[track_caller]
fn check_records(snapshot: &Snapshot) {
    for (key, node) in snapshot.types().expect("types") {
        let header = snapshot.type_header(key).expect("header").expect("a type");
        assert_eq!(
            (&header.fqn, header.kind, header.effective, &header.project),
            (&node.fqn, node.kind, node.effective, &node.project)
        );
        assert_eq!(
            (
                &header.assembly,
                &header.parts,
                &header.base_list,
                &header.bases
            ),
            (&node.assembly, &node.parts, &node.base_list, &node.bases)
        );
        let symbols = snapshot.symbols(key).expect("symbols");
        let implementations = snapshot.implementations(key).expect("implementations");
        assert_eq!(implementations, symbols.implementations);
        let declared: Vec<Option<usize>> = symbols.declared().collect();
        assert_eq!(declared.len(), node.members.len(), "{}", node.fqn);
        for (member, at) in node.members.iter().zip(&declared) {
            let Some(at) = *at else { continue };
            let symbol = &symbols.members[at];
            assert_eq!(member.accessibility, symbol.accessibility, "{}", symbol.id);
        }
        let mut tags: Vec<(MemberTag, &str)> = symbols
            .tags()
            .zip(symbols.members.iter().map(|member| &*member.id))
            .collect();
        tags.sort_unstable();
        tags.dedup();
        let n_pairs = tags.len();
        tags.dedup_by_key(|(tag, _)| *tag);
        assert_eq!(
            n_pairs,
            tags.len(),
            "two members of {} share a tag",
            node.fqn
        );
    }
}
