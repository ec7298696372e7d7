//! How a question about one snapshot is asked: the side indexed, the filter read, damage mended.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeSet,
    time::Duration,
};

use cortex_index::{Index, IndexError, IndexOutcome, IndexedSide, Snapshot};
use cortex_look::{Bounded, Filter, FilterOptions, QueryError, Viewpoint};
use cortex_wire::{
    At, ENVELOPE_SCHEMA, Envelope, ErrorCode, Note, Unite, UnreadFile, UnreadReason, Views,
    WireError,
};

use crate::{
    RequestContext, ServiceError, Workspace,
    access::{Viewed, record, viewed},
    config::is_every_framework,
    context::Event,
    error::problem,
    frameworks::{Frameworks, frameworks_of, indexes},
    scopes::{Depth, WrittenScope},
    workspace::{mending, report_notices, side_at},
};

/// An envelope around an answer about nothing but the request.
pub(crate) fn envelope<A>(operation: &str, answer: A) -> Envelope<A> {
    Envelope {
        schema: ENVELOPE_SCHEMA,
        operation: operation.to_owned(),
        at: None,
        base: None,
        frameworks: Vec::new(),
        limited_to: None,
        limits: cortex_wire::Limits::default(),
        notes: Vec::new(),
        next: Vec::new(),
        timing: None,
        answer,
    }
}

/// What part of which snapshot a request is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Where<'a> {
    /// The name of the operation.
    pub(crate) operation: &'a str,
    /// The revision.
    pub(crate) at: Option<&'a str>,
    /// The filter.
    pub(crate) filter: &'a cortex_wire::Filter,
    /// How many items the answer may have.
    pub(crate) limit: usize,
}

/// How long an answer may take to be put together after the deadline.
const GRACE: Duration = Duration::from_secs(2);

/// Asks a question about the commit or work tree that a request names, which is indexed where it is not. Where the
/// request is about all target frameworks, it is asked for each, and the answers are united.
pub(crate) fn look<A: Viewed + Unite>(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    place: Where<'_>,
    ask: impl Fn(&Viewpoint<'_>) -> Result<A, QueryError>,
) -> Result<Envelope<A>, ServiceError> {
    if !workspace.config(context)?.unites_frameworks() {
        return look_at_one(workspace, context, place, ask);
    }
    let scope = WrittenScope::read(workspace, context, place.filter.scope.as_deref())?;
    let options = filter_options(&place, &scope);
    let (_, side) = side_at(&workspace.index(context)?, place.at)?;
    let names = frameworks_of(workspace, context, &[side])?;
    let seen = RefCell::new((At::default(), Vec::new()));
    let about = RefCell::new(None);
    let has_sources = Cell::new(true);
    let index = workspace.index(context)?;
    let not_opened = Cell::new(None);
    let unread = RefCell::new(Vec::new());
    let result = mending(workspace, &index, QueryError::is_damage, || {
        let mut all = indexes(workspace, context, &names).map_err(|error| {
            not_opened.set(Some(error));
            IndexError::Interrupted
        })?;
        for index in &mut all {
            index.interrupt = context.interrupt(GRACE);
        }
        let frameworks = Frameworks::of(workspace, all, &[side], context)?;
        let views: Vec<_> = frameworks.views().collect();
        let mut answers = Vec::new();
        let mut not_found = None;
        for (at, &(index, side)) in views.iter().enumerate() {
            has_sources.set(side.snapshot.stats().files > 0);
            let filter = Filter::new(index, side, &options, context)?;
            if at == 0 {
                seen.replace((self::at(side), notes(side, &filter)));
            }
            index.interrupt.check().map_err(IndexError::from)?;
            let found = ask(&Viewpoint {
                index,
                side,
                filter: &filter,
                limits: context.limits(usize::MAX),
            });
            unread.borrow_mut().append(&mut finish(index, context));
            match found {
                Ok(answer) => answers.push((at, answer)),
                // Another framework may have it.
                Err(error) if is_absent(&error) => _ = not_found.get_or_insert(error),
                Err(error) => return Err(error),
            }
        }
        retain_nearest(&mut answers);
        let Some((first, answer)) = answers.first() else {
            return Err(not_found.unwrap_or(QueryError::EmptySymbol));
        };
        let declared = viewed(&views[*first].1.snapshot, answer);
        let files = declared
            .as_ref()
            .map_or(&[][..], |(_, files)| files.as_slice());
        let (answer, cut) = A::unite(&Views::new(&frameworks, files), answers, place.limit);
        about.replace(declared);
        Ok((answer, cut))
    });
    let is_wanted = workspace.config(context)?.records_accesses();
    if record(&index, is_wanted, about.into_inner()) {
        workspace.window_is_due();
    }
    let mut unread = unread.into_inner();
    unread.append(&mut finish(&index, context));
    unread.dedup();
    if let Some(error) = not_opened.take() {
        return Err(error);
    }
    let (answer, cut) = result.map_err(|error| {
        let error = ended(context, scope.name_in(error)).beside(&unread);
        match has_sources.get() {
            true => error,
            false => error.without_sources(),
        }
    })?;
    let (at, mut notes) = seen.into_inner();
    notes.append(&mut unread);
    let filter = (!place.filter.is_everything()).then(|| place.filter.clone());
    Ok(Envelope {
        at: Some(at),
        frameworks: names,
        limited_to: filter,
        limits: cortex_wire::Limits {
            cut,
            ..cortex_wire::Limits::default()
        },
        notes,
        ..envelope(place.operation, answer)
    })
}

/// Whether a framework does not have what a request is about.
fn is_absent(error: &QueryError) -> bool {
    matches!(
        error,
        QueryError::SymbolNotFound { .. } | QueryError::SymbolOutside { .. }
    )
}

/// Keeps the answers about what is called as requested, where there are some, and of others those about the same
/// symbol as the first.
fn retain_nearest<A: Unite>(answers: &mut Vec<(usize, A)>) {
    let is_corrected = |answer: &A| {
        let subject = answer.subject();
        subject.is_some_and(|it| it.corrected_from.is_some() || it.redirected_from.is_some())
    };
    if answers.iter().any(|(_, answer)| !is_corrected(answer)) {
        answers.retain(|(_, answer)| !is_corrected(answer));
    }
    let path = |answer: &A| answer.subject().map(|it| it.resolved.path.clone());
    let first = answers.first().and_then(|(_, answer)| path(answer));
    answers.retain(|(_, answer)| path(answer) == first);
}

fn filter_options(place: &Where<'_>, scope: &WrittenScope) -> FilterOptions {
    FilterOptions {
        projects: place.filter.projects.clone(),
        paths: place.filter.paths.clone(),
        tests: place.filter.tests,
        scope: scope.request.clone(),
        scope_text: scope.text.clone(),
    }
}

/// Asks a question about the commit or work tree that a request names, as one target framework sees it.
pub(crate) fn look_at_one<A: Viewed>(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    place: Where<'_>,
    ask: impl Fn(&Viewpoint<'_>) -> Result<A, QueryError>,
) -> Result<Envelope<A>, ServiceError> {
    let scope = WrittenScope::read(workspace, context, place.filter.scope.as_deref())?;
    let options = filter_options(&place, &scope);
    let mut index = workspace.index(context)?;
    // At the deadline the answer is what was found until then; what does not end by itself is ended after it.
    index.interrupt = context.interrupt(GRACE);
    let (_, side) = side_at(&index, place.at)?;
    let seen = RefCell::new((At::default(), Vec::new(), IndexOutcome::default()));
    let n_sources = Cell::new(u64::MAX);
    let about = RefCell::new(None);
    let result = mending(workspace, &index, QueryError::is_damage, || {
        let (side, outcome) = workspace.side(&index, side, context)?;
        check_framework(&index, &side.snapshot)?;
        n_sources.set(side.snapshot.stats().files);
        let filter = Filter::new(&index, &side, &options, context)?;
        seen.replace((at(&side), notes(&side, &filter), outcome));
        // What is kept from other questions is read without the store.
        index.interrupt.check().map_err(IndexError::from)?;
        let answer = ask(&Viewpoint {
            index: &index,
            side: &side,
            filter: &filter,
            limits: context.limits(place.limit),
        })?;
        about.replace(viewed(&side.snapshot, &answer));
        Ok(answer)
    });
    let is_wanted = workspace.config(context)?.records_accesses();
    if record(&index, is_wanted, about.into_inner()) {
        workspace.window_is_due();
    }
    let mut unread = finish(&index, context);
    let answer = result.map_err(|error| {
        let error = ended(context, scope.name_in(error)).beside(&unread);
        match n_sources.get() {
            0 => error.without_sources(),
            _ => error,
        }
    })?;
    let (at, mut notes, outcome) = seen.into_inner();
    notes.append(&mut unread);
    report_indexed(context, outcome);
    let filter = (!place.filter.is_everything()).then(|| place.filter.clone());
    Ok(Envelope {
        at: Some(at),
        limited_to: filter,
        notes,
        ..envelope(place.operation, answer)
    })
}

/// Refuses a target framework that no project has.
fn check_framework(index: &Index, snapshot: &Snapshot) -> Result<(), QueryError> {
    check_framework_of(index, &[snapshot])
}

/// Refuses a target framework that no project of any of these has.
pub(crate) fn check_framework_of(index: &Index, snapshots: &[&Snapshot]) -> Result<(), QueryError> {
    let Some(tfm) = &index.options.tfm else {
        return Ok(());
    };
    let mut known = BTreeSet::new();
    for snapshot in snapshots {
        for record in snapshot.projects()? {
            let project = record.project;
            known.extend([project.tfm].into_iter().chain(project.other_tfms));
        }
    }
    known.retain(|it| !it.is_empty());
    let has = known.iter().any(|it| it.eq_ignore_ascii_case(tfm));
    match has || known.is_empty() {
        true => Ok(()),
        false => Err(QueryError::UnknownFramework {
            tfm: tfm.clone(),
            known: known.into_iter().collect(),
        }),
    }
}

/// The same for an answer that a limit may cut short.
pub(crate) fn look_bounded<A: Viewed + Unite>(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    place: Where<'_>,
    ask: impl Fn(&Viewpoint<'_>) -> Result<Bounded<A>, QueryError>,
) -> Result<Envelope<A>, ServiceError> {
    look(workspace, context, place, ask).map(bounded)
}

/// The same for an answer that describes one target framework.
pub(crate) fn look_bounded_at_one<A: Viewed>(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    place: Where<'_>,
    ask: impl Fn(&Viewpoint<'_>) -> Result<Bounded<A>, QueryError>,
) -> Result<Envelope<A>, ServiceError> {
    refuse_all_frameworks(context, place.operation)?;
    look_at_one(workspace, context, place, ask).map(bounded)
}

/// Refuses a request for all target frameworks where an answer describes one. What is configured for all requests
/// does not count here.
pub(crate) fn refuse_all_frameworks(
    context: &RequestContext<'_>,
    operation: &str,
) -> Result<(), ServiceError> {
    match context.tfm.as_deref() {
        Some(tfm) if is_every_framework(tfm) => {
            let message = format!("failed to answer `{operation}` for all target frameworks");
            let cause = "it describes one target framework at a time".to_owned();
            Err(WireError::new(ErrorCode::InvalidRequest, message)
                .with_causes(vec![cause])
                .into())
        }
        _ => Ok(()),
    }
}

/// An answer whose limits are those of its envelope.
pub(crate) fn bounded<A>(envelope: Envelope<Bounded<A>>) -> Envelope<A> {
    let limits = cortex_wire::Limits {
        cut: envelope.answer.limits.cut || envelope.limits.cut,
        ..envelope.answer.limits
    };
    Envelope {
        limits,
        ..envelope.map(|found| found.answer)
    }
}

/// So many sources are read for a question about files, which takes a second or two: no more.
const MAX_READ: usize = 400;

/// Asks a question about one side: where that is not indexed, it is for questions about the graph, and for those about
/// files if it takes no time to speak of.
pub(crate) fn with_side<A>(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    (operation, at_revision): (&str, Option<&str>),
    depth: Depth,
    ask: impl Fn(&Index, &IndexedSide) -> Result<A, QueryError>,
) -> Result<Envelope<A>, ServiceError> {
    with_side_in(
        workspace,
        context,
        (operation, at_revision),
        depth,
        &WrittenScope::default(),
        ask,
    )
}

/// The same where a scope limits the answer.
pub(crate) fn with_side_in<A>(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    (operation, at_revision): (&str, Option<&str>),
    depth: Depth,
    scope: &WrittenScope,
    ask: impl Fn(&Index, &IndexedSide) -> Result<A, QueryError>,
) -> Result<Envelope<A>, ServiceError> {
    let mut index = workspace.index(context)?;
    // Searches watch their own limits, and answer what was found until then.
    index.interrupt = Default::default();
    let (_, side) = side_at(&index, at_revision)?;
    let max_read = match depth {
        Depth::Files => MAX_READ,
        Depth::Graph => usize::MAX,
    };
    let seen = RefCell::new(At::default());
    let result = mending(workspace, &index, QueryError::is_damage, || {
        let side = match depth {
            // A few files at most: the time is for the search, which has a partial answer.
            Depth::Files => {
                let patient = RequestContext {
                    deadline: None,
                    ..context.clone()
                };
                index.listed(side, max_read, &patient)?
            }
            Depth::Graph => index.listed(side, max_read, context)?,
        };
        seen.replace(at(&side));
        ask(&index, &side)
    });
    let notes = finish(&index, context);
    let answer = result.map_err(|error| ended(context, scope.name_in(error)).beside(&notes))?;
    Ok(Envelope {
        notes,
        at: Some(seen.into_inner()),
        limited_to: scope.request.is_some().then(|| cortex_wire::Filter {
            scope: Some(scope.text.clone()),
            ..cortex_wire::Filter::default()
        }),
        ..envelope(operation, answer)
    })
}

/// Reports what happened meanwhile, and makes room for who waits to write. Gives what the answer was made without.
pub(crate) fn finish(index: &Index, context: &RequestContext<'_>) -> Vec<Note> {
    report_notices(index, context);
    index.store.release();
    let unread = index.unread.take();
    if unread.is_empty() {
        return Vec::new();
    }
    let files = unread.into_iter().map(|file| UnreadFile {
        file: file.path.to_string(),
        blob: file.blob.to_string(),
        reason: match file.reason {
            cortex_index::UnreadReason::Absent => UnreadReason::Absent,
            _ => UnreadReason::Damaged,
        },
    });
    vec![Note::UnreadFiles {
        files: files.collect(),
    }]
}

/// An error where the deadline may be why.
pub(crate) fn ended(context: &RequestContext<'_>, error: ServiceError) -> ServiceError {
    let is_timeout =
        error.code() == ErrorCode::Canceled && !context.cancel.is_canceled() && context.is_over();
    match is_timeout {
        true => error.timed_out(),
        false => error,
    }
}

/// More files than that are worth a word.
const MANY_FILES: usize = 500;

/// Reports that many files were indexed before the answer.
pub(crate) fn report_indexed(context: &RequestContext<'_>, outcome: IndexOutcome) {
    if outcome.parsed > MANY_FILES {
        context.watcher.event(Event::IndexedFirst {
            files: outcome.parsed,
        });
    }
}

/// Which commit a side is, and what lies over it.
pub(crate) fn at(side: &IndexedSide) -> At {
    At {
        commit: side.commit.map(|commit| commit.to_string()),
        overlay: (side.overlay.as_ref())
            .filter(|it| !it.changes.is_empty())
            .map(|it| it.digest.short()),
    }
}

/// What makes an answer about a side less certain.
fn notes(side: &IndexedSide, filter: &Filter) -> Vec<Note> {
    let stats = side.snapshot.stats();
    let degraded = (stats.degraded > 0).then_some(Note::DegradedFiles {
        files: stats.degraded,
    });
    let skipped = (stats.skipped > 0).then_some(Note::SkippedFiles {
        files: stats.skipped,
    });
    let scope = filter.warnings().iter().map(problem).map(Note::Scope);
    let none = (stats.files == 0).then_some(Note::NoSources);
    none.into_iter()
        .chain(degraded)
        .chain(skipped)
        .chain(scope)
        .collect()
}
