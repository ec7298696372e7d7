//! Which code becomes an expression tree, and what such a tree cannot hold.
//!
//! Sources: C# specification, 8.6 (expression tree types); the errors of the compiler for lambdas that are converted to
//! such a type. Must not know: what an edit does with the answer.

use cortex_semantics::{How, LocalSymbol, MemberFlags, RefKind, Target, Ty, TyKind, TypeFlags};
use cortex_syntax::{BodyId, BodyKind, LiteralKind, Op, body_flags, ref_kind};

use crate::evaluation::Bound;

/// Whether a node is in a lambda or a clause of a query that becomes an expression tree.
pub(crate) fn is_in_tree(bound: &Bound<'_, '_>, id: BodyId) -> bool {
    let tree = &bound.tree;
    let mut child = id;
    for node in tree.ancestors(id) {
        let is_tree = match tree.kind(node) {
            BodyKind::Lambda => {
                let ty = bound.expressions.type_of(node).and_then(|it| it.converted);
                ty.is_some_and(|ty| is_tree_type(bound, ty))
            }
            // The source of a clause is no part of its lambda.
            BodyKind::JoinClause if tree.index_in_parent(child) == 1 => false,
            BodyKind::FromClause
            | BodyKind::LetClause
            | BodyKind::WhereClause
            | BodyKind::JoinClause
            | BodyKind::OrderKey
            | BodyKind::SelectClause
            | BodyKind::GroupClause => is_tree_clause(bound, node),
            _ => false,
        };
        if is_tree {
            return true;
        }
        child = node;
    }
    false
}

/// Whether the method that a clause calls takes expression trees. The result of a clause before `select` may be that of
/// its own method.
fn is_tree_clause(bound: &Bound<'_, '_>, clause: BodyId) -> bool {
    let tree = &bound.tree;
    let takes_trees = |offset: u32| {
        let c = bound.compilation;
        let mut findings = bound
            .expressions
            .unit
            .decls
            .iter()
            .flat_map(|it| &it.1.uses);
        findings.any(|used| {
            used.offset == offset && used.how == How::Query && {
                let params = &c.member(used.target).signature.params;
                params.iter().any(|param| is_tree_type(bound, param.ty))
            }
        })
    };
    if takes_trees(tree.node(clause).offset) {
        return true;
    }
    // `from … from … select e` and `join … select e` pass `e` with the clause before it.
    let before = tree.parent(clause).and_then(|query| {
        let clauses = tree.children(query);
        let at = clauses.iter().position(|&it| it == clause)?;
        clauses.get(at.checked_sub(1)?).copied()
    });
    tree.kind(clause) == BodyKind::SelectClause
        && before.is_some_and(|it| takes_trees(tree.node(it).offset))
}

fn is_tree_type(bound: &Bound<'_, '_>, ty: Ty) -> bool {
    let c = bound.compilation;
    let def = c.def_of(ty).map(|def| c.def(def));
    def.is_some_and(|def| {
        matches!(c.text(def.name), "Expression" | "LambdaExpression")
            && c.text(def.namespace) == "System.Linq.Expressions"
    })
}

/// The first node of some code that no expression tree can hold, and what it is.
pub(crate) fn unfit(bound: &Bound<'_, '_>, code: BodyId) -> Option<(BodyId, &'static str)> {
    let mut all = bound.tree.within(code);
    all.find_map(|id| {
        Some((
            id,
            unfit_syntax(bound, id).or_else(|| unfit_meaning(bound, id))?,
        ))
    })
}

/// What a node is that no tree can hold, as it is written.
fn unfit_syntax(bound: &Bound<'_, '_>, id: BodyId) -> Option<&'static str> {
    let tree = &bound.tree;
    let is_kind = |kind| move |it: Option<&BodyId>| it.is_some_and(|&it| tree.kind(it) == kind);
    if let Some(what) = unfit_kind(tree, id) {
        return Some(what);
    }
    let children = tree.children(id);
    match tree.kind(id) {
        // CS8122; a name may be that of a type.
        BodyKind::Is => {
            let pattern = *children.get(1)?;
            let is_pattern = match tree.kind(pattern) {
                BodyKind::ConstantPattern => !is_type(bound, *tree.children(pattern).first()?),
                BodyKind::DeclarationPattern
                | BodyKind::VarPattern
                | BodyKind::RecursivePattern
                | BodyKind::RelationalPattern
                | BodyKind::BinaryPattern
                | BodyKind::NotPattern
                | BodyKind::ParenthesizedPattern
                | BodyKind::DiscardPattern
                | BodyKind::ListPattern => true,
                _ => false,
            };
            is_pattern.then_some("a pattern")
        }
        // CS0838.
        BodyKind::ArrayInitializer => is_kind(BodyKind::ArrayInitializer)(children.first())
            .then_some("an array of several dimensions with elements"),
        // CS8074.
        BodyKind::MemberInit => {
            is_kind(BodyKind::ElementBinding)(children.first()).then_some("an element that is set")
        }
        // CS0845.
        BodyKind::Binary if tree.node(id).flags == Op::Coalesce as u8 => {
            let left = *children.first()?;
            let is_null = tree.kind(left) == BodyKind::DefaultLiteral
                || tree.kind(left) == BodyKind::Literal
                    && tree.node(left).flags == LiteralKind::Null as u8;
            is_null.then_some("`??` behind `null`")
        }
        // CS0834, CS1989.
        BodyKind::Lambda if tree.node(id).flags & body_flags::ASYNC != 0 => {
            Some("an asynchronous lambda")
        }
        BodyKind::Lambda => (children.iter().any(|&it| tree.kind(it) == BodyKind::Block))
            .then_some("a lambda with statements"),
        _ => None,
    }
}

/// What a node is that no tree can hold, by its kind alone.
pub(crate) fn unfit_kind(
    tree: &crate::body_tree::BodyTree<'_>,
    id: BodyId,
) -> Option<&'static str> {
    let node = tree.node(id);
    let op = Op::ALL.get(usize::from(node.flags));
    Some(match node.kind {
        // CS0832, CS8642.
        BodyKind::Assignment | BodyKind::Postfix => "an assignment",
        BodyKind::Unary if matches!(op, Some(Op::Increment | Op::Decrement)) => "an assignment",
        // CS8790, CS8791, CS8792.
        BodyKind::Unary if op == Some(&Op::FromEnd) => "an index from the end",
        BodyKind::Range => "a range",
        // CS1944.
        BodyKind::Unary if matches!(op, Some(Op::Dereference | Op::AddressOf)) => "a pointer",
        BodyKind::PointerType | BodyKind::FunctionPointerType | BodyKind::Stackalloc => "a pointer",
        // CS8072.
        BodyKind::ConditionalAccess => "`?.`",
        // CS8143, CS8144, CS8382.
        BodyKind::Tuple => "a tuple",
        // CS8514, CS8849, CS8188, CS9175.
        BodyKind::SwitchExpression => "a `switch` expression",
        BodyKind::With => "a `with` expression",
        BodyKind::ThrowExpression => "a `throw` expression",
        BodyKind::CollectionExpression => "a collection expression",
        // CS1945.
        BodyKind::AnonymousMethod => "an anonymous method",
        BodyKind::Await => "`await`",
        // CS8198, CS8207.
        BodyKind::DeclarationExpression => "a variable that is declared",
        BodyKind::RefExpression => "a reference",
        // CS0831.
        BodyKind::Base => "`base`",
        BodyKind::Literal if node.flags == LiteralKind::Utf8String as u8 => "a span",
        // CS0853, until C# 14.
        BodyKind::Argument if node.value > 0 && is_of_call(tree, id) => "a named argument",
        BodyKind::Argument if node.flags & 7 == ref_kind::OUT => "an `out` argument",
        BodyKind::OtherExpression => "such an expression",
        _ => return None,
    })
}

fn is_of_call(tree: &crate::body_tree::BodyTree<'_>, argument: BodyId) -> bool {
    let list = tree.parent(argument).map(|it| tree.kind(it));
    list == Some(BodyKind::Arguments)
}

/// What a node is that no tree can hold, by what it means.
fn unfit_meaning(bound: &Bound<'_, '_>, id: BodyId) -> Option<&'static str> {
    let (tree, c) = (&bound.tree, bound.compilation);
    let offset = tree.node(id).offset;
    match tree.kind(id) {
        BodyKind::Name | BodyKind::GenericName => {
            // CS8110.
            if let Some(LocalSymbol::Declared(at)) = bound.local(offset) {
                let declared = tree.declared_at(at).map(|it| tree.kind(it));
                if declared == Some(BodyKind::LocalFunction) {
                    return Some("a local function");
                }
            }
            // CS8153.
            if let Some(Target::Member(member)) = bound.target(offset)
                && c.member(member).signature.ref_kind != RefKind::None
            {
                return Some("a member that returns a reference");
            }
        }
        // CS0854, until C# 14.
        BodyKind::Invocation if leaves_out(bound, id) => {
            return Some("an argument that is left out");
        }
        _ => {}
    }
    let ty = bound.type_of(id)?;
    // CS1963, CS8640.
    let is_span = || {
        let def = c.def_of(ty);
        def.is_some_and(|def| c.header(def).flags.has(TypeFlags::REF_LIKE))
    };
    match c.kind(ty) {
        TyKind::Dynamic => Some("a dynamic operation"),
        _ if is_span() => Some("a value of a `ref struct`"),
        _ => None,
    }
}

/// Whether a call leaves out an argument that has a default value.
fn leaves_out(bound: &Bound<'_, '_>, call: BodyId) -> bool {
    let (tree, c) = (&bound.tree, bound.compilation);
    let children = tree.children(call);
    let [callee, arguments] = children[..] else {
        return false;
    };
    let name = match tree.kind(callee) {
        BodyKind::MemberAccess => tree.children(callee).last().copied(),
        _ => Some(callee),
    };
    let target = name.and_then(|it| bound.target(tree.node(it).offset));
    let Some(Target::Member(member)) = target else {
        return false;
    };
    let params = &c.member(member).signature.params;
    let is_behind_dot = tree.kind(callee) == BodyKind::MemberAccess;
    let n_receivers = usize::from(c.member(member).is(MemberFlags::EXTENSION) && is_behind_dot);
    let n_given = tree.children(arguments).len() + n_receivers;
    let mut left = params.iter().skip(n_given);
    left.any(|param| param.is_optional)
}

fn is_type(bound: &Bound<'_, '_>, id: BodyId) -> bool {
    let tree = &bound.tree;
    let last = match tree.kind(id) {
        BodyKind::MemberAccess | BodyKind::AliasQualified => {
            tree.children(id).last().copied().unwrap_or(id)
        }
        BodyKind::Name | BodyKind::GenericName => id,
        BodyKind::PredefinedType
        | BodyKind::ArrayType
        | BodyKind::NullableType
        | BodyKind::TupleType => return true,
        _ => return false,
    };
    let offset = tree.node(last).offset;
    let is_type_parameter = matches!(bound.local(offset), Some(LocalSymbol::TypeParameter(_)));
    is_type_parameter || matches!(bound.target(offset), Some(Target::Type(_)))
}
