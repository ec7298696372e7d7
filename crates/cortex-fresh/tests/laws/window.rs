//! The prompt window, under random operations.

use cortex_fresh::window::{WindowChange, WindowOptions, change};
use cortex_git::Side;
use cortex_look::{AccessLog, Filter, Viewpoint};
use cortex_wire::{WindowAnswer, WindowPart};
use proptest::{
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};

use crate::{program::Program, world::World};

/// So many operations one after another.
const N_OPERATIONS: usize = 1_000;

/// Something that happens to a window. Numbers are taken modulo what there is.
#[derive(Clone, Debug)]
enum Operation {
    Look(usize),
    Pin(usize),
    PinPath(usize),
    Unpin(usize),
    Dismiss(usize),
    Add(usize, u32),
    Clear,
    Wait(i64),
    Budget(usize),
}

fn operation() -> impl Strategy<Value = Operation> {
    (0..20u8, 0..64usize).prop_map(|(kind, n)| match kind {
        0..6 => Operation::Look(n),
        6 | 7 => Operation::Pin(n),
        8 => Operation::PinPath(n),
        9 | 10 => Operation::Unpin(n),
        11 | 12 => Operation::Dismiss(n),
        13..16 => Operation::Add(n, n as u32),
        16 => Operation::Clear,
        17 | 18 => Operation::Wait(n as i64 * 60),
        _ => Operation::Budget(60 + n * n),
    })
}

/// A window as its user has it.
struct Desk {
    world: World,
    log: AccessLog,
    now: i64,
    budget: usize,
    /// What should be pinned.
    pins: Vec<String>,
}

impl Desk {
    /// Makes a change as the program does, the files included.
    fn change(&mut self, what: WindowChange<'_>) -> WindowAnswer {
        let index = self.world.index();
        let side = self.world.side(Side::WorkTree);
        let filter = Filter::everything();
        let viewpoint = Viewpoint {
            index,
            side: &side,
            filter: &filter,
            limits: cortex_look::Limits {
                n_items: usize::MAX,
                until: None,
            },
        };
        let options = WindowOptions {
            log: &self.log,
            now: self.now,
            budget: Some(self.budget),
            tokenizer: Some("chars/4"),
        };
        let done = change(index, &side, what, &viewpoint, &options);
        let (writes, log, answer) = done.expect("the change can be made");
        writes.apply(&index.repo).expect("it can be written");
        self.log = log;
        answer
    }

    fn operate(&mut self, operation: &Operation) -> WindowAnswer {
        let name = |n: usize| format!("A{}", n % 6);
        match operation {
            Operation::Look(n) => {
                let log = self.log.clone();
                let added = self.change(WindowChange::Add(&[name(*n)], 1));
                let id = (added.types.iter())
                    .chain(&added.waiting)
                    .find(|ty| ty.path.ends_with(&name(*n)))
                    .map(|ty| ty.type_id.clone());
                self.log = log;
                if let Some(id) = id {
                    self.log.note(&id, Vec::new(), self.now);
                }
                self.change(WindowChange::Nothing)
            }
            Operation::Pin(n) => {
                self.note_pin(format!("N.{}", name(*n)));
                self.change(WindowChange::Pin(&[name(*n)]))
            }
            Operation::PinPath(n) => {
                let path = format!("src/A{}.cs", n % 6);
                self.note_pin(format!("path:{path}"));
                self.change(WindowChange::Pin(&[path]))
            }
            Operation::Unpin(n) => match n.checked_rem(self.pins.len()) {
                None => self.change(WindowChange::Nothing),
                Some(at) => {
                    let pin = self.pins.remove(at);
                    self.change(WindowChange::Unpin(&[pin]))
                }
            },
            Operation::Dismiss(n) => self.change(WindowChange::Dismiss(&[name(*n)])),
            Operation::Add(n, minutes) => self.change(WindowChange::Add(&[name(*n)], *minutes)),
            Operation::Clear => self.change(WindowChange::Clear),
            Operation::Wait(seconds) => {
                self.now += seconds;
                self.change(WindowChange::Nothing)
            }
            Operation::Budget(budget) => {
                self.budget = *budget;
                self.change(WindowChange::Nothing)
            }
        }
    }

    fn note_pin(&mut self, pin: String) {
        if !self.pins.contains(&pin) {
            self.pins.push(pin);
        }
    }

    /// The laws of a window.
    fn check(&self, answer: &WindowAnswer, operation: &Operation) {
        let n_tokens = answer.text.chars().count().div_ceil(4);
        assert!(n_tokens <= self.budget, "{operation:?}: over budget");
        assert_eq!(answer.tokens as usize, n_tokens, "{operation:?}");
        let is_pinned = |part| part == WindowPart::Pinned;
        let pinned = answer.types.iter().filter(|ty| is_pinned(ty.part));
        let n_pinned: u64 = pinned.clone().map(|ty| ty.tokens).sum();
        assert!(n_pinned <= answer.pinned_budget, "{operation:?}");
        // Every type is there once, and every pinned one is in the window or waits.
        let known: Vec<&str> = (pinned.chain(&answer.waiting))
            .map(|ty| ty.path.as_str())
            .collect();
        for pin in &self.pins {
            let name = match pin.strip_prefix("path:src/") {
                Some(file) => format!("N.{}", file.trim_end_matches(".cs")),
                None => pin.clone(),
            };
            assert!(
                known.contains(&name.as_str()),
                "{operation:?}: {pin} is lost"
            );
        }
        let mut ids: Vec<&str> = answer.types.iter().map(|ty| ty.type_id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(
            ids.len(),
            answer.types.len(),
            "{operation:?}: a type is there twice"
        );
        let recorded = self.world.try_read(".context/window.json");
        let recorded = recorded.map(|text| cortex_fresh::pins::read(&text).expect("it is read"));
        assert_eq!(
            recorded.unwrap_or_default().pins,
            self.pins,
            "{operation:?}"
        );
    }
}

#[test]
fn a_window_is_never_over_budget_and_pins_are_kept_under_a_thousand_operations() {
    let world = World::new();
    world.write_program(&Program::sample());
    world.commit("sources");
    let mut desk = Desk {
        world,
        log: AccessLog::default(),
        now: 1_000_000,
        budget: 400,
        pins: Vec::new(),
    };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let (mut n_waiting, mut n_shown) = (0, 0);
    for _ in 0..N_OPERATIONS {
        let operation = operation().new_tree(&mut runner).expect("it can be made");
        let operation = operation.current();
        let answer = desk.operate(&operation);
        desk.check(&answer, &operation);
        n_waiting += answer.waiting.len();
        n_shown += answer.types.len();
    }
    assert!(n_waiting > 100 && n_shown > 1_000, "{n_waiting} {n_shown}");
}

#[test]
fn nothing_but_a_pin_makes_a_pinned_type_wait() {
    let world = World::new();
    world.write_program(&Program::sample());
    world.commit("sources");
    let mut desk = Desk {
        world,
        log: AccessLog::default(),
        now: 1_000_000,
        budget: 250,
        pins: Vec::new(),
    };
    let pinned = desk.operate(&Operation::Pin(1));
    assert_eq!(pinned.types.len(), 1);
    for n in 0..6 {
        let answer = desk.operate(&Operation::Add(n, 9));
        assert_eq!(answer.types[0].path, "N.A1");
        assert!(answer.waiting.is_empty());
    }
    let many = desk.change(WindowChange::Pin(&["src/".to_owned()]));
    assert_eq!(many.types[0].path, "N.A1");
    assert!(!many.waiting.is_empty(), "others wait for room");
    desk.change(WindowChange::Unpin(&["src/".to_owned()]));
    assert!(desk.change(WindowChange::Nothing).waiting.is_empty());
}

#[test]
fn semantics_give_way_from_their_end() {
    let world = World::new();
    world.write_program(&Program::sample());
    world.commit("sources");
    let mut desk = Desk {
        world,
        log: AccessLog::default(),
        now: 1_000_000,
        budget: 2_000,
        pins: Vec::new(),
    };
    let id = desk.operate(&Operation::Pin(2)).types[0].type_id.clone();
    let long = "words and words ".repeat(40);
    let text = format!(
        "# Semantic: N.A2 {id}\nStructureHash: 1\nROLE: does it\nLIMITATIONS: few\nRECOMMENDATIONS: {long}\n"
    );
    let path = format!(".context/semantic/{id}.semantic.md");
    desk.world.write(&path, &text);
    let all = desk.change(WindowChange::Nothing);
    assert_eq!(all.types[0].semantics.len(), 3);
    assert!(all.text.contains("ROLE (stale): does it"), "{}", all.text);
    desk.budget = 300;
    let cut = desk.change(WindowChange::Nothing);
    assert_eq!(cut.types[0].semantics.len(), 2, "{}", cut.text);
    assert!(!cut.text.contains("RECOMMENDATIONS"));
}

#[test]
fn what_was_looked_at_before_comes_by_time_and_types_of_the_pack_before_others() {
    let world = World::new();
    world.write_program(&Program::sample());
    world.commit("sources");
    let mut desk = Desk {
        world,
        log: AccessLog::default(),
        now: 1_000_000,
        budget: 8_000,
        pins: Vec::new(),
    };
    for n in [4, 0, 1] {
        desk.operate(&Operation::Look(n));
        desk.now += 90;
    }
    let order = |answer: &WindowAnswer| -> Vec<String> {
        let recent = answer
            .types
            .iter()
            .filter(|ty| ty.part == WindowPart::Recent);
        recent.map(|ty| ty.path.clone()).collect()
    };
    let id = |answer: &WindowAnswer| {
        let found = answer.types.iter().find(|ty| ty.path == "N.A0");
        found.expect("it was looked at").type_id.clone()
    };
    desk.now += 3_600;
    let answer = desk.change(WindowChange::Nothing);
    assert_eq!(order(&answer), ["N.A1", "N.A0", "N.A4"]);
    let pack = format!("# Pack `p`\n\n## `N.A0` {}\n", id(&answer));
    desk.world.write(".context/packs/p.md", &pack);
    let added = desk.change(WindowChange::Add(&["pack:p".to_owned()], 0));
    // Of three the second counts 2 × 1.5, which is as much as the first; the first is the newer one.
    assert_eq!(order(&added), ["N.A1", "N.A0", "N.A4"]);
    let pack = format!(
        "# Pack `p`\n\n## `N.A4` {}\n## `N.A0` {}\n",
        added.types[2].type_id,
        id(&answer)
    );
    desk.world.write(".context/packs/p.md", &pack);
    desk.operate(&Operation::Dismiss(1));
    assert_eq!(order(&desk.change(WindowChange::Nothing)), ["N.A0", "N.A4"]);
}
