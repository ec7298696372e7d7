//! The scopes that a repository names: in the IDE's files and in `.context/config.toml`.

use crate::{QueryError, scope::places::Places};

use cortex_git::{Repository, Side};
use cortex_index::{Index, IndexedSide};
use cortex_model::RepoPath;
use cortex_scope::{CONFIGURED, NamedScope, SHARED, is_scope_file, read_scope_file};

/// Files of more bytes are not read.
const MAX_BYTES: u64 = 4 << 20;

/// Our own configuration.
const CONFIG: &str = ".context/config.toml";

/// Named scopes, and what keeps others from being known.
pub(crate) type Named = (Vec<NamedScope>, Vec<String>);

/// Every named scope, those of one holder side by side, shared ones first.
pub(crate) fn read(
    index: &Index,
    side: &IndexedSide,
    places: &Places,
) -> Result<Named, QueryError> {
    let mut reader = index.blobs(side);
    let mut out = Vec::new();
    let (mut problems, mut too_long) = (Vec::new(), Vec::new());
    let mut add = |path: &str, text: &[u8]| {
        let (scopes, wrong) = of_file(path, &String::from_utf8_lossy(text));
        out.extend(scopes);
        problems.extend(wrong);
    };
    for (path, blob) in places.paths() {
        if path != CONFIG && !is_scope_file(path) {
            continue;
        }
        match reader.blob_size(blob)? > MAX_BYTES {
            true => too_long.push(format!(
                "`{path}` is not read: it has more than {MAX_BYTES} bytes"
            )),
            false => add(path, &reader.read_blob(blob)?),
        }
    }
    if side.snapshot.side() == Side::WorkTree {
        for path in ignored(&index.repo) {
            if places.find(&path).is_some() {
                continue;
            }
            let file = index.repo.work_file(&RepoPath::from(path.as_str()));
            let file = file.filter(|file| file.n_bytes <= MAX_BYTES);
            // What vanished meanwhile is not there.
            if let Some(text) = file.and_then(|file| std::fs::read(file.path).ok()) {
                add(&path, &text);
            }
        }
    }
    // Of files with the same name the first counts, so that their order stays.
    out.sort_by(|a, b| (a.holder != SHARED, &a.holder).cmp(&(b.holder != SHARED, &b.holder)));
    problems.append(&mut too_long);
    Ok((out, problems))
}

/// The IDE's files at their usual places, whether git ignores them or not, sorted. What they are called alone is
/// asked here: symbolic links are told apart when they are read.
fn ignored(repo: &Repository) -> Vec<String> {
    let names = |folder: &str| -> Vec<String> {
        let folder = repo.work_dir().map(|root| root.join(folder));
        let entries = folder.and_then(|folder| std::fs::read_dir(folder).ok());
        let entries = entries.into_iter().flatten().flatten();
        entries
            .filter_map(|entry| entry.file_name().into_string().ok())
            .collect()
    };
    let riders = names(".idea").into_iter();
    let riders = riders.filter(|name| name.starts_with(".idea."));
    let mut out = Vec::new();
    for folder in
        std::iter::once(".idea".to_owned()).chain(riders.map(|name| format!(".idea/{name}/.idea")))
    {
        out.push(format!("{folder}/workspace.xml"));
        let scopes = format!("{folder}/scopes");
        out.extend(
            names(&scopes)
                .into_iter()
                .map(|name| format!("{scopes}/{name}")),
        );
    }
    out.retain(|path| is_scope_file(path));
    out.sort();
    out
}

/// The scopes of a file, and what is wrong with it.
fn of_file(path: &str, text: &str) -> (Vec<NamedScope>, Vec<String>) {
    match path {
        CONFIG => of_config(text),
        _ => match read_scope_file(text) {
            Ok(scopes) => (scopes, Vec::new()),
            Err(error) => (Vec::new(), vec![format!("`{path}` is not read: {error}")]),
        },
    }
}

/// `[scopes]` with `name = "pattern"`, in the order of the names; and what is none of that, which costs no other.
pub(crate) fn of_config(text: &str) -> (Vec<NamedScope>, Vec<String>) {
    let (mut out, mut problems) = (Vec::new(), Vec::new());
    let mut config: toml::Table = match text.parse() {
        Ok(config) => config,
        Err(error) => {
            let error: toml::de::Error = error;
            let line = error.span().map(|span| {
                let before = text.get(..span.start).unwrap_or_default();
                format!(":{}", before.matches('\n').count() + 1)
            });
            let line = line.unwrap_or_default();
            let problem = format!("`{CONFIG}{line}` is not read: {}", error.message());
            return (out, vec![problem]);
        }
    };
    let scopes = match config.remove("scopes") {
        Some(toml::Value::Table(scopes)) => scopes,
        None => toml::Table::new(),
        Some(other) => {
            problems.push(format!(
                "`{CONFIG}`: `scopes` is {}, but must be a table: `[scopes]` with `Name = \"pattern\"`",
                kind(&other)
            ));
            toml::Table::new()
        }
    };
    for (name, pattern) in scopes {
        match pattern {
            toml::Value::String(pattern) => out.push(NamedScope {
                holder: CONFIGURED.to_owned(),
                name,
                pattern,
            }),
            other => problems.push(format!(
                "`{CONFIG}`: the scope `{name}` is {}, but must be a pattern in quotes",
                kind(&other)
            )),
        }
    }
    (out, problems)
}

/// What a value is, in words.
fn kind(value: &toml::Value) -> &'static str {
    match value {
        toml::Value::String(_) => "a text",
        toml::Value::Integer(_) | toml::Value::Float(_) => "a number",
        toml::Value::Boolean(_) => "true or false",
        toml::Value::Datetime(_) => "a time",
        toml::Value::Array(_) => "a list",
        toml::Value::Table(_) => "a table",
    }
}

#[cfg(test)]
mod tests {
    use super::of_config;

    #[test]
    fn one_wrong_scope_costs_no_other() {
        let (scopes, problems) =
            of_config("[scopes]\nB = \"file:b\"\nNum = 3\nA = [\"x\"]\nC = \"file:c\"\n");
        let names: Vec<&str> = scopes.iter().map(|scope| scope.name.as_str()).collect();
        assert_eq!(names, ["B", "C"]);
        assert_eq!(
            problems,
            [
                "`.context/config.toml`: the scope `A` is a list, but must be a pattern in quotes",
                "`.context/config.toml`: the scope `Num` is a number, but must be a pattern in quotes",
            ]
        );
        let (scopes, problems) = of_config("[scopes]\nA = \"file:a\"\nB = \n");
        assert!(scopes.is_empty());
        assert!(
            problems[0].starts_with("`.context/config.toml:3` is not read: "),
            "{problems:?}"
        );
        let (_, problems) = of_config("scopes = 1\n");
        assert!(problems[0].contains("must be a table"), "{problems:?}");
    }
}
