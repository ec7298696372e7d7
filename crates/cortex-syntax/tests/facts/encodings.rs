//! Where the names of a program stand in the bytes of its file, whatever its encoding.

use cortex_model::ByteRange;
use cortex_syntax::{
    ParseOptions, extract,
    text::{Encoding, FileOffsets, decode, token_at},
};
use proptest::{collection::vec, prelude::*, sample::select};

/// Names that every encoding can say.
const NAMES: [&str; 6] = ["Plain", "größe", "Ærø", "@class", "_ñ1", "ÿ"];

/// A program of these names, with comments and strings between them.
fn program(names: &[&str], filler: &str) -> String {
    let mut out = format!("// é {filler}\n");
    for (at, name) in names.iter().enumerate() {
        out.push_str(&format!(
            "/* ü{filler} */ class {name}{at} : Base{at}<{name}> {{ /// <see cref=\"{name}\"/>\n  {name} M({name} a) => a.{name}(\"é{filler}\", {name}.Call); }}\n"
        ));
    }
    out
}

fn encode(text: &str, encoding: Encoding) -> Vec<u8> {
    let utf16 = |mark: [u8; 2], bytes: fn(u16) -> [u8; 2]| {
        let units = text.encode_utf16().flat_map(bytes);
        mark.into_iter().chain(units).collect()
    };
    match encoding {
        Encoding::Utf8 => text.as_bytes().to_vec(),
        Encoding::Utf8Bom => ["\u{feff}", text].concat().into_bytes(),
        Encoding::Utf16Le => utf16([0xFF, 0xFE], u16::to_le_bytes),
        Encoding::Utf16Be => utf16([0xFE, 0xFF], u16::to_be_bytes),
        Encoding::Windows1252Guessed => {
            let bytes = text.chars().map(|c| u32::from(c) as u8);
            bytes.collect()
        }
    }
}

/// The text of some bytes out of a file.
fn decoded(bytes: &[u8], encoding: Encoding) -> String {
    let bytes = match encoding {
        Encoding::Utf16Le => [&[0xFF, 0xFE], bytes].concat(),
        Encoding::Utf16Be => [&[0xFE, 0xFF], bytes].concat(),
        _ => bytes.to_vec(),
    };
    decode(&bytes).as_str().to_owned()
}

proptest! {
    #[test]
    fn the_bytes_of_every_name_say_that_name(
        names in vec(select(&NAMES[..]), 1..5),
        filler in "[ a-zéü]{0,6}",
        encoding in select(&[
            Encoding::Utf8,
            Encoding::Utf8Bom,
            Encoding::Utf16Le,
            Encoding::Utf16Be,
            Encoding::Windows1252Guessed,
        ][..]),
    ) {
        let bytes = encode(&program(&names, &filler), encoding);
        let source = decode(&bytes);
        prop_assert_eq!(source.encoding(), encoding);
        let offsets = FileOffsets::new(&source, bytes.len());
        let facts = extract(&bytes, &ParseOptions::default());
        let check = |range: ByteRange, name: &str| {
            let cut = decoded(&bytes[offsets.file_range(range).as_usize()], encoding);
            prop_assert_eq!(cut.strip_prefix('@').unwrap_or(&cut), name);
            Ok(())
        };
        prop_assert!(!facts.refs.is_empty());
        for reference in &facts.refs {
            let range = token_at(source.as_bytes(), reference.offset);
            check(range, facts.name(reference.name))?;
        }
        for decl in facts.decls.iter() {
            check(decl.name_range, facts.name(decl.name))?;
        }
    }
}
