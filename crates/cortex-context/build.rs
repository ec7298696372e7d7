//! Lays out the vocabulary `o200k_base` and the letters of Unicode so that the program reads them where
//! they are: building them at run time takes longer than most answers.

#[path = "src/tokenizer/o200k/layout.rs"]
mod layout;

use std::{env, error::Error, fmt::Write, fs, path::PathBuf};

use regex_syntax::hir::{Class, HirKind};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/tokenizer/o200k/layout.rs");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR")?);
    let (n_tokens, table) = vocabulary()?;
    fs::write(out.join("o200k_base.bin"), table)?;
    fs::write(out.join("n_tokens.rs"), n_tokens.to_string())?;
    fs::write(out.join("letters.rs"), letters()?)?;
    Ok(())
}

/// The number of tokens, and the table of [`layout`].
fn vocabulary() -> Result<(usize, Vec<u8>), Box<dyn Error>> {
    let encoding = tiktoken::get_encoding("o200k_base").ok_or("no vocabulary o200k_base")?;
    if encoding.vocab_size() >= 1 << layout::RANK_BITS {
        return Err("ranks need more bits".into());
    }
    let mut slots = vec![0u32; layout::N_SLOTS];
    let mut offsets = vec![0u32];
    let mut arena = Vec::new();
    for rank in 0..u32::try_from(encoding.vocab_size())? {
        let token = encoding.decode(&[rank]);
        if !token.is_empty() {
            let hash = layout::hash(&token);
            let mut slot = layout::first_slot(hash);
            while slots[slot] != 0 {
                slot = (slot + 1) % layout::N_SLOTS;
            }
            slots[slot] = (rank + 1) | layout::tag(hash) << layout::RANK_BITS;
            arena.extend_from_slice(&token);
        }
        offsets.push(u32::try_from(arena.len())?);
    }
    let mut out: Vec<u8> = slots
        .iter()
        .chain(&offsets)
        .flat_map(|number| number.to_le_bytes())
        .collect();
    out.extend_from_slice(&arena);
    Ok((offsets.len() - 1, out))
}

/// Sorted ranges of characters outside ASCII with what they are to the vocabulary's pattern.
fn letters() -> Result<String, Box<dyn Error>> {
    let kinds = [
        ("Upper", r"[\p{Lu}\p{Lt}]"),
        ("Lower", r"\p{Ll}"),
        ("Both", r"[\p{Lm}\p{Lo}]"),
        ("Mark", r"\p{M}"),
        ("Number", r"\p{N}"),
    ];
    let mut ranges = Vec::new();
    for (kind, pattern) in kinds {
        let hir = regex_syntax::parse(pattern)?;
        let HirKind::Class(Class::Unicode(class)) = hir.kind() else {
            return Err("not a class".into());
        };
        ranges.extend(
            class
                .ranges()
                .iter()
                .map(|range| (range.start(), range.end(), kind)),
        );
    }
    ranges.sort_unstable();
    let mut out = String::from("[\n");
    for (start, end, kind) in ranges {
        writeln!(
            out,
            "('\\u{{{:x}}}', '\\u{{{:x}}}', Class::{kind}),",
            start as u32, end as u32
        )?;
    }
    out.push(']');
    Ok(out)
}
