use proptest::prelude::*;

use super::{BEST, Fit, LettersOfNames, Name, Query};

fn query(text: &str) -> Query {
    Query::parse(text).expect("something is asked for")
}

/// Whether a name can fit by itself.
fn fit(query: &Query, name: &str) -> Fit {
    query.fit(name.as_bytes(), 0, &mut LettersOfNames::default())
}

fn score(text: &str, name: &str) -> Option<u32> {
    query(text).score(&Name::new(name))
}

#[track_caller]
fn check_crosses(text: &str, ty: &str, member: &str, expected: bool) {
    let query = query(text);
    let (heads, tails) = (query.heads(&Name::new(ty)), query.tails(&Name::new(member)));
    assert_eq!(heads & tails != 0, expected, "{text} {ty}.{member}");
}

#[test]
fn humps_are_matched_as_people_write_them() {
    for (text, name) in [
        ("NS", "NodeStore"),
        ("ns", "NodeStore"),
        ("NoSt", "NodeStore"),
        ("nodest", "NodeStore"),
        ("Store", "NodeStore"),
        ("store", "NodeStore"),
        ("GN", "GetNode"),
        ("getN", "GetNode"),
        ("SS", "SQLServer"),
        ("SqlS", "SQLServer"),
        ("sqlserver", "SQLServer"),
        ("DBCONTEXT", "DbContext"),
        ("database", "_database"),
        ("_data", "_database"),
        ("U8", "ReadUtf8"),
        ("Get*ode", "GetNode"),
        ("G?tNode", "GetNode"),
        ("MN", "MAX_NAME"),
        ("maxn", "MAX_NAME"),
    ] {
        assert!(score(text, name).is_some(), "{text} {name}");
        assert_eq!(fit(&query(text), name), Fit::Maybe, "{text} {name}");
    }
    for (text, name) in [
        ("NX", "NodeStore"),
        ("ode", "NodeStore"),
        ("tore", "NodeStore"),
        ("NOS", "NodeStore"),
        ("NodeStores", "NodeStore"),
        ("Get*x", "GetNode"),
        ("SN", "NodeStore"),
    ] {
        assert_eq!(score(text, name), None, "{text} {name}");
    }
}

#[test]
fn a_query_may_run_from_a_type_into_a_member() {
    check_crosses("NSGN", "NodeStore", "GetNode", true);
    check_crosses("nsGetN", "NodeStore", "GetNode", true);
    check_crosses("nodestoregetnode", "NodeStore", "GetNode", true);
    check_crosses("NSGX", "NodeStore", "GetNode", false);
    check_crosses("NodeStoreg", "NodeStore", "GetNode", false);
    check_crosses("GNNS", "NodeStore", "GetNode", false);
}

#[test]
fn consonants_are_matched_with_gaps() {
    let gaps = |text, name| {
        let query = query(text).with_gaps()?;
        assert_eq!(fit(&query, name), Fit::Maybe, "{text} {name}");
        query.score(&Name::new(name))
    };
    for (text, name) in [
        ("OrdSvc", "OrderService"),
        ("CstmrRpstry", "CustomerRepository"),
        ("lgrcfg", "LoggerConfiguration"),
        ("svc", "OrderService"),
        ("btch", "IBatchSink"),
    ] {
        assert_eq!(score(text, name), None, "{text} {name}");
        assert!(gaps(text, name).is_some(), "{text} {name}");
    }
    assert!(gaps("OrdServc", "OrderService") > gaps("OrdSvc", "OrderService"));
    assert_eq!(gaps("rdr", "OrderReader"), Some(super::GAPS - 3));
    assert_eq!(query("SO").with_gaps(), None);
}

#[test]
fn a_leading_star_leaves_the_end_open() {
    assert!(score("*Serv", "OrderService") < score("*Service", "OrderService"));
    assert!(score("*serv", "OrderService").is_some());
    assert_eq!(score("O*Serv", "OrderService"), None);
}

#[test]
fn better_matches_are_worth_more() {
    let names = [
        "Store",
        "store",
        "StoreAll",
        "storeall",
        "SomeTaxOfReElection",
        "NodeStore",
    ];
    let scores: Vec<u32> = (names.iter())
        .map(|name| score("Store", name).unwrap_or(0))
        .collect();
    assert!(
        scores.windows(2).all(|pair| pair[0] > pair[1]),
        "{scores:?}"
    );
}

#[test]
fn qualifiers_fit_the_container_in_their_order() {
    let parts = ["Ns", "Storage", "NodeStore"];
    for (text, fits) in [
        ("NodeStore.X", true),
        ("Storage.X", true),
        ("ns.ns.X", true),
        ("Storage.NodeStore.X", true),
        ("NodeStore.Storage.X", false),
        ("Other.X", false),
        ("N*e.X", true),
    ] {
        let found = query(text).qualified(parts.into_iter());
        assert_eq!(found.is_some(), fits, "{text}");
    }
    let cost = |text| query(text).qualified(parts.into_iter());
    assert!(cost("NodeStore.X") < cost("Storage.X"));
    assert_eq!(Query::parse(" . "), None);
}

fn words() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec("[A-Z][a-z0-9]{0,5}", 1..5)
}

proptest! {
    #[test]
    fn an_exact_name_is_worth_most(words in words(), other in words()) {
        let (name, other) = (words.concat(), other.concat());
        prop_assert_eq!(score(&name, &name), Some(BEST));
        prop_assert!(other == name || score(&name, &other).is_none_or(|it| it < BEST));
    }

    #[test]
    fn every_prefix_of_a_name_finds_it(words in words(), len in 1..30_usize) {
        let name = words.concat();
        let prefix = &name[..len.min(name.len())];
        prop_assert!(score(prefix, &name) >= Some(90));
        prop_assert!(score(&prefix.to_lowercase(), &name) >= Some(87));
    }

    #[test]
    fn every_abbreviation_by_humps_finds_the_name(
        words in words(),
        lens in prop::collection::vec(1..4_usize, 5),
        is_upper in any::<bool>(),
    ) {
        let parts: String = (words.iter().zip(&lens))
            .map(|(word, &len)| &word[..len.min(word.len())])
            .collect();
        let query = if is_upper { parts } else { parts.to_lowercase() };
        prop_assert!(score(&query, &words.concat()).is_some(), "{query}");
        let parsed = Query::parse(&query).expect("something is asked for");
        prop_assert!(fit(&parsed, &words.concat()) == Fit::Maybe, "{query}");
    }

    #[test]
    fn humps_of_a_type_and_a_member_find_the_member(ty in words(), member in words()) {
        let initials: String = ty.iter().chain(&member).map(|word| &word[..1]).collect();
        let query = query(&initials);
        let heads = query.heads(&Name::new(&ty.concat()));
        let tails = query.tails(&Name::new(&member.concat()));
        prop_assert!(heads & tails != 0, "{initials}");
        prop_assert!(fit(&query, &member.concat()) != Fit::No, "{initials}");
        prop_assert!(query.may_start(&ty.concat()), "{initials}");
    }

    // Whatever is asked; names are those of C#.
    #[test]
    fn no_query_is_too_odd(text in "([a-dA-D_1ü]|.){0,20}", name in r"([a-dA-D_1ü]|[_\pL\p{Nd}\p{Mn}]){0,20}") {
        if let Some(query) = Query::parse(&text) {
            let text_of = name;
            let name = Name::new(&text_of);
            let score = query.score(&name);
            prop_assert!(score.is_none_or(|it| it <= BEST));
            let tails = if query.may_cross() { query.tails(&name) } else { 0 };
            let heads = if query.may_cross() { query.heads(&name) } else { 0 };
            match fit(&query, &text_of) {
                Fit::No => prop_assert!(score.is_none() && tails == 0),
                Fit::Tails(known) => prop_assert!(score.is_none() && tails == known),
                Fit::Maybe => {}
            }
            prop_assert!(heads == 0 || query.may_start(&text_of));
        }
    }

    #[test]
    fn names_in_order_fit_as_they_do_alone(
        text in "[a-cA-C_1]{1,6}",
        mut names in prop::collection::vec("([a-cA-C_1]|ü){0,8}", 1..20),
    ) {
        names.sort();
        let query = query(&text);
        let mut letters = LettersOfNames::default();
        let mut before = "";
        for name in &names {
            let n_shared = before.bytes().zip(name.bytes()).take_while(|(a, b)| a == b).count();
            prop_assert_eq!(query.fit(name.as_bytes(), n_shared, &mut letters), fit(&query, name), "{}", name);
            before = name;
        }
    }
}
