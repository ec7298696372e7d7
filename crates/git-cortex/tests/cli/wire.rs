//! What programs read: every answer and every error has the form that its schema says.

pub(crate) use cortex_check::{answer_of, check_form};
