//! Bit-vectors as Boolean circuits.
