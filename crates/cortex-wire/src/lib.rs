//! What travels: requests, answers, errors, and the envelope around an answer.
//!
//! Owns: how something is called on the wire, and the schemas. Must not know: how answers are found or shown.

mod care;
mod envelope;
mod error;
mod filter;
mod next;
mod request;
mod scope;

pub use care::{
    AssemblyVersion, ConfigAnswer, ConfigLayer, ConfigSetting, ConfigValue, ExportAnswer,
    FileCounts, FrameworkSource, GcAnswer, HistoryIndexed, IndexAnswer, IndexWork, NameCounts,
    ProjectNote, ProjectStatus, ProjectUnderstood, SnapshotReport, StatusAnswer, StoreSize,
    StoreStatus, TroubledFile, UnboundNames,
};
pub use envelope::{At, ENVELOPE_SCHEMA, Envelope, Limits, Note};
pub use error::{
    Candidate, ErrorClass, ErrorCode, ErrorEnvelope, Hint, Progress, ScopeProblem, WireError,
};
pub use filter::{Filter, TestScope};
pub use next::{Next, Reason};
pub use request::{
    ApiRequest, AreaRequest, AreasRequest, CallsRequest, ConfigRequest, Cosmetic, CyclesBy,
    CyclesRequest, DepsDirection, DepsRequest, DiffContextRequest, DocsShown, ExportEdges,
    ExportFormat, ExportRequest, GcRequest, HistoryRequest, HistoryShown, HunksShown, IndexRequest,
    LineRange, MapRequest, MembersShown, MissingNames, OutlineRequest, RelativesRequest,
    ResolveRequest, SafeSearchMode, ScopeDescribeRequest, ScopeFilesRequest, ScopeListRequest,
    ScopeResolveRequest, ScopeValidateRequest, SearchFilesRequest, SearchSafeRequest,
    SearchSymbolsRequest, SearchTextRequest, SourceRequest, StatusRequest, TestsRequest,
    TextSearchMode, TextSearchPart, UnusedRequest, UnusedWhat, UsagesRequest,
};
pub use scope::{
    ScopeDescribeAnswer, ScopeFile, ScopeFilesAnswer, ScopeListAnswer, ScopeListItem, ScopeRange,
    ScopeResolveAnswer, ScopeValidateAnswer,
};
