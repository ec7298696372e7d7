//! Names of types as people and signatures write them.

/// The simple name at the end of a type's name, canonical (``Ns.Outer`1+Inner`2`` is `Inner`) or as written
/// (`global::Ns.C<A.B>?` is `C`): without namespaces, types around it, arity, type arguments, `?` and ranks.
/// O(length).
pub fn simple_name(name: &str) -> &str {
    let mut end = name.len();
    for (at, byte) in name.bytes().enumerate().rev() {
        match byte {
            b'.' | b'+' | b':' => return &name[at + 1..end],
            b'`' | b'?' | b'*' => end = at,
            b'>' | b')' | b']' => return simple_name_with_brackets(name),
            _ => {}
        }
    }
    &name[..end]
}

fn simple_name_with_brackets(name: &str) -> &str {
    let (mut start, mut end, mut depth) = (0, name.len(), 0_u32);
    for (at, byte) in name.bytes().enumerate() {
        match byte {
            b'<' | b'(' | b'[' => {
                if depth == 0 && end == name.len() {
                    end = at;
                }
                depth += 1;
            }
            b'>' | b')' | b']' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            b'.' | b'+' | b':' => (start, end) = (at + 1, name.len()),
            b'`' | b'?' | b'*' if end == name.len() => end = at,
            _ => {}
        }
    }
    &name[start..end]
}

#[cfg(test)]
mod tests {
    use super::simple_name;

    #[test]
    fn a_simple_name_is_what_a_file_would_mention() {
        for (name, simple) in [
            ("C", "C"),
            ("Ns.Outer`1+Inner`2", "Inner"),
            ("Ns.Outer`1", "Outer"),
            ("global::Ns.C<A.B, (int, D.E)>?", "C"),
            ("alias::C", "C"),
            ("A<B.C>.D", "D"),
            ("Ns.C[]", "C"),
            ("C?[,]", "C"),
            ("N.S*", "S"),
            ("", ""),
        ] {
            assert_eq!(simple_name(name), simple, "{name}");
        }
    }
}
