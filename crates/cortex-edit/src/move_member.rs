//! `move` of a static member: it goes to another type, and code that uses it names that type.
//!
//! Owns: which places change, what cannot move. Must not know: whether the code means the same afterwards
//! ([`crate::proof`]).

mod carried;
mod checks;
mod users;

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::Symbols;
use cortex_look::viewpoint::Viewpoint;
use cortex_model::{ByteRange, RepoPath};
use cortex_semantics::{Compilation, TypeId};
use cortex_wire::EditKind;

use self::carried::Needs;
use crate::{
    EditError,
    conflicts::Locals,
    difference::edits_between,
    draft::Draft,
    located::{Declaration, Located, locate, with_docs},
    member::{MemberAction, MemberEdit, Place, comments_above, removed_range},
    plan::{Carried, Plan},
    text_edit::{StartIs, TextEdit, TextEdits},
    usings::with_imports,
};

/// A static member goes to another type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveMember<'r> {
    /// The member, as any question names it.
    pub symbol: &'r str,
    /// The type that gets it.
    pub into: &'r str,
}

impl MoveMember<'_> {
    pub(crate) fn title(&self) -> String {
        format!("move `{}` into `{}`", self.symbol, self.into)
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

/// How code names the type that gets the member.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Naming {
    /// By its simple name, with an import where that is needed.
    Simple,
    /// By its full name.
    Full,
}

/// A type as code names it.
#[derive(Clone, Debug)]
pub(crate) struct TypeName {
    pub(crate) namespace: String,
    /// Behind the namespace, with the types around it.
    pub(crate) path: String,
}

impl TypeName {
    pub(crate) fn of(compilation: &Compilation<'_>, ty: TypeId) -> Self {
        let mut names = Vec::new();
        let mut next = Some(ty);
        while let Some(id) = next {
            names.push(compilation.text(compilation.def(id).name).to_owned());
            next = compilation.def(id).outer;
        }
        names.reverse();
        Self {
            namespace: compilation.text(compilation.def(ty).namespace).to_owned(),
            path: names.join("."),
        }
    }

    pub(crate) fn full(&self) -> String {
        match self.namespace.as_str() {
            "" => format!("global::{}", self.path),
            namespace => format!("{namespace}.{}", self.path),
        }
    }
}

/// A type and those around it, the innermost first.
fn with_outer(compilation: &Compilation<'_>, ty: TypeId) -> Vec<TypeId> {
    std::iter::successors(Some(ty), |&it| compilation.def(it).outer).collect()
}

/// What a move is about.
struct Moving<'m> {
    request: &'m MoveMember<'m>,
    member: &'m Located,
    target: &'m Located,
    naming: Naming,
    /// The names of both types.
    source_name: TypeName,
    target_name: TypeName,
}

impl Moving<'_> {
    fn declaration(&self) -> &Declaration {
        &self.member.declarations[0]
    }

    /// The declaration of the type that gets the member.
    fn destination(&self) -> &Declaration {
        let path = &self.declaration().path;
        let mut all = self.target.declarations.iter();
        let same_file = all.find(|it| it.path == *path);
        same_file.unwrap_or(&self.target.declarations[0])
    }

    /// What moves: the declaration with its documentation and the comments above.
    fn range(&self) -> ByteRange {
        let decl = self.declaration().decl();
        let start = comments_above(&self.declaration().text, with_docs(decl).start as usize);
        ByteRange {
            start: start as u32,
            end: decl.range.end,
        }
    }

    /// Whether a place is in a declaration of the type that gets the member.
    fn is_in_target(&self, path: &RepoPath, offset: u32) -> bool {
        let mut all = self.target.declarations.iter();
        all.any(|it| it.path == *path && it.decl().range.contains(offset))
    }

    fn refused(&self, reason: impl Into<String>, help: &str) -> EditError {
        self.request.refused(reason, help)
    }
}

/// What changes in files.
#[derive(Default)]
struct Changes {
    edits: BTreeMap<RepoPath, Vec<TextEdit>>,
    imports: BTreeMap<RepoPath, BTreeSet<String>>,
    /// Names that get or lose a qualifier.
    requalified: BTreeSet<(RepoPath, u32)>,
}

/// Plans to move a member.
///
/// # Errors
/// [`EditError::Refused`] for what cannot move so, with places; those of the index.
pub(crate) fn plan_move_member(
    views: &[(&Viewpoint<'_>, &Symbols)],
    request: &MoveMember<'_>,
    naming: Naming,
) -> Result<Draft, EditError> {
    let (view, symbols) = views[0];
    let doing = || request.title();
    let member = locate(view, symbols, request.symbol, &doing)?;
    let target = locate(view, symbols, request.into, &doing)?;
    let names = checks::check(views, request, (&member, &target))?;
    let moving = Moving {
        request,
        member: &member,
        target: &target,
        naming,
        source_name: names.0,
        target_name: names.1,
    };
    let needs = carried::needs(views, &moving)?;
    let mut changes = Changes::default();
    let inside = users::add(views, &moving, &mut changes)?;
    let (moved, carried) = moved(&moving, &needs, inside)?;
    for (path, mut edits) in moved {
        changes.edits.entry(path).or_default().append(&mut edits);
    }
    let to = moving.destination().path.clone();
    (changes.imports.entry(to.clone()).or_default()).extend(needs.imports);
    let from = &moving.declaration().path;
    let mut requalified = std::mem::take(&mut changes.requalified);
    requalified.extend(needs.edits.iter().map(|it| (from.clone(), it.range.start)));
    let refused = |reason: String, help: &str| moving.refused(reason, help);
    let edits = with_imports(views, changes.imports, changes.edits, &refused)?;
    let start = (edits.get(&to)).and_then(|it| it.new_start(&carried.insertion));
    let overlap = || moving.refused("two places that change overlap", "");
    let start = start.ok_or_else(overlap)?;
    let mut plan = Plan::of_edits(view.index, view.side, edits, &BTreeMap::new())?;
    plan.requalified = requalified;
    plan.carried.push(Carried {
        from: moving.declaration().path.clone(),
        range: moving.range(),
        to,
        start,
        len: carried.insertion.text.len() as u32,
        edits: carried.edits,
        common: 0,
    });
    let name = moving.declaration().name().to_owned();
    Ok(Draft {
        kind: EditKind::Move,
        title: request.title(),
        names: BTreeSet::from([name]),
        n_family: 0,
        locals: Locals::Kept,
        old_name: None,
        left_alone: BTreeMap::new(),
        plan,
        subject: Some(member.subject),
    })
}

/// The text that goes, where it is written.
struct Inserted {
    insertion: TextEdit,
    /// What makes the new text of the old one.
    edits: TextEdits,
}

/// The edits that take the declaration out and write it into the other type.
fn moved(
    moving: &Moving<'_>,
    needs: &Needs,
    inside: Vec<TextEdit>,
) -> Result<(BTreeMap<RepoPath, Vec<TextEdit>>, Inserted), EditError> {
    let declaration = moving.declaration();
    let range = moving.range();
    let old = &declaration.text[range.as_usize()];
    let own = needs
        .edits
        .iter()
        .cloned()
        .chain(inside)
        .map(|edit| TextEdit {
            range: ByteRange {
                start: edit.range.start - range.start,
                end: edit.range.end - range.start,
            },
            ..edit
        });
    let overlap = || moving.refused("two places that change overlap", "");
    let own = TextEdits::new(own.collect()).ok_or_else(overlap)?;
    let new = String::from_utf8_lossy(&own.apply(old.as_bytes())?).into_owned();
    let request = MemberEdit {
        symbol: moving.request.into,
        file: None,
        action: MemberAction::Add { text: &new },
    };
    let (added, _) = Place::new(moving.destination(), &request).add(&new)?;
    let insertion = added.iter().max_by_key(|edit| edit.text.len()).cloned();
    let insertion = insertion.ok_or_else(overlap)?;
    let edits = edits_between(old, &insertion.text);
    let mut out: BTreeMap<RepoPath, Vec<TextEdit>> = BTreeMap::new();
    out.entry(declaration.path.clone())
        .or_default()
        .push(TextEdit {
            range: removed_range(declaration, &request),
            text: String::new(),
            start: StartIs::New,
        });
    (out.entry(moving.destination().path.clone()).or_default()).extend(added);
    Ok((out, Inserted { insertion, edits }))
}
