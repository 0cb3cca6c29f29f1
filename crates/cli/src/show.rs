//! From the result model to standard output.

use crate::args::Format;
use crate::limits::LastWords;
use report::{FileResult, Kind};

/// One file in one of the formats, without the RESULT line.
pub(crate) fn body(found: &FileResult, format: Format, statistics: bool) -> String {
    match format {
        Format::Text if found.kind() == Kind::BadInput => String::new(),
        Format::Text => report::text::render(found, statistics),
        Format::Json => report::json::one(found),
        Format::Github => report::github::render(found),
        Format::Sarif => report::sarif::render(std::slice::from_ref(found), env!("CARGO_PKG_VERSION")),
        Format::Junit => report::junit::render(std::slice::from_ref(found)),
    }
}

/// Is the output a document that a RESULT line would spoil?
pub(crate) fn is_document(format: Format) -> bool {
    matches!(format, Format::Json | Format::Sarif | Format::Junit)
}

/// Everything about one file that goes to standard output. The RESULT line is part of it, except where the
/// output is a document that it would spoil.
pub(crate) fn document(found: &FileResult, format: Format, statistics: bool) -> String {
    let body = body(found, format, statistics);
    if is_document(format) || found.kind() == Kind::BadInput {
        return body;
    }
    format!("{body}RESULT: {}\n", found.result)
}

/// Prints a document; where it has no room for the RESULT line, that goes to standard error.
pub(crate) fn print(document: &str, found: &FileResult, format: Format) {
    crate::output::write(document.as_bytes());
    if is_document(format) && found.kind() != Kind::BadInput {
        eprintln!("RESULT: {}", found.result);
    }
}

/// What is printed when a run is ended from outside: the result and what is known by then.
pub(crate) fn last_words(found: &FileResult, format: Format, statistics: bool) -> LastWords {
    let stdout = document(found, format, statistics);
    let stderr = if is_document(format) { format!("RESULT: {}\n", found.result) } else { String::new() };
    LastWords { stdout, stderr, status: found.kind().exit_status() }
}
