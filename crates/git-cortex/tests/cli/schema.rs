//! Answers have the published form.
//!
//! The checker knows the words of JSON Schema that the published schemas use, and no others.

use serde_json::Value;

use crate::harness::World;

/// The schema of `diff-context --format json`.
const DIFF_CONTEXT: &str = include_str!("../../../../docs/schema/diff-context.schema.json");

/// Compares an answer of `diff-context` with its schema.
#[track_caller]
pub(crate) fn check_diff_context(answer: &Value) {
    let schema: Value = serde_json::from_str(DIFF_CONTEXT).expect("the schema is JSON");
    if let Err(complaint) = validate(&schema, &schema, answer, "$") {
        panic!("{complaint}");
    }
}

fn validate(root: &Value, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    for (word, wanted) in schema.as_object().expect("a schema is an object") {
        let is_ok = match word.as_str() {
            "$schema" | "$defs" | "title" | "description" => true,
            // These stand beside `properties`.
            "required" | "additionalProperties" => true,
            "$ref" => {
                let name = wanted.as_str().and_then(|it| it.strip_prefix("#/$defs/"));
                let found = &root["$defs"][name.expect("it names a definition")];
                validate(root, found, value, at)?;
                true
            }
            "allOf" => {
                for part in wanted.as_array().expect("a list of schemas") {
                    validate(root, part, value, at)?;
                }
                true
            }
            "anyOf" => {
                let mut all = wanted.as_array().expect("a list of schemas").iter();
                all.any(|part| validate(root, part, value, at).is_ok())
            }
            "const" => value == wanted,
            "enum" => wanted.as_array().expect("values").contains(value),
            "minimum" => value.as_u64() >= wanted.as_u64(),
            "type" => match wanted.as_str().expect("a type is a word") {
                "string" => value.is_string(),
                "integer" => value.is_i64() || value.is_u64(),
                "boolean" => value.is_boolean(),
                "null" => value.is_null(),
                "array" => value.is_array(),
                "object" => value.is_object(),
                other => panic!("no such type: {other}"),
            },
            "items" => {
                for (nth, item) in value.as_array().into_iter().flatten().enumerate() {
                    validate(root, wanted, item, &format!("{at}[{nth}]"))?;
                }
                true
            }
            "properties" => {
                let Some(fields) = value.as_object() else {
                    return Err(format!("{at} is no object"));
                };
                for (name, field) in fields {
                    let Some(schema) = wanted.get(name) else {
                        return Err(format!("{at}.{name} is not in the schema"));
                    };
                    validate(root, schema, field, &format!("{at}.{name}"))?;
                }
                let required = schema["required"].as_array().expect("it is said");
                let missing = required
                    .iter()
                    .find(|name| !fields.contains_key(name.as_str().expect("a name")));
                if let Some(name) = missing {
                    return Err(format!("{at} has no {name}"));
                }
                true
            }
            other => panic!("the checker does not know `{other}`"),
        };
        if !is_ok {
            return Err(format!("{at} is not what `{word}` says: {value}"));
        }
    }
    Ok(())
}

#[test]
fn answers_of_the_demonstration_have_the_published_form() {
    let world = World::demo();
    for back in 0..9 {
        let range = format!("HEAD~{}..HEAD~{back}", back + 1);
        check_diff_context(&world.json(&["diff-context", &range]));
    }
    check_diff_context(&world.json(&["diff-context", "HEAD~9..HEAD"]));
    check_diff_context(&world.json(&["diff-context"]));
}
