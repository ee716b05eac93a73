// The worker of index.js: Pyodide, and in it the engine. Takes {pyodide, archive} first, then {message}; posts {ready},
// {message} or {failed}.

import { startPython } from "./python.js";

const isNode = typeof process !== "undefined" && Boolean(process.versions?.node);
const port = isNode ? (await import("node:worker_threads")).parentPort : self;
const post = (message) => port.postMessage(message);
const fail = (problem) => post({ failed: String(problem) });

/** The bytes of a file, of any address. */
async function bytesOf(url) {
  if (!url.startsWith("file:")) return (await fetch(url)).arrayBuffer();
  const { readFile } = await import("node:fs/promises");
  return Uint8Array.from(await readFile(new URL(url))).buffer;
}

/** The folder of Pyodide as it wants it: a path in Node.js, an address in a browser. */
async function folderOf(url) {
  return url.startsWith("file:") ? (await import("node:url")).fileURLToPath(url) : url;
}

async function start({ pyodide, archive }) {
  const [bytes, { loadPyodide }] = await Promise.all([bytesOf(archive), import(`${pyodide}pyodide.mjs`)]);
  const loaded = await loadPyodide({ indexURL: await folderOf(pyodide) });
  return startPython(loaded, bytes, "EngineWorker", (text) => post({ message: JSON.parse(text) }), fail);
}

let receive = null;
const hear = async (data) => {
  if (data.message) return receive(data.message);
  try {
    receive = await start(data);
    post({ ready: true });
  } catch (problem) {
    fail(problem);
  }
};
if (isNode) port.on("message", hear);
else port.onmessage = ({ data }) => hear(data);
