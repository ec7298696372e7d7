//! Whether committed context is fresh: as text, Markdown, SARIF, GitHub annotations and JUnit.
//!
//! Owns: how a problem reads. Must not know: how it was found, which command mends it.

mod github;
mod junit;
mod sarif;

pub use github::check_github;
pub use junit::check_junit;
pub use sarif::check_sarif;

use std::collections::BTreeSet;

use cortex_wire::{
    CheckAnswer, CheckInput, CheckProblem, CheckReason, CheckRule, CheckSeverity, CheckVerdict,
    ExportContextAnswer, ExportedTypes, OutlineSelection,
};

use crate::{
    markdown::plan::counted,
    text::{Tabs, line, visible},
};

/// So many problems are shown to people.
const N_SHOWN: usize = 50;

/// What mends problems, in the words of who asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mend<'a> {
    /// Writes anew what the sources determine.
    pub fix: &'a str,
    /// Removes a pin.
    pub unpin: &'a str,
    /// Writes aliases anew.
    pub aliases: &'a str,
    /// Restores what an interrupted operation left.
    pub restore: &'a str,
    /// Shows an operation to a person who decides.
    pub review: &'a str,
    /// Forgets an operation.
    pub drop: &'a str,
}

impl Mend<'_> {
    /// What mends a problem; `None` where a person must.
    pub(crate) fn of(&self, problem: &CheckProblem) -> Option<String> {
        let command = match problem.rule {
            CheckRule::PinUnknown => self.unpin,
            CheckRule::AliasInvalid => self.aliases,
            CheckRule::OpInterrupted => self.restore,
            CheckRule::OpUnreviewed => self.review,
            CheckRule::OpNotApplied | CheckRule::OpUnreadable => self.drop,
            _ if problem.is_fixable => self.fix,
            _ => return None,
        };
        match (&problem.op, problem.rule) {
            (Some(op), rule) if rule != CheckRule::OpInterrupted => Some(format!("{command} {op}")),
            _ => Some(command.to_owned()),
        }
    }
}

/// Text for people.
pub fn check_text(answer: &CheckAnswer, mend: &Mend<'_>) -> String {
    let mut out = String::new();
    for problem in answer.problems.iter().take(N_SHOWN) {
        out.push_str(&format!(
            "{}: {}\n",
            line(problem.file.as_str()),
            line(&check_message(problem))
        ));
        for reason in &problem.reasons {
            out.push_str(&format!("    {}\n", line(&reason_text(reason))));
        }
        if let Some(diff) = &problem.diff {
            for text in diff.lines() {
                out.push_str(&format!("    {}\n", visible(text, Tabs::Keep)));
            }
        }
    }
    if answer.problems.len() > N_SHOWN {
        let n = answer.problems.len() - N_SHOWN;
        out.push_str(&format!("… {} more\n", counted(n, "problem", "problems")));
    }
    for reason in &answer.undecided {
        out.push_str(&format!("undecided: {}\n", line(reason)));
    }
    if !answer.fixed.is_empty() {
        let n = counted(answer.fixed.len(), "file", "files");
        out.push_str(&format!("wrote or removed {n}\n"));
    }
    out.push_str(&format!("{}\n", verdict_text(answer)));
    if answer.outside_change > 0 {
        out.push_str(&format!(
            "{} outside this change not shown\n",
            counted(answer.outside_change as usize, "problem", "problems")
        ));
    }
    let commands = answer
        .problems
        .iter()
        .filter_map(|problem| mend.of(problem));
    let commands: BTreeSet<String> = commands.collect();
    for command in commands {
        out.push_str(&format!("to mend, run: {command}\n"));
    }
    out
}

/// The verdict in one line.
pub fn verdict_text(answer: &CheckAnswer) -> String {
    let of = |severity| {
        let problems = answer.problems.iter();
        problems.filter(|it| it.severity == severity).count()
    };
    let (n_errors, n_warnings) = (of(CheckSeverity::Error), of(CheckSeverity::Warning));
    let warnings = match n_warnings {
        0 => String::new(),
        n => format!(", {}", counted(n, "warning", "warnings")),
    };
    match answer.verdict {
        CheckVerdict::Fresh if answer.checked.total() == 0 && answer.problems.is_empty() => {
            "nothing to check: this repository commits no context".to_owned()
        }
        CheckVerdict::Fresh => format!("fresh: {}{warnings}", checked_text(answer)),
        CheckVerdict::Stale => format!(
            "stale: {}{warnings} ({})",
            counted(n_errors, "error", "errors"),
            checked_text(answer)
        ),
        CheckVerdict::Undecided => format!("undecided{warnings} ({})", checked_text(answer)),
    }
}

fn checked_text(answer: &CheckAnswer) -> String {
    let counts = &answer.checked;
    let all = [
        (counts.outlines, "outline", "outlines"),
        (counts.semantics, "semantics file", "semantics files"),
        (counts.packs, "pack", "packs"),
        (counts.configured, "scope or area", "scopes and areas"),
        (counts.aliases, "alias", "aliases"),
        (counts.pins, "pin", "pins"),
        (counts.ops, "operation", "operations"),
    ];
    let shown = all.into_iter().filter(|(n, ..)| *n > 0);
    let shown: Vec<String> = shown
        .map(|(n, one, many)| counted(n as usize, one, many))
        .collect();
    match shown.is_empty() {
        true => "0 files checked".to_owned(),
        false => format!("{} checked", shown.join(", ")),
    }
}

/// What is wrong, in one line without its reasons.
pub fn check_message(problem: &CheckProblem) -> String {
    let name = match &problem.symbol {
        Some(symbol) => format!("{} ({})", symbol.path, symbol.type_id),
        None => "its type".to_owned(),
    };
    let operation = match &problem.op {
        Some(op) => format!("operation {op}"),
        None => "an operation".to_owned(),
    };
    match problem.rule {
        CheckRule::OutlineStale => format!("outline of {name} is stale"),
        CheckRule::OutlineMissing => format!("outline of {name} is missing"),
        CheckRule::OutlineOrphaned => match &problem.symbol {
            Some(_) => format!(
                "no outline expected for {name}: the type was removed, renamed, or is not selected"
            ),
            None => "no type has this outline".to_owned(),
        },
        CheckRule::SemanticStale => format!("semantics of {name} are stale"),
        CheckRule::OpInterrupted => format!("{operation} was interrupted"),
        CheckRule::OpNotApplied => format!("{operation} is recorded as applied, and is not"),
        CheckRule::OpUnreviewed => format!("{operation} is not reviewed"),
        CheckRule::OpUnreadable => format!("the record of {operation} is damaged"),
        rule => rule.title().to_owned(),
    }
}

/// What is wrong with its reasons, in one line.
fn whole_message(problem: &CheckProblem) -> String {
    let mut out = check_message(problem);
    for reason in &problem.reasons {
        out.push_str("; ");
        out.push_str(&reason_text(reason));
    }
    out
}

/// One input that differs, in one line.
fn reason_text(reason: &CheckReason) -> String {
    let input = match reason.input {
        CheckInput::Api => "declarations differ",
        CheckInput::Documentation => "documentation differs",
        CheckInput::Structure => "structure differs",
        CheckInput::Implementation => "implementation differs",
        CheckInput::Text => "text differs",
        CheckInput::Format => "format differs",
        CheckInput::Type => "type not found",
        CheckInput::Definition => "definition",
        CheckInput::Record => "record",
        CheckInput::Age => "age",
    };
    let mut out = input.to_owned();
    match (&reason.before, &reason.after) {
        (Some(before), Some(after)) => out.push_str(&format!(" ({before} → {after})")),
        (Some(one), None) | (None, Some(one)) => out.push_str(&format!(" ({one})")),
        (None, None) => {}
    }
    if let Some(detail) = &reason.detail {
        out.push_str(": ");
        out.push_str(detail);
    }
    out
}

/// What an export wrote, for people.
pub fn export_context_text(answer: &ExportContextAnswer) -> String {
    let verb = match answer.dry_run {
        true => "would write",
        false => "wrote",
    };
    let mut out = format!(
        "{} of {} ({:.1} MB): {verb} {}",
        counted(answer.total as usize, "outline", "outlines"),
        selection_text(&answer.selection),
        answer.bytes as f64 / 1e6,
        counted(answer.written.len(), "file", "files"),
    );
    if !answer.removed.is_empty() {
        let n = counted(answer.removed.len(), "file", "files");
        out.push_str(&format!(
            ", {} {n}",
            if answer.dry_run { "remove" } else { "removed" }
        ));
    }
    out.push('\n');
    if answer.dry_run {
        for path in &answer.written {
            out.push_str(&format!("  write  {}\n", line(path.as_str())));
        }
        for path in &answer.removed {
            out.push_str(&format!("  remove {}\n", line(path.as_str())));
        }
    }
    out
}

fn selection_text(selection: &OutlineSelection) -> String {
    if !selection.only.is_empty() {
        return counted(selection.only.len(), "listed type", "listed types");
    }
    let types = match selection.types {
        ExportedTypes::Public => "public types",
        ExportedTypes::All => "all types",
    };
    match &selection.scope {
        Some(scope) => format!("{types} in scope {}", line(scope)),
        None => types.to_owned(),
    }
}
