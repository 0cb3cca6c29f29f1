// Links that carry a program: JSON, deflated, in base64url, in the fragment of the address, which never reaches a server.

// A short link may expand to anything; more than this is not taken.
const MAX_BYTES = 4 << 20;

const toText = (bytes) => {
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
};

const toBytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

async function collect(stream, most) {
  const parts = [];
  let length = 0;
  for (const reader = stream.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) {
      reader.cancel();
      throw new Error("the link expands to too much text");
    }
    parts.push(value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** The fragment for a state. */
export async function encode(state) {
  const stream = new Blob([JSON.stringify(state)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return "#code=" + toText(await collect(stream, Infinity));
}

/** The state of a fragment; null if there is none, an error if it cannot be read. */
export async function decode(fragment) {
  if (!fragment.startsWith("#code=")) return null;
  const stream = new Blob([toBytes(fragment.slice(6))]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const state = JSON.parse(new TextDecoder().decode(await collect(stream, MAX_BYTES)));
  if (typeof state !== "object" || state === null || typeof state.source !== "string") throw new Error("the link holds no program");
  return state;
}
