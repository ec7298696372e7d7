//! Errors as users and programs see them, and exit codes: 1 "the answer is no", 2 usage, 3 environment,
//! 130 interrupted, 70 a fault of ours.

mod json;

use std::{fmt::Write, process::ExitCode};

use cortex_change::SuppressionError;
use cortex_git::GitError;
use cortex_index::IndexError;
use cortex_look::{Candidate, QueryError};
use cortex_store::StoreError;

use crate::{
    arguments::ErrorForm,
    commands::{config::UnknownKey, print_json_text, scope::Invalid, search::fix},
    harmless::in_text,
    interrupt,
};

/// An error on its way to the terminal.
#[derive(Debug)]
pub(crate) struct Failure {
    error: anyhow::Error,
}

impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self {
            error: error.into(),
        }
    }
}

impl Failure {
    /// The exit code where files, time or rights do not suffice.
    pub(crate) const ENVIRONMENT: u8 = 3;

    /// The exit code of a fault of ours.
    pub(crate) const INTERNAL: u8 = 70;

    /// The error of a type, if it is one or was caused by one.
    pub(crate) fn cause<E: std::error::Error + Send + Sync + 'static>(&self) -> Option<&E> {
        self.error.chain().find_map(|cause| cause.downcast_ref())
    }

    /// The error with its causes.
    pub(crate) fn message(&self) -> String {
        let causes: Vec<String> = self.error.chain().map(ToString::to_string).collect();
        causes.join(": ")
    }

    /// Its code for programs, the exit code and a way out.
    pub(crate) fn told(&self) -> (&'static str, u8, Option<String>) {
        let (exit, hint) = self.advice();
        (json::code(&self.error), exit, hint)
    }

    /// Prints the error, its causes and a way out; gives the exit code.
    pub(crate) fn report(&self, form: ErrorForm) -> ExitCode {
        let (code, hint) = self.advice();
        if form == ErrorForm::Json {
            // Whoever closed the pipe reads no error either.
            let _ = print_json_text(&json::of(&self.error, hint.as_deref()));
            return ExitCode::from(code);
        }
        if code == interrupt::EXIT {
            anstream::eprintln!("interrupted");
            return ExitCode::from(code);
        }
        let error = anstyle::AnsiColor::Red.on_default().bold();
        anstream::eprintln!(
            "{error}error:{error:#} failed to {}",
            in_text(&self.error.to_string())
        );
        for cause in self.error.chain().skip(1) {
            anstream::eprintln!("  caused by: {}", in_text(&cause.to_string()));
        }
        if let Some(hint) = hint {
            anstream::eprintln!("  hint: {}", in_text(&hint));
        }
        ExitCode::from(code)
    }

    fn advice(&self) -> (u8, Option<String>) {
        for cause in self.error.chain() {
            if let Some(UnknownKey { known, .. }) = cause.downcast_ref() {
                return (2, Some(format!("there are {known}")));
            }
            if cause.is::<SuppressionError>() {
                let hint =
                    "write it as the .NET SDK does: `<Suppressions>` with `<Suppression>` elements";
                return (2, Some(hint.to_owned()));
            }
            if let Some(invalid) = cause.downcast_ref::<Invalid>() {
                return (Invalid::EXIT, Some(invalid.hint().to_owned()));
            }
            if let Some(error) = cause.downcast_ref::<QueryError>() {
                match error {
                    QueryError::Git(error) => return git_advice(error),
                    QueryError::Index(error) => return index_advice(error),
                    QueryError::UnknownProject(_) => {
                        let hint = "run `git cortex status --projects` to see all projects";
                        return (2, Some(hint.to_owned()));
                    }
                    QueryError::SymbolNotFound {
                        suggestions,
                        further,
                        ..
                    } => {
                        let near = (!suggestions.is_empty())
                            .then(|| format!("did you mean one of these?{}", list(suggestions)));
                        let further = further.as_ref().map(|fill| {
                            let command = crate::more::older_commits(fill);
                            format!("it may be in older commits; to search those: {command}")
                        });
                        let hints: Vec<String> = near.into_iter().chain(further).collect();
                        return (1, (!hints.is_empty()).then(|| hints.join("\n  hint: ")));
                    }
                    QueryError::EmptySymbol => {
                        let hint = "write a name, such as OrderService.Submit, or a place, such as src/Order.cs:12";
                        return (2, Some(hint.to_owned()));
                    }
                    QueryError::SymbolOutside { n, .. } => {
                        let hint = format!(
                            "{} so elsewhere; ask without --scope, --project, --path, --test and --no-test",
                            match n {
                                1 => "1 symbol is called".to_owned(),
                                n => format!("{n} symbols are called"),
                            }
                        );
                        return (1, Some(hint));
                    }
                    QueryError::UnknownKind { known, .. } => {
                        return (2, Some(format!("kinds are {}", known.join(", "))));
                    }
                    QueryError::TimedOut { .. } => {
                        let hint =
                            "give it more time with --timeout; what was indexed until now is kept";
                        return (3, Some(hint.to_owned()));
                    }
                    QueryError::AmbiguousSymbol { candidates, .. } => {
                        let hint = format!("write more of the name, or an id:{}", list(candidates));
                        return (2, Some(hint));
                    }
                    QueryError::Pattern(_) => {
                        let hint = "with `--mode plain` a query is searched for as it is written";
                        return (2, Some(hint.to_owned()));
                    }
                    QueryError::FileMask { .. } => {
                        let hint = "write globs of names or paths, such as '*.cs,!*.g.cs' or 'src/**/*.ts'";
                        return (2, Some(hint.to_owned()));
                    }
                    QueryError::TooBroad { .. }
                    | QueryError::UnknownArea { .. }
                    | QueryError::FileLimit { .. }
                    | QueryError::Expression { .. } => {
                        let fix = fix(error);
                        let hint = fix.map(|(summary, example)| format!("{summary}: {example}"));
                        return (2, hint);
                    }
                    QueryError::Scope(_) | QueryError::NoSuchFile(_) => {
                        return (Invalid::EXIT, None);
                    }
                    QueryError::Write(_) => {}
                }
            }
            if let Some(error) = cause.downcast_ref::<GitError>() {
                return git_advice(error);
            }
            if let Some(error) = cause.downcast_ref::<IndexError>() {
                return index_advice(error);
            }
            if let Some(error) = cause.downcast_ref::<StoreError>() {
                return store_advice(error);
            }
        }
        (3, None)
    }
}

/// How many symbols an error lists.
const MAX_LISTED: usize = 20;

fn list(candidates: &[Candidate]) -> String {
    let mut out = String::new();
    for Candidate { name, kind, id } in candidates.iter().take(MAX_LISTED) {
        let _ = write!(out, "\n    {kind} {name} {id}");
    }
    if candidates.len() > MAX_LISTED {
        let _ = write!(out, "\n    … and {} more", candidates.len() - MAX_LISTED);
    }
    out
}

fn index_advice(error: &IndexError) -> (u8, Option<String>) {
    match error {
        IndexError::Git(error) => git_advice(error),
        IndexError::Store(error) => store_advice(error),
        IndexError::Interrupted => (interrupt::EXIT, None),
        IndexError::Sandbox(_) | IndexError::Spill(_) => (3, None),
        IndexError::Damaged { .. } => (
            3,
            Some("run `git cortex gc --all` to start from nothing".to_owned()),
        ),
    }
}

fn store_advice(error: &StoreError) -> (u8, Option<String>) {
    let hint = match error {
        StoreError::Busy { .. } => Some(
            "try again when the other command has ended, or wait longer with `git config cortex.lockTimeout 60`",
        ),
        StoreError::Full => Some(
            "free some space, run `git cortex gc --max-size 500m`, or keep the index elsewhere with `git config --global cortex.dir FOLDER`; nothing that was indexed before is lost",
        ),
        StoreError::Newer { .. } => Some(
            "update `git cortex`, or keep an index of its own with GIT_CORTEX_DIR=FOLDER; the index is untouched",
        ),
        _ => None,
    };
    (3, hint.map(str::to_owned))
}

fn git_advice(error: &GitError) -> (u8, Option<String>) {
    let code = if error.is_usage() { 2 } else { 3 };
    (code, error.hint())
}

/// Makes a panic say what to do with it, instead of what a Rust programmer would.
pub(crate) fn report_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic
            .location()
            .map(ToString::to_string)
            .unwrap_or_default();
        let text = panic.payload_as_str().unwrap_or("unknown");
        anstream::eprintln!("error: a fault of git cortex at {place}: {}", in_text(text));
        anstream::eprintln!("  hint: please report this line with the command that showed it");
    }));
}
