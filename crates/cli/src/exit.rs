//! Exit statuses, part of the contract with other programs.

pub const HOLDS: u8 = 0;
pub const VIOLATED: u8 = 1;
pub const BAD_INPUT: u8 = 2;
pub const UNKNOWN: u8 = 3;

/// Says what is wrong with the input; the exit status for that.
pub fn usage_error(message: &str) -> u8 {
    eprintln!("craig: {message}");
    BAD_INPUT
}
