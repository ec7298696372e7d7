//! Strings in attributes that are the name of a parameter or member, or the documentation id of a symbol, by what the
//! attribute means: they follow a rename.
//!
//! Owns: which attributes these are. Must not know: which symbol is renamed.

use cortex_model::ByteRange;
use cortex_syntax::{BodyId, BodyKind, DeclId, FileFacts};

use crate::body_tree::BodyTree;

/// Attributes whose strings are names of parameters of the same declaration (C# specification, §23.5; the documentation
/// of `System.Diagnostics.CodeAnalysis` and `System.Runtime.CompilerServices`).
const OF_PARAMETERS: [&str; 3] = [
    "CallerArgumentExpression",
    "InterpolatedStringHandlerArgument",
    "NotNullIfNotNull",
];

/// Attributes whose strings are names of members: of the type that contains the attribute, or of the type in its `typeof`.
const OF_MEMBERS: [&str; 9] = [
    "CollectionBuilder",
    "DynamicData",
    "MemberAutoData",
    "MemberData",
    "MemberNotNull",
    "MemberNotNullWhen",
    "TestCaseSource",
    "ValueSource",
    "MethodDataSource",
];

/// Attributes whose `Target` is a documentation id.
const OF_IDS: [&str; 2] = ["SuppressMessage", "UnconditionalSuppressMessage"];

/// What a string in an attribute names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Naming {
    /// A parameter of this declaration.
    Parameter(DeclId),
    /// A member of the type around this declaration.
    MemberAround(DeclId),
    /// A member of the type whose name is at this offset.
    MemberOf(u32),
    /// A symbol by its documentation id.
    Id,
}

/// A string in an attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NamingText {
    /// What it names.
    pub(crate) naming: Naming,
    /// What is between its quotes.
    pub(crate) range: ByteRange,
}

/// The strings in the attributes of a file that name something, by position. Needs bodies. Those with escapes or with
/// more than one line are left out. O(bytes).
pub(crate) fn naming_texts(facts: &FileFacts, text: &str) -> Vec<NamingText> {
    let has = |known: &[&str]| known.iter().any(|name| text.contains(name));
    if !has(&OF_PARAMETERS) && !has(&OF_MEMBERS) && !has(&OF_IDS) {
        return Vec::new();
    }
    let tree = BodyTree::new(facts, text);
    let mut out = Vec::new();
    for (node, id) in facts.bodies.nodes().iter().zip(0..) {
        if node.kind == BodyKind::Attribute {
            add_of_attribute(&tree, id, &mut out);
        }
    }
    out.sort_by_key(|it| it.range.start);
    out
}

/// Adds the strings of one attribute.
fn add_of_attribute(tree: &BodyTree<'_>, attribute: BodyId, out: &mut Vec<NamingText>) {
    let children = tree.children(attribute);
    let [class, arguments] = children[..] else {
        return;
    };
    let Some(class) = class_of(tree, class) else {
        return;
    };
    let literals = (tree.within(arguments))
        .filter(|&node| tree.kind(node) == BodyKind::Literal)
        .filter_map(|node| Some((node, content(tree, node)?)));
    if OF_IDS.contains(&class) {
        let targets = literals.filter(|&(node, _)| is_target(tree, node));
        out.extend(targets.map(|(_, range)| NamingText {
            naming: Naming::Id,
            range,
        }));
        return;
    }
    let root = tree.ancestors(attribute).last().unwrap_or(attribute);
    let Some(decl) = tree.node(root).value.checked_sub(1) else {
        return;
    };
    // The parameters of a local function are not those of the declaration.
    let is_own = tree.parent(attribute) == Some(root);
    let naming = if OF_PARAMETERS.contains(&class) && is_own {
        Naming::Parameter(decl)
    } else if OF_MEMBERS.contains(&class) {
        match type_of(tree, arguments) {
            Some(offset) => Naming::MemberOf(offset),
            None => Naming::MemberAround(decl),
        }
    } else {
        return;
    };
    out.extend(literals.map(|(_, range)| NamingText { naming, range }));
}

/// The last name of an attribute's class as it is written, without `Attribute`.
pub(super) fn class_of<'f>(tree: &BodyTree<'f>, class: BodyId) -> Option<&'f str> {
    let name = last_name(tree, class)?;
    let name = tree.facts.name(tree.node(name).value);
    Some(name.strip_suffix("Attribute").unwrap_or(name))
}

/// The node of the last name of a type as it is written: `MemberData` of `Xunit.MemberData`.
pub(super) fn last_name(tree: &BodyTree<'_>, ty: BodyId) -> Option<BodyId> {
    let mut node = ty;
    loop {
        match tree.kind(node) {
            BodyKind::Name | BodyKind::GenericName => return Some(node),
            BodyKind::MemberAccess | BodyKind::AliasQualified => {
                node = tree.children(node).last().copied()?;
            }
            _ => return None,
        }
    }
}

/// Where the name of the type in the first `typeof` of an argument list is.
fn type_of(tree: &BodyTree<'_>, arguments: BodyId) -> Option<u32> {
    let found = (tree.within(arguments)).find(|&node| tree.kind(node) == BodyKind::TypeOf)?;
    let ty = tree.children(found).first().copied()?;
    Some(tree.node(last_name(tree, ty)?).offset)
}

/// Whether a literal is the value of `Target = …`.
fn is_target(tree: &BodyTree<'_>, literal: BodyId) -> bool {
    let mut around = tree.ancestors(literal);
    let init = around.find(|&node| tree.kind(node) == BodyKind::MemberInit);
    let Some(init) = init else {
        return false;
    };
    let name = tree.children(init).first().copied();
    name.is_some_and(|name| tree.text_of(name) == "Target")
}

/// What is between the quotes of a string literal without escapes.
pub(super) fn content(tree: &BodyTree<'_>, literal: BodyId) -> Option<ByteRange> {
    let span = tree.span(literal);
    let written = tree.text_of(literal);
    let quoted = written.strip_prefix('@').unwrap_or(written);
    let inner = quoted.strip_prefix('"')?.strip_suffix('"')?;
    let is_plain = !inner.contains(['"', '\\', '\n', '\r']);
    let start = span.start + (written.len() - quoted.len()) as u32 + 1;
    is_plain.then(|| ByteRange {
        start,
        end: start + inner.len() as u32,
    })
}

/// Where a documentation id, with or without `~` before it, has the last part of a symbol's name; `id`: that of the
/// symbol. Of a type, wherever the id names it: as the symbol, as what contains it, or in the types of parameters.
pub(super) fn names_in_id(text: &str, id: &str) -> Vec<ByteRange> {
    let bare = text.strip_prefix('~').unwrap_or(text);
    let from = (text.len() - bare.len()) as u32;
    let Some((kind, path)) = id.split_once(':') else {
        return Vec::new();
    };
    let path = path.split('`').next().unwrap_or(path);
    let path = path.split('(').next().unwrap_or(path);
    let last = path.rfind('.').map_or(0, |dot| dot + 1);
    let range = |at: usize| ByteRange {
        start: from + (at + last) as u32,
        end: from + (at + path.len()) as u32,
    };
    if kind != "T" {
        return match bare == id {
            true => vec![range(kind.len() + 1)],
            false => Vec::new(),
        };
    }
    let is_part = |c: char| c == '_' || c.is_alphanumeric();
    let places = bare.match_indices(path).filter(|(at, _)| {
        let (before, after) = (&bare[..*at], &bare[at + path.len()..]);
        let begins = before.ends_with([':', '(', ',', '{']);
        begins && !after.starts_with(is_part)
    });
    places.map(|(at, _)| range(at)).collect()
}

#[cfg(test)]
mod tests {
    use super::names_in_id;

    fn parts<'t>(text: &'t str, id: &str) -> Vec<&'t str> {
        let places = names_in_id(text, id);
        places.into_iter().map(|it| &text[it.as_usize()]).collect()
    }

    #[test]
    fn a_member_is_named_by_its_whole_id() {
        let id = "M:Shop.Order.Total(System.Int32)";
        assert_eq!(parts("~M:Shop.Order.Total(System.Int32)", id), ["Total"]);
        assert_eq!(parts("M:Shop.Order.Total(System.Int32)", id), ["Total"]);
        assert!(parts("~M:Shop.Order.Total(System.String)", id).is_empty());
        assert_eq!(parts("~M:A.B.C``1(``0)", "M:A.B.C``1(``0)"), ["C"]);
    }

    #[test]
    fn a_type_is_named_wherever_the_id_has_it() {
        let text =
            "~M:Shop.Order.Add(Shop.Order,System.Func{Shop.Order},Shop.Orders,My.Shop.Order)";
        assert_eq!(parts(text, "T:Shop.Order"), ["Order"; 3]);
        assert_eq!(parts("T:Shop.Box`1", "T:Shop.Box`1"), ["Box"]);
    }
}
