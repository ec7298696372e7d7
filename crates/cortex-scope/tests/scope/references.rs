//! Named scopes that refer to each other, against a model that follows every reference anew.

use std::collections::BTreeSet;

use cortex_scope::*;
use proptest::{collection::vec, prelude::*, sample::select};

use crate::{cases, check_shares, universe::Written};

const FILES: [&str; 4] = ["a", "b", "ä c", "d"];
const NAMES: [&str; 4] = ["A", "B", "Größe", "Tests"];
const HOLDERS: [&str; 3] = [SHARED, LOCAL, CONFIGURED];

/// What a scope's pattern says.
#[derive(Clone, Debug)]
enum Set {
    File(usize),
    Name(&'static str),
    Broken,
    Not(Box<Set>),
    And(Vec<Set>),
    Or(Vec<Set>),
}

/// A named scope: holder, name, pattern.
type Scope = (&'static str, &'static str, Set);

impl Set {
    fn text(&self) -> String {
        let join = |sets: &[Self], operator: &str| {
            let each: Vec<String> = sets.iter().map(|it| format!("({})", it.text())).collect();
            each.join(operator)
        };
        match self {
            Self::File(file) => format!("file:{}", FILES[*file]),
            Self::Name(name) => format!("${name}"),
            Self::Broken => "file:".to_owned(),
            Self::Not(set) => format!("!({})", set.text()),
            Self::And(sets) => join(sets, "&&"),
            Self::Or(sets) => join(sets, "||"),
        }
    }

    fn is_broken(&self) -> bool {
        match self {
            Self::File(_) | Self::Name(_) => false,
            Self::Broken => true,
            Self::Not(set) => set.is_broken(),
            Self::And(sets) | Self::Or(sets) => sets.iter().any(Self::is_broken),
        }
    }
}

fn set() -> impl Strategy<Value = Set> {
    let leaf = prop_oneof![
        8 => (0..FILES.len()).prop_map(Set::File),
        8 => select(&NAMES[..]).prop_map(Set::Name),
        1 => Just(Set::Name("Nobody")),
        1 => Just(Set::Broken),
    ];
    leaf.prop_recursive(2, 6, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|set| Set::Not(Box::new(set))),
            vec(inner.clone(), 1..3).prop_map(Set::And),
            vec(inner, 1..3).prop_map(Set::Or),
        ]
    })
}

fn scopes() -> impl Strategy<Value = Vec<Scope>> {
    vec((select(&HOLDERS[..]), select(&NAMES[..]), set()), 1..9)
}

/// Follows references as written in 8.3: the holder's own first, then shared ones, then predefined ones; without a
/// holder the shared ones first, then all others.
struct Model<'s> {
    scopes: &'s [Scope],
    missing: BTreeSet<&'static str>,
}

impl<'s> Model<'s> {
    fn find(&self, holder: &str, name: &str) -> Option<&'s Scope> {
        self.scopes.iter().find(|it| it.0 == holder && it.1 == name)
    }

    fn named(
        &mut self,
        scope: &'s Scope,
        chain: &[(&str, &str)],
    ) -> Result<BTreeSet<usize>, DiagnosticCode> {
        if chain.contains(&(scope.0, scope.1)) {
            return Err(DiagnosticCode::CyclicNamedScope);
        }
        if scope.2.is_broken() {
            return Err(DiagnosticCode::InvalidPattern);
        }
        let chain = [chain, &[(scope.0, scope.1)]].concat();
        self.set(&scope.2, Some(scope.0), &chain)
    }

    fn set(
        &mut self,
        set: &'s Set,
        holder: Option<&str>,
        chain: &[(&str, &str)],
    ) -> Result<BTreeSet<usize>, DiagnosticCode> {
        Ok(match set {
            Set::File(file) => BTreeSet::from([*file]),
            Set::Broken => return Err(DiagnosticCode::InvalidPattern),
            Set::Not(set) => {
                let without = self.set(set, holder, chain)?;
                (0..FILES.len())
                    .filter(|it| !without.contains(it))
                    .collect()
            }
            Set::And(sets) => {
                let mut all: BTreeSet<usize> = (0..FILES.len()).collect();
                for set in sets {
                    all = &all & &self.set(set, holder, chain)?;
                }
                all
            }
            Set::Or(sets) => {
                let mut all = BTreeSet::new();
                for set in sets {
                    all = &all | &self.set(set, holder, chain)?;
                }
                all
            }
            Set::Name(name) => {
                let own = holder.and_then(|holder| self.find(holder, name));
                let shared = || self.find(SHARED, name);
                // A pattern that stands in no holder knows the names of all.
                let any = || {
                    self.scopes
                        .iter()
                        .find(|it| holder.is_none() && it.1 == *name)
                };
                match own.or_else(shared).or_else(any) {
                    Some(scope) => self.named(scope, chain)?,
                    // No file of the universe is one of tests.
                    None if *name == "Tests" => BTreeSet::new(),
                    None => {
                        self.missing.insert(name);
                        BTreeSet::new()
                    }
                }
            }
        })
    }
}

fn model<'s>(
    scopes: &'s [Scope],
    set: &'s Set,
) -> (
    Result<BTreeSet<usize>, DiagnosticCode>,
    BTreeSet<&'static str>,
) {
    let mut model = Model {
        scopes,
        missing: BTreeSet::new(),
    };
    let found = match set.is_broken() {
        true => Err(DiagnosticCode::InvalidPattern),
        false => model.set(set, None, &[]),
    };
    (found, model.missing)
}

#[test]
fn references_of_all_kinds_are_tried() {
    check_shares(
        &(scopes(), set()),
        |(scopes, set)| {
            let (found, missing) = model(scopes, set);
            let mut kinds = vec![match &found {
                Ok(files) if files.is_empty() => "empty",
                Ok(_) => "files",
                Err(DiagnosticCode::CyclicNamedScope) => "cyclic",
                Err(_) => "broken",
            }];
            if !missing.is_empty() {
                kinds.push("missing");
            }
            let depends = |holder| {
                let mut other = scopes.clone();
                other.retain(|it| it.0 != holder);
                model(&other, set).0 != found
            };
            for (holder, kind) in [(SHARED, "decided by shared ones")] {
                if depends(holder) {
                    kinds.push(kind);
                }
            }
            kinds
        },
        &[
            ("files", 30),
            ("empty", 5),
            ("cyclic", 2),
            ("broken", 3),
            ("missing", 10),
            ("decided by shared ones", 10),
        ],
    );
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn references_lead_where_the_model_goes(scopes in scopes(), set in set(), holder in select(&HOLDERS[..])) {
        let urls = FILES.map(|path| format!("repo:/{path}"));
        let mut order: Vec<usize> = (0..FILES.len()).collect();
        order.sort_by_key(|at| &urls[*at]);
        let sorted: Vec<&str> = order.iter().map(|at| urls[*at].as_str()).collect();
        let mut universe = Written::of(&sorted);
        for (holder, name, set) in &scopes {
            universe = universe.named(holder, name, &set.text());
        }
        // A pattern, then each scope by its name in a holder.
        let mut asked = vec![(format!("pattern('{}')", set.text()), model(&scopes, &set))];
        for name in NAMES {
            if let Some(scope) = scopes.iter().find(|it| it.0 == holder && it.1 == name) {
                let mut model = Model { scopes: &scopes, missing: BTreeSet::new() };
                let found = model.named(scope, &[]);
                asked.push((format!("named({holder}, '{name}')"), (found, model.missing)));
            }
        }
        for (text, (expected, missing)) in asked {
            let request = infix::compile(&text).unwrap();
            match resolve(&request, &universe) {
                Ok(resolved) => {
                    let files: BTreeSet<usize> = resolved
                        .scope
                        .files()
                        .map(|(file, _)| order[file.index()])
                        .collect();
                    prop_assert_eq!(Ok(files), expected, "{}", text);
                    let warnings = &resolved.descriptor.diagnostics;
                    // One name may be missing for several holders.
                    let names = warnings.iter().filter_map(|it| it.message.split("no named scope `").nth(1)?.split('`').next());
                    prop_assert_eq!(names.collect::<BTreeSet<_>>(), missing);
                    prop_assert!(warnings.iter().all(|it| it.code == DiagnosticCode::MissingNamedScope));
                }
                Err(diagnostics) => {
                    let codes: Vec<DiagnosticCode> = diagnostics
                        .iter()
                        .filter(|it| it.severity == Severity::Error)
                        .map(|it| it.code)
                        .collect();
                    prop_assert_eq!(Ok::<_, Vec<DiagnosticCode>>(codes), expected.err().map(|it| vec![it]).ok_or(vec![]), "{}", text);
                }
            }
        }
    }
}
