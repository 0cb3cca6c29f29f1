//! Exit statuses, part of the contract with other programs.

pub(crate) const HOLDS: u8 = 0;
pub(crate) const VIOLATED: u8 = 1;
pub(crate) const BAD_INPUT: u8 = 2;
pub(crate) const UNKNOWN: u8 = 3;
/// Two attempts at the same task gave opposite answers.
pub(crate) const CONTRADICTION: u8 = 4;
/// A job ended early and should be run again (`EX_TEMPFAIL` of sysexits.h).
pub(crate) const TRY_AGAIN: u8 = 75;

/// Says what is wrong with the input; the exit status for that.
pub(crate) fn usage_error(message: &str) -> u8 {
    eprintln!("craig: {message}");
    BAD_INPUT
}
