//! Which tokens of two sides are one, and what is left of each.
//!
//! Owns: the numbers that tokens of both sides have in common, so that decisions about them can be compared. Must not
//! know: what is decided.

use std::{collections::BTreeMap, time::Duration};

use cortex_model::RepoPath;
use cortex_semantics::{FilePositions, Positions};
use rustc_hash::FxHashMap;
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use super::{
    pairing::{Entities, PairingSide, Pairs, pair, pair_parts},
    source::SourceFile,
};

/// A file, and a declaration of it; the file itself for `None`.
pub(super) type Part = (usize, Option<u32>);

/// A declaration without what it holds, or what stands outside of declarations in a file; on one side, or on both.
pub(super) struct Unit {
    pub(super) sides: [Option<Part>; 2],
    /// Tokens that only one side has, which change more than layout and what names mean.
    pub(super) unmatched: [Vec<usize>; 2],
    /// Numbers of words that stand where the other side has another word.
    pub(super) renamed: Vec<u32>,
}

/// Two sets of files, token by token.
pub(super) struct Alignment<'a> {
    pub(super) files: [&'a [SourceFile]; 2],
    /// For each side, file and token the number that it has in common with one of the other side.
    numbers: [Vec<Vec<Option<u32>>>; 2],
    pub(super) units: Vec<Unit>,
    /// The unit of each number.
    pub(super) unit_of: Vec<u32>,
}

/// So long two declarations may take to be compared; what is not found by then counts as different.
const MAX_TIME: Duration = Duration::from_secs(1);

impl<'a> Alignment<'a> {
    /// Aligns two sides. `renamed`: the new paths of files that git says were renamed.
    pub(super) fn of(
        old: &'a [SourceFile],
        new: &'a [SourceFile],
        renamed: &BTreeMap<RepoPath, RepoPath>,
    ) -> Self {
        let entities = [Entities::of(old), Entities::of(new)];
        let pairs = pair(
            &PairingSide {
                files: old,
                entities: &entities[0],
            },
            &PairingSide {
                files: new,
                entities: &entities[1],
            },
        );
        let numbers = [old, new].map(|files| {
            let all = files.iter();
            all.map(|file| vec![None; file.tokens.len()]).collect()
        });
        let mut alignment = Self {
            files: [old, new],
            numbers,
            units: Vec::new(),
            unit_of: Vec::new(),
        };
        alignment.align_files(renamed);
        alignment.align_entities(&entities, &pairs, renamed);
        alignment
    }

    fn align_files(&mut self, renamed: &BTreeMap<RepoPath, RepoPath>) {
        let [old, new] = self.files;
        let mut left: Vec<usize> = (0..new.len()).collect();
        for (a, file) in old.iter().enumerate() {
            let path = renamed.get(&file.path).unwrap_or(&file.path);
            let b = left.iter().position(|&b| new[b].path == *path);
            let b = b.map(|at| left.remove(at));
            self.align([Some((a, None)), b.map(|b| (b, None))]);
        }
        for b in left {
            self.align([None, Some((b, None))]);
        }
    }

    fn align_entities(
        &mut self,
        entities: &[Entities; 2],
        pairs: &Pairs,
        renamed: &BTreeMap<RepoPath, RepoPath>,
    ) {
        let whole = |(file, decl): (usize, u32)| (file, Some(decl));
        for &(a, b) in &pairs.pairs {
            let parts = (&*entities[0].all[a].parts, &*entities[1].all[b].parts);
            let (both, [olds, news]) = pair_parts((self.files[0], self.files[1]), parts, renamed);
            let mut first = None;
            for [a, b] in both {
                self.align([Some(whole(a)), Some(whole(b))]);
                // A type is one symbol, however many parts it has.
                let names = [self.name(0, a), self.name(1, b)];
                if let [Some(old), Some(new)] = names {
                    let unit = self.units.len() as u32 - 1;
                    let number = *first.get_or_insert_with(|| {
                        self.unit_of.push(unit);
                        self.unit_of.len() as u32 - 1
                    });
                    self.numbers[0][a.0][old] = Some(number);
                    self.numbers[1][b.0][new] = Some(number);
                }
            }
            for (side, all) in [olds, news].into_iter().enumerate() {
                for part in all {
                    if let (Some(token), Some(number)) = (self.name(side, part), first) {
                        self.numbers[side][part.0][token] = Some(number);
                    }
                    self.align_one(side, whole(part));
                }
            }
        }
        for (side, all) in [&pairs.only_old, &pairs.only_new].into_iter().enumerate() {
            for &entity in all {
                self.align_all(side, &entities[side], entity);
            }
        }
    }

    /// What a side alone declares, with what that holds.
    fn align_all(&mut self, side: usize, entities: &Entities, entity: usize) {
        let mut todo = vec![entity];
        while let Some(entity) = todo.pop() {
            for &(file, decl) in &entities.all[entity].parts {
                self.align_one(side, (file, Some(decl)));
            }
            todo.extend(&entities.all[entity].children);
        }
    }

    fn align_one(&mut self, side: usize, part: Part) {
        let mut sides = [None, None];
        sides[side] = Some(part);
        self.align(sides);
    }

    fn name(&self, side: usize, (file, decl): (usize, u32)) -> Option<usize> {
        self.files[side][file].name_token(decl)
    }

    /// Adds a unit.
    fn align(&mut self, sides: [Option<Part>; 2]) {
        let unit = self.units.len() as u32;
        let tokens: Vec<Vec<usize>> = (0..2)
            .map(|side| match sides[side] {
                Some((file, decl)) => self.files[side][file].own_tokens(decl),
                None => Vec::new(),
            })
            .collect();
        let texts: Vec<Vec<&[u8]>> = (0..2)
            .map(|side| {
                let file = sides[side].map(|(file, _)| &self.files[side][file]);
                let all = tokens[side].iter();
                all.filter_map(|&token| Some(file?.token_text(token)))
                    .collect()
            })
            .collect();
        let deadline = std::time::Instant::now().checked_add(MAX_TIME);
        let ops = capture_diff_slices_deadline(Algorithm::Myers, &texts[0], &texts[1], deadline);
        let mut unmatched = [Vec::new(), Vec::new()];
        let mut renamed = Vec::new();
        for op in ops {
            let (mut old, mut new) = (op.old_range(), op.new_range());
            let is_equal = matches!(op, DiffOp::Equal { .. });
            let is_word = |side: usize, at: usize| {
                let file = sides[side].map(|(file, _)| &self.files[side][file]);
                file.is_some_and(|file| file.is_word(tokens[side][at]))
            };
            // A word in the place of a word may be another name of one symbol: binding tells.
            let pairs = old.clone().zip(new.clone());
            let n_paired = pairs
                .take_while(|&(old, new)| is_equal || is_word(0, old) && is_word(1, new))
                .count();
            if let (Some((a, _)), Some((b, _))) = (sides[0], sides[1]) {
                for _ in 0..n_paired {
                    let (Some(old), Some(new)) = (old.next(), new.next()) else {
                        break;
                    };
                    let number = self.unit_of.len() as u32;
                    self.unit_of.push(unit);
                    self.numbers[0][a][tokens[0][old]] = Some(number);
                    self.numbers[1][b][tokens[1][new]] = Some(number);
                    if !is_equal {
                        renamed.push(number);
                    }
                }
            }
            for (side, range) in [old, new].into_iter().enumerate() {
                unmatched[side].extend(range.map(|at| tokens[side][at]));
            }
        }
        for (side, unmatched) in unmatched.iter_mut().enumerate() {
            if let Some((file, decl)) = sides[side] {
                unmatched.retain(|&token| !self.files[side][file].says_nothing(decl, token));
            }
        }
        if let Some((file, None)) = sides[0] {
            let is_qualifier = |number: &u32| {
                let mut all = self.numbers[0][file].iter();
                let token = all.position(|it| it.as_ref() == Some(number));
                token.is_some_and(|token| self.files[0][file].is_qualifier(token))
            };
            renamed.retain(|number| !is_qualifier(number));
        }
        self.units.push(Unit {
            sides,
            unmatched,
            renamed,
        });
    }

    /// Whether a token has a partner.
    pub(super) fn has_number(&self, side: usize, file: usize, token: usize) -> bool {
        self.numbers[side][file][token].is_some()
    }

    /// Where a number stands on a side: the file and the offset of the token.
    pub(super) fn places(&self, side: usize) -> Vec<(usize, u32)> {
        let mut places = vec![(0, 0); self.unit_of.len()];
        for (file, numbers) in self.numbers[side].iter().enumerate() {
            for (token, number) in numbers.iter().enumerate() {
                if let Some(number) = number {
                    let start = self.files[side][file].tokens[token].range.start;
                    places[*number as usize] = (file, start);
                }
            }
        }
        places
    }

    /// The positions of a side.
    pub(super) fn positions(&self, side: usize) -> CommonPositions<'_> {
        let files = self.files[side].iter().enumerate();
        CommonPositions {
            alignment: self,
            side,
            files: files.map(|(at, file)| (&file.path, at)).collect(),
            common: RepoPath::from_bytes(b"*"),
        }
    }
}

/// What the tokens of one side are called on both.
pub(super) struct CommonPositions<'a> {
    alignment: &'a Alignment<'a>,
    side: usize,
    files: FxHashMap<&'a RepoPath, usize>,
    /// In the place of the path of every changed file.
    common: RepoPath,
}

impl Positions for CommonPositions<'_> {
    fn of_file(&self, path: &RepoPath) -> FilePositions<'_> {
        let Some(&at) = self.files.get(path) else {
            return FilePositions {
                path: path.clone(),
                offset: Box::new(Some),
                side: SIDES[self.side],
            };
        };
        let file = &self.alignment.files[self.side][at];
        let numbers = &self.alignment.numbers[self.side][at];
        FilePositions {
            path: self.common.clone(),
            offset: Box::new(move |offset| numbers[file.token_at(offset)?]),
            side: SIDES[self.side],
        }
    }
}

const SIDES: [&str; 2] = ["old", "new"];
