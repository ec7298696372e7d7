//! Writes the reference of all operations below a folder, and removes what is no longer part of it. With `--check` it
//! writes nothing, and fails where a file is not up to date.

use std::{fs, io, path::PathBuf};

fn main() -> io::Result<()> {
    let mut arguments = std::env::args_os().skip(1);
    let docs = arguments.next().map(PathBuf::from);
    let docs = docs.ok_or_else(|| io::Error::other("name the folder of the documentation"))?;
    let is_check = arguments.next().is_some_and(|it| it == "--check");
    let files = cortex_service::reference();
    let mut stale = Vec::new();
    for folder in ["reference", "schema"] {
        fs::create_dir_all(docs.join(folder))?;
        for entry in fs::read_dir(docs.join(folder))? {
            let path = format!("{folder}/{}", entry?.file_name().to_string_lossy());
            if !files.contains_key(&path) {
                stale.push(path);
            }
        }
    }
    if !is_check {
        for path in stale.drain(..) {
            fs::remove_file(docs.join(path))?;
        }
    }
    for (path, text) in files {
        match is_check {
            false => fs::write(docs.join(path), text)?,
            true if fs::read_to_string(docs.join(&path)).is_ok_and(|it| it == text) => {}
            true => stale.push(path),
        }
    }
    match stale.is_empty() {
        true => Ok(()),
        false => Err(io::Error::other(format!(
            "not up to date below docs: {}",
            stale.join(", ")
        ))),
    }
}
