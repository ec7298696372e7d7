//! Holds texts to the rules of voice in `CONTRIBUTING.md`, as far as a program can tell.

use std::{
    fs,
    path::{Path, PathBuf},
};

use regex::Regex;
use xtask::workspace;

/// Stems of British spellings, each with the American one.
const BRITISH: &[(&str, &str)] = &[
    ("analyse", "analyze"),
    ("artefact", "artifact"),
    ("behaviour", "behavior"),
    ("catalogue", "catalog"),
    ("centre", "center"),
    ("colour", "color"),
    ("emphasise", "emphasize"),
    ("favour", "favor"),
    ("generalis", "generaliz"),
    ("grey", "gray"),
    ("honour", "honor"),
    ("initialis", "initializ"),
    ("judgement", "judgment"),
    ("labelled", "labeled"),
    ("licence", "license"),
    ("memoise", "memoize"),
    ("minimis", "minimiz"),
    ("modelled", "modeled"),
    ("neighbour", "neighbor"),
    ("normalis", "normaliz"),
    ("optimis", "optimiz"),
    ("organis", "organiz"),
    ("parenthesise", "parenthesize"),
    ("personalis", "personaliz"),
    ("recognis", "recogniz"),
    ("serialis", "serializ"),
    ("specialis", "specializ"),
    ("summaris", "summariz"),
    ("synthesis", "synthesiz"),
    ("unrecognis", "unrecogniz"),
    ("visualis", "visualiz"),
];

/// Words that have such a stem and are American, or are names in code that others own.
const AMERICAN: &[&str] = &["synthesis", "optimism", "optimistic"];

/// A text of the workspace, by its path from the root.
struct Text {
    path: String,
    content: String,
}

fn texts() -> Vec<Text> {
    let root = workspace::root();
    let mut out = Vec::new();
    let tops = [
        "README.md",
        "CONTRIBUTING.md",
        "benches",
        "crates",
        "docs",
        "fuzz/fuzz_targets",
        "xtask",
    ];
    let mut open: Vec<PathBuf> = tops.iter().map(|top| root.join(top)).collect();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).expect("the folder can be read");
            open.extend(entries.map(|entry| entry.expect("the entry can be read").path()));
            continue;
        }
        let is_text = path
            .extension()
            .is_some_and(|extension| ["rs", "md", "toml", "py"].iter().any(|it| extension == *it));
        if is_text && let Ok(content) = fs::read_to_string(&path) {
            let path = relative(&path, root);
            out.push(Text { path, content });
        }
    }
    out.sort_by(|a, b| a.path.cmp(&b.path));
    out
}

fn relative(path: &Path, root: &Path) -> String {
    let path = path.strip_prefix(root).expect("it is below the root");
    path.to_string_lossy().replace('\\', "/")
}

/// `path:line: complaint` for every line of which `find` finds fault.
fn complaints(texts: &[Text], find: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let mut out = Vec::new();
    for text in texts {
        for (number, line) in (1..).zip(text.content.lines()) {
            if let Some(complaint) = find(line) {
                out.push(format!("{}:{number}: {complaint}", text.path));
            }
        }
    }
    out
}

#[track_caller]
fn assert_none(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

/// What is British in a line.
fn british(line: &str) -> Option<String> {
    // The argument that `api --fail-on` took before it was spelled as the answers are.
    let line = line.to_lowercase().replace("\"behavioural\"", "");
    let words = line.split(|c: char| !c.is_alphabetic());
    for word in words.filter(|word| !AMERICAN.contains(word)) {
        if let Some((stem, instead)) = BRITISH.iter().find(|(stem, _)| word.contains(stem)) {
            return Some(format!("`{word}`: write `{}`", word.replace(stem, instead)));
        }
    }
    None
}

#[test]
fn spelling_is_american() {
    let mut texts = texts();
    // These have the list of what is wrong.
    texts.retain(|text| !["xtask/tests/voice.rs", "CONTRIBUTING.md"].contains(&&*text.path));
    assert_none(&complaints(&texts, british));
    assert_eq!(
        british("its behaviour"),
        Some("`behaviour`: write `behavior`".to_owned())
    );
    assert_eq!(british("the synthesis of colors"), None);
}

#[test]
fn no_comment_cites_what_readers_do_not_have() {
    let mut texts = texts();
    texts.retain(|text| text.path != "xtask/tests/voice.rs");
    let citation = Regex::new(r"(?i)\bspec \d|\bchapter \d").expect("it is an expression");
    let find = |line: &str| citation.find(line).map(|found| found.as_str().to_owned());
    assert_none(&complaints(&texts, find));
}
