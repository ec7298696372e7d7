//! What answers say, at the level of the library: each test is the code, the request and the lines of the answer.
//!
//! Arguments, exit codes, streams and forms of answers are tested with the program, in `crates/git-cortex/tests`.

mod api;
mod external;
mod impact;
mod look;
mod mentions;
mod reach;
mod search;
