//! `project.assets.json`: what NuGet restored, where a restore was made.

use serde_json::Value;

use super::framework::Framework;

/// Files of more bytes are not read.
const MAX_BYTES: usize = 64 << 20;

/// A package of a restore.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Restored {
    pub(crate) id: String,
    pub(crate) version: String,
    /// The files that compilers see, relative to the package folders.
    pub(crate) files: Vec<String>,
}

/// The packages of a restore and the shared frameworks that they need. `None` where the text is none.
pub(crate) fn parse(text: &[u8], framework: &Framework) -> Option<(Vec<Restored>, Vec<String>)> {
    if text.len() > MAX_BYTES {
        return None;
    }
    let root: Value = serde_json::from_slice(text).ok()?;
    let targets = root.get("targets")?.as_object()?;
    // Targets with a runtime identifier after a slash list what is needed to run.
    let own = targets
        .iter()
        .filter(|(name, _)| !name.contains('/'))
        .find(|(name, _)| Framework::parse(name).as_ref() == Some(framework));
    let only = targets.iter().find(|(name, _)| !name.contains('/'));
    let (_, target) = own.or(only)?;
    let libraries = root.get("libraries").and_then(Value::as_object);
    let mut packages = Vec::new();
    let mut frameworks = Vec::new();
    for (key, library) in target.as_object()? {
        let listed = library.get("frameworkReferences").and_then(Value::as_array);
        frameworks.extend(
            listed
                .into_iter()
                .flatten()
                .filter_map(|name| Some(name.as_str()?.to_owned())),
        );
        if library.get("type").and_then(Value::as_str) != Some("package") {
            continue;
        }
        let Some((id, version)) = key.split_once('/') else {
            continue;
        };
        let folder = libraries
            .and_then(|libraries| libraries.get(key)?.get("path")?.as_str())
            .map_or_else(|| key.to_ascii_lowercase(), str::to_owned);
        let compile = library.get("compile").and_then(Value::as_object);
        packages.push(Restored {
            id: id.to_owned(),
            version: version.to_owned(),
            files: compile
                .into_iter()
                .flat_map(|compile| compile.keys())
                .filter(|file| !file.ends_with("_._"))
                .map(|file| format!("{folder}/{file}"))
                .collect(),
        });
    }
    packages.sort_by(|a, b| a.id.cmp(&b.id));
    frameworks.sort_unstable();
    frameworks.dedup();
    Some((packages, frameworks))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compile_files_of_the_own_target_are_listed() {
        let text = br#"{
          "targets": {
            ".NETStandard,Version=v2.0": {"Old/1.0.0": {"type": "package", "compile": {"lib/x.dll": {}}}},
            "net8.0": {
              "B/2.0.0": {"type": "package", "compile": {"lib/net6.0/B.dll": {}}, "frameworkReferences": ["F"]},
              "A/1.0.0": {"type": "package", "compile": {"lib/net6.0/_._": {}}},
              "P/1.0.0": {"type": "project", "compile": {"bin/P.dll": {}}}
            },
            "net8.0/linux-x64": {}
          },
          "libraries": {"B/2.0.0": {"path": "b/2.0.0"}}
        }"#;
        let framework = Framework::parse("net8.0").expect("a framework");
        let (packages, frameworks) = parse(text, &framework).expect("a restore");
        let found: Vec<_> = packages
            .iter()
            .map(|p| (p.id.as_str(), &*p.files))
            .collect();
        assert_eq!(
            found,
            [
                ("A", &[][..]),
                ("B", &["b/2.0.0/lib/net6.0/B.dll".to_owned()])
            ]
        );
        assert_eq!(frameworks, ["F"]);
        assert_eq!(parse(b"{}", &framework), None);
        assert_eq!(parse(b"[", &framework), None);
    }
}
