//! Types that have other names: what follows from that alone is no change of those that name them.

use cortex_check::{Repository, Service, json};
use cortex_model::ChangeClass;
use cortex_wire::{DiffContext, MemberChangeKind};

/// Types of a namespace that name each other, and what uses them from others.
const SHOP: &str = "
//- /Models.cs project:Lib packages:Microsoft.AspNetCore.App
using System.Collections.Generic;
namespace Shop.Old
{
    public class Order { public int Id { get; set; } public List<Line> Lines { get; set; } }
    public class Line { public Order Owner { get; set; } public string Name { get; set; } }
    public interface IStore { void Add(Order order); void Add(List<Order> orders); Order Find(Line line); }
    public abstract class Base<T> where T : Order { public abstract T Make(); }
    public class Wrap<T> { public T Inner; }
    public enum Kind { A, B }
}
//- /Store.cs project:Lib
using System.Collections.Generic;
using Shop.Old;
namespace Shop
{
    public class Store : Base<Order>, IStore
    {
        private readonly List<Order> _all = new();
        public Store(IEnumerable<Order> all) { _all.AddRange(all); }
        public void Add(Order order) { _all.Add(order); }
        public void Add(List<Order> orders) { _all.AddRange(orders); }
        public Order Find(Line line) { return line.Owner; }
        public override Order Make() { return new Shop.Old.Order(); }
        public Wrap<Order> All { get; set; }
    }
}
//- /Api.cs project:Lib packages:Microsoft.AspNetCore.App
using Microsoft.AspNetCore.Mvc;
using Shop.Old;
namespace Shop
{
    public class Envelope { public Order Order { get; set; } }
    [Route(\"orders\")]
    public class OrdersController
    {
        private readonly IStore _store;
        public OrdersController(IStore store) { _store = store; }
        [HttpPost] public Order Post([FromBody] Order order) { _store.Add(order); return order; }
        [HttpPut(\"{id}\")] public Envelope Put(int id, [FromBody] Envelope it) { return it; }
    }
}
";

fn moved() -> String {
    SHOP.replace("Shop.Old", "Shop.New")
}

fn answer(after: &str) -> DiffContext {
    Repository::history(&[SHOP, after]).diff_context()
}

/// What a change is as Markdown.
pub(super) fn markdown(before: &str, after: &str) -> String {
    let world = Service::parse(before);
    for file in after.split("//- /").skip(1) {
        let (head, text) = file.split_once('\n').expect("a line with the path");
        world.write(head.split(' ').next().unwrap_or(head), text);
    }
    world.commit("change");
    world.markdown("diff-context", json!({"revisions": ["HEAD~1..HEAD"]}))
}

/// The members that differ in more than names.
fn own(answer: &DiffContext) -> Vec<String> {
    let members = answer.types.iter().flat_map(|ty| {
        let own = ty.members.iter().filter(|member| !member.follows_moves);
        own.map(|member| format!("{:?} {}.{}", member.change, ty.ty.name, member.name))
    });
    members.collect()
}

#[test]
fn types_that_go_to_another_namespace_change_nothing_of_what_names_them() {
    let answer = answer(&moved());
    assert_eq!(own(&answer), [""; 0]);
    for ty in &answer.types {
        assert!(ty.follows_moves, "{ty:?}");
        assert_eq!((&ty.old_signature, &ty.new_signature), (&None, &None));
        for member in &ty.members {
            assert!(member.old_signature.is_some() && member.new_signature.is_some());
            assert!(member.code.is_empty(), "{member:?}");
            assert!(!matches!(
                member.change,
                MemberChangeKind::Removed | MemberChangeKind::Added
            ));
        }
    }
    let moved = answer.types.iter().filter(|ty| ty.renamed_from.is_some());
    assert_eq!(moved.count(), 6);
    assert!(answer.routes.is_empty(), "{:?}", answer.routes);
    assert!(answer.contracts.is_empty(), "{:?}", answer.contracts);
    assert!(!answer.api.is_empty());
    for change in &answer.api {
        assert!(
            change.follows_moves || change.moved_to.is_some(),
            "{change:?}"
        );
    }
}

#[test]
fn a_namespace_that_moved_is_told_with_what_all_of_its_types_are_in() {
    let shop = |outer: &str, last: &str| {
        format!(
            "
//- /A.cs project:App
namespace Shop.{outer}.Mail {{ public class A {{ }} public class B {{ }} }}
namespace Shop.{outer}.Mail{last} {{ public class C {{ }} }}
"
        )
    };
    let row = |last: &str| {
        let text = markdown(&shop("Old", last), &shop("New", last));
        let row = text.lines().find(|line| line.starts_with("moved "));
        row.unwrap_or_default().to_owned()
    };
    let told = "moved from Shop.Old.Mail to Shop.New.Mail: 3 types, otherwise unchanged";
    assert_eq!(row(""), told);
    assert_eq!(row(".Inner"), told);
}

#[test]
fn a_move_is_a_row_and_what_names_the_types_another_one() {
    let text = markdown(SHOP, &moved());
    let lines: Vec<&str> = text.lines().collect();
    let rows = |start: &str| -> Vec<&str> {
        let found = lines.iter().filter(|line| line.starts_with(start));
        found.copied().collect()
    };
    assert_eq!(
        rows("moved "),
        ["moved from Shop.Old to Shop.New: 6 types, otherwise unchanged"],
        "{text}"
    );
    assert_eq!(
        rows("breaking "),
        [
            "breaking CP0001 Base`1, IStore, Kind, Line, Order, Wrap`1 | moved from Shop.Old to Shop.New",
            "breaking CP0002, CP0007, CP0008 8 members of 3 types and the bases of 1 type | name moved types, otherwise the same",
        ],
        "{text}"
    );
    assert_eq!(
        rows("3 types only "),
        [
            "3 types only name what moved or was renamed, otherwise the same: Envelope, OrdersController, Store"
        ],
        "{text}"
    );
    for sign in [
        "  ~ ",
        "  - ",
        "  + ",
        "  * ",
        "handler changed",
        "contract",
    ] {
        assert!(!lines.iter().any(|line| line.starts_with(sign)), "{text}");
    }
    assert!(!text.contains("Changed code"), "{text}");
}

#[test]
fn what_changes_beside_a_move_is_told() {
    // A body, a signature, and a property of a model.
    let body = moved().replace("return line.Owner;", "return null;");
    let found = answer(&body);
    assert_eq!(own(&found), ["Body Shop.Store.Find"]);
    let store = found.types.iter().find(|ty| ty.ty.name == "Shop.Store");
    assert_eq!(store.unwrap().class, ChangeClass::PublicBehavior);

    let signature = moved().replace("Order Find(Line line", "Order Find(Order line");
    let found = answer(&signature.replace("return line.Owner;", "return line;"));
    assert_eq!(
        own(&found),
        [
            "Signature Shop.New.IStore.Find",
            "Signature Shop.Store.Find",
        ]
    );
    let api = found
        .api
        .iter()
        .filter(|it| it.rule.as_deref() == Some("CP0002"));
    let api = api.filter(|it| !it.follows_moves && it.moved_to.is_none());
    let members: Vec<&str> = api.filter_map(|it| it.member.as_deref()).collect();
    assert_eq!(members.len(), 1, "{members:?}");

    let property = moved().replace("public string Name", "public int Name");
    let found = answer(&property);
    assert_eq!(own(&found), ["Signature Shop.New.Line.Name"]);
    let routes: Vec<&str> = (found.contracts.iter())
        .map(|it| it.template.as_str())
        .collect();
    assert_eq!(routes, ["/orders", "/orders/{id}"]);

    let handler = moved().replace("return order; }", "return null; }");
    let found = answer(&handler);
    let routes: Vec<String> = (found.routes.iter())
        .map(|it| format!("{} {}", it.what.word(), it.handler))
        .collect();
    assert_eq!(routes, ["changed OrdersController.Post"]);
}

#[test]
fn a_type_that_takes_the_place_of_another_is_no_move() {
    // Both are there before and after: a parameter has another type.
    let before = "
//- /A.cs project:Lib
namespace A { public class X { public int V; } }
namespace B { public class X { public int V; } }
public class User { public void M(A.X it) { } }
";
    let found = Repository::history(&[before, &before.replace("M(A.X", "M(B.X")]).diff_context();
    assert_eq!(own(&found), ["Signature User.M"]);
    // One with another name and other members may be another type: what takes it changed.
    let before = "
//- /A.cs project:Lib
namespace A { public class Cat { public int V; public int W; public int X; public int Y; public int Z; public int Q; public int R; } }
public class User { public void M(A.Cat it) { } }
";
    let other = before.replace("Cat", "Dog").replace("int V;", "int U;");
    let found = Repository::history(&[before, &other]).diff_context();
    let own = own(&found);
    assert!(own.contains(&"Signature User.M".to_owned()), "{own:?}");
    // With the same members it is the same one.
    let found = Repository::history(&[before, &before.replace("Cat", "Dog")]).diff_context();
    let user = found.types.iter().find(|ty| ty.ty.name == "User");
    assert!(user.unwrap().follows_moves, "{found:?}");
}

#[test]
fn a_parameter_of_a_route_that_has_another_name_or_constraint_is_the_same_path() {
    let before = "
//- /A.cs project:Lib packages:Microsoft.AspNetCore.App
using Microsoft.AspNetCore.Mvc;
[Route(\"orders\")]
public class OrdersController
{
    [HttpPut(\"{id}\")] public int Put(string id) => 1;
    [HttpGet(\"{id}\")] public int Get(string id) => 2;
}
";
    let after = before.replace(
        "HttpPut(\"{id}\")] public int Put(string id)",
        "HttpPut(\"{orderId:guid}\")] public int Update(string orderId)",
    );
    let text = markdown(before, &after);
    assert!(
        text.contains(
            "route changed: PUT /orders/{orderId:guid}, was {id}; constraint guid added | OrdersController.Update"
        ),
        "{text}"
    );
    assert!(!text.contains("route removed"), "{text}");
    assert!(!text.contains("route added"), "{text}");
    // One that may be left out is another path.
    let text = markdown(
        before,
        &before.replace("HttpPut(\"{id}\")", "HttpPut(\"{id?}\")"),
    );
    assert!(
        text.contains("breaking route removed: PUT /orders/{id}"),
        "{text}"
    );
    // Another action for the same path is no removal.
    let text = markdown(before, &before.replace("int Put(", "int Replace("));
    assert!(!text.contains("route removed"), "{text}");
}

/// A method with another name and what calls it, beside a type that has members of both names.
const RENAMED: &str = "
//- /Cipher.cs project:Lib packages:Microsoft.AspNetCore.App
using Microsoft.AspNetCore.Mvc;
namespace Shop
{
    public class Other { public int CheckAsync() => 1; public int Check() => 2; }
    public class Cipher
    {
        private int CheckAsync(int it) { if (it < 0) throw new System.Exception(); return it; }
        public int Save(int it) { return CheckAsync(it) + CheckAsync(1); } // saves
        public int Load(Other other, int it) => CheckAsync(it) + other.CheckAsync();
        public int Drop(int it) => CheckAsync(it) + 1;
    }
    [Route(\"ciphers\")]
    public class CiphersController
    {
        [HttpPost] public int Post(Cipher it) => it.Save(1);
        [HttpGet] public int Get(Cipher it) => it.Load(new Other(), 1);
        [HttpDelete] public int Delete(Cipher it) => it.Drop(1);
    }
}
";

#[test]
fn bodies_that_only_call_what_was_renamed_follow_it() {
    let after = RENAMED
        .replace(" CheckAsync(", " Check(")
        .replace("// saves", "// keeps")
        .replace("public int Check() => 1", "public int CheckAsync() => 1")
        .replace("+ 1;", "+ 2;");
    // What the other type is asked for is another member of it.
    let other = after.replace("other.CheckAsync()", "other.Check()");
    for (after, own_bodies) in [
        (&after, &["Body Shop.Cipher.Drop"][..]),
        (&other, &["Body Shop.Cipher.Load", "Body Shop.Cipher.Drop"]),
    ] {
        let answer = Repository::history(&[RENAMED, after]).diff_context();
        let bodies: Vec<String> = own(&answer)
            .into_iter()
            .filter(|it| it.starts_with("Body"))
            .collect();
        assert_eq!(bodies, own_bodies, "{after}");
        let routes: Vec<&str> = (answer.routes.iter())
            .map(|route| route.verb.as_str())
            .collect();
        assert_eq!(routes.len(), own_bodies.len(), "{routes:?}");
    }
    let text = markdown(RENAMED, &after);
    assert!(text.contains("  only new names in: "), "{text}");
    assert!(!text.contains("POST /ciphers"), "{text}");
}

const GUARDED: &str = "
//- /a.cs
namespace Shop
{
    public interface IStockValidator { int Limit { get; } string Title { get; } int Check(StockValidatorRequest it); }
    public record StockValidatorRequest(int N);
    public class Orders(IStockValidator validator, int limit)
    {
        public int Place(int n)
        {
            var found = validator.Check(new StockValidatorRequest(n));
            return found + limit;
        }
        public string Named() => nameof(validator);
        public int Drop(int n) => validator.Check(new StockValidatorRequest(n + 1));
    }
    public class Returns
    {
        private readonly IStockValidator _stockValidator;
        public Returns(IStockValidator validator)
        {
            _stockValidator = validator;
        }
        public int Take() => _stockValidator.Check(new StockValidatorRequest(1));
    }
}
namespace Microsoft.AspNetCore.Mvc
{
    public class ControllerBase { }
    public class ApiControllerAttribute : System.Attribute { }
    public class RouteAttribute : System.Attribute { public RouteAttribute(string t) { } }
    public class HttpPostAttribute : System.Attribute { public HttpPostAttribute(string t = null) { } }
    public class HttpDeleteAttribute : System.Attribute { public HttpDeleteAttribute(string t = null) { } }
}
namespace Shop.Api
{
    using Microsoft.AspNetCore.Mvc;
    [ApiController, Route(\"orders\")]
    public class OrdersController : ControllerBase
    {
        [HttpPost] public int Post(Orders it) => it.Place(1);
        [HttpDelete] public int Delete(Orders it) => it.Drop(1);
    }
}
";

#[test]
fn bodies_follow_parameters_that_are_renamed_along_with_their_types() {
    let after = GUARDED
        .replace("IStockValidator", "IStockHandler")
        .replace("StockValidatorRequest", "StockHandlerRequest")
        .replace("_stockValidator", "_stockHandler")
        .replace("validator", "handler");
    let answer = Repository::history(&[GUARDED, &after]).diff_context();
    let bodies = |answer: &DiffContext| -> Vec<String> {
        let own = own(answer).into_iter();
        own.filter(|it| it.starts_with("Body")).collect()
    };
    assert_eq!(
        bodies(&answer),
        ["Body Shop.Orders.Named"],
        "{}",
        markdown(GUARDED, &after)
    );
    assert!(answer.routes.is_empty(), "{:?}", answer.routes);
    let text = markdown(GUARDED, &after);
    let takes = "Returns (IStockValidator validator → IStockHandler handler (1st))";
    assert!(text.contains(takes), "{text}");
    assert!(!text.contains("_stockHandler (signature)"), "{text}");

    // One of the places means the other parameter.
    let other = after.replace("found + limit", "found + handler.GetHashCode()");
    let answer = Repository::history(&[GUARDED, &other]).diff_context();
    let expected = ["Body Shop.Orders.Place", "Body Shop.Orders.Named"];
    assert_eq!(bodies(&answer), expected);
}

const FLAGGED: &str = "
//- /a.cs
namespace Shop
{
    using Microsoft.AspNetCore.Mvc;
    public class Flags { public bool IsEnabled(string key) => key != null; public bool On; }
    [ApiController, Route(\"orders\")]
    public class OrdersController : ControllerBase
    {
        private readonly Flags _flags = new Flags();
        private bool UseNew => _flags.IsEnabled(\"orders.new\");
        private bool Either => _flags.On || UseNew;
        private const string Title = \"order\";
        [HttpPost] public int Place(int n) => !UseNew ? n : n + 1;
        public int Drop(int n) { if (this.Either) { return 1; } return n; }
        public bool Not() => !Either;
        public string Named() => Title + Title;
        private double Rate => 2;
        private string Head => null;
        public double Half(int n) => n / Rate;
        public object Show() => Told(Head);
        private int Told(string s) => 1;
        private int Told(object o) => 2;
    }
}
namespace Microsoft.AspNetCore.Mvc
{
    public class ControllerBase { }
    public class ApiControllerAttribute : System.Attribute { }
    public class RouteAttribute : System.Attribute { public RouteAttribute(string t) { } }
    public class HttpPostAttribute : System.Attribute { public HttpPostAttribute(string t = null) { } }
}
";

#[test]
fn bodies_in_which_a_member_stands_for_its_own_expression_run_the_same() {
    let written_out = FLAGGED
        .replace(
            "        private bool UseNew => _flags.IsEnabled(\"orders.new\");\n",
            "",
        )
        .replace("        private bool Either => _flags.On || UseNew;\n", "")
        .replace("        private const string Title = \"order\";\n", "")
        .replace("!UseNew", "!_flags.IsEnabled(\"orders.new\")")
        .replace("(this.Either)", "(_flags.On || UseNew)")
        .replace("!Either", "!(_flags.On || UseNew)")
        .replace("Title + Title", "\"order\" + \"order\"")
        .replace("        private double Rate => 2;\n", "")
        .replace("        private string Head => null;\n", "")
        .replace("n / Rate", "n / 2")
        .replace("Told(Head)", "Told(null)");
    // Another type divides otherwise, or chooses another overload.
    let other_types = ["Half", "Show"];
    let same = |answer: &DiffContext| -> Vec<String> {
        let members = answer.types.iter().flat_map(|ty| &ty.members);
        let same = members.filter(|it| it.is_unnoticed());
        same.map(|it| it.name.clone()).collect()
    };
    let all = ["Place", "Drop", "Not", "Named"];
    let ways = [[FLAGGED, &written_out], [&written_out, FLAGGED]];
    for way in ways {
        let answer = Repository::history(&way).diff_context();
        assert_eq!(same(&answer), all);
        let handlers = answer.routes.iter();
        let handlers = handlers.filter_map(|it| it.handler.split('.').nth(1));
        assert_eq!(handlers.collect::<Vec<_>>(), other_types);
    }
    let other = written_out
        .replace("!(_flags.On || UseNew)", "!_flags.On || UseNew")
        .replace("\"orders.new\") ?", "\"orders.old\") ?")
        .replace("\"order\" + \"order\"", "\"order\" + \"other\"");
    let answer = Repository::history(&[FLAGGED, &other]).diff_context();
    assert_eq!(same(&answer), ["Drop"]);
    assert_eq!(answer.routes.len(), 5, "{:?}", answer.routes);
}

#[test]
fn a_member_that_is_renamed_and_private_now_runs_what_it_ran() {
    let before = FLAGGED.replace(
        "private bool Either => _flags.On || UseNew;",
        "public bool Either() => _flags.On || UseNew;",
    );
    let before = before
        .replace("Either;", "Either();")
        .replace("this.Either)", "this.Either())");
    let after = before
        .replace("public bool Either()", "private bool EitherOf()")
        .replace("Either();", "EitherOf();")
        .replace("this.Either())", "this.EitherOf())");
    let answer = Repository::history(&[&before, &after]).diff_context();
    let gone = |it: &&cortex_wire::RouteChange| it.what == cortex_wire::What::Removed;
    let routes = answer.routes.iter().filter(|it| !gone(it));
    let routes: Vec<&str> = routes.map(|it| it.handler.as_str()).collect();
    assert!(routes.is_empty(), "{routes:?}");
}
