//! Members that run something else though their own code is the same: since a file that is no C# differs, which is a routine
//! of a database or one that they open, or since another type is registered for a service.

use cortex_derived::target::Target;
use cortex_index::{Index, IndexedSide};
use cortex_look::QueryError;

use crate::{
    database::is_sql,
    diff_context::{
        blobs::BlobSource,
        changed_files,
        compared::{Compared, Limited, Texts},
    },
    impact::{
        generic_callers::Running,
        handed::handed,
        next::Member,
        opened::opening,
        procedures::{self, Naming},
        registrations::exchanged,
    },
};

/// The members of a difference. `named`: the strings that name changed routines; `exchanged`: the members whose types are
/// registered otherwise.
pub(crate) fn running(
    compared: &Compared,
    source: BlobSource<'_>,
    (named, exchanged): (&[Naming], &[Member]),
) -> Result<Running, QueryError> {
    let mut out = Running::default();
    for naming in named {
        out.add(&naming.running);
    }
    out.code.extend(opening(compared, source)?);
    out.code.extend(exchanged);
    Ok(out)
}

/// The members between two sides. Compares the trees, and reads what may name what is not C# where such files differ, and the
/// files that differ where they are few. `changed`: the members that differ, and new types.
pub(crate) fn running_between(
    index: &Index,
    sides: [&IndexedSide; 2],
    changed: &[Target],
) -> Result<Running, QueryError> {
    let source = BlobSource { index, sides };
    let files = changed_files(index, &[], sides[0], sides[1], &mut source.open())?;
    if files.is_empty() {
        return Ok(Running::default());
    }
    // Of all else the name says enough, or it is read where it is looked at.
    let sql = files.iter().filter(|file| {
        let side = file.new.as_ref().or(file.old.as_ref());
        side.is_some_and(|side| is_sql(&side.path))
    });
    let texts = Texts::load(&sql.cloned().collect::<Vec<_>>(), source)?;
    let snapshots = sides.map(|side| side.snapshot.clone());
    let compared = Compared::new(snapshots, files, texts, Limited::No, None)?;
    let named = procedures::named(&compared, source)?;
    let exchanged = exchanged(&compared, &mut source.open())?;
    let mut running = running(&compared, source, (&named, &exchanged))?;
    running
        .code
        .extend(handed(&compared, changed, source)?.scanning);
    Ok(running)
}
