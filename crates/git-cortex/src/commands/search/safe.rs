//! `git cortex search safe`.

use std::process::ExitCode;

use cortex_query::{Limits, PatternError, QueryError, SafeMode, SafeQuestion};
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
        (Err(failure), LookFormat::Json) => match classified(failure) {
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
        cortex_query::search_safe(index, side, &question, limits, interrupt::asked())
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
fn classified(failure: &Failure) -> Option<(Value, u8)> {
    let error = failure.cause::<QueryError>()?;
    let (class, code, exit) = match error {
        QueryError::TooBroad { .. } => ("business_conflict", "QueryTooBroad", 2),
        QueryError::UnknownArea { .. } => ("invalid_input", "UnknownArea", 2),
        QueryError::FileLimit { .. } => ("limit", "LimitExceeded", 2),
        QueryError::Pattern(_) => ("invalid_input", "InvalidPattern", 2),
        QueryError::FileMask { .. } => ("invalid_input", "InvalidFilter", 2),
        QueryError::Git(error) if error.is_usage() => ("invalid_input", "InvalidRange", 2),
        QueryError::Git(_) | QueryError::Write(_) => ("environment", "AccessDenied", 3),
        QueryError::Index(error) if error.is_damage() => ("internal", "InternalError", 3),
        QueryError::Index(_) => ("environment", "InternalError", 3),
        _ => ("internal", "InternalError", 3),
    };
    let (summary, example) = fix(error);
    let mut out = json!({
        "code": code,
        "class": class,
        "message": format!("failed to {}", failure.message()),
        "fix_suggestion": { "summary": summary, "code_example": example },
    });
    if let QueryError::FileLimit {
        files_processed,
        max_files,
    } = error
    {
        out["files_processed"] = json!(files_processed);
        out["max_files"] = json!(max_files);
    }
    Some((json!({ "error": out }), exit))
}

/// What to do instead, and a call that does it.
pub(crate) fn fix(error: &QueryError) -> (String, String) {
    match error {
        QueryError::TooBroad { suggestion, .. } => (
            suggestion.clone(),
            "git cortex search safe 'OrderService Submit' --mode conservative".to_owned(),
        ),
        QueryError::UnknownArea { known, .. } => (
            format!("choose one of {}", known.join(", ")),
            match known.first() {
                Some(name) => format!("git cortex search safe OrderService --area {name}"),
                None => "git cortex areas".to_owned(),
            },
        ),
        QueryError::FileLimit { .. } => (
            "add a word that fewer files have, or let the answer be partial".to_owned(),
            "git cortex search safe 'OrderService Submit' --mode broad".to_owned(),
        ),
        QueryError::Pattern(PatternError::Regex(_)) => (
            "write the query as words, or escape what an expression gives a meaning".to_owned(),
            r"git cortex search safe 'Submit\(order\)' --regex".to_owned(),
        ),
        _ => (
            "look at what the repository has".to_owned(),
            "git cortex status".to_owned(),
        ),
    }
}
