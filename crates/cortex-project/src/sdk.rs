//! What the SDKs of the .NET installation do to a project, as far as binding depends on it.
//!
//! The order is theirs: `Directory.Build.props`, `Directory.Packages.props` and defaults before the
//! project, the framework, `Directory.Build.targets` and the remaining defaults after it.
//! Source: the props and targets of the .NET SDK, of its Web, Worker, Razor and BlazorWebAssembly SDKs
//! of MSTest.Sdk and of the TUnit packages.

use std::rc::Rc;

use crate::{
    document::Document,
    evaluation::{Evaluation, Place, Recorded},
    framework::{Family, Framework},
    paths::{Location, absolute_folder, resolve},
};

/// An SDK that a project uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SdkKind {
    /// `Microsoft.NET.Sdk` alone, or one that only builds upon it.
    Plain,
    Web,
    Worker,
    Razor,
    Blazor,
    MsTest,
    /// A project that compiles nothing of its own.
    NoTargets,
}

/// Items that an SDK adds where its files stand in the order of evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Synthetic {
    /// All C# files below the project's folder.
    DefaultCompile,
    /// Implicit usings of all SDKs.
    ImplicitUsings,
    /// `NETStandard.Library` and shared frameworks.
    ImplicitReferences,
    /// Usings of the test framework that MSTest.Sdk brings.
    MsTestUsings,
    /// Usings that WPF and Windows Forms add and remove.
    DesktopUsings,
    /// Usings that come with packages.
    PackageUsings,
}

impl SdkKind {
    fn known(name: &str) -> Option<Self> {
        let name = name.split('/').next().unwrap_or(name).trim();
        Some(match name.to_ascii_lowercase().as_str() {
            "microsoft.net.sdk"
            | "microsoft.net.sdk.windowsdesktop"
            | "microsoft.net.sdk.staticwebassets"
            | "microsoft.net.sdk.publish"
            | "microsoft.net.sdk.functions"
            | "msbuild.sdk.extras"
            | "aspire.apphost.sdk" => Self::Plain,
            "microsoft.net.sdk.web" => Self::Web,
            "microsoft.net.sdk.worker" => Self::Worker,
            "microsoft.net.sdk.razor" => Self::Razor,
            "microsoft.net.sdk.blazorwebassembly" => Self::Blazor,
            "mstest.sdk" => Self::MsTest,
            "microsoft.build.notargets" | "microsoft.build.traversal" => Self::NoTargets,
            _ => return None,
        })
    }
}

impl Evaluation<'_> {
    /// The props of the SDKs that the project file names.
    pub(crate) fn sdks_props(&mut self, document: &Rc<Document>) {
        let known = document
            .sdks
            .iter()
            .any(|sdk| SdkKind::known(&sdk.name).is_some());
        for sdk in &document.sdks {
            let place = Place {
                document,
                line: sdk.line,
            };
            match SdkKind::known(&sdk.name) {
                Some(kind) => self.sdk_props(kind),
                None => {
                    let version = sdk.version.as_deref();
                    let version = version.map_or(String::new(), |version| format!("/{version}"));
                    self.note_sdk(&format!("{}{version}", sdk.name), place);
                    // Nearly every other SDK builds upon that of .NET.
                    if !known {
                        self.sdk_props(SdkKind::Plain);
                    }
                }
            }
        }
    }

    /// The targets of the SDKs that the project file names.
    pub(crate) fn sdks_targets(&mut self, document: &Rc<Document>) {
        if !document.sdks.is_empty() {
            self.sdk_targets();
        }
        if self.sdks.is_empty() {
            self.legacy_framework();
        }
        let name = self.text("MSBuildProjectName");
        self.set_default("AssemblyName", &name);
        self.set_default("RootNamespace", &name);
    }

    /// `<Import Project="Sdk.props" Sdk="…"/>`.
    pub(crate) fn import_sdk(&mut self, sdk: &str, file: &str, place: Place<'_>) {
        let in_project = place.document.path == *self.workspace.table.path(self.project);
        let kind = SdkKind::known(sdk).or_else(|| {
            self.note_sdk(sdk, place);
            (in_project && self.sdks.is_empty()).then_some(SdkKind::Plain)
        });
        let Some(kind) = kind else {
            return;
        };
        if file.to_ascii_lowercase().ends_with(".targets") {
            self.sdk_targets();
        } else {
            self.sdk_props(kind);
        }
    }

    fn note_sdk(&mut self, sdk: &str, place: Place<'_>) {
        self.lacks_sdk = true;
        self.note(place, format!("SDK is not in the repository: {sdk}"));
    }

    fn sdk_props(&mut self, kind: SdkKind) {
        let first = self.sdks.is_empty();
        self.sdks.push(kind);
        match kind {
            SdkKind::Web => self.set("UsingMicrosoftNETSdkWeb", "true"),
            SdkKind::Worker => self.set("UsingMicrosoftNETSdkWorker", "true"),
            SdkKind::Razor => self.set("UsingMicrosoftNETSdkRazor", "true"),
            SdkKind::Blazor => self.set("UsingMicrosoftNETSdkBlazorWebAssembly", "true"),
            SdkKind::NoTargets => self.set_default("EnableDefaultCompileItems", "false"),
            SdkKind::Plain | SdkKind::MsTest => {}
        }
        if !first {
            return;
        }
        self.set("UsingMicrosoftNETSdk", "true");
        self.set("UsingNETSdkDefaults", "true");
        self.common_props();
        self.set_default("Platform", "AnyCPU");
        let executable = matches!(kind, SdkKind::Web | SdkKind::Worker | SdkKind::Blazor);
        self.set_default("OutputType", if executable { "Exe" } else { "Library" });
        let name = self.text("MSBuildProjectName");
        self.set_default("AssemblyName", &name);
        self.set_default("RootNamespace", &namespace_of(&name));
        self.append("DefineConstants", "TRACE");
        self.recorded.extend(
            [
                Synthetic::DefaultCompile,
                Synthetic::ImplicitReferences,
                Synthetic::ImplicitUsings,
                Synthetic::DesktopUsings,
            ]
            .map(Recorded::Synthetic),
        );
    }

    /// What `Microsoft.Common.props` imports.
    pub(crate) fn common_props(&mut self) {
        self.import_above(
            "ImportDirectoryBuildProps",
            "DirectoryBuildPropsPath",
            "Directory.Build.props",
        );
        if self.is("UseArtifactsOutput", "true") {
            let base = match self.text("DirectoryBuildPropsPath") {
                path if path.is_empty() => absolute_folder(self.project_folder),
                path => path[..=path.rfind('/').unwrap_or(0)].to_owned(),
            };
            self.set_default("ArtifactsPath", &format!("{base}artifacts"));
            let (artifacts, name) = (self.text("ArtifactsPath"), self.text("MSBuildProjectName"));
            self.set_default("BaseOutputPath", &format!("{artifacts}/bin/{name}/"));
            self.set_default(
                "BaseIntermediateOutputPath",
                &format!("{artifacts}/obj/{name}/"),
            );
        }
        self.set_default("BaseIntermediateOutputPath", "obj/");
        self.import_above(
            "ImportDirectoryPackagesProps",
            "DirectoryPackagesPropsPath",
            "Directory.Packages.props",
        );
    }

    /// What `Microsoft.Common.targets` imports.
    pub(crate) fn common_targets(&mut self) {
        self.import_above(
            "ImportDirectoryBuildTargets",
            "DirectoryBuildTargetsPath",
            "Directory.Build.targets",
        );
    }

    fn sdk_targets(&mut self) {
        if self.is("_CortexTargetsImported", "true") {
            return;
        }
        self.set("_CortexTargetsImported", "true");
        self.infer_framework();
        self.set_default("BaseOutputPath", "bin/");
        if self.sdks.contains(&SdkKind::MsTest) {
            self.recorded
                .push(Recorded::Synthetic(Synthetic::MsTestUsings));
        }
        self.common_targets();
        self.recorded
            .push(Recorded::Synthetic(Synthetic::PackageUsings));
        for name in ["EnableDefaultItems", "EnableDefaultCompileItems"] {
            self.set_default(name, "true");
        }
        if !self.is("DisableImplicitConfigurationDefines", "true") {
            let configuration = self.text("Configuration").to_uppercase();
            self.append(
                "DefineConstants",
                &configuration.replace(['-', '.', ' '], "_"),
            );
        }
    }

    /// The properties that the SDK reads off `TargetFramework`, known from here on only.
    fn infer_framework(&mut self) {
        let tfm = self.text("TargetFramework");
        let framework = Framework::parse(&tfm);
        if framework.family == Family::Other {
            return;
        }
        let version = framework
            .version
            .to_parts(usize::from(framework.version.written.max(2)));
        let identifier = framework.family.identifier();
        self.set_default("TargetFrameworkIdentifier", identifier);
        self.set_default("TargetFrameworkVersion", &format!("v{version}"));
        let version = self.text("TargetFrameworkVersion");
        self.set(
            "_TargetFrameworkVersionWithoutV",
            version.trim_start_matches(['v', 'V']),
        );
        self.set(
            "TargetFrameworkMoniker",
            &format!("{identifier},Version={version}"),
        );
        if let Some(platform) = framework.platform {
            self.set_default("TargetPlatformIdentifier", &platform.name);
            if let Some(version) = platform.version {
                self.set_default("TargetPlatformVersion", &version.to_string());
            }
        }
    }

    /// A project without an SDK names its framework by identifier and version.
    fn legacy_framework(&mut self) {
        if self.text("TargetFramework").is_empty() {
            let identifier = self.text("TargetFrameworkIdentifier");
            let name = Framework::short_name(&identifier, &self.text("TargetFrameworkVersion"));
            if let Some(name) = name {
                self.set("TargetFramework", &name);
            }
        }
        self.set_default("TargetFrameworkIdentifier", ".NETFramework");
    }

    fn append(&mut self, name: &str, value: &str) {
        let joined = match self.get(name) {
            old if old.is_empty() => value.to_owned(),
            old => format!("{old};{value}"),
        };
        self.set(name, &joined);
    }

    /// Whether the implicit usings of the SDK are on.
    pub(crate) fn has_implicit_usings(&self) -> bool {
        self.is("ImplicitUsings", "true") || self.is("ImplicitUsings", "enable")
    }

    /// The patterns that the default items leave out, relative to the project's folder.
    pub(crate) fn default_excludes(&self) -> Vec<String> {
        let mut excludes: Vec<String> = [
            "DefaultItemExcludes",
            "DefaultExcludesInProjectFolder",
            "DefaultItemExcludesInProjectFolder",
        ]
        .iter()
        .flat_map(|name| {
            let text = self.get(name);
            let parts: Vec<String> = text.split(';').map(|part| part.trim().to_owned()).collect();
            parts
        })
        .filter(|part| !part.is_empty())
        .collect();
        for name in ["BaseOutputPath", "BaseIntermediateOutputPath"] {
            let folder = self.text(name);
            // An output folder that is the project's own must not empty the project.
            let is_project_folder = resolve(self.project_folder, &folder)
                == Location::Inside(self.project_folder.to_owned());
            if !is_project_folder {
                excludes.push(format!("{folder}/**"));
            }
        }
        excludes.push("**/.*/**".to_owned());
        if self
            .sdks
            .iter()
            .any(|kind| matches!(kind, SdkKind::Web | SdkKind::Razor | SdkKind::Blazor))
        {
            excludes.push("**/node_modules/**".to_owned());
        }
        excludes
    }
}

/// A name as a namespace: what cannot stand in one becomes `_`.
fn namespace_of(name: &str) -> String {
    name.chars()
        .map(|c| {
            if c.is_alphanumeric() || c == '.' {
                c
            } else {
                '_'
            }
        })
        .collect()
}

/// The namespaces of the implicit usings, by SDK.
pub(crate) fn implicit_usings(sdks: &[SdkKind], identifier: &str) -> Vec<&'static str> {
    let mut usings = vec![
        "System",
        "System.Collections.Generic",
        "System.IO",
        "System.Linq",
        "System.Threading",
        "System.Threading.Tasks",
    ];
    if !identifier.eq_ignore_ascii_case(Family::NetFramework.identifier()) {
        usings.push("System.Net.Http");
    }
    for sdk in sdks {
        usings.extend_from_slice(match sdk {
            SdkKind::Web => &[
                "System.Net.Http.Json",
                "Microsoft.AspNetCore.Builder",
                "Microsoft.AspNetCore.Hosting",
                "Microsoft.AspNetCore.Http",
                "Microsoft.AspNetCore.Routing",
                "Microsoft.Extensions.Configuration",
                "Microsoft.Extensions.DependencyInjection",
                "Microsoft.Extensions.Hosting",
                "Microsoft.Extensions.Logging",
            ],
            SdkKind::Worker => &[
                "Microsoft.Extensions.Configuration",
                "Microsoft.Extensions.DependencyInjection",
                "Microsoft.Extensions.Hosting",
                "Microsoft.Extensions.Logging",
            ],
            SdkKind::Blazor => &[
                "Microsoft.Extensions.Configuration",
                "Microsoft.Extensions.DependencyInjection",
                "Microsoft.Extensions.Logging",
                "System.Net.Http.Json",
            ],
            _ => &[],
        });
    }
    usings
}
