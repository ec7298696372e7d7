//! Colors of answers for people: on terminals alone, and only where the user wants them.
//!
//! Owns: which parts of a line are colored. Must not know: what an answer says.

use std::{fmt::Write, sync::OnceLock};

use anstyle::{AnsiColor, Style};

/// When answers are colored.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum ColorWhen {
    /// On terminals, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl ColorWhen {
    /// Makes what follows print so.
    pub(crate) fn apply(self) {
        match self {
            Self::Auto => {}
            Self::Always => anstream::ColorChoice::Always.write_global(),
            Self::Never => anstream::ColorChoice::Never.write_global(),
        }
    }
}

/// Whether standard output shows colors.
pub(crate) fn is_wanted() -> bool {
    anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never
}

/// The first line and headings bold, ids and places in color. Expects a text without commands for terminals.
pub(crate) fn painted(text: &str) -> String {
    const BOLD: Style = Style::new().bold();
    let mut out = String::with_capacity(text.len() * 5 / 4);
    for (nth, line) in text.split_inclusive('\n').enumerate() {
        let (line, end) = match line.strip_suffix('\n') {
            Some(line) => (line, "\n"),
            None => (line, ""),
        };
        let is_heading = !line.is_empty()
            && !line.starts_with([' ', '\t'])
            && (nth == 0 || !line.contains("://"));
        if is_heading {
            let _ = write!(out, "{BOLD}{line}{BOLD:#}");
        } else if let Some((place, text)) = snippet(line) {
            words(place, &mut out);
            matches(text, &mut out);
        } else {
            words(line, &mut out);
        }
        out.push_str(end);
    }
    out
}

/// What is highlighted in lines of code, once the answer is known.
static MATCHES: OnceLock<Vec<String>> = OnceLock::new();

/// Highlights these texts in the lines of code of the answer.
pub(crate) fn highlight(texts: impl IntoIterator<Item = String>) {
    let mut texts: Vec<String> = texts.into_iter().filter(|text| !text.is_empty()).collect();
    texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
    texts.dedup();
    // The first choice stays: a process answers once.
    let _ = MATCHES.set(texts);
}

/// A line of an answer that shows code, as place and code: `  12:5 call in A.B: ` and `Submit();`.
fn snippet(line: &str) -> Option<(&str, &str)> {
    let rest = line.trim_start_matches(' ');
    let is_numbered = rest.len() < line.len() && rest.starts_with(|c: char| c.is_ascii_digit());
    let number = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    if !is_numbered || !number.starts_with([':', '-']) {
        return None;
    }
    let end = line.find(": ")? + 2;
    Some(line.split_at(end))
}

/// Code with its matches in bold red.
fn matches(code: &str, out: &mut String) {
    mark(code, MATCHES.get().map_or(&[], Vec::as_slice), out);
}

fn mark(code: &str, texts: &[String], out: &mut String) {
    const MATCH: Style = AnsiColor::Red.on_default().bold();
    let mut rest = code;
    while !rest.is_empty() {
        let first = (texts.iter())
            .filter_map(|text| Some((rest.find(text.as_str())?, text.as_str())))
            .min_by_key(|(at, text)| (*at, std::cmp::Reverse(text.len())));
        let Some((at, text)) = first else { break };
        let _ = write!(out, "{}{MATCH}{text}{MATCH:#}", &rest[..at]);
        rest = &rest[at + text.len()..];
    }
    out.push_str(rest);
}

/// A patch in git's colors. Expects a text without commands for terminals.
pub(crate) fn patch(text: &str) -> String {
    const BOLD: Style = Style::new().bold();
    let mut out = String::with_capacity(text.len() * 5 / 4);
    for line in text.split_inclusive('\n') {
        let (line, end) = match line.strip_suffix('\n') {
            Some(line) => (line, "\n"),
            None => (line, ""),
        };
        let is_head = [
            "diff ",
            "index ",
            "--- ",
            "+++ ",
            "new file",
            "deleted file",
            "rename ",
            "similarity ",
        ]
        .iter()
        .any(|start| line.starts_with(start));
        let style = match line.as_bytes().first() {
            _ if is_head => Some(BOLD),
            Some(b'+') => Some(AnsiColor::Green.on_default()),
            Some(b'-') => Some(AnsiColor::Red.on_default()),
            Some(b'@') => Some(AnsiColor::Cyan.on_default()),
            _ => None,
        };
        let _ = match style {
            Some(style) => write!(out, "{style}{line}{style:#}{end}"),
            None => write!(out, "{line}{end}"),
        };
    }
    out
}

/// Indented lines as trees, those below the title left out.
pub(crate) fn trees(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let depth = |line: &str| (line.len() - line.trim_start_matches(' ').len()) / 2;
    let mut out = String::with_capacity(text.len() * 5 / 4);
    // What stands below the title is no tree.
    let n_head = lines.iter().take_while(|line| !line.is_empty()).count();
    for (nth, line) in lines.iter().enumerate() {
        if nth < n_head {
            out.push_str(line);
            out.push('\n');
            continue;
        }
        let own = depth(line);
        // Whether a line further down hangs on the same branch.
        let goes_on = |level: usize| {
            let after = lines[nth + 1..].iter();
            let mut after = after.take_while(|it| !it.is_empty()).map(|it| depth(it));
            after.find(|depth| *depth <= level) == Some(level)
        };
        for level in 1..own {
            out.push_str(if goes_on(level) { "│  " } else { "   " });
        }
        if own > 0 {
            out.push_str(if goes_on(own) { "├─ " } else { "└─ " });
        }
        out.push_str(line.trim_start_matches(' '));
        out.push('\n');
    }
    out
}

/// Lines that show code cut to the width of a terminal.
pub(crate) fn fitted(text: &str, width: usize) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let is_long = line.trim_end_matches('\n').chars().count() > width;
        match line.char_indices().nth(width.saturating_sub(1)) {
            Some((end, _)) if is_long && snippet(line).is_some() => {
                out.push_str(&line[..end]);
                out.push_str("…\n");
            }
            _ => out.push_str(line),
        }
    }
    out
}

/// Ids (`T_7XPKJFH2`) and places (`src/A.cs:12`) of a line.
fn words(line: &str, out: &mut String) {
    let id = AnsiColor::Yellow.on_default();
    let place = AnsiColor::Cyan.on_default();
    for (nth, word) in line.split(' ').enumerate() {
        if nth > 0 {
            out.push(' ');
        }
        let bare = word.trim_end_matches([',', ';', ':']);
        let rest = &word[bare.len()..];
        let style = if is_id(bare) {
            Some(id)
        } else if is_place(bare) {
            Some(place)
        } else {
            None
        };
        let _ = match style {
            Some(style) => write!(out, "{style}{bare}{style:#}{rest}"),
            None => write!(out, "{word}"),
        };
    }
}

fn is_id(word: &str) -> bool {
    let digits = word.strip_prefix("T_").unwrap_or_default();
    let digits = digits.split(['_', '@']).next().unwrap_or_default();
    digits.len() >= 8
        && digits
            .chars()
            .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
}

fn is_place(word: &str) -> bool {
    word.rsplit_once(':').is_some_and(|(path, line)| {
        path.ends_with(".cs") && line.starts_with(|c: char| c.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::{fitted, mark, painted, patch, snippet, trees};

    #[test]
    fn lines_of_code_are_cut_to_the_width_and_no_others() {
        let text =
            "A: class\n  12:5 call in B: Submit(order);\n  public class Order src/Order.cs:12\n";
        assert_eq!(
            fitted(text, 20),
            "A: class\n  12:5 call in B: S…\n  public class Order src/Order.cs:12\n"
        );
        assert_eq!(fitted(text, 200), text);
    }

    #[test]
    fn matches_stand_out_in_code_alone() {
        assert_eq!(
            snippet("  12:5 call in B: x: y"),
            Some(("  12:5 call in B: ", "x: y"))
        );
        assert_eq!(snippet("  public class Order"), None);
        let mut out = String::new();
        mark("a.Submit(Submit2)", &["Submit".to_owned()], &mut out);
        assert_eq!(
            anstream::adapter::strip_str(&out).to_string(),
            "a.Submit(Submit2)"
        );
        assert_eq!(
            out.matches("\u{1b}[1m\u{1b}[31mSubmit").count(),
            2,
            "{out:?}"
        );
    }

    #[test]
    fn indented_lines_become_trees() {
        let text = "T: class\n  3 derived types\n\nDerived\n  A\n    B\n      C\n    D\n  E\n";
        assert_eq!(
            trees(text),
            "T: class\n  3 derived types\n\nDerived\n├─ A\n│  ├─ B\n│  │  └─ C\n│  └─ D\n└─ E\n"
        );
    }

    #[test]
    fn a_patch_has_the_colors_of_git() {
        let shown = patch("--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n z\n");
        assert!(shown.contains("\u{1b}[32m+y\u{1b}[0m"), "{shown:?}");
        assert!(shown.contains("\u{1b}[31m-x\u{1b}[0m"), "{shown:?}");
        assert!(shown.ends_with(" z\n"));
    }

    #[test]
    fn colors_add_nothing_but_themselves() {
        let text = "N.A: class T_7XPKJFH2\n  in src/A.cs:12, and T_7XPKJFH2_K3M0ZQ\n\nUsed by\n  b";
        let shown = painted(text);
        assert!(shown.contains("\u{1b}["));
        assert_eq!(anstream::adapter::strip_str(&shown).to_string(), text);
        assert!(shown.contains("\u{1b}[36msrc/A.cs:12\u{1b}[0m,"));
    }
}
