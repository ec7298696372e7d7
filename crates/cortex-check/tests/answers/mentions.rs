//! Names outside of C#, and uses by role.

use cortex_check::{Repository, expect};
use cortex_wire::Role;

const WINDOW: &str = r#"
//- /src/Window.cs project:App
namespace Shop;

internal class Window
{
    private string _cipher = "";
    private void OnSubmit() { }
    private void OnCancel() { }
    private void Audit() { }
    internal void Run() { new Window()._cipher = nameof(Window._cipher); var x = new Window()._cipher; }
}
internal static class Program { internal static void Main() { new Window().Run(); } }
internal class UpperExtension { }
internal class Idle { }
//- /src/Window.axaml
<Window xmlns="https://github.com/avaloniaui" x:Class="Shop.Window">
  <Button Click="OnSubmit" Content="{local:Upper OnSubmit2}" />
</Window>
//- /db/Audit.sql
CREATE PROCEDURE [dbo].[Audit] @OnCancel2 INT AS SELECT 'größe', Audit
//- /build/Build.props
<Project><ItemGroup><None Include="Idle.cs" /></ItemGroup></Project>
//- /docs/readme.md
Audit and OnCancel
"#;

#[test]
fn names_outside_of_csharp_are_listed_as_possible() {
    let window = Repository::parse(WINDOW);
    window.check_mentions(
        "Window.OnSubmit",
        expect![[r#"
            src/Window.axaml:2:18 xaml
            NotKnown
            not searched: 1 md
        "#]],
    );
    window.check_mentions(
        "Window.Audit",
        expect![[r#"
            db/Audit.sql:1:25 sql
            db/Audit.sql:1:66 sql
            NotKnown
            not searched: 1 md
        "#]],
    );
}

#[test]
fn markup_may_leave_out_a_suffix_and_project_files_name_sources() {
    let window = Repository::parse(WINDOW);
    window.check_mentions(
        "UpperExtension",
        expect![[r#"
            src/Window.axaml:2:44 xaml
            NotKnown
            not searched: 1 md
        "#]],
    );
    window.check_mentions(
        "Idle",
        expect![[r#"
            None
            not searched: 1 md
        "#]],
    );
}

#[test]
fn what_markup_names_is_not_unused() {
    Repository::parse(WINDOW).check_unused(expect![[r#"
        Shop.Window.OnCancel()
        Shop.Window.Audit() mentions:2
        Shop.Idle
        Shop.Program EntryPoint 
        Shop.Window.OnSubmit() mentions:1 Markup src/Window.axaml:2
        Shop.UpperExtension mentions:1 Markup src/Window.axaml:2
    "#]]);
}

#[test]
fn uses_can_be_limited_to_roles() {
    let window = Repository::parse(WINDOW);
    window.check_usages_in_roles(
        "Window._cipher",
        &[Role::Write],
        expect![[r#"
        src/Window.cs:9:40 write exact in M:Shop.Window.Run
        found
    "#]],
    );
    window.check_usages_in_roles(
        "Window._cipher",
        &[Role::Read],
        expect![[r#"
        src/Window.cs:9:95 read exact in M:Shop.Window.Run
        found
    "#]],
    );
    window.check_usages_in_roles(
        "Window._cipher",
        &[Role::Nameof],
        expect![[r#"
        src/Window.cs:9:64 nameof exact in M:Shop.Window.Run
        found
    "#]],
    );
    window.check_usages_in_roles(
        "Window._cipher",
        &[Role::Call],
        expect![[r#"
        3 elsewhere
    "#]],
    );
}

/// A page with a model, and one with the same words for other things.
const PAGES: &str = "
//- /web/Paths.cs project:web/Web.csproj
namespace Shop;
public static class Paths { public static string[] All => new[] { \"a\" }; }
public class Page { public string Title => \"a\"; public string Other => \"b\"; }
public class Unrelated { public string Title => \"c\"; }
//- /web/Views/Index.cshtml
@model Shop.Page
<h1>@Model.Title</h1>
@foreach (var path in Paths.All) { <b>@path</b> }
<input asp-for=\"Title\" /> <p>Title</p>
//- /web/Views/Other.cshtml
@model Unrelated
<h1>@Model.Title @MorePaths.All Paths.AllOfThem</h1>
";

#[test]
fn lines_of_razor_that_name_what_changed_are_uses() {
    let after = PAGES
        .replace("{ \"a\" }", "{ \"a\", \"b\" }")
        .replace("Title => \"a\"", "Title => \"aa\"");
    let answer = Repository::history(&[PAGES, &after]).diff_context();
    let told: Vec<(String, usize, Vec<String>)> = (answer.impact.symbols.into_iter())
        .map(|symbol| {
            let uses = symbol.uses.iter();
            let uses = uses.map(|it| format!("{}:{} {:?}", it.path, it.at.line, it.certainty));
            (symbol.id, symbol.n_uses, uses.collect())
        })
        .collect();
    let lines = |lines: &[u32]| -> Vec<String> {
        let lines = lines.iter();
        lines
            .map(|line| format!("web/Views/Index.cshtml:{line} NameOnly"))
            .collect()
    };
    assert_eq!(
        told,
        [
            ("P:Shop.Page.Title".to_owned(), 2, lines(&[2, 4])),
            ("P:Shop.Paths.All".to_owned(), 1, lines(&[3])),
        ]
    );
}

#[test]
fn lines_of_razor_that_name_a_constant_which_changed_code_newly_names_are_told() {
    let fixture = "
//- /web/A.cs project:Web
public enum Right { Read, Edit }
public class Rights { public Right Own() => default; }
public class Other { bool Has(Right right) => right == Right.Edit; }
//- /web/Views/Edit.cshtml
@if (Has(Right.Edit)) { <b>Edit</b> }
<i>Right.Editor</i>
";
    let answer = Repository::edited(fixture, "=> default", "=> Right.Edit").diff_context();
    let [data] = &answer.impact.written_data[..] else {
        panic!("{:?}", answer.impact.written_data);
    };
    let readers = data.readers.iter();
    let readers = readers.map(|it| (it.path.as_str(), it.line));
    assert_eq!(
        Vec::from_iter(readers),
        [("web/A.cs", 3), ("web/Views/Edit.cshtml", 1)]
    );
}

#[test]
fn code_that_conditional_compilation_leaves_out_uses_what_nothing_else_does() {
    let fixture = "
//- /C.cs project:App
public static class Extensions { public static void AddOssServices(this object o) { } public static void AddOther(this object o) { } }
//- /U.cs project:App
public class Startup {
    public void Run(object o) {
#if OSS
        o.AddOssServices();
        o.AddOther();
#endif
        o.AddOther();
    }
}
";
    let after = fixture.replace("object o) { }", "object o) { return; }");
    let answer = Repository::history(&[fixture, &after]).diff_context();
    let told = answer.impact.symbols.iter().map(|it| {
        let uses = it.uses.iter().map(|used| (used.at.line, used.role));
        (
            it.member.clone().unwrap_or_default(),
            uses.collect::<Vec<_>>(),
        )
    });
    assert_eq!(
        told.collect::<Vec<_>>(),
        [
            ("AddOssServices".to_owned(), vec![(4, Role::Inactive)]),
            ("AddOther".to_owned(), vec![(7, Role::Call)]),
        ]
    );
}

#[test]
fn links_to_actions_of_other_types_are_no_mentions() {
    let fixture = "
//- /web/C.cs project:web/Web.csproj
public class RecipeBuilder { public string CreateOrder(int a) => \"a\"; }
//- /web/Views/Orders/Show.cshtml
<a asp-controller=\"Carts\" asp-action=\"CreateOrder\">other</a>
@Url.Action(\"CreateOrder\")
<b>CreateOrder</b>
";
    let after = fixture.replace("int a", "long a");
    let answer = Repository::history(&[fixture, &after]).diff_context();
    let told = answer.impact.symbols.iter().map(|it| {
        let lines = it.mentions.iter().map(|place| place.line);
        (it.n_mentions, lines.collect::<Vec<u32>>())
    });
    let told: Vec<_> = told.filter(|(n, _)| *n > 0).collect();
    assert_eq!(told, [(1, vec![3])]);
}

#[test]
fn links_of_pages_to_changed_actions_are_uses() {
    let fixture = "
//- /web/C.cs project:web/Web.csproj
public class OrdersController { public string Edit() => \"a\"; public string Show() => Edit(); }
public class CartsController { public string Edit() => \"c\"; }
//- /web/Views/Orders/Show.cshtml
<a asp-action=\"Edit\">own</a>
<a asp-controller=\"Carts\" asp-action=\"Edit\">other</a>
@Url.Action(\"Edit\")
@Url.Action(\"Edit\", \"Carts\")
//- /web/Views/Home/Index.cshtml
<a asp-action=\"Edit\">of home</a>
<a asp-controller=\"Orders\" asp-action=\"Edit\">it</a>
@Html.ActionLink(\"text\", \"Edit\", \"Orders\")
";
    let answer = Repository::edited(fixture, "\"a\"", "\"b\"").diff_context();
    let [symbol] = &answer.impact.symbols[..] else {
        panic!("{answer:?}");
    };
    let razor = symbol
        .uses
        .iter()
        .filter(|it| it.path.extension() == "cshtml");
    let lines: Vec<String> = razor
        .map(|it| format!("{}:{}", it.path, it.at.line))
        .collect();
    assert_eq!(
        lines,
        [
            "web/Views/Home/Index.cshtml:2",
            "web/Views/Home/Index.cshtml:3",
            "web/Views/Orders/Show.cshtml:1",
            "web/Views/Orders/Show.cshtml:3",
        ]
    );
}

#[test]
fn what_is_new_has_no_name_in_pages_that_did_not_change() {
    let new = ("b\"; }", "b\"; public static string Later => \"l\"; }");
    let page = PAGES.replace("Paths.All)", "Page.Later)");
    let n_uses = |after: &str| {
        let answer = Repository::history(&[&page, after]).diff_context();
        let symbols = answer.impact.symbols.iter();
        let later = symbols.filter(|it| it.id == "P:Shop.Page.Later");
        later.map(|it| it.n_uses).collect::<Vec<_>>()
    };
    let after = page.replace(new.0, new.1);
    assert_eq!(n_uses(&after), [0]);
    let after = after.replace("<b>@path</b>", "<i>@path</i>");
    assert_eq!(n_uses(&after), [1]);
}

#[test]
fn what_shows_a_changed_view_is_told() {
    let before = "
//- /web/C.cs project:web/Web.csproj
public class OrdersController {
    public object Index() => null;
    public object Edit(int id) => null;
}
//- /web/Views/Orders/Edit.cshtml
<partial name=\"_Total\" /> _Total
//- /web/Views/Orders/_Total.cshtml
<b>1</b>
//- /web/Views/Other.cshtml
@* _Total *@ @Html.Partial(\"~/Views/Orders/_Total.cshtml\") \"_Totals\"
<a asp-controller=\"Users\" asp-action=\"Edit\">\"_Total\"</a>
";
    let after = before
        .replace("<b>1</b>", "<b>2</b>")
        .replace("/> _Total", "/> <i/>");
    let answer = Repository::history(&[before, &after]).diff_context();
    let told: Vec<String> = (answer.impact.views.iter())
        .map(|view| {
            let places = view.shown_by.iter();
            let places = places.map(|it| format!("{}:{}", it.path, it.line));
            let places: Vec<String> = places.collect();
            format!("{} {}", view.path, places.join(" "))
        })
        .collect();
    assert_eq!(
        told,
        [
            "web/Views/Orders/Edit.cshtml web/C.cs:3",
            "web/Views/Orders/_Total.cshtml web/Views/Orders/Edit.cshtml:1 web/Views/Other.cshtml:1",
        ]
    );
}

#[test]
fn other_forms_of_a_changed_template_and_the_strings_that_name_it_are_told() {
    let files = "//- /Mails/WelcomeMail.html.hbs\n<p>{{Url}}</p>\n//- /Mails/WelcomeMail.text.hbs\n{{Url}}\n//- /Mails/OtherMail.html.hbs\n{{Url}}\n//- /App.cs\nclass Mailer {\n  void Send() => Text(\"Mails.WelcomeMail\");\n  void Text(string name) { }\n  string a = \"The WelcomeMail goes out\", b = \"WelcomeMails\";\n}\n//- /T.cs project:Tests packages:xunit\nclass T { [Xunit.Fact] public void t() { var x = \"Mails/WelcomeMail.html.hbs\"; } }\n";
    let answer = Repository::edited(files, "<p>", "<b>").diff_context();
    let file = &answer.files[0];
    assert_eq!(file.path.as_str(), "Mails/WelcomeMail.html.hbs");
    let beside: Vec<&str> = file.beside.iter().map(|it| it.as_str()).collect();
    assert_eq!(beside, ["Mails/WelcomeMail.text.hbs"]);
    let named: Vec<(u32, Option<&str>)> = (file.named_at.iter())
        .map(|it| (it.line, it.inside.as_deref()))
        .collect();
    assert_eq!(named, [(2, Some("M:Mailer.Send"))]);
}

#[test]
fn settings_of_other_programs_with_the_changed_section_are_told() {
    let settings = "{\n  \"Limits\": {\n    \"Rules\": [\n      { \"At\": \"a\" },\n      { \"At\": \"b\" }\n    ]\n  },\n  \"Other\": {\n    \"X\": 1\n  }\n}\n";
    let files = format!(
        "//- /A.cs\nclass A {{ }}\n//- /api/appsettings.json\n{settings}//- /web/appsettings.json\n{{\n  \"Rules\": []\n}}\n//- /job/appsettings.json\n{{\n  \"Other\": \"Rules\"\n}}\n//- /job/more.json\n{{\n  \"Rules\": []\n}}\n"
    );
    let same = |old: &str, new: &str| {
        let answer = Repository::edited(&files, old, new).diff_context();
        let same = answer.files[0].same_section.iter();
        same.map(|it| it.as_str().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        same("      { \"At\": \"b\" }\n", ""),
        ["web/appsettings.json"]
    );
    assert_eq!(same("\"X\": 1", "\"X\": 2"), ["job/appsettings.json"]);
    let packages = "//- /A.cs\nclass A { }\n//- /a/package.json\n{\n  \"scripts\": {\n    \"x\": 1\n  }\n}\n//- /b/package.json\n{\n  \"scripts\": {\n    \"y\": 2\n  }\n}\n";
    let answer = Repository::edited(packages, "\"x\": 1", "\"x\": 3").diff_context();
    assert!(answer.files[0].same_section.is_empty());
}

#[test]
fn builds_and_documents_that_name_a_changed_script_are_told() {
    let files = "//- /A.cs\nclass A { }\n//- /dev/make_specs.ps1\ndotnet build\n//- /.github/workflows/build.yml\nname: x\n  run: ./dev/make_specs.ps1\n  run: ./dev/remake_specs.ps1\n//- /README.md\nRun `make_specs.ps1`.\n//- /notes.txt\nmake_specs.ps1\n//- /Dockerfile\nCOPY make_specs.ps1 .\n";
    let answer = Repository::edited(files, "dotnet build", "dotnet test").diff_context();
    let named = answer.files[0].named_at.iter();
    let named: Vec<(&str, u32)> = named.map(|it| (it.path.as_str(), it.line)).collect();
    assert_eq!(
        named,
        [
            (".github/workflows/build.yml", 2),
            ("Dockerfile", 1),
            ("README.md", 1)
        ]
    );
}

#[test]
fn files_in_other_languages_that_are_called_like_a_changed_type_are_told() {
    let files = "//- /App.cs\nclass WelcomeView { public int A() => 1; }\nclass Other { int B() => 1; }\n//- /Mails/WelcomeView.html.hbs\n<p>\n//- /Mails/WelcomeViews.hbs\n<p>\n//- /db/WelcomeView.sql\nSELECT 1\n//- /Other.hbs\n<p>\n";
    let told = |old: &str| -> Vec<String> {
        let answer = Repository::edited(files, old, "2").diff_context();
        let told = answer.impact.files_of_name.into_iter();
        let told = told.flat_map(|it| {
            it.files
                .into_iter()
                .map(move |file| format!("{} {file}", it.ty))
        });
        told.collect()
    };
    assert_eq!(told("1"), ["WelcomeView Mails/WelcomeView.html.hbs"]);
}

#[test]
fn short_names_count_in_templates_alone() {
    let files = "//- /App.cs\nclass Mail { public string Url { get; } = \"1\"; public string Uri { get; } = \"2\"; }\n//- /Mail.hbs\n{{Url}}\n//- /a.json\n{ \"Url\": 1, \"Uri\": 2 }\n";
    let mentions = |old: &str, new: &str| -> Vec<(String, usize)> {
        let symbols = Repository::edited(files, old, new)
            .diff_context()
            .impact
            .symbols;
        let symbols = symbols.into_iter().filter(|it| it.member.is_some());
        symbols.map(|it| (it.id, it.n_mentions)).collect()
    };
    assert_eq!(mentions("\"1\"", "\"3\""), [("P:Mail.Url".to_owned(), 1)]);
    assert_eq!(mentions("\"2\"", "\"3\""), [("P:Mail.Uri".to_owned(), 0)]);
}
