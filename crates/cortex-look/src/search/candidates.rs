//! The files that a search may look at.
//!
//! Must not know: what is searched for.

use crate::QueryError;
use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};

/// File masks: some that a file has to match one of, and some that it must not.
pub(crate) struct Masks {
    wanted: Option<GlobSet>,
    unwanted: GlobSet,
}

impl Masks {
    /// Whether a file passes.
    pub(crate) fn take(&self, path: &str) -> bool {
        self.wanted.as_ref().is_none_or(|set| set.is_match(path)) && !self.unwanted.is_match(path)
    }
}

/// Reads masks: globs, separated by commas, each of a file's name or, with a `/`, of its path from the root; those
/// with a `!` leave out.
///
/// # Errors
/// [`QueryError::FileMask`].
pub(crate) fn masks(texts: &[String]) -> Result<Masks, QueryError> {
    let (mut wanted, mut unwanted) = (Vec::new(), Vec::new());
    for mask in texts.iter().flat_map(|text| split(text)) {
        match mask.strip_prefix('!') {
            Some(mask) => unwanted.push(glob(mask)?),
            None => wanted.push(glob(&mask)?),
        }
    }
    let set = |globs: Vec<Glob>| {
        let mut builder = GlobSetBuilder::new();
        for glob in globs {
            builder.add(glob);
        }
        builder.build().map_err(|error| QueryError::FileMask {
            mask: texts.join(","),
            reason: error.kind().to_string(),
        })
    };
    Ok(Masks {
        wanted: (!wanted.is_empty()).then(|| set(wanted)).transpose()?,
        unwanted: set(unwanted)?,
    })
}

/// The masks of a list; a comma in braces separates nothing.
fn split(text: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut depth = 0_usize;
    for c in text.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                out.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = out.last_mut() {
            last.push(c);
        }
    }
    out.iter()
        .map(|mask| mask.trim().to_owned())
        .filter(|mask| !mask.is_empty())
        .collect()
}

/// A glob over whole paths.
pub(crate) fn glob(mask: &str) -> Result<Glob, QueryError> {
    let text = match mask.strip_prefix('/') {
        Some(anchored) => anchored.to_owned(),
        None if mask.contains('/') => mask.to_owned(),
        None => format!("**/{mask}"),
    };
    let text = match text.strip_suffix('/') {
        Some(folder) => format!("{folder}/**"),
        None => text,
    };
    GlobBuilder::new(&text)
        .literal_separator(true)
        .build()
        .map_err(|error| QueryError::FileMask {
            mask: mask.to_owned(),
            reason: error.kind().to_string(),
        })
}

#[cfg(test)]
mod tests {
    use super::masks;

    #[test]
    fn masks_are_globs_of_names_or_of_paths() {
        for (mask, yes, no) in [
            ("*.cs", vec!["a.cs", "x/a.cs"], vec!["a.csx", "a.cs/b"]),
            ("*.cs,!*.g.cs", vec!["a.cs"], vec!["a.g.cs", "x/b.g.cs"]),
            ("src/**/*.cs", vec!["src/a.cs", "src/x/y.cs"], vec!["a.cs"]),
            ("/*.md", vec!["a.md"], vec!["x/a.md"]),
            ("src/", vec!["src/a", "src/b/c"], vec!["x/src/a"]),
            ("*.{ts,tsx}", vec!["a.ts", "x/b.tsx"], vec!["a.js"]),
            ("!test/**", vec!["a"], vec!["test/a"]),
            ("", vec!["a", "b/c"], vec![]),
        ] {
            let masks = masks(&[mask.to_owned()]).expect("a mask");
            for path in yes {
                assert!(masks.take(path), "{mask} on {path}");
            }
            for path in no {
                assert!(!masks.take(path), "{mask} on {path}");
            }
        }
        assert!(masks(&["[".to_owned()]).is_err());
    }
}
