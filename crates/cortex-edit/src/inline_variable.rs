//! `inline-variable`: the declaration of a local goes, and its initializer takes the place of each use.
//!
//! Owns: whether the initializer may be evaluated where the uses are, and how it is written there. Must not know: whether
//! the code means the same afterwards ([`crate::proof`]).

mod order;
mod places;
mod written;

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::Symbols;
use cortex_look::{
    symbol::{offset_at, place_of},
    viewpoint::Viewpoint,
};
use cortex_model::{ByteRange, LineTable, RepoPath};
use cortex_semantics::{LocalKind, LocalRole, LocalSymbol, ProjectId, Ty, UnitKey};
use cortex_syntax::{BodyId, BodyKind, FileFacts, Sections, body_flags, text::decode};
use cortex_wire::EditKind;

use crate::{
    EditError,
    body_tree::BodyTree,
    conflicts::Locals,
    context::is_in_name_of,
    draft::Draft,
    evaluation::{Bound, Write, write_of},
    moved::{MovedText, MovingEdit, moving_edits},
    plan::Plan,
    text_edit::TextEdits,
};

/// A local goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InlineVariable<'r> {
    /// The place of its name: `path/File.cs:LINE:COLUMN`.
    pub at: &'r str,
}

impl InlineVariable<'_> {
    fn title(&self) -> String {
        format!("inline the variable at `{}`", self.at)
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

/// A local variable with all of its uses.
struct Variable<'a, 'w> {
    request: &'a InlineVariable<'a>,
    path: &'a RepoPath,
    bound: Bound<'a, 'w>,
    name: String,
    /// Its declarator.
    declarator: BodyId,
    /// The declaration, and its type.
    declaration: BodyId,
    ty: BodyId,
    /// The initial value.
    value: BodyId,
    uses: Vec<BodyId>,
}

/// What comes of it in one view.
struct Inlined {
    name: String,
    edits: TextEdits,
    moved: MovedText,
}

/// Plans that a local goes. Each view is read; where they do not need the same edits, the plan is refused.
///
/// # Errors
/// [`EditError::Refused`] with the place that keeps the variable from going; those of the index.
pub(crate) fn plan_inline_variable(
    views: &[(&Viewpoint<'_>, &Symbols)],
    request: &InlineVariable<'_>,
) -> Result<Draft, EditError> {
    let not_found = || {
        let help = "name a local by the place of its name: `src/Orders.cs:12:20`";
        request.refused("no local variable is there", help)
    };
    let (path, line, column) = match place_of(request.at) {
        Some((path, line, Some(column))) => (path, line, column),
        _ => return Err(not_found()),
    };
    let mut found: Option<Inlined> = None;
    for (view, symbols) in views {
        let Some(file) = view.snapshot().file(&path)? else {
            continue;
        };
        let bytes = view.blobs().read_blob(file.blob)?;
        let source = decode(&bytes);
        let offset = offset_at(source.as_bytes(), line, column).ok_or_else(not_found)?;
        for project in symbols.projects_of(&path)? {
            let Some(facts) = symbols.facts(&path, project, Sections::Bodies)? else {
                continue;
            };
            let identifiers = symbols.identifiers(&bytes, project);
            let key = UnitKey {
                path: path.clone(),
                project: ProjectId::new(project),
            };
            let inlined = symbols.read(|compilation| {
                let bound = Bound::new(
                    compilation,
                    BodyTree::new(&facts, source.as_str()),
                    compilation.bind_expressions(&key, &facts),
                    compilation.local_bindings(&key, &facts, &identifiers),
                );
                let variable = Variable::at(request, &path, bound, offset);
                Ok(variable.and_then(|it| it.map(|it| it.inlined()).transpose()))
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
    let Inlined { name, edits, moved } = found.ok_or_else(not_found)?;
    let (view, _) = views[0];
    let edits = BTreeMap::from([(path.clone(), edits)]);
    let mut plan = Plan::of_edits(view.index, view.side, edits, &BTreeMap::new())?;
    plan.moved.insert(path, moved);
    Ok(Draft {
        kind: EditKind::InlineVariable,
        title: format!("inline `{name}` of `{}`", request.at),
        subject: None,
        n_family: 0,
        names: BTreeSet::new(),
        locals: Locals::Kept,
        old_name: None,
        left_alone: BTreeMap::new(),
        plan,
    })
}

impl<'a, 'w> Variable<'a, 'w> {
    /// The variable whose name is at an offset; `None` where there is none.
    fn at(
        request: &'a InlineVariable<'a>,
        path: &'a RepoPath,
        bound: Bound<'a, 'w>,
        offset: u32,
    ) -> Result<Option<Self>, EditError> {
        let Some(symbol) = bound.locals.symbol_at(offset) else {
            return Ok(None);
        };
        let declared = bound.locals.declarations_of(symbol).next();
        let Some(declared) = declared.cloned() else {
            return Ok(None);
        };
        let LocalSymbol::Declared(at) = symbol else {
            let help = "only a local with an initial value can be inlined";
            return Err(request.refused(format!("`{}` is no local variable", declared.name), help));
        };
        if declared.kind != LocalKind::Local {
            let help = "only a local with an initial value can be inlined";
            return Err(request.refused(format!("`{}` is no local variable", declared.name), help));
        }
        let tree = &bound.tree;
        let wrong = |reason: &str| {
            let place = shown(path, tree.text, at);
            request.refused(format!("{place}: `{}` {reason}", declared.name), "")
        };
        let declarator = tree.declared_at(at);
        let declarator = declarator.filter(|&it| tree.kind(it) == BodyKind::Declarator);
        let Some(declarator) = declarator else {
            return Err(wrong(
                "is declared by a pattern or an argument: it has no initial value",
            ));
        };
        let declaration = tree.parent(declarator);
        let declaration = declaration.filter(|&it| tree.kind(it) == BodyKind::LocalDeclaration);
        let Some(declaration) = declaration else {
            return Err(wrong("is the variable of a loop, a query or a `catch`"));
        };
        if tree.node(declaration).flags & body_flags::USING != 0 {
            return Err(wrong("is disposed at the end of its block"));
        }
        if !tree.is_in_list(declaration) {
            return Err(wrong("is declared in the head of another statement"));
        }
        let Some(&value) = tree.children(declarator).first() else {
            return Err(wrong("has no initial value"));
        };
        let ty = tree.children(declaration)[0];
        let uses = bound.locals.uses_of(symbol);
        let mut nodes = Vec::new();
        for used in uses {
            let node = tree.name_at(used.range.start);
            match node.filter(|_| used.role == LocalRole::Use) {
                Some(node) => nodes.push(node),
                None => {
                    let place = shown(path, tree.text, used.range.start);
                    return Err(
                        request.refused(format!("{place}: the name is used, not the value"), "")
                    );
                }
            }
        }
        nodes.sort_unstable();
        Ok(Some(Self {
            name: declared.name.to_string(),
            request,
            path,
            declarator,
            declaration,
            ty,
            value,
            uses: nodes,
            bound,
        }))
    }

    fn tree(&self) -> &BodyTree<'a> {
        &self.bound.tree
    }

    fn variable_type(&self) -> Option<Ty> {
        self.bound.type_of_declared(self.declarator)
    }

    /// Refuses with a place.
    fn refused_at(&self, node: BodyId, reason: &str, help: &str) -> EditError {
        let place = shown(self.path, self.tree().text, self.tree().span(node).start);
        self.request.refused(format!("{place}: {reason}"), help)
    }

    /// The edits.
    fn inlined(self) -> Result<Inlined, EditError> {
        self.check_text()?;
        self.check_uses()?;
        self.check_order()?;
        self.check_places()?;
        let mut edits = vec![MovingEdit::removal(self.removed())];
        for &used in &self.uses {
            edits.push(self.replacement(used)?);
        }
        let made = moving_edits(self.tree().text, &edits);
        let (edits, mut moved) =
            made.ok_or_else(|| self.refused_at(self.declaration, "two edits would overlap", ""))?;
        moved.replaced = self
            .uses
            .iter()
            .map(|&it| self.tree().node(it).offset)
            .collect();
        let ty = self.variable_type();
        let shown = ty.map(|ty| self.bound.compilation.display_type(ty));
        moved.old_type = Some(shown.unwrap_or_else(|| self.tree().text_of(self.ty).to_owned()));
        let value = self.tree().span(self.value);
        moved.converted_elsewhere.insert(value.start);
        moved.involved.push(value);
        moved
            .involved
            .extend(self.uses.iter().map(|&it| self.statement_around(it)));
        Ok(Inlined {
            name: self.name,
            edits,
            moved,
        })
    }

    /// The statement that has a use, as far as it is one line of thought: its head where it has a body.
    fn statement_around(&self, used: BodyId) -> ByteRange {
        let tree = self.tree();
        let is_it = |id: &BodyId| {
            crate::body_tree::is_statement(tree.kind(*id)) || tree.kind(*id) == BodyKind::Lambda
        };
        let found = tree.ancestors(used).find(is_it);
        let whole = found.map_or(tree.span(used), |it| tree.span(it));
        let block = found.into_iter().flat_map(|it| tree.children(it));
        let block = block
            .filter(|&it| tree.kind(it) == BodyKind::Block)
            .map(|it| tree.span(it).start);
        let end = block.filter(|&it| it > tree.span(used).start).min();
        ByteRange {
            start: whole.start,
            end: end.unwrap_or(whole.end),
        }
    }

    /// Refuses where text that no project compiles may use the variable, or where directives stand in the way.
    fn check_text(&self) -> Result<(), EditError> {
        let tree = self.tree();
        let scope =
            (tree.parent(self.declaration)).map_or(tree.span(self.declaration), |it| tree.span(it));
        let names_it = |range: ByteRange| {
            let text = &tree.text[range.as_usize()];
            let is_word = |it: char| it == '_' || it == '@' || it.is_alphanumeric();
            let mut words = text.split(|it: char| !is_word(it));
            words.any(|word| word.trim_start_matches('@') == self.name)
        };
        for inactive in &tree.facts.inactive {
            if inactive.range.overlaps(scope) && names_it(inactive.range) {
                let line = LineTable::new(tree.text.as_bytes())
                    .position(inactive.range.start)
                    .line;
                let reason = format!(
                    "{}:{line}: code that is not compiled here has the name",
                    self.path
                );
                let help = "change that code first, or inline the variable by hand";
                return Err(self.request.refused(reason, help));
            }
        }
        let own = tree.span(self.declaration);
        if has_directive(tree.facts, tree.text, own) {
            return Err(self.refused_at(
                self.declaration,
                "a directive stands in the declaration",
                "",
            ));
        }
        if tree.text_of(self.value).is_empty() || !own.overlaps(tree.span(self.value)) {
            return Err(self.refused_at(self.declaration, "the declaration cannot be read", ""));
        }
        Ok(())
    }

    /// Refuses uses whose place needs a variable.
    fn check_uses(&self) -> Result<(), EditError> {
        let (bound, tree) = (&self.bound, self.tree());
        if self.uses.is_empty() && bound.effect(self.value) == crate::evaluation::Effect::Does {
            let help = "make the initial value a statement, or remove the declaration";
            let reason = "nothing uses the variable, and its initial value may do something";
            return Err(self.refused_at(self.value, reason, help));
        }
        match tree.kind(self.value) {
            BodyKind::RefExpression => {
                let reason = "the variable is a reference to another one";
                return Err(self.refused_at(self.declaration, reason, ""));
            }
            BodyKind::Stackalloc => {
                let reason = "`stackalloc` cannot stand elsewhere";
                return Err(self.refused_at(self.value, reason, ""));
            }
            _ => {}
        }
        for &used in &self.uses {
            if is_in_name_of(bound, used) {
                return Err(self.refused_at(used, "`nameof` needs the variable", ""));
            }
            let reason = match write_of(tree, used) {
                Some(Write::Itself) => "the variable is assigned there, or passed by reference",
                Some(Write::Part) if bound.may_be_value(used) => {
                    "a part of the variable is assigned there"
                }
                // Of several uses, and of a copy, only the variable itself is to change.
                _ if (bound.writes(used) || bound.runs_accessor(used))
                    && (self.uses.len() > 1
                        || bound.type_of(used).is_some() && bound.is_variable(self.value)) =>
                {
                    "a member is used there that may change the variable"
                }
                _ => continue,
            };
            let help = "only a variable that keeps its initial value can be inlined";
            return Err(self.refused_at(used, reason, help));
        }
        Ok(())
    }
}

/// Whether a directive stands in a range.
pub(crate) fn has_directive(facts: &FileFacts, text: &str, range: ByteRange) -> bool {
    facts.inactive.iter().any(|it| it.range.overlaps(range))
        || text[range.as_usize()]
            .lines()
            .skip(1)
            .any(|line| line.trim_start().starts_with('#'))
}

/// A place for people.
pub(crate) fn shown(path: &RepoPath, text: &str, offset: u32) -> String {
    let position = LineTable::new(text.as_bytes()).position(offset);
    format!("{path}:{}:{}", position.line, position.column)
}
