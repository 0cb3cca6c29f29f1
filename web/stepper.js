// An execution, step by step: buttons and keys, threads as lanes, the call stack with the values of each frame. The page and the HTML report
// (crates/report) use it; they mark the line and the edge of a step themselves.

import { el } from "./dom.js";

const NOTHING = "(nothing)";

/** The variable that a place such as `p->next` or `a[2].x` belongs to. */
const variableOf = (place) => place.match(/[A-Za-z_$.#][\w$#]*/)?.[0] ?? place;

const thread = (step) => step.thread ?? "";

/** Is a step a call? Then the next one of its thread is one call deeper. */
function calledBy(steps, index) {
  const next = steps.slice(index + 1).find((s) => thread(s) === thread(steps[index]));
  return next && next.depth > steps[index].depth ? next.function ?? "" : null;
}

/**
 * The state after a step: the frames of its thread, the innermost first, and the values of global variables.
 * A frame: { name, line, values }; values: name -> { value, changed (in which step), isNew }.
 */
export function stateAfter(steps, index, globals) {
  const stacks = new Map();
  const shared = new Map();
  for (let i = 0; i <= index; i++) {
    const step = steps[i];
    const stack = stacks.get(thread(step)) ?? [];
    stacks.set(thread(step), stack);
    const isOther = (frame) => frame.name !== undefined && step.function !== undefined && frame.name !== step.function;
    stack.length = Math.min(stack.length, step.depth + 1);
    if (stack.length === step.depth + 1 && isOther(stack.at(-1))) stack.pop();
    while (stack.length <= step.depth) stack.push({ name: step.function, values: new Map() });
    stack.at(-1).line = step.line;
    // Arguments are values of the function that is called.
    const called = calledBy(steps, i);
    if (called !== null) stack.push({ name: called || undefined, line: null, values: new Map() });
    for (const [name, value] of Object.entries(step.values)) {
      const values = globals.has(variableOf(name)) ? shared : stack.at(-1).values;
      if (value === NOTHING) values.delete(name);
      else values.set(name, { value, changed: i, isNew: i === index });
    }
  }
  return { frames: (stacks.get(thread(steps[index])) ?? []).slice().reverse(), globals: shared };
}

const isSameLine = (a, b) => a.line === b.line && a.file === b.file;

/** Where each way of stepping leads from a step: the index of the next one, or null. */
export const ways = {
  next: (steps, from) => (from + 1 < steps.length ? from + 1 : null),
  previous: (steps, from) => (from > 0 ? from - 1 : null),
  /** Over calls: the next step of the same thread that is no deeper. */
  over: (steps, from) => find(steps, from, (s) => thread(s) === thread(steps[from]) && s.depth <= steps[from].depth),
  /** Out of the function. */
  out: (steps, from) => find(steps, from, (s) => thread(s) === thread(steps[from]) && s.depth < steps[from].depth),
  line: (steps, from) => find(steps, from, (s) => s.line && !isSameLine(s, steps[from])),
  /** The next step that gives a value to a variable. */
  change: (steps, from, name) => find(steps, from, (s) => Object.hasOwn(s.values, name)),
  changeBefore: (steps, from, name) => {
    const found = steps.slice(0, from).findLastIndex((s) => Object.hasOwn(s.values, name));
    return found < 0 ? null : found;
  },
};

function find(steps, from, is) {
  const found = steps.findIndex((s, i) => i > from && is(s));
  return found < 0 ? null : found;
}

const shown = (step) => Object.entries(step.values).filter(([, v]) => v !== NOTHING).map(([n, v]) => `${n} = ${v}`).join(", ");

/**
 * `steps`: { line, file, source, values, depth, function?, thread?, observed?, repeats }; `inputs`: { name, value, line, file };
 * `globals`: names of global variables; `onStep(step, index)` marks the step elsewhere.
 */
export function stepper({ steps, inputs = [], globals = [], recurrence, onStep }) {
  let current = -1;
  const cycle = steps.findIndex((s) => s.repeats);
  const threads = [...new Set(steps.map((s) => s.thread).filter((t) => t !== undefined && t !== null))];
  const isLanes = threads.length > 1;
  const hasCalls = steps.some((s) => s.depth > 0);
  const global = new Set(globals);

  const position = el("output", { "aria-live": "polite" });
  const button = (label, text, title, go) => el("button", { type: "button", "aria-label": label, title: title ? `${label} (${title})` : label, onclick: go }, text);
  // An execution that never ends goes on from its first repeated step.
  const following = (way) => {
    const to = ways[way](steps, current);
    return to === null && cycle >= 0 && way !== "out" ? cycle : to;
  };
  const move = (way) => {
    const to = following(way);
    if (to !== null) go(to);
  };
  const next = () => move("next");
  const previous = () => move("previous");
  const buttons = {
    first: button("First step", "|◀", "Home", () => go(0)),
    previous: button("Previous step", "◀", "arrow up", previous),
    next: button("Next step", "▶", "arrow down", next),
    last: button("Last step", "▶|", "End", () => go(steps.length - 1)),
  };
  const byWay = {
    over: button("Step over calls", "Over", "O", () => move("over")),
    out: button("Step out of the function", "Out", "U", () => move("out")),
    line: button("Step to another line", "Line", "L", () => move("line")),
  };

  const rows = steps.map((step, i) => el("li", { role: "option", id: "step-" + i, class: step.repeats ? "step repeated" : "step", "aria-selected": "false", onclick: () => go(i) },
    el("span", { class: "number" }, step.line ?? ""),
    isLanes ? threads.map((t) => el("span", { class: "lane" }, t === step.thread ? el("code", {}, step.source) : "")) : el("code", {}, step.source),
    el("span", { class: "values" }, shown(step)),
    step.observed ? el("span", { class: "observed" }, step.observed) : null));
  if (!isLanes) rows.forEach((row, i) => { row.style.setProperty("--depth", Math.min(steps[i].depth, 30)); });
  const items = rows.slice();
  if (cycle >= 0) {
    items.splice(cycle, 0, el("li", { class: "separator", role: "presentation" }, `then forever${recurrence ? `, always with ${recurrence}` : ""}:`));
  }
  const KEYS = { ArrowDown: next, ArrowRight: next, ArrowUp: previous, ArrowLeft: previous, Home: () => go(0), End: () => go(steps.length - 1),
    PageDown: () => go(current + 10), PageUp: () => go(current - 10), o: () => move("over"), u: () => move("out"), l: () => move("line") };
  /** Does what a key asks for; says whether it means anything. */
  const key = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const action = KEYS[event.key] ?? KEYS[event.key.toLowerCase()];
    if (!action) return false;
    event.preventDefault();
    action();
    return true;
  };
  const list = el("ol", { class: isLanes ? "steps lanes" : "steps", role: "listbox", tabIndex: 0, "aria-label": "Steps of the execution", onkeydown: key }, items);
  const heads = isLanes ? el("div", { class: "lane-heads", "aria-hidden": "true" }, el("span", { class: "number" }), threads.map((t) => el("span", { class: "lane" }, t)), el("span", { class: "values" }, "")) : null;
  const stack = el("div", { class: "frames" });

  /** To the next step at a line after the current one, or to the first. */
  function goToLine(line, file) {
    const at = (s) => s.line === line && (file === undefined || s.file === file);
    const to = find(steps, current, at) ?? find(steps, -1, at);
    if (to !== null) go(to);
    return to !== null;
  }

  function valuesTable(name, values) {
    const change = (way, text, label) => (variable) => {
      const to = ways[way](steps, current, variable);
      return el("button", { type: "button", class: "change", disabled: to === null, "aria-label": `${label} of ${variable}`, title: `${label} of ${variable}`, onclick: () => go(to) }, text);
    };
    const before = change("changeBefore", "◂", "Previous change"), after = change("change", "▸", "Next change");
    return el("table", { class: "state" }, el("caption", { class: "hidden" }, `Values of ${name}`), el("tbody", {}, [...values].sort(([, a], [, b]) => b.changed - a.changed).map(([variable, { value, isNew }]) =>
      el("tr", { class: isNew ? "changed" : null }, el("th", { scope: "row" }, el("code", {}, variable)), el("td", {}, el("code", {}, value)),
        el("td", { class: "changes" }, before(variable), after(variable))))));
  }

  function showState() {
    const state = stateAfter(steps, current, global);
    const frame = ({ name, line, values }, i) => el("li", { class: i === 0 ? "frame current" : "frame" },
      el("p", {}, el("b", {}, name ?? "the program"), line ? el("span", { class: "dim" }, `, line ${line}`) : null),
      values.size > 0 ? valuesTable(name ?? "the program", values) : null);
    const whose = isLanes && steps[current].thread ? `Call stack of ${steps[current].thread}` : "Call stack";
    // Rows are made anew; who steps with a button in one of them stays there.
    const focused = stack.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") : null;
    stack.replaceChildren(el("h2", {}, whose), el("ol", { class: "calls" }, state.frames.map(frame)),
      ...(state.globals.size > 0 ? [el("h2", {}, "Global variables"), valuesTable("global variables", state.globals)] : []));
    if (focused) [...stack.querySelectorAll("button")].find((b) => b.getAttribute("aria-label") === focused && !b.disabled)?.focus();
  }

  function go(index) {
    if (steps.length === 0) return;
    current = Math.max(0, Math.min(steps.length - 1, index));
    rows.forEach((row, i) => {
      row.classList.toggle("current", i === current);
      row.setAttribute("aria-selected", String(i === current));
    });
    list.setAttribute("aria-activedescendant", "step-" + current);
    const row = rows[current];
    // Only the list scrolls, not the page.
    list.scrollTop = Math.max(row.offsetTop - list.clientHeight + row.offsetHeight + 30, Math.min(list.scrollTop, row.offsetTop - 30));
    position.textContent = `step ${current + 1} of ${steps.length}`;
    buttons.first.disabled = buttons.previous.disabled = current === 0;
    buttons.last.disabled = current === steps.length - 1;
    buttons.next.disabled = following("next") === null;
    for (const way of Object.keys(byWay)) byWay[way].disabled = following(way) === null;
    showState();
    onStep(steps[current], current);
  }

  const place = ({ line, file }) => (line ? el("button", { type: "button", class: "place", onclick: () => goToLine(line, file) }, `line ${line}`) : "");
  const element = el("div", { class: "stepper" },
    inputs.length === 0 ? null : el("table", { class: "inputs" }, el("caption", {}, "Inputs of the execution"),
      el("tbody", {}, inputs.map((input) => el("tr", {}, el("th", { scope: "row" }, el("code", {}, input.name)), el("td", {}, el("code", {}, input.value)), el("td", {}, place(input)))))),
    el("div", { class: "controls", role: "group", "aria-label": "Stepping" }, buttons.first, buttons.previous, position, buttons.next, buttons.last,
      el("span", { class: "gap" }), hasCalls ? [byWay.over, byWay.out] : null, byWay.line),
    heads, list, stack);
  return { element, go, goToLine, next, previous, key, inlineValues: shown };
}
