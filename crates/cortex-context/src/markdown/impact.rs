//! Who uses what changed.

mod around;
mod beside;
mod counterparts;
mod elsewhere;
mod next;
mod registrations;
mod rows;
mod unnamed;
mod weight;
mod words;
mod worth;
mod written;

use std::collections::BTreeSet;

use cortex_model::ChangeClass;
use cortex_wire::{
    Certainty, DiffContext, FileStatus, ImpactedType, LineUse, LostPlace, MemberChangeKind,
    RestOfFile, SymbolImpact, UseSide, ViaRelation,
};

use super::{
    names::Names,
    plan::{Alone, Item, Role, Section, Stage, Tail, Text, Total, counted},
    twins::unique,
};
use crate::text::line;
use around::{Around, rings_of};
use registrations::registration_line;
pub(in crate::markdown) use rows::listed;
use rows::{Row, SureUse, is_branch, merged};
use unnamed::unnamed;
use weight::{Weights, contracts_first};
use words::{in_words, siblings, symbol_line, symbol_name};
pub(in crate::markdown) use words::{is_operator, through, without_parameters};
use worth::{Changed, Worth};

/// How many names share a line.
const NAMES_PER_LINE: usize = 8;

/// How many symbols that are not shown share a line: few, so that some lines always fit.
const COUNTS_PER_LINE: usize = 3;

/// Of more symbols whose users run something else, lines are told without their text, so that more of them fit.
const MAX_IN_FULL: usize = 8;

/// The same where more lines of such users are there than one of so many that could be shown in all, or than a few.
const ITEMS_PER_FULL_LINE: usize = 48;
const MIN_LINES_IN_FULL: usize = 4;

/// So many symbols come before what stands beside the change.
const N_BEFORE_BESIDE: usize = 4;

/// So many symbols that only changed code uses have rows of their own.
const MAX_ADAPTED: usize = 3;

/// So many of more share a row.
const ADAPTED_PER_LINE: usize = 12;

/// The stage of the rows without which a symbol has none.
const MORE_HEADS: usize = 3;

const SYMBOLS: u8 = 0;
const LINES: u8 = 1;
const REGISTRATIONS: u8 = 2;
const NEXT: u8 = 3;
const TYPES: u8 = 4;
const LOST: u8 = 5;

/// The section: changed symbols with the lines that use them, then the types around by name.
pub(crate) fn section<'a>(answer: &DiffContext, names: &Names, n_max: usize) -> Section<'a> {
    let mut lines = Lines {
        n_max,
        ..Lines::default()
    };
    // From what is certain and near to what is neither.
    lines.lost_names(answer);
    lines.symbols(answer, names);
    lines.beside(answer, names);
    lines.unnamed(answer, names);
    let n_registrations = lines.registrations(answer, names);
    lines.users_of_users(answer);
    let Around { near, n_far } = Around::of(answer);
    lines.rings(&near, names);
    lines.far(n_far);
    let n_lost = (answer.impact.lost_names.iter())
        .map(|lost| lost.places.len())
        .sum();
    let total = |one, many, n| Total { one, many, n };
    let totals = vec![
        total("used symbol", "used symbols", lines.n_symbols),
        total("line", "lines", lines.n_uses),
        total("registration", "registrations", n_registrations),
        total("indirect user", "indirect users", answer.impact.next.len()),
        total("more type", "more types", near.len()),
        total("lost name", "lost names", n_lost),
    ];
    let stage = |items, percent| Stage {
        items,
        percent,
        ..Stage::default()
    };
    Section {
        heading: "Impact",
        note: match lines.has_guesses {
            true => "? possible: through the symbol after the sign, or by name".to_owned(),
            false => String::new(),
        },
        items: lines.items,
        stages: vec![
            stage(lines.first, 20),
            stage(lines.heads, 60),
            stage(lines.beside, 78),
            stage(lines.more_heads, 84),
            stage(lines.registered, 87),
            // What another implementation did not take along is nowhere else.
            stage(lines.siblings, 88),
            // Each symbol has a row before one has two.
            Stage {
                behind: Some(MORE_HEADS),
                ..stage(lines.more_uses, 90)
            },
            stage(lines.lesser_heads, 93),
            stage(lines.next, 96),
            stage(lines.tests, 97),
            Stage::all(lines.rings),
        ],
        totals,
        tail: Some(Box::new(Counts(lines.counts))),
        ..Section::default()
    }
}

/// How many lines use a symbol, for the case that none of them is shown.
struct Count {
    /// Whether it is the older side's alone.
    is_gone: bool,
    /// Whether product code that uses it runs something else than before, or may not compile.
    is_behavior: bool,
    /// The item of the symbol; one that is not there where more could not be shown.
    item: usize,
    /// The symbol with the number.
    text: String,
}

/// The numbers of lines of symbols that are not shown.
struct Counts(Vec<Count>);

impl Tail for Counts {
    fn lines(&self, is_taken: &dyn Fn(usize) -> bool) -> Vec<String> {
        let cut = self.0.iter().filter(|count| !is_taken(count.item));
        // What is gone is read about nowhere else; a long list of it hides what runs otherwise.
        let (mut gone, rest): (Vec<_>, Vec<_>) = cut.partition(|count| count.is_gone);
        let more_gone = gone.split_off(gone.len().min(COUNTS_PER_LINE));
        let (behavior, rest): (Vec<_>, Vec<_>) = rest.into_iter().partition(|it| it.is_behavior);
        let rest = more_gone.into_iter().chain(rest);
        let cut = gone.into_iter().chain(behavior).chain(rest);
        let cut: Vec<&str> = cut.map(|count| count.text.as_str()).collect();
        let lines = cut.chunks(COUNTS_PER_LINE).enumerate();
        lines
            .map(|(at, names)| {
                let start = if at == 0 { "lines not shown:" } else { " " };
                format!("{start} {}", names.join(", "))
            })
            .collect()
    }
}

/// The lines of the section, and in which stage each is taken.
#[derive(Default)]
struct Lines<'a> {
    items: Vec<Item<'a>>,
    /// More lines could not be shown.
    n_max: usize,
    first: Vec<u32>,
    /// The first row of the first symbols.
    heads: Vec<u32>,
    /// What stands beside the change.
    beside: Vec<u32>,
    /// The first row of all other symbols, and those that nothing names.
    more_heads: Vec<u32>,
    /// The same of what is new, and of what tests alone use.
    lesser_heads: Vec<u32>,
    siblings: Vec<u32>,
    registered: Vec<u32>,
    more_uses: Vec<u32>,
    tests: Vec<u32>,
    next: Vec<u32>,
    rings: Vec<u32>,
    n_symbols: usize,
    n_uses: usize,
    counts: Vec<Count>,
    /// Whether there is so much to say that lines are told without their text.
    is_brief: bool,
    /// Whether a line is possible only.
    has_guesses: bool,
}

impl Lines<'_> {
    /// Names that resolve to nothing any longer: what does not compile comes before everything else.
    fn lost_names(&mut self, answer: &DiffContext) {
        for lost in &answer.impact.lost_names {
            let parent = self.items.len() as u32;
            let n = lost.places.len();
            self.first.push(parent);
            self.items.push(Item {
                text: Text::Line(format!(
                    "does not compile: {} of `{}` no longer resolve{}",
                    counted(n, "use", "uses"),
                    line(&lost.name),
                    if n == 1 { "s" } else { "" }
                )),
                role: Role::Parent {
                    alone: Alone::Shown,
                    below: n,
                },
                counts: None,
            });
            let of_line =
                |a: &LostPlace, b: &LostPlace| (&a.path, a.at.line) == (&b.path, b.at.line);
            for places in lost.places.chunk_by(of_line).take(self.n_max) {
                let place = &places[0];
                self.first.push(self.items.len() as u32);
                self.items.push(Item {
                    text: Text::Line(format!(
                        "  {}:{}  {}",
                        line(place.path.as_str()),
                        place.at.line,
                        line(place.text.trim())
                    )),
                    role: Role::Child(parent),
                    counts: Some((LOST, places.len())),
                });
            }
        }
    }

    /// Changed symbols with the lines that use them.
    fn symbols(&mut self, answer: &DiffContext, names: &Names) {
        let changes = Changed::of(answer);
        let weights = Weights::of(answer);
        let mut symbols = in_order(answer, &changes, &weights);
        let is_behavior = |symbol: &SymbolImpact| {
            let has_users = symbol.uses.iter().any(|used| !used.is_test)
                || symbol.rest.iter().any(|rest| !rest.is_test);
            let weight = weights.of_symbol(symbol, changes.worth(symbol));
            has_users && symbol.change != MemberChangeKind::Added && weight.is_behavior()
        };
        let behavior = symbols.iter().copied().filter(|it| is_behavior(it));
        self.is_brief = self.is_much(&behavior.collect::<Vec<_>>());
        // Nobody but tests uses what is new in tests.
        let tests = answer.test_types();
        symbols.retain(|symbol| {
            symbol.change != MemberChangeKind::Added || !tests.contains(symbol.ty.as_str())
        });
        let changed: BTreeSet<&str> = symbols.iter().map(|symbol| symbol.id.as_str()).collect();
        let overloaded = overloaded(&symbols);
        // What is gone itself need not be mended.
        let gone = Gone::of(answer);
        // What is new comes last and need not repeat a line.
        let mut shown: BTreeSet<(&str, u32)> = BTreeSet::new();
        let mut adapted = Vec::new();
        for symbol in &symbols {
            let is_new = symbol.change == MemberChangeKind::Added;
            let is_old = symbol.side == UseSide::Old;
            // What a line names instead may have changed as well: then it stands there.
            let is_direct = |used: &LineUse| {
                let via = used.via.as_ref();
                let is_read = via.is_some_and(|via| via.relation == ViaRelation::Reflection);
                let is_inside = || !is_read && is_in_type(used, &symbol.ty);
                via.is_none_or(|via| !changed.contains(via.to.as_str()))
                    && !(is_new && (is_inside() || shown.contains(&place(used))))
            };
            let present = symbol.uses.iter();
            let present = present.filter(|used| !(is_old && gone.has(used)));
            // The code that takes it up, or no longer needs it, is shown.
            let is_taken_up = is_new_alone(symbol) || changes.worth(symbol) == Worth::Adapted;
            let (in_change, present): (Vec<_>, Vec<_>) = present.partition(|used| {
                is_taken_up && !used.is_test && used.via.is_none() && changes.has(used)
            });
            let in_change = merged(in_change.into_iter());
            let (mut direct, indirect): (Vec<_>, Vec<_>) =
                present.into_iter().partition(|used| is_direct(used));
            // What others do with it says more than what its type does; what changed with it is shown, and so is what
            // another symbol has told.
            let n_product = direct.iter().position(|used| used.is_test);
            let n_product = n_product.unwrap_or(direct.len());
            direct[..n_product].sort_by_key(|used| {
                (
                    !is_branch(used),
                    is_in_type(used, &symbol.ty),
                    changes.has(used),
                    shown.contains(&place(used)),
                )
            });
            let uses = merged(direct.into_iter());
            let places: BTreeSet<_> = uses.iter().map(|(used, _)| place(used)).collect();
            let mut elsewhere = merged(indirect.into_iter());
            let told: BTreeSet<_> = in_change.iter().map(|(used, _)| place(used)).collect();
            elsewhere
                .retain(|(used, _)| !places.contains(&place(used)) && !told.contains(&place(used)));
            let (rest_gone, rest): (Vec<_>, Vec<_>) = (symbol.rest.iter().cloned())
                .partition(|rest| is_old && gone.files.contains(rest.path.as_str()));
            let n_gone: usize = rest_gone.iter().map(|rest| rest.n_uses).sum();
            let n_untold = (symbol.n_uses)
                .saturating_sub(symbol.uses.len())
                .saturating_sub(n_gone);
            if uses.is_empty()
                && in_change.is_empty()
                && rest.is_empty()
                && symbol.siblings.is_empty()
            {
                continue;
            }
            shown.extend(places);
            let mut product = uses.iter().filter(|(used, _)| !used.is_test);
            let is_told_elsewhere = product.next().is_none() && !elsewhere.is_empty();
            let listed_uses = ListedUses {
                is_told_elsewhere,
                in_change: rows::changed_row(&in_change),
                uses,
                elsewhere: elsewhere::rows(&elsewhere, &changed),
                n_untold,
                rest,
            };
            if listed_uses.is_in_change_alone() && symbol.siblings.is_empty() {
                adapted.push((*symbol, listed_uses));
                continue;
            }
            let is_overloaded = overloaded.contains(&(&*symbol.ty, symbol.member.as_deref()));
            self.counts.push(Count {
                is_gone: symbol.change == MemberChangeKind::Removed,
                is_behavior: is_behavior(symbol),
                item: self.items.len(),
                text: format!("{} {}", symbol_name(symbol, names), listed_uses.counts()),
            });
            let moved = weights.moved(symbol);
            let what = weights.what(symbol);
            // Lines that name what has another name say little.
            let is_brief = self.is_brief;
            self.is_brief |= moved.is_some();
            self.symbol((symbol, &what), names, &listed_uses, is_overloaded);
            self.is_brief = is_brief;
        }
        self.adapted(&adapted, names);
    }

    /// Whether so much product code uses symbols that the texts of its lines would leave room for few of them.
    fn is_much(&self, symbols: &[&SymbolImpact]) -> bool {
        let uses = symbols.iter().flat_map(|symbol| &symbol.uses);
        let n_lines = uses.filter(|used| !used.is_test).count();
        let max_lines = (self.n_max / ITEMS_PER_FULL_LINE).max(MIN_LINES_IN_FULL);
        symbols.len() > MAX_IN_FULL || n_lines > max_lines
    }

    /// Symbols that nothing uses but code which changed with them: few as all others, more in rows of names.
    fn adapted(&mut self, symbols: &[(&SymbolImpact, ListedUses<'_>)], names: &Names) {
        if symbols.len() <= MAX_ADAPTED {
            for (symbol, listed) in symbols {
                self.counts.push(Count {
                    is_gone: symbol.change == MemberChangeKind::Removed,
                    is_behavior: false,
                    item: self.items.len(),
                    text: format!("{} {}", symbol_name(symbol, names), listed.counts()),
                });
                self.symbol((symbol, in_words(symbol.change)), names, listed, false);
            }
            return;
        }
        let symbols = symbols.iter().map(|(symbol, _)| *symbol);
        let (gone, there): (Vec<_>, Vec<_>) =
            symbols.partition(|symbol| symbol.change == MemberChangeKind::Removed);
        let sides = [
            ("gone, and used in changed code alone", gone),
            ("used in changed code alone", there),
        ];
        for (word, symbols) in sides {
            self.n_symbols += symbols.len();
            for some in symbols.chunks(ADAPTED_PER_LINE).take(self.n_max) {
                let shown = some.iter().map(|symbol| symbol_name(symbol, names));
                let shown: Vec<String> = shown.collect();
                self.lesser_heads.push(self.items.len() as u32);
                self.items.push(Item {
                    text: Text::Line(format!("{word}: {}", shown.join(", "))),
                    role: Role::Single,
                    counts: Some((SYMBOLS, some.len())),
                });
            }
        }
    }

    /// One changed symbol with what happened to it, its uses, and how many more there are.
    fn symbol(
        &mut self,
        (symbol, what): (&SymbolImpact, &str),
        names: &Names,
        listed: &ListedUses<'_>,
        is_overloaded: bool,
    ) {
        let n_lines = listed.n_lines();
        self.n_symbols += 1;
        self.n_uses += n_lines;
        if self.items.len() >= self.n_max {
            return;
        }
        let rows = match self.is_brief {
            true => rows::brief(listed.rows()),
            false => listed.rows(),
        };
        let n_in_tests: usize = (rows.iter().filter(|row| row.is_test))
            .map(|row| row.n_lines)
            .sum();
        let parent = self.items.len() as u32;
        // A number without any of the lines would say little.
        let alone = match rows.is_empty() {
            true => Alone::Shown,
            false => Alone::Hidden,
        };
        if rows.is_empty() {
            self.more_heads.push(parent);
        }
        self.items.push(Item {
            text: Text::Line(symbol_line(
                (symbol, what),
                names,
                (n_lines, n_in_tests),
                is_overloaded,
            )),
            role: Role::Parent {
                alone,
                below: n_lines,
            },
            counts: Some((SYMBOLS, 1)),
        });
        if !symbol.siblings.is_empty() {
            let text = siblings(symbol, names);
            self.siblings.push(self.items.len() as u32);
            self.items.push(Item {
                text: Text::Line(format!("  also implemented, unchanged: {text}")),
                role: Role::Child(parent),
                counts: None,
            });
        }
        self.has_guesses |= (listed.uses.iter()).any(|it| it.1 == Certainty::Possible);
        for (i, row) in rows.into_iter().take(self.n_max).enumerate() {
            let item = self.items.len() as u32;
            let is_lesser = is_new_alone(symbol) || row.is_test || listed.is_told_elsewhere;
            match i {
                0 if row.is_test => self.tests.push(item),
                0 if is_lesser => self.lesser_heads.push(item),
                0 if self.heads.len() < N_BEFORE_BESIDE => self.heads.push(item),
                0 => self.more_heads.push(item),
                _ if row.is_test => self.tests.push(item),
                _ => self.more_uses.push(item),
            }
            self.items.push(Item {
                text: Text::Line(format!("  {}", row.text)),
                role: match i {
                    0 => Role::FreeChild(parent),
                    _ => Role::Child(parent),
                },
                counts: Some((LINES, row.n_lines)),
            });
        }
    }

    /// Code that stands beside the change: that may have to take along what types newly hold, and what has to do with
    /// changed objects of a database.
    fn beside(&mut self, answer: &DiffContext, names: &Names) {
        let rows = beside::rows(answer, names).into_iter();
        for text in rows.take(self.n_max) {
            self.beside.push(self.items.len() as u32);
            self.items.push(Item {
                text: Text::Line(text),
                role: Role::Single,
                counts: None,
            });
        }
    }

    /// Changed symbols that no code names.
    fn unnamed(&mut self, answer: &DiffContext, names: &Names) {
        let unnamed = unnamed(answer, names);
        if !unnamed.is_empty() {
            self.more_heads.push(self.items.len() as u32);
            self.items.push(Item {
                text: Text::Line(format!("not used by name: {unnamed}")),
                role: Role::Single,
                counts: None,
            });
        }
    }

    /// Registrations for dependency injection; gives their number.
    fn registrations(&mut self, answer: &DiffContext, names: &Names) -> usize {
        let registrations = unique(&answer.impact.registrations, |it| {
            (&it.id, &it.at.path, it.at.at)
        });
        let (tests, product): (Vec<_>, Vec<_>) =
            (registrations.iter().copied()).partition(|it| it.at.is_test);
        let n_registrations = registrations.len();
        // Where tests register what they need is no question where the program does.
        let registrations = match product.is_empty() {
            true => tests,
            false => product,
        };
        let n_hidden = n_registrations - registrations.len();
        for (registration, more) in registrations::folded(&registrations)
            .into_iter()
            .take(self.n_max)
        {
            self.registered.push(self.items.len() as u32);
            self.items.push(Item {
                text: Text::Line(registration_line(registration, &more, names)),
                role: Role::Single,
                counts: Some((REGISTRATIONS, 1 + more.len())),
            });
        }
        n_registrations - n_hidden
    }

    /// Members that use the direct users.
    fn users_of_users(&mut self, answer: &DiffContext) {
        for (text, n_users) in next::rows(&answer.impact.next).into_iter().take(self.n_max) {
            self.next.push(self.items.len() as u32);
            self.items.push(Item {
                text: Text::Line(text),
                role: Role::Single,
                counts: Some((NEXT, n_users)),
            });
        }
    }

    /// Types around, by distance.
    fn rings(&mut self, near: &[&ImpactedType], names: &Names) {
        for (distance, ring) in rings_of(near) {
            let head = self.items.len() as u32;
            for (i, chunk) in ring.chunks(NAMES_PER_LINE).take(self.n_max).enumerate() {
                let shown: Vec<_> = chunk.iter().map(|user| names.of(&user.ty.name)).collect();
                let start = match i {
                    0 => counted(distance as usize, "step", "steps") + ":",
                    _ => " ".to_owned(),
                };
                self.rings.push(self.items.len() as u32);
                self.items.push(Item {
                    text: Text::Line(format!("{start} {}", shown.join(", "))),
                    role: match i {
                        0 => Role::Parent {
                            alone: Alone::Shown,
                            below: 0,
                        },
                        _ => Role::Child(head),
                    },
                    counts: Some((TYPES, chunk.len())),
                });
            }
        }
    }

    /// How many types are farther away.
    fn far(&mut self, n_far: usize) {
        if n_far > 0 {
            self.first.push(self.items.len() as u32);
            self.items.push(Item {
                text: Text::Line(counted(n_far, "more distant type", "more distant types")),
                role: Role::Single,
                counts: None,
            });
        }
    }
}

/// The changed symbols, the most important first, each once.
fn in_order<'a>(
    answer: &'a DiffContext,
    changes: &Changed<'_>,
    weights: &Weights<'_>,
) -> Vec<&'a SymbolImpact> {
    let mut symbols = unique(&answer.impact.symbols, |symbol| {
        (&symbol.id, symbol.change, symbol.n_uses)
    });
    // The uses of what is new are new themselves: those of what was there come first, and product before tests.
    symbols.sort_by_key(|symbol| {
        let is_test = symbol.uses.iter().all(|used| used.is_test)
            && symbol.rest.iter().all(|rest| rest.is_test);
        let is_own = symbol.uses.iter().all(|used| is_in_type(used, &symbol.ty));
        let is_added = is_new_alone(symbol);
        let weight = weights.of_symbol(symbol, changes.worth(symbol));
        (is_added, is_test, weight, is_own)
    });
    contracts_first(symbols)
}

/// The uses of a symbol as they are listed: each of its lines is in one of the parts.
struct ListedUses<'a> {
    /// Product code uses it through changed symbols that have rows of their own.
    is_told_elsewhere: bool,
    /// The row for lines of code that changed with the symbol.
    in_change: Option<Row>,
    /// Lines that have a row of their own, or share one.
    uses: Vec<SureUse<'a>>,
    /// Rows for lines whose text stands elsewhere.
    elsewhere: Vec<Row>,
    /// How many uses are counted by file alone.
    n_untold: usize,
    /// Those uses by file.
    rest: Vec<RestOfFile>,
}

impl ListedUses<'_> {
    /// Whether nothing uses the symbol but code that changed with it.
    fn is_in_change_alone(&self) -> bool {
        let has_others =
            !self.uses.is_empty() || !self.elsewhere.is_empty() || !self.rest.is_empty();
        self.in_change.is_some() && !has_others && self.n_untold == 0
    }

    fn n_lines(&self) -> usize {
        let own = self.elsewhere.iter().chain(&self.in_change);
        let elsewhere = own.map(|row| row.n_lines);
        self.uses.len() + elsewhere.sum::<usize>() + self.n_untold
    }

    /// The number of lines, and how many of them are in tests.
    fn counts(&self) -> String {
        let n_tests: usize = (self.rows().iter().filter(|row| row.is_test))
            .map(|row| row.n_lines)
            .sum();
        match (self.n_lines(), n_tests) {
            (n, 0) => n.to_string(),
            (n, tests) if n == tests => format!("{n} in tests"),
            (n, tests) => format!("{n} ({tests} in tests)"),
        }
    }

    /// Rows of product code, then those of tests.
    fn rows(&self) -> Vec<Row> {
        let mut rows = rows::rows(&self.uses, &self.rest);
        let tests = rows.iter().position(|row| row.is_test);
        let at = tests.unwrap_or(rows.len());
        let (tests, product): (Vec<Row>, Vec<Row>) =
            (self.elsewhere.iter().cloned()).partition(|row| row.is_test);
        rows.splice(at..at, self.in_change.iter().cloned().chain(product));
        rows.extend(tests);
        rows
    }
}

/// The members of which several symbols have the name, by their types.
fn overloaded<'s>(symbols: &[&'s SymbolImpact]) -> BTreeSet<(&'s str, Option<&'s str>)> {
    let mut known = BTreeSet::new();
    let members = symbols.iter().filter(|symbol| symbol.member.is_some());
    let names = members.map(|symbol| (&*symbol.ty, symbol.member.as_deref()));
    names.filter(|name| !known.insert(*name)).collect()
}

/// The line of a use.
fn place(used: &LineUse) -> (&str, u32) {
    (used.path.as_str(), used.at.line)
}

/// Types and files that the newer side lacks.
struct Gone<'a> {
    types: Vec<&'a str>,
    files: BTreeSet<&'a str>,
}

impl<'a> Gone<'a> {
    fn of(answer: &'a DiffContext) -> Self {
        let types = answer.types.iter();
        let files = answer.files.iter();
        Self {
            types: types
                .filter(|ty| ty.class == ChangeClass::Removed)
                .map(|ty| ty.ty.name.as_str())
                .collect(),
            files: files
                .filter(|file| file.status == FileStatus::Deleted)
                .map(|file| file.path.as_str())
                .collect(),
        }
    }

    /// Whether a use of the older side went with what stands around it.
    fn has(&self, used: &LineUse) -> bool {
        self.files.contains(used.path.as_str()) || self.types.iter().any(|ty| is_in_type(used, ty))
    }
}

/// Whether a use stands in a type or in one nested in it.
fn is_in_type(used: &LineUse, ty: &str) -> bool {
    let inside = used.inside.as_deref().unwrap_or_default();
    let path = inside.split_once(':').map_or(inside, |(_, path)| path);
    let rest = path.strip_prefix(&*ty.replace('+', "."));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Whether a symbol is new and its users are: code that tells the other values of its enum apart was there before.
fn is_new_alone(symbol: &SymbolImpact) -> bool {
    symbol.change == MemberChangeKind::Added && !symbol.uses.iter().any(is_branch)
}
