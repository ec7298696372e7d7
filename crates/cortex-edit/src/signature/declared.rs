//! The declarations of a member: their parameter lists and documentation.

use std::collections::{BTreeMap, BTreeSet};

use cortex_model::{ByteRange, RepoPath};
use cortex_semantics::{LocalRole, LocalSymbol, MemberId};
use cortex_syntax::{Decl, FileFacts, Sections, text::decode};

use super::{
    Change, Here,
    calls::shown,
    list::{Code, Item, List, edits},
    names::together,
    shape::{self, Shape},
};
use crate::{
    EditError,
    rename::declared,
    text_edit::{StartIs, TextEdit},
};

impl Here<'_, '_, '_> {
    /// Adds what becomes of the declarations of a member.
    pub(super) fn declarations(
        &self,
        member: MemberId,
        shape: &Shape,
        change: &mut Change,
    ) -> Result<(), EditError> {
        let owner = self.compilation.member(member).owner;
        for part in declared::parts_of(self.symbols, self.compilation, owner)? {
            let path = &part.unit.path;
            let own: Vec<u32> = self.decls_of(member, &part).map(|(id, _)| id).collect();
            let Some(file) = self.view.snapshot().file(path)?.filter(|_| !own.is_empty()) else {
                continue;
            };
            let bytes = self.view.blobs().read_blob(file.blob)?;
            let source = decode(&bytes);
            let code = Code::with(source.as_str(), change.inner.get(path));
            for id in own {
                let decl = &part.facts.decls[id as usize];
                let mut edits = self.parameter_edits(path, &code, decl, shape)?;
                edits.extend(documentation_edits(code.text, (&part.facts, decl), shape));
                change.edits.entry(path.clone()).or_default().extend(edits);
                change.places.insert((path.clone(), decl.name_range.start));
                change.names.insert(part.facts.name(decl.name).to_owned());
                self.check_overloads(&part.facts, (id, decl), (&code, shape))?;
            }
            let facts = self
                .symbols
                .facts(path, part.unit.project.index(), Sections::Bodies)?;
            if let Some(facts) = facts {
                let identifiers = self.symbols.identifiers(&bytes, part.unit.project.index());
                let locals = self
                    .compilation
                    .local_bindings(&part.unit, &facts, &identifiers);
                let n_old = self.compilation.member(member).signature.params.len();
                for at in (0..n_old).filter(|&at| shape.is_removed(at)) {
                    let symbol = LocalSymbol::Parameter(member, at as u16);
                    let mut uses = locals.uses_of(symbol);
                    if let Some(used) = uses.find(|it| it.role == LocalRole::Use) {
                        let place = shown(path, code.text, used.range.start);
                        let reason = format!("{place}: its code uses the parameter");
                        let help = "change that code first".to_owned();
                        return Err(self.request.refused(reason, vec![help]));
                    }
                }
            }
        }
        Ok(())
    }

    /// The edits of a parameter list.
    fn parameter_edits(
        &self,
        path: &RepoPath,
        code: &Code<'_>,
        decl: &Decl,
        shape: &Shape,
    ) -> Result<Vec<TextEdit>, EditError> {
        let list = code
            .open_behind(decl.name_range.end as usize)
            .and_then(|open| code.parameters(open));
        let n_params = decl.params.as_ref().map_or(0, Vec::len);
        let Some(list) = list.filter(|list| list.items.len() == n_params) else {
            let place = shown(path, code.text, decl.name_range.start);
            let reason = format!("{place}: its parameters cannot be read");
            return Err(self.request.refused(reason, Vec::new()));
        };
        let added = || {
            shape
                .added
                .as_ref()
                .map(|it| it.text.clone())
                .unwrap_or_default()
        };
        let items: Vec<Item> = (shape.order.iter())
            .map(|it| match it {
                Some(at) => Item::Kept(*at, String::new()),
                None => Item::New(added()),
            })
            .collect();
        Ok(edits(code, &list, &items))
    }

    /// Refuses a signature that another member of the type has.
    fn check_overloads(
        &self,
        facts: &FileFacts,
        (id, decl): (u32, &Decl),
        (code, shape): (&Code<'_>, &Shape),
    ) -> Result<(), EditError> {
        let types = |decl: &Decl| -> Option<Vec<String>> {
            let open = code.open_behind(decl.name_range.end as usize)?;
            let list = code.parameters(open)?;
            Some(
                list.items
                    .iter()
                    .map(|it| type_of(&code.text[it.as_usize()]))
                    .collect(),
            )
        };
        let Some(old) = types(decl) else {
            return Ok(());
        };
        let added = || {
            shape
                .added
                .as_ref()
                .map(|it| type_of(&it.text))
                .unwrap_or_default()
        };
        let new: Vec<String> = (shape.order.iter())
            .map(|it| match it {
                Some(at) => match shape.retyped.get(at) {
                    Some(ty) => type_of(&format!("{ty} p")),
                    None => old.get(*at).cloned().unwrap_or_default(),
                },
                None => added(),
            })
            .collect();
        let rival = facts.decls.iter().enumerate().find(|(other_id, other)| {
            *other_id as u32 != id
                && other.parent == decl.parent
                && other.kind == decl.kind
                && other.name == decl.name
                && other.bases.is_empty()
                && decl.bases.is_empty()
                && other.type_params.len() == decl.type_params.len()
                && types(other).is_some_and(|types| types == new && types != old)
        });
        match rival {
            None => Ok(()),
            Some((_, rival)) => {
                let reason = format!(
                    "another one with these parameters is declared on line {}",
                    rival.line
                );
                Err(self.request.refused(reason, Vec::new()))
            }
        }
    }
}

/// The type of a parameter as written, without white space; `ref`, `out` and `in` are one to overloads.
fn type_of(param: &str) -> String {
    let declared = shape::without_attributes(param);
    let declared = declared.split('=').next().unwrap_or(declared).trim();
    let name = shape::words_of_name(declared);
    let ty = declared.strip_suffix(name).unwrap_or(declared);
    let words = ty
        .split_whitespace()
        .filter(|it| !matches!(*it, "this" | "params" | "scoped" | "readonly"));
    words
        .map(|it| match it {
            "out" | "in" => "ref",
            it => it,
        })
        .collect()
}

/// The edits of what documentation says of parameters.
fn documentation_edits(
    text: &str,
    (facts, decl): (&FileFacts, &Decl),
    shape: &Shape,
) -> Vec<TextEdit> {
    let range = decl.doc_range.as_usize();
    let (Some(docs), Some(params)) = (text.get(range.clone()), &decl.params) else {
        return Vec::new();
    };
    let mut out = Vec::new();
    let mut tags: BTreeMap<usize, ByteRange> = BTreeMap::new();
    for (at, param) in params.iter().enumerate() {
        let name = facts.name(param.name);
        if let Some(lines) = lines_of_tag(text, docs, range.start, name) {
            tags.insert(at, lines);
        }
    }
    let removed = tags.iter().filter(|(at, _)| shape.is_removed(**at));
    out.extend(removed.map(|(_, lines)| edit(*lines, String::new())));
    // Where every parameter is told, a new one is as well.
    if let Some(added) = &shape.added
        && tags.len() == params.len()
        && let Some((at, like)) = place_of_new_tag(&tags, &shape.order)
    {
        let line = &text[like.as_usize()];
        let before = line.split("<param").next().unwrap_or_default();
        let line_end = if line.ends_with("\r\n") { "\r\n" } else { "\n" };
        let new = format!("{before}<param name=\"{}\"></param>{line_end}", added.name);
        out.push(edit(ByteRange { start: at, end: at }, new));
    }
    out
}

/// Where the tag of the new parameter goes, and a tag like it: behind that of the parameter before it, else before that
/// of the one behind it. `tags`: by old positions. `order`: see [`Shape::order`].
fn place_of_new_tag(
    tags: &BTreeMap<usize, ByteRange>,
    order: &[Option<usize>],
) -> Option<(u32, ByteRange)> {
    let new = order.iter().position(Option::is_none)?;
    let tag = |at: &Option<usize>| tags.get(&(*at)?).copied();
    let before = order[..new].iter().rev().find_map(tag);
    let behind = || order[new..].iter().find_map(tag);
    (before.map(|it| (it.end, it))).or_else(|| behind().map(|it| (it.start, it)))
}

/// The whole lines of a `<param>` tag, where nothing else is on them.
fn lines_of_tag(text: &str, docs: &str, start: usize, name: &str) -> Option<ByteRange> {
    let tag = docs.find(&format!("<param name=\"{name}\""))?;
    let rest = &docs[tag..];
    let open_end = rest.find('>')?;
    let len = match rest[..open_end].ends_with('/') {
        true => open_end + 1,
        false => rest.find("</param>")? + "</param>".len(),
    };
    let (from, to) = (start + tag, start + tag + len);
    let line_start = text[..from].rfind('\n').map_or(0, |at| at + 1);
    let line_end = text[to..].find('\n').map(|at| to + at + 1)?;
    let is_alone = text[line_start..from].trim() == "///" && text[to..line_end].trim().is_empty();
    is_alone.then_some(ByteRange {
        start: line_start as u32,
        end: line_end as u32,
    })
}

/// The edits of the types in parentheses behind a name in documentation.
pub(super) fn documented_types(code: &Code<'_>, end: usize, shape: &Shape) -> Vec<TextEdit> {
    let text = code.text;
    let bytes = text.as_bytes();
    let mut open = end;
    if bytes.get(open) == Some(&b'{') {
        let Some(len) = text[open..].find('}') else {
            return Vec::new();
        };
        open += len + 1;
    }
    if bytes.get(open) != Some(&b'(') {
        return Vec::new();
    }
    let mut items = Vec::new();
    let mut depth = 0_i32;
    let mut from = open + 1;
    let mut close = None;
    for (at, byte) in bytes.iter().enumerate().skip(open + 1) {
        match byte {
            b'(' | b'{' | b'[' | b'<' => depth += 1,
            b')' if depth == 0 => {
                items.push((from, at));
                close = Some(at);
                break;
            }
            b')' | b'}' | b']' | b'>' => depth -= 1,
            b',' if depth == 0 => {
                items.push((from, at));
                from = at + 1;
            }
            b'"' | b'\n' => break,
            _ => {}
        }
    }
    let Some(close) = close else {
        return Vec::new();
    };
    let items: Vec<ByteRange> = (items.into_iter())
        .map(|(from, to)| {
            let item = &text[from..to];
            let start = from + item.len() - item.trim_start().len();
            ByteRange {
                start: start as u32,
                end: (from + item.trim_end().len()).max(start) as u32,
            }
        })
        .filter(|it| it.start < it.end)
        .collect();
    let new: Vec<Item> = (shape.order.iter())
        .map(|it| match it {
            Some(at) => Item::Kept(*at, String::new()),
            None => Item::New(
                shape
                    .added
                    .as_ref()
                    .map(|it| it.ty.clone())
                    .unwrap_or_default(),
            ),
        })
        .collect();
    let is_whole = new
        .iter()
        .all(|it| !matches!(it, Item::Kept(at, _) if *at >= items.len()));
    if !is_whole {
        return Vec::new();
    }
    let retyped: BTreeSet<TextEdit> = (shape.retyped.iter())
        .filter_map(|(at, ty)| {
            let written = ty.replace('<', "{").replace('>', "}");
            let item = *items.get(*at)?;
            (text[item.as_usize()] != *written).then(|| edit(item, written))
        })
        .collect();
    let list = List { open, close, items };
    let path = RepoPath::from("");
    let moved = edits(&Code::with(text, Some(&retyped)), &list, &new);
    let both = together(
        BTreeMap::from([(path.clone(), moved)]),
        BTreeMap::from([(path, retyped)]),
    );
    both.into_values().flatten().collect()
}

fn edit(range: ByteRange, text: String) -> TextEdit {
    TextEdit {
        range,
        text,
        start: StartIs::New,
    }
}
