//! Why something without a reference may be in use.
//!
//! Owns: what frameworks, serializers and reflection reach without a name in the code.

use crate::{QueryError, viewpoint::Viewpoint};
use cortex_derived::reach::frameworks::marks_by_name;
use cortex_wire::{UnusedReason, UnusedWhy};

use cortex_bind::{AttributeNode, MemberNode, TypeNode, TypeText};
use cortex_index::{ImplementationKind, Snapshot, TypeSymbols};
use cortex_model::{Accessibility, DeclKind, EdgeKind, Modifier, TypeKey, TypeKind, simple_name};
use cortex_syntax::AttributeTarget;
use cortex_syntax::text::decode;

use rayon::prelude::*;
use rustc_hash::FxHashSet;

/// Whether a symbol with this reason runs without being named.
pub(crate) fn is_certain(why: UnusedWhy) -> bool {
    why <= UnusedWhy::Reflection
}

/// What must be known besides the symbol.
pub(crate) struct Around<'a> {
    pub(crate) is_test: bool,
    pub(crate) reflected: &'a Reflected,
    /// Whether something asks for a type as a value: `typeof(T)`.
    pub(crate) is_value: &'a dyn Fn() -> Result<bool, QueryError>,
    /// By what objects of a type may come to be that nobody creates by name.
    pub(crate) made_by: &'a dyn Fn() -> Result<Option<String>, QueryError>,
}

/// Names that stand as whole strings in files that reflect.
pub(crate) struct Reflected(FxHashSet<String>);

/// Calls that take the name of a type or member.
const REFLECTION: [&str; 14] = [
    "GetMethod",
    "GetMethods",
    "GetRuntimeMethod",
    "GetDeclaredMethod",
    "GetProperty",
    "GetRuntimeProperty",
    "GetDeclaredProperty",
    "GetField",
    "GetRuntimeField",
    "GetMember",
    "GetNestedType",
    "GetType",
    "InvokeMember",
    "CreateInstance",
];

impl Reflected {
    pub(crate) fn read(view: &Viewpoint<'_>) -> Result<Self, QueryError> {
        let mut blobs = Vec::new();
        for name in REFLECTION {
            let files = view.snapshot().files_mentioning(name)?;
            blobs.extend(files.into_iter().map(|file| file.blob));
        }
        blobs.sort_unstable();
        blobs.dedup();
        let found = blobs.par_chunks(32).map(|blobs| {
            let mut reader = view.blobs();
            let mut out: Vec<String> = Vec::new();
            for &blob in blobs {
                let text = reader.read_blob(blob)?;
                out.extend(quoted(&String::from_utf8_lossy(decode(&text).as_bytes())));
            }
            Ok(out)
        });
        let found: Vec<Vec<String>> = found.collect::<Result<_, QueryError>>()?;
        Ok(Self(found.into_iter().flatten().collect()))
    }

    fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}

/// Identifiers that are whole strings in a line that reflects; of dotted names the last part.
fn quoted(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for line in text
        .lines()
        .filter(|line| REFLECTION.iter().any(|call| line.contains(call)))
    {
        for part in line.split('"').skip(1).step_by(2) {
            let is_name = part.starts_with(|c: char| c.is_alphabetic() || c == '_')
                && part
                    .chars()
                    .all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '+' | '`'));
            if is_name {
                let last = part.rsplit(['.', '+']).next().unwrap_or(part);
                out.push(last.split('`').next().unwrap_or(last).to_owned());
            }
        }
    }
    out
}

/// Attributes by which serializers, mappers and interop find members and types.
const SERIALIZED: [&str; 22] = [
    "Serializable",
    "DataContract",
    "DataMember",
    "EnumMember",
    "JsonProperty",
    "JsonPropertyName",
    "JsonInclude",
    "JsonConstructor",
    "JsonObject",
    "JsonExtensionData",
    "JsonSerializable",
    "JsonDerivedType",
    "XmlElement",
    "XmlAttribute",
    "XmlRoot",
    "XmlType",
    "XmlArray",
    "ProtoContract",
    "ProtoMember",
    "MessagePackObject",
    "YamlMember",
    "StructLayout",
];

/// Attributes that say something about code and make nothing find it.
const SILENT: [&str; 30] = [
    "Obsolete",
    "EditorBrowsable",
    "DebuggerDisplay",
    "DebuggerStepThrough",
    "DebuggerHidden",
    "DebuggerNonUserCode",
    "DebuggerBrowsable",
    "Conditional",
    "MethodImpl",
    "SuppressMessage",
    "UnconditionalSuppressMessage",
    "ExcludeFromCodeCoverage",
    "Pure",
    "NotNull",
    "NotNullWhen",
    "MaybeNull",
    "MaybeNullWhen",
    "AllowNull",
    "DisallowNull",
    "MemberNotNull",
    "DoesNotReturn",
    "StringFormatMethod",
    "ContractAnnotation",
    "Flags",
    "AttributeUsage",
    "CLSCompliant",
    "Experimental",
    "RequiresUnreferencedCode",
    "RequiresDynamicCode",
    "CallerArgumentExpression",
];

/// Methods that the language or a framework calls by their names.
const CONVENTIONS: [&str; 22] = [
    "Dispose",
    "DisposeAsync",
    "GetEnumerator",
    "GetAsyncEnumerator",
    "MoveNext",
    "MoveNextAsync",
    "Current",
    "GetAwaiter",
    "Deconstruct",
    "Add",
    "Configure",
    "ConfigureServices",
    "ConfigureContainer",
    "Invoke",
    "InvokeAsync",
    "CreateHostBuilder",
    "CreateWebHostBuilder",
    "CreateDbContext",
    "BuildWebHost",
    "OnGet",
    "OnPost",
    "GetPinnableReference",
];

/// What types derive from that name no base.
const ROOTS: [&str; 6] = [
    "T:System.Object",
    "T:System.ValueType",
    "T:System.Enum",
    "T:System.Delegate",
    "T:System.MulticastDelegate",
    "T:System.IEquatable`1",
];

/// Reasons of a type, the surest first.
pub(crate) fn of_type(
    snapshot: &Snapshot,
    key: TypeKey,
    node: &TypeNode,
    around: &Around<'_>,
) -> Result<Vec<UnusedReason>, QueryError> {
    let mut out = Reasons::default();
    let mut members = node.members.iter();
    if members.any(|it| it.kind == DeclKind::TopLevel || is_main(it)) {
        out.add(UnusedWhy::EntryPoint, "");
    }
    out.tests(snapshot, key, node)?;
    out.attributes(node.attributes(), around);
    if around.reflected.has(simple_name(&node.fqn)) {
        out.add(UnusedWhy::Reflection, "");
    }
    for &base in &node.bases {
        if let Some(header) = snapshot.type_header(base)? {
            out.add(UnusedWhy::Derived, &header.fqn);
        }
    }
    for edge in snapshot.edges(key)?.external {
        let is_base =
            edge.kinds.contains(EdgeKind::Inherits) || edge.kinds.contains(EdgeKind::Implements);
        if is_base && !ROOTS.contains(&&*edge.id) {
            out.add(
                UnusedWhy::Derived,
                edge.id.strip_prefix("T:").unwrap_or(&edge.id),
            );
        }
    }
    out.unknown_base(snapshot, key, node)?;
    if node.effective.is_visible() && !around.is_test {
        out.add(UnusedWhy::PublicApi, "");
    }
    out.common(node);
    Ok(out.finish())
}

/// Reasons of a member, the surest first. `id`: its documentation id.
pub(crate) fn of_member(
    node: &TypeNode,
    member: &MemberNode,
    id: &str,
    (snapshot, key, symbols): (&Snapshot, TypeKey, &TypeSymbols),
    around: &Around<'_>,
) -> Result<Vec<UnusedReason>, QueryError> {
    let mut out = Reasons::default();
    if is_main(member) {
        out.add(UnusedWhy::EntryPoint, "");
    }
    for found in symbols
        .implementations
        .iter()
        .filter(|it| *it.member == *id)
    {
        let why = match found.how {
            ImplementationKind::Override => UnusedWhy::Overrides,
            ImplementationKind::Interface => UnusedWhy::Implements,
        };
        out.add(why, found.of.get(2..).unwrap_or_default());
    }
    if member.has(Modifier::Override) {
        out.add(UnusedWhy::Overrides, "");
    }
    if member.interface().is_some() {
        out.add(UnusedWhy::Implements, "");
    }
    out.attributes(&member.attributes, around);
    if (node.attributes().filter_map(|it| it.arguments.as_deref()))
        .any(|arguments| is_word_of(arguments, &member.name))
    {
        out.add(UnusedWhy::Attribute, "that names it");
    }
    if let Some(name) = generator_mark(node) {
        out.add(UnusedWhy::Generator, name);
    }
    if around.reflected.has(&member.name) {
        out.add(UnusedWhy::Reflection, "");
    }
    if member.accessibility.is_visible() && node.effective.is_visible() && !around.is_test {
        out.add(UnusedWhy::PublicApi, "");
    }
    let is_serializer_hook = ["ShouldSerialize", "Reset"].iter().any(|it| {
        let rest = member.name.strip_prefix(it);
        rest.is_some_and(|rest| node.members.iter().any(|other| other.name == rest))
    });
    if is_of_convention(member)
        || is_serializer_hook
        || matches!(member.kind, DeclKind::Operator | DeclKind::Conversion)
    {
        out.add(UnusedWhy::Convention, &member.name);
    }
    if member.kind == DeclKind::Constructor {
        out.add(UnusedWhy::Constructor, "");
    }
    if member.accessibility != Accessibility::Private && !member.has(Modifier::Static) {
        out.unknown_base(snapshot, key, node)?;
    }
    let is_structure = matches!(node.kind, TypeKind::Struct | TypeKind::RecordStruct);
    if is_structure && member.kind == DeclKind::Field && !member.has(Modifier::Static) {
        out.add(UnusedWhy::Layout, "");
    }
    let is_set_by_others = matches!(
        member.kind,
        DeclKind::Constructor | DeclKind::Property | DeclKind::Field
    ) && member.accessibility != Accessibility::Private
        && !member.has(Modifier::Static);
    let is_enough = |it: &UnusedReason| it.why != UnusedWhy::Constructor;
    if is_set_by_others
        && !out.0.iter().any(is_enough)
        && let Some(by) = (around.made_by)()?
    {
        out.add(UnusedWhy::TypeArgument, &by);
    }
    // What needs no look at other types says enough.
    if !out.0.iter().any(is_enough) && (around.is_value)()? {
        out.add(UnusedWhy::Reflection, "typeof");
    }
    out.common(node);
    Ok(out.finish())
}

/// The attribute by which a source generator may add a part to a type, which then sees even private members.
fn generator_mark(node: &TypeNode) -> Option<&str> {
    let mut marks = declared_attributes(node.attributes()).filter(|name| {
        let simple = name.strip_suffix("Attribute").unwrap_or(name);
        !SILENT.contains(&simple) && !SERIALIZED.contains(&simple)
    });
    marks
        .next()
        .filter(|_| node.modifiers.contains(Modifier::Partial))
}

/// Whether a name stands in the strings of a text, as `[DebuggerDisplay("{Name}")]` has it.
fn is_word_of(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut strings = text.split('"').skip(1).step_by(2);
    strings.any(|it| it.split(|c| !is_part(c)).any(|word| word == name))
}

/// Whether the language, the runtime or a framework calls a member by its name.
pub fn is_called_by_name(member: &MemberNode) -> bool {
    is_main(member) || is_of_convention(member)
}

fn is_of_convention(member: &MemberNode) -> bool {
    CONVENTIONS.contains(&member.name.as_str())
}

fn is_main(member: &MemberNode) -> bool {
    member.kind == DeclKind::Method && member.name == "Main" && member.has(Modifier::Static)
}

#[derive(Default)]
struct Reasons(Vec<UnusedReason>);

impl Reasons {
    fn add(&mut self, why: UnusedWhy, what: &str) {
        self.0.push(UnusedReason {
            why,
            what: what.to_owned(),
        });
    }

    /// Attributes of tests on members of a type, and of types inside of it.
    fn tests(
        &mut self,
        snapshot: &Snapshot,
        key: TypeKey,
        node: &TypeNode,
    ) -> Result<(), QueryError> {
        for member in &node.members {
            for attribute in declared_attributes(&member.attributes) {
                if marks_by_name(attribute).is_some() {
                    self.add(UnusedWhy::Test, attribute);
                }
            }
        }
        let edges = snapshot.edges(key)?.source.into_iter();
        for edge in edges.filter(|it| it.target != key && it.kinds.contains(EdgeKind::Nested)) {
            let nested = snapshot.type_node(edge.target)?;
            let inside = |it: &TypeNode| it.fqn.starts_with(&format!("{}+", node.fqn));
            if let Some(nested) = nested.filter(inside) {
                self.tests(snapshot, edge.target, &nested)?;
            }
        }
        Ok(())
    }

    /// Bases that are written and of which nothing is known: they may call what overrides or implements them.
    fn unknown_base(
        &mut self,
        snapshot: &Snapshot,
        key: TypeKey,
        node: &TypeNode,
    ) -> Result<(), QueryError> {
        if node.base_list.len() <= node.bases.len() {
            return Ok(());
        }
        let mut known: FxHashSet<String> = FxHashSet::default();
        let mut n_known = node.bases.len();
        for &base in &node.bases {
            let header = snapshot.type_header(base)?;
            known.extend(header.map(|it| simple_name(&it.fqn).to_owned()));
        }
        for edge in snapshot.edges(key)?.external {
            let kinds = [EdgeKind::Inherits, EdgeKind::Implements];
            if kinds.into_iter().any(|kind| edge.kinds.contains(kind)) {
                let name = edge.id.rsplit(['.', ':', '+']).next().unwrap_or(&edge.id);
                known.insert(name.split('`').next().unwrap_or(name).to_owned());
                n_known += 1;
            }
        }
        let mut written: Vec<&str> = node.base_list.iter().map(TypeText::simple_name).collect();
        written.sort_unstable();
        written.dedup();
        // An alias has another name than what it stands for.
        if written.len() <= n_known {
            return Ok(());
        }
        for name in written {
            // The type under an enum is no base.
            if node.kind != TypeKind::Enum && !known.contains(name) {
                self.add(UnusedWhy::UnknownBase, name);
            }
        }
        Ok(())
    }

    fn attributes<'n>(
        &mut self,
        attributes: impl IntoIterator<Item = &'n AttributeNode>,
        around: &Around<'_>,
    ) {
        for name in declared_attributes(attributes) {
            let simple = name.strip_suffix("Attribute").unwrap_or(name);
            if marks_by_name(simple).is_some() && around.is_test {
                self.add(UnusedWhy::Test, name);
            } else if SERIALIZED.contains(&simple) {
                self.add(UnusedWhy::Serialized, name);
            } else if !SILENT.contains(&simple) {
                self.add(UnusedWhy::Attribute, name);
            }
        }
    }

    /// What holds for types and members.
    fn common(&mut self, node: &TypeNode) {
        let is_generated = |path: &str| {
            let path = path.to_ascii_lowercase();
            [".g.cs", ".generated.cs", ".designer.cs"]
                .iter()
                .any(|end| path.ends_with(end))
        };
        if node
            .parts
            .iter()
            .any(|part| is_generated(part.path.as_str()))
        {
            self.add(UnusedWhy::Generated, "");
        }
        if node.degraded {
            self.add(UnusedWhy::Degraded, "");
        }
    }

    fn finish(mut self) -> Vec<UnusedReason> {
        self.0.sort();
        self.0.dedup();
        self.0
    }
}

/// The simple names of the attributes that belong to a declaration itself, not to a part of it (`[return: A]`).
fn declared_attributes<'n>(
    attributes: impl IntoIterator<Item = &'n AttributeNode>,
) -> impl Iterator<Item = &'n str> {
    let declared = attributes.into_iter();
    declared
        .filter(|attribute| attribute.target == AttributeTarget::Declaration)
        .map(AttributeNode::simple_name)
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn names_in_strings_are_whole() {
        assert_eq!(
            quoted("GetMethod(\"Run\", \"not one\", \"N.T`1\");\nOther(\"x\");"),
            ["Run", "T"]
        );
    }
}
