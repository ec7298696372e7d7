//! The answer of `outline` for a symbol.

use cortex_model::{Accessibility, DeclKind, EdgeKind, RepoPath, TypeKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{DocsShown, Documentation, MapAnswer, SourcePart, Subject};

/// The answer of `outline` for a symbol.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OutlineAnswer {
    /// What it is about.
    pub subject: Subject,
    /// The type; where members are asked for, the type that has them, with these alone.
    #[serde(rename = "type")]
    pub ty: TypeOutline,
    /// Whether members are asked for.
    pub is_of_members: bool,
    /// How much of the documentation is wanted.
    pub docs: DocsShown,
    /// The code, where it is wanted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub source: Vec<SourcePart>,
}

/// A type.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TypeOutline {
    /// Canonical name.
    #[serde(rename = "path")]
    pub name: String,
    /// Short id.
    #[serde(rename = "typeId")]
    pub id: String,
    /// Documentation id.
    pub doc_id: String,
    /// Kind of type.
    pub kind: TypeKind,
    /// The most restricted accessibility on the way in.
    pub accessibility: Accessibility,
    /// Canonical signature.
    pub signature: String,
    /// The declaration as bound, on one line.
    pub declaration: String,
    /// The assembly.
    pub assembly: String,
    /// The project.
    pub project: RepoPath,
    /// Whether a file of it was understood in part only.
    pub degraded: bool,
    /// Its declarations.
    pub files: Vec<OutlinePlace>,
    /// What tells two states of it apart.
    pub hashes: OutlineHashes,
    /// Its documentation.
    #[serde(
        rename = "documentation",
        default,
        skip_serializing_if = "Documentation::is_empty"
    )]
    pub docs: Documentation,
    /// Base class and interfaces, those of this repository first.
    pub implements: Vec<OutlineType>,
    /// What it depends on of this repository, most used first.
    pub depends_on: Vec<OutlineDependency>,
    /// How many there are.
    pub n_depends_on: usize,
    /// How many types from outside it depends on.
    pub n_outside: usize,
    /// Who depends on it, who uses it most first.
    pub used_by: Vec<OutlineDependency>,
    /// How many there are.
    pub n_used_by: usize,
    /// Members, by kind, in the order of the source.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<MemberOutline>,
    /// How many members are not shown.
    pub n_hidden: usize,
    /// Types inside of it that are shown as outlines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nested: Vec<TypeOutline>,
    /// Types inside of it that are only named.
    pub nested_names: Vec<OutlineType>,
}

/// A declaration.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OutlinePlace {
    /// The file.
    pub file: RepoPath,
    /// The 1-based line of the name.
    pub line: u32,
    /// The last line.
    pub end_line: u32,
    /// The target frameworks that have it, where not all that compile it do: of answers for all frameworks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frameworks: Vec<String>,
}

/// The hashes of a type, cut short.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OutlineHashes {
    /// What others can see of its shape.
    pub structure: String,
    /// All code in it.
    pub implementation: String,
    /// Its documentation.
    pub documentation: String,
}

/// A type by its name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OutlineType {
    /// Canonical name; of a type from outside, its documentation id without the letter.
    #[serde(rename = "path")]
    pub name: String,
    /// Short id; left out for types from outside.
    #[serde(rename = "typeId", default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The target frameworks that have it, where not all that compile it do: of answers for all frameworks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frameworks: Vec<String>,
}

/// A type that depends on another, or is depended on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OutlineDependency {
    /// Canonical name.
    #[serde(rename = "path")]
    pub name: String,
    /// Short id.
    #[serde(rename = "typeId")]
    pub id: String,
    /// Why.
    pub kinds: Vec<EdgeKind>,
    /// At how many places.
    pub count: u32,
    /// The target frameworks that have it, where not all that compile it do: of answers for all frameworks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frameworks: Vec<String>,
}

/// A member.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberOutline {
    /// What it declares.
    pub kind: DeclKind,
    /// Its simple name.
    pub name: String,
    /// Short id within the type.
    #[serde(rename = "memberId")]
    pub id: String,
    /// Documentation id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doc_id: Option<String>,
    /// Who may use it.
    pub accessibility: Accessibility,
    /// Canonical signature.
    pub signature: String,
    /// The declaration as written, on one line; of what is not written itself, as bound.
    pub declaration: String,
    /// The file.
    pub file: RepoPath,
    /// The 1-based line of its name.
    pub line: u32,
    /// Its documentation.
    #[serde(
        rename = "documentation",
        default,
        skip_serializing_if = "Documentation::is_empty"
    )]
    pub docs: Documentation,
    /// The target frameworks that have it, where not all that compile it do: of answers for all frameworks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frameworks: Vec<String>,
}

/// The answer of `outline`: of a symbol its outline, of a part of the repository its map.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(
    clippy::large_enum_variant,
    reason = "one value is made for each request"
)]
pub enum OutlineOrMap {
    /// Of a symbol.
    Outline(OutlineAnswer),
    /// Of a namespace, project or folder.
    Map(MapAnswer),
}
