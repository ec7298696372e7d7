//! Generated repositories: a few projects whose files fight over a few names.
//!
//! The fewer names there are, the more often one means another thing after a change.

use std::{collections::BTreeMap, fmt::Write};

use proptest::{collection::vec, option, prelude::*, sample::select};

use crate::harness::Tree;

const PATHS: &[&str] = &[
    "P/a.cs", "P/b.cs", "P/c.cs", "Q/a.cs", "Q/b.cs", "R/a.cs", "R/b.cs", "x.cs",
];
const PROJECTS: &[&str] = &["P", "Q", "R"];
const NAMESPACES: &[&str] = &["N", "N.M", "M", "N.M.K", "A", "N.A"];
const NAMES: &[&str] = &["A", "B", "C", "D", "M", "FooAttribute"];
const MEMBERS: &[&str] = &["x", "y", "A", "B", "C", "al", "M", "N"];
const TYPES: &[&str] = &[
    "A",
    "B",
    "C",
    "D",
    "al",
    "A<int>",
    "B<A>",
    "N.A",
    "M.B",
    "N.M.C",
    "A.B",
    "B.C",
    "D.A",
    "C.A",
    "al.B",
    "global::N.A",
    "global::A",
    "B.C.D",
    "int",
    "M.A",
    "FooAttribute",
];
const VALUES: &[&str] = &[
    "A.x",
    "A.B.x",
    "B.C.x",
    "C.A.x()",
    "al.x",
    "al.B.x",
    "N.A.x",
    "M.B.x",
    "nameof(A)",
    "nameof(N.B)",
    "typeof(B)",
    "typeof(B<>)",
    "new A()",
    "new C.A()",
    "x is B",
    "x is B.C",
    "(D)x",
    "A",
    "x",
    "M.x",
    "N.x",
];
const USINGS: &[&str] = &[
    "using N;",
    "using M;",
    "using N.M;",
    "using A;",
    "using al = N.A;",
    "using al = M;",
    "using al = D;",
    "using static N.A;",
    "using static D;",
    "using static M.B;",
    "using A = M.B;",
    "using B = N.A;",
    "using M = N.M;",
];
const ITEMS: &[&str] = &[
    "<Using Include=\"N\" />",
    "<Using Include=\"M\" />",
    "<Using Include=\"N.A\" Alias=\"al\" />",
    "<Using Include=\"D\" Static=\"true\" />",
    "<Using Include=\"N.B\" Static=\"true\" />",
    "<InternalsVisibleTo Include=\"P\" />",
    "<InternalsVisibleTo Include=\"Q\" />",
    "<Compile Remove=\"b.cs\" />",
    "<Compile Include=\"../x.cs\" />",
    "<Compile Include=\"../P/a.cs\" />",
];

/// A type of a file.
#[derive(Clone, Debug)]
pub(crate) struct Type {
    access: &'static str,
    partial: &'static str,
    kind: &'static str,
    name: &'static str,
    arity: usize,
    attribute: &'static str,
    bases: Vec<&'static str>,
    members: Vec<(&'static str, &'static str, &'static str)>,
    nested: Vec<Type>,
}

impl Type {
    fn render(&self, out: &mut String) {
        let Self {
            access,
            partial,
            kind,
            name,
            attribute,
            ..
        } = self;
        let _ = write!(out, "{attribute}{access}{partial}{kind} {name}");
        if self.arity > 0 {
            let _ = write!(out, "<{}>", &"T, U"[..3 * self.arity - 2]);
        }
        if !self.bases.is_empty() {
            let _ = write!(out, " : {}", self.bases.join(", "));
        }
        out.push_str(" {\n");
        for (number, (name, ty, value)) in self.members.iter().enumerate() {
            let _ = match number % 3 {
                0 => writeln!(out, "  public {ty} {name}() {{ return {value}; }}"),
                1 => writeln!(out, "  internal {ty} {name} => {value};"),
                _ => writeln!(out, "  {ty} {name} = {value};"),
            };
        }
        self.nested.iter().for_each(|ty| ty.render(out));
        out.push_str("}\n");
    }
}

/// A file of the world.
#[derive(Clone, Debug)]
pub(crate) struct File {
    global: Option<&'static str>,
    friend: Option<&'static str>,
    usings: Vec<&'static str>,
    namespace: Option<&'static str>,
    inner_usings: Vec<&'static str>,
    types: Vec<Type>,
    conditional: Option<Type>,
}

impl File {
    fn render(&self) -> String {
        let mut out = String::new();
        if let Some(using) = self.global {
            let _ = writeln!(out, "global {using}");
        }
        self.usings
            .iter()
            .for_each(|using| out.push_str(&format!("{using}\n")));
        if let Some(friend) = self.friend {
            let _ = writeln!(
                out,
                "[assembly: System.Runtime.CompilerServices.InternalsVisibleTo(\"{friend}\")]"
            );
        }
        if let Some(namespace) = self.namespace {
            let _ = writeln!(out, "namespace {namespace} {{");
            self.inner_usings
                .iter()
                .for_each(|using| out.push_str(&format!("{using}\n")));
        }
        self.types.iter().for_each(|ty| ty.render(&mut out));
        if let Some(ty) = &self.conditional {
            out.push_str("#if X\n");
            ty.render(&mut out);
            out.push_str("#endif\n");
        }
        if self.namespace.is_some() {
            out.push_str("}\n");
        }
        out
    }
}

/// A project of the world.
#[derive(Clone, Debug)]
pub(crate) struct Project {
    refs: Vec<&'static str>,
    symbols: &'static str,
    assembly: Option<&'static str>,
    items: Vec<&'static str>,
}

impl Project {
    fn render(&self) -> String {
        let mut out = String::from(
            "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net8.0</TargetFramework>\n",
        );
        let _ = writeln!(out, "<DefineConstants>{}</DefineConstants>", self.symbols);
        if let Some(assembly) = self.assembly {
            let _ = writeln!(out, "<AssemblyName>{assembly}</AssemblyName>");
        }
        out.push_str("</PropertyGroup><ItemGroup>\n");
        self.refs.iter().for_each(|name| {
            out.push_str(&format!(
                "<ProjectReference Include=\"../{name}/{name}.csproj\" />\n"
            ))
        });
        self.items
            .iter()
            .for_each(|item| out.push_str(&format!("{item}\n")));
        out.push_str("</ItemGroup></Project>\n");
        out
    }
}

/// One edit between two commits.
#[derive(Clone, Debug)]
pub(crate) enum Edit {
    Put(usize, File),
    Remove(usize),
    Move(usize, usize),
    Copy(usize, usize),
    Namespace(usize, Option<&'static str>),
    Usings(usize, Vec<&'static str>),
    InnerUsings(usize, Vec<&'static str>),
    Global(usize, Option<&'static str>),
    Friend(usize, Option<&'static str>),
    AddType(usize, Type),
    RemoveType(usize, usize),
    RenameType(usize, usize, &'static str),
    Arity(usize, usize, usize),
    Access(usize, usize, &'static str),
    Partial(usize, usize),
    Bases(usize, usize, Vec<&'static str>),
    AddMember(usize, usize, (&'static str, &'static str, &'static str)),
    RemoveMember(usize, usize, usize),
    RenameMember(usize, usize, usize, &'static str),
    Body(usize, usize, usize, &'static str),
    Nest(usize, usize, Type),
    Unnest(usize, usize),
    PutProject(usize, Project),
    RemoveProject(usize),
    Props(Option<&'static str>),
}

/// A whole repository.
#[derive(Clone, Debug, Default)]
pub(crate) struct World {
    files: BTreeMap<&'static str, File>,
    projects: BTreeMap<&'static str, Project>,
    props: Option<&'static str>,
}

impl World {
    pub(crate) fn tree(&self) -> Tree {
        let mut tree: Tree = self
            .files
            .iter()
            .map(|(path, file)| (path.to_string(), file.render()))
            .collect();
        tree.extend(
            self.projects
                .iter()
                .map(|(name, project)| (format!("{name}/{name}.csproj"), project.render())),
        );
        if let Some(symbols) = self.props {
            let text = format!(
                "<Project><PropertyGroup><DefineConstants>{symbols}</DefineConstants></PropertyGroup></Project>\n"
            );
            tree.insert("Directory.Build.props".to_owned(), text);
        }
        tree
    }

    pub(crate) fn apply(&mut self, edit: &Edit) {
        match edit {
            Edit::Put(at, file) => drop(self.files.insert(PATHS[*at], file.clone())),
            Edit::Remove(at) => drop(self.files.remove(PATHS[*at])),
            Edit::Move(from, to) => {
                if let Some(file) = self.files.remove(PATHS[*from]) {
                    self.files.insert(PATHS[*to], file);
                }
            }
            Edit::Copy(from, to) => {
                if let Some(file) = self.files.get(PATHS[*from]).cloned() {
                    self.files.insert(PATHS[*to], file);
                }
            }
            Edit::Namespace(at, namespace) => self.file(*at, |file| file.namespace = *namespace),
            Edit::Usings(at, usings) => self.file(*at, |file| file.usings.clone_from(usings)),
            Edit::InnerUsings(at, usings) => {
                self.file(*at, |file| file.inner_usings.clone_from(usings))
            }
            Edit::Global(at, using) => self.file(*at, |file| file.global = *using),
            Edit::Friend(at, friend) => self.file(*at, |file| file.friend = *friend),
            Edit::AddType(at, ty) => self.file(*at, |file| file.types.push(ty.clone())),
            Edit::RemoveType(at, which) => self.file(*at, |file| {
                if !file.types.is_empty() {
                    file.types.remove(which % file.types.len());
                }
            }),
            Edit::RenameType(at, which, name) => self.ty(*at, *which, |ty| ty.name = name),
            Edit::Arity(at, which, arity) => self.ty(*at, *which, |ty| ty.arity = *arity),
            Edit::Access(at, which, access) => self.ty(*at, *which, |ty| ty.access = access),
            Edit::Partial(at, which) => {
                self.ty(*at, *which, |ty| {
                    ty.partial = if ty.partial.is_empty() {
                        "partial "
                    } else {
                        ""
                    }
                });
            }
            Edit::Bases(at, which, bases) => self.ty(*at, *which, |ty| ty.bases.clone_from(bases)),
            Edit::AddMember(at, which, member) => {
                self.ty(*at, *which, |ty| ty.members.push(*member))
            }
            Edit::RemoveMember(at, which, member) => self.ty(*at, *which, |ty| {
                if !ty.members.is_empty() {
                    ty.members.remove(member % ty.members.len());
                }
            }),
            Edit::RenameMember(at, which, member, name) => self.ty(*at, *which, |ty| {
                if !ty.members.is_empty() {
                    let member = member % ty.members.len();
                    ty.members[member].0 = name;
                }
            }),
            Edit::Body(at, which, member, value) => self.ty(*at, *which, |ty| {
                if !ty.members.is_empty() {
                    let member = member % ty.members.len();
                    ty.members[member].2 = value;
                }
            }),
            Edit::Nest(at, which, inner) => {
                self.ty(*at, *which, |ty| ty.nested.push(inner.clone()))
            }
            Edit::Unnest(at, which) => self.ty(*at, *which, |ty| drop(ty.nested.pop())),
            Edit::PutProject(at, project) => {
                drop(self.projects.insert(PROJECTS[*at], project.clone()))
            }
            Edit::RemoveProject(at) => drop(self.projects.remove(PROJECTS[*at])),
            Edit::Props(props) => self.props = *props,
        }
    }

    // Paths are taken among the files that exist, so that nearly every edit does something.
    fn file(&mut self, at: usize, edit: impl FnOnce(&mut File)) {
        let count = self.files.len();
        if let Some(file) = self.files.values_mut().nth(at % count.max(1)) {
            edit(file);
        }
    }

    fn ty(&mut self, at: usize, which: usize, edit: impl FnOnce(&mut Type)) {
        self.file(at, |file| {
            let count = file.types.len();
            if let Some(ty) = file.types.get_mut(which % count.max(1)) {
                edit(ty);
            }
        });
    }
}

fn flat_type() -> impl Strategy<Value = Type> {
    (
        select(
            &[
                "public ",
                "internal ",
                "",
                "private ",
                "protected ",
                "file ",
            ][..],
        ),
        prop_oneof![2 => Just(""), 1 => Just("partial ")],
        select(&["class", "class", "class", "struct", "interface", "record"][..]),
        select(NAMES),
        prop_oneof![4 => Just(0usize), 1 => Just(1), 1 => Just(2)],
        prop_oneof![4 => Just(""), 1 => Just("[Foo] "), 1 => Just("[N.Foo] ")],
        vec(select(TYPES), 0..2),
        vec(member(), 0..3),
    )
        .prop_map(
            |(access, partial, kind, name, arity, attribute, bases, members)| {
                let nested = Vec::new();
                Type {
                    access,
                    partial,
                    kind,
                    name,
                    arity,
                    attribute,
                    bases,
                    members,
                    nested,
                }
            },
        )
}

fn member() -> impl Strategy<Value = (&'static str, &'static str, &'static str)> {
    (select(MEMBERS), select(TYPES), select(VALUES))
}

fn ty() -> impl Strategy<Value = Type> {
    (flat_type(), vec(flat_type(), 0..2)).prop_map(|(ty, nested)| Type { nested, ..ty })
}

fn file() -> impl Strategy<Value = File> {
    (
        option::weighted(0.1, select(USINGS)),
        option::weighted(0.1, select(PROJECTS)),
        vec(select(USINGS), 0..3),
        option::weighted(0.7, select(NAMESPACES)),
        vec(select(USINGS), 0..2),
        vec(ty(), 1..4),
        option::weighted(0.1, flat_type()),
    )
        .prop_map(
            |(global, friend, usings, namespace, inner_usings, types, conditional)| File {
                global,
                friend,
                usings,
                namespace,
                inner_usings,
                types,
                conditional,
            },
        )
}

fn project() -> impl Strategy<Value = Project> {
    let assembly = option::weighted(0.1, select(&["P", "Lib"][..]));
    (
        vec(select(PROJECTS), 0..2),
        select(&["", "", "X"][..]),
        assembly,
        vec(select(ITEMS), 0..3),
    )
        .prop_map(|(refs, symbols, assembly, items)| Project {
            refs,
            symbols,
            assembly,
            items,
        })
}

fn edit() -> impl Strategy<Value = Edit> {
    let at = 0..PATHS.len();
    let which = 0usize..3;
    let place = (at.clone(), which.clone());
    let usings = || vec(select(USINGS), 0..3);
    prop_oneof![
        1 => (at.clone(), file()).prop_map(|(at, file)| Edit::Put(at, file)),
        1 => at.clone().prop_map(Edit::Remove),
        1 => (at.clone(), at.clone()).prop_map(|(from, to)| Edit::Move(from, to)),
        1 => (at.clone(), at.clone()).prop_map(|(from, to)| Edit::Copy(from, to)),
        1 => (at.clone(), option::of(select(NAMESPACES))).prop_map(|(at, name)| Edit::Namespace(at, name)),
        1 => (at.clone(), usings()).prop_map(|(at, usings)| Edit::Usings(at, usings)),
        1 => (at.clone(), usings()).prop_map(|(at, usings)| Edit::InnerUsings(at, usings)),
        1 => (at.clone(), option::of(select(USINGS))).prop_map(|(at, using)| Edit::Global(at, using)),
        1 => (at.clone(), option::of(select(PROJECTS))).prop_map(|(at, friend)| Edit::Friend(at, friend)),
        2 => (at.clone(), ty()).prop_map(|(at, ty)| Edit::AddType(at, ty)),
        2 => place.clone().prop_map(|(at, which)| Edit::RemoveType(at, which)),
        2 => (place.clone(), select(NAMES)).prop_map(|((at, which), name)| Edit::RenameType(at, which, name)),
        1 => (place.clone(), 0usize..3).prop_map(|((at, which), arity)| Edit::Arity(at, which, arity)),
        1 => (place.clone(), select(&["public ", "internal ", "file "][..]))
            .prop_map(|((at, which), access)| Edit::Access(at, which, access)),
        1 => place.clone().prop_map(|(at, which)| Edit::Partial(at, which)),
        2 => (place.clone(), vec(select(TYPES), 0..3)).prop_map(|((at, which), bases)| Edit::Bases(at, which, bases)),
        2 => (place.clone(), member()).prop_map(|((at, which), member)| Edit::AddMember(at, which, member)),
        1 => (place.clone(), which.clone()).prop_map(|((at, which), member)| Edit::RemoveMember(at, which, member)),
        2 => (place.clone(), which.clone(), select(MEMBERS))
            .prop_map(|((at, which), member, name)| Edit::RenameMember(at, which, member, name)),
        1 => (place.clone(), which, select(VALUES))
            .prop_map(|((at, which), member, value)| Edit::Body(at, which, member, value)),
        2 => (place.clone(), flat_type()).prop_map(|((at, which), ty)| Edit::Nest(at, which, ty)),
        1 => place.prop_map(|(at, which)| Edit::Unnest(at, which)),
        2 => (0..PROJECTS.len(), project()).prop_map(|(at, project)| Edit::PutProject(at, project)),
        1 => (0..PROJECTS.len()).prop_map(Edit::RemoveProject),
        1 => option::of(Just("X")).prop_map(Edit::Props),
    ]
}

/// A repository and the edits of each further commit.
pub(crate) fn histories(commits: usize) -> impl Strategy<Value = Vec<Tree>> {
    let files = vec((0..PATHS.len(), file()), 2..7);
    let projects = vec((0..PROJECTS.len(), project()), 0..4);
    (files, projects, vec(vec(edit(), 1..3), 1..commits)).prop_map(|(files, projects, steps)| {
        let mut world = World::default();
        files
            .into_iter()
            .for_each(|(at, file)| world.apply(&Edit::Put(at, file)));
        projects
            .into_iter()
            .for_each(|(at, project)| world.apply(&Edit::PutProject(at, project)));
        let mut trees = vec![world.tree()];
        for step in steps {
            step.iter().for_each(|edit| world.apply(edit));
            trees.push(world.tree());
        }
        trees
    })
}
