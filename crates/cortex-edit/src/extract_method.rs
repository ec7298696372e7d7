//! `extract-method`: statements or an expression become a private method that is called in their place.
//!
//! Owns: which code is meant, and how the method and its call are written. Must not know: whether the code means the same
//! afterwards ([`crate::proof`]).

mod flow;
mod jumps;
mod place;
mod sharing;
mod written;

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::Symbols;
use cortex_look::viewpoint::Viewpoint;
use cortex_model::{ByteRange, DeclKind, RepoPath, TypeKind};
use cortex_semantics::{MemberFlags, MemberId, ProjectId, TypeId, UnitKey};
use cortex_syntax::{BodyId, BodyKind, Decl, FileFacts, Sections, text::decode};
use cortex_wire::EditKind;

use crate::{
    EditError,
    body_tree::{BodyTree, is_statement},
    conflicts::Locals,
    draft::Draft,
    evaluation::Bound,
    identifier::{bare, written as written_name},
    inline_variable::{has_directive, shown},
    moved::{Fragment, MovingEdit, moving_edits},
    plan::{GenericTwin, Plan},
    usings::Directives,
};

/// Code becomes a method.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExtractMethod<'r> {
    /// The code: `path/File.cs:START-END`, where both are lines or `LINE:COLUMN`, or `path/File.cs:LINE`; the end is behind
    /// the last character.
    pub at: &'r str,
    /// The name of the method.
    pub name: &'r str,
}

/// A line and a column, both from 1; the line alone where all of it is meant.
type LineColumn = (u32, Option<u32>);

impl ExtractMethod<'_> {
    fn title(&self) -> String {
        format!("extract `{}` from `{}`", self.name, self.at)
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

    /// Where the code begins, as requests name places; `None` where no range is meant.
    pub(crate) fn start(&self) -> Option<String> {
        let (path, [(line, column), _]) = self.place()?;
        Some(match column {
            Some(column) => format!("{path}:{line}:{column}"),
            None => format!("{path}:{line}"),
        })
    }

    /// The file and the lines with columns that are meant.
    fn place(&self) -> Option<(RepoPath, [LineColumn; 2])> {
        let at = self.at.to_ascii_lowercase().rfind(".cs:")? + 3;
        let place = &self.at[at + 1..];
        let (start, end) = match place.split_once('-') {
            Some(ends) => ends,
            // One line.
            None if !place.contains(':') => (place, place),
            None => return None,
        };
        let position = |text: &str| -> Option<LineColumn> {
            match text.split_once(':') {
                Some((line, column)) => Some((line.parse().ok()?, Some(column.parse().ok()?))),
                None => Some((text.parse().ok()?, None)),
            }
        };
        let path = self.at[..at].replace('\\', "/");
        let path = path.strip_prefix("./").unwrap_or(&path);
        Some((RepoPath::from(path), [position(start)?, position(end)?]))
    }
}

/// What is extracted.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Code {
    /// Statements that stand one after another.
    Statements(Vec<BodyId>),
    /// An expression.
    Expression(BodyId),
}

impl Code {
    /// The first and the last of it.
    fn ends(&self) -> (BodyId, BodyId) {
        match self {
            Self::Statements(all) => (all[0], all[all.len() - 1]),
            Self::Expression(id) => (*id, *id),
        }
    }
}

/// The code with what is around it.
struct Extraction<'a, 'w> {
    request: &'a ExtractMethod<'a>,
    path: &'a RepoPath,
    bound: Bound<'a, 'w>,
    code: Code,
    /// The bytes that move, comments before and behind included.
    range: ByteRange,
    /// The declaration around the code, its member and its type.
    decl: &'a Decl,
    member: MemberId,
    owner: TypeId,
    name: String,
}

/// What comes of it in one view.
struct Extracted {
    edits: Vec<MovingEdit>,
    namespaces: BTreeSet<String>,
    uses: BTreeSet<u32>,
    involved: ByteRange,
    /// The type of an expression, for people.
    returned: Option<String>,
    /// Of a generic method.
    generic: Option<Generic>,
}

/// A method with the type parameters of the one that its code comes from.
struct Generic {
    /// How its head begins, from its name on.
    head: String,
    /// Where the name of the other one is.
    of_name: u32,
    n_parameters: u16,
}

/// Plans a method of code that is there.
///
/// # Errors
/// [`EditError::Refused`] with the place that keeps the code where it is; those of the index.
pub(crate) fn plan_extract_method(
    views: &[(&Viewpoint<'_>, &Symbols)],
    request: &ExtractMethod<'_>,
) -> Result<Draft, EditError> {
    let token = written_name(request.name).map_err(|reason| request.refused(reason, ""))?;
    let help = "name lines, or places: `src/Orders.cs:12-15`, `src/Orders.cs:12:9-12:30`";
    let (path, [start, end]) =
        (request.place()).ok_or_else(|| request.refused("that is no range of a file", help))?;
    let (extracted, text, facts) = found(views, request, (&path, start, end), (&token, help))?;
    let (view, _) = views[0];
    let mut directives = Directives::of(view, views, &path, &text, &facts)?;
    let around = crate::move_type::namespaces_at(&facts, extracted.involved.start);
    for namespace in extracted
        .namespaces
        .iter()
        .filter(|it| !around.contains(*it))
    {
        directives.import(namespace);
    }
    let mut edits = extracted.edits;
    let imports = directives
        .edits()
        .map_err(|reason| request.refused(reason, ""))?;
    edits.extend(imports.into_iter().map(|edit| MovingEdit {
        range: edit.range,
        fragments: vec![Fragment::New(edit.text)],
        is_same_expression: false,
    }));
    let made = moving_edits(&text, &edits);
    let (edits, mut moved) = made.ok_or_else(|| request.refused("two edits would overlap", ""))?;
    moved.relocated = extracted.uses;
    if let Some(shown) = extracted.returned {
        moved.join_call(extracted.involved.start, shown);
    }
    moved.involved.push(extracted.involved);
    let mut plan = Plan::of_edits(
        view.index,
        view.side,
        BTreeMap::from([(path.clone(), edits)]),
        &BTreeMap::new(),
    )?;
    plan.generic_twin = (extracted.generic).and_then(|generic| twin(&plan, &path, &generic));
    plan.moved.insert(path, moved);
    Ok(Draft {
        kind: EditKind::ExtractMethod,
        title: request.title(),
        subject: None,
        n_family: 0,
        names: BTreeSet::from([bare(&token)]),
        locals: Locals::Kept,
        old_name: None,
        left_alone: BTreeMap::new(),
        plan,
    })
}

/// The extraction on which all projects and target frameworks that compile the code agree, with the text and the facts
/// of its file.
fn found(
    views: &[(&Viewpoint<'_>, &Symbols)],
    request: &ExtractMethod<'_>,
    (path, start, end): (&RepoPath, LineColumn, LineColumn),
    (token, help): (&str, &str),
) -> Result<(Extracted, String, FileFacts), EditError> {
    let mut found: Option<(Extracted, String, FileFacts)> = None;
    for (view, symbols) in views {
        let Some(file) = view.snapshot().file(path)? else {
            continue;
        };
        let bytes = view.blobs().read_blob(file.blob)?;
        let source = decode(&bytes);
        let text = source.as_str();
        let range = range_of(text, start, end)
            .ok_or_else(|| request.refused("the file has no such range", help))?;
        for project in symbols.projects_of(path)? {
            let Some(facts) = symbols.facts(path, project, Sections::Bodies)? else {
                continue;
            };
            // Another target framework compiles it.
            if (facts.inactive.iter()).any(|it| it.range.contains(range.start)) {
                continue;
            }
            let identifiers = symbols.identifiers(&bytes, project);
            let key = UnitKey {
                path: path.clone(),
                project: ProjectId::new(project),
            };
            let extracted = symbols.read(|compilation| {
                let bound = Bound::new(
                    compilation,
                    BodyTree::new(&facts, text),
                    compilation.bind_expressions(&key, &facts),
                    compilation.local_bindings(&key, &facts, &identifiers),
                );
                let unit = compilation.unit_id(&key);
                let extraction = Extraction::new(request, path, bound, range, unit, token);
                Ok(extraction.and_then(|it| it.extracted()))
            })??;
            match &found {
                None => {
                    let facts = symbols.facts(path, project, Sections::All)?;
                    found = Some((extracted, text.to_owned(), facts.unwrap_or_default()));
                }
                Some((first, ..)) if first.edits == extracted.edits => {}
                Some(_) => {
                    let reason = "two projects or target frameworks need other edits";
                    return Err(request.refused(reason, ""));
                }
            }
        }
    }
    found.ok_or_else(|| request.refused("no project compiles that code", ""))
}

/// What says that the type parameters of the new method are those of the method that its code comes from.
fn twin(plan: &Plan, path: &RepoPath, generic: &Generic) -> Option<GenericTwin> {
    let text = decode(&plan.files[path].new_bytes);
    let name = text.as_str().rfind(&generic.head)?;
    Some(GenericTwin {
        path: path.clone(),
        name: name as u32,
        of_path: path.clone(),
        of_name: generic.of_name,
        parameters: (0..generic.n_parameters).collect(),
    })
}

/// The bytes between two places, without white space around them.
fn range_of(text: &str, start: (u32, Option<u32>), end: (u32, Option<u32>)) -> Option<ByteRange> {
    let line = |number: u32| {
        let mut lines = text.split_inclusive('\n').scan(0, |at, content: &str| {
            let start = *at;
            *at += content.len();
            Some((start, content))
        });
        lines.nth(number.checked_sub(1)? as usize)
    };
    // Columns count UTF-16 units, as editors do.
    let at_column = |(start, content): (usize, &str), column: u32| {
        let mut units = 1;
        for (at, character) in content.char_indices() {
            if units >= column {
                return start + at;
            }
            units += character.len_utf16() as u32;
        }
        start + content.len()
    };
    let from = at_column(line(start.0)?, start.1.unwrap_or(1));
    let last = line(end.0)?;
    let to = match end.1 {
        Some(column) => at_column(last, column),
        None => last.0 + last.1.len(),
    };
    let inside = text.get(from..to)?;
    let range = ByteRange {
        start: (from + inside.len() - inside.trim_start().len()) as u32,
        end: (from + inside.trim_end().len()) as u32,
    };
    (range.start < range.end).then_some(range)
}

impl<'a, 'w> Extraction<'a, 'w> {
    fn new(
        request: &'a ExtractMethod<'a>,
        path: &'a RepoPath,
        bound: Bound<'a, 'w>,
        range: ByteRange,
        unit: cortex_semantics::UnitId,
        token: &str,
    ) -> Result<Self, EditError> {
        let tree = &bound.tree;
        let whole = "name whole statements of one block, or one expression";
        let wrong = |reason: &str, help: &str| {
            let place = shown(path, tree.text, range.start);
            request.refused(format!("{place}: {reason}"), help)
        };
        let code = code_in(tree, range)
            .ok_or_else(|| wrong("it is neither whole statements nor one expression", whole))?;
        let node = match &code {
            Code::Statements(all) => all[0],
            Code::Expression(id) => *id,
        };
        let root = tree.ancestors(node).last().unwrap_or(node);
        let part = (tree.ancestors(node))
            .filter(|&it| tree.parent(it) == Some(root))
            .last();
        let is_body =
            part.is_some_and(|it| matches!(tree.kind(it), BodyKind::Body | BodyKind::Accessor));
        let id = (tree.node(root).value as usize).checked_sub(1);
        let (Some(id), true) = (id, is_body) else {
            return Err(wrong("it is not in the body of a member", whole));
        };
        let facts = tree.facts;
        let decl = &facts.decls[id];
        let c = bound.compilation;
        let member = c.member_of_decl(unit, id as u32);
        let (Some(member), true) = (member, decl.kind.type_kind().is_none()) else {
            return Err(wrong("it is not in the body of a member", whole));
        };
        // Their method would be a local function, which sees their variables and takes no accessibility.
        if is_top_level(tree, root) {
            let help = "write a local function by hand, or put the statements into a method first";
            return Err(wrong("it is one of the top-level statements", help));
        }
        let owner = c.member(member).owner;
        if c.def(owner).kind == TypeKind::Interface {
            return Err(wrong("members of interfaces are not extracted", ""));
        }
        if c.member(member).signature.block_arity > 0 {
            let reason = "it is in an extension block whose type parameters a call of the method could not infer";
            return Err(wrong(
                reason,
                "make the member an extension method with `this`",
            ));
        }
        if has_directive(facts, tree.text, range) {
            return Err(wrong(
                "a directive stands in the code",
                "extract what is before or behind it",
            ));
        }
        Ok(Self {
            request,
            path,
            code,
            range,
            decl,
            member,
            owner,
            name: token.to_owned(),
            bound,
        })
    }

    fn tree(&self) -> &BodyTree<'a> {
        &self.bound.tree
    }

    /// The nodes of the code, with all that they contain.
    fn nodes(&self) -> std::ops::Range<BodyId> {
        match &self.code {
            Code::Statements(all) => all[0]..self.tree().node(all[all.len() - 1]).after,
            Code::Expression(id) => self.tree().within(*id),
        }
    }

    fn first(&self) -> BodyId {
        self.nodes().start
    }

    fn refused_at(&self, offset: u32, reason: &str, help: &str) -> EditError {
        let place = shown(self.path, self.tree().text, offset);
        self.request.refused(format!("{place}: {reason}"), help)
    }

    /// Refuses a name that something has already.
    fn check_name(&self) -> Result<(), EditError> {
        let c = self.bound.compilation;
        let name = c.name(&bare(&self.name));
        let help = "choose another name";
        for ty in c
            .self_and_bases(c.instance_type(self.owner))
            .collect::<Vec<_>>()
        {
            let Some(def) = c.def_of(ty) else { continue };
            let known = c.members(def).named(name).first().copied();
            if let Some(known) = known {
                return Err(self
                    .request
                    .refused(format!("`{}` has the name", c.display_member(known)), help));
            }
            if !c.nested_types(def, name).is_empty() || c.def(def).name == name {
                return Err(self.request.refused("a type has the name", help));
            }
        }
        let own = self.decl.range;
        let mut locals = self.bound.locals.declarations.iter();
        if let Some(local) =
            locals.find(|it| *it.name == *bare(&self.name) && it.range.overlaps(own))
        {
            return Err(self.refused_at(local.range.start, "a local has the name", help));
        }
        Ok(())
    }

    /// Whether the code uses the object that it belongs to.
    fn uses_instance(&self) -> bool {
        let (tree, c) = (self.tree(), self.bound.compilation);
        self.nodes().any(|id| match tree.kind(id) {
            BodyKind::This | BodyKind::Base => true,
            BodyKind::Name | BodyKind::GenericName => {
                let offset = tree.node(id).offset;
                if let Some(cortex_semantics::LocalSymbol::Parameter(member, _)) =
                    self.bound.local(offset)
                {
                    return c.member(member).is(MemberFlags::PRIMARY);
                }
                let is_behind_dot = tree.parent(id).is_some_and(|parent| {
                    matches!(
                        tree.kind(parent),
                        BodyKind::MemberAccess | BodyKind::AliasQualified | BodyKind::MemberBinding
                    ) && (tree.kind(parent) == BodyKind::MemberBinding
                        || tree.index_in_parent(id) > 0)
                });
                match self.bound.target(offset) {
                    Some(cortex_semantics::Target::Member(member)) => {
                        let declared = c.member(member);
                        !is_behind_dot
                            && !declared.is_static()
                            && declared.kind != DeclKind::Constructor
                    }
                    _ => false,
                }
            }
            _ => false,
        })
    }
}

/// Whether a declaration is that of top-level statements, which have no block around them.
fn is_top_level(tree: &BodyTree<'_>, root: BodyId) -> bool {
    let children = tree.children(root);
    let body = children.iter().find(|&&it| tree.kind(it) == BodyKind::Body);
    let first = body.and_then(|&it| tree.children(it).first().copied());
    first.is_some_and(|it| is_statement(tree.kind(it)) && tree.kind(it) != BodyKind::Block)
        || body.is_some_and(|&it| tree.children(it).len() > 1)
}

/// The statements or the expression that a range has.
fn code_in(tree: &BodyTree<'_>, range: ByteRange) -> Option<Code> {
    let tokens = tree.tokens_in(range);
    let (start, end) = (tokens.first()?.start, tokens.last()?.end);
    if start < range.start || end > range.end {
        return None;
    }
    let ids = 0..tree.facts.bodies.nodes().len() as BodyId;
    for id in ids.clone() {
        if tree.span(id).start != start || !is_statement(tree.kind(id)) {
            continue;
        }
        if tree.span(id).end == end && is_embedded(tree, id) {
            return Some(Code::Statements(vec![id]));
        }
        if !tree.is_in_list(id) {
            continue;
        }
        let siblings = tree.children(tree.parent(id)?);
        let mut all = Vec::new();
        for sibling in siblings.into_iter().skip_while(|&it| it != id) {
            all.push(sibling);
            if tree.span(sibling).end == end {
                return Some(Code::Statements(all));
            }
        }
    }
    let mut expressions = ids.filter(|&id| {
        let span = tree.span(id);
        span.start == start && span.end == end && is_expression(tree.kind(id))
    });
    expressions.next().map(Code::Expression)
}

/// Whether a statement stands where the language takes one, without braces around it.
fn is_embedded(tree: &BodyTree<'_>, id: BodyId) -> bool {
    let takes_one = |kind| {
        matches!(
            kind,
            BodyKind::If
                | BodyKind::While
                | BodyKind::Do
                | BodyKind::For
                | BodyKind::ForEach
                | BodyKind::ForEachDeconstruct
                | BodyKind::Using
                | BodyKind::Lock
                | BodyKind::Fixed
        )
    };
    !matches!(tree.kind(id), BodyKind::Block | BodyKind::LocalDeclaration)
        && is_statement(tree.kind(id))
        && (tree.parent(id)).is_some_and(|it| takes_one(tree.kind(it)))
}

/// Whether a node is an expression that can stand alone.
fn is_expression(kind: BodyKind) -> bool {
    !is_statement(kind)
        && !matches!(
            kind,
            BodyKind::Decl
                | BodyKind::Body
                | BodyKind::Accessor
                | BodyKind::Argument
                | BodyKind::Arguments
                | BodyKind::Declarator
                | BodyKind::Interpolation
                | BodyKind::MemberInit
                | BodyKind::AnonymousMember
                | BodyKind::MemberBinding
                | BodyKind::ElementBinding
                | BodyKind::ArrayInitializer
                | BodyKind::ObjectInitializer
                | BodyKind::CollectionInitializer
                | BodyKind::ElementInitializer
                | BodyKind::ConstantPattern
                | BodyKind::Initializer
                | BodyKind::ParameterDefault
                | BodyKind::Section
                | BodyKind::CaseLabel
                | BodyKind::ForInit
                | BodyKind::ForCondition
                | BodyKind::ForStep
                | BodyKind::When
                | BodyKind::Arm
                | BodyKind::Spread
                | BodyKind::FromClause
                | BodyKind::LetClause
                | BodyKind::WhereClause
                | BodyKind::JoinClause
                | BodyKind::OrderByClause
                | BodyKind::OrderKey
                | BodyKind::SelectClause
                | BodyKind::GroupClause
                | BodyKind::IntoClause
        )
}
