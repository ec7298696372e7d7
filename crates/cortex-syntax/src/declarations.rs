//! Declarations of every kind, in preorder.

mod accessors;
mod attributes;
mod params;
mod type_params;

use cortex_model::{Accessibility, ByteRange, DeclKind, Modifier, Modifiers};

use self::attributes::AttributeOwner;
use crate::{
    arena::{Arena, NodeId},
    docs,
    facts::{AttributeUse, Decl, DeclId, NameId, TypeSyntax, Using, UsingKind},
    kind::{Field, Kind},
    names::{Names, TokenHash, text_hash, token_text},
    references::References,
    types::type_syntax,
};

/// What a file declares.
#[derive(Default)]
pub(crate) struct Declarations {
    pub(crate) usings: Vec<Using>,
    pub(crate) decls: Vec<Decl>,
    pub(crate) assembly_attributes: Vec<AttributeUse>,
    /// Where each declaration stands in the tree.
    pub(crate) sources: Vec<Source>,
    /// `[assembly: …]` and `[module: …]`.
    pub(crate) global_attributes: Vec<NodeId>,
    /// The top-level statements.
    pub(crate) global_statements: Vec<NodeId>,
}

/// The node of a declaration, and its declarator where it has one.
#[derive(Clone, Copy)]
pub(crate) struct Source {
    pub(crate) node: NodeId,
    pub(crate) declarator: Option<NodeId>,
}

/// Collects the declarations of a file. O(nodes), with a stack of its own.
pub(crate) fn collect(arena: &Arena<'_>, refs: &References, names: &mut Names) -> Declarations {
    let mut collector = Collector {
        arena,
        refs,
        names,
        out: Declarations::default(),
        top_level: None,
    };
    // Containers still to be visited: the last one first, so that declarations come out in preorder.
    let mut pending: Vec<(NodeId, Option<DeclId>)> = vec![(0, None)];
    while let Some((node, parent)) = pending.pop() {
        let first = pending.len();
        match arena.kind(node) {
            Kind::CompilationUnit | Kind::DeclarationList | Kind::EnumMemberList | Kind::Error => {
                let mut parent = parent;
                for child in arena.children(node) {
                    if arena.kind(child) == Kind::FileScopedNamespace {
                        // It has no body of its own: what follows belongs to it.
                        parent = Some(collector.namespace(child, parent));
                    } else {
                        pending.push((child, parent));
                    }
                }
            }
            _ => {
                if let Some((container, decl)) = collector.visit(node, parent) {
                    pending.push((container, Some(decl)));
                }
            }
        }
        pending[first..].reverse();
    }
    collector.out
}

struct Collector<'c, 't> {
    arena: &'c Arena<'t>,
    refs: &'c References,
    names: &'c mut Names,
    out: Declarations,
    top_level: Option<(DeclId, TokenHash)>,
}

impl Collector<'_, '_> {
    /// Records what a node declares; returns the body whose children are declarations, if it has one.
    fn visit(&mut self, node: NodeId, parent: Option<DeclId>) -> Option<(NodeId, DeclId)> {
        let arena = self.arena;
        let kind = match arena.kind(node) {
            Kind::Namespace => {
                let decl = self.namespace(node, parent);
                return arena.child(node, Field::Body).map(|body| (body, decl));
            }
            Kind::Using => {
                self.using(node, parent);
                return None;
            }
            Kind::ExternAlias => {
                let name = arena.child(node, Field::Name)?;
                let alias = self.names.identifier(arena.str(name));
                self.out.usings.push(Using {
                    scope: parent,
                    kind: UsingKind::ExternAlias(alias),
                    global: false,
                    target: TypeSyntax::Unknown,
                    range: arena.range(node),
                });
                return None;
            }
            Kind::GlobalAttribute => {
                self.global_attribute(node);
                return None;
            }
            Kind::GlobalStatement => {
                self.global_statement(node);
                return None;
            }
            Kind::Class => DeclKind::Class,
            Kind::Struct if arena.bytes(node_keyword(arena, node)).starts_with(b"ext") => {
                DeclKind::Extension
            }
            Kind::Struct => DeclKind::Struct,
            Kind::Interface => DeclKind::Interface,
            Kind::Enum => DeclKind::Enum,
            Kind::Record => {
                let is_struct = arena
                    .children(node)
                    .any(|child| arena.bytes(child) == b"struct");
                if is_struct {
                    DeclKind::RecordStruct
                } else {
                    DeclKind::Record
                }
            }
            Kind::Delegate => DeclKind::Delegate,
            Kind::EnumMember => DeclKind::EnumMember,
            Kind::Property => DeclKind::Property,
            Kind::Indexer => DeclKind::Indexer,
            Kind::EventDeclaration => DeclKind::Event,
            Kind::Method => DeclKind::Method,
            Kind::Operator => DeclKind::Operator,
            Kind::Conversion => DeclKind::Conversion,
            Kind::Destructor => DeclKind::Finalizer,
            Kind::Constructor => DeclKind::Constructor,
            Kind::Field | Kind::EventField => {
                self.fields(node, parent);
                return None;
            }
            _ => return None,
        };
        let decl = self.declaration(node, kind, parent);
        let id = self.push(decl, node, None);
        arena
            .child(node, Field::Body)
            .filter(|_| kind.type_kind().is_some() || kind == DeclKind::Extension)
            .map(|body| (body, id))
    }

    fn namespace(&mut self, node: NodeId, parent: Option<DeclId>) -> DeclId {
        let arena = self.arena;
        let name = arena.child(node, Field::Name).unwrap_or(node);
        let text = token_text(arena, name, arena.node(name).after);
        let full = self.names.qualified(&text);
        let mut decl = empty_decl(DeclKind::Namespace, full, parent, arena.range(node));
        decl.name_range = arena.range(name);
        if arena.kind(node) == Kind::FileScopedNamespace {
            decl.range.end = arena.text.len() as u32;
        }
        self.push(decl, node, None)
    }

    fn push(&mut self, decl: Decl, node: NodeId, declarator: Option<NodeId>) -> DeclId {
        self.out.decls.push(decl);
        self.out.sources.push(Source { node, declarator });
        (self.out.decls.len() - 1) as DeclId
    }

    fn using(&mut self, node: NodeId, scope: Option<DeclId>) {
        let arena = self.arena;
        let mut kind = UsingKind::Namespace;
        let mut global = false;
        let mut target = TypeSyntax::Unknown;
        for child in arena.children(node) {
            match (arena.kind(child), arena.bytes(child)) {
                (Kind::Token, b"global") => global = true,
                (Kind::Token, b"static") => kind = UsingKind::Static,
                (Kind::Token | Kind::Comment, _) => {}
                _ if arena.node(child).field == Field::Name => {
                    kind = UsingKind::Alias(self.names.identifier(arena.str(child)));
                }
                _ => target = type_syntax(arena, self.refs, self.names, child),
            }
        }
        self.out.usings.push(Using {
            scope,
            kind,
            global,
            target,
            range: arena.range(node),
        });
    }

    fn global_statement(&mut self, node: NodeId) {
        let arena = self.arena;
        let range = arena.range(node);
        if self.top_level.is_none() {
            let name = self.names.intern("Program");
            let decl = empty_decl(DeclKind::TopLevel, name, None, range);
            self.top_level = Some((self.push(decl, node, None), TokenHash::default()));
        }
        self.out.global_statements.push(node);
        let Some((decl, hash)) = &mut self.top_level else {
            return;
        };
        let decl = &mut self.out.decls[*decl as usize];
        hash.add(b'b', arena, node, arena.node(node).after);
        decl.range.end = range.end;
        decl.body_range = decl.range;
        decl.impl_hash = std::mem::take(hash).finish();
        hash.add_number(decl.impl_hash);
    }

    fn fields(&mut self, node: NodeId, parent: Option<DeclId>) {
        let arena = self.arena;
        let is_event = arena.kind(node) == Kind::EventField;
        let base = self.declaration(
            node,
            if is_event {
                DeclKind::Event
            } else {
                DeclKind::Field
            },
            parent,
        );
        let Some(declaration) = arena.child_of_kind(node, Kind::VariableDeclaration) else {
            return;
        };
        let kind = match base.kind {
            DeclKind::Field if base.modifiers.contains(Modifier::Const) => DeclKind::Constant,
            kind => kind,
        };
        let ty = arena
            .child(declaration, Field::Type)
            .map(|ty| type_syntax(arena, self.refs, self.names, ty));
        let mut start = base.range.start;
        for declarator in arena
            .children(declaration)
            .filter(|&c| arena.kind(c) == Kind::VariableDeclarator)
        {
            let Some(name) = arena.child(declarator, Field::Name) else {
                continue;
            };
            let value = arena
                .children(declarator)
                .find(|&child| arena.bytes(child) == b"=");
            let end = arena.node(declarator).after;
            let mut hash = TokenHash::default();
            let mut body_range = ByteRange::default();
            if let Some(value) = value {
                hash.add(b'v', arena, value + 1, end);
                body_range = ByteRange {
                    start: arena.node(value).start,
                    end: arena.node(declarator).end,
                };
            }
            let decl = Decl {
                kind,
                ty: ty.clone(),
                name: self.names.identifier(arena.str(name)),
                value: value
                    .filter(|_| kind == DeclKind::Constant)
                    .map(|v| self.names.intern(&token_text(arena, v + 1, end))),
                range: ByteRange {
                    start,
                    end: arena.node(declarator).end,
                },
                name_range: arena.range(name),
                body_range,
                impl_hash: hash.finish(),
                ..base.clone()
            };
            start = arena.node(declarator).end;
            self.push(decl, node, Some(declarator));
        }
        if let Some(last) = self
            .out
            .decls
            .last_mut()
            .filter(|last| last.range.start >= base.range.start)
        {
            last.range.end = base.range.end;
        }
    }

    /// Reads everything that declarations have in common.
    fn declaration(&mut self, node: NodeId, kind: DeclKind, parent: Option<DeclId>) -> Decl {
        let arena = self.arena;
        let empty = self.names.intern("");
        let mut decl = empty_decl(kind, empty, parent, arena.range(node));
        let mut hash = TokenHash::default();
        let mut saw_arrow_value = false;
        for child in arena.children(node) {
            let at = arena.node(child);
            match (at.kind, at.field) {
                (Kind::Modifier, _) => self.modifier(&mut decl, child),
                (Kind::AttributeList, _) => {
                    self.attribute_list(&mut decl.attributes, child, AttributeOwner::Declaration);
                }
                (Kind::ExplicitInterface, _) => {
                    let name = arena
                        .children(child)
                        .find(|&c| arena.kind(c) != Kind::Token);
                    if let Some(name) = name {
                        decl.bases
                            .push(type_syntax(arena, self.refs, self.names, name));
                    }
                }
                (Kind::BaseList, _) if kind == DeclKind::Extension => {
                    decl.params = Some(vec![self.nameless_receiver(child)]);
                }
                (Kind::BaseList, _) => self.base_list(&mut decl, child, &mut hash),
                (Kind::TypeParameterList, _) => {
                    decl.type_params = self.type_params(child, &mut decl.attributes);
                }
                (Kind::ConstraintsClause, _) => self.constraints(&mut decl.type_params, child),
                (Kind::ParameterList | Kind::BracketedParameterList, _) => {
                    decl.params = Some(self.params(child, &mut hash, &mut decl.attributes));
                }
                (_, Field::Type | Field::Returns) => {
                    decl.ty = Some(type_syntax(arena, self.refs, self.names, child));
                }
                (_, Field::Operator) => self.operator(&mut decl, child),
                (Kind::Identifier, Field::Name) => {
                    decl.name = self.names.identifier(arena.str(child));
                    decl.name_range = arena.range(child);
                }
                (Kind::AccessorList, _) => {
                    extend(&mut decl.body_range, arena.range(child));
                    self.accessors(&mut decl, child, &mut hash);
                }
                (Kind::ConstructorInitializer, _) => {
                    extend(&mut decl.body_range, arena.range(child));
                    hash.add(b'i', arena, child, at.after);
                }
                (Kind::DeclarationList | Kind::EnumMemberList, Field::Body) => {
                    decl.body_range = arena.range(child);
                }
                (Kind::Block | Kind::Arrow, _) => {
                    saw_arrow_value |= at.kind == Kind::Arrow;
                    extend(&mut decl.body_range, arena.range(child));
                    hash.add(b'b', arena, child, at.after);
                }
                (_, Field::Value) if !saw_arrow_value => {
                    extend(&mut decl.body_range, arena.range(child));
                    hash.add(b'v', arena, child, at.after);
                    decl.value = Some(self.names.intern(&token_text(arena, child, at.after)));
                }
                (Kind::Token, _) => self.keyword(&mut decl, child),
                _ => {}
            }
        }
        self.finish_name(&mut decl, node);
        decl.impl_hash = hash.finish();
        self.texts(&mut decl, node);
        decl
    }

    /// The token of an operator.
    fn operator(&mut self, decl: &mut Decl, child: NodeId) {
        let arena = self.arena;
        decl.name_range = arena.range(child);
        // `operator +=` is parsed as `operator +`.
        let is_arithmetic = !matches!(
            arena.bytes(child),
            b"=" | b"!" | b"<" | b">" | b"==" | b"!="
        );
        if is_arithmetic && arena.text.get(decl.name_range.end as usize) == Some(&b'=') {
            decl.name_range.end += 1;
        }
        let text = std::str::from_utf8(&arena.text[decl.name_range.as_usize()]);
        decl.name = self.names.intern(text.unwrap_or_default());
    }

    /// A keyword that is no modifier for the grammar.
    fn keyword(&mut self, decl: &mut Decl, child: NodeId) {
        let arena = self.arena;
        match arena.bytes(child) {
            b"implicit" => decl.modifiers = decl.modifiers.with(Modifier::Implicit),
            b"explicit" => decl.modifiers = decl.modifiers.with(Modifier::Explicit),
            b"checked" => decl.modifiers = decl.modifiers.with(Modifier::Checked),
            word @ (b"ref" | b"extern" | b"unsafe") => {
                let word = std::str::from_utf8(word).unwrap_or_default();
                decl.modifiers = decl.modifiers.union(modifier(word));
            }
            b"this" if decl.kind == DeclKind::Indexer => {
                decl.name = self.names.intern("this");
                decl.name_range = arena.range(child);
            }
            _ => {}
        }
    }

    /// Names that are not written as identifiers, and kinds that modifiers decide.
    fn finish_name(&mut self, decl: &mut Decl, node: NodeId) {
        let arena = self.arena;
        match decl.kind {
            DeclKind::Conversion => {
                decl.name = self
                    .names
                    .intern(if decl.modifiers.contains(Modifier::Implicit) {
                        "implicit"
                    } else {
                        "explicit"
                    });
                decl.name_range = arena
                    .child(node, Field::Type)
                    .map_or(decl.range, |ty| arena.range(ty));
            }
            DeclKind::Operator if decl.name_range.start == decl.name_range.end => {
                self.operator_name(decl, node);
            }
            DeclKind::Constructor if decl.modifiers.contains(Modifier::Static) => {
                decl.kind = DeclKind::StaticConstructor;
            }
            DeclKind::Extension => decl.name = self.names.intern("extension"),
            _ => {}
        }
    }

    /// The documentation, and the text that is compared as a whole.
    fn texts(&self, decl: &mut Decl, node: NodeId) {
        let arena = self.arena;
        let doc = docs::comment_before(arena, node);
        decl.doc_range = doc;
        decl.doc_hash = docs::hash(arena.text, doc);
        if decl.kind.type_kind().is_some() {
            let start = if doc.end > doc.start {
                doc.start
            } else {
                decl.range.start
            };
            decl.text_hash = text_hash(
                arena.text,
                ByteRange {
                    start,
                    end: decl.range.end,
                },
            );
        }
    }

    /// The operator of a declaration that the grammar reads only in part, such as `operator +=`.
    fn operator_name(&mut self, decl: &mut Decl, node: NodeId) {
        let arena = self.arena;
        let keyword = arena
            .children(node)
            .find(|&child| arena.bytes(child) == b"operator");
        let params = arena.child(node, Field::Parameters);
        if let (Some(keyword), Some(params)) = (keyword, params) {
            let range = ByteRange {
                start: arena.node(keyword).end,
                end: arena.node(params).start,
            };
            let text = std::str::from_utf8(&arena.text[range.as_usize()])
                .unwrap_or_default()
                .trim();
            decl.name = self.names.intern(text);
            decl.name_range = range;
        }
    }

    fn modifier(&mut self, decl: &mut Decl, node: NodeId) {
        for word in self.arena.str(node).split_ascii_whitespace() {
            match accessibility(decl.accessibility, word) {
                Some(accessibility) => decl.accessibility = Some(accessibility),
                None => decl.modifiers = decl.modifiers.union(modifier(word)),
            }
        }
    }

    fn base_list(&mut self, decl: &mut Decl, list: NodeId, hash: &mut TokenHash) {
        let arena = self.arena;
        for child in arena.children(list) {
            match arena.kind(child) {
                Kind::Token | Kind::Comment => {}
                Kind::ArgumentList => hash.add(b'i', arena, child, arena.node(child).after),
                Kind::PrimaryBase => {
                    if let Some(ty) = arena.child(child, Field::Type) {
                        decl.bases
                            .push(type_syntax(arena, self.refs, self.names, ty));
                        hash.add(b'i', arena, arena.node(ty).after, arena.node(child).after);
                    }
                }
                _ => decl
                    .bases
                    .push(type_syntax(arena, self.refs, self.names, child)),
            }
        }
        if decl.kind == DeclKind::Enum {
            decl.ty = decl.bases.pop();
        }
    }
}

/// The keyword token of a type declaration: the first token that is not part of attributes or modifiers.
fn node_keyword(arena: &Arena<'_>, node: NodeId) -> NodeId {
    arena
        .children(node)
        .find(|&child| arena.kind(child) == Kind::Token)
        .unwrap_or(node)
}

fn empty_decl(kind: DeclKind, name: NameId, parent: Option<DeclId>, range: ByteRange) -> Decl {
    Decl {
        parent,
        kind,
        name,
        accessibility: None,
        modifiers: Modifiers::EMPTY,
        type_params: Vec::new(),
        ty: None,
        params: None,
        bases: Vec::new(),
        attributes: Vec::new(),
        accessors: Vec::new(),
        value: None,
        range,
        name_range: ByteRange::default(),
        line: 0,
        body_range: ByteRange::default(),
        doc_range: ByteRange::default(),
        doc_hash: 0,
        impl_hash: 0,
        text_hash: 0,
    }
}

fn extend(range: &mut ByteRange, with: ByteRange) {
    if range.start == range.end {
        *range = with;
    } else {
        range.end = with.end;
    }
}

fn accessibility(before: Option<Accessibility>, word: &str) -> Option<Accessibility> {
    Some(match (word, before) {
        ("public", _) => Accessibility::Public,
        ("private", Some(Accessibility::Protected))
        | ("protected", Some(Accessibility::Private)) => Accessibility::PrivateProtected,
        ("internal", Some(Accessibility::Protected))
        | ("protected", Some(Accessibility::Internal)) => Accessibility::ProtectedInternal,
        ("private", _) => Accessibility::Private,
        ("internal", _) => Accessibility::Internal,
        ("protected", _) => Accessibility::Protected,
        ("file", _) => Accessibility::File,
        _ => return None,
    })
}

fn modifier(word: &str) -> Modifiers {
    Modifier::ALL
        .iter()
        .copied()
        .filter(|modifier| modifier.name() == word)
        .collect()
}
