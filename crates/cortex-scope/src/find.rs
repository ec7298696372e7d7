//! Files and folders by what people write for them: URLs and paths, and what may be meant where nothing is there.
//!
//! Must not know: atoms, the disk.

use cortex_model::edit_distance;

use crate::universe::{FileId, REPOSITORY, Unavailable, Universe};

/// The file of a URL; otherwise why there is none, with one that may be meant.
pub fn file(universe: &dyn Universe, url: &str) -> Result<FileId, Unavailable> {
    let url = known_url(universe, url);
    let files = universe.files();
    let found = files.binary_search_by(|file| file.url.as_str().cmp(&url));
    found.map(FileId::new).map_err(|_| {
        if let Some(outside) = outside(universe, &url) {
            return Unavailable(outside);
        }
        if is_there(universe, &url) {
            let path = url.strip_prefix(REPOSITORY).unwrap_or(&url);
            return Unavailable(format!("`{url}` is a folder; write `dir({path})`"));
        }
        let near = near(universe, &url);
        Unavailable(format!("there is no file `{url}`{near}"))
    })
}

/// A URL as the universe writes it: absolute ones inside of the repository become relative to it. It is taken as it
/// stands where something is there, else with `%20` as a space and so on.
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
    if is_there(universe, &plain) {
        return plain;
    }
    let decoded = percent_decoded(url).map(|url| inside(&url).unwrap_or(url));
    decoded
        .filter(|url| is_there(universe, url))
        .unwrap_or(plain)
}

/// Whether a file or a folder has a URL.
fn is_there(universe: &dyn Universe, url: &str) -> bool {
    let files = universe.files();
    let below = format!("{}/", url.trim_end_matches('/'));
    let is_it = |it: &str| it == url || it.starts_with(&below);
    let starts_at = |url: &str| files.partition_point(|file| file.url.as_str() < url);
    [url, &below].into_iter().any(|start| {
        let next = files.get(starts_at(start));
        next.is_some_and(|file| is_it(&file.url))
    }) || universe.context().elsewhere.iter().any(|it| is_it(it))
}

/// Why nothing is below a folder, with one that may be meant.
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
    format!("no file is below `{url}`{near}")
}

/// What is said of an absolute URL that is not in the repository.
fn outside(universe: &dyn Universe, url: &str) -> Option<String> {
    if !url.starts_with(FILES) {
        return None;
    }
    Some(match universe.root_url() {
        Some(root) => format!("`{url}` is not in the repository, which is at `{root}`"),
        None => format!(
            "`{url}` is in no work tree, as the repository has none; write the path in the repository"
        ),
    })
}

fn name_of(url: &str) -> &str {
    let url = url.trim_end_matches('/');
    url.rsplit('/').next().unwrap_or(url)
}

/// A file of the same or nearly the same name, the nearest one.
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

/// What absolute URLs start with.
const FILES: &str = "file://";

/// `; did you mean …?`, or nothing.
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

/// `%20` as a space and so on; `None` where nothing is written so or where it is no UTF-8.
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
