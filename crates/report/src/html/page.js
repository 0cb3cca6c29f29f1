// The HTML report: tabs, colours, and stepping through the execution. `byId`, `el`, `themes`, `wireTabs` and `stepper` are those of the web page.

const all = (selector) => [...document.querySelectorAll(selector)];
const { steps, inputs, globals, recurrence } = JSON.parse(byId("steps").textContent);

const lineOf = (file, line) => byId("f" + file + "l" + line);
const edgesOf = new Map();
for (const edge of all(".edge")) {
  for (const id of (edge.dataset.edges ?? "").split(" ").filter(Boolean)) edgesOf.set(id, [...(edgesOf.get(id) ?? []), edge]);
}

const clear = (...names) => names.forEach((name) => all(".source ." + name + ", .edge." + name).forEach((e) => e.classList.remove(name)));
const inline = el("span", { class: "inline" });

/** Marks the line and the edge of a step, and those that were passed before; values stand behind the line. */
function mark(step, index) {
  clear("current", "passed");
  for (const before of steps.slice(0, index)) {
    lineOf(before.file, before.line)?.classList.add("passed");
    for (const edge of edgesOf.get(String(before.edge)) ?? []) edge.classList.add("passed");
  }
  const line = lineOf(step.file, step.line);
  for (let n = step.line; line && n <= (step.end ?? step.line); n++) lineOf(step.file, n)?.classList.add("current");
  inline.remove();
  inline.textContent = walk.inlineValues(step);
  if (line && inline.textContent !== "") line.append(inline);
  line?.scrollIntoView({ block: "nearest" });
  const edges = edgesOf.get(String(step.edge)) ?? [];
  for (const edge of edges) edge.classList.add("current");
  showEdge(edges[0]);
  try {
    history.replaceState(null, "", "#step=" + (index + 1));
  } catch {
    // Not every place that a page can be shown in has an address.
  }
}

/** Opens the picture of an edge, and scrolls to it if it can be seen. */
function showEdge(edge) {
  const picture = edge?.closest("details");
  if (!picture) return;
  picture.open = true;
  if (edge.getClientRects().length > 0) edge.scrollIntoView({ block: "nearest", inline: "nearest" });
}

const tabButtons = all("[role=tab]");
wireTabs(tabButtons, tabButtons.map((tab) => byId(tab.getAttribute("aria-controls"))));
byId("tab-cfg")?.addEventListener("click", () => showEdge(all(".edge.current")[0]));
themes(byId("theme"));

const walk = steps.length > 0 ? stepper({ steps, inputs, globals, recurrence, onStep: mark }) : null;
for (const item of all("[data-line]")) {
  item.addEventListener("click", () => lineOf(0, item.dataset.line)?.scrollIntoView({ block: "center" }));
}

if (walk) {
  byId("execution").replaceChildren(walk.element);
  // Only the function in which the execution ends is open.
  all("#panel-cfg details").forEach((picture) => { picture.open = false; });
  const last = steps.findLast((step) => edgesOf.has(String(step.edge)));
  showEdge(edgesOf.get(String(last?.edge))?.[0] ?? all("#panel-cfg svg")[0]);
  for (const step of steps) {
    const number = lineOf(step.file, step.line)?.querySelector(".number");
    if (!number || number.tagName === "BUTTON") continue;
    number.replaceWith(el("button", { type: "button", class: "number", "aria-label": `Line ${step.line}: go to its next step`, onclick: () => walk.goToLine(step.line, step.file) }, number.textContent));
  }
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.target.closest("[role=tab], input, select")) return;
    walk.key(event);
  });
  const fromAddress = () => walk.go(Number(location.hash.match(/^#step=(\d+)$/)?.[1] ?? 1) - 1);
  addEventListener("hashchange", fromAddress);
  fromAddress();
}
