//! Rust code as its string literals.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use regex::Regex;

/// What string literals are told apart from.
static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r##"(?sx)
          //[^\n]*
        | /\*.*?\*/
        | '(?:\\[^\n]{1,9}?|[^\\'\n])'
        | r\#"(?<hashed>.*?)"\#
        | \br"(?<raw>[^"]*)"
        | "(?<plain>(?:\\.|[^"\\])*)"
        "##,
    )
    .expect("it is an expression")
});

/// The string literals of a text with their lines.
pub(crate) fn literals(code: &str) -> Vec<(usize, &str)> {
    let (mut out, mut line, mut counted) = (Vec::new(), 1, 0);
    for found in TOKEN.captures_iter(code) {
        let literal = ["hashed", "raw", "plain"]
            .iter()
            .find_map(|name| found.name(name));
        if let Some(literal) = literal {
            line += code[counted..literal.start()].matches('\n').count();
            counted = literal.start();
            out.push((line, literal.as_str()));
        }
    }
    out
}

/// The code of a file and that of its tests.
pub(crate) fn parts(path: &Path) -> (String, String) {
    let code = fs::read_to_string(path).expect("the file can be read");
    if path.components().any(|it| it.as_os_str() == "tests") || path.ends_with("tests.rs") {
        return (String::new(), code);
    }
    match code.split_once("#[cfg(test)]") {
        Some((code, tests)) => (code.to_owned(), tests.to_owned()),
        None => (code, String::new()),
    }
}

/// The files of Rust below a folder, sorted.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).expect("the folder can be read");
            open.extend(entries.map(|entry| entry.expect("the entry can be read").path()));
        } else if path.extension().is_some_and(|it| it == "rs") {
            out.push(path);
        }
    }
    out.sort();
    out
}
