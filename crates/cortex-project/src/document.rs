//! One project file as MSBuild reads it: property groups, item groups, imports and choices, in order.
//!
//! Parsed once, whatever number of projects imports it. Must not know: the values of properties.

use cortex_model::RepoPath;
use roxmltree::Node as XmlNode;

use crate::{
    condition::Condition,
    template::Template,
    xml::{Malformed, Tree, attribute, text_of},
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

struct Reader<'r, 't> {
    tree: &'r Tree<'t>,
    document: &'r mut Document,
}

impl Reader<'_, '_> {
    fn project(&mut self, root: XmlNode<'_, '_>) {
        if root.tag_name().name() != "Project" {
            self.document.malformed = Some(Malformed {
                line: self.tree.line(root),
                message: format!("the root element is `{}`", root.tag_name().name()),
            });
            return;
        }
        for sdk in attribute(root, "Sdk").unwrap_or_default().split(';') {
            let (name, version) = match sdk.split_once('/') {
                Some((name, version)) => (name, Some(version)),
                None => (sdk, None),
            };
            self.sdk(name, version, root);
        }
        for child in root.children().filter(|child| child.is_named("Sdk")) {
            let name = attribute(child, "Name").unwrap_or_default();
            self.sdk(name, attribute(child, "Version"), child);
        }
        self.document.nodes = self.nodes(root, 0);
        for child in root.children().filter(|child| child.is_named("Target")) {
            self.target(child);
        }
    }

    fn sdk(&mut self, name: &str, version: Option<&str>, at: XmlNode<'_, '_>) {
        if !name.trim().is_empty() {
            let line = self.tree.line(at);
            self.document.sdks.push(SdkName {
                name: name.trim().to_owned(),
                version: version.map(|version| version.trim().to_owned()),
                line,
            });
        }
    }

    fn nodes(&mut self, parent: XmlNode<'_, '_>, depth: usize) -> Vec<Node> {
        let mut nodes = Vec::new();
        for child in parent.children().filter(XmlNode::is_element) {
            let line = self.tree.line(child);
            match child.tag_name().name() {
                "PropertyGroup" => nodes.push(self.properties(child)),
                "ItemGroup" => nodes.push(self.items(child, GroupRole::Items)),
                "ItemDefinitionGroup" => nodes.push(self.items(child, GroupRole::Definitions)),
                "Import" => nodes.push(Node::Imports {
                    condition: None,
                    imports: vec![self.import(child)],
                    line,
                }),
                "ImportGroup" => nodes.push(Node::Imports {
                    condition: condition(child),
                    imports: child
                        .children()
                        .filter(|import| import.is_named("Import"))
                        .map(|import| self.import(import))
                        .collect(),
                    line,
                }),
                "Choose" if depth < MAX_DEPTH => nodes.push(self.choose(child, depth)),
                _ => {}
            }
        }
        nodes
    }

    fn choose(&mut self, choose: XmlNode<'_, '_>, depth: usize) -> Node {
        let mut branches = Vec::new();
        for child in choose.children().filter(XmlNode::is_element) {
            let condition = match child.tag_name().name() {
                "When" => Some(condition(child).unwrap_or_else(|| Condition::parse(""))),
                "Otherwise" => None,
                _ => continue,
            };
            branches.push(Branch {
                condition,
                body: self.nodes(child, depth + 1),
                line: self.tree.line(child),
            });
        }
        Node::Choose(branches)
    }

    fn properties(&mut self, group: XmlNode<'_, '_>) -> Node {
        let start = self.document.properties.len();
        for child in group.children().filter(XmlNode::is_element) {
            self.document.properties.push(Property {
                name: child.tag_name().name().to_ascii_lowercase().into(),
                value: Template::parse(&text_of(child)),
                condition: condition(child),
                line: self.tree.line(child),
            });
        }
        Node::Properties {
            condition: condition(group),
            range: start..self.document.properties.len(),
            line: self.tree.line(group),
        }
    }

    fn import(&self, import: XmlNode<'_, '_>) -> Import {
        Import {
            project: Template::parse(attribute(import, "Project").unwrap_or_default()),
            sdk: attribute(import, "Sdk").map(str::to_owned),
            condition: condition(import),
            line: self.tree.line(import),
        }
    }

    fn items(&mut self, group: XmlNode<'_, '_>, role: GroupRole) -> Node {
        let group = self.item_group(group, role);
        self.document.item_groups.push(group);
        Node::Items(self.document.item_groups.len() - 1)
    }

    fn item_group(&self, group: XmlNode<'_, '_>, role: GroupRole) -> ItemGroup {
        ItemGroup {
            condition: condition(group),
            items: group
                .children()
                .filter(XmlNode::is_element)
                .filter_map(|item| self.item(item, role))
                .collect(),
            role,
            line: self.tree.line(group),
        }
    }

    fn item(&self, item: XmlNode<'_, '_>, role: GroupRole) -> Option<ItemElement> {
        let template = |name: &str| attribute(item, name).map(Template::parse);
        let operation = match role {
            GroupRole::Definitions => Operation::Define,
            GroupRole::Items => {
                if let Some(include) = template("Include") {
                    Operation::Include {
                        include,
                        exclude: template("Exclude"),
                    }
                } else if let Some(remove) = template("Remove") {
                    Operation::Remove(remove)
                } else {
                    Operation::Update(template("Update")?)
                }
            }
        };
        let mut metadata: Vec<Metadatum> = item
            .attributes()
            .filter(|attribute| !is_item_attribute(attribute.name()))
            .map(|attribute| Metadatum {
                name: attribute.name().to_ascii_lowercase().into(),
                value: Template::parse(attribute.value()),
                condition: None,
            })
            .collect();
        metadata.extend(item.children().filter(XmlNode::is_element).map(|child| Metadatum {
            name: child.tag_name().name().to_ascii_lowercase().into(),
            value: Template::parse(&text_of(child)),
            condition: condition(child),
        }));
        Some(ItemElement {
            item_type: item.tag_name().name().to_ascii_lowercase().into(),
            operation,
            condition: condition(item),
            metadata,
            line: self.tree.line(item),
        })
    }

    /// Only targets that hook themselves before or after others run in every build.
    fn target(&mut self, target: XmlNode<'_, '_>) {
        let hooked = ["BeforeTargets", "AfterTargets"]
            .iter()
            .any(|name| attribute(target, name).is_some_and(|list| !list.trim().is_empty()));
        if !hooked {
            return;
        }
        let item_groups: Vec<ItemGroup> = target
            .children()
            .filter(|child| child.is_named("ItemGroup"))
            .map(|group| self.item_group(group, GroupRole::Items))
            .collect();
        if !item_groups.is_empty() {
            let line = self.tree.line(target);
            self.document.targets.push(Target {
                condition: condition(target),
                item_groups,
                line,
            });
        }
    }
}

/// Names of elements are compared without their namespace: older projects have one, newer have none.
trait LocalName {
    fn is_named(&self, name: &str) -> bool;
}

impl LocalName for XmlNode<'_, '_> {
    fn is_named(&self, name: &str) -> bool {
        self.is_element() && self.tag_name().name() == name
    }
}

fn condition(node: XmlNode<'_, '_>) -> Option<Condition> {
    attribute(node, "Condition")
        .filter(|text| !text.trim().is_empty())
        .map(Condition::parse)
}

fn is_item_attribute(name: &str) -> bool {
    [
        "Include",
        "Exclude",
        "Remove",
        "Update",
        "Condition",
        "Label",
        "KeepMetadata",
        "RemoveMetadata",
        "KeepDuplicates",
        "MatchOnMetadata",
        "MatchOnMetadataOptions",
    ]
    .iter()
    .any(|known| known.eq_ignore_ascii_case(name))
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
