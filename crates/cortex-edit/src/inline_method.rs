//! `inline-method`: a method goes, and what it evaluates takes the place of each call.
//!
//! Owns: whether arguments may be evaluated where the body uses them, and how the body is written there. Must not know:
//! whether the code means the same afterwards ([`crate::proof`]).

mod evaluated;
mod places;
mod statements;
mod written;

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::Symbols;
use cortex_look::viewpoint::Viewpoint;
use cortex_model::{ByteRange, DeclKind, Modifier, RepoPath};
use cortex_semantics::{LocalSymbol, MemberFlags, MemberId, ProjectId, Target, UnitKey};
use cortex_syntax::{BodyId, BodyKind, Decl, DeclId, Sections, ref_kind, text::decode};
use cortex_wire::EditKind;

use self::statements::{NamesInUse, Statements};
use crate::{
    EditError,
    body_tree::BodyTree,
    conflicts::Locals,
    draft::Draft,
    evaluation::Bound,
    inline_variable::{has_directive, shown},
    located::{Declaration, locate},
    member::{MemberAction, MemberEdit, removed_range},
    moved::{MovedText, MovingEdit, moving_edits},
    plan::Plan,
    rename::{Rename, global::member_of, plan_rename},
    text_edit::TextEdits,
};

/// A method goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InlineMethod<'r> {
    /// The method, as any question names it.
    pub symbol: &'r str,
}

impl InlineMethod<'_> {
    fn title(&self) -> String {
        format!("inline `{}`", self.symbol)
    }

    fn refused(&self, reason: impl Into<String>, help: &str) -> EditError {
        EditError::Refused {
            doing: self.title(),
            reason: reason.into(),
            help: match help {
                "" => Vec::new(),
                help => vec![help.to_owned()],
            },
        }
    }
}

/// A call, and what it passes.
struct Call {
    /// The whole of it.
    node: BodyId,
    /// What stands before the dot, where that is an object of its own.
    receiver: Option<BodyId>,
    /// What each parameter gets, by position.
    values: Vec<Value>,
}

/// What a parameter gets.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Value {
    /// An argument.
    Given(BodyId),
    /// Its default value, which the declaration has.
    Default(BodyId),
}

/// A method with its calls, in one file.
struct Method<'a, 'w> {
    request: &'a InlineMethod<'a>,
    path: &'a RepoPath,
    bound: Bound<'a, 'w>,
    decl: &'a Decl,
    member: MemberId,
    /// What it evaluates: an expression, or the block of several statements.
    body: BodyId,
    /// Its statements, where it is not one expression.
    statements: Option<Statements>,
    calls: Vec<Call>,
}

/// What comes of it in one view.
struct Inlined {
    edits: TextEdits,
    moved: MovedText,
    locals: Locals,
}

/// Plans that a method goes. Each view is read; where they do not need the same edits, the plan is refused.
///
/// # Errors
/// [`EditError::Refused`] with what keeps the method; those of the index.
pub(crate) fn plan_inline_method(
    views: &[(&Viewpoint<'_>, &Symbols)],
    request: &InlineMethod<'_>,
) -> Result<Draft, EditError> {
    let (view, symbols) = views[0];
    let title = request.title();
    let located = locate(view, symbols, request.symbol, &|| title.clone())?;
    let at = located.one(None, &|| title.clone())?;
    check_method(at, request)?;
    check_places(views, at, request)?;
    let remove = MemberEdit {
        symbol: request.symbol,
        file: None,
        action: MemberAction::Remove {
            others: &[],
            although_used: true,
        },
    };
    let removed = removed_range(at, &remove);
    let doc_id = located.subject.resolved.doc_id.as_deref();
    let key = located.symbols[0].key();
    let mut found: Option<Inlined> = None;
    for (view, symbols) in views {
        let Some(file) = view.snapshot().file(&at.path)? else {
            continue;
        };
        let bytes = view.blobs().read_blob(file.blob)?;
        let source = decode(&bytes);
        for project in symbols.projects_of(&at.path)? {
            let Some(facts) = symbols.facts(&at.path, project, Sections::Bodies)? else {
                continue;
            };
            let identifiers = symbols.identifiers(&bytes, project);
            let unit = UnitKey {
                path: at.path.clone(),
                project: ProjectId::new(project),
            };
            let inlined = symbols.read(|c| {
                let bound = Bound::new(
                    c,
                    BodyTree::new(&facts, source.as_str()),
                    c.bind_expressions(&unit, &facts),
                    c.local_bindings(&unit, &facts, &identifiers),
                );
                let name = at.decl().name_range;
                let id = facts.decls.iter().position(|decl| decl.name_range == name);
                let member = id.and_then(|id| c.member_of_decl(c.unit_id(&unit), id as u32));
                let member = member.or_else(|| member_of(c, c.source_type(key)?, doc_id));
                let (Some(id), Some(member)) = (id, member) else {
                    return Ok(Ok(None));
                };
                let method = Method::new(request, &at.path, bound, &facts.decls[id], (id, member));
                Ok(method.and_then(|it| it.inlined(removed).map(Some)))
            })??;
            match (&found, inlined) {
                (_, None) => {}
                (None, inlined) => found = inlined,
                (Some(first), Some(other)) if first.edits == other.edits => {}
                _ => {
                    let reason = "two projects or target frameworks need other edits";
                    return Err(request.refused(reason, ""));
                }
            }
        }
    }
    let Inlined {
        edits,
        moved,
        locals,
    } = found.ok_or_else(|| request.refused("no project compiles it", ""))?;
    let edits = BTreeMap::from([(at.path.clone(), edits)]);
    let mut plan = Plan::of_edits(view.index, view.side, edits, &BTreeMap::new())?;
    plan.moved.insert(at.path.clone(), moved);
    Ok(Draft {
        kind: EditKind::InlineMethod,
        title,
        names: BTreeSet::from([at.name().to_owned()]),
        subject: Some(located.subject),
        n_family: 0,
        locals,
        old_name: None,
        left_alone: BTreeMap::new(),
        plan,
    })
}

/// Refuses methods that more than their calls need.
fn check_method(at: &Declaration, request: &InlineMethod<'_>) -> Result<(), EditError> {
    let decl = at.decl();
    let has = |modifier| decl.modifiers.contains(modifier);
    let reason = if decl.kind != DeclKind::Method {
        "it is no method"
    } else if [Modifier::Virtual, Modifier::Abstract, Modifier::Override]
        .into_iter()
        .any(has)
    {
        "a call may end in another member: it is virtual or abstract"
    } else if has(Modifier::Async) {
        "it is asynchronous"
    } else if has(Modifier::Extern) || has(Modifier::Partial) {
        "it is external or partial"
    } else if !decl.type_params.is_empty() {
        "it has type parameters"
    } else if !decl.bases.is_empty() {
        "it implements a member of an interface"
    } else if !decl.attributes.is_empty() {
        "it has attributes, which say something of it to others"
    } else {
        return Ok(());
    };
    Err(request.refused(reason, ""))
}

/// Refuses a method that is used in other files, or that belongs together with others.
fn check_places(
    views: &[(&Viewpoint<'_>, &Symbols)],
    at: &Declaration,
    request: &InlineMethod<'_>,
) -> Result<(), EditError> {
    let to = format!("{}Inlined", at.name());
    let rename = Rename {
        symbol: request.symbol,
        to: &to,
        keep_file: true,
        also: &[],
    };
    let renamed = plan_rename(views, &rename, &BTreeSet::new())?;
    if renamed.n_family > 0 {
        let reason = "it implements members, or members implement or override it";
        return Err(request.refused(reason, ""));
    }
    let mut others = renamed.uses.iter().filter(|(path, _)| **path != at.path);
    if let Some((path, places)) = others.find(|(_, places)| !places.is_empty()) {
        let (view, _) = views[0];
        let text = match view.snapshot().file(path)? {
            Some(file) => decode(&view.blobs().read_blob(file.blob)?)
                .as_str()
                .to_owned(),
            None => String::new(),
        };
        let place = shown(path, &text, places[0]);
        let help = "only a method that its own file alone uses can be inlined";
        return Err(request.refused(format!("{place}: another file uses it"), help));
    }
    Ok(())
}

impl<'a, 'w> Method<'a, 'w> {
    fn new(
        request: &'a InlineMethod<'a>,
        path: &'a RepoPath,
        bound: Bound<'a, 'w>,
        decl: &'a Decl,
        (id, member): (usize, MemberId),
    ) -> Result<Self, EditError> {
        let tree = &bound.tree;
        let wrong = |offset: u32, reason: &str| {
            request.refused(format!("{}: {reason}", shown(path, tree.text, offset)), "")
        };
        let name = decl.name_range.start;
        if has_directive(tree.facts, tree.text, decl.range) {
            return Err(wrong(name, "a directive stands in it"));
        }
        let params = &bound.compilation.member(member).signature.params;
        let is_by_reference = |param: &cortex_semantics::Param| {
            param.ref_kind != cortex_semantics::RefKind::None || param.is_params
        };
        if params.iter().any(is_by_reference) {
            let reason = "a parameter is passed by reference, or is an array of arguments";
            return Err(wrong(name, reason));
        }
        let expression = body_of(tree, id).map(|body| {
            let problem = why_no_expression(&bound, body, (member, params.len(), name));
            problem.map_or(Ok(body), Err)
        });
        let (body, statements) = match expression {
            Some(Ok(body)) => (body, None),
            other => match Statements::of(tree, id) {
                Ok(statements) => (statements.block(), Some(statements)),
                Err((offset, reason)) => {
                    let (offset, reason) = match other {
                        Some(Err(problem)) if offset == name => problem,
                        _ => (offset, reason),
                    };
                    return Err(wrong(offset, reason));
                }
            },
        };
        let mut method = Self {
            request,
            path,
            decl,
            member,
            body,
            statements,
            calls: Vec::new(),
            bound,
        };
        method.calls = method.calls()?;
        if let Some(statements) = &method.statements {
            method.check_statements(statements)?;
        }
        if method.calls.is_empty() {
            let help = "remove it instead";
            return Err(request.refused("nothing calls it", help));
        }
        Ok(method)
    }

    fn tree(&self) -> &BodyTree<'a> {
        &self.bound.tree
    }

    fn refused_at(&self, node: BodyId, reason: &str) -> EditError {
        let tree = self.tree();
        let place = shown(self.path, tree.text, tree.span(node).start);
        self.request.refused(format!("{place}: {reason}"), "")
    }

    /// The calls, by position.
    fn calls(&self) -> Result<Vec<Call>, EditError> {
        let tree = self.tree();
        let mut calls = Vec::new();
        for id in 0..tree.facts.bodies.nodes().len() as BodyId {
            let is_name = matches!(tree.kind(id), BodyKind::Name | BodyKind::GenericName);
            let target = self.bound.target(tree.node(id).offset);
            if !is_name || target != Some(Target::Member(self.member)) {
                continue;
            }
            if tree.within(self.body).contains(&id) {
                return Err(self.refused_at(id, "it calls itself"));
            }
            calls.push(self.call(id)?);
        }
        for decl in &tree.facts.decls {
            // Documentation that names it would name nothing.
            let mut refs = tree.facts.refs.iter();
            let named = refs.find(|it| {
                decl.doc_range.contains(it.offset)
                    && self.bound.target(it.offset) == Some(Target::Member(self.member))
            });
            if let Some(named) = named {
                let place = shown(self.path, tree.text, named.offset);
                let reason = format!("{place}: documentation names it");
                return Err(self.request.refused(reason, ""));
            }
        }
        Ok(calls)
    }

    /// The call of a name.
    fn call(&self, name: BodyId) -> Result<Call, EditError> {
        let tree = self.tree();
        let no_call = || self.refused_at(name, "it is used there without being called");
        let parent = tree.parent(name).ok_or_else(no_call)?;
        let (callee, before) = match tree.kind(parent) {
            BodyKind::MemberAccess if tree.index_in_parent(name) > 0 => {
                (parent, Some(tree.children(parent)[0]))
            }
            BodyKind::MemberBinding => {
                return Err(self.refused_at(name, "it is called there only if there is an object"));
            }
            _ => (name, None),
        };
        let node = tree.parent(callee).ok_or_else(no_call)?;
        let is_call = tree.kind(node) == BodyKind::Invocation && tree.index_in_parent(callee) == 0;
        if !is_call || self.bound.is_name_of(node) {
            return Err(no_call());
        }
        if has_directive(tree.facts, tree.text, tree.span(node)) {
            return Err(self.refused_at(node, "a directive stands in the call"));
        }
        let is_type = before.is_some_and(|it| self.is_type(it));
        let c = self.bound.compilation;
        let member = c.member(self.member);
        let is_reduced = member.is(MemberFlags::EXTENSION) && before.is_some() && !is_type;
        if before.is_some_and(|it| tree.kind(it) == BodyKind::Base) {
            return Err(self.refused_at(node, "it is called on `base` there"));
        }
        let mut values: Vec<Option<Value>> = vec![None; member.signature.params.len()];
        if let (true, Some(first)) = (is_reduced, values.first_mut()) {
            *first = before.map(Value::Given);
        }
        let list = tree.children(node).get(1).copied();
        for (at, argument) in list
            .into_iter()
            .flat_map(|it| tree.children(it))
            .enumerate()
        {
            let own = tree.node(argument);
            let named = own.name().map(|it| tree.facts.name(it).to_owned());
            let position = match named {
                Some(named) => (member.signature.params.iter())
                    .position(|param| c.text(param.name) == named.trim_start_matches('@')),
                None => Some(at + usize::from(is_reduced)),
            };
            let value = tree.children(argument).first().copied();
            let slot = position.and_then(|it| values.get_mut(it));
            let (Some(slot), Some(value)) =
                (slot, value.filter(|_| own.flags & 7 == ref_kind::NONE))
            else {
                return Err(self.refused_at(node, "an argument belongs to no parameter"));
            };
            *slot = Some(Value::Given(value));
        }
        let mut all = Vec::with_capacity(values.len());
        for (at, value) in values.into_iter().enumerate() {
            all.push(match value {
                Some(value) => value,
                None => Value::Default(self.default_of(at).ok_or_else(|| {
                    self.refused_at(
                        node,
                        "it leaves out an argument whose default is no literal",
                    )
                })?),
            });
        }
        let is_object = before.filter(|&it| {
            !is_type && !is_reduced && !member.is_static() && tree.kind(it) != BodyKind::This
        });
        Ok(Call {
            node,
            receiver: is_object,
            values: all,
        })
    }

    /// Whether an expression names a type.
    fn is_type(&self, id: BodyId) -> bool {
        let tree = self.tree();
        let last = match tree.kind(id) {
            BodyKind::MemberAccess | BodyKind::AliasQualified => {
                tree.children(id).last().copied().unwrap_or(id)
            }
            BodyKind::PredefinedType => return true,
            _ => id,
        };
        matches!(
            self.bound.target(tree.node(last).offset),
            Some(Target::Type(_))
        )
    }

    /// The default value of a parameter, where it is a literal.
    fn default_of(&self, at: usize) -> Option<BodyId> {
        let tree = self.tree();
        let ids = 0..tree.facts.bodies.nodes().len() as BodyId;
        let mut found = ids.filter(|&id| {
            tree.kind(id) == BodyKind::ParameterDefault
                && tree.node(id).value as usize == at
                && self.decl.range.contains(tree.span(id).start)
        });
        let value = *tree.children(found.next()?).first()?;
        let is_literal = matches!(tree.kind(value), BodyKind::Literal);
        is_literal.then_some(value)
    }

    /// The edits: the calls, and the declaration that goes.
    fn inlined(self, removed: ByteRange) -> Result<Inlined, EditError> {
        let tree = self.tree();
        let mut edits = vec![MovingEdit::removal(removed)];
        let mut names = NamesInUse::default();
        for call in &self.calls {
            self.check_places(call)?;
            match &self.statements {
                None => {
                    self.check_evaluation(call)?;
                    edits.push(self.replacement(call)?);
                }
                Some(statements) => {
                    edits.extend(self.statements_for((statements, call), &mut names)?);
                }
            }
        }
        let made = moving_edits(tree.text, &edits);
        let (edits, mut moved) = made.ok_or_else(|| {
            self.request.refused(
                "a call stands in another one",
                "inline one of them by hand first",
            )
        })?;
        for id in tree.within(self.body) {
            let offset = tree.node(id).offset;
            if self.is_replaced(id) {
                moved.replaced.insert(offset);
            }
            // The type of a member is that of the whole, where an object stands before it.
            if self.statements.is_none() && (self.used(id).is_some() || self.is_own_static(id)) {
                moved.placed_anew.insert(offset);
            }
        }
        if let Some(statements) = &self.statements {
            self.add_variables(statements, &mut moved);
        }
        let mut place = |id: BodyId| {
            moved.placed_anew.insert(tree.span(id).start);
            moved.placed_anew.insert(tree.node(id).offset);
        };
        match &self.statements {
            None => place(self.body),
            Some(statements) => statements.result.into_iter().for_each(&mut place),
        }
        for call in &self.calls {
            call.receiver.into_iter().for_each(&mut place);
            for value in &call.values {
                if let Value::Given(node) = value {
                    place(*node);
                }
            }
        }
        moved.involved.push(tree.span(self.body));
        moved
            .involved
            .extend(self.calls.iter().map(|call| tree.span(call.node)));
        Ok(Inlined {
            edits,
            moved,
            locals: match &self.statements {
                Some(_) => Locals::Renamed,
                None => Locals::Kept,
            },
        })
    }
}

/// Why an expression cannot take the place of calls: where, and the reason.
fn why_no_expression(
    bound: &Bound<'_, '_>,
    body: BodyId,
    (member, n_params, name): (MemberId, usize, u32),
) -> Option<(u32, &'static str)> {
    let tree = &bound.tree;
    let declares = |kind| {
        matches!(
            kind,
            BodyKind::SingleDesignation | BodyKind::Declarator | BodyKind::LocalFunction
        )
    };
    if let Some(node) = tree.within(body).find(|&it| declares(tree.kind(it))) {
        return Some((tree.node(node).offset, "a variable is declared in it"));
    }
    if tree.kind(body) == BodyKind::RefExpression || tree.text_of(body).starts_with("throw") {
        return Some((name, "it gives a reference, or throws"));
    }
    let mut params = (0..n_params).map(|at| LocalSymbol::Parameter(member, at as u16));
    let is_written = params.any(|it| bound.is_written(it));
    is_written.then_some((name, "a parameter is assigned in it"))
}

/// What a method evaluates, where its body is one expression.
fn body_of(tree: &BodyTree<'_>, decl: usize) -> Option<BodyId> {
    let root = tree.root_of(decl as DeclId)?;
    let mut parts = tree.children(root).into_iter();
    let body = parts.find(|&it| tree.kind(it) == BodyKind::Body)?;
    let first = *tree.children(body).first()?;
    if tree.kind(first) != BodyKind::Block {
        return Some(first);
    }
    match tree.children(first)[..] {
        [only]
            if matches!(
                tree.kind(only),
                BodyKind::Return | BodyKind::ExpressionStatement
            ) =>
        {
            tree.children(only).first().copied()
        }
        _ => None,
    }
}
