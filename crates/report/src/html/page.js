"use strict";
(function () {
  const byId = (id) => document.getElementById(id);
  const all = (selector) => Array.from(document.querySelectorAll(selector));
  const steps = JSON.parse(byId("steps").textContent);
  let current = -1;

  const lineOf = (file, line) => byId("f" + file + "l" + line);
  const edgesOf = new Map();
  for (const edge of all(".edge")) {
    for (const id of (edge.getAttribute("data-edges") || "").split(" ")) {
      if (id === "") continue;
      if (!edgesOf.has(id)) edgesOf.set(id, []);
      edgesOf.get(id).push(edge);
    }
  }

  const clear = (name) => all("." + name).forEach((e) => e.classList.remove(name));

  // The values after a step: the last one that each variable got.
  function stateAt(index) {
    const state = new Map();
    steps.slice(0, index + 1).forEach((step, i) => {
      for (const [name, value] of Object.entries(step.values)) {
        // What changed last comes first.
        state.delete(name);
        if (value !== "(nothing)") state.set(name, { value, changed: i === index });
      }
    });
    return state;
  }

  function showState(index) {
    const body = byId("state");
    body.textContent = "";
    for (const [name, { value, changed }] of [...stateAt(index)].reverse()) {
      const row = document.createElement("tr");
      if (changed) row.className = "changed";
      for (const text of [name, value]) {
        const cell = document.createElement("td");
        cell.textContent = text;
        row.appendChild(cell);
      }
      body.appendChild(row);
    }
  }

  function go(index) {
    if (steps.length === 0) return;
    current = Math.max(0, Math.min(steps.length - 1, index));
    clear("current");
    clear("passed");
    steps.slice(0, current).forEach((step) => {
      const line = lineOf(step.file, step.line);
      if (line) line.classList.add("passed");
      for (const edge of edgesOf.get(String(step.edge)) || []) edge.classList.add("passed");
    });
    const step = steps[current];
    for (let n = step.line; step.line !== null && n <= (step.end || step.line); n++) {
      const line = lineOf(step.file, n);
      if (line) line.classList.add("current");
    }
    for (const edge of edgesOf.get(String(step.edge)) || []) edge.classList.add("current");
    const row = byId("step" + current);
    row.classList.add("current");
    row.scrollIntoView({ block: "nearest" });
    const line = lineOf(step.file, step.line);
    if (line) line.scrollIntoView({ block: "nearest" });
    byId("position").textContent = current + 1 + " of " + steps.length;
    byId("first").disabled = byId("previous").disabled = current === 0;
    byId("last").disabled = byId("next").disabled = current === steps.length - 1;
    showState(current);
  }

  function select(tab) {
    for (const other of all("[role=tab]")) {
      const chosen = other === tab;
      other.setAttribute("aria-selected", String(chosen));
      byId(other.getAttribute("aria-controls")).hidden = !chosen;
    }
  }

  for (const tab of all("[role=tab]")) tab.addEventListener("click", () => select(tab));
  for (const row of all(".step")) row.addEventListener("click", () => go(Number(row.getAttribute("data-step"))));
  for (const item of all("[data-line]")) {
    item.addEventListener("click", () => {
      const line = lineOf(0, item.getAttribute("data-line"));
      if (line) line.scrollIntoView({ block: "center" });
    });
  }

  byId("theme").addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });

  if (steps.length > 0) {
    const moves = { first: () => 0, previous: () => current - 1, next: () => current + 1, last: () => steps.length - 1 };
    for (const [id, target] of Object.entries(moves)) byId(id).addEventListener("click", () => go(target()));
    const keys = { ArrowRight: "next", ArrowDown: "next", ArrowLeft: "previous", ArrowUp: "previous", Home: "first", End: "last" };
    document.addEventListener("keydown", (event) => {
      const move = keys[event.key];
      if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      go(moves[move]());
    });
    const fromAddress = () => {
      const asked = /^#step=(\d+)$/.exec(location.hash);
      go(asked ? Number(asked[1]) - 1 : 0);
    };
    addEventListener("hashchange", fromAddress);
    fromAddress();
  }
})();
