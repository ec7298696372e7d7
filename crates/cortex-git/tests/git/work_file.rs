//! Single files of the work tree.

use std::fs;

use crate::common::TestRepo;

#[test]
fn a_file_is_found_whether_git_knows_it_or_not() {
    let test = TestRepo::new();
    fs::create_dir(test.work().join("obj")).expect("a new folder");
    fs::write(test.work().join("obj/a.json"), "{}").expect("a file");
    fs::write(test.work().join(".gitignore"), "obj/\n").expect("a file");
    let repo = test.open();
    let file = repo.work_file(&"obj/a.json".into()).expect("it is there");
    assert_eq!(file.n_bytes, 2);
    assert!(file.path.ends_with("obj/a.json"));
    assert!(file.modified.is_some());
    for none in ["obj", "obj/b.json", "obj/a.json/c", ""] {
        assert_eq!(repo.work_file(&none.into()), None, "{none:?}");
    }
}

#[test]
fn no_path_leads_out_of_the_work_tree_or_into_git() {
    let test = TestRepo::new();
    fs::write(test.root().join("secret"), "").expect("a file");
    fs::create_dir(test.work().join("a")).expect("a new folder");
    let repo = test.open();
    for bad in [
        "../secret",
        "a/../../secret",
        "./a",
        "/etc/passwd",
        ".git/config",
        ".GIT/HEAD",
    ] {
        assert_eq!(repo.work_file(&bad.into()), None, "{bad}");
    }
}

#[cfg(unix)]
#[test]
fn no_link_is_followed_on_the_way_or_at_its_end() {
    use std::os::unix::fs::symlink;
    let test = TestRepo::new();
    fs::write(test.root().join("secret"), "").expect("a file");
    symlink(test.root(), test.work().join("out")).expect("a link");
    symlink(test.root().join("secret"), test.work().join("secret")).expect("a link");
    let repo = test.open();
    assert_eq!(repo.work_file(&"out/secret".into()), None);
    assert_eq!(repo.work_file(&"secret".into()), None);
}

#[test]
fn a_bare_repository_has_no_files() {
    let test = TestRepo::with_init(&["--bare"]);
    assert_eq!(test.open().work_file(&"config".into()), None);
}
