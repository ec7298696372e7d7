//! The algebra, against sets of elements: a file as such, and each of its bytes.

use std::collections::BTreeSet;

use cortex_model::ByteRange;
use cortex_scope::*;
use proptest::{collection::vec, prelude::*};

use crate::{cases, check_shares, universe::Written};

const N_FILES: usize = 5;
const LENGTH: u32 = 8;

/// A file as such, or a byte of it.
type Element = (usize, Option<u32>);
type Elements = BTreeSet<Element>;

/// What an atom consists of.
#[derive(Clone, Debug)]
enum Content {
    /// One bit for each file.
    Whole(u8),
    Ranges(Vec<(usize, u32, u32)>),
}

impl Content {
    fn shape(&self) -> ScopeShape {
        match self {
            Self::Whole(_) => ScopeShape::Global,
            Self::Ranges(_) => ScopeShape::Local,
        }
    }

    fn elements(&self) -> Elements {
        match self {
            Self::Whole(bits) => (0..N_FILES)
                .filter(|file| bits >> file & 1 == 1)
                .flat_map(whole)
                .collect(),
            Self::Ranges(ranges) => ranges
                .iter()
                .flat_map(|(file, start, end)| (*start..*end).map(|at| (*file, Some(at))))
                .collect(),
        }
    }
}

fn whole(file: usize) -> impl Iterator<Item = Element> {
    std::iter::once((file, None)).chain((0..LENGTH).map(move |at| (file, Some(at))))
}

/// A program as a tree over atoms.
#[derive(Clone, Debug)]
enum Tree {
    Atom(usize),
    Not(Box<Tree>),
    And(Box<Tree>, Box<Tree>),
    Or(Box<Tree>, Box<Tree>),
}

use Tree::{And, Atom, Not, Or};

fn not(tree: &Tree) -> Tree {
    Not(Box::new(tree.clone()))
}

fn and(left: &Tree, right: &Tree) -> Tree {
    And(Box::new(left.clone()), Box::new(right.clone()))
}

fn or(left: &Tree, right: &Tree) -> Tree {
    Or(Box::new(left.clone()), Box::new(right.clone()))
}

impl Tree {
    fn tokens(&self, out: &mut Vec<ScopeToken>) {
        let op = match self {
            Atom(index) => return out.push(ScopeToken::push(index.to_string())),
            Not(tree) => {
                tree.tokens(out);
                TokenOp::Not
            }
            And(left, right) => {
                left.tokens(out);
                right.tokens(out);
                TokenOp::And
            }
            Or(left, right) => {
                left.tokens(out);
                right.tokens(out);
                TokenOp::Or
            }
        };
        out.push(ScopeToken::operator(op));
    }

    fn atoms(&self) -> BTreeSet<usize> {
        match self {
            Atom(index) => BTreeSet::from([*index]),
            Not(tree) => tree.atoms(),
            And(left, right) | Or(left, right) => &left.atoms() | &right.atoms(),
        }
    }

    /// By the model; `None` where something that is not global is negated.
    fn elements(&self, contents: &[Content]) -> Option<(Elements, ScopeShape)> {
        use ScopeShape::{Global, Local, Mixed};
        Some(match self {
            Atom(index) => (contents[*index].elements(), contents[*index].shape()),
            Not(tree) => {
                let (elements, Global) = tree.elements(contents)? else {
                    return None;
                };
                let all: Elements = (0..N_FILES).flat_map(whole).collect();
                (&all - &elements, Global)
            }
            And(left, right) => {
                let (a, a_shape) = left.elements(contents)?;
                let (b, b_shape) = right.elements(contents)?;
                let shape = match (a_shape, b_shape) {
                    (Global, Global) => Global,
                    (Local, _) | (_, Local) => Local,
                    _ => Mixed,
                };
                (&a & &b, shape)
            }
            Or(left, right) => {
                let (a, a_shape) = left.elements(contents)?;
                let (b, b_shape) = right.elements(contents)?;
                let shape = if a_shape == b_shape { a_shape } else { Mixed };
                (&a | &b, shape)
            }
        })
    }

    fn has_not(&self) -> bool {
        self.depth_of_not() > 0
    }

    /// How many negations are around one another.
    fn depth_of_not(&self) -> usize {
        match self {
            Atom(_) => 0,
            Not(tree) => 1 + tree.depth_of_not(),
            And(left, right) | Or(left, right) => left.depth_of_not().max(right.depth_of_not()),
        }
    }

    fn size(&self) -> usize {
        match self {
            Atom(_) => 1,
            Not(tree) => 1 + tree.size(),
            And(left, right) | Or(left, right) => 1 + left.size() + right.size(),
        }
    }
}

/// Whole files as providers of changes, ranges as types.
fn universe(contents: &[Content]) -> Written {
    let urls: Vec<String> = (0..N_FILES).map(|file| format!("repo:/{file}")).collect();
    let mut universe = Written::of(&urls.iter().map(String::as_str).collect::<Vec<_>>());
    for (index, content) in contents.iter().enumerate() {
        let provided = match content {
            Content::Whole(bits) => Provided::Files(
                (0..N_FILES)
                    .filter(|file| bits >> file & 1 == 1)
                    .map(FileId::new)
                    .collect(),
            ),
            Content::Ranges(ranges) => Provided::Ranges(
                ranges
                    .iter()
                    .map(|(file, start, end)| {
                        let range = ByteRange {
                            start: *start,
                            end: *end,
                        };
                        (FileId::new(*file), Ranges::new([range]))
                    })
                    .collect(),
            ),
        };
        universe.provided.insert(provider(index, content), provided);
    }
    universe
}

fn provider(index: usize, content: &Content) -> String {
    match content {
        Content::Whole(_) => format!("git:changed:{index}"),
        Content::Ranges(_) => format!("type:{index}"),
    }
}

fn request(tree: &Tree, contents: &[Content]) -> ScopeRequest {
    let mut tokens = Vec::new();
    tree.tokens(&mut tokens);
    let atoms = tree
        .atoms()
        .into_iter()
        .map(|index| {
            let mut atom = ScopeAtom::new(index.to_string(), AtomKind::ProviderScope);
            atom.provider_scope_id = Some(provider(index, &contents[index]));
            atom
        })
        .collect();
    ScopeRequest::new(atoms, tokens)
}

fn run(tree: &Tree, contents: &[Content]) -> Result<Scope, Vec<DiagnosticCode>> {
    resolve(&request(tree, contents), &universe(contents))
        .map(|resolved| resolved.scope)
        .map_err(|diagnostics| diagnostics.iter().map(|it| it.code).collect())
}

fn elements(scope: &Scope) -> Elements {
    let mut out = Elements::new();
    for file in 0..N_FILES {
        match scope.coverage(FileId::new(file)) {
            Coverage::Whole => out.extend(whole(file)),
            Coverage::Ranges(ranges) => out.extend(
                (0..LENGTH)
                    .filter(|at| ranges.contains(*at))
                    .map(|at| (file, Some(at))),
            ),
            Coverage::Nothing => {}
        }
    }
    out
}

fn content() -> impl Strategy<Value = Content> {
    prop_oneof![
        2 => any::<u8>().prop_map(Content::Whole),
        1 => ranges(),
    ]
}

fn ranges() -> impl Strategy<Value = Content> {
    vec((0..N_FILES, 0..LENGTH, 0..=LENGTH), 0..6).prop_map(Content::Ranges)
}

/// The first two atoms are global in any case, the last one is local.
fn contents() -> impl Strategy<Value = Vec<Content>> {
    let whole = any::<u8>().prop_map(Content::Whole);
    (whole.clone(), whole, content(), ranges()).prop_map(|(a, b, c, d)| vec![a, b, c, d])
}

/// The atoms that are global in any case.
const GLOBAL: std::ops::Range<usize> = 0..2;
const ALL: std::ops::Range<usize> = 0..4;

/// Any program, of wrong shapes, too.
fn tree(atoms: std::ops::Range<usize>) -> impl Strategy<Value = Tree> {
    atoms.prop_map(Atom).prop_recursive(4, 12, 2, |inner| {
        prop_oneof![
            1 => inner.clone().prop_map(|tree| not(&tree)),
            2 => (inner.clone(), inner.clone()).prop_map(|(a, b)| and(&a, &b)),
            2 => (inner.clone(), inner).prop_map(|(a, b)| or(&a, &b)),
        ]
    })
}

/// A program of any shape that means something: what is negated is global.
fn sound() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![3 => ALL.prop_map(Atom), 2 => tree(GLOBAL).prop_map(|it| not(&it))];
    leaf.prop_recursive(3, 8, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| and(&a, &b)),
            (inner.clone(), inner).prop_map(|(a, b)| or(&a, &b)),
        ]
    })
}

/// The kinds of programs that laws may break on.
fn kinds_of((contents, tree): &(Vec<Content>, Tree)) -> Vec<&'static str> {
    let mut kinds = Vec::new();
    match tree.elements(contents) {
        None => kinds.push("wrong shape"),
        Some((elements, shape)) => {
            kinds.push(match shape {
                ScopeShape::Global => "global",
                ScopeShape::Local => "local",
                ScopeShape::Mixed => "mixed",
            });
            if !elements.is_empty() {
                kinds.push(match shape {
                    ScopeShape::Global => "global with something",
                    ScopeShape::Local => "local with something",
                    ScopeShape::Mixed => "mixed with something",
                });
            }
        }
    }
    if tree.has_not() {
        kinds.push("negated");
    }
    if tree.depth_of_not() > 1 {
        kinds.push("negated twice");
    }
    if !matches!(tree, Atom(_)) {
        kinds.push("combined");
    }
    if tree.size() > 7 {
        kinds.push("large");
    }
    kinds
}

#[test]
fn programs_of_all_shapes_are_tried() {
    check_shares(
        &(contents(), tree(ALL)),
        kinds_of,
        &[
            ("wrong shape", 10),
            ("global with something", 20),
            ("local with something", 5),
            ("mixed with something", 10),
            ("negated", 20),
            ("negated twice", 5),
            ("combined", 50),
            ("large", 15),
        ],
    );
    check_shares(
        &(contents(), sound()),
        kinds_of,
        &[
            ("global with something", 20),
            ("local with something", 5),
            ("mixed with something", 10),
            ("negated", 40),
            ("negated twice", 10),
            ("combined", 50),
            ("large", 20),
        ],
    );
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn programs_give_what_sets_of_elements_give(contents in contents(), tree in tree(ALL)) {
        match (run(&tree, &contents), tree.elements(&contents)) {
            (Ok(scope), Some((expected, shape))) => {
                prop_assert_eq!(scope.shape(), shape);
                prop_assert_eq!(elements(&scope), expected);
                prop_assert_eq!(scope.files().count(), scope.n_files());
                let program = request(&tree, &contents);
                let described = describe(&program).unwrap();
                prop_assert_eq!(described.scope_shape, shape);
                prop_assert!(described.diagnostics.is_empty());
            }
            (Err(codes), None) => {
                prop_assert!(codes.iter().all(|code| *code == DiagnosticCode::WrongShape));
            }
            (found, expected) => prop_assert!(false, "{:?} but {:?}", found, expected),
        }
    }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn nothing_leaks(contents in contents(), x in sound(), y in sound()) {
        let (a, b) = (run(&x, &contents).unwrap(), run(&y, &contents).unwrap());
        let both = run(&and(&x, &y), &contents).unwrap();
        prop_assert!(elements(&both).is_subset(&elements(&a)));
        prop_assert!(elements(&both).is_subset(&elements(&b)));
        let either = run(&or(&x, &y), &contents).unwrap();
        prop_assert_eq!(elements(&either), &elements(&a) | &elements(&b));
        // Without a negation nothing comes from outside of the atoms.
        if !x.has_not() {
            let atoms: Elements = x.atoms().iter().flat_map(|it| contents[*it].elements()).collect();
            prop_assert!(elements(&a).is_subset(&atoms));
        }
        if b.shape() == ScopeShape::Local {
            prop_assert_eq!(both.shape(), ScopeShape::Local);
            prop_assert!(elements(&both).iter().all(|(_, at)| at.is_some()));
        }
    }

    #[test]
    fn a_scope_by_paths_has_what_the_scope_has(contents in contents(), tree in sound()) {
        let scope = run(&tree, &contents).unwrap();
        let universe = universe(&contents);
        let paths = ScopedPaths::new(&scope, &universe.files);
        for file in 0..N_FILES {
            let path = file.to_string();
            for at in 0..LENGTH {
                let is_in = scope.contains(FileId::new(file), at);
                prop_assert_eq!(paths.has(&path, at), is_in);
                let byte = ByteRange { start: at, end: at + 1 };
                prop_assert_eq!(paths.overlaps(&path, byte), is_in);
            }
            let is_touched = scope.coverage(FileId::new(file)) != Coverage::Nothing;
            prop_assert_eq!(paths.has_path(&path), is_touched);
        }
        prop_assert_eq!(paths.paths().count(), scope.n_files());
    }

    #[test]
    fn what_holds_of_sets_holds_of_all_shapes(
        contents in contents(), x in sound(), y in sound(), z in sound(),
    ) {
        let run = |tree: &Tree| run(tree, &contents).unwrap();
        let x0 = run(&x);
        prop_assert_eq!(run(&and(&x, &y)), run(&and(&y, &x)));
        prop_assert_eq!(run(&or(&x, &y)), run(&or(&y, &x)));
        prop_assert_eq!(run(&and(&and(&x, &y), &z)), run(&and(&x, &and(&y, &z))));
        prop_assert_eq!(run(&or(&or(&x, &y), &z)), run(&or(&x, &or(&y, &z))));
        prop_assert_eq!(run(&and(&x, &x)), x0.clone());
        prop_assert_eq!(run(&or(&x, &x)), x0.clone());
        let parts = [and(&x, &y), and(&x, &z)];
        prop_assert_eq!(
            elements(&run(&and(&x, &or(&y, &z)))),
            elements(&run(&or(&parts[0], &parts[1])))
        );
        // A part of another shape may change the shape of the whole, never its elements.
        for absorbed in [or(&x, &parts[0]), and(&x, &or(&x, &y))] {
            prop_assert_eq!(elements(&run(&absorbed)), elements(&x0));
        }
    }

    #[test]
    fn global_scopes_are_a_boolean_algebra(
        contents in contents(), x in tree(GLOBAL), y in tree(GLOBAL), z in tree(GLOBAL),
    ) {
        let run = |tree: &Tree| run(tree, &contents).unwrap();
        prop_assert_eq!(run(&not(&not(&x))), run(&x));
        prop_assert_eq!(run(&not(&and(&x, &y))), run(&or(&not(&x), &not(&y))));
        prop_assert_eq!(run(&not(&or(&x, &y))), run(&and(&not(&x), &not(&y))));
        prop_assert_eq!(run(&or(&x, &and(&x, &y))), run(&x));
        prop_assert_eq!(run(&and(&x, &or(&x, &y))), run(&x));
        prop_assert_eq!(run(&or(&x, &and(&y, &z))), run(&and(&or(&x, &y), &or(&x, &z))));
        let both = run(&and(&x, &y));
        prop_assert!(both.n_files() <= run(&x).n_files().min(run(&y).n_files()));
        prop_assert!(run(&and(&x, &not(&x))).is_empty());
        prop_assert_eq!(run(&or(&x, &not(&x))).n_files(), N_FILES);
    }

    #[test]
    fn infix_notation_is_the_same_program(contents in contents(), tree in sound()) {
        let program = request(&tree, &contents);
        let text = infix::print(&program).unwrap();
        let again = infix::compile(&text).unwrap();
        let ops = |request: &ScopeRequest| -> Vec<(TokenOp, Option<String>)> {
            let provider = |id: &Option<String>| {
                let atom = request.atoms.iter().find(|it| Some(&it.atom_id) == id.as_ref());
                atom.and_then(|it| it.provider_scope_id.clone())
            };
            request.tokens.iter().map(|it| (it.op, provider(&it.atom_id))).collect()
        };
        prop_assert_eq!(ops(&again), ops(&program));
        prop_assert_eq!(infix::print(&again).unwrap(), text);
    }
}
