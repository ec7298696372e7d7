//! Paths that files come to: what every system can have, and what nothing else has.

use std::{fs, path::Path};

use cortex_model::RepoPath;

use crate::{EditError, apply};

/// Refuses a path that a file must not come to: through a link, over what is there, beside what differs by case alone,
/// or with a name that some system does not have. `is_vacated`: paths that the same edit leaves.
///
/// # Errors
/// [`EditError::Unsafe`].
pub(crate) fn check_new_path(
    root: &Path,
    path: &RepoPath,
    is_vacated: &dyn Fn(&RepoPath) -> bool,
) -> Result<(), EditError> {
    let refuse = |reason| {
        Err(EditError::Unsafe {
            path: path.clone(),
            reason,
        })
    };
    let place = apply::place(root, path)?;
    if fs::symlink_metadata(&place).is_ok() && !is_vacated(path) {
        return refuse("something is there already");
    }
    let mut folder = root.to_owned();
    let mut known = String::new();
    for part in path.as_str().split('/') {
        if !is_portable(part) {
            return refuse("its name is not one that every system has");
        }
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let Some(name) = name.to_str() else { continue };
            let is_twin = name != part && name.to_lowercase() == part.to_lowercase();
            let twin = RepoPath::from(format!("{known}{name}").as_str());
            if is_twin && !is_vacated(&twin) {
                return refuse("something is there whose name differs by case alone");
            }
        }
        folder.push(part);
        known.push_str(part);
        known.push('/');
    }
    Ok(())
}

/// Whether every system can have a file of this name.
fn is_portable(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or(part).trim_end();
    let stem = stem.to_ascii_lowercase();
    let is_numbered = |device: &str| {
        let number = stem.strip_prefix(device);
        number.is_some_and(|it| it.len() == 1 && it.starts_with(|it: char| it.is_ascii_digit()))
    };
    let is_device = matches!(stem.as_str(), "con" | "prn" | "aux" | "nul")
        || is_numbered("com")
        || is_numbered("lpt");
    let is_odd = |it: char| {
        it.is_control() || matches!(it, '<' | '>' | '"' | '|' | '?' | '*') || is_hidden(it)
    };
    !is_device && !part.ends_with(['.', ' ']) && !part.contains(is_odd)
}

/// Whether a character shows nothing, or turns the direction of what is shown.
fn is_hidden(it: char) -> bool {
    matches!(it, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{ad}')
}

#[cfg(test)]
mod tests {
    use super::is_portable;

    #[test]
    fn names_of_devices_and_with_characters_that_some_systems_refuse_are_not_portable() {
        for name in [
            "NUL",
            "aux.cs",
            "COM1.txt",
            "a.",
            "b ",
            "a?.cs",
            "\u{202e}sc.cs",
        ] {
            assert!(!is_portable(name), "{name:?}");
        }
        for name in [
            "Nullable.cs",
            "com.cs",
            "COM10.cs",
            ".editorconfig",
            "Order`1.cs",
            "Größe.cs",
        ] {
            assert!(is_portable(name), "{name:?}");
        }
    }
}
