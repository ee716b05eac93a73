// Saved games as files of the person who plays: written as a download, read from a file that is chosen or dropped.

import { el } from "./dom.js";

/** Offer a text as a file to keep. */
export function download(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const anchor = el("a", { href: url, download: name });
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** Return the answer to "save" as the text of a file. */
export const savedText = (answer) =>
  JSON.stringify(answer.record ? answer.record : { aiplay: "saved", saved: answer.saved }, null, 1);

/** Return what a file holds: {saved: text} or {record: {...}}; an Error says what is wrong. */
export async function readSave(file) {
  let found;
  try {
    found = JSON.parse(await file.text());
  } catch {
    throw new Error(`${file.name} is not a save: it is not JSON.`);
  }
  if (typeof found?.saved === "string") return { saved: found.saved };
  if (typeof found?.game === "string" && Array.isArray(found?.moves)) return { record: found };
  throw new Error(`${file.name} is not a save: it has neither "saved" nor the "game" and "moves" of a record.`);
}
