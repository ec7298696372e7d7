//! From a request to an operation: planned, proven, recorded.

mod data_names;
mod element;
mod extract_base;
mod move_member;
mod namespace;
mod reach;
mod recorded;

use std::{borrow::Cow, collections::BTreeSet};

use cortex_index::{Progress, Symbols};
use cortex_look::{
    QueryError, unused::doubts::may_be_used, uses::edit_target, viewpoint::Viewpoint,
};
use cortex_model::LineTable;
use cortex_syntax::text::decode;
use cortex_wire::{Difference, Doubt, DoubtReason, EditKind};

pub use self::reach::{Ways, prove_in_all_ways};
use self::{
    data_names::add_names_that_are_data,
    element::renamed_element,
    extract_base::with_base,
    move_member::{moved_member, nested_type},
    namespace::renamed_namespace,
    reach::{draft_of, prove_edited, prove_rename},
};
pub(crate) use self::{reach::prove_everywhere, recorded::record};
use crate::{
    EditError,
    draft::Draft,
    encapsulate::{EncapsulateField, plan_encapsulate},
    extract_base::ExtractBase,
    extract_interface::{ExtractInterface, plan_extract_interface},
    extract_method::{ExtractMethod, plan_extract_method},
    foreign::{Foreign, plan_patch},
    implement::{ImplementInterface, plan_implement},
    inline_method::{InlineMethod, plan_inline_method},
    inline_variable::{InlineVariable, plan_inline_variable},
    located::locate,
    member::{MemberAction, MemberEdit, add_unnamed_effects, deciding, plan_member_edit},
    move_member::MoveMember,
    move_type::{MoveType, plan_move},
    nest_type::NestType,
    op::{Op, Ops},
    plan::FilePlan,
    proof::{PlaceBefore, Proof},
    rename::{Rename, element::element_at, namespace::namespace_named, plan_rename},
    rewrite::{Rewrite, plan_rewrite},
    signature::{ChangeSignature, plan_signature},
    texts::{Extent, MentioningTexts},
    usings::{AddUsing, OrganizeUsings, plan_add_using, plan_organize},
};

/// An edit that is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Edit<'r> {
    /// A rename.
    Rename(Rename<'r>),
    /// An edit that names a symbol and brings a text.
    Member(MemberEdit<'r>),
    /// What a unified diff or texts of files change.
    Patch(Foreign<'r>),
    /// Other parameters for a method.
    ChangeSignature(ChangeSignature<'r>),
    /// Using directives in order.
    OrganizeUsings(OrganizeUsings<'r>),
    /// One using directive more.
    AddUsing(AddUsing<'r>),
    /// A type goes elsewhere.
    Move(MoveType<'r>),
    /// A static member, or a type, goes into another type.
    MoveMember(MoveMember<'r>),
    /// A type goes out of the type around it, or into one.
    Nest(NestType<'r>),
    /// A type gets what it lacks of its interfaces.
    Implement(ImplementInterface<'r>),
    /// A field gets a property.
    EncapsulateField(EncapsulateField<'r>),
    /// A type gets an interface.
    ExtractInterface(ExtractInterface<'r>),
    /// A class gets a base class.
    ExtractBase(ExtractBase<'r>),
    /// Code becomes a method.
    ExtractMethod(ExtractMethod<'r>),
    /// Code like a pattern becomes other code.
    Rewrite(Rewrite<'r>),
    /// A method goes.
    InlineMethod(InlineMethod<'r>),
    /// A local variable goes.
    InlineVariable(InlineVariable<'r>),
}

impl Edit<'_> {
    /// What is edited, as questions name symbols and places; `None` where the request names none.
    fn subject(&self) -> Option<Cow<'_, str>> {
        let symbol = match self {
            Self::Rename(request) => request.symbol,
            Self::Member(request) => request.symbol,
            Self::ChangeSignature(request) => request.symbol,
            Self::Move(request) => request.symbol,
            Self::MoveMember(request) => request.symbol,
            Self::Nest(request) => request.symbol,
            Self::Implement(request) => request.symbol,
            Self::EncapsulateField(request) => request.symbol,
            Self::ExtractInterface(request) => request.symbol,
            Self::ExtractBase(request) => request.symbol,
            Self::InlineMethod(request) => request.symbol,
            Self::InlineVariable(request) => request.at,
            Self::ExtractMethod(request) => return request.start().map(Cow::Owned),
            Self::Patch(_) | Self::OrganizeUsings(_) | Self::AddUsing(_) | Self::Rewrite(_) => {
                return None;
            }
        };
        Some(Cow::Borrowed(symbol))
    }
}

/// Views of the same files with the symbols of each, the one that answers are about first.
pub(crate) type Sides<'s, 'a> = [(&'s Viewpoint<'a>, &'s Symbols)];

/// Plans an edit, proves it, and records it. `views`: the same files as each of their target frameworks sees them, the one
/// that answers are about first.
///
/// # Errors
/// Those of planning, of the index and of the files.
pub fn edit(
    views: &[Viewpoint<'_>],
    ops: &Ops,
    edit: &Edit<'_>,
    progress: &dyn Progress,
) -> Result<Op, EditError> {
    let (draft, proof) = planned(views, edit, progress)?;
    record(views, ops, (draft, proof), progress)
}

/// Plans an edit, and proves it.
///
/// # Errors
/// [`EditError::NoChange`] where all files stay as they are; those of planning and of the index.
pub(crate) fn planned(
    views: &[Viewpoint<'_>],
    edit: &Edit<'_>,
    progress: &dyn Progress,
) -> Result<(Draft, Proof), EditError> {
    let (draft, proof) = plan_and_prove(views, edit, progress)?;
    if draft.plan.files.values().all(FilePlan::is_kept) {
        return Err(EditError::NoChange { doing: draft.title });
    }
    Ok((draft, proof))
}

fn plan_and_prove(
    views: &[Viewpoint<'_>],
    edit: &Edit<'_>,
    progress: &dyn Progress,
) -> Result<(Draft, Proof), EditError> {
    let mut sides = sides_of(views)?;
    if let Some(subject) = edit.subject() {
        put_first(&mut sides, &subject)?;
    }
    let sides = with_symbols(&sides);
    let draft = match edit {
        Edit::Rename(request) => return renamed(&sides, request, progress),
        Edit::Member(request) => return member_edited(&sides, request, progress),
        Edit::OrganizeUsings(request) => return organized(&sides, request, progress),
        Edit::AddUsing(request) => return with_using(&sides, request, progress),
        Edit::MoveMember(request) => return moved_member(&sides, request, progress),
        Edit::Nest(request) => return nested_type(&sides, request, progress),
        Edit::ExtractBase(request) => return with_base(&sides, request, progress),
        Edit::EncapsulateField(request) => return encapsulated(&sides, request, progress),
        Edit::InlineVariable(request) => {
            let draft = plan_inline_variable(&sides, request)?;
            let proof = prove_edited(&sides, &draft, progress)?;
            return Ok((draft, proof));
        }
        Edit::ChangeSignature(request) => return with_signature(&sides, request, progress),
        Edit::Rewrite(request) => {
            let (draft, warnings) = plan_rewrite(&sides, request)?;
            let mut proof = prove_everywhere(&sides, &draft, progress)?;
            proof.warn(warnings);
            return Ok((draft, proof));
        }
        Edit::Implement(request) => {
            let draft = plan_implement(&sides, request, progress)?;
            let mut proof = prove_everywhere(&sides, &draft, progress)?;
            proof.allow_new_implementations();
            return Ok((draft, proof));
        }
        Edit::Patch(foreign) => plan_patch(sides[0], *foreign)?,
        Edit::Move(request) => plan_move(&sides, request, progress)?,
        Edit::ExtractInterface(request) => plan_extract_interface(&sides, request, progress)?,
        Edit::ExtractMethod(request) => plan_extract_method(&sides, request)?,
        Edit::InlineMethod(request) => plan_inline_method(&sides, request)?,
    };
    let proof = prove_everywhere(&sides, &draft, progress)?;
    Ok((draft, proof))
}

/// A rename with its proof.
fn renamed(
    sides: &Sides<'_, '_>,
    request: &Rename<'_>,
    progress: &dyn Progress,
) -> Result<(Draft, Proof), EditError> {
    if let Some(renaming) = namespace_named(sides, request)? {
        return renamed_namespace(sides, &renaming, progress);
    }
    if let Some(renaming) = element_at(sides[0], request)? {
        return renamed_element(sides, &renaming, progress);
    }
    let mut tuples = BTreeSet::new();
    let mut planned = plan_rename(sides, request, &tuples)?;
    let mut proof = prove_rename(sides, &planned, request, progress)?;
    let differing: BTreeSet<PlaceBefore> = proof.differences.keys().cloned().collect();
    if !differing.is_empty() {
        // Elements of tuples may have lost the names that code uses.
        let explicit = plan_rename(sides, request, &differing)?;
        let mut files = explicit.plan.files.iter();
        let is_other = files.any(|(path, file)| {
            let before = planned.plan.files.get(path);
            before.is_none_or(|before| before.edits != file.edits)
        });
        if is_other {
            let again = prove_rename(sides, &explicit, request, progress)?;
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
        planned = plan_rename(sides, &request, &tuples)?;
        proof = prove_rename(sides, &planned, &request, progress)?;
    }
    planned.keep_own(sides[0].0, &mut proof)?;
    proof.warn(std::mem::take(&mut planned.warnings));
    planned.add_residue(sides[0].0, &mut proof)?;
    planned.add_inactive(sides, &mut proof)?;
    planned.add_uses_in_markup(sides[0].0, &mut proof)?;
    add_names_that_are_data(sides[0].0, request, &planned, &mut proof)?;
    Ok((draft_of(&planned, request), proof))
}

/// Another signature with its proof.
fn with_signature(
    sides: &Sides<'_, '_>,
    request: &ChangeSignature<'_>,
    progress: &dyn Progress,
) -> Result<(Draft, Proof), EditError> {
    let mut planned = plan_signature(sides, request, &BTreeSet::new())?;
    let mut proof = prove_everywhere(sides, &planned.draft, progress)?;
    let differing: BTreeSet<PlaceBefore> = proof.differences.keys().cloned().collect();
    if !differing.is_empty() && !request.rename.is_empty() {
        // Elements of tuples may have lost the names that code uses.
        let explicit = plan_signature(sides, request, &differing)?;
        let again = prove_everywhere(sides, &explicit.draft, progress)?;
        if again.differences.len() < proof.differences.len() {
            (planned, proof) = (explicit, again);
        }
    }
    let files = planned.ranges.keys().cloned().collect();
    for name in &planned.old_names {
        let mut texts = MentioningTexts::find(sides[0].0, name, Extent::Files(&files))?;
        texts.keep_in(&planned.ranges);
        texts.add_residue(&planned.draft.plan, &mut proof);
    }
    proof.warn(planned.warnings);
    Ok((planned.draft, proof))
}

/// An edit of a member with its proof.
fn member_edited(
    sides: &Sides<'_, '_>,
    request: &MemberEdit<'_>,
    progress: &dyn Progress,
) -> Result<(Draft, Proof), EditError> {
    let draft = plan_member_edit(sides[0], request)?;
    let mut proof = prove_everywhere(sides, &draft, progress)?;
    if let MemberAction::AddAttribute { text } = request.action {
        add_deciding_attributes(&draft, text, &mut proof);
    }
    if let MemberAction::Remove { others, .. } = request.action {
        let all = std::iter::once(request.symbol).chain(others.iter().map(String::as_str));
        for symbol in all {
            let located = locate(sides[0].0, sides[0].1, symbol, &|| draft.title.clone())?;
            add_unnamed_effects(sides[0], &located, &mut proof)?;
        }
    }
    if draft.kind == EditKind::RemoveMember {
        add_mentions(sides[0].0, &draft, &mut proof)?;
        add_reasons_to_stay(sides[0].0, request, &mut proof)?;
    }
    Ok((draft, proof))
}

/// Adds the attributes by which a declaration is something else, whatever the names in code mean.
fn add_deciding_attributes(draft: &Draft, text: &str, found: &mut Proof) {
    for (path, file) in &draft.plan.files {
        let Some(edit) = file.edits.all().first() else {
            continue;
        };
        let before = decode(&file.old_bytes);
        let line = LineTable::new(before.as_bytes())
            .position(edit.range.start)
            .line;
        for attribute in deciding(text) {
            let key = (path.clone(), edit.range.start);
            found.differences.entry(key).or_insert_with(|| Difference {
                file: path.clone(),
                line,
                question: "what the compiler and the runtime make of the declaration".to_owned(),
                before: None,
                after: Some(attribute),
            });
        }
    }
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
            if let Some(used) = may_be_used(view, target)? {
                found.doubt_use(used);
            }
        }
    }
    Ok(())
}

/// Adds the places outside of C# that may still need a symbol which goes, and lists the comments and strings that name it.
fn add_mentions(view: &Viewpoint<'_>, draft: &Draft, found: &mut Proof) -> Result<(), EditError> {
    let (Some(subject), Some(name)) = (&draft.subject, &draft.old_name) else {
        return Ok(());
    };
    let mut texts = MentioningTexts::find(view, name, Extent::Everywhere(subject))?;
    for mention in texts.take_elsewhere() {
        let place = (mention.file.clone(), mention.line);
        found.doubts.entry(place).or_insert(Doubt {
            file: mention.file,
            line: mention.line,
            reason: DoubtReason::Mentioned,
            used_by: None,
        });
    }
    texts.add_residue(&draft.plan, found);
    Ok(())
}

/// Using directives of files in order, with the proof. Files that would mean something else without some keep theirs.
fn organized(
    sides: &Sides<'_, '_>,
    request: &OrganizeUsings<'_>,
    progress: &dyn Progress,
) -> Result<(Draft, Proof), EditError> {
    let mut whole = BTreeSet::new();
    loop {
        let draft = plan_organize(sides, request, &whole)?;
        let proof = prove_everywhere(sides, &draft, progress)?;
        let mut differing = proof.differences.keys().map(|(path, _)| path.clone());
        if !differing.any(|path| whole.insert(path)) {
            return Ok((draft, proof));
        }
        whole.extend(proof.differences.into_keys().map(|(path, _)| path));
    }
}

/// One using directive more, with the proof. A name that meant nothing and means something is what it is for.
fn with_using(
    sides: &Sides<'_, '_>,
    request: &AddUsing<'_>,
    progress: &dyn Progress,
) -> Result<(Draft, Proof), EditError> {
    let (draft, warning) = plan_add_using(sides, request)?;
    let mut proof = prove_everywhere(sides, &draft, progress)?;
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

/// A property for a field, with the proof.
fn encapsulated(
    sides: &Sides<'_, '_>,
    request: &EncapsulateField<'_>,
    progress: &dyn Progress,
) -> Result<(Draft, Proof), EditError> {
    let mut first = None;
    // A parameter may have the name that the field would get.
    for choice in 0.. {
        let Some(draft) = plan_encapsulate(sides, request, choice)? else {
            break;
        };
        let proof = prove_everywhere(sides, &draft, progress)?;
        if proof.differences.is_empty() {
            return Ok((draft, proof));
        }
        first.get_or_insert((draft, proof));
    }
    Ok(first.expect("there is a name at least"))
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

/// Puts the first of several sides before the others that has a symbol: an older framework may be the only one that compiles
/// it.
fn put_first(sides: &mut [(&Viewpoint<'_>, Symbols)], symbol: &str) -> Result<(), EditError> {
    if sides.len() < 2 {
        return Ok(());
    }
    for at in 0..sides.len() {
        match edit_target(sides[at].0, symbol) {
            Err(QueryError::SymbolNotFound { .. }) => {}
            Ok(_) | Err(QueryError::AmbiguousSymbol { .. }) => {
                sides[..=at].rotate_right(1);
                break;
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

pub(crate) fn with_symbols<'s, 'v, 'a>(
    sides: &'s [(&'v Viewpoint<'a>, Symbols)],
) -> Vec<(&'v Viewpoint<'a>, &'s Symbols)> {
    (sides.iter())
        .map(|(view, symbols)| (*view, symbols))
        .collect()
}
