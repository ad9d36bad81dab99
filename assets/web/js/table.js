// The table: the match that the guest has opened, with its board, whose turn it is, the clocks, the hand, and what is
// being picked. It stays with its match, whatever is said elsewhere, and follows it as it goes on.

import { $, face, icon, make, stored } from "./dom.js";
import { net } from "./net.js";
import { clock } from "./clocks.js";
import { Board } from "./board.js";
import { Move } from "./move.js";
import { choices, codeOf, download, enlarge, paint, pressable, versionOf, words } from "./log.js";

const LOCK = "M5 9h10v8H5zM7 9V6a3 3 0 0 1 6 0v3";

export class Table {
  // `again` asks a line anew; `name` tells a game's name; `changed` hears when another match is opened or none, `waits`
  // when the guest waits for somebody, or has; `tell` says something brief.
  constructor({ me, press, again, name, changed, waits, tell }) {
    Object.assign(this, { me, press, again, name, changed, waits, busy: 0, code: null, match: null, board: null, hand: null, turns: new Map(), picked: null, asked: 0 });
    $("close-table").onclick = () => this.close();
    const touched = (spot) => this.move.spot(spot);
    const back = () => this.move.back();
    this.pictures = {
      board: new Board($("table-board"), { label: "The board", touched, back }),
      hand: new Board($("table-hand"), { label: "Your hand", touched, back, carried: true }),
    };
    // What is played is shown as soon as the room has it.
    const play = async (line) => { await again(line); await this.refresh(); };
    this.move = new Move({ boards: Object.values(this.pictures), panel: $("table-first"), play, tell, stale: () => this.refresh() });
  }

  // Opens a match. What was picked in another one goes.
  async open(code) {
    if (this.code !== code) {
      Object.assign(this, { code, match: null, board: null, hand: null, drawn: null, opened: null });
      this.pick(null);
      this.move.begin(null);
      for (const picture of Object.values(this.pictures)) picture.show(null);
      $("table-board").hidden = false;
      $("table-scroll").scrollTop = 0;
    }
    stored.session("table", code);
    this.changed();
    await this.refresh();
  }

  close() {
    this.code = null;
    this.match = null;
    this.pick(null);
    this.move.begin(null);
    stored.session("table", null);
    this.changed();
  }

  get isOver() { return this.match !== null && !["open", "running"].includes(this.match.stage); }

  // Reads the match anew. Of several readings under way the last one counts, and all wait for it.
  refresh() {
    this.reading = this.read();
    return this.reading;
  }

  async read() {
    const { code } = this;
    if (!code) return;
    const asked = this.asked += 1;
    let found;
    try { found = await net.get(`/api/matches/${encodeURIComponent(code)}`); } catch (error) {
      if (error.status === 404 && this.code === code) this.close();
      return;
    }
    if (asked !== this.asked) { await this.reading; return; }
    if (code !== this.code) return;
    Object.assign(this, { match: found.match, board: found.board, hand: found.hand });
    this.draw();
    if (!this.isStale() || this.busy) return;
    // Somebody else has acted meanwhile: what can be picked is asked anew, and only shown.
    const { asked: line } = this.picked.reply;
    if (this.match.your_turn && line.startsWith("moves ")) this.again(line.replace(/@\d+/, ""));
    else this.pick(null);
  }

  isStale() { return Boolean(this.picked && this.match && versionOf(this.picked, this.code) < this.match.version); }

  // While the guest acts, what they picked stays until the answer is there.
  async during(act) {
    this.busy += 1;
    try { return await act(); } finally {
      this.busy -= 1;
      if (!this.busy && this.isStale()) this.pick(null);
    }
  }

  // A match has been heard of: a message about it, or the list of matches.
  hear(code, version) {
    if (code === this.code && (version === undefined || version !== this.match?.version)) this.refresh();
  }

  // The last public message of a match tells what has just happened and has buttons of its own.
  note(post) {
    const code = post.picture?.match;
    if (!code || post.private || post.reply) return;
    const known = this.turns.get(code);
    if (!known || known.cursor <= post.cursor) this.turns.set(code, post);
  }

  // What the boards of a match tell of it; nothing if there was none.
  stageOf(code) {
    const turn = this.turns.get(code);
    return turn && { stage: "running", version: versionOf(turn, code) ?? 0 };
  }

  draw() {
    const { match, board } = this;
    const turn = this.turns.get(this.code);
    $("table-name").textContent = this.name(match.game);
    $("table-code").textContent = `#${match.code}`;
    $("table").classList.toggle("awaited", match.your_turn);
    $("table").classList.toggle("with-hand", Boolean(this.hand));
    this.opened ??= match.version;
    if (!this.isOver && (!match.your_turn || match.version > this.opened)) this.waits();
    this.drawClocks();
    this.drawBoard();
    this.pictures.hand.show(this.hand?.picture);
    this.move.begin(match);
    $("table-said").replaceChildren(words((turn ?? board).text, this.me()));
    // What is asked stands at the end.
    $("table-said").scrollTop = $("table-said").scrollHeight;
    const seen = (button) => !/^(board|hand) /.test(button.command) || (button.command.startsWith("hand ") && !this.hand);
    // What the message offers may be of an earlier moment; the board has been read just now.
    const fresh = (button) => !/@\d+/.test(button.command) || button.command.includes(`@${match.version}`);
    const own = board.buttons.map((button) => ({ post: board, button }));
    const told = (turn?.buttons ?? []).filter(fresh).map((button) => ({ post: turn, button }));
    const known = new Set(own.map(({ button }) => button.label));
    const all = [...own.filter(({ button }) => button.style === "primary"), ...told.filter(({ button }) => !known.has(button.label)), ...own.filter(({ button }) => button.style !== "primary")];
    const shown = all.filter(({ button }) => seen(button));
    // Buttons that stay the same stay where they are: a finger may be on its way.
    const offered = JSON.stringify(shown.map(({ button }) => button));
    if (this.offered === offered) return;
    this.offered = offered;
    $("table-buttons").replaceChildren(...shown.map(({ post, button }) => pressable(post, button, this.press)));
  }

  // While a move is picked, the board shows what is picked so far.
  drawBoard() {
    // A table that waits for players has no board yet.
    this.pictures.board.show(this.picked && this.marks(this.picked) ? this.picked.picture : this.board.picture);
  }

  // Whether an answer's picture is the board with what is picked.
  marks(post) { return post.picture?.match === this.code && versionOf(post, this.code) !== undefined; }

  drawClocks() {
    const { match } = this;
    const seats = match.clocks.length ? match.clocks : match.players.map((player) => ({ player, left: null, running: false }));
    $("table-clocks").replaceChildren(...seats.map(({ player, left, running }) => {
      const thinks = match.thinking.some(({ id }) => id === player.id);
      const seat = make("li", { className: "seat" }, face(make("span"), player.name),
        make("span", { className: "seat-name", textContent: player.id === this.me() ? "You" : player.name }));
      seat.firstChild.setAttribute("aria-hidden", "true");
      seat.classList.toggle("to-move", running && match.running);
      if (left !== null && match.running) seat.append(clock(left, running && !match.paused));
      else if (thinks) seat.append(make("span", { className: "clock", textContent: "thinking …" }));
      return seat;
    }));
  }

  // Whether an answer belongs here: it goes on with what is picked, or was asked for at this table.
  takes(post) {
    if (!this.code) return false;
    const { under } = post.reply;
    if (under && [this.picked?.id, this.board?.id, this.turns.get(this.code)?.id].includes(under)) return true;
    return codeOf(post) === this.code && post.menu.length + post.buttons.length > 0;
  }

  // Shows what can be picked, in place of what could be picked before.
  pick(post, byKey = false) {
    const picker = $("picker");
    const focused = picker.contains(document.activeElement);
    this.picked = post;
    picker.hidden = !post;
    picker.classList.toggle("only-you", Boolean(post));
    picker.dataset.id = post?.id ?? "";
    if (this.match) this.drawBoard();
    $("dock").classList.toggle("picking", Boolean(post));
    if (!post) {
      picker.replaceChildren();
      if (focused) $("table-buttons").querySelector("button")?.focus({ preventScroll: true });
      return;
    }
    const away = make("button", { type: "button", className: "icon close", textContent: "×", onclick: () => this.pick(null) });
    away.setAttribute("aria-label", "Put this away");
    const parts = [make("div", { className: "only-head" }, icon(LOCK), make("span", { textContent: "Only you see this" })), words(post.text, this.me())];
    if (post.picture && !this.marks(post)) {
      const box = make("div", { className: "picker-picture" });
      show(box, post.picture, "What it looks like");
      parts.push(box);
    }
    if (post.file) parts.push(download(post.file));
    if (post.menu.length) parts.push(choices(post, this.press));
    if (post.buttons.length) parts.push(make("div", { className: "buttons" }, ...post.buttons.map((button) => pressable(post, button, this.press))));
    picker.replaceChildren(away, ...parts);
    picker.scrollTop = 0;
    if (focused || byKey) picker.querySelector(".chip, .button")?.focus({ preventScroll: true });
  }

  // Puts away what was good only until the next command.
  forgetPassing() { if (this.picked?.reply.passing) this.pick(null); }

  repaint() {
    if (!this.match) return;
    this.draw();
    if (this.picked) this.pick(this.picked);
  }
}

// Shows a picture in a box; the one before stays until the new one is there, so that nothing jumps.
function show(box, picture, label) {
  if (!picture) { box.replaceChildren(); return; }
  const image = make("img", { alt: picture.alt, decoding: "async" });
  const button = make("button", { type: "button", className: "picture", title: "Enlarge", onclick: () => enlarge(image) }, image);
  button.setAttribute("aria-label", `${label}. ${picture.alt}`);
  const asked = box.asked = Symbol(label);
  const place = () => { if (box.asked === asked) box.replaceChildren(button); };
  image.onload = () => { image.classList.add("loaded"); place(); };
  image.onerror = () => { image.classList.add("broken"); place(); };
  paint(image, picture);
}
