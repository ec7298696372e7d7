//! `StreamOp`: the states of an edit as they come, each with its number, so that a client which lost its connection goes
//! on behind the last that it has.

use std::{sync::Arc, time::Duration};

use cortex_service::{ServiceError, operation};
use cortex_wire::{Envelope, ErrorCode, OpAnswer, OpState, WireError};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{message::notification, request::Asked};

/// What a client asks for.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Wanted {
    /// The operation's id, or the beginning of it.
    op: String,
    /// The number of the last event that the client has.
    #[serde(default)]
    after: usize,
    /// Whether to end with the states that there are.
    #[serde(default)]
    only_known: bool,
}

/// How often the operation is looked at.
const POLL: Duration = Duration::from_millis(100);

/// Sends an event for each state until the operation is at its end, or the request is canceled.
pub(crate) fn stream(asked: &Asked<'_>, request: Value) -> Result<Arc<str>, ServiceError> {
    let wanted: Wanted = serde_json::from_value(request).map_err(|error| {
        WireError::new(ErrorCode::InvalidRequest, "failed to read the request")
            .with_causes(vec![error.to_string()])
    })?;
    let spec = operation("ops-show").expect("it is registered");
    let mut n_sent = wanted.after;
    loop {
        let envelope = asked.run(spec, json!({"op": wanted.op}))?;
        let Envelope::<OpAnswer> { answer, .. } = serde_json::from_str(&envelope)
            .map_err(|error| WireError::new(ErrorCode::InternalError, error.to_string()))?;
        for (at, state) in answer.states.iter().enumerate().skip(n_sent) {
            let event = json!({
                "op": answer.edit.op, "event": at + 1, "state": state.state, "time": state.time,
            });
            let _ = asked.output.send(notification("StreamOp/event", &event));
            n_sent = at + 1;
        }
        let is_over = matches!(
            answer.state,
            OpState::Applied | OpState::Undone | OpState::Rejected
        );
        if is_over || wanted.only_known {
            return Ok(envelope);
        }
        if asked.cancel.is_canceled() {
            return Err(WireError::new(ErrorCode::Canceled, "canceled").into());
        }
        std::thread::sleep(POLL);
    }
}
