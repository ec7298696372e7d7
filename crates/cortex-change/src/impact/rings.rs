//! The types around changed ones, ring by ring.

use crate::diff_context::compared::Compared;
use cortex_look::{QueryError, follow::differing::ChangedType};

use std::collections::BTreeMap;

use cortex_model::{EdgeKinds, TypeKey};
use rustc_hash::{FxHashMap, FxHashSet};

/// Rings beyond the direct users that are listed.
const MAX_DISTANCE: u32 = 4;

/// The walk goes no further once it reached this many types beyond the direct users.
const MAX_REACHED: usize = 1_200;

/// A type reached.
pub(crate) struct Reached {
    pub(crate) distance: u32,
    /// What it depends on, one step nearer.
    pub(crate) via: TypeKey,
    pub(crate) kinds: EdgeKinds,
}

/// The types around changed ones, ring by ring.
#[derive(Default)]
pub(crate) struct Rings {
    pub(crate) reached: BTreeMap<TypeKey, Reached>,
    /// How many types depend on each type that the walk went on from.
    pub(crate) degrees: FxHashMap<TypeKey, usize>,
    /// How many steps to further types were not taken.
    pub(crate) n_cut: usize,
}

impl Rings {
    /// What each type that was reached depends on, one step nearer to a source.
    pub(crate) fn steps(&self) -> impl Iterator<Item = (TypeKey, TypeKey)> {
        self.reached.iter().map(|(&key, reach)| (key, reach.via))
    }

    /// Goes from types to what depends on them, as far as it is listed. O(dependents).
    pub(crate) fn around(
        compared: &Compared,
        sources: &[&ChangedType],
    ) -> Result<Self, QueryError> {
        let mut rings = Self::default();
        let is_source: FxHashSet<TypeKey> = sources.iter().map(|ty| ty.key).collect();
        let mut ring: Vec<TypeKey> = sources.iter().map(|ty| ty.key).collect();
        // Users of a removed type are those of the old side that still exist.
        let removed: FxHashSet<TypeKey> = sources
            .iter()
            .filter(|ty| ty.new.is_none())
            .map(|ty| ty.key)
            .collect();
        for distance in 1..=MAX_DISTANCE {
            let mut next = Vec::new();
            for via in std::mem::take(&mut ring) {
                let snapshot = if removed.contains(&via) {
                    &compared.old
                } else {
                    &compared.new
                };
                let users = snapshot.dependents(via)?;
                rings.degrees.insert(via, users.len());
                for (user, kinds) in users {
                    if is_source.contains(&user) {
                        continue;
                    }
                    if let Some(known) = rings.reached.get_mut(&user) {
                        if known.distance == distance {
                            known.kinds = known.kinds.union(kinds);
                        }
                    } else if distance > 1 && rings.reached.len() >= MAX_REACHED {
                        rings.n_cut += 1;
                    } else {
                        rings.reached.insert(
                            user,
                            Reached {
                                distance,
                                via,
                                kinds,
                            },
                        );
                        next.push(user);
                    }
                }
            }
            ring = next;
        }
        Ok(rings)
    }
}
