//! Changes of members that only say more about null: annotations of reference types, and `= null!` behind a property or
//! field.
//!
//! Owns: which differences of a member these are. Must not know: who uses it.

use std::cell::OnceCell;

use cortex_bind::{MemberNode, TypeNode};
use cortex_index::{Snapshot, TypeSymbols};
use cortex_look::{QueryError, follow::pairing::Half};
use cortex_model::{Accessibility, DeclKind, Modifier, TypeKey};
use cortex_wire::MemberChange;

/// First values that stand for none.
const NO_VALUE: [&str; 4] = ["=null!", "=default!", "=null", "=default"];

/// What binding knows of both sides of a type, read when it is asked for. Types as bound have no annotations of
/// references: what is the same to them differs in these alone.
pub(crate) struct BothBound<'s> {
    snapshots: [&'s Snapshot; 2],
    keys: [TypeKey; 2],
    symbols: OnceCell<Option<[TypeSymbols; 2]>>,
}

/// The note at a member that more code sees than before, or its type alone, or at a private method that is static now or no
/// longer, where nothing else differs: whoever used it and may still do so runs what it ran.
pub(crate) fn modifier_note(before: Half<'_>, after: Half<'_>) -> Option<&'static str> {
    let (old, new) = (before.member, after.member);
    let is_same = old.kind == new.kind
        && old.name == new.name
        && old.has_shape_of(new)
        && written_types(old) == written_types(new)
        && before.detail.params == after.detail.params
        && before.detail.impl_hash == after.detail.impl_hash;
    if !is_same {
        return None;
    }
    if old.modifiers == new.modifiers {
        return match (old.accessibility, new.accessibility) {
            (old, new) if old == new => None,
            (Accessibility::Private, _) | (_, Accessibility::Public) => {
                Some(MemberChange::ONLY_WIDER)
            }
            (_, Accessibility::Private) => Some(MemberChange::ONLY_NARROWER),
            _ => None,
        };
    }
    let is_private = |member: &MemberNode| member.accessibility == Accessibility::Private;
    let is_method = is_private(old) && is_private(new) && new.kind == DeclKind::Method;
    let statics = [old, new].map(|member| member.has(Modifier::Static));
    let is_same_beside =
        old.modifiers.with(Modifier::Static) == new.modifiers.with(Modifier::Static);
    match statics {
        [false, true] if is_method && is_same_beside => Some(MemberChange::ONLY_STATIC),
        [true, false] if is_method && is_same_beside => Some(MemberChange::ONLY_OF_OBJECTS),
        _ => None,
    }
}

impl<'s> BothBound<'s> {
    /// Of a type, by its key on each side.
    pub(crate) fn new(snapshots: [&'s Snapshot; 2], keys: [TypeKey; 2]) -> Self {
        Self {
            snapshots,
            keys,
            symbols: OnceCell::new(),
        }
    }

    /// Whether all that differs between two sides of a member are annotations. `texts`: what is written on each side,
    /// where that is known.
    pub(crate) fn is_annotation(
        &self,
        before: Half<'_>,
        after: Half<'_>,
        texts: Option<[&str; 2]>,
    ) -> bool {
        let (old, new) = (before.member, after.member);
        let is_same_beside_types = old.kind == new.kind
            && old.name == new.name
            && old.accessibility == new.accessibility
            && old.modifiers == new.modifiers
            && old.has_shape_of(new)
            && before.detail.params == after.detail.params;
        if !is_same_beside_types {
            return false;
        }
        let has_same_types = written_types(old) == written_types(new);
        if !has_same_types && !self.has_same_shape(before, after) {
            return false;
        }
        if before.detail.impl_hash == after.detail.impl_hash {
            return !has_same_types;
        }
        let has_value = matches!(old.kind, DeclKind::Property | DeclKind::Field);
        texts.is_some_and(|texts| {
            let [old, new] = texts.map(|text| behind_name(text, &old.name));
            has_value && old.is_some() && old == new
        })
    }

    /// Whether two sides of a member are bound the same. What is not known may be a value, where `?` makes another type.
    fn has_same_shape(&self, before: Half<'_>, after: Half<'_>) -> bool {
        let read = || {
            let of = |side: usize| self.snapshots[side].symbols(self.keys[side]).ok();
            Some([of(0)?, of(1)?])
        };
        let Some([old, new]) = self.symbols.get_or_init(read) else {
            return false;
        };
        let shapes = [shape(old, before), shape(new, after)];
        shapes[0].is_some()
            && shapes[0] == shapes[1]
            && (self.are_known(new, after)).is_ok_and(|are_known| are_known)
    }

    /// Whether all types that a member of the newer side writes are known.
    fn are_known(&self, symbols: &TypeSymbols, half: Half<'_>) -> Result<bool, QueryError> {
        let texts = written_types(half.member).join(" ");
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        for word in texts.split(|c| !is_name(c)).filter(|it| !it.is_empty()) {
            let is_keyword = word.chars().all(|c| c.is_ascii_lowercase());
            let is_known = is_keyword
                || is_type_parameter(half, word)
                || symbols
                    .signature
                    .external
                    .iter()
                    .any(|it| is_called(&it.id, word))
                || !self.snapshots[1].types_named(word)?.is_empty();
            if !is_known && !is_namespace(&texts, word) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The types that the declaration of a member writes.
fn written_types(member: &MemberNode) -> Vec<String> {
    let params = member.params.iter().flatten();
    let all = member.ty.iter().chain(params.map(|param| &param.ty));
    all.map(|ty| ty.full().to_string()).collect()
}

/// The hash of how a member is bound.
fn shape(symbols: &TypeSymbols, half: Half<'_>) -> Option<u64> {
    let mut members = half.node.members.iter();
    let at = members.position(|it| std::ptr::eq(it, half.member))?;
    let declared = symbols.declared().nth(at)??;
    Some(symbols.members[declared].shape)
}

/// Whether a documentation id is that of a type of a name.
fn is_called(id: &str, name: &str) -> bool {
    let last = id.rsplit(['.', ':']).next().unwrap_or(id);
    last.split('`').next() == Some(name)
}

fn is_type_parameter(half: Half<'_>, name: &str) -> bool {
    let of_type = |node: &TypeNode| {
        let mut all = node.shapes.iter().flat_map(|shape| &shape.type_params);
        all.any(|it| it.name == name)
    };
    half.member.type_params.iter().any(|it| it.name == name) || of_type(half.node)
}

/// Whether a word is what another one is qualified with.
fn is_namespace(texts: &str, word: &str) -> bool {
    (texts.match_indices(word)).all(|(at, _)| texts[at + word.len()..].starts_with(['.', ':']))
}

/// What stands behind the name of a property or field, without white space and first values that stand for none.
fn behind_name(text: &str, name: &str) -> Option<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '@';
    let mut found = text.match_indices(name).filter_map(|(at, _)| {
        let before = text[..at].chars().next_back();
        let rest = &text[at + name.len()..];
        let next = rest.trim_start().chars().next();
        let is_whole = !before.is_some_and(|c| is_word(c) || c == '.');
        let is_declared = matches!(next, Some('{' | '=' | ';')) || next.is_none();
        (is_whole && is_declared).then_some(rest)
    });
    let mut rest: String = found.next()?.split_whitespace().collect();
    if rest.ends_with(';') {
        rest.pop();
    }
    for value in NO_VALUE {
        if let Some(shorter) = rest.strip_suffix(value) {
            rest.truncate(shorter.len());
            break;
        }
    }
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::behind_name;

    #[test]
    fn what_stands_behind_a_name_has_no_value_that_is_none() {
        let of = |text| behind_name(text, "Name");
        let plain = of("[A] public string Name { get; set; }");
        assert!(plain.is_some());
        assert_eq!(of("[A] public string Name { get; set; } = null!;"), plain);
        assert_eq!(of("public Name? Name { get;\n set; } = default!;"), plain);
        assert_ne!(of("public string Name { get; set; } = \"\";"), plain);
        assert_eq!(of("private string Name = null!;"), of("string Name;"));
    }
}
