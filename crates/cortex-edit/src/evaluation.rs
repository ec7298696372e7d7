//! What evaluating code does, and in which order: whether an expression may be evaluated elsewhere, or several times.
//!
//! Errs on the side of effects: what is not known to be quiet is not. Must not know: what an edit does with the answer.

use cortex_model::{DeclKind, Modifier, TypeKind};
use cortex_semantics::{
    BoundExpressions, Compilation, LocalBindings, LocalRole, LocalSymbol, MemberFlags, MemberId,
    MemberOrigin, Receiver, RefKind, Target, Ty, TyKind, TypeFlags,
};
use cortex_syntax::{AccessorKind, BodyId, BodyKind, Op, ref_kind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::body_tree::BodyTree;

/// What evaluating an expression depends on and does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Effect {
    /// Nothing: it has the same value wherever it stands.
    None,
    /// It reads variables that are written somewhere.
    Reads,
    /// It may do something, throw, or make a new object.
    Does,
}

/// A file that is bound, with its trees.
pub(crate) struct Bound<'a, 'w> {
    pub(crate) compilation: &'a Compilation<'w>,
    pub(crate) tree: BodyTree<'a>,
    pub(crate) expressions: BoundExpressions,
    pub(crate) locals: LocalBindings,
    targets: FxHashMap<u32, Target>,
    locals_at: FxHashMap<u32, LocalSymbol>,
    used_at: FxHashSet<u32>,
    receivers: FxHashMap<u32, Ty>,
    written: FxHashSet<LocalSymbol>,
}

impl<'a, 'w> Bound<'a, 'w> {
    pub(crate) fn new(
        compilation: &'a Compilation<'w>,
        tree: BodyTree<'a>,
        expressions: BoundExpressions,
        locals: LocalBindings,
    ) -> Self {
        let mut bound = Self {
            compilation,
            tree,
            targets: FxHashMap::default(),
            locals_at: FxHashMap::default(),
            used_at: FxHashSet::default(),
            receivers: FxHashMap::default(),
            written: FxHashSet::default(),
            expressions,
            locals,
        };
        for (_, findings) in &bound.expressions.unit.decls {
            for found in &findings.refs {
                bound.targets.insert(found.offset, found.target);
            }
            for &(offset, receiver) in &findings.receivers {
                if let Receiver::Of(ty) = receiver {
                    bound.receivers.insert(offset, ty);
                }
            }
            for used in &findings.uses {
                bound.used_at.insert(used.offset);
            }
        }
        for used in &bound.locals.uses {
            if used.role == LocalRole::Use {
                bound.locals_at.insert(used.range.start, used.symbol);
            }
        }
        let written = bound.locals.uses.iter().filter(|used| {
            used.role == LocalRole::Use
                && (bound.tree.name_at(used.range.start)).is_some_and(|name| bound.writes(name))
        });
        bound.written = written.map(|used| used.symbol).collect();
        // A variable without a value gets one later.
        let without_value = bound.locals.declarations.iter().filter(|declaration| {
            let node = bound.tree.declared_at(declaration.range.start);
            node.is_some_and(|node| {
                bound.tree.kind(node) == BodyKind::Declarator
                    && bound.tree.children(node).is_empty()
                    && (bound.tree.parent(node))
                        .is_some_and(|it| bound.tree.kind(it) == BodyKind::LocalDeclaration)
            })
        });
        let without_value: Vec<LocalSymbol> = without_value.map(|it| it.symbol).collect();
        bound.written.extend(without_value);
        bound
    }

    /// What a name refers to, where it is a type or member.
    pub(crate) fn target(&self, offset: u32) -> Option<Target> {
        self.targets.get(&offset).copied()
    }

    /// The variable or parameter that a name refers to.
    pub(crate) fn local(&self, offset: u32) -> Option<LocalSymbol> {
        self.locals_at.get(&offset).copied()
    }

    /// Whether a variable is written anywhere but in its declaration.
    pub(crate) fn is_written(&self, symbol: LocalSymbol) -> bool {
        self.written.contains(&symbol)
    }

    /// Whether a use of a variable may give it another value.
    pub(crate) fn writes(&self, name: BodyId) -> bool {
        match write_of(&self.tree, name) {
            Some(Write::Itself) => true,
            Some(Write::Part) => self.may_be_value(name),
            None => self.may_change_itself(name),
        }
    }

    /// Whether a member is called on a variable that may change the variable.
    fn may_change_itself(&self, name: BodyId) -> bool {
        let mut at = name;
        while let Some(parent) = self.tree.parent(at) {
            let is_first = self.tree.index_in_parent(at) == 0;
            match self.tree.kind(parent) {
                BodyKind::Parenthesized | BodyKind::SuppressNull => {}
                BodyKind::MemberAccess if is_first => {}
                // `GetEnumerator` and `GetAwaiter` are called on the variable itself.
                BodyKind::Await => return self.may_be_value(name) && !self.is_unchangeable(name),
                BodyKind::ForEach if self.tree.children(parent).get(2) == Some(&at) => {
                    return self.may_be_value(name) && !self.is_unchangeable(name);
                }
                BodyKind::Invocation if is_first && at != name => {
                    return self.may_be_value(name) && !self.is_unchangeable(name);
                }
                _ => return false,
            }
            at = parent;
        }
        false
    }

    /// Whether reading a member of a variable runs code on it: a property or indexer of a struct that is not `readonly`.
    pub(crate) fn runs_accessor(&self, name: BodyId) -> bool {
        let tree = &self.tree;
        if !self.may_be_value(name) || self.is_unchangeable(name) {
            return false;
        }
        let mut at = name;
        for parent in tree.ancestors(name) {
            let is_first = tree.index_in_parent(at) == 0;
            let place = match tree.kind(parent) {
                BodyKind::Parenthesized | BodyKind::SuppressNull => {
                    at = parent;
                    continue;
                }
                BodyKind::MemberAccess if is_first => tree.children(parent).get(1).copied(),
                BodyKind::ElementAccess if is_first => return !self.is_pointer(at),
                _ => return false,
            };
            let target = place.and_then(|it| self.target(tree.node(it).offset));
            match target {
                Some(Target::Member(member)) if self.has_own_getter(member) => return true,
                // A field of a struct is a part of the variable.
                Some(Target::Member(member))
                    if self.compilation.member(member).kind == DeclKind::Field
                        && self.may_be_value(parent) => {}
                _ => return false,
            }
            at = parent;
        }
        false
    }

    /// Whether a property or indexer of the repository has a getter that may change its object.
    fn has_own_getter(&self, member: MemberId) -> bool {
        let c = self.compilation;
        let declared = c.member(member);
        let is_property = matches!(declared.kind, DeclKind::Property | DeclKind::Indexer);
        let MemberOrigin::Source(unit, decl) = declared.origin else {
            return false;
        };
        let facts = c.unit(unit).facts(c);
        let Some(decl) = facts.decls.get(decl as usize).filter(|_| is_property) else {
            return false;
        };
        let mut accessors = decl.accessors.iter();
        let getter = accessors.find(|it| it.kind == AccessorKind::Get);
        !decl.modifiers.contains(Modifier::Readonly)
            && getter.is_none_or(|it| it.has_body && !it.modifiers.contains(Modifier::Readonly))
    }

    pub(crate) fn is_pointer(&self, id: BodyId) -> bool {
        let ty = self.type_of(id);
        ty.is_some_and(|ty| matches!(self.compilation.kind(ty), TyKind::Pointer(_)))
    }

    /// Whether an expression is a variable, of which a member that is called on it may change the value: a local, a field,
    /// an element, what is returned by reference. What only gives a value is none.
    pub(crate) fn is_variable(&self, id: BodyId) -> bool {
        let tree = &self.tree;
        let child = |at: usize| tree.children(id).get(at).copied();
        match tree.kind(id) {
            BodyKind::Parenthesized | BodyKind::SuppressNull => {
                child(0).is_none_or(|it| self.is_variable(it))
            }
            BodyKind::ObjectCreation
            | BodyKind::ImplicitCreation
            | BodyKind::Default
            | BodyKind::DefaultLiteral
            | BodyKind::Literal
            | BodyKind::Binary
            | BodyKind::Cast
            | BodyKind::As
            | BodyKind::Tuple
            | BodyKind::With
            | BodyKind::SwitchExpression
            | BodyKind::ConditionalAccess
            | BodyKind::Await => false,
            BodyKind::Conditional => {
                let mut parts = tree.children(id).into_iter();
                parts.any(|it| tree.kind(it) == BodyKind::RefExpression)
            }
            BodyKind::Invocation => match child(0).map(|it| (it, tree.kind(it))) {
                Some((callee, BodyKind::Name | BodyKind::GenericName | BodyKind::MemberAccess)) => {
                    self.is_variable(callee)
                }
                _ => true,
            },
            BodyKind::MemberAccess => child(1).is_none_or(|it| self.is_variable(it)),
            BodyKind::Name | BodyKind::GenericName => match self.target(tree.node(id).offset) {
                Some(Target::Member(member)) => {
                    let member = self.compilation.member(member);
                    let gives_value = matches!(member.kind, DeclKind::Property | DeclKind::Method);
                    !gives_value || member.signature.ref_kind != RefKind::None
                }
                _ => true,
            },
            _ => true,
        }
    }

    /// Whether a variable may hold a value instead of a reference to an object.
    pub(crate) fn may_be_value(&self, name: BodyId) -> bool {
        let Some(ty) = self.type_of(name) else {
            return true;
        };
        match self.compilation.kind(ty) {
            TyKind::Array(..) | TyKind::Dynamic | TyKind::Anonymous(_) => false,
            TyKind::Named { def, .. } => !matches!(
                self.compilation.def(*def).kind,
                TypeKind::Class | TypeKind::Record | TypeKind::Interface | TypeKind::Delegate
            ),
            _ => true,
        }
    }

    /// Whether no member of a value changes it: numbers, enums, `readonly` structs.
    pub(crate) fn is_unchangeable(&self, name: BodyId) -> bool {
        let Some(ty) = self.type_of(name) else {
            return false;
        };
        let def = self.compilation.def_of(ty);
        is_simple(&self.compilation.display_type(ty))
            || def.is_some_and(|def| {
                self.compilation.def(def).kind == TypeKind::Enum
                    || self.compilation.header(def).flags.has(TypeFlags::READONLY)
            })
    }

    /// The type of an expression on its own.
    pub(crate) fn type_of(&self, id: BodyId) -> Option<Ty> {
        if let Some(known) = self.expressions.type_of(id) {
            return is_known(known.own).then_some(known.own);
        }
        // What stands before a dot.
        if let Some(ty) = self.type_before_dot(id) {
            return Some(ty);
        }
        match self.local(self.tree.node(id).offset)? {
            LocalSymbol::Parameter(member, at) => {
                let params = &self.compilation.member(member).signature.params;
                params
                    .get(usize::from(at))
                    .map(|it| it.ty)
                    .filter(|&it| is_known(it))
            }
            LocalSymbol::Declared(at) => self.type_of_declared(self.tree.declared_at(at)?),
            _ => None,
        }
    }

    fn type_before_dot(&self, id: BodyId) -> Option<Ty> {
        let access = self.tree.parent(id)?;
        if self.tree.kind(access) != BodyKind::MemberAccess || self.tree.index_in_parent(id) > 0 {
            return None;
        }
        let name = *self.tree.children(access).get(1)?;
        let ty = *self.receivers.get(&self.tree.node(name).offset)?;
        is_known(ty).then_some(ty)
    }

    /// The type of a local with an initial value.
    pub(crate) fn type_of_declared(&self, declarator: BodyId) -> Option<Ty> {
        let declaration = self.tree.parent(declarator)?;
        if self.tree.kind(declaration) != BodyKind::LocalDeclaration {
            return None;
        }
        let value = *self.tree.children(declarator).first()?;
        let known = self.expressions.type_of(value)?;
        let ty = self.tree.children(declaration)[0];
        let is_var = self.tree.kind(ty) == BodyKind::Name && self.tree.text_of(ty) == "var";
        let found = match is_var {
            true => known.own,
            false => known.converted?,
        };
        is_known(found).then_some(found)
    }

    /// What evaluating all of a node does; the bodies of lambdas and local functions are not evaluated.
    pub(crate) fn effect(&self, id: BodyId) -> Effect {
        let mut most = Effect::None;
        let mut at = id;
        let end = self.tree.node(id).after;
        while at < end && most < Effect::Does {
            most = most.max(self.own_effect(at));
            at = match self.tree.kind(at) {
                BodyKind::Lambda | BodyKind::AnonymousMethod | BodyKind::LocalFunction => {
                    self.tree.node(at).after
                }
                BodyKind::Invocation if self.is_name_of(at) => self.tree.node(at).after,
                BodyKind::TypeOf | BodyKind::SizeOf | BodyKind::Default => self.tree.node(at).after,
                _ => at + 1,
            };
        }
        most
    }

    /// Whether a node is `nameof(…)`.
    pub(crate) fn is_name_of(&self, id: BodyId) -> bool {
        let callee = id + 1;
        self.tree.kind(id) == BodyKind::Invocation
            && self.tree.kind(callee) == BodyKind::Name
            && self.tree.text_of(callee) == "nameof"
            && self.target(self.tree.node(callee).offset).is_none()
            && self.local(self.tree.node(callee).offset).is_none()
    }

    /// What a node does besides what it contains.
    pub(crate) fn own_effect(&self, id: BodyId) -> Effect {
        match self.used_at.contains(&self.tree.node(id).offset) {
            true => Effect::Does,
            false => self.effect_of_node(id),
        }
    }

    /// The same without members that are used there and not named.
    pub(crate) fn effect_of_node(&self, id: BodyId) -> Effect {
        let node = self.tree.node(id);
        match node.kind {
            BodyKind::Name | BodyKind::GenericName => self.effect_of_name(id),
            BodyKind::Literal
            | BodyKind::This
            | BodyKind::Base
            | BodyKind::TypeOf
            | BodyKind::SizeOf
            | BodyKind::Default
            | BodyKind::DefaultLiteral
            | BodyKind::Parenthesized
            | BodyKind::SuppressNull
            | BodyKind::MemberAccess
            | BodyKind::AliasQualified
            | BodyKind::Conditional
            | BodyKind::As
            | BodyKind::Is
            | BodyKind::ConstantPattern
            | BodyKind::TypePattern
            | BodyKind::NotPattern
            | BodyKind::BinaryPattern
            | BodyKind::RelationalPattern
            | BodyKind::ParenthesizedPattern
            | BodyKind::DiscardPattern
            | BodyKind::Tuple
            | BodyKind::PredefinedType
            | BodyKind::ArrayType
            | BodyKind::NullableType
            | BodyKind::TupleType
            | BodyKind::TupleElement
            | BodyKind::OmittedType
            // Statements that do nothing but what they contain.
            | BodyKind::Block
            | BodyKind::LocalFunction
            | BodyKind::LocalDeclaration
            | BodyKind::Declarator
            | BodyKind::ExpressionStatement
            | BodyKind::Return
            | BodyKind::If
            | BodyKind::ForInit
            | BodyKind::ForCondition
            | BodyKind::ForStep
            | BodyKind::Section
            | BodyKind::CaseLabel
            | BodyKind::When => self.effect_of_declaration(id),
            BodyKind::Argument if node.flags & 7 == ref_kind::NONE => Effect::None,
            BodyKind::Arguments => Effect::None,
            BodyKind::Invocation if self.is_name_of(id) => Effect::None,
            BodyKind::Binary => self.effect_of_binary(id),
            BodyKind::Unary => match op(node.flags) {
                Some(Op::Add | Op::Subtract | Op::Not | Op::Complement) => Effect::None,
                _ => Effect::Does,
            },
            BodyKind::Cast => self.effect_of_cast(id),
            BodyKind::InterpolatedString if node.after == id + 1 => Effect::None,
            _ => Effect::Does,
        }
    }

    fn effect_of_declaration(&self, id: BodyId) -> Effect {
        let node = self.tree.node(id);
        let is_using = node.kind == BodyKind::LocalDeclaration
            && node.flags & cortex_syntax::body_flags::USING != 0;
        match is_using {
            true => Effect::Does,
            false => Effect::None,
        }
    }

    fn effect_of_name(&self, id: BodyId) -> Effect {
        let offset = self.tree.node(id).offset;
        if let Some(symbol) = self.local(offset) {
            let is_by_reference = match symbol {
                LocalSymbol::Parameter(member, at) => {
                    let params = &self.compilation.member(member).signature.params;
                    let param = params.get(usize::from(at));
                    param.is_none_or(|it| it.ref_kind != cortex_semantics::RefKind::None)
                        || self.compilation.member(member).is(MemberFlags::PRIMARY)
                }
                LocalSymbol::Receiver(_) | LocalSymbol::Implicit => true,
                LocalSymbol::Declared(declared) => self.is_reference(declared),
                _ => false,
            };
            return match is_by_reference || self.is_written(symbol) {
                true => Effect::Reads,
                false => Effect::None,
            };
        }
        match self.target(offset) {
            Some(Target::Type(_)) => Effect::None,
            Some(Target::Member(member)) => self.effect_of_member(id, member),
            // A word that is no name of anything, such as `var` and `_`.
            None => match self.tree.text_of(id) {
                "var" | "_" | "dynamic" | "nint" | "nuint" => Effect::None,
                _ => match self.locals_namespace(offset) {
                    true => Effect::None,
                    false => Effect::Does,
                },
            },
        }
    }

    /// Whether a name is that of a namespace.
    fn locals_namespace(&self, offset: u32) -> bool {
        let mut uses = self.locals.uses.iter();
        uses.any(|it| it.range.start == offset && matches!(it.symbol, LocalSymbol::Namespace(_)))
    }

    /// Whether a local is a `ref` to something, or a parameter passed by reference.
    pub(crate) fn is_reference(&self, declared: u32) -> bool {
        let Some(node) = self.tree.declared_at(declared) else {
            return false;
        };
        match self.tree.kind(node) {
            BodyKind::LambdaParameter => self.tree.node(node).flags & 7 != ref_kind::NONE,
            BodyKind::Declarator => (self.tree.parent(node)).is_some_and(|it| {
                let first = self.tree.children(it).first().copied();
                first.is_some_and(|ty| self.tree.kind(ty) == BodyKind::RefType)
            }),
            _ => false,
        }
    }

    fn effect_of_member(&self, id: BodyId, member: cortex_semantics::MemberId) -> Effect {
        let declared = self.compilation.member(member);
        match declared.kind {
            DeclKind::Constant | DeclKind::EnumMember => Effect::None,
            DeclKind::Field => {
                let receiver = self.receiver(id);
                let is_own = receiver
                    .is_none_or(|it| matches!(self.tree.kind(it), BodyKind::This | BodyKind::Base));
                // Behind another object there may be none.
                if !declared.is_static() && !is_own {
                    return Effect::Does;
                }
                match declared.is(MemberFlags::READONLY) && !self.is_in_constructor(id) {
                    true => Effect::None,
                    false => Effect::Reads,
                }
            }
            _ => Effect::Does,
        }
    }

    /// Where readonly fields may be written.
    fn is_in_constructor(&self, id: BodyId) -> bool {
        let root = self.tree.ancestors(id).last().unwrap_or(id);
        let decl = (self.tree.node(root).value as usize).checked_sub(1);
        let kind = decl
            .and_then(|at| self.tree.facts.decls.get(at))
            .map(|it| it.kind);
        !matches!(
            kind,
            Some(DeclKind::Method | DeclKind::Property | DeclKind::Indexer | DeclKind::Operator)
        )
    }

    /// What stands before the dot of a name.
    fn receiver(&self, name: BodyId) -> Option<BodyId> {
        let parent = self.tree.parent(name)?;
        let is_access = self.tree.kind(parent) == BodyKind::MemberAccess;
        let first = self.tree.children(parent).first().copied()?;
        match self.tree.kind(parent) {
            _ if is_access && first != name => Some(first),
            BodyKind::MemberBinding => Some(parent),
            _ => None,
        }
    }

    fn effect_of_binary(&self, id: BodyId) -> Effect {
        let is_constant = (self.expressions.type_of(id)).is_some_and(|it| it.is_constant);
        match op(self.tree.node(id).flags) {
            _ if is_constant => Effect::None,
            Some(Op::Divide | Op::Modulo) | None => Effect::Does,
            // A string of anything else calls its `ToString`.
            Some(Op::Add) => {
                let types = self.tree.children(id).into_iter().map(|it| {
                    let ty = self.type_of(it)?;
                    Some(self.compilation.display_type(ty))
                });
                let types: Vec<Option<String>> = types.collect();
                let is_quiet = types.iter().flatten().all(|it| is_simple(it));
                let has_all = types.iter().all(Option::is_some);
                match is_quiet && has_all {
                    true => Effect::None,
                    false => Effect::Does,
                }
            }
            Some(_) => Effect::None,
        }
    }

    /// A cast between numbers only computes.
    fn effect_of_cast(&self, id: BodyId) -> Effect {
        let value = self.tree.children(id).get(1).copied();
        let from = value.and_then(|it| self.type_of(it));
        let types = [from, self.type_of(id)];
        let is_number = |ty: &Option<Ty>| {
            ty.is_some_and(|ty| {
                let shown = self.compilation.display_type(ty);
                is_simple(&shown) && shown != "string" && shown != "decimal"
            })
        };
        match types.iter().all(is_number) {
            true => Effect::None,
            false => Effect::Does,
        }
    }
}

fn is_known(ty: Ty) -> bool {
    !ty.is_none() && !ty.is_error()
}

/// Whether a type is a number, a character, a truth value or a string.
pub(crate) fn is_simple(shown: &str) -> bool {
    matches!(
        shown,
        "bool"
            | "char"
            | "sbyte"
            | "byte"
            | "short"
            | "ushort"
            | "int"
            | "uint"
            | "long"
            | "ulong"
            | "nint"
            | "nuint"
            | "float"
            | "double"
            | "decimal"
            | "string"
    )
}

fn op(flags: u8) -> Option<Op> {
    Op::ALL.get(usize::from(flags)).copied()
}

/// How a use writes a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Write {
    /// It gets another value, or is passed by reference.
    Itself,
    /// A part of it does: a field, an element.
    Part,
}

/// How the use of a variable writes it, if it does.
pub(crate) fn write_of(tree: &BodyTree<'_>, name: BodyId) -> Option<Write> {
    let mut at = name;
    let mut how = Write::Itself;
    loop {
        let parent = tree.parent(at)?;
        let node = tree.node(parent);
        let is_first = tree.index_in_parent(at) == 0;
        match node.kind {
            BodyKind::Parenthesized | BodyKind::SuppressNull => {}
            BodyKind::MemberAccess | BodyKind::ElementAccess if is_first => how = Write::Part,
            BodyKind::Assignment if is_first => return Some(how),
            BodyKind::ForEachDeconstruct if is_first => return Some(how),
            BodyKind::Postfix | BodyKind::RefExpression => return Some(how),
            BodyKind::Unary => {
                let writes = matches!(
                    op(node.flags),
                    Some(Op::Increment | Op::Decrement | Op::AddressOf)
                );
                return writes.then_some(how);
            }
            BodyKind::Argument if node.flags & 7 != ref_kind::NONE => return Some(how),
            BodyKind::Argument => {
                // An element of a tuple that is assigned to.
                let list = tree.parent(parent)?;
                if tree.kind(list) != BodyKind::Tuple {
                    return None;
                }
                at = list;
                continue;
            }
            _ => return None,
        }
        at = parent;
    }
}
