//! Tools about changes: `context`, `api`, `tests`, `check`.

use cortex_service::ServiceError;
use cortex_wire::{ApiRequest, CheckRequest, CodeShown, DiffContextRequest, TestsRequest};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{LOOK, Question, Tool, revisions};

pub(super) fn tools() -> Vec<Tool> {
    vec![
        Tool::new::<Context>(
            "context",
            "What a change of C# code does: changed types and members, who is affected, tests to run, what to read. \
             Use it before reviewing, describing or finishing a change.",
            LOOK,
            context,
        ),
        Tool::new::<Api>(
            "api",
            "Breaking and other differences of the public API of two commits.",
            LOOK,
            api,
        ),
        Tool::new::<Tests>(
            "tests",
            "The tests that reach a change or symbols, nearest first.",
            LOOK,
            tests,
        ),
        Tool::new::<Check>(
            "check",
            "Whether context files that the repository commits (.context/) are fresh.",
            LOOK,
            check,
        ),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Context {
    /// As for git diff: `HEAD~1`, `main...HEAD`; default: the work tree against HEAD
    range: Option<String>,
    /// Pathspecs
    #[serde(default)]
    paths: Vec<String>,
    /// Code of changed members
    code: Option<CodeShown>,
}

fn context(arguments: Context) -> Result<Question, ServiceError> {
    let request = DiffContextRequest {
        revisions: revisions(arguments.range.as_deref()),
        paths: arguments.paths,
        code: arguments.code.unwrap_or_default(),
        ..DiffContextRequest::default()
    };
    Ok(Question::new("diff-context", &request))
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Api {
    /// As of `context`
    range: Option<String>,
    /// Only these
    #[serde(default)]
    assemblies: Vec<String>,
}

fn api(arguments: Api) -> Result<Question, ServiceError> {
    let request = ApiRequest {
        revisions: revisions(arguments.range.as_deref()),
        assemblies: arguments.assemblies,
        ..ApiRequest::default()
    };
    Ok(Question::new("api", &request))
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Tests {
    /// A range, or symbols; default: what the work tree changes
    #[serde(default)]
    of: Vec<String>,
    limit: Option<usize>,
}

fn tests(arguments: Tests) -> Result<Question, ServiceError> {
    let request = TestsRequest {
        subjects: arguments.of,
        limit: arguments.limit,
        ..TestsRequest::default()
    };
    Ok(Question::new("tests", &request))
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Check {
    /// Report only what differs from this revision
    base: Option<String>,
    /// Show differences
    #[serde(default)]
    explain: bool,
}

fn check(arguments: Check) -> Result<Question, ServiceError> {
    let request = CheckRequest {
        base: arguments.base,
        explain: arguments.explain,
        ..CheckRequest::default()
    };
    Ok(Question::new("check", &request))
}
