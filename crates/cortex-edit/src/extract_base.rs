//! `extract-base`: members of a class go to a new base class in a file of its own, which the class derives from.
//!
//! The members are written there as the class has them; a private one becomes protected where the class goes on using it.
//! Owns: which classes and members, and what is written. Must not know: whether code means the same afterwards
//! ([`crate::proof`]).

mod accessibility;
mod code;
mod members;

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::Progress;
use cortex_look::viewpoint::Viewpoint;
use cortex_model::{Accessibility, ByteRange, DeclKind, Modifier, RepoPath, TypeKind};
use cortex_semantics::Compilation;
use cortex_syntax::{Decl, DeclId, text::tokens};
use cortex_wire::{EditKind, EditWarning};

use self::members::moved_members;
use crate::{
    EditError,
    conflicts::Locals,
    draft::Draft,
    edit::Sides,
    identifier::{bare, written},
    implement::{UNDECIDED, base_edit, head_before_directive},
    located::{Declaration, locate},
    member::{insertion, joined},
    new_path::check_new_path,
    new_type::{
        BYTE_ORDER_MARK, Frame, bound_to_file, constraints, made_like, new_file, organize_new_file,
        type_parameters,
    },
    plan::{Carried, GenericTwin, Plan},
    rename::declared,
    text_edit::{StartIs, TextEdit, TextEdits},
};

/// A class gets a base class of some of its members.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExtractBase<'r> {
    /// The class, as any question names it.
    pub symbol: &'r str,
    /// The name of the base class.
    pub name: &'r str,
    /// The names of the members that go (`this` for an indexer).
    pub members: &'r [String],
    /// The path of the new file, or a folder with `/` at its end; beside the class's by default.
    pub to: Option<&'r str>,
}

impl ExtractBase<'_> {
    fn title(&self) -> String {
        format!(
            "extract the base class `{}` from `{}`",
            self.name, self.symbol
        )
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

/// A member that goes.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Moved {
    /// Its declaration.
    id: DeclId,
    /// What goes: the declaration with its documentation and comments.
    range: ByteRange,
    /// What is taken out for that.
    removed: ByteRange,
}

/// What an edit is about.
struct Extracting<'m> {
    request: &'m ExtractBase<'m>,
    class: &'m Declaration,
    /// By position.
    members: Vec<Moved>,
}

impl Extracting<'_> {
    fn decl(&self, member: &Moved) -> &Decl {
        &self.class.facts.decls[member.id as usize]
    }

    /// The member whose text is at an offset of the class's file.
    fn moved_at(&self, offset: u32) -> Option<&Moved> {
        self.members.iter().find(|it| it.range.contains(offset))
    }

    fn refused(&self, reason: impl Into<String>, help: &str) -> EditError {
        self.request.refused(reason, help)
    }

    /// Whether the members have a state of their own: generic types have one each.
    fn has_static_state(&self) -> bool {
        self.members.iter().any(|member| {
            let decl = self.decl(member);
            decl.modifiers.contains(Modifier::Static)
                && matches!(
                    decl.kind,
                    DeclKind::Field | DeclKind::Property | DeclKind::Event
                )
        })
    }
}

/// What a plan comes to: the draft, and what is to be said of it.
pub(crate) struct Extracted {
    pub(crate) draft: Draft,
    pub(crate) warnings: Vec<EditWarning>,
    /// The documentation ids of the members that go.
    pub(crate) doc_ids: BTreeSet<String>,
}

/// Plans a base class.
///
/// # Errors
/// [`EditError::Refused`] for classes and members that it cannot be made of, with places, and for projects that would not
/// compile it; those of the index.
pub(crate) fn plan_extract_base(
    views: &Sides<'_, '_>,
    request: &ExtractBase<'_>,
    progress: &dyn Progress,
) -> Result<Extracted, EditError> {
    let (view, symbols) = views[0];
    let title = request.title();
    let token = written(request.name).map_err(|reason| request.refused(reason, ""))?;
    let located = locate(view, symbols, request.symbol, &|| title.clone())?;
    let class = &located.declarations[0];
    check_class(request, &located.declarations)?;
    let members = moved_members(request, class)?;
    let extracting = Extracting {
        request,
        class,
        members,
    };
    for (_, symbols) in views {
        let key = located.symbols[0].key();
        symbols.read(|c| Ok(check_types(c, &extracting, key, &bare(&token))))??;
    }
    let needs = code::needs(views, &extracting, located.symbols[0].key())?;
    let path = new_file(class, &bare(&token), request.to);
    let root = view.index.repo.work_dir().ok_or(EditError::NoWorkTree)?;
    check_new_path(root, &path, &|_| false)?;
    let base = Base::new(&extracting, (&path, &token), &needs.edits)?;
    let mut plan = base.plan(view, &extracting)?;
    let refused = |reason: String, help: &str| request.refused(reason, help);
    let places = (&class.path, &path);
    let edits = organize_new_file(views, &mut plan, places, &refused, progress)?;
    let shifted = |at: u32| edits.new_position(at);
    let lost = || request.refused("its code changes with the using directives", "");
    for carried in base.carried {
        let start = shifted(carried.start).ok_or_else(lost)?;
        plan.carried.push(Carried { start, ..carried });
    }
    plan.generic_twin = Some(GenericTwin {
        path: path.clone(),
        name: shifted(base.name).ok_or_else(lost)?,
        of_path: class.path.clone(),
        of_name: class.decl().name_range.start,
        parameters: base.parameters,
    });
    plan.requalified = needs.requalified;
    let mut names = BTreeSet::from([bare(&token)]);
    let moved = extracting.members.iter().map(|it| extracting.decl(it));
    names.extend(moved.map(|it| class.facts.name(it.name).to_owned()));
    let draft = Draft {
        kind: EditKind::ExtractBase,
        title,
        subject: Some(located.subject.clone()),
        n_family: 0,
        names,
        locals: Locals::Kept,
        old_name: None,
        left_alone: BTreeMap::new(),
        plan,
    };
    Ok(Extracted {
        draft,
        warnings: needs.warnings,
        doc_ids: needs.doc_ids,
    })
}

/// Refuses what can have no new base class, or not so.
fn check_class(request: &ExtractBase<'_>, declarations: &[Declaration]) -> Result<(), EditError> {
    let class = &declarations[0];
    let decl = class.decl();
    let has = |modifier| decl.modifiers.contains(modifier);
    let refused = |reason: &str, help: &str| Err(request.refused(reason, help));
    match decl.kind.type_kind() {
        Some(TypeKind::Class) => {}
        Some(TypeKind::Record) => {
            let help = "a record derives from records alone: write its base by hand";
            return refused("it is a record", help);
        }
        _ => return refused("it is no class", "name a class"),
    }
    if class
        .parent()
        .is_some_and(|it| it.kind.type_kind().is_some())
    {
        let help = "move it out of the type around it first";
        return refused("it is a type inside of another one", help);
    }
    if has(Modifier::Static) {
        return refused("a static class has no base class", "name another class");
    }
    if has(Modifier::Partial) || declarations.len() > 1 {
        let help = "join its parts first; a generated part may use what goes";
        return refused("it is partial", help);
    }
    if let Some((reason, help)) = bound_to_file(class) {
        return refused(reason, help);
    }
    Ok(())
}

/// Refuses classes that have a base class, and names that something else has.
fn check_types(
    c: &Compilation<'_>,
    extracting: &Extracting<'_>,
    key: cortex_model::TypeKey,
    name: &str,
) -> Result<(), EditError> {
    let ty = declared::type_id(c, key)?;
    let header = c.header(ty);
    let object = c.special(cortex_semantics::Special::Object);
    if header.base.is_some_and(|it| it != object)
        || header.interfaces.len() < extracting.class.decl().bases.len()
    {
        let help = "a class has one base class: move the members into that one by hand";
        return Err(extracting.refused("it has a base class already", help));
    }
    let def = c.def(ty);
    let all = [
        c.source_types_named(c.name(name)),
        c.external_types_named(def.namespace, c.name(name)),
    ];
    let is_there = all
        .iter()
        .flat_map(|it| it.iter())
        .any(|&it| c.def(it).namespace == def.namespace && c.def(it).outer.is_none());
    let facts = &extracting.class.facts;
    let mut parameters = extracting.class.decl().type_params.iter();
    if is_there || parameters.any(|it| facts.name(it.name) == name) {
        let reason = format!("`{name}` is another type there");
        return Err(extracting.refused(reason, "give the base class another name"));
    }
    Ok(())
}

/// The base class as it is written.
struct Base {
    /// Its file.
    path: RepoPath,
    /// How the class names it.
    written: String,
    /// The text of its file, with all using directives of the class's.
    text: String,
    /// Where its name is in there.
    name: u32,
    /// Which type parameter of the class each one of its own is.
    parameters: Vec<u16>,
    /// Where the members are in there.
    carried: Vec<Carried>,
}

impl Base {
    fn new(
        extracting: &Extracting<'_>,
        (path, token): (&RepoPath, &str),
        edits: &BTreeSet<TextEdit>,
    ) -> Result<Self, EditError> {
        let class = extracting.class;
        let own: Vec<&str> = (class.decl().type_params.iter())
            .map(|it| class.facts.name(it.name))
            .collect();
        let texts = (extracting.members.iter()).map(|it| &class.text[it.range.as_usize()]);
        let parameters: Vec<String> = match extracting.has_static_state() {
            true => own.iter().map(|&it| it.to_owned()).collect(),
            false => type_parameters(class, texts),
        };
        let written = match parameters.as_slice() {
            [] => token.to_owned(),
            all => format!("{token}<{}>", all.join(", ")),
        };
        let mut head = String::new();
        let is_abstract = |it: &Moved| extracting.decl(it).modifiers.contains(Modifier::Abstract);
        if extracting.members.iter().any(is_abstract) {
            head.push_str("abstract ");
        }
        if class.decl().modifiers.contains(Modifier::Unsafe) {
            head.push_str("unsafe ");
        }
        let class_word = head.len() + "class ".len();
        head.push_str(&format!(
            "class {written}{}",
            constraints(class, &parameters)
        ));
        let frame = Frame::new(class, &head);
        let mark = match class.text.starts_with(BYTE_ORDER_MARK) {
            true => BYTE_ORDER_MARK,
            false => "",
        };
        let start = mark.len() + frame.opening.rfind(&head).unwrap_or_default();
        let mut base = Self {
            path: path.clone(),
            written,
            name: (start + class_word) as u32,
            parameters: (parameters.iter())
                .filter_map(|it| own.iter().position(|own| own == it).map(|at| at as u16))
                .collect(),
            text: format!("{mark}{}", frame.opening),
            carried: Vec::new(),
        };
        let mut common = 0;
        for (number, member) in extracting.members.iter().enumerate() {
            if number > 0 && wants_blank(extracting, number) {
                base.text.push_str(frame.line_end);
            }
            base.text.push_str(&frame.inner);
            let carried = base.add(extracting, member, (edits, common))?;
            common += carried.len;
            base.carried.push(carried);
            base.text.push_str(frame.line_end);
        }
        base.text.push_str(&frame.closing);
        Ok(base)
    }

    /// Writes a member.
    fn add(
        &mut self,
        extracting: &Extracting<'_>,
        member: &Moved,
        (edits, common): (&BTreeSet<TextEdit>, u32),
    ) -> Result<Carried, EditError> {
        let range = member.range;
        let own = edits.iter().filter(|it| range.contains(it.range.start));
        let own = own.map(|edit| TextEdit {
            range: ByteRange {
                start: edit.range.start - range.start,
                end: edit.range.end - range.start,
            },
            ..edit.clone()
        });
        let overlap = || extracting.refused("two places that change overlap", "");
        let own = TextEdits::new(own.collect()).ok_or_else(overlap)?;
        let old = &extracting.class.text[range.as_usize()];
        let new = own.apply(old.as_bytes())?;
        let start = self.text.len() as u32;
        self.text.push_str(&String::from_utf8_lossy(&new));
        Ok(Carried {
            from: extracting.class.path.clone(),
            to: self.path.clone(),
            range,
            start,
            edits: own,
            len: new.len() as u32,
            common,
        })
    }

    /// The files, before using directives that the new one does not need go.
    fn plan(&self, view: &Viewpoint<'_>, extracting: &Extracting<'_>) -> Result<Plan, EditError> {
        let class = extracting.class;
        let removed = extracting.members.iter().map(|it| TextEdit {
            range: it.removed,
            text: String::new(),
            start: StartIs::New,
        });
        let mut edits = joined(removed.collect());
        let base = first_base(class, &self.written);
        edits.push(base.map_err(|reason| extracting.refused(reason, ""))?);
        let overlap = || extracting.refused("two places that change overlap", "");
        let edits = TextEdits::new(edits).ok_or_else(overlap)?;
        let edits = BTreeMap::from([(class.path.clone(), edits)]);
        let mut plan = Plan::of_edits(view.index, view.side, edits, &BTreeMap::new())?;
        let made = made_like(view, &plan.files[&class.path], &self.path, &self.text)?;
        plan.files.insert(self.path.clone(), made);
        Ok(plan)
    }
}

/// Whether a blank line stands before a member: as in the class where it follows on the same one there.
fn wants_blank(extracting: &Extracting<'_>, number: usize) -> bool {
    let [before, member] = [number - 1, number].map(|it| &extracting.members[it]);
    let text = &extracting.class.text;
    let between = &text[before.range.end as usize..member.range.start as usize];
    !between.trim().is_empty() || between.matches('\n').count() > 1
}

/// What writes a class before all other bases of a type.
fn first_base(at: &Declaration, base: &str) -> Result<TextEdit, &'static str> {
    let decl = at.decl();
    if decl.bases.is_empty() {
        return base_edit(at, base);
    }
    if head_before_directive(at).is_some_and(|(_, before)| !before.contains(':')) {
        return Err(UNDECIDED);
    }
    let start = decl.name_range.end as usize;
    let all = tokens(at.text[start..decl.range.end as usize].as_bytes());
    let word = |it: &ByteRange| &at.text[start + it.start as usize..start + it.end as usize];
    let mut depth = 0_usize;
    let mut all = all.iter().map(|it| it.range).skip_while(|it| {
        match word(it) {
            "(" | "[" | "<" => depth += 1,
            ")" | "]" | ">" => depth = depth.saturating_sub(1),
            ":" if depth == 0 => return false,
            _ => {}
        }
        true
    });
    let first = all.nth(1).map_or(start, |it| start + it.start as usize);
    Ok(insertion(first, format!("{base}, ")))
}

/// The accessibility of a class that is not inside of another type.
fn accessibility_of(class: &Declaration) -> Accessibility {
    class
        .decl()
        .accessibility
        .unwrap_or(Accessibility::Internal)
}
