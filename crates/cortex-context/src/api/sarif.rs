//! SARIF 2.1.0: one result for each difference.

use cortex_wire::{API_RULES, ApiAnswer, Severity};
use serde_json::{Value, json};

use super::{ApiShown, shown};
use crate::sarif::{self, uri};

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
    sarif::log(&rules, &results, &notifications)
}
