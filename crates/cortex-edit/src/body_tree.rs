//! The statements and expressions of a file with the bytes that each covers, for edits that move code.
//!
//! A tree of facts has the first byte or the operator of each node; where a node ends is read off the tokens. Must not
//! know: what names mean.

use cortex_model::ByteRange;
use cortex_syntax::{
    BodyId, BodyKind, BodyNode, DeclId, FileFacts,
    text::{CodeToken, CodeTokenKind, tokens},
};
use rustc_hash::FxHashMap;

/// The trees of a file with what contains each node, and where it is.
pub(crate) struct BodyTree<'f> {
    pub(crate) facts: &'f FileFacts,
    pub(crate) text: &'f str,
    parents: Vec<Option<BodyId>>,
    spans: Vec<ByteRange>,
    names: FxHashMap<u32, BodyId>,
    tokens: Vec<ByteRange>,
}

impl<'f> BodyTree<'f> {
    /// Reads the ranges of all nodes. O(bytes).
    pub(crate) fn new(facts: &'f FileFacts, text: &'f str) -> Self {
        let nodes = facts.bodies.nodes();
        let mut parents = vec![None; nodes.len()];
        let mut names = FxHashMap::default();
        for (id, node) in nodes.iter().enumerate() {
            let id = id as BodyId;
            for child in facts.bodies.children(id) {
                parents[child as usize] = Some(id);
            }
            if matches!(node.kind, BodyKind::Name | BodyKind::GenericName) {
                names.insert(node.offset, id);
            }
        }
        let lines = Tokens::new(facts, text);
        let mut spans = vec![ByteRange { start: 0, end: 0 }; nodes.len()];
        for id in (0..nodes.len() as BodyId).rev() {
            let parent = parents[id as usize].map(|it: BodyId| facts.bodies.kind(it));
            spans[id as usize] = lines.span(facts, id, parent, &spans);
        }
        Self {
            facts,
            text,
            parents,
            spans,
            names,
            tokens: lines.all,
        }
    }

    /// The root of a declaration; none where it has nothing to say.
    pub(crate) fn root_of(&self, decl: DeclId) -> Option<BodyId> {
        self.facts.bodies.root_of(decl)
    }

    /// All nodes, parents first.
    pub(crate) fn nodes(&self) -> std::ops::Range<BodyId> {
        0..self.facts.bodies.nodes().len() as BodyId
    }

    pub(crate) fn node(&self, id: BodyId) -> BodyNode {
        self.facts.bodies.node(id)
    }

    pub(crate) fn kind(&self, id: BodyId) -> BodyKind {
        self.facts.bodies.kind(id)
    }

    pub(crate) fn parent(&self, id: BodyId) -> Option<BodyId> {
        self.parents[id as usize]
    }

    pub(crate) fn children(&self, id: BodyId) -> Vec<BodyId> {
        self.facts.bodies.children(id).collect()
    }

    /// A node and all that it contains.
    pub(crate) fn within(&self, id: BodyId) -> std::ops::Range<BodyId> {
        id..self.node(id).after
    }

    /// The bytes of a node, from its first token to its last one.
    pub(crate) fn span(&self, id: BodyId) -> ByteRange {
        self.spans[id as usize]
    }

    pub(crate) fn text_of(&self, id: BodyId) -> &'f str {
        self.text.get(self.span(id).as_usize()).unwrap_or_default()
    }

    /// The node of a name at an offset.
    pub(crate) fn name_at(&self, offset: u32) -> Option<BodyId> {
        self.names.get(&offset).copied()
    }

    /// The position of a node among the children of its parent.
    pub(crate) fn index_in_parent(&self, id: BodyId) -> usize {
        let Some(parent) = self.parent(id) else {
            return 0;
        };
        let mut children = self.facts.bodies.children(parent);
        children.position(|it| it == id).unwrap_or_default()
    }

    /// The nodes around another one, the nearest first.
    pub(crate) fn ancestors(&self, id: BodyId) -> impl Iterator<Item = BodyId> + '_ {
        std::iter::successors(self.parent(id), |&it| self.parent(it))
    }

    /// The node of a declared variable or local function whose name is at an offset.
    pub(crate) fn declared_at(&self, offset: u32) -> Option<BodyId> {
        let nodes = self.facts.bodies.nodes().iter().zip(0..);
        let declares = |kind| {
            matches!(
                kind,
                BodyKind::Declarator
                    | BodyKind::SingleDesignation
                    | BodyKind::LocalFunction
                    | BodyKind::LambdaParameter
            )
        };
        let mut found = nodes.filter(|(node, _)| declares(node.kind) && node.offset == offset);
        found.next().map(|(_, id)| id)
    }

    /// The tokens that are compiled.
    pub(crate) fn all_tokens(&self) -> &[ByteRange] {
        &self.tokens
    }

    /// The tokens in a range.
    pub(crate) fn tokens_in(&self, range: ByteRange) -> &[ByteRange] {
        let first = self.tokens.partition_point(|it| it.end <= range.start);
        let last = self.tokens.partition_point(|it| it.start < range.end);
        &self.tokens[first.min(last)..last]
    }

    /// Whether a node is one of a list of statements.
    pub(crate) fn is_in_list(&self, id: BodyId) -> bool {
        let Some(parent) = self.parent(id) else {
            return false;
        };
        match self.kind(parent) {
            BodyKind::Block => true,
            BodyKind::Section => self.kind(id) != BodyKind::CaseLabel,
            // Top-level statements.
            BodyKind::Body => is_statement(self.kind(id)) && self.kind(id) != BodyKind::Block,
            _ => false,
        }
    }

    /// Whether `default:` is among the labels of a section, which has no node.
    pub(crate) fn is_default(&self, section: BodyId) -> bool {
        let mut children = self.children(section).into_iter();
        let first = children.find(|&it| self.kind(it) != BodyKind::CaseLabel);
        let span = self.span(section);
        let labels = ByteRange {
            start: span.start,
            end: first.map_or(span.end, |it| self.span(it).start),
        };
        let tokens = self.tokens_in(labels);
        let word = |at: usize| &self.text[tokens[at].as_usize()];
        (1..tokens.len()).any(|at| word(at) == ":" && word(at - 1) == "default")
    }
}

/// Whether a kind of node is a statement.
pub(crate) fn is_statement(kind: BodyKind) -> bool {
    matches!(
        kind,
        BodyKind::Block
            | BodyKind::LocalDeclaration
            | BodyKind::LocalFunction
            | BodyKind::ExpressionStatement
            | BodyKind::Return
            | BodyKind::Throw
            | BodyKind::If
            | BodyKind::While
            | BodyKind::Do
            | BodyKind::For
            | BodyKind::ForEach
            | BodyKind::ForEachDeconstruct
            | BodyKind::Using
            | BodyKind::Lock
            | BodyKind::Fixed
            | BodyKind::Try
            | BodyKind::Switch
            | BodyKind::Yield
            | BodyKind::GotoCase
            | BodyKind::Wrapped
            | BodyKind::Empty
    )
}

/// The tokens that are compiled, and which bracket closes which.
struct Tokens<'t> {
    text: &'t str,
    all: Vec<ByteRange>,
    /// For a bracket or the start of an interpolated string that opens, the token that closes it.
    closing: FxHashMap<usize, usize>,
}

impl<'t> Tokens<'t> {
    fn new(facts: &FileFacts, text: &'t str) -> Self {
        let is_active = |token: &CodeToken| {
            let mut inactive = facts.inactive.iter();
            token.kind != CodeTokenKind::Directive
                && !inactive.any(|it| it.range.contains(token.range.start))
        };
        let found = tokens(text.as_bytes());
        let all: Vec<ByteRange> = match facts.inactive.is_empty() {
            true => (found.iter())
                .filter(|it| it.kind != CodeTokenKind::Directive)
                .map(|it| it.range)
                .collect(),
            false => found
                .iter()
                .filter(|it| is_active(it))
                .map(|it| it.range)
                .collect(),
        };
        let mut closing = FxHashMap::default();
        let mut open: Vec<(usize, String)> = Vec::new();
        for (at, range) in all.iter().enumerate() {
            let token = &text[range.as_usize()];
            if open.last().is_some_and(|(_, close)| close == token) {
                if let Some((from, _)) = open.pop() {
                    closing.insert(from, at);
                }
                continue;
            }
            if let Some(close) = closing_of(token) {
                open.push((at, close));
            }
        }
        Self { text, all, closing }
    }

    fn index_at(&self, offset: u32) -> Option<usize> {
        let at = self.all.partition_point(|it| it.end <= offset);
        (at < self.all.len()).then_some(at)
    }

    fn token(&self, at: usize) -> &'t str {
        let range = self.all.get(at).map(|it| it.as_usize());
        range.map_or("", |range| &self.text[range])
    }

    /// The bytes of a node whose descendants are known.
    fn span(
        &self,
        facts: &FileFacts,
        id: BodyId,
        parent: Option<BodyKind>,
        spans: &[ByteRange],
    ) -> ByteRange {
        let node = facts.bodies.node(id);
        let Some(own) = self.index_at(node.offset) else {
            return ByteRange {
                start: node.offset,
                end: node.offset,
            };
        };
        let mut range = self.all[own];
        // Attributes of lambdas and local functions stand before them, out of order.
        let mut children: Vec<ByteRange> = (facts.bodies.children(id))
            .map(|child| spans[child as usize])
            .filter(|it| it.start < it.end)
            .collect();
        children.sort_unstable();
        for child in &children {
            range.start = range.start.min(child.start);
            range.end = range.end.max(child.end);
        }
        range.end = self.balanced(range, &children);
        range.end = self.with_ending(node, range, parent);
        range.start = self.with_modifiers(node.kind, range.start);
        range
    }

    /// The end of a node with the brackets closed that open in it.
    fn balanced(&self, range: ByteRange, children: &[ByteRange]) -> u32 {
        let mut end = range.end;
        let mut at = self.all.partition_point(|it| it.end <= range.start);
        let mut children = children.iter().peekable();
        while let Some(token) = self.all.get(at).filter(|it| it.start < end) {
            while children.next_if(|it| it.end <= token.start).is_some() {}
            if let Some(child) = children.peek().filter(|it| it.start <= token.start) {
                at = self.all.partition_point(|it| it.start < child.end);
                continue;
            }
            if let Some(&close) = self.closing.get(&at) {
                end = end.max(self.all[close].end);
            }
            at += 1;
        }
        end
    }

    /// The end of a node with the tokens behind its last child that belong to it.
    fn with_ending(&self, node: BodyNode, range: ByteRange, parent: Option<BodyKind>) -> u32 {
        let next = self.all.partition_point(|it| it.start < range.end);
        let ends_with = |token: &str| match self.token(next) == token {
            true => self.all[next].end,
            false => range.end,
        };
        let closed = |at: usize| self.closing.get(&at).map(|&close| self.all[close].end);
        match node.kind {
            BodyKind::GenericName => match self.token(next) {
                ">" => self.all[next].end,
                // All type arguments are left out.
                "<" => (next..self.all.len())
                    .find(|&at| self.token(at) == ">")
                    .map_or(range.end, |at| self.all[at].end),
                _ => range.end,
            },
            BodyKind::NullableType => ends_with("?"),
            BodyKind::SuppressNull => ends_with("!"),
            BodyKind::PointerType => ends_with("*"),
            BodyKind::Range if node.flags & 2 == 0 => ends_with(".."),
            BodyKind::ArrayType if self.token(next) == "[" => closed(next).unwrap_or(range.end),
            BodyKind::AnonymousObject | BodyKind::Switch if self.token(next) == "{" => {
                closed(next).unwrap_or(range.end)
            }
            BodyKind::SwitchExpression if self.token(next) == "switch" => {
                closed(next + 1).unwrap_or(range.end)
            }
            BodyKind::LocalDeclaration
                if matches!(
                    parent,
                    Some(BodyKind::ForInit | BodyKind::Using | BodyKind::Fixed)
                ) =>
            {
                range.end
            }
            BodyKind::ExpressionStatement
            | BodyKind::LocalDeclaration
            | BodyKind::Return
            | BodyKind::Throw
            | BodyKind::Yield
            | BodyKind::GotoCase
            | BodyKind::Do
            | BodyKind::Empty => self.end_of_statement(range),
            BodyKind::LocalFunction if !self.text[..range.end as usize].ends_with('}') => {
                self.end_of_statement(range)
            }
            _ => range.end,
        }
    }

    /// The end of the semicolon that ends a statement.
    fn end_of_statement(&self, range: ByteRange) -> u32 {
        let last = self.all.partition_point(|it| it.end < range.end);
        if self.token(last) == ";" {
            return range.end;
        }
        let mut at = last + 1;
        while at < self.all.len() {
            match self.token(at) {
                ";" => return self.all[at].end,
                "}" => return range.end,
                _ => at = self.closing.get(&at).copied().unwrap_or(at) + 1,
            }
        }
        range.end
    }

    /// The start of a declaration with the modifiers before it.
    fn with_modifiers(&self, kind: BodyKind, start: u32) -> u32 {
        let words: &[&str] = match kind {
            BodyKind::LocalDeclaration => &["const", "using", "await", "static", "scoped"],
            BodyKind::ExpressionStatement
            | BodyKind::ForEach
            | BodyKind::ForEachDeconstruct
            | BodyKind::Using => &["await"],
            BodyKind::LocalFunction => &["static", "async", "unsafe", "extern"],
            _ => return start,
        };
        let mut first = self.all.partition_point(|it| it.start < start);
        while first > 0 && words.contains(&self.token(first - 1)) {
            first -= 1;
        }
        self.all.get(first).map_or(start, |it| it.start)
    }
}

/// What closes a token that opens something.
fn closing_of(token: &str) -> Option<String> {
    match token.as_bytes().first()? {
        b'(' => Some(")".to_owned()),
        b'[' => Some("]".to_owned()),
        b'{' => Some("}".repeat(token.len())),
        b'$' | b'@' if token.contains('$') && token.ends_with('"') => {
            let n_quotes = token.bytes().filter(|&it| it == b'"').count();
            Some("\"".repeat(n_quotes))
        }
        _ => None,
    }
}
