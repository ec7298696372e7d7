//! An index with paths of 4,095 bytes and more, which the engine cannot read as it is.
//!
//! Owns: the form of entries before version 4. The engine expects a single zero behind such a path, where git pads
//! every entry to a multiple of eight bytes.

/// Paths of so many bytes have their length nowhere but in their end.
const LONG: usize = 0xFFF;

/// Signature, version and number of entries.
const HEADER: usize = 12;

/// What an entry has before the id of its content.
const STAT: usize = 40;

/// The same index without the padding behind long paths, and without extensions that say where entries are; `None`
/// where there is no long path, or the bytes are no index.
pub(super) fn without_padding(index: &[u8], hash_len: usize) -> Option<Vec<u8>> {
    let (header, mut rest) = index.split_at_checked(HEADER)?;
    let version = u32::from_be_bytes(*header[4..].first_chunk()?);
    let n_entries = u32::from_be_bytes(*header[8..].first_chunk()?);
    if !header.starts_with(b"DIRC") || !(2..4).contains(&version) {
        return None;
    }
    let mut out = header.to_vec();
    let mut has_long = false;
    for _ in 0..n_entries {
        let flags = u16::from_be_bytes(*rest.get(STAT + hash_len..)?.first_chunk()?);
        let is_extended = flags & 0x4000 != 0;
        let start = STAT + hash_len + if is_extended { 4 } else { 2 };
        let said = usize::from(flags) & LONG;
        let path = match said {
            LONG => memchr::memchr(0, rest.get(start..)?)?,
            said => said,
        };
        let end = start + path;
        let (entry, after) = rest.split_at_checked((end + 8) & !7)?;
        has_long |= said == LONG;
        out.extend_from_slice(if said == LONG { &entry[..=end] } else { entry });
        rest = after;
    }
    let (mut extensions, checksum) = rest.split_at_checked(rest.len().checked_sub(hash_len)?)?;
    while !extensions.is_empty() {
        let (head, _) = extensions.split_first_chunk::<8>()?;
        let size = u32::from_be_bytes(*head[4..].first_chunk()?) as usize;
        let (extension, after) = extensions.split_at_checked(head.len().checked_add(size)?)?;
        if !matches!(&head[..4], b"EOIE" | b"IEOT") {
            out.extend_from_slice(extension);
        }
        extensions = after;
    }
    out.extend_from_slice(checksum);
    has_long.then_some(out)
}
