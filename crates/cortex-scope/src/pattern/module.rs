//! The part of a pattern between `[` and `]`: modules, solution folders or packages.

use super::body::Matcher;

/// `[M]`, `[group:G]` or `[group:G:M]`; a module that matches either part matches.
#[derive(Clone, Debug)]
pub struct ModulePattern {
    /// As written, without the brackets.
    text: String,
    name: Option<Matcher>,
    group: Option<Matcher>,
}

impl PartialEq for ModulePattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for ModulePattern {}

impl ModulePattern {
    /// Compiles the text; `None` where it is too large.
    pub(super) fn new(text: String) -> Option<Self> {
        let (group, name) = match text.strip_prefix("group:") {
            None => (None, Some(text.as_str())),
            Some(rest) => match rest.split_once(':') {
                None => (Some(rest), None),
                Some((group, name)) => (Some(group), (!name.is_empty()).then_some(name)),
            },
        };
        let compile = |part: Option<&str>| match part {
            None => Some(None),
            Some(part) => wildcard(part).map(Some),
        };
        let (name, group) = (compile(name)?, compile(group)?);
        Some(Self { text, name, group })
    }

    /// As written, without the brackets.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether a module with one of these names, in these solution folders, matches.
    pub fn matches_module(&self, names: &[&str], groups: &[String]) -> bool {
        let is = |pattern: &Option<Matcher>, name: &str| {
            pattern.as_ref().is_some_and(|it| it.is_match(name))
        };
        names.iter().any(|name| is(&self.name, name))
            || groups.iter().any(|group| is(&self.group, group))
    }

    /// Whether a package matches; packages are in no solution folder, so the group part does not apply.
    pub fn matches_package(&self, id: &str) -> bool {
        self.name.as_ref().is_none_or(|name| name.is_match(id))
    }
}

/// `*` matches any characters, everything else matches literally.
fn wildcard(text: &str) -> Option<Matcher> {
    let parts: Vec<String> = text.split('*').map(regex::escape).collect();
    Matcher::new(&parts.join(".*"))
}
