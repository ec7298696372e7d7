//! Conditional compilation: evaluates the directives of a text and blanks what is not active code.
//!
//! Blanking keeps the length and every line break, so offsets and line numbers stay true.
//! Must not know: where the symbols come from, the grammar.

use super::condition::{self, Outcome};
use super::lexer::{Lexer, TokenKind, line_break_length, line_length};
use cortex_model::ByteRange;
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// A stretch of text that conditional compilation leaves out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InactiveRegion {
    /// The lines between two directives, the last line break included.
    pub range: ByteRange,
    /// The condition that would have to hold, as written, with the conditions of the branches
    /// before it negated: `!(DEBUG) && NET8_0_OR_GREATER`.
    pub condition: String,
}

/// What is wrong with a directive.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PreprocessProblemKind {
    /// `#elif`, `#else` or `#endif` without an `#if`.
    Stray,
    /// An `#if` without an `#endif`.
    Unclosed,
    /// `#elif` or `#else` after `#else`.
    AfterElse,
    /// A condition that is not an expression; taken as false, as the compiler does.
    IllFormedCondition,
    /// `#define` or `#undef` after the first token; ignored.
    LateDefinition,
}

/// A directive that the compiler would report.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PreprocessProblem {
    /// The directive's line without its line break.
    pub range: ByteRange,
    /// What is wrong.
    pub kind: PreprocessProblemKind,
}

/// A text as the parser is to see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Preprocessed {
    /// The same length and lines as the input. Inactive text, the lines of all directives
    /// (`#region`, `#nullable`, `#!`, `#:`, `#r`, `#load` among them) and a byte order mark are
    /// spaces.
    pub text: Vec<u8>,
    /// Inactive text, ascending. A region inside an inactive region is not listed.
    pub inactive: Vec<InactiveRegion>,
    /// Every name that any `#if` or `#elif` mentions, skipped ones included, sorted, unique: what
    /// the meaning of this file can depend on.
    pub symbols_tested: Vec<String>,
    /// In the order of the text.
    pub problems: Vec<PreprocessProblem>,
}

/// Evaluates the directives of `text` (C# specification, §6.5) with the project's `symbols`.
///
/// A `#` inside a comment or a literal is no directive. O(bytes), without recursion.
pub fn preprocess(text: &[u8], symbols: &dyn Fn(&str) -> bool) -> Preprocessed {
    let mut output = Preprocessed {
        text: text.to_vec(),
        inactive: Vec::new(),
        symbols_tested: Vec::new(),
        problems: Vec::new(),
    };
    let start = if text.starts_with(b"\xEF\xBB\xBF") {
        output.text[..3].fill(b' ');
        3
    } else {
        0
    };
    if has_directive(&text[start..]) {
        let mut pass = Pass {
            text,
            symbols,
            defined: FxHashMap::default(),
            branches: Vec::new(),
            output,
        };
        pass.run(start);
        output = pass.output;
        output.symbols_tested.sort_unstable();
        output.symbols_tested.dedup();
    }
    output
}

/// Whether some line starts with `#`; most files have none and need no lexer.
fn has_directive(text: &[u8]) -> bool {
    memchr::memchr_iter(b'#', text).any(|at| starts_line(text, at))
}

/// Whether only white space stands between `at` and the line's start.
fn starts_line(text: &[u8], at: usize) -> bool {
    let line = text[..at].trim_ascii_end();
    let blank = &text[line.len()..at];
    line.is_empty()
        || line == b"\xEF\xBB\xBF"
        || blank.iter().any(|byte| matches!(byte, b'\r' | b'\n'))
        || [&b"\xC2\x85"[..], b"\xE2\x80\xA8", b"\xE2\x80\xA9"]
            .iter()
            .any(|line_break| line.ends_with(line_break))
}

/// One `#if` … `#endif` whose outside is active.
struct Branch<'a> {
    directive: ByteRange,
    // Whether a condition has held already.
    is_taken: bool,
    is_else_seen: bool,
    condition: &'a [u8],
    // The negated conditions of the earlier branches.
    excluded: String,
}

struct Pass<'a, 'b> {
    text: &'a [u8],
    symbols: &'b dyn Fn(&str) -> bool,
    // Names that `#define` and `#undef` decide. Only looked up, never iterated.
    defined: FxHashMap<&'a str, Definition>,
    branches: Vec<Branch<'a>>,
    output: Preprocessed,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Definition {
    Defined,
    Undefined,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Activity {
    Active,
    Inactive,
}

/// One directive: its line, its name and what follows the name.
struct Directive<'a> {
    range: ByteRange,
    name: &'a [u8],
    argument: &'a [u8],
}

impl<'a> Pass<'a, '_> {
    fn run(&mut self, start: usize) {
        let mut lexer = Lexer::new(self.text);
        lexer.seek(start);
        let mut is_code_seen = false;
        while let Some(token) = lexer.next() {
            let at = token.start as usize;
            if token.kind != TokenKind::Hash
                || !lexer.is_outside_strings()
                || !starts_line(self.text, at)
            {
                is_code_seen = true;
                continue;
            }
            let directive = self.directive(at);
            let mut next = self.next_line(directive.range);
            self.blank(directive.range);
            if matches!(directive.name, b"define" | b"undef") {
                self.define(&directive, is_code_seen);
            } else if self.take(&directive) == Activity::Inactive {
                next = self.skip(next);
            }
            lexer.seek(next);
        }
        for branch in std::mem::take(&mut self.branches) {
            self.problem(branch.directive, PreprocessProblemKind::Unclosed);
        }
        self.output.problems.sort_unstable();
    }

    fn directive(&self, at: usize) -> Directive<'a> {
        let line = &self.text[at..at + line_length(&self.text[at..])];
        let body = line[1..].trim_ascii_start();
        let len = body
            .iter()
            .position(|byte| !byte.is_ascii_alphanumeric())
            .unwrap_or(body.len());
        Directive {
            range: byte_range(at, at + line.len()),
            name: &body[..len],
            argument: &body[len..],
        }
    }

    fn next_line(&self, directive: ByteRange) -> usize {
        let end = directive.end as usize;
        end + line_break_length(&self.text[end..])
    }

    fn define(&mut self, directive: &Directive<'a>, is_code_seen: bool) {
        if is_code_seen {
            self.problem(directive.range, PreprocessProblemKind::LateDefinition);
            return;
        }
        let definition = if directive.name == b"define" {
            Definition::Defined
        } else {
            Definition::Undefined
        };
        if let Some(name) = condition::symbols(directive.argument).next() {
            self.defined.insert(name, definition);
        }
    }

    /// Carries out a directive that stands in active text; the outcome is that of the text after.
    fn take(&mut self, directive: &Directive<'a>) -> Activity {
        match directive.name {
            b"if" => {
                let is_taken = self.holds(directive);
                self.branches.push(Branch {
                    directive: directive.range,
                    is_taken,
                    is_else_seen: false,
                    condition: directive.argument,
                    excluded: String::new(),
                });
                activity(is_taken)
            }
            // The branch before was active, hence taken.
            b"elif" | b"else" => self.alternative(directive).unwrap_or(Activity::Active),
            b"endif" => {
                if self.branches.pop().is_none() {
                    self.problem(directive.range, PreprocessProblemKind::Stray);
                }
                Activity::Active
            }
            _ => Activity::Active,
        }
    }

    /// `#elif` or `#else` of the innermost branch; `None` if there is none.
    fn alternative(&mut self, directive: &Directive<'a>) -> Option<Activity> {
        let is_else = directive.name == b"else";
        let holds = is_else || self.holds(directive);
        let Some(branch) = self.branches.last_mut() else {
            self.problem(directive.range, PreprocessProblemKind::Stray);
            return None;
        };
        let is_else_seen = branch.is_else_seen;
        let is_active = holds && !branch.is_taken;
        branch.is_taken |= holds;
        branch.is_else_seen |= is_else;
        let before = std::mem::take(&mut branch.condition);
        branch.exclude(before);
        if !is_else {
            branch.condition = directive.argument;
        }
        if is_else_seen {
            self.problem(directive.range, PreprocessProblemKind::AfterElse);
        }
        Some(activity(is_active))
    }

    /// Leaves out the text from `start` to the directive that ends the inactivity, and gives the
    /// offset to continue at. Inactive text is lines, not tokens: nothing but `#` counts there.
    fn skip(&mut self, start: usize) -> usize {
        let mut region_start = start;
        let mut line_start = start;
        let mut depth = 0_u32;
        while line_start < self.text.len() {
            let line = &self.text[line_start..];
            let indent = line.len() - trim_line_start(line).len();
            let at = line_start + indent;
            if self.text.get(at) != Some(&b'#') {
                let end = at + line_length(&self.text[at..]);
                line_start = end + line_break_length(&self.text[end..]);
                continue;
            }
            let directive = self.directive(at);
            line_start = self.next_line(directive.range);
            match directive.name {
                b"if" => {
                    depth += 1;
                    self.mention(directive.argument);
                }
                b"endif" if depth > 0 => depth -= 1,
                b"elif" if depth > 0 => self.mention(directive.argument),
                b"elif" | b"else" | b"endif" if depth == 0 => {
                    self.leave_out(region_start, at - indent);
                    self.blank(directive.range);
                    if directive.name == b"endif" {
                        self.branches.pop();
                        return line_start;
                    }
                    if self.alternative(&directive) == Some(Activity::Active) {
                        return line_start;
                    }
                    region_start = line_start;
                }
                _ => {}
            }
        }
        self.leave_out(region_start, self.text.len());
        self.text.len()
    }

    fn leave_out(&mut self, start: usize, end: usize) {
        if start == end {
            return;
        }
        let range = byte_range(start, end);
        self.blank(range);
        if let Some(branch) = self.branches.last() {
            self.output.inactive.push(InactiveRegion {
                range,
                condition: branch.describe(),
            });
        }
    }

    fn holds(&mut self, directive: &Directive<'a>) -> bool {
        self.mention(directive.argument);
        let (defined, symbols) = (&self.defined, self.symbols);
        let outcome =
            condition::evaluate(directive.argument, &mut |name| match defined.get(name) {
                Some(definition) => *definition == Definition::Defined,
                None => symbols(name),
            });
        if outcome == Outcome::IllFormed {
            self.problem(directive.range, PreprocessProblemKind::IllFormedCondition);
        }
        outcome == Outcome::True
    }

    fn mention(&mut self, argument: &[u8]) {
        let names = condition::symbols(argument).map(String::from);
        self.output.symbols_tested.extend(names);
    }

    fn problem(&mut self, range: ByteRange, kind: PreprocessProblemKind) {
        self.output.problems.push(PreprocessProblem { range, kind });
    }

    fn blank(&mut self, range: ByteRange) {
        let mut rest = &mut self.output.text[range.as_usize()];
        while !rest.is_empty() {
            let (line, tail) = rest.split_at_mut(line_length(rest));
            line.fill(b' ');
            let len = line_break_length(tail);
            rest = &mut tail[len..];
        }
    }
}

impl Branch<'_> {
    // Keeps the description of a long chain from growing with the square of its length.
    const MAX_EXCLUDED: usize = 200;

    fn exclude(&mut self, condition: &[u8]) {
        let condition = as_written(condition);
        if condition.is_empty() || self.excluded.ends_with("… && ") {
            return;
        }
        if self.excluded.len() + condition.len() > Self::MAX_EXCLUDED {
            self.excluded.push_str("… && ");
        } else {
            self.excluded.push_str("!(");
            self.excluded.push_str(&condition);
            self.excluded.push_str(") && ");
        }
    }

    fn describe(&self) -> String {
        let own = as_written(self.condition);
        if own.is_empty() {
            String::from(self.excluded.trim_end_matches(" && "))
        } else {
            format!("{}{own}", self.excluded)
        }
    }
}

/// A condition without its comment.
fn as_written(condition: &[u8]) -> Cow<'_, str> {
    let end = memchr::memmem::find(condition, b"//").unwrap_or(condition.len());
    String::from_utf8_lossy(condition[..end].trim_ascii())
}

fn activity(is_active: bool) -> Activity {
    if is_active {
        Activity::Active
    } else {
        Activity::Inactive
    }
}

fn trim_line_start(line: &[u8]) -> &[u8] {
    let len = line
        .iter()
        .position(|byte| !matches!(byte, b' ' | b'\t' | 0x0B | 0x0C))
        .unwrap_or(line.len());
    &line[len..]
}

fn byte_range(start: usize, end: usize) -> ByteRange {
    ByteRange {
        start: start as u32,
        end: end as u32,
    }
}

#[cfg(test)]
mod tests;
