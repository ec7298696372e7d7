//! A type of a file that declares others as well gets a file of its own.

use std::collections::BTreeMap;

use cortex_index::Progress;
use cortex_model::{ByteRange, DeclKind};
use cortex_syntax::DeclId;

use super::{MoveType, new_text};
use crate::{
    EditError,
    edit::Sides,
    located::{Declaration, with_docs},
    member::{MemberAction, MemberEdit, comments_above, removed_range},
    new_path::check_new_path,
    new_type::{Around, BYTE_ORDER_MARK, bound_to_file, made_like, new_file, organize_new_file},
    plan::{Carried, Plan},
    text_edit::TextEdits,
};

/// Whether the file of a declaration declares something else outside of all types.
pub(super) fn is_beside_others(declaration: &Declaration) -> bool {
    let facts = &declaration.facts;
    let is_outermost = |parent: Option<DeclId>| {
        parent.is_none_or(|it| facts.decls[it as usize].kind == DeclKind::Namespace)
    };
    facts.decls.iter().enumerate().any(|(id, decl)| {
        let is_other = id as DeclId != declaration.id && decl.kind != DeclKind::Namespace;
        is_other && is_outermost(decl.parent)
    })
}

/// A plan, or the refusal where a project that compiles the type would not compile the new path.
pub(super) type OwnFile = Result<Plan, EditError>;

/// Plans the file of a type, and what is left of the one that it was in. `to`: the new path, or a folder, which ends in
/// `/`.
///
/// # Errors
/// [`EditError::Refused`] for what cannot go; those of the index.
pub(super) fn plan_own_file(
    views: &Sides<'_, '_>,
    request: &MoveType<'_>,
    (declaration, to): (&Declaration, &str),
    progress: &dyn Progress,
) -> Result<OwnFile, EditError> {
    let (view, _) = views[0];
    if let Some((reason, help)) = bound_to_file(declaration) {
        return Err(request.refused(reason, &[help]));
    }
    let path = new_file(declaration, declaration.name(), Some(to));
    if !path.extension().eq_ignore_ascii_case("cs") {
        let help = "give the path of a C# file, or a folder and `/`";
        return Err(request.refused(format!("`{path}` is no C# file"), &[help]));
    }
    let root = view.index.repo.work_dir().ok_or(EditError::NoWorkTree)?;
    check_new_path(root, &path, &|_| false)?;
    let text: &str = &declaration.text;
    let start = comments_above(text, with_docs(declaration.decl()).start as usize);
    let range = ByteRange {
        start: start as u32,
        end: declaration.decl().range.end,
    };
    let around = Around::new(declaration);
    let mark = match text.starts_with(BYTE_ORDER_MARK) {
        true => BYTE_ORDER_MARK,
        false => "",
    };
    let opening = format!("{mark}{}{}", around.before, around.indent);
    let own = &text[range.as_usize()];
    let new = format!("{opening}{own}{}{}", around.line_end, around.after);
    let edit = MemberEdit {
        symbol: request.symbol,
        file: None,
        action: MemberAction::Add { text: own },
    };
    let removal = new_text(removed_range(declaration, &edit), String::new());
    let overlap = || request.refused("two places that change overlap", &[]);
    let removal = TextEdits::new(vec![removal]).ok_or_else(overlap)?;
    let edits = BTreeMap::from([(declaration.path.clone(), removal)]);
    let mut plan = Plan::of_edits(view.index, view.side, edits, &BTreeMap::new())?;
    let made = made_like(view, &plan.files[&declaration.path], &path, &new)?;
    plan.files.insert(path.clone(), made);
    let refused = |reason: String, help: &str| request.refused(reason, &[help]);
    let places = (&declaration.path, &path);
    let directives = match organize_new_file(views, &mut plan, places, &refused, progress) {
        Err(refusal @ EditError::Refused { .. }) => return Ok(Err(refusal)),
        edits => edits?,
    };
    let lost = || request.refused("its code changes with the using directives", &[]);
    let start = (directives.new_position(opening.len() as u32)).ok_or_else(lost)?;
    plan.carried.push(Carried {
        from: declaration.path.clone(),
        range,
        to: path,
        start,
        edits: TextEdits::default(),
        len: own.len() as u32,
        common: 0,
    });
    Ok(Ok(plan))
}
