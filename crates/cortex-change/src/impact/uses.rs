//! Every place that uses a changed symbol, from the bindings of the files that have to do with its type.
//!
//! Must not know: which of them are told, and how.

use crate::diff_context::compared::Compared;
use cortex_derived::doc_ids::DocIds;
use cortex_look::{
    QueryError,
    dispatch::{Dispatch, Types},
    roles::{role_of_name, role_of_use},
};
use cortex_wire::Certainty;

use cortex_wire::Role;
use std::collections::{BTreeMap, BTreeSet, hash_map::Entry};

use cortex_index::{BoundTarget, DeclBindings, FileSummary, MemberTag, Receiver, Snapshot};
use cortex_model::{EdgeKind, RepoPath, TypeKey};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// A symbol to look for, and what its uses mean.
#[derive(Clone, Copy)]
pub(crate) struct Want {
    /// The member; `None` for the type.
    pub(crate) member: Option<MemberTag>,
    /// The changed symbol that is used, by index.
    pub(crate) symbol: usize,
    /// What leads to it where the place names something else, by index.
    pub(crate) via: Option<usize>,
    /// The type whose member a use must be able to run, where what is named is a contract of that member.
    pub(crate) runs: Option<TypeKey>,
    /// The type of whose objects a use must be able to run what is named, where others do not lead to the symbol.
    pub(crate) on: Option<TypeKey>,
    /// The contract that is named, where many types implement it: a use must be made on a type that derives from it or is
    /// constructed with types of the repository, which tells what may run.
    pub(crate) narrow: Option<TypeKey>,
}

impl Want {
    /// All uses of a member, or of a type, whatever they are made on.
    pub(crate) fn of(member: Option<MemberTag>, symbol: usize) -> Self {
        Self {
            member,
            symbol,
            via: None,
            runs: None,
            on: None,
            narrow: None,
        }
    }
}

/// What is looked for, by type.
pub(crate) type Wanted = BTreeMap<TypeKey, Vec<Want>>;

/// A place.
pub(crate) struct Found {
    pub(crate) want: Want,
    /// The file, an index into [`Places::files`].
    pub(crate) file: u32,
    /// The project that compiles it, an index into its projects.
    pub(crate) project: u16,
    pub(crate) offset: u32,
    pub(crate) role: Role,
    pub(crate) certainty: Certainty,
    /// The type or member around it.
    pub(crate) inside: Option<(TypeKey, Option<MemberTag>)>,
    /// What a contract's member is called on.
    pub(crate) receiver: Receiver,
}

impl Found {
    /// The type whose objects run the member around the place, as that calls what only these have on itself; `None` where
    /// any object may.
    fn object(&self) -> Option<TypeKey> {
        let (around, _) = self.inside?;
        let Receiver::Of(types) = &self.receiver else {
            return None;
        };
        let on = types.first()?;
        let ty = self.want.runs.or(self.want.on);
        ty.filter(|_| on.bare() == around.bare())
    }

    /// Whether it is made on a type that derives from a wide one, or is that one constructed with types of the repository:
    /// `IRepository<T>` has many implementations, `IRepository<Order>` and the `IOrderRepository` that derives from it one.
    pub(crate) fn is_narrower(&self, wide: TypeKey) -> bool {
        match &self.receiver {
            Receiver::Of(types) => types.len() > 1 || types.first().is_some_and(|on| *on != wide),
            Receiver::Any | Receiver::Base => false,
        }
    }

    /// Whether it may run what is looked for, by the constructed type of what it is called on.
    fn may_run(
        &self,
        dispatch: &mut Dispatch,
        types: &mut Types<'_, '_>,
    ) -> Result<bool, QueryError> {
        match (self.want.runs, self.want.on) {
            (Some(owner), _) => dispatch.may_run(types, owner, &self.receiver),
            (None, Some(on)) => match (&self.receiver, self.inside) {
                // What is named runs, on an object of the type around.
                (Receiver::Base, Some((around, _))) => {
                    dispatch.may_run(types, on, &Receiver::Of(vec![around]))
                }
                (Receiver::Base, None) => Ok(true),
                _ => dispatch.may_run(types, on, &self.receiver),
            },
            (None, None) => Ok(true),
        }
    }
}

/// Which objects run a member, as far as the calls in it say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Objects {
    Any,
    /// Those of some types, and of types derived from these.
    Of(BTreeSet<TypeKey>),
}

impl Objects {
    /// Those that run the member around a place.
    pub(crate) fn at(found: &Found) -> Self {
        match found.object() {
            Some(ty) => Self::Of(BTreeSet::from([ty])),
            None => Self::Any,
        }
    }

    /// These and others.
    pub(crate) fn or(self, others: Self) -> Self {
        match (self, others) {
            (Self::Of(mut types), Self::Of(others)) => {
                types.extend(others);
                Self::Of(types)
            }
            _ => Self::Any,
        }
    }
}

/// The places of one snapshot.
#[derive(Default)]
pub(crate) struct Places {
    /// By path, but for those that were added.
    pub(crate) files: Vec<FileSummary>,
    /// Indices of files that were added or looked for.
    known: FxHashMap<RepoPath, u32>,
    /// By file, project and position.
    pub(crate) found: Vec<Found>,
}

impl Places {
    /// Leaves out calls that cannot run what is looked for on any object of the constructed type that they are made on,
    /// and calls in product code that tests alone let end in a type of theirs.
    pub(crate) fn retain_runnable(
        &mut self,
        compared: &Compared,
        ids: &mut DocIds<'_>,
    ) -> Result<(), QueryError> {
        let mut dispatch = Dispatch::default();
        let mut of_tests: FxHashMap<TypeKey, bool> = FxHashMap::default();
        let mut out = Vec::with_capacity(self.found.len());
        for found in self.found.drain(..) {
            if found
                .want
                .narrow
                .is_some_and(|wide| !found.is_narrower(wide))
            {
                continue;
            }
            if let Some(owner) = found.want.runs {
                let file = &self.files[found.file as usize];
                let is_in_tests = compared.is_of_tests(&file.projects[found.project as usize]);
                let is_of_tests = match of_tests.entry(owner) {
                    Entry::Occupied(known) => *known.get(),
                    Entry::Vacant(entry) => {
                        let header = ids.snapshot().type_header(owner)?;
                        let is_of_tests =
                            header.is_some_and(|it| compared.is_of_tests(&it.project));
                        *entry.insert(is_of_tests)
                    }
                };
                if is_of_tests && !is_in_tests {
                    continue;
                }
            }
            if found.may_run(&mut dispatch, &mut Types(ids))? {
                out.push(found);
            }
        }
        self.found = out;
        Ok(())
    }

    /// The index of a file, which is added where it is missing: then it stands behind the others.
    pub(crate) fn file(&mut self, file: &FileSummary) -> u32 {
        if let Some(&known) = self.known.get(&file.path) {
            return known;
        }
        let known = self.files.iter().rposition(|it| it.path == file.path);
        let at = known.unwrap_or_else(|| {
            self.files.push(file.clone());
            self.files.len() - 1
        });
        self.known.insert(file.path.clone(), at as u32);
        at as u32
    }
}

/// Wants by the symbol that is named.
type ByTarget = FxHashMap<(TypeKey, Option<MemberTag>), Vec<Want>>;

/// Finds all uses of what is wanted. Reads the bindings of each file that has to do with a wanted type once.
pub(crate) fn find(snapshot: &Snapshot, wanted: &Wanted) -> Result<Places, QueryError> {
    let by_type: Vec<(&TypeKey, &Vec<Want>)> = wanted.iter().collect();
    let referrers = by_type.par_iter().map(|(key, wants)| {
        let tags: Option<Vec<MemberTag>> = wants.iter().map(|want| want.member).collect();
        Ok(snapshot.referrers(**key, tags.as_deref())?)
    });
    let mut files: BTreeMap<RepoPath, FileSummary> = BTreeMap::new();
    for file in (referrers
        .collect::<Result<Vec<_>, QueryError>>()?
        .into_iter())
    .flatten()
    {
        files.entry(file.path.clone()).or_insert(file);
    }
    let mut by_target = ByTarget::default();
    for (&key, wants) in wanted {
        for want in wants {
            let same = by_target.entry((key, want.member)).or_default();
            same.push(*want);
        }
    }
    let files: Vec<FileSummary> = files.into_values().collect();
    let found = files.par_iter().enumerate();
    let found = found.map(|(at, file)| find_in(snapshot, &by_target, at as u32, file));
    let found = found.collect::<Result<Vec<_>, QueryError>>()?;
    Ok(Places {
        files,
        found: found.into_iter().flatten().collect(),
        ..Places::default()
    })
}

/// Finds the uses in one file, which has this index.
fn find_in(
    snapshot: &Snapshot,
    by_target: &ByTarget,
    at: u32,
    file: &FileSummary,
) -> Result<Vec<Found>, QueryError> {
    let mut out = Vec::new();
    for (project_at, project) in file.projects.iter().enumerate() {
        let bindings = snapshot.bindings(&file.path, project)?;
        let wants: Vec<&[Want]> = bindings
            .targets
            .iter()
            .map(|target| {
                let found = symbol(target).and_then(|symbol| by_target.get(&symbol));
                found.map(Vec::as_slice).unwrap_or_default()
            })
            .collect();
        if wants.iter().all(|wants| wants.is_empty()) {
            continue;
        }
        for decl in &bindings.decls {
            let inside =
                (decl.symbol).and_then(|around| symbol(&bindings.targets[around as usize]));
            let mut add = |target: u32, offset, role, certainty| {
                out.extend(wants[target as usize].iter().map(|&want| Found {
                    want,
                    file: at,
                    project: project_at as u16,
                    offset,
                    role,
                    certainty: match want.via {
                        Some(_) => Certainty::Possible,
                        None => certainty,
                    },
                    inside,
                    receiver: match want.runs.or(want.on) {
                        Some(_) => receiver(decl, &bindings.targets, target, offset),
                        None => Receiver::Any,
                    },
                }));
            };
            // What documentation names does not run.
            for found in decl.refs.iter().filter(|it| it.kind != EdgeKind::Doc) {
                let certainty = match found.certainty {
                    cortex_semantics::Certainty::Exact => Certainty::Exact,
                    cortex_semantics::Certainty::OverloadSet => Certainty::Possible,
                };
                add(
                    found.target,
                    found.offset,
                    role_of_name(found.kind),
                    certainty,
                );
            }
            for found in &decl.uses {
                let role = role_of_use(found.how);
                add(found.target, found.offset, role, Certainty::Exact);
            }
        }
    }
    Ok(out)
}

/// What a member is called on: at least an object of the type that declares it.
fn receiver(decl: &DeclBindings, targets: &[BoundTarget], target: u32, offset: u32) -> Receiver {
    match (decl.receiver_at(targets, offset), &targets[target as usize]) {
        (Receiver::Any, &BoundTarget::Member(declaring, _)) => Receiver::Of(vec![declaring]),
        (known, _) => known,
    }
}

/// The symbol of the repository that a target is.
pub(super) fn symbol(target: &BoundTarget) -> Option<(TypeKey, Option<MemberTag>)> {
    match *target {
        BoundTarget::Type(key) => Some((key, None)),
        BoundTarget::Member(key, tag) => Some((key, Some(tag))),
        BoundTarget::External(..) => None,
    }
}
