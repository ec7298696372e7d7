//! Finds paths such as `std::fs` in Rust source, whether written out or within a `use` group.
//!
//! Comments, strings and modules under `#[cfg(test)]` do not count. A path that is reached through a
//! re-export or a macro is not found: reviewers see those.

/// Words and single signs of a source text, each with its line.
type Tokens<'a> = Vec<(usize, &'a str)>;

/// Every place that names one of the paths (`a::b`), as (line, path), in source order.
pub(crate) fn forbidden_paths(source: &str, paths: &[String]) -> Vec<(usize, String)> {
    let tokens = without_tests(tokens(source));
    let mut found = Vec::new();
    for (line, path) in named_paths(&tokens) {
        let is_below = |it: &&String| {
            path == **it
                || path
                    .strip_prefix(it.as_str())
                    .is_some_and(|rest| rest.starts_with("::"))
        };
        if let Some(forbidden) = paths.iter().find(is_below) {
            found.push((line, forbidden.clone()));
        }
    }
    found.dedup();
    found
}

/// All paths with at least two segments; groups are expanded: `a::{b, c::d}` names `a::b` and `a::c::d`.
fn named_paths(tokens: &Tokens<'_>) -> Vec<(usize, String)> {
    let token = |at: usize| tokens.get(at).map_or("", |it| it.1);
    let mut paths = Vec::new();
    // The prefix of each open brace, empty for one that is not a group.
    let mut groups: Vec<String> = Vec::new();
    let mut path = String::new();
    for (at, &(line, text)) in tokens.iter().enumerate() {
        match text {
            "::" if path.is_empty() => {}
            "::" => path.push_str("::"),
            "{" if path.ends_with("::") => groups.push(std::mem::take(&mut path)),
            "{" => groups.push(String::new()),
            "}" => {
                groups.pop();
                path.clear();
            }
            word if is_word(word) => {
                if !path.ends_with("::") {
                    path = groups.last().cloned().unwrap_or_default();
                }
                path.push_str(word);
                let goes_on =
                    token(at + 1) == "::" && (is_word(token(at + 2)) || token(at + 2) == "{");
                if path.contains("::") && !goes_on {
                    paths.push((line, std::mem::take(&mut path)));
                }
            }
            _ => path.clear(),
        }
    }
    paths
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

/// Drops what follows `#[cfg(test)]`: up to the end of its braces, or to its semicolon.
fn without_tests(tokens: Tokens<'_>) -> Tokens<'_> {
    let marker = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let is_marker = tokens[at..]
            .iter()
            .map(|it| it.1)
            .take(marker.len())
            .eq(marker);
        if !is_marker {
            kept.push(tokens[at]);
            at += 1;
            continue;
        }
        at += marker.len();
        let mut depth = 0;
        while let Some((_, token)) = tokens.get(at) {
            at += 1;
            match *token {
                "{" => depth += 1,
                "}" => depth -= 1,
                ";" if depth == 0 => break,
                _ => {}
            }
            if *token == "}" && depth == 0 {
                break;
            }
        }
    }
    kept
}

/// Splits Rust source into words, `::` and single signs; comments and literals of text are left out.
fn tokens(source: &str) -> Tokens<'_> {
    let mut tokens = Vec::new();
    let mut rest = source;
    let mut line = 1;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(length) = raw_string(rest)
            .or_else(|| string(rest))
            .or_else(|| character(rest))
        {
            length
        } else if is_word(first) {
            let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            tokens.push((line, &rest[..length]));
            length
        } else {
            let length = if rest.starts_with("::") {
                2
            } else {
                first.len_utf8()
            };
            if !first.is_whitespace() {
                tokens.push((line, &rest[..length]));
            }
            length
        };
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    tokens
}

/// The length of a raw string (with any prefix) at the beginning of a text.
fn raw_string(text: &str) -> Option<usize> {
    let body = text
        .strip_prefix("br")
        .or_else(|| text.strip_prefix("cr"))
        .or_else(|| text.strip_prefix('r'))?;
    let quoted = body.trim_start_matches('#');
    let hashes = &body[..body.len() - quoted.len()];
    let inner = quoted.strip_prefix('"')?;
    let end = format!("\"{hashes}");
    let start = text.len() - inner.len();
    Some(
        inner
            .find(&end)
            .map_or(text.len(), |at| start + at + end.len()),
    )
}

/// The length of a string at the beginning of a text.
fn string(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('"')?;
    let mut is_escaped = false;
    for (at, c) in inner.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return Some(at + 2),
            _ => {}
        }
    }
    Some(text.len())
}

/// The length of a character literal at the beginning of a text; a lifetime is none.
fn character(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('\'')?;
    if let Some(escape) = inner.strip_prefix('\\') {
        let after = escape.chars().next()?.len_utf8();
        return escape[after..].find('\'').map(|at| 2 + after + at + 1);
    }
    let length = inner.chars().next()?.len_utf8();
    inner[length..].starts_with('\'').then_some(length + 2)
}

#[track_caller]
#[cfg(test)]
fn check_forbidden(source: &str, expected: &[(usize, &str)]) {
    let paths = ["std::fs", "std::time::Instant", "std::process::Command"].map(str::to_owned);
    let expected: Vec<_> = expected
        .iter()
        .map(|(line, path)| (*line, (*path).to_owned()))
        .collect();
    assert_eq!(forbidden_paths(source, &paths), expected, "{source}");
}

#[test]
fn a_path_written_out_is_found() {
    check_forbidden("fn f() {\n  std::fs::read(\"a\");\n}", &[(2, "std::fs")]);
    check_forbidden("use std::fs;", &[(1, "std::fs")]);
    check_forbidden(
        "let t = ::std::time::Instant::now();",
        &[(1, "std::time::Instant")],
    );
}

#[test]
fn a_path_before_a_star_or_type_arguments_is_found() {
    check_forbidden("use std::fs::*;", &[(1, "std::fs")]);
    check_forbidden("std::fs::read::<&str>(path)", &[(1, "std::fs")]);
}

#[test]
fn a_path_in_a_group_is_found() {
    check_forbidden(
        "use std::{\n  io,\n  fs::{self, File},\n};",
        &[(3, "std::fs")],
    );
    check_forbidden(
        "use std::{process::{ExitCode, Command}, time::Instant};",
        &[(1, "std::process::Command"), (1, "std::time::Instant")],
    );
    check_forbidden(
        "use std::{collections::BTreeMap, fmt}; use other::{fs};",
        &[],
    );
}

#[test]
fn comments_text_tests_and_longer_names_do_not_count() {
    check_forbidden(
        "// std::fs\n/* std::fs */ const A: &str = \"std::fs \\\" std::fs\"; const B: &str = r#\"\" std::fs\"#;",
        &[],
    );
    check_forbidden(
        "#[cfg(test)]\nmod tests { fn f() { std::fs::read(\"a\"); } }\nuse std::fs;",
        &[(3, "std::fs")],
    );
    check_forbidden(
        "#[cfg(test)]\nmod tests;\nfn f<'a>(c: char) { c == '\"'; std::fs::read(\"\"); }",
        &[(3, "std::fs")],
    );
    check_forbidden(
        "use std::fstream; use my_std::fs; use std::process::ExitCode;",
        &[],
    );
}
