//! Laws of package resolution, on package folders that the tests write themselves.

use std::{fs, path::Path, sync::Arc};

use crate::image::Image;
use cortex_metadata::{
    Assembly, Closure, Compile, FrameworkSource, PackageRequest, ProjectRequest, ReferencedProject,
    References, Restore, Roots,
};
use tempfile::TempDir;

/// A machine with `packs` and `packages`.
struct Machine(TempDir);

impl Machine {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    /// Puts an assembly at `place`, named after the file.
    fn assembly(&self, place: &str, version: u32) -> &Self {
        let path = self.0.path().join(place);
        let name = path.file_stem().expect("a name").to_string_lossy();
        write(&path, &Image::new(&name, [version, 0, 0, 0]).finish());
        self
    }

    /// Puts the description of `id/version`, with dependencies `id version`, into the package folder.
    fn package(&self, id: &str, version: &str, dependencies: &[(&str, &str)]) -> &Self {
        let list: String = dependencies
            .iter()
            .map(|(id, version)| format!(r#"<dependency id="{id}" version="{version}"/>"#))
            .collect();
        self.nuspec(id, version, &format!("<dependencies>{list}</dependencies>"))
    }

    fn nuspec(&self, id: &str, version: &str, inside: &str) -> &Self {
        let text = format!("<package><metadata><id>{id}</id>{inside}</metadata></package>");
        let place = format!("packages/{id}/{version}/{id}.nuspec");
        write(&self.0.path().join(place), text.as_bytes());
        self
    }

    fn closure(&self, request: &ProjectRequest<'_>) -> Arc<Closure> {
        let root = self.0.path();
        References::new(Roots {
            dotnet: vec![root.join("dotnet")],
            packages: vec![root.join("packages")],
        })
        .closure(request)
    }

    /// The places of the assemblies of packages, for packages `id version`.
    #[track_caller]
    fn check(&self, framework: &str, packages: &[(&str, &str)], expected: &[&str]) {
        let packages: Vec<_> = packages
            .iter()
            .map(|(id, version)| PackageRequest {
                id,
                version: Some(version),
                compile: Compile::Visible,
            })
            .collect();
        let closure = self.closure(&ProjectRequest {
            framework,
            packages: &packages,
            ..ProjectRequest::default()
        });
        assert_eq!(self.places(&closure), expected);
    }

    /// What is not from the built-in table, relative to the folder.
    fn places(&self, closure: &Closure) -> Vec<String> {
        let files = closure
            .assemblies
            .iter()
            .filter_map(|assembly| assembly.path());
        files
            .filter_map(|path| path.strip_prefix(self.0.path()).ok())
            .map(|path| path.to_string_lossy().replace('\\', "/"))
            .collect()
    }
}

fn write(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
    fs::write(path, bytes).expect("it can be written");
}

#[test]
fn the_nearest_framework_is_taken_and_ref_before_lib() {
    let machine = Machine::new();
    machine
        .package("a", "1.0.0", &[])
        .assembly("packages/a/1.0.0/lib/netstandard2.0/A.dll", 1)
        .assembly("packages/a/1.0.0/lib/net6.0/A.dll", 1)
        .assembly("packages/a/1.0.0/lib/net9.0/A.dll", 1)
        .package("b", "1.0.0", &[])
        .assembly("packages/b/1.0.0/lib/net8.0/B.dll", 1)
        .assembly("packages/b/1.0.0/ref/netstandard2.0/B.dll", 1);
    machine.check(
        "net8.0",
        &[("a", "1.0"), ("b", "1.0")],
        &[
            "packages/a/1.0.0/lib/net6.0/A.dll",
            "packages/b/1.0.0/ref/netstandard2.0/B.dll",
        ],
    );
    machine.check("netstandard1.3", &[("a", "1.0")], &[]);
}

#[test]
fn an_empty_mark_means_that_the_framework_has_it() {
    let machine = Machine::new();
    machine
        .package("a", "1.0.0", &[])
        .assembly("packages/a/1.0.0/lib/netstandard2.0/A.dll", 1);
    write(
        &machine.0.path().join("packages/a/1.0.0/lib/net6.0/_._"),
        b"",
    );
    machine.check("net8.0", &[("a", "1.0")], &[]);
    machine.check(
        "netstandard2.0",
        &[("a", "1.0")],
        &["packages/a/1.0.0/lib/netstandard2.0/A.dll"],
    );
}

#[test]
fn the_highest_wish_of_packages_wins_and_the_project_wins_over_them() {
    let machine = Machine::new();
    for version in ["1.0.0", "2.0.0", "3.0.0"] {
        let place = format!("packages/c/{version}/lib/net6.0/C.dll");
        machine.package("c", version, &[]).assembly(&place, 1);
    }
    machine
        .package("a", "1.0.0", &[("c", "1.0.0")])
        .package("b", "1.0.0", &[("c", "2.0.0")]);
    let both = [("a", "1.0"), ("b", "1.0")];
    machine.check("net8.0", &both, &["packages/c/2.0.0/lib/net6.0/C.dll"]);
    let own = [("a", "1.0"), ("b", "1.0"), ("c", "1.0")];
    machine.check("net8.0", &own, &["packages/c/1.0.0/lib/net6.0/C.dll"]);
    let floating = [("c", "*")];
    machine.check("net8.0", &floating, &["packages/c/3.0.0/lib/net6.0/C.dll"]);
}

/// Versions 1 to 3 of `c`.
fn with_three_versions() -> Machine {
    let machine = Machine::new();
    for version in ["1.0.0", "2.0.0", "3.0.0"] {
        let place = format!("packages/c/{version}/lib/net6.0/C.dll");
        machine.package("c", version, &[]).assembly(&place, 1);
    }
    machine
}

fn c(version: u32) -> String {
    format!("packages/c/{version}.0.0/lib/net6.0/C.dll")
}

#[test]
fn what_is_nearer_in_the_same_part_of_the_graph_wins_even_if_it_is_lower() {
    let machine = with_three_versions();
    machine
        .package("a", "1.0.0", &[("b", "1.0.0"), ("c", "1.0.0")])
        .package("b", "1.0.0", &[("c", "2.0.0")])
        .package("deep", "1.0.0", &[("a", "1.0.0")]);
    machine.check("net8.0", &[("a", "1.0")], &[&c(1)]);
    machine.check("net8.0", &[("deep", "1.0")], &[&c(1)]);
    // Another way leads past it.
    machine.check("net8.0", &[("a", "1.0"), ("b", "1.0")], &[&c(2)]);
}

#[test]
fn cousins_share_the_lowest_version_that_all_accept() {
    let machine = with_three_versions();
    machine
        .package("a", "1.0.0", &[("c", "[1.0.0, 3.0.0)")])
        .package("b", "1.0.0", &[("x", "1.0.0")])
        .package("x", "1.0.0", &[("c", "1.5.0")]);
    machine.check("net8.0", &[("a", "1.0"), ("b", "1.0")], &[&c(2)]);
}

#[test]
fn what_a_project_asks_for_wins_over_what_comes_through_it() {
    let machine = with_three_versions();
    machine.package("a", "1.0.0", &[("c", "3.0.0")]);
    let request = |id, version| PackageRequest {
        id,
        version: Some(version),
        compile: Compile::Visible,
    };
    let seen = |own: &[PackageRequest<'_>], projects: &[ReferencedProject<'_>]| {
        let closure = machine.closure(&ProjectRequest {
            framework: "net8.0",
            packages: own,
            referenced: projects,
            references: &[0],
            ..ProjectRequest::default()
        });
        machine.places(&closure)
    };
    let project = |packages: &[PackageRequest<'static>], references: &[usize]| ReferencedProject {
        packages: packages.to_vec(),
        references: references.to_vec(),
        ..ReferencedProject::default()
    };
    let both = [request("a", "1.0"), request("c", "1.0")];
    assert_eq!(seen(&[], &[project(&both, &[])]), [c(1)]);
    let chain = [
        project(&both[1..], &[1]),
        project(&[request("c", "3.0")], &[0]),
    ];
    assert_eq!(seen(&[], &chain), [c(1)]);
    assert_eq!(seen(&[request("c", "2.0")], &chain), [c(2)]);
    assert_eq!(seen(&[request("a", "1.0")], &chain), [c(3)], "another way");
}

#[test]
fn a_pinned_version_wins_wherever_others_ask_for_the_package() {
    let machine = with_three_versions();
    machine.package("a", "1.0.0", &[("c", "1.0.0")]);
    let request = |id, version| PackageRequest {
        id,
        version: Some(version),
        compile: Compile::Visible,
    };
    let seen = |own: &[PackageRequest<'_>]| {
        let closure = machine.closure(&ProjectRequest {
            framework: "net8.0",
            packages: own,
            pinned: &[request("C", "2.0.0"), request("unused", "1.0.0")],
            ..ProjectRequest::default()
        });
        assert_eq!(closure.missing, []);
        machine.places(&closure)
    };
    assert_eq!(seen(&[request("a", "1.0")]), [c(2)]);
    let own = [request("a", "1.0"), request("c", "3.0")];
    assert_eq!(seen(&own), [c(3)], "the project's own version");
}

#[test]
fn graphs_with_very_many_ways_are_followed_within_bounds() {
    let machine = Machine::new();
    let names: Vec<String> = (0..40).map(|n| format!("p{n}")).collect();
    for name in &names {
        let others: Vec<_> = names
            .iter()
            .map(|other| (other.as_str(), "1.0.0"))
            .collect();
        machine.package(name, "1.0.0", &others);
    }
    machine.check("net8.0", &[("p0", "1.0")], &[]);
}

#[test]
fn libraries_that_a_project_names_by_file_are_seen() {
    let machine = Machine::new();
    machine
        .assembly("lib/Old.dll", 2)
        .assembly("lib/App.dll", 1);
    let libraries = ["lib/Old.dll", "lib/App.dll"]
        .map(|place| Arc::new(Assembly::open(&machine.0.path().join(place)).expect("an assembly")));
    let closure = machine.closure(&ProjectRequest {
        framework: "net462",
        libraries: &libraries,
        projects: &["App"],
        ..ProjectRequest::default()
    });
    assert_eq!(machine.places(&closure), ["lib/Old.dll"]);
}

#[test]
fn what_is_replaced_asks_for_nothing() {
    let machine = Machine::new();
    machine
        .package("a", "1.0.0", &[("b", "1.0.0")])
        .package("b", "1.0.0", &[("old", "1.0.0")])
        .package("b", "2.0.0", &[])
        .package("c", "1.0.0", &[("b", "2.0.0")])
        .package("old", "1.0.0", &[])
        .assembly("packages/old/1.0.0/lib/net6.0/Old.dll", 1);
    machine.check("net8.0", &[("a", "1.0"), ("c", "1.0")], &[]);
    machine.check(
        "net8.0",
        &[("b", "1.0")],
        &["packages/old/1.0.0/lib/net6.0/Old.dll"],
    );
}

#[test]
fn packages_that_ask_for_each_other_end() {
    let machine = Machine::new();
    machine
        .package("a", "1.0.0", &[("b", "1.0.0")])
        .package("b", "1.0.0", &[("a", "2.0.0")])
        .package("a", "2.0.0", &[("b", "1.0.0")])
        .assembly("packages/a/1.0.0/lib/net6.0/A.dll", 1);
    machine.check(
        "net8.0",
        &[("a", "1.0")],
        &["packages/a/1.0.0/lib/net6.0/A.dll"],
    );
}

#[test]
fn what_only_runs_is_not_seen_by_compilers() {
    let machine = Machine::new();
    let inside = r#"<dependencies><group targetFramework="net6.0">
        <dependency id="b" version="1.0.0" exclude="Compile"/></group></dependencies>"#;
    machine
        .nuspec("a", "1.0.0", inside)
        .package("b", "1.0.0", &[("c", "1.0.0")])
        .assembly("packages/b/1.0.0/lib/net6.0/B.dll", 1)
        .package("c", "1.0.0", &[])
        .assembly("packages/c/1.0.0/lib/net6.0/C.dll", 1);
    machine.check("net8.0", &[("a", "1.0")], &[]);
    machine.check(
        "net8.0",
        &[("a", "1.0"), ("c", "1.0")],
        &["packages/c/1.0.0/lib/net6.0/C.dll"],
    );
}

#[test]
fn what_a_project_only_runs_is_not_seen_by_its_compiler() {
    let machine = Machine::new();
    machine
        .package("a", "1.0.0", &[("b", "1.0.0")])
        .package("b", "1.0.0", &[])
        .assembly("packages/a/1.0.0/lib/net6.0/A.dll", 1)
        .assembly("packages/b/1.0.0/lib/net6.0/B.dll", 1);
    let packages = [PackageRequest {
        id: "a",
        compile: Compile::Hidden,
        ..PackageRequest::default()
    }];
    let closure = machine.closure(&ProjectRequest {
        framework: "net8.0",
        packages: &packages,
        ..ProjectRequest::default()
    });
    assert!(machine.places(&closure).is_empty());
}

#[test]
fn a_folder_without_files_that_nuget_did_not_finish_is_not_the_package() {
    let machine = Machine::new();
    machine
        .package("a", "1.0.0", &[])
        .package("a", "2.0.0", &[])
        .assembly("packages/a/2.0.0/lib/net6.0/A.dll", 1);
    let other = "packages/a/2.0.0/lib/net6.0/A.dll";
    machine.check("net8.0", &[("a", "1.0")], &[other]);
    write(
        &machine.0.path().join("packages/a/1.0.0/.nupkg.metadata"),
        b"{}",
    );
    machine.check("net8.0", &[("a", "1.0")], &[]);
}

#[test]
fn what_is_missing_or_not_the_wanted_version_is_told() {
    let machine = Machine::new();
    machine
        .package("a", "2.0.0", &[("gone", "1.0")])
        .assembly("packages/a/2.0.0/lib/net6.0/A.dll", 1);
    let packages = ["a", "../a", "System.Runtime"].map(|id| PackageRequest {
        id,
        version: Some("1.0"),
        compile: Compile::Visible,
    });
    let closure = machine.closure(&ProjectRequest {
        framework: "net8.0",
        packages: &packages,
        ..ProjectRequest::default()
    });
    let missing: Vec<_> = closure.missing.iter().map(|package| &*package.id).collect();
    assert_eq!(missing, ["gone"], "the framework has System.Runtime");
    let [approximate] = &*closure.approximate else {
        panic!("one package");
    };
    assert_eq!(
        (&*approximate.wanted, &*approximate.found),
        ("1.0", "2.0.0")
    );
}

#[test]
fn projects_win_over_packages_of_their_name() {
    let machine = Machine::new();
    machine
        .package("a", "1.0.0", &[("lib", "1.0.0")])
        .package("lib", "1.0.0", &[("deep", "1.0.0")])
        .package("deep", "1.0.0", &[])
        .assembly("packages/deep/1.0.0/lib/net6.0/Deep.dll", 1)
        .assembly("packages/lib/1.0.0/lib/net6.0/Lib.dll", 1);
    let packages = [PackageRequest {
        id: "a",
        version: Some("1.0"),
        compile: Compile::Visible,
    }];
    let mut request = ProjectRequest {
        framework: "net8.0",
        packages: &packages,
        ..ProjectRequest::default()
    };
    assert_eq!(machine.places(&machine.closure(&request)).len(), 2);
    request.projects = &["Lib"];
    assert!(machine.places(&machine.closure(&request)).is_empty());
}

#[test]
fn the_own_pack_of_a_framework_wins_over_newer_ones() {
    let machine = Machine::new();
    for version in ["8.0.3", "8.0.11", "10.0.0"] {
        let major = version.split('.').next().expect("a major version");
        let place = format!(
            "dotnet/packs/Microsoft.NETCore.App.Ref/{version}/ref/net{major}.0/System.Runtime.dll"
        );
        machine.assembly(&place, 8);
    }
    let source = |framework| {
        let request = ProjectRequest {
            framework,
            ..ProjectRequest::default()
        };
        machine.closure(&request).source.clone()
    };
    let pack = |version: &str| FrameworkSource::Pack(version.to_owned());
    assert_eq!(source("net8.0"), pack("8.0.11"));
    for newest in ["net10.0", "net9.0", "netstandard2.0", "net462", "", "odd"] {
        assert_eq!(source(newest), pack("10.0.0"), "{newest}");
    }
    let bare = Machine::new().closure(&ProjectRequest::default());
    assert!(matches!(bare.source, FrameworkSource::BuiltIn(_)));
}

#[test]
fn of_two_assemblies_of_one_name_the_higher_version_is_seen() {
    let machine = Machine::new();
    let pack = "dotnet/packs/Microsoft.NETCore.App.Ref/8.0.0/ref/net8.0";
    machine
        .assembly(&format!("{pack}/Low.dll"), 4)
        .assembly(&format!("{pack}/Same.dll"), 4)
        .package("low", "1.0.0", &[])
        .assembly("packages/low/1.0.0/lib/net6.0/Low.dll", 5)
        .package("same", "1.0.0", &[])
        .assembly("packages/same/1.0.0/lib/net6.0/Same.dll", 4);
    machine.check(
        "net8.0",
        &[("low", "1.0"), ("same", "1.0")],
        &[
            "packages/low/1.0.0/lib/net6.0/Low.dll",
            &format!("{pack}/Same.dll"),
        ],
    );
}

/// A restore that asked for `a` of any version and got these files of `b`.
fn restore(file: &str) -> Restore {
    let text = format!(
        r#"{{"targets": {{"net8.0": {{
            "a/2.0.0": {{"type": "package", "compile": {{"lib/net6.0/A.dll": {{}}}}}},
            "b/1.0.0": {{"type": "package", "compile": {{"{file}": {{}}}}}}}}}},
        "project": {{"frameworks": {{"net8.0": {{"dependencies": {{
            "a": {{"target": "Package", "version": "[1.0.0, )"}}}}}}}}}}}}"#
    );
    Restore::parse(text.as_bytes()).expect("a restore")
}

#[test]
fn a_restore_decides_about_packages_where_it_was_asked_the_same_and_its_files_are_there() {
    let machine = Machine::new();
    machine
        .package("a", "1.0.0", &[])
        .assembly("packages/a/1.0.0/lib/net6.0/A.dll", 1)
        .package("a", "2.0.0", &[])
        .assembly("packages/a/2.0.0/lib/net6.0/A.dll", 2)
        .assembly("packages/b/1.0.0/lib/net6.0/B.dll", 1)
        .assembly("evil.dll", 1);
    let by_rules = vec!["packages/a/1.0.0/lib/net6.0/A.dll".to_owned()];
    let seen = |version, restore: &Restore| {
        let packages = [PackageRequest {
            id: "a",
            version: Some(version),
            compile: Compile::Visible,
        }];
        let closure = machine.closure(&ProjectRequest {
            framework: "net8.0",
            packages: &packages,
            restore: Some(restore),
            ..ProjectRequest::default()
        });
        assert_eq!(closure.missing, []);
        machine.places(&closure)
    };
    assert_eq!(
        seen("1.0", &restore("lib/net6.0/B.dll")),
        [
            "packages/a/2.0.0/lib/net6.0/A.dll",
            "packages/b/1.0.0/lib/net6.0/B.dll"
        ]
    );
    assert_eq!(
        seen("[1.0]", &restore("lib/net6.0/B.dll")),
        by_rules,
        "it is stale"
    );
    assert_eq!(seen("1.0", &restore("lib/net6.0/Gone.dll")), by_rules);
    assert_eq!(seen("1.0", &restore("../../../evil.dll")), by_rules);
}

#[test]
fn the_environment_names_the_folders() {
    let roots = Roots::from_env(|name| match name {
        "DOTNET_ROOT" => Some("/net".to_owned()),
        "NUGET_PACKAGES" => Some("/cache".to_owned()),
        "NUGET_FALLBACK_PACKAGES" => Some("/one;/two".to_owned()),
        _ => None,
    });
    assert_eq!(roots.dotnet, [Path::new("/net")]);
    assert_eq!(
        roots.packages,
        ["/cache", "/one", "/two"].map(Into::<std::path::PathBuf>::into)
    );
    let home = Roots::from_env(|name| (name == "HOME").then(|| "/home/me".to_owned()));
    assert_eq!(home.packages, [Path::new("/home/me/.nuget/packages")]);
    let usual = ["/usr/share/dotnet", "/home/me/.dotnet"];
    assert!(
        usual
            .iter()
            .all(|place| home.dotnet.contains(&place.into()))
    );
}

#[test]
fn what_a_project_hides_is_hidden_with_all_that_comes_with_it() {
    let machine = Machine::new();
    machine
        .package("a", "1.0.0", &[("b", "1.0.0")])
        .assembly("packages/a/1.0.0/lib/net6.0/A.dll", 1)
        .package("b", "1.0.0", &[])
        .assembly("packages/b/1.0.0/lib/net6.0/B.dll", 1);
    let request = |compile| PackageRequest {
        id: "a",
        version: Some("1.0"),
        compile,
    };
    let hidden = machine.closure(&ProjectRequest {
        framework: "net8.0",
        packages: &[request(Compile::Hidden)],
        ..ProjectRequest::default()
    });
    assert_eq!(machine.places(&hidden), [""; 0]);
    // Another project may show what comes with it, but not what the project itself hides.
    let shown = machine.closure(&ProjectRequest {
        framework: "net8.0",
        packages: &[request(Compile::Hidden)],
        referenced: &[ReferencedProject {
            packages: vec![request(Compile::Visible)],
            ..ReferencedProject::default()
        }],
        references: &[0],
        ..ProjectRequest::default()
    });
    assert_eq!(
        machine.places(&shown),
        ["packages/b/1.0.0/lib/net6.0/B.dll"]
    );
}

const SHARED: &str = "dotnet/packs/Microsoft.AspNetCore.App.Ref/10.0.1/ref/net10.0";

#[test]
fn a_shared_framework_has_the_assemblies_of_packages_that_are_not_there() {
    let machine = Machine::new();
    let own = format!("{SHARED}/A.dll");
    machine
        .assembly(
            "dotnet/packs/Microsoft.NETCore.App.Ref/10.0.1/ref/net10.0/System.Runtime.dll",
            10,
        )
        .assembly(&own, 10)
        .assembly(&format!("{SHARED}/Other.dll"), 10)
        .package("a", "9.0.0", &[]);
    let runtime = "dotnet/packs/Microsoft.NETCore.App.Ref/10.0.1/ref/net10.0/System.Runtime.dll";
    machine.check("net10.0", &[("a", "9.0.0")], &[runtime, &own]);
    let package = PackageRequest {
        id: "other",
        version: Some("9.0.0"),
        compile: Compile::Visible,
    };
    let closure = machine.closure(&ProjectRequest {
        framework: "net10.0",
        packages: &[package],
        ..ProjectRequest::default()
    });
    assert!(closure.missing.is_empty());
    assert_eq!(closure.approximate[0].found, "10.0.1");
    // What a package that is not there depends on may be in the framework too.
    assert_eq!(closure.assemblies.len(), 3);
}

#[test]
fn packages_follow_the_framework_that_stands_in() {
    let machine = Machine::new();
    let runtime = "dotnet/packs/Microsoft.NETCore.App.Ref/10.0.1/ref/net10.0/System.Runtime.dll";
    machine
        .assembly(runtime, 10)
        .package("a", "1.0.0", &[])
        .assembly("packages/a/1.0.0/lib/net10.0/A.dll", 1)
        .package("b", "1.0.0", &[])
        .assembly("packages/b/1.0.0/lib/net10.0/B.dll", 2)
        .assembly("packages/b/1.0.0/lib/netstandard2.0/B.dll", 1);
    machine.check(
        "netstandard2.0",
        &[("a", "1.0"), ("b", "1.0")],
        &[
            runtime,
            "packages/a/1.0.0/lib/net10.0/A.dll",
            "packages/b/1.0.0/lib/netstandard2.0/B.dll",
        ],
    );
}
