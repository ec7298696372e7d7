//! Prompts: three tasks in which the tools are used together.

use cortex_service::ServiceError;
use cortex_wire::{ErrorCode, WireError};
use rmcp::model::{JsonObject, Prompt, PromptArgument, PromptMessage, Role};

/// A task with one argument.
struct Task {
    name: &'static str,
    description: &'static str,
    argument: &'static str,
    about: &'static str,
    is_required: bool,
    text: fn(&str) -> String,
}

const TASKS: [Task; 3] = [
    Task {
        name: "explain_change",
        description: "Explain what a change does, whom it affects and how to test it",
        argument: "range",
        about: "As for git diff, such as main...HEAD; the work tree against HEAD by default",
        is_required: false,
        text: |range| {
            let range = match range {
                "" => "{}".to_owned(),
                range => format!("{{\"range\": {range:?}}}"),
            };
            format!(
                "Explain a change of this repository to a colleague who reviews it.\n\
                 1. Call `context` with {range}. Its marks say what is proven and what is only possible (`?`).\n\
                 2. For a changed member that others use, call `usages` with `withOverrides`: true; read code with \
                 `symbol` and `show`: \"source\".\n\
                 3. Call `tests` for what to run, `api` where public types changed.\n\
                 Say what changed in behavior, what may break and where, what to run, and what you did not look at."
            )
        },
    },
    Task {
        name: "review_patch",
        description: "Review a planned edit before a person decides about it",
        argument: "op",
        about: "The id of the operation",
        is_required: true,
        text: |op| {
            format!(
                "Review the planned edit {op} for the person who decides about it.\n\
                 1. Call `edit_status` with {{\"op\": {op:?}}}: verdict, differences, doubts, patch.\n\
                 2. Look at every difference and doubt with `symbol` and `usages`.\n\
                 Say what the edit does, what is proven, what is not and why, and what to look at. You cannot approve \
                 it: `git cortex review {op}` is for the person."
            )
        },
    },
    Task {
        name: "plan_refactoring",
        description: "Plan a refactoring as edits that are proven to keep the meaning of the code",
        argument: "goal",
        about: "What the code should be like afterwards",
        is_required: true,
        text: |goal| {
            format!(
                "Plan this refactoring: {goal}\n\
                 1. Find what it is about with `search` and `symbol`; see who is affected with `usages`.\n\
                 2. Plan it with `edit_plan`, as few operations as there are ideas. A verdict of \"changed meaning\" \
                 names places: change the plan, or say why it is wanted.\n\
                 3. List the operations with their verdicts for the person who reviews them with `git cortex review`; \
                 then `edit_apply`, and run what `tests` names."
            )
        },
    },
];

/// All prompts.
pub(crate) fn list() -> Vec<Prompt> {
    let prompt = |task: &Task| {
        let argument = PromptArgument::new(task.argument)
            .with_description(task.about)
            .with_required(task.is_required);
        Prompt::new(task.name, Some(task.description), Some(vec![argument]))
    };
    TASKS.iter().map(prompt).collect()
}

/// The messages of a prompt.
///
/// # Errors
/// Where there is no such prompt, or its argument is missing.
pub(crate) fn get(
    name: &str,
    arguments: Option<&JsonObject>,
) -> Result<(&'static str, Vec<PromptMessage>), ServiceError> {
    let invalid =
        |message: String| ServiceError::from(WireError::new(ErrorCode::InvalidRequest, message));
    let task = (TASKS.iter().find(|task| task.name == name))
        .ok_or_else(|| invalid(format!("there is no prompt `{name}`")))?;
    let value = arguments.and_then(|it| it.get(task.argument));
    let value = value.and_then(|it| it.as_str()).unwrap_or_default();
    if task.is_required && value.is_empty() {
        return Err(invalid(format!("`{name}` needs `{}`", task.argument)));
    }
    let message = PromptMessage::new_text(Role::User, (task.text)(value));
    Ok((task.description, vec![message]))
}
