//! Operators and operands put in order where the grammar has them in a wrong one.
//!
//! The grammar lets `?.` bind looser than any operator: `a && b?.c` is for it `(a && b)?.c`, `!a?.b`
//! is `(!a)?.b`, and `a?.b is T && c` may be `a?.b is (T && c)`. Such an expression, and one with
//! parentheses taken for a cast, is laid out flat and put together by precedence (C# specification,
//! §12.4.2).

use rustc_hash::FxHashSet;

use super::{Builder, Head, Work, operands};
use crate::{
    arena::{Arena, NodeId},
    body::{BodyKind, Op},
    kind::{Field, Kind},
};

/// How strongly `..` binds.
const RANGE: u8 = 12;
/// How strongly prefix operators bind.
const UNARY: u8 = 13;
/// How strongly `switch` and `with` bind.
const SWITCH: u8 = 11;
/// How strongly `is`, `as` and `<` bind.
const RELATIONAL: u8 = 7;

/// An operator between two operands.
#[derive(Clone, Copy)]
pub(super) struct Infix {
    pub(super) op: Op,
    pub(super) offset: u32,
}

/// An operand of the expression around.
#[derive(Clone, Copy)]
enum Operand {
    Whole(NodeId),
    /// A chain of which the grammar took the operators before for a part.
    Chain(NodeId),
    /// A chain whose first `*` is an operator before it.
    ChainBehindStar(NodeId),
    /// The prefix operators from the first node to the parentheses of the second, and what stands
    /// right after these.
    Parentheses(NodeId, NodeId, Option<Infix>),
}

/// What waits for the operand on its right.
#[derive(Clone, Copy)]
enum Operator {
    Infix(Infix),
    /// A node of which this is the `..` between two operands.
    Range(NodeId),
    /// A node of which this is the `is` before a constant.
    Is(NodeId),
    /// A cast, an `await`, a unary operator or a `..` without a left side.
    Prefix(NodeId),
}

/// An expression or an operand, in an array of them.
#[derive(Clone, Copy)]
enum Tree {
    Operand(Operand),
    Pair(Operator, usize, usize),
    Prefix(NodeId, usize),
    /// What stands after the operand of this node.
    Suffix(NodeId, usize),
}

#[derive(Clone, Copy)]
enum Item {
    Node(NodeId),
    /// A chain whose first `*` is an operator before it.
    ChainBehindStar(NodeId),
    Operator(Operator),
    /// The `is …`, `as …`, `switch { … }` or `with { … }` of a node; of a link, the `is …` that it
    /// continues.
    Suffix(NodeId),
    /// The links of a chain that belong to the operand before.
    Links(NodeId),
}

/// What is still to write, the next last.
#[derive(Clone, Copy)]
enum Step {
    Tree(usize),
    /// A tree that is a pattern.
    Constant(usize),
    /// The pattern of an `is`, with a tree for the last part of it.
    Pattern(NodeId, usize),
    Suffix(NodeId),
    Close,
}

/// How strongly an operator binds (C# specification, §12.4.2).
fn precedence(op: Op) -> u8 {
    match op {
        Op::Multiply | Op::Divide | Op::Modulo => 10,
        Op::Add | Op::Subtract => 9,
        Op::ShiftLeft | Op::ShiftRight | Op::UnsignedShiftRight => 8,
        Op::Less | Op::LessOrEqual | Op::Greater | Op::GreaterOrEqual => RELATIONAL,
        Op::Equal | Op::NotEqual => 6,
        Op::And => 5,
        Op::Xor => 4,
        Op::Or => 3,
        Op::LogicalAnd => 2,
        Op::LogicalOr => 1,
        _ => 0,
    }
}

impl Operator {
    fn precedence(self) -> u8 {
        match self {
            Self::Infix(infix) => precedence(infix.op),
            Self::Range(_) => RANGE,
            Self::Is(_) => RELATIONAL,
            Self::Prefix(_) => UNARY,
        }
    }

    /// Whether the operand between this and `next` belongs to `next`.
    fn is_weaker(self, next: Self) -> bool {
        let is_coalesce =
            |operator| matches!(operator, Self::Infix(infix) if infix.op == Op::Coalesce);
        self.precedence() < next.precedence() || is_coalesce(self) && is_coalesce(next)
    }
}

/// The topmost nodes of the expressions in which a `?.` or an `is` took in operators that do not
/// belong to it, or a call an `is`. O(nodes).
pub(super) fn disordered(arena: &Arena<'_>) -> FxHashSet<NodeId> {
    let mut tops = FxHashSet::default();
    let mut seen = FxHashSet::default();
    for id in 1..arena.nodes.len() as NodeId {
        let is_disordered = match arena.kind(id) {
            Kind::ConditionalAccess => took_operators(arena, id),
            Kind::ConstantPattern | Kind::RelationalPattern => took_condition(arena, id),
            Kind::Invocation | Kind::MemberAccess => continued_test(arena, id).is_some(),
            _ => false,
        };
        if !is_disordered {
            continue;
        }
        let mut top = test_ending_with(arena, id).unwrap_or(id);
        while seen.insert(top) {
            let parent = arena.node(top).parent;
            if !is_part(arena.kind(parent)) {
                tops.insert(top);
                break;
            }
            top = parent;
        }
    }
    tops
}

/// Whether an expression of this kind lies flat with what is directly in it.
fn is_part(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::ConditionalAccess
            | Kind::MemberAccess
            | Kind::Invocation
            | Kind::ElementAccess
            | Kind::PostfixUnary
            | Kind::Binary
            | Kind::Range
            | Kind::PrefixUnary
            | Kind::Await
            | Kind::Cast
            | Kind::Is
            | Kind::IsPattern
            | Kind::As
            | Kind::SwitchExpression
            | Kind::With
    )
}

/// Whether operators ended up in the receiver of a `?.`.
fn took_operators(arena: &Arena<'_>, access: NodeId) -> bool {
    let mut at = arena.child(access, Field::Condition);
    while let Some(link) = at {
        at = match arena.kind(link) {
            Kind::MemberAccess | Kind::ElementAccess => arena.child(link, Field::Expression),
            Kind::Invocation => arena.child(link, Field::Function),
            Kind::PostfixUnary => operands(arena, link).next(),
            kind => {
                return matches!(
                    kind,
                    Kind::Binary | Kind::Range | Kind::PrefixUnary | Kind::Await | Kind::Cast
                );
            }
        };
    }
    false
}

/// The `is` whose pattern ends with another one: `null` in `a is not null`.
fn test_ending_with(arena: &Arena<'_>, pattern: NodeId) -> Option<NodeId> {
    let mut at = pattern;
    loop {
        let parent = arena.node(at).parent;
        match arena.kind(parent) {
            Kind::IsPattern => return Some(parent),
            Kind::NegatedPattern => {}
            Kind::AndPattern | Kind::OrPattern if arena.child(parent, Field::Right) == Some(at) => {
            }
            _ => return None,
        }
        at = parent;
    }
}

/// Whether the last pattern of an `is` took in an operator weaker than `is`.
fn took_condition(arena: &Arena<'_>, pattern: NodeId) -> bool {
    if test_ending_with(arena, pattern).is_none() {
        return false;
    }
    let mut at = operands(arena, pattern).next();
    while let Some(part) = at {
        at = match arena.kind(part) {
            Kind::ConditionalAccess => arena.child(part, Field::Condition),
            Kind::MemberAccess | Kind::ElementAccess => arena.child(part, Field::Expression),
            Kind::Invocation => arena.child(part, Field::Function),
            Kind::Binary => match super::operators::binary_op_of(arena, part) {
                Some((op, _)) if precedence(op) < RELATIONAL => return true,
                _ => arena.child(part, Field::Left),
            },
            _ => None,
        };
    }
    false
}

/// The `is` whose pattern `.b` or `(b)` continues where the grammar has it apply to all of `a is T`.
fn continued_test(arena: &Arena<'_>, link: NodeId) -> Option<NodeId> {
    let test = match arena.kind(link) {
        Kind::Invocation => arena.child(link, Field::Function)?,
        Kind::MemberAccess => arena.child(link, Field::Expression)?,
        _ => return None,
    };
    match arena.kind(test) {
        Kind::IsPattern => Some(test),
        Kind::Is => {
            let ty = arena.child(test, Field::Right)?;
            (arena.kind(ty) != Kind::ImplicitType).then_some(test)
        }
        _ => None,
    }
}

impl Builder<'_, '_> {
    /// Writes an expression whose operators the grammar has in a wrong order. Whether it is one.
    pub(super) fn regrouped(&mut self, id: NodeId) -> bool {
        let is_disordered = self.disordered.contains(&id);
        if !is_disordered && !self.has_parentheses(id) {
            return false;
        }
        let trees = self.regroup(id, is_disordered);
        // Where the parser recovered from an error there may be no parts.
        if let [Tree::Operand(Operand::Whole(_))] = trees[..] {
            return false;
        }
        let mut steps = vec![Step::Tree(trees.len() - 1)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Tree(tree) => self.then_tree(trees[tree], &mut steps),
                Step::Constant(tree) => match trees[tree] {
                    Tree::Operand(Operand::Whole(node)) => self.then_tested(node),
                    _ => {
                        // The offset is known when the first of its nodes is.
                        let offset = self.first_offset(&trees, tree);
                        self.then_open(Head::new(BodyKind::ConstantPattern, offset));
                        steps.extend([Step::Close, Step::Tree(tree)]);
                    }
                },
                Step::Pattern(test, tree) => self.then_pattern_ending(test, tree, &mut steps),
                Step::Suffix(node) => self.then_suffix(node),
                Step::Close => self.then_close(),
            }
        }
        true
    }

    fn then_tree(&mut self, tree: Tree, steps: &mut Vec<Step>) {
        let arena = self.arena;
        match tree {
            Tree::Operand(Operand::Whole(operand)) => self.then_visit(operand),
            Tree::Operand(Operand::Chain(top)) => self.then(Work::Chain(top)),
            Tree::Operand(Operand::ChainBehindStar(top)) => self.then(Work::ChainBehindStar(top)),
            Tree::Operand(Operand::Parentheses(top, cast, postfix)) => {
                self.then_parentheses(top, cast, postfix);
            }
            Tree::Pair(operator, left, right) => {
                let head = match operator {
                    Operator::Infix(infix) => {
                        Head::new(BodyKind::Binary, infix.offset).flags(infix.op as u8)
                    }
                    Operator::Is(node) => Head::new(BodyKind::Is, arena.node(node).start),
                    Operator::Range(node) | Operator::Prefix(node) => {
                        Head::new(BodyKind::Range, arena.node(node).start)
                            .flags(super::expressions::BOTH_SIDES)
                    }
                };
                self.then_open(head);
                let right = match operator {
                    Operator::Is(node) => Step::Pattern(node, right),
                    _ => Step::Tree(right),
                };
                steps.extend([Step::Close, right, Step::Tree(left)]);
            }
            Tree::Prefix(node, operand) => {
                self.then_prefix(node);
                steps.extend([Step::Close, Step::Tree(operand)]);
            }
            Tree::Suffix(node, operand) => {
                let kind = match arena.kind(node) {
                    Kind::As => BodyKind::As,
                    Kind::SwitchExpression => BodyKind::SwitchExpression,
                    Kind::With => BodyKind::With,
                    _ => BodyKind::Is,
                };
                self.then_open(Head::new(kind, arena.node(node).start));
                steps.extend([Step::Close, Step::Suffix(node), Step::Tree(operand)]);
            }
        }
    }

    /// The part that a pattern ends with: `null` of `not null`.
    fn last_pattern(&self, pattern: NodeId) -> NodeId {
        let mut at = pattern;
        loop {
            let inner = match self.arena.kind(at) {
                Kind::NegatedPattern => self.operand(at),
                Kind::AndPattern | Kind::OrPattern => self.part(at, Field::Right),
                _ => None,
            };
            match inner {
                Some(inner) => at = inner,
                None => return at,
            }
        }
    }

    /// The pattern of an `is`, whose last part is a tree.
    fn then_pattern_ending(&mut self, test: NodeId, tree: usize, steps: &mut Vec<Step>) {
        let mut at = self.part(test, Field::Pattern);
        while let Some(pattern) = at {
            let start = self.arena.node(pattern).start;
            at = match self.arena.kind(pattern) {
                Kind::NegatedPattern => {
                    self.then_open(Head::new(BodyKind::NotPattern, start));
                    self.operand(pattern)
                }
                kind @ (Kind::AndPattern | Kind::OrPattern) => {
                    let flags = u8::from(kind == Kind::OrPattern) * super::patterns::OR;
                    self.then_open(Head::new(BodyKind::BinaryPattern, start).flags(flags));
                    if let Some(left) = self.part(pattern, Field::Left) {
                        self.then(Work::Pattern(left));
                    }
                    self.part(pattern, Field::Right)
                }
                Kind::RelationalPattern => {
                    let head = self.relational_head(pattern);
                    self.then_open(head);
                    steps.extend([Step::Close, Step::Tree(tree)]);
                    return;
                }
                _ => break,
            };
            steps.push(Step::Close);
        }
        steps.push(Step::Constant(tree));
    }

    /// The node of a prefix operator without its operand.
    pub(super) fn then_prefix(&mut self, id: NodeId) {
        let arena = self.arena;
        let start = arena.node(id).start;
        match arena.kind(id) {
            Kind::Cast => {
                self.then_open(Head::new(BodyKind::Cast, start));
                let ty = self.part(id, Field::Type);
                self.then_visit_or_error(ty, start);
            }
            Kind::Await => self.then_open(Head::new(BodyKind::Await, start)),
            Kind::Range => {
                let head = Head::new(BodyKind::Range, start);
                self.then_open(head.flags(super::expressions::HAS_RIGHT));
            }
            _ => {
                let op = super::operators::unary_op_of(arena, id).unwrap_or(Op::Complement);
                self.then_open(Head::new(BodyKind::Unary, start).flags(op as u8));
            }
        }
    }

    /// What follows the operand of an `is`, `as`, `switch` or `with`.
    fn then_suffix(&mut self, id: NodeId) {
        let arena = self.arena;
        let start = arena.node(id).start;
        match arena.kind(id) {
            Kind::Is => self.then_is_type(id),
            Kind::IsPattern => {
                let pattern = self.part(id, Field::Pattern);
                self.then_is_pattern(id, pattern);
            }
            Kind::Invocation | Kind::MemberAccess => self.then_continued_pattern(id),
            Kind::As => {
                let ty = self.part(id, Field::Right);
                self.then_visit_or_error(ty, start);
            }
            Kind::SwitchExpression => self.then_arms(id),
            _ => self.then_with_members(id),
        }
    }

    /// An expression that is all of the pattern after an `is`.
    fn then_tested(&mut self, id: NodeId) {
        match self.is_generic(id) {
            true => self.then_visit(id),
            false => self.then(Work::Pattern(id)),
        }
    }

    /// Where an expression starts.
    fn first_offset(&self, trees: &[Tree], tree: usize) -> u32 {
        let mut at = tree;
        let node = loop {
            match trees[at] {
                Tree::Operand(Operand::Chain(top) | Operand::ChainBehindStar(top)) => {
                    let mut base = top;
                    while let Some(left) = self.left_of_link(base) {
                        base = left;
                    }
                    break self.last_operand(base);
                }
                Tree::Operand(Operand::Whole(node) | Operand::Parentheses(node, ..))
                | Tree::Prefix(node, _) => break node,
                Tree::Pair(_, left, _) => at = left,
                Tree::Suffix(_, operand) => at = operand,
            }
        };
        self.arena.node(node).start
    }

    /// The links from one down to the `is` whose pattern they continue, and that.
    fn links_to_test(&self, top: NodeId) -> Option<(Vec<NodeId>, NodeId)> {
        let mut links = Vec::new();
        let mut at = top;
        loop {
            links.push(at);
            if let Some(test) = continued_test(self.arena, at) {
                return Some((links, test));
            }
            at = self.left_of_link(at)?;
        }
    }

    /// The pattern of an `is` that links continue, the last of which is given.
    fn then_continued_pattern(&mut self, top: NodeId) {
        let arena = self.arena;
        let Some((links, test)) = self.links_to_test(top) else {
            return;
        };
        let mut at = self
            .part(test, Field::Right)
            .or_else(|| self.part(test, Field::Pattern));
        // The links belong to the last of the patterns.
        let mut n_open = 0;
        while let Some(pattern) = at {
            let start = arena.node(pattern).start;
            at = match arena.kind(pattern) {
                Kind::AndPattern | Kind::OrPattern => {
                    let flags = u8::from(arena.kind(pattern) == Kind::OrPattern);
                    self.then_open(Head::new(BodyKind::BinaryPattern, start).flags(flags));
                    if let Some(left) = self.part(pattern, Field::Left) {
                        self.then(Work::Pattern(left));
                    }
                    n_open += 1;
                    self.part(pattern, Field::Right)
                }
                Kind::NegatedPattern => {
                    self.then_open(Head::new(BodyKind::NotPattern, start));
                    n_open += 1;
                    self.operand(pattern)
                }
                Kind::ConstantPattern | Kind::TypePattern => self.operand(pattern),
                _ => {
                    self.then_last_pattern(pattern, &links);
                    None
                }
            };
        }
        for _ in 0..n_open {
            self.then_close();
        }
    }

    /// `T.b` or `T.b(c)`: a name and the links after it, the last first.
    fn then_last_pattern(&mut self, name: NodeId, links: &[NodeId]) {
        let arena = self.arena;
        let start = arena.node(name).start;
        let is_member = |&link: &NodeId| arena.kind(link) == Kind::MemberAccess;
        let is_generic = |link| {
            let name = arena.child(link, Field::Name);
            name.is_some_and(|name| arena.kind(name) == Kind::GenericName)
        };
        let (kind, links, list) = match *links {
            [call, ref members @ ..] if !is_member(&call) && members.iter().all(is_member) => {
                let list = self.part(call, Field::Arguments);
                (BodyKind::RecursivePattern, members, list)
            }
            [last, ..] if is_member(&last) && is_generic(last) => {
                (BodyKind::TypePattern, links, None)
            }
            _ => (BodyKind::ConstantPattern, links, None),
        };
        self.then_open(Head::new(kind, start));
        self.piece_over(links, start, |builder| builder.then_visit(name));
        if let Some(list) = list {
            self.then_positional(list);
        }
        self.then_close();
    }

    /// The last operand of an expression that lies flat, or itself.
    pub(super) fn last_operand(&self, id: NodeId) -> NodeId {
        let mut at = id;
        while let Some(operand) = match self.arena.kind(at) {
            Kind::Binary => self.part(at, Field::Right),
            _ => self.operand_of_prefix(at),
        } {
            at = operand;
        }
        at
    }

    /// The operand of a prefix operator, and the right one of a `..`.
    fn operand_of_prefix(&self, id: NodeId) -> Option<NodeId> {
        match self.arena.kind(id) {
            Kind::Cast if self.is_before_brackets(id) => None,
            Kind::Cast => self.part(id, Field::Value),
            Kind::PrefixUnary | Kind::Await => self.operand(id),
            Kind::Range => self.range_sides(id).1,
            _ => None,
        }
    }

    /// The expression in the order that its operators' precedence gives; the last tree is the whole.
    fn regroup(&mut self, id: NodeId, is_disordered: bool) -> Vec<Tree> {
        let mut yard = Yard::default();
        let mut items = vec![Item::Node(id)];
        while let Some(item) = items.pop() {
            match item {
                Item::Operator(operator @ Operator::Prefix(_)) => yard.waiting.push(operator),
                Item::Operator(operator) => {
                    yard.reduce(|before| before.is_weaker(operator));
                    yard.waiting.push(operator);
                }
                Item::Suffix(node) => {
                    let strength = match self.arena.kind(node) {
                        Kind::SwitchExpression | Kind::With => SWITCH,
                        _ => RELATIONAL,
                    };
                    yard.reduce(|before| before.precedence() < strength);
                    yard.wrap(|operand| Tree::Suffix(node, operand));
                }
                Item::Links(top) => yard.links(top),
                Item::ChainBehindStar(top) => {
                    yard.push(Tree::Operand(Operand::ChainBehindStar(top)));
                }
                Item::Node(node) if is_disordered && self.lay_flat(node, &mut items) => {}
                Item::Node(node) => {
                    if let Some((left, infix, right)) = self.binary_parts(node) {
                        let infix = Item::Operator(Operator::Infix(infix));
                        items.extend([Item::Node(right), infix, Item::Node(left)]);
                        continue;
                    }
                    let operand = match self.last_parentheses(node) {
                        Some((cast, rest)) => {
                            let infix = Item::Operator(Operator::Infix(rest.infix));
                            let right = match rest.has_star {
                                true => Item::ChainBehindStar(rest.right),
                                false => Item::Node(rest.right),
                            };
                            items.extend([right, infix]);
                            Operand::Parentheses(node, cast, rest.postfix)
                        }
                        None => Operand::Whole(node),
                    };
                    yard.push(Tree::Operand(operand));
                }
            }
        }
        yard.reduce(|_| false);
        yard.trees
    }

    /// Puts the parts of a node on the list, the first last. Whether it is one that has parts and
    /// is neither binary nor taken for a cast.
    fn lay_flat(&self, id: NodeId, items: &mut Vec<Item>) -> bool {
        let arena = self.arena;
        match arena.kind(id) {
            Kind::Is | Kind::As => match self.part(id, Field::Left) {
                Some(left) => items.extend([Item::Suffix(id), Item::Node(left)]),
                None => return false,
            },
            Kind::SwitchExpression | Kind::With => match self.operand(id) {
                Some(left) => items.extend([Item::Suffix(id), Item::Node(left)]),
                None => return false,
            },
            Kind::IsPattern => {
                let Some(left) = self.part(id, Field::Expression) else {
                    return false;
                };
                let pattern = self.part(id, Field::Pattern);
                let constant = pattern
                    .map(|pattern| self.last_pattern(pattern))
                    .filter(|&last| took_condition(arena, last))
                    .and_then(|last| self.operand(last));
                match constant {
                    Some(constant) => {
                        let is = Item::Operator(Operator::Is(id));
                        items.extend([Item::Node(constant), is, Item::Node(left)]);
                    }
                    None => items.extend([Item::Suffix(id), Item::Node(left)]),
                }
            }
            Kind::Range => match self.range_sides(id) {
                (Some(left), Some(right)) => {
                    let range = Item::Operator(Operator::Range(id));
                    items.extend([Item::Node(right), range, Item::Node(left)]);
                }
                (None, Some(right)) => {
                    let range = Item::Operator(Operator::Prefix(id));
                    items.extend([Item::Node(right), range]);
                }
                _ => return false,
            },
            Kind::PrefixUnary | Kind::Await | Kind::Cast => {
                if self.last_parentheses(id).is_some() {
                    return false;
                }
                let Some(operand) = self.operand_of_prefix(id) else {
                    return false;
                };
                let prefix = Item::Operator(Operator::Prefix(id));
                items.extend([Item::Node(operand), prefix]);
            }
            _ => {
                let mut base = id;
                while let Some(left) = self.left_of_link(base) {
                    base = left;
                }
                if base == id || !is_part(arena.kind(base)) {
                    return false;
                }
                if self.has_conditional(id) {
                    items.extend([Item::Links(id), Item::Node(base)]);
                    return true;
                }
                let Some((_, test)) = self.links_to_test(id) else {
                    return false;
                };
                let left = self
                    .part(test, Field::Left)
                    .or_else(|| self.part(test, Field::Expression));
                match left {
                    Some(left) => items.extend([Item::Suffix(id), Item::Node(left)]),
                    None => return false,
                }
            }
        }
        true
    }

    fn binary_parts(&self, id: NodeId) -> Option<(NodeId, Infix, NodeId)> {
        let (op, offset) = super::operators::binary_op_of(self.arena, id)?;
        let left = self.part(id, Field::Left)?;
        let right = self.part(id, Field::Right)?;
        Some((left, Infix { op, offset }, right))
    }
}

/// Operands and operators on their way into order.
#[derive(Default)]
struct Yard {
    trees: Vec<Tree>,
    /// The finished operands, the last last.
    done: Vec<usize>,
    waiting: Vec<Operator>,
}

impl Yard {
    fn push(&mut self, tree: Tree) {
        self.done.push(self.trees.len());
        self.trees.push(tree);
    }

    fn wrap(&mut self, tree: impl FnOnce(usize) -> Tree) {
        if let Some(operand) = self.done.pop() {
            self.push(tree(operand));
        }
    }

    /// Gives the operators that wait their operands, up to the first that is to wait on.
    fn reduce(&mut self, waits: impl Fn(Operator) -> bool) {
        while let Some(operator) = self.waiting.pop_if(|before| !waits(*before)) {
            match operator {
                Operator::Prefix(node) => self.wrap(|operand| Tree::Prefix(node, operand)),
                _ => {
                    if let (Some(right), Some(left)) = (self.done.pop(), self.done.pop()) {
                        self.push(Tree::Pair(operator, left, right));
                    }
                }
            }
        }
    }

    /// Hands the links of a chain to the operand before.
    fn links(&mut self, top: NodeId) {
        if let Some(&last) = self.done.last()
            && let Tree::Operand(operand @ (Operand::Whole(_) | Operand::Chain(_))) =
                &mut self.trees[last]
        {
            *operand = Operand::Chain(top);
        }
    }
}
