//! Finds the command that a command line names, or shows its help.
//!
//! Owns: the list of commands and the kinds of arguments they share. Must not know what a command does.

use std::{ffi::OsString, process::ExitCode};

use anyhow::Result;

use crate::commands::{
    bench, corpus, demo, edits, fuzz, generate, histories, impact, install, laws, proptest, run,
    safe_search, snapshots, test,
};

/// One command: its name, what it is for, its manual and its function.
pub(crate) struct Command {
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) help: &'static str,
    pub(crate) run: fn(Arguments) -> Result<ExitCode>,
}

/// In the order of the overview: what a newcomer needs first.
const COMMANDS: &[&Command] = &[
    &run::COMMAND,
    &test::COMMAND,
    &snapshots::COMMAND,
    &proptest::COMMAND,
    &laws::COMMAND,
    &bench::COMMAND,
    &corpus::COMMAND,
    &histories::COMMAND,
    &impact::COMMAND,
    &edits::COMMAND,
    &safe_search::COMMAND,
    &fuzz::COMMAND,
    &demo::COMMAND,
    &generate::COMMAND,
    &install::COMMAND,
];

/// A command line that cannot be understood; the exit code is 2.
#[derive(Debug)]
pub(crate) struct UsageError(pub(crate) String);

impl std::fmt::Display for UsageError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

/// The arguments of one command, split at the first `--`.
pub(crate) struct Arguments {
    parser: lexopt::Parser,
    /// What stands after the first `--`, for the program that the command starts.
    pub(crate) rest: Vec<OsString>,
}

/// One argument before the `--`.
pub(crate) enum Argument {
    /// An option as written, with its dashes.
    Option(String),
    /// Anything else.
    Value(OsString),
}

impl Arguments {
    fn new(mut words: Vec<OsString>) -> Self {
        let rest = match words.iter().position(|word| word == "--") {
            Some(place) => {
                let rest = words.split_off(place + 1);
                words.truncate(place);
                rest
            }
            None => Vec::new(),
        };
        Self {
            parser: lexopt::Parser::from_args(words),
            rest,
        }
    }

    /// The next argument, or `None` after the last one.
    pub(crate) fn next(&mut self) -> Result<Option<Argument>> {
        Ok(match self.parser.next().map_err(usage)? {
            None => None,
            Some(lexopt::Arg::Short(letter)) => Some(Argument::Option(format!("-{letter}"))),
            Some(lexopt::Arg::Long(name)) => Some(Argument::Option(format!("--{name}"))),
            Some(lexopt::Arg::Value(value)) => Some(Argument::Value(value)),
        })
    }

    /// The value of the option that was read last.
    pub(crate) fn value(&mut self) -> Result<OsString> {
        self.parser.value().map_err(usage)
    }

    /// The value of the option that was read last, as text.
    pub(crate) fn text(&mut self) -> Result<String> {
        self.value()?
            .into_string()
            .map_err(|value| UsageError(format!("{} is not UTF-8", value.display())).into())
    }

    /// The value of the option that was read last, as a count above zero.
    pub(crate) fn count(&mut self) -> Result<u64> {
        let text = self.text()?;
        match text.parse() {
            Ok(count) if count > 0 => Ok(count),
            _ => Err(UsageError(format!("`{text}` is not a count above zero")).into()),
        }
    }
}

impl Argument {
    /// The error for an argument that the command does not know.
    pub(crate) fn unexpected<T>(&self) -> Result<T> {
        let shown = match self {
            Self::Option(option) => option.clone(),
            Self::Value(value) => value.display().to_string(),
        };
        Err(UsageError(format!("unexpected argument `{shown}`")).into())
    }
}

/// Runs the command that the words name.
pub(crate) fn dispatch(mut words: Vec<OsString>) -> Result<ExitCode> {
    if words.is_empty() {
        println!("{}", overview());
        return Ok(ExitCode::from(2));
    }
    let name = words.remove(0);
    if name == "help" || name == "-h" || name == "--help" {
        let text = match words.first() {
            Some(topic) => find_command(topic)?.manual(),
            None => overview(),
        };
        println!("{text}");
        return Ok(ExitCode::SUCCESS);
    }
    let command = find_command(&name)?;
    let asks_for_help = |word: &OsString| word == "-h" || word == "--help";
    if words
        .iter()
        .take_while(|word| *word != "--")
        .any(asks_for_help)
    {
        println!("{}", command.manual());
        return Ok(ExitCode::SUCCESS);
    }
    (command.run)(Arguments::new(words))
}

fn find_command(name: &OsString) -> Result<&'static Command> {
    COMMANDS
        .iter()
        .copied()
        .find(|command| name == command.name)
        .ok_or_else(|| UsageError(format!("unknown command `{}`", name.display())).into())
}

impl Command {
    fn manual(&self) -> String {
        format!("{}\n\n{}", self.summary, self.help.trim())
    }
}

fn overview() -> String {
    let mut text = String::from("Usage: cargo xtask <command> [arguments]\n\nCommands:\n");
    for command in COMMANDS {
        text += &format!("  {:<10} {}\n", command.name, command.summary);
    }
    text + "\n`cargo xtask help <command>` is the manual of one command."
}

fn usage(error: lexopt::Error) -> anyhow::Error {
    UsageError(error.to_string()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dispatch_words(words: &[&str]) -> Result<ExitCode> {
        dispatch(words.iter().map(OsString::from).collect())
    }

    #[test]
    fn every_command_has_a_manual_with_its_usage_and_an_example() {
        for command in COMMANDS {
            let manual = command.manual();
            let usage = format!("Usage: cargo xtask {}", command.name);
            assert!(manual.contains(&usage), "{manual}");
            assert!(manual.contains("Example"), "{manual}");
            assert!(!command.summary.ends_with('.'), "{}", command.summary);
        }
    }

    #[test]
    fn an_unknown_command_or_argument_is_a_usage_error() {
        for words in [
            &["rum"][..],
            &["demo", "a", "b"],
            &["proptest", "--cases", "0"],
            &["test", "--p"],
        ] {
            let error = dispatch_words(words).expect_err("the words are wrong");
            assert!(error.is::<UsageError>(), "{words:?}: {error}");
        }
    }

    #[test]
    fn what_follows_two_dashes_is_left_alone() {
        let mut arguments =
            Arguments::new(["a", "--", "--help", "--", "b"].map(OsString::from).into());
        assert_eq!(arguments.rest, ["--help", "--", "b"]);
        assert!(matches!(arguments.next(), Ok(Some(Argument::Value(value))) if value == "a"));
        assert!(matches!(arguments.next(), Ok(None)));
    }
}
