//! Text to tree: the pipeline preprocess, repair, parse, and where the tree has errors.
//!
//! Must not know: what the nodes of the tree mean.

use super::preprocess::{Preprocessed, preprocess};
use super::repair::{Repair, repair};
use cortex_model::ByteRange;
use std::borrow::Cow;
use std::ops::ControlFlow;
use tree_sitter::{Language, Node, ParseOptions, ParseState, Parser, Tree};

/// Called now and then during a parse with the byte offset reached; `Break` gives the parse up.
pub type ProgressHook<'a> = &'a mut dyn FnMut(usize) -> ControlFlow<()>;

/// A parser for C#, to be used for many texts.
pub struct CSharpParser {
    parser: Parser,
}

impl CSharpParser {
    /// Creates a parser.
    pub fn new() -> Self {
        let mut parser = Parser::new();
        parser
            .set_language(&Language::new(tree_sitter_c_sharp::LANGUAGE))
            .expect("the linked grammar has the version of the linked library");
        Self { parser }
    }

    /// Parses a text as it is. `None`: the parser gave up.
    pub(crate) fn read(&mut self, text: &[u8]) -> Option<Read> {
        let tree = self.tree(text, None)?;
        Some(Read {
            errors: errors(&tree),
            tree,
        })
    }

    fn tree(&mut self, text: &[u8], progress: Option<&mut ProgressHook<'_>>) -> Option<Tree> {
        let Some(progress) = progress else {
            return self.parser.parse(text, None);
        };
        let mut hook = |state: &ParseState| progress(state.current_byte_offset());
        let options = ParseOptions::new().progress_callback(&mut hook);
        let mut read = |offset: usize, _| text.get(offset..).unwrap_or_default();
        let tree = self
            .parser
            .parse_with_options(&mut read, None, Some(options));
        if tree.is_none() {
            self.parser.reset();
        }
        tree
    }
}

/// A tree, and where it has errors.
pub(crate) struct Read {
    pub(crate) tree: Tree,
    /// See [`Parsed::errors`].
    pub(crate) errors: Vec<ByteRange>,
}

impl Read {
    pub(crate) fn badness(&self) -> u64 {
        badness(&self.errors)
    }
}

impl Default for CSharpParser {
    fn default() -> Self {
        Self::new()
    }
}

/// The tree of one text.
#[derive(Debug)]
pub struct Parsed {
    /// Ranges are ranges of the decoded text; read names and literals from there.
    pub tree: Tree,
    /// The text without its directives, and the inactive regions.
    pub preprocessed: Preprocessed,
    /// Where the parser saw something else than what is written. Ascending by range; empty for
    /// nearly every text.
    pub repairs: Vec<Repair>,
    /// Where the tree has `ERROR` nodes and missing tokens (empty ranges), in the order of the
    /// text, outermost only. Empty: the whole text is understood.
    pub errors: Vec<ByteRange>,
}

impl Parsed {
    pub(crate) fn badness(&self) -> u64 {
        badness(&self.errors)
    }
}

/// Preprocesses, parses and, where the grammar asks for it, repairs a decoded text.
///
/// A text is parsed a second time only when the first tree has errors and the other form of the
/// text differs. `None`: the hook gave up. Time and memory beyond the hook's reach are the
/// caller's to bound; a tree takes some hundred times its text.
pub fn parse(
    parser: &mut CSharpParser,
    text: &[u8],
    symbols: &dyn Fn(&str) -> bool,
    mut progress: Option<ProgressHook<'_>>,
) -> Option<Parsed> {
    let preprocessed = preprocess(text, symbols);
    let plain = &preprocessed.text;
    let forms = if needs_repair(plain) {
        [Form::Repaired, Form::Plain]
    } else {
        [Form::Plain, Form::Repaired]
    };
    let mut best: Option<Attempt> = None;
    for form in forms {
        let (text, repairs) = match form {
            Form::Plain => (Cow::Borrowed(plain), Vec::new()),
            Form::Repaired => {
                let repaired = repair(plain);
                (Cow::Owned(repaired.text), repaired.repairs)
            }
        };
        // Equal repairs, equal text.
        if best.as_ref().is_some_and(|best| best.repairs == repairs) {
            continue;
        }
        let tree = parser.tree(&text, progress.as_mut())?;
        let attempt = Attempt {
            errors: errors(&tree),
            tree,
            repairs,
        };
        if best
            .as_ref()
            .is_none_or(|best| attempt.badness() < best.badness())
        {
            best = Some(attempt);
        }
        if best.as_ref().is_some_and(|best| best.errors.is_empty()) {
            break;
        }
    }
    best.map(|best| Parsed {
        tree: best.tree,
        repairs: best.repairs,
        errors: best.errors,
        preprocessed,
    })
}

#[derive(Clone, Copy)]
enum Form {
    Plain,
    Repaired,
}

struct Attempt {
    tree: Tree,
    repairs: Vec<Repair>,
    errors: Vec<ByteRange>,
}

impl Attempt {
    fn badness(&self) -> u64 {
        badness(&self.errors)
    }
}

/// How many bytes are not understood; a missing token counts as one.
fn badness(errors: &[ByteRange]) -> u64 {
    let bytes = |range: &ByteRange| u64::from(range.end - range.start) + 1;
    errors.iter().map(bytes).sum()
}

/// Whether a text is all but certain to be misunderstood without a repair, so that the plain
/// parse can be spared.
fn needs_repair(text: &[u8]) -> bool {
    const SIGNS: [&[u8]; 4] = [
        b"bool async",
        b"allows ref struct",
        b"ref partial struct",
        // `$"{{{x}}}"`: the grammar loses the hole.
        b"{{{",
    ];
    SIGNS
        .iter()
        .any(|sign| memchr::memmem::find(text, sign).is_some())
        || has_declaration(text, b"extension")
        || has_declaration(text, b"union")
        || memchr::memmem::find_iter(text, b") = ").any(|at| is_call(&text[..=at]))
}

/// Whether `word` stands where it can start an extension block or a union. The grammar takes
/// `extension(C) { }` for a constructor and `union U(C);` for a function, which is no error.
fn has_declaration(text: &[u8], word: &[u8]) -> bool {
    memchr::memmem::find_iter(text, word).any(|at| {
        let before = at.checked_sub(1).map(|before| text[before]);
        let after = text.get(at + word.len());
        before.is_none_or(|byte| byte.is_ascii_whitespace())
            && matches!(after, Some(b'(' | b'<' | b' '))
    })
}

/// Whether a text ends in what can be a call. The grammar takes `A.B(c) = d;` for the declaration
/// of a variable `(c)` of type `A.B`, which is no error.
fn is_call(text: &[u8]) -> bool {
    const REACH: usize = 200;
    let mut depth = 0;
    for (i, &byte) in text.iter().enumerate().rev().take(REACH) {
        match byte {
            b')' => depth += 1,
            b'(' => depth -= 1,
            b'\n' => return false,
            _ => {}
        }
        if depth == 0 {
            let callee = &text[..i];
            return callee
                .last()
                .is_some_and(|&last| last.is_ascii_alphanumeric() || matches!(last, b'_' | b'>'));
        }
    }
    false
}

/// The outermost `ERROR` nodes and the missing tokens of a tree. Visits only nodes that hold one.
fn errors(tree: &Tree) -> Vec<ByteRange> {
    let mut errors = Vec::new();
    if !tree.root_node().has_error() {
        return errors;
    }
    let mut cursor = tree.walk();
    // How many errors were known at each node above.
    let mut known = Vec::new();
    loop {
        let node = cursor.node();
        let holds_error = node.has_error() && !node.is_error() && !node.is_missing();
        if holds_error && cursor.goto_first_child() {
            known.push(errors.len());
            continue;
        }
        if node.has_error() || node.is_missing() {
            errors.push(range(node));
        }
        while !cursor.goto_next_sibling() {
            let (true, Some(before)) = (cursor.goto_parent(), known.pop()) else {
                return errors;
            };
            // A missing token that the tree does not show as a node.
            if errors.len() == before {
                errors.push(range(cursor.node()));
            }
        }
    }
}

fn range(node: Node<'_>) -> ByteRange {
    ByteRange {
        start: node.start_byte() as u32,
        end: node.end_byte() as u32,
    }
}

#[cfg(test)]
mod tests {
    use super::{CSharpParser, parse};
    use std::ops::ControlFlow;

    #[track_caller]
    fn check_errors(text: &str, expected: &[&str]) {
        let parsed = parse(&mut CSharpParser::new(), text.as_bytes(), &|_| false, None)
            .expect("nothing stops the parse");
        let errors: Vec<&str> = parsed
            .errors
            .iter()
            .map(|range| &text[range.as_usize()])
            .collect();
        assert_eq!(errors, expected);
    }

    #[test]
    fn directives_do_not_reach_the_grammar() {
        check_errors(
            "class C { int[] a = {\n#if X\n1,\n#else\n2,\n#endif\n3 }; }",
            &[],
        );
        check_errors(
            "#:package Foo@1.0.0\nclass C{}\n#pragma warning restore 1",
            &[],
        );
        check_errors(
            "class C { void M() { }\n#if X\n}\nclass D {\n#endif\n}",
            &[],
        );
    }

    #[test]
    fn errors_are_the_outermost_nodes() {
        check_errors("class C { int x = ; }", &["="]);
        check_errors("class C { void M() { F(; } }", &[""]);
        check_errors("class C { void M(ref int) { } }", &[""]);
        check_errors("class C { }", &[]);
    }

    #[test]
    fn a_hook_can_give_up_and_the_parser_stays_usable() {
        let text = "class C { void M() { F(1); } }\n".repeat(5_000);
        let mut parser = CSharpParser::new();
        let mut stop = |_| ControlFlow::Break(());
        assert!(parse(&mut parser, text.as_bytes(), &|_| false, Some(&mut stop)).is_none());
        let mut go_on = |_| ControlFlow::Continue(());
        let parsed = parse(&mut parser, b"class C;", &|_| false, Some(&mut go_on));
        assert!(parsed.expect("the hook goes on").errors.is_empty());
    }

    #[test]
    fn depth_is_no_recursion() {
        let text = format!("class C {{ int x = {}; }}", "(".repeat(100_000));
        let parsed = parse(&mut CSharpParser::new(), text.as_bytes(), &|_| false, None);
        assert!(!parsed.expect("nothing stops the parse").errors.is_empty());
    }
}
