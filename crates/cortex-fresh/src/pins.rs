//! The types that a repository pins into the prompt window of everyone who works on it.

use serde::{Deserialize, Serialize};

/// Where pins are committed.
pub const FILE: &str = ".context/window.json";

/// Pins, and how large the window is.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Pins {
    /// How many tokens the window may have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<usize>,
    /// Types by canonical name, the most important first.
    #[serde(default)]
    pub pins: Vec<String>,
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
