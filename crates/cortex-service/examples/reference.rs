//! Writes the reference of all operations below a folder, and removes what is no longer part of it.

use std::{fs, path::PathBuf};

fn main() -> std::io::Result<()> {
    let docs = std::env::args_os().nth(1).map(PathBuf::from);
    let docs = docs.ok_or_else(|| std::io::Error::other("name the folder of the documentation"))?;
    let files = cortex_service::reference();
    for folder in ["reference", "schema"] {
        fs::create_dir_all(docs.join(folder))?;
        for entry in fs::read_dir(docs.join(folder))? {
            let name = entry?.file_name();
            if !files.contains_key(&format!("{folder}/{}", name.to_string_lossy())) {
                fs::remove_file(docs.join(folder).join(name))?;
            }
        }
    }
    for (path, text) in files {
        fs::write(docs.join(path), text)?;
    }
    Ok(())
}
