//! Resolves atoms to scopes against a universe.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    data::{ModuleFlavor, ScopeShape},
    diagnostic::DiagnosticCode,
    file_set::FileSet,
    find::{self, suggestion},
    hints,
    named::{self, NamedScope, PREDEFINED},
    pattern::{Leaf, LeafKind, PatternSet},
    provider::Provider,
    ranges::Ranges,
    scope::Scope,
    standard::{PredefinedScope, StandardScope},
    subject,
    target::Target,
    universe::{
        Property, Provided, REPOSITORY, RootKind, ScopeFile, ScopeModule, Unavailable, Universe,
    },
};

/// How many named scopes may refer to each other in a row, so that a hostile file cannot exhaust the stack.
const MAX_CHAIN: usize = 64;

/// Why an atom cannot be resolved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Failure {
    pub(crate) code: DiagnosticCode,
    pub(crate) message: String,
}

impl Failure {
    fn new(message: impl Into<String>) -> Self {
        Self {
            code: DiagnosticCode::UnresolvedAtom,
            message: message.into(),
        }
    }
}

impl From<Unavailable> for Failure {
    fn from(unavailable: Unavailable) -> Self {
        Self::new(unavailable.0)
    }
}

/// Resolves atoms, and caches what it has read from the universe.
pub(crate) struct Resolver<'u> {
    universe: &'u dyn Universe,
    allows_interactive: bool,
    namespaces: Option<Vec<Vec<String>>>,
    properties: BTreeMap<Property, FileSet>,
    named: BTreeMap<(&'u str, &'u str), FileSet>,
    /// In the order of discovery, without duplicates.
    warnings: Vec<(DiagnosticCode, String)>,
    /// Whether [`Universe::named_problems`] were reported; they are reported once.
    has_reported_problems: bool,
}

impl<'u> Resolver<'u> {
    pub(crate) fn new(universe: &'u dyn Universe, allows_interactive: bool) -> Self {
        Self {
            universe,
            allows_interactive,
            namespaces: None,
            properties: BTreeMap::new(),
            named: BTreeMap::new(),
            warnings: Vec::new(),
            has_reported_problems: false,
        }
    }

    /// Takes the warnings since the last call.
    pub(crate) fn take_warnings(&mut self) -> Vec<(DiagnosticCode, String)> {
        for message in self.universe.take_warnings() {
            self.warn(DiagnosticCode::Incomplete, message);
        }
        std::mem::take(&mut self.warnings)
    }

    fn warn(&mut self, code: DiagnosticCode, message: String) {
        if !self.warnings.iter().any(|(_, known)| *known == message) {
            self.warnings.push((code, message));
        }
    }

    /// Warns about named scopes that are unknown: one of them could be the requested one.
    fn report_problems(&mut self) {
        if !std::mem::replace(&mut self.has_reported_problems, true) {
            for problem in self.universe.named_problems() {
                self.warn(DiagnosticCode::UnreadNamedScope, problem.clone());
            }
        }
    }

    pub(crate) fn empty(&self, shape: ScopeShape) -> Scope {
        Scope::empty(shape, self.n_files())
    }

    fn n_files(&self) -> usize {
        self.universe.files().len()
    }

    fn files_where(&self, is_in: impl Fn(&ScopeFile) -> bool) -> FileSet {
        let files = self.universe.files();
        FileSet::from_fn(files.len(), |file| is_in(&files[file.index()]))
    }

    pub(crate) fn scope(&mut self, target: &Target) -> Result<Scope, Failure> {
        match target {
            Target::Standard(scope) => self.standard(*scope),
            Target::Module { name, flavor } => self.module(name, *flavor).map(Scope::global),
            Target::Named { name, holder } => {
                self.named(name, holder.as_deref()).map(Scope::global)
            }
            Target::Pattern(text) => {
                let pattern = parse(text)?;
                self.pattern(&pattern, None, &mut Vec::new())
                    .map(Scope::global)
            }
            Target::Directory(url) => self.directory(url).map(Scope::global),
            Target::Files(urls) => self.files(urls).map(Scope::global),
            Target::Provider(provider) => self.provider(provider),
            Target::ProviderReference(reference) => {
                let provider = self
                    .universe
                    .providers()
                    .into_iter()
                    .find(|it| Target::Provider(it.clone()).reference().as_ref() == Some(reference))
                    .ok_or_else(|| {
                        Failure::new(format!(
                            "the catalog has no `{reference}`; set `providerScopeId` instead"
                        ))
                    })?;
                self.provider(&provider)
            }
        }
    }

    fn standard(&mut self, scope: StandardScope) -> Result<Scope, Failure> {
        let files = match scope {
            StandardScope::AllPlaces => self.files_where(|_| true),
            StandardScope::ProjectAndLibraries => self
                .files_where(|file| file.root.is_in_repository() || file.root == RootKind::Library),
            StandardScope::ProjectFiles => self.files_where(|file| file.root.is_in_repository()),
            StandardScope::ProductionFiles => {
                self.files_where(|file| file.root == RootKind::Source)
            }
            StandardScope::TestFiles => self.files_where(|file| file.root == RootKind::TestSource),
            StandardScope::Scratches => self.property(Property::Scratch)?,
            StandardScope::RecentlyViewed => self.property(Property::RecentlyViewed)?,
            StandardScope::RecentlyChanged => self.property(Property::RecentlyChanged)?,
            StandardScope::OpenFiles => match &self.universe.context().open_files {
                Some(urls) => self.files(urls)?,
                None => return Err(self.without_context(scope)),
            },
            StandardScope::CurrentFile => match &self.universe.context().current_file {
                Some(url) => self.files(std::slice::from_ref(url))?,
                None => return Err(self.without_context(scope)),
            },
            StandardScope::Selection => {
                let Some(selection) = &self.universe.context().selection else {
                    return Err(self.without_context(scope));
                };
                let mut ranges = Vec::new();
                for (url, range) in selection {
                    ranges.push((find::file(self.universe, url)?, Ranges::new([*range])));
                }
                return Ok(Scope::local(self.n_files(), ranges));
            }
        };
        Ok(Scope::global(files))
    }

    fn without_context(&self, scope: StandardScope) -> Failure {
        let id = scope.id();
        Failure {
            code: DiagnosticCode::MissingContext,
            message: match self.allows_interactive {
                true => format!("`{id}` is allowed, but the caller did not provide it"),
                false => format!("only an editor knows `{id}`; the caller must provide it"),
            },
        }
    }

    fn property(&mut self, property: Property) -> Result<FileSet, Failure> {
        if let Some(known) = self.properties.get(&property) {
            return Ok(known.clone());
        }
        let files = self.universe.files_with(property)?;
        let set = FileSet::from_ids(self.n_files(), files);
        self.properties.insert(property, set.clone());
        Ok(set)
    }

    fn module(&self, name: &str, flavor: ModuleFlavor) -> Result<FileSet, Failure> {
        let modules = self.universe.modules();
        let mut inside: BTreeSet<usize> = (0..modules.len())
            .filter(|index| modules[*index].name == name || modules[*index].project == name)
            .collect();
        if inside.is_empty() {
            let names = modules
                .iter()
                .flat_map(|module| [module.name.as_str(), module.project.as_str()]);
            return Err(Failure::new(format!(
                "no project is named `{name}`{}",
                suggestion(name, names)
            )));
        }
        if flavor.has_dependencies() {
            let mut open: Vec<usize> = inside.iter().copied().collect();
            while let Some(next) = open.pop() {
                for reference in &modules[next].references {
                    if *reference < modules.len() && inside.insert(*reference) {
                        open.push(*reference);
                    }
                }
            }
        }
        let mut libraries: BTreeSet<usize> = BTreeSet::new();
        if flavor.has_libraries() {
            for module in &inside {
                libraries.extend(&modules[*module].libraries);
            }
        }
        Ok(self.files_where(|file| {
            file.modules.iter().any(|module| inside.contains(module))
                || file
                    .library
                    .is_some_and(|library| libraries.contains(&library))
        }))
    }

    /// The holder of the scope that a name resolves to: shared scopes come first, predefined ones last.
    pub(crate) fn holder(&self, name: &str) -> Option<&'u str> {
        let found = self.find_named(name, None);
        let predefined = || PredefinedScope::from_name(name).map(|_| PREDEFINED);
        found.map(|scope| scope.holder.as_str()).or_else(predefined)
    }

    fn find_named(&self, name: &str, holder: Option<&str>) -> Option<&'u NamedScope> {
        let scopes = self.universe.named_scopes();
        let matches = |scope: &&NamedScope| {
            scope.name == name && holder.is_none_or(|holder| scope.holder == holder)
        };
        match holder {
            None => named::find(scopes, name, None).or_else(|| scopes.iter().find(matches)),
            Some(_) => scopes.iter().find(matches),
        }
    }

    fn named(&mut self, name: &str, holder: Option<&str>) -> Result<FileSet, Failure> {
        let scopes = self.universe.named_scopes();
        if let Some(scope) = self.find_named(name, holder) {
            self.report_problems();
            return self.named_scope(scope, &mut Vec::new());
        }
        if holder.is_none_or(|holder| holder == PREDEFINED)
            && let Some(scope) = PredefinedScope::from_name(name)
        {
            return self.predefined(scope);
        }
        if holder.is_none()
            && let Some(message) = hints::for_unknown_name(name)
        {
            return Err(Failure::new(message));
        }
        let names = scopes.iter().map(|scope| scope.name.as_str());
        let predefined = PredefinedScope::ALL.iter().map(|scope| scope.name());
        let standard = StandardScope::ALL.iter().map(|scope| scope.id());
        let near = suggestion(name, names.chain(predefined).chain(standard));
        let problems: String = (self.universe.named_problems().iter())
            .map(|problem| format!("; {problem}"))
            .collect();
        Err(Failure::new(match holder {
            None => format!("no scope is named `{name}`{near}{problems}"),
            Some(holder) => format!("`{holder}` has no scope `{name}`{near}{problems}"),
        }))
    }

    fn predefined(&mut self, scope: PredefinedScope) -> Result<FileSet, Failure> {
        Ok(match scope {
            PredefinedScope::ProjectFiles => self.files_where(|file| file.root.is_in_repository()),
            PredefinedScope::All => self.files_where(|_| true),
            PredefinedScope::NonProjectFiles => {
                self.files_where(|file| !file.root.is_in_repository())
            }
            PredefinedScope::Production => self.files_where(|file| file.root == RootKind::Source),
            PredefinedScope::Tests => self.files_where(|file| file.root == RootKind::TestSource),
            PredefinedScope::GeneratedFiles => self.property(Property::Generated)?,
            PredefinedScope::ChangedFiles => self.property(Property::Changed)?,
            PredefinedScope::Problems => self.property(Property::Erroneous)?,
        })
    }

    /// Resolves a named scope; `chain` has the named scopes that led to it.
    fn named_scope(
        &mut self,
        scope: &'u NamedScope,
        chain: &mut Vec<&'u NamedScope>,
    ) -> Result<FileSet, Failure> {
        let key = (scope.holder.as_str(), scope.name.as_str());
        if let Some(known) = self.named.get(&key) {
            return Ok(known.clone());
        }
        if let Some(start) = chain.iter().position(|it| std::ptr::eq(*it, scope)) {
            let mut names: Vec<&str> = chain[start..].iter().map(|it| it.name.as_str()).collect();
            names.push(&scope.name);
            return Err(Failure {
                code: DiagnosticCode::CyclicNamedScope,
                message: format!(
                    "named scopes refer to each other in a cycle: {}",
                    names.join(" → ")
                ),
            });
        }
        if chain.len() == MAX_CHAIN {
            return Err(Failure::new(format!(
                "more than {MAX_CHAIN} named scopes refer to each other in a row"
            )));
        }
        let pattern = parse(&scope.pattern).map_err(|failure| Failure {
            message: format!("named scope `{}`: {}", scope.name, failure.message),
            ..failure
        })?;
        chain.push(scope);
        let set = self.pattern(&pattern, Some(&scope.holder), chain);
        chain.pop();
        let set = set?;
        self.named.insert(key, set.clone());
        Ok(set)
    }

    /// The files that a pattern matches; `holder` has the pattern.
    fn pattern(
        &mut self,
        pattern: &PatternSet,
        holder: Option<&str>,
        chain: &mut Vec<&'u NamedScope>,
    ) -> Result<FileSet, Failure> {
        match pattern {
            PatternSet::Or(sets) => {
                let mut out = FileSet::none(self.n_files());
                for set in sets {
                    out.union_with(&self.pattern(set, holder, chain)?);
                }
                Ok(out)
            }
            PatternSet::And(sets) => {
                let mut out = self.files_where(|_| true);
                for set in sets {
                    out.intersect_with(&self.pattern(set, holder, chain)?);
                }
                Ok(out)
            }
            PatternSet::Not(set) => Ok(self.pattern(set, holder, chain)?.complement()),
            PatternSet::Named(name) => {
                // In the IDE every pattern belongs to a holder; one without a holder sees all names.
                let found = match holder {
                    None => self.find_named(name, None),
                    Some(_) => named::find(self.universe.named_scopes(), name, holder),
                };
                if let Some(scope) = found {
                    self.report_problems();
                    return self.named_scope(scope, chain);
                }
                if let Some(scope) = PredefinedScope::from_name(name) {
                    return self.predefined(scope);
                }
                self.report_problems();
                let elsewhere = match (holder, self.find_named(name, None)) {
                    (Some(holder), Some(found)) => format!(
                        "; patterns in `{holder}` cannot see the one in `{}`, as in the IDE",
                        found.holder
                    ),
                    _ => String::new(),
                };
                self.warn(
                    DiagnosticCode::MissingNamedScope,
                    format!("no named scope `{name}`, so `${name}` matches nothing{elsewhere}"),
                );
                Ok(FileSet::none(self.n_files()))
            }
            PatternSet::Leaf(leaf) => self.leaf(leaf),
        }
    }

    fn leaf(&mut self, leaf: &Leaf) -> Result<FileSet, Failure> {
        let (files, modules) = (self.universe.files(), self.universe.modules());
        if let Some(message) = self.missing_module(leaf) {
            self.warn(DiagnosticCode::MissingModule, message);
        }
        if leaf.kind().is_file_like() {
            return Ok(self.files_where(|file| {
                subject::is_in_modules(leaf, file, self.universe)
                    && subject::path(leaf.kind(), file, modules)
                        .is_some_and(|path| leaf.matches(path))
            }));
        }
        let problems = match leaf.kind() {
            LeafKind::Problem => Some(self.property(Property::Erroneous)?),
            _ => None,
        };
        let namespaces = match self.namespaces.take() {
            Some(known) => known,
            None => self.universe.namespaces()?,
        };
        let set = FileSet::from_fn(files.len(), |id| {
            let file = &files[id.index()];
            let is_of_kind = match leaf.kind() {
                LeafKind::Source => file.root == RootKind::Source,
                LeafKind::Test => file.root == RootKind::TestSource,
                LeafKind::Library => file.root == RootKind::Library,
                LeafKind::Problem => problems.as_ref().is_some_and(|set| set.contains(id)),
                _ => file.root.is_in_repository(),
            };
            let declared = namespaces.get(id.index()).map_or(&[][..], Vec::as_slice);
            is_of_kind
                && subject::is_in_modules(leaf, file, self.universe)
                && subject::qualified_names(file, declared, modules)
                    .iter()
                    .any(|name| leaf.matches(name))
        });
        self.namespaces = Some(namespaces);
        Ok(set)
    }

    /// Explains why no file matches the brackets of a pattern, where no module, folder or package does.
    fn missing_module(&self, leaf: &Leaf) -> Option<String> {
        let module = leaf.module()?;
        let text = module.text();
        let (kind, name, known): (_, _, Vec<&str>) = match leaf.kind() {
            LeafKind::Ext | LeafKind::Library => {
                let ids = self.universe.libraries().iter();
                let ids: Vec<&str> = ids.map(|library| library.package.as_str()).collect();
                if ids.iter().any(|id| module.matches_package(id)) {
                    return None;
                }
                ("package", text, ids)
            }
            _ => {
                let modules = self.universe.modules().iter();
                let matches =
                    |it: &ScopeModule| module.matches_module(&[&it.name, &it.project], &it.groups);
                if modules.clone().any(matches) {
                    return None;
                }
                match text.strip_prefix("group:") {
                    Some(group) => {
                        let groups = modules.flat_map(|it| &it.groups).map(String::as_str);
                        ("solution folder", group, groups.collect())
                    }
                    None => {
                        let names = modules.flat_map(|it| [it.name.as_str(), it.project.as_str()]);
                        ("project", text, names.collect())
                    }
                }
            }
        };
        let near = suggestion(name, known.into_iter());
        Some(format!(
            "no {kind} is named `{name}`, so `{leaf}` matches nothing{near}"
        ))
    }

    fn directory(&self, url: &str) -> Result<FileSet, Failure> {
        let url = find::known_url(self.universe, url);
        let below = match url.ends_with('/') {
            true => url.clone(),
            false => format!("{url}/"),
        };
        let set = self.files_where(|file| file.url.starts_with(&below));
        let mut elsewhere = self.universe.context().elsewhere.iter();
        // Every repository has a root, even an empty one.
        let is_known = url == REPOSITORY || elsewhere.any(|it| it.starts_with(&below));
        match set.is_empty() && !is_known {
            true => Err(Failure::new(find::no_directory(self.universe, &url))),
            false => Ok(set),
        }
    }

    fn files(&self, urls: &[String]) -> Result<FileSet, Failure> {
        let mut ids = Vec::new();
        for url in urls {
            match find::file(self.universe, url) {
                Ok(id) => ids.push(id),
                Err(unavailable) => {
                    let url = find::known_url(self.universe, url);
                    if !self.universe.context().elsewhere.contains(&url) {
                        return Err(unavailable.into());
                    }
                }
            }
        }
        Ok(FileSet::from_ids(self.n_files(), ids))
    }

    fn provider(&self, provider: &Provider) -> Result<Scope, Failure> {
        let shape = provider.family().shape();
        match self.universe.provide(provider)? {
            Provided::Files(files) if shape == ScopeShape::Global => {
                Ok(Scope::global(FileSet::from_ids(self.n_files(), files)))
            }
            Provided::Ranges(ranges) if shape == ScopeShape::Local => {
                Ok(Scope::local(self.n_files(), ranges))
            }
            _ => Err(Failure::new(format!(
                "`{}` gave a scope of another shape than {}",
                provider.id(),
                shape.as_str()
            ))),
        }
    }
}

fn parse(text: &str) -> Result<PatternSet, Failure> {
    PatternSet::parse(text).map_err(|error| Failure {
        code: DiagnosticCode::InvalidPattern,
        message: format!("`{text}`: {error}"),
    })
}
