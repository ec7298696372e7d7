//! What the code of a member needs in another type: names that were found around it are qualified, namespaces imported;
//! what the other type cannot see is refused.

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::Symbols;
use cortex_look::viewpoint::Viewpoint;
use cortex_model::{Accessibility, DeclKind, LineTable};
use cortex_semantics::{
    Compilation, LocalSymbol, MemberFlags, MemberId, MemberOrigin, ProjectId, Target, TypeId,
    UnitKey,
};
use cortex_syntax::Sections;

use super::{Moving, TypeName, with_outer};
use crate::{
    EditError,
    member::insertion,
    rename::{declared, local},
    text_edit::TextEdit,
    usings::is_qualified,
};

/// So many places are named where something is refused.
const MAX_LISTED: usize = 5;

/// What the code needs.
#[derive(Default)]
pub(super) struct Needs {
    /// Edits of the code, at positions of its file.
    pub(super) edits: BTreeSet<TextEdit>,
    /// Namespaces to import.
    pub(super) imports: BTreeSet<String>,
}

/// Reads what the code of a member names, in every project and for every target framework.
///
/// # Errors
/// [`EditError::Refused`] with places for what the other type cannot see, and for aliases; those of the index.
pub(super) fn needs(
    views: &[(&Viewpoint<'_>, &Symbols)],
    moving: &Moving<'_>,
) -> Result<Needs, EditError> {
    let mut found = Found::default();
    let path = &moving.declaration().path;
    for (view, symbols) in views {
        for project in symbols.projects_of(path)? {
            let Some(facts) = symbols.facts(path, project, Sections::Bodies)? else {
                continue;
            };
            let unit = UnitKey {
                path: path.clone(),
                project: ProjectId::new(project),
            };
            symbols.read(|compilation| {
                let mut add = || -> Result<(), EditError> {
                    let code = Code::new(compilation, moving)?;
                    let bound = compilation.bind_unit(&unit, &facts);
                    for (_, findings) in &bound.decls {
                        for named in &findings.refs {
                            code.add(named.offset, named.target, &mut found);
                        }
                        for used in &findings.uses {
                            code.add_use(used.offset, used.target, &mut found);
                        }
                    }
                    if moving.destination().path != *path {
                        let mut reader = view.blobs();
                        let locals =
                            local::bindings(symbols, compilation, &unit, &mut *reader, view)?;
                        let aliases = locals.uses.iter().filter(|it| {
                            matches!(it.symbol, LocalSymbol::Alias(..))
                                && moving.range().contains(it.range.start)
                        });
                        let token = |it: &cortex_semantics::LocalUse| {
                            moving.declaration().text[it.range.as_usize()].to_owned()
                        };
                        found
                            .aliases
                            .extend(aliases.map(|it| (it.range.start, token(it))));
                    }
                    Ok(())
                };
                Ok(add())
            })??;
        }
    }
    found.check(moving)?;
    Ok(found.needs)
}

#[derive(Default)]
struct Found {
    needs: Needs,
    /// What the other type cannot see: where, and its name.
    hidden: BTreeMap<u32, String>,
    aliases: BTreeMap<u32, String>,
    /// What an initializer runs.
    run: BTreeMap<u32, String>,
}

impl Found {
    fn check(&self, moving: &Moving<'_>) -> Result<(), EditError> {
        let declaration = moving.declaration();
        let lines = LineTable::new(declaration.text.as_bytes());
        let places = |all: &BTreeMap<u32, String>| {
            let shown = all.iter().take(MAX_LISTED).map(|(&at, name)| {
                let line = lines.position(at).line;
                format!("`{name}` at {}:{line}", declaration.path)
            });
            shown.collect::<Vec<_>>().join(", ")
        };
        if !self.hidden.is_empty() {
            let reason = format!("it uses what `{}` cannot see", moving.target_name.path);
            let help = format!("make visible or move first: {}", places(&self.hidden));
            return Err(moving.refused(reason, &help));
        }
        if !self.aliases.is_empty() {
            let help = format!("write out first: {}", places(&self.aliases));
            return Err(moving.refused("it uses aliases of its file", &help));
        }
        let decl = declaration.decl();
        let has_value = match decl.kind {
            DeclKind::Field => decl.body_range.start < decl.body_range.end || decl.value.is_some(),
            DeclKind::Property => decl.value.is_some(),
            _ => false,
        };
        if has_value && !self.run.is_empty() {
            let reason = "its initializer runs code, and would run at another time";
            let help = format!("make a method of it first: {}", places(&self.run));
            return Err(moving.refused(reason, &help));
        }
        Ok(())
    }
}

/// The code of the member, as a compilation knows it.
struct Code<'c, 'w> {
    compilation: &'c Compilation<'w>,
    moving: &'c Moving<'c>,
    /// The type that gets it, with those around it.
    target: Vec<TypeId>,
}

impl<'c, 'w> Code<'c, 'w> {
    fn new(compilation: &'c Compilation<'w>, moving: &'c Moving<'c>) -> Result<Self, EditError> {
        let target = declared::type_id(compilation, moving.target.symbols[0].key())?;
        Ok(Self {
            compilation,
            moving,
            target: with_outer(compilation, target),
        })
    }

    /// Whether the other type sees the members of a type by their simple names.
    fn is_around(&self, owner: TypeId) -> bool {
        let c = self.compilation;
        self.target.iter().any(|&ty| {
            let mut bases = c.self_and_bases(c.instance_type(ty));
            bases.any(|it| c.def_of(it) == Some(owner))
        })
    }

    /// Whether the other type cannot see what is declared in a type with an accessibility.
    fn is_hidden(&self, owner: TypeId, accessibility: Accessibility) -> bool {
        match accessibility {
            Accessibility::Private => !self.target.contains(&owner),
            Accessibility::Protected | Accessibility::PrivateProtected => !self.is_around(owner),
            _ => false,
        }
    }

    /// Whether a member is the one that moves.
    fn is_moved(&self, member: MemberId) -> bool {
        let declaration = self.moving.declaration();
        match self.compilation.member(member).origin {
            MemberOrigin::Source(unit, decl) => {
                let path = &self.compilation.unit(unit).key.path;
                decl == declaration.id && *path == declaration.path
            }
            MemberOrigin::External => false,
        }
    }

    fn check_visible(&self, offset: u32, target: Target, found: &mut Found) {
        let c = self.compilation;
        let (hidden, name) = match target {
            Target::Member(id) if self.is_moved(id) => return,
            Target::Member(id) => {
                let member = c.member(id);
                let is_hidden = self.is_hidden(member.owner, member.accessibility);
                (is_hidden, c.display_member(id))
            }
            Target::Type(id) => {
                let def = c.def(id);
                let is_hidden = def
                    .outer
                    .is_some_and(|outer| self.is_hidden(outer, def.accessibility));
                (is_hidden, c.display_type(c.instance_type(id)))
            }
        };
        if hidden {
            found.hidden.insert(offset, name);
        }
    }

    /// Adds what a name needs.
    fn add(&self, offset: u32, target: Target, found: &mut Found) {
        if !self.moving.range().contains(offset) {
            return;
        }
        let c = self.compilation;
        self.check_visible(offset, target, found);
        let is_simple = !is_qualified(&self.moving.declaration().text, offset);
        match target {
            Target::Member(id) => {
                let member = c.member(id);
                let is_extension =
                    member.is(MemberFlags::EXTENSION) || member.is(MemberFlags::EXTENSION_BLOCK);
                if !matches!(
                    member.kind,
                    DeclKind::Constant | DeclKind::EnumMember | DeclKind::Constructor
                ) && !self.is_moved(id)
                {
                    found.run.insert(offset, c.display_member(id));
                }
                let is_reduced = is_extension && !is_simple;
                if member.kind == DeclKind::Constructor || is_reduced {
                    self.import(member.owner, found);
                } else if is_simple && self.is_static(id) && !self.is_moved(id) {
                    self.qualify(offset, member.owner, found);
                }
            }
            Target::Type(id) if is_simple => match c.def(id).outer {
                Some(outer) => self.qualify(offset, outer, found),
                None => self.import(id, found),
            },
            Target::Type(_) => {}
        }
    }

    fn is_static(&self, id: MemberId) -> bool {
        let member = self.compilation.member(id);
        member.is(MemberFlags::STATIC) || member.kind == DeclKind::Constant
    }

    /// Adds what a use needs that names nothing.
    fn add_use(&self, offset: u32, member: MemberId, found: &mut Found) {
        if !self.moving.range().contains(offset) {
            return;
        }
        self.check_visible(offset, Target::Member(member), found);
        let declared = self.compilation.member(member);
        if declared.is(MemberFlags::EXTENSION) || declared.is(MemberFlags::EXTENSION_BLOCK) {
            self.import(declared.owner, found);
        }
        if declared.kind != DeclKind::Constructor {
            found
                .run
                .insert(offset, self.compilation.display_member(member));
        }
    }

    fn import(&self, ty: TypeId, found: &mut Found) {
        let c = self.compilation;
        let namespace = c.text(c.def(ty).namespace);
        let is_seen = self.moving.target_name.namespace == namespace
            || (self.moving.target_name.namespace).starts_with(&format!("{namespace}."));
        if !is_seen {
            found.needs.imports.insert(namespace.to_owned());
        }
    }

    /// Writes the type before a name that is found in it.
    fn qualify(&self, offset: u32, owner: TypeId, found: &mut Found) {
        if self.is_around(owner) {
            return;
        }
        let name = TypeName::of(self.compilation, owner);
        let is_seen = name.namespace == self.moving.target_name.namespace;
        let written = match is_seen {
            true => name.path,
            false => name.full(),
        };
        let edit = insertion(offset as usize, format!("{written}."));
        found.needs.edits.insert(edit);
    }
}
