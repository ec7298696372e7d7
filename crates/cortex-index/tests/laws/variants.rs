//! Variants of one project: whatever each of them compiles and leaves out, what a snapshot says of a
//! declaration is what some project sees.

use cortex_bind::member_detail;
use cortex_index::BoundTarget;
use cortex_syntax::Sections;
use proptest::prelude::*;

use crate::harness::{History, Tree, cases};

/// What is compiled by one variant or another: with or without a symbol, or always.
#[derive(Clone, Copy, Debug)]
enum When {
    Always,
    Defined(usize),
    NotDefined(usize),
}

#[derive(Clone, Debug)]
struct Part {
    when: When,
    members: Vec<When>,
}

/// Of each variant: the symbols that it defines and the files that it leaves out.
#[derive(Clone, Debug)]
struct Variant {
    defines: [bool; 2],
    without: Vec<bool>,
}

fn when() -> impl Strategy<Value = When> {
    prop_oneof![
        2 => Just(When::Always),
        1 => (0..2usize).prop_map(When::Defined),
        1 => (0..2usize).prop_map(When::NotDefined),
    ]
}

fn part() -> impl Strategy<Value = Part> {
    let members = proptest::collection::vec(when(), 0..4);
    (when(), members).prop_map(|(when, members)| Part { when, members })
}

fn variant(n_files: usize) -> impl Strategy<Value = Variant> {
    let without = proptest::collection::vec(proptest::bool::weighted(0.3), n_files);
    (any::<[bool; 2]>(), without).prop_map(|(defines, without)| Variant { defines, without })
}

const N_FILES: usize = 3;

fn drawn() -> impl Strategy<Value = (Vec<Vec<Part>>, Vec<Variant>)> {
    let file = proptest::collection::vec(part(), 0..3);
    (
        proptest::collection::vec(file, N_FILES),
        proptest::collection::vec(variant(N_FILES), 1..4),
    )
}

fn guarded(when: When, text: &str) -> String {
    match when {
        When::Always => text.to_owned(),
        When::Defined(symbol) => format!("#if S{symbol}\n{text}#endif\n"),
        When::NotDefined(symbol) => format!("#if !S{symbol}\n{text}#endif\n"),
    }
}

fn tree(files: &[Vec<Part>], variants: &[Variant]) -> Tree {
    let mut tree = Tree::new();
    let mut n_members = 0;
    for (file, parts) in files.iter().enumerate() {
        let mut text = String::from("namespace N;\n");
        for part in parts {
            let mut body = String::from("public partial class T\n{\n");
            for &when in &part.members {
                n_members += 1;
                let member = match n_members % 2 {
                    0 => {
                        format!("    public int M{n_members}(string s) => typeof(T).Name.Length;\n")
                    }
                    _ => format!(
                        "    public U M{n_members}<U>(U u, T t) => (U)(object)(typeof(T), u);\n"
                    ),
                };
                body.push_str(&guarded(when, &member));
            }
            body.push_str("}\n");
            text.push_str(&guarded(part.when, &body));
        }
        tree.insert(format!("Lib/F{file}.cs"), text);
    }
    for (at, variant) in variants.iter().enumerate() {
        let defines: String = (0..2)
            .filter(|&symbol| variant.defines[symbol])
            .map(|symbol| format!(";S{symbol}"))
            .collect();
        let left_out: String = (0..N_FILES)
            .filter(|&file| variant.without[file])
            .map(|file| format!("<Compile Remove=\"F{file}.cs\" />"))
            .collect();
        let text = format!(
            "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net8.0</TargetFramework><AssemblyName>Lib</AssemblyName><DefineConstants>$(DefineConstants){defines}</DefineConstants></PropertyGroup><ItemGroup>{left_out}</ItemGroup></Project>\n"
        );
        tree.insert(format!("Lib/V{at}.csproj"), text);
    }
    tree
}

/// What one variant compiles of a file: the names of members.
fn compiled(parts: &[Part], variant: &Variant, first: usize) -> Vec<String> {
    let holds = |when: When| match when {
        When::Always => true,
        When::Defined(symbol) => variant.defines[symbol],
        When::NotDefined(symbol) => !variant.defines[symbol],
    };
    let mut number = first;
    let mut out = Vec::new();
    for part in parts {
        for &when in &part.members {
            number += 1;
            if holds(part.when) && holds(when) {
                out.push(match number % 2 {
                    0 => format!("M.M{number}(System.String)"),
                    _ => format!("M.M{number}``1(``0,N.T)"),
                });
            }
        }
    }
    out
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn what_any_variant_compiles_is_known((files, variants) in drawn()) {
        let history = History::new(&[tree(&files, &variants)]);
        let (snapshot, _) = history.snapshot(&history.index("store"), 0);
        let types = snapshot.types().expect("types");
        let Some((key, _)) = types.iter().find(|(_, node)| node.fqn == "N.T") else {
            return Ok(());
        };
        let symbols = snapshot.symbols(*key).expect("symbols");
        let mut first = 0;
        for (file, parts) in files.iter().enumerate() {
            let path = format!("Lib/F{file}.cs").as_str().into();
            for (at, variant) in variants.iter().enumerate().filter(|(_, it)| !it.without[file]) {
                let bindings = snapshot.bindings(&path, &format!("Lib/V{at}.csproj").as_str().into());
                let bindings = bindings.expect("the store reads");
                let declared: Vec<&BoundTarget> = bindings.decls.iter()
                    .filter_map(|decl| Some(&bindings.targets[decl.symbol? as usize]))
                    .collect();
                for id in compiled(parts, variant, first) {
                    let member = symbols.member_with_id(&id);
                    prop_assert!(member.is_some(), "{id} of {path:?} in variant {at}");
                    let tag = symbols.tag(member.unwrap_or_default());
                    prop_assert!(declared.contains(&&BoundTarget::Member(*key, tag)), "{id} of {path:?} in variant {at}");
                }
            }
            first += parts.iter().map(|part| part.members.len()).sum::<usize>();
        }
    }

    #[test]
    fn every_declaration_is_found_in_the_facts_of_the_project_that_speaks_for_it((files, variants) in drawn()) {
        let history = History::new(&[tree(&files, &variants)]);
        let (snapshot, _) = history.snapshot(&history.index("store"), 0);
        for (_, node) in snapshot.types().expect("types") {
            for (at, part) in node.parts.iter().enumerate() {
                let file = snapshot.file(&part.path).expect("the store reads").expect("the file is known");
                let facts = snapshot.facts(&file, node.project_of(part), Sections::Declarations);
                let facts = facts.expect("facts of the project are kept").expect("the file is read");
                prop_assert!(facts.decls.iter().any(|decl| decl.range == part.range), "{part:?}");
                for member in node.members.iter().filter(|member| member.part as usize == at) {
                    let name = facts.decls.get(member.decl as usize).map(|decl| decl.name);
                    prop_assert_eq!(name.map(|name| facts.name(name)), Some(&*member.name));
                    prop_assert!(member_detail(&facts, member).is_some());
                }
            }
        }
    }
}
