//! Names of types in files that mention certain calls, with the text around them.
//!
//! Must not know: what the calls do with the types.

use std::collections::BTreeMap;

use cortex_git::ReadBlob;
use cortex_index::{
    BoundRef, BoundTarget, DeclBindings, FileBindings, FileSummary, Receiver, Snapshot,
};
use cortex_look::{QueryError, roles::role_of_name};
use cortex_model::{RepoPath, TypeKey};
use cortex_syntax::text::decode;
use cortex_wire::Certainty;

use crate::{
    diff_context::blobs::Reader,
    impact::uses::{Found, Want, symbol},
};

/// A name of a type that is looked for.
pub(super) struct NamedType<'a> {
    pub(super) file: &'a FileSummary,
    /// The project that compiles it, by its index among the file's.
    pub(super) project: u16,
    pub(super) bindings: &'a FileBindings,
    /// The declaration around.
    pub(super) decl: &'a DeclBindings,
    pub(super) name: &'a BoundRef,
    /// The file, decoded.
    pub(super) text: &'a [u8],
}

impl NamedType<'_> {
    /// The place as a possible use of a changed symbol, in a file of this index.
    pub(super) fn found(&self, of: usize, file: u32) -> Found {
        Found {
            want: Want::of(None, of),
            file,
            project: self.project,
            offset: self.name.offset,
            role: role_of_name(self.name.kind),
            certainty: Certainty::Possible,
            inside: (self.decl.symbol).and_then(|at| symbol(&self.bindings.targets[at as usize])),
            receiver: Receiver::Any,
        }
    }
}

/// Hands each name of a type in files that mention one of some calls to `each`. `wanted`: what is looked for of a type;
/// `skipped`: projects that are left out. Reads the files that name such a type.
///
/// # Errors
/// Those of the index.
pub(super) fn each_named_type<'c, W: Copy>(
    (snapshot, reader): (&Snapshot, &mut Reader<'_>),
    calls: impl IntoIterator<Item = &'c str>,
    wanted: impl Fn(&TypeKey) -> Option<W>,
    skipped: impl Fn(&RepoPath) -> bool,
    mut each: impl FnMut(NamedType<'_>, W),
) -> Result<(), QueryError> {
    let mut calling: BTreeMap<RepoPath, FileSummary> = BTreeMap::new();
    for call in calls {
        for file in snapshot.files_mentioning(call)? {
            calling.entry(file.path.clone()).or_insert(file);
        }
    }
    for file in calling.values() {
        let mut text: Option<Vec<u8>> = None;
        for (project, path) in file.projects.iter().enumerate() {
            if skipped(path) {
                continue;
            }
            let bindings = snapshot.bindings(&file.path, path)?;
            let targets = bindings.targets.iter().map(|target| match target {
                BoundTarget::Type(key) => wanted(key),
                _ => None,
            });
            let targets: Vec<Option<W>> = targets.collect();
            if targets.iter().all(Option::is_none) {
                continue;
            }
            let text = match &mut text {
                Some(text) => text,
                none => none.insert(decode(&reader.read_blob(file.blob)?).as_bytes().to_vec()),
            };
            for decl in &bindings.decls {
                for name in &decl.refs {
                    if let Some(wanted) = targets[name.target as usize] {
                        let named = NamedType {
                            file,
                            project: project as u16,
                            bindings: &bindings,
                            decl,
                            name,
                            text,
                        };
                        each(named, wanted);
                    }
                }
            }
        }
    }
    Ok(())
}
