//! The ways through expressions and patterns.

use cortex_syntax::{BodyId, BodyKind, Op, ref_kind};

use super::{Branches, Ends, Point, Touch, Walk, constants::decides, is_deferred};

impl Walk<'_, '_> {
    pub(super) fn expression(&mut self, id: BodyId, from: Ends) -> Ends {
        let from = self.begin(id, from);
        let ends = self.value(id, from);
        self.end(id, ends)
    }

    fn value(&mut self, id: BodyId, from: Ends) -> Ends {
        let tree = self.tree;
        let node = tree.node(id);
        let children = tree.children(id);
        match (node.kind, children.as_slice()) {
            (kind, _) if is_deferred(kind) => from,
            (BodyKind::TypeOf | BodyKind::SizeOf | BodyKind::Default, _) => from,
            (BodyKind::Name, _) => self.touch(Touch::Uses(node.offset), &from),
            (BodyKind::SingleDesignation, _) => self.touch(Touch::Sets(node.offset), &from),
            (BodyKind::Assignment, &[target, value]) => {
                self.assignment(op_of(node.flags), [target, value], from)
            }
            (BodyKind::Unary | BodyKind::Postfix, &[operand]) if is_step(node.flags) => {
                let ends = self.expression(operand, from);
                self.set(operand, ends)
            }
            (BodyKind::Argument, &[value]) if node.flags & 7 == ref_kind::OUT => {
                self.before_set(value, from)
            }
            // What is passed to `out` parameters is written when all arguments are evaluated.
            (BodyKind::Arguments, arguments) => {
                let ends = self.list(id, from);
                let is_out = |it: &&BodyId| tree.node(**it).flags & 7 == ref_kind::OUT;
                let out = arguments.iter().filter(is_out);
                out.fold(ends, |ends, &it| self.set(it, ends))
            }
            (BodyKind::ThrowExpression, _) => {
                self.list(id, from);
                Ends::default()
            }
            (BodyKind::ConditionalAccess, &[object, rest]) => {
                let ends = self.expression(object, from);
                let accessed = self.expression(rest, ends.clone());
                ends.and(accessed)
            }
            (BodyKind::Binary, &[left, right]) if op_of(node.flags) == Some(Op::Coalesce) => {
                let ends = self.expression(left, from);
                let other = self.expression(right, ends.clone());
                ends.and(other)
            }
            (BodyKind::SwitchExpression, [value, arms @ ..]) => {
                let mut open = self.expression(*value, from);
                let mut ends = Ends::default();
                for &arm in arms {
                    let Branches { holds, fails } = self.test(arm, open);
                    let result = tree.children(arm).last().copied();
                    ends =
                        ends.and(result.map_or(Ends::default(), |it| self.expression(it, holds)));
                    open = fails;
                }
                ends
            }
            _ if decides(tree, id) => self.branches(id, from).joined(),
            _ => self.list(id, from),
        }
    }

    pub(super) fn condition(&mut self, id: BodyId, from: Ends) -> Branches {
        if let Some(value) = self.constants.value(id) {
            let constant = Branches {
                holds: self.expression(id, from),
                fails: Ends::default(),
            };
            return match value {
                true => constant,
                false => constant.swapped(),
            };
        }
        if id == self.first || !decides(self.tree, id) {
            return Branches::both(self.expression(id, from));
        }
        if !self.constants.has_constant(id) {
            return self.branches(id, from);
        }
        // `true || a` is no constant: the language takes both ways for possible.
        let Branches { holds, fails } = self.branches(id, from.clone());
        let assumed = self.step(Point::Assumed, &from);
        Branches {
            holds: holds.and(assumed.clone()),
            fails: fails.and(assumed),
        }
    }

    fn branches(&mut self, id: BodyId, from: Ends) -> Branches {
        let tree = self.tree;
        let flags = tree.node(id).flags;
        match (tree.kind(id), tree.children(id).as_slice()) {
            (BodyKind::Parenthesized, &[inner]) => self.condition(inner, from),
            (BodyKind::Unary, &[operand]) => self.condition(operand, from).swapped(),
            (BodyKind::Binary, &[left, right]) => {
                let first = self.condition(left, from);
                match op_of(flags) {
                    Some(Op::LogicalAnd) => {
                        let second = self.condition(right, first.holds);
                        Branches {
                            holds: second.holds,
                            fails: first.fails.and(second.fails),
                        }
                    }
                    _ => {
                        let second = self.condition(right, first.fails);
                        Branches {
                            holds: first.holds.and(second.holds),
                            fails: second.fails,
                        }
                    }
                }
            }
            (BodyKind::Conditional, &[condition, then, otherwise]) => {
                let Branches { holds, fails } = self.condition(condition, from);
                let then = self.condition(then, holds);
                let other = self.condition(otherwise, fails);
                Branches {
                    holds: then.holds.and(other.holds),
                    fails: then.fails.and(other.fails),
                }
            }
            (BodyKind::Is, &[value, pattern]) => {
                let ends = self.expression(value, from);
                self.pattern(pattern, ends)
            }
            _ => Branches::both(self.list(id, from)),
        }
    }

    /// The pattern of a label or arm with its `when`.
    pub(super) fn test(&mut self, id: BodyId, from: Ends) -> Branches {
        let tree = self.tree;
        let children = tree.children(id);
        let Some(&pattern) = children.first() else {
            return Branches::both(from);
        };
        let matched = self.pattern(pattern, from);
        match children
            .get(1)
            .filter(|&&it| tree.kind(it) == BodyKind::When)
        {
            Some(&when) => {
                let guarded = self.when(when, matched.holds);
                Branches {
                    holds: guarded.holds,
                    fails: matched.fails.and(guarded.fails),
                }
            }
            None => matched,
        }
    }

    pub(super) fn when(&mut self, id: BodyId, from: Ends) -> Branches {
        match self.tree.children(id).first() {
            Some(&condition) => self.condition(condition, from),
            None => Branches::both(from),
        }
    }

    /// A pattern: its variables have values where it matches.
    fn pattern(&mut self, id: BodyId, from: Ends) -> Branches {
        let tree = self.tree;
        match (tree.kind(id), tree.children(id).as_slice()) {
            (BodyKind::NotPattern, &[inner]) => self.pattern(inner, from).swapped(),
            (BodyKind::ParenthesizedPattern, &[inner]) => self.pattern(inner, from),
            (BodyKind::BinaryPattern, &[left, right]) => {
                let first = self.pattern(left, from);
                match tree.node(id).flags & 1 {
                    0 => {
                        let second = self.pattern(right, first.holds);
                        Branches {
                            holds: second.holds,
                            fails: first.fails.and(second.fails),
                        }
                    }
                    _ => {
                        let second = self.pattern(right, first.fails);
                        Branches {
                            holds: first.holds.and(second.holds),
                            fails: second.fails,
                        }
                    }
                }
            }
            _ => {
                let holds = self.expression(id, from.clone());
                Branches { holds, fails: from }
            }
        }
    }

    fn assignment(&mut self, op: Option<Op>, [target, value]: [BodyId; 2], from: Ends) -> Ends {
        match op {
            Some(Op::Assign) => {
                let ends = self.before_set(target, from);
                let ends = self.expression(value, ends);
                self.set(target, ends)
            }
            Some(Op::Coalesce) => {
                let ends = self.expression(target, from);
                let other = self.expression(value, ends.clone());
                ends.and(self.set(target, other))
            }
            _ => {
                let ends = self.expression(target, from);
                let ends = self.expression(value, ends);
                self.set(target, ends)
            }
        }
    }

    /// What is evaluated of a target before it gets a value: the object and index of a part, of a variable nothing.
    pub(super) fn before_set(&mut self, id: BodyId, from: Ends) -> Ends {
        let tree = self.tree;
        match tree.kind(id) {
            BodyKind::Name | BodyKind::DeclarationExpression => from,
            BodyKind::Parenthesized
            | BodyKind::SuppressNull
            | BodyKind::Tuple
            | BodyKind::Argument => {
                let parts = tree.children(id).into_iter();
                parts.fold(from, |ends, it| self.before_set(it, ends))
            }
            _ => self.expression(id, from),
        }
    }

    /// The variables of a target get values.
    pub(super) fn set(&mut self, id: BodyId, from: Ends) -> Ends {
        let tree = self.tree;
        match tree.kind(id) {
            BodyKind::Name | BodyKind::SingleDesignation => {
                self.touch(Touch::Sets(tree.node(id).offset), &from)
            }
            BodyKind::Parenthesized
            | BodyKind::SuppressNull
            | BodyKind::Tuple
            | BodyKind::Argument
            | BodyKind::DeclarationExpression
            | BodyKind::ParenthesizedDesignation => {
                let parts = tree.children(id).into_iter();
                parts.fold(from, |ends, it| self.set(it, ends))
            }
            _ => from,
        }
    }
}

pub(super) fn op_of(flags: u8) -> Option<Op> {
    Op::ALL.get(usize::from(flags)).copied()
}

/// Whether an operator is `++` or `--`.
fn is_step(flags: u8) -> bool {
    matches!(op_of(flags), Some(Op::Increment | Op::Decrement))
}
