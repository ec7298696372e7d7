//! Questions that look at one snapshot: what a symbol is, where it is used, what is around it, where a text stands.
//!
//! Owns: the resolution of symbols and scopes, and one module for each question. Answers are plain data.
//! Must not know: wire formats, rendering, budgets.

pub mod access;
pub mod aliases;
mod area;
pub mod bounded;
pub mod calls;
pub mod config;
pub mod cycles;
pub mod declared;
pub mod deps;
pub mod dispatch;
pub mod documentation;
pub mod drawing;
pub mod error;
pub mod export;
mod family;
pub mod filter;
pub mod follow;
mod found_by;
pub mod graph;
pub mod map;
pub mod mentioned;
mod mentions;
pub mod outline;
mod passing;
mod places;
mod rank;
pub mod registration;
pub mod relatives;
pub mod roles;
pub mod scope;
pub mod search;
pub mod source;
pub mod subject;
pub mod symbol;
pub mod symbol_search;
pub mod text_mentions;
mod through;
pub mod unused;
pub mod usages;
pub mod uses;
pub mod viewpoint;
pub mod written;

pub use access::AccessLog;
pub use bounded::Bounded;
pub use calls::{calls, draw_calls};
pub use config::{ConfiguredEmpty, config_problems, configured_empty};
pub use cortex_area::AreaConfig;
pub use cortex_derived::Limits;
pub use cortex_scope::Resolved as ResolvedScope;
pub use cortex_search::{Case as SearchCase, Mode as SearchMode, PatternError, Query as TextQuery};
pub use cycles::{CyclesOptions, cycles};
pub use deps::{DepsDirection, DepsOptions, GraphWanted, deps};
pub use documentation::DocTarget;
pub use drawing::{Drawing, DrawnEdge, DrawnNode};
pub use error::QueryError;
pub use export::{
    export,
    graph::{GraphFormat, drawing::draw, export_graph},
};
pub use filter::{Filter, FilterOptions};
pub use follow::gathered::renamed_types;
pub use graph::{
    GraphEdge, GraphExternals, GraphKinds, GraphNode, GraphOptions, GraphOrigin, TypeGraph,
    measure::Measures, type_graph,
};
pub use map::{MapDocs, MapOptions, TestsShown, find_area, map};
pub use outline::{MembersShown, OutlineOptions, SourceShown, outline};
pub use relatives::{draw_relatives, relatives};
pub use scope::packs::listed as pack_type_ids;
pub use scope::{ScopedFile, ScopedRange, Scopes, lines_of};
pub use search::{
    areas::{AreasQuestion, FoundAreas, areas},
    files::{FilesQuestion, search_files},
    safe::{MAX_FILES, SafeFound, SafeMode, SafeQuestion, search_safe},
    text::{TextQuestion, Within, search_text},
};
pub use source::source;
pub use subject::{find_symbol, resolve_symbol};
pub use symbol::{
    Candidate, resolve,
    resolved::{Stages, Symbol, SymbolPart},
};
pub use symbol_search::{SearchQuestion, search_symbols};
pub use unused::{UnusedListed, UnusedOptions, UnusedWhat, unused};
pub use usages::{Family, MentionsShown, UsagesOptions, usages};
pub use viewpoint::Viewpoint;
