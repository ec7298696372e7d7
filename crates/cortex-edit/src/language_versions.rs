//! What the language has since which version: the features that code uses, each where it stands.
//!
//! Told from syntax alone; which value of a `with` is a struct, which name is a method, and which `?:` has no type of its
//! own, is left to who knows what names mean. Of a `?:` whose own type does not convert to that of its place, nothing is
//! said. Must not know: which version a project is
//! written in, and what an edit writes.
//!
//! Source: the version history of C#, and CS8773 of the compiler and those like it.

use cortex_model::{Accessibility, ByteRange, DeclKind, Modifier, TypeKind};
use cortex_syntax::{
    AccessorKind, BodyId, BodyKind, Decl, LiteralKind, Op, TypeSyntax, body_flags, ref_kind,
};

use crate::{body_tree::BodyTree, identifier::is_keyword};

/// A version of the language: 7.1, 12.0.
pub(crate) type Version = (u32, u32);

/// A feature of the language: the version that it comes with, and that in words.
pub(crate) type Feature = (Version, &'static str);

const DEFAULT_LITERAL: Feature = ((7, 1), "`default` without a type comes with C# 7.1");
const SWITCH_EXPRESSION: Feature = ((8, 0), "switch expressions come with C# 8");
const USING_DECLARATION: Feature = ((8, 0), "using declarations come with C# 8");
const INDEX: Feature = ((8, 0), "indices from the end come with C# 8");
const RANGE: Feature = ((8, 0), "ranges come with C# 8");
const STATIC_LOCAL_FUNCTION: Feature = ((8, 0), "static local functions come with C# 8");
const COALESCING_ASSIGNMENT: Feature = ((8, 0), "`??=` comes with C# 8");
const RECURSIVE_PATTERN: Feature = ((8, 0), "patterns with parts come with C# 8");
const NULLABLE_REFERENCE: Feature = ((8, 0), "nullable reference types come with C# 8");
const ASYNC_STREAM: Feature = ((8, 0), "`await foreach` and `await using` come with C# 8");
const READONLY_MEMBER: Feature = ((8, 0), "readonly members come with C# 8");
const INTERFACE_BODY: Feature = ((8, 0), "bodies of members of interfaces come with C# 8");
const PATTERN_COMBINATOR: Feature = ((9, 0), "`and`, `or` and `not` in patterns come with C# 9");
const RELATIONAL_PATTERN: Feature = ((9, 0), "relational patterns come with C# 9");
const PARENTHESIZED_PATTERN: Feature = ((9, 0), "parenthesized patterns come with C# 9");
const TYPE_PATTERN: Feature = ((9, 0), "patterns that are types come with C# 9");
const TARGET_TYPED_NEW: Feature = ((9, 0), "`new` without a type comes with C# 9");
/// Of `int? x = b ? 1 : null;`.
pub(crate) const TARGET_TYPED_CONDITIONAL: Feature =
    ((9, 0), "`?:` without a common type comes with C# 9");
const WITH: Feature = ((9, 0), "`with` comes with C# 9");
const STATIC_LAMBDA: Feature = ((9, 0), "static lambdas come with C# 9");
const DISCARD_PARAMETER: Feature = ((9, 0), "discards as parameters come with C# 9");
const LOCAL_FUNCTION_ATTRIBUTE: Feature = ((9, 0), "attributes of local functions come with C# 9");
const FUNCTION_POINTER: Feature = ((9, 0), "function pointers come with C# 9");
const TOP_LEVEL_STATEMENT: Feature = ((9, 0), "top-level statements come with C# 9");
const RECORD: Feature = ((9, 0), "records come with C# 9");
const INIT: Feature = ((9, 0), "`init` comes with C# 9");
const RECORD_STRUCT: Feature = ((10, 0), "record structs come with C# 10");
const LAMBDA_ATTRIBUTE: Feature = ((10, 0), "attributes of lambdas come with C# 10");
const LAMBDA_RESULT: Feature = ((10, 0), "return types of lambdas come with C# 10");
const LAMBDA_TYPE: Feature = ((10, 0), "lambdas for `var` come with C# 10");
/// Of `var f = M;`, where `M` is a method.
pub(crate) const METHOD_TYPE: Feature = ((10, 0), "methods as values of `var` come with C# 10");
/// Of `s with { … }`, where `s` is a struct.
pub(crate) const STRUCT_WITH: Feature = (
    (10, 0),
    "`with` of structs and anonymous types comes with C# 10",
);
const EXTENDED_PROPERTY_PATTERN: Feature = ((10, 0), "dots in property patterns come with C# 10");
const MIXED_DECONSTRUCTION: Feature = (
    (10, 0),
    "variables beside declarations in a deconstruction come with C# 10",
);
const CONSTANT_INTERPOLATION: Feature = ((10, 0), "constant interpolated strings come with C# 10");
const STRUCT_CONSTRUCTOR: Feature = (
    (10, 0),
    "constructors of structs without parameters come with C# 10",
);
const FILE_NAMESPACE: Feature = ((10, 0), "namespaces of whole files come with C# 10");
const GLOBAL_USING: Feature = ((10, 0), "`global using` comes with C# 10");
const LIST_PATTERN: Feature = ((11, 0), "list patterns come with C# 11");
const RAW_STRING: Feature = ((11, 0), "raw strings come with C# 11");
const UTF8_STRING: Feature = ((11, 0), "`u8` strings come with C# 11");
const UNSIGNED_SHIFT: Feature = ((11, 0), "`>>>` comes with C# 11");
const GENERIC_ATTRIBUTE: Feature = ((11, 0), "generic attributes come with C# 11");
const LINE_IN_INTERPOLATION: Feature = (
    (11, 0),
    "lines in the holes of interpolated strings come with C# 11",
);
const STATIC_ABSTRACT: Feature = ((11, 0), "static abstract members come with C# 11");
const REQUIRED: Feature = ((11, 0), "`required` comes with C# 11");
const SCOPED: Feature = ((11, 0), "`scoped` comes with C# 11");
const REF_FIELD: Feature = ((11, 0), "`ref` fields come with C# 11");
const FILE_TYPE: Feature = ((11, 0), "`file` comes with C# 11");
const COLLECTION_EXPRESSION: Feature = ((12, 0), "collection expressions come with C# 12");
const LAMBDA_DEFAULT: Feature = (
    (12, 0),
    "default values and `params` of lambdas come with C# 12",
);
const PRIMARY_CONSTRUCTOR: Feature = ((12, 0), "primary constructors come with C# 12");
const REF_READONLY_PARAMETER: Feature = ((12, 0), "`ref readonly` parameters come with C# 12");
const PARAMS_COLLECTION: Feature = ((13, 0), "`params` collections come with C# 13");
const PARTIAL_PROPERTY: Feature = ((13, 0), "partial properties come with C# 13");
const ESCAPE: Feature = ((13, 0), "`\\e` comes with C# 13");
const CONDITIONAL_ASSIGNMENT: Feature = ((14, 0), "assignments behind `?.` come with C# 14");
const OPEN_NAMEOF: Feature = ((14, 0), "`nameof` without type arguments comes with C# 14");
/// Of `get => field;`, where nothing else has the name.
pub(crate) const FIELD_KEYWORD: Feature = ((14, 0), "`field` comes with C# 14");
const LAMBDA_MODIFIER: Feature = (
    (14, 0),
    "modifiers of lambda parameters without a type come with C# 14",
);
const PARTIAL_CONSTRUCTOR: Feature = ((14, 0), "partial constructors and events come with C# 14");
const EXTENSION: Feature = ((14, 0), "extension blocks come with C# 14");

/// A feature that code uses, and the tokens that make it one.
pub(crate) struct Used {
    pub(crate) feature: Feature,
    pub(crate) range: ByteRange,
}

/// The features of statements, expressions, types and tokens that came after a version. O(bytes).
pub(crate) fn used(tree: &BodyTree<'_>, version: Version) -> Vec<Used> {
    let is_newer = |(since, _): &Feature| *since > version;
    let mut found = Vec::new();
    for id in tree.nodes() {
        if let Some(feature) = of_node(tree, id).filter(is_newer) {
            let range = marks(tree, id, feature);
            found.push(Used { feature, range });
        }
    }
    let tokens = tree.all_tokens();
    let word = |at: usize| tokens.get(at).map_or("", |it| &tree.text[it.as_usize()]);
    for (at, &range) in tokens.iter().enumerate() {
        let token = word(at);
        let of_token = match token {
            "global" if word(at + 1) == "using" => Some(GLOBAL_USING),
            "scoped" => limits_scope(word(at + 1), word(at + 2)).then_some(SCOPED),
            "namespace" => {
                let mut next = (at + 1..tokens.len()).map(word);
                let end = next.find(|it| matches!(*it, ";" | "{"));
                (end == Some(";")).then_some(FILE_NAMESPACE)
            }
            _ if token.trim_start_matches(['$', '@']).starts_with("\"\"\"") => Some(RAW_STRING),
            _ if token.starts_with(['"', '\'']) && has_escape(token) => Some(ESCAPE),
            _ => None,
        };
        let of_token = of_token.filter(is_newer);
        found.extend(of_token.map(|feature| Used { feature, range }));
    }
    found
}

/// Whether `scoped` before two tokens is a modifier: what follows is a type, and the name of a variable.
fn limits_scope(next: &str, after: &str) -> bool {
    let is_name = |it: &str| it.starts_with(|c: char| c == '_' || c == '@' || c.is_alphabetic());
    let is_type = is_name(next) && !is_keyword(next);
    matches!(next, "ref" | "in" | "out")
        || is_type && (matches!(after, "<" | "." | "::" | "?") || is_name(after))
}

/// Whether a literal has the character of `\e`.
fn has_escape(literal: &str) -> bool {
    let mut characters = literal.chars();
    while let Some(character) = characters.next() {
        if character == '\\' && characters.next() == Some('e') {
            return true;
        }
    }
    false
}

/// The feature that a node is by itself.
fn of_node(tree: &BodyTree<'_>, id: BodyId) -> Option<Feature> {
    let node = tree.node(id);
    let has = |flag: u8| node.flags & flag != 0;
    let has_child = |kind| {
        tree.children(id)
            .into_iter()
            .any(|it| tree.kind(it) == kind)
    };
    match node.kind {
        BodyKind::DefaultLiteral => Some(DEFAULT_LITERAL),
        BodyKind::SwitchExpression => Some(SWITCH_EXPRESSION),
        BodyKind::Range => Some(RANGE),
        BodyKind::Unary if node.flags == Op::FromEnd as u8 => Some(INDEX),
        BodyKind::Assignment if node.flags == Op::Coalesce as u8 => Some(COALESCING_ASSIGNMENT),
        BodyKind::SuppressNull => Some(NULLABLE_REFERENCE),
        BodyKind::NullableType => {
            let inner = *tree.children(id).first()?;
            let is_reference = matches!(tree.text_of(inner), "string" | "object");
            (is_reference || tree.kind(inner) == BodyKind::ArrayType).then_some(NULLABLE_REFERENCE)
        }
        BodyKind::LocalDeclaration if has(body_flags::AWAIT) => Some(ASYNC_STREAM),
        BodyKind::LocalDeclaration if has(body_flags::USING) => Some(USING_DECLARATION),
        BodyKind::ForEach | BodyKind::ForEachDeconstruct | BodyKind::Using
            if has(body_flags::AWAIT) =>
        {
            Some(ASYNC_STREAM)
        }
        BodyKind::PositionalClause | BodyKind::PropertyClause => Some(RECURSIVE_PATTERN),
        BodyKind::Subpattern => {
            let parts = tree.children(id);
            let is_path = parts.len() > 1 && tree.kind(parts[0]) == BodyKind::MemberAccess;
            is_path.then_some(EXTENDED_PROPERTY_PATTERN)
        }
        BodyKind::BinaryPattern | BodyKind::NotPattern => Some(PATTERN_COMBINATOR),
        BodyKind::RelationalPattern => Some(RELATIONAL_PATTERN),
        BodyKind::TypePattern => Some(TYPE_PATTERN),
        // Of a constant, it is an expression.
        BodyKind::ParenthesizedPattern => {
            (!has_child(BodyKind::ConstantPattern)).then_some(PARENTHESIZED_PATTERN)
        }
        BodyKind::ListPattern => Some(LIST_PATTERN),
        BodyKind::ImplicitCreation => Some(TARGET_TYPED_NEW),
        BodyKind::With => Some(WITH),
        BodyKind::FunctionPointerType => Some(FUNCTION_POINTER),
        BodyKind::CollectionExpression => Some(COLLECTION_EXPRESSION),
        BodyKind::Binary | BodyKind::Assignment if node.flags == Op::UnsignedShiftRight as u8 => {
            Some(UNSIGNED_SHIFT)
        }
        BodyKind::Literal if node.flags == LiteralKind::Utf8String as u8 => Some(UTF8_STRING),
        BodyKind::Attribute => has_child(BodyKind::GenericName).then_some(GENERIC_ATTRIBUTE),
        BodyKind::ConditionalAccess => {
            has_child(BodyKind::Assignment).then_some(CONDITIONAL_ASSIGNMENT)
        }
        BodyKind::GenericName if has_child(BodyKind::OmittedType) => {
            is_in_nameof(tree, id).then_some(OPEN_NAMEOF)
        }
        BodyKind::Interpolation => {
            let around = tree.text_of(tree.parent(id)?);
            let is_plain = around.starts_with("$\"") && !around.starts_with("$\"\"\"");
            (is_plain && tree.text_of(id).contains('\n')).then_some(LINE_IN_INTERPOLATION)
        }
        BodyKind::InterpolatedString => is_constant(tree, id).then_some(CONSTANT_INTERPOLATION),
        BodyKind::Tuple => mixes(tree, id).then_some(MIXED_DECONSTRUCTION),
        _ => of_function(tree, id),
    }
}

/// The feature of a lambda, a local function or one of their parameters.
fn of_function(tree: &BodyTree<'_>, id: BodyId) -> Option<Feature> {
    let node = tree.node(id);
    let is_static = node.flags & body_flags::STATIC != 0;
    let children = tree.children(id);
    let mut kinds = children.iter().map(|&it| tree.kind(it));
    match node.kind {
        BodyKind::LocalFunction if kinds.any(|it| it == BodyKind::Attribute) => {
            Some(LOCAL_FUNCTION_ATTRIBUTE)
        }
        BodyKind::LocalFunction => is_static.then_some(STATIC_LOCAL_FUNCTION),
        BodyKind::Lambda if node.value == 1 => Some(LAMBDA_RESULT),
        BodyKind::Lambda | BodyKind::AnonymousMethod => {
            if kinds.any(|it| it == BodyKind::Attribute) {
                return Some(LAMBDA_ATTRIBUTE);
            }
            if is_value_of_var(tree, id) {
                return Some(LAMBDA_TYPE);
            }
            let discards = children.iter().filter(|&&it| {
                let node = tree.node(it);
                let name = node.name().map(|name| tree.facts.name(name));
                node.kind == BodyKind::LambdaParameter && name == Some("_")
            });
            let of_parameters = (discards.count() > 1).then_some(DISCARD_PARAMETER);
            of_parameters.or(is_static.then_some(STATIC_LAMBDA))
        }
        BodyKind::LambdaParameter => {
            let of_lambda = tree.parent(id).map(|it| tree.kind(it)) == Some(BodyKind::Lambda);
            let is_given = node.flags & (ref_kind::OPTIONAL | ref_kind::PARAMS) != 0;
            let passed = node.flags & (ref_kind::PARAMS - 1);
            match passed {
                _ if of_lambda && is_given => Some(LAMBDA_DEFAULT),
                ref_kind::REF_READONLY => Some(REF_READONLY_PARAMETER),
                ref_kind::NONE => None,
                _ => (of_lambda && children.is_empty()).then_some(LAMBDA_MODIFIER),
            }
        }
        _ => None,
    }
}

/// Whether an expression is all of what a `var` gets.
pub(crate) fn is_value_of_var(tree: &BodyTree<'_>, id: BodyId) -> bool {
    let mut around = tree.ancestors(id);
    let around = around.find(|&it| tree.kind(it) != BodyKind::Parenthesized);
    let declarator = around.filter(|&it| tree.kind(it) == BodyKind::Declarator);
    let declaration = declarator.and_then(|it| tree.parent(it));
    declaration.is_some_and(|it| {
        let ty = tree.children(it).first().copied();
        tree.kind(it) == BodyKind::LocalDeclaration
            && ty.is_some_and(|ty| tree.text_of(ty) == "var")
    })
}

/// Whether an interpolated string is the value of a constant.
fn is_constant(tree: &BodyTree<'_>, id: BodyId) -> bool {
    let mut around = tree.ancestors(id);
    around.any(|it| match tree.kind(it) {
        BodyKind::LocalDeclaration => tree.node(it).flags & body_flags::CONST != 0,
        BodyKind::Decl => {
            let decl = (tree.node(it).value as usize).checked_sub(1);
            let decl = decl.and_then(|at| tree.facts.decls.get(at));
            decl.is_some_and(|decl| decl.kind == DeclKind::Constant)
        }
        _ => false,
    })
}

fn is_in_nameof(tree: &BodyTree<'_>, id: BodyId) -> bool {
    let mut around = tree.ancestors(id);
    around.any(|it| {
        let callee = tree.children(it).first().copied();
        tree.kind(it) == BodyKind::Invocation
            && callee.is_some_and(|callee| tree.text_of(callee) == "nameof")
    })
}

/// Whether a tuple is what a value is taken apart to: declarations and other variables.
fn mixes(tree: &BodyTree<'_>, id: BodyId) -> bool {
    let is_target = tree.index_in_parent(id) == 0
        && tree.parent(id).is_some_and(|it| {
            tree.kind(it) == BodyKind::Assignment && tree.node(it).flags == Op::Assign as u8
        });
    let arguments = tree.children(id).into_iter();
    let parts = arguments.flat_map(|it| tree.children(it).into_iter().next());
    let parts = parts.filter(|&it| tree.text_of(it) != "_");
    let declares: Vec<bool> = parts
        .map(|it| tree.kind(it) == BodyKind::DeclarationExpression)
        .collect();
    is_target && declares.contains(&true) && declares.contains(&false)
}

/// The tokens that make a node what it is: code inside of it may change without it.
pub(crate) fn marks(tree: &BodyTree<'_>, id: BodyId, feature: Feature) -> ByteRange {
    let span = tree.span(id);
    let children = tree.children(id);
    let is_own = |token: &&ByteRange| {
        let mut spans = children.iter().map(|&it| tree.span(it));
        !spans.any(|it| it.start <= token.start && token.end <= it.end && it.end > it.start)
    };
    let own: Vec<ByteRange> = (tree.tokens_in(span).iter())
        .filter(is_own)
        .copied()
        .collect();
    let text = |range: &ByteRange| &tree.text[range.as_usize()];
    let word = match feature {
        SWITCH_EXPRESSION => "switch",
        RANGE => "..",
        COALESCING_ASSIGNMENT => "??=",
        UNSIGNED_SHIFT => ">>>",
        USING_DECLARATION => "using",
        ASYNC_STREAM => "await",
        STATIC_LOCAL_FUNCTION | STATIC_LAMBDA => "static",
        WITH | STRUCT_WITH => "with",
        NULLABLE_REFERENCE => return own.last().copied().unwrap_or(span),
        // A type may be taken out of them, which leaves nothing new but what stays.
        TARGET_TYPED_NEW | DEFAULT_LITERAL => {
            let end = own.get(1).or(own.first()).map_or(span.end, |it| it.end);
            return ByteRange { end, ..span };
        }
        // What makes them one is a part of them.
        LAMBDA_ATTRIBUTE
        | LAMBDA_RESULT
        | LAMBDA_TYPE
        | DISCARD_PARAMETER
        | LOCAL_FUNCTION_ATTRIBUTE => {
            let body = children
                .iter()
                .rfind(|&&it| tree.kind(it) != BodyKind::Attribute);
            let end = body.map_or(span.end, |&it| tree.span(it).start);
            return ByteRange { end, ..span };
        }
        CONDITIONAL_ASSIGNMENT => "=",
        PATTERN_COMBINATOR
        | COLLECTION_EXPRESSION
        | LIST_PATTERN
        | RECURSIVE_PATTERN
        | PARENTHESIZED_PATTERN
        | RELATIONAL_PATTERN => {
            return own.first().copied().unwrap_or(span);
        }
        _ => return span,
    };
    own.into_iter().find(|it| text(it) == word).unwrap_or(span)
}

/// The features of the head of a declaration that came after a version; `around`: what it is declared in.
pub(crate) fn used_by_head(version: Version, decl: &Decl, around: Option<&Decl>) -> Vec<Feature> {
    let all = of_declaration(decl, around).into_iter();
    let used = all.filter(|(feature, is_used)| *is_used && feature.0 > version);
    used.map(|(feature, _)| feature).collect()
}

/// The features that the head of a declaration may have, and whether it has each.
fn of_declaration(decl: &Decl, around: Option<&Decl>) -> [(Feature, bool); 19] {
    let has = |modifier| decl.modifiers.contains(modifier);
    let kind = decl.kind.type_kind();
    let is_around = |kind| around.is_some_and(|it| it.kind.type_kind() == Some(kind));
    let is_in_interface = kind.is_none() && is_around(TypeKind::Interface);
    let is_function = matches!(
        decl.kind,
        DeclKind::Method | DeclKind::Property | DeclKind::Indexer | DeclKind::Event
    );
    let mut accessors = decl.accessors.iter();
    let has_body = match decl.kind {
        DeclKind::Method => decl.body_range.start < decl.body_range.end,
        _ => accessors.any(|it| it.has_body),
    };
    let is_overridable = has(Modifier::Abstract) || has(Modifier::Virtual);
    let params = decl.params.as_deref().unwrap_or_default();
    let mut each = params.iter();
    let collects = each.any(|it| {
        it.modifiers.contains(Modifier::Params) && !matches!(it.ty, Some(TypeSyntax::Array(..)))
    });
    let by_readonly = |it: &cortex_syntax::Param| {
        it.modifiers.contains(Modifier::Ref) && it.modifiers.contains(Modifier::Readonly)
    };
    let has_init = decl
        .accessors
        .iter()
        .any(|it| it.kind == AccessorKind::Init);
    let is_primary = matches!(kind, Some(TypeKind::Class | TypeKind::Struct));
    [
        (READONLY_MEMBER, is_function && has(Modifier::Readonly)),
        (INTERFACE_BODY, is_in_interface && is_function && has_body),
        (RECORD, kind == Some(TypeKind::Record)),
        (INIT, has_init),
        (TOP_LEVEL_STATEMENT, decl.kind == DeclKind::TopLevel),
        (RECORD_STRUCT, kind == Some(TypeKind::RecordStruct)),
        (
            STRUCT_CONSTRUCTOR,
            decl.kind == DeclKind::Constructor && params.is_empty() && is_around(TypeKind::Struct),
        ),
        (
            STATIC_ABSTRACT,
            is_in_interface && has(Modifier::Static) && is_overridable,
        ),
        (REQUIRED, has(Modifier::Required)),
        (
            SCOPED,
            (params.iter()).any(|it| it.modifiers.contains(Modifier::Scoped)),
        ),
        (
            REF_FIELD,
            decl.kind == DeclKind::Field
                && matches!(
                    decl.ty,
                    Some(TypeSyntax::Ref(..) | TypeSyntax::RefReadonly(..))
                ),
        ),
        (FILE_TYPE, decl.accessibility == Some(Accessibility::File)),
        (PRIMARY_CONSTRUCTOR, is_primary && decl.params.is_some()),
        (REF_READONLY_PARAMETER, params.iter().any(by_readonly)),
        (PARAMS_COLLECTION, collects),
        (
            PARTIAL_PROPERTY,
            matches!(decl.kind, DeclKind::Property | DeclKind::Indexer) && has(Modifier::Partial),
        ),
        (
            PARTIAL_CONSTRUCTOR,
            matches!(decl.kind, DeclKind::Constructor | DeclKind::Event) && has(Modifier::Partial),
        ),
        (EXTENSION, decl.kind == DeclKind::Extension),
        (
            FUNCTION_POINTER,
            matches!(decl.ty, Some(TypeSyntax::FunctionPointer(..))),
        ),
    ]
}
