use cortex_wire::{
    DocBlock, DocInline, DocItem, DocListKind, DocNote, DocSection, DocSectionKind, Documentation,
};
use proptest::prelude::*;

use super::{DocStyle, documentation, first_line};

fn text(text: &str) -> DocInline {
    DocInline::Text(text.to_owned())
}

fn section(kind: DocSectionKind, name: &str, blocks: Vec<DocBlock>) -> DocSection {
    let name = name.to_owned();
    DocSection { kind, name, blocks }
}

fn sample() -> Documentation {
    let symbol = DocInline::Symbol {
        name: "List<T>".to_owned(),
        text: Vec::new(),
    };
    let link = DocInline::Link {
        href: "https://example.com/a".to_owned(),
        text: vec![text("more")],
    };
    let item = |term: &str, words: &str| DocItem {
        terms: vec![vec![text(term)]],
        descriptions: vec![vec![DocBlock::Paragraph(vec![text(words)])]],
    };
    let list = |kind| DocBlock::List {
        kind,
        header: vec![vec![text("Key")], vec![text("Meaning")]],
        items: vec![item("a", "one | two"), item("b", "three")],
    };
    let paragraph = |inlines| DocBlock::Paragraph(inlines);
    Documentation {
        sections: vec![
            section(
                DocSectionKind::Summary,
                "",
                vec![paragraph(vec![
                    text("Adds to a "),
                    symbol,
                    text(". See "),
                    link,
                    text("."),
                ])],
            ),
            section(
                DocSectionKind::Param,
                "item",
                vec![paragraph(vec![text("What, e.g. 2 * 3.")])],
            ),
            section(
                DocSectionKind::Param,
                "count",
                vec![paragraph(vec![text("How often.")])],
            ),
            section(
                DocSectionKind::Returns,
                "",
                vec![paragraph(vec![DocInline::Code("true".to_owned())])],
            ),
            section(
                DocSectionKind::Remarks,
                "",
                vec![
                    list(DocListKind::Number(1)),
                    list(DocListKind::Table),
                    DocBlock::Code {
                        language: "CSharp".to_owned(),
                        text: "var a = ```;\n\n  b();".to_owned(),
                    },
                    paragraph(vec![
                        text("# no heading"),
                        DocInline::Break,
                        text("<b> [a](b)"),
                    ]),
                ],
            ),
        ],
        notes: vec![DocNote::Inherited("IList.Add".to_owned())],
    }
}

#[test]
fn markdown_keeps_the_structure() {
    insta::assert_snapshot!(documentation(&sample(), DocStyle::Markdown));
}

#[test]
fn text_is_for_terminals() {
    insta::assert_snapshot!(documentation(&sample(), DocStyle::Text));
}

#[test]
fn the_first_line_is_a_sentence() {
    let of = |words: &str| {
        let mut docs = Documentation::default();
        let paragraph = DocBlock::Paragraph(vec![text(words)]);
        docs.sections
            .push(section(DocSectionKind::Summary, "", vec![paragraph]));
        first_line(&docs, DocStyle::Text)
    };
    assert_eq!(of("One thing. Another."), "One thing.");
    assert_eq!(of("A thing, e.g. That. Another."), "A thing, e.g. That.");
    assert_eq!(of("Version 1.2 of it"), "Version 1.2 of it");
    assert_eq!(first_line(&Documentation::default(), DocStyle::Text), "");
}

fn inline() -> impl Strategy<Value = DocInline> {
    let words = "[a-z<>*_`#|\\[\\]()\\\\. \u{202e}\u{1b}-]{1,8}";
    prop_oneof![
        words.prop_map(DocInline::Text),
        words.prop_map(DocInline::Code),
        Just(DocInline::Break),
        words.prop_map(|it| DocInline::Strong(vec![DocInline::Text(it)])),
        (words, words).prop_map(|(href, it)| DocInline::Link {
            href,
            text: vec![DocInline::Text(it)]
        }),
    ]
}

fn block() -> impl Strategy<Value = DocBlock> {
    let leaf = prop_oneof![
        prop::collection::vec(inline(), 1..4).prop_map(DocBlock::Paragraph),
        "[a-z`\n ~]{1,12}".prop_map(|text| DocBlock::Code {
            language: "c`\n".to_owned(),
            text
        }),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        let kinds = prop::sample::select(vec![
            DocListKind::Bullet,
            DocListKind::Number(9),
            DocListKind::Table,
        ]);
        (
            kinds,
            prop::collection::vec(prop::collection::vec(inner, 0..3), 0..3),
        )
            .prop_map(|(kind, items)| DocBlock::List {
                kind,
                header: Vec::new(),
                items: items
                    .into_iter()
                    .map(|blocks| DocItem {
                        terms: Vec::new(),
                        descriptions: vec![blocks],
                    })
                    .collect(),
            })
    })
}

fn words_of(blocks: &[DocBlock], out: &mut Vec<String>) {
    for block in blocks {
        match block {
            DocBlock::Paragraph(all) => {
                for inline in all {
                    if let DocInline::Text(text) | DocInline::Code(text) = inline {
                        out.extend(
                            text.split(|c: char| !c.is_ascii_lowercase())
                                .map(str::to_owned),
                        );
                    }
                }
            }
            DocBlock::Code { text, .. } => out.extend(
                text.split(|c: char| !c.is_ascii_lowercase())
                    .map(str::to_owned),
            ),
            DocBlock::List { items, .. } => items
                .iter()
                .flat_map(|it| &it.descriptions)
                .for_each(|it| words_of(it, out)),
        }
    }
}

proptest! {
    #[test]
    fn no_word_is_lost_and_nothing_commands_a_terminal(blocks in prop::collection::vec(block(), 0..4)) {
        let mut expected = Vec::new();
        words_of(&blocks, &mut expected);
        let mut docs = Documentation::default();
        docs.sections.push(section(DocSectionKind::Remarks, "", blocks));
        for style in [DocStyle::Markdown, DocStyle::Text] {
            let shown = documentation(&docs, style);
            prop_assert_eq!(&shown, &documentation(&docs, style));
            let is_harmless = !shown.contains(['\u{202e}', '\u{1b}']);
            prop_assert!(is_harmless);
            for word in &expected {
                prop_assert!(shown.contains(word.as_str()), "{} is lost in {}", word, shown);
            }
        }
    }
}
