//! Scopes and patterns that mean nothing, as errors.

use std::{error::Error, fmt};

use cortex_scope::{Diagnostic, DiagnosticCode, PatternReport, Severity, infix::InfixError};
use serde_json::{Value, json};

/// What is wrong with a scope or a pattern.
#[derive(Debug)]
pub(crate) struct Invalid {
    code: &'static str,
    /// What could not be done.
    what: String,
    cause: Cause,
    /// 1-based, in characters.
    position: Option<usize>,
    diagnostics: Vec<Diagnostic>,
    hint: String,
}

/// One of several things that are wrong, with the next.
#[derive(Debug)]
struct Cause {
    message: String,
    next: Option<Box<Self>>,
}

impl Cause {
    fn of(messages: impl DoubleEndedIterator<Item = String>) -> Self {
        let link = |next: Option<Box<Self>>, message| Some(Box::new(Self { message, next }));
        match messages.rev().fold(None, link) {
            Some(first) => *first,
            None => Self {
                message: "nothing is known of it".to_owned(),
                next: None,
            },
        }
    }
}

const SEE_LIST: &str =
    "`git cortex scope list` shows what there is, `git cortex scope --help` how to write it";

const SAY_CONTEXT: &str = "say it to `git cortex scope` with `--open PATH`, `--current PATH` or `--selection PATH:FIRST-LAST`; elsewhere write `files(PATH)`";

impl Invalid {
    /// The exit code.
    pub(crate) const EXIT: u8 = 2;

    pub(crate) fn pattern(pattern: &str, report: PatternReport) -> Self {
        Self {
            code: "InvalidPattern",
            what: format!("read the pattern `{pattern}`"),
            cause: Cause::of(report.error.into_iter()),
            position: report.position,
            diagnostics: Vec::new(),
            hint: "a pattern is written as in the IDE, such as `file[App]:src//*&&!file:*.g.cs`; white space counts".to_owned(),
        }
    }

    pub(crate) fn expression(text: &str, error: &InfixError) -> Self {
        Self {
            code: "InvalidScope",
            what: format!("read the scope `{text}`"),
            cause: Cause::of([error.to_string()].into_iter()),
            position: Some(error.position),
            diagnostics: Vec::new(),
            hint: match &error.quoted {
                Some(quoted) => format!("if that is one name, it needs quotes: {quoted}"),
                None => SEE_LIST.to_owned(),
            },
        }
    }

    pub(crate) fn program(error: &str) -> Self {
        Self {
            code: "InvalidScope",
            what: "read the scope as a program in JSON".to_owned(),
            cause: Cause::of([error.to_owned()].into_iter()),
            position: None,
            diagnostics: Vec::new(),
            hint: "`git cortex scope describe --format json` shows the form".to_owned(),
        }
    }

    pub(crate) fn scope(text: &str, diagnostics: Vec<Diagnostic>) -> Self {
        let is_without_context =
            (diagnostics.iter()).any(|it| it.code == DiagnosticCode::MissingContext);
        let faults = diagnostics
            .iter()
            .filter(|it| it.severity == Severity::Error)
            .map(ToString::to_string);
        Self {
            code: "InvalidScope",
            what: format!("resolve the scope `{text}`"),
            cause: Cause::of(faults.collect::<Vec<_>>().into_iter()),
            position: None,
            hint: match is_without_context {
                true => SAY_CONTEXT.to_owned(),
                false => SEE_LIST.to_owned(),
            },
            diagnostics,
        }
    }

    /// What to do now.
    pub(crate) fn hint(&self) -> &str {
        &self.hint
    }

    /// The shape of errors.
    pub(crate) fn json(&self) -> Value {
        let mut error = json!({
            "code": self.code,
            "message": self.cause.message,
            "hint": self.hint,
        });
        if let Some(position) = self.position {
            error["position"] = json!(position);
        }
        if !self.diagnostics.is_empty() {
            error["diagnostics"] = super::render::value(&self.diagnostics);
        }
        json!({ "error": error })
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl Error for Invalid {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.cause)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for Cause {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        let next: &(dyn Error + 'static) = self.next.as_deref()?;
        Some(next)
    }
}
