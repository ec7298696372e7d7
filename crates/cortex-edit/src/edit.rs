//! From a request to an operation: planned, proven, recorded.

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::{Index, Progress, Symbols};
use cortex_look::{
    mentioned::{MentionedName, mentions_of},
    unused::doubts::may_be_used,
    uses::edit_target,
    viewpoint::Viewpoint,
};
use cortex_model::RepoPath;
use cortex_semantics::is_special_name;
use cortex_wire::{
    Doubt, DoubtReason, EditAnswer, EditKind, EditedFile, EditedFileChange, LeftAlone, OpState,
    Residue,
};

use crate::{
    EditError,
    batch::{planned_extract_interface, planned_implement},
    conflicts::{Locals, add_conflicts},
    draft::Draft,
    encapsulate::{EncapsulateField, plan_encapsulate},
    extract_interface::ExtractInterface,
    extract_method::{ExtractMethod, plan_extract_method},
    foreign::{Foreign, plan_patch},
    implement::ImplementInterface,
    inline_method::{InlineMethod, plan_inline_method},
    inline_variable::{InlineVariable, plan_inline_variable},
    member::{MemberAction, MemberEdit, plan_member_edit},
    move_type::{MoveType, plan_move},
    op::{Op, Ops},
    plan::{FileFate, Plan},
    proof::{NewSide, OldSide, Others, PlaceBefore, Proof, prove},
    rename::{Planned, Reach, Rename, plan_rename},
    rewrite::{Rewrite, plan_rewrite},
    signature::{ChangeSignature, plan_signature},
    usings::{AddUsing, OrganizeUsings, plan_add_using, plan_organize},
    written::{add_warnings, check_syntax},
};

/// Plans a rename, proves it, and records it. `views`: the same files as each of their target frameworks sees them,
/// the one that answers are about first.
///
/// # Errors
/// Those of planning, of the index and of the files.
pub fn rename(
    views: &[Viewpoint<'_>],
    ops: &Ops,
    request: &Rename<'_>,
    progress: &dyn Progress,
) -> Result<Op, EditError> {
    let (draft, proof) = planned_rename(views, request, progress)?;
    record(views, ops, draft, proof)
}

/// Plans an edit that names a symbol and brings a text, proves it, and records it. `views` as of [`rename`].
///
/// # Errors
/// Those of planning, of the index and of the files.
pub fn edit_member(
    views: &[Viewpoint<'_>],
    ops: &Ops,
    request: &MemberEdit<'_>,
    progress: &dyn Progress,
) -> Result<Op, EditError> {
    let (draft, proof) = planned_member_edit(views, request, progress)?;
    record(views, ops, draft, proof)
}

/// Plans what a unified diff or texts of files change, proves it, and records it. `views` as of [`rename`].
///
/// # Errors
/// Those of planning, of the index and of the files.
pub fn edit_patch(
    views: &[Viewpoint<'_>],
    ops: &Ops,
    foreign: Foreign<'_>,
    progress: &dyn Progress,
) -> Result<Op, EditError> {
    let (draft, proof) = planned_patch(views, foreign, progress)?;
    record(views, ops, draft, proof)
}

/// Plans to put using directives of files in order and to take out those that nothing needs, proves it, and records it.
/// `views` as of [`rename`].
///
/// # Errors
/// Those of planning, of the index and of the files.
pub fn organize_usings(
    views: &[Viewpoint<'_>],
    ops: &Ops,
    request: &OrganizeUsings<'_>,
    progress: &dyn Progress,
) -> Result<Op, EditError> {
    let (draft, proof) = planned_organize(views, request, progress)?;
    record(views, ops, draft, proof)
}

/// Plans one using directive more, proves it, and records it. `views` as of [`rename`].
///
/// # Errors
/// Those of planning, of the index and of the files.
pub fn add_using(
    views: &[Viewpoint<'_>],
    ops: &Ops,
    request: &AddUsing<'_>,
    progress: &dyn Progress,
) -> Result<Op, EditError> {
    let (draft, proof) = planned_add_using(views, request, progress)?;
    record(views, ops, draft, proof)
}

/// Plans other parameters for a method or constructor, with its family and its calls, proves it, and records it. `views`
/// as of [`rename`].
///
/// # Errors
/// Those of planning, of the index and of the files.
pub fn change_signature(
    views: &[Viewpoint<'_>],
    ops: &Ops,
    request: &ChangeSignature<'_>,
    progress: &dyn Progress,
) -> Result<Op, EditError> {
    let (draft, proof) = planned_signature(views, request, progress)?;
    record(views, ops, draft, proof)
}

/// Plans a type to go to another namespace or file, proves it, and records it. `views` as of [`rename`].
///
/// # Errors
/// Those of planning, of the index and of the files.
pub fn move_type(
    views: &[Viewpoint<'_>],
    ops: &Ops,
    request: &MoveType<'_>,
    progress: &dyn Progress,
) -> Result<Op, EditError> {
    let (draft, proof) = planned_move(views, request, progress)?;
    record(views, ops, draft, proof)
}

/// Plans what a type lacks of its interfaces, proves it, and records it. `views` as of [`rename`].
///
/// # Errors
/// Those of planning, of the index and of the files.
pub fn implement_interface(
    views: &[Viewpoint<'_>],
    ops: &Ops,
    request: &ImplementInterface<'_>,
    progress: &dyn Progress,
) -> Result<Op, EditError> {
    let (draft, proof) = planned_implement(views, request, progress)?;
    record(views, ops, draft, proof)
}

/// Plans that a local variable goes and its initializer takes the place of its uses, proves it, and records it. `views` as
/// of [`rename`].
///
/// # Errors
/// Those of planning, of the index and of the files.
pub fn inline_variable(
    views: &[Viewpoint<'_>],
    ops: &Ops,
    request: &InlineVariable<'_>,
    progress: &dyn Progress,
) -> Result<Op, EditError> {
    let (draft, proof) = planned_inline_variable(views, request, progress)?;
    record(views, ops, draft, proof)
}

/// Plans that statements or an expression become a method, proves it, and records it. `views` as of [`rename`].
///
/// # Errors
/// Those of planning, of the index and of the files.
pub fn extract_method(
    views: &[Viewpoint<'_>],
    ops: &Ops,
    request: &ExtractMethod<'_>,
    progress: &dyn Progress,
) -> Result<Op, EditError> {
    let (draft, proof) = planned_extract_method(views, request, progress)?;
    record(views, ops, draft, proof)
}

/// Plans that all code like a pattern becomes other code, proves it, and records it. `views` as of [`rename`].
///
/// # Errors
/// Those of planning, of the index and of the files.
pub fn rewrite(
    views: &[Viewpoint<'_>],
    ops: &Ops,
    request: &Rewrite<'_>,
    progress: &dyn Progress,
) -> Result<Op, EditError> {
    let (draft, proof) = planned_rewrite(views, request, progress)?;
    record(views, ops, draft, proof)
}

/// Code like a pattern as other code, with the proof.
pub(crate) fn planned_rewrite(
    views: &[Viewpoint<'_>],
    request: &Rewrite<'_>,
    progress: &dyn Progress,
) -> Result<(Draft, Proof), EditError> {
    let sides = sides_of(views)?;
    let sides = with_symbols(&sides);
    let (draft, warnings) = plan_rewrite(&sides, request)?;
    let mut proof = prove_everywhere(&sides, &draft, progress)?;
    proof.warn(warnings);
    Ok((draft, proof))
}

/// Plans that a method goes and its body takes the place of its calls, proves it, and records it. `views` as of [`rename`].
///
/// # Errors
/// Those of planning, of the index and of the files.
pub fn inline_method(
    views: &[Viewpoint<'_>],
    ops: &Ops,
    request: &InlineMethod<'_>,
    progress: &dyn Progress,
) -> Result<Op, EditError> {
    let (draft, proof) = planned_inline_method(views, request, progress)?;
    record(views, ops, draft, proof)
}

/// A method that goes, with the proof.
pub(crate) fn planned_inline_method(
    views: &[Viewpoint<'_>],
    request: &InlineMethod<'_>,
    progress: &dyn Progress,
) -> Result<(Draft, Proof), EditError> {
    let sides = sides_of(views)?;
    let sides = with_symbols(&sides);
    let draft = plan_inline_method(&sides, request)?;
    let proof = prove_everywhere(&sides, &draft, progress)?;
    Ok((draft, proof))
}

/// Plans an interface of what a type shows, proves it, and records it. `views` as of [`rename`].
///
/// # Errors
/// Those of planning, of the index and of the files.
pub fn extract_interface(
    views: &[Viewpoint<'_>],
    ops: &Ops,
    request: &ExtractInterface<'_>,
    progress: &dyn Progress,
) -> Result<Op, EditError> {
    let (draft, proof) = planned_extract_interface(views, request, progress)?;
    record(views, ops, draft, proof)
}

/// Plans a property for a field, proves it, and records it. `views` as of [`rename`].
///
/// # Errors
/// Those of planning, of the index and of the files.
pub fn encapsulate_field(
    views: &[Viewpoint<'_>],
    ops: &Ops,
    request: &EncapsulateField<'_>,
    progress: &dyn Progress,
) -> Result<Op, EditError> {
    let (draft, proof) = planned_encapsulate(views, request, progress)?;
    record(views, ops, draft, proof)
}

/// A property for a field, with the proof.
pub(crate) fn planned_encapsulate(
    views: &[Viewpoint<'_>],
    request: &EncapsulateField<'_>,
    progress: &dyn Progress,
) -> Result<(Draft, Proof), EditError> {
    let sides = sides_of(views)?;
    let sides = with_symbols(&sides);
    let mut first = None;
    // A parameter may have the name that the field would get.
    for choice in 0.. {
        let Some(draft) = plan_encapsulate(&sides, request, choice)? else {
            break;
        };
        let proof = prove_everywhere(&sides, &draft, progress)?;
        if proof.differences.is_empty() {
            return Ok((draft, proof));
        }
        first.get_or_insert((draft, proof));
    }
    Ok(first.expect("there is a name at least"))
}

/// Code that becomes a method, with the proof.
pub(crate) fn planned_extract_method(
    views: &[Viewpoint<'_>],
    request: &ExtractMethod<'_>,
    progress: &dyn Progress,
) -> Result<(Draft, Proof), EditError> {
    let sides = sides_of(views)?;
    let sides = with_symbols(&sides);
    let draft = plan_extract_method(&sides, request)?;
    let proof = prove_everywhere(&sides, &draft, progress)?;
    Ok((draft, proof))
}

/// A local variable that goes, with the proof: no other file sees it.
pub(crate) fn planned_inline_variable(
    views: &[Viewpoint<'_>],
    request: &InlineVariable<'_>,
    progress: &dyn Progress,
) -> Result<(Draft, Proof), EditError> {
    let sides = sides_of(views)?;
    let sides = with_symbols(&sides);
    let draft = plan_inline_variable(&sides, request)?;
    let proof = all_together(&sides, |view, symbols| {
        prove_in((view, symbols), &draft, Reaches::Edited, progress)
    })?;
    Ok((draft, proof))
}

/// A type elsewhere, with the proof.
pub(crate) fn planned_move(
    views: &[Viewpoint<'_>],
    request: &MoveType<'_>,
    progress: &dyn Progress,
) -> Result<(Draft, Proof), EditError> {
    let sides = sides_of(views)?;
    let sides = with_symbols(&sides);
    let draft = plan_move(&sides, request)?;
    let proof = prove_everywhere(&sides, &draft, progress)?;
    Ok((draft, proof))
}

/// Other parameters, with the proof.
pub(crate) fn planned_signature(
    views: &[Viewpoint<'_>],
    request: &ChangeSignature<'_>,
    progress: &dyn Progress,
) -> Result<(Draft, Proof), EditError> {
    let sides = sides_of(views)?;
    let sides = with_symbols(&sides);
    let (draft, warnings) = plan_signature(&sides, request)?;
    let mut proof = prove_everywhere(&sides, &draft, progress)?;
    proof.warn(warnings);
    Ok((draft, proof))
}

/// Using directives of files in order, with the proof. Files that would mean something else without some keep theirs.
pub(crate) fn planned_organize(
    views: &[Viewpoint<'_>],
    request: &OrganizeUsings<'_>,
    progress: &dyn Progress,
) -> Result<(Draft, Proof), EditError> {
    let sides = sides_of(views)?;
    let sides = with_symbols(&sides);
    let mut whole = BTreeSet::new();
    loop {
        let draft = plan_organize(&sides, request, &whole)?;
        let proof = prove_everywhere(&sides, &draft, progress)?;
        let mut differing = proof.differences.keys().map(|(path, _)| path.clone());
        if !differing.any(|path| whole.insert(path)) {
            return Ok((draft, proof));
        }
        whole.extend(proof.differences.into_keys().map(|(path, _)| path));
    }
}

/// One using directive more, with the proof. A name that meant nothing and means something is what it is for.
pub(crate) fn planned_add_using(
    views: &[Viewpoint<'_>],
    request: &AddUsing<'_>,
    progress: &dyn Progress,
) -> Result<(Draft, Proof), EditError> {
    let sides = sides_of(views)?;
    let sides = with_symbols(&sides);
    let (draft, warning) = plan_add_using(&sides, request)?;
    let mut proof = prove_everywhere(&sides, &draft, progress)?;
    if let Some(warning) = warning {
        proof.warnings.insert((warning.file.clone(), 0), warning);
    }
    let is_nothing = |shown: &Option<String>| {
        shown
            .as_deref()
            .is_none_or(|shown| shown == "nothing" || shown.starts_with('?'))
    };
    proof.differences.retain(|_, it| !is_nothing(&it.before));
    Ok((draft, proof))
}

/// What a diff or texts of files change, with its proof.
pub(crate) fn planned_patch(
    views: &[Viewpoint<'_>],
    foreign: Foreign<'_>,
    progress: &dyn Progress,
) -> Result<(Draft, Proof), EditError> {
    let sides = sides_of(views)?;
    let sides = with_symbols(&sides);
    let draft = plan_patch(sides[0], foreign)?;
    let proof = prove_everywhere(&sides, &draft, progress)?;
    Ok((draft, proof))
}

/// A rename with its proof.
pub(crate) fn planned_rename(
    views: &[Viewpoint<'_>],
    request: &Rename<'_>,
    progress: &dyn Progress,
) -> Result<(Draft, Proof), EditError> {
    let sides = sides_of(views)?;
    let sides = with_symbols(&sides);
    let mut tuples = BTreeSet::new();
    let mut planned = plan_rename(&sides, request, &tuples)?;
    let mut proof = prove_rename(&sides, &planned, request, progress)?;
    let differing: BTreeSet<PlaceBefore> = proof.differences.keys().cloned().collect();
    if !differing.is_empty() {
        // Elements of tuples may have lost the names that code uses.
        let explicit = plan_rename(&sides, request, &differing)?;
        let mut files = explicit.plan.files.iter();
        let is_other = files.any(|(path, file)| {
            let before = planned.plan.files.get(path);
            before.is_none_or(|before| before.edits != file.edits)
        });
        if is_other {
            let again = prove_rename(&sides, &explicit, request, progress)?;
            if again.differences.len() < proof.differences.len() {
                (planned, proof, tuples) = (explicit, again, differing);
            }
        }
    }
    if !proof.differences.is_empty() && planned.plan.moves_files() {
        // Projects that list their files do not find one under another name.
        let request = Rename {
            keep_file: true,
            ..request.clone()
        };
        planned = plan_rename(&sides, &request, &tuples)?;
        proof = prove_rename(&sides, &planned, &request, progress)?;
    }
    planned.keep_own(&views[0], &mut proof)?;
    let draft = draft_of(&planned, request);
    add_mentions(&views[0], &draft, &mut proof)?;
    Ok((draft, proof))
}

/// An edit of a member with its proof.
pub(crate) fn planned_member_edit(
    views: &[Viewpoint<'_>],
    request: &MemberEdit<'_>,
    progress: &dyn Progress,
) -> Result<(Draft, Proof), EditError> {
    let sides = sides_of(views)?;
    let sides = with_symbols(&sides);
    let draft = plan_member_edit(sides[0], request)?;
    let mut proof = prove_everywhere(&sides, &draft, progress)?;
    if draft.kind == EditKind::RemoveMember {
        add_mentions(&views[0], &draft, &mut proof)?;
        add_reasons_to_stay(&views[0], request, &mut proof)?;
    }
    Ok((draft, proof))
}

/// Adds why what goes may be in use although nobody names it.
fn add_reasons_to_stay(
    view: &Viewpoint<'_>,
    request: &MemberEdit<'_>,
    found: &mut Proof,
) -> Result<(), EditError> {
    let MemberAction::Remove {
        others,
        although_used: false,
    } = request.action
    else {
        return Ok(());
    };
    let all = std::iter::once(request.symbol).chain(others.iter().map(String::as_str));
    for symbol in all {
        for target in edit_target(view, symbol)?.symbols {
            let Some(used) = may_be_used(view, target)? else {
                continue;
            };
            let place = (used.file.clone(), used.line);
            found.doubts.entry(place).or_insert(Doubt {
                file: used.file,
                line: used.line,
                reason: DoubtReason::MayBeUsed,
                used_by: Some(used.reason),
            });
        }
    }
    Ok(())
}

/// The symbols of each view.
pub(crate) fn sides_of<'v, 'a>(
    views: &'v [Viewpoint<'a>],
) -> Result<Vec<(&'v Viewpoint<'a>, Symbols)>, EditError> {
    let mut sides = Vec::with_capacity(views.len());
    for view in views {
        sides.push((view, view.index.symbols(view.side, None)?));
    }
    Ok(sides)
}

pub(crate) fn with_symbols<'s, 'v, 'a>(
    sides: &'s [(&'v Viewpoint<'a>, Symbols)],
) -> Vec<(&'v Viewpoint<'a>, &'s Symbols)> {
    (sides.iter())
        .map(|(view, symbols)| (*view, symbols))
        .collect()
}

/// What a rename leaves to prove.
fn draft_of(planned: &Planned, request: &Rename<'_>) -> Draft {
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

/// Records an edit that is proven.
pub(crate) fn record(
    views: &[Viewpoint<'_>],
    ops: &Ops,
    draft: Draft,
    proof: Proof,
) -> Result<Op, EditError> {
    let mut answer = answer(draft.title, &draft.plan, proof);
    answer.kind = draft.kind;
    answer.subject = draft.subject;
    answer.family = draft.n_family as u64;
    answer.total_left_alone = draft.left_alone.len() as u64;
    let left_alone = draft.left_alone.into_iter().take(MAX_LISTED);
    answer.left_alone = left_alone
        .map(|(file, reason)| LeftAlone { file, reason })
        .collect();
    let index = views[0].index;
    ops.record(&index.repo, &draft.plan, answer, index.now)
}

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

/// Proves a rename for every target framework.
fn prove_rename(
    views: &[(&Viewpoint<'_>, &Symbols)],
    planned: &Planned,
    request: &Rename<'_>,
    progress: &dyn Progress,
) -> Result<Proof, EditError> {
    let draft = draft_of(planned, request);
    all_together(views, |view, symbols| {
        let is_written = matters_where_written(planned, symbols);
        let reaches = match is_written {
            true => Reaches::Using(&planned.uses),
            false => Reaches::Anything,
        };
        prove_in((view, symbols), &draft, reaches, progress)
    })
}

/// What a rename is found to do where only the files are compared that mention it, and where all that the graph of the
/// new side has otherwise are; `None` where the first is not enough. For tests of the first.
#[doc(hidden)]
pub fn prove_in_both_ways(
    views: &[Viewpoint<'_>],
    request: &Rename<'_>,
    progress: &dyn Progress,
) -> Result<Option<[Proof; 2]>, EditError> {
    let sides = sides_of(views)?;
    let sides = with_symbols(&sides);
    let planned = plan_rename(&sides, request, &BTreeSet::new())?;
    if !(sides.iter()).all(|(_, symbols)| matters_where_written(&planned, symbols)) {
        return Ok(None);
    }
    let short = prove_rename(&sides, &planned, request, progress)?;
    let full = prove_everywhere(&sides, &draft_of(&planned, request), progress)?;
    Ok(Some([short, full]))
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
        && ![&planned.old_name, &planned.new_name]
            .into_iter()
            .any(|it| is_special_name(it))
        && !is_in_project(symbols)
}

/// What is proven in all views.
fn all_together(
    views: &[(&Viewpoint<'_>, &Symbols)],
    prove: impl Fn(&Viewpoint<'_>, &Symbols) -> Result<Proof, EditError>,
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
    /// What mentions one of its names, or uses what it is about: these places, by file.
    Using(&'a BTreeMap<RepoPath, Vec<u32>>),
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
        return prove_between(index, (&old, &new), draft, progress);
    }
    let (side, _) = index.planned(view.side, &files, progress)?;
    let new_symbols = index.symbols(&side, Some(symbols))?;
    let new = NewSide {
        symbols: &new_symbols,
        others: Others::Bound(&side.snapshot),
    };
    prove_between(index, (&old, &new), draft, progress)
}

fn prove_between(
    index: &Index,
    (old, new): (&OldSide<'_>, &NewSide<'_>),
    draft: &Draft,
    progress: &dyn Progress,
) -> Result<Proof, EditError> {
    check_syntax((old, new), &draft.plan)?;
    let names = (&draft.names, draft.old_name.as_deref());
    let mut proof = prove(index, (old, new), &draft.plan, names, progress)?;
    add_conflicts(new, (&draft.plan, draft.locals), &mut proof)?;
    add_warnings(index, new, &draft.plan, &mut proof)?;
    add_files_of_builds(&draft.plan, &mut proof);
    Ok(proof)
}

/// Adds the places outside of C# that have the old name of a type or member. Where it gets another one these texts stay
/// as they are; where it goes they may still need it.
fn add_mentions(view: &Viewpoint<'_>, draft: &Draft, found: &mut Proof) -> Result<(), EditError> {
    let (Some(subject), Some(name)) = (&draft.subject, &draft.old_name) else {
        return Ok(());
    };
    let name = MentionedName {
        name: name.clone(),
        is_type: subject.resolved.member_id.is_none(),
    };
    for mention in mentions_of(view.index, view.side, &name)? {
        let place = (mention.file.clone(), mention.line);
        if draft.kind == EditKind::Rename {
            found.residue.entry(place).or_insert(Residue {
                file: mention.file,
                line: mention.line,
                text: mention.text,
            });
        } else {
            found.doubts.entry(place).or_insert(Doubt {
                file: mention.file,
                line: mention.line,
                reason: DoubtReason::Mentioned,
                used_by: None,
            });
        }
    }
    Ok(())
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

/// The names that a rename takes away and brings, as code may write them.
fn names_of(planned: &Planned) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for name in [&planned.old_name, &planned.new_name] {
        names.insert(name.clone());
        if let Some(short) = name.strip_suffix("Attribute") {
            names.insert(short.to_owned());
        }
        // What is called so is an attribute where it is written without its ending.
        names.insert(format!("{name}Attribute"));
    }
    names
}

fn answer(title: String, plan: &Plan, proof: Proof) -> EditAnswer {
    let files = plan.files.values().map(|file| EditedFile {
        file: file.old.path.clone(),
        change: match file.fate {
            FileFate::Changed => EditedFileChange::Changed,
            FileFate::Made => EditedFileChange::Made,
            FileFate::Removed => EditedFileChange::Removed,
        },
        new_file: (file.new_path != file.old.path).then(|| file.new_path.clone()),
        edits: file.edits.all().len() as u64,
    });
    EditAnswer {
        op: String::new(),
        kind: EditKind::default(),
        title,
        state: OpState::Planned,
        subject: None,
        verdict: proof.verdict(),
        files: files.collect(),
        total_edits: plan.n_edits() as u64,
        family: 0,
        compared_files: proof.n_files,
        compared_decisions: proof.n_decisions,
        total_differences: proof.differences.len() as u64,
        differences: first(proof.differences),
        total_doubts: proof.doubts.len() as u64,
        doubts: first(proof.doubts),
        total_residue: proof.residue.len() as u64,
        residue: first(proof.residue),
        total_warnings: proof.warnings.len() as u64,
        warnings: first(proof.warnings),
        total_left_alone: 0,
        left_alone: Vec::new(),
        patch: String::new(),
    }
}

/// So many places of each kind are listed.
const MAX_LISTED: usize = 50;

fn first<T>(all: BTreeMap<PlaceBefore, T>) -> Vec<T> {
    all.into_values().take(MAX_LISTED).collect()
}
