//! Differences that a team accepts: identifiers, and the suppression files of the .NET SDK.

use cortex_wire::{ApiAnswer, ApiDifference};

use thiserror::Error;

/// What a gate lets pass.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Allowed {
    /// Rules that may be broken anywhere.
    rules: Vec<String>,
    entries: Vec<Entry>,
}

/// One `<Suppression>`; what it does not say, it does not ask for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Entry {
    rule: Option<String>,
    target: Option<String>,
    /// The assembly's name, off the path of a library.
    assembly: Option<String>,
}

/// A suppression file that cannot be read.
#[derive(Debug, Error)]
pub enum SuppressionError {
    /// It is no XML.
    #[error("line {line}: {reason}")]
    Xml {
        /// The 1-based line.
        line: u32,
        /// What is wrong.
        reason: String,
    },
    /// Its root is not `Suppressions`.
    #[error("the root element is `{0}`, not `Suppressions`")]
    Root(String),
    /// An element says nothing, and would allow everything.
    #[error("line {line}: a `Suppression` without `DiagnosticId`, `Target` and library")]
    Empty {
        /// The 1-based line.
        line: u32,
    },
}

impl Allowed {
    /// Allows whatever some rules report, by their identifiers in any case.
    pub fn of_rules(rules: &[String]) -> Self {
        Self {
            rules: rules.to_vec(),
            ..Self::default()
        }
    }

    /// Adds what a suppression file of the SDK allows (`CompatibilitySuppressions.xml`).
    pub fn add_file(&mut self, text: &str) -> Result<(), SuppressionError> {
        let document = roxmltree::Document::parse(text).map_err(|error| SuppressionError::Xml {
            line: error.pos().row,
            reason: error.to_string(),
        })?;
        let root = document.root_element();
        if root.tag_name().name() != "Suppressions" {
            return Err(SuppressionError::Root(root.tag_name().name().to_owned()));
        }
        let is_entry = |node: &roxmltree::Node<'_, '_>| node.has_tag_name("Suppression");
        for node in root.children().filter(is_entry) {
            let value = |name: &str| {
                let child = node.children().find(|child| child.has_tag_name(name))?;
                let text = child.text()?.trim();
                (!text.is_empty()).then(|| text.to_owned())
            };
            let library = value("Right").or_else(|| value("Left"));
            let entry = Entry {
                rule: value("DiagnosticId"),
                target: value("Target"),
                assembly: library.as_deref().map(assembly),
            };
            if entry == Entry::default() {
                let line = document.text_pos_at(node.range().start).row;
                return Err(SuppressionError::Empty { line });
            }
            self.entries.push(entry);
        }
        Ok(())
    }

    /// Marks the differences that may be there.
    pub fn mark(&self, answer: &mut ApiAnswer) {
        for assembly in &mut answer.assemblies {
            for difference in &mut assembly.differences {
                difference.allowed = self.allows(&assembly.assembly, difference);
            }
        }
    }

    /// Whether a difference of an assembly may be there.
    pub fn allows(&self, assembly: &str, difference: &ApiDifference) -> bool {
        let is_rule = |rule: &String| rule.eq_ignore_ascii_case(&difference.rule);
        self.rules.iter().any(is_rule)
            || self.entries.iter().any(|entry| {
                let is_target = |target: &String| *target == difference.symbol;
                let is_assembly = |name: &String| name.eq_ignore_ascii_case(assembly);
                entry.rule.as_ref().is_none_or(is_rule)
                    && entry.target.as_ref().is_none_or(is_target)
                    && entry.assembly.as_ref().is_none_or(is_assembly)
            })
    }
}

/// `lib/net10.0/Name.dll`: `Name`.
fn assembly(path: &str) -> String {
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    file.strip_suffix(".dll").unwrap_or(file).to_owned()
}
