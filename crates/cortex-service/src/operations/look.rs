//! Operations about one snapshot.

use cortex_look::{
    Bounded, CyclesOptions, DepsOptions, Family, GraphWanted, MapOptions, MentionsShown,
    OutlineOptions, QueryError, SourceShown, TestsShown, TypeGraph, UnusedListed, UnusedOptions,
    UsagesOptions, Viewpoint,
};
use cortex_wire::{
    Area, CallsAnswer, CallsRequest, CyclesAnswer, CyclesRequest, DepsAnswer, DepsDirection,
    DepsRequest, Direction, DocsShown, Envelope, Kinship, MapAnswer, MapRequest, MembersShown,
    OutlineOrMap, OutlineRequest, Reason, RelativesAnswer, RelativesRequest, ResolveAnswer,
    ResolveRequest, SourceAnswer, SourceRequest, TestScope, UnusedAnswer, UnusedRequest,
    UnusedWhat, UsagesAnswer, UsagesRequest,
};
use serde::Serialize;

use crate::{
    RequestContext, ServiceError, Workspace,
    error::next,
    look::{Where, look, look_bounded, look_bounded_at_one},
};

/// So many members of a type are listed in a map.
const N_MEMBERS: usize = 12;

/// The place that a request is about.
macro_rules! place {
    ($operation:expr, $request:expr) => {
        Where {
            operation: $operation,
            at: $request.at.as_deref(),
            filter: &$request.filter,
            limit: $request.limit,
        }
    };
}
pub(super) use place;

fn family(with_overrides: bool) -> Family {
    match with_overrides {
        true => Family::WithOverrides,
        false => Family::Alone,
    }
}

/// Suggests the same request without a limit on items where that cut the answer.
fn cut<A, R: Serialize>(envelope: &mut Envelope<A>, request: &R) {
    if envelope.limits.cut && !envelope.limits.timed_out {
        let operation = envelope.operation.clone();
        let more = next(&operation, request, Reason::MoreItems);
        envelope.next.push(more);
    }
}

/// How many items to ask for where there are so many in all.
fn enough(limit: usize, total: usize) -> usize {
    total.max(limit.saturating_mul(2))
}

/// What a text means, and where it is declared.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn resolve(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &ResolveRequest,
) -> Result<Envelope<ResolveAnswer>, ServiceError> {
    look(workspace, context, place!("resolve", request), |view| {
        cortex_look::resolve_symbol(view, &request.symbol)
    })
}

/// Every place that uses a type or member.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn usages(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &UsagesRequest,
) -> Result<Envelope<UsagesAnswer>, ServiceError> {
    let options = UsagesOptions {
        family: family(request.with_overrides),
        roles: request.roles.clone(),
        mentions: match request.mentions {
            true => MentionsShown::Listed,
            false => MentionsShown::Counted,
        },
    };
    let mut out = look_bounded(workspace, context, place!("usages", request), |view| {
        cortex_look::usages(view, &request.symbol, &options)
    })?;
    let more = UsagesRequest {
        limit: enough(
            request.limit,
            out.answer.total.max(out.answer.mentions.total),
        ),
        ..request.clone()
    };
    cut(&mut out, &more);
    if !out.answer.through.is_empty() {
        let with_overrides = UsagesRequest {
            with_overrides: true,
            ..request.clone()
        };
        let more = next("usages", &with_overrides, Reason::WithOverrides);
        out.next.push(more);
    }
    Ok(out)
}

/// The members that call a member.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn callers(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &CallsRequest,
) -> Result<Envelope<CallsAnswer>, ServiceError> {
    calls(workspace, context, request, ("callers", Direction::Callers))
}

/// The members that a member calls.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn callees(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &CallsRequest,
) -> Result<Envelope<CallsAnswer>, ServiceError> {
    calls(workspace, context, request, ("callees", Direction::Callees))
}

fn calls(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &CallsRequest,
    (operation, direction): (&str, Direction),
) -> Result<Envelope<CallsAnswer>, ServiceError> {
    let family = family(request.with_overrides);
    let mut out = look_bounded(workspace, context, place!(operation, request), |view| {
        cortex_look::calls(view, &request.symbol, direction, request.depth, family)
    })?;
    let more = CallsRequest {
        limit: enough(request.limit, out.answer.total),
        ..request.clone()
    };
    cut(&mut out, &more);
    if !out.answer.through.is_empty() {
        let with_overrides = CallsRequest {
            with_overrides: true,
            ..request.clone()
        };
        let more = next(operation, &with_overrides, Reason::WithOverrides);
        out.next.push(more);
    }
    Ok(out)
}

/// What implements or derives from a type, or implements a member.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn implementations(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &RelativesRequest,
) -> Result<Envelope<RelativesAnswer>, ServiceError> {
    relatives(
        workspace,
        context,
        request,
        ("implementations", Kinship::Implementations),
    )
}

/// What a member overrides, and what overrides it.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn overrides(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &RelativesRequest,
) -> Result<Envelope<RelativesAnswer>, ServiceError> {
    relatives(
        workspace,
        context,
        request,
        ("overrides", Kinship::Overrides),
    )
}

/// What a type derives from, and what derives from it.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn hierarchy(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &RelativesRequest,
) -> Result<Envelope<RelativesAnswer>, ServiceError> {
    relatives(
        workspace,
        context,
        request,
        ("hierarchy", Kinship::Hierarchy),
    )
}

fn relatives(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &RelativesRequest,
    (operation, kinship): (&str, Kinship),
) -> Result<Envelope<RelativesAnswer>, ServiceError> {
    let mut out = look_bounded(workspace, context, place!(operation, request), |view| {
        cortex_look::relatives(view, &request.symbol, kinship)
    })?;
    let more = RelativesRequest {
        limit: enough(request.limit, out.answer.n_up + out.answer.n_down),
        ..request.clone()
    };
    cut(&mut out, &more);
    Ok(out)
}

/// What a symbol, namespace, project or folder is, without its code.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn outline(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &OutlineRequest,
) -> Result<Envelope<OutlineOrMap>, ServiceError> {
    let unites_frameworks = workspace.config(context)?.unites_frameworks();
    let options = OutlineOptions {
        members: members(request.members),
        depth: request.depth,
        docs: request.docs,
        source: match request.source {
            true => SourceShown::With,
            false => SourceShown::Without,
        },
        n_related: match unites_frameworks {
            true => usize::MAX,
            false => request.top,
        },
    };
    let ask = |view: &Viewpoint<'_>| -> Result<Bounded<OutlineOrMap>, QueryError> {
        let Some(area) = cortex_look::find_area(view, &request.symbol)? else {
            let answer = cortex_look::outline(view, &request.symbol, &options)?;
            let limits = cortex_wire::Limits::default();
            return Ok(Bounded {
                answer: OutlineOrMap::Outline(answer),
                limits,
            });
        };
        let options = MapOptions {
            focus: Vec::new(),
            area,
            tests: TestsShown::With,
            members: options.members,
            docs: map_docs(request.docs != DocsShown::None),
            n_types: request.types.unwrap_or(request.limit),
            n_members: N_MEMBERS,
        };
        Ok(cortex_look::map(view, &options)?.map(OutlineOrMap::Map))
    };
    let mut out = look_bounded(workspace, context, place!("outline", request), ask)?;
    if let (true, OutlineOrMap::Outline(outline)) = (unites_frameworks, &mut out.answer) {
        outline.ty.depends_on.truncate(request.top);
        outline.ty.used_by.truncate(request.top);
    }
    Ok(out)
}

/// The types to know first.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn map(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &MapRequest,
) -> Result<Envelope<MapAnswer>, ServiceError> {
    let options = MapOptions {
        focus: request.focus.clone(),
        area: Area::Repository,
        tests: match request.filter.tests {
            TestScope::Only => TestsShown::With,
            TestScope::Any | TestScope::Without => TestsShown::Without,
        },
        members: members(request.members),
        docs: map_docs(request.docs),
        n_types: request.limit,
        n_members: N_MEMBERS,
    };
    look_bounded_at_one(workspace, context, place!("map", request), |view| {
        cortex_look::map(view, &options)
    })
}

fn members(shown: MembersShown) -> cortex_look::MembersShown {
    match shown {
        MembersShown::Public => cortex_look::MembersShown::Public,
        MembersShown::All => cortex_look::MembersShown::All,
    }
}

fn map_docs(is_wanted: bool) -> cortex_look::MapDocs {
    match is_wanted {
        true => cortex_look::MapDocs::With,
        false => cortex_look::MapDocs::Without,
    }
}

/// The code of a type or member.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn source(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &SourceRequest,
) -> Result<Envelope<SourceAnswer>, ServiceError> {
    look(workspace, context, place!("source", request), |view| {
        cortex_look::source(view, &request.symbol, request.context)
    })
}

/// What a type depends on, and what depends on it.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn deps(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &DepsRequest,
) -> Result<Envelope<DepsAnswer>, ServiceError> {
    let found = deps_in(workspace, context, request, GraphWanted::No)?;
    Ok(found.map(|(answer, _)| answer))
}

/// The same with its graph, to draw it.
///
/// # Errors
/// Those of [`deps`].
pub fn deps_with_graph(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &DepsRequest,
) -> Result<Envelope<(DepsAnswer, TypeGraph)>, ServiceError> {
    deps_in(workspace, context, request, GraphWanted::Yes)
}

fn deps_in(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &DepsRequest,
    graph: GraphWanted,
) -> Result<Envelope<(DepsAnswer, TypeGraph)>, ServiceError> {
    let options = DepsOptions {
        direction: match request.direction {
            DepsDirection::Both => cortex_look::DepsDirection::Both,
            DepsDirection::Out => cortex_look::DepsDirection::Out,
            DepsDirection::In => cortex_look::DepsDirection::In,
        },
        path_to: request.path_to.clone(),
        graph,
    };
    look(workspace, context, place!("deps", request), |view| {
        cortex_look::deps(view, &request.symbol, &options)
    })
}

/// Types, namespaces or projects that depend on each other in a circle.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn cycles(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &CyclesRequest,
) -> Result<Envelope<CyclesAnswer>, ServiceError> {
    let found = cycles_in(workspace, context, request, GraphWanted::No)?;
    Ok(found.map(|(answer, _)| answer))
}

/// The same with the graph of its types, to draw it.
///
/// # Errors
/// Those of [`cycles`].
pub fn cycles_with_graph(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &CyclesRequest,
) -> Result<Envelope<(CyclesAnswer, TypeGraph)>, ServiceError> {
    cycles_in(workspace, context, request, GraphWanted::Yes)
}

fn cycles_in(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &CyclesRequest,
    graph: GraphWanted,
) -> Result<Envelope<(CyclesAnswer, TypeGraph)>, ServiceError> {
    let options = CyclesOptions {
        by: request.by,
        symbol: request.symbol.clone(),
        graph,
    };
    look_bounded_at_one(workspace, context, place!("cycles", request), |view| {
        cortex_look::cycles(view, &options)
    })
}

/// Types and members that nothing refers to.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn unused(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &UnusedRequest,
) -> Result<Envelope<UnusedAnswer>, ServiceError> {
    let unites_frameworks = workspace.config(context)?.unites_frameworks();
    let options = UnusedOptions {
        what: match request.what {
            UnusedWhat::Types => cortex_look::UnusedWhat::Types,
            UnusedWhat::Members => cortex_look::UnusedWhat::Members,
            UnusedWhat::All => cortex_look::UnusedWhat::All,
        },
        // What one framework has a reason for is not certain in any.
        listed: match request.all || unites_frameworks {
            true => UnusedListed::All,
            false => UnusedListed::Certain,
        },
    };
    let unlimited = UnusedRequest {
        limit: match unites_frameworks {
            true => usize::MAX,
            false => request.limit,
        },
        ..request.clone()
    };
    let mut out = look_bounded(workspace, context, place!("unused", unlimited), |view| {
        cortex_look::unused(view, &options)
    })?;
    if unites_frameworks {
        let items = &mut out.answer.items;
        items.retain(|item| request.all || item.reasons.is_empty());
        out.limits.cut |= items.len() > request.limit;
        items.truncate(request.limit);
    }
    Ok(out)
}
