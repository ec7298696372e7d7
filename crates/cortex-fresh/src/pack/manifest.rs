//! What a pack is made from, and how its file says so.

use cortex_context::{CharsOver4, O200kBase, Tokenizer};
use serde::{Deserialize, Serialize};

use crate::committed::FOLDER;

/// The version of the bytes of packs.
pub const FORMAT: u32 = 1;

/// The folder of packs.
pub const PACKS: &str = ".context/packs/";

/// Tokens of a pack where nothing else is said.
pub const BUDGET: usize = 8_000;

/// What a pack is made from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Manifest {
    /// The version of the bytes.
    pub format: u32,
    /// Which types.
    pub filter: String,
    /// How many tokens at most.
    pub budget: usize,
    /// How tokens are counted.
    pub tokenizer: String,
    /// Whether the direct public dependencies of what the filter selects belong to it.
    pub dependencies: bool,
}

impl Manifest {
    /// The line of a pack that has its manifest.
    pub fn line(&self) -> String {
        let json = serde_json::to_string(self).expect("a manifest is plain data");
        // Nothing in a filter ends the comment.
        let json = json.replace('<', "\\u003c").replace('>', "\\u003e");
        format!("{OPEN}{json}{CLOSE}")
    }

    /// Whether its filter can be read.
    pub fn is_readable(&self) -> bool {
        super::filter::parse(&self.filter).is_ok()
    }

    /// Reads the manifest of a pack; why it cannot be read otherwise.
    ///
    /// # Errors
    /// In words, as a lower-case fragment.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut lines = text.lines().take(8);
        let json = lines.find_map(|line| line.strip_prefix(OPEN)?.strip_suffix(CLOSE));
        let json = json.ok_or("the file has no manifest at its start")?;
        let manifest: Self = serde_json::from_str(json).map_err(|error| error.to_string())?;
        if tokenizer(&manifest.tokenizer).is_none() {
            return Err(format!("unknown tokenizer `{}`", manifest.tokenizer));
        }
        Ok(manifest)
    }
}

const OPEN: &str = "<!-- git-cortex pack ";
const CLOSE: &str = " -->";

/// The tokenizer of a name.
pub fn tokenizer(name: &str) -> Option<&'static dyn Tokenizer> {
    match name {
        "o200k_base" => Some(&O200kBase),
        "chars/4" => Some(&CharsOver4),
        _ => None,
    }
}

/// The file of a pack; `None` for a name that is no name of a file on every system.
pub fn pack_path(name: &str) -> Option<String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let is_name = !name.is_empty()
        && name.len() <= 80
        && name.chars().all(is_plain)
        && !name.starts_with(['.', '-'])
        && !name.ends_with('.')
        && !is_device(name);
    is_name.then(|| format!("{FOLDER}/packs/{name}.md"))
}

/// Whether Windows takes a file of this name for a device, whatever its extension is.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).to_ascii_lowercase();
    let is_numbered = |stem: &str| {
        let number = stem.strip_prefix("com").or(stem.strip_prefix("lpt"));
        number.is_some_and(|number| number.len() == 1 && number.chars().all(|c| c.is_ascii_digit()))
    };
    matches!(stem.as_str(), "con" | "prn" | "aux" | "nul") || is_numbered(&stem)
}

/// The name of the pack in a file; `None` for another file.
pub fn pack_name(path: &str) -> Option<&str> {
    let name = path.strip_prefix(PACKS)?.strip_suffix(".md")?;
    pack_path(name).map(|_| name)
}

#[cfg(test)]
mod tests {
    use super::{BUDGET, FORMAT, Manifest, pack_name, pack_path};

    #[test]
    fn a_manifest_is_read_back_whatever_its_filter_says() {
        let manifest = Manifest {
            format: FORMAT,
            filter: "type:\"a --> b\n\" OR path:ä<!--".to_owned(),
            budget: BUDGET,
            tokenizer: "chars/4".to_owned(),
            dependencies: true,
        };
        let text = format!("# Pack `x`\n\n{}\n\nrest", manifest.line());
        assert_eq!(Manifest::read(&text), Ok(manifest));
        assert!(Manifest::read("# Pack `x`\n").is_err());
    }

    #[test]
    fn names_of_packs_are_names_of_files_everywhere() {
        for wrong in [
            "", "a/b", "..", ".x", "a b", "a:b", "é", "-x", "a.", "CON", "com1.x",
        ] {
            assert_eq!(pack_path(wrong), None, "{wrong}");
        }
        assert_eq!(pack_name(".context/packs/core-1.md"), Some("core-1"));
        assert_eq!(pack_name(".context/packs/a b.md"), None);
    }
}
