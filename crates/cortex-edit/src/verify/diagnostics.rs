//! The diagnostics in what a build writes, and which of them another build did not have.
//!
//! Source: the canonical form of MSBuild, `origin(line,column): error CODE: text [project]`.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use cortex_wire::{BuildDiagnostic, BuildSeverity};

/// A diagnostic.
pub(super) type Found = BuildDiagnostic;

/// The diagnostics of an output, each once, in order. `root`: the folder that files are told from.
pub(super) fn read(output: &str, root: &Path) -> Vec<Found> {
    let mut roots = vec![root.to_string_lossy().into_owned()];
    if let Ok(real) = root.canonicalize() {
        roots.push(real.to_string_lossy().into_owned());
    }
    let mut seen = BTreeSet::new();
    let found = output.lines().filter_map(|line| read_line(line, &roots));
    // A build tells them again in its summary.
    found
        .filter(|it| seen.insert((it.file.clone(), it.line, it.code.clone(), it.text.clone())))
        .collect()
}

fn read_line(line: &str, roots: &[String]) -> Option<Found> {
    let (at, severity, mark) = [
        (": error ", BuildSeverity::Error),
        (": warning ", BuildSeverity::Warning),
    ]
    .into_iter()
    .filter_map(|(mark, severity)| Some((line.find(mark)?, severity, mark)))
    .min_by_key(|it| it.0)?;
    let (code, text) = line[at + mark.len()..].split_once(':')?;
    let is_code = !code.is_empty()
        && code.bytes().all(|it| it.is_ascii_alphanumeric())
        && code.bytes().any(|it| it.is_ascii_digit());
    if !is_code {
        return None;
    }
    let origin = line[..at].trim();
    // Builds of several projects side by side number their lines.
    let origin = match origin.split_once('>') {
        Some((number, rest)) if number.bytes().all(|it| it.is_ascii_digit()) => rest,
        _ => origin,
    };
    let (file, place) = match origin.strip_suffix(')').and_then(|it| it.rsplit_once('(')) {
        Some((file, place)) => (file, place),
        None => (origin, ""),
    };
    let number = place.split(',').next().and_then(|it| it.parse().ok());
    let without_root = |text: &str| {
        let mut text = text.to_owned();
        for root in roots {
            text = text
                .replace(&format!("{root}/"), "")
                .replace(&format!("{root}\\"), "");
        }
        text
    };
    let text = text.trim();
    let text = match text.rsplit_once(" [") {
        Some((text, project)) if project.ends_with(']') && project.contains("proj") => text,
        _ => text,
    };
    Some(Found {
        severity,
        code: code.to_owned(),
        file: without_root(file).replace('\\', "/"),
        line: number,
        text: without_root(text),
    })
}

/// What the second list has beyond the first one. Lines move, and texts name what was renamed: of each code in each file,
/// as many are new as there are more than before, those first whose text is new. `path`: what a file is called in the
/// second list.
pub(super) fn introduced(
    before: &[Found],
    after: &[Found],
    path: &dyn Fn(&str) -> String,
) -> Vec<Found> {
    let mut known: BTreeMap<(BuildSeverity, String, String), Vec<&str>> = BTreeMap::new();
    for it in before {
        let key = (it.severity, it.code.clone(), path(&it.file));
        known.entry(key).or_default().push(&it.text);
    }
    // Equal ones first.
    let mut left = Vec::new();
    for it in after {
        let texts = known.get_mut(&(it.severity, it.code.clone(), it.file.clone()));
        let same = texts.and_then(|texts| {
            let at = texts.iter().position(|text| *text == it.text)?;
            Some(texts.swap_remove(at))
        });
        if same.is_none() {
            left.push(it);
        }
    }
    let is_new = |it: &&Found| {
        let texts = known.get_mut(&(it.severity, it.code.clone(), it.file.clone()));
        texts.is_none_or(|texts| texts.pop().is_none())
    };
    left.into_iter().filter(is_new).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_builds_are_read() {
        let output = "\
Build started.
/tmp/x/tree/src/A.cs(12,5): error CS0103: The name 'x' does not exist [/tmp/x/tree/src/A.csproj]
  3>/tmp/x/tree/src/A.cs(12,5): error CS0103: The name 'x' does not exist [/tmp/x/tree/src/A.csproj]
/tmp/x/tree/B.cs(7): warning CS8618: Property: it is null
CSC : error CS5001: no entry point [/tmp/x/tree/A.csproj]
/tmp/x/tree/A.csproj : error NU1101: Unable to find package Y
  A.cs: error in a sentence: nothing
    1 Error(s)
";
        let found = read(output, Path::new("/tmp/x/tree"));
        let shown: Vec<String> = found
            .iter()
            .map(|it| {
                format!(
                    "{:?} {} {}:{:?} {}",
                    it.severity, it.code, it.file, it.line, it.text
                )
            })
            .collect();
        assert_eq!(
            shown,
            [
                "Error CS0103 src/A.cs:Some(12) The name 'x' does not exist",
                "Warning CS8618 B.cs:Some(7) Property: it is null",
                "Error CS5001 CSC:None no entry point",
                "Error NU1101 A.csproj:None Unable to find package Y",
            ]
        );
    }

    #[test]
    fn what_moved_or_names_what_was_renamed_is_not_new() {
        let of = |line, file: &str, code: &str, text: &str| Found {
            severity: BuildSeverity::Warning,
            code: code.to_owned(),
            file: file.to_owned(),
            line: Some(line),
            text: text.to_owned(),
        };
        let before = [
            of(1, "A.cs", "CS1", "Old is not used"),
            of(2, "A.cs", "CS1", "Other is not used"),
        ];
        let path = |file: &str| file.replace("A.cs", "B.cs");
        let renamed = [
            of(9, "B.cs", "CS1", "Other is not used"),
            of(8, "B.cs", "CS1", "New is not used"),
        ];
        assert_eq!(introduced(&before, &renamed, &path), []);
        let more = [
            of(9, "B.cs", "CS1", "Other is not used"),
            of(8, "B.cs", "CS1", "New is not used"),
            of(7, "B.cs", "CS1", "And this"),
            of(1, "B.cs", "CS2", "Another"),
        ];
        let new = introduced(&before, &more, &path);
        let texts: Vec<&str> = new.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(texts, ["And this", "Another"]);
    }
}
