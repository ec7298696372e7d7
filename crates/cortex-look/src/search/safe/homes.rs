//! Which files are of which area.
//!
//! Must not know: how areas are detected, what is asked of them.

use crate::{
    QueryError,
    search::candidates::{Masks, masks},
};
use cortex_derived::files::Candidate;

use cortex_area::{Area, Confidence};

/// Which files are of which area.
pub(crate) struct Homes<'a> {
    areas: &'a [Area],
    /// Of areas that were configured.
    globs: Vec<Option<Masks>>,
}

/// The name of what is of no area.
pub(crate) const NO_AREA: &str = "other";

impl<'a> Homes<'a> {
    pub(crate) fn of(areas: &'a [Area]) -> Result<Self, QueryError> {
        let globs = areas.iter().map(|area| {
            let is_known = cortex_area::language_of(&area.language).is_some()
                && area.evidence != ["configured"];
            if is_known {
                return Ok(None);
            }
            let mut all = area.suggested_globs.clone();
            all.extend(area.exclude_globs.iter().map(|glob| format!("!{glob}")));
            masks(&all).map(Some)
        });
        Ok(Self {
            areas,
            globs: globs.collect::<Result<_, QueryError>>()?,
        })
    }

    /// The areas, and last what is of none.
    pub(crate) fn named(&self) -> Vec<Area> {
        let mut out = self.areas.to_vec();
        out.push(Area {
            name: NO_AREA.to_owned(),
            language: String::new(),
            root: String::new(),
            confidence: Confidence::Low,
            evidence: Vec::new(),
            suggested_globs: Vec::new(),
            exclude_globs: Vec::new(),
        });
        out
    }

    /// The files of each area, and last those of none; of one area alone where it is asked for. A file is of the
    /// innermost area that has it.
    pub(crate) fn sort(
        &self,
        all: &[Candidate],
        only: Option<&str>,
    ) -> Result<Vec<Vec<usize>>, QueryError> {
        let known = |name: &str| name == NO_AREA || self.areas.iter().any(|it| it.name == name);
        if let Some(name) = only
            && !known(name)
        {
            let mut known: Vec<String> = self.areas.iter().map(|it| it.name.clone()).collect();
            known.push(NO_AREA.to_owned());
            return Err(QueryError::UnknownArea {
                name: name.to_owned(),
                known,
                example: None,
            });
        }
        let mut order: Vec<usize> = (0..self.areas.len()).collect();
        order.sort_by_key(|at| std::cmp::Reverse(self.areas[*at].root.len()));
        let mut out = vec![Vec::new(); self.areas.len() + 1];
        // Files lie in the order of their folders, and what is asked of a folder holds for all of its files.
        let mut folder = None;
        let mut here: Vec<usize> = Vec::new();
        for (at, file) in all.iter().enumerate() {
            let path = file.path.as_str();
            if folder != Some(file.path.folder()) {
                folder = Some(file.path.folder());
                here.clear();
                let around = order.iter().copied();
                here.extend(around.filter(|area| self.is_around(*area, file.path.folder())));
            }
            let extension = file.path.extension();
            let home = here
                .iter()
                .copied()
                .find(|area| self.has(*area, path, extension));
            out[home.unwrap_or(self.areas.len())].push(at);
        }
        if let Some(name) = only {
            for (at, own) in out.iter_mut().enumerate() {
                if self
                    .areas
                    .get(at)
                    .map_or(NO_AREA, |area| area.name.as_str())
                    != name
                {
                    own.clear();
                }
            }
        }
        Ok(out)
    }

    /// Whether files of a folder may be of an area.
    fn is_around(&self, area: usize, folder: &str) -> bool {
        let Area { root, language, .. } = &self.areas[area];
        let rest = match folder.strip_prefix(root.as_str()) {
            Some(rest) if root.is_empty() || rest.is_empty() || rest.starts_with('/') => rest,
            _ => return false,
        };
        self.globs[area].is_some()
            || cortex_area::language_of(language).is_some_and(|language| {
                !rest
                    .split('/')
                    .any(|folder| language.excluded.contains(&folder))
            })
    }

    /// Whether a file is of an area that is around it.
    fn has(&self, area: usize, path: &str, extension: &str) -> bool {
        match &self.globs[area] {
            Some(globs) => globs.take(path),
            None => cortex_area::language_of(&self.areas[area].language).is_some_and(|language| {
                let mut all = language.extensions.iter();
                all.any(|known| known.eq_ignore_ascii_case(extension))
            }),
        }
    }
}
