//! Areas: which parts of a repository are written in what, and which of them a question is about.
//!
//! Owns: detection from paths, sentinel files and configuration ([`detect`]); the terms of a question and whether it
//! is too broad ([`Terms`], [`refuse`]); routing and budgets ([`route`], [`share`]).
//! Must not know: git, the store, disk, clocks, how a text is searched.

mod area;
mod broad;
mod budget;
mod detect;
mod language;
mod route;
mod sentinel;
mod terms;
mod vocabulary;

pub use area::{Area, AreaConfig, Confidence, read_config};
pub use broad::{Refusal, refuse};
pub use budget::{Budget, Share, share};
pub use detect::{DetectOptions, EXCLUDED_FOLDERS, detect};
pub use language::{LANGUAGES, Language, language_of};
pub use route::{Signals, TermSignals, route, winner};
pub use sentinel::{is_looked_at, is_sentinel};
pub use terms::{Terms, humps, singular};
pub use vocabulary::{Vocabulary, read_vocabulary};
