//! Laws of reading assemblies, on images that the tests write themselves.

use std::{path::Path, sync::Arc};

use crate::image::{Cell, Image};
use cortex_metadata::{
    Assembly, ConstantValue, ExternalMember, MemberKind, MetadataTable, NamedSig, Primitive,
    RefKind, SigType, TypeRow, write_table,
};
use cortex_model::{Accessibility, TypeKind};
use proptest::prelude::*;

const INT: SigType = SigType::Primitive(Primitive::Int32);
const PUBLIC: u32 = 6;
const STATIC: u32 = 0x10;
const SPECIAL: u32 = 0x800;

/// An assembly with one of everything that is not plain.
fn sample() -> Vec<u8> {
    let mut image = Image::new("Lib", [1, 2, 3, 4]);
    let runtime = image.assembly_ref("System.Runtime");
    let object = image.type_ref(runtime, "System", "Object");
    let tuple2 = image.type_ref(runtime, "System", "ValueTuple`2");
    let value_type = image.type_ref(runtime, "System", "ValueType");
    let services = "System.Runtime.CompilerServices";
    let dynamic = image.type_ref(runtime, services, "DynamicAttribute");
    let names = image.type_ref(runtime, services, "TupleElementNamesAttribute");
    let extension = image.type_ref(runtime, services, "ExtensionAttribute");
    let by_ref_like = image.type_ref(runtime, services, "IsByRefLikeAttribute");
    let read_only = image.type_ref(runtime, services, "IsReadOnlyAttribute");
    let default_member = image.type_ref(runtime, "System.Reflection", "DefaultMemberAttribute");
    let init = image.type_ref(runtime, services, "IsExternalInit");
    let dynamic = image.constructor(dynamic, &[0x20, 1, 1, 0x1d, 2]);
    let names = image.constructor(names, &[0x20, 1, 1, 0x1d, 0x0e]);
    let extension = image.constructor(extension, &[0x20, 0, 1]);
    let by_ref_like = image.constructor(by_ref_like, &[0x20, 0, 1]);
    let read_only = image.constructor(read_only, &[0x20, 0, 1]);
    let default_member = image.constructor(default_member, &[0x20, 1, 1, 0x0e]);
    let marker = image.type_ref(runtime, services, "ExtensionMarkerAttribute");
    let marker = image.constructor(marker, &[0x20, 1, 1, 0x0e]);
    let empty = [1, 0, 0, 0];

    // public class N.Box<T> : object
    let boxed = image.type_def(1, "N", "Box`1", object << 2 | 1);
    let name = image.text("T");
    image.row(
        0x2a,
        &[Cell::W(0), Cell::W(0x10), Cell::W(boxed << 1), name],
    );
    image.attribute(boxed << 5 | 3, default_member, b"\x01\0\x04Item\0\0");
    // public (int a, dynamic b) Pair(in T value, int count = -2)
    let pair = [
        0x20,
        2,
        0x15,
        0x11,
        tuple2 as u8 * 4 + 1,
        2,
        8,
        0x1c,
        0x10,
        0x13,
        0,
        8,
    ];
    image.method(PUBLIC, "Pair", &pair);
    let returned = image.param(0, 0, "");
    image.attribute(returned << 5 | 4, names, b"\x01\0\x02\0\0\0\x01a\x01b\0\0");
    image.attribute(returned << 5 | 4, dynamic, b"\x01\0\x03\0\0\0\0\0\x01\0\0");
    let value = image.param(1, 1, "value");
    image.attribute(value << 5 | 4, read_only, &empty);
    let count = image.param(0x1010, 2, "count");
    let bytes = image.blob(&(-2_i32).to_le_bytes());
    image.row(0x0b, &[Cell::W(8), Cell::W(count << 2 | 1), bytes]);
    // public T this[int index] { get; private init; }
    let getter = image.method(PUBLIC | SPECIAL, "get_Item", &[0x20, 1, 0x13, 0, 8]);
    image.param(0, 1, "index");
    let init_only = [0x20, 2, 0x1f, init as u8 * 4 + 1, 1, 8, 0x13, 0];
    let setter = image.method(1 | SPECIAL, "set_Item", &init_only);
    let (name, signature) = (image.text("Item"), image.blob(&[0x28, 1, 0x13, 0, 8]));
    let property = image.row(0x17, &[Cell::W(0), name, signature]);
    image.row(0x15, &[Cell::W(boxed), Cell::W(property)]);
    let owner = Cell::W(property << 1 | 1);
    image.row(0x18, &[Cell::W(2), Cell::W(getter), owner]);
    image.row(0x18, &[Cell::W(1), Cell::W(setter), owner]);
    // private void Hidden()
    image.method(1, "Hidden", &[0x20, 0, 1]);

    // public ref struct Box<T>.Inner<U>
    let inner = image.type_def(0x102, "", "Inner`1", value_type << 2 | 1);
    for (number, name) in [(0, "T"), (1, "U")] {
        let name = image.text(name);
        let row = [Cell::W(number), Cell::W(0), Cell::W(inner << 1), name];
        image.row(0x2a, &row);
    }
    image.row(0x29, &[Cell::W(inner), Cell::W(boxed)]);
    image.attribute(inner << 5 | 3, by_ref_like, &empty);

    // public static class Extensions { public static int Twice(this int number) }
    let class = image.type_def(0x181, "N.M", "Extensions", object << 2 | 1);
    image.attribute(class << 5 | 3, extension, &empty);
    let twice = image.method(PUBLIC | STATIC, "Twice", &[0, 1, 8, 8]);
    image.attribute(twice << 5, extension, &empty);
    image.param(0, 1, "number");
    let plus = image.method(PUBLIC | STATIC | SPECIAL, "op_Addition", &[0, 2, 8, 8, 8]);
    assert!(plus > twice);

    // extension(string text) { public int Length(); }
    let group = image.type_def(0x102, "", "<G>$1", object << 2 | 1);
    image.row(0x29, &[Cell::W(group), Cell::W(class)]);
    let length = image.method(PUBLIC, "Length", &[0x20, 0, 8]);
    image.attribute(length << 5, marker, b"\x01\0\x05<M>$2\0\0");
    let block = image.type_def(0x182, "", "<M>$2", object << 2 | 1);
    image.row(0x29, &[Cell::W(block), Cell::W(group)]);
    image.method(PUBLIC | STATIC, "<Extension>$", &[0, 1, 1, 0x0e]);
    image.param(0, 1, "text");

    // internal class Secret
    image.type_def(0, "N", "Secret", object << 2 | 1);
    let (name, namespace) = (image.text("Gone`1"), image.text("Far"));
    let there = Cell::W(runtime << 2 | 1);
    image.row(
        0x27,
        &[Cell::D(0x20_0000), Cell::D(0), name, namespace, there],
    );
    image.finish()
}

fn open_sample() -> Assembly {
    Assembly::from_bytes(sample()).expect("a whole image")
}

#[track_caller]
fn find(assembly: &Assembly, namespace: &str, name: &str, arity: u16) -> TypeRow {
    assembly
        .find(namespace, name, arity)
        .expect("the type is there")
}

#[track_caller]
fn member(members: &[ExternalMember], name: &str) -> ExternalMember {
    let mut found = members.iter().filter(|member| &*member.name == name);
    let first = found.next().expect("the member is there");
    assert!(found.next().is_none());
    first.clone()
}

#[test]
fn types_are_found_by_name_and_told_by_their_rows() {
    let lib = open_sample();
    assert_eq!((&**lib.name(), lib.version()), ("Lib", [1, 2, 3, 4]));
    let row = find(&lib, "N", "Box", 1);
    let boxed = lib.type_def(row);
    assert_eq!(boxed.kind, TypeKind::Class);
    assert_eq!(boxed.accessibility, Accessibility::Public);
    assert_eq!(boxed.base, Some(SigType::Primitive(Primitive::Object)));
    assert_eq!(
        (&*boxed.namespace, &*boxed.name, boxed.arity),
        ("N", "Box", 1)
    );
    assert!(boxed.type_params[0].has_new);
    let [inner] = lib.nested(row) else {
        panic!("one nested type");
    };
    let inner = lib.type_def(*inner);
    assert_eq!((inner.kind, inner.arity), (TypeKind::Struct, 1));
    assert_eq!((&*inner.namespace, inner.outer), ("N", Some(row)));
    assert_eq!(inner.type_params.len(), 2, "those of the outer type too");
    assert!(inner.is_ref_like && inner.is_sealed);
    assert_eq!(lib.find("N", "Box", 0), None);
    assert_eq!(lib.find("N", "Secret", 0), None, "nobody may see it");
    assert_eq!(lib.find("", "<Module>", 0), None);
    assert_eq!(lib.forwarded("Far", "Gone", 1), Some("System.Runtime"));
    assert!(lib.has_namespace("N.M") && !lib.has_namespace("Far"));
    let class = find(&lib, "N.M", "Extensions", 0);
    assert!(lib.type_def(class).is_static && lib.type_def(class).attributes.has_extensions);
    assert_eq!(lib.extension_methods("Twice"), [class]);
    assert_eq!(lib.extension_methods("Thrice"), []);
}

#[test]
fn signatures_say_dynamic_tuples_references_and_defaults() {
    let lib = open_sample();
    let members = lib.members(find(&lib, "N", "Box", 1));
    let names: Vec<_> = members.iter().map(|member| &*member.name).collect();
    assert_eq!(
        names,
        ["Pair", "Item"],
        "accessors and private ones are not listed"
    );
    let pair = member(&members, "Pair");
    let element_names = vec![Some("a".into()), Some("b".into())];
    assert_eq!(
        pair.ty,
        SigType::Tuple(vec![INT, SigType::Dynamic], element_names)
    );
    let [value, count] = &*pair.params else {
        panic!("two parameters");
    };
    assert_eq!(value.ref_kind, RefKind::In);
    assert_eq!(value.ty, SigType::TypeParam(0));
    assert!(count.is_optional && !value.is_optional);
    assert_eq!(count.default, Some(ConstantValue::Integer(-2)));
}

#[test]
fn accessors_are_folded_into_their_property() {
    let lib = open_sample();
    let item = member(&lib.members(find(&lib, "N", "Box", 1)), "Item");
    assert_eq!(item.kind, MemberKind::Indexer);
    assert_eq!(item.accessibility, Accessibility::Public);
    assert_eq!(item.getter, Some(Accessibility::Public));
    assert_eq!(item.setter, Some(Accessibility::Private));
    assert!(item.is_init_only);
    assert_eq!(&*item.params[0].name, "index");
}

#[test]
fn kinds_of_methods_follow_from_names_and_flags() {
    let lib = open_sample();
    let members = lib.members(find(&lib, "N.M", "Extensions", 0));
    assert!(member(&members, "Twice").is_extension);
    assert_eq!(member(&members, "op_Addition").kind, MemberKind::Operator);
}

#[test]
fn extension_blocks_are_read_with_their_receiver() {
    let lib = open_sample();
    let class = find(&lib, "N.M", "Extensions", 0);
    let [block] = &*lib.extension_blocks(class) else {
        panic!("one block");
    };
    assert_eq!(block.receiver.ty, SigType::Primitive(Primitive::String));
    assert_eq!(&*block.receiver.name, "text");
    assert_eq!(member(&block.members, "Length").ty, INT);
    assert_eq!(lib.extension_methods("Length"), [class]);
    assert!(lib.nested(class).is_empty(), "no type of the source");
}

#[test]
fn a_table_answers_as_the_assembly_that_it_was_made_of() {
    let lib = Arc::new(open_sample());
    let bytes = write_table("1", &[("Frame", lib.clone())]).expect("it can be packed");
    assert_eq!(
        bytes,
        write_table("1", &[("Frame", lib.clone())]).expect("it can be packed"),
        "equal bytes"
    );
    let table = MetadataTable::from_bytes(bytes).expect("a whole table");
    let packed = table.framework("Frame").next().expect("it was packed");
    assert!(table.framework("Other").next().is_none());
    assert_eq!(packed.types(), lib.types());
    for row in lib
        .types()
        .into_iter()
        .chain(lib.nested(lib.types()[0]).to_vec())
    {
        assert_eq!(packed.type_def(row), lib.type_def(row));
        assert_eq!(packed.members(row), lib.members(row));
        assert_eq!(packed.nested(row), lib.nested(row));
        assert_eq!(packed.extension_blocks(row), lib.extension_blocks(row));
    }
    assert_eq!(
        packed.extension_methods("Twice"),
        lib.extension_methods("Twice")
    );
    assert_eq!(packed.forwarded("Far", "Gone", 1), Some("System.Runtime"));
    assert!(packed.namespaces().eq(lib.namespaces()));
    assert_ne!(packed.digest(), lib.digest(), "another source, another key");
}

#[test]
fn assemblies_are_shared_between_threads() {
    fn check<T: Send + Sync>() {}
    check::<Assembly>();
    check::<MetadataTable>();
}

#[test]
fn no_member_belongs_to_two_types() {
    let mut image = Image::new("Lib", [1, 0, 0, 0]);
    let zero = Cell::W(0);
    for (name, first_method) in [("A", 2), ("B", 1)] {
        let name = image.text(name);
        let row = [
            Cell::D(1),
            name,
            zero,
            zero,
            Cell::W(1),
            Cell::W(first_method),
        ];
        image.row(0x02, &row);
    }
    for name in ["M", "N"] {
        image.method(PUBLIC, name, &[0x20, 0, 1]);
    }
    let lib = Assembly::from_bytes(image.finish()).expect("a whole image");
    let rows = lib.types();
    assert_eq!(rows.len(), 2);
    assert!(rows.iter().all(|&row| lib.members(row).is_empty()));
}

#[test]
fn what_is_no_assembly_is_an_error() {
    for bytes in [&b""[..], b"MZ", &[0; 5000], &sample()[..0x300]] {
        assert!(Assembly::from_bytes(bytes.to_vec()).is_err());
    }
    assert!(Assembly::open(Path::new("/nonexistent.dll")).is_err());
    assert!(MetadataTable::from_bytes(b"cxmeta".to_vec()).is_err());
}

#[test]
fn a_file_reads_as_its_bytes() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), sample()).expect("it can be written");
    let opened = Assembly::open(file.path()).expect("a whole image");
    assert_eq!(opened.digest(), open_sample().digest());
    assert_eq!(opened.path(), Some(file.path()));
    assert_eq!(opened.types(), open_sample().types());
}

/// Asks for everything.
fn walk(assembly: &Assembly) -> usize {
    let mut rows = assembly.types();
    let mut seen = 0;
    while let Some(row) = rows.pop() {
        let ty = assembly.type_def(row);
        seen += assembly
            .find(&ty.namespace, &ty.name, ty.arity)
            .map_or(0, |_| 1);
        seen += assembly.extension_blocks(row).len();
        for member in assembly.members(row) {
            seen += assembly.extension_methods(&member.name).len();
            seen += usize::from(matches!(&member.ty, SigType::Named(named) if is_odd(named)));
        }
        rows.extend(assembly.nested(row));
    }
    seen + assembly.namespaces().count()
}

fn is_odd(named: &NamedSig) -> bool {
    named.path.is_empty()
}

proptest! {
    #[test]
    fn damaged_images_never_panic(flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12)) {
        let mut bytes = sample();
        for (place, byte) in flips {
            // The headers before the metadata are few bytes of many.
            let place = 0x200 + place.index(bytes.len() - 0x200);
            bytes[place] = byte;
        }
        if let Ok(assembly) = Assembly::from_bytes(bytes) {
            walk(&assembly);
        }
    }

    #[test]
    fn damaged_headers_never_panic(place in 0..0x260_usize, byte: u8, length in 0..2000_usize) {
        let mut bytes = sample();
        bytes[place] = byte;
        bytes.truncate(bytes.len().saturating_sub(length));
        if let Ok(assembly) = Assembly::from_bytes(bytes) {
            walk(&assembly);
        }
    }

    #[test]
    fn damaged_tables_never_panic(flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let lib = Arc::new(open_sample());
        let mut bytes = write_table("1", &[("Frame", lib)]).expect("it can be packed");
        for (place, byte) in flips {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if let Ok(table) = MetadataTable::from_bytes(bytes) {
            for assembly in table.framework("Frame") {
                walk(assembly);
            }
        }
    }
}
