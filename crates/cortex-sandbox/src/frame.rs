//! The bytes between the pool and its workers: length-prefixed frames over pipes.
//!
//! Pool to worker: `limits`, then option sets, then jobs. Worker to pool: one empty frame when it
//! is ready, then one frame for each job, in order.

use std::io::{self, Read, Write};

use cortex_syntax::ParseOptions;

use crate::Limits;

/// No frame is longer: a guard against a garbled stream.
const MAX_FRAME: u32 = 1 << 30;

pub(crate) fn write(out: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    out.write_all(&(bytes.len() as u32).to_le_bytes())?;
    out.write_all(bytes)?;
    out.flush()
}

/// `None` at a clean end of the stream.
pub(crate) fn read(input: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    match input.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let length = u32::from_le_bytes(length);
    if length > MAX_FRAME {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "frame too long"));
    }
    let mut bytes = vec![0; length as usize];
    input.read_exact(&mut bytes)?;
    Ok(Some(bytes))
}

pub(crate) fn limits_to_bytes(limits: &Limits) -> Vec<u8> {
    [limits.file_bytes, limits.memory_bytes, limits.milliseconds]
        .iter()
        .flat_map(|n| n.to_le_bytes())
        .collect()
}

pub(crate) fn limits_from_bytes(bytes: &[u8]) -> Option<Limits> {
    let mut numbers = bytes
        .chunks_exact(8)
        .map(|chunk| chunk.try_into().map(u64::from_le_bytes));
    let mut next = || numbers.next()?.ok();
    Some(Limits {
        file_bytes: next()?,
        memory_bytes: next()?,
        milliseconds: next()?,
    })
}

/// Option sets as lines of symbols, sets divided by an empty line before each.
pub(crate) fn options_to_bytes(sets: &[ParseOptions]) -> Vec<u8> {
    let mut out = String::new();
    for set in sets {
        out.push_str("\n\n");
        set.symbols.iter().for_each(|symbol| {
            out.push_str(symbol);
            out.push('\n');
        });
    }
    out.into_bytes()
}

pub(crate) fn options_from_bytes(bytes: &[u8]) -> Option<Vec<ParseOptions>> {
    let text = std::str::from_utf8(bytes).ok()?;
    let sets = text.split("\n\n").skip(1);
    Some(
        sets.map(|set| ParseOptions {
            symbols: set
                .lines()
                .filter(|l| !l.is_empty())
                .map(str::to_owned)
                .collect(),
        })
        .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::{options_from_bytes, options_to_bytes};
    use cortex_syntax::ParseOptions;

    #[test]
    fn option_sets_round_trip() {
        let set = |symbols: &[&str]| ParseOptions {
            symbols: symbols.iter().map(|&s| s.to_owned()).collect(),
        };
        for sets in [
            vec![],
            vec![set(&[])],
            vec![set(&["A", "B"]), set(&[]), set(&["C"])],
        ] {
            assert_eq!(options_from_bytes(&options_to_bytes(&sets)), Some(sets));
        }
    }
}
