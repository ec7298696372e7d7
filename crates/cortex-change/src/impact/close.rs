//! Which callers of a contract may well run a changed implementation of it.
//!
//! Owns: how few types that takes. Must not know: who asks.

use std::collections::{BTreeMap, BTreeSet};

use cortex_derived::{doc_ids::DocIds, target::Target};
use cortex_index::Receiver;
use cortex_look::{QueryError, symbol::doc_id::of_doc_id};
use cortex_model::TypeKey;
use cortex_wire::{Via, ViaRelation};

use crate::{
    diff_context::compared::Compared,
    impact::{
        climb::says_what_runs,
        uses::{Found, Places},
    },
};

/// What is known of contracts, and of the types that their members are called on.
pub(crate) struct Close {
    /// The contracts that many types of the product implement, by index of what leads to them.
    distant: BTreeSet<usize>,
    /// Whether few types of the product are below a type.
    types: BTreeMap<TypeKey, bool>,
}

impl Close {
    /// Of the places that name contracts of changed members. O(types below these).
    pub(crate) fn of(
        compared: &Compared,
        ids: &DocIds<'_>,
        places: &Places,
        vias: &[Via],
    ) -> Result<Self, QueryError> {
        let snapshot = ids.snapshot();
        let mut out = Self {
            distant: BTreeSet::new(),
            types: BTreeMap::new(),
        };
        let mut known: BTreeMap<&str, bool> = BTreeMap::new();
        for (at, via) in vias.iter().enumerate() {
            if !matches!(via.relation, ViaRelation::Interface | ViaRelation::Override) {
                continue;
            }
            let is_close = match known.get(via.to.as_str()) {
                Some(known) => *known,
                None => {
                    let mut is_close = true;
                    for target in of_doc_id(snapshot, &via.to)? {
                        if let Target::Member(contract, _) = target {
                            is_close &= says_what_runs(compared, snapshot, contract)?;
                        }
                    }
                    known.insert(&via.to, is_close);
                    is_close
                }
            };
            if !is_close {
                out.distant.insert(at);
            }
        }
        for found in &places.found {
            if found.want.via.is_some_and(|via| out.distant.contains(&via))
                && let Some(on) = called_on(found)
                && !out.types.contains_key(&on)
            {
                let is_close = says_what_runs(compared, snapshot, on)?;
                out.types.insert(on, is_close);
            }
        }
        Ok(out)
    }

    /// Whether what a place names is no contract of many types, or is called on a type that few are below, or on one that is
    /// constructed with types of the repository: `IRepository<T>` has many implementations, the `IOrderRepository` that
    /// derives from it and `IRepository<Order>` have one.
    pub(crate) fn has(&self, found: &Found) -> bool {
        let is_distant = found
            .want
            .via
            .is_some_and(|via| self.distant.contains(&via));
        // A constructed type was compared with those of the implementations.
        let is_constructed = matches!(&found.receiver, Receiver::Of(types) if types.len() > 1);
        !is_distant
            || is_constructed
            || called_on(found).is_some_and(|on| self.types.get(&on).copied().unwrap_or(false))
    }
}

/// The type that a member is called on.
fn called_on(found: &Found) -> Option<TypeKey> {
    match &found.receiver {
        Receiver::Of(types) => types.first().copied(),
        Receiver::Any | Receiver::Base => None,
    }
}
