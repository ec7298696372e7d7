//! Both sides of a range with their difference: what every part of the answer is made of.

use crate::diff_context::blobs::{BlobSource, Reader};
use cortex_look::QueryError;

use cortex_git::{FileChange, FileSide, ReadBlob, TreeFile};
use cortex_index::{ProjectRecord, Snapshot};
use cortex_model::{BlobId, RepoPath};
use cortex_wire::DatabaseChange;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use std::{collections::BTreeMap, sync::OnceLock};

/// Both sides of a range, indexed, and their difference.
pub(crate) struct Compared {
    pub(crate) old: Snapshot,
    pub(crate) new: Snapshot,
    /// Changed files within the range's paths, renames found, by new path.
    pub(crate) files: Vec<FileChange>,
    /// Indices of the files by their paths, older and newer ones.
    by_path: FxHashMap<RepoPath, [Option<u32>; 2]>,
    /// The projects of the older and the newer side, by path.
    pub(crate) projects: [Vec<ProjectRecord>; 2],
    /// Paths of the projects that are tests; of a project that is gone, as it was.
    tests: FxHashSet<RepoPath>,
    /// Contents of changed files, by blob.
    pub(crate) texts: Texts,
    /// Whether the question is limited to paths.
    pub(crate) limited: Limited,
    /// Files under `.context/` of the newer side, where it has any.
    pub(crate) context_files: Option<Vec<RepoPath>>,
    /// Set by [`Compared::database`].
    database: OnceLock<Vec<DatabaseChange>>,
    unchanged_sql: OnceLock<BTreeMap<String, Vec<TreeFile>>>,
}

impl Compared {
    /// Of both sides, with the changed files and what they contain.
    pub(crate) fn new(
        [old, new]: [Snapshot; 2],
        files: Vec<FileChange>,
        texts: Texts,
        limited: Limited,
        context_files: Option<Vec<RepoPath>>,
    ) -> Result<Self, QueryError> {
        let projects = [old.projects()?, new.projects()?];
        let paths = |records: &[ProjectRecord]| -> FxHashSet<RepoPath> {
            let records = records.iter();
            records.map(|record| record.project.path.clone()).collect()
        };
        let is_there = paths(&projects[1]);
        let gone = (projects[0].iter()).filter(|it| !is_there.contains(&it.project.path));
        let tests = (gone.chain(&projects[1]))
            .filter(|record| record.project.is_test)
            .map(|record| record.project.path.clone())
            .collect();
        Ok(Self {
            old,
            new,
            by_path: places(&files),
            files,
            projects,
            tests,
            texts,
            limited,
            context_files,
            database: OnceLock::new(),
            unchanged_sql: OnceLock::new(),
        })
    }

    /// What changed files of SQL do to the objects of a database; found out when it is asked first.
    pub(crate) fn database(&self, source: BlobSource<'_>) -> Result<&[DatabaseChange], QueryError> {
        if let Some(known) = self.database.get() {
            return Ok(known);
        }
        let found = crate::database::changes(self, source)?;
        Ok(self.database.get_or_init(|| found))
    }

    /// The files of SQL that did not change, by their stems in lower case; listed when it is asked first.
    pub(crate) fn unchanged_sql(
        &self,
        source: BlobSource<'_>,
    ) -> Result<&BTreeMap<String, Vec<TreeFile>>, QueryError> {
        if let Some(known) = self.unchanged_sql.get() {
            return Ok(known);
        }
        let found = crate::database::behind::unchanged(self, source)?;
        Ok(self.unchanged_sql.get_or_init(|| found))
    }

    /// Whether a project is one of tests.
    pub(crate) fn is_of_tests(&self, project: &RepoPath) -> bool {
        self.tests.contains(project)
    }

    /// The changed file that has a path on either side.
    pub(crate) fn file_at(&self, path: &RepoPath) -> Option<&FileChange> {
        let [old, new] = self.by_path.get(path)?;
        (*new).or(*old).map(|at| &self.files[at as usize])
    }

    /// The older side of the file of a path.
    pub(crate) fn old_side(&self, path: &RepoPath) -> Option<&FileSide> {
        let [old, _] = self.by_path.get(path)?;
        self.files[(*old)? as usize].old.as_ref()
    }

    /// The newer side of the file of a path.
    pub(crate) fn new_side(&self, path: &RepoPath) -> Option<&FileSide> {
        let [_, new] = self.by_path.get(path)?;
        self.files[(*new)? as usize].new.as_ref()
    }
}

/// Where each path stands among changed files.
fn places(files: &[FileChange]) -> FxHashMap<RepoPath, [Option<u32>; 2]> {
    let mut out: FxHashMap<RepoPath, [Option<u32>; 2]> = FxHashMap::default();
    for (at, file) in files.iter().enumerate() {
        for (side, slot) in [&file.old, &file.new].into_iter().zip(0..) {
            if let Some(side) = side {
                let places = out.entry(side.path.clone()).or_default();
                places[slot].get_or_insert(at as u32);
            }
        }
    }
    out
}

/// Whether a question is limited to paths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Limited {
    /// All changed files count.
    No,
    /// Only types declared in the chosen files.
    ToPaths,
}

/// Contents of blobs that the answer is made of.
#[derive(Default)]
pub(crate) struct Texts {
    contents: FxHashMap<BlobId, Vec<u8>>,
    /// Why contents are not here, by blob.
    absent: FxHashMap<BlobId, &'static str>,
}

/// Files other than C# that are larger than this are not read.
const MAX_OTHER_BYTES: u64 = 4 << 20;

/// C# that is larger than this is not read: it is not indexed either.
const MAX_SOURCE_BYTES: u64 = 32 << 20;

/// So many sides of changed files are read by one thread.
const N_TOGETHER: usize = 64;

impl Texts {
    /// Reads both sides of every changed file, side by side. C# must be there; anything else may be missing from
    /// the repository (a partial clone) or too large to be worth reading.
    pub(crate) fn load(files: &[FileChange], source: BlobSource<'_>) -> Result<Self, QueryError> {
        let mut seen: FxHashSet<BlobId> = FxHashSet::default();
        let sides = files.iter().flat_map(|file| [&file.old, &file.new]);
        let sides: Vec<&FileSide> = (sides.flatten())
            .filter(|side| side.mode != cortex_git::FileMode::Submodule && seen.insert(side.blob))
            .collect();
        let read = sides.par_chunks(N_TOGETHER).flat_map_iter(|sides| {
            let mut reader = source.open();
            let read = sides.iter().map(|side| Self::read(side, &mut reader));
            read.collect::<Vec<_>>()
        });
        let read = read.collect::<Result<Vec<_>, QueryError>>()?;
        let mut texts = Self::default();
        for (side, text) in sides.into_iter().zip(read) {
            match text {
                Ok(content) => drop(texts.contents.insert(side.blob, content)),
                Err(why) => drop(texts.absent.insert(side.blob, why)),
            }
        }
        Ok(texts)
    }

    /// Reads one side, or says why it is not read.
    fn read(
        side: &FileSide,
        reader: &mut Reader<'_>,
    ) -> Result<Result<Vec<u8>, &'static str>, QueryError> {
        let is_source = side.path.extension().eq_ignore_ascii_case("cs");
        let max_bytes = match is_source {
            true => MAX_SOURCE_BYTES,
            false => MAX_OTHER_BYTES,
        };
        let size = reader.blob_size(side.blob);
        if size.is_ok_and(|size| size > max_bytes) {
            return Ok(Err("too large to be shown"));
        }
        match reader.read_blob(side.blob) {
            Ok(content) => Ok(Ok(content)),
            Err(cortex_git::GitError::MissingObject { .. }) if !is_source => {
                Ok(Err("its content is not in this repository"))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The content of a blob; empty where it is not here.
    pub(crate) fn get(&self, blob: BlobId) -> &[u8] {
        self.contents.get(&blob).map_or(&[], Vec::as_slice)
    }

    /// Why the content of a blob is not here, if it is not.
    pub(crate) fn absence(&self, blob: BlobId) -> Option<&'static str> {
        self.absent.get(&blob).copied()
    }
}
