//! Operations about packs.

use cortex_fresh::{
    FreshError, Writes,
    pack::files::{PackChange, build_pack, list_packs, remove_pack, show_pack},
};
use cortex_git::Side;
use cortex_index::{Index, IndexedSide};
use cortex_wire::{
    Envelope, PackAnswer, PackBuildRequest, PackListAnswer, PackListRequest, PackRemoveRequest,
    PackShowRequest,
};

use crate::{
    RequestContext, ServiceError, Workspace,
    look::{at, ended, envelope, finish, report_indexed},
    workspace::{mending, side_at},
};

/// Asks about one side; gives what is to be written as well.
fn ask<A>(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    (operation, revision): (&str, Option<&str>),
    ask: impl Fn(&Index, &IndexedSide) -> Result<(Writes, A), FreshError>,
) -> Result<(Index, Writes, Envelope<A>), ServiceError> {
    let index = workspace.index(context)?;
    let (_, side) = side_at(&index, revision)?;
    let result = mending(workspace, &index, FreshError::is_damage, || {
        let (side, outcome) = workspace.side(&index, side, context)?;
        let found = ask(&index, &side)?;
        Ok::<_, FreshError>((found, at(&side), outcome))
    });
    let notes = finish(&index, context);
    let ((writes, answer), place, outcome) =
        result.map_err(|error| ended(context, ServiceError::from(error)).beside(&notes))?;
    report_indexed(context, outcome);
    let envelope = Envelope {
        at: Some(place),
        notes,
        ..envelope(operation, answer)
    };
    Ok((index, writes, envelope))
}

/// Builds a pack and writes its file.
///
/// # Errors
/// Those of the request, the repository, the index and the files.
pub fn pack_build(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &PackBuildRequest,
) -> Result<Envelope<PackAnswer>, ServiceError> {
    if workspace.repo()?.work_dir().is_none() {
        return Err(FreshError::NoWorkTree.into());
    }
    let change = PackChange {
        filter: request.filter.clone(),
        budget: request.budget,
        tokenizer: request.tokenizer.clone(),
        dependencies: request.dependencies,
    };
    let (index, writes, envelope) =
        ask(workspace, context, ("pack-build", None), |index, side| {
            build_pack(index, side, &request.name, &change, context)
        })?;
    if !request.dry_run {
        writes.apply(&index.repo)?;
    }
    Ok(envelope)
}

/// The packs of a commit or of the work tree.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn pack_list(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &PackListRequest,
) -> Result<Envelope<PackListAnswer>, ServiceError> {
    let place = ("pack-list", request.at.as_deref());
    let (_, _, envelope) = ask(workspace, context, place, |index, side| {
        Ok((Writes::default(), list_packs(index, side, context)?))
    })?;
    Ok(envelope)
}

/// A pack as its file has it, and how it differs from what the sources say.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn pack_show(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &PackShowRequest,
) -> Result<Envelope<PackAnswer>, ServiceError> {
    let place = ("pack-show", request.at.as_deref());
    let (_, _, envelope) = ask(workspace, context, place, |index, side| {
        Ok((
            Writes::default(),
            show_pack(index, side, &request.name, context)?,
        ))
    })?;
    Ok(envelope)
}

/// Removes the file of a pack.
///
/// # Errors
/// Those of the request, the repository and the files.
pub fn pack_remove(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &PackRemoveRequest,
) -> Result<Envelope<PackListAnswer>, ServiceError> {
    let index = workspace.index(context)?;
    let listed = index.listed(Side::WorkTree, 0, context)?;
    let (writes, answer) = remove_pack(&index, &listed, &request.name)?;
    writes.apply(&index.repo)?;
    Ok(Envelope {
        at: Some(at(&listed)),
        ..envelope("pack-remove", answer)
    })
}
