//! Calls that ask a container for an object of a type: `services.GetRequiredService<IRepository>()`; and code that looks
//! for registrations of a type: `ImplementationType == typeof(Repository)`.
//!
//! Owns: which names these have, and which names in a file are the types that they are about. Must not know: what
//! a container creates for a type.
//!
//! The names decide, whatever the calls bind to: fixtures of tests wrap the container in methods of the same names, and
//! the packages of a container may not be on the machine.

use crate::{DerivedError, reach::digest::path_of};
use cortex_index::Snapshot;
use cortex_syntax::{FileFacts, RefContext, Reference};
use rustc_hash::FxHashSet;

/// The names of the calls.
const CALLS: [&str; 8] = [
    "GetInstance",
    "GetKeyedService",
    "GetKeyedServices",
    "GetRequiredKeyedService",
    "GetRequiredService",
    "GetService",
    "GetServices",
    "Resolve",
];

/// What a registration says of its types: code that compares with one makes nothing of it.
const DESCRIBED: [&str; 2] = ["ImplementationType", "ServiceType"];

/// The call that takes all registrations of a type out.
const REMOVING: &str = "RemoveAll";

/// How far behind the name of a property the type may begin that it is compared with: `== typeof(` and some space.
const MAX_TO_COMPARED: u32 = 24;

/// How far behind the name of a call the type of its first argument may begin: `(typeof(` and some space.
const MAX_TO_TYPE: u32 = 16;

/// The files that mention one of the calls or properties, by the hashes of their paths. O(those files).
pub(crate) fn asking_files(snapshot: &Snapshot) -> Result<FxHashSet<u64>, DerivedError> {
    let mut out = FxHashSet::default();
    for name in CALLS.into_iter().chain(DESCRIBED).chain([REMOVING]) {
        let files = snapshot.files_mentioning(name)?;
        out.extend(files.iter().map(|file| path_of(&file.path)));
    }
    Ok(out)
}

/// Where the types are named that calls ask for: as the only type argument, or by `typeof` as the first argument.
pub(crate) fn asked_types(facts: &FileFacts) -> FxHashSet<u32> {
    types_of_calls(facts, &|name| CALLS.contains(&name))
}

/// Where the types are named whose registrations code looks for or takes out: nothing makes objects of them there.
pub(crate) fn looked_for_types(facts: &FileFacts) -> FxHashSet<u32> {
    let mut out = types_of_calls(facts, &|name| name == REMOVING);
    let properties = (facts.refs.iter().enumerate()).filter(|(_, name)| {
        name.context == RefContext::Member && DESCRIBED.contains(&facts.name(name.name))
    });
    out.extend(properties.filter_map(|(at, property)| {
        let ty = whole_name(&facts.refs, at + 1)?;
        let end = property.offset + facts.name(property.name).len() as u32;
        let is_near = facts.refs[at + 1].offset.saturating_sub(end) <= MAX_TO_COMPARED;
        (ty.context == RefContext::TypeOf && is_near).then_some(ty.offset)
    }));
    out
}

/// Where the types are named that calls are given: as the only type argument, or by `typeof` as the first argument.
fn types_of_calls(facts: &FileFacts, is_wanted: &dyn Fn(&str) -> bool) -> FxHashSet<u32> {
    let calls = (facts.refs.iter().enumerate()).filter(|(_, call)| {
        let is_call = matches!(call.context, RefContext::Call | RefContext::MemberCall);
        is_call && is_wanted(facts.name(call.name))
    });
    let types = calls.filter_map(|(at, call)| {
        let ty = whole_name(&facts.refs, at + 1)?;
        let is_asked = match call.arity {
            0 => {
                let end = call.offset + facts.name(call.name).len() as u32;
                let first = facts.refs[at + 1].offset;
                ty.context == RefContext::TypeOf && first.saturating_sub(end) <= MAX_TO_TYPE
            }
            1 => ty.context == RefContext::TypeArgument,
            _ => false,
        };
        is_asked.then_some(ty.offset)
    });
    types.collect()
}

/// The last part of the name that begins at an index: `B` of `A.B`.
fn whole_name(refs: &[Reference], mut at: usize) -> Option<&Reference> {
    while refs.get(at + 1).is_some_and(|next| next.qualifier == 1) {
        at += 1;
    }
    refs.get(at)
}
