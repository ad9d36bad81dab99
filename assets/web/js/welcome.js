// The first thing a newcomer finds in the room: what can be played, and how to begin.

import { make, stored } from "./dom.js";

export function welcome(state, { run, begin, insert }) {
  const seats = ([least, most]) => (least === most ? `${least} players` : `${least} to ${most} players`);
  const button = (text, command, act = begin, kind = "") => {
    const element = make("button", { type: "button", className: `button small ${kind}`, textContent: text });
    element.onclick = () => act(command(), element);
    return element;
  };
  const games = state.games.map((game) => make("li", { className: "game" },
    make("div", { className: "game-head" }, make("h3", { textContent: game.name }), make("span", { textContent: seats(game.seats) })),
    make("p", { textContent: game.tagline }),
    make("div", { className: "row" },
      button("Play the bot", () => `challenge bot ${game.id} level=${state.level}`, begin, "primary"),
      button("Rules", () => `rules ${game.id}`, run),
      button("Open a table", () => `open ${game.id}`),
      button("Play alone", () => `practice ${game.id}`))));
  const first = state.games[0]?.id ?? "";
  const tab = make("a", { href: "/", target: "_blank", rel: "noopener", textContent: "another tab" });
  const challenge = make("button", { type: "button", className: "button small", textContent: "Challenge somebody …" });
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
  return make("fieldset", { className: "levels" }, make("legend", { textContent: "How strong shall I be?" }), ...choices, about);
}
