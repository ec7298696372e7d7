//! A type and what derives from it or implements it, transitively, on the old side.

use std::collections::BTreeSet;

use cortex_model::{EdgeKind, EdgeKinds, RepoPath, TypeKey, TypeKind};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::{IndexError, Snapshot, TypeHeader};

/// See the module.
pub(super) struct Family(Vec<Relative>);

/// One of a family.
struct Relative {
    key: TypeKey,
    /// Whether the base lists from it up to the first of the family have an interface, which a member of that one or of
    /// another in between may implement.
    has_interface: bool,
    /// Its head where it was read.
    header: Option<TypeHeader>,
}

impl Family {
    /// The types whose base lists name the type or another of the family, be it as a type argument; without finished
    /// types and what derives from these.
    pub(super) fn naming(
        base: &Snapshot,
        key: TypeKey,
        finished: &FxHashSet<TypeKey>,
    ) -> Result<Self, IndexError> {
        let first = Relative::new(key, EdgeKinds::EMPTY, None);
        Self::grow(first, |key| {
            let users = in_base_lists(base, key)?.into_iter();
            let unfinished = users.filter(|(user, _)| !finished.contains(user));
            Ok(unfinished
                .map(|(user, kinds)| Relative::new(user, kinds, None))
                .collect())
        })
    }

    /// The types that have the type, or another of the family, as a base: these inherit its members.
    pub(super) fn derived(base: &Snapshot, key: TypeKey) -> Result<Self, IndexError> {
        let mut first = Relative::new(key, EdgeKinds::EMPTY, None);
        first.has_interface = is_or_lists_interface(base, key)?;
        Self::grow(first, |key| {
            let users = in_base_lists(base, key)?;
            let found = users.into_par_iter().map(|(user, kinds)| {
                let header = base.type_header(user)?;
                let derives = (header.as_ref()).is_none_or(|header| header.bases.contains(&key));
                Ok(derives.then(|| Relative::new(user, kinds, header)))
            });
            found.filter_map(Result::transpose).collect()
        })
    }

    fn grow(
        first: Relative,
        mut next_to: impl FnMut(TypeKey) -> Result<Vec<Relative>, IndexError>,
    ) -> Result<Self, IndexError> {
        let mut seen: FxHashSet<TypeKey> = [first.key].into_iter().collect();
        let mut found = vec![first];
        let mut next = 0;
        while let Some(&Relative {
            key, has_interface, ..
        }) = found.get(next)
        {
            next += 1;
            for mut relative in next_to(key)? {
                relative.has_interface |= has_interface;
                if seen.insert(relative.key) {
                    found.push(relative);
                }
            }
        }
        Ok(Self(found))
    }

    /// The types, the first one being that from which the others derive.
    pub(super) fn keys(&self) -> Vec<TypeKey> {
        self.0.iter().map(|relative| relative.key).collect()
    }

    /// Those that may override, hide or implement otherwise when members of these names differ in a base: whose files
    /// say one of the names, which declare a member of such a name, or which have interfaces that the members may
    /// implement. Records compare and print what they inherit.
    pub(super) fn concerned(
        &self,
        base: &Snapshot,
        names: &BTreeSet<String>,
    ) -> Result<Vec<TypeKey>, IndexError> {
        let mut saying: FxHashSet<RepoPath> = FxHashSet::default();
        for name in names {
            let files = base.files_mentioning(name)?.into_iter();
            saying.extend(files.map(|file| file.path));
        }
        let concerned = self.0.par_iter().map(|relative| {
            let is_concerned = match &relative.header {
                None => true,
                Some(header) => {
                    relative.has_interface
                        || header.kind.name().starts_with("record")
                        || header.parts.iter().any(|part| saying.contains(&part.path))
                        || declares(base, relative.key, names)?
                }
            };
            Ok(is_concerned.then_some(relative.key))
        });
        concerned.filter_map(Result::transpose).collect()
    }
}

/// Whether a type declares a member of one of these names. What it overrides need not be said in its files.
fn declares(base: &Snapshot, key: TypeKey, names: &BTreeSet<String>) -> Result<bool, IndexError> {
    let symbols = base.symbols(key)?;
    let mut members = symbols.members.iter();
    Ok(members.any(|member| names.contains(member.simple_name())))
}

impl Relative {
    /// `kinds`: how it depends on the type through which it was found.
    fn new(key: TypeKey, kinds: EdgeKinds, header: Option<TypeHeader>) -> Self {
        let n_bases = header.as_ref().map_or(0, |header| header.base_list.len());
        Self {
            key,
            has_interface: n_bases > 1 || kinds.contains(EdgeKind::Implements),
            header,
        }
    }
}

/// Whether a type is an interface or has one in its own base lists, on the old side.
fn is_or_lists_interface(base: &Snapshot, key: TypeKey) -> Result<bool, IndexError> {
    let header = base.type_header(key)?;
    if header.is_some_and(|header| header.kind == TypeKind::Interface) {
        return Ok(true);
    }
    let signature = base.symbols(key)?.signature;
    let mut source = signature.source.iter().map(|edge| edge.kinds);
    let mut external = signature.external.iter().map(|edge| edge.kinds);
    let is_interface = |kinds: EdgeKinds| kinds.contains(EdgeKind::Implements);
    Ok(source.any(is_interface) || external.any(is_interface))
}

/// The types whose base lists name a type, with how they depend on it.
fn in_base_lists(base: &Snapshot, key: TypeKey) -> Result<Vec<(TypeKey, EdgeKinds)>, IndexError> {
    let mut users = base.dependents(key)?;
    users.retain(|(_, kinds)| {
        kinds.contains(EdgeKind::Inherits) || kinds.contains(EdgeKind::Implements)
    });
    Ok(users)
}
