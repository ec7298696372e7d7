//! Operations that edit code by symbol: bodies and members, with a text that the request brings.

use cortex_edit::{MemberAction, MemberEdit};
use cortex_wire::{
    EditAnswer, EditBodyRequest, EditRemoveRequest, EditSafeDeleteRequest, EditTextRequest,
    Envelope, ErrorCode, WireError,
};

use crate::{RequestContext, ServiceError, Workspace, operations::edit::planned};

type Answered = Result<Envelope<EditAnswer>, ServiceError>;

fn edited(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    operation: &'static str,
    request: &MemberEdit<'_>,
) -> Answered {
    planned(workspace, context, operation, |views, ops| {
        cortex_edit::edit_member(views, ops, request, context)
    })
}

/// Plans to replace the body of a member.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn edit_replace_body(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &EditBodyRequest,
) -> Answered {
    let edit = MemberEdit {
        symbol: &request.symbol,
        file: request.file.as_deref(),
        action: MemberAction::ReplaceBody {
            text: &request.text,
            accessor: request.accessor.as_deref(),
        },
    };
    edited(workspace, context, "edit-replace-body", &edit)
}

/// Plans to replace a declaration.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn edit_replace_member(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &EditTextRequest,
) -> Answered {
    let text = &request.text;
    let edit = with_text(request, MemberAction::Replace { text });
    edited(workspace, context, "edit-replace-member", &edit)
}

/// Plans to add members to a type.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn edit_add_member(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &EditTextRequest,
) -> Answered {
    let text = &request.text;
    let edit = with_text(request, MemberAction::Add { text });
    edited(workspace, context, "edit-add-member", &edit)
}

/// Plans to write declarations before another one.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn edit_insert_before(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &EditTextRequest,
) -> Answered {
    let text = &request.text;
    let edit = with_text(request, MemberAction::InsertBefore { text });
    edited(workspace, context, "edit-insert-before", &edit)
}

/// Plans to write declarations after another one.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn edit_insert_after(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &EditTextRequest,
) -> Answered {
    let text = &request.text;
    let edit = with_text(request, MemberAction::InsertAfter { text });
    edited(workspace, context, "edit-insert-after", &edit)
}

fn with_text<'r>(request: &'r EditTextRequest, action: MemberAction<'r>) -> MemberEdit<'r> {
    MemberEdit {
        symbol: &request.symbol,
        file: request.file.as_deref(),
        action,
    }
}

/// Plans to remove declarations.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn edit_remove_member(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &EditRemoveRequest,
) -> Answered {
    let edit = removal(&request.symbols, request.although_used)?;
    edited(workspace, context, "edit-remove-member", &edit)
}

/// Plans to remove declarations that nothing uses.
///
/// # Errors
/// Those of the request, the repository and the index; where something is used, with its uses.
pub fn edit_safe_delete(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &EditSafeDeleteRequest,
) -> Answered {
    let edit = removal(&request.symbols, false)?;
    edited(workspace, context, "edit-safe-delete", &edit)
}

fn removal(symbols: &[String], although_used: bool) -> Result<MemberEdit<'_>, ServiceError> {
    let Some((symbol, others)) = symbols.split_first() else {
        let error = WireError::new(ErrorCode::InvalidRequest, "remove: no symbol is named");
        return Err(error.into());
    };
    Ok(MemberEdit {
        symbol,
        file: None,
        action: MemberAction::Remove {
            others,
            although_used,
        },
    })
}
