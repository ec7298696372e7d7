//! Parses the string into files and projects.

use crate::{
    marks::{Mark, marks, take_cursor},
    project::FixtureProject,
};

/// Files with their projects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// The files, in the order of the string.
    pub files: Vec<FixtureFile>,
    /// The projects, in order of first mention.
    pub projects: Vec<FixtureProject>,
}

/// One C# file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FixtureFile {
    /// The path from the root of the repository, without a leading slash.
    pub path: String,
    /// The name of the project that compiles it.
    pub project: String,
    /// The text without `$0`. Lines of carets stay, because they are comments.
    pub text: String,
    /// The byte offset of `$0`.
    pub cursor: Option<usize>,
    /// The marks that the lines of carets make.
    pub marks: Vec<Mark>,
}

/// The project of files whose header names none.
const DEFAULT_PROJECT: &str = "App";

impl Fixture {
    /// Parses a fixture. Text before the first `//- ` line is a file `/A.cs` of the project `App`
    /// unless it is blank.
    ///
    /// A file starts with `//- /PATH KEY:VALUE…`: `project:NAME`, and for that project
    /// `refs:A,B`, `friends:A,B` (assemblies that see its internals), `usings:N,static:T,X=T`
    /// (its `Using` items), `symbols:A,B` and `packages:P,Q`.
    ///
    /// # Panics
    /// When a header has no path or an unknown key, or a reference names no project.
    #[track_caller]
    pub fn parse(text: &str) -> Self {
        let mut fixture = Self {
            files: Vec::new(),
            projects: Vec::new(),
        };
        let mut header = None;
        let mut body = String::new();
        for line in text.split_inclusive('\n') {
            if let Some(next) = line.trim_start().strip_prefix("//- ") {
                fixture.add(header.replace(next.trim()), std::mem::take(&mut body));
            } else {
                body.push_str(line);
            }
        }
        fixture.add(header, body);
        for project in &fixture.projects {
            for name in &project.refs {
                assert!(
                    fixture.projects.iter().any(|other| other.name == *name),
                    "no file belongs to the project {name}"
                );
            }
        }
        fixture
    }

    /// A project by its name.
    ///
    /// # Panics
    /// When no file belongs to it.
    #[track_caller]
    pub fn project(&self, name: &str) -> &FixtureProject {
        self.projects
            .iter()
            .find(|project| project.name == name)
            .expect("a file names the project")
    }

    /// The names of a project and of all projects that it references, directly or transitively, in a stable order.
    ///
    /// # Panics
    /// When no file belongs to it.
    #[track_caller]
    pub fn references(&self, name: &str) -> Vec<&str> {
        let mut out = vec![self.project(name).name.as_str()];
        let mut next = 0;
        while let Some(&current) = out.get(next) {
            next += 1;
            for name in &self.project(current).refs {
                if !out.contains(&name.as_str()) {
                    out.push(name);
                }
            }
        }
        out
    }

    /// Path and content of every file, project files included, as a repository holds them.
    pub fn tree(&self) -> Vec<(String, String)> {
        let sources = self
            .files
            .iter()
            .map(|file| (file.path.clone(), file.text.clone()));
        let projects = self.projects.iter().map(|project| {
            let files = self
                .files
                .iter()
                .filter(|file| file.project == project.name && file.path.ends_with(".cs"));
            (
                project.path(),
                project.to_xml(files.map(|file| file.path.as_str())),
            )
        });
        sources.chain(projects).collect()
    }

    #[track_caller]
    fn add(&mut self, header: Option<&str>, mut text: String) {
        let mut words = match header {
            None if text.trim().is_empty() => return,
            None => "/A.cs",
            Some(header) => header,
        }
        .split_whitespace();
        let path = words
            .next()
            .and_then(|path| path.strip_prefix('/'))
            .expect("a header starts with `/` and a path");
        let mut name = DEFAULT_PROJECT;
        let mut settings = Vec::new();
        for word in words {
            let (key, value) = word
                .split_once(':')
                .expect("a header's words are KEY:VALUE");
            if key == "project" {
                name = value
            } else {
                settings.push((key, value))
            }
        }
        let at = self
            .projects
            .iter()
            .position(|project| project.name == name)
            .unwrap_or_else(|| {
                self.projects.push(FixtureProject::new(name));
                self.projects.len() - 1
            });
        settings
            .iter()
            .for_each(|(key, value)| self.projects[at].set(key, value));
        let cursor = take_cursor(&mut text);
        let marks = marks(&text);
        self.files.push(FixtureFile {
            path: path.to_owned(),
            project: name.to_owned(),
            text,
            cursor,
            marks,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::Fixture;

    #[test]
    fn a_text_without_a_header_is_one_file() {
        let fixture = Fixture::parse("class C { $0 }\n");
        assert_eq!(fixture.files.len(), 1);
        assert_eq!(
            (fixture.files[0].path.as_str(), fixture.files[0].cursor),
            ("A.cs", Some(10))
        );
        assert_eq!(fixture.files[0].text, "class C {  }\n");
    }

    #[test]
    fn carets_mark_the_code_above_them() {
        let fixture = Fixture::parse(
            "//- /A.cs\nclass C : B, I { }\n//        ^ N.B\n//           ^ I\nclass D { }\n//    ^ D",
        );
        let file = &fixture.files[0];
        let found: Vec<_> = file
            .marks
            .iter()
            .map(|mark| {
                (
                    &file.text[mark.offset..mark.offset + mark.len],
                    mark.label.as_str(),
                )
            })
            .collect();
        assert_eq!(found, [("B", "N.B"), ("I", "I"), ("D", "D")]);
    }

    #[test]
    fn references_are_transitive_and_projects_list_their_files() {
        let fixture = Fixture::parse(
            "//- /a/A.cs project:A refs:B symbols:X,Y\n//- /b/B.cs project:B refs:C friends:A\n//- /C.cs project:C usings:N,static:T,X=U\n",
        );
        assert_eq!(fixture.references("A"), ["A", "B", "C"]);
        let tree = fixture.tree();
        assert_eq!(tree.len(), 6);
        for (file, item) in [
            (3, "<Compile Include=\"a/A.cs\" />"),
            (3, "<DefineConstants>X;Y</DefineConstants>"),
            (4, "<InternalsVisibleTo Include=\"A\" />"),
            (5, "<Using Include=\"U\" Alias=\"X\" />"),
        ] {
            let text = &tree[file].1;
            assert!(text.contains(item), "{text}");
        }
    }

    #[test]
    #[should_panic(expected = "no file belongs to the project Lib")]
    fn a_reference_to_nothing_is_refused() {
        Fixture::parse("//- /A.cs project:App refs:Lib\n");
    }
}
