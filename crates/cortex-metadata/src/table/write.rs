//! Assemblies to the bytes of a table.

use std::sync::Arc;

use cortex_model::put_varint;

use super::{
    MAGIC,
    records::{Coded, Writer},
};
use crate::{assembly::Assembly, error::MetadataError};

/// Slow and small: a table is written once and read by everybody.
const LEVEL: i32 = 19;

/// Packs the assemblies of shared frameworks: a version, then framework and assembly. Equal input, equal bytes.
pub fn write_table(
    version: &str,
    assemblies: &[(&str, Arc<Assembly>)],
) -> Result<Vec<u8>, MetadataError> {
    let mut names = Vec::new();
    let mut head = MAGIC.to_vec();
    put_text(&mut head, version);
    put_varint(&mut head, assemblies.len() as u32);
    let mut blocks = Vec::new();
    for (framework, assembly) in assemblies {
        put_text(&mut head, framework);
        put_text(&mut head, assembly.name());
        for part in assembly.version() {
            put_varint(&mut head, u32::from(part));
        }
        head.extend_from_slice(assembly.digest().as_bytes());
        put_varint(&mut head, assembly.friends().len() as u32);
        for friend in assembly.friends() {
            put_text(&mut head, friend);
        }
        let start = names.len();
        put_names(&mut names, assembly);
        put_varint(&mut head, start as u32);
        put_varint(&mut head, (names.len() - start) as u32);
        let block = pack(&block(assembly))?;
        put_varint(&mut head, block.len() as u32);
        blocks.extend_from_slice(&block);
    }
    let names = pack(&names)?;
    put_varint(&mut head, names.len() as u32);
    head.extend_from_slice(&names);
    head.extend_from_slice(&blocks);
    Ok(head)
}

fn pack(bytes: &[u8]) -> Result<Vec<u8>, MetadataError> {
    let mut out = Vec::new();
    put_varint(&mut out, bytes.len() as u32);
    let packed = zstd::bulk::compress(bytes, LEVEL)
        .map_err(|_| MetadataError::Table("it cannot be compressed"))?;
    out.extend_from_slice(&packed);
    Ok(out)
}

fn block(assembly: &Assembly) -> Vec<u8> {
    let mut writer = Writer::default();
    let mut types = Vec::new();
    for (row, _) in assembly.all_types() {
        let start = writer.bytes.len();
        assembly.type_def(row).put(&mut writer);
        let middle = writer.bytes.len();
        assembly.members(row).put(&mut writer);
        assembly.extension_blocks(row).put(&mut writer);
        let end = writer.bytes.len();
        types.push((row.0, middle - start, end - middle));
    }
    writer.finish(&types)
}

fn put_names(out: &mut Vec<u8>, assembly: &Assembly) {
    let names = assembly.names();
    let mut forwards: Vec<_> = names.forwards().collect();
    forwards
        .sort_unstable_by_key(|entry| (entry.assembly, entry.namespace, entry.name, entry.arity));
    let mut tops: Vec<_> = names.types().collect();
    tops.sort_unstable_by_key(|entry| entry.row);
    let mut texts: Vec<&str> = names
        .namespaces()
        .chain(tops.iter().map(|entry| entry.namespace))
        .chain(
            forwards
                .iter()
                .flat_map(|entry| [entry.namespace, entry.assembly]),
        )
        .chain([""])
        .collect();
    texts.sort_unstable();
    texts.dedup();
    let number = |text: &str| texts.binary_search(&text).unwrap_or(0) as u32;
    put_varint(out, texts.len() as u32);
    for text in &texts {
        put_text(out, text);
    }
    put_varint(out, names.namespaces().count() as u32);
    for namespace in names.namespaces() {
        put_varint(out, number(namespace));
    }
    let all = assembly.all_types();
    put_varint(out, all.len() as u32);
    for (row, outer) in all {
        put_varint(out, row.0);
        put_varint(out, outer.map_or(0, |outer| outer.0 + 1));
        // Nested types are looked up by their enclosing one, not by name.
        let top = tops.binary_search_by_key(&row.0, |entry| entry.row);
        let (namespace, name, arity) = top.map_or(("", "", 0), |place| {
            (tops[place].namespace, tops[place].name, tops[place].arity)
        });
        put_varint(out, number(namespace));
        put_text(out, name);
        put_varint(out, u32::from(arity));
    }
    put_varint(out, forwards.len() as u32);
    for entry in &forwards {
        put_varint(out, number(entry.namespace));
        put_varint(out, number(entry.assembly));
        put_text(out, entry.name);
        put_varint(out, u32::from(entry.arity));
    }
    let extensions = assembly.listed_extension_members();
    put_varint(out, extensions.len() as u32);
    for (name, row) in extensions {
        put_text(out, name);
        put_varint(out, row);
    }
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    put_varint(out, text.len() as u32);
    out.extend_from_slice(text.as_bytes());
}
