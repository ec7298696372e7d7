//! What the frameworks for tests call things.
//!
//! Owns: names of xUnit, NUnit, MSTest and TUnit. Must not know: how they are bound.

/// Namespaces of test frameworks; those below them count.
const NAMESPACES: [&str; 4] = [
    "Xunit",
    "NUnit.Framework",
    "Microsoft.VisualStudio.TestTools.UnitTesting",
    "TUnit.Core",
];

/// Attributes that make a method a test, in one framework or another.
const TESTS: [&str; 11] = [
    "Fact",
    "Theory",
    "Test",
    "TestCase",
    "TestCaseSource",
    "Combinatorial",
    "Pairwise",
    "Sequential",
    "TestMethod",
    "DataTestMethod",
    "Property",
];

/// Ends of the names of attributes that packages derive from those: `SkippableFact`, `StaTestMethod`,
/// `AvaloniaTest`.
const DERIVED: [&str; 6] = [
    "Fact",
    "Theory",
    "Test",
    "TestCase",
    "TestMethod",
    "TestCaseSource",
];

/// Attributes that make a runner leave a test out.
const SKIPS: [&str; 3] = ["Ignore", "Skip", "Explicit"];

/// Attributes whose type makes the arguments of a test.
const ROWS: [&str; 3] = ["ClassData", "TestCaseSource", "ClassDataSource"];

/// Attributes that make a method run before or after tests.
const SET_UPS: [&str; 14] = [
    "SetUp",
    "TearDown",
    "OneTimeSetUp",
    "OneTimeTearDown",
    "TestInitialize",
    "TestCleanup",
    "ClassInitialize",
    "ClassCleanup",
    "AssemblyInitialize",
    "AssemblyCleanup",
    "Before",
    "After",
    "BeforeEvery",
    "AfterEvery",
];

/// What an attribute makes of a method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Marks {
    /// A test.
    Test,
    /// Something that runs before or after tests.
    SetUp,
}

/// What the attribute of a documentation id (`T:Xunit.FactAttribute`) makes of a method.
pub fn marks(id: &str) -> Option<Marks> {
    let path = id.strip_prefix("T:").unwrap_or(id);
    let (namespace, name) = path.rsplit_once('.').unwrap_or(("", path));
    let name = name.split('`').next().unwrap_or(name);
    let name = name.strip_suffix("Attribute").unwrap_or(name);
    let is_framework = NAMESPACES.iter().any(|&known| {
        let rest = namespace.strip_prefix(known);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    });
    if is_framework {
        if TESTS.contains(&name) && name != "Property" {
            return Some(Marks::Test);
        }
        if SET_UPS.contains(&name) {
            return Some(Marks::SetUp);
        }
    }
    let is_derived = DERIVED.iter().any(|end| name.ends_with(end))
        || (namespace.starts_with("FsCheck") && name == "Property");
    is_derived.then_some(Marks::Test)
}

/// The names of attributes of the frameworks, and what they make of a method. Repositories of frameworks declare them, and
/// have no package of them.
pub(crate) fn attribute_types() -> impl Iterator<Item = (String, Marks)> {
    let tests = TESTS.iter().map(|name| (name, Marks::Test));
    let set_ups = SET_UPS.iter().map(|name| (name, Marks::SetUp));
    let all = tests.chain(set_ups);
    all.filter(|(name, _)| **name != "Property")
        .flat_map(|(name, marks)| {
            let namespaces = NAMESPACES.iter();
            namespaces.map(move |namespace| (format!("{namespace}.{name}Attribute"), marks))
        })
}

/// What an attribute makes of a method by its name as written, where nothing else is known of it.
pub fn marks_by_name(written: &str) -> Option<Marks> {
    let name = written.rsplit(['.', ':']).next().unwrap_or(written);
    let name = name.strip_suffix("Attribute").unwrap_or(name);
    if TESTS.contains(&name) || DERIVED.iter().any(|end| name.ends_with(end)) {
        return Some(Marks::Test);
    }
    SET_UPS.contains(&name).then_some(Marks::SetUp)
}

/// The attributes of a method, `[Name(arguments)]` each, by their names without `Attribute`.
fn attributes(shape: &str) -> impl Iterator<Item = &str> {
    shape.split('[').skip(1).filter_map(|text| {
        let written = text.split([']', '(', ',', '<', ';']).next()?;
        let name = written.rsplit(['.', ':']).next()?;
        Some(name.strip_suffix("Attribute").unwrap_or(name))
    })
}

/// Whether attributes, as they are written, tell a runner to leave a test out: always, or unless it is asked for.
pub(crate) fn is_skipped(shape: &str) -> bool {
    let has_reason = shape.split("Skip").skip(1).any(|rest| {
        let value = rest.trim_start().strip_prefix('=');
        value
            .is_some_and(|value| !value.starts_with('=') && !value.trim_start().starts_with("null"))
    });
    let is_explicit = shape.split("Explicit").skip(1).any(|rest| {
        let value = rest.trim_start().strip_prefix('=');
        value.is_some_and(|value| value.trim_start().starts_with("true"))
    });
    has_reason || is_explicit || attributes(shape).any(|name| SKIPS.contains(&name))
}

/// Whether an attribute of a class by this name tells a runner to leave its tests out.
pub(crate) fn skips(written: &str) -> bool {
    SKIPS.contains(&written.strip_suffix("Attribute").unwrap_or(written))
}

/// Whether one of the attributes, as they are written, takes a type whose objects are arguments.
pub(crate) fn takes_rows_of_types(shape: &str) -> bool {
    attributes(shape).any(|name| ROWS.iter().any(|end| name.ends_with(end)))
}

/// Methods that xUnit calls around each test without an attribute.
pub fn is_set_up_by_contract(name: &str) -> bool {
    matches!(
        name,
        "Dispose" | "DisposeAsync" | "InitializeAsync" | "Finalize"
    )
}
