//! Questions to snapshots: what changed between two of them, and whom it reaches.
//!
//! Owns: change sets, API changes, impact, what to read beside a change. Answers are plain data.
//! Must not know: wire formats, rendering, budgets.

mod answer;
mod changes;
mod code;
mod compat;
mod config;
mod damage;
mod dependencies;
mod diff_context;
mod doc_ids;
mod documentation;
mod error;
mod export;
mod graph;
mod history;
mod impact;
mod look;
mod members;
mod moves;
mod names;
mod overloads;
mod projects;
mod propagation;
mod reach;
mod reading;
mod renames;
mod roles;
mod scope;
mod search;
mod symbol;

pub use answer::{
    ApiChange, Certainty, ChangedFile, CodeLine, CodeLineKind, CommitEntry, DiffContext, FileKind,
    FileNote, Frameworks, Hunk, Impact, ImpactedType, LineUse, MemberChange, MemberChangeKind,
    NamespaceMove, NextUser, Outline, ProjectChange, ProjectDamage, Propagated, PropagatedCause,
    RangeEntry, Registration, SideEntry, StaleEntry, SymbolImpact, Totals, TypeChange, TypeRef,
    UseSide, Via, ViaRelation,
};
pub use compat::{
    Allowed, ApiAnswer, ApiDifference, ApiQuestion, AssemblyDifferences, LoneAssembly, Mode, RULES,
    Rule, Severity, SuppressionError, Undecided, What, api,
};
pub use config::config_problems;
pub use cortex_area::AreaConfig;
pub use cortex_wire::*;
pub use diff_context::{Hunks, Question, UseLines, diff_context};
pub use documentation::{
    DocBlock, DocInline, DocItem, DocListKind, DocNote, DocSection, DocSectionKind, DocTarget,
    Documentation,
};
pub use error::QueryError;
pub use export::{GraphFormat, draw, export, export_graph};
pub use graph::{
    GraphEdge, GraphExternals, GraphKinds, GraphNode, GraphOptions, GraphOrigin, Measures,
    TypeGraph, type_graph,
};
pub use history::{
    Cosmetic, Drift, HistoryCommit, HistoryEntry, HistoryGap, HistoryQuestion, HistoryRange, Show,
    SymbolHistory, history,
};
pub use look::{
    Area, Cycle, CycleEdge, CycleMember, CyclesAnswer, CyclesBy, CyclesOptions, DepsAnswer,
    DepsDirection, DepsOptions, DepsPath, DepsSide, DepsStep, DepsType, DocsShown, GraphWanted,
    MapAnswer, MapDocs, MapFocus, MapMember, MapNamespace, MapOptions, MapProject, MapType,
    MemberOutline, MembersShown, OutlineAnswer, OutlineDependency, OutlineHashes, OutlineOptions,
    OutlinePlace, OutlineType, OutsideDependency, SourceAnswer, SourcePart, SourceShown,
    TestsShown, TypeOutline, UnusedAnswer, UnusedItem, UnusedListed, UnusedOptions, UnusedReason,
    UnusedWhat, UnusedWhy, cycles, deps, find_area, map, outline, source, unused,
};
pub use look::{
    CallEdge, CallItem, CallsAnswer, Declaration, Direction, Drawing, DrawnEdge, DrawnNode, Family,
    Filter, FilterOptions, Kinship, LimitedTo, Limits, NotKnown, PlaceCertainty, RelativeEntry,
    RelativesAnswer, ResolveAnswer, SearchAnswer, SearchQuestion, Site, Subject, Suggestion,
    SymbolItem, TestScope, Usage, UsageVia, UsagesAnswer, Verdict, Viewpoint, Where, calls,
    draw_calls, draw_relatives, find_symbol, relatives, resolve_symbol, search_symbols, usages,
};
pub use reach::{
    Look, ReachedTests, Reaching, ReachingTest, Slot, Target, TestReach, TestsAnswer, Unknown,
    is_range, tests_of_change, tests_of_symbols,
};
pub use scope::{ResolvedScope, ScopedFile, ScopedRange, Scopes, lines_of};
pub use search::{
    AppliedArea, AreasAnswer, AreasQuestion, ContextText, Coverage, FileItem, FilesAnswer,
    FilesQuestion, MAX_FILES, PatternError, SafeAnswer, SafeCall, SafeFile, SafeMode, SafeQuestion,
    SearchCase, SearchMode, TextAnswer, TextHit, TextHits, TextQuery, TextQuestion, Within, areas,
    search_files, search_safe, search_text,
};
pub use symbol::{Candidate, Stages, Symbol, SymbolPart, SymbolRef, resolve};
