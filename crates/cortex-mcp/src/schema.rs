//! Schemas of tools' arguments, as short as they can be said: a client sends them with every turn.

use std::sync::Arc;

use rmcp::model::JsonObject;
use serde_json::{Map, Value, json};

/// The arguments that every tool takes beside its own.
const COMMON: [&str; 2] = ["budget", "format"];

/// Those of [`COMMON`] that no argument of the tool's own is called like.
pub(crate) fn common(arguments: &Value) -> Vec<&'static str> {
    let is_own = |name: &str| arguments["properties"].get(name).is_some();
    COMMON.into_iter().filter(|name| !is_own(name)).collect()
}

/// The schema of a tool from that of its own arguments.
pub(crate) fn of_tool(arguments: Value) -> Arc<JsonObject> {
    let common = common(&arguments);
    let mut arguments = shortened(arguments);
    let defs = match arguments.get_mut("$defs").map(Value::take) {
        Some(Value::Object(defs)) => defs,
        _ => Map::new(),
    };
    if let Some(object) = arguments.as_object_mut() {
        object.remove("$defs");
        object.remove("description");
        object.entry("type").or_insert_with(|| json!("object"));
        let properties = object.entry("properties").or_insert_with(|| json!({}));
        for name in common {
            properties[name] = match name {
                "budget" => {
                    json!({"type": "integer", "description": "Tokens of the answer; default 4000"})
                }
                _ => json!({"enum": ["markdown", "json"]}),
            };
        }
    }
    inline(&mut arguments, &defs, 0);
    match arguments {
        Value::Object(object) => Arc::new(object),
        _ => Arc::default(),
    }
}

/// How deep definitions refer to definitions.
const MAX_DEPTH: usize = 6;

/// Puts definitions in the place of references to them: a reference costs more than the few that are used twice.
fn inline(value: &mut Value, defs: &Map<String, Value>, depth: usize) {
    match value {
        Value::Object(object) => {
            let name = object.get("$ref").and_then(Value::as_str);
            let target = name
                .and_then(|name| name.strip_prefix("#/$defs/"))
                .and_then(|name| defs.get(name));
            if let Some(target) = target
                && depth < MAX_DEPTH
            {
                let mut target = target.clone();
                inline(&mut target, defs, depth + 1);
                if let (Some(description), Some(target)) =
                    (object.get("description"), target.as_object_mut())
                {
                    target.insert("description".to_owned(), description.clone());
                }
                *value = target;
                return;
            }
            for field in object.values_mut() {
                inline(field, defs, depth);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|it| inline(it, defs, depth)),
        _ => {}
    }
}

/// The same schema without what says nothing to a reader who may leave every optional field out.
fn shortened(value: Value) -> Value {
    match value {
        Value::Object(object) => {
            let mut out: Map<String, Value> = object
                .into_iter()
                .filter(|(name, value)| match name.as_str() {
                    "$schema" | "title" | "default" | "minimum" | "maximum" => false,
                    "format" => !value.is_string(),
                    _ => true,
                })
                .map(|(name, value)| (name, shortened(value)))
                .collect();
            without_null(&mut out);
            words_of(&mut out);
            Value::Object(out)
        }
        Value::Array(items) => Value::Array(items.into_iter().map(shortened).collect()),
        other => other,
    }
}

/// `["string", "null"]` is `"string"`, and one alternative beside `null` is that one.
fn without_null(object: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|it| it != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            object.insert("type".to_owned(), only);
        }
    }
    let Some(Value::Array(alternatives)) = object.get_mut("anyOf") else {
        return;
    };
    alternatives.retain(|it| it["type"] != "null");
    if let [Value::Object(only)] = alternatives.as_slice() {
        let only = only.clone();
        object.remove("anyOf");
        for (name, value) in only {
            object.entry(name).or_insert(value);
        }
    }
}

/// Alternatives that are words are one list of words.
fn words_of(object: &mut Map<String, Value>) {
    let Some(Value::Array(alternatives)) = object.get("oneOf") else {
        return;
    };
    let words: Option<Vec<Value>> = alternatives
        .iter()
        .map(|it| it.get("const").cloned())
        .collect();
    if let Some(words) = words {
        object.remove("oneOf");
        object.remove("description");
        object.remove("type");
        object.insert("enum".to_owned(), Value::Array(words));
    }
}

#[cfg(test)]
mod tests {
    use schemars::JsonSchema;
    use serde_json::{Value, json};

    /// A long explanation.
    #[derive(JsonSchema)]
    #[schemars(rename_all = "camelCase")]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Arguments {
        /// What.
        what: String,
        /// Which.
        which: Option<Which>,
        at_most: Option<usize>,
    }

    /// Kinds.
    #[derive(JsonSchema)]
    #[schemars(rename_all = "kebab-case")]
    #[expect(dead_code, reason = "only its schema is looked at")]
    enum Which {
        /// The first.
        One,
        /// The second.
        Two,
    }

    #[test]
    fn a_schema_says_what_there_is_to_write() {
        let schema = super::of_tool(schemars::schema_for!(Arguments).to_value());
        assert_eq!(
            Value::Object((*schema).clone()),
            json!({
                "type": "object",
                "properties": {
                    "what": {"type": "string", "description": "What."},
                    "which": {"enum": ["one", "two"], "description": "Which."},
                    "atMost": {"type": "integer"},
                    "budget": {"type": "integer", "description": "Tokens of the answer; default 4000"},
                    "format": {"enum": ["markdown", "json"]},
                },
                "required": ["what"],
            })
        );
    }
}
