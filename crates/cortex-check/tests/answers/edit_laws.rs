//! Symbols of the demonstration repository get other names and parameters, and what is proven holds.

use cortex_check::edits::{Asked, EditLaw, Machine, Report, Sample};

use crate::demo;

fn edited(asked: Asked, seed: u64) -> (Report, Vec<String>) {
    let repository = demo();
    let law = EditLaw::new(repository.path(), Machine::Unseen).expect("git checks out");
    let sample = Sample {
        n_edits: 24,
        n_oracles: 4,
        seed,
        asked,
    };
    let mut said = Vec::new();
    let mut say = |text: &str| said.push(text.to_owned());
    let report = law.run(sample, Machine::Unseen, &mut say);
    (report.expect("it is indexed"), said)
}

#[test]
fn a_symbol_with_a_fresh_name_is_what_it_was_in_an_index_made_from_nothing() {
    let (report, said) = edited(Asked::FreshNames, 1);
    let total = report.total();
    assert_eq!(total.n_changed, 0, "{said:#?}");
    assert_eq!(report.n_wrong, 0, "{said:#?}");
    assert!(report.n_proven_compared >= 3, "{report}");
    assert!(total.n_proven > total.n / 2, "{report}\n{said:#?}");
}

#[test]
fn what_is_proven_of_a_name_that_something_near_has_holds_in_an_index_made_from_nothing() {
    let (report, said) = edited(Asked::HostileNames, 2);
    assert_eq!(report.n_wrong, 0, "{said:#?}");
    assert!(report.n_proven_compared >= 1, "{report}\n{said:#?}");
    let total = report.total();
    assert!(total.n_changed > 0, "{report}\n{said:#?}");
}

#[test]
fn a_method_with_other_parameters_is_called_where_it_was_in_an_index_made_from_nothing() {
    let (report, said) = edited(Asked::Signatures, 3);
    assert_eq!(report.n_wrong, 0, "{said:#?}");
    assert!(report.n_proven_compared >= 3, "{report}\n{said:#?}");
}
