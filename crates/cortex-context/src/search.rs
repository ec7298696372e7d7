//! What a search found, as text for people and as Markdown within a budget. The JSON is the answer itself.
//!
//! Must not know: how it was found.

use std::{borrow::Cow, fmt::Write};

use cortex_wire::{Envelope, FilesAnswer, SafeAnswer, SafeFile, TextAnswer, TextHits};

use crate::{
    More,
    look::{About, limits_markdown, limits_text, parts},
    markdown::{RenderOptions, plan::counted},
    text::{Tabs, line, span, visible},
};

/// Hits by file and declaration, a line each, with the lines around them.
pub fn search_text_text(envelope: &Envelope<TextAnswer>, options: &RenderOptions<'_>) -> String {
    let (answer, about) = parts(envelope);
    let limits = limits_text(about.limited_to);
    let mut out = format!("{}{limits}\n", title((answer, about), &line(&answer.query)));
    for file in &answer.files {
        let _ = writeln!(out, "\n{}", line(file.file.as_str()));
        for shown in lines(file) {
            let depth = if shown.is_inside { "    " } else { "  " };
            match shown.number {
                None => _ = writeln!(out, "  {}", line(&shown.text)),
                Some(number) => {
                    let text = visible(&shown.text, Tabs::Keep);
                    _ = writeln!(out, "{depth}{number}{} {text}", shown.mark());
                }
            }
        }
    }
    out.push_str(&notes((answer, about), options));
    out
}

/// The same in Markdown, whole lines of it within the budget, with what was left out.
pub fn search_text_markdown(
    envelope: &Envelope<TextAnswer>,
    options: &RenderOptions<'_>,
) -> String {
    let (answer, about) = parts(envelope);
    let limits = limits_markdown(about.limited_to);
    let title = format!(
        "# {}{limits}\n",
        title((answer, about), &span(&answer.query))
    );
    let mut all: Vec<(String, usize)> = Vec::new();
    for file in &answer.files {
        let mut heading = format!("\n## {}\n", line(file.file.as_str()));
        for shown in lines(file) {
            let mut text = std::mem::take(&mut heading);
            let depth = if shown.is_inside { "  " } else { "" };
            match shown.number {
                None => _ = writeln!(text, "- {}", span(&shown.text)),
                // An empty code span is none.
                Some(number) if shown.text.is_empty() => {
                    _ = writeln!(text, "{depth}- {number}{}", shown.mark());
                }
                Some(number) => {
                    let mark = shown.mark();
                    _ = writeln!(text, "{depth}- {number}{mark} {}", span(&shown.text));
                }
            }
            all.push((text, usize::from(shown.is_hit)));
        }
    }
    let nouns = ("line with hits", "lines with hits");
    fit(
        &title,
        (&all, nouns),
        &notes((answer, about), options),
        options,
    )
}

/// Files, a line each.
pub fn search_files_text(envelope: &Envelope<FilesAnswer>, options: &RenderOptions<'_>) -> String {
    let (answer, about) = parts(envelope);
    let mut out = String::new();
    for item in &answer.items {
        let _ = writeln!(out, "{}", line(item.file.as_str()));
    }
    if about.limits.is_partial() {
        let more = answer.total - answer.items.len();
        let _ = writeln!(
            out,
            "… and {more} more ({})",
            options.more_items(answer.total)
        );
    }
    out
}

/// The same in Markdown, within the budget.
pub fn search_files_markdown(
    envelope: &Envelope<FilesAnswer>,
    options: &RenderOptions<'_>,
) -> String {
    let (answer, about) = parts(envelope);
    let title = format!(
        "# {} for {}{}\n\n",
        counted(answer.total, "file", "files"),
        span(&answer.query),
        limits_markdown(about.limited_to)
    );
    let items = answer.items.iter();
    let all: Vec<(String, usize)> = items
        .map(|item| (format!("- {}\n", line(item.file.as_str())), 1))
        .collect();
    let end = match about.limits.cut {
        true => format!(
            "\n{} more ({})\n",
            answer.total - answer.items.len(),
            options.more_items(answer.total)
        ),
        false => String::new(),
    };
    fit(&title, (&all, ("file", "files")), &end, options)
}

fn title((answer, about): (&TextAnswer, About<'_>), query: &str) -> String {
    let least = if about.limits.is_partial() {
        "at least "
    } else {
        ""
    };
    // Several hits of one line are shown as one.
    let n_lines: usize = answer.files.iter().map(n_lines).sum();
    let lines = match n_lines == answer.n_hits {
        true => String::new(),
        false => format!(" on {}", counted(n_lines, "line", "lines")),
    };
    format!(
        "{query}: {least}{}{lines} in {}",
        counted(answer.n_hits, "hit", "hits"),
        counted(answer.files.len(), "file", "files")
    )
}

/// On how many lines of a file there are hits.
fn n_lines(file: &TextHits) -> usize {
    let mut last = None;
    let new = file
        .hits
        .iter()
        .filter(|hit| last.replace(hit.line) != Some(hit.line));
    new.count()
}

/// What limits and diagnostics say.
fn notes((answer, about): (&TextAnswer, About<'_>), options: &RenderOptions<'_>) -> String {
    let mut out = String::new();
    let mut note = |text: &str| {
        let _ = write!(out, "\nnote: {}", line(text));
    };
    if about.limits.timed_out {
        note(&crate::look::out_of_time(options));
    } else if about.limits.canceled {
        note("canceled before all files were searched");
    } else if about.limits.is_partial() {
        note(&format!(
            "more hits not shown ({})",
            options.more(More::Items { total: None })
        ));
    }
    answer.diagnostics.iter().for_each(|text| note(text));
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// A line as it is shown; without a number the declaration that the next ones are in.
pub(crate) struct Shown<'a> {
    number: Option<u32>,
    text: Cow<'a, str>,
    is_hit: bool,
    is_inside: bool,
}

impl Shown<'_> {
    /// What tells a hit from the lines around it, as `grep` does.
    fn mark(&self) -> char {
        if self.is_hit { ':' } else { '-' }
    }
}

/// The lines of a file in order, each once, under the declarations around them. Lines in a row keep their shape: what
/// all of them are indented by is left out.
fn lines(file: &TextHits) -> Vec<Shown<'_>> {
    let mut all: Vec<(u32, bool, Cow<'_, str>, Option<&str>)> = Vec::new();
    for hit in &file.hits {
        if all.last().is_none_or(|last| last.0 != hit.line) {
            let text = cut(&hit.text, hit.text_column.is_some(), hit.is_cut);
            all.push((hit.line, true, text, hit.symbol.as_deref()));
        }
    }
    let around = file.around.iter();
    all.extend(around.map(|it| (it.line, false, cut(&it.text, false, it.is_cut), None)));
    all.sort_by_key(|(line, ..)| *line);
    let mut start = 0;
    for end in 1..=all.len() {
        if end == all.len() || all[end].0 != all[end - 1].0 + 1 {
            let row = all[start..end].iter().map(|it| it.2.as_ref());
            let indent = common_indent(row);
            for (_, _, text, _) in &mut all[start..end] {
                *text = without(std::mem::take(text), indent);
            }
            start = end;
        }
    }
    let mut out = Vec::new();
    let mut current: Option<&str> = None;
    for at in 0..all.len() {
        let (number, is_hit, text, symbol) = (all[at].0, all[at].1, &all[at].2, all[at].3);
        // Lines around a hit stand with the hit that comes next, or else with the one before.
        let symbol = match is_hit {
            true => symbol,
            false => all[at..]
                .iter()
                .find(|it| it.1)
                .map_or(current, |next| next.3),
        };
        if symbol != current {
            current = symbol;
            if let Some(symbol) = symbol {
                out.push(Shown {
                    number: None,
                    text: Cow::Borrowed(symbol),
                    is_hit: false,
                    is_inside: false,
                });
            }
        }
        out.push(Shown {
            number: Some(number),
            text: text.clone(),
            is_hit,
            is_inside: current.is_some(),
        });
    }
    out
}

/// A line with a mark where it goes on.
fn cut(text: &str, before: bool, after: bool) -> Cow<'_, str> {
    match (before, after) {
        (false, false) => Cow::Borrowed(text),
        (true, false) => Cow::Owned(format!("…{text}")),
        (false, true) => Cow::Owned(format!("{text}…")),
        (true, true) => Cow::Owned(format!("…{text}…")),
    }
}

/// How many bytes of white space all lines start with, empty ones left out.
fn common_indent<'a>(lines: impl Iterator<Item = &'a str>) -> usize {
    let mut common: Option<&str> = None;
    for line in lines {
        let blank = &line[..line.len() - line.trim_start().len()];
        if blank.len() == line.len() {
            continue;
        }
        common = Some(match common {
            None => blank,
            Some(known) => {
                let same = known.chars().zip(blank.chars()).take_while(|(a, b)| a == b);
                &known[..same.map(|(c, _)| c.len_utf8()).sum()]
            }
        });
    }
    common.map_or(0, str::len)
}

/// A line without so many bytes of white space, and without any at its end.
fn without(text: Cow<'_, str>, indent: usize) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim_end().get(indent..).unwrap_or_default()),
        Cow::Owned(text) => {
            Cow::Owned(text.trim_end().get(indent..).unwrap_or_default().to_owned())
        }
    }
}

/// As many parts as fit in the budget, then how many of what counts were left out, then the end.
pub(crate) fn fit(
    title: &str,
    (parts, (one, many)): (&[(String, usize)], (&str, &str)),
    end: &str,
    options: &RenderOptions<'_>,
) -> String {
    let n_all: usize = parts.iter().map(|(_, n)| n).sum();
    let text = |n: usize| {
        let mut out = title.to_owned();
        parts[..n].iter().for_each(|(text, _)| out.push_str(text));
        let n_shown: usize = parts[..n].iter().map(|(_, n)| n).sum();
        if n_shown < n_all {
            let all = counted(n_all, one, many);
            let _ = writeln!(
                out,
                "\n{} of {all} left out ({})",
                n_all - n_shown,
                options.more(More::Tokens)
            );
        }
        out.push_str(end);
        out
    };
    let fits = |n: usize| options.tokenizer.count(&text(n)) <= options.budget;
    let (mut low, mut high) = (0, parts.len());
    if !fits(high) {
        while low < high {
            let middle = (low + high).div_ceil(2);
            match fits(middle) {
                true => low = middle,
                false => high = middle - 1,
            }
        }
        while low > 0 && !fits(low) {
            low -= 1;
        }
        return text(low);
    }
    text(high)
}

/// Files that answer, the best first, with their best lines; then what was searched and what to ask next.
pub fn search_safe_text(envelope: &Envelope<SafeAnswer>, options: &RenderOptions<'_>) -> String {
    let answer = &envelope.answer;
    let mut out = format!("{}\n", safe_title(answer, &line(&answer.query)));
    for file in &answer.files {
        let _ = writeln!(out, "\n{}", safe_file(file, answer));
        for hit in &file.hits {
            let text = visible(hit.text.trim(), Tabs::Keep);
            let _ = writeln!(out, "  {}: {}", hit.line, shortened(&text));
        }
    }
    out.push('\n');
    for text in safe_notes(answer, options) {
        let _ = writeln!(out, "{}", line(&text));
    }
    out
}

/// The same in Markdown, within the budget.
pub fn search_safe_markdown(
    envelope: &Envelope<SafeAnswer>,
    options: &RenderOptions<'_>,
) -> String {
    let answer = &envelope.answer;
    let title = format!("# {}\n", safe_title(answer, &span(&answer.query)));
    let mut all: Vec<(String, usize)> = Vec::new();
    for file in &answer.files {
        let mut text = format!("\n## {}\n", safe_file(file, answer));
        for hit in &file.hits {
            let _ = writeln!(
                text,
                "- {}: {}",
                hit.line,
                span(&shortened(hit.text.trim()))
            );
        }
        all.push((text, 1));
    }
    let mut end = String::from("\n");
    for text in safe_notes(answer, options) {
        let _ = writeln!(end, "- {}", line(&text));
    }
    fit(&title, (&all, ("file", "files")), &end, options)
}

/// So much of a line is shown.
const MAX_SHOWN: usize = 160;

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_SHOWN) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

fn safe_title(answer: &SafeAnswer, query: &str) -> String {
    format!(
        "{query}: {} in {}",
        counted(answer.total_results, "hit", "hits"),
        counted(answer.files.len() + answer.more_files, "file", "files")
    )
}

/// A file with how many hits it has beyond those shown.
fn safe_file(file: &SafeFile, answer: &SafeAnswer) -> String {
    let area = match answer.applied_areas.len() {
        0 | 1 => String::new(),
        _ => format!(" [{}]", line(&file.area)),
    };
    let more = match file.n_hits.saturating_sub(file.hits.len()) {
        0 => String::new(),
        n => format!(" (+{})", counted(n, "more hit", "more hits")),
    };
    format!("{}{area}{more}", line(file.file.as_str()))
}

fn safe_notes(answer: &SafeAnswer, options: &RenderOptions<'_>) -> Vec<String> {
    let mut out = Vec::new();
    let areas = answer.applied_areas.iter().map(|area| {
        format!(
            "{} {} of {}",
            area.name,
            area.scanned_files,
            counted(area.candidate_files, "file", "files")
        )
    });
    let areas: Vec<String> = areas.collect();
    if !areas.is_empty() {
        out.push(format!("searched: {}", areas.join(", ")));
    }
    if answer.more_files > 0 {
        out.push(format!(
            "{} with hits not shown ({})",
            counted(answer.more_files, "more file", "more files"),
            options.more(More::Files)
        ));
    }
    let next = answer.next_steps.iter();
    out.extend(next.map(|step| format!("next: {}", options.more(More::AfterSearch(step)))));
    let notes = answer.diagnostics.iter();
    out.extend(notes.map(|note| format!("note: {note}")));
    out
}
