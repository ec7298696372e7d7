//! Declarations and documentation as their source writes them: what depends on no other file.
//!
//! Must not know: the snapshot, what names refer to.

use cortex_bind::{MemberNode, PartRef};
use cortex_model::DeclKind;
use cortex_syntax::{Decl, FileFacts, TypeSyntax};
use cortex_wire::{DocNote, Documentation};

use crate::{
    declared,
    documentation::{
        crefs::short_name,
        parse::{Named, parse},
    },
};

/// The declaration of a type at one place, on one line and without its body. `text`: the decoded text of the file that
/// the facts describe.
pub fn type_declaration(text: &str, facts: &FileFacts, part: &PartRef) -> Option<String> {
    declared::head(text, declaration_at(facts, part)?)
}

/// The attributes of a type at one place whose names are among some, as written: `Obsolete("use B")`.
pub fn type_attributes(facts: &FileFacts, part: &PartRef, names: &[&str]) -> Vec<String> {
    declaration_at(facts, part).map_or_else(Vec::new, |decl| attributes(facts, decl, names))
}

/// The declaration of a member, on one line and without its body; `None` where it has no declaration of its own, as
/// the members of a primary constructor.
pub fn member_declaration(text: &str, facts: &FileFacts, member: &MemberNode) -> Option<String> {
    declared::declared(text, facts, member)
}

/// The attributes of a member whose names are among some, as written.
pub fn member_attributes(facts: &FileFacts, member: &MemberNode, names: &[&str]) -> Vec<String> {
    match facts.decls.get(member.decl as usize) {
        Some(decl) if !member.primary => attributes(facts, decl, names),
        _ => Vec::new(),
    }
}

/// The initial value of a constant or enum value, as its declaration on one line shows it.
pub fn member_value(facts: &FileFacts, member: &MemberNode) -> Option<String> {
    let decl = facts.decls.get(member.decl as usize)?;
    let is_shown = matches!(member.kind, DeclKind::Constant | DeclKind::EnumMember);
    let value = decl.value.filter(|_| is_shown)?;
    Some(declared::short_value(facts.name(value)))
}

fn declaration_at<'f>(facts: &'f FileFacts, part: &PartRef) -> Option<&'f Decl> {
    // Declarations stand in the order of the source, or nearly so where a file did not parse.
    let start = part.range.start;
    let first = facts.decls.partition_point(|decl| decl.range.start < start);
    let near = facts.decls[first..].iter();
    near.take_while(|decl| decl.range.start == start)
        .chain(&facts.decls)
        .find(|decl| decl.range == part.range)
}

fn attributes(facts: &FileFacts, decl: &Decl, names: &[&str]) -> Vec<String> {
    let named = decl.attributes.iter().filter_map(|attribute| {
        let TypeSyntax::Named(segments) = &attribute.name else {
            return None;
        };
        let reference = facts.refs.get(segments.last()?.reference as usize)?;
        let simple = facts.name(reference.name);
        let simple = simple.strip_suffix("Attribute").unwrap_or(simple);
        let name = names.iter().find(|name| **name == simple)?;
        Some(match attribute.arguments {
            Some(arguments) => format!("{name}({})", facts.name(arguments)),
            None => (*name).to_owned(),
        })
    });
    named.collect()
}

/// A documentation comment by itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WrittenDocumentation {
    /// Its sections. Symbols have the names that the comment writes.
    pub documentation: Documentation,
    /// From which symbols it inherits; `None` for the base.
    pub inherits: Vec<Option<String>>,
}

/// Reads a documentation comment, markers included, without resolving what it names or inherits.
pub fn written_documentation(comment: &str) -> WrittenDocumentation {
    let find = |written: &str, _: u32| Named {
        written: written.to_owned(),
        name: short_name(written, None),
        target: None,
    };
    let mut parsed = parse(comment, &find);
    parsed.docs.sections.sort_by_key(|section| section.kind);
    let is_written = |note: &DocNote| !matches!(note, DocNote::Inherited(_));
    parsed.docs.notes.retain(is_written);
    let inherits = parsed.inherits.into_iter();
    WrittenDocumentation {
        documentation: parsed.docs,
        inherits: inherits.map(|it| it.cref.map(|cref| cref.name)).collect(),
    }
}
