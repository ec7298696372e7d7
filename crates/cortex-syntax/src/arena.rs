//! The syntax tree as one flat array in preorder: linear to build, safe to walk at any depth.
//!
//! Must not know: what nodes mean.

use cortex_model::ByteRange;
use tree_sitter::Tree;

use crate::kind::{Field, Kind, Numbers};

/// The index of a node in preorder. The root is 0; the first child of `i` is `i + 1`.
pub(crate) type NodeId = u32;

/// One node; 20 bytes.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    pub(crate) field: Field,
    pub(crate) missing: bool,
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// The node after this node's last descendant: its next sibling, if it has one.
    pub(crate) after: NodeId,
    pub(crate) parent: NodeId,
}

/// A whole tree with the text that its names are read from.
pub(crate) struct Arena<'a> {
    /// The original text: what identifiers and literals are read from.
    pub(crate) text: &'a [u8],
    pub(crate) nodes: Vec<Node>,
}

impl<'a> Arena<'a> {
    /// Copies `tree` in one cursor walk. O(nodes).
    pub(crate) fn new(tree: &Tree, text: &'a [u8]) -> Self {
        let numbers = Numbers::get();
        let mut nodes: Vec<Node> = Vec::with_capacity(tree.root_node().descendant_count());
        let mut cursor = tree.walk();
        let mut parent = 0;
        'walk: loop {
            let node = cursor.node();
            let id = nodes.len() as NodeId;
            nodes.push(Node {
                kind: if node.is_error() {
                    Kind::Error
                } else {
                    numbers.kind(node.kind_id())
                },
                field: numbers.field(cursor.field_id()),
                missing: node.is_missing(),
                start: node.start_byte() as u32,
                end: node.end_byte() as u32,
                after: id + 1,
                parent,
            });
            if cursor.goto_first_child() {
                parent = id;
                continue;
            }
            let mut closing = id;
            loop {
                nodes[closing as usize].after = nodes.len() as NodeId;
                if cursor.goto_next_sibling() {
                    parent = nodes[closing as usize].parent;
                    continue 'walk;
                }
                if !cursor.goto_parent() {
                    break 'walk;
                }
                closing = nodes[closing as usize].parent;
            }
        }
        Self { text, nodes }
    }

    pub(crate) fn node(&self, id: NodeId) -> Node {
        self.nodes[id as usize]
    }

    pub(crate) fn kind(&self, id: NodeId) -> Kind {
        self.nodes[id as usize].kind
    }

    pub(crate) fn range(&self, id: NodeId) -> ByteRange {
        let node = self.node(id);
        ByteRange {
            start: node.start,
            end: node.end,
        }
    }

    pub(crate) fn bytes(&self, id: NodeId) -> &'a [u8] {
        &self.text[self.range(id).as_usize()]
    }

    /// The text of a node; invalid UTF-8 (impossible after decoding) reads as empty.
    pub(crate) fn str(&self, id: NodeId) -> &'a str {
        std::str::from_utf8(self.bytes(id)).unwrap_or_default()
    }

    /// The children of a node, in source order.
    pub(crate) fn children(&self, id: NodeId) -> Children<'_> {
        let node = self.node(id);
        Children {
            nodes: &self.nodes,
            next: id + 1,
            end: node.after,
        }
    }

    /// The first child that fills a field.
    pub(crate) fn child(&self, id: NodeId, field: Field) -> Option<NodeId> {
        self.children(id)
            .find(|&child| self.node(child).field == field)
    }

    /// The first child of a kind.
    pub(crate) fn child_of_kind(&self, id: NodeId, kind: Kind) -> Option<NodeId> {
        self.children(id).find(|&child| self.kind(child) == kind)
    }
}

/// See [`Arena::children`].
pub(crate) struct Children<'t> {
    nodes: &'t [Node],
    next: NodeId,
    end: NodeId,
}

impl Iterator for Children<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        if self.next >= self.end {
            return None;
        }
        let id = self.next;
        self.next = self.nodes[id as usize].after;
        Some(id)
    }
}
