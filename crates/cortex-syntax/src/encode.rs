//! Facts to bytes and back: what the store keeps and what parser processes answer.
//!
//! Three sections, so that each reader pays for what it reads alone:
//! `flags | length | names and columns of the declarations | length | columns of the references |
//! columns of the bodies`, lengths as u32 (LE). Not compressed: the store packs the facts of many
//! files together, which takes a third less than one by one.

mod bodies;
mod declarations;

use cortex_model::{put_varint, take_varint};
use thiserror::Error;

use crate::facts::{FileFacts, RefContext, Reference};

/// A facts value that cannot be read: damaged, or written by another version.
#[derive(Debug, Error)]
#[error("the facts cannot be decoded: {0}")]
pub struct DecodeError(String);

/// Writes facts in the current version's form. Equal facts give equal bytes.
pub fn encode_facts(facts: &FileFacts) -> Vec<u8> {
    let declarations = declarations::write(facts);
    let columns = columns(&facts.refs);
    let bodies = bodies::write(&facts.bodies, &facts.names);
    let mut out = Vec::with_capacity(9 + declarations.len() + columns.len() + bodies.len());
    let global = facts.usings.iter().any(|using| using.global) || facts.grants_friends();
    out.push(u8::from(facts.symbols_tested.is_empty()) | u8::from(global) << 1);
    out.extend_from_slice(&(declarations.len() as u32).to_le_bytes());
    out.extend_from_slice(&declarations);
    out.extend_from_slice(&(columns.len() as u32).to_le_bytes());
    out.extend_from_slice(&columns);
    out.extend_from_slice(&bodies);
    out
}

/// Whether encoded facts are the same under every set of `#if` symbols.
pub fn is_neutral(encoded: &[u8]) -> bool {
    encoded.first().is_some_and(|flags| flags & 1 != 0)
}

/// Whether encoded facts say something to the whole project: a `global using` or `InternalsVisibleTo`.
pub fn is_project_wide(encoded: &[u8]) -> bool {
    encoded.first().is_some_and(|flags| flags & 2 != 0)
}

/// How much of a facts value to read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sections {
    /// Declarations, usings and names; no references.
    Declarations,
    /// Names and references alone: a third of the cost of everything.
    References,
    /// Declarations and references; no bodies.
    All,
    /// Everything, bodies as well.
    Bodies,
}

/// Reads what [`encode_facts`] wrote.
pub fn decode_facts(bytes: &[u8], sections: Sections) -> Result<FileFacts, DecodeError> {
    let fail = |message: &str| DecodeError(message.to_owned());
    let bytes = bytes.get(1..).unwrap_or_default();
    let (first, rest) = split_section(bytes).ok_or_else(|| fail("too short"))?;
    let (second, third) = split_section(rest).ok_or_else(|| fail("too short"))?;
    let facts = match sections {
        Sections::References => declarations::read_names(first).map(|names| FileFacts {
            names,
            ..FileFacts::default()
        }),
        _ => declarations::read(first),
    };
    let mut facts = facts.ok_or_else(|| fail("bad declaration columns"))?;
    if sections != Sections::Declarations {
        let mut input = Input(second);
        read_columns(&mut input, &mut facts).ok_or_else(|| fail("bad reference columns"))?;
    }
    if sections == Sections::Bodies {
        facts.bodies = bodies::read(&mut Input(third), &facts.names)
            .ok_or_else(|| fail("bad body columns"))?;
    }
    Ok(facts)
}

/// A section with its length before it, and what follows.
fn split_section(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    rest.split_at_checked(u32::from_le_bytes(*length) as usize)
}

/// References as one column per field, numbers as LEB128, offsets as differences.
fn columns(refs: &[Reference]) -> Vec<u8> {
    let mut out = Vec::with_capacity(refs.len() * 5 + 16);
    put_varint(&mut out, refs.len() as u32);
    refs.iter().for_each(|r| put_varint(&mut out, r.name));
    let mut before = 0;
    for r in refs {
        // References in documentation start over at the top of the file.
        let difference = i64::from(r.offset) - i64::from(before);
        put_signed(&mut out, difference);
        before = r.offset;
    }
    out.extend(
        refs.iter()
            .map(|r| r.context as u8 | u8::from(r.shadowed) << 7),
    );
    refs.iter()
        .for_each(|r| put_varint(&mut out, u32::from(r.arity)));
    refs.iter().for_each(|r| put_varint(&mut out, r.qualifier));
    out
}

fn read_columns(input: &mut Input<'_>, facts: &mut FileFacts) -> Option<()> {
    let count = input.number()? as usize;
    if count > input.0.len() {
        return None;
    }
    let n_names = facts.names.len() as u32;
    let mut refs = Vec::with_capacity(count);
    for _ in 0..count {
        let name = input.number().filter(|&name| name < n_names)?;
        refs.push(Reference {
            name,
            offset: 0,
            context: RefContext::Value,
            arity: 0,
            qualifier: 0,
            shadowed: false,
        });
    }
    let mut before = 0i64;
    for r in &mut refs {
        before += input.signed()?;
        r.offset = u32::try_from(before).ok()?;
    }
    for r in &mut refs {
        let byte = input.byte()?;
        r.context = *RefContext::ALL.get(usize::from(byte & 0x7f))?;
        r.shadowed = byte & 0x80 != 0;
    }
    for r in &mut refs {
        r.arity = u16::try_from(input.number()?).ok()?;
    }
    for (i, r) in refs.iter_mut().enumerate() {
        r.qualifier = input.number().filter(|&back| back as usize <= i)?;
    }
    facts.refs = refs;
    Some(())
}

fn put_signed(out: &mut Vec<u8>, number: i64) {
    put_varint(out, (number << 1 ^ number >> 63) as u32);
}

struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(byte)
    }

    fn number(&mut self) -> Option<u32> {
        take_varint(&mut self.0)
    }

    /// A number of things that take a byte each at least.
    fn count(&mut self) -> Option<usize> {
        let count = self.number()? as usize;
        (count <= self.0.len()).then_some(count)
    }

    fn bytes(&mut self, length: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }

    fn signed(&mut self) -> Option<i64> {
        let number = i64::from(self.number()?);
        Some(number >> 1 ^ -(number & 1))
    }
}

#[cfg(test)]
mod tests {
    use super::{Sections, decode_facts, encode_facts};
    use crate::{FileFacts, ParseOptions, extract};

    #[test]
    fn references_alone_are_the_references_of_everything() {
        let text = b"#if A\n#endif\nusing N;\nclass C : B<int> { void M() => D.E(); }";
        let facts = extract(text, &ParseOptions::default());
        let bytes = encode_facts(&facts);
        let alone = decode_facts(&bytes, Sections::References).expect("what was encoded");
        let everything = decode_facts(&bytes, Sections::Bodies).expect("what was encoded");
        assert_eq!(everything, facts);
        let all = decode_facts(&bytes, Sections::All).expect("what was encoded");
        assert_eq!(all.bodies, Default::default());
        assert!(!alone.refs.is_empty());
        let expected = FileFacts {
            names: all.names,
            refs: all.refs,
            ..FileFacts::default()
        };
        assert_eq!(alone, expected);
    }
}
