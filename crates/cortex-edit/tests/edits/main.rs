//! Edits: what they change, what they refuse, and that they can be taken back.

mod attributes;
mod bases;
mod encapsulations;
mod extract_bases;
mod extract_interfaces;
mod extracts;
mod gaps;
mod inline_methods;
mod inlines;
mod interfaces;
mod language_names;
mod laws;
mod member_moves;
mod members;
mod moves;
mod namespaces;
mod nested_types;
mod patches;
mod renames;
mod rewrites;
mod short_proof;
mod signatures;
mod tuple_elements;
mod usings;
mod verifications;
mod world;
