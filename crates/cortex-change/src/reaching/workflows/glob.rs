//! Patterns of paths as GitHub's workflows write them: `*` and `?` within a folder, `**` over all, `[…]`, `+`.

/// A pattern, without a `!` before it.
pub(super) struct Glob {
    /// What every path begins with that it matches.
    start: String,
    parts: Vec<Part>,
}

/// A part of a pattern.
enum Part {
    /// One character of some, so often.
    One(Set, Times),
    /// `*`.
    InFolder,
    /// `**`.
    All,
    /// `**/`: all, or folders up to a slash, or nothing.
    Folders,
}

/// Some characters.
enum Set {
    One(char),
    /// Ranges, both ends included.
    Ranges(Vec<(char, char)>),
}

/// How often a character stands there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Times {
    Once,
    /// `?` behind it.
    AtMostOnce,
    /// `+` behind it.
    AtLeastOnce,
}

impl Glob {
    /// O(characters).
    pub(super) fn new(pattern: &str) -> Self {
        let mut parts = Vec::new();
        let mut rest = pattern;
        while let Some(first) = rest.chars().next() {
            let is_start =
                parts.is_empty() || matches!(parts.last(), Some(Part::One(Set::One('/'), _)));
            let (part, n_bytes) = match first {
                '*' if is_start && rest.starts_with("**/") => (Part::Folders, 3),
                '*' if rest.starts_with("**") => (Part::All, 2),
                '*' => (Part::InFolder, 1),
                '[' if rest.contains(']') => {
                    let end = rest.find(']').unwrap_or_default();
                    one(Set::Ranges(ranges(&rest[1..end])), rest, end + 1)
                }
                '\\' if rest.len() > 1 => {
                    let escaped = rest[1..].chars().next().unwrap_or('\\');
                    one(Set::One(escaped), rest, 1 + escaped.len_utf8())
                }
                c => one(Set::One(c), rest, c.len_utf8()),
            };
            parts.push(part);
            rest = &rest[n_bytes..];
        }
        let plain = parts.iter().map_while(|part| match part {
            Part::One(Set::One(c), Times::Once) => Some(*c),
            _ => None,
        });
        Self {
            start: plain.collect(),
            parts,
        }
    }

    /// Whether it matches a whole path. O(parts · characters).
    pub(super) fn matches(&self, path: &str) -> bool {
        if !path.starts_with(&self.start) {
            return false;
        }
        let text: Vec<char> = path.chars().collect();
        // How many characters the parts until here may have taken.
        let mut at = vec![false; text.len() + 1];
        at[0] = true;
        for part in &self.parts {
            at = after(part, &at, &text);
        }
        at[text.len()]
    }
}

/// A character with how often it stands there, and how many bytes that takes.
fn one(set: Set, rest: &str, n_bytes: usize) -> (Part, usize) {
    let (times, n_times) = match rest[n_bytes..].chars().next() {
        Some('?') => (Times::AtMostOnce, 1),
        Some('+') => (Times::AtLeastOnce, 1),
        _ => (Times::Once, 0),
    };
    (Part::One(set, times), n_bytes + n_times)
}

fn ranges(inner: &str) -> Vec<(char, char)> {
    let all: Vec<char> = inner.chars().collect();
    let mut out = Vec::new();
    let mut at = 0;
    while at < all.len() {
        match all.get(at + 1..at + 3) {
            Some(['-', end]) => {
                out.push((all[at], *end));
                at += 3;
            }
            _ => {
                out.push((all[at], all[at]));
                at += 1;
            }
        }
    }
    out
}

/// Where a part may end that begins at some places.
fn after(part: &Part, before: &[bool], text: &[char]) -> Vec<bool> {
    let mut out = vec![false; before.len()];
    match part {
        Part::One(set, times) => {
            for at in 0..text.len() {
                let goes_on = before[at] || *times == Times::AtLeastOnce && out[at];
                out[at + 1] |= goes_on && set.has(text[at]);
            }
            if *times == Times::AtMostOnce {
                out.iter_mut()
                    .zip(before)
                    .for_each(|(out, before)| *out |= before);
            }
        }
        Part::InFolder => {
            for at in 0..before.len() {
                out[at] = before[at] || at > 0 && out[at - 1] && text[at - 1] != '/';
            }
        }
        Part::All => {
            for at in 0..before.len() {
                out[at] = before[at] || at > 0 && out[at - 1];
            }
        }
        Part::Folders => {
            let mut is_behind = false;
            for at in 0..before.len() {
                out[at] = before[at] || is_behind && at > 0 && text[at - 1] == '/';
                is_behind |= before[at];
            }
        }
    }
    out
}

impl Set {
    fn has(&self, c: char) -> bool {
        match self {
            Self::One(one) => *one == c,
            Self::Ranges(all) => all.iter().any(|(start, end)| (*start..=*end).contains(&c)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Glob;

    /// The examples of GitHub's "Workflow syntax", among others.
    #[test]
    fn patterns_match_as_github_says() {
        let cases: [(&str, &[&str], &[&str]); 12] = [
            ("*", &["README.md"], &["docs/a.md"]),
            ("*.jsx?", &["page.js", "page.jsx"], &["a/page.js"]),
            ("**", &["all/the/files.md"], &[]),
            ("docs/*", &["docs/README.md"], &["docs/a/b.md"]),
            ("docs/**", &["docs/README.md", "docs/a/b.md"], &["doc/a"]),
            (
                "docs/**/*.md",
                &["docs/README.md", "docs/a/b.md"],
                &["docs/a"],
            ),
            (
                "**/docs/**",
                &["docs/hello.md", "dir/docs/a/b"],
                &["adocs/b"],
            ),
            (
                "**/README.md",
                &["README.md", "js/README.md"],
                &["aREADME.md"],
            ),
            ("**/*src/**", &["a/src/app.js", "my-src/a"], &["a/src2/b"]),
            ("**.js", &["index.js", "src/js/app.js"], &["a.jsx"]),
            ("v[0-9]+.x", &["v1.x", "v12.x"], &["v.x", "va.x"]),
            (
                "src/**/Entities/**/*.cs",
                &["src/Entities/A.cs", "src/a/Entities/b/A.cs"],
                &["src/A.cs"],
            ),
        ];
        for (pattern, matching, others) in cases {
            let glob = Glob::new(pattern);
            for path in matching {
                assert!(glob.matches(path), "{pattern} {path}");
            }
            for path in others {
                assert!(!glob.matches(path), "{pattern} {path}");
            }
        }
    }
}
