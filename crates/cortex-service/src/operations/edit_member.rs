//! Operations that edit code by symbol: bodies and members, with a text that the request brings.

use cortex_edit::{
    AddUsing, AddedParameter, ChangeSignature, Edit, EncapsulateField, ExtractBase,
    ExtractInterface, ExtractMethod, Foreign, ImplementInterface, InlineMethod, InlineVariable,
    MemberAction, MemberEdit, MoveMember, MoveType, NestType, OrganizeUsings, Rename, Rewrite,
};
use cortex_wire::{
    EditAddUsingRequest, EditAnswer, EditBatchRequest, EditBodyRequest, EditEncapsulateRequest,
    EditExtractBaseRequest, EditExtractInterfaceRequest, EditExtractMethodRequest,
    EditImplementRequest, EditInlineMethodRequest, EditInlineVariableRequest, EditMoveRequest,
    EditOrganizeUsingsRequest, EditPatchRequest, EditRemoveRequest, EditRewriteRequest,
    EditSafeDeleteRequest, EditSignatureRequest, EditStepRequest, EditTextRequest, Envelope,
    ErrorCode, ScopeFilesRequest, WireError,
};

use crate::{
    RequestContext, ServiceError, Workspace,
    operations::{edit::planned, scope::scope_files},
};

type Answered = Result<Envelope<EditAnswer>, ServiceError>;

fn single(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    operation: &'static str,
    edit: &Edit<'_>,
) -> Answered {
    planned(workspace, context, operation, |views, ops| {
        cortex_edit::edit(views, ops, edit, context)
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
    let edit = body(request);
    single(workspace, context, "edit-replace-body", &Edit::Member(edit))
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
    single(
        workspace,
        context,
        "edit-replace-member",
        &Edit::Member(edit),
    )
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
    single(workspace, context, "edit-add-member", &Edit::Member(edit))
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
    single(
        workspace,
        context,
        "edit-insert-before",
        &Edit::Member(edit),
    )
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
    single(workspace, context, "edit-insert-after", &Edit::Member(edit))
}

/// Plans to write attributes on a declaration.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn edit_add_attribute(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &EditTextRequest,
) -> Answered {
    let text = &request.text;
    let edit = with_text(request, MemberAction::AddAttribute { text });
    single(
        workspace,
        context,
        "edit-add-attribute",
        &Edit::Member(edit),
    )
}

/// Plans a type to go to another namespace or file, or a static member to another type.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn edit_move(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &EditMoveRequest,
) -> Answered {
    let edit = moved(request)?;
    single(workspace, context, "edit-move", &edit)
}

/// Plans what a type lacks of its interfaces.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn edit_implement_interface(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &EditImplementRequest,
) -> Answered {
    let edit = implement(request);
    single(
        workspace,
        context,
        "edit-implement-interface",
        &Edit::Implement(edit),
    )
}

/// Plans that a local variable goes.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn edit_inline_variable(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &EditInlineVariableRequest,
) -> Answered {
    let edit = InlineVariable {
        at: &request.symbol,
    };
    single(
        workspace,
        context,
        "edit-inline-variable",
        &Edit::InlineVariable(edit),
    )
}

/// Plans a method of code that is there.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn edit_extract_method(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &EditExtractMethodRequest,
) -> Answered {
    let edit = extract(request);
    single(
        workspace,
        context,
        "edit-extract-method",
        &Edit::ExtractMethod(edit),
    )
}

/// Plans that a method goes.
///
/// # Errors
/// Those of the request, the repository and the index; what keeps the method, with its place.
pub fn edit_inline_method(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &EditInlineMethodRequest,
) -> Answered {
    let edit = InlineMethod {
        symbol: &request.symbol,
    };
    single(
        workspace,
        context,
        "edit-inline-method",
        &Edit::InlineMethod(edit),
    )
}

/// Plans an interface of what a type shows.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn edit_extract_interface(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &EditExtractInterfaceRequest,
) -> Answered {
    let edit = interface(request);
    single(
        workspace,
        context,
        "edit-extract-interface",
        &Edit::ExtractInterface(edit),
    )
}

fn interface(request: &EditExtractInterfaceRequest) -> ExtractInterface<'_> {
    ExtractInterface {
        symbol: &request.symbol,
        name: &request.to,
        members: &request.members,
        to: request.file.as_deref(),
    }
}

/// Plans a base class of members of a class.
///
/// # Errors
/// Those of the request, the repository and the index; where a member cannot go, with its place.
pub fn edit_extract_base(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &EditExtractBaseRequest,
) -> Answered {
    let edit = base(request);
    single(
        workspace,
        context,
        "edit-extract-base",
        &Edit::ExtractBase(edit),
    )
}

fn base(request: &EditExtractBaseRequest) -> ExtractBase<'_> {
    ExtractBase {
        symbol: &request.symbol,
        name: &request.to,
        members: &request.members,
        to: request.file.as_deref(),
    }
}

/// Plans a property for a field.
///
/// # Errors
/// Those of the request, the repository and the index; where a property cannot take a use, with its place.
pub fn edit_encapsulate_field(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &EditEncapsulateRequest,
) -> Answered {
    let edit = encapsulate(request);
    single(
        workspace,
        context,
        "edit-encapsulate-field",
        &Edit::EncapsulateField(edit),
    )
}

fn encapsulate(request: &EditEncapsulateRequest) -> EncapsulateField<'_> {
    EncapsulateField {
        symbol: &request.symbol,
        name: request.to.as_deref(),
    }
}

/// Plans that all code like a pattern becomes other code.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn edit_rewrite(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &EditRewriteRequest,
) -> Answered {
    let paths = rewritten_paths(workspace, context, request)?;
    let edit = rewrite(request, &paths);
    single(workspace, context, "edit-rewrite", &Edit::Rewrite(edit))
}

fn rewrite<'r>(request: &'r EditRewriteRequest, paths: &'r [String]) -> Rewrite<'r> {
    Rewrite {
        pattern: &request.pattern,
        replacement: &request.text,
        conditions: &request.conditions,
        paths,
    }
}

/// The files that a rewrite is limited to; none where it is not.
fn rewritten_paths(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &EditRewriteRequest,
) -> Result<Vec<String>, ServiceError> {
    if request.files.is_empty() && request.scope.is_none() {
        return Ok(Vec::new());
    }
    named_paths(
        workspace,
        context,
        ("rewrite", &request.files, request.scope.as_deref()),
    )
}

fn extract(request: &EditExtractMethodRequest) -> ExtractMethod<'_> {
    ExtractMethod {
        at: &request.symbol,
        name: &request.to,
    }
}

fn implement(request: &EditImplementRequest) -> ImplementInterface<'_> {
    ImplementInterface {
        symbol: &request.symbol,
        interface: request.interface.as_deref(),
        file: request.file.as_deref(),
    }
}

fn moved(request: &EditMoveRequest) -> Result<Edit<'_>, ServiceError> {
    if request.out {
        if request.namespace.is_some() || request.to.is_some() || request.into.is_some() {
            let message =
                "move: a type that goes out stays in its namespace and file; move it on afterwards";
            return Err(WireError::new(ErrorCode::InvalidRequest, message).into());
        }
        return Ok(Edit::Nest(NestType {
            symbol: &request.symbol,
            into: None,
        }));
    }
    let Some(into) = &request.into else {
        return Ok(Edit::Move(move_type(request)?));
    };
    if request.namespace.is_some() || request.to.is_some() {
        let message = "move: what goes into a type has no namespace or path of its own";
        return Err(WireError::new(ErrorCode::InvalidRequest, message).into());
    }
    Ok(Edit::MoveMember(MoveMember {
        symbol: &request.symbol,
        into,
    }))
}

fn move_type(request: &EditMoveRequest) -> Result<MoveType<'_>, ServiceError> {
    if request.namespace.is_none() && request.to.is_none() {
        let message = "move: neither a namespace, a path nor a type is given, nor that it goes out";
        return Err(WireError::new(ErrorCode::InvalidRequest, message).into());
    }
    Ok(MoveType {
        symbol: &request.symbol,
        namespace: request.namespace.as_deref(),
        to: request.to.as_deref(),
    })
}

fn body(request: &EditBodyRequest) -> MemberEdit<'_> {
    MemberEdit {
        symbol: &request.symbol,
        file: request.file.as_deref(),
        action: MemberAction::ReplaceBody {
            text: &request.text,
            accessor: request.accessor.as_deref(),
        },
    }
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
    single(
        workspace,
        context,
        "edit-remove-member",
        &Edit::Member(edit),
    )
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
    single(workspace, context, "edit-safe-delete", &Edit::Member(edit))
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

/// Plans several edits as one: each on what the earlier ones leave.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn edit_batch(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &EditBatchRequest,
) -> Answered {
    if request.edits.is_empty() {
        let error = WireError::new(ErrorCode::InvalidRequest, "batch: there is no edit");
        return Err(error.into());
    }
    // What scopes cover before the first edit.
    let mut paths = Vec::with_capacity(request.edits.len());
    for edit in &request.edits {
        paths.push(match edit {
            EditStepRequest::OrganizeUsings(request) => {
                organized_paths(workspace, context, request)?
            }
            EditStepRequest::Rewrite(request) => rewritten_paths(workspace, context, request)?,
            _ => Vec::new(),
        });
    }
    let mut steps = Vec::with_capacity(request.edits.len());
    for (edit, paths) in request.edits.iter().zip(&paths) {
        steps.push(step(edit, paths)?);
    }
    planned(workspace, context, "edit-batch", |views, ops| {
        cortex_edit::batch(views, ops, &steps, context)
    })
}

/// What a request brings from outside.
fn foreign(request: &EditPatchRequest) -> Result<Foreign<'_>, ServiceError> {
    match (request.patch.is_empty(), request.texts.is_empty()) {
        (false, true) => Ok(Foreign::Diff(request.patch.as_bytes())),
        (true, false) => Ok(Foreign::Texts(&request.texts)),
        (is_none, _) => {
            let message = match is_none {
                true => "patch: there is neither a diff nor a text of a file",
                false => "patch: there is a diff and texts of files; one of them at a time",
            };
            Err(WireError::new(ErrorCode::InvalidRequest, message).into())
        }
    }
}

/// Plans what a diff or texts of files change.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn edit_patch(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &EditPatchRequest,
) -> Answered {
    let foreign = foreign(request)?;
    single(workspace, context, "edit-patch", &Edit::Patch(foreign))
}

/// Plans other parameters for a method or constructor.
///
/// # Errors
/// Those of the request, the repository and the index; where a use cannot follow, with its place.
pub fn edit_change_signature(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &EditSignatureRequest,
) -> Answered {
    let edit = signature(request)?;
    single(
        workspace,
        context,
        "edit-change-signature",
        &Edit::ChangeSignature(edit),
    )
}

fn signature(request: &EditSignatureRequest) -> Result<ChangeSignature<'_>, ServiceError> {
    let wrong = |message: &str| Err(WireError::new(ErrorCode::InvalidRequest, message).into());
    let is_empty = request.add.is_none()
        && request.remove.is_empty()
        && request.order.is_empty()
        && request.rename.is_empty()
        && request.retype.is_empty();
    if is_empty {
        return wrong(
            "change the signature: no parameter is added, removed, moved, renamed or retyped",
        );
    }
    if request.add.is_none() && (request.value.is_some() || request.at.is_some()) {
        return wrong("change the signature: a value and a position are those of a new parameter");
    }
    let add = request.add.as_deref().map(|parameter| AddedParameter {
        parameter,
        value: request.value.as_deref(),
        at: request.at.map(|at| at as usize),
    });
    Ok(ChangeSignature {
        symbol: &request.symbol,
        add,
        remove: &request.remove,
        order: &request.order,
        rename: &request.rename,
        retype: &request.retype,
    })
}

fn add_using(request: &EditAddUsingRequest) -> AddUsing<'_> {
    AddUsing {
        at: &request.symbol,
        import: &request.import,
        file: request.file.as_deref(),
    }
}

/// Plans a using directive more.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn edit_add_using(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &EditAddUsingRequest,
) -> Answered {
    let edit = add_using(request);
    single(workspace, context, "edit-add-using", &Edit::AddUsing(edit))
}

/// Plans to put using directives in order.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn edit_organize_usings(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &EditOrganizeUsingsRequest,
) -> Answered {
    let paths = organized_paths(workspace, context, request)?;
    let edit = organize_usings(request, &paths);
    single(
        workspace,
        context,
        "edit-organize-usings",
        &Edit::OrganizeUsings(edit),
    )
}

fn organize_usings<'r>(
    request: &EditOrganizeUsingsRequest,
    paths: &'r [String],
) -> OrganizeUsings<'r> {
    OrganizeUsings {
        paths,
        keeps_unneeded: request.keep_unneeded,
        keeps_order: request.keep_order,
    }
}

/// The files that organize usings is about.
fn organized_paths(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &EditOrganizeUsingsRequest,
) -> Result<Vec<String>, ServiceError> {
    let named = (
        "organize usings",
        request.files.as_slice(),
        request.scope.as_deref(),
    );
    named_paths(workspace, context, named)
}

/// The files that are meant: those that are named, and those of the scope.
fn named_paths(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    (doing, files, scope): (&str, &[String], Option<&str>),
) -> Result<Vec<String>, ServiceError> {
    let mut paths = files.to_vec();
    if let Some(scope) = scope {
        let found = scope_files(
            workspace,
            context,
            &ScopeFilesRequest::new(scope.to_owned()),
        )?;
        let files = found.answer.files.into_iter().filter_map(|file| file.file);
        paths.extend(files.filter(|file| file.to_ascii_lowercase().ends_with(".cs")));
    }
    if paths.is_empty() {
        let message = match scope {
            Some(_) => format!("{doing}: the scope has no C# file"),
            None => format!("{doing}: no file and no scope is named"),
        };
        return Err(WireError::new(ErrorCode::InvalidRequest, message).into());
    }
    Ok(paths)
}

fn step<'r>(edit: &'r EditStepRequest, paths: &'r [String]) -> Result<Edit<'r>, ServiceError> {
    let edit = match edit {
        EditStepRequest::Rename(request) => {
            return Ok(Edit::Rename(Rename {
                symbol: &request.symbol,
                to: &request.to,
                keep_file: request.keep_file,
                also: &request.also,
            }));
        }
        EditStepRequest::ChangeSignature(request) => {
            return Ok(Edit::ChangeSignature(signature(request)?));
        }
        EditStepRequest::AddUsing(request) => return Ok(Edit::AddUsing(add_using(request))),
        EditStepRequest::Move(request) => return moved(request),
        EditStepRequest::ImplementInterface(request) => {
            return Ok(Edit::Implement(implement(request)));
        }
        EditStepRequest::Rewrite(request) => return Ok(Edit::Rewrite(rewrite(request, paths))),
        EditStepRequest::InlineMethod(request) => {
            let symbol = &request.symbol;
            return Ok(Edit::InlineMethod(InlineMethod { symbol }));
        }
        EditStepRequest::ExtractInterface(request) => {
            return Ok(Edit::ExtractInterface(interface(request)));
        }
        EditStepRequest::ExtractBase(request) => return Ok(Edit::ExtractBase(base(request))),
        EditStepRequest::EncapsulateField(request) => {
            return Ok(Edit::EncapsulateField(encapsulate(request)));
        }
        EditStepRequest::ExtractMethod(request) => {
            return Ok(Edit::ExtractMethod(extract(request)));
        }
        EditStepRequest::InlineVariable(request) => {
            let at = &request.symbol;
            return Ok(Edit::InlineVariable(InlineVariable { at }));
        }
        EditStepRequest::AddAttribute(request) => {
            let text = &request.text;
            with_text(request, MemberAction::AddAttribute { text })
        }
        EditStepRequest::OrganizeUsings(request) => {
            return Ok(Edit::OrganizeUsings(organize_usings(request, paths)));
        }
        EditStepRequest::Patch(request) => return Ok(Edit::Patch(foreign(request)?)),
        EditStepRequest::ReplaceBody(request) => body(request),
        EditStepRequest::ReplaceMember(request) => {
            let text = &request.text;
            with_text(request, MemberAction::Replace { text })
        }
        EditStepRequest::AddMember(request) => {
            let text = &request.text;
            with_text(request, MemberAction::Add { text })
        }
        EditStepRequest::InsertBefore(request) => {
            let text = &request.text;
            with_text(request, MemberAction::InsertBefore { text })
        }
        EditStepRequest::InsertAfter(request) => {
            let text = &request.text;
            with_text(request, MemberAction::InsertAfter { text })
        }
        EditStepRequest::RemoveMember(request) => removal(&request.symbols, request.although_used)?,
        EditStepRequest::SafeDelete(request) => removal(&request.symbols, false)?,
    };
    Ok(Edit::Member(edit))
}
