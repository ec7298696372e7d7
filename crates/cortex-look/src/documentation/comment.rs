//! The text of a documentation comment without its markers, and where each line of it stood.

/// The XML of a comment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Comment {
    pub(crate) xml: String,
    /// Where lines start: in the XML, and in the comment.
    lines: Vec<(u32, u32)>,
}

impl Comment {
    /// Takes the markers off a run of `///` lines or off a `/** … */`.
    pub(crate) fn new(text: &str) -> Self {
        let block = text.trim_start().strip_prefix("/**");
        match block {
            Some(_) => Self::of_block(text),
            None => Self::of_lines(text),
        }
    }

    /// The offset in the comment of an offset in the XML.
    pub(crate) fn offset(&self, at: usize) -> u32 {
        let line = self
            .lines
            .partition_point(|&(start, _)| start as usize <= at);
        match line.checked_sub(1).map(|line| self.lines[line]) {
            Some((start, from)) => from + (at as u32 - start),
            None => 0,
        }
    }

    fn push(&mut self, line: &str, from: usize) {
        self.lines.push((self.xml.len() as u32, from as u32));
        self.xml.push_str(line);
        self.xml.push('\n');
    }

    /// One space after the slashes is no part of the text if every line has it (C# specification, §D.2).
    fn of_lines(text: &str) -> Self {
        let lines = || {
            lines_of(text).filter_map(|(start, line)| {
                let rest = line.trim_start().strip_prefix("///")?;
                Some((start + line.len() - rest.len(), rest))
            })
        };
        let is_spaced = lines().all(|(_, line)| line.is_empty() || line.starts_with([' ', '\t']));
        let n_skipped = usize::from(is_spaced);
        let mut out = Self::default();
        for (from, line) in lines() {
            let n_skipped = n_skipped.min(line.len());
            out.push(&line[n_skipped..], from + n_skipped);
        }
        out
    }

    /// White space with a star is no part of the text where every line but the first starts with it.
    fn of_block(text: &str) -> Self {
        let n_before = text.len() - text.trim_start().len() + "/**".len();
        let inner = &text[n_before.min(text.len())..];
        let inner = inner.trim_end();
        let inner = inner.strip_suffix("*/").unwrap_or(inner);
        let lines: Vec<(usize, &str)> = lines_of(inner).collect();
        let n_lines = lines.len();
        let is_starred = |(nth, (_, line)): (usize, &(usize, &str))| {
            let line = line.trim_start();
            line.starts_with('*') || nth + 1 == n_lines && line.is_empty()
        };
        let all_starred = n_lines > 1 && lines.iter().enumerate().skip(1).all(is_starred);
        let mut out = Self::default();
        for (nth, (start, line)) in lines.into_iter().enumerate() {
            let mut rest = line;
            if all_starred && nth > 0 {
                let starred = line.trim_start();
                rest = starred.strip_prefix('*').unwrap_or(starred);
                rest = rest.strip_prefix(' ').unwrap_or(rest);
            }
            out.push(rest, n_before + start + line.len() - rest.len());
        }
        out
    }
}

/// Lines without their ends, each with its offset.
fn lines_of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        let at = start;
        start += line.len();
        (at, line.trim_end_matches(['\n', '\r']))
    })
}
