//! `search text`, `search files`, `search ask` and `areas`: what is found is what is there, limits hold, and errors
//! say what to do.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::harness::{World, shown};

const PROJECT: &str = r#"<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>
</Project>
"#;

const ORDER: &str = "namespace Shop;

/// <summary>An order; see Basket.</summary>
public class Order
{
    // TODO: Basket goes here
    public string Basket(int basket) => \"Basket\" + $\"{Basket(basket)}\";
}
";

/// A back end in C#, a front end in TypeScript, a script, and more.
fn shop() -> World {
    World::with_files(&[
        ("Shop.sln", "Microsoft Visual Studio Solution File\n"),
        ("src/Shop/Shop.csproj", PROJECT),
        ("src/Shop/Order.cs", ORDER),
        (
            "src/Shop/OrderService.cs",
            "namespace Shop;\nclass OrderService { Order? last; void Submit(Order order) { } }\n",
        ),
        ("web/package.json", "{\"name\": \"web\"}\n"),
        (
            "web/src/basket.tsx",
            "export function BasketButton() {\r\n  return <button>Basket</button>;\r\n}\r\n",
        ),
        ("web/src/Größe.ts", "// 𝄞é Basket\nexport const size = 1;\n"),
        ("README.md", "# Shop\nA Basket of orders.\n"),
        ("logo.png", "\u{0}PNG Basket"),
    ])
}

/// What a question prints as JSON, whatever its exit status.
fn ask(world: &World, arguments: &[&str]) -> Value {
    let output = world.run(&[&["--quiet"], arguments, &["--format", "json"]].concat());
    crate::wire::answer_of(&output.stdout)
}

/// The same with the envelope around the answer.
fn envelope(world: &World, arguments: &[&str]) -> Value {
    let output = world.run(&[&["--quiet"], arguments, &["--format", "json"]].concat());
    serde_json::from_slice(&output.stdout).expect("answers are JSON")
}

/// The places of hits, a space between them.
fn places(answer: &Value) -> String {
    let files = answer["files"].as_array().expect("files").iter();
    let each = files.flat_map(|file| {
        let name = file["file"].as_str().expect("a file").rsplit('/').next();
        let name = name.expect("a name").to_owned();
        file["hits"]
            .as_array()
            .expect("hits")
            .iter()
            .map(move |hit| format!("{name}:{}:{}", hit["line"], hit["column"]))
    });
    each.collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check(world: &World, arguments: &[&str], expected: &str) {
    let all = [
        &["--quiet", "search", "text"],
        arguments,
        &["--format", "json"],
    ]
    .concat();
    let output = world.run(&all);
    let answer: Value = crate::wire::answer_of(&output.stdout);
    assert_eq!(places(&answer), expected, "{arguments:?}");
    let code = if expected.is_empty() { 1 } else { 0 };
    assert_eq!(output.status.code(), Some(code), "{arguments:?}");
}

#[test]
fn every_mode_finds_what_it_says() {
    let world = shop();
    check(
        &world,
        &["Basket"],
        "README.md:2:3 Order.cs:3:28 Order.cs:6:14 Order.cs:7:19 Order.cs:7:42 Order.cs:7:55 Größe.ts:1:8 \
         basket.tsx:1:17 basket.tsx:2:18",
    );
    check(
        &world,
        &["basket", "--file-mask", "*.cs,!*Service.cs"],
        "Order.cs:7:30 Order.cs:7:62",
    );
    check(
        &world,
        &["BASKET", "-i", "--file-mask", "/*.md"],
        "README.md:2:3",
    );
    check(
        &world,
        &["Basket", "--mode", "word", "--file-mask", "*.tsx"],
        "basket.tsx:2:18",
    );
    check(
        &world,
        &[r"Bas\w+n\(\)", "--mode", "regex"],
        "basket.tsx:1:17",
    );
    check(
        &world,
        &["Basket", "--mode", "regex", "--file-mask", "*.zip"],
        "",
    );
}

#[test]
fn parts_of_code_are_told_apart() {
    let world = shop();
    for (part, expected) in [
        ("code", "Order.cs:7:19 Order.cs:7:55"),
        ("comments", "Order.cs:3:28 Order.cs:6:14"),
        ("strings", "Order.cs:7:42"),
    ] {
        check(&world, &["Basket", "--in", part], expected);
    }
    let answer = ask(&world, &["search", "text", "Basket", "--in", "code"]);
    let hit = &answer["files"][0]["hits"][0];
    assert_eq!(hit["symbol"], "Order.Basket");
    assert_eq!(hit["namespace"], "Shop");
    assert_eq!(hit["context"], "code");
    let told = answer["diagnostics"].to_string();
    assert!(told.contains("C# alone"), "{told}");
}

/// The words that are kept change no answer: the first question makes them, an edit makes them old. An expression
/// without three letters in a row is looked for in all files.
#[test]
fn what_is_found_by_words_is_what_is_found_by_reading() {
    let world = shop();
    let ask = |query: &str, mode: &str| {
        let answer = ask(&world, &["search", "text", query, "--mode", mode]);
        let read = answer["nRead"].as_u64().zip(answer["nFiles"].as_u64());
        (places(&answer), read.expect("numbers of files"))
    };
    let check = || {
        for (query, mode, by_reading) in [
            ("Basket", "identifier", r"\b[BX]as[kx]et\b"),
            ("Basket", "word", r"\b[BX]as[kx]et\b"),
            ("aske", "plain", "[aX]s[kx]e"),
            ("Order.Bask", "plain", r"[OX]r[dX]e[rX]\.[BX]a[sX]k"),
            (
                "(new|class) (Basket|Order)",
                "regex",
                "([nX]e[wX]|[cX]l[aX]s[sX]) ([BX]as[kX]et|[OX]r[dX]er)",
            ),
        ] {
            let (places, (n_read, n_files)) = ask(query, mode);
            let (expected, (n_all, _)) = ask(by_reading, "regex");
            assert_eq!(places, expected, "{query} {mode}");
            assert!(
                n_read + 3 < n_files && n_all + 3 > n_files,
                "{query}: {n_read} of {n_files}, {n_all}"
            );
        }
    };
    check();
    check();
    world.edit("src/Shop/OrderService.cs", "Order? last;", "int Basket;");
    world.write("new.txt", "a new Basket\n");
    check();
    world.commit("More");
    check();
}

#[test]
fn a_commit_the_work_tree_and_a_scope_have_their_own_files() {
    let world = shop();
    world.write("notes/idea.txt", "Basket\n");
    world.edit("README.md", "Basket", "box");
    check(
        &world,
        &["Basket", "--file-mask", "*.md,*.txt"],
        "idea.txt:1:1",
    );
    check(
        &world,
        &["Basket", "--file-mask", "*.md,*.txt", "--at", "HEAD"],
        "README.md:2:3",
    );
    check(
        &world,
        &["Basket", "--scope", "git:untracked"],
        "idea.txt:1:1",
    );
    check(
        &world,
        &["Basket", "--scope", "members:Order & !Tests"],
        "Order.cs:7:19 Order.cs:7:42 Order.cs:7:55",
    );
    check(
        &world,
        &["Basket", "--scope", "area:web-typescript"],
        "Größe.ts:1:8 basket.tsx:1:17 basket.tsx:2:18",
    );
}

#[test]
fn limits_are_exact_and_told() {
    let world = shop();
    for limit in ["1", "3", "9"] {
        let answer = ask(&world, &["search", "text", "Basket", "--limit", limit]);
        assert_eq!(answer["total"].to_string(), limit);
        let asked = ["search", "text", "Basket", "--limit", limit];
        let cut = &envelope(&world, &asked)["limits"]["cut"];
        assert_eq!(cut == true, limit != "9");
    }
    let text = world.answer(&[
        "--quiet",
        "search",
        "text",
        "Basket",
        "--limit",
        "2",
        "--context",
        "1",
    ]);
    assert_eq!(
        text,
        "Basket: at least 2 hits in 2 files\n\nREADME.md\n  1- # Shop\n  2: A Basket of orders.\n\n\
         src/Shop/Order.cs\n  Order\n    2- \n    3: /// <summary>An order; see Basket.</summary>\n    \
         4- public class Order\n\nnote: more hits not shown (--limit N)\nnote: 1 binary file skipped\n"
    );
    let answer = envelope(&world, &["search", "text", "Basket", "--timeout", "0"]);
    assert_eq!(
        (&answer["limits"]["timedOut"], &answer["answer"]["total"]),
        (&Value::from(true), &Value::from(0))
    );
}

/// What checking out converts is read from git, so that places are those of the commit.
#[test]
fn converted_files_have_the_places_of_git() {
    let world = shop();
    world.commit_files(
        &[
            (".gitattributes", "*.txt eol=crlf\n"),
            ("a.txt", "x\nBasket\n"),
        ],
        "Text",
    );
    world.git(&["rm", "--quiet", "--cached", "a.txt"]);
    world.git(&["add", "a.txt"]);
    std::fs::remove_file(world.path().join("a.txt")).expect("it is there");
    world.git(&["checkout", "--", "a.txt"]);
    assert_eq!(world.read("a.txt"), "x\r\nBasket\r\n");
    check(&world, &["Basket", "--file-mask", "a.txt"], "a.txt:2:1");
    check(
        &world,
        &["Basket$", "--mode", "regex", "--file-mask", "a.txt"],
        "a.txt:2:1",
    );
}

#[test]
fn bad_questions_say_what_is_wrong() {
    let world = shop();
    for (arguments, code, message) in [
        (
            vec!["(", "--mode", "regex"],
            "InvalidPattern",
            "unclosed group",
        ),
        (
            vec!["a b", "--mode", "identifier"],
            "InvalidPattern",
            "is not an identifier",
        ),
        (vec!["", "--mode", "plain"], "InvalidPattern", "empty"),
        (vec!["a", "--file-mask", "["], "InvalidFilter", "file mask"),
        (
            vec!["a", "--scope", "module(Nothing)"],
            "InvalidScope",
            "no project is named",
        ),
    ] {
        let all = [&["search", "text"], &arguments[..], &["--format", "json"]].concat();
        let output = world.run(&all);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let answer: Value = crate::wire::answer_of(&output.stdout);
        assert_eq!(answer["error"]["code"], code, "{arguments:?}: {answer}");
        let told = answer["error"]["message"].as_str().expect("a message");
        assert!(told.contains(message), "{arguments:?}: {told}");
    }
}

#[test]
fn what_is_shown_keeps_its_shape_and_says_what_is_a_hit() {
    let world = World::with_files(&[
        (
            "a.txt",
            "if (x)\n{\n    needle(needle);\n        deeper\n}\n\n\n\n  needle\n",
        ),
        (
            "b.txt",
            &format!("{}needle{}\n", "a".repeat(900), "b".repeat(900)),
        ),
        ("c.txt", &format!("needle{}\n", "b".repeat(900))),
    ]);
    let ask = |options: &[&str]| {
        world.answer(&[&["--quiet", "search", "text", "needle"], options].concat())
    };
    let text = ask(&["--context", "1", "--file-mask", "a.txt"]);
    assert_eq!(
        text,
        "needle: 3 hits on 2 lines in 1 file\n\na.txt\n  2- {\n  3:     needle(needle);\n  \
         4-         deeper\n  8- \n  9: needle\n"
    );
    let markdown = ask(&["--context", "1", "--file-mask", "a.txt", "--format", "md"]);
    assert!(
        markdown.contains("- 2- `{`\n- 3: `    needle(needle);`\n"),
        "{markdown}"
    );
    // Alone, a line has no shape to keep.
    let text = ask(&["--file-mask", "a.txt"]);
    assert!(
        text.contains("  3: needle(needle);\n  9: needle\n"),
        "{text}"
    );
    let text = ask(&["--file-mask", "b.txt"]);
    let line = text
        .lines()
        .find(|it| it.contains("1: "))
        .expect("it is there");
    assert!(
        line.starts_with("  1: …a") && line.ends_with("b…"),
        "{line}"
    );
    let text = ask(&["--file-mask", "c.txt"]);
    assert!(
        text.contains("  1: needleb") && text.trim_end().ends_with("b…"),
        "{text}"
    );
    let short = ask(&["--format", "md", "--budget", "30"]);
    assert!(short.contains("5 hits on 4 lines"), "{short}");
    assert!(
        short.contains(" lines with hits left out (--budget)"),
        "{short}"
    );
}

#[test]
fn files_are_found_by_name_humps_and_glob() {
    let world = shop();
    for (query, expected) in [
        ("OrSe", "src/Shop/OrderService.cs"),
        ("order", "src/Shop/Order.cs src/Shop/OrderService.cs"),
        ("**/*.tsx", "web/src/basket.tsx"),
        ("web/src", "web/src/Größe.ts web/src/basket.tsx"),
    ] {
        let text = world.answer(&["--quiet", "search", "files", query]);
        assert_eq!(
            text.lines().collect::<Vec<_>>().join(" "),
            expected,
            "{query}"
        );
    }
    assert_eq!(
        world.run(&["search", "files", "zebra"]).status.code(),
        Some(1)
    );
}

#[test]
fn areas_are_detected_and_kept_until_a_sentinel_changes() {
    let world = shop();
    let ask = || {
        let printed = envelope(&world, &["areas", "--timing"]);
        let areas = printed["answer"]["areas"].as_array().expect("areas").iter();
        let names: BTreeSet<String> = areas
            .map(|area| area["name"].as_str().expect("a name").to_owned())
            .collect();
        let names = names.into_iter().collect::<Vec<_>>().join(" ");
        let status = match printed["timing"]["cached"].as_bool() {
            Some(true) => "hit",
            Some(false) => "miss",
            None => "unknown",
        };
        format!("{status} {names}")
    };
    assert_eq!(ask(), "miss csharp web-typescript");
    assert_eq!(ask(), "hit csharp web-typescript");
    world.edit("src/Shop/Order.cs", "TODO", "DONE");
    assert_eq!(ask(), "hit csharp web-typescript");
    world.commit("No sentinel");
    assert_eq!(ask(), "hit csharp web-typescript");
    world.write("tools/go.mod", "module tools\n");
    world.write("tools/main.go", "package main\n");
    assert_eq!(ask(), "miss csharp tools-go web-typescript");
    // What is not committed is kept as well, and beside what is.
    assert_eq!(ask(), "hit csharp tools-go web-typescript");
    world.write("tools/main.go", "package tools\n");
    assert_eq!(ask(), "hit csharp tools-go web-typescript");
    std::fs::rename(world.path().join("tools"), world.beside("tools")).expect("it can go");
    assert_eq!(ask(), "hit csharp web-typescript");
    std::fs::rename(world.beside("tools"), world.path().join("tools")).expect("and come");
    assert_eq!(ask(), "hit csharp tools-go web-typescript");
    world.commit("A sentinel");
    assert_eq!(ask(), "miss csharp tools-go web-typescript");
    assert_eq!(ask(), "hit csharp tools-go web-typescript");
    world.write(
        ".context/config.toml",
        "[[area]]\nname = \"shop\"\nroot = \"src/Shop\"\nlanguage = \"csharp\"\n",
    );
    assert_eq!(ask(), "miss csharp shop tools-go web-typescript");
}

#[test]
fn a_question_goes_to_its_area_and_is_answered_in_few_lines() {
    let world = shop();
    let ask = |arguments: &[&str]| {
        let all = [
            &["--quiet", "search", "safe"],
            arguments,
            &["--format", "json"],
        ]
        .concat();
        let output = world.run(&all);
        crate::wire::answer_of(&output.stdout)
    };
    let answer = ask(&["basket button component"]);
    assert_eq!(answer["appliedAreas"][0]["name"], "web-typescript");
    assert_eq!(answer["files"][0]["file"], "web/src/basket.tsx");
    let answer = ask(&["OrderService"]);
    assert_eq!(answer["readAs"], "identifier");
    assert_eq!(answer["files"][0]["file"], "src/Shop/OrderService.cs");
    let answer = ask(&["submit an order in C#"]);
    assert_eq!(answer["terms"], serde_json::json!(["submit", "order"]));
    assert_eq!(answer["files"][0]["file"], "src/Shop/OrderService.cs");
    // Budgets hold, whatever is asked.
    let answer = ask(&["Basket", "--max-files", "2"]);
    let scanned = answer["coverage"]["scannedFiles"].as_u64();
    assert!(scanned <= Some(2), "{answer:#}");
    assert_eq!(answer["coverage"]["limitedBy"], "files");
    let areas = answer["appliedAreas"].as_array().expect("areas").iter();
    let budgets: u64 = areas.filter_map(|area| area["budgetFiles"].as_u64()).sum();
    assert_eq!(budgets, 2);
    // An area of the caller's own.
    let answer = ask(&["Basket", "--include-area", "docs=*.md"]);
    assert_eq!(answer["detectedAreas"][0]["name"], "docs");
    let answer = ask(&["Basket", "--area", "csharp"]);
    assert_eq!(answer["coverage"]["files"], 3, "{answer:#}");
    // Where an expression is found is where it is routed to.
    let answer = ask(&[r"Bas\w+Button"]);
    assert_eq!(answer["readAs"], "expression");
    assert_eq!(answer["total"], 1);
    assert_eq!(answer["routedTo"], "web-typescript");
}

#[test]
fn too_broad_questions_are_refused_with_a_way_out() {
    let world = shop();
    for (arguments, code, exit) in [
        (vec![".*"], "QueryTooBroad", 2),
        (vec!["all files"], "QueryTooBroad", 2),
        (vec!["e"], "QueryTooBroad", 2),
        (vec!["Basket", "--area", "nowhere"], "UnknownArea", 2),
        (vec!["(", "--regex"], "InvalidPattern", 2),
        (
            vec!["Basket", "--max-files", "1", "--strict"],
            "LimitExceeded",
            3,
        ),
    ] {
        let all = [&["search", "safe"], &arguments[..], &["--format", "json"]].concat();
        let output = world.run(&all);
        assert_eq!(output.status.code(), Some(exit), "{arguments:?}");
        let answer: Value = crate::wire::answer_of(&output.stdout);
        let error = &answer["error"];
        assert_eq!(error["code"], code, "{arguments:?}: {answer}");
        assert_eq!(error["next"][0]["operation"], "search-safe", "{answer}");
        assert!(error["hint"]["kind"].is_string(), "{answer}");
    }
    let told = shown(&world.run(&["search", "safe", ".*"]));
    assert!(
        told.contains("hint: ") && told.contains("matches every line"),
        "{told}"
    );
}

/// Where indexing would take long, files and texts are searched without: at once, and with the same hits.
#[test]
fn a_large_repository_is_searched_before_it_is_indexed() {
    let files: Vec<(String, String)> = (0..401)
        .map(|n| {
            (
                format!("src/C{n}.cs"),
                format!("class C{n} {{ int needle; }}\n"),
            )
        })
        .collect();
    let mut files: Vec<(&str, &str)> = files
        .iter()
        .map(|(p, t)| (p.as_str(), t.as_str()))
        .collect();
    files.push(("src/Src.csproj", PROJECT));
    let world = World::with_files(&files);
    let text = |extra: &[&str]| {
        ask(
            &world,
            &[&["search", "text", "C7 { int needle"], extra].concat(),
        )
    };
    let before = text(&[]);
    let hit = &before["files"][0]["hits"][0];
    assert!(hit["symbol"].is_null() && hit["context"] == "code", "{hit}");
    let told = before["diagnostics"].to_string();
    assert!(told.contains("`git cortex index"), "{told}");
    assert_eq!(places(&text(&["--scope", "dir(src)"])), places(&before));
    let files = ask(
        &world,
        &["search", "files", "C77.cs", "--scope", "git:churn:1000"],
    );
    assert_eq!(files["items"][0]["file"], "src/C77.cs");
    let scope = world.run(&["scope", "files", "files(src/C1.cs)"]);
    assert_eq!(scope.stdout, b"src/C1.cs\n", "{}", shown(&scope));
    assert_eq!(ask(&world, &["areas"])["areas"][0]["language"], "csharp");
    let status = ask(
        &world,
        &[
            "search",
            "text",
            "C7 { int needle",
            "--scope",
            "module(Src)",
        ],
    );
    assert_eq!(status["files"][0]["hits"][0]["symbol"], "C7");
    let after = text(&[]);
    assert_eq!(after["files"][0]["hits"][0]["symbol"], "C7");
    assert_eq!(places(&after), places(&before));
}

#[test]
fn a_search_that_had_no_time_does_not_say_that_nothing_is_there() {
    let world = shop();
    let answer = ask(&world, &["search", "safe", "Basket", "--timeout", "0"]);
    assert_eq!(answer["coverage"]["limitedBy"], "time");
    let next = answer["nextSteps"].as_array().expect("steps");
    assert_eq!(next.len(), 1, "{answer:#}");
}

/// An example is made of the question and the repository, and answers as it stands.
#[test]
fn the_example_of_a_refusal_can_be_run() {
    let world = shop();
    for (arguments, expected) in [
        (vec![".*"], "OrderService --area csharp"),
        (vec!["all files"], "OrderService --area csharp"),
        (
            vec!["b", "--area", "web-typescript"],
            "basket --area web-typescript",
        ),
        (vec!["(Basket)?", "--regex"], "Basket"),
        (
            vec!["Basket", "--area", "web"],
            "Basket --area web-typescript",
        ),
        (vec!["Basket(", "--regex"], r"'Basket\(' --regex"),
        (
            vec!["Basket", "--max-files", "1", "--strict"],
            "Basket --max-files 4",
        ),
    ] {
        let all = [&["search", "safe"], &arguments[..]].concat();
        let told = shown(&world.run(&all));
        let call = format!("search ask {expected}");
        assert!(told.contains(&format!("git cortex {call}\n")), "{told}");
        let words = call.replace('\'', "");
        let words: Vec<&str> = words.split(' ').collect();
        let output = world.run(&words);
        assert_eq!(output.status.code(), Some(0), "{call}: {}", shown(&output));
    }
}

#[test]
fn whatever_goes_wrong_has_a_code_and_a_way_out() {
    let world = shop();
    let outside = world.beside("outside");
    std::fs::create_dir(&outside).expect("the folder is new");
    let ask = ["search", "safe", "Basket", "--format", "json"];
    let at = [&ask[..], &["--at", "nowhere"]].concat();
    let glob = [&ask[..], &["--include-area", "web=["]].concat();
    for (output, code, exit) in [
        (world.run_in(&outside, &ask), "NotARepository", 3),
        (world.run(&at), "InvalidRange", 2),
        (world.run(&glob), "InvalidFilter", 2),
    ] {
        assert_eq!(output.status.code(), Some(exit), "{}", shown(&output));
        let answer: Value = crate::wire::answer_of(&output.stdout);
        assert_eq!(answer["error"]["code"], code, "{answer:#}");
    }
}

#[test]
fn where_there_is_nothing_nothing_is_found() {
    let world = World::empty();
    assert!(world.answer(&["areas"]).contains("no area"));
    let answer = ask(&world, &["search", "safe", "login user"]);
    assert_eq!(answer["routedTo"], Value::Null);
    assert_eq!(answer["nextSteps"][0]["kind"], "no-files");
    world.write("notes.txt", "login user\n");
    let answer = ask(&world, &["search", "safe", "login user"]);
    assert_eq!(answer["files"][0]["file"], "notes.txt");
    // Nothing speaks for an area until files do.
    world.commit("Notes");
    let areas = || ask(&world, &["areas"])["areas"].as_array().map(Vec::len);
    assert_eq!(areas(), Some(0));
    for n in 0..5 {
        world.write(&format!("scripts/{n}.py"), "pass\n");
    }
    assert_eq!(areas(), Some(1));
}

#[test]
fn a_broken_configuration_is_told_with_its_line() {
    let world = shop();
    world.write(
        ".context/config.toml",
        "[[area]]\nname = \"shop\"\nrot = \"src\"\n",
    );
    let answer = ask(&world, &["areas"]);
    let told = answer["diagnostics"][0].as_str().expect("a note");
    assert!(
        told.contains("[[area]] 1, `shop`") && told.contains("rot"),
        "{told}"
    );
    assert_eq!(answer["areas"].as_array().map(Vec::len), Some(2));
}

/// What a partial clone lacks is found as soon as it is there, whatever was kept meanwhile.
#[test]
fn contents_that_were_absent_are_found_when_they_are_there() {
    let world = shop();
    let id = world.git(&["rev-parse", "HEAD:web/src/basket.tsx"]);
    let (folder, name) = id.trim().split_at(2);
    let object = world.path().join(".git/objects").join(folder).join(name);
    let aside = world.beside("aside");
    std::fs::rename(&object, &aside).expect("the object is loose");
    let files = || {
        let answer = ask(&world, &["search", "safe", "BasketButton", "--at", "HEAD"]);
        let files = answer["files"].as_array().expect("files").clone();
        let names = files
            .iter()
            .map(|it| it["file"].as_str().expect("a name").to_owned());
        names.collect::<Vec<_>>()
    };
    assert_eq!(files(), Vec::<String>::new());
    assert_eq!(files(), Vec::<String>::new());
    std::fs::rename(&aside, &object).expect("it goes back");
    assert_eq!(files(), ["web/src/basket.tsx"]);
    assert_eq!(files(), ["web/src/basket.tsx"]);
}

/// Words of contents that came after the others were kept are kept beside these.
#[test]
fn what_was_edited_is_found_in_the_edited_text() {
    let world = shop();
    let files = |query: &str| {
        let answer = ask(&world, &["search", "safe", query]);
        let files = answer["files"].as_array().expect("files").clone();
        let names = files
            .iter()
            .map(|it| it["file"].as_str().expect("a name").to_owned());
        names.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(files("BasketButton"), "web/src/basket.tsx");
    for n in 0..3 {
        world.write(
            "web/src/basket.tsx",
            format!("export const Trolley{n} = 1;\n"),
        );
        world.write(&format!("web/src/new{n}.ts"), format!("Trolley{n}();\n"));
        let both = format!("web/src/basket.tsx web/src/new{n}.ts");
        for _ in 0..2 {
            assert_eq!(files("BasketButton"), "");
            let mut found: Vec<String> = files(&format!("Trolley{n}"))
                .split(' ')
                .map(str::to_owned)
                .collect();
            found.sort();
            assert_eq!(found.join(" "), both);
        }
    }
    world.git(&["checkout", "--quiet", "--", "."]);
    assert_eq!(files("BasketButton"), "web/src/basket.tsx");
}
