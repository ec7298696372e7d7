//! What the language forbids of declarations whatever their names mean: modifiers that exclude each other or their
//! place, bodies that are missing or too many, and ways through a body that return nothing.
//!
//! Of what is not certain without more, nothing is said: a generator may write the other part of a partial method.
//! Source: C# specification, §14.3, §15.2.2, §15.3, §15.6, §15.10, §19.4, §19.6.

mod values;

use cortex_model::{Accessibility, ByteRange, DeclKind, Modifier, TypeKind};
use cortex_syntax::{
    AccessorKind, BodyId, BodyKind, Constraint, Decl, DeclId, FileFacts, TypeSyntax, Variance,
    text::{CodeTokenKind, tokens},
};

use crate::{
    body_tree::BodyTree,
    ways::{Conditions, Ways, is_deferred},
};

/// The type around a member, all of its parts together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Owner {
    pub(crate) kind: TypeKind,
    pub(crate) is_static: bool,
    pub(crate) is_abstract: bool,
    pub(crate) is_sealed: bool,
    pub(crate) is_readonly: bool,
    /// Whether the part around the member says `partial`.
    pub(crate) is_partial: bool,
}

impl Owner {
    fn is_value(self) -> bool {
        matches!(self.kind, TypeKind::Struct | TypeKind::RecordStruct)
    }

    fn is_interface(self) -> bool {
        self.kind == TypeKind::Interface
    }
}

/// Modifiers of types by their kinds; `partial`, `unsafe` and `file` are allowed wherever types are.
fn type_modifiers(kind: TypeKind) -> &'static [Modifier] {
    match kind {
        TypeKind::Class => &[Modifier::Abstract, Modifier::Sealed, Modifier::Static],
        TypeKind::Record => &[Modifier::Abstract, Modifier::Sealed],
        TypeKind::Struct => &[Modifier::Readonly, Modifier::Ref],
        TypeKind::RecordStruct => &[Modifier::Readonly],
        TypeKind::Interface | TypeKind::Enum | TypeKind::Delegate => &[],
    }
}

/// Modifiers that decide what runs for a call.
const DISPATCH: [Modifier; 4] = [
    Modifier::Abstract,
    Modifier::Virtual,
    Modifier::Override,
    Modifier::Sealed,
];

/// Words before a declaration of which each stands once.
const ACCESSIBILITIES: [&str; 5] = ["public", "protected", "internal", "private", "file"];

/// Where modifiers of declarations, accessors, local functions or lambdas may not stand together, and why.
pub(crate) fn forbidden_modifiers(text: &str) -> Vec<(ByteRange, &'static str)> {
    let mut found = Vec::new();
    let mut words: Vec<&str> = Vec::new();
    let mut range = ByteRange::default();
    for token in tokens(text.as_bytes()) {
        let word = text.get(token.range.as_usize()).unwrap_or_default();
        if token.kind == CodeTokenKind::Word && is_modifier(word) {
            let start = match words[..] {
                [] => token.range.start,
                _ => range.start,
            };
            range = ByteRange {
                start,
                end: token.range.end,
            };
            words.push(word);
            continue;
        }
        // `async async => 1` is a lambda with a parameter.
        let reason = forbidden_together(&words).filter(|_| word != "=>");
        found.extend(reason.map(|reason| (range, reason)));
        words.clear();
    }
    found
}

/// The words that a project without `AllowUnsafeBlocks` may not have: `unsafe`, and an attribute that leaves locals without
/// a first value.
///
/// Source: CS0227 of the compiler.
pub(crate) fn unsafe_words(text: &str) -> Vec<(ByteRange, &'static str)> {
    let all = tokens(text.as_bytes()).into_iter();
    let words = all.filter(|token| {
        let word = text.get(token.range.as_usize()).unwrap_or_default();
        let is_attribute = matches!(word, "SkipLocalsInit" | "SkipLocalsInitAttribute");
        token.kind == CodeTokenKind::Word && (word == "unsafe" || is_attribute)
    });
    let reason = "the project does not set `AllowUnsafeBlocks`";
    words.map(|token| (token.range, reason)).collect()
}

/// Whether a word says what a declaration is; `ref` is part of a type, too.
fn is_modifier(word: &str) -> bool {
    let is_known = Modifier::ALL.iter().any(|it| it.name() == word);
    (is_known || ACCESSIBILITIES.contains(&word)) && word != "ref"
}

/// Why modifiers may not stand beside each other.
fn forbidden_together(words: &[&str]) -> Option<&'static str> {
    let mut each = words.iter().enumerate();
    if each.any(|(at, word)| words[..at].contains(word)) {
        return Some("it has a modifier twice");
    }
    let is_accessibility = |it: &&&str| ACCESSIBILITIES.contains(it);
    let mut words: Vec<&str> = words.iter().filter(is_accessibility).copied().collect();
    words.sort_unstable();
    let is_one =
        words.len() < 2 || words == ["internal", "protected"] || words == ["private", "protected"];
    (!is_one).then_some("it has two accessibilities")
}

/// The type parameters that the `where` clauses of a declaration name although it does not have them, or has constrained
/// them before, and why; `text` is what follows its name, `own` are those that it has.
pub(crate) fn forbidden_clauses(own: &[&str], text: &str) -> Vec<(ByteRange, &'static str)> {
    let bare = |name: &str| name.trim_start_matches('@').to_owned();
    let mut found = Vec::new();
    let mut left: Vec<String> = own.iter().map(|it| bare(it)).collect();
    let mut depth = 0_u32;
    let mut before = [("", ByteRange::default()); 2];
    for token in tokens(text.as_bytes()) {
        let word = text.get(token.range.as_usize()).unwrap_or_default();
        match word {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            "{" | ";" | "=>" if depth == 0 => break,
            ":" if depth == 0 && before[0].0 == "where" => {
                let (name, range) = before[1];
                match left.iter().position(|it| *it == bare(name)) {
                    Some(at) => {
                        left.swap_remove(at);
                    }
                    None => found.push((range, "no type parameter that is not constrained yet")),
                }
            }
            _ => {}
        }
        before = [before[1], (word, token.range)];
    }
    found
}

/// Why constraints may not stand like this (C# specification, §15.2.5).
fn forbidden_constraints(facts: &FileFacts, decl: &Decl) -> Option<&'static str> {
    for param in &decl.type_params {
        let words = param.constraints.iter().map(|it| match it {
            Constraint::Keyword(word) => facts.name(*word),
            Constraint::Type(_) => "",
        });
        let words: Vec<&str> = words.collect();
        for (at, &word) in words.iter().enumerate() {
            let rest = &words[at + 1..];
            match word {
                "" | "allows ref struct" => {}
                "new()" => {
                    if rest.iter().any(|it| *it != "allows ref struct") {
                        return Some("`new()` is the last constraint");
                    }
                    if matches!(words[0], "struct" | "unmanaged") {
                        return Some("what is a struct has `new()`");
                    }
                }
                _ if at > 0 => return Some("a constraint that is a keyword comes first"),
                _ => {}
            }
        }
    }
    None
}

/// Why a type may not be declared like this; `around`: what it is declared in, another type or a namespace.
pub(crate) fn forbidden_of_type(
    facts: &FileFacts,
    decl: &Decl,
    around: Option<&Decl>,
) -> Option<&'static str> {
    let is_nested = around.is_some_and(|it| it.kind.type_kind().is_some());
    let kind = decl.kind.type_kind()?;
    let has = |modifier| decl.modifiers.contains(modifier);
    let allowed = type_modifiers(kind);
    let limited = [
        Modifier::Abstract,
        Modifier::Sealed,
        Modifier::Static,
        Modifier::Readonly,
        Modifier::Virtual,
        Modifier::Override,
        Modifier::Async,
        Modifier::Required,
        Modifier::Volatile,
    ];
    if limited.iter().any(|it| has(*it) && !allowed.contains(it)) {
        return Some("a type of its kind cannot have that modifier");
    }
    if has(Modifier::Static) && (has(Modifier::Abstract) || has(Modifier::Sealed)) {
        return Some("a static class is neither abstract nor sealed");
    }
    if has(Modifier::Abstract) && has(Modifier::Sealed) {
        return Some("an abstract class cannot be sealed");
    }
    let is_variant = |it: &Decl| {
        let mut params = it.type_params.iter();
        params.any(|param| param.variance != Variance::None)
    };
    let may_be_variant = matches!(kind, TypeKind::Interface | TypeKind::Delegate);
    if !may_be_variant && around.is_some_and(is_variant) {
        return Some(
            "an interface with variant type parameters has no types but interfaces and delegates",
        );
    }
    let head = forbidden_constraints(facts, decl);
    let head = head.or_else(|| values::forbidden_parameters(decl));
    if let Some(reason) = head {
        return Some(reason);
    }
    let is_of_types = matches!(
        decl.accessibility,
        Some(
            Accessibility::Private
                | Accessibility::PrivateProtected
                | Accessibility::Protected
                | Accessibility::ProtectedInternal
        )
    );
    (is_of_types && !is_nested).then_some("outside of types, one is public, internal or file")
}

/// Why a block of extension members may not stand in a type; `is_nested`: whether that is in another one.
pub(crate) fn forbidden_of_extension(around: &Decl, is_nested: bool) -> Option<&'static str> {
    // Another part may say it.
    let says = [Modifier::Static, Modifier::Partial];
    let is_static = says.into_iter().any(|it| around.modifiers.contains(it));
    let may = is_static && !is_nested && around.type_params.is_empty();
    (!may).then_some("extensions stand in a static class that is neither generic nor nested")
}

/// Why a member may not be declared like this.
pub(crate) fn forbidden_of_member(
    facts: &FileFacts,
    decl: &Decl,
    owner: Owner,
) -> Option<&'static str> {
    let is_async = decl.modifiers.contains(Modifier::Async);
    let is_value =
        |ty: &TypeSyntax| matches!(ty, TypeSyntax::Predefined(name) if facts.name(*name) != "void");
    if is_async && decl.ty.as_ref().is_some_and(is_value) {
        return Some("an async method returns a task or nothing");
    }
    by_contract(decl, owner)
        .or_else(|| by_modifiers(decl, owner))
        .or_else(|| by_accessibility(decl, owner))
        .or_else(|| by_kind(decl, owner))
        .or_else(|| by_operator(facts, decl, owner))
        .or_else(|| by_body(decl, owner))
        .or_else(|| forbidden_constraints(facts, decl))
        .or_else(|| values::forbidden_parameters(decl))
        .or_else(|| values::forbidden_value(facts, decl, owner))
}

/// What an explicit implementation says beside the interface that it names (C# specification, §19.6.2): an interface may
/// leave it to others.
fn by_contract(decl: &Decl, owner: Owner) -> Option<&'static str> {
    const OF_CONTRACT: [Modifier; 7] = [
        Modifier::Abstract,
        Modifier::Virtual,
        Modifier::Override,
        Modifier::Sealed,
        Modifier::New,
        Modifier::Required,
        Modifier::Partial,
    ];
    let says = |it: &Modifier| {
        let may = *it == Modifier::Abstract && owner.is_interface();
        decl.modifiers.contains(*it) && !may
    };
    let mut accessors = decl.accessors.iter();
    let is_limited = decl.accessibility.is_some() || accessors.any(|it| it.accessibility.is_some());
    let is_explicit = !decl.bases.is_empty();
    (is_explicit && (is_limited || OF_CONTRACT.iter().any(says)))
        .then_some("an explicit implementation has the modifiers of the interface's member")
}

fn by_modifiers(decl: &Decl, owner: Owner) -> Option<&'static str> {
    let has = |modifier| decl.modifiers.contains(modifier);
    let is_function = matches!(
        decl.kind,
        DeclKind::Method | DeclKind::Property | DeclKind::Indexer | DeclKind::Event
    );
    let is_value = matches!(decl.kind, DeclKind::Field | DeclKind::Property);
    let dispatches = DISPATCH.into_iter().any(has);
    if dispatches && !is_function && !(owner.is_interface() && is_operator(decl)) {
        return Some("members of its kind are neither virtual, abstract, override nor sealed");
    }
    if has(Modifier::Override) && (has(Modifier::Virtual) || has(Modifier::New)) {
        return Some("what is override cannot be virtual or new");
    }
    if has(Modifier::Abstract) && has(Modifier::Virtual) {
        return Some("what is abstract cannot be virtual");
    }
    let is_overridable = has(Modifier::Abstract) || has(Modifier::Virtual);
    if has(Modifier::Static) && !owner.is_interface() && dispatches {
        return Some("a static member is neither virtual, abstract, override nor sealed");
    }
    if has(Modifier::Sealed) && !has(Modifier::Override) && !owner.is_interface() {
        return Some("only an override can be sealed");
    }
    if is_overridable && owner.is_value() {
        return Some("a struct has no virtual members of its own");
    }
    if has(Modifier::Virtual) && owner.is_sealed {
        return Some("its class is sealed");
    }
    if has(Modifier::Abstract) && !owner.is_abstract && !owner.is_interface() {
        return Some("its class is not abstract");
    }
    let may_be_readonly =
        decl.kind == DeclKind::Field || owner.is_value() && is_function && !has(Modifier::Static);
    if has(Modifier::Readonly) && !may_be_readonly {
        return Some("members of its kind cannot be readonly there");
    }
    let may_be_required = is_value && !owner.is_interface() && !has(Modifier::Static);
    if has(Modifier::Required) && !may_be_required {
        return Some("only fields and properties of objects can be required");
    }
    let is_set = match decl.kind {
        DeclKind::Field => !has(Modifier::Readonly),
        _ => (decl.accessors.iter())
            .any(|it| matches!(it.kind, AccessorKind::Set | AccessorKind::Init)),
    };
    if has(Modifier::Required) && !is_set {
        return Some("what is required can be set");
    }
    if has(Modifier::Async) && decl.kind != DeclKind::Method {
        return Some("only methods can be async");
    }
    if has(Modifier::Volatile) && (decl.kind != DeclKind::Field || has(Modifier::Readonly)) {
        return Some("only fields that are not readonly can be volatile");
    }
    let is_fixed = decl.kind == DeclKind::Constant;
    if is_fixed && (has(Modifier::Static) || has(Modifier::Readonly)) {
        return Some("a constant is neither static nor readonly by its modifiers");
    }
    if has(Modifier::Partial) && !owner.is_partial {
        return Some("its type is not partial");
    }
    None
}

fn by_accessibility(decl: &Decl, owner: Owner) -> Option<&'static str> {
    let has = |modifier| decl.modifiers.contains(modifier);
    let is_protected = matches!(
        decl.accessibility,
        Some(
            Accessibility::Protected
                | Accessibility::ProtectedInternal
                | Accessibility::PrivateProtected
        )
    );
    if is_protected && owner.is_value() && !has(Modifier::Override) {
        return Some("a struct has no protected members of its own");
    }
    if is_protected && owner.is_static {
        return Some("a static class has no protected members");
    }
    let is_private = match decl.accessibility {
        Some(accessibility) => accessibility == Accessibility::Private,
        None => !owner.is_interface() && decl.bases.is_empty(),
    };
    let is_overridable = [Modifier::Abstract, Modifier::Virtual, Modifier::Override]
        .into_iter()
        .any(has);
    (is_private && is_overridable).then_some("what is virtual, abstract or override is not private")
}

fn by_kind(decl: &Decl, owner: Owner) -> Option<&'static str> {
    let is_static = decl.modifiers.contains(Modifier::Static);
    match decl.kind {
        DeclKind::StaticConstructor if decl.accessibility.is_some() => {
            Some("a static constructor has no accessibility")
        }
        DeclKind::Finalizer if !matches!(owner.kind, TypeKind::Class | TypeKind::Record) => {
            Some("only classes have finalizers")
        }
        DeclKind::Finalizer if owner.is_static => Some("a static class has no finalizer"),
        DeclKind::Operator | DeclKind::Conversion if owner.is_static => {
            Some("a static class has no operators")
        }
        DeclKind::Operator | DeclKind::Conversion
            if is_static
                && decl.bases.is_empty()
                && !owner.is_interface()
                && decl.accessibility != Some(Accessibility::Public) =>
        {
            Some("an operator is public")
        }
        _ => None,
    }
}

/// What an operator is beside its types (C# specification, §15.10; C# 14 has operators of objects that change these).
fn by_operator(facts: &FileFacts, decl: &Decl, owner: Owner) -> Option<&'static str> {
    if !is_operator(decl) || !decl.bases.is_empty() {
        return None;
    }
    let has = |modifier| decl.modifiers.contains(modifier);
    let name = facts.name(decl.name);
    let n_params = decl.params.as_ref().map_or(0, Vec::len);
    // A conversion has the name of its type.
    let sign = match decl.kind {
        DeclKind::Operator => name.trim_start_matches("checked").trim(),
        _ => "",
    };
    let compares = ["==", "!=", "<=", ">="].contains(&sign);
    let is_void =
        matches!(&decl.ty, Some(TypeSyntax::Predefined(name)) if facts.name(*name) == "void");
    let changes_object =
        ["++", "--"].contains(&sign) && n_params == 0 || sign.ends_with('=') && !compares;
    if !has(Modifier::Static) && !changes_object {
        return Some("an operator is static");
    }
    if has(Modifier::Static) && is_void {
        return Some("a static operator has a result");
    }
    let is_equality = ["==", "!="].contains(&sign);
    let is_of_others = has(Modifier::Abstract) || has(Modifier::Virtual);
    let is_closed = decl.kind == DeclKind::Conversion || is_equality;
    (owner.is_interface() && is_closed && !is_of_others)
        .then_some("an interface has no conversion or equality of its own")
}

fn by_body(decl: &Decl, owner: Owner) -> Option<&'static str> {
    let has = |modifier| decl.modifiers.contains(modifier);
    let is_method = matches!(decl.kind, DeclKind::Method)
        || is_operator(decl)
        || matches!(
            decl.kind,
            DeclKind::Constructor | DeclKind::StaticConstructor | DeclKind::Finalizer
        );
    let has_body = decl.body_range.start < decl.body_range.end;
    let goes_without = [Modifier::Abstract, Modifier::Extern, Modifier::Partial]
        .into_iter()
        .any(has);
    if is_method && !has_body && !goes_without {
        let is_of_interface = owner.is_interface()
            && decl.kind == DeclKind::Method
            && decl.accessibility != Some(Accessibility::Private)
            && ![Modifier::Virtual, Modifier::Sealed, Modifier::Static]
                .into_iter()
                .any(has);
        return (!is_of_interface).then_some("it has no body");
    }
    if is_method && has_body && has(Modifier::Abstract) {
        return Some("what is abstract has no body");
    }
    let is_private = decl.accessibility == Some(Accessibility::Private);
    let is_property = matches!(decl.kind, DeclKind::Property | DeclKind::Indexer);
    let has_none = decl.accessors.iter().any(|accessor| !accessor.has_body);
    let runs = is_private || has(Modifier::Virtual) || has(Modifier::Sealed);
    if is_property && owner.is_interface() && runs && !has(Modifier::Static) && has_none {
        return Some("its accessors have no body");
    }
    None
}

fn is_operator(decl: &Decl) -> bool {
    matches!(decl.kind, DeclKind::Operator | DeclKind::Conversion)
}

/// Whether a constructor calls another one of its type (`: this(…)`).
pub(crate) fn calls_this(tree: &BodyTree<'_>, at: DeclId) -> bool {
    let mut parts = (tree.root_of(at).into_iter()).flat_map(|root| tree.children(root));
    parts.any(|it| tree.kind(it) == BodyKind::BaseArguments && tree.node(it).flags == 1)
}

/// Whether control reaches the end of a member that has to return a value, or of its `get` accessor.
pub(crate) fn ends_without_value(tree: &BodyTree<'_>, conditions: &Conditions, at: DeclId) -> bool {
    let decl = &tree.facts.decls[at as usize];
    if !returns(tree.facts, decl) {
        return false;
    }
    let Some(root) = tree.root_of(at) else {
        return false;
    };
    tree.children(root).into_iter().any(|part| {
        let is_value = match tree.kind(part) {
            BodyKind::Body => decl.accessors.is_empty(),
            BodyKind::Accessor => {
                let accessor = decl.accessors.get(tree.node(part).value as usize);
                accessor.is_some_and(|it| it.kind == AccessorKind::Get)
            }
            _ => false,
        };
        let blocks = tree.children(part).into_iter();
        let mut blocks = blocks.filter(|&it| tree.kind(it) == BodyKind::Block);
        is_value && blocks.any(|block| ends(tree, conditions, block))
    })
}

/// Whether a value has to be returned: what an `async` method returns is its task's.
fn returns(facts: &FileFacts, decl: &Decl) -> bool {
    let has_result = match &decl.ty {
        None => false,
        Some(TypeSyntax::Predefined(name)) => facts.name(*name) != "void",
        Some(TypeSyntax::Named(segments)) if decl.modifiers.contains(Modifier::Async) => {
            segments.last().is_some_and(|it| !it.arguments.is_empty())
        }
        Some(_) => true,
    };
    let is_function = matches!(
        decl.kind,
        DeclKind::Method | DeclKind::Property | DeclKind::Indexer
    );
    has_result && (is_function || is_operator(decl))
}

/// Whether control reaches the end of a block, or `return` without a value, and the block is no iterator's.
pub(crate) fn ends(tree: &BodyTree<'_>, conditions: &Conditions, block: BodyId) -> bool {
    if own_nodes(tree, block).any(|id| tree.kind(id) == BodyKind::Yield) {
        return false;
    }
    if returns_of(tree, block).any(|id| tree.children(id).is_empty()) {
        return true;
    }
    let statements = tree.children(block);
    match (statements.first(), statements.last()) {
        (Some(&first), Some(&last)) => {
            let ways = Ways::around(tree, conditions, (first, last));
            ways.is_some_and(|ways| ways.reach_end())
        }
        _ => true,
    }
}

/// The `return` statements of the function whose body a block is.
pub(crate) fn returns_of(tree: &BodyTree<'_>, block: BodyId) -> impl Iterator<Item = BodyId> {
    own_nodes(tree, block).filter(|&id| tree.kind(id) == BodyKind::Return)
}

/// What is in a block and in no function in it.
fn own_nodes(tree: &BodyTree<'_>, block: BodyId) -> impl Iterator<Item = BodyId> {
    tree.within(block).filter(move |&id| {
        let mut around = tree.ancestors(id).take_while(|&it| it != block);
        !around.any(|it| is_deferred(tree.kind(it)))
    })
}
