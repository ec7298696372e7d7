//! What a question is about: the symbol that a text means, as every answer tells it.

use cortex_bind::member_detail;
use cortex_model::RepoPath;
use cortex_syntax::Sections;
use serde::Serialize;

use super::Viewpoint;
use crate::{
    QueryError,
    symbol::{Stages, Symbol, resolve},
};

/// What a question turned out to be about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Subject {
    /// The symbol.
    pub resolved: Resolved,
    /// What it was called when it was called as asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redirected_from: Option<String>,
}

/// A symbol as answers name it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Resolved {
    /// Canonical name; of a member with its parameter types where there is one of it only.
    pub path: String,
    /// `class`, `method`, …
    pub kind: &'static str,
    /// The type's short id.
    pub type_id: String,
    /// The member's short id within the type; left out for types and for several overloads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub member_id: Option<String>,
    /// Documentation id; left out for several overloads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc_id: Option<String>,
}

impl Resolved {
    /// The shortest text that means the symbol alone: `T_7XPKJFH2`, `T_7XPKJFH2_K3M0ZQ`.
    pub fn id(&self) -> String {
        match &self.member_id {
            Some(member) => format!("{}_{member}", self.type_id),
            None => self.type_id.clone(),
        }
    }
}

/// Finds what `text` means at a viewpoint, with what answers say of it.
///
/// # Errors
/// [`QueryError::SymbolNotFound`] with suggestions, [`QueryError::AmbiguousSymbol`] with the candidates.
pub fn find_symbol(view: &Viewpoint<'_>, text: &str) -> Result<(Symbol, Subject), QueryError> {
    let symbol = resolve(view.snapshot(), text, Stages::All, &mut *view.blobs())?;
    let subject = Subject::of(view, &symbol)?;
    Ok((symbol, subject))
}

impl Subject {
    /// Of a symbol that is called as asked.
    pub fn of(view: &Viewpoint<'_>, symbol: &Symbol) -> Result<Self, QueryError> {
        let found = symbol.resolved(view.snapshot())?;
        Ok(Self {
            resolved: Resolved {
                path: found.path,
                kind: found.kind,
                type_id: found.type_id,
                member_id: found.member_id,
                doc_id: found.doc_id,
            },
            redirected_from: None,
        })
    }
}

/// The answer of `resolve`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResolveAnswer {
    /// What it is about.
    #[serde(flatten)]
    pub subject: Subject,
    /// Its signature; of overloads each, in their order.
    pub signatures: Vec<String>,
    /// The assembly that it is compiled into.
    pub assembly: String,
    /// The project that compiles it.
    pub project: RepoPath,
    /// Where it is declared, by path and line.
    pub declarations: Vec<Declaration>,
}

/// A place where a symbol is declared.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct Declaration {
    /// The file.
    pub file: RepoPath,
    /// The 1-based line of its name.
    pub line: u32,
}

/// Tells what a text means.
///
/// # Errors
/// Those of [`find_symbol`].
pub fn resolve_symbol(view: &Viewpoint<'_>, text: &str) -> Result<ResolveAnswer, QueryError> {
    let (symbol, subject) = find_symbol(view, text)?;
    let node = &symbol.node;
    let members = symbol.members();
    let mut declarations = Vec::new();
    if members.is_empty() {
        declarations.extend(node.parts.iter().map(|part| Declaration {
            file: part.path.clone(),
            line: part.line,
        }));
    }
    for member in &members {
        let Some(part) = node.parts.get(member.part as usize) else {
            continue;
        };
        let facts = match view.snapshot().file(&part.path)? {
            Some(file) => view
                .snapshot()
                .facts(&file, &node.project, Sections::Declarations)?,
            None => None,
        };
        let detail = facts.and_then(|facts| member_detail(&facts, member));
        declarations.push(Declaration {
            file: part.path.clone(),
            line: detail.map_or(part.line, |detail| detail.line),
        });
    }
    declarations.sort();
    declarations.dedup();
    Ok(ResolveAnswer {
        signatures: match members.as_slice() {
            [] => vec![node.signature.clone()],
            members => (members.iter())
                .map(|member| node.member_signature(member))
                .collect(),
        },
        assembly: node.assembly.clone(),
        project: node.project.clone(),
        declarations,
        subject,
    })
}
