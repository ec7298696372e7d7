//! The dependencies of a type, cycles, and what has no reference: lists that differ in their lines alone.

use cortex_wire::{
    CycleEdge, CyclesAnswer, CyclesBy, DepsAnswer, DepsSide, Envelope, UnusedAnswer, UnusedItem,
    UnusedReason, UnusedWhy,
};

use super::{About, bullet, code, limits, notes, parts, short_type, title_markdown, title_text};
use crate::{
    More, RenderOptions,
    documentation::DocStyle,
    markdown::plan::{counted, grouped},
    text::{line, prose},
    tree::Tree,
};

/// Of a large cycle so many members are listed in a line.
const MAX_MEMBERS: usize = 12;

/// Of a large cycle so many closing dependencies are listed for people.
const MAX_CLOSING: usize = 20;

/// Text for people.
pub fn deps_text(envelope: &Envelope<DepsAnswer>, options: &RenderOptions<'_>) -> String {
    let (answer, about) = parts(envelope);
    let title = title_text(&answer.subject, about);
    let notes: String = (notes(&answer.subject).iter())
        .map(|note| format!("  {}\n", line(note)))
        .collect();
    format!(
        "{title}\n{notes}{}",
        deps_tree(answer, DocStyle::Text, options).whole()
    )
}

/// Markdown of at most `options.budget` tokens.
pub fn deps_markdown(envelope: &Envelope<DepsAnswer>, options: &RenderOptions<'_>) -> String {
    let (answer, about) = parts(envelope);
    let mut title = format!("{}\n", title_markdown("deps", &answer.subject, about));
    for note in notes(&answer.subject) {
        title.push_str(&format!("- {}\n", prose(&note)));
    }
    deps_tree(answer, DocStyle::Markdown, options).fit(
        &[title],
        ("", ""),
        &|taken| super::left_out(taken, options),
        options,
    )
}

/// Text for people.
pub fn cycles_text(envelope: &Envelope<CyclesAnswer>, options: &RenderOptions<'_>) -> String {
    let (answer, about) = parts(envelope);
    format!(
        "{}\n{}",
        cycles_title((answer, about), DocStyle::Text, options),
        cycles_tree(answer, DocStyle::Text, options).whole()
    )
}

/// Markdown of at most `options.budget` tokens.
pub fn cycles_markdown(envelope: &Envelope<CyclesAnswer>, options: &RenderOptions<'_>) -> String {
    let (answer, about) = parts(envelope);
    let title = format!(
        "# {}\n",
        cycles_title((answer, about), DocStyle::Markdown, options)
    );
    cycles_tree(answer, DocStyle::Markdown, options).fit(
        &[title],
        ("", ""),
        &|taken| super::left_out(taken, options),
        options,
    )
}

/// Text for people.
pub fn unused_text(envelope: &Envelope<UnusedAnswer>, options: &RenderOptions<'_>) -> String {
    let (answer, about) = parts(envelope);
    format!(
        "{}\n{}",
        unused_title((answer, about), DocStyle::Text, options),
        unused_tree(answer, DocStyle::Text, options).whole()
    )
}

/// Markdown of at most `options.budget` tokens.
pub fn unused_markdown(envelope: &Envelope<UnusedAnswer>, options: &RenderOptions<'_>) -> String {
    let (answer, about) = parts(envelope);
    let title = format!(
        "# {}\n",
        unused_title((answer, about), DocStyle::Markdown, options)
    );
    unused_tree(answer, DocStyle::Markdown, options).fit(
        &[title],
        ("", ""),
        &|taken| super::left_out(taken, options),
        options,
    )
}

fn deps_tree(answer: &DepsAnswer, style: DocStyle, options: &RenderOptions<'_>) -> Tree {
    let mut out = Tree::default();
    if let Some(path) = &answer.path {
        let to = code(&short_type(&path.to), style);
        // A step may pass several types of which the answer may not speak.
        let n_steps = path.steps.iter().map(|step| 1 + step.n_outside).sum();
        let text = match (path.steps.is_empty(), path.is_reversed) {
            (true, _) if path.to == answer.subject.resolved.path => {
                format!("{to} is the type itself")
            }
            (true, _) => format!("no dependency path to {to}, and none back"),
            (false, true) => format!(
                "no dependency path to {to}; the way back has {}",
                counted(n_steps, "step", "steps")
            ),
            (false, false) => format!(
                "dependency path to {to}, {}",
                counted(n_steps, "step", "steps")
            ),
        };
        let node = out.add(None, 0, section(&text, style));
        if let Some(asked) = &path.corrected_from {
            let text = format!(
                "no symbol is named {}; {to} is the closest match",
                code(asked, style)
            );
            out.add(Some(node), 0, bullet(&text, style));
        }
        for step in &path.steps {
            let ends = [&step.from, &step.to].map(|it| code(&short_type(it), style));
            let text = match step.n_outside {
                0 => format!(
                    "{} → {}: {} at {}",
                    ends[0],
                    ends[1],
                    super::joined(step.kinds.iter().map(|kind| kind.name())),
                    counted(step.count as usize, "place", "places")
                ),
                n => format!(
                    "{} → {} outside the filter → {}",
                    ends[0],
                    counted(n, "type", "types"),
                    ends[1]
                ),
            };
            out.item(Some(node), 0, bullet(&text, style));
        }
        return out;
    }
    let mut side = |title: &str, side: &Option<DepsSide>| {
        let Some(side) = side else { return };
        let title = match side.n_types {
            0 => format!("{title} no types"),
            n => format!("{title} {}", counted(n, "type", "types")),
        };
        let node = out.add(None, 0, section(&title, style));
        for (nth, ty) in side.types.iter().enumerate() {
            let test = if ty.is_test { ", test" } else { "" };
            let text = format!(
                "{} {} {}: {}, {}:{}{test}{}",
                code(&short_type(&ty.name), style),
                ty.id,
                counted(ty.count as usize, "use", "uses"),
                super::joined(ty.kinds.iter().map(|kind| kind.name())),
                line(ty.file.as_str()),
                ty.line,
                super::only_in(&ty.frameworks)
            );
            out.item(Some(node), 1 + nth as u64, bullet(&text, style));
        }
        if side.n_types > side.types.len() {
            let text = format!(
                "… and {} more ({})",
                grouped(side.n_types - side.types.len()),
                options.more_items(side.n_types)
            );
            out.add(Some(node), 1, bullet(&text, style));
        }
    };
    side("depends on", &answer.depends_on);
    side("used by", &answer.used_by);
    if !answer.outside.is_empty() {
        let title = format!(
            "depends on {} outside this repository",
            counted(answer.outside.len(), "type", "types")
        );
        let node = out.add(None, 0, section(&title, style));
        for (nth, it) in answer.outside.iter().enumerate() {
            let text = format!(
                "{} ({}): {}{}",
                code(&it.name, style),
                line(&it.assembly),
                super::joined(it.kinds.iter().map(|kind| kind.name())),
                super::only_in(&it.frameworks)
            );
            out.item(Some(node), 1_000 + nth as u64, bullet(&text, style));
        }
    }
    out
}

fn cycles_title(
    (answer, about): (&CyclesAnswer, About<'_>),
    style: DocStyle,
    options: &RenderOptions<'_>,
) -> String {
    let (one, many) = nouns(answer.by);
    let n = counted(answer.n_nodes, one, many);
    let mut out = match answer.n_cycles {
        0 => format!("no cycles among {n}"),
        n_cycles => format!("{} among {n}", counted(n_cycles, "cycle", "cycles")),
    };
    if let Some(subject) = &answer.subject {
        out.push_str(&format!(", of {}", code(&subject.resolved.path, style)));
    }
    out.push_str(&limits(about.limited_to, style));
    if about.limits.timed_out {
        out.push_str(&format!("; {}", super::out_of_time(options)));
    }
    out
}

fn cycles_tree(answer: &CyclesAnswer, style: DocStyle, options: &RenderOptions<'_>) -> Tree {
    let mut out = Tree::default();
    for note in answer.subject.iter().flat_map(notes) {
        out.add(None, 0, bullet(&note, style));
    }
    let nouns = nouns(answer.by);
    for (nth, cycle) in answer.cycles.iter().enumerate() {
        let base = 10 * nth as u64;
        let n = cycle.members.len();
        let title = format!(
            "cycle of {}, {}",
            counted(n, nouns.0, nouns.1),
            counted(cycle.n_edges, "dependency", "dependencies")
        );
        let node = out.item(None, base, section(&title, style));
        let mut names: Vec<String> = (cycle.members.iter().take(MAX_MEMBERS))
            .map(|it| code(&shown(answer.by, &it.name), style))
            .collect();
        if n > MAX_MEMBERS {
            names.push(format!("… {} more", grouped(n - MAX_MEMBERS)));
        }
        out.add(Some(node), base, bullet(&names.join(", "), style));
        let example: Vec<String> = cycle
            .example
            .iter()
            .map(|it| code(&shown(answer.by, &it.from), style))
            .collect();
        if let Some(first) = example.first() {
            out.add(
                Some(node),
                base,
                bullet(
                    &format!("shortest path: {} → {first}", example.join(" → ")),
                    style,
                ),
            );
        }
        let text = format!(
            "to break it, remove {}:",
            counted(cycle.closing.len(), "dependency", "dependencies")
        );
        let close = out.add(Some(node), base + 1, bullet(&text, style));
        for (nth, edge) in cycle.closing.iter().rev().take(MAX_CLOSING).enumerate() {
            out.item(
                Some(close),
                base + 1 + nth as u64,
                format!("  {}", bullet(&edge_line(answer.by, edge, style), style)),
            );
        }
        if cycle.closing.len() > MAX_CLOSING {
            let text = format!(
                "… and {} more ({})",
                grouped(cycle.closing.len() - MAX_CLOSING),
                options.more(More::Json)
            );
            out.add(Some(close), base + 1, format!("  {}", bullet(&text, style)));
        }
    }
    if answer.n_cycles > answer.cycles.len() {
        let text = format!(
            "… and {} ({})",
            counted(
                answer.n_cycles - answer.cycles.len(),
                "more cycle",
                "more cycles"
            ),
            options.more_items(answer.n_cycles)
        );
        out.add(None, 1, format!("\n{text}"));
    }
    out
}

fn edge_line(by: CyclesBy, edge: &CycleEdge, style: DocStyle) -> String {
    let mut out = format!(
        "{} → {}: {} at {}",
        code(&shown(by, &edge.from), style),
        code(&shown(by, &edge.to), style),
        super::joined(edge.kinds.iter().map(|kind| kind.name())),
        counted(edge.count as usize, "place", "places")
    );
    if let Some((from, to)) = &edge.example {
        out.push_str(&format!(
            ", such as {} → {}",
            code(&short_type(from), style),
            code(&short_type(to), style)
        ));
    }
    out
}

/// Types by their short names, all else in full.
fn shown(by: CyclesBy, name: &str) -> String {
    match by {
        CyclesBy::Type => short_type(name),
        CyclesBy::Namespace | CyclesBy::Project => name.to_owned(),
    }
}

fn unused_title(
    (answer, about): (&UnusedAnswer, About<'_>),
    style: DocStyle,
    options: &RenderOptions<'_>,
) -> String {
    let mut out = format!(
        "{} among {} and {}",
        counted(answer.n_unused, "unused symbol", "unused symbols"),
        counted(answer.n_types, "type", "types"),
        counted(answer.n_members, "member", "members")
    );
    out.push_str(&limits(about.limited_to, style));
    out.push_str(&super::united(about));
    if about.limits.timed_out {
        out.push_str(&format!("; {}", super::out_of_time(options)));
    }
    out
}

fn unused_tree(answer: &UnusedAnswer, style: DocStyle, options: &RenderOptions<'_>) -> Tree {
    let mut out = Tree::default();
    if answer.n_only_tests > 0 {
        let text = format!("{} used only by tests", grouped(answer.n_only_tests));
        out.add(None, 0, bullet(&text, style));
    }
    if !answer.n_maybe.is_empty() {
        let counts: Vec<String> = (answer.n_maybe.iter())
            .map(|(why, n)| maybe(*why, *n))
            .collect();
        let text = format!(
            "unreferenced, but may be in use: {} (listed with {})",
            counts.join(", "),
            options.more(More::WithReasons)
        );
        out.add(None, 0, bullet(&text, style));
    }
    if answer.n_mentioned > 0 {
        let text = format!(
            "{} named in SQL, configuration or project files",
            grouped(answer.n_mentioned)
        );
        out.add(None, 0, bullet(&text, style));
    }
    if let Some(note) = super::mentions::not_searched_note(&answer.not_searched) {
        out.add(None, 0, bullet(&note, style));
    }
    if answer.n_inactive > 0 {
        let files = counted(answer.n_inactive, "file", "files");
        let text = format!("inactive #if code in {files} was not searched");
        out.add(None, 0, bullet(&text, style));
    }
    let mut before: Option<(String, crate::tree::Node)> = None;
    for (nth, item) in answer.items.iter().enumerate() {
        let title = match item.reasons.first() {
            Some(reason) => format!("Unreferenced, but may be in use: {}", in_words(reason.why)),
            None if item.n_tests > 0 => "Used only by tests".to_owned(),
            None => "Unused".to_owned(),
        };
        let node = match &before {
            Some((known, node)) if *known == title => *node,
            _ => out.add(None, 1, section(&title, style)),
        };
        before = Some((title, node));
        out.item(
            Some(node),
            2 + nth as u64,
            bullet(&item_line(item, style), style),
        );
    }
    let n_listed = answer.items.len();
    let n_all = answer.n_unused + answer.n_only_tests;
    let is_all = answer.items.iter().any(|it| !it.reasons.is_empty());
    if !is_all && n_listed < n_all {
        let text = format!(
            "… and {} more ({})",
            grouped(n_all - n_listed),
            options.more_items(n_all)
        );
        out.add(None, 1, format!("\n{}", bullet(&text, style)));
    }
    out
}

fn item_line(item: &UnusedItem, style: DocStyle) -> String {
    let mut out = format!(
        "{} {} {} {}, {}:{}",
        item.accessibility,
        item.kind,
        code(&item.name, style),
        item.id,
        line(item.file.as_str()),
        item.line
    );
    out.push_str(&super::only_in(&item.frameworks));
    if item.n_tests > 0 {
        out.push_str(&format!(
            ", {}",
            counted(item.n_tests as usize, "use in tests", "uses in tests")
        ));
    }
    if item.is_recursive {
        out.push_str(", used only by itself");
    }
    if item.n_mentions > 0 && item.reasons.is_empty() {
        let n = counted(item.n_mentions, "mention", "mentions");
        out.push_str(&format!(", {n} outside of C#"));
    }
    let reasons: Vec<String> = item.reasons.iter().map(|it| reason(it, style)).collect();
    if !reasons.is_empty() {
        out.push_str(&format!(" – {}", reasons.join("; ")));
    }
    out
}

/// Why something without a reference may be in use.
pub(crate) fn why_in_use(found: &UnusedReason) -> String {
    reason(found, DocStyle::Text)
}

fn reason(reason: &UnusedReason, style: DocStyle) -> String {
    match reason.what.as_str() {
        "" => in_words(reason.why).to_owned(),
        what => format!("{} {}", in_words(reason.why), code(what, style)),
    }
}

fn in_words(why: UnusedWhy) -> &'static str {
    match why {
        UnusedWhy::EntryPoint => "entry point",
        UnusedWhy::Test => "run by a test framework",
        UnusedWhy::Overrides => "overrides",
        UnusedWhy::Implements => "implements",
        UnusedWhy::Serialized => "serialized by",
        UnusedWhy::Reflection => "reached by reflection",
        UnusedWhy::Markup => "named in markup",
        UnusedWhy::Attribute => "has attribute",
        UnusedWhy::TypeArgument => "may be created or filled by",
        UnusedWhy::UnknownBase => "base type is not known:",
        UnusedWhy::Derived => "can be found by its base",
        UnusedWhy::PublicApi => "public API",
        UnusedWhy::Convention => "called by convention",
        UnusedWhy::Constructor => "constructor that containers or serializers call",
        UnusedWhy::Layout => "part of a struct's layout",
        UnusedWhy::Generated => "in generated code",
        UnusedWhy::Generator => "may be used by code generated for",
        UnusedWhy::Degraded => "its file was parsed only in part",
        UnusedWhy::NotBound => "a name like it could not be resolved",
        UnusedWhy::Inactive => "named in inactive #if code",
    }
}

/// How many symbols may be in use for one reason.
fn maybe(why: UnusedWhy, n: usize) -> String {
    let (one, many) = match why {
        UnusedWhy::EntryPoint => ("entry point", "entry points"),
        UnusedWhy::Test => ("test", "tests"),
        UnusedWhy::Overrides => ("override", "overrides"),
        UnusedWhy::Implements => ("interface member", "interface members"),
        UnusedWhy::Serialized => ("serialized symbol", "serialized symbols"),
        UnusedWhy::Reflection => (
            "symbol reached by reflection",
            "symbols reached by reflection",
        ),
        UnusedWhy::Markup => ("symbol named in markup", "symbols named in markup"),
        UnusedWhy::Attribute => ("symbol with attributes", "symbols with attributes"),
        UnusedWhy::TypeArgument => (
            "member that a container or serializer may reach",
            "members that a container or serializer may reach",
        ),
        UnusedWhy::UnknownBase => (
            "symbol under an unknown base type",
            "symbols under unknown base types",
        ),
        UnusedWhy::Derived => ("type found by its base", "types found by their base"),
        UnusedWhy::PublicApi => ("public symbol", "public symbols"),
        UnusedWhy::Convention => (
            "member called by convention",
            "members called by convention",
        ),
        UnusedWhy::Constructor => ("constructor", "constructors"),
        UnusedWhy::Layout => ("field of a struct's layout", "fields of a struct's layout"),
        UnusedWhy::Generated => ("generated symbol", "generated symbols"),
        UnusedWhy::Generator => (
            "member that generated code may use",
            "members that generated code may use",
        ),
        UnusedWhy::Degraded => (
            "symbol in a partly parsed file",
            "symbols in partly parsed files",
        ),
        UnusedWhy::NotBound => (
            "symbol like an unresolved name",
            "symbols like unresolved names",
        ),
        UnusedWhy::Inactive => (
            "symbol named in inactive #if code",
            "symbols named in inactive #if code",
        ),
    };
    counted(n, one, many)
}

/// What a cycle is of: one, and many.
fn nouns(by: CyclesBy) -> (&'static str, &'static str) {
    match by {
        CyclesBy::Type => ("type", "types"),
        CyclesBy::Namespace => ("namespace", "namespaces"),
        CyclesBy::Project => ("project", "projects"),
    }
}

fn section(title: &str, style: DocStyle) -> String {
    match style {
        DocStyle::Markdown => format!("\n## {title}"),
        DocStyle::Text => format!("\n{title}"),
    }
}
