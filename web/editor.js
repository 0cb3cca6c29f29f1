// The editor: CodeMirror in a shadow root, so that its styles need no exception from the page's policy.

import {
  basicSetup, commonLisp, Compartment, cpp, Decoration, EditorState, EditorView, HighlightStyle, keymap, lintGutter, setDiagnostics,
  StateEffect, StateField, StreamLanguage, syntaxHighlighting, tags, WidgetType,
} from "./vendor/codemirror.js";

const words = (text) => new Set(text.split(" "));
const BOOGIE = {
  keyword: words("assert assume axiom break call const else ensures exists extends finite forall free function goto havoc if implementation " +
    "invariant lambda modifies old procedure requires return returns then type unique var where while yield par async"),
  type: words("int bool real"),
  atom: words("true false"),
};

const boogie = StreamLanguage.define({
  name: "boogie",
  startState: () => ({ inComment: false }),
  token(stream, state) {
    if (state.inComment || stream.match("/*")) {
      state.inComment = !stream.match(/^.*?\*\//);
      if (state.inComment) stream.skipToEnd();
      return "comment";
    }
    if (stream.eatSpace()) return null;
    if (stream.match("//")) {
      stream.skipToEnd();
      return "comment";
    }
    if (stream.match(/^"[^"]*"/)) return "string";
    if (stream.match(/^\{:\w+/)) return "meta";
    if (stream.match(/^\d+(bv\d+|\.\d+)?/)) return "number";
    if (stream.match(/^[A-Za-z_.$#'`~^\\?][\w.$#'`~^\\?]*/)) {
      const word = stream.current();
      if (BOOGIE.keyword.has(word)) return "keyword";
      if (BOOGIE.type.has(word) || /^bv\d+$/.test(word)) return "typeName";
      return BOOGIE.atom.has(word) ? "atom" : "variableName";
    }
    if (stream.match(/^(:=|==>|<==>|<==|==|!=|<=|>=|&&|\|\||::|[-+*/<>!])/)) return "operator";
    stream.next();
    return null;
  },
  languageData: { commentTokens: { line: "//", block: { open: "/*", close: "*/" } } },
});

const LANGUAGES = { c: () => cpp(), boogie: () => boogie, smtlib: () => StreamLanguage.define(commonLisp), dimacs: () => [] };

// The colours are variables of the page, which shadow roots inherit.
const highlight = HighlightStyle.define([
  { tag: [tags.keyword, tags.controlKeyword, tags.definitionKeyword, tags.modifier], color: "var(--code-keyword)" },
  { tag: [tags.typeName, tags.standard(tags.typeName)], color: "var(--code-type)" },
  { tag: [tags.number, tags.bool, tags.atom, tags.null], color: "var(--code-number)" },
  { tag: [tags.string, tags.character], color: "var(--code-string)" },
  { tag: [tags.comment, tags.lineComment, tags.blockComment], color: "var(--dim)", fontStyle: "italic" },
  { tag: [tags.meta, tags.processingInstruction], color: "var(--code-meta)" },
]);

const theme = EditorView.theme({
  "&": { height: "100%", backgroundColor: "var(--panel)", color: "var(--ink)", fontSize: "13.5px" },
  "&.cm-focused": { outline: "2px solid var(--accent)" },
  ".cm-scroller": { fontFamily: 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace', lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--paper)", color: "var(--dim)", border: "0", borderRight: "1px solid var(--rule)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine, &.cm-focused .cm-activeLineGutter": { backgroundColor: "var(--active)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground, ::selection": { backgroundColor: "var(--selection) !important" },
  ".cm-tooltip": { backgroundColor: "var(--panel)", color: "var(--ink)", border: "1px solid var(--rule)" },
  ".cm-panels": { backgroundColor: "var(--paper)", color: "var(--ink)" },
  // The pictures of the lint package are data: addresses, which the policy of the page forbids.
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--violated)", textUnderlineOffset: "3px" },
  ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline wavy var(--unknown)", textUnderlineOffset: "3px" },
  ".cm-lint-marker": { content: "normal !important", borderRadius: "50%", width: ".7em", height: ".7em", margin: ".35em 0 0 .1em" },
  ".cm-lint-marker-error": { content: "normal !important", backgroundColor: "var(--violated)" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--violated)" },
  ".craig-step": { backgroundColor: "var(--mark) !important", boxShadow: "inset 4px 0 var(--unknown)" },
  ".craig-passed": { boxShadow: "inset 3px 0 var(--rule)" },
  ".craig-values": { color: "var(--note)", marginLeft: "2em", fontStyle: "italic", whiteSpace: "pre" },
  ".craig-note": { whiteSpace: "pre-wrap", overflowWrap: "anywhere", margin: "1px 1rem 1px 4px", padding: ".05rem .5rem", borderRadius: "4px",
    color: "var(--note)", backgroundColor: "var(--note-back)", display: "table" },
  ".craig-note b": { fontWeight: "600", marginRight: ".6em" },
  ".craig-note.remark": { color: "var(--unknown)", background: "none", border: "1px dashed" },
  ".craig-note.violation": { color: "var(--violated)", background: "none", border: "1px solid" },
});

class Note extends WidgetType {
  constructor(note, indent) {
    super();
    Object.assign(this, note, { indent });
  }
  eq(other) {
    return other.kind === this.kind && other.text === this.text && other.indent === this.indent;
  }
  toDOM() {
    const box = document.createElement("div");
    box.className = "craig-note " + this.kind;
    box.style.marginLeft = `calc(4px + ${Math.min(this.indent, 40)}ch)`;
    const kind = document.createElement("b");
    kind.textContent = this.kind;
    box.append(kind, this.text);
    return box;
  }
}

class Values extends WidgetType {
  constructor(text) {
    super();
    this.text = text;
  }
  eq(other) {
    return other.text === this.text;
  }
  toDOM() {
    const span = document.createElement("span");
    span.className = "craig-values";
    span.textContent = this.text;
    return span;
  }
}

/** A field of decorations that an effect replaces; edits move them along. */
function decorations() {
  const replace = StateEffect.define();
  const field = StateField.define({
    create: () => Decoration.none,
    update(set, transaction) {
      set = set.map(transaction.changes);
      for (const effect of transaction.effects) if (effect.is(replace)) set = effect.value;
      return set;
    },
    provide: (f) => EditorView.decorations.from(f),
  });
  return { replace, field };
}

const notes = decorations();
const step = decorations();

/** Positions of the checker: lines and columns from 1, in characters. */
function position(doc, line, column) {
  const at = doc.line(Math.min(Math.max(1, line), doc.lines));
  const units = Array.from(at.text).slice(0, Math.max(0, column - 1)).join("").length;
  return Math.min(at.to, at.from + units);
}

export class Editor {
  /** `label`: what a screen reader calls it; `onChange`: the text was edited; `keys`: bindings by name. */
  constructor(parent, { label, language, onChange, keys = {} }) {
    const root = parent.attachShadow({ mode: "open" });
    this.language = new Compartment();
    const bindings = Object.entries(keys).map(([key, run]) => ({ key, run: () => (run(), true), preventDefault: true }));
    this.view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        extensions: [
          keymap.of(bindings),
          basicSetup,
          this.language.of(LANGUAGES[language]()),
          theme,
          syntaxHighlighting(highlight),
          lintGutter(),
          notes.field,
          step.field,
          EditorView.contentAttributes.of({ "aria-label": label }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) onChange?.();
          }),
        ],
      }),
    });
    // The numbers of lines lead to steps.
    root.addEventListener("click", (event) => {
      const number = event.target.closest?.(".cm-lineNumbers .cm-gutterElement");
      if (number) this.onLine?.(Number(number.textContent));
    });
    // Text that is wider than the window can be scrolled by keyboard.
    this.view.scrollDOM.tabIndex = 0;
  }

  get text() {
    return this.view.state.doc.toString();
  }

  set text(text) {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text }, effects: this.none() });
    this.view.dispatch(setDiagnostics(this.view.state, []));
  }

  setLanguage(name) {
    this.view.dispatch({ effects: this.language.reconfigure(LANGUAGES[name]()) });
  }

  none() {
    return [notes.replace.of(Decoration.none), step.replace.of(Decoration.none)];
  }

  /** Forgets everything that was shown about the text. */
  clear() {
    this.view.dispatch({ effects: this.none() });
    this.view.dispatch(setDiagnostics(this.view.state, []));
  }

  /** Problems in the text: { range, message, severity }. */
  diagnose(problems) {
    const { doc } = this.view.state;
    const diagnostics = problems.filter((p) => p.range).map(({ range, message, severity }) => {
      const from = position(doc, range.line, range.column);
      const to = Math.max(from, position(doc, range.end_line, range.end_column));
      return { from, to: to > from ? to : Math.min(doc.length, from + 1), message, severity };
    });
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }

  /** Notes above lines: { line, kind, text }. */
  annotate(list) {
    const { doc } = this.view.state;
    const ranges = list.filter((n) => n.line >= 1 && n.line <= doc.lines).map((note) => {
      const at = doc.line(note.line);
      const indent = at.text.length - at.text.trimStart().length;
      return Decoration.widget({ widget: new Note(note, indent), block: true, side: -1 }).range(at.from);
    });
    this.view.dispatch({ effects: notes.replace.of(Decoration.set(ranges, true)) });
  }

  /** Marks the line of a step, with values behind it, and the lines that were passed before. */
  showStep(range, values, passed) {
    const { doc } = this.view.state;
    const marks = [];
    const isLine = (n) => n >= 1 && n <= doc.lines;
    for (const n of passed) if (isLine(n)) marks.push(Decoration.line({ class: "craig-passed" }).range(doc.line(n).from));
    if (range && isLine(range.line)) {
      for (let n = range.line; n <= Math.min(range.end_line, doc.lines, range.line + 3); n++) {
        marks.push(Decoration.line({ class: "craig-step" }).range(doc.line(n).from));
      }
      const last = doc.line(range.line);
      if (values) marks.push(Decoration.widget({ widget: new Values(values), side: 1 }).range(last.to));
    }
    const effects = [step.replace.of(Decoration.set(marks, true))];
    if (range && isLine(range.line)) effects.push(EditorView.scrollIntoView(doc.line(range.line).from, { y: "nearest", yMargin: 60 }));
    this.view.dispatch({ effects });
  }

  /** Puts the cursor at a line. */
  goto(line) {
    const { doc } = this.view.state;
    if (!(line >= 1 && line <= doc.lines)) return;
    const at = doc.line(line).from;
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    this.view.focus();
  }
}
