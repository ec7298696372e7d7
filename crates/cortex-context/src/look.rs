//! Answers of the group "look" as text for people, and as Markdown within a budget. Their JSON is the answer itself.
//!
//! Owns: what every one of these answers shows alike. Must not know: how answers are found.

mod calls;
mod code;
pub(crate) mod deps;
mod folded;
mod list;
mod map;
mod mentions;
mod outline;
mod relatives;
mod resolve;
mod search;
mod usages;

use cortex_wire::{Envelope, Filter, Limits, Role, Subject, SymbolRef, TestScope, Through, Usage};

use crate::{
    More, RenderOptions,
    documentation::DocStyle,
    markdown::plan::{counted, grouped},
    text::{line, span},
    tree::Taken,
};

pub use calls::{calls_markdown, calls_text};
pub use code::{source_markdown, source_text};
pub use deps::{
    cycles_markdown, cycles_text, deps_markdown, deps_text, unused_markdown, unused_text,
};
pub use map::{map_markdown, map_text};
pub use outline::{outline_markdown, outline_text};
pub use relatives::{relatives_markdown, relatives_text};
pub use resolve::{resolve_markdown, resolve_text};
pub use search::{search_markdown, search_text};
pub use usages::{usages_markdown, usages_text};

/// What the envelope of an answer reports and its rendering repeats.
#[derive(Clone, Copy, Debug)]
pub(crate) struct About<'a> {
    pub(crate) limited_to: Option<&'a Filter>,
    pub(crate) limits: Limits,
    /// The target frameworks that the answer unites.
    pub(crate) frameworks: &'a [String],
}

/// An answer, and what its envelope reports.
pub(crate) fn parts<A>(envelope: &Envelope<A>) -> (&A, About<'_>) {
    let about = About {
        limited_to: envelope.limited_to.as_ref(),
        limits: envelope.limits,
        frameworks: &envelope.frameworks,
    };
    (&envelope.answer, about)
}

/// The symbol that an answer is about, for people, and what the answer is limited to:
/// `Ns.Type: class T_7XPKJFH2, in Tests`.
fn title_text(subject: &Subject, about: About<'_>) -> String {
    let resolved = &subject.resolved;
    format!(
        "{}: {}{}{}",
        line(&resolved.path),
        kind_and_id(resolved),
        limits_text(about.limited_to),
        united(about)
    )
}

/// `method T_7XPKJFH2_K3M0ZQ`; several overloads have no id of their own, and are called a group of their type.
pub(crate) fn kind_and_id(symbol: &SymbolRef) -> String {
    let is_group = symbol.member_id.is_none() && symbol.kind.is_member();
    let of = if is_group { " group of" } else { "" };
    format!("{}{of} {}", symbol.kind, symbol.id())
}

/// The same as the title of a Markdown answer of a command.
fn title_markdown(command: &str, subject: &Subject, about: About<'_>) -> String {
    let resolved = &subject.resolved;
    format!(
        "# {command} {}: {}{}{}",
        span(&resolved.path),
        kind_and_id(resolved),
        limits_markdown(about.limited_to),
        united(about)
    )
}

/// What an answer is limited to, for people: `, in Tests, in path src`; nothing where that is everything.
pub(crate) fn limits_text(limited_to: Option<&Filter>) -> String {
    limits(limited_to, DocStyle::Text)
}

/// The same in Markdown.
pub(crate) fn limits_markdown(limited_to: Option<&Filter>) -> String {
    limits(limited_to, DocStyle::Markdown)
}

/// So much of a scope is told.
const MAX_SCOPE: usize = 120;

fn limits(limited_to: Option<&Filter>, style: DocStyle) -> String {
    let Some(it) = limited_to else {
        return String::new();
    };
    let shown = |text: &str| match text.char_indices().nth(MAX_SCOPE) {
        None => code(text, style),
        Some((end, _)) => code(&format!("{}…", &text[..end]), style),
    };
    let all = |texts: &[String]| {
        texts
            .iter()
            .map(|it| shown(it))
            .collect::<Vec<_>>()
            .join(" or ")
    };
    let mut out = String::new();
    if let Some(scope) = &it.scope {
        out.push_str(&format!(", in {}", shown(scope)));
    }
    if !it.projects.is_empty() {
        out.push_str(&format!(", in project {}", all(&it.projects)));
    }
    if !it.paths.is_empty() {
        out.push_str(&format!(", in path {}", all(&it.paths)));
    }
    out.push_str(match it.tests {
        TestScope::Any => "",
        TestScope::Only => ", in test projects",
        TestScope::Without => ", outside test projects",
    });
    out
}

/// `, in net10.0, net472`: the target frameworks that an answer unites.
pub(crate) fn united(about: About<'_>) -> String {
    match about.frameworks {
        [] => String::new(),
        names => format!(", in {}", line(&names.join(", "))),
    }
}

/// ` (only net472)` behind what not every target framework has.
pub(crate) fn only_in(frameworks: &[String]) -> String {
    match frameworks {
        [] => String::new(),
        names => format!(" (only {})", line(&names.join(", "))),
    }
}

/// What must be known of how the symbol was found, in lines without marks.
fn notes(subject: &Subject) -> Vec<String> {
    let mut out = Vec::new();
    if !subject.frameworks.is_empty() {
        out.push(format!("only in {}", subject.frameworks.join(", ")));
    }
    if let Some(was) = &subject.redirected_from {
        out.push(format!("{was} was renamed to this symbol"));
    }
    if let Some(asked) = &subject.corrected_from {
        out.push(no_such_symbol(asked));
    }
    if subject.total_others > 0 {
        let mut names: Vec<String> = (subject.others.iter())
            .map(|other| format!("{} {} ({})", other.kind, other.path, other.id()))
            .collect();
        if subject.total_others > names.len() && !names.is_empty() {
            names.push(format!("{} more", subject.total_others - names.len()));
        }
        out.push(format!(
            "{}: {}; showing the closest",
            counted(subject.total_others, "other match", "other matches"),
            names.join(", ")
        ));
    }
    out
}

/// What is said where the closest name stands in for one that does not exist.
pub(crate) fn no_such_symbol(asked: &str) -> String {
    format!("no symbol is named {asked}; showing the closest match")
}

/// What is said of code that conditional compilation leaves out and that has the name of a symbol.
fn inactive_note(n: usize, places: &[Usage]) -> Option<String> {
    let first = places.first()?;
    let at = format!("{}:{}", first.file, first.line);
    let which = match n {
        1 => at,
        _ => format!("{at} and {} more", grouped(n - 1)),
    };
    let n = counted(n, "place", "places");
    Some(format!("{n} with this name in inactive #if code: {which}"))
}

/// `6 more uses through M:N.IX.Run (--with-overrides)`: uses that name what the symbol overrides or implements.
fn through_note(through: &[Through], options: &RenderOptions<'_>) -> Option<String> {
    let (first, others) = through.split_first()?;
    let n: usize = through.iter().map(|it| it.total).sum();
    let others = match others.len() {
        0 => String::new(),
        n => format!(" and {}", counted(n, "other member", "other members")),
    };
    Some(format!(
        "{} through {}{others} ({})",
        counted(n, "more use", "more uses"),
        short(&first.doc_id),
        options.more(More::WithOverrides),
    ))
}

/// How many uses have a role: `1 call`, `2 base types`.
fn role_count(role: Role, n: usize) -> String {
    let (one, many) = match role {
        Role::Attribute => ("attribute", "attributes"),
        Role::Base => ("base type", "base types"),
        Role::Call => ("call", "calls"),
        Role::Cast => ("cast", "casts"),
        Role::Catch => ("catch", "catches"),
        Role::Constraint => ("constraint", "constraints"),
        Role::Conversion => ("conversion", "conversions"),
        Role::Creation => ("creation", "creations"),
        Role::Deconstruct => ("deconstruction", "deconstructions"),
        Role::Dispose => ("disposal", "disposals"),
        Role::Doc => ("documentation reference", "documentation references"),
        Role::Event => ("event type", "event types"),
        Role::Field => ("field type", "field types"),
        Role::Index => ("index access", "index accesses"),
        Role::Local => ("local type", "local types"),
        Role::Operator => ("operator", "operators"),
        Role::Parameter => ("parameter type", "parameter types"),
        Role::Pattern => ("pattern", "patterns"),
        Role::Property => ("property type", "property types"),
        Role::Read => ("read", "reads"),
        Role::Registration => ("registration", "registrations"),
        Role::Return => ("return type", "return types"),
        Role::Static => ("static access", "static accesses"),
        Role::TypeArgument => ("type argument", "type arguments"),
        Role::Write => ("write", "writes"),
        role => return format!("{} {role}", grouped(n)),
    };
    counted(n, one, many)
}

/// A type's or member's name without its namespace: ``Ns.Outer`1+Inner`` is `Outer.Inner`.
fn short_type(name: &str) -> String {
    let (types, rest) = name.split_at(name.find(['(', '[']).unwrap_or(name.len()));
    let outer = types.split(['+', '`']).next().unwrap_or(types);
    let start = outer.rfind('.').map_or(0, |dot| dot + 1);
    let mut out = String::new();
    let mut chars = types[start..].chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '+' => out.push('.'),
            '`' => while chars.next_if(char::is_ascii_digit).is_some() {},
            _ => out.push(c),
        }
    }
    out + rest
}

/// Where the name of a member ends in its documentation id, and where what is behind an extension block begins:
/// `Own` of `M:Shop.Extensions.extension(Shop.Order).Own(System.Int32)`.
pub(crate) fn name_in(id: &str) -> (usize, usize) {
    const BLOCK: &str = ".extension(";
    let block = id.find(BLOCK).map(|at| at + BLOCK.len());
    let behind = block.and_then(|start| {
        let mut depth = 1;
        let end = id[start..].find(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth == 0
        })?;
        let behind = start + end + 1;
        id[behind..].starts_with('.').then_some(behind + 1)
    });
    let start = behind.unwrap_or(0);
    let end = id[start..]
        .find(['(', '~'])
        .map_or(id.len(), |at| start + at);
    (start, end)
}

/// Type and member of a documentation id: `Order.Submit`; of a type its name, of a member of an extension block its own.
pub(crate) fn short(id: &str) -> &str {
    if let (start @ 1.., end) = name_in(id) {
        return &id[start..end];
    }
    let (kind, path) = id.split_once(':').unwrap_or(("", id));
    let end = path.find(['(', '~']).unwrap_or(path.len());
    let mut dots = path[..end].rmatch_indices('.');
    if kind != "T" {
        dots.next();
    }
    let start = dots.next().map_or(0, |(at, _)| at + 1);
    &path[start..end]
}

/// A line of a list.
fn bullet(text: &str, style: DocStyle) -> String {
    match style {
        DocStyle::Markdown => format!("- {text}"),
        DocStyle::Text => format!("  {text}"),
    }
}

/// What is written as in sources.
fn code(text: &str, style: DocStyle) -> String {
    match style {
        DocStyle::Markdown => span(text),
        DocStyle::Text => line(text).into_owned(),
    }
}

/// Words with commas between.
fn joined<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.collect::<Vec<_>>().join(", ")
}

/// What is said where the time ran out.
pub(crate) fn out_of_time(options: &RenderOptions<'_>) -> String {
    format!(
        "time limit reached, results are incomplete ({})",
        options.more(More::Time)
    )
}

/// How many lines the budget cut.
fn left_out(taken: Taken, options: &RenderOptions<'_>) -> String {
    match taken.n_all - taken.n_shown {
        0 => String::new(),
        n => format!(
            "\n{} of {} left out ({})\n",
            grouped(n),
            counted(taken.n_all, "line", "lines"),
            options.more(More::Tokens)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn short_names_are_of_members_and_not_of_their_parameters() {
        for (id, expected) in [
            ("M:Shop.Order.Submit(System.Int32)", "Order.Submit"),
            ("P:Shop.Order.Size", "Order.Size"),
            ("T:Shop.Order", "Order"),
            (
                "M:Shop.Order.op_Implicit(Shop.Order)~System.Int32",
                "Order.op_Implicit",
            ),
            (
                "M:Shop.E.extension(System.Func{Shop.A(System.B)}).Own(System.Int32)",
                "Own",
            ),
            ("P:Shop.E.extension(Shop.Order).Size", "Size"),
            ("M:Shop.Order.extension(System.Int32)", "Order.extension"),
        ] {
            assert_eq!(short(id), expected);
        }
    }
}
