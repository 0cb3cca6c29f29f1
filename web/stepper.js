// An execution, step by step: buttons and keys, the line in the editor, the edge in the picture, values and call stack.

import { el } from "./dom.js";

const NOTHING = "(nothing)";

/** The values after a step, the last changed first. */
function stateAt(steps, index) {
  const state = new Map();
  steps.slice(0, index + 1).forEach((step, i) => {
    for (const [name, value] of Object.entries(step.values)) {
      state.delete(name);
      if (value !== NOTHING) state.set(name, { value, changed: i === index });
    }
  });
  return [...state].reverse();
}

/** The steps whose calls have not returned yet: those that went one call deeper. */
function callsAt(steps, index) {
  const calls = [];
  for (const step of steps.slice(0, index + 1)) {
    calls.length = Math.min(calls.length, step.depth);
    if (step.depth > calls.length) calls.push(step);
  }
  return calls;
}

const shown = (step) => Object.entries(step.values).filter(([, v]) => v !== NOTHING).map(([n, v]) => `${n} = ${v}`).join(", ");

/** `steps`: { line, source, values, depth, range, edge, thread?, repeats }; `onStep(step, index, steps)` marks it elsewhere. */
export function stepper({ steps, recurrence, onStep }) {
  let current = -1;
  const cycle = steps.findIndex((s) => s.repeats);
  const threads = [...new Set(steps.map((s) => s.thread).filter((t) => t !== undefined && t !== null))];
  const isLanes = threads.length > 1;

  const position = el("output", { "aria-live": "polite" });
  const button = (label, text, title, go) => el("button", { type: "button", "aria-label": label, title, onclick: go }, text);
  const buttons = {
    first: button("First step", "|◀", "Home", () => go(0)),
    previous: button("Previous step", "◀", "Shift+F10 or arrow up", () => go(current - 1)),
    next: button("Next step", "▶", "F10 or arrow down", () => next()),
    last: button("Last step", "▶|", "End", () => go(steps.length - 1)),
  };
  // An execution that never ends goes on from its first repeated step.
  const next = () => go(current === steps.length - 1 && cycle >= 0 ? cycle : current + 1);

  const rows = steps.map((step, i) => el("li", { role: "option", id: "step-" + i, class: "step", "aria-selected": "false", onclick: () => go(i) },
    el("span", { class: "number" }, step.line ?? ""),
    isLanes ? threads.map((t) => el("span", { class: "lane" }, t === step.thread ? el("code", {}, step.source) : "")) : el("code", {}, step.source),
    el("span", { class: "values" }, shown(step))));
  if (!isLanes) rows.forEach((row, i) => { row.style.paddingLeft = `${0.6 + Math.min(steps[i].depth, 30)}rem`; });
  const items = rows.slice();
  if (cycle >= 0) {
    items.splice(cycle, 0, el("li", { class: "separator", role: "presentation" }, `then for ever${recurrence ? `, always with ${recurrence}` : ""}:`));
  }
  const list = el("ol", { class: isLanes ? "steps lanes" : "steps", role: "listbox", tabIndex: 0, "aria-label": "Steps of the execution", onkeydown: (event) => {
    const move = { ArrowDown: () => next(), ArrowRight: () => next(), ArrowUp: () => go(current - 1), ArrowLeft: () => go(current - 1),
      Home: () => go(0), End: () => go(steps.length - 1), PageDown: () => go(current + 10), PageUp: () => go(current - 10) }[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  } }, items);
  const heads = isLanes ? el("div", { class: "lane-heads", "aria-hidden": "true" }, el("span", { class: "number" }), threads.map((t) => el("span", { class: "lane" }, `thread ${t}`))) : null;
  const values = el("tbody", {});
  const calls = el("ol", { class: "calls" });

  function go(index) {
    if (steps.length === 0) return;
    current = Math.max(0, Math.min(steps.length - 1, index));
    const step = steps[current];
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
    buttons.next.disabled = current === steps.length - 1 && cycle < 0;
    values.replaceChildren(...stateAt(steps, current).map(([name, { value, changed }]) =>
      el("tr", { class: changed ? "changed" : null }, el("th", { scope: "row" }, el("code", {}, name)), el("td", {}, el("code", {}, value)))));
    calls.replaceChildren(...callsAt(steps, current).map((call) => el("li", {}, `line ${call.line ?? "?"}: `, el("code", {}, call.source))));
    calls.parentElement.hidden = calls.childElementCount === 0;
    onStep(step, current, steps);
  }

  const element = el("div", { class: "stepper" },
    el("div", { class: "controls", role: "group", "aria-label": "Stepping" }, buttons.first, buttons.previous, position, buttons.next, buttons.last),
    heads, list,
    el("div", {}, el("h2", {}, "Inside of the calls"), calls),
    el("div", { class: "scroll" }, el("table", { class: "state" }, el("caption", {}, "Values, the latest first"), values)));
  return { element, go, next, previous: () => go(current - 1), inlineValues: shown };
}
