//! `git cortex config`.

use std::{fmt::Write, process::ExitCode};

use cortex_git::Repository;
use serde_json::json;

use crate::{
    arguments::{self, Global, ReportFormat},
    commands::{print_json, print_text},
    config::{Config, KEYS, Setting},
    failure::Failure,
    session,
};

pub(crate) fn run(global: &Global, options: &arguments::Config) -> Result<ExitCode, Failure> {
    let repo: Repository = session::repository(global)?;
    let config = Config::read(&repo, global);
    let settings: Vec<&Setting> = match &options.key {
        Some(name) => match config.setting(name) {
            Some(setting) => vec![setting],
            None => {
                let names: Vec<&str> = KEYS.iter().map(|key| key.name).collect();
                return Err(anyhow::Error::new(UnknownKey {
                    name: name.clone(),
                    known: names.join(", "),
                })
                .into());
            }
        },
        None => config.settings.iter().collect(),
    };
    match options.format {
        ReportFormat::Text => {
            let mut out = String::new();
            for setting in &settings {
                write_setting(&mut out, setting);
            }
            for note in &config.notes {
                let _ = writeln!(out, "note: {note}");
            }
            print_text(&out)?;
            Ok(ExitCode::SUCCESS)
        }
        ReportFormat::Json => {
            let settings: Vec<serde_json::Value> =
                settings.iter().map(|setting| of_setting(setting)).collect();
            print_json(&json!({ "schema": 1, "settings": settings, "notes": config.notes }))
        }
    }
}

/// A key that nothing has.
#[derive(Debug)]
pub(crate) struct UnknownKey {
    name: String,
    /// The names of all keys.
    pub(crate) known: String,
}

impl std::fmt::Display for UnknownKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "find the key `{}`", self.name)
    }
}

impl std::error::Error for UnknownKey {}

/// The value that counts, then what it stands before or what does not count, indented, the latest first.
fn write_setting(out: &mut String, setting: &Setting) {
    let value = setting.value();
    let text = match value.text.as_str() {
        "" => "(not set)",
        text => text,
    };
    let _ = writeln!(
        out,
        "cortex.{} = {text}  # {}",
        setting.key.name,
        value.origin.words()
    );
    let _ = writeln!(out, "    {}", setting.key.meaning);
    for other in setting.values.iter().rev() {
        if std::ptr::eq(other, value) || other.text.is_empty() {
            continue;
        }
        let place = other.origin.words();
        let _ = match &other.problem {
            Some(problem) => writeln!(out, "    not {} of {place}: {problem}", other.text),
            None => writeln!(out, "    instead of {} of {place}", other.text),
        };
    }
}

fn of_setting(setting: &Setting) -> serde_json::Value {
    let value = setting.value();
    let values = setting.values.iter().map(|value| {
        json!({
            "value": value.text,
            "layer": value.origin.layer(),
            "place": value.origin.words(),
            "problem": value.problem,
        })
    });
    json!({
        "key": format!("cortex.{}", setting.key.name),
        "value": value.text,
        "layer": value.origin.layer(),
        "place": value.origin.words(),
        "variable": setting.key.variable,
        "meaning": setting.key.meaning,
        "values": values.collect::<Vec<_>>(),
    })
}
