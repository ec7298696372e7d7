//! Members that read the fields, properties or values of a changed type by reflection, whatever these are called.
//!
//! Owns: which calls enumerate a type, and whose members they read. Must not know: who else uses these.

use crate::{
    diff_context::{blobs::BlobSource, compared::Compared},
    impact::{
        calling::each_named_type,
        symbols::ChangedSymbol,
        uses::{Found, Places, Want, Wanted},
    },
};
use cortex_derived::doc_ids::DocIds;
use cortex_look::QueryError;
use cortex_wire::{MemberChangeKind, UseSide, Via, ViaRelation};

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::{FileSummary, MemberTag};
use cortex_model::{EdgeKind, RepoPath, TypeKey};

/// Calls that are made on `typeof(T)`, with the kinds of members in documentation ids that they read.
const OF_TYPE: [(&str, &str); 7] = [
    ("GetFields", "F"),
    ("GetRuntimeFields", "F"),
    ("GetProperties", "P"),
    ("GetRuntimeProperties", "P"),
    ("GetMembers", "FP"),
    ("GetEnumNames", "F"),
    ("GetEnumValues", "F"),
];

/// Calls of `Enum` that are given the type.
const OF_ENUM: [&str; 2] = ["GetNames", "GetValues"];

/// So far around the name of a type the call is looked for, in bytes.
const MAX_AROUND: usize = 120;

/// What enumerates changed types: the places, by the changed symbols that they read.
#[derive(Default)]
pub(crate) struct Enumerations {
    places: Vec<(FileSummary, Found)>,
}

/// Finds who enumerates the types of symbols that came or went on a side, or of fields with another value. Reads the files that have to do with one of
/// them and mention a call.
pub(crate) fn enumerations(
    compared: &Compared,
    ids: &DocIds<'_>,
    symbols: &[ChangedSymbol],
    side: UseSide,
    source: BlobSource<'_>,
) -> Result<Enumerations, QueryError> {
    let mut out = Enumerations::default();
    let is_wanted = |symbol: &ChangedSymbol| {
        let is_other = match symbol.change {
            MemberChangeKind::Added | MemberChangeKind::Removed => true,
            // A field has another value.
            MemberChangeKind::Body => kind_of(symbol) == Some('F'),
            _ => false,
        };
        symbol.side == side && symbol.member.is_some() && is_other && kind_of(symbol).is_some()
    };
    let mut by_type: BTreeMap<TypeKey, Vec<usize>> = BTreeMap::new();
    for (at, symbol) in symbols.iter().enumerate() {
        if is_wanted(symbol) {
            by_type.entry(symbol.key).or_default().push(at);
        }
    }
    if by_type.is_empty() {
        return Ok(out);
    }
    let calls = OF_TYPE.iter().map(|(call, _)| *call).chain(OF_ENUM);
    let is_of_tests = |project: &RepoPath| compared.is_of_tests(project);
    each_named_type(
        (ids.snapshot(), &mut source.open()),
        calls,
        |key| by_type.get(key),
        is_of_tests,
        |named, of_type| {
            let kinds = match named.name.kind {
                EdgeKind::Doc => None,
                _ => enumerated(named.text, named.name.offset as usize),
            };
            let read = of_type.iter().filter(|at| {
                let kind = kind_of(&symbols[**at]);
                kinds
                    .zip(kind)
                    .is_some_and(|(kinds, kind)| kinds.contains(kind))
            });
            let places = read.map(|&symbol| (named.file.clone(), named.found(symbol, 0)));
            out.places.extend(places);
        },
    )?;
    Ok(out)
}

impl Enumerations {
    /// Looks for the uses of the members that enumerate as well.
    pub(crate) fn want(
        &mut self,
        ids: &mut DocIds<'_>,
        wanted: &mut Wanted,
        vias: &mut Vec<Via>,
    ) -> Result<(), QueryError> {
        let mut known: BTreeSet<(usize, TypeKey, MemberTag)> = BTreeSet::new();
        for (_, place) in &mut self.places {
            let Some((key, Some(tag))) = place.inside else {
                continue;
            };
            let Some(to) = ids.of(key, Some(tag))? else {
                continue;
            };
            let via = vias.len();
            vias.push(Via {
                to,
                relation: ViaRelation::Reflection,
            });
            place.want.via = Some(via);
            if known.insert((place.want.symbol, key, tag)) {
                wanted.entry(key).or_default().push(Want {
                    member: Some(tag),
                    via: Some(via),
                    ..place.want
                });
            }
        }
        Ok(())
    }

    /// Adds the places where the types are enumerated.
    pub(crate) fn finish(self, places: &mut Places) {
        for (file, place) in self.places {
            let file = places.file(&file);
            places.found.push(Found { file, ..place });
        }
    }
}

/// `F` or `P` of the documentation id of a field, constant, member of an enum or property.
fn kind_of(symbol: &ChangedSymbol) -> Option<char> {
    symbol.id.chars().next().filter(|kind| "FP".contains(*kind))
}

/// Which kinds of members of a type are read where its name stands at an offset.
fn enumerated(text: &[u8], offset: usize) -> Option<&'static str> {
    let end = text.len().min(offset + MAX_AROUND);
    let behind = text.get(offset..end)?;
    let is_name =
        |byte: &u8| byte.is_ascii_alphanumeric() || b"_.:".contains(byte) || *byte >= 0x80;
    let before = &text[offset.saturating_sub(MAX_AROUND)..offset];
    let n_name = before.iter().rev().take_while(|byte| is_name(byte)).count();
    let before = before[..before.len() - n_name].trim_ascii_end();
    // `Enum.GetValues<T>()`.
    if let Some(before) = before.strip_suffix(b"<") {
        return OF_ENUM
            .iter()
            .any(|call| before.ends_with(call.as_bytes()))
            .then_some("F");
    }
    let before = before.strip_suffix(b"typeof(")?.trim_ascii_end();
    // `Enum.GetValues(typeof(T))`.
    if let Some(before) = before.strip_suffix(b"(")
        && OF_ENUM.iter().any(|call| before.ends_with(call.as_bytes()))
    {
        return Some("F");
    }
    let close = behind.iter().position(|byte| *byte == b')')?;
    let call = behind[close + 1..].trim_ascii_start();
    let call = call.strip_prefix(b".")?.trim_ascii_start();
    let n_call = call.iter().take_while(|byte| is_name(byte)).count();
    let found = OF_TYPE
        .iter()
        .find(|(known, _)| known.as_bytes() == &call[..n_call]);
    found.map(|(_, kinds)| *kinds)
}

#[cfg(test)]
mod tests {
    use super::enumerated;

    #[test]
    fn calls_around_the_name_of_a_type_enumerate_it() {
        let at = |text: &str| enumerated(text.as_bytes(), text.find("T9").unwrap_or_default());
        assert_eq!(at("typeof(T9).GetFields(x)"), Some("F"));
        assert_eq!(at("typeof(N.T9)\n  .GetMembers()"), Some("FP"));
        assert_eq!(at("Enum.GetNames(typeof(T9))"), Some("F"));
        assert_eq!(at("Enum.GetValues<T9>()"), Some("F"));
        assert_eq!(at("typeof(T9).GetField(\"x\")"), None);
        assert_eq!(at("new List<T9>().GetProperties()"), None);
        assert_eq!(at("T9.GetFields()"), None);
    }
}
