// The door: a newcomer takes a name, or comes back to one that this browser knows.

import { $, isTouch, make, stored } from "./dom.js";
import { net } from "./net.js";

export function showDoor(games, enter) {
  $("door").hidden = false;
  const known = stored.known();
  $("door-known").hidden = known.length === 0;
  $("door-names").replaceChildren(...known.map((guest) => make("button", {
    type: "button", className: "chip", textContent: guest.name,
    onclick: async () => { if (!(await enter(guest))) say("This room no longer knows that name. Take it again, or pick another."); },
  })));
  $("door-games").replaceChildren(...games.map((game) => make("li", {},
    make("b", { textContent: game.name }), make("span", { textContent: game.tagline }))));
  const say = (text) => { $("door-error").textContent = text; };
  $("door-form").onsubmit = async (event) => {
    event.preventDefault();
    const name = $("door-name").value.trim();
    const own = stored.known().find((guest) => guest.name.toLowerCase() === name.toLowerCase());
    if (own && (await enter(own))) return;
    try {
      await enter(await net.take(name));
    } catch (error) {
      say(error.message);
      $("door-name").select();
    }
  };
  if (!isTouch()) $("door-name").focus();
}
