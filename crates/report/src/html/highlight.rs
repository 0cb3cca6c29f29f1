//! Colours of source text: comments, literals, keywords and directives of C and Boogie, line by line.

use crate::escape::xml;

const C_KEYWORDS: &str = " auto break case const continue default do else enum extern for goto if inline register restrict return sizeof static \
    struct switch typedef union volatile while _Alignas _Alignof _Atomic _Generic _Noreturn _Static_assert _Thread_local alignas alignof constexpr \
    nullptr static_assert thread_local typeof true false __attribute__ ";
const C_TYPES: &str = " void char short int long float double signed unsigned _Bool bool _Complex size_t ssize_t ptrdiff_t intptr_t uintptr_t int8_t \
    int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t pthread_t pthread_mutex_t FILE ";
const BOOGIE_KEYWORDS: &str = " assert assume axiom break call const else ensures exists forall free function goto havoc if implementation invariant \
    lambda modifies old procedure requires return returns then type unique var where while yield par async true false ";
const BOOGIE_TYPES: &str = " int bool real ";

/// Where the text is: a comment may go on for lines.
pub(super) struct Highlighter {
    is_boogie: bool,
    in_comment: bool,
}

impl Highlighter {
    /// For a file of this name.
    pub(super) fn of(name: &str) -> Highlighter {
        Highlighter { is_boogie: name.ends_with(".bpl"), in_comment: false }
    }

    /// The next line as HTML.
    pub(super) fn line(&mut self, line: &str) -> String {
        let mut out = String::new();
        let mut rest = line;
        while !rest.is_empty() {
            let (class, length) = self.token(rest, out.is_empty());
            let (token, after) = rest.split_at(length);
            match class {
                "" => out.push_str(&xml(token)),
                class => out.push_str(&format!("<span class=\"{class}\">{}</span>", xml(token))),
            }
            rest = after;
        }
        out
    }

    /// The class of the token that a text starts with, and its length, which is at least one.
    fn token(&mut self, text: &str, is_first: bool) -> (&'static str, usize) {
        if self.in_comment || text.starts_with("/*") {
            let from = if self.in_comment { 0 } else { 2 };
            let end = text[from..].find("*/");
            self.in_comment = end.is_none();
            return ("comment", end.map_or(text.len(), |end| from + end + 2));
        }
        if text.starts_with("//") {
            return ("comment", text.len());
        }
        if is_first && !self.is_boogie && text.trim_start().starts_with('#') {
            let directive = text.len() - text.trim_start().len() + 1;
            let word = text[directive..].trim_start();
            let end = word.find(|c: char| !c.is_alphanumeric()).unwrap_or(word.len());
            return ("meta", text.len() - word.len() + end);
        }
        let first = text.chars().next().unwrap_or(' ');
        if first == '"' || first == '\'' && !self.is_boogie {
            return ("string", literal(text, first));
        }
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$' || c == '.' && first.is_ascii_digit();
        if !is_part(first) {
            return ("", first.len_utf8());
        }
        let length = text.find(|c: char| !is_part(c)).unwrap_or(text.len());
        if first.is_ascii_digit() {
            return ("literal", length);
        }
        let (keywords, types) = if self.is_boogie { (BOOGIE_KEYWORDS, BOOGIE_TYPES) } else { (C_KEYWORDS, C_TYPES) };
        let is_in = |words: &str| words.split_whitespace().any(|w| w == &text[..length]);
        let class = if is_in(keywords) {
            "keyword"
        } else if is_in(types) {
            "type"
        } else {
            ""
        };
        (class, length)
    }
}

/// The length of a literal with its quotes; one that is not closed takes the line.
fn literal(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (i, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if c == quote => return i + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without the tags the text is what it was.
    fn stripped(html: &str) -> String {
        let mut out = String::new();
        for part in html.split('<') {
            out.push_str(part.split_once('>').map_or(part, |(_, text)| text));
        }
        out.replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&quot;", "\"")
            .replace("&#39;", "'")
            .replace("&amp;", "&")
    }

    #[test]
    fn tokens_have_classes() {
        let mut c = Highlighter::of("a.c");
        assert_eq!(c.line("  # include <stdio.h>"), "<span class=\"meta\">  # include</span> &lt;stdio.h&gt;");
        let shown = c.line("int x1 = 0x1F + '\\'' /* a");
        assert!(
            shown.starts_with("<span class=\"type\">int</span> x1 = <span class=\"literal\">0x1F</span>"),
            "{shown}"
        );
        assert!(shown.ends_with("<span class=\"comment\">/* a</span>"), "{shown}");
        assert_eq!(c.line("b */ if"), "<span class=\"comment\">b */</span> <span class=\"keyword\">if</span>");
        assert_eq!(c.line("a // \"b"), "a <span class=\"comment\">// &quot;b</span>");
    }

    #[test]
    fn no_text_is_lost() {
        let lines = [
            "\"open",
            "'\\",
            "#",
            "#define f(x) \"</script>\"",
            "é = 'é' + \"ü\\\"\";",
            "/*/ x */ y",
            "1.5e3.f",
            "/**/",
            "a/*b*/c//d",
        ];
        for name in ["a.c", "a.bpl"] {
            let mut state = Highlighter::of(name);
            for line in lines {
                assert_eq!(stripped(&state.line(line)), line);
            }
        }
    }
}
