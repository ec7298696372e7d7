//! Colors of answers for people: on terminals alone, and only where the user wants them.
//!
//! Owns: which parts of a line are colored. Must not know: what an answer says.

use std::fmt::Write;

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
        } else {
            words(line, &mut out);
        }
        out.push_str(end);
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
    use super::painted;

    #[test]
    fn colors_add_nothing_but_themselves() {
        let text = "N.A: class T_7XPKJFH2\n  in src/A.cs:12, and T_7XPKJFH2_K3M0ZQ\n\nUsed by\n  b";
        let shown = painted(text);
        assert!(shown.contains("\u{1b}["));
        assert_eq!(anstream::adapter::strip_str(&shown).to_string(), text);
        assert!(shown.contains("\u{1b}[36msrc/A.cs:12\u{1b}[0m,"));
    }
}
