//! The rows below a changed symbol: one for each line that uses it, and one for many lines that are alike.
//!
//! Owns: which lines share a row, and how a row reads. Must not know: what fits into the budget.

use std::collections::{BTreeMap, BTreeSet};

use cortex_model::RepoPath;
use cortex_wire::{Certainty, LineUse, RestOfFile, Role, ViaRelation};

use crate::{markdown::plan::counted, text::line};

/// So many lines of one type have a row each, in any case.
const MAX_SINGLE: usize = 4;

/// So many lines of one type with the same text have a row each.
const MAX_SAME: usize = 2;

/// So many lines of tests have a row each.
const MAX_TESTS: usize = 2;

/// So many files with the same line are listed.
const MAX_FILES: usize = 10;

/// So many line numbers, members or files are listed in a row.
const MAX_LISTED: usize = 8;

/// A use with how sure its line is.
pub(super) type SureUse<'u> = (&'u LineUse, Certainty);

/// A row below a symbol.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// Its text, without indentation.
    pub(super) text: String,
    /// How many lines it stands for.
    pub(super) n_lines: usize,
    /// Whether those are of tests.
    pub(super) is_test: bool,
}

impl Row {
    /// Its text without that of a line, which two spaces set off.
    fn brief(&self) -> &str {
        let place = self.text.split_once("  ");
        place.map_or(&self.text, |(place, _)| place)
    }
}

/// So many rows of the product share one where rows are brief.
const MAX_TOGETHER: usize = 4;

/// The same rows without the texts of lines, those of the product several to a row.
pub(super) fn brief(rows: Vec<Row>) -> Vec<Row> {
    let (tests, product): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(|row| row.is_test);
    let together = product.chunks(MAX_TOGETHER).map(|some| {
        let mut text = some[0].brief().to_owned();
        let (first, _) = through(&some[0].text);
        for row in &some[1..] {
            let (symbol, place) = through(row.brief());
            let place = if symbol == first { place } else { row.brief() };
            // A place without a path is in the file before it.
            text.push_str(if place.starts_with(':') { ", " } else { "; " });
            text.push_str(place);
        }
        Row {
            text,
            n_lines: some.iter().map(|row| row.n_lines).sum(),
            is_test: false,
        }
    });
    let tests = tests.into_iter().map(|row| Row {
        text: row.brief().to_owned(),
        ..row
    });
    together.chain(tests).collect()
}

/// What a place names instead of the symbol, and the place: `IQuery.Get` and `A.cs:1` of `?IQuery.Get A.cs:1`.
fn through(place: &str) -> (Option<&str>, &str) {
    let parts = place
        .strip_prefix('?')
        .and_then(|rest| rest.split_once(' '))
        .filter(|(symbol, _)| symbol.contains('.') && !symbol.contains(':'));
    match parts {
        Some((symbol, place)) => (Some(symbol), place),
        None => (None, place),
    }
}

/// The rows for `uses`, product before tests, and for `rest`, the uses that are counted by file alone.
///
/// The numbers of lines of all rows add up to the uses and the rest.
pub(super) fn rows(uses: &[SureUse<'_>], rest: &[RestOfFile]) -> Vec<Row> {
    // Behind the tests stands what is in types that are gone.
    let is_test = |used: &SureUse<'_>| used.0.is_test;
    let tests_start = uses.iter().position(is_test).unwrap_or(uses.len());
    let (product, others) = uses.split_at(tests_start);
    let tests: Vec<SureUse<'_>> = others.iter().copied().filter(is_test).collect();
    let gone: Vec<SureUse<'_>> = others.iter().copied().filter(|it| !is_test(it)).collect();
    let mut out = Vec::new();
    let mut last_path = None;
    product_rows(product, &mut last_path, &mut out);
    let (rest_of_tests, rest_of_product): (Vec<_>, Vec<_>) = rest.iter().partition(|it| it.is_test);
    out.extend(rest_row(&rest_of_product));
    if tests.len() <= MAX_TESTS && rest_of_tests.is_empty() {
        for &(used, certainty) in &tests {
            out.push(Row {
                text: use_line(used, certainty, last_path),
                n_lines: 1,
                is_test: true,
            });
            last_path = Some(&used.path);
        }
    } else {
        out.push(tests_row(&tests, &rest_of_tests));
        last_path = None;
    }
    product_rows(&gone, &mut last_path, &mut out);
    out
}

/// So many members that changed with what they use are named.
const MAX_CHANGED: usize = 6;

/// The row for uses in code that changed with what it uses, where its text is shown: the members, each with the number of
/// its lines if these are several. `None` without any.
pub(super) fn changed_row(uses: &[SureUse<'_>]) -> Option<Row> {
    let mut members: Vec<(String, usize)> = Vec::new();
    for (used, _) in uses {
        let inside = used.inside.as_deref().unwrap_or_default();
        let name = member_with_type(inside);
        let name = name.strip_suffix(".#ctor").unwrap_or(&name).to_owned();
        match members.iter_mut().find(|(known, _)| *known == name) {
            Some((_, n)) => *n += 1,
            None => members.push((name, 1)),
        }
    }
    let names = members.iter().map(|(name, n)| match n {
        1 => line(name).into_owned(),
        n => format!("{} ({n})", line(name)),
    });
    let mut names: Vec<String> = names.collect();
    if names.len() > MAX_CHANGED {
        let n_more = names.len() - MAX_CHANGED;
        names.truncate(MAX_CHANGED);
        names.push(format!("… {n_more} more"));
    }
    (!names.is_empty()).then(|| Row {
        text: format!("in changed code: {}", names.join(", ")),
        n_lines: uses.len(),
        is_test: false,
    })
}

/// Rows of product code: lines of one type that name the same are one row where they are many.
fn product_rows<'u>(
    uses: &[SureUse<'u>],
    last_path: &mut Option<&'u RepoPath>,
    out: &mut Vec<Row>,
) {
    let mut groups: Vec<Vec<SureUse<'u>>> = Vec::new();
    let mut by_key: BTreeMap<_, usize> = BTreeMap::new();
    for &(used, certainty) in uses {
        let via = used.via.as_ref().map(|via| via.to.as_str());
        let key = (used.path.as_str(), type_around(used), via, certainty);
        let at = *by_key.entry(key).or_insert(groups.len());
        match groups.get_mut(at) {
            Some(group) => group.push((used, certainty)),
            None => groups.push(vec![(used, certainty)]),
        }
    }
    // The same line in many files is one row: generated code, or one thing to do in every program.
    let mut by_text: BTreeMap<(&str, Option<&str>), Vec<usize>> = BTreeMap::new();
    for (at, group) in groups
        .iter()
        .enumerate()
        .filter(|(_, group)| group.len() == 1)
    {
        let used = group[0].0;
        let via = used.via.as_ref().map(|via| via.to.as_str());
        by_text.entry((&used.text, via)).or_default().push(at);
    }
    by_text.retain(|_, same| same.len() > MAX_SINGLE);
    let in_many: BTreeMap<usize, &Vec<usize>> = (by_text.values())
        .flat_map(|same| same.iter().map(move |&at| (at, same)))
        .collect();
    for (at, group) in groups.iter().enumerate() {
        let first = group[0].0;
        if let Some(same) = in_many.get(&at) {
            if same[0] == at {
                let all: Vec<SureUse<'_>> = same.iter().map(|&at| groups[at][0]).collect();
                out.push(Row {
                    text: files_line(&all),
                    n_lines: all.len(),
                    is_test: false,
                });
                *last_path = None;
            }
            continue;
        }
        let is_same = || group.iter().all(|(used, _)| used.text == first.text);
        let is_one_row = group.len() > MAX_SINGLE || group.len() > MAX_SAME && is_same();
        if is_one_row {
            out.push(Row {
                text: group_line(group, *last_path),
                n_lines: group.len(),
                is_test: false,
            });
        } else {
            let mut before = *last_path;
            for &(used, certainty) in group {
                out.push(Row {
                    text: use_line(used, certainty, before),
                    n_lines: 1,
                    is_test: false,
                });
                before = Some(&used.path);
            }
        }
        *last_path = Some(&first.path);
    }
}

/// Lines that are alike: where, in which members, and the first one's text.
fn group_line(group: &[SureUse<'_>], before: Option<&RepoPath>) -> String {
    let (first, certainty) = group[0];
    let numbers: BTreeSet<u32> = group.iter().map(|(used, _)| used.at.line).collect();
    let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
    let mut members: Vec<&str> = Vec::new();
    for (used, _) in group {
        let name = used.inside.as_deref().and_then(member_name);
        members.extend(name.filter(|name| !members.contains(name)));
    }
    let members: Vec<_> = members.into_iter().map(line).collect();
    let inside = match members.is_empty() {
        true => String::new(),
        false => format!(" in {}", listed(&members, ", ")),
    };
    format!(
        "{}{}:{}{inside}  {}",
        sign(first, certainty),
        path_after(first, before),
        listed(&numbers, ","),
        line(first.text.trim())
    )
}

/// The same line in many files: each file with its line, and the text once.
fn files_line(uses: &[SureUse<'_>]) -> String {
    let (first, _) = uses[0];
    let certainty = uses.iter().map(|it| it.1).max().unwrap_or(uses[0].1);
    let places: Vec<String> = (uses.iter().take(MAX_FILES))
        .map(|(used, _)| format!("{}:{}", line(used.path.as_str()), used.at.line))
        .collect();
    let more = match uses.len().saturating_sub(MAX_FILES) {
        0 => String::new(),
        n => format!(" … {n} more"),
    };
    let sign = sign(first, certainty);
    format!(
        "{sign}{}{more}  {}",
        places.join(", "),
        line(first.text.trim())
    )
}

/// The uses of tests in one row, by file.
fn tests_row(uses: &[SureUse<'_>], rest: &[&RestOfFile]) -> Row {
    // How many, whether a request runs it, and the first line that is known.
    let mut files: Vec<(&RepoPath, bool, usize, Option<u32>)> = Vec::new();
    let known = uses.iter().map(|(used, _)| {
        let over_http = (used.via.as_ref()).is_some_and(|it| it.relation == ViaRelation::Route);
        (&used.path, over_http, 1, Some(used.at.line))
    });
    let rest = rest.iter().map(|it| (&it.path, false, it.n_uses, None));
    for (path, over_http, n, at) in known.chain(rest) {
        match files
            .iter_mut()
            .find(|file| (file.0, file.1) == (path, over_http))
        {
            Some(file) => file.2 += n,
            None => files.push((path, over_http, n, at)),
        }
    }
    // What names the symbol comes before what asks for a page that does.
    files.sort_by_key(|&(_, over_http, n, _)| (over_http, std::cmp::Reverse(n)));
    let n_lines = files.iter().map(|(_, _, n, _)| n).sum();
    let names: Vec<String> = (files.iter())
        .map(|(path, over_http, n, at)| {
            let at = at.map_or_else(String::new, |at| format!(":{at}"));
            let how = if *over_http { " over HTTP" } else { "" };
            format!("{}{at} ({n}{how})", line(path.file_name()))
        })
        .collect();
    let is_possible = !uses.is_empty() && uses.iter().all(|it| it.1 != Certainty::Exact);
    Row {
        text: format!(
            "{}tests, {}: {}",
            if is_possible { "? " } else { "" },
            counted(n_lines, "line", "lines"),
            listed(&names, ", ")
        ),
        n_lines,
        is_test: true,
    }
}

/// Uses in product code that are counted by file alone.
fn rest_row(rest: &[&RestOfFile]) -> Option<Row> {
    let mut files: BTreeMap<&RepoPath, usize> = BTreeMap::new();
    for file in rest {
        *files.entry(&file.path).or_default() += file.n_uses;
    }
    let n_lines: usize = files.values().sum();
    let mut files: Vec<_> = files.into_iter().collect();
    files.sort_by_key(|&(path, n)| (std::cmp::Reverse(n), path));
    let names: Vec<String> = (files.iter())
        .map(|(path, n)| format!("{} ({n})", line(path.file_name())))
        .collect();
    (n_lines > 0).then(|| Row {
        text: format!(
            "{} more: {}",
            counted(n_lines, "line", "lines"),
            listed(&names, ", ")
        ),
        n_lines,
        is_test: false,
    })
}

/// The first few of a list, and how many more there are.
pub(in crate::markdown) fn listed<T: AsRef<str>>(items: &[T], separator: &str) -> String {
    // The words for one more would be as long as the one.
    let n_shown = match items.len() {
        n if n <= MAX_LISTED + 1 => n,
        _ => MAX_LISTED,
    };
    let shown: Vec<&str> = items[..n_shown].iter().map(AsRef::as_ref).collect();
    let mut out = shown.join(separator);
    if n_shown < items.len() {
        out.push_str(&format!(" … {} more", items.len() - n_shown));
    }
    out
}

/// A use: where, and the line; the path only where it is not the one before.
pub(super) fn use_line(used: &LineUse, certainty: Certainty, before: Option<&RepoPath>) -> String {
    let sign = sign(used, certainty);
    let inside = used.inside.as_deref().and_then(member_name);
    let inside = inside.map_or_else(String::new, |name| format!(" in {}", line(name)));
    let (at, text) = (used.at.line, line(used.text.trim()));
    let only = crate::look::only_in(&used.frameworks);
    format!(
        "{sign}{}:{at}{inside}{only}  {text}",
        path_after(used, before)
    )
}

pub(super) fn path_after<'u>(
    used: &'u LineUse,
    before: Option<&RepoPath>,
) -> std::borrow::Cow<'u, str> {
    match before == Some(&used.path) {
        true => "".into(),
        false => line(used.path.as_str()),
    }
}

/// The documentation id of the type around a use, without its kind; empty outside of types.
fn type_around(used: &LineUse) -> &str {
    let inside = used.inside.as_deref().unwrap_or_default();
    let (kind, path) = inside.split_once(':').unwrap_or(("", inside));
    let path = path.split('(').next().unwrap_or(path);
    match kind {
        "T" => path,
        _ => path.rsplit_once('.').map_or("", |(ty, _)| ty),
    }
}

/// The simple name in the documentation id of a member.
pub(super) fn member_name(id: &str) -> Option<&str> {
    let (kind, _) = id.split_once(':')?;
    let name = id[..crate::look::name_in(id).1]
        .rsplit(['.', ':', '#'])
        .next()?;
    (kind != "T").then(|| name.split('`').next().unwrap_or(name))
}

/// `Order.Send` of `M:Shop.Order.Send(System.String)`.
pub(super) fn member_with_type(id: &str) -> String {
    let (behind_block, end) = crate::look::name_in(id);
    if behind_block > 0 {
        return id[behind_block..end].to_owned();
    }
    let mut parts = id[..end].rsplit(['.', ':']);
    let (member, ty) = (parts.next(), parts.next());
    let parts: Vec<&str> = ty.into_iter().chain(member).collect();
    parts.join(".")
}

/// Whether a line tells values of an enum apart without the changed one.
pub(super) fn is_branch(used: &LineUse) -> bool {
    (used.via.as_ref()).is_some_and(|via| via.relation == ViaRelation::Branch)
}

/// What stands before a line that is not certain: the sign, and what the line names instead.
fn sign(used: &LineUse, certainty: Certainty) -> String {
    match (&used.via, certainty) {
        (None, _) if used.role == Role::Inactive => "?left out by #if: ".to_owned(),
        (Some(via), _) if via.relation == ViaRelation::Route => format!("?{} ", line(&via.to)),
        (Some(via), _) if via.relation == ViaRelation::Reflection => {
            format!("?read by reflection: {} ", line(&member_with_type(&via.to)))
        }
        (Some(via), _) if via.relation == ViaRelation::Attribute => {
            let name = via.to.rsplit(['.', ':']).next().unwrap_or(&via.to);
            match name.strip_suffix("Attribute") {
                Some(attribute) => format!("?on [{}] ", line(attribute)),
                None => format!("?by typeof({}) ", line(name)),
            }
        }
        (Some(via), _) if via.relation == ViaRelation::Branch => "?without it: ".to_owned(),
        (Some(via), _) if via.relation == ViaRelation::Creation => "makes one: ".to_owned(),
        (Some(via), _) => format!("?{} ", line(&member_with_type(&via.to))),
        (None, Certainty::OverloadSet | Certainty::Possible | Certainty::NameOnly) => {
            "? ".to_owned()
        }
        (None, Certainty::Exact) => String::new(),
    }
}

/// One entry for each line, proven if any use on it is.
pub(super) fn merged<'u>(uses: impl Iterator<Item = &'u LineUse>) -> Vec<SureUse<'u>> {
    let mut out: Vec<SureUse<'u>> = Vec::new();
    let mut lines: BTreeMap<(&str, u32), usize> = BTreeMap::new();
    for used in uses {
        let at = *(lines.entry((used.path.as_str(), used.at.line))).or_insert(out.len());
        match out.get_mut(at) {
            Some((_, certainty)) => *certainty = (*certainty).min(used.certainty),
            None => out.push((used, used.certainty)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use cortex_model::{LineColumn, RepoPath};
    use cortex_wire::{Certainty, LineUse, RestOfFile, Role};
    use proptest::prelude::*;

    use super::{merged, rows};

    fn used(path: &str, line: u32, inside: &str, text: &str) -> LineUse {
        LineUse {
            frameworks: Vec::new(),
            path: RepoPath::from(path),
            at: LineColumn { line, column: 1 },
            project: RepoPath::from("A.csproj"),
            is_test: path.contains("Tests"),
            inside: Some(inside.to_owned()),
            role: Role::Call,
            certainty: Certainty::Exact,
            via: None,
            text: text.to_owned(),
        }
    }

    fn rest(path: &str, n_uses: usize) -> RestOfFile {
        RestOfFile {
            path: RepoPath::from(path),
            is_test: path.contains("Tests"),
            n_uses,
        }
    }

    fn texts(uses: &[LineUse], rest: &[RestOfFile]) -> Vec<String> {
        let rows = rows(&merged(uses.iter()), rest);
        rows.into_iter().map(|row| row.text).collect()
    }

    #[test]
    fn many_lines_of_one_type_that_are_alike_are_one_row() {
        let visitor: Vec<LineUse> = (0..101)
            .map(|i| {
                let inside = format!("M:A.Visitor.Visit{i}(A.Node)");
                used("Visitor.cs", 10 * i + 5, &inside, "return Default(inst);")
            })
            .collect();
        assert_eq!(
            texts(&visitor, &[]),
            [
                "Visitor.cs:5,15,25,35,45,55,65,75 … 93 more in Visit0, Visit1, Visit2, Visit3, Visit4, Visit5, Visit6, Visit7 … 93 more  \
                 return Default(inst);"
            ]
        );
    }

    #[test]
    fn few_lines_of_one_type_have_a_row_each() {
        let few = ["a = Get();", "b = Get();"].map(|text| used("A.cs", 3, "M:A.B.C", text));
        let mut few = few.to_vec();
        few[1].at.line = 4;
        assert_eq!(
            texts(&few, &[]),
            ["A.cs:3 in C  a = Get();", ":4 in C  b = Get();"]
        );
    }

    #[test]
    fn the_same_line_in_many_files_is_one_row() {
        let uses: Vec<LineUse> = (0..6)
            .map(|i| used(&format!("{i}.cs"), i, &format!("M:A.S{i}.Go"), "x.Add();"))
            .collect();
        assert_eq!(
            texts(&uses, &[]),
            ["0.cs:0, 1.cs:1, 2.cs:2, 3.cs:3, 4.cs:4, 5.cs:5  x.Add();"]
        );
    }

    #[test]
    fn tests_come_last_and_in_one_row() {
        let mut uses = vec![used("A.cs", 1, "M:A.B.C", "x();")];
        uses.extend((1..4).map(|i| used("ATests.cs", i, "M:T.A.C", "x();")));
        let rest = [rest("B.cs", 2), rest("BTests.cs", 4)];
        assert_eq!(
            texts(&uses, &rest),
            [
                "A.cs:1 in C  x();",
                "2 lines more: B.cs (2)",
                "tests, 7 lines: BTests.cs (4), ATests.cs:1 (3)"
            ]
        );
    }

    fn any_uses() -> impl Strategy<Value = Vec<LineUse>> {
        let one = (0..4usize, 0..30u32, 0..3usize, 0..3usize, any::<bool>());
        prop::collection::vec(one, 0..60).prop_map(|all| {
            all.into_iter()
                .map(|(path, line, ty, text, is_test)| LineUse {
                    is_test,
                    ..used(
                        ["A.cs", "b/B.cs", "T.cs", "U.cs"][path],
                        line,
                        ["M:A.B.C(X.Y)", "T:A.B", "P:A.C.D"][ty],
                        ["x();", "y();", ""][text],
                    )
                })
                .collect()
        })
    }

    proptest! {
        #[test]
        fn no_row_loses_a_line(uses in any_uses(), rests in prop::collection::vec(0..9usize, 0..9)) {
            let merged = merged(uses.iter());
            let names = ["A.cs", "MTests.cs", "NTests.cs", "O.cs"];
            let rest: Vec<_> = (rests.iter().enumerate())
                .map(|(i, &n)| rest(names[i % names.len()], n))
                .collect();
            let n_rows: usize = rows(&merged, &rest).iter().map(|row| row.n_lines).sum();
            prop_assert_eq!(n_rows, merged.len() + rests.iter().sum::<usize>());
        }
    }
}
