//! The facts of a text: every construct is extracted, and the laws that hold for any text.

mod bodies;
mod constructs;
mod encodings;
mod grouping;
mod identifiers;
mod laws;
mod print;
