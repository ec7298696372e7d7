//! A client: what the command line asks a daemon with.

use std::{
    io::{self, ErrorKind},
    time::Duration,
};

use cortex_model::CancelToken;
use cortex_wire::{ErrorCode, WireError};
use serde_json::{Value, json};

use crate::{
    frame::framed,
    message::{Hello, PROTOCOL, Welcome},
    place::Place,
    transport::{self, Stream},
};

/// A connection to a daemon.
pub struct Client {
    stream: Box<dyn Stream>,
    // What was read and is not a whole message yet.
    pending: Vec<u8>,
    n_requests: u64,
    welcome: Welcome,
}

/// A daemon that does not greet within this time is none.
const GREETING: Duration = Duration::from_secs(2);

/// How often a client that waits looks whether it is to cancel.
const LOOK: Duration = Duration::from_millis(50);

impl Client {
    /// Connects to the daemon of a place; `None` where none listens, or one that speaks otherwise.
    pub fn connect(place: &Place) -> Option<Self> {
        let mut stream = transport::connect(&place.address).ok()?;
        stream.wait_at_most(GREETING).ok()?;
        let mut client = Self {
            stream: Box::new(stream),
            pending: Vec::new(),
            n_requests: 0,
            welcome: Welcome {
                protocol: PROTOCOL,
                version: String::new(),
                pid: 0,
                environment: String::new(),
                uptime_seconds: 0,
                requests: 0,
                folders: Vec::new(),
            },
        };
        let hello = Hello {
            protocols: vec![PROTOCOL],
        };
        let welcome = client
            .request("Hello", &json!(hello), &CancelToken::default())
            .ok()?
            .ok()?;
        client.welcome = serde_json::from_value(welcome).ok()?;
        client.stream.wait_at_most(LOOK).ok()?;
        Some(client)
    }

    /// What the daemon said of itself.
    pub fn welcome(&self) -> &Welcome {
        &self.welcome
    }

    /// Asks, and waits for the reply, which is that of a canceled request where the token says so meanwhile.
    ///
    /// # Errors
    /// Those of the connection; inside, that of the request.
    pub fn request(
        &mut self,
        method: &str,
        params: &Value,
        cancel: &CancelToken,
    ) -> io::Result<Result<Value, Box<WireError>>> {
        self.n_requests += 1;
        let id = self.n_requests;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        let mut is_told = false;
        loop {
            let mut message = match self.read() {
                Ok(message) => message,
                Err(error) if is_timeout(&error) && self.welcome.pid != 0 => {
                    if cancel.is_canceled() && !is_told {
                        is_told = true;
                        let params = json!({"id": id});
                        self.send(&json!({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": params}))?;
                    }
                    continue;
                }
                Err(error) => return Err(error),
            };
            if message["id"] != id {
                continue;
            }
            let error = message["error"].take();
            if error.is_null() {
                return Ok(Ok(message["result"].take()));
            }
            let text = error["message"].as_str().unwrap_or_default().to_owned();
            let error = serde_json::from_value(error["data"].clone());
            return Ok(Err(Box::new(error.unwrap_or_else(|_| {
                WireError::new(ErrorCode::InternalError, text)
            }))));
        }
    }

    fn send(&mut self, message: &Value) -> io::Result<()> {
        self.stream
            .write_all(&framed(message.to_string().as_bytes()))?;
        self.stream.flush()
    }

    /// Reads one message. What has come of one before an error is kept for the next call.
    fn read(&mut self) -> io::Result<Value> {
        let mut bytes = vec![0; 64 << 10];
        loop {
            if let Some((body, end)) = first_frame(&self.pending)? {
                let message = serde_json::from_slice(&self.pending[body..end])?;
                self.pending.drain(..end);
                return Ok(message);
            }
            match self.stream.read(&mut bytes)? {
                0 => return Err(ErrorKind::UnexpectedEof.into()),
                n_read => self.pending.extend_from_slice(&bytes[..n_read]),
            }
        }
    }
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}

/// Where the body of the first frame begins and ends; `None` where it is not whole yet.
fn first_frame(bytes: &[u8]) -> io::Result<Option<(usize, usize)>> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
    let Some(end) = end else {
        return Ok(None);
    };
    let header = String::from_utf8_lossy(&bytes[..end]);
    let length = header
        .lines()
        .find_map(|line| line.strip_prefix("Content-Length:"));
    let length = length.and_then(|length| length.trim().parse::<usize>().ok());
    let body = end + 4;
    let length = length.ok_or(ErrorKind::InvalidData)?;
    Ok((bytes.len() - body >= length).then_some((body, body + length)))
}
