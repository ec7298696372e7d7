//! The types that differ between two snapshots.

use crate::QueryError;
use cortex_bind::TypeNode;
use cortex_index::Snapshot;
use cortex_model::{ChangeClass, TypeKey};

/// A type with both its sides.
#[derive(Clone)]
pub struct ChangedType {
    /// Which type it is.
    pub key: TypeKey,
    /// As it was; `None` where it was added.
    pub old: Option<TypeNode>,
    /// As it is; `None` where it was removed.
    pub new: Option<TypeNode>,
    /// How much differs.
    pub class: ChangeClass,
}

impl ChangedType {
    /// The newer side.
    pub fn node(&self) -> &TypeNode {
        self.new
            .as_ref()
            .or(self.old.as_ref())
            .expect("a changed type has a side")
    }
}

/// Every type whose hashes differ between two snapshots, by key. O(differing pages).
pub fn differing_types(old: &Snapshot, new: &Snapshot) -> Result<Vec<ChangedType>, QueryError> {
    let mut out = Vec::new();
    Snapshot::differing_types(old, new, &mut |key, old, new| {
        let class = class(old.as_ref(), new.as_ref());
        if class != ChangeClass::Unchanged {
            out.push(ChangedType {
                key,
                old,
                new,
                class,
            });
        }
    })?;
    Ok(out)
}

/// The first class that applies.
pub(crate) fn class(old: Option<&TypeNode>, new: Option<&TypeNode>) -> ChangeClass {
    let (Some(old), Some(new)) = (old, new) else {
        return if old.is_none() {
            ChangeClass::Added
        } else {
            ChangeClass::Removed
        };
    };
    if old.structure() != new.structure() {
        ChangeClass::Structure
    } else if old.hashes.public_impl != new.hashes.public_impl {
        ChangeClass::PublicBehavior
    } else if old.hashes.internal_impl != new.hashes.internal_impl {
        ChangeClass::Internal
    } else if old.hashes.docs != new.hashes.docs {
        ChangeClass::Docs
    } else if old.hashes.text != new.hashes.text {
        ChangeClass::Cosmetic
    } else {
        ChangeClass::Unchanged
    }
}
