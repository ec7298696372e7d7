//! A small program that random edits change.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

use proptest::prelude::*;

/// How many types there are at first, each in a file of its own with a neighbor.
const N_TYPES: usize = 6;

/// A program.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    types: Vec<Type>,
    n_made: usize,
}

/// A type with what edits change about it.
#[derive(Clone, Debug)]
struct Type {
    name: String,
    is_public: bool,
    /// In the file of which type it stands.
    file: usize,
    docs: String,
    /// Name, type, documentation and body of methods.
    members: Vec<(String, &'static str, &'static str, usize)>,
    /// Comments before it.
    n_comments: usize,
    is_split: bool,
    base: Option<usize>,
}

/// A change of a program. Numbers are taken modulo what there is.
#[derive(Clone, Debug)]
pub(crate) enum Edit {
    Body { ty: usize, member: usize },
    Signature { ty: usize, member: usize },
    MemberDocs { ty: usize, member: usize },
    Docs { ty: usize },
    Comment { ty: usize },
    AddMember { ty: usize },
    RemoveMember { ty: usize, member: usize },
    AddType { file: usize },
    RemoveType { ty: usize },
    Rename { ty: usize },
    Accessibility { ty: usize },
    Move { ty: usize, file: usize },
    AddPart { ty: usize },
    Base { ty: usize, base: usize },
}

/// Some edits.
pub(crate) fn edits(n: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Edit>> {
    let (a, b) = (0..64usize, 0..64usize);
    let edit = (0..14u8, a, b).prop_map(|(kind, ty, other)| match kind {
        0 => Edit::Body { ty, member: other },
        1 => Edit::Signature { ty, member: other },
        2 => Edit::MemberDocs { ty, member: other },
        3 => Edit::Docs { ty },
        4 => Edit::Comment { ty },
        5 => Edit::AddMember { ty },
        6 => Edit::RemoveMember { ty, member: other },
        7 => Edit::AddType { file: ty },
        8 => Edit::RemoveType { ty },
        9 => Edit::Rename { ty },
        10 => Edit::Accessibility { ty },
        11 => Edit::Move { ty, file: other },
        12 => Edit::AddPart { ty },
        _ => Edit::Base { ty, base: other },
    });
    proptest::collection::vec(edit, n)
}

impl Edit {
    /// The same edit of a type in an even or an odd file.
    pub(crate) fn in_half(&self, half: usize) -> Self {
        let half_of = |number: usize| number % (N_TYPES / 2) * 2 + half;
        match self.clone() {
            Self::Body { ty, member } => Self::Body {
                ty: half_of(ty),
                member,
            },
            Self::Signature { ty, member } => Self::Signature {
                ty: half_of(ty),
                member,
            },
            Self::MemberDocs { ty, member } => Self::MemberDocs {
                ty: half_of(ty),
                member,
            },
            Self::Docs { ty } => Self::Docs { ty: half_of(ty) },
            Self::Comment { ty } => Self::Comment { ty: half_of(ty) },
            Self::AddMember { ty } | Self::AddType { file: ty } => {
                Self::AddMember { ty: half_of(ty) }
            }
            Self::RemoveMember { ty, member } => Self::RemoveMember {
                ty: half_of(ty),
                member,
            },
            // Types keep their numbers, so that both branches mean the same.
            Self::RemoveType { ty } | Self::Accessibility { ty } => {
                Self::Accessibility { ty: half_of(ty) }
            }
            Self::Rename { ty } => Self::Rename { ty: half_of(ty) },
            Self::Move { ty, .. } | Self::AddPart { ty } => Self::AddPart { ty: half_of(ty) },
            Self::Base { ty, base } => Self::Base {
                ty: half_of(ty),
                base: half_of(base),
            },
        }
    }
}

impl Program {
    /// Types that use each other, the last two in one file.
    pub(crate) fn sample() -> Self {
        let types = (0..N_TYPES).map(|at| Type {
            name: format!("A{at}"),
            is_public: at != 3,
            file: at,
            docs: format!("Does {at}."),
            members: vec![
                (format!("M{at}"), "int", "First.", 0),
                (format!("N{at}"), "string", "", 1),
            ],
            n_comments: 0,
            is_split: false,
            base: None,
        });
        let mut out = Self {
            types: types.collect(),
            n_made: N_TYPES,
        };
        out.types.push(Type {
            name: "Neighbor".to_owned(),
            file: 0,
            ..out.types[1].clone()
        });
        out
    }

    fn at(&mut self, number: usize) -> Option<&mut Type> {
        let n = self.types.len();
        self.types.get_mut(number.checked_rem(n)?)
    }

    pub(crate) fn apply(&mut self, edit: &Edit) {
        self.n_made += 1;
        let n_made = self.n_made;
        match *edit {
            Edit::AddType { file } => {
                let file = file % N_TYPES;
                self.types.push(Type {
                    name: format!("B{n_made}"),
                    is_public: true,
                    file,
                    docs: String::new(),
                    members: vec![("P".to_owned(), "int", "", 0)],
                    n_comments: 0,
                    is_split: false,
                    base: Some(file),
                });
            }
            Edit::RemoveType { ty } => {
                if let Some(at) = ty.checked_rem(self.types.len()) {
                    self.types.remove(at);
                }
            }
            Edit::Base { ty, base } => {
                if let Some(ty) = self.at(ty) {
                    ty.base = Some(base);
                }
            }
            Edit::Body { ty, member } => self.member(ty, member, |it| it.3 += 1),
            Edit::Signature { ty, member } => self.member(ty, member, |it| {
                it.1 = if it.1 == "int" { "A1" } else { "int" };
            }),
            Edit::MemberDocs { ty, member } => self.member(ty, member, |it| {
                it.2 = if it.2.is_empty() {
                    "Second <see cref=\"A2\"/>."
                } else {
                    ""
                };
            }),
            Edit::Docs { ty } => self.ty(ty, |ty| ty.docs = format!("Text {n_made} of <c>it</c>.")),
            Edit::Comment { ty } => self.ty(ty, |ty| ty.n_comments += 1),
            Edit::AddMember { ty } => self.ty(ty, |ty| {
                ty.members
                    .push((format!("P{n_made}"), "string", "Added.", 0));
            }),
            Edit::RemoveMember { ty, member } => self.ty(ty, |ty| {
                if let Some(at) = member.checked_rem(ty.members.len()) {
                    ty.members.remove(at);
                }
            }),
            Edit::Rename { ty } => self.ty(ty, |ty| ty.name = format!("{}R", ty.name)),
            Edit::Accessibility { ty } => self.ty(ty, |ty| ty.is_public = !ty.is_public),
            Edit::Move { ty, file } => self.ty(ty, |ty| ty.file = file % N_TYPES),
            Edit::AddPart { ty } => self.ty(ty, |ty| ty.is_split = true),
        }
    }

    fn ty(&mut self, number: usize, change: impl FnOnce(&mut Type)) {
        if let Some(ty) = self.at(number) {
            change(ty);
        }
    }

    fn member(
        &mut self,
        number: usize,
        member: usize,
        change: impl FnOnce(&mut (String, &'static str, &'static str, usize)),
    ) {
        self.ty(number, |ty| {
            let n = ty.members.len();
            let member = member.checked_rem(n).and_then(|at| ty.members.get_mut(at));
            if let Some(member) = member {
                change(member);
            }
        });
    }

    /// Path and text of every file; `None` for one that is not there.
    pub(crate) fn files(&self) -> Vec<(String, Option<String>)> {
        let mut out = Vec::new();
        for file in 0..N_TYPES {
            let mut text = String::from("namespace N\n{\n");
            let mut parts = String::from("namespace N\n{\n");
            let mut n_parts = 0;
            for ty in self.types.iter().filter(|ty| ty.file == file) {
                self.write(&mut text, ty);
                if ty.is_split {
                    let _ = writeln!(
                        parts,
                        "    partial class {}\n    {{\n        public int Part;\n    }}",
                        ty.name
                    );
                    n_parts += 1;
                }
            }
            text.push_str("}\n");
            parts.push_str("}\n");
            out.push((format!("src/A{file}.cs"), Some(text)));
            out.push((
                format!("src/A{file}.Part.cs"),
                (n_parts > 0).then_some(parts),
            ));
        }
        out
    }

    /// Which types each names in its declarations.
    pub(crate) fn uses(&self) -> BTreeMap<String, BTreeSet<String>> {
        let names: BTreeSet<&String> = self.types.iter().map(|ty| &ty.name).collect();
        let mut out: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for ty in &self.types {
            let uses = out.entry(ty.name.clone()).or_default();
            let base = ty.base.and_then(|base| self.types.get(base));
            uses.extend(base.map(|base| base.name.clone()));
            for (_, returns, ..) in &ty.members {
                uses.extend([(*returns).to_owned(), "A2".to_owned()]);
            }
            uses.retain(|name| names.contains(name) && *name != ty.name);
        }
        out
    }

    /// The same program with names that differ by case alone.
    pub(crate) fn with_twins(mut self) -> Self {
        for at in 0..N_TYPES {
            let twin = Type {
                name: format!("a{at}"),
                file: (at + 1) % N_TYPES,
                ..self.types[at].clone()
            };
            self.types.push(twin);
        }
        self
    }

    fn write(&self, text: &mut String, ty: &Type) {
        for _ in 0..ty.n_comments {
            text.push_str("    // a comment\n\n");
        }
        if !ty.docs.is_empty() {
            let _ = writeln!(text, "    /// <summary>{}</summary>", ty.docs);
        }
        let accessibility = if ty.is_public { "public" } else { "internal" };
        let base = ty.base.and_then(|base| self.types.get(base));
        let base = base.filter(|base| base.name != ty.name);
        let base = base.map_or(String::new(), |base| format!(" : {}", base.name));
        let _ = writeln!(
            text,
            "    {accessibility} partial class {}{base}\n    {{",
            ty.name
        );
        for (name, returns, docs, body) in &ty.members {
            if !docs.is_empty() {
                let _ = writeln!(text, "        /// <summary>{docs}</summary>");
            }
            let _ = writeln!(
                text,
                "        public {returns} {name}(A2 one) {{ var a = {body}; return default; }}"
            );
        }
        text.push_str("    }\n");
    }
}
