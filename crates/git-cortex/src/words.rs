//! What the operation layer suggests, in the words of the command line: flags and commands.

use cortex_service::{Event, StoreEvent};
use cortex_wire::{Hint, Next, Reason, UnreadFile, UnreadReason, WireError};
use serde_json::Value;

use crate::shell::quoted;

/// What to do about an error.
pub(crate) fn hint(hint: &Hint, error: &WireError) -> String {
    let fixed = match hint {
        Hint::NameRepository => "run this inside a git repository, or name one with `-C <folder>`",
        Hint::ListProjects => "run `git cortex status --projects` to see all projects",
        Hint::ListKeys => "run `git cortex config` to see all keys",
        Hint::WriteSymbol => {
            "write a name such as OrderService.Submit, or a place such as src/Order.cs:12"
        }
        Hint::WriteMoreOfName => "write more of the name, or an id",
        Hint::AllowMoreTime => "use a longer --timeout; indexing continues where it stopped",
        Hint::SearchPlain => "use `--mode plain` to search for the query as written",
        Hint::WriteGlobs => {
            "write globs of names or paths, such as '*.cs,!*.g.cs' or 'src/**/*.ts'"
        }
        Hint::ListScopes => {
            "run `git cortex scope list` to see all scopes, `git cortex scope -h` to see how to write one"
        }
        Hint::SupplyContext => {
            "supply it to `git cortex scope` with `--open PATH`, `--current PATH` or \
             `--selection PATH:FIRST-LAST`; elsewhere write `files(PATH)`"
        }
        Hint::WritePattern => {
            "write a pattern as in the IDE, such as `file[App]:src//*&&!file:*.g.cs`; white space counts"
        }
        Hint::WriteSuppressions => {
            "write it as the .NET SDK does: `<Suppressions>` with `<Suppression>` elements"
        }
        Hint::StartOver => "run `git cortex gc --all` to start with an empty index",
        Hint::WaitForIndex => {
            "try again when the other command has finished, or wait longer with `git config cortex.lockTimeout 60`"
        }
        Hint::FreeSpace => {
            "free some space, run `git cortex gc --max-size 500m`, or keep the index elsewhere with \
             `git config --global cortex.dir FOLDER`; the existing index is intact"
        }
        Hint::Unshallow => "older commits may have it; run `git fetch --unshallow` to fetch them",
        Hint::CheckRepository => "`git fsck --full` shows whether the repository is damaged",
        Hint::ConvertReferences => "convert it with `git refs migrate --ref-format=files`",
        Hint::OneRevision => "write one revision, or leave `--cached` out",
        Hint::FetchObject { object } => {
            return format!(
                "this is a partial clone and nothing is fetched by itself: `git cat-file -e {object}` fetches \
                 this object, `git fetch --refetch --no-filter` all of them"
            );
        }
        Hint::UpdateProgram => {
            "update `git cortex`, or keep a separate index with GIT_CORTEX_DIR=FOLDER; the existing index is unchanged"
        }
        Hint::Text { text } | Hint::AskNarrower { text } => text,
        Hint::ChooseKnown => return format!("choose one of {}", error.known.join(", ")),
        Hint::LeaveOutFilter { symbols } => {
            let symbols = match symbols {
                1 => "1 symbol has this name".to_owned(),
                n => format!("{n} symbols have this name"),
            };
            return format!(
                "{symbols} outside the filter; drop --scope, --project, --path, --test and --no-test"
            );
        }
        Hint::QuoteName { quoted } => {
            return format!("quote the name if it is a single one: {quoted}");
        }
    };
    fixed.to_owned()
}

/// A suggested request, with what it is good for.
pub(crate) fn next(next: &Next) -> String {
    let command = command(next);
    match next.reason {
        Reason::MoreItems => format!("run `{command}` to see more"),
        Reason::WithoutFilter => format!("run `{command}` to search without the filter"),
        Reason::WithOverrides => {
            format!("run `{command}` to include overrides and implementations")
        }
        Reason::OlderCommits => {
            format!("older commits may have it; run `{command}` to index them")
        }
        Reason::Narrower | Reason::AsPlainText => format!("run `{command}`"),
        Reason::ListNames => format!("run `{command}` to see all names"),
    }
}

/// The command that makes a request.
pub(crate) fn command(next: &Next) -> String {
    let name = match next.operation.split_once('-') {
        Some(("search", "safe")) => "search ask".to_owned(),
        Some((group @ ("search" | "scope"), rest)) => format!("{group} {rest}"),
        _ => next.operation.clone(),
    };
    let mut positional = Vec::new();
    let mut flags = Vec::new();
    let fields = next.request.as_object().into_iter().flatten();
    for (name, value) in fields {
        add_field(&next.operation, name, value, &mut positional, &mut flags);
    }
    let words = [name].into_iter().chain(positional).chain(flags);
    let words: Vec<String> = words.collect();
    format!("git cortex {}", words.join(" "))
}

/// Values that are the defaults of all requests that have the field.
const DEFAULTS: [(&str, &str); 12] = [
    ("limit", "200"),
    ("limit", "1000"),
    ("depth", "1"),
    ("top", "10"),
    ("files", "25"),
    ("lines", "3"),
    ("context", "0"),
    ("mode", "\"balanced\""),
    ("mode", "\"plain\""),
    ("tests", "\"any\""),
    ("within", "\"any\""),
    ("days", "30"),
];

fn add_field(
    operation: &str,
    name: &str,
    value: &Value,
    positional: &mut Vec<String>,
    flags: &mut Vec<String>,
) {
    let text = value.to_string();
    if DEFAULTS.contains(&(name, text.as_str())) {
        return;
    }
    if let Value::Object(fields) = value {
        for (name, value) in fields {
            add_field(operation, name, value, positional, flags);
        }
        return;
    }
    let is_positional = matches!(
        name,
        "symbol" | "query" | "revisions" | "subjects" | "pattern"
    ) || (name == "scope" && operation.starts_with("scope-"));
    let flag = flag(name);
    let values = match value {
        Value::Array(values) => values.iter().collect(),
        value => vec![value],
    };
    for value in values {
        match value {
            Value::Bool(true) => flags.push(flag.clone()),
            Value::String(text) if is_positional => positional.push(quoted(text).into_owned()),
            Value::String(text) if name == "tests" => flags.push(match text.as_str() {
                "only" => "--test".to_owned(),
                _ => "--no-test".to_owned(),
            }),
            Value::String(text) => flags.extend([flag.clone(), quoted(text).into_owned()]),
            Value::Number(number) => flags.extend([flag.clone(), number.to_string()]),
            Value::Null | Value::Bool(false) | Value::Array(_) | Value::Object(_) => {}
        }
    }
}

/// The flag of a request's field.
fn flag(name: &str) -> String {
    let name = match name {
        "projects" => "project",
        "paths" => "path",
        "kinds" | "roles" => "kind",
        "masks" => "file-mask",
        "within" => "in",
        "assemblies" => "assembly",
        "excludeDirs" => "exclude-dir",
        "maxBytes" => "max-size",
        other => other,
    };
    let mut out = String::from("--");
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            out.push('-');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

/// Something that happened meanwhile.
pub(crate) fn event(event: &Event) -> String {
    match event {
        Event::IndexedFirst { files } => {
            format!("indexed {files} files; the next command reuses them")
        }
        Event::Shrunk { dropped, total } => format!(
            "removed {dropped} of {total} snapshots because the index exceeded `cortex.maxSize`"
        ),
        Event::Store(StoreEvent::MovedAside { to, reason }) => format!(
            "the index could not be read ({reason}); moved it to `{}` and started a new one",
            to.display()
        ),
        Event::Store(StoreEvent::DroppedEntry { kind }) => {
            format!("removed a damaged index entry ({kind}); it is computed again")
        }
        Event::Store(StoreEvent::CollectionDeferred) => {
            "removed nothing because other commands are using the index; try again later".to_owned()
        }
        Event::Store(StoreEvent::Migrated { from }) => {
            format!(
                "upgraded the index from schema {from}; snapshots are computed again when needed"
            )
        }
    }
}

/// How many of the files that git could not read are named.
const N_NAMED: usize = 3;

/// What an answer was made without, and how to get it.
pub(crate) fn unread(files: &[UnreadFile]) -> Option<String> {
    let first = files.first()?;
    let named = files.iter().take(N_NAMED);
    let named: Vec<String> = named.map(|file| format!("`{}`", file.file)).collect();
    let more = match files.len() - named.len() {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    let is_absent = files.iter().any(|it| it.reason == UnreadReason::Absent);
    let remedy = match is_absent {
        true => format!(
            "in a partial clone, run `git cat-file -e {}` to fetch this one, `git fetch --refetch --no-filter` to fetch all",
            first.blob
        ),
        false => "the repository is damaged; run `git fsck --full`".to_owned(),
    };
    let number = match files.len() {
        1 => "skipped 1 file that git could not read".to_owned(),
        n => format!("skipped {n} files that git could not read"),
    };
    Some(format!("{number}: {}{more}; {remedy}", named.join(", ")))
}

#[cfg(test)]
mod tests {
    use cortex_wire::{Next, Reason};
    use serde_json::json;

    use super::command;

    #[test]
    fn a_suggested_request_is_a_command() {
        let next = Next {
            operation: "search-safe".to_owned(),
            request: json!({
                "query": "a b", "regex": true, "area": null, "maxFiles": 30, "mode": "balanced", "files": 25,
            }),
            reason: Reason::Narrower,
        };
        assert_eq!(
            command(&next),
            r#"git cortex search ask "a b" --max-files 30 --regex"#
        );
    }
}
