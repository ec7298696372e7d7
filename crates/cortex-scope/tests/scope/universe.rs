//! A universe that is written down.

use std::collections::BTreeMap;

use cortex_scope::*;

/// Everything as data.
#[derive(Default)]
pub(crate) struct Written {
    pub(crate) files: Vec<ScopeFile>,
    pub(crate) modules: Vec<ScopeModule>,
    pub(crate) libraries: Vec<ScopeLibrary>,
    pub(crate) named: Vec<NamedScope>,
    pub(crate) context: CallerContext,
    pub(crate) namespaces: BTreeMap<String, Vec<String>>,
    pub(crate) properties: BTreeMap<Property, Vec<FileId>>,
    pub(crate) provided: BTreeMap<String, Provided>,
}

impl Written {
    /// Files by their URLs, of no module.
    pub(crate) fn of(urls: &[&str]) -> Self {
        let mut universe = Self::default();
        for url in urls {
            universe.add(url, RootKind::Content, &[]);
        }
        universe
    }

    /// Files have to come sorted.
    pub(crate) fn add(&mut self, url: &str, root: RootKind, modules: &[usize]) {
        self.files.push(ScopeFile {
            url: url.to_owned(),
            root,
            modules: modules.to_vec(),
            library: None,
        });
        assert!(self.files.is_sorted_by_key(|file| file.url.clone()));
    }

    /// A module in a folder.
    pub(crate) fn module(&mut self, name: &str, directory: &str) -> usize {
        self.modules.push(ScopeModule {
            name: name.to_owned(),
            project: name.to_owned(),
            directory: directory.to_owned(),
            root_namespace: name.to_owned(),
            groups: Vec::new(),
            references: Vec::new(),
            libraries: Vec::new(),
        });
        self.modules.len() - 1
    }

    pub(crate) fn named(mut self, holder: &str, name: &str, pattern: &str) -> Self {
        self.named.push(NamedScope {
            holder: holder.to_owned(),
            name: name.to_owned(),
            pattern: pattern.to_owned(),
        });
        self
    }

    /// The URLs of the files that an expression gives, whole or not.
    #[track_caller]
    pub(crate) fn files_of(&self, expression: &str) -> Vec<&str> {
        let request = infix::compile(expression).expect("an expression");
        let resolved = resolve(&request, self).expect("a scope");
        self.urls(&resolved.scope)
    }

    pub(crate) fn urls(&self, scope: &Scope) -> Vec<&str> {
        scope
            .files()
            .map(|(file, _)| self.files[file.index()].url.as_str())
            .collect()
    }
}

impl Universe for Written {
    fn files(&self) -> &[ScopeFile] {
        &self.files
    }

    fn modules(&self) -> &[ScopeModule] {
        &self.modules
    }

    fn libraries(&self) -> &[ScopeLibrary] {
        &self.libraries
    }

    fn named_scopes(&self) -> &[NamedScope] {
        &self.named
    }

    fn context(&self) -> &CallerContext {
        &self.context
    }

    fn root_url(&self) -> Option<&str> {
        Some("file:///home/me/my shop")
    }

    fn namespaces(&self) -> Result<Vec<Vec<String>>, Unavailable> {
        let of = |file: &ScopeFile| self.namespaces.get(&file.url).cloned().unwrap_or_default();
        Ok(self.files.iter().map(of).collect())
    }

    fn files_with(&self, property: Property) -> Result<Vec<FileId>, Unavailable> {
        let unknown = || Unavailable("nobody looked".to_owned());
        self.properties.get(&property).cloned().ok_or_else(unknown)
    }

    fn provide(&self, provider: &Provider) -> Result<Provided, Unavailable> {
        let unknown = || Unavailable(format!("nothing is `{}`", provider.id()));
        self.provided
            .get(&provider.id())
            .cloned()
            .ok_or_else(unknown)
    }

    fn providers(&self) -> Vec<Provider> {
        let parse = |id: &String| Provider::parse(id).expect("the id of a provider");
        self.provided.keys().map(parse).collect()
    }
}
