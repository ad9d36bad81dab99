// The page of the local room. Everything that anybody typed is set as text, never as markup.

import { net, Refused } from "./js/net.js";
import { $, face, focusLine, make, stored } from "./js/dom.js";
import { setUpTheme, theme, useSetting } from "./js/theme.js";
import { showDoor } from "./js/door.js";
import { codeOf, Log, plainly, versionOf } from "./js/log.js";
import { Table } from "./js/table.js";
import { drawMatches } from "./js/matches.js";
import { bell } from "./js/bell.js";
import { keepClocks } from "./js/clocks.js";
import { setUpComposer } from "./js/composer.js";
import { welcome } from "./js/welcome.js";
import { keepTimes } from "./js/times.js";

// `spoke`: whether something was typed since the welcome was shown. `begins`: whether the next match to begin is to be
// shown, whatever is open.
const state = { spoke: false, guest: null, games: [], levels: [], level: null, rooms: new Map(), room: null, unread: 0, roomUnread: 0, privateUnread: 0, listed: false, begins: false, ping: true };
const title = document.title;
// Whether there is space for what only this guest sees beside the room; the style sheet has the same bound.
const wide = matchMedia("(min-width: 1100px)");
let log, privateLog, composer, table;
// What is known of the guest's matches, by code.
const known = new Map();
// Messages that have called the guest already, and the version of a match at which they were last called.
const called = new Map();
// What is said at the message box while the bot thinks, and what is left of it when the bot has replied.
let thinking = "", left = "";

start();

async function start() {
  setUpTheme($("theme"), () => { log?.repaint(); privateLog?.repaint(); table?.repaint(); });
  keepTimes();
  keepClocks();
  const offered = await net.patient("/api/games");
  Object.assign(state, { games: offered.games, levels: offered.levels, level: stored.session("level") ?? offered.usual_level });
  const guest = stored.session("guest");
  if (guest && (await enter(guest))) return;
  showDoor(state.games, enter);
}

// Comes in with a name and a token. False if the token is no longer good.
async function enter(guest) {
  try {
    const me = await net.come(guest);
    state.guest = me;
    state.ping = me.ping;
    useSetting(me.theme, false);
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
  await refreshList();
  const pinned = stored.session("table");
  if (pinned) table.open(pinned);
  net.listen({ message, reply, room: ({ name }) => addRoom(name), state: connection });
  focusLine();
  return true;
}

function setUpHouse() {
  const press = (post, button, element) => {
    // Whoever acts in a match of theirs has opened it.
    const code = /#([A-Z0-9]+)/.exec(button.command)?.[1];
    if (code && code !== table.code && known.get(code)?.stage === "running") table.open(code);
    return act(element, () => net.press(post.id, button.command, state.room));
  };
  const tell = (text, bad) => composer.notice(text, bad);
  table = new Table({ me: () => state.guest.id, press, again: (line) => run(line), name: gameName, changed: showTable, waits: bell.ask, tell });
  bell.setUp();
  log = new Log($("log"), $("messages"), { me: () => state.guest.id, press, jump: $("jump") });
  privateLog = new Log($("private-log"), $("private-messages"), { me: () => state.guest.id, press });
  composer = setUpComposer({ send: say, room: () => state.room });
  $("older").onclick = older;
  $("help").onclick = () => run("help");
  $("start").onclick = () => { closeSide(); lookAt("room"); showWelcome(); };
  $("leave").onclick = () => { stored.session("guest", null); location.reload(); };
  $("new-room").onclick = askRoom;
  $("room-cancel").onclick = () => $("room-dialog").close();
  $("room-form").onsubmit = makeRoom;
  for (const button of document.querySelectorAll(".open-side")) button.onclick = () => toggle("side-open");
  $("to-room").onclick = () => { lookAt("room"); log.toEnd(); };
  $("to-table").onclick = () => lookAt("table");
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

// ---- the table

const gameName = (id) => state.games.find((game) => game.id === id)?.name ?? id;

// Where there is no space for both, the room and the table take turns.
function lookAt(what) {
  const now = what === "table" && table.code !== null;
  $("house").classList.toggle("at-table", now);
  if (!now) { state.roomUnread = 0; countRoom(); }
}

function showTable() {
  const open = table.code !== null;
  $("table").hidden = !open;
  $("to-table").hidden = !open;
  $("house").classList.toggle("with-table", open);
  lookAt(open ? "table" : "room");
  countPrivate();
  markPinned();
  log.setPinned(table.code);
}

function markPinned() {
  for (const button of document.querySelectorAll("[data-match]")) {
    if (button.dataset.match === table.code) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
}

function countRoom() {
  $("room-count").textContent = state.roomUnread;
  $("room-count").hidden = !state.roomUnread;
}

async function openMatch(match) {
  closeSide();
  if (!match.rooms.includes(state.room) && match.rooms.length) await openRoom(match.rooms[0]);
  await table.open(match.code);
}

// Calls the guest, once for each moment of a match and each other message.
function callFor(code, post) {
  const version = code ? versionOf(post, code) : undefined;
  if (called.has(post.id) || version <= called.get(code)) return;
  called.set(post.id, 0);
  if (version !== undefined) called.set(code, version);
  bell.call(post, calling(post), () => { if (known.has(code)) openMatch(known.get(code)); });
}

// A bot that has taken its time calls nobody by name, but it is the guest's turn all the same.
function callForTurn(match, before) {
  if (!match.your_turn || !before || before.your_turn || !state.ping || match.version <= called.get(match.code)) return;
  called.set(match.code, match.version);
  bell.call({ id: match.code, sound: "usual" }, `${gameName(match.game)} #${match.code}: it's your turn, ${state.guest.name}.`, () => openMatch(match));
}

// The sentence that calls: the last that names the guest.
function calling(post) {
  const lines = plainly(post).split("\n");
  return lines.findLast((line) => line.includes(state.guest.name)) ?? lines.at(-1);
}

// Old refusals and hints go with the next command.
function forgetPassing() {
  for (const place of [log, privateLog, table]) place.forgetPassing();
  composer.notice(thinking = "");
}

// ---- talking

// Sends a line; what comes back is shown to this guest alone.
async function say(text) {
  state.spoke = true;
  forgetPassing();
  const answer = await table.during(() => net.say(state.room, text));
  if (answer.said) log.add(answer.said);
  if (answer.reply) reply(answer.reply);
  if (/^\W?(settings|set|config)\b/.test(text)) refreshMe();
}

// The same for a command behind some button of the page itself.
const run = (text, element) => act(element, async () => ({ reply: (await net.say(state.room, text)).reply }));

async function act(element, ask) {
  element?.setAttribute("aria-busy", "true");
  forgetPassing();
  try {
    await table.during(async () => {
      const answer = await ask();
      if (answer.reply) reply(answer.reply);
    });
  } catch (error) {
    composer.notice(error.message, true);
  } finally {
    element?.removeAttribute("aria-busy");
  }
}

async function refreshMe() {
  const { theme: setting, ping } = await net.get("/api/me");
  state.ping = ping;
  useSetting(setting, setting !== theme.setting);
}

// ---- what arrives

function message(post) {
  table.note(post);
  if (post.ping.includes(state.guest.id)) callFor(post.picture?.match ?? codeOf(post), post);
  if (post.private) {
    const fresh = privateLog.add(post) || post.revised;
    // What comes without a sound need not be looked at.
    if (fresh && post.sound !== "silent") {
      state.privateUnread += 1;
      countPrivate();
    }
  } else if (post.room === state.room) {
    // Whoever has typed their way into a match has been welcomed.
    if (state.spoke && post.ping.includes(state.guest.id)) log.putAway("welcome");
    const fresh = log.add(post);
    if (fresh && document.hidden) { state.unread += 1; badge(); }
    if (fresh && post.from && $("house").classList.contains("at-table")) { state.roomUnread += 1; countRoom(); }
  } else {
    addRoom(post.room);
    const room = state.rooms.get(post.room);
    if (!post.revised) room.unread += 1;
    room.called ||= post.ping.includes(state.guest.id);
    drawRooms();
  }
  if (!post.private) privateLog.tidy(post);
  table.hear(post.picture?.match ?? codeOf(post));
  refreshMatches();
}

// An answer to this guest: beside the room if there is space, else in it. A brief one is noted at the
// message box.
function reply(post) {
  if (post.room && post.room !== state.room) return;
  const bare = !post.picture && !post.file && !post.menu.length && !post.buttons.length;
  // Whoever asks in the room, with the table out of sight, is answered there.
  const here = table.takes(post) && $("table").getClientRects().length > 0;
  // Where there is nothing more to pick, the table says so and goes on.
  const onward = table.move.goesOn(post);
  const brief = onward || (bare && (here || post.plain.length < 100));
  const beside = wide.matches && !table.code;
  const fresh = ![log, privateLog].some((one) => one.has(post));
  if (fresh && (brief || here)) for (const one of [log, privateLog]) one.drop(post);
  else if (fresh) (beside ? privateLog : log).add(post);
  // What was picked is done with, unless there is more to pick.
  if (fresh && here && !brief) { table.pick(post, Log.byKey); Log.byKey = false; }
  else if (fresh && brief && post.reply.under === table.picked?.id) table.pick(null);
  if (fresh) {
    // What is waited for may have come before this; the list of matches knows.
    thinking = brief && post.plain.endsWith("…") ? post.plain : "";
    left = withoutWaiting(thinking);
    composer.notice(onward ? "" : brief ? plainly(post) : "");
  }
  refreshMatches();
}

// Nobody thinks any more: whatever stood before that stays.
function endThinking() {
  if (!thinking) return;
  thinking = "";
  composer.notice(left);
}

// A text without the last sentence, which says what is waited for.
const withoutWaiting = (text) => text.replace(/[^.!?]*…$/u, "").trim();

function connection(now) {
  $("state").textContent = now === "open" ? "" : "Reconnecting …";
  $("house").classList.toggle("offline", now !== "open");
}

function countPrivate() {
  const open = $("house").classList.contains("private-open") || (wide.matches && !table.code);
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
  for (const post of page.messages) { log.add(post); table.note(post); if (post.ping.includes(state.guest.id)) called.set(post.id, 0); }
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
    focusLine();
  } catch (error) {
    $("room-error").textContent = error.message;
  }
}

// ---- the guest's matches

let refreshing = null;
function refreshMatches() {
  clearTimeout(refreshing);
  refreshing = setTimeout(refreshList, 60);
}

async function refreshList() {
  let list;
  try { list = await net.get("/api/matches"); } catch { return; }
  const before = new Map(known);
  const all = [...list.matches, ...list.finished];
  known.clear();
  for (const match of all) known.set(match.code, match);
  for (const [code, match] of before) if (!known.has(code)) known.set(code, { ...match, stage: "called_off", running: false });
  showThinking(list.matches);
  drawMatches(list, { me: state.guest.id, name: gameName, pinned: table.code, open: openMatch });
  // Of others' matches their boards tell.
  const alive = (code) => known.get(code) ?? table.stageOf(code);
  for (const place of [log, privateLog]) place.takeDeadAway(alive);
  for (const match of all) table.hear(match.code, match.version);
  for (const match of list.matches) callForTurn(match, before.get(match.code));
  // A match that has just begun is shown, unless another one is being looked at.
  const begun = list.matches.find((match) => match.running && !before.get(match.code)?.running);
  if (begun && (state.listed ? !table.code || table.isOver || state.begins : false)) table.open(begun.code);
  if (begun) state.begins = false;
  state.listed = true;
}

// Says at the message box that a bot thinks, for as long as it does and nothing else is to be said there.
function showThinking(matches) {
  const names = matches.filter((match) => match.rooms.includes(state.room)).flatMap((match) => match.thinking.map(({ name }) => name));
  if (!names.length) { endThinking(); return; }
  if (thinking || !$("notice").hidden) return;
  left = "";
  composer.notice(thinking = `${names.join(", ")} ${names.length > 1 ? "are" : "is"} thinking …`);
}

function showWelcome() {
  // Whoever begins a match has been welcomed: the board takes the place of the card.
  const begin = async (text, element) => {
    state.begins = true;
    await run(text, element);
    log.putAway("welcome");
  };
  state.spoke = false;
  log.addCard("welcome", welcome(state, { run, begin, insert: composer.insert }));
}
