//! Answers of earlier requests, kept as they went out for as long as nothing changes that they are made of.
//!
//! Owns: which operations are answered so, and when an answer is still right. Must not know: what is in an answer.

use std::{
    collections::HashMap,
    mem,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use cortex_model::RepoPath;
use cortex_wire::{Limits, Subject};
use serde::Deserialize;
use serde_json::Value;

use crate::{RequestContext, context::TimingShown};

/// The operations whose answers are made of the request and of one snapshot alone.
const OF_ONE_SNAPSHOT: [&str; 14] = [
    "callees",
    "callers",
    "cycles",
    "deps",
    "hierarchy",
    "implementations",
    "map",
    "outline",
    "overrides",
    "resolve",
    "search-symbols",
    "source",
    "unused",
    "usages",
];

/// So many bytes of answers are kept.
const MAX_BYTES: usize = 24 << 20;

/// Longer answers are made again: they would push out many that are asked more often.
const MAX_ANSWER: usize = MAX_BYTES / 8;

/// A type that an answer is about, by its id, and the files that declare it.
pub(crate) type Viewed = (String, Vec<RepoPath>);

/// What was asked.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Question {
    operation: &'static str,
    request: String,
    // Where relative paths start.
    folder: PathBuf,
    tfm: Option<String>,
    at: Option<String>,
}

impl Question {
    /// `None` where the answer depends on more than the request and a snapshot: on a scope, which may be made of anything,
    /// or on the clock.
    pub(crate) fn new(
        operation: &'static str,
        context: &RequestContext<'_>,
        request: &Value,
    ) -> Option<Self> {
        let has_scope = ["/filter/scope", "/scope"]
            .iter()
            .any(|path| request.pointer(path).is_some_and(|it| !it.is_null()));
        let is_kept =
            OF_ONE_SNAPSHOT.contains(&operation) && !has_scope && context.timing == TimingShown::No;
        is_kept.then(|| Self {
            operation,
            request: request.to_string(),
            folder: context.folder.clone(),
            tfm: context.tfm.clone(),
            at: request.get("at").and_then(Value::as_str).map(str::to_owned),
        })
    }

    /// The revision that it is about.
    pub(crate) fn at(&self) -> Option<&str> {
        self.at.as_deref()
    }
}

/// An answer, with what a request for it leaves in the history of requests.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    /// The envelope in JSON.
    pub(crate) envelope: Arc<str>,
    /// What it is about.
    pub(crate) viewed: Option<Viewed>,
}

/// Answers of one generation.
#[derive(Default)]
pub(crate) struct Memo(Mutex<Answers>);

#[derive(Default)]
struct Answers {
    generation: u64,
    by_question: HashMap<Question, Known>,
    n_bytes: usize,
}

impl Memo {
    /// The answer to an equal question of the same generation.
    pub(crate) fn get(&self, question: &Question, generation: u64) -> Option<Known> {
        let answers = self.answers();
        let is_current = answers.generation == generation;
        is_current.then(|| answers.by_question.get(question).cloned())?
    }

    /// Keeps an answer, and forgets those of earlier generations.
    pub(crate) fn put(&self, question: Question, generation: u64, known: Known) {
        let n_bytes = known.envelope.len() + question.request.len() + mem::size_of::<Known>();
        let mut answers = self.answers();
        if n_bytes > MAX_ANSWER || generation < answers.generation {
            return;
        }
        if generation > answers.generation || answers.n_bytes + n_bytes > MAX_BYTES {
            *answers = Answers {
                generation,
                ..Answers::default()
            };
        }
        answers.n_bytes += n_bytes;
        answers.by_question.insert(question, known);
    }

    fn answers(&self) -> MutexGuard<'_, Answers> {
        // What a thread that panicked left behind is whole: an answer is put at its end.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What of an envelope decides whether it is kept.
#[derive(Deserialize)]
struct Seen {
    #[serde(default)]
    limits: Limits,
    answer: About,
}

#[derive(Deserialize)]
struct About {
    subject: Option<Subject>,
}

/// The id of the type that an answer is about, if it is about one; the outer `None` where the answer is not the one that
/// an equal request would have, because it ended early.
pub(crate) fn subject_of(envelope: &str) -> Option<Option<String>> {
    let seen: Seen = serde_json::from_str(envelope).ok()?;
    let ended_early = seen.limits.timed_out || seen.limits.canceled;
    let subject = seen.answer.subject.map(|subject| subject.resolved.type_id);
    (!ended_early).then_some(subject)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::{Known, MAX_ANSWER, MAX_BYTES, Memo, Question, subject_of};
    use crate::{NoWatcher, OPERATIONS, RequestContext};

    fn question(request: &serde_json::Value) -> Option<Question> {
        Question::new("usages", &RequestContext::new("/r", &NoWatcher), request)
    }

    fn known(text: &str) -> Known {
        Known {
            envelope: Arc::from(text),
            viewed: None,
        }
    }

    #[test]
    fn an_answer_is_that_of_its_generation_and_question() {
        let memo = Memo::default();
        let a = question(&json!({"symbol": "A"})).expect("it is about one snapshot");
        let b = question(&json!({"symbol": "B"})).expect("it is about one snapshot");
        memo.put(a.clone(), 3, known("a"));
        assert_eq!(&*memo.get(&a, 3).expect("it was put").envelope, "a");
        assert!(memo.get(&b, 3).is_none());
        assert!(memo.get(&a, 4).is_none());
        memo.put(b.clone(), 2, known("late"));
        assert!(memo.get(&b, 2).is_none() && memo.get(&a, 3).is_some());
        memo.put(b.clone(), 4, known("b"));
        assert!(memo.get(&a, 3).is_none() && memo.get(&a, 4).is_none());
        assert!(memo.get(&b, 4).is_some());
    }

    #[test]
    fn what_depends_on_more_than_a_snapshot_is_not_kept() {
        assert_eq!(
            question(&json!({"symbol": "A", "filter": {"scope": "Recent"}})),
            None
        );
        let context = RequestContext::new("/r", &NoWatcher);
        assert_eq!(Question::new("window", &context, &json!({})), None);
        for name in super::OF_ONE_SNAPSHOT {
            let spec = OPERATIONS.iter().find(|it| it.name == name);
            assert!(spec.is_some_and(|it| it.hints.read_only), "{name}");
        }
    }

    #[test]
    fn whole_answers_are_kept_with_what_they_are_about() {
        let of = |rest: &str| {
            let symbol = r#"{"path":"A","kind":"class","typeId":"T_1"}"#;
            let answer = format!(r#""answer":{{"subject":{{"symbol":{symbol}}}}}"#);
            subject_of(&format!("{{{rest}{answer}}}"))
        };
        assert_eq!(of(""), Some(Some("T_1".to_owned())));
        assert_eq!(
            of(r#""limits":{"cut":true},"#),
            Some(Some("T_1".to_owned()))
        );
        assert_eq!(of(r#""limits":{"timedOut":true},"#), None);
        assert_eq!(subject_of(r#"{"answer":{"types":[]}}"#), Some(None));
    }

    #[test]
    fn memory_is_bounded() {
        let memo = Memo::default();
        let text = "x".repeat(MAX_ANSWER / 2);
        for n in 0..3 * MAX_BYTES / text.len() {
            let question = question(&json!({"symbol": n})).expect("it is about one snapshot");
            memo.put(question, 1, known(&text));
            assert!(memo.answers().n_bytes <= MAX_BYTES);
        }
        let long = question(&json!({"symbol": "long"})).expect("it is about one snapshot");
        memo.put(long.clone(), 1, known(&"x".repeat(MAX_ANSWER + 1)));
        assert!(memo.get(&long, 1).is_none());
    }
}
