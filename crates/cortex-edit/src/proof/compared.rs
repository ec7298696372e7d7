//! What two sides of a file decide otherwise, and what of that an edit does by itself.
//!
//! Owns: which differences an edit allows. Must not know: which files are compared, how differences are told.

use std::cmp::Ordering;

use cortex_model::RepoPath;
use cortex_semantics::{
    CallerNames, Certainty, Decision, Fingerprint, How, LocalRole, Question, Why,
};
use cortex_wire::DoubtReason;
use rustc_hash::FxHashSet;

use crate::{moved::MovedText, retyped::Settled};

/// What is kept of the decisions of one file.
pub(super) struct Compared {
    /// How many there were.
    pub(super) n_decisions: u64,
    /// Those of the old side that the new one does not have.
    pub(super) gone: Vec<Decision>,
    /// Those of the new side that the old one does not have.
    pub(super) come: Vec<Decision>,
    /// Where the old side could not decide, and why.
    pub(super) undecided: Vec<(u32, DoubtReason)>,
    /// Those of them that the new side decides for the same overload.
    pub(super) settled: FxHashSet<u32>,
    /// The types of each side without the values of constants, where code moves.
    types: [FxHashSet<(u32, Question, String)>; 2],
    /// Calls of the old side that pass text of the code around them.
    pub(super) caller_texts: Vec<CallerNames>,
}

impl Compared {
    pub(super) fn new(old: Fingerprint, new: Fingerprint, moves_code: MovesCode) -> Self {
        let types = match moves_code {
            MovesCode::No => Default::default(),
            MovesCode::Yes => [&old, &new].map(|side| {
                let decisions = side.decisions.iter();
                decisions.filter_map(type_without_value).collect()
            }),
        };
        let n_decisions = old.decisions.len() as u64;
        let undecided = (old.decisions.iter())
            .filter_map(|decision| Some((decision.own_offset, doubt_of(decision)?)))
            .collect();
        let caller_texts = old.caller_texts;
        let (mut gone, mut come) = (Vec::new(), Vec::new());
        let mut old = old.decisions.into_iter().peekable();
        let mut new = new.decisions.into_iter().peekable();
        loop {
            let order = match (old.peek(), new.peek()) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(a), Some(b)) => a.key().cmp(&b.key()),
            };
            match order {
                Ordering::Less => gone.extend(old.next()),
                Ordering::Greater => come.extend(new.next()),
                Ordering::Equal => {
                    old.next();
                    new.next();
                }
            }
        }
        let mut compared = Self {
            n_decisions,
            gone,
            come,
            undecided,
            settled: FxHashSet::default(),
            types,
            caller_texts,
        };
        compared.allow_known_overloads();
        compared
    }

    /// Takes out names for which nothing chose an overload before, and that mean the same one now that it is alone: in
    /// `nameof`, and with arguments of unknown type. That they may have meant another one is a doubt, whatever the names
    /// of the edit are.
    fn allow_known_overloads(&mut self) {
        let named = |it: &Decision, expected: Certainty| match it.question {
            Question::Name(kind, certainty) if certainty == expected => {
                Some((it.offset, kind, it.answer))
            }
            _ => None,
        };
        let open: FxHashSet<_> = (self.gone.iter())
            .filter_map(|it| named(it, Certainty::OverloadSet))
            .collect();
        let settled: FxHashSet<_> = (self.come.iter())
            .filter_map(|it| named(it, Certainty::Exact))
            .filter(|it| open.contains(it))
            .collect();
        let is_settled = |it: &Decision, expected| {
            named(it, expected).is_some_and(|named| settled.contains(&named))
        };
        (self.come).retain(|it| !is_settled(it, Certainty::Exact));
        let (settled, gone) = std::mem::take(&mut self.gone)
            .into_iter()
            .partition(|it| is_settled(it, Certainty::OverloadSet));
        let settled: Vec<Decision> = settled;
        self.settled = settled.iter().map(|it| it.own_offset).collect();
        self.gone = gone;
    }
}

/// Whether an edit moves code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MovesCode {
    Yes,
    No,
}

impl Compared {
    /// Takes out what moving code changes by itself: the names that are no longer written, what moved code was converted
    /// to where it stood, and constants that take the place of variables.
    pub(super) fn allow(&mut self, moved: &MovedText) {
        let [old, new] = &self.types;
        (self.come).retain(|it| {
            let is_known = it.question == Question::Type && moved.has_type(it.offset, &it.shown);
            !is_known
                && !moved.is_of_call(it)
                && type_without_value(it).is_none_or(|it| !old.contains(&it))
        });
        (self.gone).retain(|it| type_without_value(it).is_none_or(|it| !new.contains(&it)));
        // The same name may be thrown, or not: what it means is the same.
        let named = |it: &Decision| match it.question {
            Question::Name(_, certainty) => Some((it.offset, certainty, it.answer)),
            _ => None,
        };
        let [gone, come] = [&self.gone, &self.come]
            .map(|all| all.iter().filter_map(named).collect::<FxHashSet<_>>());
        (self.gone).retain(|it| named(it).is_none_or(|it| !come.contains(&it)));
        (self.come).retain(|it| named(it).is_none_or(|it| !gone.contains(&it)));
        let anew: FxHashSet<u32> = (moved.placed_anew.iter())
            .filter_map(|&old| moved.new_position(old))
            .collect();
        // What it names is its own; what its place makes of it is not.
        let is_of_place = |it: &Decision| {
            !matches!(
                it.question,
                Question::Name(..)
                    | Question::Local(_)
                    | Question::Unbound(_)
                    | Question::Misfit(_)
                    | Question::CallerName
            )
        };
        (self.gone).retain(|it| !(is_of_place(it) && moved.placed_anew.contains(&it.own_offset)));
        (self.come).retain(|it| !(is_of_place(it) && anew.contains(&it.offset)));
        let is_relocated = |it: &Decision| {
            matches!(it.question, Question::Local(LocalRole::Use))
                && moved.relocated.contains(&it.own_offset)
        };
        let relocated: FxHashSet<u32> = (self.gone.iter().filter(|it| is_relocated(it)))
            .map(|it| it.offset)
            .collect();
        // It is a variable still.
        let (found, come) = std::mem::take(&mut self.come).into_iter().partition(|it| {
            matches!(it.question, Question::Local(LocalRole::Use)) && relocated.contains(&it.offset)
        });
        let found: Vec<Decision> = found;
        self.come = come;
        (self.gone)
            .retain(|it| !is_relocated(it) || !found.iter().any(|other| other.offset == it.offset));
        // The first token of a cast that is written stands for the cast: what converted the expression there is used
        // otherwise now.
        let converts = |it: &Decision, how| {
            (it.question == Question::Unnamed(how)).then_some((it.offset, it.answer))
        };
        let converted: FxHashSet<_> = (self.gone.iter())
            .filter_map(|it| converts(it, How::Conversion))
            .collect();
        let used: FxHashSet<_> = (self.come.iter())
            .filter_map(|it| converts(it, How::Other))
            .collect();
        (self.gone).retain(|it| converts(it, How::Conversion).is_none_or(|it| !used.contains(&it)));
        (self.come).retain(|it| converts(it, How::Other).is_none_or(|it| !converted.contains(&it)));
        self.gone.retain(|it| {
            let at = it.own_offset;
            let is_replaced = moved.replaced.contains(&at) && it.question != Question::Conversion;
            // Its place gave it a type, which is written now.
            let is_untyped = it.question == Question::Type && &*it.shown == "?";
            // Where a member of it is taken, no type is kept: another one would be.
            let is_of_variable = it.question == Question::Type && moved.is_of_old_type(&it.shown);
            let is_elsewhere = moved.converted_elsewhere.contains(&at)
                && (it.question == Question::Conversion || is_untyped || is_of_variable);
            !(is_replaced || is_elsewhere)
        });
    }
}

impl Compared {
    /// Takes out expressions that differ in the value of a string alone: values of whole numbers are shown, those of
    /// strings are not.
    pub(super) fn allow_other_strings(&mut self) {
        let shown = |decision: &Decision| {
            let is_type = matches!(decision.question, Question::Type | Question::Conversion);
            is_type.then(|| (decision.offset, decision.question, decision.shown.clone()))
        };
        let [gone, come] = [&self.gone, &self.come]
            .map(|all| all.iter().filter_map(shown).collect::<FxHashSet<_>>());
        (self.gone).retain(|it| shown(it).is_none_or(|it| !come.contains(&it)));
        (self.come).retain(|it| shown(it).is_none_or(|it| !gone.contains(&it)));
    }

    /// Takes out what differs for no other reason than that a parameter has another type.
    pub(super) fn allow_other_types(&mut self, path: &RepoPath, settled: &Settled) {
        let (allowed, gone) = std::mem::take(&mut self.gone)
            .into_iter()
            .partition(|it| settled.has(path, it.own_offset, it));
        let allowed: Vec<Decision> = allowed;
        self.gone = gone;
        let places: FxHashSet<(u32, Question)> =
            allowed.iter().map(|it| (it.offset, it.question)).collect();
        (self.come).retain(|it| !places.contains(&(it.offset, it.question)));
    }
}

/// The type that a decision gives, without the value of a constant.
fn type_without_value(decision: &Decision) -> Option<(u32, Question, String)> {
    let is_type = matches!(decision.question, Question::Type | Question::Conversion);
    let shown = decision.shown.split(" = ").next().unwrap_or_default();
    is_type.then(|| (decision.offset, decision.question, shown.to_owned()))
}

/// Why a decision may be wrong, if it may.
pub(super) fn doubt_of(decision: &Decision) -> Option<DoubtReason> {
    match decision.question {
        Question::Unbound(Why::UnknownReceiver) => Some(DoubtReason::UnknownReceiver),
        Question::Unbound(Why::NotFound) => Some(DoubtReason::NotFound),
        Question::Unbound(Why::Ambiguous | Why::NoOverload) => Some(DoubtReason::Undecided),
        Question::Name(_, Certainty::OverloadSet) => Some(DoubtReason::Undecided),
        _ => None,
    }
}
