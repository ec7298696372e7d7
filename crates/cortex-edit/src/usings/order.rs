//! The order of using directives, and which of a run are written.
//!
//! Source: Roslyn, `UsingsAndExternAliasesDirectiveComparer`; the option `dotnet_sort_system_directives_first`.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

use cortex_look::viewpoint::Viewpoint;
use cortex_model::{ByteRange, RepoPath};

use super::{Directive, Import, Run, needed::Needed};
use crate::{
    EditError,
    plan::find_file,
    text_edit::{StartIs, TextEdit},
};

/// How directives are ordered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Order {
    /// Whether namespaces of `System` come before the others.
    pub(super) system_first: bool,
}

impl Order {
    /// That of the configuration; where it says nothing, the one that the file has.
    pub(super) fn of(configured: Option<bool>, runs: &[Run]) -> Self {
        let system_first = configured.unwrap_or_else(|| {
            let apart = Self {
                system_first: false,
            };
            let first = Self { system_first: true };
            let is_sorted = |order: Self| {
                let mut runs = runs.iter().map(|run| &run.directives);
                runs.all(|all| all.is_sorted_by(|a, b| order.compare(&a.import, &b.import).is_le()))
            };
            is_sorted(first) || !is_sorted(apart)
        });
        Self { system_first }
    }

    /// Which of two comes first.
    pub(super) fn compare(self, a: &Import, b: &Import) -> Ordering {
        let rank = |import: &Import| match import {
            Import::Namespace(_) => 0,
            Import::Static(_) => 1,
            Import::Alias { .. } => 2,
        };
        let name = |import: &Import| -> String {
            match import {
                Import::Namespace(name) | Import::Static(name) => name.clone(),
                Import::Alias { name, .. } => name.clone(),
            }
        };
        let (a_name, b_name) = (name(a), name(b));
        (rank(a).cmp(&rank(b))).then_with(|| self.compare_names(&a_name, &b_name))
    }

    fn compare_names(self, a: &str, b: &str) -> Ordering {
        let is_system = |name: &str| name == "System" || name.starts_with("System.");
        if self.system_first && is_system(a) != is_system(b) {
            return is_system(b).cmp(&is_system(a));
        }
        let parts = |name: &str| -> Vec<String> {
            let parts = name.split('.').map(|part| part.trim_start_matches('@'));
            parts.map(str::to_lowercase).collect()
        };
        parts(a).cmp(&parts(b)).then_with(|| a.cmp(b))
    }
}

/// The edits that put a run in order and take out what is not needed. `seen`: what was imported before, for the whole
/// file.
pub(super) fn organized(
    text: &str,
    run: &Run,
    needed: &Needed,
    order: Option<Order>,
    seen: &mut BTreeSet<(Option<u32>, Import)>,
) -> Vec<TextEdit> {
    let mut kept: Vec<&Directive> = Vec::new();
    for directive in &run.directives {
        let is_first =
            directive.is_conditional || seen.insert((run.scope, directive.import.clone()));
        let removes = !matches!(needed, Needed::All(_)) && !directive.is_conditional;
        if !removes || is_first && needed.has(&directive.import, run) {
            kept.push(directive);
        }
    }
    let mut sorted = kept.clone();
    let is_conditional = run.directives.iter().any(|it| it.is_conditional);
    if let Some(order) = order.filter(|_| !is_conditional) {
        sorted.sort_by(|a, b| order.compare(&a.import, &b.import));
    }
    if kept == sorted {
        return removed(text, run, &kept);
    }
    let mut edits = Vec::new();
    for (place, directive) in run.directives.iter().zip(&sorted) {
        if place.range != directive.range {
            edits.push(TextEdit {
                range: place.range,
                text: text[directive.range.as_usize()].to_owned(),
                start: StartIs::New,
            });
        }
    }
    for place in &run.directives[sorted.len()..] {
        edits.push(removal(place.line));
    }
    edits
}

/// The edits that take out directives of a run, and an empty line that would be one too many.
fn removed(text: &str, run: &Run, kept: &[&Directive]) -> Vec<TextEdit> {
    let (Some(first), Some(last)) = (run.directives.first(), run.directives.last()) else {
        return Vec::new();
    };
    if !kept.is_empty() {
        let gone = run.directives.iter().filter(|it| !kept.contains(it));
        return gone.map(|it| removal(it.line)).collect();
    }
    let before = text[..first.line.start as usize].trim_start_matches('\u{feff}');
    let is_apart = before.is_empty()
        || before.trim_end_matches([' ', '\t', '\r']).ends_with("\n\n")
        || before.ends_with("\r\n\r\n")
        || before.trim_end().ends_with('{');
    let rest = &text[last.line.end as usize..];
    let blank = rest
        .split_inclusive('\n')
        .take_while(|line| line.trim().is_empty());
    let n_blank: usize = match is_apart {
        true => blank.map(str::len).sum(),
        false => 0,
    };
    let end = last.line.end as usize + n_blank;
    vec![removal(ByteRange {
        start: first.line.start,
        end: end as u32,
    })]
}

fn removal(range: ByteRange) -> TextEdit {
    TextEdit {
        range,
        text: String::new(),
        start: StartIs::New,
    }
}

/// What `.editorconfig` files say, by folder.
#[derive(Default)]
pub(super) struct Configs {
    by_folder: BTreeMap<String, (Option<bool>, bool)>,
}

impl Configs {
    /// Whether `System` comes first in a file, where its configuration says so: the nearest one does.
    pub(super) fn of(
        &mut self,
        view: &Viewpoint<'_>,
        path: &RepoPath,
    ) -> Result<Option<bool>, EditError> {
        let mut folder = path.folder().trim_end_matches('/').to_owned();
        loop {
            let (value, is_root) = match self.by_folder.get(&folder) {
                Some(known) => *known,
                None => {
                    let read = read_config(view, &folder)?;
                    self.by_folder.insert(folder.clone(), read);
                    read
                }
            };
            if value.is_some() || is_root || folder.is_empty() {
                return Ok(value);
            }
            folder = folder
                .rfind('/')
                .map_or(String::new(), |at| folder[..at].to_owned());
        }
    }
}

/// What the `.editorconfig` of a folder says, and whether it is the last one.
fn read_config(view: &Viewpoint<'_>, folder: &str) -> Result<(Option<bool>, bool), EditError> {
    let path = match folder {
        "" => ".editorconfig".to_owned(),
        folder => format!("{folder}/.editorconfig"),
    };
    let file = find_file(view.index, view.side, &RepoPath::from(path.as_str()))?;
    let Some(file) = file.filter(|file| file.mode.is_file()) else {
        return Ok((None, false));
    };
    let bytes = view.blobs().read_blob(file.blob)?;
    Ok(config(cortex_syntax::text::decode(&bytes).as_str()))
}

fn config(text: &str) -> (Option<bool>, bool) {
    let mut value = None;
    let mut is_root = false;
    // Before the first section, it is about no file.
    let mut section: Option<bool> = None;
    for line in text.lines() {
        let line = line
            .trim()
            .trim_start_matches('\u{feff}')
            .to_ascii_lowercase();
        if let Some(glob) = line.strip_prefix('[') {
            let glob = glob.trim_end_matches(']');
            let is_of_csharp = glob == "*"
                || glob == "*.cs"
                || glob == "**.cs"
                || glob.strip_prefix("*.{").is_some_and(|it| {
                    it.trim_end_matches('}')
                        .split(',')
                        .any(|it| it.trim() == "cs")
                });
            section = Some(is_of_csharp);
            continue;
        }
        let Some((key, set)) = line.split_once('=') else {
            continue;
        };
        let set = set.split(['#', ';']).next().unwrap_or(set).trim();
        let set = set.split(':').next().unwrap_or(set).trim();
        match (key.trim(), section) {
            ("root", None) => is_root = set == "true",
            ("dotnet_sort_system_directives_first", Some(true)) => value = Some(set == "true"),
            _ => {}
        }
    }
    (value, is_root)
}

#[cfg(test)]
mod tests {
    use super::{Import, Order, config};

    #[test]
    fn namespaces_come_before_static_ones_and_aliases_and_system_first_where_it_does() {
        let mut all: Vec<Import> = [
            "b",
            "A = x.Y",
            "static System.Math",
            "System.Text",
            "a.B",
            "A",
            "System",
        ]
        .map(Import::read)
        .into();
        let names = |all: &[Import]| -> Vec<String> {
            let name = |it: &Import| match it {
                Import::Namespace(name) | Import::Static(name) | Import::Alias { name, .. } => {
                    name.clone()
                }
            };
            all.iter().map(name).collect()
        };
        let first = Order { system_first: true };
        all.sort_by(|a, b| first.compare(a, b));
        assert_eq!(
            names(&all),
            ["System", "System.Text", "A", "a.B", "b", "System.Math", "A"]
        );
        let apart = Order {
            system_first: false,
        };
        all.sort_by(|a, b| apart.compare(a, b));
        assert_eq!(
            names(&all),
            ["A", "a.B", "b", "System", "System.Text", "System.Math", "A"]
        );
    }

    #[test]
    fn the_configuration_is_that_of_csharp() {
        let text = "root = true\n[*.vb]\ndotnet_sort_system_directives_first = true\n\
                    [*.{cs,vb}]\ndotnet_sort_system_directives_first = false:warning # why\n";
        assert_eq!(config(text), (Some(false), true));
        assert_eq!(config("[*.json]\nindent_size = 2\n"), (None, false));
    }
}
