//! What an area is, and how people write one.

use serde::{Deserialize, Serialize};

/// A part of a repository in one language.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Area {
    /// Unique: the root and the language, `frontend-typescript`, or as configured.
    pub name: String,
    /// The language, as [`crate::Language::id`] or as configured.
    pub language: String,
    /// The folder, without a trailing `/`; empty for the whole repository.
    pub root: String,
    /// How sure that is.
    pub confidence: Confidence,
    /// What says so, in the order of what it weighs.
    pub evidence: Vec<String>,
    /// The files of the area.
    pub suggested_globs: Vec<String>,
    /// Files that are in its folders and not of it.
    pub exclude_globs: Vec<String>,
}

/// How sure an area is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Confidence {
    /// A sample, or a file that several languages use.
    Low,
    /// A sample that says nearly one thing.
    Medium,
    /// A sentinel file, or the configuration.
    High,
}

/// An `[[area]]` of `.context/config.toml`, or one that a caller gives.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AreaConfig {
    /// Its name.
    pub name: String,
    /// Its folder; the repository where there is none.
    #[serde(default)]
    pub root: String,
    /// Its language, one of [`crate::LANGUAGES`] or another word.
    #[serde(default)]
    pub language: Option<String>,
    /// Its files; those of its language below its root where there are none.
    #[serde(default, alias = "include_globs")]
    pub globs: Vec<String>,
    /// Files that are not of it.
    #[serde(default, alias = "exclude_globs")]
    pub exclude: Vec<String>,
}

/// The areas of a configuration file, in its order; what else is in it is passed over.
///
/// # Errors
/// What is wrong with the file, and on which line.
pub fn read_config(text: &str) -> Result<Vec<AreaConfig>, String> {
    #[derive(Deserialize, Default)]
    struct Config {
        #[serde(default)]
        area: Vec<AreaConfig>,
    }
    let config: Config = toml::from_str(text).map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start));
        let line = before.map_or(1, |before| before.matches('\n').count() + 1);
        format!("line {line}: {}", error.message())
    })?;
    Ok(config.area)
}
