//! The facts of a text: every construct is extracted, and the laws that hold for any text.

mod constructs;
mod laws;
