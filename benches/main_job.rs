//! The main job over the demonstration repository: cold, one commit further, asked again.
//!
//! Run with `cargo xtask bench`. Parsing happens in this process here; whole processes on real
//! repositories are measured as `docs/performance.md` says.

use std::{path::Path, sync::Arc};

use cortex_git::{RangeSpec, Repository};
use cortex_index::{Index, IndexOptions, Launcher, Progress, References, Roots, Stage};
use cortex_query::{Question, diff_context};
use cortex_store::{OpenOptions, Store};
use cortex_syntax::{Extractor, ParseOptions};
use criterion::{BatchSize, Criterion, Throughput};
use tempfile::TempDir;

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
    }
}

fn question(range: &str) -> Question {
    let range = RangeSpec {
        revisions: vec![range.to_owned()],
        ..RangeSpec::default()
    };
    Question { range }
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
    criterion.final_summary();
}
