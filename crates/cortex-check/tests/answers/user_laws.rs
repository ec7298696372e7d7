//! Who uses a type most: what is kept of an earlier state, brought to the present one, is what reading all would give.

use cortex_check::{Service, json};
use proptest::prelude::*;

const PROJECT: &str = r#"<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>
</Project>
"#;

/// More users than are kept of one type.
const N_USERS: usize = 48;

/// What happens to one of the users.
#[derive(Clone, Copy, Debug)]
enum Edit {
    /// It has so many fields of the type.
    Fields(usize, usize),
    /// It has another name.
    Rename(usize),
    Remove(usize),
    /// The type itself gets a member.
    Member(usize),
}

fn edit() -> impl Strategy<Value = Edit> {
    let user = 0..N_USERS;
    prop_oneof![
        4 => (user.clone(), 0_usize..9).prop_map(|(user, n)| Edit::Fields(user, n)),
        1 => user.clone().prop_map(Edit::Rename),
        1 => user.clone().prop_map(Edit::Remove),
        1 => user.prop_map(Edit::Member),
    ]
}

fn path(user: usize) -> String {
    format!("src/User{user}.cs")
}

fn code(user: usize, n_fields: usize, name: &str) -> String {
    let fields: String = (0..n_fields)
        .map(|nth| format!("Target f{nth}; "))
        .collect();
    format!("class {name}{user} {{ {fields}}}\n")
}

fn apply(world: &Service, edit: Edit) {
    match edit {
        Edit::Fields(user, n) => world.write(&path(user), code(user, n, "User")),
        Edit::Rename(user) => world.write(&path(user), code(user, 3, "Client")),
        Edit::Remove(user) => _ = std::fs::remove_file(world.path().join(path(user))),
        Edit::Member(nth) => {
            world.write("src/Target.cs", format!("class Target {{ int M{nth}; }}\n"))
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]

    #[test]
    fn the_first_users_of_a_type_are_those_that_a_new_index_has(
        counts in proptest::collection::vec(0_usize..6, N_USERS),
        edits in proptest::collection::vec((edit(), prop_oneof![Just(3), Just(10), Just(31), Just(32)], any::<bool>()), 1..10),
    ) {
        let mut world = Service::with_files(&[
            ("src/Shop.csproj", PROJECT),
            ("src/Target.cs", "class Target { }\n"),
        ]);
        for (user, &n) in counts.iter().enumerate() {
            world.write(&path(user), code(user, n, "User"));
        }
        let ask = |world: &Service, top: usize| {
            world.envelope("outline", json!({"symbol": "Target", "top": top}))
        };
        ask(&world, 10);
        for (edit, top, is_opened_again) in edits {
            apply(&world, edit);
            if is_opened_again {
                world = world.opened_again();
            }
            prop_assert_eq!(ask(&world, top), ask(&world.with_new_index(), top), "after {:?}", edit);
        }
    }
}
