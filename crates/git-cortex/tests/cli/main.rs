//! The binary as users start it: what it prints, what it survives, what it leaves behind.

mod answers;
mod care;
mod concurrency;
mod containment;
mod export;
mod harness;
mod hostile;
mod ranges;
mod repositories;
