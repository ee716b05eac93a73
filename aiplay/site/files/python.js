// Python in a worker: starts a class of aiplay.site.worker, and gives it what it needs of JavaScript.

/** Run Python's calls one at a time; messages are read in between. */
function makeSoon(run) {
  if (typeof setImmediate === "function") return () => void setImmediate(run); // Node.js: its channels starve others
  const channel = new MessageChannel();
  channel.port1.onmessage = run;
  return () => channel.port2.postMessage(null);
}

/**
 * Start `name` (HostWorker or EngineWorker) with the packages of an archive.
 *
 * `send` gets every message as text, `fail` the problem of a call that has failed; `more` are further arguments.
 * Returns the function that takes messages, objects that JSON can hold.
 */
export function startPython(pyodide, archive, name, send, fail, ...more) {
  pyodide.unpackArchive(archive, "zip", { extractDir: "/aiplay" });
  pyodide.runPython("import sys; sys.path.insert(0, '/aiplay')");
  const guarded = (call) => {
    try {
      call();
    } catch (problem) {
      fail(problem);
    }
  };
  const worker = pyodide.pyimport("aiplay.site.worker")[name](
    send,
    (milliseconds, number) => {
      const timer = setTimeout(() => guarded(() => worker.fire(number)), milliseconds);
      timer.unref?.();
    },
    makeSoon(() => guarded(() => worker.run())),
    ...more,
  );
  return (message) => guarded(() => worker.receive(JSON.stringify(message)));
}
