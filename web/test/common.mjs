// What the tests in a real browser share: Chromium, pages whose errors are failures, accessibility, screenshots.
// Status 77 says that Chromium or the npm packages are missing, and nothing was tested.

import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(import.meta.url);
const chromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
let puppeteer, axe;
try {
  puppeteer = (await import("puppeteer-core")).default;
  axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
} catch {
  console.error("NOT TESTED IN A BROWSER: run `npm ci --ignore-scripts` in web/test first");
  process.exit(77);
}
if (!chromium) {
  console.error("NOT TESTED IN A BROWSER: Chromium is not installed (Debian: apt install chromium)");
  process.exit(77);
}

let failures = 0;

export function expect(condition, what) {
  if (condition) return;
  failures++;
  console.error("FAILED: " + what);
}

export const browser = await puppeteer.launch({ executablePath: chromium, args: ["--no-sandbox", "--disable-gpu"], headless: true });

/** A page whose errors are failures. */
export async function open(address, { width = 1400, height = 900, offline = false } = {}) {
  const page = await browser.newPage();
  await page.setViewport({ width, height });
  page.on("request", (request) => expect(!offline || /^(file|blob|data):/.test(request.url()), `a page that stands alone asks for ${request.url()}`));
  page.on("console", (message) => { if (["error", "warn"].includes(message.type())) expect(false, `console: ${message.text()} (${message.stackTrace().map((f) => `${f.url}:${f.lineNumber}:${f.columnNumber}`).join(" ")})`); });
  page.on("pageerror", (error) => expect(false, `error in the page: ${error.message}`));
  await page.goto(address);
  return page;
}

/** Keeps a picture of the page, if a folder is given. */
export async function shot(page, folder, name) {
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, name + ".png") });
}

export async function accessible(page, where) {
  // As the page's own policy would forbid an added script, it is run from outside.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  for (const v of violations) expect(false, `accessibility, ${where}: ${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => n.target.join(" ")).join("; ")}`);
}

/** Runs the tests, and ends with the status. */
export async function run(what, test, cleanUp = () => {}) {
  try {
    await test();
  } catch (error) {
    failures++;
    console.error("FAILED: " + error.stack);
  } finally {
    await browser.close();
    cleanUp();
  }
  console.log(failures === 0 ? `${what} is well` : `${what}: ${failures} failures`);
  process.exit(failures === 0 ? 0 : 1);
}
