//! The code of a symbol: as it is for people, in fences that it cannot leave as Markdown.

use cortex_wire::{Envelope, SourceAnswer, SourcePart};

use super::{notes, only_in, parts, title_markdown, title_text};
use crate::{
    More, RenderOptions,
    markdown::plan::counted,
    text::{Tabs, fence, line, longest_backtick_run, prose, span, visible},
};

/// Text for people: each part under its place.
pub fn source_text(envelope: &Envelope<SourceAnswer>, options: &RenderOptions<'_>) -> String {
    let (answer, about) = parts(envelope);
    let mut out = format!("{}\n", title_text(&answer.subject, about));
    for note in notes(&answer.subject) {
        out.push_str(&format!("  {}\n", line(&note)));
    }
    for part in &answer.parts {
        out.push_str(&part_text(part, options));
    }
    out
}

/// A part under its place.
pub(super) fn part_text(part: &SourcePart, options: &RenderOptions<'_>) -> String {
    let place = format!(
        "{}:{}-{}{}",
        line(part.file.as_str()),
        part.line,
        part.end_line,
        only_in(&part.frameworks)
    );
    format!("\n{place}\n{}\n", shown(part, usize::MAX, options))
}

/// Markdown of at most `options.budget` tokens: as many lines of each part as fit.
pub fn source_markdown(envelope: &Envelope<SourceAnswer>, options: &RenderOptions<'_>) -> String {
    let (answer, about) = parts(envelope);
    let mut title = format!("{}\n", title_markdown("source", &answer.subject, about));
    for note in notes(&answer.subject) {
        title.push_str(&format!("- {}\n", prose(&note)));
    }
    parts_markdown(&title, &answer.parts, options)
}

/// Parts in fences under a title, within a budget.
pub(super) fn parts_markdown(
    title: &str,
    parts: &[SourcePart],
    options: &RenderOptions<'_>,
) -> String {
    let render = |n_lines: usize| {
        let mut out = title.to_owned();
        for part in parts {
            let text = shown(part, n_lines, options);
            let fence = fence(longest_backtick_run(&text));
            let place = format!("{}:{}-{}", part.file, part.line, part.end_line);
            out.push_str(&format!(
                "\n{}{}\n{fence}csharp\n{text}\n{fence}\n",
                span(&place),
                only_in(&part.frameworks)
            ));
        }
        out
    };
    let count = |text: &str| options.tokenizer.count(text);
    let most = parts
        .iter()
        .map(|part| part.text.lines().count())
        .max()
        .unwrap_or(0);
    // A token has a byte at least, so that more lines than tokens never fit.
    let (mut low, mut high) = (0, most.min(options.budget));
    if count(&render(most)) <= options.budget {
        return render(most);
    }
    // The most lines of each part that fit: more lines have more tokens.
    while low < high {
        let middle = (low + high).div_ceil(2);
        if count(&render(middle)) <= options.budget {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    let mut found = (0..=low)
        .rev()
        .map(render)
        .find(|text| count(text) <= options.budget);
    if found.is_none() {
        found = least(title, parts, options).find(|text| count(text) <= options.budget);
    }
    found.unwrap_or_default()
}

/// What can be said where no code fits, the fullest first: at least how much there is.
fn least<'a>(
    title: &'a str,
    parts: &'a [SourcePart],
    options: &'a RenderOptions<'_>,
) -> impl Iterator<Item = String> + 'a {
    let n_lines = parts.iter().map(|part| part.text.lines().count()).sum();
    let n_lines = counted(n_lines, "line", "lines");
    let more = options.more(More::Tokens);
    let place = parts.first().map_or(String::new(), |part| {
        let file = part.file.file_name();
        format!("{}:{}-{}: ", line(file), part.line, part.end_line)
    });
    [
        format!("{title}\n{n_lines} left out ({more})\n"),
        title.to_owned(),
        format!("{place}{n_lines} left out ({more})\n"),
        format!("{n_lines} left out ({more})\n"),
        format!("{n_lines}\n"),
    ]
    .into_iter()
}

/// The lines of a part; of a long one the first, with how many are left out.
fn shown(part: &SourcePart, n_lines: usize, options: &RenderOptions<'_>) -> String {
    let lines: Vec<&str> = part.text.split('\n').collect();
    let n_shown = if lines.len() <= n_lines {
        lines.len()
    } else {
        n_lines
    };
    let mut out: Vec<String> = (lines[..n_shown].iter())
        .map(|text| visible(text.trim_end_matches('\r'), Tabs::Keep).into_owned())
        .collect();
    if n_shown < lines.len() {
        out.push(format!(
            "// … {} ({})",
            counted(lines.len() - n_shown, "more line", "more lines"),
            options.more(More::Tokens)
        ));
    }
    out.join("\n")
}
