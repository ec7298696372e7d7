//! Whether a name that a file does not have would mean something in it.

use cortex_model::TypeKind;

use super::{Called, Meaning, MemberLookup, Outside, Position, Scope};
use crate::{
    compilation::Compilation,
    name::Name,
    symbol::{TypeId, UnitId},
    ty::Ty,
};

impl Compilation<'_> {
    /// Whether a simple name may mean something anywhere in a file: the file has it, a type that the file declares has
    /// or inherits a member or nested type of it, or the namespaces and directives around say so. `arity`: how many type
    /// arguments follow it.
    ///
    /// Names behind a dot are not asked about. O(types × their bases).
    pub fn may_mean_anything(&self, unit: UnitId, name: &str, arity: u16) -> bool {
        let name = self.name(name);
        if self.is_in_file(unit, name) {
            return true;
        }
        let declared = self.unit(unit).head(self).types.iter();
        let mut declared = declared.filter_map(|(_, ty)| *ty);
        declared.any(|ty| self.has_in_types(ty, name)) || self.is_meant_outside(unit, name, arity)
    }

    /// Whether a namespace has a type or namespace of a name that is not of the repository, or a namespace that is.
    pub fn has_other_named(&self, namespace: Name, name: Name) -> bool {
        !self.external_types_named(namespace, name).is_empty()
            || self.child_namespace(namespace, name).is_some()
    }

    /// Whether a type has, or inherits, something of a name.
    fn has_in_types(&self, ty: TypeId, name: Name) -> bool {
        let own = self.instance_type(ty);
        let mut parameters = self.def(ty).type_params.iter();
        if parameters.any(|&parameter| self.type_param_name(parameter) == name) {
            return true;
        }
        let declares =
            |class: &Ty| (self.def_of(*class)).is_some_and(|class| self.may_declare(class, name));
        self.chain(own).iter().any(declares)
            || self.is_interface(own) && self.all_interfaces(own).iter().any(declares)
    }

    /// Whether a type may have a member or nested type of a name. One of the repository, to which the compiler adds none,
    /// has those that its files write: they need not be loaded.
    fn may_declare(&self, class: TypeId, name: Name) -> bool {
        let is_as_written = matches!(
            self.def(class).kind,
            TypeKind::Class | TypeKind::Struct | TypeKind::Interface | TypeKind::Enum
        );
        let files = self.units_of(class);
        if is_as_written && !files.is_empty() {
            let mut files = files.iter().map(|it| self.unit_id(it));
            return files.any(|unit| self.is_in_file(unit, name));
        }
        !self.members(class).named(name).is_empty() || !self.nested_named(class, name).is_empty()
    }

    /// Whether a file writes a name.
    fn is_in_file(&self, unit: UnitId, name: Name) -> bool {
        let known = &self.caches.names_in_files;
        if let Some(&known) = known.borrow().get(&(unit, name)) {
            return known;
        }
        let facts = self.unit(unit).facts(self);
        let found = facts.names.iter().any(|it| &**it == self.text(name));
        known.borrow_mut().insert((unit, name), found);
        found
    }

    /// Whether namespaces, aliases or other directives say what a name means, somewhere in a file.
    fn is_meant_outside(&self, unit: UnitId, name: Name, arity: u16) -> bool {
        let mut scopes = self.namespace_scopes(unit).iter();
        scopes.any(|scope| {
            let at = Scope {
                unit,
                project: self.unit(unit).key.project,
                namespace: scope.decl(),
                container: None,
                position: Position::Body,
                type_params: Vec::new(),
            };
            [Called::No, Called::Yes].into_iter().any(|called| {
                !matches!(
                    self.lookup_outside(&at, name, arity, called),
                    Outside::Meaning(Meaning::Unknown) | Outside::Members(MemberLookup::None)
                )
            })
        })
    }
}
