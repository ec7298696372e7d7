//! From an executable image to its metadata bytes (ECMA-335, §II.25), reading no more of the file than that.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::Path,
};

use super::bytes::{u16_at, u32_at};
use crate::{error::MetadataError, regular::open_regular};

/// The headers are looked for in this many bytes: section tables of real images end far before.
const HEADER_BYTES: usize = 4096;

/// More metadata than this is refused, so that a hostile file costs bounded memory.
const MAX_METADATA_BYTES: u32 = 256 << 20;

/// Files up to this many bytes are read whole: one read is cheaper than three.
const SMALL_FILE_BYTES: u64 = 256 << 10;

/// Reads the metadata of a file; of a large one its headers and its metadata only, not its code.
pub(crate) fn read_metadata(path: &Path) -> Result<Vec<u8>, MetadataError> {
    let read_error = |source| MetadataError::Read {
        path: path.to_owned(),
        source,
    };
    let mut file = open_regular(path).map_err(read_error)?;
    let length = file.metadata().map_err(read_error)?.len();
    if length <= SMALL_FILE_BYTES {
        return cut_metadata(read_part(&mut file, 0, length).map_err(read_error)?);
    }
    let header = read_part(&mut file, 0, HEADER_BYTES as u64).map_err(read_error)?;
    let sections = Sections::read(&header)?;
    let cli = sections
        .file_offset(sections.cli_header)
        .ok_or(MetadataError::Image(
            "the CLI header is outside of the file",
        ))?;
    let cli_header = read_part(&mut file, u64::from(cli), 16).map_err(read_error)?;
    let (offset, size) = sections.metadata(&cli_header)?;
    let (offset, size) = (u64::from(offset), u64::from(size));
    if offset + size > length {
        return Err(MetadataError::Image("the metadata is cut off"));
    }
    read_part(&mut file, offset, size).map_err(read_error)
}

/// Reads a part of a file, which may end earlier.
fn read_part(file: &mut File, start: u64, length: u64) -> io::Result<Vec<u8>> {
    if start > 0 {
        file.seek(SeekFrom::Start(start))?;
    }
    let mut bytes = vec![0; usize::try_from(length).unwrap_or(0)];
    let mut filled = 0;
    while filled < bytes.len() {
        match file.read(&mut bytes[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    bytes.truncate(filled);
    Ok(bytes)
}

/// Cuts the metadata out of the bytes of a whole file.
pub(crate) fn cut_metadata(mut bytes: Vec<u8>) -> Result<Vec<u8>, MetadataError> {
    let header = bytes.get(..HEADER_BYTES).unwrap_or(&bytes);
    let sections = Sections::read(header)?;
    let cli = sections
        .file_offset(sections.cli_header)
        .ok_or(MetadataError::Image(
            "the CLI header is outside of the file",
        ))? as usize;
    let cli_header = bytes
        .get(cli..)
        .ok_or(MetadataError::Image("the CLI header is cut off"))?;
    let (offset, size) = sections.metadata(cli_header)?;
    let (offset, size) = (offset as usize, size as usize);
    if offset.checked_add(size).is_none_or(|end| end > bytes.len()) {
        return Err(MetadataError::Image("the metadata is cut off"));
    }
    bytes.truncate(offset + size);
    bytes.drain(..offset);
    Ok(bytes)
}

/// Where the sections of an image lie, in memory and in the file.
struct Sections {
    /// The address of the CLI header.
    cli_header: u32,
    /// Address, length in memory or file, place in the file.
    list: Vec<(u32, u32, u32)>,
}

impl Sections {
    fn read(header: &[u8]) -> Result<Self, MetadataError> {
        Self::try_read(header).ok_or(MetadataError::Image("no managed executable"))
    }

    fn try_read(header: &[u8]) -> Option<Self> {
        if !header.starts_with(b"MZ") {
            return None;
        }
        let pe = u32_at(header, 0x3c)? as usize;
        if header.get(pe..pe.checked_add(4)?)? != b"PE\0\0" {
            return None;
        }
        let coff = pe + 4;
        let section_count = u16_at(header, coff + 2)?;
        let optional_size = usize::from(u16_at(header, coff + 16)?);
        let optional = coff + 20;
        // Directory 14 is the CLI header; the directories start later in 64-bit images.
        let directories = match u16_at(header, optional)? {
            0x10b => optional + 96,
            0x20b => optional + 112,
            _ => return None,
        };
        let cli_header = u32_at(header, directories + 14 * 8)?;
        if cli_header == 0 {
            return None;
        }
        let list = (0..usize::from(section_count))
            .map_while(|index| {
                let at = optional + optional_size + index * 40;
                let virtual_size = u32_at(header, at + 8)?;
                let address = u32_at(header, at + 12)?;
                let raw_size = u32_at(header, at + 16)?;
                let raw = u32_at(header, at + 20)?;
                Some((address, virtual_size.max(raw_size), raw))
            })
            .collect();
        Some(Self { cli_header, list })
    }

    fn file_offset(&self, address: u32) -> Option<u32> {
        let &(start, _, raw) = self
            .list
            .iter()
            .find(|&&(start, size, _)| address >= start && address - start < size)?;
        (address - start).checked_add(raw)
    }

    /// Place and length of the metadata in the file, given the first bytes of the CLI header.
    fn metadata(&self, cli_header: &[u8]) -> Result<(u32, u32), MetadataError> {
        let cut = MetadataError::Image("the CLI header is cut off");
        let address = u32_at(cli_header, 8);
        let (Some(address), Some(size)) = (address, u32_at(cli_header, 12)) else {
            return Err(cut);
        };
        let offset = self
            .file_offset(address)
            .ok_or(MetadataError::Image("the metadata is outside of the file"))?;
        if size > MAX_METADATA_BYTES {
            return Err(MetadataError::Image("the metadata is too large"));
        }
        Ok((offset, size))
    }
}
