//! Builds the body trees of a file from its syntax tree.
//!
//! One pass with a stack of its own: each step takes one piece of work, writes at most a few nodes
//! and puts the work for their children on the stack, so that depth costs memory alone.
//! Must not know: what names mean, how trees are stored.

mod chains;
mod creation;
mod expressions;
mod lambdas;
mod literals;
mod operators;
mod parentheses;
mod patterns;
mod precedence;
mod queries;
mod rewritten;
mod roots;
mod statements;
mod types;
mod undeclared;

use rustc_hash::FxHashSet;

pub(crate) use undeclared::Undeclared;

use crate::{
    arena::{Arena, Node, NodeId},
    body::{Bodies, BodyId, BodyKind, BodyNode},
    declarations::Declarations,
    facts::NameId,
    kind::{Field, Kind},
    names::Names,
    references::References,
    text::Repair,
};

/// Builds the trees of all declarations. O(nodes).
pub(crate) fn build(
    arena: &Arena<'_>,
    refs: &References,
    repairs: &[Repair],
    declared: &Declarations,
    names: &mut Names,
) -> Bodies {
    let mut builder = Builder {
        arena,
        refs,
        repairs,
        names,
        nodes: Vec::with_capacity(arena.nodes.len() / 3),
        open: Vec::new(),
        work: Vec::new(),
        first: 0,
        links: Vec::new(),
        disordered: precedence::disordered(arena),
    };
    builder.roots(declared);
    Bodies {
        nodes: builder.nodes,
    }
}

struct Builder<'b, 't> {
    arena: &'b Arena<'t>,
    refs: &'b References,
    repairs: &'b [Repair],
    names: &'b mut Names,
    nodes: Vec<BodyNode>,
    // The nodes whose children are being written.
    open: Vec<BodyId>,
    // What is still to do, the next last.
    work: Vec<Work>,
    // The length of `work` at the start of this step: a node may be written at once only before
    // work is put off.
    first: usize,
    // Kept for its memory; see `chains`.
    links: Vec<NodeId>,
    // See `precedence`.
    disordered: FxHashSet<NodeId>,
}

/// What a node of the tree says besides its children.
#[derive(Clone, Copy)]
struct Head {
    kind: BodyKind,
    flags: u8,
    offset: u32,
    value: u32,
}

impl Head {
    fn new(kind: BodyKind, offset: u32) -> Self {
        Self {
            kind,
            flags: 0,
            offset,
            value: 0,
        }
    }

    fn flags(self, flags: u8) -> Self {
        Self { flags, ..self }
    }

    fn value(self, value: u32) -> Self {
        Self { value, ..self }
    }
}

/// One piece of work.
#[derive(Clone, Copy)]
enum Work {
    /// A statement, expression or type.
    Visit(NodeId),
    /// A chain whose first operand is the last one of what stands before its links.
    Chain(NodeId),
    /// A chain whose first `*` is an operator of the expression around.
    ChainBehindStar(NodeId),
    /// A binary expression inside another that holds its operators in order.
    Operator(NodeId),
    /// A pattern, or an expression that stands for one.
    Pattern(NodeId),
    /// A type that stands for a pattern: a name may turn out to be a constant.
    TypePattern(NodeId),
    /// What a pattern or a declaration expression declares.
    Designation(NodeId),
    /// The members between the braces of `new T { … }` or `a = { … }`.
    Members(NodeId),
    /// `a = b` between those braces.
    Member(NodeId),
    /// `{ a, b }` as an element of a collection initializer.
    ElementInitializer(NodeId),
    /// `(…)` or `[…]` of a call.
    Arguments(NodeId),
    /// A parameter of a lambda or local function, and the byte after the token before it.
    Parameter(NodeId, u32),
    /// The declarators of a variable declaration, and the flags of it.
    Variables(NodeId, u8),
    /// The attributes of a list.
    Attributes(NodeId),
    /// What can be read of a part of a block that did not parse.
    Recovered(NodeId),
    /// The sections of a switch statement.
    Sections(NodeId),
    Open(Head),
    Leaf(Head),
    Close,
}

impl Builder<'_, '_> {
    /// Does all work.
    fn run(&mut self) {
        while let Some(work) = self.work.pop() {
            self.first = self.work.len();
            match work {
                Work::Visit(id) => self.visit(id),
                Work::Chain(id) => self.chain(id, None),
                Work::ChainBehindStar(id) => self.chain_behind(id, None, 1),
                Work::Operator(id) => self.operator(id, self.arena.node(id)),
                Work::Pattern(id) => self.pattern(id),
                Work::TypePattern(id) => self.type_pattern(id),
                Work::Designation(id) => self.designation(id),
                Work::Members(id) => self.members(id),
                Work::Member(id) => self.member(id),
                Work::ElementInitializer(id) => {
                    self.elements(id, BodyKind::ElementInitializer);
                }
                Work::Arguments(id) => self.arguments(id),
                Work::Parameter(id, from) => self.parameter(id, from),
                Work::Variables(id, flags) => self.variables(id, flags),
                Work::Attributes(id) => self.attributes(id),
                Work::Recovered(id) => self.recovered(id),
                Work::Sections(id) => self.sections(id),
                Work::Open(head) => self.open(head),
                Work::Leaf(head) => self.leaf(head),
                Work::Close => self.close(),
            }
            self.work[self.first..].reverse();
        }
    }

    fn visit(&mut self, id: NodeId) {
        let arena = self.arena;
        let node = arena.node(id);
        if node.missing {
            self.error(node.start);
            return;
        }
        if self.disordered.contains(&id) && self.regrouped(id) {
            return;
        }
        match node.kind {
            Kind::Identifier | Kind::ImplicitParameter | Kind::Discard => self.name(id),
            Kind::MemberAccess
            | Kind::Invocation
            | Kind::ElementAccess
            | Kind::PostfixUnary
            | Kind::ConditionalAccess => self.chain(id, None),
            Kind::IntegerLiteral
            | Kind::RealLiteral
            | Kind::StringLiteral
            | Kind::VerbatimStringLiteral
            | Kind::RawStringLiteral
            | Kind::CharacterLiteral
            | Kind::BooleanLiteral
            | Kind::NullLiteral => self.literal(id, node),
            Kind::Token => self.token(id, node),
            Kind::ImplicitType
            | Kind::Predefined
            | Kind::GenericName
            | Kind::QualifiedName
            | Kind::AliasQualifiedName
            | Kind::ArrayType
            | Kind::NullableType
            | Kind::PointerType
            | Kind::RefType
            | Kind::ScopedType
            | Kind::TupleType
            | Kind::FunctionPointerType => self.ty(id, node),
            kind if kind.is_statement() => self.statement(id, node),
            Kind::Lambda => self.lambda(id, node),
            Kind::AnonymousMethod => self.anonymous_method(id, node),
            Kind::Query => self.query(id, node),
            Kind::Assignment => self.assignment(id),
            Kind::Binary | Kind::PrefixUnary | Kind::Cast | Kind::Await => {
                if !self.regrouped(id) {
                    self.operator(id, node);
                }
            }
            Kind::ObjectCreation
            | Kind::ImplicitObjectCreation
            | Kind::ArrayCreation
            | Kind::ImplicitArray
            | Kind::Stackalloc
            | Kind::ImplicitStackalloc
            | Kind::AnonymousObject
            | Kind::With
            | Kind::CollectionExpression
            | Kind::ElementBinding => self.creation(id, node),
            Kind::Initializer => self.elements(id, BodyKind::ArrayInitializer),
            Kind::Error => self.error(node.start),
            _ => self.expression(id, node),
        }
    }

    /// Writes a node whose children are to come.
    fn open(&mut self, head: Head) {
        self.open.push(self.nodes.len() as BodyId);
        self.leaf(head);
    }

    /// Writes a node without children.
    fn leaf(&mut self, head: Head) {
        debug_assert_eq!(
            self.work.len(),
            self.first,
            "written before what was put off"
        );
        self.nodes.push(BodyNode {
            kind: head.kind,
            flags: head.flags,
            offset: head.offset,
            value: head.value,
            after: self.nodes.len() as BodyId + 1,
        });
    }

    fn close(&mut self) {
        let id = self.open.pop().expect("every close has its open");
        self.nodes[id as usize].after = self.nodes.len() as BodyId;
    }

    fn error(&mut self, offset: u32) {
        self.leaf(Head::new(BodyKind::ErrorExpression, offset));
    }

    fn then(&mut self, work: Work) {
        self.work.push(work);
    }

    fn then_visit(&mut self, id: NodeId) {
        self.work.push(Work::Visit(id));
    }

    /// Visits what may be missing.
    fn then_visit_or_error(&mut self, id: Option<NodeId>, offset: u32) {
        self.work.push(match id {
            Some(id) => Work::Visit(id),
            None => Work::Leaf(Head::new(BodyKind::ErrorExpression, offset)),
        });
    }

    fn then_open(&mut self, head: Head) {
        self.work.push(Work::Open(head));
    }

    fn then_leaf(&mut self, head: Head) {
        self.work.push(Work::Leaf(head));
    }

    fn then_close(&mut self) {
        self.work.push(Work::Close);
    }

    /// A node with one child.
    fn then_around(&mut self, head: Head, work: Work) {
        self.then_open(head);
        self.then(work);
        self.then_close();
    }

    /// The name that an identifier spells.
    fn name_of(&mut self, id: NodeId) -> NameId {
        match self.refs.name_of(id) {
            Some(name) => name,
            None => self.names.identifier(self.arena.str(id)),
        }
    }

    /// A named node at an identifier.
    fn named(&mut self, kind: BodyKind, identifier: NodeId) -> Head {
        let name = self.name_of(identifier);
        Head::new(kind, self.arena.node(identifier).start).value(name)
    }

    fn operand(&self, id: NodeId) -> Option<NodeId> {
        operands(self.arena, id).next()
    }

    /// The operand that fills a field.
    fn part(&self, id: NodeId, field: Field) -> Option<NodeId> {
        let arena = self.arena;
        arena
            .children(id)
            .find(|&child| arena.node(child).field == field && is_operand(arena, child))
    }

    /// The first token child that reads so in the original text.
    fn token_child(&self, id: NodeId, text: &[u8]) -> Option<Node> {
        let arena = self.arena;
        arena
            .children(id)
            .map(|child| (child, arena.node(child)))
            .find(|&(child, node)| node.kind == Kind::Token && arena.bytes(child) == text)
            .map(|(_, node)| node)
    }

    fn has_token(&self, id: NodeId, text: &[u8]) -> bool {
        self.token_child(id, text).is_some()
    }
}

/// The children that are expressions, types or statements: no tokens but `this` and `base`.
fn operands<'a>(arena: &'a Arena<'_>, id: NodeId) -> impl Iterator<Item = NodeId> + 'a {
    arena.children(id).filter(|&child| is_operand(arena, child))
}

fn is_operand(arena: &Arena<'_>, id: NodeId) -> bool {
    match arena.kind(id) {
        Kind::Token => matches!(arena.bytes(id), b"this" | b"base"),
        Kind::Comment | Kind::Error | Kind::Modifier | Kind::AttributeList => false,
        _ => true,
    }
}
