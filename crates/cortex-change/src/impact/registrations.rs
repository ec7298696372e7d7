//! Registrations of changed types for dependency injection, and who has their services injected.
//!
//! A registration is a call whose name begins with `Add`, `TryAdd`, `Register`, `Replace` or `Decorate`, in a
//! file that mentions one of the usual names, with the type among its type arguments, or as `typeof` or `new`
//! among its arguments. What is injected is what constructors take.

use crate::{
    diff_context::blobs::Reader,
    impact::uses::{Found, Places, Want, Wanted, find},
};
use cortex_look::{QueryError, roles::role_of_name};
use cortex_wire::Certainty;

use cortex_wire::Role;
use std::{collections::BTreeMap, ops::Range};

use cortex_index::{BoundTarget, FileBindings, FileSummary, Receiver, Snapshot};
use cortex_model::{EdgeKind, RepoPath, TypeKey};

use cortex_git::ReadBlob;
use cortex_syntax::text::decode;

/// Names of the calls that are looked for; what begins like one counts in a file that has one.
const CALLS: [&str; 18] = [
    "AddSingleton",
    "AddScoped",
    "AddTransient",
    "AddKeyedSingleton",
    "AddKeyedScoped",
    "AddKeyedTransient",
    "AddHostedService",
    "AddHttpClient",
    "AddDbContext",
    "TryAdd",
    "TryAddSingleton",
    "TryAddScoped",
    "TryAddTransient",
    "TryAddEnumerable",
    "Register",
    "RegisterType",
    "RegisterInstance",
    "Decorate",
];

const PREFIXES: [&str; 5] = ["Add", "TryAdd", "Register", "Replace", "Decorate"];

/// So far back the call around a name is looked for, in bytes.
const MAX_BACK: usize = 800;

/// A registration of a type.
pub(crate) struct Registered {
    /// The type, by its index among those asked for.
    pub(crate) ty: usize,
    /// What it is registered as, where that is another type of the repository.
    pub(crate) service: Option<TypeKey>,
    /// Where, in [`Registrations::places`]: the place of the type's name.
    pub(crate) at: usize,
    /// Constructors' parameters of the service's type, in [`Registrations::consumers`].
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
    let mut calling: BTreeMap<RepoPath, FileSummary> = BTreeMap::new();
    for name in CALLS {
        for file in snapshot.files_mentioning(name)? {
            calling.entry(file.path.clone()).or_insert(file);
        }
    }
    for file in calling.values() {
        let mut text: Option<Vec<u8>> = None;
        for (project_at, project) in file.projects.iter().enumerate() {
            let bindings = snapshot.bindings(&file.path, project)?;
            let is_wanted = |target: &BoundTarget| match target {
                BoundTarget::Type(key) => types.binary_search(key).ok(),
                _ => None,
            };
            let wanted: Vec<Option<usize>> = bindings.targets.iter().map(is_wanted).collect();
            if wanted.iter().all(Option::is_none) {
                continue;
            }
            let text = match &mut text {
                Some(text) => text,
                none => none.insert(decode(&reader.read_blob(file.blob)?).as_bytes().to_vec()),
            };
            for decl in &bindings.decls {
                for found in &decl.refs {
                    let kinds = [EdgeKind::Local, EdgeKind::TypeOf, EdgeKind::Creates];
                    let Some(ty) = wanted[found.target as usize] else {
                        continue;
                    };
                    let call = (kinds.contains(&found.kind))
                        .then(|| call_around(text, found.offset as usize))
                        .flatten();
                    let Some(start) = call else { continue };
                    let service = service(&bindings, decl, start as u32, found.offset);
                    let file_at = out.places.file(file);
                    out.registered.push(Registered {
                        ty,
                        service: service.filter(|&service| service != types[ty]),
                        at: out.places.found.len(),
                        consumers: Vec::new(),
                    });
                    out.places.found.push(Found {
                        want: Want {
                            member: None,
                            symbol: ty,
                            via: None,
                            runs: None,
                        },
                        file: file_at,
                        project: project_at as u16,
                        offset: found.offset,
                        role: role_of_name(found.kind),
                        certainty: Certainty::Possible,
                        inside: decl
                            .symbol
                            .and_then(|it| match bindings.targets[it as usize] {
                                BoundTarget::Type(key) => Some((key, None)),
                                BoundTarget::Member(key, tag) => Some((key, Some(tag))),
                                BoundTarget::External(..) => None,
                            }),
                        receiver: Receiver::Any,
                    });
                }
            }
        }
    }
    consumers(snapshot, &mut out)?;
    Ok(out)
}

/// Finds who takes the services.
fn consumers(snapshot: &Snapshot, out: &mut Registrations) -> Result<(), QueryError> {
    let mut wanted = Wanted::new();
    for (at, registered) in out.registered.iter().enumerate() {
        if let Some(service) = registered.service {
            wanted.entry(service).or_default().push(Want {
                member: None,
                symbol: at,
                via: Some(at),
                runs: None,
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
                    std::collections::btree_map::Entry::Occupied(entry) => entry.into_mut(),
                    std::collections::btree_map::Entry::Vacant(entry) => {
                        entry.insert(snapshot.symbols(key)?)
                    }
                };
                let mut all = symbols.members.iter().zip(symbols.tags());
                all.any(|(member, it)| constructor(&member.id) && it == tag)
            }
            None => false,
        });
    }
    let mut keep = is_injected.into_iter();
    places.found.retain(|_| keep.next().unwrap_or(false));
    for (at, found) in places.found.iter().enumerate() {
        out.registered[found.want.symbol].consumers.push(at);
    }
    out.consumers = places;
    Ok(())
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

/// Where the arguments or type arguments begin of the registering call around a name.
fn call_around(text: &[u8], offset: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut at = offset.min(text.len());
    let end = at.saturating_sub(MAX_BACK);
    while at > end {
        at -= 1;
        match text[at] {
            b';' if depth == 0 => return None,
            b')' | b']' | b'}' => depth += 1,
            b'>' if at > 0 && text[at - 1] == b'=' => at -= 1,
            b'>' => depth += 1,
            b'{' if depth == 0 => return None,
            b'(' | b'[' | b'{' | b'<' if depth > 0 => depth -= 1,
            open @ (b'(' | b'<') => {
                let Some((start, name)) = callee(text, at, open) else {
                    continue;
                };
                if PREFIXES
                    .iter()
                    .any(|prefix| text[name.clone()].starts_with(prefix.as_bytes()))
                {
                    return Some(start);
                }
                // What is given to a constructor or to a generic type is not registered itself.
                if open == b'<' {
                    return None;
                }
                if open == b'(' && text[..name.start].trim_ascii_end().ends_with(b"new") {
                    return None;
                }
            }
            _ => {}
        }
    }
    None
}

/// Where the type arguments or arguments of a call begin, and its name, by the opening bracket of either.
fn callee(text: &[u8], at: usize, open: u8) -> Option<(usize, Range<usize>)> {
    let mut end = text[..at].trim_ascii_end().len();
    let mut start = at;
    if open == b'(' && text[..end].ends_with(b">") {
        let mut depth = 0usize;
        start = text[..end].iter().rposition(|&b| {
            match b {
                b'>' => depth += 1,
                b'<' => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        })?;
        end = text[..start].trim_ascii_end().len();
    }
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_' || !b.is_ascii();
    let before = text[..end].iter().rposition(|b| !is_part(b));
    let name = before.map_or(0, |at| at + 1)..end;
    (!name.is_empty()).then_some((start, name))
}

#[cfg(test)]
mod tests {
    use super::call_around;

    #[track_caller]
    fn check(text: &str, is_registration: bool) {
        let offset = text.find('C').expect("the type is there");
        assert_eq!(
            call_around(text.as_bytes(), offset).is_some(),
            is_registration,
            "{text}"
        );
    }

    #[test]
    fn a_registration_is_a_call_around_the_type() {
        check("s.AddSingleton<I, C>();", true);
        check("s.TryAddScoped(typeof(I), typeof(C));", true);
        check("s.AddSingleton<I>(p => new C(p));", true);
        check("b.RegisterType<C>().As<I>();", true);
        check("s.AddHostedService<N.C>();", true);
        check("s.AddSingleton<I>(p => new D(new C()));", false);
        check("s.AddOptions(); var x = new C();", false);
        check("s.Get<C>();", false);
        check("s.AddHealthChecks().AddCheck<Health<C>>();", false);
        check("s.AddSingleton<I>(); Use(typeof(C));", false);
    }
}
