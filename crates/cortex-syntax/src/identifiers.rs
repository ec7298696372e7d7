//! Every identifier of a text with its place, and what the tree alone says about it: read on demand, for edits
//! that rename what facts do not store.
//!
//! Owns: where names of parameters, type parameters, labels, aliases and namespaces are declared, and which
//! label, type parameter or parameter a `goto`, a `where` clause or a documentation comment refers to. Must not
//! know: what other names mean.

mod labels;
mod names_in_docs;

use cortex_model::ByteRange;

use crate::{
    arena::{Arena, NodeId},
    extract::{Extractor, ParseOptions},
    facts::DeclId,
    kind::{Field, Kind},
    names::identifier_text,
};

/// The identifiers of one text under one set of `#if` symbols.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Identifiers {
    /// Every identifier in code, ascending.
    pub tokens: Vec<Identifier>,
    /// The names of the parameters of declarations, by declaration and position.
    pub parameters: Vec<DeclaredName>,
    /// The names of the type parameters of declarations, by declaration and position.
    pub type_parameters: Vec<DeclaredName>,
    /// The names of aliases; `position` is that of the using directive in the file, and `decl` unused.
    pub aliases: Vec<DeclaredName>,
    /// The segments of the names of namespace declarations, by declaration and position.
    pub namespaces: Vec<DeclaredName>,
    /// The names of labels.
    pub labels: Vec<ByteRange>,
    /// Names whose declaration the tree alone tells, ascending.
    pub links: Vec<Link>,
}

/// One identifier.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Identifier {
    /// The token, `@` included.
    pub range: ByteRange,
    /// The identifier without `@`, with escapes read.
    pub name: Box<str>,
    /// The innermost declaration, block or similar construct around it.
    pub scope: ByteRange,
    /// What the tree says of it.
    pub position: Position,
}

/// What the tree says of an identifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Position {
    /// Nothing: binding decides.
    Name,
    /// It declares a label, or names one in a `goto`.
    Label,
    /// The name of an element of a tuple or of a member of an anonymous object, or before the colon of a
    /// positional pattern.
    Element,
    /// The type parameter of a `where` clause.
    Constraint,
    /// A word that is a keyword where it stands, such as the target of an attribute.
    Keyword,
}

/// The name of a part of a declaration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct DeclaredName {
    /// The declaration.
    pub decl: DeclId,
    /// Which of its parameters, type parameters or segments.
    pub position: u16,
    /// The name, `@` included.
    pub range: ByteRange,
}

/// A name whose declaration the tree alone tells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Link {
    /// The name.
    pub range: ByteRange,
    /// Where the name in the declaration begins, in the same file.
    pub declared: u32,
    /// What names it.
    pub kind: LinkKind,
}

/// What names a declaration that the tree alone tells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum LinkKind {
    /// A `goto`.
    Goto,
    /// A `where` clause.
    Constraint,
    /// A documentation comment.
    Documentation,
}

impl Extractor {
    /// Reads the identifiers of a text. Declarations have the ids that [`Extractor::facts`] gives them; the
    /// same bounds on time and memory hold.
    pub fn identifiers(&mut self, bytes: &[u8], options: &ParseOptions) -> Identifiers {
        self.with_declarations(bytes, options, |arena, declared| {
            let mut found = Identifiers {
                tokens: tokens(arena),
                ..Identifiers::default()
            };
            aliases(arena, &mut found);
            for (id, source) in declared.sources.iter().enumerate() {
                // The declarators of one field share their node, which has none of these parts.
                if source.declarator.is_none() {
                    parts(arena, id as DeclId, source.node, &mut found);
                }
            }
            constraints(arena, &mut found);
            labels::collect(arena, &mut found);
            names_in_docs::collect(arena.text, declared, &mut found);
            found.links.sort_unstable();
            found.links.dedup();
            found
        })
    }
}

/// Every identifier of the tree.
fn tokens(arena: &Arena<'_>) -> Vec<Identifier> {
    let mut tokens = Vec::new();
    for (node, id) in arena.nodes.iter().zip(0..) {
        // The grammar has the one parameter of `x => …` without an identifier in it.
        let is_identifier = node.kind == Kind::Identifier
            || node.kind == Kind::ImplicitParameter && node.after == id + 1;
        if is_identifier && !node.missing && node.start < node.end {
            tokens.push(Identifier {
                range: arena.range(id),
                name: identifier_text(arena.str(id)).into(),
                scope: arena.range(scope_around(arena, id)),
                position: position(arena, id),
            });
        }
    }
    tokens.sort_by_key(|token| token.range);
    tokens.dedup_by_key(|token| token.range);
    tokens
}

fn position(arena: &Arena<'_>, id: NodeId) -> Position {
    let node = arena.node(id);
    let parent = arena.node(node.parent);
    let is_before = |token: &[u8]| node.after < parent.after && arena.bytes(node.after) == token;
    match (parent.kind, node.field) {
        (Kind::Labeled, _) if id == node.parent + 1 => Position::Label,
        (Kind::Goto, _) if id <= node.parent + 2 && !is_case(arena, node.parent) => Position::Label,
        (Kind::TupleElement, Field::Name) => Position::Element,
        (Kind::Argument, Field::Name) if arena.kind(parent.parent) == Kind::Tuple => {
            Position::Element
        }
        (Kind::AnonymousObject, _) if is_before(b"=") => Position::Element,
        (Kind::Subpattern, _)
            if is_before(b":") && arena.kind(parent.parent) == Kind::PositionalPattern =>
        {
            Position::Element
        }
        (Kind::ConstraintsClause, _) => Position::Constraint,
        (Kind::AttributeTarget | Kind::CallingConvention, _) => Position::Keyword,
        _ => Position::Name,
    }
}

fn is_case(arena: &Arena<'_>, goto: NodeId) -> bool {
    arena
        .children(goto)
        .any(|child| arena.bytes(child) == b"case")
}

/// The innermost node around another that may contain what it declares.
fn scope_around(arena: &Arena<'_>, id: NodeId) -> NodeId {
    let mut at = arena.node(id).parent;
    // The name of a local function is declared around it.
    if arena.kind(at) == Kind::LocalFunction && arena.node(id).field == Field::Name {
        at = arena.node(at).parent;
    }
    while at != 0 && !is_scope(arena.kind(at)) {
        at = arena.node(at).parent;
    }
    // A file-scoped namespace ends with the file.
    match arena.kind(at) {
        Kind::FileScopedNamespace => 0,
        _ => at,
    }
}

fn is_scope(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Block
            | Kind::SwitchBody
            | Kind::SwitchArm
            | Kind::For
            | Kind::Foreach
            | Kind::UsingStatement
            | Kind::Fixed
            | Kind::CatchClause
            | Kind::Lambda
            | Kind::AnonymousMethod
            | Kind::LocalFunction
            | Kind::Query
            | Kind::AccessorDeclaration
            | Kind::Method
            | Kind::Constructor
            | Kind::Destructor
            | Kind::Operator
            | Kind::Conversion
            | Kind::Indexer
            | Kind::Property
            | Kind::EventDeclaration
            | Kind::EventField
            | Kind::Field
            | Kind::Delegate
            | Kind::Class
            | Kind::Struct
            | Kind::Interface
            | Kind::Record
            | Kind::Enum
            | Kind::Namespace
            | Kind::FileScopedNamespace
    )
}

/// The names of using and extern aliases, in the order of directives.
fn aliases(arena: &Arena<'_>, found: &mut Identifiers) {
    let directives = arena.nodes.iter().zip(0..);
    let directives =
        directives.filter(|(node, _)| matches!(node.kind, Kind::Using | Kind::ExternAlias));
    for (position, (_, id)) in directives.enumerate() {
        if let Some(name) = arena.child(id, Field::Name) {
            found.aliases.push(DeclaredName {
                decl: 0,
                position: position as u16,
                range: arena.range(name),
            });
        }
    }
}

/// The names of a declaration's parameters and type parameters, or the segments of its namespace.
fn parts(arena: &Arena<'_>, decl: DeclId, node: NodeId, found: &mut Identifiers) {
    let declared = |position: usize, range| DeclaredName {
        decl,
        position: position as u16,
        range,
    };
    if matches!(
        arena.kind(node),
        Kind::Namespace | Kind::FileScopedNamespace
    ) {
        let name = arena.child(node, Field::Name).unwrap_or(node);
        let segments = (name..arena.node(name).after)
            .filter(|&id| arena.kind(id) == Kind::Identifier)
            .map(|id| arena.range(id));
        let segments = segments.enumerate();
        found
            .namespaces
            .extend(segments.map(|(position, range)| declared(position, range)));
        return;
    }
    for child in arena.children(node) {
        match arena.kind(child) {
            Kind::ParameterList | Kind::BracketedParameterList => {
                for (position, name) in parameter_names(arena, child).into_iter().enumerate() {
                    found
                        .parameters
                        .extend(name.map(|range| declared(position, range)));
                }
            }
            Kind::TypeParameterList => {
                let names = type_parameter_names(arena, child).map(|name| arena.range(name));
                let names = names.enumerate();
                found
                    .type_parameters
                    .extend(names.map(|(position, range)| declared(position, range)));
            }
            _ => {}
        }
    }
}

/// The names of the parameters of a list, in order.
fn parameter_names(arena: &Arena<'_>, list: NodeId) -> Vec<Option<ByteRange>> {
    let mut names = Vec::new();
    for child in arena.children(list) {
        if arena.kind(child) == Kind::Parameter {
            let name = arena.child(child, Field::Name);
            names.push(name.map(|name| arena.range(name)));
        } else if arena.node(child).field == Field::Name {
            // `params T[] rest` stands directly in the list.
            names.push(Some(arena.range(child)));
        }
    }
    names
}

fn type_parameter_names<'a>(
    arena: &'a Arena<'_>,
    list: NodeId,
) -> impl Iterator<Item = NodeId> + 'a {
    let params = arena.children(list);
    let params = params.filter(|&child| arena.kind(child) == Kind::TypeParameter);
    params.filter_map(|param| arena.child_of_kind(param, Kind::Identifier))
}

/// Links the type parameters that `where` clauses name.
fn constraints(arena: &Arena<'_>, found: &mut Identifiers) {
    for (clause, id) in arena.nodes.iter().zip(0..) {
        if clause.kind != Kind::ConstraintsClause {
            continue;
        }
        let name = arena.child_of_kind(id, Kind::Identifier);
        let list = arena.child_of_kind(clause.parent, Kind::TypeParameterList);
        let (Some(name), Some(list)) = (name, list) else {
            continue;
        };
        let text = identifier_text(arena.str(name));
        let mut params = type_parameter_names(arena, list);
        if let Some(param) = params.find(|&param| identifier_text(arena.str(param)) == text) {
            found.links.push(Link {
                range: arena.range(name),
                declared: arena.node(param).start,
                kind: LinkKind::Constraint,
            });
        }
    }
}
