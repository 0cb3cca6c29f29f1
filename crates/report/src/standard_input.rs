//! What an execution read with `scanf` and `fgets`, as the text that makes a program read it again.
//!
//! Numbers are separated by blanks. A call that wrote fewer targets than it has met something that is no number, or the
//! end of the text: nothing behind it can be repeated.

use crate::trace::{literal, number};
use base::SourceMap;
use ir::source::SourceType;
use ir::{Icfg, Label, Nondet, Run, Stmt};
use logic::Value;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StandardInput {
    Text(Vec<u8>),
    /// There is no simple text that does it.
    NotRepeated,
}

/// Whether the values of an input stand in that text.
pub fn is_standard_input(input: &str) -> bool {
    input == ir::STANDARD_INPUT || input.ends_with("scanf")
}

/// The text of an execution; `None` if it reads nothing.
pub fn of(icfg: &Icfg, run: &Run, sources: &SourceMap) -> Option<StandardInput> {
    let mut text: Option<Vec<u8>> = None;
    let mut left = 0;
    let mut is_closed = false;
    for step in &run.steps {
        let edge = &icfg.edges[step.edge];
        let Label::Stmt(Stmt::Havoc(_, why)) = &edge.label else { continue };
        let Some((_, value)) = step.chosen.first() else { continue };
        match why {
            Nondet::Input(name) if name.ends_with("scanf") => {
                let call = sources.text(edge.span);
                let format = call.split('"').nth(1).unwrap_or("?");
                let is_plain = format.split_whitespace().collect::<String>().split('%').all(is_conversion);
                if is_closed || !is_plain || name.contains("fscanf") && !call.contains("stdin") {
                    return Some(StandardInput::NotRepeated);
                }
                let count = number(value)?;
                let n_targets = format.matches('%').count() as i128;
                text.get_or_insert_default();
                left = count.max(0);
                is_closed = count < n_targets;
                if left == 0 && count == 0 {
                    text.get_or_insert_default().push(b'?');
                }
            }
            Nondet::Input(name) if name == ir::STANDARD_INPUT => {
                let byte = number(value)?;
                if is_closed {
                    return Some(StandardInput::NotRepeated);
                }
                is_closed = byte < 0;
                text.get_or_insert_default().extend(u8::try_from(byte).ok());
            }
            Nondet::Read(conversion) if left > 0 => {
                left -= 1;
                let text = text.get_or_insert_default();
                if !write(text, conversion, value) {
                    return Some(StandardInput::NotRepeated);
                }
                if left == 0 && is_closed {
                    text.extend(b" ?");
                }
            }
            Nondet::Read(_) | Nondet::Input(_) | Nondet::Choice => {}
            Nondet::Inexact(_) | Nondet::Overapproximation(_) => {}
        }
    }
    text.map(StandardInput::Text)
}

/// What stands behind a percent sign of a format without other text: an optional width (of a decimal number, which then
/// is short enough), an optional length and a letter.
fn is_conversion(part: &str) -> bool {
    let unlimited = part.trim_start_matches(|c: char| c.is_ascii_digit());
    let letter = unlimited.trim_start_matches(['h', 'l', 'j', 'z', 't']);
    let letters = if unlimited == part { "diuoxXaAeEfFgGc" } else { "d" };
    part.is_empty() || letter.len() == 1 && letter.chars().all(|c| letters.contains(c))
}

/// Adds a value. Is there a text for it?
fn write(text: &mut Vec<u8>, conversion: &str, value: &Value) -> bool {
    let letter = conversion.chars().last().unwrap_or('d');
    let long = conversion.starts_with('l');
    let bits = if long || conversion.starts_with('j') { 64 } else { 32 };
    if letter == 'c' {
        // A char is signed or not; the byte is the same.
        let byte = number(value).filter(|n| (-128..256).contains(n));
        text.extend(byte.map(|n| n as u8));
        return byte.is_some();
    }
    if !text.is_empty() {
        text.push(b' ');
    }
    let ty = match letter {
        'd' | 'i' => SourceType::Int { bits, signed: true, name: String::new() },
        'u' | 'o' | 'x' | 'X' => SourceType::Int { bits, signed: false, name: String::new() },
        _ if long => SourceType::Float(64),
        _ => SourceType::Float(32),
    };
    let mut digits = match (value, &ty) {
        (_, SourceType::Float(_)) => literal(&ty, value),
        (Value::Num(n), _) => n.to_string(),
        _ => literal(&ty, value).trim_end_matches(['U', 'L']).to_string(),
    };
    if let ('o' | 'x' | 'X', Ok(n)) = (letter, digits.parse::<u64>()) {
        digits = if letter == 'o' { format!("{n:o}") } else { format!("{n:x}") };
    }
    let special = [("(0.0 / 0.0)", "nan"), ("(1.0 / 0.0)", "inf"), ("(-1.0 / 0.0)", "-inf")];
    if let Some((_, name)) = special.iter().find(|s| s.0 == digits) {
        digits = name.to_string();
    }
    text.extend(digits.as_bytes());
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_they_are_read() {
        let mut text = Vec::new();
        write(&mut text, "d", &Value::int(-5));
        write(&mut text, "x", &Value::int(255));
        assert!(write(&mut text, "c", &Value::int(65)) && !write(&mut text, "c", &Value::int(300)));
        write(&mut text, "lf", &Value::Num(i128::from(1.5f64.to_bits()).into()));
        assert_eq!(text, b"-5 ffA 1.5");
    }

    #[test]
    fn formats_without_other_text() {
        assert!(["", "d", "lld", "c", "lf", "2d"].iter().all(|p| is_conversion(p)));
        assert!(!["d,", "2x", "s", "*d"].iter().any(|p| is_conversion(p)));
    }
}
