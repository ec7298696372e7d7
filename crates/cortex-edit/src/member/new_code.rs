//! Code that a request brings: read alone, before any file has it.

use cortex_model::{DeclKind, LineTable};
use cortex_syntax::{Decl, FileFacts, ParseOptions, extract};

use crate::{EditError, member::MemberEdit};

/// Longer code is refused: it is parsed in this process.
const MAX_BYTES: usize = 1 << 20;

/// Where code is to stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Around<'a> {
    /// Among the members of a type of this name.
    Type(&'a str),
    /// Among the values of an enum.
    Enum,
    /// Outside of types.
    Namespace,
    /// As the body of a method.
    Body,
    /// As the body of an accessor.
    Accessor,
    /// As what follows the name of a property.
    Property,
}

impl Around<'_> {
    fn texts(self) -> (String, &'static str) {
        match self {
            Self::Type(name) => (format!("class {name} {{\n"), "\n}"),
            Self::Enum => ("enum E {\n".to_owned(), "\n}"),
            Self::Namespace => ("namespace N {\n".to_owned(), "\n}"),
            Self::Body => ("class C { void M()\n".to_owned(), "\n}"),
            Self::Accessor => ("class C { int P { get\n".to_owned(), "\n} }"),
            Self::Property => ("class C { int P\n".to_owned(), "\n}"),
        }
    }
}

/// Code that parses where it is to stand.
pub(super) struct NewCode {
    facts: FileFacts,
    /// How many bytes stand before it in the text of the facts.
    start: u32,
}

impl NewCode {
    /// Reads code.
    ///
    /// # Errors
    /// [`EditError::Refused`] with the line that does not parse, and for code that is not wholly inside of where it
    /// is to stand.
    pub(super) fn read(
        code: &str,
        around: Around<'_>,
        request: &MemberEdit<'_>,
    ) -> Result<Self, EditError> {
        if code.trim().is_empty() {
            return Err(request.refused("there is no new text", Vec::new()));
        }
        if code.len() > MAX_BYTES {
            return Err(request.refused("the new text is longer than 1 MiB", Vec::new()));
        }
        let (before, after) = around.texts();
        let text = format!("{before}{code}{after}");
        let facts = extract(text.as_bytes(), &ParseOptions::default());
        if let Some(error) = facts.errors.first() {
            let line = LineTable::new(text.as_bytes()).position(error.start).line;
            let last = code.lines().count().max(1) as u32;
            let line = line.saturating_sub(1).clamp(1, last);
            return Err(request.refused(
                format!("line {line} of the new text does not parse"),
                Vec::new(),
            ));
        }
        let start = before.len() as u32;
        let is_outside = |decl: &&Decl| decl.parent.is_none();
        let n_outside = facts.decls.iter().filter(is_outside).count();
        let is_whole = facts.decls.first().is_some_and(|decl| {
            decl.range.start == 0 && decl.range.end as usize >= text.trim_end().len()
        });
        if n_outside != 1 || !is_whole || !facts.usings.is_empty() {
            return Err(request.refused(
                "the new text does not end where it began: its braces close what is around it",
                Vec::new(),
            ));
        }
        let out = Self { facts, start };
        let n_members = out.members().count();
        match around {
            Around::Type(_) | Around::Enum if n_members == 0 => {
                Err(request.refused("the new text declares nothing", Vec::new()))
            }
            Around::Namespace if n_members == 0 || out.members().any(|it| !is_of_namespace(it)) => {
                Err(request.refused("the new text has to declare types", Vec::new()))
            }
            Around::Body | Around::Accessor | Around::Property if n_members != 1 => {
                Err(request.refused("the new text is more than a body", Vec::new()))
            }
            _ => Ok(out),
        }
    }

    /// What it declares, without what is inside of that.
    pub(super) fn members(&self) -> impl Iterator<Item = &Decl> {
        (self.facts.decls.iter()).filter(|decl| decl.parent == Some(0))
    }

    /// The kind of what it declares first.
    pub(super) fn kind(&self) -> DeclKind {
        self.members().next().map_or(DeclKind::Method, |it| it.kind)
    }

    /// The names of all that it declares.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let decls = self.facts.decls.iter().skip(1);
        decls.map(|decl| self.facts.name(decl.name))
    }

    /// Whether its first declaration has documentation.
    pub(super) fn has_docs(&self) -> bool {
        let mut members = self.members();
        members
            .next()
            .is_some_and(|decl| decl.doc_range.start < decl.doc_range.end)
    }

    /// All that it declares, with where the names start in the code.
    pub(super) fn declarations(
        &self,
    ) -> impl Iterator<Item = (Signature<'_>, std::ops::Range<usize>)> {
        let decls = self.facts.decls.iter().skip(1);
        decls.map(|decl| {
            let range = decl.name_range;
            let range = (range.start - self.start) as usize..(range.end - self.start) as usize;
            (Signature::of(&self.facts, decl, Some(0)), range)
        })
    }
}

fn is_of_namespace(decl: &Decl) -> bool {
    decl.kind.type_kind().is_some() || decl.kind == DeclKind::Namespace
}

/// What tells a declaration from its neighbors when both sides of an edit have it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Signature<'f> {
    /// The names of what is around it, inside of what is replaced.
    around: Vec<&'f str>,
    name: &'f str,
    kind: DeclKind,
    n_type_params: usize,
    n_params: Option<usize>,
}

impl<'f> Signature<'f> {
    /// Of a declaration, inside of another one.
    pub(super) fn of(facts: &'f FileFacts, decl: &'f Decl, top: Option<u32>) -> Self {
        let mut around = Vec::new();
        let mut parent = decl.parent;
        while parent != top {
            let Some(id) = parent else { break };
            let outer = &facts.decls[id as usize];
            around.push(facts.name(outer.name));
            parent = outer.parent;
        }
        Self {
            around,
            name: facts.name(decl.name),
            kind: decl.kind,
            n_type_params: decl.type_params.len(),
            n_params: decl.params.as_ref().map(Vec::len),
        }
    }

    /// The name.
    pub(super) fn name(&self) -> &'f str {
        self.name
    }

    /// Whether both have one name and kind: which overload is which may still differ.
    pub(super) fn is_called_like(&self, other: &Self) -> bool {
        self.around == other.around && self.name == other.name && self.kind == other.kind
    }
}
