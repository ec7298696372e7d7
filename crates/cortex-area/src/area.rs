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

/// The areas of a configuration file, in its order, and what is wrong with others, which costs no other; what else
/// is in the file is passed over.
pub fn read_config(text: &str) -> (Vec<AreaConfig>, Vec<String>) {
    let mut config: toml::Table = match text.parse() {
        Ok(config) => config,
        Err(error) => {
            let error: toml::de::Error = error;
            let before = error.span().and_then(|span| text.get(..span.start));
            let line = before.map_or(1, |before| before.matches('\n').count() + 1);
            let problem = format!("line {line}: {}", error.message());
            return (Vec::new(), vec![problem]);
        }
    };
    let areas = match config.remove("area") {
        None => Vec::new(),
        Some(toml::Value::Array(areas)) => areas,
        Some(_) => {
            let problem = "`area` must be a list of tables, `[[area]]`".to_owned();
            return (Vec::new(), vec![problem]);
        }
    };
    let (mut out, mut problems) = (Vec::new(), Vec::new());
    for (n, area) in (1..).zip(areas) {
        let name = area.get("name").and_then(toml::Value::as_str);
        let called = name.map_or(String::new(), |name| format!(", `{name}`"));
        match area.try_into::<AreaConfig>() {
            Ok(area) => out.push(area),
            Err(error) => problems.push(format!("[[area]] {n}{called}: {}", error.message())),
        }
    }
    (out, problems)
}

#[cfg(test)]
mod tests {
    use super::read_config;

    #[test]
    fn one_wrong_area_costs_no_other() {
        let text = "[[area]]\nname = \"docs\"\n[[area]]\nroot = \"x\"\n[[area]]\nname = \"web\"\nglobs = 3\n";
        let (areas, problems) = read_config(text);
        assert_eq!(areas.len(), 1);
        assert_eq!(areas[0].name, "docs");
        assert_eq!(problems.len(), 2);
        assert!(
            problems[0].starts_with("[[area]] 2: missing field `name`"),
            "{problems:?}"
        );
        assert!(
            problems[1].starts_with("[[area]] 3, `web`: "),
            "{problems:?}"
        );
        assert!(read_config("area = 1\n").1[0].contains("list of tables"));
    }
}
