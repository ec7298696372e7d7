//! Layers of configuration: the later one wins, and what may not or cannot count says so.

use std::fs;

use serde_json::Value;

use crate::{
    harness::{World, check},
    ranges::PROJECT,
};

/// The setting of a key as the command tells it, with variables of the environment set.
fn setting(world: &World, key: &str, variables: &[(&str, &str)], options: &[&str]) -> Value {
    let arguments = [&["config", key, "--format", "json"], options].concat();
    let mut command = world.command(&arguments);
    command.envs(variables.iter().copied());
    let output = command.output().expect("the command can be started");
    assert!(output.status.success());
    let answer: Value = crate::wire::answer_of(&output.stdout);
    answer["settings"][0].clone()
}

fn value_and_layer(setting: &Value) -> String {
    let word = |name: &str| setting[name].as_str().unwrap_or_default().to_owned();
    format!("{} {}", word("value"), word("layer"))
}

fn write_user_file(world: &World, text: &str) {
    let folder = world.beside("home").join(".config/git-cortex");
    fs::create_dir_all(&folder).expect("a folder can be made");
    fs::write(folder.join("config.toml"), text).expect("a file can be written");
}

#[test]
fn each_layer_wins_over_those_before_it() {
    let world = World::with_files(&[("App.csproj", PROJECT)]);
    let now = |variables: &[(&str, &str)], options: &[&str]| {
        value_and_layer(&setting(&world, "tfm", variables, options))
    };
    assert_eq!(now(&[], &[]), " built-in");
    write_user_file(&world, "tfm = 'net5.0'\n");
    assert_eq!(now(&[], &[]), "net5.0 user");
    // As `git -c cortex.tfm=net5.1 cortex` hands it on.
    let parameters = [("GIT_CONFIG_PARAMETERS", "'cortex.tfm'='net5.1'")];
    assert_eq!(now(&parameters, &[]), "net5.1 git");
    let counted = [
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", "cortex.tfm"),
        ("GIT_CONFIG_VALUE_0", "net5.2"),
    ];
    assert_eq!(now(&counted, &[]), "net5.2 git");
    world.git(&["config", "cortex.tfm", "net6.0"]);
    assert_eq!(now(&[], &[]), "net6.0 git");
    world.write(".context/config.toml", "tfm = 'net7.0'\n");
    assert_eq!(now(&[], &[]), "net7.0 repository");
    let variable = [("GIT_CORTEX_TFM", "net8.0")];
    assert_eq!(now(&variable, &[]), "net8.0 environment");
    let option = ["--tfm", "net9.0"];
    assert_eq!(now(&variable, &option), "net9.0 command-line");
    let all = setting(&world, "tfm", &variable, &option);
    assert_eq!(all["values"].as_array().map(Vec::len), Some(6));
}

#[test]
fn a_repository_may_not_say_where_is_written_to() {
    let world = World::with_files(&[
        ("App.csproj", PROJECT),
        (
            ".context/config.toml",
            "dir = '../elsewhere'\nmaxSize = '1k'\n",
        ),
    ]);
    world.git(&["config", "cortex.dir", "../elsewhere-too"]);
    for key in ["dir", "maxSize"] {
        let setting = setting(&world, key, &[], &[]);
        assert_eq!(setting["layer"], "built-in", "{key}");
    }
    world.answer(&["index", "HEAD"]);
    let git = world.path().join(".git");
    assert!(git.join("cortex").is_dir());
    assert!(!git.join("../elsewhere").exists() && !git.join("../elsewhere-too").exists());
}

#[test]
fn what_is_not_a_value_is_told_and_does_not_count() {
    let world = World::with_files(&[
        ("App.csproj", PROJECT),
        (".context/config.toml", "tfn = 'net8.0'\n"),
    ]);
    write_user_file(&world, "gcAuto = 'often'\nlockTimeout = 3\n");
    world.git(&["config", "cortex.maxSize", "huge"]);
    check("config", &world.show(&["config"]));
    check("config_unknown", &world.show(&["config", "maxsise"]));
    write_user_file(&world, "gcAuto = \n");
    check("config_broken", &world.show(&["config", "cortex.GCAUTO"]));
}

#[test]
fn a_committed_framework_decides_what_is_looked_at() {
    let project = "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFrameworks>net8.0;net9.0</TargetFrameworks></PropertyGroup></Project>";
    let world = World::with_files(&[("App.csproj", project), ("A.cs", "class A { }\n")]);
    let looked_at = || world.json(&["status", "--projects"])["projects"][0]["tfm"].clone();
    assert_eq!(looked_at(), "net9.0");
    world.write(".context/config.toml", "tfm = 'net8.0'\n");
    assert_eq!(looked_at(), "net8.0");
}
