//! Operations about several snapshots.

use std::cell::{Cell, RefCell};

use cortex_change::{
    ApiQuestion, Comparison, HistoryQuestion, Hunks, Look, Question, Show, Unknown, UseLines,
    is_range, tests_of_change, tests_of_symbols,
};
use cortex_git::{Cached, Parents, PlannedFile, RangeSpec, Side};
use cortex_index::{Index, IndexError, IndexedSide, Snapshot};
use cortex_look::QueryError;
use cortex_wire::{
    ApiAnswer, ApiRequest, At, Cosmetic, DiffContext, DiffContextRequest, Envelope, ErrorCode,
    Filter, HistoryRequest, HistoryShown, HunksShown, Note, ProveAnswer, ProveRequest,
    SymbolHistory, TestsAnswer, TestsRequest, Unite, Views, WireError,
};

use crate::{
    RequestContext, ServiceError, Workspace,
    frameworks::{Frameworks, frameworks_of, indexes, other_frameworks},
    look::{
        at, check_framework_of, ended, envelope, finish, refuse_all_frameworks, report_indexed,
    },
    scopes::WrittenScope,
    workspace::{mending, side_at},
};

fn range(revisions: &[String], is_cached: bool, paths: &[String]) -> RangeSpec {
    RangeSpec {
        revisions: revisions.to_vec(),
        cached: match is_cached {
            true => Cached::Yes,
            false => Cached::No,
        },
        paths: paths.to_vec(),
    }
}

/// An envelope around an answer about two sides; `notes`: what it was made without.
fn compared<A>(
    operation: &str,
    context: &RequestContext<'_>,
    found: Comparison<A>,
    notes: Vec<Note>,
) -> Envelope<A> {
    report_indexed(context, found.outcome);
    let [old, new] = &found.sides;
    let snapshots = [&old.snapshot, &new.snapshot];
    Envelope {
        at: Some(at(new)),
        base: Some(at(old)),
        notes: without_sources(&snapshots)
            .into_iter()
            .chain(notes)
            .collect(),
        ..envelope(operation, found.answer)
    }
}

/// The note about sides that have no C# files.
fn without_sources(snapshots: &[&Snapshot]) -> Option<Note> {
    let has_none = |snapshot: &&Snapshot| snapshot.stats().files == 0;
    snapshots.iter().all(has_none).then_some(Note::NoSources)
}

/// What a change does to types and members, and who depends on them.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn diff_context(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &DiffContextRequest,
) -> Result<Envelope<DiffContext>, ServiceError> {
    let scope = WrittenScope::read(workspace, context, request.scope.as_deref())?;
    let question = Question {
        range: range(&request.revisions, request.cached, &request.paths),
        scope: scope.request.clone(),
        scope_text: scope.text.clone(),
        uses: request.uses.map_or(UseLines::All, UseLines::First),
        hunks: match request.hunks {
            HunksShown::All => Hunks::Told,
            HunksShown::Counted => Hunks::Counted,
        },
        code: request.code,
    };
    let filter = Filter {
        scope: scope.request.is_some().then(|| scope.text.clone()),
        paths: request.paths.clone(),
        ..Filter::default()
    };
    let limited_to = (!filter.is_everything()).then_some(filter);
    let in_index = |index: &Index| {
        let result = mending(workspace, index, QueryError::is_damage, || {
            let found = cortex_change::diff_context(index, &question, context)?;
            let [old, new] = &found.sides;
            check_framework_of(index, &[&old.snapshot, &new.snapshot])?;
            Ok(found)
        });
        let notes = finish(index, context);
        let found = result.map_err(|error| ended(context, scope.name_in(error)).beside(&notes))?;
        Ok::<_, ServiceError>((found, notes))
    };
    if !workspace.config(context)?.unites_frameworks() {
        let (mut found, notes) = in_index(&workspace.index(context)?)?;
        add_proof(workspace, context, request, &mut found.answer)?;
        return Ok(Envelope {
            limited_to,
            ..compared("diff-context", context, found, notes)
        });
    }
    let range = workspace
        .index(context)?
        .repo
        .resolve_range(&question.range)?;
    let names = frameworks_of(workspace, context, &[range.old, range.new])?;
    let (mut views, mut answers) = (Vec::new(), Vec::new());
    let mut first = None;
    for (at, index) in indexes(workspace, context, &names)?.into_iter().enumerate() {
        let (found, notes) = in_index(&index)?;
        views.push((index, found.sides.to_vec()));
        let envelope = compared("diff-context", context, found, notes);
        answers.push((at, envelope.answer.clone()));
        first.get_or_insert(envelope);
    }
    let frameworks = Frameworks::new(views);
    let (mut answer, _) = DiffContext::unite(&Views::new(&frameworks, &[]), answers, usize::MAX);
    add_proof(workspace, context, request, &mut answer)?;
    let envelope = first.expect("there is an index for each framework, or one for none");
    Ok(Envelope {
        limited_to,
        frameworks: names,
        answer,
        ..envelope
    })
}

/// Adds which members are proven to mean the same, where that is wanted.
fn add_proof(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &DiffContextRequest,
    answer: &mut DiffContext,
) -> Result<(), ServiceError> {
    if request.prove {
        let request = ProveRequest {
            revisions: request.revisions.clone(),
            cached: request.cached,
            paths: request.paths.clone(),
            ..ProveRequest::default()
        };
        let proof = prove(workspace, context, &request)?;
        cortex_change::mark_proven(answer, &proof.answer);
    }
    Ok(())
}

/// The differences between the public APIs of two commits.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn api(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &ApiRequest,
) -> Result<Envelope<ApiAnswer>, ServiceError> {
    refuse_all_frameworks(context, "api")?;
    let index = workspace.index(context)?;
    let question = ApiQuestion {
        range: range(&request.revisions, request.cached, &[]),
        assemblies: request.assemblies.clone(),
    };
    let result = mending(workspace, &index, QueryError::is_damage, || {
        let found = cortex_change::api(&index, &question, context)?;
        let [old, new] = &found.sides;
        check_framework_of(&index, &[&old.snapshot, &new.snapshot])?;
        Ok(found)
    });
    let notes = finish(&index, context);
    let found = result.map_err(|error| ended(context, error.into()).beside(&notes))?;
    Ok(compared("api", context, found, notes))
}

/// What of a change is proven to keep what the code means, in every target framework.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn prove(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &ProveRequest,
) -> Result<Envelope<ProveAnswer>, ServiceError> {
    check_prove(request)?;
    let index = workspace.index(context)?;
    let spec = range(&request.revisions, request.cached, &request.paths);
    let patched = match &request.patch {
        Some(patch) => Some(patched(&index, (workspace, context), request, patch)?),
        None => None,
    };
    let not_opened = Cell::new(None);
    let result = mending(workspace, &index, QueryError::is_damage, || {
        let mut others = |side: &IndexedSide| {
            other_frameworks(side, || {
                workspace.index(context).map_err(|error| {
                    not_opened.set(Some(error));
                    QueryError::Index(IndexError::Interrupted)
                })
            })
        };
        let found = match (&patched, &*request.revisions) {
            (Some((base, files)), _) => {
                let of = request.revisions.first().map_or("HEAD", String::as_str);
                let base = (*base, format!("{of} with a patch"));
                cortex_change::prove_planned(&index, &mut others, base, files, context)?
            }
            (None, [ours, theirs]) if request.merge => {
                cortex_change::prove_merge(&index, &mut others, [ours, theirs], context)?
            }
            _ => cortex_change::prove(&index, &mut others, &spec, context)?,
        };
        let [old, new] = &found.sides;
        check_framework_of(&index, &[&old.snapshot, &new.snapshot])?;
        Ok(found)
    });
    let notes = finish(&index, context);
    if let Some(error) = not_opened.take() {
        return Err(error);
    }
    let found = result.map_err(|error| ended(context, error.into()).beside(&notes))?;
    let filter = Filter {
        paths: request.paths.clone(),
        ..Filter::default()
    };
    Ok(Envelope {
        limited_to: (!filter.is_everything()).then_some(filter),
        ..compared("prove", context, found, notes)
    })
}

/// Refuses what does not go together.
fn check_prove(request: &ProveRequest) -> Result<(), ServiceError> {
    let wrong = |message: &str| Err(WireError::new(ErrorCode::InvalidRequest, message).into());
    let is_limited = request.cached || !request.paths.is_empty();
    match (request.merge, &request.patch) {
        (true, Some(_)) => wrong("prove a change: a merge and a patch are two questions"),
        (true, None) if request.revisions.len() != 2 => {
            wrong("prove a merge: it needs two commits, such as `main feature`")
        }
        (true, None) | (false, Some(_)) if is_limited => wrong(
            "prove a change: a merge or a patch is looked at as a whole, and not what is staged",
        ),
        (false, Some(_)) if request.revisions.len() > 1 => {
            wrong("prove a patch: it is applied to one commit, or to the work tree")
        }
        _ => Ok(()),
    }
}

/// The side that a patch is for, and what it makes of files there.
fn patched(
    index: &Index,
    (workspace, context): (&Workspace, &RequestContext<'_>),
    request: &ProveRequest,
    patch: &str,
) -> Result<(Side, Vec<PlannedFile>), ServiceError> {
    let (_, base) = side_at(index, request.revisions.first().map(String::as_str))?;
    let (side, _) = workspace.side(index, base, context)?;
    let foreign = cortex_edit::Foreign::Diff(patch.as_bytes());
    Ok((base, cortex_edit::patched_files(index, &side, foreign)?))
}

/// What happened to a symbol over time.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn history(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &HistoryRequest,
) -> Result<Envelope<SymbolHistory>, ServiceError> {
    refuse_all_frameworks(context, "history")?;
    let index = workspace.index(context)?;
    let question = HistoryQuestion {
        symbol: request.symbol.clone(),
        range: request.range.clone(),
        parents: match request.first_parent {
            true => Parents::First,
            false => Parents::All,
        },
        max_count: request.max_count,
        show: match request.show {
            HistoryShown::Changes => Show::Changes,
            HistoryShown::Structure => Show::Structure,
            HistoryShown::Api => Show::Api,
        },
        cosmetic: match request.cosmetic {
            Cosmetic::Hidden => cortex_change::Cosmetic::Hidden,
            Cosmetic::Shown => cortex_change::Cosmetic::Shown,
        },
    };
    let (_, newest) = side_at(&index, None)?;
    let has_sources = Cell::new(true);
    let result = mending(workspace, &index, QueryError::is_damage, || {
        let found = cortex_change::history(&index, &question, context);
        if index.options.tfm.is_some() || matches!(found, Err(QueryError::SymbolNotFound { .. })) {
            let (side, _) = workspace.side(&index, newest, context)?;
            check_framework_of(&index, &[&side.snapshot])?;
            has_sources.set(side.snapshot.stats().files > 0);
        }
        found
    });
    let notes = finish(&index, context);
    let (answer, outcome) = result.map_err(|error| {
        let error = ended(context, error.into()).beside(&notes);
        match has_sources.get() {
            true => error,
            false => error.without_sources(),
        }
    })?;
    report_indexed(context, outcome);
    let [newest, oldest] = [&answer.range.newest, &answer.range.oldest].map(|commit| At {
        commit: Some(commit.clone()),
        overlay: None,
    });
    Ok(Envelope {
        at: Some(newest),
        base: Some(oldest),
        notes,
        ..envelope("history", answer)
    })
}

/// The tests that reach a change or symbols, one answer for each.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn tests(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &TestsRequest,
) -> Result<Envelope<TestsAnswer>, ServiceError> {
    let index = workspace.index(context)?;
    let is_change = !request.symbols
        && request.at.is_none()
        && (request.subjects.is_empty() || is_range(&index, &request.subjects));
    let mut out = match workspace.config(context)?.unites_frameworks() {
        false => tests_in(workspace, &index, context, request, is_change)?,
        true => tests_of_all(workspace, &index, context, request, is_change)?,
    };
    if let Some(limit) = request.limit {
        for answer in &mut out.answer.subjects {
            let n_all = answer.tests.len() + answer.set_up.len();
            answer.tests.truncate(limit);
            answer.set_up.truncate(limit);
            out.limits.cut |= answer.tests.len() + answer.set_up.len() < n_all;
        }
    }
    Ok(out)
}

/// The tests as one target framework sees them.
fn tests_in(
    workspace: &Workspace,
    index: &Index,
    context: &RequestContext<'_>,
    request: &TestsRequest,
    is_change: bool,
) -> Result<Envelope<TestsAnswer>, ServiceError> {
    let n_paths = request.paths.or(request.limit).unwrap_or(usize::MAX);
    let asked = match is_change {
        true => of_change(workspace, index, context, request, n_paths),
        false => of_symbols(workspace, index, context, request, n_paths),
    };
    let mut notes = finish(index, context);
    let mut out = asked.map_err(|error| ended(context, error).beside(&notes))?;
    out.notes.append(&mut notes);
    Ok(out)
}

/// The tests of all target frameworks.
fn tests_of_all(
    workspace: &Workspace,
    index: &Index,
    context: &RequestContext<'_>,
    request: &TestsRequest,
    is_change: bool,
) -> Result<Envelope<TestsAnswer>, ServiceError> {
    let sides = match is_change {
        true => {
            let range = index
                .repo
                .resolve_range(&range(&request.subjects, false, &[]))?;
            vec![range.old, range.new]
        }
        false => vec![side_at(index, request.at.as_deref())?.1],
    };
    let names = frameworks_of(workspace, context, &sides)?;
    let (mut views, mut answers) = (Vec::new(), Vec::new());
    let (mut first, mut not_found) = (None, None);
    for (at, index) in indexes(workspace, context, &names)?.into_iter().enumerate() {
        match tests_in(workspace, &index, context, request, is_change) {
            Ok(envelope) => {
                answers.push((at, envelope.answer.clone()));
                first.get_or_insert(envelope);
            }
            // Another framework may have it.
            Err(error) if error.code() == ErrorCode::SymbolNotFound => {
                not_found.get_or_insert(error);
            }
            Err(error) => return Err(error),
        }
        views.push(index);
    }
    let Some(envelope) = first else {
        return Err(not_found.expect("each framework has an answer or an error"));
    };
    let frameworks = Frameworks::of(workspace, views, &sides, context)?;
    let (answer, _) = TestsAnswer::unite(&Views::new(&frameworks, &[]), answers, usize::MAX);
    Ok(Envelope {
        frameworks: names,
        answer,
        ..envelope
    })
}

fn of_change(
    workspace: &Workspace,
    index: &Index,
    context: &RequestContext<'_>,
    request: &TestsRequest,
    n_paths: usize,
) -> Result<Envelope<TestsAnswer>, ServiceError> {
    let subject = match request.subjects.as_slice() {
        [] => "the work tree".to_owned(),
        revisions => revisions.join(" "),
    };
    let range = index
        .repo
        .resolve_range(&range(&request.subjects, false, &[]))?;
    let notes = RefCell::new(Vec::new());
    let (answer, base, newer) = mending(workspace, index, QueryError::is_damage, || {
        let (old, mut outcome) = workspace.side(index, range.old, context)?;
        let (new, second) = workspace.side(index, range.new, context)?;
        outcome.add(second);
        report_indexed(context, outcome);
        let snapshots = [&old.snapshot, &new.snapshot];
        check_framework_of(index, &snapshots)?;
        let answer = tests_of_change(index, [&old, &new], &subject, n_paths, Look::All)?;
        notes.replace(without_sources(&snapshots).into_iter().collect());
        Ok::<_, QueryError>((answer, at(&old), at(&new)))
    })?;
    Ok(Envelope {
        at: Some(newer),
        base: Some(base),
        notes: notes.into_inner(),
        ..envelope(
            "tests",
            TestsAnswer {
                subjects: vec![answer],
            },
        )
    })
}

fn of_symbols(
    workspace: &Workspace,
    index: &Index,
    context: &RequestContext<'_>,
    request: &TestsRequest,
    n_paths: usize,
) -> Result<Envelope<TestsAnswer>, ServiceError> {
    let (_, side) = side_at(index, request.at.as_deref())?;
    let unknown = match request.symbols {
        true => Unknown::IsTold,
        false => Unknown::Fails,
    };
    let symbols = &request.subjects;
    let has_sources = Cell::new(true);
    let found = mending(workspace, index, QueryError::is_damage, || {
        let (side, outcome) = workspace.side(index, side, context)?;
        report_indexed(context, outcome);
        check_framework_of(index, &[&side.snapshot])?;
        has_sources.set(side.snapshot.stats().files > 0);
        let mut blobs = index.blobs(&side);
        let answers = tests_of_symbols(&side.snapshot, symbols, unknown, n_paths, &mut *blobs)?;
        Ok::<_, QueryError>((answers, at(&side)))
    });
    let (answers, at) = found.map_err(|error| {
        let error = ServiceError::from(error);
        match has_sources.get() {
            true => error,
            false => error.without_sources(),
        }
    })?;
    Ok(Envelope {
        at: Some(at),
        ..envelope("tests", TestsAnswer { subjects: answers })
    })
}
