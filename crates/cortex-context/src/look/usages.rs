//! Where a symbol is used.

use cortex_wire::{Certainty, Envelope, FoundBy, NotKnown, Role, Usage, UsagesAnswer, Verdict};

use super::{
    About, inactive_note,
    list::List,
    mentions::{mention_groups, mentions_note, mentions_text, not_searched_note},
    notes, only_in, parts, short, through_note, title_markdown, title_text,
};
use crate::{
    RenderOptions,
    markdown::plan::{counted, grouped},
    text::{line, prose, span},
};

/// Text for people: by file.
pub fn usages_text(envelope: &Envelope<UsagesAnswer>, options: &RenderOptions<'_>) -> String {
    let (answer, about) = parts(envelope);
    let mut out = format!("{}\n", title_text(&answer.subject, about));
    for note in header(answer, about, options) {
        out.push_str(&format!("  {}\n", line(&note)));
    }
    let mut file = None;
    for item in &answer.items {
        if file != Some(&item.file) {
            out.push_str(&format!("\n{}\n", line(item.file.as_str())));
            file = Some(&item.file);
        }
        out.push_str(&format!("  {}\n", line(&entry(item))));
    }
    if answer.items.len() < answer.total {
        let n = answer.total - answer.items.len();
        let total = answer.total;
        out.push_str(&format!(
            "\n… and {} more ({})\n",
            grouped(n),
            options.more_items(total)
        ));
    }
    out.push_str(&mentions_text(&answer.mentions, options));
    let not_known = &answer.not_known;
    for (title, places) in [
        ("Unresolved places with this name", &not_known.places),
        (
            "Places with this name in inactive #if code",
            &not_known.inactive_places,
        ),
    ] {
        if !places.is_empty() {
            out.push_str(&format!("\n{title}:\n"));
        }
        for item in places {
            out.push_str(&format!(
                "  {}:{}\n",
                line(item.file.as_str()),
                line(&entry(item))
            ));
        }
    }
    out
}

/// Markdown of at most `options.budget` tokens.
pub fn usages_markdown(envelope: &Envelope<UsagesAnswer>, options: &RenderOptions<'_>) -> String {
    let (answer, about) = parts(envelope);
    let resolved = &answer.subject.resolved;
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for item in &answer.items {
        let file = span(item.file.as_str());
        if groups.last().is_none_or(|(last, _)| *last != file) {
            groups.push((file, Vec::new()));
        }
        if let Some((_, lines)) = groups.last_mut() {
            lines.push(prose_entry(item));
        }
    }
    groups.extend(mention_groups(&answer.mentions));
    let mentions = &answer.mentions;
    let (noun, total) = match mentions.items.is_empty() {
        true => (("use", "uses"), answer.total),
        false => (("place", "places"), answer.total + mentions.total),
    };
    let n_listed = answer.items.len() + mentions.items.len();
    let count = counted(answer.total, "use", "uses");
    List {
        titles: vec![
            title_markdown("usages", &answer.subject, about),
            format!("# usages {}: {count}", span(&resolved.path)),
            count,
        ],
        notes: header(answer, about, options)
            .iter()
            .map(|note| prose(note))
            .collect(),
        groups,
        noun,
        total,
        all_items: (n_listed < total).then_some(answer.total.max(mentions.total)),
    }
    .render(options)
}

fn header(answer: &UsagesAnswer, about: About<'_>, options: &RenderOptions<'_>) -> Vec<String> {
    let mut out = notes(&answer.subject);
    let contexts: Vec<String> = (answer.contexts.iter())
        .map(|(role, n)| super::role_count(*role, *n))
        .collect();
    out.push(match answer.verdict {
        Verdict::Found => format!(
            "{} in {}: {}",
            counted(answer.total, "use", "uses"),
            counted(answer.n_files, "file", "files"),
            contexts.join(", ")
        ),
        Verdict::Elsewhere => format!(
            "no uses inside the filter; {} outside it",
            counted(answer.elsewhere, "use", "uses")
        ),
        Verdict::None => match not_searched_note(&answer.mentions.not_searched) {
            Some(note) => {
                format!("no uses found in C#, SQL, markup, configuration or project files; {note}")
            }
            None => "no uses found".to_owned(),
        },
        Verdict::NotKnown => {
            let mut doubts = doubts(&answer.not_known, answer.total);
            doubts.extend(through_note(&answer.through, options));
            doubts.extend(found_by_note(&answer.found_by));
            doubts.extend(mentions_note(&answer.mentions, options));
            return [
                out,
                vec![match doubts.is_empty() && !about.limits.timed_out {
                    true => "no uses found; results may be incomplete".to_owned(),
                    false => format!(
                        "no uses found; results may be incomplete: {}",
                        (about
                            .limits
                            .timed_out
                            .then(|| super::out_of_time(options))
                            .into_iter())
                        .chain(doubts)
                        .collect::<Vec<_>>()
                        .join("; ")
                    ),
                }],
                not_searched_note(&answer.mentions.not_searched)
                    .into_iter()
                    .collect(),
            ]
            .concat();
        }
    });
    if answer.elsewhere > 0 && answer.total > 0 {
        out.push(format!(
            "{} outside the filter",
            counted(answer.elsewhere, "more use", "more uses")
        ));
    }
    if about.limits.timed_out {
        out.push(super::out_of_time(options));
    }
    out.extend(through_note(&answer.through, options));
    out.extend(found_by_note(&answer.found_by));
    out.extend(doubts(&answer.not_known, answer.total));
    out.extend(mentions_note(&answer.mentions, options));
    out
}

/// By which bases code may find a type that it does not name.
fn found_by_note(found: &[FoundBy]) -> Option<String> {
    if found.is_empty() {
        return None;
    }
    let mut bases: Vec<String> = (found.iter().take(MAX_BASES))
        .map(|it| {
            let how = match it.role {
                Role::Registration => "registered",
                Role::Parameter => "injected as IEnumerable",
                Role::Typeof => "typeof",
                _ => "type argument",
            };
            let more = match it.total {
                1 => String::new(),
                n => format!(" and {} more", grouped(n - 1)),
            };
            let name = short(&it.doc_id);
            format!("{name} ({how} at {}:{}{more})", it.file, it.line)
        })
        .collect();
    if found.len() > bases.len() {
        bases.push(format!("{} more", found.len() - bases.len()));
    }
    Some(format!(
        "code may find it by its base: {}",
        bases.join(", ")
    ))
}

/// So many bases are named by which a type may be found.
const MAX_BASES: usize = 3;

/// What else may use it.
pub(super) fn doubts(not_known: &NotKnown, total: usize) -> Vec<String> {
    let mut out = Vec::new();
    if not_known.name_only > 0 {
        out.push(format!(
            "{} with this name could not be resolved",
            counted(not_known.name_only, "place", "places")
        ));
    }
    out.extend(inactive_note(
        not_known.inactive,
        &not_known.inactive_places,
    ));
    if not_known.degraded_files > 0 {
        out.push(format!(
            "{} with this name could be parsed only in part",
            counted(not_known.degraded_files, "file", "files")
        ));
    }
    if not_known.skipped_files > 0 {
        let n = not_known.skipped_files as usize;
        out.push(format!("{} could not be read", counted(n, "file", "files")));
    }
    // Where there are uses, that others may exist elsewhere is no news.
    if not_known.visible_outside && total == 0 {
        out.push("public: code outside this repository may use it".to_owned());
    }
    out
}

/// A place for people: `12:5 call in Type.Member: text`.
fn entry(item: &Usage) -> String {
    format!("{}: {}", head(item), item.text)
}

fn prose_entry(item: &Usage) -> String {
    format!("{} {}", prose(&head(item)), span(&item.text))
}

fn head(item: &Usage) -> String {
    let mut out = format!("{}:{} {}", item.line, item.column, item.context);
    match item.certainty {
        Certainty::Exact => {}
        Certainty::OverloadSet => out.push_str(" (one of its overloads)"),
        Certainty::Possible => out.push_str(" (possible)"),
        Certainty::NameOnly => out.push_str(" (name only)"),
    }
    if let Some(inside) = &item.inside {
        out.push_str(&format!(" in {}", short(inside)));
    }
    if let Some(via) = &item.via {
        out.push_str(&format!(" of {} ({})", short(&via.doc_id), via.relation));
    }
    out + &only_in(&item.frameworks)
}
