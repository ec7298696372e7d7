//! Words of the command line for what would show more of an answer.
//!
//! Owns: flags, and the command that was given. Must not know: answers.

use std::sync::OnceLock;

use cortex_context::{Form, More, TestFilter};
use cortex_wire::{HistoryFill, SafeStep};

/// What to ask for, in flags and commands.
pub(crate) fn more(more: &More<'_>) -> String {
    match more {
        More::Items { total: Some(total) } => format!("--limit {total}"),
        More::Items { total: None } => "--limit".to_owned(),
        More::Tokens => "--budget".to_owned(),
        More::Time => "--timeout".to_owned(),
        More::Json => "--format json".to_owned(),
        More::Whole {
            tokens,
            items,
            form,
        } => whole(*tokens, *items, *form),
        More::AllMembers => "--members all".to_owned(),
        More::Mentions => "--mentions".to_owned(),
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

fn whole(tokens: Option<usize>, items: Option<usize>, form: Form) -> String {
    let option = match tokens {
        Some(tokens) => format!("--budget {tokens}"),
        None => "--format json".to_owned(),
    };
    let asked = asked();
    match (form, items) {
        (Form::Request, Some(items)) => asked.with(Some(&items.to_string()), &option),
        (Form::Request, None) => asked.with(asked.limit.as_deref(), &option),
        (Form::Difference, Some(items)) => format!("--limit {items} {option}"),
        (Form::Difference, None) => option,
    }
}

fn tests_of(range: Option<&str>) -> String {
    let mut out = String::from("git cortex tests");
    for revision in range.into_iter().flat_map(|range| range.split(' ')) {
        if !revision.is_empty() {
            out.push(' ');
            out.push_str(&argument(revision));
        }
    }
    out
}

fn run_tests(project: Option<&str>, filter: TestFilter<'_>) -> String {
    let project = project.map_or(String::new(), |path| format!(" {}", quoted(path)));
    let filter = match filter {
        TestFilter::Expression(text) => quoted(text),
        TestFilter::OfRange(range) => {
            format!("\"$({} --format filter)\"", tests_of(Some(range)))
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
        } => format!("narrow to {folder}, which has {hits} of {total} hits"),
        SafeStep::MoreTime => {
            "time limit reached: allow more with --timeout, or name one area with --area".to_owned()
        }
        SafeStep::MoreFiles { left, is_broader } => format!(
            "{left} more files contain words of the question: add a word, or use {}",
            match is_broader {
                true => "--mode broad",
                false => "a larger --max-files",
            }
        ),
        SafeStep::NoFiles => "there are no files to search".to_owned(),
        SafeStep::EmptyArea { area } => {
            format!("{area} has no files: `git cortex areas` lists the areas")
        }
        SafeStep::OtherAreas { area } => {
            format!("no line in {area} matches: search everywhere without --area")
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

/// The command as it was given.
fn asked() -> &'static Command {
    static ASKED: OnceLock<Command> = OnceLock::new();
    ASKED.get_or_init(|| {
        let all = std::env::args_os().skip(1);
        let all: Vec<String> = all.map(|it| it.to_string_lossy().into_owned()).collect();
        Command::asked(&all)
    })
}

/// An argument for shells: single quotes where double ones would let the shell read more into it.
fn quoted(text: &str) -> String {
    if text.contains(['`', '$', '\\', '"', '!']) {
        format!("'{}'", text.replace('\'', r"'\''"))
    } else {
        format!("\"{text}\"")
    }
}

/// The command that asks for an answer, ready for a shell.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Command {
    /// Up to the range.
    start: String,
    /// The pathspecs, which follow all options.
    paths: String,
    /// `--limit`, where it was given.
    limit: Option<String>,
}

impl Command {
    /// The command of arguments as they were given, without those that say how much is shown, in which form and where.
    fn asked(arguments: &[String]) -> Self {
        let (mut start, mut paths) = (String::from("git cortex"), String::new());
        let mut limit = None;
        let mut all = arguments.iter();
        while let Some(text) = all.next() {
            let name = text.split('=').next().unwrap_or(text);
            if !paths.is_empty() || text == "--" {
                paths.push(' ');
                paths.push_str(&word(text));
            } else if name == "--limit" {
                limit = match text.split_once('=') {
                    Some((_, value)) => Some(value.to_owned()),
                    None => all.next().cloned(),
                };
            } else if OF_SHOWING.contains(&name) {
                if !text.contains('=') {
                    all.next();
                }
            } else if !ABOUT_RUNNING.contains(&text.as_str()) {
                start.push(' ');
                start.push_str(&word(text));
            }
        }
        Self {
            start,
            paths,
            limit,
        }
    }

    /// The command with a limit and an option.
    fn with(&self, limit: Option<&str>, option: &str) -> String {
        let limit = limit.map_or(String::new(), |n| format!(" --limit {}", word(n)));
        format!("{}{limit} {option}{}", self.start, self.paths)
    }
}

/// Options with a value that the proposed command has otherwise, or that say nothing of the answer.
const OF_SHOWING: [&str; 3] = ["--budget", "--format", "--color"];

/// Options without a value that say nothing of the answer.
const ABOUT_RUNNING: [&str; 3] = ["--no-pager", "--quiet", "-q"];

/// One argument.
fn word(text: &str) -> String {
    match text.is_empty() || text.contains(' ') {
        true => format!("'{}'", text.replace('\'', r"'\''")),
        false => argument(text),
    }
}

/// One argument, or several words of a range, quoted where a shell would read more into it.
fn argument(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_./~^@{}:=+,%- ".contains(c);
    if text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::Command;

    #[test]
    fn the_proposed_command_is_the_one_that_was_asked() {
        let of = |text: &str| {
            let arguments: Vec<String> = text.split('|').map(str::to_owned).collect();
            let asked = Command::asked(&arguments);
            asked.with(asked.limit.as_deref(), "--budget 16000")
        };
        assert_eq!(
            of("usages|A.B(int)|--scope|Tests & src|--at=v1|--budget|10|--format=md|--no-pager|-q"),
            "git cortex usages 'A.B(int)' --scope 'Tests & src' --at=v1 --budget 16000"
        );
        assert_eq!(
            of("callers|A|--limit=3|--depth|2"),
            "git cortex callers A --depth 2 --limit 3 --budget 16000"
        );
        let arguments = ["map", "--limit", "3"].map(str::to_owned);
        let raised = Command::asked(&arguments);
        assert_eq!(
            raised.with(Some("9"), "--budget 16000"),
            "git cortex map --limit 9 --budget 16000"
        );
        assert_eq!(
            of("diff-context|HEAD~1|--budget|9|--|src|--budget|it's"),
            r"git cortex diff-context HEAD~1 --budget 16000 -- src --budget 'it'\''s'"
        );
    }
}
