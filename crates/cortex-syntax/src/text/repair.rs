//! Rewrites of a text, before the parse, that carry the grammar over what it has no rule for.
//!
//! A rewrite keeps the length and every line, keeps the ranges of names, types and expressions
//! true, and never touches a comment. Names and literals are read from the original text by the
//! ranges of the tree; [`RepairKind`] says what the tree shows instead of what was written.
//! Tokens decide, never text: each rule is a few tokens around a word or an operator.
//! Must not know: the parser.

mod assignments;
mod declarations;
mod identifiers;
mod patterns;
mod pointers;
mod strings;
mod tokens;
mod white_space;

use super::lexer::TokenKind;
use cortex_model::ByteRange;
use tokens::Tokens;
pub use tokens::is_keyword;
pub(super) use tokens::is_predefined_type;

/// What was rewritten, and what the tree shows for it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RepairKind {
    /// `extension(string s) { … }`, the range that of `extension`. The tree has a struct whose
    /// name lies inside the range; the receiver is its parameter list, or its base list where
    /// only a type is given.
    ExtensionBlock,
    /// `operator +=`, the range that of the operator. The tree has the operator without `=`.
    CompoundAssignmentOperator,
    /// `allows ref struct`, the range from the first word to the last. The tree has the
    /// constraint `struct`.
    AllowsRefStruct,
    /// `ref` before `partial struct`, the range that of `ref`. The tree has a modifier.
    RefModifier,
    /// `unsafe` of a finalizer, `unsafe ~C()`. The tree has `extern`, or nothing where `extern`
    /// is written as well.
    FinalizerModifier,
    /// `union Pet(Cat, Dog)`, the range that of `union`. The tree has a class whose base list is
    /// the list of case types.
    Union,
    /// `closed` of a class. The tree has a modifier of that range.
    ClosedModifier,
    /// The label of `break outer` or `continue outer`. The tree does not have it.
    JumpLabel,
    /// A contextual keyword that is a name. The tree has an identifier of that range.
    ContextualIdentifier,
    /// The `?` of `a?.b = c` or `a?[0] = c`. The tree has a plain member or element access.
    NullConditionalAssignment,
    /// `ref`, `in`, `out`, `scoped` or `readonly` of a lambda parameter. Where the tree has a
    /// modifier of that range, its original text is the modifier; else it is not in the tree.
    LambdaParameterModifier,
    /// The `..` of a list pattern. The tree has the pattern after it in its place; where there is
    /// none, a discard or an identifier inside the range.
    SlicePattern,
    /// `[a, b]` before `when`. The tree has a parenthesized or positional pattern.
    ListPattern,
    /// An assignment operator and the blanks around it, after a target that is no variable by
    /// form, `F(0) = x`. The tree assigns to a member of the target whose name lies inside the
    /// range.
    AssignmentTarget,
    /// The `!` of `a! = b`. The tree does not have it.
    SuppressedTarget,
    /// A `*` that reads through a pointer, `*(int*)p`. The tree has the operator `~`.
    PointerIndirection,
    /// `*(int*)p = x`, `*&p[0] = x`: one repair for the first `*` and the blank before it, one for the
    /// assignment operator. The tree assigns `(int*)p ?? x` to a discard inside the first range.
    PointerStore,
    /// The `$` of `$""`. The tree has a plain string.
    EmptyInterpolation,
    /// Doubled quotes or braces in an interpolated string. The tree has the string as it is.
    InterpolationText,
    /// `checked` or `unchecked` of a constant pattern or a statement. The tree has the
    /// parenthesized operand.
    CheckedOperand,
    /// A soft hyphen in an identifier. The tree has two underscores.
    SoftHyphen,
    /// White space that the grammar does not know. The tree does not show white space.
    WhiteSpace,
}

/// One rewrite.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Repair {
    /// Every byte that was written, or the token that [`RepairKind`] names.
    pub range: ByteRange,
    /// What it was.
    pub kind: RepairKind,
}

/// A text after its rewrites.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repaired {
    /// The same length and lines as the input.
    pub text: Vec<u8>,
    /// Ascending by range.
    pub repairs: Vec<Repair>,
}

/// Rewrites what the grammar has no rule for. `text` is preprocessed.
///
/// O(bytes), without recursion; looks at most a fixed number of tokens around each.
pub fn repair(text: &[u8]) -> Repaired {
    let tokens = Tokens::new(text);
    let mut rewriter = Rewriter {
        tokens: &tokens,
        text: text.to_vec(),
        repairs: Vec::new(),
        stored: tokens::NOWHERE,
    };
    rewriter.run();
    let Rewriter {
        text, mut repairs, ..
    } = rewriter;
    repairs.sort_unstable();
    Repaired { text, repairs }
}

struct Rewriter<'a> {
    tokens: &'a Tokens<'a>,
    text: Vec<u8>,
    repairs: Vec<Repair>,
    // The assignment operator that the last pointer store rewrote.
    stored: usize,
}

impl Rewriter<'_> {
    fn run(&mut self) {
        let tokens = self.tokens;
        let mut patterns = patterns::Brackets::default();
        self.white_space();
        for i in 0..tokens.len() {
            match tokens.kind(i) {
                TokenKind::Word => {
                    self.declaration(i);
                    self.identifier(i);
                    self.checked_operand(i, &patterns);
                }
                TokenKind::Operator => match tokens.text(i) {
                    b"*" => self.indirection(i),
                    b"=>" => self.lambda_parameters(i),
                    b".." => self.slice(i, &patterns),
                    _ => self.assignment(i),
                },
                TokenKind::Open => {
                    patterns.open(tokens, i);
                    self.list_pattern(i, &patterns);
                }
                TokenKind::Close => patterns.close(tokens, i),
                TokenKind::InterpolationStart => self.empty_interpolation(i),
                TokenKind::InterpolationText | TokenKind::VerbatimInterpolationText => {
                    self.interpolation_text(i);
                }
                _ => {}
            }
        }
    }

    fn note(&mut self, range: ByteRange, kind: RepairKind) {
        self.repairs.push(Repair { range, kind });
    }

    /// Replaces token `i` by text of the same or a lesser length, padded with spaces.
    fn replace(&mut self, i: usize, with: &[u8], kind: RepairKind) {
        let range = self.tokens.range(i);
        self.write(range, with);
        self.note(range, kind);
    }

    fn write(&mut self, range: ByteRange, with: &[u8]) {
        let bytes = &mut self.text[range.as_usize()];
        let (head, tail) = bytes.split_at_mut(with.len());
        head.copy_from_slice(with);
        tail.fill(b' ');
    }
}

#[cfg(test)]
mod tests;
