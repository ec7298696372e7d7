//! Variables, parameters, local functions and range variables whose name another one has in the same scope or around it.
//!
//! A scope has its names from its first byte to its last one, wherever they are declared. Source: C# specification, §7.3,
//! §7.7, §12.17, §12.20.3, §13.3.1; since C# 8 lambdas and local functions may hide what is around them.

use cortex_model::DeclKind;
use cortex_syntax::{AccessorKind, BodyId, BodyKind, Decl};

use super::{Violation, decl_of};
use crate::body_tree::{BodyTree, is_statement};

/// Whether variables of nested functions may have the names of variables around them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shadowing {
    Allowed,
    Forbidden,
}

/// Whether a scope is that of a function's parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Of {
    Block,
    Function,
}

/// A scope with the names that are declared in it.
struct Scope<'t> {
    of: Of,
    names: Vec<&'t str>,
}

const TAKEN: &str = "a variable around it or beside it has its name";

/// Each declaration whose name is taken.
pub(super) fn violations(tree: &BodyTree<'_>, shadowing: Shadowing) -> Vec<Violation> {
    let mut walk = Walk {
        tree,
        shadowing,
        scopes: Vec::new(),
        found: Vec::new(),
    };
    for decl in &tree.facts.decls {
        walk.parameters(decl);
    }
    let roots = tree.nodes().filter(|&id| tree.kind(id) == BodyKind::Decl);
    for root in roots {
        if let Some(decl) = decl_of(tree, root) {
            walk.declaration(root, decl);
        }
    }
    walk.found
}

struct Walk<'t, 'f> {
    tree: &'t BodyTree<'f>,
    shadowing: Shadowing,
    /// Innermost last.
    scopes: Vec<Scope<'f>>,
    found: Vec<Violation>,
}

impl<'f> Walk<'_, 'f> {
    /// Two parameters of one name.
    fn parameters(&mut self, decl: &Decl) {
        let params = decl.params.as_deref().unwrap_or_default();
        let names: Vec<&str> = params
            .iter()
            .map(|it| self.tree.facts.name(it.name))
            .collect();
        let mut each = names.iter().enumerate();
        if each.any(|(at, name)| !name.is_empty() && names[..at].contains(name)) {
            self.found.push(Violation {
                offset: decl.name_range.start,
                reason: "two parameters have one name",
            });
        }
    }

    fn declaration(&mut self, root: BodyId, decl: &Decl) {
        let facts = self.tree.facts;
        let is_type = decl.kind.type_kind().is_some();
        let params = decl.params.iter().flatten().filter(|_| !is_type);
        let type_params = decl.type_params.iter().filter(|_| !is_type);
        let names: Vec<&str> = (params.map(|it| facts.name(it.name)))
            .chain(type_params.map(|it| facts.name(it.name)))
            .collect();
        let parts = self.tree.children(root);
        let arguments = parts.iter().copied();
        let arguments =
            arguments.filter(|&it| self.tree.kind(it) == BodyKind::BaseArguments && !is_type);
        let arguments: Vec<BodyId> = arguments.collect();
        for part in parts {
            let mut names = names.clone();
            match self.tree.kind(part) {
                BodyKind::Accessor => {
                    let accessor = decl.accessors.get(self.tree.node(part).value as usize);
                    let sets = accessor.is_some_and(|it| it.kind != AccessorKind::Get);
                    names.extend(sets.then_some("value"));
                }
                BodyKind::Body if decl.kind == DeclKind::TopLevel => names.push("args"),
                // Of a type, its parameters are in scope here alone: in what else it has they are looked up behind variables.
                BodyKind::BaseArguments if is_type => {
                    names.extend(decl.params.iter().flatten().map(|it| facts.name(it.name)));
                }
                BodyKind::Body | BodyKind::Initializer | BodyKind::BaseArguments => {}
                _ => continue,
            }
            self.within(Of::Function, |walk| {
                walk.top().names = names;
                // What the arguments of a base declare is in scope in the body.
                for &arguments in &arguments {
                    walk.declare_in(arguments);
                }
                match arguments.contains(&part) {
                    true => walk.nested(part),
                    false => walk.body(part),
                }
            });
        }
    }

    /// The body of a function, below its parameters.
    fn body(&mut self, part: BodyId) {
        let tree = self.tree;
        let children = tree.children(part);
        self.within(Of::Block, |walk| match children.as_slice() {
            &[block] if tree.kind(block) == BodyKind::Block => walk.list(&tree.children(block)),
            [first, ..] if is_statement(tree.kind(*first)) => walk.list(&children),
            _ => walk.values(&children),
        });
    }

    fn within(&mut self, of: Of, run: impl FnOnce(&mut Self)) {
        let names = Vec::new();
        self.scopes.push(Scope { of, names });
        run(self);
        self.scopes.pop();
    }

    /// Invariant: called inside of [`Self::within`].
    fn top(&mut self) -> &mut Scope<'f> {
        self.scopes.last_mut().expect("a scope is open")
    }

    // ---- names ----

    /// Whether a scope that a new name sees has it already.
    fn is_taken(&self, name: &str) -> bool {
        for scope in self.scopes.iter().rev() {
            if scope.names.contains(&name) {
                return true;
            }
            if scope.of == Of::Function && self.shadowing == Shadowing::Allowed {
                return false;
            }
        }
        false
    }

    /// The name that a node declares.
    fn name_of(&self, id: BodyId) -> &'f str {
        let name = self.tree.node(id).name();
        name.map_or("", |name| self.tree.facts.name(name))
    }

    fn check(&mut self, id: BodyId) {
        if self.is_taken(self.name_of(id)) {
            self.found.push(Violation {
                offset: self.tree.node(id).offset,
                reason: TAKEN,
            });
        }
    }

    fn declare(&mut self, id: BodyId) {
        let name = self.name_of(id);
        if !name.is_empty() {
            self.check(id);
            self.top().names.push(name);
        }
    }

    /// The variables of patterns and arguments in an expression that live around it.
    fn declare_in(&mut self, expression: BodyId) {
        let tree = self.tree;
        let range = tree.within(expression);
        let mut at = range.start;
        while at < range.end {
            let kind = tree.kind(at);
            if kind == BodyKind::SingleDesignation {
                self.declare(at);
            }
            at = match has_scope(tree, at) {
                true => tree.node(at).after,
                false => at + 1,
            };
        }
    }

    // ---- statements ----

    fn list(&mut self, statements: &[BodyId]) {
        for &statement in statements {
            self.declare_of(statement);
        }
        for &statement in statements {
            self.statement(statement);
        }
    }

    /// What a statement declares in the list around it.
    fn declare_of(&mut self, id: BodyId) {
        let tree = self.tree;
        match tree.kind(id) {
            BodyKind::LocalDeclaration => {
                for child in tree.children(id) {
                    if tree.kind(child) == BodyKind::Declarator {
                        self.declare(child);
                    }
                    self.declare_in(child);
                }
            }
            BodyKind::LocalFunction => self.declare(id),
            BodyKind::ExpressionStatement
            | BodyKind::Yield
            | BodyKind::Return
            | BodyKind::Throw
            | BodyKind::GotoCase => self.declare_in(id),
            BodyKind::If | BodyKind::Switch | BodyKind::Lock => {
                if let Some(&value) = tree.children(id).first() {
                    self.declare_in(value);
                }
            }
            BodyKind::Wrapped => {
                for child in tree.children(id) {
                    self.declare_of(child);
                }
            }
            _ => {}
        }
    }

    fn statement(&mut self, id: BodyId) {
        let tree = self.tree;
        let children = tree.children(id);
        match (tree.kind(id), children.as_slice()) {
            (BodyKind::Block, _) => self.within(Of::Block, |walk| walk.list(&children)),
            (BodyKind::LocalFunction, _) => self.function(id),
            (BodyKind::If | BodyKind::Lock, [value, branches @ ..]) => {
                self.nested(*value);
                for &branch in branches {
                    self.embedded(branch);
                }
            }
            (BodyKind::Switch, [value, sections @ ..]) => {
                self.nested(*value);
                self.within(Of::Block, |walk| walk.sections(sections));
            }
            (BodyKind::While | BodyKind::Using | BodyKind::Fixed, &[head, body])
            | (BodyKind::Do, &[body, head]) => self.within(Of::Block, |walk| {
                walk.head(head);
                walk.embedded(body);
            }),
            (BodyKind::For, &[init, condition, step, body]) => self.within(Of::Block, |walk| {
                for part in tree.children(init) {
                    walk.head(part);
                }
                walk.within(Of::Block, |walk| {
                    walk.values(&tree.children(condition));
                    walk.within(Of::Block, |walk| walk.values(&tree.children(step)));
                    walk.embedded(body);
                });
            }),
            (BodyKind::ForEach, &[_, variable, all, body])
            | (BodyKind::ForEachDeconstruct, &[variable, all, body]) => {
                self.within(Of::Block, |walk| {
                    walk.head(all);
                    walk.within(Of::Block, |walk| {
                        match tree.kind(variable) {
                            BodyKind::Declarator => walk.declare(variable),
                            _ => walk.declare_in(variable),
                        }
                        walk.embedded(body);
                    });
                });
            }
            (BodyKind::Try, _) => {
                for &part in &children {
                    self.part_of_try(part);
                }
            }
            (BodyKind::Wrapped, _) => {
                for &child in &children {
                    self.statement(child);
                }
            }
            _ => {
                for &child in &children {
                    self.nested(child);
                }
            }
        }
    }

    /// A statement that is a scope of its own.
    fn embedded(&mut self, id: BodyId) {
        match self.tree.kind(id) {
            BodyKind::Block => self.statement(id),
            _ => self.within(Of::Block, |walk| walk.list(&[id])),
        }
    }

    /// What stands in the parentheses of a statement whose scope is open.
    fn head(&mut self, id: BodyId) {
        match is_statement(self.tree.kind(id)) {
            true => self.list(&[id]),
            false => self.values(&[id]),
        }
    }

    /// Expressions whose variables live in the scope that is open.
    fn values(&mut self, all: &[BodyId]) {
        for &value in all {
            self.declare_in(value);
        }
        for &value in all {
            self.nested(value);
        }
    }

    /// The statements of all sections are one scope; the variables of patterns are those of their section.
    fn sections(&mut self, sections: &[BodyId]) {
        let tree = self.tree;
        let is_label = |&it: &BodyId| tree.kind(it) == BodyKind::CaseLabel;
        let parts = sections.iter().map(|&section| {
            let (labels, statements): (Vec<_>, Vec<_>) =
                tree.children(section).into_iter().partition(is_label);
            (labels, statements)
        });
        let parts: Vec<_> = parts.collect();
        for &statement in parts.iter().flat_map(|(_, statements)| statements) {
            self.declare_of(statement);
        }
        for (labels, statements) in &parts {
            self.within(Of::Block, |walk| {
                walk.values(labels);
                for &statement in statements {
                    walk.statement(statement);
                }
            });
        }
    }

    fn part_of_try(&mut self, id: BodyId) {
        let tree = self.tree;
        match tree.kind(id) {
            BodyKind::Catch => self.within(Of::Block, |walk| {
                for part in tree.children(id) {
                    match tree.kind(part) {
                        BodyKind::Declarator => walk.declare(part),
                        BodyKind::When => walk.values(&[part]),
                        BodyKind::Block => walk.statement(part),
                        _ => {}
                    }
                }
            }),
            BodyKind::Finally => {
                for block in tree.children(id) {
                    self.statement(block);
                }
            }
            _ => self.statement(id),
        }
    }

    // ---- expressions ----

    /// The scopes in an expression.
    fn nested(&mut self, expression: BodyId) {
        let tree = self.tree;
        let range = tree.within(expression);
        let mut at = range.start;
        while at < range.end {
            let after = tree.node(at).after;
            match tree.kind(at) {
                BodyKind::Lambda | BodyKind::AnonymousMethod => self.function(at),
                BodyKind::Arm => self.within(Of::Block, |walk| walk.values(&tree.children(at))),
                BodyKind::Query => self.query(at),
                _ => {
                    at += 1;
                    continue;
                }
            }
            at = after;
        }
    }

    /// A lambda, anonymous method or local function.
    fn function(&mut self, id: BodyId) {
        let tree = self.tree;
        let children = tree.children(id);
        let params = children.iter().copied();
        let params = params.filter(|&it| tree.kind(it) == BodyKind::LambdaParameter);
        let params: Vec<BodyId> = params.collect();
        let n_discards = params.iter().filter(|&&it| self.name_of(it) == "_").count();
        let may_discard = tree.kind(id) != BodyKind::LocalFunction && n_discards > 1;
        self.within(Of::Function, |walk| {
            for &child in &children {
                match tree.kind(child) {
                    BodyKind::TypeParameter => {
                        let name = walk.name_of(child);
                        walk.top().names.push(name);
                    }
                    BodyKind::LambdaParameter if may_discard && walk.name_of(child) == "_" => {}
                    BodyKind::LambdaParameter => walk.declare(child),
                    _ => {}
                }
            }
            for &part in &children {
                match tree.kind(part) {
                    BodyKind::TypeParameter | BodyKind::Attribute => {}
                    BodyKind::LambdaParameter => walk.nested(part),
                    BodyKind::Block => {
                        walk.within(Of::Block, |walk| walk.list(&tree.children(part)));
                    }
                    _ => walk.within(Of::Block, |walk| walk.values(&[part])),
                }
            }
        });
    }

    /// Range variables are no variables of the function, but may not have the names of those.
    fn query(&mut self, id: BodyId) {
        let tree = self.tree;
        let mut ranged: Vec<&str> = Vec::new();
        for clause in tree.children(id) {
            let kind = tree.kind(clause);
            let (variables, values): (Vec<_>, Vec<_>) = (tree.children(clause).into_iter())
                .partition(|&it| tree.kind(it) == BodyKind::Declarator);
            if kind == BodyKind::IntoClause {
                ranged.clear();
            }
            for (at, value) in values.into_iter().enumerate() {
                match at == 0 && runs_around(tree, clause) {
                    true => self.nested(value),
                    false => self.within(Of::Function, |walk| {
                        walk.within(Of::Block, |walk| walk.values(&[value]));
                    }),
                }
            }
            let is_grouped = kind == BodyKind::JoinClause && variables.len() > 1;
            for (at, &variable) in variables.iter().enumerate() {
                let name = self.name_of(variable);
                match ranged.contains(&name) {
                    true => self.found.push(Violation {
                        offset: tree.node(variable).offset,
                        reason: TAKEN,
                    }),
                    false => self.check(variable),
                }
                // What is joined into a group is out of scope behind it.
                if !(is_grouped && at == 0) {
                    ranged.push(name);
                }
            }
        }
    }
}

/// Whether the first value of a clause is evaluated outside of the query: that of the first `from`, and of each `join`.
fn runs_around(tree: &BodyTree<'_>, clause: BodyId) -> bool {
    match tree.kind(clause) {
        BodyKind::FromClause => tree.index_in_parent(clause) == 0,
        kind => kind == BodyKind::JoinClause,
    }
}

/// Whether the variables in a node live in it alone.
fn has_scope(tree: &BodyTree<'_>, id: BodyId) -> bool {
    let is_of_clause = || {
        let clause = tree.parent(id);
        clause.is_some_and(|clause| {
            let values = tree.children(clause).into_iter();
            let mut values = values.filter(|&it| tree.kind(it) != BodyKind::Declarator);
            let is_clause = tree.parent(clause).map(|it| tree.kind(it)) == Some(BodyKind::Query);
            is_clause && !(runs_around(tree, clause) && values.next() == Some(id))
        })
    };
    matches!(
        tree.kind(id),
        BodyKind::Lambda | BodyKind::AnonymousMethod | BodyKind::LocalFunction | BodyKind::Arm
    ) || is_of_clause()
}
