//! The known gaps of the grammar, one minimal snippet each, and the laws of a repair.

use super::RepairKind::{self, *};
use super::repair;
use crate::text::lexer::{Lexer, TokenKind, comment_length};
use crate::text::{CSharpParser, decode, parse};
use cortex_model::{ByteRange, LineTable};
use proptest::prelude::*;
use tree_sitter::Tree;

/// What the grammar has no rule for, with the repairs that carry it over.
const GAPS: &[(&str, &[RepairKind])] = &[
    (
        "static class E { extension(string s) { int L => s.Length; } }",
        &[ExtensionBlock],
    ),
    (
        "static class E { extension(string) { static int L => 1; } }",
        &[ExtensionBlock],
    ),
    (
        "static class E { extension<T>(ref List<T> s) where T : X { } }",
        &[ExtensionBlock],
    ),
    (
        "static class E { extension([X] int? s) { } extension(ref int) { } }",
        &[ExtensionBlock; 2],
    ),
    (
        "struct S { public void operator +=(int x) { } }",
        &[CompoundAssignmentOperator],
    ),
    (
        "struct S { void operator checked >>>=(int x) { } }",
        &[CompoundAssignmentOperator],
    ),
    (
        "class C<T> where T : allows ref struct { }",
        &[AllowsRefStruct],
    ),
    (
        "class C<T> where T : new(), allows ref struct { }",
        &[AllowsRefStruct],
    ),
    ("ref partial struct S { }", &[RefModifier]),
    ("class C { unsafe ~C() { } }", &[FinalizerModifier]),
    ("class C { extern unsafe ~C(); }", &[FinalizerModifier]),
    ("class C { unsafe extern ~C(); }", &[FinalizerModifier]),
    (
        "class C { protected union U<T>(int, T[]) where T : X; }",
        &[Union],
    ),
    ("closed class C { }", &[ClosedModifier]),
    (
        "class C { void M() { a: for (;;) { continue a; break a; } } }",
        &[JumpLabel; 2],
    ),
    (
        "class C { void M(bool async) { if (!async) return; } }",
        &[ContextualIdentifier; 2],
    ),
    (
        "class C { void M() { F(async: async ? 1 : 2); } }",
        &[ContextualIdentifier; 2],
    ),
    (
        "class C { void M() { required = 1; } }",
        &[ContextualIdentifier],
    ),
    (
        "class C { void M() { partial = 2; } }",
        &[ContextualIdentifier],
    ),
    (
        "class C { void M() { var with = 3; } }",
        &[ContextualIdentifier],
    ),
    (
        "class C { void M() { var await = 3; await++; } }",
        &[ContextualIdentifier; 2],
    ),
    ("class C { async Task { get; } }", &[ContextualIdentifier]),
    (
        "class C { void M() { Vector<byte> and = F(or); } }",
        &[ContextualIdentifier; 2],
    ),
    ("class C { record M() => null; }", &[ContextualIdentifier]),
    ("class C { int M() => nint + 1; }", &[ContextualIdentifier]),
    (
        "class C { int M(nint nint) => (nint)nint; }",
        &[ContextualIdentifier; 2],
    ),
    (
        "class C { object r = from _ in c select _; }",
        &[ContextualIdentifier],
    ),
    ("class C { object[] a = [type]; }", &[ContextualIdentifier]),
    (
        "class C { object[] a = [property, ..x]; }",
        &[ContextualIdentifier],
    ),
    (
        "class C { void M() { a?.b = 3; } }",
        &[NullConditionalAssignment],
    ),
    (
        "class C { void M() { a?[0] = 3; } }",
        &[NullConditionalAssignment],
    ),
    (
        "class C { void M() { a?.b?.c += 3; } }",
        &[NullConditionalAssignment],
    ),
    (
        "class C { void M() { F((ref x) => x); } }",
        &[LambdaParameterModifier],
    ),
    (
        "class C { void M() { F((t, out r) => true); } }",
        &[LambdaParameterModifier],
    ),
    (
        "class C { void M() { F((scoped ref x) => x); } }",
        &[LambdaParameterModifier; 2],
    ),
    (
        "class C { void M() { F((in int x) => x); } }",
        &[LambdaParameterModifier],
    ),
    (
        "class C { void M() { F((out int y) => { y = 1; }); } }",
        &[LambdaParameterModifier],
    ),
    (
        "class C { bool M() => x is [var a, .. var rest]; }",
        &[SlicePattern],
    ),
    ("class C { bool M() => x is [.., 1]; }", &[SlicePattern]),
    ("class C { bool M() => x is [..]; }", &[SlicePattern]),
    (
        "class C { bool M() => x is A { B: [1, .. { D: 2 } e] }; }",
        &[SlicePattern],
    ),
    (
        "class C { int M() => x switch { [_] when y => 1 }; }",
        &[ListPattern],
    ),
    (
        "class C { void M() { switch (x) { case [] when y: break; } } }",
        &[ListPattern],
    ),
    (
        "class C { int M() => x switch { [1, ..] when y => 1 }; }",
        &[SlicePattern, ListPattern],
    ),
    ("class C { void M() { F(0) = e; } }", &[AssignmentTarget]),
    ("class C { void M() { G() ??= h; } }", &[AssignmentTarget]),
    (
        "class C { void M() { F<int>(ref x, 1) += e; } }",
        &[AssignmentTarget],
    ),
    (
        "class C { void M() { F(0) =\n   e; } }",
        &[AssignmentTarget],
    ),
    (
        "class C { void M() { (b ? ref x : ref y) = 2; } }",
        &[AssignmentTarget],
    ),
    ("class C { void M() { a! = b; } }", &[SuppressedTarget]),
    (
        "unsafe class C { void M() { var a = *(int*)p; } }",
        &[PointerIndirection],
    ),
    (
        "unsafe class C { int M() => *F() + *p++ * *(q + 1); }",
        &[PointerIndirection; 3],
    ),
    (
        "unsafe class C { void M() { (*(A*)p).B = 1; } }",
        &[PointerIndirection],
    ),
    (
        "unsafe class C { void M() { *p++ = 1; } }",
        &[AssignmentTarget],
    ),
    (
        "unsafe class C { void M() { *(p + 1) = 2; } }",
        &[AssignmentTarget],
    ),
    (
        "unsafe class C { void M() { *F() = 3; } }",
        &[AssignmentTarget],
    ),
    (
        "unsafe class C { void M() { *(int*)p = 4; } }",
        &[PointerStore; 2],
    ),
    (
        "unsafe class C { void M() { if (x) *(int*)(p + 1) += 4; } }",
        &[PointerStore; 2],
    ),
    (
        "unsafe class C { void M() { *&p[2] = 6; } }",
        &[PointerStore; 2],
    ),
    (
        "unsafe class C { void M() { a: // b\n *(int*)p = 4; /* c */ *(int*)p = 4; } }",
        &[PointerStore; 4],
    ),
    ("class C { int a\u{ad}b\u{ad}c; }", &[SoftHyphen; 2]),
    ("class C { string s = $\"\"; }", &[EmptyInterpolation]),
    (
        "class C { string s = $@\"\"\"{x}\"\"\"; }",
        &[InterpolationText; 2],
    ),
    (
        "class C { string s = $\"{{{F(\"x\")}}}\"; }",
        &[InterpolationText],
    ),
    (
        "class C { bool M() => x is unchecked((uint)-1); }",
        &[CheckedOperand],
    ),
    (
        "class C { int M() => x switch { checked((int)1) => 1 }; }",
        &[CheckedOperand],
    ),
    ("class C { void M() { checked(x++); } }", &[CheckedOperand]),
    (
        "class C\u{2028}{ // a\u{85} int b;\u{2003}}",
        &[WhiteSpace; 3],
    ),
];

/// What the grammar takes for something else, without an error.
const MISTAKEN: &[(&str, &[RepairKind])] = &[
    ("union Pet(Cat, Dog);", &[Union]),
    ("static class E { extension(C) { } }", &[ExtensionBlock]),
    ("class C { void M() { A.B(c) = d; } }", &[AssignmentTarget]),
    ("class C { string s = $\"{{{x}}}\"; }", &[InterpolationText]),
    (
        "class C { string s = $$\"\"\"{{{x}}}\"\"\"; }",
        &[InterpolationText],
    ),
];

/// What stays an error.
const UNREPAIRED: &[&str] = &[
    // No blanks to write into.
    "class C { void M() { F(0)=e; } }",
    // Two modifiers of which none is `extern`; no C#.
    "class C { public ~C() { } }",
];

/// What looks like a gap and is none.
const CLEAN: &[&str] = &[
    "class C { void extension(int x) { extension(3); } extension Foo(extension x) => x; }",
    "struct S { public static bool operator >=(S a, S b) => a >> 1; S operator >>>(S a) => a; }",
    "class C { partial class D { } partial void M(); required (int, int) P { get; set; } }",
    "class C { void M() { F(async () => 1, async x => 1, async (x, y) => { }); } }",
    "class C { async (int, int) M() { await x; await (y); var q = await -x; } }",
    "class C { void M() { var x = y with { A = 1 }; } record A; record B(int X); }",
    "class C { nint P; List<nint> q; (nint, nint) t; nint M() => (nint)x; }",
    "class C { [field: X] int P { get; } [return: X] int M() => 1; }",
    "class C { void M() { (a, b) = (b, a); var (c, d) = e; if (x) (f, g) = h; } }",
    "class C { int M(in int x) => x; static C operator +(in C a, in C b) => a; }",
    "class C { C P { get; } = F(x); int Q = G(y), R = 1; void M(int s = H) { } }",
    "class C { bool M() => x is 1 or 2 and not 3; }",
    "class C { int[] a = x is B ? [.. b] : [.. c, 1]; int[] d = e switch { 1 => [.. f] }; }",
    "class C { bool M() => x is [1, ..] or [] or [_]; void N() { a = b[..]; } }",
    "class C { void M() { switch (x) { case int[] or int[,] when y: break; } } }",
    "class C { int M() => sizeof(int) * sizeof(T) + (a) * (b); int* p; int** q; }",
    "class C { M m = new M { A = 1 }\n * F(1) * G(2); }",
    "unsafe class C { void M() { *p = *q; *p.q->r = *x[1]; int* a = &*b; } }",
    "class C { int M() => (int)checked(x + 1); void N() { checked { } } }",
    "class C { string s = $\"{{}} {x}\", t = $\"{y:N2}\", u = @\"\"\"\"; }",
    "class C { bool M() => a?.b == c?[0]; int N() => a ? b : c; }",
];

fn tree(text: &[u8]) -> Tree {
    let mut parser = tree_sitter::Parser::new();
    parser
        .set_language(&tree_sitter_c_sharp::LANGUAGE.into())
        .expect("versions fit");
    parser.parse(text, None).expect("nothing stops the parse")
}

fn kinds(text: &str) -> Vec<RepairKind> {
    let repaired = repair(text.as_bytes());
    repaired.repairs.iter().map(|repair| repair.kind).collect()
}

/// Every identifier of the repaired tree is a word of the original, but for the names that a
/// repair brings along.
#[track_caller]
fn check_names(text: &str) {
    let repaired = repair(text.as_bytes());
    let words: Vec<ByteRange> = Lexer::new(text.as_bytes())
        .filter(|token| token.kind == TokenKind::Word)
        .map(|token| token.range())
        .collect();
    let tree = tree(&repaired.text);
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let range = ByteRange {
            start: node.start_byte() as u32,
            end: node.end_byte() as u32,
        };
        let is_brought = repaired.repairs.iter().any(|repair| {
            matches!(
                repair.kind,
                ExtensionBlock | AssignmentTarget | PointerStore | SlicePattern
            ) && repair.range.overlaps(range)
        });
        if node.kind() == "identifier" {
            assert!(words.contains(&range) || is_brought, "{text}: {node:?}");
        }
        if cursor.goto_first_child() || cursor.goto_next_sibling() {
            continue;
        }
        loop {
            if !cursor.goto_parent() {
                return;
            }
            if cursor.goto_next_sibling() {
                break;
            }
        }
    }
}

#[track_caller]
fn check_repaired(text: &str, expected: &[RepairKind]) {
    let parsed = parse(&mut CSharpParser::new(), text.as_bytes(), &|_| false, None)
        .expect("nothing stops the parse");
    assert_eq!(parsed.errors, [], "{text}");
    let found: Vec<RepairKind> = parsed.repairs.iter().map(|repair| repair.kind).collect();
    let (mut found, mut expected) = (found, expected.to_vec());
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected, "{text}");
    check_names(text);
}

#[test]
fn every_known_gap_is_an_error_that_the_repair_takes_away() {
    for (text, expected) in GAPS {
        assert!(
            tree(text.as_bytes()).root_node().has_error(),
            "no gap: {text}"
        );
        check_repaired(text, expected);
    }
}

#[test]
fn what_the_grammar_mistakes_is_repaired_without_an_error_to_ask_for_it() {
    for (text, expected) in MISTAKEN {
        assert!(
            !tree(text.as_bytes()).root_node().has_error(),
            "a gap: {text}"
        );
        check_repaired(text, expected);
    }
}

#[test]
fn what_cannot_be_repaired_stays_an_error() {
    for text in UNREPAIRED {
        assert!(
            tree(text.as_bytes()).root_node().has_error(),
            "no gap: {text}"
        );
        assert!(
            tree(&repair(text.as_bytes()).text).root_node().has_error(),
            "{text}"
        );
    }
}

#[test]
fn what_the_grammar_knows_is_left_alone() {
    for text in CLEAN {
        assert!(
            !tree(text.as_bytes()).root_node().has_error(),
            "a gap: {text}"
        );
        assert_eq!(kinds(text), [], "{text}");
    }
}

#[test]
fn repaired_trees_keep_their_meaning() {
    #[track_caller]
    fn check_shape(text: &str, shape: &str) {
        let repaired = repair(text.as_bytes());
        let shown = tree(&repaired.text).root_node().to_sexp();
        assert!(shown.contains(shape), "{text}: {shown}");
    }
    check_shape(
        "class C { void M() { a?.b = c; } }",
        "(assignment_expression left: (member_access_expression expression: (identifier) \
         name: (identifier)) right: (identifier))",
    );
    check_shape(
        "class C { void M() { F(a) = b; } }",
        "(assignment_expression left: (member_access_expression expression: \
         (invocation_expression function: (identifier) arguments: (argument_list (argument \
         (identifier)))) name: (identifier)) right: (identifier))",
    );
    check_shape(
        "class C { void M() { *(int*)p = a; } }",
        "(assignment_expression left: (identifier) right: (binary_expression left: \
         (cast_expression type: (pointer_type type: (predefined_type)) value: (identifier)) \
         right: (identifier)))",
    );
    check_shape(
        "class E { extension(string s) { } }",
        "(struct_declaration name: (identifier) (parameter_list (parameter type: \
         (predefined_type) name: (identifier))) body: (declaration_list))",
    );
    check_shape(
        "class E { extension(List<int>) { } }",
        "(struct_declaration name: (identifier) (base_list (generic_name",
    );
    check_shape(
        "class C { bool M() => x is [.. var a]; }",
        "pattern: (list_pattern (declaration_pattern type: (implicit_type) name: (identifier)))",
    );
    for text in [
        "class C { string s = $\"{{{x}}}\"; }",
        "class C { string s = $\"{{{F(\"a\", x)}}}\"; }",
        "class C { string s = $$\"\"\"{{{x}}}\"\"\"; }",
        "class C { string s = $@\"\"\"{x}\"\"\"; }",
    ] {
        check_shape(text, "(interpolation (interpolation_brace) (");
    }
    check_shape(
        "ref partial struct S { }",
        "(struct_declaration (modifier) (modifier) name: (identifier)",
    );
}

#[test]
fn comments_and_strings_are_not_read_as_code() {
    for text in [
        "// a?.b = 1; extension(string s) { } $\"\"",
        "/* F(0) = async; */ class C { string s = \"a?.b = [type]\"; }",
        "class C { string s = @\"*(int*)p = \"\"1\"\"\", t = \"\"\"\n[.., 1] $\"\"\n\"\"\"; }",
    ] {
        assert_eq!(kinds(text), [], "{text}");
    }
    // A comment stands in the blanks that the repair would need.
    let text = "class C { void M() { F(0) /* a */=/* b */ e; } }";
    let repaired = repair(text.as_bytes());
    assert_eq!(String::from_utf8_lossy(&repaired.text), text);
}

#[test]
fn time_is_linear_in_hostile_text() {
    for part in [
        "async (",
        "extension<",
        "x is [",
        "[..",
        "(ref x) => ",
        "* ",
        "*(",
        "*a<b>.",
        "F() = ",
        "$\"{",
        "$@\"{\"\"",
        "(a ? ref ",
        "union A<",
        "{",
        "case (",
        "=> ",
        "\u{2028}",
        "/**/",
        "(in ",
        ") = ",
        "?[0] = ",
        "a.",
        "nint ",
        "]",
        "operator >",
        "x is A.",
        "async (a)?",
    ] {
        let text = part.repeat(40_000);
        assert_eq!(repair(text.as_bytes()).text.len(), text.len());
    }
}

/// The bytes of comments, and of literals without holes.
fn untouchable(text: &[u8]) -> Vec<ByteRange> {
    let mut ranges = Vec::new();
    let mut end = 0;
    let last = text.len() as u32;
    let tokens = Lexer::new(text).map(|token| (token.range(), token.kind));
    for (range, kind) in tokens.chain([(
        ByteRange {
            start: last,
            end: last,
        },
        TokenKind::Operator,
    )]) {
        let mut at = end;
        while at < range.start {
            let len = comment_length(&text[at as usize..range.start as usize]) as u32;
            if len > 0 {
                ranges.push(ByteRange {
                    start: at,
                    end: at + len,
                });
            }
            at += len.max(1);
        }
        if kind == TokenKind::Text {
            ranges.push(range);
        }
        end = range.end;
    }
    ranges
}

fn fragments() -> impl Strategy<Value = String> {
    let gaps = GAPS.iter().map(|(text, _)| *text);
    let words = gaps.flat_map(|text| text.split_inclusive(' ')).chain([
        "// a\n",
        "/* b */",
        "\"c\"",
        "@\"d\"\"\"",
        "\"\"\"",
        "$\"",
        "$@\"",
        "'",
        "\n",
        "\r\n",
        "*",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        " = ",
        "..",
        "?",
        "!",
        "\u{2028}",
        "\u{2003}",
        "é",
    ]);
    let fragment = prop::sample::select(words.collect::<Vec<_>>());
    proptest::collection::vec(fragment, 0..40).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_repair_keeps_the_length_and_every_line(text in fragments()) {
        let repaired = repair(text.as_bytes());
        prop_assert_eq!(repaired.text.len(), text.len());
        let before = LineTable::new(text.as_bytes());
        let after = LineTable::new(&repaired.text);
        prop_assert_eq!(after.n_lines(), before.n_lines());
        for line in 1..=before.n_lines() {
            prop_assert_eq!(after.line_start(line), before.line_start(line));
        }
    }

    #[test]
    fn a_repair_leaves_comments_and_literals_alone(text in fragments()) {
        let repaired = repair(text.as_bytes());
        for range in untouchable(text.as_bytes()) {
            let range = range.as_usize();
            prop_assert_eq!(&repaired.text[range.clone()], &text.as_bytes()[range]);
        }
    }

    #[test]
    fn every_written_byte_lies_in_a_repair_or_is_a_bracket_of_one(text in fragments()) {
        let repaired = repair(text.as_bytes());
        for (at, (after, before)) in repaired.text.iter().zip(text.as_bytes()).enumerate() {
            let is_noted = repaired.repairs.iter().any(|repair| repair.range.contains(at as u32));
            prop_assert!(
                after == before || is_noted || matches!(before, b'(' | b')')
                    || text[at..].starts_with(['r', 'e', 'f', 'i', 'n', 'a', 'd', 'o', 'l', 'y'])
            );
        }
    }

    #[test]
    fn repaired_text_is_still_text(text in fragments()) {
        prop_assert!(std::str::from_utf8(&repair(text.as_bytes()).text).is_ok());
    }

    #[test]
    fn any_bytes_are_taken(bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
        prop_assert_eq!(repair(&bytes).text.len(), bytes.len());
        let source = decode(&bytes);
        parse(&mut CSharpParser::new(), source.as_bytes(), &|_| true, None);
    }
}
