// HTML reports in a real browser: keyboard, call stack, values in the text, lines, changes of variables, address, lanes, pictures, accessibility.
//
//   node report.mjs [--craig PATH] [--screenshots FOLDER]

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { parseArgs } from "node:util";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { accessible, expect, open, run, shot } from "./common.mjs";

const { values: options } = parseArgs({ options: { craig: { type: "string" }, screenshots: { type: "string" } } });
const folder = mkdtempSync(path.join(tmpdir(), "craig-report-"));

/** The address of the report on a program. */
function report(name, text, ...settings) {
  const page = path.join(folder, name + ".html");
  writeFileSync(path.join(folder, name), text);
  const craig = options.craig ? path.resolve(options.craig) : "craig";
  try {
    execFileSync(craig, ["check", "--report", page, ...settings, name], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  } catch (error) {
    // Status 1: violated.
    if (error.status !== 1) throw error;
  }
  return pathToFileURL(page).href;
}

// In line 7 the fourth turn reads behind the end; `n` is a variable of both functions, `total` of the whole program.
const BOUNDS = `extern int __VERIFIER_nondet_int(void);
static int total; /* a comment
   of two lines: </script><script>alert(1)</script> */
int add(int a, int b) { total += b; return a + b; }
int sum(int n) {
  int s = 0, a[3] = {1, 2, 3};
  for (int i = 0; i < n; i++) s = add(s, a[i]);
  return s;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 4) return 0;
  n = sum(n);
  return n;
}
`;

async function violation() {
  const page = await open(report("bounds.c", BOUNDS, "-p", "valid-memsafety"), { offline: true });
  const position = async () => (await page.$eval(".controls output", (o) => o.textContent)).match(/step (\d+) of (\d+)/).slice(1).map(Number);
  const lines = () => page.$$eval(".line.current", (found) => found.map((line) => Number(line.id.split("l")[1])));
  const frames = () => page.$$eval(".frame", (found) => found.map((frame) => [frame.querySelector("b").textContent,
    Object.fromEntries([...frame.querySelectorAll("tr")].map((row) => [row.cells[0].textContent, row.cells[1].textContent]))]));
  const [, total] = await position();
  expect(total > 15, `an execution of ${total} steps`);

  // Keys and buttons; the address follows.
  await page.keyboard.press("ArrowDown");
  await page.click("[aria-label='Next step']");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowLeft");
  expect((await position())[0] === 3, `step ${await position()}`);
  expect((await page.evaluate(() => location.hash)) === "#step=3", "the address follows the step");
  await page.keyboard.press("End");
  expect((await position())[0] === total, "the last step");
  expect((await lines()).join() === "7", `the violation is in line ${await lines()}`);

  // Frames have values of their own: n of both functions, the array a and not the parameter a.
  const atEnd = await frames();
  expect(atEnd.map(([name]) => name).join() === "sum,main", `frames ${JSON.stringify(atEnd)}`);
  expect(atEnd[0][1]["a[2]"] === "3" && atEnd[0][1].i === "3" && atEnd[0][1].n === "4" && !("b" in atEnd[0][1]) && atEnd[1][1].n === "4", `values ${JSON.stringify(atEnd)}`);
  const sharedValues = await page.$$eval(".frames > table tr", (rows) => rows.map((row) => row.cells[0].textContent + row.cells[1].textContent));
  expect(sharedValues.join() === "total6", `global variables ${sharedValues}`);

  // Into a call, out of it, over it, to another line.
  await page.keyboard.press("Home");
  while ((await frames())[0][0] !== "add" && (await position())[0] < total) await page.keyboard.press("ArrowDown");
  const [call] = await position();
  await page.keyboard.press("ArrowDown");
  expect((await frames()).map(([name]) => name).join() === "add,sum,main", `in add: ${JSON.stringify(await frames())}`);
  expect((await frames())[0][1].b === "1", "the argument");
  const inline = await page.$eval(".line.current .inline", (e) => e.textContent);
  expect(inline === "total = 1", `behind the line stands ${inline}`);
  await shot(page, options.screenshots, "report-execution");
  await accessible(page, "report, execution");
  await page.keyboard.press("u");
  expect((await frames())[0][0] === "sum", "out of the function");
  const [after] = await position();
  await page.evaluate((n) => { location.hash = "#step=" + n; }, call);
  await page.waitForFunction((n) => document.querySelector(".controls output").textContent.startsWith(`step ${n} of`), { timeout: 2000 }, call);
  await page.click("[aria-label='Step over calls']");
  expect((await position())[0] === after, `over the call: ${await position()}, not ${after}`);
  const before = await lines();
  await page.keyboard.press("l");
  expect((await lines()).join() !== before.join(), "another line");

  // The number of a line leads to its next step; changes of a variable.
  await page.keyboard.press("Home");
  await page.click("[aria-label='Line 4: go to its next step']");
  expect((await lines()).join() === "4" && (await frames())[0][0] === "add", "a step in line 4");
  await page.keyboard.press("End");
  const now = await position();
  await page.click("[aria-label='Previous change of i']");
  const [changed] = await position();
  expect(changed < now[0] && (await page.$eval(".step.current", (s) => s.textContent)).includes("i++"), "the change of i");
  await page.click("[aria-label='Previous change of i']");
  await page.click("[aria-label='Next change of i']");
  expect((await position())[0] === changed, "there and back");

  // Inputs; the picture of the function in which it fails; tabs by keyboard.
  expect((await page.$eval(".inputs", (t) => t.textContent)).includes("__VERIFIER_nondet_int()4line 11"), "the inputs");
  await page.reload();
  expect((await position())[0] === changed, "the address keeps the step");
  await page.keyboard.press("Home");
  await page.focus("#tab-trace");
  await page.keyboard.press("ArrowRight");
  expect(await page.$eval("#tab-cfg", (t) => t.getAttribute("aria-selected") === "true"), "tabs have arrow keys");
  expect((await position())[0] === 1, "and those do not step");
  expect((await page.$$eval("#panel-cfg details[open] summary", (s) => s.map((e) => e.textContent).join())).includes("sum"), "the picture of the failing function is open");
  await page.focus(".source");
  await page.keyboard.press("End");
  expect((await page.$$eval(".edge.current", (e) => e.length)) > 0, "the edge of the step");
  await shot(page, options.screenshots, "report-graph");
  await accessible(page, "report, control flow");
  await page.click("#tab-run");
  await accessible(page, "report, run");
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
  await page.click("#tab-trace");
  await shot(page, options.screenshots, "report-dark");
  await accessible(page, "report, dark");
  await page.setViewport({ width: 390, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the report is wider than a telephone");
  await shot(page, options.screenshots, "report-phone");
  await page.close();
}

const THREADS = `#include <pthread.h>
#include <assert.h>
int balance;
void *deposit(void *unused) {
  int seen = balance;
  balance = seen + 10;
  return 0;
}
int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, deposit, 0);
  pthread_create(&second, 0, deposit, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(balance == 20);
  return 0;
}
`;

async function threads() {
  const page = await open(report("threads.c", THREADS), { offline: true });
  const heads = await page.$$eval(".lane-heads .lane", (found) => found.map((e) => e.textContent));
  expect(heads.length === 3 && heads[0] === "main", `lanes ${heads}`);
  await page.keyboard.press("End");
  expect((await page.$eval(".frames h2", (h) => h.textContent)) === "Call stack of main", "whose stack");
  await shot(page, options.screenshots, "report-threads");
  await accessible(page, "report, threads");
  await page.close();
}

async function endless() {
  const page = await open(report("endless.c", readFileSync(new URL("../../examples/termination/step_of_two.c", import.meta.url), "utf8"), "-p", "termination"), { offline: true });
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowDown");
  const [at, of] = (await page.$eval(".controls output", (o) => o.textContent)).match(/\d+/g).map(Number);
  expect(at < of, "after the last step of a loop comes its first");
  await accessible(page, "report, endless");
  await page.close();
}

async function proof() {
  const page = await open(report("proof.bpl", "procedure main() {\n  var x, y: int;\n  assume y >= 0;\n  x := 0;\n  while (x < y) {\n    x := x + 1;\n  }\n  assert x == y;\n}\n"), { offline: true });
  expect((await page.$eval(".note.invariant", (n) => n.textContent)).includes("y"), "the invariant stands in the text");
  await shot(page, options.screenshots, "report-proof");
  await accessible(page, "report, proof");
  for (const tab of await page.$$eval("[role=tab]", (tabs) => tabs.map((t) => t.id))) {
    await page.click("#" + tab);
    await accessible(page, "report, proof, " + tab);
  }
  await page.close();
}

await run("the report", async () => {
  await violation();
  await threads();
  await endless();
  await proof();
}, () => rmSync(folder, { recursive: true }));
