//! Named scopes, and how the IDE writes them to files.

use roxmltree::{Document, Node, ParsingOptions};

/// The holder of scopes shared through version control.
pub const SHARED: &str = "DependencyValidationManager";
/// The holder of one user's scopes.
pub const LOCAL: &str = "NamedScopeManager";
/// The holder of scopes from `.context/config.toml`.
pub const CONFIGURED: &str = "config";
/// The holder of scopes that every repository has.
pub const PREDEFINED: &str = "predefined";

/// Files beyond this many bytes are not read.
const MAX_BYTES: usize = 8 << 20;
/// Files of more nodes than this are not read.
const MAX_NODES: u32 = 500_000;

/// A pattern with a name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct NamedScope {
    /// The holder: [`SHARED`], [`LOCAL`], [`CONFIGURED`] or [`PREDEFINED`].
    pub holder: String,
    /// The name that patterns and people use.
    pub name: String,
    /// The pattern as written, which may be malformed.
    pub pattern: String,
}

/// Whether the IDE stores named scopes in a file with this repository path.
///
/// IntelliJ IDEA has one folder `.idea`; Rider has one for each solution: `.idea/.idea.<solution>/.idea`.
pub fn is_scope_file(path: &str) -> bool {
    let Some((folder, name)) = path.rsplit_once('/') else {
        return false;
    };
    let ide_folder = match folder.strip_suffix("/scopes") {
        Some(outer) if name.ends_with(".xml") => outer,
        _ if name == "workspace.xml" => folder,
        _ => return false,
    };
    ide_folder == ".idea" || ide_folder.ends_with("/.idea")
}

/// Reads the named scopes of a file `.idea/scopes/*.xml` or `.idea/workspace.xml`, in file order. The name inside the
/// file counts, not the file name.
pub fn read_scope_file(text: &str) -> Result<Vec<NamedScope>, String> {
    if text.len() > MAX_BYTES {
        return Err(format!("the file is longer than {MAX_BYTES} bytes"));
    }
    if let Some(reason) = cortex_model::costly_markup(text) {
        return Err(reason.to_owned());
    }
    let options = ParsingOptions {
        nodes_limit: MAX_NODES,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(text.trim_start_matches('\u{feff}'), options)
        .map_err(|error| error.to_string())?;
    let root = document.root_element();
    let components = match root.tag_name().name() {
        "component" => vec![root],
        _ => elements(root, "component").collect(),
    };
    let mut scopes = Vec::new();
    for component in components {
        let holder = match component.attribute("name") {
            Some(holder @ (SHARED | LOCAL)) => holder,
            _ => continue,
        };
        for scope in elements(component, "scope") {
            if let Some(name) = scope.attribute("name") {
                scopes.push(NamedScope {
                    holder: holder.to_owned(),
                    name: name.to_owned(),
                    pattern: scope.attribute("pattern").unwrap_or_default().to_owned(),
                });
            }
        }
    }
    Ok(scopes)
}

fn elements<'d, 't>(parent: Node<'d, 't>, name: &str) -> impl Iterator<Item = Node<'d, 't>> {
    parent
        .children()
        .filter(move |node| node.is_element() && node.tag_name().name() == name)
}

/// Resolves a name as seen from a holder: a scope of that holder, else a shared one.
pub(crate) fn find<'n>(
    scopes: &'n [NamedScope],
    name: &str,
    holder: Option<&str>,
) -> Option<&'n NamedScope> {
    let in_holder = |holder: &str| {
        scopes
            .iter()
            .find(|scope| scope.holder == holder && scope.name == name)
    };
    holder.and_then(in_holder).or_else(|| in_holder(SHARED))
}
