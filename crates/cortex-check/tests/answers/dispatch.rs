//! Which implementations a call may run: the constructed type of what it is called on decides.

use cortex_check::{Family, Repository, Service, expect, json};

const STORES: &str = r#"
//- /src/Stores.cs project:App
namespace Shop;

internal class Thing { }
internal class Order : Thing { }
internal class User : Thing { }

internal interface IStore<T> where T : Thing { void Delete(T value); }
internal interface ISource<out T> { T Take(); }
internal interface IOrders : IStore<Order> { }
internal interface IUsers : IStore<User> { }

internal abstract class Store<T> : IStore<T> where T : Thing
{
    public virtual void Delete(T value) { }
}

internal class Orders : Store<Order>, IOrders, ISource<Order>
{
    public override void Delete(Order value) { }
    public Order Take() => null;
}

internal class Users : Store<User>, IUsers
{
    public override void Delete(User value) { }
}

internal class Any<T> : IStore<T> where T : Thing
{
    void IStore<T>.Delete(T value) { }
    public virtual void Keep(T value) { }
}

internal class Calls
{
    void Named(IOrders orders) => orders.Delete(null);
    void Other(IUsers users) => users.Delete(null);
    void Constructed(IStore<Order> orders) => orders.Delete(null);
    void OtherConstructed(IStore<User> users) => users.Delete(null);
    void Open<T>(IStore<T> any) where T : Thing => any.Delete(null);
    void Base(Store<Order> orders) => orders.Delete(null);
    void OtherBase(Store<User> users) => users?.Delete(null);
    void Variant(ISource<Thing> things) => things.Take();
    void OtherVariant(ISource<User> users) => users.Take();
}
"#;

#[test]
fn uses_through_a_constructed_interface_are_of_implementations_that_can_be_it() {
    Repository::parse(STORES).check_family_usages("Orders.Delete", expect![[r#"
        src/Stores.cs:36:42 call exact in M:Shop.Calls.Named(Shop.IOrders) via implemented M:Shop.IStore`1.Delete(`0)
        src/Stores.cs:38:54 call exact in M:Shop.Calls.Constructed(Shop.IStore{Shop.Order}) via implemented M:Shop.IStore`1.Delete(`0)
        src/Stores.cs:40:56 call exact in M:Shop.Calls.Open``1(Shop.IStore{``0}) via implemented M:Shop.IStore`1.Delete(`0)
        src/Stores.cs:41:46 call exact in M:Shop.Calls.Base(Shop.Store{Shop.Order}) via overridden M:Shop.Store`1.Delete(`0)
        found
    "#]]);
}

#[test]
fn an_open_implementation_can_be_any_constructed_interface() {
    Repository::parse(STORES).check_family_usages("Any`1.Delete", expect![[r#"
        src/Stores.cs:38:54 call exact in M:Shop.Calls.Constructed(Shop.IStore{Shop.Order}) via implemented M:Shop.IStore`1.Delete(`0)
        src/Stores.cs:39:56 call exact in M:Shop.Calls.OtherConstructed(Shop.IStore{Shop.User}) via implemented M:Shop.IStore`1.Delete(`0)
        src/Stores.cs:40:56 call exact in M:Shop.Calls.Open``1(Shop.IStore{``0}) via implemented M:Shop.IStore`1.Delete(`0)
        found
    "#]]);
}

#[test]
fn variance_lets_an_argument_stand_for_its_bases() {
    Repository::parse(STORES).check_family_usages("Orders.Take", expect![[r#"
        src/Stores.cs:43:51 call exact in M:Shop.Calls.Variant(Shop.ISource{Shop.Thing}) via implemented M:Shop.ISource`1.Take
        found
    "#]]);
}

#[test]
fn callers_through_an_interface_are_those_of_its_own_arguments() {
    Repository::parse(STORES).check_callers(
        "Users.Delete",
        1,
        Family::WithOverrides,
        expect![[r#"
        1 M:Shop.Calls.Open``1(Shop.IStore{``0})
        1 M:Shop.Calls.Other(Shop.IUsers)
        1 M:Shop.Calls.OtherBase(Shop.Store{Shop.User})
        1 M:Shop.Calls.OtherConstructed(Shop.IStore{Shop.User})
    "#]],
    );
}

#[test]
fn calls_of_base_run_that_base_and_calls_without_a_receiver_the_type_around_them() {
    let shapes = Repository::parse(
        "
//- /src/Shapes.cs project:App
namespace Draw;

internal class Shape { internal virtual void Paint() { } internal virtual void Fill() => Paint(); }
internal class Round : Shape { internal void Turn() => Paint(); }
internal class Circle : Round { internal override void Paint() => base.Paint(); }
internal class Square : Shape { internal override void Paint() { base.Paint(); base.Fill(); } internal void Grow() => this.Paint(); }
",
    );
    shapes.check_family_usages(
        "Square.Paint",
        expect![[r#"
        src/Shapes.cs:3:90 call exact in M:Draw.Shape.Fill via overridden M:Draw.Shape.Paint
        src/Shapes.cs:6:124 call exact in M:Draw.Square.Grow
        found
    "#]],
    );
    shapes.check_family_usages(
        "Circle.Paint",
        expect![[r#"
        src/Shapes.cs:3:90 call exact in M:Draw.Shape.Fill via overridden M:Draw.Shape.Paint
        src/Shapes.cs:4:56 call exact in M:Draw.Round.Turn via overridden M:Draw.Shape.Paint
        found
    "#]],
    );
    shapes.check_family_usages(
        "Shape.Paint",
        expect![[r#"
        src/Shapes.cs:3:90 call exact in M:Draw.Shape.Fill
        src/Shapes.cs:4:56 call exact in M:Draw.Round.Turn
        src/Shapes.cs:5:72 call exact in M:Draw.Circle.Paint
        src/Shapes.cs:6:71 call exact in M:Draw.Square.Paint
        src/Shapes.cs:6:124 call exact in M:Draw.Square.Grow via override M:Draw.Square.Paint
        found
    "#]],
    );
}

#[test]
fn uses_through_what_a_member_implements_are_told_with_their_number() {
    let stores = Service::parse(STORES);
    let found = stores.answer("usages", json!({"symbol": "Users.Delete"}));
    assert_eq!(found["verdict"], "not-known", "{found}");
    let through = &found["through"];
    assert_eq!(through.as_array().map(Vec::len), Some(2), "{through}");
    let told: Vec<_> = (through.as_array().into_iter().flatten())
        .map(|it| (it["docId"].as_str(), it["total"].as_u64()))
        .collect();
    assert!(
        told.contains(&(Some("M:Shop.IStore`1.Delete(`0)"), Some(3))),
        "{through}"
    );
    assert!(
        told.contains(&(Some("M:Shop.Store`1.Delete(`0)"), Some(1))),
        "{through}"
    );
    let callers = stores.answer("callers", json!({"symbol": "Users.Delete"}));
    assert_eq!(callers["through"], *through);
    let all = stores.answer(
        "usages",
        json!({"symbol": "Users.Delete", "withOverrides": true}),
    );
    assert_eq!(all["total"], 4, "{all}");
    assert_eq!(all["through"], json!(null), "{all}");
    let of_contract = stores.answer("usages", json!({"symbol": "IStore`1.Delete"}));
    assert_eq!(of_contract["through"], json!(null), "{of_contract}");
}
