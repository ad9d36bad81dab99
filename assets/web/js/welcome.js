// The first thing a newcomer finds in the room: what can be played, and how to begin.

import { make, stored } from "./dom.js";

export function welcome(state, { run, begin, insert }) {
  const seats = ([least, most]) => (least === most ? `${least} players` : `${least} to ${most} players`);
  const button = (text, command, act = begin, kind = "") => {
    const element = make("button", { type: "button", className: `button small ${kind}`, textContent: text });
    element.onclick = () => act(command(), element);
    return element;
  };
  const games = state.games.map((game) => {
    const chosen = new Map();
    const wishes = () => [...chosen].map(([name, value]) => ` ${name}=${value}`).join("");
    const length = make("span", { className: "length" });
    const tellLength = () => {
      // An option that decides the length goes before what is usual.
      const lengths = game.options.flatMap((option) => option.values.filter(({ value, moves }) => moves && value === chosen.get(option.name)));
      const moves = lengths[0]?.moves ?? game.moves;
      length.textContent = moves ? `about ${moves} moves` : "";
    };
    tellLength();
    return make("li", { className: "game" },
      make("div", { className: "game-head" }, make("h3", { textContent: game.name }), make("span", {}, `${seats(game.seats)} · `, length)),
      make("p", { textContent: game.tagline }),
      ...options(game, chosen, tellLength),
      make("div", { className: "row" },
        button("Play the bot", () => `challenge bot ${game.id} level=${state.level}${wishes()}`, begin, "primary"),
        button("Rules", () => `rules ${game.id}`, run),
        button("Open a table", () => `open ${game.id}${wishes()}`),
        button("Play alone", () => `practice ${game.id}${wishes()}`)));
  });
  const first = state.games[0]?.id ?? "";
  const tab = make("a", { href: "/", target: "_blank", rel: "noopener", textContent: "another tab" });
  const challenge = make("button", { type: "button", className: "button small", textContent: "Challenge a friend …" });
  challenge.onclick = () => insert("challenge @");
  return make("div", { className: "welcome" },
    make("h2", { textContent: `Welcome, ${state.guest.name}.` }),
    make("p", { textContent: "Pick a game and play me: the match starts at once, and a hint is never far." }),
    levels(state),
    make("ul", { className: "games" }, ...games),
    make("div", { className: "friend" },
      make("h3", { textContent: "With a friend" }),
      make("p", {}, "Let them take a name in ", tab, " of this browser. Then challenge them by name, or open a table and let them join it. For example: ",
        make("code", { textContent: `challenge @friend ${first}` })),
      challenge));
}

// How strong the bot shall be; this tab remembers it.
function levels(state) {
  const about = make("span", { className: "level-help" });
  const show = () => { about.textContent = state.levels.find(({ level }) => level === state.level)?.help ?? ""; };
  const choices = state.levels.map(({ level, help }) => {
    const input = make("input", { type: "radio", name: "level", value: level, checked: level === state.level });
    input.onchange = () => {
      state.level = level;
      stored.session("level", level);
      show();
    };
    return make("label", { className: "level", title: help }, input, make("span", { textContent: level }));
  });
  show();
  return make("fieldset", { className: "levels" }, make("legend", { textContent: "How strong should I be?" }), ...choices, about);
}

// A few values are side by side, many are a list. Those that decide how long a match takes are always in view.
const FEW = 4;

function options(game, chosen, changed) {
  const choose = (option, value) => {
    if (value === option.default) chosen.delete(option.name);
    else chosen.set(option.name, value);
    changed();
  };
  const matters = (option) => option.values.some(({ moves }) => moves);
  // Options of one seat each are numbered; those of seats that nobody takes are left out.
  const seated = game.options.filter(({ name }) => Number(/\d*$/.exec(name)[0]) <= game.seats[0]);
  const lines = seated.map((option) => ({ option, line: optionLine(game, option, choose) }));
  const first = lines.filter(({ option }) => matters(option)).map(({ line }) => line);
  const rest = lines.filter(({ option }) => !matters(option)).map(({ line }) => line);
  if (!rest.length) return first;
  return [...first, make("details", { className: "more" }, make("summary", { textContent: "More options" }), ...rest)];
}

function optionLine(game, option, choose) {
  const note = ({ rulebook, moves }) => [moves && `about ${moves} moves`, rulebook && "rulebook"].filter(Boolean).join(", ");
  const name = option.name.replaceAll("-", " ");
  const help = make("span", { className: "option-help", textContent: option.help });
  if (option.values.length > FEW) {
    const select = make("select", { onchange: () => choose(option, select.value) }, ...option.values.map((one) =>
      make("option", { value: one.value, selected: one.value === option.default, textContent: note(one) ? `${one.value} (${note(one)})` : one.value })));
    return make("label", { className: "option" }, make("span", { className: "option-name", textContent: name }), select, help);
  }
  const buttons = option.values.map((one) => {
    const input = make("input", { type: "radio", name: `${game.id}-${option.name}`, value: one.value, checked: one.value === option.default });
    input.onchange = () => choose(option, one.value);
    const told = [one.moves && `${one.moves} moves`, one.rulebook && "rulebook"].filter(Boolean);
    return make("label", { className: "level wide-level", title: note(one) }, input,
      make("span", {}, make("b", { textContent: one.value }), ...told.map((text) => make("small", { textContent: text }))));
  });
  return make("fieldset", { className: "option" }, make("legend", { className: "option-name", textContent: name }), make("div", { className: "values" }, ...buttons), help);
}
