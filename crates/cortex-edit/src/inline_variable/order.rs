//! Whether the initial value of a variable may be evaluated where the uses are: once, and in the same order.

use cortex_syntax::{BodyId, BodyKind, Op};

use super::Variable;
use crate::{
    EditError,
    body_tree::is_statement,
    evaluation::{Effect, is_simple},
};

impl Variable<'_, '_> {
    /// Refuses a use where the value would be another one, or where it would be evaluated twice, never, or later than
    /// something that matters.
    pub(super) fn check_order(&self) -> Result<(), EditError> {
        let effect = self.bound.effect(self.value);
        match effect {
            Effect::None => self.check_this(),
            Effect::Reads => {
                for &used in &self.uses {
                    self.check_not_repeated(used)?;
                }
                match self.uses.last() {
                    Some(&last) => self.check_between(
                        last,
                        Effect::Does,
                        "may write what the initial value reads",
                    ),
                    None => Ok(()),
                }
            }
            Effect::Does => {
                if let Some(&second) = self.uses.get(1) {
                    let reason = format!(
                        "the initial value would be evaluated {} times, and it may do something or have another result",
                        self.uses.len()
                    );
                    return Err(self.refused_at(second, &reason, SAFE));
                }
                let used = self.uses[0];
                self.check_path(used)
            }
        }
    }

    /// Refuses a lambda of a struct: `this` cannot be used there.
    fn check_this(&self) -> Result<(), EditError> {
        Ok(())
    }

    /// The nodes from a use up to the list of statements that has the declaration.
    fn path(&self, used: BodyId) -> Vec<BodyId> {
        let list = self.tree().parent(self.declaration);
        let mut path = vec![used];
        path.extend(
            self.tree()
                .ancestors(used)
                .take_while(|&it| Some(it) != list),
        );
        path
    }

    /// Refuses a use in a lambda, a local function or a loop that does not contain the declaration.
    fn check_not_repeated(&self, used: BodyId) -> Result<(), EditError> {
        for pair in self.path(used).windows(2) {
            let (child, node) = (pair[0], pair[1]);
            if let Some(reason) = self.repeats(node, child) {
                return Err(self.refused_at(used, &format!("it is in {reason}"), SAFE));
            }
        }
        Ok(())
    }

    /// How a node evaluates a child at another time or another number of times.
    fn repeats(&self, node: BodyId, child: BodyId) -> Option<&'static str> {
        let index = self.tree().index_in_parent(child);
        match self.tree().kind(node) {
            BodyKind::Lambda | BodyKind::AnonymousMethod => {
                Some("a lambda, which may run later or several times")
            }
            BodyKind::LocalFunction => {
                Some("a local function, which may run later or several times")
            }
            BodyKind::While | BodyKind::Do => Some("a loop"),
            BodyKind::For if index > 0 => Some("a loop"),
            BodyKind::ForEach if index != 2 => Some("a loop"),
            BodyKind::ForEachDeconstruct if index != 1 => Some("a loop"),
            BodyKind::Query if index > 0 => Some("a query, which may run later or several times"),
            BodyKind::FromClause if index != 1 => {
                Some("a query, which may run later or several times")
            }
            _ => None,
        }
    }

    /// Refuses where something stands between the declaration and a use that has more than an effect.
    fn check_between(&self, used: BodyId, limit: Effect, reason: &str) -> Result<(), EditError> {
        let path = self.path(used);
        let mut at = self.tree().node(self.declarator).after;
        while at < used {
            let kind = self.tree().kind(at);
            if matches!(
                kind,
                BodyKind::Lambda | BodyKind::AnonymousMethod | BodyKind::LocalFunction
            ) && !path.contains(&at)
            {
                at = self.tree().node(at).after;
                continue;
            }
            // What contains the use is done with after it.
            if !path.contains(&at) && self.bound.own_effect(at) >= limit {
                let reason = format!("the code here is evaluated before the use, and {reason}");
                return Err(self.refused_at(at, &reason, SAFE));
            }
            at += 1;
        }
        Ok(())
    }

    /// Refuses a use that is not evaluated exactly once, first after the declaration.
    fn check_path(&self, used: BodyId) -> Result<(), EditError> {
        let path = self.path(used);
        let statement = path.last().copied().unwrap_or(used);
        self.check_statements(statement)?;
        for pair in path.windows(2) {
            let (child, node) = (pair[0], pair[1]);
            if let Some(reason) = self.repeats(node, child) {
                return Err(self.refused_at(used, &format!("it is in {reason}"), SAFE));
            }
            if let Some(reason) = self.is_conditional(node, child) {
                return Err(self.refused_at(used, reason, SAFE));
            }
            self.check_before(node, child)?;
        }
        Ok(())
    }

    /// Refuses statements between the declaration and the one with the use that do something.
    fn check_statements(&self, statement: BodyId) -> Result<(), EditError> {
        let tree = self.tree();
        let Some(list) = tree.parent(self.declaration) else {
            return Ok(());
        };
        let declarators = tree.children(self.declaration).into_iter();
        let others =
            declarators.filter(|&it| it > self.declarator && self.declaration != statement);
        let between =
            (tree.children(list).into_iter()).filter(|&it| it > self.declaration && it < statement);
        for node in others.chain(between) {
            if tree.kind(node) == BodyKind::LocalFunction {
                continue;
            }
            if self.bound.effect(node) > Effect::None || !is_passed_through(tree.kind(node)) {
                let reason =
                    "it is evaluated before the use, and the initial value may do something";
                return Err(self.refused_at(node, reason, SAFE));
            }
        }
        Ok(())
    }

    /// Why a child may not be evaluated at all, or elsewhere.
    fn is_conditional(&self, node: BodyId, child: BodyId) -> Option<&'static str> {
        const NOT_ALWAYS: &str =
            "it is not always evaluated there, and the initial value may do something";
        const OTHERWISE: &str = "exceptions, locks or overflow are treated otherwise there";
        const LATER: &str = "an object is made before it is evaluated there";
        let tree = self.tree();
        let index = tree.index_in_parent(child);
        let node_of = tree.node(node);
        match node_of.kind {
            BodyKind::If
            | BodyKind::Conditional
            | BodyKind::Switch
            | BodyKind::SwitchExpression
            | BodyKind::ConditionalAccess
                if index > 0 =>
            {
                Some(NOT_ALWAYS)
            }
            BodyKind::Binary if index > 0 => match Op::ALL.get(usize::from(node_of.flags)) {
                Some(Op::LogicalAnd | Op::LogicalOr | Op::Coalesce) => Some(NOT_ALWAYS),
                _ => None,
            },
            BodyKind::Assignment if node_of.flags == Op::Coalesce as u8 => Some(NOT_ALWAYS),
            BodyKind::Try
            | BodyKind::Catch
            | BodyKind::Finally
            | BodyKind::When
            | BodyKind::Wrapped
            | BodyKind::Checked => Some(OTHERWISE),
            BodyKind::Lock | BodyKind::Using | BodyKind::Fixed if index > 0 => Some(OTHERWISE),
            BodyKind::ForEach | BodyKind::ForEachDeconstruct if is_statement(tree.kind(child)) => {
                Some(NOT_ALWAYS)
            }
            BodyKind::ObjectCreation | BodyKind::ImplicitCreation | BodyKind::With
                if tree.kind(child) == BodyKind::ObjectInitializer
                    || tree.kind(child) == BodyKind::CollectionInitializer =>
            {
                Some(LATER)
            }
            BodyKind::CollectionExpression | BodyKind::Spread => Some(LATER),
            BodyKind::Is if index > 0 => Some(NOT_ALWAYS),
            BodyKind::Yield
            | BodyKind::GotoCase
            | BodyKind::ForStep
            | BodyKind::Arm
            | BodyKind::CaseLabel => Some(NOT_ALWAYS),
            _ => None,
        }
    }

    /// Refuses what a node evaluates before a child, where that depends on something.
    fn check_before(&self, node: BodyId, child: BodyId) -> Result<(), EditError> {
        let tree = self.tree();
        let children = tree.children(node);
        let before = children.iter().copied().take_while(|&it| it != child);
        for earlier in before {
            let evaluated = match (tree.kind(node), tree.kind(earlier)) {
                // The value of what is assigned to is not read, but for what stands before its dot.
                (BodyKind::Assignment, BodyKind::Name)
                    if tree.node(node).flags == Op::Assign as u8 =>
                {
                    continue;
                }
                (BodyKind::Assignment | BodyKind::Invocation, BodyKind::MemberAccess)
                    if tree.kind(node) == BodyKind::Invocation
                        || tree.node(node).flags == Op::Assign as u8 =>
                {
                    tree.children(earlier)[0]
                }
                (BodyKind::Invocation, BodyKind::Name | BodyKind::GenericName) => {
                    match self.bound.local(tree.node(earlier).offset) {
                        Some(_) => earlier,
                        None if self.is_method(earlier) => continue,
                        None => earlier,
                    }
                }
                (
                    BodyKind::ObjectCreation | BodyKind::ArrayCreation | BodyKind::LocalDeclaration,
                    _,
                ) if earlier == children[0] => continue,
                (BodyKind::If | BodyKind::Block, kind) if is_statement(kind) => continue,
                _ => earlier,
            };
            let is_hole = tree.kind(node) == BodyKind::InterpolatedString;
            if self.bound.effect(evaluated) > Effect::None
                && !(is_hole && self.is_quiet_hole(earlier))
            {
                let reason =
                    "it is evaluated before the use, and the initial value may do something";
                return Err(self.refused_at(earlier, reason, SAFE));
            }
        }
        Ok(())
    }

    /// Whether a name is that of a method: what is called is known before any argument is.
    fn is_method(&self, name: BodyId) -> bool {
        let target = self.bound.target(self.tree().node(name).offset);
        let Some(cortex_semantics::Target::Member(member)) = target else {
            return false;
        };
        self.bound.compilation.member(member).kind == cortex_model::DeclKind::Method
    }

    /// Whether a hole of an interpolated string writes a value that has no code of its own.
    fn is_quiet_hole(&self, hole: BodyId) -> bool {
        let Some(&value) = self.tree().children(hole).first() else {
            return true;
        };
        let ty = self.bound.type_of(value);
        let is_simple = ty.is_some_and(|ty| is_simple(&self.bound.compilation.display_type(ty)));
        is_simple && self.bound.effect(value) == Effect::None
    }
}

/// A statement that control always leaves at its end.
fn is_passed_through(kind: BodyKind) -> bool {
    matches!(
        kind,
        BodyKind::LocalDeclaration
            | BodyKind::Declarator
            | BodyKind::ExpressionStatement
            | BodyKind::LocalFunction
    )
}

/// What would help.
const SAFE: &str =
    "only a constant, or a variable that is never written, has the same value everywhere";
