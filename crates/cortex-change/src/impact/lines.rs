//! The uses of changed symbols, told line by line.
//!
//! Owns: which uses are told where not all are, and their order.

use crate::{
    database::behind::Files,
    diff_context::{
        blobs::{BlobSource, Reader},
        compared::Compared,
        question::UseLines,
    },
    impact::{
        actions::{self, Actions},
        applied::{self, want_applied},
        branches::find_branches,
        callers::outer_callers,
        close::Close,
        dispatch::{Dispatch, Hierarchy, dispatch},
        enumerations::enumerations,
        handlers::{Handled, handled},
        literals,
        next::{Member, User, next_users},
        procedures::MemberStrings,
        promises,
        registrations::{Registered, others, registered_anew},
        requests,
        siblings::siblings,
        symbols::ChangedSymbol,
        unnamed_uses::want_unnamed,
        uses::{Found, Objects, Places, Want, Wanted, find},
    },
    routes,
};
use cortex_derived::doc_ids::DocIds;
use cortex_look::{QueryError, follow::differing::ChangedType};
use cortex_wire::{
    LineUse, MemberChangeKind, NextUser, Registration, RestOfFile, Role, SymbolImpact, UseSide,
    Via, ViaRelation,
};

use std::collections::{BTreeMap, BTreeSet};

use cortex_git::ReadBlob;
use cortex_index::MemberTag;
use cortex_model::{ChangeClass, LineTable, RepoPath, TypeKey, TypeKind};
use cortex_syntax::text::decode;
use rustc_hash::{FxHashMap, FxHashSet};

/// Where not all uses are told, so many of one symbol are.
const MAX_OF_SYMBOL: usize = 40;

/// Of so many siblings of a symbol, routines that they name are looked for.
const MAX_SIBLINGS_READ: usize = 8;

/// Uses, told.
pub(crate) struct Told {
    /// In the order of the changed symbols.
    pub(crate) symbols: Vec<SymbolImpact>,
    /// How many uses of the newer side stand in each type.
    pub(crate) n_inside: FxHashMap<TypeKey, usize>,
    pub(crate) next: Vec<NextUser>,
    /// The actions that run what changed.
    pub(crate) actions: Actions,
}

/// Finds and tells the uses of changed symbols: of each on its side.
pub(crate) fn uses(
    compared: &Compared,
    symbols: Vec<ChangedSymbol>,
    reader: &mut Reader<'_>,
    wanted: UseLines,
) -> Result<Told, QueryError> {
    let mut told: Vec<SymbolImpact> = symbols.iter().map(untold).collect();
    let mut n_inside: FxHashMap<TypeKey, usize> = FxHashMap::default();
    let mut next = Vec::new();
    let mut actions = Actions::default();
    let mut left = match wanted {
        UseLines::All => usize::MAX,
        UseLines::First(n) => n,
    };
    // What is gone itself need not be mended.
    let gone: FxHashSet<TypeKey> = (symbols.iter())
        .filter(|symbol| symbol.side == UseSide::Old && symbol.member.is_none())
        .map(|symbol| symbol.key)
        .collect();
    let mut readers: Vec<(Member, usize)> = Vec::new();
    let mut n_gone = 0;
    let mut close = Close::default();
    // The users of what is gone come first: where not all uses are told, those matter most.
    for (side, snapshot) in [(UseSide::Old, &compared.old), (UseSide::New, &compared.new)] {
        let mut ids = DocIds::new(snapshot);
        let source = reader.source();
        let (mut places, mut vias) = look(compared, &mut ids, &symbols, side, source, &mut told)?;
        literals::find(snapshot, &symbols, side, reader.source(), &mut places)?;
        if side == UseSide::Old {
            let gone = actions::gone(compared, &mut ids, &symbols)?;
            n_gone = gone.len().min(requests::MAX_ACTIONS);
            let files = match gone.is_empty() {
                true => Vec::new(),
                false => requests::of_clients(snapshot)?,
            };
            let asked = (files.as_slice(), gone.as_slice());
            requests::find(
                compared,
                snapshot,
                asked,
                reader.source(),
                &mut places,
                &mut vias,
            )?;
        }
        if side == UseSide::New {
            let source = reader.source();
            find_branches(compared, &mut ids, &symbols, source, &mut places, &mut vias)?;
            close = Close::of(compared, &ids, &vias)?;
            let files = requests::of_clients(snapshot)?;
            if !files.is_empty() || routes::are_declared(snapshot)? {
                let at = (&places, vias.as_slice(), &close);
                actions = actions::find(compared, &mut ids, &symbols, at, &readers)?;
            }
            actions.n_gone = n_gone;
            let asked = (files.as_slice(), actions.routes.as_slice());
            let source = reader.source();
            requests::find(compared, snapshot, asked, source, &mut places, &mut vias)?;
            for (key, _) in places.found.iter().filter_map(|found| found.inside) {
                *n_inside.entry(key).or_default() += 1;
            }
        }
        let is_test = |found: &Found| is_of_test(compared, &places, found);
        let order = in_order(compared, (&places, &vias), &gone);
        match side {
            UseSide::Old => readers = readers_by_reflection(compared, (&places, &vias), &order),
            UseSide::New => {
                let at = (&places, vias.as_slice(), &close);
                let (mut direct, mut known) = direct_users(compared, &symbols, at, &order);
                let readers = readers.drain(..).map(|(it, _)| it);
                let readers = readers.filter(|it| known.insert(*it));
                direct.extend(readers.map(|it| (it, Objects::Any)));
                next = next_users(compared, &mut ids, &direct, &known)?;
            }
        }
        let mut teller = Teller::new(ids, &places, &vias);
        for of_symbol in order.chunk_by(|a, b| a.want.symbol == b.want.symbol) {
            let symbol = &mut told[of_symbol[0].want.symbol];
            symbol.n_uses = of_symbol.len();
            let n = match wanted {
                UseLines::All => of_symbol.len(),
                UseLines::First(_) => of_symbol.len().min(MAX_OF_SYMBOL).min(left),
            };
            left -= n;
            for found in &of_symbol[..n] {
                symbol
                    .uses
                    .push(teller.tell(found, is_test(found), reader)?);
            }
            symbol.rest = rest_by_file(&of_symbol[n..], &places, &is_test);
        }
    }
    Ok(Told {
        symbols: told,
        n_inside,
        next,
        actions,
    })
}

/// How many uses stand in each file: product before tests, most uses first.
fn rest_by_file(
    uses: &[&Found],
    places: &Places,
    is_test: &dyn Fn(&Found) -> bool,
) -> Vec<RestOfFile> {
    let mut counts: BTreeMap<(bool, &RepoPath), usize> = BTreeMap::new();
    for found in uses {
        let path = &places.files[found.file as usize].path;
        *counts.entry((is_test(found), path)).or_default() += 1;
    }
    let mut out: Vec<RestOfFile> = (counts.into_iter())
        .map(|((is_test, path), n_uses)| RestOfFile {
            path: path.clone(),
            is_test,
            n_uses,
        })
        .collect();
    out.sort_by_key(|rest| (rest.is_test, std::cmp::Reverse(rest.n_uses)));
    out
}

/// The product members around uses of symbols that are not new and did not only get another name, or that they read by reflection, in the order of the
/// uses, without those that changed themselves; and all that are told already.
fn direct_users(
    compared: &Compared,
    symbols: &[ChangedSymbol],
    (places, vias, close): (&Places, &[Via], &Close),
    order: &[&Found],
) -> (Vec<User>, BTreeSet<Member>) {
    let changed = symbols.iter().filter(|symbol| symbol.side == UseSide::New);
    let mut known: BTreeSet<Member> = changed
        .filter_map(|symbol| Some((symbol.key, symbol.member?)))
        .collect();
    let mut direct: Vec<User> = Vec::new();
    let mut indices: BTreeMap<Member, usize> = BTreeMap::new();
    for found in order {
        let Some((key, Some(tag))) = found.inside else {
            continue;
        };
        if symbols[found.want.symbol].is_renamed || !close.has(found, symbols) {
            continue;
        }
        if let Some(&at) = indices.get(&(key, tag)) {
            let objects = &mut direct[at].1;
            *objects = std::mem::replace(objects, Objects::Any).or(Objects::at(found));
            continue;
        }
        let is_read = || {
            let via = found.want.via.map(|at| vias[at].relation);
            via == Some(ViaRelation::Reflection)
        };
        // What has an attribute runs nothing of it.
        if found.role == Role::Attribute {
            continue;
        }
        let is_new = symbols[found.want.symbol].change == MemberChangeKind::Added && !is_read();
        if known.insert((key, tag)) && !is_new && !is_of_test(compared, places, found) {
            indices.insert((key, tag), direct.len());
            direct.push(((key, tag), Objects::at(found)));
        }
    }
    (direct, known)
}

/// The places by symbol, in the order in which they are told: product before tests, what is sure before what is possible.
fn in_order<'p>(
    compared: &Compared,
    (places, vias): (&'p Places, &[Via]),
    gone: &FxHashSet<TypeKey>,
) -> Vec<&'p Found> {
    let is_gone = |found: &Found| found.inside.is_some_and(|(key, _)| gone.contains(&key));
    let mut order: Vec<&Found> = places.found.iter().collect();
    order.sort_by_cached_key(|found| {
        let path = &places.files[found.file as usize].path;
        let at = (path, found.offset, found.project, found.want.via);
        // What a request leads to is chosen by what it says as well.
        let via = found.want.via.map(|at| vias[at].relation);
        let is_requested = via == Some(ViaRelation::Route);
        let is_test = is_of_test(compared, places, found);
        let worth = (is_gone(found), is_test, is_requested, found.certainty);
        (found.want.symbol, worth, at)
    });
    order
}

/// The product members that read symbols by reflection, each with the first of these, in the order of the uses: of what is
/// gone they no longer find it.
fn readers_by_reflection(
    compared: &Compared,
    (places, vias): (&Places, &[Via]),
    order: &[&Found],
) -> Vec<(Member, usize)> {
    let mut out: Vec<(Member, usize)> = Vec::new();
    for found in order {
        let via = found.want.via.map(|at| vias[at].relation);
        if via == Some(ViaRelation::Reflection)
            && let Some((key, Some(tag))) = found.inside
            && !is_of_test(compared, places, found)
            && !out.iter().any(|(known, _)| *known == (key, tag))
        {
            out.push(((key, tag), found.want.symbol));
        }
    }
    out
}

/// Finds and tells the registrations of changed types that still exist, tests left out.
pub(crate) fn registrations(
    compared: &Compared,
    changed: &[ChangedType],
    reader: &mut Reader<'_>,
) -> Result<Vec<Registration>, QueryError> {
    let is_wanted = |ty: &&ChangedType| {
        let is_class = matches!(ty.node().kind, TypeKind::Class | TypeKind::Record);
        let is_test = compared.is_of_tests(&ty.node().project);
        ty.new.is_some() && ty.class <= ChangeClass::Internal && is_class && !is_test
    };
    let mut types: Vec<(TypeKey, String)> = (changed.iter().filter(is_wanted))
        .map(|ty| (ty.key, ty.node().fqn.clone()))
        .collect();
    let all_changed: Vec<TypeKey> = changed.iter().map(|ty| ty.key).collect();
    let (anew, lines) = registered_anew(compared, &all_changed)?;
    for &key in &anew {
        let header = compared.new.type_header(key)?;
        let header = header.filter(|it| matches!(it.kind, TypeKind::Class | TypeKind::Record));
        types.extend(header.map(|header| (key, header.fqn)));
    }
    types.sort_unstable();
    let keys: Vec<TypeKey> = types.iter().map(|(key, _)| *key).collect();
    let found = crate::impact::registrations::registrations(&compared.new, &keys, reader)?;
    // Of what is the same, the registrations that are not.
    let is_new = |registered: &Registered| {
        let place = &found.places.found[registered.at];
        let path = &found.places.files[place.file as usize].path;
        lines.get(path).is_some_and(|it| it.has(place.offset))
    };
    let is_told =
        |registered: &Registered| !anew.contains(&keys[registered.ty]) || is_new(registered);
    let mut ids = DocIds::new(&compared.new);
    let mut vias: Vec<Via> = Vec::new();
    let mut services = Vec::new();
    for registered in &found.registered {
        let service = match registered.service {
            Some(service) => ids.of(service, None)?,
            None => None,
        };
        vias.push(Via {
            to: service.clone().unwrap_or_default(),
            relation: ViaRelation::Registration,
        });
        services.push(service);
    }
    let mut at = Teller::new(ids, &found.places, &[]);
    let mut consumers = Teller::new(DocIds::new(&compared.new), &found.consumers, &vias);
    let mut out = Vec::new();
    // Who takes a service names its registration by its place among all.
    let all = found.registered.iter().zip(services);
    for (registered, service) in all.filter(|(it, _)| is_told(it)) {
        let place = &found.places.found[registered.at];
        let takes = registered.consumers.iter().map(|&at| {
            let place = &found.consumers.found[at];
            let is_test = is_of_test(compared, &found.consumers, place);
            consumers.tell(place, is_test, reader)
        });
        let takes = takes.collect::<Result<Vec<_>, _>>()?;
        let others = match registered.service.filter(|_| is_new(registered)) {
            Some(service) => {
                let own = keys[registered.ty];
                others(compared, &mut at.ids, (service, own), reader)?
            }
            None => Vec::new(),
        };
        out.push(Registration {
            id: at.ids.of(keys[registered.ty], None)?.unwrap_or_default(),
            ty: types[registered.ty].1.clone(),
            service,
            at: at.tell(place, is_of_test(compared, &found.places, place), reader)?,
            consumers: takes,
            others,
        });
    }
    out.sort_by(|a, b| (&a.id, &a.at.path, a.at.at).cmp(&(&b.id, &b.at.path, b.at.at)));
    Ok(out)
}

fn is_of_test(compared: &Compared, places: &Places, found: &Found) -> bool {
    let project = &places.files[found.file as usize].projects[found.project as usize];
    compared.is_of_tests(project)
}

fn untold(symbol: &ChangedSymbol) -> SymbolImpact {
    SymbolImpact {
        id: symbol.id.clone(),
        ty: symbol.ty.clone(),
        member: symbol.name.clone(),
        change: symbol.change,
        side: symbol.side,
        implemented_by: Vec::new(),
        siblings: Vec::new(),
        sibling_routines: Vec::new(),
        called_through: None,
        n_uses: 0,
        n_mentions: 0,
        mentions: Vec::new(),
        uses: Vec::new(),
        rest: Vec::new(),
    }
}

/// Finds the uses of the symbols of one side, and what leads to them.
fn look(
    compared: &Compared,
    ids: &mut DocIds<'_>,
    symbols: &[ChangedSymbol],
    side: UseSide,
    source: BlobSource<'_>,
    told: &mut [SymbolImpact],
) -> Result<(Places, Vec<Via>), QueryError> {
    let mut wanted = Wanted::new();
    let mut vias: Vec<Via> = Vec::new();
    let of_side = |symbol: &&ChangedSymbol| symbol.side == side;
    for (at, symbol) in (symbols.iter().enumerate()).filter(|(_, symbol)| of_side(symbol)) {
        wanted
            .entry(symbol.key)
            .or_default()
            .push(Want::of(symbol.member, at));
        told[at].called_through = promises::outside(ids, symbol.key, &symbol.id)?;
    }
    let keys: Vec<TypeKey> = wanted.keys().copied().collect();
    let mut hierarchy = Hierarchy::default();
    let mut contracts: Vec<(usize, TypeKey, String)> = Vec::new();
    for key in keys {
        let members: FxHashMap<&str, usize> = wanted[&key]
            .iter()
            .filter(|want| want.member.is_some() && want.via.is_none())
            .map(|want| (symbols[want.symbol].id.as_str(), want.symbol))
            .collect();
        if members.is_empty() {
            continue;
        }
        let Dispatch { above, below } = dispatch(ids, &mut hierarchy, key, &members)?;
        for (symbol, base, tag, to, relation) in above {
            contracts.push((symbol, base, to.clone()));
            wanted.entry(base).or_default().push(Want {
                via: Some(vias.len()),
                runs: Some(key),
                ..Want::of(Some(tag), symbol)
            });
            vias.push(Via { to, relation });
        }
        for (symbol, id) in below {
            told[symbol].implemented_by.push(id);
        }
    }
    if side == UseSide::New {
        let siblings = siblings(compared, ids, &mut hierarchy, &contracts, symbols, source)?;
        let files = Files::new(compared, source);
        let mut strings = MemberStrings::new(compared, source);
        for (symbol, mut all) in siblings {
            let told = &mut told[symbol];
            all.retain(|it| !told.implemented_by.contains(&it.id));
            for it in all.iter().take(MAX_SIBLINGS_READ) {
                let routines = it.routines(ids, files, &mut strings)?;
                told.sibling_routines.extend(routines);
            }
            told.siblings = all.into_iter().map(|it| it.id).collect();
        }
    }
    for through in through_callers(ids, &mut hierarchy, symbols, side)? {
        wanted.entry(through.key).or_default().push(Want {
            via: Some(vias.len()),
            runs: through.runs,
            ..Want::of(Some(through.tag), through.symbol)
        });
        vias.push(through.via);
    }
    if side == UseSide::New {
        want_applied(compared, ids, symbols, &mut wanted, &mut vias)?;
        want_unnamed(compared, ids, symbols, &mut wanted, &mut vias)?;
    }
    let handing = Handled::want(handled(ids, symbols, side)?, &mut wanted, &mut vias);
    let mut enumerating = enumerations(compared, ids, symbols, side, source)?;
    enumerating.want(ids, &mut wanted, &mut vias)?;
    let mut places = find(ids.snapshot(), &wanted)?;
    places.retain_runnable(compared, ids)?;
    applied::finish(&mut places, &vias);
    enumerating.finish(&mut places);
    handing.finish(ids, &mut places)?;
    Ok((places, vias))
}

/// A member that others name to run a changed private one.
struct Through {
    key: TypeKey,
    tag: MemberTag,
    /// The changed member, by index.
    symbol: usize,
    via: Via,
    /// The type whose member must be able to run, where a contract is named.
    runs: Option<TypeKey>,
}

/// What others name to run changed private members: the members of their types that do, and what those override
/// and implement.
fn through_callers(
    ids: &mut DocIds<'_>,
    hierarchy: &mut Hierarchy,
    symbols: &[ChangedSymbol],
    side: UseSide,
) -> Result<Vec<Through>, QueryError> {
    let outers = outer_callers(ids, symbols, side)?;
    let mut out = Vec::new();
    for of_type in outers.chunk_by(|a, b| a.key == b.key) {
        for outer in of_type {
            out.extend(outer.runs.iter().map(|&symbol| Through {
                key: outer.key,
                tag: outer.tag,
                symbol,
                via: Via {
                    to: outer.id.clone(),
                    relation: ViaRelation::Caller,
                },
                runs: None,
            }));
        }
        let members = of_type.iter().enumerate();
        let members = members.map(|(at, outer)| (outer.id.as_str(), at)).collect();
        let Dispatch { above, .. } = dispatch(ids, hierarchy, of_type[0].key, &members)?;
        for (outer, base, tag, to, relation) in above {
            out.extend(of_type[outer].runs.iter().map(|&symbol| Through {
                key: base,
                tag,
                symbol,
                via: Via {
                    to: to.clone(),
                    relation,
                },
                runs: Some(of_type[outer].key),
            }));
        }
    }
    Ok(out)
}

/// A file whose lines are told.
struct Loaded {
    text: Vec<u8>,
    lines: LineTable,
}

/// Makes words of places.
struct Teller<'a, 's> {
    ids: DocIds<'s>,
    places: &'a Places,
    vias: &'a [Via],
    loaded: FxHashMap<u32, Loaded>,
}

impl<'a, 's> Teller<'a, 's> {
    fn new(ids: DocIds<'s>, places: &'a Places, vias: &'a [Via]) -> Self {
        Self {
            ids,
            places,
            vias,
            loaded: FxHashMap::default(),
        }
    }

    fn tell(
        &mut self,
        found: &Found,
        is_test: bool,
        reader: &mut Reader<'_>,
    ) -> Result<LineUse, QueryError> {
        let file = &self.places.files[found.file as usize];
        let inside = match found.inside {
            Some((key, member)) => self.ids.of(key, member)?,
            None => None,
        };
        let Loaded { text, lines } = match self.loaded.entry(found.file) {
            std::collections::hash_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::hash_map::Entry::Vacant(entry) => {
                let text = decode(&reader.read_blob(file.blob)?).as_bytes().to_vec();
                let lines = LineTable::new(&text);
                entry.insert(Loaded { text, lines })
            }
        };
        Ok(LineUse {
            frameworks: Vec::new(),
            path: file.path.clone(),
            at: lines.position(found.offset),
            project: file.projects[found.project as usize].clone(),
            is_test,
            inside,
            role: found.role,
            certainty: found.certainty,
            via: found.want.via.map(|via| self.vias[via].clone()),
            text: line_around(text, found.offset),
        })
    }
}

/// So many bytes of a line are shown on each side of an offset: a whole program may stand in one line.
const MAX_AROUND: usize = 400;

/// The line that an offset is in, trimmed, and cut where it is long.
pub(crate) fn line_around(text: &[u8], offset: u32) -> String {
    let from = (offset as usize).min(text.len());
    let mut start = from.saturating_sub(MAX_AROUND);
    let mut end = text.len().min(from + MAX_AROUND);
    // The rest of a character that the cut goes through.
    let is_inside = |at: usize| text.get(at).is_some_and(|byte| byte & 0xc0 == 0x80);
    while start < from && is_inside(start) {
        start += 1;
    }
    while end > from && is_inside(end) {
        end -= 1;
    }
    let line_start = text[start..from].iter().rposition(|&b| b == b'\n');
    let line_end = text[from..end].iter().position(|&b| b == b'\n');
    let is_cut = (
        line_start.is_none() && start > 0,
        line_end.is_none() && end < text.len(),
    );
    let line =
        &text[line_start.map_or(start, |at| start + at + 1)..line_end.map_or(end, |at| from + at)];
    let line = String::from_utf8_lossy(line);
    let line = line.trim();
    match is_cut {
        (false, false) => line.to_owned(),
        (true, false) => format!("…{line}"),
        (false, true) => format!("{line}…"),
        (true, true) => format!("…{line}…"),
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_AROUND, line_around};

    #[test]
    fn a_long_line_is_cut_on_both_sides() {
        assert_eq!(line_around(b"one\n  two three\nfour", 8), "two three");
        let text = "ä".repeat(3 * MAX_AROUND);
        let shown = line_around(text.as_bytes(), 3 * MAX_AROUND as u32);
        assert!(shown.starts_with("…ä") && shown.ends_with("ä…"), "{shown}");
        assert!(!shown.contains('\u{fffd}'));
        assert!(shown.len() <= 2 * MAX_AROUND + 6);
    }
}
