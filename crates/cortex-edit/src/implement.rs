//! `implement-interface`: what a type lacks of its interfaces, as members that throw.
//!
//! Two steps: the interface joins the base list where it does not stand there, and the members are written on what that
//! leaves. Owns: which members are missing, and how they are written. Must not know: whether other code means the same
//! afterwards ([`crate::proof`]).

mod stubs;

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::{Progress, Symbols};
use cortex_look::viewpoint::Viewpoint;
use cortex_model::{ByteRange, Modifier, TypeKind};
use cortex_syntax::{
    Decl,
    text::{Lexical, LexicalKind},
};
use cortex_wire::EditKind;

use crate::{
    EditError,
    conflicts::Locals,
    draft::Draft,
    edit::{Sides, sides_of, with_symbols},
    layout::Layout,
    located::{Declaration, Located, locate},
    member::{MemberAction, MemberEdit, Place, insertion},
    plan::Plan,
    proof::Proof,
    text_edit::{TextEdit, TextEdits},
    together::{Together, sides_after, views_of},
    usings::Directives,
};

/// A type gets the members that it lacks of its interfaces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImplementInterface<'r> {
    /// The class, struct or record, as any question names it.
    pub symbol: &'r str,
    /// One of its interfaces, or one that it gets, as code in its file writes it; all that it has where none is given.
    pub interface: Option<&'r str>,
    /// The file of the declaration that is meant, where there are several.
    pub file: Option<&'r str>,
}

impl ImplementInterface<'_> {
    pub(crate) fn title(&self) -> String {
        let symbol = self.symbol;
        match self.interface {
            Some(interface) => format!("implement `{interface}` in `{symbol}`"),
            None => format!("implement the interfaces of `{symbol}`"),
        }
    }

    fn refused(&self, reason: impl Into<String>) -> EditError {
        EditError::Refused {
            doing: self.title(),
            reason: reason.into(),
            help: Vec::new(),
        }
    }

    fn located<'l>(
        &self,
        view: &Viewpoint<'_>,
        symbols: &Symbols,
        out: &'l mut Option<Located>,
    ) -> Result<(&'l Located, &'l Declaration), EditError> {
        let doing = || self.title();
        let located = &*out.insert(locate(view, symbols, self.symbol, &doing)?);
        let at = match self.file {
            // Any part of it does.
            None => &located.declarations[0],
            file => located.one(file, &doing)?,
        };
        match at.decl().kind.type_kind() {
            Some(
                TypeKind::Class | TypeKind::Struct | TypeKind::Record | TypeKind::RecordStruct,
            ) if at.decl().modifiers.contains(Modifier::Static) => {
                Err(self.refused("a static class implements nothing"))
            }
            Some(
                TypeKind::Class | TypeKind::Struct | TypeKind::Record | TypeKind::RecordStruct,
            ) => Ok((located, at)),
            _ => Err(self.refused("it is no class, struct or record")),
        }
    }

    fn draft(&self, located: &Located, names: BTreeSet<String>, plan: Plan) -> Draft {
        Draft {
            kind: EditKind::ImplementInterface,
            title: self.title(),
            subject: Some(located.subject.clone()),
            n_family: 0,
            names,
            locals: Locals::Kept,
            old_name: None,
            left_alone: BTreeMap::new(),
            plan,
        }
    }
}

/// Plans what a type lacks of its interfaces: first the interface, then the members that are missing on what that leaves.
///
/// # Errors
/// [`EditError::Refused`] for an interface that is none, [`EditError::NoChange`] where nothing is missing; those of the
/// index.
pub(crate) fn plan_implement(
    views: &Sides<'_, '_>,
    request: &ImplementInterface<'_>,
    progress: &dyn Progress,
) -> Result<Draft, EditError> {
    let Some(base) = plan_base(views, request)? else {
        return plan_stubs(views, request);
    };
    let only = || views.iter().map(|(view, _)| *view);
    let sides = sides_after(only(), &base.plan, progress)?;
    let with_base = views_of(only(), &sides);
    let planned = sides_of(&with_base)?;
    let stubs = plan_stubs(&with_symbols(&planned), request);
    let mut together = Together::default();
    let (title, subject) = (base.title.clone(), base.subject.clone());
    together.add(base, Proof::default());
    let mut names = BTreeSet::new();
    match stubs {
        Ok(stubs) => {
            names.extend(stubs.names.iter().cloned());
            together.add(stubs, Proof::default());
        }
        // The interface asks for nothing that is not there.
        Err(EditError::NoChange { .. }) => {}
        Err(error) => return Err(error),
    }
    let (whole, _) = together.finish()?;
    Ok(Draft {
        kind: EditKind::ImplementInterface,
        title,
        subject,
        names,
        ..whole
    })
}

/// Plans the interface in the base list; `None` where it is there, or none is named.
///
/// # Errors
/// [`EditError::Refused`] for what implements nothing; those of the index.
fn plan_base(
    views: &[(&Viewpoint<'_>, &Symbols)],
    request: &ImplementInterface<'_>,
) -> Result<Option<Draft>, EditError> {
    let (view, symbols) = views[0];
    let mut out = None;
    let (located, at) = request.located(view, symbols, &mut out)?;
    let Some(interface) = request.interface else {
        return Ok(None);
    };
    let is_wrong =
        |it: char| matches!(it, ';' | '{' | '}' | '(' | '"' | '/' | '#') || it.is_control();
    if interface.trim().is_empty() || interface.contains(is_wrong) {
        return Err(request.refused("that is no interface"));
    }
    let wanted = last_name(interface);
    let has_it = symbols.read(|compilation| {
        let ty = crate::rename::declared::type_id(compilation, located.symbols[0].key());
        Ok(ty.map(|ty| {
            let listed = compilation.header(ty).interfaces.iter();
            let mut names = listed.filter_map(|&it| compilation.def_of(it));
            names.any(|it| compilation.text(compilation.def(it).name) == wanted)
        }))
    })??;
    if has_it {
        return Ok(None);
    }
    let edit = base_edit(at, interface).map_err(|reason| request.refused(reason))?;
    let edits = TextEdits::new(vec![edit]).expect("there is one edit");
    let edits = BTreeMap::from([(at.path.clone(), edits)]);
    let plan = Plan::of_edits(view.index, view.side, edits, &BTreeMap::new())?;
    Ok(Some(request.draft(located, BTreeSet::new(), plan)))
}

/// What writes an interface behind the bases of a type: before those that `#if` decides about, which have to be others.
///
/// # Errors
/// The reason why there is no place for it.
pub(crate) fn base_edit(at: &Declaration, interface: &str) -> Result<TextEdit, &'static str> {
    let (text, decl) = (&*at.text, at.decl());
    if let Some((start, before)) = head_before_directive(at) {
        let is_certain = before.contains(':') && !before.contains(['(', '/']);
        if !is_certain {
            return Err(UNDECIDED);
        }
        let written = match before.ends_with([',', ':']) {
            true => format!(" {},", interface.trim()),
            false => format!(", {}", interface.trim()),
        };
        return Ok(insertion(start + before.len(), written));
    }
    let separator = match decl.bases.is_empty() {
        true => " : ",
        false => ", ",
    };
    let written = format!("{separator}{}", interface.trim());
    Ok(insertion(end_of_head(text, decl), written))
}

/// Why a type whose bases all stand in branches gets no other one.
pub(crate) const UNDECIDED: &str = "`#if` decides about its bases";

/// What stands between the name of a type and the first directive before its body, and where it starts; `None` without
/// a directive.
pub(crate) fn head_before_directive(at: &Declaration) -> Option<(usize, &str)> {
    let (text, decl) = (&*at.text, at.decl());
    let start = decl.name_range.end as usize;
    let head = &text[start..end_of_head(text, decl)];
    let (directive, _) = head.match_indices('\n').find(|(at, _)| {
        let line = head[at + 1..].trim_start();
        line.starts_with('#')
    })?;
    Some((start, head[..directive].trim_end()))
}

/// Plans the members that are missing.
///
/// # Errors
/// [`EditError::Refused`] for an interface that is none, [`EditError::NoChange`] where nothing is missing; those of the
/// index.
fn plan_stubs(
    views: &[(&Viewpoint<'_>, &Symbols)],
    request: &ImplementInterface<'_>,
) -> Result<Draft, EditError> {
    let (view, symbols) = views[0];
    let mut out = None;
    let (located, at) = request.located(view, symbols, &mut out)?;
    let wanted = request.interface.map(last_name);
    let key = located.symbols[0].key();
    let stubs = symbols.read(|compilation| {
        let ty = crate::rename::declared::type_id(compilation, key);
        Ok(ty.map(|ty| stubs::missing(compilation, ty, wanted.as_deref())))
    })??;
    let stubs = stubs.map_err(|reason| request.refused(reason))?;
    if stubs.is_empty() {
        return Err(EditError::NoChange {
            doing: request.title(),
        });
    }
    let layout = Layout::of(&at.text, &at.facts);
    let new = stubs::written(&stubs, &layout);
    let edit = MemberEdit {
        symbol: request.symbol,
        file: request.file,
        action: MemberAction::Add { text: &new },
    };
    let place = Place::new(at, &edit);
    let (mut edits, _) = place.add(&new)?;
    let mut directives = Directives::of(view, views, &at.path, &at.text, &at.facts)?;
    let around = super::move_type::namespaces_at(&at.facts, at.decl().range.start);
    let needed = stubs.iter().flat_map(|stub| &stub.namespaces);
    for namespace in needed.filter(|it| !around.contains(*it)) {
        directives.import(namespace);
    }
    edits.extend(
        directives
            .edits()
            .map_err(|reason| request.refused(reason))?,
    );
    let edits = TextEdits::new(edits)
        .ok_or_else(|| request.refused("its members and its using directives share a place"))?;
    let edits = BTreeMap::from([(at.path.clone(), edits)]);
    let plan = Plan::of_edits(view.index, view.side, edits, &BTreeMap::new())?;
    let names = stubs.iter().map(|stub| stub.name.clone()).collect();
    Ok(request.draft(located, names, plan))
}

/// The simple name of an interface as code writes it.
fn last_name(interface: &str) -> String {
    let name = interface.split('<').next().unwrap_or_default();
    let name = name.rsplit(['.', ':']).next().unwrap_or_default();
    crate::identifier::bare(name.trim())
}

/// Where the base list of a type ends, or would stand: before constraints and the body.
fn end_of_head(text: &str, decl: &Decl) -> usize {
    let start = decl.name_range.end as usize;
    let end = match decl.body_range.start < decl.body_range.end {
        true => decl.body_range.start as usize,
        false => text[..decl.range.end as usize].trim_end_matches(';').len(),
    };
    let lexical = Lexical::of(text.as_bytes());
    let is_code = |at: usize| {
        !matches!(
            lexical.at(at as u32),
            LexicalKind::Comment | LexicalKind::String
        )
    };
    let is_word = |it: char| it == '_' || it.is_alphanumeric();
    let constraints = text[start..end]
        .match_indices("where")
        .map(|(at, _)| start + at);
    let constraints = constraints.into_iter().find(|&at| {
        is_code(at) && !text[..at].ends_with(is_word) && !text[at + 5..].starts_with(is_word)
    });
    let end = constraints.unwrap_or(end);
    // Comments behind the last token stay behind it.
    let last = (start..end).rev().find(|&at| {
        text.is_char_boundary(at) && is_code(at) && !text.as_bytes()[at].is_ascii_whitespace()
    });
    let token = last.map_or(start, |at| {
        at + text[at..].chars().next().map_or(1, char::len_utf8)
    });
    debug_assert!(
        ByteRange {
            start: decl.range.start,
            end: decl.range.end
        }
        .contains(start as u32 - 1)
    );
    token
}
