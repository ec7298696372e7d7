//! How a file is laid out, and new code in the same way: line ends, indentation, braces.
//!
//! The inside of strings that go over lines keeps its value. Must not know: where the code is written.

use cortex_model::ByteRange;
use cortex_syntax::{
    FileFacts,
    text::{Lexical, LexicalKind},
};

/// What one level of indentation is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Unit {
    Tab,
    Spaces(usize),
}

impl Unit {
    /// That of some lines; `None` where none tells.
    fn of<'t>(lines: impl Iterator<Item = &'t str>) -> Option<Self> {
        let mut n_tabs = 0;
        let mut widths: [usize; 9] = [0; 9];
        let mut before = 0;
        for line in lines.filter(|line| !line.trim().is_empty()) {
            let white = white_of(line);
            if white.starts_with('\t') {
                n_tabs += 1;
                continue;
            }
            // A line that is deeper than the one before tells the width of a level.
            let step = white.len().saturating_sub(before);
            if (1..widths.len()).contains(&step) {
                widths[step] += 1;
            }
            before = white.len();
        }
        let n_spaces: usize = widths.iter().sum();
        if n_tabs > n_spaces {
            return Some(Self::Tab);
        }
        let most = (1..widths.len()).rev().max_by_key(|&width| widths[width]);
        most.filter(|_| n_spaces > 0).map(Self::Spaces)
    }

    fn text(self) -> String {
        match self {
            Self::Tab => "\t".to_owned(),
            Self::Spaces(n) => " ".repeat(n),
        }
    }

    /// White space at the start of a line that was written in another unit.
    fn converted(self, white: &str, from: Self) -> String {
        if self == from {
            return white.to_owned();
        }
        let width = match from {
            Self::Tab => 1,
            Self::Spaces(n) => n.max(1),
        };
        let n_units: usize = match from {
            Self::Tab => white.chars().take_while(|&it| it == '\t').count(),
            Self::Spaces(_) => white.chars().take_while(|&it| it == ' ').count() / width,
        };
        let rest = &white[n_units * width..];
        format!("{}{rest}", self.text().repeat(n_units))
    }
}

/// The layout of a file.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) line_end: &'static str,
    unit: Unit,
    pub(crate) brace_on_own_line: bool,
}

impl Layout {
    /// Reads it off a text.
    pub(crate) fn of(text: &str, facts: &FileFacts) -> Self {
        let n_crlf = text.matches("\r\n").count();
        let n_lf = text.matches('\n').count() - n_crlf;
        let bodies = facts.decls.iter().filter_map(|decl| {
            let start = decl.body_range.start as usize;
            let before = text.get(..start)?;
            let is_block = text[start..].starts_with('{') && decl.range.end > decl.body_range.start;
            let has_lines = text.get(decl.body_range.as_usize())?.contains('\n');
            (is_block && has_lines).then(|| line_of(before).trim().is_empty())
        });
        let (own, behind): (Vec<bool>, Vec<bool>) = bodies.partition(|&is_own| is_own);
        Self {
            line_end: if n_crlf > n_lf { "\r\n" } else { "\n" },
            unit: Unit::of(text.lines()).unwrap_or(Unit::Spaces(4)),
            brace_on_own_line: own.len() >= behind.len(),
        }
    }

    /// One level more.
    pub(crate) fn deeper(&self, indent: &str) -> String {
        format!("{indent}{}", self.unit.text())
    }

    /// New code as the file would have it, its lines at an indentation; without line ends around it.
    pub(crate) fn laid(&self, new: &str, indent: &str) -> String {
        let new = new.replace("\r\n", "\n");
        let new = without_blank_lines(&new);
        let lexical = Lexical::of(new.as_bytes());
        let lines = lines_with_kind(new, &lexical);
        let code = lines.iter().filter(|(_, kind)| *kind == LineKind::Code);
        let from = Unit::of(code.map(|(line, _)| *line)).unwrap_or(self.unit);
        let common = common_indent(&lines);
        let mut out = String::with_capacity(new.len() * 2);
        for (at, (line, kind)) in lines.iter().enumerate() {
            if at > 0 {
                out.push_str(self.line_end);
            }
            match kind {
                LineKind::Verbatim => out.push_str(line),
                LineKind::Raw | LineKind::Code if line.trim().is_empty() => {}
                LineKind::Raw => {
                    // The closing quotes say what of the white space is no content.
                    let close = lines[at..].iter().find(|(line, kind)| {
                        *kind != LineKind::Raw || line.trim_start().starts_with("\"\"\"")
                    });
                    let margin = close.map_or("", |(line, _)| white_of(line));
                    match line.strip_prefix(margin) {
                        Some(rest) => {
                            out.push_str(indent);
                            let margin = margin.get(common..).unwrap_or_default();
                            out.push_str(&self.unit.converted(margin, from));
                            out.push_str(rest);
                        }
                        None => out.push_str(line),
                    }
                }
                LineKind::Code => {
                    let white = white_of(line);
                    if white.is_empty() && line.starts_with('#') && at > 0 {
                        out.push_str(line);
                        continue;
                    }
                    out.push_str(indent);
                    let more = white.get(common..).unwrap_or_default();
                    out.push_str(&self.unit.converted(more, from));
                    out.push_str(line[white.len()..].trim_end());
                }
            }
        }
        out
    }
}

/// What a line of new code is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LineKind {
    Code,
    /// It starts inside of a string whose white space is content.
    Verbatim,
    /// It starts inside of a raw string, whose closing quotes say what is content.
    Raw,
}

fn lines_with_kind<'t>(text: &'t str, lexical: &Lexical) -> Vec<(&'t str, LineKind)> {
    let mut out = Vec::new();
    let mut at = 0;
    for line in text.split('\n') {
        let kind = match at > 0 && is_inside_string(lexical, at as u32) {
            false => LineKind::Code,
            true if is_raw(&text[..at]) => LineKind::Raw,
            true => LineKind::Verbatim,
        };
        out.push((line, kind));
        at += line.len() + 1;
    }
    out
}

/// Whether a string goes on over the start of a line.
fn is_inside_string(lexical: &Lexical, offset: u32) -> bool {
    lexical.at(offset) == LexicalKind::String && lexical.at(offset - 1) == LexicalKind::String
}

/// Whether the string that is open at the end of a text is a raw one.
fn is_raw(before: &str) -> bool {
    let mut n_marks = 0;
    for (at, _) in before.match_indices("\"\"\"") {
        let is_verbatim = before[..at].ends_with('@') || before[..at].ends_with("@$");
        n_marks += usize::from(!is_verbatim);
    }
    n_marks % 2 == 1
}

/// How much white space all lines of code start with. A first line without any says nothing where the last one has
/// some: it was copied from behind its indentation.
fn common_indent(lines: &[(&str, LineKind)]) -> usize {
    let code = (lines.iter().enumerate()).filter(|(at, (line, kind))| {
        let is_directive = line.starts_with('#') && *at > 0;
        *kind == LineKind::Code && !line.trim().is_empty() && !is_directive
    });
    let widths: Vec<usize> = code.map(|(_, (line, _))| white_of(line).len()).collect();
    match widths.split_first() {
        Some((0, rest)) => rest.iter().copied().min().unwrap_or(0),
        _ => widths.into_iter().min().unwrap_or(0),
    }
}

/// A text without blank lines and line ends around it.
fn without_blank_lines(text: &str) -> &str {
    let text = text.trim_end();
    let start = text.len() - text.trim_start().len();
    // The indentation of the first line stays.
    let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
    &text[line..]
}

/// The white space that a line starts with.
pub(crate) fn white_of(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// The last line of a text, as far as it goes.
pub(crate) fn line_of(before: &str) -> &str {
    &before[before.rfind('\n').map_or(0, |at| at + 1)..]
}

/// A statement with its lines, and a blank line that would be one too many, where nothing else stands on them.
pub(crate) fn lines_of(text: &str, own: ByteRange) -> ByteRange {
    let (start, end) = (own.start as usize, own.end as usize);
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
    let is_alone =
        text[line_start..start].trim().is_empty() && text[end..line_end].trim().is_empty();
    if !is_alone {
        let white =
            text[end..line_end].len() - text[end..line_end].trim_start_matches([' ', '\t']).len();
        return ByteRange {
            start: own.start,
            end: (end + white) as u32,
        };
    }
    let is_blank = |line: Option<&str>| line.is_some_and(|line| line.trim().is_empty());
    let before = &text[..line_start];
    let opens = before.trim_end().ends_with('{') || is_blank(before.lines().next_back());
    let behind = &text[line_end..];
    let mut last = line_end;
    if opens && is_blank(behind.lines().next()) {
        last += behind.find('\n').map_or(0, |at| at + 1);
    }
    ByteRange {
        start: line_start as u32,
        end: last as u32,
    }
}

/// The white space that the line of an offset starts with.
pub(crate) fn indent_at(text: &str, offset: usize) -> &str {
    let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    white_of(&text[start..])
}

#[cfg(test)]
mod tests {
    use cortex_syntax::FileFacts;

    use super::Layout;

    fn laid(file: &str, new: &str, indent: &str) -> String {
        Layout::of(file, &FileFacts::default()).laid(new, indent)
    }

    #[test]
    fn lines_get_the_indentation_and_the_ends_of_the_file() {
        let file = "class A\r\n{\r\n\tint x;\r\n}\r\n";
        assert_eq!(
            laid(
                file,
                "\nvoid M()\n{\n    if (x)\n    {\n        y();\n    }\n}\n",
                "\t"
            ),
            "\tvoid M()\r\n\t{\r\n\t\tif (x)\r\n\t\t{\r\n\t\t\ty();\r\n\t\t}\r\n\t}"
        );
    }

    #[test]
    fn a_first_line_from_behind_its_indentation_counts_for_nothing() {
        assert_eq!(
            laid(
                "class A\n{\n  int x;\n}\n",
                "void M()\n    {\n        y();\n    }",
                "  "
            ),
            "  void M()\n  {\n    y();\n  }"
        );
    }

    #[test]
    fn strings_over_lines_keep_their_value() {
        let new = "string S => @\"a\n   b\n\";\nstring R => \"\"\"\n      x\n    y\n    \"\"\";";
        assert_eq!(
            laid("", new, "  "),
            "  string S => @\"a\n   b\n\";\n  string R => \"\"\"\n        x\n      y\n      \"\"\";"
        );
    }
}
