//! How control leaves the code: at its end, or by `return` on every way.

use cortex_model::DeclKind;
use cortex_semantics::{MemberFlags, RefKind, Target};
use cortex_syntax::{BodyId, BodyKind, body_flags};

use super::{Code, Extraction};
use crate::{
    EditError,
    evaluation::{Write, write_of},
    expression_tree::is_in_tree,
    ways::{Conditions, Ways},
};

/// How the code ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// At its end.
    FallsThrough,
    /// By `return` or `throw` on every way.
    Returns,
}

impl Extraction<'_, '_> {
    /// Refuses jumps out of the code, and what cannot stand in another method.
    pub(super) fn ending(&self) -> Result<Ending, EditError> {
        let tree = self.tree();
        let mut first_return = None;
        for id in self.nodes() {
            let at = tree.span(id).start;
            let kind = tree.kind(id);
            let word = tree.text_of(id);
            let reason = match kind {
                BodyKind::Yield => Some("`yield` belongs to its iterator"),
                BodyKind::Stackalloc => Some("`stackalloc` lives as long as its method"),
                BodyKind::RefExpression => {
                    Some("a reference to a variable cannot leave its method")
                }
                BodyKind::ErrorExpression => Some("the code does not parse"),
                BodyKind::Empty if word.starts_with("yield") => {
                    Some("`yield` belongs to its iterator")
                }
                BodyKind::Empty if word.starts_with("goto") => {
                    Some("`goto` may lead out of the code")
                }
                BodyKind::Empty if word.starts_with("break") && !self.is_inside(id, true) => {
                    Some("`break` leads out of the code")
                }
                BodyKind::Empty if word.starts_with("continue") && !self.is_inside(id, false) => {
                    Some("`continue` leads out of the code")
                }
                BodyKind::GotoCase if !self.is_inside(id, true) => {
                    Some("`goto case` leads out of the code")
                }
                BodyKind::Wrapped
                    if !["checked", "unchecked", "unsafe"]
                        .iter()
                        .any(|it| word.starts_with(it)) =>
                {
                    Some("a label may be the target of a jump into the code")
                }
                BodyKind::Name => self.readonly_target(id),
                _ => None,
            };
            if let Some(reason) = reason {
                return Err(self.refused_at(at, reason, "extract more, or less, of the code"));
            }
            if kind == BodyKind::Return && !self.is_in_function(id) {
                first_return.get_or_insert(id);
            }
        }
        self.check_around()?;
        self.check_tree()?;
        self.check_using_declarations()?;
        let Some(first) = first_return else {
            if let Code::Statements(all) = &self.code
                && let Some(&last) = all.last().filter(|_| !self.reaches_end())
            {
                return Err(self.refused_at(
                    tree.span(last).start,
                    "the code never reaches its end, which the compiler does not know of a call",
                    "extract the expression that is thrown, or less of the code",
                ));
            }
            return Ok(Ending::FallsThrough);
        };
        let at = tree.span(first).start;
        if self.function_around().is_some() {
            return Err(self.refused_at(
                at,
                "`return` leaves a lambda or local function",
                "extract code without it",
            ));
        }
        match self.reaches_end() {
            false => Ok(Ending::Returns),
            true => Err(self.refused_at(
                at,
                "`return` leaves the code on some ways and not on all of them",
                "extract up to the last `return`, or code without it",
            )),
        }
    }

    /// Whether a statement that a jump leaves is in the code.
    fn is_inside(&self, id: BodyId, is_break: bool) -> bool {
        let tree = self.tree();
        let nodes = self.nodes();
        let mut around = tree.ancestors(id).take_while(|it| nodes.contains(it));
        around.any(|it| match tree.kind(it) {
            BodyKind::For
            | BodyKind::ForEach
            | BodyKind::ForEachDeconstruct
            | BodyKind::While
            | BodyKind::Do => true,
            BodyKind::Switch => is_break,
            _ => false,
        })
    }

    /// Whether a node is in a lambda or local function that the code contains.
    pub(super) fn is_in_function(&self, id: BodyId) -> bool {
        let tree = self.tree();
        let nodes = self.nodes();
        let mut around = tree.ancestors(id).take_while(|it| nodes.contains(it));
        around.any(|it| is_function(tree.kind(it)))
    }

    /// The lambda or local function around the code.
    pub(super) fn function_around(&self) -> Option<BodyId> {
        let tree = self.tree();
        tree.ancestors(self.first())
            .find(|&it| is_function(tree.kind(it)))
    }

    /// Whether control reaches the end of the code.
    fn reaches_end(&self) -> bool {
        let ways = Ways::around(self.tree(), &Conditions::new(), self.code.ends());
        ways.is_none_or(|it| it.reach_end())
    }

    /// Whether code awaits, that of lambdas left out.
    pub(super) fn awaits(&self) -> bool {
        let tree = self.tree();
        self.nodes().any(|id| {
            let node = tree.node(id);
            let is_await = match node.kind {
                BodyKind::Await => true,
                BodyKind::ForEach
                | BodyKind::ForEachDeconstruct
                | BodyKind::Using
                | BodyKind::LocalDeclaration => node.flags & body_flags::AWAIT != 0,
                _ => false,
            };
            is_await && !self.is_in_function(id)
        })
    }

    /// Why a name that is written stands for what only a constructor can write.
    fn readonly_target(&self, name: BodyId) -> Option<&'static str> {
        let tree = self.tree();
        let Some(Target::Member(member)) = self.bound.target(tree.node(name).offset) else {
            return None;
        };
        let declared = self.bound.compilation.member(member);
        if !declared.is(MemberFlags::READONLY) || declared.signature.ref_kind != RefKind::None {
            return None;
        }
        let is_after_dot = |it: &BodyId| {
            tree.kind(*it) == BodyKind::MemberAccess && tree.index_in_parent(name) > 0
        };
        let variable = match tree.parent(name).filter(is_after_dot) {
            Some(access) if tree.kind(access + 1) == BodyKind::This => access,
            Some(_) => return None,
            None => name,
        };
        // Elsewhere, members that are called on it change a copy.
        let is_written = match self.decl.kind {
            DeclKind::Constructor => self.bound.writes(variable),
            _ => write_of(tree, variable) == Some(Write::Itself),
        };
        is_written.then_some("only a constructor or initializer may write this member")
    }

    /// Refuses code in a context that another method does not have.
    fn check_around(&self) -> Result<(), EditError> {
        let tree = self.tree();
        for id in tree.ancestors(self.first()) {
            let reason = match tree.kind(id) {
                BodyKind::Checked | BodyKind::Wrapped => {
                    "`checked` and `unsafe` are not those of another method"
                }
                BodyKind::Fixed => "a pinned variable cannot leave its method",
                BodyKind::Catch if self.rethrows() => {
                    "`throw` without a value belongs to its `catch`"
                }
                _ => continue,
            };
            return Err(self.refused_at(self.range.start, reason, "extract the whole statement"));
        }
        Ok(())
    }

    /// Refuses code of an expression tree: the tree would hold a call instead, which those who read it do not know.
    fn check_tree(&self) -> Result<(), EditError> {
        match is_in_tree(&self.bound, self.first()) {
            true => {
                let reason = "it is part of an expression tree, which would hold a call of the method instead";
                let help = "extract a method that returns the whole tree";
                Err(self.refused_at(self.range.start, reason, help))
            }
            false => Ok(()),
        }
    }

    fn rethrows(&self) -> bool {
        let tree = self.tree();
        self.nodes()
            .any(|id| tree.kind(id) == BodyKind::Throw && tree.children(id).is_empty())
    }

    /// Refuses variables that would be disposed earlier.
    fn check_using_declarations(&self) -> Result<(), EditError> {
        let tree = self.tree();
        let Code::Statements(all) = &self.code else {
            return Ok(());
        };
        for &id in all {
            let node = tree.node(id);
            let is_using =
                node.kind == BodyKind::LocalDeclaration && node.flags & body_flags::USING != 0;
            let last = tree
                .parent(id)
                .and_then(|it| tree.children(it).last().copied());
            if is_using && last != all.last().copied() {
                let reason = "the variable would be disposed earlier";
                return Err(self.refused_at(
                    tree.span(id).start,
                    reason,
                    "extract up to the end of the block",
                ));
            }
        }
        Ok(())
    }
}

fn is_function(kind: BodyKind) -> bool {
    matches!(
        kind,
        BodyKind::Lambda | BodyKind::AnonymousMethod | BodyKind::LocalFunction
    )
}
