//! Answers as lines: one JSON object on each, for programs that read them one by one.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Severity, What};

/// A line of `api --format jsonl`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ApiLine<'a> {
    /// What the line is.
    pub k: ApiLineKind,
    /// The assembly.
    pub asm: Cow<'a, str>,
    /// The project file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<Cow<'a, str>>,
    /// The rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Cow<'a, str>>,
    /// What happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub what: Option<What>,
    /// What it happened to, as the SDK writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbol: Option<Cow<'a, str>>,
    /// What it does to callers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub severity: Option<Severity>,
    /// What happened, or why it is undecided, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Cow<'a, str>>,
    /// Of `compared`: how many differences there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub differences: Option<usize>,
    /// Whether the request accepts the difference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed: Option<bool>,
}

/// What a line of `api --format jsonl` is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ApiLineKind {
    /// A difference that the SDK's check reports in its default mode.
    Breaking,
    /// A difference that the SDK's check reports in its strict mode.
    Strict,
    /// A difference by a rule beyond the SDK's.
    Own,
    /// A symbol that could not be compared.
    Undecided,
    /// An assembly that was compared.
    Compared,
    /// An assembly that the newer side lacks.
    Gone,
    /// An assembly that the older side lacks.
    Came,
}

/// A line of `tests --format jsonl`: the tests that reach one subject.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TestsLine<'a> {
    /// The subject as the request names it.
    pub id: Cow<'a, str>,
    /// The tests that reach it, the nearest first.
    pub tests: Vec<TestsLineTest<'a>>,
    /// Tests that reach it only through setup code.
    pub set_up: Vec<TestsLineTest<'a>>,
    /// How many tests there are in all.
    pub all: usize,
    /// Why there is no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Cow<'a, str>>,
}

/// A test in a [`TestsLine`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TestsLineTest<'a> {
    /// Its documentation id.
    pub id: Cow<'a, str>,
    /// How many steps away it is.
    pub distance: u32,
    /// Whether it may reach the subject only by reflection.
    #[serde(default, skip_serializing_if = "crate::envelope::is_false")]
    pub possible: bool,
    /// Whether test runners skip it.
    #[serde(default, skip_serializing_if = "crate::envelope::is_false")]
    pub skipped: bool,
}
