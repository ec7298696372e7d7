//! The scopes that a repository names: in the IDE's files and in `.context/config.toml`.

use std::collections::BTreeMap;

use cortex_git::{Repository, Side};
use cortex_index::{Index, IndexedSide};
use cortex_model::RepoPath;
use cortex_scope::{CONFIGURED, NamedScope, SHARED, is_scope_file, read_scope_file};

use super::places::Places;
use crate::QueryError;

/// Files of more bytes are not read.
const MAX_BYTES: u64 = 4 << 20;

/// Our own configuration.
const CONFIG: &str = ".context/config.toml";

/// Every named scope, those of one holder side by side, shared ones first. Files that cannot be read have none.
pub(super) fn read(
    index: &Index,
    side: &IndexedSide,
    places: &Places,
) -> Result<Vec<NamedScope>, QueryError> {
    let mut reader = index.blobs(side);
    let mut out = Vec::new();
    for (path, blob) in places.paths() {
        if path != CONFIG && !is_scope_file(path) || reader.blob_size(blob)? > MAX_BYTES {
            continue;
        }
        let text = reader.read_blob(blob)?;
        out.extend(of_file(path, &String::from_utf8_lossy(&text)));
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
                out.extend(of_file(&path, &String::from_utf8_lossy(&text)));
            }
        }
    }
    // Of files with the same name the first counts, so that their order stays.
    out.sort_by(|a, b| (a.holder != SHARED, &a.holder).cmp(&(b.holder != SHARED, &b.holder)));
    Ok(out)
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

fn of_file(path: &str, text: &str) -> Vec<NamedScope> {
    match path {
        CONFIG => of_config(text),
        _ => read_scope_file(text).unwrap_or_default(),
    }
}

/// `[scopes]` with `name = "pattern"`.
fn of_config(text: &str) -> Vec<NamedScope> {
    #[derive(serde::Deserialize, Default)]
    struct Config {
        #[serde(default)]
        scopes: BTreeMap<String, String>,
    }
    let config: Config = toml::from_str(text).unwrap_or_default();
    config
        .scopes
        .into_iter()
        .map(|(name, pattern)| NamedScope {
            holder: CONFIGURED.to_owned(),
            name,
            pattern,
        })
        .collect()
}
