//! `move`: a type goes to another namespace, its file to another path, or both. Of a file that declares other types as
//! well, the type goes alone.
//!
//! Code that names the type by its simple name imports the new namespace where it does not see it anyway; qualified names
//! get the new qualifier. The code of the type imports those namespaces that were around it and that it needs.
//!
//! Owns: which names and directives are written. Must not know: whether code means the same afterwards
//! ([`crate::proof`]).

mod inside;
mod outside;
mod own_file;
mod project;

use self::project::project_move;
pub(crate) use inside::{needed, qualifier_before};

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::{Progress, Symbols};
use cortex_look::viewpoint::Viewpoint;
use cortex_model::{ByteRange, DeclKind, Modifier, RepoPath};
use cortex_semantics::{Compilation, TypeId};
use cortex_syntax::{Decl, DeclId, FileFacts};
use cortex_wire::EditKind;

use crate::{
    EditError,
    apply::place,
    conflicts::Locals,
    draft::Draft,
    identifier::written,
    located::{Declaration, Located, locate},
    new_path::check_new_path,
    plan::Plan,
    rename::declared,
    text_edit::{StartIs, TextEdit, TextEdits},
};

/// A type goes elsewhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveType<'r> {
    /// The type, as any question names it.
    pub symbol: &'r str,
    /// Its new namespace; the one that it has where none is given.
    pub namespace: Option<&'r str>,
    /// The new path of its file, or a folder, which ends in `/`; the one that it has where none is given.
    pub to: Option<&'r str>,
}

impl MoveType<'_> {
    fn title(&self) -> String {
        let symbol = self.symbol;
        match (self.namespace, self.to) {
            (Some(namespace), Some(to)) => format!("move `{symbol}` to `{namespace}` in `{to}`"),
            (Some(namespace), None) => format!("move `{symbol}` to `{namespace}`"),
            (None, to) => format!("move `{symbol}` to `{}`", to.unwrap_or_default()),
        }
    }

    fn refused(&self, reason: impl Into<String>, help: &[&str]) -> EditError {
        EditError::Refused {
            doing: self.title(),
            reason: reason.into(),
            help: help.iter().map(|&help| help.to_owned()).collect(),
        }
    }

    /// The new namespace as code writes it.
    fn new_namespace(&self) -> Result<Option<String>, EditError> {
        let Some(namespace) = self.namespace else {
            return Ok(None);
        };
        let parts = namespace.trim().split('.').map(|part| {
            let wrong = |reason: String| self.refused(reason, &[]);
            written(part.trim()).map_err(wrong)
        });
        let parts: Vec<String> = parts.collect::<Result<_, _>>()?;
        Ok(Some(parts.join(".")))
    }
}

/// What a move is about.
struct Moving<'m> {
    request: &'m MoveType<'m>,
    located: &'m Located,
    /// The namespace that the type has.
    old: String,
    /// The one that it gets.
    new: String,
}

impl Moving<'_> {
    /// The types that move, as a compilation knows them.
    fn types(&self, compilation: &Compilation<'_>) -> Result<Vec<TypeId>, EditError> {
        let symbols = self.located.symbols.iter();
        symbols
            .map(|symbol| declared::type_id(compilation, symbol.key()))
            .collect()
    }

    /// Whether code may use its members behind values: as extensions.
    fn has_extensions(&self) -> bool {
        let members = self
            .located
            .declarations
            .iter()
            .flat_map(Declaration::children);
        let is_extension = |decl: &Decl| {
            let first = decl.params.as_ref().and_then(|params| params.first());
            decl.kind == DeclKind::Extension
                || first.is_some_and(|it| it.modifiers.contains(Modifier::This))
        };
        members.into_iter().any(is_extension)
    }

    /// Whether a type is one of those that move, or inside of one.
    fn is_moved(compilation: &Compilation<'_>, types: &[TypeId], mut ty: TypeId) -> bool {
        while let Some(outer) = compilation.def(ty).outer {
            ty = outer;
        }
        types.contains(&ty)
    }
}

/// Plans a move.
///
/// # Errors
/// [`EditError::Refused`] for what cannot move so, [`EditError::NoChange`], [`EditError::Unsafe`] for the new path; those
/// of the index.
pub(crate) fn plan_move(
    views: &[(&Viewpoint<'_>, &Symbols)],
    request: &MoveType<'_>,
    progress: &dyn Progress,
) -> Result<Draft, EditError> {
    let (view, symbols) = views[0];
    let doing = || request.title();
    let located = locate(view, symbols, request.symbol, &doing)?;
    let declarations = &located.declarations;
    if declarations
        .iter()
        .any(|it| it.decl().kind.type_kind().is_none())
    {
        let help =
            "move the type that declares it, or name the type that a static member goes into";
        return Err(request.refused("it is a member", &[help]));
    }
    let is_nested = |it: &&Declaration| it.parent().is_some_and(|it| it.kind.type_kind().is_some());
    if declarations.iter().any(|it| is_nested(&it)) {
        let help = "take it out of that type first";
        return Err(request.refused("it is inside of another type", &[help]));
    }
    let name = declarations[0].name().to_owned();
    let mut names = BTreeSet::from([name.clone()]);
    names.extend(name.strip_suffix("Attribute").map(str::to_owned));
    let mut refusal = None;
    if let (None, Some(to), [declaration]) = (request.namespace, request.to, &declarations[..])
        && own_file::is_beside_others(declaration)
    {
        match own_file::plan_own_file(views, request, (declaration, to), progress)? {
            Ok(plan) => return Ok(draft(request, &located, (names, plan))),
            // To another project the whole file goes.
            Err(refused) => refusal = Some(refused),
        }
    }
    let mut edits: BTreeMap<RepoPath, Vec<TextEdit>> = BTreeMap::new();
    if let Some(new) = request.new_namespace()? {
        let old = namespace_of(request, declarations)?;
        if old != new {
            no_type_is_called_so(views, request, &new)?;
            let moving = Moving {
                request,
                located: &located,
                old,
                new,
            };
            no_type_is_there(views, &moving)?;
            inside::add(views, &moving, &mut edits)?;
            outside::add(views, &moving, &mut edits)?;
        }
    }
    let moved = new_path(view, request, declarations)?;
    if edits.is_empty() && moved.is_empty() {
        return Err(EditError::NoChange { doing: doing() });
    }
    let mut all = BTreeMap::new();
    for (path, edits) in edits {
        let edits = TextEdits::new(edits).ok_or_else(|| {
            request.refused(format!("two places of `{path}` that change overlap"), &[])
        })?;
        all.insert(path, edits);
    }
    let mut plan = Plan::of_edits(view.index, view.side, all.clone(), &moved)?;
    let crossing = project_move(views, request, (&plan, declarations), progress)?;
    if let (None, Some(refusal)) = (&crossing, refusal) {
        return Err(refusal);
    }
    if let Some(crossing) = crossing {
        if !all.is_empty() {
            let help = "change its namespace and its project one after another";
            return Err(request.refused("it would change its namespace as well", &[help]));
        }
        let edits = inside::imports(views, &located, request, &crossing.lost)?;
        plan = Plan::of_edits(view.index, view.side, edits, &moved)?;
        plan.project = Some(crossing.moved);
    }
    Ok(draft(request, &located, (names, plan)))
}

/// A namespace, or one around it, may not be called like a type (C# specification, §7.3).
fn no_type_is_called_so(
    views: &[(&Viewpoint<'_>, &Symbols)],
    request: &MoveType<'_>,
    namespace: &str,
) -> Result<(), EditError> {
    for (view, _) in views {
        for around in chain(namespace) {
            let simple = around.rsplit('.').next().unwrap_or(around);
            let same = view.snapshot().types_named(simple)?;
            if same.iter().any(|ty| ty.fqn == around) {
                let reason = format!("`{around}` is a type, and would be a namespace as well");
                return Err(request.refused(reason, &["give another namespace"]));
            }
        }
    }
    Ok(())
}

/// A namespace has one type of a name and number of type parameters (C# specification, §14.7), and parts of two would be
/// one. Those of a single file are others.
fn no_type_is_there(
    views: &[(&Viewpoint<'_>, &Symbols)],
    moving: &Moving<'_>,
) -> Result<(), EditError> {
    let declarations = &moving.located.declarations;
    let is_of_file = |it: &Declaration| it.decl().modifiers.contains(Modifier::File);
    if declarations.iter().any(is_of_file) {
        return Ok(());
    }
    for (view, _) in views {
        let snapshot = view.snapshot();
        for symbol in &moving.located.symbols {
            let Some(header) = snapshot.type_header(symbol.key())? else {
                continue;
            };
            let own = header.fqn.rsplit('.').next().unwrap_or(&header.fqn);
            let wanted = match &*moving.new {
                "" => own.to_owned(),
                new => format!("{new}.{own}"),
            };
            let named = snapshot.types_named(declarations[0].name())?;
            for same in named.iter().filter(|it| it.fqn == wanted) {
                let other = snapshot.type_node(same.key)?.filter(|other| {
                    other.assembly == header.assembly && !other.modifiers.contains(Modifier::File)
                });
                if other.is_some() {
                    let reason = format!("`{wanted}` is there already");
                    let help = &["rename one of them first"];
                    return Err(moving.request.refused(reason, help));
                }
            }
        }
    }
    Ok(())
}

fn draft(
    request: &MoveType<'_>,
    located: &Located,
    (names, plan): (BTreeSet<String>, Plan),
) -> Draft {
    Draft {
        kind: EditKind::Move,
        title: request.title(),
        subject: Some(located.subject.clone()),
        n_family: 0,
        names,
        locals: Locals::Kept,
        old_name: None,
        left_alone: BTreeMap::new(),
        plan,
    }
}

/// The namespace of a type all of whose files declare nothing else.
fn namespace_of(request: &MoveType<'_>, declarations: &[Declaration]) -> Result<String, EditError> {
    let mut namespace: Option<String> = None;
    for declaration in declarations {
        let (path, facts) = (&declaration.path, &declaration.facts);
        let is_of_type = |id: DeclId| {
            let same = |it: &&Declaration| it.path == *path && it.id == id;
            declarations.iter().any(|it| same(&it))
        };
        let outermost = |decl: &Decl| match decl.parent {
            None => true,
            Some(parent) => facts.decls[parent as usize].kind == DeclKind::Namespace,
        };
        let others = facts.decls.iter().enumerate().filter(|(id, decl)| {
            decl.kind != DeclKind::Namespace && outermost(decl) && !is_of_type(*id as DeclId)
        });
        if let Some((_, other)) = others.into_iter().next() {
            let reason = format!("`{path}` declares `{}` as well", facts.name(other.name));
            return Err(request.refused(reason, &["move it to a file of its own first"]));
        }
        let Some(around) = declaration.parent() else {
            return Err(request.refused("it is in no namespace", &[]));
        };
        let is_plain = facts
            .decls
            .iter()
            .filter(|it| it.kind == DeclKind::Namespace)
            .count()
            == 1;
        if !is_plain || around.parent.is_some() {
            let reason = format!("`{path}` has several namespace declarations");
            return Err(request.refused(reason, &[]));
        }
        // The parts of a type are in one namespace.
        namespace.get_or_insert_with(|| facts.name(around.name).to_owned());
    }
    namespace.ok_or_else(|| request.refused("it is in no namespace", &[]))
}

/// The path that the file of a type gets.
fn new_path(
    view: &Viewpoint<'_>,
    request: &MoveType<'_>,
    declarations: &[Declaration],
) -> Result<BTreeMap<RepoPath, RepoPath>, EditError> {
    let Some(to) = request.to else {
        return Ok(BTreeMap::new());
    };
    let paths: BTreeSet<&RepoPath> = declarations.iter().map(|it| &it.path).collect();
    let to = to.trim_start_matches("./");
    let mut moved = BTreeMap::new();
    for &path in &paths {
        let new = match to.strip_suffix('/') {
            Some("") => path.file_name().to_owned(),
            Some(folder) => format!("{folder}/{}", path.file_name()),
            None => to.to_owned(),
        };
        if !new.to_ascii_lowercase().ends_with(".cs") {
            let help = "give the path of a C# file, or a folder and `/`";
            return Err(request.refused(format!("`{new}` is no C# file"), &[help]));
        }
        moved.insert(path.clone(), RepoPath::from(new.as_str()));
    }
    let new: BTreeSet<&RepoPath> = moved.values().collect();
    if new.len() < moved.len() {
        let help = "give a folder and `/`";
        return Err(request.refused("it is declared in several files", &[help]));
    }
    let root = view.index.repo.work_dir().ok_or(EditError::NoWorkTree)?;
    for new in new {
        if !moved.contains_key(new) {
            place(root, new)?;
            check_new_path(root, new, &|path| moved.contains_key(path))?;
        }
    }
    moved.retain(|old, new| old != new);
    Ok(moved)
}

/// A namespace and those around it, the innermost first.
pub(crate) fn chain(namespace: &str) -> Vec<&str> {
    let mut all = vec![namespace];
    all.extend(
        namespace
            .rmatch_indices('.')
            .map(|(at, _)| &namespace[..at]),
    );
    all
}

/// The namespaces whose declarations are around an offset, and those around them.
pub(crate) fn namespaces_at(facts: &FileFacts, offset: u32) -> BTreeSet<String> {
    let mut name = String::new();
    for decl in facts
        .decls
        .iter()
        .filter(|it| it.kind == DeclKind::Namespace)
    {
        if decl.range.contains(offset) {
            if !name.is_empty() {
                name.push('.');
            }
            name.push_str(facts.name(decl.name));
        }
    }
    match name.is_empty() {
        true => BTreeSet::new(),
        false => chain(&name).into_iter().map(str::to_owned).collect(),
    }
}

/// An edit that writes a text which was not there.
fn new_text(range: ByteRange, text: String) -> TextEdit {
    TextEdit {
        range,
        text,
        start: StartIs::New,
    }
}
