//! What the operation layer suggests, in the words of the command line: flags and commands.

use cortex_service::{Event, StoreEvent};
use cortex_wire::{Hint, Next, Reason, UnreadFile, UnreadReason, WireError};
use serde_json::Value;

/// What to do about an error.
pub(crate) fn hint(hint: &Hint, error: &WireError) -> String {
    let fixed = match hint {
        Hint::NameRepository => "run this inside a git repository, or name one with `-C <folder>`",
        Hint::ListProjects => "run `git cortex status --projects` to see all projects",
        Hint::ListKeys => "run `git cortex config` to see all keys",
        Hint::WriteSymbol => {
            "write a name, such as OrderService.Submit, or a place, such as src/Order.cs:12"
        }
        Hint::WriteMoreOfName => "write more of the name, or an id",
        Hint::AllowMoreTime => "allow more time with --timeout; what was indexed so far is kept",
        Hint::SearchPlain => "with `--mode plain` the query is searched for as it is written",
        Hint::WriteGlobs => {
            "write globs of names or paths, such as '*.cs,!*.g.cs' or 'src/**/*.ts'"
        }
        Hint::ListScopes => {
            "`git cortex scope list` shows all scopes, `git cortex scope -h` how to write one"
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
            "try again when the other command has ended, or wait longer with `git config cortex.lockTimeout 60`"
        }
        Hint::FreeSpace => {
            "free some space, run `git cortex gc --max-size 500m`, or keep the index elsewhere with \
             `git config --global cortex.dir FOLDER`; nothing that was indexed before is lost"
        }
        Hint::Unshallow => {
            "it may be in older commits; to fetch those, run `git fetch --unshallow`"
        }
        Hint::UpdateProgram => {
            "update `git cortex`, or keep a separate index with GIT_CORTEX_DIR=FOLDER; the index is untouched"
        }
        Hint::Text { text } | Hint::AskNarrower { text } => text,
        Hint::ChooseKnown => return format!("choose one of {}", error.known.join(", ")),
        Hint::LeaveOutFilter { symbols } => {
            let symbols = match symbols {
                1 => "1 symbol has this name".to_owned(),
                n => format!("{n} symbols have this name"),
            };
            return format!(
                "{symbols} elsewhere; leave out --scope, --project, --path, --test and --no-test"
            );
        }
        Hint::QuoteName { quoted } => {
            return format!("if that is one name, quote it: {quoted}");
        }
    };
    fixed.to_owned()
}

/// A suggested request, with what it is good for.
pub(crate) fn next(next: &Next) -> String {
    let command = command(next);
    match next.reason {
        Reason::MoreItems => format!("for more, run {command}"),
        Reason::WithoutFilter => format!("without the filter: {command}"),
        Reason::WithOverrides => format!("with overrides and implementations: {command}"),
        Reason::OlderCommits => {
            format!("it may be in older commits; to search those: {command}")
        }
        Reason::Narrower | Reason::AsPlainText => format!("run {command}"),
        Reason::ListNames => format!("run {command} to see all names"),
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
            Value::String(text) if is_positional => positional.push(quoted(text)),
            Value::String(text) if name == "tests" => flags.push(match text.as_str() {
                "only" => "--test".to_owned(),
                _ => "--no-test".to_owned(),
            }),
            Value::String(text) => flags.extend([flag.clone(), quoted(text)]),
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

/// A word of a shell's, in quotes where it needs them.
pub(crate) fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '+');
    match !text.is_empty() && !text.starts_with('-') && text.chars().all(is_plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

/// Something that happened meanwhile.
pub(crate) fn event(event: &Event) -> String {
    match event {
        Event::IndexedFirst { files } => {
            format!("indexed {files} files first; the next question starts from here")
        }
        Event::Shrunk { dropped, total } => format!(
            "dropped {dropped} of {total} snapshots, as the index was larger than `cortex.maxSize`"
        ),
        Event::Store(StoreEvent::MovedAside { to, reason }) => format!(
            "the index could not be read ({reason}); it is now at `{}`, and a new one was made",
            to.display()
        ),
        Event::Store(StoreEvent::DroppedEntry { kind }) => {
            format!("a damaged entry of the index ({kind}) was dropped and is made again")
        }
        Event::Store(StoreEvent::CollectionDeferred) => {
            "nothing was dropped, as other commands were reading all the time; try again later"
                .to_owned()
        }
        Event::Store(StoreEvent::Migrated { from }) => {
            format!("the index had an older form ({from}); what can be computed again was dropped")
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
            "in a partial clone, `git cat-file -e {}` fetches this one, `git fetch --refetch --no-filter` all",
            first.blob
        ),
        false => "the repository is damaged: see `git fsck --full`".to_owned(),
    };
    let number = match files.len() {
        1 => "1 file could not be read from git and is left out".to_owned(),
        n => format!("{n} files could not be read from git and are left out"),
    };
    Some(format!("{number}: {}{more}; {remedy}", named.join(", ")))
}

#[cfg(test)]
mod tests {
    use cortex_wire::{Next, Reason};
    use serde_json::json;

    use super::{command, quoted};

    #[test]
    fn words_are_quoted_where_a_shell_would_read_more_into_them() {
        for (text, expected) in [
            ("OrderService", "OrderService"),
            ("a b", "'a b'"),
            ("", "''"),
            ("-x", "'-x'"),
            ("it's", r"'it'\''s'"),
            (r"Submit\(", r"'Submit\('"),
        ] {
            assert_eq!(quoted(text), expected);
        }
    }

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
            "git cortex search ask 'a b' --max-files 30 --regex"
        );
    }
}
