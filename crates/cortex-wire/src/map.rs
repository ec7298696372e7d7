//! The answer of `map`.

use cortex_model::{Accessibility, DeclKind, RepoPath, TypeKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Documentation;

/// A part of a repository.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "kind", content = "name")]
pub enum Area {
    /// All of it.
    Repository,
    /// A namespace with those below it.
    Namespace(String),
    /// A project.
    Project(RepoPath),
    /// A folder with those below it, or a file.
    Folder(RepoPath),
}

impl Area {
    /// What kind of part it is.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Repository => "repository",
            Self::Namespace(_) => "namespace",
            Self::Project(_) => "project",
            Self::Folder(path) if path.extension().eq_ignore_ascii_case("cs") => "file",
            Self::Folder(_) => "folder",
        }
    }

    /// Its name; empty for the repository.
    pub fn name(&self) -> &str {
        match self {
            Self::Repository => "",
            Self::Namespace(name) => name,
            Self::Project(path) | Self::Folder(path) => path.as_str(),
        }
    }
}

/// The answer of `map`, and of `outline` for a part of a repository.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MapAnswer {
    /// What it shows.
    pub area: Area,
    /// What it is drawn around.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub focus: Vec<MapFocus>,
    /// How many types there are, those of test projects left out where they are not shown.
    pub n_types: usize,
    /// How many types of test projects are left out.
    pub n_test_types: usize,
    /// Projects that have types in it, by path.
    pub projects: Vec<MapProject>,
}

/// What a map is drawn around.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MapFocus {
    /// As asked for.
    pub asked: String,
    /// What that means: a type's canonical name, or the name of a part of the repository.
    pub means: String,
    /// Whether nothing is called as asked for, and that is the nearest name.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_corrected: bool,
    /// How many types it has.
    pub n_types: usize,
}

/// A project.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MapProject {
    /// Its path.
    #[serde(rename = "project")]
    pub path: RepoPath,
    /// Its assembly.
    pub assembly: String,
    /// Whether it looks like a test project.
    pub is_test: bool,
    /// How many types it has in this part of the repository.
    pub n_types: usize,
    /// The assemblies of this repository whose types its types use most.
    pub uses: Vec<String>,
    /// Namespaces of which types are shown, by name.
    pub namespaces: Vec<MapNamespace>,
}

/// A namespace.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MapNamespace {
    /// Its name; empty for the global one.
    pub name: String,
    /// How many types it has in this project.
    pub n_types: usize,
    /// The most important types, in that order.
    pub types: Vec<MapType>,
}

/// A type.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MapType {
    /// Canonical name.
    #[serde(rename = "path")]
    pub name: String,
    /// Short id.
    #[serde(rename = "typeId")]
    pub id: String,
    /// Kind of type.
    pub kind: TypeKind,
    /// The most restricted accessibility on the way in.
    pub accessibility: Accessibility,
    /// The declaration as bound, on one line.
    pub declaration: String,
    /// The file of its first declaration.
    pub file: RepoPath,
    /// The line of that.
    pub line: u32,
    /// Its place among all types that are shown, from 1 on: the first is the most important.
    pub rank: usize,
    /// How many names outside of it mean it or one of its members, those in tests left out.
    pub uses: u32,
    /// Its documentation.
    #[serde(
        rename = "documentation",
        default,
        skip_serializing_if = "Documentation::is_empty"
    )]
    pub docs: Documentation,
    /// Members, most used first; of overloads the first.
    pub members: Vec<MapMember>,
    /// How many members it has that could be shown.
    pub n_members: usize,
}

/// A member.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MapMember {
    /// Its simple name.
    pub name: String,
    /// What it declares.
    pub kind: DeclKind,
    /// The declaration as bound, on one line.
    pub declaration: String,
    /// How many further members of this name there are.
    pub n_overloads: usize,
    /// How many names mean it or an overload of it, those in tests left out.
    pub uses: u32,
}
