//! Markdown lists cut to a budget: the most important lines come first, and whole lines are left out at the end.

use crate::{
    More, RenderOptions,
    markdown::plan::{counted, grouped},
};

/// The first lines of a text for people, as many as fit into the budget, and how many are left out.
pub fn cut_text(text: String, options: &RenderOptions<'_>) -> String {
    let count = |text: &str| options.tokenizer.count(text);
    if count(&text) <= options.budget {
        return text;
    }
    let lines: Vec<&str> = text.lines().collect();
    let render = |n: usize| {
        let mut out = lines[..n].join("\n");
        let left = counted(lines.len() - n, "more line", "more lines");
        out.push_str(&format!(
            "{}… {left} ({})\n",
            if n == 0 { "" } else { "\n" },
            options.more(More::Tokens)
        ));
        out
    };
    let (mut low, mut high) = (0, lines.len() - 1);
    while low < high {
        let middle = (low + high).div_ceil(2);
        match count(&render(middle)) <= options.budget {
            true => low = middle,
            false => high = middle - 1,
        }
    }
    match count(&render(low)) <= options.budget {
        true => render(low),
        false => String::new(),
    }
}

/// A text of at most `options.budget` tokens: its first lines, then how many items are left out. Headings without an
/// item are left out as well.
pub(crate) fn cut_to_budget(
    text: String,
    noun: (&'static str, &'static str),
    options: &RenderOptions<'_>,
) -> String {
    let fits = |text: &str| options.tokenizer.count(text) <= options.budget;
    if fits(&text) {
        return text;
    }
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let is_item = |line: &&&str| line.starts_with("- ");
    let n_items = lines.iter().filter(is_item).count();
    let shortened = |n_lines: usize| {
        let mut shown = &lines[..n_lines];
        while let Some((last, rest)) = shown.split_last()
            && !rest.is_empty()
            && !last.starts_with("- ")
        {
            shown = rest;
        }
        let n_left = n_items - shown.iter().filter(is_item).count();
        format!(
            "{}\n{} of {} left out ({})\n",
            shown.concat(),
            grouped(n_left),
            counted(n_items, noun.0, noun.1),
            options.more(More::Tokens)
        )
    };
    // The most lines that fit; the first is the title.
    let (mut low, mut high) = (1, lines.len());
    while low + 1 < high {
        let middle = (low + high) / 2;
        match fits(&shortened(middle)) {
            true => low = middle,
            false => high = middle,
        }
    }
    let out = shortened(low);
    match fits(&out) {
        true => out,
        // What not even has room for a title says how much there is.
        false => format!("{}\n", counted(n_items, noun.0, noun.1)),
    }
}

#[cfg(test)]
mod tests {
    use super::{cut_text, cut_to_budget};
    use crate::{CharsOver4, RenderOptions};

    #[test]
    fn a_list_is_cut_to_whole_lines_within_the_budget() {
        let text = "# title\n\n## A\n\n- one\n- two\n\n## B\n\n- three, which needs more words than all the others have together\n".to_owned();
        let cut = |budget| {
            let options = RenderOptions {
                budget,
                tokenizer: &CharsOver4,
                phrase: &|_| "more".to_owned(),
            };
            cut_to_budget(text.clone(), ("item", "items"), &options)
        };
        assert_eq!(cut(100), text);
        assert_eq!(
            cut(16),
            "# title\n\n## A\n\n- one\n- two\n\n1 of 3 items left out (more)\n"[..].to_owned()
        );
        assert_eq!(cut(2), "3 items\n");
    }

    #[test]
    fn a_text_is_cut_to_whole_lines_within_the_budget() {
        let text =
            "title\n  one line\n  another line\n  a third line, which is longer\n".to_owned();
        let cut = |budget| {
            let options = RenderOptions {
                budget,
                tokenizer: &CharsOver4,
                phrase: &|_| "more".to_owned(),
            };
            cut_text(text.clone(), &options)
        };
        assert_eq!(cut(100), text);
        assert_eq!(cut(9), "title\n… 3 more lines (more)\n");
        assert_eq!(cut(1), "");
    }
}
