//! Marks the names of local symbols in a fixture.

use std::collections::BTreeMap;

use cortex_fixture::Fixture;
use cortex_semantics::{Compilation, LocalBindings, LocalSymbol, ProjectId, UnitKey, World as _};
use cortex_syntax::{Extractor, ParseOptions, Sections};

use crate::check::world;

/// Checks that the names with a mark, `name#1`, are those of local symbols, and that equal marks are equal
/// symbols. The marks count symbols in the order of the text.
#[track_caller]
pub(super) fn check_names(marked: &str) {
    let text = without_marks(marked);
    let fixture = Fixture::parse(&text);
    let world = world(&fixture);
    let compilation = Compilation::new(&world);
    let mut numbers: BTreeMap<LocalSymbol, usize> = BTreeMap::new();
    let mut actual = text.clone();
    let mut moved = 0;
    for file in &fixture.files {
        let project = (fixture.projects.iter()).position(|it| it.name == file.project);
        let unit = UnitKey {
            path: file.path.as_str().into(),
            project: ProjectId::new(project.expect("every file has a project")),
        };
        let facts = world.facts(&unit, Sections::Bodies);
        let identifiers =
            Extractor::default().identifiers(file.text.as_bytes(), &ParseOptions::default());
        let found = compilation.local_bindings(&unit, &facts, &identifiers);
        let start = text.find(&file.text).expect("files stand in the fixture");
        for (end, symbol) in names(&found) {
            let next = numbers.len() + 1;
            let number = *numbers.entry(symbol).or_insert(next);
            let mark = format!("#{number}");
            actual.insert_str(start + end as usize + moved, &mark);
            moved += mark.len();
        }
    }
    assert_eq!(marked, actual, "left: the test, right: what was found");
}

/// The end and symbol of each name, ascending.
fn names(found: &LocalBindings) -> Vec<(u32, LocalSymbol)> {
    let declared = found.declarations.iter();
    let declared = declared.map(|declaration| (declaration.range.end, declaration.symbol));
    let used = found.uses.iter().map(|used| (used.range.end, used.symbol));
    let mut names: Vec<_> = declared.chain(used).collect();
    names.sort_unstable();
    names.retain(|(_, symbol)| !matches!(symbol, LocalSymbol::Implicit | LocalSymbol::Element(_)));
    names
}

fn without_marks(marked: &str) -> String {
    let mut parts = marked.split('#');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    text
}
