//! Which code an edit may give another meaning, and the proof for it in every target framework.
//!
//! Must not know: what the edit is, but for renames, whose reach is smaller.

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::{Progress, Symbols};
use cortex_look::viewpoint::Viewpoint;
use cortex_model::RepoPath;
use cortex_semantics::is_special_name;
use cortex_wire::{Doubt, DoubtReason, EditKind};

use super::{sides_of, with_symbols};
use crate::{
    EditError,
    conflicts::{Locals, add_conflicts},
    contract::add_lost_rights,
    draft::Draft,
    entry_points::add_entry_points,
    plan::Plan,
    project_usings::add_lost_imports,
    proof::{NewSide, OldSide, Others, Proof, Renamed, Uses, prove, prove_fresh},
    rename::{Planned, Reach, Rename, plan_rename},
    written::{add_warnings, check_syntax},
};

/// Proves an edit for every target framework.
pub(crate) fn prove_everywhere(
    views: &[(&Viewpoint<'_>, &Symbols)],
    draft: &Draft,
    progress: &dyn Progress,
) -> Result<Proof, EditError> {
    all_together(views, |view, symbols| {
        prove_in((view, symbols), draft, Reaches::Anything, progress)
    })
}

/// Proves an edit that no other file sees, for every target framework.
pub(super) fn prove_edited(
    views: &[(&Viewpoint<'_>, &Symbols)],
    draft: &Draft,
    progress: &dyn Progress,
) -> Result<Proof, EditError> {
    all_together(views, |view, symbols| {
        prove_in((view, symbols), draft, Reaches::Edited, progress)
    })
}

/// Proves an edit that matters only where code writes one of its names, for every target framework.
pub(super) fn prove_mentioning(
    views: &[(&Viewpoint<'_>, &Symbols)],
    draft: &Draft,
    progress: &dyn Progress,
) -> Result<Proof, EditError> {
    let nowhere = Uses {
        places: &BTreeMap::new(),
        seen_in: None,
    };
    all_together(views, |view, symbols| {
        prove_in((view, symbols), draft, Reaches::Using(nowhere), progress)
    })
}

/// Proves a rename for every target framework.
pub(super) fn prove_rename(
    views: &[(&Viewpoint<'_>, &Symbols)],
    planned: &Planned,
    request: &Rename<'_>,
    progress: &dyn Progress,
) -> Result<Proof, EditError> {
    let draft = draft_of(planned, request);
    all_together(views, |view, symbols| {
        if !matters_where_written(planned, symbols) {
            return prove_in((view, symbols), &draft, Reaches::Anything, progress);
        }
        match prove_if_fresh((view, symbols), planned, progress)? {
            Some(proof) => Ok(proof),
            None => prove_in(
                (view, symbols),
                &draft,
                Reaches::Using(planned.uses()),
                progress,
            ),
        }
    })
}

/// Proves the rename of a type to a name that nothing else has; `None` for any other.
fn prove_if_fresh(
    (view, symbols): (&Viewpoint<'_>, &Symbols),
    planned: &Planned,
    progress: &dyn Progress,
) -> Result<Option<Proof>, EditError> {
    let is_type = (planned.subject.as_ref()).is_some_and(|it| it.resolved.member_id.is_none());
    if !is_type || !planned.new_name.is_ascii() {
        return Ok(None);
    }
    let old = OldSide {
        side: view.side,
        symbols,
    };
    let [old_names, new_names] =
        [&planned.old_name, &planned.new_name].map(|name| written_names(name));
    let renamed = Renamed {
        old: &planned.old_name,
        old_names: &old_names,
        new_names: &new_names,
        uses: &planned.uses,
    };
    prove_fresh(view.index, &old, &planned.plan, renamed, progress)
}

/// What a rename is found to do in each of the ways to prove it.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Ways {
    /// By the side before it alone, where the name is new.
    pub fresh: Option<Proof>,
    /// By the files that mention it.
    pub short: Proof,
    /// By all that the graph of the new side has otherwise.
    pub full: Proof,
}

/// Proves a rename in each way; `None` where there is none but the last. For tests of the others.
#[doc(hidden)]
pub fn prove_in_all_ways(
    views: &[Viewpoint<'_>],
    request: &Rename<'_>,
    progress: &dyn Progress,
) -> Result<Option<Ways>, EditError> {
    let sides = sides_of(views)?;
    let sides = with_symbols(&sides);
    let planned = plan_rename(&sides, request, &BTreeSet::new())?;
    if !(sides.iter()).all(|(_, symbols)| matters_where_written(&planned, symbols)) {
        return Ok(None);
    }
    let draft = draft_of(&planned, request);
    let mut is_fresh = true;
    let fresh = all_together(&sides, |view, symbols| {
        let proof = prove_if_fresh((view, symbols), &planned, progress)?;
        is_fresh &= proof.is_some();
        Ok(proof.unwrap_or_default())
    })?;
    Ok(Some(Ways {
        fresh: is_fresh.then_some(fresh),
        short: all_together(&sides, |view, symbols| {
            prove_in(
                (view, symbols),
                &draft,
                Reaches::Using(planned.uses()),
                progress,
            )
        })?,
        full: prove_everywhere(&sides, &draft, progress)?,
    }))
}

/// Whether what a rename may change is in declarations that mention one of the names, or that use what is renamed.
///
/// Binding looks for a name where code writes it, but for special names and for members that implement others. Where a
/// declaration mentions neither name, and no using directive or namespace around it does, every name of it is looked for
/// as before, in declarations that mean what they meant, or that differ where they are written.
fn matters_where_written(planned: &Planned, symbols: &Symbols) -> bool {
    let names = names_of(planned);
    // A project file is not edited.
    let is_in_project = |symbols: &Symbols| {
        let usings = symbols.projects().iter().flat_map(|it| &it.project.usings);
        let mut usings = usings.map(|using| using.target.as_str());
        usings.any(|target| {
            let mut words = target.split(|it: char| !(it.is_alphanumeric() || it == '_'));
            words.any(|word| names.contains(word))
        })
    };
    planned.reach == Reach::Written
        && !planned.has_parameters
        && !planned.is_passed_unwritten()
        && ![&planned.old_name, &planned.new_name]
            .into_iter()
            .any(|it| is_special_name(it))
        && !is_in_project(symbols)
}

/// What is proven in all views.
fn all_together(
    views: &[(&Viewpoint<'_>, &Symbols)],
    mut prove: impl FnMut(&Viewpoint<'_>, &Symbols) -> Result<Proof, EditError>,
) -> Result<Proof, EditError> {
    let mut proof: Option<Proof> = None;
    for (view, symbols) in views {
        let found = prove(view, symbols)?;
        proof = Some(match proof {
            None => found,
            Some(before) => before.and(found),
        });
    }
    Ok(proof.expect("there is a view at least"))
}

/// Which code an edit may give another meaning.
#[derive(Clone, Copy)]
enum Reaches<'a> {
    /// Any: what the graph of the new side has otherwise tells.
    Anything,
    /// What mentions one of its names, or uses what it is about.
    Using(Uses<'a>),
    /// That of the files that it edits.
    Edited,
}

/// Proves an edit for one target framework.
fn prove_in(
    (view, symbols): (&Viewpoint<'_>, &Symbols),
    draft: &Draft,
    reaches: Reaches<'_>,
    progress: &dyn Progress,
) -> Result<Proof, EditError> {
    let index = view.index;
    let old = OldSide {
        side: view.side,
        symbols,
    };
    let files = draft.plan.planned_files();
    let others = match reaches {
        Reaches::Anything => None,
        Reaches::Using(uses) => Some(Others::Using(uses)),
        Reaches::Edited => Some(Others::Edited),
    };
    if let Some(others) = others
        && let Some(new_symbols) = index.planned_symbols((view.side, symbols), &files, progress)?
    {
        let new = NewSide {
            symbols: &new_symbols,
            others,
        };
        return prove_between(view, (&old, &new), draft, progress);
    }
    let (side, _) = index.planned(view.side, &files, progress)?;
    let new_symbols = index.symbols(&side, Some(symbols))?;
    let new = NewSide {
        symbols: &new_symbols,
        others: Others::Bound(&side.snapshot),
    };
    prove_between(view, (&old, &new), draft, progress)
}

fn prove_between(
    view: &Viewpoint<'_>,
    (old, new): (&OldSide<'_>, &NewSide<'_>),
    draft: &Draft,
    progress: &dyn Progress,
) -> Result<Proof, EditError> {
    let index = view.index;
    check_syntax((old, new), &draft.plan)?;
    let mut proof = prove(index, (old, new), &draft.plan, &draft.names, progress)?;
    add_conflicts(index, (old, new), (&draft.plan, draft.locals), &mut proof)?;
    add_entry_points((old, new), &draft.plan, &mut proof)?;
    add_lost_imports(view, (old, new), &draft.plan, &mut proof)?;
    if brings_declarations(draft.kind) {
        add_lost_rights(view, (old, new), &draft.plan, &mut proof)?;
    }
    add_warnings(index, (old, new), &draft.plan, &mut proof)?;
    add_files_of_builds(&draft.plan, &mut proof);
    Ok(proof)
}

/// Whether an edit writes declarations as it was told.
fn brings_declarations(kind: EditKind) -> bool {
    matches!(
        kind,
        EditKind::ReplaceBody
            | EditKind::ReplaceMember
            | EditKind::AddMember
            | EditKind::RemoveMember
            | EditKind::InsertBefore
            | EditKind::InsertAfter
            | EditKind::Batch
            | EditKind::Patch
    )
}

/// Adds the files of a plan that decide about code and have none: what they do is compared by nobody.
fn add_files_of_builds(plan: &Plan, found: &mut Proof) {
    let files = plan.files.values();
    for file in files.filter(|file| !file.is_csharp() && decides_about_code(&file.new_path)) {
        let path = file.old.path.clone();
        let doubt = Doubt {
            file: path.clone(),
            line: 1,
            reason: DoubtReason::NotCSharp,
            used_by: None,
        };
        found.doubts.entry((path, 0)).or_insert(doubt);
    }
}

/// Whether a file that is not C# may change what C# means: projects and what they import, packages, solutions, and what
/// code is generated of.
fn decides_about_code(path: &RepoPath) -> bool {
    let extension = path.extension().to_ascii_lowercase();
    let by_extension = matches!(
        extension.as_str(),
        "csproj"
            | "shproj"
            | "projitems"
            | "vbproj"
            | "fsproj"
            | "props"
            | "targets"
            | "sln"
            | "slnx"
            | "slnf"
            | "rsp"
            | "editorconfig"
            | "globalconfig"
            | "ruleset"
            | "dll"
            | "nuspec"
            | "razor"
            | "cshtml"
            | "xaml"
            | "axaml"
            | "resx"
            | "tt"
            | "proto"
            | "settings"
    );
    let name = path.file_name().to_ascii_lowercase();
    let by_name = matches!(
        name.as_str(),
        "global.json" | "project.json" | "packages.config" | "packages.lock.json" | "nuget.config"
    );
    by_extension || by_name
}

/// What a rename leaves to prove.
pub(super) fn draft_of(planned: &Planned, request: &Rename<'_>) -> Draft {
    // A parameter of a record is renamed with its property.
    let is_local = planned.subject.is_none() || planned.has_parameters;
    Draft {
        kind: EditKind::Rename,
        title: format!("rename `{}` to `{}`", request.symbol, planned.new_name),
        subject: planned.subject.clone(),
        n_family: planned.n_family,
        names: names_of(planned),
        locals: if is_local {
            Locals::Renamed
        } else {
            Locals::Kept
        },
        old_name: Some(planned.old_name.clone()),
        left_alone: BTreeMap::new(),
        plan: planned.plan.clone(),
    }
}

/// The names that a rename takes away and brings, as code may write them.
fn names_of(planned: &Planned) -> BTreeSet<String> {
    let names = [&planned.old_name, &planned.new_name].into_iter();
    names.flat_map(|name| written_names(name)).collect()
}

/// How code may write a name.
fn written_names(name: &str) -> BTreeSet<String> {
    // What is called so is an attribute where it is written without its ending.
    let mut names = BTreeSet::from([name.to_owned(), format!("{name}Attribute")]);
    names.extend(name.strip_suffix("Attribute").map(str::to_owned));
    names
}
