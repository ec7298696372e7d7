//! SARIF 2.1.0: one result for each file that is not fresh.

use cortex_wire::{CheckAnswer, CheckRule, CheckSeverity};
use serde_json::{Value, json};

use super::{Mend, whole_message};
use crate::sarif::{self, uri};

/// A log with one run.
pub fn check_sarif(answer: &CheckAnswer, mend: &Mend<'_>) -> String {
    let rules: Vec<Value> = (CheckRule::ALL.iter())
        .map(|rule| {
            json!({
                "id": rule.name(),
                "shortDescription": { "text": rule.title() },
                "defaultConfiguration": { "level": level(rule.default_severity()) },
            })
        })
        .collect();
    let results: Vec<Value> = (answer.problems.iter())
        .map(|problem| {
            let mut text = whole_message(problem);
            if let Some(command) = mend.of(problem) {
                text.push_str(&format!(" (to mend, run: {command})"));
            }
            let mut location = json!({
                "physicalLocation": {
                    "artifactLocation": { "uri": uri(problem.file.as_str()) },
                    "region": { "startLine": 1 },
                },
            });
            if let Some(symbol) = &problem.symbol {
                location["logicalLocations"] = json!([{ "fullyQualifiedName": symbol.path }]);
            }
            json!({
                "ruleId": problem.rule.name(),
                "ruleIndex": CheckRule::ALL.iter().position(|rule| *rule == problem.rule),
                "level": level(problem.severity),
                "message": { "text": text },
                "locations": [location],
                "partialFingerprints": {
                    "context/v1": format!("{} {}", problem.rule.name(), problem.file),
                },
            })
        })
        .collect();
    let notifications: Vec<Value> = (answer.undecided.iter())
        .map(|reason| json!({ "level": "error", "message": { "text": reason } }))
        .collect();
    sarif::log(&rules, &results, &notifications)
}

fn level(severity: CheckSeverity) -> &'static str {
    match severity {
        CheckSeverity::Error => "error",
        CheckSeverity::Warning => "warning",
        CheckSeverity::Ignore => "none",
    }
}
