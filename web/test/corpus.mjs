// Programs checked in a browser and on the command line: do the verdicts agree, and what does each cost?
//
//   node corpus.mjs --craig PATH --static FOLDER --tasks FILE [--seconds N] [--output FILE]
//
// --static: what `cargo xtask web` wrote; it is served from a local address. --tasks: a line of JSON for each program: file, property, data_model.
// Without --tasks: 20 programs of tests/programs, with the verdicts that their first lines expect.
// Status 0: no verdict contradicts another, and all of tests/programs are as expected; 1: otherwise; 77: Chromium or the npm packages are missing.

import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { appendFileSync, readFileSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { browser, expect, open, run } from "./common.mjs";

const { values: options } = parseArgs({
  options: { craig: { type: "string" }, static: { type: "string" }, tasks: { type: "string" }, seconds: { type: "string" }, output: { type: "string" } },
});
const seconds = Number(options.seconds ?? 10);
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".wasm": "application/wasm", ".gz": "application/octet-stream", ".br": "application/octet-stream" };

/** The page as any web server sends it. */
const server = createServer((request, response) => {
  const name = path.basename(new URL(request.url, "http://localhost").pathname) || "index.html";
  const file = path.join(options.static, request.url.includes("/vendor/") ? "vendor" : "", name);
  try {
    const content = readFileSync(file);
    response.writeHead(200, { "Content-Type": TYPES[path.extname(name)] ?? "text/plain" }).end(content);
  } catch {
    response.writeHead(404).end();
  }
});

/** Twenty of our own programs, spread over the folder, that the command line answers within a second or so. */
function ownPrograms() {
  const folder = new URL("../../tests/programs/c/", import.meta.url);
  const all = readdirSync(folder).filter((n) => n.endsWith(".c")).sort().flatMap((name) => {
    const head = readFileSync(new URL(name, folder), "utf8").split("\n").slice(0, 6).join("\n");
    const word = (key) => head.match(new RegExp(`// ${key}: *(\\S+)`))?.[1];
    const expected = word("expect");
    if (!/^(true|false)/.test(expected ?? "") || word("args") || word("engine") || word("timeout") || word("files")) return [];
    return [{ file: new URL(name, folder).pathname, property: word("property") ?? "unreach-call", data_model: word("data-model") ?? "LP64", expected }];
  });
  const step = Math.max(1, Math.floor(all.length / 20));
  return all.filter((_, i) => i % step === 0).slice(0, 20);
}

/** Processor seconds of a process and all that it started. */
function cpuOf(root) {
  const processes = readdirSync("/proc").filter((n) => /^\d+$/.test(n)).flatMap((pid) => {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /s, "").split(" ");
      return [{ pid: Number(pid), parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) + Number(fields[13]) + Number(fields[14]) }];
    } catch {
      return [];
    }
  });
  const inside = new Set([root]);
  for (let before = 0; before !== inside.size; ) {
    before = inside.size;
    for (const p of processes) if (inside.has(p.parent)) inside.add(p.pid);
  }
  return processes.filter((p) => inside.has(p.pid)).reduce((sum, p) => sum + p.ticks, 0) / 100;
}

/** The verdict of the command line, and its processor seconds. */
function native(task) {
  return new Promise((resolve) => {
    const words = ["check", "--jobs", "1", "--no-cache", "--timeout", `${seconds}s`, "--memory", "1GB", "--property", task.property, "--data-model", task.data_model, task.file];
    const script = 'TIMEFORMAT="CPU %U %S"; time "$0" "$@"';
    const child = spawn("bash", ["-c", script, options.craig ?? "craig", ...words], { stdio: ["ignore", "pipe", "pipe"] });
    let text = "", errors = "";
    child.stdout.on("data", (data) => { text += data; });
    child.stderr.on("data", (data) => { errors += data; });
    child.on("close", () => {
      const [, user, system] = errors.match(/CPU ([\d.]+) ([\d.]+)/) ?? [0, 0, 0];
      resolve({ result: text.match(/RESULT: (.*)\s*$/)?.[1] ?? "error", cpu: Number(user) + Number(system) });
    });
  });
}

const isAnswer = (result) => /^(true|false)/.test(result);

await run("the corpus in the browser", async () => {
  await new Promise((ok) => server.listen(0, "127.0.0.1", ok));
  const began = Date.now();
  const page = await open(`http://127.0.0.1:${server.address().port}/index.html`);
  await page.waitForSelector("html[data-ready]", { timeout: 60000 });
  console.log(`served: ready after ${Date.now() - began} ms`);
  await page.evaluate(async () => {
    const { makeChecker } = await import("./checker.js");
    window.ask = async (request) => {
      try {
        return (await window.checker.ask(request, () => {}).done).result?.result ?? "error";
      } catch (error) {
        return "broken: " + error.message;
      }
    };
    window.checker = makeChecker();
    await window.checker.module();
  });
  const tasks = options.tasks ? readFileSync(options.tasks, "utf8").trim().split("\n").map((l) => JSON.parse(l)) : ownPrograms();
  if (options.output) rmSync(options.output, { force: true });
  const ratios = [], counts = { both: 0, neither: 0, browserOnly: 0, nativeOnly: 0, contradictions: 0, broken: 0 };
  for (const task of tasks) {
    const source = readFileSync(task.file, "latin1");
    const language = task.file.endsWith(".bpl") ? "boogie" : "c";
    const request = { kind: "check", language, source, property: task.property, data_model: task.data_model, timeout_ms: seconds * 1000 };
    const before = cpuOf(browser.process().pid);
    const found = await page.evaluate((r) => window.ask(r), request);
    const cpu = cpuOf(browser.process().pid) - before;
    const own = task.expected ? { result: task.expected, cpu: 0 } : await native(task);
    const line = { file: task.file, property: task.property, native: own.result, browser: found, nativeCpu: own.cpu, browserCpu: cpu };
    if (options.output) appendFileSync(options.output, JSON.stringify(line) + "\n");
    const [a, b] = [isAnswer(own.result), isAnswer(found)];
    if (found.startsWith("broken")) counts.broken++;
    if (a && b && own.result.split("(")[0] !== found.split("(")[0]) {
      counts.contradictions++;
      expect(false, `${task.file}: ${found} in the browser, ${own.result} on the command line`);
    } else counts[a && b ? "both" : a ? "nativeOnly" : b ? "browserOnly" : "neither"]++;
    if (task.expected) expect(found.split("(")[0] === task.expected.split("(")[0], `${task.file}: ${found}, expected ${task.expected}`);
    if (a && b && own.cpu > 0.1) ratios.push(cpu / own.cpu);
  }
  ratios.sort((x, y) => x - y);
  const at = (share) => ratios[Math.floor((ratios.length - 1) * share)]?.toFixed(2);
  console.log(`${tasks.length} programs, ${JSON.stringify(counts)}; processor time, browser / native, over ${ratios.length}: median ${at(0.5)}, p90 ${at(0.9)}`);
  await page.close();
}, () => server.close());
