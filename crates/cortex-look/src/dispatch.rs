//! The types of a snapshot, as far as what they derive from decides which overrides a call may run.

use crate::{
    QueryError,
    family::{derives, subtypes},
};
use cortex_derived::{
    dispatch::{Header, Hierarchy},
    doc_ids::DocIds,
};
use cortex_model::TypeKey;
use rustc_hash::FxHashSet;

pub use cortex_derived::dispatch::Dispatch;

/// Reads types of the snapshot of the ids.
pub struct Types<'a, 's>(pub &'a mut DocIds<'s>);

impl Hierarchy for Types<'_, '_> {
    type Error = QueryError;

    fn header(&mut self, key: TypeKey) -> Result<Option<Header>, QueryError> {
        let Some(header) = self.0.snapshot().type_header(key)? else {
            return Ok(None);
        };
        let mut out = Header {
            is_open: header.fqn.contains('`'),
            ..Header::default()
        };
        if let Some(own) = self.0.ty(key)? {
            let signature = &own.symbols.signature;
            let named = signature.source.iter();
            let named = named.filter(|edge| derives(edge.kinds));
            let named: Vec<TypeKey> = named.map(|edge| edge.target).collect();
            let outside = signature.external.iter();
            let n_outside = outside.filter(|edge| derives(edge.kinds)).count();
            let written: FxHashSet<_> = header.base_list.iter().collect();
            out.is_partial = written.len() > named.len() + n_outside;
            let bases: FxHashSet<&[u8]> = header.bases.iter().map(|it| it.bare()).collect();
            let arguments = named.into_iter();
            out.arguments = arguments.filter(|it| !bases.contains(it.bare())).collect();
        }
        out.bases = header.bases;
        Ok(Some(out))
    }

    fn subtypes(&mut self, key: TypeKey) -> Result<Vec<TypeKey>, QueryError> {
        subtypes(self.0.snapshot(), key)
    }
}
