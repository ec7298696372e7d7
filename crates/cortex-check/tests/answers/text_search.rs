//! `search text`, `search files`, `search safe` and `areas`: what is found is what is there, limits hold, and errors
//! say what to do.

use std::collections::BTreeSet;

use cortex_check::{Format, Service, Value, json, programs::languages, render, with};

/// A back end in C#, a front end in TypeScript, a script, and more.
fn shop() -> Service {
    Service::with_files(languages::FILES)
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
fn check(world: &Service, request: Value, expected: &str) {
    let answer = world.answer("search-text", request.clone());
    assert_eq!(places(&answer), expected, "{request}");
}

#[test]
fn every_mode_finds_what_it_says() {
    let world = shop();
    check(
        &world,
        json!({"query": "Basket"}),
        "README.md:2:3 Order.cs:3:28 Order.cs:6:14 Order.cs:7:19 Order.cs:7:42 Order.cs:7:55 Größe.ts:1:8 \
         basket.tsx:1:17 basket.tsx:2:18",
    );
    check(
        &world,
        json!({"query": "basket", "masks": ["*.cs", "!*Service.cs"]}),
        "Order.cs:7:30 Order.cs:7:62",
    );
    check(
        &world,
        json!({"query": "BASKET", "ignoreCase": true, "masks": ["/*.md"]}),
        "README.md:2:3",
    );
    check(
        &world,
        json!({"query": "Basket", "mode": "word", "masks": ["*.tsx"]}),
        "basket.tsx:2:18",
    );
    check(
        &world,
        json!({"query": r"Bas\w+n\(\)", "mode": "regex"}),
        "basket.tsx:1:17",
    );
    check(
        &world,
        json!({"query": "Basket", "mode": "regex", "masks": ["*.zip"]}),
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
        check(&world, json!({"query": "Basket", "within": part}), expected);
    }
    let answer = world.answer("search-text", json!({"query": "Basket", "within": "code"}));
    let hit = &answer["files"][0]["hits"][0];
    assert_eq!(hit["symbol"], "Order.Basket");
    assert_eq!(hit["namespace"], "Shop");
    assert_eq!(hit["context"], "code");
    let told = answer["diagnostics"].to_string();
    assert!(told.contains("only C# files distinguish code"), "{told}");
}
/// The words that are kept change no answer: the first question makes them, an edit makes them old. An expression
/// without three letters in a row is looked for in all files.
#[test]
fn what_is_found_by_words_is_what_is_found_by_reading() {
    let world = shop();
    let ask = |query: &str, mode: &str| {
        let answer = world.answer("search-text", json!({"query": query, "mode": mode}));
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
        json!({"query": "Basket", "masks": ["*.md", "*.txt"]}),
        "idea.txt:1:1",
    );
    check(
        &world,
        json!({"query": "Basket", "masks": ["*.md", "*.txt"], "at": "HEAD"}),
        "README.md:2:3",
    );
    check(
        &world,
        json!({"query": "Basket", "scope": "git:untracked"}),
        "idea.txt:1:1",
    );
    check(
        &world,
        json!({"query": "Basket", "scope": "members:Order & !Tests"}),
        "Order.cs:7:19 Order.cs:7:42 Order.cs:7:55",
    );
    check(
        &world,
        json!({"query": "Basket", "scope": "area:web-typescript"}),
        "Größe.ts:1:8 basket.tsx:1:17 basket.tsx:2:18",
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
    check(
        &world,
        json!({"query": "Basket", "masks": ["a.txt"]}),
        "a.txt:2:1",
    );
    check(
        &world,
        json!({"query": "Basket$", "mode": "regex", "masks": ["a.txt"]}),
        "a.txt:2:1",
    );
}
#[test]
fn bad_questions_say_what_is_wrong() {
    let world = shop();
    for (request, code, message) in [
        (
            json!({"query": "(", "mode": "regex"}),
            "InvalidPattern",
            "unclosed group",
        ),
        (
            json!({"query": "a b", "mode": "identifier"}),
            "InvalidPattern",
            "is not an identifier",
        ),
        (json!({"query": ""}), "InvalidPattern", "empty"),
        (
            json!({"query": "a", "masks": ["["]}),
            "InvalidFilter",
            "file mask",
        ),
        (
            json!({"query": "a", "scope": "module(Nothing)"}),
            "InvalidScope",
            "no project is named",
        ),
    ] {
        let error = world.error("search-text", request.clone());
        assert_eq!(error["code"], code, "{request}: {error}");
        let found = error["message"].as_str().expect("a message");
        assert!(found.contains(message), "{request}: {found}");
    }
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
        let text = world.text("search-files", json!({"query": query}));
        assert_eq!(
            text.lines().collect::<Vec<_>>().join(" "),
            expected,
            "{query}"
        );
    }
    assert_eq!(
        world.answer("search-files", json!({"query": "zebra"}))["total"],
        0
    );
}
#[test]
fn areas_are_detected_and_kept_until_a_sentinel_changes() {
    let world = shop();
    let ask = || {
        let envelope = world.timed_envelope("areas", json!({}));
        let areas = envelope["answer"]["areas"]
            .as_array()
            .expect("areas")
            .iter();
        let names: BTreeSet<String> = areas
            .map(|area| area["name"].as_str().expect("a name").to_owned())
            .collect();
        let names = names.into_iter().collect::<Vec<_>>().join(" ");
        let status = match envelope["timing"]["cached"].as_bool() {
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
    let ask = |query: &str, more: Value| {
        world.answer("search-safe", with(&json!({"query": query}), more))
    };
    let answer = ask("basket button component", json!({}));
    assert_eq!(answer["appliedAreas"][0]["name"], "web-typescript");
    assert_eq!(answer["files"][0]["file"], "web/src/basket.tsx");
    let answer = ask("OrderService", json!({}));
    assert_eq!(answer["readAs"], "identifier");
    assert_eq!(answer["files"][0]["file"], "src/Shop/OrderService.cs");
    let answer = ask("submit an order in C#", json!({}));
    assert_eq!(answer["terms"], json!(["submit", "order"]));
    assert_eq!(answer["files"][0]["file"], "src/Shop/OrderService.cs");
    // Budgets hold, whatever is asked.
    let answer = ask("Basket", json!({"maxFiles": 2}));
    let scanned = answer["coverage"]["scannedFiles"].as_u64();
    assert!(scanned <= Some(2), "{answer:#}");
    assert_eq!(answer["coverage"]["limitedBy"], "files");
    let areas = answer["appliedAreas"].as_array().expect("areas").iter();
    let budgets: u64 = areas.filter_map(|area| area["budgetFiles"].as_u64()).sum();
    assert_eq!(budgets, 2);
    // An area of the caller's own.
    let answer = ask(
        "Basket",
        json!({"includeAreas": [{"name": "docs", "globs": ["*.md"]}]}),
    );
    assert_eq!(answer["detectedAreas"][0]["name"], "docs");
    let answer = ask("Basket", json!({"area": "csharp"}));
    assert_eq!(answer["coverage"]["files"], 3, "{answer:#}");
    // Where an expression is found is where it is routed to.
    let answer = ask(r"Bas\w+Button", json!({}));
    assert_eq!(answer["readAs"], "expression");
    assert_eq!(answer["total"], 1);
    assert_eq!(answer["routedTo"], "web-typescript");
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
    files.push(("src/Src.csproj", languages::PROJECT));
    let world = Service::with_files(&files);
    let text = |more: Value| {
        let request = json!({"query": "C7 { int needle"});
        world.answer("search-text", with(&request, more))
    };
    let before = text(json!({}));
    let hit = &before["files"][0]["hits"][0];
    assert!(hit["symbol"].is_null() && hit["context"] == "code", "{hit}");
    let told = before["diagnostics"].to_string();
    assert!(told.contains("this commit is not indexed"), "{told}");
    assert_eq!(places(&text(json!({"scope": "dir(src)"}))), places(&before));
    let request = json!({"query": "C77.cs", "scope": "git:churn:1000"});
    let files = world.answer("search-files", request);
    assert_eq!(files["items"][0]["file"], "src/C77.cs");
    let scope = world.text("scope-files", json!({"scope": "files(src/C1.cs)"}));
    assert_eq!(scope, "src/C1.cs\n");
    let areas = world.answer("areas", json!({}));
    assert_eq!(areas["areas"][0]["language"], "csharp");
    let status = text(json!({"scope": "module(Src)"}));
    assert_eq!(status["files"][0]["hits"][0]["symbol"], "C7");
    let after = text(json!({}));
    assert_eq!(after["files"][0]["hits"][0]["symbol"], "C7");
    assert_eq!(places(&after), places(&before));
}
#[test]
fn where_there_is_nothing_nothing_is_found() {
    let world = Service::empty();
    assert!(world.text("areas", json!({})).contains("no area"));
    let answer = world.answer("search-safe", json!({"query": "login user"}));
    assert_eq!(answer["routedTo"], Value::Null);
    assert_eq!(answer["nextSteps"][0]["kind"], "no-files");
    world.write("notes.txt", "login user\n");
    let answer = world.answer("search-safe", json!({"query": "login user"}));
    assert_eq!(answer["files"][0]["file"], "notes.txt");
    // Nothing speaks for an area until files do.
    world.commit("Notes");
    let areas = || {
        world.answer("areas", json!({}))["areas"]
            .as_array()
            .map(Vec::len)
    };
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
    let answer = world.answer("areas", json!({}));
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
        let answer = world.answer(
            "search-safe",
            json!({"query": "BasketButton", "at": "HEAD"}),
        );
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
        let answer = world.answer("search-safe", json!({"query": query}));
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

/// A file may be edited between the moment when git counts it as unchanged and the one when it is read: what is in it
/// then is not what the commit has, now and in what is kept.
#[test]
fn what_was_edited_unseen_is_neither_found_nor_kept() {
    let world = shop();
    world.git(&["update-index", "--assume-unchanged", "README.md"]);
    world.write("README.md", "# Shop\nA Trolley of orders.\n");
    for at in [json!({}), json!({"at": "HEAD"}), json!({})] {
        let request = |query: &str| with(&json!({"query": query, "masks": ["*.md"]}), at.clone());
        check(&world, request("Basket"), "README.md:2:3");
        check(&world, request("Trolley"), "");
    }
}

#[test]
fn what_is_shown_keeps_its_shape_and_says_what_is_a_hit() {
    let world = Service::with_files(&[
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
    let request =
        |mask: &str, context: u32| json!({"query": "needle", "masks": [mask], "context": context});
    let text = world.text("search-text", request("a.txt", 1));
    assert_eq!(
        text,
        "needle: 3 hits on 2 lines in 1 file\n\na.txt\n  2- {\n  3:     needle(needle);\n  \
         4-         deeper\n  8- \n  9: needle\n"
    );
    let markdown = world.markdown("search-text", request("a.txt", 1));
    assert!(
        markdown.contains("- 2- `{`\n- 3: `    needle(needle);`\n"),
        "{markdown}"
    );
    // Alone, a line has no shape to keep.
    let text = world.text("search-text", request("a.txt", 0));
    assert!(
        text.contains("  3: needle(needle);\n  9: needle\n"),
        "{text}"
    );
    let text = world.text("search-text", request("b.txt", 0));
    let line = text.lines().find(|line| line.contains("1: "));
    let line = line.expect("the line of the hit is shown");
    assert!(
        line.starts_with("  1: …a") && line.ends_with("b…"),
        "{line}"
    );
    let text = world.text("search-text", request("c.txt", 0));
    assert!(
        text.contains("  1: needleb") && text.trim_end().ends_with("b…"),
        "{text}"
    );
    let envelope = world.envelope("search-text", json!({"query": "needle"}));
    let short = render(&envelope, Format::Markdown, 30);
    let short = short.expect("searches have Markdown");
    assert!(short.contains("5 hits on 4 lines"), "{short}");
    assert!(short.contains(" lines with hits left out"), "{short}");
}
