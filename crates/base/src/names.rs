//! Names that somebody may have meant.

/// Of some names the one that differs least from a misspelt one, if it does not differ much.
pub fn nearest<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Of one or two letters everything is a misspelling.
    let allowed = wanted.chars().count() / 3;
    let close = names.into_iter().map(|n| (distance(wanted, n), n)).filter(|(d, n)| *d <= allowed && !n.is_empty());
    close.min().map(|(_, name)| name)
}

/// How many characters have to be inserted, deleted or replaced (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = before + usize::from(x != *y);
            before = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(before + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found() {
        assert_eq!(nearest("conter", ["count", "counter", "center"]), Some("center"));
        assert_eq!(nearest("countr", ["count", "counter"]), Some("count"));
        assert_eq!(nearest("x", ["counter"]), None);
        assert_eq!(nearest("x", ["y"]), None);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
