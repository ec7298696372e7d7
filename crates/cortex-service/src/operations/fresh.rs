//! Operations about committed context.

use cortex_edit::op::Ops;
use cortex_fresh::{
    CheckOptions, FreshError, Policy, Writes,
    check::{Explain, OpFinding, OpRecords},
};
use cortex_git::Side;
use cortex_index::{Index, IndexedSide};
use cortex_model::RepoPath;
use cortex_wire::{
    CheckAnswer, CheckRequest, CheckVerdict, Envelope, ErrorCode, ExportContextAnswer,
    ExportContextRequest, Note, WireError,
};

use crate::{
    RequestContext, ServiceError, Workspace,
    look::{at, ended, envelope, finish, report_indexed},
    workspace::{mending, side_at},
};

/// Writes outlines of types as files of the work tree.
///
/// # Errors
/// Those of the request, the repository, the index and the files.
pub fn export_context(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &ExportContextRequest,
) -> Result<Envelope<ExportContextAnswer>, ServiceError> {
    let index = workspace.index(context)?;
    let side = Side::WorkTree;
    if index.repo.work_dir().is_none() {
        return Err(FreshError::NoWorkTree.into());
    }
    let result = mending(workspace, &index, FreshError::is_damage, || {
        let (side, outcome) = workspace.side(&index, side, context)?;
        let selection = request.selection.as_ref();
        let mut found = cortex_fresh::export_context(&index, &side, selection, context)?;
        if request.aliases {
            let aliases = cortex_fresh::aliases::alias_writes(&index, &side, context)?;
            let (writes, answer) = &mut found;
            let written = aliases.files.iter().map(|(path, _)| path.clone());
            answer.written.extend(written);
            answer.written.sort();
            writes.files.extend(aliases.files);
        }
        Ok::<_, FreshError>((found, at(&side), outcome))
    });
    let notes = finish(&index, context);
    let result = result.map_err(|error| ended(context, error.into()).beside(&notes));
    let ((writes, mut answer), place, outcome) = result?;
    report_indexed(context, outcome);
    refuse_unread(&notes)?;
    answer.dry_run = request.dry_run;
    if !request.dry_run {
        writes.apply(&index.repo)?;
    }
    Ok(Envelope {
        at: Some(place),
        notes,
        ..envelope("export-context", answer)
    })
}

/// Checks whether committed context is what the sources say.
///
/// # Errors
/// Those of the request, the repository, the index and the files.
pub fn check(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &CheckRequest,
) -> Result<Envelope<CheckAnswer>, ServiceError> {
    let index = workspace.index(context)?;
    let side = match (&request.at, request.cached) {
        (Some(_), true) => return Err(invalid("`at` and `cached` exclude each other")),
        (None, true) => Side::Index,
        (at, false) => side_at(&index, at.as_deref())?.1,
    };
    if request.fix && side != Side::WorkTree {
        return Err(invalid("only the work tree can be fixed"));
    }
    let base = match &request.base {
        Some(base) => Some(side_at(&index, Some(base))?.1),
        None => None,
    };
    let policy = policy(workspace, context, &index, request, base.unwrap_or(side))?;
    let explain = match request.explain {
        true => Explain::Diffs,
        false => Explain::Inputs,
    };
    let records = match side {
        Side::WorkTree => records(&index)?,
        _ => OpRecords::default(),
    };
    let look = || {
        mending(workspace, &index, FreshError::is_damage, || {
            let (side, mut outcome) = workspace.side(&index, side, context)?;
            let base = match base {
                Some(base) => {
                    let (base, work) = workspace.side(&index, base, context)?;
                    outcome.add(work);
                    Some(base)
                }
                None => None,
            };
            let options = CheckOptions {
                base: base.as_ref(),
                policy: &policy,
                explain,
                records: &records,
            };
            let (answer, checked) = cortex_fresh::check(&index, &side, &options, context)?;
            let writes = match request.fix {
                true => cortex_fresh::fixes(&index, &side, &checked, context)?,
                false => Writes::default(),
            };
            Ok::<_, FreshError>((answer, writes, places(&side, base.as_ref()), outcome))
        })
    };
    let failed = |error: FreshError| ended(context, error.into());
    let (mut answer, writes, mut place, outcome) = look().map_err(failed)?;
    report_indexed(context, outcome);
    let mut notes = finish(&index, context);
    if !writes.is_empty() {
        refuse_unread(&notes)?;
        writes.apply(&index.repo)?;
        let (again, _, at, _) = look().map_err(failed)?;
        let written = writes.files.iter().map(|(path, _)| path);
        let mut fixed: Vec<_> = written.chain(&writes.removed).cloned().collect();
        fixed.sort();
        answer = CheckAnswer { fixed, ..again };
        place = at;
        notes = finish(&index, context);
    }
    if has_unread(&notes) {
        let reason = "git could not read some files, so their types are unknown";
        answer.undecided.push(reason.to_owned());
        if answer.verdict == CheckVerdict::Fresh || answer.checked.outlines > 0 {
            answer.verdict = CheckVerdict::Undecided;
        }
    }
    Ok(Envelope {
        at: Some(place.0),
        base: place.1,
        notes,
        ..envelope("check", answer)
    })
}

fn places(
    side: &IndexedSide,
    base: Option<&IndexedSide>,
) -> (cortex_wire::At, Option<cortex_wire::At>) {
    (at(side), base.map(at))
}

/// What the records of operations say, which are this clone's alone.
fn records(index: &Index) -> Result<OpRecords, ServiceError> {
    let ops = Ops::beside(index.store.folder());
    let records = cortex_edit::check_records(&index.repo, &ops)?;
    let root = index.repo.work_dir();
    let findings = records.problems.into_iter().map(|problem| {
        let below = root.and_then(|root| problem.record.strip_prefix(root).ok());
        let file = below.unwrap_or(&problem.record).to_string_lossy();
        OpFinding {
            rule: problem.rule,
            op: problem.op,
            file: RepoPath::from(file.replace('\\', "/").as_str()),
            detail: problem.detail,
        }
    });
    Ok(OpRecords {
        n_ops: records.n_ops as u64,
        findings: findings.collect(),
    })
}

fn invalid(message: &str) -> ServiceError {
    WireError::new(
        ErrorCode::InvalidRequest,
        format!("failed to check: {message}"),
    )
    .into()
}

fn has_unread(notes: &[Note]) -> bool {
    notes
        .iter()
        .any(|note| matches!(note, Note::UnreadFiles { .. }))
}

/// Outlines of types that are not known would be removed.
fn refuse_unread(notes: &[Note]) -> Result<(), ServiceError> {
    if has_unread(notes) {
        let message =
            "failed to write context: git could not read some files, so their types are unknown";
        return Err(WireError::new(ErrorCode::Damaged, message).into());
    }
    Ok(())
}

/// The policy: of the commit that the change starts from, then of the user, then of the request.
fn policy(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    index: &Index,
    request: &CheckRequest,
    base: Side,
) -> Result<Policy, ServiceError> {
    let mut policy = Policy::default();
    let commit = match (request.base.is_some(), base) {
        (true, Side::Commit { commit, .. }) => Some(commit),
        // What is not committed yet does not judge itself.
        (false, Side::WorkTree | Side::Index) => index.repo.head()?,
        _ => None,
    };
    if let Some(commit) = commit
        && let Some(text) = committed_policy(index, index.repo.commit(commit)?.tree)?
    {
        policy.add(&text)?;
    }
    policy.add(&workspace.config(context)?.check_policy())?;
    for entry in &request.policy {
        policy.add(entry)?;
    }
    Ok(policy)
}

/// The key `policy` of the table `check` of the configuration that a tree has.
fn committed_policy(
    index: &Index,
    tree: cortex_model::TreeId,
) -> Result<Option<String>, ServiceError> {
    const CONFIG: &str = ".context/config.toml";
    let files = index.repo.folder_files(tree, ".context")?;
    let config = files.into_iter().find(|file| file.path.as_str() == CONFIG);
    let Some(config) = config.filter(|config| config.mode.is_file()) else {
        return Ok(None);
    };
    let mut blobs = index.repo.blobs();
    let bytes = blobs.read(config.blob)?;
    let table: Option<toml::Table> = std::str::from_utf8(&bytes)
        .ok()
        .and_then(|text| text.parse().ok());
    let policy = table.and_then(|table| {
        let policy = table.get("check")?.get("policy")?;
        Some(match policy.as_array() {
            Some(entries) => {
                let entries = entries.iter().filter_map(toml::Value::as_str);
                entries.collect::<Vec<_>>().join(",")
            }
            None => policy.as_str()?.to_owned(),
        })
    });
    Ok(policy)
}
