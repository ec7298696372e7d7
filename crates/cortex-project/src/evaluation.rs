//! The first pass over a project: properties, conditions and imports, in document order.
//!
//! Item groups are only recorded here, to be evaluated once all properties are known, as MSBuild does.

use std::{borrow::Cow, rc::Rc};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    condition::{Condition, Operands},
    document::{Document, Node, Property},
    escape::unescape,
    paths::{INSTALLATION, Location, PathId, ROOT, absolute_folder, resolve},
    sdk::{SdkKind, Synthetic},
    template::Template,
    workspace::{Budget, Notes, Workspace},
};

/// Where an expression stands: the file and its line.
#[derive(Clone, Copy)]
pub(crate) struct Place<'d> {
    pub(crate) document: &'d Rc<Document>,
    pub(crate) line: u32,
}

/// An item group, or what an SDK puts in its place, in evaluation order.
pub(crate) enum Recorded {
    Group(Rc<Document>, usize),
    Synthetic(Synthetic),
}

/// The state of the first pass over one project.
pub(crate) struct Evaluation<'w> {
    pub(crate) workspace: &'w Workspace<'w>,
    pub(crate) project: PathId,
    pub(crate) project_folder: &'w str,
    pub(crate) properties: FxHashMap<Box<str>, Assigned>,
    // Names that no file can assign, in lower case.
    globals: FxHashSet<Box<str>>,
    pub(crate) recorded: Vec<Recorded>,
    /// All files that were read, in order.
    pub(crate) documents: Vec<Rc<Document>>,
    pub(crate) imported: FxHashSet<PathId>,
    pub(crate) sdks: Vec<SdkKind>,
    /// Whether some SDK is neither known nor in the repository.
    pub(crate) lacks_sdk: bool,
    pub(crate) notes: Notes,
    budget: Budget<'w>,
}

/// The value of a property and where it was given.
pub(crate) struct Assigned {
    pub(crate) value: Rc<str>,
    /// The file and index of the property element that gave the value.
    source: Option<(Rc<Document>, usize)>,
}

impl<'w> Evaluation<'w> {
    /// Prepares a project with the given global properties and defaults that files may change.
    pub(crate) fn new(
        workspace: &'w Workspace<'w>,
        project: PathId,
        globals: &[(String, String)],
        defaults: &[(String, String)],
    ) -> Self {
        let path = workspace.table.path(project);
        let mut evaluation = Self {
            workspace,
            project,
            project_folder: path.folder(),
            properties: FxHashMap::default(),
            globals: FxHashSet::default(),
            recorded: Vec::new(),
            documents: Vec::new(),
            imported: FxHashSet::default(),
            sdks: Vec::new(),
            lacks_sdk: false,
            notes: Notes::default(),
            budget: Budget::new(workspace),
        };
        evaluation.set_well_known();
        for (name, value) in defaults {
            evaluation.set(name, value);
        }
        for (name, value) in globals {
            evaluation.set(name, value);
            evaluation.globals.insert(name.to_ascii_lowercase().into());
        }
        evaluation
    }

    fn set_well_known(&mut self) {
        let path = self.workspace.table.path(self.project);
        let folder = absolute_folder(self.project_folder);
        let name = path.file_name();
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        for (name, value) in [
            ("MSBuildProjectName", stem),
            ("MSBuildProjectFile", name),
            ("MSBuildProjectDirectory", folder.trim_end_matches('/')),
            ("MSBuildProjectDirectoryNoRoot", folder.trim_matches('/')),
            ("MSBuildProjectFullPath", &format!("{ROOT}{path}")),
            ("MSBuildProjectExtension", &name[stem.len()..]),
            ("MSBuildStartupDirectory", ROOT.trim_end_matches('/')),
            ("MSBuildExtensionsPath", INSTALLATION),
            ("MSBuildExtensionsPath32", INSTALLATION),
            ("MSBuildExtensionsPath64", INSTALLATION),
            ("MSBuildToolsPath", INSTALLATION),
            ("MSBuildBinPath", INSTALLATION),
            ("MSBuildSDKsPath", INSTALLATION),
            ("MSBuildToolsVersion", "Current"),
            ("MSBuildRuntimeType", "Core"),
            ("MSBuildVersion", "18.0.0"),
            ("MSBuildAssemblyVersion", "15.1"),
            ("VisualStudioVersion", "18.0"),
            ("NETCoreSdkVersion", "10.0.100"),
            ("NETCoreAppMaximumVersion", "10.0"),
            ("BundledNETCoreAppTargetFrameworkVersion", "10.0"),
            ("OS", "Unix"),
            ("Language", "C#"),
            ("DefaultLanguageSourceExtension", ".cs"),
        ] {
            self.set(name, value);
        }
        if let Some(solution) = self.workspace.solution_folders.get(path) {
            self.set("SolutionDir", &absolute_folder(solution));
        }
    }

    /// Reads the project file and all that it imports.
    pub(crate) fn run(&mut self) {
        self.imported.insert(self.project);
        let document = self.workspace.document(self.project);
        self.note_malformed(&document);
        self.sdks_props(&document);
        self.evaluate(&document, &document.nodes, 0);
        self.sdks_targets(&document);
        self.documents.push(document);
    }

    /// Evaluates nodes of a file that is `depth` imports away from the project.
    pub(crate) fn evaluate(&mut self, document: &Rc<Document>, nodes: &[Node], depth: usize) {
        for node in nodes {
            match node {
                Node::Properties {
                    condition,
                    range,
                    line,
                } => {
                    if self.holds(
                        condition.as_ref(),
                        Place {
                            document,
                            line: *line,
                        },
                    ) {
                        for index in range.clone() {
                            self.assign(document, index, &document.properties[index]);
                        }
                    }
                }
                Node::Imports {
                    condition,
                    imports,
                    line,
                } => {
                    if self.holds(
                        condition.as_ref(),
                        Place {
                            document,
                            line: *line,
                        },
                    ) {
                        for import in imports {
                            self.import(document, import, depth);
                        }
                    }
                }
                Node::Items(index) => {
                    let group = Recorded::Group(Rc::clone(document), *index);
                    self.recorded.push(group);
                }
                Node::Choose(branches) => {
                    let chosen = branches.iter().find(|branch| {
                        let place = Place {
                            document,
                            line: branch.line,
                        };
                        self.holds(branch.condition.as_ref(), place)
                    });
                    if let Some(branch) = chosen {
                        self.evaluate(document, &branch.body, depth);
                    }
                }
            }
        }
    }

    fn assign(&mut self, document: &Rc<Document>, index: usize, property: &Property) {
        let place = Place {
            document,
            line: property.line,
        };
        if self.globals.contains(&property.name) || !self.holds(property.condition.as_ref(), place)
        {
            return;
        }
        let value: Rc<str> = self.expand(&property.value, place).into();
        let assigned = Assigned {
            value,
            source: Some((Rc::clone(document), index)),
        };
        match self.properties.get_mut(&property.name) {
            Some(old) => *old = assigned,
            None => {
                self.properties.insert(property.name.clone(), assigned);
            }
        }
    }

    /// Sets a property unless it is global.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        let name: Box<str> = name.to_ascii_lowercase().into();
        if !self.globals.contains(&name) {
            let assigned = Assigned {
                value: value.into(),
                source: None,
            };
            self.properties.insert(name, assigned);
        }
    }

    /// Sets a property that is empty, unless it is global.
    pub(crate) fn set_default(&mut self, name: &str, value: &str) {
        if self.get(name).is_empty() {
            self.set(name, value);
        }
    }

    /// The value of a property, escapes kept; empty where it has none.
    pub(crate) fn get(&self, name: &str) -> Rc<str> {
        self.properties
            .get(name.to_ascii_lowercase().as_str())
            .map_or_else(|| Rc::from(""), |assigned| Rc::clone(&assigned.value))
    }

    /// The value of a property as text: escapes undone, white space around it removed.
    pub(crate) fn text(&self, name: &str) -> String {
        unescape(self.get(name).trim()).into_owned()
    }

    /// Whether a property has this value, in any case.
    pub(crate) fn is(&self, name: &str, value: &str) -> bool {
        self.get(name).trim().eq_ignore_ascii_case(value)
    }

    /// The properties without a value to which a property leads back through plain references, in
    /// order: name in lower case and one reference as written.
    pub(crate) fn undefined_behind(&self, name: &str) -> Vec<(String, String)> {
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let mut open = vec![(name.to_ascii_lowercase(), format!("$({name})"))];
        while let Some((name, source)) = open.pop() {
            if !seen.insert(name.clone()) {
                continue;
            }
            let assigned = self.properties.get(name.as_str());
            match assigned.map(|assigned| &assigned.source) {
                Some(Some((document, index))) => {
                    let references = document.properties[*index].value.plain_references();
                    let from = open.len();
                    open.extend(references.map(|(name, source)| (name.into(), source.into())));
                    open[from..].reverse();
                }
                Some(None) => {}
                None => found.push((name, source)),
            }
        }
        found
    }

    /// Takes steps of the budget; says so once they are used up.
    pub(crate) fn take(&mut self, steps: usize) -> bool {
        let left = self.budget.take(steps);
        if !left {
            let path = self.workspace.table.path(self.project);
            self.notes.add(
                path,
                0,
                "the project takes too many steps to evaluate".to_owned(),
            );
        }
        left
    }

    pub(crate) fn note(&mut self, place: Place<'_>, message: String) {
        self.notes.add(&place.document.path, place.line, message);
    }

    pub(crate) fn note_malformed(&mut self, document: &Rc<Document>) {
        if let Some(malformed) = &document.malformed {
            let place = Place {
                document,
                line: malformed.line,
            };
            self.note(place, format!("not a project file: {}", malformed.message));
        }
    }

    /// Whether a condition holds; one that is not understood does not, with a note.
    pub(crate) fn holds(&mut self, condition: Option<&Condition>, place: Place<'_>) -> bool {
        let Some(condition) = condition else {
            return true;
        };
        let mut operands = PropertyOperands {
            evaluation: self,
            place,
        };
        let value = condition.evaluate(&mut operands);
        self.condition_value(value, condition, place)
    }

    pub(crate) fn condition_value(
        &mut self,
        value: Option<bool>,
        condition: &Condition,
        place: Place<'_>,
    ) -> bool {
        value.unwrap_or_else(|| {
            self.note(
                place,
                format!("condition not understood: {}", condition.source),
            );
            false
        })
    }

    /// Whether a path, relative to the project, names a tracked file or a folder of such.
    pub(crate) fn exists(&self, path: &str) -> bool {
        match resolve(self.project_folder, path) {
            Location::Inside(path) => {
                self.workspace.table.find(&path).is_some() || self.workspace.table.has_folder(&path)
            }
            // The one file of the installation whose import has an effect here.
            Location::Outside(path) => {
                path.starts_with(INSTALLATION)
                    && path
                        .to_ascii_lowercase()
                        .ends_with("/microsoft.common.props")
            }
        }
    }
}

struct PropertyOperands<'e, 'w, 'd> {
    evaluation: &'e mut Evaluation<'w>,
    place: Place<'d>,
}

impl Operands for PropertyOperands<'_, '_, '_> {
    fn text<'t>(&mut self, operand: &'t Template) -> Cow<'t, str> {
        unescape_owned(self.evaluation.expand(operand, self.place))
    }

    fn exists(&mut self, path: &str) -> bool {
        self.evaluation.exists(path)
    }
}

/// Undoes escapes without a copy where there are none.
pub(crate) fn unescape_owned(text: Cow<'_, str>) -> Cow<'_, str> {
    if text.contains('%') {
        Cow::Owned(unescape(&text).into_owned())
    } else {
        text
    }
}
