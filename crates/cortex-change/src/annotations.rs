//! Changes of members that only say more about null: annotations of reference types, and `= null!` behind a property or
//! field.
//!
//! Owns: which differences of a member these are. Must not know: who uses it.

use cortex_bind::{MemberNode, TypeNode, TypeText};
use cortex_index::Snapshot;
use cortex_look::{QueryError, follow::pairing::Half};
use cortex_model::{DeclKind, TypeKind};

/// What is known of types by name: whether they are reference types.
pub(crate) type IsReference<'r> = dyn Fn(&str) -> bool + 'r;

/// First values that stand for none.
const NO_VALUE: [&str; 4] = ["=null!", "=default!", "=null", "=default"];

/// Reference types from outside that annotations are often written at. What is not known counts as a value.
const REFERENCES: [&str; 36] = [
    "string",
    "object",
    "dynamic",
    "String",
    "Object",
    "Action",
    "Array",
    "ArrayList",
    "Assembly",
    "CancellationTokenSource",
    "Comparer",
    "CultureInfo",
    "Dictionary",
    "Encoding",
    "Expression",
    "FileInfo",
    "Func",
    "HashSet",
    "HttpClient",
    "HttpContent",
    "JsonDocument",
    "Lazy",
    "LinkedList",
    "List",
    "Predicate",
    "Queue",
    "Regex",
    "SortedDictionary",
    "Stack",
    "Stream",
    "StringBuilder",
    "Task",
    "Thread",
    "Type",
    "Uri",
    "X509Certificate2",
];

/// Whether all that differs between two sides of a member are annotations. `texts`: what is written on each side, where
/// that is known.
pub(crate) fn is_annotation(
    before: Half<'_>,
    after: Half<'_>,
    texts: Option<[&str; 2]>,
    is_reference: &IsReference<'_>,
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
    let written = |member: &'_ MemberNode| {
        let params = member.params.iter().flatten();
        let all = member.ty.iter().chain(params.map(|param| &param.ty));
        all.cloned().collect::<Vec<_>>()
    };
    let types = |half: Half<'_>| {
        let params = half.member.params.iter().flatten();
        let all = half.member.ty.iter().chain(params.map(|param| &param.ty));
        let known = |name: &str| parameter(half, name).unwrap_or_else(|| is_reference(name));
        all.map(|ty| unannotated(ty, &known)).collect::<Vec<_>>()
    };
    let has_same_types = written(old) == written(new);
    if !has_same_types && types(before) != types(after) {
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

/// Whether a type is known to be a reference type by its name.
pub(crate) fn is_reference(snapshot: &Snapshot, name: &str) -> Result<bool, QueryError> {
    let simple = name.rsplit(['.', '+']).next().unwrap_or(name);
    let is_interface = |name: &str| {
        let mut chars = name.chars();
        chars.next() == Some('I') && chars.next().is_some_and(char::is_uppercase)
    };
    let of_name = snapshot.types_named(simple)?;
    let mut own = of_name.iter().filter(|ty| {
        let fqn = ty.fqn.split('`').next().unwrap_or(&ty.fqn);
        fqn == name
    });
    if let Some(own) = own.next() {
        return Ok(!matches!(
            own.kind,
            TypeKind::Struct | TypeKind::RecordStruct | TypeKind::Enum
        ));
    }
    Ok(REFERENCES.contains(&simple) || is_interface(simple) || simple.ends_with("Exception"))
}

/// Whether a type parameter stands for references, or for anything; `None` for what is none.
fn parameter(half: Half<'_>, name: &str) -> Option<bool> {
    let of = |member: &MemberNode, node: &TypeNode| {
        let of_type = node.shapes.iter().flat_map(|shape| &shape.type_params);
        let mut all = member.type_params.iter().chain(of_type);
        let found = all.find(|it| it.name == name)?;
        let mut constraints = found.constraints.iter().map(ToString::to_string);
        Some(!constraints.any(|it| it == "struct" || it == "unmanaged"))
    };
    of(half.member, half.node)
}

/// A type without the annotations of reference types.
fn unannotated(ty: &TypeText, is_reference: &IsReference<'_>) -> String {
    let text = ty.full();
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c == '?' && is_of_reference(&out, is_reference) {
            continue;
        }
        out.push(c);
    }
    out
}

/// Whether the type that a text ends with is a reference type.
fn is_of_reference(text: &str, is_reference: &IsReference<'_>) -> bool {
    if text.ends_with(']') {
        return true;
    }
    let mut depth = 0;
    let mut end = text.len();
    if text.ends_with('>') {
        for (at, c) in text.char_indices().rev() {
            depth += i32::from(c == '>') - i32::from(c == '<');
            if depth == 0 {
                end = at;
                break;
            }
        }
    }
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '+' | '`');
    let start = text[..end].rfind(|c| !is_name(c)).map_or(0, |at| at + 1);
    let name = &text[start..end];
    !name.is_empty() && is_reference(name.split('`').next().unwrap_or(name))
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
    use super::{behind_name, unannotated};

    #[test]
    fn annotations_of_references_are_left_out_of_types() {
        let is_reference = |name: &str| matches!(name, "string" | "List" | "App.Plan");
        let plain = |text: &str| unannotated(&text.into(), &is_reference);
        assert_eq!(plain("string?"), "string");
        assert_eq!(plain("List<string?>?"), "List<string>");
        assert_eq!(plain("int?[]?"), "int?[]");
        assert_eq!(plain("App.Plan?"), "App.Plan");
        assert_eq!(plain("App.Money?"), "App.Money?");
    }

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
