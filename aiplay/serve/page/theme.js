// Light or dark: the system's wish, or the switch.

const KEY = "aiplay.theme";
const NEXT = { "": "light", light: "dark", dark: "" };
const NAMES = { "": "Theme: system", light: "Theme: light", dark: "Theme: dark" };

function apply(theme, button) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  button.textContent = NAMES[theme];
}

/** Make the button switch between the system's wish, light and dark; the choice is kept. */
export function themeSwitch(button) {
  let theme = localStorage.getItem(KEY) ?? "";
  if (!(theme in NEXT)) theme = "";
  apply(theme, button);
  button.addEventListener("click", () => {
    theme = NEXT[theme];
    localStorage.setItem(KEY, theme);
    apply(theme, button);
  });
}
