//! Which changed members' code matters most.
//!
//! Owns: the order in which code is shown, and which members need none. Must not know: how code reads.

use std::cmp::Reverse;

use cortex_model::DeclKind;
use cortex_wire::{CodeLine, CodeLineKind, MemberChange, MemberChangeKind, TypeChange};

use super::is_documentation;

/// Words of statements that decide what runs.
const CONTROL_FLOW: [&str; 14] = [
    "break", "case", "catch", "continue", "else", "for", "foreach", "goto", "if", "return",
    "switch", "throw", "try", "while",
];

/// Where a member's code stands in the order: less is more important.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    /// What a tool writes follows from what a person wrote.
    author: Author,
    is_test: bool,
    tier: Tier,
    /// Whether the changed lines leave the control flow as it is.
    is_straight: bool,
    is_hidden: bool,
    n_dependents: Reverse<usize>,
}

/// Who wrote a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Author {
    Person,
    Tool,
}

/// What happened to the code of a member.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tier {
    /// It runs, and does something else than before.
    ChangedBody,
    /// It runs, and is new.
    NewBody,
    /// Nothing of it runs: its signature, attributes or first value are all there is.
    Declaration,
    Removed,
    Documentation,
}

impl Rank {
    pub(super) fn new(change: &TypeChange, member: &MemberChange, author: Author) -> Self {
        let is_visible = change.accessibility.is_visible() && member.accessibility.is_visible();
        Self {
            author,
            is_test: change.is_test,
            tier: Tier::new(member),
            is_straight: !changes_control_flow(member),
            is_hidden: !is_visible,
            n_dependents: Reverse(change.n_dependents),
        }
    }
}

impl Tier {
    fn new(member: &MemberChange) -> Self {
        match member.change {
            MemberChangeKind::Body => Self::ChangedBody,
            MemberChangeKind::Added if member.has_body => Self::NewBody,
            MemberChangeKind::Signature | MemberChangeKind::Shape
                if member.has_body && changes_body(&member.code) =>
            {
                Self::ChangedBody
            }
            MemberChangeKind::Added | MemberChangeKind::Signature | MemberChangeKind::Shape => {
                Self::Declaration
            }
            MemberChangeKind::Removed => Self::Removed,
            MemberChangeKind::Docs => Self::Documentation,
        }
    }
}

/// Whether the row of a new member says as much as its code would: nothing of it runs, and it has neither attributes
/// nor a value. The header of a type is more than the types of a constructor's parameters.
pub(super) fn is_in_row(change: &TypeChange, member: &MemberChange) -> bool {
    let has_row = match member.kind {
        DeclKind::Constructor => false,
        DeclKind::EnumMember => true,
        _ => member.accessibility.is_visible() && !change.is_test,
    };
    let is_plain = |line: &CodeLine| {
        is_documentation(line) || !line.text.replace("[]", "").contains(['[', '='])
    };
    member.change == MemberChangeKind::Added
        && !member.has_body
        && has_row
        && member.code.iter().all(is_plain)
}

/// Whether a line behind the signature differs.
fn changes_body(code: &[CodeLine]) -> bool {
    let opens = |line: &CodeLine| line.text.trim_end().ends_with('{') || line.text.contains("=>");
    let Some(start) = code.iter().position(opens) else {
        return false;
    };
    let is_changed = |line: &CodeLine| line.kind != CodeLineKind::Context;
    let is_arrow = code[start].text.contains("=>");
    code[start + usize::from(!is_arrow)..]
        .iter()
        .any(is_changed)
}

/// Whether code of a member runs and differs from what was there.
pub(in crate::markdown) fn runs_otherwise(member: &MemberChange) -> bool {
    member.has_body && Tier::new(member) == Tier::ChangedBody
}

/// Whether changed lines decide what runs.
pub(in crate::markdown) fn changes_control_flow(member: &MemberChange) -> bool {
    let changed = member.code.iter().filter(|line| {
        line.kind != CodeLineKind::Context && !line.text.trim_start().starts_with("//")
    });
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    changed
        .flat_map(|line| line.text.split(move |c| !is_word(c)))
        .any(|word| CONTROL_FLOW.contains(&word))
}
