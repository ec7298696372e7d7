//! The binary as users start it: what it prints, what it survives, what it leaves behind.

mod aliases;
mod answers;
mod api;
mod care;
mod concurrency;
mod config;
mod containment;
mod daemon;
mod edit;
mod export;
mod fresh;
mod fresh_hooks;
mod harness;
mod history;
mod hostile;
mod hostile_cost;
mod hostile_git;
#[expect(dead_code, reason = "assemblies without members do here")]
#[path = "../../../cortex-metadata/tests/files/image.rs"]
mod image;
mod leaks;
mod limited;
mod look;
mod machine;
mod mcp;
mod mcp_http;
mod outline;
#[cfg(target_os = "linux")]
mod pager;
mod parity;
mod ranges;
mod reach;
mod reach_laws;
mod repositories;
mod scope;
mod scope_paths;
mod scope_told;
mod search;
mod symbol_laws;
mod window;
mod wire;
