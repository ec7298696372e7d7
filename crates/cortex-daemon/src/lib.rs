//! Every operation over JSON-RPC 2.0, answered by a process that stays: what it has read it need not read again.
//!
//! Owns: frames, messages, methods, who may connect, when the process ends. Must not know: how operations answer,
//! arguments of a command line, terminals.

pub mod client;
mod connection;
mod frame;
mod message;
mod methods;
mod place;
mod request;
mod server;
mod stream;
mod transport;

pub use client::Client;
pub use message::{Context, Hello, PROTOCOL, Welcome};
pub use place::{Place, environment_digest};
pub use server::{ServeOptions, serve, serve_stdio};
