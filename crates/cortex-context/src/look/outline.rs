//! The outline of a type or of members.
//!
//! Owns: what stands first, and what goes when space is short. Must not know: how it is found.

use cortex_wire::{
    DocsShown, Envelope, MemberOutline, OutlineAnswer, OutlineDependency, OutlineOrMap,
    OutlineType, TypeOutline,
};

use super::{
    bullet, code,
    code::{part_text, parts_markdown},
    limits_markdown, map, notes, parts, short_type, title_text,
};
use crate::{
    More, RenderOptions,
    documentation::{DocStyle, documentation, first_line},
    markdown::{
        names,
        plan::{counted, grouped},
    },
    text::{line, prose, span},
    tree::{Node, Tree},
};

/// What is taken first where space is short.
const HEAD: u64 = 0;
const SUMMARY: u64 = 1;
const RELATED: u64 = 3;
const MEMBER: u64 = 10;
const MEMBER_DOCS: u64 = 1_000;
const NESTED: u64 = 100_000;

/// Text for people, uncut.
pub fn outline_text(envelope: &Envelope<OutlineOrMap>, options: &RenderOptions<'_>) -> String {
    let (answer, about) = parts(envelope);
    let answer = match answer {
        OutlineOrMap::Outline(outline) => outline,
        OutlineOrMap::Map(map) => return map::text_of((map, about), options),
    };
    let mut out = format!("{}\n", title_text(&answer.subject, about));
    for note in notes(&answer.subject) {
        out.push_str(&format!("{note}\n"));
    }
    out.push_str(&tree(answer, DocStyle::Text, options).whole());
    for part in &answer.source {
        out.push_str(&part_text(part, options));
    }
    out
}

/// Markdown of at most `options.budget` tokens: the head, then members, then what is inside of them.
pub fn outline_markdown(envelope: &Envelope<OutlineOrMap>, options: &RenderOptions<'_>) -> String {
    let (answer, about) = parts(envelope);
    let answer = match answer {
        OutlineOrMap::Outline(outline) => outline,
        OutlineOrMap::Map(map) => return map::markdown_of((map, about), options),
    };
    let resolved = &answer.subject.resolved;
    let titles = [
        format!(
            "# {} {}{}\n",
            span(&resolved.path),
            resolved.id(),
            limits_markdown(about.limited_to)
        ),
        format!("# {}\n", span(&short_type(&resolved.path))),
    ];
    let tree = tree(answer, DocStyle::Markdown, options);
    let left_out = |taken: crate::tree::Taken| super::left_out(taken, options);
    // The code is what was asked for last, and the longest: it has what is left.
    let share = RenderOptions {
        budget: if answer.source.is_empty() {
            options.budget
        } else {
            options.budget / 2
        },
        ..*options
    };
    let text = tree.fit(&titles, ("", ""), &left_out, &share);
    match answer.source.is_empty() {
        true => text,
        false => parts_markdown(&format!("{text}\n## Source\n"), &answer.source, options),
    }
}

fn tree(answer: &OutlineAnswer, style: DocStyle, options: &RenderOptions<'_>) -> Tree {
    let mut out = Tree::default();
    let ty = &answer.ty;
    if style == DocStyle::Markdown {
        for note in notes(&answer.subject) {
            out.add(None, HEAD, bullet(&prose(&note), style));
        }
    }
    if answer.is_of_members {
        out.add(
            None,
            HEAD,
            bullet(
                &format!(
                    "member of {} {}",
                    ty.kind,
                    code(&short_type(&ty.name), style)
                ),
                style,
            ),
        );
        for (nth, member) in ty.members.iter().enumerate() {
            let rank = MEMBER + nth as u64;
            let place = format!("{}:{}", member.file, member.line);
            let text = format!(
                "{} {} {}",
                code(&declaration(member), style),
                member.id,
                plain(&place)
            );
            let node = out.item(None, rank, bullet(&text, style));
            // Of one member all is shown; of overloads what tells them apart, unless all is wanted.
            let docs = match answer.docs {
                DocsShown::First if ty.members.len() > 1 => first_line(&member.docs, style),
                _ => documentation(&member.docs, style),
            };
            if !docs.is_empty() {
                out.add(Some(node), rank, indented(docs.trim_end(), "  "));
            }
        }
        return out;
    }
    of_type(&mut out, None, ty, answer.docs, (style, options), 0);
    out
}

fn of_type(
    out: &mut Tree,
    parent: Option<Node>,
    ty: &TypeOutline,
    docs: DocsShown,
    (style, options): (DocStyle, &RenderOptions<'_>),
    depth: u64,
) {
    let base = depth * NESTED;
    let at = |rank: u64| base + rank;
    out.add(
        parent,
        at(HEAD),
        bullet(&code(&names::unqualified(&ty.declaration), style), style),
    );
    let files: Vec<String> = (ty.files.iter())
        .map(|place| {
            format!(
                "{}:{}-{}{}",
                line(place.file.as_str()),
                place.line,
                place.end_line,
                super::only_in(&place.frameworks)
            )
        })
        .collect();
    out.add(
        parent,
        at(HEAD),
        bullet(
            &format!(
                "{} in {}, {}",
                files.join(", "),
                line(&ty.assembly),
                ty.doc_id
            ),
            style,
        ),
    );
    out.add(
        parent,
        at(RELATED),
        bullet(
            &format!(
                "hashes: structure {}, implementation {}, documentation {}",
                ty.hashes.structure, ty.hashes.implementation, ty.hashes.documentation
            ),
            style,
        ),
    );
    if ty.degraded {
        out.add(
            parent,
            at(HEAD),
            bullet("one of its files could be parsed only in part", style),
        );
    }
    let text = match docs {
        DocsShown::None => String::new(),
        // Of what is asked for itself all is shown.
        _ if depth == 0 => documentation(&ty.docs, style),
        DocsShown::Full => documentation(&ty.docs, style),
        DocsShown::First => first_line(&ty.docs, style),
    };
    if !text.trim().is_empty() {
        out.add(parent, at(SUMMARY), format!("\n{}", text.trim_end()));
    }
    related(out, parent, at(RELATED), ty, style);
    members(out, parent, base, ty, docs, (style, options));
    if !ty.nested_names.is_empty() {
        let names: Vec<String> = ty
            .nested_names
            .iter()
            .map(|it| code(&short_type(&it.name), style) + &super::only_in(&it.frameworks))
            .collect();
        out.add(
            parent,
            at(MEMBER),
            format!("\n{}: {}", heading("Nested types", style), names.join(", ")),
        );
    }
    for nested in &ty.nested {
        let title = format!("{} {}", short_type(&nested.name), nested.id);
        let node = out.item(
            parent,
            base + NESTED,
            format!("\n{}", section(&title, depth, style)),
        );
        of_type(out, Some(node), nested, docs, (style, options), depth + 1);
    }
}

fn related(out: &mut Tree, parent: Option<Node>, rank: u64, ty: &TypeOutline, style: DocStyle) {
    let mut lines = Vec::new();
    if !ty.implements.is_empty() {
        let names: Vec<String> = ty
            .implements
            .iter()
            .map(|it: &OutlineType| {
                code(&short_type(&it.name), style) + &super::only_in(&it.frameworks)
            })
            .collect();
        lines.push(format!("{}: {}", heading("Bases", style), names.join(", ")));
    }
    let list = |all: &[OutlineDependency], n: usize| {
        let mut names: Vec<String> = (all.iter())
            .map(|it| {
                format!(
                    "{} {}{}",
                    code(&short_type(&it.name), style),
                    grouped(it.count as usize),
                    super::only_in(&it.frameworks)
                )
            })
            .collect();
        if n > all.len() {
            names.push(format!("… {} more", grouped(n - all.len())));
        }
        names.join(", ")
    };
    if ty.n_depends_on > 0 || ty.n_outside > 0 {
        let mut text = list(&ty.depends_on, ty.n_depends_on);
        if ty.n_outside > 0 {
            let outside = format!(
                "{} outside this repository",
                counted(ty.n_outside, "type", "types")
            );
            text = if text.is_empty() {
                outside
            } else {
                format!("{text}; {outside}")
            };
        }
        lines.push(format!("{}: {text}", heading("Depends on", style)));
    }
    let text = match ty.n_used_by {
        0 => "no other type in this repository".to_owned(),
        n => format!("{}: {}", counted(n, "type", "types"), list(&ty.used_by, n)),
    };
    lines.push(format!("{} {text}", heading("Used by", style)));
    for (nth, text) in lines.into_iter().enumerate() {
        let gap = if nth == 0 { "\n" } else { "" };
        out.add(parent, rank, format!("{gap}{}", bullet(&text, style)));
    }
}

fn members(
    out: &mut Tree,
    parent: Option<Node>,
    base: u64,
    ty: &TypeOutline,
    docs: DocsShown,
    (style, options): (DocStyle, &RenderOptions<'_>),
) {
    let mut before: Option<(&str, Node)> = None;
    for (nth, member) in ty.members.iter().enumerate() {
        let title = member.kind.group().name();
        let group = match before {
            Some((known, node)) if known == title => node,
            _ => out.add(
                parent,
                base + MEMBER,
                format!("\n{}", section(title, 0, style)),
            ),
        };
        before = Some((title, group));
        let rank = base + MEMBER + nth as u64;
        let mut text = code(&declaration(member), style);
        text.push_str(&super::only_in(&member.frameworks));
        let first = match docs {
            DocsShown::First => first_line(&member.docs, style),
            DocsShown::None | DocsShown::Full => String::new(),
        };
        if !first.is_empty() {
            text.push_str(if style == DocStyle::Text {
                "\n    "
            } else {
                " – "
            });
            text.push_str(&first);
        }
        let node = out.item(Some(group), rank, bullet(&text, style));
        if docs == DocsShown::Full {
            let text = documentation(&member.docs, style);
            if !text.is_empty() {
                out.add(
                    Some(node),
                    rank + MEMBER_DOCS,
                    indented(text.trim_end(), "  "),
                );
            }
        }
    }
    if ty.n_hidden > 0 {
        let text = format!(
            "{} not shown ({})",
            counted(ty.n_hidden, "member", "members"),
            options.more(More::AllMembers)
        );
        out.add(parent, base + MEMBER, format!("\n{}", bullet(&text, style)));
    }
}

/// As written; of what is bound alone, without namespaces.
fn declaration(member: &MemberOutline) -> String {
    line(&names::unqualified(&member.declaration)).into_owned()
}

fn heading(text: &str, style: DocStyle) -> String {
    match style {
        DocStyle::Markdown => format!("**{text}**"),
        DocStyle::Text => text.to_owned(),
    }
}

fn section(title: &str, depth: u64, style: DocStyle) -> String {
    match style {
        DocStyle::Markdown => format!("{} {}", "#".repeat(2 + depth.min(3) as usize), line(title)),
        DocStyle::Text => line(title).into_owned(),
    }
}

fn plain(text: &str) -> String {
    line(text).into_owned()
}

fn indented(text: &str, indent: &str) -> String {
    let lines = text.lines().map(|it| {
        if it.is_empty() {
            String::new()
        } else {
            format!("{indent}{it}")
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}
