//! Facts and projects to a bound graph of types
