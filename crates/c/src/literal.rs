//! The values of literals: integers, floating constants, characters and strings (C11 6.4.4, 6.4.5).

/// An integer literal before its type is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct IntegerLiteral {
    pub value: u128,
    pub decimal: bool,
    pub unsigned: bool,
    /// How many `l` the suffix has.
    pub longs: u8,
}

/// Reads an integer literal: decimal, octal, hexadecimal or (GNU) binary, with its suffix.
pub(crate) fn integer(text: &str) -> Option<IntegerLiteral> {
    let lower = text.to_ascii_lowercase().replace('\'', "");
    let (digits, radix) = if let Some(rest) = lower.strip_prefix("0x") {
        (rest, 16)
    } else if let Some(rest) = lower.strip_prefix("0b") {
        (rest, 2)
    } else if lower.starts_with('0') {
        (&lower[..], 8)
    } else {
        (&lower[..], 10)
    };
    let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    let (number, suffix) = digits.split_at(end);
    if number.is_empty() {
        return None;
    }
    let value = u128::from_str_radix(number, radix).ok()?;
    let (unsigned, longs) = match suffix {
        "" => (false, 0),
        "u" => (true, 0),
        "l" => (false, 1),
        "ul" | "lu" => (true, 1),
        "ll" => (false, 2),
        "ull" | "llu" => (true, 2),
        _ => return None,
    };
    Some(IntegerLiteral { value, decimal: radix == 10, unsigned, longs })
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FloatSuffix {
    Half,
    Float,
    Double,
    LongDouble,
    Quad,
}

/// The number in front of the `i` or `j` of an imaginary constant, with the rest of its suffix.
pub(crate) fn without_imaginary(text: &str) -> Option<String> {
    let is_hex = text.starts_with("0x") || text.starts_with("0X");
    let digit = |c: char| if is_hex { c.is_ascii_hexdigit() } else { c.is_ascii_digit() };
    let suffix = text.rfind(|c: char| digit(c) || matches!(c, '.' | '+' | '-' | 'p' | 'P')).map_or(0, |i| i + 1);
    let (number, suffix) = text.split_at(suffix);
    let at = suffix.find(['i', 'j', 'I', 'J'])?;
    Some(format!("{number}{}{}", &suffix[..at], &suffix[at + 1..]))
}

/// A floating constant: its value rounded to double, whether that is exact enough (a float constant
/// is rounded once more by its type), its suffix, and whether it is imaginary.
pub(crate) fn floating(text: &str) -> Option<(f64, FloatSuffix)> {
    let lower = text.to_ascii_lowercase().replace('\'', "");
    let is_hex = lower.starts_with("0x");
    let ends = |suffixes: &[&str]| suffixes.iter().find_map(|s| lower.strip_suffix(s));
    let (body, suffix) = if let Some(b) = ends(&["f128", "q"]) {
        (b, FloatSuffix::Quad)
    } else if let Some(b) = ends(&["f64x", "w"]) {
        (b, FloatSuffix::LongDouble)
    } else if let Some(b) = ends(&["f16"]) {
        (b, FloatSuffix::Half)
    } else if let Some(b) = ends(&["f32x"]) {
        (b, FloatSuffix::Double)
    } else if let Some(b) = lower.strip_suffix("f32") {
        (b, FloatSuffix::Float)
    } else if let Some(b) = lower.strip_suffix("f64") {
        (b, FloatSuffix::Double)
    } else if let Some(b) = lower.strip_suffix('l') {
        (b, FloatSuffix::LongDouble)
    } else if let Some(b) = lower.strip_suffix('f').filter(|_| !is_hex || lower.contains('p')) {
        (b, FloatSuffix::Float)
    } else {
        (&lower[..], FloatSuffix::Double)
    };
    if !is_hex && !body.contains(['.', 'e']) {
        return None;
    }
    if is_hex {
        return hex_float(&body[2..]).map(|v| (v, suffix));
    }
    // Rounded once, from the decimal digits to the type.
    let value = match suffix {
        FloatSuffix::Float => f64::from(body.parse::<f32>().ok()?),
        _ => body.parse().ok()?,
    };
    Some((value, suffix))
}

/// The digits of a decimal floating constant as a whole number of 64 bits, and the power of ten to multiply it with.
pub(crate) fn decimal(text: &str) -> Option<(u64, i32)> {
    let lower = text.to_ascii_lowercase().replace('\'', "");
    let body = ["f128", "f64x", "f16", "l", "q", "w"].iter().find_map(|s| lower.strip_suffix(s)).unwrap_or(&lower);
    let (mantissa, exponent) = body.split_once('e').unwrap_or((body, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let fraction = fraction.trim_end_matches('0');
    let mut exponent = exponent.parse::<i32>().ok()?.checked_sub(i32::try_from(fraction.len()).ok()?)?;
    let mut digits = format!("{whole}{fraction}");
    while digits.len() > 1 && digits.ends_with('0') {
        digits.pop();
        exponent = exponent.checked_add(1)?;
    }
    Some((digits.parse().ok()?, exponent))
}

/// Whether a constant is exactly a double.
pub(crate) fn is_exact(text: &str, value: f64) -> bool {
    if text.starts_with("0x") || text.starts_with("0X") {
        let digits = text[2..].split(['p', 'P']).next().unwrap_or_default();
        let is_zero = digits.chars().all(|c| matches!(c, '0' | '.'));
        return digits.len() <= 12 && if is_zero { value == 0.0 } else { value.is_normal() };
    }
    let Some((digits, exponent)) = decimal(text) else { return false };
    // With a few digits after the point the double is a small multiple of a power of two.
    let scaled = value * f64::from(1 << 20);
    if digits == 0 {
        return value == 0.0;
    }
    if scaled.fract() != 0.0 || scaled.abs() >= 2f64.powi(53) || exponent.unsigned_abs() > 15 {
        return false;
    }
    let power = 10i128.pow(exponent.unsigned_abs());
    let (scaled, digits) = (scaled as i128, i128::from(digits) << 20);
    if exponent < 0 { scaled * power == digits } else { digits.checked_mul(power) == Some(scaled) }
}

fn hex_float(text: &str) -> Option<f64> {
    let (mantissa, exponent) = text.split_once('p')?;
    let mut exponent: i32 = exponent.parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut value: u128 = 0;
    for (digit, is_fraction) in whole.chars().map(|c| (c, false)).chain(fraction.chars().map(|c| (c, true))) {
        let digit = digit.to_digit(16)? as u128;
        if value >> 100 != 0 {
            if digit != 0 {
                value |= 1;
            }
            if !is_fraction {
                exponent = exponent.checked_add(4)?;
            }
            continue;
        }
        value = value * 16 + digit;
        if is_fraction {
            exponent = exponent.checked_sub(4)?;
        }
    }
    // Scaling in two steps keeps the intermediate power finite; `value` has at most 104 bits.
    let half = exponent / 2;
    Some(value as f64 * 2f64.powi(half) * 2f64.powi(exponent - half))
}

/// Decodes the characters of a quoted text into code units of so many bytes: UTF-8, UTF-16 or UTF-32.
fn decode(body: &str, width: u8) -> Option<Vec<u32>> {
    let mut out = Vec::new();
    let mut chars = body.chars().peekable();
    let push_char = |c: char, out: &mut Vec<u32>| match width {
        1 => out.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from)),
        2 => out.extend(c.encode_utf16(&mut [0; 2]).iter().copied().map(u32::from)),
        _ => out.push(c as u32),
    };
    let mask = match width {
        1 => 0xff,
        2 => 0xffff,
        _ => u32::MAX,
    };
    while let Some(c) = chars.next() {
        if c != '\\' {
            push_char(c, &mut out);
            continue;
        }
        match chars.next()? {
            'n' => out.push(10),
            't' => out.push(9),
            'r' => out.push(13),
            'a' => out.push(7),
            'b' => out.push(8),
            'f' => out.push(12),
            'v' => out.push(11),
            'e' | 'E' => out.push(27),
            'x' => {
                // At least one digit.
                chars.peek().filter(|c| c.is_ascii_hexdigit())?;
                let mut value = 0u32;
                while let Some(d) = chars.peek().and_then(|c| c.to_digit(16)) {
                    value = value.wrapping_mul(16).wrapping_add(d);
                    chars.next();
                }
                out.push(value & mask);
            }
            d @ '0'..='7' => {
                let mut value = d.to_digit(8)?;
                for _ in 0..2 {
                    let Some(d) = chars.peek().and_then(|c| c.to_digit(8)) else { break };
                    value = value * 8 + d;
                    chars.next();
                }
                out.push(value & mask);
            }
            u @ ('u' | 'U') => {
                let mut value = 0;
                for _ in 0..if u == 'u' { 4 } else { 8 } {
                    value = value * 16 + chars.next()?.to_digit(16)?;
                }
                push_char(char::from_u32(value)?, &mut out);
            }
            other => push_char(other, &mut out),
        }
    }
    Some(out)
}

fn split_prefix(text: &str) -> (&str, &str) {
    let quote = text.find(['"', '\'']).unwrap_or(0);
    let (prefix, quoted) = text.split_at(quote);
    let body = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or("");
    (prefix, body)
}

/// The value of a character constant; a plain one is a sign-extended `char`.
pub(crate) fn character(text: &str) -> Option<i64> {
    let (prefix, body) = split_prefix(text);
    let units = decode(body, prefix_width(prefix))?;
    match (prefix, units.as_slice()) {
        (_, []) => None,
        ("" | "u8", [one]) => Some(*one as u8 as i8 as i64),
        // Several characters: gcc packs them big-endian into an int.
        ("" | "u8", many) => Some(many.iter().fold(0i32, |acc, &u| acc.wrapping_shl(8) | (u as u8 as i32)) as i64),
        ("L", [.., last]) => Some(*last as i32 as i64),
        (_, [.., last]) => Some(*last as i64),
    }
}

/// The bytes of a unit: 1 for plain and `u8`, 2 for `u`, 4 for `L` and `U`.
fn prefix_width(prefix: &str) -> u8 {
    match prefix {
        "L" | "U" => 4,
        "u" => 2,
        _ => 1,
    }
}

/// The element width of a string literal.
pub(crate) fn string_width(text: &str) -> u8 {
    prefix_width(split_prefix(text).0)
}

/// Does a string literal have elements of type `char32_t`?
pub(crate) fn is_utf32(text: &str) -> bool {
    split_prefix(text).0 == "U"
}

/// The code units of one string literal token, without a terminator.
pub(crate) fn string(text: &str, width: u8) -> Option<Vec<u32>> {
    decode(split_prefix(text).1, width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers() {
        let lit = integer("0xFFul").unwrap();
        assert_eq!((lit.value, lit.decimal, lit.unsigned, lit.longs), (255, false, true, 1));
        assert_eq!(integer("017").unwrap().value, 15);
        assert_eq!(integer("0b101").unwrap().value, 5);
        assert!(integer("1.0").is_none() && integer("08").is_none() && integer("12x").is_none());
    }

    #[test]
    fn floats() {
        assert_eq!(floating("1.5f"), Some((1.5, FloatSuffix::Float)));
        assert_eq!(floating("0x1.8p1"), Some((3.0, FloatSuffix::Double)));
        assert_eq!(floating("0x1p-1074"), Some((5e-324, FloatSuffix::Double)));
        assert_eq!(floating("1e400"), Some((f64::INFINITY, FloatSuffix::Double)));
        // Just above the middle of two floats, and the middle itself as a double.
        let above = floating("1.000000059604644775390626f").unwrap().0;
        assert_eq!(above, f64::from(1.0f32 + f32::EPSILON));
    }

    #[test]
    fn characters_and_strings() {
        assert_eq!(character("'\\xff'"), Some(-1));
        assert_eq!(character("'a'"), Some(97));
        assert_eq!(character("L'\\xff'"), Some(255));
        assert_eq!(string("\"\\x41\\102\\0\"", 1), Some(vec![0x41, 0x42, 0]));
        assert_eq!(string("u\"a\\U0001F600\"", 2), Some(vec![0x61, 0xd83d, 0xde00]));
        assert_eq!(string("\"\u{e9}\"", 1), Some(vec![0xc3, 0xa9]));
    }
}
