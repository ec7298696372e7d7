//! Body trees as text, for tests.

use std::fmt::Write;

use cortex_syntax::{Bodies, BodyId, BodyKind, FileFacts, LiteralKind, Op};

/// One line per root, `Kind:flags name(children)`; names and literals stand for themselves.
pub(crate) fn print(facts: &FileFacts) -> String {
    let mut out = String::new();
    for root in facts.bodies.roots() {
        let decl = facts.bodies.node(root).value;
        let name = match decl.checked_sub(1) {
            Some(decl) => facts.name(facts.decls[decl as usize].name),
            None => "assembly",
        };
        let parts = facts.bodies.children(root).map(|part| node(facts, part));
        let parts: Vec<_> = parts.collect();
        writeln!(out, "{name}: {}", parts.join(" ")).expect("strings take everything");
    }
    out
}

/// One tree.
pub(crate) fn node(facts: &FileFacts, id: BodyId) -> String {
    use BodyKind as K;
    let bodies: &Bodies = &facts.bodies;
    let node_ = bodies.node(id);
    let kind = node_.kind;
    let mut out = match kind {
        K::Name => facts.name(node_.value).to_owned(),
        K::PredefinedType => format!("’{}", facts.name(node_.value)),
        K::Literal => {
            let kind = LiteralKind::ALL[usize::from(node_.flags)];
            match (kind, node_.value) {
                (LiteralKind::Int | LiteralKind::Char, value) => format!("{kind:?}={value}"),
                (LiteralKind::String, 1) => "String=".to_owned(),
                _ => format!("{kind:?}"),
            }
        }
        _ => format!("{kind:?}"),
    };
    match kind {
        K::Declarator
        | K::LocalFunction
        | K::TypeParameter
        | K::GenericName
        | K::LambdaParameter
        | K::SingleDesignation => write!(out, " {}", facts.name(node_.value)),
        K::Argument | K::AnonymousMember | K::TupleElement if node_.value > 0 => {
            write!(out, " {}", facts.name(node_.value - 1))
        }
        K::Lambda | K::AnonymousMethod | K::Interpolation if node_.value > 0 => {
            write!(out, "={}", node_.value)
        }
        K::ParameterDefault | K::Accessor | K::ImplicitArray | K::ArrayType => {
            write!(out, "={}", node_.value)
        }
        K::Assignment | K::Binary | K::Unary | K::Postfix | K::RelationalPattern => {
            write!(out, " {}", Op::ALL[usize::from(node_.flags)].token())
        }
        _ => Ok(()),
    }
    .expect("strings take everything");
    let has_op = matches!(
        kind,
        K::Assignment | K::Binary | K::Unary | K::Postfix | K::RelationalPattern | K::Literal
    );
    if node_.flags > 0 && !has_op {
        write!(out, ":{}", node_.flags).expect("strings take everything");
    }
    let children: Vec<_> = bodies
        .children(id)
        .map(|child| node(facts, child))
        .collect();
    if !children.is_empty() {
        write!(out, "({})", children.join(" ")).expect("strings take everything");
    }
    out
}
