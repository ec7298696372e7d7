//! `add-member`, `insert-before` and `insert-after`: where new declarations go, and the lines around them.

use std::collections::BTreeSet;

use cortex_model::{ByteRange, DeclKind};
use cortex_syntax::Decl;

use crate::{
    EditError,
    layout::indent_at,
    located::with_docs,
    member::{
        Place, insertion,
        new_code::{Around, NewCode},
        new_text,
        replace::only_white_before,
    },
    text_edit::TextEdit,
};

type Inserted = (Vec<TextEdit>, BTreeSet<String>);

impl Place<'_> {
    /// The edits that write members into a type: after those of their kind, or at the end.
    pub(crate) fn add(&self, new: &str) -> Result<Inserted, EditError> {
        let decl = self.at.decl();
        let Some(kind) = decl.kind.type_kind() else {
            return Err(self.request.refused("it is no type", Vec::new()));
        };
        if kind == cortex_model::TypeKind::Delegate {
            return Err(self
                .request
                .refused("a delegate has no members", Vec::new()));
        }
        let around = match decl.kind {
            DeclKind::Enum => Around::Enum,
            _ => Around::Type(self.at.name()),
        };
        let new = without_comma(new, around);
        let code = NewCode::read(new, around, self.request)?;
        let names = Self::names(code.names());
        let children: Vec<&Decl> = self.at.children().collect();
        let (first, last) = match (children.first(), children.last()) {
            (Some(first), Some(last)) => (*first, *last),
            _ => return Ok((vec![self.only_member(new)], names)),
        };
        let rank = rank(code.kind());
        let alike = children.iter().rev().find(|it| self::rank(it.kind) == rank);
        let edits = match alike {
            Some(neighbor) => self.after(neighbor, &children, new, &code),
            None if rank == 0 => self.before(first, &children, new, &code),
            None => {
                // Behind everything that comes earlier by custom.
                let before = children.iter().rev().find(|it| self::rank(it.kind) < rank);
                match before {
                    Some(neighbor) if rank < METHODS => self.after(neighbor, &children, new, &code),
                    None if rank < METHODS => self.before(first, &children, new, &code),
                    _ => self.after(last, &children, new, &code),
                }
            }
        };
        Ok((edits, names))
    }

    /// The edits that write declarations before this one.
    pub(super) fn insert_before(&self, new: &str) -> Result<Inserted, EditError> {
        self.insert(new, |code, neighbors, new| {
            self.before(self.at.decl(), neighbors, new, code)
        })
    }

    /// The edits that write declarations after this one.
    pub(super) fn insert_after(&self, new: &str) -> Result<Inserted, EditError> {
        self.insert(new, |code, neighbors, new| {
            self.after(self.at.decl(), neighbors, new, code)
        })
    }

    fn insert(
        &self,
        new: &str,
        write: impl FnOnce(&NewCode, &[&Decl], &str) -> Vec<TextEdit>,
    ) -> Result<Inserted, EditError> {
        if let Some(other) = self.shares_declaration() {
            let reason = format!("it is declared together with `{other}`");
            return Err(self.request.refused(reason, Vec::new()));
        }
        let around = self.around();
        let new = without_comma(new, around);
        let code = NewCode::read(new, around, self.request)?;
        let names = Self::names(code.names());
        let parent = self.at.decl().parent;
        let decls = self.at.facts.decls.iter();
        let neighbors: Vec<&Decl> = decls.filter(|decl| decl.parent == parent).collect();
        Ok((write(&code, &neighbors, new), names))
    }

    /// Writes the first member of a type.
    fn only_member(&self, new: &str) -> TextEdit {
        let (text, layout) = (self.text(), &self.layout);
        let decl = self.at.decl();
        let indent = indent_at(text, decl.range.start as usize);
        let inner = layout.laid(new, &layout.deeper(indent));
        let line_end = layout.line_end;
        let body = decl.body_range.as_usize();
        if text[body.clone()].starts_with('{') {
            let is_split = text[..body.start]
                .trim_end_matches([' ', '\t'])
                .ends_with('\n');
            let stands_alone = text[body.clone()].contains('\n') || is_split;
            let open = match layout.brace_on_own_line && !stands_alone {
                true => format!("{line_end}{indent}{{"),
                false => "{".to_owned(),
            };
            let start = match layout.brace_on_own_line && !stands_alone {
                true => text[..body.start].trim_end().len(),
                false => body.start,
            };
            // Comments that stand between the braces stay.
            let comments = text[body.start + 1..body.end - 1].trim_end();
            let range = ByteRange {
                start: start as u32,
                end: body.end as u32,
            };
            let text = format!("{open}{comments}{line_end}{inner}{line_end}{indent}}}");
            return new_text(range, text);
        }
        // `record A(int X);` has no body yet.
        let end = decl.range.end as usize;
        let start = text[..end].trim_end_matches(';').trim_end().len();
        let open = match layout.brace_on_own_line {
            true => format!("{line_end}{indent}{{"),
            false => " {".to_owned(),
        };
        let range = ByteRange {
            start: start as u32,
            end: end as u32,
        };
        new_text(
            range,
            format!("{open}{line_end}{inner}{line_end}{indent}}}"),
        )
    }

    fn before(&self, neighbor: &Decl, all: &[&Decl], new: &str, code: &NewCode) -> Vec<TextEdit> {
        let (text, layout) = (self.text(), &self.layout);
        let start = start_with_comments(text, with_docs(neighbor).start as usize);
        let line_end = layout.line_end;
        let indent = indent_at(text, start);
        let comma = if self.is_enum_value(neighbor) {
            ","
        } else {
            ""
        };
        if !only_white_before(text, start) {
            let laid = layout.laid(new, "");
            return vec![insertion(start, format!("{laid}{comma} "))];
        }
        let blank = match self.wants_blank(neighbor, all, new, code) {
            true => line_end,
            false => "",
        };
        let laid = layout.laid(new, indent);
        let line = start - indent.len().min(start);
        vec![insertion(line, format!("{laid}{comma}{line_end}{blank}"))]
    }

    fn after(&self, neighbor: &Decl, all: &[&Decl], new: &str, code: &NewCode) -> Vec<TextEdit> {
        let (text, layout) = (self.text(), &self.layout);
        let line_end = layout.line_end;
        let indent = indent_at(text, neighbor.range.start as usize);
        let own_end = neighbor.range.end as usize;
        let mut edits = Vec::new();
        let mut end = own_end;
        let mut comma = "";
        let mut own_comma = "";
        if self.is_enum_value(neighbor) {
            let behind = &text[end..];
            let has_comma = behind.trim_start().starts_with(',');
            if has_comma {
                end += behind.find(',').map_or(0, |at| at + 1);
                comma = ",";
            } else {
                own_comma = ",";
            }
        }
        let line = text[end..].find('\n').map_or(text.len(), |at| end + at);
        let rest = text[end..line].trim();
        let blank = match self.wants_blank(neighbor, all, new, code) {
            true => line_end,
            false => "",
        };
        let laid = layout.laid(new, indent);
        let is_comment = rest.starts_with("//") || rest.starts_with("/*") && rest.ends_with("*/");
        if rest.is_empty() || is_comment {
            // Behind the line, its comment included.
            let at = text[..line].trim_end_matches('\r').len();
            let is_followed = all.iter().any(|it| it.range.start as usize >= line);
            let next = text[line..].trim_start_matches(['\r', '\n']);
            let has_blank = text[line..].len() - next.len() > line_end.len()
                || next.starts_with([' ', '\t'])
                    && next
                        .trim_start_matches([' ', '\t'])
                        .starts_with(['\r', '\n']);
            let blank_after = match is_followed && !blank.is_empty() && !has_blank {
                true => line_end,
                false => "",
            };
            if !own_comma.is_empty() && at > own_end {
                edits.push(insertion(own_end, own_comma.to_owned()));
                own_comma = "";
            }
            edits.push(insertion(
                at,
                format!("{own_comma}{line_end}{blank}{laid}{comma}{blank_after}"),
            ));
            return edits;
        }
        // Something else stands on the line: on lines of its own where the type ends, in the line otherwise.
        match rest.starts_with('}') && text[..own_end].contains('\n') || rest.starts_with('}') {
            true => {
                let outer = self.at.decl();
                let outer_indent = indent_at(text, outer.range.start as usize);
                let inner = layout.laid(new, &layout.deeper(outer_indent));
                let space = text[end..].len() - text[end..].trim_start().len();
                let range = ByteRange {
                    start: end as u32,
                    end: (end + space) as u32,
                };
                let written =
                    format!("{own_comma}{line_end}{inner}{comma}{line_end}{outer_indent}");
                edits.push(new_text(range, written));
            }
            false => {
                let laid = layout.laid(new, "");
                edits.push(insertion(end, format!("{own_comma} {laid}{comma}")));
            }
        }
        edits
    }

    fn is_enum_value(&self, decl: &Decl) -> bool {
        let parent = decl.parent.map(|id| self.at.facts.decls[id as usize].kind);
        parent == Some(DeclKind::Enum)
    }

    /// Whether a blank line belongs between a declaration and new ones.
    fn wants_blank(&self, neighbor: &Decl, all: &[&Decl], new: &str, code: &NewCode) -> bool {
        let text = self.text();
        let is_one_line = |decl: &Decl| !text[with_docs(decl).as_usize()].contains('\n');
        if new.trim().contains('\n') || !is_one_line(neighbor) {
            return !self.is_enum_value(neighbor) || self.has_blanks(all, |_| true);
        }
        if rank(neighbor.kind) != rank(code.kind()) {
            return !self.is_enum_value(neighbor);
        }
        // One line each: as their like are written.
        let alike = |decl: &Decl| rank(decl.kind) == rank(neighbor.kind) && is_one_line(decl);
        self.has_blanks(all, alike)
    }

    /// Whether declarations next to each other have a blank line between them; of those without an example, methods
    /// have, and what is written in one line has not.
    fn has_blanks(&self, all: &[&Decl], is_example: impl Fn(&Decl) -> bool) -> bool {
        let text = self.text();
        let pairs = all
            .windows(2)
            .filter(|pair| is_example(pair[0]) && is_example(pair[1]));
        let gaps = pairs.filter_map(|pair| {
            let start = with_docs(pair[1]).start as usize;
            let between = text.get(pair[0].range.end as usize..start)?;
            between
                .contains('\n')
                .then(|| between.matches('\n').count() > 1)
        });
        let (blank, close): (Vec<bool>, Vec<bool>) = gaps.partition(|&has_blank| has_blank);
        match (blank.len(), close.len()) {
            (0, 0) => all
                .iter()
                .any(|decl| is_example(decl) && rank(decl.kind) == METHODS),
            (n_blank, n_close) => n_blank > n_close,
        }
    }
}

fn without_comma<'n>(new: &'n str, around: Around<'_>) -> &'n str {
    match around {
        Around::Enum => new.trim_end().trim_end_matches(','),
        _ => new,
    }
}

/// The place of methods among the kinds of members.
const METHODS: u32 = 4;

/// In which order members are written by custom.
fn rank(kind: DeclKind) -> u32 {
    match kind {
        DeclKind::Constant | DeclKind::Field | DeclKind::EnumMember => 0,
        DeclKind::Constructor | DeclKind::StaticConstructor | DeclKind::Finalizer => 1,
        DeclKind::Event => 2,
        DeclKind::Property | DeclKind::Indexer => 3,
        DeclKind::Method => METHODS,
        DeclKind::Operator | DeclKind::Conversion => 5,
        _ => 6,
    }
}

/// Where a declaration starts with the comments that stand right above it.
pub(crate) fn start_with_comments(text: &str, start: usize) -> usize {
    let mut at = start;
    while only_white_before(text, at) {
        let line = text[..at].rfind('\n').map_or(0, |at| at + 1);
        let Some(before) = line.checked_sub(1) else {
            break;
        };
        let above = text[..before].rfind('\n').map_or(0, |at| at + 1);
        let comment = text[above..before].trim_start();
        if !comment.starts_with("//") {
            break;
        }
        at = above + (text[above..before].len() - comment.len());
    }
    // What a file begins with is about the file.
    if text[..at].trim().is_empty() {
        start
    } else {
        at
    }
}
