//! What travels: requests, answers, errors, and the envelope around an answer.
//!
//! Owns: how something is called on the wire, and the schemas. Must not know: how answers are found or shown.

mod api;
mod api_rules;
mod areas;
mod calls;
mod care;
mod change;
mod changed_file;
mod check;
mod cycles;
mod database;
mod deps;
mod diff_context;
mod documentation;
mod edit;
mod envelope;
mod error;
mod export_line;
mod filter;
mod frameworks;
mod history;
mod impact;
mod lines;
mod map;
mod mentions;
mod next;
mod outline;
mod pack;
mod place;
mod prove;
mod relatives;
mod request;
mod resolve;
mod scope;
mod search_files;
mod search_safe;
mod search_symbols;
mod search_text;
mod source;
mod symbol;
mod tests;
mod unused;
mod usages;
mod window;
mod words;
mod workflow;

pub use api::{
    ApiAnswer, ApiDifference, AssemblyDifferences, LoneAssembly, Mode, Severity, Undecided, What,
};
pub use api_rules::{API_RULES, ApiRule};
pub use areas::{AreaConfidence, AreasAnswer, CodeArea};
pub use calls::{CallEdge, CallItem, CallsAnswer, Direction};
pub use care::{
    AssemblyVersion, ConfigAnswer, ConfigLayer, ConfigSetting, ConfigValue, ExportAnswer,
    FileCounts, FrameworkSource, GcAnswer, HistoryIndexed, IndexAnswer, IndexWork, NameCounts,
    ProjectNote, ProjectStatus, ProjectUnderstood, SnapshotReport, StatusAnswer, StoreSize,
    StoreStatus, TroubledFile, UnboundNames,
};
pub use change::{
    ApiChange, CodeLine, CodeLineKind, MemberChange, MemberChangeKind, ParameterChange, Propagated,
    PropagatedCause, TypeChange, TypeRef,
};
pub use changed_file::{ChangedFile, FileKind, Hunk};
pub use check::{
    CheckAnswer, CheckCounts, CheckInput, CheckProblem, CheckReason, CheckRule, CheckSeverity,
    CheckVerdict, ContextSymbol, ExportContextAnswer, ExportedTypes, OutlineSelection,
};
pub use cycles::{Cycle, CycleEdge, CycleMember, CyclesAnswer};
pub use database::{
    ComparedParameter, DatabaseChange, DatabaseConstraint, DatabaseObject, DatabasePart,
    DependentRoutine, RoutineBehind, TableEntity,
};
pub use deps::{DepsAnswer, DepsPath, DepsSide, DepsStep, DepsType, OutsideDependency};
pub use diff_context::{
    BoundModel, CalledCode, CommitEntry, DiffContext, FieldChange, FileNote, Frameworks,
    ModelChange, ModelRole, NamespaceMove, Outline, ProjectChange, ProjectDamage, ProvenPart,
    RangeEntry, RouteChange, RouteContract, RouteForm, SideEntry, StaleEntry, Totals,
};
pub use documentation::{
    DocBlock, DocInline, DocItem, DocListKind, DocNote, DocSection, DocSectionKind, Documentation,
};
pub use edit::{
    Approval, ApprovedHow, BuildDiagnostic, BuildSeverity, Difference, Doubt, DoubtReason,
    EditAnswer, EditKind, EditVerdict, EditWarning, EditedFile, EditedFileChange, LeftAlone,
    LeftAloneReason, OpAnswer, OpState, OpStateAt, OpSummary, OpsListAnswer, Residue, ResidueKind,
    Verification, VerificationRun, WarningReason,
};
pub use envelope::{At, ENVELOPE_SCHEMA, Envelope, Limits, Note, Timing, UnreadFile, UnreadReason};
pub use error::{
    Candidate, ErrorClass, ErrorCode, ErrorEnvelope, Hint, Progress, ScopeProblem, WireError,
};
pub use export_line::ExportLine;
pub use filter::{Filter, TestScope};
pub use frameworks::{FrameworkViews, Unite, Views};
pub use history::{
    Drift, HistoryCommit, HistoryEntry, HistoryFill, HistoryGap, HistoryRange, SymbolHistory,
};
pub use impact::{
    CodePlace, Column, CopiedCode, CopyChange, Counterpart, Deserialized, FilesOfName, HandedHow,
    HandedType, Impact, ImpactedType, InheritedMember, LaggingUser, LeftValue, LineUse, LostName,
    LostPlace, MentionPlace, NamedLine, NamedProcedure, NamedRoutine, NearCopy,
    NearbyDocumentation, NextUser, NoLongerUsed, OtherImplementation, OutsideService, ReadThrough,
    Registration, RestOfFile, SharedCondition, ShownView, SymbolImpact, TypeTest,
    UnfollowedActions, UnsetMember, UseSide, Via, ViaRelation, WrittenData,
};
pub use lines::{ApiLine, ApiLineKind, TestsLine, TestsLineTest};
pub use map::{Area, MapAnswer, MapFocus, MapMember, MapNamespace, MapProject, MapType};
pub use mentions::{Mention, Mentions, UnsearchedFiles};
pub use next::{Next, Reason};
pub use outline::{
    MemberOutline, OutlineAnswer, OutlineDependency, OutlineHashes, OutlineOrMap, OutlinePlace,
    OutlineType, TypeOutline,
};
pub use pack::{PackAnswer, PackEntry, PackListAnswer, PackPart, PackState, PackedType};
pub use place::{Certainty, Place, Site, Where};
pub use prove::{
    MergedCommits, ProveAnswer, ProveRequest, ProvenChange, ProvenUnit, ReadReason, UnitToRead,
};
pub use relatives::{Kinship, RelativeEntry, RelativesAnswer};
pub use request::{
    ApiRequest, ApplyRequest, AreaRequest, AreasRequest, CallsRequest, CheckRequest, CodeShown,
    ConfigRequest, ContextAddRequest, ContextClearRequest, Cosmetic, CyclesBy, CyclesRequest,
    DepsDirection, DepsRequest, DiffContextRequest, DismissRequest, DocsShown, EditAddUsingRequest,
    EditBatchRequest, EditBodyRequest, EditEncapsulateRequest, EditExtractBaseRequest,
    EditExtractInterfaceRequest, EditExtractMethodRequest, EditImplementRequest,
    EditInlineMethodRequest, EditInlineVariableRequest, EditMoveRequest, EditOrganizeUsingsRequest,
    EditPatchRequest, EditRemoveRequest, EditRenameRequest, EditRewriteRequest,
    EditSafeDeleteRequest, EditSignatureRequest, EditStepRequest, EditTextRequest,
    ExportContextRequest, ExportEdges, ExportFormat, ExportRequest, FileText, GcRequest,
    HistoryRequest, HistoryShown, HunksShown, IndexRequest, LineRange, MapRequest, MembersShown,
    MissingNames, OpRequest, OpsListRequest, OutlineRequest, PackBuildRequest, PackListRequest,
    PackRemoveRequest, PackShowRequest, PinRequest, RelativesRequest, ResolveRequest,
    SafeSearchMode, ScopeDescribeRequest, ScopeFilesRequest, ScopeListRequest, ScopeResolveRequest,
    ScopeValidateRequest, SearchFilesRequest, SearchSafeRequest, SearchSymbolsRequest,
    SearchTextRequest, SourceRequest, StatusRequest, TestsRequest, TextSearchMode, TextSearchPart,
    UnusedRequest, UnusedWhat, UsagesRequest, WindowRequest,
};
pub use resolve::{Declaration, ResolveAnswer};
pub use scope::{
    ScopeDescribeAnswer, ScopeFile, ScopeFilesAnswer, ScopeListAnswer, ScopeListItem, ScopeRange,
    ScopeResolveAnswer, ScopeValidateAnswer,
};
pub use search_files::{FileItem, FilesAnswer};
pub use search_safe::{AppliedArea, Coverage, SafeAnswer, SafeCall, SafeFile, SafeStep};
pub use search_symbols::{SearchAnswer, Suggestion, SymbolItem};
pub use search_text::{ContextText, TextAnswer, TextHit, TextHits};
pub use source::{SourceAnswer, SourcePart};
pub use symbol::{Subject, SymbolRef};
pub use tests::{
    DeletedTest, ReachedTests, ReachingTest, RemovedService, RequestingTest, StartingTests,
    SubjectTests, TestsAnswer, selected,
};
pub use unused::{UnusedAnswer, UnusedItem, UnusedReason, UnusedWhy};
pub use usages::{FoundBy, NotKnown, Through, Usage, UsageVia, UsagesAnswer, Verdict};
pub use window::{SemanticSection, WindowAnswer, WindowPart, WindowReason, WindowType};
pub use words::{
    CallReason, DataChange, FamilyRelation, FileLanguage, FileMatch, FileStatus, LimitedBy,
    Parents, ReadAs, Relation, Role, SideKind, SymbolKind, TextContext, TextKind, ValueChange,
};
pub use workflow::{MatchedPattern, WorkflowRun};

/// Whether a count says nothing.
pub(crate) fn is_zero<N: Default + PartialEq>(number: &N) -> bool {
    *number == N::default()
}
