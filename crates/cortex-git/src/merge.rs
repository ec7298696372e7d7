//! What a merge of two commits would be: computed as git does it, without a checkout, and nothing is written.
//!
//! Must not know: drivers of `.gitattributes`, which are commands of their own.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use cortex_model::{CommitId, RepoPath, TreeId};
use gix::{
    diff::blob::InternedInput,
    merge::blob::{Resolution, builtin_driver},
};

use crate::{
    blobs::ReadBlob,
    change::{FileChange, FileMode, TreeFile},
    error::GitError,
    lines::is_binary,
    overlay::PlannedFile,
    rename::{RenameOptions, find_renames},
    repository::Repository,
};

/// A merge that nobody has made yet.
#[derive(Clone, Debug)]
pub struct Merged {
    /// The best common ancestor; `None` if there is none.
    pub base: Option<CommitId>,
    /// What is otherwise than on our side, by the path that it has there.
    pub files: Vec<PlannedFile>,
    /// The files that both sides changed so that a person must decide, by path. They are as on our side.
    pub conflicts: Vec<RepoPath>,
}

/// The text that both changes of a text make together; `None` where they overlap. Lines are compared as git does it.
pub fn merge_texts(base: &[u8], ours: &[u8], theirs: &[u8]) -> Option<Vec<u8>> {
    if ours == theirs || base == theirs {
        return Some(ours.to_vec());
    }
    if base == ours {
        return Some(theirs.to_vec());
    }
    if [base, ours, theirs].into_iter().any(is_binary) {
        return None;
    }
    let mut out = Vec::new();
    let resolution = builtin_driver::text(
        &mut out,
        &mut InternedInput::default(),
        builtin_driver::text::Labels::default(),
        ours,
        base,
        theirs,
        builtin_driver::text::Options::default(),
    );
    (resolution == Resolution::Complete).then_some(out)
}

impl Repository {
    /// What merging `theirs` into `ours` would be. Files are followed where they were renamed; of several common
    /// ancestors the best one is taken, and folders are not followed, so that a file which comes into a folder that the
    /// other side renamed stays where it is.
    ///
    /// # Errors
    /// Those of reading commits, trees and blobs.
    pub fn merged(&self, ours: CommitId, theirs: CommitId) -> Result<Merged, GitError> {
        let base = self.merge_base(ours, theirs)?;
        let tree = |commit| -> Result<TreeId, GitError> { Ok(self.commit(commit)?.tree) };
        let base_tree = base.map(tree).transpose()?;
        let [ours, theirs] = [tree(ours)?, tree(theirs)?];
        let mut blobs = self.blobs();
        let options = RenameOptions::default();
        let [ours, theirs] = [ours, theirs].map(|tree| {
            let changes = self.diff_trees(base_tree, Some(tree))?;
            Ok::<_, GitError>(find_renames(changes, &mut blobs, &options).changes)
        });
        let (ours, theirs) = (OurChanges::new(ours?), theirs?);
        let mut merge = Merge {
            ours,
            blobs: &mut blobs,
            files: Vec::new(),
            conflicts: BTreeSet::new(),
        };
        for change in &theirs {
            merge.add(change)?;
        }
        let taken = merge.taken_twice();
        merge.conflicts.extend(taken);
        Ok(Merged {
            base,
            files: merge.files,
            conflicts: merge.conflicts.into_iter().collect(),
        })
    }
}

/// What our side changed.
struct OurChanges {
    by_old_path: BTreeMap<RepoPath, Option<TreeFile>>,
    added: BTreeMap<RepoPath, TreeFile>,
}

impl OurChanges {
    fn new(changes: Vec<FileChange>) -> Self {
        let mut found = Self {
            by_old_path: BTreeMap::new(),
            added: BTreeMap::new(),
        };
        for change in changes {
            match (change.old, change.new) {
                (Some(old), new) => _ = found.by_old_path.insert(old.path, new),
                (None, Some(new)) => _ = found.added.insert(new.path.clone(), new),
                (None, None) => {}
            }
        }
        found
    }
}

struct Merge<'a> {
    ours: OurChanges,
    blobs: &'a mut dyn ReadBlob,
    files: Vec<PlannedFile>,
    conflicts: BTreeSet<RepoPath>,
}

impl Merge<'_> {
    /// Adds what the other side did to one file.
    fn add(&mut self, change: &FileChange) -> Result<(), GitError> {
        let path = change.path().clone();
        let Some(base) = &change.old else {
            let Some(new) = &change.new else {
                return Ok(());
            };
            return match self.ours.added.get(&path) {
                Some(ours) if (ours.blob, ours.mode) == (new.blob, new.mode) => Ok(()),
                Some(_) => self.conflict(path),
                None => self.plan(None, new, None),
            };
        };
        match (self.ours.by_old_path.get(&base.path).cloned(), &change.new) {
            (None, Some(new)) => self.plan(Some(base.clone()), new, None),
            (None, None) => {
                self.files.push(PlannedFile {
                    old: Some(base.clone()),
                    new: None,
                });
                Ok(())
            }
            (Some(None), None) => Ok(()),
            (Some(Some(ours)), Some(theirs)) => self.both(base, &ours, theirs),
            (Some(_), _) => self.conflict(path),
        }
    }

    /// Adds a file that both sides changed.
    fn both(
        &mut self,
        base: &TreeFile,
        ours: &TreeFile,
        theirs: &TreeFile,
    ) -> Result<(), GitError> {
        let of_one = |ours: &RepoPath, theirs: &RepoPath| match () {
            () if ours == theirs || *theirs == base.path => Some(ours.clone()),
            () if *ours == base.path => Some(theirs.clone()),
            () => None,
        };
        let Some(path) = of_one(&ours.path, &theirs.path) else {
            return self.conflict(ours.path.clone());
        };
        let mode = match ours.mode == base.mode {
            true => theirs.mode,
            false => ours.mode,
        };
        let merged = TreeFile {
            path,
            blob: theirs.blob,
            mode,
        };
        if theirs.blob == ours.blob || theirs.blob == base.blob {
            let kept = TreeFile {
                blob: ours.blob,
                ..merged
            };
            return match kept == *ours {
                true => Ok(()),
                false => self.plan(Some(ours.clone()), &kept, None),
            };
        }
        if ours.blob == base.blob {
            return self.plan(Some(ours.clone()), &merged, None);
        }
        if ![base, ours, theirs].iter().all(|file| file.mode.is_file()) {
            return self.conflict(ours.path.clone());
        }
        let mut read = |file: &TreeFile| self.blobs.read_blob(file.blob);
        let texts = [read(base)?, read(ours)?, read(theirs)?];
        match merge_texts(&texts[0], &texts[1], &texts[2]) {
            Some(text) => self.plan(Some(ours.clone()), &merged, Some(text)),
            None => self.conflict(ours.path.clone()),
        }
    }

    /// Adds a file of the merge. Links and submodules have no text that anybody compares.
    fn plan(
        &mut self,
        old: Option<TreeFile>,
        new: &TreeFile,
        text: Option<Vec<u8>>,
    ) -> Result<(), GitError> {
        let is_file = |mode: FileMode| mode.is_file();
        if !is_file(new.mode) || old.as_ref().is_some_and(|old| !is_file(old.mode)) {
            return Ok(());
        }
        let bytes: Arc<[u8]> = match text {
            Some(text) => text.into(),
            None => self.blobs.read_blob(new.blob)?.into(),
        };
        self.files.push(PlannedFile {
            old,
            new: Some((new.path.clone(), new.mode, bytes)),
        });
        Ok(())
    }

    fn conflict(&mut self, path: RepoPath) -> Result<(), GitError> {
        self.conflicts.insert(path);
        Ok(())
    }

    /// The paths that two files would have: what one side adds or renames to where the other one does.
    fn taken_twice(&self) -> Vec<RepoPath> {
        let mut seen = BTreeSet::new();
        let new_paths = self
            .files
            .iter()
            .filter_map(|file| Some(&file.new.as_ref()?.0));
        let kept: BTreeSet<&RepoPath> = (self.files.iter())
            .filter_map(|file| Some(&file.old.as_ref()?.path))
            .collect();
        let ours = self.ours.by_old_path.iter().filter_map(|(old, new)| {
            let new = &new.as_ref()?.path;
            (new != old).then_some(new)
        });
        let ours: BTreeSet<&RepoPath> = ours.chain(self.ours.added.keys()).collect();
        new_paths
            .filter(|path| !seen.insert(*path) || ours.contains(path) && !kept.contains(path))
            .cloned()
            .collect()
    }
}
