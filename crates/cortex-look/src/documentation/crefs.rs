//! What the `cref`s of a file mean, and how they are shown: by their shortest name that still says what is meant.

use crate::documentation::{DocTarget, parse::Named};

use std::rc::Rc;

use cortex_index::{BoundTarget, FileBindings};
use cortex_model::{EdgeKind, TypeKey};

/// The bound names in the documentation of one file.
pub(crate) struct Crefs {
    bindings: Rc<FileBindings>,
    /// Offset and target, by offset.
    refs: Vec<(u32, u32)>,
}

impl Crefs {
    pub(crate) fn new(bindings: Rc<FileBindings>) -> Self {
        let decls = bindings.decls.iter().flat_map(|decl| &decl.refs);
        let docs = decls.filter(|found| found.kind == EdgeKind::Doc);
        let mut refs: Vec<(u32, u32)> = docs.map(|it| (it.offset, it.target)).collect();
        refs.sort_unstable();
        Self { bindings, refs }
    }

    /// What a `cref` at this byte offset of the file means. `depth_of`: how deep a type is nested; 0 for one that
    /// is not.
    pub(crate) fn named(
        &self,
        written: &str,
        offset: u32,
        depth_of: &dyn Fn(TypeKey) -> usize,
    ) -> Named {
        let target = self.target(written, offset);
        let n_segments = match target {
            Some(DocTarget { key, member }) => {
                Some(depth_of(key) + 1 + usize::from(member.is_some()))
            }
            None => self.of_outside(written),
        };
        Named {
            name: short_name(written, n_segments),
            written: written.to_owned(),
            target,
        }
    }

    fn target(&self, written: &str, offset: u32) -> Option<DocTarget> {
        let end = offset + head(written).len() as u32;
        let after = self.refs.partition_point(|&(at, _)| at < end);
        let &(at, target) = self.refs[..after].last().filter(|(at, _)| *at >= offset)?;
        // The last name of all, not its qualifier.
        let rest = written.get((at - offset) as usize..end.checked_sub(offset)? as usize)?;
        if has_dot(rest) {
            return None;
        }
        match &self.bindings.targets[target as usize] {
            BoundTarget::Type(key) => Some(DocTarget {
                key: *key,
                member: None,
            }),
            BoundTarget::Member(key, tag) => Some(DocTarget {
                key: *key,
                member: Some(*tag),
            }),
            BoundTarget::External(..) => None,
        }
    }

    /// How many segments of a name to show that means a type from outside, or its member.
    fn of_outside(&self, written: &str) -> Option<usize> {
        let names = segments(head(written));
        if names.len() < 2 {
            return None;
        }
        let is_type = |segments: &[&str]| {
            let ids = self
                .bindings
                .targets
                .iter()
                .filter_map(|target| match target {
                    BoundTarget::External(id, _) => id.strip_prefix("T:"),
                    _ => None,
                });
            let mut ids = ids.map(|id| id.split('`').next().unwrap_or(id));
            let path: Vec<&str> = segments.iter().map(|it| bare(it)).collect();
            let path = path.join(".");
            ids.any(|id| id == path || id.strip_suffix(&path).is_some_and(|it| it.ends_with('.')))
        };
        if is_type(&names) {
            Some(1)
        } else if is_type(&names[..names.len() - 1]) || written.contains('(') {
            Some(2)
        } else {
            None
        }
    }
}

/// What stands before the parameters.
fn head(written: &str) -> &str {
    let mut depth = 0;
    for (at, c) in written.char_indices() {
        match c {
            '{' | '<' => depth += 1,
            '}' | '>' => depth -= 1,
            '(' if depth <= 0 => return &written[..at],
            _ => {}
        }
    }
    written
}

fn has_dot(text: &str) -> bool {
    segments(text).len() > 1
}

/// The parts of a name between dots and `::`.
fn segments(name: &str) -> Vec<&str> {
    let (mut out, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in name.char_indices() {
        match c {
            '{' | '<' | '(' | '[' => depth += 1,
            '}' | '>' | ')' | ']' => depth -= 1,
            '.' | ':' if depth <= 0 => {
                out.push(&name[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    out.push(&name[start..]);
    out.retain(|it| !it.is_empty());
    out
}

/// A segment without type arguments.
fn bare(segment: &str) -> &str {
    segment
        .split(['{', '<', '`'])
        .next()
        .unwrap_or(segment)
        .trim()
}

/// A written name as it is shown: its last `n_segments` (all of them where that is not known), its type arguments
/// in angle brackets, its parameters' types without namespaces.
pub(crate) fn short_name(written: &str, n_segments: Option<usize>) -> String {
    let written = written.trim();
    let (letter, name) = match written.as_bytes() {
        [letter, b':', next, ..] if *next != b':' => (Some(*letter), &written[2..]),
        _ => (None, written),
    };
    let head = head(name);
    let tail = &name[head.len()..];
    let n_segments = n_segments.or(match letter {
        Some(b'T') => Some(1),
        Some(b'M' | b'P' | b'F' | b'E') => Some(2),
        _ => None,
    });
    let mut names = segments(head);
    if names.first() == Some(&"global") {
        names.remove(0);
    }
    let n_skipped = n_segments.map_or(0, |n| names.len().saturating_sub(n));
    let shown = names[n_skipped..].iter().map(|segment| {
        let segment = segment.trim();
        match (letter, segment) {
            (Some(_), "#ctor") => "new".to_owned(),
            (Some(_), _) => segment
                .split('`')
                .next()
                .unwrap_or(segment)
                .replace('#', "."),
            (None, _) => segment.replace('{', "<").replace('}', ">"),
        }
    });
    let mut out = shown.collect::<Vec<_>>().join(".");
    if let Some(params) = tail.strip_prefix('(') {
        let params = params.split_once('~').map_or(params, |(params, _)| params);
        let params = params.trim_end().strip_suffix(')').unwrap_or(params);
        let shown: Vec<String> = split_params(params).into_iter().map(simple_param).collect();
        out.push('(');
        out.push_str(&shown.join(", "));
        out.push(')');
    }
    if out.is_empty() {
        written.to_owned()
    } else {
        out
    }
}

fn split_params(params: &str) -> Vec<&str> {
    let (mut out, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in params.char_indices() {
        match c {
            '{' | '<' | '(' | '[' => depth += 1,
            '}' | '>' | ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                out.push(&params[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    if !params[start..].trim().is_empty() {
        out.push(&params[start..]);
    }
    out
}

/// A parameter's type with each name in it shortened to its last segment.
fn simple_param(param: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    for c in param.trim().chars() {
        match c {
            '.' | ':' => word.clear(),
            '{' | '<' => {
                out.push_str(&std::mem::take(&mut word));
                out.push('<');
            }
            '}' | '>' => {
                out.push_str(&std::mem::take(&mut word));
                out.push('>');
            }
            _ if c.is_alphanumeric() || c == '_' => word.push(c),
            _ => {
                out.push_str(&std::mem::take(&mut word));
                out.push(c);
            }
        }
    }
    out.push_str(&word);
    out
}
