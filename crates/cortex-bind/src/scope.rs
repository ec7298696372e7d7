//! What a file can see: its project, the projects that it references, global usings.

use cortex_model::RepoPath;
use cortex_syntax::UsingKind;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use cortex_syntax::{FileFacts, TypeSyntax};

/// A `global using`, or a `Using` item of a project.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum GlobalUsing {
    /// The types of a namespace.
    Namespace(String),
    /// The nested types and static members of a type.
    Static(String),
    /// Another name for a type: alias, target with arity as `` `n ``.
    Alias(String, String),
}

impl GlobalUsing {
    /// The `global using` directives of a file, in source order.
    pub fn of_file(facts: &FileFacts) -> Vec<Self> {
        let global = facts.usings.iter().filter(|using| using.global);
        let read = global.filter_map(|using| {
            let target = dotted_name(facts, &using.target)?;
            Some(match using.kind {
                UsingKind::Namespace => Self::Namespace(target),
                UsingKind::Static => Self::Static(target),
                UsingKind::Alias(alias) => Self::Alias(facts.name(alias).to_owned(), target),
                UsingKind::ExternAlias(_) => return None,
            })
        });
        read.collect()
    }
}

/// A written name as canonical segments: ``A.B`2.C``; `None` for arrays, tuples and the like.
/// A leading `global::` is dropped.
pub(crate) fn dotted_name(facts: &FileFacts, ty: &TypeSyntax) -> Option<String> {
    let TypeSyntax::Named(segments) = ty else {
        return None;
    };
    let mut out = String::new();
    for segment in segments {
        let reference = facts.refs.get(segment.reference as usize)?;
        if out.is_empty() && facts.name(reference.name) == "global" && segments.len() > 1 {
            continue;
        }
        if !out.is_empty() {
            out.push('.');
        }
        out.push_str(facts.name(reference.name));
        if reference.arity > 0 {
            out.push_str(&format!("`{}", reference.arity));
        }
    }
    Some(out)
}

/// A project as its files see the world.
#[derive(Clone, Debug, Default)]
pub struct ProjectScope {
    /// Its path.
    pub path: Option<RepoPath>,
    /// Its assembly.
    pub assembly: String,
    /// Projects whose types its files can name, itself included, with whether internals are visible.
    pub visible: FxHashMap<RepoPath, InternalsVisible>,
    /// Whether every project is visible: files that no project claims.
    pub sees_all: bool,
    /// Usings of the project and of its files' `global using` directives, sorted.
    pub usings: Vec<GlobalUsing>,
}

/// Whether another project's internal types can be named.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InternalsVisible {
    /// The same project, or a friend of it.
    Yes,
    /// Only public types.
    No,
}

impl ProjectScope {
    /// Whether types of `project` can be named here, and which.
    pub(crate) fn sees(&self, project: &RepoPath) -> Option<InternalsVisible> {
        if self.sees_all {
            return Some(InternalsVisible::Yes);
        }
        self.visible.get(project).copied()
    }
}

/// A file inside one project.
#[derive(Clone, Copy, Debug)]
pub struct FileScope<'a> {
    /// Its facts, references included.
    pub facts: &'a FileFacts,
    /// Its path.
    pub path: &'a RepoPath,
    /// The project that compiles it.
    pub project: &'a ProjectScope,
}
