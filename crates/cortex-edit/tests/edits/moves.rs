//! Types that go to other namespaces and files.

use cortex_edit::{Edit, EditError, MoveType, op::Op};
use cortex_wire::EditVerdict;

use crate::world::World;

fn moved(
    world: &World,
    symbol: &str,
    namespace: Option<&str>,
    to: Option<&str>,
) -> Result<Op, EditError> {
    let request = MoveType {
        symbol,
        namespace,
        to,
    };
    world.one(&Edit::Move(request))
}

/// The files once `Old.Order` is in `New`, proven.
#[track_caller]
fn after(fixture: &str) -> impl Fn(&str) -> String {
    let world = World::new(fixture);
    let before = world.files();
    let mut op = moved(&world, "Old.Order", Some("New"), None).expect("it can be planned");
    assert_eq!(op.answer.verdict, EditVerdict::Proven, "{:#?}", op.answer);
    world.apply(&mut op).expect("it can be applied");
    let files = world.files();
    assert_eq!(world.root(), world.root_from_nothing());
    world.undo(&mut op).expect("it can be undone");
    assert_eq!(world.files(), before);
    move |path| String::from_utf8_lossy(&files[path]).into_owned()
}

#[test]
fn code_that_names_a_type_imports_its_new_namespace_and_qualified_names_follow() {
    let after = after(
        "//- /Order.cs\nnamespace Old;\n\npublic class Order { public Line First; public static int Count; }\n\
         //- /Line.cs\nnamespace Old;\n\npublic class Line { Order order; }\n\
         //- /Use.cs\nusing System;\nusing Old;\n\nclass Use { Order a; Line b; Old.Order c; global::Old.Order d; int N => Old.Order.Count; }\n\
         //- /Below.cs\nnamespace New.Below\n{\n    class Below { Old.Order a; }\n}\n\
         //- /Alias.cs\nusing O = Old.Order;\nusing static Old.Order;\n\nclass Alias { O o; int N => Count; }\n\
         //- /Doc.cs\n/// <see cref=\"Old.Order\"/>\nclass Doc { }\n",
    );
    assert_eq!(
        after("Order.cs"),
        "using Old;\n\nnamespace New;\n\npublic class Order { public Line First; public static int Count; }\n"
    );
    assert_eq!(
        after("Line.cs"),
        "using New;\n\nnamespace Old;\n\npublic class Line { Order order; }\n"
    );
    assert_eq!(
        after("Use.cs"),
        "using System;\nusing New;\nusing Old;\n\nclass Use { Order a; Line b; New.Order c; global::New.Order d; int N => New.Order.Count; }\n"
    );
    assert_eq!(
        after("Below.cs"),
        "namespace New.Below\n{\n    class Below { New.Order a; }\n}\n"
    );
    assert_eq!(
        after("Alias.cs"),
        "using O = New.Order;\nusing static New.Order;\n\nclass Alias { O o; int N => Count; }\n"
    );
    assert_eq!(
        after("Doc.cs"),
        "/// <see cref=\"New.Order\"/>\nclass Doc { }\n"
    );
}

#[test]
fn extensions_and_a_namespace_that_goes_with_its_last_type() {
    let after = after(
        "//- /Order.cs\nnamespace Old\n{\n    public static class Order { public static int Twice(this int it) => it * 2; }\n}\n\
         //- /Use.cs\nusing Old;\n\nclass Use { int N => 2.Twice(); }\n\
         //- /Only.cs\nusing Old;\n\nclass Only { }\n",
    );
    assert_eq!(
        after("Use.cs"),
        "using New;\n\nclass Use { int N => 2.Twice(); }\n"
    );
    assert_eq!(after("Only.cs"), "\nclass Only { }\n");
}

#[test]
fn what_would_mean_something_else_is_told() {
    let world = World::new(
        "//- /Order.cs\nnamespace Old;\npublic class Order { }\n\
         //- /Other.cs\nnamespace Third;\npublic class Thing { }\n\
         //- /Thing.cs\nnamespace New;\npublic class Thing { }\n\
         //- /Use.cs\nusing Old;\nusing Third;\n\nclass Use { Order a; Thing b; }\n",
    );
    let op = moved(&world, "Order", Some("New"), None).expect("it can be planned");
    assert_eq!(op.answer.verdict, EditVerdict::ChangedMeaning);
}

#[test]
fn a_file_goes_to_a_folder_and_what_cannot_move_is_refused() {
    let world = World::new(
        "//- /Order.cs\nnamespace Old;\npublic class Order { class Inside { } void M() { } }\n\
         //- /Two.cs\nnamespace Old;\npublic class One { }\npublic class Two { }\n\
         //- /None.cs\nclass None { }\n\
         //- /sub/There.cs\nnamespace Old;\npublic class There { }\n",
    );
    let before = world.files();
    let mut op = moved(&world, "Order", Some("Old.Sub"), Some("sub/")).expect("it can be planned");
    assert_eq!(op.answer.verdict, EditVerdict::Proven, "{:#?}", op.answer);
    world.apply(&mut op).expect("it can be applied");
    let text = String::from_utf8_lossy(&world.files()["sub/Order.cs"]).into_owned();
    assert!(text.starts_with("namespace Old.Sub;\n"), "{text}");
    world.undo(&mut op).expect("it can be undone");
    assert_eq!(world.files(), before);
    for (symbol, namespace, to, reason) in [
        ("Two", Some("New"), None, "declares `One` as well"),
        ("Order.Inside", Some("New"), None, "inside of another type"),
        ("Order.M", Some("New"), None, "is a member"),
        ("None", Some("New"), None, "in no namespace"),
        ("Order", Some("a-b"), None, "letters, digits"),
        ("Order", None, Some("sub/There.cs"), "there already"),
        ("Order", None, Some("sub/Order.txt"), "no C# file"),
        ("Order", None, Some("../Order.cs"), ""),
        ("Order", Some("Old"), None, "would change nothing"),
    ] {
        let error = moved(&world, symbol, namespace, to).expect_err("it is refused");
        assert!(error.to_string().contains(reason), "{symbol}: {error}");
    }
}

/// A library, an application that references it, and a test project that references the application.
fn projects(library: &str, application: &str, tests: &str, friends: &str) -> World {
    let world = World::new(&format!(
        "//- /Lib/L.cs project:Lib\n{library}\n//- /App/A.cs project:App\n{application}\n//- /Tests/T.cs project:Tests\n{tests}\n"
    ));
    let text = |references: &str| {
        format!(
            "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup><ItemGroup>{references}</ItemGroup></Project>"
        )
    };
    let reference =
        |name: &str| format!("<ProjectReference Include=\"../{name}/{name}.csproj\" />");
    for path in world.files().keys().filter(|it| it.ends_with(".csproj")) {
        std::fs::remove_file(world.work().join(path)).expect("it is there");
    }
    for (name, references) in [
        ("Lib", String::new()),
        ("App", reference("Lib") + friends),
        ("Tests", reference("App")),
    ] {
        let path = world.work().join(name).join(format!("{name}.csproj"));
        std::fs::write(path, text(&references)).expect("its folder is there");
    }
    world
}

#[test]
fn a_type_goes_to_another_project_that_its_users_see() {
    let world = projects(
        "namespace N;\npublic class Line { }",
        "using N;\nnamespace M;\npublic class Order { public Line First; public int Count; }",
        "using M;\nclass Test { int X(Order order) => order.Count; Order Y() => new Order(); }",
        "",
    );
    std::fs::write(
        world.work().join("App/Use.cs"),
        "namespace M; class Use { Order o; }",
    )
    .expect("it is a file");
    let before = world.files();
    let mut op = moved(&world, "Order", None, Some("Lib/Order.cs")).expect("it can be planned");
    assert_eq!(op.answer.verdict, EditVerdict::Proven, "{:#?}", op.answer);
    world.apply(&mut op).expect("it can be applied");
    assert!(world.files().contains_key("Lib/Order.cs"));
    assert_eq!(world.root(), world.root_from_nothing());
    world.undo(&mut op).expect("it can be undone");
    assert_eq!(world.files(), before);
}

#[test]
fn projects_that_do_not_see_each_other_are_named() {
    let refusal = |world: &World, symbol: &str, to: &str| match moved(world, symbol, None, Some(to))
    {
        Ok(op) => panic!("{symbol} is planned: {:#?}", op.answer),
        Err(EditError::Refused { reason, help, .. }) => format!("{reason}; {}", help.join(" ")),
        Err(error) => panic!("{symbol}: {error:?}"),
    };
    let app = "namespace M;\npublic class Order { N.Line Line; Near near; }\n";
    let world = projects(
        "namespace N;\npublic class Line { }",
        app,
        "class Test { M.Order o; }",
        "",
    );
    std::fs::write(
        world.work().join("App/Near.cs"),
        "namespace M; public class Near { }",
    )
    .expect("it is a file");
    for (symbol, to, reason) in [
        (
            "Order",
            "Lib/O.cs",
            "`Lib/Lib.csproj` does not reference `App/App.csproj`, which has `Near`; add the reference, or change first: App/A.cs:2",
        ),
        (
            "Line",
            "Tests/L.cs",
            "`App/App.csproj` uses it, and does not reference `Tests/Tests.csproj`; add the reference, or change first: App/A.cs:2",
        ),
    ] {
        let found = refusal(&world, symbol, to);
        assert!(found.contains(reason), "{found}");
    }
    let friends = "<InternalsVisibleTo Include=\"Tests\" />";
    let app = "namespace M;\nclass Order { internal int X; }\n";
    let world = projects(
        "namespace N;\npublic class Line { }",
        app,
        "class Test { int M(M.Order o) => o.X; }",
        friends,
    );
    let found = refusal(&world, "Order", "Lib/O.cs");
    let reason = "`Tests/Tests.csproj` uses what is internal in it, and does not see internals of `Lib/Lib.csproj`";
    assert!(found.contains(reason), "{found}");
}

#[test]
fn a_type_beside_others_goes_alone_to_a_file_of_its_own() {
    let world = World::new(
        "//- /src/A.cs\n// The license.\nusing System;\nusing System.Collections.Generic;\n\nnamespace N;\n\npublic class One\n{\n    public List<int> All;\n    Two two;\n}\n\n\
         // Why it is there.\n/// <summary>See <see cref=\"One\"/>.</summary>\n[Obsolete]\npublic class Two\n{\n    public One One;\n    static int n;\n    int N() => n;\n}\n\nenum Three { A }\n\
         //- /src/B.cs\nusing N;\nclass Use { Two two; }\n",
    );
    let world = world.with_globs();
    let before = world.files();
    let mut op = moved(&world, "N.Two", None, Some("src/parts/Two.cs")).expect("it is planned");
    assert_eq!(op.answer.verdict, EditVerdict::Proven, "{:#?}", op.answer);
    world.apply(&mut op).expect("it can be applied");
    let files = world.files();
    let text = |path: &str| String::from_utf8_lossy(&files[path]).into_owned();
    assert_eq!(
        text("src/parts/Two.cs"),
        "// The license.\n\nusing System;\n\nnamespace N;\n\n// Why it is there.\n/// <summary>See <see cref=\"One\"/>.</summary>\n[Obsolete]\npublic class Two\n{\n    public One One;\n    static int n;\n    int N() => n;\n}\n"
    );
    assert_eq!(
        text("src/A.cs"),
        "// The license.\nusing System;\nusing System.Collections.Generic;\n\nnamespace N;\n\npublic class One\n{\n    public List<int> All;\n    Two two;\n}\n\nenum Three { A }\n"
    );
    assert_eq!(world.root(), world.root_from_nothing());
    world.undo(&mut op).expect("it can be undone");
    assert_eq!(world.files(), before);
    let op = moved(&world, "N.Three", None, Some("src/")).expect("it is planned");
    assert!(
        op.answer
            .files
            .iter()
            .any(|it| it.file.as_str() == "src/Three.cs")
    );
    assert_eq!(op.answer.verdict, EditVerdict::Proven, "{:#?}", op.answer);
}

#[test]
fn a_namespace_has_no_name_of_a_type() {
    let world = World::new(
        "//- /A.cs\nnamespace N;\npublic interface I { }\n//- /B.cs\nnamespace M;\npublic class Bar { }\n",
    );
    for namespace in ["M.Bar", "M.Bar.Deep"] {
        let Err(EditError::Refused { reason, .. }) = moved(&world, "N.I", Some(namespace), None)
        else {
            panic!("{namespace} is a type");
        };
        assert_eq!(
            reason,
            "`M.Bar` is a type, and would be a namespace as well"
        );
    }
}

#[test]
fn a_type_does_not_go_where_one_of_its_name_is() {
    for [head, other] in [
        ["partial class A", "partial class A"],
        ["partial class A", "class A"],
        ["class A", "class A"],
        ["class A", "interface A"],
    ] {
        let world = World::new(&format!(
            "//- /A.cs\nnamespace N;\n{head} {{ }}\n//- /B.cs\nnamespace M;\n{other} {{ }}\nclass A<T> {{ }}\n//- /C.cs\nnamespace O;\nclass A<T> {{ }}\n",
        ));
        let Err(EditError::Refused { reason, .. }) = moved(&world, "N.A", Some("M"), None) else {
            panic!("{head} would be beside {other}");
        };
        assert_eq!(reason, "`M.A` is there already");
        let op = moved(&world, "N.A", Some("O"), None).expect("it is planned");
        assert_eq!(op.answer.verdict, EditVerdict::Proven, "{:#?}", op.answer);
    }
}

#[test]
fn a_type_in_blocks_of_namespaces_keeps_its_indentation_in_its_own_file() {
    let world = World::new(
        "//- /A.cs\nnamespace Outer\n{\n    namespace Inner\n    {\n        class One { }\n\n        class Two\n        {\n            One one;\n        }\n    }\n}\n",
    );
    let refused = moved(&world, "Two", None, Some("Two.cs"));
    let Err(EditError::Refused { reason, .. }) = refused else {
        panic!("a project that lists its files would not compile it");
    };
    assert!(reason.ends_with("would not compile `Two.cs`"), "{reason}");
    let world = world.with_globs();
    let mut op = moved(&world, "Two", None, Some("Two.cs")).expect("it is planned");
    assert_eq!(op.answer.verdict, EditVerdict::Proven, "{:#?}", op.answer);
    world.apply(&mut op).expect("it can be applied");
    let files = world.files();
    let text = |path: &str| String::from_utf8_lossy(&files[path]).into_owned();
    assert_eq!(
        text("Two.cs"),
        "namespace Outer\n{\n    namespace Inner\n    {\n        class Two\n        {\n            One one;\n        }\n    }\n}\n"
    );
    assert_eq!(
        text("A.cs"),
        "namespace Outer\n{\n    namespace Inner\n    {\n        class One { }\n    }\n}\n"
    );
}
