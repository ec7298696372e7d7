//! Holds `docs/csharp-binding.md` to the files and tests that it names.

use std::{fs, path::Path};

#[test]
fn the_page_names_files_and_tests_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("../../docs/csharp-binding.md"));
    let page = page.expect("the page is there");
    let has_test = |file: &str, test: &str| {
        let path = root.join(format!("tests/semantics/{file}.rs"));
        fs::read_to_string(path).is_ok_and(|text| text.contains(&format!("fn {test}(")))
    };
    let mut complaints = Vec::new();
    for line in page.lines() {
        for code in line.split('`').skip(1).step_by(2) {
            if let Some((file, test)) = code.split_once('#')
                && test.contains('_')
                && !has_test(file, test)
            {
                complaints.push(format!("there is no test {code}"));
            }
        }
        // | section | rule | file | test |, but for the heads of tables.
        let line = line.replace("\\|", "");
        let columns: Vec<&str> = line.split('|').collect();
        if let [_, section, _, files, _, _] = columns[..]
            && section.trim() != "section"
        {
            for file in files.split('`').skip(1).step_by(2) {
                if !root.join(format!("src/{file}.rs")).exists() {
                    complaints.push(format!("there is no source file {file}"));
                }
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
