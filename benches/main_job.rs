//! The main job over the demonstration repository: cold, one commit further, asked again, a whole history,
//! an edited work tree, a lookup.
//!
//! Run with `cargo xtask bench`. Parsing happens in this process here; whole processes on real
//! repositories are measured as `docs/performance.md` says.

use std::{path::Path, sync::Arc};

use cortex_change::{Hunks, Question, UseLines, diff_context};
use cortex_git::{Parents, RangeSpec, Repository, Side};
use cortex_index::{Index, IndexOptions, Launcher, Progress, References, Roots, Stage};
use cortex_look::{Stages, resolve};
use cortex_store::{OpenOptions, Store};
use cortex_syntax::{Extractor, ParseOptions};
use criterion::{BatchSize, Criterion, Throughput};
use tempfile::TempDir;

/// A type of the demonstration repository.
const SYMBOL: &str = "FiringWorker";

struct Silent;

impl Progress for Silent {
    fn report(&self, _: Stage, _: usize, _: usize) {}
}

fn index(repository: &Path, store: &Path) -> Index {
    let repo = Repository::open(repository).expect("the demonstration repository");
    let store = Store::open(store, &OpenOptions::default()).expect("a fresh folder");
    Index {
        repo,
        store: Arc::new(store),
        options: IndexOptions::default(),
        launcher: Launcher::InProcess,
        references: References::new(Roots::default()),
        parallel: 1,
        now: 0,
        unread: cortex_index::UnreadFiles::default(),
        interrupt: cortex_index::Interrupt::default(),
    }
}

fn question(range: &str) -> Question {
    let range = RangeSpec {
        revisions: vec![range.to_owned()],
        ..RangeSpec::default()
    };
    Question {
        range,
        scope: None,
        scope_text: String::new(),
        uses: UseLines::First(8_000 / 6 + 1),
        hunks: Hunks::Counted,
        ..Question::default()
    }
}

fn ask(index: &Index, range: &str) {
    diff_context(index, &question(range), &Silent).expect("the range is one of the repository");
}

fn main_job(criterion: &mut Criterion) {
    let folder = TempDir::new().expect("a temporary folder");
    let repository = folder.path().join("demo");
    xtask::demo::build(&xtask::demo::history(), &repository).expect("git builds the repository");
    let fresh = || TempDir::new().expect("a temporary folder");

    criterion.bench_function("cold: HEAD~1..HEAD from an empty store", |bencher| {
        let each = |store: TempDir| {
            ask(&index(&repository, store.path()), "HEAD~1..HEAD");
            store
        };
        bencher.iter_batched(fresh, each, BatchSize::PerIteration);
    });
    criterion.bench_function("warm: one commit further", |bencher| {
        let indexed = || {
            let store = fresh();
            ask(&index(&repository, store.path()), "HEAD~2..HEAD~1");
            store
        };
        let each = |store: TempDir| {
            ask(&index(&repository, store.path()), "HEAD~1..HEAD");
            store
        };
        bencher.iter_batched(indexed, each, BatchSize::PerIteration);
    });
    let store = fresh();
    ask(&index(&repository, store.path()), "HEAD~1..HEAD");
    criterion.bench_function("again: both sides indexed", |bencher| {
        bencher.iter(|| ask(&index(&repository, store.path()), "HEAD~1..HEAD"));
    });
}

/// `HEAD` as a side.
fn head(index: &Index) -> Side {
    let commit = index.repo.resolve("HEAD").expect("it has commits");
    let tree = index.repo.commit(commit).expect("it is there").tree;
    Side::Commit { commit, tree }
}

fn further_jobs(criterion: &mut Criterion) {
    let folder = TempDir::new().expect("a temporary folder");
    let repository = folder.path().join("demo");
    xtask::demo::build(&xtask::demo::history(), &repository).expect("git builds the repository");
    let fresh = || TempDir::new().expect("a temporary folder");
    let indexed = || {
        let store = fresh();
        let index = index(&repository, store.path());
        let side = head(&index);
        index.side(side, &Silent).expect("it can be indexed");
        store
    };

    criterion.bench_function("history: all commits from an empty store", |bencher| {
        let each = |store: TempDir| {
            let index = index(&repository, store.path());
            let newest = index.repo.resolve("HEAD").expect("it has commits");
            let commits = index
                .repo
                .history(None, newest, Parents::First, usize::MAX)
                .expect("they are there");
            index
                .history(&commits, &Silent)
                .expect("they can be indexed");
            store
        };
        bencher.iter_batched(fresh, each, BatchSize::PerIteration);
    });

    let store = indexed();
    criterion.bench_function("lookup: opened, one symbol", |bencher| {
        bencher.iter(|| {
            let index = index(&repository, store.path());
            let (side, _) = index.side(head(&index), &Silent).expect("it is indexed");
            let mut blobs = index.blobs(&side);
            resolve(&side.snapshot, SYMBOL, Stages::Exact, blobs.as_mut()).expect("it is declared")
        });
    });

    let file = repository.join("src/Kilnhouse.Worker/FiringWorker.cs");
    let mut text = std::fs::read(&file).expect("the work tree has it");
    text.extend_from_slice(b"\ninternal static class Edited { internal static int Value => 1; }\n");
    std::fs::write(&file, text).expect("the work tree is this bench's own");
    criterion.bench_function("edit: one file of the work tree", |bencher| {
        let each = |store: TempDir| {
            let index = index(&repository, store.path());
            let (_, outcome) = index
                .side(Side::WorkTree, &Silent)
                .expect("it can be indexed");
            assert_eq!(outcome.parsed, 1, "the edited file and no other");
            store
        };
        bencher.iter_batched(indexed, each, BatchSize::PerIteration);
    });
}

fn facts(criterion: &mut Criterion) {
    let text = include_bytes!(
        "../fixtures/demo/history/10-price-by-start/files/src/Kilnhouse.Worker/FiringWorker.cs"
    );
    let mut group = criterion.benchmark_group("facts");
    group.throughput(Throughput::Bytes(text.len() as u64));
    let mut extractor = Extractor::default();
    group.bench_function("of one file", |bencher| {
        bencher.iter(|| extractor.facts(text, &ParseOptions::default()));
    });
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args().sample_size(20);
    facts(&mut criterion);
    main_job(&mut criterion);
    further_jobs(&mut criterion);
    criterion.final_summary();
}
