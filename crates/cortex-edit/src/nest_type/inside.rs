//! The code of a type that moves: what was found in the types around it is qualified, and what its new place does not see
//! is imported or refused.

use std::collections::BTreeMap;

use cortex_index::Symbols;
use cortex_look::viewpoint::Viewpoint;
use cortex_model::{Accessibility, DeclKind, LineTable};
use cortex_semantics::{Compilation, LocalSymbol, MemberFlags, ProjectId, Target, TypeId, UnitKey};
use cortex_syntax::Sections;

use super::{Changes, Nesting, outer_types};
use crate::{
    EditError,
    member::insertion,
    move_member::{Naming, TypeName},
    rename::{declared, local},
    usings::is_qualified,
};

/// So many places are named where something is refused.
const MAX_LISTED: usize = 5;

/// Adds what the code of the type needs.
///
/// # Errors
/// [`EditError::Refused`] with places for what the new place does not see, and for aliases; those of the index.
pub(super) fn add(
    views: &[(&Viewpoint<'_>, &Symbols)],
    nesting: &Nesting<'_>,
    changes: &mut Changes,
) -> Result<(), EditError> {
    let path = &nesting.declaration().path;
    let mut found = Found::default();
    for (view, symbols) in views {
        for project in symbols.projects_of(path)? {
            let Some(facts) = symbols.facts(path, project, Sections::Bodies)? else {
                continue;
            };
            let unit = UnitKey {
                path: path.clone(),
                project: ProjectId::new(project),
            };
            symbols.read(|c| {
                let mut read = || -> Result<(), EditError> {
                    let code = Code::new(c, nesting)?;
                    let bound = c.bind_unit(&unit, &facts);
                    for (_, findings) in &bound.decls {
                        for named in &findings.refs {
                            code.add(named.offset, named.target, (changes, &mut found));
                        }
                        for used in &findings.uses {
                            let target = Target::Member(used.target);
                            code.add_use(used.offset, target, (changes, &mut found));
                        }
                    }
                    if code.is_elsewhere {
                        let mut reader = view.blobs();
                        let locals = local::bindings(symbols, c, &unit, &mut *reader, view)?;
                        let aliases = locals.uses.iter().filter(|it| {
                            matches!(it.symbol, LocalSymbol::Alias(..))
                                && nesting.range().contains(it.range.start)
                        });
                        let text = &nesting.declaration().text;
                        let named = aliases
                            .map(|it| (it.range.start, text[it.range.as_usize()].to_owned()));
                        found.aliases.extend(named);
                    }
                    Ok(())
                };
                Ok(read())
            })??;
        }
    }
    found.check(nesting)
}

#[derive(Default)]
struct Found {
    hidden: BTreeMap<u32, String>,
    aliases: BTreeMap<u32, String>,
}

impl Found {
    fn check(&self, nesting: &Nesting<'_>) -> Result<(), EditError> {
        let declaration = nesting.declaration();
        let lines = LineTable::new(declaration.text.as_bytes());
        let places = |all: &BTreeMap<u32, String>| {
            let shown = all.iter().take(MAX_LISTED).map(|(&at, name)| {
                format!(
                    "`{name}` at {}:{}",
                    declaration.path,
                    lines.position(at).line
                )
            });
            shown.collect::<Vec<_>>().join(", ")
        };
        if !self.hidden.is_empty() {
            let help = format!("make visible first: {}", places(&self.hidden));
            let reason = "it uses what only code inside of the type around it sees";
            return Err(nesting.refused(reason, &help));
        }
        if !self.aliases.is_empty() {
            let help = format!("write out first: {}", places(&self.aliases));
            return Err(nesting.refused("it uses aliases of its file", &help));
        }
        Ok(())
    }
}

/// The code of the type, as a compilation knows it.
struct Code<'c, 'w> {
    c: &'c Compilation<'w>,
    nesting: &'c Nesting<'c>,
    ty: TypeId,
    /// The types around it that are no longer.
    lost: Vec<TypeId>,
    /// Those that are around it then.
    around: Vec<TypeId>,
    /// Whether it goes to another file.
    is_elsewhere: bool,
}

impl<'c, 'w> Code<'c, 'w> {
    fn new(c: &'c Compilation<'w>, nesting: &'c Nesting<'c>) -> Result<Self, EditError> {
        let ty = declared::type_id(c, nesting.located.symbols[0].key())?;
        let around = match nesting.target {
            Some(target) => {
                let target = declared::type_id(c, target.symbols[0].key())?;
                std::iter::once(target)
                    .chain(outer_types(c, target))
                    .collect()
            }
            None => Vec::new(),
        };
        Ok(Self {
            c,
            nesting,
            ty,
            lost: outer_types(c, ty),
            around,
            is_elsewhere: nesting.destination().path != nesting.declaration().path,
        })
    }

    /// Whether a type is the one that moves, or inside of it.
    fn is_own(&self, ty: TypeId) -> bool {
        ty == self.ty || outer_types(self.c, ty).contains(&self.ty)
    }

    /// Whether one of some types is another type or derives from it.
    fn inherits(&self, types: &[TypeId], owner: TypeId) -> bool {
        types.iter().any(|&ty| {
            let mut bases = self.c.self_and_bases(self.c.instance_type(ty));
            bases.any(|it| self.c.def_of(it) == Some(owner))
        })
    }

    /// Whether code at an offset finds the members of a type by their names, wherever the moving type is.
    fn sees_itself(&self, offset: u32, owner: TypeId) -> bool {
        let declaration = self.nesting.declaration();
        let path = &declaration.path;
        let mut found = Vec::new();
        for unit in self.c.units_of(self.ty) {
            if unit.path != *path {
                continue;
            }
            let unit = self.c.unit_id(&unit);
            let facts = self.c.unit(unit).facts(self.c);
            for (id, decl) in facts.decls.iter().enumerate() {
                if decl.range.contains(offset) && decl.kind.type_kind().is_some() {
                    found.extend(self.c.type_of_decl(unit, id as u32));
                }
            }
        }
        found.retain(|&it| self.is_own(it));
        self.inherits(&found, owner)
    }

    fn check_visible(&self, offset: u32, target: Target, found: &mut Found) {
        let c = self.c;
        let (owner, accessibility, name) = match target {
            Target::Member(id) => {
                let member = c.member(id);
                (
                    Some(member.owner),
                    member.accessibility,
                    c.display_member(id),
                )
            }
            Target::Type(id) => {
                let def = c.def(id);
                let name = c.display_type(c.instance_type(id));
                (def.outer, def.accessibility, name)
            }
        };
        let Some(owner) = owner.filter(|&it| !self.is_own(it)) else {
            return;
        };
        let is_hidden = match accessibility {
            Accessibility::Private => self.lost.contains(&owner),
            Accessibility::Protected
            | Accessibility::PrivateProtected
            | Accessibility::ProtectedInternal => {
                self.inherits(&self.lost, owner) && !self.sees_itself(offset, owner)
            }
            _ => false,
        };
        if is_hidden {
            found.hidden.insert(offset, name);
        }
    }

    /// Adds what a name needs.
    fn add(&self, offset: u32, target: Target, (changes, found): (&mut Changes, &mut Found)) {
        if !self.nesting.range().contains(offset) {
            return;
        }
        let c = self.c;
        self.check_visible(offset, target, found);
        let is_simple = !is_qualified(&self.nesting.declaration().text, offset);
        match target {
            Target::Member(id) => {
                let member = c.member(id);
                let is_extension =
                    member.is(MemberFlags::EXTENSION) || member.is(MemberFlags::EXTENSION_BLOCK);
                let is_static = member.is_static() || member.kind == DeclKind::Constant;
                if member.kind == DeclKind::Constructor || is_extension && !is_simple {
                    self.import(member.owner, changes);
                } else if is_simple && is_static {
                    self.qualify(offset, member.owner, changes);
                }
            }
            Target::Type(id) if is_simple && !self.is_own(id) => match c.def(id).outer {
                Some(outer) => self.qualify(offset, outer, changes),
                None => self.import(id, changes),
            },
            Target::Type(_) => {}
        }
    }

    /// Adds what a use needs that names nothing.
    fn add_use(&self, offset: u32, target: Target, (changes, found): (&mut Changes, &mut Found)) {
        if !self.nesting.range().contains(offset) {
            return;
        }
        self.check_visible(offset, target, found);
        if let Target::Member(id) = target {
            let member = self.c.member(id);
            if member.is(MemberFlags::EXTENSION) || member.is(MemberFlags::EXTENSION_BLOCK) {
                self.import(member.owner, changes);
            }
        }
    }

    fn import(&self, ty: TypeId, changes: &mut Changes) {
        if !self.is_elsewhere || self.is_own(ty) {
            return;
        }
        let namespace = self.c.text(self.c.def(ty).namespace);
        let new = &self.nesting.new.namespace;
        let is_seen = new == namespace || new.starts_with(&format!("{namespace}."));
        if !is_seen {
            let path = self.nesting.destination().path;
            let imports = changes.imports.entry(path).or_default();
            imports.insert(namespace.to_owned());
        }
    }

    /// Writes the type before a name that was found in it.
    fn qualify(&self, offset: u32, owner: TypeId, changes: &mut Changes) {
        let is_found_here = self.sees_itself(offset, owner) || self.inherits(&self.around, owner);
        let was_found_around = self.inherits(&self.lost, owner);
        // A `using static` of another file.
        let is_imported = self.is_elsewhere && !self.is_own(owner);
        if is_found_here || !(was_found_around || is_imported) {
            return;
        }
        let name = TypeName::of(self.c, owner);
        let is_seen = name.namespace == self.nesting.new.namespace;
        let written = match is_seen && self.nesting.naming == Naming::Simple {
            true => name.path,
            false => name.full(),
        };
        let edit = insertion(offset as usize, format!("{written}."));
        changes.inside.insert(edit);
        let path = self.nesting.declaration().path.clone();
        changes.requalified.insert((path, offset));
    }
}
