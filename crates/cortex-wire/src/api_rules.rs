//! The rules by which public APIs are compared: `CP…` of the .NET SDK, `CX…` of our own.

/// A rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ApiRule {
    /// Its identifier.
    pub id: &'static str,
    /// What it reports, in one line.
    pub title: &'static str,
}

const fn rule(id: &'static str, title: &'static str) -> ApiRule {
    ApiRule { id, title }
}

/// Every rule, by identifier.
pub const API_RULES: &[ApiRule] = &[
    rule("CP0001", "a type is missing on one side"),
    rule("CP0002", "a member is missing on one side"),
    rule("CP0003", "the assembly's version is lower, or another"),
    rule("CP0004", "an assembly is missing"),
    rule(
        "CP0005",
        "an abstract member was added to a type that others derive from",
    ),
    rule(
        "CP0006",
        "a member without a body was added to an interface",
    ),
    rule("CP0007", "a base class was removed from a type's hierarchy"),
    rule("CP0008", "an interface was removed from a type's hierarchy"),
    rule("CP0009", "a type can no longer be derived from"),
    rule("CP0010", "an enum's underlying type changed"),
    rule("CP0011", "an enum member's value changed"),
    rule(
        "CP0012",
        "`virtual` or `abstract` was removed from a member",
    ),
    rule("CP0013", "`virtual` was added to a member"),
    rule("CP0014", "an attribute was removed"),
    rule("CP0015", "an attribute's arguments changed"),
    rule("CP0016", "an attribute was added"),
    rule("CP0017", "a parameter has another name"),
    rule("CP0018", "`sealed` was added to an interface member"),
    rule("CP0019", "something is less visible"),
    rule("CP0020", "something is more visible"),
    rule("CP0021", "a generic constraint changed"),
    rule("CX1001", "nullability of references changed"),
    rule("CX1002", "a default value was removed"),
    rule("CX1003", "a member became `required`"),
    rule(
        "CX1004",
        "an argument is passed in another way (`ref`, `in`, `out`, `params`)",
    ),
    rule("CX1005", "`static` was added or removed"),
    rule(
        "CX1006",
        "a field became `readonly` or is no longer a constant",
    ),
    rule(
        "CX1007",
        "an overload was added that calls may mean instead, or cannot choose",
    ),
    rule(
        "CX1008",
        "a type is of another kind (`class`, `struct`, `record`, `ref struct`, …)",
    ),
    rule("CX1009", "the variance of a type parameter changed"),
    rule(
        "CX1010",
        "`[Obsolete]` was added as an error, or became one",
    ),
    rule(
        "CX1011",
        "a reference is returned in another way (`ref`, `ref readonly`)",
    ),
    rule("CX1012", "a class became `abstract`"),
    rule("CX2001", "a default value changed"),
    rule("CX2002", "a constant's value changed"),
    rule(
        "CX2003",
        "the body of a member that others override or call virtually changed",
    ),
];
