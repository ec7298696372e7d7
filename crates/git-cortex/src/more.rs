//! Words of the command line for what would show more of an answer.
//!
//! Owns: flags. Must not know: answers.

use cortex_context::{Form, More, TestFilter};
use cortex_wire::{HistoryFill, SafeStep};

use crate::{given::Given, shell::quoted};

/// What to ask for, in flags and commands.
pub(crate) fn more(more: &More<'_>, given: &Given) -> String {
    match more {
        More::Items { total: Some(total) } => format!("--limit {total}"),
        More::Items { total: None } => "--limit N".to_owned(),
        More::Tokens => "--budget".to_owned(),
        More::Time => "--timeout TIME".to_owned(),
        More::Json => "--format json".to_owned(),
        More::Whole {
            tokens,
            items,
            form,
        } => whole(*tokens, *items, *form, given),
        More::AllMembers => "--members all".to_owned(),
        More::Mentions => "--mentions".to_owned(),
        More::WithOverrides => "--with-overrides".to_owned(),
        More::WithReasons => "--all".to_owned(),
        More::TestTypes => "--test".to_owned(),
        More::Focus => "--focus NAME".to_owned(),
        More::Tests { total } => format!("--max {total}"),
        More::Files => "--files".to_owned(),
        More::Hierarchy => "git cortex hierarchy".to_owned(),
        More::Implementations => "git cortex implementations".to_owned(),
        More::ProjectStatus => "git cortex status --projects".to_owned(),
        More::TestsOf { range } => tests_of(*range),
        More::RunTests { project, filter } => run_tests(*project, *filter),
        More::OlderCommits(fill) => older_commits(fill),
        More::AfterSearch(step) => after_search(step),
        _ => String::new(),
    }
}

fn whole(tokens: Option<usize>, items: Option<usize>, form: Form, given: &Given) -> String {
    let option = match tokens {
        Some(tokens) => format!("--budget {tokens}"),
        None => "--format json".to_owned(),
    };
    match (form, items) {
        (Form::Request, Some(items)) => given.with(Some(&items.to_string()), &option),
        (Form::Request, None) => given.with(None, &option),
        (Form::Difference, Some(items)) => format!("--limit {items} {option}"),
        (Form::Difference, None) => option,
    }
}

fn tests_of(range: Option<&str>) -> String {
    let mut out = String::from("git cortex tests");
    for revision in range.into_iter().flat_map(|range| range.split(' ')) {
        if !revision.is_empty() {
            out.push(' ');
            out.push_str(&quoted(revision));
        }
    }
    out
}

fn run_tests(project: Option<&str>, filter: TestFilter<'_>) -> String {
    let project = project.map_or(String::new(), |path| format!(" {}", quoted(path)));
    let filter = match filter {
        TestFilter::Expression(text) => quoted(text).into_owned(),
        TestFilter::OfRange { range, or } => {
            // Of what names have, a shell takes the mark of arity alone for something else.
            let others = or.map_or(String::new(), |text| format!("|{text}").replace('`', "\\`"));
            format!("\"$({} --format filter){others}\"", tests_of(Some(range)))
        }
    };
    format!("dotnet test{project} --filter {filter}")
}

/// What indexes or fetches older commits.
pub(crate) fn older_commits(fill: &HistoryFill) -> String {
    match fill {
        HistoryFill::Unshallow => "git fetch --unshallow".to_owned(),
        HistoryFill::IndexRange { from, to } => {
            format!("git cortex index --history {from}..{to} --first-parent")
        }
        HistoryFill::IndexCommits { newest, count } => {
            format!("git cortex index --history {newest} --first-parent -n {count}")
        }
    }
}

fn after_search(step: &SafeStep) -> String {
    match step {
        SafeStep::NarrowToFolder {
            folder,
            hits,
            total,
        } => format!("narrow the search to {folder}, which has {hits} of {total} hits"),
        SafeStep::MoreTime => {
            "time limit reached: use a longer --timeout, or search one area with --area".to_owned()
        }
        SafeStep::MoreFiles { left, is_broader } => format!(
            "{left} more files contain these words: add a word, or use {}",
            match is_broader {
                true => "--mode broad",
                false => "a larger --max-files",
            }
        ),
        SafeStep::NoFiles => "no files to search".to_owned(),
        SafeStep::EmptyArea { area } => {
            format!("{area} has no files: run `git cortex areas` to list the areas")
        }
        SafeStep::OtherAreas { area } => {
            format!("no line in {area} matches: drop --area to search everywhere")
        }
        SafeStep::OtherWords => {
            "no file contains any of these words: try a synonym, or part of a word".to_owned()
        }
        SafeStep::PartOfWord => {
            "no line contains these words: try `git cortex search text` with part of a word"
                .to_owned()
        }
    }
}
