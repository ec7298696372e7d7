//! Laws of facts over generated texts.

use crate::identifiers;
use cortex_syntax::{
    Bodies, BodyKind, FileFacts, ParseOptions, Sections, decode_facts, encode_facts, extract,
};
use proptest::{collection::vec, prelude::*, sample::select, test_runner::Config};

/// Top-level declarations that do not depend on what stands around them.
const DECLARATIONS: &[&str] = &[
    "class C { int f = 1; void M() { f++; } }",
    "public partial struct S<T> where T : new() { public T P { get; set; } }",
    "interface I : J<int> { event System.Action E; int this[int i] { get; } }",
    "[System.Flags] enum E { A = 1, B = A << 1 }",
    "record R(int X, string Y = \"a\") { public void Deconstruct() { } }",
    "delegate T F<in A, out T>(ref A a, params int[] b);",
    "namespace N.M { using System; class D : N.C { } namespace K { struct T { } } }",
    "static class X { extension(string s) { public int L => s.Length; } }",
    "struct O { public void operator +=(int x) { } public static implicit operator int(O o) => 1; }",
    "unsafe class P { delegate* unmanaged<int, void> f; ~P() { } }",
    "/// <summary>Says <see cref=\"C.M\"/>.</summary>\nclass G { /** <inheritdoc cref=\"D\"/> */ int x; }",
    "#if DEBUG\nclass Only { }\n#else\nclass Other { int y; }\n#endif",
    "class L { void M() { a?.b = 1; F((ref x) => x); var z = y is [1, .. var r]; } }",
    "class Ü { string s = \"ü\\\"{\"; string t = @\"\"\"\"; string u = $\"{1:x}\"; }",
    "class Broken { int x = ; void M( { }",
];

/// Statements that may stand anywhere in a body.
const STATEMENTS: &[&str] = &[
    "var a = b?.c(d)[e] ?? f;",
    "(g, var h) = (a.b, new C<int> { D = 1, [e] = { f } });",
    "foreach (var (i, j) in k) l[^1] += (int)m - (n) * o;",
    "x = p switch { Q { R: var s } t when s > 1 => t, (1, _) or [u, ..] => v, _ => throw w };",
    "F(out var y, z: async (q, ref int r) => await q, delegate { return 1; });",
    "if (a is not B c) { goto case 1; } else lock (d) e?.f = $\"{g,1:x}{{h}}\";",
    "try { i(); } catch (J k) when (k.l is M or N<int>) { throw; } finally { o! = p; }",
    "q = from T r in s join t in u on r equals t.v into w let x = w orderby x.y descending select z;",
    "static T L<T, U>([A] T b, int c = 2) where T : U, new() => default(T);",
    "using (var d = e) for (int f = 0; f < g; f++) ;",
    "int[] h = { i, -j }; k = stackalloc int[l]; m = [.. n, o]; p = q with { r = s };",
    "*(int*)t = *u++; F(v) = &w[x]; y = typeof(Z<,>);",
    "x = (T)o.Has<U>(a)[0] + F(A<B, N.C>(d), new S<T>(e) { f }, g < h, i > j);",
    "switch (a) { case B: case (C, var d): e(); break; default: break; }",
];

fn statements() -> impl Strategy<Value = String> {
    let simple = select(STATEMENTS).prop_map(str::to_owned);
    simple.prop_recursive(4, 24, 4, |inner| {
        vec(inner, 0..4).prop_map(|inner| format!("{{ {} }}", inner.join(" ")))
    })
}

/// Every child range lies in its parent's, after the one before.
fn is_nested(bodies: &Bodies) -> bool {
    let n_nodes = bodies.nodes.len() as u32;
    let mut ends = vec![n_nodes];
    for (i, node) in bodies.nodes.iter().enumerate() {
        let i = i as u32;
        while ends.len() > 1 && ends[ends.len() - 1] == i {
            ends.pop();
        }
        if node.after <= i || node.after > ends[ends.len() - 1] {
            return false;
        }
        ends.push(node.after);
    }
    true
}

fn options() -> impl Strategy<Value = ParseOptions> {
    prop::bool::ANY.prop_map(|debug| ParseOptions {
        symbols: debug.then(|| "DEBUG".to_owned()).into_iter().collect(),
    })
}

/// As many cases as `PROPTEST_CASES` says, else so many.
fn cases(default: u32) -> Config {
    let config = Config {
        failure_persistence: None,
        ..Config::default()
    };
    if std::env::var_os("PROPTEST_CASES").is_some() {
        config
    } else {
        Config {
            cases: default,
            ..config
        }
    }
}

/// Kind, name and depth of each declaration.
fn declared(facts: &FileFacts) -> Vec<(String, String, usize)> {
    let mut depths: Vec<usize> = Vec::new();
    for decl in &facts.decls {
        depths.push(decl.parent.map_or(0, |parent| depths[parent as usize] + 1));
    }
    let named = facts.decls.iter().zip(depths);
    named
        .map(|(decl, depth)| {
            (
                decl.kind.to_string(),
                facts.name(decl.name).to_owned(),
                depth,
            )
        })
        .collect()
}

/// Name, context, arity and distance of the qualifier of each reference in code, then in documentation.
fn used(facts: &FileFacts) -> [Vec<(String, String)>; 2] {
    let (mut code, mut docs) = (Vec::new(), Vec::new());
    for reference in &facts.refs {
        let list = if format!("{:?}", reference.context) == "Doc" {
            &mut docs
        } else {
            &mut code
        };
        let how = format!(
            "{:?} {} {}",
            reference.context, reference.arity, reference.qualifier
        );
        list.push((facts.name(reference.name).to_owned(), how));
    }
    [code, docs]
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn facts_are_a_function_of_bytes_and_options(parts in vec(select(DECLARATIONS), 0..6), options in options()) {
        let text = parts.join("\n");
        let facts = extract(text.as_bytes(), &options);
        prop_assert_eq!(&facts, &extract(text.as_bytes(), &options));
        prop_assert_eq!(encode_facts(&facts), encode_facts(&extract(text.as_bytes(), &options)));
    }

    #[test]
    fn encoded_facts_decode_to_themselves(parts in vec(select(DECLARATIONS), 0..6), options in options()) {
        let facts = extract(parts.join("\n").as_bytes(), &options);
        let bytes = encode_facts(&facts);
        let everything = decode_facts(&bytes, Sections::Bodies).expect("they were just encoded");
        prop_assert_eq!(&everything.refs, &facts.refs);
        prop_assert_eq!(&everything.bodies, &facts.bodies);
        prop_assert_eq!(&everything, &facts);
        let mut all = decode_facts(&bytes, Sections::All).expect("they were just encoded");
        prop_assert!(all.bodies.nodes.is_empty());
        all.bodies = facts.bodies.clone();
        prop_assert_eq!(&all, &facts);
        let mut first = decode_facts(&bytes, Sections::Declarations).expect("they were just encoded");
        prop_assert!(first.refs.is_empty());
        prop_assert!(first.bodies.nodes.is_empty());
        first.refs = facts.refs.clone();
        first.bodies = facts.bodies.clone();
        prop_assert_eq!(&first, &facts);
    }

    #[test]
    fn damaged_facts_never_decode_to_a_panic(
        parts in vec(select(DECLARATIONS), 0..3), at in any::<prop::sample::Index>(), byte in any::<u8>(), len in any::<prop::sample::Index>()
    ) {
        let mut bytes = encode_facts(&extract(parts.join("\n").as_bytes(), &ParseOptions::default()));
        let index = at.index(bytes.len());
        bytes[index] ^= byte;
        if let Ok(facts) = decode_facts(&bytes, Sections::Bodies) {
            prop_assert!(is_nested(&facts.bodies));
        }
        bytes.truncate(len.index(bytes.len()));
        let _ = decode_facts(&bytes, Sections::Declarations);
    }

    #[test]
    fn facts_of_a_concatenation_are_the_union(
        parts in vec(select(&DECLARATIONS[..DECLARATIONS.len() - 1]), 0..8), options in options()
    ) {
        let whole = extract(parts.join("\n").as_bytes(), &options);
        let each: Vec<FileFacts> = parts.iter().map(|part| extract(part.as_bytes(), &options)).collect();
        prop_assert_eq!(declared(&whole), each.iter().flat_map(declared).collect::<Vec<_>>());
        let [code, docs] = used(&whole);
        prop_assert_eq!(code, each.iter().flat_map(|facts| used(facts)[0].clone()).collect::<Vec<_>>());
        prop_assert_eq!(docs, each.iter().flat_map(|facts| used(facts)[1].clone()).collect::<Vec<_>>());
        prop_assert_eq!(whole.inactive.len(), each.iter().map(|facts| facts.inactive.len()).sum::<usize>());
    }

    #[test]
    fn line_ends_change_ranges_alone(parts in vec(select(DECLARATIONS), 0..6), options in options()) {
        let text = parts.join("\n");
        let unix = extract(text.as_bytes(), &options);
        let windows = extract(text.replace('\n', "\r\n").as_bytes(), &options);
        prop_assert_eq!(declared(&unix), declared(&windows));
        let hashes = |facts: &FileFacts| -> Vec<_> {
            facts.decls.iter().map(|decl| (decl.impl_hash, decl.doc_hash)).collect()
        };
        prop_assert_eq!(hashes(&unix), hashes(&windows));
        prop_assert_eq!(used(&unix), used(&windows));
    }

    #[test]
    fn ranges_lie_inside_the_text_and_inside_their_parents(parts in vec(select(DECLARATIONS), 0..6), options in options()) {
        let text = parts.join("\n");
        let facts = extract(text.as_bytes(), &options);
        for decl in &facts.decls {
            prop_assert!(decl.range.start <= decl.range.end && decl.range.end as usize <= text.len());
            prop_assert!(decl.range.start <= decl.name_range.start && decl.name_range.end <= decl.range.end);
            if let Some(parent) = decl.parent {
                let around = facts.decls[parent as usize].range;
                prop_assert!(around.start <= decl.range.start && decl.range.end <= around.end);
            }
        }
        for reference in &facts.refs {
            let at = &text.as_bytes()[reference.offset as usize..];
            let at = at.strip_prefix(b"@").unwrap_or(at);
            prop_assert!(at.starts_with(facts.name(reference.name).as_bytes()));
        }
    }

    #[test]
    fn bodies_name_every_identifier_once_and_in_order(parts in vec(statements(), 0..6)) {
        let text = format!("class C {{ void M() {{ {} }} }}", parts.join(" "));
        let facts = extract(text.as_bytes(), &ParseOptions::default());
        prop_assert!(is_nested(&facts.bodies));
        prop_assert_eq!(Some(identifiers::named(&facts)), identifiers::written(text.as_bytes()), "{}", text);
        prop_assert!(facts.bodies.nodes.iter().all(|node| node.kind != BodyKind::ErrorExpression));
        let bytes = encode_facts(&facts);
        let read = decode_facts(&bytes, Sections::Bodies).expect("they were just encoded");
        prop_assert_eq!(&read, &facts);
        for (id, node) in facts.bodies.nodes.iter().enumerate() {
            if node.kind == BodyKind::Block {
                let offsets: Vec<_> = facts.bodies.children(id as u32).map(|child| facts.bodies.node(child).offset).collect();
                prop_assert!(offsets.is_sorted());
            }
        }
    }

    #[test]
    fn any_text_has_bodies_that_can_be_stored(parts in vec(prop_oneof![select(STATEMENTS).prop_map(str::to_owned), "[-a-c(){}\\[\\];=<>?.&*+\"' ]{0,12}", "(new |\\(T\\)|f\\(|a)?[ab]<[ab,.<>?()]{0,6}>[({\\[]"], 0..8)) {
        let text = format!("class C {{ void M() {{ {} }} }}", parts.join(" "));
        let facts = extract(text.as_bytes(), &ParseOptions::default());
        prop_assert!(is_nested(&facts.bodies));
        let bytes = encode_facts(&facts);
        let read = decode_facts(&bytes, Sections::Bodies).expect("they were just encoded");
        prop_assert_eq!(&read, &facts);
    }
}
