//! The files of an area, for scopes.

use crate::{QueryError, search::safe::homes::Homes};
use cortex_area::DetectOptions;
use cortex_derived::areas::{SideAreas, side_areas};
use cortex_index::{Index, IndexedSide};
use cortex_model::RepoPath;

/// The files of an area by its name, or the names that there are where none is called so; and what was wrong with
/// the configuration of areas.
#[expect(
    clippy::type_complexity,
    reason = "an answer with what is to be said beside it"
)]
pub(crate) fn area_files(
    index: &Index,
    side: &IndexedSide,
    name: &str,
) -> Result<(Result<Vec<RepoPath>, Vec<String>>, Vec<String>), QueryError> {
    let all = cortex_derived::files::all(index, side)?;
    let SideAreas {
        areas, diagnostics, ..
    } = side_areas(index, side, &DetectOptions::default())?;
    let homes = Homes::of(&areas)?;
    let found = match homes.sort(&all, Some(name)) {
        Err(QueryError::UnknownArea { known, .. }) => Err(known),
        Err(error) => return Err(error),
        Ok(files) => {
            let own = files.into_iter().flatten();
            Ok(own.map(|at| all[at].path.clone()).collect())
        }
    };
    Ok((found, diagnostics))
}
