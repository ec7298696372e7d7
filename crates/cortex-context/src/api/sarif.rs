//! SARIF 2.1.0: one result for each difference.

use cortex_wire::{API_RULES, ApiAnswer, Severity};
use serde_json::{Value, json};

use super::{ApiShown, shown};

pub(crate) const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// A log with one run. Accepted differences are in it as suppressed.
pub fn api_sarif(answer: &ApiAnswer, what: ApiShown) -> String {
    let rules: Vec<Value> = (API_RULES.iter())
        .map(|rule| json!({ "id": rule.id, "shortDescription": { "text": rule.title } }))
        .collect();
    let mut results = Vec::new();
    let mut notifications = Vec::new();
    for assembly in &answer.assemblies {
        for it in shown(assembly, what) {
            let mut result = json!({
                "ruleId": it.rule,
                "ruleIndex": API_RULES.iter().position(|rule| rule.id == it.rule),
                "level": match it.severity {
                    Severity::Breaking => "error",
                    Severity::SourceBreaking | Severity::Behavioral => "warning",
                    Severity::Compatible => "note",
                },
                "message": { "text": format!("{}: {}", it.symbol, it.reason) },
                "locations": [{
                    "physicalLocation": {
                        "artifactLocation": { "uri": uri(it.path.as_str()) },
                        "region": { "startLine": it.line.max(1) },
                    },
                    "logicalLocations": [{ "fullyQualifiedName": it.symbol }],
                }],
                "partialFingerprints": {
                    "api/v1": format!("{} {} {}", assembly.assembly, it.rule, it.symbol),
                },
            });
            if it.allowed {
                result["suppressions"] = json!([{ "kind": "external" }]);
            }
            results.push(result);
        }
        for it in &assembly.undecided {
            notifications.push(json!({
                "level": "error",
                "message": { "text": format!("undecided: {}: {}", it.symbol, it.reason) },
            }));
        }
    }
    for lone in &answer.gone {
        results.push(json!({
            "ruleId": "CP0004",
            "level": "error",
            "message": { "text": format!("assembly {} removed", lone.assembly) },
        }));
    }
    let log = json!({
        "$schema": SCHEMA,
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
    });
    crate::json(&log)
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
