//! Messages of JSON-RPC 2.0, and what ours have in them.

use std::path::PathBuf;

use cortex_service::ServiceError;
use cortex_wire::{ErrorCode, WireError};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The version of the methods and of what they take beside an operation's request.
pub const PROTOCOL: u32 = 1;

/// What a client says first, if it wants to know whom it talks to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Hello {
    /// The versions of the protocol that it speaks.
    pub protocols: Vec<u32>,
}

/// The answer to [`Hello`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Welcome {
    /// The version of the protocol that both speak.
    pub protocol: u32,
    /// The version of the program.
    pub version: String,
    /// The process.
    pub pid: u32,
    /// What of its environment its answers depend on, as a digest.
    pub environment: String,
    /// For how many seconds it runs.
    pub uptime_seconds: u64,
    /// How many requests it has answered.
    pub requests: u64,
    /// The work trees whose answers it has in memory.
    pub folders: Vec<PathBuf>,
}

/// What a request brings besides what it asks: the field `$context` of its parameters, or their second element.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Context {
    /// The folder that relative paths start from; that of the daemon by default.
    pub folder: Option<PathBuf>,
    /// The target framework to look at.
    pub tfm: Option<String>,
    /// How long everything may take.
    pub timeout_millis: Option<u64>,
    /// Whether the answer says how long it took.
    pub timing: bool,
    /// Whether an agent asks: then no edit is applied that no person has approved.
    pub agent: bool,
    /// What notifications of progress are called; none are sent without it.
    pub progress_token: Option<Value>,
}

/// A message of a client.
pub(crate) enum Incoming {
    /// It wants a reply.
    Request {
        id: Value,
        method: String,
        params: Value,
    },
    /// It wants none.
    Notification { method: String, params: Value },
    /// It is none, which is told under this id.
    Invalid { id: Value, code: i64, why: String },
}

pub(crate) const PARSE_ERROR: i64 = -32700;
pub(crate) const INVALID_REQUEST: i64 = -32600;
pub(crate) const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;
const INTERNAL_ERROR: i64 = -32603;
const CANCELED: i64 = -32800;
const FAILED: i64 = -32000;

impl Incoming {
    /// Reads a message.
    pub(crate) fn read(body: &[u8]) -> Self {
        let message: Value = match serde_json::from_slice(body) {
            Ok(message) => message,
            Err(error) => {
                return Self::Invalid {
                    id: Value::Null,
                    code: PARSE_ERROR,
                    why: error.to_string(),
                };
            }
        };
        let id = message.get("id").cloned();
        // StreamJsonRpc counts in 64 bits, others write text.
        let is_id = |id: &Value| id.is_i64() || id.is_u64() || id.is_string();
        let invalid = |why: &str| Self::Invalid {
            id: id.clone().filter(is_id).unwrap_or_default(),
            code: INVALID_REQUEST,
            why: why.to_owned(),
        };
        if message.is_array() {
            return invalid("batches are not supported");
        }
        if message["jsonrpc"] != "2.0" {
            return invalid("`jsonrpc` is not \"2.0\"");
        }
        let Some(method) = message["method"].as_str().map(str::to_owned) else {
            return invalid("there is no method");
        };
        let params = message.get("params").cloned().unwrap_or_default();
        match id {
            None => Self::Notification { method, params },
            Some(id) if is_id(&id) => Self::Request { id, method, params },
            Some(_) => invalid("an id is a whole number or a text"),
        }
    }
}

/// A reply with a result.
pub(crate) fn result(id: &Value, result: &Value) -> Vec<u8> {
    result_text(id, &result.to_string())
}

/// A reply with a result that is JSON already.
pub(crate) fn result_text(id: &Value, result: &str) -> Vec<u8> {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#).into_bytes()
}

/// A reply with an error.
pub(crate) fn error(id: &Value, code: i64, message: &str, data: Option<&WireError>) -> Vec<u8> {
    let mut error = json!({"code": code, "message": message});
    if let Some(data) = data {
        error["data"] = serde_json::to_value(data).unwrap_or_default();
    }
    to_bytes(&json!({"jsonrpc": "2.0", "id": id, "error": error}))
}

/// A reply with an error of an operation.
pub(crate) fn failure(id: &Value, failure: &WireError) -> Vec<u8> {
    let code = match failure.code {
        ErrorCode::Canceled => CANCELED,
        ErrorCode::InvalidRequest => INVALID_PARAMS,
        ErrorCode::InternalError => INTERNAL_ERROR,
        _ => FAILED,
    };
    error(id, code, &failure.message, Some(failure))
}

/// A message that wants no reply.
pub(crate) fn notification(method: &str, params: &Value) -> Vec<u8> {
    to_bytes(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
}

pub(crate) fn to_bytes(message: &Value) -> Vec<u8> {
    serde_json::to_vec(message).expect("messages are plain data with text keys")
}

/// The parameters of a request, apart from its context: an object, or a list of it with the context behind it.
///
/// # Errors
/// Where they are neither.
pub(crate) fn split(params: Value) -> Result<(Value, Context), ServiceError> {
    let invalid = |why: String| ServiceError::from(WireError::new(ErrorCode::InvalidRequest, why));
    let (mut request, mut context) = match params {
        Value::Null => (json!({}), Value::Null),
        Value::Object(_) => (params, Value::Null),
        Value::Array(items) if items.len() <= 2 => {
            let mut items = items.into_iter();
            let request = items.next().unwrap_or_else(|| json!({}));
            (request, items.next().unwrap_or_default())
        }
        _ => {
            let why = "parameters are an object, or a list of it and a context";
            return Err(invalid(why.to_owned()));
        }
    };
    if let Some(own) = request.as_object_mut().and_then(|it| it.remove("$context")) {
        context = own;
    }
    let context = match context {
        Value::Null => Context::default(),
        context => serde_json::from_value(context)
            .map_err(|error| invalid(format!("failed to read `$context`: {error}")))?,
    };
    Ok((request, context))
}
