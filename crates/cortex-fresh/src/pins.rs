//! The types that a repository pins into the prompt window of everyone who works on it.

use serde::{Deserialize, Serialize};

/// Where pins are committed.
pub const FILE: &str = ".context/window.json";

/// What the pin of a path starts with. No name of a type has a colon.
const PATH: &str = "path:";

/// Pins, and how large the window is.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Pins {
    /// How many tokens the window may have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<usize>,
    /// Types by canonical name, and `path:` with a file, or a folder with a slash at its end; the most important first.
    #[serde(default)]
    pub pins: Vec<String>,
}

/// What a pin means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pin<'a> {
    /// The type of a canonical name.
    Type(&'a str),
    /// The types that a file, or the files of a folder, declare.
    Path(&'a str),
}

impl<'a> Pin<'a> {
    /// Reads a pin.
    pub fn read(text: &'a str) -> Self {
        match text.strip_prefix(PATH) {
            Some(path) => Self::Path(path),
            None => Self::Type(text),
        }
    }

    /// The pin as it is recorded.
    pub fn text(self) -> String {
        match self {
            Self::Type(name) => name.to_owned(),
            Self::Path(path) => format!("{PATH}{path}"),
        }
    }
}

/// Reads the file; what is wrong with it otherwise, as a lower-case fragment.
///
/// # Errors
/// Those of the form.
pub fn read(text: &str) -> Result<Pins, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

/// The bytes of the file.
pub fn text(pins: &Pins) -> String {
    let json = serde_json::to_string_pretty(pins);
    format!("{}\n", json.expect("pins are plain data"))
}

#[cfg(test)]
mod tests {
    use super::{Pin, Pins, read, text};

    #[test]
    fn pins_are_read_back_as_they_were_written() {
        let pins = Pins {
            budget: Some(4_000),
            pins: vec!["Shop.Order".to_owned(), Pin::Path("src/Shop/").text()],
        };
        assert_eq!(read(&text(&pins)), Ok(pins));
        assert_eq!(Pin::read("path:a/b.cs"), Pin::Path("a/b.cs"));
        assert_eq!(Pin::read("Shop.Order"), Pin::Type("Shop.Order"));
        assert!(read("{\"pinned\": []}").is_err());
    }
}
