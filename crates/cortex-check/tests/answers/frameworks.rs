//! Answers for all target frameworks: the union of those for each, with the frameworks named where they differ.

use std::collections::BTreeMap;

use cortex_check::{Service, Value, expect, json};

const LIBRARY: &str = "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup>\
    <TargetFrameworks>net8.0;netstandard2.0</TargetFrameworks></PropertyGroup></Project>\n";

const TESTS: &str = "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup>\
    <TargetFrameworks>net8.0;net472</TargetFrameworks><IsTestProject>true</IsTestProject></PropertyGroup>\
    <ItemGroup><ProjectReference Include=\"../Lib/Lib.csproj\" /></ItemGroup></Project>\n";

const SOURCE: &str = "namespace Lib;
public interface INew;
public class Both
#if NET8_0_OR_GREATER
    : INew
#endif
{
    public int Value() => 1;
#if NET8_0_OR_GREATER
    public int Fast() => Value() + Helper.Always();
#else
    public int Slow() => Value();
#endif
    int Idle() => 2;
    int Half() => 3;
#if NETSTANDARD2_0
    int UsesHalf() => Half() + UsesHalf();
#endif
}
#if NETSTANDARD2_0
public class Old { public Both Make() => new(); }
#endif
class Helper
{
    public static int Always() => 1;
}
";

const TEST: &str = "using Lib;
using Xunit;
public class BothTests
{
    [Fact] public void Value() => new Both().Value();
#if NET472
    [Fact] public void Slow() => new Both().Slow();
#endif
}
namespace Xunit { public class FactAttribute : System.Attribute { } }
";

fn files() -> [(&'static str, &'static str); 4] {
    [
        ("Lib/Lib.csproj", LIBRARY),
        ("Lib/Both.cs", SOURCE),
        ("Tests/Tests.csproj", TESTS),
        ("Tests/BothTests.cs", TEST),
    ]
}

/// The repository where answers are for a target framework.
fn world(tfm: &str) -> Service {
    let world = Service::with_files(&files());
    world.git(&["config", "cortex.tfm", tfm]);
    world.with_new_index()
}

#[test]
fn what_not_every_framework_has_names_those_that_do() {
    let world = world("all");
    let symbol = |name: &str| json!({ "symbol": name });
    world.check_text(
        "usages",
        symbol("Lib.Both.Value"),
        expect![[r#"
            Lib.Both.Value(): method T_M9EH98W2_G8CW6H, in net8.0, netstandard2.0, net472
              3 uses in 2 files: 3 calls

            Lib/Both.cs
              10:26 call in Both.Fast (only net8.0): public int Fast() => Value() + Helper.Always();
              12:26 call in Both.Slow (only netstandard2.0): public int Slow() => Value();

            Tests/BothTests.cs
              5:46 call in BothTests.Value: [Fact] public void Value() => new Both().Value();
        "#]],
    );
    world.check_text(
        "callers",
        symbol("Lib.Both.Value"),
        expect![[r#"
            Lib.Both.Value(): method T_M9EH98W2_G8CW6H, in net8.0, netstandard2.0, net472
              3 callers

            1 step away
              method Both.Fast Lib/Both.cs:10 (only net8.0)
                calls Both.Value (only net8.0)
                  Lib/Both.cs:10:26 public int Fast() => Value() + Helper.Always();
              method Both.Slow Lib/Both.cs:12 (only netstandard2.0)
                calls Both.Value (only netstandard2.0)
                  Lib/Both.cs:12:26 public int Slow() => Value();
              method BothTests.Value (test) Tests/BothTests.cs:5
                calls Both.Value
                  Tests/BothTests.cs:5:46 [Fact] public void Value() => new Both().Value();
        "#]],
    );
    world.check_text(
        "callees",
        symbol("Lib.Both.Fast"),
        expect![[r#"
        Lib.Both.Fast(): method T_M9EH98W2_SVFT3J, in net8.0, netstandard2.0, net472
          only in net8.0
          2 callees

        1 step away
          method Both.Value Lib/Both.cs:8 (only net8.0)
            called by Both.Fast (only net8.0)
              Lib/Both.cs:10:26 public int Fast() => Value() + Helper.Always();
          method Helper.Always Lib/Both.cs:25 (only net8.0)
            called by Both.Fast (only net8.0)
              Lib/Both.cs:10:43 public int Fast() => Value() + Helper.Always();
    "#]],
    );
}

#[test]
fn what_a_framework_alone_declares_names_it() {
    let world = world("all");
    let symbol = |name: &str| json!({ "symbol": name });
    world.check_text(
        "resolve",
        symbol("Lib.Old"),
        expect![[r#"
            Lib.Old: class T_PWYVRE3J, in net8.0, netstandard2.0, net472
              only in netstandard2.0
              T:Lib.Old
              public class Old
              assembly Lib (Lib/Lib.csproj)
              Lib/Both.cs:21 (only netstandard2.0)
        "#]],
    );
    world.check_text(
        "hierarchy",
        symbol("Lib.Both"),
        expect![[r#"
        Lib.Both: class T_M9EH98W2, in net8.0, netstandard2.0, net472
          1 base type, 0 derived types

        Base types
          interface Lib.INew (implements) Lib/Both.cs:2 (only net8.0)
    "#]],
    );
    world.check_text(
        "implementations",
        symbol("Lib.INew"),
        expect![[r#"
        Lib.INew: interface T_V5D44K7H, in net8.0, netstandard2.0, net472
          1 implementation

        Implementations
          class Lib.Both (implements) Lib/Both.cs:3 (only net8.0)
    "#]],
    );
    world.check_text(
        "deps",
        symbol("Lib.Both"),
        expect![[r#"
        Lib.Both: class T_M9EH98W2, in net8.0, netstandard2.0, net472

        depends on 2 types
          Helper T_0EFW9CM9 2 uses: calls, static, Lib/Both.cs:23 (only net8.0)
          INew T_V5D44K7H 1 use: implements, Lib/Both.cs:2 (only net8.0)

        used by 2 types
          BothTests T_V2XQG4M9 3 uses: creates, calls, Tests/BothTests.cs:3, test
          Old T_PWYVRE3J 1 use: return, Lib/Both.cs:21 (only netstandard2.0)

        depends on 2 types outside this repository
          System.Int32 (System.Runtime): return
          System.Object (System.Runtime): inherits
    "#]],
    );
    world.check_text(
        "outline",
        json!({"symbol": "Lib.Both", "members": "all"}),
        expect![[r#"
            Lib.Both: class T_M9EH98W2, in net8.0, netstandard2.0, net472
              public class Both : INew
              Lib/Both.cs:3-19 in Lib, T:Lib.Both
              hashes: structure ZRMF4D5Y, implementation 9DP29592, documentation HDBE4JN8

              Bases: INew (only net8.0)
              Depends on: Helper 2 (only net8.0), INew 1 (only net8.0); 2 types outside this repository
              Used by 2 types: BothTests 2, Old 1

            Methods
              public int Value()
              public int Fast() (only net8.0)
              public int Slow() (only netstandard2.0)
              int Idle()
              int Half()
              int UsesHalf() (only netstandard2.0)
        "#]],
    );
}

#[test]
fn what_is_found_in_one_framework_names_it() {
    let world = world("all");
    let symbol = |name: &str| json!({ "symbol": name });
    world.check_text(
        "source",
        symbol("Lib.Both.Slow"),
        expect![[r#"
        Lib.Both.Slow(): method T_M9EH98W2_BB0BSX, in net8.0, netstandard2.0, net472
          only in netstandard2.0

        Lib/Both.cs:12-12 (only netstandard2.0)
            public int Slow() => Value();
    "#]],
    );
    world.check_text(
        "search-symbols",
        json!({"query": "Slow"}),
        expect![[r#"
        Slow: 2 symbols, in net8.0, netstandard2.0, net472
          method BothTests.Slow Tests/BothTests.cs:7:24 (only net472)
          method Lib.Both.Slow Lib/Both.cs:12:16 (only netstandard2.0)
    "#]],
    );
    world.check_text("unused", json!({}), expect![[r#"
        2 unused symbols among 6 types and 5 members, in net8.0, netstandard2.0, net472
          unreferenced, but may be in use: 1 test, 3 public symbols (listed with WithReasons)
          inactive #if code in 1 file was not searched

        Unused
          private method Lib.Both.Idle() T_M9EH98W2_DN1QX5, Lib/Both.cs:14
          private method Lib.Both.UsesHalf() T_M9EH98W2_3SKVPJ, Lib/Both.cs:17 (only netstandard2.0), used only by itself
    "#]]);
    world.check_text(
        "tests",
        json!({"subjects": ["Lib.Both.Slow", "Lib.Both.Value"]}),
        expect![[r#"
            Lib.Both.Slow (M:Lib.Both.Slow): 0 of 1 tests (0.0%)

            Lib.Both.Value (M:Lib.Both.Value): 0 of 1 tests (0.0%)
        "#]],
    );
}

#[test]
fn a_change_of_one_framework_names_it() {
    let world = world("all");
    world.edit("Lib/Both.cs", "Slow() => Value()", "Slow() => Value() + 1");
    world.edit("Lib/Both.cs", "int Idle() => 2", "int Idle() => 20");
    let request = json!({ "revisions": [] });
    world.check_markdown("diff-context", request, expect![[r##"
        # diff-context `HEAD`: edf271d5d → work tree over edf271d5d, 1 file, +2 -2
        - understood only in part, the change touches code that `#if` leaves out: `Lib/Both.cs`
        - results may be incomplete in `Tests/Tests.csproj`: 1 of 7 names unresolved (`ProjectStatus`)
        - target framework net8.0, netstandard2.0 of `Lib/Lib.csproj`

        ## What changed
        * body
        ```
        Lib.Both (public class): public behavior changed T_M9EH98W2 Lib/Both.cs:3, 2 dependents
          * Slow (only netstandard2.0), Idle
        ```

        ## API changes
        ```
        none
        ```

        ## Changed code
        ```diff
        @@ Lib/Both.cs @@
        @@ 12 @@
        -public int Slow() => Value();
        +public int Slow() => Value() + 1;
        @@ 14 @@
        -int Idle() => 2;
        +int Idle() => 20;
        ```

        ## Impact
        ```
        not used by name: Both.Idle, Both.Slow
        ```

        ## Tests that reach the change
        2 of 2 tests (100.0%), of the types that changed: none reaches what did
        ```
        RunTests { project: Some("Tests/Tests.csproj"), filter: Expression("FullyQualifiedName~BothTests.") }
        BothTests: 2 tests; Value → Both.Value
        ```
    "##]]);
}

#[test]
fn what_describes_one_framework_says_so() {
    // What is configured for everything does not count where an answer describes one framework.
    let world = world("all");
    let map = world.answer("map", json!({}));
    assert_eq!(map["nTypes"], 3, "{map:#}");
}

/// The rows of an answer, wherever they stand in it, by what is in them but the frameworks; and those.
fn rows(value: &Value, path: &str, out: &mut BTreeMap<String, Vec<String>>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| rows(item, path, out)),
        Value::Object(fields) => {
            let is_row = ["file", "docId"]
                .iter()
                .any(|name| fields.contains_key(*name));
            if is_row && !path.is_empty() {
                let names = ["file", "line", "column", "docId", "path", "member", "class"];
                let key: Vec<String> = (names.iter())
                    .filter_map(|name| Some(format!("{name}={}", fields.get(*name)?)))
                    .collect();
                let frameworks = fields.get("frameworks").and_then(Value::as_array);
                let frameworks = frameworks.into_iter().flatten().filter_map(Value::as_str);
                let frameworks = frameworks.map(str::to_owned).collect();
                out.insert(format!("{path} {}", key.join(" ")), frameworks);
            }
            for (name, inner) in fields {
                if !matches!(
                    name.as_str(),
                    "symbol" | "notKnown" | "inactivePlaces" | "sites"
                ) {
                    rows(inner, name, out);
                }
            }
        }
        _ => {}
    }
}

/// Every row of the answer for one framework is in that for all, plain or with the framework; and every row of the
/// latter is in the answer of each framework that it names.
#[test]
fn an_answer_for_all_frameworks_is_the_union_of_those_for_each() {
    let questions = [
        ("usages", json!({"symbol": "Lib.Both.Value"})),
        ("usages", json!({"symbol": "Lib.Both"})),
        ("callers", json!({"symbol": "Lib.Both.Value", "depth": 3})),
        ("hierarchy", json!({"symbol": "Lib.Both"})),
        ("implementations", json!({"symbol": "Lib.INew"})),
        ("outline", json!({"symbol": "Lib.Both", "members": "all"})),
        ("source", json!({"symbol": "Lib.Both"})),
        ("search-symbols", json!({"query": "*"})),
        ("tests", json!({"subjects": ["Lib.Both"]})),
    ];
    let all = world("all");
    for framework in ["net8.0", "net472", "netstandard2.0"] {
        let one = world(framework);
        // Projects that do not target the framework are seen with another.
        let speaks = |row: &str| match row.contains("Tests") {
            true => framework != "netstandard2.0",
            false => framework != "net472",
        };
        for (name, request) in &questions {
            let (mut united, mut single) = (BTreeMap::new(), BTreeMap::new());
            rows(&all.answer(name, request.clone()), "", &mut united);
            rows(&one.answer(name, request.clone()), "", &mut single);
            for row in single.keys().filter(|row| speaks(row)) {
                let known = united.get(row);
                let has =
                    known.is_some_and(|it| it.is_empty() || it.iter().any(|it| it == framework));
                assert!(
                    has,
                    "{name} {request} lacks {row} of {framework}: {known:?}"
                );
            }
            for (row, frameworks) in united.iter().filter(|(row, _)| speaks(row)) {
                let is_named = frameworks.is_empty() || frameworks.iter().any(|it| it == framework);
                assert_eq!(
                    single.contains_key(row),
                    is_named,
                    "{name} {request} {framework}: {row}"
                );
            }
        }
    }
}

/// Two project files of one folder that make one assembly.
const VARIANT: &str = "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup>\
    <TargetFramework>net8.0</TargetFramework><AssemblyName>Lib</AssemblyName>\
    <EnableDefaultCompileItems>false</EnableDefaultCompileItems></PropertyGroup>\
    <ItemGroup><Compile Include=\"Shared.cs;FILE\" /></ItemGroup></Project>\n";

#[test]
fn a_body_sees_the_parameters_as_its_own_variant_names_them() {
    let world = Service::with_files(&[
        ("Lib/A.csproj", &VARIANT.replace("FILE", "A.cs")),
        ("Lib/B.csproj", &VARIANT.replace("FILE", "B.cs")),
        (
            "Lib/Shared.cs",
            "public struct View { public int X; } public partial class Device { }",
        ),
        (
            "Lib/A.cs",
            "public partial class Device { public int Set(ref View one) => one.X; }",
        ),
        (
            "Lib/B.cs",
            "public partial class Device { public int Set(ref View other) => other.X; }",
        ),
    ]);
    world.check_text("usages", json!({"symbol": "View.X"}), expect![[r#"
        View.X: field T_N1CMT79X_YJXVW7
          2 uses in 2 files: 2 reads

        Lib/A.cs
          1:67 read in Device.Set: public partial class Device { public int Set(ref View one) => one.X; }

        Lib/B.cs
          1:71 read in Device.Set: public partial class Device { public int Set(ref View other) => other.X; }
    "#]]);
}
