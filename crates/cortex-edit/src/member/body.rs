//! `replace-body`: the block, the expression or the accessors of a member become others.

use cortex_model::{ByteRange, DeclKind, Modifier};
use cortex_syntax::{
    Decl,
    text::{Lexical, LexicalKind},
};

use crate::{
    EditError,
    layout::{indent_at, white_of},
    located::{Declaration, Located},
    member::{
        MemberEdit, Place,
        new_code::{Around, NewCode},
        new_text,
    },
    text_edit::TextEdit,
};

/// The declaration whose body is meant: of a partial member the one that has a body.
pub(super) fn with_body<'l>(
    located: &'l Located,
    request: &MemberEdit<'_>,
) -> Result<&'l Declaration, EditError> {
    let mut with_body = (located.declarations.iter())
        .filter(|it| request.file.is_none() && it.decl().modifiers.contains(Modifier::Partial))
        .filter(|it| body_start(&it.text, it.decl()).is_some());
    match (with_body.next(), with_body.next()) {
        (Some(one), None) => Ok(one),
        _ => located.one(request.file, &|| request.title()),
    }
}

/// What a body is written as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    Block,
    Expression,
    /// Neither: the statements of a block.
    Statements,
}

impl Form {
    fn of(text: &str) -> Self {
        let text = text.trim();
        if text.starts_with("=>") {
            return Self::Expression;
        }
        if text.starts_with('{') && end_of_block(text, 0) == Some(text.len()) {
            return Self::Block;
        }
        // What ends like a statement is one.
        match text.ends_with([';', '}']) {
            true => Self::Statements,
            false => Self::Expression,
        }
    }
}

impl Place<'_> {
    /// The edit that replaces a body.
    pub(super) fn replace_body(
        &self,
        new: &str,
        accessor: Option<&str>,
    ) -> Result<TextEdit, EditError> {
        let decl = self.at.decl();
        let refused = |reason: &str| self.request.refused(reason, Vec::new());
        let has_accessors = matches!(
            decl.kind,
            DeclKind::Property | DeclKind::Indexer | DeclKind::Event
        );
        let is_method = matches!(
            decl.kind,
            DeclKind::Method
                | DeclKind::Constructor
                | DeclKind::StaticConstructor
                | DeclKind::Finalizer
                | DeclKind::Operator
                | DeclKind::Conversion
        );
        if !has_accessors && !is_method {
            return Err(refused("it has no body: replace the whole member"));
        }
        let start = body_start(self.text(), decl).ok_or_else(|| refused("it has no body"))?;
        let body = start..decl.range.end as usize;
        let own_start = decl.range.start as usize;
        let (first, body, around) = match accessor {
            None if is_method => (own_start, body, Around::Body),
            None => (own_start, body, Around::Property),
            Some(accessor) if has_accessors => {
                let found = accessor_body(self.text(), body, accessor);
                let found = found.ok_or_else(|| refused("it has no such accessor with a body"))?;
                (
                    self.text()[..found.start].trim_end().len(),
                    found,
                    Around::Accessor,
                )
            }
            Some(_) => return Err(refused("it has no accessors")),
        };
        let form = Form::of(new);
        if form == Form::Statements && around == Around::Property {
            let reason = "the new body of a property is a block of accessors or an expression";
            return Err(self.request.refused(
                reason,
                vec!["name one accessor to replace the body of that".to_owned()],
            ));
        }
        let written = as_written(new, form);
        NewCode::read(&written, around, self.request)?;
        Ok(self.written_body(&written, form, (first, body)))
    }

    /// The edit that writes a body, its space before included.
    fn written_body(
        &self,
        new: &str,
        form: Form,
        (first, body): (usize, std::ops::Range<usize>),
    ) -> TextEdit {
        let text = self.text();
        let layout = &self.layout;
        let header_end = text[..body.start].trim_end().len();
        let old_space = &text[header_end..body.start];
        let old_is_block = text[body.start..].starts_with('{');
        let old_has_lines = text[body.clone()].contains('\n');
        let indent = indent_at(text, first);
        let own_line = format!("{}{indent}", layout.line_end);
        let out = match form {
            Form::Block | Form::Statements => {
                let inner = new.trim();
                let is_one_line = !inner.contains('\n');
                let space = if old_is_block && (old_has_lines || is_one_line) {
                    old_space.to_owned()
                } else if is_one_line || !layout.brace_on_own_line {
                    " ".to_owned()
                } else {
                    own_line
                };
                let laid = layout.laid(&aligned(new), indent);
                format!("{space}{}", laid.trim_start())
            }
            Form::Expression => {
                let space = match !old_is_block {
                    true => old_space.to_owned(),
                    false => " ".to_owned(),
                };
                let new = new.trim();
                let (line, rest) = new.split_once('\n').unwrap_or((new, ""));
                let mut out = format!("{space}{}", line.trim_end());
                if !rest.trim().is_empty() {
                    let deeper = layout.deeper(indent);
                    out.push_str(layout.line_end);
                    out.push_str(&layout.laid(rest, &deeper));
                }
                out
            }
        };
        let range = ByteRange {
            start: header_end as u32,
            end: body.end as u32,
        };
        new_text(range, out)
    }
}

/// A block that was copied from behind its indentation, with the indentation of its end.
fn aligned(new: &str) -> String {
    let new = new.trim_end();
    let last = new.rsplit('\n').next().unwrap_or(new);
    let start = new.trim_start();
    format!("{}{start}", white_of(last))
}

/// A body with what belongs to it: braces, an arrow, a semicolon.
fn as_written(new: &str, form: Form) -> String {
    match form {
        Form::Block => new.trim_end().to_owned(),
        Form::Expression => {
            let inner = new
                .trim()
                .trim_start_matches("=>")
                .trim_end_matches(';')
                .trim();
            format!("=> {inner};")
        }
        Form::Statements => {
            let text = new.replace("\r\n", "\n");
            let text = text.trim_end();
            let start = text.len() - text.trim_start().len();
            let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
            let lines: Vec<&str> = text[line..].lines().collect();
            let rest = lines.iter().skip(1).filter(|line| !line.trim().is_empty());
            let rest = rest.map(|line| white_of(line).len()).min();
            let first = lines.first().map_or(0, |line| white_of(line).len());
            // The lines are written one level deeper than the braces.
            let common = if first == 0 {
                0
            } else {
                rest.unwrap_or(first).min(first)
            };
            let indent = lines[0].get(..common).unwrap_or_default();
            let is_tab = text.lines().any(|line| line.starts_with('\t'));
            let unit = if is_tab { "\t" } else { "    " };
            let mut out = format!("{indent}{{\n");
            for line in lines {
                out.push_str(unit);
                out.push_str(line);
                out.push('\n');
            }
            out.push_str(indent);
            out.push('}');
            out
        }
    }
}

/// Where the body of a member starts: its block, its arrow or its accessors.
pub(super) fn body_start(text: &str, decl: &Decl) -> Option<usize> {
    let range = decl.range.as_usize();
    let code = Code::of(text, range.clone());
    let mut depth = 0_i32;
    let from = (decl.name_range.end as usize).max(range.start);
    for at in from..range.end {
        match code.byte(at) {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            b'{' if depth == 0 => return Some(at),
            b'=' if depth == 0 && code.byte(at + 1) == b'>' => return Some(at),
            _ => {}
        }
    }
    None
}

/// The body of an accessor inside of the accessors of a member.
fn accessor_body(
    text: &str,
    accessors: std::ops::Range<usize>,
    name: &str,
) -> Option<std::ops::Range<usize>> {
    let code = Code::of(text, accessors.clone());
    let end = end_of_block(text, accessors.start)?;
    let mut at = accessors.start + 1;
    let mut depth = 0_i32;
    let mut is_found = false;
    while at < end {
        let byte = code.byte(at);
        if depth == 0 && (byte.is_ascii_alphabetic() || byte == b'_') {
            let word = (at..end).take_while(|&at| code.byte(at).is_ascii_alphanumeric());
            let len = word.count().max(1);
            is_found |= &text[at..at + len] == name;
            at += len;
            continue;
        }
        match byte {
            b'{' if depth == 0 => {
                let end = end_of_block(text, at)?;
                if is_found {
                    return Some(at..end);
                }
                at = end;
                continue;
            }
            b'=' if depth == 0 && code.byte(at + 1) == b'>' => {
                let end = end_of_expression(&code, at, end)?;
                if is_found {
                    return Some(at..end);
                }
                at = end;
                continue;
            }
            // It has no body.
            b';' if depth == 0 && is_found => return None,
            b'[' | b'(' => depth += 1,
            b']' | b')' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    None
}

/// Where a block that starts somewhere ends.
fn end_of_block(text: &str, start: usize) -> Option<usize> {
    let code = Code::of(text, start..text.len());
    let mut depth = 0_i32;
    for at in start..text.len() {
        match code.byte(at) {
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Where an expression ends, its semicolon included.
fn end_of_expression(code: &Code<'_>, start: usize, end: usize) -> Option<usize> {
    let mut depth = 0_i32;
    for at in start..end {
        match code.byte(at) {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b';' if depth == 0 => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// A text without its comments and strings.
struct Code<'t> {
    text: &'t [u8],
    start: usize,
    lexical: Lexical,
}

impl<'t> Code<'t> {
    /// Of the text from somewhere on: where a token starts.
    fn of(text: &'t str, range: std::ops::Range<usize>) -> Self {
        Self {
            text: text.as_bytes(),
            start: range.start,
            lexical: Lexical::of(&text.as_bytes()[range]),
        }
    }

    /// The byte at an offset; a blank where a comment or a string is.
    fn byte(&self, at: usize) -> u8 {
        let Some(&byte) = self.text.get(at) else {
            return b' ';
        };
        let within = (at - self.start) as u32;
        match self.lexical.at(within) {
            LexicalKind::Code => byte,
            LexicalKind::Comment | LexicalKind::String => b' ',
        }
    }
}
