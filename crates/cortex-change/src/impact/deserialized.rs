//! Where product code makes objects of changed data from texts and settings: what is read there must fit what the data is now.
//!
//! Owns: which calls do so, by their names. Must not know: who writes such texts.

use std::collections::{BTreeMap, BTreeSet, btree_map::Entry};

use cortex_derived::doc_ids::DocIds;
use cortex_git::ReadBlob;
use cortex_look::QueryError;
use cortex_model::{BlobId, TypeKey};
use cortex_syntax::text::decode;
use cortex_wire::{Deserialized, MemberChangeKind, Role, UseSide};

use super::{
    file_lines::FileLines,
    symbols::ChangedSymbol,
    uses::{Want, Wanted, find},
};
use crate::diff_context::{blobs::Reader, compared::Compared};

/// So many types are looked at.
const MAX_TYPES: usize = 24;

/// A type that more files use is what the whole repository is about.
const MAX_FILES: usize = 120;

/// In the names of generic calls that make an object of what they read: of serializers, of clients over HTTP, and of
/// configuration.
const CALLS: [&str; 7] = [
    "Deserialize",
    "FromJson",
    "ToObject<",
    "ReadAs<",
    ".Get<",
    "Configure<",
    "Bind<",
];

/// The places by type, for types of the product of which a property came, went or has another declaration. Reads the
/// bindings of the files that use these types.
pub(super) fn deserialized(
    compared: &Compared,
    symbols: &[ChangedSymbol],
    reader: &mut Reader<'_>,
) -> Result<Vec<Deserialized>, QueryError> {
    let is_data = |symbol: &&ChangedSymbol| {
        let is_other = !matches!(
            symbol.change,
            MemberChangeKind::Body | MemberChangeKind::Docs
        );
        is_other && symbol.id.starts_with("P:")
    };
    let keys: BTreeSet<TypeKey> = symbols.iter().filter(is_data).map(|it| it.key).collect();
    let new: BTreeSet<TypeKey> = (symbols.iter())
        .filter(|it| it.member.is_none() && it.change == MemberChangeKind::Added)
        .filter(|it| it.side == UseSide::New)
        .map(|it| it.key)
        .collect();
    let mut asked: Vec<(TypeKey, String)> = Vec::new();
    let mut wanted = Wanted::new();
    for key in keys.difference(&new).take(MAX_TYPES) {
        let Some(header) = compared.new.type_header(*key)? else {
            continue;
        };
        let is_few = compared.new.referrers(*key, None)?.len() <= MAX_FILES;
        if is_few && !compared.is_of_tests(&header.project) {
            let want = Want::of(None, asked.len());
            wanted.entry(*key).or_default().push(want);
            asked.push((*key, header.fqn));
        }
    }
    let places = find(&compared.new, &wanted)?;
    let mut ids = DocIds::new(&compared.new);
    let mut lines = FileLines::default();
    let mut texts: BTreeMap<BlobId, Vec<u8>> = BTreeMap::new();
    let mut found: BTreeMap<usize, BTreeSet<_>> = BTreeMap::new();
    let arguments = places.found.iter();
    // A type argument of a call is among these.
    for at in arguments.filter(|it| it.role == Role::Local) {
        let file = &places.files[at.file as usize];
        if compared.is_of_tests(&file.projects[usize::from(at.project)]) {
            continue;
        }
        let text = match texts.entry(file.blob) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(entry) => {
                let text = reader.read_blob(file.blob)?;
                entry.insert(decode(&text).as_bytes().to_vec())
            }
        };
        if is_read(text, at.offset as usize) {
            let place = lines.place(reader, &mut ids, &places, at)?;
            found.entry(at.want.symbol).or_default().insert(place);
        }
    }
    let out = found.into_iter().map(|(at, places)| Deserialized {
        ty: asked[at].1.clone(),
        places: places.into_iter().collect(),
    });
    Ok(out.collect())
}

/// Whether the name of a type stands in the type arguments of a call that reads an object, or of a call of a method of the
/// same file that hands them on to one.
fn is_read(text: &[u8], name: usize) -> bool {
    let before = &text[..name.min(text.len())];
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.<,? ".contains(byte);
    let start = before.iter().rposition(|byte| !is_part(byte));
    let call = String::from_utf8_lossy(&before[start.map_or(0, |at| at + 1)..]);
    let Some((callee, _)) = call.split_once('<') else {
        return false;
    };
    let callee = callee.rsplit(['.', ' ']).next().unwrap_or(callee);
    CALLS.iter().any(|it| call.contains(it)) || hands_on(text, callee)
}

/// Whether a text declares a generic method of some name of which the type parameter is read somewhere in the text.
fn hands_on(text: &[u8], method: &str) -> bool {
    let text = String::from_utf8_lossy(text);
    let declaration = format!(" {method}<");
    let mut declared = text.match_indices(&declaration).filter_map(|(at, _)| {
        let rest = &text[at + declaration.len()..];
        let (parameter, behind) = rest.split_once('>')?;
        let is_name = parameter.starts_with('T') && parameter.chars().all(char::is_alphanumeric);
        (is_name && behind.starts_with('(')).then(|| format!("<{parameter}>"))
    });
    let is_call = |part: char| part.is_alphanumeric() || part == '.';
    declared.any(|parameter| {
        let mut uses = text.match_indices(&parameter);
        uses.any(|(at, _)| {
            let callee = text[..at].rsplit(|part| !is_call(part)).next();
            let call = format!("{}<", callee.unwrap_or_default());
            CALLS.iter().any(|it| call.contains(it))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::is_read;

    #[test]
    fn what_a_call_reads_is_in_its_type_arguments() {
        let read = |text: &str| is_read(text.as_bytes(), text.find("Order").unwrap());
        assert!(read("var a = JsonSerializer.Deserialize<Order>(text);"));
        assert!(read(
            "x(await response.Content.ReadFromJsonAsync<Push<Order>>());"
        ));
        assert!(read("services.Configure<Order>(section);"));
        let own = "bool Fits<T>() => JsonSerializer.Deserialize<T>(text) != null;";
        assert!(read(&format!("a => Fits<Order>(); {own}")));
        assert!(!read(&format!("a => Other<Order>(); {own}")));
        assert!(!read(
            "a => Fits<Order>(); bool Fits<T>() => Deserialize<int>(a);"
        ));
        assert!(!read("Deserialize(a); Order b = null;"));
        assert!(!read("List<Order> orders = Deserialize<List<int>>(text);"));
    }
}
