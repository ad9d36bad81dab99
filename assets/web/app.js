// The page of the local room. Everything that anybody typed is set as text, never as markup.

import { net, Refused } from "./js/net.js";
import { $, face, make, stored } from "./js/dom.js";
import { setUpTheme, theme } from "./js/theme.js";
import { showDoor } from "./js/door.js";
import { Log } from "./js/log.js";
import { setUpComposer } from "./js/composer.js";
import { welcome } from "./js/welcome.js";
import { keepTimes, when } from "./js/times.js";

// `spoke`: whether something was typed since the welcome was shown.
const state = { spoke: false, guest: null, games: [], levels: [], level: null, rooms: new Map(), room: null, unread: 0, privateUnread: 0 };
const title = document.title;
// Whether there is space for what only this guest sees beside the room; the style sheet has the same bound.
const wide = matchMedia("(min-width: 1100px)");
let log, privateLog, composer;
// What is said at the message box while the bot thinks; what it replies takes it away.
let thinking = "", replied = 0;

start();

async function start() {
  setUpTheme($("theme"), () => { log?.repaint(); privateLog?.repaint(); });
  keepTimes();
  const offered = await net.patient("/api/games");
  Object.assign(state, { games: offered.games, levels: offered.levels, level: stored.session("level") ?? offered.usual_level });
  const known = stored.session("guest");
  if (known && (await enter(known))) return;
  showDoor(state.games, enter);
}

// Comes in with a name and a token. False if the token is no longer good.
async function enter(guest) {
  try {
    const me = await net.come(guest);
    state.guest = me;
    theme.safe = me.theme === "safe";
  } catch (error) {
    if (error instanceof Refused) {
      stored.session("guest", null);
      stored.forget(guest.name);
      return false;
    }
    throw error;
  }
  stored.session("guest", guest);
  stored.remember(guest);
  $("door").hidden = true;
  $("house").hidden = false;
  $("self-name").textContent = state.guest.name;
  face($("self-face"), state.guest.name);
  setUpHouse();
  await refreshRooms();
  const asked = decodeURIComponent(location.hash.slice(1));
  await openRoom(state.rooms.has(asked) ? asked : state.rooms.keys().next().value);
  loadPrivate();
  refreshMatches();
  net.listen({ message, reply, room: ({ name }) => addRoom(name), state: connection });
  $("line").focus();
  return true;
}

function setUpHouse() {
  const press = (post, button, element) => act(element, () => net.press(post.id, button.command, state.room));
  log = new Log($("log"), $("messages"), { me: () => state.guest.id, press, jump: $("jump") });
  privateLog = new Log($("private-log"), $("private-messages"), { me: () => state.guest.id, press });
  composer = setUpComposer({ send: say, room: () => state.room });
  $("older").onclick = older;
  $("help").onclick = () => run("help");
  $("start").onclick = () => { closeSide(); showWelcome(); };
  $("leave").onclick = () => { stored.session("guest", null); location.reload(); };
  $("new-room").onclick = askRoom;
  $("room-cancel").onclick = () => $("room-dialog").close();
  $("room-form").onsubmit = makeRoom;
  $("open-side").onclick = () => toggle("side-open");
  $("open-private").onclick = () => toggle("private-open");
  $("close-private").onclick = () => toggle("private-open", false);
  $("shade").onclick = () => { closeSide(); toggle("private-open", false); };
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.defaultPrevented) { closeSide(); toggle("private-open", false); }
  });
  document.addEventListener("visibilitychange", () => { if (!document.hidden) seen(); });
  window.addEventListener("hashchange", () => {
    const name = decodeURIComponent(location.hash.slice(1));
    if (state.rooms.has(name) && name !== state.room) openRoom(name);
  });
}

function toggle(name, on) {
  const house = $("house");
  const now = house.classList.toggle(name, on);
  const button = $(name === "side-open" ? "open-side" : "open-private");
  button.setAttribute("aria-expanded", String(now));
  $("shade").hidden = !house.classList.contains("side-open") && !house.classList.contains("private-open");
  if (name === "private-open" && now) { state.privateUnread = 0; countPrivate(); privateLog.toEnd(); }
}

const closeSide = () => toggle("side-open", false);

// ---- talking

// Sends a line; what comes back is shown to this guest alone.
async function say(text) {
  state.spoke = true;
  const answer = await net.say(state.room, text);
  if (answer.said) log.add(answer.said);
  // After talk, what the parlor makes of it is a hint and no more.
  if (answer.reply && answer.said) composer.notice(answer.reply.plain);
  else if (answer.reply) reply(answer.reply);
  if (/^\W?(settings|set|config)\b/.test(text)) refreshMe();
}

// The same for a command behind some button of the page itself.
const run = (text, element) => act(element, async () => ({ reply: (await net.say(state.room, text)).reply }));

async function act(element, ask) {
  element?.setAttribute("aria-busy", "true");
  try {
    const answer = await ask();
    if (answer.reply) reply(answer.reply);
  } catch (error) {
    composer.notice(error.message, true);
  } finally {
    element?.removeAttribute("aria-busy");
  }
}

async function refreshMe() {
  theme.safe = (await net.get("/api/me")).theme === "safe";
  log.repaint();
  privateLog.repaint();
}

// ---- what arrives

function message(post) {
  if (post.private) {
    if (privateLog.add(post)) {
      state.privateUnread += 1;
      countPrivate();
    }
  } else if (post.room === state.room) {
    // Whoever has typed their way into a match has been welcomed.
    if (state.spoke && post.ping.includes(state.guest.id)) log.putAway("welcome");
    if (log.add(post) && document.hidden) { state.unread += 1; badge(); }
    if (!post.from) replied = post.at;
    if (thinking) composer.notice(thinking = "");
  } else {
    addRoom(post.room);
    const room = state.rooms.get(post.room);
    room.unread += 1;
    room.called ||= post.ping.includes(state.guest.id);
    drawRooms();
  }
  if (!post.private) privateLog.tidy(post);
  refreshMatches();
}

// An answer to this guest: beside the room if there is space, else in it. A brief one is noted at the
// message box.
function reply(post) {
  if (post.room && post.room !== state.room) return;
  const brief = !post.picture && !post.file && !post.menu.length && !post.buttons.length && post.plain.length < 100;
  const fresh = brief ? [log, privateLog].every((one) => one.drop(post)) : !log.has(post) && (wide.matches ? privateLog : log).add(post);
  if (fresh) {
    // What the bot replied may have come before this.
    const waits = brief && post.plain.endsWith("…");
    const late = waits && replied >= post.at;
    thinking = waits && !late ? post.plain : "";
    composer.notice(brief && !late ? post.plain : "");
  }
  refreshMatches();
}

function connection(now) {
  $("state").textContent = now === "open" ? "" : "Reconnecting …";
  $("house").classList.toggle("offline", now !== "open");
}

function countPrivate() {
  const open = $("house").classList.contains("private-open") || wide.matches;
  if (open) state.privateUnread = 0;
  $("private-count").textContent = state.privateUnread;
  $("private-count").hidden = state.privateUnread === 0;
}

function seen() { state.unread = 0; badge(); }
function badge() { document.title = state.unread ? `(${state.unread}) ${title}` : title; }

async function loadPrivate() {
  const page = await net.get("/api/messages?private=only&limit=30");
  for (const post of page.messages) privateLog.add(post);
  privateLog.toEnd();
}

// ---- rooms

async function refreshRooms() {
  for (const { name } of (await net.get("/api/rooms")).rooms) addRoom(name);
  drawRooms();
}

function addRoom(name) {
  if (state.rooms.has(name)) return;
  state.rooms.set(name, { unread: 0, called: false });
  drawRooms();
}

function drawRooms() {
  $("rooms").replaceChildren(...[...state.rooms].map(([name, room]) => {
    const button = make("button", { className: "room-link", type: "button", onclick: () => { closeSide(); openRoom(name); } },
      make("span", { className: "hash", textContent: "#", ariaHidden: "true" }), make("span", { textContent: name }));
    if (name === state.room) button.setAttribute("aria-current", "true");
    if (room.unread) {
      const count = make("b", { className: "count", textContent: room.unread > 99 ? "99+" : room.unread });
      count.setAttribute("aria-label", `${room.unread} new`);
      count.classList.toggle("called", room.called);
      button.append(count);
    }
    return make("li", {}, button);
  }));
}

async function openRoom(name) {
  state.room = name;
  const room = state.rooms.get(name);
  Object.assign(room, { unread: 0, called: false });
  history.replaceState(null, "", `#${encodeURIComponent(name)}`);
  $("room-name").textContent = name;
  drawRooms();
  log.clear();
  const page = await net.get(`/api/messages?private=no&limit=60&room=${encodeURIComponent(name)}`);
  if (state.room !== name) return;
  net.reached(page.cursor);
  for (const post of page.messages) log.add(post);
  $("older").hidden = !page.more;
  log.toEnd();
  const own = (post) => post.from?.id === state.guest.id || post.ping.includes(state.guest.id);
  if (!page.messages.some(own)) showWelcome();
}

async function older() {
  const first = log.first();
  if (!first) return;
  const page = await net.get(`/api/messages?private=no&limit=60&before=${first}&room=${encodeURIComponent(state.room)}`);
  log.addBefore(page.messages);
  $("older").hidden = !page.more;
}

function askRoom() {
  closeSide();
  $("room-error").textContent = "";
  $("room-input").value = "";
  $("room-dialog").showModal();
}

async function makeRoom(event) {
  event.preventDefault();
  try {
    const { name } = await net.post("/api/rooms", { name: $("room-input").value });
    addRoom(name);
    $("room-dialog").close();
    await openRoom(name);
    $("line").focus();
  } catch (error) {
    $("room-error").textContent = error.message;
  }
}

// ---- the guest's matches

let refreshing = null;
function refreshMatches() {
  clearTimeout(refreshing);
  refreshing = setTimeout(drawMatches, 60);
}

async function drawMatches() {
  let matches;
  try { ({ matches } = await net.get("/api/matches")); } catch { return; }
  showThinking(matches);
  const name = (id) => state.games.find((game) => game.id === id)?.name ?? id;
  $("no-matches").hidden = matches.length > 0;
  $("matches").replaceChildren(...matches.map((match) => {
    const others = match.players.filter((player) => player.id !== state.guest.id).map((player) => player.name);
    const button = make("button", { className: "match-link", type: "button" },
      make("span", { className: "match-title" }, make("b", { textContent: name(match.game) }), make("code", { textContent: `#${match.code}` })),
      make("span", { className: "match-info" }, match.your_turn ? make("em", { textContent: "Your turn" }) : match.thinking.length ? "Thinking …" : match.running ? "Their turn" : "Waiting for players",
        others.length ? ` · ${others.join(", ")}` : match.running ? " · practice" : ""));
    if (match.deadline) button.querySelector(".match-info").append(" · ", when(match.deadline, "short"));
    button.classList.toggle("awaited", match.your_turn);
    button.onclick = async () => {
      closeSide();
      if (!match.rooms.includes(state.room) && match.rooms.length) await openRoom(match.rooms[0]);
      run(`board #${match.code}`, button);
    };
    return make("li", {}, button);
  }));
}

// Says at the message box that a bot thinks, for as long as it does and nothing else is to be said there.
function showThinking(matches) {
  const names = matches.filter((match) => match.rooms.includes(state.room)).flatMap((match) => match.thinking.map(({ name }) => name));
  if (!names.length) { if (thinking) composer.notice(thinking = ""); return; }
  if (!thinking && $("notice").hidden) composer.notice(thinking = `${names.join(", ")} ${names.length > 1 ? "are" : "is"} thinking …`);
}

function showWelcome() {
  // Whoever begins a match has been welcomed: the board takes the place of the card.
  const begin = async (text, element) => {
    await run(text, element);
    log.putAway("welcome");
  };
  state.spoke = false;
  log.addCard("welcome", welcome(state, { run, begin, insert: composer.insert }));
}
