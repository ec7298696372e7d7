//! The tests that may run what changed.

use std::collections::{BTreeMap, BTreeSet};

use cortex_wire::{DiffContext, RangeEntry, ReachedTests, ReachingTest, SideKind};

use super::{
    impact::listed,
    plan::{Item, Role, Section, Stage, Text, Total, counted, grouped},
};
use crate::{More, RenderOptions, more::TestFilter, reaching, text::line};

/// More classes than this are not named in a filter: a command makes it.
const MAX_NAMED: usize = 5;

/// So many deleted tests are named; of more, their classes are.
const MAX_DELETED: usize = 5;

/// Members of a way that are shown.
const MAX_WAY: usize = 4;

const FILTERS: u8 = 0;
const CLASSES: u8 = 1;

/// The section: how to run them, then their classes, nearest first, each with the way from its nearest test.
pub(crate) fn section<'a>(
    answer: &DiffContext,
    n_max: usize,
    options: &RenderOptions<'_>,
) -> Section<'a> {
    let mut section = Section {
        heading: "Tests that reach the change",
        ..Section::default()
    };
    let single = |text: String, counts| Item {
        text: Text::Line(text),
        role: Role::Single,
        counts,
    };
    let Some(reached) = &answer.impact.tests else {
        let command = options.more(More::TestsOf {
            range: repeatable(&answer.range),
        });
        let text = format!(
            "too much changed to search for tests here; run all, or list those affected with {}",
            line(&command)
        );
        section.items.push(single(text, None));
        section.stages = vec![Stage::all(vec![0])];
        return section;
    };
    let deleted = deleted(answer);
    if reached.n_all == 0 && deleted.is_none() {
        return section;
    }
    let classes = classes(reached);
    if classes.is_empty() && reached.n_all > 0 {
        let all = counted(reached.n_all, "test", "tests");
        let text = format!("none of {all} (calls over HTTP or by name are not followed)");
        section.items.push(single(text, None));
    } else if reached.n_all > 0 {
        section.note = share(reached);
        let to_run = single(run(answer, reached, &classes, options), Some((FILTERS, 1)));
        section.items.push(to_run);
    }
    let projects: BTreeSet<&str> = classes
        .iter()
        .map(|it| it.nearest.project.as_str())
        .collect();
    let has_projects = projects.len() > 1;
    // What no longer guards the change matters as much as what does.
    section.items.extend(deleted.map(|text| single(text, None)));
    for class in classes.iter().take(n_max) {
        let text = class_line(class, has_projects);
        section.items.push(single(text, Some((CLASSES, 1))));
    }
    section.stages = vec![Stage::all((0..section.items.len() as u32).collect())];
    section.totals = vec![
        Total {
            one: "test filter",
            many: "test filters",
            n: usize::from(!classes.is_empty()),
        },
        Total {
            one: "test class",
            many: "test classes",
            n: classes.len(),
        },
    ];
    section
}

/// The tests that the change deletes, by class.
fn deleted(answer: &DiffContext) -> Option<String> {
    let deleted = &answer.impact.deleted_tests;
    let mut classes: Vec<(&str, Vec<&str>)> = Vec::new();
    for test in deleted {
        match classes.last_mut().filter(|(class, _)| *class == test.class) {
            Some((_, methods)) => methods.push(&test.method),
            None => classes.push((&test.class, vec![&test.method])),
        }
    }
    let shown: Vec<String> = (classes.iter())
        .map(|(class, methods)| {
            let simple = class.rsplit('.').next().unwrap_or(class);
            if deleted.len() > MAX_DELETED {
                return format!("{} ({})", line(simple), methods.len());
            }
            let methods: Vec<_> = methods.iter().map(|name| line(name)).collect();
            format!("{}: {}", line(simple), methods.join(", "))
        })
        .collect();
    (!deleted.is_empty()).then(|| {
        let all = counted(deleted.len(), "test", "tests");
        format!("{all} deleted: {}", listed(&shown, "; "))
    })
}

/// A class with tests that reach the change.
struct Class<'r> {
    nearest: &'r ReachingTest,
    n_tests: usize,
    is_set_up: bool,
}

/// The classes, each where its nearest test is.
fn classes(reached: &ReachedTests) -> Vec<Class<'_>> {
    let mut out: Vec<Class<'_>> = Vec::new();
    let mut known: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for (tests, is_set_up) in [(&reached.tests, false), (&reached.set_up, true)] {
        for test in tests {
            let at = *known
                .entry((&test.class, test.project.as_str()))
                .or_insert_with(|| {
                    out.push(Class {
                        nearest: test,
                        n_tests: 0,
                        is_set_up,
                    });
                    out.len() - 1
                });
            out[at].n_tests += 1;
        }
    }
    out
}

/// How many tests that are, of how many.
fn share(reached: &ReachedTests) -> String {
    let n = reached.tests.len() + reached.set_up.len();
    let all = grouped(reached.n_all);
    match reached.n_unseen {
        0 => {
            let percent = 100.0 * n as f64 / reached.n_all as f64;
            format!("{} of {all} tests ({percent:.1}%)", grouped(n))
        }
        unseen => format!(
            "{} of {all} tests, the nearest ones; up to {} more may",
            grouped(n),
            grouped(unseen)
        ),
    }
}

/// The command that runs the tests: it names the classes where they are few and all are known.
fn run(
    answer: &DiffContext,
    reached: &ReachedTests,
    classes: &[Class<'_>],
    options: &RenderOptions<'_>,
) -> String {
    let projects: BTreeSet<&str> = classes
        .iter()
        .map(|it| it.nearest.project.as_str())
        .collect();
    let project = match projects.first() {
        Some(only) if projects.len() == 1 && reached.n_unseen == 0 => Some(line(only)),
        _ => None,
    };
    let is_few = classes.len() <= MAX_NAMED && reached.n_unseen == 0;
    let names: Vec<String> = (classes.iter())
        .map(|it| format!("{}.", line(&it.nearest.class)))
        .collect();
    let expression = reaching::terms(names.iter().map(String::as_str));
    let filter = match repeatable(&answer.range) {
        Some(range) if !is_few => TestFilter::OfRange(range),
        _ => TestFilter::Expression(&expression),
    };
    let text = options.more(More::RunTests {
        project: project.as_deref(),
        filter,
    });
    line(&text).into_owned()
}

/// The range, where it can be written as it is in another request.
fn repeatable(range: &RangeEntry) -> Option<&str> {
    let is_whole = range.new.kind != SideKind::Index && range.paths.is_empty();
    is_whole.then_some(range.spec.as_str())
}

/// The class with its nearest test and the way from it.
fn class_line(class: &Class<'_>, has_project: bool) -> String {
    let test = class.nearest;
    let simple = test.class.rsplit('.').next().unwrap_or(&test.class);
    let mut out = format!(
        "{}: {}",
        line(simple),
        counted(class.n_tests, "test", "tests")
    );
    if has_project {
        let name = test.project.file_name();
        let name = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        out.push_str(&format!(" in {}", line(name)));
    }
    if class.is_set_up {
        out.push_str(", through setup only");
    } else if !test.certainty.is_exact() {
        out.push_str(", possibly");
    }
    if !test.path.is_empty() {
        let mut way: Vec<&str> = test.path.iter().map(|id| crate::look::short(id)).collect();
        way[0] = &test.method;
        // Overloads that call each other are one step to a reader.
        way.dedup();
        out.push_str(&format!("; {}", line(&reaching::arrows(&way, MAX_WAY))));
    }
    out
}
