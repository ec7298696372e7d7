//! Edits: planned on the graph, proven on an overlay, shown as patches, applied and undone.
//!
//! Owns: which places an edit changes, whether the code means the same afterwards, how files are written and
//! restored. Must not know: arguments, rendering, terminals.

mod accessible;
mod apply;
mod approval;
mod batch;
mod bindings;
mod body_tree;
mod conflicts;
mod difference;
mod draft;
mod edit;
mod encapsulate;
mod error;
mod evaluation;
mod extract_interface;
mod extract_method;
mod foreign;
mod identifier;
mod implement;
mod inline_method;
mod inline_variable;
mod layout;
mod located;
mod member;
mod move_member;
mod move_type;
mod moved;
mod new_path;
pub mod op;
pub mod patch;
pub mod plan;
mod precedence;
pub mod proof;
mod rebase;
mod records;
mod rename;
mod retyped;
mod rewrite;
mod signature;
mod staging;
pub mod text_edit;
mod texts;
mod together;
mod type_text;
mod usings;
mod verify;
mod written;

pub use apply::{Allowed, apply, recover, undo};
pub use approval::{ReviewNeeded, approval_by_signature, sign, signed_text};
pub use batch::batch;
pub use bindings::{Base, base_to_approve, check_base};
#[doc(hidden)]
pub use edit::prove_in_both_ways;
pub use edit::{Edit, edit};
pub use encapsulate::EncapsulateField;
pub use error::EditError;
pub use extract_interface::ExtractInterface;
pub use extract_method::ExtractMethod;
pub use foreign::{Foreign, patched_files};
pub use implement::ImplementInterface;
pub use inline_method::InlineMethod;
pub use inline_variable::InlineVariable;
pub use member::{MemberAction, MemberEdit};
pub use move_member::MoveMember;
pub use move_type::MoveType;
pub use rebase::rebase;
pub use records::{RecordProblem, Records, check_records};
pub use rename::Rename;
pub use rewrite::Rewrite;
pub use signature::{AddedParameter, ChangeSignature};
pub use staging::Staging;
pub use usings::{AddUsing, OrganizeUsings};
pub use verify::{VerifyWith, verify};
