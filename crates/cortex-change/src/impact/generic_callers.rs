//! Who calls a member of a generic type for which of its type arguments: `Repository<T>.Save` for `Order`.
//!
//! Owns: which constructions of the generic type are for what. Must not know: why an object is asked for.

use std::collections::BTreeSet;

use cortex_derived::{dispatch::Hierarchy, doc_ids::DocIds};
use cortex_index::MemberTag;
use cortex_look::{QueryError, dispatch::Types};
use cortex_model::{EdgeKind, TypeKey, simple_name};
use cortex_wire::{CodePlace, Role};

use crate::{
    diff_context::{blobs::BlobSource, compared::Compared},
    impact::{
        file_lines::FileLines,
        next::Member,
        promises::promises,
        uses::{Want, Wanted, find},
    },
};

/// Members that run something though their own code does not say so.
#[derive(Clone, Default, Debug)]
pub(crate) struct Running {
    /// Those that run it for sure.
    pub(crate) code: Vec<Member>,
    /// Those that call a member which it implements: a double may stand there.
    pub(crate) through_contracts: Vec<Member>,
}

impl Running {
    pub(crate) fn add(&mut self, other: &Running) {
        self.code.extend(&other.code);
        self.through_contracts.extend(&other.through_contracts);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.code.is_empty() && self.through_contracts.is_empty()
    }
}

/// Who calls a member for an object.
#[derive(Clone, Default)]
pub(super) struct Callers {
    /// The calls of product code, by path and line.
    pub(super) places: Vec<CodePlace>,
    /// Its calls of other members of the generic type, which call the member and may run it.
    pub(super) through: Vec<CodePlace>,
    /// All members that have a call of either kind; some may be tests.
    pub(super) running: Running,
}

/// Who calls a member for one object, before it is told.
#[derive(Clone, Default)]
struct Gathered {
    /// Calls of the member, then of others that call it.
    calls: [BTreeSet<CodePlace>; 2],
    /// Who calls the member itself, then who calls what it implements.
    members: [BTreeSet<Member>; 2],
}

/// Who calls a member of a generic type for each of some objects, by its name or that of what it implements, also through
/// other members of the type; `None` for an object that no type is for where others are for objects of the repository.
/// `objects`: simple names of types, in lower case.
///
/// A type that derives from the generic one is for the objects that are arguments in its bases; the constructed type of
/// what a call is made on decides which of them may run. Reads the bindings of the files that name the member, once.
pub(super) fn callers_for(
    compared: &Compared,
    ids: &mut DocIds<'_>,
    source: BlobSource<'_>,
    (member, id): (Member, &str),
    objects: &[&str],
) -> Result<Vec<Option<Callers>>, QueryError> {
    let (concrete, is_told_apart) = concrete(ids, member.0, objects)?;
    let mut out: Vec<Gathered> = vec![Gathered::default(); objects.len()];
    let mut known = BTreeSet::from([member.1]);
    let mut todo = vec![(member.1, id.to_owned())];
    let (mut reader, mut lines) = (source.open(), FileLines::default());
    while let Some((called, id)) = todo.pop().filter(|_| !concrete.is_empty()) {
        let is_other = usize::from(called != member.1);
        let wants = wants(ids, (member.0, called), &id, &concrete)?;
        let mut places = find(ids.snapshot(), &wants)?;
        places.retain_runnable(compared, ids)?;
        for found in places.found.iter().filter(|it| it.role == Role::Call) {
            let Some((around, Some(tag))) = found.inside else {
                continue;
            };
            let inside = ids.of(around, Some(tag))?;
            if around == member.0 {
                // Another member of the generic type, which runs for all objects.
                todo.extend(inside.filter(|_| known.insert(tag)).map(|id| (tag, id)));
                continue;
            }
            let Gathered { calls, members } = &mut out[found.want.symbol];
            let is_promise = found.want.runs.is_some();
            members[usize::from(is_promise)].insert((around, tag));
            let file = &places.files[found.file as usize];
            if compared.is_of_tests(&file.projects[usize::from(found.project)]) {
                continue;
            }
            calls[is_other].insert(CodePlace {
                path: file.path.clone(),
                line: lines.line(&mut reader, file.blob, found.offset)?,
                inside,
            });
        }
    }
    let told = out
        .into_iter()
        .enumerate()
        .map(|(at, Gathered { calls, members })| {
            let is_of_any = concrete.iter().any(|(_, object)| *object == at);
            let [places, through] = calls.map(Vec::from_iter);
            let [code, through_contracts] = members.map(Vec::from_iter);
            (is_of_any || !is_told_apart).then_some(Callers {
                places,
                through,
                running: Running {
                    code,
                    through_contracts,
                },
            })
        });
    Ok(told.collect())
}

/// What is looked for to find the calls of a member of a generic type, and of what it implements, on objects of some
/// types: each is about the object that its type is for.
fn wants(
    ids: &mut DocIds<'_>,
    (key, tag): Member,
    id: &str,
    concrete: &[(TypeKey, usize)],
) -> Result<Wanted, QueryError> {
    let mut named: Vec<(TypeKey, MemberTag, bool)> = vec![(key, tag, false)];
    for (_, promise) in promises(ids, key, &[id])? {
        named.push((promise.ty, promise.tag, true));
    }
    let mut out = Wanted::new();
    for &(concrete, object) in concrete {
        for (ty, tag, is_promise) in &named {
            out.entry(*ty).or_default().push(Want {
                runs: is_promise.then_some(concrete),
                on: Some(concrete),
                ..Want::of(Some(*tag), object)
            });
        }
    }
    Ok(out)
}

/// The types that derive from a generic one for one of some objects, with its index; and whether types of the repository
/// are given to it.
fn concrete(
    ids: &mut DocIds<'_>,
    generic: TypeKey,
    objects: &[&str],
) -> Result<(Vec<(TypeKey, usize)>, bool), QueryError> {
    let snapshot = ids.snapshot();
    let (mut out, mut is_told_apart) = (Vec::new(), false);
    for (ty, kinds) in snapshot.dependents(generic)? {
        let is_derived = kinds.contains(EdgeKind::Inherits) || kinds.contains(EdgeKind::Implements);
        let header = match is_derived {
            true => Types(ids).header(ty)?,
            false => None,
        };
        for argument in header.into_iter().flat_map(|header| header.arguments) {
            let Some(named) = snapshot.type_header(argument)? else {
                continue;
            };
            is_told_apart = true;
            let name = simple_name(&named.fqn).to_lowercase();
            let named = objects.iter().position(|object| **object == name);
            out.extend(named.map(|object| (ty, object)));
        }
    }
    out.dedup();
    Ok((out, is_told_apart))
}
