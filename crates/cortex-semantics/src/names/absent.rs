//! Whether a name that a file does not have would mean something in it.

use cortex_syntax::FileFacts;

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
    /// arguments follow it. `facts`: the file's.
    ///
    /// Names behind a dot are not asked about. O(types × their bases).
    pub fn may_mean_anything(
        &self,
        (unit, facts): (UnitId, &FileFacts),
        name: &str,
        arity: u16,
    ) -> bool {
        if facts.names.iter().any(|it| &**it == name) {
            return true;
        }
        let name = self.name(name);
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
        let declares = |class: Ty| {
            let class = self.def_of(class);
            class.is_some_and(|class| {
                !self.members(class).named(name).is_empty()
                    || !self.nested_named(class, name).is_empty()
            })
        };
        self.chain(own).iter().any(|&class| declares(class))
            || self.is_interface(own) && self.all_interfaces(own).iter().any(|&it| declares(it))
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
