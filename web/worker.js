// Runs the checker once, in a Web Worker: a request comes in as a message, events go out as messages.
//
// The module is a WASI program (preview 1) that reads its standard input and writes lines of JSON to its standard output. It gets
// a clock, random bytes, and nothing else: no files, no environment, no arguments.
"use strict";

const SUCCESS = 0, BAD_FD = 8, NOT_SUPPORTED = 58;

class Ended extends Error {}

function wasi(input, onLine, onError) {
  let memory = null;
  const view = () => new DataView(memory.buffer);
  const decoders = { 1: new TextDecoder(), 2: new TextDecoder() };
  const pending = { 1: "", 2: "" };
  let position = 0;
  const buffers = (at, count) => {
    const v = view();
    return Array.from({ length: count }, (_, i) => [v.getUint32(at + 8 * i, true), v.getUint32(at + 8 * i + 4, true)]);
  };
  const none = (countAt, sizeAt) => {
    view().setUint32(countAt, 0, true);
    view().setUint32(sizeAt, 0, true);
    return SUCCESS;
  };
  const functions = {
    args_sizes_get: none,
    args_get: () => SUCCESS,
    environ_sizes_get: none,
    environ_get: () => SUCCESS,
    clock_time_get(id, _precision, at) {
      const milliseconds = id === 0 ? Date.now() : performance.now();
      view().setBigUint64(at, BigInt(Math.round(milliseconds * 1e6)), true);
      return SUCCESS;
    },
    random_get(at, length) {
      for (let i = 0; i < length; i += 65536) {
        crypto.getRandomValues(new Uint8Array(memory.buffer, at + i, Math.min(65536, length - i)));
      }
      return SUCCESS;
    },
    fd_read(fd, at, count, readAt) {
      if (fd !== 0) return BAD_FD;
      let read = 0;
      for (const [buffer, length] of buffers(at, count)) {
        const part = input.subarray(position, position + length);
        new Uint8Array(memory.buffer).set(part, buffer);
        position += part.length;
        read += part.length;
      }
      view().setUint32(readAt, read, true);
      return SUCCESS;
    },
    fd_write(fd, at, count, writtenAt) {
      if (fd !== 1 && fd !== 2) return BAD_FD;
      let written = 0;
      for (const [buffer, length] of buffers(at, count)) {
        pending[fd] += decoders[fd].decode(new Uint8Array(memory.buffer, buffer, length), { stream: true });
        written += length;
      }
      const lines = pending[fd].split("\n");
      pending[fd] = lines.pop();
      for (const line of lines) (fd === 1 ? onLine : onError)(line);
      view().setUint32(writtenAt, written, true);
      return SUCCESS;
    },
    proc_exit(status) {
      throw new Ended(String(status));
    },
    sched_yield: () => SUCCESS,
  };
  const imports = new Proxy(functions, { get: (known, name) => known[name] || (() => NOT_SUPPORTED) });
  return { imports, start: (instance) => { memory = instance.exports.memory; instance.exports._start(); } };
}

/** Why the program broke, in words for people. */
function explained(error, complaint) {
  if (error instanceof RangeError) {
    return "the program is nested too deeply for the stack of this browser; craig on the command line has more";
  }
  if (complaint.includes("memory allocation")) return "out of memory: a tab has less of it than the command line";
  return "internal error: " + (complaint || error.message);
}

onmessage = ({ data: { module, request } }) => {
  let complaint = "";
  const host = wasi(new TextEncoder().encode(request), (line) => postMessage(JSON.parse(line)), (line) => { complaint ||= line; });
  WebAssembly.instantiate(module, { wasi_snapshot_preview1: host.imports }).then((instance) => host.start(instance)).catch((error) => {
    if (!(error instanceof Ended)) postMessage({ event: "failed", message: explained(error, complaint) });
  });
};
