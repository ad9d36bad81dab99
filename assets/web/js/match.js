// The page of one match, for whoever has a link to it. What it shows is written by the server; this makes the board one that
// can be touched, and puts in place what differs when something has changed.

import { $, make } from "./dom.js";
import { net } from "./net.js";
import { Board } from "./board.js";
import { Move } from "./move.js";
import { clock, keepClocks } from "./clocks.js";
import { choices, download, enlarge, pressable } from "./log.js";
import { setUpTheme, useSetting } from "./theme.js";
import { keepTimes, when } from "./times.js";

// What can differ from one reading to the next. What is told last comes first: the board waits for nothing.
const PARTS = ["title", "clocks", "told", "said", "buttons", "steps", "story"];
// What is spoken as it changes. These stay the same elements: a new one that brings its words along is mostly not spoken.
const SPOKEN = ["told", "said"];

const opened = { boards: null, move: null, reply: null };
const main = () => $("match");
const base = () => main().dataset.base;
const flag = (name) => main().dataset[name] === "true";

// The match as the move that is being made needs to know it.
const match = () => ({ code: main().dataset.code, version: Number(main().dataset.version), your_turn: flag("yourTurn") && flag("live"), running: flag("running"), paused: flag("paused") });

function tell(text, bad = false) {
  const notice = $("notice");
  if (!notice) return;
  notice.textContent = text;
  notice.classList.toggle("bad", bad);
}

// How long a reading may take, how long to wait before the next try, and when a stream that should have said something is
// dead; in milliseconds.
const PATIENCE = 20_000;
const PAUSES = { first: 500, longest: 15_000 };
const SILENCE = 40_000;
const longer = (pause) => Math.min(Math.max(2 * pause, PAUSES.first), PAUSES.longest);
const UNREACHED = "The page can't be reached right now. I keep trying.";

// Waits for a while, or until something happens after which another try is worth it.
const rest = (milliseconds) => new Promise((done) => {
  setTimeout(done, milliseconds);
  for (const name of ["online", "hashchange"]) addEventListener(name, done, { once: true });
});

const keyAtHand = () => /^#k=([0-9a-f]{16,128})$/.exec(location.hash)?.[1];

// A key behind the # is traded for a cookie, for as long as it takes, and is gone from the address bar as soon as that is done:
// until then whoever loads the page anew still has it. Each key has a page of its own, so that two of them in one browser are
// two pages. Whether there was a key.
let trading = null;
function trade() {
  trading ??= (async () => {
    let traded = false;
    for (let pause = longer(0), key = keyAtHand(); key; key = keyAtHand()) {
      const { pathname } = location;
      try {
        const { base } = await net.post(`/m/${encodeURIComponent(pathname.split("/")[2] ?? "")}/key`, { key });
        // Something in between may answer in our place.
        if (!base?.startsWith("/m/")) throw new Error("This is another page.");
        traded = true;
        if (key === keyAtHand()) history.replaceState(null, "", base);
        tell("");
      } catch (error) {
        if (error.status === 401) {
          traded = true;
          if (key === keyAtHand()) history.replaceState(null, "", pathname);
          // A page that isn't open says so itself.
          if (!main().dataset.shut) tell(error.message, true);
          continue;
        }
        // A proxy that is set up wrongly: whoever looks after it has to know.
        tell(error.status === 403 || error.status === 421 ? error.message : UNREACHED, true);
        await rest(Math.max(pause, error.wait ?? 0));
        pause = longer(pause);
      }
    }
    return traded;
  })().finally(() => { trading = null; });
  return trading;
}

// The page as it is now, as its viewer may see it. Only a page that is no longer theirs, or isn't there, takes its place.
async function read(path) {
  const response = await fetch(path, { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
  if (!response.ok && response.status !== 401 && response.status !== 404) {
    const wait = 1000 * (Number(response.headers.get("Retry-After")) || 0);
    throw Object.assign(new Error(`The page answers with ${response.status}.`), { wait });
  }
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const fresh = page.getElementById("match");
  // Something in between may answer in our place.
  if (!fresh) throw new Error("This is another page.");
  return fresh;
}

// Reads anew: at once what is now, then the story, which may take longer. Of several wishes while one is carried out the last
// counts. What can't be read is tried again, for as long as it takes.
let reading = null;
let again = false;
let pause = 0;
let next = null;
function refresh() {
  if (reading) { again = true; return reading; }
  clearTimeout(next);
  reading = (async () => {
    do {
      again = false;
      try {
        if (location.pathname === base()) await adopt(await read(`${location.pathname}?brief`));
        await adopt(await read(location.pathname));
        if (pause) { pause = 0; tell(""); }
      } catch (error) {
        pause = longer(pause);
        tell(UNREACHED, true);
        next = setTimeout(refresh, Math.max(pause, error.wait ?? 0));
        again = false;
      }
    } while (again);
  })().finally(() => { reading = null; });
  return reading;
}

// Puts a reading in place. Whatever stays the same stays where it is: a finger may be on its way.
function adopt(fresh) {
  if (!fresh) return null;
  if (fresh.dataset.shut || main().dataset.shut) {
    main().replaceWith(document.importNode(fresh, true));
    // Now it is sure.
    if (fresh.dataset.shut) opening(false);
    open();
    return null;
  }
  for (const [name, value] of Object.entries(fresh.dataset)) main().dataset[name] = value;
  for (const id of PARTS) {
    const [old, now] = [$(id), fresh.querySelector(`#${id}`)];
    if (!old || !now) continue;
    if (id === "title" || old.dataset.was === now.outerHTML) continue;
    const focused = old.contains(document.activeElement) ? document.activeElement.id || document.activeElement.dataset.command : null;
    const placed = document.importNode(now, true);
    placed.dataset.was = now.outerHTML;
    // What was unfolded stays so.
    if (old.querySelector("details[open]")) placed.querySelector("details")?.setAttribute("open", "");
    if (SPOKEN.includes(id)) {
      old.dataset.was = placed.dataset.was;
      old.replaceChildren(...placed.childNodes);
    } else old.replaceWith(placed);
    if (focused) (document.getElementById(focused) ?? [...$(id).querySelectorAll("[data-command]")].find((one) => one.dataset.command === focused))?.focus({ preventScroll: true });
  }
  for (const id of ["board", "hand"]) {
    const [old, now] = [$(id), fresh.querySelector(`#${id}`)];
    for (const name of Object.keys(old.dataset)) delete old.dataset[name];
    Object.assign(old.dataset, now.dataset);
  }
  enliven();
  return show();
}

const picture = (box) => (box?.dataset.url ? { url: box.dataset.url, spots: box.dataset.spots, alt: box.dataset.alt, private: flag("own") } : null);

async function show() {
  const [board, hand] = ["board", "hand"].map((id) => picture($(id)));
  main().classList.toggle("with-hand", Boolean(hand));
  // What can be touched next is lit on the board as it is then.
  await Promise.all([opened.boards.board.show(board), opened.boards.hand.show(hand)]);
  const now = match();
  const { state } = main().dataset;
  // A private wish changes what the viewer sees, and not the version.
  if (opened.state !== state) { opened.state = state; opened.move.now = undefined; }
  if (flag("own")) await opened.move.begin(now);
  if (opened.reply && opened.reply.version < now.version) answer(null);
}

// Clocks tick, and moments are told in the reader's own time.
function enliven() {
  for (const element of document.querySelectorAll(".clock[data-had]")) {
    const ticking = clock(Number(element.dataset.had), element.dataset.counts === "true");
    element.replaceWith(ticking);
  }
  for (const element of document.querySelectorAll("time[data-at]:not([datetime])")) element.replaceWith(when(Number(element.dataset.at)));
  const shown = document.querySelector("#story [aria-current]")?.closest("li") ?? document.querySelector("#story li:last-child");
  const list = document.querySelector("#story ol");
  if (shown && list) list.scrollTop = shown.offsetTop - list.offsetTop - list.clientHeight / 2;
}

// What is pressed is a command like any other; the same one is carried out once, however often it is sent.
async function press(command, element) {
  element?.setAttribute("aria-busy", "true");
  const byTouch = opened.move.commands.has(command);
  let answered = false;
  try {
    const { version } = match();
    const reply = await net.surely(`${base()}/press`, { command });
    const says = reply.buttons.length || reply.menu.length || reply.picture || reply.file || !reply.done;
    if (reply.passing && !reply.buttons.length && !reply.menu.length) { answer(null); tell(plain(reply.text), true); } else {
      // Of a move the board tells.
      tell(says || byTouch ? "" : plain(reply.text));
      answer(says && !(byTouch && reply.done) ? { ...reply, version } : null);
    }
    answered = true;
  } catch (error) { tell(error.message, true); }
  element?.removeAttribute("aria-busy");
  await refresh();
  return answered;
}

const plain = (html) => new DOMParser().parseFromString(html, "text/html").body.textContent;

// Shows an answer beside the board, until the match goes on or it is put away.
function answer(reply) {
  opened.reply = reply;
  const box = $("reply");
  box.hidden = !reply;
  if (!reply) { box.replaceChildren(); return; }
  const away = make("button", { type: "button", className: "icon close", textContent: "×", onclick: () => answer(null) });
  away.setAttribute("aria-label", "Put this away");
  const text = make("div", { className: "text" });
  text.append(...new DOMParser().parseFromString(reply.text, "text/html").body.childNodes);
  const parts = [away, text];
  if (reply.picture) {
    const image = make("img", { src: reply.picture.url, alt: reply.picture.alt });
    image.onload = () => image.classList.add("loaded");
    parts.push(make("button", { type: "button", className: "picture", title: "Enlarge", onclick: () => enlarge(image) }, image));
  }
  if (reply.file) parts.push(download(reply.file));
  const pressed = (post, button, element) => press(button.command, element);
  if (reply.menu.length) parts.push(choices(reply, pressed));
  if (reply.buttons.length) parts.push(make("div", { className: "buttons" }, ...reply.buttons.map((button) => pressable(reply, button, pressed))));
  box.replaceChildren(...parts);
  box.scrollIntoView({ block: "nearest" });
}

// Steps through the match without loading the page anew.
async function go(path) {
  history.pushState(null, "", path);
  await refresh();
}

function open() {
  if (main().dataset.shut) { listen(); return; }
  // The pictures that the server wrote are for those without scripts.
  const [board, hand] = ["board", "hand"].map((id) => { const box = $(id); box.replaceChildren(); return box; });
  const touched = (spot) => opened.move.spot(spot);
  const back = () => opened.move.back();
  opened.boards = { board: new Board(board, { label: "The board", touched, back }), hand: new Board(hand, { label: "Your hand", touched, back, carried: true }) };
  const understand = (_, touches) => net.post(`${base()}/touch`, touches);
  opened.move = new Move({ boards: Object.values(opened.boards), panel: $("panel"), play: (command) => press(command), tell, stale: refresh, understand });
  for (const id of PARTS) { const part = $(id); if (part) part.dataset.was = part.outerHTML; }
  const note = $("note");
  if (note) {
    note.hidden = false;
    note.onsubmit = (event) => { event.preventDefault(); write(note); };
  }
  useSetting(main().dataset.theme || null, false);
  setUpTheme($("theme"), show);
  enliven();
  listen();
}

// Writes down what was typed. It stays there until it is kept.
async function write(note) {
  const { words } = note.elements;
  const text = words.value.trim();
  if (!text) { words.focus(); return; }
  if (await press(`note #${match().code} ${text}`, note)) words.value = "";
}

// Hears that something has changed. A browser has six connections to one place, so only a tab that is looked at listens.
let stream = null;
let silence = null;
let back = null;
function listen() {
  stream?.close();
  clearTimeout(silence);
  clearTimeout(back);
  if (document.hidden || main().dataset.shut) { stream = null; return; }
  stream = new EventSource(`${base()}/events`);
  // A line may be dead without anybody saying so.
  const heard = () => { clearTimeout(silence); silence = setTimeout(listen, SILENCE); };
  heard();
  // Whatever happened while nobody listened is read anew; also what did since this page was written.
  for (const name of ["hello", "changed"]) stream.addEventListener(name, () => { heard(); refresh(); });
  stream.addEventListener("alive", heard);
  // A browser comes back by itself where the line broke, and not where it was sent away.
  stream.onerror = () => {
    if (stream?.readyState !== EventSource.CLOSED) return;
    clearTimeout(silence);
    stream = null;
    back = setTimeout(() => { refresh().then(() => { if (!stream) listen(); }); }, 3000);
  };
}

document.addEventListener("visibilitychange", () => { if (!document.hidden && document.querySelector("#match:not([data-shut])")) refresh(); listen(); });
addEventListener("popstate", refresh);
addEventListener("hashchange", () => start());
document.addEventListener("click", (event) => {
  const button = event.target.closest?.("#buttons button[data-command]");
  if (button && !button.hasAttribute("aria-busy")) { press(button.dataset.command, button); return; }
  const link = event.target.closest?.("#steps a, #story a, #said a");
  if (link && link.origin === location.origin && !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0) { event.preventDefault(); go(link.pathname); }
});
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };
document.addEventListener("keydown", (event) => {
  // On the board the arrows walk over it.
  if (!KEYS[event.key] || event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.("input, .spots, dialog")) return;
  const link = $(KEYS[event.key]);
  if (link?.href) { event.preventDefault(); go(link.pathname); }
});

// Whether a page that isn't open may be yet, or says why not.
function opening(maybe) {
  const [waits, refusal] = [$("opening"), $("refusal")];
  if (waits) waits.hidden = !maybe;
  if (refusal) refusal.hidden = maybe;
}

async function start() {
  if (keyAtHand()) opening(true);
  const traded = await trade();
  // A link from elsewhere brings no cookie the first time; asked from here, it comes along.
  if (traded || main().dataset.shut) await refresh();
}

keepClocks();
keepTimes();
open();
start();
