//! The frame of every SARIF log.
//!
//! Owns: what all logs have in common. Must not know: what is reported. The form is SARIF 2.1.0, an OASIS standard.

use serde_json::{Value, json};

/// A log with one run. `notifications`: what kept the run from its result.
pub(crate) fn log(rules: &[Value], results: &[Value], notifications: &[Value]) -> String {
    crate::json(&json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "git-cortex",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": notifications.is_empty(),
                "toolExecutionNotifications": notifications,
            }],
            "results": results,
        }],
    }))
}

/// A path as a relative URI.
pub(crate) fn uri(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte));
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}
