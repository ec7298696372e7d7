//! Where a symbol is declared: its file, with the declaration in it.
//!
//! Must not know: what an edit does there.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use cortex_derived::{doc_ids::DocIds, target::Target};
use cortex_index::Symbols;
use cortex_look::{
    uses::{edit_target, uses},
    viewpoint::Viewpoint,
};
use cortex_model::{ByteRange, RepoPath};
use cortex_syntax::{
    Decl, DeclId, FileFacts,
    text::{FileOffsets, decode},
};
use cortex_wire::Subject;

use crate::{
    EditError,
    rename::{declared, global, text_range},
};

/// One declaration of a symbol.
#[derive(Clone, Debug)]
pub(crate) struct Declaration {
    /// The file.
    pub(crate) path: RepoPath,
    /// Its decoded text.
    pub(crate) text: Arc<str>,
    /// Its facts inside of one of its projects.
    pub(crate) facts: Arc<FileFacts>,
    /// The declaration.
    pub(crate) id: DeclId,
}

impl Declaration {
    pub(crate) fn decl(&self) -> &Decl {
        &self.facts.decls[self.id as usize]
    }

    /// Its name.
    pub(crate) fn name(&self) -> &str {
        self.facts.name(self.decl().name)
    }

    /// The declarations directly inside of it.
    pub(crate) fn children(&self) -> impl Iterator<Item = &Decl> {
        let own = self.id;
        (self.facts.decls.iter()).filter(move |decl| decl.parent == Some(own))
    }

    /// The declaration around it.
    pub(crate) fn parent(&self) -> Option<&Decl> {
        let parent = self.decl().parent?;
        Some(&self.facts.decls[parent as usize])
    }
}

/// A symbol, and where it is declared.
pub(crate) struct Located {
    /// What answers say of it.
    pub(crate) subject: Subject,
    /// The same symbol in each assembly that compiles it.
    pub(crate) symbols: Vec<Target>,
    /// Its declarations, by path and position.
    pub(crate) declarations: Vec<Declaration>,
}

impl Located {
    /// The names that code uses it by, in every target framework: ranges of the decoded texts.
    ///
    /// # Errors
    /// Those of the index.
    pub(crate) fn uses(
        &self,
        views: &[(&Viewpoint<'_>, &Symbols)],
    ) -> Result<BTreeMap<RepoPath, BTreeSet<ByteRange>>, EditError> {
        let mut places: BTreeMap<RepoPath, BTreeSet<ByteRange>> = BTreeMap::new();
        for (view, _) in views {
            let mut reader = view.blobs();
            for place in uses(view, &self.symbols)? {
                let bytes = reader.read_blob(place.blob)?;
                let offsets = FileOffsets::new(&decode(&bytes), bytes.len());
                let range = text_range(&offsets, place.range);
                places.entry(place.file).or_default().insert(range);
            }
        }
        Ok(places)
    }
}

/// Finds a symbol and its declarations.
///
/// # Errors
/// [`EditError::Refused`] for several overloads and for what nothing declares; those of the index.
pub(crate) fn locate(
    view: &Viewpoint<'_>,
    symbols: &Symbols,
    text: &str,
    doing: &dyn Fn() -> String,
) -> Result<Located, EditError> {
    let refused = |reason: &str, help: Vec<String>| EditError::Refused {
        doing: doing(),
        reason: reason.to_owned(),
        help,
    };
    let target = edit_target(view, text)?;
    let mut ids = DocIds::new(view.snapshot());
    let mut doc_ids = Vec::with_capacity(target.symbols.len());
    for symbol in &target.symbols {
        let tag = match symbol {
            Target::Type(_) => None,
            Target::Member(_, tag) => Some(*tag),
        };
        doc_ids.push(ids.of(symbol.key(), tag)?);
    }
    if let Some(help) = global::overloads(doc_ids.iter().filter_map(|id| id.as_deref())) {
        let help = help.replacen("rename one of", "name one of", 1);
        return Err(refused("it names several overloads", vec![help]));
    }
    let mut found: Vec<(RepoPath, Arc<FileFacts>, DeclId)> = Vec::new();
    symbols.read(|compilation| {
        let mut find = || -> Result<(), EditError> {
            for (symbol, doc_id) in target.symbols.iter().zip(&doc_ids) {
                let ty = declared::type_id(compilation, symbol.key())?;
                let member = match symbol {
                    Target::Type(_) => None,
                    Target::Member(..) => {
                        match global::member_of(compilation, ty, doc_id.as_deref()) {
                            Some(member) => Some(member),
                            None => continue,
                        }
                    }
                };
                for part in declared::parts_of(symbols, compilation, ty)? {
                    let unit = compilation.unit_id(&part.unit);
                    let facts = Arc::new(part.facts);
                    for id in 0..facts.decls.len() as DeclId {
                        let is_type = facts.decls[id as usize].kind.type_kind().is_some();
                        let is_it = match member {
                            None => is_type && compilation.type_of_decl(unit, id) == Some(ty),
                            Some(member) => {
                                !is_type && compilation.member_of_decl(unit, id) == Some(member)
                            }
                        };
                        let range = |it: &(RepoPath, Arc<FileFacts>, DeclId)| {
                            it.1.decls[it.2 as usize].range
                        };
                        let own = (part.unit.path.clone(), facts.clone(), id);
                        let is_known = (found.iter())
                            .any(|it| it.0 == own.0 && range(it).start == range(&own).start);
                        if is_it && !is_known {
                            found.push(own);
                        }
                    }
                }
            }
            Ok(())
        };
        Ok(find())
    })??;
    if found.is_empty() {
        let reason = "the compiler makes it, so that nothing declares it";
        return Err(refused(reason, Vec::new()));
    }
    found.sort_by(|a, b| (&a.0, a.2).cmp(&(&b.0, b.2)));
    let mut reader = view.blobs();
    let mut declarations = Vec::with_capacity(found.len());
    for (path, facts, id) in found {
        let Some(file) = view.snapshot().file(&path)? else {
            continue;
        };
        let bytes = reader.read_blob(file.blob)?;
        declarations.push(Declaration {
            path,
            text: decode(&bytes).as_str().into(),
            facts,
            id,
        });
    }
    Ok(Located {
        subject: target.subject,
        symbols: target.symbols,
        declarations,
    })
}

impl Located {
    /// The one declaration, of those in a file where one is named.
    ///
    /// # Errors
    /// [`EditError::Refused`] with the files where there are several.
    pub(crate) fn one(
        &self,
        file: Option<&str>,
        doing: &dyn Fn() -> String,
    ) -> Result<&Declaration, EditError> {
        let in_file = |declaration: &&Declaration| {
            file.is_none_or(|file| {
                let path = declaration.path.as_str();
                path == file || path.strip_suffix(file).is_some_and(|it| it.ends_with('/'))
            })
        };
        let mut matching = self.declarations.iter().filter(in_file);
        let one = match (matching.next(), matching.next()) {
            (Some(one), None) => return Ok(one),
            (None, _) => "that file does not declare it",
            (Some(_), Some(_)) => "it is declared in several places",
        };
        let files: BTreeSet<&str> = (self.declarations.iter())
            .map(|declaration| declaration.path.as_str())
            .collect();
        let files: Vec<String> = files.iter().map(|file| format!("`{file}`")).collect();
        Err(EditError::Refused {
            doing: doing(),
            reason: one.to_owned(),
            help: vec![format!("name one of the files {}", files.join(", "))],
        })
    }
}

/// A declaration with its documentation.
pub(crate) fn with_docs(decl: &Decl) -> ByteRange {
    let start = match decl.doc_range.start < decl.doc_range.end {
        true => decl.doc_range.start.min(decl.range.start),
        false => decl.range.start,
    };
    ByteRange {
        start,
        end: decl.range.end,
    }
}
