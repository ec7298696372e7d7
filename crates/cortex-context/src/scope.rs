//! Scopes for people.

use std::{borrow::Cow, fmt::Write};

use cortex_model::RepoPath;
use cortex_wire::{
    ScopeDescribeAnswer, ScopeFile, ScopeFilesAnswer, ScopeListAnswer, ScopeListItem,
    ScopeResolveAnswer, ScopeValidateAnswer,
};
use serde_json::Value;

use crate::care::count;

/// One scope a line, under a heading for each kind; the flavors of a module on one line.
pub fn scope_list_text(answer: &ScopeListAnswer) -> String {
    let mut out = String::new();
    let mut heading = "";
    for item in &answer.items {
        let next = heading_of(item);
        if next != heading {
            if !heading.is_empty() {
                out.push('\n');
            }
            let _ = writeln!(out, "{next}");
            heading = next;
        }
        let is_other_flavor = item.kind == "MODULE" && !item.scope_ref_id.ends_with(":MODULE");
        if is_other_flavor {
            continue;
        }
        let _ = write!(out, "  {}", item.display_name);
        let notes: Vec<&str> = [
            (item.scope_shape != "GLOBAL").then_some("ranges"),
            // What stands in `<…>` says so itself.
            (item.requires_user_input && item.kind == "STANDARD")
                .then_some("supplied by the caller"),
            item.unavailable.as_deref(),
        ]
        .into_iter()
        .flatten()
        .collect();
        if !notes.is_empty() {
            let _ = write!(out, " ({})", notes.join(", "));
        }
        if item.kind == "NAMED_SCOPE"
            && let Some(holder) = holder(item)
            && holder != PREDEFINED
        {
            let _ = write!(out, " ({holder})");
        }
        out.push('\n');
    }
    out
}

fn heading_of(item: &ScopeListItem) -> &'static str {
    match item.kind.as_str() {
        "STANDARD" => "Standard",
        "PROVIDER_SCOPE" => "From git and the index",
        "NAMED_SCOPE" => "Named",
        "MODULE" => "Modules (also as MODULE_WITH_DEPENDENCIES and other variants)",
        _ => "Given",
    }
}

/// The holder of scopes that come with the program.
const PREDEFINED: &str = "Predefined";

fn holder(item: &ScopeListItem) -> Option<&str> {
    let rest = item.scope_ref_id.strip_prefix("named:")?;
    rest.split_once(':').map(|(holder, _)| holder)
}

/// The pattern as the IDE writes it.
pub fn scope_validate_text(answer: &ScopeValidateAnswer) -> String {
    format!("{}\n", answer.normalized.as_deref().unwrap_or_default())
}

/// The scope as an expression, its atoms, and the program.
pub fn scope_describe_text(answer: &ScopeDescribeAnswer) -> String {
    descriptor_text(&answer.descriptor)
}

/// The same with the number of files.
pub fn scope_resolve_text(answer: &ScopeResolveAnswer) -> String {
    let mut out = descriptor_text(&answer.descriptor);
    let _ = writeln!(out, "{}", count(answer.total, "file"));
    out
}

fn descriptor_text(descriptor: &Value) -> String {
    let mut out = format!("{}\n", text(&descriptor["displayName"]));
    let shape = text(&descriptor["scopeShape"]).to_lowercase();
    let _ = writeln!(out, "shape: {shape}");
    let program: Vec<&str> = list(&descriptor["tokens"])
        .map(|token| match (text(&token["op"]), text(&token["atomId"])) {
            ("PUSH_ATOM", id) if !id.is_empty() => id,
            (op, _) => op,
        })
        .collect();
    let _ = writeln!(out, "program: {}", program.join(" "));
    let width = list(&descriptor["atoms"]).map(|it| text(&it["atomId"]).chars().count());
    let width = width.max().unwrap_or(0);
    for atom in list(&descriptor["atoms"]) {
        let id = text(&atom["atomId"]);
        let _ = writeln!(out, "  {id:width$}  {}", atom_text(atom));
    }
    out
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn atom_text(atom: &Value) -> String {
    let reference = atom["scopeRefId"].as_str();
    // Where the stable name is a hash, what it is of.
    let source = match text(&atom["kind"]) {
        "PATTERN" => atom["patternText"].as_str().map(str::to_owned),
        "FILES" => {
            let urls: Vec<&str> = list(&atom["fileUrls"]).map(text).collect();
            Some(urls.join(" "))
        }
        "PROVIDER_SCOPE" => atom["providerScopeId"].as_str().map(str::to_owned),
        "NAMED_SCOPE" if reference.is_none() => atom["namedScopeName"].as_str().map(str::to_owned),
        _ => None,
    };
    let parts = [atom["kind"].as_str(), reference, source.as_deref()];
    let parts: Vec<&str> = parts.into_iter().flatten().collect();
    parts.join("  ")
}

/// A path a line, as `grep` takes it; of a file that belongs to the scope in part, with its lines.
pub fn scope_files_text(answer: &ScopeFilesAnswer) -> String {
    let mut out = String::new();
    for file in &answer.files {
        out.push_str(&quoted(name_of(file)));
        // Declarations on neighboring lines are one block to people.
        let mut blocks: Vec<(u32, u32)> = Vec::new();
        for range in file.ranges.iter().flatten() {
            match blocks.last_mut() {
                Some((_, last)) if range.first_line <= *last + 1 => {
                    *last = range.last_line.max(*last);
                }
                _ => blocks.push((range.first_line, range.last_line)),
            }
        }
        for (at, (first, last)) in blocks.into_iter().enumerate() {
            out.push(if at == 0 { ':' } else { ',' });
            let _ = match first == last {
                true => write!(out, "{first}"),
                false => write!(out, "{first}-{last}"),
            };
        }
        out.push('\n');
    }
    out
}

/// The paths as they are, each with a NUL behind it, for `xargs -0`.
pub fn scope_files_null(answer: &ScopeFilesAnswer) -> Vec<u8> {
    answer.files.iter().fold(Vec::new(), |mut out, file| {
        match &file.file {
            Some(path) => out.extend_from_slice(&RepoPath::from(path.as_str()).to_bytes()),
            None => out.extend_from_slice(file.url.as_bytes()),
        }
        out.push(b'\0');
        out
    })
}

fn name_of(file: &ScopeFile) -> &str {
    file.file.as_deref().unwrap_or(&file.url)
}
/// A name as git prints it with `core.quotePath=false`: one with control characters, quotes or backslashes is a string
/// of C, so that it never looks like two.
fn quoted(name: &str) -> Cow<'_, str> {
    let is_odd = |c: char| c.is_ascii_control() || matches!(c, '"' | '\\');
    if !name.contains(is_odd) {
        return Cow::Borrowed(name);
    }
    let mut out = String::from("\"");
    for c in name.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{b}' => out.push_str("\\v"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            c if c.is_ascii_control() => {
                let _ = write!(out, "\\{:03o}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    Cow::Owned(out)
}
