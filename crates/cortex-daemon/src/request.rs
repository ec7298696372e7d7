//! One request to the operation layer.

use std::{
    panic::AssertUnwindSafe,
    path::Path,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use cortex_service::{
    Caller, CancelToken, Current, OperationSpec, RequestContext, ServiceError, Stage, TimingShown,
    Watcher,
};
use cortex_wire::{ErrorCode, WireError};
use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedSender;

use crate::message::{Context, notification};

/// What answers requests.
pub(crate) struct Asked<'a> {
    /// The repository, with its generation when the request began.
    pub(crate) current: &'a Current,
    /// The folder that relative paths start from.
    pub(crate) folder: &'a Path,
    /// What the request brings.
    pub(crate) context: &'a Context,
    /// Ends it.
    pub(crate) cancel: CancelToken,
    /// Takes notifications of progress.
    pub(crate) output: &'a UnboundedSender<Vec<u8>>,
}

impl Asked<'_> {
    /// Answers a request with the text of an envelope in JSON. A fault of this program is an error of this request
    /// alone.
    pub(crate) fn run(
        &self,
        spec: &OperationSpec,
        request: Value,
    ) -> Result<Arc<str>, ServiceError> {
        self.with_context(spec.default_seconds, |context| {
            let run = || spec.answer(&self.current.workspace, context, request);
            std::panic::catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| Err(fault()))
        })
    }

    /// Ends a request whose answer is out.
    pub(crate) fn settle(&self) {
        self.with_context(None, |context| self.current.workspace.settle(context));
    }

    fn with_context<T>(
        &self,
        default_seconds: Option<u64>,
        ask: impl FnOnce(&RequestContext<'_>) -> T,
    ) -> T {
        let watcher = Sending {
            token: self.context.progress_token.as_ref(),
            output: self.output,
            last: Mutex::new(None),
        };
        let timeout = self.context.timeout_millis.map(Duration::from_millis);
        let context = RequestContext {
            tfm: self.context.tfm.clone(),
            deadline: timeout.and_then(|timeout| Instant::now().checked_add(timeout)),
            answer_time: default_seconds.map(Duration::from_secs),
            cancel: self.cancel.clone(),
            generation: self.current.generation,
            caller: match self.context.agent {
                true => Caller::Agent,
                false => Caller::Person,
            },
            timing: match self.context.timing {
                true => TimingShown::Yes,
                false => TimingShown::No,
            },
            ..RequestContext::new(self.folder, &watcher)
        };
        ask(&context)
    }
}

/// A fault of this program, which the panic hook has described on standard error.
fn fault() -> ServiceError {
    static FAULTS: AtomicU64 = AtomicU64::new(0);
    let number = FAULTS.fetch_add(1, Ordering::Relaxed) + 1;
    let mut error = WireError::new(
        ErrorCode::InternalError,
        "internal error: this is a bug in git cortex, and other requests are not affected",
    );
    error.trace_id = Some(format!("{}-{number}", std::process::id()));
    error.into()
}

/// Sends progress under the token of the caller.
struct Sending<'a> {
    token: Option<&'a Value>,
    output: &'a UnboundedSender<Vec<u8>>,
    last: Mutex<Option<Instant>>,
}

/// The time between two notifications.
const REPORT_EVERY: Duration = Duration::from_millis(100);

impl Watcher for Sending<'_> {
    fn progress(&self, stage: Stage, done: usize, total: usize) {
        let Some(token) = self.token else {
            return;
        };
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_some_and(|at| at.elapsed() < REPORT_EVERY) {
            return;
        }
        *last = Some(Instant::now());
        let stage = match stage {
            Stage::Parse => "parse",
            Stage::Bind => "bind",
            Stage::Write => "write",
            Stage::History => "history",
        };
        let value = json!({"stage": stage, "done": done, "total": total});
        // A client that is gone hears nothing.
        let _ = (self.output).send(notification(
            "$/progress",
            &json!({"token": token, "value": value}),
        ));
    }
}
