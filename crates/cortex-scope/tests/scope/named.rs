//! The IDE's files of named scopes.

use cortex_scope::{LOCAL, NamedScope, SHARED, is_scope_file, read_scope_file};

fn scope(holder: &str, name: &str, pattern: &str) -> NamedScope {
    NamedScope {
        holder: holder.to_owned(),
        name: name.to_owned(),
        pattern: pattern.to_owned(),
    }
}

#[test]
fn a_shared_scope_is_called_what_its_attribute_says() {
    let text = r#"<component name="DependencyValidationManager">
  <scope name="My Scope" pattern="file[App]:src//*&amp;&amp;!file:*.g.cs" />
</component>"#;
    assert_eq!(
        read_scope_file(text).unwrap(),
        [scope(SHARED, "My Scope", "file[App]:src//*&&!file:*.g.cs")]
    );
}

#[test]
fn local_scopes_stand_among_other_components() {
    let text = r#"<?xml version="1.0" encoding="UTF-8"?>
<project version="4">
  <component name="ChangeListManager"><list default="true" name="Changes" /></component>
  <component name="NamedScopeManager">
    <scope name="b" pattern="src:b" />
    <scope name="a" pattern="" />
    <order>a</order>
  </component>
  <component name="DependencyValidationManager">
    <option name="SKIP_IMPORT_STATEMENTS" value="false" />
  </component>
</project>"#;
    assert_eq!(
        read_scope_file(text).unwrap(),
        [scope(LOCAL, "b", "src:b"), scope(LOCAL, "a", "")]
    );
}

#[test]
fn what_is_no_xml_is_an_error_and_other_xml_has_no_scopes() {
    assert!(read_scope_file("<component").is_err());
    assert!(read_scope_file("").is_err());
    assert_eq!(read_scope_file("<a><scope name='x'/></a>").unwrap(), []);
}

#[test]
fn entities_that_grow_are_an_error_not_a_hang() {
    let mut text = String::from("<!DOCTYPE x [<!ENTITY a0 'ha'>");
    for index in 1..40 {
        text += &format!("<!ENTITY a{index} '&a{0};&a{0};'>", index - 1);
    }
    text += "]><component name='NamedScopeManager'><scope name='&a39;'/></component>";
    assert!(read_scope_file(&text).is_err());
}

#[test]
fn scope_files_are_those_of_idea_and_of_rider() {
    for (path, expected) in [
        (".idea/scopes/a.xml", true),
        (".idea/workspace.xml", true),
        (".idea/.idea.Shop/.idea/scopes/a.xml", true),
        ("sub/.idea/workspace.xml", true),
        (".idea/scopes/a.txt", false),
        (".idea/scopes/deep/a.xml", false),
        (".idea/other/a.xml", false),
        ("workspace.xml", false),
        ("x.idea/workspace.xml", false),
    ] {
        assert_eq!(is_scope_file(path), expected, "{path}");
    }
}
