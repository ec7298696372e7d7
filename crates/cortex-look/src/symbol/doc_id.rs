//! What a documentation id means.

use crate::QueryError;
use cortex_derived::target::Target;
use cortex_index::Snapshot;

/// What has exactly this documentation id: in several assemblies, all of them.
pub fn of_doc_id(snapshot: &Snapshot, text: &str) -> Result<Vec<Target>, QueryError> {
    let Some((kind, path)) = text.split_once(':').filter(|(kind, _)| kind.len() == 1) else {
        return Ok(Vec::new());
    };
    let end = path.find(['(', '~']).unwrap_or(path.len());
    let (ty, member) = match (kind, path[..end].rfind('.')) {
        ("T", _) => (path, None),
        (_, Some(dot)) => (&path[..dot], Some(&path[dot + 1..])),
        _ => return Ok(Vec::new()),
    };
    let simple = ty.rsplit('.').next().unwrap_or(ty);
    let simple = simple.split('`').next().unwrap_or(simple);
    let mut out = Vec::new();
    for symbol in snapshot.types_named(simple)? {
        if symbol.fqn.replace('+', ".") != ty {
            continue;
        }
        let Some(member) = member else {
            out.push(Target::Type(symbol.key));
            continue;
        };
        let part = format!("{kind}.{member}");
        let symbols = snapshot.symbols(symbol.key)?;
        if let Some(at) = symbols.member_with_id(&part) {
            out.push(Target::Member(symbol.key, symbols.tag(at)));
        }
    }
    out.sort_unstable();
    Ok(out)
}
