//! One tool for each operation, under its name with `_`.

use cortex_service::{OPERATIONS, OperationSpec};
use cortex_wire::{ErrorCode, WireError};
use serde_json::Value;

use super::{Question, Tool};
use crate::schema;

/// Fields of requests that a person decides about, and no tool.
const DECIDED_BY_PEOPLE: [&str; 2] = ["allowUnproven", "allowChangedMeaning"];

pub(super) fn tools() -> Vec<Tool> {
    OPERATIONS.iter().map(tool).collect()
}

/// The name of an operation's tool.
pub(crate) fn name_of(operation: &str) -> String {
    operation.replace('-', "_")
}

fn tool(spec: &'static OperationSpec) -> Tool {
    let mut arguments = (spec.request_schema)();
    if let Some(properties) = arguments["properties"].as_object_mut() {
        for name in DECIDED_BY_PEOPLE {
            properties.remove(name);
        }
    }
    Tool {
        name: name_of(spec.name),
        description: format!("{}.", spec.summary),
        common: schema::common(&arguments),
        schema: schema::of_tool(arguments),
        hints: spec.hints,
        question: Box::new(move |request: Value| {
            if let Some(field) = DECIDED_BY_PEOPLE
                .iter()
                .find(|it| request.get(**it).is_some())
            {
                let message = format!("`{field}` is decided by a person, not by a tool");
                return Err(WireError::new(ErrorCode::NotReviewed, message).into());
            }
            Ok(Question {
                operation: spec.name.to_owned(),
                request,
            })
        }),
    }
}
