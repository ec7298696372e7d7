//! Types and members: what the graph knows every use of.

use std::collections::BTreeSet;

use cortex_derived::{doc_ids::DocIds, target::Target};
use cortex_index::Symbols;
use cortex_look::{
    uses::{edit_target, tokens_of_uses, whole_family},
    viewpoint::Viewpoint,
};
use cortex_model::{Accessibility, DeclKind, RepoPath};
use cortex_semantics::{Compilation, MemberFlags, MemberId};

use super::{
    Found, NamePlaces, Reach, SeenBy, accessors, declared, is_called_like, local, named_texts,
};
use crate::EditError;

/// Finds every place of the name of a type or a member, and of those that must be called like it.
pub(super) fn find(
    view: &Viewpoint<'_>,
    symbols: &Symbols,
    text: &str,
    doing: &dyn Fn() -> String,
) -> Result<Found, EditError> {
    let refused = |reason: String, help: Vec<String>| EditError::Refused {
        doing: doing(),
        reason,
        help,
    };
    let target = edit_target(view, text)?;
    let all = with_family(view, &target.symbols, &refused)?;
    let n_family = all.len() - target.symbols.len();
    let doc_ids = doc_ids_of(view, &all)?;
    let asked = &target.symbols;
    let own = (all.iter().zip(&doc_ids)).filter(|(symbol, _)| asked.contains(symbol));
    if let Some(help) = overloads(own.filter_map(|(_, id)| id.as_deref())) {
        return Err(refused("it names several overloads".to_owned(), vec![help]));
    }
    let mut places = NamePlaces::default();
    let mut named_files = Vec::new();
    let mut old_name = None;
    let mut has_parameters = false;
    let mut parts = BTreeSet::new();
    // What is private has no family: but for what implements an interface under its full name.
    let mut reach = match n_family {
        0 => Reach::Written,
        _ => Reach::Inherited,
    };
    symbols.read(|compilation| {
        let mut declare = || -> Result<(), EditError> {
            for (symbol, id) in all.iter().zip(&doc_ids) {
                let ty = declared::type_id(compilation, symbol.key())?;
                parts.extend(compilation.units_of(ty).into_iter().map(|it| it.path));
                let name = match symbol {
                    Target::Type(_) => {
                        declared::type_names(symbols, compilation, ty, &mut places)?;
                        let name = compilation.text(compilation.def(ty).name).to_owned();
                        if compilation.def(ty).outer.is_none() {
                            let paths = compilation.units_of(ty).into_iter().map(|it| it.path);
                            named_files.extend(paths.filter(|path| is_called_like(path, &name)));
                        }
                        name
                    }
                    Target::Member(..) => {
                        let Some(member) = member_of(compilation, ty, id.as_deref()) else {
                            continue;
                        };
                        if let Some(reason) = unnamed(compilation, member) {
                            return Err(refused(reason.to_owned(), Vec::new()));
                        }
                        declared::member_names(symbols, compilation, member, &mut places)?;
                        if compilation.member(member).accessibility != Accessibility::Private {
                            reach = Reach::Inherited;
                        }
                        if compilation.member(member).is(MemberFlags::POSITIONAL) {
                            has_parameters = true;
                            local::positional(view, symbols, compilation, member, &mut places)?;
                        }
                        compilation.text(compilation.member(member).name).to_owned()
                    }
                };
                if asked.contains(symbol) {
                    old_name.get_or_insert(name);
                }
            }
            Ok(())
        };
        Ok(declare())
    })??;
    let Some(old_name) = old_name else {
        return Err(refused(
            "the compiler makes it, so that nothing declares it".to_owned(),
            Vec::new(),
        ));
    };
    let is_type = matches!(asked.first(), Some(Target::Type(_)));
    let (used, aliasing) = used_places(view, &all, is_type.then_some(&old_name))?;
    places.extend(used);
    if is_type {
        local::leave_aliases(view, symbols, (&old_name, &aliasing), &mut places)?;
    }
    // Other files do not name what is private.
    let own_files = (!is_type && reach == Reach::Written)
        .then(|| places.by_file.keys().cloned().collect::<BTreeSet<_>>());
    let named = (old_name.as_str(), own_files.as_ref());
    named_texts::add_of_symbols(view, symbols, (&all, &doc_ids), named, &mut places)?;
    let named = (all.as_slice(), doc_ids.as_slice(), old_name.as_str());
    accessors::add_of_members((view, symbols), named, &mut places, &refused)?;
    Ok(Found {
        subject: Some(target.subject),
        old_name,
        places,
        named_files,
        n_family,
        has_parameters,
        reach,
        seen_by: SeenBy::Everywhere,
        seen_in: (!is_type && reach == Reach::Written).then(|| parts.clone()),
        parts,
    })
}

/// Some symbols, types first, with all members that must be called like them.
fn with_family(
    view: &Viewpoint<'_>,
    symbols: &[Target],
    refused: &dyn Fn(String, Vec<String>) -> EditError,
) -> Result<Vec<Target>, EditError> {
    let (members, mut all): (Vec<Target>, Vec<Target>) =
        (symbols.iter()).partition(|symbol| matches!(symbol, Target::Member(..)));
    if !members.is_empty() {
        let family = whole_family(view, &members)?;
        if let Some(outside) = family.outside.first() {
            let reason =
                format!("it implements or overrides `{outside}`, which is not declared here");
            return Err(refused(reason, Vec::new()));
        }
        all.extend(family.members);
    }
    Ok(all)
}

/// Every place where other code names some symbols; and which of these files may have an alias of a name, if one is given.
pub(super) fn used_places(
    view: &Viewpoint<'_>,
    symbols: &[Target],
    alias: Option<&String>,
) -> Result<(NamePlaces, BTreeSet<RepoPath>), EditError> {
    let mut places = NamePlaces::default();
    let mut aliasing = BTreeSet::new();
    tokens_of_uses(view, symbols, &mut |file, text, tokens| {
        if alias.is_some_and(|alias| local::may_have_alias(text, alias)) {
            aliasing.insert(file.clone());
        }
        for token in tokens {
            places.add(file, token);
        }
    })?;
    Ok((places, aliasing))
}

/// The documentation ids of symbols, as far as they have some.
fn doc_ids_of(view: &Viewpoint<'_>, symbols: &[Target]) -> Result<Vec<Option<String>>, EditError> {
    let mut ids = DocIds::new(view.snapshot());
    let mut found = Vec::with_capacity(symbols.len());
    for symbol in symbols {
        let tag = match symbol {
            Target::Type(_) => None,
            Target::Member(_, tag) => Some(*tag),
        };
        found.push(ids.of(symbol.key(), tag)?);
    }
    Ok(found)
}

/// What to write where several symbols are named; `None` where one is.
pub(crate) fn overloads<'i>(ids: impl Iterator<Item = &'i str>) -> Option<String> {
    let ids: BTreeSet<&str> = ids.collect();
    let ids: Vec<String> = ids.iter().map(|id| format!("`{id}`")).collect();
    (ids.len() > 1).then(|| format!("rename one of {}", ids.join(", ")))
}

/// The member of a documentation id.
pub(crate) fn member_of(
    compilation: &Compilation<'_>,
    ty: cortex_semantics::TypeId,
    id: Option<&str>,
) -> Option<MemberId> {
    let id = id?;
    let members = compilation.members(ty).all.iter().copied();
    members
        .into_iter()
        .find(|&member| compilation.member_doc_id(member) == id)
}

/// Why a member has no name of its own, if it has none.
fn unnamed(compilation: &Compilation<'_>, member: MemberId) -> Option<&'static str> {
    let declared = compilation.member(member);
    match declared.kind {
        DeclKind::Constructor | DeclKind::StaticConstructor | DeclKind::Finalizer => {
            Some("it is called like its type: rename the type")
        }
        DeclKind::Operator | DeclKind::Conversion => Some("operators have no names"),
        DeclKind::Indexer => Some("indexers have no names"),
        DeclKind::TopLevel => Some("top-level statements have no name"),
        _ => None,
    }
}

/// The files that mention a name.
pub(super) fn mentioning(
    view: &Viewpoint<'_>,
    name: &str,
) -> Result<Vec<(RepoPath, RepoPath)>, EditError> {
    let files = view.snapshot().files_mentioning(name)?;
    let units = files.into_iter().flat_map(|file| {
        let path = file.path;
        file.projects
            .into_iter()
            .map(move |project| (path.clone(), project))
    });
    Ok(units.collect())
}
