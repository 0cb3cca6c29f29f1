// Who answers requests: ask(request, onEvent) returns { done, cancel }. Events and requests are those of crates/web.

import { CHECKER } from "./config.js";
import { stored, store } from "./dom.js";

/** Asks the server that sent the page; the answer is a stream of server-sent events, and closing it cancels. */
class HttpChecker {
  // A server for many answers one request of each visitor at a time.
  parallel = 2;

  constructor() {
    const address = new URL(location.href);
    const given = address.searchParams.get("token");
    if (given !== null) {
      store("token", given, "sessionStorage");
      // Not in links that are passed on, nor in the history.
      address.searchParams.delete("token");
      history.replaceState(null, "", address);
    }
    this.token = given || stored("token", "sessionStorage") || "";
  }

  ask(request, onEvent) {
    const abort = new AbortController();
    const run = async () => {
      const response = await fetch("api/ask", {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Craig-Token": this.token },
        body: JSON.stringify(request),
        signal: abort.signal,
      });
      if (response.status === 429) this.parallel = 1;
      if (!response.ok) throw new Error((await response.text()).trim() || response.statusText);
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      for (;;) {
        const { done, value } = await reader.read();
        if (done) throw new Error("the server ended without an answer");
        text += value;
        const events = text.split("\n\n");
        text = events.pop();
        for (const event of events) {
          if (!event.startsWith("data: ")) continue;
          const message = JSON.parse(event.slice(6));
          if (message.event === "reply") return message.reply;
          onEvent(message);
        }
      }
    };
    return { done: run(), cancel: () => abort.abort() };
  }
}

/** Runs the checker in this tab: a worker for each request, from one compiled module. */
class WasmChecker {
  parallel = Math.max(1, Math.min(4, (navigator.hardwareConcurrency || 2) - 1));

  async compile() {
    // The page with everything inside brings the checker along.
    const inside = document.getElementById("craig-wasm");
    let bytes;
    if (inside) bytes = Uint8Array.from(atob(inside.textContent.trim()), (c) => c.charCodeAt(0));
    else {
      const response = await fetch("craig.wasm.gz");
      if (!response.ok) throw new Error("the checker cannot be loaded: " + response.statusText);
      bytes = new Uint8Array(await response.arrayBuffer());
    }
    // Some servers say that the file is compressed, and then it has been unpacked already.
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const stream = new Blob([bytes]).stream();
    const unpacked = isPacked ? stream.pipeThrough(new DecompressionStream("gzip")) : stream;
    return WebAssembly.compileStreaming(new Response(unpacked, { headers: { "Content-Type": "application/wasm" } }));
  }

  module() {
    this.compiled ??= this.compile();
    return this.compiled;
  }

  worker() {
    const inside = document.getElementById("craig-worker");
    if (!inside) return new Worker("worker.js");
    this.address ??= URL.createObjectURL(new Blob([inside.textContent], { type: "text/javascript" }));
    return new Worker(this.address);
  }

  ask(request, onEvent) {
    const worker = this.worker();
    let cancel;
    const done = new Promise((resolve, reject) => {
      cancel = () => {
        worker.terminate();
        reject(new DOMException("cancelled", "AbortError"));
      };
      worker.onmessage = ({ data }) => {
        if (data.event === "reply") resolve(data.reply);
        else if (data.event === "failed") reject(new Error(data.message));
        else onEvent(data);
      };
      worker.onerror = (event) => reject(new Error(event.message || "the checker broke"));
      this.module().then((module) => worker.postMessage({ module, request: JSON.stringify(request) }), reject);
    }).finally(() => worker.terminate());
    return { done, cancel };
  }
}

export const makeChecker = () => (CHECKER === "wasm" ? new WasmChecker() : new HttpChecker());
