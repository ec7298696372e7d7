//! Where the identifiers of bodies stand: by the syntax tree, and by the body trees.

use cortex_syntax::text::{CSharpParser, decode, parse};
use cortex_syntax::{BodyKind, FileFacts};
use tree_sitter::{Node, Tree};

/// The offsets of the identifiers that the body trees name, ascending.
pub(crate) fn named(facts: &FileFacts) -> Vec<u32> {
    use BodyKind as K;
    let nodes = facts.bodies.nodes.iter().filter(|node| match node.kind {
        K::Name
        | K::GenericName
        | K::Declarator
        | K::LocalFunction
        | K::TypeParameter
        | K::LambdaParameter
        | K::SingleDesignation => {
            let name = facts.name(node.value);
            name != "_" && (name != "var" || node.flags > 0)
        }
        K::Argument | K::AnonymousMember => node.value > 0 && facts.name(node.value - 1) != "_",
        _ => false,
    });
    let mut offsets: Vec<_> = nodes.map(|node| node.offset).collect();
    offsets.sort_unstable();
    offsets
}

/// The offsets of the identifiers inside bodies by the syntax tree, ascending; `None` where the
/// text does not parse.
pub(crate) fn written(text: &[u8]) -> Option<Vec<u32>> {
    let source = decode(text);
    let parsed = parse(
        &mut CSharpParser::new(),
        source.as_bytes(),
        &|_| false,
        None,
    )?;
    parsed
        .errors
        .is_empty()
        .then(|| identifiers(&parsed.tree, source.as_bytes()))
}

fn identifiers(tree: &Tree, text: &[u8]) -> Vec<u32> {
    let mut offsets = Vec::new();
    let mut cursor = tree.walk();
    // Whether each node above lies in a body.
    let mut inside = vec![false];
    loop {
        let node = cursor.node();
        let is_inside = inside[inside.len() - 1] || starts_body(node, cursor.field_name());
        if is_inside && is_name(node, cursor.field_name(), text) {
            offsets.push(node.start_byte() as u32);
        }
        if node.kind() != "identifier" && cursor.goto_first_child() {
            inside.push(is_inside);
            continue;
        }
        while !cursor.goto_next_sibling() {
            inside.pop();
            if !cursor.goto_parent() {
                offsets.sort_unstable();
                return offsets;
            }
        }
    }
}

fn starts_body(node: Node<'_>, field: Option<&str>) -> bool {
    let parent = node.parent();
    let is_in = |kinds: &[&str]| parent.is_some_and(|parent| kinds.contains(&parent.kind()));
    let is_value = match field {
        None => is_in(&["variable_declarator", "parameter"]),
        Some("value") => is_in(&["property_declaration", "enum_member_declaration"]),
        _ => false,
    };
    let is_value = is_value && node.kind() != "modifier" && node.kind() != "attribute_list";
    is_value
        || matches!(
            node.kind(),
            "block"
                | "arrow_expression_clause"
                | "attribute"
                | "argument_list"
                | "global_statement"
        )
}

fn is_name(node: Node<'_>, field: Option<&str>, text: &[u8]) -> bool {
    let bytes = &text[node.byte_range()];
    let is_word = bytes.first().is_some_and(|&byte| {
        byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'@' | b'\\') || byte >= 0x80
    });
    let parent = node.parent().map_or("", |parent| parent.kind());
    let is_first = node.prev_sibling().is_none();
    let is_named = match node.kind() {
        "identifier" | "implicit_parameter" => true,
        "predefined_type" => matches!(bytes, b"nint" | b"nuint"),
        _ => false,
    };
    // Labels, the target of constraints, names of tuple elements.
    let is_left_out = match parent {
        "labeled_statement" => is_first,
        "goto_statement" => node
            .prev_sibling()
            .is_some_and(|before| before.kind() == "goto"),
        "type_parameter_constraints_clause" | "calling_convention" => true,
        "tuple_element" => field == Some("name"),
        // Of `T<A> and [b]`.
        "element_access_expression" => bytes == b"and",
        _ => false,
    };
    is_named && is_word && !matches!(bytes, b"_" | b"var" | b"default") && !is_left_out
}
