//! What binding says, as the same records.

use std::path::Path;

use cortex_bind::InternalsVisible;
use cortex_model::{Accessibility, EdgeKind, LineTable};
use cortex_semantics::{
    Certainty, Compilation, Findings, How, MemberFlags, Target, TypeId, UnitId, UnitKey,
};
use cortex_syntax::{DeclId, text::decode};

use super::truth::{Records, TruthProject};
use crate::{
    check::doc_id,
    memory::{MemoryFile, MemoryProject, MemoryWorld},
};

/// Binds every project of a folder, all in one compilation: none sees another.
pub(super) fn bind(corpus: &Path, projects: &[TruthProject]) -> Records {
    let mut files = Vec::new();
    let mut memory = Vec::new();
    for (index, project) in projects.iter().enumerate() {
        memory.push(MemoryProject {
            path: project.path.clone(),
            assembly: project.assembly.clone(),
            symbols: project.symbols.clone(),
            usings: Vec::new(),
            visible: vec![(index, InternalsVisible::Yes)],
        });
        files.extend(project.files.iter().map(|path| MemoryFile {
            path: path.clone(),
            project: index,
            bytes: std::fs::read(corpus.join(path)).expect("the corpus has what its truth names"),
        }));
    }
    let world = MemoryWorld::new(memory, &files);
    let compilation = Compilation::new(&world);
    let mut records = Records::default();
    for (unit, facts) in world.units() {
        let bytes = &files[files
            .iter()
            .position(|it| it.path == unit.path.as_str())
            .expect("every unit is a file")]
        .bytes;
        let mut file = BoundFile {
            c: &compilation,
            unit: compilation.unit_id(unit),
            assembly: &projects[unit.project.index()].assembly,
            lines: LineTable::new(decode(bytes).as_bytes()),
            records: &mut records,
        };
        file.declarations(unit);
        for (decl, findings) in &compilation.bind_unit(unit, facts).decls {
            file.findings(*decl, findings);
        }
    }
    records
}

struct BoundFile<'a> {
    c: &'a Compilation<'a>,
    unit: UnitId,
    assembly: &'a str,
    lines: LineTable,
    records: &'a mut Records,
}

impl BoundFile<'_> {
    fn declarations(&mut self, unit: &UnitKey) {
        let c = self.c;
        let asm = self.assembly;
        let types = &c.unit(c.unit_id(unit)).head(c).types;
        for ty in types.iter().filter_map(|(_, id)| *id) {
            let def = c.def(ty);
            let (kind, accessibility) = match def.accessibility {
                Accessibility::File => (def.kind, Accessibility::Internal),
                other => (def.kind, other),
            };
            let id = c.type_doc_id(ty);
            let words = (kind.name(), accessibility.name());
            self.records
                .add("type", format!("{asm} {id} {} {}", words.0, words.1));
            for member in c.declared_members(ty) {
                self.records
                    .add("member", format!("{asm} {}", c.member_doc_id(member.id)));
            }
            for found in c.implementations(ty) {
                let (member, of) = (c.member_doc_id(found.member), c.member_doc_id(found.of));
                self.records
                    .add("impl", format!("{asm} {member} {} {of}", found.how.name()));
            }
        }
    }

    /// What a declaration declares: a member, a type, or the type around it.
    fn declared(&self, decl: DeclId) -> Option<String> {
        let c = self.c;
        if let Some(ty) = c.type_of_decl(self.unit, decl) {
            return Some(c.type_doc_id(ty));
        }
        match c.member_of_decl(self.unit, decl) {
            Some(member) => Some(c.member_doc_id(member)),
            None => {
                let ty = c.type_around_decl(self.unit, decl);
                ty.map(|ty| c.type_doc_id(ty))
            }
        }
    }

    fn findings(&mut self, decl: Option<DeclId>, findings: &Findings) {
        let c = self.c;
        let inside = decl.and_then(|decl| self.declared(decl));
        let around = decl.and_then(|decl| {
            let own = c.type_of_decl(self.unit, decl);
            own.or_else(|| c.type_around_decl(self.unit, decl))
        });
        // The compiler was not asked about documentation.
        let refs = findings.refs.iter();
        for found in refs.filter(|found| found.kind != EdgeKind::Doc) {
            let ty = match found.target {
                Target::Type(ty) => ty,
                Target::Member(id) if c.member(id).is(MemberFlags::LOCAL) => continue,
                Target::Member(id) => c.member(id).owner,
            };
            if !c.def(ty).is_source() {
                continue;
            }
            if let Some(from) = around.filter(|&from| from != ty) {
                self.edge(from, ty);
            }
            if found.certainty == Certainty::Exact {
                let place = self.place(found.offset);
                let to = doc_id(c, found.target);
                self.records.add("ref", format!("{place} {to}"));
                if let Some(inside) = &inside {
                    self.records.add("in", format!("{place} {inside}"));
                }
            }
        }
        for found in &findings.uses {
            let is_asked = !matches!(found.how, How::Dispose | How::Other);
            let member = c.member(found.target);
            if is_asked && c.def(member.owner).is_source() && !member.is(MemberFlags::LOCAL) {
                let place = self.place(found.offset);
                let to = c.member_doc_id(found.target);
                self.records.add("use", format!("{place} {to}"));
            }
        }
    }

    fn edge(&mut self, from: TypeId, to: TypeId) {
        let (from, to) = (self.c.type_doc_id(from), self.c.type_doc_id(to));
        self.records
            .add("edge", format!("{} {from} {to}", self.assembly));
    }

    fn place(&self, offset: u32) -> String {
        let at = self.lines.position(offset);
        format!("{} {}:{}", self.assembly, at.line, at.column)
    }
}
