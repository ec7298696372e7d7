//! Edits as text: the verdict first, then what a person must read.
//!
//! Owns: how a proof and its gaps read. Must not know: how an edit was planned.

use cortex_wire::{
    ApprovedHow, Difference, Doubt, DoubtReason, EditAnswer, EditKind, EditVerdict, EditWarning,
    EditedFileChange, LeftAlone, OpAnswer, OpsListAnswer, Residue, ResidueKind, Verification,
    VerificationRun, WarningReason,
};

use crate::{
    markdown::plan::counted,
    text::{Tabs, line, visible},
};

/// So many places of each kind are shown to people.
const N_SHOWN: usize = 20;

/// A planned edit as text for people, its patch at the end. `then`: the command that goes on with it.
pub fn edit_text(answer: &EditAnswer, then: &str) -> String {
    let mut out = summary(answer);
    if answer.verdict != EditVerdict::ChangedMeaning || answer.kind.may_change_meaning() {
        out.push_str(&format!("\n{} {}\n", line(then), line(&answer.op)));
    }
    out.push('\n');
    for text in answer.patch.lines() {
        out.push_str(&visible(text, Tabs::Keep));
        out.push('\n');
    }
    out
}

/// A planned edit without its patch.
fn summary(answer: &EditAnswer) -> String {
    let mut out = format!("{}\n", line(&answer.title));
    let n_files = counted(answer.files.len(), "file", "files");
    let n_edits = counted(answer.total_edits as usize, "place", "places");
    out.push_str(&format!("{n_edits} in {n_files}"));
    if answer.family > 0 {
        let n = counted(answer.family as usize, "member", "members");
        out.push_str(&format!(", with {n} that must have the same name"));
    }
    out.push('\n');
    for file in &answer.files {
        if let Some(new) = &file.new_file {
            let (old, new) = (line(file.file.as_str()), line(new.as_str()));
            out.push_str(&format!("{old} becomes {new}\n"));
        }
        let what = match file.change {
            EditedFileChange::Changed => continue,
            EditedFileChange::Made => "is new",
            EditedFileChange::Removed => "goes",
        };
        out.push_str(&format!("{} {what}\n", line(file.file.as_str())));
    }
    out.push_str(&format!("{}\n", verdict(answer)));
    list(
        &mut out,
        &answer.differences,
        answer.total_differences,
        difference,
    );
    list(&mut out, &answer.doubts, answer.total_doubts, doubt);
    if answer.total_residue > 0 {
        out.push_str(&match answer.total_residue {
            1 => "1 text mentions the old name and stays as it is:\n".to_owned(),
            n => format!("{n} texts mention the old name and stay as they are:\n"),
        });
        list(&mut out, &answer.residue, answer.total_residue, residue);
    }
    if answer.total_left_alone > 0 {
        let n = counted(answer.total_left_alone as usize, "file", "files");
        out.push_str(&format!("{n} left alone:\n"));
        let left_alone =
            |it: &LeftAlone| format!("{} {}", line(it.file.as_str()), it.reason.words());
        list(
            &mut out,
            &answer.left_alone,
            answer.total_left_alone,
            left_alone,
        );
    }
    if answer.total_warnings > 0 {
        let n = answer.total_warnings as usize;
        out.push_str(&match answer.kind {
            EditKind::Rewrite | EditKind::Rename => {
                format!("{} to review:\n", counted(n, "place", "places"))
            }
            _ => format!(
                "{} of the new text to look at:\n",
                counted(n, "name", "names")
            ),
        });
        warnings(&mut out, &answer.warnings, answer.total_warnings);
    }
    out
}

fn verdict(answer: &EditAnswer) -> String {
    let n_files = counted(answer.compared_files as usize, "file", "files");
    let is_rename = answer.kind == EditKind::Rename;
    let what = if is_rename {
        "every name and expression"
    } else {
        "all else"
    };
    let n_decisions = answer.compared_decisions as usize;
    let decisions = counted(n_decisions, "decision", "decisions");
    match answer.verdict {
        EditVerdict::Proven => {
            format!("proven: {what} of {n_files} means the same ({decisions} compared)")
        }
        EditVerdict::NotProven if answer.total_doubts == 0 => {
            format!(
                "not proven: names in the new text are not resolved; all else in {n_files} means the same"
            )
        }
        EditVerdict::NotProven => {
            let n = counted(answer.total_doubts as usize, "place", "places");
            format!("not proven: {n} cannot be decided; all else in {n_files} means the same")
        }
        EditVerdict::ChangedMeaning => {
            let n = counted(answer.total_differences as usize, "place", "places");
            let code = if is_rename { "the code" } else { "other code" };
            format!("changes what {code} means at {n}")
        }
    }
}

fn list<T>(out: &mut String, items: &[T], total: u64, show: fn(&T) -> String) {
    for item in items.iter().take(N_SHOWN) {
        out.push_str(&format!("    {}\n", show(item)));
    }
    let n_left = (total as usize).saturating_sub(items.len().min(N_SHOWN));
    if n_left > 0 {
        out.push_str(&format!("    … {n_left} more\n"));
    }
}

pub(crate) fn difference(it: &Difference) -> String {
    let answer = |answer: &Option<String>| match answer {
        Some(text) => line(text).to_string(),
        None => "nothing".to_owned(),
    };
    format!(
        "{}:{}: {}: {} → {}",
        line(it.file.as_str()),
        it.line,
        line(&it.question),
        answer(&it.before),
        answer(&it.after)
    )
}

fn doubt(it: &Doubt) -> String {
    let reason = match it.reason {
        DoubtReason::UnknownReceiver => "stands behind a value of unknown type",
        DoubtReason::NotFound => "means nothing that is known",
        DoubtReason::Undecided => "may mean one of several",
        DoubtReason::Degraded => "the file did not parse as a whole",
        DoubtReason::NotCSharp => {
            "the file is not C#, and what it decides about code is not compared"
        }
        DoubtReason::MayBeUsed => {
            let why = it.used_by.as_ref().map(crate::look::deps::why_in_use);
            let why = why.unwrap_or_else(|| "may be in use".to_owned());
            return format!(
                "{}:{}: may be in use: {}",
                line(it.file.as_str()),
                it.line,
                line(&why)
            );
        }
        DoubtReason::RunsUnnamed => {
            "what goes does something unnamed: an initial value, a body that runs by itself, a value that a record prints or compares"
        }
        DoubtReason::Mentioned => "the file is not C# and has the name",
        DoubtReason::Inactive => "no project compiles this part of the file",
    };
    format!("{}:{}: {reason}", line(it.file.as_str()), it.line)
}

/// What is to look at: what is alike is one line.
fn warnings(out: &mut String, all: &[EditWarning], total: u64) {
    let mut groups: Vec<(&EditWarning, usize)> = Vec::new();
    for it in all {
        let same = |group: &&mut (&EditWarning, usize)| {
            (group.0.reason, &group.0.name) == (it.reason, &it.name)
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.1 += 1,
            None => groups.push((it, 1)),
        }
    }
    let mut n_told = 0;
    for (first, n) in groups.into_iter().take(N_SHOWN) {
        let more = match n {
            1 => String::new(),
            n => format!(" (and {} more like it)", n - 1),
        };
        out.push_str(&format!("    {}{more}\n", warning(first)));
        n_told += n;
    }
    let n_left = (total as usize).saturating_sub(n_told);
    if n_left > 0 {
        out.push_str(&format!("    … {n_left} more\n"));
    }
}

fn warning(it: &EditWarning) -> String {
    let reason = match it.reason {
        WarningReason::NotFound => "means nothing that is known",
        WarningReason::NotFoundBefore => {
            "means nothing that is known, as in the code that is there"
        }
        WarningReason::Ambiguous => "may mean one of several",
        WarningReason::NoOverload => "no overload takes these arguments for certain",
        WarningReason::NotAllowed => "the language does not allow it there",
        WarningReason::Gap => {
            "lacks a member that its interfaces or base types demand, or overrides nothing"
        }
        WarningReason::UnknownReceiver => "stands behind a value of unknown type",
        WarningReason::NotEvaluated => "this argument goes, and is not evaluated any more",
        WarningReason::EvaluatedAgain => {
            "may do something, and is evaluated more often than before"
        }
        WarningReason::OtherOrder => "parts of it may do something, and change their order",
        WarningReason::UnknownType => "left as it is: a type in it is not known",
        WarningReason::HasComment => "left as it is: a comment or a directive stands in it",
        WarningReason::InString => {
            "left as it is: the new code cannot stand in a string everywhere"
        }
        WarningReason::NeedsConstant => "left as it is: a constant has to stand there",
        WarningReason::InExpressionTree => {
            "left as it is: an expression tree cannot hold the new code"
        }
        WarningReason::MatchesAgain => "is like the pattern: the same edit would change it again",
        WarningReason::Hides => "hides the inherited member without `new`",
        WarningReason::CallerMemberName => "receives the new name as text ([CallerMemberName])",
        WarningReason::CallerArgumentExpression => {
            "receives the new name as text ([CallerArgumentExpression])"
        }
        WarningReason::NameOf => "has the new name as its value (nameof)",
        WarningReason::NameIsData => {
            "its name may be data: a serializer, mapper or binder may read and write it"
        }
        WarningReason::NamedOutside => {
            "its attribute says this name now: code outside of C# finds it by that"
        }
    };
    let (file, name) = (line(it.file.as_str()), line(&it.name));
    format!("{file}:{}: {name}: {reason}", it.line)
}

fn residue(it: &Residue) -> String {
    let kind = match it.kind {
        ResidueKind::Comment => "comment: ",
        ResidueKind::String => "string: ",
        ResidueKind::File => "",
    };
    format!(
        "{}:{}: {kind}{}",
        line(it.file.as_str()),
        it.line,
        line(&it.text)
    )
}

/// An operation with what was decided about it, as text for people.
pub fn op_text(answer: &OpAnswer) -> String {
    let mut out = format!("{} {}\n", line(&answer.edit.op), answer.state.word());
    for state in &answer.states {
        let time = line(&state.time);
        out.push_str(&format!("    {time} {}\n", state.state.word()));
    }
    if let Some(approval) = &answer.approval {
        let how = match approval.how {
            ApprovedHow::Terminal => "at a terminal",
            ApprovedHow::Signature => "with a signature",
        };
        out.push_str(&format!("approved by {} {how}\n", line(&approval.by)));
    }
    if let Some(reason) = &answer.voided {
        out.push_str(&format!("approval void: {}\n", line(reason)));
    }
    if let Some(reason) = &answer.rejection {
        out.push_str(&format!("rejected: {}\n", line(reason)));
    }
    if let Some(verification) = &answer.verification {
        out.push_str(&verified(verification));
    }
    if answer.is_staged {
        out.push_str("staged\n");
    }
    if let Some(commit) = &answer.commit {
        out.push_str(&format!("committed as {}\n", line(commit)));
    }
    out.push_str(&summary(&answer.edit));
    out
}

/// What a command of the user's says of an edit, as text for people.
pub fn verified(it: &Verification) -> String {
    let command = line(&it.command);
    let ended = |run: &VerificationRun| match (run.timed_out, run.status) {
        (true, _) => "took too long".to_owned(),
        (_, Some(0)) => "succeeded".to_owned(),
        (_, Some(status)) => format!("failed with status {status}"),
        (_, None) => "was ended".to_owned(),
    };
    let counted =
        |run: &VerificationRun| counted(run.diagnostics as usize, "diagnostic", "diagnostics");
    let mut out = format!(
        "{}: `{command}` {} before ({}) and {} after ({})\n",
        if it.passed {
            "verified"
        } else {
            "not verified"
        },
        ended(&it.before),
        counted(&it.before),
        ended(&it.after),
        counted(&it.after)
    );
    for new in it.introduced.iter().take(N_SHOWN) {
        let place = match new.line {
            Some(number) => format!("{}:{number}", line(&new.file)),
            None => line(&new.file).to_string(),
        };
        let (code, text) = (line(&new.code), line(&new.text));
        out.push_str(&format!("    new: {place}: {code}: {text}\n"));
    }
    let n_left = (it.total_introduced as usize).saturating_sub(N_SHOWN.min(it.introduced.len()));
    if n_left > 0 {
        out.push_str(&format!("    … {n_left} more\n"));
    }
    if it.introduced.is_empty() {
        for text in it.output.lines() {
            out.push_str(&format!("    {}\n", line(text)));
        }
    }
    out
}

/// Operations as text for people, one a line.
pub fn ops_text(answer: &OpsListAnswer) -> String {
    let mut out = String::new();
    for op in &answer.ops {
        out.push_str(&format!(
            "{}  {}  {:<15}  {}\n",
            line(&op.op),
            line(&op.created),
            op.state.word(),
            line(&op.title)
        ));
    }
    if out.is_empty() {
        out.push_str("no operations\n");
    }
    out
}
