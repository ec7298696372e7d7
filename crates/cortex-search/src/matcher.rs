//! The two ways to match inside a line.
//!
//! Must not know: how lines are found.

use grep_matcher::{LineTerminator, Match, Matcher, NoCaptures, NoError};
use grep_regex::RegexMatcher;
use memchr::memmem::Finder;

/// Matches inside lines.
#[derive(Clone, Debug)]
pub(crate) enum LineMatcher {
    /// A compiled expression.
    Expression(RegexMatcher),
    /// A long literal text. As an expression it would have a state for each byte, and could have to visit all of them
    /// for each byte of a line.
    Literal(Box<Finder<'static>>),
}

impl LineMatcher {
    /// Matches a text without line breaks literally.
    pub(crate) fn literal(text: &str) -> Self {
        Self::Literal(Box::new(Finder::new(text).into_owned()))
    }
}

impl Matcher for LineMatcher {
    type Captures = NoCaptures;
    type Error = NoError;

    fn find_at(&self, haystack: &[u8], at: usize) -> Result<Option<Match>, NoError> {
        match self {
            Self::Expression(matcher) => matcher.find_at(haystack, at),
            Self::Literal(finder) => {
                let found = haystack.get(at..).and_then(|rest| finder.find(rest));
                let len = finder.needle().len();
                Ok(found.map(|start| Match::new(at + start, at + start + len)))
            }
        }
    }

    fn new_captures(&self) -> Result<NoCaptures, NoError> {
        Ok(NoCaptures::new())
    }

    fn line_terminator(&self) -> Option<LineTerminator> {
        match self {
            Self::Expression(matcher) => matcher.line_terminator(),
            Self::Literal(_) => Some(LineTerminator::crlf()),
        }
    }

    fn non_matching_bytes(&self) -> Option<&grep_matcher::ByteSet> {
        match self {
            Self::Expression(matcher) => matcher.non_matching_bytes(),
            Self::Literal(_) => None,
        }
    }

    fn shortest_match_at(&self, haystack: &[u8], at: usize) -> Result<Option<usize>, NoError> {
        match self {
            Self::Expression(matcher) => matcher.shortest_match_at(haystack, at),
            Self::Literal(_) => Ok(self.find_at(haystack, at)?.map(|found| found.end())),
        }
    }

    fn find_candidate_line(
        &self,
        haystack: &[u8],
    ) -> Result<Option<grep_matcher::LineMatchKind>, NoError> {
        match self {
            Self::Expression(matcher) => matcher.find_candidate_line(haystack),
            Self::Literal(_) => {
                let found = self.shortest_match_at(haystack, 0)?;
                Ok(found.map(grep_matcher::LineMatchKind::Confirmed))
            }
        }
    }
}
