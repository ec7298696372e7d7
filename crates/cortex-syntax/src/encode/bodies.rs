//! Body trees as columns: kinds, numbers of children, flags, values, offsets.
//!
//! A kind says how many children it has nearly always; where it does not, their number stands in
//! a column of its own. Offsets are written in the order of the tokens, each as the difference from
//! where the last one is expected to end, so that most are 0 or 1.

use cortex_model::put_varint;

use super::{Input, put_signed};
use crate::body::{Bodies, BodyId, BodyKind, BodyNode, LiteralKind, Op};

/// Before a kind whose number of children is not the usual.
const COUNTED: u8 = u8::MAX;
/// Before a kind that has flags though it seldom does.
const FLAGGED: u8 = u8::MAX - 1;

/// What `value` is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    None,
    /// An index into the names.
    Name,
    /// A name's index + 1, or 0.
    NameOrNone,
    /// Any number; often `u32::MAX`.
    Number,
}

/// How a kind is written.
#[derive(Clone, Copy)]
struct Shape {
    // Children, unless said otherwise; `VARIES` where no number is usual.
    n_children: u8,
    has_flags: bool,
    value: Value,
    // Its offset is that of a token between its first child and the next.
    is_infix: bool,
    // Bytes from its offset to the next token, but for a name's own.
    length: u8,
}

const VARIES: u8 = u8::MAX;

const fn shape(kind: BodyKind) -> Shape {
    use BodyKind as K;
    Shape {
        n_children: n_children(kind),
        has_flags: has_flags(kind),
        value: value(kind),
        is_infix: matches!(
            kind,
            K::MemberAccess | K::ElementAccess | K::Assignment | K::Binary | K::Postfix
        ),
        length: length(kind),
    }
}

const fn n_children(kind: BodyKind) -> u8 {
    use BodyKind as K;
    match kind {
        K::Decl
        | K::Block
        | K::LocalFunction
        | K::If
        | K::ForInit
        | K::ForStep
        | K::Try
        | K::Catch
        | K::Switch
        | K::Section
        | K::Arguments
        | K::AnonymousObject
        | K::ObjectInitializer
        | K::CollectionInitializer
        | K::ElementInitializer
        | K::ArrayInitializer
        | K::Tuple
        | K::ParenthesizedDesignation
        | K::InterpolatedString
        | K::SwitchExpression
        | K::CollectionExpression
        | K::Query
        | K::OrderByClause
        | K::OtherExpression
        | K::RecursivePattern
        | K::PositionalClause
        | K::PropertyClause
        | K::ListPattern
        | K::TupleType
        | K::FunctionPointerType
        | K::AnonymousMethod
        | K::LambdaParameter
        | K::ObjectCreation
        | K::ArrayCreation
        | K::Stackalloc
        | K::Range => VARIES,
        K::TypeParameter
        | K::Empty
        | K::Name
        | K::SingleDesignation
        | K::DiscardDesignation
        | K::DefaultLiteral
        | K::Literal
        | K::This
        | K::Base
        | K::ErrorExpression
        | K::DiscardPattern
        | K::SlicePattern
        | K::PredefinedType
        | K::OmittedType => 0,
        K::Attribute
        | K::LocalDeclaration
        | K::While
        | K::Do
        | K::Using
        | K::Lock
        | K::Fixed
        | K::MemberAccess
        | K::AliasQualified
        | K::ConditionalAccess
        | K::Invocation
        | K::ElementAccess
        | K::MemberInit
        | K::With
        | K::Lambda
        | K::Assignment
        | K::Binary
        | K::Is
        | K::As
        | K::Cast
        | K::DeclarationExpression
        | K::Arm
        | K::FromClause
        | K::LetClause
        | K::GroupClause
        | K::DeclarationPattern
        | K::Subpattern
        | K::BinaryPattern => 2,
        K::Conditional | K::ForEachDeconstruct => 3,
        K::For | K::ForEach | K::JoinClause => 4,
        _ => 1,
    }
}

const fn has_flags(kind: BodyKind) -> bool {
    use BodyKind as K;
    matches!(
        kind,
        K::BaseArguments
            | K::LocalDeclaration
            | K::LocalFunction
            | K::ForEach
            | K::ForEachDeconstruct
            | K::Using
            | K::MemberAccess
            | K::Argument
            | K::Stackalloc
            | K::Lambda
            | K::AnonymousMethod
            | K::LambdaParameter
            | K::Assignment
            | K::Binary
            | K::Unary
            | K::Postfix
            | K::Literal
            | K::Range
            | K::JoinClause
            | K::OrderKey
            | K::RelationalPattern
            | K::BinaryPattern
            | K::RefType
            | K::RefExpression
    )
}

const fn value(kind: BodyKind) -> Value {
    use BodyKind as K;
    match kind {
        K::Declarator
        | K::LocalFunction
        | K::TypeParameter
        | K::Name
        | K::GenericName
        | K::LambdaParameter
        | K::SingleDesignation
        | K::PredefinedType => Value::Name,
        K::Argument | K::AnonymousMember | K::TupleElement => Value::NameOrNone,
        K::Decl
        | K::ParameterDefault
        | K::Accessor
        | K::ImplicitArray
        | K::Lambda
        | K::AnonymousMethod
        | K::Literal
        | K::Interpolation
        | K::ArrayType => Value::Number,
        _ => Value::None,
    }
}

const fn length(kind: BodyKind) -> u8 {
    use BodyKind as K;
    match kind {
        K::MemberAccess | K::Arguments | K::Interpolation | K::Cast | K::Parenthesized => 1,
        K::MemberBinding | K::Unary | K::Tuple | K::PropertyClause => 1,
        K::Assignment | K::Binary | K::Throw | K::Declarator => 2,
        K::LambdaParameter | K::SingleDesignation => 1,
        K::If | K::Literal | K::ObjectCreation => 4,
        K::Await | K::This | K::Base | K::When => 5,
        K::Return => 7,
        K::ForEach => 9,
        _ => 0,
    }
}

/// The shape of each kind, by its number.
static SHAPES: [Shape; BodyKind::ALL.len()] = {
    let mut shapes = [shape(BodyKind::Decl); BodyKind::ALL.len()];
    let mut i = 0;
    while i < shapes.len() {
        shapes[i] = shape(BodyKind::ALL[i]);
        i += 1;
    }
    shapes
};

/// Calls `each` with every node in the order of the tokens: a node whose offset is that of a token
/// after its first child comes after that child.
fn in_token_order<E>(
    nodes: &mut [BodyNode],
    mut each: impl FnMut(&mut BodyNode, Shape) -> Result<(), E>,
) -> Result<(), E> {
    // Infix nodes to come, with the node before which they do.
    let mut waiting: Vec<(u32, BodyId)> = Vec::new();
    for i in 0..nodes.len() as u32 {
        while let Some(&(at, infix)) = waiting.last()
            && at == i
        {
            waiting.pop();
            let node = &mut nodes[infix as usize];
            each(node, SHAPES[node.kind as usize])?;
        }
        let node = nodes[i as usize];
        let shape = SHAPES[node.kind as usize];
        if shape.is_infix && node.after > i + 1 {
            waiting.push((nodes[i as usize + 1].after, i));
        } else {
            each(&mut nodes[i as usize], shape)?;
        }
    }
    while let Some((_, infix)) = waiting.pop() {
        let node = &mut nodes[infix as usize];
        each(node, SHAPES[node.kind as usize])?;
    }
    Ok(())
}

/// Where the token of a node is expected to end.
fn expected_end(node: &BodyNode, shape: Shape, lengths: &[u8]) -> i64 {
    let name = match shape.value {
        Value::Name => lengths.get(node.value as usize).copied().unwrap_or(0),
        _ => 0,
    };
    i64::from(node.offset) + i64::from(shape.length) + i64::from(name)
}

fn lengths(names: &[Box<str>]) -> Vec<u8> {
    let lengths = names
        .iter()
        .map(|name| name.len().min(usize::from(u8::MAX)));
    lengths.map(|length| length as u8).collect()
}

/// The columns of the trees of one file.
pub(super) fn write(bodies: &Bodies, names: &[Box<str>]) -> Vec<u8> {
    let nodes = &bodies.nodes;
    let mut kinds = Vec::with_capacity(nodes.len() * 4);
    let mut counts = Vec::new();
    let mut flags = Vec::new();
    let mut values = Vec::new();
    for (i, node) in nodes.iter().enumerate() {
        let shape = SHAPES[node.kind as usize];
        let n_children = bodies.children(i as BodyId).count() as u32;
        if shape.n_children == VARIES {
            put_varint(&mut counts, n_children);
        } else if u32::from(shape.n_children) != n_children {
            kinds.push(COUNTED);
            put_varint(&mut counts, n_children);
        }
        if shape.has_flags {
            flags.push(node.flags);
        } else if node.flags != 0 {
            kinds.push(FLAGGED);
            flags.push(node.flags);
        }
        kinds.push(node.kind as u8);
        match shape.value {
            Value::None => {}
            Value::Number => put_varint(&mut values, node.value.wrapping_add(1)),
            Value::Name | Value::NameOrNone => put_varint(&mut values, node.value),
        }
    }
    let mut out = Vec::with_capacity(nodes.len() * 4 + 16);
    put_varint(&mut out, nodes.len() as u32);
    out.extend_from_slice(&kinds);
    out.extend_from_slice(&counts);
    out.extend_from_slice(&flags);
    out.extend_from_slice(&values);
    let lengths = lengths(names);
    let mut expected = 0;
    let mut scratch = nodes.clone();
    let written = in_token_order(&mut scratch, |node, shape| {
        put_signed(&mut out, i64::from(node.offset) - expected);
        expected = expected_end(node, shape, &lengths);
        Ok::<(), std::convert::Infallible>(())
    });
    match written {
        Ok(()) => out,
        Err(never) => match never {},
    }
}

/// Reads what [`write`] wrote; `None` where it cannot have been written.
pub(super) fn read(input: &mut Input<'_>, names: &[Box<str>]) -> Option<Bodies> {
    let count = input.number()? as usize;
    if count > input.0.len() {
        return None;
    }
    let mut nodes = Vec::with_capacity(count);
    let mut counted = Vec::new();
    for i in 0..count {
        let mut byte = input.byte()?;
        let mut flags = 0;
        if byte == COUNTED {
            byte = input.byte()?;
            counted.push(i);
        }
        if byte == FLAGGED {
            byte = input.byte()?;
            flags = 1;
        }
        let kind = *BodyKind::ALL.get(usize::from(byte))?;
        nodes.push(BodyNode {
            kind,
            flags,
            offset: 0,
            value: 0,
            after: 0,
        });
    }
    read_children(input, &mut nodes, &counted)?;
    for node in &mut nodes {
        // Not 0 where it stands for flags to come.
        if SHAPES[node.kind as usize].has_flags || node.flags != 0 {
            node.flags = input.byte()?;
            check_flags(node)?;
        }
    }
    let n_names = names.len() as u32;
    for node in &mut nodes {
        node.value = match SHAPES[node.kind as usize].value {
            Value::None => 0,
            Value::Number => input.number()?.wrapping_sub(1),
            Value::Name => input.number().filter(|&name| name < n_names)?,
            Value::NameOrNone => input.number().filter(|&name| name <= n_names)?,
        };
    }
    let lengths = lengths(names);
    let mut expected = 0;
    in_token_order(&mut nodes, |node, shape| {
        let difference = input.signed().ok_or(())?;
        node.offset = u32::try_from(expected + difference).map_err(|_| ())?;
        expected = expected_end(node, shape, &lengths);
        Ok::<(), ()>(())
    })
    .ok()?;
    Some(Bodies { nodes })
}

/// Fills in `after` from the numbers of children. Every node but a root has a parent that asked
/// for it, so that ranges nest and increase.
fn read_children(input: &mut Input<'_>, nodes: &mut [BodyNode], counted: &[usize]) -> Option<()> {
    let mut counted = counted.iter().copied().peekable();
    // The nodes that still wait for children, with how many.
    let mut open: Vec<(BodyId, u32)> = Vec::new();
    for i in 0..nodes.len() {
        let usual = SHAPES[nodes[i].kind as usize].n_children;
        let is_counted = counted.next_if_eq(&i).is_some();
        let n_children = match usual {
            VARIES => input.number()?,
            _ if is_counted => input.number()?,
            usual => u32::from(usual),
        };
        if n_children > 0 {
            open.push((i as BodyId, n_children));
            continue;
        }
        let after = i as BodyId + 1;
        nodes[i].after = after;
        while let Some((parent, left)) = open.last_mut() {
            *left -= 1;
            if *left > 0 {
                break;
            }
            nodes[*parent as usize].after = after;
            open.pop();
        }
    }
    open.is_empty().then_some(())
}

/// Whether `flags` that stand for a value of an enumeration are one.
fn check_flags(node: &BodyNode) -> Option<()> {
    let limit = match node.kind {
        BodyKind::Assignment
        | BodyKind::Binary
        | BodyKind::Unary
        | BodyKind::Postfix
        | BodyKind::RelationalPattern => Op::ALL.len(),
        BodyKind::Literal => LiteralKind::ALL.len(),
        _ => return Some(()),
    };
    (usize::from(node.flags) < limit).then_some(())
}
