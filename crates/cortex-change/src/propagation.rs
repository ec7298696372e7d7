//! What structural changes mean for types that depend on the changed ones, directly or through others (spec
//! 3.4, `propagatedCause`).

use crate::{diff_context::compared::Compared, impact::rings::Rings};
use cortex_look::{QueryError, follow::differing::ChangedType};
use cortex_wire::{Propagated, PropagatedCause, TypeChange};

use cortex_model::{ChangeClass, TypeKey};
use rustc_hash::FxHashMap;

/// Shortest ways from structurally changed types to those that depend on them, as far as impact is followed.
pub(crate) struct Propagation<'a> {
    compared: &'a Compared,
    /// By dependent: what it depends on, one step nearer to the change.
    via: FxHashMap<TypeKey, TypeKey>,
}

impl<'a> Propagation<'a> {
    /// Follows what depends on types that changed their structure or are gone.
    pub(crate) fn of(compared: &'a Compared, changed: &[ChangedType]) -> Result<Self, QueryError> {
        let is_structural =
            |ty: &&ChangedType| matches!(ty.class, ChangeClass::Structure | ChangeClass::Removed);
        let sources: Vec<&ChangedType> = changed.iter().filter(is_structural).collect();
        let rings = Rings::around(compared, &sources)?;
        Ok(Self {
            compared,
            via: rings.steps().collect(),
        })
    }

    /// How a structural change reaches a type; `None` where none does.
    pub(crate) fn reaching(&self, key: TypeKey) -> Result<Option<Propagated>, QueryError> {
        let mut path = Vec::new();
        let mut at = key;
        while let Some(&nearer) = self.via.get(&at) {
            path.push(self.name(nearer)?);
            at = nearer;
        }
        path.reverse();
        Ok((!path.is_empty()).then_some(Propagated {
            cause: PropagatedCause::DependencyStructure,
            path,
        }))
    }

    /// Tells it of changed types.
    pub(crate) fn tell(
        &self,
        changed: &[ChangedType],
        types: &mut [TypeChange],
    ) -> Result<(), QueryError> {
        let mut by_id: FxHashMap<String, Propagated> = FxHashMap::default();
        for ty in changed.iter().filter(|ty| ty.new.is_some()) {
            if let Some(found) = self.reaching(ty.key)? {
                by_id.insert(self.compared.new.display_id(ty.key)?, found);
            }
        }
        for ty in types {
            ty.propagated = by_id.remove(&ty.ty.id);
        }
        Ok(())
    }

    fn name(&self, key: TypeKey) -> Result<String, QueryError> {
        let header = match self.compared.new.type_header(key)? {
            Some(header) => Some(header),
            None => self.compared.old.type_header(key)?,
        };
        Ok(header.map(|header| header.fqn).unwrap_or_default())
    }
}
