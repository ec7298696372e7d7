//! XML elements to the parts of a [`Document`].

use roxmltree::Node as XmlNode;

use crate::{
    condition::Condition,
    template::Template,
    xml::{Malformed, Tree, attribute, text_of},
};

use super::{
    Branch, Document, GroupRole, Import, ItemElement, ItemGroup, MAX_DEPTH, Metadatum, Node,
    Operation, Property, SdkName, Target,
};

pub(super) struct Reader<'r, 't> {
    pub(super) tree: &'r Tree<'t>,
    pub(super) document: &'r mut Document,
}

impl Reader<'_, '_> {
    pub(super) fn project(&mut self, root: XmlNode<'_, '_>) {
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
        metadata.extend(
            item.children()
                .filter(XmlNode::is_element)
                .map(|child| Metadatum {
                    name: child.tag_name().name().to_ascii_lowercase().into(),
                    value: Template::parse(&text_of(child)),
                    condition: condition(child),
                }),
        );
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
