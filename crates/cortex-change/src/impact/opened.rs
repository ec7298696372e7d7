//! Code of tests that opens a changed file which is no code: test data, expected output, configuration.
//!
//! Must not know: what is in the file, which tests run the code.

use std::collections::{BTreeMap, BTreeSet};

use cortex_git::ReadBlob;
use cortex_look::QueryError;
use cortex_model::RepoPath;
use cortex_syntax::text::decode;

use super::{around::Declared, next::Member, string_places::candidates, strings::strings};
use crate::diff_context::{blobs::BlobSource, compared::Compared};

/// Of more changed files, what opens one of them says little.
const MAX_FILES: usize = 60;

/// Formats that have their own answers, that people read, or that build.
const LEFT_OUT: [&str; 14] = [
    "cs",
    "sql",
    "cshtml",
    "razor",
    "md",
    "txt",
    "lock",
    "editorconfig",
    "csproj",
    "props",
    "targets",
    "sln",
    "slnx",
    "yml",
];

/// The members of test code with a string that ends with the name of a changed file: of one below the folder of their own
/// project, or of one that no other changed file is called like. Reads the files of tests that have a word of such names;
/// nothing where no such file changed.
pub(crate) fn opening(
    compared: &Compared,
    source: BlobSource<'_>,
) -> Result<Vec<Member>, QueryError> {
    let sides = compared.files.iter().filter_map(|file| file.new.as_ref());
    let files: Vec<&RepoPath> = sides
        .map(|side| &side.path)
        .filter(|path| !path.extension().is_empty() && !LEFT_OUT.contains(&path.extension()))
        .collect();
    let mut by_name: BTreeMap<&str, Vec<&RepoPath>> = BTreeMap::new();
    for path in &files {
        by_name.entry(path.file_name()).or_default().push(path);
    }
    if files.is_empty() || files.len() > MAX_FILES {
        return Ok(Vec::new());
    }
    let parts: Vec<String> = by_name.keys().map(|&name| name.to_owned()).collect();
    let mut out: BTreeSet<Member> = BTreeSet::new();
    let mut reader = source.open();
    for file in candidates(compared, &parts, |project| compared.is_of_tests(project))? {
        let test = file.projects.iter().find(|it| compared.is_of_tests(it));
        let Some(project) = test else { continue };
        let text = decode(&reader.read_blob(file.blob)?).as_bytes().to_vec();
        let has = |name: &&str| memchr::memmem::find(&text, name.as_bytes()).is_some();
        if !by_name.keys().any(has) {
            continue;
        }
        let folder = project.folder();
        let opened = strings(&text).into_iter().filter(|it| {
            let name = it.said.rsplit(['/', '\\']).next().unwrap_or(&it.said);
            by_name.iter().any(|(&wanted, paths)| {
                let is_named = name == wanted || name.ends_with(&format!(".{wanted}"));
                let is_own = |path: &&RepoPath| path.as_str().starts_with(folder);
                is_named && (paths.len() == 1 || paths.iter().any(is_own))
            })
        });
        let mut opened = opened.peekable();
        if opened.peek().is_none() {
            continue;
        }
        let declared = Declared::of(&compared.new, &file, project)?;
        out.extend(opened.filter_map(|it| {
            let (key, tag) = declared.around(it.start as u32)?;
            Some((key, tag?))
        }));
    }
    Ok(out.into_iter().collect())
}
