//! S-expressions with positions, read one top-level expression at a time.
//!
//! The reader takes bytes from any `BufRead` and looks at none beyond the closing parenthesis, so
//! a person can type at it. An expression is a flat arena, not a tree of boxes: neither reading
//! nor dropping a million nested parentheses recurses.

use std::fmt;
use std::io::BufRead;

/// A place in the input, both numbers from one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Pos {
    pub line: u32,
    pub column: u32,
}

impl fmt::Display for Pos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// What is wrong with the input, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    pub pos: Pos,
    pub message: String,
    /// The input itself failed: there is nothing more to read.
    pub is_final: bool,
}

impl ReadError {
    pub fn new(pos: Pos, message: impl Into<String>) -> ReadError {
        ReadError { pos, message: message.into(), is_final: false }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.pos, self.message)
    }
}

impl std::error::Error for ReadError {}

base::define_id!(
    /// An expression inside an [`SExpr`].
    NodeId, "e"
);

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Node {
    /// A simple symbol, which may be a reserved word.
    Symbol(String),
    /// A symbol in bars; never a reserved word.
    Quoted(String),
    /// Without its colon.
    Keyword(String),
    Numeral(String),
    Decimal(String),
    /// Digits without `#x`, `#b`.
    Hex(String),
    Binary(String),
    Str(String),
    List(Vec<NodeId>),
}

/// One top-level expression.
#[derive(Clone, Debug)]
pub struct SExpr {
    nodes: Vec<(Node, Pos)>,
    root: NodeId,
}

impl SExpr {
    pub fn root(&self) -> NodeId {
        self.root
    }
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize].0
    }
    pub fn pos(&self, id: NodeId) -> Pos {
        self.nodes[id.0 as usize].1
    }
    /// The name of a symbol, simple or quoted.
    pub fn symbol(&self, id: NodeId) -> Option<&str> {
        match self.node(id) {
            Node::Symbol(name) | Node::Quoted(name) => Some(name),
            _ => None,
        }
    }
    /// Is this the given reserved word or command name?
    pub fn is_word(&self, id: NodeId, word: &str) -> bool {
        matches!(self.node(id), Node::Symbol(name) if name == word)
    }
    pub fn list(&self, id: NodeId) -> Option<&[NodeId]> {
        match self.node(id) {
            Node::List(children) => Some(children),
            _ => None,
        }
    }
    pub fn keyword(&self, id: NodeId) -> Option<&str> {
        match self.node(id) {
            Node::Keyword(name) => Some(name),
            _ => None,
        }
    }
    /// The text of an expression, on one line.
    pub fn show(&self, id: NodeId) -> String {
        enum Step {
            Node(NodeId),
            Text(&'static str),
        }
        let mut out = String::new();
        let mut stack = vec![Step::Node(id)];
        while let Some(step) = stack.pop() {
            let id = match step {
                Step::Text(text) => {
                    out.push_str(text);
                    continue;
                }
                Step::Node(id) => id,
            };
            match self.node(id) {
                Node::Symbol(name) | Node::Numeral(name) | Node::Decimal(name) => out.push_str(name),
                // As it was written, also if only z3 and its like can read it.
                Node::Quoted(name) if name.contains(['|', '\\']) => {
                    out.push_str(&format!("|{}|", name.replace('\\', "\\\\").replace('|', "\\|")));
                }
                Node::Quoted(name) => out.push_str(&super::quote_symbol(name)),
                Node::Keyword(name) => out.push_str(&format!(":{name}")),
                Node::Hex(digits) => out.push_str(&format!("#x{digits}")),
                Node::Binary(digits) => out.push_str(&format!("#b{digits}")),
                Node::Str(text) => out.push_str(&format!("\"{}\"", text.replace('"', "\"\""))),
                Node::List(children) => {
                    out.push('(');
                    stack.push(Step::Text(")"));
                    for (i, &child) in children.iter().enumerate().rev() {
                        stack.push(Step::Node(child));
                        if i > 0 {
                            stack.push(Step::Text(" "));
                        }
                    }
                }
            }
        }
        out
    }
}

/// The longest expression accepted, in nodes.
const MAX_NODES: usize = u32::MAX as usize - 1;

/// Reads s-expressions from a stream.
pub struct SExprReader<R> {
    input: R,
    pos: Pos,
    nodes: Vec<(Node, Pos)>,
}

impl<R: BufRead> SExprReader<R> {
    pub fn new(input: R) -> SExprReader<R> {
        SExprReader { input, pos: Pos { line: 1, column: 1 }, nodes: Vec::new() }
    }
    pub fn pos(&self) -> Pos {
        self.pos
    }

    fn peek(&mut self) -> Result<Option<u8>, ReadError> {
        loop {
            match self.input.fill_buf() {
                Ok(buffer) => return Ok(buffer.first().copied()),
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
                Err(e) => {
                    let error = ReadError::new(self.pos, format!("cannot read: {e}"));
                    return Err(ReadError { is_final: true, ..error });
                }
            }
        }
    }
    fn bump(&mut self, byte: u8) {
        self.input.consume(1);
        if byte == b'\n' {
            self.pos = Pos { line: self.pos.line.saturating_add(1), column: 1 };
        } else if byte & 0xC0 != 0x80 {
            self.pos.column = self.pos.column.saturating_add(1);
        }
    }

    fn skip_space(&mut self) -> Result<Option<u8>, ReadError> {
        while let Some(byte) = self.peek()? {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => self.bump(byte),
                b';' => {
                    while let Some(byte) = self.peek()? {
                        self.bump(byte);
                        if byte == b'\n' {
                            break;
                        }
                    }
                }
                _ => return Ok(Some(byte)),
            }
        }
        Ok(None)
    }

    /// The next top-level expression; `None` at the end of input. After an error the reader stands
    /// behind what it could not read, and reading can go on; an error inside a list skips the rest
    /// of that list.
    pub fn next_expr(&mut self) -> Result<Option<SExpr>, ReadError> {
        self.nodes.clear();
        let mut open: Vec<(Pos, Vec<NodeId>)> = Vec::new();
        let mut first_error: Option<ReadError> = None;
        loop {
            let Some(byte) = self.skip_space()? else {
                return match (first_error, open.first()) {
                    (Some(error), _) => Err(error),
                    (None, Some((pos, _))) => Err(ReadError::new(*pos, "this parenthesis is never closed")),
                    (None, None) => Ok(None),
                };
            };
            let pos = self.pos;
            let node = match byte {
                b'(' => {
                    self.bump(byte);
                    open.push((pos, Vec::new()));
                    continue;
                }
                b')' => {
                    self.bump(byte);
                    match open.pop() {
                        Some((start, children)) => Ok((Node::List(children), start)),
                        None => Err(ReadError::new(pos, "unexpected `)`")),
                    }
                }
                _ => self.atom(byte).map(|node| (node, pos)),
            };
            match node {
                Ok(node) if self.nodes.len() < MAX_NODES => {
                    let id = NodeId(self.nodes.len() as u32);
                    self.nodes.push(node);
                    match open.last_mut() {
                        Some((_, children)) => children.push(id),
                        None => {
                            if let Some(error) = first_error {
                                return Err(error);
                            }
                            return Ok(Some(SExpr { nodes: std::mem::take(&mut self.nodes), root: id }));
                        }
                    }
                }
                Ok((_, pos)) => return Err(ReadError::new(pos, "expression too large")),
                Err(error) if open.is_empty() => return Err(first_error.unwrap_or(error)),
                Err(error) => {
                    first_error.get_or_insert(error);
                }
            }
        }
    }

    fn text(&mut self, bytes: Vec<u8>, start: Pos) -> Result<String, ReadError> {
        String::from_utf8(bytes).map_err(|_| ReadError::new(start, "not UTF-8"))
    }

    fn atom(&mut self, first: u8) -> Result<Node, ReadError> {
        let start = self.pos;
        match first {
            b'"' => {
                self.bump(first);
                let mut bytes = Vec::new();
                loop {
                    let Some(byte) = self.peek()? else { return Err(ReadError::new(start, "string without end")) };
                    self.bump(byte);
                    if byte == b'"' {
                        if self.peek()? != Some(b'"') {
                            return Ok(Node::Str(self.text(bytes, start)?));
                        }
                        self.bump(b'"');
                    }
                    bytes.push(byte);
                }
            }
            b'|' => {
                self.bump(first);
                let mut bytes = Vec::new();
                let mut backslash = false;
                loop {
                    let Some(byte) = self.peek()? else {
                        return Err(ReadError::new(start, "quoted symbol without end"));
                    };
                    self.bump(byte);
                    match byte {
                        b'|' if backslash => {
                            return Err(ReadError::new(start, "a quoted symbol cannot hold a backslash"));
                        }
                        b'|' => return Ok(Node::Quoted(self.text(bytes, start)?)),
                        // No SMT-LIB symbol holds a backslash, but z3 and pySMT write `\|` and `\\` for these
                        // characters.
                        b'\\' => match self.peek()? {
                            Some(escaped @ (b'|' | b'\\')) => {
                                self.bump(escaped);
                                bytes.push(escaped);
                            }
                            _ => backslash = true,
                        },
                        _ => bytes.push(byte),
                    }
                }
            }
            b'0'..=b'9' => {
                let digits = self.word()?;
                let numeral = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
                match digits.split_once('.') {
                    None if numeral(&digits) => Ok(Node::Numeral(digits)),
                    Some((whole, fraction)) if numeral(whole) && numeral(fraction) => Ok(Node::Decimal(digits)),
                    _ => Err(ReadError::new(start, format!("`{digits}` is neither a number nor a symbol"))),
                }
            }
            b'#' => {
                self.bump(first);
                let word = self.word()?;
                if let Some(digits) = word.strip_prefix('x')
                    && !digits.is_empty()
                    && digits.bytes().all(|b| b.is_ascii_hexdigit())
                {
                    return Ok(Node::Hex(digits.to_string()));
                }
                if let Some(digits) = word.strip_prefix('b')
                    && !digits.is_empty()
                    && digits.bytes().all(|b| b == b'0' || b == b'1')
                {
                    return Ok(Node::Binary(digits.to_string()));
                }
                Err(ReadError::new(start, format!("`#{word}` is not a constant")))
            }
            b':' => {
                self.bump(first);
                let word = self.word()?;
                if word.is_empty() {
                    return Err(ReadError::new(start, "a colon must start a keyword"));
                }
                Ok(Node::Keyword(word))
            }
            _ => {
                let word = self.word()?;
                if word.is_empty() {
                    self.bump(first);
                    // The rest of a character of several bytes belongs to it.
                    while let Some(byte) = self.peek()?
                        && byte & 0xC0 == 0x80
                    {
                        self.bump(byte);
                    }
                    return Err(ReadError::new(start, "unexpected character"));
                }
                Ok(Node::Symbol(word))
            }
        }
    }

    /// The longest run of symbol characters.
    fn word(&mut self) -> Result<String, ReadError> {
        let mut word = String::new();
        while let Some(byte) = self.peek()?
            && (byte.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(&byte))
        {
            self.bump(byte);
            word.push(byte as char);
        }
        Ok(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(text: &str) -> Vec<Result<String, String>> {
        let mut reader = SExprReader::new(text.as_bytes());
        let mut out = Vec::new();
        loop {
            match reader.next_expr() {
                Ok(None) => return out,
                Ok(Some(e)) => out.push(Ok(e.show(e.root()))),
                Err(e) => out.push(Err(e.to_string())),
            }
            assert!(out.len() < 100);
        }
    }

    #[test]
    fn every_kind_of_atom() {
        let text = "(a |b c| :k 12 1.50 #xaF #b01 \"say \"\"hi\"\"\") ; comment\n x";
        assert_eq!(
            read_all(text),
            [Ok("(a |b c| :k 12 1.50 #xaF #b01 \"say \"\"hi\"\"\")".to_string()), Ok("x".to_string())]
        );
    }

    #[test]
    fn errors_have_a_place_and_reading_goes_on() {
        assert_eq!(
            read_all("(a #q b)\n) (b)\n  (c"),
            [
                Err("1:4: `#q` is not a constant".to_string()),
                Err("2:1: unexpected `)`".to_string()),
                Ok("(b)".to_string()),
                Err("3:3: this parenthesis is never closed".to_string())
            ]
        );
        assert_eq!(read_all("ä(x)").len(), 2);
    }

    #[test]
    fn depth_is_no_problem() {
        let n = 200_000;
        let text = format!("{}{}", "(".repeat(n), ")".repeat(n));
        assert_eq!(read_all(&text), [Ok(text)]);
    }
}
