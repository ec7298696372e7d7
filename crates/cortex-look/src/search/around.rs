//! Where in the code a place of a C# file is: the declaration around it, and whether it is code, comment or string.
//!
//! Must not know: what was searched for.

use crate::QueryError;

use cortex_index::Snapshot;
use cortex_model::{ByteRange, DeclKind, RepoPath};
use cortex_syntax::{
    Decl, FileFacts, Sections,
    text::{Lexical, LexicalKind},
};

/// A place in the code; empty of a file that is no C#.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Place {
    /// The namespace around it; empty outside of all.
    pub(crate) namespace: String,
    /// The declaration around it: `Type.Member`.
    pub(crate) symbol: Option<String>,
    /// Code, comment or string.
    pub(crate) kind: Option<LexicalKind>,
}

/// One C# file.
pub(crate) struct Around {
    facts: Option<FileFacts>,
    lexical: Lexical,
}

impl Around {
    /// Reads what the snapshot knows of a file with this text.
    pub(crate) fn of(
        snapshot: &Snapshot,
        path: &RepoPath,
        text: &[u8],
    ) -> Result<Self, QueryError> {
        let facts = match snapshot.file(path)? {
            Some(file) => match file.projects.first() {
                Some(project) => snapshot.facts(&file, project, Sections::Declarations)?,
                None => None,
            },
            None => None,
        };
        Ok(Self {
            facts,
            lexical: Lexical::of(text),
        })
    }

    /// What is around an offset.
    pub(crate) fn place(&self, offset: u32) -> Place {
        let (namespace, symbol) = self.symbol(offset).unzip();
        Place {
            namespace: namespace.unwrap_or_default(),
            symbol,
            kind: Some(self.lexical.at(offset)),
        }
    }

    /// The innermost declaration around an offset with its documentation: its namespace, and `Type.Member`.
    fn symbol(&self, offset: u32) -> Option<(String, String)> {
        let facts = self.facts.as_ref()?;
        let around = |decl: &&Decl| whole(decl).contains(offset);
        // Children follow their parents, and those of one parent are apart, so that the last one is the innermost.
        let mut next = facts.decls.iter().rfind(around);
        let (mut namespace, mut symbol) = (Vec::new(), Vec::new());
        while let Some(decl) = next {
            let names = match decl.kind {
                DeclKind::Namespace => &mut namespace,
                _ => &mut symbol,
            };
            names.push(facts.name(decl.name));
            next = decl.parent.and_then(|id| facts.decls.get(id as usize));
        }
        let joined = |mut names: Vec<&str>| {
            names.reverse();
            names.retain(|name| !name.is_empty());
            names.join(".")
        };
        let symbol = joined(symbol);
        (!symbol.is_empty()).then(|| (joined(namespace), symbol))
    }
}

/// A declaration with its documentation.
fn whole(decl: &Decl) -> ByteRange {
    match decl.doc_range.end > decl.doc_range.start {
        true => ByteRange {
            start: decl.doc_range.start.min(decl.range.start),
            end: decl.range.end,
        },
        false => decl.range,
    }
}
