//! Standard output and standard error.
//!
//! The answer goes to standard output, so what cannot be written there is an error: the exit status is 2 when the disk
//! is full, and 141 when whoever read the output has gone away, as a shell shows it for other programs. Standard error
//! is for people; losing a message there changes nothing. The macros of the standard library panic in both cases, so
//! this module shadows them.

use std::fmt::Arguments;
use std::io::{Error, ErrorKind, Write};

macro_rules! print {
    ($($argument:tt)*) => { $crate::output::write(format!($($argument)*).as_bytes()) };
}

macro_rules! println {
    () => { $crate::output::write(b"\n") };
    ($($argument:tt)*) => { $crate::output::write(format!("{}\n", format_args!($($argument)*)).as_bytes()) };
}

macro_rules! eprint {
    ($($argument:tt)*) => { $crate::output::write_message(format_args!($($argument)*)) };
}

macro_rules! eprintln {
    () => { $crate::output::write_message(format_args!("\n")) };
    ($($argument:tt)*) => { $crate::output::write_message(format_args!("{}\n", format_args!($($argument)*))) };
}

/// The exit status when whoever reads the output has gone away.
const OUTPUT_CLOSED: i32 = 128 + 13;

/// Writes to standard output, at once.
pub(crate) fn write(bytes: &[u8]) {
    let mut out = std::io::stdout().lock();
    if let Err(error) = out.write_all(bytes).and_then(|()| out.flush()) {
        failed(&error);
    }
}

/// Writes a message to standard error.
pub(crate) fn write_message(message: Arguments<'_>) {
    let _ = std::io::stderr().lock().write_fmt(message);
}

/// Ends the process because standard output does not take what is written.
pub(crate) fn failed(error: &Error) -> ! {
    if error.kind() == ErrorKind::BrokenPipe {
        std::process::exit(OUTPUT_CLOSED);
    }
    eprintln!("craig: cannot write to standard output: {error}; make room, or write elsewhere");
    std::process::exit(i32::from(crate::exit::BAD_INPUT));
}
