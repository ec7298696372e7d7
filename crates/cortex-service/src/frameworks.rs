//! The same repository as its other target frameworks see it.

use std::{cell::RefCell, collections::BTreeMap};

use cortex_git::Side;
use cortex_index::{Index, IndexError, IndexOptions, IndexedSide, Snapshot, compare_frameworks};
use cortex_look::{
    QueryError,
    symbol::{resolve, resolved::Stages},
};
use cortex_model::RepoPath;
use cortex_wire::FrameworkViews;

use crate::{
    RequestContext, ServiceError, Workspace,
    look::{ended, finish},
    workspace::mending,
};

/// Sides as each of their target frameworks sees them.
pub(crate) struct Frameworks {
    /// The newest first; one without a name where no project names any.
    names: Vec<String>,
    /// By framework: the sides that it was asked about, of which there is at least one.
    views: Vec<(Index, Vec<IndexedSide>)>,
    /// By framework: the target framework of each project that was looked for.
    targets: RefCell<Vec<BTreeMap<RepoPath, String>>>,
}

impl Frameworks {
    /// Sides in each index, each of which is for the target framework that its options name.
    pub(crate) fn of(
        workspace: &Workspace,
        indexes: Vec<Index>,
        sides: &[Side],
        context: &RequestContext<'_>,
    ) -> Result<Self, QueryError> {
        let mut views = Vec::with_capacity(indexes.len());
        for index in indexes {
            let sides = sides.iter();
            let indexed = sides.map(|&side| Ok(workspace.side(&index, side, context)?.0));
            let indexed = indexed.collect::<Result<_, QueryError>>()?;
            views.push((index, indexed));
        }
        Ok(Self::new(views))
    }

    /// Sides that were indexed, by the index of a target framework.
    pub(crate) fn new(views: Vec<(Index, Vec<IndexedSide>)>) -> Self {
        let names = views.iter().map(|(index, _)| index.options.tfm.clone());
        Self {
            names: names.map(Option::unwrap_or_default).collect(),
            targets: RefCell::new(vec![BTreeMap::new(); views.len()]),
            views,
        }
    }

    /// The index and the newest side of each framework.
    pub(crate) fn views(&self) -> impl ExactSizeIterator<Item = (&Index, &IndexedSide)> {
        let newest = |sides: &'_ Vec<IndexedSide>| sides.len() - 1;
        self.views
            .iter()
            .map(move |(index, sides)| (index, &sides[newest(sides)]))
    }

    /// Whether a project targets a framework; of the first those count that name none.
    fn targets(&self, at: usize, project: &RepoPath) -> bool {
        let mut known = self.targets.borrow_mut();
        let target = known[at].entry(project.clone()).or_insert_with(|| {
            // Where a change retargets a project, the newer side counts.
            let sides = self.views[at].1.iter().rev();
            let mut records = sides.filter_map(|it| it.snapshot.project(project).ok().flatten());
            records.next().map_or_else(String::new, |it| it.project.tfm)
        });
        target.eq_ignore_ascii_case(&self.names[at]) || (at == 0 && target.is_empty())
    }
}

impl FrameworkViews for Frameworks {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn compiling(&self, path: &RepoPath) -> Vec<bool> {
        let compiles = |(at, (_, sides)): (usize, &(Index, Vec<IndexedSide>))| {
            sides.iter().any(|side| {
                let file = side.snapshot.file(path).ok().flatten();
                let projects = file.map_or_else(|| vec![path.clone()], |file| file.projects);
                projects.iter().any(|project| self.targets(at, project))
            })
        };
        self.views.iter().enumerate().map(compiles).collect()
    }

    fn declares(&self, framework: usize, id: &str) -> bool {
        let Some((index, side)) = self.views().nth(framework) else {
            return false;
        };
        let mut blobs = index.blobs(side);
        resolve(&side.snapshot, id, Stages::Exact, &mut *blobs).is_ok()
    }
}

/// The target frameworks that projects of some snapshots have, the newest first.
fn all_frameworks(snapshots: &[&Snapshot]) -> Result<Vec<String>, QueryError> {
    let mut names: Vec<String> = Vec::new();
    for snapshot in snapshots {
        for record in snapshot.projects()? {
            let project = record.project;
            names.extend([project.tfm].into_iter().chain(project.other_tfms));
        }
    }
    names.retain(|name| !name.is_empty());
    names.sort();
    names.dedup_by(|a, b| a.eq_ignore_ascii_case(b));
    names.sort_by(|a, b| compare_frameworks(b, a));
    Ok(names)
}

/// The target frameworks of some sides, the newest first.
pub(crate) fn frameworks_of(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    sides: &[Side],
) -> Result<Vec<String>, ServiceError> {
    let index = workspace.index(context)?;
    let names = mending(workspace, &index, QueryError::is_damage, || {
        let mut indexed = Vec::new();
        for &side in sides {
            indexed.push(workspace.side(&index, side, context)?.0);
        }
        let snapshots: Vec<&Snapshot> = indexed.iter().map(|it| &it.snapshot).collect();
        all_frameworks(&snapshots)
    });
    let notes = finish(&index, context);
    names.map_err(|error| ended(context, error.into()).beside(&notes))
}

/// An index for each target framework, the newest first; one for no framework in particular where no project names any.
pub(crate) fn indexes(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    names: &[String],
) -> Result<Vec<Index>, ServiceError> {
    let names: Vec<Option<String>> = match names {
        [] => vec![None],
        names => names.iter().cloned().map(Some).collect(),
    };
    let each = names.into_iter().map(|tfm| {
        let index = workspace.index(context)?;
        Ok(Index {
            options: IndexOptions {
                tfm,
                ..index.options
            },
            ..index
        })
    });
    each.collect()
}

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
