//! Errors as users and programs see them.

use std::{fmt::Write, process::ExitCode};

use cortex_service::ServiceError;
use cortex_wire::{Candidate, ErrorClass, ErrorCode, ErrorEnvelope, WireError};

use crate::{arguments::ErrorForm, commands::print_json_text, harmless::in_text, words};

/// An error on its way to the terminal.
#[derive(Debug)]
pub(crate) struct Failure(Box<WireError>);

impl From<ServiceError> for Failure {
    fn from(error: ServiceError) -> Self {
        Self(Box::new(error.wire().clone()))
    }
}

impl From<WireError> for Failure {
    fn from(error: WireError) -> Self {
        Self(Box::new(error))
    }
}

/// A result of the system with what was being done, in words.
pub(crate) fn with_context<T>(
    result: std::io::Result<T>,
    doing: impl FnOnce() -> String,
) -> Result<T, Failure> {
    result.map_err(|error| {
        let error = WireError::new(ErrorCode::AccessDenied, format!("failed to {}", doing()))
            .with_causes(vec![error.to_string()]);
        error.into()
    })
}

impl Failure {
    /// The exit code of a fault of this program.
    pub(crate) const INTERNAL: u8 = 70;

    /// A request that the arguments do not make up.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        WireError::new(ErrorCode::InvalidRequest, message).into()
    }

    /// Whether the caller ended the request.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.0.code.class() == ErrorClass::Interrupted
    }

    /// Prints the error, its causes and a way out; gives the exit code.
    pub(crate) fn report(self, form: ErrorForm) -> ExitCode {
        let error = *self.0;
        let class = error.code.class();
        match form {
            ErrorForm::Json => {
                let envelope = ErrorEnvelope { error };
                let json = serde_json::to_string_pretty(&envelope).expect("errors are plain data");
                // Whoever closed the pipe reads no error either.
                let _ = print_json_text(&format!("{json}\n"));
            }
            ErrorForm::Words if class == ErrorClass::Interrupted => {
                anstream::eprintln!("interrupted");
            }
            ErrorForm::Words => print_words(&error),
        }
        ExitCode::from(class.exit_code())
    }
}

fn print_words(error: &WireError) {
    let red = anstyle::AnsiColor::Red.on_default().bold();
    anstream::eprintln!("{red}error:{red:#} {}", in_text(error.headline()));
    for cause in &error.causes {
        anstream::eprintln!("  caused by: {}", in_text(cause));
    }
    for hint in hints(error) {
        anstream::eprintln!("  hint: {}", in_text(&hint));
    }
}

/// What to do about an error, in the words of the command line.
fn hints(error: &WireError) -> Vec<String> {
    let mut hints = Vec::new();
    if !error.suggestions.is_empty() {
        hints.push(format!(
            "did you mean one of these?{}",
            list(&error.suggestions)
        ));
    }
    if let Some(hint) = &error.hint {
        let mut text = words::hint(hint, error);
        if !error.candidates.is_empty() {
            text.push(':');
            text.push_str(&list(&error.candidates));
        }
        hints.push(text);
    }
    hints.extend(error.next.iter().map(words::next));
    hints
}

/// How many symbols an error lists.
const MAX_LISTED: usize = 20;

fn list(candidates: &[Candidate]) -> String {
    let mut out = String::new();
    for Candidate { path, kind, id } in candidates.iter().take(MAX_LISTED) {
        let _ = write!(out, "\n    {kind} {path} {id}");
    }
    if candidates.len() > MAX_LISTED {
        let _ = write!(out, "\n    … and {} more", candidates.len() - MAX_LISTED);
    }
    out
}

/// Makes a panic say what to do with it, instead of what a Rust programmer would.
pub(crate) fn report_panics() {
    std::panic::set_hook(Box::new(|panic| {
        // The engine of the database panics on some damage; that becomes an error, and is mended.
        if cortex_index::is_panic_contained() {
            return;
        }
        let place = panic
            .location()
            .map(ToString::to_string)
            .unwrap_or_default();
        let text = panic.payload_as_str().unwrap_or("unknown");
        anstream::eprintln!("error: internal error at {place}: {}", in_text(text));
        anstream::eprintln!(
            "  hint: this is a bug in git cortex; please report this line with the command that caused it"
        );
    }));
}
