//! The ways that control takes through a function: in which order its code may touch variables.
//!
//! Conditions are followed as the language does (`&&`, `||`, `?:`, constants that are known), jumps to where they lead,
//! `finally` once for every way into it, and exceptions from everything in a `try`. Lambdas and local functions run at
//! times that nothing here knows, and are left out. Must not know: what names mean.

mod constants;
mod expressions;
mod statements;

use std::collections::BTreeMap;

use cortex_syntax::{BodyId, BodyKind};

use self::constants::Constants;
use crate::body_tree::BodyTree;

/// The conditions that are constants by what their names mean, with their values.
pub(crate) type Conditions = BTreeMap<BodyId, bool>;

/// What happens to the variable whose name is at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Touch {
    /// Its value is used, or a part of it gets another value: the one before decides.
    Uses(u32),
    /// It gets a value, whatever it had.
    Sets(u32),
    /// It begins without a value.
    Begins(u32),
}

/// A point that control reaches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Point {
    Touches(Touch),
    /// The code begins.
    Enters,
    /// The code is done.
    Leaves,
    /// The function is done.
    Returns,
    /// Where ways meet.
    Meets,
    /// A way that no value takes and that the language takes for possible: all variables have values there.
    Assumed,
}

/// A point with those that may come next.
struct Step {
    point: Point,
    is_inside: bool,
    next: Vec<usize>,
}

/// All ways through a function; those of code in it are marked.
pub(crate) struct Ways {
    steps: Vec<Step>,
}

/// What a variable carries into the code and out of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Carried {
    /// It has a value when the code begins, on all ways.
    pub(crate) has_value: bool,
    /// The code uses the value that it has then.
    pub(crate) is_needed: bool,
    /// The code gives it a value on all ways to its end.
    pub(crate) is_set: bool,
    /// What it has at the end of the code is used afterwards, be it in the next round of a loop.
    pub(crate) is_used_after: bool,
    /// What it has in the middle of the code is used after an exception or `return` in it.
    pub(crate) is_used_midway: bool,
}

impl Carried {
    /// A variable that nothing writes.
    pub(crate) const READ: Self = Self {
        has_value: true,
        is_needed: true,
        is_set: false,
        is_used_after: false,
        is_used_midway: false,
    };
}

impl Ways {
    /// The ways through the function around code, from its first to its last statement or expression; none where the
    /// code runs at a time of its own, as in a query.
    pub(crate) fn around(
        tree: &BodyTree<'_>,
        conditions: &Conditions,
        (first, last): (BodyId, BodyId),
    ) -> Option<Self> {
        let mut walk = Walk {
            tree,
            conditions,
            constants: Constants::default(),
            first,
            last,
            steps: Vec::new(),
            is_inside: false,
            jumps: Vec::new(),
            targets: Vec::new(),
            labels: BTreeMap::new(),
        };
        let start = walk.step(Point::Meets, &Ends::default());
        walk.function(start);
        let ways = Self { steps: walk.steps };
        let is_found = (ways.steps.iter()).any(|it| it.point == Point::Enters);
        is_found.then_some(ways)
    }

    /// Whether control reaches the end of the code.
    pub(crate) fn reach_end(&self) -> bool {
        let is_out = |at: usize| self.is_out(at);
        let reached = self.reached(&self.indices(|it| it.point == Point::Enters), is_out);
        let leaves = self.indices(|it| it.point == Point::Leaves);
        leaves.into_iter().any(|at| reached[at])
    }

    /// The first place at which a variable that begins without a value may be used without one.
    pub(crate) fn use_without_value(&self, is_name: impl Fn(u32) -> bool) -> Option<u32> {
        let begins = self.indices(|it| match it.point {
            Point::Touches(Touch::Begins(at)) => is_name(at),
            _ => false,
        });
        self.unset_from(&begins, is_name).1
    }

    /// Whether control may use a variable that has no value at first, or end the function without having given it one.
    pub(crate) fn needs_value(&self, is_name: impl Fn(u32) -> bool) -> bool {
        let (unset, used) = self.unset_from(&[0], is_name);
        let mut ends = self.indices(|it| it.point == Point::Returns).into_iter();
        used.is_some() || ends.any(|at| unset[at])
    }

    /// The steps that control reaches before the variable gets a value, and the first of its uses among them.
    fn unset_from(
        &self,
        from: &[usize],
        is_name: impl Fn(u32) -> bool,
    ) -> (Vec<bool>, Option<u32>) {
        let sets = |at: usize| match self.steps[at].point {
            Point::Touches(Touch::Sets(name)) => is_name(name),
            point => point == Point::Assumed,
        };
        let unset = self.reached(from, sets);
        let used =
            (self.steps.iter().zip(&unset)).filter_map(|(step, &is_unset)| match step.point {
                Point::Touches(Touch::Uses(at)) if is_unset && is_name(at) => Some(at),
                _ => None,
            });
        let used = used.min();
        (unset, used)
    }

    /// Whether a step is not of the code, or the last one of it.
    fn is_out(&self, at: usize) -> bool {
        !self.steps[at].is_inside || self.steps[at].point == Point::Leaves
    }

    /// What the variable carries that the names at these places mean.
    pub(crate) fn carried(&self, is_name: impl Fn(u32) -> bool) -> Carried {
        let touches: Vec<Option<Touch>> = (self.steps.iter())
            .map(|step| match step.point {
                Point::Touches(touch) => {
                    let (Touch::Uses(at) | Touch::Sets(at) | Touch::Begins(at)) = touch;
                    is_name(at).then_some(touch)
                }
                _ => None,
            })
            .collect();
        let sets = |at: usize| {
            matches!(touches[at], Some(Touch::Sets(_))) || self.steps[at].point == Point::Assumed
        };
        let at_point = |point: Point| self.indices(move |it| it.point == point);
        // A variable that the function does not declare has a value from its start.
        let begins = self.indices(|it| matches!(it.point, Point::Touches(Touch::Begins(_))));
        let begins: Vec<usize> = begins
            .into_iter()
            .filter(|&it| touches[it].is_some())
            .collect();
        let without_value = self.reached(&begins, sets);
        let (enters, leaves) = (at_point(Point::Enters), at_point(Point::Leaves));
        let reached = self.reached(&enters, |at| self.is_out(at));
        let unset = self.reached(&enters, |at| sets(at) || self.is_out(at));
        let live = self.live(&touches);
        let is_live_after = |at: usize| self.steps[at].next.iter().any(|&next| live[next]);
        let uses = |at: usize| matches!(touches[at], Some(Touch::Uses(_)));
        let mut midway = self
            .indices(|it| it.is_inside && it.point != Point::Leaves)
            .into_iter();
        Carried {
            has_value: !enters.iter().any(|&it| without_value[it]),
            is_needed: self
                .indices(|it| it.is_inside)
                .into_iter()
                .any(|at| unset[at] && uses(at)),
            is_set: !leaves.iter().any(|&it| unset[it]),
            is_used_after: leaves
                .into_iter()
                .any(|at| reached[at] && is_live_after(at)),
            is_used_midway: midway.any(|at| {
                let mut next = self.steps[at].next.iter();
                next.any(|&next| !self.steps[next].is_inside && live[next])
            }),
        }
    }

    fn indices(&self, fits: impl Fn(&Step) -> bool) -> Vec<usize> {
        let found = self.steps.iter().enumerate().filter(|(_, it)| fits(it));
        found.map(|(at, _)| at).collect()
    }

    /// The steps that control reaches from others without passing one that ends the search, those themselves included.
    fn reached(&self, from: &[usize], ends: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut reached = vec![false; self.steps.len()];
        let mut open = from.to_vec();
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut reached[at], true) || ends(at) {
                continue;
            }
            open.extend(&self.steps[at].next);
        }
        reached
    }

    /// For each step, whether the value that the variable has before it is used at it or later.
    fn live(&self, touches: &[Option<Touch>]) -> Vec<bool> {
        let mut live = vec![false; self.steps.len()];
        let mut is_changed = true;
        while std::mem::take(&mut is_changed) {
            for at in (0..self.steps.len()).rev() {
                let is_live = match touches[at] {
                    Some(Touch::Uses(_)) => true,
                    Some(Touch::Sets(_) | Touch::Begins(_)) => false,
                    None if self.steps[at].point == Point::Assumed => false,
                    None => self.steps[at].next.iter().any(|&next| live[next]),
                };
                is_changed |= is_live && !std::mem::replace(&mut live[at], is_live);
            }
        }
        live
    }
}

/// Points from which ways go on.
#[derive(Clone, Default, Debug)]
struct Ends(Vec<usize>);

impl Ends {
    fn and(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self.0.sort_unstable();
        self.0.dedup();
        self
    }
}

/// The ways on which a condition holds, and those on which it does not.
#[derive(Default)]
struct Branches {
    holds: Ends,
    fails: Ends,
}

impl Branches {
    fn both(ends: Ends) -> Self {
        Self {
            holds: ends.clone(),
            fails: ends,
        }
    }

    fn swapped(self) -> Self {
        Self {
            holds: self.fails,
            fails: self.holds,
        }
    }

    fn joined(self) -> Ends {
        self.holds.and(self.fails)
    }
}

/// Where a jump leads.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Target {
    /// Behind a loop or `switch`.
    Break(BodyId),
    /// To the next round of a loop.
    Continue(BodyId),
    /// To a section of a `switch`.
    Section(BodyId),
    /// To a label.
    Label(String),
    /// Out of the function.
    End,
}

/// Follows the ways while they are found.
struct Walk<'t, 'f> {
    tree: &'t BodyTree<'f>,
    conditions: &'t Conditions,
    constants: Constants,
    first: BodyId,
    last: BodyId,
    steps: Vec<Step>,
    is_inside: bool,
    /// Jumps that have not come to their target.
    jumps: Vec<(Target, Ends)>,
    /// The loops and `switch` statements around, which `break` or `continue` mean.
    targets: Vec<BodyId>,
    labels: BTreeMap<String, Ends>,
}

impl Walk<'_, '_> {
    fn step(&mut self, point: Point, from: &Ends) -> Ends {
        let at = self.steps.len();
        self.steps.push(Step {
            point,
            is_inside: self.is_inside,
            next: Vec::new(),
        });
        let to = Ends(vec![at]);
        self.link(from, &to);
        to
    }

    fn link(&mut self, from: &Ends, to: &Ends) {
        for &at in &from.0 {
            self.steps[at].next.extend(&to.0);
        }
    }

    fn touch(&mut self, touch: Touch, from: &Ends) -> Ends {
        self.step(Point::Touches(touch), from)
    }

    /// The body of the innermost function around the code, with what runs before the body of a constructor.
    fn function(&mut self, start: Ends) {
        let tree = self.tree;
        let is_function = |id: BodyId| is_deferred(tree.kind(id)) || tree.parent(id).is_none();
        let function = tree.ancestors(self.first).find(|&it| is_function(it));
        let Some(function) = function.filter(|&it| tree.kind(it) != BodyKind::Query) else {
            return;
        };
        let parts = tree.children(function).into_iter();
        let Some(part) = parts
            .rev()
            .find(|&it| tree.within(it).contains(&self.first))
        else {
            return;
        };
        self.constants = Constants::within(tree, self.conditions, function);
        let mut ends = start;
        // Variables of patterns and arguments have none before what declares them.
        for id in tree
            .within(function)
            .filter(|&it| tree.kind(it) == BodyKind::SingleDesignation)
        {
            ends = self.touch(Touch::Begins(tree.node(id).offset), &ends);
        }
        if tree.kind(function) == BodyKind::Decl {
            let before = tree.children(function).into_iter();
            for arguments in before.filter(|&it| tree.kind(it) == BodyKind::BaseArguments) {
                ends = self.expression(arguments, ends);
            }
        }
        let ends = self.any(part, ends);
        self.step(Point::Returns, &ends);
        let jumps = std::mem::take(&mut self.jumps);
        for (target, from) in jumps {
            match target {
                Target::Label(label) => {
                    if let Some(to) = self.labels.get(&label).cloned() {
                        self.link(&from, &to);
                    }
                }
                Target::End => {
                    self.step(Point::Returns, &from);
                }
                _ => {}
            }
        }
    }

    /// What runs where a node begins, marked if it is the first of the code.
    fn begin(&mut self, id: BodyId, from: Ends) -> Ends {
        if id != self.first {
            return from;
        }
        self.is_inside = true;
        self.step(Point::Enters, &from)
    }

    /// The same at its end.
    fn end(&mut self, id: BodyId, from: Ends) -> Ends {
        if id != self.last {
            return from;
        }
        let ends = self.step(Point::Leaves, &from);
        self.is_inside = false;
        ends
    }

    /// A node of any kind.
    fn any(&mut self, id: BodyId, from: Ends) -> Ends {
        match self.tree.kind(id) {
            BodyKind::Body | BodyKind::Accessor => self.list(id, from),
            kind if crate::body_tree::is_statement(kind) => self.statement(id, from),
            _ => self.expression(id, from),
        }
    }

    /// Nodes one after another.
    fn list(&mut self, id: BodyId, from: Ends) -> Ends {
        let children = self.tree.children(id);
        (children.into_iter()).fold(from, |ends, it| self.any(it, ends))
    }
}

/// Whether a node runs later than where it stands, if at all.
pub(crate) fn is_deferred(kind: BodyKind) -> bool {
    matches!(
        kind,
        BodyKind::Lambda | BodyKind::AnonymousMethod | BodyKind::LocalFunction | BodyKind::Query
    )
}
