//! Laws of how code is shown.

use cortex_wire::{CodeLine, CodeLineKind, DiffContext, MemberChangeKind};
use proptest::prelude::*;

use super::{CodeText, moved::Moves};
use crate::{
    markdown::{names::Names, plan::Form},
    tests::sample,
};

const KINDS: [CodeLineKind; 3] = [
    CodeLineKind::Context,
    CodeLineKind::Added,
    CodeLineKind::Removed,
];

fn code_line((kind, text): (usize, &str)) -> CodeLine {
    CodeLine {
        kind: KINDS[kind],
        text: text.to_owned(),
    }
}

/// Two members of one type with the given code.
fn answer(codes: [Vec<CodeLine>; 2]) -> DiffContext {
    let mut answer = sample::answer();
    let with_member = |change: &&cortex_wire::TypeChange| !change.members.is_empty();
    let mut change = answer.types.iter().find(with_member).expect("one").clone();
    let member = change.members[0].clone();
    let named = ["First", "Second"].into_iter().zip(codes);
    change.members = named
        .map(|(name, code)| {
            let mut member = member.clone();
            member.change = MemberChangeKind::Body;
            member.name = name.to_owned();
            member.code = code;
            member
        })
        .collect();
    answer.types = vec![change];
    answer
}

/// The text of a member of [`answer`] in every form that it has.
fn forms(answer: &DiffContext, m: usize) -> Vec<String> {
    let moves = Moves::new(answer, &Names::new(answer));
    let code = CodeText::new(&answer.types[0].members[m], moves.of((0, m)), false);
    let text = crate::markdown::plan::Text::Code(code);
    let forms = Form::ALL.into_iter();
    let forms = forms.filter_map(|form| Some(text.in_form(form)?.into_owned()));
    forms.collect()
}

/// How many lines of code a text shows, and how many it says that it does not.
fn counted(text: &str) -> usize {
    let lines = text.split('\n').skip(1);
    lines
        .map(|line| match line.strip_prefix("… ") {
            Some(_) if line.ends_with(':') => 0,
            Some(rest) => rest
                .split(' ')
                .next()
                .expect("a number")
                .parse()
                .expect(rest),
            None => 1,
        })
        .sum()
}

fn body() -> impl Strategy<Value = Vec<CodeLine>> {
    const TEXTS: [&str; 12] = [
        "void Go()",
        "{",
        "}",
        "",
        "    // why",
        "    /// <summary>",
        "    if (order.IsPaid)",
        "        return order;",
        "    order.Paid = now;",
        "    await _orders.SaveAsync(order);",
        "    var a = Get(order,",
        "        now);",
    ];
    let line = (0..KINDS.len(), prop::sample::select(&TEXTS[..])).prop_map(code_line);
    prop::collection::vec(line, 1..120)
}

proptest! {
    #[test]
    fn every_line_is_shown_or_counted(first in body(), second in body()) {
        let n_lines = [first.len(), second.len()];
        let answer = answer([first, second]);
        for (m, n_lines) in n_lines.into_iter().enumerate() {
            for text in forms(&answer, m) {
                prop_assert_eq!(counted(&text), n_lines, "{}", text);
            }
        }
    }
}

/// Lines of one kind, each with the given indentation.
fn lines(kind: CodeLineKind, indent: &str, texts: &[&str]) -> Vec<CodeLine> {
    let lines = texts.iter().map(|text| CodeLine {
        kind,
        text: format!("{indent}{text}"),
    });
    lines.collect()
}

const MOVED: [&str; 9] = [
    "var left = order.Price - order.Paid;",
    "if (left > 0)",
    "{",
    "    await _payments.ChargeAsync(order.Card, left);",
    "}",
    "",
    "order.PaidAt = _clock.Now;",
    "await _orders.ReplaceAsync(order);",
    "return order.Id;",
];

#[test]
fn code_that_another_member_had_is_told_by_its_name() {
    let mut first = lines(CodeLineKind::Context, "", &["Task First(Order order)", "{"]);
    first.extend(lines(CodeLineKind::Removed, "    ", &MOVED));
    first.extend(lines(
        CodeLineKind::Added,
        "    ",
        &["return Second(order);"],
    ));
    first.extend(lines(CodeLineKind::Context, "", &["}"]));
    let mut second = lines(CodeLineKind::Added, "", &["Task Second(Order order)", "{"]);
    second.extend(lines(CodeLineKind::Added, "        ", &MOVED));
    second.extend(lines(CodeLineKind::Added, "", &["}"]));
    let answer = answer([first, second]);
    for text in forms(&answer, 0) {
        assert!(text.contains("… 9 lines, now in Second"), "{text}");
        assert!(!text.contains("ChargeAsync"), "{text}");
    }
    let texts = forms(&answer, 1);
    let [parts @ .., whole] = &texts[..] else {
        panic!("no form");
    };
    assert!(!parts.is_empty());
    for part in parts {
        assert!(part.contains("… 9 lines that First had\n"), "{part}");
        assert!(!part.contains("ChargeAsync"), "{part}");
    }
    assert!(whole.contains("… 9 lines that First had:\n"), "{whole}");
    assert!(whole.contains("ChargeAsync"), "{whole}");
}

#[test]
fn a_few_equal_lines_are_not_moved() {
    let few = &MOVED[6..];
    let answer = answer([
        lines(CodeLineKind::Removed, "", few),
        lines(CodeLineKind::Added, "", few),
    ]);
    for text in [forms(&answer, 0), forms(&answer, 1)].concat() {
        assert!(!text.contains("now in") && !text.contains("had"), "{text}");
    }
}

/// Whether the second one of two members counts as code that was there, and as code that runs otherwise. The first one had
/// most of its code.
fn judged(more: &[&str]) -> [bool; 2] {
    let mut second = lines(CodeLineKind::Added, "", &["Task Second(Order order)", "{"]);
    second.extend(lines(CodeLineKind::Added, "    ", more));
    second.extend(lines(CodeLineKind::Added, "    ", &MOVED));
    second.extend(lines(CodeLineKind::Added, "", &["}"]));
    let mut answer = answer([lines(CodeLineKind::Removed, "    ", &MOVED), second]);
    answer.types[0].members[1].change = MemberChangeKind::Added;
    let moves = Moves::new(&answer, &Names::new(&answer));
    let (product, others) = super::ranked(&answer, &moves);
    let mut all = product.into_iter().chain(others);
    let (rank, ..) = all.find(|(_, _, m)| *m == 1).expect("it has code");
    [rank.is_edited(), rank.runs()]
}

#[test]
fn what_comes_along_with_code_from_elsewhere_is_an_edit_of_it() {
    assert_eq!(judged(&[]), [false, false]);
    assert_eq!(judged(&["if (_flags.IsOn)", "    return 0;"]), [true, true]);
    let much = ["if (order.IsPaid)", "    return 0;", "Go(1);"].repeat(5);
    assert_eq!(judged(&much), [false, true]);
}

#[test]
fn documentation_that_says_something_else_comes_before_new_documentation() {
    let docs = |kind| lines(kind, "", &["/// <summary>Public.</summary>"]);
    let declaration = || lines(CodeLineKind::Context, "", &["public string Name;"]);
    let new = [docs(CodeLineKind::Added), declaration()].concat();
    let other = [
        docs(CodeLineKind::Removed),
        docs(CodeLineKind::Added),
        declaration(),
    ];
    let mut answer = answer([new, other.concat()]);
    for member in &mut answer.types[0].members {
        member.change = MemberChangeKind::Docs;
    }
    let (product, others) = super::ranked(&answer, &Moves::default());
    let order: Vec<usize> = product.iter().chain(&others).map(|it| it.2).collect();
    assert_eq!(order, [1, 0]);
}
