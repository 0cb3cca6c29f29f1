//! Quantifiers by instantiation.
