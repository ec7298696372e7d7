//! What declarations do that no code names: initial values are evaluated, static constructors and finalizers run,
//! records print and compare what they hold.
//!
//! Must not know: who uses a declaration.

use cortex_index::Symbols;
use cortex_look::viewpoint::Viewpoint;
use cortex_model::{Accessibility, DeclKind, Modifier, RepoPath};
use cortex_semantics::{Compilation, ProjectId, Target, TypeId, UnitKey};
use cortex_syntax::{
    BodyId, BodyKind, Decl, DeclId, FileFacts, Sections, TypeSyntax, text::decode,
};
use cortex_wire::{Doubt, DoubtReason};

use crate::{
    EditError,
    body_tree::BodyTree,
    evaluation::{Bound, Effect},
    located::{Declaration, Located},
    proof::Proof,
};

/// Types from outside whose constructors and static members do nothing that other code sees. Those of collections are
/// like them.
const INERT: [&str; 18] = [
    "System.Array",
    "System.DateTime",
    "System.DateTimeOffset",
    "System.Guid",
    "System.Linq.Enumerable",
    "System.Math",
    "System.Object",
    "System.Random",
    "System.String",
    "System.StringComparer",
    "System.Text.Encoding",
    "System.Text.RegularExpressions.Regex",
    "System.Text.StringBuilder",
    "System.Threading.Lock",
    "System.Threading.SemaphoreSlim",
    "System.TimeSpan",
    "System.Version",
    "System.WeakReference",
];

const COLLECTIONS: &str = "System.Collections";

/// Adds a doubt for each declaration that goes from a type which stays, and does something unnamed.
///
/// # Errors
/// Those of the index.
pub(crate) fn add_unnamed_effects(
    (view, symbols): (&Viewpoint<'_>, &Symbols),
    located: &Located,
    found: &mut Proof,
) -> Result<(), EditError> {
    for declaration in &located.declarations {
        let decl = declaration.decl();
        let is_it = match runs(declaration) {
            Runs::Always => true,
            Runs::Never => false,
            Runs::Initially => {
                initial_effect((view, symbols), declaration, decl)? == Some(Effect::Does)
            }
        };
        if is_it {
            add_doubt(declaration, found);
        }
    }
    Ok(())
}

/// Adds a doubt where the initial value of a static member that goes to another type is evaluated at another time, and
/// that may be seen: values of each type are evaluated in the order of its text, when one of them is first used.
///
/// # Errors
/// Those of the index.
pub(crate) fn add_other_time(
    (view, symbols): (&Viewpoint<'_>, &Symbols),
    (member, target): (&Declaration, &[Declaration]),
    found: &mut Proof,
) -> Result<(), EditError> {
    let Some(own) = initial_effect((view, symbols), member, member.decl())? else {
        return Ok(());
    };
    let most = |of: &Declaration, parent: u32| -> Result<Effect, EditError> {
        let is_other = |decl: &&Decl| {
            decl.parent == Some(parent)
                && decl.modifiers.contains(Modifier::Static)
                && decl.name_range != member.decl().name_range
        };
        let mut most = Effect::None;
        for decl in of.facts.decls.iter().filter(is_other) {
            let effect = initial_effect((view, symbols), of, decl)?;
            most = most.max(effect.unwrap_or(Effect::None));
        }
        Ok(most)
    };
    let mut before = Effect::None;
    for part in target {
        before = before.max(most(part, part.id)?);
    }
    let left = match member.decl().parent {
        Some(parent) => most(member, parent)?,
        None => Effect::None,
    };
    if own == Effect::Does || left == Effect::Does || before > Effect::None {
        add_doubt(member, found);
    }
    Ok(())
}

fn add_doubt(declaration: &Declaration, found: &mut Proof) {
    let decl = declaration.decl();
    let key = (declaration.path.clone(), decl.name_range.start);
    found.doubts.entry(key).or_insert(Doubt {
        file: declaration.path.clone(),
        line: decl.line,
        reason: DoubtReason::RunsUnnamed,
        used_by: None,
    });
}

/// When a declaration does something without being named.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Runs {
    Never,
    /// Where its initial value does.
    Initially,
    Always,
}

fn runs(declaration: &Declaration) -> Runs {
    let decl = declaration.decl();
    if holds_value_of_record(declaration)
        || takes_place_of_made(declaration)
        || has_layout(declaration)
    {
        return Runs::Always;
    }
    match decl.kind {
        DeclKind::StaticConstructor | DeclKind::Finalizer => Runs::Always,
        DeclKind::Method if has_attribute(&declaration.facts, decl, "ModuleInitializer") => {
            Runs::Always
        }
        DeclKind::Field | DeclKind::Property | DeclKind::Event => Runs::Initially,
        _ => Runs::Never,
    }
}

/// Whether a record prints or compares a member (C# specification of records).
fn holds_value_of_record(declaration: &Declaration) -> bool {
    let decl = declaration.decl();
    let is_of_record = (declaration.parent())
        .is_some_and(|it| matches!(it.kind, DeclKind::Record | DeclKind::RecordStruct));
    let is_static = decl.modifiers.contains(Modifier::Static);
    let is_public = decl.accessibility == Some(Accessibility::Public);
    let has_code = |decl: &Decl| {
        decl.accessors.is_empty() || decl.accessors.iter().any(|accessor| accessor.has_body)
    };
    let is_printed_or_compared = match decl.kind {
        DeclKind::Field | DeclKind::Event => true,
        DeclKind::Property => is_public || !has_code(decl),
        _ => false,
    };
    is_of_record && !is_static && is_printed_or_compared
}

/// Whether a member of a record stands in the place of one that the compiler makes, and runs where that would (C#
/// specification of records, §15.16).
fn takes_place_of_made(declaration: &Declaration) -> bool {
    const MADE: [&str; 6] = [
        "Deconstruct",
        "EqualityContract",
        "Equals",
        "GetHashCode",
        "PrintMembers",
        "ToString",
    ];
    let (facts, decl) = (&declaration.facts, declaration.decl());
    let record = (declaration.parent())
        .filter(|it| matches!(it.kind, DeclKind::Record | DeclKind::RecordStruct));
    let Some(record) = record else {
        return false;
    };
    match decl.kind {
        DeclKind::Method | DeclKind::Property => MADE.contains(&facts.name(decl.name)),
        // Code copies by it (`with`).
        DeclKind::Constructor => match decl.params.as_deref() {
            Some([param]) => {
                let ty = param.ty.as_ref().and_then(|ty| written_name(facts, ty));
                ty == Some(facts.name(record.name))
            }
            _ => false,
        },
        _ => false,
    }
}

/// The last name of a type, as written.
fn written_name<'f>(facts: &'f FileFacts, ty: &TypeSyntax) -> Option<&'f str> {
    let TypeSyntax::Named(segments) = ty else {
        return None;
    };
    let last = facts.refs.get(segments.last()?.reference as usize)?;
    Some(facts.name(last.name))
}

/// Whether a field is part of a layout that code from outside relies on.
fn has_layout(declaration: &Declaration) -> bool {
    let is_field = declaration.decl().kind == DeclKind::Field
        && !declaration.decl().modifiers.contains(Modifier::Static);
    let parent = declaration.parent().filter(|_| is_field);
    parent.is_some_and(|it| {
        ["StructLayout", "InlineArray"]
            .iter()
            .any(|class| has_attribute(&declaration.facts, it, class))
    })
}

fn has_attribute(facts: &FileFacts, decl: &Decl, class: &str) -> bool {
    decl.attributes.iter().any(|attribute| {
        let name = written_name(facts, &attribute.name).unwrap_or_default();
        name.strip_suffix("Attribute").unwrap_or(name) == class
    })
}

/// What evaluating the initial value of a declaration depends on and does, at most in the projects that compile it;
/// `None` where it has none. `beside`: a declaration of the same file.
fn initial_effect(
    (view, symbols): (&Viewpoint<'_>, &Symbols),
    beside: &Declaration,
    decl: &Decl,
) -> Result<Option<Effect>, EditError> {
    let path: &RepoPath = &beside.path;
    let Some(file) = view.snapshot().file(path)? else {
        return Ok(None);
    };
    let mut most = None;
    let bytes = view.blobs().read_blob(file.blob)?;
    let source = decode(&bytes);
    for project in symbols.projects_of(path)? {
        let Some(facts) = symbols.facts(path, project, Sections::Bodies)? else {
            continue;
        };
        let key = UnitKey {
            path: path.clone(),
            project: ProjectId::new(project),
        };
        let identifiers = symbols.identifiers(&bytes, project);
        let name_at = decl.name_range.start;
        let effect = symbols.read(|compilation| {
            let tree = BodyTree::new(&facts, source.as_str());
            let Some(value) = initial_value(&tree, name_at) else {
                return Ok(None);
            };
            let bound = Bound::new(
                compilation,
                tree,
                compilation.bind_expressions(&key, &facts),
                compilation.local_bindings(&key, &facts, &identifiers),
            );
            Ok(Some(effect_of(&bound, value)))
        })?;
        most = most.max(effect);
    }
    Ok(most)
}

/// What evaluating a value depends on and does, but for objects that it makes.
fn effect_of(bound: &Bound<'_, '_>, value: BodyId) -> Effect {
    if !is_inert(bound, value) {
        return Effect::Does;
    }
    let mut nodes = bound.tree.within(value);
    match nodes.any(|id| bound.effect_of_node(id) == Effect::Reads) {
        true => Effect::Reads,
        false => Effect::None,
    }
}

/// The initial value of the declaration whose name is at an offset.
fn initial_value(tree: &BodyTree<'_>, name_at: u32) -> Option<BodyId> {
    let mut decls = tree.facts.decls.iter();
    let decl = decls.position(|decl| decl.name_range.start == name_at)?;
    let root = tree.root_of(decl as DeclId)?;
    let mut parts = tree.children(root).into_iter();
    parts.find(|&part| tree.kind(part) == BodyKind::Initializer)
}

/// Whether evaluating a value does nothing that other code sees: it may make objects.
fn is_inert(bound: &Bound<'_, '_>, value: BodyId) -> bool {
    let tree = &bound.tree;
    let mut at = value;
    let end = tree.node(value).after;
    while at < end {
        if is_not_evaluated(bound, at) {
            at = tree.node(at).after;
            continue;
        }
        let is_inert = match tree.kind(at) {
            BodyKind::Initializer
            | BodyKind::ArrayCreation
            | BodyKind::ImplicitArray
            | BodyKind::ArrayInitializer
            | BodyKind::CollectionExpression
            | BodyKind::CollectionInitializer
            | BodyKind::ElementInitializer
            | BodyKind::AnonymousObject
            | BodyKind::AnonymousMember => true,
            BodyKind::ObjectCreation | BodyKind::ImplicitCreation => makes_inert(bound, at),
            BodyKind::Invocation => {
                let callee = tree.children(at).first().copied();
                callee.is_some_and(|it| is_inert_member(bound, last_name(tree, it)))
            }
            BodyKind::Name | BodyKind::GenericName => {
                is_inert_member(bound, at) || bound.effect_of_node(at) < Effect::Does
            }
            _ => bound.effect_of_node(at) < Effect::Does,
        };
        if !is_inert || !uses_inert(bound, at) {
            return false;
        }
        at += 1;
    }
    true
}

/// Whether what a node contains is not evaluated with it.
fn is_not_evaluated(bound: &Bound<'_, '_>, id: BodyId) -> bool {
    let is_deferred = matches!(
        bound.tree.kind(id),
        BodyKind::Lambda
            | BodyKind::AnonymousMethod
            | BodyKind::TypeOf
            | BodyKind::SizeOf
            | BodyKind::Default
    );
    is_deferred || bound.is_name_of(id)
}

/// Whether all members that are used at a node and not named are such, like `Add` of a list.
fn uses_inert(bound: &Bound<'_, '_>, id: BodyId) -> bool {
    let c = bound.compilation;
    let offset = bound.tree.node(id).offset;
    let decls = bound.expressions.unit.decls.iter();
    let mut used = decls
        .flat_map(|(_, findings)| &findings.uses)
        .filter(|it| it.offset == offset);
    used.all(|it| is_inert_definition(c, c.member(it.target).owner))
}

/// The name whose member an expression means.
fn last_name(tree: &BodyTree<'_>, expression: BodyId) -> BodyId {
    match tree.kind(expression) {
        BodyKind::MemberAccess => (tree.children(expression).last().copied()).unwrap_or(expression),
        _ => expression,
    }
}

fn is_inert_member(bound: &Bound<'_, '_>, name: BodyId) -> bool {
    let Some(Target::Member(member)) = bound.target(bound.tree.node(name).offset) else {
        return false;
    };
    is_inert_definition(bound.compilation, bound.compilation.member(member).owner)
}

/// Whether a creation makes an object of such a type; `new()` makes one of the type that its place wants.
fn makes_inert(bound: &Bound<'_, '_>, creation: BodyId) -> bool {
    let known = bound.expressions.type_of(creation);
    let types = known
        .into_iter()
        .flat_map(|it| [Some(it.own), it.converted]);
    let mut definitions = types
        .flatten()
        .filter_map(|ty| bound.compilation.def_of(ty));
    definitions.any(|def| is_inert_definition(bound.compilation, def))
}

fn is_inert_definition(c: &Compilation<'_>, def: TypeId) -> bool {
    let ty = c.def(def);
    if ty.is_source() {
        return false;
    }
    let namespace = c.text(ty.namespace);
    let name = format!("{namespace}.{}", c.text(ty.name));
    namespace.starts_with(COLLECTIONS) || INERT.contains(&name.as_str())
}
