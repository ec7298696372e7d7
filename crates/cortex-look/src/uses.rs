//! The places that use symbols, with the bytes that they take in their files: what edits consume.
//!
//! Must not know: how symbols are found, how places are shown.

use cortex_derived::target::Target;
use cortex_wire::Place;

use crate::{
    QueryError,
    places::{Outside, Texts, Wanted, files_using, places},
    usages::role_at,
    viewpoint::Viewpoint,
};

/// Every place that uses one of the symbols and that the filter of the viewpoint lets pass, by file and position,
/// each once. Reads the files that the places stand in.
///
/// # Errors
/// [`QueryError`] where the time is over, since an edit of some of the places is none, or where a file cannot be
/// read.
pub fn uses(view: &Viewpoint<'_>, symbols: &[Target]) -> Result<Vec<Place>, QueryError> {
    let snapshot = view.snapshot();
    let wanted: Wanted = symbols.iter().map(|&symbol| (symbol, 0)).collect();
    let files = files_using(snapshot, &wanted)?;
    let passing = (view.filter, Outside::Skipped);
    let mut found = places(snapshot, &files, &wanted, passing, &|| {
        view.limits.is_over()
    })?;
    view.limits.check("find all uses")?;
    found.dedup_by_key(|place| (place.file, place.offset));
    let mut texts = Texts::new(view.blobs());
    let mut out = Vec::with_capacity(found.len());
    for place in &found {
        let file = &files[place.file as usize];
        let text = texts.of(file)?;
        let position = text.position(place.offset);
        out.push(Place {
            file: file.path.clone(),
            blob: file.blob,
            range: text.token(place.offset),
            line: position.line,
            column: position.column,
            role: role_at(text, place),
            certainty: place.certainty,
        });
    }
    Ok(out)
}
