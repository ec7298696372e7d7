//! What is known of all types and files of a snapshot.

use crate::{
    DerivedError,
    kept::{Derived, Part, Parts, View, WHOLE},
    reach::{
        code,
        digest::{FileDigest, Kind, Project, TypeDigest, path_of},
        kept::{LookFor, hash_of_all, read_file, test_projects},
        services::asking_files,
    },
};
use cortex_index::{Differing, FileSummary, Snapshot};
use cortex_model::{RepoPath, TypeKey};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// What is known of a snapshot.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Digests {
    /// Of the paths of the projects of tests.
    pub(crate) projects: u64,
    /// By key.
    pub(crate) types: Vec<TypeDigest>,
    /// By the hash of the path.
    pub(crate) files: Vec<FileDigest>,
}

impl Derived for Digests {
    const NAME: &'static str = "digests";
    const VERSION: u32 = 3;
    const N_SLOTS: u8 = 2;
    type Source<'a> = &'a Snapshot;

    fn read(snapshot: &Snapshot) -> Result<Self, DerivedError> {
        Self::read_all(snapshot)
    }

    fn update(
        kept: &Parts<'_>,
        snapshot: &Snapshot,
        differing: &Differing,
    ) -> Result<Option<Self>, DerivedError> {
        let Some(kept) = <Self as View<Self>>::open(kept) else {
            return Ok(None);
        };
        if kept.projects != hash_of_all(&test_projects(snapshot)?) {
            return Ok(None);
        }
        kept.updated(snapshot, differing).map(Some)
    }

    fn parts(&self) -> Vec<Part<'_>> {
        vec![Part::packed(WHOLE, code::of_digests(self))]
    }
}

impl View<Self> for Digests {
    const NAME: &'static str = "digests";

    fn open(parts: &Parts<'_>) -> Option<Self> {
        code::to_digests(&parts.get(WHOLE)?)
    }

    fn of(all: Self) -> Self {
        all
    }

    fn n_bytes(&self) -> usize {
        self.types.len() * 1_024 + self.files.len() * 4_096
    }
}

impl Digests {
    /// Reads a snapshot. O(snapshot).
    pub(crate) fn read_all(snapshot: &Snapshot) -> Result<Self, DerivedError> {
        let mut types: Vec<TypeDigest> = (snapshot.types()?.into_par_iter())
            .map(|(key, node)| Ok(TypeDigest::new(key, &node, &snapshot.symbols(key)?)))
            .collect::<Result<_, DerivedError>>()?;
        types.sort_by_key(|ty| ty.key);
        let mut out = Self {
            projects: hash_of_all(&test_projects(snapshot)?),
            types,
            files: Vec::new(),
        };
        out.read_files(snapshot, &snapshot.files()?)?;
        Ok(out)
    }

    /// Those of another snapshot.
    pub(crate) fn updated(
        mut self,
        snapshot: &Snapshot,
        differing: &Differing,
    ) -> Result<Self, DerivedError> {
        let mut types = Vec::new();
        for &key in &differing.types {
            if let Some(node) = snapshot.type_node(key)? {
                types.push(TypeDigest::new(key, &node, &snapshot.symbols(key)?));
            }
        }
        let gone: FxHashSet<TypeKey> = differing.types.iter().copied().collect();
        self.types.retain(|ty| !gone.contains(&ty.key));
        self.types.extend(types);
        self.types.sort_by_key(|ty| ty.key);
        let gone: FxHashSet<u64> = differing.files.iter().map(path_of).collect();
        self.files.retain(|file| !gone.contains(&file.path));
        let mut files = Vec::new();
        for path in &differing.files {
            files.extend(snapshot.file(path)?);
        }
        self.read_files(snapshot, &files)?;
        Ok(self)
    }

    /// Adds files, of which there are none yet; their types are there.
    pub(crate) fn read_files(
        &mut self,
        snapshot: &Snapshot,
        files: &[FileSummary],
    ) -> Result<(), DerivedError> {
        let tests = test_projects(snapshot)?;
        let asking = asking_files(snapshot)?;
        let mut properties: FxHashMap<u64, FxHashSet<u32>> = (files.iter())
            .map(|file| (path_of(&file.path), FxHashSet::default()))
            .collect();
        for declared in self.types.iter().flat_map(|ty| &ty.declared) {
            if declared.kind == Kind::Property
                && let Some(of_file) = properties.get_mut(&declared.path)
            {
                of_file.insert(declared.decl);
            }
        }
        let wanted: Vec<_> = (files.iter())
            .flat_map(|file| file.projects.iter().map(move |project| (file, project)))
            .collect();
        let read = wanted.par_iter().map(|(file, project)| {
            let of = if tests.contains::<RepoPath>(project) {
                Project::Tests
            } else {
                Project::Other
            };
            let path = path_of(&file.path);
            let look = LookFor {
                properties: &properties[&path],
                services: of == Project::Tests && asking.contains(&path),
            };
            read_file(snapshot, file, project, look, of)
        });
        let read: Vec<FileDigest> = read.collect::<Result<_, DerivedError>>()?;
        self.files.extend(read);
        self.files.sort_by_key(|file| file.path);
        Ok(())
    }
}
