//! `git cortex tests`.

use std::{io::BufRead, process::ExitCode};

use anyhow::Context;
use cortex_change::{Look, Unknown, is_range, tests_of_change, tests_of_symbols};
use cortex_context::{RenderOptions, TestsLevel};
use cortex_git::RangeSpec;
use cortex_index::Index;
use cortex_look::QueryError;
use cortex_wire::{SubjectTests, TestsAnswer};

use crate::{
    arguments::{self, Global, TestLevel, TestsFormat},
    commands::{print_json_text, print_text, status::side_of},
    failure::Failure,
    progress::Bar,
    session,
};

/// Tests that are shown to people unless they say otherwise.
const SHOWN: usize = 20;

pub(crate) fn run(global: &Global, options: &arguments::Tests) -> Result<ExitCode, Failure> {
    let symbols = if options.stdin {
        let lines = std::io::stdin().lock().lines();
        let lines = lines.collect::<Result<Vec<String>, _>>();
        let lines = lines.context("read symbols from standard input")?;
        let words = lines.iter().map(|line| line.trim().to_owned());
        words.filter(|line| !line.is_empty()).collect()
    } else {
        options.asked.clone()
    };
    let max = options.max.unwrap_or(match options.format {
        TestsFormat::Text | TestsFormat::Md => SHOWN,
        TestsFormat::Json | TestsFormat::Jsonl | TestsFormat::Filter => usize::MAX,
    });
    let n_paths = match options.format {
        TestsFormat::Jsonl | TestsFormat::Filter => 0,
        TestsFormat::Text | TestsFormat::Md | TestsFormat::Json => max,
    };
    let index = session::open(global)?;
    let bar = Bar::new(global.quiet);
    let is_change = !options.stdin
        && options.at.is_none()
        && (symbols.is_empty() || is_range(&index, &symbols));
    let result = if is_change {
        of_change(&index, symbols, n_paths, &bar)
    } else {
        of_symbols(&index, options, &symbols, n_paths, &bar)
    };
    bar.finish();
    session::report_notices(&index, global.quiet);
    let answers = TestsAnswer { subjects: result? };
    index.store.release();
    let render = RenderOptions {
        budget: usize::MAX,
        tokenizer: &cortex_context::CharsOver4,
        phrase: &crate::more::more,
    };
    match options.format {
        TestsFormat::Text => print_text(&cortex_context::tests_text(&answers, max, &render))?,
        TestsFormat::Md => print_text(&cortex_context::tests_markdown(&answers, max, &render))?,
        TestsFormat::Json => print_json_text(&cortex_context::json(
            &cortex_context::nearest_tests(&answers, max),
        ))?,
        TestsFormat::Jsonl => print_json_text(&cortex_context::tests_jsonl(&answers, max))?,
        TestsFormat::Filter => {
            let level = match options.level {
                TestLevel::Class => TestsLevel::Classes,
                TestLevel::Method => TestsLevel::Methods,
            };
            print_text(&cortex_context::tests_filter(&answers, level, max))?;
        }
    }
    session::settle(&index, global);
    Ok(
        match answers.subjects.iter().any(|answer| answer.error.is_some()) {
            true => ExitCode::FAILURE,
            false => ExitCode::SUCCESS,
        },
    )
}

fn of_change(
    index: &Index,
    revisions: Vec<String>,
    n_paths: usize,
    bar: &Bar,
) -> Result<Vec<SubjectTests>, Failure> {
    let asked = match revisions.as_slice() {
        [] => "the work tree".to_owned(),
        revisions => revisions.join(" "),
    };
    let spec = RangeSpec {
        revisions,
        ..RangeSpec::default()
    };
    let range = index.repo.resolve_range(&spec)?;
    let answer = session::mending(index, QueryError::is_damage, || {
        let (old, _) = index.side(range.old, bar)?;
        let (new, _) = index.side(range.new, bar)?;
        tests_of_change(&old.snapshot, &new.snapshot, &asked, n_paths, Look::All)
    })?;
    Ok(vec![answer])
}

fn of_symbols(
    index: &Index,
    options: &arguments::Tests,
    symbols: &[String],
    n_paths: usize,
    bar: &Bar,
) -> Result<Vec<SubjectTests>, Failure> {
    let (_, side) = side_of(index, options.at.as_deref())?;
    let unknown = if options.stdin {
        Unknown::IsTold
    } else {
        Unknown::Fails
    };
    Ok(session::mending(index, QueryError::is_damage, || {
        let (side, _) = index.side(side, bar)?;
        let mut blobs = index.blobs(&side);
        tests_of_symbols(&side.snapshot, symbols, unknown, n_paths, &mut *blobs)
    })?)
}
