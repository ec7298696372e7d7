//! The git cortex command.
fn main() {}
