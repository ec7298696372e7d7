//! Property functions: the static ones by class, and what can be called on a value.
//!
//! `Err` is a function, or a use of one, that is not understood. What differs from machine to machine
//! or from build to build (clock, environment, new ids) is empty, so that equal trees evaluate equally.
//! Must not know: how properties are stored.

mod intrinsic;
mod io;
mod text;

use crate::{paths::PathTable, version::Version};

/// Texts beyond this many bytes are not made.
pub(crate) const MAX_TEXT: usize = 1 << 20;

/// What a property function takes and gives.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Value {
    Text(String),
    List(Vec<String>),
    Version(Version),
}

/// A function that is not understood, by the name under which to report it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Unsupported(pub(crate) String);

pub(crate) type Outcome = Result<Value, Unsupported>;

/// Where a function runs.
#[derive(Clone, Copy)]
pub(crate) struct Site<'a> {
    pub(crate) table: &'a PathTable<'a>,
    /// The folder of the project, to which relative paths belong.
    pub(crate) project_folder: &'a str,
    /// The folder of the file that holds the expression.
    pub(crate) file_folder: &'a str,
}

impl Value {
    pub(crate) fn empty() -> Self {
        Self::Text(String::new())
    }

    fn truth(value: bool) -> Self {
        Self::Text(if value { "True" } else { "False" }.to_owned())
    }

    /// The text that a value becomes inside other text.
    pub(crate) fn into_text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::List(list) => list.join(";"),
            Self::Version(version) => version.to_string(),
        }
    }
}

/// Calls `[class]::member(arguments)`; both names in lower case.
pub(crate) fn call_static(
    site: Site<'_>,
    class: &str,
    member: &str,
    arguments: &[String],
) -> Outcome {
    let class = class.strip_prefix("system.").unwrap_or(class);
    let known = match class {
        "msbuild" => intrinsic::call(site, member, arguments),
        "io.path" | "io.file" | "io.directory" => io::call(site, class, member, arguments),
        "string" => text::call_static(member, arguments),
        "version" => match (member, arguments) {
            ("parse" | "new", [text]) => Version::parse(text).map(Value::Version),
            _ => None,
        },
        "convert" | "int32" | "int64" | "double" | "boolean" => match arguments {
            [text, ..] => Some(Value::Text(text.clone())),
            [] => None,
        },
        "datetime" | "datetimeoffset" | "guid" | "random" => Some(Value::empty()),
        "environment" => Some(match member {
            "newline" => Value::Text("\n".to_owned()),
            _ => Value::empty(),
        }),
        "operatingsystem" => Some(Value::truth(member == "islinux")),
        "runtime.interopservices.runtimeinformation" => match (member, arguments) {
            ("isosplatform", [platform]) => Some(Value::truth(
                platform.to_ascii_lowercase().ends_with("linux"),
            )),
            ("osarchitecture" | "processarchitecture", []) => Some(Value::Text("X64".to_owned())),
            ("frameworkdescription" | "osdescription", []) => Some(Value::empty()),
            _ => None,
        },
        "runtime.interopservices.osplatform" => Some(Value::Text(member.to_owned())),
        _ => None,
    };
    known.ok_or_else(|| Unsupported(format!("[{class}]::{member}")))
}

/// Calls `.name(arguments)` on a value, or indexes it (`[]`).
pub(crate) fn call_on(value: Value, name: &str, arguments: &[String]) -> Outcome {
    let known = match value {
        Value::Text(text) => text::call(&text, name, arguments),
        Value::List(list) => call_on_list(list, name, arguments),
        Value::Version(version) => call_on_version(version, name, arguments),
    };
    known.ok_or_else(|| Unsupported(format!(".{name}")))
}

fn call_on_list(list: Vec<String>, name: &str, arguments: &[String]) -> Option<Value> {
    match (name, arguments) {
        ("[]" | "getvalue" | "get", [index]) => {
            let index: usize = index.trim().parse().ok()?;
            list.into_iter().nth(index).map(Value::Text)
        }
        ("length" | "count", []) => Some(Value::Text(list.len().to_string())),
        ("tostring", []) => Some(Value::Text(list.join(";"))),
        ("contains", [text]) => Some(Value::truth(list.contains(text))),
        _ => text::call(&list.join(";"), name, arguments),
    }
}

fn call_on_version(version: Version, name: &str, arguments: &[String]) -> Option<Value> {
    let part = |index: usize| Some(Value::Text(version.parts[index].to_string()));
    match (name, arguments) {
        ("major", []) => part(0),
        ("minor", []) => part(1),
        ("build", []) => part(2),
        ("revision", []) => part(3),
        ("tostring", [parts]) => Some(Value::Text(version.to_parts(parts.trim().parse().ok()?))),
        _ => text::call(&version.to_string(), name, arguments),
    }
}

#[cfg(test)]
mod tests;
