//! Which lines of a long stretch of code say most of what it does.
//!
//! Owns: what a statement is worth to a reader, by its text. Must not know: which stretches are cut, or how code reads.

use std::{collections::BTreeSet, ops::Range};

use cortex_wire::{CodeLine, CodeLineKind};

use super::is_comment;

/// How much a statement says, the more the better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Worth {
    /// Braces, comments and what is logged.
    Nothing,
    /// A value among others: an argument, an element of an initializer.
    Value,
    /// It names a value, or asks for a condition.
    Names,
    /// It ends the way of the code, or asks others for a value.
    Decides,
    /// It gives or keeps a result, or handles what failed.
    Results,
    /// It has an effect on something else, or refuses to go on.
    Acts,
}

/// The lines of `stretches` that say most, `n` of all together at most, in the order of the code, with lines that they
/// stand in. Statements that have effects come first, then results, then all else. `outer`: of [`outer_lines`].
pub(super) fn most_telling(
    code: &[CodeLine],
    outer: &[Option<usize>],
    stretches: &[Range<usize>],
    n: usize,
) -> Vec<usize> {
    let mut order: Vec<(Worth, usize)> = Vec::new();
    for stretch in stretches {
        order.extend(worths(code, stretch.clone()));
    }
    order.sort_by_key(|&(worth, _)| std::cmp::Reverse(worth));
    let mut taken: BTreeSet<usize> = BTreeSet::new();
    for (_, line) in order {
        let n_left = n - taken.len();
        // What a taken line stands in is taken.
        let with_outer =
            std::iter::successors(Some(line), |&it| outer[it]).take_while(|it| !taken.contains(it));
        let missing = with_outer.flat_map(|it| whole_statement(code, it));
        let missing: BTreeSet<usize> = missing.take(n_left + 1).collect();
        if missing.len() <= n_left {
            taken.extend(missing);
        }
    }
    taken.into_iter().collect()
}

/// So many lines of a condition or of what is refused are one with the first.
const MAX_STATEMENT: usize = 5;

/// A line with those that end its condition, or say what is refused: without them it says little.
fn whole_statement(code: &[CodeLine], line: usize) -> Range<usize> {
    let text = code[line].text.trim();
    let starts = ["if (", "else if (", "throw ", "} else if ("];
    let mut depth = balance(text);
    if !starts.iter().any(|start| text.starts_with(start)) {
        return line..line + 1;
    }
    let of_side = code[line + 1..].iter().take(MAX_STATEMENT - 1);
    let of_side = of_side.take_while(|it| it.kind == code[line].kind);
    for (n, next) in of_side.enumerate() {
        if depth <= 0 {
            break;
        }
        depth += balance(next.text.trim());
        if depth <= 0 {
            return line..line + 2 + n;
        }
    }
    line..line + 1
}

/// For each line the one that it stands in on its side, if any: the last one above it that is indented less.
pub(super) fn outer_lines(code: &[CodeLine]) -> Vec<Option<usize>> {
    // What later lines may stand in, the outermost first, on each side.
    let mut open: [Vec<usize>; 2] = Default::default();
    let mut out = Vec::with_capacity(code.len());
    for (i, line) in code.iter().enumerate() {
        let is_brace = line.text.trim_start().starts_with(['{', '}', ')']);
        let sides = match line.kind {
            CodeLineKind::Removed => 0..1,
            CodeLineKind::Added => 1..2,
            CodeLineKind::Context => 0..2,
        };
        let mut outer = None;
        for side in &mut open[sides] {
            if !is_comment(line) {
                // What opens a block stands above its brace.
                let is_inner = |it: &mut usize| indent_of(&code[*it]) >= indent_of(line);
                while !is_brace && side.pop_if(is_inner).is_some() {}
                outer = side.last().copied();
                if !is_brace {
                    side.push(i);
                }
            }
        }
        out.push(outer);
    }
    out
}

/// What the lines of code in a stretch of one side are worth.
fn worths(code: &[CodeLine], stretch: Range<usize>) -> Vec<(Worth, usize)> {
    let mut out = Vec::new();
    // What takes the place of other lines says what is; those say what was.
    let is_replaced = code[stretch.start].kind == CodeLineKind::Removed
        && code
            .get(stretch.end)
            .is_some_and(|next| next.kind == CodeLineKind::Added);
    let mut is_start = true;
    let mut depth = 0;
    let mut alike = Alike::default();
    for i in stretch {
        let text = code[i].text.trim();
        if is_comment(&code[i]) {
            continue;
        }
        let worth = match is_start {
            true if alike.goes_on(text) => worth_of(text).min(Worth::Value),
            true => worth_of(text),
            false => worth_of_rest(text),
        };
        out.push(match is_replaced {
            true => (worth.min(Worth::Names), i),
            false => (worth, i),
        });
        depth += balance(text);
        is_start = depth <= 0 && text.ends_with([';', '{', '}', ':', ']']);
        if is_start {
            depth = 0;
        }
    }
    out
}

/// Assignments that follow one another and are made alike, as in a mapping: the first few tell what the others do.
#[derive(Default)]
struct Alike {
    form: String,
    n: usize,
}

/// So many of them are told as others are.
const MAX_ALIKE: usize = 4;

impl Alike {
    /// Whether a statement is one of these, behind the first few.
    fn goes_on(&mut self, text: &str) -> bool {
        let form = assigned(text).map(|(target, _)| {
            let receiver = target.rsplit_once('.').map_or("", |(it, _)| it);
            format!("{receiver} = {}", called(text).unwrap_or_default())
        });
        let form = form.unwrap_or_default();
        self.n = match !form.is_empty() && form == self.form {
            true => self.n + 1,
            false => 1,
        };
        self.form = form;
        self.n > MAX_ALIKE
    }
}

/// How many parentheses and brackets a line leaves open.
fn balance(text: &str) -> i32 {
    let opened = text.matches(['(', '[']).count();
    let closed = text.matches([')', ']']).count();
    opened as i32 - closed as i32
}

fn indent_of(line: &CodeLine) -> usize {
    line.text.len() - line.text.trim_start().len()
}

/// How names of methods begin that only ask for something.
const ASKS: [&str; 16] = [
    "Any", "As", "Build", "Can", "Compute", "Contains", "Count", "Find", "First", "Get", "Has",
    "Is", "List", "Read", "Select", "To",
];

/// What the first line of a statement is worth.
fn worth_of(text: &str) -> Worth {
    let text = text.strip_prefix("await ").unwrap_or(text);
    let word = text
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .next()
        .unwrap_or_default();
    match word {
        "" => return Worth::Nothing,
        "catch" | "yield" => return Worth::Results,
        "return" => {
            let value = text["return".len()..].trim_end_matches(';').trim();
            let is_plain = !value.contains(['(', '?', '[', '{']) || value.ends_with("()");
            return match is_plain {
                true => Worth::Decides,
                false => Worth::Results,
            };
        }
        // What is refused from now on is what callers meet first.
        "throw" => return Worth::Acts,
        "break" | "continue" | "goto" => return Worth::Decides,
        "if" | "else" | "switch" | "case" => return Worth::Decides,
        "for" | "foreach" | "while" => return Worth::Names,
        "try" | "finally" | "do" | "default" | "using" | "lock" => return Worth::Value,
        _ => {}
    }
    if is_logged(text) {
        return Worth::Nothing;
    }
    if called(text).is_some_and(|name| starts_with_word(name, "ThrowIf")) {
        return Worth::Names;
    }
    match assigned(text) {
        Some((target, _)) if is_declaration(target) => match called(text) {
            Some(name) if text.contains("await ") && !asks(name) => Worth::Acts,
            Some(_) => Worth::Decides,
            None => Worth::Names,
        },
        Some((target, _)) if target.contains(['.', '[']) || target.starts_with('_') => {
            Worth::Results
        }
        Some(_) => Worth::Decides,
        None => match called(text) {
            Some(name) if !asks(name) => Worth::Acts,
            _ => Worth::Value,
        },
    }
}

/// What a line is worth that goes on with a statement.
fn worth_of_rest(text: &str) -> Worth {
    let goes_on = ["&&", "||", "? ", ": ", "?? ", "."];
    match text {
        _ if goes_on.iter().any(|start| text.starts_with(start)) => Worth::Names,
        _ if text.contains("=>") && text.ends_with(',') => Worth::Names,
        _ if text.starts_with(['{', '}', ')', '"', '$']) => Worth::Nothing,
        _ => Worth::Value,
    }
}

/// Whether a statement writes to a log.
fn is_logged(text: &str) -> bool {
    let receiver = text.split('.').next().unwrap_or_default();
    let receiver = receiver.trim_start_matches('_').to_ascii_lowercase();
    let is_log = receiver.ends_with("logger") || receiver == "log" || receiver == "console";
    is_log || called(text).is_some_and(|name| starts_with_word(name, "Log"))
}

/// The two sides of an assignment.
fn assigned(text: &str) -> Option<(&str, &str)> {
    let (target, value) = text.split_once(" = ").or_else(|| text.split_once(" += "))?;
    (!target.contains('(')).then_some((target, value))
}

/// Whether what is assigned to is declared there: a type and a name.
fn is_declaration(target: &str) -> bool {
    target.contains(' ')
}

/// The name of the last member that a line calls.
fn called(text: &str) -> Option<&str> {
    let text = assigned(text).map_or(text, |(_, value)| value);
    let (before, _) = text.split_once('(')?;
    let before = before.split('<').next().unwrap_or_default();
    // A type before a name declares a function.
    if before.contains(' ') && !before.starts_with("await ") && !before.starts_with("new ") {
        return None;
    }
    let name = before.rsplit(['.', ' ', '!', '?']).next()?;
    (!name.is_empty()).then_some(name)
}

fn asks(name: &str) -> bool {
    ASKS.iter().any(|verb| starts_with_word(name, verb))
}

fn starts_with_word(name: &str, word: &str) -> bool {
    let rest = name.strip_prefix(word);
    rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_lowercase()))
}

#[cfg(test)]
mod tests {
    use cortex_wire::{CodeLine, CodeLineKind};
    use expect_test::expect;

    use super::{most_telling, outer_lines};

    const BODY: &str = r#"var order = await _orders.GetAsync(id);
if (order == null)
{
    _logger.LogWarning("no order {Id}", id);
    return NotFound;
}

// What the customer still has to pay.
var left = order.Lines.Sum(line => line.Price) - order.Paid;
var options = new ChargeOptions
{
    Amount = left,
    Currency = order.Currency
};
if (left > 0 &&
    order.Card != null)
{
    try
    {
        await _payments.ChargeAsync(order.Card, options);
    }
    catch (PaymentException exception)
    {
        _logger.LogError(exception, "not paid");
        return Failed;
    }
}

order.PaidAt = _clock.Now;
await _orders.ReplaceAsync(order);
return new Receipt(order, left);"#;

    fn shown(kind: impl Fn(usize) -> CodeLineKind, n: usize) -> String {
        let lines = BODY.lines().enumerate();
        let code: Vec<CodeLine> = lines
            .map(|(i, text)| CodeLine {
                kind: kind(i),
                text: text.to_owned(),
            })
            .collect();
        let stretches: Vec<_> = super::super::runs(&code).collect();
        let lines = most_telling(&code, &outer_lines(&code), &stretches, n);
        let texts: Vec<&str> = lines.iter().map(|&i| code[i].text.as_str()).collect();
        texts.join("\n")
    }

    #[test]
    fn effects_come_before_guards_with_what_they_stand_in() {
        let added = |_| CodeLineKind::Added;
        expect![[r#"
            if (left > 0 &&
                order.Card != null)
                try
                    await _payments.ChargeAsync(order.Card, options);"#]]
        .assert_eq(&shown(added, 4));
        expect![[r#"
            var order = await _orders.GetAsync(id);
            if (order == null)
                return NotFound;
            var left = order.Lines.Sum(line => line.Price) - order.Paid;
            if (left > 0 &&
                order.Card != null)
                try
                    await _payments.ChargeAsync(order.Card, options);
                catch (PaymentException exception)
            order.PaidAt = _clock.Now;
            await _orders.ReplaceAsync(order);
            return new Receipt(order, left);"#]]
        .assert_eq(&shown(added, 12));
    }

    #[test]
    fn what_is_there_comes_before_what_it_replaces() {
        let half = BODY.lines().count() / 2;
        let sides = |i| match i < half {
            true => CodeLineKind::Removed,
            false => CodeLineKind::Added,
        };
        expect![[r#"
                var order = await _orders.GetAsync(id);
                    try
                        await _payments.ChargeAsync(order.Card, options);
                    catch (PaymentException exception)
                        return Failed;
                order.PaidAt = _clock.Now;
                await _orders.ReplaceAsync(order);
                return new Receipt(order, left);"#]]
        .assert_eq(&shown(sides, 8));
    }

    #[test]
    fn a_condition_and_what_is_refused_are_whole_up_to_the_last_line() {
        let texts = ["if (a &&", "b)", "throw new E(", "1,", "2);"];
        let code = texts.map(|text| CodeLine {
            kind: CodeLineKind::Added,
            text: text.to_owned(),
        });
        let whole = |line| super::whole_statement(&code, line);
        assert_eq!((whole(0), whole(1), whole(2)), (0..2, 1..2, 2..5));
        // What ends nowhere near is told by its first line.
        assert_eq!(super::whole_statement(&code[..4], 2), 2..3);
    }

    #[test]
    fn a_mapping_does_not_hide_the_condition_behind_it() {
        let mut texts: Vec<String> = (0..9)
            .map(|i| format!("license.P{i} = claims.Get(Names.P{i});"))
            .collect();
        texts.push("if (!license.CanUse(user))".to_owned());
        texts.push("{".to_owned());
        texts.push("    throw new BadRequestException();".to_owned());
        let code = texts.iter().map(|text| CodeLine {
            kind: CodeLineKind::Added,
            text: text.clone(),
        });
        let code: Vec<CodeLine> = code.collect();
        let whole = 0..code.len();
        let told = most_telling(&code, &outer_lines(&code), &[whole], 6);
        assert_eq!(told, [0, 1, 2, 3, 9, 11]);
    }

    #[test]
    fn no_more_lines_are_given_than_there_may_be() {
        let n_lines = BODY.lines().count();
        for n in 0..n_lines {
            let shown = shown(|_| CodeLineKind::Added, n);
            assert!(shown.lines().count() <= n, "{n}: {shown}");
        }
    }
}
