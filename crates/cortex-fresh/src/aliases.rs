//! Ids that types had under other names, so that answers of other machines and of older commits can be followed.

use serde::{Deserialize, Serialize};

/// Where aliases are committed.
pub const FILE: &str = ".context/aliases.json";

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
