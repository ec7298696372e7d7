//! Services of frameworks and packages that a changed line registers or configures, and which types take them: the calls that
//! register them are declared outside of the repository, so that no binding leads from one to the other.
//!
//! Owns: which call registers which service. Must not know: how the service is used.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use cortex_derived::doc_ids::DocIds;
use cortex_git::ReadBlob;
use cortex_index::BoundTarget;
use cortex_look::{QueryError, registration::CALLS};
use cortex_model::{LineTable, RepoPath};
use cortex_syntax::text::{CodeToken, CodeTokenKind, decode, tokens};
use cortex_wire::{CodePlace, OutsideService};

use crate::{
    diff_context::{blobs::Reader, compared::Compared},
    impact::around::Declared,
    reading::ChangedLines,
};

/// What more files take is what the whole program works with.
const MAX_FILES: usize = 40;

/// What a text mentions that registers services.
const SETUP: &[u8] = b"IServiceCollection";

/// What is called at more places is called everywhere.
const MAX_CALLING: usize = 4;

/// So many services are told.
const MAX_TOLD: usize = 4;

/// Calls whose services are not called like them, by what stands behind `Add`. Any other call registers the interface that
/// is called like it: `AddFido2` gives `IFido2`.
const SERVICES: &[(&str, &[&str])] = &[
    ("Antiforgery", &["IAntiforgery"]),
    ("Authorization", &["IAuthorizationService"]),
    ("AutoMapper", &["IMapper"]),
    ("CosmosCache", &["IDistributedCache"]),
    (
        "DataProtection",
        &["IDataProtectionProvider", "IDataProtector"],
    ),
    ("DistributedMemoryCache", &["IDistributedCache"]),
    ("DistributedPostgresCache", &["IDistributedCache"]),
    ("DistributedSqlServerCache", &["IDistributedCache"]),
    ("FeatureManagement", &["IFeatureManager"]),
    ("Hangfire", &["IBackgroundJobClient"]),
    ("HttpClient", &["IHttpClientFactory"]),
    ("HybridCache", &["HybridCache"]),
    ("Localization", &["IStringLocalizer"]),
    ("MassTransit", &["IBus", "IPublishEndpoint"]),
    ("MediatR", &["IMediator", "ISender"]),
    ("Quartz", &["ISchedulerFactory"]),
    ("SignalR", &["IHubContext"]),
    ("StackExchangeRedisCache", &["IDistributedCache"]),
];

/// The services from outside that calls with changed lines register, each with the types of the product that take it and the
/// unchanged code that makes the same call, by call and service. Reads changed files, and those that mention such a service
/// or call.
pub(in crate::impact) fn outside_services(
    compared: &Compared,
    reader: &mut Reader<'_>,
) -> Result<Vec<OutsideService>, QueryError> {
    let mut asked: BTreeMap<(String, String), CodePlace> = BTreeMap::new();
    let mut outside: BTreeSet<String> = BTreeSet::new();
    let mut ids = DocIds::new(&compared.new);
    for file in compared.files.iter().filter_map(|file| file.new.as_ref()) {
        let Some(summary) = compared.new.file(&file.path)? else {
            continue;
        };
        let mut projects = summary.projects.iter();
        let product = projects.find(|it| !compared.is_of_tests(it));
        let (Some(project), Some(lines)) = (product, ChangedLines::of(compared, &file.path)) else {
            continue;
        };
        let calls = changed_calls(&lines);
        if calls.is_empty() {
            continue;
        }
        let declared = Declared::of(&compared.new, &summary, project)?;
        // What is added to a list or a date is no service.
        let is_setup = memchr::memmem::find(lines.text(), SETUP).is_some();
        let own = own_calls(compared, &file.path, project)?;
        for (name, at) in calls {
            // What registers one type says nothing of who registers others.
            if is_setup && !own.contains(&at) && !CALLS.contains(&name.as_str()) {
                outside.insert(name.clone());
            }
            let inside = match declared.around(at) {
                Some((key, tag)) => ids.of(key, tag)?,
                None => None,
            };
            for service in services(&name) {
                let place = CodePlace {
                    path: file.path.clone(),
                    line: lines.line(at),
                    inside: inside.clone(),
                };
                asked.entry((name.clone(), service)).or_insert(place);
            }
        }
    }
    let mut out = Vec::new();
    for ((call, service), at) in asked {
        // One of the repository is bound.
        if !compared.new.types_named(&service)?.is_empty() {
            continue;
        }
        let taken_at = taking(compared, &mut ids, reader, (&service, &at))?;
        let also_called_at = match outside.contains(&call) {
            true => calling(compared, &mut ids, reader, &call)?,
            false => Vec::new(),
        };
        if !taken_at.is_empty() || !also_called_at.is_empty() {
            out.push(OutsideService {
                service,
                call,
                at,
                taken_at,
                also_called_at,
            });
        }
    }
    out.truncate(MAX_TOLD);
    Ok(out)
}

/// Where a file calls methods of the repository.
fn own_calls(
    compared: &Compared,
    path: &RepoPath,
    project: &RepoPath,
) -> Result<BTreeSet<u32>, QueryError> {
    let bindings = compared.new.bindings(path, project)?;
    let is_own = |target: u32| matches!(bindings.targets[target as usize], BoundTarget::Member(..));
    let named = bindings.decls.iter().flat_map(|decl| &decl.refs);
    let own = named.filter(|it| is_own(it.target));
    Ok(own.map(|it| it.offset).collect())
}

/// The calls that register something by their names and have a changed line, each with where its name stands.
fn changed_calls(lines: &ChangedLines) -> Vec<(String, u32)> {
    let calls = calls(lines.text()).into_iter();
    let changed = calls.filter(|(_, range)| lines.has_any(range.clone()));
    changed.map(|(name, range)| (name, range.start)).collect()
}

/// The calls that register something by their names, each with where it stands up to the end of its arguments.
fn calls(text: &[u8]) -> Vec<(String, Range<u32>)> {
    if memchr::memmem::find(text, b".Add").is_none() {
        return Vec::new();
    }
    let tokens = tokens(text);
    let written = |token: &CodeToken| &text[token.range.start as usize..token.range.end as usize];
    let mut out = Vec::new();
    for (at, name) in tokens.iter().enumerate() {
        let is_call = name.kind == CodeTokenKind::Word
            && written(name)
                .strip_prefix(b"Add")
                .is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_uppercase))
            && at > 0
            && written(&tokens[at - 1]) == b"."
            && tokens
                .get(at + 1)
                .is_some_and(|it| matches!(written(it), b"(" | b"<"));
        if !is_call {
            continue;
        }
        let mut depth = 0;
        let mut rest = tokens[at + 1..].iter();
        let end = rest.find(|token| {
            match written(token) {
                b"(" => depth += 1,
                b")" => depth -= 1,
                _ => {}
            }
            depth == 0 && written(token) == b")"
        });
        let end = end.map_or(name.range.end, |it| it.range.start);
        let called = String::from_utf8_lossy(written(name)).into_owned();
        out.push((called, name.range.start..end));
    }
    out
}

/// Where unchanged files of the product make a call; nothing where they do at many places.
fn calling(
    compared: &Compared,
    ids: &mut DocIds<'_>,
    reader: &mut Reader<'_>,
    call: &str,
) -> Result<Vec<CodePlace>, QueryError> {
    let mut files = compared.new.files_mentioning(call)?;
    files.retain(|file| compared.new_side(&file.path).is_none());
    let mut out = Vec::new();
    if files.len() > MAX_FILES {
        return Ok(out);
    }
    for file in &files {
        let product = file.projects.iter().find(|it| !compared.is_of_tests(it));
        let Some(project) = product else { continue };
        let text = decode(&reader.read_blob(file.blob)?).as_bytes().to_vec();
        let own = own_calls(compared, &file.path, project)?;
        let same = calls(&text).into_iter();
        let same = same.filter(|(name, range)| name == call && !own.contains(&range.start));
        let (lines, declared) = (
            LineTable::new(&text),
            Declared::of(&compared.new, file, project)?,
        );
        for (_, range) in same {
            let inside = match declared.around(range.start) {
                Some((key, tag)) => ids.of(key, tag)?,
                None => None,
            };
            out.push(CodePlace {
                path: file.path.clone(),
                line: lines.position(range.start).line,
                inside,
            });
        }
    }
    if out.len() > MAX_CALLING {
        out.clear();
    }
    Ok(out)
}

/// The services that a call of a name registers.
fn services(call: &str) -> Vec<String> {
    let what = call.strip_prefix("Add").unwrap_or(call);
    let known = SERVICES.iter().find(|(name, _)| *name == what);
    match known {
        Some((_, services)) => services.iter().map(|&it| it.to_owned()).collect(),
        None => vec![format!("I{what}")],
    }
}

/// Where types of the product take a service: in a constructor if one does, else in a field or property.
fn taking(
    compared: &Compared,
    ids: &mut DocIds<'_>,
    reader: &mut Reader<'_>,
    (service, registered): (&str, &CodePlace),
) -> Result<Vec<CodePlace>, QueryError> {
    let files = compared.new.files_mentioning(service)?;
    let mut out = Vec::new();
    if files.len() > MAX_FILES {
        return Ok(out);
    }
    for file in files.iter().filter(|file| file.path != registered.path) {
        let product = file.projects.iter().find(|it| !compared.is_of_tests(it));
        let Some(project) = product else { continue };
        let text = decode(&reader.read_blob(file.blob)?).as_bytes().to_vec();
        let declared = Declared::of(&compared.new, file, project)?;
        let mut found: Option<(bool, u32, Option<String>)> = None;
        for pair in tokens(&text).windows(2) {
            let [token, next] = pair else { continue };
            let range = token.range.start as usize..token.range.end as usize;
            // The type of a parameter, field or property: what implements it goes on with a comma or a brace.
            let has_name = next.kind == CodeTokenKind::Word;
            if !has_name || &text[range] != service.as_bytes() {
                continue;
            }
            let Some((key, tag)) = declared.around(token.range.start) else {
                continue;
            };
            let inside = ids.of(key, tag)?;
            let id = inside.as_deref().unwrap_or_default();
            let is_other = !id.contains(".#ctor");
            // What methods take is given to them: extension methods that set it up, say.
            if is_other && id.starts_with("M:") {
                continue;
            }
            if found.as_ref().is_none_or(|known| known.0 && !is_other) {
                found = Some((is_other, token.range.start, inside));
            }
        }
        if let Some((_, at, inside)) = found {
            out.push(CodePlace {
                path: file.path.clone(),
                line: LineTable::new(&text).position(at).line,
                inside,
            });
        }
    }
    Ok(out)
}
