//! The tests that may run what changed.

use std::collections::{BTreeMap, BTreeSet};

use cortex_model::{ChangeClass, RepoPath};
use cortex_wire::{
    DiffContext, RangeEntry, ReachedTests, ReachingTest, RemovedService, RequestingTest, SideKind,
    StartingTests, WorkflowRun, selected,
};

use super::{
    impact::listed,
    plan::{Item, Role, Section, Stage, Text, Total, counted, grouped},
};
use crate::{More, RenderOptions, more::TestFilter, reaching, text::line};

/// More classes than this are not named in a filter: a command makes it.
const MAX_NAMED: usize = 5;

/// The same where some of them are known by requests alone: a command that makes the filter does not follow these.
const MAX_NAMED_WITH_REQUESTS: usize = 12;

/// So many classes are named where a command makes the filter for all.
const MAX_NEAREST: usize = 8;

/// So many deleted or skipped tests are named; of more, their classes are.
const MAX_NAMED_TESTS: usize = 5;

/// Members of a way that are shown.
const MAX_WAY: usize = 4;

/// So many classes have a row each, with the way from their nearest test.
const MAX_ROWS: usize = 12;

/// So many classes share a row behind these.
const MAX_IN_ROW: usize = 12;

const FILTERS: u8 = 0;
const CLASSES: u8 = 1;

/// So many workflows are named, and so many patterns of each.
const MAX_WORKFLOWS: usize = 3;

/// The section: how to run them, then their classes, nearest first, each with the way from its nearest test; then what runs
/// because of the paths of changed files.
pub(crate) fn section<'a>(
    answer: &DiffContext,
    n_max: usize,
    options: &RenderOptions<'_>,
) -> Section<'a> {
    let mut section = of_tests(answer, n_max, options);
    let workflows = answer.impact.workflows.iter().take(MAX_WORKFLOWS);
    let first = section.items.len() as u32;
    section.items.extend(workflows.map(|run| Item {
        text: Text::Line(workflow_line(run)),
        role: Role::Single,
        counts: None,
    }));
    let items = first..section.items.len() as u32;
    match section.stages.last_mut() {
        Some(stage) => stage.items.extend(items),
        None if !items.is_empty() => section.stages = vec![Stage::all(items.collect())],
        None => {}
    }
    section
}

/// A workflow with the patterns that changed files match.
fn workflow_line(run: &WorkflowRun) -> String {
    let patterns = run.patterns.iter().take(MAX_WORKFLOWS);
    let mut patterns: Vec<_> = patterns.map(|it| line(&it.pattern)).collect();
    if run.patterns.len() > MAX_WORKFLOWS {
        patterns.push("…".into());
    }
    let path = line(run.path.as_str());
    let n_files = run.n_files;
    format!(
        "CI runs {path} on {n_files} of the files (paths: {})",
        patterns.join(", ")
    )
}

/// The same without what only paths say.
fn of_tests<'a>(answer: &DiffContext, n_max: usize, options: &RenderOptions<'_>) -> Section<'a> {
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
        if !answer.types.is_empty() {
            let is_same = |class| matches!(class, ChangeClass::Docs | ChangeClass::Cosmetic);
            let text = match answer.types.iter().all(|ty| is_same(ty.class)) {
                true => "none needed: nothing that runs changed",
                false => "no tests found in this repository",
            };
            let text = text.to_owned();
            section.items.push(single(text, None));
            section.stages = vec![Stage::all(vec![0])];
        }
        return section;
    }
    let classes = classes(answer, reached);
    let n_own = classes.partition_point(|class| !class.nearest.is_by_test_code);
    let requesting = requesting(answer, reached, &classes[..n_own]);
    let (classes, by_test_code) = apart(classes, n_own, &requesting);
    let to_run = ToRun::new(answer, reached, [&classes, &by_test_code], &requesting);
    let skipped = skipped(answer, reached);
    if to_run.is_nothing() && reached.n_all > 0 {
        let text = none(answer, reached, skipped.is_some());
        section.items.push(single(text, None));
    } else if reached.n_all > 0 {
        section.note = share(reached, &requesting, &to_run);
        let command = single(to_run.command(options), Some((FILTERS, 1)));
        section.first = Some(0);
        section.items.push(command);
    }
    // What no longer guards the change matters as much as what does.
    let unguarded = deleted.into_iter().chain(skipped);
    (section.items).extend(unguarded.map(|text| single(text, None)));
    (section.items).extend(unreached(answer, reached).map(|text| single(text, None)));
    let rows = class_rows([&classes, &by_test_code], &requesting, &to_run, n_max);
    let rows = rows.into_iter();
    (section.items).extend(rows.map(|(text, n)| single(text, Some((CLASSES, n)))));
    (section.items).extend(to_run.nearest(options).map(|text| single(text, None)));
    let starting = starting_lines(&answer.impact.starting_tests, &to_run.projects);
    (section.items).extend(starting.into_iter().map(|text| single(text, None)));
    (section.items).extend(unfollowed(answer).map(|text| single(text, None)));
    section.stages = vec![Stage::all((0..section.items.len() as u32).collect())];
    section.totals = vec![
        Total {
            one: "test filter",
            many: "test filters",
            n: usize::from(!to_run.is_nothing()),
        },
        Total {
            one: "test class",
            many: "test classes",
            n: classes.len() + by_test_code.len() + requesting.len(),
        },
    ];
    section
}

/// The classes of the tests: a row each for the nearest ones, others share some. With how many classes each row has.
fn class_rows(
    [own, by_test_code]: [&[Class<'_>]; 2],
    requesting: &[Requesting<'_>],
    to_run: &ToRun<'_>,
    n_max: usize,
) -> Vec<(String, usize)> {
    let has_projects = to_run.projects.len() > 1;
    let (near, far) = own.split_at(own.len().min(MAX_ROWS).min(n_max));
    let near = near
        .iter()
        .map(|class| (class_line(class, has_projects), 1));
    let mut out: Vec<(String, usize)> = near.collect();
    out.extend(far_rows(far, has_projects).into_iter().take(n_max));
    let (sending, others) = requesting.split_at(to_run.n_requesting);
    let sending = sending.iter().take(n_max);
    out.extend(sending.map(|class| (class.line(has_projects), 1)));
    out.extend(test_code_line(by_test_code).map(|text| (text, by_test_code.len())));
    out.extend(not_in_filter(others).map(|text| (text, others.len())));
    out
}

/// How many tests of which projects start applications that run what changed, and how many start them without what would
/// run it. `run`: the projects of tests that are run.
fn starting_lines(all: &[StartingTests], run: &BTreeSet<&str>) -> Vec<String> {
    let mut rows: BTreeMap<Option<&RemovedService>, Vec<&StartingTests>> = BTreeMap::new();
    for starting in all {
        let row = rows.entry(starting.removed.as_ref()).or_default();
        row.push(starting);
    }
    let rows = rows.into_iter().map(|(removed, all)| {
        let mut projects: BTreeMap<&str, usize> = BTreeMap::new();
        let mut applications: BTreeSet<&str> = BTreeSet::new();
        for starting in all {
            let n_tests = projects.entry(starting.project.as_str()).or_default();
            *n_tests = starting.n_tests.max(*n_tests);
            applications.insert(project_name(starting.application.as_str()));
        }
        let is_run = projects.keys().any(|project| run.contains(project));
        let names: Vec<&str> = projects.keys().map(|it| project_name(it)).collect();
        let (applications, n_tests): (Vec<&str>, usize) =
            (applications.into_iter().collect(), projects.values().sum());
        let start = format!(
            "{} in {} start {}",
            counted(n_tests, "test", "tests"),
            line(&names.join(", ")),
            line(&applications.join(", ")),
        );
        match removed {
            Some(removed) => {
                let file = removed.path.as_str();
                format!(
                    "{start} without {}, removed in {}:{}: they do not run what changed",
                    line(removed.ty.rsplit(['.', '+']).next().unwrap_or(&removed.ty)),
                    line(file.rsplit('/').next().unwrap_or(file)),
                    removed.line,
                )
            }
            None => format!(
                "{start}, which {} what changed outside of routes: any request may reach it; {} the filter",
                if applications.len() == 1 { "runs" } else { "run" },
                if is_run { "not all in" } else { "not in" },
            ),
        }
    });
    rows.collect()
}

/// That no test is to run, with what was looked for.
fn none(answer: &DiffContext, reached: &ReachedTests, has_skipped: bool) -> String {
    let all = counted(reached.n_all, "test", "tests");
    let requests = match answer.impact.n_routes {
        _ if !answer.impact.requesting_tests.is_empty() => String::new(),
        0 => String::new(),
        1 => "; no test requests its route".to_owned(),
        n => format!("; no test requests its {} routes", grouped(n)),
    };
    match has_skipped {
        true => format!("none that runs, of {all}{requests}"),
        false => format!("none of {all} reaches it by code{requests}"),
    }
}

/// Which requests over HTTP are missing among the tests.
fn unfollowed(answer: &DiffContext) -> Option<String> {
    let actions = answer.impact.unfollowed_actions;
    let text = match (actions.n, actions.has_more) {
        (0, false) => return None,
        (0, true) => "calls over HTTP to more distant actions are not followed".to_owned(),
        (n, has_more) => {
            let n = counted(n, "action", "actions");
            let more = if has_more {
                " and to more distant ones"
            } else {
                ""
            };
            format!("calls over HTTP to {n} without an attribute route{more} are not followed")
        }
    };
    Some(text)
}

/// So many members that no test reaches are named.
const MAX_UNREACHED: usize = 6;

/// The changed members that a person wrote and no test reaches; actions to which tests send requests left out.
fn unreached(answer: &DiffContext, reached: &ReachedTests) -> Option<String> {
    let sent = answer.impact.requesting_tests.iter();
    let sent: BTreeSet<&str> = sent.map(|it| it.route.as_str()).collect();
    let routes = answer.routes.iter();
    let requested = routes.filter(|it| sent.contains(&*format!("{} {}", it.verb, it.template)));
    let requested: BTreeSet<&str> = requested.map(|it| it.handler.as_str()).collect();
    let written = answer.files.iter().filter(|file| file.is_generated);
    let written: BTreeSet<&RepoPath> = written.map(|file| &file.path).collect();
    let by_tools = (answer.types.iter())
        .filter(|ty| ty.files.iter().all(|path| written.contains(path)))
        .flat_map(|ty| &ty.members);
    let by_tools: BTreeSet<&str> = by_tools.filter_map(|it| it.doc_id.as_deref()).collect();
    let members = reached.unreached.iter();
    let members = members.filter(|id| !by_tools.contains(id.as_str()));
    let members = members.map(|id| crate::look::short(id));
    let members: Vec<&str> = members.filter(|it| !requested.contains(it)).collect();
    let shown = members.iter().take(MAX_UNREACHED);
    let mut shown: Vec<String> = shown.map(|name| line(name).into_owned()).collect();
    if members.len() > MAX_UNREACHED {
        shown.push(format!("… {} more", members.len() - MAX_UNREACHED));
    }
    let shown = shown.join(", ");
    (!shown.is_empty()).then(|| format!("no test reaches by code: {shown}"))
}

/// The tests that the change deletes, by class.
fn deleted(answer: &DiffContext) -> Option<String> {
    let deleted = answer.impact.deleted_tests.iter();
    by_class("deleted", deleted.map(|test| (&*test.class, &*test.method)))
}

/// The tests that reach the change, or request a route of it, and that runners leave out, by class.
fn skipped(answer: &DiffContext, reached: &ReachedTests) -> Option<String> {
    let requesting = answer.impact.requesting_tests.iter();
    let all = reached.tests.iter().chain(&reached.set_up);
    let all = all.chain(requesting.map(|it| &it.test));
    let skipped: BTreeSet<(&str, &str)> = all
        .filter(|test| test.skipped)
        .map(|test| (&*test.class, &*test.method))
        .collect();
    by_class("skipped by attributes", skipped.into_iter())
}

/// What became of some tests, each a class and a method: the classes with their methods where these are few.
fn by_class<'r>(what: &str, tests: impl Iterator<Item = (&'r str, &'r str)>) -> Option<String> {
    let mut n_tests = 0;
    let mut classes: Vec<(&str, Vec<&str>)> = Vec::new();
    for (class, method) in tests {
        n_tests += 1;
        match classes.iter_mut().find(|(known, _)| *known == class) {
            Some((_, methods)) => methods.push(method),
            None => classes.push((class, vec![method])),
        }
    }
    let shown: Vec<String> = (classes.iter())
        .map(|(class, methods)| {
            let simple = class.rsplit('.').next().unwrap_or(class);
            if n_tests > MAX_NAMED_TESTS {
                return format!("{} ({})", line(simple), methods.len());
            }
            let methods: Vec<_> = methods.iter().map(|name| line(name)).collect();
            format!("{}: {}", line(simple), methods.join(", "))
        })
        .collect();
    (n_tests > 0).then(|| {
        let all = counted(n_tests, "test", "tests");
        format!("{all} {what}: {}", listed(&shown, "; "))
    })
}

/// A class with tests that reach the change.
struct Class<'r> {
    nearest: &'r ReachingTest,
    n_tests: usize,
    /// How many more of its tests may reach the change by requests.
    n_requesting: usize,
    is_set_up: bool,
}

/// The classes of the tests to run, each where its nearest test is; those that the change is of as well come first.
fn classes<'r>(answer: &DiffContext, reached: &'r ReachedTests) -> Vec<Class<'r>> {
    let mut out: Vec<Class<'_>> = Vec::new();
    let mut known: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let is_set_up = |test: &ReachingTest| reached.set_up.iter().any(|it| std::ptr::eq(it, test));
    for test in selected(&reached.tests, &reached.set_up) {
        let at = *known
            .entry((&test.class, test.project.as_str()))
            .or_insert_with(|| {
                out.push(Class {
                    nearest: test,
                    n_tests: 0,
                    n_requesting: 0,
                    is_set_up: is_set_up(test),
                });
                out.len() - 1
            });
        out[at].n_tests += 1;
    }
    let is_known = |test: &ReachingTest| {
        let mut all = reached.tests.iter().chain(&reached.set_up);
        all.any(|it| (&it.id, &it.class) == (&test.id, &test.class))
    };
    for RequestingTest { test, .. } in &answer.impact.requesting_tests {
        if let Some(&at) = known.get(&(test.class.as_str(), test.project.as_str()))
            && !test.skipped
            && !is_known(test)
        {
            out[at].n_requesting += 1;
        }
    }
    let changed = answer.test_types();
    out.sort_by_key(|class| {
        let is_changed = changed.contains(class.nearest.class.as_str());
        (class.nearest.is_by_test_code, !is_changed)
    });
    out
}

/// The classes with tests of their own that reach the change, and those with tests that reach changed code of tests alone:
/// of these the ones that do not send requests for their own sake. `n_own`: how many the first ones are.
fn apart<'r>(
    mut classes: Vec<Class<'r>>,
    n_own: usize,
    requesting: &[Requesting<'_>],
) -> (Vec<Class<'r>>, Vec<Class<'r>>) {
    let mut by_test_code = classes.split_off(n_own);
    by_test_code.retain(|class| {
        let is_it = |it: &&Requesting<'_>| is_same_class(it.nearest, class.nearest);
        requesting
            .iter()
            .find(is_it)
            .is_none_or(|it| it.is_by_helper)
    });
    (classes, by_test_code)
}

fn is_same_class(a: &ReachingTest, b: &ReachingTest) -> bool {
    (&a.class, &a.project) == (&b.class, &b.project)
}

/// The classes whose tests reach changed code of tests alone, with the way of the nearest.
fn test_code_line(classes: &[Class<'_>]) -> Option<String> {
    let nearest = classes.first()?.nearest;
    let n_tests = classes.iter().map(|class| class.n_tests).sum();
    let names = classes.iter().map(|class| {
        let name = &class.nearest.class;
        line(name.rsplit('.').next().unwrap_or(name)).into_owned()
    });
    let names: Vec<String> = names.collect();
    let way = match nearest.path.is_empty() {
        true => String::new(),
        false => format!("; {}", line(&reaching::arrows(&way(nearest), MAX_WAY))),
    };
    Some(format!(
        "reach changed test code: {} in {}{way}",
        counted(n_tests, "test", "tests"),
        listed(&names, ", "),
    ))
}

/// How many tests the command runs, of how many.
fn share(reached: &ReachedTests, requesting: &[Requesting<'_>], to_run: &ToRun<'_>) -> String {
    let n_tests = |classes: &[Requesting<'_>]| classes.iter().map(|it| it.n_more).sum::<usize>();
    let (named, others) = requesting.split_at(to_run.n_requesting);
    let reaching = selected(&reached.tests, &reached.set_up);
    let n_reaching = reaching.len();
    let n_of_command = match to_run.is_few || !reaching::names_methods(&reaching) {
        true => reached.n_in_classes.max(n_reaching),
        false => n_reaching,
    };
    let n = n_of_command + n_tests(named);
    let all = grouped(reached.n_all);
    // The command runs whole classes, of which the tests that send no request are not known.
    let least = match named.is_empty() {
        true => "",
        false => "at least ",
    };
    let mut share = match reached.n_unseen {
        0 => {
            let percent = 100.0 * n as f64 / reached.n_all as f64;
            format!("{least}{} of {all} tests ({percent:.1}%)", grouped(n))
        }
        unseen => format!(
            "{} of {all} tests, the nearest ones; up to {} more may",
            grouped(n),
            grouped(unseen)
        ),
    };
    if n_of_command > n_reaching {
        let n = grouped(n_reaching);
        share.push_str(&format!(", the classes of {n} that reach it"));
    }
    let by_test_code = reaching.iter().filter(|test| test.is_by_test_code).count();
    if by_test_code > 0 && by_test_code < n_reaching {
        let n = grouped(by_test_code);
        share.push_str(&format!(", {n} of them by changed test code alone"));
    }
    let run = (reached.tests.iter().chain(&reached.set_up)).filter(|test| !test.skipped);
    if reached.is_of_types {
        share.push_str(", of the types that changed: none reaches what did");
    }
    let n_left_out = run.count().saturating_sub(n_reaching);
    if n_left_out > 0 {
        let n = grouped(n_left_out);
        share.push_str(&format!("; {n} more may by reflection"));
    }
    match n_tests(others) {
        0 => share,
        n => format!("{share}; possibly {} over HTTP", grouped(n)),
    }
}

/// What is to be run.
struct ToRun<'a> {
    range: &'a RangeEntry,
    /// The names of the classes to run, those that send requests last.
    classes: Vec<&'a str>,
    projects: BTreeSet<&'a str>,
    /// How many have tests that reach more than changed code of tests: the first ones.
    n_own: usize,
    /// How many of the classes that send requests are among them.
    n_requesting: usize,
    /// All classes are known and so few that the command names them.
    is_few: bool,
    is_whole: bool,
}

impl<'a> ToRun<'a> {
    fn new(
        answer: &'a DiffContext,
        reached: &ReachedTests,
        [own, by_test_code]: [&[Class<'a>]; 2],
        requesting: &'a [Requesting<'a>],
    ) -> Self {
        let classes = || own.iter().chain(by_test_code);
        let n_classes = classes().count();
        let reaching = classes().map(|it| it.nearest);
        let names = reaching.clone().map(|test| test.class.as_str());
        let is_whole = reached.n_unseen == 0;
        let n_named = match requesting.is_empty() {
            true => MAX_NAMED,
            false => MAX_NAMED_WITH_REQUESTS,
        };
        let n_own = match requesting.iter().filter(|it| !it.is_by_helper).count() {
            0 => requesting.len().min(MAX_BY_HELPER),
            n => n,
        };
        let is_few = n_classes == 0 || n_classes + n_own <= n_named;
        let is_few = is_few && is_whole;
        // The filter of the range does not know of requests: their classes stand beside it.
        let n_requesting = n_own.min(match is_few {
            true => n_named.saturating_sub(n_classes),
            false => MAX_BESIDE_FILTER,
        });
        let sending = requesting.iter().take(n_requesting);
        let sending = sending.map(|it| it.nearest);
        Self {
            range: &answer.range,
            classes: names
                .chain(sending.clone().map(|test| test.class.as_str()))
                .collect(),
            projects: (reaching.chain(sending))
                .map(|test| test.project.as_str())
                .collect(),
            n_own: own.len(),
            n_requesting,
            is_few,
            is_whole,
        }
    }

    /// The command that runs the first classes alone, where that for all does not name them.
    fn nearest(&self, options: &RenderOptions<'_>) -> Option<String> {
        let all = &self.classes[..self.classes.len() - self.n_requesting];
        let named = match self.n_own {
            0 => all,
            n => &all[..n],
        };
        if self.is_few || named.is_empty() {
            return None;
        }
        let names = named.iter().take(MAX_NEAREST);
        let names: Vec<String> = names.map(|name| format!("{}.", line(name))).collect();
        let expression = reaching::terms(names.iter().map(String::as_str));
        let text = options.more(More::RunTests {
            project: None,
            filter: TestFilter::Expression(&expression),
        });
        Some(format!("the nearest of them: {}", line(&text)))
    }

    fn is_nothing(&self) -> bool {
        self.classes.is_empty()
    }

    /// The command that runs the tests: it names the classes where they are few and all are known.
    fn command(&self, options: &RenderOptions<'_>) -> String {
        let project = match self.projects.first() {
            Some(only) if self.projects.len() == 1 && self.is_whole => Some(line(only)),
            _ => None,
        };
        let expression_of = |classes: &[&str]| {
            let names: Vec<String> = (classes.iter())
                .map(|name| format!("{}.", line(name)))
                .collect();
            reaching::terms(names.iter().map(String::as_str))
        };
        let sending = &self.classes[self.classes.len() - self.n_requesting..];
        let (all, others) = (expression_of(&self.classes), expression_of(sending));
        let filter = match repeatable(self.range) {
            Some(range) if !self.is_few => TestFilter::OfRange {
                range,
                or: (!sending.is_empty()).then_some(&others),
            },
            _ => TestFilter::Expression(&all),
        };
        let text = options.more(More::RunTests {
            project: project.as_deref(),
            filter,
        });
        line(&text).into_owned()
    }
}

/// So many classes that send requests stand beside the filter of a range: names of more leave no room for the nearest.
const MAX_BESIDE_FILTER: usize = 3;

/// A class with tests that send requests to routes of what changed or uses it.
struct Requesting<'a> {
    nearest: &'a ReachingTest,
    n_tests: usize,
    /// How many of them reach the change by nothing else.
    n_more: usize,
    /// The route of the nearest.
    route: &'a str,
    /// Whether the nearest sends the request through a member that the tests of many classes go through: it prepares them.
    is_by_helper: bool,
}

/// A member through which so many classes of tests send a request prepares them.
const MIN_BY_HELPER: usize = 6;

/// Where no class sends a request otherwise, so many are run.
const MAX_BY_HELPER: usize = 3;

/// The test classes that send requests, but for those that reach the change by code.
fn requesting<'a>(
    answer: &'a DiffContext,
    reached: &ReachedTests,
    reaching: &[Class<'_>],
) -> Vec<Requesting<'a>> {
    let mut out: Vec<Requesting<'a>> = Vec::new();
    let selected: BTreeSet<(&str, &str)> = (selected(&reached.tests, &reached.set_up).iter())
        .map(|test| (test.class.as_str(), test.id.as_str()))
        .collect();
    for RequestingTest { test, route } in &answer.impact.requesting_tests {
        let is_known = |known: &Class<'_>| is_same_class(known.nearest, test);
        if test.skipped || reaching.iter().any(is_known) {
            continue;
        }
        let is_more = !selected.contains(&(test.class.as_str(), test.id.as_str()));
        match out.iter_mut().find(|it| is_same_class(it.nearest, test)) {
            Some(known) => {
                known.n_tests += 1;
                known.n_more += usize::from(is_more);
            }
            None => out.push(Requesting {
                nearest: test,
                n_tests: 1,
                n_more: usize::from(is_more),
                route,
                is_by_helper: false,
            }),
        }
    }
    let mut n_classes: BTreeMap<&str, usize> = BTreeMap::new();
    for class in &out {
        for helper in class.nearest.path.iter().skip(1) {
            *n_classes.entry(helper).or_default() += 1;
        }
    }
    let changed = answer.test_types();
    let is_changed = |class: &Requesting<'_>| changed.contains(class.nearest.class.as_str());
    // The few that are nearest do so for its own sake.
    let n_steps = |class: &Requesting<'_>| class.nearest.path.len();
    let nearest = out.iter().map(n_steps).min().unwrap_or_default();
    let n_nearest = out.iter().filter(|it| n_steps(it) == nearest).count();
    let is_near = |class: &Requesting<'_>| n_nearest < MIN_BY_HELPER && n_steps(class) == nearest;
    for class in &mut out {
        let mut helpers = class.nearest.path.iter().skip(1);
        let is_shared = helpers.any(|it| n_classes[it.as_str()] >= MIN_BY_HELPER);
        class.is_by_helper = is_shared && !is_changed(class) && !is_near(class);
    }
    out.sort_by_key(|class| (!is_changed(class), class.is_by_helper));
    out
}

/// The classes that send requests and are not run.
fn not_in_filter(classes: &[Requesting<'_>]) -> Option<String> {
    let n_tests = classes.iter().map(|class| class.n_tests).sum();
    let mut way = way(classes.first()?.nearest);
    way.push(classes[0].route);
    Some(format!(
        "{} in {}, possibly, over HTTP, not in the filter; {}",
        counted(n_tests, "test", "tests"),
        counted(classes.len(), "more class", "more classes"),
        line(&reaching::arrows(&way, MAX_WAY))
    ))
}

impl Requesting<'_> {
    /// The class with the way of its nearest test to a route.
    fn line(&self, has_project: bool) -> String {
        let class = &self.nearest.class;
        let simple = class.rsplit('.').next().unwrap_or(class);
        let mut out = format!(
            "{}: {}",
            line(simple),
            counted(self.n_tests, "test", "tests")
        );
        if has_project {
            let project = project_name(self.nearest.project.as_str());
            out.push_str(&format!(" in {}", line(project)));
        }
        let mut way = way(self.nearest);
        way.push(self.route);
        out.push_str(&format!(
            ", possibly, over HTTP; {}",
            line(&reaching::arrows(&way, MAX_WAY))
        ));
        out
    }
}

/// The members on the way from a test: its method, then each with its type.
fn way(test: &ReachingTest) -> Vec<&str> {
    let mut way: Vec<&str> = test.path.iter().map(|id| crate::look::short(id)).collect();
    if let Some(first) = way.first_mut() {
        *first = &test.method;
    }
    // Overloads that call each other are one step to a reader.
    way.dedup();
    way
}

/// The name of a project's file without its extension.
fn project_name(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// The range, where it can be written as it is in another request.
fn repeatable(range: &RangeEntry) -> Option<&str> {
    let is_whole = range.new.kind != SideKind::Index && range.paths.is_empty();
    is_whole.then_some(range.spec.as_str())
}

/// Classes farther away, those of a project together: their names and numbers of tests. With the number of classes.
fn far_rows(classes: &[Class<'_>], has_projects: bool) -> Vec<(String, usize)> {
    let mut by_project: Vec<(&str, Vec<&Class<'_>>)> = Vec::new();
    for class in classes {
        let project = class.nearest.project.as_str();
        match by_project.iter_mut().find(|(known, _)| *known == project) {
            Some((_, of)) => of.push(class),
            None => by_project.push((project, vec![class])),
        }
    }
    let mut out = Vec::new();
    for (project, classes) in by_project {
        for some in classes.chunks(MAX_IN_ROW) {
            let names = some.iter().map(|class| {
                let name = &class.nearest.class;
                let simple = name.rsplit('.').next().unwrap_or(name);
                let n = class.n_tests + class.n_requesting;
                format!("{} {}", line(simple), grouped(n))
            });
            let names: Vec<String> = names.collect();
            let place = match has_projects {
                true => format!(" in {}", line(project_name(project))),
                false => String::new(),
            };
            out.push((format!("farther{place}: {}", names.join(", ")), some.len()));
        }
    }
    out
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
        let name = project_name(test.project.as_str());
        out.push_str(&format!(" in {}", line(name)));
    }
    if class.n_requesting > 0 {
        out.push_str(&format!(
            ", {} more possibly over HTTP",
            grouped(class.n_requesting)
        ));
    }
    if class.is_set_up {
        out.push_str(", through setup only");
    }
    if !test.certainty.is_exact() {
        out.push_str(", possibly");
    }
    if !test.path.is_empty() {
        out.push_str(&format!(
            "; {}",
            line(&reaching::arrows(&way(test), MAX_WAY))
        ));
    }
    out
}
