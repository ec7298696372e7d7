//! `add-attribute`: attribute lists before the modifiers of a declaration.

use std::collections::BTreeSet;

use cortex_model::DeclKind;
use cortex_syntax::{
    ParseOptions, TypeSyntax, extract,
    text::{Lexical, LexicalKind},
};

use crate::{
    EditError,
    layout::indent_at,
    member::{Place, insertion, replace::only_white_before},
    text_edit::TextEdit,
};

/// Attributes that decide what other code means: every file with the name of what has them is compared.
const BINDING: [&str; 9] = [
    "AsyncMethodBuilder",
    "CollectionBuilder",
    "Extension",
    "IndexerName",
    "InlineArray",
    "InterpolatedStringHandler",
    "InterpolatedStringHandlerArgument",
    "OverloadResolutionPriority",
    "ParamCollection",
];

/// Attributes by which the compiler or the runtime does something else with what has them, or with those who use it.
const DECIDING: [&str; 14] = [
    "ComImport",
    "Conditional",
    "DefaultMember",
    "DllImport",
    "Experimental",
    "FieldOffset",
    "InlineArray",
    "LibraryImport",
    "ModuleInitializer",
    "RequiredMember",
    "StructLayout",
    "ThreadStatic",
    "UnmanagedCallersOnly",
    "UnsafeAccessor",
];

/// The attributes of lists in brackets that are known to change what code does.
pub(crate) fn deciding(lists: &str) -> Vec<String> {
    let lists = match lists.trim_start().starts_with('[') {
        true => lists.to_owned(),
        false => format!("[{lists}]"),
    };
    let facts = extract(
        format!("class C {{ {lists} void M() {{ }} }}").as_bytes(),
        &ParseOptions::default(),
    );
    let attributes = facts.decls.iter().flat_map(|decl| &decl.attributes);
    let deciding = attributes.filter_map(|attribute| {
        let TypeSyntax::Named(segments) = &attribute.name else {
            return None;
        };
        let reference = facts.refs.get(segments.last()?.reference as usize)?;
        let name = facts.name(reference.name);
        let name = name.strip_suffix("Attribute").unwrap_or(name);
        let arguments = attribute.arguments.map_or("", |it| facts.name(it));
        // Uses of what is obsolete are warned of, or forbidden.
        let is_error = || name == "Obsolete" && arguments.contains("true");
        (DECIDING.contains(&name) || is_error()).then(|| format!("[{name}]"))
    });
    deciding.collect()
}

/// Longer ones are refused: they are parsed in this process.
const MAX_BYTES: usize = 1 << 16;

impl Place<'_> {
    /// The edit that writes attributes, and the names whose meaning they may decide.
    pub(super) fn add_attribute(
        &self,
        new: &str,
    ) -> Result<(Vec<TextEdit>, BTreeSet<String>), EditError> {
        if let Some(other) = self.shares_declaration() {
            let reason = format!("it is declared together with `{other}`: declare it alone first");
            return Err(self.request.refused(reason, Vec::new()));
        }
        let lists = self.lists(new)?;
        let (text, decl) = (self.text(), self.at.decl());
        let start = decl.range.start as usize;
        let plain = |text: &str| -> String { text.split_whitespace().collect() };
        let at = behind_lists(text, start, decl.name_range.start as usize);
        if plain(&text[start..at]).contains(&plain(&lists)) {
            return Err(EditError::NoChange {
                doing: self.request.title(),
            });
        }
        let written = match only_white_before(text, at) {
            true => {
                let indent = indent_at(text, at);
                let laid = self.layout.laid(&lists, indent);
                format!("{}{}{indent}", laid.trim_start(), self.layout.line_end)
            }
            false => {
                let words: Vec<&str> = lists.split_whitespace().collect();
                format!("{} ", words.join(" "))
            }
        };
        let mut words = lists.split(|it: char| it != '_' && !it.is_alphanumeric());
        let decides = words.any(|word| {
            let short = word.strip_suffix("Attribute").unwrap_or(word);
            BINDING.contains(&short)
        });
        let names = match decides {
            true => Self::names([self.at.name()].into_iter()),
            false => BTreeSet::new(),
        };
        Ok((vec![insertion(at, written)], names))
    }

    /// The lists that a text is, in brackets.
    fn lists(&self, new: &str) -> Result<String, EditError> {
        let new = new.trim();
        let lists = match new.starts_with('[') {
            true => new.to_owned(),
            false => format!("[{new}]"),
        };
        let refused = || {
            let help = "give a name and its arguments, or lists in brackets";
            let reason = "that is no attribute";
            Err(self.request.refused(reason, vec![help.to_owned()]))
        };
        if lists.len() > MAX_BYTES {
            return refused();
        }
        let before = "class C\n{\n";
        let text = format!("{before}{lists}\nvoid M() {{ }}\n}}\n");
        let facts = extract(text.as_bytes(), &ParseOptions::default());
        let [class, method] = facts.decls.as_slice() else {
            return refused();
        };
        let is_whole = class.range.end as usize == text.trim_end().len()
            && method.range.start as usize == before.len();
        let is_one = method.kind == DeclKind::Method
            && facts.name(method.name) == "M"
            && !method.attributes.is_empty();
        let has_directive = lists.lines().any(|line| line.trim_start().starts_with('#'));
        match facts.errors.is_empty() && is_whole && is_one && !has_directive {
            true => Ok(lists),
            false => refused(),
        }
    }
}

/// Where a declaration goes on behind its attribute lists.
fn behind_lists(text: &str, start: usize, name: usize) -> usize {
    let lexical = Lexical::of(text.as_bytes());
    let is_code = |at: usize| {
        !matches!(
            lexical.at(at as u32),
            LexicalKind::Comment | LexicalKind::String
        )
    };
    let bytes = text.as_bytes();
    let mut at = start;
    let mut depth = 0_usize;
    while at < name {
        let byte = bytes[at];
        if byte == b'#' && depth == 0 && only_white_before(text, at) {
            at += text[at..].find('\n').unwrap_or(text.len() - at);
            continue;
        }
        if is_code(at) {
            match byte {
                b'[' => depth += 1,
                b']' => depth = depth.saturating_sub(1),
                _ if depth == 0 && !byte.is_ascii_whitespace() => return at,
                _ => {}
            }
        }
        at += 1;
    }
    start
}
