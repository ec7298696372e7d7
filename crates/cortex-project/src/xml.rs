//! Bytes of a project file to a tree of elements, whatever their encoding; malformed text is a message.
//!
//! Must not know: MSBuild.

use cortex_model::costly_markup;
use roxmltree::{Document, Node, ParsingOptions};

/// Files beyond this many bytes are not read.
const MAX_BYTES: usize = 8 << 20;
/// Files of more nodes than this are not read.
const MAX_NODES: u32 = 500_000;

/// Decodes text by its byte order mark; without one it is UTF-8, invalid parts replaced.
pub(crate) fn decode(bytes: &[u8]) -> String {
    let utf16 = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
        char::decode_utf16(units)
            .map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect()
    };
    match bytes {
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [b'<', 0, ..] => utf16(bytes, u16::from_le_bytes),
        [0, b'<', ..] => utf16(bytes, u16::from_be_bytes),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

/// Why a text could not be read as XML, and the 1-based line where that showed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Malformed {
    pub(crate) line: u32,
    pub(crate) message: String,
}

/// An open XML text: the root element and the lines of all others.
pub(crate) struct Tree<'t> {
    document: Document<'t>,
    // Invariant: ascending offsets at which lines 2, 3, … start.
    line_starts: Vec<usize>,
}

impl<'t> Tree<'t> {
    pub(crate) fn parse(text: &'t str) -> Result<Self, Malformed> {
        if text.len() > MAX_BYTES {
            return Err(Malformed {
                line: 1,
                message: format!("the file is longer than {MAX_BYTES} bytes"),
            });
        }
        if let Some(reason) = costly_markup(text) {
            return Err(Malformed {
                line: 1,
                message: reason.to_owned(),
            });
        }
        let options = ParsingOptions {
            nodes_limit: MAX_NODES,
            ..ParsingOptions::default()
        };
        // White space before the declaration is an error to XML and common in templates.
        let lead = text.len() - text.trim_start().len();
        let document =
            Document::parse_with_options(&text[lead..], options).map_err(|error| Malformed {
                line: error.pos().row,
                message: error.to_string(),
            })?;
        let line_starts = document
            .input_text()
            .bytes()
            .enumerate()
            .filter(|(_, byte)| *byte == b'\n')
            .map(|(at, _)| at + 1)
            .collect();
        Ok(Self {
            document,
            line_starts,
        })
    }

    pub(crate) fn root(&self) -> Node<'_, 't> {
        self.document.root_element()
    }

    /// The 1-based line on which a node starts.
    pub(crate) fn line(&self, node: Node<'_, '_>) -> u32 {
        let at = node.range().start;
        self.line_starts.partition_point(|start| *start <= at) as u32 + 1
    }
}

/// The text directly inside an element.
pub(crate) fn text_of(node: Node<'_, '_>) -> String {
    node.children()
        .filter(Node::is_text)
        .filter_map(|child| child.text())
        .collect()
}

/// The value of an attribute whose name is compared without case.
pub(crate) fn attribute<'n>(node: Node<'n, '_>, name: &str) -> Option<&'n str> {
    node.attributes()
        .find(|attribute| attribute.name().eq_ignore_ascii_case(name))
        .map(|attribute| attribute.value())
}

#[cfg(test)]
mod tests {
    use super::{Tree, decode};

    #[test]
    fn byte_order_marks_choose_the_encoding() {
        let utf16 =
            |unit: fn(u16) -> [u8; 2]| "\u{feff}<é/>".encode_utf16().flat_map(unit).collect();
        let little: Vec<u8> = utf16(u16::to_le_bytes);
        let big: Vec<u8> = utf16(u16::to_be_bytes);
        assert_eq!(decode(&little), "<é/>");
        assert_eq!(decode(&big), "<é/>");
        assert_eq!(decode("\u{feff}<é/>".as_bytes()), "<é/>");
        assert_eq!(decode(b"<a>\xff</a>"), "<a>\u{fffd}</a>");
    }

    #[test]
    fn malformed_text_names_its_line() {
        assert_eq!(Tree::parse("<a>\n<b>\n</a>").err().map(|e| e.line), Some(3));
        assert!(Tree::parse("").is_err());
    }

    #[test]
    fn attributes_and_namespaces_without_end_are_refused_at_once() {
        let attributes: String = (0..100_000).map(|i| format!(" a{i}='1'")).collect();
        assert!(Tree::parse(&format!("<a{attributes}/>")).is_err());
        let nested: String = (0..20_000).map(|i| format!("<a xmlns:b{i}='x'>")).collect();
        assert!(Tree::parse(&format!("{nested}{}", "</a>".repeat(20_000))).is_err());
    }

    #[test]
    fn deep_nesting_needs_no_stack() {
        let deep = format!("{}{}", "<a>".repeat(100_000), "</a>".repeat(100_000));
        assert!(Tree::parse(&deep).is_ok());
    }
}
