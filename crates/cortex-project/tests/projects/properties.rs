//! Properties, conditions, imports and frameworks.

use crate::fixture::{app, notes, own_symbols, project, project_with, sources, usings};
use cortex_project::{EvaluationOptions, Nullable};

/// The value that `$(V)` has at the end of a project, seen through its symbols.
#[track_caller]
fn check_value(elements: &str, expected: &str) {
    let elements = format!(
        "{elements}<PropertyGroup><DefineConstants>V_$(V)</DefineConstants></PropertyGroup>"
    );
    let project = app(&elements, "");
    assert_eq!(
        own_symbols(&project),
        format!("DEBUG V_{expected}"),
        "{}",
        notes(&project)
    );
}

#[test]
fn the_last_assignment_whose_condition_holds_wins() {
    check_value(
        "<PropertyGroup><V>a</V><V>b</V><V Condition=\"'$(V)' == 'a'\">c</V></PropertyGroup>",
        "b",
    );
    check_value(
        "<PropertyGroup><V>a</V><v>$(V)$(v)</v></PropertyGroup>",
        "aa",
    );
    check_value(
        "<PropertyGroup Condition=\"false\"><V>a</V></PropertyGroup>",
        "",
    );
}

#[test]
fn choose_takes_the_first_branch_that_holds() {
    check_value(
        "<Choose><When Condition=\"'$(X)' != ''\"><PropertyGroup><V>a</V></PropertyGroup></When>
         <When Condition=\"true\"><PropertyGroup><V>b</V></PropertyGroup></When>
         <Otherwise><PropertyGroup><V>c</V></PropertyGroup></Otherwise></Choose>",
        "b",
    );
    check_value(
        "<Choose><When Condition=\"false\"/><Otherwise><PropertyGroup><V>c</V></PropertyGroup></Otherwise></Choose>",
        "c",
    );
}

#[test]
fn property_functions_chain() {
    check_value(
        "<PropertyGroup><V>$(MSBuildProjectName.ToUpper().Substring(1))</V></PropertyGroup>",
        "PP",
    );
    check_value(
        "<PropertyGroup><V>$([System.IO.Path]::GetFileName('$(MSBuildProjectDirectory)'))</V></PropertyGroup>",
        "App",
    );
    check_value(
        "<PropertyGroup><V>$([MSBuild]::Add($([System.Version]::Parse('4.1').Major), 1))</V></PropertyGroup>",
        "5",
    );
    check_value(
        "<PropertyGroup><X>a;b</X><V>$(X.Split(';')[1])</V></PropertyGroup>",
        "b",
    );
}

#[test]
fn what_is_not_understood_is_noted_with_file_and_line() {
    let project = app(
        "\n<PropertyGroup>\n<V Condition=\"'a' > 'b'\">1</V>\n<V>$([No]::Such())</V></PropertyGroup>",
        "",
    );
    assert_eq!(
        notes(&project),
        "App/App.csproj:4: condition not understood: 'a' > 'b'\n\
         App/App.csproj:5: expression not understood: $([No]::Such())"
    );
}

#[test]
fn the_nearest_directory_build_files_surround_the_project() {
    let text = "//- Directory.Build.props
<Project><PropertyGroup><A>outer</A></PropertyGroup></Project>
//- src/Directory.Build.props
<Project><Import Project=\"$([MSBuild]::GetPathOfFileAbove('Directory.Build.props', '$(MSBuildThisFileDirectory)../'))\"/>
<PropertyGroup><B>$(A)_inner</B></PropertyGroup></Project>
//- Directory.Build.targets
<Project><PropertyGroup><DefineConstants>$(DefineConstants);$(B);$(C);$(TargetFrameworkIdentifier.TrimStart('.'))</DefineConstants></PropertyGroup></Project>
//- src/App/App.csproj
<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net8.0</TargetFramework><C>project</C></PropertyGroup></Project>";
    let symbols = own_symbols(&project(text, "src/App/App.csproj"));
    assert_eq!(symbols, "DEBUG TRACE outer_inner project");
}

#[test]
fn the_framework_is_split_up_after_the_project_only() {
    let text = "//- Directory.Build.props
<Project><PropertyGroup><DefineConstants>P$(TargetFrameworkIdentifier)P</DefineConstants></PropertyGroup></Project>
//- Directory.Build.targets
<Project><PropertyGroup><DefineConstants>$(DefineConstants);T$(TargetFrameworkVersion.Replace('.', '_'))T</DefineConstants></PropertyGroup></Project>
//- A.csproj
<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup></Project>";
    assert_eq!(
        own_symbols(&project(text, "A.csproj")),
        "DEBUG PP TRACE Tv8_0T"
    );
}

#[test]
fn a_file_is_imported_once_and_cycles_end() {
    let text = "//- a.props
<Project><Import Project=\"b.props\"/><PropertyGroup><V>$(V)a</V></PropertyGroup></Project>
//- b.props
<Project><Import Project=\"a.props\"/><Import Project=\"*.props\"/><PropertyGroup><V>$(V)b</V></PropertyGroup></Project>
//- A.csproj
<Project Sdk=\"Microsoft.NET.Sdk\"><Import Project=\"a.props\"/><Import Project=\"A.csproj\"/>
<PropertyGroup><TargetFramework>net8.0</TargetFramework><DefineConstants>$(V)</DefineConstants></PropertyGroup></Project>";
    assert_eq!(own_symbols(&project(text, "A.csproj")), "DEBUG ba");
}

#[test]
fn an_import_that_is_missing_is_noted() {
    let project = app(
        "<Import Project=\"..\\gone.props\"/><Import Project=\"..\\..\\x.props\"/><Import Sdk=\"Some.Sdk\" Project=\"Sdk.props\"/>",
        "",
    );
    assert_eq!(
        notes(&project),
        "App/App.csproj:2: SDK is not in the repository: Some.Sdk\n\
         App/App.csproj:2: import is not in the repository: gone.props\n\
         App/App.csproj:2: import is outside of the repository: ..\\..\\x.props"
    );
}

#[test]
fn the_newest_framework_is_active_and_the_others_are_named() {
    let text = "//- A.csproj
<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFrameworks>net48;netstandard2.0;net8.0-windows;net8.0;net6.0</TargetFrameworks>
<DefineConstants Condition=\"'$(TargetFramework)' == 'net48'\">FORTY_EIGHT</DefineConstants></PropertyGroup></Project>";
    let newest = project(text, "A.csproj");
    assert_eq!(newest.tfm, "net8.0");
    assert_eq!(
        newest.other_tfms,
        ["net48", "netstandard2.0", "net8.0-windows", "net6.0"]
    );
    let options = EvaluationOptions {
        tfm: Some("NET48".to_owned()),
        ..EvaluationOptions::default()
    };
    let asked = project_with(text, "A.csproj", &options);
    assert_eq!(
        (&*asked.tfm, &*own_symbols(&asked).replace("TRACE", "")),
        ("net48", "DEBUG FORTY_EIGHT")
    );
    assert!(asked.symbols.contains(&"NET472_OR_GREATER".to_owned()));
}

#[test]
fn a_framework_that_a_missing_sdk_would_name_is_the_newest_known() {
    let text = "//- Directory.Build.props
<Project><Import Project=\"Sdk.props\" Sdk=\"Some.Sdk\"/><PropertyGroup><Default>$(Current)</Default></PropertyGroup></Project>
//- A.csproj
<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>$(Default)</TargetFramework>
<DefineConstants Condition=\"'$(TargetFramework)' == '$(Default)'\">SAME</DefineConstants></PropertyGroup></Project>
//- B.csproj
<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFrameworks>$(More);netstandard2.0</TargetFrameworks></PropertyGroup></Project>
//- C.csproj
<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFrameworks>netstandard2.0;$(Current)</TargetFrameworks></PropertyGroup></Project>
//- D.csproj
<Project Sdk=\"Microsoft.NET.Sdk\"/>";
    let project_at = |path| project(text, path);
    let a = project_at("A.csproj");
    assert_eq!((&*a.tfm, &*own_symbols(&a)), ("net10.0", "DEBUG SAME"));
    assert!(notes(&a).contains("A.csproj:1: `$(Current)` has no value, net10.0 is taken for it"));
    assert_eq!(project_at("C.csproj").tfm, "net10.0");
    assert!(notes(&project_at("D.csproj")).contains("no known target framework, net10.0 is taken"));
}

#[test]
fn a_list_that_may_add_frameworks_is_not_unknown() {
    let text = "//- A.csproj
<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFrameworks>$(More);netstandard2.0</TargetFrameworks></PropertyGroup></Project>";
    assert_eq!(project(text, "A.csproj").tfm, "netstandard2.0");
}

#[test]
fn names_default_to_the_file_name() {
    let defaults = project(
        "//- a/my-app.Core.csproj\n<Project Sdk=\"Microsoft.NET.Sdk\"/>",
        "a/my-app.Core.csproj",
    );
    assert_eq!(defaults.assembly, "my-app.Core");
    assert_eq!(defaults.root_namespace, "my_app.Core");
    let named = app(
        "<PropertyGroup><AssemblyName>N</AssemblyName><RootNamespace>$(AssemblyName).X</RootNamespace></PropertyGroup>",
        "",
    );
    assert_eq!((&*named.assembly, &*named.root_namespace), ("N", "N.X"));
}

/// What the compiler takes without `LangVersion`, as its documentation of language versions has it.
#[test]
fn a_framework_has_a_default_version_of_the_language() {
    let known = [
        ("net10.0", Some("14.0")),
        ("net9.0", Some("13.0")),
        ("net8.0-windows", Some("12.0")),
        ("net7.0", Some("11.0")),
        ("net6.0", Some("10.0")),
        ("net5.0", Some("9.0")),
        ("netcoreapp3.1", Some("8.0")),
        ("netstandard2.1", Some("8.0")),
        ("netcoreapp2.1", Some("7.3")),
        ("netcoreapp1.0", Some("7.3")),
        ("netstandard2.0", Some("7.3")),
        ("netstandard1.6", Some("7.3")),
        ("net481", Some("7.3")),
        ("net35", Some("7.3")),
        ("uap10.0", None),
        ("$(Unknown)tfm", None),
    ];
    for (tfm, version) in known {
        let mut project = app("", "");
        tfm.clone_into(&mut project.tfm);
        assert_eq!(project.effective_language_version(), version, "{tfm}");
        project.language_version = Some("latest".to_owned());
        assert_eq!(project.effective_language_version(), Some("latest"));
    }
}

#[test]
fn language_settings_are_as_written() {
    let project = app(
        "<PropertyGroup><LangVersion> latest </LangVersion><Nullable>Enable</Nullable></PropertyGroup>",
        "",
    );
    assert_eq!(project.language_version.as_deref(), Some("latest"));
    assert_eq!(project.nullable, Nullable::Enable);
    assert_eq!(app("", "").language_version, None);
    let allows = |value: &str| {
        app(
            &format!(
                "<PropertyGroup><AllowUnsafeBlocks>{value}</AllowUnsafeBlocks></PropertyGroup>"
            ),
            "",
        )
        .allows_unsafe
    };
    assert!(allows("True") && !allows("false") && !app("", "").allows_unsafe);
}

#[test]
fn symbols_can_be_turned_off() {
    let own = |elements: &str| {
        own_symbols(&app(
            &format!("<PropertyGroup>{elements}</PropertyGroup>"),
            "",
        ))
    };
    assert_eq!(own(""), "DEBUG TRACE");
    assert_eq!(
        own("<DisableImplicitConfigurationDefines>true</DisableImplicitConfigurationDefines>"),
        "TRACE"
    );
    assert_eq!(
        own("<DisableDiagnosticTracing>true</DisableDiagnosticTracing>"),
        "DEBUG"
    );
    assert_eq!(
        own("<DefineConstants>A,B;1X; C-D</DefineConstants>"),
        "A B DEBUG"
    );
    let bare = app(
        "<PropertyGroup><DisableImplicitFrameworkDefines>true</DisableImplicitFrameworkDefines></PropertyGroup>",
        "",
    );
    assert_eq!(bare.symbols, ["DEBUG", "TRACE"]);
}

#[test]
fn a_global_property_cannot_be_changed() {
    let options = EvaluationOptions {
        properties: vec![("V".to_owned(), "GLOBAL".to_owned())],
        configuration: "Release".to_owned(),
        ..EvaluationOptions::default()
    };
    let text = "//- A.csproj
<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net8.0</TargetFramework><V>x</V><Configuration>Debug</Configuration><DefineConstants>$(V)</DefineConstants></PropertyGroup></Project>";
    assert_eq!(
        own_symbols(&project_with(text, "A.csproj", &options)),
        "GLOBAL RELEASE"
    );
}

#[test]
fn implicit_usings_depend_on_the_sdk_and_the_framework() {
    let usings_of = |sdk: &str, tfm: &str, more: &str| {
        let text = format!(
            "//- A.csproj\n<Project Sdk=\"{sdk}\"><PropertyGroup><TargetFramework>{tfm}</TargetFramework>\
             <ImplicitUsings>enable</ImplicitUsings>{more}</PropertyGroup></Project>"
        );
        usings(&project(&text, "A.csproj"))
    };
    let plain = "System System.Collections.Generic System.IO System.Linq System.Net.Http System.Threading System.Threading.Tasks";
    assert_eq!(usings_of("Microsoft.NET.Sdk", "net8.0", ""), plain);
    assert_eq!(
        usings_of("Microsoft.NET.Sdk", "net48", ""),
        plain.replace("System.Net.Http ", "")
    );
    assert!(
        usings_of("Microsoft.NET.Sdk.Web", "net8.0", "").contains("Microsoft.AspNetCore.Routing")
    );
    assert!(
        usings_of("Microsoft.NET.Sdk.Worker", "net8.0", "")
            .contains("Microsoft.Extensions.Hosting")
    );
    assert!(
        usings_of("MSTest.Sdk/3.9.0", "net8.0", "")
            .contains("Microsoft.VisualStudio.TestTools.UnitTesting")
    );
    assert!(
        !usings_of(
            "Microsoft.NET.Sdk",
            "net8.0-windows",
            "<UseWPF>true</UseWPF>"
        )
        .contains("System.IO")
    );
    assert!(
        usings_of(
            "Microsoft.NET.Sdk",
            "net8.0-windows",
            "<UseWindowsForms>true</UseWindowsForms>"
        )
        .contains("System.Windows.Forms")
    );
}

#[test]
fn another_sdk_builds_upon_that_of_dotnet() {
    let text = "//- A.csproj x.cs\n<Project Sdk=\"Custom.Sdk/1.0\"><PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup></Project>";
    let project = project(text, "A.csproj");
    assert_eq!(sources(&project), "x.cs");
    assert_eq!(
        notes(&project),
        "A.csproj:1: SDK is not in the repository: Custom.Sdk/1.0"
    );
}

#[test]
fn the_solution_folder_is_that_of_the_nearest_solution() {
    let text = "//- All.sln
Project(\"{9A19103F-16F7-4668-BE54-9A1E7A4F7556}\") = \"A\", \"src\\A\\A.csproj\", \"{1}\"
//- src/Some.slnx
<Solution><Folder Name=\"/x/\"><Project Path=\"A/A.csproj\" /></Folder></Solution>
//- src/Common.props
<Project><PropertyGroup><DefineConstants>FOUND</DefineConstants></PropertyGroup></Project>
//- src/A/A.csproj
<Project Sdk=\"Microsoft.NET.Sdk\"><Import Project=\"$(SolutionDir)Common.props\"/></Project>";
    assert_eq!(own_symbols(&project(text, "src/A/A.csproj")), "DEBUG FOUND");
}
