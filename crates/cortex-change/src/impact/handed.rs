//! Unchanged code that hands a changed type to a framework, which calls its members: as a type argument of a call
//! (`JobBuilder.Create<T>()`), or with all types of an assembly (`ApplyConfigurationsFromAssembly(typeof(C).Assembly)`).
//!
//! Owns: which calls these are. Must not know: registrations for injection, which have their own rows.

use std::collections::{BTreeMap, BTreeSet};

use cortex_derived::{doc_ids::DocIds, target::Target};
use cortex_look::{QueryError, registration};
use cortex_model::{EdgeKind, RepoPath, TypeKey};
use cortex_wire::{HandedHow, HandedType, MemberChangeKind, UseSide};

use super::{
    calling::each_named_type,
    file_lines::FileLines,
    next::Member,
    promises,
    registrations::stands_for_assembly,
    symbols::ChangedSymbol,
    uses::{Found, Places},
};
use crate::{
    diff_context::{blobs::BlobSource, compared::Compared},
    reading::ChangedLines,
};

/// So many types are looked for.
const MAX_TYPES: usize = 40;

/// What more places hand over says little of each.
const MAX_PLACES: usize = 6;

/// What names of calls have in them that go through the types of an assembly.
const OF_ASSEMBLIES: [&str; 5] = [
    "Assembl",
    "Scan",
    "AddAutoMapper",
    "AddMediatR",
    "AddProfiles",
];

/// A word of each text that hands over an assembly.
const ASSEMBLY: &str = "Assembly";

/// A call that hands over a type.
struct Call {
    ty: TypeKey,
    how: HandedHow,
    name: String,
    at: usize,
}

/// What hands over changed types.
#[derive(Default)]
pub(crate) struct Handed {
    pub(crate) told: Vec<HandedType>,
    /// The product members that have a framework go through an assembly: whoever runs them runs what changed.
    pub(crate) scanning: Vec<Member>,
}

/// Finds the unchanged product code that hands over types of the product of which a member runs otherwise that implements or
/// overrides one from outside of the repository. `changed`: members that do, and new types. Reads the files that name such a type or a type of its project.
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
    let (mut places, mut calls) = (Places::default(), Vec::new());
    let is_of_tests = |project: &RepoPath| compared.is_of_tests(project);
    // Each by its own name.
    let mut names: BTreeSet<String> = BTreeSet::new();
    for key in types.keys() {
        let header = compared.new.type_header(*key)?;
        names.extend(header.map(|it| cortex_model::simple_name(&it.fqn).to_owned()));
    }
    each_named_type(
        (&compared.new, &mut reader),
        names.iter().map(String::as_str),
        |key| types.contains_key(key).then_some(*key),
        is_of_tests,
        |named, ty| {
            let offset = named.name.offset as usize;
            let is_local = named.name.kind == EdgeKind::Local;
            let call = is_local
                .then(|| call_of_type_argument(named.text, offset))
                .flatten();
            let is_registered = registration::call_around(named.text, offset).is_some();
            if let Some(name) = call.filter(|it| !is_registered && !is_of_assemblies(it)) {
                let (how, at) = (HandedHow::TypeArgument, places.found.len());
                calls.push(Call {
                    ty,
                    how,
                    name: name.to_owned(),
                    at,
                });
                let file = places.file(named.file);
                places.found.push(named.found(0, file));
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
                    call_of_typeof(named.text, offset)
                }
                EdgeKind::Local => call_of_type_argument(named.text, offset),
                _ => None,
            };
            if let Some(name) = name.filter(|it| is_of_assemblies(it)) {
                let (how, at) = (HandedHow::Assembly, places.found.len());
                calls.push(Call {
                    ty,
                    how,
                    name: name.to_owned(),
                    at,
                });
                let file = places.file(named.file);
                places.found.push(named.found(0, file));
            }
        },
    )?;
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

/// The members of the newer side that run otherwise than before, of changed symbols.
pub(crate) fn running_otherwise(symbols: &[ChangedSymbol]) -> Vec<Target> {
    let runs = symbols.iter().filter(|it| {
        let is_same = matches!(
            it.change,
            MemberChangeKind::Docs | MemberChangeKind::Removed | MemberChangeKind::Registered
        );
        it.side == UseSide::New && !is_same
    });
    runs.filter_map(|it| Some(Target::Member(it.key, it.member?)))
        .collect()
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

/// The name of the call that has a type argument, or one with it inside. `offset`: where the name of the type stands.
fn call_of_type_argument(text: &[u8], offset: usize) -> Option<&str> {
    let mut depth = 0_usize;
    let is_inside = |it: &u8| it.is_ascii_alphanumeric() || b"_.,:?[] \n\r\t<>".contains(it);
    let mut open = None;
    for at in (0..offset.min(text.len())).rev() {
        match text[at] {
            b'>' => depth += 1,
            b'<' if depth == 0 => {
                open = Some(at);
                break;
            }
            b'<' => depth -= 1,
            byte if !is_inside(&byte) => return None,
            _ => {}
        }
    }
    let open = open?;
    depth = 0;
    let behind = text[open..].iter().position(|byte| {
        match byte {
            b'<' => depth += 1,
            b'>' => depth -= 1,
            _ => {}
        }
        depth == 0
    })?;
    let rest = text[open + behind + 1..].trim_ascii_start();
    let name = name_before(text, open).filter(|_| rest.starts_with(b"("))?;
    // What is made of a type, or asked for, is given to no framework.
    let start = text[..open].trim_ascii_end().len() - name.len();
    let is_made = text[..start].trim_ascii_end().ends_with(b"new");
    (!is_made && !name.starts_with("Get")).then_some(name)
}

/// The name of the call that is given `typeof(T)`, or something of it. `offset`: where the name of the type stands.
fn call_of_typeof(text: &[u8], offset: usize) -> Option<&str> {
    let mut depth = 0_usize;
    // The first parenthesis is that of `typeof`.
    let mut n_open = 0;
    for at in (0..offset.min(text.len())).rev() {
        match text[at] {
            b')' => depth += 1,
            b'(' if depth > 0 => depth -= 1,
            b'(' => {
                n_open += 1;
                if n_open == 2 {
                    return name_before(text, at);
                }
            }
            b';' | b'{' | b'}' => return None,
            _ => {}
        }
    }
    None
}

/// The name that ends where something begins.
fn name_before(text: &[u8], end: usize) -> Option<&str> {
    let before = text[..end].trim_ascii_end();
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let start = before
        .iter()
        .rposition(|b| !is_part(b))
        .map_or(0, |at| at + 1);
    let name = std::str::from_utf8(&before[start..]).ok()?;
    (!name.is_empty()).then_some(name)
}

fn is_of_assemblies(call: &str) -> bool {
    OF_ASSEMBLIES.iter().any(|it| call.contains(it))
}

/// Describes calls.
struct Teller<'t, 's, 'r> {
    compared: &'t Compared,
    places: &'t Places,
    ids: DocIds<'s>,
    lines: FileLines,
    reader: &'t mut crate::diff_context::blobs::Reader<'r>,
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
