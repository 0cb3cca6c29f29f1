//! Library functions written in C (`functions.c`): used when the program mentions them and does not define them.

/// Runs the functions that `atexit` was given, last first.
pub(crate) const EXIT_HANDLERS: &str = "__craig_run_exit_handlers";

/// The object that `errno` is.
pub(crate) const ERRNO: &str = "__craig_errno";

/// Functions that only [`TEXT`] calls: any value of their type.
pub(crate) const ANY_VALUE: &str = "__craig_any_";

/// Likewise, for values that are not computed exactly: an execution that depends on one proves nothing.
pub(crate) const UNKNOWN_VALUE: &str = "__craig_unknown_";

/// Reads a byte; likewise only called there.
pub(crate) const NEXT_BYTE: &str = "__craig_next_byte";

const TEXT: &str = include_str!("functions.c");

/// What begins a function: `//// NAME: OTHERS`.
const MARK: &str = "\n//// ";

struct Section<'a> {
    name: &'a str,
    needs: &'a str,
    text: &'a str,
}

fn sections() -> impl Iterator<Item = Section<'static>> {
    TEXT.split(MARK).skip(1).filter_map(|section| {
        let (head, text) = section.split_once('\n')?;
        let (name, needs) = head.split_once(':')?;
        Some(Section { name, needs, text })
    })
}

/// The functions that are written in C.
#[cfg(test)]
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    sections().map(|section| section.name)
}

/// The definitions of the wanted functions and of those that they need, each once.
pub(crate) fn definitions(is_wanted: impl Fn(&str) -> bool, is_defined: impl Fn(&str) -> bool) -> String {
    let sections: Vec<Section<'_>> = sections().filter(|s| !is_defined(s.name)).collect();
    let mut wanted: Vec<bool> = sections.iter().map(|s| is_wanted(s.name)).collect();
    let mut pending: Vec<usize> = (0..sections.len()).filter(|&i| wanted[i]).collect();
    while let Some(i) = pending.pop() {
        for need in sections[i].needs.split(',').map(str::trim) {
            if let Some(j) = sections.iter().position(|s| s.name == need)
                && !std::mem::replace(&mut wanted[j], true)
            {
                pending.push(j);
            }
        }
    }
    // Those that others need stand in front of them or are declared by the program; prototypes settle the rest.
    let mut text = String::new();
    for (section, wanted) in sections.iter().zip(wanted) {
        if wanted {
            text.push_str(section.text);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_need_is_there_and_stands_before() {
        let names: Vec<&str> = sections().map(|s| s.name).collect();
        for (i, section) in sections().enumerate() {
            for need in section.needs.split(',').map(str::trim).filter(|n| !n.is_empty()) {
                let at = names.iter().position(|n| *n == need);
                assert!(at.is_some_and(|at| at < i), "{} needs {need} before it", section.name);
            }
        }
    }

    #[test]
    fn needed_functions_come_along() {
        let text = definitions(|n| n == "atoi", |n| n == "strlen");
        for name in ["int atoi(", "long strtol(", "__craig_digit(", "*__errno_location(void) {"] {
            assert!(text.contains(name), "{name} in {text}");
        }
        assert!(!text.contains("strlen"), "{text}");
        assert_eq!(definitions(|n| n == "strlen", |n| n == "strlen"), "");
    }
}
