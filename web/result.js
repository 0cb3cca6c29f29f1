// An answer of the checker as elements: verdict, execution, proof, pictures, checks, runs, downloads.

import { download, el, picture, seconds, table, tabs } from "./dom.js";
import { stepper } from "./stepper.js";

const WORDS = { true: ["holds", "holds"], false: ["violated", "violated"], unknown: ["unknown", "unknown"], error: ["unknown", "not readable"] };

export const kindOf = (result) => (Object.hasOwn(WORDS, result.split("(")[0]) ? result.split("(")[0] : "unknown");

/** The verdict in one line. */
export function verdict(reply, elapsed) {
  const { result } = reply;
  const [style, word] = WORDS[kindOf(result.result)];
  const facts = [result.property, result.engine && `engine ${result.engine}`, seconds(elapsed)].filter(Boolean).join(" · ");
  return el("div", { class: "verdict " + style },
    el("span", { class: "badge" }, word),
    el("div", {}, el("p", { class: "message" }, reply.message), el("p", { class: "dim" }, facts),
      ...(reply.advice ?? []).map((advice) => el("p", { class: "dim" }, "Try " + forThePage(advice) + "."))));
}

// Advice names options of the command line; some have another name here.
const NAMES = [[/^--timeout (\d+)s/, "Seconds $1"], [/^--engine/, "Engine"], [/^--entry/, "More options: Start in"], [/^-p /, "Property "]];
const forThePage = (advice) => NAMES.reduce((text, [option, name]) => text.replace(option, name), advice);

/** What is said in the text of the program. */
export function mark(editor, { result }) {
  const own = (range) => range && range.file === result.file;
  const notes = [];
  for (const fact of result.invariants ?? []) {
    const line = own(fact.range) ? fact.range.line : fact.range ? null : fact.line;
    if (line) notes.push({ line, kind: fact.kind, text: fact.formula });
  }
  for (const [kind, remarks] of [["assumed", result.assumptions ?? []], ["not modelled", result.not_modelled ?? []]]) {
    for (const remark of remarks) if (own(remark.range)) notes.push({ line: remark.range.line, kind, text: remark.message });
  }
  editor.annotate(notes);
  const problems = (result.problems ?? []).filter((p) => own(p.range)).map((p) => ({ range: p.range, message: p.message, severity: "error" }));
  if (result.violation && own(result.violation.range)) {
    problems.push({ range: result.violation.range, message: result.violation.message.trim(), severity: "error" });
  }
  editor.diagnose(problems);
}

function proofPanel(result, editor) {
  const facts = result.invariants;
  if (!facts || facts.length === 0) return null;
  const place = (fact) => (fact.line ? el("button", { type: "button", class: "place", onclick: () => editor.goto(fact.line) }, `line ${fact.line}`) : "");
  return el("div", {}, table("What the proof says", ["where", "what", "fact"],
    facts.map((fact) => [place(fact), fact.kind, el("code", {}, fact.formula)])));
}

function picturesPanel(pictures, editor) {
  if (!pictures || pictures.length === 0) return null;
  return el("div", {}, pictures.map(({ title, svg, nodes }, i) => {
    const drawn = svg && picture(svg);
    const inner = drawn ? el("div", { class: "picture", tabIndex: 0, role: "group", "aria-label": `picture of ${title}` }, drawn)
      : el("p", { class: "dim" }, `${nodes} boxes are too many to draw.`);
    for (const box of inner.querySelectorAll("[data-line]")) box.addEventListener("click", () => editor.goto(Number(box.dataset.line)));
    return el("details", { open: i < 3 }, el("summary", {}, title), inner);
  }));
}

function checksPanel(result, editor) {
  const checks = result.checks ?? [];
  if (checks.length === 0) return null;
  const style = { proved: "holds", violated: "violated", open: "unknown" };
  const place = ({ line }) => (line ? el("button", { type: "button", class: "place", onclick: () => editor.goto(line) }, `line ${line}`) : "");
  const count = (status) => checks.filter((c) => c.status === status).length;
  return el("div", {}, table(`Every check: ${count("proved")} proved, ${count("violated")} violated, ${count("open")} open`, ["where", "what", "of", "status"],
    checks.map((c) => [place(c), c.message.trim(), el("code", {}, c.expression), el("span", { class: style[c.status] }, c.status)])));
}

function runPanel(reply) {
  const { result } = reply;
  const remarks = [...(result.assumptions ?? []).map((r) => ["assumed", r]), ...(result.not_modelled ?? []).map((r) => ["not modelled", r])];
  return el("div", {},
    result.entry ? el("p", {}, result.entry) : null,
    (result.known ?? []).length > 0 ? el("ul", {}, result.known.map((k) => el("li", {}, k))) : null,
    remarks.length > 0 ? table("What the answer takes for granted", ["", "where", "what"], remarks.map(([kind, r]) => [kind, r.place, r.message])) : null,
    (result.timeline ?? []).length > 0 ? table("Which engines ran", ["engine", "program", "from", "for", "result"],
      result.timeline.map((r) => [r.engine, r.translation, seconds(r.began_seconds), seconds(r.seconds), r.result])) : null,
    Object.keys(result.statistics ?? {}).length > 0 ? el("details", {}, el("summary", {}, "Counts"),
      table("Counts of the engine", ["what", "how many"], Object.entries(result.statistics).map(([name, n]) => [name, String(n)]))) : null,
    el("details", {}, el("summary", {}, "As on the command line"), el("pre", { tabIndex: 0 }, reply.text ?? "")));
}

function downloadsPanel(downloads) {
  if (!downloads) return null;
  const titles = { report: "Report (HTML page)", witness: "Witness (SV-COMP, YAML)", harness: "Test that fails (C)", sarif: "SARIF", json: "JSON" };
  return el("ul", { class: "downloads" }, Object.entries(downloads).map(([key, { name, type, text, why }]) => el("li", {},
    text === undefined ? el("span", { class: "dim" }, `${titles[key]}: ${why}`)
      : el("button", { type: "button", onclick: () => download(name, type, text) }, `${titles[key]}`))));
}

/** What changed from the old version. */
function versionsPanel({ upgrade }) {
  if (!upgrade) return null;
  const style = { new: "violated", old: "unknown", fixed: "holds" };
  const { old, facts } = upgrade;
  return el("div", {},
    (upgrade.violations ?? []).length > 0 ? table("Violations", ["function", "what", "since the old version"],
      upgrade.violations.map((v) => [el("code", {}, v.function), v.message, el("b", { class: style[v.state] ?? "dim" }, v.state.replaceAll("-", " "))])) : null,
    table("Functions", ["function", "change"], [...upgrade.functions.map((f) => [el("code", {}, f.old_name ? `${f.old_name} → ${f.name}` : f.name), f.change]),
      [`${upgrade.n_unchanged} others`, "unchanged"]]),
    table("Facts of the old proof", ["offered", "kept", "repaired", "dropped"], [[facts.offered, facts.kept, facts.repaired, facts.dropped].map(String)]),
    el("p", { class: "dim" }, `The old version: ${old.result}${old.engine ? `, engine ${old.engine}` : ""}, about ${seconds(old.cpu_seconds)}; the new one ${seconds(upgrade.cpu_seconds)}.`));
}

/** What a temporal formula sees of a state. */
function observed({ propositions, automaton }) {
  const said = Object.entries(propositions).map(([name, truth]) => `${name}: ${{ true: "yes", false: "no" }[truth] ?? "differs between iterations"}`);
  return `observed: ${said.join(", ")}; automaton: ${automaton}`;
}

/** Everything about an answer. `steps` of the returned object is the stepper, if there is an execution. */
export function show(reply, editor) {
  const { result } = reply;
  mark(editor, reply);
  const finite = [...(result.execution ?? []), ...(result.stem ?? [])].map((s) => ({ ...s, repeats: false }));
  const steps = [...finite, ...(result.cycle ?? []).map((s) => ({ ...s, repeats: true }))];
  steps.forEach((step, i) => {
    step.edge = reply.edges?.[i];
    step.file = step.range?.file;
    if (step.observed) step.observed = observed(step.observed);
  });
  const flow = picturesPanel(reply.pictures?.control_flow, editor);
  const edgesOf = new Map();
  for (const edge of flow?.querySelectorAll("[data-edges]") ?? []) {
    for (const id of edge.dataset.edges.split(" ").filter(Boolean)) edgesOf.set(id, [...(edgesOf.get(id) ?? []), edge]);
  }
  let walk = null;
  if (steps.length > 0) {
    const inputs = (result.input_values ?? []).map((input) => ({ ...input, line: input.range?.line, file: input.range?.file }));
    walk = stepper({ steps, inputs, globals: result.globals, recurrence: result.recurrence, onStep: (step, index) => {
      const own = step.range?.file === result.file ? step.range : null;
      const passed = new Set(steps.slice(0, index).filter((s) => s.range?.file === result.file).map((s) => s.range.line));
      editor.showStep(own, walk.inlineValues(step), passed);
      for (const edge of flow?.querySelectorAll(".passed, .current") ?? []) edge.classList.remove("passed", "current");
      for (const before of steps.slice(0, index)) edgesOf.get(String(before.edge))?.forEach((e) => e.classList.add("passed"));
      edgesOf.get(String(step.edge))?.forEach((e) => {
        e.classList.add("current");
        e.closest("details").open = true;
      });
    } });
    // Only the function in which the execution ends is open at first.
    const last = steps.findLast((step) => edgesOf.has(String(step.edge)));
    for (const drawn of flow?.querySelectorAll("details") ?? []) drawn.open = false;
    const end = edgesOf.get(String(last?.edge))?.[0].closest("details") ?? flow?.querySelector("details");
    if (end) end.open = true;
  }
  const problems = (result.problems ?? []).length > 0
    ? el("div", {}, el("pre", { tabIndex: 0, "aria-label": "messages" }, result.problems.map((p) => p.rendered).join("\n"))) : null;
  const parts = [
    { id: "problems", name: "Problems", panel: problems },
    { id: "versions", name: "Versions", panel: versionsPanel(result) },
    { id: "execution", name: "Execution", panel: walk && el("div", {}, walk.element) },
    { id: "proof", name: "Proof", panel: proofPanel(result, editor) },
    { id: "checks", name: "Checks", panel: checksPanel(result, editor) },
    { id: "flow", name: "Control flow", panel: flow },
    { id: "abstraction", name: "Annotated graph", panel: picturesPanel(reply.pictures?.abstraction, editor) },
    { id: "run", name: "Run", panel: runPanel(reply) },
    { id: "downloads", name: "Downloads", panel: downloadsPanel(reply.downloads) && el("div", {}, downloadsPanel(reply.downloads)) },
  ];
  const made = tabs("Parts of the answer", parts);
  return { element: made.element, select: made.select, steps: walk };
}
