//! Tests against the real `git`, on repositories made for them.

mod common;
mod differential;
mod history;
mod hostile;
mod merge;
mod overlay;
mod ranges;
mod trust;
mod work_file;
