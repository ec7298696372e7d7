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
    AliasQualifiedName = "alias_qualified_name", AndPattern = "and_pattern",
    AnonymousMethod = "anonymous_method_expression",
    AnonymousObject = "anonymous_object_creation_expression", Argument = "argument",
    ArgumentList = "argument_list", ArrayCreation = "array_creation_expression",
    ArrayRank = "array_rank_specifier", ArrayType = "array_type", Arrow = "arrow_expression_clause",
    As = "as_expression", Assignment = "assignment_expression", Attribute = "attribute",
    AttributeArgument = "attribute_argument", AttributeArgumentList = "attribute_argument_list",
    AttributeList = "attribute_list", AttributeTarget = "attribute_target_specifier",
    Await = "await_expression", BaseList = "base_list", Binary = "binary_expression",
    Block = "block", BooleanLiteral = "boolean_literal",
    BracketedArguments = "bracketed_argument_list",
    BracketedParameterList = "bracketed_parameter_list", Break = "break_statement",
    CallingConvention = "calling_convention", Cast = "cast_expression",
    CatchClause = "catch_clause", CatchDeclaration = "catch_declaration",
    CatchFilter = "catch_filter_clause", CharacterLiteral = "character_literal",
    CheckedExpression = "checked_expression", CheckedStatement = "checked_statement",
    Class = "class_declaration", CollectionElement = "collection_element",
    CollectionExpression = "collection_expression", Comment = "comment",
    CompilationUnit = "compilation_unit", Conditional = "conditional_expression",
    ConditionalAccess = "conditional_access_expression", ConstantPattern = "constant_pattern",
    ConstraintsClause = "type_parameter_constraints_clause",
    Constructor = "constructor_declaration", ConstructorConstraint = "constructor_constraint",
    ConstructorInitializer = "constructor_initializer", Continue = "continue_statement",
    Conversion = "conversion_operator_declaration",
    DeclarationExpression = "declaration_expression", DeclarationList = "declaration_list",
    DeclarationPattern = "declaration_pattern", Default = "default_expression",
    Delegate = "delegate_declaration", Destructor = "destructor_declaration", Discard = "discard",
    Do = "do_statement", ElementAccess = "element_access_expression",
    ElementBinding = "element_binding_expression", EmptyStatement = "empty_statement",
    Enum = "enum_declaration", EnumMember = "enum_member_declaration",
    EnumMemberList = "enum_member_declaration_list", EventDeclaration = "event_declaration",
    EventField = "event_field_declaration", ExplicitInterface = "explicit_interface_specifier",
    ExpressionElement = "expression_element", ExpressionStatement = "expression_statement",
    ExternAlias = "extern_alias_directive", Field = "field_declaration",
    FileScopedNamespace = "file_scoped_namespace_declaration", FinallyClause = "finally_clause",
    Fixed = "fixed_statement", For = "for_statement", Foreach = "foreach_statement",
    FromClause = "from_clause", FunctionPointerParameter = "function_pointer_parameter",
    FunctionPointerType = "function_pointer_type", GenericName = "generic_name",
    GlobalAttribute = "global_attribute", GlobalStatement = "global_statement",
    Goto = "goto_statement", GroupClause = "group_clause", Identifier = "identifier",
    If = "if_statement", ImplicitArray = "implicit_array_creation_expression",
    ImplicitObjectCreation = "implicit_object_creation_expression",
    ImplicitParameter = "implicit_parameter", ImplicitStackalloc = "implicit_stackalloc_expression",
    ImplicitType = "implicit_type", Indexer = "indexer_declaration",
    Initializer = "initializer_expression", IntegerLiteral = "integer_literal",
    Interface = "interface_declaration", InterpolatedString = "interpolated_string_expression",
    Interpolation = "interpolation", InterpolationBrace = "interpolation_brace", InterpolationAlignment = "interpolation_alignment_clause",
    InterpolationFormat = "interpolation_format_clause", Invocation = "invocation_expression",
    Is = "is_expression", IsPattern = "is_pattern_expression", JoinClause = "join_clause",
    JoinInto = "join_into_clause", Labeled = "labeled_statement", Lambda = "lambda_expression",
    LetClause = "let_clause", ListPattern = "list_pattern",
    LocalDeclaration = "local_declaration_statement", LocalFunction = "local_function_statement",
    Lock = "lock_statement", MemberAccess = "member_access_expression",
    MemberBinding = "member_binding_expression", Method = "method_declaration",
    Modifier = "modifier", Namespace = "namespace_declaration", NegatedPattern = "negated_pattern",
    NullableType = "nullable_type", NullLiteral = "null_literal",
    ObjectCreation = "object_creation_expression", Operator = "operator_declaration",
    OrderByClause = "order_by_clause", OrPattern = "or_pattern", Parameter = "parameter",
    ParameterList = "parameter_list", Parenthesized = "parenthesized_expression",
    ParenthesizedDesignation = "parenthesized_variable_designation",
    ParenthesizedPattern = "parenthesized_pattern", PointerType = "pointer_type",
    PositionalPattern = "positional_pattern_clause", PostfixUnary = "postfix_unary_expression",
    Predefined = "predefined_type", PrefixUnary = "prefix_unary_expression",
    PrimaryBase = "primary_constructor_base_type", Property = "property_declaration",
    PropertyPattern = "property_pattern_clause", QualifiedName = "qualified_name",
    Query = "query_expression", Range = "range_expression", RawStringLiteral = "raw_string_literal",
    RealLiteral = "real_literal", Record = "record_declaration",
    RecursivePattern = "recursive_pattern", RefExpression = "ref_expression", RefType = "ref_type",
    RefValue = "refvalue_expression", RelationalPattern = "relational_pattern",
    Return = "return_statement", ScopedType = "scoped_type", SelectClause = "select_clause",
    SizeOf = "sizeof_expression", SpreadElement = "spread_element",
    Stackalloc = "stackalloc_expression", StringLiteral = "string_literal",
    Struct = "struct_declaration", Subpattern = "subpattern", Switch = "switch_statement",
    SwitchArm = "switch_expression_arm", SwitchBody = "switch_body",
    SwitchExpression = "switch_expression", SwitchSection = "switch_section",
    Throw = "throw_statement", ThrowExpression = "throw_expression", Try = "try_statement",
    Tuple = "tuple_expression", TupleElement = "tuple_element", TuplePattern = "tuple_pattern",
    TupleType = "tuple_type", TypeArguments = "type_argument_list", TypeOf = "typeof_expression",
    TypeParameter = "type_parameter", TypeParameterConstraint = "type_parameter_constraint",
    TypeParameterList = "type_parameter_list", TypePattern = "type_pattern",
    Unsafe = "unsafe_statement", Using = "using_directive", UsingStatement = "using_statement",
    VariableDeclaration = "variable_declaration", VariableDeclarator = "variable_declarator",
    VarPattern = "var_pattern", VerbatimStringLiteral = "verbatim_string_literal",
    WhenClause = "when_clause", WhereClause = "where_clause", While = "while_statement",
    With = "with_expression", WithInitializer = "with_initializer", Yield = "yield_statement",
}

impl Kind {
    /// Whether it is a statement.
    pub(crate) fn is_statement(self) -> bool {
        matches!(
            self,
            Self::Block
                | Self::LocalDeclaration
                | Self::LocalFunction
                | Self::ExpressionStatement
                | Self::Return
                | Self::Throw
                | Self::If
                | Self::While
                | Self::Do
                | Self::For
                | Self::Foreach
                | Self::UsingStatement
                | Self::Lock
                | Self::Fixed
                | Self::Try
                | Self::Switch
                | Self::Yield
                | Self::Goto
                | Self::Labeled
                | Self::CheckedStatement
                | Self::Unsafe
                | Self::Break
                | Self::Continue
                | Self::EmptyStatement
                | Self::GlobalStatement
        )
    }
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
    Accessors = "accessors", Alias = "alias", Alternative = "alternative", Arguments = "arguments",
    Body = "body", Condition = "condition", Consequence = "consequence", Expression = "expression",
    Function = "function", Initializer = "initializer", Left = "left", Name = "name",
    Operator = "operator", Parameters = "parameters", Pattern = "pattern", Qualifier = "qualifier",
    Rank = "rank", Returns = "returns", Right = "right", Subscript = "subscript", Type = "type",
    TypeParameters = "type_parameters", Update = "update", Value = "value",
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
