//! The last section: what the budget cut, and the command that shows it.

use cortex_wire::RangeEntry;

use super::plan::{Plan, counted, grouped};
use crate::text;

/// Up to this budget another budget is proposed; beyond it JSON is.
const MAX_PROPOSED: usize = 128_000;

/// Below this budget only the command is said.
const TINY: usize = 150;

/// The command that asks for an answer, ready for a shell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    /// Up to the range.
    start: String,
    /// The pathspecs, which follow all options.
    paths: String,
    /// `--limit`, where it was given, or has to be for all to be told.
    limit: Option<String>,
    /// Whether that is more than what was given.
    is_limit_raised: bool,
}

impl Command {
    /// The command for `range`.
    pub(crate) fn new(range: &RangeEntry) -> Self {
        let mut start = String::from("git cortex diff-context");
        if !range.spec.is_empty() {
            start.push(' ');
            start.push_str(&argument(&range.spec));
        }
        let mut paths = String::new();
        for path in &range.paths {
            paths.push_str(if paths.is_empty() { " -- " } else { " " });
            paths.push_str(&argument(path));
        }
        Self {
            start,
            paths,
            limit: None,
            is_limit_raised: false,
        }
    }

    /// A command of these arguments, all of which come before its options.
    pub(crate) fn of(command: &str, arguments: &[&str]) -> Self {
        let mut start = format!("git cortex {command}");
        for text in arguments {
            start.push(' ');
            start.push_str(&argument(text));
        }
        Self {
            start,
            paths: String::new(),
            limit: None,
            is_limit_raised: false,
        }
    }

    /// The same for so many items, where an answer has fewer because of its limit.
    pub(crate) fn for_all(self, limit: Option<usize>) -> Self {
        match limit {
            None => self,
            Some(n) => Self {
                limit: Some(n.to_string()),
                is_limit_raised: true,
                ..self
            },
        }
    }

    /// The command of arguments as they were given, without those that say how much is shown, in which form and where.
    pub fn asked(arguments: &[String]) -> Self {
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
            is_limit_raised: false,
        }
    }

    /// The whole command without options.
    pub(crate) fn text(&self) -> String {
        format!("{}{}", self.start, self.paths)
    }

    /// The command with an option, as a code span.
    fn with(&self, option: &str) -> String {
        let limit = self.limit.iter().map(|n| format!(" --limit {}", word(n)));
        let limit: String = limit.collect();
        text::span(&format!("{}{limit} {option}{}", self.start, self.paths))
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

/// What is missing, by section: how many of each total are shown.
pub(crate) struct Missing {
    /// For each section and each of its totals, how many are shown.
    pub(crate) shown: Vec<Vec<usize>>,
    /// About how many tokens all of it would have.
    pub(crate) estimate: usize,
    /// The budget that was too small.
    pub(crate) budget: usize,
}

impl Missing {
    /// Whether anything is.
    pub(crate) fn is_empty(&self, plan: &Plan<'_>) -> bool {
        self.pairs(plan).next().is_none()
    }

    /// The section in a few lines.
    pub(crate) fn long(&self, plan: &Plan<'_>) -> String {
        let mut out = String::from("\n## Left out\n");
        let mut last = None;
        for (section, total, n) in self.pairs(plan) {
            if last == Some(section) {
                out.push_str(", ");
            } else {
                out.push_str(if last.is_some() { "\n- " } else { "- " });
                let heading = plan.sections[section].heading;
                if !heading.is_empty() {
                    out.push_str(heading);
                    out.push_str(": ");
                }
                last = Some(section);
            }
            let total = &plan.sections[section].totals[total];
            out.push_str(&format!(
                "{} of {}",
                grouped(n),
                counted(total.n, total.one, total.many)
            ));
        }
        let all = match self.proposed() {
            Some(budget) => format!(
                "{} or `--format json`",
                plan.command.with(&format!("--budget {budget}"))
            ),
            None => plan.command.with("--format json"),
        };
        out.push_str(&format!("\n\nAll of it: {all}\n"));
        out
    }

    /// The same in one line: for each section the first total of which something is missing.
    pub(crate) fn short(&self, plan: &Plan<'_>) -> String {
        let mut parts = Vec::new();
        let mut last = None;
        for (section, total, n) in self.pairs(plan) {
            if last != Some(section) {
                let total = &plan.sections[section].totals[total];
                parts.push(counted(n, total.one, total.many));
            }
            last = Some(section);
        }
        let limit = match (&plan.command.limit, plan.command.is_limit_raised) {
            (Some(limit), true) => format!("--limit {limit} "),
            _ => String::new(),
        };
        let flag = match self.proposed() {
            Some(budget) => format!("`{limit}--budget {budget}`"),
            None => format!("`{limit}--format json`"),
        };
        if self.budget < TINY {
            return format!("\nMore: {flag}\n");
        }
        format!("\nLeft out: {}; {flag}\n", parts.join(", "))
    }

    /// Section, total and how many are missing.
    fn pairs<'p>(&'p self, plan: &'p Plan<'_>) -> impl Iterator<Item = (usize, usize, usize)> + 'p {
        plan.sections
            .iter()
            .enumerate()
            .flat_map(move |(i, section)| {
                let shown = &self.shown[i];
                section
                    .totals
                    .iter()
                    .enumerate()
                    .filter(|&(k, total)| total.n > shown[k])
                    .map(move |(k, total)| (i, k, total.n - shown[k]))
            })
    }

    /// A round budget that would do; `None` where that is more than models read.
    fn proposed(&self) -> Option<usize> {
        let mut budget = 1_000;
        while budget < self.estimate || budget <= self.budget {
            budget *= 2;
        }
        (budget <= MAX_PROPOSED).then_some(budget)
    }
}

#[cfg(test)]
mod tests {
    use super::Command;

    #[test]
    fn the_proposed_command_is_the_one_that_was_asked() {
        let of = |text: &str| {
            let arguments: Vec<String> = text.split('|').map(str::to_owned).collect();
            Command::asked(&arguments).with("--budget 16000")
        };
        assert_eq!(
            of("usages|A.B(int)|--scope|Tests & src|--at=v1|--budget|10|--format=md|--no-pager|-q"),
            "`git cortex usages 'A.B(int)' --scope 'Tests & src' --at=v1 --budget 16000`"
        );
        assert_eq!(
            of("callers|A|--limit=3|--depth|2"),
            "`git cortex callers A --depth 2 --limit 3 --budget 16000`"
        );
        let arguments = ["map", "--limit", "3"].map(str::to_owned);
        let raised = Command::asked(&arguments).for_all(Some(9));
        assert_eq!(
            raised.with("--budget 16000"),
            "`git cortex map --limit 9 --budget 16000`"
        );
        assert_eq!(
            of("diff-context|HEAD~1|--budget|9|--|src|--budget|it's"),
            r"`git cortex diff-context HEAD~1 --budget 16000 -- src --budget 'it'\''s'`"
        );
    }
}
