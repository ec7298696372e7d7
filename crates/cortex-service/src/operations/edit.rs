//! Operations that change code: planned, proven, approved, applied, undone.

use std::cell::RefCell;

use cortex_edit::{
    Allowed, Base, Edit, EditError, Rename, ReviewNeeded, Staging,
    op::{Op, Ops},
};
use cortex_git::{Side, iso_time};
use cortex_look::{Filter, viewpoint::Viewpoint};
use cortex_wire::{
    ApplyRequest, Approval, ApprovedHow, EditAnswer, EditRenameRequest, Envelope, ErrorCode, Hint,
    OpAnswer, OpRequest, OpState, OpStateAt, OpsListAnswer, OpsListRequest, WireError,
};

use crate::{
    Caller, RequestContext, ServiceError, Workspace,
    config::allowed_signers,
    frameworks::other_frameworks,
    look::{at, ended, envelope, finish, report_indexed},
    workspace::mending,
};

/// Plans and proves a rename in the work tree. Writes no file of it.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn edit_rename(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &EditRenameRequest,
) -> Result<Envelope<EditAnswer>, ServiceError> {
    let rename = Edit::Rename(Rename {
        symbol: &request.symbol,
        to: &request.to,
        keep_file: request.keep_file,
        also: &request.also,
    });
    planned(workspace, context, "edit-rename", |views, ops| {
        cortex_edit::edit(views, ops, &rename, context)
    })
}

/// Plans an edit in the work tree, as each target framework of it sees it.
pub(super) fn planned(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    operation: &'static str,
    plan: impl Fn(&[Viewpoint<'_>], &Ops) -> Result<Op, EditError>,
) -> Result<Envelope<EditAnswer>, ServiceError> {
    let index = workspace.index(context)?;
    if index.repo.work_dir().is_none() {
        return Err(EditError::NoWorkTree.into());
    }
    let ops = Ops::beside(index.store.folder());
    let result = mending(workspace, &index, EditError::is_damage, || {
        let (side, outcome) = workspace.side(&index, Side::WorkTree, context)?;
        let place = at(&side);
        let mut seen = vec![(None, side)];
        let index_again = || workspace.index(context).map_err(refused);
        for other in other_frameworks(&seen[0].1, index_again)? {
            let (side, _) = workspace.side(&other, Side::WorkTree, context)?;
            seen.push((Some(other), side));
        }
        let filter = Filter::everything();
        let limits = context.limits(usize::MAX);
        let views: Vec<Viewpoint<'_>> = (seen.iter())
            .map(|(other, side)| Viewpoint {
                index: other.as_ref().unwrap_or(&index),
                side,
                filter: &filter,
                limits,
            })
            .collect();
        let op = plan(&views, &ops)?;
        Ok::<_, EditError>((op, place, outcome))
    });
    let notes = finish(&index, context);
    let (op, place, outcome) =
        result.map_err(|error| ended(context, error.into()).beside(&notes))?;
    report_indexed(context, outcome);
    Ok(Envelope {
        at: Some(place),
        notes,
        ..envelope(operation, op.answer)
    })
}

/// An error of the service as one of edits.
fn refused(error: ServiceError) -> EditError {
    EditError::Refused {
        doing: "look at another target framework".to_owned(),
        reason: error.to_string(),
        help: Vec::new(),
    }
}

/// The operations that are recorded.
///
/// # Errors
/// Those of the repository and of the files.
pub fn ops_list(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    _request: &OpsListRequest,
) -> Result<Envelope<OpsListAnswer>, ServiceError> {
    let index = workspace.index(context)?;
    let ops = Ops::beside(index.store.folder());
    cortex_edit::recover(&index.repo, &ops)?;
    let all = ops.list()?;
    let answer = OpsListAnswer {
        ops: all.iter().map(Op::summary).collect(),
    };
    Ok(envelope("ops-list", answer))
}

/// One operation: what it changes, and what was decided about it.
///
/// # Errors
/// Those of the repository and of the files.
pub fn ops_show(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &OpRequest,
) -> Result<Envelope<OpAnswer>, ServiceError> {
    let index = workspace.index(context)?;
    let op = Ops::beside(index.store.folder()).read(&request.op)?;
    Ok(envelope("ops-show", shown(op)))
}

/// Forgets an operation. Files that it changed stay as they are.
///
/// # Errors
/// Those of the repository and of the files.
pub fn ops_drop(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &OpRequest,
) -> Result<Envelope<OpsListAnswer>, ServiceError> {
    let index = workspace.index(context)?;
    let ops = Ops::beside(index.store.folder());
    cortex_edit::recover(&index.repo, &ops)?;
    let lock = ops.lock()?;
    ops.drop(&request.op)?;
    drop(lock);
    let left = ops.list()?;
    let answer = OpsListAnswer {
        ops: left.iter().map(Op::summary).collect(),
    };
    Ok(envelope("ops-drop", answer))
}

/// Writes the files of an operation to the work tree.
///
/// # Errors
/// Those of the request, the repository and the files; then every file is as it was.
pub fn ops_apply(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &ApplyRequest,
) -> Result<Envelope<OpAnswer>, ServiceError> {
    let index = workspace.index(context)?;
    let ops = Ops::beside(index.store.folder());
    let mut op = ops.read(&request.op)?;
    if request.merge {
        let merged = planned(workspace, context, "ops-apply", |views, ops| {
            cortex_edit::rebase(views, ops, &op, context)
        })?;
        let answer = shown(ops.read(&merged.answer.op)?);
        return Ok(Envelope {
            at: merged.at,
            notes: merged.notes,
            ..envelope("ops-apply", answer)
        });
    }
    let allowed = Allowed {
        unproven: request.allow_unproven,
        changed_meaning: request.allow_changed_meaning,
        review: match workspace.config(context)?.review_needed(&index.repo) {
            // Nobody waives the review of what programs plan.
            ReviewNeeded::Nothing if context.caller != Caller::Person => ReviewNeeded::Approval,
            needed => needed,
        },
    };
    let is_needed = allowed.review != ReviewNeeded::Nothing;
    if is_needed && op.approval.is_some() && op.state() == OpState::Approved {
        planned(workspace, context, "ops-apply", |views, ops| {
            let mut op = ops.read(op.id())?;
            cortex_edit::check_base(views, ops, &mut op, context)?;
            Ok(op)
        })?;
    }
    let staging = match &request.commit_message {
        Some(message) => Staging::Commit(message.clone()),
        None if request.stage => Staging::Index,
        None => Staging::No,
    };
    let how = (&allowed, &staging);
    cortex_edit::apply(&index.repo, &ops, &mut op, how, index.now)?;
    Ok(envelope("ops-apply", shown(op)))
}

/// Gives the files of an applied operation the bytes that they had.
///
/// # Errors
/// Those of the request, the repository and the files; then every file is as it was.
pub fn ops_undo(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &OpRequest,
) -> Result<Envelope<OpAnswer>, ServiceError> {
    let index = workspace.index(context)?;
    let ops = Ops::beside(index.store.folder());
    let mut op = ops.read(&request.op)?;
    cortex_edit::undo(&index.repo, &ops, &mut op, index.now)?;
    Ok(envelope("ops-undo", shown(op)))
}

/// A person's decision about an operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReviewDecision {
    /// It may be applied. The text says who decided.
    Approve(String),
    /// It may be applied: this SSH signature of its digest says so.
    Signed(String),
    /// It must not be applied, for this reason.
    Reject(String),
}

/// Records what a person decided about an operation. No operation of the registry does: what answers to agents offers
/// no way to approve.
///
/// # Errors
/// Those of the repository and of the files.
pub fn review(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    id: &str,
    decision: ReviewDecision,
) -> Result<OpAnswer, ServiceError> {
    let base = match decision {
        ReviewDecision::Reject(_) => None,
        ReviewDecision::Approve(_) | ReviewDecision::Signed(_) => {
            Some(base_now(workspace, context, id)?)
        }
    };
    let index = workspace.index(context)?;
    let ops = Ops::beside(index.store.folder());
    let _lock = ops.lock()?;
    let mut op = ops.read(id)?;
    if op.state() == OpState::Applied {
        return Err(EditError::State {
            doing: "review",
            id: op.id().to_owned(),
            reason: "it is applied already".to_owned(),
            help: None,
        }
        .into());
    }
    match decision {
        ReviewDecision::Approve(by) => {
            op.approval = Some(Approval {
                by,
                how: ApprovedHow::Terminal,
                digest: op.digest.clone(),
                time: iso_time(index.now),
                signature: None,
            });
            op.rejection = None;
            op.voided = None;
            op.states.push((OpState::Approved, index.now));
        }
        ReviewDecision::Signed(signature) => {
            let signers = allowed_signers(&index.repo);
            let time = iso_time(index.now);
            let approval =
                cortex_edit::approval_by_signature(&op, &signature, signers.as_deref(), time)?;
            op.approval = Some(approval);
            op.rejection = None;
            op.voided = None;
            op.states.push((OpState::Approved, index.now));
        }
        ReviewDecision::Reject(reason) => {
            op.approval = None;
            op.rejection = Some(reason);
            op.states.push((OpState::Rejected, index.now));
        }
    }
    if let Some(base) = base {
        op.base = base;
    }
    ops.write(&op)?;
    Ok(shown(op))
}

/// What an approval of an operation is for, on the work tree as it is.
fn base_now(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    id: &str,
) -> Result<Base, ServiceError> {
    let base = RefCell::new(Base::default());
    planned(workspace, context, "review", |views, ops| {
        let op = ops.read(id)?;
        if op.state() != OpState::Applied {
            *base.borrow_mut() = cortex_edit::base_to_approve(views, ops, &op, context)?;
        }
        Ok(op)
    })?;
    Ok(base.into_inner())
}

/// What a signature that approves an operation signs.
///
/// # Errors
/// Those of the repository and of the files.
pub fn text_to_sign(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    id: &str,
) -> Result<String, ServiceError> {
    let index = workspace.index(context)?;
    let op = Ops::beside(index.store.folder()).read(id)?;
    Ok(cortex_edit::signed_text(&op))
}

/// Signs an operation with a key of the user. No operation of the registry does.
///
/// # Errors
/// Those of the repository and of the files, and of `ssh-keygen`.
pub fn sign(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    id: &str,
    key: &std::path::Path,
) -> Result<String, ServiceError> {
    let index = workspace.index(context)?;
    let op = Ops::beside(index.store.folder()).read(id)?;
    Ok(cortex_edit::sign(&op, key)?)
}

/// Runs the command that the user configured on a copy of the work tree, without and with an operation, and records what it
/// says. No operation of the registry does: it runs what is in the repository.
///
/// # Errors
/// Those of the repository and of the files; where no command is configured.
pub fn verify(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    id: &str,
) -> Result<Envelope<OpAnswer>, ServiceError> {
    let config = workspace.config(context)?;
    let Some(with) = config.verify_with() else {
        let mut error = WireError::new(
            ErrorCode::InvalidRequest,
            "verify: no command is configured",
        );
        error.hint = Some(Hint::Text {
            text: "set `cortex.verify` in your own configuration, to `dotnet build` for example"
                .to_owned(),
        });
        return Err(error.into());
    };
    let index = workspace.index(context)?;
    let ops = Ops::beside(index.store.folder());
    let mut op = ops.read(id)?;
    let (side, _) = workspace.side(&index, Side::WorkTree, context)?;
    cortex_edit::verify(&index, &side, &ops, (&mut op, &with), context)?;
    Ok(envelope("ops-show", shown(op)))
}

fn shown(op: Op) -> OpAnswer {
    OpAnswer {
        state: op.state(),
        states: (op.states.iter())
            .map(|(state, time)| OpStateAt {
                state: *state,
                time: iso_time(*time),
            })
            .collect(),
        is_staged: !op.staged.is_empty(),
        commit: op.commit,
        edit: op.answer,
        approval: op.approval,
        voided: op.voided,
        rejection: op.rejection,
        verification: op.verification,
    }
}
