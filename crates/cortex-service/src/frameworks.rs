//! The same repository as its other target frameworks see it.

use cortex_index::{Index, IndexError, IndexOptions, IndexedSide};

/// An index for each target framework that projects of a side have besides the one that answers are about, by the name
/// of the framework. `open` gives another index of the repository.
///
/// # Errors
/// Those of reading the projects, and of `open`.
pub(crate) fn other_frameworks<E: From<IndexError>>(
    side: &IndexedSide,
    open: impl Fn() -> Result<Index, E>,
) -> Result<Vec<Index>, E> {
    let records = side.snapshot.projects()?;
    let others = records.into_iter().flat_map(|it| it.project.other_tfms);
    let mut others: Vec<String> = others.filter(|tfm| !tfm.is_empty()).collect();
    others.sort();
    others.dedup();
    let all = others.into_iter().map(|tfm| {
        let index = open()?;
        Ok(Index {
            options: IndexOptions {
                tfm: Some(tfm),
                ..index.options
            },
            ..index
        })
    });
    all.collect()
}
