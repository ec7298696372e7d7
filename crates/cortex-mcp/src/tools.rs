//! Which tools there are. Their list is the same for every repository.

mod change;
mod edit;
mod every;
mod look;

use std::sync::Arc;

use cortex_service::{Hints, ServiceError};
use cortex_wire::{ErrorCode, WireError};
use rmcp::model::{JsonObject, Tool as Listed, ToolAnnotations};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::schema;

pub(crate) use every::name_of;

/// Which tools a server offers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Toolset {
    /// A few that cover what an agent does.
    #[default]
    Default,
    /// One for each operation, under its name.
    All,
}

/// A tool.
pub(crate) struct Tool {
    /// Its name.
    pub(crate) name: String,
    /// When to use it.
    pub(crate) description: String,
    /// The schema of its arguments.
    pub(crate) schema: Arc<JsonObject>,
    /// The arguments about the form of the answer that it takes.
    pub(crate) common: Vec<&'static str>,
    /// What it does to the world.
    pub(crate) hints: Hints,
    /// Which question a call is.
    pub(crate) question: Box<dyn Fn(Value) -> Result<Question, ServiceError> + Send + Sync>,
}

/// What a call asks of the operation layer.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Question {
    /// The name of the operation.
    pub(crate) operation: String,
    /// Its request.
    pub(crate) request: Value,
}

impl Question {
    /// A question from a typed request.
    pub(crate) fn new(operation: &str, request: &impl Serialize) -> Self {
        Self {
            operation: operation.to_owned(),
            request: serde_json::to_value(request).expect("requests are plain data with text keys"),
        }
    }
}

impl Tool {
    /// A tool with typed arguments.
    fn new<A: DeserializeOwned + schemars::JsonSchema + 'static>(
        name: &str,
        description: &str,
        hints: Hints,
        question: fn(A) -> Result<Question, ServiceError>,
    ) -> Self {
        let arguments = schemars::schema_for!(A).to_value();
        Self {
            name: name.to_owned(),
            description: description.to_owned(),
            common: schema::common(&arguments),
            schema: schema::of_tool(arguments),
            hints,
            question: Box::new(move |arguments| question(read(arguments)?)),
        }
    }

    /// The tool as clients see it.
    pub(crate) fn listed(&self) -> Listed {
        let hints = ToolAnnotations::new()
            .read_only(self.hints.read_only)
            .open_world(self.hints.open_world);
        // Of a tool that only reads, the others say nothing.
        let hints = match self.hints.read_only {
            true => hints,
            false => hints
                .destructive(self.hints.destructive)
                .idempotent(self.hints.idempotent),
        };
        Listed::new(
            self.name.clone(),
            self.description.clone(),
            self.schema.clone(),
        )
        .with_annotations(hints)
    }
}

/// The tools of a set, in a fixed order.
pub(crate) fn tools(toolset: Toolset) -> Vec<Tool> {
    match toolset {
        Toolset::Default => (change::tools().into_iter())
            .chain(look::tools())
            .chain(edit::tools())
            .collect(),
        Toolset::All => every::tools(),
    }
}

/// Reads arguments.
pub(crate) fn read<A: DeserializeOwned>(arguments: Value) -> Result<A, ServiceError> {
    serde_json::from_value(arguments).map_err(|error| {
        WireError::new(ErrorCode::InvalidRequest, "failed to read the arguments")
            .with_causes(vec![error.to_string()])
            .into()
    })
}

/// It changes nothing but the index, which can be computed again.
const LOOK: Hints = Hints {
    read_only: true,
    destructive: false,
    idempotent: true,
    open_world: false,
};

/// Revisions as one text writes them: `A..B`, or `A B`.
fn revisions(range: Option<&str>) -> Vec<String> {
    let words = range.unwrap_or_default().split_whitespace();
    words.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use cortex_context::{O200kBase, Tokenizer};
    use cortex_scope::AtomKind;
    use cortex_wire::{ErrorCode, Hint, WireError};
    use serde_json::{Value, json};

    use super::{Toolset, tools};
    use crate::words::Words;

    fn tool(name: &str) -> super::Tool {
        let mut all = tools(Toolset::Default).into_iter();
        all.find(|tool| tool.name == name).expect("it exists")
    }

    #[test]
    fn the_default_tools_are_few_and_short() {
        let tools = tools(Toolset::Default);
        let listed: Vec<_> = tools.iter().map(super::Tool::listed).collect();
        let text = serde_json::to_string(&listed).expect("tools are plain data");
        let n_tokens = O200kBase.count(&text);
        assert!(tools.len() <= 12, "{}", tools.len());
        assert!(n_tokens <= 2500, "{n_tokens}");
    }

    /// What is between the first two of a mark.
    fn between(text: &str, mark: &str) -> String {
        text.split(mark).nth(1).unwrap_or_default().to_owned()
    }

    #[test]
    fn scopes_that_are_shown_as_examples_are_scopes() {
        let usages = Value::Object((*tool("usages").schema).clone());
        let shown = usages["properties"]["scope"]["description"].as_str();
        let mut examples = vec![between(shown.expect("it is described"), "`")];
        let words = Words {
            toolset: Toolset::Default,
        };
        let error = WireError {
            hint: Some(Hint::ListScopes),
            ..WireError::new(ErrorCode::InvalidScope, "not a scope")
        };
        let hint = words.hint(&error).expect("it has one");
        let listed = hint
            .split("Write a scope as ")
            .nth(1)
            .expect("it lists some");
        let listed = listed.split(", with ").next().expect("they end");
        examples.extend(
            listed
                .split(", ")
                .flat_map(|it| it.split(" or "))
                .map(str::to_owned),
        );
        assert_eq!(examples.len(), 5, "{examples:?}");
        for example in examples {
            let read = cortex_scope::infix::compile_in(&example, "");
            assert!(read.is_ok(), "{example}: {read:?}");
            let atoms = read.expect("it was read").atoms;
            let is_named = atoms.iter().any(|it| it.kind == AtomKind::NamedScope);
            assert!(!is_named, "{example}: {atoms:?}");
        }
    }

    #[test]
    fn every_tool_has_a_name_of_its_own_and_an_object_for_its_arguments() {
        for toolset in [Toolset::Default, Toolset::All] {
            let mut names = BTreeSet::new();
            for tool in tools(toolset) {
                assert_eq!(tool.schema["type"], "object", "{}", tool.name);
                let text = Value::Object((*tool.schema).clone()).to_string();
                assert!(!text.contains("$ref"), "{}: {text}", tool.name);
                assert!(names.insert(tool.name));
            }
        }
    }

    #[test]
    fn one_edit_is_its_own_operation_and_several_are_a_batch() {
        let plan = tool("edit_plan");
        let rename = json!({"edit": "rename", "symbol": "A.B", "to": "C"});
        let one = (plan.question)(json!({"edits": [rename]})).expect("it is a rename");
        assert_eq!(one.operation, "edit-rename");
        assert_eq!(
            one.request,
            json!({"symbol": "A.B", "to": "C", "keepFile": false})
        );
        let two =
            (plan.question)(json!({"edits": [rename, {"edit": "safe-delete", "symbol": "D"}]}));
        let two = two.expect("it is a batch");
        assert_eq!(two.operation, "edit-batch");
        assert_eq!(
            two.request["edits"][1],
            json!({"edit": "safe-delete", "symbols": ["D"]})
        );
        let error = (plan.question)(json!({"edits": [{"edit": "rename", "symbol": "A"}]}));
        assert_eq!(
            error.expect_err("it has no name").wire().message,
            "`rename` needs `to`"
        );
    }

    #[test]
    fn no_tool_decides_what_a_person_decides() {
        let apply = tools(Toolset::All)
            .into_iter()
            .find(|tool| tool.name == "ops_apply");
        let apply = apply.expect("it exists");
        assert!(
            !Value::Object((*apply.schema).clone())
                .to_string()
                .contains("allow")
        );
        let refused = (apply.question)(json!({"op": "A", "allowUnproven": true}));
        assert!(refused.is_err_and(|error| error.wire().message.contains("a person")));
    }
}
