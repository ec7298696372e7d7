//! `git cortex search safe`.

use std::{fmt::Write, process::ExitCode};

use cortex_git::GitError;
use cortex_look::{Limits, QueryError, SafeMode, SafeQuestion};
use cortex_wire::SafeCall;
use serde_json::{Value, json};

use super::{found, print};
use crate::{
    arguments::{
        Global, LookFormat,
        search::{SafeModeName, SearchSafe},
    },
    commands::{Writers, print_json},
    failure::Failure,
    interrupt,
    session::{self, Depth},
};

pub(super) fn run(global: &Global, options: &SearchSafe) -> Result<ExitCode, Failure> {
    let result = answer(global, options);
    // Agents read what to do instead of an error as data, too.
    match (&result, options.shown.format) {
        (Err(failure), LookFormat::Json) => match classified(failure, &options.query) {
            Some((value, code)) => {
                print_json(&value)?;
                Ok(ExitCode::from(code))
            }
            None => result,
        },
        _ => result,
    }
}

fn answer(global: &Global, options: &SearchSafe) -> Result<ExitCode, Failure> {
    let question = SafeQuestion {
        query: options.query.clone(),
        is_expression: options.regex,
        area: (options.area != "auto").then(|| options.area.clone()),
        include_areas: options.include_areas.clone(),
        max_files: options.max_files.map(usize::from),
        mode: match options.mode {
            SafeModeName::Conservative => SafeMode::Conservative,
            SafeModeName::Balanced => SafeMode::Balanced,
            SafeModeName::Broad => SafeMode::Broad,
        },
        is_strict: options.strict,
        n_shown: options.files,
        n_lines: options.lines,
    };
    let at = options.shown.at.as_deref();
    let (answer, index) = session::with_side(global, at, Depth::Files, |index, side, _| {
        let limits = Limits::new(usize::MAX, options.timeout);
        cortex_look::search_safe(index, side, &question, limits, interrupt::asked())
    })?;
    let writers = Writers {
        text: cortex_context::search_safe_text,
        markdown: cortex_context::search_safe_markdown,
        json: cortex_context::json,
    };
    print(&answer, &options.shown, &writers)?;
    session::settle(&index, global);
    Ok(found(answer.files.len()))
}

/// The error of a question with its class and a way out, and the exit code.
fn classified(failure: &Failure, query: &str) -> Option<(Value, u8)> {
    let (code, exit, hint) = failure.told();
    let class = match failure.cause::<QueryError>() {
        Some(QueryError::TooBroad { .. }) => "business_conflict",
        Some(QueryError::FileLimit { .. }) => "limit",
        _ => match (exit, code) {
            (interrupt::EXIT, _) => return None,
            (2, _) => "invalid_input",
            (_, "InternalError") if failure.cause::<std::io::Error>().is_none() => "internal",
            _ => "environment",
        },
    };
    let (summary, example) = match failure.cause::<QueryError>().and_then(fix) {
        Some(fix) => fix,
        None => (
            hint.unwrap_or_else(|| match exit {
                2 => "leave out what is not there".to_owned(),
                _ => "look at the repository and its index".to_owned(),
            }),
            again(failure, exit, query),
        ),
    };
    let mut out = json!({
        "code": code,
        "class": class,
        "message": format!("failed to {}", failure.message()),
        "fix_suggestion": { "summary": summary, "code_example": example },
    });
    if let Some(QueryError::FileLimit {
        files_processed,
        max_files,
        ..
    }) = failure.cause()
    {
        out["files_processed"] = json!(files_processed);
        out["max_files"] = json!(max_files);
    }
    Some((json!({ "error": out }), exit))
}

/// The same question where it can be asked, or else what tells why it cannot.
fn again(failure: &Failure, exit: u8, query: &str) -> String {
    let query = quoted(query);
    match failure.cause::<GitError>() {
        Some(GitError::NotARepository { .. }) => {
            format!("git cortex -C path/to/repository search safe {query}")
        }
        _ => match failure.cause::<QueryError>() {
            Some(QueryError::FileMask { .. }) => {
                format!("git cortex search safe {query} --include-area 'web=**/*.ts'")
            }
            _ if exit == 2 => format!("git cortex search safe {query}"),
            _ => "git cortex status".to_owned(),
        },
    }
}

/// What to do instead, and a call that does it.
pub(crate) fn fix(error: &QueryError) -> Option<(String, String)> {
    Some(match error {
        QueryError::TooBroad {
            suggestion,
            example,
            ..
        } => (suggestion.clone(), written(example)),
        QueryError::UnknownArea { known, example, .. } => (
            format!("choose one of {}", known.join(", ")),
            match example {
                Some(example) => written(example),
                None => "git cortex areas".to_owned(),
            },
        ),
        QueryError::FileLimit { example, .. } => (
            match example.max_files {
                Some(_) => "add a word that fewer files have, or search as many".to_owned(),
                None => "add a word that fewer files have, or leave out --strict".to_owned(),
            },
            written(example),
        ),
        QueryError::Expression { example, .. } => (
            "write the query as words, or escape what an expression gives a meaning".to_owned(),
            written(example),
        ),
        _ => return None,
    })
}

/// A call as it is written in a shell.
fn written(call: &SafeCall) -> String {
    let mut out = format!("git cortex search safe {}", quoted(&call.query));
    if call.is_expression {
        out.push_str(" --regex");
    }
    if let Some(area) = &call.area {
        let _ = write!(out, " --area {}", quoted(area));
    }
    if let Some(n) = call.max_files {
        let _ = write!(out, " --max-files {n}");
    }
    out
}

/// A word of a shell's, in quotes where it needs them.
fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '+');
    match !text.is_empty() && !text.starts_with('-') && text.chars().all(is_plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_are_quoted_where_a_shell_would_read_more_into_them() {
        for (text, expected) in [
            ("OrderService", "OrderService"),
            ("a b", "'a b'"),
            ("", "''"),
            ("-x", "'-x'"),
            ("it's", r"'it'\''s'"),
            (r"Submit\(", r"'Submit\('"),
        ] {
            assert_eq!(quoted(text), expected);
        }
    }
}
