//! The ways through statements.

use cortex_syntax::{BodyId, BodyKind};

use super::{Branches, Ends, Point, Target, Touch, Walk};

impl Walk<'_, '_> {
    pub(super) fn statement(&mut self, id: BodyId, from: Ends) -> Ends {
        let from = self.begin(id, from);
        let ends = self.inside_statement(id, from);
        self.end(id, ends)
    }

    fn inside_statement(&mut self, id: BodyId, from: Ends) -> Ends {
        let tree = self.tree;
        let children = tree.children(id);
        match (tree.kind(id), children.as_slice()) {
            (BodyKind::LocalFunction, _) => from,
            (BodyKind::LocalDeclaration, [_, declarators @ ..]) => declarators
                .iter()
                .fold(from, |ends, &it| self.declarator(it, ends)),
            (BodyKind::Return, _) => {
                let ends = self.list(id, from);
                self.jump(Target::End, ends)
            }
            (BodyKind::Throw, _) => {
                self.list(id, from);
                Ends::default()
            }
            (BodyKind::If, [condition, then, otherwise @ ..]) => {
                let Branches { holds, fails } = self.condition(*condition, from);
                let ends = self.statement(*then, holds);
                let other = otherwise
                    .iter()
                    .fold(fails, |it, &id| self.statement(id, it));
                ends.and(other)
            }
            (BodyKind::While, &[condition, body]) => {
                let head = self.step(Point::Meets, &from);
                let Branches { holds, fails } = self.condition(condition, head.clone());
                let round = self.round(id, body, holds);
                self.link(&round, &head);
                fails.and(self.arrived(&Target::Break(id)))
            }
            (BodyKind::Do, &[body, condition]) => {
                let head = self.step(Point::Meets, &from);
                let round = self.round(id, body, head.clone());
                let Branches { holds, fails } = self.condition(condition, round);
                self.link(&holds, &head);
                fails.and(self.arrived(&Target::Break(id)))
            }
            (BodyKind::For, &[init, condition, step, body]) => {
                let start = self.list(init, from);
                let head = self.step(Point::Meets, &start);
                let Branches { holds, fails } = match tree.children(condition).first() {
                    Some(&it) => self.condition(it, head.clone()),
                    None => Branches {
                        holds: head.clone(),
                        fails: Ends::default(),
                    },
                };
                let round = self.round(id, body, holds);
                let round = self.list(step, round);
                self.link(&round, &head);
                fails.and(self.arrived(&Target::Break(id)))
            }
            (BodyKind::ForEach, &[_, variable, all, body]) => {
                let from = self.expression(all, from);
                self.each(id, body, from, |it, ends| it.declarator(variable, ends))
            }
            (BodyKind::ForEachDeconstruct, &[target, all, body]) => {
                let from = self.expression(all, from);
                self.each(id, body, from, |it, ends| {
                    let ends = it.before_set(target, ends);
                    it.set(target, ends)
                })
            }
            (BodyKind::Try, _) => self.try_statement(id, from),
            (BodyKind::Switch, [value, sections @ ..]) => {
                let from = self.expression(*value, from);
                self.switch(id, sections, from)
            }
            (BodyKind::GotoCase, _) => {
                let ends = self.list(id, from);
                self.jump_to_section(ends)
            }
            (BodyKind::Wrapped, _) => {
                let mut words = tree.text_of(id).splitn(2, ':');
                let label = words.next().unwrap_or_default().trim();
                let from = self.step(Point::Meets, &from);
                self.labels.insert(label.to_owned(), from.clone());
                self.list(id, from)
            }
            (BodyKind::Empty, _) => self.empty(id, from),
            _ => self.list(id, from),
        }
    }

    /// A variable that a statement declares: by a value, or as what a loop, `using` or `catch` gives it.
    pub(super) fn declarator(&mut self, id: BodyId, from: Ends) -> Ends {
        let tree = self.tree;
        let ends = self.list(id, from);
        let is_local =
            (tree.parent(id)).is_some_and(|it| tree.kind(it) == BodyKind::LocalDeclaration);
        let offset = tree.node(id).offset;
        let touch = match is_local && tree.children(id).is_empty() {
            true => Touch::Begins(offset),
            false => Touch::Sets(offset),
        };
        self.touch(touch, &ends)
    }

    /// What comes of the body of a loop until the next round.
    fn round(&mut self, id: BodyId, body: BodyId, from: Ends) -> Ends {
        self.targets.push(id);
        let ends = self.statement(body, from);
        self.targets.pop();
        ends.and(self.arrived(&Target::Continue(id)))
    }

    fn each(
        &mut self,
        id: BodyId,
        body: BodyId,
        from: Ends,
        declare: impl FnOnce(&mut Self, Ends) -> Ends,
    ) -> Ends {
        let head = self.step(Point::Meets, &from);
        let start = declare(self, head.clone());
        let round = self.round(id, body, start);
        self.link(&round, &head);
        head.and(self.arrived(&Target::Break(id)))
    }

    /// A statement that names nothing: a jump, or none.
    fn empty(&mut self, id: BodyId, from: Ends) -> Ends {
        let tree = self.tree;
        let words: Vec<&str> = tree
            .text_of(id)
            .split([' ', '\t', '\r', '\n', ';'])
            .collect();
        let mut around = self.targets.iter().rev().copied();
        match words.iter().find(|it| !it.is_empty()) {
            Some(&"break") => match around.next() {
                Some(target) => self.jump(Target::Break(target), from),
                None => Ends::default(),
            },
            Some(&"continue") => match around.find(|&it| tree.kind(it) != BodyKind::Switch) {
                Some(target) => self.jump(Target::Continue(target), from),
                None => Ends::default(),
            },
            Some(&"yield") => self.jump(Target::End, from),
            Some(&"goto") => match words.iter().filter(|it| !it.is_empty()).nth(1) {
                Some(&"default") => self.jump_to_section(from),
                label => {
                    let label = label.copied().unwrap_or_default().to_owned();
                    self.jump(Target::Label(label), from)
                }
            },
            _ => from,
        }
    }

    /// Control goes to a target that is not known yet; nothing follows here.
    fn jump(&mut self, target: Target, from: Ends) -> Ends {
        self.jumps.push((target, from));
        Ends::default()
    }

    /// Any section of the `switch` around may be meant.
    fn jump_to_section(&mut self, from: Ends) -> Ends {
        let is_switch = |it: &&BodyId| self.tree.kind(**it) == BodyKind::Switch;
        match self.targets.iter().rev().find(is_switch) {
            Some(&switch) => self.jump(Target::Section(switch), from),
            None => Ends::default(),
        }
    }

    /// The jumps that lead here.
    fn arrived(&mut self, target: &Target) -> Ends {
        let (here, others): (Vec<_>, Vec<_>) = std::mem::take(&mut self.jumps)
            .into_iter()
            .partition(|(it, _)| it == target);
        self.jumps = others;
        here.into_iter()
            .fold(Ends::default(), |ends, (_, it)| ends.and(it))
    }

    fn try_statement(&mut self, id: BodyId, from: Ends) -> Ends {
        let tree = self.tree;
        let (n_steps, n_jumps) = (self.steps.len(), self.jumps.len());
        // An exception comes before or behind anything in the block.
        let thrown = |it: &Self| from.clone().and(Ends((n_steps..it.steps.len()).collect()));
        let mut ends = Ends::default();
        let mut finally = None;
        for part in tree.children(id) {
            match tree.kind(part) {
                BodyKind::Catch => {}
                BodyKind::Finally => finally = Some(part),
                _ => ends = self.statement(part, from.clone()),
            }
        }
        let caught = thrown(self);
        for part in tree.children(id) {
            if tree.kind(part) == BodyKind::Catch {
                ends = ends.and(self.catch(part, caught.clone()));
            }
        }
        let Some(finally) = finally else {
            return ends;
        };
        let thrown = thrown(self);
        self.list(finally, thrown);
        for (target, jumped) in self.jumps.split_off(n_jumps) {
            let behind = self.list(finally, jumped);
            self.jumps.push((target, behind));
        }
        match ends.0.is_empty() {
            true => ends,
            false => self.list(finally, ends),
        }
    }

    fn catch(&mut self, id: BodyId, from: Ends) -> Ends {
        let tree = self.tree;
        (tree.children(id).into_iter()).fold(from, |ends, part| match tree.kind(part) {
            BodyKind::Declarator => self.declarator(part, ends),
            BodyKind::When => self.when(part, ends).holds,
            BodyKind::Block => self.statement(part, ends),
            _ => ends,
        })
    }

    fn switch(&mut self, id: BodyId, sections: &[BodyId], from: Ends) -> Ends {
        let tree = self.tree;
        self.targets.push(id);
        let mut open = from;
        let mut starts = Vec::new();
        for &section in sections {
            let mut start = Ends::default();
            for label in tree.children(section) {
                if tree.kind(label) == BodyKind::CaseLabel {
                    let Branches { holds, fails } = self.test(label, open);
                    start = start.and(holds);
                    open = fails;
                }
            }
            starts.push(self.step(Point::Meets, &start));
        }
        // Whatever fits no label goes to `default`, wherever that stands.
        if let Some(at) = sections.iter().position(|&it| self.tree.is_default(it)) {
            self.link(&std::mem::take(&mut open), &starts[at]);
        }
        let mut ends = open;
        for (&section, start) in sections.iter().zip(&starts) {
            let statements = tree.children(section).into_iter();
            let statements = statements.filter(|&it| tree.kind(it) != BodyKind::CaseLabel);
            ends = ends.and(statements.fold(start.clone(), |ends, it| self.statement(it, ends)));
        }
        self.targets.pop();
        let jumped = self.arrived(&Target::Section(id));
        for start in &starts {
            self.link(&jumped, start);
        }
        ends.and(self.arrived(&Target::Break(id)))
    }
}
