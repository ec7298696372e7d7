//! The JSON form of an answer: all of it, uncut.

use serde::Serialize;

/// Writes all of `answer` as indented JSON with one line break at its end.
///
/// Fields stand in the order of their declaration.
pub fn json(answer: &impl Serialize) -> String {
    let mut out =
        serde_json::to_string_pretty(answer).expect("plain data with text keys has a JSON form");
    out.push('\n');
    out
}
