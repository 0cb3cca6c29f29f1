// The parts of CodeMirror 6 that the page uses, as one module.
export { basicSetup } from "codemirror";
export { Compartment, EditorState, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
export { Decoration, EditorView, WidgetType, keymap } from "@codemirror/view";
export { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
export { lintGutter, setDiagnostics } from "@codemirror/lint";
export { cpp } from "@codemirror/lang-cpp";
export { commonLisp } from "@codemirror/legacy-modes/mode/commonlisp";
export { tags } from "@lezer/highlight";
