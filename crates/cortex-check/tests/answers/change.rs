//! What a change tells beside the uses: siblings that did not change, tests and routes that went, types that moved to
//! another assembly.

use cortex_check::{Format, Repository, Service, Value, expect, json, render};
use cortex_wire::DiffContext;

fn history(before: &str, after: &str) -> DiffContext {
    Repository::history(&[before, after]).diff_context()
}

#[test]
fn siblings_of_a_changed_override_are_told_where_they_did_not_change() {
    let fixture = "
//- /A.cs
public interface I { int M(); }
public abstract class B : I { public abstract int M(); }
public class One : B { public override int M() => 1; }
public class Two : B { public override int M() => 2; }
public class Three : Two { public override int M() => 3; }
public class Apart { public int M() => 4; }
public class Direct : I { public int M() => 5; }
";
    let answer = Repository::edited(fixture, "=> 1", "=> 10").diff_context();
    let [symbol] = &answer.impact.symbols[..] else {
        panic!("{answer:?}");
    };
    assert_eq!(symbol.siblings, ["M:Direct.M", "M:Three.M", "M:Two.M"]);
    // What changed as well is no sibling.
    let both = fixture.replace("=> 1", "=> 10").replace("=> 2", "=> 20");
    let answer = history(fixture, &both);
    for symbol in &answer.impact.symbols {
        assert!(
            !symbol.siblings.contains(&"M:One.M".to_owned()),
            "{symbol:?}"
        );
        assert!(
            !symbol.siblings.contains(&"M:Two.M".to_owned()),
            "{symbol:?}"
        );
    }
}

#[test]
fn implementations_of_other_constructions_are_no_siblings() {
    let fixture = "
//- /A.cs
namespace N;
public interface I<T> { int M(); }
public class One : I<int> { public int M() => 1; }
public class Same : I<int> { public int M() => 2; }
public class Text : I<string> { public int M() => 3; }
public class Open<T> : I<T> { public int M() => 4; }
";
    let answer = Repository::edited(fixture, "=> 1", "=> 10").diff_context();
    let siblings = &answer.impact.symbols[0].siblings;
    assert_eq!(*siblings, ["M:N.Open`1.M", "M:N.Same.M"]);
}

#[test]
fn constructions_that_bases_name_decide_as_well() {
    let fixture = "
//- /A.cs
namespace N;
public interface I<T> { int M(); }
public abstract class B<T> : I<T> { public abstract int M(); }
public interface INumbers : I<int> { }
public interface ITexts : I<string> { }
public class One : B<int>, INumbers { public override int M() => 1; }
public class Same : INumbers { public int M() => 2; }
public class Text : B<string>, ITexts { public override int M() => 3; }
public class Below : Text { public override int M() => 4; }
";
    let answer = Repository::edited(fixture, "=> 1", "=> 10").diff_context();
    let siblings = &answer.impact.symbols[0].siblings;
    assert_eq!(*siblings, ["M:N.Same.M"]);
}

#[test]
fn what_calls_a_stored_procedure_that_changed_is_no_unchanged_sibling() {
    let fixture = "
//- /A.cs
public interface I { int M(); int N(); }
public class Linq : I { public int M() => 1; public int N() => 1; }
public class Sql : I {
    const string Schema = \"dbo\";
    public int M() => Run($\"[{Schema}].[Thing_Count]\");
    public int N() => Run($\"[{Schema}].[Thing_Count_All]\"); // Thing_Count
    int Run(string procedure) => 0;
}
//- /Thing_Count.sql
CREATE PROCEDURE [dbo].[Thing_Count] AS SELECT 1
";
    let after = fixture.replace("=> 1", "=> 10");
    let siblings = |after: &str| -> Vec<Vec<String>> {
        let symbols = history(fixture, after).impact.symbols.into_iter();
        symbols.map(|symbol| symbol.siblings).collect()
    };
    assert_eq!(siblings(&after), [["M:Sql.M"], ["M:Sql.N"]]);
    let both = after.replace("SELECT 1", "SELECT 2");
    assert_eq!(siblings(&both), [vec![], vec!["M:Sql.N".to_owned()]]);
}

/// An action with tests that send requests to it.
const REQUESTS: &str = "
//- /C.cs project:App packages:Microsoft.AspNetCore.App
using Microsoft.AspNetCore.Mvc;
[Route(\"things\")] public class ThingsController {
    [HttpPut(\"{id}\")] public int Put(int id) => 1;
}
//- /T.cs project:Tests packages:xunit refs:App
using System.Net.Http;
using Xunit;
public class Server {
    public void PutThing(HttpClient c) => c.PutAsync(\"/things/1\", null);
}
public class Ts {
    [Fact] public void Direct() { new HttpClient().PutAsync(\"/things/2\", null); }
    [Fact] public void Helped() { new Server().PutThing(null); }
    [Fact] public void Other() { }
}
";

#[test]
fn tests_that_send_requests_through_a_helper_are_told() {
    let answer = Repository::edited(REQUESTS, "=> 1", "=> 2").diff_context();
    let tests = answer.impact.requesting_tests.iter();
    let tests: Vec<String> = tests
        .map(|it| format!("{} {} {}", it.route, it.test.class, it.test.path.join(" ")))
        .collect();
    assert_eq!(
        tests,
        [
            "PUT /things/{id} Ts M:Ts.Direct",
            "PUT /things/{id} Ts M:Ts.Helped M:Server.PutThing(System.Net.Http.HttpClient)"
        ]
    );
}

#[test]
fn endpoints_that_a_framework_serves_are_told_with_the_tests_that_request_them() {
    let fixture = "
//- /Grants.cs project:App
using Duende.IdentityServer.Validation;
using System.Threading.Tasks;
public class SendGrant : IExtensionGrantValidator {
    public string GrantType => \"send\";
    public Task ValidateAsync(ExtensionGrantValidationContext context) { Rules.Check(); return Task.CompletedTask; }
    public Task OtherAsync() { Rules.Look(); return Task.CompletedTask; }
}
public static class Rules { public static int Check() => 1; public static int Look() => 2; }
//- /T.cs project:Tests packages:xunit refs:App
using System.Net.Http;
using Xunit;
public class Ts {
    [Fact] public void Grants() { new HttpClient().PostAsync(\"/connect/token\", null); }
    [Fact] public void Looks() { new HttpClient().PostAsync(\"/connect/other\", null); }
}
";
    let told = |old: &str, new: &str| -> (Vec<String>, Vec<String>) {
        let answer = Repository::edited(fixture, old, new).diff_context();
        let routes = answer.routes.iter().map(|it| {
            let through = it.through.as_deref().unwrap_or("itself");
            format!("{} {} {} {through}", it.verb, it.template, it.handler)
        });
        let tests = answer.impact.requesting_tests.iter();
        let tests = tests.map(|it| it.test.method.clone());
        (routes.collect(), tests.collect())
    };
    let grants = || vec!["Grants".to_owned()];
    let route = "POST /connect/token SendGrant.ValidateAsync";
    assert_eq!(
        told("Check() => 1", "Check() => 3"),
        (vec![format!("{route} Rules.Check")], grants())
    );
    assert_eq!(
        told("{ Rules.Check();", "{ Rules.Check(); Rules.Check();"),
        (vec![format!("{route} itself")], grants())
    );
    assert_eq!(told("Look() => 2", "Look() => 3"), (vec![], vec![]));
}

#[test]
fn tests_that_request_an_action_which_changed_itself_come_first() {
    let fixture = "
//- /C.cs project:App packages:Microsoft.AspNetCore.App
using Microsoft.AspNetCore.Mvc;
public class Store { public int Load() => 1; }
[Route(\"a\")] public class AController { [HttpGet(\"far\")] public int Far() => new Store().Load(); }
[Route(\"b\")] public class BController { [HttpGet(\"near\")] public int Near() => 2; }
//- /T.cs project:Tests packages:xunit refs:App
using System.Net.Http;
using Xunit;
public class Ts {
    [Fact] public void A() { new HttpClient().GetAsync(\"/a/far\"); }
    [Fact] public void B() { new HttpClient().GetAsync(\"/b/near\"); }
}
";
    let changed = fixture.replace("=> 1;", "=> 3;").replace("=> 2;", "=> 4;");
    let tests = history(fixture, &changed).impact.requesting_tests;
    let tests: Vec<String> = tests.into_iter().map(|it| it.test.method).collect();
    assert_eq!(tests, ["B", "A"]);
}

/// Tests that start an application: by a factory that is its fixture, by one that they create, and not at all.
const STARTED: &str = "
//- /A.cs project:App
public class Startup { public void Configure() { new Grant().Check(); } }
public class Grant { public bool Check() => true; }
//- /L.cs project:Lib
public class Program { public static void Main() { new Job().Run(); } }
public class Job { public int Run() => 1; }
//- /T.cs project:Tests packages:xunit refs:App,Lib
using System.Net.Http;
using Microsoft.AspNetCore.Mvc.Testing;
using Xunit;
public interface IClassFixture<T> { }
public class Factory<T> : WebApplicationFactory<T> { }
public class AppFactory : Factory<Startup> { }
public class OtherFactory : WebApplicationFactory<Program> { }
public class GrantTests(AppFactory factory) : IClassFixture<AppFactory> {
    [Fact] public void Gets() { new HttpClient().PostAsync(\"/connect/token\", null); }
    [Fact(Skip = \"slow\")] public void Skipped() { }
}
public class Ts {
    [Fact] public void Creates() { new AppFactory(); }
    [Fact] public void Runs() { new OtherFactory(); }
    [Fact] public void Other() { }
}
";

#[test]
fn tests_that_start_an_application_which_runs_a_change_without_a_route_are_told() {
    let starting = |old: &str, new: &str| -> Vec<(String, usize)> {
        let answer = Repository::edited(STARTED, old, new).diff_context();
        let starting = answer.impact.starting_tests.into_iter();
        starting
            .map(|it| (it.application.to_string(), it.n_tests))
            .collect()
    };
    assert_eq!(
        starting("Check() => true", "Check() => false"),
        [("App.csproj".to_owned(), 2)]
    );
    assert_eq!(
        starting("Run() => 1", "Run() => 2"),
        [("Lib.csproj".to_owned(), 1)]
    );
    // A route says which requests matter.
    let answer = Repository::edited(REQUESTS, "=> 1", "=> 2").diff_context();
    assert_eq!(answer.impact.starting_tests, []);
}

#[test]
fn tests_that_start_an_application_run_its_middleware() {
    let shared = "
//- /S.cs project:Shared
public class Builder { public void UseMiddleware<T>() { } }
public class Context { public void Invoke() { new Grant().Check(); } public void Other() { } }
public class Grant { public bool Check() => true; }
//- /A.cs project:App refs:Shared
public class Startup { public void Configure(Builder b) { b.UseMiddleware<Context>(); } }
//- /L.cs project:Lib";
    let piped = format!(
        "{shared}{}",
        STARTED.split_once("//- /L.cs project:Lib").unwrap().1
    );
    let starting = |old: &str, new: &str| -> Vec<(String, usize)> {
        let answer = Repository::edited(&piped, old, new).diff_context();
        let starting = answer.impact.starting_tests.into_iter();
        starting
            .map(|it| (it.application.to_string(), it.n_tests))
            .collect()
    };
    let app = [("App.csproj".to_owned(), 2)];
    assert_eq!(starting("Check() => true", "Check() => false"), app);
    assert_eq!(starting("new Grant().Check();", "new Grant();"), app);
    assert_eq!(starting("Other() { }", "Other() { return; }"), []);
}

/// An application whose action changes beside what starts it, with tests that send requests.
const HOSTED: &str = "
//- /A.cs project:App
using Microsoft.AspNetCore.Mvc;
public class Startup { public void Configure() { System.Console.WriteLine(1); } }
public class InfoController : ControllerBase {
    [HttpGet(\"/version\")] public string Version() => \"1\";
    [HttpGet(\"/alive\")] public string Alive() => \"yes\";
}
//- /T.cs project:Tests packages:xunit refs:App
using System.Net.Http;
using Microsoft.AspNetCore.Mvc.Testing;
using Xunit;
public class InfoTests {
    readonly HttpClient client = new WebApplicationFactory<Startup>().CreateClient();
    [Fact] public void Version() { client.GetAsync(\"/version\"); }
    [Fact] public void Alive() { client.GetAsync(\"/alive\"); }
}
";

#[test]
fn tests_that_request_a_route_which_is_gone_are_told() {
    let gone = "[HttpGet(\"/version\")] public string Version() => \"1\";";
    let told = |after: &str| -> Vec<(String, String)> {
        let answer = history(HOSTED, after);
        let tests = answer.impact.requesting_tests.into_iter();
        tests.map(|it| (it.route, it.test.method)).collect()
    };
    let version = ("GET /version".to_owned(), "Version".to_owned());
    assert_eq!(told(&HOSTED.replace(gone, "")), [version]);
    // Where another action has the route, its requests are those of a route that is there.
    let moved = HOSTED.replace(gone, "").replace(
        "public class Startup",
        &format!(
            "public class OtherController : ControllerBase {{ {gone} }}\npublic class Startup"
        ),
    );
    assert!(told(&moved).is_empty());
    // With all of its controller it is gone as well.
    let start = HOSTED
        .find("public class InfoController")
        .expect("a controller");
    let end = HOSTED.find("//- /T.cs").expect("tests");
    let without = format!("{}{}", &HOSTED[..start], &HOSTED[end..]);
    let mut methods: Vec<String> = told(&without).into_iter().map(|it| it.1).collect();
    methods.sort_unstable();
    assert_eq!(methods, ["Alive", "Version"]);
}

#[test]
fn where_no_test_is_told_the_answer_says_what_was_looked_for() {
    let app = "
//- /A.cs project:App
using Microsoft.AspNetCore.Mvc;
[Route(\"things\")] public class ThingsController : ControllerBase {
    [HttpGet(\"one\")] public int One() => Deep();
    [HttpGet(\"two\")] public int Two() => Deep();
    [HttpGet(\"gone\")] public int Gone() => 3;
    int Deep() => 1;
}
public class Apart { public int Go() => 4; }
//- /T.cs project:Tests packages:xunit refs:App
using System.Net.Http;
using Xunit;
public class Ts { [Fact] public void Other() { new HttpClient().GetAsync(\"/other\"); } }
";
    let section = |edits: &[(&str, &str)]| -> String {
        let world = Service::parse(app);
        for (old, new) in edits {
            world.edit("A.cs", old, new);
        }
        world.commit("change");
        let text = world.markdown("diff-context", json!({"revisions": ["HEAD~1..HEAD"]}));
        let tests = text.split("## Tests that reach the change\n").nth(1);
        let tests = tests.and_then(|it| it.split("\n\n").next());
        let lines = tests.unwrap_or_default().lines();
        lines.filter(|line| *line != "```").collect()
    };
    let none = "none of 1 test reaches it by code";
    assert_eq!(section(&[("=> 4", "=> 5")]), none);
    let routes = format!("{none}; no test requests its 2 routes");
    assert_eq!(section(&[("Deep() => 1", "Deep() => 2")]), routes);
    let gone = "[HttpGet(\"gone\")] public int Gone() => 3;";
    let gone = section(&[(gone, "")]);
    assert_eq!(gone, format!("{none}; no test requests its route"));
}

#[test]
fn what_starts_an_application_is_told_beside_routes() {
    let derived = HOSTED.replace(
        "public class InfoTests {",
        "public class Factory : WebApplicationFactory<Startup> { }\npublic class InfoTests {\n    [Fact] public void Starts() { new Factory(); }",
    );
    let started = |after: &str| history(&derived, after).impact.starting_tests.len();
    let action = derived.replace("\"yes\"", "\"no\"");
    assert_eq!(started(&action), 0);
    assert_eq!(started(&action.replace("WriteLine(1)", "WriteLine(2)")), 1);
}

#[test]
fn the_code_of_a_primary_constructor_is_the_whole_header() {
    let before = "
//- /A.cs
namespace N;
public class Kept { }
";
    let after = format!(
        "{before}public class Command(\n    int first,\n    int second)\n    : Base(\"a\")\n{{\n    int Go() => 1;\n}}\n"
    );
    let answer = history(before, &after);
    let [added] = &answer.types[..] else {
        panic!("{answer:?}");
    };
    let constructor = added.members.iter().find(|it| it.name != "Go");
    let code = constructor.expect("it has one").code.iter();
    let lines: Vec<&str> = code.map(|line| line.text.as_str()).collect();
    assert_eq!(
        lines,
        [
            "public class Command(",
            "    int first,",
            "    int second)",
            "    : Base(\"a\")"
        ]
    );
}

/// Two tests.
const TESTS: &str = "
//- /T.cs project:T packages:xunit
using Xunit;
public class Ts {
    [Fact] public void First() { Helper(); }
    [Fact] public void Second() { Helper(); Helper(); Helper(); }
    public void Helper() { }
}
";

fn deleted(before: &str, after: &str) -> Vec<String> {
    let answer = history(before, after);
    let tests = answer.impact.deleted_tests.iter();
    tests
        .map(|test| format!("{}.{}", test.class, test.method))
        .collect()
}

#[test]
fn tests_that_are_gone_are_told() {
    let line = "    [Fact] public void Second() { Helper(); Helper(); Helper(); }\n";
    assert_eq!(deleted(TESTS, &TESTS.replace(line, "")), ["Ts.Second"]);
}

#[test]
fn a_test_that_moves_or_has_another_name_is_not_deleted() {
    let renamed = TESTS.replace("void Second", "void Third");
    assert_eq!(deleted(TESTS, &renamed), [""; 0]);
    let whole = TESTS.replace("class Ts", "class Others");
    assert_eq!(deleted(TESTS, &whole), [""; 0]);
}

#[test]
fn a_test_with_another_name_and_mostly_the_same_body_is_renamed() {
    let fixture = "
//- /T.cs project:T packages:xunit
using Xunit;
public class Ts {
    private readonly Maker Make = new();
    [Fact]
    public void Sends_no_mail_where_the_order_is_empty()
    {
        var order = Make.Order(0);
        var result = new Shop(order).Send(order);
        Assert.False(result.IsSent);
    }
    [Fact]
    public void Keeps_the_price()
    {
        var price = Make.Price();
        Assert.Equal(3, price.Of(new Member(\"Ada\")));
    }
}
";
    let renamed = fixture
        .replace(
            "void Sends_no_mail_where_the_order_is_empty()",
            "async Task Nobody_is_told_of_nothing()",
        )
        .replace(
            "new Shop(order).Send(order)",
            "await new Shop(order).SendAsync(order)",
        );
    let answer = history(fixture, &renamed);
    assert_eq!(answer.impact.deleted_tests, []);
    let [member] = &answer.types[0].members[..] else {
        panic!("{answer:?}");
    };
    assert_eq!(
        member.notes[0],
        "renamed from `Sends_no_mail_where_the_order_is_empty`"
    );
    // So is one whose name is much the same and that asserts something else.
    let kept = fixture
        .replace("Keeps_the_price()", "Keeps_no_price()")
        .replace("Assert.Equal(3, price", "Assert.NotEqual(4, price")
        .replace("var price = Make.Price();", "var price = Make.Price(1);");
    assert_eq!(deleted(fixture, &kept), [""; 0]);
    // Another test in the place of one that is gone is none.
    let other = fixture
        .replace("Keeps_the_price()", "Asks_the_clock()")
        .replace("var price = Make.Price();", "var clock = new Clock(7);")
        .replace(
            "Assert.Equal(3, price.Of(new Member(\"Ada\")));",
            "Assert.True(clock.IsAsked(Make.Time()));",
        );
    assert_eq!(deleted(fixture, &other), ["Ts.Keeps_the_price"]);
    // Of two that came the one that is more alike.
    let two = renamed.replace(
        "    [Fact]\n    public void Keeps_the_price()",
        "    [Fact]\n    public void Sends_two_mails()\n    {\n        var two = Make.Two();\n        Assert.Equal(2, two.Count);\n    }\n    [Fact]\n    public void Keeps_the_price()",
    );
    assert_eq!(deleted(fixture, &two), [""; 0]);
}

fn routes(before: &str, after: &str) -> Vec<String> {
    let answer = history(before, after);
    let routes = answer.routes.iter();
    routes
        .map(|route| {
            let what = route.what.word();
            let was = route.was.as_ref();
            format!(
                "{what} {} {} {}:{}{}",
                route.verb,
                route.template,
                route.handler,
                route.line,
                was.map_or_else(String::new, |was| format!(", was {was}"))
            )
        })
        .collect()
}

#[test]
fn routes_of_actions_that_run_a_changed_member_of_another_type_are_told() {
    let fixture = "
//- /A.cs project:App packages:Microsoft.AspNetCore.App
using Microsoft.AspNetCore.Mvc;
public interface IOrders { int Count(); int Other(); }
public class Orders : IOrders {
    public int Count() => 1;
    public int Other() => 2;
}
[Route(\"orders\")]
public class OrdersController {
    private readonly IOrders _orders;
    [HttpGet(\"count\")] public int Get() => _orders.Count();
    [HttpGet(\"name\")] public string Name() => nameof(IOrders.Count);
    [HttpGet(\"other\")] public int Other() => _orders.Other();
}
";
    let answer = history(fixture, &fixture.replace("=> 1", "=> 3"));
    let told: Vec<String> = (answer.routes.iter())
        .map(|it| format!("{} {:?}:{}", it.template, it.through, it.line))
        .collect();
    assert_eq!(told, ["/orders/count Some(\"Orders.Count\"):10"]);
}

#[test]
fn markdown_tells_of_routes_and_not_of_the_attributes_that_make_them() {
    let fixture = "
//- /A.cs project:App
using System;
[AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
public class HttpPostAttribute : Attribute { public HttpPostAttribute(string template) { } }
public class RouteAttribute : Attribute { public RouteAttribute(string template) { } }
[Route(\"api\")]
public class OrdersController {
    [HttpPost(\"a\"), HttpPost(\"b\")] public int Post() => 1;
}
";
    let world = Service::parse(fixture);
    world.edit("A.cs", ", HttpPost(\"b\")", "");
    world.commit("change");
    let text = world.markdown("diff-context", json!({"revisions": ["HEAD~1..HEAD"]}));
    assert!(
        text.contains("breaking route removed: POST /api/b"),
        "{text}"
    );
    assert!(!text.contains("CP001"), "{text}");
}

#[test]
fn routes_of_controllers_come_and_go_with_attributes() {
    let fixture = "
//- /A.cs
using Microsoft.AspNetCore.Mvc;
[Route(\"api/[controller]\")]
public class OrdersController {
    [HttpGet(\"{id}\")] public int Get(int id) => id;
    [HttpPost] public int Post() => 1;
    [HttpDelete(\"{id}\", Name = \"x\"), HttpPost(\"{id}/delete\")] public int Delete(int id) => 2;
}
";
    assert_eq!(
        routes(
            fixture,
            &fixture.replace("[HttpPost] public int Post() => 1;\n", "")
        ),
        ["removed POST /api/Orders OrdersController.Post:5"]
    );
    assert_eq!(
        routes(fixture, &fixture.replace("{id}/delete", "{id}/gone")),
        [
            "removed POST /api/Orders/{id}/delete OrdersController.Delete:6",
            "added POST /api/Orders/{id}/gone OrdersController.Delete:6"
        ]
    );
    // Another action has the route; who had it is there still.
    let handed_over = fixture
        .replace(", HttpPost(\"{id}/delete\")]", "]")
        .replace(
            "=> 1;\n",
            "=> 1;\n    [HttpPost(\"{id}/delete\")] public int PostDelete(int id) => 2;\n",
        );
    assert_eq!(
        routes(fixture, &handed_over),
        [
            "changed POST /api/Orders/{id}/delete OrdersController.PostDelete:6, was OrdersController.Delete"
        ]
    );
    // So has one that came where the other went; one that is only called otherwise tells nothing.
    let post = "[HttpPost] public int Post() => 1;";
    let new = "[HttpPost] public string Create([FromBody] string name, int other) { if (name == null) throw new System.Exception(); return name + other; }";
    assert_eq!(
        routes(fixture, &fixture.replace(post, new)),
        ["changed POST /api/Orders OrdersController.Create:5, was OrdersController.Post"]
    );
    assert_eq!(
        routes(fixture, &fixture.replace("int Post()", "int Send()")),
        [""; 0]
    );
    // Another body is no other route: its routes are told.
    assert_eq!(
        routes(fixture, &fixture.replace("=> 2", "=> 3")),
        [
            "changed DELETE /api/Orders/{id} OrdersController.Delete:6",
            "changed POST /api/Orders/{id}/delete OrdersController.Delete:6"
        ]
    );
    // One of several that differs is told once.
    assert_eq!(
        routes(
            fixture,
            &fixture
                .replace("id) => 2", "id) => 3")
                .replace("{id}/delete", "{id}/gone")
        ),
        [
            "removed POST /api/Orders/{id}/delete OrdersController.Delete:6",
            "added POST /api/Orders/{id}/gone OrdersController.Delete:6",
            "changed DELETE /api/Orders/{id} OrdersController.Delete:6"
        ]
    );
    // Another controller that has the same routes is told, with the former one.
    let moved = fixture
        .replace("api/[controller]", "api/Orders")
        .replace("OrdersController", "SalesController");
    let told = routes(fixture, &moved);
    assert_eq!(told.len(), 4);
    assert!(
        told.contains(
            &"changed POST /api/Orders SalesController.Post:3, was OrdersController.Post"
                .to_owned()
        ),
        "{told:?}"
    );
}

/// Actions with models, one of which has another in a property.
const MODELS: &str = "
//- /C.cs project:App packages:Microsoft.AspNetCore.App
using System.Collections.Generic;
using System.Text.Json.Serialization;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Mvc;
public class NameModel {
    public string Name { get; set; }
    [JsonIgnore] public string Unseen { get; set; } [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string Rare { get; set; }
    public string Said() => Name;
    string Own { get; set; }
}
public class PersonModel { public List<NameModel> Names { get; set; } }
public class EmployeeModel : PersonModel { }
public class Lister { public PersonModel Person { get; set; } } public interface IStore { NameModel Last { get; } } public class Service { public PersonModel Person { get; set; } }
[Route(\"names\")] public class NamesController {
    [HttpPost] public int Post([FromBody] NameModel model) => 1;
    [HttpGet(\"{id}\")] public Task<IEnumerable<NameModel>> Get(int id) => null;
    [HttpPut(\"all\")] public EmployeeModel Put(PersonModel model) => null;
    [HttpDelete] public int Delete([FromServices] IStore store) { NameModel model = null; return 1; }
    [NonAction] public NameModel NoAction() => null;
    [HttpPatch] public int Patch([FromServices] Lister lister, [FromQuery] int n) => n;
    [HttpGet, ProducesResponseType(typeof(EmployeeModel), 200)] public IActionResult All() { var type = typeof(NameModel); return null; }
    [HttpHead] public int Head([Loaded] NameModel model) => 1; public class LoadedAttribute : ModelBinderAttribute { }
}
//- /T.cs project:Tests packages:xunit refs:App
using Microsoft.AspNetCore.Mvc;
[Route(\"tests\")] public class TestController {
    [HttpPost] public int Post(NameModel model) => 1;
}
";

fn contracts(before: &str, after: &str) -> Vec<String> {
    let contracts = history(before, after).contracts.into_iter();
    let contracts = contracts.map(|it| {
        let models = it.models.iter();
        let models = models.map(|it| format!("{:?} {} {}", it.role, it.id, it.changed));
        let models: Vec<String> = models.collect();
        let (verb, template) = (it.verb, it.template);
        format!(
            "{verb} {template} {}:{} {}",
            it.handler,
            it.line,
            models.join(", ")
        )
    });
    contracts.collect()
}

#[test]
fn a_value_of_an_enum_changes_the_contract_of_actions_that_have_it() {
    let fixture = "
//- /C.cs project:App packages:Microsoft.AspNetCore.App
using Microsoft.AspNetCore.Mvc;
public enum Kind { One, Two }
public class Note { public Kind Kind { get; set; } }
public class Other { public const int Kind = 1; }
[Route(\"notes\")] public class NotesController {
    [HttpGet] public Note Get() => null;
    [HttpPut] public void Put(Kind kind) { }
    [HttpHead] public Other Head() => null;
}
";
    let told = |from: &str, to: &str| contracts(fixture, &fixture.replace(from, to));
    let all = [
        "GET /notes NotesController.Get:6 Returns T:Note T:Kind",
        "PUT /notes NotesController.Put:7 Takes T:Kind T:Kind",
    ];
    assert_eq!(told("Two }", "Two, Three }"), all);
    assert_eq!(told("One, Two }", "Two }"), all);
    assert_eq!(told("const int Kind", "const long Kind"), [""; 0]);
}

#[test]
fn a_property_of_a_model_changes_the_contract_of_actions_that_take_or_return_it() {
    let of_name = [
        "GET /names NamesController.All:21 Returns T:EmployeeModel T:NameModel",
        "POST /names NamesController.Post:15 Takes T:NameModel T:NameModel",
        "PUT /names/all NamesController.Put:17 Takes T:PersonModel T:NameModel, Returns T:EmployeeModel T:NameModel",
        "GET /names/{id} NamesController.Get:16 Returns T:NameModel T:NameModel",
    ];
    let edited = |from: &str, to: &str| contracts(MODELS, &MODELS.replace(from, to));
    let name = "public string Name {";
    assert_eq!(edited(name, "public string Last {"), of_name);
    assert_eq!(edited(name, "public int Name {"), of_name);
    assert_eq!(edited("string Rare", "int Rare"), of_name);
    assert_eq!(
        edited(name, "public int More { get; set; } public string Name {"),
        of_name
    );
    // What a response alone has.
    let returned: Vec<&str> = (of_name.iter().copied())
        .filter(|it| it.starts_with("GET"))
        .collect();
    let mut of_computed = edited(name, "public int Length => 3; public string Name {");
    of_computed.retain(|it| !it.starts_with("PUT"));
    assert_eq!(of_computed, returned);
    // What no request has.
    for (from, to) in [
        ("string Unseen", "int Unseen"),
        ("string Own", "int Own"),
        ("=> Name", "=> \"\""),
    ] {
        assert_eq!(edited(from, to), Vec::<String>::new(), "{to}");
    }
    // The framework asks what a request gives, and nothing of what a response has.
    let validate = "public IEnumerable<string> Validate(System.ComponentModel.DataAnnotations.ValidationContext c) => null; public string Name {";
    let given: Vec<String> = [
        of_name[1],
        "PUT /names/all NamesController.Put:17 Takes T:PersonModel T:NameModel",
    ]
    .map(str::to_owned)
    .to_vec();
    assert_eq!(edited(name, validate), given);
    // What is new has no other form than before.
    let without = MODELS.replace(
        "    [HttpPost] public int Post([FromBody] NameModel model) => 1;\n",
        "",
    );
    let after = MODELS.replace(name, "public string Last {");
    let mut expected = of_name.to_vec();
    expected.retain(|it| !it.starts_with("POST"));
    assert_eq!(contracts(&without, &after), expected);
}

#[test]
fn a_contract_has_the_properties_that_its_model_inherits() {
    let fixture = "
//- /A.cs packages:Microsoft.AspNetCore.App
using System.ComponentModel.DataAnnotations;
using Microsoft.AspNetCore.Mvc;
public class Reset { public string Hash { get; set; } public string Key { get; set; } public bool Deep { get; set; } }
public class Update : Reset { public string Hint { get; set; } }
[Route(\"passwords\")] public class PasswordsController {
    [HttpPut] public void Put(Update update) { }
}
";
    let told = |own: &str| {
        let mut rows = rows(fixture, &[[": Reset { ", own]]);
        rows.retain(|line| line.starts_with("contract"));
        rows
    };
    let row = "contract changed: PUT /passwords | PasswordsController.Put takes Update A.cs:6";
    let copied = "public string Key { get; set; }";
    assert_eq!(
        told(&format!(
            "{{ [Required] public string Hash {{ get; set; }} {copied} "
        )),
        [format!("{row} (hash: string → string, required, -deep)")]
    );
    // What comes is inherited as well, and one that hides an equal one is no other field.
    assert_eq!(told(&format!(": Reset {{ {copied} ")), [""; 0]);
}

#[test]
fn another_name_of_the_model_in_a_property_is_no_other_contract() {
    let fixture = "
//- /A.cs packages:Microsoft.AspNetCore.App
using System.Collections.Generic;
using Microsoft.AspNetCore.Mvc;
public class Unlock { public string Hash { get; set; } }
public class Update { public Unlock Data { get; set; } public List<Unlock> More { get; set; } }
[Route(\"passwords\")] public class PasswordsController {
    [HttpPut] public void Put(Update update) { }
}
";
    let told = |edits: &[[&str; 2]]| {
        let after = edits.iter();
        let after = after.fold(fixture.to_owned(), |all, [from, to]| all.replace(from, to));
        contracts(fixture, &after).len()
    };
    let renamed = ["Unlock ", "UnlockModel "];
    assert_eq!(told(&[renamed, ["<Unlock>", "<UnlockModel>"]]), 0);
    assert_eq!(told(&[renamed, ["List<Unlock>", "UnlockModel"]]), 1);
    let other = ["string Hash", "int Hash"];
    assert_eq!(told(&[renamed, ["<Unlock>", "<UnlockModel>"], other]), 1);
}

#[test]
fn contracts_are_told_by_the_model_that_changed_before_other_handlers() {
    let name = "public string Name {";
    let world = Service::parse(MODELS);
    world.edit("C.cs", name, "public string Last {");
    world.edit(
        "C.cs",
        "int Post([FromBody] NameModel model) => 1",
        "int Post([FromBody] NameModel model) => 2",
    );
    world.commit("change");
    let request = json!({"revisions": ["HEAD~1..HEAD"]});
    let envelope = world.envelope("diff-context", request);
    let text = render(&envelope, Format::Markdown, 4_000).expect("the answer has Markdown");
    let position = |line: &str| {
        let found = text.lines().position(|it| it.starts_with(line));
        found.unwrap_or_else(|| panic!("no line starts with {line}:\n{text}"))
    };
    let contracts = "contracts changed by NameModel: returned by GET /names, PUT /names/all, GET /names/{id}; taken by POST /names, PUT /names/all";
    assert!(position(contracts) < position("handler changed: POST /names"));
}

#[test]
fn a_controller_inherits_the_route_of_its_base() {
    let fixture = "
//- /A.cs packages:Microsoft.AspNetCore.App
using Microsoft.AspNetCore.Mvc;
[Route(\"api/[controller]\")] public class BaseController { }
public class MiddleController : BaseController { }
public class ChannelsController : MiddleController { [HttpGet(\"features\")] public int Get() => 1; }
[Route(\"own\")] public class OwnController : BaseController { [HttpGet] public int Get() => 1; }
";
    assert_eq!(
        routes(fixture, &fixture.replace("=> 1", "=> 3")),
        [
            "changed GET /api/Channels/features ChannelsController.Get:4",
            "changed GET /own OwnController.Get:5"
        ]
    );
}

#[test]
fn routes_of_minimal_apis_come_and_go_with_calls() {
    let fixture = "
//- /A.cs
public class App {
    public void Map(Builder app) {
        app.MapGet(\"/health\", () => 1);
        app.MapPost(\"/orders\", () => 2);
    }
}
";
    assert_eq!(
        routes(fixture, &fixture.replace("\"/orders\"", "\"/sales\"")),
        [
            "removed POST /orders App.Map:2",
            "added POST /sales App.Map:2"
        ]
    );
    assert_eq!(routes(fixture, &fixture.replace("=> 1", "=> 3")), [""; 0]);
}

#[test]
fn only_the_routes_of_the_overload_that_changed_have_another_handler() {
    let fixture = "
//- /A.cs
using Microsoft.AspNetCore.Mvc;
[Route(\"logins\")]
public class LoginsController {
    [HttpGet(\"{id}\")] public string Get(string id) => id;
    [HttpGet(\"\")] public string Get() => \"a\";
}
";
    assert_eq!(
        routes(fixture, &fixture.replace("\"a\"", "\"b\"")),
        ["changed GET /logins LoginsController.Get:5"]
    );
    let gone = fixture.replace(
        "    [HttpGet(\"{id}\")] public string Get(string id) => id;\n",
        "",
    );
    assert_eq!(
        routes(fixture, &gone),
        ["removed GET /logins/{id} LoginsController.Get:4"]
    );
}

#[test]
fn a_verb_without_a_template_on_a_controller_without_a_route_is_no_route() {
    let fixture = "
//- /A.cs
using Microsoft.AspNetCore.Mvc;
public class ToolsController {
    public string Index() => null;
    [HttpPost] public string Save(string x) => null;
    [HttpPost] public string Gone(string x) => null;
    [HttpPost(\"\")] public string Root(string x) => null;
}
";
    let gone = fixture.replace("    [HttpPost] public string Gone(string x) => null;\n", "");
    assert_eq!(routes(fixture, &gone), [""; 0]);
    let gone = fixture.replace(
        "    [HttpPost(\"\")] public string Root(string x) => null;\n",
        "",
    );
    assert_eq!(
        routes(fixture, &gone),
        ["removed POST / ToolsController.Root:6"]
    );
}

#[test]
fn one_of_several_actions_of_a_route_that_goes_is_the_one_that_is_named() {
    let fixture = "
//- /A.cs
using Microsoft.AspNetCore.Mvc;
[Route(\"tools\")]
public class ToolsController {
    [HttpPost] public string Save(string x) => null;
    [HttpPost] public string Gone(int x) => null;
}
";
    let gone = fixture.replace("    [HttpPost] public string Gone(int x) => null;\n", "");
    assert_eq!(
        routes(fixture, &gone),
        ["removed POST /tools ToolsController.Gone:5"]
    );
}

#[test]
fn a_public_method_below_the_route_of_its_controller_is_an_action_of_any_verb() {
    let fixture = "
//- /A.cs
using Microsoft.AspNetCore.Mvc;
[Route(\"requests\")]
public class RequestsController {
    public int Bulk(int n) => n;
    public override string ToString() => \"\";
    private int Own(int n) => n;
    [HttpGet(\"{id}\")] public int Get(int id) => id;
}
public class Loose { public int Bulk(int n) => n; }
";
    let hidden = fixture.replacen("    public int Bulk", "    [NonAction] public int Bulk", 1);
    assert_eq!(
        routes(fixture, &hidden),
        ["removed ANY /requests RequestsController.Bulk:4"]
    );
    assert_eq!(
        routes(&hidden, fixture),
        ["added ANY /requests RequestsController.Bulk:4"]
    );
}

#[test]
fn another_authorization_is_told_of_the_routes_that_it_decides_about() {
    let fixture = "
//- /A.cs
using Microsoft.AspNetCore.Mvc;
[Route(\"plans\")]
[Authorize(\"Web\")]
public class PlansController {
    [HttpGet(\"\"), AllowAnonymous] public int Get() => 1;
    [HttpGet(\"premium\")] public int Premium() => 2;
    [HttpPost(\"\")] public int Post() => 3;
}
";
    let told = |old: &str, new: &str| {
        let mut rows = rows(fixture, &[[old, new]]);
        rows.retain(|line| line.starts_with("authorization "));
        rows
    };
    assert_eq!(
        told("\"Web\"", "\"App\""),
        [
            "authorization changed, `[Authorize(\"Web\")]` → `[Authorize(\"App\")]`: POST /plans, GET /plans/premium | PlansController A.cs"
        ]
    );
    assert_eq!(
        told("[HttpPost(\"\")]", "[HttpPost(\"\"), AllowAnonymous]"),
        [
            "authorization changed, `[Authorize(\"Web\")]` → `[AllowAnonymous]`: POST /plans | PlansController A.cs"
        ]
    );
}

#[test]
fn a_filter_that_comes_or_goes_is_told_of_the_routes_that_it_stands_before() {
    let fixture = "
//- /A.cs packages:Microsoft.AspNetCore.App
using Microsoft.AspNetCore.Mvc;
using Microsoft.AspNetCore.Mvc.Filters;
public class RequireFeatureAttribute : BaseAttribute { public RequireFeatureAttribute(string s) { } }
public class BaseAttribute : ActionFilterAttribute { }
public class NoteAttribute : System.Attribute { }
[Route(\"plans\")]
public class PlansController {
    [HttpGet(\"\"), RequireFeature(\"a\")] public int Get() => 1;
    [HttpPost(\"\")] public int Post() => 2;
    [HttpPut(\"\"), RequireFeature(\"a\")] public int Put() => 3;
}
";
    let told = |old: &str, new: &str| {
        let mut rows = rows(fixture, &[[old, new]]);
        rows.retain(|line| line.starts_with("filters ") || line.starts_with("breaking "));
        rows
    };
    assert_eq!(
        told("[HttpGet(\"\"), RequireFeature(\"a\")]", "[HttpGet(\"\")]"),
        ["filters changed, `[RequireFeature(\"a\")]` → none: GET /plans | PlansController A.cs"]
    );
    assert_eq!(
        told("[Route(\"plans\")]", "[Route(\"plans\"), RequireHttps]"),
        [
            "filters changed, none → `[RequireHttps]`: GET /plans, POST /plans, PUT /plans | PlansController A.cs"
        ]
    );
    assert_eq!(told("[HttpPost(\"\")]", "[HttpPost(\"\"), Note]"), [""; 0]);
}

#[test]
fn another_model_of_an_action_is_told_by_the_fields_that_differ() {
    let fixture = "
//- /A.cs packages:Microsoft.AspNetCore.App
using System.Collections.Generic; using System.Threading.Tasks;
using System.ComponentModel.DataAnnotations; using System.Text.Json.Serialization;
using Microsoft.AspNetCore.Mvc;
namespace Shop;
public class Base { public int Id { get; set; } public object Hidden => 1; }
public class Order : Base { public string Name { get; set; } [JsonIgnore] public int Secret { get; set; } public string Files { get; set; } }
public class OrderModel : Base { [JsonPropertyName(\"title\")] public string Name { get; set; } public List<string> Files { get; set; } public new int Hidden { get; set; } }
public class Box { public Order Order { get; set; } }
public class BoxModel { public OrderModel Order { get; set; } }
public class Request { [Required] public string Name { get; set; } public int Sum => 1; }
public class Update { public string Name { get; set; } public required int Size { get; set; } }
[Route(\"orders\")]
public class OrdersController {
    [HttpGet(\"\")] public Task<Box> Get() => null;
    [HttpGet(\"all\")] public ActionResult<IEnumerable<Order>> All() => null;
    [HttpPut(\"\")] public void Put(Request request) { }
}
";
    let told = |old: &str, new: &str| {
        let mut rows = rows(fixture, &[[old, new]]);
        rows.retain(|line| line.starts_with("contract changed: "));
        rows
    };
    assert_eq!(
        told("Task<Box> Get", "Task<BoxModel> Get"),
        [
            "contract changed: GET /orders | OrdersController.Get returns BoxModel, was Box: without order.name; with order.title: string; order.files: string → List<string>, order.hidden: object → int A.cs"
        ]
    );
    assert_eq!(
        told("IEnumerable<Order>", "IEnumerable<Base>"),
        [
            "contract changed: GET /orders/all | OrdersController.All returns Base, was Order: without files, name A.cs"
        ]
    );
    assert_eq!(
        told("Put(Request request)", "Put(Update request)"),
        [
            "contract changed: PUT /orders | OrdersController.Put takes Update, was Request: with size: int, required; name: string, required → string A.cs"
        ]
    );
    // Another wrapper of the same model, and a model that only has another name, are no other form.
    assert_eq!(told("Task<Box> Get", "ActionResult<Box> Get"), [""; 0]);
    let edits = [
        ["class Box {", "class Carton {"],
        ["Task<Box>", "Task<Carton>"],
    ];
    let rows = rows(fixture, &edits);
    assert!(
        !rows.iter().any(|it| it.starts_with("contract changed: ")),
        "{rows:?}"
    );
}

#[test]
fn an_override_that_is_new_runs_where_its_base_ran() {
    let fixture = "
//- /A.cs packages:Microsoft.AspNetCore.App
using Microsoft.AspNetCore.Mvc;
public interface IFolders { void Delete(int id); }
public class Repository { public virtual void Delete(int id) { } }
public class Folders : Repository, IFolders { }
public class Service { IFolders folders; public void Go(int id) => folders.Delete(id); }
[Route(\"folders\")]
public class FoldersController {
    IFolders folders; Service service;
    [HttpDelete(\"\")] public void Delete(int id) => folders.Delete(id);
    [HttpDelete(\"all\")] public void All() => service.Go(1);
    [HttpGet(\"\")] public void Get() { }
}
";
    let told = |new: &str| {
        routes(
            fixture,
            &fixture.replace("Folders : Repository, IFolders { }", new),
        )
    };
    assert_eq!(
        told("Folders : Repository, IFolders { public override void Delete(int id) { } }"),
        [
            "changed DELETE /folders FoldersController.Delete:9",
            "changed DELETE /folders/all FoldersController.All:7",
        ]
    );
    assert_eq!(
        told("Folders : Repository, IFolders { public void More(int id) { } }"),
        [""; 0]
    );
}

#[test]
fn routes_that_may_make_an_object_with_another_base_are_told() {
    let fixture = "
//- /A.cs packages:Microsoft.AspNetCore.App
using Microsoft.AspNetCore.Mvc;
public class BadRequest : System.Exception { }
public interface INote { }
public class Twice : System.Exception { }
public class Orders { public void Put() { throw new Twice(); } }
[Route(\"orders\")]
public class OrdersController {
    [HttpPut(\"\")] public void Put(Orders orders) => orders.Put();
    [HttpGet(\"\")] public void Get() { }
}
";
    let told = |new: &str| {
        routes(
            fixture,
            &fixture.replace("class Twice : System.Exception", new),
        )
    };
    assert_eq!(
        told("class Twice : BadRequest"),
        ["changed PUT /orders OrdersController.Put:7"]
    );
    assert_eq!(told("class Twice : System.Exception, INote"), [""; 0]);
}

#[test]
fn an_action_that_moves_says_what_other_authorization_it_has_there() {
    let fixture = "
//- /A.cs
using Microsoft.AspNetCore.Mvc;
[Route(\"plans\"), Authorize(\"Web\")]
public class PlansController {
    [HttpGet(\"\")] public int Get() => 1;
    // end
}
[Route(\"plans\")] public class OpenController {
    [HttpGet(\"free\")] public int Free() => 2;
}
";
    let action = "    [HttpGet(\"\")] public int Get() => 1;\n";
    let rows = rows(
        fixture,
        &[
            [action, ""],
            [
                "public class OpenController {\n",
                &format!("public class OpenController {{\n{action}"),
            ],
        ],
    );
    let told: Vec<&String> = rows.iter().filter(|it| it.contains("GET /plans")).collect();
    assert_eq!(
        told,
        [
            "authorization changed, `[Authorize(\"Web\")]` → none: GET /plans | OpenController, was PlansController A.cs"
        ]
    );
}

#[test]
fn actions_without_attributes_have_the_default_route_where_it_is_mapped() {
    let fixture = "
//- /A.cs project:Admin
using Microsoft.AspNetCore.Mvc;
public class Startup { public void Configure(object app) => app.MapDefaultControllerRoute(); }
public class ProvidersController : Controller {
    public int Edit(int id) => id;
    [HttpPost] public int Edit(int id, string model) => id;
    public int ListAsync() => 1;
    [HttpGet(\"/own\")] public int Own() => 1;
    protected int Helper() => 1;
}
[Area(\"x\")] public class DeepController : Controller { public int Go() => 1; }
";
    assert_eq!(
        routes(
            fixture,
            &fixture.replace("string model) => id", "string model) => -id")
        ),
        ["changed POST /Providers/Edit/{id?} ProvidersController.Edit:5"]
    );
    assert_eq!(
        routes(
            fixture,
            &fixture.replace("    public int ListAsync() => 1;\n", "")
        ),
        ["removed ANY /Providers/List/{id?} ProvidersController.ListAsync:6"]
    );
    let others = fixture
        .replace("Helper() => 1", "Helper() => 2")
        .replace("Go() => 1", "Go() => 2");
    assert_eq!(routes(fixture, &others), [""; 0]);
    let unmapped = fixture.replace("MapDefaultControllerRoute", "MapControllers");
    assert_eq!(
        routes(
            &unmapped,
            &unmapped.replace("string model) => id", "string model) => -id")
        ),
        [""; 0]
    );
}

#[test]
fn an_authorization_attribute_of_the_repository_is_one_with_its_requirement() {
    let fixture = "
//- /A.cs
using System;
using Microsoft.AspNetCore.Mvc;
namespace Shop.Rights {
    public class Owns { }
    public class AuthorizeAttribute<T> : Attribute { }
}
namespace Shop {
    using Shop.Rights;
    [Route(\"plans\")]
    public class PlansController : ControllerBase {
        [HttpPost(\"\")] public int Post() => 3;
    }
    public class NewsHub { public int Watch() => 1; }
}
";
    let text = rows(
        fixture,
        &[["[HttpPost(\"\")]", "[HttpPost(\"\"), Authorize<Owns>]"]],
    )
    .join("\n");
    assert!(
        text.contains("\nauthorization changed, none → `[Authorize<Owns>]`: POST /plans | PlansController A.cs\n"),
        "{text}"
    );
    assert!(!text.contains("compatible"), "{text}");
    // What has no route tells of its own.
    let edits = [
        ["[HttpPost(\"\")]", "[HttpPost(\"\"), Authorize<Owns>]"],
        ["public int Watch()", "[Authorize<Owns>] public int Watch()"],
    ];
    let text = rows(fixture, &edits).join("\n");
    assert!(
        text.contains("callers compile NewsHub: Watch() | `[AuthorizeAttribute"),
        "{text}"
    );
}

#[test]
fn the_actions_that_run_a_changed_helper_of_their_controller_are_told() {
    let fixture = "
//- /A.cs
using Microsoft.AspNetCore.Mvc;
[Route(\"reports\")]
public class ReportsController {
    [HttpGet(\"{id}\")] public int Get(int id) => Check(id);
    [HttpPost(\"\")] public int Post() => Deep(1);
    [HttpPut(\"\")] public int Put() => 2;
    private int Check(int id) => id > 0 ? id : throw new System.Exception();
    private int Deep(int id) => Check(id);
}
";
    assert_eq!(
        routes(fixture, &fixture.replace("id > 0", "id > 1")),
        [
            "changed POST /reports ReportsController.Post:5",
            "changed GET /reports/{id} ReportsController.Get:4"
        ]
    );
    let rows = rows(fixture, &[["id > 0", "id > 1"]]);
    assert!(
        rows.iter().any(|row| row == "handler changed through ReportsController.Check: POST /reports :5, GET /reports/{id} :4 | A.cs"),
        "{rows:#?}"
    );
}

#[test]
fn routes_that_run_what_few_run_are_told_first() {
    let fixture = "
//- /A.cs
using Microsoft.AspNetCore.Mvc;
[Route(\"all\")]
public class AllController {
    [HttpGet(\"\")] public int Get() => Hub();
    [HttpPost(\"\")] public int Post() => Hub();
    [HttpPut(\"\")] public int Put() => Hub();
    private int Hub() => 1;
}
[Route(\"few\")]
public class FewController {
    [HttpGet(\"\")] public int Get() => Own();
    private int Own() => 1;
}
[Route(\"own\")]
public class OwnController { [HttpGet(\"\")] public int Get() => 1; }
";
    let rows = rows(fixture, &[["=> 1;", "=> 2;"]; 3]);
    let handlers = rows.iter().filter(|row| row.starts_with("handler"));
    let heads: Vec<&str> = handlers.filter_map(|row| row.split(':').next()).collect();
    assert_eq!(
        heads,
        [
            "handler changed",
            "handler changed through FewController.Own",
            "handler changed through AllController.Hub"
        ]
    );
}

#[test]
fn models_are_found_through_others_and_all_of_their_routes_are_told() {
    let holders: Vec<String> = (1..7)
        .map(|n| {
            format!(
                "public class M{n} {{ public M{} Inner {{ get; set; }} }}",
                n - 1
            )
        })
        .collect();
    let actions: Vec<String> = (0..20)
        .map(|n| format!("[HttpGet(\"a{n:02}\")] public M6 Get{n}() => null;"))
        .collect();
    let fixture = format!(
        "\n//- /A.cs\nusing Microsoft.AspNetCore.Mvc;\npublic class M0 {{ public int A {{ get; set; }} }}\n{}\n[ApiController, Route(\"all\")]\npublic class AllController {{\n{}\n}}\n",
        holders.join("\n"),
        actions.join("\n")
    );
    let rows = rows(
        &fixture,
        &[["int A {", "int B { get; set; } public int A {"]],
    );
    let text = rows.join("\n");
    let first = "contracts changed by M0: returned by GET /all/a00, ";
    assert!(
        text.contains(first) && text.contains("GET /all/a15 … 4 more (+b)"),
        "{text}"
    );
    let further = "M0 is also returned by GET /all/a16, GET /all/a17, GET /all/a18, GET /all/a19";
    assert!(text.contains(further), "{text}");
}

#[test]
fn routes_are_told_whose_actions_run_what_changed_through_others() {
    let fixture = "
//- /A.cs
#nullable enable
using Microsoft.AspNetCore.Mvc;
public interface IStore { int Load(); }
public class Store : IStore { public int Load() => 1; }
public class Service { private IStore store; public int Find() => store.Load(); public int Own() => 2; }
public static class Keys { public const string A = \"a\"; public static object All() => typeof(Keys).GetFields(); }
public class Config { public object Values => Keys.All(); }
[Route(\"items\")]
public class ItemsController {
    private Service service;
    [HttpGet(\"\")] public int Get() => service.Find();
    [HttpPost(\"\")] public int Post() => service.Own();
    [HttpGet(\"config\")] public object Settings(Config config) => config.Values;
}
";
    let told = |edit: [&str; 2]| {
        let mut rows = rows(fixture, &[edit]);
        rows.retain(|line| line.starts_with("routes that may reach"));
        rows
    };
    assert_eq!(
        told(["Load() => 1", "Load() => 3"]),
        ["routes that may reach Store.Load: GET /items"]
    );
    let of_keys = |name: &str| format!("routes that may reach Keys.{name}: GET /items/config");
    let (old, new) = (
        "public const string A",
        "public const string B = \"b\"; public const string A",
    );
    assert_eq!(told([old, new]), [of_keys("B")]);
    assert_eq!(
        told(["public const string A = \"a\"; ", ""]),
        [of_keys("A")]
    );
    // Annotations alone run nothing.
    let rows = rows(
        fixture,
        &[["public object Values", "public object? Values"]],
    );
    assert!(!rows.iter().any(|row| row.contains("/items")), "{rows:#?}");
}

#[test]
fn routes_of_one_of_several_implementations_are_possible_and_told_together() {
    let fixture = |others: &str| {
        format!(
            "
//- /A.cs project:App
using Microsoft.AspNetCore.Mvc;
public interface IStore {{ int Load(); int Save(); }}
public class Store : IStore {{ public int Load() => 1; public int Save() => 2; }}
{others}
[Route(\"items\")]
public class ItemsController {{
    private IStore store;
    [HttpGet(\"\")] public int Get() => store.Load();
    [HttpPost(\"\")] public int Post() => store.Save();
}}
"
        )
    };
    let told = |others: &str| {
        let edits = [
            ["Load() => 1", "Load() => 3"],
            ["Save() => 2", "Save() => 4"],
        ];
        let mut rows = rows(&fixture(others), &edits);
        rows.retain(|line| line.contains("/items"));
        rows
    };
    assert_eq!(
        told(""),
        [
            "handler changed through Store.Load: GET /items :8 | A.cs",
            "handler changed through Store.Save: POST /items :9 | A.cs"
        ]
    );
    assert_eq!(
        told("public class Twin : IStore { public int Load() => 5; public int Save() => 6; }"),
        ["routes that may reach the change: GET /items, POST /items"]
    );
}

#[test]
fn routes_that_make_an_object_run_its_constructor_however_many_do() {
    let makers: String = (0..14)
        .map(|n| format!("class Maker{n} {{ object Make() => new Detailed(); }}\n"))
        .collect();
    let fixture = format!(
        "
//- /A.cs packages:Microsoft.AspNetCore.App
using Microsoft.AspNetCore.Mvc;
public class Model {{ public Model() {{ Set(1); }} void Set(int n) {{ }} }}
public class Detailed : Model {{ public Detailed() : base() {{ }} }}
[Route(\"orders\")] public class OrdersController {{
    [HttpGet] public Detailed Get() => new Detailed();
}}
{makers}"
    );
    let mut rows = rows(&fixture, &[["Set(1)", "Set(2)"]]);
    rows.retain(|line| line.contains("/orders"));
    assert_eq!(rows, ["routes that may reach Model.#ctor: GET /orders"]);
}

#[test]
fn what_many_files_call_as_a_contract_of_many_types_says_little_of_the_routes_to_one() {
    let fixture = |n_product: usize, n_tests: usize, n_files: usize| {
        let types = |prefix: &str, n: usize| -> String {
            (0..n)
                .map(|i| {
                    format!("public class {prefix}{i} : IQuery {{ public int Run() => 7; }}\n")
                })
                .collect()
        };
        format!(
            "
//- /A.cs project:App
using Microsoft.AspNetCore.Mvc;
public interface IQuery {{ int Run(); }}
public class Own : IQuery {{ public int Run() => 1; }}
{}public class Base {{ protected int Count(IQuery query) => query.Run(); }}
public class Store : Base {{ public int All(IQuery query) => Count(query); }}
[Route(\"items\")]
public class ItemsController {{
    private Store store;
    [HttpGet(\"\")] public int Get(IQuery query) => store.All(query);
}}
{}//- /T.cs project:Tests refs:App packages:xunit
{}",
            types("Other", n_product),
            (0..n_files)
                .map(|i| format!(
                    "//- /U{i}.cs project:App\nclass U{i} {{ int M(IQuery q) => q.Run(); }}\n"
                ))
                .collect::<String>(),
            types("Double", n_tests)
        )
    };
    let told = |n_product, n_tests, n_files| {
        let mut rows = rows(
            &fixture(n_product, n_tests, n_files),
            &[["Run() => 1", "Run() => 2"]],
        );
        rows.retain(|line| line.starts_with("routes that may reach"));
        rows.len()
    };
    assert_eq!((told(3, 0, 3), told(4, 0, 3), told(0, 9, 3)), (1, 0, 1));
    // Where few files call it, these choose what runs.
    assert_eq!((told(4, 0, 2), told(9, 0, 0)), (1, 1));
    // What is called on a type that few are below is one of these.
    let own = fixture(9, 0, 3)
        .replace(
            "class Own : IQuery",
            "interface IOwn : IQuery { }\npublic class Own : IOwn",
        )
        .replace("IQuery query) => query.Run()", "IOwn query) => query.Run()");
    let own = own.replace("IQuery query)", "IOwn query)");
    let mut rows = rows(&own, &[["Run() => 1", "Run() => 2"]]);
    rows.retain(|line| line.starts_with("routes that may reach"));
    assert_eq!(rows, ["routes that may reach Own.Run: GET /items"]);
}

#[test]
fn a_wide_generic_contract_leads_on_where_it_is_constructed_with_the_type() {
    let others: String = (0..6)
        .map(|i| {
            format!(
                "public class T{i} {{ }}\npublic class V{i} : IValidator<T{i}> {{ public bool Check(T{i} it) => true; }}\n"
            )
        })
        .collect();
    let fixture = format!(
        "
//- /A.cs project:App
using Microsoft.AspNetCore.Mvc;
public interface IValidator<T> {{ bool Check(T it); }}
public class User {{ }}
public static class Rule {{ public static bool Applies(User it) => true; }}
public class UserValidator : IValidator<User> {{ public bool Check(User it) => Rule.Applies(it); }}
{others}public class Service {{
    private IValidator<User> users;
    private IValidator<T1> ones;
    public bool Save(User it) => users.Check(it);
    public bool Other(T1 it) => ones.Check(it);
    public bool Any<T>(IValidator<T> all, T it) => all.Check(it);
}}
[Route(\"items\")]
public class ItemsController {{
    private Service service;
    [HttpPost(\"\")] public bool Post(User it) => service.Save(it);
    [HttpPut(\"\")] public bool Put(T1 it) => service.Other(it);
    [HttpGet(\"\")] public bool Get() => service.Any<User>(null, null);
}}
"
    );
    let told = |edit: [&str; 2]| {
        let mut rows = rows(&fixture, &[edit]);
        rows.retain(|line| line.starts_with("routes that may reach"));
        rows
    };
    assert_eq!(
        told(["Applies(User it) => true", "Applies(User it) => false"]),
        ["routes that may reach Rule.Applies: POST /items"]
    );
    assert_eq!(
        told(["=> Rule.Applies(it)", "=> !Rule.Applies(it)"]),
        ["routes that may reach UserValidator.Check: POST /items"]
    );
}

#[test]
fn what_clients_over_http_meet_stands_before_a_long_list_of_broken_types() {
    let types: String = (0..14)
        .map(|i| format!("public class T{i:02} {{ public object Get() => null; }}\n"))
        .collect();
    let fixture = format!(
        "
//- /A.cs project:App
using Microsoft.AspNetCore.Mvc;
[Route(\"items\")]
public class ItemsController {{ [HttpGet(\"\")] public int Get() => 1; }}
{types}"
    );
    // Each breaks in its own way, so that no two share a row.
    let edits: Vec<[String; 2]> = (0..14)
        .map(|i| {
            let head = format!("T{i:02} {{ public ");
            [format!("{head}object"), format!("{head}T{i:02}")]
        })
        .collect();
    let mut edits: Vec<[&str; 2]> = edits.iter().map(|[old, new]| [&**old, &**new]).collect();
    edits.push(["=> 1", "=> 2"]);
    let rows = rows(&fixture, &edits);
    let at = |start: &str| rows.iter().position(|row| row.starts_with(start));
    let [first, handler, last] = [
        "breaking CP0002 T00",
        "handler changed: GET /items",
        "breaking CP0002 T13",
    ]
    .map(at);
    assert!(
        first.is_some() && first < handler && handler < last,
        "{rows:#?}"
    );
}

#[test]
fn an_attribute_that_is_added_keeps_its_name() {
    let long = "[System.Obsolete(\"This member is deprecated. What it gave is on the other member now.\")]";
    let fixture = "//- /A.cs\npublic class C {\n  public int M(int n) => n;\n}\n";
    let rows = rows(
        fixture,
        &[["  public int M", &format!("  {long} public int M")]],
    );
    assert!(
        rows.iter()
            .any(|row| row.contains("C: M(int) | `[Obsolete(…)]` added")),
        "{rows:#?}"
    );
}

#[test]
fn a_mapped_route_that_branches_repeat_is_neither_added_nor_removed() {
    let fixture = "
//- /A.cs
public class App {
    public void Map(Builder app, bool isRemote) {
        app.MapHub<Hub>(\"/hub\");
    }
}
";
    let branches = fixture.replace(
        "app.MapHub<Hub>(\"/hub\");",
        "if (isRemote) {\n            app.MapHub<Hub>(\"/hub\");\n        } else {\n            app.MapHub<Hub>(\"/hub\");\n        }",
    );
    assert_eq!(routes(fixture, &branches), [""; 0]);
    assert_eq!(routes(&branches, fixture), [""; 0]);
    // A copy beside the first one, which did not change.
    let twice = fixture.replace(
        "        app.MapHub<Hub>(\"/hub\");\n",
        "        app.MapHub<Hub>(\"/hub\");\n        if (isRemote) { app.MapHub<Hub>(\"/hub\"); }\n",
    );
    assert_eq!(routes(fixture, &twice), [""; 0]);
}

/// The breaking rows of API changes as Markdown has them.
/// The lines of the answer to edits of a file.
fn rows(before: &str, edits: &[[&str; 2]]) -> Vec<String> {
    let world = Service::parse(before);
    for [old, new] in edits {
        world.edit("A.cs", old, new);
    }
    world.commit("change");
    let text = world.markdown("diff-context", json!({"revisions": ["HEAD~1..HEAD"]}));
    text.lines().map(str::to_owned).collect()
}

fn breaking_rows(before: &str, edits: &[[&str; 2]]) -> Vec<String> {
    let mut rows = rows(before, edits);
    rows.retain(|line| line.starts_with("breaking "));
    rows
}

#[test]
fn members_with_another_name_are_no_others_to_users_of_the_api() {
    let lines = (1..5).map(|n| format!("    System.Console.Write({n});\n"));
    let body: String = lines.collect();
    let fixture = format!(
        "//- /A.cs project:Lib\npublic class Setup {{\n  public void AddDocs(int n)\n  {{\n{body}  }}\n  public void Gone() {{ }}\n}}\n"
    );
    let rows = rows(
        &fixture,
        &[
            ["AddDocs(int n)", "AddDocsGen(int n)"],
            ["Write(2)", "Write(22)"],
            ["  public void Gone() { }\n", ""],
        ],
    );
    for row in [
        "breaking CP0002 Setup: AddDocs(int) | renamed to `AddDocsGen`",
        "breaking CP0002 Setup: Gone() | removed",
        "compatible Setup: AddDocsGen(int) | renamed from `AddDocs`",
    ] {
        assert!(rows.iter().any(|it| it.starts_with(row)), "{row} {rows:?}");
    }
}

#[test]
fn attributes_whose_constant_has_another_value_are_one_row_behind_other_breaks() {
    let fixture = "
//- /A.cs project:Lib
public enum Perm { A, B, C, D }
public static class Texts { public const string Gone = \"a\"; }
public class NeedAttribute : System.Attribute { public NeedAttribute(Perm p) { } }
public class Svc { [Need(Perm.B)] public void M1() { } [Need(Perm.C)] public void M2() { } [Need(Perm.D)] public void M3() { } }
public class Out { [Need(Perm.D)] public void M4() { } [Need(Perm.A)] public void M5() { } [System.Obsolete(Texts.Gone)] public void M6() { } }
public interface IZ { void Old(); }
";
    let rows = breaking_rows(
        fixture,
        &[
            ["enum Perm { A,", "enum Perm { A, New,"],
            ["\"a\"", "\"b\""],
            [
                "void Old();",
                "void Old(); void New(); static void Made() { }",
            ],
            ["[Need(Perm.A)]", "[Need(Perm.B)]"],
        ],
    );
    assert_eq!(
        rows,
        [
            "breaking CP0006 IZ: Made() | static: implementing types need not add it, though the SDK's check says so",
            "breaking CP0006 IZ: New() | implementing types must add it",
            "breaking CP0011 Perm: B, C, D | values: B was 1, is 2",
            "breaking CP0015 Out: M5() | `[Need(0)]` has other arguments",
            // Another message of `[Obsolete]` breaks nothing.
            "breaking CP0015 Out: M4(), Svc: M1(), M2() … 1 more | `[Need]` has other arguments: enum `Perm` was renumbered",
        ]
    );
}

#[test]
fn what_a_changed_line_registers_is_told_with_who_takes_it() {
    let fixture = "
//- /A.cs project:Shop packages:Microsoft.Extensions.DependencyInjection
public interface IRule { }
public interface IOther { }
public class First : IRule { }
public class Second : IRule { }
public class Third : IOther { }
public class Engine { public Engine(System.Collections.Generic.IEnumerable<IRule> rules) { } }
public static class Setup {
    public static void AddAll(IServiceCollection services) => services.AddTransient<IRule, Second>();
    public static void AddShop(IServiceCollection services) {
        services.AddScoped<IRule, First>();
        services.AddScoped<IOther, Third>();
    }
}
";
    let rows = rows(
        fixture,
        &[[
            "        services.AddScoped<IOther, Third>();\n",
            "        services.AddScoped<IRule, Second>();\n        services.AddScoped<IOther, Third>();\n",
        ]],
    );
    let told: Vec<&String> = rows
        .iter()
        .filter(|row| row.contains("registered"))
        .collect();
    assert_eq!(told.len(), 1, "{}", rows.join("\n"));
    assert!(
        told[0].starts_with("Second registered as IRule: A.cs:11")
            && told[0].contains("(injected in Engine A.cs:6)")
            && told[0].ends_with("; other implementations: First A.cs:3 registered at A.cs:10"),
        "{told:?}"
    );
}

#[test]
fn callers_of_a_service_run_a_type_that_is_registered_for_it_now() {
    let fixture = "
//- /A.cs project:Shop packages:Microsoft.Extensions.DependencyInjection
using System.Collections.Generic;
public interface IRule { int Check(int n); }
public class First : IRule { public int Check(int n) => n; }
public interface IMore { int More(int n); }
public class Second : IRule, IMore { public int Check(int n) => n + 1; public int More(int n) => n; public int Own() => 1; }
public class Engine {
    private readonly IEnumerable<IRule> _rules;
    public Engine(IEnumerable<IRule> rules) { _rules = rules; }
    public int Run(int n) { foreach (var rule in _rules) n = rule.Check(n); return n; }
}
public class Shop { public int Buy(Engine engine) => engine.Run(1); public int Extra(IMore it) => it.More(1); }
public static class Setup {
    public static void AddShop(IServiceCollection services) {
        services.AddScoped<IRule, First>();
    }
}
public static class More {
    public static void AddMore(IServiceCollection services) {
        services.AddScoped<Engine>();
    }
}
//- /T.cs project:Tests refs:Shop packages:xunit
using Xunit;
public class SecondTests { [Fact] public void Adds() => new Second().Check(1); }
public class FirstTests { [Fact] public void Keeps() => new First().Check(1); }
";
    let first = "        services.AddScoped<IRule, First>();\n";
    let both = format!("{first}        services.AddScoped<IRule, Second>();\n");
    let added = rows(fixture, &[[first, &both]]);
    let text = added.join("\n");
    let has = |text: &str, part: &str| text.contains(part);
    assert!(
        has(&text, "Second.Check (registered otherwise): "),
        "{text}"
    );
    assert!(has(&text, "in Run"), "{text}");
    assert!(has(&text, "then Engine.Run ← Shop.Buy"), "{text}");
    assert!(has(&text, "SecondTests: 1 test; Adds"), "{text}");
    for other in ["FirstTests", "Second.Own", "Second.More"] {
        assert!(!has(&text, other), "{text}");
    }

    // One that another method registers now is registered all the same.
    let engine = "        services.AddScoped<Engine>();\n";
    let there = format!("{engine}{first}");
    let moved = rows(fixture, &[[first, "\n"], [engine, &there]]);
    let text = moved.join("\n");
    assert!(!has(&text, "registered otherwise"), "{text}");
}

#[test]
fn documents_are_shown_by_headings_and_what_went_to_another_file_once() {
    let world = Service::parse(
        "//- /A.cs project:Lib\npublic class A { }\n//- /README.md\n# Lib\nOld words.\n",
    );
    let target = "one: 1\ntwo: 2\nthree: 3\nfour: 4\nfive: 5\nsix: 6\n";
    world.write("a.yml", format!("zero: 0\n{target}seven: 7\n"));
    world.commit("texts");
    world.edit("a.yml", target, "");
    world.edit("a.yml", "zero: 0", "zero: 1");
    world.edit("README.md", "Old words.", "New words.");
    world.write("b.yml", target);
    let parts: Vec<String> = (0..6)
        .map(|n| format!("## Part {n}\n{}", "Words.\n".repeat(9)))
        .collect();
    world.write("docs/guide.md", parts.concat());
    world.commit("change");
    let text = world.markdown(
        "diff-context",
        json!({"revisions": ["HEAD~1..HEAD"], "hunks": "counted"}),
    );
    for part in [
        "  … 6 lines, now in b.yml",
        "  … 6 lines that a.yml had",
        "  - zero: 0",
        "  + New words.",
        "  + ## Part 5",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(!text.contains("five: 5"), "{text}");
}

#[test]
fn a_member_that_more_code_sees_runs_what_it_ran() {
    let fixture = "
//- /A.cs project:Lib
public class A { int Inner(int n) => n; internal int Own() => 1; public int Go() => Inner(2) + Own(); }
//- /T.cs project:Tests refs:Lib packages:xunit
using Xunit;
public class Tests { [Fact] public void T() => new A().Go(); }
";
    let told = |edit: [&str; 2]| {
        let rows = rows(fixture, &[edit]);
        let has = |text: &str| rows.iter().any(|row| row.contains(text));
        (has("## Impact"), has("1 of 1 test"))
    };
    assert_eq!(told(["int Inner", "public int Inner"]), (false, false));
    assert_eq!(told(["internal int Own", "public int Own"]), (false, false));
    assert_eq!(told(["public int Go", "internal int Go"]), (true, true));
    assert_eq!(
        told(["int Inner(int n) => n", "public int Inner(int n) => n + 1"]),
        (true, true)
    );
}

#[test]
fn names_that_a_change_leaves_behind_do_not_compile() {
    let world = Service::parse(
        "
//- /A.cs project:Lib
public interface IMetaRespository { void Go(); void Stay(); }
//- /B.cs project:Lib
public class Iap { readonly IMetaRespository repo; public Iap(IMetaRespository it) { repo = it; } Missing missing; }
public class Caller { void M(Other other) { other.Old(); } }
//- /C.cs project:Lib
public class Other { public void Old() { } }
",
    );
    world.edit("A.cs", "IMetaRespository", "IMetaRepository");
    world.edit("C.cs", "Old()", "New()");
    world.commit("change");
    let text = world.markdown("diff-context", json!({"revisions": ["HEAD~1..HEAD"]}));
    let lines = text
        .lines()
        .skip_while(|line| !line.starts_with("does not compile"));
    let lines: Vec<&str> = lines.take(4).collect();
    let (fields, call) = (
        "public class Iap { readonly IMetaRespository repo; public Iap(IMetaRespository it) { repo = it; } Missing missing; }",
        "public class Caller { void M(Other other) { other.Old(); } }",
    );
    assert_eq!(
        lines,
        [
            "does not compile: 2 uses of `IMetaRespository` no longer resolve".to_owned(),
            format!("  B.cs:1  {fields}"),
            "does not compile: 1 use of `Old` no longer resolves".to_owned(),
            format!("  B.cs:2  {call}"),
        ]
    );
}

#[test]
fn users_that_no_longer_compile_come_first_and_others_of_what_is_gone_are_counted() {
    let many = |make: &dyn Fn(usize) -> String| (0..30).map(make).collect::<String>();
    let bodies = many(&|at| format!("    public int M{at}() => {at};\n"));
    let users = many(&|at| {
        format!(
            "public class User{at} {{ int A(Busy busy) => busy.M{at}(); int B(Busy it) => it.M{at}() + 1; }}\n"
        )
    });
    let world = Service::parse(&format!(
        "
//- /A.cs project:Lib
public class Busy {{
{bodies}}}
public interface IRepo {{ void Gone(); void Adapted(); void Stay(); }}
//- /B.cs project:Lib
{users}
//- /C.cs project:Lib
public class Reader {{ void Read(IRepo repo) {{
    repo.Gone();
}} }}
//- /D.cs project:Lib
public class Writer {{ void Write(IRepo repo) {{
    repo.Adapted();
    repo.Stay();
}} }}
"
    ));
    world.edit("A.cs", "void Gone(); void Adapted(); ", "");
    world.edit("D.cs", "    repo.Adapted();\n", "");
    for at in 0..30 {
        world.edit("A.cs", &format!("M{at}() =>"), &format!("M{at}() => 100 +"));
    }
    world.commit("change");
    let envelope = world.envelope("diff-context", json!({"revisions": ["HEAD~1..HEAD"]}));
    for budget in [1_500, 2_500, 4_000] {
        let text = render(&envelope, Format::Markdown, budget).expect("a rendering");
        let (_, impact) = text.split_once("## Impact\n").expect("an impact");
        let symbols = impact.lines().filter(|line| line.contains(" line"));
        let symbols: Vec<&str> = symbols.take(3).collect();
        assert_eq!(symbols[0], "IRepo.Gone (removed): 1 line before", "{text}");
        assert!(symbols[1].starts_with("Busy.M"), "{text}");
        // Who changed with it is no news, but is counted.
        assert!(
            impact.contains("\nlines not shown: IRepo.Adapted 1, Busy.M")
                || impact.contains("IRepo.Adapted (removed): 1 line before"),
            "{text}"
        );
    }
}

#[test]
fn only_what_has_a_body_has_another_one() {
    let before = "
//- /A.cs project:Lib
public record Hec(string Uri, string Scheme = null);
public interface IRepo { void Get(int id = 1); void Stay(); }
public class Other { public int Take(int n) => n; public int Named(int n) => n; public int Default(int n = 1) => n; }
public interface I { string M(); }
public class Explicit : I { public string M() => null; string I.M() => null; }
";
    let after = before
        .replace("string Uri", "string? Uri")
        .replace("Scheme = null", "Scheme = default")
        .replace("id = 1", "id = 2")
        .replace("Take(int n) => n", "Take(long n) => 2")
        .replace("Named(int n) => n", "Named(int m) => m")
        .replace("n = 1) => n", "n = 2) => n")
        .replace(" string I.M() => null;", "");
    let world = Service::parse(before);
    world.write("A.cs", after.split_once("Lib\n").expect("a head").1);
    world.commit("change");
    let text = world.markdown("diff-context", json!({"revisions": ["HEAD~1..HEAD"]}));
    let lines = text.lines().skip_while(|line| *line != "## What changed");
    let lines: Vec<&str> = lines.take_while(|line| *line != "## API changes").collect();
    let with = |name: &str| {
        let of_name = lines.iter().filter(|line| line.contains(name));
        of_name.copied().collect::<Vec<_>>().join("\n")
    };
    assert!(
        with("public Hec(").ends_with("string Scheme = default (2nd))"),
        "{text}"
    );
    assert!(with("~ Get (").ends_with("int id = 2 (1st))"), "{text}");
    assert!(
        with("~ Default (").contains("int n = 2 (1st)), Named ("),
        "{text}"
    );
    assert!(with("Take(").contains("body changed too"), "{text}");
    assert!(with("Named").contains("body changed too"), "{text}");
    assert!(with("I.M").contains("- string I.M()"), "{text}");
    assert!(text.contains("no tests found in this repository"), "{text}");
}

#[test]
fn a_type_of_another_assembly_is_told_as_moved() {
    let before = "
//- /A/X.cs project:A
namespace N; public class X { public int M() => 1; public int P; }
//- /A/Y.cs project:A
namespace N; public class Y { }
//- /B/U.cs project:B refs:A
class U { int F(N.X x) => x.M(); }
";
    let after = before.replace("//- /A/X.cs project:A", "//- /B/X.cs project:B refs:A");
    let repository = Repository::history(&[before, &after]);
    repository.check_diff(expect![[r#"
        N.X, moved from assembly A
    "#]]);
    let answer = repository.diff_context();
    let api: Vec<_> = answer
        .api
        .iter()
        .map(|it| (it.ty.as_str(), it.reason.as_str()))
        .collect();
    assert_eq!(api, [("N.X", "moved to assembly `B`")]);
    repository.check_impact(expect![[r#"
        signature T:N.X
          B/U.cs:1:19 parameter exact
    "#]]);
}

#[test]
fn a_type_that_moves_to_a_new_assembly_is_not_removed_and_needs_no_tests() {
    let before = "
//- /A/X.cs project:A
namespace N; public class X { public int M() => 1; }
//- /A/Y.cs project:A
namespace N; public class Y { }
//- /T/T.cs project:T refs:A packages:xunit
using Xunit;
public class Ts { [Fact] public void Runs() { new N.X().M(); } }
";
    let after = before
        .replace("//- /A/X.cs project:A", "//- /B/X.cs project:B")
        .replace("project:T refs:A", "project:T refs:A,B");
    let answer = history(before, &after);
    let api = answer.api.iter();
    let api: Vec<_> = api.map(|it| (it.ty.as_str(), it.reason.as_str())).collect();
    assert_eq!(api, [("N.X", "moved to assembly `B`")]);
    let tests = answer.impact.tests.expect("tests were looked for");
    assert!(tests.tests.is_empty(), "{tests:?}");
}

#[test]
fn a_member_that_becomes_an_extension_of_its_type_has_moved() {
    let before = "
//- /A.cs
public interface I { void Go(int n) { System.Console.WriteLine(n); } }
public class U { void M(I i) => i.Go(1); }
";
    let after = before.replace("void Go(int n) { System.Console.WriteLine(n); }", "");
    let after = format!(
        "{after}public static class E {{ public static void Go(this I i, int n) {{ var m = n + 1; Run(m); }} static void Run(int m) {{ }} }}\n"
    );
    Repository::history(&[before, &after]).check_diff(expect![[r#"
        I
          removed Go; moved to `E`
        E
          added Go; moved from `I`
          added Run
    "#]]);
}

#[test]
fn another_signature_of_an_interface_is_one_api_change() {
    let fixture = "
//- /A.cs project:A
public interface I { int Go(int n); int Stay(); }
";
    let answer = history(fixture, &fixture.replace("int Go", "long Go"));
    let api: Vec<_> = (answer.api.iter())
        .map(|it| (it.rule.as_deref().unwrap_or_default(), it.member.as_deref()))
        .collect();
    assert_eq!(api, [("CP0002", Some("Go(int)"))]);
}

#[test]
fn names_of_what_is_gone_are_looked_for_outside_of_csharp() {
    let fixture = "
//- /A.cs
public class C { public int GetTotal() => 1; public int GetRest() => 2; }
//- /q.sql
select GetTotal, GetRest, Run from C;
//- /v.cshtml
<p>@Model.GetTotal</p>
//- /run.sh
echo GetTotal
";
    let answer = history(
        fixture,
        &fixture.replace("public int GetTotal() => 1; ", ""),
    );
    let [symbol] = &answer.impact.symbols[..] else {
        panic!("{answer:?}");
    };
    assert_eq!((symbol.n_uses, symbol.n_mentions), (0, 2));
    let places: Vec<(&str, u32)> = (symbol.mentions.iter())
        .map(|it| (it.path.as_str(), it.line))
        .collect();
    assert_eq!(places, [("q.sql", 1), ("v.cshtml", 1)]);
    let not_searched: Vec<_> = (answer.impact.not_searched.iter())
        .map(|it| (it.extension.as_str(), it.n_files))
        .collect();
    assert_eq!(not_searched, [("sh", 1)]);
    // A body that has uses makes no claim.
    let answer = history(fixture, &fixture.replace("=> 2", "=> 3"));
    assert_eq!(answer.impact.symbols[0].n_mentions, 1, "it has no uses");
    // One word is one of every language.
    let fixture = fixture.replace("GetRest()", "Run()");
    let answer = history(&fixture, &fixture.replace("=> 2", "=> 3"));
    assert_eq!(answer.impact.symbols[0].n_mentions, 0);
}

#[test]
fn the_code_of_generated_files_is_shown_last() {
    let before = "
//- /Made.cs
// <auto-generated />
public class Made { public int Build(bool b) { if (b) return 1; return 0; } }
//- /Typed.cs
public class Typed { int Own() => 1; }
";
    let world = Service::parse(before);
    world.edit("Made.cs", "return 1", "return 2");
    world.edit("Typed.cs", "=> 1", "=> 2");
    world.commit("change");
    let envelope = world.envelope("diff-context", json!({"revisions": ["HEAD~1..HEAD"]}));
    let markdown = render(&envelope, Format::Markdown, 4_000).expect("a rendering");
    let at = |text: &str| {
        markdown
            .find(text)
            .unwrap_or_else(|| panic!("{text}: {markdown}"))
    };
    assert!(at("@@ Typed.cs") < at("@@ Made.cs"), "{markdown}");
}

#[test]
fn other_line_endings_are_no_changed_code() {
    let code = "class A\n{\n    string M()\n    {\n        var text = @\"a\nb\";\n        return text + 1;\n    }\n}\n";
    let world = Service::with_files(&[
        (
            "A/A.csproj",
            "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup></Project>",
        ),
        ("A/A.cs", code),
    ]);
    world.write("A/A.cs", code.replace("+ 1", "+ 2").replace('\n', "\r\n"));
    let answer = world.answer("diff-context", json!({}));
    let lines = answer["types"][0]["members"][0]["code"].as_array();
    let lines = lines.expect("a changed member").iter();
    let changed: Vec<&str> = lines
        .filter(|line| line["kind"] != "context")
        .filter_map(|line| line["text"].as_str())
        .collect();
    assert_eq!(
        changed,
        ["        return text + 1;", "        return text + 2;"]
    );
}

#[test]
fn what_is_proven_is_marked_and_its_code_left_out() {
    let repo = Service::with_files(&[
        ("App.csproj", crate::PROJECT),
        (
            "Orders.cs",
            "namespace N;\npublic class Orders\n{\n    public int Sum() => 1;\n}\n",
        ),
        (
            "Use.cs",
            "namespace N;\npublic class Use\n{\n    int First(Orders it) => it.Sum() + 1;\n    int Second(Orders it) => it.Sum();\n    object Far(Orders it) => Far(it);\n}\n",
        ),
        (
            "Far.cs",
            "namespace N;\nclass Far\n{\n    static void Take(object it) { }\n    void All(Use use) => Take(1);\n}\n",
        ),
    ]);
    repo.edit("Orders.cs", "Sum()", "Count()");
    repo.edit("Use.cs", "it.Sum() + 1", "it.Count() + 2");
    repo.edit("Use.cs", "it.Sum()", "it.Count()");
    repo.edit(
        "Far.cs",
        "static void Take(object it) { }",
        "static void Take(object it) { } static void Take(int it) { }",
    );
    repo.commit("change");
    let ask = |prove: bool| {
        let request = json!({"revisions": ["HEAD~1..HEAD"], "prove": prove});
        repo.answer("diff-context", request)
    };
    let members = |answer: &Value| -> Vec<(String, bool)> {
        let types = answer["types"].as_array().expect("types").clone();
        let all = types
            .iter()
            .flat_map(|ty| ty["members"].as_array().expect("members").clone());
        let mut all: Vec<_> = all
            .map(|it| {
                (
                    it["name"].as_str().unwrap_or_default().to_owned(),
                    it["isProven"] == json!(true),
                )
            })
            .collect();
        all.sort();
        all
    };
    let with = ask(true);
    let expected = [
        ("Count", true),
        ("First", false),
        ("Second", true),
        ("Take", false),
    ];
    let expected: Vec<(String, bool)> = expected.map(|(name, is)| (name.to_owned(), is)).into();
    assert_eq!(members(&with), expected);
    let proof = repo.answer("prove", json!({"revisions": ["HEAD~1..HEAD"]}));
    let count = |list: &Value| json!(list.as_array().map(Vec::len));
    assert_eq!(with["proof"]["proven"], count(&proof["proven"]));
    assert_eq!(with["proof"]["toRead"], count(&proof["toRead"]));
    let text = repo.markdown(
        "diff-context",
        json!({"revisions": ["HEAD~1..HEAD"], "prove": true}),
    );
    assert!(
        text.contains("+    int First") || text.contains("+int First"),
        "{text}"
    );
    assert!(!text.contains("+int Second"), "{text}");
    assert!(text.contains("= proven to mean the same"), "{text}");

    // Nothing else of the answer depends on it.
    let mut without = ask(false);
    assert!(members(&without).iter().all(|(_, is_proven)| !is_proven));
    let mut plain = with.clone();
    for answer in [&mut without, &mut plain] {
        answer.as_object_mut().expect("an object").remove("proof");
        for ty in answer["types"].as_array_mut().expect("types") {
            for member in ty["members"].as_array_mut().expect("members") {
                member
                    .as_object_mut()
                    .expect("an object")
                    .remove("isProven");
            }
        }
    }
    assert_eq!(plain, without);
}

#[test]
fn short_changes_of_texts_that_are_no_code_are_shown() {
    let world = Service::parse("//- /A.cs project:Shop\npublic class A { }\n");
    world.write("Read.sql", "SELECT *\nFROM T\nWHERE A = 1\n");
    world.write("Make.sql", "CREATE PROCEDURE P\n  @A INT,\n  @B INT\nAS\n");
    world.write("Read.md", "Read\n");
    world.write(
        "global.json",
        "{ \"msbuild-sdks\": { \"My.Sdk\": \"1.2.0\" } }\n",
    );
    let props = "<Project>\n  <PropertyGroup>\n  </PropertyGroup>\n</Project>\n";
    world.write("Directory.Build.props", props);
    world.commit("texts");
    world.edit("Read.sql", "A = 1", "A = 1 AND B IS NOT NULL");
    world.edit("Make.sql", "@B INT\n", "@B INT,\n  @C INT\n");
    world.edit("Read.md", "Read", "Write");
    world.edit("global.json", "1.2.0", "1.4.0");
    world.edit(
        "Directory.Build.props",
        "  </PropertyGroup>",
        "    <Own>1</Own>\n  </PropertyGroup>",
    );
    world.commit("change");
    let text = world.markdown(
        "diff-context",
        json!({"revisions": ["HEAD~1..HEAD"], "hunks": "counted"}),
    );
    let shown = "modified Read.sql +1 -1\n  - WHERE A = 1\n  + WHERE A = 1 AND B IS NOT NULL\n";
    assert!(text.contains(shown), "{text}");
    for shown in [
        "1.4.0",
        "modified Directory.Build.props +1 -0\n    <Project>\n    <PropertyGroup>\n  + <Own>1</Own>\n",
    ] {
        assert!(text.contains(shown), "{text}");
    }
    // What a comma more says of the line before.
    let shown = "modified Make.sql +2 -1\n  + @C INT\n";
    assert!(text.contains(shown), "{text}");
    // Documents come last.
    assert!(text.contains("  - Read\n  + Write\n"), "{text}");
}

#[test]
fn code_that_names_a_changed_procedure_is_told() {
    let world = Service::parse(
        "
//- /A.cs project:Shop packages:Dapper
using System.Data;
public class Store {
    public void Read(IDbConnection db) => db.Query(\"[dbo].[Order_Read]\", CommandType.StoredProcedure);
    public void Other(IDbConnection db) => db.Query(\"[dbo].[Order_ReadAll]\", CommandType.StoredProcedure);
}
",
    );
    world.write(
        "Order_Read.sql",
        "CREATE PROCEDURE [dbo].[Order_Read] AS SELECT 1\n",
    );
    world.commit("procedure");
    world.edit("Order_Read.sql", "SELECT 1", "SELECT 2");
    world.commit("change");
    let text = world.markdown("diff-context", json!({"revisions": ["HEAD~1..HEAD"]}));
    let told = "\nOrder_Read in SQL: named by A.cs:3 in Store.Read\n";
    assert!(text.contains(told), "{text}");
    assert_eq!(text.matches("in SQL").count(), 1, "{text}");
}

#[test]
fn code_that_names_the_end_of_a_changed_procedure_is_told_with_its_tests() {
    let world = Service::parse(
        "
//- /A.cs project:Shop packages:Dapper
using System.Data;
public interface IOrderStore { void Save(IDbConnection db); void Drop(IDbConnection db); }
public abstract class Store<T> {
    protected string Table = typeof(T).Name;
    public void Save(IDbConnection db) => db.Execute($\"[dbo].[{Table}_Update]\", CommandType.StoredProcedure);
    public void Load(IDbConnection db) => db.Execute($\"[dbo].[{Table}_ReadAll]\", CommandType.StoredProcedure);
}
public class OrderStore : Store<int>, IOrderStore {
    public void Drop(IDbConnection db) => db.Execute($\"[{Table}_Drop]\", CommandType.StoredProcedure);
}
public class ItemStore : Store<long> {
    public void Drop(IDbConnection db) => db.Execute($\"[{Table}_Drop]\", CommandType.StoredProcedure);
}
//- /T.cs project:Tests refs:Shop packages:xunit
using Xunit;
public class StoreTests {
    [Fact] public void Drops() => new OrderStore().Drop(null);
    [Fact] public void Saves() => new OrderStore().Save(null);
    [Fact] public void Loads() => new OrderStore().Load(null);
    [Fact] public void DropsItems() => new ItemStore().Drop(null);
}
",
    );
    let procedure = |name: &str, n: u8| format!("CREATE PROCEDURE [dbo].[{name}] AS SELECT {n}\n");
    for name in ["Order_Update", "Order_Drop"] {
        world.write(&format!("{name}.sql"), procedure(name, 1));
    }
    world.commit("procedures");
    for name in ["Order_Update", "Order_Drop"] {
        world.write(&format!("{name}.sql"), procedure(name, 2));
    }
    world.commit("change");
    let answer = world.envelope("diff-context", json!({"revisions": ["HEAD~1..HEAD"]}));
    let text = render(&answer, Format::Markdown, 4_000).expect("the answer has Markdown");
    let row = "\nchanged in SQL, named at A.cs:9 in Drop (Order_Drop), :5 in Save (Order_Update)\n";
    assert!(text.contains(row), "{text}");
    assert_eq!(text.matches("in SQL").count(), 1, "{text}");
    // Whoever saves anything runs the other one.
    assert!(text.contains("the classes of 1 that reach it"), "{text}");
    let tests = world.envelope("tests", json!({"subjects": ["HEAD~1..HEAD"]}));
    let tests = tests["answer"]["subjects"][0]["tests"]
        .as_array()
        .expect("tests")
        .clone();
    let methods: Vec<&str> = tests
        .iter()
        .filter_map(|it| it["method"].as_str())
        .collect();
    assert_eq!(methods, ["Drops"]);
}
