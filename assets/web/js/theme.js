// Light or dark: as the system says, or as chosen here. Boards follow.

const dark = matchMedia("(prefers-color-scheme: dark)");
const choices = ["auto", "light", "dark"];
const signs = { auto: "◐", light: "☀", dark: "☾" };
const words = { auto: "as your system", light: "light", dark: "dark" };

export const theme = {
  choice: read(),
  // Whether the guest has asked for colours that everybody can tell apart.
  safe: false,
  get page() { return this.choice === "auto" ? (dark.matches ? "dark" : "light") : this.choice; },
  get boards() { return this.safe ? "safe" : this.page; },
};

function read() {
  try {
    const choice = localStorage.getItem("parlor-theme");
    return choices.includes(choice) ? choice : "auto";
  } catch { return "auto"; }
}

export function setUpTheme(button, changed) {
  const apply = () => {
    document.documentElement.dataset.theme = theme.page;
    button.textContent = signs[theme.choice];
    button.title = `Theme: ${words[theme.choice]}`;
    button.setAttribute("aria-label", button.title);
    changed();
  };
  button.onclick = () => {
    theme.choice = choices[(choices.indexOf(theme.choice) + 1) % choices.length];
    try { localStorage.setItem("parlor-theme", theme.choice); } catch { /* It holds for this visit. */ }
    apply();
  };
  dark.addEventListener("change", apply);
  apply();
}
