//! `change-signature`: a method or constructor gets, loses or reorders parameters, with its whole family, every call of
//! it and its documentation.
//!
//! Every use is either a call whose arguments follow, or the edit is refused with it. Must not know: whether the code
//! means the same afterwards ([`crate::proof`]).

mod arguments;
mod calls;
mod declared;
mod list;
mod names;
mod shape;
mod types;

use std::collections::{BTreeMap, BTreeSet};

use cortex_derived::{doc_ids::DocIds, target::Target};
use cortex_index::Symbols;
use cortex_look::{
    QueryError,
    uses::{edit_target, uses, whole_family},
    viewpoint::Viewpoint,
};
use cortex_model::{ByteRange, DeclKind, RepoPath, TypeKind};
use cortex_semantics::{Compilation, MemberFlags, MemberId, ProjectId, UnitKey};
use cortex_syntax::{BodyId, BodyKind, FileFacts, Sections, text::decode};
use cortex_wire::{EditKind, EditWarning, Subject, WarningReason};

use self::{
    arguments::{Argument, NewParameter, Parameter, arguments},
    calls::{Form, Site, shown, sites},
    list::{Code, Item},
    shape::Shape,
};
use crate::{
    EditError,
    body_tree::BodyTree,
    conflicts::Locals,
    draft::Draft,
    plan::{MovedParameters, Plan},
    proof::PlaceBefore,
    rename::{declared as declarations, global},
    text_edit::{StartIs, TextEdit, TextEdits},
};

/// A method or constructor gets other parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChangeSignature<'r> {
    /// The member, as any question names it.
    pub symbol: &'r str,
    /// A new parameter.
    pub add: Option<AddedParameter<'r>>,
    /// The names of parameters that go.
    pub remove: &'r [String],
    /// The names of all parameters that there will be, in order; none where the order stays. One that gets another
    /// name may be named by either.
    pub order: &'r [String],
    /// The new names of parameters, by the names that they have.
    pub rename: &'r BTreeMap<String, String>,
    /// The new types of parameters, by the names that they have.
    pub retype: &'r BTreeMap<String, String>,
}

/// A parameter that a member gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AddedParameter<'r> {
    /// Its declaration.
    pub parameter: &'r str,
    /// What calls pass for it; where there is nothing, they leave it out.
    pub value: Option<&'r str>,
    /// Its position among the new parameters, from 0; where none is given, the last one that the language allows.
    pub at: Option<usize>,
}

impl ChangeSignature<'_> {
    fn title(&self) -> String {
        let symbol = self.symbol;
        let mut parts = Vec::new();
        if let Some(add) = &self.add {
            parts.push(format!("add `{}` to", add.parameter.trim()));
        }
        if !self.remove.is_empty() {
            parts.push(format!("remove `{}` from", self.remove.join("`, `")));
        }
        let renames = self.rename.iter();
        parts.extend(renames.map(|(old, new)| format!("rename `{old}` to `{new}` in")));
        let types = self.retype.iter();
        parts.extend(types.map(|(name, ty)| format!("give `{name}` the type `{ty}` in")));
        if parts.is_empty() || !self.order.is_empty() {
            parts.push("reorder".to_owned());
        }
        format!("{} the parameters of `{symbol}`", parts.join(", "))
    }

    fn refused(&self, reason: impl Into<String>, help: Vec<String>) -> EditError {
        EditError::Refused {
            doing: self.title(),
            reason: reason.into(),
            help,
        }
    }
}

/// What is found in all views.
#[derive(Default)]
struct Change {
    edits: BTreeMap<RepoPath, Vec<TextEdit>>,
    /// New names and types, which stand inside of what other edits may move.
    inner: BTreeMap<RepoPath, BTreeSet<TextEdit>>,
    warnings: Vec<EditWarning>,
    /// Where arguments of parameters with new types start.
    arguments: BTreeSet<(RepoPath, u32)>,
    /// The declarations with their documentation, where strings and comments may have the old names.
    ranges: BTreeMap<RepoPath, Vec<cortex_model::ByteRange>>,
    /// Where members of the family are declared: the file, and the offset of the name.
    places: BTreeSet<(RepoPath, u32)>,
    names: BTreeSet<String>,
    subject: Option<Subject>,
    shape: Option<Shape>,
    n_family: usize,
}

/// A signature that is planned.
pub(crate) struct Planned {
    pub(crate) draft: Draft,
    pub(crate) warnings: Vec<EditWarning>,
    /// The names that go, and where strings and comments may have them.
    pub(crate) old_names: BTreeSet<String>,
    /// See above: parts of files as they are.
    pub(crate) ranges: BTreeMap<RepoPath, Vec<cortex_model::ByteRange>>,
}

/// Plans another signature. In the tuples that start at places of `tuples` the names that elements take from parameters
/// with other names are written out.
///
/// # Errors
/// [`EditError::Refused`] with the place where a use cannot follow; [`EditError::NoChange`]; those of the index.
pub(crate) fn plan_signature(
    views: &[(&Viewpoint<'_>, &Symbols)],
    request: &ChangeSignature<'_>,
    tuples: &BTreeSet<PlaceBefore>,
) -> Result<Planned, EditError> {
    let mut change = Change::default();
    for (at, (view, symbols)) in views.iter().enumerate() {
        match add_view(view, symbols, (request, tuples), &mut change) {
            Ok(()) => {}
            // Another framework need not have it.
            Err(EditError::Query(QueryError::SymbolNotFound { .. })) if at > 0 => {}
            Err(error) => return Err(error),
        }
    }
    let (view, _) = views[0];
    let Some(shape) = change.shape else {
        return Err(request.refused(
            "the compiler makes it, so that nothing declares it",
            Vec::new(),
        ));
    };
    let mut edits = BTreeMap::new();
    for (path, of_file) in names::together(change.edits, change.inner) {
        let of_file = TextEdits::new(of_file).ok_or_else(|| {
            let reason = format!("two projects or calls need other edits at one place of `{path}`");
            request.refused(reason, vec!["change the code there first, so that calls do not stand in arguments of each other".to_owned()])
        })?;
        edits.insert(path, of_file);
    }
    let mut plan = Plan::of_edits(view.index, view.side, edits, &BTreeMap::new())?;
    plan.parameters = MovedParameters {
        declarations: change.places,
        new_positions: (0..)
            .take(shape.order.len() + request.remove.len())
            .map(|old| {
                shape
                    .order
                    .iter()
                    .position(|it| *it == Some(old))
                    .map(|it| it as u16)
            })
            .collect(),
        added: (shape.order.iter().position(Option::is_none)).map(|it| it as u16),
        retyped: (shape.retyped.keys())
            .filter_map(|old| Some((*old as u16, shape.place_of(*old)? as u16)))
            .collect(),
        retyped_arguments: change.arguments,
    };
    let draft = Draft {
        kind: EditKind::ChangeSignature,
        title: request.title(),
        subject: change.subject,
        n_family: change.n_family,
        names: change.names,
        locals: Locals::Renamed,
        old_name: None,
        left_alone: BTreeMap::new(),
        plan,
    };
    Ok(Planned {
        draft,
        warnings: change.warnings,
        old_names: (shape.renamed.values().map(|it| it.old.clone())).collect(),
        ranges: change.ranges,
    })
}

/// Adds what one target framework sees.
fn add_view(
    view: &Viewpoint<'_>,
    symbols: &Symbols,
    (request, tuples): (&ChangeSignature<'_>, &BTreeSet<PlaceBefore>),
    change: &mut Change,
) -> Result<(), EditError> {
    let target = edit_target(view, request.symbol)?;
    let members: Vec<Target> = (target.symbols.iter().copied())
        .filter(|it| matches!(it, Target::Member(..)))
        .collect();
    if members.len() != target.symbols.len() {
        let help = "name a method, or a constructor as `Type.#ctor` or by its id".to_owned();
        return Err(request.refused("it is a type, and types have no parameters", vec![help]));
    }
    let family = whole_family(view, &members)?;
    if let Some(outside) = family.outside.first() {
        let reason = format!("it implements or overrides `{outside}`, which is not declared here");
        return Err(request.refused(reason, Vec::new()));
    }
    let mut ids = DocIds::new(view.snapshot());
    let mut doc_ids = Vec::with_capacity(family.members.len());
    for symbol in &family.members {
        let Target::Member(key, tag) = symbol else {
            continue;
        };
        doc_ids.push((*key, ids.of(*key, Some(*tag))?, members.contains(symbol)));
    }
    let own = doc_ids
        .iter()
        .filter(|it| it.2)
        .filter_map(|it| it.1.as_deref());
    if let Some(help) = global::overloads(own) {
        let help = help.replacen("rename one of", "name one of", 1);
        return Err(request.refused("it names several overloads", vec![help]));
    }
    change.n_family = change.n_family.max(family.members.len() - members.len());
    change.subject.get_or_insert(target.subject);
    let mut files: BTreeSet<RepoPath> = uses(view, &family.members)?
        .into_iter()
        .map(|place| place.file)
        .collect();
    symbols.read(|compilation| {
        let mut add = || -> Result<(), EditError> {
            let mut all = Vec::new();
            for (key, doc_id, is_own) in &doc_ids {
                let ty = declarations::type_id(compilation, *key)?;
                if let Some(member) = global::member_of(compilation, ty, doc_id.as_deref()) {
                    all.push((member, *is_own));
                }
            }
            all.sort_by_key(|(_, is_own)| !*is_own);
            let here = Here {
                view,
                symbols,
                compilation,
                request,
            };
            let family: Vec<MemberId> = all.iter().map(|(member, _)| *member).collect();
            for &member in &family {
                here.check(member)?;
                if change.shape.is_none() {
                    change.shape = Some(here.shape(member)?);
                }
            }
            let Some(shape) = change.shape.clone() else {
                return Ok(());
            };
            for &member in &family {
                here.check_family(member, &shape)?;
                here.check_constructor(member, &shape)?;
                here.check_copy(member, &shape)?;
                here.check_attribute_value(member, &shape)?;
                files.extend(here.files_of(member)?);
            }
            // What moves takes its new names and types along.
            here.add_names(&files, &family, (&shape, tuples), change)?;
            here.add_types(&family, &shape, change)?;
            for &member in &family {
                here.declarations(member, &shape, change)?;
            }
            for path in &files {
                here.uses_in(path, &family, &shape, change)?;
            }
            Ok(())
        };
        Ok(add())
    })?
}

/// One view with its compilation.
struct Here<'a, 'v, 'w> {
    view: &'a Viewpoint<'v>,
    symbols: &'a Symbols,
    compilation: &'a Compilation<'w>,
    request: &'a ChangeSignature<'a>,
}

impl Here<'_, '_, '_> {
    /// Refuses members whose parameters are not written as those of methods.
    fn check(&self, member: MemberId) -> Result<(), EditError> {
        let declared = self.compilation.member(member);
        let reason = match declared.kind {
            _ if declared.is(MemberFlags::PRIMARY) || declared.is(MemberFlags::POSITIONAL) => {
                "it is a primary constructor: what uses its parameters cannot follow yet"
            }
            _ if declared.is(MemberFlags::SYNTHESIZED) => {
                "the compiler makes it, so that nothing declares it"
            }
            _ if declared.is(MemberFlags::EXTENSION_BLOCK) => {
                "it is a member of an `extension` block: what calls it cannot follow yet"
            }
            DeclKind::Method | DeclKind::Constructor => return Ok(()),
            _ => "only methods and constructors can get other parameters",
        };
        Err(self.request.refused(reason, Vec::new()))
    }

    fn parameters(&self, member: MemberId) -> Vec<Parameter> {
        let params = self.compilation.member(member).signature.params.iter();
        params
            .map(|param| Parameter {
                name: self.compilation.text(param.name).to_owned(),
                new_name: self.compilation.text(param.name).to_owned(),
                is_params: param.is_params,
            })
            .collect()
    }

    /// Refuses a constructor that constructors of derived types call without naming it.
    fn check_constructor(&self, member: MemberId, shape: &Shape) -> Result<(), EditError> {
        let declared = self.compilation.member(member);
        let params = &declared.signature.params;
        let was_open = params.iter().all(|it| it.is_optional || it.is_params);
        let is_open = shape.order.iter().all(|it| match it {
            Some(at) => params[*at].is_optional || params[*at].is_params,
            None => shape.added.as_ref().is_some_and(|it| it.is_optional),
        });
        let owner = self.compilation.header(declared.owner);
        let is_base = !owner.flags.has(cortex_semantics::TypeFlags::SEALED);
        if declared.kind == DeclKind::Constructor && was_open && !is_open && is_base {
            let help = "give the parameter a default value, or seal the type first".to_owned();
            let reason =
                "derived types may call it without naming it, and `new()` without arguments";
            return Err(self.request.refused(reason, vec![help]));
        }
        Ok(())
    }

    /// Refuses a constructor that becomes the copy constructor of its record, or is no longer that: `with` calls it (C#
    /// specification of records).
    fn check_copy(&self, member: MemberId, shape: &Shape) -> Result<(), EditError> {
        let c = self.compilation;
        let declared = c.member(member);
        if declared.kind != DeclKind::Constructor || c.def(declared.owner).kind != TypeKind::Record
        {
            return Ok(());
        }
        let is_own = |ty| c.def_of(ty) == Some(declared.owner);
        let params = &declared.signature.params;
        let was_copy = params.len() == 1 && is_own(params[0].ty);
        let name = c.text(c.def(declared.owner).name);
        let is_written = |text: &str| {
            let text = text.trim().trim_end_matches('?');
            let last = text.rsplit(['.', ':']).next().unwrap_or_default();
            last == name
                || last.starts_with(&format!("{name}<"))
                || last.starts_with(&format!("{name}{{"))
        };
        let is_copy = match shape.order[..] {
            [Some(at)] => match shape.retyped.get(&at) {
                Some(ty) => is_written(ty),
                None => is_own(params[at].ty),
            },
            [None] => shape.added.as_ref().is_some_and(|it| is_written(&it.ty)),
            _ => false,
        };
        let reason = match (was_copy, is_copy) {
            (false, true) => "it would be the copy constructor of the record, which `with` calls",
            (true, false) => "it is the copy constructor of the record, which `with` calls",
            _ => return Ok(()),
        };
        let help = "give it another parameter, or make it a method first".to_owned();
        Err(self.request.refused(reason, vec![help]))
    }

    /// Refuses a value that attributes cannot pass: they take constants, types and arrays of them (C# specification, 23.2).
    fn check_attribute_value(&self, member: MemberId, shape: &Shape) -> Result<(), EditError> {
        let c = self.compilation;
        let declared = c.member(member);
        let value = shape.added.as_ref().and_then(|it| it.value.as_deref());
        let is_attribute = c.self_and_bases(c.instance_type(declared.owner)).any(|it| {
            let def = c.def_of(it).map(|def| c.def(def));
            def.is_some_and(|def| {
                c.text(def.name) == "Attribute" && c.text(def.namespace) == "System"
            })
        });
        match value {
            Some(value)
                if declared.kind == DeclKind::Constructor
                    && is_attribute
                    && !may_be_constant(value) =>
            {
                let reason = format!("attributes would pass `{value}`, which is no constant");
                let help = "give a constant, `typeof`, or an array of these".to_owned();
                Err(self.request.refused(reason, vec![help]))
            }
            _ => Ok(()),
        }
    }

    /// Adds what becomes of the uses in a file, in each project that compiles it.
    fn uses_in(
        &self,
        path: &RepoPath,
        family: &[MemberId],
        shape: &Shape,
        change: &mut Change,
    ) -> Result<(), EditError> {
        let Some(file) = self.view.snapshot().file(path)? else {
            return Ok(());
        };
        let bytes = self.view.blobs().read_blob(file.blob)?;
        let source = decode(&bytes);
        let code = Code::with(source.as_str(), change.inner.get(path));
        for project in file
            .projects
            .iter()
            .filter_map(|it| self.symbols.project_index(it))
        {
            let Some(facts) = self.symbols.facts(path, project, Sections::Bodies)? else {
                continue;
            };
            let key = UnitKey {
                path: path.clone(),
                project: ProjectId::new(project),
            };
            let bound = self.compilation.bind_unit(&key, &facts);
            let sites = sites(self.compilation, (&facts, &bound), &code, family);
            if sites.is_empty() {
                continue;
            }
            let trees = self.expression_trees(&key, &facts, code.text);
            for site in sites {
                let is_in_tree = trees.iter().any(|range| range.contains(site.offset));
                let around = match is_in_tree {
                    true => Around::ExpressionTree,
                    false => Around::Code,
                };
                self.follow(path, &code, (&site, around), shape, change)?;
            }
        }
        Ok(())
    }

    /// The lambdas of a file that become expression trees.
    fn expression_trees(&self, key: &UnitKey, facts: &FileFacts, text: &str) -> Vec<ByteRange> {
        let (tree, c) = (BodyTree::new(facts, text), self.compilation);
        let all = 0..facts.bodies.nodes().len() as BodyId;
        let lambdas: Vec<BodyId> = all
            .filter(|&id| tree.kind(id) == BodyKind::Lambda)
            .collect();
        if lambdas.is_empty() {
            return Vec::new();
        }
        let types = c.bind_expressions(key, facts);
        let is_tree = |id: BodyId| {
            let converted = types.type_of(id).and_then(|it| it.converted);
            let def = converted.and_then(|ty| c.def_of(ty)).map(|def| c.def(def));
            def.is_some_and(|def| {
                c.text(def.name) == "Expression"
                    && c.text(def.namespace) == "System.Linq.Expressions"
            })
        };
        let trees = lambdas.into_iter().filter(|&id| is_tree(id));
        trees.map(|id| tree.span(id)).collect()
    }

    /// Adds what becomes of one use.
    fn follow(
        &self,
        path: &RepoPath,
        code: &Code<'_>,
        (site, around): (&Site, Around),
        shape: &Shape,
        change: &mut Change,
    ) -> Result<(), EditError> {
        let place = || shown(path, code.text, site.offset);
        let refused = |reason: &str| {
            let help = "change that place first".to_owned();
            self.request
                .refused(format!("{}: {reason}", place()), vec![help])
        };
        let edits = match &site.form {
            Form::Name => Vec::new(),
            Form::Other(reason) if shape.moves_arguments() => return Err(refused(reason)),
            // It goes on calling what has other names.
            Form::Other(_) => Vec::new(),
            Form::Documentation(end) => declared::documented_types(code, *end, shape),
            Form::Bare(end) => {
                let made = self
                    .new_arguments(site.member, shape, &[], false)
                    .map_err(|it| refused(&it))?;
                let texts: Vec<String> = (made.items.into_iter())
                    .filter_map(|item| match item {
                        Item::New(text) => Some(text),
                        Item::Kept(..) => None,
                    })
                    .collect();
                match texts.is_empty() {
                    true => Vec::new(),
                    false => vec![TextEdit {
                        range: ByteRange {
                            start: *end as u32,
                            end: *end as u32,
                        },
                        text: format!("({})", texts.join(", ")),
                        start: StartIs::New,
                    }],
                }
            }
            Form::Call {
                open,
                n_arguments,
                n_settings,
                starts,
                is_reduced,
            } => {
                let list = code.arguments(*open, n_arguments + n_settings, starts);
                let list = list.ok_or_else(|| refused("its arguments cannot be read"))?;
                let all: Vec<Argument> = (list.items[..*n_arguments].iter())
                    .map(|&range| argument(code, range))
                    .collect();
                let made = self.new_arguments(site.member, shape, &all, *is_reduced);
                let mut made = made.map_err(|it| refused(&it))?;
                if around == Around::ExpressionTree {
                    let n_receivers = usize::from(*is_reduced);
                    let was_whole = all.len() + n_receivers == self.parameters(site.member).len();
                    if was_whole && made.items.len() + n_receivers < shape.order.len() {
                        return Err(refused(LEFT_OUT_IN_TREE));
                    }
                    let is_named =
                        |item: &Item| matches!(item, Item::Kept(_, name) if !name.is_empty());
                    if made.items.iter().any(is_named) {
                        return Err(refused(NAMED_IN_TREE));
                    }
                }
                for dropped in made.dropped {
                    let name = code.text[list.items[dropped].as_usize()].to_owned();
                    change
                        .warnings
                        .push(dropped_argument(path, code.text, site.offset, name));
                }
                let moved = self.retyped_arguments(
                    code,
                    (site.member, shape),
                    &list.items[..*n_arguments],
                    *is_reduced,
                );
                (change.arguments).extend(moved.into_iter().map(|it| (path.clone(), it)));
                let settings = *n_arguments..n_arguments + n_settings;
                made.items
                    .extend(settings.map(|at| Item::Kept(at, String::new())));
                list::edits(code, &list, &made.items)
            }
        };
        change.edits.entry(path.clone()).or_default().extend(edits);
        Ok(())
    }

    fn new_arguments(
        &self,
        member: MemberId,
        shape: &Shape,
        all: &[Argument],
        is_reduced: bool,
    ) -> Result<arguments::NewArguments, String> {
        let new: Vec<NewParameter> = (shape.order.iter())
            .map(|it| match (it, &shape.added) {
                (None, Some(added)) => NewParameter::Added {
                    name: added.name.clone(),
                    value: added.value.clone(),
                    is_optional: added.is_optional,
                },
                (at, _) => NewParameter::Old(at.unwrap_or_default()),
            })
            .collect();
        let mut old = self.parameters(member);
        for (at, renamed) in &shape.renamed {
            if old[*at].name == renamed.old {
                old[*at].new_name.clone_from(&renamed.token);
            }
        }
        arguments(&old, &new, all, is_reduced)
    }
}

/// What a use stands in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Around {
    /// Code that runs.
    Code,
    /// A lambda that becomes an expression tree, where C# before 14 takes positional arguments alone, and all of them.
    ExpressionTree,
}

const LEFT_OUT_IN_TREE: &str = "an expression tree would leave the new argument out, which not every version of the language allows";
const NAMED_IN_TREE: &str =
    "an expression tree would name an argument, which not every version of the language allows";

fn dropped_argument(path: &RepoPath, text: &str, offset: u32, name: String) -> EditWarning {
    let before = &text.as_bytes()[..offset as usize];
    EditWarning {
        file: path.clone(),
        line: before.iter().filter(|&&byte| byte == b'\n').count() as u32 + 1,
        name,
        reason: WarningReason::NotEvaluated,
    }
}

/// Whether an expression only reads names and computes with them.
fn is_quiet(value: &str) -> bool {
    const WORDS: [&str; 9] = [
        "await",
        "new",
        "throw",
        "ref",
        "out",
        "in",
        "stackalloc",
        "with",
        "switch",
    ];
    let is_plain =
        |it: char| it.is_alphanumeric() || it.is_whitespace() || "_.@-+*/%&|?:!<>\"'".contains(it);
    let changes = value.contains("++") || value.contains("--");
    let mut words = value.split(|it: char| !it.is_alphanumeric() && it != '_');
    value.chars().all(is_plain) && !changes && !words.any(|word| WORDS.contains(&word))
}

/// Whether an expression may be a constant, as far as its form says.
fn may_be_constant(value: &str) -> bool {
    let code = format!("class C {{ object M() => {value}; }}");
    let facts = cortex_syntax::extract(code.as_bytes(), &cortex_syntax::ParseOptions::default());
    let tree = BodyTree::new(&facts, &code);
    let is_function = |id: BodyId| {
        let callee = tree.children(id).first().copied();
        callee.is_some_and(|it| tree.text_of(it) == "nameof")
    };
    tree.nodes().all(|id| match tree.kind(id) {
        BodyKind::ObjectCreation
        | BodyKind::ImplicitCreation
        | BodyKind::AnonymousObject
        | BodyKind::Lambda
        | BodyKind::AnonymousMethod
        | BodyKind::Assignment
        | BodyKind::Postfix
        | BodyKind::ElementAccess
        | BodyKind::ConditionalAccess
        | BodyKind::Tuple
        | BodyKind::Await
        | BodyKind::ThrowExpression
        | BodyKind::This
        | BodyKind::SwitchExpression
        | BodyKind::Is
        | BodyKind::As
        | BodyKind::Range
        | BodyKind::With => false,
        BodyKind::Invocation => is_function(id),
        _ => true,
    })
}

/// Reads an argument as written.
fn argument(code: &Code<'_>, range: cortex_model::ByteRange) -> Argument {
    let text = &code.text[range.as_usize()];
    let word = text.len()
        - text
            .trim_start_matches(|it: char| it.is_alphanumeric() || it == '_' || it == '@')
            .len();
    let rest = text[word..].trim_start();
    let is_named = word > 0 && rest.starts_with(':') && !rest.starts_with("::");
    let (name, value) = match is_named {
        true => (
            Some(text[..word].trim_start_matches('@').to_owned()),
            rest[1..].trim(),
        ),
        false => (None, text),
    };
    let is_call = (value.starts_with("nameof(")
        || value.starts_with("typeof(")
        || value.starts_with("default("))
        && value.matches('(').count() == 1;
    let is_quiet = code.is_literal(range) || is_call || is_quiet(value);
    Argument {
        name,
        has_effect: !is_quiet,
        value_at: (text.len() - value.len()) as u32,
    }
}
