//! Everything that binding decides in one file, in a form that can be compared with the same file after an edit.
//!
//! Symbols of the repository are told apart by where they are declared, not by what they are called: a rename
//! changes no decision. Where a declaration stands after the edit is said by whoever made it ([`Positions`]).
//!
//! Owns: what a decision is, and when two are the same. Must not know: what an edit is for.

mod answers;
mod attributes;

use std::{borrow::Cow, cell::RefCell, sync::Arc};

use cortex_model::{DeclKind, EdgeKind, Hash, RepoPath, TypeKind};
use cortex_syntax::{BodyId, BodyKind, DeclId, FileFacts, Part};
use rustc_hash::FxHashSet;

use self::answers::Answers;
use crate::{
    compilation::Compilation,
    expr::Constant,
    implementations::{Gap, Implements},
    local_names::{LocalRole, LocalSymbol, Recording},
    output::{BoundUnit, CallerText, Certainty, How, Misfit, Target, Why},
    symbol::{MemberFlags, MemberId, MemberOrigin, TypeId, UnitId},
    world::UnitKey,
};

/// Where the positions of one side of an edit are on a side that both have in common.
pub trait Positions {
    /// Those of a file of this side.
    fn of_file(&self, path: &RepoPath) -> FilePositions<'_>;

    /// Which parameter one of this side is on the common side, by position; `None` where only this side has it.
    /// `name`: where the name of its member is declared, in a file of this side.
    fn parameter(&self, _path: &RepoPath, _name: u32, at: u16) -> Option<u16> {
        Some(at)
    }

    /// What kind of member one of this side is on the common side. `name`: where it is declared, in a file of this side.
    fn kind(&self, _path: &RepoPath, _name: u32, kind: DeclKind) -> DeclKind {
        kind
    }

    /// The project on the common side that has the types of a file of this side.
    fn project<'n>(&'n self, _path: &RepoPath, project: &'n RepoPath) -> &'n RepoPath {
        project
    }

    /// What a namespace of this side is called on the common side.
    fn namespace<'n>(&self, name: &'n str) -> Cow<'n, str> {
        Cow::Borrowed(name)
    }

    /// Which type parameter one of a type or method of this side is on the common side, where it stands for one of another
    /// type or method: the place of the other's name there, and the position. `name`: where the name of its own owner is
    /// declared, in a file of this side.
    fn type_parameter(
        &self,
        _path: &RepoPath,
        _name: u32,
        _at: u16,
    ) -> Option<(RepoPath, u32, u16)> {
        None
    }

    /// What an element of a tuple is called on the common side.
    fn element<'n>(&'n self, name: &'n str) -> &'n str {
        name
    }
}

/// Where the common positions of code begin that goes from one file to another: they are the same in all files.
pub const CARRIED: u32 = 1 << 31;

/// The positions of one file.
pub struct FilePositions<'p> {
    /// The file on the common side.
    pub path: RepoPath,
    /// Where an offset is on the common side; `None` where an edit removed or wrote it.
    pub offset: Box<dyn Fn(u32) -> Option<u32> + 'p>,
    /// Tells this side from the other one, for declarations that only one of them has.
    pub side: &'static str,
}

/// The positions of a side that no edit is compared with.
pub struct AsTheyAre;

impl Positions for AsTheyAre {
    fn of_file(&self, path: &RepoPath) -> FilePositions<'_> {
        FilePositions {
            path: path.clone(),
            offset: Box::new(Some),
            side: "new",
        }
    }
}

/// Which question a decision answers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Question {
    /// What the name means.
    Name(EdgeKind, Certainty),
    /// Which member is used here without being named.
    Unnamed(How),
    /// Why the name means nothing.
    Unbound(Why),
    /// Which local variable, parameter, type parameter or alias the name means.
    Local(LocalRole),
    /// Which namespace the name means.
    Namespace,
    /// What type, and what constant value, the expression has.
    Type,
    /// What type the expression is converted to.
    Conversion,
    /// That the language forbids what the name means there: decided only where that is so.
    Misfit(Misfit),
    /// Which member the declared member overrides or implements, in its type or in one that inherits it.
    Implements,
    /// That the type does not implement or override a member that it must, or that its member overrides nothing: decided
    /// only where that is so.
    Gap,
    /// Which member the called method receives the name of (`[CallerMemberName]`).
    CallerName,
    /// Whether a parameter of the record makes a property of its own, or stands for a member that is there.
    Positional,
}

impl Question {
    /// The question in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Name(..) => "what the name means",
            Self::Unnamed(_) => "which member is used",
            Self::Unbound(_) => "whether the name means anything",
            Self::Local(_) => "which variable the name means",
            Self::Namespace => "which namespace the name means",
            Self::Type => "the type of the expression",
            Self::Conversion => "what the expression is converted to",
            Self::Misfit(Misfit::Arguments) => "whether the member takes the arguments",
            Self::Misfit(Misfit::TypeArguments) => {
                "whether the type arguments meet the constraints"
            }
            Self::CallerName => "which member's name the call receives",
            Self::Misfit(Misfit::Event) => "whether the event may be used here",
            Self::Misfit(Misfit::Return) => "whether a value may be returned here",
            Self::Misfit(Misfit::Operator) => "whether the operator takes its operands",
            Self::Misfit(Misfit::Conversion) => "whether the value may stand here",
            Self::Misfit(Misfit::Attribute) => "whether the attribute may stand here",
            Self::Misfit(Misfit::Value) => "whether a value stands here",
            Self::Misfit(Misfit::Nameless) => "whether the expression has a name",
            Self::Misfit(Misfit::Creation) => "whether the type can be created",
            Self::Misfit(Misfit::Required) => "whether the new object has all that it must set",
            Self::Misfit(Misfit::StaticType) => "whether the type has values",
            Self::Misfit(Misfit::Base) => "whether the type may be a base",
            Self::Misfit(Misfit::Constraint) => "whether the type may be a constraint",
            Self::Misfit(Misfit::Unseen) => "whether all who see the declaration see its types",
            Self::Misfit(Misfit::Member) => "which members its type may have",
            Self::Misfit(Misfit::Instance) => "which object is used",
            Self::Misfit(Misfit::BaseConstructor) => {
                "whether the base can be made without arguments"
            }
            Self::Misfit(Misfit::Variance) => "whether the variance allows the type",
            Self::Misfit(Misfit::Elements) => "whether the value has elements",
            Self::Misfit(Misfit::Yield) => "whether the function returns a sequence",
            Self::Misfit(Misfit::Resource) => "whether the statement takes the value",
            Self::Misfit(Misfit::ReadOnly) => "whether it can get another value",
            Self::Misfit(Misfit::Constant) => "whether the value is a constant",
            Self::Misfit(Misfit::Cycle) => "what the declaration depends on",
            Self::Implements => "what the member overrides or implements",
            Self::Gap => "whether the type has all the members that it must have",
            Self::Positional => "which property the parameter of the record is",
        }
    }
}

/// One decision.
#[derive(Clone, Debug)]
pub struct Decision {
    /// Where, on the common side.
    pub offset: u32,
    /// Where, on its own side.
    pub own_offset: u32,
    /// What was asked.
    pub question: Question,
    /// The answer: equal for the same symbols and types.
    pub answer: Hash,
    /// The answer in a few characters, for people.
    pub shown: Arc<str>,
}

impl Decision {
    /// What two sides have in common where nothing changed.
    pub fn key(&self) -> (u32, Question, Hash) {
        (self.offset, self.question, self.answer)
    }
}

/// The decisions of one file inside one project.
#[derive(Clone, Debug, Default)]
pub struct Fingerprint {
    /// By [`Decision::key`], each once.
    pub decisions: Vec<Decision>,
    /// Calls that pass text of the code around them, in the order of the file.
    pub caller_texts: Vec<CallerNames>,
}

/// A call that passes text of the code around it: to `[CallerMemberName]` or `[CallerArgumentExpression]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallerNames {
    /// Where the called member is named, on its own side.
    pub own_offset: u32,
    /// What the text is.
    pub of: CallerTextOf,
    /// Where the names in that text are, on its own side.
    pub names: Vec<u32>,
}

/// Which text a call passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallerTextOf {
    /// The name of the member around the call.
    Member,
    /// An argument.
    Argument,
}

impl<'w> Compilation<'w> {
    /// Takes fingerprints of the files of one side of an edit.
    pub fn fingerprints<'a>(&'a self, positions: &'a dyn Positions) -> Fingerprints<'a, 'w> {
        Fingerprints {
            c: self,
            positions,
            answers: RefCell::default(),
        }
    }
}

/// Takes fingerprints of files; how it writes a symbol is kept from file to file.
pub struct Fingerprints<'a, 'w> {
    c: &'a Compilation<'w>,
    positions: &'a dyn Positions,
    answers: RefCell<Answers>,
}

impl Fingerprints<'_, '_> {
    /// What binding decides in a part of a file. `facts`: the file's, bodies included; decisions at positions that an
    /// edit removed or wrote are left out.
    ///
    /// Binds the whole part; nothing of it is kept. O(expressions), but for what is loaded on the way.
    pub fn of_file(&self, key: &UnitKey, facts: &FileFacts, part: &Part) -> Fingerprint {
        let bound = (self.c).bind_recording(key, facts, (Recording::On, part));
        let unit = self.c.unit_id(key);
        let here = self.positions.of_file(&key.path);
        let mut decisions = Vec::new();
        for (decl, findings) in &bound.decls {
            let mut decide = |own_offset: u32, question, answer: (Hash, Arc<str>)| {
                if let Some(offset) = (here.offset)(own_offset) {
                    decisions.push(Decision {
                        offset,
                        own_offset,
                        question,
                        answer: answer.0,
                        shown: answer.1,
                    });
                }
            };
            for found in &findings.refs {
                // Which one of several methods `nameof` means is nothing that an edit of other methods decides.
                let is_outside = findings.outside_groups.contains(&found.offset);
                let certainty = match is_outside {
                    true => Certainty::Exact,
                    false => found.certainty,
                };
                let question = Question::Name(found.kind, certainty);
                decide(found.offset, question, self.target(found.target));
            }
            for used in &findings.uses {
                let answer = self.target(Target::Member(used.target));
                decide(used.offset, Question::Unnamed(used.how), answer);
            }
            for unbound in &findings.unbound {
                let answer = (Hash::ZERO, Arc::from("nothing"));
                decide(unbound.offset, Question::Unbound(unbound.why), answer);
            }
            for &(offset, misfit) in &findings.misfits {
                let answer = (Hash::ZERO, Arc::from(shown(misfit)));
                decide(offset, Question::Misfit(misfit), answer);
            }
            for text in findings
                .caller_texts
                .iter()
                .filter(|it| it.argument.is_none())
            {
                let answer = self.caller((unit, facts), *decl);
                decide(text.offset, Question::CallerName, answer);
            }
            for local in &findings.locals {
                let answer = self.local(unit, local.symbol);
                let question = match local.symbol {
                    LocalSymbol::Namespace(_) => Question::Namespace,
                    _ => Question::Local(local.role),
                };
                decide(local.offset, question, answer);
            }
            let targeted: FxHashSet<BodyId> = (findings.typed.iter())
                .filter(|typed| {
                    typed.is_converted && facts.bodies.kind(typed.node) == BodyKind::Tuple
                })
                .map(|typed| typed.node)
                .collect();
            for typed in &findings.typed {
                // Names in a tuple that is converted are those of what it becomes (C# specification, 10.2.13).
                if !typed.is_converted && targeted.contains(&typed.node) {
                    continue;
                }
                let question = match typed.is_converted {
                    true => Question::Conversion,
                    false => Question::Type,
                };
                let (mut answer, mut shown) = self.ty(typed.ty);
                if let Some(constant) = typed.constant {
                    let with = format!("{answer:?} = {constant:?}");
                    answer = Hash::of(with.as_bytes());
                    // Larger values of literals are not kept.
                    if let Constant::Int(value) = constant
                        && i32::try_from(value).is_ok()
                    {
                        shown = format!("{shown} = {value}").into();
                    }
                }
                decide(typed.offset, question, (answer, shown));
            }
        }
        // What a part of a file was chosen for is names that code writes: those of members of others are none.
        if *part == Part::Whole {
            self.add_implementations((unit, facts), &here, &mut decisions);
            self.add_attributes((facts, &bound), &here, &mut decisions);
        }
        decisions.sort_unstable_by_key(Decision::key);
        decisions.dedup_by_key(|decision| decision.key());
        let texts = bound.decls.iter().flat_map(|(decl, findings)| {
            let texts = findings.caller_texts.iter();
            texts.map(|text| caller_names(facts, *decl, text))
        });
        let mut caller_texts: Vec<CallerNames> = texts.collect();
        caller_texts.sort_by_key(|it| it.own_offset);
        Fingerprint {
            decisions,
            caller_texts,
        }
    }
}

impl Fingerprints<'_, '_> {
    /// Adds the attributes that may not stand where they do.
    fn add_attributes(
        &self,
        (facts, bound): (&FileFacts, &BoundUnit),
        here: &FilePositions<'_>,
        decisions: &mut Vec<Decision>,
    ) {
        for own_offset in attributes::misplaced(self.c, facts, bound) {
            if let Some(offset) = (here.offset)(own_offset) {
                decisions.push(Decision {
                    offset,
                    own_offset,
                    question: Question::Misfit(Misfit::Attribute),
                    answer: Hash::ZERO,
                    shown: shown(Misfit::Attribute).into(),
                });
            }
        }
    }

    /// Adds what the parameters of a record make (C# specification, §15.16.2).
    fn add_positional(
        &self,
        (decl, facts): (DeclId, &FileFacts),
        ty: TypeId,
        here: &FilePositions<'_>,
        decisions: &mut Vec<Decision>,
    ) {
        let declared = &facts.decls[decl as usize];
        let is_record = matches!(declared.kind, DeclKind::Record | DeclKind::RecordStruct);
        let own_offset = declared.name_range.start;
        let (true, Some(params), Some(offset)) =
            (is_record, &declared.params, (here.offset)(own_offset))
        else {
            return;
        };
        for (at, param) in params.iter().enumerate() {
            let name = self.c.name(facts.name(param.name));
            let mut named = self.c.members(ty).named(name).iter();
            let makes_own = named.any(|&it| self.c.member(it).is(MemberFlags::POSITIONAL));
            let constructor = self.c.primary_constructor(ty);
            let rival = constructor.and_then(|it| self.c.rival_of_positional(it, at as u16));
            let is_allowed = rival.is_none();
            let shown = match (rival, makes_own) {
                (Some(rival), _) => format!("may not have the name of {rival}"),
                (None, true) => "makes a property".to_owned(),
                (None, false) => "stands for a member that is there".to_owned(),
            };
            decisions.push(Decision {
                offset,
                own_offset,
                question: Question::Positional,
                answer: Hash::of(format!("{at} {makes_own} {is_allowed}").as_bytes()),
                shown: format!("`{}` {shown}", self.c.text(name)).into(),
            });
        }
    }

    /// What a type does not do about a member of its bases, in words. `shown`: the member.
    fn shown_gap(&self, ty: TypeId, gap: Gap, shown: &str) -> String {
        match gap {
            Gap::Missing(of) => {
                let ty = self.c.display_type(self.c.instance_type(ty));
                let is_of_interface =
                    self.c.def(self.c.member(of).owner).kind == TypeKind::Interface;
                let verb = if is_of_interface {
                    "implement"
                } else {
                    "override"
                };
                format!("{ty} does not {verb} {shown}")
            }
            Gap::Nothing(_) => format!("{shown} overrides or implements nothing"),
            Gap::Unlike(member) => {
                let is_explicit = self.c.member(member).is(MemberFlags::EXPLICIT);
                let verb = if is_explicit {
                    "implements"
                } else {
                    "overrides"
                };
                format!("{shown} is not as what it {verb}")
            }
        }
    }

    /// Adds what the members of each type in a file override and implement, where both are on both sides: at the name of
    /// the member if the file declares it, else at that of the type.
    fn add_implementations(
        &self,
        (unit, facts): (UnitId, &FileFacts),
        here: &FilePositions<'_>,
        decisions: &mut Vec<Decision>,
    ) {
        let name_of = |decl: DeclId| facts.decls[decl as usize].name_range.start;
        for decl in 0..facts.decls.len() as DeclId {
            let Some(ty) = self.c.type_of_decl(unit, decl) else {
                continue;
            };
            self.add_positional((decl, facts), ty, here, decisions);
            let standing = self.c.standing(ty);
            for gap in standing.gaps {
                let (own_offset, member) = match gap {
                    Gap::Missing(of) => (name_of(decl), of),
                    Gap::Nothing(member) | Gap::Unlike(member) => {
                        match self.c.member(member).origin {
                            MemberOrigin::Source(there, decl) if there == unit => {
                                (name_of(decl), member)
                            }
                            // The file that declares it tells.
                            _ => continue,
                        }
                    }
                };
                let Some(offset) = (here.offset)(own_offset) else {
                    continue;
                };
                let of = self.target(Target::Member(member));
                let mut answer = format!("{:?} ", of.0);
                if matches!(gap, Gap::Unlike(_)) {
                    answer.push_str("unlike ");
                }
                self.write_definition(&mut answer, ty);
                let shown = self.shown_gap(ty, gap, &of.1);
                decisions.push(Decision {
                    offset,
                    own_offset,
                    question: Question::Gap,
                    answer: Hash::of(answer.as_bytes()),
                    shown: shown.into(),
                });
            }
            // Where a type is new, so is what its members stand for: no code meant anything else by it.
            let is_new = (here.offset)(name_of(decl)).is_none();
            for found in standing.implementations {
                if is_new && found.how == Implements::Interface {
                    continue;
                }
                let is_old = self.is_on_both_sides(found.member);
                // An inherited member that is new runs in place of the interface's own code.
                let takes_over = || {
                    found.how == Implements::Interface
                        && self.c.member(found.member).owner != ty
                        && !self.c.member(found.of).is(MemberFlags::ABSTRACT)
                };
                if !self.is_on_both_sides(found.of) || !is_old && !takes_over() {
                    continue;
                }
                let own_offset = match self.c.member(found.member).origin {
                    MemberOrigin::Source(there, member) if there == unit && is_old => {
                        name_of(member)
                    }
                    _ => name_of(decl),
                };
                let Some(offset) = (here.offset)(own_offset) else {
                    continue;
                };
                let [member, of] =
                    [found.member, found.of].map(|it| self.target(Target::Member(it)));
                let verb = match found.how {
                    Implements::Override => "overrides",
                    Implements::Interface => "implements",
                };
                let mut answer = format!("{:?} {verb} {:?}", member.0, of.0);
                // A member overrides in the type that declares it, wherever it goes.
                if found.how == Implements::Interface {
                    answer.push_str(" in ");
                    self.write_definition(&mut answer, ty);
                }
                decisions.push(Decision {
                    offset,
                    own_offset,
                    question: Question::Implements,
                    answer: Hash::of(answer.as_bytes()),
                    shown: format!("{} {verb} {}", member.1, of.1).into(),
                });
            }
        }
    }

    /// Whether a member was neither written nor removed by the edit.
    fn is_on_both_sides(&self, id: MemberId) -> bool {
        let MemberOrigin::Source(unit, decl) = self.c.member(id).origin else {
            return true;
        };
        let unit = self.c.unit(unit);
        let name = unit.facts(self.c).decls[decl as usize].name_range.start;
        (self.positions.of_file(&unit.key.path).offset)(name).is_some()
    }
}

/// What is forbidden, for people.
fn shown(misfit: Misfit) -> &'static str {
    match misfit {
        Misfit::Arguments => "no member that takes these arguments",
        Misfit::TypeArguments => "type arguments that do not meet the constraints",
        Misfit::Event => "an event that only its type may use so",
        Misfit::Return => "a value that is returned where none is wanted",
        Misfit::Operator => "no operator that takes these operands",
        Misfit::Conversion => "a value that does not convert to the type that is wanted",
        Misfit::Attribute => "an attribute that may not stand there",
        Misfit::Value => "a type or namespace where a value is wanted",
        Misfit::Nameless => "no name that `nameof` takes",
        Misfit::Creation => "a type that cannot be created",
        Misfit::Required => "an object without a member that it must set",
        Misfit::StaticType => "a static class where a type of values is wanted",
        Misfit::Base => "a type that cannot be a base here",
        Misfit::Constraint => "a type that cannot be a constraint here",
        Misfit::Unseen => "a type that less code sees than the declaration",
        Misfit::Member => "a member that its type cannot have",
        Misfit::Instance => "a member of objects where there is no object",
        Misfit::BaseConstructor => "a base that has no constructor without arguments",
        Misfit::Variance => "a type parameter whose variance forbids it there",
        Misfit::Elements => "a value that `foreach` cannot go over",
        Misfit::Yield => "a function that returns no sequence",
        Misfit::Resource => "a value that `lock` or `using` cannot take",
        Misfit::ReadOnly => "a value for what cannot get another one",
        Misfit::Constant => "a value that is no constant",
        Misfit::Cycle => "a declaration that depends on itself",
    }
}

/// The names in the text that a call in a declaration passes.
fn caller_names(facts: &FileFacts, decl: Option<DeclId>, text: &CallerText) -> CallerNames {
    let own_offset = text.offset;
    match text.argument {
        None => CallerNames {
            own_offset,
            of: CallerTextOf::Member,
            names: (decl.into_iter())
                .map(|decl| &facts.decls[decl as usize])
                .filter(|decl| !is_named_by_runtime(decl.kind))
                .map(|decl| decl.name_range.start)
                .collect(),
        },
        Some(argument) => {
            let after = facts.bodies.node(argument).after;
            let nodes = &facts.bodies.nodes()[argument as usize..after as usize];
            let names = nodes.iter().filter(|node| node.name().is_some());
            CallerNames {
                own_offset,
                of: CallerTextOf::Argument,
                names: names.map(|node| node.offset).collect(),
            }
        }
    }
}

/// Whether a member has another name when it runs than the one that it is declared with: `.ctor`, `.cctor`, `Finalize`.
fn is_named_by_runtime(kind: DeclKind) -> bool {
    matches!(
        kind,
        DeclKind::Constructor | DeclKind::StaticConstructor | DeclKind::Finalizer
    )
}
