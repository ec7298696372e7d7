//! A changed file as tokens and declarations.
//!
//! Owns: which declaration a token belongs to, what of a declaration tells it from others. Must not know: the other
//! side.

use cortex_git::ReadBlob;
use cortex_index::{FileStatus, IndexedSide};
use cortex_look::QueryError;
use cortex_model::{ByteRange, DeclKind, LineTable, RepoPath};
use cortex_syntax::{
    Decl, FileFacts, Sections,
    text::{CodeToken, CodeTokenKind, decode, tokens},
};

/// One file of one side.
pub(super) struct SourceFile {
    pub(super) path: RepoPath,
    /// The decoded text; every position is one of it.
    pub(super) text: Vec<u8>,
    pub(super) lines: LineTable,
    pub(super) tokens: Vec<CodeToken>,
    /// The innermost declaration around each token, by its index; namespaces are none.
    owners: Vec<Option<u32>>,
    /// Without namespaces, in preorder.
    pub(super) decls: Vec<Declaration>,
    /// Where tokens stand that only say what names mean: using directives and the names of namespaces.
    qualifiers: Vec<ByteRange>,
    /// The projects that compile it, sorted.
    pub(super) projects: Vec<RepoPath>,
    /// Whether the parser understood all of it.
    pub(super) is_whole: bool,
}

/// A declaration.
pub(super) struct Declaration {
    /// The declaration around it.
    pub(super) parent: Option<u32>,
    pub(super) kind: DeclKind,
    /// Its name, as it is written.
    pub(super) name: String,
    /// What tells it from others in the same container: namespace, name, number of type parameters, parameters.
    pub(super) key: String,
    /// With the types around it and the types of its parameters, for people.
    pub(super) display: String,
    /// The namespace around it.
    pub(super) namespace: String,
    pub(super) range: ByteRange,
    pub(super) name_range: ByteRange,
    /// The body, accessor list or initializer.
    pub(super) body_range: ByteRange,
    /// Whether an initializer is run in the order of the text.
    pub(super) has_initializer: bool,
    /// Whether its value is part of what others are compiled from.
    pub(super) is_constant: bool,
}

impl SourceFile {
    /// Reads a file of a side.
    pub(super) fn read(
        side: &IndexedSide,
        path: &RepoPath,
        blobs: &mut dyn ReadBlob,
    ) -> Result<Option<Self>, QueryError> {
        let Some(summary) = side.snapshot.file(path)? else {
            return Ok(None);
        };
        let text = decode(&blobs.read_blob(summary.blob)?).as_bytes().to_vec();
        let facts = match summary.projects.first() {
            Some(project) => (side.snapshot).facts(&summary, project, Sections::Declarations)?,
            None => None,
        };
        let facts = facts.unwrap_or_default();
        let tokens = tokens(&text);
        let mut file = Self {
            path: path.clone(),
            lines: LineTable::new(&text),
            owners: vec![None; tokens.len()],
            decls: Vec::new(),
            qualifiers: facts.usings.iter().map(|using| using.range).collect(),
            projects: summary.projects,
            is_whole: summary.status == FileStatus::Indexed,
            tokens,
            text,
        };
        file.take_declarations(&facts);
        Ok(Some(file))
    }

    fn take_declarations(&mut self, facts: &FileFacts) {
        let mut number: Vec<Option<u32>> = Vec::with_capacity(facts.decls.len());
        let mut namespaces: Vec<String> = Vec::with_capacity(facts.decls.len());
        for decl in &facts.decls {
            let around = decl.parent.map(|parent| parent as usize);
            let parent = around.and_then(|parent| number[parent]);
            let mut namespace = around.map_or(String::new(), |at| namespaces[at].clone());
            if decl.kind == DeclKind::Namespace {
                if !namespace.is_empty() {
                    namespace.push('.');
                }
                namespace.push_str(facts.name(decl.name));
                number.push(parent);
                namespaces.push(namespace);
                // `namespace N {`, or `namespace N;`: what it holds has its name, wherever the braces are.
                let mut start = self.tokens_from(decl.range.start);
                let end = self.tokens_from(decl.name_range.end);
                if end > start {
                    start = end;
                }
                let stop = self
                    .tokens
                    .get(start)
                    .map_or(decl.range.end, |it| it.range.end);
                self.qualifiers.push(ByteRange {
                    start: decl.range.start,
                    end: stop,
                });
                if let Some(last) = self.tokens_from(decl.range.end).checked_sub(1)
                    && &self.text[self.tokens[last].range.as_usize()] == b"}"
                {
                    self.qualifiers.push(self.tokens[last].range);
                }
                continue;
            }
            number.push(Some(self.decls.len() as u32));
            namespaces.push(namespace.clone());
            self.take(facts, decl, parent, &namespace);
        }
        self.qualifiers.sort_by_key(|range| range.start);
    }

    fn take(&mut self, facts: &FileFacts, decl: &Decl, parent: Option<u32>, namespace: &str) {
        let name_at = self.tokens_from(decl.name_range.start);
        let header_end = self.header_end(name_at, decl);
        let text = |range: &[CodeToken]| -> Vec<&str> {
            let all = range.iter();
            all.map(|token| std::str::from_utf8(&self.text[token.range.as_usize()]).unwrap_or(""))
                .collect()
        };
        let behind = self.tokens.get(name_at + 1..header_end).unwrap_or_default();
        let behind = text(behind);
        let name = facts.name(decl.name).to_owned();
        let kind = match decl.kind.type_kind() {
            Some(_) => "type",
            None => decl.kind.name(),
        };
        let is_explicit = decl.kind.type_kind().is_none() && !decl.bases.is_empty();
        let container = match parent {
            Some(_) => "",
            None => namespace,
        };
        let marks = if is_explicit { "explicit " } else { "" };
        let key = format!("{kind} {marks}{container} {name} {}", behind.join(" "));
        let around = match parent {
            Some(parent) => self.decls[parent as usize].display.clone(),
            None => String::new(),
        };
        let dot = if around.is_empty() { "" } else { "." };
        let written: String = match decl.kind {
            DeclKind::Property | DeclKind::Field | DeclKind::Event => String::new(),
            kind if kind.type_kind().is_some() => String::new(),
            _ => joined(&types_of(&behind)),
        };
        let first_token = self.tokens_from(decl.range.start);
        let end_token = self.tokens_from(decl.range.end);
        let at = self.decls.len() as u32;
        for owner in self
            .owners
            .get_mut(first_token..end_token)
            .unwrap_or_default()
        {
            // The declarators of one field have one range: the first one has its tokens, each its name.
            let is_shared = owner.is_some_and(|it| self.decls[it as usize].range == decl.range);
            if !is_shared {
                *owner = Some(at);
            }
        }
        if let Some(owner) = self.owners.get_mut(name_at) {
            *owner = Some(at);
        }
        let has_body = decl.body_range.start < decl.body_range.end;
        self.decls.push(Declaration {
            parent,
            kind: decl.kind,
            key,
            namespace: namespace.to_owned(),
            display: format!("{around}{dot}{name}{written}"),
            name,
            range: decl.range,
            name_range: decl.name_range,
            body_range: decl.body_range,
            has_initializer: match decl.kind {
                DeclKind::Field | DeclKind::Event => has_body,
                DeclKind::Property => decl.value.is_some(),
                _ => false,
            },
            is_constant: matches!(decl.kind, DeclKind::Constant | DeclKind::EnumMember),
        });
    }

    /// The token behind the type parameters and parameters of a declaration.
    fn header_end(&self, name_at: usize, decl: &Decl) -> usize {
        let mut depth = 0_u32;
        for (at, token) in self.tokens.iter().enumerate().skip(name_at + 1) {
            if token.range.start >= decl.range.end {
                return at;
            }
            match &self.text[token.range.as_usize()] {
                b"(" | b"[" => depth += 1,
                b")" | b"]" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return at + 1;
                    }
                }
                b"{" | b";" | b"=" | b"=>" | b":" | b"where" if depth == 0 => return at,
                _ => {}
            }
        }
        self.tokens.len()
    }

    /// The first token at or behind an offset.
    fn tokens_from(&self, offset: u32) -> usize {
        self.tokens
            .partition_point(|token| token.range.start < offset)
    }

    /// The token that starts at an offset.
    pub(super) fn token_at(&self, offset: u32) -> Option<usize> {
        let found = (self.tokens).binary_search_by_key(&offset, |token| token.range.start);
        found.ok()
    }

    /// The text of a token.
    pub(super) fn token_text(&self, at: usize) -> &[u8] {
        &self.text[self.tokens[at].range.as_usize()]
    }

    /// The tokens of a declaration that belong to none inside of it, without its name; of the file for `None`.
    pub(super) fn own_tokens(&self, decl: Option<u32>) -> Vec<usize> {
        let range = match decl {
            Some(decl) => {
                let range = self.decls[decl as usize].range;
                self.tokens_from(range.start)..self.tokens_from(range.end)
            }
            None => 0..self.tokens.len(),
        };
        let name = decl.and_then(|decl| self.name_token(decl));
        range
            .filter(|&at| self.owners[at] == decl && Some(at) != name)
            .collect()
    }

    /// The token that is a declaration's name, where one token is.
    pub(super) fn name_token(&self, decl: u32) -> Option<usize> {
        self.token_at(self.decls[decl as usize].name_range.start)
    }

    /// The texts of all tokens of a declaration, what it holds included; its own name is told as nothing, wherever it
    /// stands.
    pub(super) fn nameless(&self, decl: u32) -> Vec<&[u8]> {
        let declared = &self.decls[decl as usize];
        let all = self.tokens_from(declared.range.start)..self.tokens_from(declared.range.end);
        let name = declared.name.as_bytes();
        all.map(|at| match self.token_text(at) {
            text if text == name => &b""[..],
            text => text,
        })
        .collect()
    }

    /// Whether a token only says what names mean: binding tells whether they mean the same without it.
    pub(super) fn is_qualifier(&self, token: usize) -> bool {
        let start = self.tokens[token].range.start;
        let before = self
            .qualifiers
            .partition_point(|range| range.start <= start);
        self.qualifiers[..before]
            .iter()
            .rev()
            .take(2)
            .any(|range| range.contains(start))
    }

    /// Whether a token of a declaration, or of what stands outside of all, says nothing that is not told elsewhere: by
    /// binding, or by the members that a comma stands between.
    pub(super) fn says_nothing(&self, decl: Option<u32>, token: usize) -> bool {
        match decl {
            None => self.is_qualifier(token),
            Some(decl) => {
                self.decls[decl as usize].kind == DeclKind::Enum && self.token_text(token) == b","
            }
        }
    }

    /// Whether a token is a word: an identifier or a keyword.
    pub(super) fn is_word(&self, token: usize) -> bool {
        self.tokens[token].kind == CodeTokenKind::Word
    }

    /// The 1-based line of an offset.
    pub(super) fn line(&self, offset: u32) -> u32 {
        self.lines.position(offset).line
    }
}

/// A parameter list without attributes, names and default values; with the type parameters before it.
fn types_of<'t>(tokens: &[&'t str]) -> Vec<&'t str> {
    let Some(open) = tokens.iter().position(|&it| it == "(" || it == "[") else {
        return tokens.to_vec();
    };
    let mut out = tokens[..=open].to_vec();
    let last = tokens.len().saturating_sub(1).max(open + 1);
    let inside = tokens.get(open + 1..last).unwrap_or_default();
    let mut depth = 0_i32;
    let params = inside.split(|&token| {
        match token {
            "(" | "[" | "<" | "{" => depth += 1,
            ")" | "]" | ">" | "}" => depth -= 1,
            _ => {}
        }
        token == "," && depth == 0
    });
    for (at, mut param) in params.enumerate() {
        if at > 0 {
            out.push(",");
        }
        while param.first() == Some(&"[") {
            let end = param
                .iter()
                .position(|&it| it == "]")
                .unwrap_or(param.len() - 1);
            param = &param[end + 1..];
        }
        let default = param
            .iter()
            .position(|&it| it == "=")
            .unwrap_or(param.len());
        param = &param[..default];
        // The last word is the name; a receiver may have none.
        let n_types = if param.len() > 1 {
            param.len() - 1
        } else {
            param.len()
        };
        out.extend(&param[..n_types]);
    }
    out.extend(tokens.get(last));
    out
}

/// Tokens as C# is written: no space before `,`, `)`, `>` and around `.`.
fn joined(tokens: &[&str]) -> String {
    let mut out = String::new();
    for token in tokens {
        let is_tight = matches!(*token, "," | ")" | "]" | ">" | "." | "?" | "(" | "[" | "<");
        let opens = out.is_empty() || out.ends_with(['(', '[', '<', '.']);
        if !is_tight && !opens {
            out.push(' ');
        }
        out.push_str(token);
    }
    out
}
