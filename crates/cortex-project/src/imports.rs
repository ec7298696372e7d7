//! Imports: of files in the repository, of SDKs, and of what only a .NET installation has.

use std::rc::Rc;

use crate::{
    document::{Document, Import},
    escape::unescape,
    evaluation::{Evaluation, Place},
    glob::{Pattern, has_wildcard},
    paths::{INSTALLATION, Location, PathId, resolve},
};

/// How many imports may stand between the project and a file.
const MAX_DEPTH: usize = 64;

impl Evaluation<'_> {
    pub(crate) fn import(&mut self, document: &Rc<Document>, import: &Import, depth: usize) {
        let place = Place {
            document,
            line: import.line,
        };
        if !self.holds(import.condition.as_ref(), place) {
            return;
        }
        let text = self.expand(&import.project, place).into_owned();
        if let Some(sdk) = &import.sdk {
            self.import_sdk(sdk, &text, place);
            return;
        }
        for part in text
            .split(';')
            .map(str::trim)
            .filter(|part| !part.is_empty())
        {
            let part = unescape(part);
            if has_wildcard(&part) {
                self.import_pattern(&part, place, depth);
                continue;
            }
            match resolve(document.path.folder(), &part) {
                Location::Inside(path) => match self.workspace.table.find(&path) {
                    Some(id) => self.import_file(id, place, depth),
                    None => self.note(place, format!("import is not in the repository: {path}")),
                },
                Location::Outside(path) if path.starts_with(INSTALLATION) => {
                    self.import_installed(&path);
                }
                Location::Outside(_) => {
                    self.note(
                        place,
                        format!("import is outside of the repository: {part}"),
                    );
                }
            }
        }
    }

    fn import_pattern(&mut self, text: &str, place: Place<'_>, depth: usize) {
        let Some(pattern) = Pattern::new(place.document.path.folder(), text) else {
            return;
        };
        let table = &self.workspace.table;
        let candidates = pattern.candidates(table);
        if !self.take(candidates.len()) {
            return;
        }
        for id in candidates.filter(|id| pattern.matches(table.as_str(*id))) {
            self.import_file(id, place, depth);
        }
    }

    /// Reads a file, unless it was read before: MSBuild ignores the second import of a file.
    fn import_file(&mut self, id: PathId, place: Place<'_>, depth: usize) {
        if depth >= MAX_DEPTH {
            self.note(place, "imports are nested too deep".to_owned());
            return;
        }
        if !self.imported.insert(id) || !self.take(1) {
            return;
        }
        let document = self.workspace.document(id);
        self.note_malformed(&document);
        self.evaluate(&document, &document.nodes, depth + 1);
        self.documents.push(document);
    }

    /// Reads the nearest file of this name in the project's folder or above it, where there is one and
    /// `switch` is not `false`; `location` names the file instead where that property is set.
    pub(crate) fn import_above(&mut self, switch: &str, location: &str, name: &str) {
        if self.is(switch, "false") {
            return;
        }
        let table = &self.workspace.table;
        let named = self.text(location);
        let found = if named.is_empty() {
            table.nearest_above(self.project_folder, name)
        } else {
            match resolve(self.project_folder, &named) {
                Location::Inside(path) => table.find(&path),
                Location::Outside(_) => None,
            }
        };
        if let Some(id) = found {
            let path = format!("{}{}", crate::paths::ROOT, table.as_str(id));
            self.set(location, &path);
            let project = self.workspace.document(self.project);
            let place = Place {
                document: &project,
                line: 0,
            };
            self.import_file(id, place, 0);
        }
    }

    /// The files of the installation that projects without an SDK import, as far as they matter.
    fn import_installed(&mut self, path: &str) {
        let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
        match name.as_str() {
            "microsoft.common.props" => self.common_props(),
            "microsoft.csharp.targets" | "microsoft.common.targets" => self.common_targets(),
            _ => {}
        }
    }
}
