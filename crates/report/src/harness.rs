//! A test that fails: the inputs of an execution as C, to be linked with the program.
//!
//! The test defines the functions that the program takes its inputs from, each returning the values of the
//! execution in order (and zero after them), and an error function that aborts. It is a translation unit of its own and
//! declares nothing of the program, whose prototypes may differ. The linker is told to take its definitions where
//! the program has some too. What a test cannot repeat (uninitialised memory, addresses) it says in its head.

use crate::standard_input::{StandardInput, is_standard_input};
use crate::trace::{InputValue, input_type, literal, number};
use ir::Subproperty;
use ir::source::{SourceFunction, SourceTable, SourceType};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// What is tested.
pub struct Subject<'a> {
    /// The path of the program, for the command in the head.
    pub program: &'a str,
    /// The property as the verdict names it: `unreach-call`, `valid-deref`, …
    pub violated: Subproperty,
    /// Where and what, for people.
    pub message: &'a str,
    /// The function that is entered, and its arguments, if it is not `main`.
    pub entry: Option<&'a str>,
    pub table: &'a SourceTable,
    /// What `scanf` read, if it read something.
    pub standard_input: Option<StandardInput>,
    /// Allocations of the execution may fail.
    pub malloc_may_fail: bool,
}

impl Subject<'_> {
    /// What of the execution a test does not repeat, beside uninitialised memory and addresses.
    fn not_repeated(&self, inputs: &[InputValue]) -> Vec<String> {
        let entry = |f: &&SourceFunction| self.entry.is_some_and(|e| e == f.name);
        let functions = || self.table.functions.values();
        let params = functions().filter(entry).flat_map(|f| &f.params);
        let is_scalar = |ty: &Option<SourceType>| ty.as_ref().is_some_and(|t| !matches!(t, SourceType::Pointer));
        let mut names: Vec<String> = params.filter(|p| !is_scalar(&p.1)).map(|p| p.0.clone()).collect();
        let is_param = |name: &str| functions().filter(entry).any(|f| f.params.iter().any(|p| p.0 == name));
        for InputValue { function: name, .. } in inputs {
            let is_main = self.entry.is_none() && name == "argc";
            let is_repeated = match self.table.inputs.get(name) {
                Some(ty) => !matches!(ty, SourceType::Pointer),
                None => is_param(name) || name.starts_with("__VERIFIER_nondet_"),
            };
            let is_undeclared = self.table.undeclared.contains(name);
            if (!is_repeated || is_undeclared) && !is_main && !is_standard_input(name) {
                names.push(name.clone());
            }
        }
        names.sort();
        names.dedup();
        let mut all: Vec<String> = names.into_iter().map(|n| format!("what {n} is")).collect();
        if self.malloc_may_fail {
            all.push("which allocations fail".to_string());
        }
        if let Some(argc) = inputs.iter().find(|i| self.entry.is_none() && i.function == "argc") {
            let argc = number(&argc.value).map_or_else(|| argc.value.show(), |n| n.to_string());
            all.push(format!("the arguments of main (argc is {argc})"));
        }
        if matches!(self.standard_input, Some(StandardInput::NotRepeated)) {
            all.push("what scanf reads".to_string());
        }
        all
    }
}

pub(crate) fn type_name(ty: &SourceType) -> &str {
    match ty {
        SourceType::Bool => "_Bool",
        SourceType::Int { name, .. } => name,
        SourceType::Pointer => "void *",
        SourceType::Float(32) => "float",
        SourceType::Float(64) => "double",
        SourceType::Float(_) => "long double",
    }
}

fn is_about_memory(violated: Subproperty) -> bool {
    match violated {
        Subproperty::ValidDeref
        | Subproperty::ValidFree
        | Subproperty::ValidMemtrack
        | Subproperty::ValidMemcleanup
        | Subproperty::NoNullDereference => true,
        Subproperty::UnreachCall
        | Subproperty::NoOverflow
        | Subproperty::NoDataRace
        | Subproperty::NoDeadlock
        | Subproperty::NoDivisionByZero
        | Subproperty::NoInvalidShift
        | Subproperty::NoUninitialisedRead
        | Subproperty::Contract
        | Subproperty::NoWrap
        | Subproperty::WitnessInvariant
        | Subproperty::WitnessDefined
        | Subproperty::ThreadCount
        | Subproperty::ThreadPlaces => false,
    }
}

/// The options that make the violation visible, and `-m32` or `-m64`.
pub fn gcc_options(violated: Subproperty, table: &SourceTable) -> Vec<&'static str> {
    let mut options = vec!["-std=gnu11", "-O0", "-g", "-w", "-fcommon"];
    if table.has_int128 {
        options.push("-m64");
    } else {
        // Without the wider registers of old machines, in which results are not rounded to their types.
        options.extend(["-m32", "-msse2", "-mfpmath=sse"]);
    }
    match violated {
        Subproperty::NoOverflow | Subproperty::NoDivisionByZero | Subproperty::NoInvalidShift => {
            options.extend(["-fsanitize=undefined", "-fno-sanitize-recover=all"])
        }
        _ if is_about_memory(violated) => {
            options.extend(["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
        }
        _ => options.push("-fwrapv"),
    }
    if violated == Subproperty::ValidMemcleanup {
        options.push(COUNTED);
    }
    options
}

/// The functions that [`COUNTING`] stands in for.
const COUNTED: &str = "-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup,--wrap=free";

/// Blocks that are still there at the end are no leaks to the sanitizer if something points to them: they are counted.
const COUNTING: &str = "
static long blocks;
void *__real_malloc(__SIZE_TYPE__);
void *__real_calloc(__SIZE_TYPE__, __SIZE_TYPE__);
void *__real_realloc(void *, __SIZE_TYPE__);
char *__real_strdup(const char *);
void __real_free(void *);
void *__wrap_malloc(__SIZE_TYPE__ n) { void *p = __real_malloc(n); blocks += p != 0; return p; }
void *__wrap_calloc(__SIZE_TYPE__ n, __SIZE_TYPE__ size) { void *p = __real_calloc(n, size); blocks += p != 0; return p; }
char *__wrap_strdup(const char *s) { char *p = __real_strdup(s); blocks += p != 0; return p; }
void *__wrap_realloc(void *p, __SIZE_TYPE__ n) {
  void *q = __real_realloc(p, n);
  blocks += !p && q ? 1 : p && !q && !n ? -1 : 0;
  return q;
}
void __wrap_free(void *p) { blocks -= p != 0; __real_free(p); }
__attribute__((destructor)) static void at_the_end(void) {
  if (blocks > 0) { puts(\"memory is not freed\"); abort(); }
}
";

/// The head of a test: what fails, and how it is run.
pub(crate) fn head(subject: &Subject<'_>, command: &str) -> String {
    let environment = if is_about_memory(subject.violated) {
        "ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1 "
    } else {
        ""
    };
    let mut out = String::new();
    let _ = writeln!(out, "/* A test that fails: {} ({}).", one_line(subject.message), subject.violated);
    let _ = writeln!(out, "   Made by Craig for {}. Run it with", one_line(subject.program));
    let _ = writeln!(out, "     {command}\n     {environment}./test\n*/");
    out
}

/// Calling one of these is the failure.
pub(crate) const ERRORS: [&str; 2] = ["reach_error", "__VERIFIER_error"];

/// What else every test defines.
pub(crate) const INTRINSICS: [&str; 3] = ["__VERIFIER_assume", "__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"];

/// A definition of a function that has no body and returns none of the inputs.
fn stand_in(name: &str) -> String {
    if ERRORS.contains(&name) {
        format!("void {name}(void) {{ puts(\"{name} is called\"); abort(); }}")
    } else if name.ends_with("_assume") {
        format!("void {name}(int condition) {{ if (!condition) _Exit(108); }}")
    } else if name.ends_with("_assert") {
        format!("void {name}(int condition) {{ if (!condition) {{ puts(\"{name} fails\"); abort(); }} }}")
    } else {
        format!("void {name}(void) {{}}")
    }
}

/// The text of the test.
pub fn text(subject: &Subject<'_>, inputs: &[InputValue]) -> String {
    let table = subject.table;
    let not_repeated = subject.not_repeated(inputs);
    let parameters: Vec<(String, Option<SourceType>)> = subject
        .entry
        .and_then(|e| table.functions.values().find(|f| f.name == e))
        .map(|f| f.params.clone())
        .unwrap_or_default();
    let is_argument = |input: &InputValue| {
        let names = table.functions.values().flat_map(|f| &f.params).map(|p| p.0.as_str());
        !table.inputs.contains_key(&input.function) && names.into_iter().any(|p| p == input.function)
    };
    let (arguments, inputs): (Vec<&InputValue>, Vec<&InputValue>) = inputs.iter().partition(|i| is_argument(i));
    let options = gcc_options(subject.violated, table).join(" ");
    let program = one_line(subject.program);
    let mut out = head(subject, &format!("gcc {options} -Wl,-z,muldefs THIS_FILE {program} -lm -o test"));
    if !not_repeated.is_empty() {
        let _ = writeln!(out, "/* Not repeated, so that it may pass: {}. */", one_line(&not_repeated.join(", ")));
    }
    out.push_str("void abort(void);\nvoid _Exit(int);\nint puts(const char *);\n\n");
    let intrinsics = ERRORS.iter().chain(&INTRINSICS).map(|n| n.to_string());
    let mut defined: BTreeSet<String> = BTreeSet::new();
    for name in intrinsics {
        let _ = writeln!(out, "{}", stand_in(&name));
        defined.insert(name);
    }
    if subject.violated == Subproperty::ValidMemcleanup {
        out.push_str(COUNTING);
    }
    if let Some(StandardInput::Text(text)) = &subject.standard_input {
        let bytes: Vec<String> = text.iter().map(u8::to_string).chain(["0".to_string()]).collect();
        out.push_str(
            "\nint pipe(int *);\nlong write(int, const void *, unsigned long);\nint dup2(int, int);\nint close(int);\n",
        );
        out.push_str("__attribute__((constructor)) static void standard_input(void) {\n  int ends[2];\n");
        let _ = writeln!(
            out,
            "  const unsigned char text[] = {{ {} }}; /* {} */",
            bytes.join(", "),
            one_line(&text.escape_ascii().to_string())
        );
        let _ = writeln!(out, "  if (pipe(ends) || write(ends[1], text, {}) < 0) _Exit(109);", text.len());
        out.push_str("  close(ends[1]);\n  dup2(ends[0], 0);\n}\n");
    }
    let mut values: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (name, ty) in &table.inputs {
        // Library functions that are no inputs here are the real ones.
        let is_input = name.starts_with("__VERIFIER_nondet_")
            || inputs.iter().any(|i| i.function == *name && !is_standard_input(name));
        if is_input && !matches!(ty, SourceType::Pointer) {
            values.insert(name, Vec::new());
        }
    }
    let is_function = |name: &str| table.inputs.contains_key(name) || name.starts_with("__VERIFIER_nondet_");
    for input in inputs.iter().filter(|i| !is_standard_input(&i.function) && is_function(&i.function)) {
        let ty = input_type(table, &input.function);
        values.entry(&input.function).or_default().push(literal(&ty, &input.value));
    }
    defined.extend(values.keys().map(|n| n.to_string()));
    for name in table.absent.difference(&defined) {
        let _ = writeln!(out, "{}", stand_in(name));
    }
    for (name, values) in values {
        let ty = input_type(table, name);
        let ty = type_name(&ty);
        let n = values.len();
        if n == 0 {
            let _ = writeln!(out, "\n{ty} {name}(void) {{ return 0; }}");
            continue;
        }
        let _ = writeln!(out, "\n{ty} {name}(void) {{");
        let _ = writeln!(out, "  static unsigned next;");
        let _ = writeln!(out, "  const {ty} values[] = {{ {} }};", values.join(", "));
        let _ = writeln!(out, "  return next < {n} ? values[next++] : 0;\n}}");
    }
    if let Some(entry) = subject.entry {
        let value =
            |(name, ty): &(String, Option<SourceType>)| match (arguments.iter().find(|a| a.function == *name), ty) {
                (Some(input), Some(ty)) => format!("({}){}", type_name(ty), literal(ty, &input.value)),
                (None, Some(ty)) => format!("({})0", type_name(ty)),
                (_, None) => "0".to_string(),
            };
        let actual: Vec<String> = parameters.iter().map(value).collect();
        let formal: Vec<&str> = parameters.iter().map(|p| p.1.as_ref().map_or("int", type_name)).collect();
        let formal = if formal.is_empty() { "void".to_string() } else { formal.join(", ") };
        let result = table
            .functions
            .values()
            .find(|f| f.name == entry)
            .and_then(|f| f.result.as_ref())
            .map_or("void", type_name);
        let _ = writeln!(out, "\n{result} {entry}({formal});");
        let _ = writeln!(out, "int main(void) {{\n  {entry}({});\n  return 0;\n}}", actual.join(", "));
    }
    out
}

/// Text that can stand in a comment.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace("*/", "* /")
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Span;
    use logic::Value;

    #[test]
    fn inputs_are_returned_in_order() {
        let int = SourceType::Int { bits: 32, signed: true, name: "int".into() };
        let mut table = SourceTable::default();
        table.inputs.insert("__VERIFIER_nondet_int".into(), int);
        let input =
            |n: i64| InputValue { function: "__VERIFIER_nondet_int".into(), span: Span::NONE, value: Value::int(n) };
        let subject = Subject {
            program: "a.c",
            violated: Subproperty::UnreachCall,
            message: "reach_error is called",
            entry: None,
            table: &table,
            standard_input: None,
            malloc_may_fail: false,
        };
        let text = text(&subject, &[input(3), input(-1)]);
        assert!(text.contains("const int values[] = { 3, -1 };"), "{text}");
        assert!(text.contains("-fwrapv"), "{text}");
    }
}
