//! `move` of a type out of the types around it, or into another type.
//!
//! Its text goes as it is; names of its code that were found in the types around it are qualified, and code that names the
//! type gets another qualifier. Owns: which names and directives are written, what cannot move so. Must not know: whether
//! code means the same afterwards ([`crate::proof`]).

mod checks;
mod inside;
mod outside;

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::Symbols;
use cortex_look::viewpoint::Viewpoint;
use cortex_model::{Accessibility, ByteRange, Modifier, RepoPath};
use cortex_semantics::{Compilation, TypeId};
use cortex_wire::EditKind;

use crate::{
    EditError,
    conflicts::Locals,
    difference::edits_between,
    draft::Draft,
    layout::{Layout, indent_at},
    located::{Declaration, Located, locate, with_docs},
    member::{MemberAction, MemberEdit, Place, comments_above, insertion, removed_range},
    move_member::{Naming, TypeName},
    plan::{Carried, FilePlan, Plan},
    text_edit::{StartIs, TextEdit, TextEdits},
    usings::with_imports,
};

/// A type goes out of the types around it, or into another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NestType<'r> {
    /// The type, as any question names it.
    pub symbol: &'r str,
    /// The type that it goes into; its namespace where none is given.
    pub into: Option<&'r str>,
}

impl NestType<'_> {
    fn title(&self) -> String {
        match self.into {
            Some(into) => format!("move `{}` into `{into}`", self.symbol),
            None => format!("move `{}` out of the type around it", self.symbol),
        }
    }

    fn refused(&self, reason: impl Into<String>, help: &str) -> EditError {
        EditError::Refused {
            doing: self.title(),
            reason: reason.into(),
            help: match help {
                "" => Vec::new(),
                help => vec![help.to_owned()],
            },
        }
    }
}

/// What a move is about.
struct Nesting<'m> {
    request: &'m NestType<'m>,
    located: &'m Located,
    /// The type that it goes into.
    target: Option<&'m Located>,
    naming: Naming,
    old: TypeName,
    new: TypeName,
    /// What it is at its new place.
    accessibility: Accessibility,
}

impl Nesting<'_> {
    fn declaration(&self) -> &Declaration {
        &self.located.declarations[0]
    }

    /// The declaration that gets the type: of the type that it goes into, or the outermost one around it, which it follows.
    fn destination(&self) -> Declaration {
        let own = self.declaration();
        match self.target {
            Some(target) => {
                let mut all = target.declarations.iter();
                let same_file = all.find(|it| it.path == own.path);
                same_file.unwrap_or(&target.declarations[0]).clone()
            }
            None => {
                let mut id = own.id;
                while let Some(parent) = own.facts.decls[id as usize].parent
                    && own.facts.decls[parent as usize].kind.type_kind().is_some()
                {
                    id = parent;
                }
                Declaration { id, ..own.clone() }
            }
        }
    }

    /// What goes: the declaration with its documentation and the comments above.
    fn range(&self) -> ByteRange {
        let declaration = self.declaration();
        let decl = declaration.decl();
        let start = comments_above(&declaration.text, with_docs(decl).start as usize);
        ByteRange {
            start: start as u32,
            end: decl.range.end,
        }
    }

    /// Whether an offset is in what goes.
    fn is_inside(&self, path: &RepoPath, offset: u32) -> bool {
        self.declaration().path == *path && self.range().contains(offset)
    }

    /// Whether an offset is in a declaration of the type that it goes into.
    fn is_in_target(&self, path: &RepoPath, offset: u32) -> bool {
        let mut all = self.target.iter().flat_map(|it| &it.declarations);
        all.any(|it| it.path == *path && it.decl().range.contains(offset))
    }

    fn refused(&self, reason: impl Into<String>, help: &str) -> EditError {
        self.request.refused(reason, help)
    }
}

/// What changes in files.
#[derive(Default)]
struct Changes {
    edits: BTreeMap<RepoPath, BTreeSet<TextEdit>>,
    imports: BTreeMap<RepoPath, BTreeSet<String>>,
    /// Names that get or lose a qualifier.
    requalified: BTreeSet<(RepoPath, u32)>,
    /// Edits of what goes, at positions of its file.
    inside: BTreeSet<TextEdit>,
}

/// Plans to move a type out of the types around it, or into another one.
///
/// # Errors
/// [`EditError::Refused`] for what cannot move so, with places; those of the index.
pub(crate) fn plan_nest(
    views: &[(&Viewpoint<'_>, &Symbols)],
    request: &NestType<'_>,
    naming: Naming,
) -> Result<Draft, EditError> {
    let (view, symbols) = views[0];
    let doing = || request.title();
    let located = locate(view, symbols, request.symbol, &doing)?;
    let target = match request.into {
        Some(into) => Some(locate(view, symbols, into, &doing)?),
        None => None,
    };
    let checked = checks::check(views, request, (&located, target.as_ref()))?;
    let nesting = Nesting {
        request,
        located: &located,
        target: target.as_ref(),
        naming,
        old: checked.old,
        new: checked.new,
        accessibility: checked.accessibility,
    };
    let mut changes = Changes::default();
    inside::add(views, &nesting, &mut changes)?;
    outside::add(views, &nesting, &mut changes)?;
    if let Some(edit) = accessibility_edit(&nesting) {
        changes.inside.insert(edit);
    }
    let requalified = std::mem::take(&mut changes.requalified);
    let (inserted, own_edits) = moved(&nesting, &mut changes)?;
    let to = nesting.destination().path;
    let refused = |reason: String, help: &str| nesting.refused(reason, help);
    let edits = with_imports(views, changes.imports, changes.edits, &refused)?;
    let overlap = || nesting.refused("two places that change overlap", "");
    let start = (edits.get(&to)).and_then(|it| it.new_start(&inserted));
    let start = start.ok_or_else(overlap)?;
    let mut plan = Plan::of_edits(view.index, view.side, edits, &BTreeMap::new())?;
    let from = nesting.declaration();
    plan.requalified = requalified;
    plan.carried.push(Carried {
        from: from.path.clone(),
        range: nesting.range(),
        to,
        start,
        len: inserted.text.len() as u32,
        edits: own_edits,
        common: 0,
    });
    let is_empty = from.path != nesting.destination().path && is_alone(from);
    if is_empty && let Some(file) = plan.files.remove(&from.path) {
        let removed = FilePlan::removed(file.old, file.old_bytes);
        plan.files.insert(from.path.clone(), removed);
    }
    let name = from.name().to_owned();
    let mut names = BTreeSet::from([name.clone()]);
    names.extend(name.strip_suffix("Attribute").map(str::to_owned));
    Ok(Draft {
        kind: EditKind::Move,
        title: request.title(),
        subject: Some(located.subject),
        n_family: 0,
        names,
        locals: Locals::Kept,
        old_name: None,
        left_alone: BTreeMap::new(),
        plan,
    })
}

/// Whether a file has nothing but a type, its namespaces, directives and comments.
fn is_alone(declaration: &Declaration) -> bool {
    let own = declaration.decl().range;
    let facts = &declaration.facts;
    let is_around = |range: ByteRange| range.start <= own.start && own.end <= range.end;
    let is_inside = |range: ByteRange| own.start <= range.start && range.end <= own.end;
    let others = (facts.decls.iter()).filter(|it| !is_around(it.range) && !is_inside(it.range));
    let has_global = facts.usings.iter().any(|it| it.global);
    let is_plain = !declaration.text.contains("assembly:") && !declaration.text.contains("module:");
    others.count() == 0 && !has_global && is_plain
}

/// What gives the type its accessibility at the new place; `None` where it has it.
fn accessibility_edit(nesting: &Nesting<'_>) -> Option<TextEdit> {
    let declaration = nesting.declaration();
    let decl = declaration.decl();
    if decl.accessibility == Some(nesting.accessibility) {
        return None;
    }
    // A type of a namespace is internal where nothing is written.
    let is_default = nesting.accessibility == Accessibility::Internal && nesting.target.is_none();
    if decl.accessibility.is_none() && is_default {
        return None;
    }
    let word = match nesting.accessibility {
        Accessibility::Public => "public",
        _ => "internal",
    };
    let text: &str = &declaration.text;
    let head = decl.range.start as usize..decl.name_range.start as usize;
    let all = cortex_syntax::text::tokens(text[head.clone()].as_bytes());
    let mut depth = 0_usize;
    let mut written: Option<ByteRange> = None;
    let mut first = None;
    for token in all {
        let range = ByteRange {
            start: decl.range.start + token.range.start,
            end: decl.range.start + token.range.end,
        };
        match &text[range.as_usize()] {
            "[" => depth += 1,
            "]" => depth = depth.saturating_sub(1),
            "private" | "protected" | "internal" | "public" if depth == 0 => {
                let start = written.map_or(range.start, |it| it.start);
                written = Some(ByteRange {
                    start,
                    end: range.end,
                });
            }
            _ if depth == 0 => {
                first.get_or_insert(range.start);
            }
            _ => {}
        }
    }
    Some(match written {
        Some(range) => new_text(range, word.to_owned()),
        None => {
            let at = first.unwrap_or(decl.name_range.start);
            insertion(at as usize, format!("{word} "))
        }
    })
}

/// Adds the edits that take the type out and write it at its new place; what writes it, and what makes its text of the old
/// one.
fn moved(nesting: &Nesting<'_>, changes: &mut Changes) -> Result<(TextEdit, TextEdits), EditError> {
    let declaration = nesting.declaration();
    let range = nesting.range();
    let old = &declaration.text[range.as_usize()];
    let own = std::mem::take(&mut changes.inside).into_iter();
    let own = own.map(|edit| TextEdit {
        range: ByteRange {
            start: edit.range.start - range.start,
            end: edit.range.end - range.start,
        },
        ..edit
    });
    let overlap = || nesting.refused("two places that change overlap", "");
    let own = TextEdits::new(own.collect()).ok_or_else(overlap)?;
    let new = String::from_utf8_lossy(&own.apply(old.as_bytes())?).into_owned();
    let destination = nesting.destination();
    let edit = MemberEdit {
        symbol: nesting.request.symbol,
        file: None,
        action: MemberAction::Add { text: &new },
    };
    let added = match nesting.target {
        Some(_) => Place::new(&destination, &edit).add(&new)?.0,
        None => vec![behind(&destination, &new)],
    };
    let inserted = added.iter().max_by_key(|edit| edit.text.len()).cloned();
    let inserted = inserted.ok_or_else(overlap)?;
    let edits = edits_between(old, &inserted.text);
    let from = changes.edits.entry(declaration.path.clone()).or_default();
    from.insert(new_text(removed_range(declaration, &edit), String::new()));
    let to = changes.edits.entry(destination.path.clone()).or_default();
    to.extend(added);
    Ok((inserted, edits))
}

/// What writes a type behind another one of the same namespace.
fn behind(around: &Declaration, new: &str) -> TextEdit {
    let (text, decl) = (&*around.text, around.decl());
    let layout = Layout::of(text, &around.facts);
    let end = decl.range.end as usize;
    let line = text[end..].lines().next().unwrap_or_default();
    let end = match line.trim_start().starts_with("//") {
        true => end + line.trim_end().len(),
        false => end,
    };
    let indent = indent_at(text, decl.range.start as usize);
    let laid = layout.laid(new, indent);
    let line_end = layout.line_end;
    insertion(end, format!("{line_end}{line_end}{laid}"))
}

/// Whether a modifier is written in the declaration of a type.
fn has(declaration: &Declaration, modifier: Modifier) -> bool {
    declaration.decl().modifiers.contains(modifier)
}

/// The types around a type, the innermost first.
fn outer_types(c: &Compilation<'_>, ty: TypeId) -> Vec<TypeId> {
    std::iter::successors(c.def(ty).outer, |&it| c.def(it).outer).collect()
}

/// An edit that writes a text which was not there.
fn new_text(range: ByteRange, text: String) -> TextEdit {
    TextEdit {
        range,
        text,
        start: StartIs::New,
    }
}
