// A form for the options of a game, made from their descriptions: {name, default, low, high, choices, allowed, about}.

import { el, title } from "./dom.js";

const SEATS = "players"; // the option that the number of seats comes from

const kindOf = (option) => {
  if (typeof option.default === "boolean") return "switch";
  if (option.choices.length) return "choice";
  return option.low !== null || option.high !== null || typeof option.default === "number" ? "number" : "text";
};

function input(option, id, value) {
  const shared = { id, name: option.name, "aria-describedby": `${id}-about` };
  switch (kindOf(option)) {
    case "switch":
      return el("input", { ...shared, type: "checkbox", checked: value });
    case "choice":
      return el("select", shared, option.choices.map((choice) =>
        el("option", { value: choice, selected: choice === value }, choice)));
    case "number":
      return el("input", { ...shared, type: "number", inputmode: "numeric", value: value ?? "", min: option.low,
        max: option.high, step: Number.isInteger(option.default ?? option.low) ? 1 : "any",
        placeholder: option.default === null ? "by default" : null });
    default:
      return el("input", { ...shared, type: "text", value: value ?? "" });
  }
}

function read(option, field) {
  if (field.type === "checkbox") return field.checked;
  if (field.value === "") return option.default;
  return kindOf(option) === "number" ? Number(field.value) : field.value;
}

/** Return {nodes, values(), problem(name, text)}; onChange is called with every change. */
export function optionForm(options, onChange, { only = () => true, given = {} } = {}) {
  const fields = options.filter(only).map((option) => {
    const id = `option-${option.name}`;
    const field = input(option, id, given[option.name] ?? option.default);
    field.addEventListener("change", () => onChange());
    const problem = el("p", { class: "problem small", role: "alert", hidden: true });
    const about = el("p", { class: "muted small", id: `${id}-about` }, `${title(option.about)} (${option.allowed}).`);
    const label = el("label", { for: id }, title(option.name));
    const isSwitch = field.type === "checkbox";
    const node = el("div", { class: `field${isSwitch ? " is-switch" : ""}` }, isSwitch ? [field, label] : [label, field], about, problem);
    return { option, field, problem, node };
  });
  return {
    nodes: fields.map(({ node }) => node),
    values: () => Object.fromEntries(
      fields.map(({ option, field }) => [option.name, read(option, field)])
        .filter(([name, value]) => value !== options.find((option) => option.name === name).default)),
    problem: (text) => {
      for (const { option, field, problem } of fields) {
        const isMine = Boolean(text) && text.includes(option.name);
        field.setAttribute("aria-invalid", String(isMine));
        problem.hidden = !isMine;
        problem.textContent = isMine ? text : "";
      }
    },
  };
}

export const isSeats = (option) => option.name === SEATS;
