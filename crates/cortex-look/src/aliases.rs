//! Ids that types had under other names, as a repository commits them, so that answers of other machines and of older
//! commits can be followed where there is no history.

use cortex_index::{Index, IndexedSide};
use cortex_model::RepoPath;
use serde::{Deserialize, Serialize};

use crate::QueryError;

/// Where aliases are committed.
pub const FILE: &str = ".context/aliases.json";

/// Larger files are not read.
const MAX_BYTES: u64 = 4 << 20;

/// The aliases of a repository.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Aliases {
    /// By id.
    #[serde(default)]
    pub aliases: Vec<Alias>,
}

/// What a type was called, and what it is called now.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Alias {
    /// The id under its former name.
    pub id: String,
    /// Its former canonical name.
    pub was: String,
    /// Its canonical name.
    pub now: String,
}

/// Reads the file; what is wrong with it otherwise, as a lower-case fragment.
///
/// # Errors
/// Those of the form.
pub fn read(text: &str) -> Result<Aliases, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

/// The bytes of the file.
pub fn text(aliases: &Aliases) -> String {
    let json = serde_json::to_string_pretty(aliases);
    format!("{}\n", json.expect("aliases are plain data"))
}

/// The aliases that a side commits; none where there is no file or it cannot be read.
///
/// # Errors
/// Those of reading the repository.
pub fn committed(index: &Index, side: &IndexedSide) -> Result<Aliases, QueryError> {
    let path = RepoPath::from(FILE);
    let changes = side.overlay.iter().flat_map(|overlay| &overlay.changes);
    let mut change = changes.filter(|it| {
        let sides = [it.old.as_ref(), it.new.as_ref()];
        sides.into_iter().flatten().any(|file| file.path == path)
    });
    let file = match (change.next_back(), side.commit) {
        (Some(change), _) => (change.new.as_ref())
            .filter(|file| file.path == path)
            .map(|file| (file.mode, file.blob)),
        (None, Some(commit)) => {
            let tree = index.repo.commit(commit)?.tree;
            let file = index.repo.tree_file(tree, &path)?;
            file.map(|file| (file.mode, file.blob))
        }
        (None, None) => None,
    };
    let Some((_, blob)) = file.filter(|(mode, _)| mode.is_file()) else {
        return Ok(Aliases::default());
    };
    let mut blobs = index.blobs(side);
    if blobs.blob_size(blob)? > MAX_BYTES {
        return Ok(Aliases::default());
    }
    let bytes = blobs.read_blob(blob)?;
    Ok(read(&String::from_utf8_lossy(&bytes)).unwrap_or_default())
}

impl Aliases {
    /// What a text means today that names a type, or a member of one, by a former id or name.
    pub(crate) fn followed(&self, text: &str) -> Vec<Followed> {
        let (mark, name) = match text.split_once(':') {
            Some((mark, name)) if mark.len() == 1 => (Some(mark), name),
            _ => (None, text),
        };
        let rest_of = |name: &str, start: &str, ends: char| -> Option<String> {
            let rest = name.strip_prefix(start)?;
            (rest.is_empty() || rest.starts_with(ends)).then(|| rest.to_owned())
        };
        let mut out = Vec::new();
        for alias in &self.aliases {
            let followed = |text: String, member: Option<String>| Followed {
                text,
                member,
                was: alias.was.clone(),
            };
            if let Some(rest) = rest_of(text, &alias.id, '_') {
                let member = rest.strip_prefix('_').map(str::to_owned);
                out.push(followed(alias.now.clone(), member));
            } else if let Some(rest) = rest_of(name, &alias.was, '.') {
                let mark = mark.map_or(String::new(), |mark| format!("{mark}:"));
                out.push(followed(format!("{mark}{}{rest}", alias.now), None));
            }
        }
        if !out.is_empty() || mark.is_some() {
            return out;
        }
        for alias in &self.aliases {
            let simple = alias.was.rsplit(['.', '+']).next().unwrap_or(&alias.was);
            if let Some(rest) = rest_of(name, simple, '.') {
                out.push(Followed {
                    text: format!("{}{rest}", alias.now),
                    member: None,
                    was: alias.was.clone(),
                });
            }
        }
        out
    }
}

/// What a former id or name means today.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Followed {
    /// What to resolve.
    pub(crate) text: String,
    /// The id that the member of the type had that is meant.
    pub(crate) member: Option<String>,
    /// What the type was called.
    pub(crate) was: String,
}

#[cfg(test)]
mod tests {
    use super::{Alias, Aliases, read, text};

    #[test]
    fn former_ids_and_names_are_followed_with_what_stands_behind_them() {
        let aliases = Aliases {
            aliases: vec![Alias {
                id: "T_11111111".to_owned(),
                was: "Shop.Order".to_owned(),
                now: "Shop.Purchase".to_owned(),
            }],
        };
        assert_eq!(read(&text(&aliases)), Ok(aliases.clone()));
        let now = |text: &str| -> Vec<String> {
            let found = aliases.followed(text).into_iter();
            let member = |it: Option<String>| it.map_or(String::new(), |it| format!(" {it}"));
            found.map(|it| it.text + &member(it.member)).collect()
        };
        assert_eq!(now("T_11111111"), ["Shop.Purchase"]);
        assert_eq!(now("T_11111111_ABCDEF"), ["Shop.Purchase ABCDEF"]);
        assert_eq!(now("Shop.Order"), ["Shop.Purchase"]);
        assert_eq!(now("Order.Total"), ["Shop.Purchase.Total"]);
        assert_eq!(now("M:Shop.Order.Total"), ["M:Shop.Purchase.Total"]);
        for other in ["T_111111112", "Shop.Orders", "Ordering", "T:Other"] {
            assert!(now(other).is_empty(), "{other}");
        }
    }
}
