//! A small repository with committed context, and changes that break each rule of the check.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use cortex_fresh::Policy;
use cortex_git::Side;
use cortex_wire::CheckRule;
use serde::Deserialize;

use crate::world::World;

#[derive(Deserialize)]
struct Step {
    title: String,
    #[serde(default)]
    write: BTreeMap<String, String>,
    edit: Option<(String, String, String)>,
    #[serde(default)]
    remove: Vec<String>,
    #[serde(default)]
    link: BTreeMap<String, String>,
    rules: Vec<String>,
}

fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/context")
}

fn copy(from: &Path, world: &World, folder: &str) {
    for entry in fs::read_dir(from).expect("the fixture is there") {
        let entry = entry.expect("it can be listed");
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{folder}{name}");
        match entry.path().is_dir() {
            true => copy(&entry.path(), world, &format!("{path}/")),
            false => {
                let text = fs::read_to_string(entry.path()).expect("it is text");
                world.write(&path, &text.replace("\r\n", "\n"));
            }
        }
    }
}

#[test]
fn every_rule_is_broken_by_the_story_and_by_nothing_else() {
    let world = World::new();
    copy(&fixture().join("start"), &world, "");
    world.commit("start");
    let story = fs::read_to_string(fixture().join("story.json")).expect("it is there");
    let steps: Vec<Step> = serde_json::from_str(&story).expect("it has its form");
    let problems = |side: Side| {
        let answer = world.check(side, None, &Policy::default());
        let names = answer.problems.iter().map(|it| it.rule.name().to_owned());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    };
    assert_eq!(
        problems(world.head()),
        Vec::<String>::new(),
        "fresh at first"
    );
    let mut broken = BTreeSet::new();
    for step in steps {
        for (path, text) in &step.write {
            world.write(path, text);
        }
        if let Some((path, old, new)) = &step.edit {
            let text = world.read(path);
            assert!(text.contains(old), "{}", step.title);
            world.write(path, &text.replace(old, new));
        }
        for path in &step.remove {
            fs::remove_file(world.path().join(path)).expect("it is there");
        }
        for (path, target) in &step.link {
            let place = world.path().join(path);
            fs::remove_file(&place).expect("it is there");
            #[cfg(unix)]
            std::os::unix::fs::symlink(target, &place).expect("links can be made");
            #[cfg(not(unix))]
            let _ = target;
        }
        if cfg!(unix) || step.link.is_empty() {
            assert_eq!(problems(Side::WorkTree), step.rules, "{}", step.title);
            world.commit(&step.title);
            assert_eq!(problems(world.head()), step.rules, "{}", step.title);
        } else {
            world.commit(&step.title);
        }
        broken.extend(step.rules);
        world.git(&["reset", "-q", "--hard", "HEAD~1"]);
    }
    // Operations are recorded beside the repository, not in it.
    let all = CheckRule::ALL.iter().map(|rule| rule.name().to_owned());
    assert_eq!(
        broken,
        all.filter(|rule| !rule.starts_with("op-")).collect()
    );
}
