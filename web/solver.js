// The page for formulas: SMT-LIB scripts, and interpolants under growing assignments.

import { makeChecker } from "./checker.js";
import { byId, el, table, themes } from "./dom.js";
import { Editor } from "./editor.js";
import { decode, encode } from "./permalink.js";

const EXAMPLES = {
  solve: {
    "A model": `(set-option :produce-models true)
(set-logic QF_LIA)
(declare-fun coins () Int)
(declare-fun notes () Int)
(assert (= (+ (* 3 coins) (* 5 notes)) 49))
(assert (and (>= coins 0) (>= notes 0)))
(check-sat)
(get-model)
`,
    "An unsatisfiable core": `(set-option :produce-unsat-cores true)
(set-logic QF_LRA)
(declare-fun x () Real)
(declare-fun y () Real)
(assert (! (> x 0.0) :named positive))
(assert (! (> y 10.0) :named irrelevant))
(assert (! (< (+ x x) 1.0) :named small))
(assert (! (> x 0.5) :named large))
(check-sat)
(get-unsat-core)
`,
    "Interpolants": `; What the first part says about the second, in words that both know.
(set-option :produce-interpolants true)
(set-logic QF_UFLIA)
(declare-fun i () Int)
(declare-fun j () Int)
(declare-fun n () Int)
(assert (! (and (= i 0) (= n 10)) :named start))
(assert (! (and (< i n) (= j (+ i 1))) :named step))
(assert (! (> j n) :named error))
(check-sat)
(get-interpolants start step error)
`,
    "Bit-vectors": `(set-option :produce-models true)
(set-logic QF_BV)
(declare-fun x () (_ BitVec 8))
; Not zero, but its square is: which number?
(assert (not (= x #x00)))
(assert (= (bvmul x x) #x00))
(check-sat)
(get-value (x))
`,
  },
  interpolate: {
    "A chain of implications": { split: 3, assignment: "2 -6", cnf: `c x1 -> x2 -> x3 -> x4 -> x5 -> x6 with x1 and not x6
p cnf 6 7
1 0
-1 2 0
-2 3 0
-3 4 0
-4 5 0
-5 6 0
-6 0
` },
    "Three pigeons, two holes": { split: 4, assignment: "1 -2 5", cnf: `c pigeon p in hole h is variable 2(p-1)+h
p cnf 6 9
1 2 0
3 4 0
-1 -3 0
-2 -4 0
5 6 0
-1 -5 0
-3 -5 0
-2 -6 0
-4 -6 0
` },
  },
};

const checker = makeChecker();
const mode = byId("mode"), example = byId("example"), status = byId("status"), progress = byId("progress"), result = byId("result");
let running = null;

const editor = new Editor(byId("editor"), { label: "Script or formula", language: "smtlib", keys: { "Mod-Enter": () => solve() } });
themes(byId("theme"));

function setMode(value) {
  mode.value = value;
  for (const label of document.querySelectorAll(".focused")) label.hidden = value !== "interpolate";
  example.replaceChildren(...Object.keys(EXAMPLES[value]).map((name) => el("option", {}, name)));
  editor.setLanguage(value === "solve" ? "smtlib" : "dimacs");
}

function applyExample() {
  const chosen = EXAMPLES[mode.value][example.value];
  if (typeof chosen === "string") editor.text = chosen;
  else {
    editor.text = chosen.cnf;
    byId("split").value = chosen.split;
    byId("assignment").value = chosen.assignment;
  }
  result.replaceChildren();
}

const settings = () => ({ mode: mode.value, source: editor.text, split: Number(byId("split").value) || 0, assignment: byId("assignment").value,
  labelling: byId("labelling").value, focus: byId("focus").value, seconds: Math.max(1, Number(byId("seconds").value) || 10) });

function request() {
  const s = settings();
  const timeout_ms = Math.round(s.seconds * 1000);
  if (s.mode === "solve") return { kind: "solve", script: s.source, timeout_ms };
  const assignment = s.assignment.split(/[\s,]+/).filter(Boolean).map(Number);
  if (assignment.some((n) => !Number.isInteger(n) || n === 0)) throw new Error("assigned literals are numbers such as 3 or -3");
  return { kind: "interpolate", cnf: s.source, split: s.split, assignment, labelling: s.labelling, focus: s.focus, timeout_ms };
}

function say(text, isFailure = false) {
  status.replaceChildren(el("p", { class: isFailure ? "failure" : "dim" }, text));
}

function busy(is) {
  byId("check").disabled = is;
  byId("stop").disabled = !is;
  progress.hidden = !is;
}

async function solve() {
  if (running) return;
  result.replaceChildren();
  const began = performance.now();
  const clock = el("span", { class: "clock" });
  const timer = setInterval(() => { clock.textContent = ((performance.now() - began) / 1000).toFixed(1) + " s"; }, 100);
  let asked = null;
  try {
    asked = checker.ask(request(), () => {});
    running = asked;
    progress.replaceChildren(el("p", {}, el("span", { class: "spinner", "aria-hidden": "true" }), clock));
    say("Solving …");
    busy(true);
    const reply = await asked.done;
    if (running !== asked) return;
    if (reply.kind === "solve") showScript(reply, performance.now() - began);
    else if (reply.kind === "interpolate") showInterpolants(reply);
    else say(`There is no answer: ${reply.message}`, true);
  } catch (error) {
    if (running === asked || asked === null) say(`There is no answer: ${error.message}`, true);
  } finally {
    clearInterval(timer);
    if (running === asked) {
      running = null;
      busy(false);
    }
  }
}

function stop() {
  if (!running) return;
  const asked = running;
  running = null;
  asked.cancel();
  asked.done.catch(() => {});
  busy(false);
  say("Stopped.");
}

function showScript(reply, milliseconds) {
  const errors = reply.errors === 0 ? "" : reply.errors === 1 ? ", with one error" : `, with ${reply.errors} errors`;
  say(`Answered in ${(milliseconds / 1000).toFixed(2)} s${errors}.`, reply.errors > 0);
  result.replaceChildren(el("pre", { tabIndex: 0, "aria-label": "Output of the solver" }, reply.output || "(the script asks nothing)"),
    el("details", {}, el("summary", {}, "Counts"), table("Counts of the solver", ["what", "how many"], Object.entries(reply.statistics).map(([n, v]) => [n, String(v)]))));
}

/** A slider over the number of assigned literals; a bar for the size of each interpolant. */
function showInterpolants(reply) {
  say(`Unsatisfiable: ${reply.clauses} clauses over ${reply.variables} variables, a proof of ${reply.proof} steps. Interpolants are verified.`);
  const { answers } = reply;
  const largest = Math.max(1, ...answers.map((a) => a.size ?? 0));
  const bars = answers.map((a) => {
    const bar = el("span", { title: a.why ?? `size ${a.size}` });
    bar.style.height = `${(100 * (a.size ?? 0)) / largest}%`;
    return bar;
  });
  const what = el("p", {});
  const formula = el("pre", { tabIndex: 0, "aria-label": "Interpolant", "aria-live": "polite" });
  const slider = el("input", { type: "range", id: "assigned", min: 0, max: answers.length - 1, step: 1, value: 0, oninput: () => draw() });
  function draw() {
    const at = Number(slider.value);
    const answer = answers[at];
    bars.forEach((bar, i) => bar.classList.toggle("current", i === at));
    what.textContent = at === 0 ? "No literal is assigned." : `Assigned: ${answer.assigned.join(" ")}.`;
    slider.setAttribute("aria-valuetext", what.textContent);
    formula.textContent = answer.why ?? answer.interpolant;
    if (answer.why === undefined) what.textContent += ` Size ${answer.size}, verified ${answer.verified}.`;
  }
  result.replaceChildren(
    el("div", { class: "slider" }, el("label", { htmlFor: "assigned" }, "How many of the literals are assigned"), slider),
    el("div", { class: "bars", role: "img", "aria-label": `Sizes: ${answers.map((a) => a.size ?? "none").join(", ")}` }, bars), what, formula);
  draw();
}

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

mode.addEventListener("change", () => {
  setMode(mode.value);
  applyExample();
});
example.addEventListener("change", applyExample);
byId("form").addEventListener("submit", (event) => {
  event.preventDefault();
  solve();
});
byId("stop").addEventListener("click", stop);
byId("link").addEventListener("click", copyLink);
document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented) return;
  if (event.key === "Escape") stop();
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) solve();
});

async function start() {
  setMode("solve");
  try {
    const state = await decode(location.hash);
    if (state) {
      setMode(state.mode === "interpolate" ? "interpolate" : "solve");
      editor.text = state.source;
      for (const id of ["split", "assignment", "labelling", "focus", "seconds"]) if (state[id] !== undefined) byId(id).value = String(state[id]);
    } else applyExample();
  } catch (error) {
    say(`The link cannot be read: ${error.message}`, true);
  }
  document.documentElement.dataset.ready = "yes";
}

start();
