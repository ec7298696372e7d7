//! JUnit: a test case for each problem, and one for what is fresh.

use std::fmt::Write;

use cortex_wire::{CheckAnswer, CheckSeverity};

use super::{Mend, check_message, reason_text, verdict_text};

/// A report with one suite. Warnings pass, with what they say as output.
pub fn check_junit(answer: &CheckAnswer, mend: &Mend<'_>) -> String {
    let is_error = |it: &&cortex_wire::CheckProblem| it.severity == CheckSeverity::Error;
    let n_failures = answer.problems.iter().filter(is_error).count();
    let n_tests = answer.problems.len() + answer.undecided.len() + 1;
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let counts = format!(
        "tests=\"{n_tests}\" failures=\"{n_failures}\" errors=\"{}\"",
        answer.undecided.len()
    );
    let _ = writeln!(out, "<testsuites name=\"git-cortex\" {counts}>");
    let _ = writeln!(out, "  <testsuite name=\"git cortex check\" {counts}>");
    let _ = writeln!(
        out,
        "    <testcase classname=\"context\" name=\"committed context\">\n      <system-out>{}</system-out>\n    </testcase>",
        escaped(&verdict_text(answer))
    );
    for problem in &answer.problems {
        let mut details: Vec<String> = problem.reasons.iter().map(reason_text).collect();
        details.extend(problem.diff.clone());
        if let Some(command) = mend.of(problem) {
            details.push(format!("to mend, run: {command}"));
        }
        let (file, title) = (
            escaped(problem.file.as_str()),
            escaped(&check_message(problem)),
        );
        let details = escaped(&details.join("\n"));
        let body = match problem.severity {
            CheckSeverity::Error => format!(
                "<failure message=\"{title}\" type=\"{}\">{details}</failure>",
                problem.rule.name()
            ),
            _ => format!("<system-out>{title}\n{details}</system-out>"),
        };
        let _ = writeln!(
            out,
            "    <testcase classname=\"context.{}\" name=\"{file}\">\n      {body}\n    </testcase>",
            problem.rule.name()
        );
    }
    for reason in &answer.undecided {
        let _ = writeln!(
            out,
            "    <testcase classname=\"context\" name=\"undecided\">\n      <error message=\"{}\"/>\n    </testcase>",
            escaped(reason)
        );
    }
    out.push_str("  </testsuite>\n</testsuites>\n");
    out
}

/// Text of XML, also in the value of an attribute. What XML cannot hold is left out.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn no_text_ends_its_element_or_attribute() {
        assert_eq!(
            escaped("a<b>\"c\"&\u{1}\n"),
            "a&lt;b&gt;&quot;c&quot;&amp;&#10;"
        );
    }
}
