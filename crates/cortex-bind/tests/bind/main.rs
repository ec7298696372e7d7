//! What names mean: one test per rule, each with types of the same name that a choice by name alone
//! would take. The rules and their tests are listed in `docs/csharp-name-lookup.md`.
//!
//! And the laws of hashes: which edit changes which of them.

mod check;
mod files;
mod hashes;
mod namespaces;
mod projects;
mod types;
mod usings;
