//! The preprocessor (C11 6.10): files to one list of tokens.
//!
//! Directives are read where a `#` opens a line. Macro expansion works on a stack of token lists: an
//! expanded macro pushes its replacement, and stays *active* until that list is used up; a macro's
//! name met while it is active is marked and never expanded again, which is the standard's rule against
//! recursion. Tokens of an expansion carry the span of the outermost macro use, so messages
//! point at what the user wrote.
//!
//! Line markers (`# 12 "f.c"`, `#line`) are kept with the file: messages, `__LINE__` and `__FILE__` use the positions
//! they state, witnesses those in the file we were given. Departures: `#pragma pack` is handed to the parser as a
//! token, other pragmas are dropped. Headers come from [`crate::headers`] or from the include directories.

use std::path::PathBuf;
use std::rc::Rc;

use base::{Diagnostic, FileId, SourceMap, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::DataModel;
use crate::headers;
use crate::lex::{Interner, Punct, Sym, Token, TokenKind, lex};

/// Nested `#include`s and macro expansions deeper than this are refused.
const MAX_DEPTH: usize = 200;

#[derive(Clone, Debug)]
struct Macro {
    /// `None` for an object-like macro.
    params: Option<Vec<Sym>>,
    variadic: bool,
    body: Rc<[Token]>,
    builtin: Option<BuiltinMacro>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum BuiltinMacro {
    Line,
    File,
    BaseFile,
    Counter,
    IncludeLevel,
}

/// Operators of `#if`, which count as defined.
const OPERATORS: &[&str] = &[
    "__has_include",
    "__has_include_next",
    "__has_attribute",
    "__has_cpp_attribute",
    "__has_c_attribute",
    "__has_builtin",
];

/// The attributes of gcc for x86.
const ATTRIBUTES: &[&str] = &[
    "access",
    "alias",
    "aligned",
    "alloc_align",
    "alloc_size",
    "always_inline",
    "artificial",
    "assume_aligned",
    "cdecl",
    "cleanup",
    "cold",
    "common",
    "const",
    "constructor",
    "copy",
    "deprecated",
    "designated_init",
    "destructor",
    "error",
    "externally_visible",
    "fallthrough",
    "fastcall",
    "flatten",
    "format",
    "format_arg",
    "gnu_inline",
    "hot",
    "ifunc",
    "interrupt",
    "leaf",
    "malloc",
    "may_alias",
    "mode",
    "ms_abi",
    "ms_struct",
    "naked",
    "nocommon",
    "noclone",
    "noinit",
    "noinline",
    "noipa",
    "nonnull",
    "nonstring",
    "noplt",
    "noreturn",
    "nothrow",
    "no_icf",
    "no_instrument_function",
    "no_profile_instrument_function",
    "no_reorder",
    "no_sanitize",
    "no_sanitize_address",
    "no_sanitize_thread",
    "no_sanitize_undefined",
    "no_split_stack",
    "no_stack_limit",
    "no_stack_protector",
    "optimize",
    "packed",
    "patchable_function_entry",
    "persistent",
    "pure",
    "regparm",
    "returns_nonnull",
    "returns_twice",
    "retain",
    "scalar_storage_order",
    "section",
    "sentinel",
    "simd",
    "stack_protect",
    "stdcall",
    "symver",
    "sysv_abi",
    "target",
    "target_clones",
    "thiscall",
    "tls_model",
    "transparent_union",
    "uninitialized",
    "unused",
    "used",
    "vector_size",
    "visibility",
    "warn_if_not_aligned",
    "warn_unused",
    "warn_unused_result",
    "warning",
    "weak",
    "weakref",
    "zero_call_used_regs",
];

/// The attributes of C23 that gcc 12 knows, and what `__has_c_attribute` says of them.
const STANDARD_ATTRIBUTES: &[(&str, i64)] =
    &[("deprecated", 201904), ("fallthrough", 201904), ("maybe_unused", 201904), ("nodiscard", 202003)];

struct Frame {
    tokens: Rc<[Token]>,
    next: usize,
    /// The macro whose replacement this is.
    expansion_of: Option<Sym>,
}

struct Conditional {
    /// Has one of the groups been taken already?
    taken: bool,
    live: bool,
    seen_else: bool,
    span: Span,
}

/// Where headers that are not built in are looked up: the text of a path, if the file exists.
pub type ReadFile<'a> = &'a dyn Fn(&std::path::Path) -> Option<String>;

/// What macros without parameters stand for.
pub type Constants = FxHashMap<Sym, Vec<Token>>;

pub struct Preprocessor<'a> {
    pub sources: &'a mut SourceMap,
    pub interner: &'a mut Interner,
    pub diagnostics: Vec<Diagnostic>,
    /// What pragmas for the linker name.
    renamed: Vec<Token>,
    pub data_model: DataModel,
    pub include_dirs: Vec<PathBuf>,
    /// Only the built-in headers can be included; no file is looked for.
    pub builtin_headers_only: bool,
    pub read_file: ReadFile<'a>,
    macros: FxHashMap<Sym, Macro>,
    /// What `#pragma push_macro` keeps: no meaning if there was no such macro.
    pushed: FxHashMap<Sym, Vec<Option<Macro>>>,
    frames: Vec<Frame>,
    active: FxHashSet<Sym>,
    /// Span of the outermost macro use being expanded.
    expansion_site: Option<Span>,
    conditionals: Vec<Conditional>,
    include_depth: usize,
    once: FxHashSet<String>,
    counter: u32,
    /// The file that all others are included from.
    base_file: Option<FileId>,
    /// The message about characters that no token starts with, and how many there are.
    stray: Option<(usize, usize)>,
    defined: Sym,
    /// The condition of an `#if` is being expanded.
    in_condition: bool,
    va_args: Sym,
    va_opt: Sym,
    out: Vec<Token>,
}

impl<'a> Preprocessor<'a> {
    pub fn new(
        sources: &'a mut SourceMap,
        interner: &'a mut Interner,
        data_model: DataModel,
        include_dirs: Vec<PathBuf>,
        read_file: ReadFile<'a>,
    ) -> Preprocessor<'a> {
        let defined = interner.intern("defined");
        let va_args = interner.intern("__VA_ARGS__");
        let va_opt = interner.intern("__VA_OPT__");
        let mut this = Preprocessor {
            sources,
            interner,
            diagnostics: Vec::new(),
            renamed: Vec::new(),
            data_model,
            include_dirs,
            builtin_headers_only: false,
            read_file,
            macros: FxHashMap::default(),
            pushed: FxHashMap::default(),
            frames: Vec::new(),
            active: FxHashSet::default(),
            expansion_site: None,
            conditionals: Vec::new(),
            include_depth: 0,
            once: FxHashSet::default(),
            counter: 0,
            base_file: None,
            stray: None,
            defined,
            in_condition: false,
            va_args,
            va_opt,
            out: Vec::new(),
        };
        for (name, builtin) in [
            ("__LINE__", BuiltinMacro::Line),
            ("__FILE__", BuiltinMacro::File),
            ("__BASE_FILE__", BuiltinMacro::BaseFile),
            ("__COUNTER__", BuiltinMacro::Counter),
            ("__INCLUDE_LEVEL__", BuiltinMacro::IncludeLevel),
        ] {
            let name = this.interner.intern(name);
            let none: Rc<[Token]> = Rc::new([]);
            this.macros.insert(name, Macro { params: None, variadic: false, body: none, builtin: Some(builtin) });
        }
        let predefined = headers::predefined(data_model);
        this.define_text("<predefined>", &predefined);
        this
    }

    /// Runs text made of directives (`-D` options, predefined macros).
    fn define_text(&mut self, name: &str, text: &str) {
        let file = self.sources.add(name, text);
        self.run_file(file);
    }

    /// A `-D` option: `NAME` or `NAME=VALUE`.
    pub fn define(&mut self, option: &str) {
        let (name, value) = option.split_once('=').unwrap_or((option, "1"));
        self.define_text("<command line>", &format!("#define {name} {value}\n"));
    }

    /// Preprocesses a file; the tokens end with one `Eof`.
    pub fn run(self, file: FileId) -> (Vec<Token>, Vec<Diagnostic>) {
        let (tokens, _, diagnostics) = self.run_with_constants(file, false);
        (tokens, diagnostics)
    }

    /// Likewise, with what macros without parameters stand for at the end, if that is wanted.
    pub fn run_with_constants(mut self, file: FileId, wanted: bool) -> (Vec<Token>, Constants, Vec<Diagnostic>) {
        self.base_file = Some(file);
        self.run_file(file);
        if let Some((at, n)) = self.stray
            && n > 1
        {
            self.diagnostics[at].message.push_str(&format!(", and {} more like it", n - 1));
        }
        // Pragmas for the linker matter where the program mentions what they name.
        for named in std::mem::take(&mut self.renamed) {
            if self.out.iter().any(|t| t.kind == TokenKind::Ident && t.text == named.text) {
                let message = "a pragma that makes this weak or renames it is not supported";
                self.diagnostics.push(Diagnostic::unsupported(named.span, message));
            }
        }
        let end = self.sources.file(file).text.len();
        let text = self.interner.intern("");
        self.out.push(Token {
            kind: TokenKind::Eof,
            text,
            span: Span::new(file, end, end),
            at_line_start: true,
            after_space: true,
            no_expand: false,
        });
        let mut constants = Constants::default();
        if wanted {
            let is_constant = |m: &Macro| m.params.is_none() && m.builtin.is_none();
            let mut names: Vec<Sym> =
                self.macros.iter().filter(|(_, m)| is_constant(m)).map(|(name, _)| *name).collect();
            names.sort();
            for name in names {
                let token = Token {
                    kind: TokenKind::Ident,
                    text: name,
                    span: Span::new(file, end, end),
                    at_line_start: false,
                    after_space: true,
                    no_expand: false,
                };
                let expansion = self.expand_list(&[token]);
                constants.insert(name, expansion);
            }
        }
        (self.out, constants, self.diagnostics)
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(span, message));
    }

    fn run_file(&mut self, file: FileId) {
        let text = self.sources.file(file).text.clone();
        let tokens = lex(&text, file, self.interner, &mut self.diagnostics);
        let outer_conditionals = std::mem::take(&mut self.conditionals);
        let mut i = 0;
        while tokens[i].kind != TokenKind::Eof {
            let token = tokens[i];
            if token.is(Punct::Hash) && token.at_line_start {
                let end = line_end(&tokens, i + 1);
                self.directive(&tokens[i..end], file);
                i = end;
                continue;
            }
            if !self.is_live() {
                i = line_end(&tokens, i + 1);
                continue;
            }
            if token.kind == TokenKind::Ident && self.macros.contains_key(&token.text) {
                i = self.expand_from_file(&tokens, i, file);
                continue;
            }
            if token.kind == TokenKind::Other {
                self.stray_character(token);
            }
            self.out.push(token);
            i += 1;
        }
        if let Some(open) = self.conditionals.last() {
            let span = open.span;
            self.error(span, "unterminated conditional directive");
        }
        self.conditionals = outer_conditionals;
    }

    /// A character that no token starts with, or a quotation mark without a partner. However many there are, one
    /// message tells of them.
    fn stray_character(&mut self, token: Token) {
        let text = self.interner.text(token.text).to_string();
        match (text.chars().next(), &mut self.stray) {
            (Some(quote @ ('"' | '\'')), _) => {
                self.error(token.span, format!("missing terminating {quote} character"));
            }
            (_, Some((_, n))) => *n += 1,
            (_, None) => {
                self.stray = Some((self.diagnostics.len(), 1));
                let what = match text.chars().next() {
                    None | Some('\u{fffd}') => "a byte that is no UTF-8".to_string(),
                    Some(c) => format!("'{}'", c.escape_default()),
                };
                self.error(token.span, format!("stray {what} in program"));
            }
        }
    }

    fn is_live(&self) -> bool {
        self.conditionals.iter().all(|c| c.live)
    }

    /// Expands the macro use at `tokens[i]`; returns where to go on. The arguments of a
    /// function-like macro may reach over lines, and over directives between them.
    fn expand_from_file(&mut self, tokens: &[Token], i: usize, file: FileId) -> usize {
        let token = tokens[i];
        let is_function_like = self.macros.get(&token.text).is_some_and(|m| m.params.is_some());
        let mut end = i + 1;
        let mut list = vec![token];
        if is_function_like {
            if !tokens[end].is(Punct::LParen) {
                self.out.push(token);
                return end;
            }
            let mut depth = 0usize;
            loop {
                let t = tokens[end];
                if t.kind == TokenKind::Eof {
                    self.error(token.span, "unterminated argument list of a macro");
                    return end;
                }
                if t.is(Punct::Hash) && t.at_line_start {
                    let stop = line_end(tokens, end + 1);
                    self.directive(&tokens[end..stop], file);
                    end = stop;
                    continue;
                }
                end += 1;
                if !self.is_live() {
                    continue;
                }
                list.push(t);
                if t.is(Punct::LParen) {
                    depth += 1;
                } else if t.is(Punct::RParen) {
                    depth -= 1;
                    if depth == 0 {
                        break;
                    }
                }
            }
        }
        // The replacement may end in the name of a function-like macro whose arguments follow in the
        // file: give it what follows up to the matching parenthesis.
        self.expansion_site = Some(token.span);
        let mut expanded = self.expand_list(&list);
        while let Some(last) = expanded.last().copied() {
            let takes_more = last.kind == TokenKind::Ident
                && !last.no_expand
                && self.macros.get(&last.text).is_some_and(|m| m.params.is_some())
                && tokens[end].is(Punct::LParen);
            if !takes_more {
                break;
            }
            let mut depth = 0usize;
            let mut more = vec![last];
            let mut stop = end;
            while tokens[stop].kind != TokenKind::Eof {
                let t = tokens[stop];
                stop += 1;
                more.push(t);
                if t.is(Punct::LParen) {
                    depth += 1;
                } else if t.is(Punct::RParen) {
                    depth -= 1;
                    if depth == 0 {
                        break;
                    }
                }
            }
            if depth != 0 {
                break;
            }
            end = stop;
            expanded.pop();
            expanded.extend(self.expand_list(&more));
        }
        self.expansion_site = None;
        for mut t in expanded {
            t.span = token.span;
            self.out.push(t);
        }
        end
    }

    /// Fully expands a list of tokens on its own.
    fn expand_list(&mut self, tokens: &[Token]) -> Vec<Token> {
        let saved = std::mem::take(&mut self.frames);
        self.frames.push(Frame { tokens: tokens.into(), next: 0, expansion_of: None });
        let mut out = Vec::new();
        while let Some(mut token) = self.next_from_frames() {
            if token.kind == TokenKind::Ident && !token.no_expand && self.macros.contains_key(&token.text) {
                if self.active.contains(&token.text) {
                    token.no_expand = true;
                } else if self.expand_one(token) {
                    continue;
                }
            }
            let is_operator = self.in_condition && token.kind == TokenKind::Ident && token.text == self.defined;
            out.push(token);
            // What `defined` asks for is not expanded, also where a macro made the operator.
            if is_operator && let Some(next) = self.next_from_frames() {
                out.push(next);
                out.extend(next.is(Punct::LParen).then(|| self.next_from_frames()).flatten());
            }
        }
        self.frames = saved;
        out
    }

    fn next_from_frames(&mut self) -> Option<Token> {
        loop {
            let frame = self.frames.last_mut()?;
            if let Some(&token) = frame.tokens.get(frame.next) {
                frame.next += 1;
                return Some(token);
            }
            if let Some(frame) = self.frames.pop()
                && let Some(name) = frame.expansion_of
            {
                self.active.remove(&name);
            }
        }
    }

    fn next_is_left_paren(&self) -> bool {
        for frame in self.frames.iter().rev() {
            if let Some(token) = frame.tokens.get(frame.next) {
                return token.is(Punct::LParen);
            }
        }
        false
    }

    /// Pushes the replacement of a macro use whose name was just read; false if it is no use after
    /// all (a function-like macro without arguments).
    fn expand_one(&mut self, name: Token) -> bool {
        let Some(definition) = self.macros.get(&name.text).cloned() else { return false };
        if let Some(builtin) = definition.builtin {
            let token = self.builtin_value(builtin, name);
            self.frames.push(Frame { tokens: Rc::new([token]), next: 0, expansion_of: None });
            return true;
        }
        if self.frames.len() > MAX_DEPTH {
            self.error(name.span, "macro expansion nests too deeply");
            return false;
        }
        let replacement = match &definition.params {
            None => self.substitute(&definition, &[], name),
            Some(params) => {
                if !self.next_is_left_paren() {
                    return false;
                }
                self.next_from_frames();
                let Some(args) = self.read_arguments(params.len(), definition.variadic, name) else { return false };
                self.substitute(&definition, &args, name)
            }
        };
        self.active.insert(name.text);
        self.frames.push(Frame { tokens: replacement.into(), next: 0, expansion_of: Some(name.text) });
        true
    }

    fn builtin_value(&mut self, builtin: BuiltinMacro, name: Token) -> Token {
        let site = self.expansion_site.unwrap_or(name.span);
        let (kind, text) = match builtin {
            BuiltinMacro::Line => {
                (TokenKind::Number, self.sources.position(site).map_or(1, |(_, line, _)| line).to_string())
            }
            BuiltinMacro::File => {
                let file = self.sources.position(site).map_or("", |(f, _, _)| f).to_string();
                (TokenKind::Str, format!("\"{}\"", file.replace('\\', "\\\\").replace('"', "\\\"")))
            }
            BuiltinMacro::BaseFile => {
                let file = self.base_file.map_or(String::new(), |f| self.sources.file(f).name.clone());
                (TokenKind::Str, format!("\"{}\"", file.replace('\\', "\\\\").replace('"', "\\\"")))
            }
            BuiltinMacro::IncludeLevel => (TokenKind::Number, self.include_depth.to_string()),
            BuiltinMacro::Counter => {
                self.counter += 1;
                (TokenKind::Number, (self.counter - 1).to_string())
            }
        };
        Token { kind, text: self.interner.intern(&text), ..name }
    }

    /// Reads the arguments after the opening parenthesis.
    fn read_arguments(&mut self, n_params: usize, variadic: bool, name: Token) -> Option<Vec<Vec<Token>>> {
        let mut args: Vec<Vec<Token>> = vec![Vec::new()];
        let mut depth = 0usize;
        loop {
            let Some(token) = self.next_from_frames() else {
                self.error(name.span, "unterminated argument list of a macro");
                return None;
            };
            match token.kind {
                TokenKind::Punct(Punct::RParen) if depth == 0 => break,
                // Commas in the variable part belong to it.
                TokenKind::Punct(Punct::Comma) if depth == 0 && !(variadic && args.len() == n_params) => {
                    args.push(Vec::new());
                    continue;
                }
                TokenKind::Punct(Punct::LParen) => depth += 1,
                TokenKind::Punct(Punct::RParen) => depth -= 1,
                _ => {}
            }
            if let Some(arg) = args.last_mut() {
                arg.push(token);
            }
        }
        if n_params == 0 && args.len() == 1 && args[0].is_empty() {
            args.clear();
        }
        if variadic && args.len() + 1 == n_params {
            args.push(Vec::new());
        }
        if args.len() != n_params {
            let macro_name = self.interner.text(name.text).to_string();
            self.error(name.span, format!("macro {macro_name} wants {n_params} arguments but is given {}", args.len()));
            return None;
        }
        Some(args)
    }

    /// The replacement list with `#`, `##` and parameters worked in.
    fn substitute(&mut self, definition: &Macro, args: &[Vec<Token>], name: Token) -> Vec<Token> {
        let no_params = Vec::new();
        let params = definition.params.as_ref().unwrap_or(&no_params);
        let param_of = |t: &Token| {
            if t.kind == TokenKind::Ident { params.iter().position(|&p| p == t.text) } else { None }
        };
        let body = &definition.body;
        let mut out: Vec<Token> = Vec::new();
        let mut i = 0;
        while i < body.len() {
            let token = body[i];
            // `__VA_OPT__(x)` is x where there are variable arguments.
            if token.kind == TokenKind::Ident
                && token.text == self.va_opt
                && definition.variadic
                && let Some(close) = closing_parenthesis(body, i + 1)
            {
                let is_there = match args.last() {
                    Some(last) => !self.expand_argument(last).is_empty(),
                    None => false,
                };
                if is_there {
                    let inner = Macro { body: body[i + 2..close].into(), ..definition.clone() };
                    let mut replacement = self.substitute(&inner, args, name);
                    if let Some(first) = replacement.first_mut() {
                        first.after_space = token.after_space;
                    }
                    out.extend(replacement);
                }
                i = close + 1;
                continue;
            }
            if token.is(Punct::Hash)
                && definition.params.is_some()
                && let Some(param) = body.get(i + 1).and_then(param_of)
            {
                let text = self.stringify(&args[param]);
                out.push(Token { kind: TokenKind::Str, text, ..token });
                i += 2;
                continue;
            }
            if token.is(Punct::HashHash) && !out.is_empty() && i + 1 < body.len() {
                let right = body[i + 1];
                i += 2;
                match param_of(&right) {
                    Some(param) => {
                        let is_variable_part = definition.variadic && param + 1 == params.len();
                        let comma_before = out.last().is_some_and(|t| t.is(Punct::Comma));
                        if is_variable_part && comma_before {
                            // GNU: `, ## __VA_ARGS__` drops the comma when there is nothing.
                            if args[param].is_empty() {
                                out.pop();
                            } else {
                                let expanded = self.expand_argument(&args[param]);
                                out.extend(expanded);
                            }
                        } else if let Some((&first, rest)) = args[param].split_first() {
                            self.paste(&mut out, first);
                            out.extend_from_slice(rest);
                        }
                    }
                    None => self.paste(&mut out, right),
                }
                continue;
            }
            match param_of(&token) {
                Some(param) => {
                    let before_paste = body.get(i + 1).is_some_and(|t| t.is(Punct::HashHash));
                    let from = out.len();
                    if before_paste {
                        if args[param].is_empty() {
                            // An empty left operand: what follows `##` stands alone.
                            i += 2;
                            if let Some(right) = body.get(i) {
                                match param_of(right) {
                                    Some(p) => out.extend_from_slice(&args[p]),
                                    None => out.push(*right),
                                }
                                i += 1;
                            }
                            continue;
                        }
                        out.extend_from_slice(&args[param]);
                    } else {
                        let expanded = self.expand_argument(&args[param]);
                        out.extend(expanded);
                    }
                    if let Some(first) = out.get_mut(from) {
                        first.after_space = token.after_space;
                    }
                }
                None => out.push(token),
            }
            i += 1;
        }
        for t in &mut out {
            t.span = name.span;
            t.at_line_start = false;
        }
        out
    }

    fn expand_argument(&mut self, tokens: &[Token]) -> Vec<Token> {
        // Arguments are expanded as if they were the rest of the file: the macros being expanded
        // around them stay active only inside their own replacement.
        self.expand_list(tokens)
    }

    fn stringify(&mut self, tokens: &[Token]) -> Sym {
        let mut text = String::from("\"");
        for (i, token) in tokens.iter().enumerate() {
            if i > 0 && token.after_space {
                text.push(' ');
            }
            let spelling = self.interner.text(token.text);
            if matches!(token.kind, TokenKind::Str | TokenKind::Char) {
                text.push_str(&spelling.replace('\\', "\\\\").replace('"', "\\\""));
            } else {
                text.push_str(spelling);
            }
        }
        text.push('"');
        self.interner.intern(&text)
    }

    fn paste(&mut self, out: &mut Vec<Token>, right: Token) {
        let Some(left) = out.pop() else {
            out.push(right);
            return;
        };
        let text = format!("{}{}", self.interner.text(left.text), self.interner.text(right.text));
        let mut ignored = Vec::new();
        let tokens = lex(&text, left.span.file, self.interner, &mut ignored);
        for token in &tokens[..tokens.len() - 1] {
            out.push(Token { span: left.span, at_line_start: false, after_space: left.after_space, ..*token });
        }
    }

    /// What follows comes from another place: a line, and perhaps a file.
    fn line_marker(&mut self, tokens: &[Token], file: FileId) {
        let Some(&number) = tokens.first() else { return };
        let Ok(line) = self.interner.text(number.text).parse() else { return };
        let name = tokens.get(1).filter(|t| t.kind == TokenKind::Str).map(|t| self.interner.text(t.text));
        let name = name.map(|n| n.trim_matches('"').replace("\\\"", "\"").replace("\\\\", "\\"));
        self.sources.file_mut(file).mark_line(number.span.start, name.as_deref(), line);
    }

    fn directive(&mut self, line: &[Token], file: FileId) {
        let hash = line[0];
        let Some(&word) = line.get(1) else { return };
        let rest = &line[2..];
        let name = self.interner.text(word.text).to_string();
        if word.kind == TokenKind::Number {
            if self.is_live() {
                self.line_marker(&line[1..], file);
            }
            return;
        }
        match name.as_str() {
            "if" | "ifdef" | "ifndef" => {
                let outer = self.is_live();
                let live = outer
                    && match name.as_str() {
                        "if" => self.condition(rest, word.span, file),
                        "ifdef" => self.is_defined(rest, word.span),
                        _ => !self.is_defined(rest, word.span),
                    };
                self.conditionals.push(Conditional { taken: live || !outer, live, seen_else: false, span: hash.span });
            }
            "elif" | "elifdef" | "elifndef" => {
                let Some(last) = self.conditionals.last() else {
                    return self.error(word.span, "#elif without #if");
                };
                if last.seen_else {
                    return self.error(word.span, format!("#{name} after #else"));
                }
                let taken = last.taken;
                let live = !taken
                    && match name.as_str() {
                        "elif" => self.condition(rest, word.span, file),
                        "elifdef" => self.is_defined(rest, word.span),
                        _ => !self.is_defined(rest, word.span),
                    };
                if let Some(last) = self.conditionals.last_mut() {
                    last.live = live;
                    last.taken |= live;
                }
            }
            "else" => match self.conditionals.last_mut() {
                Some(last) if !last.seen_else => {
                    last.live = !last.taken;
                    last.taken = true;
                    last.seen_else = true;
                }
                _ => self.error(word.span, "#else without #if"),
            },
            "endif" => {
                if self.conditionals.pop().is_none() {
                    self.error(word.span, "#endif without #if");
                }
            }
            _ if !self.is_live() => {}
            "define" => self.define_directive(rest, word.span),
            "undef" => {
                if let Some(t) = rest.first() {
                    self.macros.remove(&t.text);
                }
            }
            "include" | "include_next" => {
                self.include(rest, word.span, file, name == "include_next");
            }
            "import" => {
                if let Some(path) = self.include(rest, word.span, file, false) {
                    self.once.insert(path);
                }
            }
            "error" => {
                let message = rest.iter().map(|t| self.interner.text(t.text)).collect::<Vec<_>>().join(" ");
                self.error(word.span, format!("#error {message}"));
            }
            "pragma" => self.pragma(rest, file),
            "line" => {
                let rest = self.expand_list(rest);
                if rest.first().is_none_or(|t| self.interner.text(t.text).parse::<usize>().is_err()) {
                    return self.error(word.span, "#line wants a positive integer");
                }
                self.line_marker(&rest, file);
            }
            "warning" | "ident" | "sccs" | "assert" | "unassert" => {}
            _ => self.error(word.span, format!("unknown directive #{name}")),
        }
    }

    fn pragma(&mut self, rest: &[Token], file: FileId) {
        let Some(first) = rest.first() else { return };
        match self.interner.text(first.text) {
            "once" => {
                let name = self.sources.file(file).name.clone();
                self.once.insert(name);
            }
            "pack" => {
                let text: Vec<&str> = rest[1..].iter().map(|t| self.interner.text(t.text)).collect();
                let text = self.interner.intern(&text.concat());
                self.out.push(Token { kind: TokenKind::PragmaPack, text, ..*first });
            }
            "push_macro" => {
                if let Some(name) = self.named_macro(rest) {
                    let meaning = self.macros.get(&name).cloned();
                    self.pushed.entry(name).or_default().push(meaning);
                }
            }
            "pop_macro" => {
                if let Some(name) = self.named_macro(rest)
                    && let Some(meaning) = self.pushed.get_mut(&name).and_then(Vec::pop)
                {
                    match meaning {
                        Some(meaning) => _ = self.macros.insert(name, meaning),
                        None => _ = self.macros.remove(&name),
                    }
                }
            }
            "weak" | "redefine_extname" => self.renamed.extend(rest.get(1).copied()),
            "scalar_storage_order" => {
                let message = "#pragma scalar_storage_order is not supported";
                self.diagnostics.push(Diagnostic::unsupported(first.span, message));
            }
            _ => {}
        }
    }

    /// The macro that a pragma names by a text: `push_macro("NAME")`.
    fn named_macro(&mut self, rest: &[Token]) -> Option<Sym> {
        let text = rest.iter().find(|t| t.kind == TokenKind::Str)?;
        let name = self.interner.text(text.text).trim_matches('"').to_string();
        Some(self.interner.intern(&name))
    }

    fn is_defined(&mut self, rest: &[Token], span: Span) -> bool {
        match rest.first() {
            Some(t) if t.kind == TokenKind::Ident => self.is_macro(t.text),
            _ => {
                self.error(span, "a macro name is missing");
                false
            }
        }
    }

    fn is_macro(&self, name: Sym) -> bool {
        self.macros.contains_key(&name) || OPERATORS.contains(&self.interner.text(name))
    }

    fn define_directive(&mut self, rest: &[Token], span: Span) {
        let Some((&name, after)) = rest.split_first() else {
            return self.error(span, "a macro name is missing");
        };
        if name.kind != TokenKind::Ident || name.text == self.defined {
            return self.error(name.span, "this is not a macro name");
        }
        let mut body = after;
        let mut params = None;
        let mut variadic = false;
        if let Some(paren) = after.first()
            && paren.is(Punct::LParen)
            && !paren.after_space
        {
            let mut list = Vec::new();
            let mut i = 1;
            loop {
                match after.get(i) {
                    Some(t) if t.is(Punct::RParen) => break,
                    Some(t) if t.is(Punct::Comma) => {}
                    Some(t) if t.is(Punct::Ellipsis) => {
                        // `args...` names the variable part itself.
                        if i > 0 && after[i - 1].kind != TokenKind::Ident {
                            list.push(self.va_args);
                        }
                        variadic = true;
                    }
                    Some(t) if t.kind == TokenKind::Ident => list.push(t.text),
                    _ => return self.error(name.span, "bad parameter list of a macro"),
                }
                i += 1;
            }
            body = &after[i + 1..];
            let repeated = list.iter().enumerate().find(|&(i, p)| list[..i].contains(p));
            if let Some((_, &param)) = repeated {
                let message = format!("duplicate macro parameter \"{}\"", self.interner.text(param));
                return self.error(name.span, message);
            }
            let takes_hash = |t: Option<&Token>| {
                t.is_some_and(|t| t.kind == TokenKind::Ident && (list.contains(&t.text) || t.text == self.va_opt))
            };
            if let Some(i) = (0..body.len()).find(|&i| body[i].is(Punct::Hash) && !takes_hash(body.get(i + 1))) {
                return self.error(body[i].span, "'#' is not followed by a macro parameter");
            }
            params = Some(list);
        }
        if let Some(end) = [body.first(), body.last()].into_iter().flatten().find(|t| t.is(Punct::HashHash)) {
            return self.error(end.span, "'##' cannot appear at either end of a macro expansion");
        }
        self.macros.insert(name.text, Macro { params, variadic, body: body.into(), builtin: None });
    }

    /// The name in `"FILE"` or `<FILE>`, and whether it is in quotation marks.
    fn header_name(&mut self, tokens: &[Token]) -> Option<(String, bool)> {
        let expanded;
        let tokens = match tokens.first() {
            Some(t) if t.kind == TokenKind::Ident => {
                expanded = self.expand_list(tokens);
                &expanded[..]
            }
            _ => tokens,
        };
        match tokens.first() {
            Some(t) if t.kind == TokenKind::Str => {
                Some((self.interner.text(t.text).trim_matches('"').to_string(), true))
            }
            Some(t) if t.is(Punct::Lt) => {
                let end = tokens.iter().position(|t| t.is(Punct::Gt))?;
                let name = tokens[1..end].iter().map(|t| self.interner.text(t.text)).collect();
                Some((name, false))
            }
            _ => None,
        }
    }

    /// The path and the text of a header. For `#include_next` the search goes on behind the folder of the file that
    /// asks.
    fn find_header(&self, name: &str, quoted: bool, from: FileId, next: bool) -> Option<(String, String)> {
        if self.builtin_headers_only {
            return headers::builtin(name).map(|text| (format!("<{name}>"), text.to_string()));
        }
        let current = PathBuf::from(&self.sources.file(from).name);
        let here = current.parent().map(PathBuf::from);
        let mut dirs: Vec<&PathBuf> = Vec::new();
        if quoted && !next {
            dirs.extend(&here);
        }
        dirs.extend(&self.include_dirs);
        if next && let Some(at) = dirs.iter().position(|dir| current.starts_with(dir)) {
            dirs.drain(..=at);
        }
        for dir in dirs {
            let path = dir.join(name);
            if let Some(text) = (self.read_file)(&path) {
                return Some((path.to_string_lossy().into_owned(), text));
            }
        }
        headers::builtin(name).map(|text| (format!("<{name}>"), text.to_string()))
    }

    /// Includes a file; returns its path.
    fn include(&mut self, rest: &[Token], span: Span, from: FileId, next: bool) -> Option<String> {
        let Some((name, quoted)) = self.header_name(rest) else {
            self.error(span, "#include expects \"FILE\" or <FILE>");
            return None;
        };
        if self.include_depth > MAX_DEPTH {
            self.error(span, "#include nests too deeply");
            return None;
        }
        let Some((path, text)) = self.find_header(&name, quoted, from, next) else {
            let advice = match self.builtin_headers_only {
                true => {
                    "not available: only the headers of the C library and of POSIX are; paste what you need from it"
                }
                false => "not found; name its folder with -I, or preprocess with --cpp 'gcc -E'",
            };
            let message = format!("header {name} {advice}");
            self.error(span, message);
            return None;
        };
        if self.once.contains(&path) {
            return Some(path);
        }
        let file = self.sources.add(path.clone(), text);
        self.include_depth += 1;
        self.run_file(file);
        self.include_depth -= 1;
        Some(path)
    }

    /// The value of an `#if` condition.
    fn condition(&mut self, tokens: &[Token], span: Span, file: FileId) -> bool {
        let Some(prepared) = self.without_operators(tokens, file) else { return false };
        self.in_condition = true;
        let expanded = self.expand_list(&prepared);
        self.in_condition = false;
        // A macro may have brought in more of them.
        let Some(expanded) = self.without_operators(&expanded, file) else { return false };
        let mut parser = ConditionParser { tokens: &expanded, next: 0, interner: self.interner, depth: 0 };
        match parser.ternary() {
            Ok(value) if parser.next == expanded.len() => value.value != 0,
            Ok(_) => {
                self.error(span, "extra tokens in a condition");
                false
            }
            Err(message) => {
                self.error(span, message);
                false
            }
        }
    }

    /// Replaces `defined` and its like by their values; `None` after a message.
    fn without_operators(&mut self, tokens: &[Token], file: FileId) -> Option<Vec<Token>> {
        let mut out = Vec::with_capacity(tokens.len());
        let mut i = 0;
        while i < tokens.len() {
            let token = tokens[i];
            let name = self.interner.text(token.text);
            let is_operator =
                token.kind == TokenKind::Ident && (token.text == self.defined || name.starts_with("__has_"));
            if !is_operator {
                out.push(token);
                i += 1;
                continue;
            }
            let name = name.to_string();
            let (operand, end) = match tokens.get(i + 1) {
                Some(open) if open.is(Punct::LParen) => match closing_parenthesis(tokens, i + 1) {
                    Some(close) => (&tokens[i + 2..close], close + 1),
                    None => (&tokens[..0], tokens.len()),
                },
                Some(word) if word.kind == TokenKind::Ident && name == "defined" => (&tokens[i + 1..i + 2], i + 2),
                _ => (&tokens[..0], i + 1),
            };
            let Some(value) = self.operator_value(&name, operand, file) else {
                let wanted = if name.starts_with("__has_include") { "\"FILE\" or <FILE>" } else { "a name" };
                self.error(token.span, format!("operator {name} wants {wanted}"));
                return None;
            };
            let text = self.interner.intern(&value.to_string());
            out.push(Token { kind: TokenKind::Number, text, ..token });
            i = end;
        }
        Some(out)
    }

    fn operator_value(&mut self, operator: &str, operand: &[Token], file: FileId) -> Option<i64> {
        if operator.starts_with("__has_include") {
            let (name, quoted) = self.header_name(operand)?;
            return Some(self.find_header(&name, quoted, file, operator.ends_with("_next")).is_some() as i64);
        }
        let (&first, rest) = operand.split_first()?;
        if first.kind != TokenKind::Ident {
            return None;
        }
        if operator == "defined" {
            return rest.is_empty().then(|| self.is_macro(first.text) as i64);
        }
        // `gnu::packed`
        let scope = self.interner.text(first.text);
        let name = rest.last().map_or(scope, |t| self.interner.text(t.text));
        let bare = |n: &str| n.strip_prefix("__").and_then(|n| n.strip_suffix("__")).unwrap_or(n).to_string();
        let plain = bare(name);
        let standard = STANDARD_ATTRIBUTES.iter().find(|(n, _)| *n == plain).map(|&(_, value)| value);
        let is_known = ATTRIBUTES.contains(&plain.as_str());
        Some(match operator {
            "__has_builtin" => crate::sema::is_builtin(name) as i64,
            "__has_attribute" => standard.unwrap_or(is_known as i64),
            "__has_c_attribute" | "__has_cpp_attribute" if rest.is_empty() => standard.unwrap_or(0),
            "__has_c_attribute" | "__has_cpp_attribute" => (bare(scope) == "gnu" && is_known) as i64,
            _ => 0,
        })
    }
}

/// Where the parenthesis that opens at a place closes.
fn closing_parenthesis(tokens: &[Token], open: usize) -> Option<usize> {
    if !tokens.get(open)?.is(Punct::LParen) {
        return None;
    }
    let mut depth = 0usize;
    for (i, token) in tokens.iter().enumerate().skip(open) {
        match token.kind {
            TokenKind::Punct(Punct::LParen) => depth += 1,
            TokenKind::Punct(Punct::RParen) => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(i);
        }
    }
    None
}

fn line_end(tokens: &[Token], mut i: usize) -> usize {
    while !tokens[i].at_line_start && tokens[i].kind != TokenKind::Eof {
        i += 1;
    }
    i
}

/// A value of `intmax_t` or `uintmax_t`.
#[derive(Clone, Copy)]
struct CondValue {
    value: i128,
    unsigned: bool,
}

impl CondValue {
    fn new(value: i128, unsigned: bool) -> CondValue {
        let value = if unsigned { value as u64 as i128 } else { value as i64 as i128 };
        CondValue { value, unsigned }
    }
}

struct ConditionParser<'a> {
    tokens: &'a [Token],
    next: usize,
    interner: &'a Interner,
    depth: usize,
}

impl ConditionParser<'_> {
    fn peek(&self) -> Option<Punct> {
        match self.tokens.get(self.next)?.kind {
            TokenKind::Punct(p) => Some(p),
            _ => None,
        }
    }
    fn ternary(&mut self) -> Result<CondValue, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("the condition nests too deeply".into());
        }
        let condition = self.binary(0)?;
        let result = if self.peek() == Some(Punct::Question) {
            self.next += 1;
            let yes = self.ternary()?;
            if self.peek() != Some(Punct::Colon) {
                return Err("missing ':' in a condition".into());
            }
            self.next += 1;
            let no = self.ternary()?;
            let chosen = if condition.value != 0 { yes } else { no };
            CondValue::new(chosen.value, yes.unsigned || no.unsigned)
        } else {
            condition
        };
        self.depth -= 1;
        Ok(result)
    }
    fn binary(&mut self, min: u8) -> Result<CondValue, String> {
        let mut left = self.unary()?;
        while let Some(op) = self.peek() {
            let level = match op {
                Punct::OrOr => 1,
                Punct::AndAnd => 2,
                Punct::Pipe => 3,
                Punct::Caret => 4,
                Punct::Amp => 5,
                Punct::EqEq | Punct::Ne => 6,
                Punct::Lt | Punct::Gt | Punct::Le | Punct::Ge => 7,
                Punct::Shl | Punct::Shr => 8,
                Punct::Plus | Punct::Minus => 9,
                Punct::Star | Punct::Slash | Punct::Percent => 10,
                _ => break,
            };
            if level <= min {
                break;
            }
            self.next += 1;
            let right = self.binary(level)?;
            let unsigned = left.unsigned || right.unsigned;
            let (a, b) = (CondValue::new(left.value, unsigned).value, CondValue::new(right.value, unsigned).value);
            let truth = |b: bool| CondValue::new(b as i128, false);
            left = match op {
                Punct::OrOr => truth(a != 0 || b != 0),
                Punct::AndAnd => truth(a != 0 && b != 0),
                Punct::Pipe => CondValue::new(a | b, unsigned),
                Punct::Caret => CondValue::new(a ^ b, unsigned),
                Punct::Amp => CondValue::new(a & b, unsigned),
                Punct::EqEq => truth(a == b),
                Punct::Ne => truth(a != b),
                Punct::Lt => truth(a < b),
                Punct::Gt => truth(a > b),
                Punct::Le => truth(a <= b),
                Punct::Ge => truth(a >= b),
                Punct::Shl => CondValue::new(left.value << (b & 63), left.unsigned),
                Punct::Shr => CondValue::new(left.value >> (b & 63), left.unsigned),
                Punct::Plus => CondValue::new(a + b, unsigned),
                Punct::Minus => CondValue::new(a - b, unsigned),
                Punct::Star => CondValue::new(a.wrapping_mul(b), unsigned),
                // A division by zero in an operand that does not count is no error: yield 0.
                Punct::Slash => CondValue::new(a.checked_div(b).unwrap_or(0), unsigned),
                _ => CondValue::new(a.checked_rem(b).unwrap_or(0), unsigned),
            };
        }
        Ok(left)
    }
    fn unary(&mut self) -> Result<CondValue, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("the condition nests too deeply".into());
        }
        let Some(token) = self.tokens.get(self.next).copied() else {
            return Err("a condition is missing".into());
        };
        self.next += 1;
        let value = match token.kind {
            TokenKind::Punct(Punct::LParen) => {
                let mut value = self.ternary()?;
                while self.peek() == Some(Punct::Comma) {
                    self.next += 1;
                    value = self.ternary()?;
                }
                if self.peek() != Some(Punct::RParen) {
                    return Err("missing ')' in a condition".into());
                }
                self.next += 1;
                value
            }
            TokenKind::Punct(Punct::Not) => CondValue::new((self.unary()?.value == 0) as i128, false),
            TokenKind::Punct(Punct::Minus) => {
                let v = self.unary()?;
                CondValue::new(-v.value, v.unsigned)
            }
            TokenKind::Punct(Punct::Plus) => self.unary()?,
            TokenKind::Punct(Punct::Tilde) => {
                let v = self.unary()?;
                CondValue::new(!v.value, v.unsigned)
            }
            TokenKind::Number => {
                let text = self.interner.text(token.text);
                match crate::literal::integer(text) {
                    Some(literal) => {
                        CondValue::new(literal.value as i128, literal.unsigned || literal.value > i64::MAX as u128)
                    }
                    None => return Err(format!("{text} is not an integer")),
                }
            }
            TokenKind::Char => match crate::literal::character(self.interner.text(token.text)) {
                Some(value) => CondValue::new(value as i128, false),
                None => return Err("bad character constant".into()),
            },
            TokenKind::Ident => CondValue::new(0, false),
            _ => return Err("bad token in a condition".into()),
        };
        self.depth -= 1;
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn preprocess(source: &str) -> String {
        let (mut sources, mut interner) = (SourceMap::new(), Interner::default());
        let file = sources.add("t.c", source);
        let none = |_: &std::path::Path| None;
        let pp = Preprocessor::new(&mut sources, &mut interner, DataModel::Lp64, Vec::new(), &none);
        let (tokens, diagnostics) = pp.run(file);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let texts: Vec<&str> = tokens.iter().map(|t| interner.text(t.text)).collect();
        texts.join(" ").trim_end().to_string()
    }

    #[test]
    fn function_like_macros() {
        assert_eq!(preprocess("#define F(x,y) x+y*x\nF(1,(2,3))"), "1 + ( 2 , 3 ) * 1");
        assert_eq!(preprocess("#define S(x) #x\nS(a  \"b\\n\" + c)"), r#""a \"b\\n\" + c""#);
        assert_eq!(preprocess("#define C(a,b) a##b\nC(x,1) C(,y) C(z,)"), "x1 y z");
        assert_eq!(preprocess("#define P(f,...) p(f, ##__VA_ARGS__)\nP(1) P(1,2,3)"), "p ( 1 ) p ( 1 , 2 , 3 )");
        assert_eq!(preprocess("#define f(x) x\n#define g f\ng(3) f"), "3 f");
    }

    #[test]
    fn the_standard_example_on_rescanning() {
        let source = "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n\
                      #define h g(~\n#define m(a) a(w)\n#define w 0,1\n#define t(a) a\n\
                      f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);";
        assert_eq!(
            preprocess(source),
            "f ( 2 * ( y + 1 ) ) + f ( 2 * ( f ( 2 * ( z [ 0 ] ) ) ) ) % f ( 2 * ( 0 ) ) + t ( 1 ) ;"
        );
    }

    #[test]
    fn conditionals() {
        assert_eq!(preprocess("#if defined(__LP64__) && 1-2 < 0\nyes\n#elif 1\nno\n#else\nno\n#endif"), "yes");
        assert_eq!(preprocess("#if 0\n#if 1\na\n#else\nb\n#endif\n#else\nc\n#endif"), "c");
        assert_eq!(preprocess("#if -1 > 0u\nwrapped\n#endif"), "wrapped");
    }

    #[test]
    fn line_markers_are_skipped_anywhere() {
        assert_eq!(preprocess("# 1 \"a.c\" 1 3 4\nf(\n# 16 \"x.c\" 3 4\nstdin\n)"), "f ( stdin )");
    }
}
