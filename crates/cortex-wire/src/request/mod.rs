//! One request for each operation.

mod care;
mod change;
mod edit;
mod fresh;
mod look;
mod pack;
mod scope;
mod search;
mod window;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use care::{
    ConfigRequest, ExportEdges, ExportFormat, ExportRequest, GcRequest, IndexRequest, StatusRequest,
};
pub use change::{
    ApiRequest, CodeShown, Cosmetic, DiffContextRequest, HistoryRequest, HistoryShown, HunksShown,
    TestsRequest,
};
pub use edit::{
    ApplyRequest, EditAddUsingRequest, EditBatchRequest, EditBodyRequest, EditEncapsulateRequest,
    EditExtractBaseRequest, EditExtractInterfaceRequest, EditExtractMethodRequest,
    EditImplementRequest, EditInlineMethodRequest, EditInlineVariableRequest, EditMoveRequest,
    EditOrganizeUsingsRequest, EditPatchRequest, EditRemoveRequest, EditRenameRequest,
    EditRewriteRequest, EditSafeDeleteRequest, EditSignatureRequest, EditStepRequest,
    EditTextRequest, FileText, OpRequest, OpsListRequest,
};
pub use fresh::{CheckRequest, ExportContextRequest};
pub use look::{
    CallsRequest, CyclesBy, CyclesRequest, DepsDirection, DepsRequest, DocsShown, MapRequest,
    OutlineRequest, RelativesRequest, ResolveRequest, SourceRequest, UnusedRequest, UnusedWhat,
    UsagesRequest,
};
pub use pack::{PackBuildRequest, PackListRequest, PackRemoveRequest, PackShowRequest};
pub use scope::{
    LineRange, MissingNames, ScopeDescribeRequest, ScopeFilesRequest, ScopeListRequest,
    ScopeResolveRequest, ScopeValidateRequest,
};
pub use search::{
    AreaRequest, AreasRequest, SafeSearchMode, SearchFilesRequest, SearchSafeRequest,
    SearchSymbolsRequest, SearchTextRequest, TextSearchMode, TextSearchPart,
};
pub use window::{
    ContextAddRequest, ContextClearRequest, DismissRequest, PinRequest, WindowRequest,
};

/// Which members.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MembersShown {
    /// Those that others can use.
    #[default]
    Public,
    /// All.
    All,
}

fn items() -> usize {
    200
}

fn hits() -> usize {
    1000
}

fn safe_files() -> usize {
    25
}

fn lines() -> usize {
    3
}

fn top() -> usize {
    10
}

fn one() -> u32 {
    1
}

fn gc_days() -> u32 {
    30
}
