//! A documentation comment to sections (C# specification, annex D, and what Visual Studio and DocFX add).
//!
//! Must not know: other symbols. What is inherited is left for others to fetch.

use crate::documentation::{DocTarget, comment::Comment};
use cortex_wire::{
    DocBlock, DocInline, DocItem, DocListKind, DocNote, DocSection, DocSectionKind, Documentation,
};

use roxmltree::{Document, Node, ParsingOptions};

/// Elements nested deeper are taken for their text.
const MAX_DEPTH: usize = 24;

/// A comment with more XML nodes is shown as it is written.
const MAX_NODES: u32 = 100_000;

/// A comment on its own.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Parsed {
    pub(crate) docs: Documentation,
    /// What it wants to have from elsewhere.
    pub(crate) inherits: Vec<Inherit>,
}

/// An `<inheritdoc>`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Inherit {
    /// Which symbol is named, if one is.
    pub(crate) cref: Option<Named>,
    /// Which section is wanted: that around it, or that which its `path` names; `None` for all.
    pub(crate) section: Option<(DocSectionKind, String)>,
}

/// A symbol as a `cref` writes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Named {
    pub(crate) written: String,
    pub(crate) name: String,
    pub(crate) target: Option<DocTarget>,
}

/// Tells what a `cref` means, by its text and by its byte offset in the comment.
pub(crate) type FindCref<'f> = dyn Fn(&str, u32) -> Named + 'f;

/// Reads a comment, markers included.
pub(crate) fn parse(text: &str, find: &FindCref<'_>) -> Parsed {
    const OPEN: &str = "<doc>";
    let comment = Comment::new(text);
    if comment.xml.trim().is_empty() {
        return Parsed::default();
    }
    let wrapped = format!("{OPEN}{}</doc>", comment.xml);
    let options = ParsingOptions {
        allow_dtd: false,
        nodes_limit: MAX_NODES,
        ..ParsingOptions::default()
    };
    if !is_shallow(&wrapped) {
        return malformed(&comment.xml, "elements are nested too deeply".to_owned());
    }
    if let Some(reason) = cortex_model::costly_markup(&wrapped) {
        return malformed(&comment.xml, reason.to_owned());
    }
    let document = match Document::parse_with_options(&wrapped, options) {
        Ok(document) => document,
        Err(error) => return malformed(&comment.xml, error.to_string()),
    };
    let find_at =
        |written: &str, at: usize| find(written, comment.offset(at.saturating_sub(OPEN.len())));
    let mut reader = XmlReader {
        find: &find_at,
        out: Parsed::default(),
        section: None,
    };
    reader.top(document.root_element());
    reader.out
}

/// Whether the parser, which calls itself, can read a text: an upper bound of how deep elements are nested.
fn is_shallow(xml: &str) -> bool {
    const MAX_NESTED: i32 = 512;
    let (mut depth, mut deepest) = (0i32, 0);
    let bytes = xml.as_bytes();
    for (at, &byte) in bytes.iter().enumerate() {
        let next = bytes.get(at + 1).copied().unwrap_or_default();
        match byte {
            b'<' if next == b'/' => depth -= 1,
            b'<' if next != b'!' && next != b'?' => depth += 1,
            b'/' if next == b'>' => depth -= 1,
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest <= MAX_NESTED
}

/// The text as it is written, without the tags of sections and paragraphs.
fn malformed(xml: &str, why: String) -> Parsed {
    const TAGS: [&str; 12] = [
        "<summary>",
        "</summary>",
        "<remarks>",
        "</remarks>",
        "<returns>",
        "</returns>",
        "<value>",
        "</value>",
        "<example>",
        "</example>",
        "<para>",
        "</para>",
    ];
    let mut text = xml.to_owned();
    for tag in TAGS {
        text = text.replace(tag, "\n\n");
    }
    let mut blocks = Vec::new();
    let mut paragraph = String::new();
    for line in text.lines().chain([""]) {
        if line.trim().is_empty() && !paragraph.is_empty() {
            let text = folded(&std::mem::take(&mut paragraph)).trim().to_owned();
            blocks.push(DocBlock::Paragraph(vec![DocInline::Text(text)]));
        } else if !line.trim().is_empty() {
            paragraph.push_str(line);
            paragraph.push('\n');
        }
    }
    let mut out = Parsed::default();
    if !blocks.is_empty() {
        out.docs.sections.push(DocSection {
            kind: DocSectionKind::Summary,
            name: String::new(),
            blocks,
        });
    }
    out.docs.notes.push(DocNote::Malformed(why));
    out
}

struct XmlReader<'f> {
    find: &'f dyn Fn(&str, usize) -> Named,
    out: Parsed,
    /// The section that is read.
    section: Option<(DocSectionKind, String)>,
}

impl XmlReader<'_> {
    fn top(&mut self, root: Node<'_, '_>) {
        let mut loose: Vec<Node<'_, '_>> = Vec::new();
        for node in root.children() {
            if node.is_text() || (node.is_element() && is_inline(node.tag_name().name())) {
                loose.push(node);
            } else if node.is_element() {
                self.section_of(node);
            }
        }
        if loose
            .iter()
            .any(|node| node.is_element() || !is_blank(node.text()))
        {
            self.section = Some((DocSectionKind::Summary, String::new()));
            let blocks = self.blocks(loose.into_iter(), 0);
            self.add(DocSectionKind::Summary, String::new(), blocks);
        }
    }

    fn section_of(&mut self, node: Node<'_, '_>) {
        use DocSectionKind as K;
        let attribute = |name: &str| node.attribute(name).unwrap_or_default().trim().to_owned();
        let (kind, name) = match node.tag_name().name() {
            "inheritdoc" => return self.inherit(node),
            "include" => return self.include(node),
            "summary" => (K::Summary, String::new()),
            "typeparam" => (K::TypeParam, attribute("name")),
            "param" => (K::Param, attribute("name")),
            "returns" => (K::Returns, String::new()),
            "value" => (K::Value, String::new()),
            "remarks" => (K::Remarks, String::new()),
            "example" => (K::Example, String::new()),
            "exception" => (
                K::Exception,
                self.cref(node).map_or_else(String::new, |it| it.name),
            ),
            "seealso" => match self.cref(node) {
                Some(found) => (K::SeeAlso, found.name),
                None => (K::SeeAlso, attribute("href")),
            },
            other => {
                // A `permission`, or something that C# does not know.
                let about = self
                    .cref(node)
                    .map_or_else(|| attribute("name"), |it| it.name);
                let name = if about.is_empty() {
                    other.to_owned()
                } else {
                    format!("{other} {about}")
                };
                (K::Other, name)
            }
        };
        self.section = Some((kind, name.clone()));
        let blocks = self.blocks(node.children(), 0);
        self.section = None;
        self.add(kind, name, blocks);
    }

    /// What is said twice of one thing is said once, one after the other.
    fn add(&mut self, kind: DocSectionKind, name: String, blocks: Vec<DocBlock>) {
        let sections = &mut self.out.docs.sections;
        let is_told = blocks.is_empty()
            && !matches!(kind, DocSectionKind::SeeAlso | DocSectionKind::Exception);
        match sections
            .iter_mut()
            .find(|it| it.kind == kind && it.name == name)
        {
            Some(section) => section.blocks.extend(blocks),
            None if is_told => {}
            None => sections.push(DocSection { kind, name, blocks }),
        }
    }

    fn cref(&self, node: Node<'_, '_>) -> Option<Named> {
        let attribute = node.attributes().find(|it| it.name() == "cref")?;
        Some((self.find)(
            attribute.value(),
            attribute.range_value().start,
        ))
    }

    fn inherit(&mut self, node: Node<'_, '_>) {
        let cref = self.cref(node);
        let path = node.attribute("path").or_else(|| node.attribute("select"));
        let section = path
            .and_then(section_of_path)
            .or_else(|| self.section.clone());
        self.out.inherits.push(Inherit { cref, section });
    }

    fn include(&mut self, node: Node<'_, '_>) {
        let attribute = |name: &str| node.attribute(name).unwrap_or_default().to_owned();
        self.out.docs.notes.push(DocNote::Included {
            file: attribute("file"),
            path: attribute("path"),
        });
    }

    fn blocks<'a, 'i: 'a>(
        &mut self,
        nodes: impl Iterator<Item = Node<'a, 'i>>,
        depth: usize,
    ) -> Vec<DocBlock> {
        let mut out = Blocks::default();
        for node in nodes {
            self.node(node, depth, &mut out);
        }
        out.end_paragraph();
        out.blocks
    }

    fn node(&mut self, node: Node<'_, '_>, depth: usize, out: &mut Blocks) {
        if node.is_text() {
            return out.text(node.text().unwrap_or_default());
        }
        if !node.is_element() {
            return;
        }
        if depth >= MAX_DEPTH {
            let texts = node.descendants().filter(|it| it.is_text());
            texts.for_each(|it| out.text(it.text().unwrap_or_default()));
            return;
        }
        let name = node.tag_name().name();
        match name {
            "para" | "p" | "div" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "note"
            | "blockquote" => {
                out.end_paragraph();
                node.children()
                    .for_each(|child| self.node(child, depth + 1, out));
                out.end_paragraph();
            }
            "code" | "pre" => self.code(node, out),
            "list" | "ul" | "ol" => {
                out.end_paragraph();
                let list = self.list(node, depth + 1);
                out.blocks.push(list);
            }
            "inheritdoc" => self.inherit(node),
            "include" => self.include(node),
            _ => {
                let inline = self.inline(node, depth + 1);
                match inline {
                    Some(inline) => out.inlines.push(inline),
                    None => node
                        .children()
                        .for_each(|child| self.node(child, depth + 1, out)),
                }
            }
        }
    }

    /// What stands inside a line; `None` for an element that means nothing here, whose content counts.
    fn inline(&mut self, node: Node<'_, '_>, depth: usize) -> Option<DocInline> {
        let name = node.tag_name().name();
        match name {
            "c" | "tt" => Some(DocInline::Code(folded(&text_of(node)).trim().to_owned())),
            "paramref" | "typeparamref" => {
                let name = node.attribute("name").unwrap_or_default().trim().to_owned();
                let inner = text_of(node);
                Some(DocInline::Code(if is_blank(Some(&inner)) {
                    name
                } else {
                    format!("{name} {}", folded(&inner).trim())
                }))
            }
            "see" | "seealso" | "a" => {
                let text = self.inlines(node, depth);
                if let Some(found) = self.cref(node) {
                    let name = found.name;
                    return Some(DocInline::Symbol { name, text });
                }
                if let Some(word) = node.attribute("langword") {
                    let mut code = vec![DocInline::Code(word.trim().to_owned())];
                    return Some(if text.is_empty() {
                        code.remove(0)
                    } else {
                        code.push(DocInline::Text(" ".to_owned()));
                        code.extend(text);
                        DocInline::Emphasis(code)
                    });
                }
                let href = node.attribute("href")?.trim().to_owned();
                Some(DocInline::Link { href, text })
            }
            "b" | "strong" => Some(DocInline::Strong(self.inlines(node, depth))),
            "i" | "em" => Some(DocInline::Emphasis(self.inlines(node, depth))),
            "br" if node.children().next().is_none() => Some(DocInline::Break),
            _ => None,
        }
    }

    /// The running text of an element; of blocks in it their text.
    fn inlines(&mut self, node: Node<'_, '_>, depth: usize) -> Vec<DocInline> {
        inlines_of(self.blocks(node.children(), depth))
    }

    /// A line of code between words is a part of their line, whatever it is called.
    fn code(&mut self, node: Node<'_, '_>, out: &mut Blocks) {
        let text = text_of(node);
        let has_words = |sibling: Option<Node<'_, '_>>| {
            sibling.is_some_and(|it| {
                it.is_text() && !is_blank(it.text().map(|text| text.lines().next().unwrap_or(text)))
            })
        };
        let before = node
            .prev_sibling()
            .and_then(|it| it.text())
            .and_then(|it| it.lines().last());
        let follows_words = !is_blank(before) && node.prev_sibling().is_some_and(|it| it.is_text());
        if !text.trim().contains('\n') && (has_words(node.next_sibling()) || follows_words) {
            out.inlines
                .push(DocInline::Code(folded(&text).trim().to_owned()));
            return;
        }
        out.end_paragraph();
        let language = ["lang", "language"]
            .into_iter()
            .find_map(|name| node.attribute(name));
        let text = dedented(&text);
        if !text.is_empty() {
            out.blocks.push(DocBlock::Code {
                language: language.unwrap_or_default().trim().to_owned(),
                text,
            });
        }
    }

    fn list(&mut self, node: Node<'_, '_>, depth: usize) -> DocBlock {
        let start = || {
            node.attribute("start")
                .and_then(|it| it.trim().parse().ok())
                .unwrap_or(1)
        };
        let kind = match (
            node.tag_name().name(),
            node.attribute("type").map(str::trim),
        ) {
            ("ol", _) | (_, Some("number")) => DocListKind::Number(start()),
            (_, Some("table")) => DocListKind::Table,
            _ => DocListKind::Bullet,
        };
        let (mut header, mut items) = (Vec::new(), Vec::new());
        for child in node.children() {
            match child.tag_name().name() {
                _ if child.is_text() && is_blank(child.text()) => {}
                "listheader" => {
                    let row = self.item(child, depth);
                    header.extend(row.terms);
                    header.extend(row.descriptions.into_iter().map(inlines_of));
                }
                _ if child.is_element() || child.is_text() => items.push(self.item(child, depth)),
                _ => {}
            }
        }
        DocBlock::List {
            kind,
            header,
            items,
        }
    }

    fn item(&mut self, node: Node<'_, '_>, depth: usize) -> DocItem {
        let mut out = DocItem::default();
        if node.is_text() {
            out.descriptions
                .push(self.blocks(std::iter::once(node), depth));
            return out;
        }
        let is_part = |it: &Node<'_, '_>| matches!(it.tag_name().name(), "term" | "description");
        let mut loose = Vec::new();
        for child in node.children() {
            match child.tag_name().name() {
                "term" => out.terms.push(self.inlines(child, depth)),
                "description" => out.descriptions.push(self.blocks(child.children(), depth)),
                _ => loose.push(child),
            }
        }
        let has_words = loose
            .iter()
            .any(|it| it.is_element() || !is_blank(it.text()));
        if has_words || !node.children().any(|it| is_part(&it)) {
            out.descriptions.push(self.blocks(loose.into_iter(), depth));
        }
        out
    }
}

/// Elements that stand inside a line wherever they are.
fn is_inline(name: &str) -> bool {
    matches!(
        name,
        "see"
            | "c"
            | "paramref"
            | "typeparamref"
            | "b"
            | "i"
            | "em"
            | "strong"
            | "a"
            | "br"
            | "para"
            | "list"
            | "code"
    )
}

#[derive(Default)]
struct Blocks {
    blocks: Vec<DocBlock>,
    inlines: Vec<DocInline>,
}

impl Blocks {
    /// A blank line ends a paragraph.
    fn text(&mut self, text: &str) {
        let mut rest = text;
        while let Some((line_end, next)) = blank_line(rest) {
            self.words(&rest[..line_end]);
            self.end_paragraph();
            rest = &rest[next..];
        }
        self.words(rest);
    }

    fn words(&mut self, text: &str) {
        let text = folded(text);
        match self.inlines.last_mut() {
            Some(DocInline::Text(before)) => {
                let text = if before.ends_with(' ') {
                    text.trim_start()
                } else {
                    &text
                };
                before.push_str(text);
            }
            None | Some(DocInline::Break) => {
                let text = text.trim_start();
                if !text.is_empty() {
                    self.inlines.push(DocInline::Text(text.to_owned()));
                }
            }
            _ if text.is_empty() => {}
            _ => self.inlines.push(DocInline::Text(text)),
        }
    }

    fn end_paragraph(&mut self) {
        let mut inlines = std::mem::take(&mut self.inlines);
        while let Some(last) = inlines.last_mut() {
            match last {
                DocInline::Text(text) => {
                    text.truncate(text.trim_end().len());
                    if !text.is_empty() {
                        break;
                    }
                    inlines.pop();
                }
                DocInline::Break => _ = inlines.pop(),
                _ => break,
            }
        }
        if !inlines.is_empty() {
            self.blocks.push(DocBlock::Paragraph(inlines));
        }
    }
}

/// Where a line ends that is followed by a blank one, and where what follows starts.
fn blank_line(text: &str) -> Option<(usize, usize)> {
    let mut from = 0;
    while let Some(at) = text[from..].find('\n') {
        let end = from + at;
        let after = text[end + 1..].trim_start_matches([' ', '\t', '\r']);
        if after.starts_with('\n') {
            return Some((end, text.len() - after.len() + 1));
        }
        from = end + 1;
    }
    None
}

/// Blocks as running text: what separates them becomes a space.
fn inlines_of(blocks: Vec<DocBlock>) -> Vec<DocInline> {
    let mut out: Vec<DocInline> = Vec::new();
    let mut push = |inlines: Vec<DocInline>| {
        if !out.is_empty() && !inlines.is_empty() {
            out.push(DocInline::Text(" ".to_owned()));
        }
        out.extend(inlines);
    };
    for block in blocks {
        match block {
            DocBlock::Paragraph(inlines) => push(inlines),
            DocBlock::Code { text, .. } => {
                push(vec![DocInline::Code(folded(&text).trim().to_owned())])
            }
            DocBlock::List { header, items, .. } => {
                header.into_iter().for_each(&mut push);
                for item in items {
                    item.terms.into_iter().for_each(&mut push);
                    for description in item.descriptions {
                        push(inlines_of(description));
                    }
                }
            }
        }
    }
    out
}

/// The section that a simple XPath means: `/summary`, `//remarks/node()`, `/param[@name='a']`.
fn section_of_path(path: &str) -> Option<(DocSectionKind, String)> {
    use DocSectionKind as K;
    let path = path.trim().trim_start_matches('/');
    let path = path
        .strip_prefix("doc/")
        .or_else(|| path.strip_prefix("member/"))
        .unwrap_or(path);
    let step = path.split('/').next()?;
    let (element, predicate) = step.split_once('[').unwrap_or((step, ""));
    let kind = match element.trim() {
        "summary" => K::Summary,
        "remarks" => K::Remarks,
        "returns" => K::Returns,
        "value" => K::Value,
        "example" => K::Example,
        "param" => K::Param,
        "typeparam" => K::TypeParam,
        _ => return None,
    };
    let name = predicate.split(['\'', '"']).nth(1).unwrap_or_default();
    Some((kind, name.to_owned()))
}

/// White space folded to single spaces; those at the ends stay as one.
pub(crate) fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut is_space = false;
    for c in text.chars() {
        // A no-break space is written for its own sake.
        let is_blank = c.is_ascii_whitespace();
        if !is_blank {
            out.push(c);
        } else if !is_space {
            out.push(' ');
        }
        is_space = is_blank;
    }
    out
}

fn text_of(node: Node<'_, '_>) -> String {
    let texts = node.descendants().filter(|it| it.is_text());
    texts.filter_map(|it| it.text()).collect()
}

fn is_blank(text: Option<&str>) -> bool {
    text.is_none_or(|text| text.trim().is_empty())
}

/// Lines without the indentation that all have, without blank ones at both ends.
fn dedented(text: &str) -> String {
    let text = text.trim_end();
    let lines: Vec<&str> = text
        .lines()
        .skip_while(|line| line.trim().is_empty())
        .collect();
    let indents = lines.iter().filter(|line| !line.trim().is_empty());
    // The first line may stand right behind the tag.
    let is_attached =
        !text.starts_with(['\n', '\r']) && lines.first().is_some_and(|it| !it.starts_with(' '));
    let indents = indents.skip(usize::from(is_attached));
    let indent = indents
        .map(|line| line.len() - line.trim_start_matches([' ', '\t']).len())
        .min()
        .unwrap_or(0);
    let lines = lines.iter().enumerate().map(|(nth, line)| {
        let own = line.len() - line.trim_start_matches([' ', '\t']).len();
        match nth {
            0 if is_attached => line.trim_end(),
            _ => line[indent.min(own)..].trim_end(),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}
