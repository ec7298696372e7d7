//! Prints programs in infix notation, so that compiling the text gives the same steps.

use crate::{
    check::{Checked, Step, check},
    data::{ModuleFlavor, ScopeRequest},
    diagnostic::Diagnostic,
    target::Target,
    universe::REPOSITORY,
};

use super::read::is_word;

/// Prints a program, or reports the errors in it.
pub fn print(request: &ScopeRequest) -> Result<String, Vec<Diagnostic>> {
    check(request).map(|checked| print_checked(&checked))
}

/// Operator precedence, from the strongest to the weakest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Priority {
    Term,
    And,
    Or,
}

pub(crate) fn print_checked(checked: &Checked<'_>) -> String {
    let mut stack: Vec<(String, Priority)> = Vec::new();
    for step in &checked.steps {
        let (operator, priority) = match step {
            Step::Push(id) => {
                stack.push((scope(&checked.atoms[id].1), Priority::Term));
                continue;
            }
            Step::Not => {
                let (operand, priority) = pop(&mut stack);
                let operand = within(operand, priority > Priority::Term);
                stack.push((format!("!{operand}"), Priority::Term));
                continue;
            }
            Step::And => (" & ", Priority::And),
            Step::Or => (" | ", Priority::Or),
        };
        let (right, right_priority) = pop(&mut stack);
        let (left, left_priority) = pop(&mut stack);
        let mut out = within(left, left_priority > priority);
        out.push_str(operator);
        // Operators of one kind associate to the left.
        out.push_str(&within(right, right_priority >= priority));
        stack.push((out, priority));
    }
    pop(&mut stack).0
}

fn pop(stack: &mut Vec<(String, Priority)>) -> (String, Priority) {
    stack.pop().expect("a checked program never underflows")
}

fn within(text: String, in_parentheses: bool) -> String {
    match in_parentheses {
        true => format!("({text})"),
        false => text,
    }
}

/// The shortest text that compiles to the scope.
fn scope(target: &Target) -> String {
    match target {
        Target::Standard(scope) => name(scope.id()),
        Target::Module {
            name: module,
            flavor: ModuleFlavor::Module,
        } => format!("module({})", name(module)),
        Target::Module {
            name: module,
            flavor,
        } => format!("module({}, {})", name(module), flavor.as_str()),
        Target::Named { name: text, .. } if Target::from_text(text) == *target => name(text),
        Target::Named {
            name: text,
            holder: None,
        } => format!("named({})", name(text)),
        Target::Named {
            name: text,
            holder: Some(holder),
        } => format!("named({}, {})", name(holder), name(text)),
        Target::Pattern(text) if needs_no_quotes(text) => format!("pattern({text})"),
        Target::Pattern(text) => format!("pattern({})", quoted(text)),
        Target::Directory(url) => {
            let reads = |path: &str| Target::from_text(&format!("directory:{path}")) == *target;
            format!("dir({})", path(url, reads))
        }
        Target::Files(urls) => {
            let reads = |url: &String, path: &str| Target::files([path]) == Target::files([&**url]);
            let paths: Vec<String> = (urls.iter())
                .map(|url| path(url, |path| reads(url, path)))
                .collect();
            format!("files({})", paths.join(", "))
        }
        Target::Provider(provider) => name(&provider.id()),
        Target::ProviderReference(reference) => name(reference),
    }
}

/// The repository path where it compiles to the same URL, else the URL.
fn path(url: &str, reads: impl Fn(&str) -> bool) -> String {
    // Paths that start like this are relative to the author's folder, or absolute.
    let is_from_root = |path: &str| {
        !matches!(path, "" | "." | "..")
            && !["/", "./", "../"].iter().any(|it| path.starts_with(it))
    };
    let path = url.strip_prefix(REPOSITORY);
    match path.filter(|path| is_from_root(path) && reads(path)) {
        Some(path) => name(path),
        None => name(url),
    }
}

fn name(text: &str) -> String {
    match !text.is_empty() && text.chars().all(is_word) {
        true => text.to_owned(),
        false => quoted(text),
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// Whether a pattern can be written between parentheses without quotes.
fn needs_no_quotes(text: &str) -> bool {
    let mut depth = 0_usize;
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return false,
            ')' => depth -= 1,
            _ => {}
        }
    }
    depth == 0 && !text.starts_with(['\'', '"'])
}
