//! Lists in parentheses: where their items are, and the edits that make another list of one.
//!
//! Must not know: what the items are.

use std::collections::BTreeSet;

use cortex_model::ByteRange;
use cortex_syntax::text::{Lexical, LexicalKind};

use crate::text_edit::{StartIs, TextEdit};

/// A text with what of it is code.
pub(super) struct Code<'t> {
    pub(super) text: &'t str,
    lexical: Lexical,
    /// What changes inside of items, by position.
    inner: Vec<TextEdit>,
}

impl<'t> Code<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        Self {
            text,
            lexical: Lexical::of(text.as_bytes()),
            inner: Vec::new(),
        }
    }

    /// A text with what changes inside of items.
    pub(super) fn with(text: &'t str, inner: Option<&BTreeSet<TextEdit>>) -> Self {
        Self {
            inner: inner.into_iter().flatten().cloned().collect(),
            ..Self::of(text)
        }
    }

    /// What a range will be where it moves.
    fn moved(&self, range: ByteRange) -> String {
        let mut out = String::new();
        let mut at = range.start;
        for edit in &self.inner {
            if edit.range.start < at || edit.range.end > range.end {
                continue;
            }
            out.push_str(&self.text[at as usize..edit.range.start as usize]);
            out.push_str(&edit.text);
            at = edit.range.end;
        }
        out.push_str(&self.text[at as usize..range.end as usize]);
        out
    }

    /// Whether a byte is code.
    fn is_code(&self, at: usize) -> bool {
        self.lexical.at(at as u32) == LexicalKind::Code
    }

    /// Whether a range is one string or comment.
    pub(super) fn is_literal(&self, range: ByteRange) -> bool {
        let parts = self.lexical.parts();
        (parts.iter()).any(|(part, kind)| *kind == LexicalKind::String && *part == range)
    }

    /// The first byte of code that is no white space, from an offset on.
    pub(super) fn next_code(&self, from: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        (from..bytes.len()).find(|&at| !bytes[at].is_ascii_whitespace() && self.is_code(at))
    }

    /// The bracket that closes the one at an offset.
    pub(super) fn closing(&self, open: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let mut depth = 0_usize;
        for (at, byte) in bytes.iter().enumerate().skip(open) {
            match byte {
                b'(' | b'[' | b'{' if self.is_code(at) => depth += 1,
                b')' | b']' | b'}' if self.is_code(at) => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(at);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The parenthesis behind a name at an offset, its type arguments passed over.
    pub(super) fn open_behind(&self, end: usize) -> Option<usize> {
        let at = self.next_code(end)?;
        let bytes = self.text.as_bytes();
        let at = match bytes[at] {
            b'<' => self.next_code(self.behind_angles(at)?)?,
            _ => at,
        };
        (bytes[at] == b'(').then_some(at)
    }

    /// What stands behind type arguments that begin at an offset.
    fn behind_angles(&self, open: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for (at, byte) in self.text.bytes().enumerate().skip(open) {
            match byte {
                b'<' if self.is_code(at) => depth += 1,
                b'>' if self.is_code(at) => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(at + 1);
                    }
                }
                b';' | b'{' | b'}' if self.is_code(at) => return None,
                _ => {}
            }
        }
        None
    }

    /// The parenthesis behind a type at an offset, such as that of `new T<A>(…)`.
    pub(super) fn open_behind_type(&self, from: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for (at, byte) in self.text.bytes().enumerate().skip(from) {
            match byte {
                b'<' if self.is_code(at) => depth += 1,
                b'>' if self.is_code(at) => depth = depth.checked_sub(1)?,
                b'(' if self.is_code(at) && depth == 0 => return Some(at),
                b'{' | b';' | b'}' if self.is_code(at) => return None,
                _ => {}
            }
        }
        None
    }

    /// The bracket that closes the one at an offset; `None` also where a directive stands between them: it decides which
    /// items there are, and has a line to itself.
    fn closing_of_list(&self, open: usize) -> Option<usize> {
        let close = self.closing(open)?;
        let mut line_start = open;
        for line in self.text[open..close].split_inclusive('\n') {
            let code = line_start + line.len() - line.trim_start().len();
            if line_start > open && line.trim_start().starts_with('#') && self.is_code(code) {
                return None;
            }
            line_start += line.len();
        }
        Some(close)
    }

    /// The items of a list of parameters or types, between parentheses.
    pub(super) fn parameters(&self, open: usize) -> Option<List> {
        let close = self.closing_of_list(open)?;
        let mut commas = Vec::new();
        let mut depth = 0_i32;
        for (at, byte) in self.text.bytes().enumerate().take(close).skip(open + 1) {
            if !self.is_code(at) {
                continue;
            }
            match byte {
                b'(' | b'[' | b'{' | b'<' => depth += 1,
                b')' | b']' | b'}' | b'>' => depth -= 1,
                b',' if depth == 0 => commas.push(at),
                _ => {}
            }
        }
        Some(self.list(open, close, &commas))
    }

    /// The items of a list of arguments. `starts`: a byte of each item but the first, behind all that may have commas
    /// before it in the item.
    pub(super) fn arguments(&self, open: usize, n_items: usize, starts: &[u32]) -> Option<List> {
        let close = self.closing_of_list(open)?;
        let bytes = self.text.as_bytes();
        let mut commas = Vec::new();
        for &start in starts {
            let comma = (open + 1..start as usize)
                .rev()
                .find(|&at| bytes[at] == b',' && self.is_code(at))?;
            commas.push(comma);
        }
        let list = self.list(open, close, &commas);
        (list.items.len() == n_items).then_some(list)
    }

    fn list(&self, open: usize, close: usize, commas: &[usize]) -> List {
        let mut items = Vec::new();
        let mut from = open + 1;
        for &end in commas.iter().chain(std::iter::once(&close)) {
            let text = &self.text[from..end];
            let start = from + text.len() - text.trim_start().len();
            let end_of_text = from + text.trim_end().len();
            if start < end_of_text || !commas.is_empty() {
                items.push(ByteRange {
                    start: start as u32,
                    end: end_of_text.max(start) as u32,
                });
            }
            from = end + 1;
        }
        List { open, close, items }
    }
}

/// A list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct List {
    /// The opening parenthesis.
    pub(super) open: usize,
    /// The closing one.
    pub(super) close: usize,
    /// The items without white space around them.
    pub(super) items: Vec<ByteRange>,
}

/// An item of the new list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Item {
    /// An item of the old list, behind a text.
    Kept(usize, String),
    /// Another text.
    New(String),
}

/// The edits that make a new list: what keeps its order keeps its place.
pub(super) fn edits(code: &Code<'_>, list: &List, new: &[Item]) -> Vec<TextEdit> {
    let text = code.text;
    let separator = match list.items.as_slice() {
        [first, second, ..] => text[first.end as usize..second.start as usize].to_owned(),
        _ => ", ".to_owned(),
    };
    let separator = match separator.contains("//") || separator.contains("/*") {
        true => ", ".to_owned(),
        false => separator,
    };
    let placed = in_order(new);
    let written = |item: &Item| match item {
        Item::Kept(at, before) => format!("{before}{}", code.moved(list.items[*at])),
        Item::New(text) => text.clone(),
    };
    let mut out = Vec::new();
    // The end of what is written, the kept item before, and the texts since.
    let mut from = list.open + 1;
    let mut before: Option<usize> = None;
    let mut since: Vec<String> = Vec::new();
    let mut push = |from: usize, to: usize, new: String| {
        if text[from..to] != new {
            out.push(TextEdit {
                range: ByteRange {
                    start: from as u32,
                    end: to as u32,
                },
                text: new,
                start: StartIs::New,
            });
        }
    };
    let leading = match list.items.first() {
        Some(first) => &text[list.open + 1..first.start as usize],
        None => "",
    };
    for (at, item) in new.iter().enumerate() {
        let Item::Kept(kept, prefix) = item else {
            since.push(written(item));
            continue;
        };
        if !placed.contains(&at) {
            since.push(written(item));
            continue;
        }
        let start = list.items[*kept].start as usize;
        let joined = since
            .drain(..)
            .map(|text| format!("{text}{separator}"))
            .collect::<String>();
        let new_text = match before {
            None => format!("{leading}{joined}{prefix}"),
            Some(before) if before + 1 == *kept => {
                format!("{}{joined}{prefix}", &text[from..start])
            }
            Some(_) => format!("{separator}{joined}{prefix}"),
        };
        push(from, start, new_text);
        from = list.items[*kept].end as usize;
        before = Some(*kept);
    }
    let trailing = match list.items.last() {
        Some(last) => &text[last.end as usize..list.close],
        None => "",
    };
    let joined = match before {
        Some(_) => since
            .iter()
            .map(|text| format!("{separator}{text}"))
            .collect::<String>(),
        None if since.is_empty() => String::new(),
        None => format!("{leading}{}", since.join(&separator)),
    };
    let trailing = match before.is_none() && since.is_empty() {
        true => "",
        false => trailing,
    };
    push(from, list.close, format!("{joined}{trailing}"));
    out
}

/// The items that keep their order, as positions in the new list: a longest run of them.
fn in_order(new: &[Item]) -> Vec<usize> {
    let kept: Vec<(usize, usize)> = (new.iter().enumerate())
        .filter_map(|(at, item)| match item {
            Item::Kept(old, _) => Some((at, *old)),
            Item::New(_) => None,
        })
        .collect();
    let mut best: Vec<Vec<usize>> = Vec::with_capacity(kept.len());
    for (index, (at, old)) in kept.iter().enumerate() {
        let before = (0..index)
            .filter(|&other| kept[other].1 < *old)
            .map(|other| &best[other]);
        let mut own = before
            .max_by_key(|it| it.len())
            .cloned()
            .unwrap_or_default();
        own.push(*at);
        best.push(own);
    }
    best.into_iter().max_by_key(Vec::len).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{Code, Item, edits};
    use crate::text_edit::TextEdits;

    fn made(text: &str, new: &[Item]) -> String {
        let code = Code::of(text);
        let open = text.find('(').expect("there is a list");
        let list = code.parameters(open).expect("it is one");
        let edits = TextEdits::new(edits(&code, &list, new)).expect("they are apart");
        String::from_utf8(edits.apply(text.as_bytes()).expect("it is UTF-8")).expect("it is UTF-8")
    }

    #[test]
    fn items_come_go_and_change_places() {
        let kept = |at: usize| Item::Kept(at, String::new());
        let new = |text: &str| Item::New(text.to_owned());
        let cases = [
            ("F(a, b)", vec![kept(0), kept(1), new("c")], "F(a, b, c)"),
            ("F(a, b)", vec![new("c"), kept(0), kept(1)], "F(c, a, b)"),
            ("F(a, b)", vec![kept(0), new("c"), kept(1)], "F(a, c, b)"),
            ("F(a, b)", vec![kept(1)], "F(b)"),
            ("F(a, b)", vec![kept(0)], "F(a)"),
            ("F(a, b, c)", vec![kept(0), kept(2)], "F(a, c)"),
            ("F( a )", vec![], "F()"),
            ("F()", vec![new("a")], "F(a)"),
            ("F(a, b)", vec![kept(1), kept(0)], "F(b, a)"),
            (
                "F(\n    a,\n    b)",
                vec![kept(0), kept(1), new("c")],
                "F(\n    a,\n    b,\n    c)",
            ),
            ("F(\n    a,\n    b\n)", vec![kept(1)], "F(\n    b\n)"),
            (
                "F(D<a, b> x, (int, int) y, \",\")",
                vec![kept(2), kept(0)],
                "F(\",\", D<a, b> x)",
            ),
            ("F(a)", vec![Item::Kept(0, "x: ".to_owned())], "F(x: a)"),
        ];
        for (text, items, expected) in cases {
            assert_eq!(made(text, &items), expected, "{text}");
        }
    }
}
