//! Source files, spans into them, and compiler-style diagnostics.

use crate::IdVec;

crate::define_id!(
    /// A file in a [`SourceMap`].
    FileId, "file"
);

/// A half-open byte range in one file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Span {
    pub file: FileId,
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(file: FileId, start: usize, end: usize) -> Span {
        Span { file, start: start as u32, end: end as u32 }
    }
    /// A span that points nowhere; for things the tool itself made up.
    pub const NONE: Span = Span { file: FileId(u32::MAX), start: 0, end: 0 };
    pub fn is_none(self) -> bool {
        self.file == Span::NONE.file
    }
    /// The smallest span that holds both, which must be of one file (else the first is returned).
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// One input text with its line table.
#[derive(Clone, Debug)]
pub struct SourceFile {
    pub name: String,
    pub text: String,
    line_starts: Vec<u32>,
    /// From each of these lines on, the file and line that the text was made from.
    presumed: Vec<(u32, String, u32)>,
    /// A preprocessor of ours made the text just now: nobody else knows its lines.
    is_passing: bool,
}

impl SourceFile {
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> SourceFile {
        let text = text.into();
        let mut line_starts = vec![0];
        line_starts.extend(text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(i, _)| i as u32 + 1));
        SourceFile { name: name.into(), text, line_starts, presumed: Vec::new(), is_passing: false }
    }
    /// The output of a preprocessor: its line markers (`# 12 "file.c"`) say where each line comes from.
    pub fn preprocessed(name: impl Into<String>, text: impl Into<String>) -> SourceFile {
        let mut file = SourceFile::new(name, text);
        file.is_passing = true;
        for i in 0..file.n_lines() {
            let Some(rest) = file.line(i + 1).strip_prefix('#') else { continue };
            let rest = rest.trim_start();
            let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let Ok(line) = rest[..digits].parse() else { continue };
            let quoted = rest[digits..].split('"').nth(1);
            if let Some(origin) = quoted {
                file.presumed.push((i + 2, origin.to_string(), line));
            }
        }
        file
    }
    /// A line marker: the text after the line of this offset comes from line `line` of `name` (of the same file as
    /// before, if `None`).
    pub fn mark_line(&mut self, offset: u32, name: Option<&str>, line: u32) {
        if self.is_passing {
            return;
        }
        let name = match (name, self.presumed.last()) {
            (Some(name), _) => name,
            (None, Some((_, name, _))) => name,
            (None, None) => &self.name,
        };
        let mark = (self.line_col(offset).0 + 1, name.to_string(), line);
        self.presumed.push(mark);
    }
    /// File name, line and column as people know them.
    fn presumed_position(&self, offset: u32) -> (&str, u32, u32) {
        let (line, column) = self.line_col(offset);
        let known = self.presumed.partition_point(|(from, _, _)| *from <= line);
        match known.checked_sub(1).map(|i| &self.presumed[i]) {
            Some((from, name, first)) => (name, first + (line - from), column),
            None => (&self.name, line, column),
        }
    }
    /// One-based line and column (in characters) of a byte offset.
    pub fn line_col(&self, offset: u32) -> (u32, u32) {
        let line = self.line_starts.partition_point(|&s| s <= offset) - 1;
        let start = self.line_starts[line] as usize;
        let end = (offset as usize).min(self.text.len()).max(start);
        let column = String::from_utf8_lossy(&self.text.as_bytes()[start..end]).chars().count();
        (line as u32 + 1, column as u32 + 1)
    }
    /// The text of a one-based line, without its end.
    pub fn line(&self, line: u32) -> &str {
        let i = line as usize - 1;
        let start = self.line_starts[i] as usize;
        let end = self.line_starts.get(i + 1).map_or(self.text.len(), |&e| e as usize);
        self.text[start..end].trim_end_matches(['\n', '\r'])
    }
    pub fn n_lines(&self) -> u32 {
        self.line_starts.len() as u32
    }
}

/// All files of a run.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: IdVec<FileId, SourceFile>,
}

/// A part of a text that is read by itself, but whose positions are those in the whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Excerpt {
    /// What the whole is called in messages.
    pub name: String,
    pub whole: String,
    /// In bytes.
    pub start: usize,
    pub end: usize,
}

impl Excerpt {
    pub fn text(&self) -> &str {
        self.whole.get(self.start..self.end).unwrap_or_default()
    }
    /// The whole with blanks in place of what does not belong to the part: positions in it are those of the whole.
    pub fn blanked(&self) -> String {
        format!("{}{}", " ".repeat(self.start), self.text())
    }
}

impl SourceMap {
    pub fn new() -> SourceMap {
        SourceMap::default()
    }
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        self.files.push(SourceFile::new(name, text))
    }
    /// Adds the output of a preprocessor; positions in it are those of what it was made from.
    pub fn add_preprocessed(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        self.files.push(SourceFile::preprocessed(name, text))
    }
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id]
    }
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter()
    }
    /// File name, line and column of a span's start, if it points anywhere.
    pub fn position(&self, span: Span) -> Option<(&str, u32, u32)> {
        Some(self.files.get(span.file)?.presumed_position(span.start))
    }
    /// The same in the files as they were given: line markers in them do not count, as other tools that read them
    /// (witness validators, editors) count lines themselves.
    pub fn given_position(&self, span: Span) -> Option<(&str, u32, u32)> {
        let file = self.files.get(span.file)?;
        if file.is_passing {
            return self.position(span);
        }
        let (line, column) = file.line_col(span.start);
        Some((&file.name, line, column))
    }
    /// The line in the file as it was given.
    pub fn line_of(&self, span: Span) -> Option<u32> {
        self.given_position(span).map(|(_, line, _)| line)
    }
    pub fn file_mut(&mut self, id: FileId) -> &mut SourceFile {
        &mut self.files[id]
    }
    /// The source text of a span ("" if it points nowhere).
    pub fn text(&self, span: Span) -> &str {
        self.files.get(span.file).and_then(|f| f.text.get(span.start as usize..span.end as usize)).unwrap_or("")
    }
    /// `file:line:col`, or `<generated>`.
    pub fn show(&self, span: Span) -> String {
        match self.position(span) {
            Some((name, line, column)) => format!("{name}:{line}:{column}"),
            None => "<generated>".to_string(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    Error,
    Warning,
    Note,
}

/// Who is to blame for an error.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DiagnosticKind {
    /// The input is wrong.
    Rejected,
    /// The input may be right, and is not understood here.
    Unsupported,
    /// This program contradicts itself.
    Internal,
}

/// A message to the user that points at the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    pub severity: Severity,
    pub kind: DiagnosticKind,
    pub span: Span,
    pub message: String,
    /// Further remarks, each with its own place (or [`Span::NONE`]).
    pub notes: Vec<(Span, String)>,
}

impl Diagnostic {
    pub fn error(span: Span, message: impl Into<String>) -> Diagnostic {
        let kind = DiagnosticKind::Rejected;
        Diagnostic { severity: Severity::Error, kind, span, message: message.into(), notes: Vec::new() }
    }
    /// An error about something that may be right and is not understood.
    pub fn unsupported(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { kind: DiagnosticKind::Unsupported, ..Diagnostic::error(span, message) }
    }
    /// An error of ours.
    pub fn internal(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { kind: DiagnosticKind::Internal, ..Diagnostic::error(span, message) }
    }
    pub fn is_rejection(&self) -> bool {
        self.kind == DiagnosticKind::Rejected
    }
    pub fn warning(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(span, message) }
    }
    pub fn with_note(mut self, span: Span, message: impl Into<String>) -> Diagnostic {
        self.notes.push((span, message.into()));
        self
    }
    /// `file:line:col: error: message`, the line, and a caret below the place.
    pub fn render(&self, sources: &SourceMap) -> String {
        let word = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        let mut out = render_one(sources, self.span, word, &self.message);
        for (span, note) in &self.notes {
            out.push_str(&render_one(sources, *span, "note", note));
        }
        out
    }
}

fn render_one(sources: &SourceMap, span: Span, word: &str, message: &str) -> String {
    let Some((name, line, column)) = sources.position(span) else {
        return format!("{word}: {message}\n");
    };
    let file = sources.file(span.file);
    let text = file.line(file.line_col(span.start).0);
    let shown: String = text.chars().map(|c| if c == '\t' { ' ' } else { c }).collect();
    let room = shown.chars().count().saturating_sub(column as usize - 1).max(1);
    let width = sources.text(span).lines().next().map_or(1, |l| l.chars().count()).clamp(1, room);
    let number = line.to_string();
    let pad = " ".repeat(number.len());
    format!(
        "{name}:{line}:{column}: {word}: {message}\n {number} | {shown}\n {pad} | {}{}\n",
        " ".repeat(column as usize - 1),
        "^".repeat(width)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caret_points_at_the_span() {
        let mut sources = SourceMap::new();
        let file = sources.add("a.bpl", "one\nlet x := y;\n");
        let message = Diagnostic::error(Span::new(file, 13, 14), "unknown variable y").render(&sources);
        assert_eq!(message, "a.bpl:2:10: error: unknown variable y\n 2 | let x := y;\n   |          ^\n");
    }

    #[test]
    fn line_markers_say_where_lines_come_from() {
        let mut sources = SourceMap::new();
        let text = "# 1 \"a.c\"\n# 1 \"h.h\" 1\nint y;\n# 7 \"a.c\" 2\nint x;\n";
        let file = sources.add_preprocessed("a.c", text);
        let at = |needle: &str| text.find(needle).unwrap_or(0);
        assert_eq!(sources.position(Span::new(file, at("int y"), at("int y"))), Some(("h.h", 1, 1)));
        assert_eq!(sources.position(Span::new(file, at("x;"), at("x;"))), Some(("a.c", 7, 5)));
    }

    #[test]
    fn positions_count_characters_and_survive_the_end() {
        let file = SourceFile::new("f", "ä=1;\nb");
        assert_eq!(file.line_col(2), (1, 2));
        assert_eq!(file.line_col(6), (2, 1));
        assert_eq!(file.line_col(7), (2, 2));
    }
}
