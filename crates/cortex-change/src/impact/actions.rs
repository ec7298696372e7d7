//! Actions of controllers that run what changed, through whatever stands between: which routes lead there.
//!
//! Owns: from where members are climbed to actions. Must not know: how routes are read from attributes, who asks for them.

use crate::{
    diff_context::compared::Compared,
    impact::{
        climb::{Runs, climb},
        close::Close,
        next::Member,
        symbols::ChangedSymbol,
        uses::{self, Objects, Places, Want, Wanted},
    },
    routes,
};
use cortex_derived::doc_ids::{DocIds, written_members};
use cortex_look::QueryError;
use cortex_wire::{MemberChangeKind, Role, UnfollowedActions, UseSide, Via, ViaRelation};

use std::collections::{BTreeMap, BTreeSet, btree_map::Entry};

use cortex_bind::TypeNode;
use cortex_model::{RepoPath, TypeKey};

/// So many routes are told.
const MAX_ROUTES: usize = 256;

/// A route of an action that changed, or that runs what changed.
pub(crate) struct ReachedRoute {
    pub(crate) verb: &'static str,
    pub(crate) template: String,
    /// Whether it is an endpoint of a framework, not an action.
    pub(crate) is_served: bool,
    /// The action: `Type.Member`.
    pub(crate) handler: String,
    /// The file of its type, and the line there.
    pub(crate) path: RepoPath,
    pub(crate) line: u32,
    /// The project of the action.
    pub(crate) project: RepoPath,
    /// The changed member, by index.
    pub(crate) symbol: usize,
}

/// Who uses each member; `None` for users that are not followed.
pub(crate) type Users = BTreeMap<Member, BTreeSet<Option<Member>>>;

/// The members that run changed ones, and who runs whom.
#[derive(Default)]
pub(crate) struct Running {
    /// Changed members and those that run them, with their projects.
    pub(crate) members: Vec<(Member, RepoPath)>,
    /// The changed ones, and others that run otherwise themselves.
    pub(crate) changed: BTreeSet<Member>,
    /// Who uses them, as far as they were followed.
    pub(crate) users: Users,
}

impl Running {
    fn add_users(&mut self, more: Users) {
        for (member, users) in more {
            self.users.entry(member).or_default().extend(users);
        }
    }

    /// The projects of the members.
    pub(crate) fn projects(&self) -> BTreeSet<&RepoPath> {
        self.members.iter().map(|(_, project)| project).collect()
    }

    /// All members, those included that are only used or use others.
    pub(crate) fn all(&self) -> BTreeSet<Member> {
        let users = self.users.values().flatten().flatten();
        let members = self.members.iter().map(|(member, _)| member);
        let all = members.chain(self.users.keys()).chain(users);
        all.copied().collect()
    }

    /// Whether a member of a project still runs a changed one where some members do not run, and those do not that only
    /// such members use. `is_root`: whether what is not seen here may call a member.
    pub(crate) fn runs_in(
        &self,
        project: &RepoPath,
        mut stopped: BTreeSet<Member>,
        is_root: &BTreeSet<Member>,
    ) -> bool {
        loop {
            let is_stopped = |user: &Option<Member>| user.is_some_and(|it| stopped.contains(&it));
            let more: Vec<Member> = (self.users.iter())
                .filter(|(member, _)| !stopped.contains(member) && !is_root.contains(member))
                .filter(|(member, users)| {
                    let mut others = users.iter().filter(|user| **user != Some(**member));
                    others.clone().next().is_some() && others.all(is_stopped)
                })
                .map(|(member, _)| *member)
                .collect();
            if more.is_empty() {
                break;
            }
            stopped.extend(more);
        }
        let mut running: BTreeSet<Member> = self.changed.difference(&stopped).copied().collect();
        let mut work: Vec<Member> = running.iter().copied().collect();
        while let Some(member) = work.pop() {
            let users = self.users.get(&member).into_iter().flatten().flatten();
            let users = users.filter(|user| !stopped.contains(user));
            work.extend(users.filter(|user| running.insert(**user)));
        }
        let mut of_project = self.members.iter().filter(|(_, of)| of == project);
        of_project.any(|(member, _)| running.contains(member))
    }
}

/// The actions that are changed or run changed members.
#[derive(Default)]
pub(crate) struct Actions {
    /// Their routes, nearest first.
    pub(crate) routes: Vec<ReachedRoute>,
    /// How many routes are gone.
    pub(crate) n_gone: usize,
    /// The actions without a route.
    pub(crate) unfollowed: UnfollowedActions,
    /// Who runs what changed: all members, where none of them has a route; else those that start an application.
    pub(crate) running: Running,
}

/// The actions among the changed members, the members that use them and those that run these, nearest first, on the newer
/// side. `readers`: those that read by reflection what is gone, with its index. O(files that the climb reads).
pub(crate) fn find(
    compared: &Compared,
    ids: &mut DocIds<'_>,
    symbols: &[ChangedSymbol],
    (places, vias, close): (&Places, &[Via], &Close),
    readers: &[(Member, usize)],
) -> Result<Actions, QueryError> {
    let mut out = Actions::default();
    let (near, users) = nearest(compared, symbols, (places, vias, close), readers);
    let (users, changed) = users;
    out.running.changed = changed;
    let above = climb(compared, ids, &near)?;
    out.unfollowed.has_more = above.is_cut;
    out.running.users = users;
    out.running.add_users(above.users);
    let (mut has_running, mut starting) = (false, Vec::new());
    let mut hosts: BTreeMap<TypeKey, BTreeSet<RepoPath>> = BTreeMap::new();
    for Runs { member, symbol, .. } in near.into_iter().chain(above.members) {
        let header = ids.snapshot().type_header(member.0)?;
        let runs = runs_otherwise(&symbols[symbol]);
        if let Some(header) = header.filter(|_| runs) {
            if starts_application(&header.fqn) {
                starting.push((member, header.project.clone()));
            }
            out.running.members.push((member, header.project));
            if is_middleware(ids, member)? {
                let hosts = match hosts.entry(member.0) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(entry) => entry.insert(hosts_of(compared, ids, member.0)?),
                };
                let hosts = hosts.iter().map(|project| (member, project.clone()));
                starting.extend(hosts.clone());
                out.running.members.extend(hosts);
            }
        }
        let Some((node, at)) = written(ids, member)? else {
            continue;
        };
        let controller = routes::Controller::of(ids.snapshot(), &node)?;
        let found = reached((&node, &controller), at, symbol);
        if found.is_empty() {
            let action = &node.members[at];
            out.unfollowed.n += usize::from(runs && routes::is_action(&node, action));
        }
        if out.routes.len() >= MAX_ROUTES {
            out.unfollowed.has_more |= !found.is_empty();
            continue;
        }
        has_running |= runs && !found.is_empty();
        out.routes.extend(found);
    }
    if has_running {
        out.running.members = starting;
    }
    Ok(out)
}

/// The routes of actions that are gone, where no action that came has them. `ids`: of the older side.
pub(crate) fn gone(
    compared: &Compared,
    ids: &mut DocIds<'_>,
    symbols: &[ChangedSymbol],
) -> Result<Vec<ReachedRoute>, QueryError> {
    let mut out = Vec::new();
    for (at, symbol) in symbols.iter().enumerate() {
        if symbol.change == MemberChangeKind::Removed && symbol.side == UseSide::Old {
            out.extend(routes_of(ids, symbol, at)?);
        }
    }
    if out.is_empty() {
        return Ok(out);
    }
    let mut newer = DocIds::new(&compared.new);
    for (at, symbol) in symbols.iter().enumerate() {
        if symbol.side == UseSide::New {
            let there = routes_of(&mut newer, symbol, at)?;
            out.retain(|gone| {
                let is_same = |it: &ReachedRoute| {
                    (it.verb, &it.template, &it.project)
                        == (gone.verb, &gone.template, &gone.project)
                };
                !there.iter().any(is_same)
            });
        }
    }
    // What a framework serves stays, whoever it runs.
    out.retain(|gone| !compared.is_of_tests(&gone.project) && !gone.is_served);
    Ok(out)
}

/// The routes that a changed symbol has as an action, or by its members as a type.
fn routes_of(
    ids: &mut DocIds<'_>,
    symbol: &ChangedSymbol,
    at: usize,
) -> Result<Vec<ReachedRoute>, QueryError> {
    let members = match symbol.member {
        Some(tag) => {
            let found = written(ids, (symbol.key, tag))?;
            found.map(|(node, member)| (node, vec![member]))
        }
        None => {
            let node = ids.snapshot().type_node(symbol.key)?;
            let node = node.filter(routes::is_controller);
            node.map(|node| {
                let all = (0..node.members.len()).collect();
                (node, all)
            })
        }
    };
    let Some((node, members)) = members else {
        return Ok(Vec::new());
    };
    let controller = routes::Controller::of(ids.snapshot(), &node)?;
    let of_member = |member: usize| reached((&node, &controller), member, at);
    Ok(members.into_iter().flat_map(of_member).collect())
}

/// The routes of an action of a type, which lead to a changed symbol.
fn reached(
    (node, controller): (&TypeNode, &routes::Controller<'_>),
    member: usize,
    symbol: usize,
) -> Vec<ReachedRoute> {
    let action = &node.members[member];
    let simple = node.fqn.rsplit(['.', '+']).next().unwrap_or(&node.fqn);
    let part = node.parts.get(action.part as usize).or(node.parts.first());
    let is_served = routes::is_served(node);
    let found = controller.entries_of(action).into_iter();
    let found = found.map(|(verb, template)| ReachedRoute {
        is_served,
        verb,
        template,
        handler: format!("{simple}.{}", action.name),
        path: part.map_or_else(|| node.project.clone(), |part| part.path.clone()),
        line: part.map_or(1, |part| part.line),
        project: node.project.clone(),
        symbol,
    });
    found.collect()
}

/// Whether a member that is named like this may run.
pub(crate) fn names_what_runs(role: Role) -> bool {
    !matches!(
        role,
        Role::Typeof | Role::Nameof | Role::Literal | Role::Doc | Role::Attribute
    )
}

/// Whether a type is one that starts an application of ASP.NET Core by its name.
fn starts_application(fqn: &str) -> bool {
    let simple = fqn.rsplit(['.', '+']).next().unwrap_or(fqn);
    simple == "Program" || simple.starts_with("Startup")
}

/// How ASP.NET Core calls what middleware does with each request.
const MIDDLEWARE: [&str; 2] = ["Invoke", "InvokeAsync"];

/// Whether a member is what middleware does, by its name.
fn is_middleware(ids: &mut DocIds<'_>, (key, tag): Member) -> Result<bool, QueryError> {
    let own = ids.ty(key)?;
    Ok(own.is_some_and(|own| {
        let at = own.index(tag);
        at.is_some_and(|at| MIDDLEWARE.contains(&own.symbols.members[at].simple_name()))
    }))
}

/// The projects whose start puts a type into the pipeline of requests: `UseMiddleware<T>()`.
fn hosts_of(
    compared: &Compared,
    ids: &DocIds<'_>,
    ty: TypeKey,
) -> Result<BTreeSet<RepoPath>, QueryError> {
    let wanted = Wanted::from([(ty, vec![Want::of(None, 0)])]);
    let places = uses::find(ids.snapshot(), &wanted)?;
    let mut out = BTreeSet::new();
    let arguments = places.found.iter();
    for found in arguments.filter(|it| it.role == Role::Local) {
        let project = &places.files[found.file as usize].projects[found.project as usize];
        let Some((around, _)) = found.inside else {
            continue;
        };
        let header = ids.snapshot().type_header(around)?;
        let starts = header.is_some_and(|header| starts_application(&header.fqn));
        if starts && !compared.is_of_tests(project) {
            out.insert(project.clone());
        }
    }
    Ok(out)
}

/// Whether a symbol is there and runs otherwise than before.
fn runs_otherwise(symbol: &ChangedSymbol) -> bool {
    symbol.side == UseSide::New && symbol.runs_otherwise()
}

/// The changed members, those that use them, and those that read by reflection what came or went; each once.
/// Callers of contracts of many types are left out. With who uses which changed member, and those that
/// run otherwise themselves.
fn nearest(
    compared: &Compared,
    symbols: &[ChangedSymbol],
    (places, vias, close): (&Places, &[Via], &Close),
    readers: &[(Member, usize)],
) -> (Vec<Runs>, (Users, BTreeSet<Member>)) {
    let changed = symbols.iter().enumerate();
    let changed = changed.filter(|(_, symbol)| runs_otherwise(symbol));
    let changed = changed.filter_map(|(symbol, of)| {
        Some(Runs {
            member: (of.key, of.member?),
            objects: Objects::Any,
            symbol,
        })
    });
    let mut used_by = Users::default();
    let mut own: BTreeSet<Member> = changed.clone().map(|it| it.member).collect();
    own.extend(readers.iter().map(|(member, _)| *member));
    let users = places.found.iter().filter_map(|found| {
        let project = &places.files[found.file as usize].projects[found.project as usize];
        let is_product = !compared.is_of_tests(project);
        let via = found.want.via.map(|at| &vias[at]);
        let is_read = via.is_some_and(|via| via.relation == ViaRelation::Reflection);
        let of = &symbols[found.want.symbol];
        let is_run = || names_what_runs(found.role) && runs_otherwise(of);
        if !is_product || !(is_read || is_run()) {
            return None;
        }
        // Statements of no member have none.
        let member = found.inside.and_then(|(key, tag)| Some((key, tag?)));
        let is_followed = close.has(found, symbols);
        if let Some(changed) = of.member {
            let user = member.filter(|_| is_followed);
            used_by.entry((of.key, changed)).or_default().insert(user);
        } else {
            own.extend(member);
        }
        let runs = member.map(|member| Runs {
            member,
            objects: Objects::at(found),
            symbol: found.want.symbol,
        });
        runs.filter(|_| is_followed)
    });
    let readers = readers.iter().map(|&(member, symbol)| Runs {
        member,
        objects: Objects::Any,
        symbol,
    });
    let users: Vec<Runs> = users.collect();
    let mut near: Vec<Runs> = Vec::new();
    let mut known: BTreeMap<Member, usize> = BTreeMap::new();
    for runs in changed.chain(users).chain(readers) {
        match known.entry(runs.member) {
            Entry::Vacant(entry) => {
                entry.insert(near.len());
                near.push(runs);
            }
            Entry::Occupied(entry) => {
                let objects = &mut near[*entry.get()].objects;
                *objects = std::mem::replace(objects, Objects::Any).or(runs.objects);
            }
        }
    }
    (near, (used_by, own))
}

/// The declaration of a member in a type that may have actions: one of whose members has an attribute, a controller, or one
/// that an endpoint of a framework runs.
pub(crate) fn written(
    ids: &mut DocIds<'_>,
    (key, tag): Member,
) -> Result<Option<(TypeNode, usize)>, QueryError> {
    let Some(node) = ids.snapshot().type_node(key)? else {
        return Ok(None);
    };
    let has_attributes = (node.members.iter()).any(|member| !member.attributes.is_empty());
    if !has_attributes && !routes::is_controller(&node) && !routes::is_served(&node) {
        return Ok(None);
    }
    let Some(known) = ids.ty(key)? else {
        return Ok(None);
    };
    let wanted = known.index(tag);
    let declared = written_members(&node, &known);
    let at = (wanted.is_some()).then(|| declared.iter().position(|at| *at == wanted));
    Ok(at.flatten().map(|at| (node, at)))
}
