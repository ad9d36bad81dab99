// Light, dark, or with colours that everybody can tell apart: as the system says, or as chosen here. Boards follow.

const dark = matchMedia("(prefers-color-scheme: dark)");
const choices = ["auto", "light", "dark", "safe"];
const signs = { auto: "◐", light: "☀", dark: "☾", safe: "◑" };
const words = { auto: "as your system", light: "light", dark: "dark", safe: "safe colours" };

export const theme = {
  choice: read(),
  // What the guest has chosen by `settings theme`, on whatever machine; null, if nothing.
  setting: null,
  get system() { return dark.matches ? "dark" : "light"; },
  get page() { return ["light", "dark"].includes(this.boards) ? this.boards : this.system; },
  get boards() {
    if (this.choice !== "auto") return this.choice;
    return this.setting ?? this.system;
  },
};

let apply = () => {};

// The guest has a setting: it holds here too. If it was changed just now, it goes before what was chosen here.
export function useSetting(setting, changed) {
  theme.setting = setting;
  if (changed) keep(setting);
  apply();
}

function keep(choice) {
  theme.choice = choice;
  try { localStorage.setItem("parlor-theme", choice); } catch { /* It holds for this visit. */ }
}

function read() {
  try {
    const choice = localStorage.getItem("parlor-theme");
    return choices.includes(choice) ? choice : "auto";
  } catch { return "auto"; }
}

export function setUpTheme(button, changed) {
  apply = () => {
    document.documentElement.dataset.theme = theme.page;
    button.textContent = signs[theme.choice];
    button.title = `Theme: ${words[theme.choice]}`;
    button.setAttribute("aria-label", button.title);
    changed();
  };
  button.onclick = () => {
    keep(choices[(choices.indexOf(theme.choice) + 1) % choices.length]);
    apply();
  };
  dark.addEventListener("change", apply);
  apply();
}
