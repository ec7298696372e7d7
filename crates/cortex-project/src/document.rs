//! One project file as MSBuild reads it: property groups, item groups, imports and choices, in order.
//!
//! Parsed once, whatever number of projects imports it. Must not know: the values of properties.

mod reader;

use cortex_model::RepoPath;
use reader::Reader;

use crate::{
    condition::Condition,
    template::Template,
    xml::{Malformed, Tree},
};

/// How deep `Choose` may nest; deeper ones are left out.
const MAX_DEPTH: usize = 16;

/// A parsed file.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) path: RepoPath,
    /// The SDKs that `<Project Sdk="…">` and `<Sdk Name="…"/>` name, in order, with their versions.
    pub(crate) sdks: Vec<SdkName>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) properties: Vec<Property>,
    pub(crate) item_groups: Vec<ItemGroup>,
    pub(crate) targets: Vec<Target>,
    /// Item types in lower case that some text of the file reads through `@(…)` or `%(….…)`.
    pub(crate) item_types_read: Vec<Box<str>>,
    /// What is wrong with the file itself.
    pub(crate) malformed: Option<Malformed>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SdkName {
    pub(crate) name: String,
    pub(crate) version: Option<String>,
    pub(crate) line: u32,
}

/// What properties and imports are evaluated from, in document order.
#[derive(Debug)]
pub(crate) enum Node {
    /// Properties by their index range in [`Document::properties`].
    Properties {
        condition: Option<Condition>,
        range: std::ops::Range<usize>,
        line: u32,
    },
    Imports {
        condition: Option<Condition>,
        imports: Vec<Import>,
        line: u32,
    },
    /// An item group by its index in [`Document::item_groups`].
    Items(usize),
    Choose(Vec<Branch>),
}

#[derive(Debug)]
pub(crate) struct Property {
    /// In lower case.
    pub(crate) name: Box<str>,
    pub(crate) value: Template,
    pub(crate) condition: Option<Condition>,
    pub(crate) line: u32,
}

#[derive(Debug)]
pub(crate) struct Import {
    pub(crate) project: Template,
    pub(crate) sdk: Option<String>,
    pub(crate) condition: Option<Condition>,
    pub(crate) line: u32,
}

/// `When`, or `Otherwise` where there is no condition.
#[derive(Debug)]
pub(crate) struct Branch {
    pub(crate) condition: Option<Condition>,
    pub(crate) body: Vec<Node>,
    pub(crate) line: u32,
}

#[derive(Debug)]
pub(crate) struct ItemGroup {
    pub(crate) condition: Option<Condition>,
    pub(crate) items: Vec<ItemElement>,
    /// Whether it sets defaults of metadata (`ItemDefinitionGroup`) instead of making items.
    pub(crate) role: GroupRole,
    pub(crate) line: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum GroupRole {
    Items,
    Definitions,
}

#[derive(Debug)]
pub(crate) struct ItemElement {
    /// In lower case.
    pub(crate) item_type: Box<str>,
    pub(crate) operation: Operation,
    pub(crate) condition: Option<Condition>,
    pub(crate) metadata: Vec<Metadatum>,
    pub(crate) line: u32,
}

#[derive(Debug)]
pub(crate) enum Operation {
    Include {
        include: Template,
        exclude: Option<Template>,
    },
    Remove(Template),
    Update(Template),
    /// An element of an `ItemDefinitionGroup`.
    Define,
}

#[derive(Debug)]
pub(crate) struct Metadatum {
    /// In lower case.
    pub(crate) name: Box<str>,
    pub(crate) value: Template,
    pub(crate) condition: Option<Condition>,
}

/// A target that hooks itself into the build, with the items that it makes.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) condition: Option<Condition>,
    pub(crate) item_groups: Vec<ItemGroup>,
    pub(crate) line: u32,
}

impl Document {
    /// Reads the text of a file. What cannot be read is empty and says so in `malformed`.
    pub(crate) fn parse(path: RepoPath, text: &str) -> Self {
        let mut document = Self {
            path,
            sdks: Vec::new(),
            nodes: Vec::new(),
            properties: Vec::new(),
            item_groups: Vec::new(),
            targets: Vec::new(),
            item_types_read: item_types_read(text),
            malformed: None,
        };
        match Tree::parse(text) {
            Err(malformed) => document.malformed = Some(malformed),
            Ok(tree) => {
                let mut reader = Reader {
                    tree: &tree,
                    document: &mut document,
                };
                reader.project(tree.root());
            }
        }
        document
    }
}

/// The item types in `@(Type…)` and `%(Type.…)` anywhere in a text, in lower case, sorted.
fn item_types_read(text: &str) -> Vec<Box<str>> {
    let mut types = Vec::new();
    for (at, _) in text.match_indices("@(").chain(text.match_indices("%(")) {
        let rest = text[at + 2..].trim_start();
        let end = crate::template::identifier_end(rest);
        let after = rest[end..].trim_start();
        let is_type = text.as_bytes()[at] == b'@' || after.starts_with('.');
        if end > 0 && is_type {
            types.push(rest[..end].to_ascii_lowercase().into_boxed_str());
        }
    }
    types.sort_unstable();
    types.dedup();
    types
}

#[cfg(test)]
mod tests {
    use super::{Document, Node};

    fn parse(text: &str) -> Document {
        Document::parse("a.csproj".into(), text)
    }

    #[test]
    fn sdks_are_named_by_the_attribute_and_by_elements() {
        let document = parse(r#"<Project Sdk="A/1.0; B"><Sdk Name="C" Version="2"/></Project>"#);
        let names: Vec<_> = document.sdks.iter().map(|sdk| &*sdk.name).collect();
        assert_eq!(names, ["A", "B", "C"]);
        assert_eq!(document.sdks[0].version.as_deref(), Some("1.0"));
    }

    #[test]
    fn an_old_namespace_changes_nothing() {
        let document = parse(
            r#"<Project xmlns="http://schemas.microsoft.com/developer/msbuild/2003">
<PropertyGroup><A>1</A></PropertyGroup><ItemGroup><Compile Include="x.cs"/></ItemGroup></Project>"#,
        );
        assert_eq!(document.nodes.len(), 2);
        assert_eq!(document.properties[0].line, 2);
    }

    #[test]
    fn nested_choices_end() {
        let text = format!(
            "<Project>{}{}</Project>",
            "<Choose><Otherwise>".repeat(5_000),
            "</Otherwise></Choose>".repeat(5_000)
        );
        assert!(matches!(parse(&text).nodes.as_slice(), [Node::Choose(_)]));
    }

    #[test]
    fn another_root_element_is_said() {
        assert!(parse("<html/>").malformed.is_some());
        assert!(parse("<Project>").malformed.is_some());
        assert_eq!(
            parse("<Project>@(a->'%(b.c) %(d)')</Project>").item_types_read,
            ["a".into(), "b".into()]
        );
    }
}
