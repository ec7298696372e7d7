//! What the semantics file of a type says, for windows and packs.

use cortex_bind::TypeNode;
use cortex_context::text::line as shown;
use cortex_derived::source::Source;
use cortex_model::TypeKey;
use cortex_wire::SemanticSection;

use super::{FOLDERS, SemanticHeader};
use crate::{FreshError, committed::Committed};

/// So many lines of one section are read.
const MAX_LINES: usize = 200;

/// The sections of a semantics file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Semantics {
    is_stale: bool,
    /// By importance.
    sections: Vec<(SemanticSection, String)>,
}

/// What the semantics file of a type says; nothing where there is none.
pub(crate) fn of_type(
    source: Source<'_>,
    committed: &Committed,
    key: TypeKey,
    node: &TypeNode,
) -> Result<Semantics, FreshError> {
    let id = key.short_id(8);
    for folder in FOLDERS {
        let path = format!("{folder}{id}.semantic.md");
        let Some(text) = committed.text(source.index, source.side, &path)? else {
            continue;
        };
        let header = SemanticHeader::read(&text);
        let is_fresh = header.is_some_and(|header| {
            let implementation = node.hashes.implementation.to_string();
            header.structure == Some(node.structure().short())
                && header.implementation.is_none_or(|it| it == implementation)
        });
        return Ok(Semantics {
            is_stale: !is_fresh,
            sections: sections(&text),
        });
    }
    Ok(Semantics::default())
}

/// The sections of a file, by importance.
fn sections(text: &str) -> Vec<(SemanticSection, String)> {
    let mut out: Vec<(SemanticSection, Vec<String>)> = Vec::new();
    let mut is_known = false;
    for line in text.lines() {
        if let Some((name, rest)) = opened(line) {
            let known = SemanticSection::ALL.iter().find(|it| it.name() == name);
            is_known = known.is_some();
            if let Some(section) = known {
                out.push((*section, Vec::new()));
            }
            if let (true, Some((_, lines))) = (!rest.is_empty(), out.last_mut())
                && is_known
            {
                lines.push(shown(rest).into_owned());
            }
        } else if is_known
            && let Some((_, lines)) = out.last_mut()
            && lines.len() < MAX_LINES
        {
            lines.push(shown(line.trim_end()).into_owned());
        }
    }
    let mut out: Vec<(SemanticSection, String)> = (out.into_iter())
        .map(|(section, lines)| (section, lines.join("\n").trim().to_owned()))
        .filter(|(_, text)| !text.is_empty())
        .collect();
    out.sort_by_key(|(section, _)| *section);
    out.dedup_by_key(|(section, _)| *section);
    out
}

/// The name of the section that a line opens, in capitals with a colon, and what follows on the line.
fn opened(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.split_once(':')?;
    let is_name = name.len() > 1 && name.bytes().all(|it| it.is_ascii_uppercase() || it == b'_');
    is_name.then(|| (name, rest.trim()))
}

impl Semantics {
    /// The sections, the most important first.
    pub(crate) fn parts(&self) -> Vec<(SemanticSection, &str)> {
        let parts = self.sections.iter();
        parts
            .map(|(section, text)| (*section, text.as_str()))
            .collect()
    }

    /// An outline with sections behind it, which say whether they are stale.
    pub(crate) fn append(&self, outline: &str, parts: &[(SemanticSection, &str)]) -> String {
        let note = if self.is_stale { " (stale)" } else { "" };
        appended(outline, parts, note)
    }

    /// An outline with the first sections behind it. Whether they are stale is left out, so that code decides nothing.
    pub(crate) fn append_first(&self, outline: &str, n_parts: usize) -> String {
        let parts = self.parts();
        appended(outline, &parts[..n_parts.min(parts.len())], "")
    }
}

fn appended(outline: &str, parts: &[(SemanticSection, &str)], note: &str) -> String {
    let mut out = outline.to_owned();
    for (section, text) in parts {
        // A heading would begin another type.
        let text = text.replace("\n#", "\n\\#");
        out.push_str(&format!("\n{}{note}: {text}\n", section.name()));
    }
    out
}

#[cfg(test)]
mod tests {
    use cortex_wire::SemanticSection;

    use super::sections;

    #[test]
    fn sections_are_read_in_the_order_of_their_importance() {
        let text = "# Semantic: A.B T_12345678\nStructureHash: 1\nLIMITATIONS: none\nROLE: does\n  things\n\
            NOTES: not taken\nmore\nROLE:\nagain\nLIFECYCLE:\n";
        let found = sections(text);
        assert_eq!(
            found,
            [
                (SemanticSection::Role, "does\n  things".to_owned()),
                (SemanticSection::Limitations, "none".to_owned()),
            ]
        );
    }
}
