//! The map of a repository or of a part of it.
//!
//! Owns: which lines come first where space is short. Must not know: how types were ranked.

use cortex_wire::{Area, Envelope, MapAnswer, MapMember, MapProject, MapType};

use super::{About, limits_markdown, parts};
use crate::{
    More, RenderOptions,
    documentation::{DocStyle, first_line},
    markdown::{
        names,
        plan::{counted, grouped},
    },
    text::{fence, line, span},
    tree::{Node, Taken, Tree},
};

/// So many other assemblies are named that a project uses.
const MAX_USES: usize = 4;

/// A member comes so many places behind its type, and behind the member before it.
const MEMBER: u64 = 10;

/// A project comes so many types before its place among projects says.
const PROJECT: u64 = 3;

/// Text for people, within the same budget as Markdown: a map that is too large for a model is so for them.
pub fn map_text(envelope: &Envelope<MapAnswer>, options: &RenderOptions<'_>) -> String {
    text_of(parts(envelope), options)
}

/// The same of a map that is one of several kinds of answers.
pub(super) fn text_of(
    (answer, about): (&MapAnswer, About<'_>),
    options: &RenderOptions<'_>,
) -> String {
    let title = format!("{}\n", title((answer, about), options));
    if answer.n_types == 0 {
        return empty(&[title], &nothing(answer, about), options);
    }
    tree(answer).fit(
        &[title],
        ("", ""),
        &|taken| left_out(answer, taken, options),
        options,
    )
}

/// Markdown of at most `options.budget` tokens.
pub fn map_markdown(envelope: &Envelope<MapAnswer>, options: &RenderOptions<'_>) -> String {
    markdown_of(parts(envelope), options)
}

/// The same of a map that is one of several kinds of answers.
pub(super) fn markdown_of(
    (answer, about): (&MapAnswer, About<'_>),
    options: &RenderOptions<'_>,
) -> String {
    let titles = [
        format!("# {}\n", title((answer, about), options)),
        format!("# {}\n", counted(answer.n_types, "type", "types")),
    ];
    if answer.n_types == 0 {
        return empty(&titles, &nothing(answer, about), options);
    }
    let tree = tree(answer);
    // Nothing inside ends a fence of so many.
    let fence = fence(tree.longest_backtick_run());
    let (open, close) = (format!("{fence}\n"), format!("{fence}\n"));
    tree.fit(
        &titles,
        (&open, &close),
        &|taken| left_out(answer, taken, options),
        options,
    )
}

/// What is said where there is no type.
fn nothing(answer: &MapAnswer, about: About<'_>) -> String {
    match &answer.area {
        Area::Repository if about.limited_to.is_none() && answer.n_test_types == 0 => {
            "no C# types in this repository".to_owned()
        }
        Area::Repository => "no C# types match".to_owned(),
        area => format!("no C# types in this {}", area.kind()),
    }
}

/// An answer without a type.
fn empty(titles: &[String], nothing: &str, options: &RenderOptions<'_>) -> String {
    let mut out = Tree::default();
    out.add(None, 0, nothing);
    out.fit(titles, ("", ""), &|_| String::new(), options)
}

fn title((answer, about): (&MapAnswer, About<'_>), options: &RenderOptions<'_>) -> String {
    let what = match &answer.area {
        Area::Repository => "map".to_owned(),
        area => format!("{} {}", area.kind(), span(area.name())),
    };
    let n_projects = answer.projects.len();
    let mut out = format!(
        "{what}: {} in {}",
        counted(answer.n_types, "type", "types"),
        counted(n_projects, "project", "projects")
    );
    if answer.n_test_types > 0 {
        out.push_str(&format!(
            ", {} in test projects left out ({})",
            grouped(answer.n_test_types),
            options.more(More::TestTypes)
        ));
    }
    out.push_str(&limits_markdown(about.limited_to));
    for focus in &answer.focus {
        out.push_str(&format!("; around {}", span(&focus.means)));
        if focus.is_corrected {
            let asked = span(&focus.asked);
            out.push_str(&format!(
                " (no symbol is named {asked}; showing the closest match)"
            ));
        }
    }
    if about.limits.timed_out {
        out.push_str(&format!("; {}", super::out_of_time(options)));
    }
    out
}

fn left_out(answer: &MapAnswer, taken: Taken, options: &RenderOptions<'_>) -> String {
    match answer.n_types.saturating_sub(taken.n_shown) {
        0 => String::new(),
        n => format!(
            "{} left out ({}, {}; {})\n",
            counted(n, "type", "types"),
            options.more(More::Tokens),
            options.more(More::Items { total: None }),
            options.more(More::Focus)
        ),
    }
}

/// Projects, in them namespaces, in them types, in them members.
fn tree(answer: &MapAnswer) -> Tree {
    let mut out = Tree::default();
    for (nth, project) in answer.projects.iter().enumerate() {
        // What has nothing around the focus tells nothing of it.
        if !answer.focus.is_empty() && project.namespaces.is_empty() {
            continue;
        }
        // Where there is only one, its types are what is asked for.
        let node = out.add(None, nth as u64 * PROJECT, project_line(project));
        for namespace in &project.namespaces {
            let name = if namespace.name.is_empty() {
                "(global namespace)"
            } else {
                &namespace.name
            };
            let under = out.add(
                Some(node),
                u64::MAX,
                format!(
                    "  {}: {}",
                    line(name),
                    counted(namespace.n_types, "type", "types")
                ),
            );
            for ty in &namespace.types {
                of_type(&mut out, under, ty, project);
            }
        }
    }
    out
}

fn of_type(out: &mut Tree, under: Node, ty: &MapType, project: &MapProject) {
    let rank = 2 * ty.rank as u64;
    let folder = project.path.folder();
    let file = ty.file.as_str();
    let place = match file
        .strip_prefix(folder)
        .and_then(|it| it.strip_prefix('/'))
    {
        Some(rest) if !folder.is_empty() => rest,
        _ => file,
    };
    let text = format!(
        "    {} {}:{}, {}",
        line(&names::unqualified(&ty.declaration)),
        line(place),
        ty.line,
        counted(ty.uses as usize, "use", "uses")
    );
    let node = out.item(Some(under), rank, text);
    let docs = first_line(&ty.docs, DocStyle::Text);
    if !docs.is_empty() {
        out.add(Some(node), rank + 1, format!("      // {docs}"));
    }
    for (nth, member) in ty.members.iter().enumerate() {
        out.add(
            Some(node),
            rank + MEMBER * (nth as u64 + 1),
            format!("      {}", member_line(member)),
        );
    }
}

fn member_line(member: &MapMember) -> String {
    let declared = names::unqualified(&member.declaration);
    // What most members have goes without saying.
    let declared = line(declared.strip_prefix("public ").unwrap_or(&declared)).into_owned();
    match member.n_overloads {
        0 => declared,
        n => format!("{declared} +{}", counted(n, "overload", "overloads")),
    }
}

/// What stands for the project of files that no project compiles.
const LOOSE: &str = "(loose)";

fn project_line(project: &MapProject) -> String {
    let name = match project.path.as_str() {
        LOOSE => "files outside projects",
        path => path,
    };
    let mut out = format!(
        "{}: {}",
        line(name),
        counted(project.n_types, "type", "types")
    );
    let stem = project
        .path
        .file_name()
        .rsplit_once('.')
        .map_or(project.path.file_name(), |(stem, _)| stem);
    if stem != project.assembly && name != "files outside projects" {
        out.push_str(&format!(", assembly {}", line(&project.assembly)));
    }
    if !project.uses.is_empty() {
        let names: Vec<_> = project
            .uses
            .iter()
            .take(MAX_USES)
            .map(|it| line(it))
            .collect();
        out.push_str(&format!(", uses {}", names.join(", ")));
        if project.uses.len() > MAX_USES {
            out.push_str(&format!(" and {} more", project.uses.len() - MAX_USES));
        }
    }
    out
}
