// The rules of a game, written in Markdown, as elements: headings, paragraphs, lists, grids, code, emphasis, links.

import { el } from "./dom.js";

const INLINE = /(`[^`]+`|\*\*[^*]+\*\*|\*[^*]+\*|\[[^\]]+\]\([^)]+\))/;

function inline(text) {
  return text.split(INLINE).map((part) => {
    if (/^`.+`$/.test(part)) return el("code", part.slice(1, -1));
    if (/^\*\*.+\*\*$/.test(part)) return el("strong", part.slice(2, -2));
    if (/^\*.+\*$/.test(part)) return el("em", part.slice(1, -1));
    const found = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part);
    if (!found) return part;
    if (!/^https?:/.test(found[2])) return found[1];
    return el("a", { href: found[2], rel: "noreferrer noopener", target: "_blank" }, found[1]);
  });
}

const cells = (row) => row.replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));

function grid(lines) {
  const [head, , ...body] = lines.map(cells);
  return el("div", { class: "scroll", tabindex: 0 }, el("table",
    el("thead", el("tr", head.map((cell) => (cell ? el("th", { scope: "col" }, inline(cell)) : el("td"))))), // a corner is no header
    el("tbody", body.map((row) => el("tr", row.map((cell) => el("td", inline(cell))))))));
}

function list(lines, mark) {
  const items = [];
  for (const line of lines) {
    if (mark.test(line)) items.push(line.replace(mark, ""));
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  return items.map((item) => el("li", inline(item)));
}

function block(lines) {
  const first = lines[0];
  const heading = /^(#{1,4}) (.*)$/.exec(first);
  if (heading) {
    const rest = lines.slice(1).filter((line) => line.trim());
    return [el(`h${Math.min(heading[1].length + 1, 4)}`, inline(heading[2])), ...(rest.length ? [block(rest)].flat() : [])];
  }
  if (first.startsWith("|") && lines.length > 1) return grid(lines);
  if (/^\s*[-*] /.test(first)) return el("ul", list(lines, /^\s*[-*] /));
  if (/^\s*\d+\. /.test(first)) return el("ol", list(lines, /^\s*\d+\. /));
  if (/^ {4}/.test(first)) return el("pre", { tabindex: 0 }, lines.map((line) => line.slice(4)).join("\n"));
  return el("p", inline(lines.join(" ")));
}

/** Return the elements of a Markdown text. */
export function markdown(text) {
  const found = [];
  let lines = [], code = null;
  const flush = () => {
    if (lines.length) found.push(block(lines));
    lines = [];
  };
  for (const line of text.split("\n")) {
    if (line.startsWith("```")) {
      if (code === null) flush();
      else found.push(el("pre", { tabindex: 0 }, code.join("\n")));
      code = code === null ? [] : null;
    } else if (code !== null) code.push(line);
    else if (line.trim() === "") flush();
    else lines.push(line);
  }
  flush();
  return found.flat();
}
