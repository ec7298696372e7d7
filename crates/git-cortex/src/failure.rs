//! Errors as users see them, and exit codes: 1 "the answer is no", 2 usage, 3 environment,
//! 130 interrupted, 70 a fault of ours.

use std::process::ExitCode;

use cortex_git::GitError;
use cortex_index::IndexError;
use cortex_query::QueryError;
use cortex_store::StoreError;

use crate::{harmless::in_text, interrupt};

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
    pub(crate) const INTERNAL: ExitCode = ExitCode::FAILURE;

    /// Prints the error, its causes and a way out; gives the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        let error = anstyle::AnsiColor::Red.on_default().bold();
        anstream::eprintln!(
            "{error}error:{error:#} failed to {}",
            in_text(&self.error.to_string())
        );
        for cause in self.error.chain().skip(1) {
            anstream::eprintln!("  caused by: {}", in_text(&cause.to_string()));
        }
        let (code, hint) = self.advice();
        if let Some(hint) = hint {
            anstream::eprintln!("  hint: {}", in_text(&hint));
        }
        ExitCode::from(code)
    }

    fn advice(&self) -> (u8, Option<String>) {
        for cause in self.error.chain() {
            if let Some(error) = cause.downcast_ref::<QueryError>() {
                match error {
                    QueryError::Git(error) => return git_advice(error),
                    QueryError::Index(error) => return index_advice(error),
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

fn index_advice(error: &IndexError) -> (u8, Option<String>) {
    match error {
        IndexError::Git(error) => git_advice(error),
        IndexError::Store(error) => store_advice(error),
        IndexError::Interrupted => (interrupt::EXIT, None),
        IndexError::Sandbox(_) => (3, None),
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
        _ => None,
    };
    (3, hint.map(str::to_owned))
}

fn git_advice(error: &GitError) -> (u8, Option<String>) {
    let code = if error.is_usage() { 2 } else { 3 };
    (code, error.hint())
}
