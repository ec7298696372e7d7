//! The prompt window: outlines of the types that matter now, within a budget.
//!
//! Owns: which types are in it, in which order, what gives way where the budget is short, its text. Must not know: when
//! requests are recorded, how the window is shown.
//!
//! Pinned types come first, within a part of the budget of their own, and nothing else makes them give way. What the
//! user is at follows, then what was looked at before.

mod candidates;
mod changes;

use std::collections::BTreeSet;

use cortex_context::Tokenizer;
use cortex_derived::source::Source;
use cortex_index::{Index, IndexedSide};
use cortex_look::AccessLog;
use cortex_model::RepoPath;
use cortex_wire::{SemanticSection, WindowAnswer, WindowPart, WindowType};

pub(crate) use self::candidates::pinned_types;
use self::candidates::{Candidate, candidates};
pub use self::changes::{WindowChange, change};
use crate::{
    FreshError,
    committed::Committed,
    outline::{sheet::SheetReader, text::outline_text},
    pack::{build::section, manifest::tokenizer},
    pins::Pins,
    semantics::text::of_type,
    write::Writes,
};

/// Where the window is written on request. It is of this machine alone: git ignores it.
pub const FILE: &str = ".context/prompt_window.md";

/// What keeps git from taking the window for a file of the repository.
pub const IGNORE: &str = ".context/.gitignore";

/// The line of [`IGNORE`].
const IGNORED: &str = "/prompt_window.md";

/// Tokens of the window where nothing else is said.
pub const BUDGET: usize = 8_000;

/// The version of the form of answers.
const SCHEMA: u32 = 1;

/// So many percent of the budget may be pinned.
const PINNED_PERCENT: usize = 60;

/// Where fewer percent of the budget are left, a type has its outline and its role alone.
const BRIEF_PERCENT: usize = 15;

/// After so many types that do not fit, no more are tried.
const MAX_MISFITS: usize = 20;

/// What a window is made from besides the sources.
#[derive(Clone, Copy, Debug)]
pub struct WindowOptions<'a> {
    /// What was requested before, and what the user chose.
    pub log: &'a AccessLog,
    /// Now, in seconds since 1970.
    pub now: i64,
    /// How many tokens; as the pins say where none are given.
    pub budget: Option<usize>,
    /// How tokens are counted.
    pub tokenizer: Option<&'a str>,
}

/// The window of a side with its committed pins.
///
/// # Errors
/// [`FreshError::SmallBudget`], [`FreshError::Selection`] for pins that cannot be read; those of reading the side.
pub fn window(
    index: &Index,
    side: &IndexedSide,
    options: &WindowOptions<'_>,
) -> Result<WindowAnswer, FreshError> {
    let committed = Committed::read(index, side)?;
    let pins = changes::committed_pins(index, side, &committed)?;
    window_with(index, side, &committed, &pins, options)
}

/// The window of a side with these pins.
pub(crate) fn window_with(
    index: &Index,
    side: &IndexedSide,
    committed: &Committed,
    pins: &Pins,
    options: &WindowOptions<'_>,
) -> Result<WindowAnswer, FreshError> {
    let source = Source { index, side };
    let budget = options.budget.or(pins.budget).unwrap_or(BUDGET);
    let name = options.tokenizer.unwrap_or("o200k_base");
    let Some(tokenizer) = tokenizer(name) else {
        return Err(FreshError::Selection {
            path: RepoPath::from(FILE),
            reason: format!("unknown tokenizer `{name}`"),
        });
    };
    let found = candidates(source, committed, pins, options)?;
    let mut filling = Filling {
        source,
        committed,
        reader: SheetReader::new(source.snapshot(), source.blobs()),
        tokenizer,
        budget,
        sum: 0,
        n_pinned: 0,
        shown: Vec::new(),
        waiting: Vec::new(),
        n_left_out: 0,
    };
    filling.sum = tokenizer.count(&frame(usize::MAX));
    let mut n_misfits = 0;
    for candidate in &found.candidates {
        let is_pin = candidate.part == WindowPart::Pinned;
        if !is_pin && n_misfits >= MAX_MISFITS {
            filling.n_left_out += 1;
        } else if !filling.add(candidate)? && !is_pin {
            n_misfits += 1;
        }
    }
    let text = filling.cut_to_budget()?;
    let mut types: Vec<WindowType> = filling.shown.into_iter().map(|it| it.entry).collect();
    types.sort_by_key(|entry| entry.part);
    Ok(WindowAnswer {
        schema: SCHEMA,
        budget: budget as u64,
        tokens: tokenizer.count(&text) as u64,
        pinned_budget: pinned_budget(budget) as u64,
        types,
        waiting: filling.waiting,
        unknown_pins: found.unknown_pins,
        total_left_out: filling.n_left_out,
        pack: options.log.pack.clone(),
        changed: Vec::new(),
        written: Vec::new(),
        text,
    })
}

/// What writes a window to its file, and keeps git from taking it for one of the repository. `ignored`: the text of
/// [`IGNORE`] as it is.
pub fn file_writes(answer: &WindowAnswer, ignored: Option<&str>) -> Writes {
    let mut writes = Writes::default();
    let lines = ignored.unwrap_or_default();
    if !lines.lines().any(|it| it.trim() == IGNORED) {
        let end = match lines.is_empty() || lines.ends_with('\n') {
            true => "",
            false => "\n",
        };
        let text = format!("{lines}{end}{IGNORED}\n");
        writes
            .files
            .push((RepoPath::from(IGNORE), text.into_bytes()));
    }
    let bytes = answer.text.clone().into_bytes();
    writes.files.push((RepoPath::from(FILE), bytes));
    writes
}

fn pinned_budget(budget: usize) -> usize {
    budget / 100 * PINNED_PERCENT + budget % 100 * PINNED_PERCENT / 100
}

/// A type in the window.
struct Shown {
    entry: WindowType,
    text: String,
}

/// A window that is being filled.
struct Filling<'a> {
    source: Source<'a>,
    committed: &'a Committed,
    reader: SheetReader<'a>,
    tokenizer: &'a dyn Tokenizer,
    budget: usize,
    /// Tokens of the frame and of what is shown.
    sum: usize,
    /// Tokens of pinned types.
    n_pinned: usize,
    shown: Vec<Shown>,
    waiting: Vec<WindowType>,
    n_left_out: u64,
}

impl Filling<'_> {
    /// Adds a type, with as much of its semantics as fits. Says whether it fits.
    fn add(&mut self, candidate: &Candidate) -> Result<bool, FreshError> {
        let Some(node) = self.source.snapshot().type_node(candidate.key)? else {
            return Ok(true);
        };
        let Some(sheet) = self.reader.read(candidate.key, &node)? else {
            return Ok(true);
        };
        let outline = section(&section(&outline_text(&sheet)));
        let room = match candidate.part {
            WindowPart::Pinned => pinned_budget(self.budget).saturating_sub(self.n_pinned),
            _ => usize::MAX,
        };
        let room = room.min(self.budget.saturating_sub(self.sum));
        let semantics = of_type(self.source, self.committed, candidate.key, &node)?;
        let is_short = self.budget.saturating_sub(self.sum) * 100 < self.budget * BRIEF_PERCENT;
        let mut parts: Vec<(SemanticSection, &str)> = semantics.parts();
        if is_short {
            parts.retain(|(section, _)| *section == SemanticSection::Role);
        }
        loop {
            let text = semantics.append(&outline, &parts);
            let tokens = self.tokenizer.count(&text);
            let entry = WindowType {
                path: node.fqn.clone(),
                type_id: candidate.type_id.clone(),
                part: candidate.part,
                reason: candidate.reason,
                tokens: tokens as u64,
                semantics: parts.iter().map(|(section, _)| *section).collect(),
            };
            if tokens <= room {
                self.sum += tokens;
                if candidate.part == WindowPart::Pinned {
                    self.n_pinned += tokens;
                }
                self.shown.push(Shown { entry, text });
                return Ok(true);
            }
            // The last of its sections go first.
            if parts.pop().is_none() {
                match candidate.part {
                    WindowPart::Pinned => self.waiting.push(entry),
                    _ => self.n_left_out += 1,
                }
                return Ok(false);
            }
        }
    }

    /// The text. Sums of tokens are not tokens of sums: what was added last gives way where it must, pins at the end.
    fn cut_to_budget(&mut self) -> Result<String, FreshError> {
        loop {
            let text = whole(&self.shown, self.waiting.len());
            let tokens = self.tokenizer.count(&text);
            if tokens <= self.budget {
                return Ok(text);
            }
            let last = self.shown.pop().ok_or(FreshError::SmallBudget {
                budget: self.budget,
                needed: tokens,
            })?;
            match last.entry.part {
                WindowPart::Pinned => self.waiting.insert(0, last.entry),
                _ => self.n_left_out += 1,
            }
        }
    }
}

/// The text of a window without its types.
fn frame(n_waiting: usize) -> String {
    let mut out = "# Prompt window\n".to_owned();
    for part in [WindowPart::Pinned, WindowPart::Focus, WindowPart::Recent] {
        out.push_str(heading(part));
    }
    out.push_str(&waiting_line(n_waiting));
    out
}

fn heading(part: WindowPart) -> &'static str {
    match part {
        WindowPart::Pinned => "\n## Pinned\n",
        WindowPart::Focus => "\n## Focus\n",
        WindowPart::Recent => "\n## Recent\n",
    }
}

fn waiting_line(n_waiting: usize) -> String {
    match n_waiting {
        0 => String::new(),
        1 => "\n1 pinned type waits for room.\n".to_owned(),
        n => format!("\n{n} pinned types wait for room.\n"),
    }
}

fn whole(shown: &[Shown], n_waiting: usize) -> String {
    let mut out = "# Prompt window\n".to_owned();
    let parts: BTreeSet<WindowPart> = shown.iter().map(|it| it.entry.part).collect();
    for part in parts {
        out.push_str(heading(part));
        for one in shown.iter().filter(|it| it.entry.part == part) {
            out.push('\n');
            out.push_str(&one.text);
        }
    }
    out.push_str(&waiting_line(n_waiting));
    out
}
