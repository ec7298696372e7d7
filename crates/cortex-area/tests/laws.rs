//! Laws of areas: detection is a function of paths and contents, budgets sum and flow, routing follows evidence.

use cortex_area::{
    Area, AreaConfig, Budget, Confidence, DetectOptions, Signals, TermSignals, Terms, Vocabulary,
    detect, humps, route, share,
};
use proptest::prelude::*;

fn areas_of(paths: &[&str]) -> Vec<Area> {
    let mut paths = paths.to_vec();
    paths.sort_unstable();
    detect(&paths, &|_| None, &[], &DetectOptions::default())
}

fn told(areas: &[Area]) -> Vec<String> {
    let each = areas.iter();
    each.map(|area| {
        format!(
            "{} {:?} {}",
            area.name,
            area.confidence,
            area.evidence.join(", ")
        )
    })
    .collect()
}

#[test]
fn a_solution_holds_its_projects_and_a_front_end_in_it_is_its_own_area() {
    let areas = areas_of(&[
        "Shop.sln",
        "src/Shop/Shop.csproj",
        "src/Shop/Order.cs",
        "test/Shop.Tests/Shop.Tests.csproj",
        "src/Web/ClientApp/package.json",
        "src/Web/ClientApp/src/app.tsx",
        "src/Web/ClientApp/node_modules/x/package.json",
    ]);
    assert_eq!(
        told(&areas),
        [
            "csharp High Shop.sln, 2 roots below",
            "clientapp-typescript High package.json",
        ]
    );
    assert_eq!(
        areas[1].exclude_globs[0],
        "src/Web/ClientApp/**/node_modules/**"
    );
}

#[test]
fn roots_side_by_side_are_areas_side_by_side() {
    let areas = areas_of(&[
        "backend/go.mod",
        "backend/main.go",
        "frontend/package.json",
        "frontend/tsconfig.json",
        "frontend/src/app.ts",
        "scripts/tool/pyproject.toml",
        "scripts/tool/a.py",
        "Makefile",
    ]);
    assert_eq!(
        told(&areas),
        [
            "backend-go High go.mod",
            "frontend-typescript High package.json, tsconfig.json",
            "tool-python High pyproject.toml",
        ]
    );
}

#[test]
fn a_package_for_tools_is_no_project_around_the_real_ones() {
    let paths = [
        "package.json",
        "web/a/package.json",
        "web/a/a.ts",
        "web/b/package.json",
        "web/b/b.ts",
    ];
    let roots = |text: &'static str| -> Vec<String> {
        let areas = detect(
            &paths,
            &|path| (path == "package.json").then(|| text.to_owned()),
            &[],
            &DetectOptions::default(),
        );
        areas.into_iter().map(|area| area.root).collect()
    };
    assert_eq!(roots("{\"devDependencies\":{}}"), ["web/a", "web/b"]);
    assert_eq!(roots("{\"workspaces\":[\"web/*\"]}"), [""]);
}

#[test]
fn each_sentinel_speaks_for_its_language() {
    for (sentinels, source, language) in [
        (
            "a.sln a.slnx a.csproj Directory.Build.props global.json",
            "a.cs",
            "csharp",
        ),
        ("package.json tsconfig.json deno.json", "a.ts", "typescript"),
        ("go.mod", "a.go", "go"),
        ("Cargo.toml", "a.rs", "rust"),
        ("pyproject.toml requirements.txt setup.py", "b.py", "python"),
        ("Gemfile a.gemspec Rakefile .ruby-version", "a.rb", "ruby"),
        ("pom.xml build.gradle build.gradle.kts", "a.java", "java"),
        ("composer.json", "a.php", "php"),
        ("mix.exs", "a.ex", "elixir"),
        ("Package.swift", "a.swift", "swift"),
        ("CMakeLists.txt Makefile", "a.c", "cpp"),
    ] {
        for sentinel in sentinels.split(' ') {
            let areas = areas_of(&[&format!("x/{sentinel}"), &format!("x/y/{source}")]);
            let of = areas
                .iter()
                .map(|area| (area.root.as_str(), area.language.as_str()));
            assert_eq!(of.collect::<Vec<_>>(), [("x", language)], "{sentinel}");
            assert_eq!(areas[0].evidence, [sentinel]);
        }
    }
}

#[test]
fn tools_named_around_projects_are_no_project() {
    let paths = [
        "lint.js",
        "package.json",
        "tools/a.js",
        "tools/b.js",
        "web/a/a.ts",
        "web/a/package.json",
    ];
    let of = |root: &'static str| -> Vec<String> {
        let read = |path: &str| match path {
            "package.json" => Some(root.to_owned()),
            _ => Some("{\"dependencies\":{\"next\":\"1\"}}".to_owned()),
        };
        let areas = detect(&paths, &read, &[], &DetectOptions::default());
        let sentinels = areas
            .into_iter()
            .filter(|it| it.confidence == Confidence::High);
        sentinels.map(|area| area.root).collect()
    };
    let tools = "{\"name\":\"x\",\"private\":true,\"devDependencies\":{\"prettier\":\"3\"}}";
    assert_eq!(of(tools), ["web/a"]);
    assert_eq!(
        of("{\"name\":\"x\",\"dependencies\":{\"next\":\"1\"}}"),
        [""]
    );
}

#[test]
fn a_build_that_goes_from_folder_to_folder_is_its_outermost_one() {
    let areas = areas_of(&[
        "Makefile",
        "native/CMakeLists.txt",
        "native/src/CMakeLists.txt",
        "native/src/a.c",
        "native/tests/CMakeLists.txt",
        "native/tests/b.c",
    ]);
    assert_eq!(
        told(&areas),
        ["native-cpp Low CMakeLists.txt, 2 roots below"]
    );
}

/// Nobody chooses among dozens of inputs of a test; what somebody put together stays apart.
#[test]
fn many_projects_side_by_side_are_one_area() {
    let projects = |n: usize, name: &str| -> Vec<String> {
        let each = (0..n).flat_map(|n| {
            [
                format!("test/in/{n:02}/{name}"),
                format!("test/in/{n:02}/a.cs"),
            ]
        });
        let mut all: Vec<String> = each.collect();
        all.extend(["src/App.csproj", "src/a.cs"].map(str::to_owned));
        all
    };
    let of = |paths: &[String]| -> Vec<String> {
        told(&areas_of(
            &paths.iter().map(String::as_str).collect::<Vec<_>>(),
        ))
    };
    assert_eq!(
        of(&projects(13, "A.csproj")),
        [
            "src-csharp High App.csproj",
            "in-csharp High 13 roots below",
        ]
    );
    assert_eq!(of(&projects(12, "A.csproj")).len(), 13);
    assert_eq!(of(&projects(13, "A.sln")).len(), 14);
}

#[test]
fn what_is_set_for_one_solution_says_nothing_of_where_it_is() {
    let areas = areas_of(&[
        "global.json",
        "src/Shop.sln",
        "src/Shop/Shop.csproj",
        "src/Shop/a.cs",
    ]);
    assert_eq!(told(&areas), ["src-csharp High Shop.sln, 1 root below"]);
}

#[test]
fn the_configuration_goes_first() {
    let config = AreaConfig {
        name: "api".to_owned(),
        root: "src/Api".to_owned(),
        language: Some("csharp".to_owned()),
        ..AreaConfig::default()
    };
    let paths = [
        "src/Api/Api.csproj",
        "src/Api/a.cs",
        "web/package.json",
        "web/a.ts",
    ];
    let areas = detect(&paths, &|_| None, &[config], &DetectOptions::default());
    assert_eq!(
        told(&areas),
        ["api High configured", "web-typescript High package.json"]
    );
    assert_eq!(areas[0].suggested_globs.len(), 1);
}

#[test]
fn a_sample_tells_what_no_sentinel_does() {
    let paths: Vec<String> = (0..50).map(|n| format!("lib/x/{n:02}.py")).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let areas = areas_of(&paths);
    assert_eq!(told(&areas), ["x-python Medium 50 of 50 sampled files"]);
}

fn paths() -> impl Strategy<Value = Vec<String>> {
    let folder = prop_oneof![
        Just(""),
        Just("a/"),
        Just("a/b/"),
        Just("c/"),
        Just("node_modules/")
    ];
    let file = prop_oneof![
        Just("x.sln"),
        Just("x.csproj"),
        Just("package.json"),
        Just("go.mod"),
        Just("a.cs"),
        Just("a.ts"),
        Just("b.ts"),
        Just("a.go"),
        Just("Makefile"),
        Just("a.c"),
        Just("README.md"),
        Just("global.json")
    ];
    let path = (folder, file).prop_map(|(folder, file)| format!("{folder}{file}"));
    proptest::collection::btree_set(path, 0..20).prop_map(|paths| paths.into_iter().collect())
}

proptest! {
    /// The same twice; names unique; sorted; every root is a folder of a path; nothing is said of excluded folders.
    #[test]
    fn detection_is_a_function(paths in paths(), limit in 0_usize..20) {
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let options = DetectOptions { sample_limit: limit, exclude_dirs: Vec::new() };
        let areas = detect(&paths, &|_| None, &[], &options);
        prop_assert_eq!(&areas, &detect(&paths, &|_| None, &[], &options));
        let mut names: Vec<&str> = areas.iter().map(|area| area.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        prop_assert_eq!(names.len(), areas.len());
        for area in &areas {
            let below = format!("{}/", area.root);
            let is_folder = area.root.is_empty() || paths.iter().any(|path| path.starts_with(&below));
            prop_assert!(is_folder);
            prop_assert!(!area.root.contains("node_modules"));
            prop_assert!(!area.evidence.is_empty());
        }
        prop_assert!(areas.is_sorted_by(|a, b| (&a.root, &a.language) <= (&b.root, &b.language)));
    }

    /// Files that are of no language and no sentinel change nothing that sentinels say.
    #[test]
    fn other_files_change_no_area_of_a_sentinel(paths in paths()) {
        let has = |paths: &[&str]| -> Vec<Area> {
            let areas = detect(paths, &|_| None, &[], &DetectOptions { sample_limit: 0, exclude_dirs: Vec::new() });
            areas.into_iter().filter(|area| area.confidence == Confidence::High).collect()
        };
        let before: Vec<&str> = paths.iter().map(String::as_str).collect();
        let mut after = before.clone();
        after.push("zz/notes.txt");
        prop_assert_eq!(has(&before), has(&after));
    }

    /// Never more than there is; all of it where it is wanted; nobody more than wanted; the winner most.
    #[test]
    fn budgets_sum_and_flow(
        n_files in 0_usize..2_000,
        areas in proptest::collection::vec((0.0_f64..10.0, 0_usize..800), 0..8),
        winner in proptest::option::of(0_usize..8),
    ) {
        let (scores, wanted): (Vec<f64>, Vec<usize>) = areas.into_iter().unzip();
        let winner = winner.filter(|winner| *winner < wanted.len());
        let shares = share(&Budget { n_files, scores: &scores, winner, wanted: &wanted });
        let used: usize = shares.iter().map(|share| share.files).sum();
        let all_wanted: usize = wanted.iter().sum();
        prop_assert_eq!(used, n_files.min(all_wanted));
        for (share, wanted) in shares.iter().zip(&wanted) {
            prop_assert!(share.files <= *wanted);
            prop_assert!(share.files >= share.planned.min(*wanted));
        }
        if let Some(winner) = winner
            && scores.iter().enumerate().any(|(at, score)| at != winner && *score > 0.0)
            && n_files >= 100
        {
            let part = shares[winner].planned as f64 / n_files as f64;
            prop_assert!((0.7..=0.8).contains(&part), "{}", part);
        }
    }

    #[test]
    fn humps_are_the_name_without_marks(name in "[A-Za-z0-9_]{0,20}") {
        let whole: String = name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
        prop_assert_eq!(humps(&name).concat(), whole);
    }
}

fn two() -> Vec<Area> {
    areas_of(&[
        "backend/go.mod",
        "backend/a.go",
        "frontend/package.json",
        "frontend/a.ts",
    ])
}

fn winner(question: &[&str], signals: &[Signals]) -> Option<usize> {
    let terms = Terms::of(&question.join(" "));
    cortex_area::winner(&route(&terms, &two(), signals, &Vocabulary::new(None)))
}

#[test]
fn words_of_a_language_and_names_of_folders_route() {
    let nothing = vec![Signals::default(), Signals::default()];
    assert_eq!(winner(&["goroutine", "leak"], &nothing), Some(0));
    assert_eq!(winner(&["login", "component"], &nothing), Some(1));
    assert_eq!(winner(&["backend", "login"], &nothing), Some(0));
    assert_eq!(winner(&["authConfig"], &nothing), None);
    assert_eq!(winner(&["login", "typescript"], &nothing), Some(1));
}

#[test]
fn without_a_winner_shares_are_equal() {
    let shares = share(&Budget {
        n_files: 51,
        scores: &[0.0, 0.0],
        winner: None,
        wanted: &[100, 100],
    });
    assert_eq!((shares[0].files, shares[1].files), (26, 25));
}

#[test]
fn what_is_left_over_flows_to_the_winner_first() {
    let shares = |scores: &[f64], winner, wanted: &[usize], n_files| -> Vec<(usize, usize)> {
        let budget = Budget {
            n_files,
            scores,
            winner,
            wanted,
        };
        let each = share(&budget).into_iter();
        each.map(|it| (it.planned, it.files)).collect()
    };
    assert_eq!(
        shares(&[1.0, 1.0], None, &[9, 9], 4),
        [(2, 2), (2, 2)],
        "equal without a winner"
    );
    assert_eq!(
        shares(&[3.0, 1.0, 2.0], Some(1), &[9, 9, 0], 10),
        [(1, 1), (8, 9), (1, 0)]
    );
    assert_eq!(
        shares(&[3.0, 1.0], None, &[1, 9], 4),
        [(2, 1), (2, 3)],
        "what one cannot use another does"
    );
}

/// Scores of a question about the two areas, with so many files each and what is known of its one term.
fn scores_of(term: &str, of: [cortex_area::TermSignals; 2]) -> Vec<f64> {
    let signals: Vec<Signals> = (of.into_iter())
        .map(|term| Signals {
            terms: vec![term],
            n_files: 100,
            ..Signals::default()
        })
        .collect();
    route(&Terms::of(term), &two(), &signals, &Vocabulary::new(None))
}

#[test]
fn a_rare_word_says_more_than_one_that_all_files_have() {
    let having = |n_files: usize| cortex_area::TermSignals {
        n_files,
        ..cortex_area::TermSignals::default()
    };
    let none = having(0);
    let rare = scores_of("zebra", [having(1), none]);
    let common = scores_of("zebra", [having(90), none]);
    assert!(
        rare[0] > common[0] && common[0] > 0.0,
        "{rare:?} {common:?}"
    );
    assert_eq!((rare[1], common[1]), (0.0, 0.0));
    let both = scores_of("zebra", [having(30), having(10)]);
    assert!(both[0] > both[1] && both[1] > 0.0, "{both:?}");
}

#[test]
fn names_are_spelled_as_in_a_language_and_folders_are_called_by_their_parts() {
    let nothing = || [cortex_area::TermSignals::default(); 2];
    assert_eq!(scores_of("load_users", nothing()), [0.0, 0.0]);
    let areas = areas_of(&["py/setup.py", "py/a.py", "web/package.json", "web/a.ts"]);
    let signals = [Signals::default(), Signals::default()];
    let found = TermSignals {
        n_files: 1,
        ..TermSignals::default()
    };
    let having = Signals {
        terms: vec![found],
        n_files: 10,
        ..Signals::default()
    };
    let both = [having.clone(), having];
    let terms = Terms::of("load_users");
    let snake = route(&terms, &areas, &both, &Vocabulary::new(None));
    assert!(snake[0] > snake[1], "{snake:?}");
    let areas = areas_of(&[
        "front-end/package.json",
        "front-end/a.ts",
        "api/go.mod",
        "api/a.go",
    ]);
    let of = |text: &str| {
        let scores = route(&Terms::of(text), &areas, &signals, &Vocabulary::new(None));
        let web = areas.iter().position(|area| area.root == "front-end");
        cortex_area::winner(&scores) == web && web.is_some()
    };
    assert!(of("frontend") && of("front"));
    let areas = areas_of(&[
        "order-book/go.mod",
        "order-book/a.go",
        "api/go.mod",
        "api/a.go",
    ]);
    let own = areas.iter().position(|area| area.root == "order-book");
    let scores = route(
        &Terms::of("orderbook"),
        &areas,
        &signals,
        &Vocabulary::new(None),
    );
    assert!(cortex_area::winner(&scores) == own && own.is_some());
}

#[test]
fn a_makefile_in_a_project_of_another_language_is_how_that_is_built() {
    let paths = [
        "a/Makefile",
        "a/a.go",
        "a/b.go",
        "a/c.c",
        "a/go.mod",
        "z/a.ts",
        "z/package.json",
    ];
    let roots: Vec<String> = areas_of(&paths).into_iter().map(|it| it.name).collect();
    assert_eq!(roots, ["a-go", "z-typescript"]);
}

#[test]
fn a_project_that_only_holds_others_is_none() {
    let paths = ["go.mod", "a/go.mod", "a/a.go", "b/go.mod", "b/b.go"];
    let roots = |paths: &[&str]| -> Vec<String> {
        let areas = areas_of(paths).into_iter();
        areas.map(|area| area.root).collect()
    };
    assert_eq!(roots(&paths), ["a", "b"]);
    let own = ["1.go", "2.go", "3.go"];
    let roots = roots(&[&paths[..], &own[..]].concat());
    assert!(roots.contains(&String::new()), "{roots:?}");
}

#[test]
fn the_strongest_sentinel_of_a_folder_says_how_sure_it_is() {
    let areas = areas_of(&[
        "Directory.Build.props",
        "Shop.csproj",
        "a.cs",
        "global.json",
    ]);
    assert_eq!(areas.len(), 1);
    assert_eq!(areas[0].confidence, Confidence::High);
    let many = [
        "a.csproj", "b.csproj", "c.csproj", "d.csproj", "e.csproj", "f.csproj", "a.cs",
    ];
    let areas = areas_of(&many);
    assert_eq!(areas[0].evidence.len(), 5);
    assert_eq!(areas[0].evidence[4], "2 more");
}

#[test]
fn what_is_configured_is_taken_as_it_is_written() {
    let config = |name: &str, root: &str, exclude: &[&str]| AreaConfig {
        name: name.to_owned(),
        root: root.to_owned(),
        language: Some("typescript".to_owned()),
        exclude: exclude.iter().map(|it| (*it).to_owned()).collect(),
        ..AreaConfig::default()
    };
    let paths = ["one/a.ts", "two/a.ts"];
    let areas = detect(
        &paths,
        &|_| None,
        &[
            config("web", "one", &[]),
            config("web", "two", &["two/gen/**"]),
        ],
        &DetectOptions::default(),
    );
    let names: Vec<&str> = areas.iter().map(|area| area.name.as_str()).collect();
    assert_eq!(names, ["web", "web-2"]);
    assert!(
        areas[0]
            .exclude_globs
            .iter()
            .any(|glob| glob.contains("node_modules"))
    );
    assert_eq!(areas[1].exclude_globs, ["two/gen/**"]);
}

#[test]
fn a_sample_says_nothing_of_few_files_nor_of_what_an_area_has() {
    assert!(areas_of(&["lib/a.py"]).is_empty());
    let owned: Vec<String> = (0..60).map(|n| format!("src/{n:02}.py")).collect();
    let owned: Vec<&str> = owned.iter().map(String::as_str).collect();
    let config = AreaConfig {
        name: "tools".to_owned(),
        root: "src".to_owned(),
        ..AreaConfig::default()
    };
    let areas = detect(&owned, &|_| None, &[config], &DetectOptions::default());
    assert_eq!(told(&areas), ["tools High configured"]);
}

fn has(n_files: usize) -> Signals {
    Signals {
        terms: vec![TermSignals {
            n_files,
            ..TermSignals::default()
        }],
        n_files: 10,
        ..Signals::default()
    }
}

#[test]
fn what_one_area_alone_has_is_asked_of_it() {
    // Go has no names with underscores, but the front end does not have this one.
    assert_eq!(winner(&["create_id"], &[has(1), has(0)]), Some(0));
    assert_eq!(winner(&["create_id"], &[has(0), has(0)]), None);
    // One file that has the whole question says more than many that have a word of it.
    let with = |n_files: usize, best: f64| Signals {
        best,
        ..has(n_files)
    };
    assert_eq!(winner(&["merge"], &[with(2, 9.0), with(3, 2.0)]), Some(0));
}

#[test]
fn the_folder_that_most_is_said_of_is_meant() {
    let paths = [
        "react-sample-old-demo/a.ts",
        "react-sample-old-demo/package.json",
        "react/a.ts",
        "react/package.json",
        "services/frontend/a.ts",
        "services/frontend/package.json",
    ];
    let areas = areas_of(&paths);
    let of = |question: &str| {
        let signals = vec![Signals::default(); areas.len()];
        let scores = route(
            &Terms::of(question),
            &areas,
            &signals,
            &Vocabulary::default(),
        );
        cortex_area::winner(&scores).map(|at| areas[at].root.as_str())
    };
    assert_eq!(of("react hooks"), Some("react"));
    assert_eq!(of("the old react sample"), Some("react-sample-old-demo"));
    assert_eq!(of("front end login"), Some("services/frontend"));
    assert_eq!(of("frontends"), Some("services/frontend"));
}
