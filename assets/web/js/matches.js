// The guest's matches at the side: those that go on, and the last ones that are over.

import { $, make } from "./dom.js";
import { when } from "./times.js";

const RESULTS = { won: "You won", lost: "You lost", drawn: "Draw", broken_off: "Broken off" };

export function drawMatches({ matches, finished }, { me, name, pinned, open }) {
  const line = (match, info) => {
    const button = make("button", { className: "match-link", type: "button", onclick: () => open(match) },
      make("span", { className: "match-title" }, make("b", { textContent: name(match.game) }), make("code", { textContent: `#${match.code}` })),
      make("span", { className: "match-info" }, ...info));
    button.dataset.match = match.code;
    if (match.code === pinned) button.setAttribute("aria-current", "true");
    return button;
  };
  const others = (match) => match.players.filter((player) => player.id !== me).map((player) => player.name).join(", ");
  $("no-matches").hidden = matches.length + finished.length > 0;
  $("matches").replaceChildren(...matches.map((match) => {
    const state = match.your_turn ? make("em", { textContent: "Your turn" }) : match.thinking.length ? "Thinking …" : match.paused ? "Paused" : match.running ? "Their turn" : "Waiting for players";
    const with_ = others(match) || (match.running ? "practice" : "");
    const button = line(match, [state, with_ && ` · ${with_}`].filter(Boolean));
    if (match.deadline) button.querySelector(".match-info").append(" · ", when(match.deadline, "short"));
    button.classList.toggle("awaited", match.your_turn);
    return make("li", {}, button);
  }));
  $("finished-part").hidden = finished.length === 0;
  $("finished").replaceChildren(...finished.map((match) => {
    const result = make("em", { className: `result ${match.result ?? ""}`, textContent: RESULTS[match.result] ?? "Over" });
    const with_ = others(match) || "practice";
    return make("li", {}, line(match, [result, ` · ${with_} · `, when(match.ended, "short")]));
  }));
}
