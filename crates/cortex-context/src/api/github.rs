//! Workflow commands of GitHub: annotations at the lines that differ.

use std::fmt::Write;

use cortex_wire::{ApiAnswer, Severity};

use super::{ApiShown, shown, title};

/// One workflow command for each difference that is shown and not accepted: errors for breaking ones, warnings for
/// those that may break, notices for others.
pub fn api_github(answer: &ApiAnswer, what: ApiShown) -> String {
    let mut out = String::new();
    for assembly in &answer.assemblies {
        for it in shown(assembly, what).filter(|it| !it.allowed) {
            let level = match it.severity {
                Severity::Breaking => "error",
                Severity::SourceBreaking | Severity::Behavioral => "warning",
                Severity::Compatible => "notice",
            };
            let _ = writeln!(
                out,
                "::{level} file={},line={},title={}::{}",
                property(it.path.as_str()),
                it.line,
                property(&format!(
                    "{} {}",
                    it.rule,
                    title(it.severity).to_lowercase()
                )),
                message(&format!(
                    "{}: {} ({})",
                    it.symbol, it.reason, assembly.assembly
                )),
            );
        }
        for it in &assembly.undecided {
            let text = format!("{}: {} ({})", it.symbol, it.reason, assembly.assembly);
            let _ = writeln!(out, "::error title=undecided::{}", message(&text));
        }
    }
    for lone in &answer.gone {
        let text = format!("assembly {} removed", lone.assembly);
        let _ = writeln!(out, "::error title=CP0004 breaking::{}", message(&text));
    }
    out
}

/// Text after `::`.
pub(crate) fn message(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// The value of a property.
pub(crate) fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}
