//! `tests`: which tests it finds for a symbol and a change, in every form.

use crate::{
    harness::{World, check},
    ranges::PROJECT,
};

pub(crate) const TESTS: &str = r#"<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>
  <ItemGroup>
    <PackageReference Include="xunit" Version="2.9.0" />
    <ProjectReference Include="../App/App.csproj" />
  </ItemGroup>
</Project>"#;

const SHOP: &str = "namespace Shop;

public interface IPricer { int Price(int count); }
public class Plain : IPricer { public int Price(int count) => count * Rate(); int Rate() => 2; }
public class Rebate : IPricer { public int Price(int count) => count; }
public class Order(IPricer pricer) { public int Total() => pricer.Price(3); }
public class Unused { public void Never() { } }
";

const SHOP_TESTS: &str = "using Xunit;
namespace Shop.Tests;

public class OrderTests
{
    [Fact] public void Totals_are_priced() => Assert.Equal(6, new Order(new Plain()).Total());
    [Fact] public void Rebates_are_given() => new Order(new Rebate()).Total();
    public class Nested { [Theory, InlineData(1)] public void Price_of(int n) => new Plain().Price(n); }
}
public class SetUpTests
{
    readonly int rate = new Plain().Price(1);
    [Fact] public void Nothing_of_its_own() { }
}
";

fn shop() -> World {
    World::with_files(&[
        ("App/App.csproj", PROJECT),
        ("App/Shop.cs", SHOP),
        ("Tests/Tests.csproj", TESTS),
        ("Tests/ShopTests.cs", SHOP_TESTS),
    ])
}

#[test]
fn the_tests_of_a_symbol_in_every_form() {
    let world = shop();
    for format in ["text", "md", "json", "jsonl", "filter"] {
        let arguments = ["tests", "Plain.Rate", "--format", format];
        let first = world.show(&arguments);
        check(&format!("tests_symbol_{format}"), &first);
        assert_eq!(
            world.show(&arguments),
            first,
            "the same question has the same answer"
        );
    }
}

#[test]
fn the_demonstration_has_tests_for_its_symbols_and_its_last_change() {
    let world = World::demo();
    check(
        "tests_demo_symbol",
        &world.show(&["tests", "FiringQueue.PlaceOf", "--at", "HEAD"]),
    );
    check(
        "tests_demo_change",
        &world.show(&["tests", "HEAD~1", "--format", "md"]),
    );
}

#[test]
fn the_tests_of_a_change_are_those_of_its_members() {
    let world = shop();
    world.commit_files(
        &[("App/Shop.cs", &SHOP.replace("=> 2", "=> 3"))],
        "Raise the rate",
    );
    let by_change = world.answer(&["tests", "HEAD~1", "--format", "filter"]);
    let by_symbol = world.answer(&["tests", "Plain.Rate", "--format", "filter"]);
    assert_eq!(by_change, by_symbol);
    let nothing = world.answer(&["tests", "Unused", "--format", "filter"]);
    assert_eq!(nothing, "FullyQualifiedName=none\n");
}

#[test]
fn a_member_that_is_gone_is_followed_on_the_older_side() {
    let world = shop();
    let text = SHOP.replace(
        "public class Rebate : IPricer { public int Price(int count) => count; }",
        "public class Rebate : IPricer { }",
    );
    world.commit_files(&[("App/Shop.cs", &text)], "Break rebates");
    let filter = world.answer(&["tests", "HEAD~1", "--format", "filter"]);
    assert!(filter.contains("OrderTests.Rebates_are_given"), "{filter}");
}

/// What is kept of the snapshot that was asked before changes no answer: that of each commit is the one of an index
/// that has nothing else.
#[test]
fn answers_are_those_of_an_index_that_was_asked_nothing_before() {
    let world = shop();
    let edits = [
        (
            SHOP.replace("=> 2", "=> Other(); int Other() => 2"),
            SHOP_TESTS.to_owned(),
        ),
        (
            SHOP.replace("class Rebate", "class Refund"),
            SHOP_TESTS.replace("Rebate(", "Refund("),
        ),
        (
            SHOP.replace("Plain : IPricer", "Plain"),
            SHOP_TESTS.replace("new Plain()).", "null!)."),
        ),
        (
            SHOP.to_owned(),
            SHOP_TESTS.replace("[Fact] public void Rebates", "public void Rebates"),
        ),
        (SHOP.replace("int Rate() => 2;", ""), String::new()),
    ];
    for (at, (shop, tests)) in edits.iter().enumerate() {
        world.commit_files(
            &[("App/Shop.cs", shop), ("Tests/ShopTests.cs", tests)],
            &format!("Edit {at}"),
        );
        if at == 3 {
            let plain = TESTS.replace("xunit\" Version", "Other\" Version");
            world.commit_files(&[("Tests/Tests.csproj", &plain)], "Leave the framework");
        }
        for question in [&["tests", "IPricer.Price"][..], &["tests", "HEAD~1"]] {
            let asked: Vec<&str> = question
                .iter()
                .copied()
                .chain(["--format", "json"])
                .collect();
            let kept = world.answer(&asked);
            let mut fresh = world.command(&asked);
            fresh.env(
                "GIT_CORTEX_DIR",
                world.beside(&format!("fresh-{at}-{}", question[1])),
            );
            let fresh = fresh.output().expect("the program runs");
            assert_eq!(
                kept,
                String::from_utf8_lossy(&fresh.stdout),
                "{at} {question:?}"
            );
        }
    }
}

#[test]
fn a_symbol_that_does_not_exist_is_an_error_with_suggestions() {
    let world = shop();
    check(
        "tests_unknown",
        &world.show(&["tests", "Cashier.Ring", "--at", "HEAD"]),
    );
}

#[test]
fn a_symbol_of_two_assemblies_is_one_question() {
    let world = World::with_files(&[
        ("App/App.csproj", PROJECT),
        ("App/Other.csproj", PROJECT),
        ("App/Shop.cs", SHOP),
        ("Tests/Tests.csproj", TESTS),
        ("Tests/ShopTests.cs", SHOP_TESTS),
    ]);
    let filter = world.answer(&["tests", "Plain.Rate", "--format", "filter"]);
    assert!(filter.contains("Totals_are_priced"), "{filter}");
}

/// Each test is called by the way that it takes to `Goal.Reach`, or by why there is none.
const WAYS: &str = r#"using System;
using System.Collections;
using System.Collections.Generic;
using Xunit;
namespace Ways;

public static class Goal { public static int Reach() => 1; public const int None = 0; }

public interface IShape { int Area(); int Twice() => Area() * 2; }
public class Square : IShape { public virtual int Area() => Goal.Reach(); }
public class Small : Square { public override int Area() => 0; }
public class Round : IShape { public int Area() => 0; }
public abstract class Template { public int Run() => Step(); protected abstract int Step(); }
public class Filled : Template { protected override int Step() => Goal.Reach(); }
public class Empty : Template { protected override int Step() => 0; }

public class BaseWithWork { protected BaseWithWork() { Goal.Reach(); } }
public class WithoutConstructor : BaseWithWork { }
public class WithField { int field = Goal.Reach(); }
public class WithProperty { public int Value { get; } = Goal.Reach(); public int Plain { get; set; } }
public class WithBody { public int Value { get { return Goal.Reach(); } } }
public static class WithStatic { static readonly int Field = Goal.Reach(); public static int Get() => 0; }
public class WithStaticConstructor { static WithStaticConstructor() { Goal.Reach(); } }
public class Primary(int n) : Chained(n + Goal.Reach()) { }
public class Chained(int n) { public int N => n; }

public class Key { public override int GetHashCode() => Goal.Reach(); public override bool Equals(object other) => false; }
public class Closing : IDisposable { public void Dispose() => Goal.Reach(); }
public class Bag : IEnumerable { public IEnumerator GetEnumerator() { Goal.Reach(); yield break; } public void Add(int n) { } }
public class Adding : IEnumerable { public IEnumerator GetEnumerator() { yield break; } public void Add(int n) => Goal.Reach(); }
public struct Money
{
    public static Money operator +(Money a, Money b) { Goal.Reach(); return a; }
    public static implicit operator int(Money money) => Goal.Reach();
    public int this[int at] => Goal.Reach();
}
public class Handler { public event Action Raised { add { Goal.Reach(); } remove { } } }
public class Marker : Attribute { public Marker() { Goal.Reach(); } }
[Marker] public class Marked { }
public class ByName { public ByName() { Goal.Reach(); } }
public static class Make { public static T New<T>() where T : new() => new T(); public static void Type(Type type) { } }

public class Direct
{
    [Fact] public void Call() => Goal.Reach();
    [Fact] public void Lambda() { Action run = () => Goal.Reach(); }
    [Fact] public void Method_group() { Func<int> run = Goal.Reach; }
    [Fact] public void Local_function() { Inner(); int Inner() => Goal.Reach(); }
    [Fact] public void Interface() { IShape shape = new Square(); shape.Area(); }
    [Fact] public void Default_of_interface() { IShape shape = new Square(); shape.Twice(); }
    [Fact] public void Template_method() => new Filled().Run();
    [Fact] public void Implicit_base_constructor() => new WithoutConstructor();
    [Fact] public void Field_initialiser() => new WithField();
    [Fact] public void Property_initialiser() => new WithProperty();
    [Fact] public void Property_body() { var value = new WithBody().Value; }
    [Fact] public void Static_initialiser() => WithStatic.Get();
    [Fact] public void Static_constructor() => new WithStaticConstructor();
    [Fact] public void Primary_constructor_argument() => new Primary(1);
    [Fact] public void Hash() => new HashSet<object>().Add(new Key());
    [Fact] public void Using() { using var closing = new Closing(); }
    [Fact] public void Foreach() { foreach (var item in new Bag()) { } }
    [Fact] public void Collection_initialiser() => new Adding { 1 };
    [Fact] public void Operator() { var sum = new Money() + new Money(); }
    [Fact] public void Conversion() { int n = new Money(); }
    [Fact] public void Indexer() { var n = new Money()[0]; }
    [Fact] public void Event() => new Handler().Raised += () => { };
    [Fact] public void Base_call() { Below below = new Below(); below.Act(); }
}
public class Above { public virtual void Act() => Goal.Reach(); }
public class Below : Above { public override void Act() => base.Act(); }

public class Possible
{
    [Fact] public void Type_argument() => Make.New<ByName>();
    [Fact] public void Type_of() => Make.Type(typeof(ByName));
    [Fact] public void Attribute() => new Marked();
}

public class Nothing
{
    [Fact] public void Name_of() { var name = nameof(Goal.Reach); }
    [Fact] public void Constant() { var none = Goal.None; }
    [Fact] public void Overridden() { IShape shape = new Small(); shape.Area(); }
    [Fact] public void Other_implementation() { IShape shape = new Round(); shape.Area(); }
    [Fact] public void Other_step() => new Empty().Run();
    [Fact] public void Called_and_not_created() { IShape shape = null; shape.Area(); }
    [Fact] public void Created_and_not_called() => new Square();
    [Fact] public void Auto_property() => Set(null);
    static void Set(WithProperty none) => none.Plain = 1;
}

public class Prepared : IDisposable
{
    readonly IShape shape = new Square();
    public void Dispose() => Goal.Reach();
    [Fact] public void By_clean_up() { }
    public static IEnumerable<object[]> Rows() { Goal.Reach(); yield break; }
}
public class WithRows { [Theory, MemberData(nameof(Rows))] public void By_data(int n) { } public static IEnumerable<object[]> Rows() { Goal.Reach(); yield break; } }
public class UsesSetUp { readonly IShape shape = new Square(); [Fact] public void Calls_what_set_up_made() => shape.Area(); }

public abstract class Inherited { [Fact] public virtual void In_each_class() => Make(); protected abstract int Make(); }
public class InheritedHere : Inherited { protected override int Make() => Goal.Reach(); }
public class InheritedThere : Inherited { protected override int Make() => 0; }
public class InheritedAndReplaced : Inherited { public override void In_each_class() { } protected override int Make() => Goal.Reach(); }
"#;

/// The tests of a list of an answer: class and method.
pub(crate) fn named(answer: &serde_json::Value, list: &str) -> Vec<String> {
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

#[test]
fn every_way_of_the_language_to_a_member_is_followed_and_no_other() {
    let world = World::with_files(&[("Tests.csproj", TESTS), ("Ways.cs", WAYS)]);
    let answer = world.json(&["tests", "Goal.Reach", "--at", "HEAD"]);
    let mut wanted: Vec<String> = Vec::new();
    let (mut class, mut in_direct) = ("", false);
    for line in WAYS.lines() {
        if let Some(name) = line.strip_prefix("public class ") {
            class = name.split([' ', '(']).next().unwrap_or_default();
            in_direct = matches!(class, "Direct" | "Possible");
        }
        let method = line.trim().strip_prefix("[Fact] public void ");
        if let Some(method) = method.filter(|_| in_direct) {
            let sort = if class == "Possible" { "? " } else { "" };
            let name = method.split('(').next().unwrap_or_default();
            wanted.push(format!("{sort}{class}.{name}"));
        }
    }
    assert!(wanted.len() > 24, "the tests of the text are found");
    wanted.push("InheritedHere.In_each_class".to_owned());
    wanted.push("UsesSetUp.Calls_what_set_up_made".to_owned());
    wanted.sort();
    assert_eq!(named(&answer, "tests"), wanted);
    assert_eq!(
        named(&answer, "setUp"),
        ["Prepared.By_clean_up", "WithRows.By_data"]
    );
}
