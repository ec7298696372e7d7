//! Items: sources, usings, references, packages, grants.

use crate::fixture::{Tree, app, notes, packages, project, sources, usings};
use cortex_model::RepoPath;
use cortex_project::{LOOSE, loose};

const FILES: &str = "//- App/a.cs App/b/c.cs App/b/d.CS App/x.txt App/bin/e.cs App/obj/f.cs App/.git/g.cs \
                     App/Nested/Nested.csproj App/Nested/h.cs Shared/s.cs Shared/t/u.cs\n";

#[track_caller]
fn check_sources(elements: &str, expected: &str) {
    let project = app(elements, FILES);
    assert_eq!(sources(&project), expected, "{}", notes(&project));
}

#[test]
fn all_csharp_files_below_the_project_but_output_and_dotted_folders_are_compiled() {
    // A project in a nested folder takes nothing from the outer one.
    check_sources("", "App/Nested/h.cs App/a.cs App/b/c.cs App/b/d.CS");
    check_sources(
        "<PropertyGroup><EnableDefaultCompileItems>false</EnableDefaultCompileItems></PropertyGroup>",
        "",
    );
    check_sources(
        "<PropertyGroup><EnableDefaultItems>FALSE</EnableDefaultItems></PropertyGroup>",
        "",
    );
    check_sources(
        "<PropertyGroup><DefaultItemExcludes>$(DefaultItemExcludes);Nested/**;**/c.*</DefaultItemExcludes></PropertyGroup>",
        "App/a.cs App/b/d.CS",
    );
    check_sources(
        "<PropertyGroup><BaseIntermediateOutputPath>../o/</BaseIntermediateOutputPath></PropertyGroup>",
        "App/Nested/h.cs App/a.cs App/b/c.cs App/b/d.CS App/obj/f.cs",
    );
}

#[test]
fn an_output_folder_that_is_the_project_folder_leaves_its_files() {
    check_sources(
        "<PropertyGroup><BaseOutputPath>.\\</BaseOutputPath></PropertyGroup>",
        "App/Nested/h.cs App/a.cs App/b/c.cs App/b/d.CS App/bin/e.cs",
    );
}

#[test]
fn compile_items_are_included_excluded_and_removed_in_order() {
    let off = "<PropertyGroup><EnableDefaultItems>false</EnableDefaultItems></PropertyGroup>";
    let with = |items: &str| format!("{off}<ItemGroup>{items}</ItemGroup>");
    check_sources(
        &with(r#"<Compile Include="a.cs;b\*.cs" Exclude="b\d.cs"/>"#),
        "App/a.cs App/b/c.cs",
    );
    check_sources(
        &with(r#"<Compile Include="**/*.cs"/><Compile Remove="b/**;Nested\h.cs"/>"#),
        "App/.git/g.cs App/a.cs App/bin/e.cs App/obj/f.cs",
    );
    check_sources(
        &with(r#"<Compile Remove="a.cs"/><Compile Include="a.cs"/>"#),
        "App/a.cs",
    );
    check_sources(
        &with(r#"<Compile Include="..\Shared\**\*.cs" Link="%(RecursiveDir)x.cs"/>"#),
        "Shared/s.cs Shared/t/u.cs",
    );
    check_sources(
        &with(r#"<Compile Include="$(MSBuildThisFileDirectory)../Shared/S.cs"/>"#),
        "Shared/s.cs",
    );
    check_sources(
        &with(r#"<Mine Include="a.cs"/><Mine Include="b/c.cs"/><Compile Include="@(Mine)"/>"#),
        "App/a.cs App/b/c.cs",
    );
    check_sources(
        &with(
            r#"<Mine Include="b/c.txt"/><Compile Include="@(Mine->'%(RelativeDir)%(Filename).cs')"/>"#,
        ),
        "App/b/c.cs",
    );
    check_sources(
        &with(
            r#"<Mine Include="b/*.cs"/><Compile Include="**/*.cs" Exclude="@(Mine);bin/**;obj/**;.git/**;Nested/**"/>"#,
        ),
        "App/a.cs",
    );
    check_sources(
        &with(
            r#"<Compile Include="a.cs" Condition="'@(Compile)' == ''"/><Compile Include="b/c.cs" Condition="'@(Compile)' == ''"/>"#,
        ),
        "App/a.cs",
    );
}

#[test]
fn items_see_the_final_values_of_properties() {
    check_sources(
        "<ItemGroup><Compile Remove=\"$(Late)\"/></ItemGroup><PropertyGroup><Late>b/**;Nested/**</Late></PropertyGroup>",
        "App/a.cs",
    );
}

#[test]
fn a_shared_project_adds_its_files_to_those_who_import_it() {
    let others = "//- Shared/Shared.projitems
<Project><ItemGroup><Compile Include=\"$(MSBuildThisFileDirectory)s.cs\"/></ItemGroup></Project>
//- Shared/s.cs Shared/not.cs Shared/Shared.shproj
";
    let project = app(
        "<Import Project=\"..\\Shared\\Shared.projitems\" Label=\"Shared\"/>",
        others,
    );
    assert_eq!(sources(&project), "Shared/s.cs");
}

#[test]
fn a_project_without_an_sdk_lists_everything_itself() {
    let text = "//- App/App.csproj
<?xml version=\"1.0\" encoding=\"utf-8\"?>
<Project ToolsVersion=\"15.0\" xmlns=\"http://schemas.microsoft.com/developer/msbuild/2003\">
  <Import Project=\"$(MSBuildExtensionsPath)\\$(MSBuildToolsVersion)\\Microsoft.Common.props\" Condition=\"Exists('$(MSBuildExtensionsPath)\\$(MSBuildToolsVersion)\\Microsoft.Common.props')\" />
  <PropertyGroup>
    <Configuration Condition=\" '$(Configuration)' == '' \">Debug</Configuration>
    <Platform Condition=\" '$(Platform)' == '' \">AnyCPU</Platform>
    <TargetFrameworkVersion>v4.7.2</TargetFrameworkVersion>
    <AssemblyName>Old</AssemblyName>
  </PropertyGroup>
  <PropertyGroup Condition=\" '$(Configuration)|$(Platform)' == 'Debug|AnyCPU' \"><DefineConstants>DEBUG;TRACE;OLD</DefineConstants></PropertyGroup>
  <ItemGroup><Compile Include=\"a.cs\" /><Compile Include=\"Properties\\AssemblyInfo.cs\" /></ItemGroup>
  <ItemGroup><ProjectReference Include=\"..\\B\\B.csproj\"><Project>{1}</Project><Name>B</Name></ProjectReference></ItemGroup>
  <Import Project=\"$(MSBuildToolsPath)\\Microsoft.CSharp.targets\" />
</Project>
//- App/packages.config
<packages><package id=\"Newtonsoft.Json\" version=\"13.0.1\" targetFramework=\"net472\" /></packages>
//- App/a.cs App/b.cs App/Properties/AssemblyInfo.cs
//- Directory.Build.targets
<Project><PropertyGroup><DefineConstants>$(DefineConstants);LATE</DefineConstants></PropertyGroup></Project>
//- B/B.csproj
<Project Sdk=\"Microsoft.NET.Sdk\"><ItemGroup><ProjectReference Include=\"../C/C.csproj\"/></ItemGroup></Project>
//- C/C.csproj
<Project Sdk=\"Microsoft.NET.Sdk\"/>";
    let project = project(text, "App/App.csproj");
    assert_eq!(sources(&project), "App/Properties/AssemblyInfo.cs App/a.cs");
    assert_eq!((&*project.tfm, &*project.assembly), ("net472", "Old"));
    assert_eq!(project.symbols, ["DEBUG", "LATE", "OLD", "TRACE"]);
    assert_eq!(packages(&project), "Newtonsoft.Json@13.0.1");
    assert_eq!(project.all_references, [RepoPath::from("B/B.csproj")]);
    assert_eq!(notes(&project), "");
}

#[test]
fn usings_are_items() {
    let project = app(
        r#"<PropertyGroup><ImplicitUsings>true</ImplicitUsings></PropertyGroup>
<ItemGroup><Using Include="A;B"/><Using Include="M" Static="true"/><Using Include="X.Y" Alias="Z"/>
<Using Remove="system.net.http;System.IO;System.Linq;System.Threading;System.Threading.Tasks;A"/></ItemGroup>"#,
        "",
    );
    assert_eq!(
        usings(&project),
        "B System System.Collections.Generic static:M Z=X.Y"
    );
}

#[test]
fn tunit_brings_usings_with_its_package() {
    let project = app(
        r#"<ItemGroup><PackageReference Include="TUnit" Version="1"/></ItemGroup>"#,
        "",
    );
    assert_eq!(
        usings(&project),
        "TUnit.Assertions TUnit.Assertions.Extensions TUnit.Core static:TUnit.Core.HookType"
    );
    let xunit = app(
        r#"<ItemGroup><PackageReference Include="xunit.v3" Version="1"/></ItemGroup>"#,
        "",
    );
    assert_eq!(usings(&xunit), "");
}

#[test]
fn central_versions_are_overridden_by_a_reference() {
    let others = "//- Directory.Packages.props
<Project><PropertyGroup><ManagePackageVersionsCentrally>true</ManagePackageVersionsCentrally></PropertyGroup>
<ItemGroup><PackageVersion Include=\"A\" Version=\"1\"/><PackageVersion Include=\"b\" Version=\"2\"/><PackageVersion Include=\"C\" Version=\"3\"/>
<PackageVersion Update=\"C\" Version=\"3.1\" Condition=\"$([MSBuild]::IsTargetFrameworkCompatible($(TargetFramework), 'net6.0'))\"/>
<GlobalPackageReference Include=\"G\" Version=\"9\"/></ItemGroup></Project>";
    let project = app(
        r#"<ItemGroup><PackageReference Include="A"/><PackageReference Include="B" VersionOverride="2.5"/><PackageReference Include="C"/>
<PackageReference Include="D"/><PackageReference Include="E"/><PackageReference Remove="e"/></ItemGroup>"#,
        others,
    );
    assert_eq!(packages(&project), "A@1 B@2.5 C@3.1 D@? G@9");
}

#[test]
fn central_versions_are_pinned_where_a_project_wants_it() {
    let others = "//- Directory.Packages.props
<Project><PropertyGroup><ManagePackageVersionsCentrally>true</ManagePackageVersionsCentrally></PropertyGroup>
<ItemGroup><PackageVersion Include=\"b\" Version=\"2\"/><PackageVersion Include=\"A\" Version=\"1\"/><PackageVersion Include=\"C\"/></ItemGroup></Project>";
    let on = "<PropertyGroup><CentralPackageTransitivePinningEnabled>true</CentralPackageTransitivePinningEnabled></PropertyGroup>";
    let pinned = |elements: &str, others: &str| {
        let project = app(elements, others);
        let pinned = project.pinned.iter();
        let pinned: Vec<_> = pinned
            .map(|it| format!("{}@{}", it.name, it.version))
            .collect();
        pinned.join(" ")
    };
    assert_eq!(pinned(on, others), "A@1 b@2");
    assert_eq!(pinned("", others), "");
    assert_eq!(pinned(on, ""), "", "without central versions");
}

#[test]
fn a_restore_is_where_the_project_keeps_what_builds_make() {
    let restore = |elements: &str| {
        let project = app(elements, "");
        project.restore.map(|path| path.as_str().to_owned())
    };
    let file = |path: &str| Some(path.to_owned());
    assert_eq!(restore(""), file("App/obj/project.assets.json"));
    assert_eq!(
        restore(
            "<PropertyGroup><BaseIntermediateOutputPath>..\\o\\App\\</BaseIntermediateOutputPath></PropertyGroup>"
        ),
        file("o/App/project.assets.json")
    );
    assert_eq!(
        restore(
            "<PropertyGroup><MSBuildProjectExtensionsPath>/else/where/</MSBuildProjectExtensionsPath></PropertyGroup>"
        ),
        None
    );
}

#[test]
fn libraries_are_named_by_hint_path_or_by_themselves() {
    let project = app(
        r#"<ItemGroup><Reference Include="System.Core"/><Reference Include="Old, Version=1.0.0.0"><HintPath>..\lib\old.DLL</HintPath></Reference>
<Reference Include="..\packages\New.1.0\lib\net45\New.dll"/><Reference Include="Up"><HintPath>..\..\Up.dll</HintPath></Reference>
<Reference Include="Disk"><HintPath>C:\Disk.dll</HintPath></Reference><Reference Include="plugins\*.dll"/><Reference Include="Text"><HintPath>a.txt</HintPath></Reference></ItemGroup>"#,
        "//- lib/Old.dll App/plugins/P.dll\n",
    );
    let libraries: Vec<_> = project.libraries.iter().map(RepoPath::as_str).collect();
    let expected = [
        "App/plugins/P.dll",
        "lib/Old.dll",
        "packages/New.1.0/lib/net45/New.dll",
    ];
    assert_eq!(libraries, expected, "{}", notes(&project));
}

#[test]
fn global_packages_need_central_versions() {
    let items = "<ItemGroup><GlobalPackageReference Include=\"G\" Version=\"9\"/></ItemGroup>";
    assert_eq!(packages(&app(items, "")), "");
}

#[test]
fn assets_say_who_sees_a_package() {
    let others = "//- Directory.Packages.props
<Project><PropertyGroup><ManagePackageVersionsCentrally>true</ManagePackageVersionsCentrally></PropertyGroup>
<ItemGroup><GlobalPackageReference Include=\"G\" Version=\"9\"/></ItemGroup></Project>";
    let project = app(
        r#"<ItemGroup><PackageReference Include="A"/><PackageReference Include="B" PrivateAssets="all"/>
<PackageReference Include="C"><IncludeAssets>runtime; build</IncludeAssets></PackageReference>
<PackageReference Include="D" ExcludeAssets="Compile" PrivateAssets="All"/><PackageReference Include="E" PrivateAssets="compile;build"/></ItemGroup>"#,
        others,
    );
    use cortex_project::{CompileAssets::*, PackageInheritance::*};
    let found: Vec<_> = project
        .packages
        .iter()
        .map(|package| (package.name.as_str(), package.compile, package.inheritance))
        .collect();
    let expected = [
        ("A", Visible, Inherited),
        ("B", Visible, Private),
        ("C", Hidden, NotCompile),
        ("D", Hidden, Private),
        ("E", Visible, NotCompile),
        ("G", Hidden, Private),
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_version_is_an_attribute_or_an_element() {
    let project = app(
        r#"<ItemGroup><PackageReference Include="A" Version="$(V)"/><PackageReference Include="B"><Version>2</Version></PackageReference>
<PackageReference Update="a" Version="1.1"/></ItemGroup><PropertyGroup><V>1</V></PropertyGroup>"#,
        "",
    );
    assert_eq!(packages(&project), "A@1.1 B@2");
    assert_eq!(project.frameworks, ["Microsoft.NETCore.App"]);
}

#[test]
fn references_flow_through_references_unless_hidden() {
    let reference = |path: &str, more: &str| {
        format!("<ProjectReference Include=\"..\\{path}\\{path}.csproj\" {more}/>")
    };
    let file = |name: &str, items: &str| {
        format!(
            "//- {name}/{name}.csproj\n<Project Sdk=\"Microsoft.NET.Sdk\"><ItemGroup>{items}</ItemGroup></Project>\n"
        )
    };
    let text = [
        file("A", &reference("B", "")),
        file("B", &(reference("C", "") + &reference("D", "PrivateAssets=\"All\"") + &reference("E", "ReferenceOutputAssembly=\"false\""))),
        file("C", &(reference("A", "") + &reference("F", "PrivateAssets=\"contentfiles;build\""))),
        file("D", ""),
        file("E", ""),
        file("F", ""),
        file("G", &(reference("B", "") + "</ItemGroup><PropertyGroup><DisableTransitiveProjectReferences>true</DisableTransitiveProjectReferences></PropertyGroup><ItemGroup>")),
        file("H", &(reference("D", "OutputItemType=\"Analyzer\"") + &reference("Gone", ""))),
    ]
    .concat();
    let graph = Tree::new(&text).graph();
    let check = |path: &str, direct: &str, all: &str| {
        let project = graph.project(path).expect(path);
        let names = |paths: &[RepoPath]| {
            paths
                .iter()
                .map(|p| p.folder().to_owned())
                .collect::<Vec<_>>()
                .join("")
        };
        assert_eq!(
            (
                &*names(&project.references),
                &*names(&project.all_references)
            ),
            (direct, all),
            "{path}"
        );
    };
    check("A/A.csproj", "B", "BCF");
    check("B/B.csproj", "CD", "ACDF");
    check("G/G.csproj", "B", "B");
    check("H/H.csproj", "", "");
    let h = graph.project("H/H.csproj").expect("H");
    assert!(notes(h).contains(r"referenced project is not in the repository: ..\Gone\Gone.csproj"));
}

#[test]
fn item_definitions_give_metadata_to_later_items() {
    let text = "//- A/A.csproj
<Project Sdk=\"Microsoft.NET.Sdk\"><ItemDefinitionGroup><ProjectReference><PrivateAssets>all</PrivateAssets></ProjectReference></ItemDefinitionGroup>
<ItemGroup><ProjectReference Include=\"../B/B.csproj\"/></ItemGroup></Project>
//- B/B.csproj
<Project Sdk=\"Microsoft.NET.Sdk\"/>
//- C/C.csproj
<Project Sdk=\"Microsoft.NET.Sdk\"><ItemGroup><ProjectReference Include=\"../A/A.csproj\"/></ItemGroup></Project>";
    assert_eq!(
        project(text, "C/C.csproj").all_references,
        [RepoPath::from("A/A.csproj")]
    );
}

#[test]
fn grants_come_from_items_attributes_and_hooked_targets() {
    let project = app(
        r#"<ItemGroup><InternalsVisibleTo Include="A;B" PublicKey="00"/>
<AssemblyAttribute Include="System.Runtime.CompilerServices.InternalsVisibleToAttribute"><_Parameter1>C, PublicKey=00</_Parameter1></AssemblyAttribute>
<AssemblyAttribute Include="Other"><_Parameter1>No</_Parameter1></AssemblyAttribute>
<Friend Include="D;E"/><InternalsVisibleTo Include="$(MSBuildProjectName).Tests"/></ItemGroup>
<Target Name="T" BeforeTargets="BeforeCompile" Condition="'@(Friend)' != ''"><ItemGroup>
<InternalsVisibleTo Include="%(Friend.Identity)" PublicKey="00"/><Compile Include="x.cs"/></ItemGroup></Target>
<Target Name="NeverRun"><ItemGroup><InternalsVisibleTo Include="Z"/></ItemGroup></Target>"#,
        "",
    );
    assert_eq!(project.friends, ["A", "App.Tests", "B", "C", "D", "E"]);
}

#[test]
fn test_projects_are_told_by_their_packages_or_names() {
    for package in [
        "xunit",
        "Microsoft.AspNetCore.Mvc.Testing",
        "Microsoft.AspNetCore.TestHost",
    ] {
        let reference = format!(
            r#"<ItemGroup><PackageReference Include="{package}" Version="2"/></ItemGroup>"#
        );
        assert!(app(&reference, "").is_test, "{package}");
    }
    assert!(!app("", "").is_test);
    let named = "//- A.Tests.csproj\n<Project Sdk=\"Microsoft.NET.Sdk\"/>";
    assert!(project(named, "A.Tests.csproj").is_test);
    let not = "//- A.Tests.csproj\n<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><IsTestProject>false</IsTestProject></PropertyGroup></Project>";
    assert!(!project(not, "A.Tests.csproj").is_test);
}

#[test]
fn files_that_no_project_claims_are_loose() {
    let tree = Tree::new(
        "//- scripts/s.cs lib/l.cs\n//- lib/Lib.csproj\n<Project Sdk=\"Microsoft.NET.Sdk\"/>",
    );
    let loose = loose(&tree, &tree.graph()).expect("one file");
    assert_eq!(
        (loose.path.as_str(), &*sources(&loose)),
        (LOOSE, "scripts/s.cs")
    );
    let claimed = Tree::new("//- l.cs\n//- Lib.csproj\n<Project Sdk=\"Microsoft.NET.Sdk\"/>");
    assert!(cortex_project::loose(&claimed, &claimed.graph()).is_none());
}

#[test]
fn solutions_list_tracked_projects() {
    let tree = Tree::new(
        "//- s/A.sln
Microsoft Visual Studio Solution File, Format Version 12.00
Project(\"{FAE04EC0-301F-11D3-BF4B-00C04F79EFBC}\") = \"B\", \"..\\B\\B.csproj\", \"{1}\"
Project(\"{2150E333-8FDC-42A3-9474-1A3956D46DE8}\") = \"Folder\", \"Folder\", \"{2}\"
EndProject
//- B/B.csproj
<Project Sdk=\"Microsoft.NET.Sdk\"/>
//- s/B.slnf
{ \"solution\": { \"path\": \"..\\\\s\\\\A.sln\", \"projects\": [\"..\\\\B\\\\B.csproj\", \"gone.csproj\"] } }
//- s/Bad.slnx
<Solution>",
    );
    let graph = tree.graph();
    let listed: Vec<_> = graph
        .solutions
        .iter()
        .map(|s| (s.path.as_str(), s.projects.len()))
        .collect();
    assert_eq!(listed, [("s/A.sln", 1), ("s/B.slnf", 1)]);
    assert_eq!(graph.notes.len(), 1);
}

#[test]
fn the_digest_counts_what_binding_sees() {
    let plain = app("", FILES);
    let other_files = app("", "//- App/z.cs\n");
    assert_eq!(plain.digest(), other_files.digest());
    assert_ne!(plain.sources_digest(), other_files.sources_digest());
    let property = |name: &str, value: &str| {
        format!("<PropertyGroup><{name}>{value}</{name}></PropertyGroup>")
    };
    let item =
        |name: &str, value: &str| format!("<ItemGroup><{name} Include=\"{value}\"/></ItemGroup>");
    let digests: std::collections::BTreeSet<_> = [
        String::new(),
        property("AssemblyName", "B"),
        property("RootNamespace", "B"),
        property("Nullable", "enable"),
        property("LangVersion", "12"),
        property("DefineConstants", "B"),
        item("Using", "B"),
        item("Using", "C"),
        item("Using", "B\" Static=\"true"),
        item("Using", "B\" Alias=\"A"),
        item("InternalsVisibleTo", "B"),
        item("PackageReference", "B"),
        item("PackageReference", "B\" Version=\"1"),
        item("FrameworkReference", "B"),
    ]
    .iter()
    .map(|elements| app(elements, FILES).digest())
    .collect();
    assert_eq!(digests.len(), 14);
}
