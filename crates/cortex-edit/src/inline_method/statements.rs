//! A body of several statements where a call was: the statements come before the statement of the call, and what the body
//! returns takes the place of the call.
//!
//! What a call passes is evaluated once, in the order of the arguments, into variables where it may not stand in the body.

use std::collections::{BTreeMap, BTreeSet};

use cortex_model::ByteRange;
use cortex_semantics::{LocalSymbol, Special, Target};
use cortex_syntax::{BodyId, BodyKind, DeclId, Op, body_flags, text::tokens};

use super::{Call, Method, Value, evaluated::Used, shown};
use crate::{
    EditError,
    body_tree::BodyTree,
    evaluation::Effect,
    layout::{Layout, indent_at, lines_of},
    moved::{Fragment, MovedText, MovingEdit, joined, laid_anew},
    precedence::Precedence,
};

/// A body of several statements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Statements {
    /// The block.
    block: BodyId,
    /// What is written of it before the call: its statements with the comments around them.
    text: ByteRange,
    /// What it returns at its end.
    pub(super) result: Option<BodyId>,
}

/// Names that are in use around calls, by the declaration around each.
#[derive(Default)]
pub(super) struct NamesInUse(BTreeMap<DeclId, BTreeSet<String>>);

/// What the names of the body are where a call was.
struct Renamed {
    /// Local variables of the body that get other names, by where they are declared.
    locals: BTreeMap<u32, String>,
    /// The variables that parameters become; what the call passes takes the place of the others.
    parameters: Vec<Option<String>>,
}

/// How the value of a call is used by its statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// Not at all: the call is the statement.
    Nothing,
    /// It is assigned to a new variable or one of a simple name, or returned.
    Value,
}

impl Statements {
    /// Reads the body of a method.
    ///
    /// # Errors
    /// Where it is, and why its statements cannot stand elsewhere.
    pub(super) fn of(tree: &BodyTree<'_>, decl: usize) -> Result<Self, (u32, &'static str)> {
        let root = tree.root_of(decl as DeclId);
        let name = tree.facts.decls[decl].name_range.start;
        let missing = (name, "it has no body");
        let root = root.ok_or(missing)?;
        let body = (tree.children(root).into_iter()).find(|&it| tree.kind(it) == BodyKind::Body);
        let block = body.and_then(|it| tree.children(it).first().copied());
        let block = block
            .filter(|&it| tree.kind(it) == BodyKind::Block)
            .ok_or(missing)?;
        let statements = tree.children(block);
        let last = statements.last().copied();
        let last = last.filter(|&it| tree.kind(it) == BodyKind::Return);
        let result = last.and_then(|it| tree.children(it).first().copied());
        for id in tree.within(block) {
            if let Some(reason) = why_not(tree, block, (id, last)) {
                return Err((tree.span(id).start, reason));
            }
        }
        let own = tree.span(block);
        if tree
            .tokens_in(own)
            .iter()
            .any(|it| &tree.text[it.as_usize()] == "goto")
        {
            return Err((own.start, "a `goto` stands in it"));
        }
        let end = last.map_or(own.end - 1, |it| tree.span(it).start);
        let inner = &tree.text[own.start as usize + 1..end as usize];
        let start = own.start + 1 + (inner.len() - inner.trim_start().len()) as u32;
        let end = start + inner.trim().len() as u32;
        Ok(Self {
            block,
            text: ByteRange { start, end },
            result,
        })
    }

    /// The block.
    pub(super) fn block(&self) -> BodyId {
        self.block
    }
}

/// Why a node of a body cannot stand elsewhere.
fn why_not(
    tree: &BodyTree<'_>,
    block: BodyId,
    (id, last): (BodyId, Option<BodyId>),
) -> Option<&'static str> {
    let is_of_function = |it: BodyId| {
        matches!(
            tree.kind(it),
            BodyKind::Lambda | BodyKind::AnonymousMethod | BodyKind::LocalFunction
        )
    };
    match tree.kind(id) {
        BodyKind::Return if Some(id) != last => {
            let mut around = tree.ancestors(id).take_while(|&it| it > block);
            let is_inside = around.any(is_of_function);
            (!is_inside).then_some("it returns there before its end")
        }
        BodyKind::Yield => Some("it is an iterator"),
        BodyKind::LocalFunction => Some("a local function is declared in it"),
        BodyKind::RefExpression | BodyKind::Stackalloc => {
            Some("it takes a reference or memory of its own there")
        }
        BodyKind::LocalDeclaration
            if tree.parent(id) == Some(block) && tree.node(id).flags & body_flags::USING != 0 =>
        {
            Some("a `using` variable would live longer")
        }
        _ => None,
    }
}

impl Method<'_, '_> {
    /// The edits that write the statements before a call, and what takes its place.
    pub(super) fn statements_for(
        &self,
        (statements, call): (&Statements, &Call),
        names: &mut NamesInUse,
    ) -> Result<Vec<MovingEdit>, EditError> {
        let tree = self.tree();
        let (statement, place) = self.statement_of(statements, call)?;
        if call.receiver.is_some() {
            let reason = "it is called on another object there, and has several statements";
            return Err(self.refused_at(call.node, reason));
        }
        if !self.is_in_type(tree.span(call.node).start) {
            let reason = "it is called outside of its type there, and has several statements";
            return Err(self.refused_at(call.node, reason));
        }
        self.check_hidden(statements, call)?;
        let renamed = self.renamed(statements, call, names)?;
        let span = tree.span(statement);
        let indent = indent_at(tree.text, span.start as usize);
        let layout = Layout::of(tree.text, tree.facts);
        let next_line = format!("{}{indent}", layout.line_end);
        let mut before: Vec<Vec<Fragment>> = Vec::new();
        for (at, node) in self.in_order(call) {
            let Some(name) = &renamed.parameters[at] else {
                continue;
            };
            let declared = self.parameter_type(at).ok_or_else(|| {
                self.refused_at(node, "the type of its parameter cannot be written there")
            })?;
            let mut variable = vec![Fragment::New(format!("{declared} {name} = "))];
            variable.push(match &call.values[at] {
                Value::Given(node) => Fragment::Moved(tree.span(*node)),
                Value::Default(node) => Fragment::New(tree.text_of(*node).to_owned()),
            });
            variable.push(Fragment::New(";".to_owned()));
            before.push(variable);
        }
        if statements.text.start < statements.text.end {
            let indents = [indent_at(tree.text, statements.text.start as usize), indent];
            let code = self.code_for((statements, statements.text), (call, &renamed), indents)?;
            before.push(code);
        }
        let mut fragments: Vec<Fragment> = Vec::new();
        for (number, part) in before.into_iter().enumerate() {
            if number > 0 {
                fragments.push(Fragment::New(next_line.clone()));
            }
            fragments.extend(part);
        }
        let result = match place {
            Place::Nothing => None,
            Place::Value => statements.result,
        };
        let Some(result) = result else {
            if let Some(unused) = statements.result
                && self.bound.effect(unused) == Effect::Does
            {
                let reason = "what it returns may do something, and is not used there";
                return Err(self.refused_at(call.node, reason));
            }
            self.check_comment(statements, statement)?;
            return Ok(vec![self.whole(statement, fragments)]);
        };
        let mut edits = Vec::new();
        if !fragments.is_empty() {
            fragments.push(Fragment::New(next_line));
            edits.push(MovingEdit {
                range: ByteRange {
                    start: span.start,
                    end: span.start,
                },
                fragments: joined(fragments),
                is_same_expression: false,
            });
        }
        let value = self.result_for((statements, result), (call, &renamed))?;
        edits.push(MovingEdit {
            range: tree.span(call.node),
            fragments: joined(value),
            is_same_expression: false,
        });
        Ok(edits)
    }

    /// Refuses a body that ends with a comment where other code stands behind the call.
    fn check_comment(&self, statements: &Statements, statement: BodyId) -> Result<(), EditError> {
        let tree = self.tree();
        let code = &tree.text[statements.text.as_usize()];
        let ends_with_comment = code.lines().last().is_some_and(|it| it.contains("//"));
        let end = tree.span(statement).end as usize;
        let behind = tree.text[end..].lines().next().unwrap_or_default();
        match ends_with_comment && !behind.trim().is_empty() {
            true => {
                let reason = "the body ends with a comment, and other code stands behind the call";
                Err(self.refused_at(statement, reason))
            }
            false => Ok(()),
        }
    }

    /// The edit of a statement that is the call, and nothing else.
    fn whole(&self, statement: BodyId, fragments: Vec<Fragment>) -> MovingEdit {
        let tree = self.tree();
        let span = tree.span(statement);
        if fragments.is_empty() {
            return MovingEdit::removal(lines_of(tree.text, span));
        }
        MovingEdit {
            range: span,
            fragments: joined(fragments),
            is_same_expression: false,
        }
    }

    /// The statement of a call, where code may stand before it.
    fn statement_of(
        &self,
        statements: &Statements,
        call: &Call,
    ) -> Result<(BodyId, Place), EditError> {
        let tree = self.tree();
        let wrong = |reason: &str| self.refused_at(call.node, reason);
        let no_statement =
            || wrong("its statements cannot stand there: the call is only a part of a statement");
        let parent = tree.parent(call.node).ok_or_else(no_statement)?;
        let (statement, place) = match tree.kind(parent) {
            BodyKind::ExpressionStatement => (parent, Place::Nothing),
            BodyKind::Return => (parent, Place::Value),
            BodyKind::Declarator => {
                let declaration = tree.parent(parent).ok_or_else(no_statement)?;
                let is_plain = tree.kind(declaration) == BodyKind::LocalDeclaration
                    && tree.node(declaration).flags & body_flags::USING == 0;
                let declares = |it: &BodyId| tree.kind(*it) == BodyKind::Declarator;
                let n_declared = tree
                    .children(declaration)
                    .iter()
                    .filter(|it| declares(it))
                    .count();
                if !is_plain || n_declared != 1 {
                    return Err(no_statement());
                }
                (declaration, Place::Value)
            }
            BodyKind::Assignment => {
                let is_plain = tree.node(parent).flags == Op::Assign as u8
                    && tree.index_in_parent(call.node) == 1
                    && tree.kind(tree.children(parent)[0]) == BodyKind::Name;
                let statement = tree.parent(parent).ok_or_else(no_statement)?;
                if !is_plain || tree.kind(statement) != BodyKind::ExpressionStatement {
                    return Err(no_statement());
                }
                (statement, Place::Value)
            }
            _ => return Err(no_statement()),
        };
        if !tree.is_in_list(statement) || tree.text_of(statement).starts_with("await") {
            return Err(wrong(
                "its statements need braces around the call: write them first",
            ));
        }
        if place == Place::Value && statements.result.is_none() {
            return Err(no_statement());
        }
        Ok((statement, place))
    }

    /// What a call passes, in the order of evaluation.
    fn in_order(&self, call: &Call) -> Vec<(usize, BodyId)> {
        let mut all: Vec<(usize, BodyId)> = (call.values.iter().enumerate())
            .map(|(at, value)| match value {
                Value::Given(node) | Value::Default(node) => (at, *node),
            })
            .collect();
        // Default values do nothing.
        all.sort_by_key(|&(at, node)| (matches!(call.values[at], Value::Default(_)), node));
        all
    }

    /// The names that parameters and variables of the body get.
    fn renamed(
        &self,
        statements: &Statements,
        call: &Call,
        names: &mut NamesInUse,
    ) -> Result<Renamed, EditError> {
        let tree = self.tree();
        let c = self.bound.compilation;
        let around = self.declaration_around(tree.span(call.node).start);
        let in_use = names.0.entry(around).or_insert_with(|| {
            let range = tree.facts.decls[around as usize].range;
            let names = names_of_arguments(tree);
            let all = tree.tokens_in(range).iter();
            let all = all.filter(|it| !names.contains(&it.start));
            let all = all.map(|it| tree.text[it.as_usize()].trim_start_matches('@').to_owned());
            all.collect()
        });
        let of_body = words(&tree.text[self.decl.range.as_usize()]);
        let own = tree.span(statements.block);
        let declared: Vec<(u32, String)> = (self.bound.locals.declarations.iter())
            .filter(|it| own.contains(it.range.start))
            .filter(|it| matches!(it.symbol, LocalSymbol::Declared(_)))
            .map(|it| (it.range.start, it.name.to_string()))
            .collect();
        let mut taken = in_use.clone();
        let mut free = |name: &str| -> String {
            let mut found = name.to_owned();
            let mut number = 2;
            while taken.contains(&found) || found != name && of_body.contains(&found) {
                found = format!("{name}{number}");
                number += 1;
            }
            taken.insert(found.clone());
            found
        };
        let mut parameters = Vec::with_capacity(call.values.len());
        let params = &c.member(self.member).signature.params;
        for (at, value) in call.values.iter().enumerate() {
            let symbol = LocalSymbol::Parameter(self.member, at as u16);
            let is_written = self.bound.is_written(symbol);
            let is_free = match value {
                Value::Default(_) => true,
                Value::Given(node) => self.bound.effect(*node) == Effect::None,
            };
            let is_free = is_free && !self.is_in_text(statements, at);
            parameters.push(match is_free && !is_written {
                true => None,
                false => Some(free(c.text(params[at].name))),
            });
        }
        let mut locals = BTreeMap::new();
        let mut by_name: BTreeMap<String, String> = BTreeMap::new();
        for (offset, name) in declared {
            // Variables of one name in several scopes stay variables of one name.
            let new = by_name.entry(name.clone()).or_insert_with(|| free(&name));
            if *new != name {
                locals.insert(offset, new.clone());
            }
        }
        *in_use = taken;
        Ok(Renamed { locals, parameters })
    }

    /// Whether the body uses a parameter in an interpolated string or in `nameof`, where not everything can stand for it.
    fn is_in_text(&self, statements: &Statements, parameter: usize) -> bool {
        let tree = self.tree();
        tree.within(statements.block).any(|id| {
            self.used(id) == Some(Used::Parameter(parameter))
                && tree
                    .ancestors(id)
                    .take_while(|&it| it > statements.block)
                    .any(|it| tree.kind(it) == BodyKind::Interpolation || self.bound.is_name_of(it))
        })
    }

    /// What is written for a variable that gets another name: a tuple and an anonymous object take the names of their
    /// members from variables.
    fn renamed_at(
        &self,
        range: ByteRange,
        name: &str,
        call: &Call,
    ) -> Result<Vec<Fragment>, EditError> {
        let tree = self.tree();
        let new = |text: String| Ok(vec![Fragment::New(text)]);
        let Some(id) = tree.name_at(range.start) else {
            return new(name.to_owned());
        };
        if tree.ancestors(id).any(|it| self.bound.is_name_of(it)) {
            let reason = format!(
                "`nameof` names `{}` in it, which another variable has the name of there",
                tree.text_of(id)
            );
            return Err(self.refused_at(call.node, &reason));
        }
        match self.name_given_by(id) {
            Some(sign) => new(format!("{}{sign}{name}", tree.text_of(id))),
            None => new(name.to_owned()),
        }
    }

    /// Refuses a call around which a variable has the name of what the body means by that name.
    fn check_hidden(&self, statements: &Statements, call: &Call) -> Result<(), EditError> {
        let tree = self.tree();
        let around = self.declaration_around(tree.span(call.node).start);
        let around = tree.facts.decls[around as usize].range;
        let declared: BTreeSet<&str> = (self.bound.locals.declarations.iter())
            .filter(|it| around.contains(it.range.start))
            .map(|it| &*it.name)
            .collect();
        for id in tree.within(statements.block) {
            let is_name = matches!(tree.kind(id), BodyKind::Name | BodyKind::GenericName);
            let offset = tree.node(id).offset;
            let word = tree.text_of(id).trim_start_matches('@');
            let is_simple = is_name && !self.is_behind_dot(id);
            if is_simple && self.bound.target(offset).is_some() && declared.contains(word) {
                let reason = format!("`{word}` of the body is a variable there");
                return Err(self.refused_at(call.node, &reason));
            }
        }
        Ok(())
    }

    /// The member around an offset.
    fn declaration_around(&self, offset: u32) -> DeclId {
        let decls = self.tree().facts.decls.iter().enumerate();
        let mut members = decls.rev().filter(|(_, decl)| {
            let is_member = decl.kind.type_kind().is_none();
            is_member && decl.kind != cortex_model::DeclKind::Namespace
        });
        let around = members.find(|(_, decl)| decl.range.contains(offset));
        around.map_or(0, |(id, _)| id as DeclId)
    }

    /// A part of the body with what the call passes.
    fn code_for(
        &self,
        (statements, text): (&Statements, ByteRange),
        (call, renamed): (&Call, &Renamed),
        indents: [&str; 2],
    ) -> Result<Vec<Fragment>, EditError> {
        let tree = self.tree();
        let mut spots: Vec<(ByteRange, Vec<Fragment>)> = Vec::new();
        for id in tree.within(statements.block) {
            if let Some(Used::Parameter(at)) = self.used(id)
                && text.contains(tree.span(id).start)
            {
                match &renamed.parameters[at] {
                    None => spots.push((tree.span(id), self.value(&call.values[at], at, id)?)),
                    Some(name) if name != tree.text_of(id) => {
                        let range = tree.span(id);
                        spots.push((range, self.renamed_at(range, name, call)?));
                    }
                    Some(_) => {}
                }
            }
        }
        for (range, symbol) in self.names_of_locals() {
            let LocalSymbol::Declared(declared) = symbol else {
                continue;
            };
            if let Some(name) = renamed.locals.get(&declared)
                && text.contains(range.start)
            {
                spots.push((range, self.renamed_at(range, name, call)?));
            }
        }
        spots.sort_by_key(|it| it.0);
        spots.dedup_by_key(|it| it.0);
        let mut out = Vec::new();
        let mut start = text.start;
        for (range, fragments) in spots {
            let end = range.start;
            out.extend(laid_anew(tree.text, ByteRange { start, end }, indents));
            out.extend(fragments);
            start = range.end;
        }
        let end = text.end;
        out.extend(laid_anew(tree.text, ByteRange { start, end }, indents));
        Ok(out)
    }

    /// The names of local symbols, where they are declared and used.
    fn names_of_locals(&self) -> impl Iterator<Item = (ByteRange, LocalSymbol)> + '_ {
        let locals = &self.bound.locals;
        let declared = locals.declarations.iter().map(|it| (it.range, it.symbol));
        let used = locals.uses.iter().map(|it| (it.range, it.symbol));
        declared.chain(used)
    }

    /// What takes the place of a call whose value is used.
    fn result_for(
        &self,
        (statements, result): (&Statements, BodyId),
        (call, renamed): (&Call, &Renamed),
    ) -> Result<Vec<Fragment>, EditError> {
        let tree = self.tree();
        let span = tree.span(result);
        let indents = [span.start, tree.span(call.node).start];
        let indents = indents.map(|at| indent_at(tree.text, at as usize));
        let mut fragments = self.code_for((statements, span), (call, renamed), indents)?;
        let returned = self.bound.compilation.member(self.member).signature.ty;
        let place = self.bound.expressions.type_of(call.node);
        let is_converted =
            place.and_then(|it| it.converted) == Some(returned) && self.gives_type(call.node);
        if self.bound.type_of(result) != Some(returned) && !is_converted {
            let written = self.returned_type();
            let precedence = Precedence::of(tree, result);
            self.convert(&mut fragments, written, precedence, call.node)?;
        }
        Ok(fragments)
    }

    /// Adds the names of parameters and variables of the body, which may be others where a call was.
    pub(super) fn add_variables(&self, statements: &Statements, moved: &mut MovedText) {
        let tree = self.tree();
        let own = tree.span(statements.block);
        for id in tree.within(statements.block) {
            if matches!(self.used(id), Some(Used::Parameter(_))) {
                let offset = tree.node(id).offset;
                moved.replaced.insert(offset);
                moved.relocated.insert(offset);
            }
        }
        let names = self.names_of_locals();
        let own_names = names.filter(|(range, symbol)| {
            own.contains(range.start) && matches!(symbol, LocalSymbol::Declared(_))
        });
        moved
            .replaced
            .extend(own_names.map(|(range, _)| range.start));
    }

    /// Refuses what a body of several statements cannot be inlined with at all.
    pub(super) fn check_statements(&self, statements: &Statements) -> Result<(), EditError> {
        let tree = self.tree();
        let c = self.bound.compilation;
        let returned = c.member(self.member).signature.ty;
        if returned != c.special(Special::Void) && statements.result.is_none() {
            let place = shown(self.path, tree.text, self.decl.name_range.start);
            let reason = format!("{place}: it does not end with one `return`");
            return Err(self
                .request
                .refused(reason, "write one `return` at its end first"));
        }
        if self.decl.modifiers.contains(cortex_model::Modifier::Unsafe) {
            let place = shown(self.path, tree.text, self.decl.name_range.start);
            let reason = format!("{place}: it is `unsafe`");
            return Err(self
                .request
                .refused(reason, "write an `unsafe` block in it first"));
        }
        // A caller's instantiation of a generic type may be another one.
        for call in &self.calls {
            let names_type = tree.within(call.node).any(|it| {
                tree.kind(it) == BodyKind::GenericName
                    && matches!(
                        self.bound.target(tree.node(it).offset),
                        Some(Target::Type(_))
                    )
                    && tree
                        .parent(it)
                        .is_some_and(|it| tree.kind(it) == BodyKind::MemberAccess)
            });
            if names_type {
                return Err(self.refused_at(call.node, "it is called by a generic type there"));
            }
        }
        Ok(())
    }
}

/// Where arguments have names: those of parameters elsewhere.
fn names_of_arguments(tree: &BodyTree<'_>) -> BTreeSet<u32> {
    let all = 0..tree.facts.bodies.nodes().len() as BodyId;
    let named =
        all.filter(|&id| tree.kind(id) == BodyKind::Argument && tree.node(id).name().is_some());
    named.map(|id| tree.span(id).start).collect()
}

/// The words of a text, without `@`.
fn words(text: &str) -> BTreeSet<String> {
    let all = tokens(text.as_bytes()).into_iter();
    let words = all.map(|it| text[it.range.as_usize()].trim_start_matches('@').to_owned());
    words.collect()
}
