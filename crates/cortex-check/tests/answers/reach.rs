//! Which tests reach a symbol or a change.

use cortex_check::{Format, Repository, Service, expect, json};

use crate::{PROJECT, check};

const SHOP: &str = "
//- /App/Shop.cs project:App
namespace Shop;

public interface IPricer { int Price(int count); }
public class Plain : IPricer { public int Price(int count) => count * Rate(); int Rate() => 2; }
public class Rebate : IPricer { public int Price(int count) => count; }
public class Order(IPricer pricer) { public int Total() => pricer.Price(3); }
public class Unused { public void Never() { } }

//- /Tests/ShopTests.cs project:Tests refs:App packages:xunit
using Xunit;
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

#[test]
fn tests_of_a_symbol_are_those_that_run_it() {
    let shop = Repository::parse(SHOP);
    shop.check_tests(
        "Plain.Rate",
        expect![[r#"
        OrderTests+Nested.Price_of
        OrderTests.Totals_are_priced
        set-up SetUpTests.Nothing_of_its_own
    "#]],
    );
    shop.check_tests("Unused", expect![[""]]);
    shop.check_tests(
        "Cashier.Ring",
        expect![[r#"
        error: find a symbol `Cashier.Ring`
    "#]],
    );
}

#[test]
fn tests_of_a_change_are_those_of_its_members() {
    let shop = Repository::edited(SHOP, "=> 2", "=> 3");
    shop.check_tests_of_change(expect![[r#"
        OrderTests+Nested.Price_of
        OrderTests.Totals_are_priced
        set-up SetUpTests.Nothing_of_its_own
    "#]]);
    shop.check_tests(
        "Plain.Rate",
        expect![[r#"
        OrderTests+Nested.Price_of
        OrderTests.Totals_are_priced
        set-up SetUpTests.Nothing_of_its_own
    "#]],
    );
}

#[test]
fn a_removed_member_is_followed_on_the_older_side() {
    let shop = Repository::edited(
        SHOP,
        "public class Rebate : IPricer { public int Price(int count) => count; }",
        "public class Rebate : IPricer { }",
    );
    shop.check_tests_of_change(expect![[r#"
        OrderTests.Rebates_are_given
    "#]]);
}

/// The graph of members that is stored for one snapshot and updated for the next gives the answers of a new index.
#[test]
fn an_updated_graph_answers_as_a_new_one() {
    let edits = [
        SHOP.replace("=> 2", "=> Other(); int Other() => 2"),
        SHOP.replace("class Rebate", "class Refund")
            .replace("Rebate(", "Refund("),
        SHOP.replace("Plain : IPricer", "Plain")
            .replace("new Plain()).", "null!)."),
        SHOP.replace("[Fact] public void Rebates", "public void Rebates"),
        SHOP.replace("packages:xunit", "packages:Other"),
        SHOP.replace("int Rate() => 2;", ""),
    ];
    let mut n_tests = 0;
    for edit in &edits {
        let shop = Repository::history(&[SHOP, edit]);
        shop.tests_at("HEAD~1", "Plain.Price");
        let updated = shop.tests("Plain.Price");
        let new = shop.with_new_index().tests("Plain.Price");
        assert_eq!(updated, new, "{edit}");
        n_tests += updated.len();
    }
    assert!(n_tests > 0, "some tests reach the member");
}

/// Each test has the name of the way that it takes to `Goal.Reach`, or of the reason why there is none.
const WAYS: &str = r#"//- /Ways.cs project:Tests packages:xunit
using System;
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
    [Fact] public void Field_initializer() => new WithField();
    [Fact] public void Property_initializer() => new WithProperty();
    [Fact] public void Property_body() { var value = new WithBody().Value; }
    [Fact] public void Static_initializer() => WithStatic.Get();
    [Fact] public void Static_constructor() => new WithStaticConstructor();
    [Fact] public void Primary_constructor_argument() => new Primary(1);
    [Fact] public void Hash() => new HashSet<object>().Add(new Key());
    [Fact] public void Using() { using var closing = new Closing(); }
    [Fact] public void Foreach() { foreach (var item in new Bag()) { } }
    [Fact] public void Collection_initializer() => new Adding { 1 };
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

#[test]
fn every_way_of_the_language_to_a_member_is_followed_and_no_other() {
    let mut expected: Vec<String> = Vec::new();
    let mut class = "";
    for line in WAYS.lines() {
        if let Some(name) = line.strip_prefix("public class ") {
            class = name.split([' ', '(']).next().unwrap_or_default();
        }
        let method = line.trim().strip_prefix("[Fact] public void ");
        if let (Some(method), "Direct" | "Possible") = (method, class) {
            let possible = if class == "Possible" { "? " } else { "" };
            let name = method.split('(').next().unwrap_or_default();
            expected.push(format!("{possible}{class}.{name}"));
        }
    }
    assert!(expected.len() > 24, "the tests of the text are found");
    expected.push("InheritedHere.In_each_class".to_owned());
    expected.push("UsesSetUp.Calls_what_set_up_made".to_owned());
    expected.sort();
    for name in ["Prepared.By_clean_up", "WithRows.By_data"] {
        expected.push(format!("set-up {name}"));
    }
    assert_eq!(Repository::parse(WAYS).tests("Goal.Reach"), expected);
}

#[test]
fn the_demonstration_has_tests_for_its_symbols_and_its_last_change() {
    let world = crate::demo();
    let request = json!({"subjects": ["FiringQueue.PlaceOf"], "at": "HEAD"});
    check("tests_demo_symbol", &world, Format::Text, "tests", request);
    let request = json!({"subjects": ["HEAD~1"]});
    check(
        "tests_demo_change",
        &world,
        Format::Markdown,
        "tests",
        request,
    );
}

#[test]
fn a_symbol_of_two_assemblies_is_one_question() {
    let world = Service::parse(SHOP);
    world.commit_files(
        &[("App/App.csproj", PROJECT), ("App/Other.csproj", PROJECT)],
        "Compile the folder twice",
    );
    let text = world.text("tests", json!({"subjects": ["Plain.Rate"]}));
    assert!(text.contains("Totals_are_priced"), "{text}");
}

const STORES: &str = "
//- /App/Stores.cs project:App
namespace Shop;

public class Order { }
public class User { }
public interface IStore<T> { void Drop(T value); }
public abstract class Store<T> : IStore<T> { public virtual void Drop(T value) { } }
public class Orders : Store<Order> { public override void Drop(Order value) { } public void Clear() => Drop(null); }
public class Archive : Orders { public override void Drop(Order value) => base.Drop(value); }
public class Users : Store<User> { public override void Drop(User value) { } }
public class Any<T> : IStore<T> { void IStore<T>.Drop(T value) { } }

//- /Tests/StoreTests.cs project:Tests refs:App packages:xunit
using Xunit;
namespace Shop.Tests;

public class StoreTests
{
    [Fact] public void Orders_through_the_interface() { new Users(); Run(new Orders()); }
    [Fact] public void Users_through_the_interface() { new Orders(); Run(new Users()); }
    [Fact] public void All_through_the_interface() { new Orders(); new Users(); new Any<User>(); Each(new Any<Order>()); }
    [Fact] public void Orders_by_themselves() { new Users(); new Orders().Clear(); }
    [Fact] public void Archives_call_their_base() { new Users(); new Archive().Drop(null); }
    static void Run(IStore<Order> store) => store.Drop(null);
    static void Run(IStore<User> store) => store.Drop(null);
    static void Each<T>(IStore<T> store) => store.Drop(default);
}
";

#[test]
fn the_constructed_type_of_the_object_decides_what_a_call_runs() {
    let stores = Repository::parse(STORES);
    stores.check_tests(
        "Users.Drop",
        expect![[r#"
        StoreTests.All_through_the_interface
        StoreTests.Users_through_the_interface
    "#]],
    );
    stores.check_tests(
        "Orders.Drop",
        expect![[r#"
        StoreTests.All_through_the_interface
        StoreTests.Archives_call_their_base
        StoreTests.Orders_by_themselves
        StoreTests.Orders_through_the_interface
    "#]],
    );
    stores.check_tests(
        "Archive.Drop",
        expect![[r#"
        StoreTests.Archives_call_their_base
    "#]],
    );
    stores.check_tests("Store`1.Drop", expect![[""]]);
}

/// A container that gives objects of the types that are registered, and a repository.
const SERVICES: &str = "
//- /App/Services.cs project:App
using System;
namespace Shop;

public interface IRepo { void Put(int n); void Take(); }
public interface IClock { int Now(); }
public class Clock : IClock { public int Now() => 1; }
public class Repo : IRepo { readonly IClock clock; public Repo(IClock clock) { this.clock = clock; } public void Put(int n) => clock.Now(); public void Take() { } }
public class Plain { public void Act() { } }

//- /Tests/ServiceTests.cs project:Tests refs:App packages:xunit
using System;
using Xunit;
namespace Shop.Tests;

public class Factory { public IServiceProvider Services; public T GetService<T>() => Services.GetRequiredService<T>(); }
public static class Container { public static T GetRequiredService<T>(this IServiceProvider it) => default; public static T GetService<T>(this IServiceProvider it) => default; }
public static class Substitute { public static T For<T>() => default; }

public class ServiceTests
{
    IServiceProvider services;
    Factory factory;
    [Fact] public void By_extension() { var repo = services.GetRequiredService<IRepo>(); repo.Put(1); }
    [Fact] public void By_factory() { factory.GetService<IRepo>().Put(1); }
    [Fact] public void By_type() { var repo = (IRepo)services.GetService(typeof(IRepo)); repo.Put(1); }
    [Fact] public void By_services_of_the_factory() { factory.Services.GetService<IRepo>().Put(1); }
    [Fact] public void Another_member() { services.GetRequiredService<IRepo>().Take(); }
    [Fact] public void Substituted() { var repo = Substitute.For<IRepo>(); repo.Put(1); }
    [Fact] public void Not_a_service() { IRepo repo = null; repo.Put(1); }
}
public class FieldTests
{
    readonly IRepo repo;
    public FieldTests(Factory factory) { repo = factory.GetService<IRepo>(); }
    [Fact] public void By_field() => repo.Put(1);
}
";

#[test]
fn what_a_container_gives_may_be_any_implementation() {
    let shop = Repository::parse(SERVICES);
    shop.check_tests(
        "Repo.Put",
        expect![[r#"
        FieldTests.By_field
        ServiceTests.By_extension
        ServiceTests.By_factory
        ServiceTests.By_services_of_the_factory
        ServiceTests.By_type
    "#]],
    );
    // In a project that makes doubles it may be one of those.
    let doubles = SERVICES.replace("packages:xunit", "packages:xunit,NSubstitute");
    Repository::parse(&doubles).check_tests(
        "Repo.Put",
        expect![[r#"
        ? FieldTests.By_field
        ? ServiceTests.By_extension
        ? ServiceTests.By_factory
        ? ServiceTests.By_services_of_the_factory
        ? ServiceTests.By_type
    "#]],
    );
    // What it is given itself may be substituted.
    shop.check_tests("Clock.Now", expect![[""]]);
}

#[test]
fn what_attributes_of_a_test_make_its_arguments_of_runs_with_it() {
    let shop = Repository::parse(
        "
//- /App/A.cs project:App
public class Repo { public int Put() => 1; public int Other() => 1; }
//- /Tests/T.cs project:Tests refs:App packages:xunit
using System.Collections.Generic;
using Xunit;
public class MadeAttribute : Xunit.Sdk.DataAttribute {
    public override IEnumerable<object[]> GetData(System.Reflection.MethodInfo m) => All();
    protected virtual IEnumerable<object[]> All() { yield return new object[] { new Repo().Put() }; }
    public static int Own() => new Repo().Other();
}
public class FewAttribute : MadeAttribute { }
public class T {
    [Theory, Made] public void Given(int n) { }
    [Theory, Few] public void Inherited(int n) { }
    [Fact] public void Alone() { }
}
",
    );
    shop.check_tests(
        "Repo.Put",
        expect![[r#"
        set-up T.Given
        set-up T.Inherited
    "#]],
    );
    shop.check_tests("Repo.Other", expect![[""]]);
}

#[test]
fn the_repository_of_a_framework_has_its_attributes_in_source() {
    let framework = Repository::parse(
        "
//- /App/A.cs project:App
namespace NUnit.Framework {
    public class TestAttribute : System.Attribute { }
    public class SetUpAttribute : System.Attribute { }
    public class OwnTestAttribute : TestAttribute { }
    public class CategoryAttribute : System.Attribute { }
}
public class Repo { public int Put() => 1; public int Start() => 1; }
//- /Tests/T.cs project:Tests refs:App
using NUnit.Framework;
public class T {
    [SetUp] public void Before() => new Repo().Start();
    [Test] public void Direct() => new Repo().Put();
    [OwnTest] public void Derived() => new Repo().Put();
    [Category] public void None() => new Repo().Put();
}
",
    );
    framework.check_tests(
        "Repo.Put",
        expect![[r#"
        T.Derived
        T.Direct
    "#]],
    );
    framework.check_tests(
        "Repo.Start",
        expect![[r#"
        set-up T.Derived
        set-up T.Direct
    "#]],
    );
}

#[test]
fn a_test_that_makes_an_object_by_reflection_only_may_reach_it() {
    let shop = Repository::parse(
        "
//- /App/A.cs project:App
public interface IRepo { void Put(int n); }
public class Repo : IRepo { public void Put(int n) { } public void Other() { } }
//- /Tests/T.cs project:Tests refs:App packages:xunit
using System;
using Xunit;
public class T {
    [Fact] public void Invokes() { var t = typeof(Repo); t.GetMethod(nameof(Repo.Other)).Invoke(Activator.CreateInstance(t), null); }
    [Fact] public void Calls() { var r = (IRepo)Activator.CreateInstance(typeof(Repo)); r.Put(1); }
}
",
    );
    shop.check_tests(
        "Repo.Other",
        expect![[r#"
        ? T.Invokes
    "#]],
    );
    shop.check_tests(
        "Repo.Put",
        expect![[r#"
        ? T.Invokes
        T.Calls
    "#]],
    );
}

#[test]
fn another_parameter_name_of_a_member_without_a_body_is_a_change_of_that_member_alone() {
    let shop = "
//- /App/A.cs project:App
namespace Shop;
public interface IRepo { void Get(int id); void Put(int oldName); }
public class Repo : IRepo { public void Get(int id) { } public void Put(int n) { } }
public abstract class Abs { public abstract void P(int oldName); public void Q() { } }
public class Con : Abs { public override void P(int a) { } }

//- /Tests/T.cs project:Tests refs:App packages:xunit
using Xunit;
namespace Shop.Tests;
public class RepoTests
{
    [Fact] public void Gets() { IRepo repo = new Repo(); repo.Get(1); }
    [Fact] public void Puts() { IRepo repo = new Repo(); repo.Put(1); }
    [Fact] public void Only_Q() { Abs it = new Con(); it.Q(); }
    [Fact] public void Only_P() { Abs it = new Con(); it.P(1); }
}
";
    Repository::history(&[shop, &shop.replace("oldName", "newName")]).check_tests_of_change(
        expect![[r#"
        RepoTests.Only_P
        RepoTests.Puts
    "#]],
    );
}

const NULLS: &str = "
//- /App/User.cs project:App
namespace App;
public class Plan { }
public struct Money { }
public class User<T> where T : class
{
    public string Name { get; set; }
    public string Email { get; set; }
    private string note;
    public int Age { get; set; }
    public Money Owed { get; set; }
    public System.Version Since { get; set; }
    public Plan Plan() => null;
    public T Pick(T from) => from;
    public string Note => note;
}

//- /Tests/UserTests.cs project:Tests refs:App packages:xunit
using Xunit;
namespace App.Tests;
public class UserTests
{
    readonly User<string> user = new User<string>();
    [Fact] public void Names() => Assert.Null(user.Name);
    [Fact] public void Emails() => Assert.Null(user.Email);
    [Fact] public void Notes() => Assert.Null(user.Note);
    [Fact] public void Ages() => Assert.Equal(0, user.Age);
    [Fact] public void Owes() => user.Owed.ToString();
    [Fact] public void Plans() => user.Plan();
    [Fact] public void Picks() => user.Pick(null);
}
";

#[test]
fn what_only_says_more_about_null_reaches_no_tests() {
    let annotated = NULLS
        .replace("public string Name {", "public string? Name {")
        .replace(
            "string Email { get; set; }",
            "string Email { get; set; } = null!;",
        )
        .replace("string note;", "string note = default!;")
        .replace("System.Version Since", "System.Version? Since")
        .replace("public Plan Plan()", "public Plan? Plan()")
        .replace("public T Pick(T from)", "public T? Pick(T? from)");
    let repository = Repository::history(&[NULLS, &annotated]);
    repository.check_tests_of_change(expect![""]);
    repository.check_diff(expect![[r#"
        App.User`1
          signature Name; annotation only
          signature Since; annotation only
          signature Plan; annotation only
          signature Pick; annotation only
          body Email; annotation only
          body note; annotation only
    "#]]);
    let answer = repository.diff_context();
    let tests = answer.impact.tests.unwrap_or_default();
    assert!(
        tests.tests.is_empty() && tests.set_up.is_empty(),
        "{tests:?}"
    );
    // What `?` makes of a value is another type, and a value behind a property runs.
    for (old, new, test) in [
        ("public int Age", "public int? Age", "UserTests.Ages"),
        ("public Money Owed", "public Money? Owed", "UserTests.Owes"),
        (
            "Email { get; set; }",
            "Email { get; set; } = \"\";",
            "UserTests.Emails",
        ),
    ] {
        let tests = Repository::edited(NULLS, old, new);
        let side = tests.diff_context().impact.tests.unwrap_or_default();
        let names: Vec<&str> = side.tests.iter().map(|it| it.method.as_str()).collect();
        assert!(
            names.contains(&test.rsplit('.').next().unwrap_or(test)),
            "{new}: {names:?}"
        );
    }
}

#[test]
fn where_no_test_reaches_what_changed_those_of_the_type_are_told() {
    let fixture = "
//- /App/Shop.cs project:App
public class Label { public string Name = \"\"; }
public static class Known { public const int A = 1; }
//- /Tests/T.cs project:Tests refs:App packages:xunit
using Xunit;
public class PrintTests {
    [Fact] public void Prints() => Assert.Empty(new Label().Name);
    [Fact] public void Counts() => Assert.Equal(1, Known.A);
}
";
    let new = "public string Name = \"\"; public string Upper => Name.ToUpper();";
    let shop = Repository::edited(fixture, "public string Name = \"\";", new);
    let answer = shop.diff_context();
    let tests = answer.impact.tests.expect("tests were looked for");
    let methods: Vec<&str> = tests.tests.iter().map(|it| it.method.as_str()).collect();
    assert_eq!(
        (methods.as_slice(), tests.is_of_types),
        (&["Prints"][..], true)
    );
    // One that reaches it says more.
    let reached = fixture.replace(
        "Assert.Empty(new Label().Name)",
        "Assert.Empty(new Label().Upper)",
    );
    let shop = Repository::history(&[fixture, &reached.replace("public string Name = \"\";", new)]);
    let tests = shop
        .diff_context()
        .impact
        .tests
        .expect("tests were looked for");
    assert!(!tests.tests.is_empty() && !tests.is_of_types, "{tests:?}");
    // Of what has no objects, who names something else says nothing.
    let shop = Repository::edited(
        fixture,
        "const int A = 1;",
        "const int A = 1; public const int B = 2;",
    );
    let tests = shop
        .diff_context()
        .impact
        .tests
        .expect("tests were looked for");
    assert!(tests.tests.is_empty() && !tests.is_of_types, "{tests:?}");
}

#[test]
fn tests_by_reflection_run_where_their_class_is_named_after_the_type() {
    let fixture = "
//- /App/Shop.cs project:App
public class Desk { int n; public Desk() { n = 1; } public int Sell() => n; }
//- /Tests/T.cs project:Tests refs:App packages:xunit
using System;
using Xunit;
public class OtherTests { [Fact] public void Sells() => new Desk().Sell(); }
public class DeskTests { [Fact] public void Makes() => Activator.CreateInstance(typeof(Desk)); }
public class LampTests { [Fact] public void Makes() => Activator.CreateInstance(typeof(Desk)); }
";
    let answer = Repository::edited(fixture, "n = 1;", "n = 2;").diff_context();
    let tests = answer.impact.tests.expect("tests were looked for");
    let selected = cortex_wire::selected(&tests.tests, &tests.set_up);
    let classes: Vec<&str> = selected.iter().map(|it| it.class.as_str()).collect();
    assert_eq!(tests.tests.len(), 3, "{tests:?}");
    assert_eq!(classes, ["OtherTests", "DeskTests"]);
}

#[test]
fn a_new_enum_runs_nothing_but_where_its_values_are_used() {
    let fixture = "
//- /App/Shop.cs project:App
public class Settings { public int Port { get; set; } = 1; }
public static class Start { public static int Run(Settings settings) => settings.Port; }
//- /Tests/T.cs project:Tests refs:App packages:xunit
using Xunit;
public class MakeTests { [Fact] public void Makes() => Assert.NotNull(new Settings()); }
public class StartTests { [Fact] public void Starts() => Assert.Equal(1, Start.Run(null)); }
";
    let after = fixture
        .replace("{ get; set; } = 1; }", "{ get; set; } = 1; public Kind Kind { get; set; } = Kind.A; }\npublic enum Kind { A, B }")
        .replace("=> settings.Port", "=> settings.Kind == Kind.A ? 1 : settings.Port");
    let tests = Repository::history(&[fixture, &after])
        .diff_context()
        .impact
        .tests;
    let tests = tests.expect("tests were looked for").tests;
    let methods: Vec<&str> = tests.iter().map(|it| it.method.as_str()).collect();
    assert_eq!(methods, ["Starts"]);
}

#[test]
fn tests_that_only_touch_what_initializes_a_type_come_behind_callers() {
    let fixture = "
//- /App/Shop.cs project:App
public class Plan { public static int Make() => 1; public static int Calls() => Deep(); static int Deep() => Make(); }
public static class Store { static readonly int X = Plan.Make(); public static int Get() => X; }
//- /Tests/T.cs project:Tests refs:App packages:xunit
using Xunit;
public class ATests { [Fact] public void Touches() => Store.Get(); }
public class BTests { [Fact] public void Calls() => Plan.Calls(); }
";
    let answer = Repository::edited(fixture, "Make() => 1", "Make() => 2").diff_context();
    let tests = answer.impact.tests.expect("tests were looked for").tests;
    let methods: Vec<&str> = tests.iter().map(|it| it.method.as_str()).collect();
    assert_eq!(methods, ["Calls", "Touches"]);
}

/// Tests with a shared factory, a base class, a double and a utility, which are no tests themselves.
const HELPED: &str = "
//- /App/Shop.cs project:App
namespace App;
public class Startup { }
public interface IClock { int Now(); }
public class Shop { public int Sell() => 1; }
//- /Common/Factory.cs project:Common packages:Microsoft.AspNetCore.Mvc.Testing refs:App
using App;
using Microsoft.AspNetCore.Mvc.Testing;
namespace Common;
public abstract class FactoryBase<T> : WebApplicationFactory<T> { }
public class Factory : FactoryBase<Startup> { public int Ask() => 10; public int Tell() => 20; }
public class StoppedClock : IClock { public int Now() => 30; }
public static class Make { public static Shop Shop() => new Shop { /*make*/ }; }
//- /Tests/T.cs project:Tests refs:App,Common packages:xunit
using App;
using Common;
using Xunit;
namespace Tests;
public abstract class Base { protected Base() { Prepare(); } void Prepare() => System.Console.Write(40); }
public class SellTests {
    [Fact] public void Sells() => Assert.Equal(1, new Shop().Sell());
    [Fact] public void Both() => Assert.Equal(1, new Shop().Sell() + new Factory().Ask());
}
public class AskTests { [Fact] public void Asks() => new Factory().Ask(); }
public class TellTests { [Fact] public void Tells() => new Factory().Tell(); }
public class ClockTests { [Fact] public void Stops() => new StoppedClock().Now(); }
public class BaseTests : Base { [Fact] public void Based() { } }
public class MakeTests { [Fact] public void Makes() => Make.Shop(); }
";

/// The tests that reach a change in the order in which they are told, those marked that reach changed code of tests alone.
fn reached(edits: &[(&str, &str)]) -> Vec<String> {
    let mut after = HELPED.to_owned();
    for (old, new) in edits {
        assert!(after.contains(old), "{old}");
        after = after.replace(old, new);
    }
    let answer = Repository::history(&[HELPED, &after]).diff_context();
    let tests = answer.impact.tests.expect("tests were looked for");
    let all = tests.tests.iter().chain(&tests.set_up);
    all.map(|it| match it.is_by_test_code {
        true => format!("{} by test code", it.method),
        false => it.method.clone(),
    })
    .collect()
}

#[test]
fn tests_that_run_changed_helpers_are_told_behind_those_that_run_the_product() {
    let sell = ("Sell() => 1", "Sell() => 2");
    let ask = ("Ask() => 10", "Ask() => 11");
    assert_eq!(reached(&[sell]), ["Both", "Sells"]);
    assert_eq!(
        reached(&[sell, ask]),
        ["Both", "Sells", "Asks by test code"]
    );
    // What each kind of helper reaches, with a change of the product that other tests reach.
    for (helper, test) in [
        (("Tell() => 20", "Tell() => 21"), "Tells"),
        (("Now() => 30", "Now() => 31"), "Stops"),
        (("Write(40)", "Write(41)"), "Based"),
        (("/*make*/", ""), "Makes"),
    ] {
        let helper = match helper.0 {
            "/*make*/" => ("=> new Shop { /*make*/ }", "=> new Shop()"),
            _ => helper,
        };
        let expected = ["Both", "Sells", &format!("{test} by test code")];
        assert_eq!(reached(&[sell, helper]), expected);
        // Alone they are all there is.
        assert_eq!(reached(&[helper]), [format!("{test} by test code")]);
    }
    // The question of `tests` has the same ones.
    let after = HELPED.replace(sell.0, sell.1).replace(ask.0, ask.1);
    let repository = Repository::history(&[HELPED, &after]);
    repository.check_tests_of_change(expect![[r#"
        AskTests.Asks
        SellTests.Both
        SellTests.Sells
    "#]]);
    // A test that changed is one itself.
    assert_eq!(
        reached(&[(
            "public void Tells() => new Factory().Tell();",
            "public void Tells() => new Factory().Tell().ToString();"
        )]),
        ["Tells"]
    );
}

/// A contract with its implementation, what calls the contract, and tests of each; some stand a double for it.
const DOUBLED: &str = "
//- /App/Rates.cs project:App
namespace App;
public interface IRates { int Rate(); }
public class Rates : IRates { public int Rate() => Table.First(); }
public static class Table { public static int First() => 1; }
public class Price(IRates rates) { public int Of() => rates.Rate(); }
//- /Tests/T.cs project:Tests refs:App packages:xunit,NSubstitute
using App;
using NSubstitute;
using Xunit;
namespace Tests;
public class AskingTests { [Fact] public void Asks() { IRates rates = Substitute.For<IRates>(); rates.Rate(); } }
public class PriceTests { [Fact] public void Doubles() => new Price(Substitute.For<IRates>()).Of(); }
public class WholeTests { [Fact] public void Whole() => new Price(new Rates()).Of(); }
public class ZRatesTests {
    [Fact] public void Reads() => new Rates().Rate();
    /*added*/
}
";

/// The tests of a change, in order, each with the members on its way.
fn ways(before: &str, edits: &[(&str, &str)]) -> Vec<String> {
    let mut after = before.to_owned();
    for (old, new) in edits {
        assert!(after.contains(old), "{old}");
        after = after.replace(old, new);
    }
    let answer = Repository::history(&[before, &after]).diff_context();
    let tests = answer.impact.tests.expect("tests were looked for");
    let name = |id: &String| {
        let id = id.split('(').next().unwrap_or(id);
        let mut parts = id.rsplit('.');
        let (member, owner) = (parts.next().unwrap_or(id), parts.next().unwrap_or(id));
        format!("{owner}.{member}")
    };
    let tests = tests.tests.iter();
    tests
        .map(|it| it.path.iter().map(name).collect::<Vec<_>>().join(" "))
        .collect()
}

#[test]
fn ways_to_a_contract_for_which_a_double_stands_come_behind_those_that_run_the_code() {
    let edits = [
        ("int Rate();", "int Rate(int n = 0);"),
        (
            "public int Rate() => Table",
            "public int Rate(int n = 0) => n + Table",
        ),
    ];
    let expected = [
        "ZRatesTests.Reads Rates.Rate",
        "WholeTests.Whole Price.Of Rates.Rate",
        "AskingTests.Asks IRates.Rate",
        "PriceTests.Doubles Price.Of IRates.Rate",
    ];
    assert_eq!(ways(DOUBLED, &edits), expected);
    // Where nothing makes doubles, who calls the contract calls what implements it.
    let without = DOUBLED
        .replace(",NSubstitute", "")
        .replace("Substitute.For<IRates>()", "Give.It");
    let without = without.replace("using NSubstitute;", "").replace(
        "public class AskingTests",
        "public static class Give { public static IRates It; }\npublic class AskingTests",
    );
    let found = ways(&without, &edits);
    assert_eq!(
        found[..3],
        [
            "ZRatesTests.Reads Rates.Rate",
            "AskingTests.Asks IRates.Rate",
            "WholeTests.Whole Price.Of Rates.Rate"
        ]
    );
}

#[test]
fn tests_that_changed_have_their_way_where_many_others_are_nearer() {
    let near: String = (0..30)
        .map(|n| format!("    [Fact] public void Near{n}() => Table.First();\n"))
        .collect();
    let before = format!("{DOUBLED}public class NearTests {{\n{near}}}\n");
    let after = before.replace("First() => 1", "First() => 2").replace(
        "/*added*/",
        "[Fact] public void Added() => new Price(new Rates()).Of();",
    );
    let world = Service::parse(&before);
    for path in ["App/Rates.cs", "Tests/T.cs"] {
        let text = after
            .split(&format!("//- /{path}"))
            .nth(1)
            .unwrap_or_default();
        let text = text.split_once('\n').map_or("", |(_, text)| text);
        world.write(path, text.split("//- /").next().unwrap_or_default());
    }
    world.commit("change");
    let text = world.markdown(
        "diff-context",
        json!({"revisions": ["HEAD~1..HEAD"], "uses": 60}),
    );
    let row = "\nZRatesTests: 2 tests; Added → Price.Of → Rates.Rate → Table.First\n";
    assert!(text.contains(row), "{text}");
}

#[test]
fn tests_that_the_change_is_of_come_first_with_their_way_to_the_product() {
    let first = ("First() => 1", "First() => 2");
    let added = (
        "/*added*/",
        "[Fact] public void Added() => new Price(new Rates()).Of();",
    );
    let found = ways(DOUBLED, &[first, added]);
    assert_eq!(
        found[..2],
        [
            "ZRatesTests.Added Price.Of Rates.Rate Table.First",
            "ZRatesTests.Reads Rates.Rate Table.First"
        ]
    );
    // One that does not reach the product is behind those that do, and before all that did not change.
    let apart = (
        "/*added*/",
        "[Fact] public void Added() => new Price(new Rates()).Of();\n    [Fact] public void Apart() { }",
    );
    let found = ways(DOUBLED, &[first, apart]);
    assert_eq!(
        found[..3],
        [
            "ZRatesTests.Added Price.Of Rates.Rate Table.First",
            "ZRatesTests.Apart",
            "ZRatesTests.Reads Rates.Rate Table.First"
        ]
    );
    // So is one whose class changed what it runs.
    let helped = DOUBLED.replace(
        "/*added*/",
        "[Fact] public void Helped() => Make().Of();\n    Price Make() => new Price(new Rates());",
    );
    let found = ways(
        &helped,
        &[
            first,
            (
                "Price Make() => new",
                "Price Make() => /* */ new Price(null) ?? new",
            ),
        ],
    );
    assert_eq!(
        found[0],
        "ZRatesTests.Helped Price.Of Rates.Rate Table.First"
    );
}
