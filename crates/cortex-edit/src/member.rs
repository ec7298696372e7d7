//! Edits that name a symbol and bring a text: a body or a member is replaced, a member is added or removed.
//!
//! Owns: which bytes are written where. Must not know: whether other code means the same afterwards
//! ([`crate::proof`]).

mod attribute;
mod body;
mod effects;
mod implicit;
mod insert;
mod new_code;
mod removal;
mod replace;

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::Symbols;
use cortex_look::viewpoint::Viewpoint;
use cortex_model::{ByteRange, RepoPath};
use cortex_wire::{EditKind, Subject};

pub(crate) use self::{
    attribute::deciding,
    effects::{add_other_time, add_unnamed_effects},
    insert::start_with_comments as comments_above,
    removal::{joined, removed_range},
};
use crate::{
    EditError,
    conflicts::Locals,
    draft::Draft,
    layout::Layout,
    located::{Declaration, locate},
    plan::{FilePlan, Plan},
    text_edit::{StartIs, TextEdit, TextEdits},
};

/// What is done to a symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MemberAction<'r> {
    /// Its body becomes another one: a block, `=>` and an expression, an expression, or statements.
    ReplaceBody {
        /// The new body.
        text: &'r str,
        /// `get`, `set`, `init`, `add` or `remove`: the body of that accessor.
        accessor: Option<&'r str>,
    },
    /// Its declaration becomes another one, or several.
    Replace {
        /// The new declaration.
        text: &'r str,
    },
    /// The type gets members.
    Add {
        /// Their declarations.
        text: &'r str,
    },
    /// Declarations are written before it.
    InsertBefore {
        /// The declarations.
        text: &'r str,
    },
    /// Declarations are written after it.
    InsertAfter {
        /// The declarations.
        text: &'r str,
    },
    /// It gets attributes.
    AddAttribute {
        /// A name with its arguments, or lists in brackets.
        text: &'r str,
    },
    /// It goes, with others: as a group, they may use each other.
    Remove {
        /// The other symbols.
        others: &'r [String],
        /// Whether it goes although something uses it.
        although_used: bool,
    },
}

/// An edit of a symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemberEdit<'r> {
    /// The symbol, as any question names it.
    pub symbol: &'r str,
    /// The file of the declaration that is meant, where there are several: its path or the end of it.
    pub file: Option<&'r str>,
    /// What is done.
    pub action: MemberAction<'r>,
}

impl MemberEdit<'_> {
    /// As an imperative.
    fn title(&self) -> String {
        let symbol = self.symbol;
        match &self.action {
            MemberAction::ReplaceBody { accessor, .. } => match accessor {
                Some(accessor) => format!("replace the body of `{accessor}` of `{symbol}`"),
                None => format!("replace the body of `{symbol}`"),
            },
            MemberAction::Replace { .. } => format!("replace `{symbol}`"),
            MemberAction::Add { .. } => format!("add to `{symbol}`"),
            MemberAction::InsertBefore { .. } => format!("insert before `{symbol}`"),
            MemberAction::InsertAfter { .. } => format!("insert after `{symbol}`"),
            MemberAction::AddAttribute { text } => {
                let text: String = text.trim().chars().take(MAX_SHOWN).collect();
                format!("add the attribute `{text}` to `{symbol}`")
            }
            MemberAction::Remove { others: [], .. } => {
                format!("remove `{symbol}`")
            }
            MemberAction::Remove { others, .. } => {
                format!("remove `{symbol}` and {} more", others.len())
            }
        }
    }

    fn kind(&self) -> EditKind {
        match &self.action {
            MemberAction::ReplaceBody { .. } => EditKind::ReplaceBody,
            MemberAction::Replace { .. } => EditKind::ReplaceMember,
            MemberAction::Add { .. } => EditKind::AddMember,
            MemberAction::InsertBefore { .. } => EditKind::InsertBefore,
            MemberAction::InsertAfter { .. } => EditKind::InsertAfter,
            MemberAction::AddAttribute { .. } => EditKind::AddAttribute,
            MemberAction::Remove { .. } => EditKind::RemoveMember,
        }
    }

    pub(crate) fn refused(&self, reason: impl Into<String>, help: Vec<String>) -> EditError {
        EditError::Refused {
            doing: self.title(),
            reason: reason.into(),
            help,
        }
    }
}

/// So many characters of an attribute are in the title.
const MAX_SHOWN: usize = 60;

/// What an action writes.
struct Written {
    edits: BTreeMap<RepoPath, TextEdits>,
    /// The names of what comes and goes.
    names: BTreeSet<String>,
    /// The name of what goes.
    old_name: Option<String>,
    subject: Subject,
}

/// Plans an edit of a symbol.
///
/// # Errors
/// [`EditError::Refused`] for what cannot be edited so, [`EditError::NoChange`], and those of the index.
pub(crate) fn plan_member_edit(
    (view, symbols): (&Viewpoint<'_>, &Symbols),
    request: &MemberEdit<'_>,
) -> Result<Draft, EditError> {
    let title = request.title();
    let doing = || title.clone();
    let written = match &request.action {
        MemberAction::Remove {
            others,
            although_used,
        } => removal::remove(view, symbols, request, (others, *although_used))?,
        action => {
            let located = locate(view, symbols, request.symbol, &doing)?;
            let at = match action {
                MemberAction::ReplaceBody { .. } => body::with_body(&located, request)?,
                _ => located.one(request.file, &doing)?,
            };
            let place = Place::new(at, request);
            let (edits, names) = match action {
                MemberAction::ReplaceBody { text, accessor } => {
                    (vec![place.replace_body(text, *accessor)?], BTreeSet::new())
                }
                MemberAction::Replace { text } => place.replace(text)?,
                MemberAction::Add { text } => place.add(text)?,
                MemberAction::InsertBefore { text } => place.insert_before(text)?,
                MemberAction::InsertAfter { text } => place.insert_after(text)?,
                MemberAction::AddAttribute { text } => place.add_attribute(text)?,
                MemberAction::Remove { .. } => unreachable!("it is planned above"),
            };
            let edits = TextEdits::new(edits).expect("edits of one declaration do not overlap");
            Written {
                edits: [(at.path.clone(), edits)].into(),
                names,
                old_name: None,
                subject: located.subject,
            }
        }
    };
    let plan = Plan::of_edits(view.index, view.side, written.edits, &BTreeMap::new())?;
    if plan.files.values().all(FilePlan::is_same) {
        return Err(EditError::NoChange { doing: doing() });
    }
    Ok(Draft {
        kind: request.kind(),
        title,
        subject: Some(written.subject),
        n_family: 0,
        locals: Locals::Kept,
        names: written.names,
        old_name: written.old_name,
        left_alone: BTreeMap::new(),
        plan,
    })
}

/// A declaration that is edited, in its file.
pub(crate) struct Place<'a> {
    at: &'a Declaration,
    layout: Layout,
    request: &'a MemberEdit<'a>,
}

impl<'a> Place<'a> {
    /// Of a declaration.
    pub(crate) fn new(at: &'a Declaration, request: &'a MemberEdit<'a>) -> Self {
        Self {
            at,
            layout: Layout::of(&at.text, &at.facts),
            request,
        }
    }
}

impl Place<'_> {
    fn text(&self) -> &str {
        &self.at.text
    }

    /// The names of declarations, as code may write them.
    fn names<'n>(names: impl Iterator<Item = &'n str>) -> BTreeSet<String> {
        let mut out = BTreeSet::new();
        for name in names {
            out.insert(name.to_owned());
            if let Some(short) = name.strip_suffix("Attribute") {
                out.insert(short.to_owned());
            }
        }
        out
    }
}

/// An edit that writes a text which was not there.
fn new_text(range: ByteRange, text: String) -> TextEdit {
    TextEdit {
        range,
        text,
        start: StartIs::New,
    }
}

/// An edit that writes a text between two bytes.
pub(crate) fn insertion(at: usize, text: String) -> TextEdit {
    let at = at as u32;
    new_text(ByteRange { start: at, end: at }, text)
}
