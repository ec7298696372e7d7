//! Holds the libraries to know nothing of the command line: only the program names flags and its own commands.

use std::{fs, sync::LazyLock};

use regex::Regex;
use xtask::workspace;

use crate::code::{files, literals, parts};

/// What speaks to people and agents in words of its own, and crates that tests alone use.
const NOT_LIBRARIES: [&str; 4] = ["git-cortex", "cortex-mcp", "cortex-check", "cortex-fixture"];

/// A flag, or a command line of the program.
static COMMAND_LINE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:^|[^\w-])(--[a-z][a-z-]+|git[ -]cortex [a-z]+ [A-Z<-])")
        .expect("it is an expression")
});

/// What headers of git's patches say.
const OF_PATCHES: &str = "diff --git ";

/// What of the command line a literal names.
fn named(literal: &str) -> Option<String> {
    let literal = literal.replace(OF_PATCHES, "");
    let found = COMMAND_LINE.captures(&literal)?;
    Some(found[1].to_owned())
}

#[test]
fn libraries_name_no_flag_and_no_command_line() {
    let crates = workspace::root().join("crates");
    let mut complaints = Vec::new();
    let folders = fs::read_dir(&crates).expect("the folder can be read");
    for folder in folders {
        let folder = folder.expect("the entry can be read");
        if NOT_LIBRARIES.iter().any(|name| folder.file_name() == *name) {
            continue;
        }
        for path in files(&folder.path().join("src")) {
            // The flags there are those of `git`.
            if path.ends_with("cortex-git/src/stage.rs") {
                continue;
            }
            let (code, _) = parts(&path);
            for (line, literal) in literals(&code) {
                if let Some(words) = named(literal) {
                    let path = path.strip_prefix(&crates).expect("it is below").display();
                    complaints.push(format!("{path}:{line}: `{words}` is a matter of the program: `crates/git-cortex/src/words.rs`"));
                }
            }
        }
    }
    complaints.sort();
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

#[test]
fn flags_are_found_in_literals_alone() {
    let code = "// --no\nlet a = '\"'; f(\"use --yes\", r#\"say \"--raw\" here\"#);\n/* \"--no\" */ g(\"a--b --\\\n  --more\");";
    let found: Vec<String> = (literals(code).into_iter())
        .filter_map(|(line, literal)| Some(format!("{line} {}", named(literal)?)))
        .collect();
    assert_eq!(found, ["2 --yes", "2 --raw", "3 --more"]);
    assert_eq!(named("diff --git a b"), None);
    assert_eq!(
        named("try `git cortex usages NAME`"),
        Some("git cortex usages N".to_owned())
    );
}
