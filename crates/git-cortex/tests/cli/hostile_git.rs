//! Repositories that lie, lack objects or are collected while they are read.

use std::{
    fs,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use crate::{
    harness::{World, shown, times},
    ranges::PROJECT,
};

/// A repository of a few types over two commits.
fn shop() -> World {
    let world = World::empty();
    world.write("App.csproj", PROJECT);
    for number in 0..40 {
        let text = format!(
            "namespace Shop;\n\npublic class C{number}\n{{\n    public int M(C{} c) => c.M(null);\n}}\n",
            (number * 7 + 1) % 40
        );
        world.write(&format!("src/C{number}.cs"), text);
    }
    world.commit("One");
    world.edit("src/C1.cs", "int M(", "long M(");
    world.commit("Two");
    world
}

/// `CORTEX_ANSWERS=200` makes it the long test.
#[test]
fn answers_beside_collections_and_commits_are_as_if_there_were_none() {
    let world = shop();
    let questions: [&[&str]; 6] = [
        &["export", "--at", "HEAD"],
        &["usages", "Shop.C3", "--at", "HEAD", "--format", "json"],
        &["diff-context", "HEAD~1..HEAD", "--format", "json"],
        &["search", "text", "class C1", "--at", "HEAD"],
        &["outline", "Shop.C4", "--at", "HEAD"],
        &["api", "HEAD~1..HEAD", "--format", "json"],
    ];
    let pinned = world.git(&["rev-parse", "HEAD", "HEAD~1"]);
    let pinned: Vec<&str> = pinned.lines().collect();
    // What moves is named by what does not.
    let questions: Vec<Vec<String>> = questions
        .iter()
        .map(|question| {
            let pin = |word: &&str| match *word {
                "HEAD" => pinned[0].to_owned(),
                "HEAD~1..HEAD" => format!("{}..{}", pinned[1], pinned[0]),
                other => other.to_owned(),
            };
            question.iter().map(pin).collect()
        })
        .collect();
    let ask = |question: &[String]| {
        let arguments: Vec<&str> = question.iter().map(String::as_str).collect();
        let output = world.run(&arguments);
        assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
        output.stdout
    };
    let expected: Vec<Vec<u8>> = questions.iter().map(|question| ask(question)).collect();
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let (world, is_over) = (&world, &is_over);
        scope.spawn(move || {
            while !is_over.load(Ordering::Relaxed) {
                let output = world.run(&["gc", "--all"]);
                assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
            }
        });
        scope.spawn(move || {
            for number in 0.. {
                if is_over.load(Ordering::Relaxed) {
                    return;
                }
                world.write("src/C1.cs", format!("class Edited{number} {{ }}\n"));
                world.commit("More");
            }
        });
        // It keeps what it finds in files that are edited at the same time.
        scope.spawn(move || {
            while !is_over.load(Ordering::Relaxed) {
                let output = world.run(&["search", "text", "class C1"]);
                let is_answered = matches!(output.status.code(), Some(0 | 1));
                assert!(is_answered, "{}", shown(&output));
            }
        });
        let askers: Vec<_> = (0..4)
            .map(|asker| {
                let (questions, expected, ask) = (&questions, &expected, &ask);
                scope.spawn(move || {
                    for round in 0..times("CORTEX_ANSWERS", 6) as usize {
                        let nth = (asker + round) % questions.len();
                        let answer = ask(&questions[nth]);
                        assert!(answer == expected[nth], "{:?}", questions[nth]);
                    }
                })
            })
            .collect();
        let ended: Vec<_> = askers.into_iter().map(|asker| asker.join()).collect();
        is_over.store(true, Ordering::Relaxed);
        for asker in ended {
            asker.expect("every answer is right");
        }
    });
}

#[test]
fn a_project_file_that_git_lacks_is_told_until_it_is_there() {
    let world = shop();
    let blob = world.git(&["rev-parse", "HEAD:App.csproj"]);
    let (folder, name) = blob.trim().split_at(2);
    let object = world.path().join(".git/objects").join(folder).join(name);
    let aside = world.beside("aside");
    fs::rename(&object, &aside).expect("the object is loose");
    let question = ["usages", "Shop.C3", "--at", "HEAD"];
    for _ in 0..2 {
        let output = world.run(&question);
        let text = shown(&output);
        assert_eq!(output.status.code(), Some(0), "{text}");
        assert!(text.contains("`App.csproj`"), "{text}");
    }
    fs::rename(&aside, &object).expect("it goes back");
    let output = world.run(&question);
    let text = shown(&output);
    assert!(!text.contains("could not be read"), "{text}");
    world.answer(&["gc", "--all"]);
    let fresh = world.run(&question);
    assert!(output.stdout == fresh.stdout, "{text}");
}

/// Removes the content of a file from the repository; gives the way back.
fn remove_content(world: &World, path: &str) -> impl FnOnce() + use<> {
    let blob = world.git(&["rev-parse", &format!("HEAD:{path}")]);
    let (folder, name) = blob.trim().split_at(2);
    let object = world.path().join(".git/objects").join(folder).join(name);
    let aside = world.beside("aside");
    fs::rename(&object, &aside).expect("the object is loose");
    move || fs::rename(&aside, &object).expect("it goes back")
}

#[test]
fn an_answer_without_a_file_is_the_whole_answer_or_names_the_file() {
    let world = shop();
    world.write("db/shop.sql", "select * from C3; -- C4\n");
    world.write("web/package.json", "{\"name\": \"C3\"}\n");
    world.commit("Three");
    let questions: [&[&str]; 12] = [
        &["usages", "Shop.C3", "--at", "HEAD"],
        &["usages", "Shop.C3", "--mentions", "--at", "HEAD"],
        &["search", "text", "C3", "--at", "HEAD"],
        &["search", "ask", "C3", "--at", "HEAD"],
        &["areas", "--at", "HEAD"],
        &["unused", "--at", "HEAD"],
        &["callers", "Shop.C3.M", "--at", "HEAD"],
        &["resolve", "Shop.C3", "--at", "HEAD"],
        &["outline", "Shop.C3", "--at", "HEAD"],
        &["diff-context", "HEAD~2..HEAD"],
        &["api", "HEAD~2..HEAD"],
        &["export", "--at", "HEAD"],
    ];
    let asked = || questions.map(|question| world.run(question));
    let whole = asked();
    for path in ["App.csproj", "src/C3.cs", "db/shop.sql", "web/package.json"] {
        world.answer(&["gc", "--all"]);
        let restore = remove_content(&world, path);
        // The second time from what was kept.
        for round in 0..2 {
            for ((question, ours), whole) in questions.iter().zip(asked()).zip(&whole) {
                let is_whole = ours.stdout == whole.stdout && ours.status == whole.status;
                let text = shown(&ours);
                assert!(
                    is_whole || text.contains(path),
                    "{path} {round} {question:?}: {text}"
                );
            }
        }
        restore();
        for ((question, ours), whole) in questions.iter().zip(asked()).zip(&whole) {
            let is_whole = ours.stdout == whole.stdout && ours.status == whole.status;
            assert!(is_whole, "{path} {question:?}: {}", shown(&ours));
        }
    }
}
