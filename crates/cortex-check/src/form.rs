//! What programs read: every answer and every error has the form that its schema describes.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use cortex_service::operation;
use jsonschema::Validator;
use serde_json::Value;

static VALIDATORS: Mutex<BTreeMap<String, Arc<Validator>>> = Mutex::new(BTreeMap::new());

fn validator(name: &str, schema: impl FnOnce() -> Value) -> Arc<Validator> {
    let mut all = VALIDATORS.lock().unwrap_or_else(PoisonError::into_inner);
    let known = all.entry(name.to_owned()).or_insert_with(|| {
        let compiled = jsonschema::validator_for(&schema());
        Arc::new(compiled.expect("the schema is valid"))
    });
    known.clone()
}

/// Compares an envelope or an error with its schema.
///
/// # Panics
/// Where it differs.
#[track_caller]
pub fn check_form(value: &Value) {
    let validator = match value["operation"].as_str() {
        Some(name) => validator(name, || {
            let spec = operation(name).expect("the operation is registered");
            (spec.answer_schema)()
        }),
        None => validator("error", || {
            schemars::schema_for!(cortex_wire::ErrorEnvelope).to_value()
        }),
    };
    let faults: Vec<String> = validator
        .iter_errors(value)
        .take(5)
        .map(|fault| format!("{}: {fault}", fault.instance_path()))
        .collect();
    assert!(faults.is_empty(), "{faults:#?}\n{value:#}");
}

/// The answer of an envelope in JSON, whose form is checked; an error as it is.
///
/// # Panics
/// Where the text is no JSON or has another form.
#[track_caller]
pub fn answer_of(bytes: &[u8]) -> Value {
    let mut value: Value = serde_json::from_slice(bytes).unwrap_or_else(|error| {
        panic!("no JSON ({error}): {}", String::from_utf8_lossy(bytes));
    });
    check_form(&value);
    match value["operation"].is_string() {
        true => value["answer"].take(),
        false => value,
    }
}
