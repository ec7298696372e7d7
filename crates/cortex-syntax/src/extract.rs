//! The pipeline of this crate: bytes and parse options to facts.

use std::collections::BTreeSet;

use cortex_model::{Hash, Hasher, LineTable};

use crate::{
    arena::Arena,
    bodies, crefs,
    declarations::{self, Declarations},
    facts::{FACTS_VERSION, FileFacts, Inactive},
    generics,
    names::{Names, push_lf},
    references,
    text::{CSharpParser, Encoding, decode, parse},
};

/// What the meaning of a text depends on besides its bytes.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct ParseOptions {
    /// The symbols that `#if` knows.
    pub symbols: BTreeSet<String>,
}

impl ParseOptions {
    /// Identifies the options in cache keys; never 0, which stands for "whatever the options".
    pub fn digest(&self) -> u64 {
        let mut hasher = Hasher::new("parse-options-v1");
        hasher.number(u64::from(FACTS_VERSION));
        for symbol in &self.symbols {
            hasher.field(symbol.as_bytes());
        }
        hasher.finish().to_u64().max(1)
    }
}

/// Reads facts off texts, one after another.
#[derive(Default)]
pub struct Extractor {
    parser: CSharpParser,
}

impl Extractor {
    /// Reads the facts of one text. Never fails: what does not parse is listed in
    /// [`FileFacts::errors`].
    ///
    /// Takes time and memory as the parser does, which hostile text can drive very high: parse
    /// untrusted text in a process whose memory and time are bounded.
    pub fn facts(&mut self, bytes: &[u8], options: &ParseOptions) -> FileFacts {
        let source = decode(bytes);
        let text = source.as_bytes();
        let symbols = |symbol: &str| options.symbols.contains(symbol);
        let mut parsed = parse(&mut self.parser, text, &symbols, None)
            .expect("a parse without a hook is not given up");
        let arena = generics::mend(&mut self.parser, &mut parsed, text);
        drop(parsed.tree);
        let mut names = Names::default();
        let references = references::collect(&arena, &mut names);
        let declared = declarations::collect(&arena, &references, &mut names);
        let bodies = bodies::build(&arena, &references, &parsed.repairs, &declared, &mut names);
        let mut refs = references.refs;
        let lines = LineTable::new(text);
        let mut decls = declared.decls;
        for decl in &mut decls {
            decl.line = lines.position(decl.name_range.start).line;
        }
        let cref_signatures = crefs::append(text, &decls, &mut names, &mut refs);
        let inactive = parsed.preprocessed.inactive.into_iter();
        FileFacts {
            encoding_guessed: source.encoding() == Encoding::Windows1252Guessed,
            errors: parsed.errors,
            inactive: inactive
                .map(|region| Inactive {
                    range: region.range,
                    condition: region.condition,
                })
                .collect(),
            symbols_tested: parsed.preprocessed.symbols_tested,
            names: names.into_texts(),
            usings: declared.usings,
            decls,
            assembly_attributes: declared.assembly_attributes,
            refs,
            cref_signatures,
            bodies,
        }
    }
}

impl Extractor {
    /// Runs with the tree of a text and its declarations, which have the ids of [`Extractor::facts`].
    pub(crate) fn with_declarations<T>(
        &mut self,
        bytes: &[u8],
        options: &ParseOptions,
        run: impl FnOnce(&Arena<'_>, &Declarations) -> T,
    ) -> T {
        let source = decode(bytes);
        let text = source.as_bytes();
        let symbols = |symbol: &str| options.symbols.contains(symbol);
        let mut parsed = parse(&mut self.parser, text, &symbols, None)
            .expect("a parse without a hook is not given up");
        let arena = generics::mend(&mut self.parser, &mut parsed, text);
        let mut names = Names::default();
        let references = references::collect(&arena, &mut names);
        let declared = declarations::collect(&arena, &references, &mut names);
        run(&arena, &declared)
    }
}

/// The `fileHash` of a text: SHA-256 with CRLF and CR read as LF. Not part of the facts:
/// the blob id tells contents apart as well, and is there already.
pub fn file_hash(bytes: &[u8]) -> Hash {
    let mut lf = Vec::with_capacity(bytes.len());
    push_lf(&mut lf, decode(bytes).as_bytes());
    Hash::of(&lf)
}

/// Reads the facts of one text; see [`Extractor::facts`].
pub fn extract(bytes: &[u8], options: &ParseOptions) -> FileFacts {
    Extractor::default().facts(bytes, options)
}
