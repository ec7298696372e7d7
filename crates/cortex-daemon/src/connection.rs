//! One client: its messages are read one by one and answered side by side.

use std::{
    collections::BTreeMap,
    io,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use cortex_model::CancelToken;
use cortex_wire::{ErrorCode, WireError};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufRead, AsyncBufReadExt, AsyncWrite},
    sync::mpsc::{UnboundedSender, unbounded_channel},
    time::timeout,
};

use crate::{
    frame,
    message::{self, Hello, Incoming, PROTOCOL},
    methods::{Method, method},
    request::Asked,
    server::Shared,
    stream,
};

/// A frame that has begun must be whole within this time.
const FRAME_TIME: Duration = Duration::from_secs(30);

/// A client with more requests at a time is not read until some are answered.
const MAX_REQUESTS: usize = 4096;

/// The requests of a client that are at work, by their ids as JSON.
type AtWork = Arc<Mutex<BTreeMap<String, CancelToken>>>;

/// Serves a client until it closes, or sends what is no frame.
///
/// # Errors
/// Those of the stream.
pub(crate) async fn serve<R, W>(shared: &Arc<Shared>, mut input: R, mut output: W) -> io::Result<()>
where
    R: AsyncBufRead + Unpin,
    W: AsyncWrite + Unpin + Send + 'static,
{
    let (sender, mut receiver) = unbounded_channel::<Vec<u8>>();
    let writing = tokio::spawn(async move {
        while let Some(body) = receiver.recv().await {
            frame::write(&mut output, &body).await?;
        }
        Ok::<_, io::Error>(())
    });
    let at_work = AtWork::default();
    let places = Arc::new(tokio::sync::Semaphore::new(MAX_REQUESTS));
    let result = loop {
        // Waits as long as it likes for a frame to begin, and not for one that has.
        match input.fill_buf().await {
            Ok([]) => break Ok(()),
            Ok(_) => {}
            Err(error) => break Err(error),
        }
        let body = match timeout(FRAME_TIME, frame::read(&mut input)).await {
            Ok(Ok(Some(body))) => body,
            Ok(Ok(None)) => break Ok(()),
            Ok(Err(error)) => {
                let why = format!("what was sent is no frame: {error}");
                let _ = sender.send(message::error(
                    &Value::Null,
                    message::PARSE_ERROR,
                    &why,
                    None,
                ));
                break Ok(());
            }
            Err(_) => break Ok(()),
        };
        match Incoming::read(&body) {
            Incoming::Invalid { id, code, why } => {
                let _ = sender.send(message::error(&id, code, &why, None));
            }
            Incoming::Notification { method, params } => {
                if method == "$/cancelRequest" {
                    cancel(&at_work, &params["id"]);
                }
            }
            Incoming::Request { id, method, params } => {
                let Ok(place) = places.clone().acquire_owned().await else {
                    break Ok(());
                };
                let request = Request {
                    shared: shared.clone(),
                    id,
                    method,
                    params,
                    output: sender.clone(),
                    at_work: at_work.clone(),
                };
                if let Some(request) = request.begun() {
                    tokio::task::spawn_blocking(move || {
                        request.0.answer(request.1);
                        drop(place);
                    });
                }
            }
        }
        if shared.is_ending() {
            break Ok(());
        }
    };
    // Nobody waits for what is at work.
    for token in at_work
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .values()
    {
        token.cancel();
    }
    drop(sender);
    let _ = writing.await;
    result
}

fn cancel(at_work: &AtWork, id: &Value) {
    let at_work = at_work.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(token) = at_work.get(&id.to_string()) {
        token.cancel();
    }
}

/// A request that wants exactly one reply.
struct Request {
    shared: Arc<Shared>,
    id: Value,
    method: String,
    params: Value,
    output: UnboundedSender<Vec<u8>>,
    at_work: AtWork,
}

impl Request {
    /// The request with its cancel token; `None` where its id is at work already, which is answered here.
    fn begun(self) -> Option<(Self, CancelToken)> {
        let token = CancelToken::default();
        let mut at_work = self.at_work.lock().unwrap_or_else(PoisonError::into_inner);
        if at_work.contains_key(&self.id.to_string()) {
            let why = "a request of this id is at work";
            let _ = (self.output).send(message::error(
                &self.id,
                message::INVALID_REQUEST,
                why,
                None,
            ));
            return None;
        }
        at_work.insert(self.id.to_string(), token.clone());
        drop(at_work);
        Some((self, token))
    }

    fn answer(mut self, cancel: CancelToken) {
        self.shared.begin();
        let reply = match method(&self.method) {
            None => {
                let why = format!("there is no method `{}`", self.method);
                message::error(&self.id, message::METHOD_NOT_FOUND, &why, None)
            }
            Some(Method::Hello) => self.hello(),
            Some(Method::Shutdown) => {
                self.shared.end();
                message::result(&self.id, &Value::Null)
            }
            Some(Method::Operation(spec)) => return self.ask(&cancel, Some(spec)),
            Some(Method::StreamOp) => return self.ask(&cancel, None),
        };
        self.reply(reply);
    }

    fn hello(&mut self) -> Vec<u8> {
        let hello: Hello = match serde_json::from_value(self.params.take()) {
            Ok(hello) => hello,
            Err(_) => Hello {
                protocols: vec![PROTOCOL],
            },
        };
        if !hello.protocols.contains(&PROTOCOL) {
            let why = format!("this daemon speaks protocol {PROTOCOL} alone");
            return message::error(&self.id, message::INVALID_REQUEST, &why, None);
        }
        message::result(&self.id, &json!(self.shared.welcome()))
    }

    /// Answers an operation, or `StreamOp`.
    fn ask(mut self, cancel: &CancelToken, spec: Option<&'static cortex_service::OperationSpec>) {
        let (request, context) = match message::split(self.params.take()) {
            Ok(split) => split,
            Err(error) => {
                let reply = message::failure(&self.id, error.wire());
                return self.reply(reply);
            }
        };
        let folder = context
            .folder
            .clone()
            .unwrap_or_else(|| self.shared.folder().to_path_buf());
        let current = match self.shared.current(&folder) {
            Ok(current) => current,
            Err(error) => {
                let reply = message::failure(&self.id, error.wire());
                return self.reply(reply);
            }
        };
        let output = self.output.clone();
        let asked = Asked {
            current: &current,
            folder: &folder,
            context: &context,
            cancel: cancel.clone(),
            output: &output,
        };
        let result = match spec {
            None => stream::stream(&asked, request),
            // What only reads goes side by side; what writes, in turn.
            Some(spec) if spec.hints.read_only => asked.run(spec, request),
            Some(spec) => {
                let _turn = self.shared.turn();
                asked.run(spec, request)
            }
        };
        let reply = match result {
            // A client that canceled is told so, even if the answer came first.
            Ok(_) if cancel.is_canceled() => {
                let error = WireError::new(ErrorCode::Canceled, "canceled");
                message::failure(&self.id, &error)
            }
            Ok(envelope) => message::result_text(&self.id, &envelope),
            Err(error) => message::failure(&self.id, error.wire()),
        };
        self.reply(reply);
        asked.settle();
    }

    fn reply(&self, reply: Vec<u8>) {
        // Its id may be used again once the reply is out.
        let mut at_work = self.at_work.lock().unwrap_or_else(PoisonError::into_inner);
        at_work.remove(&self.id.to_string());
        let _ = self.output.send(reply);
        drop(at_work);
        self.shared.done();
    }
}
