// Elements of the page, made without HTML texts: nothing that a game or a person wrote can become markup.

const SVG = "http://www.w3.org/2000/svg";

function set(node, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
  else if (name === "style") for (const [key, part] of Object.entries(value)) node.style.setProperty(key, part);
  else if (name === "value" && "value" in node) node.value = value;
  else node.setAttribute(name, value === true ? "" : value);
}

function fill(node, attributes, children) {
  const isChild = attributes instanceof Node || Array.isArray(attributes) || typeof attributes !== "object" || attributes === null;
  if (isChild) children = [attributes, ...children];
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  if (!isChild) for (const [name, value] of Object.entries(attributes)) set(node, name, value);
  return node;
}

/** Return a new element: el("p", {class: "small"}, "text", child, ...); the attributes may be left out. */
export const el = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

/** Return a new SVG element. */
export const svg = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

/** Return a button with a text and what it does. */
export const button = (text, onclick, attributes = {}) => el("button", { type: "button", onclick, ...attributes }, text);

/** Replace the children of a node. */
export function show(node, ...children) {
  node.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** Tell something to screen readers. */
export function announce(text) {
  const place = document.getElementById("announcer");
  if (place.textContent !== text) place.textContent = text;
}

export const reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Return a name for people: "connect_four" becomes "Connect four". */
export const title = (name) => {
  const words = String(name).replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Return the title of a game and its description without it: "Pig: roll a die ..." says both. */
export function gameTitle({ name, about }) {
  const [first, ...rest] = about.split(": ");
  const isTitle = rest.length > 0 && first.toLowerCase().includes(name.replaceAll("_", " "));
  return isTitle ? { name: first, about: title(rest.join(": ")) } : { name: title(name), about };
}

export const percent = (share) => `${Math.round(100 * share)} %`;
