//! Item patterns of MSBuild (`*`, `?`, `**`), compiled once and matched against tracked paths.
//!
//! Must not know: items, properties. Matching ignores ASCII case, as MSBuild does.

use std::ops::Range;

use crate::paths::{PathId, PathTable, ROOT};

/// A compiled pattern, relative to the root of the repository.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    /// The folders before the first wildcard, without a trailing `/`.
    prefix: String,
    // Invariant: never empty.
    rest: Vec<Segment>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Segment {
    /// `**`: any number of folders.
    Folders,
    /// Text with `*` and `?` within one name.
    Name(String),
}

/// Whether a text has a wildcard and so is a pattern.
pub(crate) fn has_wildcard(text: &str) -> bool {
    text.contains(['*', '?'])
}

impl Pattern {
    /// Compiles a pattern or a plain path against a folder; `None` where it leaves the repository.
    pub(crate) fn new(folder: &str, text: &str) -> Option<Self> {
        let text = text.replace('\\', "/");
        let (start, rest) = match text.strip_prefix(ROOT) {
            Some(rest) => ("", rest),
            None if text.starts_with('/') => return None,
            None => (folder, text.as_str()),
        };
        let mut fixed: Vec<&str> = start.split('/').filter(|part| !part.is_empty()).collect();
        let mut segments = Vec::new();
        for part in rest.split('/') {
            match part {
                "" | "." => {}
                ".." if segments.is_empty() => {
                    fixed.pop()?;
                }
                ".." => return None,
                "**" if segments.last() == Some(&Segment::Folders) => {}
                "**" => segments.push(Segment::Folders),
                "*.*" => segments.push(Segment::Name("*".to_owned())),
                _ if segments.is_empty() && !has_wildcard(part) => fixed.push(part),
                _ => segments.push(Segment::Name(part.to_ascii_lowercase())),
            }
        }
        if segments.is_empty() {
            segments.push(Segment::Name(fixed.pop()?.to_ascii_lowercase()));
        }
        Some(Self {
            prefix: fixed.join("/"),
            rest: segments,
        })
    }

    /// The files among which all matches lie.
    pub(crate) fn candidates(&self, table: &PathTable<'_>) -> Range<PathId> {
        table.below(&self.prefix)
    }

    /// How many steps of the budget it takes to match one path.
    pub(crate) fn cost(&self) -> usize {
        match self.rest.as_slice() {
            [_] | [Segment::Folders, Segment::Name(_)] => 1,
            segments => 4 * segments.len(),
        }
    }

    /// Whether it matches a path that is relative to the root of the repository.
    pub(crate) fn matches(&self, path: &str) -> bool {
        let rest = if self.prefix.is_empty() {
            path
        } else {
            match path.split_at_checked(self.prefix.len()) {
                Some((prefix, rest))
                    if prefix.eq_ignore_ascii_case(&self.prefix) && rest.starts_with('/') =>
                {
                    &rest[1..]
                }
                _ => return false,
            }
        };
        match self.rest.as_slice() {
            [Segment::Folders] => true,
            [Segment::Folders, Segment::Name(name)] => {
                matches_name(name, rest.rsplit('/').next().unwrap_or(rest))
            }
            [Segment::Name(name)] => !rest.contains('/') && matches_name(name, rest),
            segments => matches_segments(segments, rest),
        }
    }
}

/// Matches folder by folder; a `**` that turns out too short is lengthened by one folder at a time.
/// O(segments × folders): only the last `**` is ever taken back.
fn matches_segments(segments: &[Segment], path: &str) -> bool {
    let (mut at, mut position) = (0, Some(0));
    let mut retry: Option<(usize, usize)> = None;
    loop {
        match (segments.get(at), position) {
            (Some(Segment::Folders), Some(start)) => {
                if at + 1 == segments.len() {
                    return true;
                }
                retry = Some((at, start));
                at += 1;
                continue;
            }
            (Some(Segment::Name(name)), Some(start)) => {
                let end = path[start..].find('/').map(|end| start + end);
                let part = &path[start..end.unwrap_or(path.len())];
                if matches_name(name, part) {
                    at += 1;
                    position = end.map(|end| end + 1);
                    continue;
                }
            }
            (None, None) => return true,
            _ => {}
        }
        let Some((folders, start)) = retry else {
            return false;
        };
        let Some(skipped) = path[start..].find('/') else {
            return false;
        };
        let next = start + skipped + 1;
        retry = Some((folders, next));
        at = folders + 1;
        position = Some(next);
    }
}

/// Matches one name against `*` and `?`. O(pattern × name) at worst.
fn matches_name(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.as_bytes(), name.as_bytes());
    if let Some(suffix) = pattern.strip_prefix(b"*")
        && !suffix.contains(&b'*')
        && !suffix.contains(&b'?')
    {
        return name.len() >= suffix.len()
            && name[name.len() - suffix.len()..].eq_ignore_ascii_case(suffix);
    }
    let (mut p, mut n) = (0, 0);
    let mut retry = None;
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                retry = Some((p, n));
                p += 1;
            }
            Some(b'?') => {
                p += 1;
                n += 1;
            }
            Some(byte) if *byte == name[n].to_ascii_lowercase() => {
                p += 1;
                n += 1;
            }
            _ => {
                let Some((star, start)) = retry else {
                    return false;
                };
                retry = Some((star, start + 1));
                p = star + 1;
                n = start + 1;
            }
        }
    }
    pattern[p..].iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    #[track_caller]
    fn check_matches(folder: &str, pattern: &str, path: &str, expected: bool) {
        let compiled = Pattern::new(folder, pattern).expect("inside");
        assert_eq!(compiled.matches(path), expected, "{pattern} on {path}");
    }

    #[test]
    fn two_stars_span_any_number_of_folders_and_one_star_none() {
        check_matches("a", "**/*.cs", "a/x.cs", true);
        check_matches("a", "**/*.cs", "a/b/c/x.cs", true);
        check_matches("a", "*.cs", "a/b/x.cs", false);
        check_matches("a", r"..\s\**\Shared*.cs", "s/t/SharedX.cs", true);
        check_matches("a", "bin/**", "a/bin/x/y.cs", true);
        check_matches("a", "bin/**", "a/bind/y.cs", false);
        check_matches("a", "**/.*/**", "a/b/.git/x.cs", true);
        check_matches("a", "**/.*/**", "a/b/x.cs", false);
        check_matches("a", "**/b/**/x.cs", "a/c/b/x.cs", true);
        check_matches("a", "**/b/*/x.cs", "a/b/b/c/x.cs", true);
        check_matches("a", "**/b/*/x.cs", "a/b/x.cs", false);
    }

    #[test]
    fn a_name_matches_question_marks_stars_and_any_case() {
        check_matches("", "A?c*.CS", "abcd.cs", true);
        check_matches("", "a*b*c", "aXbYbZc", true);
        check_matches("", "a*b*c", "aXbYbZ", false);
        check_matches("", "*.*", "LICENSE", true);
        check_matches("x", "y.cs", "x/Y.cs", true);
    }

    #[test]
    fn a_pattern_that_leaves_the_repository_is_none() {
        assert!(Pattern::new("a", r"..\..\x\*.cs").is_none());
        assert!(Pattern::new("a", "/usr/*.cs").is_none());
        assert!(Pattern::new("a", "**/../*.cs").is_none());
    }

    #[test]
    fn many_stars_stay_cheap() {
        let pattern = Pattern::new("", &"**/a*".repeat(200)).expect("inside");
        assert!(!pattern.matches(&"a/".repeat(5_000)));
    }
}
