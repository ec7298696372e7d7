//! The names inside `cref` values, appended to a file's references, and the parameter lists there.

use crate::{
    docs,
    facts::{CrefSignature, Decl, NameId, NameSegment, RefContext, RefId, Reference, TypeSyntax},
    names::Names,
};

/// Brackets nested deeper than this end the reading of one `cref`.
const MAX_DEPTH: u32 = 32;

/// Appends a reference for each name in the `cref`s of the declarations' documentation, and gives back their parameter
/// lists.
///
/// Type arguments outside a parameter list declare type parameters (C# specification, annex D.4.2)
/// and are left out.
pub(crate) fn append(
    text: &[u8],
    decls: &[Decl],
    names: &mut Names,
    refs: &mut Vec<Reference>,
) -> Vec<CrefSignature> {
    let mut last = 0;
    let mut signatures = Vec::new();
    for decl in decls {
        // The declarators of one field share their documentation.
        if decl.doc_range.start >= last && decl.doc_range.end > decl.doc_range.start {
            last = decl.doc_range.end;
            docs::each_cref(text, decl.doc_range, |cref, start| {
                if cref.as_bytes().get(1) != Some(&b':') || cref.as_bytes().get(2) == Some(&b':') {
                    signatures.extend(Reader::new((cref, start), names, refs).read());
                }
            });
        }
    }
    signatures
}

/// Reads one `cref`.
struct Reader<'t, 'o> {
    text: &'t str,
    at: usize,
    /// Where the text starts in the file.
    start: u32,
    names: &'o mut Names,
    refs: &'o mut Vec<Reference>,
}

impl<'t, 'o> Reader<'t, 'o> {
    fn new(
        (text, start): (&'t str, u32),
        names: &'o mut Names,
        refs: &'o mut Vec<Reference>,
    ) -> Self {
        Self {
            text,
            at: 0,
            start,
            names,
            refs,
        }
    }

    /// A name, dotted, with what braces declare; then a parameter list, which `operator` and `this` have as well.
    fn read(&mut self) -> Option<CrefSignature> {
        let mut type_params = Vec::new();
        let mut left: Option<RefId> = None;
        let mut is_dotted = false;
        while let Some(c) = self.peek() {
            match c {
                '(' => {
                    let params = self.parameters();
                    return Some(CrefSignature {
                        reference: left?,
                        type_params,
                        params: params?,
                    });
                }
                '.' | ':' => {
                    self.skip();
                    is_dotted = true;
                }
                '{' => {
                    self.skip();
                    let (declared, arity) = self.declared()?;
                    if let Some(id) = left {
                        self.refs[id as usize].arity = arity;
                        type_params.push((id, declared));
                    }
                }
                _ => match self.word() {
                    Some((at, word)) if !is_keyword(word) => {
                        let qualifier = left.filter(|_| is_dotted);
                        left = Some(self.reference((at, word), qualifier));
                        is_dotted = false;
                    }
                    Some(_) => {
                        left = None;
                        is_dotted = false;
                    }
                    None => self.skip(),
                },
            }
        }
        None
    }

    /// The names that braces declare, up to where they close, and how many there are; what else they hold has no name.
    fn declared(&mut self) -> Option<(Vec<NameId>, u16)> {
        let (mut declared, mut depth, mut arity) = (Vec::new(), 1, 1);
        let mut is_name = true;
        while let Some(c) = self.peek() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 1 => {
                    arity += 1;
                    is_name = true;
                }
                _ => {
                    if let Some((_, word)) = self.word() {
                        if depth == 1 && is_name {
                            declared.push(self.names.identifier(word));
                            is_name = false;
                        }
                        continue;
                    }
                }
            }
            self.skip();
            if depth == 0 {
                // Names are found by their position.
                let is_whole = declared.len() == usize::from(arity);
                return Some((if is_whole { declared } else { Vec::new() }, arity));
            }
        }
        None
    }

    /// A list in parentheses; `None` for one that does not end.
    fn parameters(&mut self) -> Option<Vec<TypeSyntax>> {
        self.skip();
        let mut params = Vec::new();
        loop {
            match self.peek()? {
                ')' => {
                    self.skip();
                    return Some(params);
                }
                ',' => self.skip(),
                _ => {
                    let before = self.at;
                    params.push(self.parameter()?);
                    if self.at == before {
                        self.skip();
                    }
                }
            }
        }
    }

    fn parameter(&mut self) -> Option<TypeSyntax> {
        let mut is_ref = false;
        loop {
            let before = self.at;
            match self.word() {
                Some((_, "ref" | "out" | "in" | "readonly")) => is_ref = true,
                Some((_, "params" | "this" | "scoped")) => {}
                _ => {
                    self.at = before;
                    break;
                }
            }
        }
        let ty = self.ty(MAX_DEPTH)?;
        Some(match is_ref {
            true => TypeSyntax::Ref(Box::new(ty)),
            false => ty,
        })
    }

    /// A type; `None` where brackets do not end, or are nested too deep.
    fn ty(&mut self, depth: u32) -> Option<TypeSyntax> {
        let depth = depth.checked_sub(1)?;
        let mut ty = match self.peek()? {
            '(' => self.tuple(depth)?,
            _ => self.name(depth)?,
        };
        loop {
            ty = match self.peek() {
                Some('?') => {
                    self.skip();
                    TypeSyntax::Nullable(Box::new(ty))
                }
                Some('*') => {
                    self.skip();
                    TypeSyntax::Pointer(Box::new(ty))
                }
                Some('[') => {
                    self.skip();
                    let mut rank = 1;
                    loop {
                        let c = self.peek()?;
                        self.skip();
                        match c {
                            ',' if rank < u8::MAX => rank += 1,
                            ']' => break,
                            _ => return None,
                        }
                    }
                    TypeSyntax::Array(Box::new(ty), rank)
                }
                _ => return Some(ty),
            };
        }
    }

    fn tuple(&mut self, depth: u32) -> Option<TypeSyntax> {
        self.skip();
        let mut elements = Vec::new();
        loop {
            let ty = self.ty(depth)?;
            let name = self.word().map(|(_, word)| self.names.identifier(word));
            elements.push((ty, name));
            let c = self.peek()?;
            self.skip();
            match c {
                ',' => {}
                ')' => return Some(TypeSyntax::Tuple(elements)),
                _ => return None,
            }
        }
    }

    fn name(&mut self, depth: u32) -> Option<TypeSyntax> {
        let mut segments: Vec<NameSegment> = Vec::new();
        loop {
            let Some((at, word)) = self.word() else {
                return Some(TypeSyntax::Unknown);
            };
            match word {
                "dynamic" if segments.is_empty() => return Some(TypeSyntax::Unknown),
                "global" if segments.is_empty() && self.peek() == Some(':') => {}
                _ if is_keyword(word) => {
                    return Some(TypeSyntax::Predefined(self.names.intern(word)));
                }
                _ => {
                    let left = segments.last().map(|segment| segment.reference);
                    let reference = self.reference((at, word), left);
                    let arguments = self.arguments(depth)?;
                    self.refs[reference as usize].arity = arguments.len() as u16;
                    segments.push(NameSegment {
                        reference,
                        arguments,
                    });
                }
            }
            if !matches!(self.peek(), Some('.' | ':')) {
                return Some(TypeSyntax::Named(segments));
            }
            while matches!(self.peek(), Some('.' | ':')) {
                self.skip();
            }
        }
    }

    fn arguments(&mut self, depth: u32) -> Option<Vec<TypeSyntax>> {
        let mut arguments = Vec::new();
        if self.peek() == Some('{') {
            self.skip();
            loop {
                arguments.push(self.ty(depth)?);
                let c = self.peek()?;
                self.skip();
                match c {
                    ',' => {}
                    '}' => break,
                    _ => return None,
                }
            }
        }
        Some(arguments)
    }

    fn reference(&mut self, (at, word): (usize, &str), left: Option<RefId>) -> RefId {
        let id = self.refs.len() as RefId;
        self.refs.push(Reference {
            name: self.names.identifier(word),
            offset: self.start + at as u32,
            context: RefContext::Doc,
            arity: 0,
            qualifier: left.map_or(0, |left| id - left),
            shadowed: false,
        });
        id
    }

    /// The next character but spaces; `{` and `}` for angle brackets, also where XML escapes them.
    fn peek(&mut self) -> Option<char> {
        self.at = self.text.len() - self.text[self.at..].trim_start().len();
        let rest = &self.text[self.at..];
        Some(match rest.chars().next()? {
            '<' => '{',
            '>' => '}',
            '&' if rest.starts_with("&lt;") => '{',
            '&' if rest.starts_with("&gt;") => '}',
            c => c,
        })
    }

    /// Goes past what [`Reader::peek`] saw.
    fn skip(&mut self) {
        let rest = &self.text[self.at..];
        let length = match rest.chars().next() {
            Some('&') if rest.starts_with("&lt;") || rest.starts_with("&gt;") => 4,
            c => c.map_or(0, char::len_utf8),
        };
        self.at += length;
    }

    /// The word that comes next, with its place.
    fn word(&mut self) -> Option<(usize, &'t str)> {
        let first = self.peek()?;
        let start = self.at;
        if !(first.is_alphabetic() || first == '_' || first == '@') {
            return None;
        }
        let rest = &self.text[start + first.len_utf8()..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
        self.at = end.map_or(self.text.len(), |end| start + first.len_utf8() + end);
        Some((start, &self.text[start..self.at]))
    }
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
    use super::Reader;
    use crate::names::Names;

    /// `name`arity-qualifier` of each reference, and how many parameters the list has.
    #[track_caller]
    fn check_cref(cref: &str, expected: &[&str], n_params: Option<usize>) {
        let mut names = Names::default();
        let mut refs = Vec::new();
        let signature = Reader::new((cref, 0), &mut names, &mut refs).read();
        let texts = names.into_texts();
        let shown: Vec<String> = refs
            .iter()
            .map(|r| format!("{}`{}-{}", texts[r.name as usize], r.arity, r.qualifier))
            .collect();
        assert_eq!(shown, expected);
        assert_eq!(signature.map(|it| it.params.len()), n_params);
    }

    #[test]
    fn segments_are_linked_and_arguments_counted() {
        check_cref("A.B{T}.C", &["A`0-0", "B`1-1", "C`0-1"], None);
        check_cref(
            "Dictionary{TKey,TValue}.Add(TKey, List{Foo})",
            &[
                "Dictionary`2-0",
                "Add`0-1",
                "TKey`0-0",
                "List`1-0",
                "Foo`0-0",
            ],
            Some(2),
        );
        check_cref("int.Parse(string)", &["Parse`0-0"], Some(1));
        check_cref("M()", &["M`0-0"], Some(0));
    }

    #[test]
    fn angle_brackets_may_be_escaped() {
        check_cref(
            "List&lt;T&gt;.Add(T)",
            &["List`1-0", "Add`0-1", "T`0-0"],
            Some(1),
        );
    }

    #[test]
    fn every_form_of_type_is_one_parameter() {
        let types = "ref int, out string[,][], (A a, B b), int?, A.B{C{D}}*, global::E, dynamic";
        check_cref(
            &format!("M({types})"),
            &[
                "M`0-0", "A`0-0", "B`0-0", "A`0-0", "B`1-1", "C`1-0", "D`0-0", "E`0-0",
            ],
            Some(7),
        );
    }

    #[test]
    fn what_has_no_name_has_no_parameters_either() {
        check_cref("operator +(A, B)", &["A`0-0", "B`0-0"], None);
        check_cref("this[int]", &[], None);
        check_cref("M(A", &["M`0-0", "A`0-0"], None);
        check_cref("", &[], None);
    }
}
