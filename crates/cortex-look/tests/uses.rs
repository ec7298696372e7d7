//! The bytes of uses are those of the file, whatever its encoding.

use std::{path::Path, sync::Arc};

use cortex_fixture::Fixture;
use cortex_git::{ConfigScope, Repository, Side};
use cortex_index::{
    Index, IndexOptions, Launcher, Progress, References, Roots, Stage, UnreadFiles,
};
use cortex_look::{Filter, Limits, symbol::doc_id::of_doc_id, uses::uses, viewpoint::Viewpoint};
use cortex_store::{OpenOptions, Store};
use cortex_wire::Place;

struct Silent;

impl Progress for Silent {
    fn report(&self, _: Stage, _: usize, _: usize) {}
}

fn utf16(text: &str, mark: [u8; 2], bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    let units = text.encode_utf16().flat_map(bytes);
    mark.into_iter().chain(units).collect()
}

fn index(work: &Path, store: &Path) -> Index {
    Index {
        repo: Repository::open_with(work, ConfigScope::RepositoryOnly).expect("a repository"),
        store: Arc::new(Store::open(store, &OpenOptions::default()).expect("a store")),
        options: IndexOptions::default(),
        launcher: Launcher::InProcess,
        references: References::new(Roots::default()),
        parallel: 1,
        now: 0,
        unread: UnreadFiles::default(),
        interrupt: cortex_model::Interrupt::default(),
    }
}

/// The uses of a symbol in a work tree of these files, each with the bytes that it takes.
fn uses_in(files: &[(&str, Vec<u8>)], doc_id: &str) -> Vec<(Place, Vec<u8>)> {
    let folder = tempfile::tempdir().expect("a folder");
    let work = folder.path().join("work");
    std::fs::create_dir(&work).expect("a new folder");
    let first = Fixture::parse("//- /README.md\nSee the code.\n").tree();
    Fixture::commit_all_into(&[first.into_iter().collect()], &work).expect("a commit");
    for (name, bytes) in files {
        std::fs::write(work.join(name), bytes).expect("a file");
    }
    let index = index(&work, &folder.path().join("store"));
    let (side, _) = index.side(Side::WorkTree, &Silent).expect("it is indexed");
    let filter = Filter::everything();
    let view = Viewpoint {
        index: &index,
        side: &side,
        filter: &filter,
        limits: Limits {
            n_items: usize::MAX,
            until: None,
        },
    };
    let symbols = of_doc_id(&side.snapshot, doc_id).expect("symbols");
    let found = uses(&view, &symbols).expect("uses");
    let bytes_of = |place: &Place| {
        let (_, bytes) = files
            .iter()
            .find(|(name, _)| *name == place.file.as_str())
            .expect("a file");
        bytes[place.range.as_usize()].to_vec()
    };
    found
        .into_iter()
        .map(|place| (place.clone(), bytes_of(&place)))
        .collect()
}

#[test]
fn the_bytes_of_a_use_name_the_symbol_in_every_encoding() {
    let user = |class: &str| {
        format!(
            "// né 🙂\nclass {class} {{ string s = \"ü\"; int M(Wert a) => a.Größe + /* é */ a.@Größe; }}\n"
        )
    };
    let declared = "class Wert { public int Größe; }\n";
    let windows: Vec<u8> = user("E")
        .replace('🙂', "")
        .chars()
        .map(|c| u32::from(c) as u8)
        .collect();
    let files = [
        ("A.cs", declared.as_bytes().to_vec()),
        ("B.cs", user("B").into_bytes()),
        ("C.cs", ["\u{feff}", &user("C")].concat().into_bytes()),
        ("D.cs", utf16(&user("D"), [0xFF, 0xFE], u16::to_le_bytes)),
        ("E.cs", windows),
        ("F.cs", utf16(&user("F"), [0xFE, 0xFF], u16::to_be_bytes)),
    ];
    let found = uses_in(&files, "F:Wert.Größe");
    let expected = |name: &str| -> Vec<u8> {
        match name {
            "D.cs" => "Größe".encode_utf16().flat_map(u16::to_le_bytes).collect(),
            "F.cs" => "Größe".encode_utf16().flat_map(u16::to_be_bytes).collect(),
            "E.cs" => "Größe".chars().map(|c| u32::from(c) as u8).collect(),
            _ => "Größe".as_bytes().to_vec(),
        }
    };
    let mut seen = Vec::new();
    for (place, bytes) in &found {
        let name = expected(place.file.as_str());
        assert!(bytes.ends_with(&name), "{place:?} {bytes:?}");
        // An `@` may stand before it.
        assert!(bytes.len() <= name.len() + 2, "{place:?} {bytes:?}");
        assert_eq!(place.line, 2);
        seen.push(format!("{}:{} {:?}", place.file, place.column, place.role));
    }
    let columns = |file: &str| [46, 64].map(|column| format!("{file}:{column} Read"));
    let wanted: Vec<String> = ["B.cs", "C.cs", "D.cs", "E.cs", "F.cs"]
        .into_iter()
        .flat_map(columns)
        .collect();
    assert_eq!(seen, wanted);
}
