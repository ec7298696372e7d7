//! Items that come from SDKs instead of files.

use std::rc::Rc;

use crate::{
    framework::Family,
    glob::Pattern,
    sdk::{SdkKind, Synthetic, implicit_usings},
};

use super::{Item, Items, Selection, Spec};

impl Items<'_, '_> {
    pub(super) fn synthetic(&mut self, synthetic: Synthetic) {
        match synthetic {
            Synthetic::DefaultCompile => self.default_compile(),
            Synthetic::ImplicitUsings => {
                if self.evaluation.has_implicit_usings() {
                    let identifier = self.evaluation.text("TargetFrameworkIdentifier");
                    for name in implicit_usings(&self.evaluation.sdks, &identifier) {
                        self.add_name("using", name);
                    }
                }
            }
            Synthetic::ImplicitReferences => self.implicit_references(),
            Synthetic::MsTestUsings => {
                if self.evaluation.has_implicit_usings() {
                    self.add_name("using", "Microsoft.VisualStudio.TestTools.UnitTesting");
                }
            }
            Synthetic::DesktopUsings => self.desktop_usings(),
            Synthetic::PackageUsings => self.package_usings(),
        }
    }

    fn default_compile(&mut self) {
        let on = |name: &str| self.evaluation.is(name, "true");
        if !on("EnableDefaultItems") || !on("EnableDefaultCompileItems") {
            return;
        }
        let folder = self.evaluation.project_folder;
        let mut excluded = Selection::new("compile");
        for text in self.evaluation.default_excludes() {
            if let Some(pattern) = Pattern::new(folder, &text) {
                excluded.add_pattern(pattern);
            }
        }
        if let Some(pattern) = Pattern::new(folder, "**/*.cs") {
            self.add_matches(&pattern, &excluded, "compile");
        }
    }

    fn implicit_references(&mut self) {
        if self
            .evaluation
            .is("DisableImplicitFrameworkReferences", "true")
        {
            return;
        }
        let identifier = self.evaluation.text("TargetFrameworkIdentifier");
        let version = self.evaluation.text("_TargetFrameworkVersionWithoutV");
        let major: u32 = version
            .split('.')
            .next()
            .and_then(|major| major.parse().ok())
            .unwrap_or_default();
        if identifier.eq_ignore_ascii_case(Family::NetStandard.identifier()) && version != "2.1" {
            let package = if major < 2 { "1.6.1" } else { "2.0.3" };
            let item = Item {
                spec: Spec::Text("NETStandard.Library".into()),
                metadata: Rc::from([("version".into(), package.to_owned())]),
            };
            self.add("packagereference", item);
        }
        if identifier.eq_ignore_ascii_case(Family::NetCoreApp.identifier()) && major >= 3 {
            self.add_name("frameworkreference", "Microsoft.NETCore.App");
            if self.evaluation.sdks.contains(&SdkKind::Web) {
                self.add_name("frameworkreference", "Microsoft.AspNetCore.App");
            }
            if self.evaluation.is("UseWPF", "true") || self.evaluation.is("UseWindowsForms", "true")
            {
                self.add_name("frameworkreference", "Microsoft.WindowsDesktop.App");
            }
        }
    }

    fn desktop_usings(&mut self) {
        if !self.evaluation.has_implicit_usings() {
            return;
        }
        if self.evaluation.is("UseWPF", "true")
            && let Some(usings) = self.by_type.get_mut("using")
        {
            usings.retain(|item| {
                !matches!(&item.spec, Spec::Text(name) if matches!(&**name, "System.IO" | "System.Net.Http"))
            });
        }
        if self.evaluation.is("UseWindowsForms", "true") {
            self.add_name("using", "System.Drawing");
            self.add_name("using", "System.Windows.Forms");
        }
    }

    /// Of the test frameworks only TUnit brings usings with its packages.
    fn package_usings(&mut self) {
        let references = |name: &str| {
            let packages = self.of("packagereference").iter();
            let mut names = packages.map(|item| self.identity(item));
            names.any(|package| package.eq_ignore_ascii_case(name))
        };
        let whole = references("TUnit");
        let core = whole || references("TUnit.Core") || references("TUnit.Engine");
        let assertions = whole || references("TUnit.Assertions");
        if core && !self.evaluation.is("TUnitImplicitUsings", "false") {
            self.add_name("using", "TUnit.Core");
            let hook = Item {
                spec: Spec::Text("TUnit.Core.HookType".into()),
                metadata: Rc::from([("static".into(), "true".to_owned())]),
            };
            self.add("using", hook);
        }
        if assertions && !self.evaluation.is("TUnitAssertionsImplicitUsings", "false") {
            self.add_name("using", "TUnit.Assertions");
            self.add_name("using", "TUnit.Assertions.Extensions");
        }
    }

    fn add_name(&mut self, item_type: &str, name: &str) {
        let item = Item {
            spec: Spec::Text(name.into()),
            metadata: Rc::default(),
        };
        self.add(item_type, item);
    }
}
