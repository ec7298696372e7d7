//! `remove-member` and `safe-delete`: declarations go, alone or as a group that only uses itself.

use std::collections::{BTreeMap, BTreeSet};

use cortex_derived::{doc_ids::DocIds, target::Target};
use cortex_index::Symbols;
use cortex_look::{
    uses::{uses, whole_family},
    viewpoint::Viewpoint,
};
use cortex_model::{ByteRange, DeclKind, Modifier, RepoPath};
use cortex_syntax::text::{FileOffsets, decode};

use crate::{
    EditError,
    layout::Layout,
    located::{Declaration, Located, locate, with_docs},
    member::{
        MemberEdit, Place, Written,
        implicit::{implicit_calls, needed_by_initializers},
        insert::start_with_comments,
        new_text,
        replace::only_white_before,
    },
    rename::text_range,
    text_edit::TextEdits,
};

/// So many uses are listed where something is used.
const MAX_LISTED: usize = 20;

/// Plans a removal.
pub(super) fn remove(
    view: &Viewpoint<'_>,
    symbols: &Symbols,
    request: &MemberEdit<'_>,
    (others, although_used): (&[String], bool),
) -> Result<Written, EditError> {
    let doing = || request.title();
    let mut group = vec![locate(view, symbols, request.symbol, &doing)?];
    for other in others {
        group.push(locate(view, symbols, other, &doing)?);
    }
    let mut ranges: BTreeMap<RepoPath, Vec<ByteRange>> = BTreeMap::new();
    for declaration in group.iter().flat_map(|located| &located.declarations) {
        let range = removed_range(declaration, request);
        let all = ranges.entry(declaration.path.clone()).or_default();
        // A member goes with its type.
        if !all
            .iter()
            .any(|it| it.start <= range.start && range.end <= it.end)
        {
            all.retain(|it| !(range.start <= it.start && it.end <= range.end));
            all.push(range);
        }
    }
    if !although_used {
        check_unused((view, symbols), &group, &ranges, request)?;
    }
    let first = &group[0].declarations[0];
    let names = group.iter().flat_map(|it| &it.declarations);
    let names = Place::names(names.flat_map(names_inside));
    let old_name = first.name().to_owned();
    let mut edits = BTreeMap::new();
    for (path, ranges) in ranges {
        let all: Vec<_> = ranges
            .into_iter()
            .map(|it| new_text(it, String::new()))
            .collect();
        let all = TextEdits::new(joined(all)).expect("joined ranges do not overlap");
        edits.insert(path, all);
    }
    let named = !matches!(
        first.decl().kind,
        DeclKind::Operator | DeclKind::Conversion | DeclKind::Indexer
    );
    Ok(Written {
        edits,
        names,
        old_name: named.then_some(old_name),
        subject: group.swap_remove(0).subject,
    })
}

/// Neighboring removals as one.
pub(crate) fn joined(
    mut edits: Vec<crate::text_edit::TextEdit>,
) -> Vec<crate::text_edit::TextEdit> {
    edits.sort();
    let mut out: Vec<crate::text_edit::TextEdit> = Vec::with_capacity(edits.len());
    for edit in edits {
        match out.last_mut() {
            Some(last) if edit.range.start <= last.range.end => {
                last.range.end = last.range.end.max(edit.range.end);
            }
            _ => out.push(edit),
        }
    }
    out
}

/// The names of a declaration and of everything inside of it.
fn names_inside(declaration: &Declaration) -> impl Iterator<Item = &str> {
    let own = declaration.decl().range;
    let facts = &declaration.facts;
    let inside = facts.decls.iter().enumerate().filter(move |(id, decl)| {
        let is_below = *id as u32 >= declaration.id;
        is_below && decl.range.start >= own.start && decl.range.end <= own.end
    });
    inside.map(|(_, decl)| facts.name(decl.name))
}

/// Refuses where something that stays uses what goes.
fn check_unused(
    (view, symbols): (&Viewpoint<'_>, &Symbols),
    group: &[Located],
    ranges: &BTreeMap<RepoPath, Vec<ByteRange>>,
    request: &MemberEdit<'_>,
) -> Result<(), EditError> {
    let targets: Vec<Target> = group
        .iter()
        .flat_map(|it| it.symbols.iter().copied())
        .collect();
    let mut reader = view.blobs();
    let mut used: BTreeSet<(RepoPath, u32)> = BTreeSet::new();
    for place in uses(view, &targets)? {
        let bytes = reader.read_blob(place.blob)?;
        let offsets = FileOffsets::new(&decode(&bytes), bytes.len());
        let range = text_range(&offsets, place.range);
        let goes = ranges.get(&place.file).is_some_and(|ranges| {
            let mut ranges = ranges.iter();
            ranges.any(|it| it.start <= range.start && range.end <= it.end)
        });
        if !goes {
            used.insert((place.file, place.line));
        }
    }
    for located in group {
        for (path, offset, line) in implicit_calls(view, symbols, located)? {
            let goes = ranges.get(&path).is_some_and(|ranges| {
                let mut ranges = ranges.iter();
                ranges.any(|it| it.contains(offset))
            });
            if !goes {
                used.insert((path, line));
            }
        }
        if let Some(place) = needed_by_initializers(symbols, group, located)? {
            let reason = format!("{place}: a struct with initial values needs a constructor");
            let help = "remove the initial values first, or keep the constructor".to_owned();
            return Err(request.refused(reason, vec![help]));
        }
    }
    let mut reasons: Vec<String> = used
        .iter()
        .map(|(file, line)| format!("{file}:{line}"))
        .collect();
    let n_used = reasons.len();
    reasons.truncate(MAX_LISTED);
    if n_used > 0 {
        let places = if n_used == 1 {
            "1 line".to_owned()
        } else {
            format!("{n_used} lines")
        };
        let more = n_used - reasons.len();
        let more = if more > 0 {
            format!(", and {more} more")
        } else {
            String::new()
        };
        let help = vec![format!("used in {}{more}", reasons.join(", "))];
        return Err(request.refused(format!("{places} of other code use it"), help));
    }
    check_family(view, group, &targets, request)
}

/// Refuses where what goes is required by an interface or an abstract member, or where others override it.
fn check_family(
    view: &Viewpoint<'_>,
    group: &[Located],
    targets: &[Target],
    request: &MemberEdit<'_>,
) -> Result<(), EditError> {
    for located in group {
        let is_override = (located.declarations.iter())
            .any(|it| it.decl().modifiers.contains(Modifier::Override));
        let (members, _): (Vec<Target>, Vec<Target>) =
            (located.symbols.iter()).partition(|it| matches!(it, Target::Member(..)));
        if is_override || members.is_empty() {
            continue;
        }
        let family = whole_family(view, &members)?;
        let mut others = family.outside;
        let mut ids = DocIds::new(view.snapshot());
        for other in family.members.iter().filter(|it| !targets.contains(it)) {
            if let Target::Member(_, tag) = other
                && let Some(id) = ids.of(other.key(), Some(*tag))?
            {
                others.push(id);
            }
        }
        if !others.is_empty() {
            others.truncate(MAX_LISTED);
            let help = vec![format!("it belongs together with {}", others.join(", "))];
            let reason = "it implements members, or members implement or override it";
            return Err(request.refused(reason, help));
        }
    }
    Ok(())
}

/// The bytes that go with a declaration: its documentation, attributes, the comments right above and behind it, its
/// lines, and a blank line that would be one too many.
pub(crate) fn removed_range(declaration: &Declaration, request: &MemberEdit<'_>) -> ByteRange {
    let text = &*declaration.text;
    let decl = declaration.decl();
    let place = Place {
        at: declaration,
        layout: Layout::of(text, &declaration.facts),
        request,
    };
    if place.shares_declaration().is_some() {
        return declarator_range(declaration);
    }
    let mut start = start_with_comments(text, with_docs(decl).start as usize);
    let mut end = decl.range.end as usize;
    let parent = decl.parent.map(|id| &declaration.facts.decls[id as usize]);
    if parent.is_some_and(|it| it.kind == DeclKind::Enum) {
        let behind = &text[end..];
        if behind.trim_start().starts_with(',') {
            end += behind.find(',').map_or(0, |at| at + 1);
        }
    }
    let line_end = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
    let rest = text[end..line_end].trim();
    let ends_line = rest.is_empty() || rest.starts_with("//");
    if !only_white_before(text, start) || !ends_line {
        // Other code stands on its lines.
        let white = text[end..].len() - text[end..].trim_start_matches([' ', '\t']).len();
        return range(start, end + white);
    }
    start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    end = line_end;
    let (before, behind) = (&text[..start], &text[end..]);
    let ends_blank = is_blank(before.lines().next_back());
    let opens = before.trim_end().ends_with('{');
    let closes = behind.trim_start().starts_with('}') || behind.trim().is_empty();
    if ends_blank && !before.is_empty() && (is_blank(behind.lines().next()) || closes) {
        start = before.trim_end_matches([' ', '\t', '\r', '\n']).len();
        start += text[start..].find('\n').map_or(0, |at| at + 1);
    } else if opens && is_blank(behind.lines().next()) {
        let blank = behind.len() - behind.trim_start_matches([' ', '\t', '\r', '\n']).len();
        let line = behind[..blank].rfind('\n').map_or(0, |at| at + 1);
        end += line;
    }
    range(start, end)
}

/// One variable of a declaration of several, with its comma.
fn declarator_range(declaration: &Declaration) -> ByteRange {
    let text = &*declaration.text;
    let decl = declaration.decl();
    let own_end = decl.body_range.end.max(decl.name_range.end) as usize;
    let behind = &text[own_end..];
    if text[decl.range.start as usize..]
        .trim_start()
        .starts_with(',')
    {
        return range(decl.range.start as usize, own_end);
    }
    // The first one: up to the name behind the comma.
    let comma = behind.find(',').map_or(0, |at| at + 1);
    let white = behind[comma..].len() - behind[comma..].trim_start().len();
    range(decl.name_range.start as usize, own_end + comma + white)
}

fn range(start: usize, end: usize) -> ByteRange {
    ByteRange {
        start: start as u32,
        end: end as u32,
    }
}

fn is_blank(line: Option<&str>) -> bool {
    line.is_none_or(|line| line.trim().is_empty())
}
