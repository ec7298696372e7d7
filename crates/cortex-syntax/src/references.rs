//! Every name that a text uses, with the syntactic position that it stands in.
//!
//! One pass over the arena: each node's role follows from its parent's role, so depth costs nothing.

use rustc_hash::FxHashSet;

use crate::{
    arena::{Arena, Node, NodeId},
    bodies::Undeclared,
    facts::{NameId, RefContext, RefId, Reference},
    kind::{Field, Kind},
    names::Names,
};

/// What the identifiers below a node are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Declared here, or no name at all.
    Declared,
    /// Declared here, and visible in the member around it.
    DeclaredLocal,
    /// A label, not a name.
    Ignored,
    /// Used.
    Used(RefContext),
}

/// The references of a file and where each node's name went.
pub(crate) struct References {
    /// Ascending by offset.
    pub(crate) refs: Vec<Reference>,
    // By node: the reference made from it, or `NONE`.
    of_node: Vec<RefId>,
    // By node: the name of an identifier that is used or declared as a local, else `NONE`.
    name_of_node: Vec<NameId>,
}

const NONE: RefId = RefId::MAX;

impl References {
    /// Leaves out uses of locals and parameters: they name no symbol, and what follows their dot
    /// is then a member of something unknown.
    fn drop_locals(&mut self) {
        let is_local =
            |reference: &Reference| reference.shadowed && !reference.context.is_type_position();
        let mut new_id = Vec::with_capacity(self.refs.len());
        let mut kept: Vec<Reference> = Vec::with_capacity(self.refs.len());
        for (id, reference) in self.refs.iter().enumerate() {
            if is_local(reference) {
                new_id.push(NONE);
                continue;
            }
            let here = kept.len() as RefId;
            let left = (reference.qualifier > 0).then(|| new_id[id - reference.qualifier as usize]);
            let qualifier = left
                .filter(|&left| left != NONE)
                .map_or(0, |left| here - left);
            new_id.push(here);
            kept.push(Reference {
                qualifier,
                ..*reference
            });
        }
        for of in self.of_node.iter_mut().filter(|of| **of != NONE) {
            *of = new_id[*of as usize];
        }
        self.refs = kept;
    }

    /// The name of an identifier node, where it is known already.
    pub(crate) fn name_of(&self, node: NodeId) -> Option<NameId> {
        self.name_of_node
            .get(node as usize)
            .copied()
            .filter(|&name| name != NONE)
    }

    /// The reference made from an identifier node.
    pub(crate) fn of(&self, node: NodeId) -> Option<RefId> {
        self.of_node
            .get(node as usize)
            .copied()
            .filter(|&id| id != NONE)
    }
}

/// Collects the references of a file. O(nodes).
pub(crate) fn collect(arena: &Arena<'_>, names: &mut Names) -> References {
    let mut roles = vec![Role::Used(RefContext::Value); arena.nodes.len()];
    let mut found = References {
        refs: Vec::new(),
        of_node: vec![NONE; arena.nodes.len()],
        name_of_node: vec![NONE; arena.nodes.len()],
    };
    let mut scopes = Scopes::default();
    let mut scope_of_ref = Vec::new();
    for id in 1..arena.nodes.len() as NodeId {
        let node = arena.node(id);
        scopes.enter(id, node);
        let role = role(arena, id, node, roles[node.parent as usize]);
        roles[id as usize] = role;
        // Where the text was rewritten for the parser, a node may stand over something else.
        if node.kind != Kind::Identifier || node.missing || !is_identifier(arena.bytes(id)) {
            continue;
        }
        match role {
            Role::Declared | Role::Ignored => {}
            Role::DeclaredLocal => {
                let name = names.identifier(arena.str(id));
                found.name_of_node[id as usize] = name;
                let is_type = arena.kind(node.parent) == Kind::TypeParameter;
                scopes.declare(name, is_type);
            }
            Role::Used(context) => {
                found.of_node[id as usize] = found.refs.len() as RefId;
                scope_of_ref.push(scopes.current());
                let name = names.identifier(arena.str(id));
                found.name_of_node[id as usize] = name;
                found.refs.push(Reference {
                    name,
                    offset: node.start,
                    context,
                    arity: arity(arena, id),
                    qualifier: qualifier(arena, id)
                        .and_then(|left| found.of(left))
                        .map_or(0, |left| found.refs.len() as RefId - left),
                    shadowed: false,
                });
            }
        }
    }
    for (reference, scope) in found.refs.iter_mut().zip(scope_of_ref) {
        let is_type = reference.context.is_type_position();
        reference.shadowed =
            reference.qualifier == 0 && scopes.declares(scope, reference.name, is_type);
    }
    found.drop_locals();
    found
}

/// Which local names each member declares. A member is taken as one scope: C# forbids most
/// reuse of a name for different meanings inside one (C# specification, §7.7).
#[derive(Default)]
struct Scopes {
    current: NodeId,
    end: NodeId,
    declared: FxHashSet<(NodeId, NameId, bool)>,
}

impl Scopes {
    fn enter(&mut self, id: NodeId, node: Node) {
        if id >= self.end {
            self.current = 0;
        }
        let is_member = matches!(
            node.kind,
            Kind::Method
                | Kind::Constructor
                | Kind::Destructor
                | Kind::Operator
                | Kind::Conversion
                | Kind::Property
                | Kind::Indexer
                | Kind::EventDeclaration
                | Kind::Field
                | Kind::EventField
        );
        if is_member {
            self.current = id;
            self.end = node.after;
        } else if node.kind == Kind::GlobalStatement {
            // All top-level statements are one body.
            self.current = NodeId::MAX;
            self.end = node.after;
        }
    }

    fn current(&self) -> NodeId {
        self.current
    }

    /// Outside members nothing is local: type parameters of types are found through their declaration.
    fn declare(&mut self, name: NameId, is_type: bool) {
        if self.current != 0 {
            self.declared.insert((self.current, name, is_type));
        }
    }

    fn declares(&self, scope: NodeId, name: NameId, is_type: bool) -> bool {
        self.declared.contains(&(scope, name, is_type))
    }
}

fn is_combinator(arena: &Arena<'_>, id: NodeId, node: Node) -> bool {
    let binary = arena.node(node.parent).parent;
    matches!(arena.bytes(id), b"and" | b"or")
        && arena.kind(binary) == Kind::Binary
        && arena.kind(arena.node(binary).parent) == Kind::ConstantPattern
}

/// Whether a declaration expression declares nothing: in an argument without `out`.
fn is_undeclared(arena: &Arena<'_>, declaration: NodeId) -> bool {
    let argument = arena.node(declaration).parent;
    let list = arena.node(argument).parent;
    arena.kind(argument) == Kind::Argument
        && matches!(
            arena.kind(list),
            Kind::ArgumentList | Kind::BracketedArguments | Kind::Tuple
        )
        && declaration == argument + 1
        && !is_pattern_call(arena, list)
        && Undeclared::of(arena, list, declaration).is_some()
}

/// Whether a list of arguments is the positional clause of a pattern.
fn is_pattern_call(arena: &Arena<'_>, list: NodeId) -> bool {
    // So that nested lists together stay linear.
    const REACH: usize = 16;
    let mut at = list;
    for _ in 0..REACH {
        let parent = arena.node(at).parent;
        match arena.kind(parent) {
            Kind::Argument | Kind::ArgumentList | Kind::Tuple | Kind::Parenthesized => {}
            Kind::Invocation => {
                let callee = arena.child(parent, Field::Function);
                let is_test = callee
                    .is_some_and(|callee| matches!(arena.kind(callee), Kind::Is | Kind::IsPattern));
                if is_test {
                    return true;
                }
            }
            kind => {
                return matches!(
                    kind,
                    Kind::ConstantPattern | Kind::SwitchSection | Kind::Subpattern
                ) || kind == Kind::SwitchArm && at == parent + 1;
            }
        }
        at = parent;
    }
    false
}

fn role(arena: &Arena<'_>, id: NodeId, node: Node, parent_role: Role) -> Role {
    let at = Site {
        arena,
        id,
        node,
        parent: arena.node(node.parent),
        parent_role,
    };
    // The first that applies decides.
    (at.role_in_declaration())
        .or_else(|| at.role_in_header_or_type())
        .or_else(|| at.role_in_creation())
        .or_else(|| at.role_in_expression())
        .unwrap_or(VALUE)
}

const VALUE: Role = Role::Used(RefContext::Value);

/// A node with what decides about its role.
struct Site<'a, 't> {
    arena: &'a Arena<'t>,
    id: NodeId,
    node: Node,
    parent: Node,
    parent_role: Role,
}

impl Site<'_, '_> {
    /// Of what declarations are made of.
    fn role_in_declaration(&self) -> Option<Role> {
        use RefContext as C;
        let used = Role::Used;
        let &Self {
            arena,
            node,
            parent,
            parent_role,
            ..
        } = self;
        Some(match (parent.kind, node.field) {
            (Kind::DeclarationExpression, _) if is_undeclared(arena, node.parent) => VALUE,
            (Kind::Using, Field::Name) | (Kind::ExternAlias, _) => Role::Declared,
            (Kind::Using, _) => used(C::Using),
            (Kind::LocalFunction, Field::Name) => Role::DeclaredLocal,
            (
                Kind::Namespace
                | Kind::FileScopedNamespace
                | Kind::Class
                | Kind::Struct
                | Kind::Interface
                | Kind::Enum
                | Kind::Record
                | Kind::Delegate
                | Kind::Method
                | Kind::Property
                | Kind::Indexer
                | Kind::EventDeclaration
                | Kind::Constructor
                | Kind::Destructor
                | Kind::EnumMember
                | Kind::AccessorDeclaration,
                Field::Name,
            ) => Role::Declared,
            (Kind::Delegate, Field::Type) | (Kind::Method, Field::Returns) => used(C::Return),
            (Kind::Operator | Kind::Conversion, Field::Type) => used(C::Return),
            (Kind::Property | Kind::Indexer, Field::Type) => used(C::Property),
            (Kind::EventDeclaration, Field::Type) => used(C::Event),
            (Kind::LocalFunction | Kind::Lambda, Field::Type) => used(C::Local),
            (Kind::Field, _) if node.kind == Kind::VariableDeclaration => used(C::Field),
            (Kind::EventField, _) if node.kind == Kind::VariableDeclaration => used(C::Event),
            (_, _) if node.kind == Kind::VariableDeclaration => used(C::Local),
            (Kind::VariableDeclaration, Field::Type) => parent_role,
            (Kind::VariableDeclaration, _) if node.kind == Kind::VariableDeclarator => {
                match parent_role {
                    Role::Used(C::Local) => used(C::Value),
                    _ => Role::Declared,
                }
            }
            (Kind::VariableDeclarator, Field::Name) => match parent_role {
                Role::Declared => Role::Declared,
                _ => Role::DeclaredLocal,
            },
            _ => return None,
        })
    }

    /// Of what stands in base lists, parameter lists, attributes and types.
    fn role_in_header_or_type(&self) -> Option<Role> {
        use RefContext as C;
        let used = Role::Used;
        let &Self {
            arena,
            id,
            node,
            parent,
            parent_role,
        } = self;
        let in_type = matches!(parent_role, Role::Used(context) if context.is_type_position() || context == C::Using);
        let in_nameof = parent_role == used(C::NameOf);
        Some(match (parent.kind, node.field) {
            (Kind::BaseList, _) if node.kind == Kind::ArgumentList => VALUE,
            // The receiver of `extension(C)`, of which a repair made a base type.
            (Kind::BaseList, _)
                if arena.kind(parent.parent) == Kind::Struct
                    && arena.bytes(node.parent).starts_with(b"(") =>
            {
                used(C::Parameter)
            }
            (Kind::BaseList, _) => used(C::Base),
            (Kind::PrimaryBase, Field::Type) => used(C::Base),
            (Kind::ExplicitInterface, _) => used(C::ExplicitInterface),
            (Kind::TypeParameter, Field::Name) => Role::DeclaredLocal,
            (Kind::ConstraintsClause, _) if node.kind == Kind::Identifier => Role::Ignored,
            // The one reserved word that the grammar has for a name.
            (Kind::TypeParameterConstraint, Field::Type) if arena.bytes(id) == b"default" => {
                Role::Ignored
            }
            (Kind::TypeParameterConstraint, Field::Type) => used(C::Constraint),
            (Kind::Attribute, Field::Name) => used(C::Attribute),
            (Kind::AttributeArgument, Field::Name) => used(C::Initializer),
            (Kind::AttributeTarget | Kind::CallingConvention, _) => Role::Ignored,
            (Kind::Lambda | Kind::AnonymousMethod | Kind::LocalFunction, _)
                if node.kind == Kind::ParameterList =>
            {
                used(C::Local)
            }
            (_, _)
                if matches!(
                    node.kind,
                    Kind::ParameterList | Kind::BracketedParameterList
                ) =>
            {
                used(C::Parameter)
            }
            (Kind::ParameterList | Kind::BracketedParameterList, _)
                if node.kind == Kind::Parameter =>
            {
                parent_role
            }
            (Kind::Parameter | Kind::ParameterList | Kind::BracketedParameterList, Field::Name) => {
                Role::DeclaredLocal
            }
            (Kind::Parameter | Kind::ParameterList | Kind::BracketedParameterList, Field::Type) => {
                parent_role
            }
            (Kind::ImplicitParameter, _) => Role::DeclaredLocal,
            (Kind::Lambda, Field::Parameters) => Role::DeclaredLocal,
            (Kind::GenericName, _) if node.kind == Kind::TypeArguments => {
                if in_type || in_nameof {
                    parent_role
                } else {
                    used(C::TypeArgument)
                }
            }
            (Kind::AliasQualifiedName, Field::Alias) => used(C::Alias),
            (Kind::TupleElement, Field::Name) => Role::Ignored,
            (Kind::ArrayType, Field::Rank) => VALUE,
            (
                Kind::GenericName
                | Kind::TypeArguments
                | Kind::QualifiedName
                | Kind::AliasQualifiedName
                | Kind::NullableType
                | Kind::ArrayType
                | Kind::PointerType
                | Kind::RefType
                | Kind::ScopedType
                | Kind::TupleType
                | Kind::TupleElement
                | Kind::FunctionPointerType
                | Kind::FunctionPointerParameter,
                _,
            ) => parent_role,
            _ => return None,
        })
    }

    /// Of what is thrown, created and initialized.
    fn role_in_creation(&self) -> Option<Role> {
        use RefContext as C;
        let used = Role::Used;
        let &Self {
            arena,
            id,
            node,
            parent,
            parent_role,
        } = self;
        Some(match (parent.kind, node.field) {
            (Kind::Throw | Kind::ThrowExpression, _) if node.kind == Kind::ObjectCreation => {
                used(C::Throw)
            }
            (Kind::ObjectCreation, Field::Type) => match parent_role {
                Role::Used(C::Throw) => parent_role,
                _ => used(C::Creation),
            },
            (Kind::ArrayCreation | Kind::Stackalloc, Field::Type) => used(C::Creation),
            (Kind::ObjectCreation | Kind::ImplicitObjectCreation, _)
                if node.kind == Kind::Initializer =>
            {
                used(C::Initializer)
            }
            (Kind::Initializer, _) if node.kind == Kind::Assignment => parent_role,
            (Kind::Assignment, Field::Left) if parent_role == used(C::Initializer) => {
                if node.kind == Kind::Identifier {
                    parent_role
                } else {
                    VALUE
                }
            }
            (Kind::Assignment, Field::Right)
                if parent_role == used(C::Initializer) && node.kind == Kind::Initializer =>
            {
                parent_role
            }
            (Kind::WithInitializer, _) if id == node.parent + 1 => used(C::Initializer),
            (Kind::AnonymousObject, _)
                if node.kind == Kind::Identifier && is_followed_by(arena, id, b"=") =>
            {
                Role::Ignored
            }
            // Of `foreach (T<A> x in b)`, taken for comparisons.
            (Kind::Binary, Field::Right)
                if parent.field == Field::Left
                    && node.kind == Kind::Identifier
                    && arena.kind(parent.parent) == Kind::Foreach =>
            {
                Role::DeclaredLocal
            }
            // Of a pattern `T<A> and [b]`, taken for an element of `and`.
            (Kind::ElementAccess, Field::Expression) if is_combinator(arena, id, node) => {
                Role::Ignored
            }
            _ => return None,
        })
    }

    /// Of what stands in patterns, statements and other expressions.
    fn role_in_expression(&self) -> Option<Role> {
        use RefContext as C;
        let used = Role::Used;
        let &Self {
            arena,
            id,
            node,
            parent,
            parent_role,
        } = self;
        let in_nameof = parent_role == used(C::NameOf);
        Some(match (parent.kind, node.field) {
            (Kind::Argument, Field::Name) => used(C::ArgumentName),
            (Kind::Cast | Kind::RefValue, Field::Type) | (Kind::As, Field::Right) => used(C::Cast),
            (Kind::Is, Field::Right) => used(C::Pattern),
            (
                Kind::DeclarationPattern | Kind::RecursivePattern | Kind::TypePattern,
                Field::Type,
            ) => used(C::Pattern),
            (Kind::ConstantPattern, _)
                if matches!(node.kind, Kind::Identifier | Kind::GenericName) =>
            {
                used(C::Pattern)
            }
            (Kind::Subpattern, _)
                if node.kind == Kind::Identifier && is_followed_by(arena, id, b":") =>
            {
                used(C::PatternMember)
            }
            (
                Kind::DeclarationPattern
                | Kind::RecursivePattern
                | Kind::ListPattern
                | Kind::VarPattern
                | Kind::ParenthesizedDesignation
                | Kind::CatchDeclaration
                | Kind::DeclarationExpression
                | Kind::FromClause
                | Kind::TuplePattern,
                Field::Name,
            ) => Role::DeclaredLocal,
            (Kind::CatchDeclaration, Field::Type) => used(C::Catch),
            (Kind::Default | Kind::TypeOf | Kind::SizeOf, Field::Type) => used(C::TypeOf),
            (Kind::DeclarationExpression | Kind::Foreach | Kind::FromClause, Field::Type) => {
                used(C::Local)
            }
            (Kind::JoinClause, Field::Type) => used(C::Local),
            (Kind::Foreach, Field::Left) if node.kind == Kind::Identifier => Role::DeclaredLocal,
            (Kind::JoinClause, _)
                if node.kind == Kind::Identifier && is_followed_by(arena, id, b"in") =>
            {
                Role::DeclaredLocal
            }
            (Kind::LetClause, _)
                if node.kind == Kind::Identifier && is_followed_by(arena, id, b"=") =>
            {
                Role::DeclaredLocal
            }
            (Kind::JoinInto | Kind::Query, _) if node.kind == Kind::Identifier => {
                Role::DeclaredLocal
            }
            (Kind::Labeled | Kind::Goto, _)
                if node.kind == Kind::Identifier && id <= node.parent + 2 =>
            {
                Role::Ignored
            }
            (Kind::MemberAccess, Field::Name) | (Kind::MemberBinding, Field::Name) => {
                match parent_role {
                    Role::Used(C::Call) => used(C::MemberCall),
                    Role::Used(C::Write) => used(C::MemberWrite),
                    Role::Used(C::NameOf) => parent_role,
                    _ => used(C::Member),
                }
            }
            (Kind::MemberAccess, Field::Expression) if in_nameof => parent_role,
            (Kind::MemberAccess, Field::Expression) => used(C::Head),
            (Kind::Invocation, Field::Function) => used(C::Call),
            (Kind::Invocation, _)
                if node.kind == Kind::ArgumentList && is_nameof(arena, node.parent) =>
            {
                used(C::NameOf)
            }
            (Kind::ArgumentList | Kind::Argument, _) if in_nameof => parent_role,
            (Kind::Assignment, Field::Left) => used(C::Write),
            (Kind::ConditionalAccess, Field::None) => parent_role,
            _ => return None,
        })
    }
}

fn is_identifier(text: &[u8]) -> bool {
    let Some((&first, rest)) = text.split_first() else {
        return false;
    };
    let is_start = |byte: u8| {
        byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'@' | b'\\') || byte >= 0x80
    };
    is_start(first)
        && rest
            .iter()
            .all(|&byte| is_start(byte) || byte.is_ascii_digit())
}

fn is_followed_by(arena: &Arena<'_>, id: NodeId, token: &[u8]) -> bool {
    let next = arena.node(id).after;
    next < arena.node(arena.node(id).parent).after && arena.bytes(next) == token
}

fn is_nameof(arena: &Arena<'_>, invocation: NodeId) -> bool {
    let function = invocation + 1;
    arena.kind(function) == Kind::Identifier && arena.bytes(function) == b"nameof"
}

/// How many type arguments follow a name: commas + 1, so that `List<,>` has two.
fn arity(arena: &Arena<'_>, identifier: NodeId) -> u16 {
    let parent = arena.node(identifier).parent;
    if arena.kind(parent) != Kind::GenericName {
        return 0;
    }
    arena
        .child_of_kind(parent, Kind::TypeArguments)
        .map_or(0, |arguments| {
            let commas = arena
                .children(arguments)
                .filter(|&child| arena.bytes(child) == b",")
                .count();
            (commas + 1).min(usize::from(u16::MAX)) as u16
        })
}

/// The identifier directly left of the dot before this one, if a name stands there.
fn qualifier(arena: &Arena<'_>, identifier: NodeId) -> Option<NodeId> {
    let mut name = identifier;
    if arena.kind(arena.node(name).parent) == Kind::GenericName {
        name = arena.node(name).parent;
    }
    if arena.node(name).field != Field::Name {
        return None;
    }
    let parent = arena.node(name).parent;
    let left = match arena.kind(parent) {
        Kind::QualifiedName => arena.child(parent, Field::Qualifier)?,
        Kind::AliasQualifiedName => arena.child(parent, Field::Alias)?,
        Kind::MemberAccess => arena.child(parent, Field::Expression)?,
        _ => return None,
    };
    last_name(arena, left)
}

/// The identifier of a name's last segment.
pub(crate) fn last_name(arena: &Arena<'_>, name: NodeId) -> Option<NodeId> {
    match arena.kind(name) {
        Kind::Identifier => Some(name),
        Kind::GenericName => arena.child_of_kind(name, Kind::Identifier),
        Kind::QualifiedName | Kind::AliasQualifiedName | Kind::MemberAccess => {
            let last = arena.child(name, Field::Name)?;
            match arena.kind(last) {
                Kind::GenericName => arena.child_of_kind(last, Kind::Identifier),
                _ => Some(last),
            }
        }
        _ => None,
    }
}
