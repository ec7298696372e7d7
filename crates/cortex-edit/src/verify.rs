//! Whether a command of the user's (a build, tests) finds something in the code after an edit that it did not find before.
//!
//! The command runs in a copy of the work tree in a temporary folder, first as the files are, then as the operation has
//! them; the folder is removed at the end, or by the next one where the process was killed. Owns: the copy, the process,
//! the comparison. Must not know: which command, and who may configure it.

mod copy;
mod diagnostics;
mod process;

use std::{fs, path::Path, time::Duration};

use cortex_index::{Index, IndexedSide, Progress};
use cortex_wire::{OpState, Verification, VerificationRun};

use self::{
    copy::Copy,
    diagnostics::{Found, introduced},
    process::{Ended, run},
};
use crate::{
    EditError,
    op::{Op, Ops},
};

/// How an operation is verified.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyWith {
    /// The command, as a shell takes it.
    pub command: String,
    /// The codes of diagnostics that may come.
    pub allowed: Vec<String>,
    /// How long each of the two runs may take.
    pub timeout: Duration,
}

/// Runs a command on the work tree and on what an operation makes of it, compares what it finds, and records that with the
/// operation.
///
/// # Errors
/// [`EditError::State`] for an operation that is applied, [`EditError::Changed`] where a file is not what it was planned
/// on, those of the files and of the system.
pub fn verify(
    index: &Index,
    side: &IndexedSide,
    ops: &Ops,
    (op, with): (&mut Op, &VerifyWith),
    progress: &dyn Progress,
) -> Result<Verification, EditError> {
    if op.state() == OpState::Applied {
        return Err(EditError::State {
            doing: "verify",
            id: op.id().to_owned(),
            reason: "it is applied".to_owned(),
            help: Some("run the command in the work tree itself"),
        });
    }
    let copy = Copy::of(index, side, ops)?;
    let before = outcome(&copy, with, progress)?;
    copy.change(ops, op)?;
    let after = outcome(&copy, with, progress)?;
    let paths = |file: &str| {
        let moved = op.files.iter().find_map(|it| {
            let (old, new) = (it.old.as_ref()?, it.new.as_ref()?);
            (old.path.as_str() == file).then(|| new.path.as_str().to_owned())
        });
        moved.unwrap_or_else(|| file.to_owned())
    };
    let (found, all_before) = (&after.found, &before.found);
    let mut new = introduced(all_before, found, &paths);
    new.retain(|it| {
        !with
            .allowed
            .iter()
            .any(|code| code.eq_ignore_ascii_case(&it.code))
    });
    let fails_newly = !after.ended.is_success() && before.ended.is_success();
    let is_passed = new.is_empty() && !fails_newly && !after.ended.timed_out;
    let verification = Verification {
        command: with.command.clone(),
        passed: is_passed,
        before: before.told(),
        after: after.told(),
        total_introduced: new.len() as u64,
        introduced: new.into_iter().take(MAX_LISTED).collect(),
        output: match is_passed {
            true => String::new(),
            false => last_lines(&after.output),
        },
    };
    let _lock = ops.lock()?;
    // Somebody may have decided about it meanwhile.
    let mut now = ops.read(op.id())?;
    now.verification = Some(verification.clone());
    ops.write(&now)?;
    *op = now;
    Ok(verification)
}

/// So many diagnostics are listed.
const MAX_LISTED: usize = 50;

/// So many lines of output are kept of a run that failed.
const MAX_LINES: usize = 20;

/// What a run of the command came to.
struct Outcome {
    ended: Ended,
    output: String,
    found: Vec<Found>,
}

impl Outcome {
    fn told(&self) -> VerificationRun {
        VerificationRun {
            status: self.ended.status,
            timed_out: self.ended.timed_out,
            diagnostics: self.found.len() as u64,
        }
    }
}

fn outcome(copy: &Copy, with: &VerifyWith, progress: &dyn Progress) -> Result<Outcome, EditError> {
    let output = copy.output();
    let ended = run(
        &with.command,
        (copy.root(), &output),
        with.timeout,
        progress,
    )?;
    let output = read_whole(&output);
    let found = diagnostics::read(&output, copy.root());
    Ok(Outcome {
        ended,
        output,
        found,
    })
}

/// What a command wrote, as far as it is kept.
fn read_whole(path: &Path) -> String {
    use std::io::Read;
    let mut bytes = Vec::new();
    if let Ok(file) = fs::File::open(path) {
        let _ = file.take(MAX_OUTPUT).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// So many bytes of output are read.
const MAX_OUTPUT: u64 = 64 << 20;

fn last_lines(output: &str) -> String {
    let lines: Vec<&str> = output.lines().filter(|it| !it.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(MAX_LINES)..].join("\n")
}
