//! The committed reference is what the registry says.

use std::{collections::BTreeSet, fs, path::Path};

use cortex_service::{OPERATIONS, reference};
use serde_json::Value;

#[test]
fn the_reference_is_up_to_date() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let files = reference();
    for (path, text) in &files {
        let written = fs::read_to_string(docs.join(path)).unwrap_or_default();
        assert!(
            written.replace("\r\n", "\n") == *text,
            "docs/{path} is not what the registry says; run `cargo xtask gen`"
        );
    }
    for folder in ["reference", "schema"] {
        for entry in fs::read_dir(docs.join(folder)).expect("the folder is there") {
            let name = entry.expect("it can be listed").file_name();
            let path = format!("{folder}/{}", name.to_string_lossy());
            assert!(files.contains_key(&path), "docs/{path} is of no operation");
        }
    }
}

#[test]
fn every_operation_has_a_name_of_its_own_and_examples_that_fit_its_schema() {
    let names: BTreeSet<&str> = OPERATIONS.iter().map(|it| it.name).collect();
    assert_eq!(names.len(), OPERATIONS.len());
    for operation in OPERATIONS {
        assert!(!operation.examples.is_empty(), "{}", operation.name);
        assert!(!operation.summary.ends_with('.'), "{}", operation.name);
        let schema = (operation.request_schema)();
        let validator = jsonschema::validator_for(&schema).expect("the schema is valid");
        for example in operation.examples {
            let request: Value = serde_json::from_str(example.request).expect("it is JSON");
            let faults: Vec<String> = validator
                .iter_errors(&request)
                .map(|fault| fault.to_string())
                .collect();
            assert!(faults.is_empty(), "{}: {faults:?}", operation.name);
        }
    }
}
