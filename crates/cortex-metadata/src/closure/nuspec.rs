//! Package descriptions: what a package depends on, by framework.
//!
//! Must not know: which versions are present.

use cortex_model::costly_markup;
use roxmltree::{Document, Node, ParsingOptions};

use super::{framework::Framework, version::Range};

/// Descriptions of more bytes are not read.
pub(crate) const MAX_BYTES: u64 = 4 << 20;
const MAX_NODES: u32 = 100_000;

/// Reads a description and forgets it: for fuzzing.
#[doc(hidden)]
pub fn read_description(text: &str) {
    Nuspec::parse(text);
}

/// What a package says about itself.
#[derive(Default, Debug)]
pub(crate) struct Nuspec {
    dependencies: Groups<Dependency>,
    /// The files of `lib` that compilers see, where not all.
    references: Groups<String>,
    framework_references: Groups<String>,
}

/// A wish for another package.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Dependency {
    pub(crate) id: String,
    pub(crate) range: Range,
    /// As written; may be empty.
    pub(crate) version: String,
    pub(crate) compile: Compile,
}

/// Whether compilers see the assemblies of a package.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Compile {
    /// It is only there for the build or at run time.
    Hidden,
    /// They do.
    #[default]
    Visible,
}

/// Lists by framework; `None` is the list for any framework.
#[derive(Debug)]
struct Groups<T>(Vec<(Option<Framework>, Vec<T>)>);

impl<T> Default for Groups<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Groups<T> {
    /// The list of the nearest framework. `None` where there are no lists at all.
    fn nearest(&self, framework: &Framework) -> Option<&[T]> {
        if self.0.is_empty() {
            return None;
        }
        let frameworks: Vec<_> = self
            .0
            .iter()
            .map(|(made_for, _)| made_for.clone())
            .collect();
        Some(match framework.nearest(&frameworks) {
            Some(place) => &self.0[place].1,
            None => &[],
        })
    }
}

impl Nuspec {
    /// Reads a description; one that is no XML is empty.
    pub(crate) fn parse(text: &str) -> Self {
        Self::try_parse(text).unwrap_or_default()
    }

    fn try_parse(text: &str) -> Option<Self> {
        let options = ParsingOptions {
            nodes_limit: MAX_NODES,
            ..ParsingOptions::default()
        };
        let text = text.trim_start_matches('\u{feff}').trim_start();
        if costly_markup(text).is_some() {
            return None;
        }
        let document = Document::parse_with_options(text, options).ok()?;
        let metadata = child(document.root_element(), "metadata")?;
        let named = |attribute| {
            move |node: Node<'_, '_>| {
                node.attribute(attribute)
                    .map(|value| value.trim().to_owned())
            }
        };
        Some(Self {
            dependencies: groups(metadata, "dependencies", "dependency", dependency),
            references: groups(metadata, "references", "reference", named("file")),
            framework_references: groups(
                metadata,
                "frameworkReferences",
                "frameworkReference",
                named("name"),
            ),
        })
    }

    pub(crate) fn dependencies(&self, framework: &Framework) -> &[Dependency] {
        self.dependencies.nearest(framework).unwrap_or_default()
    }

    /// The file names of `lib` that compilers see; `None` for all.
    pub(crate) fn references(&self, framework: &Framework) -> Option<&[String]> {
        self.references.nearest(framework)
    }

    pub(crate) fn framework_references(&self, framework: &Framework) -> &[String] {
        self.framework_references
            .nearest(framework)
            .unwrap_or_default()
    }
}

fn child<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    node.children()
        .find(|child| child.tag_name().name() == name)
}

fn groups<T>(
    metadata: Node<'_, '_>,
    list: &str,
    item: &str,
    read: impl Fn(Node<'_, '_>) -> Option<T>,
) -> Groups<T> {
    let mut groups = Vec::new();
    let Some(list) = child(metadata, list) else {
        return Groups(groups);
    };
    let items = |node: Node<'_, '_>| -> Vec<T> {
        node.children()
            .filter(|child| child.tag_name().name() == item)
            .filter_map(&read)
            .collect()
    };
    let loose = items(list);
    if !loose.is_empty() {
        groups.push((None, loose));
    }
    for group in list.children() {
        if group.tag_name().name() != "group" {
            continue;
        }
        match group.attribute("targetFramework") {
            None | Some("") => groups.push((None, items(group))),
            // Others are frameworks that no project here has.
            Some(name) => groups
                .extend(Framework::parse(name).map(|framework| (Some(framework), items(group)))),
        }
    }
    Groups(groups)
}

fn dependency(node: Node<'_, '_>) -> Option<Dependency> {
    let id = node.attribute("id")?.trim();
    let version = node.attribute("version").unwrap_or_default().trim();
    let lists_compile = |attribute| {
        let list: Option<&str> = node.attribute(attribute);
        list.map(|list| {
            list.split([',', ';'])
                .any(|word| matches!(word.trim().to_ascii_lowercase().as_str(), "compile" | "all"))
        })
    };
    let is_visible =
        lists_compile("include").unwrap_or(true) && !lists_compile("exclude").unwrap_or(false);
    Some(Dependency {
        id: id.to_owned(),
        range: Range::parse(version).unwrap_or(Range::ANY),
        version: version.to_owned(),
        compile: match is_visible {
            true => Compile::Visible,
            false => Compile::Hidden,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"<?xml version="1.0"?>
        <package xmlns="urn:x"><metadata>
          <dependencies>
            <group targetFramework=".NETStandard2.0">
              <dependency id="A" version="1.0" />
              <dependency id="B" version="[2.0]" exclude="Build, Compile" />
              <dependency id="C" include="Runtime" />
            </group>
            <group targetFramework="net8.0" />
            <group targetFramework="MonoAndroid1.0"><dependency id="D" /></group>
          </dependencies>
          <references><reference file="X.dll" /></references>
          <frameworkReferences>
            <group targetFramework="net6.0"><frameworkReference name="F" /></group>
          </frameworkReferences>
        </metadata></package>"#;

    #[test]
    fn the_group_of_the_nearest_framework_is_meant() {
        let nuspec = Nuspec::parse(TEXT);
        let net = Framework::parse("net9.0").expect("a framework");
        let old = Framework::parse("net6.0").expect("a framework");
        assert!(nuspec.dependencies(&net).is_empty());
        let found: Vec<_> = nuspec
            .dependencies(&old)
            .iter()
            .map(|dependency| (dependency.id.as_str(), dependency.compile))
            .collect();
        assert_eq!(
            found,
            [
                ("A", Compile::Visible),
                ("B", Compile::Hidden),
                ("C", Compile::Hidden)
            ]
        );
        assert_eq!(nuspec.references(&net), Some(&["X.dll".to_owned()][..]));
        assert_eq!(nuspec.framework_references(&net), ["F"]);
    }

    #[test]
    fn what_is_no_description_says_nothing() {
        let net = Framework::parse("net9.0").expect("a framework");
        for text in ["", "<a", "<package/>", "<package><metadata/></package>"] {
            let nuspec = Nuspec::parse(text);
            assert!(nuspec.dependencies(&net).is_empty());
            assert_eq!(nuspec.references(&net), None);
        }
    }
}
