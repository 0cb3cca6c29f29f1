// The page in a real browser: every example, stepping, cancelling, links, colours, the policy, accessibility.
//
//   node browser.mjs [--craig PATH] [--static FOLDER] [--screenshots FOLDER]
//
// --craig: the program that serves the page. --static: what `cargo xtask web` wrote; its pages are opened from the disk and must not use the network.
// Status 0: all is well; 1: something is not; 77: Chromium or the npm packages are missing, nothing was tested.

import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { deflateRawSync } from "node:zlib";
import { accessible, browser, expect, open as openPage, run, shot as keep } from "./common.mjs";

const { values: options } = parseArgs({ options: { craig: { type: "string" }, static: { type: "string" }, screenshots: { type: "string" } } });
const PATIENCE = 60000;

/** A page that is ready. */
async function open(address, settings) {
  const page = await openPage(address, settings);
  await page.waitForSelector("html[data-ready]", { timeout: PATIENCE });
  return page;
}

const shot = (page, name) => keep(page, options.screenshots, name);

const BADGES = { true: "holds", false: "violated", unknown: "unknown" };

/** Presses Check and waits for the verdict. */
async function check(page) {
  await page.click("#check");
  await page.waitForFunction(() => !document.querySelector("#check").disabled && document.querySelector(".verdict, .failure"), { timeout: PATIENCE });
  return page.evaluate(() => document.querySelector(".verdict .badge")?.textContent ?? document.querySelector("#status").textContent);
}

const choose = async (page, example) => {
  await page.select("#example", example);
  await page.evaluate(() => { document.querySelector("#seconds").value = "60"; });
};

/** The links of the manual to the page, with the result that is shown above each. */
function manualLinks() {
  const docs = new URL("../../docs/", import.meta.url);
  const links = [];
  for (const name of readdirSync(docs).filter((n) => n.endsWith(".md"))) {
    const text = readFileSync(new URL(name, docs), "utf8");
    for (const { 1: hash, index } of text.matchAll(/\]\(\.\.\/web\/craig\.html(#[^)]*)\)/g)) {
      // The first command of the block is the one that is linked.
      const block = text.slice(text.lastIndexOf("```console", index), index);
      links.push({ hash, expected: block.match(/RESULT: (\w+)/)?.[1] });
    }
  }
  return links;
}

/** Everything that holds for both checkers. */
async function common(name, address, settings) {
  const began = Date.now();
  let page = await open(address, settings);
  console.log(`${name}: ready after ${Date.now() - began} ms`);
  const examples = await page.evaluate(() => [...document.querySelectorAll("#example option")].map((o) => o.value).filter(Boolean));
  expect(examples.length >= 10, `${name}: ${examples.length} examples`);
  for (const example of examples) {
    await choose(page, example);
    const expected = readFileSync(new URL("../../" + example, import.meta.url), "utf8").match(/expect: (\w+)/)[1];
    const start = Date.now();
    const found = await check(page);
    expect(found === BADGES[expected], `${name}: ${example}: ${found}, expected ${BADGES[expected]}`);
    console.log(`${name}: ${example}: ${found}, ${Date.now() - start} ms`);
  }

  // A proof stands in the text.
  await choose(page, "examples/c/account.c");
  await check(page);
  const notes = await page.evaluate(() => [...document.querySelector("#editor").shadowRoot.querySelectorAll(".craig-note")].map((n) => n.textContent));
  expect(notes.some((n) => n.startsWith("invariant") && n.includes("balance")), `${name}: notes ${notes}`);
  await shot(page, name + "-proof");
  await accessible(page, name + ", proof");
  await page.click("#tab-abstraction");
  expect(await page.$eval("#panel-abstraction svg", (s) => s.querySelectorAll("rect").length > 2), `${name}: the annotated graph`);
  await shot(page, name + "-graph");

  // An execution is stepped with buttons and keys.
  await choose(page, "examples/c/leak.c");
  await check(page);
  const line = () => page.evaluate(() => document.querySelector("#editor").shadowRoot.querySelector(".craig-step")?.textContent);
  const position = () => page.$eval(".controls output", (o) => o.textContent);
  expect((await position()).startsWith("step 1 of"), `${name}: ${await position()}`);
  await page.click("[aria-label='Next step']");
  await page.keyboard.press("F10");
  expect((await position()).startsWith("step 3 of"), `${name}: ${await position()}`);
  await page.focus(".steps");
  await page.keyboard.press("ArrowDown");
  expect((await position()).startsWith("step 4 of"), `${name}: ${await position()}`);
  await page.keyboard.press("Home");
  while (!(await page.$eval(".step.current", (s) => s.textContent)).includes("malloc")) await page.keyboard.press("ArrowDown");
  expect((await line())?.includes("malloc"), `${name}: the line of the step is ${await line()}`);
  expect(await page.$$eval(".frame b", (names) => names.map((n) => n.textContent).join()) === "handle,main", `${name}: the calls`);
  await shot(page, name + "-execution");
  await accessible(page, name + ", execution");
  await page.click("#tab-flow");
  expect(await page.evaluate(() => document.querySelectorAll("#panel-flow .edge.current").length > 0), `${name}: the edge of the step`);

  // The table of checks leads to the lines.
  await choose(page, "examples/c/midpoint.c");
  await check(page);
  await page.click("#tab-checks");
  const checks = await page.$$eval("#panel-checks tbody tr", (rows) => rows.map((r) => [...r.cells].map((c) => c.textContent)));
  expect(checks.length > 0 && checks.some((c) => c[3] === "violated" && /^line \d+$/.test(c[0])), `${name}: the checks ${JSON.stringify(checks)}`);
  await accessible(page, name + ", checks");

  // Two versions in two panes.
  await choose(page, "examples/upgrade/queue_3.c");
  expect(await page.$eval("#old-pane", (pane) => !pane.hidden && pane.getBoundingClientRect().width > 100), `${name}: two panes`);
  await check(page);
  expect((await page.$eval("#panel-versions", (p) => p.textContent)).includes("new"), `${name}: a new violation`);
  await shot(page, name + "-versions");
  await accessible(page, name + ", versions");
  await choose(page, "examples/c/leak.c");
  expect(await page.$eval("#old-pane", (pane) => pane.hidden), `${name}: one pane again`);

  // Threads are lanes.
  await choose(page, "examples/threads/lost_update.c");
  await check(page);
  expect((await page.$$eval(".lane-heads .lane", (l) => l.length)) === 3, `${name}: three lanes`);
  await shot(page, name + "-threads");

  // An endless execution goes round.
  await choose(page, "examples/termination/step_of_two.c");
  await check(page);
  await page.click("[aria-label='Last step']");
  await page.click("[aria-label='Next step']");
  const [, at, of] = (await position()).match(/step (\d+) of (\d+)/);
  expect(Number(at) < Number(of), `${name}: after the last step of a loop comes ${at} of ${of}`);

  // Mistakes are marked in the text; no file is read.
  const load = async (state) => {
    const fragment = "#code=" + deflateRawSync(JSON.stringify(state)).toString("base64url");
    await page.evaluate((hash) => { location.hash = hash; }, fragment);
    const first = state.source.split("\n")[0];
    await page.waitForFunction((line) => document.querySelector("#editor").shadowRoot.querySelector(".cm-line").textContent === line, { timeout: 5000 }, first);
  };
  await load({ source: '#include "/etc/passwd"\nint main(void) { return 0; }\n', language: "c", property: "unreach-call" });
  expect((await check(page)) === "not readable", `${name}: an included file`);
  expect(await page.evaluate(() => document.querySelector("#result").textContent.includes("only the headers of the C library")), `${name}: the message about the file`);
  expect(await page.evaluate(() => document.querySelector("#editor").shadowRoot.querySelector(".cm-lintRange-error") !== null), `${name}: the mark of the mistake`);

  // Stop: soon, and the next check is answered.
  // Nobody knows whether this one always ends (Collatz).
  const collatz = "procedure main() {\n  var n: int;\n  assume n > 0;\n  while (n != 1) {\n    if (n mod 2 == 0) { n := n div 2; } else { n := 3 * n + 1; }\n  }\n}\n";
  await load({ source: collatz, language: "boogie", property: "termination", seconds: 600 });
  await page.click("#check");
  await new Promise((ok) => setTimeout(ok, 1000));
  const stopped = Date.now();
  if (await page.evaluate(() => !document.querySelector("#stop").disabled)) {
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => document.querySelector("#status").textContent === "Stopped.", { timeout: 5000 });
    expect(Date.now() - stopped < 3000, `${name}: stopping took ${Date.now() - stopped} ms`);
  } else expect(false, `${name}: the long check is not long: ${await page.$eval("#status", (e) => e.textContent)}`);
  await choose(page, "examples/c/midpoint.c");
  expect((await check(page)) === "violated", `${name}: the check after a stop`);

  // A link carries the program and the settings.
  await page.select("#engine", "bmc");
  await page.click("#link");
  await page.waitForFunction(() => location.hash.startsWith("#code="));
  const link = await page.evaluate(() => location.href);
  // What is shown behind lines is not part of the text.
  const shownText = () => page.evaluate(() => {
    const content = document.querySelector("#editor").shadowRoot.querySelector(".cm-content").cloneNode(true);
    for (const widget of content.querySelectorAll(".craig-values, .craig-note")) widget.remove();
    return content.textContent;
  });
  const text = await shownText();
  // The same page again: a new tab of a local server would need its token.
  await page.evaluate(() => { location.hash = ""; });
  await choose(page, "examples/first/max.bpl");
  await page.evaluate((hash) => { location.hash = hash; }, new URL(link).hash);
  await page.waitForFunction(() => document.querySelector("#engine").value === "bmc", { timeout: 5000 });
  expect(await page.$eval("#property", (p) => p.value) === "no-overflow", `${name}: the property of a link`);
  expect(text === await shownText(), `${name}: the text of a link`);

  // Links of the manual: the answer is the one that the manual shows.
  for (const { hash, expected } of manualLinks()) {
    await page.evaluate((to) => { location.hash = to; }, hash);
    await page.waitForFunction(() => document.querySelector("#status").textContent.startsWith("Press"), { timeout: 5000 });
    await page.evaluate(() => { document.querySelector("#seconds").value = "60"; });
    const found = await check(page);
    expect(found === BADGES[expected], `${name}: ${hash}: ${found}, the manual shows ${expected}`);
  }

  // Dark colours.
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
  await choose(page, "examples/threads/lost_update.c");
  await check(page);
  const dark = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(dark === "rgb(20, 24, 27)", `${name}: dark is ${dark}`);
  await shot(page, name + "-dark");
  await accessible(page, name + ", dark");
  await page.close();
  return examples;
}

/** The page for formulas. */
async function formulas(name, address, settings) {
  const page = await open(address, settings);
  const answer = async () => {
    await page.click("#check");
    await page.waitForFunction(() => !document.querySelector("#check").disabled && document.querySelector("#result").children.length > 0, { timeout: PATIENCE });
    return page.$eval("#result", (r) => r.textContent);
  };
  expect((await answer()).startsWith("sat"), `${name}: a model`);
  await page.select("#example", "An unsatisfiable core");
  const core = await answer();
  expect(core.startsWith("unsat") && core.includes("small") && !core.includes("irrelevant"), `${name}: a core: ${core}`);
  await page.select("#example", "Interpolants");
  expect((await answer()).includes("unsat"), `${name}: interpolants`);
  await page.select("#mode", "interpolate");
  const before = await answer();
  await page.focus("#assigned");
  await page.keyboard.press("ArrowRight");
  const after = await page.$eval("#result", (r) => r.textContent);
  expect(before !== after && after.includes("Assigned: 2."), `${name}: the slider: ${after}`);
  await shot(page, name);
  await accessible(page, name);
  await page.close();
}

const server = spawn(options.craig ?? "craig", ["serve"], { stdio: ["ignore", "pipe", "inherit"] });
await run("the page", async () => {
  const address = await new Promise((ok, failed) => {
    let text = "";
    server.on("error", failed);
    server.on("exit", () => failed(new Error("the server ended")));
    server.stdout.on("data", (data) => {
      text += data;
      const found = text.match(/http:\S+/);
      if (found) ok(found[0]);
    });
  });
  await common("served", address);
  // Without the token there is a sentence on what to do, and no answer.
  const stranger = await browser.createBrowserContext();
  const lost = await stranger.newPage();
  await lost.goto(address.split("?")[0]);
  await lost.waitForFunction(() => document.querySelector("#status").textContent.includes("open the one that"), { timeout: 10000 });
  await stranger.close();
  await formulas("formulas", address.replace("/?", "/solver.html?"));

  // A telephone; and all engines side by side.
  const phone = await open(address, { width: 390, height: 800 });
  await choose(phone, "examples/c/midpoint.c");
  await check(phone);
  expect(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page is wider than a telephone");
  await shot(phone, "phone");
  await accessible(phone, "phone");
  await phone.setViewport({ width: 1400, height: 900 });
  await phone.evaluate(() => { document.querySelector("#seconds").value = "2"; });
  await phone.click("#compare");
  await phone.waitForFunction(() => document.querySelector("#status").textContent.startsWith("All engines have ended"), { timeout: 120000 });
  await shot(phone, "compare");
  await accessible(phone, "compare");
  await phone.close();

  if (options.static && existsSync(path.join(options.static, "craig.html"))) {
    const file = (name) => pathToFileURL(path.resolve(options.static, name)).href;
    await common("alone", file("craig.html"), { offline: true });
    await formulas("alone-formulas", file("craig-formulas.html"), { offline: true });
  } else if (options.static) console.error("NOT TESTED: the page without a server; `cargo xtask web` makes it");
}, () => server.kill());
