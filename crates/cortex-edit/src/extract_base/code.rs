//! What the members that go use of their class, and what the class goes on using of them.

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::Symbols;
use cortex_look::viewpoint::Viewpoint;
use cortex_model::{Accessibility, DeclKind, LineTable, Modifier, RepoPath, TypeKey};
use cortex_semantics::{
    LocalSymbol, MemberFlags, MemberId, MemberOrigin, ProjectId, Special, Target, TypeId, UnitKey,
};
use cortex_syntax::{AccessorKind, BodyId, BodyKind, Op, Sections, text::decode};
use cortex_wire::{EditWarning, WarningReason};

use super::{
    Extracting, Moved,
    accessibility::{is_private, widened, widened_accessor},
};
use crate::{
    EditError,
    body_tree::BodyTree,
    evaluation::{Bound, write_of},
    rename::declared,
    text_edit::TextEdit,
};

/// So many places are named where something is refused.
const MAX_LISTED: usize = 5;

/// What is to be written besides the members as they are.
#[derive(Default)]
pub(super) struct Needs {
    /// Edits of the members, at positions of the class's file.
    pub(super) edits: BTreeSet<TextEdit>,
    /// Where the object is named whose type is another one then.
    pub(super) requalified: BTreeSet<(RepoPath, u32)>,
    pub(super) warnings: Vec<EditWarning>,
    /// The documentation ids of the members.
    pub(super) doc_ids: BTreeSet<String>,
}

/// Reads the class's file in every project and for every target framework.
///
/// # Errors
/// [`EditError::Refused`] with places; those of the index.
pub(super) fn needs(
    views: &[(&Viewpoint<'_>, &Symbols)],
    extracting: &Extracting<'_>,
    key: TypeKey,
) -> Result<Needs, EditError> {
    let path = &extracting.class.path;
    let mut found = Found::default();
    for (view, symbols) in views {
        let Some(file) = view.snapshot().file(path)? else {
            continue;
        };
        let bytes = view.blobs().read_blob(file.blob)?;
        let source = decode(&bytes);
        for project in symbols.projects_of(path)? {
            let Some(facts) = symbols.facts(path, project, Sections::Bodies)? else {
                continue;
            };
            let identifiers = symbols.identifiers(&bytes, project);
            let unit = UnitKey {
                path: path.clone(),
                project: ProjectId::new(project),
            };
            symbols.read(|c| {
                let mut read = || -> Result<(), EditError> {
                    let bound = Bound::new(
                        c,
                        BodyTree::new(&facts, source.as_str()),
                        c.bind_expressions(&unit, &facts),
                        c.local_bindings(&unit, &facts, &identifiers),
                    );
                    let code = Code {
                        extracting,
                        bound: &bound,
                        class: declared::type_id(c, key)?,
                    };
                    code.read(&mut found)
                };
                Ok(read())
            })??;
        }
    }
    found.check(extracting)?;
    Ok(found.needs)
}

#[derive(Default)]
struct Found {
    needs: Needs,
    /// Members that stay and are used by those that go: where, and their names.
    staying: BTreeMap<u32, String>,
    /// What an initializer runs.
    run: BTreeMap<u32, String>,
}

impl Found {
    fn check(&mut self, extracting: &Extracting<'_>) -> Result<(), EditError> {
        let class = extracting.class;
        let lines = LineTable::new(class.text.as_bytes());
        if !self.staying.is_empty() {
            let shown = self.staying.iter().take(MAX_LISTED).map(|(&at, name)| {
                format!("`{name}` at {}:{}", class.path, lines.position(at).line)
            });
            let shown: Vec<String> = shown.collect();
            let help = format!(
                "name these as well, or leave their users: {}",
                shown.join(", ")
            );
            let reason = "a member that goes uses members that stay";
            return Err(extracting.refused(reason, &help));
        }
        for (&at, name) in &self.run {
            let moved = extracting.moved_at(at).map(|it| extracting.decl(it));
            if moved.is_some_and(|it| it.modifiers.contains(Modifier::Static)) {
                let place = format!("{}:{}", class.path, lines.position(at).line);
                let reason = format!("{place}: a static initializer runs `{name}`");
                let help = "it would run at another time: leave that member";
                return Err(extracting.refused(reason, help));
            }
            self.needs.warnings.push(EditWarning {
                file: class.path.clone(),
                line: lines.position(at).line,
                name: name.clone(),
                reason: WarningReason::OtherOrder,
            });
        }
        Ok(())
    }
}

/// The class's file inside of a project.
struct Code<'c, 'a, 'w> {
    extracting: &'c Extracting<'c>,
    bound: &'c Bound<'a, 'w>,
    class: TypeId,
}

impl Code<'_, '_, '_> {
    fn read(&self, found: &mut Found) -> Result<(), EditError> {
        let c = self.bound.compilation;
        for (_, findings) in &self.bound.expressions.unit.decls {
            for named in &findings.refs {
                match self.extracting.moved_at(named.offset) {
                    Some(_) => self.add_inside(named.offset, named.target, found),
                    None => self.add_outside(named.offset, named.target, found)?,
                }
            }
            for used in &findings.uses {
                let target = Target::Member(used.target);
                match self.extracting.moved_at(used.offset) {
                    Some(_) => self.add_inside(used.offset, target, found),
                    None => self.add_outside(used.offset, target, found)?,
                }
            }
        }
        for used in &self.bound.locals.uses {
            let LocalSymbol::Parameter(member, _) = used.symbol else {
                continue;
            };
            let is_of_class = c.member(member).kind == DeclKind::Constructor
                && c.member(member).owner == self.class;
            if is_of_class && self.extracting.moved_at(used.range.start).is_some() {
                let reason = "it uses a parameter of the primary constructor";
                return Err(self.refused_at(used.range.start, reason, "leave that member"));
            }
        }
        self.add_objects(found)?;
        let all = c.members(self.class).all.iter();
        let moved = all.filter(|&&it| self.moved(it).is_some());
        (found.needs.doc_ids).extend(moved.map(|&it| c.member_doc_id(it)));
        Ok(())
    }

    fn refused_at(&self, offset: u32, reason: &str, help: &str) -> EditError {
        let class = self.extracting.class;
        let line = LineTable::new(class.text.as_bytes()).position(offset).line;
        let reason = format!("{}:{line}: {reason}", class.path);
        self.extracting.refused(reason, help)
    }

    /// The member that goes which a symbol is.
    fn moved(&self, member: MemberId) -> Option<&Moved> {
        let c = self.bound.compilation;
        let MemberOrigin::Source(unit, decl) = c.member(member).origin else {
            return None;
        };
        let unit = c.unit(unit);
        if unit.key.path != self.extracting.class.path {
            return None;
        }
        let name = unit.facts(c).decls[decl as usize].name_range;
        let mut all = self.extracting.members.iter();
        all.find(|it| self.extracting.decl(it).name_range == name)
    }

    /// Adds what a member that goes uses.
    fn add_inside(&self, offset: u32, target: Target, found: &mut Found) {
        let c = self.bound.compilation;
        match target {
            Target::Member(id) => {
                let member = c.member(id);
                if member.owner == self.class && self.moved(id).is_none() {
                    let is_made = member.kind == DeclKind::Constructor
                        && matches!(
                            member.accessibility,
                            Accessibility::Public | Accessibility::Internal
                        );
                    if !is_made {
                        found.staying.insert(offset, c.display_member(id));
                    }
                }
                let is_quiet = match member.kind {
                    DeclKind::Constant | DeclKind::EnumMember => true,
                    DeclKind::Constructor => member.origin == MemberOrigin::External,
                    _ => false,
                };
                if !is_quiet && self.is_in_initializer(offset) {
                    found.run.insert(offset, c.display_member(id));
                }
            }
            Target::Type(id) => {
                let mut around = std::iter::successors(c.def(id).outer, |&it| c.def(it).outer);
                if around.any(|it| it == self.class) {
                    let name = c.display_type(c.instance_type(id));
                    found.staying.insert(offset, name);
                }
            }
        }
    }

    /// Whether an offset is in the initializer of a field or property that goes.
    fn is_in_initializer(&self, offset: u32) -> bool {
        let Some(moved) = self.extracting.moved_at(offset) else {
            return false;
        };
        let decl = self.extracting.decl(moved);
        match decl.kind {
            DeclKind::Field | DeclKind::Event => offset > decl.name_range.end,
            DeclKind::Property => decl.value.is_some() && offset >= decl.body_range.end,
            _ => false,
        }
    }

    /// Adds what other code needs of a member that goes.
    fn add_outside(&self, offset: u32, target: Target, found: &mut Found) -> Result<(), EditError> {
        let Target::Member(id) = target else {
            return Ok(());
        };
        let Some(moved) = self.moved(id) else {
            return Ok(());
        };
        let decl = self.extracting.decl(moved);
        if self.is_in_contract(offset) {
            let reason =
                "an attribute that stays tells the compiler of it, which only its own class may";
            return Err(self.refused_at(
                offset,
                reason,
                "name the member with the attribute as well",
            ));
        }
        let edits = &mut found.needs.edits;
        if is_private(decl) {
            let c = self.bound.compilation;
            edits.insert(widened(c, self.extracting, (moved, id)));
        }
        let how = self.used(offset);
        if how.is_read {
            edits.extend(widened_accessor(self.extracting, moved, AccessorKind::Get));
        }
        if how.is_written {
            let setters = [AccessorKind::Set, AccessorKind::Init];
            let own = setters.map(|it| widened_accessor(self.extracting, moved, it));
            edits.extend(own.into_iter().flatten());
        }
        let has_setter = (decl.accessors.iter())
            .any(|it| matches!(it.kind, AccessorKind::Set | AccessorKind::Init));
        let is_fixed = match decl.kind {
            DeclKind::Field => decl.modifiers.contains(Modifier::Readonly),
            DeclKind::Property => !has_setter,
            _ => false,
        };
        if is_fixed && how.is_written {
            let reason = "a constructor that stays assigns it, which only its own class may";
            let help = "give the member a setter, or leave it";
            return Err(self.refused_at(offset, reason, help));
        }
        if decl.kind == DeclKind::Event && decl.accessors.is_empty() && !how.is_added {
            let reason = "it raises or reads the event, which only its own class may";
            return Err(self.refused_at(
                offset,
                reason,
                "name that code as well, or leave the event",
            ));
        }
        Ok(())
    }

    /// Whether a name stands in `[MemberNotNull(…)]`.
    fn is_in_contract(&self, offset: u32) -> bool {
        let tree = &self.bound.tree;
        let mut around = tree
            .name_at(offset)
            .into_iter()
            .flat_map(|it| tree.ancestors(it));
        around.any(|it| {
            tree.kind(it) == BodyKind::Attribute && tree.text_of(it).contains("MemberNotNull")
        })
    }

    /// How code uses a member.
    fn used(&self, offset: u32) -> Used {
        let tree = &self.bound.tree;
        let Some(name) = tree.name_at(offset) else {
            // Documentation and what is not named: it may be anything.
            let is_named = self.bound.target(offset).is_some();
            return Used {
                is_read: !is_named,
                is_written: false,
                is_added: is_named,
            };
        };
        let whole = match tree.parent(name) {
            Some(parent)
                if tree.kind(parent) == BodyKind::MemberAccess
                    && tree.index_in_parent(name) > 0 =>
            {
                parent
            }
            _ => name,
        };
        let parent = tree.parent(whole);
        let is_first = tree.index_in_parent(whole) == 0;
        let is_kind = |kind| parent.is_some_and(|it| tree.kind(it) == kind) && is_first;
        let op = match is_kind(BodyKind::Assignment) {
            true => parent.and_then(|it| Op::ALL.get(usize::from(tree.node(it).flags))),
            false => None,
        };
        let is_written = is_kind(BodyKind::MemberInit)
            || write_of(tree, whole).is_some() && self.bound.writes(whole)
            || self.bound.writes(whole);
        Used {
            is_read: op != Some(&Op::Assign) && !is_kind(BodyKind::MemberInit),
            is_written,
            is_added: matches!(op, Some(Op::Add | Op::Subtract)),
        }
    }

    /// Adds where members that go name their object: its type is the base class then.
    fn add_objects(&self, found: &mut Found) -> Result<(), EditError> {
        let tree = &self.bound.tree;
        let path = &self.extracting.class.path;
        for id in 0..tree.facts.bodies.nodes().len() as BodyId {
            let offset = tree.span(id).start;
            if tree.kind(id) != BodyKind::This || self.extracting.moved_at(offset).is_none() {
                continue;
            }
            if !self.takes_any_object(id) {
                let reason = "it passes `this`, which would be of the base class";
                return Err(self.refused_at(offset, reason, "leave that member"));
            }
            found.needs.requalified.insert((path.clone(), offset));
        }
        Ok(())
    }

    /// Whether the code around `this` does the same with an object of the base class.
    fn takes_any_object(&self, id: BodyId) -> bool {
        let tree = &self.bound.tree;
        let c = self.bound.compilation;
        let Some(parent) = tree.parent(id) else {
            return false;
        };
        match tree.kind(parent) {
            BodyKind::MemberAccess => {
                let name = tree.children(parent).last().copied();
                let target = name.and_then(|it| self.bound.target(tree.node(it).offset));
                let Some(Target::Member(member)) = target else {
                    return false;
                };
                let member = c.member(member);
                !member.is(MemberFlags::EXTENSION) && !member.is(MemberFlags::EXTENSION_BLOCK)
            }
            BodyKind::Lock => true,
            BodyKind::Argument => {
                let known = self.bound.expressions.type_of(id);
                known.and_then(|it| it.converted) == Some(c.special(Special::Object))
            }
            _ => false,
        }
    }
}

/// How code uses a member.
struct Used {
    is_read: bool,
    is_written: bool,
    /// Whether a handler is added or removed.
    is_added: bool,
}
