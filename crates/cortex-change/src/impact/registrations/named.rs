//! The types that calls in a changed file register.
//!
//! Must not know: what differs.

use std::borrow::Cow;

use cortex_git::FileSide;
use cortex_index::{BoundTarget, Snapshot};
use cortex_look::{
    QueryError,
    registration::{CALLS, call_around},
};
use cortex_model::{EdgeKind, TypeKey};
use cortex_syntax::text::decode;

use super::service;
use crate::diff_context::compared::Compared;

/// A type that a call registers.
pub(super) struct Named {
    pub(super) key: TypeKey,
    /// What the call names first, where that is another type.
    pub(super) service: Option<TypeKey>,
    /// Where its name is, in bytes of the decoded text.
    pub(super) offset: u32,
}

/// The types that calls in a file of C# of the product name, in their order. `read`: the content of the file, asked for
/// where the product compiles it. Reads its bindings where it mentions such a call.
pub(super) fn named<'t>(
    compared: &Compared,
    snapshot: &Snapshot,
    side: &FileSide,
    read: impl FnOnce() -> Result<Cow<'t, [u8]>, QueryError>,
) -> Result<Vec<Named>, QueryError> {
    let mut out = Vec::new();
    if !side.path.extension().eq_ignore_ascii_case("cs") {
        return Ok(out);
    }
    let projects = snapshot.file(&side.path)?.map(|file| file.projects);
    let mut product = projects.into_iter().flatten();
    let Some(project) = product.find(|it| !compared.is_of_tests(it)) else {
        return Ok(out);
    };
    let source = read()?;
    let mentions = |call: &&str| memchr::memmem::find(&source, call.as_bytes()).is_some();
    if !CALLS.iter().any(mentions) {
        return Ok(out);
    }
    let text = decode(&source);
    let bindings = snapshot.bindings(&side.path, &project)?;
    let kinds = [EdgeKind::Local, EdgeKind::TypeOf, EdgeKind::Creates];
    for decl in &bindings.decls {
        for name in decl.refs.iter().filter(|it| kinds.contains(&it.kind)) {
            let BoundTarget::Type(key) = bindings.targets[name.target as usize] else {
                continue;
            };
            if let Some(start) = call_around(text.as_bytes(), name.offset as usize) {
                let service = service(&bindings, decl, start as u32, name.offset);
                out.push(Named {
                    key,
                    service: service.filter(|it| *it != key),
                    offset: name.offset,
                });
            }
        }
    }
    Ok(out)
}
