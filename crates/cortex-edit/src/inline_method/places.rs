//! Whether the body and what a call passes mean the same, and compile, in the places where they go.

use cortex_semantics::Special;
use cortex_syntax::{BodyId, BodyKind};

use super::{Call, Method, Value, evaluated::Used};
use crate::{
    EditError,
    context::{Overflow, is_in_name_of, overflow_dependent},
    expression_tree::{is_in_tree, unfit},
    folding::{Folded, Folding, Misfit, known},
};

const OVERFLOW_HELP: &str = "write `checked(…)` or `unchecked(…)` around that expression first";
const CONSTANT_HELP: &str =
    "a constant is computed when the code is compiled: pass a variable, or inline it by hand";

impl Method<'_, '_> {
    /// Refuses a call whose place makes something else of the body or of what it passes.
    pub(super) fn check_places(&self, call: &Call) -> Result<(), EditError> {
        // A body of several statements has a variable for such a parameter.
        if self.statements.is_none() {
            self.check_names()?;
        }
        self.check_copy(call)?;
        self.check_overflow(call)?;
        self.check_constants(call)?;
        self.check_trees(call)
    }

    fn refused_with(&self, node: BodyId, reason: &str, help: &str) -> EditError {
        let tree = self.tree();
        let place = super::shown(self.path, tree.text, tree.span(node).start);
        self.request.refused(format!("{place}: {reason}"), help)
    }

    /// Refuses a call of which the value is changed, where the body would be the variable that it is a copy of.
    fn check_copy(&self, call: &Call) -> Result<(), EditError> {
        let bound = &self.bound;
        let result = match &self.statements {
            None => Some(self.body),
            Some(statements) => statements.result,
        };
        let is_changed = bound.type_of(call.node).is_some()
            && (bound.writes(call.node) || bound.runs_accessor(call.node));
        match result.filter(|&it| is_changed && bound.is_variable(it)) {
            Some(_) => {
                let reason =
                    "a member is used there that may change the value, a copy of a variable";
                let help = "give the value to a variable of its own first";
                Err(self.refused_with(call.node, reason, help))
            }
            None => Ok(()),
        }
    }

    /// Refuses parameters whose names the body uses.
    fn check_names(&self) -> Result<(), EditError> {
        let mut all = self.tree().within(self.body);
        let named = all.find(|&id| {
            matches!(self.used(id), Some(Used::Parameter(_))) && is_in_name_of(&self.bound, id)
        });
        match named {
            Some(id) => {
                let reason = "`nameof` needs the parameter";
                Err(self.refused_with(id, reason, "write the name as a string first"))
            }
            None => Ok(()),
        }
    }

    /// What a call passes for a node of the body.
    fn passed(&self, call: &Call, id: BodyId) -> Option<BodyId> {
        match self.used(id)? {
            Used::Receiver => call.receiver,
            Used::Parameter(at) => match call.values.get(at)? {
                Value::Given(node) | Value::Default(node) => Some(*node),
            },
        }
    }

    /// Refuses arithmetic that is checked in the method or at the call, and not in both places.
    fn check_overflow(&self, call: &Call) -> Result<(), EditError> {
        let tree = self.tree();
        let (inside, outside) = (Overflow::at(tree, self.body), Overflow::at(tree, call.node));
        let reason = |node: BodyId| {
            format!(
                "`{}` is checked for overflow in the method or at the call, and not in both places",
                tree.text_of(node)
            )
        };
        if inside != outside
            && let Some(node) = overflow_dependent(&self.bound, self.body, inside)
        {
            let reason = reason(node);
            return Err(self.refused_with(call.node, &reason, OVERFLOW_HELP));
        }
        for id in tree.within(self.body) {
            let Some(passed) = self.passed(call, id) else {
                continue;
            };
            let to = Overflow::within(tree, id, Some(self.body), outside);
            if to != outside
                && let Some(node) = overflow_dependent(&self.bound, passed, outside)
            {
                let reason = reason(node);
                return Err(self.refused_with(passed, &reason, OVERFLOW_HELP));
            }
        }
        Ok(())
    }

    /// Refuses constants that a call passes where the compiler would compute with them, and fail.
    fn check_constants(&self, call: &Call) -> Result<(), EditError> {
        let tree = self.tree();
        let replaced = |id: BodyId| match self.used(id) {
            Some(Used::Parameter(_)) => {
                let passed = self.passed(call, id)?;
                Some(known(&self.bound, passed))
            }
            _ => None,
        };
        let misfit = |misfit: Misfit| self.refused_with(misfit.node, misfit.reason, CONSTANT_HELP);
        let folding = Folding {
            bound: &self.bound,
            replaced: &replaced,
            root: Some(self.body),
            outside: Overflow::at(tree, call.node),
        };
        for id in tree.within(self.body) {
            if replaced(id).is_some_and(|it| it != Folded::Variable) {
                folding.check(id).map_err(misfit)?;
            }
        }
        let result = match &self.statements {
            None => Some(self.body),
            Some(statements) => statements.result,
        };
        let value = match result {
            Some(result) => folding.fold(result).map_err(misfit)?,
            None => return Ok(()),
        };
        let replaced = |id: BodyId| (id == call.node).then(|| value.clone());
        let folding = Folding {
            bound: &self.bound,
            replaced: &replaced,
            root: None,
            outside: Overflow::Default,
        };
        folding.check(call.node).map_err(misfit)
    }

    /// Refuses what an expression tree cannot hold.
    fn check_trees(&self, call: &Call) -> Result<(), EditError> {
        let help = "keep the call there, or inline it by hand";
        let wrong = |node: BodyId, what: &str| {
            let reason = format!("an expression tree cannot hold {what}");
            Err(self.refused_with(node, &reason, help))
        };
        if is_in_tree(&self.bound, call.node)
            && let Some((_, what)) = unfit(&self.bound, self.body)
        {
            return wrong(call.node, what);
        }
        // A tree in the body holds what the call passes.
        for id in self.tree().within(self.body) {
            if let Some(passed) = self.passed(call, id)
                && is_in_tree(&self.bound, id)
                && let Some((_, what)) = unfit(&self.bound, passed)
            {
                return wrong(passed, what);
            }
        }
        Ok(())
    }

    /// Whether the value of a call is thrown away: the call is a statement, or stands where one is meant.
    pub(super) fn is_statement(&self, call: BodyId) -> bool {
        let tree = self.tree();
        let c = self.bound.compilation;
        let Some(parent) = tree.parent(call) else {
            return false;
        };
        let is_void = |ty| ty == c.special(Special::Void);
        match tree.kind(parent) {
            BodyKind::ExpressionStatement | BodyKind::ForStep => true,
            BodyKind::ForInit => true,
            // C# specification, 10.7: the body of a lambda for a delegate that returns nothing is a statement.
            BodyKind::Lambda => {
                let ty = self.bound.expressions.type_of(parent);
                let ty = ty.and_then(|it| it.converted);
                let returned = ty.and_then(|ty| c.delegate_return(ty));
                returned.is_none_or(|ty| is_void(ty) || self.is_plain_task(parent, ty))
            }
            BodyKind::LocalFunction => {
                let mut children = tree.children(parent).into_iter();
                let ty = children.find(|&it| {
                    !matches!(tree.kind(it), BodyKind::Attribute | BodyKind::TypeParameter)
                });
                ty.is_some_and(|it| tree.text_of(it) == "void")
            }
            BodyKind::Body | BodyKind::Accessor => self.is_void_body(parent),
            _ => false,
        }
    }

    /// Whether an asynchronous lambda returns a task without a value.
    fn is_plain_task(&self, lambda: BodyId, returned: cortex_semantics::Ty) -> bool {
        let is_async = self.tree().node(lambda).flags & cortex_syntax::body_flags::ASYNC != 0;
        is_async && self.bound.compilation.args_of(returned).is_empty()
    }

    /// Whether the body of a member is a statement: of what returns nothing, and of setters.
    fn is_void_body(&self, body: BodyId) -> bool {
        use cortex_model::{DeclKind, Modifier};
        use cortex_syntax::AccessorKind;
        let tree = self.tree();
        let Some(root) = tree.parent(body) else {
            return false;
        };
        let decl = (tree.node(root).value as usize).checked_sub(1);
        let Some(decl) = decl.and_then(|at| tree.facts.decls.get(at)) else {
            return false;
        };
        if tree.kind(body) == BodyKind::Accessor {
            let at = tree.node(body).value as usize;
            let kind = decl.accessors.get(at).map(|it| it.kind);
            return kind != Some(AccessorKind::Get);
        }
        match decl.kind {
            DeclKind::Constructor | DeclKind::Finalizer => true,
            DeclKind::Method => {
                let head = &tree.text[decl.range.start as usize..decl.name_range.start as usize];
                let mut words = head.split_whitespace();
                let is_async = decl.modifiers.contains(Modifier::Async);
                words.next_back().is_some_and(|word| {
                    word == "void" || is_async && matches!(word, "Task" | "ValueTask")
                })
            }
            _ => false,
        }
    }
}
