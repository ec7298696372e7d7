//! `tests`: laws about what is among the tests of a member.

use cortex_check::{Service, json};

const TESTS: &str = r#"<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>
  <ItemGroup>
    <PackageReference Include="xunit" Version="2.9.0" />
    
  </ItemGroup>
</Project>"#;

/// Each comment tells which tests reach the member that stands before it.
const PROGRAM: &str = r#"using System;
using System.Collections;
using System.Collections.Generic;
using Xunit;
namespace Laws;

public interface IDo { int Go(); }
public class Do : IDo { public virtual int Go() => Goal.Inner(); }
public class Other : IDo { public int Go() => 0; }
public static class Goal { public static int Inner() => 1; public static int Row() => 2; }
public class Sut<T> { public T Value => default; }
public abstract class Machine { public abstract void Turn(); public virtual void Halt() { } }

public class GivenTests
{
    [Theory] public void A_type_argument_of_a_parameter(Sut<Do> sut) { sut.Value.Go(); }
    [Theory] public void A_parameter_behind_an_interface(Do given) { IDo one = given; one.Go(); }
    [Fact] public void An_interface_alone() { IDo one = null; one.Go(); }
    [Fact] public void An_abstract_member() { Machine machine = null; machine.Turn(); machine.Halt(); }
    [Fact(Skip = "slow")] public void A_skipped_one() { IDo one = null; one.Go(); }
    [AvaloniaTest] public void An_attribute_of_its_own() { IDo one = null; one.Go(); }
}
public abstract class GenericTests<T> where T : IDo
{
    protected T made;
    [Fact] public void A_type_argument_of_the_base() => made.Go();
}
public class DoTests : GenericTests<Do> { }
public class OtherTests : GenericTests<Other> { }

public class Rows : IEnumerable<object[]>
{
    public IEnumerator<object[]> GetEnumerator() { Goal.Row(); yield break; }
    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
public class DataTests
{
    public static IEnumerable<object[]> Named() { Goal.Row(); yield break; }
    public static IEnumerable<object[]> Quoted() { Goal.Row(); yield break; }
    [Theory, MemberData(nameof(Named))] public void By_name(int n) { }
    [Theory, MemberData("Quoted")] public void By_text(int n) { }
    [Theory, ClassData(typeof(Rows))] public void By_class(int n) { }
    [Theory, InlineData("quoted")] public void By_value(string text) { }
}
"#;

fn world() -> Service {
    Service::with_files(&[("Tests.csproj", TESTS), ("Laws.cs", PROGRAM)])
}

fn answer(world: &Service, symbol: &str) -> serde_json::Value {
    world.answer("tests", json!({"subjects": [symbol], "at": "HEAD"}))
}

#[test]
fn a_call_through_an_interface_or_an_abstract_member_is_a_test_of_that_member() {
    let world = world();
    assert_eq!(
        named(&answer(&world, "IDo.Go"), "tests"),
        [
            "DoTests.A_type_argument_of_the_base",
            "GivenTests.A_parameter_behind_an_interface",
            "GivenTests.A_skipped_one",
            "GivenTests.An_attribute_of_its_own",
            "GivenTests.An_interface_alone",
            "OtherTests.A_type_argument_of_the_base",
        ]
    );
    for member in ["Machine.Turn", "Machine.Halt"] {
        let tests = named(&answer(&world, member), "tests");
        assert_eq!(tests, ["GivenTests.An_abstract_member"], "{member}");
    }
}
#[test]
fn what_a_test_is_given_exists_and_decides_where_calls_end() {
    let world = world();
    assert_eq!(
        named(&answer(&world, "Goal.Inner"), "tests"),
        [
            "DoTests.A_type_argument_of_the_base",
            "GivenTests.A_parameter_behind_an_interface",
            "GivenTests.A_type_argument_of_a_parameter",
        ]
    );
}
#[test]
fn what_names_the_arguments_of_a_test_runs() {
    let answer = answer(&world(), "Goal.Row");
    let mut all = named(&answer, "tests");
    all.extend(named(&answer, "setUp"));
    all.sort();
    assert_eq!(
        all,
        [
            "DataTests.By_class",
            "DataTests.By_name",
            "DataTests.By_text"
        ]
    );
}

/// The tests of a list of an answer: class and method.
fn named(answer: &serde_json::Value, list: &str) -> Vec<String> {
    let answer = answer.get("answer").unwrap_or(answer);
    let tests = answer["subjects"][0][list].as_array();
    let tests = tests.expect("a list of tests");
    let text = |test: &serde_json::Value, key: &str| test[key].as_str().expect("a text").to_owned();
    let name = |test: &serde_json::Value| {
        let class = text(test, "class");
        let possible = if test["certainty"] == "possible" {
            "? "
        } else {
            ""
        };
        let class = class.rsplit('.').next().unwrap_or_default().to_owned();
        format!("{possible}{class}.{}", text(test, "method"))
    };
    let mut all: Vec<String> = tests.iter().map(name).collect();
    all.sort();
    all
}
