//! Places of code in one line.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use cortex_model::RepoPath;
use cortex_wire::{CodePlace, DiffContext};

use crate::text::line;

/// So many places are named.
const MAX_NAMED: usize = 8;

/// So many places are named where much else is.
const MAX_FEW: usize = 5;

/// How far a file is from changed ones: less for a nearer one.
type Distance = (bool, Reverse<usize>, usize);

/// Which files are near to changed code: where there are many places, the nearest ones are named.
#[derive(Default)]
pub(super) struct Near<'a> {
    /// Files with changed types of the product.
    files: BTreeSet<&'a str>,
    /// The directories around them, to the root.
    directories: BTreeSet<&'a str>,
}

impl<'a> Near<'a> {
    /// Near to what a difference changes in the product.
    pub(super) fn of(answer: &'a DiffContext) -> Self {
        let tests = answer.test_types();
        let types = answer.types.iter();
        let types = types.filter(|it| !tests.contains(it.ty.name.as_str()));
        let files: BTreeSet<&str> = types
            .flat_map(|it| &it.files)
            .map(RepoPath::as_str)
            .collect();
        Self {
            directories: files.iter().flat_map(|path| directories(path)).collect(),
            files,
        }
    }

    /// How far a file is, less for a nearer one: changed ones first, then by how many of the directories around it are
    /// around one of these, then by how many are not.
    fn distance(&self, path: &str) -> Distance {
        // Without changed files none is nearer than another.
        if self.files.is_empty() {
            return (true, Reverse(0), 0);
        }
        let (shared, own): (Vec<&str>, Vec<&str>) =
            directories(path).partition(|it| self.directories.contains(it));
        (!self.files.contains(path), Reverse(shared.len()), own.len())
    }

    /// Files with the lines of all places in them, the nearest first, without the folder of the one before.
    pub(super) fn in_folders(&self, places: &[&CodePlace]) -> String {
        let mut files: BTreeMap<(Distance, &str, &str), BTreeSet<u32>> = BTreeMap::new();
        for place in places {
            let path = &place.path;
            let key = (self.distance(path.as_str()), path.folder(), path.as_str());
            files.entry(key).or_default().insert(place.line);
        }
        let mut before = None;
        let shown = files.iter().take(MAX_NAMED);
        let shown = shown.map(|((_, folder, path), lines)| {
            let path = match before.replace(*folder) == Some(*folder) {
                true => path.rsplit('/').next().unwrap_or(path),
                false => path,
            };
            let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
            format!("{}:{}", line(path), lines.join(","))
        });
        let mut shown: Vec<String> = shown.collect();
        if files.len() > MAX_NAMED {
            shown.push(format!("… {} more", files.len() - MAX_NAMED));
        }
        shown.join(", ")
    }

    /// The first place in each member, those of one file together, the nearest first.
    pub(super) fn in_members(&self, places: &[&CodePlace]) -> String {
        self.first_in_members(places, MAX_NAMED)
    }

    /// The same, of less members.
    pub(super) fn in_few_members(&self, places: &[&CodePlace]) -> String {
        self.first_in_members(places, MAX_FEW)
    }

    fn first_in_members(&self, places: &[&CodePlace], n_max: usize) -> String {
        let mut first: BTreeMap<(Distance, &str, Option<&str>), u32> = BTreeMap::new();
        for place in places {
            let path = place.path.as_str();
            let line = first
                .entry((self.distance(path), path, place.inside.as_deref()))
                .or_insert(place.line);
            *line = place.line.min(*line);
        }
        // The words for one more would be as long as the one.
        let n_max = n_max + usize::from(first.len() == n_max + 1);
        let shown: Vec<_> = first.iter().take(n_max).collect();
        let of_file = shown.chunk_by(|(a, _), (b, _)| a.1 == b.1);
        let mut out: Vec<String> = of_file
            .map(|members| {
                let path = members[0].0.1;
                let mut members: Vec<(u32, &str)> = (members.iter())
                    .map(|((_, _, inside), at)| {
                        let inside = inside.map_or("", crate::look::short);
                        (**at, inside.rsplit('.').next().unwrap_or(inside))
                    })
                    .collect();
                members.sort_unstable();
                let members = members.iter();
                let members = members.map(|(at, member)| match member.is_empty() {
                    true => format!(":{at}"),
                    false => format!(":{at} in {}", line(member)),
                });
                let members: Vec<String> = members.collect();
                format!("{}{}", line(path), members.join(", "))
            })
            .collect();
        if first.len() > n_max {
            out.push(format!("… {} more", first.len() - n_max));
        }
        out.join(", ")
    }
}

/// The directories around a file, the innermost first.
fn directories(path: &str) -> impl Iterator<Item = &str> {
    path.rmatch_indices('/').map(|(at, _)| &path[..at])
}

/// The places of files, each with its line.
pub(super) fn in_files(places: &[&CodePlace]) -> String {
    let shown = places.iter().take(MAX_NAMED);
    let shown = shown.map(|it| format!("{}:{}", line(it.path.as_str()), it.line));
    let mut shown: Vec<String> = shown.collect();
    if places.len() > MAX_NAMED {
        shown.push(format!("… {} more", places.len() - MAX_NAMED));
    }
    shown.join(", ")
}

/// The first place in each member, those of one file together.
pub(super) fn in_members(places: &[&CodePlace]) -> String {
    Near::default().in_members(places)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(path: &str, line: u32) -> CodePlace {
        CodePlace {
            path: RepoPath::from(path),
            line,
            inside: None,
        }
    }

    #[test]
    fn changed_files_come_first_then_those_whose_folders_share_most() {
        let near = Near {
            files: BTreeSet::from(["src/Core/Pay/A.cs"]),
            directories: directories("src/Core/Pay/A.cs").collect(),
        };
        let places = [
            place("a/B.cs", 1),
            place("src/Api/C.cs", 2),
            place("src/Core/Pay/A.cs", 3),
            place("src/Core/Pay/D.cs", 4),
            place("src/Core/User/E.cs", 5),
        ];
        let places: Vec<&CodePlace> = places.iter().collect();
        let ordered = "src/Core/Pay/A.cs:3, src/Core/Pay/D.cs:4, src/Core/User/E.cs:5, src/Api/C.cs:2, a/B.cs:1";
        assert_eq!(near.in_members(&places), ordered);
        let beside = [("a/B.cs", 1), ("a/C.cs", 2), ("C.cs", 3), ("a/B.cs", 4)];
        let beside = beside.map(|(path, line)| place(path, line));
        let beside: Vec<&CodePlace> = beside.iter().collect();
        assert_eq!(
            Near::default().in_folders(&beside),
            "C.cs:3, a/B.cs:1,4, C.cs:2"
        );
        let few = near.first_in_members(&places, 2);
        assert_eq!(few, "src/Core/Pay/A.cs:3, src/Core/Pay/D.cs:4, … 3 more");
    }
}
