//! Questions about what changed: between two snapshots, over a history, and whom it reaches.
//!
//! Owns: change sets, API changes, impact, histories, the tests that reach a change. Answers are plain data.
//! Must not know: wire formats, rendering, budgets.

mod alike;
mod annotations;
mod answer;
mod changes;
mod code;
mod comparison;
pub mod compat;
mod contracts;
mod damage;
mod database;
pub mod diff_context;
mod equivalence;
pub mod history;
mod impact;
mod members;
mod moves;
mod projects;
mod propagation;
pub mod reaching;
mod reading;
mod routes;
mod type_half;

pub use comparison::Comparison;
pub use compat::{
    api,
    question::ApiQuestion,
    suppressions::{Allowed, SuppressionError},
};
pub use cortex_derived::Target;
pub use diff_context::proven::mark_proven;
pub use diff_context::{
    diff_context,
    question::{Hunks, Question, UseLines},
};
pub use equivalence::{OtherFrameworks, prove, prove_merge, prove_planned};
pub use history::{
    history,
    question::{Cosmetic, HistoryQuestion, Show},
};
pub use reaching::{
    Look, TestReach,
    answer::Reaching,
    question::{Unknown, is_range, tests_of_change, tests_of_symbols},
};
