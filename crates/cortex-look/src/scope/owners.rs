//! Who owns which files: `CODEOWNERS`, by the rules of its documentation at GitHub; sections of GitLab's form are
//! passed over.
//!
//! Owns: how its patterns match, and what matching may cost. A file may have hundreds of thousands of rules, so that
//! no pattern is compiled unless it has a class or an alternative, each is compared only with the files that its
//! literal parts allow, and the comparisons are counted.

use std::collections::{BTreeSet, HashMap, HashSet};

use globset::{GlobBuilder, GlobMatcher};

/// Where such a file may be; the first that is there counts.
pub(crate) const PLACES: [&str; 4] = [
    ".github/CODEOWNERS",
    "CODEOWNERS",
    "docs/CODEOWNERS",
    ".gitlab/CODEOWNERS",
];

/// A larger file is not read; neither does GitHub.
pub(crate) const MAX_BYTES: u64 = 3 << 20;

/// So many comparisons of one rule with one file are made for one question: some seconds of work.
const MAX_COMPARISONS: usize = 20_000_000;

/// What compiling a pattern costs, in comparisons.
const COMPILATION: usize = 2_000;

/// The rules ask for more comparisons than one question may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooCostly {
    /// How many rules there are.
    pub n_rules: usize,
}

/// The rules of a file, in its order.
pub(crate) struct CodeOwners<'t> {
    rules: Vec<Rule<'t>>,
}

struct Rule<'t> {
    pattern: String,
    owners: &'t str,
}

impl<'t> Rule<'t> {
    fn owners(&self) -> impl Iterator<Item = &'t str> {
        let words = self.owners.split_whitespace();
        words.take_while(|word| !word.starts_with('#'))
    }
}

impl<'t> CodeOwners<'t> {
    /// Reads a file; lines that are no rules are passed over, as GitHub does.
    pub(crate) fn parse(text: &'t str) -> Self {
        Self {
            rules: text.lines().filter_map(rule).collect(),
        }
    }

    /// Everybody who is named, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let names: BTreeSet<&str> = self.rules.iter().flat_map(Rule::owners).collect();
        names.into_iter().map(str::to_owned).collect()
    }

    /// Whether somebody owns each of some paths: the last rule that matches a path decides.
    ///
    /// # Errors
    /// [`TooCostly`].
    pub(crate) fn owned(&self, owner: &str, paths: &[&str]) -> Result<Vec<bool>, TooCostly> {
        self.owned_within(owner, paths, MAX_COMPARISONS)
    }

    fn owned_within(
        &self,
        owner: &str,
        paths: &[&str],
        max_comparisons: usize,
    ) -> Result<Vec<bool>, TooCostly> {
        let files = Files::new(paths);
        let mut decisions: Vec<Option<bool>> = vec![None; paths.len()];
        let mut n_undecided = paths.len();
        let mut seen = HashSet::new();
        let mut n_left = max_comparisons;
        for rule in self.rules.iter().rev() {
            if n_undecided == 0 {
                break;
            }
            // What an earlier rule with the same pattern matches is decided.
            if !seen.insert(rule.pattern.as_str()) {
                continue;
            }
            let Some(pattern) = Pattern::new(&rule.pattern) else {
                continue;
            };
            let candidates = files.candidates(&pattern);
            let cost = candidates.len() + usize::from(pattern.is_compiled()) * COMPILATION;
            n_left = n_left.checked_sub(cost.max(1)).ok_or(TooCostly {
                n_rules: self.rules.len(),
            })?;
            let undecided: Vec<usize> = (candidates.iter().copied())
                .filter(|&file| decisions[file].is_none())
                .collect();
            if undecided.is_empty() {
                continue;
            }
            let is_theirs = rule.owners().any(|name| name == owner);
            for file in pattern.matching(undecided, &files) {
                decisions[file] = Some(is_theirs);
                n_undecided -= 1;
            }
        }
        Ok(decisions
            .into_iter()
            .map(|decision| decision == Some(true))
            .collect())
    }
}

fn rule(line: &str) -> Option<Rule<'_>> {
    let line = line.trim();
    if line.is_empty() || line.starts_with(['#', '[', '^']) {
        return None;
    }
    let (pattern, owners) = split(line);
    Some(Rule { pattern, owners })
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

/// Files by what patterns can say of them.
struct Files<'p> {
    /// The parts of each path.
    parts: Vec<Vec<&'p str>>,
    paths: &'p [&'p str],
    /// All of them, in the order of their paths.
    sorted: Vec<usize>,
    /// Those that have a part.
    with_part: HashMap<&'p str, Vec<usize>>,
}

impl<'p> Files<'p> {
    fn new(paths: &'p [&'p str]) -> Self {
        let parts: Vec<Vec<&str>> = paths.iter().map(|path| path.split('/').collect()).collect();
        let mut sorted: Vec<usize> = (0..paths.len()).collect();
        sorted.sort_by_key(|&file| paths[file]);
        let mut with_part: HashMap<&str, Vec<usize>> = HashMap::new();
        for (file, parts) in parts.iter().enumerate() {
            for part in parts {
                let files = with_part.entry(part).or_default();
                if files.last() != Some(&file) {
                    files.push(file);
                }
            }
        }
        Self {
            parts,
            paths,
            sorted,
            with_part,
        }
    }

    /// The files that a pattern may match, by its literal parts.
    fn candidates(&self, pattern: &Pattern<'_>) -> &[usize] {
        let is_literal = |part: &&&str| !part.contains(['*', '?', '[', '{']);
        match &pattern.parts[..] {
            ["**", part, ..] if is_literal(&part) => {
                self.with_part.get::<str>(part).map_or(&[], Vec::as_slice)
            }
            parts => {
                let literal: Vec<&str> = parts.iter().take_while(is_literal).copied().collect();
                let prefix = literal.join("/");
                let is_before = |file: &usize| self.paths[*file] < prefix.as_str();
                let start = self.sorted.partition_point(is_before);
                let rest = &self.sorted[start..];
                let has_prefix = |file: &usize| self.paths[*file].starts_with(&prefix);
                &rest[..rest.partition_point(has_prefix)]
            }
        }
    }
}

/// What one pattern matches: a file, all in a folder, or both.
struct Pattern<'t> {
    /// The parts of the whole path; `**` is any number of them.
    parts: Vec<&'t str>,
    /// The path itself.
    takes_file: bool,
    /// What is below it.
    takes_content: bool,
}

impl<'t> Pattern<'t> {
    fn new(pattern: &'t str) -> Option<Self> {
        let is_folder = pattern.ends_with('/');
        let bare = pattern.trim_matches('/');
        if bare.is_empty() {
            return Some(Self {
                parts: vec!["**", "*"],
                takes_file: true,
                takes_content: false,
            });
        }
        // A slash that is not at the end ties a pattern to the root.
        let is_anchored = pattern.trim_end_matches('/').contains('/');
        let mut parts: Vec<&str> = Vec::new();
        if !is_anchored {
            parts.push("**");
        }
        parts.extend(bare.split('/'));
        if parts.last() == Some(&"**") {
            parts.push("*");
        }
        // Two in a row say nothing more than one.
        parts.dedup_by(|next, part| *next == "**" && *part == "**");
        // `docs/*` are the files of that folder alone.
        let is_files_alone = is_anchored && !is_folder && bare.ends_with("/*");
        let is_possible = parts.iter().all(|part| !part.is_empty());
        is_possible.then_some(Self {
            parts,
            takes_file: !is_folder,
            takes_content: !is_files_alone,
        })
    }

    /// Whether it has what only a compiled pattern matches.
    fn is_compiled(&self) -> bool {
        self.parts.iter().any(|part| part.contains(['[', '{']))
    }

    /// Those of some files that it matches.
    fn matching(&self, mut candidates: Vec<usize>, files: &Files<'_>) -> Vec<usize> {
        if self.is_compiled() {
            let globs = self.compiled();
            candidates.retain(|&file| globs.iter().any(|glob| glob.is_match(files.paths[file])));
            return candidates;
        }
        let below = [&self.parts[..], &["**", "*"]].concat();
        candidates.retain(|&file| {
            let path = &files.parts[file];
            self.takes_file && matches_parts(&self.parts, path)
                || self.takes_content && matches_parts(&below, path)
        });
        candidates
    }

    fn compiled(&self) -> Vec<GlobMatcher> {
        let whole = self.parts.join("/");
        let below = format!("{whole}/**");
        let file = self.takes_file.then_some(whole);
        let content = self.takes_content.then_some(below);
        let globs = file.into_iter().chain(content);
        globs.filter_map(|pattern| glob(&pattern)).collect()
    }
}

/// Whether the parts of a pattern match those of a path, in time of their product.
fn matches_parts(pattern: &[&str], path: &[&str]) -> bool {
    let is_any = |part: &&str| *part == "**";
    matches_sequence(pattern, path, is_any, |part, name| matches_name(part, name))
}

/// Whether a part with `*` and `?` matches a name.
fn matches_name(part: &str, name: &str) -> bool {
    if !part.contains(['*', '?']) {
        return part == name;
    }
    if part.is_ascii() && name.is_ascii() {
        let is_any = |&c: &u8| c == b'*';
        let is_match = |&p: &u8, &c: &u8| p == b'?' || p == c;
        return matches_sequence(part.as_bytes(), name.as_bytes(), is_any, is_match);
    }
    let part: Vec<char> = part.chars().collect();
    let name: Vec<char> = name.chars().collect();
    matches_sequence(&part, &name, |&c| c == '*', |&p, &c| p == '?' || p == c)
}

/// Matches a sequence with wildcards for any number of items: it is enough to go back to the last of these.
fn matches_sequence<P, T>(
    pattern: &[P],
    items: &[T],
    is_any: impl Fn(&P) -> bool,
    is_match: impl Fn(&P, &T) -> bool,
) -> bool {
    let (mut at, mut item) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    while item < items.len() {
        match pattern.get(at) {
            Some(part) if is_any(part) => {
                at += 1;
                back = Some((at, item));
            }
            Some(part) if is_match(part, &items[item]) => {
                at += 1;
                item += 1;
            }
            _ => match &mut back {
                Some((after, from)) => {
                    *from += 1;
                    (at, item) = (*after, *from);
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(is_any)
}

fn glob(pattern: &str) -> Option<GlobMatcher> {
    let glob = GlobBuilder::new(pattern).literal_separator(true).build();
    glob.ok().map(|glob| glob.compile_matcher())
}

#[cfg(test)]
mod tests {
    use super::{CodeOwners, TooCostly, glob};

    fn own(text: &str, owner: &str, path: &str) -> bool {
        let owned = CodeOwners::parse(text).owned(owner, &[path]);
        owned.expect("a few rules cost little")[0]
    }

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
            let text = format!("{pattern} @me # why");
            for path in yes {
                assert!(own(&text, "@me", path), "{pattern} on {path}");
            }
            for path in no {
                assert!(!own(&text, "@me", path), "{pattern} on {path}");
            }
        }
    }

    #[test]
    fn the_last_rule_that_matches_decides() {
        let text =
            "# everything\n* @all @more\n[Section]\n/src/ @src\n/src/free\n/with\\ space/ @space\n";
        assert_eq!(
            CodeOwners::parse(text).names(),
            ["@all", "@more", "@space", "@src"]
        );
        assert!(own(text, "@more", "README.md"));
        assert!(own(text, "@src", "src/a") && !own(text, "@all", "src/a"));
        assert!(!own(text, "@src", "src/free") && !own(text, "@all", "src/free"));
        assert!(own(text, "@space", "with space/a"));
    }

    /// Parts without classes are matched without globset, and as by globset.
    #[test]
    fn parts_match_as_globs_do() {
        let parts = ["a", "b", "*", "?", "**", "a*", "*b", "a*b", "?b*"];
        let names = ["a", "b", "ab", "aab", "ba"];
        let mut n_matches = 0;
        for pattern in (0..parts.len().pow(3)).map(|n| {
            let each = [n % 9, n / 9 % 9, n / 81];
            each.map(|at| parts[at]).join("/")
        }) {
            let globs = ["{}", "{}/**"].map(|form| glob(&form.replace("{}", &pattern)));
            let globs = globs.map(|glob| glob.expect("the pattern is a glob"));
            let text = format!("/{pattern} @me");
            for n in 0..names.len().pow(3) {
                let each = [n % 5, n / 5 % 5, n / 25].map(|at| names[at]);
                for path in [each.join("/"), each[..2].join("/"), each[0].to_owned()] {
                    let is_files_alone = pattern.ends_with("/*");
                    let expected =
                        globs[0].is_match(&path) || !is_files_alone && globs[1].is_match(&path);
                    assert_eq!(own(&text, "@me", &path), expected, "{pattern} on {path}");
                    n_matches += usize::from(expected);
                }
            }
        }
        assert!(n_matches > 1_000, "{n_matches}");
    }

    #[test]
    fn rules_without_end_cost_what_they_allow_or_are_refused() {
        let paths: Vec<String> = (0..2_000)
            .map(|n| format!("src/dir{n}/file{n}.cs"))
            .collect();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let literal: String = (0..60_000)
            .map(|n| format!("/src/dir{n}/**/file*.cs @team{n}\n"))
            .collect();
        let owned = CodeOwners::parse(&literal).owned_within("@team7", &paths, 100_000);
        let owned = owned.expect("literal parts keep the comparisons few");
        assert_eq!(owned.iter().filter(|&&it| it).count(), 1);
        let stars: String = (0..60_000).map(|n| format!("*x{n}* @team\n")).collect();
        let refused = CodeOwners::parse(&stars).owned_within("@team", &paths, 100_000);
        assert_eq!(refused, Err(TooCostly { n_rules: 60_000 }));
    }
}
