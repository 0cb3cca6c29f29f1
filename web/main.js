// The page for programs.

import { makeChecker } from "./checker.js";
import { byId, el, seconds, table, themes } from "./dom.js";
import { Editor } from "./editor.js";
import { decode, encode } from "./permalink.js";
import { kindOf, show, verdict } from "./result.js";

const checker = makeChecker();
const field = Object.fromEntries(["example", "language", "property", "formula", "engine", "seconds", "entry", "data-model", "integers"].map((id) => [id, byId(id)]));
const status = byId("status"), progress = byId("progress"), result = byId("result");
let registry = null;
let running = null;
let steps = null;

const editor = new Editor(byId("editor"), {
  label: "Program text",
  language: "c",
  onChange: () => { field.example.value = ""; },
  keys: { "Mod-Enter": () => check() },
});

// Made when it is wanted.
let oldEditor = null;
const versions = byId("versions");

themes(byId("theme"));

// Settings ---------------------------------------------------------------------------------------

const settings = () => ({
  language: field.language.value,
  property: field.property.value,
  formula: field.formula.value.trim(),
  engine: field.engine.value,
  seconds: Math.max(1, Number(field.seconds.value) || 10),
  entry: field.entry.value.trim(),
  data_model: field["data-model"].value,
  integers: field.integers.value,
  source: editor.text,
  ...(versions.checked ? { old_source: oldEditor.text } : {}),
});

/** One pane, or two: the old version and the new one. */
function showVersions(old) {
  versions.checked = old !== undefined;
  byId("old-pane").hidden = byId("new-title").hidden = !versions.checked;
  if (old === undefined) return;
  oldEditor ??= new Editor(byId("old-editor"), {
    label: "Text of the old version",
    language: field.language.value,
    onChange: () => { field.example.value = ""; },
    keys: { "Mod-Enter": () => check() },
  });
  oldEditor.text = old;
}

const choose = (select, value, otherwise) => {
  select.value = [...select.options].some((o) => o.value === value) ? value : otherwise;
};

function apply(state) {
  choose(field.language, state.language, "c");
  choose(field.property, state.property, "unreach-call");
  field.formula.value = String(state.formula ?? "");
  byId("formula-label").hidden = field.property.value !== "ltl";
  listEngines();
  choose(field.engine, state.engine, "auto");
  field.seconds.value = Math.min(3600, Math.max(1, Number(state.seconds) || 10));
  field.entry.value = String(state.entry ?? "");
  choose(field["data-model"], state.data_model, "LP64");
  choose(field.integers, state.integers, "auto");
  showVersions(typeof state.old_source === "string" ? state.old_source : undefined);
  byId("more").open = versions.checked || field.entry.value !== "" || field["data-model"].value !== "LP64" || field.integers.value !== "auto";
  for (const each of [editor, oldEditor]) each?.setLanguage(field.language.value);
  editor.text = state.source;
  forget();
}

function request(given = settings()) {
  const { formula, seconds: limit, entry, ...asked } = given;
  if (asked.property === "ltl" && formula !== "") asked.property = "ltl:" + formula;
  return { kind: "check", ...asked, ...(entry === "" ? {} : { entry }), timeout_ms: Math.round(limit * 1000) };
}

/** The engines that can answer for the property. */
function listEngines() {
  const kept = field.engine.value;
  const able = (registry?.engines ?? []).filter((e) => e.properties.includes(field.property.value));
  field.engine.replaceChildren(el("option", { value: "auto" }, "auto: chosen for the program"),
    ...able.map((e) => el("option", { value: e.name, title: e.summary }, e.name)));
  choose(field.engine, kept, "auto");
}

const LTL = /^\s*LTL\((.*)\)\s*$/s;

function applyExample(example) {
  apply({ ...settingsOf(example), seconds: field.seconds.value });
}

/** An example as settings of the page: `property` may be a formula. */
function settingsOf({ property, entry, ...rest }) {
  const formula = property.match(LTL)?.[1] ?? "";
  return { ...rest, property: formula ? "ltl" : property, formula, entry: entry ?? "" };
}

// Asking -----------------------------------------------------------------------------------------

function forget() {
  steps = null;
  editor.clear();
  status.replaceChildren(el("p", { class: "dim" }, "Press ", el("b", {}, "Check"), "."));
  result.replaceChildren();
}

function busy(is) {
  byId("check").disabled = byId("compare").disabled = is;
  byId("stop").disabled = !is;
  progress.hidden = !is;
}

/** Shows what happens: elapsed time, stage, engines. */
function watch() {
  const began = performance.now();
  const engines = new Map();
  let stage = "starting", checks = "";
  const clock = el("span", { class: "clock" });
  const what = el("span", {});
  const list = el("ul", {});
  progress.replaceChildren(el("p", {}, el("span", { class: "spinner", "aria-hidden": "true" }), clock, what), list);
  const elapsed = () => (performance.now() - began) / 1000;
  const tick = () => { clock.textContent = elapsed().toFixed(1) + " s "; };
  const timer = setInterval(tick, 100);
  const draw = () => {
    what.textContent = stage + checks;
    list.replaceChildren(...[...engines].map(([name, { round, detail, over }]) =>
      el("li", { class: over ? "dim" : null }, el("b", {}, name), over ? ": ended" : `: iteration ${round}, ${detail}`)));
  };
  tick();
  draw();
  return {
    elapsed,
    event(event) {
      if (event.event === "queued") stage = event.ahead > 0 ? `waiting: ${event.ahead} before this one` : "next in the queue";
      if (event.event === "stage") stage = event.stage;
      if (event.event === "checks") checks = `; ${event.proved} of ${event.proved + event.violated + event.open} checks proved`;
      if (event.event === "progress") engines.set(event.engine, event);
      if (event.event === "ended" && engines.has(event.engine)) engines.get(event.engine).over = true;
      draw();
    },
    end: () => clearInterval(timer),
  };
}

async function check() {
  if (running) return;
  forget();
  status.replaceChildren(el("p", {}, "Checking …"));
  busy(true);
  const watcher = watch();
  const asked = checker.ask(request(), watcher.event);
  running = asked;
  try {
    const reply = await asked.done;
    if (running !== asked) return;
    present(reply, watcher.elapsed());
  } catch (error) {
    if (running === asked) failed(error);
  } finally {
    watcher.end();
    if (running === asked) {
      running = null;
      busy(false);
    }
  }
}

function present(reply, elapsed) {
  if (reply.kind !== "check") return failed(new Error(reply.message));
  status.replaceChildren(verdict(reply, elapsed));
  const shown = show(reply, editor);
  result.replaceChildren(shown.element);
  steps = shown.steps;
  editor.onLine = steps ? (line) => steps.goToLine(line, reply.result.file) : null;
  steps?.go(0);
}

function failed(error) {
  const message = error.name === "AbortError" ? "Stopped." : `There is no answer: ${error.message}`;
  status.replaceChildren(el("p", { class: error.name === "AbortError" ? "dim" : "failure" }, message));
}

function stop() {
  if (!running) return;
  const asked = running;
  running = null;
  asked.cancel();
  asked.done.catch(() => {});
  busy(false);
  failed(new DOMException("", "AbortError"));
}

// Comparing --------------------------------------------------------------------------------------

async function compare() {
  if (running) return;
  forget();
  const state = settings();
  const names = ["auto", ...registry.engines.filter((e) => e.properties.includes(state.property)).map((e) => e.name)];
  const cells = new Map(names.map((name) => [name, { answer: el("span", { class: "dim" }, "waiting"), time: el("span", {}), facts: el("span", {}), open: el("span", {}) }]));
  const rows = names.map((name) => {
    const { answer, time, facts, open } = cells.get(name);
    return [el("b", {}, name), answer, time, facts, open];
  });
  result.replaceChildren(table(`Engines side by side, ${state.seconds} s each`, ["engine", "answer", "time", "facts", "details"], rows));
  status.replaceChildren(el("p", {}, `Running ${names.length} engines …`));
  busy(true);
  progress.hidden = true;
  const current = new Set();
  let isOver = false;
  const all = { cancel: () => { isOver = true; for (const asked of current) asked.cancel(); }, done: null };
  const answers = new Set();
  const waiting = names.slice();
  const work = async () => {
    while (!isOver && waiting.length > 0) {
      const name = waiting.shift();
      const cell = cells.get(name);
      cell.answer.textContent = "running";
      const began = performance.now();
      const asked = checker.ask(request({ ...state, engine: name }), (event) => {
        if (event.event === "progress") cell.facts.textContent = `round ${event.round}`;
      });
      current.add(asked);
      try {
        const reply = await asked.done;
        const kind = kindOf(reply.result.result);
        const { statistics = {}, invariants = [] } = reply.result;
        cell.answer.textContent = reply.result.result;
        cell.answer.className = { true: "holds", false: "violated" }[kind] ?? "unknown";
        cell.time.textContent = seconds((performance.now() - began) / 1000);
        cell.facts.textContent = [invariants.length > 0 && `${invariants.length} facts`, statistics["solver calls"] && `${statistics["solver calls"]} solver calls`].filter(Boolean).join(", ");
        cell.open.replaceChildren(el("button", { type: "button", onclick: () => present(reply, (performance.now() - began) / 1000) }, "Show", el("span", { class: "hidden" }, ` the answer of ${name}`)));
        if (kind === "true" || kind === "false") answers.add(kind);
      } catch (error) {
        cell.answer.textContent = error.name === "AbortError" ? "stopped" : error.message;
        cell.answer.className = "dim";
      } finally {
        current.delete(asked);
      }
    }
  };
  all.done = Promise.all(Array.from({ length: checker.parallel }, work));
  running = all;
  await all.done;
  if (running === all) {
    running = null;
    busy(false);
    const agree = answers.size > 1 ? "The engines disagree, which is a bug in Craig: please report it." : "All engines have ended.";
    status.replaceChildren(el("p", {}, agree));
  }
}

// Links and start --------------------------------------------------------------------------------

async function copyLink() {
  const fragment = await encode({ version: 1, ...settings() });
  history.replaceState(null, "", location.pathname + location.search + fragment);
  const button = byId("link");
  try {
    await navigator.clipboard.writeText(location.href);
    button.textContent = "Copied";
  } catch {
    button.textContent = "It is in the address bar";
  }
  setTimeout(() => { button.textContent = "Copy link"; }, 2000);
}

/** A link of the manual: #example=PATH&property=…, with the settings of a command. */
function linkedExample() {
  const asked = new URLSearchParams(location.hash.slice(1));
  if (!asked.has("example")) return null;
  const example = registry.examples.find((e) => e.path === asked.get("example"));
  if (!example) throw new Error("there is no such example");
  return { ...settingsOf({ ...example, ...Object.fromEntries(asked) }), seconds: field.seconds.value };
}

async function openLink() {
  try {
    const state = linkedExample() ?? (await decode(location.hash));
    if (state) apply(state);
    return state !== null;
  } catch (error) {
    status.replaceChildren(el("p", { class: "failure" }, `The link cannot be read: ${error.message}`));
    return false;
  }
}

byId("form").addEventListener("submit", (event) => {
  event.preventDefault();
  check();
});
byId("stop").addEventListener("click", stop);
byId("compare").addEventListener("click", compare);
byId("link").addEventListener("click", copyLink);
field.language.addEventListener("change", () => [editor, oldEditor].forEach((each) => each?.setLanguage(field.language.value)));
// The old version starts as a copy.
versions.addEventListener("change", () => showVersions(versions.checked ? oldEditor?.text || editor.text : undefined));
field.property.addEventListener("change", () => {
  byId("formula-label").hidden = field.property.value !== "ltl";
  listEngines();
});
field.example.addEventListener("change", () => {
  const example = registry.examples.find((e) => e.path === field.example.value);
  if (!example) return;
  stop();
  applyExample(example);
  field.example.value = example.path;
});
addEventListener("hashchange", openLink);
document.addEventListener("keydown", (event) => {
  // What the editor has taken is not for us.
  if (event.defaultPrevented) return;
  if (event.key === "Escape" && running) stop();
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) check();
  if (event.key === "F10" && steps) {
    event.preventDefault();
    if (event.shiftKey) steps.previous();
    else steps.next();
  }
});

async function start() {
  try {
    registry = await checker.ask({ kind: "registry" }, () => {}).done;
  } catch (error) {
    return failed(error);
  }
  byId("version").textContent = "version " + registry.version;
  field.property.replaceChildren(...registry.properties.map((p) => el("option", { value: p.name, title: p.summary }, `${p.name}: ${p.summary}`)));
  const groups = new Map();
  for (const example of registry.examples) groups.set(example.group, [...(groups.get(example.group) ?? []), example]);
  for (const [group, examples] of groups) {
    field.example.append(el("optgroup", { label: group }, examples.map((e) => el("option", { value: e.path }, e.title))));
  }
  listEngines();
  if (!(await openLink()) && location.hash === "") {
    const first = registry.examples[0];
    applyExample(first);
    field.example.value = first.path;
  }
  document.documentElement.dataset.ready = "yes";
}

start();
