// Opens HTML reports in headless Chromium and uses them as a person would.
//
//   cd tests/browser && npm install      # once; brings a Chromium along, nothing else is needed
//   node report.mjs VIOLATED.html HOLDS.html [SCREENSHOT-FOLDER]
//
// Fails (exit status 1) on a script error, on a request to anywhere, or if stepping does not move the highlight.
import assert from "node:assert/strict";
import path from "node:path";
import { pathToFileURL } from "node:url";
import chromium from "@sparticuz/chromium";
import { chromium as playwright } from "playwright-core";

const [violated, holds, pictures] = process.argv.slice(2);
const browser = await playwright.launch({
  executablePath: process.env.CRAIG_CHROMIUM || (await chromium.executablePath()),
  // Those are for a Chromium that has to live in one process.
  args: process.env.CRAIG_CHROMIUM ? ["--no-sandbox", "--disable-gpu"] : chromium.args,
  headless: true,
});

async function open(file) {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("request", (request) => request.url().startsWith("file:") || problems.push(`request of ${request.url()}`));
  await page.goto(pathToFileURL(path.resolve(file)).href);
  return { page, problems };
}

const picture = async (page, name) => {
  if (pictures) await page.screenshot({ path: path.join(pictures, name) });
};

try {
  const { page, problems } = await open(violated);
  const current = () => page.$$eval(".line.current", (lines) => lines.map((line) => line.id).join(" "));
  const position = () => page.textContent("#position");
  const total = await page.$$eval(".step", (steps) => steps.length);
  assert.ok(total > 2, "the execution has steps");
  assert.equal(await position(), `1 of ${total}`);

  // Next by the button, by keys, back again; the highlight follows.
  const seen = [await current()];
  await page.click("#next");
  seen.push(await current());
  for (let i = 2; i < total; i++) {
    await page.keyboard.press(i % 2 ? "ArrowRight" : "ArrowDown");
    seen.push(await current());
  }
  assert.equal(await position(), `${total} of ${total}`);
  assert.ok(new Set(seen).size > 1, "the highlight moves");
  assert.ok(await page.isDisabled("#next"));
  for (const wanted of seen.slice(0, -1).reverse()) {
    await page.keyboard.press("ArrowLeft");
    assert.equal(await current(), wanted);
  }
  await page.keyboard.press("End");
  assert.equal(await position(), `${total} of ${total}`);
  assert.ok((await page.$$eval("#state tr", (rows) => rows.length)) > 0, "values are shown");
  await picture(page, "execution.png");
  await page.click("#step1");
  assert.equal(await position(), `2 of ${total}`);

  // The graph follows, too.
  await page.click("#tab-cfg");
  assert.ok(await page.isVisible("#panel-cfg svg"));
  await page.keyboard.press("End");
  assert.ok((await page.$$eval("#panel-cfg .edge.passed, #panel-cfg .edge.current", (edges) => edges.length)) > 0);
  await picture(page, "control-flow.png");

  // Light and dark.
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const before = await background();
  await page.click("#theme");
  assert.notEqual(await background(), before);
  await page.click("#tab-run");
  assert.ok(await page.isVisible("#panel-run svg.chart"));
  await picture(page, "run-dark.png");
  assert.deepEqual(problems, []);

  // The address can name a step.
  const { page: linked } = await open(violated);
  await linked.evaluate(() => (location.hash = "#step=3"));
  await linked.waitForFunction(() => document.getElementById("position").textContent.startsWith("3 of"));

  const proof = await open(holds);
  assert.ok((await proof.page.$$eval(".note.invariant", (notes) => notes.length)) > 0, "invariants stand in the source");
  await picture(proof.page, "proof.png");
  await proof.page.click("#tab-abstraction");
  assert.ok(await proof.page.isVisible("#panel-abstraction svg"));
  await picture(proof.page, "abstraction.png");
  await proof.page.click("#tab-cfg");
  await picture(proof.page, "control-flow-holds.png");
  assert.deepEqual(proof.problems, []);
  console.log("ok");
} finally {
  await browser.close();
}
