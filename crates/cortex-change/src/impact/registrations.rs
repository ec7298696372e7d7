//! Registrations of changed types for dependency injection, and who has their services injected.
//!
//! A registration is a call whose name begins with `Add`, `TryAdd`, `Register`, `Replace` or `Decorate`, in a
//! file that mentions one of the usual names, with the type among its type arguments, or as `typeof` or `new`
//! among its arguments. What is injected is what constructors take.

mod exchanged;
mod named;
mod others;
mod outside;

use crate::{
    diff_context::{blobs::Reader, compared::Compared},
    impact::{
        calling::each_named_type,
        dispatch::Hierarchy,
        uses::{Places, Want, Wanted, find},
    },
    reading::ChangedLines,
};
use cortex_derived::doc_ids::DocIds;
use cortex_look::{
    QueryError,
    registration::{CALLS, call_around},
};
use cortex_wire::Role;
pub(crate) use exchanged::exchanged;
pub(super) use exchanged::exchanged_symbols;
use named::named;
pub(super) use others::others;
pub(super) use outside::outside_services;
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, btree_map::Entry},
};

use cortex_git::ReadBlob;
use cortex_index::{BoundTarget, FileBindings, Snapshot};
use cortex_model::{EdgeKind, RepoPath, TypeKey};
use cortex_syntax::text::decode;

/// A registration of a type.
pub(crate) struct Registered {
    /// The type, by its index among those asked for.
    pub(crate) ty: usize,
    /// What it is registered as, where that is another type of the repository.
    pub(crate) service: Option<TypeKey>,
    /// Where, in [`Registrations::places`]: the place of the type's name.
    pub(crate) at: usize,
    /// The text of the key that it is registered with, if any.
    key: Option<Vec<u8>>,
    /// Constructors' parameters of the service's type that ask for this key, or for none, in
    /// [`Registrations::consumers`].
    pub(crate) consumers: Vec<usize>,
}

/// All registrations of some types.
#[derive(Default)]
pub(crate) struct Registrations {
    pub(crate) places: Places,
    pub(crate) registered: Vec<Registered>,
    pub(crate) consumers: Places,
}

/// Finds the registrations of types. Reads the files that have to do with one of them and mention a call.
pub(crate) fn registrations(
    snapshot: &Snapshot,
    types: &[TypeKey],
    reader: &mut Reader<'_>,
) -> Result<Registrations, QueryError> {
    let mut out = Registrations::default();
    if types.is_empty() {
        return Ok(out);
    }
    each_named_type(
        (snapshot, reader),
        CALLS,
        |key| types.binary_search(key).ok(),
        |_| false,
        |named, ty| {
            let kinds = [EdgeKind::Local, EdgeKind::TypeOf, EdgeKind::Creates];
            let offset = named.name.offset;
            let call = (kinds.contains(&named.name.kind))
                .then(|| call_around(named.text, offset as usize))
                .flatten();
            let Some(start) = call else { return };
            if stands_for_assembly(named.text, offset as usize) {
                return;
            }
            let service = service(named.bindings, named.decl, start as u32, offset);
            let file = out.places.file(named.file);
            out.registered.push(Registered {
                ty,
                service: service.filter(|&service| service != types[ty]),
                at: out.places.found.len(),
                key: key_of_call(named.text, start),
                consumers: Vec::new(),
            });
            out.places.found.push(named.found(ty, file));
        },
    )?;
    drop_unrelated(snapshot, types, &mut out)?;
    consumers((snapshot, reader), &mut out)?;
    Ok(out)
}

/// So many unchanged types that changed calls register are followed.
const MAX_NEWLY: usize = 64;

/// The unchanged types of product code that calls on changed lines register, with the lines by file. Reads the changed files
/// of C# that mention a call.
pub(crate) fn registered_anew(
    compared: &Compared,
    changed: &[TypeKey],
) -> Result<(BTreeSet<TypeKey>, BTreeMap<RepoPath, ChangedLines>), QueryError> {
    let (mut types, mut all) = (BTreeSet::new(), BTreeMap::new());
    for side in compared.files.iter().filter_map(|file| file.new.as_ref()) {
        let read = || Ok(Cow::Borrowed(compared.texts.get(side.blob)));
        let named = named(compared, &compared.new, side, read)?;
        let lines = (!named.is_empty()).then(|| ChangedLines::of(compared, &side.path));
        let Some(lines) = lines.flatten() else {
            continue;
        };
        for name in named.iter().filter(|it| lines.has(it.offset)) {
            if !changed.contains(&name.key) && types.len() < MAX_NEWLY {
                types.insert(name.key);
            }
        }
        all.insert(side.path.clone(), lines);
    }
    Ok((types, all))
}

/// Leaves out what a call names beside a type and the type cannot stand for: `AddIdentity<User, Role>()` makes no role
/// a user.
fn drop_unrelated(
    snapshot: &Snapshot,
    types: &[TypeKey],
    out: &mut Registrations,
) -> Result<(), QueryError> {
    let mut ids = DocIds::new(snapshot);
    let mut hierarchy = Hierarchy::default();
    for registered in &mut out.registered {
        if let Some(service) = registered.service
            && !hierarchy.is_below(&mut ids, types[registered.ty], service)?
        {
            registered.service = None;
        }
    }
    Ok(())
}

/// The text of the key of a registration, as in `AddKeyedSingleton<S, T>("key")` and `AddKeyedSingleton(typeof(S), "key",
/// typeof(T))`. `start`: where the type arguments or arguments of the call begin.
fn key_of_call(text: &[u8], start: usize) -> Option<Vec<u8>> {
    let before = text[..start].trim_ascii_end();
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let name = &before[before
        .iter()
        .rposition(|b| !is_part(b))
        .map_or(0, |at| at + 1)..];
    memchr::memmem::find(name, b"Keyed")?;
    let open = start + text[start..].iter().position(|b| *b == b'(')?;
    let mut arguments = arguments(text, open).into_iter();
    arguments
        .find(|it| !it.starts_with(b"typeof"))
        .map(<[u8]>::to_vec)
}

/// The text of the key that a parameter asks for: `[FromKeyedServices("key")] S service`. `ty`: where its type begins.
fn key_of_parameter(text: &[u8], ty: usize) -> Option<Vec<u8>> {
    const ATTRIBUTE: &[u8] = b"FromKeyedServices";
    let before = text[..ty.min(text.len())].trim_ascii_end();
    if !before.ends_with(b"]") {
        return None;
    }
    let start = memchr::memmem::rfind(before, b"[")?;
    let attribute = &before[start..];
    let name = memchr::memmem::find(attribute, ATTRIBUTE)?;
    let open = start + name + attribute[name..].iter().position(|b| *b == b'(')?;
    arguments(before, open).first().map(|it| it.to_vec())
}

/// The texts between the commas of a list in brackets. `open`: where that begins.
fn arguments(text: &[u8], open: usize) -> Vec<&[u8]> {
    let (mut depth, mut start) = (0usize, open + 1);
    let mut out = Vec::new();
    for (at, byte) in text.iter().enumerate().skip(open) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 1 => {
                out.push(text[start..at].trim_ascii());
                start = at + 1;
            }
            _ => {}
        }
        if depth == 0 {
            out.push(text[start..at].trim_ascii());
            break;
        }
    }
    out
}

/// Finds who takes the services.
fn consumers(
    (snapshot, reader): (&Snapshot, &mut Reader<'_>),
    out: &mut Registrations,
) -> Result<(), QueryError> {
    let mut wanted = Wanted::new();
    for (at, registered) in out.registered.iter().enumerate() {
        if let Some(service) = registered.service {
            wanted.entry(service).or_default().push(Want {
                via: Some(at),
                ..Want::of(None, at)
            });
        }
    }
    if wanted.is_empty() {
        return Ok(());
    }
    let mut places = find(snapshot, &wanted)?;
    let constructor = |id: &str| id.starts_with("M.#ctor");
    let mut symbols: BTreeMap<TypeKey, cortex_index::TypeSymbols> = BTreeMap::new();
    let mut is_injected = Vec::with_capacity(places.found.len());
    for found in &places.found {
        let is_parameter = found.role == Role::Parameter;
        is_injected.push(match found.inside.filter(|_| is_parameter) {
            // Of a type: its primary constructor.
            Some((_, None)) => true,
            Some((key, Some(tag))) => {
                let symbols = match symbols.entry(key) {
                    Entry::Occupied(entry) => entry.into_mut(),
                    Entry::Vacant(entry) => entry.insert(snapshot.symbols(key)?),
                };
                let mut all = symbols.members.iter().zip(symbols.tags());
                all.any(|(member, it)| constructor(&member.id) && it == tag)
            }
            None => false,
        });
    }
    let mut keep = is_injected.into_iter();
    places.found.retain(|_| keep.next().unwrap_or(false));
    let mut texts: BTreeMap<u32, Vec<u8>> = BTreeMap::new();
    for (at, found) in places.found.iter().enumerate() {
        let text = match texts.entry(found.file) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let blob = places.files[found.file as usize].blob;
                entry.insert(decode(&reader.read_blob(blob)?).as_bytes().to_vec())
            }
        };
        let registered = &mut out.registered[found.want.symbol];
        if registered.key == key_of_parameter(text, found.offset as usize) {
            registered.consumers.push(at);
        }
    }
    out.consumers = places;
    Ok(())
}

/// Whether the name of a type at an offset is the one in `typeof(T).Assembly`.
pub(super) fn stands_for_assembly(text: &[u8], offset: usize) -> bool {
    let behind = text.get(offset..).unwrap_or_default();
    let close = behind
        .iter()
        .position(|byte| matches!(byte, b')' | b',' | b';'));
    let Some(close) = close.filter(|at| behind[*at] == b')') else {
        return false;
    };
    let member = behind[close + 1..].trim_ascii_start();
    (member.strip_prefix(b".")).is_some_and(|it| it.trim_ascii_start().starts_with(b"Assembly"))
}

/// What a registration that starts there names first.
fn service(
    bindings: &FileBindings,
    decl: &cortex_index::DeclBindings,
    start: u32,
    end: u32,
) -> Option<TypeKey> {
    let mut inside = (decl.refs.iter()).filter(|it| it.offset >= start && it.offset < end);
    inside.find_map(|found| match bindings.targets[found.target as usize] {
        BoundTarget::Type(key) if matches!(found.kind, EdgeKind::Local | EdgeKind::TypeOf) => {
            Some(key)
        }
        _ => None,
    })
}
