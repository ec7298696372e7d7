//! Changes of what is in the window: pins, what the user added, what the user dismissed.

use cortex_index::{Index, IndexedSide};
use cortex_look::{AccessLog, Viewpoint, find_symbol};
use cortex_model::RepoPath;
use cortex_wire::WindowAnswer;

use super::{WindowOptions, window_with};
use crate::{
    FreshError,
    committed::Committed,
    pack::files::names,
    pins::{self, Pin, Pins},
    write::Writes,
};

/// What a pack is called among symbols.
const PACK: &str = "pack:";

/// A change of the window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WindowChange<'a> {
    /// Change nothing.
    Nothing,
    /// Pin types, or files and folders, for everyone.
    Pin(&'a [String]),
    /// Unpin them.
    Unpin(&'a [String]),
    /// Leave types out until they are requested again.
    Dismiss(&'a [String]),
    /// Put types in for so many minutes, or make a pack count more.
    Add(&'a [String], u32),
    /// Remove what was put in.
    Clear,
}

/// Makes a change. Gives what is to be written to the repository, the log as it should be, and the window after it.
///
/// # Errors
/// Those of names that mean nothing, and of reading the side.
pub fn change(
    index: &Index,
    side: &IndexedSide,
    what: WindowChange<'_>,
    viewpoint: &Viewpoint<'_>,
    options: &WindowOptions<'_>,
) -> Result<(Writes, AccessLog, WindowAnswer), FreshError> {
    let committed = Committed::read(index, side)?;
    let before = committed_pins(index, side, &committed)?;
    let (mut pins, mut log) = (before.clone(), options.log.clone());
    let mut changed = Vec::new();
    match what {
        WindowChange::Pin(subjects) => {
            for subject in subjects {
                let pin = pin_of(viewpoint, subject)?;
                if !pins.pins.contains(&pin) {
                    pins.pins.push(pin.clone());
                }
                changed.push(pin);
            }
        }
        WindowChange::Unpin(subjects) => {
            for subject in subjects {
                let pin = recorded_pin(viewpoint, &pins, subject)?;
                pins.pins.retain(|it| *it != pin);
                changed.push(pin);
            }
        }
        WindowChange::Dismiss(subjects) => {
            for subject in subjects {
                let (name, id) = type_of(viewpoint, subject)?;
                log.dismiss(&id);
                changed.push(name);
            }
        }
        WindowChange::Add(subjects, minutes) => {
            let until = options.now.saturating_add(i64::from(minutes) * 60);
            for subject in subjects {
                if let Some(name) = subject.strip_prefix(PACK) {
                    let known = names(&committed);
                    if !known.iter().any(|it| it == name) {
                        let name = name.to_owned();
                        return Err(FreshError::NoPack { name, known });
                    }
                    log.pack = Some(name.to_owned());
                    changed.push(subject.clone());
                } else {
                    let (name, id) = type_of(viewpoint, subject)?;
                    log.add(&id, until);
                    changed.push(name);
                }
            }
        }
        WindowChange::Clear => log.clear(),
        WindowChange::Nothing => {}
    }
    let mut writes = Writes::default();
    if pins != before {
        let bytes = pins::text(&pins).into_bytes();
        writes.files.push((RepoPath::from(pins::FILE), bytes));
    }
    let options = WindowOptions {
        log: &log,
        ..*options
    };
    let mut answer = window_with(index, side, &committed, &pins, &options)?;
    answer.changed = changed;
    Ok((writes, log, answer))
}

/// The pins that a side commits.
pub(super) fn committed_pins(
    index: &Index,
    side: &IndexedSide,
    committed: &Committed,
) -> Result<Pins, FreshError> {
    let text = committed.text(index, side, pins::FILE)?;
    let read = text.as_deref().map(pins::read).transpose();
    let pins = read.map_err(|reason| FreshError::Selection {
        path: RepoPath::from(pins::FILE),
        reason,
    })?;
    Ok(pins.unwrap_or_default())
}

/// The canonical name and the short id of the type that a text means, or whose member it means.
fn type_of(viewpoint: &Viewpoint<'_>, text: &str) -> Result<(String, String), FreshError> {
    let (symbol, _) = find_symbol(viewpoint, text)?;
    let id = viewpoint.snapshot().display_id(symbol.key)?;
    Ok((symbol.node.fqn, id))
}

/// What a pin of this text is recorded as: a path where files have it, else a type.
fn pin_of(viewpoint: &Viewpoint<'_>, text: &str) -> Result<String, FreshError> {
    if let Some(path) = declaring_path(viewpoint, text)? {
        return Ok(Pin::Path(&path).text());
    }
    let (name, _) = type_of(viewpoint, text)?;
    Ok(Pin::Type(&name).text())
}

/// A text as the path of a file or folder with C# files, where it is one.
fn declaring_path(viewpoint: &Viewpoint<'_>, text: &str) -> Result<Option<String>, FreshError> {
    let path = text.trim_start_matches("./").trim_end_matches('/');
    let is_path = text.contains('/') || text.ends_with(".cs");
    if !is_path || path.is_empty() {
        return Ok(None);
    }
    let file = viewpoint.snapshot().file(&RepoPath::from(path))?;
    if file.is_some() {
        return Ok(Some(path.to_owned()));
    }
    let folder = format!("{path}/");
    let files = viewpoint.snapshot().files()?;
    let has_files = (files.iter()).any(|file| file.path.as_str().starts_with(&folder));
    Ok(has_files.then_some(folder))
}

/// The recorded pin that a text means: as recorded, as a path, or the type that it means.
fn recorded_pin(viewpoint: &Viewpoint<'_>, pins: &Pins, text: &str) -> Result<String, FreshError> {
    let path = text.trim_start_matches("./").trim_end_matches('/');
    let written = [
        text.to_owned(),
        Pin::Path(path).text(),
        Pin::Path(&format!("{path}/")).text(),
    ];
    let is_recorded = |pin: &&String| pins.pins.contains(*pin);
    if let Some(pin) = written.iter().find(is_recorded) {
        return Ok(pin.clone());
    }
    // A type that is gone has its last name alone.
    let mut ends = pins.pins.iter();
    if let Some(pin) = ends.find(|pin| pin.rsplit('.').next() == Some(text)) {
        return Ok(pin.clone());
    }
    let not_pinned = || FreshError::NoPin {
        pin: text.to_owned(),
        known: pins.pins.clone(),
    };
    let found = find_symbol(viewpoint, text);
    let (symbol, _) = found.map_err(|_| not_pinned())?;
    match pins.pins.contains(&symbol.node.fqn) {
        true => Ok(symbol.node.fqn),
        false => Err(not_pinned()),
    }
}
