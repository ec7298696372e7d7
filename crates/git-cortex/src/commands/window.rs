//! `git cortex pin`, `unpin`, `dismiss`, `context` and `window`.

use std::process::ExitCode;

use cortex_wire::{
    ContextAddRequest, ContextClearRequest, DismissRequest, Envelope, PinRequest, WindowAnswer,
    WindowRequest,
};

use crate::{
    arguments::{
        Global, LookFormat, ReportFormat,
        window::{Context, ContextWhat, Dismiss, Pin, Unpin, Window},
    },
    commands::{print_envelope, print_exact, print_text},
    failure::Failure,
    session::Session,
};

pub(crate) fn pin(global: &Global, options: &Pin) -> Result<ExitCode, Failure> {
    let session = Session::new(global)?;
    let request = PinRequest {
        subjects: options.subjects.clone(),
    };
    let envelope = session.ask("pin", cortex_service::pin, &request)?;
    report(&session, &envelope, "pinned", options.format)
}

pub(crate) fn unpin(global: &Global, options: &Unpin) -> Result<ExitCode, Failure> {
    let session = Session::new(global)?;
    let request = PinRequest {
        subjects: options.subjects.clone(),
    };
    let envelope = session.ask("unpin", cortex_service::unpin, &request)?;
    report(&session, &envelope, "unpinned", options.format)
}

pub(crate) fn dismiss(global: &Global, options: &Dismiss) -> Result<ExitCode, Failure> {
    let session = Session::new(global)?;
    let request = DismissRequest {
        subjects: options.subjects.clone(),
    };
    let envelope = session.ask("dismiss", cortex_service::dismiss, &request)?;
    report(&session, &envelope, "dismissed", options.format)
}

pub(crate) fn context(global: &Global, options: &Context) -> Result<ExitCode, Failure> {
    let session = Session::new(global)?;
    let envelope = match &options.what {
        ContextWhat::Add(add) => {
            let request = ContextAddRequest {
                subjects: add.subjects.clone(),
                minutes: add.minutes,
            };
            session.ask("context-add", cortex_service::context_add, &request)?
        }
        ContextWhat::Clear => {
            let request = ContextClearRequest {};
            session.ask("context-clear", cortex_service::context_clear, &request)?
        }
    };
    report(&session, &envelope, "added", options.format)
}

pub(crate) fn window(global: &Global, options: &Window) -> Result<ExitCode, Failure> {
    let session = Session::new(global)?;
    let request = WindowRequest {
        budget: options.budget,
        tokenizer: options.tokenizer.map(|it| it.tokenizer().name().to_owned()),
        write: options.write,
    };
    let envelope = session.ask("window", cortex_service::window, &request)?;
    match options.format {
        LookFormat::Text => print_text(&cortex_context::window_text(&envelope.answer))?,
        LookFormat::Md => print_exact(&envelope.answer.text)?,
        LookFormat::Json => print_envelope(&envelope)?,
    }
    session.settle();
    Ok(ExitCode::SUCCESS)
}

/// Says what was changed, then what is in the window.
fn report(
    session: &Session<'_>,
    envelope: &Envelope<WindowAnswer>,
    done: &str,
    format: ReportFormat,
) -> Result<ExitCode, Failure> {
    match format {
        ReportFormat::Json => print_envelope(envelope)?,
        ReportFormat::Text => {
            let changed = envelope.answer.changed.iter();
            let mut text: String = changed.map(|it| format!("{done} {it}\n")).collect();
            text.push_str(&cortex_context::window_text(&envelope.answer));
            print_text(&text)?;
        }
    }
    session.settle();
    Ok(ExitCode::SUCCESS)
}
