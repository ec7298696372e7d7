//! Statements (C# specification, §13); patterns (§11), queries (§12.20) and anonymous functions (§12.19)
//! are below.
//!
//! Owns: what is in scope from statement to statement. Must not know: how expressions are bound.

mod awaiting;
mod deconstruction;
mod foreach;
pub(crate) mod lambda;
mod local_function;
mod locals;
mod pattern;
mod positional;
mod query;
mod reachability;
mod scope;
mod switch;

use std::rc::Rc;

use cortex_model::EdgeKind;
use cortex_syntax::{BodyId, BodyKind, body_flags};
use rustc_hash::FxHashMap;

use self::{lambda::LambdaShape, query::QueryLambda, scope::SavedScope};
use crate::{
    binder::{Binder, Overflow},
    expr::Expr,
    output::Misfit,
    special::Special,
    symbol::MemberId,
    ty::{Ty, TyKind},
};

/// What a binder remembers of the statements of one file.
#[derive(Default)]
pub(crate) struct State {
    /// The type of the `?:` that the last pattern of an `is` took in, if one did.
    behind_test: Option<Ty>,
    /// Lambdas as written.
    shapes: FxHashMap<BodyId, Rc<LambdaShape>>,
    /// Local functions: one member each, however often the lambda around them is bound.
    functions: FxHashMap<BodyId, MemberId>,
    /// The lambdas that query clauses stand for, by a node outside of their bodies.
    query_lambdas: FxHashMap<BodyId, Rc<QueryLambda>>,
    /// What is in scope at branches that are finished later; by environment and node.
    scopes: FxHashMap<(u32, BodyId), Rc<SavedScope>>,
    /// The number of the first local inside of each lambda around.
    bases: Vec<usize>,
    /// How many lambdas are around.
    lambda_depth: u32,
    /// How many lambdas were bound inside of the outermost one.
    bindings: u32,
    /// How many values were found that do not convert to what their place wants, calls and element
    /// accesses that nothing takes: a lambda's body with one has errors.
    misfits: u32,
}

/// Whether a `foreach` or `using` is awaited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Asynchronous {
    /// `await foreach`.
    Yes,
    /// Not.
    No,
}

impl Asynchronous {
    fn of_flags(flags: u8) -> Self {
        if flags & body_flags::AWAIT == 0 {
            Self::No
        } else {
            Self::Yes
        }
    }
}

impl Binder<'_, '_> {
    /// Notes that a value of a known type does not fit where it stands.
    pub(crate) fn note_misfit(&mut self) {
        self.statements.misfits = self.statements.misfits.wrapping_add(1);
    }

    /// A `Block`, or an expression after `=>` that is returned; also a whole `Body`.
    pub(crate) fn bind_body(&mut self, node: BodyId) {
        match self.body_kind(node) {
            BodyKind::Body => {
                let first = self.first(node);
                let is_expression = first.is_some_and(|first| !self.is_statement(first));
                match first {
                    Some(first) if is_expression => self.bind_body(first),
                    _ => self.in_block(|binder| binder.statement_list(node)),
                }
            }
            BodyKind::Block => self.bind_statement(node),
            _ => {
                let is_void = self.demanded_result().is_some_and(|ty| self.c.is_void(ty));
                if is_void && !self.is_statement_expression(node) {
                    self.record_misfit_at(self.start_of(node), Misfit::Return);
                }
                let value = self.bind(node);
                self.give_back(value);
            }
        }
    }

    /// Whether a lambda or a clause of a query is around.
    pub(crate) fn is_in_lambda(&self) -> bool {
        self.statements.lambda_depth > 0
    }

    /// What has to be returned here: `None` in lambdas and top-level statements, where that is not certain.
    fn demanded_result(&self) -> Option<Ty> {
        let is_member = self.member.is_some() && !self.is_in_lambda();
        self.returns.last()?.ty.filter(|_| is_member)
    }

    /// A value that is returned.
    fn give_back(&mut self, value: Expr) {
        match self.returns.last().map(|returns| returns.ty) {
            Some(Some(ty)) if !self.c.is_void(ty) => {
                self.convert(value, ty);
            }
            Some(None) => {
                let value = self.returned(value);
                if let Some(returns) = self.returns.last_mut() {
                    returns.found.push(value);
                }
            }
            _ => {
                self.finish(value);
            }
        }
    }

    /// A statement.
    pub(crate) fn bind_statement(&mut self, node: BodyId) {
        self.deeper(|binder| binder.statement(node));
    }

    /// Statements one after another; local functions are in scope in all of them.
    fn statement_list(&mut self, parent: BodyId) {
        for child in self.children(parent) {
            if self.body_kind(child) == BodyKind::LocalFunction {
                self.declare_function(child);
            }
        }
        for child in self.children(parent) {
            self.bind_statement(child);
        }
    }

    /// A statement that is a scope of its own: a branch, the body of a loop.
    fn embedded(&mut self, node: Option<BodyId>) {
        if let Some(node) = node {
            self.in_block(|binder| {
                if binder.body_kind(node) == BodyKind::LocalFunction {
                    binder.declare_function(node);
                }
                binder.bind_statement(node);
            });
        }
    }

    fn statement(&mut self, node: BodyId) {
        let data = self.node(node);
        let mut children = self.children(node);
        match data.kind {
            BodyKind::Block => self.in_block(|binder| binder.statement_list(node)),
            BodyKind::LocalDeclaration => self.local_declaration(node),
            BodyKind::LocalFunction => self.bind_function(node),
            BodyKind::ExpressionStatement | BodyKind::GotoCase => self.values(node),
            BodyKind::Throw => self.bind_thrown(node),
            BodyKind::Return => match children.next() {
                Some(value) => {
                    if self.demanded_result().is_some_and(|ty| self.c.is_void(ty)) {
                        self.record_misfit_at(data.offset, Misfit::Return);
                    }
                    let value = self.bind(value);
                    self.give_back(value);
                }
                None => {
                    if let Some(returns) = self.returns.last_mut() {
                        returns.returns_nothing = true;
                    }
                }
            },
            BodyKind::Yield => {
                let element = self.yielded_type(data.offset);
                if let Some(value) = children.next() {
                    self.bind_to(value, element);
                }
            }
            BodyKind::If => self.bind_if(node),
            BodyKind::While => self.in_block(|binder| {
                binder.bind_condition(children.next());
                binder.embedded(children.next());
            }),
            BodyKind::Do => {
                self.embedded(children.next());
                self.in_block(|binder| binder.bind_condition(children.next()));
            }
            BodyKind::For => self.in_block(|binder| binder.bind_for(node)),
            BodyKind::ForEach => self.in_block(|binder| binder.bind_foreach(node)),
            BodyKind::ForEachDeconstruct => {
                self.in_block(|binder| binder.bind_foreach_deconstruct(node));
            }
            BodyKind::Using => self.in_block(|binder| {
                binder.used_resource(node, children.next());
                binder.embedded(children.next());
            }),
            BodyKind::Lock => self.in_block(|binder| {
                if let Some(value) = children.next() {
                    let value = binder.bind_value(value);
                    binder.check_locked(&value);
                }
                binder.embedded(children.next());
            }),
            BodyKind::Fixed => self.in_block(|binder| {
                if let Some(declaration) = children.next() {
                    binder.fixed_declaration(declaration);
                }
                binder.embedded(children.next());
            }),
            BodyKind::Try => {
                // What is caught before, whatever it holds.
                let mut caught = Vec::new();
                for child in children {
                    match self.body_kind(child) {
                        BodyKind::Catch => {
                            self.in_block(|binder| binder.bind_catch(child, &mut caught));
                        }
                        BodyKind::Finally => {
                            let block = self.first(child);
                            self.embedded(block);
                        }
                        _ => self.embedded(Some(child)),
                    }
                }
            }
            BodyKind::Switch => self.in_block(|binder| binder.bind_switch(node)),
            BodyKind::Wrapped => {
                let overflow = match self.node(node).flags {
                    1 => Overflow::Checked,
                    2 => Overflow::Unchecked,
                    _ => self.overflow,
                };
                self.in_context(overflow, |binder| {
                    for child in children {
                        if binder.body_kind(child) == BodyKind::LocalFunction {
                            binder.declare_function(child);
                        }
                        binder.bind_statement(child);
                    }
                });
            }
            BodyKind::Empty => {}
            _ => {
                self.bind_value(node);
            }
        }
    }

    /// A chain of `else if` is one level.
    fn bind_if(&mut self, node: BodyId) {
        let before = self.locals.len();
        let mut at = node;
        let mut leaked = None;
        loop {
            let mut children = self.children(at);
            self.bind_condition(children.next());
            // Variables of the first condition live on after the statement.
            leaked.get_or_insert(self.locals.len());
            self.embedded(children.next());
            match children.next() {
                Some(other) if self.body_kind(other) == BodyKind::If => at = other,
                other => {
                    self.embedded(other);
                    break;
                }
            }
        }
        self.locals.truncate(leaked.unwrap_or(before));
    }

    fn bind_condition(&mut self, node: Option<BodyId>) {
        if let Some(node) = node {
            let value = self.bind(node);
            self.condition(value);
        }
    }

    fn bind_for(&mut self, node: BodyId) {
        for part in self.children(node) {
            match self.body_kind(part) {
                BodyKind::ForInit | BodyKind::ForStep => {
                    for child in self.children(part) {
                        if self.body_kind(child) == BodyKind::LocalDeclaration {
                            self.bind_statement(child);
                        } else {
                            self.bind_value(child);
                        }
                    }
                }
                BodyKind::ForCondition => {
                    let condition = self.first(part);
                    self.bind_condition(condition);
                }
                _ => self.embedded(Some(part)),
            }
        }
    }

    /// `before`: the types that clauses before this one catch all values of (§13.11).
    fn bind_catch(&mut self, node: BodyId, before: &mut Vec<Ty>) {
        let mut caught = None;
        let mut has_condition = false;
        for child in self.children(node) {
            match self.body_kind(child) {
                BodyKind::Declarator => {
                    self.declare_at(child, caught.unwrap_or(Ty::ERROR));
                }
                BodyKind::When => {
                    has_condition = true;
                    let condition = self.first(child);
                    self.bind_condition(condition);
                }
                BodyKind::Block => self.bind_statement(child),
                _ => {
                    let ty = self.bind_type_node(child, EdgeKind::Catches);
                    let is_known = !ty.is_error() && self.is_known(&Expr::value(child, ty));
                    let mut all = before.iter();
                    let is_caught = all.any(|&it| it == ty || self.c.standard_implicit(ty, it));
                    if self.is_thrown_never(ty) || is_known && is_caught {
                        self.record_misfit_at(self.start_of(child), Misfit::Conversion);
                    }
                    caught = Some(ty);
                }
            }
        }
        before.extend(caught.filter(|ty| !has_condition && !ty.is_error()));
    }

    /// Whether no value of a type is an exception.
    fn is_thrown_never(&mut self, ty: Ty) -> bool {
        let exception = self.c.special(Special::Exception);
        let is_class = matches!(self.c.kind(ty), TyKind::Named { .. });
        is_class && self.is_known(&Expr::value(0, ty)) && !self.c.standard_implicit(ty, exception)
    }

    /// Every child as a value on its own.
    fn values(&mut self, node: BodyId) {
        for child in self.children(node) {
            self.bind_value(child);
        }
    }

    fn is_statement(&self, node: BodyId) -> bool {
        let kind = self.body_kind(node) as u8;
        (BodyKind::Block as u8..=BodyKind::Empty as u8).contains(&kind)
    }
}
