//! The command as it was given, to suggest it again with more room.
//!
//! Owns: how parsed arguments are written for a shell. Must not know: what they mean.

use clap::{
    Arg, ArgMatches,
    parser::{MatchesError, ValueSource},
};

use crate::shell::quoted;

/// A command, without the options that limit or format its answer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Given {
    /// Up to the options.
    start: String,
    /// What follows all options: git pathspecs.
    paths: String,
    /// `--limit`, if given.
    limit: Option<String>,
}

/// Options that a suggestion sets itself, or that do not change the answer.
const LEFT_OUT: [&str; 6] = ["budget", "format", "color", "no_pager", "quiet", "timing"];

impl Given {
    /// The command of parsed arguments; `command` is the whole command line, which parsed them.
    pub(crate) fn new(command: &clap::Command, matches: &ArgMatches) -> Self {
        let mut out = Self {
            start: "git cortex".to_owned(),
            ..Self::default()
        };
        let (mut command, mut matches) = (command, matches);
        while let Some((name, inner)) = matches.subcommand() {
            let Some(found) = command.find_subcommand(name) else {
                break;
            };
            out.start.push(' ');
            out.start.push_str(name);
            (command, matches) = (found, inner);
        }
        let (positional, options): (Vec<&Arg>, Vec<&Arg>) =
            command.get_arguments().partition(|it| it.is_positional());
        for argument in positional.into_iter().chain(options) {
            out.add(argument, matches);
        }
        out
    }

    fn add(&mut self, argument: &Arg, matches: &ArgMatches) {
        let id = argument.get_id().as_str();
        if LEFT_OUT.contains(&id) || !is_given(matches, id) {
            return;
        }
        let values: Vec<String> = matches
            .get_raw(id)
            .into_iter()
            .flatten()
            .map(|value| value.to_string_lossy().into_owned())
            .collect();
        if id == "limit" {
            self.limit = values.into_iter().next_back();
            return;
        }
        let flag = match (argument.get_long(), argument.get_short()) {
            (Some(long), _) => format!(" --{long}"),
            (None, Some(short)) => format!(" -{short}"),
            (None, None) => String::new(),
        };
        if argument.is_last_set() {
            self.paths.push_str(" --");
        }
        let takes_values = argument.get_action().takes_values();
        if !takes_values {
            self.start.push_str(&flag);
            return;
        }
        for value in values {
            let out = match argument.is_last_set() {
                true => &mut self.paths,
                false => &mut self.start,
            };
            out.push_str(&flag);
            out.push(' ');
            out.push_str(&quoted(&value));
        }
    }

    /// The command with a limit, or the one it was given, and an option.
    pub(crate) fn with(&self, limit: Option<&str>, option: &str) -> String {
        let limit = limit.or(self.limit.as_deref());
        let limit = limit.map_or(String::new(), |n| format!(" --limit {}", quoted(n)));
        format!("{}{limit} {option}{}", self.start, self.paths)
    }
}

/// Whether an argument is on the command line, not a default.
fn is_given(matches: &ArgMatches, id: &str) -> bool {
    let is_known = !matches!(
        matches.try_contains_id(id),
        Err(MatchesError::UnknownArgument { .. })
    );
    is_known && matches.value_source(id) == Some(ValueSource::CommandLine)
}

#[cfg(test)]
mod tests {
    use super::Given;
    use crate::arguments;

    fn given(text: &str) -> Given {
        let mut command = arguments::command();
        let arguments = ["git-cortex"].into_iter().chain(text.split('|'));
        let matches = command.try_get_matches_from_mut(arguments);
        Given::new(&command, &matches.expect("the arguments are valid"))
    }

    #[test]
    fn a_suggested_command_repeats_what_was_given() {
        for (text, expected) in [
            (
                "usages|A.B(int)|--scope|Tests & src|--at=v1|--budget|10|--format=md|--no-pager|-q",
                r#"git cortex usages "A.B(int)" --at v1 --scope "Tests & src" --budget 16000"#,
            ),
            (
                "callers|A|--limit=3|--depth|2",
                "git cortex callers A --depth 2 --limit 3 --budget 16000",
            ),
            (
                "diff-context|HEAD~1|--budget|9|--|src|--budget|it's",
                r#"git cortex diff-context HEAD~1 --budget 16000 -- src --budget "it's""#,
            ),
            (
                "search|symbols|OS|--kind|type,method",
                "git cortex search symbols OS --kind type --kind method --budget 16000",
            ),
            (
                "-C|sub folder|usages|A|--test",
                r#"git cortex usages A --test -C "sub folder" --budget 16000"#,
            ),
        ] {
            assert_eq!(given(text).with(None, "--budget 16000"), expected);
        }
        assert_eq!(
            given("map|--limit|3").with(Some("9"), "--budget 16000"),
            "git cortex map --limit 9 --budget 16000"
        );
    }
}
