//! What an operation needs before it is applied, and SSH signatures that approve one.
//!
//! `ssh-keygen` checks and makes signatures, as it does for git; it is started with arguments that no repository can
//! choose. Must not know: where a policy is configured, terminals.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use cortex_wire::{Approval, ApprovedHow};

use crate::{
    EditError,
    op::{Op, failed},
};

/// The namespace of signatures: one that was made for something else approves nothing.
const NAMESPACE: &str = "git-cortex";

/// Larger signatures are not read.
const MAX_BYTES: usize = 1 << 16;

/// What an operation needs before it is applied.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum ReviewNeeded {
    /// Nothing.
    Nothing,
    /// A person approved it, at a terminal or by a signature.
    #[default]
    Approval,
    /// An SSH signature of its digest by one of the signers in this file; none where the user names no file.
    Signature(Option<PathBuf>),
}

/// What a signature that approves an operation signs.
pub fn signed_text(op: &Op) -> String {
    format!("{}\n", op.digest)
}

/// The approval that a signature gives. `time`: when it was recorded, as ISO 8601.
///
/// # Errors
/// [`EditError::NotSigned`] where it is no signature of this operation by one of the signers, and where `ssh-keygen`
/// cannot be started.
pub fn approval_by_signature(
    op: &Op,
    signature: &str,
    signers: Option<&Path>,
    time: String,
) -> Result<Approval, EditError> {
    Ok(Approval {
        by: signer_of(op, signature, signers)?,
        how: ApprovedHow::Signature,
        digest: op.digest.clone(),
        time,
        signature: Some(signature.to_owned()),
    })
}

/// Signs an operation with a key: a private key, or a public one whose private key an agent has.
///
/// # Errors
/// [`EditError::NotSigned`] with what `ssh-keygen` says.
pub fn sign(op: &Op, key: &Path) -> Result<String, EditError> {
    let mut command = ssh_keygen("sign");
    command.arg("-n").arg(NAMESPACE).arg("-f").arg(key);
    let signed = run(op, command, &signed_text(op))?;
    match signed {
        Ok(signature) => Ok(signature),
        Err(reason) => Err(not_signed(op, reason)),
    }
}

/// Refuses an operation that lacks what it needs.
///
/// # Errors
/// [`EditError::NotReviewed`], [`EditError::NotSigned`].
pub(crate) fn check_approval(op: &Op, needed: &ReviewNeeded) -> Result<(), EditError> {
    let approval = match needed {
        ReviewNeeded::Nothing => return Ok(()),
        _ => op.approval.as_ref(),
    };
    let Some(approval) = approval else {
        return Err(EditError::NotReviewed {
            id: op.id().to_owned(),
        });
    };
    if approval.digest != op.digest || !op.is_as_digested() {
        return Err(not_signed(
            op,
            "its record is not what was approved, or another version of the program made it",
        ));
    }
    match (needed, &approval.signature) {
        (ReviewNeeded::Signature(signers), Some(signature)) => {
            // The record is a file that others may write: the signature is what counts.
            signer_of(op, signature, signers.as_deref()).map(|_| ())
        }
        (ReviewNeeded::Signature(_), None) => {
            Err(not_signed(op, "it is approved without a signature"))
        }
        _ => Ok(()),
    }
}

/// Who signed an operation.
fn signer_of(op: &Op, signature: &str, signers: Option<&Path>) -> Result<String, EditError> {
    let signers =
        signers.ok_or_else(|| not_signed(op, "no file of allowed signers is configured"))?;
    if signature.len() > MAX_BYTES {
        return Err(not_signed(op, "the signature is too large"));
    }
    let folder = tempfile::tempdir().map_err(failed("make a folder in", &std::env::temp_dir()))?;
    let file = folder.path().join("signature");
    fs::write(&file, signature).map_err(failed("write", &file))?;
    let of_signature = |action: &str| {
        let mut command = ssh_keygen(action);
        command.arg("-n").arg(NAMESPACE);
        command.arg("-s").arg(&file).arg("-f").arg(signers);
        command
    };
    let principals = run(op, of_signature("find-principals"), "")?;
    let principals = principals
        .map_err(|reason| not_signed(op, format!("no allowed signer made it: {reason}")))?;
    let mut why = "no allowed signer made it".to_owned();
    for principal in principals.lines().filter(|line| !line.is_empty()) {
        let mut command = of_signature("verify");
        command.arg("-I").arg(principal);
        match run(op, command, &signed_text(op))? {
            Ok(_) => return Ok(principal.to_owned()),
            Err(reason) => why = format!("the signature is not one of this operation: {reason}"),
        }
    }
    Err(not_signed(op, why))
}

fn ssh_keygen(action: &str) -> Command {
    let mut command = Command::new("ssh-keygen");
    command.arg("-Y").arg(action);
    command
}

/// What a command writes, or what it complains about.
fn run(op: &Op, mut command: Command, input: &str) -> Result<Result<String, String>, EditError> {
    let started = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child =
        started.map_err(|error| not_signed(op, format!("`ssh-keygen` does not start: {error}")))?;
    if let Some(mut stdin) = child.stdin.take() {
        // Where it ends early, its status says so.
        let _ = stdin.write_all(input.as_bytes());
    }
    let ended = child.wait_with_output();
    let ended =
        ended.map_err(|error| not_signed(op, format!("`ssh-keygen` does not end: {error}")))?;
    let words = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(match ended.status.success() {
        true => Ok(words(&ended.stdout)),
        false => {
            let complaint = words(&ended.stderr);
            let first = complaint.lines().next().unwrap_or_default().trim();
            Err(match first {
                "" => words(&ended.stdout).trim().to_owned(),
                first => first.to_owned(),
            })
        }
    })
}

fn not_signed(op: &Op, reason: impl Into<String>) -> EditError {
    EditError::NotSigned {
        id: op.id().to_owned(),
        reason: reason.into(),
    }
}
