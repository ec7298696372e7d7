//! One question to the operation layer, beside others: with its progress, and ended when the client cancels it.

use std::{
    panic::AssertUnwindSafe,
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use cortex_service::{
    Caller, CancelToken, Current, RequestContext, ServiceError, Stage, Watcher, operation,
};
use cortex_wire::{ErrorCode, WireError};
use rmcp::{
    RoleServer,
    model::{ProgressNotificationParam, ProgressToken},
    service::Peer,
};
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_util::sync::CancellationToken;

use crate::tools::Question;

/// Gives the workspace for a request that begins now.
pub type WorkspaceNow = Arc<dyn Fn() -> Current + Send + Sync>;

/// What a question is asked of.
#[derive(Clone)]
pub(crate) struct Asked {
    /// Gives the repository for a request that begins now.
    pub(crate) workspace: WorkspaceNow,
    /// The folder that relative paths start from.
    pub(crate) folder: PathBuf,
    /// How long one request may take.
    pub(crate) timeout: Option<Duration>,
}

/// Who hears of a request's progress.
pub(crate) struct Listener {
    /// Its client.
    pub(crate) peer: Peer<RoleServer>,
    /// What the client calls the progress of this request.
    pub(crate) token: ProgressToken,
}

/// Answers a question with an envelope in JSON.
pub(crate) async fn ask(
    asked: &Asked,
    question: Question,
    ct: CancellationToken,
    listener: Option<Listener>,
) -> Result<Value, ServiceError> {
    let cancel = CancelToken::default();
    let (sender, receiver) = unbounded_channel();
    let reporting = listener.map(|listener| tokio::spawn(report(listener, receiver)));
    let answering = {
        let (asked, cancel) = (asked.clone(), cancel.clone());
        tokio::task::spawn_blocking(move || answer(&asked, &question, cancel, sender))
    };
    // Dropped with this future, too: a client that is gone needs no answer.
    let _canceling = Canceling(cancel.clone());
    let watching = async move {
        ct.cancelled().await;
        cancel.cancel();
        std::future::pending::<()>().await;
    };
    let result = tokio::select! {
        result = answering => result,
        () = watching => unreachable!("it never ends"),
    };
    if let Some(reporting) = reporting {
        // The last report goes out before the answer.
        let _ = reporting.await;
    }
    result.unwrap_or_else(|_| Err(fault()))
}

/// Cancels when it goes.
struct Canceling(CancelToken);

impl Drop for Canceling {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

fn answer(
    asked: &Asked,
    question: &Question,
    cancel: CancelToken,
    sender: UnboundedSender<Report>,
) -> Result<Value, ServiceError> {
    let Some(spec) = operation(&question.operation) else {
        let message = format!("there is no operation `{}`", question.operation);
        return Err(WireError::new(ErrorCode::InvalidRequest, message).into());
    };
    let current = (asked.workspace)();
    let watcher = Sending {
        sender,
        last: Mutex::new((None, 0.0)),
    };
    let context = RequestContext {
        deadline: (asked.timeout).and_then(|timeout| Instant::now().checked_add(timeout)),
        answer_time: spec.default_seconds.map(Duration::from_secs),
        cancel,
        generation: current.generation,
        caller: Caller::Agent,
        ..RequestContext::new(&asked.folder, &watcher)
    };
    let run = || spec.answer(&current.workspace, &context, question.request.clone());
    let result = std::panic::catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| Err(fault()));
    current.workspace.settle(&context);
    let envelope = result?;
    Ok(serde_json::from_str(&envelope).expect("an envelope is JSON"))
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

/// How far a request is.
#[derive(Clone, Debug)]
struct Report {
    progress: f64,
    message: String,
}

/// Sends progress that only grows, and not more often than anybody reads it.
struct Sending {
    sender: UnboundedSender<Report>,
    // When the last report was made, and how far it was.
    last: Mutex<(Option<Instant>, f64)>,
}

/// The time between two reports.
const REPORT_EVERY: Duration = Duration::from_millis(200);

/// The number of stages: progress counts them.
const N_STAGES: f64 = 3.0;

impl Watcher for Sending {
    fn progress(&self, stage: Stage, done: usize, total: usize) {
        let (before, what) = match stage {
            Stage::History => (0.0, "commits indexed"),
            Stage::Parse => (0.0, "files parsed"),
            Stage::Bind => (1.0, "files bound"),
            Stage::Write => (2.0, "files written"),
        };
        let share = match stage {
            Stage::History => N_STAGES,
            Stage::Parse | Stage::Bind | Stage::Write => 1.0,
        };
        let progress = before + share * (done as f64 / total.max(1) as f64).min(1.0);
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let is_early = last.0.is_some_and(|at| at.elapsed() < REPORT_EVERY);
        if is_early || progress <= last.1 {
            return;
        }
        *last = (Some(Instant::now()), progress);
        let message = format!("{done} of {total} {what}");
        // Nobody listens where the client gave no token.
        let _ = self.sender.send(Report { progress, message });
    }
}

async fn report(listener: Listener, mut receiver: UnboundedReceiver<Report>) {
    while let Some(Report { progress, message }) = receiver.recv().await {
        let params = ProgressNotificationParam::new(listener.token.clone(), progress)
            .with_total(N_STAGES)
            .with_message(message);
        if listener.peer.notify_progress(params).await.is_err() {
            return;
        }
    }
}
