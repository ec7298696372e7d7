//! Everything that programs read of `git cortex`: the answers of all operations as plain data.
//!
//! Owns: what answers consist of, and their JSON form, both ways. Fields are added, never renamed or removed, within
//! one schema version. Must not know: how answers are found, how they are rendered for people.

mod api;
mod areas;
mod calls;
mod change;
mod changed_file;
mod cycles;
mod deps;
mod diff_context;
mod documentation;
mod history;
mod impact;
mod limited_to;
mod map;
mod outline;
mod place;
mod relatives;
mod resolve;
mod search_files;
mod search_safe;
mod search_symbols;
mod search_text;
mod source;
mod symbol;
mod tests;
mod unused;
mod usages;
mod words;

pub use api::{
    ApiAnswer, ApiDifference, AssemblyDifferences, LoneAssembly, Mode, Severity, Undecided, What,
};
pub use areas::{AreaConfidence, AreasAnswer, CodeArea};
pub use calls::{CallEdge, CallItem, CallsAnswer, Direction};
pub use change::{
    ApiChange, CodeLine, CodeLineKind, MemberChange, MemberChangeKind, Propagated, PropagatedCause,
    TypeChange, TypeRef,
};
pub use changed_file::{ChangedFile, FileKind, Hunk};
pub use cycles::{Cycle, CycleEdge, CycleMember, CyclesAnswer, CyclesBy};
pub use deps::{DepsAnswer, DepsPath, DepsSide, DepsStep, DepsType, OutsideDependency};
pub use diff_context::{
    CommitEntry, DiffContext, FileNote, Frameworks, NamespaceMove, Outline, ProjectChange,
    ProjectDamage, RangeEntry, SideEntry, StaleEntry, Totals,
};
pub use documentation::{
    DocBlock, DocInline, DocItem, DocListKind, DocNote, DocSection, DocSectionKind, Documentation,
};
pub use history::{Drift, HistoryCommit, HistoryEntry, HistoryGap, HistoryRange, SymbolHistory};
pub use impact::{
    Certainty, Impact, ImpactedType, LineUse, NextUser, Registration, SymbolImpact, UseSide, Via,
    ViaRelation,
};
pub use limited_to::{LimitedTo, TestScope};
pub use map::{Area, MapAnswer, MapFocus, MapMember, MapNamespace, MapProject, MapType};
pub use outline::{
    DocsShown, MemberOutline, OutlineAnswer, OutlineDependency, OutlineHashes, OutlinePlace,
    OutlineType, TypeOutline,
};
pub use place::{PlaceCertainty, Site, Where};
pub use relatives::{RelativeEntry, RelativesAnswer};
pub use resolve::{Declaration, ResolveAnswer};
pub use search_files::{FileItem, FilesAnswer};
pub use search_safe::{AppliedArea, Coverage, SafeAnswer, SafeCall, SafeFile};
pub use search_symbols::{SearchAnswer, Suggestion, SymbolItem};
pub use search_text::{ContextText, TextAnswer, TextHit, TextHits};
pub use source::{SourceAnswer, SourcePart};
pub use symbol::{Candidate, Subject, SymbolRef};
pub use tests::{ReachedTests, ReachingTest, TestsAnswer};
pub use unused::{UnusedAnswer, UnusedItem, UnusedReason, UnusedWhy};
pub use usages::{NotKnown, Usage, UsageVia, UsagesAnswer, Verdict};
pub use words::{
    CacheStatus, FamilyRelation, FileMatch, FileStatus, LimitedBy, Parents, ReadAs, Relation, Role,
    SideKind, SymbolKind, TextContext,
};

/// Whether a count says nothing.
pub(crate) fn is_zero<N: Default + PartialEq>(number: &N) -> bool {
    *number == N::default()
}
