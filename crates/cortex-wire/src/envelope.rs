//! The envelope around every answer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Filter, Next, ScopeProblem};

/// The version of [`Envelope`] and of all answers in it.
pub const ENVELOPE_SCHEMA: u32 = 4;

/// An answer, with what it is an answer to.
///
/// Equal requests about equal repositories give equal envelopes: except for [`Timing`], which a client requests, nothing
/// in it depends on the clock or the process.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Envelope<A> {
    /// The version of this form.
    pub schema: u32,
    /// The name of the operation, such as `usages` or `search-text`.
    pub operation: String,
    /// The commit that the answer describes; absent where the operation reads no commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<At>,
    /// The older side of a comparison.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<At>,
    /// The target frameworks that the answer unites, the newest first, where the request is about all of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frameworks: Vec<String>,
    /// The filter of the request, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limited_to: Option<Filter>,
    /// What is missing from the answer.
    #[serde(default, skip_serializing_if = "Limits::is_none")]
    pub limits: Limits,
    /// What makes the answer less certain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// Requests that lead further.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<Next>,
    /// How long the answer took, where the client requests it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timing: Option<Timing>,
    /// The answer.
    pub answer: A,
}

/// A commit, and the changes of the index or work tree on top of it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct At {
    /// The commit's full id; absent before the first commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The digest of what the index or work tree changes; absent for a commit itself, and where nothing differs from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overlay: Option<String>,
}

/// How long an answer took, in microseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Timing {
    /// From the request to the answer, indexing included.
    pub total_micros: u64,
    /// Of `search-safe`: what it took beyond listing and searching files, to detect areas and to weigh them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overhead_micros: Option<u64>,
    /// Of `search-safe` and `areas`: whether the areas were cached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached: Option<bool>,
}

/// What is missing from an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Limits {
    /// The answer has fewer items than there are, because the request limits their number.
    #[serde(default, skip_serializing_if = "is_false")]
    pub cut: bool,
    /// The time limit was reached before everything was searched.
    #[serde(default, skip_serializing_if = "is_false")]
    pub timed_out: bool,
    /// The caller canceled the request before everything was searched.
    #[serde(default, skip_serializing_if = "is_false")]
    pub canceled: bool,
}

impl Limits {
    /// Whether nothing is missing.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// Whether something is missing.
    pub fn is_partial(&self) -> bool {
        !self.is_none()
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
pub(crate) fn is_false(value: &bool) -> bool {
    !value
}

/// Something that makes an answer less certain.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "kind",
    rename_all = "kebab-case",
    rename_all_fields = "camelCase"
)]
pub enum Note {
    /// There are no C# files.
    NoSources,
    /// C# files of which some places did not parse.
    DegradedFiles {
        /// How many files.
        files: u64,
    },
    /// C# files that were not parsed at all.
    SkippedFiles {
        /// How many files.
        files: u64,
    },
    /// Files that git could not read, and that the answer was made without.
    UnreadFiles {
        /// The files.
        files: Vec<UnreadFile>,
    },
    /// A scope means something, but maybe not what was intended.
    Scope(ScopeProblem),
}

/// A file that git could not read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnreadFile {
    /// Its path.
    pub file: String,
    /// The id of its contents.
    pub blob: String,
    /// Why it could not be read.
    pub reason: UnreadReason,
}

/// Why git could not read a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum UnreadReason {
    /// The object is not in this repository, as in a partial clone.
    Absent,
    /// The object is damaged.
    Damaged,
}

impl<A> Envelope<A> {
    /// The same envelope around what is made of its answer.
    pub fn map<B>(self, make: impl FnOnce(A) -> B) -> Envelope<B> {
        Envelope {
            schema: self.schema,
            operation: self.operation,
            at: self.at,
            base: self.base,
            frameworks: self.frameworks,
            limited_to: self.limited_to,
            limits: self.limits,
            notes: self.notes,
            next: self.next,
            timing: self.timing,
            answer: make(self.answer),
        }
    }
}

impl<A, F> Envelope<Result<A, F>> {
    /// The same envelope around the value, or the error.
    ///
    /// # Errors
    /// What is made of the answer's error.
    pub fn transpose<E>(self, make: impl FnOnce(F) -> E) -> Result<Envelope<A>, E> {
        let Envelope {
            schema,
            operation,
            at,
            base,
            frameworks,
            limited_to,
            limits,
            notes,
            next,
            timing,
            answer,
        } = self;
        Ok(Envelope {
            schema,
            operation,
            at,
            base,
            frameworks,
            limited_to,
            limits,
            notes,
            next,
            timing,
            answer: answer.map_err(make)?,
        })
    }
}
