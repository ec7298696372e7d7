//! Files of SQL that did not change: who defines what a script defines anew, and which routines were not given a
//! parameter that a similar one was.
//!
//! Must not know: how changes are told.

use std::collections::BTreeMap;

use cortex_git::{ReadBlob, TreeFile};
use cortex_look::QueryError;
use cortex_model::RepoPath;
use cortex_syntax::text::decode;
use cortex_wire::{DatabaseChange, DatabaseObject, RoutineBehind, What};
use rayon::prelude::*;

use crate::{
    database::{
        Stated,
        definitions::{Definition, Verb, definitions},
        is_sql,
    },
    diff_context::{
        blobs::{BlobSource, Reader},
        compared::Compared,
    },
};

/// A larger file defines more than what it is called like.
const MAX_BYTES: u64 = 1 << 20;

/// A routine must take so many of the parameters of another one to be like it.
const MIN_SHARED: usize = 3;

/// The files of SQL of the newer side's commit that did not change.
#[derive(Clone, Copy)]
pub(crate) struct Files<'a> {
    compared: &'a Compared,
    source: BlobSource<'a>,
}

impl<'a> Files<'a> {
    pub(crate) fn new(compared: &'a Compared, source: BlobSource<'a>) -> Self {
        Self { compared, source }
    }

    /// The definition that a file which is called like an object has of it. `besides`: a changed file, which is not meant.
    pub(super) fn defining(
        &self,
        object: &Definition,
        besides: &RepoPath,
    ) -> Result<Option<Stated>, QueryError> {
        let name = object.name.to_lowercase();
        let files = self.listed()?.get(&name).cloned().unwrap_or_default();
        for file in files.iter().filter(|file| file.path != *besides) {
            let mut all = self.statements(file)?.into_iter();
            let found = all.find(|it| {
                (it.object, it.name.to_lowercase()) == (object.object, name.clone())
                    && it.verb != Verb::Drop
            });
            if let Some(found) = found {
                return Ok(Some((file.path.clone(), found)));
            }
        }
        Ok(None)
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> Result<bool, QueryError> {
        Ok(self.listed()?.is_empty())
    }

    /// The routine or view of a name in lower case, with the file that is called like it and defines it.
    pub(crate) fn routine(&self, name: &str) -> Result<Option<(RepoPath, Definition)>, QueryError> {
        let Some(files) = self.listed()?.get(name).cloned() else {
            return Ok(None);
        };
        for file in files {
            let mut all = self.statements(&file)?.into_iter();
            let is_it = |it: &Definition| {
                is_routine(it.object) && it.verb != Verb::Drop && it.name.to_lowercase() == name
            };
            if let Some(found) = all.find(is_it) {
                return Ok(Some((file.path, found)));
            }
        }
        Ok(None)
    }

    /// Those whose names begin with a text in lower case.
    fn that_begin(&self, start: &str) -> Result<Vec<TreeFile>, QueryError> {
        let files = self.listed()?.range(start.to_owned()..);
        let files = files.take_while(|(name, _)| name.starts_with(start));
        Ok(files.flat_map(|(_, files)| files.clone()).collect())
    }

    /// What files that are called like what they define say of objects whose definitions have one of some words, which are
    /// in lower case: scripts define the same again. O(files of SQL).
    pub(super) fn homes_with(
        &self,
        words: &[&str],
    ) -> Result<Vec<(TreeFile, Definition)>, QueryError> {
        let source = self.source;
        let all: Vec<(&String, &TreeFile)> = (self.listed()?.iter())
            .flat_map(|(stem, files)| files.iter().map(move |file| (stem, file)))
            .collect();
        let read = all.par_iter().map_init(
            || source.open(),
            |reader, (stem, file)| {
                let text = text_of(reader, file)?;
                let lower = text.to_lowercase();
                if !words.iter().any(|word| lower.contains(word)) {
                    return Ok(Vec::new());
                }
                let found = definitions(&text).into_iter();
                let own = found.filter(|it| it.name.to_lowercase() == **stem);
                Ok(own.map(|it| ((*file).clone(), it)).collect())
            },
        );
        let read: Vec<Vec<(TreeFile, Definition)>> = read.collect::<Result<_, QueryError>>()?;
        Ok(read.into_iter().flatten().collect())
    }

    /// All of them, by their stems in lower case.
    fn listed(&self) -> Result<&'a BTreeMap<String, Vec<TreeFile>>, QueryError> {
        self.compared.unchanged_sql(self.source)
    }

    /// What a file states; nothing where its content is not here or it is too large.
    fn statements(&self, file: &TreeFile) -> Result<Vec<Definition>, QueryError> {
        Ok(definitions(&text_of(&mut self.source.open(), file)?))
    }
}

/// The files of SQL of the newer side's commit that did not change, by their stems in lower case. O(files of the tree).
pub(crate) fn unchanged(
    compared: &Compared,
    BlobSource { index, sides }: BlobSource<'_>,
) -> Result<BTreeMap<String, Vec<TreeFile>>, QueryError> {
    let mut listed: BTreeMap<String, Vec<TreeFile>> = BTreeMap::new();
    if let Some(commit) = sides[1].commit {
        for file in index.repo.tree_files(index.repo.commit(commit)?.tree)? {
            if is_sql(&file.path) && compared.file_at(&file.path).is_none() {
                let name = file.path.file_stem().to_lowercase();
                listed.entry(name).or_default().push(file);
            }
        }
    }
    Ok(listed)
}

/// Whether code runs an object by its name.
pub(crate) fn is_routine(object: DatabaseObject) -> bool {
    matches!(
        object,
        DatabaseObject::Procedure | DatabaseObject::Function | DatabaseObject::View
    )
}

/// The text of a file; empty where its content is not here or it is too large.
fn text_of(reader: &mut Reader<'_>, file: &TreeFile) -> Result<String, QueryError> {
    if !reader.blob_size(file.blob).is_ok_and(|n| n <= MAX_BYTES) {
        return Ok(String::new());
    }
    Ok(decode(&reader.read_blob(file.blob)?).as_str().to_owned())
}

/// Adds to changed routines with new parameters those for the same object (`Order_Update` beside `Order_Create`) that did
/// not change and lack them.
pub(super) fn tell(
    changes: &mut [DatabaseChange],
    compared: &Compared,
    files: Files<'_>,
) -> Result<(), QueryError> {
    for change in changes {
        let is_routine = change.object == DatabaseObject::Procedure && change.what == What::Changed;
        let new = change.parts.iter().filter(|part| part.before.is_none());
        let new: Vec<&str> = new.map(|part| part.name.as_str()).collect();
        let Some(side) = compared.new_side(&change.path) else {
            continue;
        };
        let Some((object, _)) = change.name.split_once('_') else {
            continue;
        };
        if !is_routine || new.is_empty() {
            continue;
        }
        let own = super::statements(compared, side);
        let own = own.iter().find(|it| it.name == change.name);
        let others: Vec<String> = (own.iter().flat_map(|own| &own.parts))
            .filter(|part| !new.contains(&part.name.as_str()))
            .map(|part| part.name.to_lowercase())
            .collect();
        let mut behind = Vec::new();
        for file in files.that_begin(&format!("{object}_").to_lowercase())? {
            for found in files.statements(&file)? {
                let takes = |name: &str| {
                    let mut parts = found.parts.iter();
                    parts.any(|part| part.name.eq_ignore_ascii_case(name))
                };
                let n_shared = others.iter().filter(|name| takes(name)).count();
                let lacks = new.iter().filter(|name| !takes(name));
                let lacks: Vec<String> = lacks.map(|name| (*name).to_owned()).collect();
                let is_like = n_shared >= MIN_SHARED && n_shared * 2 > others.len();
                if is_like && !lacks.is_empty() && found.object == DatabaseObject::Procedure {
                    behind.push(RoutineBehind {
                        name: found.name,
                        path: file.path.clone(),
                        line: found.line,
                        lacks,
                    });
                }
            }
        }
        behind.sort();
        change.behind = behind;
    }
    Ok(())
}
