//! What names and expressions mean, rule by rule.
//!
//! Each test offers candidates of the same name that a choice by name alone would take. No test needs
//! .NET: types from outside are those of the built-in table.

mod attributes;
mod check;
mod conformance;
mod conversions;
mod creation;
mod doc_ids;
mod document;
mod extensions;
mod implementations;
mod inference;
mod lambdas;
mod local_names;
mod members;
mod memory;
mod names;
mod operators;
mod overloads;
mod patterns;
mod queries;
mod records;
mod statements;
mod types_in_expressions;
