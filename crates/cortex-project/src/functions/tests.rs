//! Property functions, by what they give.

use cortex_model::RepoPath;

use super::{Site, Value, call_on, call_static};
use crate::paths::PathTable;

const FILES: [&str; 4] = [
    "Directory.Build.props",
    "src/App/App.csproj",
    "src/App/a.cs",
    "src/x.props",
];

#[track_caller]
fn check_static(class: &str, member: &str, arguments: &[&str], expected: &str) {
    let paths: Vec<RepoPath> = FILES.map(RepoPath::from).to_vec();
    let table = PathTable::new(&paths);
    let site = Site {
        table: &table,
        project_folder: "src/App",
        file_folder: "src/App",
    };
    let arguments: Vec<String> = arguments.iter().map(|text| (*text).to_owned()).collect();
    let value = call_static(site, class, member, &arguments).expect(member);
    assert_eq!(value.into_text(), expected, "{member}{arguments:?}");
}

#[track_caller]
fn check_method(text: &str, name: &str, arguments: &[&str], expected: Option<&str>) {
    let arguments: Vec<String> = arguments.iter().map(|text| (*text).to_owned()).collect();
    let value = call_on(Value::Text(text.to_owned()), name, &arguments).ok();
    assert_eq!(
        value.map(Value::into_text).as_deref(),
        expected,
        "{text}.{name}{arguments:?}"
    );
}

#[test]
fn files_above_are_found_from_the_file_or_from_a_given_folder() {
    check_static(
        "msbuild",
        "getpathoffileabove",
        &["x.props"],
        "/_/src/x.props",
    );
    check_static(
        "msbuild",
        "getpathoffileabove",
        &["Directory.Build.props", "/_/src/../"],
        "/_/Directory.Build.props",
    );
    check_static("msbuild", "getpathoffileabove", &["gone.props"], "");
    check_static(
        "msbuild",
        "getdirectorynameoffileabove",
        &["/_/src/App/", "x.props"],
        "/_/src",
    );
    check_static(
        "msbuild",
        "getdirectorynameoffileabove",
        &["/_/src/App/", "Directory.Build.props"],
        "/_",
    );
}

#[test]
fn paths_are_normalized_against_the_project() {
    check_static(
        "msbuild",
        "normalizepath",
        &["/_/src/", r"..\eng", "a.props"],
        "/_/eng/a.props",
    );
    check_static("msbuild", "normalizedirectory", &["x"], "/_/src/App/x/");
    check_static("msbuild", "ensuretrailingslash", &["a"], "a/");
    check_static(
        "msbuild",
        "makerelative",
        &["/_/src", "/_/test/a.cs"],
        "../test/a.cs",
    );
    check_static(
        "system.io.path",
        "combine",
        &["a", r"..\b", "c"],
        "a/../b/c",
    );
    check_static(
        "system.io.path",
        "getfilenamewithoutextension",
        &[r"a\b.c.cs"],
        "b.c",
    );
    check_static("system.io.path", "getextension", &["a/b.cs"], ".cs");
    check_static(
        "system.io.path",
        "getdirectoryname",
        &["/_/src/a.cs"],
        "/_/src",
    );
    check_static("system.io.file", "exists", &["a.cs"], "True");
    check_static("system.io.directory", "exists", &[".."], "True");
    check_static(
        "system.io.directory",
        "getfiles",
        &["/_/src", "*.props"],
        "/_/src/x.props",
    );
}

#[test]
fn frameworks_versions_and_numbers_are_computed() {
    check_static(
        "msbuild",
        "istargetframeworkcompatible",
        &["net10.0", "net8.0"],
        "True",
    );
    check_static(
        "msbuild",
        "gettargetframeworkidentifier",
        &["net8.0"],
        ".NETCoreApp",
    );
    check_static("msbuild", "gettargetframeworkversion", &["net472"], "4.7.2");
    check_static(
        "msbuild",
        "gettargetframeworkversion",
        &["net8.0", "2"],
        "8.0",
    );
    check_static(
        "msbuild",
        "gettargetplatformidentifier",
        &["net8.0-windows"],
        "windows",
    );
    check_static(
        "msbuild",
        "versiongreaterthanorequals",
        &["v4.6.1", "4.6"],
        "True",
    );
    check_static("msbuild", "add", &["10", "1"], "11");
    check_static("msbuild", "divide", &["7", "2"], "3");
    check_static("msbuild", "valueordefault", &["", "x"], "x");
    check_static("msbuild", "isosplatform", &["Linux"], "True");
}

#[test]
fn texts_have_the_methods_of_strings() {
    check_method("Foo.Tests", "endswith", &[".Tests"], Some("True"));
    check_method(
        "Foo.Tests",
        "startswith",
        &["foo", "StringComparison.OrdinalIgnoreCase"],
        Some("True"),
    );
    check_method("Foo.Tests", "contains", &["tests"], Some("False"));
    check_method("a-b", "replace", &["-", "_"], Some("a_b"));
    check_method("abc", "substring", &["1", "1"], Some("b"));
    check_method("abc", "substring", &["4"], None);
    check_method("abc", "substring", &["1", "18446744073709551615"], None);
    check_method("v1.2", "trimstart", &["vV"], Some("1.2"));
    check_method("abc", "length", &[], Some("3"));
    check_method("a;b", "split", &[";"], Some("a;b"));
    check_method("é", "startswith", &["ab"], Some("False"));
    check_method("x", "padleft", &["3", "0"], Some("00x"));
    check_method("x", "padleft", &["99999999999", "0"], None);
    check_method("abc", "replace", &["", "x"], None);
    check_method("abc", "frobnicate", &[], None);
}

#[test]
fn growth_by_replacement_is_bounded() {
    let text = "a".repeat(100_000);
    check_method(&text, "replace", &["a", &"b".repeat(1_000)], None);
}
