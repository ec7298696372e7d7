//! Laws of everything that reads files, on files that the tests write themselves.

mod closure;
mod image;
mod reader;
