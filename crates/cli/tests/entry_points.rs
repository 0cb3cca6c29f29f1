//! Entry points other than `main`: what they are given, what is assumed, and that both kinds of answers come out.

mod common;

const LIBRARY: &str = r"
struct node { int value; struct node *next; };
int sum(const struct node *n) { int s = 0; while (n) { s ^= n->value; n = n->next; } return s; }
int get(const int *p) { return *p; }
int safe(const int *p) { return p ? *p : 0; }
unsigned long len(const char *s) { unsigned long n = 0; if (!s) return 0; while (s[n]) n++; return n; }
int second(const int *p) { return p ? p[1] : 0; }
void swap(int *a, int *b) { if (!a || !b) return; int t = *a; *a = *b; *b = t; }
int differ(int *a, int *b) { *a = 1; *b = 2; return 1 / (*a - 2); }
static int counter;
int count(void) { return ++counter; }
int count_to_five(void) { return counter < 5 ? ++counter : 0; }
static int helper(int x) { return 10 / x; }
int unset(int *p) { int x; if (p) x = *p; return x; }
";

fn run(arguments: &[&str], text: &str) -> (String, String) {
    let name = arguments.join("_").replace(['*', ' ', ','], "_");
    let path = common::file(&format!("entry_points_{name}.c"), text);
    let mut command = common::craig();
    let output = command.args(["check", "--timeout", "30s"]).args(arguments).arg(&path).output().expect("craig runs");
    (common::result(&output), common::stdout(&output))
}

#[test]
fn pointers_globals_and_texts() {
    let cases: &[(&str, &[&str], &str)] = &[
        ("undefined", &["--entry", "sum"], "true"),
        ("undefined", &["--entry", "get"], "false(valid-deref)"),
        ("no-null-dereference", &["--entry", "get"], "false(no-null-dereference)"),
        ("undefined", &["--entry", "get", "--pointers", "object"], "true"),
        ("undefined", &["--entry", "safe"], "true"),
        ("undefined", &["--entry", "len"], "true"),
        ("undefined", &["--entry", "second"], "false(valid-deref)"),
        ("undefined", &["--entry", "second", "--pointers", "null,array:2"], "true"),
        ("undefined", &["--entry", "second", "--pointers", "null"], "true"),
        ("undefined", &["--entry", "swap"], "true"),
        ("undefined", &["--entry", "swap", "--pointers", "null,object,may-alias"], "true"),
        ("no-division-by-zero", &["--entry", "differ", "--pointers", "object"], "true"),
        ("no-division-by-zero", &["--entry", "differ", "--pointers", "object,may-alias"], "false(no-division-by-zero)"),
        ("undefined", &["--entry", "count"], "true"),
        ("undefined", &["--entry", "count", "--globals", "any"], "false(no-overflow)"),
        ("undefined", &["--entry", "count_to_five", "--globals", "any"], "true"),
        ("no-uninitialised-read", &["--entry", "unset"], "false(no-uninitialised-read)"),
        ("no-uninitialised-read", &["--entry", "unset", "--pointers", "object"], "true"),
        ("undefined", &["--entry", "safe", "--entry", "len", "--entry", "swap"], "true"),
        ("undefined", &["--entry", "safe", "--entry", "get"], "false(valid-deref)"),
        // Nobody else can call the helper.
        ("no-division-by-zero", &["--pointers", "object"], "true"),
        ("no-division-by-zero", &["--entry", "*"], "false(no-division-by-zero)"),
    ];
    for (property, arguments, expected) in cases {
        let arguments: Vec<&str> = ["-p", property].iter().chain(*arguments).copied().collect();
        assert_eq!(run(&arguments, LIBRARY).0, *expected, "{arguments:?}");
    }
}

#[test]
fn what_is_assumed_is_said() {
    let (_, text) = run(&["--entry", "len"], LIBRARY);
    assert!(text.contains("assumed: s of len: null or a text that ends"), "{text}");
    let (_, text) = run(&["--entry", "count"], LIBRARY);
    assert!(text.contains("assumed: globals have their initial values"), "{text}");
    let (_, text) = run(&["--entry", "swap", "--pointers", "any"], LIBRARY);
    assert!(!text.contains("assumed"), "{text}");
    let (_, text) = run(&[], LIBRARY);
    assert!(text.contains("entry points: sum, get, safe") && text.contains("there is no main"), "{text}");
    assert_eq!(text.matches("RESULT:").count(), 1, "{text}");
}

#[test]
fn memory_that_callers_keep_is_not_lost() {
    let keeps = "#include <stdlib.h>\nchar *make(void) { char *p = malloc(2); p[0] = 0; return p; }\n";
    assert!(run(&["-p", "valid-memsafety"], keeps).0.starts_with("unknown"));
    let loses = "#include <stdlib.h>\nint make(void) { char *p = malloc(2); p[0] = 0; return p[0]; }\n";
    assert_eq!(run(&["-p", "valid-memsafety", "--entry", "make"], loses).0, "false(valid-memtrack)");
}

#[test]
fn wrong_words_are_told() {
    let path = common::file("entry_points_wrong.c", LIBRARY);
    for (word, said) in [("beauty", "none of any, null"), ("array:0", "1 to 1024"), ("array:x", "1 to 1024")] {
        let output = common::craig().args(["check", "--pointers", word]).arg(&path).output().expect("craig runs");
        assert_eq!(output.status.code(), Some(2));
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(message.contains(said), "{message}");
    }
}

const RING: &str = r"
typedef struct { unsigned char buf[16]; unsigned long head, tail; } ring;
int ring_put(ring *r, unsigned char b) {
    unsigned long next = (r->head + 1) % 16;
    if (next == r->tail) return -1;
    r->buf[r->head] = b;
    r->head = next;
    return 0;
}
int ring_get(ring *r) {
    int unused;
    if (r->head == r->tail) return -1;
    unsigned char b = r->buf[r->tail];
    r->tail = (r->tail + 1) % 16;
    return b;
}
int last(const char *text, unsigned long length) { return text[length - 1]; }
";

/// The least index outside of the buffer is 16, and nothing else has to be set.
#[test]
fn contents_of_objects_that_functions_are_given_are_small() {
    let both = ["-p", "undefined", "--all", "--entry", "ring_put", "--entry", "ring_get", "--pointers", "object"];
    let (result, text) = run(&both, RING);
    assert_eq!(result, "false(valid-deref)", "{text}");
    for wanted in ["`r->buf[r->head]`: index 16 is outside 0..15", "`r->buf[r->tail]`: index 16 is outside 0..15"] {
        assert!(text.contains(wanted), "{wanted} in {text}");
    }
    let values: Vec<&str> = text.lines().filter(|l| l.contains("(ring *r")).collect();
    assert_eq!(values.len(), 2, "{text}");
    assert!(values[0].contains("r->head = 16]") || values[0].contains("r->tail = 16]"), "{text}");
    assert!(!text.contains("unused"), "{text}");
    // What is assumed is said with the first violation only.
    assert_eq!(text.matches("assumed: r of ring_put").count(), 1, "{text}");
}

/// `length - 1` wraps around to the largest number.
#[test]
fn offsets_that_wrap_around_are_told_as_machines_compute_them() {
    let (result, text) = run(&["-p", "valid-memsafety", "--entry", "last", "--pointers", "null"], RING);
    assert_eq!(result, "false(valid-deref)", "{text}");
    assert!(text.contains("length = 0"), "{text}");
    assert!(text.contains("at offset -1 from a null pointer"), "{text}");
}
