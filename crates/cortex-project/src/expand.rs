//! Text to value: the properties and property functions of a [`Template`], expanded.
//!
//! Must not know: the order of evaluation.

use std::borrow::Cow;

use crate::{
    document::Document,
    evaluation::{Evaluation, Place},
    functions::{MAX_TEXT, Site, Unsupported, Value, call_on, call_static},
    paths::absolute_folder,
    template::{Expression, Head, Part, Template},
};

impl Evaluation<'_> {
    /// Expands the properties in a text.
    pub(crate) fn expand<'t>(&mut self, template: &'t Template, place: Place<'_>) -> Cow<'t, str> {
        if let Some(text) = template.literal() {
            return Cow::Borrowed(text);
        }
        let mut out = String::new();
        for part in &template.parts {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Property(expression) => match (&expression.head, expression.calls.as_slice())
                {
                    (Head::Property(name), []) => match self.properties.get(name) {
                        Some(assigned) => out.push_str(&assigned.value),
                        None => out.push_str(&this_file(name, place.document)),
                    },
                    _ => out.push_str(&self.compute(expression, place)),
                },
            }
            if out.len() > MAX_TEXT {
                self.note(place, "a text grows too long".to_owned());
                return Cow::Borrowed("");
            }
        }
        if self.take(out.len() + 1) {
            Cow::Owned(out)
        } else {
            Cow::Borrowed("")
        }
    }

    /// Runs property functions; what is not understood is empty, with a note.
    fn compute(&mut self, expression: &Expression, place: Place<'_>) -> String {
        match self.try_compute(expression, place) {
            Ok(value) => value.into_text(),
            Err(_) => {
                self.note(
                    place,
                    format!("expression not understood: {}", expression.source),
                );
                String::new()
            }
        }
    }

    fn try_compute(
        &mut self,
        expression: &Expression,
        place: Place<'_>,
    ) -> Result<Value, Unsupported> {
        let mut value = match &expression.head {
            Head::Property(name) => Value::Text(match self.properties.get(name) {
                Some(assigned) => assigned.value.to_string(),
                None => this_file(name, place.document),
            }),
            Head::Static {
                class,
                member,
                arguments,
            } => {
                let arguments = self.arguments(arguments, place);
                let site = Site {
                    table: &self.workspace.table,
                    project_folder: self.project_folder,
                    file_folder: place.document.path.folder(),
                };
                call_static(site, class, member, &arguments)?
            }
            Head::Unknown => return Err(Unsupported(expression.source.to_string())),
        };
        for call in &expression.calls {
            let arguments = self.arguments(&call.arguments, place);
            value = call_on(value, &call.name, &arguments)?;
        }
        Ok(value)
    }

    fn arguments(&mut self, arguments: &[Template], place: Place<'_>) -> Vec<String> {
        arguments
            .iter()
            .map(|argument| self.expand(argument, place).into_owned())
            .collect()
    }
}

/// The properties that say where the file with the expression lies.
fn this_file(name: &str, document: &Document) -> String {
    let Some(part) = name.strip_prefix("msbuildthisfile") else {
        return String::new();
    };
    let folder = absolute_folder(document.path.folder());
    let name = document.path.file_name();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    match part {
        "" => name.to_owned(),
        "directory" => folder,
        "directorynoroot" => folder[1..].to_owned(),
        "fullpath" => format!("{folder}{name}"),
        "name" => stem.to_owned(),
        "extension" => name[stem.len()..].to_owned(),
        _ => String::new(),
    }
}
