//! What happened to types and members between two snapshots.

use cortex_model::{Accessibility, ChangeClass, DeclKind, RepoPath, TypeKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Severity, What};

/// A type by name and id.
#[derive(
    Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub struct TypeRef {
    /// Canonical name: ``Ns.Outer`1+Inner``.
    #[serde(rename = "path")]
    pub name: String,
    /// Its short id.
    #[serde(rename = "typeId")]
    pub id: String,
    /// Kind of type.
    pub kind: TypeKind,
}

/// What happened to one type.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TypeChange {
    /// The type; on the new side where it exists there.
    #[serde(rename = "type")]
    pub ty: TypeRef,
    /// Its old name, where it was renamed or moved to another namespace.
    pub renamed_from: Option<String>,
    /// Its old files, where it moved to others.
    pub moved_from: Vec<RepoPath>,
    /// The assembly that had it, where that was another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved_from_assembly: Option<String>,
    /// What changed, the first that applies.
    pub class: ChangeClass,
    /// As seen from outside its assembly.
    pub accessibility: Accessibility,
    /// The project that compiles it.
    pub project: RepoPath,
    /// Whether that is a test project.
    pub is_test: bool,
    /// Its modifiers as declared, on the new side; on the old one if it was removed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modifiers: Vec<String>,
    /// Its base class and interfaces as bound, on the same side.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bases: Vec<String>,
    /// Where it is declared, on the new side; on the old one if it was removed.
    pub files: Vec<RepoPath>,
    /// The 1-based line of its name in the first of `files`.
    pub line: u32,
    /// Whether nothing of it differs but names of types that moved or were renamed, its own among them where it has a
    /// former name, and in bodies those of members that were renamed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub follows_moves: bool,
    /// Its own signature before, where that changed in more than names of types that moved or were renamed.
    pub old_signature: Option<String>,
    /// Its own signature after, where that changed so or it is new.
    pub new_signature: Option<String>,
    /// Changed members: removed, added, then changed, each in canonical order.
    pub members: Vec<MemberChange>,
    /// How many types depend on it directly (on the side where it exists, the new one first).
    pub n_dependents: usize,
    /// Why it may behave otherwise although its own structure is as it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub propagated: Option<Propagated>,
    /// The target frameworks that have it, where not all that compile it do: of answers for all frameworks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frameworks: Vec<String>,
}

/// A change elsewhere that reaches a type.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Propagated {
    /// What it is.
    pub cause: PropagatedCause,
    /// The types that carry it, from the one that changed to the one that this type depends on itself.
    pub path: Vec<String>,
}

/// Why a change reaches a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PropagatedCause {
    /// A type that it depends on, directly or through others, changed its structure or is gone.
    DependencyStructure,
}

/// What happened to a member.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum MemberChangeKind {
    /// It is gone.
    Removed,
    /// It is new.
    Added,
    /// Its signature is another.
    Signature,
    /// Attributes, accessors, constraints or parameter names changed, not its signature.
    Shape,
    /// Its body changed.
    Body,
    /// Only its documentation changed.
    Docs,
    /// It is the same: its type is registered for a service on one side alone. Only of symbols whose users are told.
    Registered,
}

/// One changed member.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberChange {
    /// What happened.
    pub change: MemberChangeKind,
    /// What it declares.
    pub kind: DeclKind,
    /// Its simple name.
    pub name: String,
    /// Its short id within the type.
    #[serde(rename = "memberId")]
    pub id: String,
    /// Its documentation id, on the newer side that has it; only where the impact of a change is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doc_id: Option<String>,
    /// Its accessibility; the newer one.
    pub accessibility: Accessibility,
    /// Its modifiers as declared; the newer ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modifiers: Vec<String>,
    /// Whether nothing of it differs but names of types that moved or were renamed and, in its body, of members that were
    /// renamed: it runs what it ran. It has no code then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub follows_moves: bool,
    /// Canonical signature before; `None` if it is new.
    pub old_signature: Option<String>,
    /// Canonical signature after; `None` if it is gone.
    pub new_signature: Option<String>,
    /// What changed beside the signature, in words; where it was renamed from, moved from or to.
    pub notes: Vec<String>,
    /// The parameters that differ, where both sides have the member: those that are gone last, else in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<ParameterChange>,
    /// Where it stands; on the old side if it is gone.
    #[serde(rename = "file")]
    pub path: RepoPath,
    /// The 1-based line of its name.
    pub line: u32,
    /// Whether it has a body that runs when it is used: its own or an accessor's; the newer one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_body: bool,
    /// Its whole text, old and new merged line by line. One that moved here from another type has its text there as
    /// the old one, and there none.
    pub code: Vec<CodeLine>,
    /// Whether it is proven to mean what it meant, where that was to be proven.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_proven: bool,
    /// The target frameworks that have it, where not all that compile it do: of answers for all frameworks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frameworks: Vec<String>,
}

impl MemberChange {
    /// The note at a member of which only annotations about null differ.
    pub const ANNOTATION_ONLY: &str = "annotation only";

    /// Whether only annotations about null differ: those of reference types, and a first value `null!` or `default!`.
    pub fn is_annotation_only(&self) -> bool {
        self.notes.iter().any(|note| note == Self::ANNOTATION_ONLY)
    }

    /// The note at a member that more code sees, and of which nothing else differs.
    pub const ONLY_WIDER: &str = "more accessible";

    /// The note at a private method that is static and was not, and of which nothing else differs.
    pub const ONLY_STATIC: &str = "static now";

    /// The note at a private method that was static, and of which nothing else differs.
    pub const ONLY_OF_OBJECTS: &str = "no longer static";

    /// The note at a member of which the code differs in `!` behind values and in commas at the ends of lists alone, or in
    /// names that stand for an expression of its type.
    pub const ONLY_SPELLING: &str = "runs the same";

    /// Whether whoever used it runs what it ran, without any difference: only more code sees it, a private method came to
    /// be static or is it no longer, or its code is spelled otherwise.
    pub fn is_unnoticed(&self) -> bool {
        let unnoticed = [
            Self::ONLY_WIDER,
            Self::ONLY_STATIC,
            Self::ONLY_OF_OBJECTS,
            Self::ONLY_SPELLING,
        ];
        let mut notes = self.notes.iter();
        notes.any(|note| unnoticed.contains(&note.as_str()))
    }

    /// The note at a member that its type alone sees now, and of which nothing else differs.
    pub const ONLY_NARROWER: &str = "less accessible";

    /// Whether only its type sees it now: whoever used it there runs what it ran, others do not compile.
    pub fn is_only_narrower(&self) -> bool {
        self.notes.iter().any(|note| note == Self::ONLY_NARROWER)
    }

    /// Attributes that tell people or tools something, and change nothing that runs.
    const DESCRIBING: [&str; 6] = [
        "EditorBrowsable",
        "EndpointDescription",
        "EndpointSummary",
        "Obsolete",
        "SuppressMessage",
        "SwaggerOperation",
    ];

    /// Whether nothing differs but attributes that tell people something.
    pub fn is_only_described_otherwise(&self) -> bool {
        let describes = |note: &String| {
            let name = note.strip_prefix("`[");
            let name = name.and_then(|rest| rest.split(['(', ']']).next());
            name.is_some_and(|name| Self::DESCRIBING.contains(&name))
        };
        self.change == MemberChangeKind::Shape
            && !self.notes.is_empty()
            && self.notes.iter().all(describes)
    }

    /// Whether it is declared with `override`.
    pub fn is_override(&self) -> bool {
        self.modifiers.iter().any(|it| it == "override")
    }

    /// Starts the note at a member that had another name.
    pub const RENAMED_FROM: &str = "renamed from";

    /// Ends that note where nothing else of the member differs.
    pub const OTHERWISE_UNCHANGED: &str = ", otherwise unchanged";

    /// The note of a member that has another signature or shape, and another body.
    pub const BODY_TOO: &str = "body changed too";

    /// Its former name, where that was another one.
    pub fn renamed_from(&self) -> Option<&str> {
        let mut notes = self.notes.iter();
        notes.find_map(|note| note.strip_prefix(Self::RENAMED_FROM)?.split('`').nth(1))
    }

    /// Whether only its name is another: whoever used it runs what it ran.
    pub fn is_only_renamed(&self) -> bool {
        let mut notes = self.notes.iter();
        notes.any(|note| {
            note.starts_with(Self::RENAMED_FROM) && note.ends_with(Self::OTHERWISE_UNCHANGED)
        })
    }

    /// Starts the note at a member that stands in another type now.
    pub const MOVED_TO: &str = "moved to";

    /// Whether it stands in another type now, where it is told as well.
    pub fn is_moved(&self) -> bool {
        (self.notes.iter()).any(|note| note.starts_with(Self::MOVED_TO))
    }

    /// The notes, but for the one that has the names of all parameters where [`MemberChange::parameters`] says which
    /// differ.
    pub fn notes_beside_parameters(&self) -> impl Iterator<Item = &str> {
        let is_told = |note: &&str| !self.parameters.is_empty() && note.starts_with("parameters `");
        let notes = self.notes.iter().map(String::as_str);
        notes.filter(move |note| !is_told(note))
    }
}

/// A parameter that one side has, or that both have and that differs.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ParameterChange {
    /// What happened.
    pub what: What,
    /// Its place in the list, from 1; in the older one if it is gone.
    pub position: usize,
    /// Its modifiers, type and name, and its default value.
    pub text: String,
    /// The same of the older side, where it changed; equal to `text` where its place alone did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
}

/// One line of a member's text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodeLine {
    /// Which side has it.
    pub kind: CodeLineKind,
    /// Its text, without the line break.
    pub text: String,
}

/// Which side has a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CodeLineKind {
    /// Both.
    Context,
    /// The new one.
    Added,
    /// The old one.
    Removed,
}

/// One change of the public API.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApiChange {
    /// How bad.
    pub severity: Severity,
    /// The identifier of the rule: `CP0001`… of the .NET SDK's compatibility check, `CX1001`… of our own.
    pub rule: Option<String>,
    /// The type.
    #[serde(rename = "type")]
    pub ty: String,
    /// The member that is meant, in a few characters; `None` for the type itself.
    pub member: Option<String>,
    /// What is meant as the SDK's check writes it: a documentation id, with suffixes for parameters and attributes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// What happened, in words.
    pub reason: String,
    /// The canonical name of the type now, where it moved or was renamed and is missed under this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved_to: Option<String>,
    /// Whether it says nothing but that types have other names: a member or a type that names them, or the new name itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub follows_moves: bool,
    /// The target frameworks that have it, where not all that compile it do: of answers for all frameworks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frameworks: Vec<String>,
}
