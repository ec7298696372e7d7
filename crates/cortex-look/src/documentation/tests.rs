use crate::documentation::{
    crefs::short_name,
    parse::{Named, Parsed, parse},
};
use cortex_wire::{DocBlock, DocInline, DocNote, Documentation};

use proptest::prelude::*;

fn parsed(text: &str) -> Parsed {
    parse(text, &|written, _| Named {
        written: written.to_owned(),
        name: short_name(written, None),
        target: None,
    })
}

/// Every word of the text that a reader sees.
fn words(docs: &Documentation) -> String {
    fn inlines(all: &[DocInline], out: &mut String) {
        for inline in all {
            match inline {
                DocInline::Text(text) | DocInline::Code(text) => out.push_str(text),
                DocInline::Symbol { name, text, .. } => {
                    out.push_str(name);
                    out.push(' ');
                    inlines(text, out);
                }
                DocInline::Link { href, text } => {
                    out.push_str(href);
                    out.push(' ');
                    inlines(text, out);
                }
                DocInline::Strong(text) | DocInline::Emphasis(text) => inlines(text, out),
                DocInline::Break => out.push('\n'),
            }
        }
    }
    fn blocks(all: &[DocBlock], out: &mut String) {
        for block in all {
            match block {
                DocBlock::Paragraph(text) => inlines(text, out),
                DocBlock::Code { text, .. } => out.push_str(text),
                DocBlock::List { header, items, .. } => {
                    header.iter().for_each(|it| inlines(it, out));
                    for item in items {
                        item.terms.iter().for_each(|it| inlines(it, out));
                        item.descriptions.iter().for_each(|it| blocks(it, out));
                    }
                }
            }
            out.push('\n');
        }
    }
    let mut out = String::new();
    for section in &docs.sections {
        out.push_str(&section.name);
        out.push('\n');
        blocks(&section.blocks, &mut out);
    }
    out
}

#[track_caller]
fn check(comment: &str, expected: &str) {
    let docs = parsed(comment).docs;
    let shown: Vec<String> = (docs.sections.iter())
        .map(|it| format!("{:?} {}: {:?}", it.kind, it.name, it.blocks))
        .collect();
    assert_eq!(shown.join("\n"), expected);
}

#[test]
fn slashes_and_stars_are_no_part_of_the_text() {
    let expected = r#"Summary : [Paragraph([Text("One two.")])]"#;
    check(
        "/// <summary>\n    /// One\n    ///  two.\n    /// </summary>",
        expected,
    );
    check("///<summary>One\r\n///two.</summary>", expected);
    check("/** <summary>\n * One\n * two.\n * </summary> */", expected);
    check("/** <summary>One two.</summary> */", expected);
    check("/**\n<summary>\nOne two.\n</summary>\n*/", expected);
}

#[test]
fn code_keeps_its_lines_and_lists_their_numbers() {
    check(
        "/// <example>\n/// <code lang=\"cs\">\n///     if (a &lt; b)\n///     {\n///         c();\n///     }\n/// </code>\n/// </example>",
        r#"Example : [Code { language: "cs", text: "if (a < b)\n{\n    c();\n}" }]"#,
    );
    check(
        "/// <remarks><list type=\"number\"><item>a</item><item><description>b</description></item></list></remarks>",
        r#"Remarks : [List { kind: Number(1), header: [], items: [DocItem { terms: [], descriptions: [[Paragraph([Text("a")])]] }, DocItem { terms: [], descriptions: [[Paragraph([Text("b")])]] }] }]"#,
    );
}

#[test]
fn paragraphs_and_blank_lines_part_text() {
    check(
        "/// <summary>a <para>b</para> c\n///\n/// d<br/>e</summary>",
        r#"Summary : [Paragraph([Text("a")]), Paragraph([Text("b")]), Paragraph([Text("c")]), Paragraph([Text("d"), Break, Text("e")])]"#,
    );
}

#[test]
fn names_are_shown_by_their_last_parts() {
    for (written, n, name) in [
        ("T:Ns.List`1", None, "List"),
        (
            "M:Ns.A.Add(System.Int32,System.Collections.Generic.List{System.String})",
            None,
            "A.Add(Int32, List<String>)",
        ),
        ("M:Ns.A.#ctor(System.Int32)", None, "A.new(Int32)"),
        ("Ns.A.B{T}.Do{U}(T, Ns.X[])", Some(2), "B<T>.Do<U>(T, X[])"),
        ("global::Ns.A", Some(1), "A"),
        ("Ns.A", None, "Ns.A"),
        ("List{T}", None, "List<T>"),
        ("", None, ""),
        ("operator +(A, A)", None, "operator +(A, A)"),
    ] {
        assert_eq!(short_name(written, n), name, "{written}");
    }
}

#[test]
fn what_is_not_xml_is_shown_as_it_is_written() {
    let docs = parsed("/// <summary>\n/// a & b, List<int>\n/// </summary>").docs;
    assert_eq!(words(&docs).trim(), "a & b, List<int>");
    assert!(matches!(docs.notes[..], [DocNote::Malformed(_)]));
}

#[test]
fn an_include_is_told() {
    let docs = parsed("/// <include file='a.xml' path='x/y'/>").docs;
    let (file, path) = ("a.xml".to_owned(), "x/y".to_owned());
    assert_eq!(docs.notes, [DocNote::Included { file, path }]);
}

#[test]
fn deep_nesting_ends_in_text() {
    let comment = format!("/// {}x y{}", "<b>".repeat(300), "</b>".repeat(300));
    assert!(words(&parsed(&comment).docs).contains("x y"));
    let comment = format!("/// {}x y{}", "<b>".repeat(100_000), "</b>".repeat(100_000));
    assert!(words(&parsed(&comment).docs).contains("x y"));
}

/// Well-formed documentation from the elements that C# knows, and some that it does not.
fn element(depth: u32) -> BoxedStrategy<String> {
    let word = prop_oneof![
        "[a-z]{1,6}",
        Just(" ".to_owned()),
        Just("\n".to_owned()),
        Just("\n\n".to_owned()),
        Just("&lt;&amp;".to_owned()),
        Just("<see cref=\"A.B\"/>".to_owned()),
        Just("<see langword=\"null\"/>".to_owned()),
        Just("<paramref name=\"p\"/>".to_owned()),
        Just("<br/>".to_owned()),
    ];
    word.prop_recursive(depth, 64, 6, |inner| {
        let names = prop::sample::select(vec![
            "summary",
            "para",
            "c",
            "code",
            "b",
            "i",
            "list",
            "item",
            "term",
            "description",
            "see",
            "listheader",
            "a",
            "unknown",
            "remarks",
            "param",
            "ul",
            "li",
            "typeparamref",
            "note",
        ]);
        (names, prop::collection::vec(inner, 0..5))
            .prop_map(|(name, inner)| format!("<{name}>{}</{name}>", inner.concat()))
    })
    .boxed()
}

proptest! {
    #[test]
    fn no_text_breaks_the_reader(text in "(///|/\\*\\*)?[<>/a-c&;\"'= \n!\\[\\]-]{0,80}") {
        let once = parsed(&text);
        prop_assert_eq!(once, parsed(&text));
    }

    #[test]
    fn no_word_is_lost(elements in prop::collection::vec(element(5), 0..6)) {
        let text: String = elements.concat();
        let comment: String = text.split('\n').map(|line| format!("/// {line}\n")).collect();
        let shown = words(&parsed(&comment).docs);
        let tree = format!("<d>{text}</d>");
        let document = roxmltree::Document::parse(&tree).expect("it is well-formed");
        for node in document.descendants().filter(roxmltree::Node::is_text) {
            for word in node.text().unwrap_or_default().split_ascii_whitespace() {
                prop_assert!(shown.contains(word), "{:?} is lost in {:?}", word, shown);
            }
        }
    }
}
