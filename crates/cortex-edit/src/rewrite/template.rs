//! Code with metavariables: `$x` stands for one expression, type, statement or name, `$$$x` for any number of arguments,
//! elements or statements.
//!
//! Owns: the notation. Must not know: what the code is compared with.

use cortex_model::ByteRange;
use cortex_syntax::{
    BodyId, BodyKind, FileFacts, Op, ParseOptions, extract,
    text::{Lexical, LexicalKind},
};

use crate::body_tree::{BodyTree, is_statement};

/// Longer ones are refused: nobody writes them, and parsing them costs.
const MAX_LENGTH: usize = 4096;

/// A pattern, or what takes its place.
#[derive(Clone, Debug)]
pub(super) struct Template {
    /// As the user wrote it.
    pub(super) source: String,
    /// The metavariables, by position.
    pub(super) holes: Vec<Hole>,
    /// The code around [`Template::source`] that makes it parse, with an identifier for each metavariable.
    text: String,
    facts: FileFacts,
    shape: Shape,
}

/// What a template is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    Expression(BodyId),
    /// One after another; none in what only takes code away.
    Statements(Vec<BodyId>),
}

/// A metavariable where it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Hole {
    /// Its name without `$`; one that is unlike any other for `$_`.
    pub(super) name: String,
    /// Whether it stands for any number.
    pub(super) is_many: bool,
    /// Where in the source.
    pub(super) range: ByteRange,
    /// Where its identifier is in the text that is parsed.
    pub(super) at: u32,
    /// Whether it stands for statements: it has a call with a semicolon for an identifier.
    pub(super) is_statement: bool,
}

impl Template {
    /// Reads a template.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub(super) fn parse(source: &str) -> Result<Self, String> {
        let source = source.trim();
        if source.len() > MAX_LENGTH {
            return Err(format!("it is longer than {MAX_LENGTH} bytes"));
        }
        let holes = holes_of(source)?;
        let attempts = [(EXPRESSION, false), (STATEMENTS, true), (STATEMENTS, false)];
        for (around, of_statements) in attempts {
            if let Some(found) = Self::within(source, &holes, around, of_statements) {
                return Ok(found);
            }
        }
        Err(format!(
            "`{source}` is neither an expression nor statements"
        ))
    }

    fn within(
        source: &str,
        holes: &[Hole],
        around: [&str; 2],
        of_statements: bool,
    ) -> Option<Self> {
        let mut text = around[0].to_owned();
        let (mut at, mut placed) = (0, Vec::with_capacity(holes.len()));
        for (number, hole) in holes.iter().enumerate() {
            let range = hole.range.as_usize();
            text.push_str(&source[at..range.start]);
            let before = source[..range.start].trim_end().chars().next_back();
            let has_semicolon = source[range.end..].trim_start().starts_with(';');
            let is_statement = of_statements
                && before.is_none_or(|it| matches!(it, '{' | '}' | ';'))
                && (hole.is_many || has_semicolon);
            placed.push(Hole {
                at: text.len() as u32,
                is_statement,
                ..hole.clone()
            });
            text.push_str(&format!("{HOLE}{number}"));
            text.push_str(match (is_statement, has_semicolon) {
                (false, _) => "",
                (true, false) => "();",
                (true, true) => "()",
            });
            at = range.end;
        }
        text.push_str(&source[at..]);
        let end = text.len();
        text.push_str(around[1]);
        let facts = extract(text.as_bytes(), &ParseOptions::default());
        if !facts.errors.is_empty() {
            return None;
        }
        let tree = BodyTree::new(&facts, &text);
        let inside = tree.tokens_in(ByteRange {
            start: around[0].len() as u32,
            end: end as u32,
        });
        let whole = inside.first().zip(inside.last());
        let whole = whole.map(|(first, last)| ByteRange {
            start: first.start,
            end: last.end,
        });
        let body = (0..facts.bodies.nodes().len() as BodyId)
            .find(|&id| tree.kind(id) == BodyKind::Body)?;
        let block = *tree.children(body).first()?;
        let statements = tree.children(block);
        let shape = match around == EXPRESSION {
            true => Shape::Expression(value_of(&tree, &statements, whole?)?),
            false if tree.kind(block) == BodyKind::Block => Shape::Statements(statements),
            false => return None,
        };
        Some(Self {
            source: source.to_owned(),
            holes: placed,
            shape,
            text,
            facts,
        })
    }

    pub(super) fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The tree of the code.
    pub(super) fn tree(&self) -> BodyTree<'_> {
        BodyTree::new(&self.facts, &self.text)
    }

    /// The metavariable whose identifier is at an offset of the tree.
    pub(super) fn hole_at(&self, offset: u32) -> Option<&Hole> {
        let found = self.holes.binary_search_by_key(&offset, |hole| hole.at);
        found.ok().map(|at| &self.holes[at])
    }

    /// The names that code must have to be like this, each once.
    pub(super) fn names(&self) -> Vec<&str> {
        let tree = self.tree();
        self.names_where(|id| tree.node(id).name().is_some())
    }

    /// Those that are no names of locals wherever they stand: the index knows which files mention them.
    pub(super) fn names_of_symbols(&self) -> Vec<&str> {
        let tree = self.tree();
        self.names_where(|id| {
            let is_name = matches!(tree.kind(id), BodyKind::Name | BodyKind::GenericName);
            let parent = tree.parent(id).map(|it| tree.kind(it));
            match parent {
                Some(BodyKind::MemberAccess) => is_name && tree.index_in_parent(id) > 0,
                Some(BodyKind::MemberBinding) => is_name,
                Some(BodyKind::ObjectCreation) => is_name && tree.index_in_parent(id) == 0,
                _ => false,
            }
        })
    }

    fn names_where(&self, is_meant: impl Fn(BodyId) -> bool) -> Vec<&str> {
        let tree = self.tree();
        let roots: &[BodyId] = match &self.shape {
            Shape::Expression(root) => std::slice::from_ref(root),
            Shape::Statements(all) => all,
        };
        let mut out: Vec<&str> = Vec::new();
        for id in roots.iter().flat_map(|&root| tree.within(root)) {
            let Some(name) = tree.node(id).name() else {
                continue;
            };
            let name = self.facts.name(name);
            // A predefined type is a keyword.
            let is_written = !name.starts_with(HOLE) && self.source.contains(name);
            if is_written && is_meant(id) && !out.contains(&name) {
                out.push(name);
            }
        }
        out
    }
}

/// What stands around an expression, and around statements.
const EXPRESSION: [&str; 2] = ["class C { async void M() { _ =\n", "\n; } }"];
const STATEMENTS: [&str; 2] = ["class C { async void M() {\n", "\n} }"];

/// How the identifiers begin that stand for metavariables.
const HOLE: &str = "__metavariable_";

/// The right side of the one assignment that there is, where it is all of the code.
fn value_of(tree: &BodyTree<'_>, statements: &[BodyId], whole: ByteRange) -> Option<BodyId> {
    let [statement] = statements else {
        return None;
    };
    let assignment = *tree.children(*statement).first()?;
    let is_plain = tree.kind(assignment) == BodyKind::Assignment
        && tree.node(assignment).flags == Op::Assign as u8;
    let value = *tree.children(assignment).get(1).filter(|_| is_plain)?;
    (tree.span(value) == whole && !is_statement(tree.kind(value))).then_some(value)
}

/// The metavariables of a text.
fn holes_of(source: &str) -> Result<Vec<Hole>, String> {
    let lexical = Lexical::of(source.as_bytes());
    let mut out: Vec<Hole> = Vec::new();
    let mut at = 0;
    while let Some(found) = source[at..].find('$') {
        let start = at + found;
        let rest = &source[start..];
        let n_signs = rest.len() - rest.trim_start_matches('$').len();
        let name = &rest[n_signs..];
        let is_word = |it: char| it == '_' || it.is_alphanumeric();
        let name = &name[..name.find(|it| !is_word(it)).unwrap_or(name.len())];
        at = start + n_signs + name.len();
        if lexical.at(start as u32) != LexicalKind::Code {
            continue;
        }
        if name.is_empty() || name.starts_with(|it: char| it.is_ascii_digit()) {
            return Err(format!("a name is missing behind `$` in `{source}`"));
        }
        if n_signs != 1 && n_signs != 3 {
            return Err(format!(
                "`{}{name}` is no metavariable: `$x` stands for one, `$$$x` for any number",
                &rest[..n_signs]
            ));
        }
        let is_many = n_signs == 3;
        let other = out.iter().find(|hole| hole.name == name);
        if other.is_some_and(|hole| hole.is_many != is_many) {
            return Err(format!("`${name}` and `$$${name}` are both there"));
        }
        out.push(Hole {
            name: match name {
                "_" => format!("_{start}"),
                name => name.to_owned(),
            },
            is_many,
            range: ByteRange {
                start: start as u32,
                end: at as u32,
            },
            at: 0,
            is_statement: false,
        });
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_and_statements_are_told_apart() {
        let shape = |source: &str| match Template::parse(source).map(|it| it.shape().clone()) {
            Ok(Shape::Expression(_)) => "expression".to_owned(),
            Ok(Shape::Statements(all)) => format!("{} statements", all.len()),
            Err(reason) => reason,
        };
        let cases = [
            ("Foo($x, $$$args)", "expression"),
            ("$a == null", "expression"),
            ("new List<$T> { $$$items }", "expression"),
            ("$x => $y", "expression"),
            ("$x += 1", "expression"),
            ("\"costs $five\"", "expression"),
            ("$\"{$x}\"", "expression"),
            ("await $x", "expression"),
            ("Foo($x);", "1 statements"),
            ("if ($c) { $$$body }", "1 statements"),
            ("var $v = $x; return $v;", "2 statements"),
            ("lock ($x) { $$$body }", "1 statements"),
            ("if ($c) { $one; $$$rest; }", "1 statements"),
            ("", "0 statements"),
            ("Foo($x", "`Foo($x` is neither an expression nor statements"),
            ("Foo($)", "a name is missing behind `$` in `Foo($)`"),
            (
                "Foo($$x)",
                "`$$x` is no metavariable: `$x` stands for one, `$$$x` for any number",
            ),
            ("Foo($x, $$$x)", "`$x` and `$$$x` are both there"),
        ];
        for (source, expected) in cases {
            assert_eq!(shape(source), expected, "{source}");
        }
    }
}
