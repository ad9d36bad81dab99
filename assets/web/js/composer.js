// The message box, with help while typing: commands, games, codes, legal moves.

import { $, focusLine, make } from "./dom.js";
import { net } from "./net.js";

export function setUpComposer({ send, room }) {
  const line = $("line");
  const list = $("suggestions");
  const notice = $("notice");
  let offered = [];
  let chosen = -1;
  let asking = null;
  let timer = null;
  const past = [];
  let back = 0;

  function close() {
    asking?.abort();
    clearTimeout(timer);
    offered = [];
    chosen = -1;
    list.hidden = true;
    list.replaceChildren();
    line.setAttribute("aria-expanded", "false");
    line.removeAttribute("aria-activedescendant");
  }

  function choose(index) {
    chosen = index;
    [...list.children].forEach((item, at) => item.setAttribute("aria-selected", String(at === index)));
    const item = list.children[index];
    if (item) {
      item.scrollIntoView({ block: "nearest" });
      line.setAttribute("aria-activedescendant", item.id);
    } else {
      line.removeAttribute("aria-activedescendant");
    }
  }

  function accept(index) {
    line.value = offered[index].line;
    close();
    ask();
    line.focus();
    line.setSelectionRange(line.value.length, line.value.length);
  }

  // Asks what the line may become, once the typing rests for a moment.
  function ask() {
    clearTimeout(timer);
    asking?.abort();
    const text = line.value;
    if (!text.trim() || text.startsWith('"')) { close(); return; }
    timer = setTimeout(async () => {
      asking = new AbortController();
      try {
        const found = await net.suggest(room(), text, asking.signal);
        if (line.value === text) show(found.filter((one) => one.line.trim() !== text.trim()));
      } catch { /* Without help one can still type. */ }
    }, 70);
  }

  function show(found) {
    if (!found.length || document.activeElement !== line) { close(); return; }
    offered = found;
    list.replaceChildren(...found.map((one, index) => {
      const item = make("li", { id: `suggestion-${index}`, role: "option" },
        make("span", { className: "what", textContent: one.label }), make("span", { className: "why", textContent: one.help }));
      // Pressing must not take the focus out of the box.
      item.onmousedown = (event) => { event.preventDefault(); accept(index); };
      return item;
    }));
    list.classList.toggle("bare", found.every((one) => !one.help));
    list.hidden = false;
    line.setAttribute("aria-expanded", "true");
    choose(-1);
    list.scrollTop = 0;
  }

  // At the message box, and at the table for those who don't see the box.
  function tell(text, bad = false) {
    for (const place of [notice, $("table-notice")]) {
      place.textContent = text;
      place.hidden = !text;
      place.classList.toggle("bad", bad);
    }
  }

  async function submit() {
    const text = line.value.trim();
    if (!text) return;
    close();
    tell("");
    past.unshift(text);
    back = 0;
    line.value = "";
    try {
      await send(text);
    } catch (error) {
      tell(error.message, true);
      if (!line.value) line.value = text;
    }
  }

  line.addEventListener("input", () => { back = 0; tell(""); ask(); });
  line.addEventListener("blur", () => setTimeout(close, 100));
  line.addEventListener("keydown", (event) => {
    const open = !list.hidden;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (open && step) {
      event.preventDefault();
      const places = offered.length + 1;
      choose(((chosen + 1 + step + places) % places) - 1);
    } else if (open && event.key === "Tab" && !event.shiftKey) {
      event.preventDefault();
      accept(Math.max(chosen, 0));
    } else if (open && event.key === "Enter" && chosen >= 0) {
      event.preventDefault();
      accept(chosen);
    } else if (open && event.key === "Escape") {
      event.preventDefault();
      close();
    } else if (!open && step && past.length && (line.value === "" || line.value === past[back - 1])) {
      event.preventDefault();
      back = Math.max(0, Math.min(past.length, back - step));
      line.value = past[back - 1] ?? "";
    }
  });
  $("composer").onsubmit = (event) => { event.preventDefault(); submit(); };

  return {
    notice: tell,
    insert(text) { line.value = text; line.focus(); ask(); },
  };
}
