//! What names and expressions mean, rule by rule.
//!
//! Each test offers candidates of the same name that a choice by name alone would take. No test needs
//! .NET: types from outside are those of the built-in table.

mod check;
mod conformance;
mod memory;
mod names;
