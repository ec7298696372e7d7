//! The grammar's node kinds as a closed Rust enum, so that the rest of the crate matches on values.
//!
//! Must not know: what the kinds are used for.

use std::sync::OnceLock;

macro_rules! kinds {
    ($($variant:ident = $name:literal),* $(,)?) => {
        /// A node kind of the C# grammar that extraction tells apart.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub(crate) enum Kind { Other, Token, Error, $($variant),* }

        const NAMED: &[(&str, Kind)] = &[$(($name, Kind::$variant)),*];
    };
}

kinds! {
    AccessorDeclaration = "accessor_declaration", AccessorList = "accessor_list",
    AliasQualifiedName = "alias_qualified_name", AnonymousMethod = "anonymous_method_expression",
    AnonymousObject = "anonymous_object_creation_expression", Argument = "argument",
    ArgumentList = "argument_list", ArrayCreation = "array_creation_expression",
    ArrayRank = "array_rank_specifier", ArrayType = "array_type", Arrow = "arrow_expression_clause",
    As = "as_expression", Assignment = "assignment_expression", Attribute = "attribute",
    AttributeArgument = "attribute_argument", AttributeArgumentList = "attribute_argument_list",
    AttributeList = "attribute_list", AttributeTarget = "attribute_target_specifier",
    BaseList = "base_list", Block = "block", BracketedParameterList = "bracketed_parameter_list",
    Cast = "cast_expression", CatchDeclaration = "catch_declaration", Class = "class_declaration",
    Comment = "comment", CompilationUnit = "compilation_unit", ConstantPattern = "constant_pattern",
    ConditionalAccess = "conditional_access_expression",
    Constructor = "constructor_declaration", ConstructorConstraint = "constructor_constraint",
    ConstructorInitializer = "constructor_initializer", Conversion = "conversion_operator_declaration",
    DeclarationExpression = "declaration_expression", DeclarationList = "declaration_list",
    DeclarationPattern = "declaration_pattern", Default = "default_expression",
    Delegate = "delegate_declaration", Destructor = "destructor_declaration", Discard = "discard",
    Enum = "enum_declaration", EnumMember = "enum_member_declaration",
    EnumMemberList = "enum_member_declaration_list", EventDeclaration = "event_declaration",
    EventField = "event_field_declaration", ExplicitInterface = "explicit_interface_specifier",
    ExternAlias = "extern_alias_directive", Field = "field_declaration",
    FileScopedNamespace = "file_scoped_namespace_declaration", Foreach = "foreach_statement",
    FromClause = "from_clause", FunctionPointerParameter = "function_pointer_parameter",
    FunctionPointerType = "function_pointer_type", CallingConvention = "calling_convention",
    GenericName = "generic_name", GlobalAttribute = "global_attribute",
    GlobalStatement = "global_statement", Goto = "goto_statement", Identifier = "identifier",
    ImplicitParameter = "implicit_parameter", ImplicitType = "implicit_type",
    Indexer = "indexer_declaration", Initializer = "initializer_expression",
    Interface = "interface_declaration", Invocation = "invocation_expression", Is = "is_expression",
    JoinClause = "join_clause", JoinInto = "join_into_clause", Labeled = "labeled_statement",
    Lambda = "lambda_expression", LetClause = "let_clause", ListPattern = "list_pattern",
    LocalDeclaration = "local_declaration_statement", LocalFunction = "local_function_statement",
    MemberAccess = "member_access_expression", MemberBinding = "member_binding_expression",
    Method = "method_declaration", Modifier = "modifier", Namespace = "namespace_declaration",
    NullableType = "nullable_type", ObjectCreation = "object_creation_expression",
    ImplicitObjectCreation = "implicit_object_creation_expression",
    Operator = "operator_declaration", Parameter = "parameter", ParameterList = "parameter_list",
    ParenthesizedDesignation = "parenthesized_variable_designation", PointerType = "pointer_type",
    Predefined = "predefined_type", PrimaryBase = "primary_constructor_base_type",
    Property = "property_declaration", PropertyPattern = "property_pattern_clause",
    QualifiedName = "qualified_name", Query = "query_expression", Record = "record_declaration",
    RecursivePattern = "recursive_pattern", RefType = "ref_type", RefValue = "refvalue_expression",
    ScopedType = "scoped_type", SizeOf = "sizeof_expression", Stackalloc = "stackalloc_expression",
    Struct = "struct_declaration", Subpattern = "subpattern", Throw = "throw_statement",
    ThrowExpression = "throw_expression", TupleElement = "tuple_element",
    TuplePattern = "tuple_pattern", TupleType = "tuple_type", TypeArguments = "type_argument_list",
    TypeOf = "typeof_expression", TypeParameter = "type_parameter",
    TypeParameterConstraint = "type_parameter_constraint",
    ConstraintsClause = "type_parameter_constraints_clause",
    TypeParameterList = "type_parameter_list", TypePattern = "type_pattern",
    Using = "using_directive", UsingStatement = "using_statement", VarPattern = "var_pattern",
    VariableDeclaration = "variable_declaration", VariableDeclarator = "variable_declarator",
    WithInitializer = "with_initializer",
}

macro_rules! fields {
    ($($variant:ident = $name:literal),* $(,)?) => {
        /// The field of its parent that a node fills.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub(crate) enum Field { None, $($variant),* }

        const FIELDS: &[(&str, Field)] = &[$(($name, Field::$variant)),*];
    };
}

fields! {
    Accessors = "accessors", Alias = "alias", Body = "body", Expression = "expression",
    Function = "function", Initializer = "initializer", Left = "left", Name = "name",
    Operator = "operator", Parameters = "parameters", Qualifier = "qualifier", Rank = "rank",
    Returns = "returns", Right = "right", Type = "type", TypeParameters = "type_parameters",
    Value = "value",
}

/// The grammar's numbers for kinds and fields, translated once per process.
pub(crate) struct Numbers {
    kinds: Vec<Kind>,
    fields: Vec<Field>,
}

impl Numbers {
    /// The translation for the one grammar that this crate parses with.
    pub(crate) fn get() -> &'static Self {
        static NUMBERS: OnceLock<Numbers> = OnceLock::new();
        NUMBERS.get_or_init(|| {
            let language = tree_sitter::Language::new(tree_sitter_c_sharp::LANGUAGE);
            let kinds = (0..language.node_kind_count())
                .map(|id| {
                    let id = id as u16;
                    if !language.node_kind_is_named(id) {
                        return Kind::Token;
                    }
                    let name = language.node_kind_for_id(id).unwrap_or_default();
                    NAMED
                        .iter()
                        .find(|(n, _)| *n == name)
                        .map_or(Kind::Other, |&(_, kind)| kind)
                })
                .collect();
            let fields = (0..=language.field_count())
                .map(|id| {
                    let name = language.field_name_for_id(id as u16).unwrap_or_default();
                    FIELDS
                        .iter()
                        .find(|(n, _)| *n == name)
                        .map_or(Field::None, |&(_, field)| field)
                })
                .collect();
            Self { kinds, fields }
        })
    }

    pub(crate) fn kind(&self, id: u16) -> Kind {
        self.kinds
            .get(usize::from(id))
            .copied()
            .unwrap_or(Kind::Error)
    }

    pub(crate) fn field(&self, id: Option<std::num::NonZeroU16>) -> Field {
        id.and_then(|id| self.fields.get(usize::from(id.get())).copied())
            .unwrap_or(Field::None)
    }
}

#[cfg(test)]
mod tests {
    use super::{FIELDS, NAMED};

    #[test]
    fn every_name_is_one_of_the_grammar() {
        let language = tree_sitter::Language::new(tree_sitter_c_sharp::LANGUAGE);
        for (name, _) in NAMED {
            assert_ne!(
                language.id_for_node_kind(name, true),
                0,
                "no node kind {name}"
            );
        }
        for (name, _) in FIELDS {
            assert!(
                language.field_id_for_name(name).is_some(),
                "no field {name}"
            );
        }
    }
}
