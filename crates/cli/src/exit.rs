//! Exit statuses, part of the contract with other programs.

pub const HOLDS: u8 = 0;
pub const VIOLATED: u8 = 1;
pub const BAD_INPUT: u8 = 2;
pub const UNKNOWN: u8 = 3;
/// Two attempts at the same task gave opposite answers.
pub const CONTRADICTION: u8 = 4;
/// A job ended early and should be run again (`EX_TEMPFAIL` of sysexits.h).
pub const TRY_AGAIN: u8 = 75;

/// Says what is wrong with the input; the exit status for that.
pub fn usage_error(message: &str) -> u8 {
    eprintln!("craig: {message}");
    BAD_INPUT
}
