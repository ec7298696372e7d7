//! Who owns which files: `CODEOWNERS`, by the rules of its documentation at GitHub; sections of GitLab's form are
//! passed over.

use std::collections::BTreeSet;

use globset::{GlobBuilder, GlobMatcher};

/// Where such a file may be; the first that is there counts.
pub(crate) const PLACES: [&str; 4] = [
    ".github/CODEOWNERS",
    "CODEOWNERS",
    "docs/CODEOWNERS",
    ".gitlab/CODEOWNERS",
];

/// The rules of a file, in its order.
pub(crate) struct CodeOwners {
    rules: Vec<Rule>,
}

struct Rule {
    globs: Vec<GlobMatcher>,
    owners: Vec<String>,
}

impl CodeOwners {
    /// Reads a file; lines that are no rules are passed over, as GitHub does.
    pub(crate) fn parse(text: &str) -> Self {
        Self {
            rules: text.lines().filter_map(rule).collect(),
        }
    }

    /// Everybody who is named, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let names: BTreeSet<&String> = self.rules.iter().flat_map(|rule| &rule.owners).collect();
        names.into_iter().cloned().collect()
    }

    /// Whether somebody owns a path: the last rule that matches it decides.
    pub(crate) fn own(&self, owner: &str, path: &str) -> bool {
        let matching = |rule: &&Rule| rule.globs.iter().any(|glob| glob.is_match(path));
        let last = self.rules.iter().rev().find(matching);
        last.is_some_and(|rule| rule.owners.iter().any(|name| name == owner))
    }
}

fn rule(line: &str) -> Option<Rule> {
    let line = line.trim();
    if line.is_empty() || line.starts_with(['#', '[', '^']) {
        return None;
    }
    let (pattern, owners) = split(line);
    let globs = globs(&pattern)?;
    let owners = owners
        .split_whitespace()
        .take_while(|word| !word.starts_with('#'))
        .map(str::to_owned);
    Some(Rule {
        globs,
        owners: owners.collect(),
    })
}

/// The pattern, where `\ ` is a space, and the rest of the line.
fn split(line: &str) -> (String, &str) {
    let mut pattern = String::new();
    let mut chars = line.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => pattern.extend(chars.next().map(|(_, escaped)| escaped)),
            c if c.is_whitespace() => return (pattern, &line[at..]),
            c => pattern.push(c),
        }
    }
    (pattern, "")
}

/// The globs over whole paths that a pattern stands for: a file, and all in a folder.
fn globs(pattern: &str) -> Option<Vec<GlobMatcher>> {
    let is_folder = pattern.ends_with('/');
    let bare = pattern.trim_matches('/');
    if bare.is_empty() {
        return Some(vec![glob("**")?]);
    }
    // A slash that is not at the end ties a pattern to the root.
    let is_anchored = pattern.trim_end_matches('/').contains('/');
    let whole = match is_anchored {
        true => bare.to_owned(),
        false => format!("**/{bare}"),
    };
    let mut out = Vec::new();
    if !is_folder {
        out.push(glob(&whole)?);
    }
    // `docs/*` are the files of that folder alone.
    let is_files_alone = is_anchored && !is_folder && bare.ends_with("/*");
    if !is_files_alone {
        out.push(glob(&format!("{whole}/**"))?);
    }
    Some(out)
}

fn glob(pattern: &str) -> Option<GlobMatcher> {
    let glob = GlobBuilder::new(pattern).literal_separator(true).build();
    glob.ok().map(|glob| glob.compile_matcher())
}

#[cfg(test)]
mod tests {
    use super::CodeOwners;

    /// The examples of GitHub's documentation, each alone.
    #[test]
    fn patterns_match_as_documented() {
        for (pattern, yes, no) in [
            ("*", vec!["a", "a/b.cs"], vec![]),
            ("*.js", vec!["a.js", "src/b.js"], vec!["a.ts"]),
            (
                "/build/logs/",
                vec!["build/logs/a", "build/logs/b/c"],
                vec!["x/build/logs/a", "build/logs"],
            ),
            (
                "docs/*",
                vec!["docs/getting-started.md"],
                vec!["docs/build-app/troubleshooting.md", "x/docs/a.md"],
            ),
            ("apps/", vec!["apps/a", "x/apps/b/c"], vec!["apps"]),
            ("/docs/", vec!["docs/a", "docs/b/c"], vec!["x/docs/a"]),
            ("/scripts/", vec!["scripts/a"], vec!["x/scripts/a"]),
            (
                "**/logs",
                vec!["build/logs/a", "logs/b", "deep/down/logs/c"],
                vec!["logs2/a"],
            ),
            (
                "/apps/github",
                vec!["apps/github", "apps/github/a"],
                vec!["apps/githubs"],
            ),
            (
                "src/**/a.cs",
                vec!["src/a.cs", "src/x/y/a.cs"],
                vec!["a.cs"],
            ),
        ] {
            let owners = CodeOwners::parse(&format!("{pattern} @me # why"));
            for path in yes {
                assert!(owners.own("@me", path), "{pattern} on {path}");
            }
            for path in no {
                assert!(!owners.own("@me", path), "{pattern} on {path}");
            }
        }
    }

    #[test]
    fn the_last_rule_that_matches_decides() {
        let owners = CodeOwners::parse(
            "# everything\n* @all @more\n[Section]\n/src/ @src\n/src/free\n/with\\ space/ @space\n",
        );
        assert_eq!(owners.names(), ["@all", "@more", "@space", "@src"]);
        assert!(owners.own("@more", "README.md"));
        assert!(owners.own("@src", "src/a") && !owners.own("@all", "src/a"));
        assert!(!owners.own("@src", "src/free") && !owners.own("@all", "src/free"));
        assert!(owners.own("@space", "with space/a"));
    }
}
