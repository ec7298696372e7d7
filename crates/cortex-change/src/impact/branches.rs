//! Code that tells the values of an enum apart and does not name a new one, which goes where the rest goes.
//!
//! Owns: what tells values apart. Must not know: who else uses them.

use crate::{
    diff_context::{blobs::BlobSource, compared::Compared},
    impact::{
        symbols::ChangedSymbol,
        uses::{Found, Places, Want, Wanted, find},
    },
};
use cortex_derived::doc_ids::DocIds;
use cortex_look::QueryError;
use cortex_wire::{Certainty, MemberChangeKind, Role, UseSide, Via, ViaRelation};

use std::collections::{BTreeMap, BTreeSet, btree_map::Entry};

use cortex_git::ReadBlob;
use cortex_index::{FileSummary, MemberTag, Receiver};
use cortex_model::{TypeKey, TypeKind};
use cortex_syntax::text::decode;

/// Code that has patterns for so many values of an enum tells them apart.
const MIN_VALUES: usize = 2;

/// The new values of an enum, by index of the symbol.
struct Enum {
    key: TypeKey,
    new: Vec<(MemberTag, usize)>,
    others: Vec<MemberTag>,
}

/// A file, one of its projects, and the member around a place.
type Around = (u32, u16, Option<(TypeKey, Option<MemberTag>)>);

/// Where so few members compare with one value of an enum, they are told as well.
const MAX_COMPARING: usize = 12;

/// Adds the members of product code that have patterns for values of an enum and name none of its new ones, each by the
/// first new value and at its first pattern; and those that compare with one value, where they are few. Reads the files
/// that use an enum with new values.
pub(crate) fn find_branches(
    compared: &Compared,
    ids: &mut DocIds<'_>,
    symbols: &[ChangedSymbol],
    source: BlobSource<'_>,
    places: &mut Places,
    vias: &mut Vec<Via>,
) -> Result<(), QueryError> {
    let mut reader = source.open();
    for Enum { key, new, others } in grown(ids, symbols)? {
        let all = new.iter().map(|(tag, _)| tag).chain(&others);
        // The symbol of a want is only read back here.
        let wants = all.enumerate();
        let wants = wants.map(|(at, tag)| Want::of(Some(*tag), at)).collect();
        let known = find(ids.snapshot(), &Wanted::from([(key, wants)]))?;
        let mut by_member: BTreeMap<Around, Vec<&Found>> = BTreeMap::new();
        for found in &known.found {
            let around = (found.file, found.project, found.inside);
            by_member.entry(around).or_default().push(found);
        }
        let mut texts: BTreeMap<u32, Vec<u8>> = BTreeMap::new();
        let mut telling: Vec<(&FileSummary, &Found)> = Vec::new();
        let mut comparing: Vec<(&FileSummary, &Found)> = Vec::new();
        for ((at, project, _), uses) in by_member {
            let file = &known.files[at as usize];
            if compared.is_of_tests(&file.projects[usize::from(project)]) {
                continue;
            }
            let values: BTreeSet<usize> = uses.iter().map(|found| found.want.symbol).collect();
            let has_new = values.first().is_some_and(|value| *value < new.len());
            if has_new {
                continue;
            }
            let text = match texts.entry(at) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(entry) => {
                    entry.insert(decode(&reader.read_blob(file.blob)?).as_bytes().to_vec())
                }
            };
            let in_patterns = uses.iter().filter(|found| is_pattern(text, found.offset));
            let in_patterns: Vec<&Found> = in_patterns.copied().collect();
            let values: BTreeSet<usize> = in_patterns.iter().map(|it| it.want.symbol).collect();
            let compared = uses.iter().find(|found| is_compared(text, found.offset));
            match in_patterns.first().or(compared) {
                Some(first) if values.len() >= MIN_VALUES => telling.push((file, first)),
                Some(first) => comparing.push((file, first)),
                None => {}
            }
        }
        if comparing.len() <= MAX_COMPARING {
            telling.extend(comparing);
        }
        for (file, first) in telling {
            let named = others[first.want.symbol - new.len()];
            let Some(to) = ids.of(key, Some(named))? else {
                continue;
            };
            let file = places.file(file);
            places.found.push(Found {
                want: Want {
                    via: Some(vias.len()),
                    ..Want::of(None, new[0].1)
                },
                file,
                project: first.project,
                offset: first.offset,
                role: Role::Pattern,
                certainty: Certainty::Possible,
                inside: first.inside,
                receiver: Receiver::Any,
            });
            vias.push(Via {
                to,
                relation: ViaRelation::Branch,
            });
        }
    }
    Ok(())
}

/// The enums that have new values beside others.
fn grown(ids: &mut DocIds<'_>, symbols: &[ChangedSymbol]) -> Result<Vec<Enum>, QueryError> {
    let mut new: BTreeMap<TypeKey, Vec<(MemberTag, usize)>> = BTreeMap::new();
    for (at, symbol) in symbols.iter().enumerate() {
        let is_new = symbol.side == UseSide::New && symbol.change == MemberChangeKind::Added;
        if let Some(tag) = symbol
            .member
            .filter(|_| is_new && symbol.id.starts_with("F:"))
        {
            new.entry(symbol.key).or_default().push((tag, at));
        }
    }
    let mut out = Vec::new();
    for (key, new) in new {
        let header = ids.snapshot().type_header(key)?;
        if header.is_none_or(|it| it.kind != TypeKind::Enum) {
            continue;
        }
        let Some(known) = ids.ty(key)? else { continue };
        let others = known.symbols.tags();
        let others = others.filter(|tag| new.iter().all(|(it, _)| it != tag));
        out.push(Enum {
            key,
            others: others.collect(),
            new,
        });
    }
    Ok(out)
}

/// Words before a constant that is a pattern.
const BEFORE: [&str; 5] = ["case", "is", "not", "or", "and"];

/// What stands before the qualified name at an offset, and behind it.
fn around(text: &[u8], offset: u32) -> (&[u8], &[u8]) {
    let (before, behind) = text.split_at(text.len().min(offset as usize));
    let n_qualifiers = before.iter().rev().take_while(is_name).count();
    let n_own = behind.iter().take_while(is_name).count();
    let before = before[..before.len() - n_qualifiers].trim_ascii_end();
    (before, behind[n_own..].trim_ascii_start())
}

fn is_name(byte: &&u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_.:@".contains(byte) || **byte >= 0x80
}

/// Whether the name at an offset is that of a constant in a pattern: a case of a switch, or behind `is`.
fn is_pattern(text: &[u8], offset: u32) -> bool {
    let (before, behind) = around(text, offset);
    let n_word = before.iter().rev().take_while(is_name).count();
    let word = &before[before.len() - n_word..];
    BEFORE.iter().any(|it| it.as_bytes() == word)
        || behind.starts_with(b"=>")
        || behind.starts_with(b"or ")
}

/// Whether the name at an offset is that of a constant that something is compared with.
pub(super) fn tells_apart(text: &[u8], offset: u32) -> bool {
    is_pattern(text, offset) || is_compared(text, offset)
}

/// Whether the name at an offset is that of a constant on one side of `==` or `!=`.
fn is_compared(text: &[u8], offset: u32) -> bool {
    let (before, behind) = around(text, offset);
    let mut signs = [&b"=="[..], b"!="].into_iter();
    signs.any(|sign| before.ends_with(sign) || behind.starts_with(sign))
}

#[cfg(test)]
mod tests {
    use super::{is_compared, is_pattern};

    #[test]
    fn constants_beside_signs_of_equality_are_compared() {
        let at =
            |text: &str| is_compared(text.as_bytes(), text.find("V9").unwrap_or_default() as u32);
        assert!(at("x == N.E.V9)"));
        assert!(at("E.V9 != x"));
        assert!(!at("x = E.V9;"));
        assert!(!at("F(E.V9)"));
    }

    #[test]
    fn constants_in_cases_and_behind_is_are_patterns() {
        let at =
            |text: &str| is_pattern(text.as_bytes(), text.find("V9").unwrap_or_default() as u32);
        assert!(at("case N.E.V9:"));
        assert!(at("x switch { E.V9 => 1 }"));
        assert!(at("x switch { V9\n or E.V8 => 1 }"));
        assert!(at("x is not E.V9"));
        assert!(at("x is V8 or V9)"));
        assert!(!at("x == E.V9"));
        assert!(!at("b ? E.V9 : E.V8"));
        assert!(!at("this is V8; x = E.V9;"));
    }
}
