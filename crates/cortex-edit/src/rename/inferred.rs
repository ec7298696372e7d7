//! Names that members of anonymous objects and elements of tuples take from the expressions that they are of: a rename
//! that is not about them writes them out.

use std::collections::BTreeSet;

use cortex_model::ByteRange;
use cortex_syntax::{BodyId, BodyKind, FileFacts};

use crate::{
    body_tree::BodyTree,
    identifier::bare,
    text_edit::{StartIs, TextEdit},
};

/// Whether a text may have a member of an anonymous object.
pub(super) fn may_have_objects(text: &str) -> bool {
    let mut all = text.match_indices("new");
    all.any(|(at, new)| text[at + new.len()..].trim_start().starts_with('{'))
}

/// The insertions that write out the names which are taken from those at `places`: of members of anonymous objects, which
/// are names of properties whether or not code uses them, and of elements of the tuples that start at one of `tuples`.
pub(crate) fn names(
    facts: &FileFacts,
    text: &str,
    places: &[ByteRange],
    tuples: &BTreeSet<u32>,
) -> Vec<TextEdit> {
    let tree = BodyTree::new(facts, text);
    let written = places.iter().filter_map(|&place| {
        let name = tree.name_at(place.start)?;
        let whole = named_by(&tree, name);
        let parent = tree.parent(whole)?;
        if tree.node(parent).value != 0 {
            return None;
        }
        let token = text.get(place.as_usize())?;
        let written = match tree.kind(parent) {
            BodyKind::AnonymousMember => format!("{token} = "),
            BodyKind::Argument if is_element_name(&tree, parent, token, tuples) => {
                format!("{token}: ")
            }
            _ => return None,
        };
        let start = tree.span(whole).start;
        Some(TextEdit {
            range: ByteRange { start, end: start },
            text: written,
            start: StartIs::New,
        })
    });
    written.collect()
}

/// The expression whose name is that of a node: `a.b.Name`, `a?.Name` (C# specification, 12.8.17.3).
fn named_by(tree: &BodyTree<'_>, name: BodyId) -> BodyId {
    let mut whole = name;
    while let Some(parent) = tree.parent(whole) {
        let is_dotted = matches!(
            tree.kind(parent),
            BodyKind::MemberAccess | BodyKind::MemberBinding | BodyKind::ConditionalAccess
        );
        if !is_dotted || tree.children(parent).last() != Some(&whole) {
            break;
        }
        whole = parent;
    }
    whole
}

/// Whether an argument is an element of one of these tuples that takes this name: no other one does, and none has it for
/// good.
fn is_element_name(
    tree: &BodyTree<'_>,
    element: BodyId,
    token: &str,
    tuples: &BTreeSet<u32>,
) -> bool {
    let tuple = tree.parent(element);
    let is_of_them =
        |it: &BodyId| tree.kind(*it) == BodyKind::Tuple && tuples.contains(&tree.span(*it).start);
    let Some(tuple) = tuple.filter(is_of_them) else {
        return false;
    };
    let name = bare(token);
    let is_fixed = name.strip_prefix("Item").is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())
    }) || matches!(
        name.as_str(),
        "Rest" | "CompareTo" | "Deconstruct" | "Equals" | "GetHashCode" | "ToString"
    );
    let same = tree.children(tuple).into_iter().filter(|&other| {
        let text = match tree.node(other).value {
            0 => tree.text_of(other),
            _ => (tree.text_of(other).split(':').next()).unwrap_or_default(),
        };
        let last = text.rsplit(['.', '?']).next().unwrap_or_default();
        bare(last.trim()) == name
    });
    !is_fixed && same.count() == 1
}
