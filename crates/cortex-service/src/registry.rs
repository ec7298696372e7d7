//! What an operation is, and how it is found: from the [`table`] come the faces of the product and their reference.

mod table;

use std::{sync::Arc, time::Instant};

use cortex_wire::{Envelope, ErrorCode, WireError};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

pub use self::table::OPERATIONS;
use crate::{RequestContext, ServiceError, Workspace, context::micros, memo::Question};

/// What an operation does to the world.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Hints {
    /// It changes nothing but the index, which can be computed again.
    pub read_only: bool,
    /// It removes something.
    pub destructive: bool,
    /// Asked twice, it does no more than asked once.
    pub idempotent: bool,
    /// It reaches beyond this machine.
    pub open_world: bool,
}

/// How an operation's cost grows, once what it asks about is indexed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cost {
    /// Milliseconds, whatever the size of the repository.
    Instant,
    /// With the answer.
    Answer,
    /// With the repository.
    Repository,
    /// With the number of commits.
    History,
}

/// A request worth showing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Example {
    /// What it asks, as an imperative.
    pub title: &'static str,
    /// The request as JSON.
    pub request: &'static str,
}

type Run = fn(&Workspace, &RequestContext<'_>, Value) -> Result<String, ServiceError>;

/// An operation.
#[derive(Clone, Copy)]
pub struct OperationSpec {
    /// Its name on every face, such as `search-text`.
    pub name: &'static str,
    /// What it does, as an imperative without a full stop.
    pub summary: &'static str,
    /// What it does to the world.
    pub hints: Hints,
    /// How its cost grows.
    pub cost: Cost,
    /// The time for its answer where a request has no deadline, in seconds.
    pub default_seconds: Option<u64>,
    /// Requests worth showing.
    pub examples: &'static [Example],
    /// The schema of its request.
    pub request_schema: fn() -> Value,
    /// The schema of its answer with the envelope.
    pub answer_schema: fn() -> Value,
    // Answers a request in JSON with the text of an envelope in JSON.
    run: Run,
}

impl OperationSpec {
    /// Answers a request in JSON with the text of an envelope in JSON: that of an equal request before where the
    /// workspace knows that nothing has changed since.
    ///
    /// # Errors
    /// Those of the operation, and where the request is not one of it.
    pub fn answer(
        &self,
        workspace: &Workspace,
        context: &RequestContext<'_>,
        request: Value,
    ) -> Result<Arc<str>, ServiceError> {
        let question = Question::new(self.name, context, &request);
        let make = || (self.run)(workspace, context, request);
        match question {
            Some(question) => workspace.known_or(context, question, make),
            None => make().map(Arc::from),
        }
    }
}

/// The operation of a name.
pub fn operation(name: &str) -> Option<&'static OperationSpec> {
    OPERATIONS.iter().find(|it| it.name == name)
}

/// A function of the operation layer.
pub type Operation<R, A> =
    fn(&Workspace, &RequestContext<'_>, &R) -> Result<Envelope<A>, ServiceError>;

/// Answers a request, and notes how long that took where the context wants it.
///
/// # Errors
/// Those of the operation.
pub fn answer<R, A>(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    operation: Operation<R, A>,
    request: &R,
) -> Result<Envelope<A>, ServiceError> {
    let start = Instant::now();
    let mut envelope = operation(workspace, context, request)?;
    if context.timing.is_shown() {
        envelope.timing.get_or_insert_default().total_micros = micros(start.elapsed());
    }
    Ok(envelope)
}

fn erased<R: DeserializeOwned, A: Serialize>(
    request: Value,
    ask: impl FnOnce(&R) -> Result<Envelope<A>, ServiceError>,
) -> Result<String, ServiceError> {
    let request: R = serde_json::from_value(request).map_err(|error| {
        WireError::new(ErrorCode::InvalidRequest, "failed to read the request")
            .with_causes(vec![error.to_string()])
    })?;
    let envelope = ask(&request)?;
    Ok(serde_json::to_string(&envelope).expect("answers are plain data with text keys"))
}

/// The schema of a type.
pub(crate) fn schema<T: schemars::JsonSchema>() -> Value {
    schemars::schema_for!(T).to_value()
}

/// The schema of the envelope that an operation answers with.
fn schema_of_answer<R, A: schemars::JsonSchema>(_operation: Operation<R, A>) -> Value {
    schema::<Envelope<A>>()
}
