//! Parser processes with bounded memory and time.
//!
//! A parser of a whole language can be driven to use gigabytes or minutes by a few kilobytes of
//! text, and a C library that runs out of memory ends its process. So every text is parsed in a
//! worker process that may die: its file is then reported as skipped, and a fresh worker goes on.
//! Owns: starting, feeding, limiting and replacing workers. Must not know: git, the store, what
//! facts mean.

mod frame;
mod pool;
mod worker;

use std::{ffi::OsString, path::PathBuf};

use cortex_syntax::{Excess, ParseOptions};
use thiserror::Error;

pub use pool::{Job, Loaded, Loader, Outcome, parse_all};
pub use worker::serve;

/// How to get parsers.
#[derive(Clone, Debug)]
pub enum Launcher {
    /// Worker processes: a program that calls [`serve`] on its standard input and output.
    Processes {
        /// The program.
        program: PathBuf,
        /// Its arguments.
        arguments: Vec<OsString>,
    },
    /// Threads of this process, without containment: for trusted text, as in tests.
    InProcess,
}

/// What one text may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Texts of more bytes are skipped unread.
    pub file_bytes: u64,
    /// Memory of one worker, in bytes (where the system can limit it).
    pub memory_bytes: u64,
    /// Milliseconds of processor time for one text, whatever its size; larger texts get more, in proportion.
    pub milliseconds: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 8 << 20,
            memory_bytes: 400 << 20,
            milliseconds: 5_000,
        }
    }
}

/// Why a text has no facts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum SkipReason {
    /// More bytes than [`Limits::file_bytes`].
    TooLarge = 1,
    /// Its parser ended: out of memory, in nearly every case.
    ParserDied = 2,
    /// Its parser took too long.
    ParserTime = 3,
    /// There was no text: git could not read it.
    Unread = 4,
    /// A name is longer than assemblies can hold.
    LongName = 5,
    /// Too many members of one name.
    ManyOverloads = 6,
    /// Too many using directives for its names.
    ManyUsings = 7,
}

impl SkipReason {
    /// Every reason.
    pub const ALL: [Self; 7] = [
        Self::TooLarge,
        Self::ParserDied,
        Self::ParserTime,
        Self::Unread,
        Self::LongName,
        Self::ManyOverloads,
        Self::ManyUsings,
    ];

    /// A few words for people.
    pub const fn text(self) -> &'static str {
        match self {
            Self::TooLarge => "too large",
            Self::ParserDied => "the parser ran out of memory",
            Self::ParserTime => "the parser took too long",
            Self::Unread => "git could not read it",
            Self::LongName => "a name is too long",
            Self::ManyOverloads => "too many members have one name",
            Self::ManyUsings => "too many using directives",
        }
    }
}

impl SkipReason {
    /// The reason of a number.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|&reason| reason as u8 == number)
    }
}

impl From<Excess> for SkipReason {
    fn from(excess: Excess) -> Self {
        match excess {
            Excess::Name => Self::LongName,
            Excess::Overloads => Self::ManyOverloads,
            Excess::Usings => Self::ManyUsings,
        }
    }
}

/// What keeps every text from being parsed.
#[derive(Debug, Error)]
pub enum SandboxError {
    /// A worker could not be started.
    #[error("start a parser process `{program}`")]
    Start {
        /// The program that was to be started.
        program: String,
        /// Why not.
        #[source]
        source: std::io::Error,
    },
}

/// The parse options of several texts, each set once.
pub type OptionSets = [ParseOptions];
