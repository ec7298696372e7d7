//! Finds files and folders by the URLs and paths that people write, with suggestions where nothing matches.
//!
//! Must not know: atoms, the disk.

use cortex_model::edit_distance;

use crate::universe::{FileId, REPOSITORY, Unavailable, Universe};

/// Finds the file with a URL, or explains why none matches, with a suggestion.
pub fn file(universe: &dyn Universe, url: &str) -> Result<FileId, Unavailable> {
    let url = known_url(universe, url);
    let files = universe.files();
    let found = files.binary_search_by(|file| file.url.as_str().cmp(&url));
    found.map(FileId::new).map_err(|_| {
        if let Some(outside) = outside(universe, &url) {
            return Unavailable(outside);
        }
        if exists(universe, &url) {
            let path = url.strip_prefix(REPOSITORY).unwrap_or(&url);
            return Unavailable(format!("`{url}` is a folder; write `dir({path})`"));
        }
        let near = near(universe, &url);
        Unavailable(format!("no file `{url}`{near}"))
    })
}

/// Normalizes a URL to the form of the universe: absolute URLs inside the repository become relative to it. A URL that
/// matches as written is taken as written, any other is percent-decoded.
pub(crate) fn known_url(universe: &dyn Universe, url: &str) -> String {
    let inside = |url: &str| {
        let below = || {
            let path = url.strip_prefix(universe.root_url()?)?;
            match path {
                "" => Some(REPOSITORY.to_owned()),
                path => path
                    .strip_prefix('/')
                    .map(|path| format!("{REPOSITORY}{path}")),
            }
        };
        below().or_else(|| {
            url.starts_with(FILES)
                .then(|| universe.url_in_repository(url))?
        })
    };
    let plain = inside(url).unwrap_or_else(|| url.to_owned());
    if exists(universe, &plain) {
        return plain;
    }
    let decoded = percent_decoded(url).map(|url| inside(&url).unwrap_or(url));
    decoded.filter(|url| exists(universe, url)).unwrap_or(plain)
}

/// Whether a file or folder has this URL.
fn exists(universe: &dyn Universe, url: &str) -> bool {
    let files = universe.files();
    let below = format!("{}/", url.trim_end_matches('/'));
    let matches = |candidate: &str| candidate == url || candidate.starts_with(&below);
    let starts_at = |url: &str| files.partition_point(|file| file.url.as_str() < url);
    [url, &below].into_iter().any(|start| {
        let next = files.get(starts_at(start));
        next.is_some_and(|file| matches(&file.url))
    }) || universe.context().elsewhere.iter().any(|url| matches(url))
}

/// Explains why a folder has no files, with a suggestion.
pub(crate) fn no_directory(universe: &dyn Universe, url: &str) -> String {
    if let Some(outside) = outside(universe, url) {
        return outside;
    }
    let files = universe.files();
    if files.iter().any(|file| file.url == url) {
        let path = url.strip_prefix(REPOSITORY).unwrap_or(url);
        return format!("`{url}` is a file; write `files({path})`");
    }
    let name = name_of(url);
    let inner = format!("/{name}/");
    let near = files.iter().find_map(|file| {
        let at = file.url.find(&inner)?;
        Some(&file.url[..at + inner.len() - 1])
    });
    let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    format!("no files in `{url}`{near}")
}

/// Explains that an absolute URL is outside the repository.
fn outside(universe: &dyn Universe, url: &str) -> Option<String> {
    if !url.starts_with(FILES) {
        return None;
    }
    Some(match universe.root_url() {
        Some(root) => format!("`{url}` is outside the repository at `{root}`"),
        None => format!(
            "`{url}` is an absolute path, but the repository has no work tree; write the path from the repository root"
        ),
    })
}

fn name_of(url: &str) -> &str {
    let url = url.trim_end_matches('/');
    url.rsplit('/').next().unwrap_or(url)
}

/// Suggests the file with the most similar name.
fn near(universe: &dyn Universe, url: &str) -> String {
    let name = name_of(url);
    let limit = (name.chars().count() / 4).min(2);
    let near = universe.files().iter().filter_map(|file| {
        let distance = edit_distance(name, name_of(&file.url), limit)?;
        Some((distance, &file.url))
    });
    near.min()
        .map_or_else(String::new, |(_, url)| format!("; did you mean `{url}`?"))
}

/// The prefix of absolute URLs.
const FILES: &str = "file://";

/// Suggests a similar name as `; did you mean …?`; empty where none is similar.
pub(crate) fn suggestion<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> String {
    let limit = (name.chars().count() / 3).max(2);
    known
        .filter_map(|known| {
            let is_part = || {
                let known = known.to_lowercase();
                !name.is_empty() && known.contains(&name.to_lowercase())
            };
            let distance =
                edit_distance(name, known, limit).or_else(|| is_part().then_some(limit + 1))?;
            Some((distance, known))
        })
        .min()
        .map(|(_, known)| format!("; did you mean `{known}`?"))
        .unwrap_or_default()
}

/// Decodes `%20` and the like; `None` where nothing is encoded or the result is not UTF-8.
fn percent_decoded(url: &str) -> Option<String> {
    if !url.contains('%') {
        return None;
    }
    let bytes = url.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut index = 0;
    while let Some(byte) = bytes.get(index) {
        let digits = match byte {
            b'%' => url.get(index + 1..index + 3),
            _ => None,
        };
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(decoded) => {
                out.push(decoded);
                index += 3;
            }
            None => {
                out.push(*byte);
                index += 1;
            }
        }
    }
    String::from_utf8(out).ok()
}
