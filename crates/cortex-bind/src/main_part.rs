//! The part of a partial type that readers look for first.

use cortex_model::simple_name;

use crate::PartRef;

/// The part in the file that is called like the type (`Order.cs`), else in one whose name begins so and is not
/// written by a tool (`Order.Core.cs`), else the first.
pub fn main_part<'p>(fqn: &str, parts: &'p [PartRef]) -> Option<&'p PartRef> {
    if parts.len() < 2 {
        return parts.first();
    }
    let name = simple_name(fqn);
    let name = name.split(['`', '<']).next().unwrap_or(name);
    let rank = |part: &PartRef| {
        let file = part.path.file_name();
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let first = stem.split(['.', '`', '{', '-', '_']).next().unwrap_or(stem);
        match (stem == name, first == name) {
            (true, _) => 0,
            (false, true) if !is_generated(stem) => 1,
            _ => 2,
        }
    };
    parts.iter().min_by_key(|part| rank(part))
}

/// Whether a file without its extension is called like what tools write.
fn is_generated(stem: &str) -> bool {
    let stem = stem.to_ascii_lowercase();
    [".g", ".designer", ".generated"]
        .iter()
        .any(|end| stem.ends_with(end))
}
