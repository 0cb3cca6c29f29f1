// Small helpers for the document. Text is only ever set as text, never as markup.

export const byId = (id) => document.getElementById(id);

/** Makes an element: properties, then children (elements or texts; nothing is skipped over null). */
export function el(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "class") element.className = value;
    else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "dataset") Object.assign(element.dataset, value);
    else if (key in element && !key.startsWith("aria")) element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined) element.append(child);
  }
  return element;
}

/** A picture made by the checker, as elements. Scripts would not run: the page's policy forbids them. */
export function picture(svg) {
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  return parsed.nodeName === "svg" ? document.importNode(parsed, true) : null;
}

/** Light, dark, or as the system says; the choice is kept for this browser. */
export function themes(button, onChange = () => {}) {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const kept = stored("theme");
  if (kept) root.dataset.theme = kept;
  const isDark = () => (root.dataset.theme || (system.matches ? "dark" : "light")) === "dark";
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    store("theme", root.dataset.theme);
    onChange(isDark());
  });
  system.addEventListener("change", () => onChange(isDark()));
  onChange(isDark());
}

// A page from the disk may have no storage.
export function stored(key, where = "localStorage") {
  try {
    return globalThis[where].getItem("craig-" + key);
  } catch {
    return null;
  }
}

export function store(key, value, where = "localStorage") {
  try {
    globalThis[where].setItem("craig-" + key, value);
  } catch {
    // Then it is not kept.
  }
}

/** Makes buttons and panels tabs after the pattern of WAI-ARIA: arrow keys move between them. Returns what selects one by its number. */
export function wireTabs(buttons, panels) {
  const select = (index, focus) => {
    buttons.forEach((button, i) => {
      button.setAttribute("aria-selected", String(i === index));
      button.tabIndex = i === index ? 0 : -1;
      panels[i].hidden = i !== index;
    });
    if (focus) buttons[index].focus();
  };
  buttons.forEach((button, i) => {
    panels[i].tabIndex = 0;
    button.addEventListener("click", () => select(i));
    button.addEventListener("keydown", (event) => {
      const to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: buttons.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      select((to + buttons.length) % buttons.length, true);
    });
  });
  return select;
}

/** Tabs for panels that exist: { id, name, panel }. */
export function tabs(name, parts) {
  const shown = parts.filter((part) => part.panel);
  const buttons = shown.map(({ id, name }) => el("button", { type: "button", role: "tab", id: "tab-" + id, "aria-controls": "panel-" + id }, name));
  for (const { id, panel } of shown) {
    panel.id = "panel-" + id;
    panel.classList.add("panel");
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", "tab-" + id);
  }
  const panels = shown.map((part) => part.panel);
  const select = wireTabs(buttons, panels);
  select(0);
  const list = el("div", { class: "tabs", role: "tablist", "aria-label": name }, buttons);
  return { element: el("div", {}, list, panels), select: (id) => select(Math.max(0, shown.findIndex((p) => p.id === id))) };
}

/** A table with a head; cells are texts or elements. */
export function table(caption, head, rows, properties = {}) {
  return el("div", { class: "scroll" }, el("table", properties,
    el("caption", {}, caption),
    el("thead", {}, el("tr", {}, head.map((h) => el("th", { scope: "col" }, h)))),
    el("tbody", {}, rows.map((row) => el("tr", {}, row.map((cell) => el("td", {}, cell)))))));
}

export const seconds = (value) => (value < 10 ? value.toFixed(2) : value.toFixed(1)) + "\u00a0s";

/** Hands a text to the user as a file. */
export function download(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = el("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
