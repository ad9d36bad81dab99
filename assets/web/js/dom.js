// Small helpers for elements and for what the browser remembers.

export const $ = (id) => document.getElementById(id);

// A finger opens a keyboard over half the screen with every focus, so only a mouse or keys get one unasked.
const touch = matchMedia("(pointer: coarse)");
export function focusLine() { if (!touch.matches) $("line").focus({ preventScroll: true }); }
export const isTouch = () => touch.matches;

export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

// An icon from a path of a 20 by 20 grid.
export function icon(path) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(space, "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

// A round face with the first letter of a name, in a colour that stays with the name.
export function face(element, name) {
  let sum = 0;
  for (const letter of name.toLowerCase()) sum = (sum * 31 + letter.codePointAt(0)) >>> 0;
  element.className = `face hue-${sum % 8}`;
  element.textContent = [...name][0]?.toUpperCase() ?? "?";
  return element;
}

// A tab has its guest, so several guests can sit in several tabs; the browser knows all names that were
// taken in it, so that a closed tab is no lost name.
export const stored = {
  session(key, value) {
    try {
      if (value === undefined) return JSON.parse(sessionStorage.getItem(`parlor-${key}`));
      if (value === null) sessionStorage.removeItem(`parlor-${key}`);
      else sessionStorage.setItem(`parlor-${key}`, JSON.stringify(value));
    } catch { /* A browser that stores nothing still plays. */ }
    return null;
  },
  known() {
    try { return JSON.parse(localStorage.getItem("parlor-names")) ?? []; } catch { return []; }
  },
  remember({ name, token }) {
    const others = stored.known().filter((guest) => guest.name !== name);
    stored.save([{ name, token }, ...others].slice(0, 12));
  },
  forget(name) { stored.save(stored.known().filter((guest) => guest.name !== name)); },
  save(names) {
    try { localStorage.setItem("parlor-names", JSON.stringify(names)); } catch { /* As above. */ }
  },
};
