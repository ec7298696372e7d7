//! Changed files with their hunks.

use cortex_model::RepoPath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{CodeLine, CodePlace, FileStatus};

/// What a changed file is.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum FileKind {
    /// C# source.
    Source,
    /// Decides how projects are built.
    Project,
    /// Another text.
    Text,
    /// Not a text.
    Binary,
    /// A commit of another repository.
    Submodule,
}

/// One changed file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangedFile {
    /// Its path; the new one of a renamed file.
    #[serde(rename = "file")]
    pub path: RepoPath,
    /// Its old path, where it was renamed.
    #[serde(rename = "oldFile")]
    pub old_path: Option<RepoPath>,
    /// What happened to it.
    pub status: FileStatus,
    /// What it is.
    pub kind: FileKind,
    /// Whether a tool wrote it: C# of which the name or the comment at the beginning says so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_generated: bool,
    /// Git's mode before; 0 where it did not exist.
    pub old_mode: u32,
    /// Git's mode after; 0 where it does not exist.
    pub new_mode: u32,
    /// Blob ids before and after.
    pub blobs: (Option<String>, Option<String>),
    /// Similarity of a renamed file, in percent.
    pub similarity: Option<u8>,
    /// Lines added.
    pub added: usize,
    /// Lines deleted.
    pub deleted: usize,
    /// Its hunks, with three lines of context, for the patch; where they are not asked for, those of short changes of texts
    /// that are no code. Empty for binary files.
    pub hunks: Vec<Hunk>,
    /// Of a text that is no code: unchanged files of its folder that begin with the same name and have the same extension,
    /// such as another form of a template, another environment of a configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<RepoPath>,
    /// Of a file of JSON, the unchanged files of its name in other folders that have the object or list around changed lines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub same_section: Vec<RepoPath>,
    /// Of a text that is no code: where strings of the product name it, and lines of scripts, builds and documents.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub named_at: Vec<CodePlace>,
}

/// One hunk of a unified diff.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Hunk {
    /// First line and number of lines before; 1-based, as in `@@ -1,3 +1,4 @@`.
    pub old: (u32, u32),
    /// First line and number of lines after.
    pub new: (u32, u32),
    /// What the hunk touches: member or type, with what happened to it.
    pub label: Option<String>,
    /// Its lines; the text keeps no line break.
    pub lines: Vec<CodeLine>,
    /// Whether the last line of the old side lacks its line break, and that of the new side.
    pub no_newline: (bool, bool),
}
