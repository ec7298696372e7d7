//! Unchanged code that hands a changed type to a framework, which calls its members: as a type argument of a call
//! (`JobBuilder.Create<T>()`), or with all types of an assembly (`ApplyConfigurationsFromAssembly(typeof(C).Assembly)`).
//!
//! Owns: which calls these are. Must not know: registrations for injection, which have their own rows.

use std::collections::{BTreeMap, BTreeSet};

use cortex_derived::{doc_ids::DocIds, target::Target};
use cortex_look::{
    QueryError,
    registration::{Given, given_as_value, given_to, is_of_assembly},
};
use cortex_model::{EdgeKind, RepoPath, TypeKey, simple_name};
use cortex_wire::{HandedHow, HandedType};

use super::{
    calling::{NamedType, each_named_type},
    file_lines::FileLines,
    next::Member,
    promises,
    registrations::stands_for_assembly,
    uses::{Found, Places},
};
use crate::{
    diff_context::{
        blobs::{BlobSource, Reader},
        compared::Compared,
    },
    reading::ChangedLines,
};

/// So many types are looked for.
const MAX_TYPES: usize = 40;

/// What more places hand over says little of each.
const MAX_PLACES: usize = 6;

/// A word of each text that hands over an assembly.
const ASSEMBLY: &str = "Assembly";

/// A call that hands over a type.
struct Call {
    ty: TypeKey,
    how: HandedHow,
    name: String,
    at: usize,
}

/// Calls that hand over types, with where they are.
#[derive(Default)]
struct Calls {
    places: Places,
    all: Vec<Call>,
}

impl Calls {
    fn add(&mut self, named: &NamedType<'_>, ty: TypeKey, how: HandedHow, name: &str) {
        let (name, at) = (name.to_owned(), self.places.found.len());
        self.all.push(Call { ty, how, name, at });
        let file = self.places.file(named.file);
        self.places.found.push(named.found(0, file));
    }
}

/// The call that a type is an argument of.
fn type_argument<'t>(named: &NamedType<'t>) -> Option<Given<'t>> {
    let is_local = named.name.kind == EdgeKind::Local;
    let given = is_local.then(|| given_to(named.text, named.name.offset as usize));
    given.flatten().filter(|it| it.is_call)
}

/// What hands over changed types.
#[derive(Default)]
pub(crate) struct Handed {
    pub(crate) told: Vec<HandedType>,
    /// The product members that have a framework go through an assembly: whoever runs them runs what changed.
    pub(crate) scanning: Vec<Member>,
}

/// Finds the unchanged product code that hands over types of the product of which a member runs otherwise that implements or
/// overrides one from outside of the repository. `changed`: members that do, and new types. Where there are such types, reads
/// the files that name one, and those of code that mentions `Assembly`.
pub(crate) fn handed(
    compared: &Compared,
    changed: &[Target],
    source: BlobSource<'_>,
) -> Result<Handed, QueryError> {
    let mut ids = DocIds::new(&compared.new);
    let types = called_from_outside(compared, &mut ids, changed)?;
    if types.is_empty() {
        return Ok(Handed::default());
    }
    let projects: BTreeSet<&RepoPath> = types.values().collect();
    let mut reader = source.open();
    let is_of_tests = |project: &RepoPath| compared.is_of_tests(project);
    let mut names: BTreeSet<String> = BTreeSet::new();
    for key in types.keys() {
        let header = compared.new.type_header(*key)?;
        names.extend(header.map(|it| simple_name(&it.fqn).to_owned()));
    }
    let mut calls = Calls::default();
    each_named_type(
        (&compared.new, &mut reader),
        names.iter().map(String::as_str),
        |key| types.contains_key(key).then_some(*key),
        is_of_tests,
        |named, ty| {
            let given = type_argument(&named).filter(|it| !it.registers() && it.may_make());
            if let Some(given) = given.filter(|it| !is_of_assembly(it.name)) {
                calls.add(&named, ty, HandedHow::TypeArgument, given.name);
            }
        },
    )?;
    each_named_type(
        (&compared.new, &mut reader),
        [ASSEMBLY],
        |key| Some(*key),
        is_of_tests,
        |named, ty| {
            let offset = named.name.offset as usize;
            let name = match named.name.kind {
                EdgeKind::TypeOf if stands_for_assembly(named.text, offset) => {
                    given_as_value(named.text, offset)
                }
                _ => type_argument(&named).map(|it| it.name),
            };
            if let Some(name) = name.filter(|it| is_of_assembly(it)) {
                calls.add(&named, ty, HandedHow::Assembly, name);
            }
        },
    )?;
    let Calls { places, all: calls } = calls;
    let mut tell = Teller {
        compared,
        places: &places,
        ids,
        lines: FileLines::default(),
        reader: &mut reader,
        out: BTreeMap::new(),
        scanning: BTreeSet::new(),
    };
    for call in &calls {
        match call.how {
            HandedHow::TypeArgument => tell.add(call, call.ty)?,
            HandedHow::Assembly => {
                let header = compared.new.type_header(call.ty)?;
                let project = header.map(|it| it.project);
                let Some(project) = project.filter(|it| projects.contains(it)) else {
                    continue;
                };
                // The type that the call names stands for the assembly.
                let found = types
                    .iter()
                    .filter(|(ty, of)| **of == project && **ty != call.ty);
                for (ty, _) in found {
                    tell.add(call, *ty)?;
                }
            }
        }
    }
    Ok(tell.done())
}

/// The types of the product among which changed members are that implement or override one from outside of the repository,
/// each with its project.
fn called_from_outside(
    compared: &Compared,
    ids: &mut DocIds<'_>,
    changed: &[Target],
) -> Result<BTreeMap<TypeKey, RepoPath>, QueryError> {
    let mut out = BTreeMap::new();
    for target in changed {
        let key = target.key();
        if out.len() == MAX_TYPES || out.contains_key(&key) {
            continue;
        }
        let header = compared.new.type_header(key)?;
        let Some(header) = header.filter(|it| !compared.is_of_tests(&it.project)) else {
            continue;
        };
        let members: Vec<String> = match *target {
            Target::Member(_, tag) => ids.of(key, Some(tag))?.into_iter().collect(),
            Target::Type(_) => match ids.ty(key)? {
                Some(own) => (0..own.symbols.members.len())
                    .map(|at| own.member(at))
                    .collect(),
                None => Vec::new(),
            },
        };
        for id in members {
            if promises::outside(ids, key, &id)?.is_some() {
                out.insert(key, header.project);
                break;
            }
        }
    }
    Ok(out)
}

/// Describes calls.
struct Teller<'t, 's, 'r> {
    compared: &'t Compared,
    places: &'t Places,
    ids: DocIds<'s>,
    lines: FileLines,
    reader: &'t mut Reader<'r>,
    out: BTreeMap<(HandedHow, String), BTreeMap<String, HandedType>>,
    scanning: BTreeSet<Member>,
}

impl Teller<'_, '_, '_> {
    /// Adds a call that hands over a type, where its line did not change.
    fn add(&mut self, call: &Call, ty: TypeKey) -> Result<(), QueryError> {
        let found: &Found = &self.places.found[call.at];
        let path = &self.places.files[found.file as usize].path;
        let lines = ChangedLines::of(self.compared, path);
        if lines.is_some_and(|lines| lines.has(found.offset)) {
            return Ok(());
        }
        if let (HandedHow::Assembly, Some((key, Some(tag)))) = (call.how, found.inside) {
            self.scanning.insert((key, tag));
        }
        let Some(header) = self.compared.new.type_header(ty)? else {
            return Ok(());
        };
        let place = (self.lines).place(self.reader, &mut self.ids, self.places, found)?;
        let of_type = self.out.entry((call.how, header.fqn.clone())).or_default();
        let handed = of_type
            .entry(call.name.clone())
            .or_insert_with(|| HandedType {
                ty: header.fqn,
                how: call.how,
                call: call.name.clone(),
                places: Vec::new(),
            });
        handed.places.push(place);
        Ok(())
    }

    fn done(self) -> Handed {
        let mut told: Vec<HandedType> = self
            .out
            .into_values()
            .flat_map(BTreeMap::into_values)
            .collect();
        for it in &mut told {
            it.places.sort();
            it.places.dedup();
        }
        told.retain(|it| it.places.len() <= MAX_PLACES);
        told.sort();
        Handed {
            told,
            scanning: self.scanning.into_iter().collect(),
        }
    }
}
