//! Answers to Markdown, JSON and patches within a token budget
