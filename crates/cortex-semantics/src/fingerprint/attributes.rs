//! Attributes that the language forbids where they stand (C# specification, §23.2.2, §23.3): what is no attribute class,
//! targets that `AttributeUsage` does not allow, and a second one where only one may be.

use std::collections::BTreeSet;

use cortex_model::{DeclKind, EdgeKind};
use cortex_syntax::{AttributeTarget, AttributeUse, Decl, FileFacts, TypeSyntax};
use rustc_hash::FxHashMap;

use crate::{
    compilation::Compilation,
    load::source::attributes::arguments,
    output::{BoundUnit, Target},
    symbol::{TypeFlags, TypeId, TypeOrigin},
};

/// Where an attribute of a class may stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Usage {
    /// The bits of `System.AttributeTargets`.
    valid_on: u32,
    allow_multiple: bool,
}

/// What a class without `AttributeUsage` has.
const EVERYWHERE: Usage = Usage {
    valid_on: 0x7fff,
    allow_multiple: false,
};

/// The members of `System.AttributeTargets`.
const TARGETS: [(&str, u32); 16] = [
    ("Assembly", 1),
    ("Module", 1 << 1),
    ("Class", 1 << 2),
    ("Struct", 1 << 3),
    ("Enum", 1 << 4),
    ("Constructor", 1 << 5),
    ("Method", 1 << 6),
    ("Property", 1 << 7),
    ("Field", 1 << 8),
    ("Event", 1 << 9),
    ("Interface", 1 << 10),
    ("Parameter", 1 << 11),
    ("Delegate", 1 << 12),
    ("ReturnValue", 1 << 13),
    ("GenericParameter", 1 << 14),
    ("All", EVERYWHERE.valid_on),
];

/// Where attributes of a file stand that are forbidden there. `bound`: what the names of the file mean.
pub(super) fn misplaced(c: &Compilation<'_>, facts: &FileFacts, bound: &BoundUnit) -> Vec<u32> {
    let refs = bound.decls.iter().flat_map(|(_, found)| &found.refs);
    let classes: FxHashMap<u32, TypeId> = refs
        .filter_map(|found| match (found.kind, found.target) {
            (EdgeKind::Attribute, Target::Type(class)) => Some((found.offset, class)),
            _ => None,
        })
        .collect();
    let mut out = Vec::new();
    let mut check = |decl: Option<&Decl>, attributes: &[AttributeUse]| {
        let mut seen: BTreeSet<(AttributeTarget, TypeId)> = BTreeSet::new();
        for attribute in attributes {
            let Some(offset) = name_offset(facts, attribute) else {
                continue;
            };
            let Some(&class) = classes.get(&offset) else {
                continue;
            };
            let is_second = !seen.insert((attribute.target, class));
            let is_allowed = match usage(c, class) {
                Allowed::Nowhere => false,
                Allowed::Unknown => true,
                Allowed::In(usage) => {
                    let place = place(decl, attribute.target);
                    place.is_none_or(|place| usage.valid_on & place != 0)
                        && (usage.allow_multiple || !is_second)
                }
            };
            if !is_allowed {
                out.push(offset);
            }
        }
    };
    check(None, &facts.assembly_attributes);
    for decl in &facts.decls {
        check(Some(decl), &decl.attributes);
    }
    out
}

/// Where the last name of an attribute's class stands.
fn name_offset(facts: &FileFacts, attribute: &AttributeUse) -> Option<u32> {
    let TypeSyntax::Named(segments) = &attribute.name else {
        return None;
    };
    let reference = segments.last()?.reference;
    Some(facts.refs.get(reference as usize)?.offset)
}

/// The bit of what an attribute belongs to; `None` where that is not known.
fn place(decl: Option<&Decl>, target: AttributeTarget) -> Option<u32> {
    use AttributeTarget as T;
    let name = match target {
        T::Assembly => "Assembly",
        T::Module => "Module",
        T::Return | T::ReturnOfAccessor(_) => "ReturnValue",
        T::Field | T::FieldOfParameter(_) => "Field",
        T::Parameter(_) | T::ParameterOfAccessor(_) => "Parameter",
        T::PropertyOfParameter(_) => "Property",
        T::TypeParameter(_) => "GenericParameter",
        T::Accessor(_) => "Method",
        // `[method: …]` before a type is about its primary constructor.
        T::Method => match decl?.kind.type_kind() {
            Some(_) => "Constructor",
            None => "Method",
        },
        T::Declaration => declared(decl?.kind)?,
        T::Other => return None,
    };
    bit(name)
}

/// What a declaration is as a target.
fn declared(kind: DeclKind) -> Option<&'static str> {
    Some(match kind {
        DeclKind::Class | DeclKind::Record => "Class",
        DeclKind::Struct | DeclKind::RecordStruct => "Struct",
        DeclKind::Enum => "Enum",
        DeclKind::Interface => "Interface",
        DeclKind::Delegate => "Delegate",
        DeclKind::Constructor | DeclKind::StaticConstructor => "Constructor",
        DeclKind::Method | DeclKind::Operator | DeclKind::Conversion | DeclKind::Finalizer => {
            "Method"
        }
        DeclKind::Property | DeclKind::Indexer => "Property",
        DeclKind::Field | DeclKind::Constant | DeclKind::EnumMember => "Field",
        DeclKind::Event => "Event",
        _ => return None,
    })
}

fn bit(name: &str) -> Option<u32> {
    let mut targets = TARGETS.iter();
    targets.find(|(it, _)| *it == name).map(|(_, bit)| *bit)
}

/// What is known of where attributes of a class may stand.
enum Allowed {
    /// It is no attribute class.
    Nowhere,
    In(Usage),
    Unknown,
}

/// Where attributes of a class may stand: what the class says, or the nearest base that says something.
fn usage(c: &Compilation<'_>, class: TypeId) -> Allowed {
    match c.is_attribute_class(class) {
        None => return Allowed::Unknown,
        Some(false) => return Allowed::Nowhere,
        Some(true) if c.header(class).flags.has(TypeFlags::ABSTRACT) => return Allowed::Nowhere,
        Some(true) => {}
    }
    let bases = c.self_and_bases(c.instance_type(class));
    for base in bases.filter_map(|ty| c.def_of(ty)) {
        match said_by(c, base) {
            Said::Nothing => {}
            Said::Something(usage) => return Allowed::In(usage),
            Said::Unreadable => return Allowed::Unknown,
        }
    }
    Allowed::In(EVERYWHERE)
}

/// What a class itself says.
enum Said {
    Nothing,
    Something(Usage),
    /// Something that is no list of targets.
    Unreadable,
}

fn said_by(c: &Compilation<'_>, class: TypeId) -> Said {
    match &c.def(class).origin {
        TypeOrigin::External { assembly, row } => {
            let attributes = c.world.externals()[assembly.index()]
                .type_def(*row)
                .attributes
                .clone();
            match attributes.attribute_usage {
                Some(usage) => Said::Something(Usage {
                    valid_on: usage.valid_on,
                    allow_multiple: usage.allow_multiple,
                }),
                None => Said::Nothing,
            }
        }
        TypeOrigin::Source { .. } => {
            for key in c.units_of(class) {
                let unit = c.unit(c.unit_id(&key));
                let declarations = unit.head(c).declarations(class).to_vec();
                let facts = unit.facts(c);
                for decl in declarations {
                    let attributes = &facts.decls[decl as usize].attributes;
                    if let Some(said) = arguments(&facts, attributes, "AttributeUsage") {
                        return read(said).map_or(Said::Unreadable, Said::Something);
                    }
                }
            }
            Said::Nothing
        }
    }
}

/// Reads `AttributeTargets.Class | AttributeTargets.Method, AllowMultiple = true`.
fn read(arguments: &str) -> Option<Usage> {
    let mut usage = Usage {
        valid_on: 0,
        allow_multiple: false,
    };
    for argument in arguments.split(',') {
        match argument.split_once('=') {
            None => {
                for target in argument.split('|').map(str::trim) {
                    let is_name = |it: char| it.is_alphanumeric() || it == '.' || it == ':';
                    let name = target
                        .rsplit('.')
                        .next()
                        .filter(|_| target.chars().all(is_name));
                    usage.valid_on |= bit(name?)?;
                }
            }
            Some((name, value)) if name.trim() == "AllowMultiple" => {
                usage.allow_multiple = value.trim().parse().ok()?;
            }
            Some(_) => {}
        }
    }
    Some(usage)
}

#[cfg(test)]
mod tests {
    use super::{Usage, read};

    #[test]
    fn targets_are_read_as_they_are_written() {
        let usage = |valid_on, allow_multiple| {
            Some(Usage {
                valid_on,
                allow_multiple,
            })
        };
        assert_eq!(read("AttributeTargets.Class"), usage(4, false));
        assert_eq!(
            read("System.AttributeTargets.Method|AttributeTargets.Field,AllowMultiple=true"),
            usage(64 | 256, true)
        );
        assert_eq!(read("All , Inherited = false"), usage(0x7fff, false));
        assert_eq!(read("Mine.Targets"), None);
        assert_eq!(read("~AttributeTargets.Class"), None);
    }
}
