//! Workflows of GitHub that run because of the paths of changed files.
//!
//! Owns: which patterns a workflow has, which files they match. Must not know: what workflows do.

use cortex_git::ReadBlob;
use cortex_look::QueryError;
use cortex_model::RepoPath;
use cortex_syntax::text::decode;
use cortex_wire::{MatchedPattern, WorkflowRun};

use crate::diff_context::{blobs::BlobSource, compared::Compared};

mod glob;

use glob::Glob;

/// Where the workflows of a repository are.
const FOLDER: &str = ".github/workflows/";

/// A larger file is no workflow.
const MAX_BYTES: u64 = 1 << 20;

/// The events whose `paths` name files that change.
const EVENTS: [&str; 3] = ["push", "pull_request", "pull_request_target"];

/// The workflows of the newer side that run for some paths only and have a changed file among these, by path. Reads the
/// workflows. O(changed files · patterns).
pub(crate) fn workflows(
    compared: &Compared,
    source: BlobSource<'_>,
) -> Result<Vec<WorkflowRun>, QueryError> {
    let mut out = Vec::new();
    for (path, text) in texts(compared, source)? {
        let mut run = WorkflowRun {
            path,
            events: Vec::new(),
            n_files: 0,
            patterns: Vec::new(),
        };
        for event in events(&text) {
            let (n_files, patterns) = matched(compared, &event.patterns);
            if n_files > 0 {
                run.events.push(event.name);
                if run.patterns.is_empty() {
                    (run.n_files, run.patterns) = (n_files, patterns);
                }
            }
        }
        if !run.events.is_empty() {
            out.push(run);
        }
    }
    out.sort();
    Ok(out)
}

/// The workflows of the newer side with their texts.
fn texts(
    compared: &Compared,
    source: BlobSource<'_>,
) -> Result<Vec<(RepoPath, String)>, QueryError> {
    let is_workflow = |path: &RepoPath| {
        let name = path.as_str().strip_prefix(FOLDER);
        let is_yaml = matches!(path.extension(), "yml" | "yaml");
        is_yaml && name.is_some_and(|name| !name.contains('/'))
    };
    let text = |bytes: &[u8]| decode(bytes).as_str().to_owned();
    let new = compared.files.iter().filter_map(|file| file.new.as_ref());
    let changed = new.filter(|side| is_workflow(&side.path));
    let mut out: Vec<(RepoPath, String)> = changed
        .map(|side| (side.path.clone(), text(compared.texts.get(side.blob))))
        .collect();
    let BlobSource { index, sides } = source;
    let Some(commit) = sides[1].commit else {
        return Ok(out);
    };
    let mut reader = source.open();
    let tree = index.repo.commit(commit)?.tree;
    for file in index.repo.folder_files(tree, ".github")? {
        let is_other = is_workflow(&file.path) && compared.file_at(&file.path).is_none();
        if is_other && reader.blob_size(file.blob).is_ok_and(|n| n <= MAX_BYTES) {
            out.push((file.path, text(&reader.read_blob(file.blob)?)));
        }
    }
    Ok(out)
}

/// How many changed files the patterns of an event match, and which patterns these are. As GitHub decides: the last pattern
/// that matches a path counts, one with `!` takes it out.
fn matched(compared: &Compared, patterns: &[Pattern]) -> (usize, Vec<MatchedPattern>) {
    let globs: Vec<(bool, Glob)> = patterns
        .iter()
        .map(|it| match it.text.strip_prefix('!') {
            Some(rest) => (false, Glob::new(rest)),
            None => (true, Glob::new(&it.text)),
        })
        .collect();
    let mut n_of = vec![0; patterns.len()];
    for file in &compared.files {
        let sides = [&file.new, &file.old].into_iter().flatten();
        let last = sides
            .map(|side| side.path.as_str())
            .find_map(|path| globs.iter().rposition(|(_, glob)| glob.matches(path)));
        if let Some(at) = last.filter(|at| globs[*at].0) {
            n_of[at] += 1;
        }
    }
    let found = patterns.iter().zip(&n_of).filter(|(_, n)| **n > 0);
    let found = found.map(|(pattern, &n_files)| MatchedPattern {
        pattern: pattern.text.clone(),
        line: pattern.line,
        n_files,
    });
    (n_of.iter().sum(), found.collect())
}

/// An event on which a workflow runs for some paths only.
#[derive(Debug, PartialEq, Eq)]
struct Event {
    name: String,
    patterns: Vec<Pattern>,
}

/// A pattern and its 1-based line.
#[derive(Debug, PartialEq, Eq)]
struct Pattern {
    text: String,
    line: u32,
}

/// The events of a workflow that have `paths`. Reads the block style that workflows are written in, with lists of either
/// style; nothing of aliases and of text over several lines.
fn events(yaml: &str) -> Vec<Event> {
    let mut out: Vec<Event> = Vec::new();
    let (mut is_on, mut event, mut list) = (false, None, None);
    for (line, number) in yaml.lines().zip(1..) {
        let text = line.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        if let Some(item) = text.strip_prefix("- ") {
            let is_of_list = list.is_some_and(|of| indent >= of);
            if let Some(event) = out.last_mut().filter(|_| is_of_list) {
                event.patterns.extend(pattern(item, number));
            }
            continue;
        }
        list = None;
        let (key, value) = text.split_once(':').unwrap_or((text, ""));
        let key = key.trim_matches(['"', '\'']);
        if indent == 0 {
            (is_on, event) = (key == "on", None);
        } else if is_on && event.is_none_or(|(_, of)| indent <= of) {
            let known = EVENTS.into_iter().find(|it| *it == key);
            event = Some((known, indent));
        } else if let (Some((Some(name), _)), "paths") = (event, key) {
            let flow = value.trim().strip_prefix('[').unwrap_or_default();
            let patterns = flow_items(flow).filter_map(|item| pattern(item, number));
            out.push(Event {
                name: name.to_owned(),
                patterns: patterns.collect(),
            });
            list = Some(indent);
        }
    }
    out
}

/// The items of a list in brackets, behind the first of these.
fn flow_items(list: &str) -> impl Iterator<Item = &str> {
    let (mut quote, mut start, mut out) = (None, 0, Vec::new());
    for (at, c) in list.char_indices() {
        match (quote, c) {
            (Some(open), c) if open == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, ',' | ']') => {
                out.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        if quote.is_none() && c == ']' {
            break;
        }
    }
    out.into_iter()
}

/// No path has so many bytes, nor has a pattern of paths.
const MAX_PATTERN: usize = 1_000;

/// The pattern of an item of a list; `None` of an alias, which stands for what is written elsewhere.
fn pattern(item: &str, line: u32) -> Option<Pattern> {
    let item = item.trim();
    if item.starts_with('*') || item.len() > MAX_PATTERN {
        return None;
    }
    let text = match item.chars().next()? {
        quote @ ('"' | '\'') => item[1..].split(quote).next()?,
        _ => item.split(" #").next()?.trim(),
    };
    (!text.is_empty()).then(|| Pattern {
        text: text.to_owned(),
        line,
    })
}

#[cfg(test)]
mod tests {
    use super::events;

    #[test]
    fn the_paths_of_events_are_read_and_nothing_else() {
        let yaml = "name: x\n\non:\n  workflow_dispatch:\n    paths:\n      - no\n  push:\n    branches:\n      - \"main\"\n    paths:\n      # All of it\n      - \"src/**\" # Why\n      - '!src/a'\n    tags:\n      - v1\n  pull_request:\n    paths: [ a/**, \"b\", 'v[0-9]/**,x', *other ]\njobs:\n  push:\n    paths:\n    - no\n";
        let found: Vec<String> = events(yaml)
            .into_iter()
            .map(|event| {
                let patterns = event.patterns.iter();
                let patterns: Vec<String> = patterns
                    .map(|it| format!("{}:{}", it.text, it.line))
                    .collect();
                format!("{} {}", event.name, patterns.join(" "))
            })
            .collect();
        assert_eq!(
            found,
            [
                "push src/**:12 !src/a:13",
                "pull_request a/**:17 b:17 v[0-9]/**,x:17"
            ]
        );
        assert_eq!(events("on: push\njobs:\n  paths:\n  - a\n"), []);
        assert_eq!(events("\"on\":\n  push:\n    paths:\n    - a\n").len(), 1);
    }
}
