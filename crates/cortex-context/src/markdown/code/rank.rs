//! Which changed members' code matters most.
//!
//! Owns: the order in which code is shown, and which members need none. Must not know: how code reads.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use cortex_model::{ChangeClass, DeclKind};
use cortex_wire::{CodeLine, CodeLineKind, MemberChange, MemberChangeKind, TypeChange};

use super::{is_comment, is_documentation, moved::Moved};

/// Words of statements that decide what runs.
const CONTROL_FLOW: [&str; 14] = [
    "break", "case", "catch", "continue", "else", "for", "foreach", "goto", "if", "return",
    "switch", "throw", "try", "while",
];

/// Those of them that take one of several ways.
const BRANCHES: [&str; 8] = [
    "case", "catch", "for", "foreach", "if", "switch", "throw", "while",
];

/// Where a member's code stands in the order: less is more important.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    /// What a tool writes follows from what a person wrote.
    author: Author,
    is_test: bool,
    tier: Tier,
    /// What was there ran for somebody already.
    is_new: bool,
    /// What requests run is what others meet first.
    is_no_handler: bool,
    /// How often changed lines decide what runs, and how often those of code that was there call otherwise.
    n_decisions: Reverse<usize>,
    /// A little change of much code takes little room.
    is_large: bool,
    is_hidden: bool,
    n_dependents: Reverse<usize>,
}

/// Who wrote a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Author {
    Person,
    Tool,
}

/// What the changed lines of a member do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tier {
    /// They decide what runs.
    Decides,
    /// They run.
    Runs,
    /// They keep what they are given, or register what others find.
    Wires,
    /// They have other names for the same variables or say more of null, or another member had them.
    Same,
    /// Nothing of them runs: the signature, attributes or first value of the member.
    Declares,
    Removed,
    Documentation,
}

/// More changed lines of code are many, of what was there and of what is new.
const MAX_SMALL: [usize; 2] = [40, 12];

/// More decisions say no more.
const MAX_DECISIONS: usize = 9;

/// So much of the changed code of a member, in percent, went or came: all but for a few lines.
const MIN_MOVED_OF_SAME: usize = 80;

/// So much of the code of a new member, in percent, came from elsewhere: it is that code, edited.
const MIN_MOVED_OF_EDITED: usize = 50;

impl Rank {
    /// `is_handler`: whether a route leads to it. `moved`: what of its code another member has or had.
    pub(super) fn new(
        change: &TypeChange,
        member: &MemberChange,
        author: Author,
        (is_handler, moved): (bool, Option<&Moved>),
    ) -> Self {
        let percent = moved.map_or(0, |moved| moved.percent_of(&member.code));
        // What came along with code from elsewhere is as if that had been edited where it was.
        let edited = moved
            .filter(|_| member.change == MemberChangeKind::Added && percent >= MIN_MOVED_OF_EDITED);
        let edited = edited.map(|moved| without_moved(member, moved));
        let edited = edited.filter(|it| Tier::new(it) == Tier::Decides);
        let is_moved = percent >= MIN_MOVED_OF_SAME && edited.is_none();
        let member = edited.as_ref().unwrap_or(member);
        let is_new = member.change == MemberChangeKind::Added;
        let is_visible = change.accessibility.is_visible() && member.accessibility.is_visible();
        Self {
            author,
            is_test: change.is_test,
            tier: match Tier::new(member) {
                Tier::Decides | Tier::Runs if is_moved => Tier::Same,
                // What is refused no longer is a change of those that had asked.
                Tier::Removed
                    if !is_moved && change.class != ChangeClass::Removed && refuses(member) =>
                {
                    Tier::Wires
                }
                tier => tier,
            },
            is_no_handler: !is_handler,
            is_large: changed_lines(member).count() > MAX_SMALL[usize::from(is_new)],
            n_decisions: Reverse(match member.change {
                MemberChangeKind::Docs => usize::from(says_otherwise(member)),
                _ => (n_decisions(member) + n_other_calls(member)).min(MAX_DECISIONS),
            }),
            is_new,
            is_hidden: !is_visible,
            n_dependents: Reverse(change.n_dependents),
        }
    }
}

/// A member as if it had always had the code that moved.
fn without_moved(member: &MemberChange, moved: &Moved) -> MemberChange {
    let mut edited = member.clone();
    edited.change = MemberChangeKind::Body;
    for (at, line) in edited.code.iter_mut().enumerate() {
        if moved.other(at).is_some() {
            line.kind = CodeLineKind::Context;
        }
    }
    edited
}

impl Rank {
    /// Whether changed lines do something of their own.
    pub(super) fn runs(&self) -> bool {
        self.tier <= Tier::Runs
    }

    /// Whether code that was there does something else.
    pub(super) fn is_edited(&self) -> bool {
        self.runs() && !self.is_new
    }

    /// Whether it is code of the product that a person wrote.
    pub(super) fn is_of_product(&self) -> bool {
        self.author == Author::Person && !self.is_test
    }
}

impl Tier {
    fn new(member: &MemberChange) -> Self {
        match member.change {
            MemberChangeKind::Removed => Self::Removed,
            MemberChangeKind::Docs => Self::Documentation,
            _ if !runs(member) => Self::Declares,
            _ if is_wiring(member) || is_of_object(member) || is_mapping(member) => Self::Wires,
            _ if does_nothing(member) => Self::Wires,
            _ if member.is_annotation_only() || only_renames(member) => Self::Same,
            _ if decide_more_than_null(changed_lines(member)) => Self::Decides,
            _ => Self::Runs,
        }
    }
}

/// Whether code of a member that is there differs from what was there.
fn runs(member: &MemberChange) -> bool {
    match member.change {
        MemberChangeKind::Body => true,
        MemberChangeKind::Added => member.has_body,
        MemberChangeKind::Signature | MemberChangeKind::Shape => {
            member.has_body && changes_body(&member.code)
        }
        MemberChangeKind::Removed | MemberChangeKind::Docs | MemberChangeKind::Registered => false,
    }
}

/// Whether documentation said something that it says no longer.
fn says_otherwise(member: &MemberChange) -> bool {
    let mut lines = member.code.iter();
    lines.any(|line| line.kind == CodeLineKind::Removed && is_documentation(line))
}

/// Whether a body that is gone had a way out before its end.
fn refuses(member: &MemberChange) -> bool {
    let mut words = lines_of(member, CodeLineKind::Removed).flat_map(words);
    member.has_body && words.any(|word| matches!(word, "if" | "throw" | "case"))
}

/// Whether a new member only makes an object with values that it is given.
fn is_mapping(member: &MemberChange) -> bool {
    let is_plain = |text: &str| {
        let decides = ["?", "&&", "||", "await ", "throw ", "if ("];
        !decides.iter().any(|it| text.contains(it))
    };
    let lines: Vec<&str> = lines_of(member, CodeLineKind::Added).collect();
    let makes = |text: &&str| text.starts_with("return new") || text.contains("=> new");
    let Some(start) = lines.iter().position(makes) else {
        return false;
    };
    let is_of_it = |text: &&str| is_plain(text) && (text.contains(" = ") || text.len() <= 2);
    member.change == MemberChangeKind::Added
        && lines[start + 1..].iter().all(is_of_it)
        && lines.len() > 3
}

/// Whether all that a new member does is to return the same always, or to say that it is not written.
fn does_nothing(member: &MemberChange) -> bool {
    let lines: Vec<&str> = lines_of(member, CodeLineKind::Added).collect();
    member.change == MemberChangeKind::Added && returns_the_same(&lines.join(" "))
}

fn returns_the_same(text: &str) -> bool {
    let body = match text.split_once("=>") {
        Some((_, body)) => body,
        None => text.split_once('{').map_or("", |(_, body)| body),
    };
    let body = body.trim_matches([' ', '{', '}', ';']);
    let value = body.strip_prefix("return ").unwrap_or(body);
    let of_task = value.strip_prefix("Task.FromResult(");
    let value = of_task.map_or(value, |value| value.trim_end_matches(')'));
    let is_constant = matches!(
        value,
        "Task.CompletedTask" | "default" | "null" | "true" | "false"
    ) || value.chars().all(|c| c.is_ascii_digit());
    let is_unwritten = ["NotImplementedException(", "NotSupportedException("]
        .iter()
        .any(|it| {
            value
                .strip_prefix("throw new ")
                .is_some_and(|rest| rest.starts_with(it))
        });
    !value.contains(';') && (is_constant || is_unwritten)
}

/// Whether a new member is one that every object has, and compares or writes the object's values.
fn is_of_object(member: &MemberChange) -> bool {
    let is_of_object = matches!(&*member.name, "Equals" | "GetHashCode" | "ToString");
    member.change == MemberChangeKind::Added && is_of_object
}

/// How calls begin that register something for others to find.
const REGISTERS: [&str; 4] = [
    "services.Add",
    "services.TryAdd",
    "builder.Services.",
    ".Register",
];

/// Whether all changed lines are parameters, values that a constructor keeps, or registrations.
fn is_wiring(member: &MemberChange) -> bool {
    let is_constructor = member.kind == DeclKind::Constructor;
    changed_lines(member).all(|text| {
        let is_kept = || {
            let is_plain = !text.contains(['(', '?', '[', '{']) || text.contains("nameof(");
            let is_head = text.starts_with(['[', ':']) || text.starts_with("public ");
            is_plain || is_head || text.contains("ThrowIfNull") || matches!(text, "{" | "}")
        };
        let is_registered = || REGISTERS.iter().any(|start| text.contains(start));
        is_constructor && is_kept() || is_registered()
    })
}

/// The texts of changed lines of code.
fn changed_lines(member: &MemberChange) -> impl Iterator<Item = &str> {
    let sides = [CodeLineKind::Removed, CodeLineKind::Added];
    sides.into_iter().flat_map(|side| lines_of(member, side))
}

/// The same of one side.
fn lines_of(member: &MemberChange, side: CodeLineKind) -> impl Iterator<Item = &str> {
    let lines = member.code.iter();
    let changed = lines.filter(move |line| line.kind == side && !is_comment(line));
    changed.map(|line| line.text.trim())
}

/// Whether both sides of the changed lines are the same but for names of variables, each of which has one other name, and
/// for annotations about null.
fn only_renames(member: &MemberChange) -> bool {
    let sides = [CodeLineKind::Removed, CodeLineKind::Added];
    let [old, new] = sides.map(|side| {
        let lines = lines_of(member, side);
        let lines = lines.filter(|text| !text.starts_with("#nullable"));
        without_annotations(lines.flat_map(tokens))
    });
    let mut renamed: [BTreeMap<&str, &str>; 2] = Default::default();
    let mut before = "";
    let is_variable = |token: &str| token.starts_with(|c: char| c.is_lowercase() || c == '_');
    old.len() == new.len()
        && !old.is_empty()
        && old.iter().zip(&new).all(|(old, new)| {
            let is_member = std::mem::replace(&mut before, new) == ".";
            old == new
                || !is_member
                    && is_variable(old)
                    && is_variable(new)
                    && *renamed[0].entry(old).or_insert(new) == *new
                    && *renamed[1].entry(new).or_insert(old) == *old
        })
}

/// The tokens but for `?` behind types and `!` behind values, as far as what follows tells them apart.
fn without_annotations<'t>(tokens: impl Iterator<Item = &'t str>) -> Vec<&'t str> {
    let mut out: Vec<&str> = Vec::new();
    for token in tokens {
        let is_annotation = match (out.last(), token) {
            // What comes behind `x ?` may be a branch: only a declaration goes on with a name and no value before it.
            (Some(&"?"), it) => it.starts_with(|c: char| c.is_alphabetic() || ">,)]".contains(c)),
            (Some(&"!"), it) => it.starts_with(|c: char| ".;,)".contains(c)),
            _ => false,
        };
        if is_annotation {
            out.pop();
        }
        out.push(token);
    }
    out
}

/// Names, literals of text, and all other characters one by one.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let first = rest.chars().next()?;
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let n_bytes = match first {
            '"' => rest[1..].find('"').map_or(rest.len(), |end| end + 2),
            _ if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (token, behind) = rest.split_at(n_bytes);
        rest = behind;
        Some(token)
    })
}

/// Whether the row of a new member says as much as its code would: nothing of it runs, and it has neither attributes
/// nor a value. The header of a type is more than the types of a constructor's parameters.
pub(super) fn is_in_row(change: &TypeChange, member: &MemberChange) -> bool {
    if member.kind == DeclKind::Constructor {
        return is_empty_constructor(member);
    }
    let has_row = match member.kind {
        DeclKind::EnumMember => true,
        _ => member.accessibility.is_visible() && !change.is_test,
    };
    let is_plain = |line: &CodeLine| {
        is_documentation(line) || !line.text.replace("[]", "").contains(['[', '='])
    };
    member.change == MemberChangeKind::Added
        && !member.has_body
        && has_row
        && member.code.iter().all(is_plain)
}

/// Whether a constructor does nothing of its own: it is there so that something can make objects.
fn is_empty_constructor(member: &MemberChange) -> bool {
    let lines = member.code.iter().filter(|line| !is_documentation(line));
    let text: String = lines.map(|line| line.text.trim()).collect();
    let text = text.replace(' ', "");
    member.change == MemberChangeKind::Added && {
        let (head, initializer) = text.split_once(":base(").unwrap_or((&text, "){}"));
        head.trim_end_matches("{}").ends_with("()")
            && initializer.ends_with("){}")
            && !head.contains('[')
    }
}

/// Whether a line behind the signature differs.
fn changes_body(code: &[CodeLine]) -> bool {
    let opens = |line: &CodeLine| line.text.trim_end().ends_with('{') || line.text.contains("=>");
    let Some(start) = code.iter().position(opens) else {
        return false;
    };
    let is_changed = |line: &CodeLine| line.kind != CodeLineKind::Context;
    let is_arrow = code[start].text.contains("=>");
    code[start + usize::from(!is_arrow)..]
        .iter()
        .any(is_changed)
}

/// Whether code of a member runs and differs from what was there.
pub(in crate::markdown) fn runs_otherwise(member: &MemberChange) -> bool {
    member.change != MemberChangeKind::Added && runs(member)
}

/// Whether changed lines decide what runs.
pub(in crate::markdown) fn changes_control_flow(member: &MemberChange) -> bool {
    changed_lines(member).any(decides)
}

/// Whether lines decide by more than what they ask about null, each with the line that it guards.
fn decide_more_than_null<'l>(lines: impl Iterator<Item = &'l str>) -> bool {
    let mut is_guarded = false;
    for text in lines {
        match text {
            _ if asks_for_null(text) => is_guarded = !text.ends_with(';'),
            "{" if is_guarded => {}
            _ if std::mem::take(&mut is_guarded) => {}
            _ if decides(text) => return true,
            _ => {}
        }
    }
    false
}

fn decides(text: &str) -> bool {
    words(text).any(|word| CONTROL_FLOW.contains(&word))
}

/// Longer heads of branches are not named.
const MAX_HEAD: usize = 80;

/// The head of the one branch that a member has more, where nothing else of its code differs: a `case` that ends, or an
/// `if` with its block.
pub(in crate::markdown) fn added_branch(member: &MemberChange) -> Option<&str> {
    let is_said = |line: &&CodeLine| line.kind != CodeLineKind::Context && !is_comment(line);
    let first = member.code.iter().position(|line| is_said(&line))?;
    let last = member.code.iter().rposition(|line| is_said(&line))?;
    let lines = member.code[first..=last]
        .iter()
        .filter(|it| !is_comment(it));
    let texts: Vec<&str> = lines
        .map(|line| (line.kind == CodeLineKind::Added).then(|| line.text.trim()))
        .collect::<Option<_>>()?;
    let (head, block) = texts.split_first()?;
    let is_case = head.starts_with("case ") && head.ends_with(':');
    let is_if = head.starts_with("if (") && head.ends_with(')');
    let ends = |text: &str| {
        let ends = ["break;", "return", "throw ", "continue;", "}"];
        ends.iter().any(|end| text.starts_with(end))
    };
    let n = |c: char| {
        texts
            .iter()
            .map(|text| text.matches(c).count())
            .sum::<usize>()
    };
    let is_whole = n('{') == n('}') && block.last().is_some_and(|text| ends(text));
    // Another statement behind the block would run for all.
    let is_one = is_case || is_if && block.first() == Some(&"{") && is_one_block(block);
    (is_whole && is_one && head.len() <= MAX_HEAD).then_some(head)
}

/// Whether the brace that opens first closes last.
fn is_one_block(block: &[&str]) -> bool {
    let mut depth = 0_usize;
    for (at, text) in block.iter().enumerate() {
        depth += text.matches('{').count();
        depth = depth.saturating_sub(text.matches('}').count());
        if depth == 0 {
            return at + 1 == block.len();
        }
    }
    false
}

/// Whether changed lines have fewer ways out under a condition than before: what follows runs where it did not.
pub(in crate::markdown) fn loses_guard(member: &MemberChange) -> bool {
    let sides = [CodeLineKind::Removed, CodeLineKind::Added];
    let [gone, new] = sides.map(|side| lines_of(member, side).collect::<Vec<&str>>());
    n_guards(&new) < n_guards(&gone)
}

/// How many conditions of some lines end the way of the code.
fn n_guards(lines: &[&str]) -> usize {
    let is_out = |text: &&str| text.starts_with("return") || text.starts_with("throw ");
    let starts = (0..lines.len()).filter(|&at| lines[at].starts_with("if ("));
    let guards = starts.filter(|&at| {
        let one_line = lines[at].ends_with("return;") || lines[at].contains(") throw ");
        let block = lines[at + 1..].iter().take(MAX_GUARD);
        one_line || block.take_while(|text| **text != "}").any(is_out)
    });
    guards.count()
}

/// So many lines of a condition and its block are looked through for a way out.
const MAX_GUARD: usize = 6;

/// Whether a line asks only whether something is there.
fn asks_for_null(text: &str) -> bool {
    let Some(condition) = text.strip_prefix("if (") else {
        return false;
    };
    let condition = condition.split(')').next().unwrap_or_default();
    let ends = ["== null", "!= null", "is null", "is not null"];
    ends.iter().any(|end| condition.ends_with(end)) && !condition.contains(['&', '|', '('])
}

/// How many branches changed lines have; those about null say little of what the code is for.
fn n_decisions(member: &MemberChange) -> usize {
    let n_operators = |text: &str| {
        let operators = ["&&", "||", "??", " ? "].iter();
        let n: usize = operators.map(|it| text.matches(it).count()).sum();
        n - text.matches("?? new").count() - text.matches("?? []").count()
    };
    let n_words = |text| match asks_for_null(text) {
        true => 0,
        false => words(text).filter(|word| BRANCHES.contains(word)).count(),
    };
    // What stands on both sides is decided once.
    let sides = [CodeLineKind::Removed, CodeLineKind::Added];
    let n_of = sides.map(|side| {
        let lines = lines_of(member, side);
        lines.map(|text| n_operators(text) + n_words(text)).sum()
    });
    n_of.into_iter().max().unwrap_or_default()
}

/// How many statements of code that was there only call something on one side: an effect that came or went. What new code
/// calls is part of what it is.
fn n_other_calls(member: &MemberChange) -> usize {
    if member.change == MemberChangeKind::Added {
        return 0;
    }
    let sides = [CodeLineKind::Removed, CodeLineKind::Added];
    let calls = sides.map(|side| {
        let calls = lines_of(member, side).filter(|text| text.ends_with(");"));
        calls.filter_map(called).collect::<BTreeSet<&str>>()
    });
    calls[0].symmetric_difference(&calls[1]).count()
}

/// What a statement calls that is a call alone, with what it is called on: `await _mail.SendAsync` of
/// `await _mail.SendAsync(user);`.
fn called(statement: &str) -> Option<&str> {
    let (call, _) = statement.split_once('(')?;
    let call = call.strip_prefix("await ").unwrap_or(call);
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '?' | '!' | '<' | '>');
    (call.contains('.') && call.chars().all(is_name)).then_some(call)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
}

#[cfg(test)]
mod tests {
    use cortex_wire::{CodeLine, CodeLineKind};

    use super::{called, tokens, without_annotations};

    #[test]
    fn statements_that_only_call_are_told_from_others() {
        assert_eq!(
            called("await _mail.SendAsync(user);"),
            Some("_mail.SendAsync")
        );
        assert_eq!(called("order?.Pay(1);"), Some("order?.Pay"));
        for other in [
            "var x = a.B(1);",
            "return a.B();",
            "if (a.B(1)) c.D();",
            "Own(1);",
        ] {
            assert_eq!(called(other), None, "{other}");
        }
    }

    #[test]
    fn one_branch_more_is_told_from_other_additions() {
        let head = |lines: &[(&str, CodeLineKind)]| {
            let mut member = crate::tests::sample::answer().types[0].members[0].clone();
            let lines = lines.iter().map(|&(text, kind)| CodeLine {
                kind,
                text: text.to_owned(),
            });
            member.code = lines.collect();
            super::added_branch(&member).map(str::to_owned)
        };
        let added = |texts: &[&'static str]| -> Vec<(&'static str, CodeLineKind)> {
            let mut lines = vec![("void Go()", CodeLineKind::Context)];
            lines.extend(texts.iter().map(|text| (*text, CodeLineKind::Added)));
            lines
        };
        let case = added(&["case Kind.Send:", "Go(1);", "break;"]);
        assert_eq!(head(&case).as_deref(), Some("case Kind.Send:"));
        let block = added(&["if (a.Is)", "{", "if (b)", "{", "Go();", "}", "}"]);
        assert_eq!(head(&block).as_deref(), Some("if (a.Is)"));
        for other in [
            &["if (a.Is)", "{", "Go();", "}", "Stop();"][..],
            &["if (a.Is)", "{", "Go();", "}", "else", "{", "}"],
            &["Go();"],
            &["if (a.Is)"],
        ] {
            assert_eq!(head(&added(other)), None, "{other:?}");
        }
        let mut replaced = case;
        replaced.push(("Old();", CodeLineKind::Removed));
        assert_eq!(head(&replaced), None);
    }

    #[test]
    fn lines_of_a_guard_that_are_gone_are_told_from_others() {
        let guards = |gone: &[&str], new: &[&str]| super::n_guards(gone) > super::n_guards(new);
        let block = ["if (!on &&", "!off)", "{", "return;", "}", "Go();"];
        assert!(guards(&block, &[]));
        assert!(guards(&["if (a) return;"], &["Go();"]));
        assert!(!guards(&["if (a) return;"], &["if (b) return;"]));
        assert!(!guards(&["if (a)", "{", "Go();", "}", "return;"], &[]));
    }

    #[test]
    fn guards_about_null_decide_nothing_else() {
        let decide = |lines: &[&str]| super::decide_more_than_null(lines.iter().copied());
        assert!(!decide(&[
            "if (a == null)",
            "{",
            "throw new E();",
            "}",
            "Go();"
        ]));
        assert!(!decide(&["if (a is null) return;", "Go();"]));
        assert!(decide(&["{", "if (a.Is)", "{", "Go();"]));
        assert!(decide(&["if (a == null) return;", "if (a.Is) return;"]));
        assert!(decide(&[
            "if (a == null)",
            "{",
            "return;",
            "}",
            "throw new E();"
        ]));
    }

    #[test]
    fn members_that_do_nothing_are_told_from_those_that_return_something() {
        for nothing in [
            "public Task A() => Task.CompletedTask;",
            "int B() { return 0; }",
            "Task<int> C(int a) => Task.FromResult(0);",
            "void D() { }",
            "int E => throw new NotImplementedException();",
        ] {
            assert!(super::returns_the_same(nothing), "{nothing}");
        }
        for something in [
            "Task<int> A(int a) => Task.FromResult(Of(a));",
            "int B() => nullable.Value;",
            "int C() { Go(); return 0; }",
            "bool D(int[] all) => all.Any(it => true);",
        ] {
            assert!(!super::returns_the_same(something), "{something}");
        }
    }

    #[test]
    fn what_is_asked_of_null_alone_is_told_from_other_conditions() {
        for null in ["if (a == null)", "if (user.Plan is not null) return;"] {
            assert!(super::asks_for_null(null), "{null}");
        }
        for other in [
            "if (a == null || b)",
            "if (a == 1)",
            "if (Get(a) == null)",
            "x = null;",
        ] {
            assert!(!super::asks_for_null(other), "{other}");
        }
    }

    #[test]
    fn annotations_about_null_are_left_out_and_null_checks_are_not() {
        let bare = |text: &str| without_annotations(tokens(text)).concat();
        assert_eq!(bare("User? user = null;"), bare("User user = null;"));
        assert_eq!(bare("Get(user!, a!.B)"), bare("Get(user, a.B)"));
        assert_eq!(bare("List<string?> x"), bare("List<string> x"));
        assert_ne!(bare("user?.Name"), bare("user.Name"));
        assert_ne!(bare("a ?? b"), bare("b"));
        assert_ne!(bare("if (!ok) { }"), bare("if (ok) { }"));
    }
}
