//! Known facts of the base class library, as the built-in table has them.

use std::sync::Arc;

use cortex_metadata::{
    Assembly, ConstantValue, ExternalMember, ExternalType, MemberKind, MetadataTable, Primitive,
    ProjectRequest, RefKind, References, Roots, SigType, TypeRow, Variance,
};
use cortex_model::{Accessibility, TypeKind};

const INT: SigType = SigType::Primitive(Primitive::Int32);
const STRING: SigType = SigType::Primitive(Primitive::String);

fn table() -> &'static MetadataTable {
    MetadataTable::built_in().expect("the program comes with a whole table")
}

#[track_caller]
fn find(namespace: &str, name: &str, arity: u16) -> (&'static Arc<Assembly>, TypeRow) {
    ["Microsoft.NETCore.App", "Microsoft.AspNetCore.App"]
        .iter()
        .flat_map(|framework| table().framework(framework))
        .find_map(|assembly| Some((assembly, assembly.find(namespace, name, arity)?)))
        .expect("the type is there")
}

#[track_caller]
fn find_type(namespace: &str, name: &str, arity: u16) -> ExternalType {
    let (assembly, row) = find(namespace, name, arity);
    assembly.type_def(row)
}

#[track_caller]
fn members(namespace: &str, ty: &str, arity: u16, name: &str) -> Vec<ExternalMember> {
    let (assembly, row) = find(namespace, ty, arity);
    let all = assembly.members(row);
    all.into_iter()
        .filter(|member| &*member.name == name)
        .collect()
}

#[track_caller]
fn only(namespace: &str, ty: &str, arity: u16, name: &str) -> ExternalMember {
    let mut found = members(namespace, ty, arity, name);
    assert_eq!(found.len(), 1, "{name}");
    found.remove(0)
}

#[test]
fn members_of_generic_types_are_typed_by_their_parameters() {
    let collections = "System.Collections.Generic";
    assert_eq!(only(collections, "List", 1, "Count").ty, INT);
    let item = only(collections, "Dictionary", 2, "Item");
    assert_eq!(item.kind, MemberKind::Indexer);
    assert_eq!(item.ty, SigType::TypeParam(1));
    assert_eq!(item.params[0].ty, SigType::TypeParam(0));
    let tasks = "System.Threading.Tasks";
    assert_eq!(only(tasks, "Task", 1, "Result").ty, SigType::TypeParam(0));
    assert_eq!(
        only("System", "Nullable", 1, "Value").ty,
        SigType::TypeParam(0)
    );
    let nullable = find_type("System", "Nullable", 1);
    assert!(nullable.type_params[0].is_value && nullable.is_readonly || nullable.is_sealed);
    let covariant = find_type(collections, "IEnumerable", 1);
    assert_eq!(covariant.type_params[0].variance, Variance::Covariant);
    let key = &find_type(collections, "Dictionary", 2).type_params[0];
    assert!(key.is_notnull && !key.is_reference);
}

#[test]
fn extension_methods_are_found_by_name() {
    let (assembly, row) = find("System.Linq", "Enumerable", 0);
    assert!(assembly.extension_methods("Select").contains(&row));
    let selects = members("System.Linq", "Enumerable", 0, "Select");
    assert_eq!(selects.len(), 2);
    for select in selects {
        assert!(select.is_extension && select.is_static);
        assert_eq!(select.type_params.len(), 2);
        let SigType::Named(selector) = &select.params[1].ty else {
            panic!("a delegate");
        };
        assert_eq!(
            (&*selector.namespace, &*selector.path[0].0),
            ("System", "Func")
        );
    }
}

#[test]
fn operators_conversions_and_constants_are_members() {
    let equality = only("System", "String", 0, "op_Equality");
    assert_eq!(equality.kind, MemberKind::Operator);
    assert_eq!(equality.params[0].ty, STRING);
    let implicit = members("System", "Decimal", 0, "op_Implicit");
    assert!(
        implicit
            .iter()
            .all(|member| member.kind == MemberKind::Conversion)
    );
    assert!(implicit.len() > 5);
    let max = only("System", "Int32", 0, "MaxValue");
    assert_eq!(max.kind, MemberKind::Constant);
    assert_eq!(
        max.constant,
        Some(ConstantValue::Integer(i64::from(i32::MAX)))
    );
    let decimal = only("System", "Decimal", 0, "MaxValue");
    assert_eq!(decimal.kind, MemberKind::Constant, "by its attribute");
    let friday = only("System", "DayOfWeek", 0, "Friday");
    assert_eq!(friday.kind, MemberKind::EnumMember);
    assert_eq!(friday.constant, Some(ConstantValue::Integer(5)));
    let day = find_type("System", "DayOfWeek", 0);
    assert_eq!(
        (day.kind, day.enum_underlying),
        (TypeKind::Enum, Some(Primitive::Int32))
    );
}

#[test]
fn kinds_and_shapes_of_types_are_those_of_the_language() {
    assert_eq!(find_type("System", "Action", 0).kind, TypeKind::Delegate);
    assert_eq!(find_type("System", "Enum", 0).kind, TypeKind::Class);
    assert_eq!(find_type("System", "Object", 0).base, None);
    let span = find_type("System", "Span", 1);
    assert!(span.is_ref_like && span.is_readonly && !span.attributes.is_obsolete);
    let item = only("System", "Span", 1, "Item");
    assert_eq!(item.returns_by, RefKind::Ref);
    assert!(find_type("System", "Math", 0).is_static);
    let usage = find_type("System", "ObsoleteAttribute", 0)
        .attributes
        .attribute_usage;
    assert!(usage.is_some_and(|usage| !usage.inherited && !usage.allow_multiple));
    let handler = "DefaultInterpolatedStringHandler";
    let handler = find_type("System.Runtime.CompilerServices", handler, 0);
    assert!(handler.attributes.is_interpolated_string_handler);
    let builder = find_type("System.Collections.Immutable", "ImmutableArray", 1);
    let (builder, method) = builder.attributes.collection_builder.expect("a builder");
    assert_eq!(
        (&*builder.path[0].0, &*method),
        ("ImmutableArray", "Create")
    );
}

#[test]
fn parameters_tell_how_they_are_passed() {
    let parse = members("System", "Int32", 0, "TryParse");
    assert!(parse.iter().all(|member| {
        member
            .params
            .last()
            .is_some_and(|last| last.ref_kind == RefKind::Out)
    }));
    let format = members("System", "String", 0, "Format");
    assert!(
        format
            .iter()
            .any(|member| member.params.iter().any(|param| param.is_params))
    );
    let finalize = only("System", "Object", 0, "Finalize");
    assert_eq!(finalize.kind, MemberKind::Finalizer);
    assert_eq!(finalize.accessibility, Accessibility::Protected);
    let to_string = members("System", "Int32", 0, "ToString");
    assert!(
        to_string
            .iter()
            .any(|member| member.is_override && member.params.is_empty())
    );
    let explicit = find("System", "Int32", 0);
    let explicit = explicit.0.members(explicit.1);
    assert!(explicit.iter().any(|member| {
        member.accessibility == Accessibility::Private
            && member
                .explicit_implementations
                .iter()
                .any(|(_, name)| &**name == "ToBoolean")
    }));
}

#[test]
fn facades_forward_to_where_a_type_is() {
    let facade = table()
        .framework("Microsoft.NETCore.App")
        .find(|assembly| &**assembly.name() == "netstandard")
        .expect("the facade is there");
    assert_eq!(facade.find("System", "String", 0), None);
    assert_eq!(
        facade.forwarded("System", "String", 0),
        Some("System.Runtime")
    );
}

#[test]
fn a_project_without_net_on_the_machine_sees_the_table() {
    let references = References::new(Roots::default());
    let plain = references.closure(&ProjectRequest {
        framework: "net8.0",
        ..ProjectRequest::default()
    });
    let web = references.closure(&ProjectRequest {
        framework: "net8.0",
        framework_references: &["Microsoft.AspNetCore.App".to_owned()],
        ..ProjectRequest::default()
    });
    assert!(plain.missing.is_empty() && web.missing.is_empty());
    assert!(plain.assemblies.len() > 100 && web.assemblies.len() > plain.assemblies.len());
    assert_ne!(plain.digest, web.digest);
}
