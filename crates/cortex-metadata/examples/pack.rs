//! Packs the reference assemblies of an installation of .NET into the table that comes with the program.
//!
//! Usage: `pack PACKS FILE`, where PACKS has `Microsoft.NETCore.App.Ref` and `Microsoft.AspNetCore.App.Ref`.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "an example is a program"
)]

use std::{path::Path, process::ExitCode, sync::Arc};

use cortex_metadata::{Assembly, MetadataTable, write_table};

const FRAMEWORKS: [&str; 2] = ["Microsoft.NETCore.App", "Microsoft.AspNetCore.App"];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [packs, file] = &*arguments else {
        eprintln!("usage: pack PACKS FILE");
        return ExitCode::from(2);
    };
    match pack(Path::new(packs), Path::new(file)) {
        Ok(said) => {
            println!("{said}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn pack(packs: &Path, file: &Path) -> Result<String, Box<dyn std::error::Error>> {
    let mut assemblies = Vec::new();
    let mut newest = String::new();
    for framework in FRAMEWORKS {
        let pack = last(&packs.join(format!("{framework}.Ref")))?;
        if newest.is_empty() {
            newest = pack
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into();
        }
        let folder = last(&pack.join("ref"))?;
        let mut files: Vec<_> = std::fs::read_dir(folder)?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|extension| extension == "dll"))
            .collect();
        files.sort();
        for file in files {
            assemblies.push((framework, Arc::new(Assembly::open(&file)?)));
        }
    }
    let table = write_table(&newest, &assemblies)?;
    compare(&assemblies, &MetadataTable::from_bytes(table.clone())?)?;
    std::fs::write(file, &table)?;
    Ok(format!(
        "{} assemblies of {newest}, {} bytes",
        assemblies.len(),
        table.len()
    ))
}

/// A table must answer as the files do.
fn compare(files: &[(&str, Arc<Assembly>)], table: &MetadataTable) -> Result<(), String> {
    let packed = FRAMEWORKS.iter().flat_map(|name| table.framework(name));
    let mut compared = 0;
    for ((_, file), packed) in files.iter().zip(packed) {
        let differs = |what: &str| Err(format!("{}: {what} differ in the table", file.name()));
        if (file.name(), file.version(), file.friends())
            != (packed.name(), packed.version(), packed.friends())
        {
            return differs("names");
        }
        if !file.namespaces().eq(packed.namespaces()) || file.types() != packed.types() {
            return differs("types");
        }
        let mut rows = file.types();
        while let Some(row) = rows.pop() {
            let ty = file.type_def(row);
            let found = packed.find(&ty.namespace, &ty.name, ty.arity);
            let members = file.members(row);
            if ty != packed.type_def(row) || members != packed.members(row) {
                return differs(&ty.name);
            }
            if file.nested(row) != packed.nested(row) || (ty.outer.is_none() && found != Some(row))
            {
                return differs(&ty.name);
            }
            for member in members.iter().filter(|member| member.is_extension) {
                let classes = packed.extension_methods(&member.name);
                if classes != file.extension_methods(&member.name) || !classes.contains(&row) {
                    return differs(&member.name);
                }
            }
            rows.extend(file.nested(row));
            compared += 1;
        }
    }
    match compared {
        0 => Err("the table is empty".to_owned()),
        _ => Ok(()),
    }
}

/// The subfolder of the highest version.
fn last(folder: &Path) -> Result<std::path::PathBuf, String> {
    let numbers = |path: &Path| -> Vec<u32> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.split(|letter: char| !letter.is_ascii_digit())
            .filter_map(|part| part.parse().ok())
            .collect()
    };
    let entries =
        std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .max_by_key(|path| numbers(path))
        .ok_or_else(|| format!("{} is empty", folder.display()))
}
