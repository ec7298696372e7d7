//! What a window takes from the semantics file of a type.

use cortex_bind::TypeNode;
use cortex_derived::source::Source;
use cortex_model::TypeKey;
use cortex_wire::SemanticSection;

use super::shown_line;
use crate::{
    FreshError,
    committed::Committed,
    semantics::{FOLDERS, SemanticHeader},
};

/// So many lines of one section are read.
const MAX_LINES: usize = 200;

/// The sections of a semantics file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Semantics {
    is_stale: bool,
    /// By importance.
    sections: Vec<(SemanticSection, String)>,
}

/// What the semantics file of a type says; nothing where there is none.
pub(super) fn of_type(
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
            let implementation = node.hashes.implementation().short();
            header.structure == Some(node.hashes.structure.short())
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
                lines.push(shown_line(rest));
            }
        } else if is_known
            && let Some((_, lines)) = out.last_mut()
            && lines.len() < MAX_LINES
        {
            lines.push(shown_line(line.trim_end()));
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
    pub(super) fn parts(&self) -> Vec<(SemanticSection, &str)> {
        let parts = self.sections.iter();
        parts
            .map(|(section, text)| (*section, text.as_str()))
            .collect()
    }

    /// An outline with sections behind it.
    pub(super) fn append(&self, outline: &str, parts: &[(SemanticSection, &str)]) -> String {
        let mut out = outline.to_owned();
        for (section, text) in parts {
            let stale = if self.is_stale { " (stale)" } else { "" };
            out.push_str(&format!("\n{}{stale}: {text}\n", section.name()));
        }
        out
    }
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
