//! Workflow commands of GitHub: an annotation for each file.

use std::fmt::Write;

use cortex_wire::{CheckAnswer, CheckSeverity};

use super::{Mend, whole_message};
use crate::api::github::{message, property};

/// One workflow command for each problem, and one for each reason why the verdict may be wrong.
pub fn check_github(answer: &CheckAnswer, mend: &Mend<'_>) -> String {
    let mut out = String::new();
    for problem in &answer.problems {
        let level = match problem.severity {
            CheckSeverity::Error => "error",
            CheckSeverity::Warning => "warning",
            CheckSeverity::Ignore => "notice",
        };
        let mut text = whole_message(problem);
        if let Some(command) = mend.of(problem) {
            text.push_str(&format!("\nto mend, run: {command}"));
        }
        let _ = writeln!(
            out,
            "::{level} file={},line=1,title={}::{}",
            property(problem.file.as_str()),
            property(problem.rule.name()),
            message(&text),
        );
    }
    for reason in &answer.undecided {
        let _ = writeln!(out, "::error title=undecided::{}", message(reason));
    }
    out
}
