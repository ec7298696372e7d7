//! The list of commands in `git cortex --help`, by what they are for.

use clap::{Command, CommandFactory};

use super::Arguments;

/// What commands are for, and which ones.
const GROUPS: [(&str, &[&str]); 7] = [
    (
        "Explain changes",
        &["diff-context", "prove", "api", "history", "tests"],
    ),
    (
        "Explore code",
        &[
            "outline",
            "map",
            "source",
            "resolve",
            "search",
            "usages",
            "callers",
            "callees",
            "implementations",
            "overrides",
            "hierarchy",
            "deps",
            "cycles",
            "unused",
        ],
    ),
    ("Select files", &["areas", "scope"]),
    (
        "Keep context fresh",
        &[
            "export-context",
            "check",
            "pack",
            "window",
            "pin",
            "unpin",
            "dismiss",
            "context",
            "install-hooks",
        ],
    ),
    ("Serve agents and editors", &["mcp", "guide", "daemon"]),
    (
        "Change code",
        &["edit", "review", "verify", "apply", "undo", "ops"],
    ),
    (
        "Maintain the index",
        &[
            "index",
            "status",
            "export",
            "gc",
            "config",
            "man",
            "completions",
        ],
    ),
];

/// The command line with its commands listed in groups.
pub(crate) fn command() -> Command {
    let command = Arguments::command();
    let width = 2
        + (command.get_subcommands())
            .map(|it| it.get_name().len())
            .max()
            .unwrap_or(0);
    let mut list = String::new();
    for (group, names) in GROUPS {
        list.push_str(&format!("\n{group}:\n"));
        for name in names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            list.push_str(&format!("  {name:<width$}{about}\n"));
        }
    }
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n{list}\nOptions:\n{{options}}{{after-help}}\n"
    ))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::CommandFactory;

    use super::{Arguments, GROUPS};

    #[test]
    fn every_command_is_in_one_group() {
        let command = Arguments::command();
        let shown = command.get_subcommands().filter(|it| !it.is_hide_set());
        let shown: BTreeSet<&str> = shown.map(|it| it.get_name()).collect();
        let listed: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| names.iter().copied())
            .collect();
        assert_eq!(listed.iter().copied().collect::<BTreeSet<_>>(), shown);
        assert_eq!(listed.len(), shown.len(), "none is listed twice");
    }
}
