//! What the code around an expression demands of it: a constant, a name, and whether arithmetic is checked there.
//!
//! Must not know: what an edit does with the answer.

use cortex_syntax::{BodyId, BodyKind, Op, body_flags};

use crate::{body_tree::BodyTree, evaluation::Bound};

/// Whether arithmetic on integers throws where it overflows (C# specification, 12.8.20).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Overflow {
    /// As the project says; constants are checked.
    Default,
    Checked,
    Unchecked,
}

impl Overflow {
    /// That of the nearest `checked` or `unchecked` around a node, up to `root`; `outside` where there is none.
    pub(crate) fn within(
        tree: &BodyTree<'_>,
        id: BodyId,
        root: Option<BodyId>,
        outside: Self,
    ) -> Self {
        let around = tree.ancestors(id);
        let mut around = around.take_while(|&it| root.is_none_or(|root| it >= root));
        let found = around.find_map(|it| match (tree.kind(it), tree.node(it).flags) {
            (BodyKind::Checked, 0) | (BodyKind::Wrapped, 1) => Some(Self::Checked),
            (BodyKind::Checked, _) | (BodyKind::Wrapped, 2) => Some(Self::Unchecked),
            _ => None,
        });
        found.unwrap_or(outside)
    }

    /// That of a place.
    pub(crate) fn at(tree: &BodyTree<'_>, id: BodyId) -> Self {
        Self::within(tree, id, None, Self::Default)
    }
}

/// The first operator or conversion in some code that computes something else in a checked than in an unchecked context,
/// unless the code itself has `checked` or `unchecked` around it. `from`: the context of the code.
pub(crate) fn overflow_dependent(
    bound: &Bound<'_, '_>,
    code: BodyId,
    from: Overflow,
) -> Option<BodyId> {
    let tree = &bound.tree;
    tree.within(code).find(|&id| {
        // The context of its own `checked` moves with the code.
        let mut around = tree.ancestors(id).take_while(|&it| it >= code);
        let has_own = around.any(|it| {
            let flags = tree.node(it).flags;
            match tree.kind(it) {
                BodyKind::Checked => true,
                BodyKind::Wrapped => matches!(flags, 1 | 2),
                _ => false,
            }
        });
        // Constants are computed by the compiler, and checked unless the context is `unchecked`.
        let is_constant = bound
            .expressions
            .type_of(id)
            .is_some_and(|it| it.is_constant);
        !has_own && (!is_constant || from == Overflow::Unchecked) && may_overflow(bound, id)
    })
}

/// Whether a node is an operator or conversion that may overflow.
fn may_overflow(bound: &Bound<'_, '_>, id: BodyId) -> bool {
    let tree = &bound.tree;
    let node = tree.node(id);
    let op = Op::ALL.get(usize::from(node.flags));
    let computes = match node.kind {
        BodyKind::Binary => matches!(op, Some(Op::Add | Op::Subtract | Op::Multiply)),
        BodyKind::Unary => matches!(op, Some(Op::Subtract | Op::Increment | Op::Decrement)),
        BodyKind::Assignment => !matches!(op, Some(Op::Assign | Op::Coalesce)),
        BodyKind::Postfix | BodyKind::Cast => true,
        // The elements are converted to the type of the variable.
        BodyKind::ForEach => {
            let ty = tree.children(id)[0];
            return tree.text_of(ty) != "var";
        }
        _ => false,
    };
    if !computes {
        return false;
    }
    let Some(ty) = bound.type_of(id) else {
        return true;
    };
    let c = bound.compilation;
    let ty = c.nullable_underlying(ty).unwrap_or(ty);
    is_integral(&c.display_type(ty)) || is_enum(bound, ty)
}

/// Whether a type is an enum.
pub(crate) fn is_enum(bound: &Bound<'_, '_>, ty: cortex_semantics::Ty) -> bool {
    let c = bound.compilation;
    let def = c.def_of(ty);
    def.is_some_and(|def| c.def(def).kind == cortex_model::TypeKind::Enum)
}

/// Whether a type is one of integers or characters.
pub(crate) fn is_integral(shown: &str) -> bool {
    crate::evaluation::is_simple(shown)
        && !matches!(shown, "bool" | "float" | "double" | "decimal" | "string")
}

/// Whether a place takes nothing but a constant (C# specification, 12.25): labels and patterns, default values, constants,
/// enum values, arguments of attributes, sizes of arrays with elements, alignments.
pub(crate) fn needs_constant(tree: &BodyTree<'_>, id: BodyId) -> bool {
    let mut child = id;
    for node in tree.ancestors(id) {
        let index = tree.index_in_parent(child);
        match tree.kind(node) {
            // What a constant may be made of.
            BodyKind::Parenthesized
            | BodyKind::Unary
            | BodyKind::Binary
            | BodyKind::Cast
            | BodyKind::Conditional
            | BodyKind::Checked
            | BodyKind::SuppressNull
            | BodyKind::MemberAccess
            | BodyKind::AliasQualified
            | BodyKind::InterpolatedString => {}
            BodyKind::Interpolation if index == 0 => {}
            // An alignment.
            BodyKind::Interpolation => return true,
            BodyKind::ConstantPattern
            | BodyKind::RelationalPattern
            | BodyKind::CaseLabel
            | BodyKind::GotoCase
            | BodyKind::ParameterDefault => return true,
            BodyKind::LambdaParameter => return index > 0,
            BodyKind::Declarator => {
                return tree.parent(node).is_some_and(|it| {
                    tree.kind(it) == BodyKind::LocalDeclaration
                        && tree.node(it).flags & body_flags::CONST != 0
                });
            }
            BodyKind::Initializer => return is_constant_declaration(tree, node),
            // The size of a `fixed` buffer.
            BodyKind::OtherExpression => {
                let parent = tree.parent(node).map(|it| tree.kind(it));
                return parent == Some(BodyKind::Initializer);
            }
            BodyKind::ArrayCreation | BodyKind::Stackalloc => {
                let last = tree.children(node).last().copied();
                let has_elements = last
                    .is_some_and(|it| tree.kind(it) == BodyKind::ArrayInitializer && it != child);
                return has_elements && index > 0 || is_in_attribute(tree, node);
            }
            _ => return is_in_attribute(tree, node),
        }
        child = node;
    }
    false
}

fn is_in_attribute(tree: &BodyTree<'_>, id: BodyId) -> bool {
    tree.kind(id) == BodyKind::Attribute
        || (tree.ancestors(id)).any(|it| tree.kind(it) == BodyKind::Attribute)
}

/// Whether an initial value is that of a constant or of an enum value.
fn is_constant_declaration(tree: &BodyTree<'_>, initializer: BodyId) -> bool {
    use cortex_model::DeclKind;
    let root = tree.ancestors(initializer).last().unwrap_or(initializer);
    let decl = (tree.node(root).value as usize).checked_sub(1);
    let decl = decl.and_then(|at| tree.facts.decls.get(at));
    decl.is_some_and(|it| matches!(it.kind, DeclKind::Constant | DeclKind::EnumMember))
}

/// Whether a node stands in `nameof(…)`, which takes a name and evaluates nothing.
pub(crate) fn is_in_name_of(bound: &Bound<'_, '_>, id: BodyId) -> bool {
    let mut around = bound.tree.ancestors(id);
    around.any(|it| bound.tree.kind(it) == BodyKind::Invocation && bound.is_name_of(it))
}
