//! The laws of the index: incremental equals full, the work tree equals the commit made of it, and
//! no more is bound again than a change can touch.

mod cutoff;
mod harness;
mod histories;
#[expect(dead_code, reason = "assemblies without members do here")]
#[path = "../../../cortex-metadata/tests/files/image.rs"]
mod image;
mod machine;
mod program;
mod regressions;
mod tables;
mod tags;
mod twins;
mod unread;
mod variants;
mod world;
