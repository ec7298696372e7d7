//! The laws of the index: incremental equals full, the work tree equals the commit made of it, and
//! no more is bound again than a change can touch.

mod cutoff;
mod harness;
mod histories;
mod regressions;
mod world;
