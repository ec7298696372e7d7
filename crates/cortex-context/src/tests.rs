//! Laws of every rendering, over answers that no repository would give.

mod random;
pub(crate) mod sample;

use cortex_model::ChangeClass;
use cortex_wire::{
    DiffContext, Impact, MemberChangeKind, ReachedTests, ReachingTest, RemovedService,
    RequestingTest, StartingTests, Via, ViaRelation,
};
use proptest::prelude::*;

use crate::{CharsOver4, More, O200kBase, RenderOptions, Tokenizer, json, markdown};

/// Words of no face of the product.
pub(crate) fn phrase(more: &More<'_>) -> String {
    format!("{more:?}")
}

const TOKENIZERS: [&dyn Tokenizer; 2] = [&O200kBase, &CharsOver4];

fn budgets() -> impl Strategy<Value = usize> {
    prop_oneof![0..60usize, 60..1_200usize, 1_200..9_000usize, Just(64_000)]
}

/// What holds for every text made from `answer`.
#[track_caller]
fn check_text(answer: &DiffContext, budget: usize, tokenizer: &dyn Tokenizer) -> String {
    let options = RenderOptions {
        budget,
        tokenizer,
        phrase: &phrase,
    };
    let text = markdown(answer, &options);
    let n = tokenizer.count(&text);
    assert!(
        n <= budget,
        "{n} {} tokens for a budget of {budget}:\n{text}",
        tokenizer.name()
    );
    assert_eq!(text, markdown(answer, &options), "two renderings differ");
    check_fences(&text);
    if let Some(c) = text.chars().find(|&c| is_raw(c)) {
        panic!("raw {c:?} in:\n{text}");
    }
    text
}

/// Every fence is closed before the next heading, and by a line of nothing but itself.
#[track_caller]
fn check_fences(text: &str) {
    let mut open: Option<usize> = None;
    for line in text.lines() {
        let ticks = line.len() - line.trim_start_matches('`').len();
        match open {
            None if ticks >= 3 && !line[ticks..].contains('`') => open = Some(ticks),
            Some(n) if ticks >= n => {
                assert_eq!(line.len(), ticks, "a fence is torn:\n{text}");
                open = None;
            }
            _ => {}
        }
    }
    assert_eq!(open, None, "a fence is open:\n{text}");
}

fn is_raw(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t')
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn no_answer_exceeds_its_budget(bytes in random::bytes(), budget in budgets(), which in 0..2usize) {
        check_text(&random::answer(&bytes), budget, TOKENIZERS[which]);
    }

    #[test]
    fn json_holds_all_and_ends_in_one_line_break(bytes in random::bytes()) {
        let answer = random::answer(&bytes);
        let text = json(&answer);
        prop_assert!(text.trim_end().len() + 1 == text.len());
        let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        prop_assert_eq!(value["types"].as_array().map(Vec::len), Some(answer.types.len()));
    }
}

#[test]
fn every_budget_up_to_the_whole_answer_is_kept() {
    let answer = sample::answer();
    for tokenizer in TOKENIZERS {
        for budget in (0..400).chain((400..4_000).step_by(37)) {
            check_text(&answer, budget, tokenizer);
        }
    }
}

#[test]
fn a_file_that_two_projects_compile_is_told_once() {
    let mut answer = sample::answer();
    let mut twin = answer.types[0].clone();
    answer.types[0].ty.id = "T_EROTSBOL@Core".to_owned();
    twin.ty.id = "T_EROTSBOL@Core.Signed".to_owned();
    twin.project = "src/Core.Signed/Core.Signed.csproj".into();
    answer.types.push(twin);
    answer.api.push(answer.api[0].clone());
    let twin = answer.impact.symbols[0].clone();
    answer.impact.symbols.push(twin);
    let text = check_text(&answer, 8_000, &O200kBase);
    assert!(text.contains(" T_EROTSBOL@Core,@Core.Signed "), "{text}");
    for once in [
        "(public class): structure changed",
        "CP0002",
        "+    token.ThrowIfCancellationRequested();",
        "BlobStore.OpenAsync (signature)",
    ] {
        assert_eq!(text.matches(once).count(), 1, "{once}:\n{text}");
    }
    assert!(!text.contains("Left out"), "{text}");
}

#[test]
fn code_that_changes_what_runs_comes_before_declarations_and_tests() {
    let mut answer = sample::answer();
    let mut constant = answer.types[1].members[0].clone();
    constant.code[0].text = "    public const int Limit = 4096;".to_owned();
    let mut plain = constant.clone();
    plain.line += 1;
    plain.code[0].text = "    public int Size { get; init; }".to_owned();
    answer.types[1].n_dependents = 900;
    answer.types[1].members = vec![constant, plain];
    let text = check_text(&answer, 8_000, &O200kBase);
    let code = &text[text.find("## Changed code").expect("there is code")..];
    let order = [
        "+    return new FileStream(PathOf(key), Options);",
        "+    Flush(true);",
        "+public const int Limit = 4096;",
        "+    using var stream = await store.OpenAsync(\"a\", default);",
    ];
    let places: Vec<_> = order.iter().map(|line| code.find(line)).collect();
    assert!(places.iter().all(Option::is_some), "{places:?}:\n{text}");
    assert!(places.is_sorted(), "{places:?}:\n{text}");
    // Its row says as much.
    assert!(!code.contains("public int Size"), "{text}");
}

#[test]
fn all_changed_lines_are_shown_before_unchanged_ones() {
    let mut answer = sample::answer();
    let long = answer.types[0].members[2].clone();
    answer.types[0].members = (0..6)
        .map(|i| {
            let mut member = long.clone();
            member.line += 100 * i;
            member.code.last_mut().expect("it has lines").text = format!("    }} // {i}");
            member
        })
        .collect();
    let text = check_text(&answer, 1_800, &O200kBase);
    assert_eq!(text.matches("+    Flush(true);").count(), 6, "{text}");
}

/// A tail of a list may be shorter than the space for it, but not by much.
#[test]
fn a_budget_is_used_before_anything_is_left_out() {
    for answer in [sample::branch(), sample::release(200)] {
        for budget in [1_000, 1_500, 2_000, 4_000, 8_000] {
            let text = check_text(&answer, budget, &O200kBase);
            let n = O200kBase.count(&text);
            assert!(
                !text.contains("## Left out") || n * 100 >= budget * 95,
                "{n} of {budget}:\n{text}"
            );
        }
    }
}

/// The tokens of a section, with its heading; none where it is not there.
fn section_tokens(text: &str, heading: &str) -> usize {
    let start = text.find(&format!("\n## {heading}\n"));
    start.map_or(0, |start| {
        let rest = &text[start + 1..];
        let end = rest.find("\n## ").unwrap_or(rest.len());
        O200kBase.count(&rest[..end])
    })
}

#[test]
fn code_takes_at_most_half_of_the_budget_while_impact_is_cut() {
    for answer in [sample::answer(), sample::branch(), sample::release(200)] {
        for budget in (400..6_000).step_by(230) {
            let text = check_text(&answer, budget, &O200kBase);
            let n_code = section_tokens(&text, "Changed code");
            let is_cut = text.lines().any(|line| {
                line.starts_with("- Impact:")
                    || line.starts_with("Left out:") && line.contains("line")
            });
            assert!(
                !is_cut || n_code <= budget / 2 + 12,
                "{n_code} of {budget}:\n{text}"
            );
        }
    }
}

#[test]
fn lines_that_stand_elsewhere_are_counted() {
    let mut answer = sample::answer();
    let symbols = &mut answer.impact.symbols;
    let shown = symbols[0].uses[1].clone();
    let mut inside = shown.clone();
    inside.at.line = 99;
    inside.inside = Some(format!("M:{}.Other", symbols[0].ty));
    let mut test = shown.clone();
    test.path = "tests/Core.Tests/BlobStoreTests.cs".into();
    test.is_test = true;
    let mut through = shown.clone();
    through.at.line = 77;
    through.via = Some(Via {
        to: symbols[0].id.clone(),
        relation: ViaRelation::Interface,
    });
    let mut added = symbols[0].clone();
    added.id = format!("{}.Extra", added.id);
    added.member = Some("Extra".to_owned());
    added.change = MemberChangeKind::Added;
    added.uses = vec![shown, inside, through, test];
    added.n_uses = added.uses.len();
    symbols.push(added);
    let text = check_text(&answer, 8_000, &O200kBase);
    for line in [
        "BlobStore.Extra (new): 4 lines, 1 in tests\n",
        "\n  also 1 line through BlobStore.OpenAsync\n",
        "\n  also src/Core/Sync/Uploader.cs:58, :99 in Other\n",
    ] {
        assert!(text.contains(line), "{line}:\n{text}");
    }
}

#[test]
fn a_number_of_lines_stands_with_the_first_of_them() {
    for answer in [sample::answer(), sample::branch(), sample::release(200)] {
        for budget in (400..6_000).step_by(230) {
            let text = check_text(&answer, budget, &O200kBase);
            let impact = text.split("\n## ").find(|it| it.starts_with("Impact"));
            let lines: Vec<&str> = impact.unwrap_or_default().lines().collect();
            for pair in lines.windows(2) {
                let is_head = pair[0].contains("): ") && pair[0].contains(" line");
                let is_head = is_head && !pair[0].starts_with("lines not shown");
                assert!(!is_head || pair[1].starts_with("  "), "{budget}:\n{text}");
            }
        }
    }
}

#[test]
fn test_classes_that_send_requests_run_with_those_that_reach_the_change() {
    let mut answer = sample::answer();
    let reached = answer.impact.tests.as_ref().expect("there are tests");
    let nearest = reached.tests[0].clone();
    let requesting = |class: &str, method: &str, helper: Option<&str>| {
        let id = format!("M:{class}.{method}");
        let path = std::iter::once(id.as_str()).chain(helper);
        RequestingTest {
            test: ReachingTest {
                class: class.to_owned(),
                project: "tests/Http.Tests/Http.Tests.csproj".into(),
                method: method.to_owned(),
                path: path.map(str::to_owned).collect(),
                id: id.clone(),
                ..nearest.clone()
            },
            route: "GET /blobs/{id}".to_owned(),
        }
    };
    answer.impact.requesting_tests = vec![
        requesting("Acme.Http.Tests.BlobStoreTests", "Gets", None),
        requesting(
            "Acme.Http.Tests.HttpTests",
            "Reads",
            Some("M:Acme.Http.Tests.Server.Get"),
        ),
        requesting("Acme.Http.Tests.HttpTests", "Writes", None),
    ];
    let text = check_text(&answer, 8_000, &O200kBase);
    for line in [
        "FullyQualifiedName~Acme.Http.Tests.HttpTests.",
        "\nat least 4 of 412 tests (1.0%)\n",
        "\nBlobStoreTests: 1 test in Http.Tests, possibly, over HTTP; Gets → GET /blobs/{id}\n",
        "\nHttpTests: 2 tests in Http.Tests, possibly, over HTTP; Reads → Server.Get → GET /blobs/{id}\n",
    ] {
        assert!(text.contains(line), "{line}:\n{text}");
    }
    // The filter of a range does not know of requests: their classes stand beside it, the first few.
    let reached = answer.impact.tests.as_mut().expect("there are tests");
    reached.n_unseen = 1;
    for i in 0..12 {
        let class = format!("Acme.Http.Tests.More{i:02}Tests");
        let test = requesting(&class, "Reads", None);
        answer.impact.requesting_tests.push(test);
    }
    let text = check_text(&answer, 8_000, &O200kBase);
    let command = text.lines().find(|line| line.contains("RunTests {"));
    let command = command.expect("there is a command");
    for part in [
        "OfRange { range: \"",
        "or: Some(\"FullyQualifiedName~Acme.Http.Tests.BlobStoreTests.|FullyQualifiedName~Acme.Http.Tests.HttpTests.|",
        "More00Tests.\")",
    ] {
        assert!(command.contains(part), "{part}:\n{text}");
    }
    // Where the command does not name the classes that reach the change, a second one names the nearest.
    let nearest = text
        .lines()
        .find(|line| line.starts_with("the nearest of them: "));
    let nearest = nearest.expect("there is a second command");
    assert!(
        nearest.contains("Expression(\"FullyQualifiedName~") && !nearest.contains("HttpTests"),
        "{text}"
    );
    for line in [
        "\nHttpTests: 2 tests in Http.Tests, possibly, over HTTP; Reads",
        "\n11 tests in 11 more classes, possibly, over HTTP, not in the filter; Reads → GET /blobs/{id}\n",
        "; possibly 11 over HTTP\n",
    ] {
        assert!(text.contains(line), "{line}:\n{text}");
    }
}

#[test]
fn a_member_through_which_many_classes_send_a_request_prepares_them() {
    let mut answer = sample::answer();
    let reached = answer.impact.tests.as_mut().expect("there are tests");
    let nearest = reached.tests[0].clone();
    let requesting = |class: &str, helper: Option<&str>| {
        let id = format!("M:{class}.Reads");
        let path = std::iter::once(id.as_str()).chain(helper);
        RequestingTest {
            test: ReachingTest {
                class: class.to_owned(),
                project: "tests/Http.Tests/Http.Tests.csproj".into(),
                method: "Reads".to_owned(),
                path: path.map(str::to_owned).collect(),
                id: id.clone(),
                ..nearest.clone()
            },
            route: "POST /login".to_owned(),
        }
    };
    let login = Some("M:Acme.Http.Tests.Factory.Login");
    let shared = (0..8).map(|i| requesting(&format!("Acme.Http.Tests.Shared{i}Tests"), login));
    answer.impact.requesting_tests = shared.collect();
    let own = requesting("Acme.Http.Tests.ZLoginTests", None);
    answer.impact.requesting_tests.push(own);
    let text = check_text(&answer, 8_000, &O200kBase);
    assert!(
        text.contains(
            "\nZLoginTests: 1 test in Http.Tests, possibly, over HTTP; Reads → POST /login\n"
        ),
        "{text}"
    );
    assert!(!text.contains("Shared0Tests."), "{text}");
    assert!(
        text.contains("\n8 tests in 8 more classes, possibly, over HTTP, not in the filter; Reads → Factory.Login → POST /login\n"),
        "{text}"
    );
    // Where there are no others, some of them are run.
    answer.impact.requesting_tests.pop();
    let text = check_text(&answer, 8_000, &O200kBase);
    assert!(
        text.contains("Shared2Tests.") && !text.contains("Shared3Tests."),
        "{text}"
    );
    assert!(text.contains("5 tests in 5 more classes"), "{text}");
}

#[test]
fn tests_of_a_class_that_reaches_the_change_count_with_their_requests() {
    let mut answer = sample::answer();
    let reached = answer.impact.tests.as_mut().expect("there are tests");
    let known = reached.tests[0].clone();
    let other = ReachingTest {
        id: format!("{}Other", known.id),
        method: "Other".to_owned(),
        ..known.clone()
    };
    let simple = known.class.rsplit('.').next().expect("a name").to_owned();
    let requesting = [known, other].map(|test| RequestingTest {
        test,
        route: "GET /blobs".to_owned(),
    });
    answer.impact.requesting_tests = requesting.to_vec();
    let text = check_text(&answer, 8_000, &O200kBase);
    let row = text
        .lines()
        .find(|line| line.starts_with(&format!("{simple}:")));
    assert!(
        row.is_some_and(|row| row.contains(", 1 more possibly over HTTP")),
        "{text}"
    );
}

#[test]
fn a_message_is_cut_at_its_end() {
    let mut answer = sample::answer();
    answer.range.commits.truncate(1);
    answer.range.n_commits = 1;
    let words = "word ".repeat(60);
    let body: Vec<String> = (0..12).map(|n| format!("Line {n}: {words}")).collect();
    answer.range.commits[0].body = body.join("\n");
    let mut n_cut = 0;
    for budget in (1_000..6_000).step_by(100) {
        let text = check_text(&answer, budget, &O200kBase);
        let is_told = |n: &usize| text.contains(&format!("Line {n}: word"));
        let n_told = (0..12).take_while(is_told).count();
        assert!(!(n_told..12).any(|n| is_told(&n)), "{budget}:\n{text}");
        n_cut += usize::from((1..12).contains(&n_told));
    }
    assert!(n_cut > 0, "some budget has no room for all lines");
}

#[test]
fn applications_that_tests_start_share_a_row() {
    let mut answer = sample::answer();
    let starting = |application: &str, project: &str, n_tests: usize| StartingTests {
        application: application.into(),
        project: project.into(),
        n_tests,
        removed: None,
    };
    answer.impact.starting_tests = vec![
        starting("src/Api/Api.csproj", "tests/Http/Http.csproj", 7),
        starting("src/Sso/Sso.csproj", "tests/Http/Http.csproj", 7),
        starting("src/Sso/Sso.csproj", "tests/Sso/Sso.Tests.csproj", 2),
    ];
    let text = check_text(&answer, 8_000, &O200kBase);
    let row = "\n9 tests in Http, Sso.Tests start Api, Sso, which run what changed outside of routes: any request may reach it; not in the filter\n";
    assert!(text.contains(row), "{text}");
    // Tests of the project are run for another reason.
    let run = answer.impact.tests.as_ref().expect("there are tests").tests[0]
        .project
        .clone();
    answer.impact.starting_tests = vec![starting("src/Api/Api.csproj", run.as_str(), 7)];
    let text = check_text(&answer, 8_000, &O200kBase);
    assert!(
        text.contains("any request may reach it; not all in the filter\n"),
        "{text}"
    );
}

#[test]
fn what_a_test_host_takes_out_is_told_in_a_row_of_its_own() {
    let mut answer = sample::answer();
    let starting = |n_tests: usize, removed: Option<RemovedService>| StartingTests {
        application: "src/Api/Api.csproj".into(),
        project: "tests/Http/Http.csproj".into(),
        n_tests,
        removed,
    };
    let removed = RemovedService {
        ty: "Acme.Api.Jobs".to_owned(),
        path: "tests/Http/Factory.cs".into(),
        line: 42,
    };
    answer.impact.starting_tests = vec![starting(2, None), starting(7, Some(removed))];
    let text = check_text(&answer, 8_000, &O200kBase);
    let row = "\n7 tests in Http start Api without Jobs, removed in Factory.cs:42: they do not run what changed\n";
    assert!(text.contains(row), "{text}");
    assert!(
        text.contains("\n2 tests in Http start Api, which runs"),
        "{text}"
    );
}

#[test]
fn the_command_that_runs_the_tests_is_not_cut() {
    let mut answer = sample::branch();
    let reached = answer.impact.tests.as_mut().expect("there are tests");
    for i in 0..4 {
        let mut test = reached.tests[0].clone();
        test.class = format!("Acme.Core.Tests.Storage.Of.A.Long.Name.BlobStoreTests{i}");
        reached.tests.push(test);
    }
    for budget in [1_000, 1_500, 2_000, 4_000] {
        let text = check_text(&answer, budget, &O200kBase);
        assert!(text.contains("RunTests {"), "{budget}:\n{text}");
        assert!(text.contains("BlobStoreTests3."), "{budget}:\n{text}");
    }
}

#[test]
fn a_change_of_comments_needs_no_tests() {
    let mut answer = sample::answer();
    answer.types.truncate(1);
    answer.types[0].class = ChangeClass::Cosmetic;
    answer.types[0].members.clear();
    answer.impact = Impact {
        tests: Some(ReachedTests::default()),
        ..Impact::default()
    };
    let text = check_text(&answer, 8_000, &O200kBase);
    assert!(
        text.contains("none needed: nothing that runs changed"),
        "{text}"
    );
    answer.types[0].class = ChangeClass::Internal;
    let text = check_text(&answer, 8_000, &O200kBase);
    assert!(text.contains("no tests found in this repository"), "{text}");
}

#[test]
fn a_release_is_summed_up_by_project_and_namespace() {
    let text = check_text(&sample::release(3_000), 8_000, &O200kBase);
    assert!(text.contains(" more types\n"), "{text}");
    assert!(text.contains("src/Server/Server.csproj"), "{text}");
    assert!(
        O200kBase.count(&text) > 7_000,
        "{} tokens",
        O200kBase.count(&text)
    );
}

#[test]
fn realistic_answers() {
    let answer = sample::branch();
    for budget in [300, 1_500, 8_000] {
        insta::assert_snapshot!(
            format!("budget_{budget}"),
            check_text(&answer, budget, &O200kBase)
        );
    }
}
