//! Documentation that stands beside changed code, or above it inside its project, and names what changed lines name.
//!
//! Must not know: whether it is still true.

use std::collections::{BTreeMap, BTreeSet};

use cortex_look::{QueryError, mentioned::OtherTexts};
use cortex_model::RepoPath;
use cortex_syntax::text::CodeTokenKind;
use cortex_wire::{DiffContext, NamedLine, NearbyDocumentation};

use super::{
    left_names::{self, is_documentation},
    left_values::has_whole,
};
use crate::{diff_context::compared::Compared, reading::ChangedLines};

/// Of more changed files, what documentation names says little of each.
const MAX_FILES: usize = 60;

/// A shorter name, or one of one word, may be a word of any text.
const MIN_LETTERS: usize = 8;

/// So many names are looked for, the longest first.
const MAX_NAMES: usize = 200;

/// What code of more files names is what many texts are about.
const MAX_NAMING: usize = 24;

/// So many files are told, each with so many lines.
const MAX_TOLD: usize = 3;
const MAX_LINES: usize = 4;

/// Unchanged documentation in the folders of changed product code, and in those above them up to the project's, with its
/// first lines that have a name from a changed line that code of few files names: the nearest first, then by path. O(files of the newer side), and the
/// changed files.
pub(crate) fn nearby_documentation(
    compared: &Compared,
    others: &OtherTexts<'_>,
    answer: &DiffContext,
) -> Result<Vec<NearbyDocumentation>, QueryError> {
    let mut folders: BTreeMap<String, usize> = BTreeMap::new();
    let mut code: Vec<&RepoPath> = Vec::new();
    let generated = answer.files.iter().filter(|it| it.is_generated);
    let generated: BTreeSet<&RepoPath> = generated.map(|it| &it.path).collect();
    let written = compared.files.iter().filter_map(|file| file.new.as_ref());
    for side in written.filter(|it| !generated.contains(&it.path)) {
        let file = compared.new.file(&side.path)?;
        let projects = file.iter().flat_map(|it| &it.projects);
        let product: Vec<&RepoPath> = projects.filter(|it| !compared.is_of_tests(it)).collect();
        for project in &product {
            for (distance, folder) in above(side.path.folder(), project.folder()).enumerate() {
                let known = folders.entry(folder.to_owned()).or_insert(distance);
                *known = distance.min(*known);
            }
        }
        if !product.is_empty() {
            code.push(&side.path);
        }
    }
    let changed: BTreeSet<&RepoPath> = answer.files.iter().map(|it| &it.path).collect();
    let is_asked = |path: &RepoPath| {
        is_documentation(path) && folders.contains_key(path.folder()) && !changed.contains(path)
    };
    if code.len() > MAX_FILES || !others.paths()?.any(is_asked) {
        return Ok(Vec::new());
    }
    let names = names_on_changed_lines(compared, &code);
    let texts: BTreeMap<String, String> = (names.into_iter())
        .map(|name| (name.clone(), name))
        .collect();
    let mut found: BTreeMap<(usize, RepoPath), BTreeMap<u32, String>> = BTreeMap::new();
    let mut rare: BTreeMap<String, bool> = BTreeMap::new();
    for it in others.lines_with(&texts, &is_asked)? {
        if has_whole(&it.line, &it.text) && is_rare(compared, &it.text, &mut rare)? {
            let distance = folders.get(it.path.folder()).copied().unwrap_or_default();
            let lines = found.entry((distance, it.path)).or_default();
            lines.entry(it.number).or_insert(it.text);
        }
    }
    let told = found.into_iter().take(MAX_TOLD);
    Ok(told
        .map(|((_, path), lines)| NearbyDocumentation {
            path,
            n_lines: lines.len(),
            lines: (lines.into_iter().take(MAX_LINES))
                .map(|(line, name)| NamedLine { line, name })
                .collect(),
        })
        .collect())
}

/// Whether a name is that of something which code of few files names, of both sides. `known`: of those that were asked for.
fn is_rare(
    compared: &Compared,
    name: &str,
    known: &mut BTreeMap<String, bool>,
) -> Result<bool, QueryError> {
    if let Some(is_rare) = known.get(name) {
        return Ok(*is_rare);
    }
    let n_old = compared.old.files_mentioning(name)?.len();
    let n_new = compared.new.files_mentioning(name)?.len();
    let is_rare = (1..=MAX_NAMING).contains(&n_old.max(n_new));
    known.insert(name.to_owned(), is_rare);
    Ok(is_rare)
}

/// A folder and those above it, up to the folder of its project, but not the root of the repository.
fn above<'f>(folder: &'f str, project: &'f str) -> impl Iterator<Item = &'f str> {
    let up = |folder: &&'f str| folder.rsplit_once('/').map(|(above, _)| above);
    let all = std::iter::successors(Some(folder), up);
    all.take_while(move |folder| !folder.is_empty() && folder.starts_with(project))
}

/// The names of several words on the lines that came or went, the longest first.
fn names_on_changed_lines(compared: &Compared, files: &[&RepoPath]) -> Vec<String> {
    let mut names: BTreeSet<String> = BTreeSet::new();
    for path in files {
        let old = compared.file_at(path).and_then(|it| it.old.as_ref());
        let sides = [
            ChangedLines::of(compared, path),
            old.and_then(|it| ChangedLines::of_old(compared, &it.path)),
        ];
        for lines in sides.into_iter().flatten() {
            for token in cortex_syntax::text::tokens(lines.text()) {
                let range = token.range.start as usize..token.range.end as usize;
                let is_name = token.kind == CodeTokenKind::Word && range.len() >= MIN_LETTERS;
                if is_name && lines.has(token.range.start) {
                    let name = String::from_utf8_lossy(&lines.text()[range]);
                    if left_names::is_name(&name) {
                        names.insert(name.into_owned());
                    }
                }
            }
        }
    }
    let mut names: Vec<String> = names.into_iter().collect();
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    names.truncate(MAX_NAMES);
    names
}

#[cfg(test)]
mod tests {
    use super::above;

    #[test]
    fn folders_end_at_that_of_the_project() {
        let all = |folder, project| above(folder, project).collect::<Vec<_>>();
        assert_eq!(
            all("src/App/A/B", "src/App"),
            ["src/App/A/B", "src/App/A", "src/App"]
        );
        assert_eq!(all("A/B", ""), ["A/B", "A"]);
        assert!(all("", "").is_empty());
    }
}
