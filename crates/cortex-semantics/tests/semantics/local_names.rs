//! Declarations and uses of what snapshots do not store.

mod check;
mod declarations;
mod real;
mod uses;
