//! `git cortex edit`, `review`, `apply`, `undo` and `ops`.

use std::{
    io::{BufRead, IsTerminal},
    path::Path,
    process::ExitCode,
};

use cortex_service::{self as service, ReviewDecision};
use cortex_wire::{
    ApplyRequest, EditAddUsingRequest, EditAnswer, EditBatchRequest, EditBodyRequest,
    EditEncapsulateRequest, EditExtractBaseRequest, EditExtractInterfaceRequest,
    EditExtractMethodRequest, EditImplementRequest, EditInlineMethodRequest,
    EditInlineVariableRequest, EditMoveRequest, EditOrganizeUsingsRequest, EditPatchRequest,
    EditRemoveRequest, EditRenameRequest, EditRewriteRequest, EditSafeDeleteRequest,
    EditSignatureRequest, EditStepRequest, EditTextRequest, EditVerdict, Envelope, ErrorCode,
    OpAnswer, OpRequest, OpsListRequest, ResidueKind, WireError,
};

use crate::{
    arguments::{
        Global, ReportFormat,
        edit::{
            AlsoKind, Apply, Edit, EditAddUsing, EditBody, EditFormat, EditMove,
            EditOrganizeUsings, EditPatch, EditRename, EditRewrite, EditSignature, EditText,
            EditWhat, NewText, OpsCommand, OpsWhat, Review, Undo, Verify,
        },
    },
    commands::{print_envelope, print_exact, print_patch, print_text},
    failure::Failure,
    session::Session,
};

pub(crate) fn edit(global: &Global, options: &Edit) -> Result<ExitCode, Failure> {
    let session = Session::new(global)?;
    let mut envelope = planned(&session, &options.what)?;
    if options.no_patch && options.format != EditFormat::Patch {
        envelope.answer.patch.clear();
    }
    let answer = &envelope.answer;
    match options.format {
        EditFormat::Text => print_patch(&cortex_context::edit_text(answer, "git cortex review"))?,
        EditFormat::Patch => print_exact(&answer.patch)?,
        EditFormat::Json => print_envelope(&envelope)?,
    }
    session.settle();
    Ok(match answer.verdict {
        EditVerdict::Proven => ExitCode::SUCCESS,
        EditVerdict::NotProven | EditVerdict::ChangedMeaning => ExitCode::FAILURE,
    })
}

/// Plans what is asked for.
#[expect(clippy::too_many_lines, reason = "one arm for each kind of edit")]
fn planned(session: &Session<'_>, what: &EditWhat) -> Result<Envelope<EditAnswer>, Failure> {
    match what {
        EditWhat::Rename(rename) => {
            let request = rename_request(rename);
            session.ask("edit-rename", service::edit_rename, &request)
        }
        EditWhat::ReplaceBody(body) => {
            let request = body_request(body)?;
            session.ask("edit-replace-body", service::edit_replace_body, &request)
        }
        EditWhat::ReplaceMember(text) => {
            let request = text_request(text)?;
            session.ask(
                "edit-replace-member",
                service::edit_replace_member,
                &request,
            )
        }
        EditWhat::AddMember(text) => {
            let request = text_request(text)?;
            session.ask("edit-add-member", service::edit_add_member, &request)
        }
        EditWhat::InsertBefore(text) => {
            let request = text_request(text)?;
            session.ask("edit-insert-before", service::edit_insert_before, &request)
        }
        EditWhat::InsertAfter(text) => {
            let request = text_request(text)?;
            session.ask("edit-insert-after", service::edit_insert_after, &request)
        }
        EditWhat::RemoveMember(remove) => {
            let request = EditRemoveRequest {
                symbols: remove.symbols.clone(),
                although_used: remove.although_used,
            };
            session.ask("edit-remove-member", service::edit_remove_member, &request)
        }
        EditWhat::Batch(batch) => {
            let request = EditBatchRequest {
                edits: read_edits(&batch.edits)?,
            };
            session.ask("edit-batch", service::edit_batch, &request)
        }
        EditWhat::Patch(patch) => {
            let request = patch_request(patch)?;
            session.ask("edit-patch", service::edit_patch, &request)
        }
        EditWhat::ChangeSignature(change) => {
            let request = signature_request(change);
            session.ask(
                "edit-change-signature",
                service::edit_change_signature,
                &request,
            )
        }
        EditWhat::Move(moved) => {
            let request = move_request(moved);
            session.ask("edit-move", service::edit_move, &request)
        }
        EditWhat::ImplementInterface(implement) => {
            let request = EditImplementRequest {
                symbol: implement.symbol.clone(),
                interface: implement.interface.clone(),
                file: implement.in_file.clone(),
            };
            session.ask(
                "edit-implement-interface",
                service::edit_implement_interface,
                &request,
            )
        }
        EditWhat::ExtractMethod(extract) => {
            let request = EditExtractMethodRequest {
                symbol: extract.symbol.clone(),
                to: extract.name.clone(),
            };
            session.ask(
                "edit-extract-method",
                service::edit_extract_method,
                &request,
            )
        }
        EditWhat::InlineVariable(inline) => {
            let request = EditInlineVariableRequest {
                symbol: inline.symbol.clone(),
            };
            session.ask(
                "edit-inline-variable",
                service::edit_inline_variable,
                &request,
            )
        }
        EditWhat::InlineMethod(inline) => {
            let request = EditInlineMethodRequest {
                symbol: inline.symbol.clone(),
            };
            session.ask("edit-inline-method", service::edit_inline_method, &request)
        }
        EditWhat::ExtractInterface(extract) => {
            let request = EditExtractInterfaceRequest {
                symbol: extract.symbol.clone(),
                to: extract.name.clone(),
                members: extract.members.clone(),
                file: extract.to.clone(),
            };
            session.ask(
                "edit-extract-interface",
                service::edit_extract_interface,
                &request,
            )
        }
        EditWhat::ExtractBase(extract) => {
            let request = EditExtractBaseRequest {
                symbol: extract.symbol.clone(),
                to: extract.name.clone(),
                members: extract.members.clone(),
                file: extract.to.clone(),
            };
            session.ask("edit-extract-base", service::edit_extract_base, &request)
        }
        EditWhat::EncapsulateField(encapsulate) => {
            let request = EditEncapsulateRequest {
                symbol: encapsulate.symbol.clone(),
                to: encapsulate.name.clone(),
            };
            session.ask(
                "edit-encapsulate-field",
                service::edit_encapsulate_field,
                &request,
            )
        }
        EditWhat::Rewrite(rewrite) => {
            let request = rewrite_request(rewrite);
            session.ask("edit-rewrite", service::edit_rewrite, &request)
        }
        EditWhat::AddAttribute(add) => {
            let request = EditTextRequest {
                symbol: add.symbol.clone(),
                text: add.attribute.clone(),
                file: add.in_file.clone(),
            };
            session.ask("edit-add-attribute", service::edit_add_attribute, &request)
        }
        EditWhat::AddUsing(add) => {
            let request = using_request(add);
            session.ask("edit-add-using", service::edit_add_using, &request)
        }
        EditWhat::OrganizeUsings(organize) => {
            let request = organize_request(organize);
            session.ask(
                "edit-organize-usings",
                service::edit_organize_usings,
                &request,
            )
        }
        EditWhat::SafeDelete(delete) => {
            let request = EditSafeDeleteRequest {
                symbols: delete.symbols.clone(),
            };
            session.ask("edit-safe-delete", service::edit_safe_delete, &request)
        }
    }
}

fn move_request(moved: &EditMove) -> EditMoveRequest {
    EditMoveRequest {
        symbol: moved.symbol.clone(),
        namespace: moved.namespace.clone(),
        to: moved.to.clone(),
        into: moved.into.clone(),
        out: moved.out,
    }
}

fn rename_request(rename: &EditRename) -> EditRenameRequest {
    EditRenameRequest {
        symbol: rename.symbol.clone(),
        to: rename.to.clone(),
        keep_file: rename.keep_file,
        also: rename.also.iter().map(|kind| residue_kind(*kind)).collect(),
    }
}

fn residue_kind(kind: AlsoKind) -> ResidueKind {
    match kind {
        AlsoKind::Comments => ResidueKind::Comment,
        AlsoKind::Strings => ResidueKind::String,
        AlsoKind::Files => ResidueKind::File,
    }
}

fn body_request(body: &EditBody) -> Result<EditBodyRequest, Failure> {
    Ok(EditBodyRequest {
        symbol: body.symbol.clone(),
        text: new_text(&body.new)?,
        accessor: body.accessor.clone(),
        file: body.in_file.clone(),
    })
}

fn using_request(add: &EditAddUsing) -> EditAddUsingRequest {
    EditAddUsingRequest {
        symbol: add.symbol.clone(),
        import: add.import.clone(),
        file: add.in_file.clone(),
    }
}

fn signature_request(change: &EditSignature) -> EditSignatureRequest {
    EditSignatureRequest {
        symbol: change.symbol.clone(),
        add: change.add.clone(),
        value: change.value.clone(),
        at: change.at,
        remove: change.remove.clone(),
        order: change.order.clone(),
        rename: change.rename.iter().cloned().collect(),
        retype: change.retype.iter().cloned().collect(),
    }
}

fn rewrite_request(rewrite: &EditRewrite) -> EditRewriteRequest {
    EditRewriteRequest {
        pattern: rewrite.pattern.clone(),
        text: rewrite.replacement.clone(),
        conditions: rewrite.conditions.clone(),
        files: rewrite.paths.clone(),
        scope: rewrite.in_scope.clone(),
    }
}

fn organize_request(organize: &EditOrganizeUsings) -> EditOrganizeUsingsRequest {
    EditOrganizeUsingsRequest {
        files: organize.paths.clone(),
        scope: organize.in_scope.clone(),
        keep_unneeded: organize.keep_unneeded,
        keep_order: organize.keep_order,
    }
}

fn patch_request(patch: &EditPatch) -> Result<EditPatchRequest, Failure> {
    let mut request = EditPatchRequest::default();
    if let Some(diff) = &patch.diff {
        request.patch = read(diff, "the diff")?;
    }
    if let Some(texts) = &patch.texts {
        let text = read(texts, "the texts of files")?;
        request.texts = serde_json::from_str(&text)
            .map_err(|error| invalid(format!("read the texts of files: {error}")))?;
    }
    Ok(request)
}

fn text_request(text: &EditText) -> Result<EditTextRequest, Failure> {
    Ok(EditTextRequest {
        symbol: text.symbol.clone(),
        text: new_text(&text.new)?,
        file: text.in_file.clone(),
    })
}

/// The text that a request brings.
fn new_text(new: &NewText) -> Result<String, Failure> {
    match (&new.text, &new.text_file) {
        (Some(text), _) => Ok(text.clone()),
        (None, Some(path)) => read(path, "the new text"),
        (None, None) if std::io::stdin().is_terminal() => Err(invalid(
            "there is no new text: give it with --text, --file or on standard input".to_owned(),
        )),
        (None, None) => read(Path::new("-"), "the new text"),
    }
}

/// The edits of a batch: a list, or the request of the library with one.
fn read_edits(path: &Path) -> Result<Vec<EditStepRequest>, Failure> {
    let unread = |error: serde_json::Error| invalid(format!("read the edits: {error}"));
    let text = read(path, "the edits")?;
    let mut read: serde_json::Value = serde_json::from_str(&text).map_err(unread)?;
    if let Some(edits) = read.get_mut("edits") {
        read = edits.take();
    }
    let edits: Vec<serde_json::Value> = serde_json::from_value(read).map_err(unread)?;
    let edits = (1..).zip(edits).map(|(number, edit)| {
        serde_json::from_value(edit)
            .map_err(|error| invalid(format!("read edit {number} of the batch: {error}")))
    });
    edits.collect()
}

/// Reads a file, or standard input where it is `-`.
pub(crate) fn read(path: &Path, what: &str) -> Result<String, Failure> {
    let (text, from) = match path == Path::new("-") {
        true => {
            let text = std::io::read_to_string(std::io::stdin());
            (text, "standard input".to_owned())
        }
        false => (
            std::fs::read_to_string(path),
            format!("`{}`", path.display()),
        ),
    };
    text.map_err(|error| invalid(format!("read {what} from {from}: {error}")))
}

fn invalid(message: String) -> Failure {
    let error = WireError::new(ErrorCode::InvalidRequest, message);
    Failure::from(cortex_service::ServiceError::from(error))
}

pub(crate) fn review(global: &Global, options: &Review) -> Result<ExitCode, Failure> {
    let session = Session::new(global)?;
    let request = OpRequest {
        op: options.op.clone(),
    };
    let shown = session.ask("ops-show", cortex_service::ops_show, &request)?;
    let edit = &shown.answer.edit;
    if options.digest {
        let text = session.ask_with("ops-show", |workspace, context| {
            cortex_service::text_to_sign(workspace, context, &edit.op)
        })?;
        print_exact(&text)?;
        return Ok(ExitCode::SUCCESS);
    }
    let decision = if let Some(path) = &options.signature {
        Some(ReviewDecision::Signed(signature(path)?))
    } else if options.reject {
        Some(ReviewDecision::Reject(
            options.message.clone().unwrap_or_default(),
        ))
    } else {
        print_patch(&cortex_context::edit_text(edit, "git cortex apply"))?;
        match (decide()?, &options.sign) {
            (Some(ReviewDecision::Approve(_)), Some(key)) => {
                let signed = session.ask_with("ops-show", |workspace, context| {
                    cortex_service::sign(workspace, context, &edit.op, key)
                })?;
                Some(ReviewDecision::Signed(signed))
            }
            (decision, _) => decision,
        }
    };
    let Some(decision) = decision else {
        return Ok(ExitCode::FAILURE);
    };
    let decided = session.ask_with("ops-show", |workspace, context| {
        cortex_service::review(workspace, context, &edit.op, decision)
    })?;
    let state = decided.state.word();
    print_text(&format!("{} is {state}\n", decided.edit.op))?;
    Ok(ExitCode::SUCCESS)
}

/// A signature from a file.
fn signature(path: &Path) -> Result<String, Failure> {
    let read = match path.to_str() {
        Some("-") => std::io::read_to_string(std::io::stdin()),
        _ => std::fs::read_to_string(path),
    };
    read.map_err(|error| {
        let message = format!("failed to read the signature `{}`: {error}", path.display());
        let error = WireError::new(ErrorCode::InvalidRequest, message);
        cortex_service::ServiceError::from(error).into()
    })
}

/// What a person says at the terminal; `None` where they decide nothing.
fn decide() -> Result<Option<ReviewDecision>, Failure> {
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        let message = "failed to review: a person decides at a terminal, and this is none";
        let error = WireError::new(ErrorCode::NotReviewed, message);
        return Err(cortex_service::ServiceError::from(error).into());
    }
    anstream::eprint!("Approve? [y/N, or r and a reason to reject] ");
    let mut answer = String::new();
    if std::io::stdin().lock().read_line(&mut answer).is_err() {
        return Ok(None);
    }
    let answer = answer.trim();
    Ok(match answer.split_once(' ').unwrap_or((answer, "")) {
        ("y" | "Y" | "yes", _) => {
            let mut names = ["USER", "LOGNAME", "USERNAME"].iter();
            let user = names.find_map(|name| std::env::var(name).ok());
            Some(ReviewDecision::Approve(user.unwrap_or_default()))
        }
        ("r" | "R", reason) => Some(ReviewDecision::Reject(reason.to_owned())),
        _ => None,
    })
}

pub(crate) fn apply(global: &Global, options: &Apply) -> Result<ExitCode, Failure> {
    let session = Session::new(global)?;
    let request = ApplyRequest {
        op: options.op.clone(),
        allow_unproven: options.allow_unproven,
        allow_changed_meaning: options.allow_changed_meaning,
        merge: options.three_way,
        stage: options.index,
        commit_message: options.message.clone(),
    };
    let envelope = session.ask("ops-apply", cortex_service::ops_apply, &request)?;
    print_op(&envelope, options.format)
}

pub(crate) fn verify(global: &Global, options: &Verify) -> Result<ExitCode, Failure> {
    let session = Session::new(global)?;
    let verified = session.ask_with("ops-show", |workspace, context| {
        cortex_service::verify(workspace, context, &options.op)
    })?;
    let Some(verification) = &verified.answer.verification else {
        return Ok(ExitCode::FAILURE);
    };
    match options.format {
        ReportFormat::Json => print_envelope(&verified)?,
        ReportFormat::Text => print_text(&cortex_context::verified(verification))?,
    }
    Ok(match verification.passed {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

pub(crate) fn undo(global: &Global, options: &Undo) -> Result<ExitCode, Failure> {
    let session = Session::new(global)?;
    let request = OpRequest {
        op: options.op.clone(),
    };
    let envelope = session.ask("ops-undo", cortex_service::ops_undo, &request)?;
    print_op(&envelope, options.format)
}

pub(crate) fn ops(global: &Global, options: &OpsCommand) -> Result<ExitCode, Failure> {
    let session = Session::new(global)?;
    let request = |op: &str| OpRequest { op: op.to_owned() };
    let list = match &options.what {
        OpsWhat::List => {
            let request = OpsListRequest::default();
            session.ask("ops-list", cortex_service::ops_list, &request)?
        }
        OpsWhat::Drop(drop) => {
            session.ask("ops-drop", cortex_service::ops_drop, &request(&drop.op))?
        }
        OpsWhat::Show(show) => {
            let envelope = session.ask("ops-show", cortex_service::ops_show, &request(&show.op))?;
            if options.format == ReportFormat::Json {
                return print_op(&envelope, options.format);
            }
            let text = cortex_context::op_text(&envelope.answer);
            print_patch(&format!("{text}\n{}", envelope.answer.edit.patch))?;
            return Ok(ExitCode::SUCCESS);
        }
    };
    match options.format {
        ReportFormat::Json => print_envelope(&list)?,
        ReportFormat::Text => print_text(&cortex_context::ops_text(&list.answer))?,
    }
    Ok(ExitCode::SUCCESS)
}

fn print_op(envelope: &Envelope<OpAnswer>, format: ReportFormat) -> Result<ExitCode, Failure> {
    match format {
        ReportFormat::Json => print_envelope(envelope)?,
        ReportFormat::Text => print_text(&cortex_context::op_text(&envelope.answer))?,
    }
    Ok(ExitCode::SUCCESS)
}
