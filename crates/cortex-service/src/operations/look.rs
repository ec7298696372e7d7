//! Operations about one snapshot.

use cortex_query::{
    Area, CallsAnswer, CyclesAnswer, CyclesOptions, DepsAnswer, DepsOptions, Direction, Family,
    GraphWanted, Kinship, MapAnswer, MapOptions, OutlineAnswer, OutlineOptions, QueryError,
    RelativesAnswer, ResolveAnswer, SourceAnswer, SourceShown, TestsShown, UnusedAnswer,
    UnusedListed, UnusedOptions, UsagesAnswer, Viewpoint,
};
use cortex_wire::{
    CallsRequest, CyclesBy, CyclesRequest, DepsDirection, DepsRequest, DocsShown, Envelope,
    ErrorCode, MapRequest, MembersShown, OutlineRequest, Reason, RelativesRequest, ResolveRequest,
    SourceRequest, TestScope, UnusedRequest, UnusedWhat, UsagesRequest, WireError,
};
use serde::Serialize;

use crate::{
    RequestContext, ServiceError, Workspace,
    error::next,
    look::{Where, look},
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

/// Marks an answer as cut, and suggests the same request without a limit on items.
fn cut<A, R: Serialize>(envelope: &mut Envelope<A>, is_cut: bool, request: &R) {
    if is_cut {
        envelope.limits.cut = true;
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
        cortex_query::resolve_symbol(view, &request.symbol)
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
    let family = family(request.with_overrides);
    let mut out = look(workspace, context, place!("usages", request), |view| {
        cortex_query::usages(view, &request.symbol, family)
    })?;
    out.limits.timed_out = out.answer.timed_out;
    let is_cut = out.answer.probably_has_more && !out.answer.timed_out;
    let more = UsagesRequest {
        limit: enough(request.limit, out.answer.total),
        ..request.clone()
    };
    cut(&mut out, is_cut, &more);
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
    let mut out = look(workspace, context, place!(operation, request), |view| {
        cortex_query::calls(view, &request.symbol, direction, request.depth, family)
    })?;
    out.limits.timed_out = out.answer.timed_out;
    let is_cut = out.answer.probably_has_more && !out.answer.timed_out;
    let more = CallsRequest {
        limit: enough(request.limit, out.answer.total),
        ..request.clone()
    };
    cut(&mut out, is_cut, &more);
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
    let mut out = look(workspace, context, place!(operation, request), |view| {
        cortex_query::relatives(view, &request.symbol, kinship)
    })?;
    out.limits.timed_out = out.answer.timed_out;
    let is_cut = out.answer.probably_has_more && !out.answer.timed_out;
    let more = RelativesRequest {
        limit: enough(request.limit, out.answer.n_up + out.answer.n_down),
        ..request.clone()
    };
    cut(&mut out, is_cut, &more);
    Ok(out)
}

/// The answer of `outline`: of a symbol its outline, of a part of the repository its map.
#[derive(Clone, PartialEq, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "one value is made for each request"
)]
pub enum OutlineOrMap {
    /// Of a symbol.
    Outline(OutlineAnswer),
    /// Of a namespace, project or folder.
    Map(MapAnswer),
}

impl Serialize for OutlineOrMap {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Outline(_) => serializer.serialize_unit(),
            Self::Map(map) => map.serialize(serializer),
        }
    }
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
    let options = OutlineOptions {
        members: members(request.members),
        depth: request.depth,
        docs: match request.docs {
            DocsShown::None => cortex_query::DocsShown::Nothing,
            DocsShown::First => cortex_query::DocsShown::First,
            DocsShown::Full => cortex_query::DocsShown::Full,
        },
        source: match request.source {
            true => SourceShown::With,
            false => SourceShown::Without,
        },
        n_related: request.top,
    };
    let ask = |view: &Viewpoint<'_>| -> Result<OutlineOrMap, QueryError> {
        let Some(area) = cortex_query::find_area(view, &request.symbol)? else {
            let found = cortex_query::outline(view, &request.symbol, &options)?;
            return Ok(OutlineOrMap::Outline(found));
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
        Ok(OutlineOrMap::Map(cortex_query::map(view, &options)?))
    };
    let mut out = look(workspace, context, place!("outline", request), ask)?;
    if let OutlineOrMap::Map(map) = &out.answer {
        out.limits.timed_out = map.timed_out;
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
    let mut out = look(workspace, context, place!("map", request), |view| {
        cortex_query::map(view, &options)
    })?;
    out.limits.timed_out = out.answer.timed_out;
    Ok(out)
}

fn members(shown: MembersShown) -> cortex_query::MembersShown {
    match shown {
        MembersShown::Public => cortex_query::MembersShown::Public,
        MembersShown::All => cortex_query::MembersShown::All,
    }
}

fn map_docs(is_wanted: bool) -> cortex_query::MapDocs {
    match is_wanted {
        true => cortex_query::MapDocs::With,
        false => cortex_query::MapDocs::Without,
    }
}

fn graph_wanted(is_wanted: bool) -> GraphWanted {
    match is_wanted {
        true => GraphWanted::Yes,
        false => GraphWanted::No,
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
        cortex_query::source(view, &request.symbol, request.context)
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
    let options = DepsOptions {
        direction: match request.direction {
            DepsDirection::Both => cortex_query::DepsDirection::Both,
            DepsDirection::Out => cortex_query::DepsDirection::Out,
            DepsDirection::In => cortex_query::DepsDirection::In,
        },
        path_to: request.path_to.clone(),
        graph: graph_wanted(request.graph),
    };
    look(workspace, context, place!("deps", request), |view| {
        cortex_query::deps(view, &request.symbol, &options)
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
    if request.graph && request.by != CyclesBy::Type {
        let message = "failed to draw the graph: graphs are of types alone";
        return Err(WireError::new(ErrorCode::InvalidRequest, message).into());
    }
    let options = CyclesOptions {
        by: match request.by {
            CyclesBy::Type => cortex_query::CyclesBy::Type,
            CyclesBy::Namespace => cortex_query::CyclesBy::Namespace,
            CyclesBy::Project => cortex_query::CyclesBy::Project,
        },
        symbol: request.symbol.clone(),
        graph: graph_wanted(request.graph),
    };
    let mut out = look(workspace, context, place!("cycles", request), |view| {
        cortex_query::cycles(view, &options)
    })?;
    out.limits.timed_out = out.answer.timed_out;
    Ok(out)
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
    let options = UnusedOptions {
        what: match request.what {
            UnusedWhat::Types => cortex_query::UnusedWhat::Types,
            UnusedWhat::Members => cortex_query::UnusedWhat::Members,
            UnusedWhat::All => cortex_query::UnusedWhat::All,
        },
        listed: match request.all {
            true => UnusedListed::All,
            false => UnusedListed::Certain,
        },
    };
    let mut out = look(workspace, context, place!("unused", request), |view| {
        cortex_query::unused(view, &options)
    })?;
    out.limits.timed_out = out.answer.timed_out;
    Ok(out)
}
