//! Mutants of programs, for tests that no input makes a front end panic. Shared by the mutation tests of the front ends and by the
//! fuzz targets (`fuzz/`).
//!
//! Most changes respect the grammar: names, numbers and operators give way to others of their kind, statements are doubled, left out,
//! exchanged or wrapped, terms are replaced by terms of the same kind. So a mutant usually passes the parser and reaches the code
//! behind it (Groce and others, *Making no-fuss compiler fuzzing effective*, 2022, make the same point about mutations of source text). The
//! others cut, double and splice characters, which is for lexer and parser.
//!
//! A text is split into tokens once; brackets are matched, and nothing else is known about the grammar. What a name stands for is guessed from
//! the word before its first occurrence: `int x` and `int y` may stand for each other.

#![allow(dead_code, reason = "every user needs its own part")]

use base::Random;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// How statements are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Style {
    /// They end with a semicolon or a block in braces.
    Blocks,
    /// Everything is a list in parentheses.
    Lists,
}

/// What is known of a language.
pub(crate) struct Language {
    pub style: Style,
    /// Tokens that may stand for each other, by kind.
    pub kinds: &'static [&'static [&'static str]],
    /// Words that are no names.
    pub keywords: &'static [&'static str],
    /// Statements that are right wherever a statement may stand.
    pub statements: &'static [&'static str],
    /// Anything, for mutations that do not respect the grammar.
    pub tokens: &'static [&'static str],
}

/// One mutant in this many does not respect the grammar.
const CARELESS: usize = 8;

/// One of the texts with a few changes.
pub(crate) fn mutate(random: &mut Random, texts: &[Vec<char>], language: &Language) -> String {
    if texts.is_empty() {
        return String::new();
    }
    if random.below(CARELESS) == 0 {
        return mutate_characters(random, texts, language.tokens);
    }
    let text: String = texts[random.below(texts.len())].iter().collect();
    mutate_text(random, &text, language)
}

/// A text with a few changes that respect the grammar.
pub(crate) fn mutate_text(random: &mut Random, text: &str, language: &Language) -> String {
    let mut tokens = tokens(text, language.style);
    for _ in 0..=random.below(3) {
        // Not every change is possible everywhere.
        for _ in 0..10 {
            if let Some(changed) = change(random, &tokens, language) {
                tokens = changed;
                break;
            }
        }
    }
    tokens.into_iter().map(|t| t.text).collect()
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Blanks, comments and lines of the preprocessor.
    Space,
    Word,
    Number,
    /// A string or character constant.
    Text,
    Mark,
}

#[derive(Clone, Debug)]
struct Token {
    kind: Kind,
    text: String,
}

impl Token {
    fn is(&self, text: &str) -> bool {
        self.text == text
    }
}

/// Marks of several characters, longest first.
const MARKS: &[&str] = &[
    "<==>", "<<=", ">>=", "...", "==>", "<==", ":=", "::", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "++", "--",
    "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "->",
];

/// The characters of SMT-LIB's symbols that are no letters or digits.
const SYMBOL_MARKS: &str = "~!@$%^&*_-+=<>.?/:#";

fn tokens(text: &str, style: Style) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let mut tokens: Vec<Token> = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let (kind, end) = next_token(&chars, at, style);
        tokens.push(Token { kind, text: chars[at..end].iter().collect() });
        at = end;
    }
    tokens
}

fn next_token(chars: &[char], at: usize, style: Style) -> (Kind, usize) {
    let until =
        |from: usize, stop: &dyn Fn(char) -> bool| (from..chars.len()).find(|&i| stop(chars[i])).unwrap_or(chars.len());
    let (c, next) = (chars[at], chars.get(at + 1).copied());
    let at_line_start = chars[..at].iter().rev().find(|c| !matches!(c, ' ' | '\t')).is_none_or(|c| *c == '\n');
    match (style, c) {
        (_, c) if c.is_whitespace() => (Kind::Space, until(at, &|c| !c.is_whitespace())),
        (Style::Blocks, '/') if next == Some('/') => (Kind::Space, until(at, &|c| c == '\n')),
        (Style::Blocks, '/') if next == Some('*') => {
            let end = (at + 2..chars.len()).find(|&i| chars[i] == '/' && chars[i - 1] == '*' && i > at + 2);
            (Kind::Space, end.map_or(chars.len(), |i| i + 1))
        }
        (Style::Blocks, '#') if at_line_start => {
            let end = (at..chars.len()).find(|&i| chars[i] == '\n' && chars[i - 1] != '\\');
            (Kind::Space, end.unwrap_or(chars.len()))
        }
        (Style::Lists, ';') => (Kind::Space, until(at, &|c| c == '\n')),
        (Style::Lists, '|') => (Kind::Word, (until(at + 1, &|c| c == '|') + 1).min(chars.len())),
        (_, '"') | (Style::Blocks, '\'') => {
            let mut end = at + 1;
            while end < chars.len() && chars[end] != c && chars[end] != '\n' {
                end += if chars[end] == '\\' && style == Style::Blocks { 2 } else { 1 };
            }
            (Kind::Text, (end + 1).min(chars.len()))
        }
        (_, '0'..='9') => {
            let end = until(at, &|c| !c.is_alphanumeric() && c != '.' && c != '_');
            (Kind::Number, end)
        }
        (Style::Lists, c) if c.is_alphanumeric() || SYMBOL_MARKS.contains(c) => {
            (Kind::Word, until(at, &|c| !c.is_alphanumeric() && !SYMBOL_MARKS.contains(c)))
        }
        (Style::Blocks, c) if c.is_alphabetic() || "_$#`~^?".contains(c) && next.is_some_and(char::is_alphabetic) => {
            // Boogie's names contain more marks than C's, but dots are members in C.
            (Kind::Word, until(at + 1, &|c| !c.is_alphanumeric() && !"_$#~".contains(c)))
        }
        (Style::Blocks, '_') => (Kind::Word, until(at, &|c| !c.is_alphanumeric() && c != '_')),
        _ => {
            let is_here = |mark: &&&str| mark.chars().enumerate().all(|(i, m)| chars.get(at + i) == Some(&m));
            let length = MARKS.iter().find(is_here).map_or(1, |m| m.chars().count());
            (Kind::Mark, at + if style == Style::Lists { 1 } else { length })
        }
    }
}

/// For each bracket the place of its partner.
fn partners(tokens: &[Token]) -> Vec<Option<usize>> {
    let mut partners = vec![None; tokens.len()];
    let mut open: Vec<usize> = Vec::new();
    for (i, token) in tokens.iter().enumerate().filter(|(_, t)| t.kind == Kind::Mark) {
        match token.text.as_str() {
            "(" | "[" | "{" => open.push(i),
            ")" | "]" | "}" => {
                if let Some(start) = open.pop() {
                    (partners[start], partners[i]) = (Some(i), Some(start));
                }
            }
            _ => {}
        }
    }
    partners
}

fn before(tokens: &[Token], at: usize) -> Option<&Token> {
    tokens[..at].iter().rev().find(|t| t.kind != Kind::Space)
}

fn after(tokens: &[Token], at: usize) -> Option<&Token> {
    tokens.get(at + 1..)?.iter().find(|t| t.kind != Kind::Space)
}

/// The texts of some tokens.
fn text_of(tokens: &[Token]) -> String {
    tokens.iter().map(|t| t.text.as_str()).collect()
}

/// A piece of text as one token: it is not looked into again before the next change.
fn piece(text: String) -> Token {
    Token { kind: Kind::Space, text }
}

/// The tokens with a range replaced.
fn replaced(tokens: &[Token], range: std::ops::Range<usize>, text: String) -> Vec<Token> {
    let mut changed = tokens[..range.start].to_vec();
    changed.push(piece(text));
    changed.extend_from_slice(&tokens[range.end..]);
    changed
}

/// One change that respects the grammar, if the one chosen is possible.
fn change(random: &mut Random, tokens: &[Token], language: &Language) -> Option<Vec<Token>> {
    match (language.style, random.below(12)) {
        (_, 0) => other_number(random, tokens),
        (_, 1 | 2) => other_of_kind(random, tokens, language),
        (Style::Blocks, 3 | 4) => other_name(random, tokens, language),
        (Style::Blocks, 5) => other_condition(random, tokens),
        (Style::Blocks, _) => other_statements(random, tokens, language),
        (Style::Lists, 3..=8) => other_term(random, tokens, language),
        (Style::Lists, _) => other_commands(random, tokens, language),
    }
}

/// Numbers at which something changes.
const NUMBERS: &[&str] =
    &["0", "1", "2", "3", "7", "8", "31", "32", "127", "128", "255", "256", "1000", "65535", "2147483647"];

fn other_number(random: &mut Random, tokens: &[Token]) -> Option<Vec<Token>> {
    let is_number = |t: &Token| t.kind == Kind::Number && t.text.chars().all(|c| c.is_ascii_alphanumeric());
    let places: Vec<usize> = (0..tokens.len()).filter(|&i| is_number(&tokens[i])).collect();
    let &at = random.pick(&places)?;
    // What follows the digits belongs to the type: `1bv8`, `1UL`.
    let old = &tokens[at].text;
    let digits = old.find(|c: char| !c.is_ascii_digit()).unwrap_or(old.len());
    let suffix = if old.starts_with("0x") { "" } else { &old[digits..] };
    let number = random.pick(NUMBERS)?;
    Some(replaced(tokens, at..at + 1, format!("{number}{suffix}")))
}

fn other_of_kind(random: &mut Random, tokens: &[Token], language: &Language) -> Option<Vec<Token>> {
    let kind_of = |t: &Token| language.kinds.iter().find(|k| k.contains(&t.text.as_str()));
    let is_operator = |i: usize| {
        // `*p` and `&x` are no operators between two operands, and neither are the stars of a declaration.
        let is_ambiguous = matches!(tokens[i].text.as_str(), "*" | "&" | "-" | "+");
        !is_ambiguous || language.style == Style::Lists || before(tokens, i).is_some_and(|t| is_operand(t, language))
    };
    let places: Vec<usize> = (0..tokens.len()).filter(|&i| kind_of(&tokens[i]).is_some() && is_operator(i)).collect();
    let &at = random.pick(&places)?;
    let other = random.pick(kind_of(&tokens[at])?)?;
    Some(replaced(tokens, at..at + 1, other.to_string()))
}

fn is_operand(token: &Token, language: &Language) -> bool {
    match token.kind {
        Kind::Word => !language.keywords.contains(&token.text.as_str()),
        Kind::Number => true,
        Kind::Mark => token.is(")") || token.is("]"),
        Kind::Space | Kind::Text => false,
    }
}

/// What a name seems to be: the word before its first occurrence, and whether it is called or a member.
fn names(tokens: &[Token], language: &Language) -> BTreeMap<(String, bool, bool), Vec<usize>> {
    let mut declared: BTreeMap<&str, String> = BTreeMap::new();
    let mut names: BTreeMap<(String, bool, bool), Vec<usize>> = BTreeMap::new();
    for (i, token) in tokens.iter().enumerate() {
        if token.kind != Kind::Word || language.keywords.contains(&token.text.as_str()) {
            continue;
        }
        let previous = before(tokens, i).map_or("", |t| t.text.as_str());
        let is_first = !declared.contains_key(token.text.as_str());
        // In Boogie the type comes behind the name.
        let follows = after(tokens, i).map_or("", |t| t.text.as_str());
        let said = if follows == ":" {
            (i + 1..tokens.len()).filter(|&j| tokens[j].kind == Kind::Word).map(|j| tokens[j].text.clone()).next()
        } else {
            Some(previous.to_string())
        };
        let ty = declared.entry(&token.text).or_insert_with(|| said.unwrap_or_default()).clone();
        // The declaration itself stays.
        if !is_first {
            let is_member = previous == "." || previous == "->";
            names.entry((ty, follows == "(", is_member)).or_default().push(i);
        }
    }
    names
}

fn other_name(random: &mut Random, tokens: &[Token], language: &Language) -> Option<Vec<Token>> {
    let names: Vec<Vec<usize>> = names(tokens, language).into_values().filter(|places| places.len() > 1).collect();
    let places = random.pick(&names)?;
    let (&at, &other) = (random.pick(places)?, random.pick(places)?);
    (tokens[at].text != tokens[other].text).then(|| replaced(tokens, at..at + 1, tokens[other].text.clone()))
}

/// The conditions of branches and loops: the brackets, and the word before them.
fn conditions(tokens: &[Token]) -> Vec<(usize, usize)> {
    let partners = partners(tokens);
    let is_condition = |i: usize| tokens[i].is("(") && before(tokens, i).is_some_and(|t| t.is("if") || t.is("while"));
    let ends = |i: usize| partners[i].map(|end| (i, end));
    (0..tokens.len()).filter(|&i| is_condition(i)).filter_map(ends).collect()
}

fn other_condition(random: &mut Random, tokens: &[Token]) -> Option<Vec<Token>> {
    let conditions = conditions(tokens);
    let &(start, end) = random.pick(&conditions)?;
    let inside = text_of(&tokens[start + 1..end]);
    if inside.trim() == "*" {
        return None;
    }
    let text = match random.below(3) {
        0 => format!("(!({inside}))"),
        1 => {
            let &(from, to) = random.pick(&conditions)?;
            text_of(&tokens[from..=to])
        }
        _ => {
            let &(from, to) = random.pick(&conditions)?;
            let other = text_of(&tokens[from + 1..to]);
            if other.trim() == "*" {
                return None;
            }
            format!("(({inside}) && ({other}))")
        }
    };
    Some(replaced(tokens, start..end + 1, text))
}

/// The statements of all blocks, as ranges of tokens without the blanks before them.
fn statements(tokens: &[Token]) -> Vec<(usize, usize)> {
    let partners = partners(tokens);
    let is_code = |open: usize| {
        let starts_code = |t: &Token| matches!(t.text.as_str(), ")" | "else" | "do" | ";" | "{" | "}" | "]");
        before(tokens, open).is_some_and(starts_code) && after(tokens, open).is_some_and(|t| !t.is(":"))
    };
    let mut found = Vec::new();
    for (open, _) in tokens.iter().enumerate().filter(|(_, t)| t.is("{")) {
        let Some(close) = partners[open].filter(|_| is_code(open)) else { continue };
        let mut start = None;
        let mut i = open + 1;
        while i < close {
            if tokens[i].kind == Kind::Space {
                i += 1;
                continue;
            }
            let begin = *start.get_or_insert(i);
            let last = partners[i].filter(|&end| end > i).unwrap_or(i);
            let goes_on = after(tokens, last)
                .is_some_and(|t| matches!(t.text.as_str(), "else" | "while" | ";" | "," | "=" | ")"));
            if tokens[i].is(";") || tokens[i].is("{") && !goes_on {
                found.push((begin, last + 1));
                start = None;
            }
            i = last + 1;
        }
    }
    found
}

fn other_statements(random: &mut Random, tokens: &[Token], language: &Language) -> Option<Vec<Token>> {
    let all = statements(tokens);
    let &(start, end) = random.pick(&all)?;
    let text = text_of(&tokens[start..end]);
    // A declaration that goes away, or goes into a block, takes its name with it.
    let is_declaration = {
        let next = after(tokens, start).map_or(Kind::Mark, |t| t.kind);
        tokens[start].kind == Kind::Word
            && next == Kind::Word
            && !["return", "goto", "else", "call", "havoc", "assert", "assume"].contains(&tokens[start].text.as_str())
    } || language.keywords.contains(&tokens[start].text.as_str())
        && !["if", "while", "for", "do", "switch", "return", "call", "havoc", "assert", "assume"]
            .contains(&tokens[start].text.as_str());
    let condition = |random: &mut Random| {
        let conditions = conditions(tokens);
        let &(from, to) = random.pick(&conditions)?;
        Some(text_of(&tokens[from..=to]))
    };
    let text = match random.below(8) {
        0 | 1 if !is_declaration => String::new(),
        2 if !is_declaration => format!("{text} {text}"),
        3 if !is_declaration => format!("if {} {{ {text} }}", condition(random)?),
        4 if !is_declaration => format!("while {} {{ {text} }}", condition(random)?),
        5 => {
            // Exchange with another, if neither contains the other.
            let &(from, to) = random.pick(&all)?;
            let (a, b) = if from < start { ((from, to), (start, end)) } else { ((start, end), (from, to)) };
            if a.1 > b.0 {
                return None;
            }
            let mut changed = tokens[..a.0].to_vec();
            changed.extend_from_slice(&tokens[b.0..b.1]);
            changed.extend_from_slice(&tokens[a.1..b.0]);
            changed.extend_from_slice(&tokens[a.0..a.1]);
            changed.extend_from_slice(&tokens[b.1..]);
            return Some(changed);
        }
        6 => {
            let &(from, to) = random.pick(&all)?;
            format!("{text} {}", text_of(&tokens[from..to]))
        }
        7 => format!("{text} {}", random.pick(language.statements)?),
        _ => return None,
    };
    Some(replaced(tokens, start..end, text))
}

/// The terms of a script with what they seem to be: numbers, truth values, or what their first word says.
fn terms(tokens: &[Token], language: &Language) -> BTreeMap<String, Vec<(usize, usize)>> {
    let partners = partners(tokens);
    let kind_of = |word: &str| language.kinds.iter().position(|k| k.contains(&word)).map(|k| format!("#{k}"));
    let significant: Vec<usize> = (0..tokens.len()).filter(|&i| tokens[i].kind != Kind::Space).collect();
    let mut sorts: BTreeMap<&str, String> = BTreeMap::new();
    for window in significant.windows(4) {
        let [command, name, first, second] = window else { continue };
        if tokens[*command].is("declare-const") {
            sorts.insert(&tokens[*name].text, tokens[*first].text.clone());
        } else if tokens[*command].is("declare-fun") && partners[*first] == Some(*second) {
            let sort = significant.iter().find(|&&i| i > *second).map_or(String::new(), |&i| tokens[i].text.clone());
            sorts.insert(&tokens[*name].text, sort);
        }
    }
    let mut terms: BTreeMap<String, Vec<(usize, usize)>> = BTreeMap::new();
    // Only below `assert`: elsewhere names are declared.
    for &open in significant.iter().filter(|&&i| tokens[i].is("assert")) {
        let Some(end) = significant.iter().find(|&&i| i > open && tokens[i].is("(")).and_then(|&i| partners[i]) else {
            continue;
        };
        for i in (open + 1..end).filter(|&i| tokens[i].kind != Kind::Space) {
            let follows = |j: usize| after(tokens, j).map_or("", |t| t.text.as_str());
            let is_head = before(tokens, i).is_some_and(|t| t.is("("));
            let (what, last) = match (tokens[i].kind, partners[i]) {
                (Kind::Mark, Some(close)) if close > i => {
                    (kind_of(follows(i)).unwrap_or_else(|| follows(i).to_string()), close)
                }
                (Kind::Number, _) => ("Int".to_string(), i),
                (Kind::Word, _) if !is_head && sorts.contains_key(tokens[i].text.as_str()) => {
                    (sorts[tokens[i].text.as_str()].clone(), i)
                }
                _ => continue,
            };
            // The results of the first two kinds of operators: truth values and numbers.
            let what = match what.as_str() {
                "#0" | "#1" => "Bool".to_string(),
                "#2" => "Int".to_string(),
                _ => what,
            };
            terms.entry(what).or_default().push((i, last + 1));
        }
    }
    terms
}

fn other_term(random: &mut Random, tokens: &[Token], language: &Language) -> Option<Vec<Token>> {
    let groups: Vec<Vec<(usize, usize)>> = terms(tokens, language).into_values().filter(|g| g.len() > 1).collect();
    let group = random.pick(&groups)?;
    let (&(start, end), &(from, to)) = (random.pick(group)?, random.pick(group)?);
    Some(replaced(tokens, start..end, text_of(&tokens[from..to])))
}

fn other_commands(random: &mut Random, tokens: &[Token], language: &Language) -> Option<Vec<Token>> {
    let partners = partners(tokens);
    let mut commands = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        match partners[i] {
            Some(end) if end > i => {
                commands.push((i, end + 1));
                i = end + 1;
            }
            _ => i += 1,
        }
    }
    let &(start, end) = random.pick(&commands)?;
    let text = text_of(&tokens[start..end]);
    let text = match random.below(4) {
        0 if !text.contains("declare") && !text.contains("set-") => String::new(),
        1 => {
            let &(from, to) = random.pick(&commands)?;
            let other = text_of(&tokens[from..to]);
            if other.contains("declare") || other.contains("set-") || from > start {
                return None;
            }
            format!("{text} {other}")
        }
        2 | 3 => format!("{text} {}", random.pick(language.statements)?),
        _ => return None,
    };
    Some(replaced(tokens, start..end, text))
}

/// One of the texts with characters cut, doubled and spliced, and sprinkled with tokens.
fn mutate_characters(random: &mut Random, texts: &[Vec<char>], tokens: &[&str]) -> String {
    let mut text = texts[random.below(texts.len())].clone();
    // Long files are cut to a piece, so that one mutation has a chance to matter.
    if text.len() > 6000 && random.below(4) > 0 {
        let start = random.below(text.len() - 3000);
        text = text[start..start + 3000].to_vec();
    }
    for _ in 0..=random.below(4) {
        let at = random.below(text.len() + 1);
        let length = 1 + random.below(12);
        let end = (at + length).min(text.len());
        match random.below(6) {
            0 => drop(text.drain(at..end)),
            1 => {
                let piece = text[at..end].to_vec();
                let to = random.below(text.len() + 1);
                text.splice(to..to, piece);
            }
            2 | 3 => {
                let token = tokens[random.below(tokens.len())];
                text.splice(at..at, token.chars());
            }
            4 => {
                let other = &texts[random.below(texts.len())];
                let from = random.below(other.len());
                let piece = other[from..(from + 60).min(other.len())].to_vec();
                text.splice(at..end, piece);
            }
            _ => {
                if let (true, Some(c)) = (at < text.len(), char::from_u32(32 + random.below(95) as u32)) {
                    text[at] = c;
                }
            }
        }
    }
    text.into_iter().collect()
}

/// The texts of all files below some folders with one of these extensions, in a fixed order. The first folder belongs to the repository and
/// must have some; others may be absent.
pub(crate) fn texts(folders: &[PathBuf], extensions: &[&str]) -> Vec<Vec<char>> {
    let mut paths = Vec::new();
    for (i, folder) in folders.iter().enumerate() {
        collect(folder.clone(), extensions, &mut paths);
        assert!(i > 0 || !paths.is_empty(), "there is nothing to mutate in {}", folder.display());
    }
    paths.sort();
    paths.iter().filter_map(|p| std::fs::read_to_string(p).ok()).map(|t| t.chars().collect()).collect()
}

fn collect(folder: PathBuf, extensions: &[&str], out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|e| e.path()) {
        if path.is_dir() {
            collect(path, extensions, out);
        } else if path.extension().and_then(|e| e.to_str()).is_some_and(|e| extensions.contains(&e)) {
            out.push(path);
        }
    }
}

/// How many mutants to try: `CRAIG_MUTATIONS`, or a few.
pub(crate) fn n_mutations(default: u64) -> u64 {
    std::env::var("CRAIG_MUTATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}
