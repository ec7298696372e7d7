//! Laws of the renderings of a history.

use cortex_model::{Accessibility, ChangeClass, RepoPath, TypeKind};
use cortex_wire::{
    HistoryCommit, HistoryEntry, HistoryGap, HistoryRange, SymbolHistory, SymbolRef, TypeChange,
    TypeRef,
};
use cortex_wire::{Parents, SymbolKind};

use super::{history_markdown, history_text};
use crate::{O200kBase, RenderOptions, Tokenizer};

/// A history whose names and messages would do harm if they were not shown as they are.
fn hostile(n_entries: usize) -> SymbolHistory {
    let name = "N.\u{202e}Evil\u{1b}[2J`1";
    let entry = |nth: usize| HistoryEntry {
        commit: HistoryCommit {
            id: format!("{nth:040x}"),
            date: "2026-01-02T03:04:05Z".to_owned(),
            author: "```\u{7}".to_owned(),
            subject: "``` <script> ![x](http://y)\u{200b}".to_owned(),
            is_merge: nth.is_multiple_of(2),
        },
        change: TypeChange {
            follows_moves: false,
            frameworks: Vec::new(),
            ty: TypeRef {
                name: name.to_owned(),
                id: "T_7XPKJFH2".to_owned(),
                kind: TypeKind::Class,
            },
            renamed_from: Some("N.Old\n# heading".to_owned()),
            moved_from: vec![RepoPath::from("a`b.cs")],
            moved_from_assembly: None,
            class: ChangeClass::Structure,
            accessibility: Accessibility::Public,
            project: RepoPath::from("A.csproj"),
            is_test: false,
            modifiers: Vec::new(),
            bases: Vec::new(),
            files: vec![RepoPath::from("b.cs")],
            line: 1,
            old_signature: Some("public class N.Old : A.B<C.D>".to_owned()),
            new_signature: Some("public class N.New : A.B<C.E>".to_owned()),
            members: Vec::new(),
            n_dependents: 0,
            propagated: None,
        },
        renamed_to: None,
        api: Vec::new(),
        notes: vec!["made obsolete".to_owned()],
    };
    SymbolHistory {
        asked: "'; rm -rf $HOME".to_owned(),
        symbol: SymbolRef {
            path: name.to_owned(),
            kind: SymbolKind::Class,
            type_id: "T_7XPKJFH2".to_owned(),
            member_id: None,
            doc_id: None,
        },
        redirected_from: None,
        is_guess: false,
        exists: true,
        existed_before: None,
        drift: None,
        range: HistoryRange {
            spec: Some("A..B".to_owned()),
            parents: Parents::All,
            newest: "0".repeat(40),
            oldest: "1".repeat(40),
            n_commits: n_entries,
        },
        gap: Some(HistoryGap {
            commit: None,
            fill: cortex_wire::HistoryFill::Unshallow,
        }),
        entries: (0..n_entries).map(entry).collect(),
    }
}

#[test]
fn no_budget_is_exceeded_and_what_is_cut_is_said() {
    let answer = hostile(60);
    for budget in [0, 1, 10, 60, 150, 400, 999, 1_000, 2_500, 64_000] {
        let options = RenderOptions {
            budget,
            tokenizer: &O200kBase,
            phrase: &crate::tests::phrase,
        };
        let text = history_markdown(&answer, &options);
        let used = O200kBase.count(&text);
        assert!(used <= budget, "{used} tokens of {budget}:\n{text}");
        let is_whole = text.matches("was N.Old").count() == 60;
        assert_eq!(is_whole, budget == 64_000, "{budget}");
        if budget >= 1_000 && !is_whole {
            assert!(text.contains("Whole"), "{text}");
        }
    }
}

#[test]
fn nothing_of_a_repository_acts_on_a_terminal_or_breaks_a_fence() {
    let answer = hostile(3);
    let options = RenderOptions {
        budget: 8_000,
        tokenizer: &O200kBase,
        phrase: &crate::tests::phrase,
    };
    for text in [
        history_markdown(&answer, &options),
        history_text(&answer, &options),
    ] {
        let is_raw = |c: char| (c.is_control() && c != '\n') || "\u{202e}\u{200b}".contains(c);
        assert!(!text.contains(is_raw), "{text}");
        assert!(
            !text.lines().any(|line| line.starts_with("# heading")),
            "{text}"
        );
    }
    let text = history_markdown(&answer, &options);
    let fences = text.lines().filter(|line| line.starts_with("```"));
    assert_eq!(fences.count(), 2, "{text}");
}
