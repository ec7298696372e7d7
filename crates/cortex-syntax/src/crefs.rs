//! The names inside `cref` values, appended to a file's references.

use crate::{
    docs,
    facts::{Decl, NameId, RefContext, RefId, Reference},
    names::Names,
};

/// Brackets nested deeper than this end the reading of one `cref`.
const MAX_DEPTH: usize = 32;

/// Appends a reference for each name in the `cref`s of the declarations' documentation.
///
/// Type arguments outside a parameter list declare type parameters (C# specification, annex D.4.2)
/// and are left out.
pub(crate) fn append(text: &[u8], decls: &[Decl], names: &mut Names, refs: &mut Vec<Reference>) {
    let mut last = 0;
    for decl in decls {
        // The declarators of one field share their documentation.
        if decl.doc_range.start >= last && decl.doc_range.end > decl.doc_range.start {
            last = decl.doc_range.end;
            docs::each_cref(text, decl.doc_range, |cref, offset| {
                if cref.as_bytes().get(1) != Some(&b':') || cref.as_bytes().get(2) == Some(&b':') {
                    read(cref, offset, names, refs);
                }
            });
        }
    }
}

fn read(cref: &str, start: u32, names: &mut Names, refs: &mut Vec<Reference>) {
    // By bracket depth: the name that a following dot would qualify.
    let mut left: [Option<RefId>; MAX_DEPTH] = [None; MAX_DEPTH];
    let (mut depth, mut braces, mut parens) = (0, 0u32, 0u32);
    let mut chars = cref.char_indices().peekable();
    let mut after_dot = false;
    while let Some((at, c)) = chars.next() {
        match c {
            '{' | '<' | '(' | '[' => {
                if parens == 0 && matches!(c, '{' | '<') {
                    braces += 1;
                    if let Some(id) = left[depth] {
                        refs[id as usize].arity = arguments(&cref[at + 1..]);
                    }
                } else if c == '(' {
                    parens += 1;
                } else if let (Some(id), '{' | '<') = (left[depth], c) {
                    refs[id as usize].arity = arguments(&cref[at + 1..]);
                }
                depth += 1;
                if depth >= MAX_DEPTH {
                    return;
                }
                left[depth] = None;
                after_dot = false;
            }
            '}' | '>' | ')' | ']' => {
                if parens == 0 && matches!(c, '}' | '>') {
                    braces = braces.saturating_sub(1);
                }
                depth = depth.saturating_sub(1);
                after_dot = false;
            }
            '.' => after_dot = true,
            ':' => after_dot = true,
            ',' => {
                left[depth] = None;
                after_dot = false;
            }
            _ if c.is_alphabetic() || c == '_' || c == '@' => {
                let mut end = at + c.len_utf8();
                while let Some(&(next, d)) = chars.peek() {
                    if !(d.is_alphanumeric() || d == '_') {
                        break;
                    }
                    end = next + d.len_utf8();
                    chars.next();
                }
                if braces == 0 || parens > 0 {
                    let word = &cref[at..end];
                    if is_keyword(word) {
                        left[depth] = None;
                    } else {
                        let name: NameId = names.identifier(word);
                        let id = refs.len() as RefId;
                        let qualifier = left[depth]
                            .filter(|_| after_dot)
                            .map_or(0, |left| id - left);
                        refs.push(Reference {
                            name,
                            offset: start + at as u32,
                            context: RefContext::Doc,
                            arity: 0,
                            qualifier,
                            shadowed: false,
                        });
                        left[depth] = Some(id);
                    }
                }
                after_dot = false;
            }
            _ => {}
        }
    }
}

/// How many type arguments stand before the closing bracket.
fn arguments(rest: &str) -> u16 {
    let mut depth = 0u32;
    let mut count = 1;
    for byte in rest.bytes() {
        match byte {
            b'{' | b'<' => depth += 1,
            b'}' | b'>' if depth == 0 => break,
            b'}' | b'>' => depth -= 1,
            b',' if depth == 0 => count += 1,
            _ => {}
        }
    }
    count
}

fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "bool"
            | "byte"
            | "sbyte"
            | "short"
            | "ushort"
            | "int"
            | "uint"
            | "long"
            | "ulong"
            | "char"
            | "float"
            | "double"
            | "decimal"
            | "string"
            | "object"
            | "void"
            | "ref"
            | "out"
            | "in"
            | "params"
            | "this"
            | "operator"
            | "implicit"
            | "explicit"
            | "checked"
            | "global"
            | "true"
            | "false"
            | "dynamic"
    )
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::names::Names;

    #[track_caller]
    fn check_cref(cref: &str, expected: &[&str]) {
        let mut names = Names::default();
        let mut refs = Vec::new();
        read(cref, 0, &mut names, &mut refs);
        let texts = names.into_texts();
        let shown: Vec<String> = refs
            .iter()
            .map(|r| format!("{}`{}-{}", texts[r.name as usize], r.arity, r.qualifier))
            .collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn segments_are_linked_and_arguments_counted() {
        check_cref("A.B{T}.C", &["A`0-0", "B`1-1", "C`0-1"]);
        check_cref(
            "Dictionary{TKey,TValue}.Add(TKey, List{Foo})",
            &[
                "Dictionary`2-0",
                "Add`0-1",
                "TKey`0-0",
                "List`1-0",
                "Foo`0-0",
            ],
        );
        check_cref("int.Parse(string)", &["Parse`0-0"]);
    }
}
