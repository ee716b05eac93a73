// The worker: Pyodide, and in it the host of the page (aiplay.site.worker). Posts to the page:
//
//   {progress: 0 .. 1}          while it loads
//   {ready: true}               from now on messages are answered
//   {message: {...}}            an answer or a push, as a server would send it
//   {keep: name, text}          a room to keep; without a text: to forget
//   {failed: text}              it cannot go on
//
// and takes {kept: {name: text}} first, then {message: {...}}.

import "./files.js";
import { loadPyodide } from "../runtime/pyodide.mjs";
import { startPython } from "./python.js";

const { cacheName, sizes } = self.AIPLAY_FILES;
const runtime = new URL("../runtime/", import.meta.url);
const expected = Object.entries(sizes)
  .filter(([name]) => /^runtime\/.*\.(wasm|zip)$/.test(name))
  .reduce((sum, [, size]) => sum + size, 0);
let received = 0;

const post = (message) => self.postMessage(message);

/** Count the bytes of an answer while they come in. */
function counted(response) {
  const counter = new TransformStream({
    transform(chunk, out) {
      received += chunk.byteLength;
      post({ progress: Math.min(1, received / expected) });
      out.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(counter), { headers: response.headers, status: response.status });
}

// Large files are fetched once: what the service worker will need is put into its cache while it is being used.
const network = self.fetch.bind(self);
self.fetch = async (resource, options) => {
  const url = new URL(resource.url ?? resource, self.location.href);
  if (!/\.(wasm|zip)$/.test(url.pathname) || !url.href.startsWith(runtime.href)) return network(resource, options);
  const cache = await self.caches?.open(cacheName).catch(() => null);
  const kept = await cache?.match(url.href);
  if (kept) return counted(kept);
  const response = await network(resource, options);
  if (cache && response.ok) cache.put(url.href, response.clone()).catch(() => {}); // no room: it works without
  return counted(response);
};

const fail = (problem) => {
  post({ failed: String(problem) });
  throw problem;
};

async function start(kept) {
  const archive = self.fetch(new URL("aiplay.zip", runtime)).then((response) => response.arrayBuffer());
  const pyodide = await loadPyodide({ indexURL: runtime.href });
  const send = (text) => post({ message: JSON.parse(text) });
  const keep = (name, text) => post({ keep: name, text: text ?? null });
  return startPython(pyodide, await archive, "HostWorker", send, fail, keep, JSON.stringify(kept));
}

let receive = null;
self.onmessage = async ({ data }) => {
  if (data.message) return receive(data.message);
  try {
    receive = await start(data.kept ?? {});
    post({ ready: true });
  } catch (problem) {
    fail(problem);
  }
};
