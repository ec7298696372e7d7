//! Programs that tests of the library and tests of the program ask about.

pub mod chain;
pub mod dispatch;
pub mod languages;
pub mod scopes;
pub mod spellings;
pub mod store;

/// A project of one framework.
pub const PROJECT: &str = "<Project Sdk=\"Microsoft.NET.Sdk\">\n  <PropertyGroup>\n    <TargetFramework>net8.0</TargetFramework>\n  </PropertyGroup>\n</Project>\n";
