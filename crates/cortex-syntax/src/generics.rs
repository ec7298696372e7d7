//! Generic names that the grammar takes for comparisons: `(T)a.B<C>(d)` as `(T)a.B < C > (d)`.
//!
//! Where the tree has a comparison and the tokens say that it is a name with type arguments (C#
//! specification, §6.2.5), the text is parsed again with one long identifier in the place of
//! each such name, so that the grammar itself finds what is around them. Then the names are put
//! back into the tree.
//! Must not know: what trees are read for.

use cortex_model::ByteRange;

use crate::{
    arena::{Arena, Node, NodeId},
    kind::{Field, Kind},
    text::{Before, CSharpParser, Parsed, end_of_type_arguments, repair},
};

/// A name with its type arguments.
struct Generic {
    /// From the name to the `>`.
    range: ByteRange,
    /// Where the name ends.
    name_end: u32,
    /// In preorder; ids count from the first, offsets from the start of the range.
    nodes: Vec<Node>,
}

/// The tree of a text with its generic names, and the errors to it in `parsed`. O(bytes + nodes):
/// next to nothing where the grammar took nothing for a comparison, else a second parse.
pub(crate) fn mend<'t>(
    parser: &mut CSharpParser,
    parsed: &mut Parsed,
    text: &'t [u8],
) -> Arena<'t> {
    let arena = Arena::new(&parsed.tree, text);
    let plain = &parsed.preprocessed.text;
    let generics = misread(parser, &arena, plain);
    if generics.is_empty() {
        return arena;
    }
    let mut renamed = match parsed.repairs.is_empty() {
        true => plain.clone(),
        false => repair(plain).text,
    };
    for generic in &generics {
        renamed[generic.name_end as usize..generic.range.end as usize].fill(b'_');
    }
    let Some(again) = parser.read(&renamed) else {
        return arena;
    };
    // Invariant: what was understood stays so.
    if again.badness() > parsed.badness() {
        return arena;
    }
    match put_back(&Arena::new(&again.tree, text), &generics) {
        Some(nodes) => {
            parsed.errors = again.errors;
            Arena { text, nodes }
        }
        None => arena,
    }
}

/// The generic names that the tree has as comparisons. Ascending and apart from each other.
fn misread(parser: &mut CSharpParser, arena: &Arena<'_>, text: &[u8]) -> Vec<Generic> {
    let mut found: Vec<Generic> = Vec::new();
    for id in 2..arena.nodes.len() as NodeId {
        let operator = arena.node(id);
        if operator.field != Field::Operator
            || arena.kind(operator.parent) != Kind::Binary
            || arena.bytes(id) != b"<"
        {
            continue;
        }
        // The last node of the left side.
        let name = arena.node(id - 1);
        let end = found.last().map_or(0, |before| before.range.end);
        if name.kind != Kind::Identifier || name.missing || name.start < end {
            continue;
        }
        let before = before(arena, id - 1, operator.parent);
        let Some(end) = end_of_type_arguments(text, operator.start, before) else {
            continue;
        };
        let range = ByteRange {
            start: name.start,
            end,
        };
        if let Some(nodes) = type_nodes(parser, &text[range.as_usize()]) {
            found.push(Generic {
                range,
                name_end: name.end,
                nodes,
            });
        }
    }
    found
}

/// What the name at the end of the left side of a comparison belongs to.
fn before(arena: &Arena<'_>, name: NodeId, comparison: NodeId) -> Before {
    // Qualifiers and the like: names nest no deeper.
    const REACH: usize = 64;
    let mut at = name;
    for _ in 0..REACH {
        at = arena.node(at).parent;
        if at <= comparison {
            break;
        }
        if arena.kind(at) == Kind::ObjectCreation {
            return Before::Creation;
        }
    }
    Before::Expression
}

/// The nodes of a generic name as the grammar has them where there can be no comparison. `None`
/// where that is no type.
fn type_nodes(parser: &mut CSharpParser, name: &[u8]) -> Option<Vec<Node>> {
    let text = [name, b" x;"].concat();
    let read = parser.read(&text)?;
    if !read.errors.is_empty() {
        return None;
    }
    let arena = Arena::new(&read.tree, &text);
    let is_whole = |node: Node| node.start == 0 && node.end as usize == name.len();
    let first = arena
        .nodes
        .iter()
        .position(|&node| node.kind == Kind::GenericName && is_whole(node))?;
    let after = arena.nodes[first].after as usize;
    let first_id = first as NodeId;
    Some(
        arena.nodes[first..after]
            .iter()
            .map(|node| Node {
                after: node.after - first_id,
                parent: node.parent.saturating_sub(first_id),
                ..*node
            })
            .collect(),
    )
}

/// The nodes of a tree with generic names in the places of the identifiers that stand for them.
/// `None` if one of these is not there. O(nodes).
fn put_back(arena: &Arena<'_>, generics: &[Generic]) -> Option<Vec<Node>> {
    // By node: its id after all.
    let mut moved: Vec<NodeId> = Vec::with_capacity(arena.nodes.len() + 1);
    let mut places: Vec<NodeId> = Vec::with_capacity(generics.len());
    let mut n_nodes = 0;
    for (id, node) in arena.nodes.iter().enumerate() {
        moved.push(n_nodes);
        n_nodes += 1;
        if let Some(generic) = generics.get(places.len())
            && node.kind == Kind::Identifier
            && node.after as usize == id + 1
            && arena.range(id as NodeId) == generic.range
        {
            places.push(id as NodeId);
            n_nodes += generic.nodes.len() as NodeId - 1;
        }
    }
    moved.push(n_nodes);
    if places.len() < generics.len() {
        return None;
    }
    let mut nodes: Vec<Node> = Vec::with_capacity(n_nodes as usize);
    let mut rest = places.iter().zip(generics).peekable();
    for (id, &node) in arena.nodes.iter().enumerate() {
        let parent = moved[node.parent as usize];
        let Some((_, generic)) = rest.next_if(|(place, _)| **place as usize == id) else {
            nodes.push(Node {
                after: moved[node.after as usize],
                parent,
                ..node
            });
            continue;
        };
        let first = nodes.len() as NodeId;
        nodes.extend(generic.nodes.iter().map(|part| Node {
            start: generic.range.start + part.start,
            end: generic.range.start + part.end,
            after: first + part.after,
            parent: first + part.parent,
            ..*part
        }));
        let whole = &mut nodes[first as usize];
        whole.field = node.field;
        whole.parent = parent;
    }
    Some(nodes)
}
