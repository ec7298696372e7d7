//! What the messages of the libraries say.

mod code;
mod flags;
mod refusals;
