//! An element of a tuple gets another name: where the tuple type or literal names it, and where code uses that name.
//!
//! Names of elements flow with types, through variables, results and type arguments. Which uses mean the element is found
//! by binding: a use that means nothing once the declaration has the new name is one of them.
//!
//! Owns: which names are elements, and what is written. Must not know: whether the code means the same afterwards
//! ([`crate::proof`]).

mod syntax;

use std::collections::{BTreeMap, BTreeSet};

use cortex_derived::target::Target;
use cortex_index::Symbols;
use cortex_look::{
    symbol::{offset_at, place_of},
    uses::{edit_target, whole_family},
    viewpoint::Viewpoint,
};
use cortex_model::{DeclKind, RepoPath};
use cortex_semantics::{Compilation, LocalSymbol, UnitKey};
use cortex_syntax::{
    BodyKind, FileFacts, Sections,
    text::{decode, token_at},
};
use cortex_wire::EditKind;

use self::syntax::{TupleText, named_arguments};
use super::{NamePlaces, Names, Rename, declared, local};
use crate::{
    EditError,
    body_tree::BodyTree,
    conflicts::Locals,
    draft::Draft,
    identifier::{bare, written},
    plan::{Plan, RenamedElement},
    proof::PlaceBefore,
    usings::any_facts,
};

/// A rename of an element.
pub(crate) struct ElementRename {
    /// What was requested.
    title: String,
    pub(crate) old: String,
    pub(crate) new: String,
    /// The new name as code writes it.
    token: String,
    /// Where a tuple type or literal names it.
    pub(crate) declared: PlaceBefore,
}

impl ElementRename {
    pub(crate) fn refused(&self, reason: impl Into<String>, help: &str) -> EditError {
        refused(&self.title, reason, help)
    }
}

fn refused(title: &str, reason: impl Into<String>, help: &str) -> EditError {
    EditError::Refused {
        doing: title.to_owned(),
        reason: reason.into(),
        help: vec![help.to_owned()],
    }
}

/// The element that a request names by the place of its name; `None` where it names something else.
///
/// # Errors
/// [`EditError::Refused`] for a use of an element, for names that no element can have, and where types from elsewhere have
/// to agree on the name; those of the index.
pub(crate) fn element_at(
    (view, symbols): (&Viewpoint<'_>, &Symbols),
    request: &Rename<'_>,
) -> Result<Option<ElementRename>, EditError> {
    let Some((path, line, Some(column))) = place_of(request.symbol) else {
        return Ok(None);
    };
    let Some(file) = view.snapshot().file(&path)? else {
        return Ok(None);
    };
    let projects = file.projects.iter();
    let project = projects
        .filter_map(|it| declared::project_id(symbols, it))
        .next();
    let Some(project) = project else {
        return Ok(None);
    };
    let bytes = view.blobs().read_blob(file.blob)?;
    let source = decode(&bytes);
    let text = source.as_str();
    let facts = symbols.facts(&path, project.index(), Sections::Bodies)?;
    let (Some(offset), Some(facts)) = (offset_at(text.as_bytes(), line, column), facts) else {
        return Ok(None);
    };
    let title = format!("rename `{}` to `{}`", request.symbol, request.to);
    let unit = UnitKey { path, project };
    let found = symbols.read(|compilation| {
        let find = || -> Result<_, EditError> {
            let mut reader = view.blobs();
            let bound = local::bindings(symbols, compilation, &unit, &mut *reader, view)?;
            let symbol = bound.symbol_at(offset);
            let is_declared = (facts.decls.iter()).any(|it| it.name_range.contains(offset));
            let is_element = symbol.is_none_or(|it| matches!(it, LocalSymbol::Element(_)));
            if !is_element || is_declared {
                return Ok(None);
            }
            let found = match TupleText::around(text, offset) {
                Some(tuple) => Some(tuple),
                None => named_arguments(&BodyTree::new(&facts, text), offset),
            };
            let Some(tuple) = found else {
                return match symbol {
                    Some(_) => {
                        let help = "give the place of the name in the tuple type or literal that declares it";
                        Err(refused(&title, "it is a use of an element", help))
                    }
                    None => Ok(None),
                };
            };
            check_declaration(view, compilation, (&unit, &facts, text), offset, &title)?;
            Ok(Some(tuple))
        };
        Ok(find())
    })??;
    let Some(tuple) = found else { return Ok(None) };
    let token = written(request.to).map_err(|reason| refused(&title, reason, "give a name"))?;
    let new = bare(&token);
    let old = bare(&text[tuple.name.as_usize()]);
    if old == new {
        return Err(EditError::NoChange { doing: title });
    }
    if is_fixed(&new) {
        let reason = format!("`{new}` is a member of every tuple");
        return Err(refused(&title, reason, "give another name"));
    }
    if tuple.others.contains(&new) {
        let reason = format!("another element is called `{new}`");
        return Err(refused(&title, reason, "rename that one first"));
    }
    Ok(Some(ElementRename {
        title,
        old,
        new,
        token,
        declared: (unit.path, tuple.name.start),
    }))
}

/// Whether tuples have a member of a name that elements must not have elsewhere (C# specification, 8.3.11).
fn is_fixed(name: &str) -> bool {
    let number = name.strip_prefix("Item");
    number.is_some_and(|it| !it.is_empty() && it.bytes().all(|digit| digit.is_ascii_digit()))
        || matches!(
            name,
            "Rest" | "CompareTo" | "Deconstruct" | "Equals" | "GetHashCode" | "ToString"
        )
}

/// Refuses a name in the declaration of what must agree with another declaration.
fn check_declaration(
    view: &Viewpoint<'_>,
    compilation: &Compilation<'_>,
    (unit, facts, text): (&UnitKey, &FileFacts, &str),
    offset: u32,
    title: &str,
) -> Result<(), EditError> {
    if facts.usings.iter().any(|it| it.range.contains(offset)) {
        let help = "rename an element of a type that is written where it is used";
        return Err(refused(title, "a using directive names it", help));
    }
    let decls = facts.decls.iter().zip(0..);
    let around = decls.filter(|(decl, _)| decl.range.contains(offset)).last();
    let Some((decl, id)) = around else {
        return Ok(());
    };
    if decl.body_range.contains(offset) && decl.kind.type_kind().is_none() {
        return Ok(());
    }
    if decl.kind == DeclKind::Delegate {
        return Ok(());
    }
    if decl.kind.type_kind().is_some() {
        // Behind a colon there are base types.
        let start = text[decl.name_range.end as usize..].find(['(', ':']);
        let start = start.filter(|it| text[decl.name_range.end as usize + it..].starts_with('('));
        let start = start.map(|it| decl.name_range.end + it as u32 + 1);
        let is_parameter = start.is_some_and(|start| {
            let behind = &text.as_bytes()[start as usize..];
            syntax::closing(behind).is_some_and(|len| offset < start + len as u32 && offset > start)
        });
        if is_parameter {
            return Ok(());
        }
        let help = "members that are inherited would have to agree on the name";
        return Err(refused(title, "a base type or constraint names it", help));
    }
    let unit = compilation.unit_id(unit);
    let Some(member) = compilation.member_of_decl(unit, id) else {
        return Ok(());
    };
    let is_partial = decl.modifiers.contains(cortex_model::Modifier::Partial);
    let target = edit_target(view, &compilation.member_doc_id(member))?;
    let members: Vec<Target> = target.symbols;
    let family = whole_family(view, &members)?;
    if is_partial || family.members.len() > members.len() || !family.outside.is_empty() {
        let name = compilation.display_member(member);
        let reason =
            format!("declarations that override, implement or complete `{name}` must agree on it");
        let help = "change these declarations with `edit patch`, all of them in one diff";
        return Err(refused(title, reason, help));
    }
    Ok(())
}

/// Plans to write the new name at some places. What takes its name from one of them keeps the name that it has.
///
/// # Errors
/// Those of the index.
pub(crate) fn plan_element(
    (view, symbols): (&Viewpoint<'_>, &Symbols),
    renaming: &ElementRename,
    places: &BTreeSet<PlaceBefore>,
) -> Result<Draft, EditError> {
    let mut by_file: BTreeMap<RepoPath, Vec<_>> = BTreeMap::new();
    let mut tuples = BTreeSet::new();
    let mut reader = view.blobs();
    for (path, offset) in places {
        let Some(file) = view.snapshot().file(path)? else {
            continue;
        };
        let bytes = reader.read_blob(file.blob)?;
        let source = decode(&bytes);
        if !by_file.contains_key(path)
            && let Some(facts) = facts_with_bodies(symbols, path)?
        {
            let tree = BodyTree::new(&facts, source.as_str());
            tuples.extend(taking_names(&tree).map(|at| (path.clone(), at)));
        }
        let range = token_at(source.as_bytes(), *offset);
        by_file.entry(path.clone()).or_default().push(range);
    }
    let names = Names {
        old: &renaming.old,
        new: &renaming.new,
        token: &renaming.token,
        tuples: &tuples,
        is_of_type: false,
    };
    let places = NamePlaces {
        by_file,
        ..NamePlaces::default()
    };
    let edits = places.written(view, symbols, &names)?.edits;
    let mut plan = Plan::of_edits(view.index, view.side, edits, &BTreeMap::new())?;
    plan.element = Some(RenamedElement {
        old: renaming.old.clone(),
        new: renaming.new.clone(),
    });
    Ok(Draft {
        kind: EditKind::Rename,
        title: renaming.title.clone(),
        subject: None,
        n_family: 0,
        names: BTreeSet::from([renaming.old.clone(), renaming.new.clone()]),
        locals: Locals::Kept,
        old_name: None,
        left_alone: BTreeMap::new(),
        plan,
    })
}

/// The facts of a file with bodies, in one of the projects that compile it.
pub(crate) fn facts_with_bodies(
    symbols: &Symbols,
    path: &RepoPath,
) -> Result<Option<FileFacts>, EditError> {
    for project in symbols.projects_of(path)? {
        if let Some(facts) = symbols.facts(path, project, Sections::Bodies)? {
            return Ok(Some(facts));
        }
    }
    Ok(None)
}

/// Where tuples start that give elements names: not those that are compared, or that are a side of an assignment, whose
/// names mean nothing.
fn taking_names<'t>(tree: &'t BodyTree<'_>) -> impl Iterator<Item = u32> + 't {
    let all = 0..tree.facts.bodies.nodes().len() as u32;
    let tuples = all.filter(|&it| tree.kind(it) == BodyKind::Tuple);
    let is_of_value = |&it: &u32| {
        let parent = tree.parent(it).map(|parent| tree.kind(parent));
        !matches!(parent, Some(BodyKind::Assignment | BodyKind::Binary))
    };
    tuples.filter(is_of_value).map(|it| tree.span(it).start)
}

/// What of a file may be the name of the element: the tuple types and literals that name one so, and the uses of one.
pub(crate) struct NamesInFile {
    /// Where tuple types and literals name an element so.
    pub(crate) declared: BTreeSet<u32>,
    /// The literals of these, each where it starts, with its position in the tuple and where its name is.
    pub(crate) literals: Vec<(u32, usize, u32)>,
    /// Where the name stands and no declaration or binding says what it is.
    pub(crate) unknown: BTreeSet<u32>,
}

/// Reads a file for names of elements.
///
/// # Errors
/// Those of the index.
pub(crate) fn names_in_file(
    (view, symbols): (&Viewpoint<'_>, &Symbols),
    path: &RepoPath,
    name: &str,
    is_bound: &dyn Fn(u32) -> bool,
) -> Result<Option<NamesInFile>, EditError> {
    let Some(file) = view.snapshot().file(path)? else {
        return Ok(None);
    };
    let (Some(whole), Some(facts)) = (
        any_facts(symbols, path, &file.projects)?,
        facts_with_bodies(symbols, path)?,
    ) else {
        return Ok(None);
    };
    let bytes = view.blobs().read_blob(file.blob)?;
    let source = decode(&bytes);
    let text = source.as_str();
    let tree = BodyTree::new(&facts, text);
    let mut found = NamesInFile {
        declared: BTreeSet::new(),
        literals: Vec::new(),
        unknown: BTreeSet::new(),
    };
    let all = cortex_model::ByteRange {
        start: 0,
        end: text.len() as u32,
    };
    for &token in tree.tokens_in(all) {
        let at = token.start;
        if bare(&text[token.as_usize()]) != name || is_bound(at) {
            continue;
        }
        if (whole.decls.iter()).any(|decl| decl.name_range.contains(at)) {
            continue;
        }
        match named_arguments(&tree, at) {
            Some(tuple) => {
                found.literals.push((tuple.start, tuple.position, at));
                found.declared.insert(at);
            }
            None if TupleText::around(text, at).is_some() => _ = found.declared.insert(at),
            None => _ = found.unknown.insert(at),
        }
    }
    Ok(Some(found))
}
